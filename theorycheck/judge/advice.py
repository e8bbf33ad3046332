"""What would decide a sampled leg that its samples did not: the numbers to write."""

from __future__ import annotations

import math
from collections.abc import Sequence

from theorycheck.claims.legs import Leg
from theorycheck.entries.parts import Cause
from theorycheck.numbers.domain import point_key
from theorycheck.relations.base import Decision, Relation, Row, TargetResolutions, as_float
from theorycheck.relations.bounds import Bound

MARGIN = 1.25
"""Stops are a quarter apart: so many times the samples that would just do."""

NEVER = 10**12
"""Samples beyond which a larger budget is no advice."""


def advice(
    leg: Leg,
    relation: Relation,
    decision: Decision,
    rows: Sequence[Row],
    targets: TargetResolutions,
    profile: str,
) -> str:
    """What to write where the budget of samples ended the look; "" where that is not the reason."""
    place = decision.decisive
    if not leg.arithmetic.sampled or place is None or decision.cause is not Cause.BUDGET:
        return ""
    row = rows[place]
    if not row.defined or not row.samples:
        return ""
    needed, reach = samples_that_would_do(row, relation, targets), _reach(row, relation)
    parts = []
    if needed is not None:
        at = f" at {point_key(row.point)}" if row.point else ""
        parts.append(
            f"about {_round(needed):,} samples{at}: budget={{{profile!r}: {_round(needed):_}}}"
        )
    if 0 < reach < 1 and getattr(relation, "touching", True):
        parts.append(f"target={_above(reach):g}, which is what was reached")
    return "; or ".join(parts)


def samples_that_would_do(row: Row, relation: Relation, targets: TargetResolutions) -> int | None:
    """Samples after which a set as wide as this one shrinks to what is asked for, about where it is; None
    where no number would do. Sets shrink like one over the square root."""
    half = as_float((row.measured.hi - row.measured.lo) / (2 * row.scale))
    off = as_float((row.measured.mid - row.target.mid) / row.scale)
    if isinstance(relation, Bound):
        allowed = targets.of(row.rung) if relation.touching else 0.0
        room = allowed - relation.sign * off
    else:
        asked = targets.of(row.rung)
        room = asked - abs(off)
        if room <= 0:  # a wide set near the end of a range is not centred on what it holds
            half, room = _reach(row, relation), asked
    if not (room > 0 and math.isfinite(half)):
        return None
    needed = MARGIN * row.samples * (half / room) ** 2
    return math.ceil(needed) if row.samples < needed <= NEVER else None


def _reach(row: Row, relation: Relation) -> float:
    """Largest deviation that the row leaves open; of a bound, by which it may be passed."""
    low = as_float((row.measured.lo - row.target.hi) / row.scale)
    high = as_float((row.measured.hi - row.target.lo) / row.scale)
    if isinstance(relation, Bound):
        return high if relation.sign > 0 else -low
    return max(abs(low), abs(high))


def _round(count: int) -> int:
    """Up to two digits."""
    step = 10 ** max(0, len(str(count)) - 2)
    return int(math.ceil(count / step) * step)


def _above(value: float) -> float:
    """The next number of two digits: what is written is met."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(math.ceil(value / step * (1 - 1e-12)) * step, 12)
