r"""Lemma B.10: the loss under a change of the first layer, and the size of the second layer's gradient.

Setting. l 1-Lipschitz, |y| <= 1, E|x| <= B; delta = max_i |w_i - w_i'|.

Statements. (1) relu is 1-Lipschitz, so the loss at x changes by at most sum_i |a_i| |w_i - w_i'| |x|, in the mean by
B |a|_1 delta <= B |a|_2 sqrt(|a|_0) delta. (2) |relu(u - b)| <= |u| + b~ for |b| = b~, so |dL/da_i| <= B (|w_i -
w_i^1| + |w_i^1|) + b~.

Reference: lines 5854-5880.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._means import MEAN, WRONG_AFFINE, affine, per_atom
from ._network import dot, gradients, length, mean_loss, with_length

FIELDS = "xs ys a w moves b"


def two_layers(rng):
    """Inputs of rational length, labels in [-1, 1], a network, and how far its first layer moves."""
    size = abs(rng.rational((), 3)) + Fraction(1, 9)
    return {
        "xs": [with_length(rng, 3) for _ in range(3)],
        "ys": [int(v) for v in rng.signs((3,))],
        "a": [*rng.rational((3,), 3), Fraction(0)],
        "w": [with_length(rng, 3) for _ in range(4)],
        "moves": [with_length(rng, 3) for _ in range(4)],
        "b": [int(v) * size for v in rng.signs((4,))],
    }


def aligned(rng):
    """Equal neurons that move alike along the only input; a fourth has weight 0."""
    return {
        "xs": [[3, 4]],
        "ys": [1],
        "a": [Fraction(1, 1000)] * 3 + [Fraction(0)],
        "w": [[Fraction(3), Fraction(4)]] * 4,
        "moves": [[Fraction(6), Fraction(8)]] * 4,
        "b": [Fraction(-2)] * 4,
    }


def one_input_of_no_weight(rng):
    """w = 0 and bias -b~: the derivative is the bias alone."""
    return {**aligned(rng), "w": [[Fraction(0), Fraction(0)]] * 4}


def instances_of(draw):
    return instances(draw, FIELDS, smoke=1, standard=1)


DRAWN = instances(two_layers, FIELDS, smoke=4, standard=12)


def mean_length(xs):
    return sum((length(x) for x in xs), Fraction(0)) / len(xs)


def moved(w, moves):
    return [[p + q for p, q in zip(u, v, strict=True)] for u, v in zip(w, moves, strict=True)]


def loss_change(xs, ys, a, w, moves, b):
    """The square of the change of the mean hinge loss. Shape ()."""
    after = mean_loss(xs, ys, a, moved(w, moves), b)
    return (mean_loss(xs, ys, a, w, b) - after) ** 2


def gap_bound(xs, ys, a, w, moves, b):
    """B_x1^2 |a|_2^2 |a|_0 delta^2. Shape ()."""
    return without_count(xs, ys, a, w, moves, b) * sum(v != 0 for v in a)


def without_count(xs, ys, a, w, moves, b):
    return (mean_length(xs) * max(length(u) for u in moves)) ** 2 * dot(a, a)


def derivatives(xs, ys, a, w, moves, b):
    """|dL/da_i| at w + moves. Length m."""
    return [abs(v) for v in gradients(xs, ys, a, moved(w, moves), b)[1]]


def derivative_bounds(xs, ys, a, w, moves, b, with_bias=1):
    """B_x1 (|w_i - w_i^1| + |w_i^1|) + b~, w^1 = w. Length m."""
    rows = zip(w, moves, b, strict=True)
    B = mean_length(xs)
    return [B * (length(v) + length(u)) + with_bias * abs(c) for u, v, c in rows]


def without_bias(xs, ys, a, w, moves, b):
    return derivative_bounds(xs, ys, a, w, moves, b, 0)


RELU = formula_leg(
    "one neuron",
    typed("abs(relu(u - b) - relu(v - b)) <= abs(u - v)", over=["u in R", "v in R", "b in R"]),
)
# one example, m neurons: f, g = relu(<w_j, x> - b_j) before and after, D = |x| delta, c = |a|
NETWORK = formula_leg(
    "one network",
    typed(
        "Sum(a[j]*f[j], (j, 1, m)) - Sum(a[j]*g[j], (j, 1, m)) <= D*Sum(c[j], (j, 1, m))",
        over=["m in 1..oo", "a[j], f[j], g[j], c[j] in R for j in 1..m", "D in [0, oo)"],
        where="a[j]*(f[j] - g[j]) <= c[j]*D for j in 1..m",
    ),
)
# l, k: the loss of an atom before and after, X = |x|, A = |a|_1 delta
LAW = per_atom(
    "mean over a law",
    f"{MEAN('l[i]')} - {MEAN('k[i]')} <= A*{MEAN('X[i]')}",
    "l[i], k[i], X[i]",
    "l[i] - k[i] <= A*X[i]",
    ["A in [0, oo)"],
)
LARGEST = formula_leg(
    "mean length",
    typed(
        "a*delta*m <= a*delta*B",
        over=["a in [0, oo)", "delta in [0, oo)", "B in [0, oo)", "m in [0, B]"],
    ),
)
# the entries that are not 0
SPARSE = formula_leg(
    "both norms",
    typed("norm(a, 1)**2 <= m*norm(a)**2", over=["m in 1..oo", "a in R^m"]),
)

gap = claim(
    "gradfeat-loss-gap-bound",
    states="gradfeat-loss-gap",
    title="The loss under a change of the first layer",
    says=r"$|L(\tilde a,W)-L(\tilde a,W')|\le B_{x1}\|\tilde a\|_1\delta\le B_{x1}\|\tilde a\|_2\sqrt{\|\tilde "
    r"a\|_0}\,\delta$, "
    r"$\delta=\max_i\|w_i-w_i'\|$.",
    covers="gap",
    reads={"law": "n p", "a_tilde": "a", "W": "f", "W_prime": "g"},
    relation=at_most(),
    legs=[
        RELU,
        NETWORK,
        LAW,
        LARGEST,
        SPARSE,
        leg(
            "networks",
            loss_change,
            reference=gap_bound,
            instances=DRAWN,
            unit=1,
            lhs=r"(L(\tilde a,W)-L(\tilde a,W'))^2",
            tex=r"B_{x1}^2\|\tilde a\|_2^2\|\tilde a\|_0\delta^2",
            required=False,
        ),
        leg(
            "equal neurons",
            loss_change,
            reference=gap_bound,
            instances=instances_of(aligned),
            unit=1,
            lhs=r"(L(\tilde a,W)-L(\tilde a,W'))^2",
            tex=r"B_{x1}^2\|\tilde a\|_2^2\|\tilde a\|_0\delta^2",
            required=False,
        ),
    ],
    rivals=[
        variant("without |a|_0", reference=without_count, leg="equal neurons"),
        *rivals_of(RELU, {"half of it": "abs(relu(u - b) - relu(v - b)) <= abs(u - v)/2"}),
        *rivals_of(
            NETWORK,
            {
                "half of the weights": "Sum(a[j]*f[j], (j, 1, m)) - Sum(a[j]*g[j], (j, 1, m)) "
                "<= D*Sum(c[j], (j, 1, m))/2"
            },
        ),
        *rivals_of(
            LAW,
            {"half of the mean length": f"{MEAN('l[i]')} - {MEAN('k[i]')} <= A*{MEAN('X[i]')}/2"},
        ),
        *rivals_of(
            LARGEST,
            {
                "larger inputs": {
                    "over": ["a in [0, oo)", "delta in [0, oo)", "B in [0, oo)", "m in [0, 2*B]"]
                }
            },
        ),
        *rivals_of(SPARSE, {"without the count": "norm(a, 1)**2 <= norm(a)**2"}),
    ],
)

SIZE = formula_leg(
    "one neuron",
    typed("relu(u - b) <= abs(u) + c", over=["c in (0, oo)", "u in R", "b in [-c, c]"]),
)
# v = l'(y g) y relu(<w_i, x> - b_i) or its negative, X = |x|, W = |w_i|
AVERAGED = affine()
SPLIT = formula_leg(
    "through the first step",
    typed(
        "W*m + c <= B*(s + q) + c",
        over=[
            "B in [0, oo)",
            "m in [0, B]",
            "s in [0, oo)",
            "q in [0, oo)",
            "W in [0, s + q]",
            "c in [0, oo)",
        ],
    ),
)

gradient = claim(
    "gradfeat-loss-gap-gradient",
    states="gradfeat-loss-gap",
    title="Size of the second layer's gradient",
    says=r"$|\partial L/\partial a_i|\le B_{x1}(\|w_i-w_i^{(1)}\|+\|w_i^{(1)}\|)+\tilde b$ in every state with "
    r"$|b_i|=\tilde b$.",
    covers="gradient",
    reads={"i": "u b", "state": "W c"},
    relation=at_most(),
    legs=[
        SIZE,
        AVERAGED,
        SPLIT,
        leg(
            "networks",
            derivatives,
            reference=derivative_bounds,
            instances=DRAWN,
            unit=1,
            lhs=r"|\partial L/\partial a_i|",
            tex=r"B_{x1}(\|w_i-w_i^{(1)}\|+\|w_i^{(1)}\|)+\tilde b",
            required=False,
        ),
        leg(
            "along the input",
            derivatives,
            reference=derivative_bounds,
            instances=instances_of(one_input_of_no_weight),
            unit=1,
            lhs=r"|\partial L/\partial a_i|",
            tex=r"B_{x1}(\|w_i-w_i^{(1)}\|+\|w_i^{(1)}\|)+\tilde b",
            required=False,
        ),
    ],
    rivals=[
        variant("without the bias, run", reference=without_bias, leg="along the input"),
        *rivals_of(SIZE, {"without the bias": "relu(u - b) <= abs(u)"}),
        *rivals_of(AVERAGED, WRONG_AFFINE),
        *rivals_of(SPLIT, {"the first layer's move alone": "W*m + c <= B*s + c"}),
    ],
)
