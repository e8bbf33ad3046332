"""Figures G.3 and G.4: printed needle scores where another row than the last selects.

Setting. Average scores of one model where the selecting row is the last one, the middle one, or the one of the largest
norm, as printed. The scores themselves need pretrained weights.

Statement. 0.125 (largest norm) < 0.198 (middle) < 0.838 (last): the two others reach less than a quarter of it.

Reference: section G.4, lines 10410-10466 (arXiv 2409.17422).
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

PRINTED = formula_leg("printed", typed("0 < 0.125 < 0.198 and 4*0.198 < 0.838"), over="row_rule")

rows = claim(
    "gemfilter-row-ablation",
    states="gemfilter-needle-reports",
    title="Rows other than the last",
    says="The printed averages are 0.125 (largest norm), 0.198 (middle row) and 0.838/4 (last "
    "row), in rising order.",
    covers="row-ablation",
    legs=[PRINTED],
    rivals=rivals_of(
        PRINTED,
        {
            "the largest norm above the middle row": "0.198 < 0.125",
            "a fifth of the last row's score": "5*0.198 < 0.838",
        },
    ),
)
