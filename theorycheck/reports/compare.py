"""What changed between two runs, and whether it got worse.

Worse is: a verdict that was as expected and is not any more, a claim now in error or skipped, a weaker
rung, a blunter pass, a line of evidence that is gone, a bound that the evidence no longer comes near, or
evidence that never differs where it did (`theorycheck.judge.degenerate`).
Sampling stops at counts that grow by a quarter, so a resolution may move by a factor sqrt(1.25) without
meaning anything; only more than that counts. Seconds are reported and never count as worse: they belong
to the machine.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from theorycheck.entries.parts import LegEntry, Resolution, Tightness
from theorycheck.entries.report import Entry, Report
from theorycheck.entries.rungs import RUNGS
from theorycheck.reports.words import duration, sharpness, standing, unexpected

SCHEDULE_STEP = math.sqrt(1.25)
"""What a resolution moves by when sampling stops one scheduled look later (see the docstring)."""

SLOWER, NOTICED_SECONDS = 2.0, 1.0
"""Timings are listed where they doubled or halved and the difference is a second or more; less is the
noise of a shared machine."""


CHANGED = "the claim was changed"

MOST_ALONE = 8
"""Claims of one run only that are listed one by one: runs of different selections are not alike."""


@dataclass
class RunDifference:
    """One claim in two runs. ``before`` or ``after`` is None where a run does not have it."""

    id: str
    before: Entry | None
    after: Entry | None
    worse: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    timing: str = ""

    @property
    def notable(self) -> bool:
        return bool(self.worse or self.other)

    def text(self) -> str:
        return "; ".join((*self.worse, *self.other, *([self.timing] if self.timing else [])))

    def to_json(self) -> Mapping[str, object]:
        return {"id": self.id, "worse": self.worse, "other": self.other, "timing": self.timing}


def compare(before: Report, after: Report) -> list[RunDifference]:
    """Claims that differ between two reports: those that got worse first, then by id."""
    old = {e.id: e for e in before.claims}
    new = {e.id: e for e in after.claims}
    changes = [_change(id, old.get(id), new.get(id)) for id in sorted(old.keys() | new.keys())]
    differing = [c for c in changes if c.notable or c.timing]
    return sorted(differing, key=lambda c: (not c.worse, not c.other, c.id))


def _change(id: str, before: Entry | None, after: Entry | None) -> RunDifference:
    change = RunDifference(id, before, after)
    if before is None or after is None:
        for where, known in (("new", after), ("not in the second run", before)):
            if known is not None:
                change.other.append(f"{where} ({standing(known)})")
        return change
    if before.verdict != after.verdict:
        text = f"{standing(before)} -> {standing(after)}"
        got_worse = after.verdict in ("error", "skipped") or (
            unexpected(after) and not unexpected(before)
        )
        (change.worse if got_worse else change.other).append(text)
    else:
        _same_verdict(change, before, after)
    if before.content != after.content:
        change.other.append(CHANGED)
    _timing(change, before.seconds, after.seconds)
    return change


def _same_verdict(change: RunDifference, before: Entry, after: Entry) -> None:
    if before.rung != after.rung and before.rung and after.rung:
        weaker = RUNGS.index(after.rung) < RUNGS.index(before.rung)
        text = f"rung {before.rung} -> {after.rung}"
        (change.worse if weaker else change.other).append(text)
    blunter = _blunter(before.resolution, after.resolution)
    if blunter is not None:
        text = f"resolution {sharpness(before) or 'none'} -> {sharpness(after) or 'none'}"
        (change.worse if blunter else change.other).append(text)
    _legs(change, {g.name: g for g in before.legs}, {g.name: g for g in after.legs})
    known = {_without_figures(x) for x in before.degenerate}
    new = [x for x in after.degenerate if _without_figures(x) not in known]
    change.worse += [f"never differs: {x}" for x in new]
    old = {r.name: r.refuted for r in before.rivals}
    for rival in after.rivals:
        if old.get(rival.name) is True and not rival.refuted:
            change.worse.append(f"rival {rival.name!r} is not refuted any more")
    if before.verdict == "fail" and _where(before) != _where(after):
        change.other.append("another counterexample")


def _without_figures(said: str) -> str:
    """What is said of evidence whatever the number of points and the values that were met; names keep theirs."""
    return re.sub(r"(?<![\w.])\d[\d.]*(e[+-]?\d+)?", "#", said)


def _legs(
    change: RunDifference, before: Mapping[str, LegEntry], after: Mapping[str, LegEntry]
) -> None:
    """Lines of evidence that are gone, and bounds that the evidence no longer comes as near to."""
    for name, was in before.items():
        now = after.get(name)
        if now is None:
            (change.worse if was.required else change.other).append(f"leg {name!r} is gone")
        elif now.verdict == was.verdict and _looser(was.tightness, now.tightness):
            text = f"leg {name!r}: {sharpness(was)} -> {sharpness(now) or 'no bound'}"
            change.worse.append(text)
        if now is not None and _scopes(was) != _scopes(now):
            change.other.append(f"leg {name!r} speaks of {'; '.join(_scopes(now)) or 'no range'}")


def _scopes(leg: LegEntry) -> list[str]:
    """What the typed statements of a leg quantify over."""
    return sorted({str(scope) for p in leg.proof if (scope := p.witness.get("scope"))})


def _looser(before: Tightness | None, after: Tightness | None) -> bool:
    """Whether the share of a bound that is reached fell, by more than where a schedule stops makes of it."""
    if before is None or after is None or before.kind != after.kind or before.kind != "relative":
        return False
    return (after.value or 0.0) * SCHEDULE_STEP < (before.value or 0.0)


def _where(entry: Entry) -> Any:
    found = entry.counterexample
    return None if found is None else (found.point, found.lhs, found.rhs)


def _blunter(before: Resolution | None, after: Resolution | None) -> bool | None:
    """Whether a resolution got worse (True) or better (False); None where it did not move."""
    if before is None or after is None:
        return None if before is after else after is None
    if before.kind != after.kind:
        return False
    old, new = before.value, after.value
    if new > old * SCHEDULE_STEP:
        return True
    return False if new * SCHEDULE_STEP < old else None


def _timing(change: RunDifference, before: float, after: float) -> None:
    far = abs(after - before) >= NOTICED_SECONDS
    if far and (after > SLOWER * before or before > SLOWER * after):
        word = "slower" if after > before else "faster"
        change.timing = f"{word}: {duration(before)} -> {duration(after)}"


def lines(before: Report, after: Report) -> list[str]:
    """The comparison as text, one line a claim that differs, and what the runs were."""
    changes = compare(before, after)
    out = [
        f"{before.run.id} (profile {before.run.profile}) -> "
        f"{after.run.id} (profile {after.run.profile})"
    ]
    alone = [c for c in changes if c.before is None or c.after is None]
    folded = alone if len(alone) > MOST_ALONE else []
    for change in changes:
        if change in folded:
            continue
        mark = "worse" if change.worse else ""
        out.append(f"{mark:<6} {change.id:<44} {change.text()}")
    for what, which in (
        ("only in the first run", [c for c in folded if c.after is None]),
        ("only in the second run", [c for c in folded if c.before is None]),
    ):
        if which:
            out.append(f"       {len(which)} claims are {what}")
    same = len({e.id for e in before.claims} & {e.id for e in after.claims})
    worse = sum(bool(c.worse) for c in changes)
    plural = "" if same == 1 else "s"
    out.append(f"{same} claim{plural} in both, {len(changes)} differ, {worse} got worse")
    return out
