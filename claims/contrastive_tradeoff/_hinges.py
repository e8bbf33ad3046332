"""A hinge (c - x)_+ lies above its tangents: the formula legs and rivals that several claims share."""

from __future__ import annotations

from theorycheck import formula_leg, reaching, rivals_of, typed

LEFT = typed(
    "Max(0, c - (x + h)) >= Max(0, c - x) - h == c - (x + h)",
    over=["c in R", "x in (-oo, c]", "h in R"],
)
RIGHT = typed(
    "Max(0, c - (x + h)) >= Max(0, c - x) == 0", over=["c in R", "x in [c, oo)", "h in R"]
)


def below(**options):
    """The leg for x up to the corner c. ``options``: those of `formula_leg`."""
    return formula_leg("tangent of a hinge, below", LEFT, **options)


def above(**options):
    """The leg for x from the corner on."""
    return formula_leg("tangent of a hinge, above", RIGHT, **options)


BELOW_RIVALS = [
    *rivals_of(below(), {"slope -2": "Max(0, c - (x + h)) >= Max(0, c - x) - 2*h"}),
    *reaching(below(), "c - x > 100"),
]
ABOVE_RIVALS = [
    *rivals_of(above(), {"everywhere": {"over": ["c in R", "x in R", "h in R"]}}),
    *reaching(above(), "x - c > 100"),
]
