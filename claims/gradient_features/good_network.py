r"""Lemma 3.14 = Lemma B.6: what the constructed second layer costs.

Setting. eps_a = B_x1 B_b/(sqrt(mp) B_G B_eps), gap = r B_a1 (B_x1 eps_a + B_x1 sqrt(2 gamma) + B_eps).

Statements. (1) Over B_eps > 0 the least gap is sqrt 2 r B_a1 B_x1 (sqrt gamma + sqrt(2 B_b/(sqrt(mp) B_G))), at B_eps
= B_x1 (mp)^(-1/4) sqrt(B_b/B_G): A/B + B >= 2 sqrt A. (2) Of the at least sqrt(mp) neurons of a feature that fit,
keep N = ceil(sqrt(mp)), each with weight a_j c_j/(N b~), c_j <= B_b: r N <= 2 r sqrt(mp) for mp >= 1 weights are not
0, the largest is at most B_a1 B_b/(b~ sqrt(mp)), and sum_j N (a_j c_j/(N b~))^2 <= B_a2^2 B_b^2/(b~^2 sqrt(mp)):
constants 2, 1 and 1. The proof keeps all that fit, whose number is not bounded above.

Reference: lines 937-941, 5670-5752.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    leg,
    reaching,
    rivals_of,
    typed,
    variant,
)

# r is r B_a1: both stand before everything
POSITIVE = [f"{name} in (0, oo)" for name in ("m", "p", "r", "Bx1", "Bb", "BG", "gamma")]
LEAST = "sqrt(2)*r*Bx1*(sqrt(gamma) + sqrt(2*Bb/(sqrt(m*p)*BG)))"
GAP = "r*(Bx1*(Bx1*Bb/(sqrt(m*p)*BG*{e})) + Bx1*sqrt(2*gamma) + {e})"
BEST = "(Bx1*(m*p)**(-1/4)*sqrt(Bb/BG))"

VALUE = formula_leg("at the minimiser", typed(f"{GAP.format(e=BEST)} == {LEAST}", over=POSITIVE))
# e is the width of the window
NOWHERE = formula_leg(
    "nowhere less",
    typed(f"{GAP.format(e='e')} >= {LEAST}", over=[*POSITIVE, "e in (0, oo)"]),
)


def parameters(rng):
    """Parameters of the lemma: mp = q^4, B_b = k^2 B_G, gamma = 2 h^2, so that every root is rational."""
    q, k, h, Ba1, Bx1, BG = (abs(v) + Fraction(1, 5) for v in rng.rational((6,), 4))
    return {"q": q, "k": k, "h": h, "r": int(rng.integers(1, 6)), "Ba1": Ba1, "Bx1": Bx1, "BG": BG}


def gap(width, q, k, h, r, Ba1, Bx1, BG):
    """r B_a1 (B_x1 eps_a + B_x1 sqrt(2 gamma) + B_eps), with p = 1/2. Shape ()."""
    p = Fraction(1, 2)
    m = q**4 / p
    root = (m * p) / q**2  # sqrt(mp)
    eps_a = Bx1 * (k**2 * BG) / (root * BG * width)
    return r * Ba1 * (Bx1 * eps_a + Bx1 * 2 * h + width)


def least_gap(q, k, h, r, Ba1, Bx1, BG):
    """The least gap over widths B_x1 (mp)^(-1/4) sqrt(B_b/B_G) times 1/8, 2/8, ..., 3. Shape ()."""
    best = Bx1 / q * k
    widths = [best * Fraction(i, 8) for i in range(1, 25)]
    return min(gap(width, q, k, h, r, Ba1, Bx1, BG) for width in widths)


def optimum(q, k, h, r, Ba1, Bx1, BG):
    """sqrt 2 r B_a1 B_x1 (sqrt gamma + sqrt(2 B_b/(sqrt(mp) B_G))), of roots 2 h and 2 k/q. Shape ()."""
    return r * Ba1 * Bx1 * (2 * h + 2 * k / q)


def with_one_term(q, k, h, r, Ba1, Bx1, BG):
    return r * Ba1 * Bx1 * (2 * h + k / q)


WIDTHS = leg(
    "widths",
    least_gap,
    reference=optimum,
    instances=instances(parameters, "q k h r Ba1 Bx1 BG", smoke=4, standard=12),
    lhs=r"\min_{B_\epsilon}\mathrm{gap}",
    tex=r"\sqrt2\,rB_{a1}B_{x1}\big(\sqrt\gamma+\sqrt{2B_b/(\sqrt{mp}B_G)}\big)",
    required=False,
)

optimised = claim(
    "gradfeat-good-network-optimised",
    states="gradfeat-good-network",
    title="The best width of the bias window",
    says=r"$\min_{B_\epsilon}\mathrm{gap}=\sqrt2\,rB_{a1}B_{x1}\big(\sqrt\gamma+\sqrt{2B_b/(\sqrt{mp}B_G)}\big)$ "
    r"at $B_\epsilon="
    r"B_{x1}(mp)^{-1/4}\sqrt{B_b/B_G}$.",
    covers="optimised-form",
    reads={"B_star": "r Bx1 Bb BG"},
    legs=[VALUE, NOWHERE, WIDTHS],
    rivals=[
        variant("one of the two terms", reference=with_one_term, leg="widths"),
        *rivals_of(
            VALUE,
            {
                "B_b for 2 B_b": f"{GAP.format(e=BEST)} == "
                "sqrt(2)*r*Bx1*(sqrt(gamma) + sqrt(Bb/(sqrt(m*p)*BG)))",
                "(mp)^(-1/2)": f"{GAP.format(e='(Bx1*(m*p)**(-1/2)*sqrt(Bb/BG))')} == {LEAST}",
            },
        ),
        *rivals_of(
            NOWHERE,
            {"5/2": f"{GAP.format(e='e')} >= r*Bx1*(sqrt(2*gamma) + 5*sqrt(Bb/(sqrt(m*p)*BG))/2)"},
        ),
        # a width that the window does not have room for counts, and so does a short one
        *reaching(NOWHERE, "e > 100*Bb", "100*e < Bb"),
    ],
)


def two():
    """The constant of the count."""
    return 2


def one():
    """The constant of both norms."""
    return 1


# x is sqrt(mp), q is mp
COUNT = formula_leg(
    "count",
    typed("ceil(x) <= x + 1 and r*(x + 1) <= 2*r*x", over=["r in 1..oo", "x in [1, oo)"]),
    gives="C a_tilde",
    chosen_by=two,
)

count = claim(
    "gradfeat-good-network-count",
    states="gradfeat-good-network",
    title="The number of neurons that are kept",
    says=r"$r\lceil\sqrt{mp}\rceil\le2r\sqrt{mp}$ for $mp\ge1$.",
    covers="sparsity",
    reads={"m": "x", "p": "x"},
    legs=[COUNT],
    rivals=rivals_of(
        COUNT,
        {
            "constant 3/2": "ceil(x) <= x + 1 and r*(x + 1) <= 3*r*x/2",
            "mp below 1": {"over": ["r in 1..oo", "x in (0, oo)"]},
        },
    ),
)

# q is mp, and sqrt(q) + e >= sqrt(q) neurons are kept
SUP = formula_leg(
    "largest weight",
    typed(
        "a*c/((sqrt(q) + e)*b) <= Ba1*Bb/(b*sqrt(q))",
        over=[
            "q in (0, oo)",
            "e in [0, oo)",
            "b in (0, oo)",
            "Ba1 in (0, oo)",
            "Bb in (0, oo)",
            "a in [0, Ba1]",
            "c in [0, Bb]",
        ],
    ),
    gives="C",
    chosen_by=one,
)
# A2 = sum_j a_j^2 <= B_a2^2, N = sqrt(q) + e weights a_j c_j/(N b) for each j
SQUARES = formula_leg(
    "sum of squares",
    typed(
        "(sqrt(q) + e)*A2*Bb**2/((sqrt(q) + e)*b)**2 <= A2*Bb**2/(b**2*sqrt(q))",
        over=[
            "q in (0, oo)",
            "e in [0, oo)",
            "b in (0, oo)",
            "Bb in (0, oo)",
            "A2 in (0, oo)",
        ],
    ),
)


def second_layer(a, c, x, b):
    """The weights that are not 0: for each feature j, N = ceil(x) neurons with a_j c_j/(N b); x is sqrt(mp)."""
    N = ceil(x)
    return [u * v / (N * b) for u, v in zip(a, c, strict=True) for _ in range(N)]


def squared_norms(a, c, x, b):
    """The squares of both norms. Length 2."""
    squares = [v * v for v in second_layer(a, c, x, b)]
    return [max(squares), sum(squares)]


def squared_bounds(a, c, x, b, power=1):
    """(B_a1 B_b/(b sqrt(mp)))^2 and B_a2^2 B_b^2/(b^2 sqrt(mp)). Length 2."""
    Bb = max(c)
    largest = max(abs(v) for v in a)
    return [(largest * Bb / (b * x)) ** 2, sum(v * v for v in a) * Bb**2 / (b**2 * x**power)]


def like_the_other(a, c, x, b):
    """With 1/(mp) in the second."""
    return squared_bounds(a, c, x, b, power=2)


def class_member(rng):
    """Weights of three features, |b*_j| or B_eps of each, sqrt(mp) and the bias."""
    return {
        "a": [v or Fraction(1) for v in rng.rational((3,), 4)],
        "c": [abs(v) + Fraction(1, 9) for v in rng.rational((3,), 4)],
        "x": 1 + abs(rng.rational((), 3)) * int(rng.integers(1, 9)),
        "b": abs(rng.rational((), 4)) + Fraction(1, 5),
    }


BUILT = leg(
    "second layers",
    squared_norms,
    reference=squared_bounds,
    instances=instances(class_member, "a c x b", smoke=6, standard=20),
    unit=1,
    lhs=r"\big(\|\tilde a\|_\infty^2,\ \|\tilde a\|_2^2\big)",
    tex=r"\Big(\frac{B_{a1}^2B_b^2}{\tilde b^2mp},\ \frac{B_{a2}^2B_b^2}{\tilde b^2\sqrt{mp}}\Big)",
    gives="a_tilde",
    chosen_by=second_layer,
)

norms = claim(
    "gradfeat-good-network-norms",
    states="gradfeat-good-network",
    title="Norms of the sparse second layer",
    says=r"$\|\tilde a\|_\infty\le\frac{B_{a1}B_b}{\tilde b\sqrt{mp}}$ and $\|\tilde "
    r"a\|_2\le\frac{B_{a2}B_b}{\tilde b(mp)"
    r"^{1/4}}$.",
    covers="norms",
    reads={"m": "q", "p": "q"},
    relation=at_most(),
    legs=[SUP, SQUARES, BUILT],
    rivals=[
        variant("1/(mp) for both squares", reference=like_the_other, leg="second layers"),
        *rivals_of(SUP, {"1/(mp)": "a*c/((sqrt(q) + e)*b) <= Ba1*Bb/(b*q)"}),
        *rivals_of(
            SQUARES,
            {
                "norm like 1/(mp)": "(sqrt(q) + e)*A2*Bb**2/((sqrt(q) + e)*b)**2 <= A2*Bb**2/(b**2*q)"
            },
        ),
    ],
)

# x is sqrt(mp), N = x + e neurons are kept
WEIGHTS = ["x in [1, oo)", "e in [0, oo)", "b in (0, oo)", "Bb in (0, oo)"]
KEPT = formula_leg("count", COUNT.simulation, gives="O a_tilde", chosen_by=two)
LARGEST = formula_leg(
    "largest weight",
    typed(
        "a*c/((x + e)*b) <= Ba1*Bb/(b*x)",
        over=[*WEIGHTS, "Ba1 in (0, oo)", "a in [0, Ba1]", "c in [0, Bb]"],
    ),
    gives="O a_tilde",
    chosen_by=one,
)
SUM = formula_leg(
    "sum of squares",
    typed("(x + e)*A2*Bb**2/((x + e)*b)**2 <= A2*Bb**2/(b**2*x)", over=[*WEIGHTS, "A2 in (0, oo)"]),
    gives="O a_tilde",
    chosen_by=one,
)

sup_norms = claim(
    "gradfeat-good-network-sup-norms",
    states="gradfeat-good-network-infnorm",
    title="Count and norms of the second layer, features in the sup norm",
    says=r"$\|\tilde a\|_0\le2r\sqrt{mp}$, $\|\tilde a\|_\infty\le\frac{B_{a1}B_b}{\tilde b\sqrt{mp}}$ and "
    r"$\|\tilde a\|_2\le\frac{B_{a2}B_b}{\tilde b(mp)^{1/4}}$ for $mp\ge1$: how near a neuron is to its feature does "
    r"not enter.",
    covers="norms",
    reads={"m": "x", "p": "x"},
    legs=[KEPT, LARGEST, SUM],
    rivals=[
        *rivals_of(
            KEPT,
            {
                "mp below 1": {"over": ["r in 1..oo", "x in (0, oo)"]},
                "constant 3/2": "ceil(x) <= x + 1 and r*(x + 1) <= 3*r*x/2",
            },
        ),
        *rivals_of(LARGEST, {"1/(mp)": "a*c/((x + e)*b) <= Ba1*Bb/(b*x**2)"}),
        *rivals_of(
            SUM, {"norm like 1/(mp)": "(x + e)*A2*Bb**2/((x + e)*b)**2 <= A2*Bb**2/(b**2*x**2)"}
        ),
    ],
)
