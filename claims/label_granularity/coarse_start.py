r"""Proposition 1: neurons of the coarse net at the start.

Setting. m = d^(2 + 2 c) neurons a class, 0 < c < 1/10, with entries N(0, sigma_0^2) along each of the d words of the
dictionary; L = log d; a neuron has a word in U_r if its entry is at least sigma_0 tau_2, tau_2^2 = (4 + 2c)(L -
1/L^5), and tau_1 has a plus there. p = Q(tau) is the tail of the standard Gaussian law, phi its density.

Statements. (1) Printed, p_1 and p_2 are at most phi(tau)/(2 tau): false, at every tau > 1, since p > phi(tau)
tau/(tau^2 + 1). Without the half both ends stand. (2) Printed, all entries are at most sigma_0 sqrt(10 L) but for
probability d^-2: false, for c = 1/10 and every d >= e^20: the m d entries are independent, so that it is 1 - (1 -
q)^(m d) >= x - x^2/2, x = m d q, q = Q(sqrt(10 L)), and x > 11/10 d^-2. With sqrt((10 + 4 c) L) it holds. (3) But for
d^(-2 - 2c)/L^2 no neuron has more than four words: P[Bin(d, p_2) >= 5] <= (d p_2)^5/120 with tau_2^2 >= 3 L and p_2
<= phi(tau_2)/tau_2 <= d^(-2 - c) e^(21/50)/(sqrt(2 pi) sqrt(3 L)).

Reference: Proposition 1, lines 722-819.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp
from flint import acb, arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._network import number

d = sp.Symbol("d", integer=True, positive=True)
c = sp.Symbol("c", positive=True)
side = sp.Symbol("side", integer=True)
BITS = 400
C0 = {c: reals(0, Fraction(1, 10), low_open=True, high_open=True)}


def threshold(d, c, side):
    """tau_1 for side 1, tau_2 for side -1. A ball."""
    size = arb(d).log()
    return (number(4 + 2 * c) * (size + side / size**5)).sqrt()


def tail(tau):
    """P[g >= tau] for a standard Gaussian g. A ball."""
    return (tau / arb(2).sqrt()).erfc() / 2


def integrated(d, c, side):
    """The density beyond tau, integrated to tau + 30 over its size at tau. Shape ().

    What is left out is at most the integral of e^(-h^2/2) from h = 30 on, which is below e^-450/30 < 10^-190."""
    with ctx.workprec(BITS):
        tau = threshold(d, c, side)

        def falling(g, _analytic):
            return ((tau - g) * (tau + g) / 2).exp()

        beyond = acb.integral(falling, tau, tau + 30).real + arb(0, 1e-190)
        return beyond * (-tau * tau / 2).exp() / (2 * arb.pi()).sqrt()


TAU = sp.sqrt((4 + 2 * c) * (sp.log(d) + side / sp.log(d) ** 5))
UPPER = d ** (-2 - c) * sp.exp(-side * (2 + c) / sp.log(d) ** 5) / sp.sqrt(2 * sp.pi) / TAU
LOWER = UPPER * TAU**2 / (TAU**2 + 1)
MILLS = typed(
    "exp(-tau**2/2)/sqrt(2*pi)*tau/(tau**2 + 1) < Q(tau) < exp(-tau**2/2)/sqrt(2*pi)/tau",
    over="tau > 0",
)

tails_printed = formula(
    "granularity-tail-intervals-printed",
    states="granularity-init-geometry-coarse",
    title="Upper ends of (20) and (21) as printed",
    covers="tail-intervals",
    reads={"d": "L", "c0": "c"},
    expect="fail",
    says="Q(sqrt((4 + 2*c)*(L + s/L**5)))"
    " <= exp(-(2 + c)*(L + s/L**5))/(2*sqrt(2*pi)*sqrt((4 + 2*c)*(L + s/L**5)))",
    over=["L in [10, oo)", "c in (0, 1/10)", "s in {-1, 1}"],
)

PAID = "d c0"
ALWAYS = formula_leg(
    "above the printed end",
    typed("Q(tau) > exp(-tau**2/2)/(2*sqrt(2*pi)*tau)", over="tau > 1"),
    over=PAID,
)
BOTH = formula_leg("Mills", MILLS, over=PAID)
DENSITY = formula_leg(
    "density",
    typed(
        "exp(-(sqrt((4 + 2*c)*(L + s/L**5)))**2/2) == exp(-(2 + c)*L)*exp(-s*(2 + c)/L**5)",
        over=["L in [1, oo)", "c in (0, 1/10)", "s in {-1, 1}"],
    ),
    over=PAID,
)

tails = claim(
    "granularity-tail-intervals",
    lhs=r"p_{1,2}",
    tex=r"\frac{d^{-2-c_0}e^{\mp(2+c_0)/\log^5d}}{\sqrt{2\pi}\,\tau}",
    states="granularity-init-geometry-coarse",
    title="Tails at the two thresholds",
    says=r"$p_{1,2}\in\frac1{\sqrt{2\pi}}d^{-2-c_0}e^{\mp(2+c_0)/\log^5d}[\frac\tau{\tau^2+1},\frac1\tau]$, "
    r"above half of the upper end wherever $\tau>1$.",
    role="corrected",
    corrects="granularity-tail-intervals-printed",
    covers="tail-intervals",
    reads={"c0": "c"},
    domain={d: integers(4), **C0, side: integers(-1, 1)},
    where=sp.Ne(side, 0),
    grid={
        "smoke": {d: [64, 10**20], c: [Fraction(1, 11)], side: [-1, 1]},
        "standard": {d: [4, 10**6, 10**60], c: [Fraction(1, 1000), Fraction(1, 11)], side: [-1, 1]},
    },
    legs=[
        leg(
            "upper end",
            integrated,
            closed_form=UPPER,
            relation=at_most(),
            where=d <= 10**60,
            lhs="p_{1,2}",
            tex=r"\frac{d^{-2-c_0}e^{\mp(2+c_0)/\log^5d}}{\sqrt{2\pi}\,\tau}",
        ),
        leg(
            "lower end",
            integrated,
            closed_form=LOWER,
            relation=at_least(),
            where=d <= 10**60,
            lhs="p_{1,2}",
            tex=r"\frac{d^{-2-c_0}e^{\mp(2+c_0)/\log^5d}\,\tau}{\sqrt{2\pi}\,(\tau^2+1)}",
        ),
        leg(
            "above half",
            integrated,
            closed_form=UPPER / 2,
            relation=at_least(),
            where=d <= 10**60,
            lhs="p_{1,2}",
            tex=r"\frac{d^{-2-c_0}e^{\mp(2+c_0)/\log^5d}}{2\sqrt{2\pi}\,\tau}",
        ),
        BOTH,
        ALWAYS,
        DENSITY,
    ],
    rivals=[
        variant("the printed upper end", closed_form=UPPER / 2, leg="upper end"),
        variant("the upper end from below", closed_form=UPPER, leg="lower end"),
        variant(
            "thresholds exchanged",
            closed_form=LOWER.subs(side, -side),
            leg="lower end",
            at={d: [4], c: [Fraction(1, 11)], side: [1]},
        ),
        *rivals_of(BOTH, {"tau^2 + 1/2": "exp(-tau**2/2)/sqrt(2*pi)*tau/(tau**2 + 1/2) < Q(tau)"}),
        *rivals_of(ALWAYS, {"from 0 on": {"over": "tau > 0"}}),
        *rivals_of(
            DENSITY,
            {
                "the sign": "exp(-(sqrt((4 + 2*c)*(L + s/L**5)))**2/2) == exp(-(2 + c)*L)*exp(s*(2 + c)/L**5)"
            },
        ),
    ],
)

# at c = 1/20, inside of (0, 1/10): x is m d q, y is d^-2
EVENTS = "d init r v"
LONG = formula_leg(
    "x against d^-2",
    typed(
        "exp((3 + 1/10)*L)*exp(-5*L)/sqrt(2*pi)*sqrt(10*L)/(10*L + 1) >= 11/10*exp(-2*L)",
        over="L in [50, oo)",
    ),
    over=EVENTS,
)
SOME = formula_leg(
    "some of M", typed("(1 - q)**M <= exp(-M*q)", over=["q in [0, 1)", "M in 1..oo"]), over=EVENTS
)
BELOW = formula_leg(
    "1 - e^(-x)", typed("1 - exp(-x) >= x - x**2/2", over="x in [0, oo)"), over=EVENTS
)
ABOVE = formula_leg(
    "above d^-2",
    typed("x - x**2/2 > y", over=["y in (0, 1/50)", "x in [11/10*y, 1/50]"]),
    over=EVENTS,
)
TAILS = formula_leg("Mills", MILLS, over=EVENTS)

# x <= 1/50 is no loss: 1 - e^(-x) grows in x
bounded_printed = claim(
    "granularity-projections-printed",
    states="granularity-init-geometry-coarse",
    title=r"All entries below $\sigma_0\sqrt{10\log d}$, as printed",
    says=r"At $c_0=\frac1{20}$, $m=d^{2.1}$, $1-(1-Q(\sqrt{10\log d}))^{md}\le d^{-2}$.",
    covers="projections-bounded",
    expect="fail",
    legs=[
        formula_leg(
            "chance of a larger one",
            typed("1 - exp(-exp((3 + 1/10)*L)*Q(sqrt(10*L))) <= exp(-2*L)", over="L in [50, oo)"),
            over=EVENTS,
        )
    ],
)


def some_larger(d, c, slack=0):
    """P[some of m d independent entries is at least sqrt((10 + slack c) log d)], m = d^(2 + 2c). Shape ()."""
    with ctx.workprec(BITS):
        size = arb(d).log()
        q = tail(((10 + slack * number(c)) * size).sqrt())
        return 1 - ((1 - q).log() * (number(3 + 2 * c) * size).exp()).exp()


def with_more_room(d, c):
    """The same at sqrt((10 + 4 c) log d)."""
    return some_larger(d, c, slack=4)


EXPONENTS = formula_leg(
    "exponents",
    typed("exp((3 + 2*c)*L)*exp(-(10 + 4*c)*L/2) == exp(-2*L)", over=["L > 0", "c in (0, 1/10)"]),
    over=EVENTS,
)
FACTOR = formula_leg(
    "factor",
    typed("1/(sqrt(2*pi)*sqrt((10 + 4*c)*L)) < 1", over=["L in [log(2), oo)", "c in (0, 1/10)"]),
    over=EVENTS,
)
UNION = formula_leg(
    "union", typed("1 - (1 - q)**M <= M*q", over=["q in [0, 1)", "M in 1..oo"]), over=EVENTS
)

bounded = claim(
    "granularity-projections",
    lhs=r"\Pr[\exists r,v:\langle w_r,v\rangle\ge\sigma_0\sqrt{(10+4c_0)\log d}]",
    states="granularity-init-geometry-coarse",
    title="All entries of all neurons at the start",
    says=r"With $m=d^{2+2c_0}$ all $\langle w_r,v\rangle<\sigma_0\sqrt{(10+4c_0)\log d}$ but for probability "
    r"$d^{-2}$; with $\sqrt{10\log d}$ that is exceeded at $c_0=\frac1{20}$ for every $d\ge e^{50}$.",
    role="corrected",
    corrects="granularity-projections-printed",
    covers="projections-bounded",
    domain={d: integers(2), **C0},
    grid={
        "smoke": {d: [2, 100, 10**9], c: [Fraction(1, 20), Fraction(99, 1000)]},
        "standard": {d: [10**6, 10**18], c: [Fraction(1, 100), Fraction(99, 1000)]},
    },
    closed_form=1 / d**2,
    relation=at_most(),
    legs=[
        leg("law of the largest", with_more_room, where=d <= 10**30),
        EXPONENTS,
        FACTOR,
        UNION,
        TAILS,
        LONG,
        SOME,
        BELOW,
        ABOVE,
    ],
    rivals=[
        variant(
            "as printed",
            simulation=some_larger,
            leg="law of the largest",
            at={d: [10**9], c: [Fraction(99, 1000)]},
        ),
        variant(
            "d^-(2 + 2c)",
            closed_form=d ** (-2 - 2 * c),
            leg="law of the largest",
            at={d: [10**18], c: [Fraction(99, 1000)]},
        ),
        *rivals_of(EXPONENTS, {"10 alone": "exp((3 + 2*c)*L)*exp(-10*L/2) == exp(-2*L)"}),
        *rivals_of(FACTOR, {"1/10": "1/(sqrt(2*pi)*sqrt((10 + 4*c)*L)) < 1/10"}),
        *rivals_of(UNION, {"half of it": "1 - (1 - q)**M <= M*q/2"}),
        *rivals_of(LONG, {"from e^10 on": {"over": "L in [10, oo)"}}),
        *rivals_of(SOME, {"2 M q": "(1 - q)**M <= exp(-2*M*q)"}),
        *rivals_of(BELOW, {"x": "1 - exp(-x) >= x - x**2/8"}),
        *rivals_of(ABOVE, {"x from y on": {"over": ["y in (0, 1/50)", "x in [y, 1/50]"]}}),
        *rivals_of(TAILS, {"tau^2 + 1/2": "exp(-tau**2/2)/sqrt(2*pi)*tau/(tau**2 + 1/2) < Q(tau)"}),
    ],
)


def most():
    """Words of a neuron, whatever d."""
    return 4


def many_words(d, c, more_than=None):
    """m P[a neuron has more of d independent words than that, by default ``most``], m = d^(2 + 2c). Shape ()."""
    least = 1 + (most() if more_than is None else more_than)
    with ctx.workprec(3 * BITS):
        p = tail(threshold(d, c, -1))
        fewer = sum((comb(d, i) * p**i * (1 - p) ** (d - i) for i in range(least)), arb(0))
        return (number(2 + 2 * c) * arb(d).log()).exp() * (1 - fewer)


LEVEL = d ** (-2 - 2 * c) / sp.log(d) ** 2
WORDS = "init r"
FIVE = formula_leg(
    "five words",
    typed("binomial(d, 5)*p**5 <= (d*p)**5/120", over=["d in 5..oo", "p in [0, 1]"]),
    over=WORDS,
)
GAP = formula_leg(
    "threshold",
    typed("(4 + 2*c)*(L - 1/L**5) >= 3*L", over=["L in [log(5), oo)", "c in (0, 1/10)"]),
    over=f"{WORDS} d",
)
LOSS = formula_leg(
    "density at it",
    typed("exp((2 + c)/L**5) <= exp(21/50)", over=["L in [log(5), oo)", "c in (0, 1/10)"]),
    over=f"{WORDS} d",
)
WORD = formula_leg("Mills", MILLS, over=f"{WORDS} d")
TOGETHER = formula_leg(
    "together",
    typed(
        "d**(2 + 2*c)*(d*d**(-2 - c)*A)**5 == d**(-3 - 3*c)*A**5",
        over=["d in 5..oo", "c in (0, 1/10)", "A > 0"],
    ),
    over=WORDS,
)
# (exp(21/50)/sqrt(6 pi L))^5/120 against d^(1 + c)/L^2
SMALL = formula_leg(
    "level",
    typed(
        "exp(-(1 + c)*L)*exp(21/10)/(120*(6*pi)**(5/2)*sqrt(L)) <= 1",
        over=["L in [log(5), oo)", "c in (0, 1/10)"],
    ),
    over=f"{WORDS} d",
)
LEFT = formula_leg(
    "what is left",
    typed(
        f"d**(-3 - 3*c)*x <= {LEVEL}",
        over=["d in 5..oo", "c in (0, 1/10)", "x in [0, d**(1 + c)/log(d)**2]"],
    ),
    over=WORDS,
)


few = claim(
    "granularity-few-words",
    lhs=r"m\Pr[|\mathcal U_r|>4]",
    states="granularity-init-geometry-coarse",
    title="Words of a neuron at the start",
    says=r"With $m=d^{2+2c_0}$, $\max_r|\mathcal U_r|\le4$ but for probability $d^{-2-2c_0}/\log^2d$, for all $d\ge5$.",
    covers="few-features-per-neuron",
    domain={d: integers(5), **C0},
    grid={
        "smoke": {d: [5, 64, 10**6], c: [Fraction(1, 1000), Fraction(1, 11)]},
        "standard": {d: [6, 1000, 10**12], c: [Fraction(1, 20)]},
    },
    closed_form=LEVEL,
    relation=at_most(),
    legs=[
        leg(
            "law of the count",
            many_words,
            required=False,
            where=d <= 10**20,
            gives="O",
            chosen_by=most,
        ),
        FIVE,
        GAP,
        LOSS,
        WORD,
        TOGETHER,
        SMALL,
        LEFT,
    ],
    rivals=[
        variant("two words", call=many_words, more_than=2, leg="law of the count"),
        variant(
            "d^(-4 - 4c)",
            closed_form=d ** (-4 - 4 * c),
            leg="law of the count",
            at={d: [10**12], c: [Fraction(1, 11)]},
        ),
        *rivals_of(FIVE, {"a 200th": "binomial(d, 5)*p**5 <= (d*p)**5/200"}),
        *rivals_of(GAP, {"4 L": "(4 + 2*c)*(L - 1/L**5) >= 4*L"}),
        *rivals_of(LOSS, {"from e on": {"over": ["L in [1, oo)", "c in (0, 1/10)"]}}),
        *rivals_of(WORD, {"tau^2 + 1/2": "exp(-tau**2/2)/sqrt(2*pi)*tau/(tau**2 + 1/2) < Q(tau)"}),
        *rivals_of(
            TOGETHER, {"d^(-2 - 2c)": "d**(2 + 2*c)*(d*d**(-2 - c)*A)**5 == d**(-2 - 2*c)*A**5"}
        ),
        *rivals_of(LEFT, {"d^(-3 - 2c)": f"d**(-3 - 2*c)*x <= {LEVEL}"}),
        *rivals_of(SMALL, {"from 0 on": {"over": ["L in (0, oo)", "c in (0, 1/10)"]}}),
    ],
)
