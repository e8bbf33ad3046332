"""A run: select claims, execute them somewhere, write the report as verdicts fall."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theorycheck import record
from theorycheck.claims import ClaimError
from theorycheck.execute import Settings
from theorycheck.executors import Executor, Job, Result
from theorycheck.executors.local import local
from theorycheck.loading import Loaded, load_all, load_file
from theorycheck.observation import Observation
from theorycheck.reports import write_reports
from theorycheck.statement import Register, load_register

Watch = Callable[[str, Mapping[str, Any]], None]
"""Called with an event (``start``, ``verdict``, ``end``) and its data."""


class SelectionError(ValueError):
    """What was asked for names nothing that exists."""


@dataclass(frozen=True)
class Finished:
    """A run's report and where it lies."""

    report: dict[str, Any]
    folder: Path
    fresh: int


def select(
    targets: Sequence[str], *, sources: Sequence[str] = (), expression: str = ""
) -> list[Loaded]:
    """Claims by path, id or glob; all of every library where no target is given.

    Raises SelectionError where a target fits nothing, ClaimError where a claim is malformed.
    """
    paths = [t for t in targets if Path(t).exists()]
    patterns = [t for t in targets if not Path(t).exists()]
    chosen: list[Loaded] = []
    for path in paths:
        p = Path(path)
        chosen += load_file(p) if p.is_file() else load_all([p])
    if patterns or not targets:
        everything = load_all(sources=sources)
        if not targets:
            chosen += everything
        for pattern in patterns:
            fitting = [i for i in everything if fnmatch.fnmatch(i.claim.id, pattern)]
            if not fitting:
                raise SelectionError(
                    f"{pattern!r} is no file, no claim id and no glob that fits one; "
                    "`theorycheck list` shows the ids"
                )
            chosen += fitting
    if sources:
        chosen = [i for i in chosen if i.source in sources]
    unique = list({i.claim.id: i for i in chosen}.values())
    return [i for i in unique if matches(expression, i)]


def matches(expression: str, item: Loaded) -> bool:
    """``-k``: words joined by ``and``, ``or``, ``not``, each looked for in id, title and source."""
    if not expression.strip():
        return True
    text = f"{item.claim.id} {item.claim.title} {item.source}".lower()
    return any(
        all(_term(term, text) for term in part.split(" and "))
        for part in f" {expression} ".lower().split(" or ")
    )


def _term(term: str, text: str) -> bool:
    word = term.strip()
    if word.startswith("not "):
        return word[4:].strip() not in text
    return word in text


def register_of(item: Loaded) -> Register | None:
    path = item.file.parent / "statements.toml"
    return load_register(path) if path.exists() and not item.draft else None


def kind_of(item: Loaded, registers: dict[Path, Register | None]) -> str:
    """Kind of the first statement that a claim encodes, from its register."""
    folder = item.file.parent
    if folder not in registers:
        registers[folder] = register_of(item)
    register = registers[folder]
    if register is None:
        return "conjecture"
    for statement in register.statements:
        if statement.id in item.claim.states:
            return statement.kind
    raise ClaimError(
        f"{folder.name}/{item.file.name}: claim {item.claim.id} states "
        f"{', '.join(item.claim.states)}, which {folder.name}/statements.toml does not hold"
    )


def run(
    chosen: Sequence[Loaded],
    settings: Settings,
    out: Path,
    *,
    workers: int = 1,
    executor: Executor = local,
    store: Path | None = None,
    stop_at_first: bool = False,
    time_limit: float | None = None,
    watch: Watch | None = None,
) -> Finished:
    """Execute the chosen claims and write the report under ``out``.

    The report is rewritten after every verdict, so that it is whole at any moment.
    """
    started = record.now()
    tell: Watch = watch or (lambda event, data: None)
    registers: dict[Path, Register | None] = {}
    jobs = [
        Job(i.file, i.claim.id, kind_of(i, registers), settings, store, time_limit) for i in chosen
    ]
    out.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, Any]] = []
    fresh = 0
    tell("start", {"claims": len(jobs), "folder": out})
    report = _report(out.name, settings, started, entries)
    try:
        for result in executor(jobs, workers):
            entries.append(result.entry)
            fresh += result.fresh
            _keep(out, result)
            report = _report(out.name, settings, started, entries)
            record.write_json(out / "report.json", report)
            tell("verdict", result.entry)
            if stop_at_first and not record.as_expected(result.entry):
                break
    finally:
        report = _report(out.name, settings, started, entries)
        write_reports(report, out)
    tell("end", report)
    return Finished(report, out, fresh)


def _report(
    run_id: str, settings: Settings, started: Any, entries: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    seconds = (record.now() - started).total_seconds()
    spent = sum(float(e.get("alpha_spent", 0.0)) for e in entries)
    return record.report_of(record.run_head(run_id, settings, started, seconds, spent), entries)


def _keep(out: Path, result: Result) -> None:
    if result.observations:
        seen = [Observation.from_json(o) for o in result.observations]
        record.write_observations(out / "observations", result.claim_id, seen)


def exit_code(report: Mapping[str, Any]) -> int:
    """Contract: 5 nothing selected or all skipped, 1 unexpected or error, 6 only inconclusive, 0."""
    entries = [e for e in report["claims"] if e["verdict"] != "skipped"]
    if not entries:
        return 5
    unexpected = [e for e in entries if not record.as_expected(e)]
    if any(e["verdict"] != "inconclusive" for e in unexpected):
        return 1
    return 6 if unexpected else 0
