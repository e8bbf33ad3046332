"""Figures G.3 and G.4: printed needle scores where another row than the last selects.

Setting. Average scores of one model where the selecting row is the last one, the middle one, or the one of the largest
norm, as printed. The scores themselves need pretrained weights.

Statement. 0.125 (largest norm) < 0.198 (middle) < 0.838 (last): the two others reach less than a quarter of it.

Reference: section G.4, lines 10410-10466 (arXiv 2409.17422).
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

from ._tables import LARGEST_ROW, LAST_ROW, MIDDLE_ROW

PRINTED = formula_leg(
    "printed",
    typed(f"0 < {LARGEST_ROW} < {MIDDLE_ROW} and 4*{MIDDLE_ROW} < {LAST_ROW}"),
    over="row_rule",
)

rows = claim(
    "gemfilter-row-ablation",
    states="gemfilter-needle-reports",
    title="Rows other than the last",
    says="The printed averages of the largest norm (0.125) and of the middle row (0.198) are less than a "
    "quarter of the last row's (0.838).",
    covers="row-ablation",
    legs=[PRINTED],
    rivals=rivals_of(
        PRINTED,
        {
            "the largest norm above the middle row": f"{MIDDLE_ROW} < {LARGEST_ROW}",
            "a fifth of the last row's score": f"5*{MIDDLE_ROW} < {LAST_ROW}",
        },
    ),
)
