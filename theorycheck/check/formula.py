"""Statements as data: comparisons, predicates, connectives over SymPy expressions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
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


def without_a_part(formula: Formula) -> Iterator[tuple[Formula, Formula]]:
    """What an ``or`` joins, part by part, each with the formula that is left without it: what is left says
    more. The premise of an ``implies``, read as ``not premise or conclusion``, is no such part."""
    if not isinstance(formula, Connective):
        return
    if formula.kind == "or" and not any(_is_denied(p) for p in formula.parts):
        for i, part in enumerate(formula.parts):
            rest = (*formula.parts[:i], *formula.parts[i + 1 :])
            yield part, rest[0] if len(rest) == 1 else Connective("or", rest)
    elif formula.kind == "and":
        for i, part in enumerate(formula.parts):
            for left_out, more in without_a_part(part):
                parts = (*formula.parts[:i], more, *formula.parts[i + 1 :])
                yield left_out, Connective("and", parts)


_BOUNDS = ("<", "<=", ">", ">=")


def bounds(formula: Formula) -> bool:
    """Whether something in what is asserted is bounded: premises, and what is denied, assert nothing."""
    if isinstance(formula, Comparison):
        return formula.op in _BOUNDS
    return (
        isinstance(formula, Connective)
        and formula.kind != "not"
        and any(map(bounds, formula.parts))
    )


def sharper(formula: Formula, share: Fraction) -> Formula | None:
    """The formula with the bound in its last comparison sharper by this share of its size: less where it bounds from
    above, more where it bounds from below; of an implication, that in its conclusion. None where the last comparison
    bounds nothing, or one of its sides is 0, of which there are no shares."""
    if isinstance(formula, Comparison):
        if formula.op not in _BOUNDS or 0 in (formula.lhs, formula.rhs):
            return None
        sign = -1 if formula.op[0] == "<" else 1
        return replace(formula, rhs=formula.rhs + sign * share * abs(formula.rhs))
    if isinstance(formula, Connective) and (
        formula.kind == "and" or (formula.kind == "or" and all(map(_is_denied, formula.parts[:-1])))
    ):
        last = sharper(formula.parts[-1], share)
        return last and replace(formula, parts=(*formula.parts[:-1], last))
    return None


def _is_denied(formula: Formula) -> bool:
    return isinstance(formula, Connective) and formula.kind == "not"


__all__ = [
    "Comparison",
    "Connective",
    "Every",
    "Formula",
    "Predicate",
    "bounds",
    "innermost",
    "sharper",
    "without_a_part",
]
