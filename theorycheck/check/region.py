"""What the provers speak of: a region (names with their ranges, and hypotheses), and what they may meet
on it. Below all provers, so that none has to know another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Value, Variable
from theorycheck.check.judge import expressions_of
from theorycheck.check.judge import replace as put
from theorycheck.check.printing import written
from theorycheck.check.text import Comparison, Connective, Formula, Predicate


class Found(Exception):
    """A prover met points of the region at which the statement should fail."""

    def __init__(self, points: list[dict[str, Value]]) -> None:
        super().__init__()
        self.points = points


@dataclass(frozen=True)
class Region:
    """Names with their ranges, and hypotheses; a discrete name stands for its integers."""

    variables: tuple[Variable, ...]
    hypotheses: tuple[Formula, ...] = ()

    def relevant(self, c: Comparison) -> Region:
        """Only the names that the comparison or the ends of their ranges mention, and the hypotheses
        in those names: a larger region, so that what holds there holds here."""
        wanted = {s.name for e in (c.lhs, c.rhs) for s in e.free_symbols}
        while True:
            widened: dict[str, Variable] = {}
            for variable in self.variables:
                widened[variable.name] = _widened(variable, wanted, widened)
            ends = [e for v in widened.values() if v.name in wanted for e in (v.low, v.high)]
            grown = wanted | {s.name for e in ends if e is not None for s in e.free_symbols}
            if grown == wanted:
                break
            wanted = grown  # an end that gave way may be that of a name which is wanted now
        kept = tuple(widened[v.name] for v in self.variables if v.name in wanted)
        hypotheses = tuple(
            h
            for h in self.hypotheses
            if {s.name for s in symbols_of(h)} <= wanted and symbols_of(h)
        )
        return Region(kept, hypotheses)

    def connected(self, c: Comparison) -> Region:
        """As `relevant`, with the hypotheses in names of the comparison, all of their names, and so on:
        what the comparison may follow from where it follows from no smaller part."""
        wanted = {s for e in (c.lhs, c.rhs) for s in e.free_symbols}
        formulas = [symbols_of(h) for h in self.hypotheses]
        while True:
            grown = wanted.union(*(names for names in formulas if names & wanted))
            if grown == wanted:
                break
            wanted = grown
        return self.relevant(Comparison(c.op, sp.Add(*wanted, evaluate=False), sp.Integer(0)))

    def text(self) -> str:
        """The region as a person reads it."""
        names = ", ".join(f"{v.name} in {range_text(v)}" for v in self.variables)
        several = len(self.hypotheses) > 1
        where = " and ".join(
            f"({formula_text(h)})" if several and isinstance(h, Connective) else formula_text(h)
            for h in self.hypotheses
        )
        return f"{names} where {where}" if where else names


def _widened(v: Variable, wanted: set[str], earlier: Mapping[str, Variable]) -> Variable:
    """Ends that are names of no further interest give way to the ends of those names."""
    if v.low is not None and v.low.is_Symbol and v.low.name not in wanted:
        other = earlier[v.low.name]
        v = replace(v, low=other.low, low_open=v.low_open or other.low_open)
    if v.high is not None and v.high.is_Symbol and v.high.name not in wanted:
        other = earlier[v.high.name]
        v = replace(v, high=other.high, high_open=v.high_open or other.high_open)
    return v


def range_text(v: Variable) -> str:
    """The range in the notation of `check`, by its ends (which may have changed since it was typed)."""
    if v.kind == "set":
        return "{" + ", ".join(str(value) for value in v.values) + "}"
    if v.kind == "prime":
        return f"primes({v.low}..{v.high})"
    if v.kind == "integer":
        return f"{v.low}..{v.high}"
    return f"{'(' if v.low_open else '['}{v.low}, {v.high}{')' if v.high_open else ']'}"


def symbols_of(formula: Formula) -> set[Any]:
    """The names in a formula."""
    return set().union(*(e.free_symbols for e in expressions_of(formula)))


def put_formula(formula: Formula, constants: Mapping[Any, Any]) -> Formula:
    """Constants for symbols in every number of a formula, nothing simplified."""
    if isinstance(formula, Comparison):
        return Comparison(formula.op, put(formula.lhs, constants), put(formula.rhs, constants))
    if isinstance(formula, Predicate):
        return Predicate(formula.name, tuple(put(a, constants) for a in formula.args))
    return Connective(formula.kind, tuple(put_formula(p, constants) for p in formula.parts))


def formula_text(formula: Formula) -> str:
    """A formula in the notation of `check`."""
    if isinstance(formula, Comparison):
        return f"{written(formula.lhs)} {formula.op} {written(formula.rhs)}"
    if isinstance(formula, Predicate):
        return f"{formula.name}({', '.join(map(written, formula.args))})"
    if formula.kind == "not":
        return f"not ({formula_text(formula.parts[0])})"
    return f" {formula.kind} ".join(f"({formula_text(p)})" for p in formula.parts)
