"""Statements as data: comparisons, predicates, connectives over SymPy expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True)
class Comparison:
    """``lhs op rhs`` with op one of ``== != < <= > >=``."""

    op: str
    lhs: sp.Expr
    rhs: sp.Expr


@dataclass(frozen=True)
class Predicate:
    """A bare predicate, such as ``isprime(n)``."""

    name: str
    args: tuple[sp.Expr, ...]


@dataclass(frozen=True)
class Connective:
    """``and``, ``or`` of several parts, ``not`` of one; evaluated from left to right, stopping as
    soon as the value is known, so that ``x != 0 and 1/x > 0`` is defined at 0."""

    kind: str
    parts: tuple[Formula, ...]


Formula = Comparison | Predicate | Connective


@dataclass(frozen=True)
class Every:
    """``formula`` for every integer ``index`` from ``low`` to ``high``: a hypothesis on members of families."""

    index: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    formula: Formula


def innermost(decided: Formula | None, goal: Formula) -> Formula | None:
    """The comparison to print the sides of."""
    formula = decided if decided is not None else goal
    while isinstance(formula, Connective):
        formula = formula.parts[0]
    return formula


__all__ = ["Comparison", "Connective", "Every", "Formula", "Predicate", "innermost"]
