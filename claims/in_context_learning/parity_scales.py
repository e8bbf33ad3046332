"""Proof of Theorem 5.5.1, items (1) to (4): the smallest scales inside the bit family, and the threshold on p_T.

Setting. The bit network of `parity_construction` with negative heads scaled by c_- and positive ones by c_+; its
margins are c_- H on y = -1 and c_+ - c_- (nu - H) on y = 1, H = 1 .. nu.

Statements. The hinge loss vanishes on all tasks iff c_- >= 1 and c_+ >= 1 + (nu - 1) c_-: a region with the least
element (1, nu), the printed scales. The printed bound on p_T says that one pattern of an important task outweighs
all patterns of the others together, with the weights that the proof uses; with the true weights it implies the same
for k <= d/2.

Reference: proof of Theorem 5.5.1, appendix D.3.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    between,
    claim,
    counts,
    equals,
    formula,
    formula_leg,
    integers,
    leg,
    reals,
    typed,
    variant,
)

from ._parity import bit_network, smallest_margin

nu = sp.symbols("nu", integer=True, positive=True)


# ---- the smallest scales inside the family

cm, cp = sp.symbols("c_minus c_plus", positive=True)


def solves(nu, c_minus, c_plus):
    """Whether the scaled bit network has zero hinge loss on all tasks, 0 or 1. Shape ()."""
    heads = bit_network(nu, 2**nu, positive=Fraction(c_plus), negative=Fraction(c_minus))
    return smallest_margin(heads, 2**nu) >= 1


FRACTIONS = [Fraction(1, 2), Fraction(999, 1000), 1, Fraction(1001, 1000), 2]
scale_tight = claim(
    "icl-parity-scale-tight",
    lhs=r"\mathbf{1}[\forall i,j,\phi:\ y\,g\ge1]",
    tex=r"\mathbf{1}[c_-\ge1,\ c_+\ge1+(\nu-1)\,c_-]",
    title="Smallest scales inside the bit family",
    says="The bit network with negatives scaled by $c_-$ and positives by $c_+$ has zero hinge loss "
    r"iff $c_- \ge1$ and $c_+ \ge1 + (\nu- 1) c_-$.",
    covers="zero-loss-region",
    domain={nu: integers(1), cm: reals(0, low_open=True), cp: reals(0, low_open=True)},
    grid={
        "smoke": {
            nu: [1, 2, 3],
            cm: FRACTIONS,
            cp: [*FRACTIONS, Fraction(2999, 1000), 3, Fraction(3002, 1000), 5],
        },
        "standard": {
            nu: [1, 2, 3, 4],
            cm: [*FRACTIONS, Fraction(3, 2)],
            cp: [*FRACTIONS, *(n + Fraction(x, 1000) for n in (2, 3, 4) for x in (-1, 0, 3)), 8],
        },
    },
    closed_form=sp.Piecewise((1, sp.And(cm >= 1, cp >= 1 + (nu - 1) * cm)), (0, True)),
    relation=counts(),
    mutate=False,  # a condition: its rivals are the other conditions below
    legs=[leg("every task", solves)],
    rivals=[
        variant("c_+ >= nu", closed_form=sp.Piecewise((1, sp.And(cm >= 1, cp >= nu)), (0, True))),
        variant(
            "c_- > 1 strictly",
            closed_form=sp.Piecewise((1, sp.And(cm > 1, cp >= 1 + (nu - 1) * cm)), (0, True)),
        ),
        variant(
            "c_+ >= 1 + nu c_-",
            closed_form=sp.Piecewise((1, sp.And(cm >= 1, cp >= 1 + nu * cm)), (0, True)),
        ),
    ],
)


# cm and cp are the two scales.
least_scales = formula(
    "icl-parity-scale-least",
    states="icl-parity-scale-tight",
    title="The printed scales are the least",
    says="cp >= nu and 1*H >= 1 and nu - 1*(nu - H) >= 1",
    over=["nu in 1..oo", "H in 1..nu", "cm in [1, oo)", "cp in [1 + (nu - 1)*cm, oo)"],
    role="reading",
    covers="least-scales",
    encodes="proxy",  # the margins are typed, as in `every_size_margins`
    rivals={
        "nu + 1": "cp >= nu + 1",
        "tasks with equal codes": {
            "over": ["nu in 1..oo", "H in 0..nu", "cm in [1, oo)", "cp in [1 + (nu - 1)*cm, oo)"]
        },
    },
)


# ---- the threshold on p_T

g, p = sp.symbols("g p", positive=True)
D = sp.symbols("D", integer=True, positive=True)


def outweighs(D, g, p):
    """Whether one S1 pattern outweighs all S2 patterns with the proof's weights, 0 or 1. Shape ()."""
    pairs, quarter = Fraction(D * (D - 1), 2), Fraction(1, 4)
    return pairs * p * (quarter + g) < (1 - p) * (quarter - g)


def largest_pt(D, g):
    """Supremum of the p_T that satisfy the ordering, enclosed by exact bisection. Shape ()."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if outweighs(D, g, middle) else (low, middle)
    return between(low, high)


printed = (sp.Rational(1, 4) - g) / (
    D * (D - 1) / 2 * (sp.Rational(1, 4) + g) + sp.Rational(1, 4) - g
)
pt_threshold = claim(
    "icl-parity-pt-threshold",
    lhs=r"\sup p_T",
    tex=r"\frac{\frac14-g}{\frac{D(D-1)}2\big(\frac14+g\big)+\frac14-g}",
    title="The threshold on the probability of the other tasks",
    says="One important pattern outweighs all others together exactly for $p_T$ below the printed "
    "threshold.",
    encodes="part",
    domain={D: integers(2), g: reals(0, Fraction(1, 4), low_open=True, high_open=True)},
    grid={
        "smoke": {D: [2, 4, 8, 16], g: [Fraction(1, 10), Fraction(1, 5), Fraction(1, 40)]},
        "standard": {D: [2, 4, 8, 16, 64], g: [Fraction(x, 40) for x in range(1, 10)]},
    },
    closed_form=printed,
    relation=equals(),
    legs=[leg("bisection", largest_pt)],
    rivals=[
        variant("d^2 for d(d-1)/2", closed_form=printed.subs(D * (D - 1) / 2, D**2)),
        variant(
            "(d-1)^2/2 for d(d-1)/2", closed_form=printed.subs(D * (D - 1) / 2, (D - 1) ** 2 / 2)
        ),
    ],
)

PT = "(1/4 - g)/(d*(d - 1)/2*(1/4 + g) + 1/4 - g)"
WEIGHTS = "d*(d - 1)/2*p*(1/4 + g) < (1 - p)*(1/4 - g)"
PAIR = ["d in 2..oo", "g in (0, 1/4)", "p in [0, 1]"]
SHARE = ["e in (0, 1/4)", "p in [0, 1]", "K in [1, oo)", "X in [K, oo)"]
threshold = claim(
    "icl-parity-pt-equivalence",
    states="icl-parity-pt-threshold",
    title="What the printed threshold is equivalent to, and what it implies",
    says=r"$p$ is below the printed bound if and only if $\binom{d}{2} p(1/4 + g) < (1 - p)(1/4 - "
    r"g)$; for $k \le d/2$ this implies that $(1 - p)(1/4 - g) \cdot 2/(k(k - 1)) > p$.",
    role="reading",
    covers="equivalence implies-intended-ordering",
    legs=[
        formula_leg(
            "below the bound", typed(WEIGHTS, over=PAIR, where=f"p < {PT}"), covers="equivalence"
        ),
        formula_leg("and back", typed(f"p < {PT}", over=PAIR, where=WEIGHTS), covers="equivalence"),
        formula_leg(
            "pairs of twice as many features",
            typed(
                "(2*k + m)*(2*k + m - 1)/2*(1/4 + g) >= k*(k - 1)/2",
                over=["k in 2..oo", "m in 0..oo", "g in (0, 1/4)"],
            ),
            covers="implies-intended-ordering",
            over="g k",
        ),
        formula_leg(
            "with the true weights",
            typed("p*X >= p*K", over=SHARE),
            covers="implies-intended-ordering",
            over="p",
        ),
    ],
    rivals=[
        variant(
            "d^2 for d(d-1)/2",
            leg="and back",
            simulation=typed(f"p < {PT}".replace("d*(d - 1)/2", "d**2"), over=PAIR, where=WEIGHTS),
        ),
        variant(
            "at the bound as well",
            leg="below the bound",
            simulation=typed(WEIGHTS, over=PAIR, where=f"p <= {PT}"),
        ),
        variant(
            "k up to d",
            leg="pairs of twice as many features",
            simulation=typed(
                "(k + m)*(k + m - 1)/2*(1/4 + g) >= k*(k - 1)/2",
                over=["k in 2..oo", "m in 0..oo", "g in (0, 1/4)"],
            ),
        ),
    ],
)
