"""The error probability of every sampled set of a claim.

Error budget (VERDICTS, 4): a random claim gets alpha/4096 of the run's alpha, whatever other claims
run; inside, one half goes to the points of the grid in equal parts (rivals' own points included, since
a rival wrongly called refuted is a false verdict too), an eighth to confirming (for a law in equal parts
to its sweep), an eighth to what the engine chooses: half of it in equal parts to the points of the
attack, half to the simpler points tried after a fail, of which the k-th gets 1/(k(k+1)). The eighth
that is kept for diagnosis is not touched: a diagnosis reads these sets. The last eighth is for tests of
what the sets take for granted: each set's tests get an eighth of the set's own level, (1/2 + 1/8 +
1/8)/8 in all, and what is left of it, 1/32, goes to the stream that a fail's sampling is examined by.
"""

from __future__ import annotations

from dataclasses import dataclass

SLOTS = 4096
"""Fixed number of claims that a run's alpha is divided among; a library may hold as many."""

GRID_SHARE, ADAPTIVE_SHARE, CONFIRM_SHARE = 0.5, 0.125, 0.125

ASSUMPTIONS_SHARE = 0.125
"""Of a set's level, for the tests of its assumptions."""


@dataclass(frozen=True)
class ErrorBudget:
    """Error probabilities inside a claim. ``alpha``: of the run; ``units``: sampled units of the grid;
    ``attacks``: sampled points of the attack."""

    alpha: float
    units: int
    attacks: int = 0

    @property
    def point(self) -> float:
        """Of each unit of the grid."""
        return self.alpha / SLOTS * GRID_SHARE / max(1, self.units)

    def confirm(self, points: int) -> float:
        """Of each of the ``points`` that are observed again."""
        return self.alpha / SLOTS * CONFIRM_SHARE / points

    def adaptive(self, k: int) -> float:
        """Of the k-th point, k = 1, 2, ..., that was chosen after looking at others."""
        return self.alpha / SLOTS * ADAPTIVE_SHARE / 2 / (k * (k + 1))

    @property
    def attack(self) -> float:
        """Of each point of the attack."""
        return self.alpha / SLOTS * ADAPTIVE_SHARE / 2 / max(1, self.attacks)

    @property
    def examining(self) -> float:
        """Level at which a stream is examined that makes no set: its tests have an eighth of this."""
        return self.alpha / SLOTS / 4

    @staticmethod
    def assumptions(level: float) -> float:
        """Of the tests of what a set at ``level`` takes for granted, together."""
        return level * ASSUMPTIONS_SHARE

    @property
    def spent(self) -> float:
        """By the whole claim: nothing where nothing is sampled."""
        return self.alpha / SLOTS if self.units else 0.0
