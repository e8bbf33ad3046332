"""What a run fixes for every claim."""

from __future__ import annotations

from dataclasses import dataclass

from theorycheck.entries.report import RunHead

SAMPLES_LIMIT = {"smoke": 60_000, "standard": 1_500_000, "deep": 30_000_000, "paper": 30_000_000}
"""Largest number of samples at a point unless the leg says otherwise. A mean of a fair coin is seen to
the profile's target resolution, at the level that a point has (about 1e-11), after about half of it."""


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
