"""Sequences y[i] that are given by recurrences: induction on the index of the statement.

At t the statement speaks of y[t + d], of y[0], and of sums whose last index moves with t; each of these is a name. With
what the hypotheses say of the indices around t, the statement at t, ..., t + r - 1 has to give it at t + r, where r is
the order of the recurrences. Equations give members away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theorycheck.check.domain import Domains, Family, Variable
from theorycheck.check.families.members import (
    connected,
    has_members,
    instance,
    lengths,
    mapped,
    names_of_indices,
    rebuilt,
    swapped,
    symbols_of_range,
)
from theorycheck.check.families.method import Prove
from theorycheck.check.forms import NoCondition, conditions, evaluated
from theorycheck.check.formula import Comparison, Every, Formula
from theorycheck.check.judge import expressions_of
from theorycheck.check.limits import Clock
from theorycheck.check.problem import Problem
from theorycheck.check.region import formula_text, symbols_of

NAME = "induction along the recurrence"
_MOST_ORDER, _SECONDS, _SHARE = 3, 3.0, 0.5


class _Cannot(Exception):
    """A member or sum is not of the kind that moves with the index."""


def extends(problem: Problem, prover: Prove, seconds: float) -> bool:
    """Whether members as far as an index are members of a family without end that satisfies the hypotheses: each
    of these gives or bounds one next member, by something that has a value, inside of the range."""
    if all(f.high != sp.oo for f in problem.domains.families):
        return True
    given: set[Any] = set()
    for every in problem.every:
        h = every.formula
        if not isinstance(h, Comparison) or h.op not in ("==", "<=", ">=") or every.high != sp.oo:
            return False
        family = next(
            (f for f in problem.domains.families if f.head == getattr(h.lhs, "func", None)), None
        )
        if family is None or family.name in given or not _is_next(h, every):
            return False
        given.add(family.name)
        if not _stays_inside(problem, every, h, family, prover, seconds):
            return False
    return True


def _is_next(h: Comparison, every: Every) -> bool:
    """Whether the left side is a member after all those of the right side."""
    ahead = sp.expand(h.lhs.args[0] - every.index)
    behind = [sp.expand(m.args[0] - every.index) for m in h.rhs.atoms(AppliedUndef)]
    return bool(ahead.is_Integer) and all(b.is_Integer and b < ahead for b in behind)


def _stays_inside(
    problem: Problem, every: Every, h: Comparison, family: Family, prover: Prove, seconds: float
) -> bool:
    if family.member.kind != "real" or h.rhs.has(sp.Sum, sp.Product, sp.Integral):
        return False
    names = {f.head: f.member for f in problem.domains.families}
    instead: dict[Any, Any] = {}
    variables = [*problem.domains.variables, _index(every)]
    for k, m in enumerate(sorted(h.rhs.atoms(AppliedUndef), key=str)):
        own = names[m.func]
        symbol = sp.Symbol(f"{own.name}_at_{k}", **own.symbol.assumptions0)
        variables.append(replace(own, name=symbol.name, symbol=symbol))
        instead[m] = symbol
    value = swapped(h.rhs, instead)
    low, high = family.member.low, family.member.high
    wanted: list[Formula] = list(conditions(value))  # type: ignore[arg-type]  # no sums are in it
    if h.op in ("==", "<=") and low != -sp.oo:
        wanted.append(Comparison(">" if family.member.low_open else ">=", value, low))
    if h.op in ("==", ">=") and high != sp.oo:
        wanted.append(Comparison("<" if family.member.high_open else "<=", value, high))
    free = [x for x in problem.hypotheses if not any(has_members(e) for e in expressions_of(x))]
    plain = replace(
        problem, domains=Domains(tuple(variables)), hypotheses=tuple(free), where=(), every=()
    )
    return all(prover(connected(replace(plain, goal=w)), seconds) for w in wanted)


def _index(every: Every) -> Variable:
    text = f"{every.low}..{every.high}"
    return Variable(every.index.name, every.index, "integer", text, every.low, every.high)


@dataclass
class _Names:
    """Names for members by family and place: t + d, or an index of its own; and for sums."""

    problem: Problem
    t: Any
    start: Any
    variables: dict[Any, Variable] = field(default_factory=dict)
    places: set[int] = field(default_factory=set)

    def at(self, e: Any, shift: int) -> Any:
        """The expression at t + shift. Raises _Cannot."""
        if e == self.t:
            return self.t + shift
        if isinstance(e, AppliedUndef):
            return self.member(e, shift)
        if isinstance(e, sp.Sum) and has_members(e):
            return self.total(e, shift)
        if not e.args:
            return e
        if hasattr(e, "limits"):
            if has_members(e):
                raise _Cannot
            return e.xreplace({self.t: self.t + shift})
        return rebuilt(e, [self.at(a, shift) for a in e.args])

    def member(self, m: Any, shift: int) -> Any:
        place = sp.expand(m.args[0] - self.t)
        if place.is_Integer:
            self.places.add(int(place) + shift)
            return self.name(
                (m.func, int(place) + shift), f"{m.func.__name__}_{int(place) + shift}"
            )
        if m.args[0].is_Integer:
            return self.name((m.func, "at", m.args[0]), f"{m.func.__name__}_at_{m.args[0]}")
        raise _Cannot

    def total(self, e: Any, shift: int) -> Any:
        """A sum up to t + d, with the terms that have come in."""
        if len(e.limits) != 1:
            raise _Cannot
        index, low, high = e.limits[0]
        if (
            not low.is_Integer
            or not sp.expand(high - self.t).is_Integer
            or self.t in e.function.free_symbols
        ):
            raise _Cannot
        if not (evaluated(high.xreplace({self.t: self.start})) + 1 - low).is_nonnegative:
            raise _Cannot  # an empty sum may stay empty
        if e not in self.variables:
            name = f"S_{len(self.variables)}_sum"
            self.variables[e] = _real(name)
        more = [
            self.at(swapped(e.function, {index: evaluated(high + k)}), 0)
            for k in range(1, shift + 1)
        ]
        return sp.Add(self.variables[e].symbol, *more, evaluate=False)

    def name(self, key: Any, name: str) -> Any:
        if key not in self.variables:
            own = next(f.member for f in self.problem.domains.families if f.head == key[0])
            taken = {v.name for v in self.problem.domains.variables}
            name = name.replace("-", "m")
            while name in taken:
                name += "_"
            symbol = sp.Symbol(name, **own.symbol.assumptions0)
            self.variables[key] = replace(own, name=name, symbol=symbol)
        return self.variables[key].symbol


def _real(name: str) -> Variable:
    symbol = sp.Symbol(name, real=True)
    return Variable(name, symbol, "real", "(-oo, oo)", -sp.oo, sp.oo, low_open=True, high_open=True)


def prove(problem: Problem, clock: Clock, prover: Prove) -> tuple[str, ...]:
    """The lines of a proof, none without one."""
    goal = problem.goal
    if not isinstance(goal, Comparison) or not problem.every:
        return ()
    moving = set().union(*(names_of_indices(e) for e in expressions_of(goal)))
    t = next((v for v in problem.domains.variables if v.symbol in moving), None)
    if len(moving) != 1 or t is None or t.kind != "integer" or t.high != sp.oo:
        return ()
    if not t.low.is_Integer or any(t.symbol in symbols_of(h) for h in problem.hypotheses):
        return ()  # what is left of a sequence need not satisfy a hypothesis on all of it
    if [v.name for v in lengths(problem)] != [t.name]:
        return ()
    if not _grows(problem, t):
        return ()
    order = max(_order(every) for every in problem.every)
    if not 0 < order <= _MOST_ORDER:
        return ()
    try:
        step, told = _step(problem, goal, t, order)
    except _Cannot:
        return ()
    lines: list[str] = []
    for k in range(order):
        start = instance(problem, {t.name: int(t.low) + k})
        asked = None if start is None else _without_equations(start.problem)
        found = asked and prover(connected(asked), min(_SECONDS, _SHARE * clock.left))
        if not asked or not found:
            return ()
        lines += [
            f"at {t.name} = {t.low + k}: {formula_text(asked.goal)}",
            *(f"  {x}" for x in found),
        ]
    asked = connected(step)
    found = prover(asked, _SHARE * clock.left)
    if not found:
        return ()
    return (
        *lines,
        *told,
        f"from {t.name} to {t.name} + {order}: {formula_text(asked.goal)}   for {asked.domains.text()}",
        *(f"  where {formula_text(h)}" for h in asked.hypotheses),
        *(f"  {line}" for line in found),
    )


def _grows(problem: Problem, t: Variable) -> bool:
    """Whether nothing is known of the first members that depends on how many follow: no range depends on t, and
    hypotheses and families that end with t reach further for a larger one."""
    ranges = [*problem.domains.variables, *(f.member for f in problem.domains.families)]
    if any(t.symbol in symbols_of_range(v) for v in ranges):
        return False
    spans = [(e.low, e.high) for e in problem.every]
    spans += [(f.low, f.high) for f in problem.domains.families]
    for low, high in spans:
        if t.symbol in low.free_symbols:
            return False
        further = high.xreplace({t.symbol: t.symbol + 1})
        if high != sp.oo and not sp.expand(further - high).is_nonnegative:
            return False
    return True


def _order(every: Every) -> int:
    """How far the members of a recurrence are apart."""
    found = [
        sp.expand(m.args[0] - every.index)
        for e in expressions_of(every.formula)
        for m in e.atoms(AppliedUndef)
    ]
    if not found or not all(p.is_Integer for p in found):
        return 0
    return int(max(found) - min(found))


def _step(problem: Problem, goal: Comparison, t: Variable, order: int) -> tuple[Problem, list[str]]:
    """The statement at t + order, from that at t and the hypotheses. Raises _Cannot."""
    names = _Names(problem, t.symbol, t.low)
    before = [mapped(goal, lambda e, k=k: names.at(e, k)) for k in range(order)]
    after = mapped(goal, lambda e: names.at(e, order))
    known = [mapped(h, lambda e: names.at(e, 0)) for h in problem.hypotheses]
    known += list(_around(problem, names, t, order))
    told = [f"{v.name} is {_told(key, t)}" for key, v in names.variables.items()]
    plain = replace(
        problem,
        domains=Domains((*problem.domains.variables, *names.variables.values())),
        goal=after,
        hypotheses=(*known, *before),
        where=(),
        every=(),
    )
    return _by_the_bound(_without_equations(plain)), told


def _by_the_bound(problem: Problem) -> Problem:
    """y <= b follows from y <= g and g <= b: the last member gives way to its bound."""
    goal = problem.goal
    assert isinstance(goal, Comparison)
    for h in problem.hypotheses:
        if not isinstance(h, Comparison) or h.op not in ("<=", ">="):
            continue
        if h.lhs == goal.lhs and h.lhs.is_Symbol and goal.op in (h.op, h.op[0]):
            return replace(problem, goal=Comparison(goal.op, h.rhs, goal.rhs))
    return problem


def _told(key: Any, t: Variable) -> str:
    if not isinstance(key, tuple):
        return str(key)
    if len(key) == 3:
        return f"{key[0].__name__}[{key[2]}]"
    return f"{key[0].__name__}[{t.name} + {key[1]}]"


def _around(problem: Problem, names: _Names, t: Variable, order: int) -> Iterator[Formula]:
    """The hypotheses for every index at those indices at which they speak of members that occur."""
    reached = range(min(names.places, default=0) - order, max(names.places, default=0) + 1)
    for every in problem.every:
        for shift in reached:
            place = t.symbol + shift
            low_enough = evaluated(t.low + shift - every.low).is_nonnegative
            # The family may end with t: then that of t + order is meant.
            last = evaluated(every.high.xreplace({t.symbol: t.symbol + order}))
            if not low_enough or not (last == sp.oo or sp.expand(last - place).is_nonnegative):
                continue
            here_only = {every.index: place}
            inside = mapped(every.formula, lambda e, c=here_only: swapped(e, c))
            wanted = {m for e in expressions_of(inside) for m in e.atoms(AppliedUndef)}
            here = {sp.expand(m.args[0] - t.symbol) for m in wanted}
            if all(p.is_Integer and int(p) in names.places for p in here):
                yield mapped(inside, lambda e: names.at(e, 0))


def _without_equations(problem: Problem) -> Problem:
    """With the value of a name in its place, where a hypothesis is the equation of a name."""
    while True:
        found = next((s for h in problem.hypotheses if (s := _solved(h, problem))), None)
        if found is None:
            return problem
        equation, name, value = found
        change: Mapping[Any, Any] = {name: value}
        own = next(v for v in problem.domains.variables if v.symbol == name)
        rest = [h for h in problem.hypotheses if h is not equation]
        if own.low != -sp.oo:
            rest.append(Comparison(">" if own.low_open else ">=", name, own.low))
        if own.high != sp.oo:
            rest.append(Comparison("<" if own.high_open else "<=", name, own.high))
        problem = replace(
            problem,
            goal=mapped(problem.goal, lambda e, c=change: swapped(e, c)),
            hypotheses=tuple(mapped(h, lambda e, c=change: swapped(e, c)) for h in rest),
            domains=Domains(tuple(v for v in problem.domains.variables if v is not own)),
        )


def _solved(h: Formula, problem: Problem) -> tuple[Formula, Any, Any] | None:
    if not isinstance(h, Comparison) or h.op != "==":
        return None
    ends = {
        s
        for v in problem.domains.variables
        for e in (v.low, v.high)
        if e is not None
        for s in e.free_symbols
    }
    reals = {v.symbol for v in problem.domains.variables if v.kind == "real"} - ends
    for name, value in ((h.lhs, h.rhs), (h.rhs, h.lhs)):
        if name in reals and name not in value.free_symbols:
            try:
                plain = not list(conditions(value))
            except NoCondition:
                plain = False
            if plain:
                return h, name, value
    return None
