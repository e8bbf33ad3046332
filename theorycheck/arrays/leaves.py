"""Exact numbers on the way into a namespace: nested lists, integer arrays, and what is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpz

from theorycheck.arrays.errors import FloatLiteral


def exact_number(value: Any) -> int | Fraction | None:
    """The value as int or Fraction; None if it is no number at all. Raises FloatLiteral for floats.

    Accepted: int, bool, Fraction, NumPy integers, flint's fmpz and fmpq, SymPy's Rational.
    """
    if isinstance(value, int | np.integer | np.bool_ | fmpz):
        return int(value)
    if isinstance(value, Fraction):
        return value
    if isinstance(value, float | np.floating | complex | np.complexfloating):
        raise FloatLiteral(value)
    if isinstance(value, fmpq):
        return Fraction(int(value.p), int(value.q))
    p, q = getattr(value, "p", None), getattr(value, "q", None)
    if isinstance(p, int) and isinstance(q, int):
        return Fraction(p, q)
    return None


def host_numbers(value: Any) -> np.ndarray[Any, Any]:
    """A host array of exact numbers: int64 where all fit, else objects (int, Fraction).

    ``value``: a number, a nested list of equal lengths, or a NumPy array of integers, booleans or
    exact objects. Raises FloatLiteral for floats, ValueError for ragged lists, TypeError otherwise.
    """
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "iub":
            return value.astype(np.int64) if value.dtype.kind == "b" else value
        if value.dtype.kind != "O":
            raise FloatLiteral(value)
        flat, shape = list(value.reshape(-1)), value.shape
    else:
        flat, shape = _flatten(value)
    numbers = []
    for leaf in flat:
        number = exact_number(leaf)
        if number is None:
            raise TypeError(f"{leaf!r:.60} of type {type(leaf).__name__} is not an exact number")
        numbers.append(number)
    if all(isinstance(x, int) and -(2**63) <= x < 2**63 for x in numbers):
        return np.array(numbers, dtype=np.int64).reshape(shape)
    out = np.empty(len(numbers), dtype=object)
    out[:] = numbers
    return out.reshape(shape)


def _flatten(value: Any) -> tuple[list[Any], tuple[int, ...]]:
    if isinstance(value, np.ndarray) and value.ndim:
        inner = host_numbers(value)
        return list(inner.reshape(-1)), inner.shape
    if isinstance(value, np.ndarray):
        return [value.item() if value.dtype.kind == "O" else value[()]], ()
    if not isinstance(value, list | tuple):
        return [value], ()
    parts = [_flatten(item) for item in value]
    shapes = {shape for _, shape in parts}
    if len(shapes) > 1:
        raise ValueError(f"ragged nested list: rows of shapes {sorted(shapes)}")
    inner_shape = parts[0][1] if parts else ()
    return [leaf for flat, _ in parts for leaf in flat], (len(value), *inner_shape)


def axes_of(axis: int | tuple[int, ...] | None, ndim: int) -> tuple[int, ...]:
    """Non-negative axes, ascending. Raises ValueError when out of range or repeated."""
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, tuple) else (axis,)
    found = []
    for a in given:
        if not -ndim <= a < ndim:
            raise ValueError(f"axis {a} is out of range for {ndim} dimensions")
        found.append(a % ndim)
    if len(set(found)) != len(found):
        raise ValueError(f"axis {axis} names one dimension twice")
    return tuple(sorted(found))


def reduced_count(shape: tuple[int, ...], axis: int | tuple[int, ...] | None) -> int:
    """How many entries each result of a reduction over ``axis`` takes in."""
    return math.prod(shape[a] for a in axes_of(axis, len(shape)))
