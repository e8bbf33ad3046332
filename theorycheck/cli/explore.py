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
    from theorycheck.numbers.domain import Exact
    from theorycheck.numbers.enclosure import Enclosure


@click.command("explore")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--profile", default="smoke", show_default=True, help="Grid of a claim module.")
@click.option("--value", default="value", show_default=True, help="Column of a table.")
@click.option("--json", "as_json", is_flag=True)
def command(path: Path, profile: str, value: str, as_json: bool) -> int:
    """What formula might these numbers have? FILE.py (closed_form=... or any, which is ignored), FILE.csv
    or FILE.npz."""
    from theorycheck.formulas.explore import explore

    sets = _measured(path, profile) if path.suffix == ".py" else _table(path, value)
    answers = []
    for name, points, measured in sets:
        parameters = [k for k, v in points[0].items() if not isinstance(v, str | tuple)]
        whole = [k for k in parameters if all(isinstance(p[k], int) for p in points)]
        answers.append((name, explore(points, measured, parameters, integer=whole)))
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
        at = ", ".join(f"{k}={v}" for k, v in row["point"].items())
        further = "".join(
            f"   {k} {row[k]}" for k in ("ratio", "exponent") if row.get(k) is not None
        )
        lines.append(f"  {at:<24} {row['value']}{further}")
    for c in found.candidates:
        tested = f"fits {c.held_out} points held out" if c.agrees else "no point was held out"
        lines.append(f"  candidate ({c.family}): {c.text}   [{tested}]")
    if not found.candidates:
        lines.append(f"  no candidate among {found.hypotheses} shapes")
    return "\n".join(lines)


Set = tuple[str, "Sequence[Mapping[str, Exact]]", "Sequence[Enclosure]"]


LEVEL = 1e-3
"""Error probability of all brackets of one sampled quantity together: they suggest, and decide nothing."""


def _measured(path: Path, profile: str) -> list[Set]:
    """The first component of each claim's first leg at the points of its grid; of a sampled leg the
    confidence interval that the profile's budget gives."""
    from theorycheck.claims.model import ClaimError
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


def _table(path: Path, value: str) -> list[Set]:
    from theorycheck.claims.model import ClaimError
    from theorycheck.claims.tables import read_table
    from theorycheck.evidence.observation import Value

    rows = read_table(path)
    if value not in rows[0]:
        raise ClaimError(f"{path.name}: no column {value}; it has {', '.join(rows[0])}")
    points = [{k: v for k, v in row.items() if k != value} for row in rows]
    numbers: list[Any] = [row[value] for row in rows]
    return [(path.name, points, [Value.of(n).enclosure for n in numbers])]
