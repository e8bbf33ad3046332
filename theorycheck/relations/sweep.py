r"""Sweeps: rows along one parameter, in logarithms, and what their slopes say.

For rows at sizes n_1 < ... < n_m let y_i = log(measured / closed form), known to an interval. The
slope over a stretch, s_ij = (y_j - y_i) / log(n_j / n_i), is known to the interval that subtraction
gives; the intervals hold simultaneously, no residuals are looked at, no error model is fitted. As all
of them hold at once, every stretch may be looked at, and the sweep again without its first sizes.

Finite-size model. That the quotient tends to a constant is no statement about finitely many sizes,
so a model says how fast it must: corrections fall at least as fast as n**(-1/4), are at the smallest
size no larger than the law itself, and the sweep has seen their full size. The slope of
log(1 + x) with x = (n/n_1)**(-1/4) is proportional to e(n) = x / (1 + x), so: |s(n)| <= K e(n) for every
n of the sweep, with a K that some stretch attains on average. The mean of e over [n_i, n_j] is

    w_{ij} = (\log(1 + x_i) - \log(1 + x_j)) / (\log(n_j / n_i) / 4),

so every stretch [i, j], in the middle as well as at the end, must obey |s_ij| <= w_ij |s_12| / w_12,
and a law is refuted only where the end of the sweep is steeper than w_ij times the largest
|s_kl| / w_kl of at least two stretches before. What remains beyond the last size, where y moves by at
most D over the last half of the sweep (the largest difference between any two of its sizes, at its
upper limit), is then at most D log(1 + x_m) / (log(1 + x_b) - log(1 + x_m)), b being where that half
begins.

Two allowances keep true laws from being refuted for what they do not say. A law in an integer n is not
told from the same law in n +- 2 (floors, off-by-one sizes): |y_j - y_i| may be larger by
2/n_i + 2/n_j. Corrections like 1 / log n, which every law with a logarithm may have (a harmonic number is
log n + 0.577), are slower than any power: slopes may be larger by 1 / (8 log n), an eighth of what
a whole factor log n would make.

Which sizes are meant. "As n goes to infinity" says nothing of small n, and corrections that are larger
than the law there make the model blunt at the end. So the model may hold from a later size on: from any
that leaves five sizes and at least half of the sweep. What lies before must then have been on its way to
it: no nearer to the last value than sizes after it (within the allowances), and either within the model
from n_1 on, or moving in one direction without getting steeper.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

from theorycheck.entries.parts import Cause
from theorycheck.numbers.domain import point_key
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations.base import Decision, Row

OMEGA = 0.25
"""Slowest correction that the finite-size model admits. Slower ones cannot be told from a change of
the exponent at sizes that a simulation reaches: n**(-0.1) takes 10 decades to fall to a tenth."""

SHIFT = 2
"""Largest shift of an integer size that the model does not tell apart."""

LOG_SHARE = 0.125
"""Share of a factor log n that counts as a correction of a law rather than as another law. For log n + c
the share is c / log n: below an eighth for harmonic numbers from n = 100 on."""

POWERS = np.linspace(-1.0, 1.0, 801)
"""Changes of the power that are tried for the joint set and the resolution, in steps of 1/400."""

FEWEST = 5
"""Sizes that a sweep needs: two stretches to see the corrections, two to see them fall."""

NODES = 32
"""A sweep is looked at in at most so many stretches where the size of the corrections is read off: over
shorter ones the slope is lost in the width of the intervals. Differences are taken between all sizes."""

ALL_PAIRS = 256
"""Up to so many sizes every pair is compared; of longer sweeps those 1, 2, 4, ... apart."""

MODEL = (
    "corrections fall at least as fast as n**(-1/4), are no larger than the law at the smallest "
    "size, and the sweep has seen their full size"
)

ROUNDING = 1e-13
"""Of a logarithm: computed as a ball, rounded to a double, |log| < 700 (an ulp of 700 is 1.1e-13)."""

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


class SweepError(ValueError):
    """Rows that are no sweep. The text is a reason for an inconclusive verdict, of this cause."""

    def __init__(self, reason: str, cause: Cause | None = None) -> None:
        super().__init__(reason)
        self.cause = cause

    @property
    def decision(self) -> Decision:
        """The verdict on such rows."""
        return Decision("inconclusive", str(self), "more sizes, or more samples", cause=self.cause)


class Pairs(NamedTuple):
    """Sizes i < j (k,), how far y surely rises (or falls) from i to j, and the allowance for it."""

    i: Indices
    j: Indices
    rise: Floats
    fall: Floats
    slack: Floats


@dataclass(frozen=True)
class Track:
    """A quantity that settles along a sweep.

    ``size``, ``low``, ``high`` (m,): log n and the ends of y; ``rows`` their indices, ``names`` the
    sizes as texts; ``at``: the values of the other parameters, for messages.
    """

    size: Floats
    low: Floats
    high: Floats
    rows: tuple[int, ...]
    names: tuple[str, ...]
    at: str

    def ahead(self, start: int = 0) -> Floats:
        """(m,): what the model lets come after each size, up to a factor, if it holds from ``start``."""
        return np.asarray(np.exp(-OMEGA * (self.size - self.size[start])))

    def slack(self, i: Any, j: Any) -> Floats:
        """How much farther y may move from i to j than the model says, for indices (k,)."""
        raise NotImplementedError

    @property
    def seen(self) -> int:
        """Stretches from the first size on that must show the corrections in full."""
        return 1

    @property
    def last(self) -> int:
        return len(self.size) - 1

    @cached_property
    def nodes(self) -> Indices:
        """Indices of sizes at least a NODES-th of the sweep apart, from the last one back."""
        gap = float(self.size[-1] - self.size[0]) / NODES - ROUNDING
        chosen = [self.last]
        for i in range(self.last - 1, -1, -1):
            if self.size[chosen[-1]] - self.size[i] >= gap:
                chosen.append(i)
        return np.array(chosen[::-1])

    @cached_property
    def pairs(self) -> Pairs:
        count = len(self.size)
        if count <= ALL_PAIRS:
            i, j = np.triu_indices(count, 1)
        else:
            apart = [2**p for p in range(count.bit_length()) if 2**p < count]
            i = np.concatenate([np.arange(count - d) for d in apart])
            j = np.concatenate([np.arange(d, count) for d in apart])
        rise, fall = self.low[j] - self.high[i], self.low[i] - self.high[j]
        return Pairs(i, j, rise, fall, self.slack(i, j))

    def half(self, start: int = 0) -> int:
        """Index at which the last half of the sweep from ``start`` on begins (in log n)."""
        middle = float(self.size[start] + self.size[-1]) / 2
        begin = int(np.searchsorted(self.size, middle + ROUNDING, side="right")) - 1
        return min(max(begin, start), self.last - 1)

    def quarter(self, start: int = 0) -> int:
        half = self.half(start)
        return max(half, (half + self.last) // 2)

    def starts(self) -> Iterator[int]:
        """Sizes from which on the model may hold, the first size first."""
        nodes = {int(k) for k in self.nodes}
        for k in range(len(self.size) - FEWEST + 1):
            if k and k not in nodes:
                continue
            if self.size[-1] - self.size[k] >= (self.size[-1] - self.size[0]) / 2 - ROUNDING:
                yield k

    def moved(self, begin: int) -> float:
        """Largest difference between two sizes from ``begin`` on, at its upper limit."""
        return float(self.high[begin:].max() - self.low[begin:].min())

    def remaining(self, start: int = 0) -> float:
        """Upper limit of |y| still to come beyond the last size, if the model holds from ``start``."""
        begin, ahead = self.half(start), self.ahead(start)
        return self.moved(begin) * float(ahead[-1] / (ahead[begin] - ahead[-1]))


@dataclass(frozen=True)
class Sweep(Track):
    """The logarithm of measured / law. ``whole``: the sizes are integers."""

    whole: bool

    def ahead(self, start: int = 0) -> Floats:
        return np.asarray(np.log1p(super().ahead(start)))

    def slack(self, i: Any, j: Any) -> Floats:
        a, b = np.exp(self.size[i]), np.exp(self.size[j])
        rounding = SHIFT * (1 / a + 1 / b) if self.whole else 0.0
        # log(n + e) instead of log n: meant for large n, and finite for all
        logs = LOG_SHARE * np.log(np.log(b + math.e) / np.log(a + math.e))
        return np.asarray(rounding + logs)

    def slope(self, i: int, j: int) -> tuple[float, float]:
        """Interval of the slope over the stretch from i to j > i."""
        h = float(self.size[j] - self.size[i])
        return float(self.low[j] - self.high[i]) / h, float(self.high[j] - self.low[i]) / h

    def constants(self) -> tuple[float, float]:
        """The implied constant over the sweep: smallest lower and largest upper end."""
        return _exp(float(self.low.min())), _exp(float(self.high.max()))

    def shorter(self) -> Sweep:
        """The sweep without its last size."""
        return replace(
            self,
            size=self.size[:-1],
            low=self.low[:-1],
            high=self.high[:-1],
            rows=self.rows[:-1],
            names=self.names[:-1],
        )

    def records(self, direction: int) -> Sweep:
        """The largest quotient so far (``direction`` 1), or the smallest (-1), along the sweep."""
        most = np.maximum.accumulate if direction > 0 else np.minimum.accumulate
        return replace(self, low=most(self.low), high=most(self.high))


def _exp(value: float) -> float:
    return math.exp(min(value, 700.0))


# ---------------------------------------------------------------- from rows


def sweeps(rows: Sequence[Row], name: str, to: str = "oo") -> list[Sweep]:
    """One sweep for every choice of the other parameters, instance and component.

    ``to``: where the parameter goes, ``oo`` or ``0`` (sizes are then 1/value). Raises SweepError.
    """
    groups: dict[Any, dict[int, Fraction]] = {}
    for index, row in enumerate(rows):
        value = row.point.get(name)
        if not isinstance(value, int | Fraction) or value <= 0:
            reason = f"vacuous: {name} is no positive number at {point_key(row.point)}"
            raise SweepError(reason, Cause.VACUOUS)
        others = {k: v for k, v in row.point.items() if k != name}
        of = groups.setdefault((point_key(others), row.instance, row.component), {})
        of[index] = Fraction(value) if to == "oo" else 1 / Fraction(value)
    return [_sweep(rows, sizes, name, key[0]) for key, sizes in groups.items()]


def _sweep(rows: Sequence[Row], sizes: Mapping[int, Fraction], name: str, at: str) -> Sweep:
    order = sorted(sizes, key=lambda i: sizes[i])
    if len(set(sizes.values())) < len(order):
        raise SweepError(f"vacuous: several rows for one value of {name}", Cause.VACUOUS)
    if len(order) < FEWEST:
        place = f" at {at}" if at else ""
        raise SweepError(f"sizes: {len(order)} of {name}{place}, at least {FEWEST} are needed")
    quotients = [_quotient(rows[i]) for i in order]
    with ctx.workprec(200):
        logs = [float((arb(sizes[i].numerator) / sizes[i].denominator).log()) for i in order]
        low = [_rounded(q.lo, -1) for q in quotients]
        high = [_rounded(q.hi, 1) for q in quotients]
    return Sweep(
        np.array(logs),
        np.array(low),
        np.array(high),
        tuple(order),
        tuple(f"{name}={rows[i].point[name]}" for i in order),
        at,
        all(s.denominator == 1 for s in sizes.values()),
    )


def _rounded(value: Any, direction: int) -> float:
    log = float(arb(value).log())
    return log + direction * ROUNDING * (1 + abs(log))


def _quotient(row: Row) -> Enclosure:
    """measured / closed form, which must be seen to be positive."""
    m, e = row.measured, row.target
    if e.contains(0):
        raise SweepError(f"ball: the law may vanish at {point_key(row.point)}")
    ends = [a / b for a in (m.lo, m.hi) for b in (e.lo, e.hi)]
    low, high = min(ends), max(ends)
    if low <= 0:
        seen = "has the other sign than the law" if high < 0 else "is not seen to be apart from 0"
        cause = Cause.BUDGET if row.samples else None
        word = f"{cause}: " if cause else ""
        raise SweepError(f"{word}the quantity {seen} at {point_key(row.point)}", cause)
    return Enclosure(low, high)


# ---------------------------------------------------------------- consistency at the end


def refuted_powers(
    sweep: Sweep, powers: Floats, tilt: Floats | None = None, start: int = 0
) -> npt.NDArray[np.bool_]:
    """For each a of ``powers`` (k,): whether law * n**a * exp(tilt) is refuted from ``start`` on, (k,).

    Refuted: some stretch at the end is surely steeper than the model admits after what the earlier
    stretches show. ``tilt`` (m,): of log law, 0 where None.
    """
    nodes = _nodes(sweep, start)
    refuted = np.zeros(len(powers), dtype=bool)
    for b in nodes[2:-1]:
        refuted |= steeper(sweep, int(b), sweep.last, powers, tilt, start)
    return refuted


def steeper(
    sweep: Sweep,
    b: int,
    j: int,
    powers: Floats | None = None,
    tilt: Floats | None = None,
    start: int = 0,
) -> npt.NDArray[np.bool_]:
    """Whether the stretch from b to j is surely steeper, under the law * n**a * exp(tilt), than the
    model admits after the stretches before b; False where there are fewer than two, (k,)."""
    powers = np.zeros(1) if powers is None else powers
    nodes = _nodes(sweep, start)
    before = nodes[nodes <= b]
    if len(before) < 3:
        return np.zeros(len(powers), dtype=bool)
    ahead = sweep.ahead(start)
    low, high = _differences(sweep, before[:-1], before[1:], powers, tilt)
    size = np.maximum(np.abs(low), np.abs(high)) / (ahead[before[:-1]] - ahead[before[1:]])[:, None]
    low, high = _differences(sweep, np.array([b]), np.array([j]), powers, tilt)
    least = np.maximum(np.maximum(low[0], -high[0]), 0.0)
    allowed = size.max(axis=0) * (ahead[b] - ahead[j]) + float(sweep.slack(b, j))
    found: npt.NDArray[np.bool_] = least > allowed
    return found


def _nodes(track: Track, start: int) -> Indices:
    later: Indices = track.nodes[track.nodes > start]
    return np.concatenate([[start], later]).astype(np.intp)


def _differences(
    sweep: Sweep, i: Indices, j: Indices, powers: Floats, tilt: Floats | None
) -> tuple[Floats, Floats]:
    """Ends of y_j - y_i under the changed law, (pairs, powers)."""
    turn = np.zeros(len(i)) if tilt is None else tilt[j] - tilt[i]
    change = turn[:, None] + (sweep.size[j] - sweep.size[i])[:, None] * powers[None, :]
    low, high = sweep.low[j] - sweep.high[i], sweep.high[j] - sweep.low[i]
    return low[:, None] - change, high[:, None] - change


def powers_left(sweep: Sweep, tilt: Floats | None = None, start: int = 0) -> Floats:
    """The changes a of the power, among those scanned, that the rows do not refute (see above)."""
    left: Floats = POWERS[~refuted_powers(sweep, POWERS, tilt, start)]
    return left


def reach(left: Floats) -> float:
    """Largest change of the power among those left; infinite where the scan's end is among them."""
    if not len(left):
        return 0.0
    largest = float(np.max(np.abs(left)))
    return math.inf if largest >= float(POWERS[-1]) else largest


# ---------------------------------------------------------------- consistency everywhere


def unsteady(track: Track, start: int = 0) -> tuple[int, int] | None:
    """Two sizes between which y surely moves as nothing that settles does, None where there are none.

    From ``start`` on that is what the model excludes, in the middle as at the end; before it, see the
    module's docstring ("which sizes are meant").
    """
    found = _beyond_model(track, start)
    if start and not found:
        bend = int(_nodes(track, start)[track.seen])  # what shows the corrections from `start` on
        found = [
            (i, j) for i, j in _beyond_model(track, 0) if i < bend and not _on_its_way(track, i, j)
        ]
    if not found:
        away = _recedes(track)
        return None if away is None else (away, track.last)
    moved = [abs(float(track.low[j] - track.low[i])) for i, j in found]
    most = 0.9 * max(moved)  # of those that move about as far, the shortest stretch
    shown = [p for p, far in zip(found, moved, strict=True) if far >= most]
    return min(shown, key=lambda p: float(track.size[p[1]] - track.size[p[0]]))


def _recedes(track: Track) -> int | None:
    """A size that surely is farther from the last value than every size before it."""
    farthest = np.maximum(track.high - track.low[-1], track.high[-1] - track.low)
    nearest = np.maximum(track.low - track.high[-1], track.low[-1] - track.high)
    index = np.arange(1, track.last)
    allowed = np.maximum.accumulate(farthest)[index - 1] + track.slack(index, track.last)
    broken = index[nearest[index] > allowed]
    return int(broken[0]) if len(broken) else None


def excess(track: Track, start: int = 0) -> Floats:
    """How much farther y surely moves between the two sizes of each of `Track.pairs` than the model
    admits from ``start`` on, without allowance; -inf for pairs that begin before the corrections are
    seen, in the first `Track.seen` stretches from ``start`` on."""
    nodes = _nodes(track, start)[: track.seen + 1]
    a, b = nodes[:-1], nodes[1:]
    ahead, pairs = track.ahead(start), track.pairs
    moved = np.maximum(track.high[b] - track.low[a], track.high[a] - track.low[b])
    largest = float(np.max(moved / (ahead[a] - ahead[b])))
    over = np.maximum(pairs.rise, pairs.fall) - largest * (ahead[pairs.i] - ahead[pairs.j])
    return np.where(pairs.i >= nodes[-1], over, -np.inf)


def _beyond_model(track: Track, start: int) -> list[tuple[int, int]]:
    """Pairs of sizes between which y surely moves more than the model admits from ``start`` on."""
    pairs = track.pairs
    broken = excess(track, start) > pairs.slack
    return [(int(i), int(j)) for i, j in zip(pairs.i[broken], pairs.j[broken], strict=True)]


def _on_its_way(track: Track, i: int, j: int) -> bool:
    """Whether y moves up to j in one direction only, and from i to j no more steeply than before i."""
    pairs = track.pairs
    up = track.low[j] - track.high[i] > 0
    against = pairs.fall if up else pairs.rise
    if bool(np.any((against > pairs.slack) & (pairs.j <= j))):
        return False
    nodes = track.nodes[track.nodes <= i]
    a, b = nodes[:-1], nodes[1:]
    moved = np.maximum(track.high[b] - track.low[a], track.high[a] - track.low[b])
    steepest = float(np.max(moved / (track.size[b] - track.size[a])))
    surely = max(track.low[j] - track.high[i], track.low[i] - track.high[j])
    return bool(surely <= steepest * (track.size[j] - track.size[i]) + track.slack(i, j))


def oscillates(sweep: Sweep) -> bool:
    """Whether the last half surely rises and surely falls: the model then has nothing to say."""
    pairs = sweep.pairs
    late = pairs.i >= sweep.half()
    rises, falls = pairs.rise > pairs.slack, pairs.fall > pairs.slack
    return bool(np.any(late & rises) and np.any(late & falls))


# ---------------------------------------------------------------- crossovers

FALLEN = 1 / 8
"""Share of its slope that a sweep has lost at the end where it may be inside a crossover."""

SURELY_FALLEN = 1 / 32
"""The same, where the intervals leave no doubt that the slope falls, and ever faster."""


def crossover(sweep: Sweep) -> tuple[float, float] | None:
    """The slopes over the first two thirds and the last, if the sweep may end inside a crossover.

    A quotient like 1 / (1 + n_0/n), whose corrections are larger than the law up to some n_0, has the
    slope K x / (1 + x) with x = (n/n_0)**(-omega): nearly constant before n_0, log-concave throughout.
    So three slopes along the sweep must fall, and be log-concave, for it to end before or near n_0.
    The slope 1 / log n of a factor log n is log-convex, that of another power constant.
    """
    span = float(sweep.size[-1] - sweep.size[0])
    ends = [0]
    for share in (1 / 3, 2 / 3):
        nearest = int(np.argmin(np.abs(sweep.size - (sweep.size[0] + share * span))))
        ends.append(min(max(nearest, ends[-1] + 1), sweep.last - 1))
    ends.append(sweep.last)
    slopes = [sweep.slope(i, j) for i, j in pairwise(ends)]
    if all(high < 0 for _, high in slopes):
        slopes = [(-high, -low) for low, high in slopes]
    if any(low <= 0 for low, _ in slopes):
        return None
    place = [float(sweep.size[i] + sweep.size[j]) / 2 for i, j in pairwise(ends)]
    t = (place[1] - place[0]) / (place[2] - place[0])

    def falling(side: int, share: float) -> bool:
        first, middle, end = slopes[0][side], slopes[1][1 - side], slopes[2][side]
        straight = (1 - t) * math.log(first) + t * math.log(end)
        top = max(slopes[0][1 - side], middle) if side == 0 else min(slopes[0][0], middle)
        return end <= (1 - share) * top and straight <= math.log(middle)

    if falling(0, FALLEN) or falling(1, SURELY_FALLEN):
        return (max(high for _, high in slopes[:2]), slopes[2][0])
    return None


__all__ = [
    "FEWEST",
    "LOG_SHARE",
    "MODEL",
    "OMEGA",
    "POWERS",
    "Sweep",
    "SweepError",
    "Track",
    "crossover",
    "excess",
    "oscillates",
    "powers_left",
    "reach",
    "refuted_powers",
    "steeper",
    "sweeps",
    "unsteady",
]
