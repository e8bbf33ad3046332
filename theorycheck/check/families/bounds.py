"""Bounds of sums term by term: if t(u) >= c_0 + c_1 t_1(u) + ... for every member u, the sum of t is at least
n c_0 + c_1 S_1 + ..., and S_k is known, or a name.

The factors c_k are found, not known: those of a tangent at the member that all members would equal (a mean of
the sums at hand), of a chord between two of 0, the whole sum and the ends of the range, or none. Whatever they
are, the inequality for one member is proved, and so is the statement with the bound in the place of the sum.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from theorycheck.check.families.members import swapped
from theorycheck.check.families.method import FamilyMethod, FamilyTask, linear_part, nonnegative
from theorycheck.check.families.naming import Span, Total, with_values
from theorycheck.check.formula import Comparison, Formula
from theorycheck.check.limits import GAVE_UP

_MOST_BASES, _MOST_ANCHORS, _MOST_BOUNDS = 12, 6, 24
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


@dataclass(frozen=True)
class _Basis:
    """A term and the value of its sum; 1 and the number of members first."""

    term: Any
    value: Any


@dataclass(frozen=True)
class _Bound:
    """``below`` every member's term stands ``pointwise``, so below the sum stands ``value``."""

    pointwise: Any
    value: Any


def prove(task: FamilyTask) -> bool:
    """By a bound of what is linear in sums, or of one sum."""
    if task.goal.op in ("==", "!="):
        return False
    if not task.sides_have_values():
        return False
    present = [t for t in task.named.totals if task.symbols_with(t)]
    difference = task.difference
    linear, rest = linear_part(difference, present)
    for span in dict.fromkeys(t.span for t in linear):
        own = {t: f for t, f in linear.items() if t.span == span}
        left = rest + sp.Add(*(f * t.symbol for t, f in linear.items() if t not in own))
        if _of_combination(task, own, span, left):
            return True
    return any(_of_one(task, t) for t in present)


def _of_combination(task: FamilyTask, own: Mapping[Total, Any], span: Span, rest: Any) -> bool:
    """The sum of all terms that stand alone, with their factors, from below."""
    term = sp.Add(*(factor * t.term for t, factor in own.items()))
    for bound in _bounds(task, term, span, set(own)):
        before = len(task.lines)
        whole = Comparison(task.op, sp.expand(bound.value + rest), _ZERO)
        each = Comparison(">=", term, bound.pointwise)
        if _both(task, task.in_names(whole), each, span):
            return True
        del task.lines[before:]
        if task.clock.out():
            break
    return False


def _of_one(task: FamilyTask, total: Total) -> bool:
    """One sum, from below or above, wherever it stands."""
    slack = nonnegative("slack")
    for sign in (1, -1):
        for bound in _bounds(task, sign * total.term, total.span, {total}):
            before = len(task.lines)
            value = sign * (bound.value + slack.symbol)
            instead = {total.symbol: value}
            goal = task.goal
            whole = Comparison(goal.op, swapped(goal.lhs, instead), swapped(goal.rhs, instead))
            known: list[Formula] = []
            if total.term.is_nonnegative:
                op = ">" if total.variable().low_open else ">="
                known = [Comparison(op, value, _ZERO)]
            each = Comparison(">=", sign * total.term, bound.pointwise)
            asked = task.in_names(whole, [slack], known)
            asked = replace(
                asked, hypotheses=tuple(with_values(h, instead) for h in asked.hypotheses)
            )
            if _both(task, asked, each, total.span):
                return True
            del task.lines[before:]
            if task.clock.out():
                return False
    return False


def _both(task: FamilyTask, whole: Any, each: Comparison, span: Span) -> bool:
    """The statement with the bound, and the bound itself, at first without what is known of the members."""
    if not task.shown(whole, "with the bound in the place of the sum: "):
        return False
    pointwise = "of each member: "
    if task.shown(task.named.pointwise(each), pointwise):
        return True
    known = tuple(_within_sums(task, each, span))
    return bool(known) and task.shown(task.named.pointwise(each, known), pointwise)


def _within_sums(task: FamilyTask, each: Comparison, span: Span) -> Iterator[Comparison]:
    """A term that is never negative is at most its sum."""
    wanted = each.lhs.free_symbols | each.rhs.free_symbols
    members = {v.symbol for v in task.named.members}
    for b in _bases(task, span, set()):
        if b.term.is_nonnegative and b.term.free_symbols & members <= wanted and b.term != 1:
            yield Comparison("<=", b.term, b.value)


def _bases(task: FamilyTask, span: Span, without: set[Total]) -> list[_Basis]:
    known = [_Basis(t.term, value) for t, value in task.named.values.items() if t.span == span]
    names = [
        _Basis(t.term, t.symbol) for t in task.named.totals if t.span == span and t not in without
    ]
    return [_Basis(_ONE, span.count), *known, *names]


def _bounds(task: FamilyTask, term: Any, span: Span, without: set[Total]) -> Iterator[_Bound]:
    """Candidates, the simplest first."""
    bases = _bases(task, span, without)
    seen: set[Any] = set()
    for bound in itertools.islice(_candidates(task, term, bases), _MOST_BOUNDS):
        if bound.pointwise not in seen:
            seen.add(bound.pointwise)
            yield bound


def _candidates(task: FamilyTask, term: Any, bases: Sequence[_Basis]) -> Iterator[_Bound]:
    yield _Bound(_ZERO, _ZERO)
    members = sorted({v.symbol for v in task.named.members} & term.free_symbols, key=str)
    yield from _at_singles(task, term, members, bases)
    for anchor in itertools.islice(_anchors(task, members, bases), _MOST_ANCHORS):
        yield from _tangents(term, members, bases, anchor)
    yield from _chords(task, term, members, bases)
    yield from _signed(members, bases)


def _signed(members: Sequence[Any], bases: Sequence[_Basis]) -> Iterator[_Bound]:
    """Plus or minus one sum of members, or two: |u - v| <= u + v has no tangent where u = v."""
    own = [b for b in bases if b.term in members]
    for size in (1, 2):
        for chosen in itertools.combinations(own, size):
            for signs in itertools.product((-1, 1), repeat=size):
                yield _made(signs, chosen)


def _at_singles(
    task: FamilyTask, term: Any, members: Sequence[Any], bases: Sequence[_Basis]
) -> Iterator[_Bound]:
    """With members of declared indices, of which something is known for all: in the place of every member, or as
    factors of the sum of the others' sizes."""
    singles = task.named.singles
    here = {s: u for s, u in singles.items() if u in members}
    at = swapped(term, {u: s for s, u in here.items()})
    if here and not at.free_symbols & set(members):
        yield _made([at], bases[:1])
    for s in singles:
        for b in bases[1:]:
            if b.term.free_symbols & set(members):
                yield from (_made([sign * sp.Abs(s)], [b]) for sign in (-1, 1))


def _made(factors: Sequence[Any], bases: Sequence[_Basis]) -> _Bound:
    pairs = list(zip(factors, bases, strict=True))
    return _Bound(sp.Add(*(f * b.term for f, b in pairs)), sp.Add(*(f * b.value for f, b in pairs)))


def _tangents(
    term: Any, members: Sequence[Any], bases: Sequence[_Basis], anchor: Mapping[Any, Any]
) -> Iterator[_Bound]:
    """Combinations that agree with the term at a member, with all first derivatives."""

    def row(e: Any) -> list[Any]:
        try:
            return [d.subs(anchor) for d in (e, *(sp.diff(e, m) for m in members))]
        except GAVE_UP:
            return []

    wanted = row(term)
    size = min(len(wanted), len(bases))
    for chosen in itertools.islice(itertools.combinations(bases, size), _MOST_BASES):
        columns = [row(b.term) for b in chosen]
        if not wanted or not all(columns):
            continue
        matrix = sp.Matrix([[c[i] for c in columns] for i in range(size)])
        try:
            if sp.simplify(matrix.det()) == 0:
                continue
            factors = [sp.simplify(f) for f in matrix.LUsolve(sp.Matrix(wanted[:size]))]
        except GAVE_UP:
            continue
        if all(f.is_finite is not False and not f.has(sp.nan, sp.zoo) for f in factors):
            yield _made(factors, chosen)


def _chords(
    task: FamilyTask, term: Any, members: Sequence[Any], bases: Sequence[_Basis]
) -> Iterator[_Bound]:
    """Between two of 0, the whole sum, and the ends of the range, of a term in one member."""
    if len(members) != 1:
        return
    u = members[0]
    variable = next(v for v in task.named.members if v.symbol == u)
    ends = [e for e in (variable.low, variable.high) if e.is_finite is not False]
    for b in bases[1:]:
        if b.term not in (u, sp.Abs(u)):
            continue
        places = list(dict.fromkeys([*ends, _ZERO, b.value]))
        for low, high in itertools.combinations(places, 2):
            try:
                at = [term.subs(u, place) for place in (low, high)]
                at_basis = [b.term.subs(u, place) for place in (low, high)]
                slope = sp.simplify((at[1] - at[0]) / (at_basis[1] - at_basis[0]))
                start = sp.simplify(at[0] - slope * at_basis[0])
            except GAVE_UP:
                continue
            if not (slope.has(sp.nan, sp.zoo, sp.oo) or start.has(sp.nan, sp.zoo, sp.oo)):
                yield _made([start, slope], [bases[0], b])


def _anchors(
    task: FamilyTask, members: Sequence[Any], bases: Sequence[_Basis]
) -> Iterator[dict[Any, Any]]:
    """Values of a member, for each name of it: means of the sums first."""
    choices = [list(dict.fromkeys(_means(u, members, bases)))[:3] for u in members]
    for values in itertools.product(*choices):
        yield dict(zip(members, values, strict=True))


def _means(u: Any, members: Sequence[Any], bases: Sequence[_Basis]) -> Iterator[Any]:
    count = bases[0].value
    sums = {b.term: b.value for b in bases}
    for weight in (*(m for m in members if m != u), _ONE):
        if weight in sums and weight * u in sums:
            yield sums[weight * u] / sums[weight]
    if u**2 in sums:
        yield sp.sqrt(sums[u**2] / count)
    if sp.log(u) in sums:
        yield sp.exp(sums[sp.log(u)] / count)
    if 1 / u in sums:
        yield count / sums[1 / u]
    if sp.exp(u) in sums:
        yield sp.log(sums[sp.exp(u)] / count)
    yield 1 / count
    yield _ONE


METHOD = FamilyMethod("bounds term by term", prove)
