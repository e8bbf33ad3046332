"""``report.md``: the run as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from theorycheck.entries.report import Entry, Report
from theorycheck.record.files import write_text
from theorycheck.reports.words import place, sharpness, standing, unexpected

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded


def write(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> Path:
    """``report.md`` in a run's folder."""
    write_text(folder / "report.md", render(report))
    return folder / "report.md"


def render(report: Report) -> str:
    """Overview, what needs a look, then one table a source."""
    run, counts = report.run, report.summary
    lines = [
        f"# Run {run.id}",
        "",
        f"Profile {run.profile}, seed {run.seed}, device {run.device}, "
        f"alpha {run.alpha:g} (spent {run.alpha_spent:.2g}), {run.seconds:.1f} s.",
        "",
        f"{counts.claims} claims, {counts.as_expected} as expected: "
        f"{counts.passed} pass, {counts.fail} fail, {counts.inconclusive} inconclusive, "
        f"{counts.error} error, {counts.skipped} skipped.",
        "",
    ]
    attention = [e for e in report.claims if unexpected(e)]
    if attention:
        lines += ["## Not as expected", ""]
        lines += [f"- `{e.id}`: {standing(e)}, expected {e.expected}. {e.reason}"
                  for e in attention]  # fmt: skip
        lines.append("")
    refuted = [(e, e.counterexample) for e in report.claims
               if e.verdict == "fail" and e.counterexample]  # fmt: skip
    if refuted:
        lines += ["## Refuted", ""]
        lines += [f"- `{e.id}` ({e.title}): {place(c)}" for e, c in refuted]
        lines.append("")
    for source in dict.fromkeys(e.source for e in report.claims):
        lines += [
            f"## {source}",
            "",
            *_table([e for e in report.claims if e.source == source]),
        ]
    return "\n".join(lines) + "\n"


def _table(entries: list[Entry]) -> list[str]:
    rows = ["| claim | role | standing | sharpness | rivals | points | seconds |",
            "|---|---|---|---|---|---|---|"]  # fmt: skip
    for e in entries:
        rivals = f"{sum(r.refuted for r in e.rivals)}/{len(e.rivals)}" if e.rivals else ""
        cells = [f"`{e.id}`", e.role, standing(e), sharpness(e), rivals,
                 str(e.points), f"{e.seconds:.2f}"]  # fmt: skip
        rows.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return [*rows, ""]
