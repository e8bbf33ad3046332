"""Lemma 6.1: size of the weight-decay optimum, printed without a condition on lambda, and with one.

Setting. w* = (alpha on R, beta on U) minimises L(w) + (lambda/2)|w|^2, 0 < beta < alpha; r >= 37, gamma in
(3/sqrt(r), 1/2).

Printed. alpha < 1/sqrt(r) and alpha/beta < 3/(4 gamma) for every lambda > 0. Both fail for small lambda. For any c
> 0 the vector c 1_R has risk at most ((1 - e^{-c})/c)^r + lambda r c^2/2, by ell(m) <= e^{-m}; with lambda = v
c^{-r-2}/r that is c^{-r} ((1 - e^{-c})^r + v/2). (1) If alpha < 1/sqrt(r), no margin exceeds d/sqrt(r), so that
the optimum has risk at least ell(d/sqrt(r)). (2) If alpha/beta < 3/(4 gamma), the margin is not positive where
every environmental coordinate is at most -3/4 and S <= gamma, so that the optimum has risk at least log(2) ((1/2 -
gamma)/4)^(d-r) gamma^r/r!. Each is compared with c 1_R: as printed it would have to be the smaller for all lambda
and c.

Corrected. For n = d - r > r/gamma^2 and lambda >= sqrt(r) exp(-sqrt(r)/5)/3: (3) (E.31), lambda alpha <= 1/(2(1 +
exp(alpha (r-1)/4))) + exp(-(r-1)/8)/4 + exp(-n gamma^2/2)/2. With g = -ell' and S' the sum without the coordinate,
g(alpha S + beta T) is at most 1/(1 + exp(alpha (r-1)/4)) where S' >= (r-1)/4 and T >= 0, at most 1/2 where only T
>= 0, at most 1 elsewhere; the coordinate has mean 1/2, and Lemma E.4 bounds the probabilities. (4) At alpha >=
1/sqrt(r) the left side is at least exp(-sqrt(r)/5)/3 and the right side, falling in alpha and n, is less (s =
sqrt(r) >= 6). (5) Then, as alpha < 1/sqrt(r) < gamma/3, the ratio bound follows from the repaired quotient
(`ratio_chain`), whose constants are E[(b - a)_+ a] = 1/24, E[(a + b) b] = 7/12, E[(b - a)_+ b] = 1/8: g(Z + x) lies
between e^(-x) g(Z) and g(Z) for x >= 0, and is at most e^(-x) g(Z) for x < 0, with e^y - 1 <= y (1 + y) for 0 <= y <=
1.

The steps below hold for the whole domain. They stand beside the optimum itself, in the claims that run it:
`population_optimum` has those of (3), `optimum_sizes` those of (4) and (5).

Reference: Lemma 6.1, E.5 and E.6, lines 1803 and 9116-9228.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    exactly,
    formula,
    formula_leg,
    reaching,
    rivals_of,
    sharpened,
    typed,
    variant,
)

from . import tails
from .lambda_threshold import (
    FIRST,
    FROM_40,
    RIVALS,
    SECOND,
    TERMS,
    THIRD,
    UP_TO_40,
    at_root,
    large,
    one_third,
    s,
)
from .ratio_chain import LIMIT, LONG, SHORT, SUM, quotient

EVERY = [
    "r in 37..oo",
    "gamma in (3/sqrt(r), 1/2)",
    "d in r + 1..oo",
    "c in (0, oo)",
    "v in (0, oo)",
]
"""v stands for lambda: lambda = v c^(-r-2)/r."""


def beaten_by(r, c, v):
    """What bounds the regularised risk of c on R, v for lambda r c^(r + 2)."""
    return c ** (-r) * ((1 - sp.exp(-c)) ** r + v / 2)


BEATEN_BY = beaten_by(*sp.symbols("r c v", positive=True))


def least_risk(r, d):
    """Of weights up to 1/sqrt(r): no margin exceeds d/sqrt(r)."""
    return sp.log(1 + sp.exp(-d / sp.sqrt(r)))


small_printed = formula(
    "nuclear-l2-alpha-printed",
    states="nuclear-erm-l2-optimum",
    title=r"$\alpha<1/\sqrt r$ for every $\lambda$",
    says=f"{least_risk(*sp.symbols('r d', positive=True))} <= {BEATEN_BY}",
    over=EVERY,
    expect="fail",
    covers="alpha-small",
    reads={"lambda": "v c"},
)

SMALL_SUM = sp.Symbol("gamma", positive=True) ** sp.Symbol("r", positive=True) / sp.factorial(
    sp.Symbol("r", positive=True)
)
"""The probability that S is at most gamma."""
FAR = "(1/2 - gamma)/4"
"""The probability that an environmental coordinate is at most -3/4, see `FAR_LEG`."""

ratio_printed = formula(
    "nuclear-l2-ratio-printed",
    states="nuclear-erm-l2-optimum",
    title=r"$\alpha/\beta < 3/(4\gamma)$ for every $\lambda$",
    says=f"log(2)*({FAR})**(d - r)*c**r*({SMALL_SUM}) <= (1 - exp(-c))**r + v/2",
    over=EVERY,
    expect="fail",
    covers="ratio",
    reads={"lambda": "v c"},
)

POSITIVE = ["alpha in (0, oo)", "beta in (0, oo)", "S in [0, oo)"]

# ---- (E.31)

NOT_NEGATIVE = formula_leg(
    "T not negative",
    typed("1/(1 + exp(alpha*S + beta*T)) <= 1/2", over=[*POSITIVE, "T in [0, oo)"]),
)
ALWAYS = formula_leg("always", typed("1/(1 + exp(m)) <= 1", over="m in (-oo, oo)"))
alpha, r, d = (sp.Symbol(name, positive=True) for name in ("alpha", "r", "d"))
LARGE = large(alpha, r)
# S' is S more than the threshold of its tail, (r - 1)/4
BEYOND = f"1/(1 + exp(alpha*({tails.PART}*(r - 1) + S) + beta*T)) <= {{bound}}".format
LARGE_OVER = ["r in 1..oo", *POSITIVE, "T in [0, oo)"]
BOTH_LARGE = formula_leg("both large", typed(BEYOND(bound=2 * LARGE), over=LARGE_OVER))
LOW, LEFT = tails.LOWER.subs(tails.r, r - 1), tails.TAIL.subs(tails.n, d - r)
"""The first term of (E.31), and what bounds the probabilities of S' <= (r - 1)/4 and of T <= 0."""
THREE = LARGE + LOW / 4 + LEFT / 2
# p LOW and q LEFT are the two probabilities; the coordinate, of mean 1/2, is independent of the rest
SUMMED = formula_leg(
    "summed",
    typed(
        f"({2 * LARGE} + p*{LOW}/2 + q*{LEFT})/2 <= {THREE}",
        over=[
            "r in 1..oo",
            "d in r + 1..oo",
            "gamma in (0, 1/2)",
            "alpha in (0, oo)",
            "p in [0, 1]",
            "q in [0, 1]",
        ],
    ),
    over="lambda",
)
MARKOV = [formula_leg(step.name, step.simulation) for step in (tails.TWO, tails.ONE, tails.PRODUCT)]
E31 = [BOTH_LARGE, NOT_NEGATIVE, ALWAYS, *MARKOV, SUMMED]
E31_RIVALS = [
    *rivals_of(
        BOTH_LARGE,
        {
            "nine tenths of it": BEYOND(bound=9 * LARGE / 5),
            "nine tenths of it where all of it matters": {
                "says": BEYOND(bound=9 * LARGE / 5),
                "over": [
                    "r in 9..oo",
                    "alpha in (1, 2)",
                    "beta in (0, 1)",
                    "S in [0, 1]",
                    "T in [0, 1]",
                ],
            },
        },
    ),
    *reaching(BOTH_LARGE, "r >= 9 and alpha >= 9 and beta >= 9 and S <= 1/9 and T <= 1/9"),
    *sharpened(NOT_NEGATIVE, ALWAYS),
    *reaching(ALWAYS, "m <= -9", "m >= 9"),
    *sharpened(MARKOV[0], times="4/5"),
    *sharpened(MARKOV[2], times="99/100"),
    *rivals_of(ALWAYS, {"9/10 always": "1/(1 + exp(m)) <= 9/10"}),
    *rivals_of(NOT_NEGATIVE, {"1/2 whatever T": {"over": [*POSITIVE, "T in (-oo, oo)"]}}),
    *rivals_of(MARKOV[0], {"Markov for exp(-r/2)": f"({tails.MEAN_TWO})**r <= exp(-r/2)"}),
    *rivals_of(
        MARKOV[1],
        {"Markov for exp(-n gamma^2)": f"{tails.MEAN_ONE} <= gamma*exp(-gamma**2)"},
    ),
    *rivals_of(MARKOV[2], {"n - 1 of them": f"c**(n - 1) <= {tails.TAIL}"}),
    *rivals_of(
        SUMMED,
        {
            "a quarter of the last": f"({2 * LARGE} + p*{LOW}/2 + q*{LEFT})/2 <= {THREE - LEFT / 4}",
            "by 1/100 where none is small": {
                "says": f"{SUMMED.simulation.says} - 1/100",
                "over": [
                    "r in {1}",
                    "d in {2}",
                    "gamma in (0, 1/9)",
                    "alpha in (0, 1)",
                    "p in [0, 1]",
                    "q in [0, 1]",
                ],
            },
        },
    ),
]

# ---- alpha


LEVEL = 1 / sp.sqrt(r)
"""Of alpha."""
AT_LEAST = formula_leg(
    "left side",
    typed(
        f"lam*alpha >= {at_root(r)}",
        over=[
            "r in 37..oo",
            f"alpha in [{LEVEL}, oo)",
            f"lam in [sqrt(r)*{at_root(r)}, oo)",
        ],
    ),
)
FALLING = formula_leg(
    "falling in alpha",
    typed(
        f"{LARGE} <= {LARGE.subs(alpha, LEVEL)}",
        over=["r in 37..oo", f"alpha in [{LEVEL}, oo)"],
    ),
)
FALLING_IN_N = formula_leg(
    "falling in n",
    typed(
        f"{tails.TAIL} <= {2 * THIRD.subs(s, sp.sqrt(r))}",
        over=["r in 37..oo", "gamma in (3/sqrt(r), 1/2)", "n in (r/gamma**2, oo)"],
    ),
)
FIRST_FROM_40, SECOND_FROM_40, THIRD_FROM_40 = FROM_40
SMALL = [
    AT_LEAST,
    FALLING,
    FALLING_IN_N,
    formula_leg(UP_TO_40.name, UP_TO_40.simulation, gives="C", chosen_by=one_third),
    *FROM_40,
]
SMALL_RIVALS = [
    *sharpened(AT_LEAST),
    *sharpened(FALLING, times="99/100"),
    *rivals_of(
        FALLING_IN_N,
        {
            "by 1/100 at r = 37": {
                "says": f"{FALLING_IN_N.simulation.says}*(99/100)",
                "over": ["r in {37}", "gamma in (249/500, 1/2)", "n in (r/gamma**2, 160)"],
            }
        },
    ),
    *RIVALS,
    *rivals_of(AT_LEAST, {"2/5 for 1/3": "lam*alpha >= 2*exp(-sqrt(r)/5)/5"}),
    *rivals_of(
        FALLING,
        {
            "from half of it on": {"over": ["r in 37..oo", "alpha in [1/(2*sqrt(r)), oo)"]},
        },
    ),
    *rivals_of(
        FALLING_IN_N,
        {
            "n from half of it on": {
                "over": ["r in 37..oo", "gamma in (3/sqrt(r), 1/2)", "n in (r/(2*gamma**2), oo)"]
            }
        },
    ),
    variant(
        "C = 0.322",
        leg="s up to 40",
        simulation=typed(f"161*exp(-s/5)/500 > {TERMS}", over="s in [sqrt(37), 40]"),
    ),
    variant(
        "rate 1/4",
        leg="s up to 40",
        simulation=typed(f"exp(-s/4)/3 > {TERMS}", over="s in [6, 40]"),
    ),
    *rivals_of(
        FIRST_FROM_40,
        {"first term, rate 1/3": f"{FIRST} < exp(-s/3)/6"},
    ),
    *rivals_of(
        SECOND_FROM_40,
        {
            "second term from 1": {
                "says": f"{SECOND} < exp(-s/5)/12",
                "over": "s in [1, oo)",
            }
        },
    ),
    *rivals_of(
        THIRD_FROM_40,
        {"third term from 1": {"says": f"{THIRD} < exp(-s/5)/12", "over": "s in [1, oo)"}},
    ),
]

# ---- the ratio

RATIO = 3 / (4 * sp.Symbol("gamma", positive=True))
QUOTIENT = quotient(f"(t*{LIMIT})")
BELOW = formula_leg(
    "alpha below gamma/3",
    typed(f"alpha < {LIMIT}", over=[*EVERY[:2], f"alpha in (0, {LEVEL})"]),
)
SHIFT = formula_leg(
    "shift",
    typed(
        "exp(-x)/(1 + exp(m)) <= 1/(1 + exp(m + x)) <= 1/(1 + exp(m))",
        over=["x in [0, oo)", "m in R"],
    ),
)
SHIFT_BACK = formula_leg(
    "shift back",
    typed("1/(1 + exp(m - x)) <= exp(x)/(1 + exp(m))", over=["x in [0, oo)", "m in R"]),
)
LINE = formula_leg("line", typed("exp(-x) >= 1 - x", over="x in [0, oo)"))
PARABOLA = formula_leg("exponential", typed("exp(x) - 1 <= x*(1 + x)", over="x in [0, 1]"))
BELOW_RATIO = formula_leg(
    "quotient",
    typed(f"0 < {QUOTIENT} < {RATIO}", over=["t in (0, 1)", "gamma in (0, 1/2)"]),
    over="d lambda",
)
CORNER_A = formula_leg(
    "E (b - a)_+ a",
    typed(
        f"Integral(Integral((b - a)*a, (a, 0, b)), (b, 0, k)) == {SHORT}*k**4", over="k in (0, 1]"
    ),
)
CORNER_B = formula_leg(
    "E (b - a)_+ b",
    typed(
        f"Integral(Integral((b - a)*b, (a, 0, b)), (b, 0, k)) == {LONG}*k**4", over="k in (0, 1]"
    ),
)
SQUARE = formula_leg(
    "E (a + b) b",
    typed(f"Integral(Integral((a + b)*b, (a, 0, k)), (b, 0, k)) == {SUM}*k**4", over="k in (0, 1]"),
)
SMALL_RATIO = [BELOW, SHIFT, SHIFT_BACK, LINE, PARABOLA, CORNER_A, CORNER_B, SQUARE, BELOW_RATIO]
WHERE_X_MATTERS = ["x in [1, 2]", "m in R"]
SMALL_RATIO_RIVALS = [
    *sharpened(BELOW, times="99/100"),
    *sharpened(SHIFT, times="99/100"),
    *rivals_of(
        SHIFT,
        {
            "shift, by 1/100 for x >= 1": {
                "says": f"101/100*{SHIFT.simulation.says}",
                "over": WHERE_X_MATTERS,
            }
        },
    ),
    *reaching(SHIFT, "m <= -9 and x >= 9", "m >= 9 and x >= 9"),
    *rivals_of(
        SHIFT_BACK,
        {
            "shift back, by 1/100 for x >= 1": {
                "says": f"{SHIFT_BACK.simulation.says}*(99/100)",
                "over": WHERE_X_MATTERS,
            }
        },
    ),
    *reaching(SHIFT_BACK, "m <= -9 and x >= 9", "m >= 9 and x >= 9"),
    *rivals_of(
        LINE,
        {
            "by 1/100 from 1/10 on": {
                "says": f"{LINE.simulation.says} + 1/100",
                "over": "x in [1/10, oo)",
            }
        },
    ),
    *reaching(LINE, "x >= 9"),
    *sharpened(PARABOLA, times="99/100"),
    *reaching(PARABOLA, "x >= 9/10"),
    *sharpened(BELOW_RATIO, times="4/5"),
    *exactly(CORNER_A, CORNER_B, SQUARE),
    *(v for step in (CORNER_A, CORNER_B, SQUARE) for v in reaching(step, "k >= 9/10")),
    *rivals_of(
        BELOW,
        {"alpha below gamma/4": "4*alpha < gamma"},
    ),
    *rivals_of(
        SHIFT,
        {"e^(-x/2)": "exp(-x/2)/(1 + exp(m)) <= 1/(1 + exp(m + x)) <= 1/(1 + exp(m))"},
    ),
    *rivals_of(SHIFT_BACK, {"e^(x/2)": "1/(1 + exp(m - x)) <= exp(x/2)/(1 + exp(m))"}),
    *rivals_of(LINE, {"1 - x/2": "exp(-x) >= 1 - x/2"}),
    *rivals_of(PARABOLA, {"x(1 + x/2)": "exp(x) - 1 <= x*(1 + x/2)"}),
    *rivals_of(
        BELOW_RATIO,
        {
            "1/(2 gamma)": f"{QUOTIENT} < 1/(2*gamma)",
            "up to alpha = gamma": {"over": ["t in (0, 3)", "gamma in (0, 1/2)"]},
        },
    ),
    *rivals_of(
        CORNER_B,
        {"1/6 for 1/8": "Integral(Integral((b - a)*b, (a, 0, b)), (b, 0, k)) == k**4/6"},
    ),
    *rivals_of(
        CORNER_A,
        {"1/12 for 1/24": "Integral(Integral((b - a)*a, (a, 0, b)), (b, 0, k)) == k**4/12"},
    ),
    *rivals_of(
        SQUARE,
        {"5/12 for 7/12": "Integral(Integral((a + b)*b, (a, 0, k)), (b, 0, k)) == 5*k**4/12"},
    ),
]
FAR_LEG = formula_leg(
    "at most -3/4",
    typed(f"Integral(1/2 - gamma, (x, -1, -3/4)) == {FAR}", over="gamma in (0, 1/2)"),
)
# q 3/(4 gamma) for alpha/beta; T is at most -3/4 where each of its coordinates is
MISLED = formula_leg(
    "margin not positive",
    typed(
        f"q*{RATIO}*S + T <= 0",
        over=["gamma in (0, 1/2)", "q in (0, 1]", "S in [0, gamma]", "T in (-oo, -3/4]"],
    ),
)
SMALL_RATIO += [FAR_LEG, MISLED]
SMALL_RATIO_RIVALS += [
    *rivals_of(FAR_LEG, {"at most -1/2": f"Integral(1/2 - gamma, (x, -1, -1/2)) == {FAR}"}),
    *exactly(FAR_LEG),
    *reaching(FAR_LEG, "gamma >= 4/9"),
    *sharpened(MISLED),
    *reaching(MISLED, "q >= 9/10 and S >= 9*gamma/10 and T >= -9"),
]
