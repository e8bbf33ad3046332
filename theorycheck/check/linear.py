"""Statements that are linear in pieces: Abs, Min, Max, floor, ceiling, frac and Mod of linear forms.

A name x in a floor is N m + f with an integer m and 0 <= f < N, N a common denominator, so that the
floor of a linear form is an integer form of the m and the floor of a bounded form of the f, which has
finitely many values. In each case, of these values and of the orders in Abs, Min and Max, the negated
statement and the region are linear inequalities; that they contradict each other is proved by Farkas
multipliers (`polyhedra`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor, lcm
from typing import Any

import sympy as sp

from theorycheck.check.forms import conjuncts, evaluated, positive
from theorycheck.check.limits import Clock
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.operators import NEGATED
from theorycheck.check.polyhedra import LinearInequality, multipliers
from theorycheck.check.printing import written
from theorycheck.check.text import Comparison, Connective, Formula

_MAX_DEPTH = 4
_MAX_CASES = 500
_MAX_DENOMINATOR = 60
_MAX_VALUES = 40
# So many of the cases are told one by one.
_TOLD = 24
_ROUNDED = (sp.floor, sp.ceiling, sp.frac, sp.Mod)
_ORDERED = (sp.Abs, sp.Min, sp.Max)
_SWITCHES = (*_ROUNDED, *_ORDERED)


class _NotLinearError(Exception):
    """Something that is not linear in pieces, or too many cases."""


_Option = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class _Choice:
    """Conditions of which at least one list holds: ``expression op 0`` with op one of >=, > and ==."""

    options: tuple[_Option, ...]

    def parts(self) -> Iterator[tuple[str, Any]]:
        """All conditions, of every list."""
        return (part for option in self.options for part in option)


def prove(task: Task) -> Argument | None:
    """The negated statement contradicts the region, in every case.

    Takes comparisons of sides that are linear in pieces, with rational coefficients, of real and integer
    names. Ends and hypotheses of another kind are not used. Promises the contradiction in each of at most
    500 cases by exact multipliers. Gives up where one case has a solution in the real numbers.
    """
    told: list[str] = []
    try:
        facts = _facts(task)
        for denied in _denied(task.comparison):
            pending, names = _split_names([*facts, denied], task)
            cases = _Cases(task.clock, names)
            if not cases.contradictory(pending, ()):
                return None
            told += [f"against {_text(denied.options[0])}{names.text()}:", *cases.told[:_TOLD]]
            if len(cases.told) > _TOLD:
                told.append(f"and {len(cases.told) - _TOLD} more cases")
    except _NotLinearError:
        return None
    return Argument("linear in each case", tuple(told))


def _denied(c: Comparison) -> list[_Choice]:
    """The ways in which the comparison can fail, one after the other."""
    if c.op == "==":
        return [_as_choice(Comparison(op, c.lhs, c.rhs)) for op in ("<", ">")]
    return [_as_choice(Comparison(NEGATED[c.op], c.lhs, c.rhs))]


def _as_choice(c: Comparison) -> _Choice:
    difference = _in_floors(evaluated(c.lhs) - evaluated(c.rhs))
    if c.op in ("<", "<="):
        return _Choice((((">" if c.op == "<" else ">=", -difference),),))
    if c.op == "!=":
        return _Choice((((">", difference),), ((">", -difference),)))
    return _Choice((((c.op, difference),),))


def _in_floors(e: Any) -> Any:
    """Ceilings, fractional parts and remainders by floors."""
    e = e.replace(sp.ceiling, lambda u: -sp.floor(-u))
    e = e.replace(sp.frac, lambda u: u - sp.floor(u))
    return e.replace(sp.Mod, lambda u, d: u - d * sp.floor(u / d))


def _facts(task: Task) -> list[_Choice]:
    """The ends of the ranges and the hypotheses, as far as they are linear in pieces."""
    found = []
    for v in task.region.variables:
        if v.kind == "set":
            raise _NotLinearError
        if not v.low.is_infinite:
            found.append(_as_choice(Comparison(">" if v.low_open else ">=", v.symbol, v.low)))
        if not v.high.is_infinite:
            found.append(_as_choice(Comparison("<" if v.high_open else "<=", v.symbol, v.high)))
    for h in task.region.hypotheses:
        for part in conjuncts(h):
            choice = _hypothesis(part)
            if choice is not None:
                found.append(choice)
    return [f for f in found if all(_in_pieces(e) for _, e in f.parts())]


def _hypothesis(part: Formula) -> _Choice | None:
    if isinstance(part, Comparison):
        return _as_choice(part)
    if not (isinstance(part, Connective) and part.kind == "or"):
        return None
    options: list[_Option] = []
    for p in part.parts:
        option: list[tuple[str, Any]] = []
        for q in conjuncts(positive(p)):
            if not isinstance(q, Comparison) or q.op == "!=":
                return None
            option += _as_choice(q).options[0]
        options.append(tuple(option))
    return _Choice(tuple(options))


def _in_pieces(e: Any) -> bool:
    """Whether it is linear in pieces, with rational coefficients."""
    if e.is_Rational or e.is_Symbol:
        return True
    if e.is_Add or isinstance(e, _SWITCHES):
        return all(_in_pieces(a) for a in e.args)
    if e.is_Mul:
        free = [a for a in e.args if not a.is_Rational]
        return len(free) == 1 and _in_pieces(free[0])
    return False


@dataclass(frozen=True)
class _Names:
    """Names as N m + f: ``parts`` by name, the ``integers`` among all names, and the ``scale`` N."""

    parts: dict[Any, Any] = field(default_factory=dict)
    integers: frozenset[Any] = frozenset()
    scale: int = 1

    def rests(self) -> set[Any]:
        """The f, from 0 to N without N."""
        return {s for e in self.parts.values() for s in e.free_symbols if s.name.startswith("f_")}

    def text(self) -> str:
        """How the names were split, for people."""
        split = ", ".join(f"{x} = {e}" for x, e in self.parts.items())
        rests = ", ".join(f"0 <= {f} < {self.scale}" for f in sorted(self.rests(), key=str))
        return f" with {split} for integers m_ and {rests}" if split else ""


def _split_names(choices: list[_Choice], task: Task) -> tuple[list[_Choice], _Names]:
    """The choices with the names in floors as N m + f, and these names."""
    expressions = [e for c in choices for _, e in c.parts()]
    if not all(_in_pieces(e) for e in expressions):
        raise _NotLinearError
    integers = {v.symbol for v in task.region.variables if v.symbol.is_integer}
    rounded = [n for e in expressions for n in e.atoms(sp.floor)]
    inside = {s for n in rounded for s in n.free_symbols}
    scale = lcm(*(_denominator(n) for n in rounded))
    if scale > _MAX_DENOMINATOR:
        raise _NotLinearError
    parts = {}
    for x in sorted(inside, key=str):
        m, whole = sp.Dummy(f"m_{x}", integer=True), x in integers
        rest = sp.Dummy(f"f_{x}", integer=True) if whole else sp.Dummy(f"f_{x}", real=True)
        parts[x] = m if whole and scale == 1 else scale * m + rest
        integers |= {m, rest} if whole else {m}
    names = _Names(parts, frozenset(integers), scale)
    replaced = [
        _Choice(tuple(tuple((op, e.xreplace(parts)) for op, e in option) for option in c.options))
        for c in choices
    ]
    replaced += [_Choice((((">=", f), (">", scale - f)),)) for f in names.rests()]
    return replaced, names


def _denominator(e: Any) -> int:
    """A number N such that N m in place of the names makes every floor inside an integer form of m."""
    if not e.args:
        return 1
    inner = lcm(*(_denominator(a) for a in e.args))
    return inner * int(sp.Mul(*(a for a in e.args if a.is_Rational)).q) if e.is_Mul else inner


class _Cases:
    """The cases of one denied statement; ``told`` has a line for each that was closed."""

    def __init__(self, clock: Clock, names: _Names) -> None:
        self.clock, self.names = clock, names
        self.rests = names.rests()
        self.told: list[str] = []

    def contradictory(self, pending: list[_Choice], case: tuple[str, ...]) -> bool:
        """Whether the pending conditions have no solution, by cases. Raises _NotLinearError where
        there are too many of them."""
        if len(self.told) > _MAX_CASES or self.clock.out():
            raise _NotLinearError
        settled = [part for c in pending if len(c.options) == 1 for part in c.options[0]]
        linear = [part for part in settled if not part[1].has(*_SWITCHES)]
        rows = [row for part in linear for row in _rows(part, self.names.integers)]
        found = multipliers(rows)
        if found is not None:
            self.told.append(_told(case, rows, found))
            return True
        several = next((c for c in pending if len(c.options) > 1), None)
        if several is not None:
            others = [c for c in pending if c is not several]
            return all(
                self.contradictory([*others, _Choice((o,))], (*case, _text(o)))
                for o in several.options
            )
        switch = _innermost(e for _, e in settled)
        if switch is None:
            return False
        return all(
            self.contradictory(
                [
                    _Choice((tuple((op, _put(e, switch, value)) for op, e in settled),)),
                    _Choice((condition,)),
                ],
                (*case, _text(condition)),
            )
            for condition, value in self._values(switch)
        )

    def _values(self, switch: Any) -> Iterator[tuple[_Option, Any]]:
        """Conditions that cover everything, each with the value of the switch under it."""
        if isinstance(switch, sp.floor):
            yield from self._floors(switch.args[0])
        elif isinstance(switch, sp.Abs):
            (u,) = switch.args
            yield ((">=", u),), u
            yield ((">", -u),), -u
        else:
            sign = 1 if isinstance(switch, sp.Max) else -1
            for u in switch.args:
                yield tuple((">=", sign * (u - w)) for w in switch.args if w != u), u

    def _floors(self, argument: Any) -> Iterator[tuple[_Option, Any]]:
        """floor(A + B + c), A an integer form of integers, B a form of the bounded f."""
        form, constant = _form(argument)
        whole = {x: a for x, a in form.items() if x in self.names.integers - self.rests}
        bounded = {x: a for x, a in form.items() if x not in whole}
        if any(a.denominator != 1 for a in whole.values()) or not set(bounded) <= self.rests:
            raise _NotLinearError
        low = constant + sum(min(a, Fraction(0)) for a in bounded.values()) * self.names.scale
        high = constant + sum(max(a, Fraction(0)) for a in bounded.values()) * self.names.scale
        if floor(high) - floor(low) > _MAX_VALUES:
            raise _NotLinearError
        integer = sp.Add(*(sp.Rational(a.numerator, a.denominator) * x for x, a in whole.items()))
        for d in range(floor(low), floor(high) + 1):
            yield ((">=", argument - integer - d), (">", d + 1 + integer - argument)), integer + d


def _innermost(expressions: Iterable[Any]) -> Any | None:
    found = [
        n
        for e in expressions
        for n in e.atoms(*_SWITCHES)
        if not any(a.has(*_SWITCHES) for a in n.args)
    ]
    return min(found, key=lambda n: (isinstance(n, sp.floor), n.count_ops(), str(n)), default=None)


def _put(e: Any, switch: Any, value: Any) -> Any:
    return sp.expand(e.xreplace({switch: value})) if e.has(switch) else e


def _form(e: Any) -> tuple[dict[Any, Fraction], Fraction]:
    """Coefficients of the names, and the constant, of a linear form."""
    form: dict[Any, Fraction] = {}
    constant = Fraction(0)
    for term in sp.Add.make_args(sp.expand(e)):
        factor, rest = term.as_coeff_Mul()
        value = Fraction(int(factor.p), int(factor.q))
        if rest == 1:
            constant += value
        elif rest.is_Symbol:
            form[rest] = form.get(rest, Fraction(0)) + value
        else:
            raise _NotLinearError
    return form, constant


def _rows(part: tuple[str, Any], integers: frozenset[Any]) -> list[LinearInequality]:
    op, e = part
    form, constant = _form(e)
    rows = [LinearInequality(form, constant, op == ">")]
    if op == "==":
        rows.append(LinearInequality({x: -a for x, a in form.items()}, -constant))
    return [row.whole(integers) for row in rows]


def _text(option: _Option) -> str:
    return " and ".join(f"{written(e)} {op} 0" for op, e in option)


def _told(case: tuple[str, ...], rows: list[LinearInequality], found: list[Fraction]) -> str:
    """One line: the case, and the combination of its conditions that is a contradiction."""
    used = " + ".join(f"{m}*({row.text()})" for m, row in zip(found, rows, strict=True) if m)
    constant = sum((m * row.constant for m, row in zip(found, rows, strict=True)), Fraction(0))
    op = ">" if any(m and row.strict for m, row in zip(found, rows, strict=True)) else ">="
    return f"{', '.join(case) or 'at once'}: {used} is {constant} {op} 0"


def _applies(task: Task) -> bool:
    c = task.comparison
    return (
        task.depth <= _MAX_DEPTH
        and bool(task.region.variables)
        and (
            (c.lhs.has(*_SWITCHES) or c.rhs.has(*_SWITCHES) or bool(task.region.hypotheses))
            and _in_pieces(evaluated(c.lhs))
            and _in_pieces(evaluated(c.rhs))
        )
    )


METHOD = Method("linear in pieces", 0.7, _applies, prove)
