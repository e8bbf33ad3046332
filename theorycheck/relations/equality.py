"""``equals``: what is measured equals the closed form at every point.

Rule. With C_j the confidence set (or enclosure) at point j and c_j the ball of the closed form:

- *fail* if some C_j and c_j are disjoint: on the event that every C_j covers, no true claim fails;
- *pass* if every C_j lies within c_j +- rho* s_j, where s_j = |c_j| (or the declared unit) and rho*
  is the target resolution of the rung: a deviation of more than rho* s_j anywhere would contradict
  coverage. Equal exact values, and values proved to be the same algebraic number, lie within 0;
- otherwise *inconclusive*: the look was not as sharp as asked for.

Resolution. At point j the closed form c_j + r s_j is not refuted exactly for r in
[(C_j.lo - c_j) / s_j, (C_j.hi - c_j) / s_j]. The farthest end of any of these intervals from 0 is the
resolution: the largest r for which some point's value may be off by r s_j without the rows showing it.
Two overlapping balls of radius r therefore give resolution about r, never 0, and one blunt point is
not made up for by sharp ones: it is 0 only where every point is equal.

A change of all points alike, c (1 + r), is refuted as soon as one point does it: what survives is the
intersection of the intervals. Its farthest end is reported beside, as the *uniform factor*. A point with
c_j = 0 says nothing of it, however exactly it was met.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from theorycheck.entries.parts import Cause, Resolution
from theorycheck.relations.base import (
    Decision,
    Relation,
    Row,
    TargetResolutions,
    as_float,
    kind_of_resolution,
    undefined,
    vanishes,
)


def deviation(row: Row) -> tuple[fmpq, fmpq]:
    """Interval of (measured - expected) / scale that the row allows; (0, 0) where proved equal."""
    if row.equal:
        return fmpq(0), fmpq(0)
    low = (row.measured.lo - row.target.hi) / row.scale
    high = (row.measured.hi - row.target.lo) / row.scale
    return low, high


def worst_violation(rows: Sequence[Row]) -> int | None:
    """Index of the row whose sets are farthest apart, None where all of them meet."""
    worst, index = fmpq(0), None
    for i, row in enumerate(rows):
        low, high = deviation(row)
        gap = low if low > 0 else -high
        if gap > worst:
            worst, index = gap, i
    return index


def uniform_factor(rows: Sequence[Row]) -> float:
    """Farthest r from 0 for which c (1 + r), at all points alike, survives every row.

    Near c = 0 that is the same for every r: such rows say nothing of r, unless a unit is declared. Where
    there are no others, it is the farthest shift of c that survives, in the unit of the quantity.
    """
    speaking = [row for row in rows if not vanishes(row)]
    ends = [deviation(row) for row in speaking or rows]
    if not ends:
        return 0.0
    low, high = max(low for low, _ in ends), min(high for _, high in ends)
    return max(abs(as_float(low)), abs(as_float(high)))


@dataclass(frozen=True)
class Equals:
    """See the module's docstring."""

    name: str = "equals"
    one_sided: bool = False
    pointwise: bool = True
    attains: bool = False
    strict: bool = False
    sign: int = 0

    def text(self, left: str, right: str) -> str:
        return f"{left} = {right}"

    def on_side(self, side: str) -> Relation:
        return self

    def decide(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        broken = worst_violation(rows)
        if broken is not None:
            return Decision("fail", "the two sides are apart", decisive=broken)
        blunt, bluntest = fmpq(0), 0
        too_wide = None
        for i, row in enumerate(rows):
            low, high = deviation(row)
            reach = max(abs(low), abs(high))
            if reach > blunt:
                blunt, bluntest = reach, i
            if as_float(reach) > targets.of(row.rung) and too_wide is None:
                too_wide = i
        kind = kind_of_resolution(rows)
        resolution = Resolution(kind=kind, value=as_float(blunt))
        uniform = Resolution(kind=kind, value=uniform_factor(rows))
        if too_wide is not None:
            row = rows[too_wide]
            return Decision(
                "inconclusive",
                ("budget" if row.samples else "ball")
                + f": seen to {as_float(blunt):.2g}, asked for {targets.of(row.rung):.2g}",
                "more samples" if row.samples else "higher precision",
                decisive=bluntest,
                resolution=resolution,
                uniform_factor=uniform,
                cause=Cause.BUDGET if row.samples else None,
            )
        return Decision("pass", decisive=bluntest, resolution=resolution, uniform_factor=uniform)

    def rival_falls(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        return self.decide(rows, targets)


def equals() -> Relation:
    """The measured quantity equals the closed form (or the reference) at every point."""
    return Equals()


@dataclass(frozen=True)
class Counts:
    """``counts``: an integer obtained by counting equals the closed form, exactly.

    Rule: every measured value must be an exact integer (a float that happens to be near one is no
    count: *fail* is not called on it, the claim is in error); equality as in ``equals``.
    """

    name: str = "counts"
    one_sided: bool = False
    pointwise: bool = True
    attains: bool = False
    strict: bool = False
    sign: int = 0

    def text(self, left: str, right: str) -> str:
        return f"{left} = {right} (counted)"

    def on_side(self, side: str) -> Relation:
        return self

    def decide(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        for i, row in enumerate(rows):
            if not (row.measured.exact and row.measured.lo.q == 1):
                return Decision(
                    "inconclusive",
                    "no certificate: a count must be an exact integer",
                    "an exact simulation",
                    decisive=i,
                )
        return Equals().decide(rows, targets)

    def rival_falls(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        return self.decide(rows, targets)


def counts() -> Relation:
    """A number obtained by counting equals the closed form, as integers."""
    return Counts()
