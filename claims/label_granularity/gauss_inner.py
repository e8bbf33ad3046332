r"""Lemma H.3: inner products of independent Gaussian vectors.

Setting. X = <g_1, g_2>/(sigma_1 sigma_2) for independent centred Gaussians in R^d; R is the length of g_1/sigma_1.
The constants are absolute: in the printed order they might depend on d and delta, which asserts nothing.

Statements. (1) Given g_1, X ~ N(0, R^2): P[X >= x] = E Q(x/R), R ~ chi_d, which is the tail of the density
(|x|/2)^v K_v(|x|)/(sqrt(pi) Gamma(d/2)), v = (d - 1)/2. (2) With c_1 = sqrt 20, |X| <= c_1 sqrt(d log(1/delta)) with
probability at least 1 - delta once e^(-d) <= delta (1 - delta): given R <= sqrt(5 d) it fails with probability at most
delta^2, and R is larger with e^(-d) at most. (3) With c_2 = 1/20, P[X >= c_2 sqrt d] >= 1/4 for every d: R > sqrt d/4
with probability 3/5, since P[R^2 <= d/16] <= E e^(-15 R^2/2) e^(15 d/32), and Q(1/5) 3/5 > 1/4.

Reference: Lemma H.3, lines 2302-2306.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import acb, arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._network import number
from .chi_squared import BOUND

d = sp.Symbol("d", integer=True, positive=True)
x = sp.Symbol("x", real=True)
r, delta = sp.symbols("r delta", positive=True)
u = sp.Symbol("u", nonnegative=True)

BITS = 128
POSITIVE = reals(0, low_open=True)


def products(ns, rng, size, d):
    """Inner products of independent standard Gaussian vectors. Shape (size,)."""
    return ns.sum(rng.normal((size, d)) * rng.normal((size, d)), axis=1)


def first_vector(ns, d, r):
    """g_1 of length r, its entries as 1 to d. Shape (d,)."""
    squares = ns.asarray(d * (d + 1) * (2 * d + 1) // 6)
    return ns.asarray(r) * ns.asarray(list(range(1, d + 1))) / ns.sqrt(squares)


def given_the_first(ns, rng, size, d, r, x):
    """Whether <g_1, g_2> >= x for a fixed g_1 of length r. Shape (size,)."""
    seen = ns.sum(first_vector(ns, d, r) * rng.normal((size, d)), axis=1)
    return ns.where(seen >= ns.asarray(x), 1, 0)


def reaches(ns, rng, size, d, x):
    """Whether X >= x. Shape (size,)."""
    return ns.where(products(ns, rng, size, d) >= ns.asarray(x), 1, 0)


def averaged(d, x):
    """E Q(x/R), R ~ chi_d, by integration over R from x/60 to 40; d <= 6. Shape ().

    Below Q is less than e^-1800; beyond is P[chi_6^2 > 1600] < e^-780 at most."""
    with ctx.workprec(BITS):
        level, scale = number(x), arb(2) ** (1 - arb(d) / 2) / (arb(d) / 2).gamma()

        def weighted(u, _analytic):
            tail = (acb(level) / u / arb(2).sqrt()).erfc() / 2
            return tail * u ** (d - 1) * (-u * u / 2).exp() * scale

        return acb.integral(weighted, level / 60, arb(40)).real + arb(0, 1e-30)


def bessel(d, x, order=1):
    """The integral of the density from x on, in Bessel functions, to x + 90; d <= 6. Shape ().

    Beyond it is P[X > 90] at most, and 2 X <= |g_1|^2 + |g_2|^2, for which P[chi_12^2 > 180] = e^-90 sum_(k<6) 90^k/k!
    is below 10^-30."""
    with ctx.workprec(BITS):
        level, v = number(x), arb(d - order) / 2
        scale = 1 / (arb.pi().sqrt() * (arb(d) / 2).gamma())

        def density(u, _analytic):
            return (u / 2) ** v * u.bessel_k(acb(v)) * scale

        return acb.integral(density, level, level + 90).real + arb(0, 1e-30)


def wrong_order(d, x):
    return bessel(d, x, order=2)


GIVEN = sp.erfc(x / (sp.sqrt(2) * r)) / 2
CONDITIONAL = formula_leg(
    "given the length",
    typed(f"P[z >= x] == {GIVEN}", over=["x in R", "r > 0", "z ~ N(0, r**2)"]),
    over="d",
)
BOTH = sp.Piecewise((sp.exp(-x) / 2, sp.Eq(d, 2)), ((2 + x) * sp.exp(-x) / 4, True))

law = claim(
    "granularity-gauss-inner-law",
    lhs=r"\Pr[X\ge x]",
    tex=r"\mathbb E\,Q(x/R)",
    states="granularity-gauss-inner",
    title="The law of an inner product",
    says=r"$\Pr[X\ge x]=\mathbb E\,Q(x/R)$ with $R\sim\chi_d$: given $\|g_1\|=\sigma_1R$ it is $Q(x/R)$. For $d=2$ and "
    r"$x\ge0$ that is $e^{-x}/2$, for $d=4$ $(2+x)e^{-x}/4$.",
    role="derived",
    covers="exact-law",
    domain={d: integers(1), x: reals(), r: POSITIVE},
    grid={
        "smoke": [{d: 2, x: Fraction(1, 2), r: 1}, {d: 4, x: 1, r: 2}],
        "standard": [{d: k, x: h, r: 3} for k in (2, 4) for h in (0, 2)],
    },
    closed_form=GIVEN,
    legs=[
        leg(
            "one of them drawn",
            given_the_first,
            statistic=probability(),
            required=False,
            where=sp.And(d <= 50, r <= 100, r >= sp.Rational(1, 100), x <= r, x >= -r),
        ),
        leg(
            "both drawn",
            reaches,
            lhs=r"\Pr[X\ge x]",
            tex=r"\tfrac{e^{-x}}2,\ \tfrac{(2+x)e^{-x}}4",
            statistic=probability(),
            required=False,
            closed_form=BOTH,
            where=sp.And(sp.Or(sp.Eq(d, 2), sp.Eq(d, 4)), x >= 0, x <= 3),
        ),
        leg(
            "Bessel functions",
            averaged,
            reference=bessel,
            lhs=r"\mathbb E\,Q(x/R)",
            tex=r"\int_x^\infty\frac{(u/2)^\nu K_\nu(u)}{\sqrt\pi\,\Gamma(d/2)}\,du",
            required=False,
            where=sp.And(d <= 6, x >= sp.Rational(1, 4), x <= 3),
        ),
        CONDITIONAL,
    ],
    rivals=[
        variant("the length left out", closed_form=GIVEN.subs(r, 1), leg="one of them drawn"),
        variant("two sides", closed_form=2 * GIVEN, leg="one of them drawn"),
        variant("a Gaussian", closed_form=sp.erfc(x / sp.sqrt(2 * d)) / 2, leg="both drawn"),
        variant("order d/2 - 1", reference=wrong_order, leg="Bessel functions"),
        *rivals_of(CONDITIONAL, {"Q(x/r^2)": "P[z >= x] == Q(x/r**2)"}),
    ],
    mutate=False,
)


def one_twentieth():
    """c_2."""
    return Fraction(1, 20)


def reaches_a_root(ns, rng, size, d, c2=None):
    """Whether X >= c_2 sqrt d. Shape (size,)."""
    c2 = one_twentieth() if c2 is None else c2
    return ns.where(products(ns, rng, size, d) >= ns.asarray(c2) * ns.sqrt(ns.asarray(d)), 1, 0)


def reaches_given(ns, rng, size, d, r):
    """Whether <g_1, g_2> >= c_2 sqrt d for a fixed g_1 of length r. Shape (size,)."""
    seen = ns.sum(first_vector(ns, d, r) * rng.normal((size, d)), axis=1)
    return ns.where(seen >= ns.asarray(one_twentieth()) * ns.sqrt(ns.asarray(d)), 1, 0)


GIVEN_SHORT = sp.erfc(sp.sqrt(d) / (20 * sp.sqrt(2) * r)) / 2
SHORT = "Integral(exp(-15*x**2/2)*exp(-x**2/2)/sqrt(2*pi), (x, -oo, oo))**d*exp((15/2)*d/{})"
LENGTH = formula_leg("length", typed(SHORT.format(16) + " <= 2/5", over="d in 1..oo"), over="g1 g2")
LONG = formula_leg(
    "at a length",
    typed(f"{GIVEN_SHORT} >= Q(1/5)", over=["d in 1..oo", "r in [sqrt(d)/4, oo)"]),
    where=4 * r >= sp.sqrt(d),
    over="g1 g2",
)
QUARTER = formula_leg(
    "both together",
    typed("(1 - q)*Q(1/5) >= 1/4", over="q in [0, 2/5]"),
    over="d g1 g2",
    gives="c2",
    chosen_by=one_twentieth,
)

anti = claim(
    "granularity-gauss-inner-anti",
    lhs=r"\Pr[X\ge\sqrt d/20]",
    tex=r"\tfrac14",
    states="granularity-gauss-inner",
    title="Inner products are not small",
    says=r"$\Pr[\langle g_1,g_2\rangle\ge c_2\sigma_1\sigma_2\sqrt d]\ge\frac14$ for every $d\ge1$ with "
    r"$c_2=\frac1{20}$.",
    covers="anti-concentration",
    domain={d: integers(1), r: POSITIVE},
    grid={
        "smoke": [{d: 1, r: 1}, {d: 2, r: Fraction(1, 10)}, {d: 8, r: 3}],
        "standard": [{d: k, r: 1} for k in (3, 64)],
    },
    closed_form=sp.Rational(1, 4) + 0 * d,
    relation=at_least(),
    legs=[
        leg("drawn", reaches_a_root, statistic=probability(), required=False, where=d <= 100),
        leg(
            "one of them drawn",
            reaches_given,
            statistic=probability(),
            required=False,
            closed_form=GIVEN_SHORT,
            relation=equals(),
            where=sp.And(d <= 100, r >= sp.Rational(1, 10), r <= 100),
            lhs=r"\Pr[X\ge\sqrt d/20\mid R=r]",
            tex=r"Q\Big(\frac{\sqrt d}{20r}\Big)",
        ),
        LENGTH,
        LONG,
        QUARTER,
    ],
    rivals=[
        variant("c_2 = 1", call=reaches_a_root, c2=Fraction(1), leg="drawn"),
        variant("with a half", closed_form=sp.Rational(1, 2) + 0 * d, leg="drawn"),
        variant(
            "d for its root",
            closed_form=GIVEN_SHORT.subs(r, r / sp.sqrt(d)),
            leg="one of them drawn",
        ),
        *rivals_of(LENGTH, {"up to d/4": SHORT.format(4) + " <= 2/5"}),
        *rivals_of(LONG, {"half of the length": {"over": ["d in 1..oo", "r in [sqrt(d)/8, oo)"]}}),
        *rivals_of(QUARTER, {"q up to a half": {"over": "q in [0, 1/2]"}}),
    ],
    mutate=False,
)


def root_of_twenty():
    """The square of c_1."""
    return Fraction(20)


def first_dimension(delta):
    """Where e^-d <= delta (1 - delta) begins."""
    return sp.log(1 / (delta * (1 - delta)))


def too_large(ns, rng, size, d, delta, square=None):
    """Whether |X| exceeds c_1 sqrt(d log(1/delta)). Shape (size,)."""
    square = root_of_twenty() if square is None else square
    level = ns.sqrt(ns.asarray(square) * ns.asarray(d) * ns.log(ns.asarray(1 / delta)))
    return ns.where(ns.abs(products(ns, rng, size, d)) > level, 1, 0)


def beyond_given(ns, rng, size, d, r, u):
    """Whether |<g_1, g_2>| > u r for a fixed g_1 of length r. Shape (size,)."""
    seen = ns.sum(first_vector(ns, d, r) * rng.normal((size, d)), axis=1)
    return ns.where(ns.abs(seen) > ns.asarray(u) * ns.asarray(r), 1, 0)


GIVEN_LARGE = sp.erfc(u / sp.sqrt(2))
SIDES = formula_leg(
    "two sides", typed(f"{GIVEN_LARGE} <= exp(-u**2/2)", over="u in [0, oo)"), over="g1 g2"
)
# the exponent at u = sqrt(20 d log(1/delta))/r
INSIDE = formula_leg(
    "at a length",
    typed(
        "exp(-20*d*log(1/delta)/(2*r**2)) <= delta**2",
        over=["d in 1..oo", "delta in (0, 1)", "r in (0, sqrt(5*d)]"],
    ),
    where=r**2 <= 5 * d,
    over="g1 g2",
    gives="c1",
    chosen_by=root_of_twenty,
)
TOGETHER = formula_leg(
    "both together",
    typed(
        "delta**2 + exp(-d) <= delta",
        over=["delta in (0, 1)", f"d in [{first_dimension(delta)}, oo)"],
    ),
    over="g1 g2",
    gives="d0",
    chosen_by=first_dimension,
)

concentrated = claim(
    "granularity-gauss-inner-concentration",
    lhs=r"\Pr[|X|>\sqrt{20d\log(1/\delta)}]",
    tex=r"\delta",
    states="granularity-gauss-inner",
    title="Inner products concentrate",
    says=r"$|\langle g_1,g_2\rangle|\le c_1\sigma_1\sigma_2\sqrt{d\log(1/\delta)}$ with probability at least "
    r"$1-\delta$, for $c_1=\sqrt{20}$, every $\delta\in(0,1)$ and every $d\ge\log\frac1{\delta(1-\delta)}$.",
    role="reading",
    covers="concentration",
    domain={
        d: integers(1),
        delta: reals(0, 1, low_open=True, high_open=True),
        r: POSITIVE,
        u: reals(0),
    },
    where=d >= -sp.log(delta * (1 - delta)),
    grid={
        "smoke": [
            {d: 2, delta: Fraction(1, 2), r: 3, u: 1},
            {d: 8, delta: Fraction(1, 10), r: 20, u: Fraction(1, 2)},
        ],
        "standard": [
            {d: 4, delta: Fraction(9, 10), r: 2, u: 1},
            {d: 50, delta: Fraction(1, 20), r: 30, u: 2},
        ],
    },
    closed_form=delta,
    relation=at_most(),
    legs=[
        leg(
            "drawn",
            too_large,
            statistic=probability(),
            required=False,
            where=sp.And(d <= 100, delta >= sp.Rational(1, 50), delta <= sp.Rational(49, 50)),
        ),
        leg(
            "one of them drawn",
            beyond_given,
            statistic=probability(),
            required=False,
            closed_form=GIVEN_LARGE,
            relation=equals(),
            where=sp.And(d <= 100, r <= 100, r >= sp.Rational(1, 100), u <= 2),
            lhs=r"\Pr[|X|>uR\mid R=r]",
            tex=r"\operatorname{erfc}\frac u{\sqrt2}",
        ),
        SIDES,
        INSIDE,
        BOUND,
        TOGETHER,
    ],
    rivals=[
        variant("c_1 = 1/2", call=too_large, square=Fraction(1, 4), leg="drawn"),
        variant("one side", closed_form=GIVEN_LARGE / 2, leg="one of them drawn"),
        *rivals_of(SIDES, {"half of it": f"{GIVEN_LARGE} <= exp(-u**2/2)/2"}),
        *rivals_of(
            INSIDE,
            {
                "c_1^2 = 19": "exp(-19*d*log(1/delta)/(2*r**2)) <= delta**2",
                "a length of sqrt(6 d)": {
                    "over": ["d in 1..oo", "delta in (0, 1)", "r in (0, sqrt(6*d)]"]
                },
            },
        ),
        *rivals_of(
            TOGETHER,
            {"d from log(1/delta) on": {"over": ["delta in (0, 1)", "d in [log(1/delta), oo)"]}},
        ),
    ],
    mutate=False,
)
