"""Points that a wider declaration lets in."""

from __future__ import annotations

import itertools

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.numbers.domain import Domain, Exact

TRIES = 1024
"""Combinations that are tried: of two sizes, all pairs of the first 32."""


def let_in(wider: Claim, claim: Claim, leg: Leg) -> dict[str, Exact] | None:
    """A simple point of a leg that the wider claim admits and the claim does not; None where none of the first
    `TRIES` combinations is one."""
    given = claim.points(next(iter(claim.grid if leg.grid is None else leg.grid)), leg)[0]
    names = [n for n in wider.domain if n in given]
    free = [n for n in names if not wider.domain[n].needs]
    later = [n for n in names if wider.domain[n].needs]
    each = int(TRIES ** (1 / max(len(free), 1)))
    columns = [_simplest(wider.domain[n], each) for n in free]
    for values in itertools.product(*columns):
        point = dict(zip(free, values, strict=True))
        for name in later:
            first = next(iter(wider.domain[name].special(point)), None)
            if first is not None:
                point[name] = first.value
        if len(point) == len(names) and wider.admits(point, leg) and not claim.admits(point):
            return {n: point[n] for n in names}
    return None


def _simplest(domain: Domain, count: int) -> list[Exact]:
    """Special members of a domain, then others from the simplest on."""
    special = (m.value for m in domain.special({}))
    both = itertools.chain(
        itertools.islice(special, count), itertools.islice(domain.members(), count)
    )
    return list(dict.fromkeys(both))[:count]
