"""From (E.31) and (E.32): the hidden constant of lambda.

Setting. (E.31) bounds lambda alpha by 1/(2(1 + exp(alpha (r - 1)/4))) + exp(-(r - 1)/8)/4 + exp(-n gamma^2/2)/2 at
the weight-decay optimum. At alpha = 1/sqrt(r), with n gamma^2 > r, lambda = C sqrt(r) exp(-sqrt(r)/5) contradicts
it as soon as C exp(-sqrt(r)/5) exceeds the bound.

Statement. C = 1/3 does for every r >= 37; the least constant for this argument is 0.3224.., needed at r = 37. With
s = sqrt(r) it holds for every real s >= 6: on [6, 40] as it stands, and from 40 on term by term, with the shares
1/6 + 1/12 + 1/12 = 1/3.

Reference: (E.31)-(E.32), lines 9192-9206; the constant is derived.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, formula_leg, reaching, sharpened, typed, variant

from .tails import LOWER, TAIL, gamma, n, r

s = sp.Symbol("s", positive=True)


def large(alpha, r):
    """The first term of (E.31)."""
    return 1 / (2 * (1 + sp.exp(alpha * (r - 1) / 4)))


FIRST = large(1 / s, s**2)
SECOND, THIRD = LOWER.subs(r, s**2 - 1) / 4, TAIL.subs(n, s**2 / gamma**2) / 2
TERMS = f"{FIRST} + {SECOND} + {THIRD}"
NEAR, FAR = "s in [6, 40]", "s in [40, oo)"
C = sp.Rational(1, 3)
SHARES = (C / 2, C / 4, C - C / 2 - C / 4)
"""Of C, for the three terms from 40 on."""
LEFT = sp.exp(-s / 5)


def at_root(r):
    """C LEFT at s = sqrt(r): lambda over sqrt(r)."""
    return C * LEFT.subs(s, sp.sqrt(r))


UP_TO_40 = formula_leg("s up to 40", typed(f"{C * LEFT} > {TERMS}", over=NEAR, seconds=20))
FROM_40 = [
    formula_leg(f"{name} term from 40", typed(f"{term} < {share * LEFT}", over=FAR))
    for name, term, share in zip(
        ("first", "second", "third"), (FIRST, SECOND, THIRD), SHARES, strict=True
    )
]
RIVALS = [
    *reaching(UP_TO_40, "s <= 25/4", "s >= 39"),
    *sharpened(FROM_40[0], times="2/5"),
    *(v for step in FROM_40 for v in reaching(step, "s <= 41")),
]


def one_third():
    """C = 1/3."""


constant = claim(
    "nuclear-lambda-constant",
    states="nuclear-lambda-threshold",
    title="The hidden constant may be 1/3",
    says=r"$\frac{1}{3}e^{-\sqrt{r}/5} > \frac{1}{2(1 + e^{(r - 1)/(4\sqrt{r})})} + "
    r"\frac{1}{4}e^{-(r - 1)/8} + \frac{1}{2}e^{-r/2}$ for $r \ge 37$.",
    covers="constant-third",
    reads={"r": "s"},
    legs=[
        formula_leg(UP_TO_40.name, UP_TO_40.simulation, gives="C", chosen_by=one_third),
        *FROM_40,
    ],
    rivals=[
        *RIVALS,
        variant(
            "C = 0.322",
            leg="s up to 40",
            simulation=typed(f"161*exp(-s/5)/500 > {TERMS}", over="s in [sqrt(37), 40]"),
        ),
        variant(
            "first term, rate 1/3",
            leg="first term from 40",
            simulation=typed(f"{FIRST} < exp(-s/3)/6", over=FAR),
        ),
        variant(
            "second term from 1",
            leg="second term from 40",
            simulation=typed(f"{SECOND} < exp(-s/5)/12", over="s in [1, oo)"),
        ),
        variant(
            "third term from 1",
            leg="third term from 40",
            simulation=typed(f"{THIRD} < exp(-s/5)/12", over="s in [1, oo)"),
        ),
        variant(
            "exp(-sqrt(r)/4)",
            leg="s up to 40",
            simulation=typed(f"exp(-s/4)/3 > {TERMS}", over=NEAR),
        ),
        variant(
            "from s = 4 on",
            leg="s up to 40",
            simulation=typed(f"exp(-s/5)/3 > {TERMS}", over="s in [4, 40]"),
        ),
    ],
)
