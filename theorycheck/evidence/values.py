"""What a program returned, as measured values: refused where it cannot be judged."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from theorycheck import arrays
from theorycheck.claims.legs import Leg
from theorycheck.evidence.fixed_width import WRITE, of_fixed_width
from theorycheck.evidence.observation import Value
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.numbers.surd import Surd


class ObservationError(Exception):
    """The claim's own code broke or returned what cannot be judged."""


def flat(value: Any, external: bool) -> list[Value]:
    """Values of whatever holds numbers, in order; of ``external`` code also floats, as exact dyadics."""
    if isinstance(value, list | tuple):
        return [v for item in value for v in flat(item, external)]
    if isinstance(value, Value):
        return [value]
    if isinstance(value, Enclosure):
        return [Value(value)]
    if isinstance(value, bool | np.bool_):
        return [Value.of(int(value))]
    if isinstance(value, int | Fraction | Surd) and not of_fixed_width(value):
        return [Value.of(value)]
    if isinstance(value, fmpq):
        return [Value(Enclosure(value, value))]
    if isinstance(value, arb):
        return [Value(Enclosure.from_ball(value))]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return flat(value.tolist(), external)
    if of_fixed_width(value) and not external:
        raise ObservationError(f"returned NumPy's integers, which have a fixed width; {WRITE}")
    if isinstance(value, np.integer):
        return [Value.of(int(value))]
    if external:
        try:
            numbers = np.asarray(value, dtype=np.float64).reshape(-1)
        except (TypeError, ValueError):
            raise ObservationError(f"returned {type(value).__name__}, which is no number") from None
        return [Value.of(_dyadic(float(x))) for x in numbers]
    numerator, denominator = getattr(value, "numerator", None), getattr(value, "denominator", None)
    if isinstance(numerator, int) and isinstance(denominator, int):
        return [Value.of(Fraction(numerator, denominator))]
    try:
        return (
            [Value.of(Fraction(int(value)))] if type(value).__name__ == "fmpz" else _refuse(value)
        )
    except TypeError:
        return _refuse(value)


def _dyadic(x: float) -> Fraction:
    if x != x or x in (float("inf"), float("-inf")):
        raise ObservationError(f"returned {x}: not a finite number")
    return Fraction(x)


def _refuse(value: Any) -> list[Value]:
    raise ObservationError(
        f"returned {type(value).__name__} {value!r:.60}: an exact leg returns integers, Fractions or "
        "surds (floats belong in an external leg)"
    )


def rows_of(array: Any, count: int, leg: Leg) -> list[list[Enclosure]]:
    """Enclosures by instance; without instances the whole array is one row."""
    flat = arrays.enclose(array)
    if not flat:
        raise ObservationError("returned an empty array")
    if leg.instances is None:
        return [flat]
    shape = tuple(getattr(array, "shape", ()))
    if not shape or shape[0] != count:
        raise ObservationError(
            f"returned shape {shape} for {count} instances: the first axis is the instance"
        )
    width = len(flat) // count
    return [flat[i * width : (i + 1) * width] for i in range(count)]


def gaps(
    ns: Any, main: Any, other: Any, count: int
) -> tuple[list[list[Value]], list[Fraction | None]]:
    """Largest |difference| of each instance, and the largest entry as its unit."""
    gap = arrays.enclose(ns.max(ns.abs(ns.reshape(main - other, (count, -1))), axis=1))
    size = arrays.enclose(ns.max(ns.abs(ns.reshape(other, (count, -1))), axis=1))
    units: list[Fraction | None] = []
    for s in size:
        top = Fraction(int(s.hi.p), int(s.hi.q))
        units.append(top if top > 0 else Fraction(1))
    return [[Value(g)] for g in gap], units
