"""Limits of time end what they should, however the exception is swallowed on the way."""

from __future__ import annotations

import gc
import importlib
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from theorycheck.check import limits
from theorycheck.check.guard import check_within
from theorycheck.check.limits import Clock, TimeUp, now, time_limit
from theorycheck.check.problem import read_problem
from theorycheck.check.run import check_text


def busy(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_a_limit_ends_a_loop_and_an_outer_one_stays() -> None:
    started = now()
    with pytest.raises(TimeUp), time_limit(0.6):
        with pytest.raises(TimeUp), time_limit(0.1):
            busy(5)
        busy(5)
    assert 0.5 < now() - started < 2


def test_what_others_compute_does_not_count() -> None:
    with time_limit(0.1):
        time.sleep(0.5)  # the processor is elsewhere
    with pytest.raises(TimeUp), time_limit(10, time.monotonic() + 0.1):
        time.sleep(0.5)
        busy(5)


def test_nothing_is_raised_inside_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a module stays behind for good: what is imported later is found without its names."""
    (tmp_path / "slow_to_import.py").write_text(
        "import time\nend = time.thread_time() + 0.5\n"
        "while time.thread_time() < end:\n    pass\ndone = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(TimeUp), time_limit(0.1):
        importlib.import_module("slow_to_import")
        busy(5)
    assert sys.modules["slow_to_import"].done


def test_slices_end_by_both_clocks() -> None:
    clock = Clock(10, time.monotonic() + 20)
    part = clock.slice(0.5)
    assert 4.9 < part.left <= 5
    assert 9.9 < part.wall - time.monotonic() <= 10
    assert Clock(10, time.monotonic() - 1).out()
    assert Clock(10, time.monotonic() - 1).slice(0.5).out()


@contextmanager
def slow_collection() -> Iterator[None]:
    def callback(phase: str, info: dict[str, int]) -> None:
        busy(0.3)

    gc.callbacks.append(callback)
    try:
        yield
    finally:
        gc.callbacks.remove(callback)


def test_an_exception_lost_in_a_callback_comes_again(capsys: pytest.CaptureFixture[str]) -> None:
    started = time.monotonic()
    with pytest.raises(TimeUp), slow_collection(), time_limit(0.1):
        gc.collect()  # the first signal falls into the callback, where nothing can be raised
        busy(5)
    assert time.monotonic() - started < 3
    assert "TimeUp" not in capsys.readouterr().err


def test_the_guard_ends_what_listens_to_no_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    def deaf(*args: object, **more: object) -> None:
        import signal

        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        busy(30)

    monkeypatch.setattr("theorycheck.check.guard.check", deaf)
    started = time.monotonic()
    found = check_within(read_problem("x > 0", ["x in [0, 1]"]), budget=0.5, seed=0)
    assert found.verdict == "inconclusive"
    assert "time" in found.reason
    assert time.monotonic() - started < 3


def test_the_guard_hands_back_what_was_found() -> None:
    problem = read_problem("sin(x) < x", ["x in [0, oo)"])
    inside = check_text("sin(x) < x", ["x in [0, oo)"])
    outside = check_within(problem, budget=20, seed=0)
    assert (outside.verdict, outside.counterexample, outside.instead) == (
        inside.verdict,
        inside.counterexample,
        inside.instead,
    )


def test_an_error_inside_is_told() -> None:
    with pytest.raises(RuntimeError, match="AttributeError"):
        check_within(object(), budget=1, seed=0)  # type: ignore[arg-type]


def test_a_high_power_in_disguise_is_not_factored() -> None:
    """exp(-1.702*x) is a polynomial of degree 851 in exp(-x/500): one step of minutes."""
    started = time.monotonic()
    found = check_text(
        "Abs(1/(1 + exp(-1.702*x)) - (1 + erf(x/sqrt(2)))/2) < 0.0094",
        ["x in (-oo, oo)"],
        budget=10,
    )
    assert found.verdict == "refuted"
    assert time.monotonic() - started < 12


def test_the_end_inside_of_compiled_code_is_the_end() -> None:
    """Compiled code that is left by the exception of a signal raises SystemError in its place."""
    with pytest.raises(TimeUp), time_limit(5.0):
        raise SystemError("returned a result with an exception set") from TimeUp()
    with pytest.raises(SystemError), time_limit(5.0):
        raise SystemError("of another kind")


def test_a_signal_on_its_way_at_the_end_leaves_no_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    # A signal that arrived when others had the processor sets the timer anew. Seen to just after the
    # timer was stopped, it left one behind that nobody handled: the process died of it.
    really = signal.setitimer

    def and_then_the_handler(which: int, seconds: float, interval: float = 0.0) -> object:
        set_before = really(which, seconds, interval)
        if seconds == 0:
            limits._stop(signal.SIGALRM, None)
        return set_before

    monkeypatch.setattr(limits.signal, "setitimer", and_then_the_handler)
    handler = signal.getsignal(signal.SIGALRM)
    with time_limit(30.0):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == handler


def test_an_end_while_a_limit_begins_leaves_no_limit_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The outer limit's signal came just after the inner one had set its timer: the inner one stayed on the
    # list, and the outer one set a timer for it once nobody handled the signal. The process died of it.
    really = signal.setitimer
    calls = []

    def and_then_the_end(which: int, seconds: float, interval: float = 0.0) -> object:
        set_before = really(which, seconds, interval)
        calls.append(seconds)
        if len(calls) == 2:  # the inner limit's
            raise TimeUp
        return set_before

    monkeypatch.setattr(limits.signal, "setitimer", and_then_the_end)
    handler = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeUp), time_limit(30.0), time_limit(20.0):
        pass
    assert limits._ends == []
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) == handler
