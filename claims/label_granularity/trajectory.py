r"""The coarse trajectory with Lambert's function, and two of its times (derived).

Setting. Every sample has exactly s* patches of each kind, equal sets of detectors, no noise, small steps: the output F
on a sample's own class follows F' = C/(1 + e^F) from F(0) = 0.

Statements. (1) The time up to the level F is the integral of (1 + e^u)/C from 0 to F, so that F + e^F = 1 + C t. With
w = e^F that is w e^w = e^(1 + C t): F = 1 + C t - W(e^(1 + C t)). (2) The level log Lambda is reached at
(Lambda + log Lambda - 1)/C.
(3) Phase I ends at F = 1/d, that is at (e^(1/d) - 1 + 1/d)/C, which is 2/d + 1/(2 d^2) over C up to 1/(4 d^3).

Reference: derived from Definition D.1 and Lemmas E.3 and E.4, lines 823-829, 1094-1096 and 1128-1380.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

LEVEL = formula_leg(
    "time to a level",
    typed("Integral((1 + exp(u))/C, (u, 0, F)) == (F + exp(F) - 1)/C", over=["C in (0, oo)", "F in [0, oo)"]),
    over="t",
)  # fmt: skip
LAMBERT = formula_leg(
    "as Lambert's function",
    typed("exp(F + exp(F)) == exp(F)*exp(exp(F))", over="F in [0, oo)"),
    over="C t",
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
        *rivals_of(LEVEL, {
            "log(1 + C t)": "Integral((1 + exp(u))/C, (u, 0, F)) == (exp(F) - 1)/C",
            "one more": "Integral((1 + exp(u))/C, (u, 0, F)) == (F + exp(F))/C",
        }),
        *rivals_of(LAMBERT, {"w^2 e^w": "exp(F + exp(F)) == exp(2*F)*exp(exp(F))"}),
    ],
)  # fmt: skip

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

# C collects eta, s*, nS, k, P and beta
ENDS = formula_leg(
    "time to 1/d",
    typed(
        "Integral((1 + exp(u))/C, (u, 0, 1/d)) == (exp(1/d) - 1 + 1/d)/C",
        over=["C in (0, oo)", "d in 2..oo"],
    ),
    over="eta s_star nS k P beta",
)
# x is 1/d
ORDERS = formula_leg(
    "orders",
    typed("2*x + x**2/2 < exp(x) - 1 + x < 2*x + x**2/2 + x**3/4", over="x in (0, 1/2]"),
    over="d eta s_star nS k P beta",
)

phase1 = claim(
    "granularity-phase1-end",
    states="granularity-phase1-length",
    title="Length of phase I",
    says=r"$F$ reaches $1/d$ at $\frac1C(e^{1/d}-1+\frac1d)$, between $\frac1C(\frac2d+\frac1{2d^2})$ and "
    r"$\frac1{4Cd^3}$ more.",
    role="derived",
    covers="sharp-length",
    legs=[ENDS, ORDERS],
    rivals=[
        *rivals_of(ENDS, {"2/d": "Integral((1 + exp(u))/C, (u, 0, 1/d)) == 2/(C*d)"}),
        *rivals_of(ORDERS, {"a sixth": "2*x + x**2/2 < exp(x) - 1 + x < 2*x + x**2/2 + x**3/6"}),
    ],
)  # fmt: skip
