"""Lemma E.4: two Hoeffding tails.

Setting. S is the sum of r invariant, T that of n = d - r environmental coordinates of the training law, 0 < gamma
< 1/2.

Statement. P[T <= 0] <= exp(-n gamma^2/2) and P[S <= r/4] <= exp(-r/8). For all n and r by Markov's inequality for
exp(-theta T) at theta = gamma, and for exp(-theta (S - r/4)) at theta = 2: the one-coordinate means are
sinh(gamma)/gamma - 2 (cosh(gamma) - 1) and e^{1/2} (1 - e^{-2})/2. Beside them the exact laws: Irwin and Hall's,
and its mixture over the number of signs.

Reference: Lemma E.4, lines 9104-9114. The bounds are loose: at r = 37 by a factor of 2 10^-6.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    exactly,
    formula_leg,
    hypothesis,
    integers,
    leg,
    reaching,
    reals,
    rivals_of,
    sharpened,
    typed,
    variant,
)

n, r = sp.symbols("n r", integer=True, positive=True)
gamma = sp.Symbol("gamma", positive=True)


def irwin_hall(count, x):
    """P(sum of ``count`` uniforms <= x), exact; 1 for no uniforms and x >= 0."""
    if count == 0:
        return Fraction(int(x >= 0))
    whole = min(int(x), count) if x >= 0 else -1
    terms = ((-1) ** k * comb(count, k) * (x - k) ** count for k in range(whole + 1))
    return Fraction(sum(terms), factorial(count))


def invariant_tail(r):
    """P(S <= r/4). Shape ()."""
    return irwin_hall(r, r * PART)


def quarter_cube(r):
    """P(S <= r/4) for r <= 4, times r!: the volume r^r/4^r of a simplex inside of the cube. Shape ()."""
    return factorial(r) * invariant_tail(r)


def environmental_tail(n, gamma):
    """P(T <= 0) over the number m of negative coordinates: T + m is a sum of n uniforms. Shape ()."""
    low, high = Fraction(1, 2) - gamma, Fraction(1, 2) + gamma
    return sum(
        comb(n, m) * low**m * high ** (n - m) * irwin_hall(n, Fraction(m)) for m in range(n + 1)
    )


LOWER = sp.exp(-r / 8)

PART = Fraction(1, 4)
"""The tail is that of S <= r/4."""
MEAN_AT = f"exp({PART}*{{k}})*(1 - exp(-{{k}}))/{{k}}"
"""The mean of exp(-k (u - 1/4)), u uniform on [0, 1]."""
OF_ONE = f"Integral(exp(-k*(u - {PART})), (u, 0, 1))"
MEAN_TWO = MEAN_AT.format(k=2)
TWO_OF_ONE = formula_leg(
    "mean on [0, 1]", typed(f"{OF_ONE} == {MEAN_AT.format(k='k')}", over="k in (0, 2]")
)
TWO = formula_leg(
    "Markov at 2",
    typed(f"({MEAN_TWO})**r <= {LOWER}", over="r in 1..oo"),
    over="z",
)

tail_invariant = claim(
    "nuclear-tail-invariant",
    lhs=r"\Pr[S\le r/4]",
    tex=r"e^{-r/8}",
    states="nuclear-hoeffding-tails",
    title="Tail of the invariant sum",
    says=r"$\Pr[S \le r/4] \le\exp(-r/8)$ for every $r \ge1$.",
    covers="tail-R",
    domain={r: integers(1)},
    grid={"smoke": {r: [1, 2, 5, 16, 26, 40]}, "standard": {r: [*range(1, 65), 512]}},
    closed_form=LOWER,
    relation=at_most(),
    legs=[
        leg("Irwin and Hall", invariant_tail, required=False),
        leg(
            "up to four",
            quarter_cube,
            relation=equals(),
            closed_form=(r / sp.Integer(4)) ** r,
            required=False,
            where=sp.Le(r, 4),
            grid={"smoke": {r: [1, 2, 3, 4]}},
            lhs=r"r!\Pr[S\le r/4]",
            tex=r"(r/4)^r",
        ),
        TWO_OF_ONE,
        TWO,
    ],
    assumes=[hypothesis("r <= 4", without=[{r: 5}], leg="up to four")],
    rivals=[
        *exactly(TWO_OF_ONE),
        *reaching(TWO_OF_ONE, "k >= 2", "k <= 1/9"),
        *sharpened(TWO, times="4/5"),
        *rivals_of(TWO_OF_ONE, {"without the quarter": f"{OF_ONE} == (1 - exp(-k))/k"}),
        variant("a fifth", leg="up to four", closed_form=(r / sp.Integer(5)) ** r),
        variant("exp(-r/2)", leg="Irwin and Hall", closed_form=sp.exp(-r / 2)),
        variant(
            "Markov for exp(-r/2)",
            leg="Markov at 2",
            simulation=typed(f"({MEAN_TWO})**r <= exp(-r/2)", over="r in 1..oo"),
        ),
    ],
)

TAIL = sp.exp(-n * gamma**2 / 2)
FACTOR = TAIL.subs(n, 1)
"""What bounds the mean of exp(-gamma z_j)."""
MEAN_ONE = "sinh(gamma) - 2*gamma*(cosh(gamma) - 1)"
"""gamma times the mean of exp(-gamma z_j)."""
HALVES = (
    "gamma*((1/2 + gamma)*Integral(exp(-gamma*u), (u, 0, 1))"
    " + (1/2 - gamma)*Integral(exp(-gamma*u), (u, -1, 0)))"
)
ONE_OF_ONE = formula_leg(
    "mean at gamma", typed(f"{HALVES} == {MEAN_ONE}", over="gamma in (0, 1/2)")
)
ONE = formula_leg(
    "Markov at gamma",
    typed(f"{MEAN_ONE} <= gamma*{FACTOR}", over="gamma in (0, 1/2)"),
)
# c is the mean of exp(-gamma z_j), and that of exp(-gamma T) is c^n
PRODUCT = formula_leg(
    "n of them",
    typed(f"c**n <= {TAIL}", over=["n in 1..oo", "gamma in (0, 1/2)", f"c in (0, {FACTOR}]"]),
    over="z",
)

tail_environmental = claim(
    "nuclear-tail-environmental",
    lhs=r"\Pr[T\le 0]",
    tex=r"e^{-n\gamma^2/2}",
    states="nuclear-hoeffding-tails",
    title="Tail of the environmental sum",
    says=r"$\Pr[T\le0]\le\exp(-n\gamma^2/2)$ for every $n\ge1$ and $\gamma\in(0,1/2)$.",
    covers="tail-U",
    domain={n: integers(1), gamma: reals(0, Fraction(1, 2), low_open=True, high_open=True)},
    grid={
        "smoke": {n: [1, 2, 7, 24], gamma: [Fraction(1, 20), Fraction(1, 5), Fraction(49, 100)]},
        # Rates that are too large by little fail from some hundreds on.
        "standard": [
            {n: k, gamma: Fraction(i, 20)} for k in (*range(1, 21), 40, 60) for i in range(1, 10)
        ]
        + [{n: 256, gamma: Fraction(1, 5)}],
    },
    closed_form=TAIL,
    relation=at_most(),
    legs=[
        leg("Irwin and Hall over the signs", environmental_tail, required=False),
        leg(
            "up to two",
            environmental_tail,
            relation=equals(),
            closed_form=sp.Rational(1, 2) - gamma,
            required=False,
            where=sp.Le(n, 2),
            grid={"smoke": {n: [1, 2], gamma: [Fraction(1, 20), Fraction(49, 100)]}},
            lhs=r"\Pr[T\le 0]",
            tex=r"\frac12-\gamma",
        ),
        ONE_OF_ONE,
        ONE,
        PRODUCT,
    ],
    assumes=[hypothesis("n <= 2", without=[{n: 3, gamma: Fraction(1, 5)}], leg="up to two")],
    rivals=[
        *exactly(ONE_OF_ONE),
        *reaching(ONE_OF_ONE, "gamma >= 4/9", "gamma <= 1/9"),
        *rivals_of(
            ONE,
            {
                "by 11/100 near 1/2": {
                    "says": f"{ONE.simulation.says}*(89/100)",
                    "over": "gamma in (249/500, 1/2)",
                }
            },
        ),
        *sharpened(PRODUCT, times="99/100"),
        *reaching(
            PRODUCT, "gamma >= 4/9 and n >= 9", "gamma >= 4/9 and c >= exp(-gamma**2/2)*(99/100)"
        ),
        *rivals_of(ONE_OF_ONE, {"of a uniform on [-1, 1]": f"{HALVES} == sinh(gamma)"}),
        variant("1/2", closed_form=sp.Rational(1, 2), leg="up to two"),
        variant(
            "exp(-4 n gamma^2)",
            leg="Irwin and Hall over the signs",
            closed_form=sp.exp(-4 * n * gamma**2),
        ),
        *rivals_of(
            ONE,
            {"Markov for exp(-n gamma^2)": f"{MEAN_ONE} <= gamma*exp(-gamma**2)"},
        ),
        *rivals_of(PRODUCT, {"n - 1 of them": f"c**(n - 1) <= {TAIL}"}),
    ],
)
