"""Proposition 6.3, its hypotheses: which r they leave.

Setting. r invariant coordinates, bias gamma of the environmental ones.

Statement. The range (3/sqrt(r), 1/2) of gamma is non-empty exactly for r >= 37. The printed "r > C for some
C < 20" adds nothing.

Reference: Proposition 6.3, lines 1811-1813.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, sharpened, typed, variant

NON_EMPTY = formula_leg("non-empty", typed("3/sqrt(r) < 1/2", over="r in 37..oo"))
EMPTY = formula_leg("empty", typed("3/sqrt(r) >= 1/2", over="r in (0, 36]"))

consistent = claim(
    "nuclear-hypotheses-consistent",
    states="nuclear-ood-gap",
    title=r"The hypotheses need $r\ge37$",
    says=r"$3/\sqrt{r} < 1/2$ for every integer $r \ge 37$ and for no smaller one.",
    covers="hypotheses-consistent",
    legs=[
        NON_EMPTY,
        EMPTY,
    ],
    rivals=[
        *sharpened(NON_EMPTY, EMPTY),
        variant(
            "r >= 36", leg="non-empty", simulation=typed("3/sqrt(r) < 1/2", over="r in 36..oo")
        ),
        variant("r > 19", leg="non-empty", simulation=typed("3/sqrt(r) < 1/2", over="r in 20..oo")),
        variant(
            "empty up to 37", leg="empty", simulation=typed("3/sqrt(r) >= 1/2", over="r in (0, 37]")
        ),
    ],
)
