"""What a run shows while it works: a live view in a terminal, plain lines elsewhere.

A terminal shows one line of counts, the claims at work, a bar and the time left, all of which vanish at
the end; a pipe gets one line a verdict. Then follows, once, what needs a look, and where the report is.
Colours follow the verdict; rich leaves them out where ``NO_COLOR`` is set or nobody looks.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theorycheck.entries.report import Entry, Report
from theorycheck.reports.words import STANDINGS, place, sharpness, standing, stands, unexpected
from theorycheck.runs.watch import Unwatched, Watch

if TYPE_CHECKING:
    from rich.console import Console

COLOURS = {
    "proved": "green",
    "checked": "green",
    "supported": "green",
    "refuted": "red",
    "inconclusive": "yellow",
    "error": "magenta",
    "skipped": "bright_black",
}

FEW = 3
"""Claims of a run that are told clause by clause at its end."""

LINES_OF_ONE, LINES_AROUND, FEWEST = 4, 6, 3
"""A failure takes four lines of a summary and its end six; at least three failures are explained."""


def watcher(folder: Path, *, quiet: bool) -> Watch:
    """The view that suits the output: nothing, a live view, or one plain line a verdict. ``folder``: of
    the run, named at the end."""
    if quiet:
        return Unwatched()
    if not sys.stdout.isatty():
        return _Lines(folder)
    from rich.console import Console

    console = Console(highlight=False)
    return _Lines(folder) if console.is_dumb_terminal else _Live(console, folder)


class _Lines(Unwatched):
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.total = self.done = 0

    def start(self, claims: int) -> None:
        self.total = claims

    def verdict(self, entry: Entry) -> None:
        self.done += 1
        number = f"{self.done:>{len(str(self.total))}}"
        print(f"[{number}/{self.total}] {line(entry)}", flush=True)

    def end(self, report: Report) -> None:
        print(closing(report, self.folder), flush=True)


class _Live:
    def __init__(self, console: Console, folder: Path) -> None:
        from rich.live import Live
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn
        from rich.progress import TimeRemainingColumn as Left

        self.console, self.folder = console, folder
        self.counts = dict.fromkeys(STANDINGS, 0)
        self.surprises = 0
        self.working: list[str] = []
        self.bar = Progress(
            BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), "left", Left(), console=console
        )
        self.task = self.bar.add_task("", total=None)
        self.live = Live(console=console, transient=True, get_renderable=self.picture)

    def picture(self) -> Any:
        """Counts, the claims at work and the bar."""
        from rich.console import Group
        from rich.text import Text

        counts = Text()
        for word, n in self.counts.items():
            if n:
                counts.append(f"{n} {word}  ", COLOURS[word])
        if self.surprises:
            counts.append(f"{self.surprises} not as expected", "bold")
        rows: list[Any] = [counts] if counts else []
        if self.working:
            width = max(20, self.console.width - 12)
            at_work = ", ".join(self.working)
            rows.append(Text(f"at work: {at_work[:width]}", "bright_black"))
        elif self.bar.finished:
            rows.append(Text("writing the report", "bright_black"))
        return Group(*rows, self.bar)

    def start(self, claims: int) -> None:
        self.bar.update(self.task, total=claims)
        self.live.start()

    def begin(self, claim_id: str) -> None:
        self.working.append(claim_id)

    def verdict(self, entry: Entry) -> None:
        self.counts[stands(entry)] += 1
        self.surprises += unexpected(entry)
        self.working = [w for w in self.working if w != entry.id]
        self.bar.advance(self.task)

    def end(self, report: Report) -> None:
        self.live.stop()
        for text, style in ending(report, self.folder, shutil.get_terminal_size().lines):
            self.console.print(text, style=style, markup=False, soft_wrap=True)


def line(entry: Entry) -> str:
    """One verdict: standing, claim, sharpness, and what the summary will not say."""
    parts = [f"{standing(entry):<24} {entry.id:<44}"]
    if unexpected(entry):
        parts.append(f"expected {entry.expected}")
    elif entry.verdict == "fail" and entry.counterexample:
        parts.append(place(entry.counterexample))
    elif entry.verdict in ("inconclusive", "skipped"):
        parts.append(entry.reason)
    else:
        parts.append(sharpness(entry))
    return "  ".join(p for p in parts if p).rstrip()


def closing(report: Report, folder: Path) -> str:
    """The last lines of a run as plain text."""
    return "\n".join(text for text, _ in ending(report, folder))


def ending(report: Report, folder: Path, height: int | None = None) -> list[tuple[str, str]]:
    """The last lines of a run with their styles: what is not as expected, counts, where the report is.

    ``height``: lines of the screen that it has to fit; None for all.
    """
    surprises = [e for e in report.claims if unexpected(e)]
    # Errors and wrong verdicts before what is only undecided.
    surprises.sort(key=lambda e: e.verdict == "inconclusive")
    shown = surprises
    if height is not None:
        shown = surprises[: max(FEWEST, (height - LINES_AROUND) // LINES_OF_ONE)]
    out: list[tuple[str, str]] = [("", "")] if surprises else []
    for entry in shown:
        out += _explained(entry)
    if len(shown) < len(surprises):
        out.append((f"and {len(surprises) - len(shown)} more that are not as expected", "bold"))
    if len(report.claims) <= FEW:
        for entry in report.claims:
            out += [(text, "") for text in told(entry)]
    out.append((counted(report), "bold"))
    return [*out, (f"report: {_named(folder)}", "")]


def _named(folder: Path) -> str:
    """The report as `reports/latest` names it, where that is this run."""
    latest = folder.parent / "latest"
    if latest.resolve() != folder.resolve():
        return str(folder / "report.html")
    return f"{latest / 'report.html'} (kept in {folder})"


def told(entry: Entry) -> list[str]:
    """What a verdict is about, clause by clause, how far the claim was attacked, and what of its evidence never
    differs; where only a few claims are run."""
    lines = [f"    {line}" for line in entry.about]
    lines += [f"    never differs: {line}" for line in entry.degenerate]
    if entry.attack is not None:
        seen = f"{entry.attack.required} required and {entry.attack.far} far points"
        missed = f"; not reached: {'; '.join(entry.attack.not_reached)}"
        lines.append(f"    attacked: {seen}" + (missed if entry.attack.not_reached else ""))
    return [f"{entry.id}:", *lines] if lines else []


def _explained(entry: Entry) -> list[tuple[str, str]]:
    out = [(f"{entry.id}: {standing(entry)}, expected {entry.expected}", COLOURS[stands(entry)])]
    details: Sequence[str] = [
        entry.reason,
        place(entry.counterexample) if entry.counterexample else "",
        f"would decide it: {entry.would_decide}" if entry.would_decide else "",
    ]
    out += [(f"    {text}", "") for text in details if text]
    return [*out[: LINES_OF_ONE - 1], (f"    {entry.reproduce}", "bright_black")]


def counted(report: Report) -> str:
    """``42 claims, 41 as expected: 8 proved, 26 checked, 1 supported, 7 refuted in 12 s``."""
    from theorycheck.reports.words import duration

    words = [stands(e) for e in report.claims]
    kinds = [f"{words.count(w)} {w}" for w in STANDINGS if w in words]
    counts = report.summary
    plural = "" if counts.claims == 1 else "s"
    text = f"{counts.claims} claim{plural}, {counts.as_expected} as expected"
    listed = f": {', '.join(kinds)}" if kinds else ""
    return f"{text}{listed} in {duration(report.run.seconds)}"
