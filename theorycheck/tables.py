"""Recorded data as a simulation: a CSV or NPZ file of parameters and values.

What was recorded cannot be made again here: such a leg is *external*, and the evidence says so.
"""

from __future__ import annotations

import csv
import inspect
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from theorycheck.claims import ClaimError
from theorycheck.domain import Exact, exact, point_key

Row = Mapping[str, Exact]


def read_table(path: Path | str) -> list[dict[str, Exact]]:
    """Rows of a CSV file with a header, or of an NPZ file with one array a column; exact values.

    Decimals are taken as they are written (0.1 is 1/10); doubles of an NPZ file as the dyadics that
    they are. Raises ClaimError naming the line that is no row of numbers.
    """
    file = Path(path)
    if not file.is_file():
        raise ClaimError(f"{file}: no such file")
    if file.suffix == ".npz":
        return _read_npz(file)
    with file.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    if not rows:
        raise ClaimError(f"{file.name}: no rows; the first line names the columns")
    return [_row(r, f"{file.name}, line {n}") for n, r in enumerate(rows, start=2)]


def _row(raw: Mapping[str | None, Any], where: str) -> dict[str, Exact]:
    row: dict[str, Exact] = {}
    for name, text in raw.items():
        if name is None or text is None:
            raise ClaimError(f"{where}: another number of columns than the header")
        try:
            row[name.strip()] = exact(Fraction(str(text).strip()))
        except (ValueError, ZeroDivisionError):
            raise ClaimError(f"{where}: {text!r} is no number") from None
    return row


def _read_npz(file: Path) -> list[dict[str, Exact]]:
    import numpy as np

    with np.load(file, allow_pickle=False) as data:
        columns = {name: data[name].reshape(-1).tolist() for name in data.files}
    if len({len(c) for c in columns.values()}) != 1:
        raise ClaimError(f"{file.name}: the arrays have different lengths")
    names = list(columns)
    try:
        return [
            dict(zip(names, (exact(Fraction(x)) for x in row), strict=True))
            for row in zip(*columns.values(), strict=True)
        ]
    except (ValueError, OverflowError):
        raise ClaimError(f"{file.name}: holds NaN or infinity") from None


def recorded(path: Path | str, parameters: str, value: str = "value") -> Callable[..., Any]:
    """A simulation that looks its value up in a table: ``recorded("runs.csv", "n d")``.

    Give it to a leg as ``arithmetic="external", model="recorded on ...", error=...``. Several rows at
    a point are returned as components. Raises ClaimError for missing columns, and where a point asked
    for was not recorded.
    """
    names = parameters.split()
    rows = read_table(path)
    missing = [c for c in (*names, value) if c not in rows[0]]
    if missing:
        raise ClaimError(
            f"{Path(path).name}: no column {', '.join(missing)}; it has {', '.join(rows[0])}"
        )
    table = _by_point(rows, names, value)

    def look_up(**point: Exact) -> list[Fraction]:
        key = point_key({n: point[n] for n in names})
        if key not in table:
            raise ClaimError(f"{Path(path).name}: nothing recorded at {key}")
        return table[key]

    keyword = inspect.Parameter.KEYWORD_ONLY
    signature = inspect.Signature([inspect.Parameter(n, keyword) for n in names])
    look_up.__signature__ = signature  # type: ignore[attr-defined]
    return look_up


def _by_point(rows: Sequence[Row], names: Sequence[str], value: str) -> dict[str, list[Fraction]]:
    table: dict[str, list[Fraction]] = {}
    for row in rows:
        number = row[value]
        if not isinstance(number, int | Fraction):
            raise ClaimError(f"{number!r} in column {value} is no number")
        table.setdefault(point_key({n: row[n] for n in names}), []).append(Fraction(number))
    return table
