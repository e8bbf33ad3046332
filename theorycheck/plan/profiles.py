"""What a profile grants a leg: instances drawn, and samples at a point."""

from __future__ import annotations

from theorycheck.claims.model import PROFILES, Instances, Leg


def instance_count(spec: Instances, profile: str) -> int:
    """How many instances a profile draws: as the largest profile named that it reaches."""
    order = [p for p in PROFILES if p in spec.count]
    reachable = [p for p in order if _rank(p) <= _rank(profile)]
    return spec.count[(reachable or order[:1])[-1]]


def samples_limit(leg: Leg, profile: str, limit: int) -> int:
    """Largest number of samples at a point: the leg's own budget for the profile, else ``limit``."""
    if leg.budget is None:
        return limit
    fitting = [leg.budget[p] for p in PROFILES if p in leg.budget and _rank(p) <= _rank(profile)]
    return fitting[-1] if fitting else limit


def _rank(profile: str) -> int:
    return PROFILES.index(profile)
