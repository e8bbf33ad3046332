r"""How many columns a neuron meets with more than (log d)^(1/4)/sqrt d of its norm (Theorem C.1, Lemma B.2 (f)).

Setting. At the start <w, M_j> = sigma_0 g_j with independent standard Gaussian g_j; at T1 the share F of the squared
norm is in the span, and the columns have kept their proportions: a column is counted with probability P[|g| >= (log
d)^(1/4)/ sqrt F] = erfc(y/sqrt(2 F)), y^2 = sqrt(log d) (F = 1 for the lemma).

Statements. Printed: at most O(2^-y^2) d columns. (1) For F <= 1/(2 log 2) = 0.721... the mean share of the columns is
at most 2^-y^2; T1 as section C defines it, where the theorem stands, has such an F, that of A.2 too. (2) For F = 1, to
which T1 of the main text tends, it is false for every constant: the share is at least sqrt(2/pi) y/(1 + y^2)
e^(-y^2/2), which over 2^-y^2 grows without bound, e^(-1/2) > 1/2. (3) With sqrt(2 log 2) (log d)^(1/4) or more for the
threshold the line holds for F = 1: the lemma leaves its constant open.

Reference: lines 459 and 567. [3] is quoted for it.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT
from ._gaussian import BITS, gate, mean_of, number


def chance(F, d, scale=1):
    """P[g^2 F >= scale^2 sqrt(log d)] of one column, by integration; F the share of the norm in the span. Shape ()."""
    with ctx.workprec(BITS):
        border = number(scale) * arb(d).log().root(4) / number(F).sqrt()
        return mean_of(gate(border), 0, 1)


def share_over_power(F, d):
    """Mean share of the columns that are counted, over 2^-sqrt(log d). Shape ()."""
    with ctx.workprec(BITS):
        return chance(F, d) * arb(2) ** arb(d).log().sqrt()


def sizes_below(rng):
    """F <= 1/(2 log 2) = 0.721..."""
    return {"F": Fraction(int(rng.integers(50, 73)), 100), "d": 10 ** int(rng.integers(50, 150))}


def as_if_all_of_it(F, d):
    return chance(1, d)


F, d, c = sp.symbols("F d c", positive=True)
SHARE = sp.erfc(sp.log(d) ** sp.Rational(1, 4) / sp.sqrt(2 * F))

MEAN = formula_leg(
    "mean share",
    typed(f"{SHARE} <= 2**(-sqrt(log(d)))", over=["F in (0, 1/(2*log(2))]", "d in (1, oo)"]),
    over="i O",
)
OF_C = formula_leg(
    "F of section C",
    typed(
        "1 - (2 + 2*(1 - g)*k)/(2*(1 + g*k) + (2 + 2*(1 - g)*k)) <= 1/(2*log(2))",
        over=["k in (0, 1/2]", "g in (0, 1/100)"],
    ),
    over="i O",
)
OF_A2 = formula_leg(
    "F of A.2",
    typed(
        "1 - (2 + 2*(1 - g)*k)/(2*(1 + k) + (2 + 2*(1 - g)*k)) <= 1/(2*log(2))",
        over=["k in (0, 1/2]", "g in (0, 1/100)"],
    ),
    over="i O",
)

at_t1 = claim(
    "decoupling-mid-count",
    states="decoupling-stage1-theorem",
    title="Columns of middle size, T1 of section C",
    says=r"For $F\le\frac1{2\log2}$, as at $T_1$ of section C, the mean share of columns with $|\langle "
    r"w,M_j\rangle|\ge\frac{\log^{1/4}d}{\sqrt d}\|w\|$ is at most $2^{-\sqrt{\log d}}$.",
    covers="mid-count",
    **ONE_POINT,
    legs=[
        leg(
            "share of the columns",
            chance,
            closed_form=SHARE,
            lhs=r"\Pr[Fg^2\ge\sqrt{\log d}]",
            tex=r"\mathrm{erfc}\frac{\log^{1/4}d}{\sqrt{2F}}",
            required=False,
            instances=instances(sizes_below, "F d", smoke=4, standard=8),
        ),
        MEAN,
        OF_C,
        OF_A2,
    ],
    rivals=[
        variant(
            "all of the norm in the span", simulation=as_if_all_of_it, leg="share of the columns"
        ),
        *rivals_of(MEAN, {"F = 1": {"over": ["F in (0, 1]", "d in (1, oo)"]}}),
        *rivals_of(OF_C, {"F of the main text": "1 - (g*k)**2 <= 1/(2*log(2))"}),
        *rivals_of(OF_A2, {"1/2": "1 - (2 + 2*(1 - g)*k)/(2*(1 + k) + (2 + 2*(1 - g)*k)) <= 1/2"}),
    ],
)

# m is 2^-y^2 d, which grows with d; the count is at least 2 m with probability (e/4)^m at most
ONE = formula_leg(
    "one column",
    typed("1 - p + p*exp(s) <= exp(p*(exp(s) - 1))", over=["p in [0, 1]", "s in R"]),
    over="i",
)
TWICE = formula_leg(
    "exponent at s = log 2",
    typed("m*(exp(log(2)) - 1) - 2*m*log(2) == m*(1 - log(4))", over="m > 0 real"),
    over="i",
)
ABOVE = sp.erfc(c * sp.log(d) ** sp.Rational(1, 4) / sp.sqrt(2))
RAISED = formula_leg(
    "sqrt(2 log 2) for the threshold",
    typed(f"{ABOVE} <= 2**(-sqrt(log(d)))", over=["c in [sqrt(2*log(2)), oo)", "d in (1, oo)"]),
    over="i",
)


def one_column(c, d):
    """P[|g| >= c (log d)^(1/4)], by integration. Shape ()."""
    return chance(1, d, c)


def a_threshold(rng):
    return {"c": Fraction(int(rng.integers(3, 9)), 3), "d": 10 ** int(rng.integers(1, 30))}


def once_more(c, d):
    return chance(2, d, c)


def too_many(d):
    """P[at least 2 m of d independent columns are counted], m = 2^-sqrt(log d) d, at the threshold sqrt(2 log 2).
    Shape ()."""
    with ctx.workprec(BITS):
        p = chance(1, d, scale=(2 * arb(2).log()).sqrt())
        least = int((2 * d * arb(2) ** -arb(d).log().sqrt()).ceil().unique_fmpz())
        return sum((comb(d, k) * p**k * (1 - p) ** (d - k) for k in range(least, d + 1)), arb(0))


def level(d, base=4):
    """(e/4)^m. Shape ()."""
    with ctx.workprec(BITS):
        return (d * arb(2) ** -arb(d).log().sqrt() * (1 - arb(base).log())).exp()


def rarer(d):
    return level(d, base=64)


def a_dimension(rng):
    return {"d": int(rng.integers(10, 60))}


at_start = claim(
    "decoupling-mid-size",
    lhs=r"\Pr[\#\ge2m]",
    tex="(e/4)^m",
    states="decoupling-init-properties",
    title="Columns of middle size at the start",
    says=r"With $c=\sqrt{2\log2}$ at most $2\cdot2^{-\sqrt{\log d}}d$ columns have $|\langle w,M_j\rangle|\ge "
    r"c\,\sigma_0\log^{1/4}d$, with probability $1-(e/4)^{2^{-\sqrt{\log d}}d}$.",
    covers="mid-size",
    **ONE_POINT,
    legs=[
        leg(
            "one column's chance",
            one_column,
            closed_form=ABOVE,
            lhs=r"\Pr[|g|\ge c\log^{1/4}d]",
            tex=r"\mathrm{erfc}\frac{c\log^{1/4}d}{\sqrt2}",
            required=False,
            instances=instances(a_threshold, "c d", smoke=4, standard=8),
        ),
        leg(
            "counted columns",
            too_many,
            reference=level,
            relation=at_most(),
            required=False,
            instances=instances(a_dimension, "d", smoke=4, standard=8),
        ),
        RAISED,
        ONE,
        TWICE,
    ],
    rivals=[
        variant("twice the variance", simulation=once_more, leg="one column's chance"),
        variant("(e/64)^m", reference=rarer, leg="counted columns"),
        *rivals_of(RAISED, {"from 1 on": {"over": ["c in [1, oo)", "d in (1, oo)"]}}),
        *rivals_of(ONE, {"half the exponent": "1 - p + p*exp(s) <= exp(p*(exp(s) - 1)/2)"}),
        *rivals_of(TWICE, {"(e/8)^m": "m*(exp(log(2)) - 1) - 2*m*log(2) == m*(1 - log(8))"}),
    ],
)

TAIL = formula_leg(
    "tail",
    typed("erfc(y/sqrt(2)) >= sqrt(2/pi)*y/(1 + y**2)*exp(-y**2/2)", over="y in (0, oo)"),
    over="i O d",
)
# x = y^2, y/(1 + y^2) >= 1/(2 y) >= 1/(2 x) for x >= 1
RATE = formula_leg(
    "exponent", typed("exp((log(2) - 1/2)*x)/(2*x) >= x/120", over="x in [1, oo)"), over="i O d"
)
PART = formula_leg("factor", typed("y/(1 + y**2) >= 1/(2*y**2)", over="y in [1, oo)"), over="i O d")

of_main = claim(
    "decoupling-mid-count-main",
    states="decoupling-stage1-theorem",
    title="Columns of middle size, T1 of the main text",
    says=r"At most $C2^{-\sqrt{\log d}}d$ columns have $|\langle w,M_j\rangle|\ge\frac{\log^{1/4}d}{\sqrt d}\|w\|$ for "
    r"$F\to1$.",
    role="variant",
    covers="mid-count",
    expect="fail",
    # whatever C is, the quotient passes it where x passes 120 C
    legs=[
        formula_leg(
            "some constant",
            typed(
                "exp((log(2) - 1/2)*x)/(2*x) <= C",
                over=["C in (0, oo)", "x in [Max(1, 120*C + 1), oo)"],
            ),
            over="i O d",
        )
    ],
)


def growing(F, d, part=120):
    """sqrt(2/pi) sqrt(log d)/120. Shape ()."""
    with ctx.workprec(BITS):
        return (2 / arb.pi()).sqrt() * arb(d).log().sqrt() / part


def by_more(F, d):
    return growing(F, d, part=1)


def all_of_it(rng):
    return {"F": Fraction(1), "d": 10 ** int(rng.integers(1, 30))}


diverges = claim(
    "decoupling-mid-count-diverges",
    lhs=r"2^{\sqrt{\log d}}\Pr[g^2\ge\sqrt{\log d}]",
    tex=r"\sqrt{\tfrac2\pi}\,\tfrac{\sqrt{\log d}}{120}",
    states="decoupling-stage1-theorem",
    title="No constant does in the limit",
    says=r"For $F=1$ the share over $2^{-\sqrt{\log d}}$ is at least $\sqrt{2/\pi}\,\sqrt{\log d}/120$.",
    role="beyond_scope",
    covers="mid-count",
    **ONE_POINT,
    legs=[
        leg(
            "share of the columns",
            share_over_power,
            reference=growing,
            relation=at_least(),
            required=False,
            instances=instances(all_of_it, "F d", smoke=4, standard=8),
        ),
        TAIL,
        PART,
        RATE,
    ],
    rivals=[
        variant("without 1/120", reference=by_more, leg="share of the columns"),
        *rivals_of(TAIL, {"without the square": "erfc(y/sqrt(2)) >= sqrt(2/pi)/y*exp(-y**2/2)"}),
        *rivals_of(PART, {"1/y": "y/(1 + y**2) >= 1/y"}),
        *rivals_of(RATE, {"a third": "exp((log(2) - 1/2)*x)/(2*x) >= x/3"}),
    ],
)
