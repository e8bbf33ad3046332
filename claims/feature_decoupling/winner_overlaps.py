r"""Lemma B.2 (e) and the first half of (f): of how many columns one neuron is a potential winner.

Setting. X_1, .., X_d are the squared coordinates of a uniform point of the unit sphere of R^d, the shares of the
columns in a row of W(0); i is in M_j if X_j >= s, s = c2 log d/d < 1; m = d^(1 + c0) rows, c2 = 2 + (2 - 3 gamma) c0.

Statements. (1) P[X_1 >= s] <= (1 - s)^((d - 1)/2): X_1 >= s means g_1^2 >= s/(1 - s) (g_2^2 + .. + g_d^2) for Gaussian
g; given the others that has probability erfc(sqrt(..)) <= e^(-s/(2 (1 - s)) (g_2^2 + ..)) at most, and the mean of
it is (1 + s/(1 - s))^(-(d - 1)/2). (2) P[X_1, .., X_k >= s] is at most the k-th power: given X_1 = x the others are 1
- x times those of the sphere of R^(d - 1), so that the chance that they pass s falls with x, and by Chebyshev's
inequality for two monotone functions of X_1 its mean over X_1 >= s is at most its mean. (3) The chance that some
neuron is in k sets M_j is at most m binom(d, k) (1 - s)^(k (d - 1)/2) <= e^(k c2/2) d^-5 for k >= (6 + c0)/((1 - 3
gamma/2) c0), free of d. (4) Rows are independent: the chance that some two columns share k potential winners is at
most d^2 binom(m, k) (1 - s)^(k (d - 1)) <= e^(k c2) d^-5 for k = 7: six at most, where the lemma has O(log d).

Reference: lines 457-459, c2 on line 425. (f) has no probability of its own; here it is that of (c) and (e).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp
from flint import arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT
from ._gaussian import BITS, number
from .sure_winners import of_the_angle, polynomial

d, k, m = sp.symbols("d k m", integer=True, positive=True)
s = sp.Symbol("s", positive=True)
CAP = (1 - s) ** ((d - 1) / sp.Integer(2))


def both(d, s):
    """P[X_1 >= s, X_2 >= s] for even d: given X_1 the other is a coordinate of a sphere of R^(d - 1). A ball."""
    with ctx.workprec(BITS):
        root, k = number(s).sqrt(), (d - 4) // 2

        def above(angle):
            return 1 - polynomial(k, root / angle.sin()) / polynomial(k, arb(1))

        return of_the_angle(d, root.asin(), root.acos(), above) / of_the_angle(d, 0, arb.pi() / 2)


def alone(d, s):
    """P[X_1 >= s]. A ball."""
    with ctx.workprec(BITS):
        end = number(s).sqrt().acos()
        return of_the_angle(d, 0, end) / of_the_angle(d, 0, arb.pi() / 2)


def two_sets(d, s):
    """P[some two shares are s at least]; no three can be, for s > 1/3. Shape ()."""
    return comb(d, 2) * both(d, s)


def sets_of_one_share(d, s):
    """As if all pairs were one share twice."""
    return comb(d, 2) * alone(d, s)


def shared_winners(d, s, m, k, chance=both):
    """P[at least k of m rows have both shares]. Shape ()."""
    with ctx.workprec(BITS):
        p = chance(d, s)
        return sum((comb(m, i) * p**i * (1 - p) ** (m - i) for i in range(k, m + 1)), arb(0))


def as_of_one_column(d, s, m, k):
    return shared_winners(d, s, m, k, chance=alone)


def a_border(rng):
    """1/3 < s < 1/2."""
    return {"d": 2 * int(rng.integers(2, 8)), "s": Fraction(int(rng.integers(34, 50)), 100)}


def a_population(rng):
    return {**a_border(rng), "m": int(rng.integers(4, 30)), "k": int(rng.integers(1, 4))}


C2 = "(2 + (2 - 3*g)*c)"
CONSTANTS = ["c in (0, oo)", "g in (0, 1/100)", "L in (0, oo)", "d in 2..oo"]


def steps(over):
    """The legs for one sphere, what they hold for."""
    return [
        formula_leg("others given", typed("erfc(x) <= exp(-x**2)", over="x in [0, oo)"), over=over),
        formula_leg(
            "one other",
            typed("E[exp(-h*u**2)] == (1 + 2*h)**(-1/2)", over=["h in (0, oo)", "u ~ N(0, 1)"]),
            over=over,
        ),
        formula_leg(
            "a share",
            typed(
                f"(1 + 2*(s/(2*(1 - s))))**(-(d - 1)/2) == {CAP}",
                over=["s in (0, 1)", "d in 2..oo"],
            ),
            over=over,
        ),
        formula_leg(
            "the other shares",
            typed("s/(1 - x) <= s/(1 - y)", over=["s in (0, 1)", "y in [0, 1)", "x in [0, y]"]),
            over=over,
        ),
        # f rises and h falls, at two values of X_1; the mean over independent ones is 2 E f h <= 2 E f E h
        formula_leg(
            "two monotone functions",
            typed(
                "f*h + F*H <= f*H + F*h", over=["f in R", "F in [f, oo)", "H in R", "h in [H, oo)"]
            ),
            over=over,
        ),
        formula_leg(
            "exponential",
            typed("(1 - s)**(d - 1) <= exp(-s*(d - 1))", over=["s in (0, 1)", "d in 2..oo"]),
            over=over,
        ),
        formula_leg(
            "subsets",
            typed(
                "binomial(n, v + 1) <= n*binomial(n, v)", over=["v in 0..oo", "n in (v + 1)..oo"]
            ),
            over=over,
        ),
    ]


def wrong_steps(legs):
    """A false neighbour of each."""
    given, other, share, others, apart, exponential, subsets = legs
    return [
        *rivals_of(given, {"half of it": "erfc(x) <= exp(-x**2)/2"}),
        *rivals_of(other, {"1 + h": "E[exp(-h*u**2)] == (1 + h)**(-1/2)"}),
        *rivals_of(share, {"d for d - 1": f"(1 + 2*(s/(2*(1 - s))))**(-d/2) == {CAP}"}),
        *rivals_of(others, {"grows": "s/(1 - x) >= s/(1 - y)"}),
        *rivals_of(
            apart, {"both rise": {"over": ["f in R", "F in [f, oo)", "H in R", "h in (-oo, H]"]}}
        ),
        *rivals_of(exponential, {"twice": "(1 - s)**(d - 1) <= exp(-2*s*(d - 1))"}),
        *rivals_of(subsets, {"one less": "binomial(n, v + 1) <= n*binomial(n, v)/(v + 2)"}),
    ]


ONE_ROW = steps("i")
EXPONENT = formula_leg(
    "some neuron",
    typed(
        f"(1 + c)*L + k*L - k*{C2}*L*(d - 1)/(2*d) <= -5*L + k*{C2}*L/(2*d)",
        over=[*CONSTANTS, "k in [(6 + c)/((1 - 3*g/2)*c), oo)"],
    ),
    over="i",
)
CONSTANT = formula_leg(
    "of order d^-5",
    typed(
        f"k*{C2}*log(d)/(2*d) <= k*{C2}/2",
        over=["c in (0, oo)", "g in (0, 1/100)", "k in (0, oo)", "d in 2..oo"],
    ),
    over="i",
)

per_neuron = claim(
    "decoupling-sets-of-a-neuron",
    lhs=r"\Pr[\#\{j:i\in\mathcal M_j\}\ge k]",
    tex=r"\tbinom dk(1-s)^{k(d-1)/2}",
    states="decoupling-init-properties",
    title="Columns of which a neuron is a potential winner",
    says=r"With probability $1-e^{kc_2/2}d^{-5}$ every neuron is in fewer than $k$ sets $\mathcal M_j$, for any "
    r"$k\ge\frac{6+c_0}{(1-3\gamma/2)c_0}$.",
    covers="per-neuron",
    reads={"O": "k"},
    **ONE_POINT,
    legs=[
        leg(
            "integrated, k = 2",
            two_sets,
            closed_form=d * (d - 1) / 2 * CAP**2,
            relation=at_most(),
            required=False,
            lhs=r"\Pr[\#\{j:i\in\mathcal M_j\}\ge2]",
            tex=r"\tbinom d2(1-s)^{d-1}",
            instances=instances(a_border, "d s", smoke=4, standard=12),
        ),
        *ONE_ROW,
        EXPONENT,
        CONSTANT,
    ],
    rivals=[
        variant("of one share", simulation=sets_of_one_share, leg="integrated, k = 2"),
        variant(
            "the cap of one more dimension",
            closed_form=d * (d - 1) / 2 * (1 - s) ** (2 * d),
            leg="integrated, k = 2",
        ),
        *wrong_steps(ONE_ROW),
        *rivals_of(EXPONENT, {"k = 6/c0": {"over": [*CONSTANTS, "k in [6/c, oo)"]}}),
        *rivals_of(CONSTANT, {"a ninth": f"k*{C2}*log(d)/(2*d) <= k*{C2}/18"}),
    ],
)

PAIR = steps("W_0 j j_prime")
SEVEN = formula_leg(
    "some pair",
    typed(
        f"2*L + k*(1 + c)*L - k*{C2}*L*(d - 1)/d <= -5*L + k*{C2}*L/d",
        over=[*CONSTANTS, "k in 7..oo"],
    ),
    over="W_0 j j_prime",
)
ORDER = formula_leg(
    "of order d^-5",
    typed(
        f"k*{C2}*log(d)/d <= k*{C2}",
        over=["c in (0, oo)", "g in (0, 1/100)", "k in 7..oo", "d in 2..oo"],
    ),
    over="W_0 j j_prime",
)

overlap = claim(
    "decoupling-shared-winners",
    lhs=r"\Pr[|\mathcal M_j\cap\mathcal M_{j'}|\ge k]",
    tex=r"\tbinom mk(1-s)^{k(d-1)}",
    states="decoupling-init-properties",
    title="Potential winners that two columns share",
    says=r"With probability $1-e^{7c_2}d^{-5}$ no two columns share more than six potential winners.",
    covers="overlap",
    **ONE_POINT,
    legs=[
        leg(
            "integrated",
            shared_winners,
            closed_form=sp.binomial(m, k) * CAP ** (2 * k),
            relation=at_most(),
            lhs=r"\Pr[|\mathcal M_j\cap\mathcal M_{j'}|\ge k]",
            tex=r"\tbinom mk(1-s)^{k(d-1)}",
            required=False,
            instances=instances(a_population, "d s m k", smoke=4, standard=12),
        ),
        *PAIR,
        SEVEN,
        ORDER,
    ],
    rivals=[
        variant("of one column", simulation=as_of_one_column, leg="integrated"),
        variant(
            "three times the exponent",
            closed_form=sp.binomial(m, k) * CAP ** (6 * k),
            leg="integrated",
        ),
        *wrong_steps(PAIR),
        *rivals_of(SEVEN, {"k = 6": {"over": [*CONSTANTS, "k in 6..oo"]}}),
        *rivals_of(ORDER, {"a ninth": f"k*{C2}*log(d)/d <= k*{C2}/9"}),
    ],
)
