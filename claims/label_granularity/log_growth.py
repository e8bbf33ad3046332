r"""Lemma E.4: logarithmic growth, its scalar recursion and its error terms.

Setting. y_0 = log t_0 and y_(t+1) = y_t + C (1 + e_t) e^(-y_t), z = t_0/C, E_t = y_t - log(C t + t_0). With u = e^y/C
that is u_(t+1) = u_t e^((1 + e_t)/u_t) from u_0 = z, and E_t = log(u_t/s) with s = z + t.

Statements. (1) Without e_t: E_t >= 0, since u e^(1/u) >= u + 1, and for z >= 1 the ratio E_t (t + z)/log(1 + t/z) is
1/2 up to 1/z, for every t >= 1 alike. With D = u - s a step adds at least 1/(2u) and at most (1/2 + 1/(4z))/s to D;
the sum of 1/s over the steps is between L = log(1 + t/z) and (1 + 1/z) L; so D <= (1/2 + 1/z) L, u <= (1 + 3/(5z)) s,
D >= L/(2 (1 + 3/(5z))), and D/(1 + D/s) <= s E_t <= D. (2) With |e_t| <= eps <= 1/10 and z >= 1/eps: |E_t| <= 3/2 eps
sum_(s=z)^(z+t) 1/s. A step takes E to E + (1 + e) e^(-E)/s - log(1 + 1/s); since u_t >= (1 - eps) s, E >= log(1 -
eps), where that grows in E, so that max(E, 0) and max(-E, 0) gain what they would from 0. The constant 2 suffices; 1
does not. (3) Printed, that sum is at most a multiple of log t - log z: false, which is negative for t < z. It is at
most log(1 + (t - T_11)/z) + 1/z.

Reference: Lemma E.4, lines 1321-1380.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._network import number

t = sp.Symbol("t", integer=True, nonnegative=True)
j = sp.Symbol("j", integer=True)
z, C, eps = sp.symbols("z C eps", positive=True)
BITS = 200


def error(t, start, C, factors):
    """E_t = y_t - log(C t + t_0) of y <- y + C (1 + e) e^(-y) from y_0 = log t_0; ``factors``: e by step."""
    y = number(start).log()
    for step in range(t):
        y += number(C * (1 + factors[step])) * (-y).exp()
    return y - number(C * t + start).log()


def growth_ratio(t, z, C):
    """E_t (t + z)/log(1 + t/z) for t_0 = C z. Shape ()."""
    with ctx.workprec(BITS):
        return (
            error(t, C * z, C, [Fraction(0)] * t)
            * number(t + z)
            / number(1 + Fraction(t) / z).log()
        )


def plain_error(t, z, C):
    """E_t for t_0 = C z. Shape ()."""
    with ctx.workprec(BITS):
        return error(t, C * z, C, [Fraction(0)] * t)


def error_of_the_slope(t, z, C):
    """The same against log(C t/2 + t_0)."""
    with ctx.workprec(BITS):
        return plain_error(t, z, C) + (number(t + z) / number(Fraction(t) / 2 + z)).log()


def half_the_growth(t, z, C):
    """y <- y + C e^(-y)/2."""
    with ctx.workprec(BITS):
        return error(t, C * z, C, [Fraction(-1, 2)] * t)


CORE = "t C t0"
HIGH, LOW = sp.Rational(1, 2) + 1 / z, sp.Rational(1, 2) - 1 / z
NO_LESS = formula_leg("no less", typed("u*exp(1/u) >= u + 1", over="u in (0, oo)"), over=CORE)
STEP_LOW = formula_leg(
    "a step from below", typed("u*exp(1/u) >= u + 1 + 1/(2*u)", over="u in (0, oo)"), over=CORE
)
# with x = 1/u and s <= u
CUBE = formula_leg(
    "e^x from above", typed("exp(x) <= 1 + x + x**2/2 + x**3/4", over="x in [0, 1]"), over=CORE
)
STEP_HIGH = formula_leg(
    "a step from above",
    typed(
        "u*(1 + 1/u + 1/(2*u**2) + 1/(4*u**3)) <= u + 1 + (1/2 + 1/(4*z))/s",
        over=["z in [1, oo)", "s in [z, oo)", "u in [s, oo)"],
    ),
    over=CORE,
    where=z >= 1,
)
SUM_LOW = formula_leg(
    "sum from below", typed("1/s >= log(1 + 1/s)", over="s in (0, oo)"), over=CORE
)
SUM_HIGH = formula_leg(
    "sum from above", typed("1/s <= log(1 + 1/s) + 1/s - 1/(s + 1)", over="s in (0, oo)"), over=CORE
)
ENDS = formula_leg(
    "ends of the sum",
    typed("1/z - 1/(z + t) <= log(1 + t/z)/z", over=["z in (0, oo)", "t in [0, oo)"]),
    over=CORE,
)
FROM_ABOVE = formula_leg(
    "D from above",
    typed(f"(1/2 + 1/(4*z))*(1 + 1/z) <= {HIGH}", over="z in [1, oo)"),
    over=CORE,
    where=z >= 1,
)
SMALL = formula_leg(
    "L against s",
    typed("log(1 + t/z)/(z + t) <= 2/(5*z)", over=["z in (0, oo)", "t in [0, oo)"]),
    over=CORE,
)
STATE = formula_leg(
    "u against s",
    typed(f"({HIGH})*2/(5*z) <= 3/(5*z)", over="z in [1, oo)"),
    over=CORE,
    where=z >= 1,
)
LOG_HIGH = formula_leg(
    "E from above", typed("s*log(1 + D/s) <= D", over=["s in (0, oo)", "D in [0, oo)"]), over=CORE
)
LOG_LOW = formula_leg(
    "E from below",
    typed("s*log(1 + D/s) >= D/(1 + D/s)", over=["s in (0, oo)", "D in (0, oo)"]),
    over=CORE,
)
FROM_BELOW = formula_leg(
    "D from below",
    typed(f"1/(2*(1 + 3/(5*z))**2) >= {LOW}", over="z in [1, oo)"),
    over=CORE,
    where=z >= 1,
)

RATIO = r"E_t\,\frac{t+z}{\log(1+t/z)}"

scalar = claim(
    "granularity-log-growth-core",
    lhs=RATIO,
    states="granularity-log-growth",
    title="The scalar recursion of logarithmic growth",
    says=r"$y_{t+1}=y_t+Ce^{-y_t}$ has $0\le y_t-\log(Ct+t_0)=(\frac12\pm\frac1z)\frac{\log(1+t/z)}{t+z}$, "
    r"$z=t_0/C\ge1$, for all $t\ge1$.",
    role="derived",
    covers="scalar-core",
    reads={"t0": "z C", "z0": "z"},
    domain={t: integers(0), z: reals(0, low_open=True), C: reals(0, low_open=True)},
    grid={
        "smoke": {t: [1, 30], z: [1, 20], C: [Fraction(1, 100), 3]},
        "standard": {t: [1, 2, 300], z: [1, 7, 1000], C: [Fraction(1, 100), 3]},
    },
    legs=[
        leg(
            "ratio from above",
            growth_ratio,
            required=False,
            closed_form=HIGH,
            relation=at_most(),
            where=(t >= 1) & (z >= 1),
            lhs=RATIO,
        ),
        leg(
            "ratio from below",
            growth_ratio,
            required=False,
            closed_form=LOW,
            relation=at_least(),
            where=(t >= 1) & (z >= 1),
            lhs=RATIO,
        ),
        leg(
            "sign",
            plain_error,
            required=False,
            closed_form=sp.Integer(0),
            relation=at_least(),
            unit=1,
            lhs="E_t",
            tex="0",
            grid={"smoke": {t: [0, 1, 20], z: [Fraction(1, 5), 3], C: [1]}},
            where=(z > sp.Rational(1, 100)),
        ),
        NO_LESS,
        STEP_LOW,
        CUBE,
        STEP_HIGH,
        SUM_LOW,
        SUM_HIGH,
        ENDS,
        FROM_ABOVE,
        SMALL,
        STATE,
        LOG_HIGH,
        LOG_LOW,
        FROM_BELOW,
    ],
    rivals=[
        variant(
            "up to 1/(12 z)",
            closed_form=sp.Rational(1, 2) + 1 / (12 * z),
            leg="ratio from above",
            at={t: [2], z: [7], C: [1]},
        ),
        variant(
            "one without 1/2",
            closed_form=1 - 1 / z,
            leg="ratio from below",
            at={t: [30], z: [20], C: [1]},
        ),
        variant(
            "1/(3 z) above 1/2",
            closed_form=sp.Rational(1, 2) + 1 / (3 * z),
            leg="ratio from below",
            at={t: [30], z: [7], C: [1]},
        ),
        variant("half the growth", simulation=half_the_growth, leg="sign"),
        *rivals_of(NO_LESS, {"u + 3/2": "u*exp(1/u) >= u + 3/2"}),
        *rivals_of(STEP_LOW, {"1/u": "u*exp(1/u) >= u + 1 + 1/u"}),
        *rivals_of(CUBE, {"a sixth": "exp(x) <= 1 + x + x**2/2 + x**3/6"}),
        *rivals_of(
            STEP_HIGH, {"u below s": {"over": ["z in [1, oo)", "s in [z, oo)", "u in (0, s]"]}}
        ),
        *rivals_of(SUM_LOW, {"at the other end": "1/(s + 1) >= log(1 + 1/s)"}),
        *rivals_of(SUM_HIGH, {"without the ends": "1/s <= log(1 + 1/s)"}),
        *rivals_of(ENDS, {"half of it": "1/z - 1/(z + t) <= log(1 + t/z)/(2*z)"}),
        *rivals_of(FROM_ABOVE, {"from 1/2 on": {"over": "z in [1/2, oo)"}}),
        *rivals_of(SMALL, {"a third": "log(1 + t/z)/(z + t) <= 1/(3*z)"}),
        *rivals_of(STATE, {"1/2": f"({HIGH})*2/(5*z) <= 1/(2*z)"}),
        *rivals_of(LOG_HIGH, {"half": "s*log(1 + D/s) <= D/2"}),
        *rivals_of(LOG_LOW, {"D": "s*log(1 + D/s) >= D"}),
        *rivals_of(FROM_BELOW, {"1/(2 z)": "1/(2*(1 + 3/(5*z))**2) >= 1/2 - 1/(2*z)"}),
    ],
)

SUM = sp.Sum(1 / (z + j), (j, 0, t))
TWICE = 2 * eps * SUM


def perturbed_error(t, z, eps, e):
    """|E_t| with factors 1 + eps e_t. Shape ()."""
    with ctx.workprec(BITS):
        return abs(error(t, z, 1, [eps * x for x in e]))


def extreme_error(t, z, eps, sign=1):
    """|E_t| with 1 + eps in every step, or 1 - eps. Shape ()."""
    return perturbed_error(t, z, eps, [sign] * t)


def slowed_error(t, z, eps):
    return extreme_error(t, z, eps, sign=-1)


def factors_of(rng, t):
    """Numbers in [-1, 1], a step each, with long runs at the ends."""
    ends, inner = [int(x) for x in rng.signs((t,))], [int(x) for x in rng.integers(-8, 9, (t,))]
    cut = int(rng.integers(0, t + 1))
    return {"e": [Fraction(x) for x in ends[:cut]] + [Fraction(x, 8) for x in inner[cut:]]}


CLAUSE = "eps t e"
NARROW = "eps in (0, 1/10]"
CONVEX = formula_leg(
    "log from below", typed("y - log(1 + y) <= y**2/2", over="y in [0, oo)"), over=CLAUSE
)
# y is 1/s, at most eps
GAIN = formula_leg(
    "gain from 0", typed("eps*y + y**2/2 <= 3/2*eps*y", over=[NARROW, "y in (0, eps]"]), over=CLAUSE
)
LOSS = formula_leg(
    "loss from 0",
    typed("(1 - eps)/s - log(1 + 1/s) >= -eps/s", over=[NARROW, "s in (0, oo)"]),
    over=CLAUSE,
)
LEAST = formula_leg(
    "least state", typed("u*exp(a/u) >= u + a", over=["u in (0, oo)", "a in (0, oo)"]), over=CLAUSE
)
BELOW = formula_leg(
    "growing, E below 0",
    typed(
        "a*exp(-E)/s - a/s <= -E",
        over=["s in [10, oo)", "a in [9/10, 11/10]", "E in [log(9/10), 0]"],
    ),
    over=CLAUSE,
)
ABOVE = formula_leg(
    "growing, E above 0",
    typed("E + a*exp(-E)/s >= a/s", over=["s in [10, oo)", "a in [9/10, 11/10]", "E in [0, oo)"]),
    over=CLAUSE,
)
SUMMED = formula_leg(
    "all steps",
    typed(
        f"v <= {TWICE}",
        over=["t in 0..oo", "z in (0, oo)", NARROW, f"v in [0, {3 * eps / 2 * SUM}]"],
    ),
    over="e",
)

perturbed = claim(
    "granularity-log-growth-perturbed",
    lhs=r"|E_t|",
    tex=r"2\varepsilon\sum_{s=z}^{z+t}\frac1s",
    states="granularity-log-growth",
    title="Logarithmic growth with factors in every step",
    says=r"With factors $1+e_t$, $|e_t|\le\varepsilon\le\frac1{10}$, and $z\ge\frac1\varepsilon$: "
    r"$|E_t|\le2\varepsilon\sum_{s=z}^{z+t}\frac1s$, whatever the $e_t$ are.",
    role="derived",
    covers="perturbed-core",
    reads={"z0": "z"},
    domain={t: integers(0), z: reals(10), eps: reals(0, Fraction(1, 10), low_open=True)},
    where=z * eps >= 1,
    grid={
        "smoke": [{t: n, z: 20, eps: Fraction(1, 20)} for n in (1, 40)]
        + [{t: 1, z: 1000, eps: Fraction(1, 1000)}],
        "standard": {t: [1, 40, 150], z: [20, 100], eps: [Fraction(1, 20), Fraction(1, 10)]},
    },
    closed_form=TWICE,
    relation=at_most(),
    legs=[
        leg(
            "any factors",
            perturbed_error,
            instances=instances(factors_of, "e", smoke=4, standard=8),
            required=False,
            where=t <= 200,
        ),
        leg("the largest factors", extreme_error, required=False, where=t <= 200),
        leg("the least factors", slowed_error, required=False, where=t <= 200),
        CONVEX,
        GAIN,
        LOSS,
        LEAST,
        BELOW,
        ABOVE,
        SUMMED,
    ],
    rivals=[
        variant(
            "constant 1",
            closed_form=eps * SUM,
            leg="the largest factors",
            at={t: [5], z: [20], eps: [Fraction(1, 20)]},
        ),
        variant(
            "constant 2/5, slowed",
            closed_form=2 * eps / 5 * SUM,
            leg="the least factors",
            at={t: [15], z: [20], eps: [Fraction(1, 20)]},
        ),
        variant(
            "a quarter",
            closed_form=eps / 4 * SUM,
            leg="any factors",
            at={t: [1], z: [20], eps: [Fraction(1, 20)]},
        ),
        *rivals_of(CONVEX, {"a quarter of the square": "y - log(1 + y) <= y**2/4"}),
        *rivals_of(GAIN, {"y up to 2 eps": {"over": [NARROW, "y in (0, 2*eps]"]}}),
        *rivals_of(LOSS, {"half of it": "(1 - eps)/s - log(1 + 1/s) >= -eps/(2*s)"}),
        *rivals_of(LEAST, {"2 a": "u*exp(a/u) >= u + 2*a"}),
        *rivals_of(
            BELOW,
            {
                "from s = 1 on": {
                    "over": ["s in [1, oo)", "a in [9/10, 11/10]", "E in [log(9/10), 0]"]
                }
            },
        ),
        *rivals_of(
            ABOVE,
            {
                "above, from s = 1 on": {
                    "over": ["s in [1, oo)", "a in [9/10, 11/10]", "E in [0, oo)"]
                }
            },
        ),
        *rivals_of(
            SUMMED,
            {
                "beside 3": {
                    "over": ["t in 0..oo", "z in (0, oo)", NARROW, f"v in [0, {3 * eps * SUM}]"]
                }
            },
        ),
    ],
)

second_printed = formula(
    "granularity-log-growth-second-printed",
    states="granularity-log-growth",
    title="The second form of the error as printed",
    covers="second-error-bound",
    expect="fail",
    says="Sum(1/(z + j), (j, 0, t - T)) <= K*(log(t) - log(z))",
    over=["K > 0", "z in 1..oo", "T in 1..oo", "t in T..oo"],
)

T = sp.Symbol("T", integer=True, nonnegative=True)


def harmonic_sum(t, T, z):
    """The sum of 1/s for s = z, ..., z + t - T. Shape ()."""
    return sum((1 / (Fraction(z) + i) for i in range(t - T + 1)), Fraction(0))


SECOND = sp.log((z + t - T) / z) + 1 / z
# s is z + t - T_11
ONE_MORE = formula_leg(
    "one more step", typed("1/(s + 1) <= log(s + 1) - log(s)", over="s > 0 real"), over="t"
)

second_right = claim(
    "granularity-log-growth-second",
    lhs=r"\sum_{s=z}^{z+t-T_{1,1}}\frac1s",
    states="granularity-log-growth",
    title="The second form of the error",
    says=r"$\sum_{s=z}^{z+t-T_{1,1}}\frac1s\le\log\big(1+\frac{t-T_{1,1}}z\big)+\frac1z$ for all $t\ge T_{1,1}$.",
    role="corrected",
    corrects="granularity-log-growth-second-printed",
    covers="second-error-bound",
    domain={T: integers(0), t: integers(0), z: reals(0, low_open=True)},
    where=t >= T,
    grid={
        "smoke": [{T: 3, t: t0, z: x} for t0 in (3, 4, 20) for x in (Fraction(1, 2), 1, 30)],
        "standard": [{T: 5, t: t0, z: x} for t0 in (5, 60, 200) for x in (Fraction(1, 9), 8, 300)],
    },
    closed_form=SECOND,
    relation=at_most(),
    legs=[leg("added up", harmonic_sum, where=t - T <= 300), ONE_MORE],
    rivals=[
        variant("as printed", closed_form=sp.log(t) - sp.log(z), leg="added up"),
        variant("without 1/z", closed_form=sp.log((z + t - T) / z), leg="added up"),
        *rivals_of(
            ONE_MORE,
            {
                "half of the logarithm": "1/(s + 1) <= (log(s + 1) - log(s))/2",
            },
        ),
    ],
)
