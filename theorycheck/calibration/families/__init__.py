"""Families of known truths, each with its lies. No theorem of any source is among them: they are facts
that a page proves, chosen so that every relation meets every rung that it can have."""

from theorycheck.calibration.cases import Truth
from theorycheck.calibration.families import (
    attacks,
    bounds,
    computed,
    exact,
    laws,
    misleading,
    optima,
    sampled,
    textbook,
)


def all_truths() -> list[Truth]:
    """Every member of every family, in a fixed order."""
    modules = (exact, computed, sampled, bounds, optima, laws, misleading)
    return [truth for module in modules for truth in module.truths()]


def attacking_truths() -> list[Truth]:
    """Attacks on sampling with what only looks like them, and textbook truths at profile standard."""
    return [*attacks.truths(), *textbook.truths()]


__all__ = ["all_truths", "attacking_truths"]
