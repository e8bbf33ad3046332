"""Members f(j) of families in expressions, and families written out at a given length."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theorycheck.check.domain import Domains, Family, Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.formula import Comparison, Connective, Formula, Predicate
from theorycheck.check.judge import expressions_of
from theorycheck.check.judge import replace as put
from theorycheck.check.problem import Problem
from theorycheck.check.refusal import InputError
from theorycheck.check.region import symbols_of

# So many names at most stand for the members of a family that is written out.
MOST_MEMBERS = 40


def has_members(e: Any) -> bool:
    """Whether a member f(j) of a family occurs."""
    return bool(e.has(AppliedUndef))


def mapped(formula: Formula, change: Any) -> Formula:
    """The formula with another expression in the place of each."""
    if isinstance(formula, Comparison):
        return Comparison(formula.op, change(formula.lhs), change(formula.rhs))
    if isinstance(formula, Predicate):
        return Predicate(formula.name, tuple(change(a) for a in formula.args))
    return Connective(formula.kind, tuple(mapped(p, change) for p in formula.parts))


def rebuilt(e: Any, args: list[Any]) -> Any:
    """The expression with other arguments, nothing simplified."""
    if all(a is b for a, b in zip(args, e.args, strict=True)):
        return e
    try:
        return e.func(*args, evaluate=False)
    except TypeError:
        return e.func(*args)


def swapped(e: Any, instead: Mapping[Any, Any]) -> Any:
    """Members and names replaced, nothing simplified."""
    if e in instead:
        return instead[e]
    if hasattr(e, "limits"):
        return e.xreplace(instead)
    return rebuilt(e, [swapped(a, instead) for a in e.args]) if e.args else e


def connected(problem: Problem) -> Problem:
    """With only those names and hypotheses that the goal has to do with: what holds then, holds."""
    wanted = symbols_of(problem.goal)
    while True:
        near = [h for h in problem.hypotheses if symbols_of(h) & wanted]
        grown = wanted.union(*(symbols_of(h) for h in near))
        for v in problem.domains.variables:
            if v.symbol in grown:
                grown = grown | symbols_of_range(v)
        if grown == wanted:
            break
        wanted = grown
    variables = tuple(v for v in problem.domains.variables if v.symbol in wanted)
    return replace(problem, domains=Domains(variables), hypotheses=tuple(near))


def symbols_of_range(v: Variable) -> set[Any]:
    """The names in the ends of a range."""
    return {s for end in (v.low, v.high) if end is not None for s in end.free_symbols}


def lengths(problem: Problem) -> tuple[Variable, ...]:
    """The names that say which members there are and which of them occur.

    Raises:
        InputError: where one of them is not an integer of a range.
    """
    wanted: set[Any] = set()
    for family in problem.domains.families:
        wanted |= family.low.free_symbols | family.high.free_symbols
    for formula in (problem.goal, *problem.hypotheses):
        for e in expressions_of(formula):
            wanted |= names_of_indices(e)
    for every in problem.every:
        wanted |= every.low.free_symbols | every.high.free_symbols
    found = tuple(v for v in problem.domains.variables if v.symbol in wanted)
    for v in found:
        if not v.discrete:
            raise InputError(f"{v.name} is no integer, so it says not which members there are")
    return _closed(found, problem)


def _closed(found: tuple[Variable, ...], problem: Problem) -> tuple[Variable, ...]:
    """With the names that the ends of their ranges mention."""
    while True:
        wanted = {s for v in found for s in symbols_of_range(v)}
        more = tuple(v for v in problem.domains.variables if v in found or v.symbol in wanted)
        if more == found:
            return found
        found = more


def names_of_indices(e: Any) -> set[Any]:
    """The names that say which members occur in an expression."""
    if isinstance(e, AppliedUndef):
        return set(e.args[0].free_symbols)
    if isinstance(e, sp.Sum | sp.Product) and has_members(e):
        bound = {limit[0] for limit in e.limits}
        ends = {s for limit in e.limits for end in limit[1:] for s in end.free_symbols}
        return (names_of_indices(e.function) | ends) - bound
    return set().union(*(names_of_indices(a) for a in e.args))


@dataclass(frozen=True)
class Instance:
    """A problem of names alone; ``members`` are their names by family, in order."""

    problem: Problem
    at: Mapping[str, int]
    members: Mapping[str, tuple[str, ...]]


def instance(problem: Problem, at: Mapping[str, int]) -> Instance | None:
    """The problem with given values of the names of `lengths`; None where it has too many members.

    Raises:
        InputError: where a member that there is not occurs.
    """
    constants = {problem.domains.symbols[n]: sp.Integer(k) for n, k in at.items()}
    members: dict[Any, Any] = {}
    variables = [_at(v, constants) for v in problem.domains.variables if v.name not in at]
    names: dict[str, tuple[str, ...]] = {}
    last = _last_index(problem, constants)
    for family in problem.domains.families:
        low = int(evaluated(put(family.low, constants)))
        high = last if family.high == sp.oo else int(evaluated(put(family.high, constants)))
        if high - low >= MOST_MEMBERS:
            return None
        own = [_member(family, k, constants, problem) for k in range(low, high + 1)]
        members |= {
            family.head(k): v.symbol for k, v in zip(range(low, high + 1), own, strict=True)
        }
        variables += own
        names[family.name] = tuple(v.name for v in own)
    if len(variables) > MOST_MEMBERS:
        return None

    def change(e: Any) -> Any:
        return _written_out(put(e, constants), members)

    plain = replace(
        problem,
        domains=Domains(_in_turn(variables, names)),
        goal=mapped(problem.goal, change),
        hypotheses=(
            *(mapped(h, change) for h in problem.hypotheses),
            *(mapped(h, change) for h in _of_members(problem, constants, members)),
        ),
        where=(),
        notes=(),
        every=(),
    )
    return Instance(plain, dict(at), names)


def _in_turn(
    variables: Sequence[Variable], names: Mapping[str, tuple[str, ...]]
) -> tuple[Variable, ...]:
    """The members of an index before those of the next: an equation gives each from those before it."""
    turn = {name: k for own in names.values() for k, name in enumerate(own)}
    return tuple(sorted(variables, key=lambda v: turn.get(v.name, -1)))


def _last_index(problem: Problem, constants: Mapping[Any, Any]) -> int:
    """The largest index that the statement and its hypotheses name, for families without end."""
    found = [0]
    for formula in (problem.goal, *problem.hypotheses):
        for e in expressions_of(formula):
            found += _indices(put(e, constants))
    return max(found)


def _indices(e: Any) -> Iterator[int]:
    if isinstance(e, AppliedUndef):
        place = evaluated(e.args[0])
        if place.is_Integer:
            yield int(place)
    elif isinstance(e, sp.Sum | sp.Product) and len(e.limits) == 1:
        index, low, high = e.limits[0]
        for end in (low, high):
            yield from _indices(put(e.function, {index: evaluated(end)}))
    else:
        for a in e.args:
            yield from _indices(a)


def _of_members(
    problem: Problem, constants: Mapping[Any, Any], members: Mapping[Any, Any]
) -> Iterator[Formula]:
    """The hypotheses for every index; of families without end as far as their members occur."""
    without_end = any(f.high == sp.oo for f in problem.domains.families)
    for every in problem.every:
        low = int(evaluated(put(every.low, constants)))
        high = every.high if every.high == sp.oo else int(evaluated(put(every.high, constants)))
        for k in itertools.count(low):
            if k > high or k - low > MOST_MEMBERS:
                break
            here = {**constants, every.index: sp.Integer(k)}
            formula = mapped(every.formula, lambda e, here=here: put(e, here))
            wanted = {
                m.func(evaluated(m.args[0]))
                for e in expressions_of(formula)
                for m in e.atoms(AppliedUndef)
            }
            if without_end and not wanted <= set(members):
                break
            yield formula


def _at(v: Variable, constants: Mapping[Any, Any]) -> Variable:
    if v.kind == "set":
        return v
    return replace(v, low=put(v.low, constants), high=put(v.high, constants))


def _member(family: Family, k: int, constants: Mapping[Any, Any], problem: Problem) -> Variable:
    taken = {v.name for v in problem.domains.variables}
    name = f"{family.name}_{k}".replace("-", "m")
    while name in taken:
        name += "_"
    symbol = sp.Symbol(name, **family.member.symbol.assumptions0)
    return replace(_at(family.member, constants), name=name, symbol=symbol)


def _written_out(e: Any, members: Mapping[Any, Any]) -> Any:
    """Members as names, the sums and products over them term by term."""
    if not has_members(e):
        return e
    if isinstance(e, AppliedUndef):
        member = e.func(evaluated(e.args[0]))
        if member not in members:
            name = str(member).replace("(", "[").replace(")", "]")
            raise InputError(f"{name} is no member for all lengths")
        return members[member]
    if isinstance(e, sp.Sum | sp.Product):
        *inner, (index, low, high) = e.limits
        low, high = evaluated(low), evaluated(high)
        if not (low.is_Integer and high.is_Integer):
            raise InputError(f"the members from {low} to {high} cannot be counted")
        body = e.func(e.function, *inner) if inner else e.function
        terms = [
            _written_out(put(body, {index: sp.Integer(k)}), members)
            for k in range(int(low), int(high) + 1)
        ]
        head = sp.Add if isinstance(e, sp.Sum) else sp.Mul
        return head(*terms, evaluate=False) if terms else head.identity
    return rebuilt(e, [_written_out(a, members) for a in e.args])


def sums_of(e: Any) -> Iterator[Any]:
    """The sums and products over members that stand in no other."""
    if isinstance(e, sp.Sum | sp.Product) and has_members(e):
        yield e
        return
    for a in e.args:
        yield from sums_of(a)
