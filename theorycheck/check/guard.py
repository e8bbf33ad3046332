"""The end of the budget kept from outside: a step in compiled code listens to no signal.

The work is done by a forked child, which reports a refutation as soon as it has one and its final
verdict at the end; at the end of the budget the child is ended, and the last report counts.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import threading
from dataclasses import replace
from time import monotonic

from theorycheck.check.problem import Problem
from theorycheck.check.run import check
from theorycheck.check.verdict import INCONCLUSIVE, SEARCHED, Verdict

# The strategy stays below the budget by itself; so much later a step is taken to hang.
_GRACE = 0.5
_HEAD = 8  # bytes that say how long a report is


def check_within(problem: Problem, *, budget: float, seed: int) -> Verdict:
    """As `theorycheck.check.run.check`, but back by ``budget`` seconds whatever happens.

    Systems without ``fork``, and threads, do without the guard.
    """
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return check(problem, budget=budget, seed=seed)
    started = monotonic()
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        _work(sink, problem, budget, seed)
    os.close(sink)
    try:
        reports = _listen(source, started + budget + _GRACE)
    finally:
        os.close(source)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    last = reports[-1] if reports else None
    if isinstance(last, str):
        raise RuntimeError(f"the check ended with {last}")
    if last is not None:
        return replace(last, seconds=monotonic() - started, reading=problem.notes)
    hung = problem.judged(
        INCONCLUSIVE, SEARCHED, reason="out of time within a step that cannot be interrupted"
    )
    return replace(hung, seconds=monotonic() - started, reading=problem.notes)


def _work(sink: int, problem: Problem, budget: float, seed: int) -> None:
    """The child's part; never returns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted and ends the child
    try:
        with os.fdopen(sink, "wb") as stream:

            def report(verdict: Verdict | str) -> None:
                data = pickle.dumps(verdict)
                stream.write(len(data).to_bytes(_HEAD) + data)
                stream.flush()

            try:
                report(check(problem, budget=budget, seed=seed, report=report))
            except BaseException as error:  # noqa: BLE001 - told to the parent, which raises
                report(f"{type(error).__name__}: {error}")
    finally:
        os._exit(0)


def _listen(source: int, end: float) -> list[Verdict | str]:
    """Everything reported until the child closes its end or the time is over."""
    data = bytearray()
    while (left := end - monotonic()) > 0:
        ready, _, _ = select.select([source], [], [], left)
        piece = os.read(source, 65536) if ready else b""
        if not piece:
            break
        data += piece
    reports: list[Verdict | str] = []
    while len(data) >= _HEAD and len(data) >= (end_at := _HEAD + int.from_bytes(data[:_HEAD])):
        reports.append(pickle.loads(data[_HEAD:end_at]))
        del data[:end_at]
    return reports
