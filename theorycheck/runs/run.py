"""A run: execute claims somewhere, write the report as verdicts fall."""

from __future__ import annotations

import contextlib
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from theorycheck.entries.report import Asked, Entry, Report
from theorycheck.evidence.store import open_store
from theorycheck.executors import Executor, Job, JobResult
from theorycheck.executors.cached import found
from theorycheck.executors.local import local
from theorycheck.library.loading import Loaded
from theorycheck.library.selecting import kind_of
from theorycheck.plan.settings import Settings
from theorycheck.record.files import observations_file, point_latest, write_report, write_text
from theorycheck.record.head import now, run_head
from theorycheck.record.runs import read_report
from theorycheck.reports import write_reports
from theorycheck.runs.watch import Unwatched, Watch
from theorycheck.sources.register import Register, registers_digest

WRITE_SECONDS = 1.0
"""How often the report of a running run is written anew; finished evidence is in the store anyway."""

UNKNOWN_SECONDS = 1e9
"""Expected of a claim that was never measured: it goes first, so that no long one starts last."""


@dataclass(frozen=True)
class Finished:
    """A run's report and where it lies.

    ``interrupted``: why it stopped before its end, "" where it did not. ``internal``: traces of errors
    of the engine's own.
    """

    report: Report
    folder: Path
    fresh: int
    interrupted: str = ""
    internal: tuple[str, ...] = ()


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
    memory_limit: int | None = None,
    asked: Asked = Asked(),  # noqa: B008 - frozen
    watch: Watch | None = None,
    resumed: bool = False,
    latest: Path | None = None,
) -> Finished:
    """Execute the chosen claims and write the report under ``out``.

    The report is whole at any moment: it is written anew as verdicts fall. KeyboardInterrupt and a
    disk that cannot be written end the run with what has finished (``Finished.interrupted``).
    ``asked``: what selected the claims, kept in the report so that the run can be resumed; ``resumed``:
    that the folder holds an unfinished run of the same; ``latest``: the folder of runs whose latest this
    is to be from its start, so that a killed one is found again.
    """
    tell: Watch = watch or Unwatched()
    found(chosen)
    with open_store(store) as cache:
        jobs = _jobs(chosen, settings, store, time_limit, memory_limit, cache.costs(settings))
    page = _Page(out, settings, now(), asked, list(chosen))
    page.held = _finished_in(out) if resumed else 0

    def execute() -> None:
        page.begin()
        if latest is not None:
            point_latest(latest, out)
        tell.start(len(jobs))
        with contextlib.closing(executor(jobs, workers, tell.begin)) as results:
            for result in results:
                page.add(result)
                tell.verdict(result.entry)
                if stop_at_first and not result.entry.as_expected:
                    break
        page.complete = len(page.entries) == len(jobs)

    interrupted = _ended(execute)
    with uninterrupted():
        interrupted = _ended(page.settle) or interrupted
        with open_store(store) as cache:
            for claim_id, (seconds, memory) in page.costs.items():
                cache.record_cost(claim_id, settings, seconds, memory)
            cache.prune()
    # Figures may take a while, and by now all else is on disk: Ctrl-C ends this too.
    interrupted = _ended(page.present) or interrupted
    report = page.report()
    tell.end(report)
    return Finished(report, out, page.fresh, interrupted, tuple(page.internal))


def _finished_in(out: Path) -> int:
    """How many claims the report of an earlier run holds."""
    return len(read_report(out).claims) if (out / "report.json").exists() else 0


def _ended(step: Callable[[], None]) -> str:
    """Why a step of the run did not come to its end; "" where it did."""
    try:
        step()
    except KeyboardInterrupt:
        return "interrupted"
    except OSError as error:
        return _unwritable(error)
    return ""


def _unwritable(error: OSError) -> str:
    """Why a run stops whose folder cannot be written; raises again what is no matter of files."""
    if error.errno is None:
        raise error
    return f"stopped, {error.filename or 'a file'} cannot be written ({error.strerror})"


def _jobs(
    chosen: Sequence[Loaded],
    settings: Settings,
    store: Path | None,
    time_limit: float | None,
    memory_limit: int | None,
    costs: Mapping[str, tuple[float, int | None]],
) -> list[Job]:
    registers: dict[Path, Register | None] = {}
    digests = {folder: registers_digest(folder) for folder in {i.file.parent for i in chosen}}
    jobs = []
    for item in chosen:
        seconds, memory = costs.get(item.id, (UNKNOWN_SECONDS, None))
        jobs.append(
            Job(
                item.file,
                item.id,
                kind_of(item, registers),
                settings,
                store,
                time_limit,
                memory_limit,
                seconds,
                memory or 0,
                item.origin,
                digests[item.file.parent],
            )
        )
    return jobs


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM, as batch queues send it, ends what runs in the block as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C and SIGTERM wait for the end of the block: the report is being written."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {s: signal.signal(s, signal.SIG_IGN) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Page:
    """The report of a run while it grows, and its folder."""

    def __init__(
        self,
        out: Path,
        settings: Settings,
        started: datetime,
        asked: Asked,
        items: list[Loaded],
    ) -> None:
        self.out, self.settings, self.started, self.items = out, settings, started, items
        self.asked = asked
        self.entries: list[Entry] = []
        self.fresh = 0
        self.costs: dict[str, tuple[float, int | None]] = {}
        """Seconds and bytes that fresh evidence took, by claim."""
        self.internal: list[str] = []
        self.complete = False
        self.held = 0
        """Claims that an earlier run has in the report, which stands until this one has as many."""
        self._next_write = 0.0

    def begin(self) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        if not self.held:
            self._write()

    def add(self, result: JobResult) -> None:
        self.entries.append(result.entry)
        self.fresh += result.fresh
        if result.fresh:
            self.costs[result.claim_id] = (result.cost, result.memory)
        if result.internal:
            self.internal.append(result.internal)
        if result.observations:
            write_text(observations_file(self.out, result.claim_id), result.observations)
        if time.monotonic() >= self._next_write and len(self.entries) >= self.held:
            self._write()

    def _write(self) -> None:
        began = time.monotonic()
        write_report(self.out / "report.json", self.report())
        # The report grows with the run; writing it is to take a tenth of the time at most.
        ended = time.monotonic()
        self._next_write = ended + max(WRITE_SECONDS, 9 * (ended - began))

    def settle(self) -> None:
        """``report.json``, and no observations but those of this run."""
        if len(self.entries) < self.held:
            return
        self._write()
        ids = {e.id for e in self.entries}
        for file in (self.out / "observations").glob("*.json"):
            if file.stem not in ids:  # of an earlier run into the same folder
                file.unlink()

    def present(self) -> None:
        """The report for people, in every format."""
        if len(self.entries) < self.held:
            return
        write_reports(self.report(), self.out, self.items)

    def report(self) -> Report:
        seconds = (now() - self.started).total_seconds()
        # fsum: the order in which claims finish must not show in the last bit.
        spent = math.fsum(e.alpha_spent for e in self.entries)
        head = run_head(self.out.name, self.settings, self.started, seconds, spent)
        head = replace(head, complete=self.complete, asked=self.asked)
        return Report.of(head, self.entries)


def exit_code(report: Report) -> int:
    """Contract: 5 nothing selected or all skipped, 1 unexpected or error, 6 only inconclusive, 0."""
    entries = [e for e in report.claims if e.verdict != "skipped"]
    if not entries:
        return 5
    unexpected = [e for e in entries if not e.as_expected]
    if any(e.verdict != "inconclusive" for e in unexpected):
        return 1
    return 6 if unexpected else 0
