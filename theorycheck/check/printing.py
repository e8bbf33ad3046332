"""Expressions as text."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.limits import GAVE_UP


def written(expression: Any) -> str:
    """As SymPy prints it; in the order of its parts where sorting them, which evaluates numbers, fails:
    ``oo + cot(0)``."""
    try:
        return str(expression)
    except GAVE_UP:
        return str(sp.sstr(expression, order="none"))


__all__ = ["written"]
