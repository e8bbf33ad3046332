"""The error probability of every sampled set of a claim, and the units that it is divided among.

Error budget (VERDICTS, 4): a random claim gets alpha/4096 of the run's alpha, whatever other claims
run; inside, one half goes to the points of the grid in equal parts (rivals' own points included, since
a rival wrongly called refuted is a false verdict too), an eighth to confirming (for a law in equal parts
to its sweep), a quarter to the simpler points tried after a fail, which are found adaptively: the k-th
gets 1/(k(k+1)) of it. The eighth that is kept for diagnosis is not touched: a diagnosis reads these sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from theorycheck.claims.model import PROFILES, Claim, Leg, rival_leg
from theorycheck.numbers.domain import Exact

SLOTS = 4096
"""Fixed number of claims that a run's alpha is divided among; a library may hold as many."""

GRID_SHARE, ADAPTIVE_SHARE, CONFIRM_SHARE = 0.5, 0.25, 0.125


@dataclass(frozen=True)
class Slots:
    """The error probability of each sampled set of a claim."""

    alpha: float
    units: int

    @property
    def point(self) -> float:
        return self.alpha / SLOTS * GRID_SHARE / max(1, self.units)

    def confirm(self, points: int) -> float:
        """Of each of the ``points`` that are observed again."""
        return self.alpha / SLOTS * CONFIRM_SHARE / points

    def adaptive(self, k: int) -> float:
        """Of the k-th point, k = 1, 2, ..., that was chosen after looking at others."""
        return self.alpha / SLOTS * ADAPTIVE_SHARE / (k * (k + 1))

    @property
    def spent(self) -> float:
        return self.alpha / SLOTS if self.units else 0.0


def slots(claim: Claim, profile: str, alpha: float) -> Slots:
    """Counts the sampled units of a claim under a profile: its legs' points and its rivals' own."""
    units = sum(len(claim.points(profile, lg)) for lg in claim.legs if lg.arithmetic == "samples")
    for rival in claim.rivals:
        lg = rival_leg(claim, rival)
        if lg.arithmetic == "samples" and own_data(rival.changes, rival.at):
            units += len(rival_points(claim, rival.name, profile))
    for h in claim.assumes:
        lg = claim.legs[0] if h.leg is None else claim.leg(h.leg)
        units += len(h.without) if lg.arithmetic == "samples" else 0
    return Slots(alpha, units)


def confirming_points(
    claim: Claim, leg: Leg, point: Mapping[str, Exact], profile: str
) -> list[dict[str, Exact]]:
    """Where a fail at ``point`` is observed again: a law is refuted by its sweep, not by one point."""
    return [dict(point)] if claim.relation_of(leg).pointwise else claim.points(profile, leg)


def own_data(changes: Mapping[str, Any], at: object) -> bool:
    """Whether a rival needs observations of its own (another program, data or other points)."""
    return at is not None or bool({"simulation", "reference", "instances"} & set(changes))


def rival_points(claim: Claim, name: str, profile: str) -> list[dict[str, Exact]]:
    """Points at which a rival is observed: its own, else the smoke points of its leg."""
    rival = next(r for r in claim.rivals if r.name == name)
    if rival.at is not None:
        return [dict(p) for p in rival.at]
    return claim.points(PROFILES[0], rival_leg(claim, rival))
