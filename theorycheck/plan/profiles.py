"""What a profile grants a leg: instances drawn, and samples at a point."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from theorycheck.claims.functions import PROFILES
from theorycheck.claims.instances import Instances
from theorycheck.claims.legs import Leg

T = TypeVar("T")


def instance_count(spec: Instances, profile: str) -> int:
    """How many instances a profile draws: as the largest profile named that it reaches."""
    order = [p for p in PROFILES if p in spec.count]
    reachable = [p for p in order if _rank(p) <= _rank(profile)]
    return spec.count[(reachable or order[:1])[-1]]


def samples_limit(leg: Leg, profile: str, limit: int) -> int:
    """Largest number of samples at a point: the leg's own budget for the profile, else ``limit``."""
    own = _granted(leg.budget, profile)
    return limit if own is None else own


def own_target(leg: Leg, profile: str) -> Fraction | str | None:
    """The leg's own target resolution for the profile, None where it has none."""
    return _granted(leg.target, profile)


def _granted(by_profile: Mapping[str, T] | None, profile: str) -> T | None:
    """What the largest profile named that is not beyond this one is granted."""
    named = by_profile or {}
    fitting = [named[p] for p in PROFILES if p in named and _rank(p) <= _rank(profile)]
    return fitting[-1] if fitting else None


def _rank(profile: str) -> int:
    return PROFILES.index(profile)
