"""Sweeps: rows along one parameter, in logarithms, and what their slopes say.

For rows at sizes n_1 < ... < n_m let y_i = log(measured / closed form), known to an interval. The
slope over a stretch, s_ij = (y_j - y_i) / log(n_j / n_i), is known to the interval that subtraction
gives; the intervals hold simultaneously, no residuals are looked at, no error model is fitted.

Finite-size model. That the quotient tends to a constant is no statement about finitely many sizes,
so a model says how fast it must: corrections fall at least as fast as n**(-1/4), are at the smallest
size no larger than the law itself, and the sweep has seen their full size. The slope of
log(1 + x) with x = (n/n_1)**(-1/4) is proportional to e(n) = x / (1 + x), so: |s(n)| <= K e(n) for every
n of the sweep, with a K that some stretch attains on average. The mean of e over [n_i, n_j] is

    w_ij = (log(1 + x_i) - log(1 + x_j)) / (log(n_j / n_i) / 4),

so every stretch [b, m] at the end must obey |s_bm| <= max over earlier stretches i of |s_i| w_bm / w_i.
What remains beyond the last size is then at most |s_bm| * 4 log(1 + x_m) / w_bm.

Two allowances keep true laws from being refuted for what they do not say. A law in an integer n is not
told from the same law in n +- 2 (floors, off-by-one sizes): |y_m - y_b| may be larger by
2/n_b + 2/n_m. Corrections like 1 / log n, which every law with a logarithm may have (a harmonic number is
log n + 0.577), are slower than any power: slopes may be larger by 1 / (8 log n), an eighth of what
a whole factor log n would make.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

from theorycheck.numbers.domain import point_key
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations.base import Row

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

MODEL = (
    "corrections fall at least as fast as n**(-1/4), are no larger than the law at the smallest "
    "size, and the sweep has seen their full size"
)

ROUNDING = 1e-13
"""Of a logarithm: computed as a ball, rounded to a double, |log| < 700 (an ulp of 700 is 1.1e-13)."""

Floats = npt.NDArray[np.float64]


class SweepError(ValueError):
    """Rows that are no sweep. The text is a reason for an inconclusive verdict."""


@dataclass(frozen=True)
class Sweep:
    """``size``, ``low``, ``high`` (m,): log n and the ends of y; ``rows`` their indices.

    ``at``: the values of the other parameters, for messages.
    """

    size: Floats
    low: Floats
    high: Floats
    rows: tuple[int, ...]
    whole: bool
    at: str

    def slope(self, i: int, j: int) -> tuple[float, float]:
        """Interval of the slope over the stretch from i to j > i."""
        h = float(self.size[j] - self.size[i])
        return float(self.low[j] - self.high[i]) / h, float(self.high[j] - self.low[i]) / h

    def _log_correction(self, i: int) -> float:
        """log(1 + x_i), see the module's docstring."""
        return math.log1p(math.exp(-OMEGA * float(self.size[i] - self.size[0])))

    def weight(self, i: int, j: int) -> float:
        """Mean of e(n) over the stretch, in logarithms of n."""
        fall = self._log_correction(i) - self._log_correction(j)
        return fall / (OMEGA * float(self.size[j] - self.size[i]))

    def allowance(self, i: int, j: int) -> float:
        """How much steeper the stretch may be for integer sizes and corrections like 1 / log n."""
        a, b = (math.exp(float(self.size[k])) for k in (i, j))
        rounding = SHIFT * (1 / a + 1 / b) if self.whole else 0.0
        # log(n + e) instead of log n: meant for large n, and finite for all
        logs = LOG_SHARE * math.log(math.log(b + math.e) / math.log(a + math.e))
        return (rounding + logs) / float(self.size[j] - self.size[i])

    @property
    def last_half(self) -> int:
        """Index from which the last half of the sweep (in log n) starts; at most m - 2."""
        middle = float(self.size[0] + self.size[-1]) / 2
        start = int(np.searchsorted(self.size, middle + ROUNDING, side="right")) - 1
        return min(max(start, 0), len(self.size) - 2)

    def drift(self, low: float, high: float) -> float:
        """Upper limit of |y| still to come beyond the last size, given slopes over the last half."""
        i, j = self.last_half, len(self.size) - 1
        remaining = self._log_correction(j) / (OMEGA * self.weight(i, j))
        return max(abs(low), abs(high), 0.0) * remaining

    def constants(self) -> tuple[float, float]:
        """The implied constant over the sweep: smallest lower and largest upper end."""
        return _exp(float(self.low.min())), _exp(float(self.high.max()))


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
            raise SweepError(f"vacuous: {name} is no positive number at {point_key(row.point)}")
        others = {k: v for k, v in row.point.items() if k != name}
        of = groups.setdefault((point_key(others), row.instance, row.component), {})
        of[index] = Fraction(value) if to == "oo" else 1 / Fraction(value)
    return [_sweep(rows, sizes, name, key[0]) for key, sizes in groups.items()]


def _sweep(rows: Sequence[Row], sizes: Mapping[int, Fraction], name: str, at: str) -> Sweep:
    order = sorted(sizes, key=lambda i: sizes[i])
    if len(set(sizes.values())) < len(order):
        raise SweepError(f"vacuous: several rows for one value of {name}")
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
        all(s.denominator == 1 for s in sizes.values()),
        at,
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
        cause = "budget: " if row.samples else ""
        raise SweepError(f"{cause}the quantity {seen} at {point_key(row.point)}")
    return Enclosure(low, high)


# ---------------------------------------------------------------- consistency


def refuted_powers(sweep: Sweep, powers: Floats, log_power: float = 0.0) -> npt.NDArray[np.bool_]:
    """For each a of ``powers`` (k,): whether law * n**a * (log n)**log_power is refuted, (k,).

    Refuted: some stretch at the end is surely steeper than the model admits after what the earlier
    stretches show. Needs sizes above 1 where ``log_power`` is not 0.
    """
    last = len(sweep.size) - 1
    tilt = np.zeros(last + 1)
    if log_power:
        tilt = log_power * np.log(sweep.size)
    lows, highs, weights = [], [], []
    for i in range(last):
        low, high = _tilted(sweep, i, i + 1, tilt)
        lows.append(low - powers)
        highs.append(high - powers)
        weights.append(sweep.weight(i, i + 1))
    size = [
        np.maximum(np.abs(a), np.abs(b)) / w for a, b, w in zip(lows, highs, weights, strict=True)
    ]
    refuted = np.zeros(len(powers), dtype=bool)
    for b in range(2, last):
        low, high = _tilted(sweep, b, last, tilt)
        least = np.maximum(np.maximum(low - powers, powers - high), 0.0)
        allowed = np.max(np.array(size[:b]), axis=0) * sweep.weight(b, last)
        refuted |= least > allowed + sweep.allowance(b, last)
    return refuted


def powers_left(sweep: Sweep, log_power: float = 0.0) -> Floats:
    """The changes a of the power, among those scanned, that the rows do not refute (see above)."""
    left: Floats = POWERS[~refuted_powers(sweep, POWERS, log_power)]
    return left


def reach(left: Floats) -> float:
    """Largest change of the power among those left; infinite where the scan's end is among them."""
    if not len(left):
        return 0.0
    largest = float(np.max(np.abs(left)))
    return math.inf if largest >= float(POWERS[-1]) else largest


def _tilted(sweep: Sweep, i: int, j: int, tilt: Floats) -> tuple[float, float]:
    low, high = sweep.slope(i, j)
    turn = float(tilt[j] - tilt[i]) / float(sweep.size[j] - sweep.size[i])
    return low - turn, high - turn


def oscillates(sweep: Sweep) -> bool:
    """Whether the last half surely rises and surely falls: the model then has nothing to say."""
    start, last = sweep.last_half, len(sweep.size) - 1
    slopes = [(*sweep.slope(i, i + 1), sweep.allowance(i, i + 1)) for i in range(start, last)]
    return any(a > c for a, _, c in slopes) and any(b < -c for _, b, c in slopes)


__all__ = [
    "FEWEST",
    "MODEL",
    "OMEGA",
    "POWERS",
    "Sweep",
    "SweepError",
    "oscillates",
    "powers_left",
    "reach",
    "refuted_powers",
    "sweeps",
]
