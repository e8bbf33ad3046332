"""Sizes that refer to other parameters, and nested lists of exact numbers: what structured domains share."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from theorycheck.numbers.domain import DomainError, Exact, exact

Number = int | Fraction
Vector = tuple[Number, ...]
Matrix = tuple[Vector, ...]
Size = Any
"""An integer, the name or symbol of a parameter, a SymPy expression of parameters, or None (free)."""
Sizes = tuple[int, ...]


def names_in(size: Size) -> frozenset[str]:
    """The parameters that a size speaks of."""
    if size is None or isinstance(size, int):
        return frozenset()
    if isinstance(size, str):
        return frozenset({size})
    return frozenset(str(s) for s in getattr(size, "free_symbols", ()))


def size_at(size: Size, given: Mapping[str, Any]) -> int:
    """A size as a number, where its parameters have values. Raises DomainError where one has none."""
    if isinstance(size, int):
        return size
    missing = names_in(size) - set(given)
    if missing:
        raise DomainError(f"a size asks for {', '.join(sorted(missing))}, which has no value here")
    value = (
        given[size]
        if isinstance(size, str)
        else size.subs({s: given[str(s)] for s in size.free_symbols})
    )
    if int(value) != value:
        raise DomainError(f"a size is {value} at {dict(given)}; sizes are integers")
    return int(value)


def nested(value: object, rank: int) -> Any:
    """The value as a tuple of exact numbers (rank 1) or of rows of equal length; None where it is none."""
    listed = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(listed, tuple | list):
        return None
    if rank > 1:
        rows = [nested(v, rank - 1) for v in listed]
        if not rows or None in rows or len({len(row) for row in rows}) > 1:
            return None
        return tuple(rows)
    found: list[Exact] = []
    for v in listed:
        try:
            found.append(exact(v))
        except DomainError:
            return None
    return None if any(isinstance(v, str | tuple) for v in found) else tuple(found)


def shape_of(value: Any, rank: int) -> tuple[int, ...]:
    """Lengths of nested tuples, ``rank`` of them."""
    return (len(value),) if rank == 1 else (len(value), *shape_of(value[0], rank - 1))


def as_exact(value: Any) -> Any:
    """The same numbers with whole fractions as integers, tuples member by member."""
    if isinstance(value, tuple):
        return tuple(as_exact(v) for v in value)
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def of_length(size: Size, before: str = "of length", after: str = "") -> str:
    """A size in words: `` of length n``, empty for a free one."""
    return "" if size is None else f" {before} {size}" + (f" {after}" if after else "")
