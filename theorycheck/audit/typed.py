"""Wider domains of typed statements, as text: a border moved by one, an open end closed, a condition dropped.

Only ends that are numbers are moved; one that depends on another name is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from theorycheck.claims.formula import TypedStatement

STEP = Fraction(1, 16)
"""How far a closed real end is moved."""

_INTEGERS = re.compile(r"(?P<low>-?\d+)\.\.(?P<high>-?\d+|\S.*)")
_INTERVAL = re.compile(r"(?P<left>[(\[])(?P<low>[^,]+),(?P<high>.+)(?P<right>[)\]])")
_STRICT = re.compile(r"(?P<name>\w+) > (?P<low>-?\d+)")


def widened_statements(statement: TypedStatement) -> Iterator[tuple[str, str, TypedStatement]]:
    """Kind of change, what was changed, and the statement that it makes; in the order of the text."""
    for place, text in enumerate(statement.over):
        parts = [p.strip() for p in text.split(";")]
        for index, part in enumerate(parts):
            for wider in wider_domains(part):
                changed = "; ".join([*parts[:index], wider, *parts[index + 1 :]])
                over = (*statement.over[:place], changed, *statement.over[place + 1 :])
                yield "domain widened", f"{part} -> {wider}", replace(statement, over=over)
    for place, condition in enumerate(statement.where):
        where = (*statement.where[:place], *statement.where[place + 1 :])
        yield "condition dropped", f"where {condition}", replace(statement, where=where)


def wider_domains(text: str) -> Iterator[str]:
    """``n in 1..oo`` with 0, ``x in (0, 1]`` with 0 and beyond 1, ``s > 0`` with 0."""
    strict = _STRICT.fullmatch(text)
    if strict is not None:
        yield f"{strict['name']} >= {strict['low']}"
        return
    name, _, range_text = text.partition(" in ")
    whole = _INTEGERS.fullmatch(range_text)
    if whole is not None:
        low, high = int(whole["low"]), whole["high"]
        yield f"{name} in {low - 1}..{high}"
        if re.fullmatch(r"-?\d+", high):
            yield f"{name} in {low}..{int(high) + 1}"
        return
    real = _INTERVAL.fullmatch(range_text)
    if real is not None:
        left, low_text, high_text, right = (
            real[g].strip() for g in ("left", "low", "high", "right")
        )
        low_end, high_end = _number(low_text), _number(high_text)
        if low_end is not None:
            moved = low_text if left == "(" else str(low_end - STEP)
            yield f"{name} in [{moved}, {high_text}{right}"
        if high_end is not None:
            moved = high_text if right == ")" else str(high_end + STEP)
            yield f"{name} in {left}{low_text}, {moved}]"


def _number(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
