r"""Lemma B.10: the loss under a change of the first layer, and the size of the second layer's gradient.

Setting. l 1-Lipschitz, |y| <= 1, E|x| <= B; delta = max_i |w_i - w_i'|.

Statements. (1) relu is 1-Lipschitz, so the loss at x changes by at most sum_i |a_i| |w_i - w_i'| |x|, in the mean by
B |a|_1 delta <= B |a|_2 sqrt(|a|_0) delta. (2) |relu(u - b)| <= |u| + b~ for |b| = b~, so |dL/da_i| <= B (|w_i -
w_i^1| + |w_i^1|) + b~.

Reference: lines 5854-5880.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._means import MEAN, WRONG_AFFINE, affine, per_atom
from ._network import along, gradients, mean_loss, of_mean_length, unit

FIELDS = "xs ys a w moves b"
# B = B_x1, delta = max |w_i - w_i'|, q = |a|_2, k = |a|_0; W = |w_i^1|, c = b~
B, delta, q, W, c = sp.symbols("B delta q W c", positive=True)
k = sp.symbols("k", integer=True, positive=True)
CHANGE = k * (q * delta * B) ** 2
DERIVATIVE = B * (delta + W) + c


def first_layers(rng, number, B, delta, W, c):
    """Inputs of mean length B, labels, and neurons of length W with biases c in size that move by delta."""
    return {
        "xs": of_mean_length(rng, 3, B),
        "ys": [int(v) for v in rng.signs((4,))],
        "w": [along(W, unit(rng, 3)) for _ in range(number)],
        "moves": [along(delta, unit(rng, 3)) for _ in range(number)],
        "b": [int(v) * Fraction(c) for v in rng.signs((number,))],
    }


def sparse(rng, B, delta, q, k):
    """k weights of norm q, and a neuron without weight that moves too."""
    a = [*along(q, unit(rng, k)), Fraction(0)]
    return {"a": a, **first_layers(rng, k + 1, B, delta, abs(rng.rational((), 3)), Fraction(1, 9))}


def alike(rng, number, B, delta, W, c):
    """Equal neurons that are active and move alike along the only input."""
    direction = unit(rng, 2)
    return {
        "xs": [along(B, direction)],
        "ys": [1],
        "w": [along(W, direction)] * number,
        "moves": [along(delta, direction)] * number,
        "b": [-Fraction(c)] * number,
    }


def aligned(rng, B, delta, q):
    """Four of them, of equal weights below 0, and a fifth of weight 0."""
    return {"a": [-Fraction(q) / 2] * 4 + [Fraction(0)], **alike(rng, 5, B, delta, 1, 1)}


def one_moves(rng, B, delta, q, k):
    """A neuron of nearly all of the weight that moves by delta along the inputs, and k - 1 that stay."""
    small = [Fraction(q) / (8 * k)] * (k - 1)
    first = alike(rng, k, B, delta, 1, 1)
    stay = [[Fraction(0)] * len(first["moves"][0])] * (k - 1)
    large = Fraction(q) * Fraction(63, 64)  # (63/64)^2 + (k - 1)/(8 k)^2 <= 1
    return first | {"a": [-large, *small], "moves": [first["moves"][0], *stay]}


def one_bias(rng, B, delta, W, c):
    """The only neuron with a bias, below 0, beside two without one."""
    first = alike(rng, 3, B, delta, W, c)
    return first | {
        "a": [Fraction(-1), Fraction(0), Fraction(0)],
        "b": [-Fraction(c), Fraction(0), Fraction(0)],
    }


def network(rng, B, delta, W, c):
    """Three neurons of small weights."""
    return {"a": rng.rational((3,), 3), **first_layers(rng, 3, B, delta, W, c)}


def one_neuron(rng, B, delta, W, c):
    return {"a": [Fraction(-1)], **alike(rng, 1, B, delta, W, c)}


def moved(w, moves):
    return [[x + y for x, y in zip(u, v, strict=True)] for u, v in zip(w, moves, strict=True)]


def loss_change(xs, ys, a, w, moves, b):
    """The square of the change of the mean hinge loss. Shape ()."""
    after = mean_loss(xs, ys, a, moved(w, moves), b)
    return (mean_loss(xs, ys, a, w, b) - after) ** 2


def largest_derivative(xs, ys, a, w, moves, b):
    """max |dL/da_i| at w + moves. Shape ()."""
    return max(abs(v) for v in gradients(xs, ys, a, moved(w, moves), b)[1])


def runs(name, program, form, draw, lhs, **options):
    """A leg that runs networks of the sizes of a point."""
    drawn = instances(draw, FIELDS, smoke=2, standard=6)
    return leg(
        name,
        program,
        closed_form=form,
        instances=drawn,
        unit=1,
        lhs=lhs,
        required=False,
        **options,
    )


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
# a = |a|_1, m = E|x|
LARGEST = formula_leg(
    "mean length",
    typed(
        "(a*delta*m)**2 <= a**2*delta**2*B**2",
        over=["a in [0, oo)", "delta in [0, oo)", "B in [0, oo)", "m in [0, B]"],
    ),
)
WHOLE = formula_leg(
    "the change",
    typed(
        f"a**2*delta**2*B**2 <= {CHANGE}",
        over=["a in [0, oo)", "delta in [0, oo)", "B in [0, oo)", "q in [0, oo)", "k in 1..oo"],
        where="a**2 <= k*q**2",
    ),
)
# the entries that are not 0
SPARSE = formula_leg(
    "both norms",
    typed("norm(a, 1)**2 <= m*norm(a)**2", over=["m in 1..oo", "a in R^m"]),
)

FOUR = [{k: 4, B: 2, delta: 3, q: Fraction(1, 2)}]

gap = claim(
    "gradfeat-loss-gap-bound",
    states="gradfeat-loss-gap",
    title="The loss under a change of the first layer",
    says=r"$|L(\tilde a,W)-L(\tilde a,W')|\le B_{x1}\|\tilde a\|_1\delta\le B_{x1}\|\tilde a\|_2\sqrt{\|\tilde "
    r"a\|_0}\,\delta$, "
    r"$\delta=\max_i\|w_i-w_i'\|$.",
    covers="gap",
    reads={"law": "n p", "a_tilde": "a", "W": "f", "W_prime": "g"},
    domain={**dict.fromkeys((B, delta, q), reals(0, low_open=True)), k: integers(1)},
    where=k <= 9,
    grid={"smoke": [{k: 3, B: 2, delta: 1, q: Fraction(1, 2)}, {k: 1, B: 1, delta: 2, q: 1}]},
    relation=at_most(),
    legs=[
        RELU,
        NETWORK,
        LAW,
        LARGEST,
        SPARSE,
        WHOLE,
        runs("networks", loss_change, CHANGE, sparse, r"(L(\tilde a,W)-L(\tilde a,W'))^2"),
        runs(
            "equal neurons",
            loss_change,
            CHANGE,
            aligned,
            r"(L(\tilde a,W)-L(\tilde a,W'))^2",
            grid={"smoke": FOUR},
            where=k >= 4,
        ),
        runs("one moves", loss_change, CHANGE, one_moves, r"(L(\tilde a,W)-L(\tilde a,W'))^2"),
    ],
    rivals=[
        variant("without |a|_0", closed_form=CHANGE / k, leg="equal neurons"),
        variant("without the inputs' length", closed_form=CHANGE / B**2, leg="equal neurons"),
        *rivals_of(WHOLE, {"the change without |a|_0": f"a**2*delta**2*B**2 <= {CHANGE / k}"}),
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
        f"V*m + c <= {DERIVATIVE}",
        over=[
            "B in [0, oo)",
            "m in [0, B]",
            "delta in [0, oo)",
            "W in [0, oo)",
            "V in [0, delta + W]",
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
    domain=dict.fromkeys((B, delta, W, c), reals(0, low_open=True)),
    grid={
        "smoke": [{B: 2, delta: 1, W: 3, c: Fraction(1, 2)}, {B: 1, delta: 2, W: 1, c: 1}],
    },
    relation=at_most(),
    legs=[
        SIZE,
        AVERAGED,
        SPLIT,
        runs(
            "networks", largest_derivative, DERIVATIVE, network, r"\max_i|\partial L/\partial a_i|"
        ),
        runs(
            "along the input",
            largest_derivative,
            DERIVATIVE,
            one_neuron,
            r"\max_i|\partial L/\partial a_i|",
        ),
        runs(
            "one bias", largest_derivative, DERIVATIVE, one_bias, r"\max_i|\partial L/\partial a_i|"
        ),
    ],
    rivals=[
        variant("without the bias, run", closed_form=B * (delta + W), leg="along the input"),
        variant("the move alone, run", closed_form=B * delta + c, leg="along the input"),
        *rivals_of(SIZE, {"without the bias": "relu(u - b) <= abs(u)"}),
        *rivals_of(AVERAGED, WRONG_AFFINE),
        *rivals_of(SPLIT, {"the first layer's move alone": "V*m + c <= B*delta + c"}),
    ],
)
