"""What a run shows while it works: a live view in a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from theorycheck.run import Watch


def watcher(*, quiet: bool) -> Watch:
    """The view that suits the output: nothing, a live bar, or one plain line a verdict."""
    if quiet:
        return lambda event, data: None
    return _Lines() if not sys.stdout.isatty() else _Live()


class _Lines:
    def __init__(self) -> None:
        self.total = self.done = 0

    def __call__(self, event: str, data: Mapping[str, Any]) -> None:
        if event == "start":
            self.total = int(data["claims"])
        elif event == "verdict":
            self.done += 1
            print(f"[{self.done}/{self.total}] {line(data)}", flush=True)
        elif event == "end":
            print(closing(data), flush=True)


class _Live:
    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self.console = Console()
        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
        )
        self.task = self.bar.add_task("checking", total=None)

    def __call__(self, event: str, data: Mapping[str, Any]) -> None:
        if event == "start":
            self.bar.update(self.task, total=int(data["claims"]))
            self.bar.start()
        elif event == "verdict":
            self.bar.advance(self.task)
            colour = {"pass": "green", "fail": "red"}.get(str(data["verdict"]), "yellow")
            self.bar.console.print(line(data), style=colour, highlight=False, markup=False)
        elif event == "end":
            self.bar.stop()
            self.console.print(closing(data), highlight=False, markup=False)


def line(entry: Mapping[str, Any]) -> str:
    """One verdict: standing, claim, sharpness, and what surprises."""
    from theorycheck.reports.words import place, sharpness, standing, unexpected

    parts = [f"{standing(entry):<26} {entry['id']:<42}", sharpness(entry)]
    if unexpected(entry):
        parts.append(f"UNEXPECTED (expected {entry['expected']}): {entry['reason']}")
    elif entry["verdict"] == "fail" and entry["counterexample"]:
        parts.append(place(entry["counterexample"]))
    elif entry["verdict"] in ("inconclusive", "skipped"):
        parts.append(str(entry["reason"]))
    return "  ".join(p for p in parts if p)


def closing(report: Mapping[str, Any]) -> str:
    """The last lines of a run: counts, what needs a look, where the report is."""
    from theorycheck.reports.words import place, standing, unexpected

    counts = report["summary"]
    lines = [""]
    for entry in report["claims"]:
        if unexpected(entry):
            lines.append(f"{entry['id']}: {standing(entry)}, expected {entry['expected']}")
            lines.append(f"    {entry['reason']}")
            if entry["counterexample"]:
                lines.append(f"    {place(entry['counterexample'])}")
            lines.append(f"    {entry['reproduce']}")
    lines.append(
        f"{counts['claims']} claims, {counts['as_expected']} as expected "
        f"({counts['pass']} pass, {counts['fail']} fail, {counts['inconclusive']} inconclusive, "
        f"{counts['error']} error, {counts['skipped']} skipped) in {report['run']['seconds']:.1f} s"
    )
    lines.append(f"report: {report['run'].get('folder', '')}/report.html")
    return "\n".join(lines)
