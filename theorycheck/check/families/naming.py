"""Sums over families as names: what is left is a statement of names, and facts about its sums.

By linearity each sum is a combination of sums of terms, sum of c t(f[j]) = c S_t, and each S_t is one name;
the sum of 1 is the length. The product of positive terms is exp of the sum of their logarithms. A hypothesis
that gives a sum its value (``Sum(f[j], (j, 1, n)) == 1``) takes that name away again.
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
    mapped,
    rebuilt,
    swapped,
)
from theorycheck.check.forms import evaluated
from theorycheck.check.formula import Comparison, Every, Formula
from theorycheck.check.judge import expressions_of
from theorycheck.check.problem import Problem


class NotNamed(Exception):
    """A sum is not over all members of its families, or a member stands outside of every sum."""


@dataclass(frozen=True)
class Span:
    """The range of an index: all of it has ``count`` members, at least 0 of them."""

    low: Any
    high: Any

    @property
    def count(self) -> Any:
        return sp.expand(self.high - self.low + 1)


@dataclass(frozen=True)
class Total:
    """``symbol`` stands for the sum over ``span`` of ``term``, in the names of single members."""

    symbol: Any
    term: Any
    span: Span

    def variable(self) -> Variable:
        """The name with what its sign says of its range."""
        low, is_open = -sp.oo, True
        if self.term.is_nonnegative:
            low, is_open = (
                sp.Integer(0),
                bool(self.term.is_positive and self.span.count.is_positive),
            )
        text = f"{'(' if is_open else '['}{low}, oo)"
        return Variable(
            self.symbol.name,
            self.symbol,
            "real",
            text,
            low,
            sp.oo,
            low_open=is_open,
            high_open=True,
        )

    def text(self) -> str:
        return f"{self.symbol} is the sum of {self.term}"


@dataclass
class Named:
    """``problem`` has no families: its names are those declared and the ``totals``.

    ``values`` are the sums that a hypothesis fixes; ``members`` the ranges of single members, of which ``each``
    is known; ``bodies`` must have a value for every member. ``singles`` are the members of declared indices, each
    with the name of any member of its family.
    """

    problem: Problem
    totals: tuple[Total, ...]
    values: Mapping[Total, Any]
    members: tuple[Variable, ...]
    bodies: tuple[Any, ...]
    each: tuple[Formula, ...] = ()
    singles: Mapping[Any, Any] = field(default_factory=dict)

    @property
    def given(self) -> tuple[Formula, ...]:
        return self.problem.hypotheses

    def pointwise(self, goal: Formula, more: tuple[Formula, ...] = ()) -> Problem:
        """A statement of one member of each family, the declared names and the sums."""
        variables = (*self.problem.domains.variables, *self.members)
        return connected(
            replace(
                self.problem,
                domains=Domains(variables),
                goal=goal,
                hypotheses=(*self.given, *self.each, *more),
            )
        )


def named(problem: Problem) -> Named:
    """The problem in names. Raises NotNamed."""
    naming = _Naming(problem)
    goal = mapped(problem.goal, naming.whole)
    bodies = tuple(naming.bodies)
    hypotheses = [mapped(h, naming.whole) for h in problem.hypotheses]
    values: dict[Any, Any] = {}
    for h in list(hypotheses):
        solved = _solved(h, {t.symbol for t in naming.totals.values()})
        if solved is not None and solved[0] not in values:
            hypotheses.remove(h)
            change = {solved[0]: solved[1]}
            values = {s: e.xreplace(change) for s, e in values.items()} | change
            hypotheses = [with_values(o, change) for o in hypotheses]
    goal = with_values(goal, values)
    totals = tuple(naming.totals.values())
    for t in totals:
        if t.symbol in values and t.term.is_nonnegative and not values[t.symbol].is_number:
            op = ">" if t.variable().low_open else ">="
            hypotheses.append(Comparison(op, values[t.symbol], sp.Integer(0)))
    for t in totals:
        hypotheses += naming.within(t, values.get(t.symbol, t.symbol))
    left = tuple(t for t in totals if t.symbol not in values)
    known = [naming.of_each(e) for e in problem.every]
    each = tuple(f for h in known if h is not None for f in (h, *_squared(h)))
    hypotheses += [with_values(h, values) for e in problem.every for h in naming.at_singles(e)]
    names = (*(t.variable() for t in left), *naming.singles.values())
    variables = (*problem.domains.variables, *names)
    plain = replace(
        problem, domains=Domains(variables), goal=goal, hypotheses=tuple(hypotheses), where=()
    )
    fixed = {t: values[t.symbol] for t in totals if t.symbol in values}
    singles = {v.symbol: naming.family(m).member.symbol for m, v in naming.singles.items()}
    return Named(plain, left, fixed, naming.members, bodies, each, singles)


def with_values(formula: Formula, values: Mapping[Any, Any]) -> Formula:
    """The formula with the values of names, nothing simplified."""
    return mapped(formula, lambda e: swapped(e, values))


def _squared(h: Formula) -> Iterator[Formula]:
    """Abs(a) <= Abs(b) for squares."""
    if isinstance(h, Comparison) and all(isinstance(e, sp.Abs) for e in (h.lhs, h.rhs)):
        yield Comparison(h.op, h.lhs.args[0] ** 2, h.rhs.args[0] ** 2)


def _solved(h: Formula, names: set[Any]) -> tuple[Any, Any] | None:
    """The name and value where an equation gives a sum its value: c S + e == 0, or sqrt(S) == e."""
    if not isinstance(h, Comparison) or h.op != "==":
        return None
    for a, b in ((h.lhs, h.rhs), (h.rhs, h.lhs)):
        is_root = a.is_Pow and a.exp == sp.Rational(1, 2) and a.base in names
        if is_root and b.is_positive and not b.free_symbols & names:
            return a.base, evaluated(b) ** 2
    difference = sp.expand(evaluated(h.lhs) - evaluated(h.rhs))
    for s in sorted(difference.free_symbols & names, key=str):
        factor = sp.diff(difference, s)
        if factor.is_nonzero and not factor.free_symbols & names:
            return s, sp.expand(s - difference / factor)
    return None


@dataclass
class _Naming:
    problem: Problem
    totals: dict[tuple[Any, Span], Total] = field(default_factory=dict)
    bodies: list[Any] = field(default_factory=list)
    more: dict[Any, Variable] = field(default_factory=dict)
    singles: dict[Any, Variable] = field(default_factory=dict)
    indices: dict[Span, Any] = field(default_factory=dict)

    @property
    def members(self) -> tuple[Variable, ...]:
        return (*(f.member for f in self.problem.domains.families), *self.more.values())

    def fresh(self, name: str) -> str:
        """A name that is not declared."""
        domains = self.problem.domains
        taken = {v.name for v in domains.variables} | {f.name for f in domains.families}
        while name in taken:
            name += "_"
        return name

    def whole(self, e: Any) -> Any:
        """An expression of a formula. Raises NotNamed where members are left."""
        found = self.inside(e)
        return swapped(found, {m: self.single(m) for m in found.atoms(AppliedUndef)})

    def single(self, member: Any) -> Any:
        """A member of a declared index that runs through all of them, as a name. Raises NotNamed."""
        family, index = self.family(member), member.args[0]
        v = next((v for v in self.problem.domains.variables if v.symbol == index), None)
        if v is None or v.kind != "integer" or (v.low, v.high) != (family.low, family.high):
            raise NotNamed(str(member))
        if member not in self.singles:
            own = family.member
            symbol = sp.Symbol(self.fresh(f"{own.name}_{index}"), **own.symbol.assumptions0)
            self.singles[member] = replace(own, name=symbol.name, symbol=symbol)
        return self.singles[member].symbol

    def within(self, total: Total, value: Any) -> Iterator[Comparison]:
        """A term that is never negative, of a member that is named, is at most the sum of all."""
        if not total.term.is_nonnegative:
            return
        for index in dict.fromkeys(m.args[0] for m in self.singles):
            instead = {
                f.member.symbol: self.singles[f.head(index)].symbol
                for f in self.problem.domains.families
                if f.head(index) in self.singles
                and (f.low, f.high) == (total.span.low, total.span.high)
            } | {self.indices[total.span]: index}
            if total.term.free_symbols & {v.symbol for v in self.members} <= set(instead):
                yield Comparison("<=", total.term.xreplace(instead), value)

    def inside(self, e: Any) -> Any:
        if not has_members(e) or isinstance(e, AppliedUndef):
            return e
        if isinstance(e, sp.Sum | sp.Product):
            *inner, limit = e.limits
            body = self.inside(e.func(e.function, *inner) if inner else e.function)
            return self.total(e.func, body, limit)
        if hasattr(e, "limits"):
            raise NotNamed(str(e))
        return rebuilt(e, [self.inside(a) for a in e.args])

    def total(self, head: Any, body: Any, limit: Any) -> Any:
        index, low, high = limit[0], evaluated(limit[1]), evaluated(limit[2])
        span = Span(low, high)
        # The sum of 1 would not be the count.
        if not (span.count.is_nonnegative and span.count.is_finite):
            raise NotNamed(f"{low}..{high}")
        at_index: dict[Any, Any] = {}
        for member in body.atoms(AppliedUndef):
            if index not in member.free_symbols:
                continue
            family = self.family(member)
            if member.args[0] != index or (family.low, family.high) != (low, high):
                raise NotNamed(str(member))
            at_index[member] = family.member.symbol
        place = self.index(span)
        body = swapped(body, {**at_index, index: place})
        self.bodies.append(self.alone(body))
        if head is sp.Product:
            if not body.is_positive:
                raise NotNamed(str(body))
            body = sp.log(body)
        found = self.combination(evaluated(body), span, {place, *at_index.values()})
        return found if head is sp.Sum else sp.exp(found)

    def index(self, span: Span) -> Any:
        """The index of a range as one more name of a single member."""
        if span not in self.indices:
            facts = {"integer": True, **({"positive": True} if span.low.is_positive else {})}
            symbol = sp.Symbol(self.fresh(f"at_{len(self.indices) + 1}"), **facts)
            text = f"{span.low}..{span.high}"
            variable = Variable(symbol.name, symbol, "integer", text, span.low, span.high)
            self.indices[span], self.more[symbol] = symbol, variable
        return self.indices[span]

    def of_each(self, every: Every) -> Formula | None:
        """A hypothesis on every member as one on the names of single members; None where it speaks of
        several members or has sums in it."""
        span = Span(evaluated(every.low), evaluated(every.high))
        instead = {every.index: self.index(span)}
        for e in expressions_of(every.formula):
            if e.has(sp.Sum, sp.Product):
                return None
            for member in e.atoms(AppliedUndef):
                family = self.family(member)
                if every.index not in member.free_symbols:
                    try:
                        instead[member] = self.single(member)
                    except NotNamed:
                        return None
                elif member.args[0] == every.index and (family.low, family.high) == (
                    span.low,
                    span.high,
                ):
                    instead[member] = family.member.symbol
                else:
                    return None
        return with_values(every.formula, instead)

    def at_singles(self, every: Every) -> Iterator[Formula]:
        """The hypothesis at the declared indices of members that stand alone."""
        ends = (evaluated(every.low), evaluated(every.high))
        for index in dict.fromkeys(m.args[0] for m in self.singles):
            v = next(v for v in self.problem.domains.variables if v.symbol == index)
            if (v.low, v.high) != ends:
                continue
            here = mapped(every.formula, lambda e, index=index: swapped(e, {every.index: index}))
            try:
                found = mapped(here, self.whole)
            except NotNamed:
                continue
            if not (isinstance(found, Comparison) and found.lhs == found.rhs):
                yield found

    def family(self, member: Any) -> Family:
        return next(f for f in self.problem.domains.families if f.head == member.func)

    def alone(self, body: Any) -> Any:
        """A term with a name of its own for every member of an outer sum."""
        outer: dict[Any, Any] = {}
        for k, member in enumerate(sorted(body.atoms(AppliedUndef), key=str)):
            own = self.family(member).member
            symbol = sp.Symbol(self.fresh(f"{own.name}_of_{k}"), **own.symbol.assumptions0)
            self.more[symbol] = replace(own, name=symbol.name, symbol=symbol)
            outer[member] = symbol
        return swapped(body, outer)

    def combination(self, body: Any, span: Span, own: set[Any]) -> Any:
        """The sum of a term by linearity."""
        place, result = self.index(span), sp.Integer(0)
        for part in sp.Add.make_args(sp.expand(body)):
            factor, term = part.as_independent(*own, as_Add=False)
            if term == 1:
                result += factor * span.count
            elif term.free_symbols & own == {place}:
                result += factor * sp.Sum(term, (place, span.low, span.high))
            else:
                result += factor * self.name(term, span).symbol
        return result

    def name(self, term: Any, span: Span) -> Total:
        key = (term, span)
        if key not in self.totals:
            facts = {"real": True}
            if term.is_nonnegative:
                strict = term.is_positive and span.count.is_positive
                facts["positive" if strict else "nonnegative"] = True
            symbol = sp.Symbol(self.fresh(f"S_{len(self.totals) + 1}"), **facts)
            self.totals[key] = Total(symbol, term, span)
        return self.totals[key]


__all__ = ["Named", "NotNamed", "Span", "Total", "named", "with_values"]
