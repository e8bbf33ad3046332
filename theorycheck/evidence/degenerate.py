"""What is degenerate about data and programs: seen where an observation is made, reported and never judged.

Evidence that never differs tells nothing apart: fields of instances that are 0, alike, of equal entries, of unit
length or with one entry other than 0 each time, and quantities inside a certificate that are 0 wherever it was
computed. Each observation says what it saw; `theorycheck.judge.degenerate` puts them together.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from theorycheck.arrays.interval_array import IntervalArray
from theorycheck.arrays.leaves import host_numbers
from theorycheck.arrays.objects import ObjectArray
from theorycheck.claims.instances import Instance
from theorycheck.evidence.detail import DrawnFields, LocalZeros

KINDS = ("zero", "alike", "constant", "unit", "single")
"""What may be degenerate about a field over all instances of a point: 0, the same in each, of entries that are all
equal, of unit length, one entry other than 0. In the order in which they are said; one implies what is left
unsaid."""

SHORT = "short"
"""Of a list of one entry in every instance: it says nothing of equal entries, and other points decide."""

FLAT = ("zero", "alike", "constant")
"""Kinds of fields that pay for no "for all": what is true of the one value may be false of every other."""


def of_instances(drawn: Sequence[Instance]) -> DrawnFields:
    """How many of the instances are different, and what is degenerate about each field."""
    if not drawn or not drawn[0]:
        return DrawnFields()
    columns = {name: [_numbers(one[name]) for one in drawn] for name in drawn[0]}
    rows = {tuple(_key(columns[n][i]) for n in columns) for i in range(len(drawn))}
    fields = {
        name: tuple(kind for kind in (*KINDS, SHORT) if _is(kind, column))
        for name, column in columns.items()
        if all(v is not None for v in column)
    }
    return DrawnFields(different=len(rows), fields=fields)


def throughout(told: Sequence[DrawnFields], name: str) -> str:
    """What a field is at every point, the first of KINDS; "" where it is nothing of the kind. ``told``: what
    `of_instances` said, one a point."""
    kinds = [d.fields.get(name, ()) for d in told]
    for kind in KINDS:
        silent = (SHORT,) if kind == "constant" else ()
        if any(kind in ks for ks in kinds) and all({kind, *silent} & set(ks) for ks in kinds):
            return kind
    return ""


def flat(told: Sequence[DrawnFields]) -> tuple[str, ...]:
    """The fields that are of one of the kinds FLAT at every point."""
    names = told[0].fields if told else ()
    return tuple(n for n in names if throughout(told, n) in FLAT)


def _numbers(value: Any) -> np.ndarray[Any, Any] | None:
    """The entries as exact numbers, None where they are none."""
    try:
        return np.asarray(host_numbers(value), dtype=object)
    except (TypeError, ValueError):
        return None


def _key(entries: np.ndarray[Any, Any] | None) -> Any:
    return None if entries is None else (entries.shape, tuple(map(str, entries.reshape(-1))))


def _is(kind: str, column: Sequence[Any]) -> bool:
    if kind == "zero":
        return all(not entries.any() for entries in column)
    if kind == "alike":
        return len(column) > 1 and len({_key(entries) for entries in column}) == 1
    longer = [entries for entries in column if entries.size > 1]
    if kind == SHORT:
        return not longer and any(entries.ndim for entries in column)
    if kind == "constant":
        return bool(longer) and all(len(set(map(str, e.reshape(-1)))) == 1 for e in longer)
    vectors = [v for entries in column if entries.ndim == 1 and entries.size > 1 for v in [entries]]
    if len(vectors) < len(column):
        return False
    if kind == "unit":
        return all(sum(Fraction(x) ** 2 for x in v) == 1 for v in vectors)
    return all(sum(x != 0 for x in v) == 1 for v in vectors)


class Zeros:
    """Names of local quantities of the functions of a folder: those that were 0 at every return, and those
    that were not."""

    def __init__(self) -> None:
        self.zero: set[str] = set()
        self.other: set[str] = set()

    def told(self) -> LocalZeros:
        return LocalZeros(
            zero=tuple(sorted(self.zero - self.other)), other=tuple(sorted(self.other))
        )


@contextlib.contextmanager
def watching_zeros(file: str) -> Iterator[Zeros]:
    """Looks at what the functions beside ``file`` hold when they return, inside the block."""
    found, folder, before = Zeros(), str(Path(file).parent), sys.getprofile()

    def returned(frame: Any, event: str, argument: Any) -> None:
        if event != "return" or not frame.f_code.co_filename.startswith(folder):
            return
        for name, value in frame.f_locals.items():
            zero = _vanishes(value)
            if zero is not None:
                (found.zero if zero else found.other).add(f"{frame.f_code.co_name}.{name}")

    sys.setprofile(returned)
    try:
        yield found
    finally:
        sys.setprofile(before)


def _vanishes(value: Any) -> bool | None:
    """Whether a number or every entry of an array may be 0; None for what is no such thing. Plain integers
    are counters and indices."""
    kind = type(value)
    if kind is Fraction:
        return bool(value == 0)
    if kind is ObjectArray:
        return not any(v != 0 for v in value.data.reshape(-1)) if value.size else None
    if kind is IntervalArray:
        mid, rad = np.asarray(value.mid), np.asarray(value.rad)
        return bool((np.abs(mid) <= rad).all()) if value.size else None
    if issubclass(kind, np.ndarray) and value.dtype.kind in "fO" and value.size:
        try:
            return not bool(np.any(value != 0))
        except (TypeError, ValueError):  # entries that are no numbers, or arrays themselves
            return None
    return None
