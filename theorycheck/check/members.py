"""The members of discrete domains, smallest first, in an order that makes the first the smallest.

Integers are ordered by size, the positive one first: 0, 1, -1, 2, -2, ...; points of several names by
their first name, then the second, and so on, in the order of declaration.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import fmpz

from theorycheck.check.domain import Domains, Point, Value, Variable, to_value
from theorycheck.check.judge import Judge


class EndNotDecided(ValueError):
    """An end of a range is too long a number, or undefined, so that its members are not known."""


def integer_bounds(variable: Variable, point: Point, judge: Judge) -> tuple[int | None, int | None]:
    """First and last integer of the range at a point, None where it has no end.

    Raises:
        EndNotDecided: a number too long, or undefined.
    """
    low, high = judge.bounds(variable, point)
    return _integer(low, judge, up=True), _integer(high, judge, up=False)


def _integer(value: Value, judge: Judge, *, up: bool) -> int | None:
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction):
        return (
            -(-value.numerator // value.denominator) if up else value.numerator // value.denominator
        )
    if getattr(value, "is_infinite", False):
        return None
    import sympy

    head = sympy.ceiling if up else sympy.floor
    result = judge.compiled(head(value, evaluate=False)).evaluate({}, 256)
    if result.exact is None:
        raise EndNotDecided(f"the end {value} of a domain is not decided")
    return int(result.exact.p)


def by_size(low: int | None, high: int | None) -> Iterator[int]:
    """Integers of a range by size, the positive one first."""
    if low is not None and low >= 0:
        yield from itertools.count(low) if high is None else range(low, high + 1)
        return
    if high is not None and high <= 0:
        yield from itertools.count(high, -1) if low is None else range(high, low - 1, -1)
        return
    for size in itertools.count():
        inside = False
        for value in (size, -size) if size else (0,):
            if (low is None or value >= low) and (high is None or value <= high):
                inside = True
                yield value
        if not inside and low is not None and high is not None and size > max(-low, high):
            return


def values(variable: Variable, point: Point, judge: Judge) -> Iterator[Value]:
    """Members of one discrete variable, by size."""
    if variable.kind == "set":
        yield from sorted((to_value(v) for v in variable.values), key=_set_order)
        return
    for value in by_size(*integer_bounds(variable, point, judge)):
        if variable.kind == "integer" or fmpz(value).is_prime():
            yield value


def _set_order(value: Any) -> tuple[float, float]:
    size = float(value)
    return (abs(size), -size)


def count(domains: Domains, judge: Judge, limit: int) -> int | None:
    """How many points the domain has, or None if infinite, not discrete, or beyond ``limit``."""
    if not all(v.discrete for v in domains.variables):
        return None
    total = 0
    stack: list[tuple[int, dict[str, Value]]] = [(0, {})]
    variables = domains.variables
    if not variables:
        return 1
    last = len(variables) - 1
    while stack:
        k, point = stack.pop()
        variable = variables[k]
        size = _size(variable, point, judge)
        if size is None:
            return None
        if k == last or not _depended_on(domains, k):
            rest = _rest(domains, k + 1, point, judge)
            if rest is not None:
                total += size * rest
                if total > limit:
                    return None
                continue
        if size > limit:
            return None
        for value in values(variable, point, judge):
            if len(stack) + total > limit:
                return None
            stack.append((k + 1, {**point, variable.name: value}))
    return total


def _rest(domains: Domains, k: int, point: dict[str, Value], judge: Judge) -> int | None:
    """Product of the sizes from the k-th variable on, if none depends on what is not in point."""
    product = 1
    for variable in domains.variables[k:]:
        names = _names_in_ends(variable)
        if not names <= set(point):
            return None
        size = _size(variable, point, judge)
        if size is None:
            return None
        product *= size
    return product


def _depended_on(domains: Domains, k: int) -> bool:
    name = domains.variables[k].name
    return any(name in _names_in_ends(v) for v in domains.variables[k + 1 :])


def _names_in_ends(variable: Variable) -> set[str]:
    return {
        s.name for end in (variable.low, variable.high) if end is not None for s in end.free_symbols
    }


def _size(variable: Variable, point: Point, judge: Judge) -> int | None:
    if variable.kind == "set":
        return len(variable.values)
    low, high = integer_bounds(variable, point, judge)
    if low is None or high is None:
        return None
    return max(high - low + 1, 0)


def finite(domains: Domains) -> bool:
    """Whether the domain is discrete with constant or dependent finite ends."""
    return all(
        v.kind == "set" or (v.discrete and not v.low.is_infinite and not v.high.is_infinite)
        for v in domains.variables
    )


def all_points(domains: Domains, judge: Judge) -> Iterator[dict[str, Value]]:
    """Every point, in order; without end where the domain is infinite in its last names."""
    yield from _extend(domains.variables, 0, {}, judge)


def _extend(
    variables: tuple[Variable, ...], k: int, point: dict[str, Value], judge: Judge
) -> Iterator[dict[str, Value]]:
    if k == len(variables):
        yield dict(point)
        return
    variable = variables[k]
    for value in values(variable, point, judge):
        point[variable.name] = value
        yield from _extend(variables, k + 1, point, judge)
    point.pop(variable.name, None)


def growing(domains: Domains, judge: Judge) -> Iterator[dict[str, Value]]:
    """Points of a large or infinite discrete domain by growing depth: at depth d each name runs over
    its first d members, and only points not met at depth d - 1 are new."""
    variables = domains.variables
    depth = 1
    while True:
        fresh = 0
        for point, indices in _shallow(variables, 0, {}, (), judge, depth):
            if max(indices, default=0) >= depth // 2 or depth == 1:
                fresh += 1
                yield point
        if not fresh:
            return
        depth *= 2


def _shallow(
    variables: tuple[Variable, ...],
    k: int,
    point: dict[str, Value],
    indices: tuple[int, ...],
    judge: Judge,
    depth: int,
) -> Iterator[tuple[dict[str, Value], tuple[int, ...]]]:
    if k == len(variables):
        yield dict(point), indices
        return
    variable = variables[k]
    for i, value in enumerate(itertools.islice(values(variable, point, judge), depth)):
        point[variable.name] = value
        yield from _shallow(variables, k + 1, point, (*indices, i), judge, depth)
    point.pop(variable.name, None)
