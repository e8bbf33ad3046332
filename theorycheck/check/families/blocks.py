"""Families of one value, or of two, of any length: statements of names with the length among them.

Extremes of symmetric statements are often families of few different values; a counterexample of a thousand
members is found so as fast as one of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theorycheck.check.domain import Domains, Variable
from theorycheck.check.families.members import (
    has_members,
    mapped,
    rebuilt,
    swapped,
    symbols_of_range,
)
from theorycheck.check.families.naming import NotNamed
from theorycheck.check.formula import Formula
from theorycheck.check.judge import replace as put
from theorycheck.check.problem import Problem
from theorycheck.check.region import symbols_of
from theorycheck.check.verdict import Verdict


@dataclass(frozen=True)
class Blocks:
    """``problem`` speaks of the values of the members, ``own`` their names by family."""

    problem: Problem
    text: str
    own: Mapping[str, tuple[str, ...]]
    first: str
    at_one: tuple[str, ...] = ()

    def family(self, found: Verdict) -> dict[str, str]:
        """The counterexample in words: the first so many members, and the others."""
        values = dict(found.counterexample or {})
        parts = {f: [values.pop(n) for n in names] for f, names in self.own.items()}
        start = values.pop(self.first, "")
        told = {
            f: f"all {v[0]}" if len(v) == 1 else f"the first {start} {v[0]}, the others {v[1]}"
            for f, v in parts.items()
        }
        return {**values, **dict.fromkeys(self.at_one, "1"), **told}


def blocks(problem: Problem) -> Iterator[Blocks]:
    """One value, then two; nothing where the families have several ranges or a member stands alone."""
    spans = {(f.low, f.high) for f in problem.domains.families}
    if len(spans) != 1:
        return
    low, high = next(iter(spans))
    count = sp.expand(high - low + 1)
    # No term of an empty block may be asked for its value: blocks have members.
    if low != 1 or not count.is_positive or not high.free_symbols:
        return
    for number in (1, 2):
        try:
            yield _of(problem, high, count, number)
        except NotNamed:
            return


def _of(problem: Problem, high: Any, count: Any, number: int) -> Blocks:
    taken = {v.name for v in problem.domains.variables} | {f.name for f in problem.domains.families}

    def fresh(name: str) -> str:
        return name if name not in taken else fresh(name + "_")

    own: dict[str, tuple[str, ...]] = {}
    places: list[dict[Any, Any]] = [{} for _ in range(number)]
    variables = list(problem.domains.variables)
    for family in problem.domains.families:
        names = tuple(fresh(f"{family.name}_{chr(97 + k)}") for k in range(number))
        own[family.name] = names
        for k, name in enumerate(names):
            symbol = sp.Symbol(name, **family.member.symbol.assumptions0)
            variables.append(replace(family.member, name=name, symbol=symbol))
            places[k][family.head] = symbol
    first = sp.Symbol(fresh("first"), integer=True, positive=True)
    sizes = [count] if number == 1 else [first, count - first]
    if number == 2:
        text = f"1..{high} - 1"
        ends = Variable(first.name, first, "integer", text, sp.Integer(1), high - 1)
        variables.insert(len(problem.domains.variables), ends)

    # Members of declared indices are the first ones.
    at_one = {v.symbol: sp.Integer(1) for v in problem.domains.variables if _is_index(v, high)}
    variables = [v for v in variables if v.symbol not in at_one]
    if any(symbols_of_range(v) & set(at_one) for v in variables):
        raise NotNamed("the end of a range")
    first_ones = {head(1): s for head, s in places[0].items()}

    def change(e: Any) -> Any:
        found = _summed(swapped(put(e, at_one), first_ones), places, sizes, high)
        if has_members(found):
            raise NotNamed(str(e))
        return found

    plain = replace(
        problem,
        domains=Domains(tuple(variables)),
        goal=mapped(problem.goal, change),
        hypotheses=tuple(
            mapped(h, change) for h in (*problem.hypotheses, *_of_every(problem, places, high))
        ),
        where=(),
        notes=(),
        every=(),
    )
    text = "families of one value" if number == 1 else "families of two values"
    return Blocks(plain, text, own, first.name, tuple(s.name for s in at_one))


def _is_index(v: Variable, high: Any) -> bool:
    return v.kind == "integer" and (v.low, v.high) == (1, high)


def _of_every(problem: Problem, places: list[dict[Any, Any]], high: Any) -> Iterator[Formula]:
    """The hypotheses on every member, of each of the values. Raises NotNamed for others."""
    for every in problem.every:
        if (every.low, every.high) != (1, high):
            raise NotNamed(str(every.index))
        for values in places:
            instead = {head(every.index): s for head, s in values.items()}
            found = mapped(every.formula, lambda e, instead=instead: swapped(e, instead))
            if every.index in symbols_of(found):
                raise NotNamed(str(every.index))
            yield found


def _summed(e: Any, places: list[dict[Any, Any]], sizes: list[Any], high: Any) -> Any:
    """Sums and products over all members, block by block. Raises NotNamed for others."""
    if not has_members(e):
        return e
    if not isinstance(e, sp.Sum | sp.Product):
        if isinstance(e, AppliedUndef) or hasattr(e, "limits"):
            raise NotNamed(str(e))
        return rebuilt(e, [_summed(a, places, sizes, high) for a in e.args])
    if len(e.limits) != 1:
        raise NotNamed(str(e))
    index, low, end = e.limits[0]
    if low != 1 or end != high:
        raise NotNamed(str(e))
    terms: list[Any] = []
    for values, size in zip(places, sizes, strict=True):
        body = swapped(e.function, {head(index): s for head, s in values.items()})
        if has_members(body) or index in body.free_symbols:
            raise NotNamed(str(e))
        head = sp.Mul if isinstance(e, sp.Sum) else sp.Pow
        terms.append(head(size, body, evaluate=False) if head is sp.Mul else body**size)
    join = sp.Add if isinstance(e, sp.Sum) else sp.Mul
    return terms[0] if len(terms) == 1 else join(*terms, evaluate=False)
