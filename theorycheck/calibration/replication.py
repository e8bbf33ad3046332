"""The whole pipeline, thousands of times, at levels that can be seen to be kept.

At the default alpha = 1e-6 nothing can be seen by running: N clean runs show 3/N. So the same pipeline
runs at a raised alpha, on claims about one sampled number, from a fresh seed each time. A run's alpha is
divided into 4096 slots and half of a slot goes to the grid (`theorycheck.judge`), so that with

    Settings(alpha = 4096 * level / (1/2))

the confidence sets of the claim's own points carry exactly ``level`` together: nothing else is changed.
What is counted:

- *excluded*: the grid's evidence refutes a truth, confirmed or not. At most ``level``, by Ville's
  inequality;
- *failed*: it does, and so does a fresh stream at the confirming share, a quarter of ``level`` here. At
  most the product of the two, by independence;
- *false pass*: a lie of at least the target resolution passes. At most ``level``.

Where the data are 0 or 1 the same probabilities are also summed exactly (`decisions`), independently of the
run: the observed numbers must lie around them on both sides, and so must the mean number of samples: that sees a
wrong level, a wrong stop or errors that are merely too rare as well.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import sympy
from scipy.stats import binomtest, norm

from theorycheck.calibration.cases import claim_id, outcome
from theorycheck.calibration.decisions import Verdicts, anytime, at_most, equality
from theorycheck.calibration.families.building import about_n
from theorycheck.claims.functions import Simulation
from theorycheck.claims.model import Claim
from theorycheck.claims.statistic import Statistic, mean, probability, quantile
from theorycheck.claims.variants import variant
from theorycheck.engine.execute import execute
from theorycheck.entries.parts import Cause
from theorycheck.numbers.domain import integers
from theorycheck.plan.budget import CONFIRM_SHARE, GRID_SHARE, SLOTS
from theorycheck.plan.keys import Purpose
from theorycheck.plan.settings import Settings
from theorycheck.plan.targets import TARGETS
from theorycheck.relations import bounds
from theorycheck.relations.base import Relation
from theorycheck.stats import bounded, checkpoints, sub_gaussian

LEVELS = (0.5, 0.2, 0.05)
RHO = TARGETS["smoke"].sampled
BLOCK = 256
"""Draws at a time: a few blocks decide, so that thousands of runs take minutes."""

RUNS, FEWER_RUNS = 2000, 1000
"""Of an experiment at a level on one seed: for those at all levels, and for the others."""

LIMIT, SHORT = 5_000, 1_200
"""Samples a point: enough to decide at these levels; and for claims that cannot be decided."""

DECIDING = (Purpose.JUDGE, Purpose.CONFIRM)
"""Whose samples are counted."""

CONFIDENCE = 0.999
"""Of the Clopper-Pearson intervals: one in a thousand, for some fifty rates that are looked at."""


@dataclass(frozen=True)
class Summed:
    """Probabilities of the whole pipeline at a level, mean and deviation of its number of samples,
    summed exactly."""

    excluded: float
    failed: float
    passed: float
    samples: float
    deviation: float


Sums = Callable[[float], Summed]


@dataclass(frozen=True)
class Experiment:
    """A claim with one sampled point whose truth is known. ``deviation``: of the lie, in units of the
    target resolution; 0 for a truth. ``exact``: where the probabilities can be summed.
    """

    name: str
    claim: Claim
    deviation: float
    exact: Sums | None = None


@dataclass(frozen=True)
class Rate:
    """An observed number of events among ``runs``, with its Clopper-Pearson interval.

    ``bound``: the probability that is proved, None where none is; ``exact``: the one that was summed.
    ``open``: further runs that ended before the event could be seen; the interval allows for them.
    """

    count: int
    runs: int
    bound: float | None = None
    exact: float | None = None
    open: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        low, high = (
            binomtest(count, self.runs).proportion_ci(CONFIDENCE, method="exact")
            for count in (self.count, self.count + self.open)
        )
        return float(low.low), float(high.high)

    @property
    def kept(self) -> bool:
        """The bound is not contradicted, nor the exact probability, on either side."""
        low, high = self.interval
        within = self.bound is None or low <= self.bound
        return within and (self.exact is None or low <= self.exact <= high)


@dataclass(frozen=True)
class Cell:
    """One experiment at one level. ``false_passes`` are those of a lie. ``errors``: runs in which no mean
    is left in the running intersection, a proof that one of their sets misses; they exclude the claim,
    and nothing is drawn to confirm it.
    """

    experiment: str
    level: float
    deviation: float
    excluded: Rate
    failed: Rate
    passed: Rate
    false_passes: Rate
    inconclusive: int
    errors: int
    samples: float
    noise: float
    exact_samples: float | None
    seconds: float

    @property
    def kept(self) -> bool:
        """No bound is contradicted, nor any exact number on either side: a mean number of samples by
        the normal approximation at the same confidence."""
        z = float(norm.isf((1 - CONFIDENCE) / 2))
        far = self.exact_samples is not None and (
            abs(self.samples - self.exact_samples) > z * self.noise + 1e-6 * self.samples
        )
        rates = (self.excluded, self.failed, self.passed, self.false_passes)
        return not far and all(r.kept for r in rates)


def pooled(cells: Sequence[Cell]) -> Cell:
    """One experiment at one level on several seeds, as one."""

    def together(rates: Sequence[Rate]) -> Rate:
        return replace(
            rates[0],
            count=sum(r.count for r in rates),
            runs=sum(r.runs for r in rates),
            open=sum(r.open for r in rates),
        )

    return replace(
        cells[0],
        excluded=together([c.excluded for c in cells]),
        failed=together([c.failed for c in cells]),
        passed=together([c.passed for c in cells]),
        false_passes=together([c.false_passes for c in cells]),
        inconclusive=sum(c.inconclusive for c in cells),
        errors=sum(c.errors for c in cells),
        samples=sum(c.samples for c in cells) / len(cells),
        noise=math.sqrt(sum(c.noise**2 for c in cells)) / len(cells),
        seconds=sum(c.seconds for c in cells) / len(cells),
    )


def raised_alpha(level: float) -> float:
    """The run's alpha at which the grid of one claim gets ``level``."""
    return SLOTS * level / GRID_SHARE


def confirming(level: float) -> float:
    """The level of the confirming stream beside it: the slots stand in a fixed proportion."""
    return level * CONFIRM_SHARE / GRID_SHARE


def looks(limit: int) -> list[int]:
    """The checkpoints of a stream with this budget: those within the first block that reaches it."""
    counts: list[int] = []
    end = 0
    for n in checkpoints():
        if n > end >= limit:
            break
        counts.append(n)
        end = -(-n // BLOCK) * BLOCK
    return counts


# ---------------------------------------------------------------- experiments

COIN = Fraction(9, 10)
"""Near 1, where a relative resolution of 5% takes some hundred samples and not many thousand."""


def _coin(rng: Any, ns: Any, size: int, n: int) -> Any:
    return rng.uniform((size,)) < ns.rational(COIN.numerator, COIN.denominator)


def _claim(
    name: str,
    simulation: Simulation,
    statistic: Statistic,
    form: Any,
    relation: Relation | None = None,
    limit: int = LIMIT,
) -> Claim:
    build = about_n(
        simulation,
        [1],
        relation,
        statistic=statistic,
        block=BLOCK,
        budget={"smoke": limit},
        domain=integers(1, 1),  # one point alone, which is what the sums are of
    )
    return build(claim_id("replication", name), sympy.sympify(form))


def _sums(verdicts: Callable[[float], Verdicts]) -> Sums:
    """Probabilities of the whole pipeline at a level: the confirming stream is independent."""
    known = cache(verdicts)

    def sums(level: float) -> Summed:
        first, again = known(level), known(confirming(level))
        samples = first.mean_n + first.failed * again.mean_n
        square = first.square_n + 2 * first.failed_n * again.mean_n + first.failed * again.square_n
        return Summed(
            excluded=first.failed,
            failed=first.failed * again.failed,
            passed=first.passed,
            samples=samples,
            deviation=math.sqrt(max(0.0, square - samples**2)),
        )

    return sums


def coin_equality(k: float, sign: int = 1) -> Experiment:
    """A coin of probability 9/10 against 9/10 / (1 + sign k rho)."""
    c = COIN / (1 + sign * Fraction(k) * Fraction(RHO).limit_denominator(1000))
    truth, target = float(COIN), float(c)
    name = "coin, equals" + ("" if not k else f", c {'below' if sign > 0 else 'above'}")
    return Experiment(
        name,
        _claim(name, _coin, probability(), c),
        k,
        _sums(
            lambda alpha: equality(truth, target, RHO * target, looks(LIMIT), anytime(alpha), BLOCK)
        ),
    )


def coin_unstopped() -> Experiment:
    """The true equality beside a rival so near that the target can never be met: sampling goes on to
    the budget, and spends as much of its level as it can."""
    name, c = "coin, equals, never sharp enough", float(COIN)
    near = variant("near", closed_form=sympy.Rational(COIN) * (1 + sympy.Rational(1, 10**9)))
    claim = _claim(name, _coin, probability(), COIN, limit=SHORT)
    return Experiment(
        name,
        replace(claim, rivals=(near,)),
        0.0,
        _sums(lambda alpha: equality(c, c, 1e-12, looks(SHORT), anytime(alpha), BLOCK)),
    )


def coin_border() -> Experiment:
    """P(failure) = 1/5 against delta = 1/5: true, and as near to false as can be."""

    def fails(rng: Any, ns: Any, size: int, n: int) -> Any:
        return rng.uniform((size,)) < ns.rational(1, 5)

    name, relation = "coin, holds_with_probability at the border", bounds.holds_with_probability()
    return Experiment(
        name,
        _claim(name, fails, probability(), Fraction(1, 5), relation, SHORT),
        0.0,
        _sums(lambda alpha: at_most(0.2, 0.2, looks(SHORT), anytime(alpha), BLOCK)),
    )


def others() -> Iterator[Experiment]:
    """Truths about means and a median, with no exact sums: bounds only."""

    def lifted(rng: Any, ns: Any, size: int, n: int) -> Any:
        return 1 + rng.uniform((size,))

    def shifted(rng: Any, ns: Any, size: int, n: int) -> Any:
        return 2 + rng.normal((size,)) / 2

    def largest(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.max(rng.uniform((size, 6)), axis=1)

    for name, simulation, statistic, value in (
        ("bounded mean, equals", lifted, mean(bounded(1, 2)), sympy.Rational(3, 2)),
        ("Gaussian mean, equals", shifted, mean(sub_gaussian(0.5)), sympy.Integer(2)),
        (
            "median, equals",
            largest,
            quantile(Fraction(1, 2)),
            sympy.Rational(1, 2) ** sympy.Rational(1, 6),
        ),
    ):
        yield Experiment(name, _claim(name, simulation, statistic, value), 0.0)


def experiments() -> list[tuple[Experiment, tuple[float, ...]]]:
    """With the levels at which each is run: beyond the coins at the one that shows most."""
    coins = [coin_equality(k) for k in (0.0, 1.0, 1.5, 3.0)]
    single = [coin_equality(1.0, -1), coin_unstopped(), coin_border(), *others()]
    return [*((e, LEVELS) for e in coins), *((e, LEVELS[:1]) for e in single)]


# ---------------------------------------------------------------- runs


def replicate(experiment: Experiment, level: float, runs: int, seed: int) -> Cell:
    """``runs`` executions of the whole pipeline on seeds of their own."""
    started = time.process_time()
    found: dict[str, int] = {}
    samples = np.zeros(runs)
    for i in range(runs):
        settings = Settings("smoke", seed * 10_000_019 + i, raised_alpha(level))
        done = execute(experiment.claim, settings)
        judgement = done.judgement
        kind = outcome(judgement, experiment.deviation * RHO)
        if judgement.cause is Cause.DISCORDANT:
            kind = "discordant"
        elif judgement.verdict == "fail":
            kind = "fail"
        found[kind] = found.get(kind, 0) + 1
        # What a fail's sampling is examined by decides nothing: it would only blur the mean.
        samples[i] = sum(o.samples for o in done.observations if o.purpose in DECIDING)
    failed, errors = found.get("fail", 0), found.get("error", 0)
    excluded = failed + found.get("discordant", 0) + errors
    wrong = found.get("false pass", 0)
    passed = found.get("right", 0) + found.get("unresolved lie", 0) + wrong
    truth = experiment.deviation == 0.0
    exact = None if experiment.exact is None else experiment.exact(level)
    return Cell(
        experiment=experiment.name,
        level=level,
        deviation=experiment.deviation,
        excluded=Rate(
            excluded, runs, level if truth else None, None if exact is None else exact.excluded
        ),
        failed=Rate(
            failed,
            runs,
            level * confirming(level) if truth else None,
            None if exact is None else exact.failed,
            errors,
        ),
        passed=Rate(
            passed, runs, None if truth else level, None if exact is None else exact.passed
        ),
        false_passes=Rate(wrong, runs, None if truth else level),
        inconclusive=found.get("inconclusive", 0),
        errors=errors,
        samples=float(samples.mean()),
        noise=float(samples.std(ddof=1) if exact is None else exact.deviation) / math.sqrt(runs),
        exact_samples=None if exact is None else exact.samples,
        seconds=(time.process_time() - started) / runs,
    )


def replicate_all(quick: bool, seed: int, say: Callable[[str], None]) -> list[Cell]:
    """Every experiment at its levels; ``quick``: a twentieth of the runs."""
    cells = []
    for experiment, levels in experiments():
        runs = RUNS if levels == LEVELS else FEWER_RUNS
        for level in levels:
            cells.append(replicate(experiment, level, runs // 20 if quick else runs, seed))
            say(f"{experiment.name}, deviation {experiment.deviation:g} rho, level {level:g}")
    return cells


__all__ = [
    "LEVELS",
    "Cell",
    "Experiment",
    "Rate",
    "experiments",
    "pooled",
    "replicate",
    "replicate_all",
]
