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
from theorycheck.check.families.members import has_members, mapped, rebuilt, swapped
from theorycheck.check.families.naming import NotNamed
from theorycheck.check.problem import Problem
from theorycheck.check.verdict import Verdict


@dataclass(frozen=True)
class Blocks:
    """``problem`` speaks of the values of the members, ``own`` their names by family."""

    problem: Problem
    text: str
    own: Mapping[str, tuple[str, ...]]
    first: str

    def family(self, found: Verdict) -> dict[str, str]:
        """The counterexample in words: the first so many members, and the others."""
        values = dict(found.counterexample or {})
        parts = {f: [values.pop(n) for n in names] for f, names in self.own.items()}
        start = values.pop(self.first, "")
        told = {
            f: f"all {v[0]}" if len(v) == 1 else f"the first {start} {v[0]}, the others {v[1]}"
            for f, v in parts.items()
        }
        return {**values, **told}


def blocks(problem: Problem) -> Iterator[Blocks]:
    """One value, then two; nothing where the families have several ranges or a member stands alone."""
    spans = {(f.low, f.high) for f in problem.domains.families}
    if len(spans) != 1 or problem.every:
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

    def change(e: Any) -> Any:
        found = _summed(e, places, sizes, high)
        if has_members(found):
            raise NotNamed(str(e))
        return found

    plain = replace(
        problem,
        domains=Domains(tuple(variables)),
        goal=mapped(problem.goal, change),
        hypotheses=tuple(mapped(h, change) for h in problem.hypotheses),
        where=(),
        notes=(),
    )
    text = "families of one value" if number == 1 else "families of two values"
    return Blocks(plain, text, own, first.name)


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
    terms = []
    for values, size in zip(places, sizes, strict=True):
        body = swapped(e.function, {head(index): s for head, s in values.items()})
        if has_members(body) or index in body.free_symbols:
            raise NotNamed(str(e))
        head = sp.Mul if isinstance(e, sp.Sum) else sp.Pow
        terms.append(head(size, body, evaluate=False) if head is sp.Mul else body**size)
    join = sp.Add if isinstance(e, sp.Sum) else sp.Mul
    return terms[0] if len(terms) == 1 else join(*terms, evaluate=False)
