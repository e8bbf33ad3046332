r"""The coarse trajectory with Lambert's function, and two of its times (derived).

Setting. Every sample has exactly s* patches of each kind, equal sets of detectors, no noise, small steps: the output F
on a sample's own class follows F' = C/(1 + e^F) from F(0) = 0.

Statements. (1) The time up to the level F is the integral of (1 + e^u)/C from 0 to F, so that F + e^F = 1 + C t. With
w = e^F that is w e^w = e^(1 + C t): F = 1 + C t - W(e^(1 + C t)). (2) The level log Lambda is reached at
(Lambda + log Lambda - 1)/C.
(3) Phase I ends at F = 1/d, that is at (e^(1/d) - 1 + 1/d)/C, which is 2/d + 1/(2 d^2) over C up to 1/(4 d^3). There C
is twice the first step's output: nS detectors fire on each of s* common and s* subclass patches, half of the batch
moves the former by eta s*/(4 P), one in 2k samples the latter, and the bias takes the share beta of each.

Reference: derived from Definition D.1 and Lemmas E.3 and E.4, lines 823-829, 1094-1096 and 1128-1380.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, formula, formula_leg, integers, leg, reals, rivals_of, typed, variant

eta, beta = sp.symbols("eta beta", nonnegative=True)
s_star, nS, k, P = sp.symbols("s_star nS k P", integer=True, positive=True)

LEVEL = formula_leg(
    "time to a level",
    typed(
        "Integral((1 + exp(u))/C, (u, 0, F)) == (F + exp(F) - 1)/C",
        over=["C in (0, oo)", "F in [0, oo)"],
    ),
)
# of w = W(e^(1 + C t)) it is known that w e^w = e^(1 + C t); with F = 1 + C t - w, F + e^F = 1 + C t says e^F = w
LAMBERT = formula_leg(
    "Lambert's function",
    typed(
        "exp(1 + C*t - w) == w",
        over=["C in (0, oo)", "t in [0, oo)", "w in (0, oo)"],
        where="w*exp(w) == exp(1 + C*t)",
    ),
)

solution = claim(
    "granularity-coarse-trajectory",
    states="granularity-lambertw-trajectory",
    title="The output under coarse labels",
    says=r"$F'=\frac C{1+e^F}$ with $F(0)=0$ has the solution $F+e^F=1+Ct$, which is $F=1+Ct-W(e^{1+Ct})$.",
    role="derived",
    covers="ode-solution",
    legs=[LEVEL, LAMBERT],
    rivals=[
        *rivals_of(
            LEVEL,
            {
                "log(1 + C t)": "Integral((1 + exp(u))/C, (u, 0, F)) == (exp(F) - 1)/C",
                "one more": "Integral((1 + exp(u))/C, (u, 0, F)) == (F + exp(F))/C",
            },
        ),
        *rivals_of(
            LAMBERT,
            {
                "C t": "exp(C*t - w) == w",
                "from 0": {"where": "w*exp(w) == exp(C*t)"},
            },
        ),
    ],
)

floor = formula(
    "granularity-loss-floor",
    states="granularity-loss-floor-time",
    title="When the output reaches a level",
    role="derived",
    covers="sharp-time",
    reads={"Lambda": "Lam"},
    says="Integral((1 + exp(u))/C, (u, 0, log(Lam))) == (Lam + log(Lam) - 1)/C",
    over=["C in (0, oo)", "Lam in (1, oo)"],
    rivals={
        "log Lambda": "Integral((1 + exp(u))/C, (u, 0, log(Lam))) == log(Lam)/C",
        "Lambda alone": "Integral((1 + exp(u))/C, (u, 0, log(Lam))) == Lam/C",
    },
)

CONSTANT = eta * s_star**2 * nS * (1 + 1 / k) * (1 - beta) / (2 * P)


def first_output(eta, s_star, nS, k, P, beta):
    """Output on a sample of its own class after one step from 0, a batch of one sample of each subclass. Shape ()."""

    def patches(y, c):
        return [(y,)] * s_star + [(y, c)] * s_star

    def moved(v):
        """What a detector of v in the net of + sees of it once the bias has taken its share."""
        seen = sum(
            (Fraction(int(y == "+")) - Fraction(1, 2)) * patches(y, c).count(v)
            for y in "+-"
            for c in range(k)
        )
        step = eta * seen / (2 * k * P)
        return step - beta * abs(step)

    return sum(nS * moved(v) for v in patches("+", 0))


MOVES = "s_star*nS*(1 - beta)*(eta*s_star/(2*P) + eta*s_star/(2*k*P))"
COLLECTED = formula_leg(
    "all sizes",
    typed(
        f"{MOVES} == eta*s_star**2*nS*(1 + 1/k)*(1 - beta)/(2*P)",
        over=["eta in (0, oo)", "s_star, nS, k, P in 1..oo", "beta in [0, 1)"],
    ),
)
ENDS = formula_leg(
    "time to 1/d",
    typed(
        "Integral((1 + exp(u))/C, (u, 0, 1/d)) == (exp(1/d) - 1 + 1/d)/C",
        over=["C in (0, oo)", "d in 2..oo"],
    ),
)
# x is 1/d
ORDERS = formula_leg(
    "orders",
    typed("2*x + x**2/2 < exp(x) - 1 + x < 2*x + x**2/2 + x**3/4", over="x in (0, 1/2]"),
)

phase1 = claim(
    "granularity-phase1-end",
    states="granularity-phase1-length",
    title="Length of phase I",
    lhs=r"F^{(1)}",
    says=r"$F$ reaches $1/d$ at $\frac1C(e^{1/d}-1+\frac1d)$, between $\frac1C(\frac2d+\frac1{2d^2})$ and "
    r"$\frac1{4Cd^3}$ more, with $C=\frac{\eta s^{*2}n_S(1+1/k)(1-\beta)}{2P}$.",
    role="derived",
    covers="sharp-length",
    domain={
        eta: reals(0, low_open=True),
        s_star: integers(1),
        nS: integers(1),
        k: integers(1),
        P: integers(2),
        beta: reals(0, 1, high_open=True),
    },
    where=2 * s_star <= P,
    grid={
        "smoke": {
            eta: [Fraction(1, 10)],
            s_star: [1, 3],
            nS: [1, 2],
            k: [1, 2, 5],
            P: [6],
            beta: [0, Fraction(1, 5)],
        },
        "standard": {
            eta: [Fraction(1, 10), 2],
            s_star: [1, 3, 6],
            nS: [1, 4],
            k: [1, 2, 5, 8],
            P: [12, 32],
            beta: [0, Fraction(1, 20), Fraction(1, 5)],
        },
    },
    closed_form=CONSTANT / 2,
    legs=[leg("first step", first_output, required=False), COLLECTED, ENDS, ORDERS],
    rivals=[
        variant("common features alone", closed_form=CONSTANT / (2 * (1 + 1 / k))),
        variant("no bias", closed_form=CONSTANT / (2 * (1 - beta))),
        *rivals_of(
            COLLECTED,
            {
                "1 + 1/k^2": f"{MOVES} == eta*s_star**2*nS*(1 + 1/k**2)*(1 - beta)/(2*P)",
            },
        ),
        *rivals_of(ENDS, {"2/d": "Integral((1 + exp(u))/C, (u, 0, 1/d)) == 2/(C*d)"}),
        *rivals_of(ORDERS, {"a sixth": "2*x + x**2/2 < exp(x) - 1 + x < 2*x + x**2/2 + x**3/6"}),
    ],
)
