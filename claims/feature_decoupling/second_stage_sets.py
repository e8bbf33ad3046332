r"""Induction Hypothesis D.1 (a) and (c) in the mean recursion of the second stage, and E.2 (7).

Setting. As in `second_stage`. c is c0, c1 = 2 + 2 (1 - gamma) c0. A sure winner i of column j has alpha^2 >= c1 log d/d
|M M^T w(0)|^2; the first stage keeps the columns' proportions, so that at T1, where b = sqrt(2 log d/d) |w|, it has
alpha/b >= sqrt(c1 F/2), F <= 1 the share of |w|^2 in the span, and no more if it is on the border.

Statements. (1) Printed: |alpha| >= (1 + c0) b at all t in (T1, T2]. A winner on the border has sqrt(1 + (1 - gamma)
c0) < 1 + c0/2 at T1, and a step multiplies alpha by 1 + eta q at most, b by 1 at least: false at T1 + 1 for eta q <=
c0/3, c0 <= 1. Nor is it a matter of the border: of the Gaussian coordinates beyond sqrt(c1 log d) those beyond
sqrt 2 (1 + c0) sqrt(log d) are a share of d^(-(1 + gamma) c0 - c0^2) at most. (2) Corrected: a margin A > q/(q -
lambda - k) at T1 is kept, |alpha| >= A b. (3) No column ever comes to have alpha^2 >= b^2/sqrt(log d) that has not at
T1, since below the bias alpha decays and b does not fall; at T1 it means g^2 F >= 2 sqrt(log d) for a Gaussian
coordinate g, of mean share erfc(log^(1/4) d/sqrt F) <= 2^-sqrt(log d). (4) E.2 (7) with sqrt(2 log d) for the
polylogarithm: b/|w| begins at sqrt(2 log d/d) and never falls until the cap.

Reference: lines 742-752, 1180-1190 and 1668. That a gate is opened by noise is left out.
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
from ._gaussian import BITS, number
from ._second_stage import begin, following, second_stage
from .bias_schedule import TRAININGS, schedule
from .mid_size import a_dimension, chance, level

c, share = sp.symbols("c share", positive=True)
A = sp.Symbol("A", positive=True)


def sure_winner(row, c1, c2):
    """Whether the row of M^T w(0) is a sure winner of its first column."""
    X = arb(len(row)).log() / len(row) * number(sum(a * a for a in row))
    return number(row[0] ** 2) >= c1 * X and all(number(a * a) <= c2 * X for a in row[1:])


def margin_after(row, c, gamma, F, q, lam, k, eta, t):
    """|alpha|/b at T1 + t of a sure winner, 1 + c if it is none. F is the share of the norm in the span. Shape ()."""
    with ctx.workprec(BITS):
        d = len(row)
        c1 = 2 + 2 * (1 - number(gamma)) * number(c)
        if not sure_winner(row, c1, c1 - number(gamma * c)):
            return number(1 + c)
        unit = (2 * arb(d).log() / d * number(sum(a * a for a in row)) / number(F)).sqrt()
        state = begin([number(a) / unit for a in row], d)
        for _ in range(t):
            state = following(state, q, lam, k, eta)
        return abs(state["columns"][0]) / state["bias"]


def on_the_border(rng):
    """A winner whose share is just above c1 log d/d."""
    d, c, gamma = int(rng.integers(20, 40)), Fraction(int(rng.integers(3, 9)), 10), Fraction(1, 200)
    c1 = 2 + 2 * (1 - gamma) * c
    part = c1 * Fraction(str(round(float(arb(d).log() / d), 6) + 2e-6))
    lead = Fraction(int(1000 * float((part / (1 - part) * (d - 1)) ** 1) ** 0.5) + 1, 1000)
    return {
        "row": [lead, *[Fraction(int(rng.signs())) for _ in range(d - 1)]],
        "c": c,
        "gamma": gamma,
        "F": Fraction(int(rng.integers(7, 11)), 10),
        "q": Fraction(1, 5),
        "lam": Fraction(1, 90),
        "k": Fraction(1, d),
        "eta": c / int(rng.integers(9, 20)),
        "t": int(rng.integers(1, 4)),
    }


PRINTED = 1 + c
above_printed = claim(
    "decoupling-winners-above-printed",
    lhs=r"|\alpha_{ij}^{(T_1+t)}|/b_i^{(T_1+t)}",
    tex="1+c_0",
    states="decoupling-stage2-induction",
    title="Sure winners above their biases, as printed",
    says=r"$|\langle w_i^{(t)},M_j\rangle|\ge(1+c_0)b_i^{(t)}$ for every sure winner and all $t\in(T_1,T_2]$, in the "
    "mean recursion.",
    covers="winners-above",
    reads={"j": "row", "i": "row"},
    expect="fail",
    **ONE_POINT,
    legs=[
        leg(
            "soon after T1",
            margin_after,
            closed_form=PRINTED,
            relation=at_least(),
            lhs=r"|\alpha_{ij}^{(T_1+t)}|/b_i^{(T_1+t)}",
            tex="1+c_0",
            instances=instances(on_the_border, "row c gamma F q lam k eta t", smoke=3, standard=6),
        )
    ],
)


def least_margin(margins, d, q, lam, k, eta, grows=True):
    """The smallest |alpha|/b of the first column from T1 to T2. Shape ()."""
    with ctx.workprec(BITS):
        least = None
        for (state,) in second_stage([margins], d, q, lam, k, eta, grows):
            r = abs(state["columns"][0]) / state["bias"]
            least = r if least is None else least.min(r)
        return least


def with_a_faster_bias(margins, d, q, lam, k, eta):
    """With a bias that outgrows the column, for eight steps."""
    with ctx.workprec(BITS):
        state, least = begin(margins, d), number(margins[0])
        for _ in range(8):
            state = following(state, q, lam, 4 * q, eta)
            least = least.min(abs(state["columns"][0]) / state["bias"])
        return least


def a_margin(rng):
    """A winner whose margin passes q/(q - lambda - k)."""
    lead, rate = Fraction(int(rng.integers(12, 20)), 10), Fraction(int(rng.integers(2, 7)), 10)
    spare = rate * (1 - 1 / lead)
    return {
        "margins": [lead, *[Fraction(int(rng.integers(0, 9)), 40) for _ in range(5)]],
        "d": int(rng.integers(30, 60)),
        "q": rate,
        "lam": spare / 4,
        "k": spare / 2,
        "eta": Fraction(1, int(rng.integers(1, 5))),
        "A": lead,
    }


KEPT = formula_leg(
    "margin against the rate",
    typed(
        "(r*(1 + eta*(q - lam)) - eta*q)/(1 + eta*k) >= A",
        over=[
            "eta in (0, oo)",
            "q in (0, oo)",
            "lam in [0, oo)",
            "k in [0, oo)",
            "A in [q/(q - lam - k), oo)",
            "r in [A, oo)",
        ],
        where="q > lam + k",
    ),
    over="t j i",
)
BY_NORM = formula_leg(
    "margin against the norm",
    typed(
        "s**2*a**2 + v**2*c**2 <= s**2*(a**2 + c**2)",
        over=["a in R", "c in R", "s in (0, oo)", "v in [0, s]"],
    ),
    over="t j i",
)

# both tails of a Gaussian coordinate, a^2 = (1 + (1 - gamma) c0) log d and b^2 = (1 + c0)^2 log d
TAILS = formula_leg(
    "winners beyond it",
    typed("erfc(b) <= exp(a**2 - b**2)*erfc(a)", over=["a in (0, oo)", "b in [a, oo)"]),
    over="t j i",
)
SHARE = formula_leg(
    "their share",
    typed(
        "(1 + (1 - g)*c)*L - (1 + c)**2*L == -((1 + g)*c + c**2)*L",
        over=["c in (0, oo)", "g in (0, 1)", "L in (0, oo)"],
    ),
    over="t j i",
)

above = claim(
    "decoupling-winners-above",
    lhs=r"\min_{t\in[T_1,T_2]}|\alpha_{ij}^{(t)}|/b_i^{(t)}",
    tex="A",
    states="decoupling-stage2-induction",
    title="A margin that is kept",
    says=r"In the mean recursion $|\alpha|\ge Ab$ on $[T_1,T_2]$ for a margin $A>\frac q{q-\lambda-k}$ at $T_1$; of "
    r"Gaussian coordinates beyond a sure winner's border a share $d^{-(1+\gamma)c_0-c_0^2}$ at most has $A\ge1+c_0$.",
    role="corrected",
    corrects="decoupling-winners-above-printed",
    covers="winners-above",
    **ONE_POINT,
    legs=[
        leg(
            "recursion",
            least_margin,
            closed_form=A,
            relation=at_least(),
            required=False,
            lhs=r"\min_{t\in[T_1,T_2]}|\alpha_{ij}^{(t)}|/b_i^{(t)}",
            tex="A",
            instances=instances(a_margin, "margins d q lam k eta A", smoke=4, standard=12),
        ),
        KEPT,
        BY_NORM,
        TAILS,
        SHARE,
    ],
    rivals=[
        variant("a faster bias", simulation=with_a_faster_bias, leg="recursion"),
        variant("a margin of 1 + 2 (A - 1)", closed_form=2 * A - 1, leg="recursion"),
        *rivals_of(
            KEPT,
            {
                "every margin": {
                    "over": [
                        "eta in (0, oo)",
                        "q in (0, oo)",
                        "lam in [0, oo)",
                        "k in [0, oo)",
                        "A in [1, oo)",
                        "r in [A, oo)",
                    ]
                }
            },
        ),
        *rivals_of(TAILS, {"twice the exponent": "erfc(b) <= exp(2*a**2 - 2*b**2)*erfc(a)"}),
        *rivals_of(
            SHARE, {"without the square": "(1 + (1 - g)*c)*L - (1 + c)**2*L == -(1 + g)*c*L"}
        ),
        *rivals_of(
            BY_NORM,
            {"what grows faster": {"over": ["a in R", "c in R", "s in (0, oo)", "v in [0, 2*s]"]}},
        ),
    ],
)


def newcomers(margins, d, q, lam, k, eta, grows=True):
    """How many columns have alpha^2 >= b^2/sqrt(log d) at some t in (T1, T2] and not at T1. Shape ()."""
    with ctx.workprec(BITS):
        root = arb(d).log().sqrt()
        held = [
            [a * a * root >= s["bias"] ** 2 for a in s["columns"]]
            for (s,) in second_stage([margins], d, q, lam, k, eta, grows)
        ]
        return sum(
            1 for j, first in enumerate(held[0]) if not first and any(row[j] for row in held)
        )


def with_a_falling_bias(margins, d, q, lam, k, eta):
    """Down to a 64th in one step."""
    with ctx.workprec(BITS):
        root, state = arb(d).log().sqrt(), begin(margins, d)
        first = [a * a * root >= state["bias"] ** 2 for a in state["columns"]]
        state = {**state, "bias": state["bias"] / 64}
        later = [
            a * a * root >= state["bias"] ** 2 for a in following(state, q, lam, k, eta)["columns"]
        ]
        return sum(1 for x, y in zip(first, later, strict=True) if y and not x)


def nobody(margins, d, q, lam, k, eta):
    return 0


def any_columns(rng):
    """Columns on both sides of the bias and of b/log^(1/4) d; the first passes q/(q - lambda - k)."""
    rate = Fraction(int(rng.integers(4, 7)), 10)
    return {
        "margins": [Fraction(9, 5), *[Fraction(int(rng.integers(1, 12)), 11) for _ in range(6)]],
        "d": int(rng.integers(60, 99)),
        "q": rate,
        "lam": rate / 20,
        "k": rate / 9,
        "eta": Fraction(1, int(rng.integers(1, 5))),
    }


CLOSED = formula_leg(
    "below the bias",
    typed(
        "a*(1 - eta*lam) < s*B",
        over=[
            "eta in (0, 1]",
            "lam in [0, 1]",
            "s in (0, 1]",
            "b in (0, oo)",
            "B in [b, oo)",
            "a in [0, s*b)",
        ],
    ),
    over="t i",
)
START = formula_leg(
    "at T1",
    typed("erfc(y/sqrt(F)) <= 2**(-y**2)", over=["F in (0, 1]", "y in (0, oo)"]),
    over="t i",
)

ONE = formula_leg(
    "one column",
    typed("1 - p + p*exp(s) <= exp(p*(exp(s) - 1))", over=["p in [0, 1]", "s in R"]),
    over="t i",
)
TWICE = formula_leg(
    "exponent at s = log 2",
    typed("m*(exp(log(2)) - 1) - 2*m*log(2) == m*(1 - log(4))", over="m > 0 real"),
    over="t i",
)


def too_many(d, F, times=2):
    """P[at least 2 m of d independent coordinates have g^2 F >= 2 sqrt(log d)], m = 2^-sqrt(log d) d. Shape ()."""
    with ctx.workprec(BITS):
        p = chance(F, d, scale=number(times).sqrt())
        least = int((2 * d * arb(2) ** -arb(d).log().sqrt()).ceil().unique_fmpz())
        return sum((comb(d, n) * p**n * (1 - p) ** (d - n) for n in range(least, d + 1)), arb(0))


def at_a_lower_border(d, F):
    """Of those with g^2 F >= sqrt(log d)/5."""
    return too_many(d, F, times=Fraction(1, 5))


def tail_level(d, F):
    return level(d)


def a_start(rng):
    return {**a_dimension(rng), "F": Fraction(int(rng.integers(5, 11)), 10)}


mid_count = claim(
    "decoupling-stage2-mid-count",
    lhs=r"\Pr[\#\ge2m]",
    tex="(e/4)^m",
    states="decoupling-stage2-induction",
    title="Columns of middle size in the second stage",
    says=r"In the mean recursion no column enters $\{j:\alpha_j^2\ge b^2/\sqrt{\log d}\}$ after $T_1$, where it has at "
    r"most $2\cdot2^{-\sqrt{\log d}}d$ members with probability $1-(e/4)^{2^{-\sqrt{\log d}}d}$.",
    role="reading",
    covers="mid-count",
    **ONE_POINT,
    legs=[
        leg(
            "newcomers",
            newcomers,
            reference=nobody,
            required=False,
            unit=1,
            lhs=r"\#_{t}\setminus\#_{T_1}",
            tex="0",
            instances=instances(any_columns, "margins d q lam k eta", smoke=4, standard=12),
        ),
        leg(
            "counted at T1",
            too_many,
            reference=tail_level,
            relation=at_most(),
            required=False,
            instances=instances(a_start, "d F", smoke=4, standard=8),
        ),
        CLOSED,
        START,
        ONE,
        TWICE,
    ],
    rivals=[
        variant("a bias that falls", simulation=with_a_falling_bias, leg="newcomers"),
        variant("a lower border", simulation=at_a_lower_border, leg="counted at T1"),
        *rivals_of(
            CLOSED,
            {
                "a bias that fell": {
                    "over": [
                        "eta in (0, 1]",
                        "lam in [0, 1]",
                        "s in (0, 1]",
                        "b in (0, oo)",
                        "B in [b/2, oo)",
                        "a in [0, s*b)",
                    ]
                }
            },
        ),
        *rivals_of(START, {"sqrt(log d) for it": "erfc(y/sqrt(2*F)) <= 2**(-y**2)"}),
        *rivals_of(ONE, {"half the exponent": "1 - p + p*exp(s) <= exp(p*(exp(s) - 1)/2)"}),
        *rivals_of(TWICE, {"(e/8)^m": "m*(exp(log(2)) - 1) - 2*m*log(2) == m*(1 - log(8))"}),
    ],
)


def least_ratio(weights, share, e, cap, follows=True):
    """The smallest bias over norm until the cap. Shape ()."""
    return min(b / n for b, n in schedule(weights, share, e, cap, follows))


def with_the_rate_alone(weights, share, e, cap):
    return least_ratio(weights, share, e, cap, follows=False)


FLOOR = formula_leg(
    "a step",
    typed(
        "b*(1 + Max(e, m/n - 1))/m >= share",
        over=[
            "e in (0, oo)",
            "n in (0, oo)",
            "m in (0, oo)",
            "share in (0, oo)",
            "b in [share*n, oo)",
        ],
    ),
    over="t i",
)
AT_T1 = formula_leg(
    "at T1",
    typed(
        "sqrt(2*L/d)*n/n == sqrt(2*L)/sqrt(d)",
        over=["L in (0, oo)", "d in (0, oo)", "n in (0, oo)"],
    ),
    over="t i",
)

floor = claim(
    "decoupling-bias-floor",
    lhs=r"\min_tb_t/\|w_t\|",
    tex=r"\sqrt{\tfrac{2\log d}d}",
    states="decoupling-stage3-induction",
    title="A floor under bias over norm",
    says=r"$b_i^{(t)}\ge\frac{\sqrt{2\log d}}{\sqrt d}\|w_i^{(t)}\|$ from $T_1$ until the cap, for every sequence of "
    "weights.",
    role="reading",
    covers="bias-floor",
    **ONE_POINT,
    closed_form=share,
    legs=[leg("schedule", least_ratio, instances=TRAININGS, required=False), FLOOR, AT_T1],
    rivals=[
        variant("the rate alone", simulation=with_the_rate_alone, leg="schedule"),
        *rivals_of(
            FLOOR,
            {
                "the rate e alone": "b*(1 + e)/m >= share",
                "it rises by 1 + e": "b*(1 + Max(e, m/n - 1))/m >= share*(1 + e)",
            },
        ),
        *rivals_of(AT_T1, {"log d for its root": "sqrt(2*L/d)*n/n == L/sqrt(d)"}),
    ],
)
