"""What a run fixes for every claim."""

from __future__ import annotations

from dataclasses import dataclass

from theorycheck.entries.report import RunHead

SPREAD = 4
"""Standard deviations over means up to which a sampled mean is seen to its target: 3.3 has the fourth
power of a Gaussian, 3 the arc-cosine kernel at a right angle, 4 an event of probability 1/17."""

POINTS = 16
"""Sampled points of a claim for which that holds, under the default alpha."""


@dataclass(frozen=True)
class Look:
    """How sharply a profile looks at what is sampled: its target resolution, and the largest number of
    samples at a point unless the leg says otherwise."""

    target: float
    samples: int


LOOKS = {
    "smoke": Look(5e-2, 481_483),
    "standard": Look(1e-2, 10_947_645),
    "deep": Look(2e-3, 248_920_612),
    "paper": Look(2e-3, 248_920_612),
}
"""One table, so that what is asked for can be had: the samples are
``stats.samples_needed(variance_at_most(SPREAD**2), 1e-6 / 4096 / 2 / POINTS, target)``, the first
checkpoint at which a mean with that spread, declared, is known to ``target`` of its size. It serves all
statistics alike: an event of probability p spreads by sqrt((1 - p)/p), at p = 1/4 by 1.7, which takes a
sixth of it; a bound, a probability of failure and a law are decided by sets that are no sharper. What is
less spread stops earlier: the numbers limit, they are no cost. A claim that needs more says so with
``budget=`` of its leg, or asks for less with ``target=``."""


@dataclass(frozen=True)
class Settings:
    """Profile, seed of all draws, error probability of the whole run in (0, 1), and device (``cpu``,
    ``gpu`` or ``auto``)."""

    profile: str = "standard"
    seed: int = 0
    alpha: float = 1e-6
    device: str = "cpu"

    @classmethod
    def of_run(cls, run: RunHead, alpha: float | None = None) -> Settings:
        """Those that a run was made with, read off its report's head; ``alpha`` replaces its error
        budget."""
        return cls(
            run.profile,
            run.seed,
            run.alpha if alpha is None else alpha,
            run.device,
        )
