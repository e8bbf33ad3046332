"""Shards of a run, and one run made of several.

A shard is chosen by the claims' ids alone, so that machines that share nothing agree on who does what.
Every claim has its own slot of alpha and its own streams, so that a merged report says what one run of
all would have said.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from theorycheck.entries.report import Asked, Report, RunHead
from theorycheck.library.loading import Loaded
from theorycheck.numbers.errors import UserError
from theorycheck.record.runs import read_report
from theorycheck.reports import write_reports

SAME = ("seed", "alpha", "profile", "device", "versions")
"""What runs must have in common to be parts of one."""


class MergeError(UserError):
    """Runs that are no parts of one run: one line that says why."""


def in_shard(chosen: Sequence[Loaded], part: int, parts: int) -> list[Loaded]:
    """Part ``part`` (from 1) of ``parts`` of nearly equal numbers of claims, in the given order.

    Claims are dealt out in the order of a hash of their ids, which mixes long and short ones.
    """
    dealt = sorted(chosen, key=lambda i: hashlib.blake2b(i.id.encode()).digest())
    mine = {i.id for i in dealt[part - 1 :: parts]}
    return [i for i in chosen if i.id in mine]


def merge(folders: Sequence[Path], out: Path) -> Report:
    """Write one run of all the claims of several; returns its report.

    Raises MergeError for runs made under different settings or versions, and for claims that more
    than one of them holds; ReportError for folders that hold no readable report. Nothing is written
    then.
    """
    reports = [read_report(folder) for folder in folders]
    heads = [report.run for report in reports]
    _check_same(heads)
    _check_disjoint(reports)
    entries = [entry for report in reports for entry in report.claims]
    first = min(heads, key=lambda head: head.started)
    head = replace(
        first,
        id=out.name,
        seconds=round(sum(head.seconds for head in heads), 3),
        alpha_spent=math.fsum(e.alpha_spent for e in entries),
        complete=not missing(reports),
        asked=replace(first.asked or Asked(), shard=None),
    )
    report = Report.of(head, entries)
    out.mkdir(parents=True, exist_ok=True)
    for folder in folders:
        for file in (folder / "observations").glob("*.json"):
            (out / "observations").mkdir(exist_ok=True)
            shutil.copyfile(file, out / "observations" / file.name)
    write_reports(report, out)
    return report


def missing(reports: Sequence[Report]) -> list[str]:
    """What keeps the runs from being a whole: shards that are not there, runs that are unfinished."""
    lacking = [f"{report.run.id} is unfinished" for report in reports if not report.run.complete]
    shards = [(r.run.asked and r.run.asked.shard) or "1/1" for r in reports]
    for parts in sorted({s.partition("/")[2] for s in shards}, key=int):
        due = [f"{i}/{parts}" for i in range(1, int(parts) + 1)]
        lacking += [f"shard {shard} is missing" for shard in due if shard not in shards]
    return lacking


def _check_same(heads: Sequence[RunHead]) -> None:
    for head in heads[1:]:
        for name in SAME:
            one, other = getattr(heads[0], name), getattr(head, name)
            if one != other:
                raise MergeError(
                    f"{heads[0].id} and {head.id} differ in {name}: "
                    f"{_differing(one, other)}; "
                    "only parts of one run can be merged"
                )


def _differing(one: Any, other: Any) -> str:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        names = [n for n in sorted({*one, *other}) if one.get(n) != other.get(n)]
        return ", ".join(f"{n} {one.get(n)} and {other.get(n)}" for n in names)
    return f"{json.dumps(one)} and {json.dumps(other)}"


def _check_disjoint(reports: Sequence[Report]) -> None:
    holder: dict[str, str] = {}
    for report in reports:
        name = report.run.id
        for entry in report.claims:
            if entry.id in holder:
                raise MergeError(
                    f"claim {entry.id} is in {holder[entry.id]} and in {name}; "
                    "merge takes disjoint runs"
                )
            holder[entry.id] = name
