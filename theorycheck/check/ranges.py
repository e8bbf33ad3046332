"""Signs of expressions from the ranges of their names, and cases where a sign is open.

A name with a lower end a becomes a + s with s > 0 (or >= 0), one between a and b becomes
(a + b s)/(1 + s), so that the signs of the coefficients of numerator and denominator say the sign. A
closed upper end b is no value of the latter and is looked at by itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.identities import simpler

_MOST_CASES = 12
"""Cases that a number is written in: more than a person would read."""
_MOST_OPS = 150
"""Longer expressions are simplified for seconds."""
_ENDS = 3
"""Closed upper ends that are looked at by themselves: two to the power of it substitutions."""


class OpenSign(ValueError):
    """A sign that the ranges leave open, of ``expression``."""

    def __init__(self, expression: Any, message: str) -> None:
        super().__init__(message)
        self.expression = expression


@dataclass(frozen=True)
class Ranges:
    """The declared names with their ranges; without any, signs follow from SymPy's assumptions alone."""

    variables: tuple[Variable, ...] = ()

    @cached_property
    def _substitutions(self) -> list[dict[Any, Any]]:
        """The names by free ones, in every combination of the closed upper ends."""
        found: list[dict[Any, Any]] = [{}]
        doubled = 0
        for v in self.variables:
            grown = [(known, form) for known in found for form in _forms(v, known)]
            if len(grown) > len(found):
                doubled += 1
                if doubled > _ENDS:
                    grown = [(known, v.symbol) for known in found]
            found = [{**known, v.symbol: form} for known, form in grown]
        return found

    def sign(self, expression: Any) -> int | None:
        """-1, 0, 1 where the sign is the same at all points of the ranges."""
        found = {_sign(e, "strict") for e in self._written(expression)}
        return found.pop() if len(found) == 1 else None

    def nonnegative(self, expression: Any) -> bool:
        """Whether the expression is >= 0 at all points of the ranges."""
        return all(_sign(e, "weak") == 1 for e in self._written(expression))

    def nonpositive(self, expression: Any) -> bool:
        """Whether the expression is <= 0 at all points of the ranges."""
        return self.nonnegative(-expression)

    def _written(self, expression: Any) -> Iterator[Any]:
        for put in self._substitutions:
            yield expression.xreplace(put) if expression.free_symbols else expression

    def split(self, expression: Any) -> tuple[Any, Ranges, Ranges] | None:
        """(condition, the ranges where it holds, those where not) for an expression that is affine in one
        real name with numbers as coefficients: where the name is at most the zero, and where it is more;
        where the zero is an end of the range, that end, and the rest. None for others."""
        names = expression.free_symbols
        if len(names) != 1:
            return None
        (name,) = names
        v = next((v for v in self.variables if v.symbol == name and v.kind == "real"), None)
        poly = sp.Poly(expression, name) if expression.is_polynomial(name) else None
        if v is None or poly is None or poly.degree() != 1:
            return None
        zero = -poly.nth(0) / poly.nth(1)
        if not zero.is_real:
            return None
        if zero in (v.low, v.high):  # its sign is known but at the end
            only = self._with(replace(v, low=zero, high=zero, low_open=False, high_open=False))
            rest = replace(v, low_open=True) if zero == v.low else replace(v, high_open=True)
            return sp.Eq(name, zero, evaluate=False), only, self._with(rest)
        below = self._with(replace(v, high=zero, high_open=False))
        above = self._with(replace(v, low=zero, low_open=True))
        return sp.Le(name, zero, evaluate=False), below, above

    def _with(self, changed: Variable) -> Ranges:
        return Ranges(tuple(changed if v.name == changed.name else v for v in self.variables))


def _forms(v: Variable, known: Mapping[Any, Any]) -> list[Any]:
    """The name by a free one, as the module says; its symbol where that says no more."""
    low, high = (e.xreplace(known) if e is not None else None for e in (v.low, v.high))
    if v.kind == "set" or low is None or high is None or (low.is_infinite and high.is_infinite):
        return [v.symbol]
    if low == high:
        return [low]
    whole = v.kind != "real"
    facts = {"integer": True} if whole else {"real": True}
    above_low = {**facts, ("positive" if v.low_open else "nonnegative"): True}
    below_high = {**facts, ("positive" if v.high_open else "nonnegative"): True}
    if high.is_infinite:
        return [low + sp.Dummy(**above_low)]
    if low.is_infinite:
        return [high - sp.Dummy(**below_high)]
    s = sp.Dummy(**({"positive": True} if v.low_open else {"nonnegative": True}))
    between = (low + high * s) / (1 + s)
    return [between] if v.high_open else [between, high]


def _sign(expression: Any, how: str) -> int | None:
    """The sign where it is known; ``weak``: 1 for >= 0 as well."""
    for form in (expression, *_rewritten(expression)):
        top, bottom = sp.fraction(form)
        signs = [_plain_sign(sp.expand(part)) for part in (top, bottom)]
        if signs[1] in (-1, 1):
            if signs[0] in (-1, 0, 1):
                found = signs[0] * signs[1]
                return found if how == "strict" or found else 1
            weak = _weak_sign(sp.expand(top))
            if how == "weak" and weak is not None and weak == signs[1]:
                return 1
        if how == "weak" and form.is_nonnegative:
            return 1
    return None


def _rewritten(expression: Any) -> Iterator[Any]:
    if expression.free_symbols and expression.count_ops() <= _MOST_OPS:
        yield sp.together(expression)
        yield simpler(expression)


def _plain_sign(e: Any) -> int | None:
    if e.is_zero:
        return 0
    if e.is_positive:
        return 1
    return -1 if e.is_negative else None


def _weak_sign(e: Any) -> int | None:
    if e.is_nonnegative:
        return 1
    return -1 if e.is_nonpositive else None


def by_cases(compute: Callable[[Ranges], Any], ranges: Ranges) -> Any:
    """What ``compute`` makes of the ranges; where it meets an open sign that one name decides, a
    `Piecewise` of what it makes of the parts.

    Raises:
        ValueError: what ``compute`` raises where no cases help.
    """
    left = itertools.count(1)

    def part(here: Ranges) -> Sequence[tuple[Any, Any]]:
        try:
            return [(compute(here), sp.true)]
        except OpenSign as doubt:
            cut = here.split(doubt.expression)
            if cut is None or next(left) > _MOST_CASES:
                raise
        condition, below, above = cut
        first = [(value, sp.And(condition, c)) for value, c in part(below)]
        return [*first, *part(above)]

    cases: list[tuple[Any, Any]] = []
    for value, condition in part(ranges):
        if cases and cases[-1][0] == value:
            cases[-1] = (value, sp.Or(cases[-1][1], condition))
        else:
            cases.append((value, condition))
    return cases[0][0] if len(cases) == 1 else sp.Piecewise(*cases, evaluate=False)


__all__ = ["OpenSign", "Ranges", "by_cases"]
