"""``theorycheck explore``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from theorycheck.formulas.explore import Exploration
    from theorycheck.formulas.scaling import Measurements, Scaling
    from theorycheck.numbers.domain import Exact
    from theorycheck.numbers.enclosure import Enclosure


@click.command("explore")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--profile", default="smoke", show_default=True, help="Grid of a claim module.")
@click.option("--value", default="value", show_default=True, help="Column of a table.")
@click.option(
    "--replicate", default="replicate", show_default=True, help="Column that numbers them."
)
@click.option("--json", "as_json", is_flag=True)
def command(path: Path, profile: str, value: str, replicate: str, as_json: bool) -> int:
    """What formula might these numbers have? FILE.py (closed_form=... or any, which is ignored), FILE.csv
    or FILE.npz."""
    if path.suffix == ".py":
        answers = [(n, _explored(points, seen)) for n, points, seen in _measured(path, profile)]
    else:
        answers = _table(path, value, replicate)
    if as_json:
        click.echo(json.dumps([{"name": n, **found.to_json()} for n, found in answers]))
    else:
        for name, found in answers:
            click.echo(f"{name}\n{_text(found)}\n")
    return 0 if answers else 5


def _text(found: Exploration) -> str:
    """The table, then the candidates with what they were tested on."""
    lines = []
    for row in found.table:
        at = ", ".join(f"{k}={v}" for k, v in row.point.items())
        told = (("ratio", row.ratio), ("exponent", row.exponent))
        further = "".join(f"   {k} {v}" for k, v in told if v)
        lines.append(f"  {at:<24} {row.value}{further}")
    for c in found.candidates:
        tested = f"fits {c.held_out} points held out" if c.agrees else "no point was held out"
        lines.append(f"  candidate ({c.family}): {c.text}   [{tested}]")
    for scaling in found.scalings:
        resolution = ", ".join(f"{b} {r:.2g}" for b, r in scaling.resolution().items())
        noise = f"noise {100 * scaling.noise:.2g} % from the {scaling.how}"
        lines.append(f"  power law: {scaling.text()}")
        lines.append(
            f"    [{1 - scaling.level:.0%} together, {scaling.values} values at {scaling.points}"
            f" points, {noise}; exponents resolved to {resolution}]"
        )
    lines += [f"  note: {text}" for text in found.notes]
    if not found.candidates and not found.scalings:
        lines.append(f"  no candidate among {found.hypotheses} shapes")
    return "\n".join(lines)


Explored = tuple[str, "Exploration"]
Set = tuple[str, "Sequence[Mapping[str, Exact]]", "Sequence[Enclosure]"]


LEVEL = 1e-3
"""Error probability of all brackets of one sampled quantity together: they suggest, and decide nothing."""


def _measured(path: Path, profile: str) -> list[Set]:
    """The first component of each claim's first leg at the points of its grid; of a sampled leg the
    confidence interval that the profile's budget gives."""
    from theorycheck.claims.functions import ClaimError
    from theorycheck.evidence.cached import Nothing
    from theorycheck.evidence.observe import ObservationContext, observe
    from theorycheck.judge import measured_values
    from theorycheck.library.loading import load_file
    from theorycheck.plan.plan import make_plan
    from theorycheck.plan.settings import Settings

    found: list[Set] = []
    for item in load_file(path, exploring=True):
        leg = item.claim.legs[0]
        if leg.arithmetic.proves or leg.instances is not None:
            what = "a proof" if leg.arithmetic.proves else "about drawn data"
            click.echo(f"{item.claim.id}: left out, its first leg is {what}", err=True)
            continue
        plan = make_plan(item.claim, Settings(profile))
        context = ObservationContext.of(plan)
        units = [replace(plan.unit(leg, p), stop=None) for p in item.claim.points(profile, leg)]
        seen = [observe(unit, context, Nothing()) for unit in units]
        broken = next((o for o in seen if o.status == "error"), None)
        if broken is not None:
            raise ClaimError(f"{item.claim.id}: {broken.message}")
        values = [measured_values(leg, o, LEVEL / len(seen))[0][0].enclosure for o in seen]
        found.append((item.claim.id, [o.point for o in seen], values))
    return found


_LONG = 200_000
"""Bytes of a table from which on it is read in doubles: exact reading takes a second for so many."""

_POINTS = 60
"""Distinct points that formulas are looked for on; the families' linear algebra is exact, and grows
with the cube of their number."""


def _table(path: Path, value: str, replicate: str) -> list[Explored]:
    """Columns are coordinates, apart from the value and the number of the replicate; rows of the same
    coordinates are replicates."""
    from theorycheck.claims.functions import ClaimError

    if not path.is_file():
        raise ClaimError(f"{path}: no such file")
    long = path.stat().st_size > _LONG
    columns = _columns(path, long)
    if value not in columns:
        raise ClaimError(f"{path.name}: no column {value}; it has {', '.join(columns)}")
    numbers = columns.pop(value)
    columns.pop(replicate, None)
    repeated = len({*zip(*columns.values(), strict=True)}) < len(numbers) if columns else True
    if not long and not repeated:
        return [_exactly(path.name, columns, numbers)]
    return [_noisy(path.name, columns, numbers)]


def _columns(path: Path, long: bool) -> dict[str, list[Any]]:
    from theorycheck.claims.tables import read_floats, read_table

    if long:
        return {name: c.tolist() for name, c in read_floats(path).items()}
    rows = read_table(path.resolve())  # a table named here lies where the command runs
    return {name: [row[name] for row in rows] for name in rows[0]}


def _exactly(name: str, columns: Mapping[str, Sequence[Any]], numbers: Sequence[Any]) -> Explored:
    """Values taken as exact; where no formula meets them, as single noisy ones."""
    from theorycheck.evidence.observation import Value

    points = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    found = _explored(points, [Value.of(n).enclosure for n in numbers])
    if found.candidates or any(isinstance(v, str | tuple) for p in points for v in p.values()):
        return name, found
    samples = _samples(columns, numbers)
    note = "no formula meets the values exactly: each is taken with noise"
    return name, replace(found, scalings=tuple(_scalings(samples)), notes=(note,))


def _noisy(name: str, columns: Mapping[str, Sequence[Any]], numbers: Sequence[Any]) -> Explored:
    """Replicates: their means with simultaneous intervals; of many points a part for formulas."""
    from fractions import Fraction

    from theorycheck.evidence.observation import Value
    from theorycheck.formulas.scaling import spread_of
    from theorycheck.numbers.domain import exact
    from theorycheck.numbers.enclosure import Enclosure

    samples = _samples(columns, numbers)
    few = spread_of(samples, _POINTS)
    notes = []
    if len(few.means) < len(samples.means):
        notes.append(f"formulas were looked for on {len(few.means)} of {len(samples.means)} points")
    coordinates = [
        {n: exact(Fraction(c[j])) for n, c in few.columns.items()} for j in range(len(few.means))
    ]
    if samples.replicated:
        reach = few.reach()
        ends = [
            (Value.of(Fraction(m - r)), Value.of(Fraction(m + r)))
            for m, r in zip(few.means, reach, strict=True)
        ]
        measured = [Enclosure(a.enclosure.lo, b.enclosure.hi) for a, b in ends]
    else:
        measured = [Value.of(Fraction(m)).enclosure for m in few.means]
    found = _explored(coordinates, measured)
    return name, replace(found, scalings=tuple(_scalings(samples)), notes=tuple(notes))


def _samples(columns: Mapping[str, Sequence[Any]], numbers: Sequence[Any]) -> Measurements:
    import numpy as np

    from theorycheck.claims.functions import ClaimError
    from theorycheck.formulas.scaling import gathered

    arrays = {n: np.array([float(x) for x in c]) for n, c in columns.items()}
    try:
        return gathered(arrays, np.array([float(x) for x in numbers]))
    except ValueError as error:
        raise ClaimError(str(error)) from None


def _scalings(samples: Measurements) -> Sequence[Scaling]:
    from theorycheck.formulas.scaling import scalings

    return scalings(samples)


def _explored(points: Sequence[Mapping[str, Exact]], measured: Sequence[Enclosure]) -> Exploration:
    from theorycheck.formulas.explore import explore

    parameters = [k for k, v in points[0].items() if not isinstance(v, str | tuple)]
    whole = [k for k in parameters if all(isinstance(p[k], int) for p in points)]
    return explore(points, measured, parameters, integer=whole)
