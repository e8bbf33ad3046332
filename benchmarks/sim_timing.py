"""Paired timing of two or more ways to the same numbers, beside the ceilings of the machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

Run = Callable[[], np.ndarray]

GEMM = 512
"""Side of the square product that measures the GEMM ceiling: 6 MiB of float64."""

COPY = 2**22
"""Doubles in the copied array, 32 MiB: beyond a second-level cache."""


class Disagreement(RuntimeError):
    """Two sides of a benchmark do not give the same numbers: their times mean nothing."""


@dataclass(frozen=True)
class Case:
    """One simulation: the engine's and what a person would write instead.

    ``rivals``: by name; None where the library is not installed. ``flops``: those of the products;
    ``traffic``: bytes that must be moved at least (inputs and results once).
    """

    name: str
    size: str
    engine: Run
    rivals: Mapping[str, Run | None]
    flops: float
    traffic: float
    tolerance: float = 1e-9


@dataclass(frozen=True)
class Row:
    """Medians over the rounds: seconds of the engine, seconds of a rival over those (above 1: the engine
    is faster), and the engine's share of the ceiling that bounds it."""

    case: Case
    seconds: float
    ratios: Mapping[str, float | None]
    ceiling: str
    share: float


def check(case: Case) -> None:
    """Raises Disagreement unless all sides give the same numbers. Also warms up and compiles."""
    expected = case.engine()
    scale = float(np.max(np.abs(expected)))
    for name, run in case.rivals.items():
        if run is None:
            continue
        found = run()
        if found.shape != expected.shape:
            raise Disagreement(f"{case.name}: {name} has shape {found.shape}, not {expected.shape}")
        gap = float(np.max(np.abs(found - expected)))
        if not gap <= case.tolerance * scale:
            raise Disagreement(f"{case.name}: {name} is {gap:.2g} away, values of size {scale:.2g}")


def measure(case: Case, rounds: int, clock: Callable[[], float], least: float) -> Row:
    """Checks the case, then runs engine, rivals and ceilings in turn, ``rounds`` times.

    ``least``: seconds that a timing lasts at least; shorter runs are repeated within it.
    """
    check(case)
    left, right = np.random.default_rng(0).random((2, GEMM, GEMM))
    source = np.zeros(COPY)
    target = np.empty_like(source)
    sides: dict[str, Callable[[], object]] = {
        "engine": case.engine,
        "gemm": lambda: left @ right,
        "copy": lambda: np.copyto(target, source),
        **{name: run for name, run in case.rivals.items() if run is not None},
    }
    repeats = {name: _repeats(run, clock, least) for name, run in sides.items()}
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(rounds):
        order = list(sides) if turn % 2 == 0 else list(sides)[::-1]
        for name in order:
            seconds[name].append(_timed(sides[name], clock, repeats[name]))
    ratios = {
        name: _median_ratio(seconds[name], seconds["engine"]) if run else None
        for name, run in case.rivals.items()
    }
    # The time that the products, or the traffic, would take at the ceiling, round by round.
    shares = {
        "GEMM": case.flops / (2 * GEMM**3) * _median_ratio(seconds["gemm"], seconds["engine"]),
        "copy": case.traffic / (16 * COPY) * _median_ratio(seconds["copy"], seconds["engine"]),
    }
    bound = max(shares, key=lambda name: shares[name])
    return Row(case, statistics.median(seconds["engine"]), ratios, bound, shares[bound])


def ceilings(rounds: int, clock: Callable[[], float]) -> tuple[float, float]:
    """GEMM in flop/s and copying in bytes/s (read and written), medians."""
    left, right = np.random.default_rng(0).random((2, GEMM, GEMM))
    source = np.zeros(COPY)
    target = np.empty_like(source)
    gemm = [_timed(lambda: left @ right, clock, 4) for _ in range(rounds)]
    copy = [_timed(lambda: np.copyto(target, source), clock, 4) for _ in range(rounds)]
    return 2 * GEMM**3 / statistics.median(gemm), 16 * COPY / statistics.median(copy)


def _median_ratio(above: list[float], below: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


def _repeats(run: Callable[[], object], clock: Callable[[], float], least: float) -> int:
    return max(1, round(least / max(_timed(run, clock, 1), 1e-6)))


def _timed(run: Callable[[], object], clock: Callable[[], float], repeats: int) -> float:
    began = clock()
    for _ in range(repeats):
        run()
    return max(clock() - began, 1e-9) / repeats


def wall() -> float:
    return time.perf_counter()


def processor() -> float:
    """Seconds of processor time: what other processes take away does not count."""
    return time.process_time()
