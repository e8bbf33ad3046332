"""Mean numbers of samples until a wrong probability is rejected, against Wald's lower bound.

Wald's test knows both hypotheses, the direction and may stop at any count; the sequences here know
none of these and stop at the checkpoints only. The bound used is max(64, Wald): the first checkpoint
is at 64. The numbers come from an exact dynamic programme, or, for long streams, from 1,000 paths
simulated by binomial increments (relative error about one in fifty). `through_the_pipeline` measures the
same from claim to verdict, where draws come in blocks.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile
from typing import Any

import numpy as np
import sympy

from theorycheck.calibration.cases import claim_id
from theorycheck.calibration.families.building import N, about_n
from theorycheck.calibration.lattice import Rule, edge, first_rejection
from theorycheck.claims.statistic import probability
from theorycheck.engine.execute import execute
from theorycheck.plan.budget import GRID_SHARE, SLOTS
from theorycheck.plan.keys import Purpose
from theorycheck.plan.settings import Settings
from theorycheck.stats import checkpoints, expected_wald, mixtures
from theorycheck.stats.schedule import log_threshold

DECISION, MILD_DECISION = 1e-6 / SLOTS * GRID_SHARE, 0.05 / SLOTS * GRID_SHARE
"""Levels that decisions have: total alpha 1e-6 (or 0.05), one of 4096 claims, half for its grid."""

PAIRS = [
    (p0, p0 * (1 + change))
    for p0 in (0.5, 0.1, 0.01, 1e-4)
    for change in (-1.0, -0.5, -0.2, -0.05, -0.01, 0.01, 0.05, 0.2, 0.5)
]


def rules(p0: float, alpha: float, focus: float | None) -> tuple[Rule, Rule]:
    """Which counts show a probability below p0, and above it."""
    level, at = log_threshold(alpha), np.array([p0])

    def rule(side: int) -> Rule:
        return lambda n, s: bool(mixtures.coin(side, float(n), float(s), at, focus)[0] >= level)

    return rule(-1), rule(1)


def bound(p0: float, p1: float, alpha: float) -> float:
    """Wald's lower bound, not below the first checkpoint."""
    return max(64.0, expected_wald(p0, p1, alpha))


def mean_samples(p0: float, p1: float, alpha: float, focus: float | None = None) -> float:
    """Mean checkpoint at which Bernoulli(p1) data reject p0. Raises ArithmeticError where some path of
    a long stream does not reject within 20 times the bound."""
    low, high = rules(p0, alpha, focus)
    looks = list(takewhile(lambda n: n <= 20 * bound(p0, p1, alpha), checkpoints()))
    if expected_wald(p0, p1, alpha) < 1500:
        return first_rejection(p1, looks, low, high)

    def bottom_at(n: int) -> int:
        return edge(n + 1, -1, lambda s: s <= n and low(n, s))

    def top_at(n: int) -> int:
        return edge(-1, n + 1, lambda s: s >= 0 and high(n, s))

    bottom, top = [bottom_at(n) for n in looks], [top_at(n) for n in looks]
    rng = np.random.default_rng(1)
    counts = rng.binomial(np.diff(looks, prepend=0), p1, size=(1000, len(looks))).cumsum(axis=1)
    rejected = (counts <= np.array(bottom)) | (counts >= np.array(top))
    if not rejected.any(axis=1).all():
        raise ArithmeticError(f"paths of {p1} that do not reject {p0} in {looks[-1]} samples")
    return float(np.array(looks)[rejected.argmax(axis=1)].mean())


IN_BLOCKS = [
    (Fraction(p0), Fraction(p0) * (1 + Fraction(change)))
    for p0, changes in (
        ("1/2", ("-1/5", "-1/10", "1/10", "1/5")),
        ("1/10", ("-1/2", "-1/5", "1/5", "1/2")),
        ("1/100", ("-1/2", "1/2")),
    )
    for change in changes
]
"""Pairs for which Wald's bound exceeds a block of draws, and that the target of a smoke run separates."""


def through_the_pipeline(p0: Fraction, p1: Fraction, seeds: range) -> tuple[float, float]:
    """Mean samples of a run that refutes "P = p0" on events of probability p1: until the evidence of the
    grid excludes it, and with the confirming stream. Raises ArithmeticError if a run does not refute."""

    def event(rng: Any, ns: Any, size: int, n: int) -> Any:
        return rng.uniform((size,)) < ns.asarray(p1)

    build = about_n(event, [1], statistic=probability(), budget={"smoke": 10_000_000})
    claim = build(claim_id("efficiency", str(p0), str(p1)), sympy.Rational(p0) + 0 * N)
    decided, confirmed = [], []
    for seed in seeds:
        outcome = execute(claim, Settings("smoke", seed))
        judgement = outcome.judgement
        if judgement.verdict != "fail":
            raise ArithmeticError(f"{p1} against {p0}: {judgement.verdict}")
        decided.append(judgement.legs[0].samples)
        deciding = (Purpose.JUDGE, Purpose.CONFIRM)  # further blocks examine the sampling itself
        confirmed.append(sum(o.samples for o in outcome.observations if o.purpose in deciding))
    return float(np.mean(decided)), float(np.mean(confirmed))
