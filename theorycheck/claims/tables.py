"""Recorded data as a simulation: a CSV or NPZ file of parameters and values, or of replicates.

What was recorded cannot be made again here: such a leg says in its ``model`` what was not controlled,
and the evidence repeats it.
"""

from __future__ import annotations

import csv
import inspect
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theorycheck.claims.functions import PROFILES, ClaimError
from theorycheck.claims.legs import Leg, leg
from theorycheck.claims.statistic import Statistic
from theorycheck.numbers.domain import Exact, exact, point_key
from theorycheck.stats import checkpoints
from theorycheck.stats.assumptions import copied

Row = Mapping[str, Exact]

COPIED = 15 * math.log(10)
"""Evidence, in nats, from which on values are called copies: chance has it once in 10^15 recordings at most. A
claim's tests of assumptions have some 10^-11 at the default alpha of a run."""

_ENGINE = f"{__name__.partition('.')[0]}."


def data_file(path: Path | str) -> Path:
    """A data file of the module that asks: a relative path is taken from the module's folder, wherever
    Python runs (in a notebook, from the working directory). Raises ClaimError where it is no file.
    """
    file = Path(path)
    if not file.is_absolute():
        file = _folder_of_caller() / file
    if not file.is_file():
        raise ClaimError(
            f"{path}: no such file in {file.parent}; data lie beside the claim's module"
        )
    return file


def _folder_of_caller() -> Path:
    """Folder of the innermost module outside of theorycheck."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_ENGINE):
        frame = frame.f_back
    file = frame.f_globals.get("__file__")
    return Path(file).parent if file else Path.cwd()


def read_table(path: Path | str) -> list[dict[str, Exact]]:
    """Rows of a CSV file with a header, or of an NPZ file with one array a column; exact values.

    Decimals are taken as they are written (0.1 is 1/10); doubles of an NPZ file as the dyadics that
    they are. A relative path is taken as by `data_file`. Raises ClaimError naming the line that is no row
    of numbers.
    """
    file = data_file(path)
    if file.suffix == ".npz":
        return _read_npz(file)
    with file.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    if not rows:
        raise ClaimError(f"{file.name}: no rows; the first line names the columns")
    return [_row(r, f"{file.name}, line {n}") for n, r in enumerate(rows, start=2)]


def read_floats(path: Path | str) -> dict[str, NDArray[np.float64]]:
    """The columns of a long table as doubles, float64 (rows,): for files whose exact reading would take
    minutes. Raises ClaimError as `read_table` does, without the line."""
    file = Path(path)
    if file.suffix == ".npz":
        with np.load(file, allow_pickle=False) as data:
            found = {
                name: np.asarray(data[name], dtype=np.float64).reshape(-1) for name in data.files
            }
        if len({len(c) for c in found.values()}) != 1:
            raise ClaimError(f"{file.name}: the arrays have different lengths")
        return found
    with file.open(encoding="utf-8") as stream:
        names = [n.strip() for n in next(csv.reader(stream), [])]
        try:
            table = np.loadtxt(stream, delimiter=",", ndmin=2)
        except ValueError as error:
            raise ClaimError(f"{file.name}: {str(error).splitlines()[0]}") from None
    if not len(table) or table.shape[1] != len(names):
        raise ClaimError(f"{file.name}: no rows, or another number of columns than the header")
    return dict(zip(names, table.T, strict=True))


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


def _columns(path: Path | str, wanted: Sequence[str]) -> list[dict[str, Exact]]:
    rows = read_table(path)
    missing = [c for c in wanted if c not in rows[0]]
    if missing:
        raise ClaimError(
            f"{Path(path).name}: no column {', '.join(missing)}; it has {', '.join(rows[0])}"
        )
    return rows


def recorded(path: Path | str, parameters: str, value: str = "value") -> Callable[..., Any]:
    """A simulation that looks its value up in a table: ``recorded("runs.csv", "n d")``.

    Give it to a leg as ``arithmetic="external", model="recorded on ...", error=...``. Several rows at
    a point are returned as components. Raises ClaimError for missing columns, and where a point asked
    for was not recorded.
    """
    names = parameters.split()
    table = _by_point(_columns(path, (*names, value)), names, value)

    def look_up(**point: Exact) -> list[Fraction]:
        key = point_key({n: point[n] for n in names})
        if key not in table:
            raise ClaimError(f"{Path(path).name}: nothing recorded at {key}")
        return table[key]

    return _asking_for(look_up, names)


def _asking_for(function: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """The function, with these keywords as its signature: the engine passes what is named."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    signature = inspect.Signature([inspect.Parameter(n, keyword) for n in names])
    function.__signature__ = signature  # type: ignore[attr-defined]  # read by inspect (PEP 362)
    return function


def recorded_samples(
    path: Path | str,
    parameters: str,
    statistic: Statistic,
    *,
    model: str,
    value: str = "value",
    replicate: str = "replicate",
    name: str = "recorded",
    target: Mapping[str, Any] | Fraction | float | str | None = None,
) -> Leg:
    """A sampled leg over recorded replicates: ``recorded_samples("runs.csv", "n d", probability(),
    model="trained elsewhere, seeds 0..499")``.

    The table has a column for each parameter, one that numbers the replicates at a point, and one of
    values, which ``statistic`` turns into a confidence set as for fresh samples. Replicates are read in
    an order that is fixed by claim, leg and point alone, so that files may be sorted. At each point one
    half of them judges; the other half confirms a failure, so that no value is used twice. That the
    replicates are independent is the recorder's word, and ``model`` is printed with it. There are no
    more of them than there are: with ``target="reached"`` an equality passes at the resolution that they
    reach, which the report says, as long as they refute the rivals; otherwise ``target`` is that of `leg`.
    Raises ClaimError for missing columns, a replicate recorded twice, too few at a point, and at
    run time for a point that was not recorded, or whose values were written several times under other numbers
    (`theorycheck.stats.assumptions.copied`).
    """
    names = parameters.split()
    file = Path(path).name
    table = _replicates(_columns(path, (*names, replicate, value)), names, replicate, value, file)
    half = _half(table, file)
    looked_at: set[str] = set()

    def draw(*, ns: Any, rng: Any, size: int, **point: Exact) -> Any:
        key = point_key({n: point[n] for n in names})
        if key not in table:
            raise ClaimError(f"{file}: nothing recorded at {key}")
        if rng.purpose not in ("judge", "confirm") or rng.block > 0 or size > half:
            raise ClaimError(f"{file}: no more replicates at {key}; all of them are used")
        first = half if rng.purpose == "confirm" else 0
        values = table[key]
        if key not in looked_at and copied(values) > COPIED:
            raise ClaimError(
                f"{file}: the values at {key} come equally often, or an even number of times, more than "
                "chance has it: rows are written several times; keep each replicate once"
            )
        looked_at.add(key)
        read = rng.order(len(values))[first : first + size]
        return ns.xp.asarray([values[i] for i in read.tolist()])

    return leg(
        name,
        _asking_for(draw, ("ns", "rng", "size", *names)),
        statistic=statistic,
        model=f"{model}; {half} recorded replicates a point to judge, {half} to confirm",
        block=half,
        budget=dict.fromkeys(PROFILES, half),
        target=target,
    )


def _replicates(
    rows: Sequence[Row], names: Sequence[str], replicate: str, value: str, file: str
) -> dict[str, list[float]]:
    """The values at each point, in the order of their replicates' numbers."""
    seen: dict[str, dict[Exact, float]] = {}
    for row in rows:
        at = seen.setdefault(point_key({n: row[n] for n in names}), {})
        if row[replicate] in at:
            raise ClaimError(f"{file}: replicate {row[replicate]} recorded twice at the same point")
        at[row[replicate]] = float(_number(row, value))
    return {
        key: [at[r] for r in sorted(at, key=lambda r: Fraction(str(r)))] for key, at in seen.items()
    }


def _half(table: Mapping[str, Sequence[float]], file: str) -> int:
    """How many replicates a point judge, and as many confirm."""
    half = min(len(values) for values in table.values()) // 2
    first_look = next(checkpoints())
    if half < first_look:
        raise ClaimError(
            f"{file}: a point with fewer than {2 * first_look} replicates: the first {first_look} of "
            "them would have to judge, as many more to confirm"
        )
    return half


def _number(row: Row, column: str) -> Fraction:
    number = row[column]
    if not isinstance(number, int | Fraction):
        raise ClaimError(f"{number!r} in column {column} is no number")
    return Fraction(number)


def _by_point(rows: Sequence[Row], names: Sequence[str], value: str) -> dict[str, list[Fraction]]:
    table: dict[str, list[Fraction]] = {}
    for row in rows:
        number = _number(row, value)
        table.setdefault(point_key({n: row[n] for n in names}), []).append(number)
    return table
