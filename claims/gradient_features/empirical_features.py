r"""Lemma B.19: which features survive an empirical first step.

Setting. |G~ - G| <= e < B_G <= |G|; c = 1 - gamma = cos theta, q = e/B_G = sin a.

Statements. (1) The direction turns by at most a, so the cone widens to 1 - cos(theta + a) <= gamma + q where theta +
a <= pi/2, that is c >= q: c sqrt(1 - q^2) - q sqrt(1 - c^2) >= c - q. Beyond, c < q and the bound gamma + q passes 1.
The norm falls by at most e. (2) A joint failure rho of the deviation costs sqrt(rho) twice: by Markov's inequality
the failure over w is above sqrt(rho) for at most sqrt(rho) of the samples, so p - sqrt(rho) is left (printed as a
union bound).

Reference: lines 6014-6075.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

CONE = formula_leg(
    "cone",
    typed("c*sqrt(1 - q**2) - q*sqrt(1 - c**2) >= c - q", over=["c in (0, 1)", "q in [0, c]"]),
    over="gamma e G G_tilde",
)
BEYOND = formula_leg(
    "beyond a right angle",
    typed("1 <= (1 - c) + q", over=["c in (0, 1)", "q in [c, 1)"]),
    over="gamma e G G_tilde",
)
NORM = formula_leg(
    "norm",
    typed(
        "sqrt(g**2 + 2*t + h**2) >= B - e",
        over=["B in (0, oo)", "e in [0, B)", "g in [B, oo)", "h in [0, e]", "t in [-g*h, g*h]"],
    ),
    over="gamma e G G_tilde",
)

inclusion = claim(
    "gradfeat-empirical-inclusion",
    states="gradfeat-good-network-empirical",
    title="Cones and norms of empirical features",
    says=r"$\|\tilde G-G\|\le e<B_G\le\|G\|$ widens a cone to $\gamma+e/B_G$ at most and lowers the norm to "
    r"$B_G-e$ at most.",
    covers="inclusion",
    legs=[CONE, BEYOND, NORM],
    rivals=[
        *rivals_of(CONE, {"e/(2 B_G)": "c*sqrt(1 - q**2) - q*sqrt(1 - c**2) >= c - q/2"}),
        *rivals_of(BEYOND, {"below it too": {"over": ["c in (0, 1)", "q in [0, 1)"]}}),
        *rivals_of(NORM, {"e/2": "sqrt(g**2 + 2*t + h**2) >= B - e/2"}),
    ],
)

# f = P_w[failure] given the samples, E f <= rho
MARKOV = formula_leg(
    "Markov",
    typed(
        "Piecewise((1, f > sqrt(rho)), (0, True)) <= f/sqrt(rho)",
        over=["rho in (0, 1]", "f in [0, 1]"],
    ),
    over="law Z",
)
LEVEL = formula_leg(
    "level", typed("rho/sqrt(rho) == sqrt(rho)", over="rho in (0, 1]"), over="law Z"
)

fubini = claim(
    "gradfeat-empirical-fubini",
    states="gradfeat-good-network-empirical",
    title="From a joint failure to one for most samples",
    says=r"If $\Pr_{w,Z}[\|\tilde G-G\|>e]\le\rho$, then $\Pr_w[\|\tilde G-G\|>e]\le\sqrt\rho$ for all but "
    r"$\sqrt\rho$ of the samples.",
    covers="fubini",
    legs=[MARKOV, LEVEL],
    rivals=[
        *rivals_of(MARKOV, {"f/2": "Piecewise((1, f > sqrt(rho)), (0, True)) <= f/(2*sqrt(rho))"}),
        *rivals_of(LEVEL, {"rho": "rho/sqrt(rho) == rho"}),
    ],
)
