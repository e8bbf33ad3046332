"""A leg that runs what a clause is about, beside the formulas that are proved for it."""

from __future__ import annotations

from typing import Any

from theorycheck import leg


def beside(name: str, program: Any, lhs: str, tex: str, *, unit: Any = 1, **options: Any) -> Any:
    """A leg that can refute and is not needed for a pass. ``lhs``, ``tex``: what it measures, what it is held to."""
    return leg(name, program, lhs=lhs, tex=tex, unit=unit, required=False, **options)
