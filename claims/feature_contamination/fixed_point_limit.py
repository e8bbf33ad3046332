"""The other-class activation of the fixed point as the features grow in number (derived).

Setting. As in `asymmetry_fixed_point`, with shares a of core and 1 - a of background features among n = d_0 that stay
as they are, c = mu/sigma: p = Phi(sqrt(n) c G(p)), G(p) = ((1 - a)(1 - p) - a (1 + p))/sqrt(a (1 + p)^2 + (1 - a)(1 -
p)^2).

Statement. p tends to p_0 = max(0, 1 - 2a): for 0 < e < 1, |p - p_0| < e once n > 8 log(2/e)/(c e)^2. The numerator of
G is 1 - 2a - p and its denominator at most 2. If p >= p_0 + e, then G <= -e/2, and p <= 2 exp(-n (c e)^2/8) < e,
which is below p. If p <= p_0 - e, then G >= e/2, and 1 - p <= 2 exp(-n (c e)^2/8) < e; but 1 - p >= 1 - p_0 + e >= e.
Beside the formulas the equation is solved: where |p - p_0| >= e, n is no more than that. At a = 1/4 the root is p_0 =
1/2 at every n; at other shares it is not p_0 at any.

Reference: derived from Lemmas B.1, B.3, B.4, lines 525-658 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, formula_leg, integers, leg, reals, rivals_of, typed, variant

n = sp.symbols("n", integer=True, positive=True)
a, c, e = sp.symbols("a c e", positive=True)

BETWEEN = ["a in (0, 1)", "p in (0, 1)"]
PAID = {"over": "d0"}

NUMERATOR = formula_leg(
    "numerator", typed("(1 - a)*(1 - p) - a*(1 + p) == 1 - 2*a - p", over=BETWEEN), **PAID
)
DENOMINATOR = formula_leg(
    "denominator", typed("a*(1 + p)**2 + (1 - a)*(1 - p)**2 <= 4", over=BETWEEN), **PAID
)


def gauss(square):
    """The bound on the tail, by t^2."""
    return f"2*exp(-({square})/2)"


def at_last(enough):
    """That at n = ``enough`` + s, t = sqrt(n) c e/2."""
    return gauss(f"({enough} + s)*(c*e/2)**2")


TAIL = formula_leg(
    "tail", typed(f"erfc(t/sqrt(2))/2 <= {gauss('t**2')}", over="t in [0, oo)"), **PAID
)
ENOUGH = 8 * sp.log(2 / e) / (c * e) ** 2
SMALL = formula_leg(
    "small at last",
    typed(
        f"{at_last(ENOUGH)} < e",
        over=["s in (0, oo)", "c in (0, oo)", "e in (0, 1)"],
    ),
    **PAID,
)


def still_apart(ns, a, n, c, e):
    """n where the root is e or more away from max(0, 1 - 2a), else 0: the root of Phi(sqrt(n) c G(p)) = p by bisection,
    between two ends 2^-20 apart. Shape ()."""
    core, scale = ns.asarray(a), ns.sqrt(ns.asarray(n)) * ns.asarray(c)
    low, high = ns.asarray(0), ns.asarray(1)
    for _ in range(20):
        p = (low + high) / 2
        spread = ns.sqrt(core * (1 + p) ** 2 + (1 - core) * (1 - p) ** 2)
        argument = scale * ((1 - core) * (1 - p) - core * (1 + p)) / spread
        above = (1 + ns.erf(argument / ns.sqrt(ns.asarray(2)))) / 2 > p
        low, high = ns.where(above, p, low), ns.where(above, high, p)
    limit = ns.maximum(ns.asarray(0), 1 - 2 * core)
    far = ns.maximum(high - limit, limit - low) >= ns.asarray(e)
    return ns.where(far, ns.asarray(n), ns.asarray(0))


limit = claim(
    "contamination-fixed-point-limit",
    states="contamination-asymmetry-fixed-point",
    title="The other-class activation for many features",
    says=r"With shares $a$ of core and $1-a$ of background features kept, the root $p$ is within $e$ of "
    r"$\max(0,1-2a)$ once $d_0>8\log(2/e)/(e\mu/\sigma)^2$, for every $0<e<1$.",
    role="derived",
    covers="limits",
    domain={
        a: reals(0, 1, low_open=True, high_open=True),
        n: integers(1),
        c: reals(0, low_open=True),
        e: reals(0, 1, low_open=True, high_open=True),
    },
    grid={
        "smoke": {
            a: [Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)],
            n: [1, 7, 10**5],
            c: [1, Fraction(7, 4)],
            e: [Fraction(1, 4), Fraction(1, 8)],
        },
        "standard": {
            a: [Fraction(1, 10), Fraction(1, 2)],
            n: [3, 30, 300],
            c: [Fraction(7, 4), Fraction(1, 5)],
            e: [Fraction(1, 8), Fraction(1, 2)],
        },
    },
    relation=at_most(),
    legs=[
        NUMERATOR,
        DENOMINATOR,
        TAIL,
        SMALL,
        leg(
            "the root",
            still_apart,
            closed_form=ENOUGH,
            required=False,
            lhs=r"n\,[\,|p-p_0|\ge e\,]",
            tex=r"\frac{8\log(2/e)}{(e\mu/\sigma)^2}",
        ),
    ],
    mutate=False,
    rivals=[
        *rivals_of(
            NUMERATOR, {"the blocks exchanged": "(1 - a)*(1 - p) - a*(1 + p) == 2*a - 1 - p"}
        ),
        *rivals_of(DENOMINATOR, {"at most 1": "a*(1 + p)**2 + (1 - a)*(1 - p)**2 <= 1"}),
        *rivals_of(TAIL, {"exp(-t^2)": "erfc(t/sqrt(2))/2 <= 2*exp(-t**2)"}),
        *rivals_of(SMALL, {"from half of it on": f"{at_last(ENOUGH / 2)} < e"}),
        variant(
            "a fortieth of it",
            leg="the root",
            closed_form=ENOUGH / 40,
            at=[{a: Fraction(1, 2), n: 7, c: 1, e: Fraction(1, 4)}],
        ),
        variant(
            "at every size",
            leg="the root",
            closed_form=sp.Integer(0),
            at=[{a: Fraction(1, 10), n: 1, c: 1, e: Fraction(1, 8)}],
        ),
    ],
)
