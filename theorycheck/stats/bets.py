r"""Means of values in [0, 1], adaptively: lower bounds on the wealth of bets, from power sums.

If E x = m then betting the fraction b in (0, 1) of one's wealth on "larger" at fair odds multiplies
it by 1 + b (x/m - 1) >= 1 - b > 0, with expectation 1: the wealth is a martingale, and decreases in
m (Waudby-Smith and Ramdas, 2024, "Estimating means of bounded random variables by betting"). Its
log is a sum over the data for each m. It is replaced by a bound that needs sums of powers only. With
z = b (x/m - 1) >= -b,

    log(1 + z) >= z - z^2/2 + z^3/3 - kappa z^4,
    kappa = -(log(1-b) + b + b^2/2 + b^3/3)/b^4 = sum_j b^j/(4 + j),

because (log(1+z) - z + z^2/2 - z^3/3)/z^4 = -int_0^1 t^3/(1 + z t) dt increases in z, so that it is
least at z = -b. (The bound with one power pair less is that of Fan, Grama and Liu, 2015,
"Exponential inequalities for martingales with applications", Electron. J. Probab. 20; it costs a
quarter more samples at b = 0.3, where this one costs 2 percent.)

Summed over the data this is a polynomial f_b(u) in u = 1/m with the moments M_k = sum x^k as
coefficients. Each summand is concave in z (its second derivative -1 + 2 z - 12 kappa z^2 is
negative as kappa >= 1/4), so f_b is concave in u and has one peak. The wealth itself increases in
u, hence beyond the peak f_b may be replaced by its value there: the bound becomes monotone, and
confidence sets intervals. The peak need not be located exactly: any earlier u gives a valid bound.

"Smaller" is the same bet on 1 - x against 1 - m. The stakes b form a geometric grid with equal
weights, half of the whole for each side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from theorycheck.stats.mixtures import RATIO, SLACK, against, log_mean

Floats = NDArray[np.float64]

POWERS = 4
# Odds t from 16 (a stake of 0.94) down to 2.5e-5, the reach of the coin's grid of tilts.
_ODDS = 16.0 * RATIO ** -np.arange(34.0)
_STAKES = _ODDS / (1.0 + _ODDS)
# Powers of x that vanish below the smallest double are made good for where that is the safe side.
_LOST = 1e-290
# Near its peak a concave bound is flat, so a rough place will do.
_HALVINGS = 16


def _kappa(b: Floats) -> Floats:
    closed = -(np.log1p(-b) + b + b**2 / 2.0 + b**3 / 3.0) / b**4
    j = np.arange(80.0)
    series = (b[:, None] ** j / (4.0 + j)).sum(axis=1)
    # The closed form cancels for small b; the series has left 2^-80 of itself at b = 1/2.
    return np.where(b > 0.5, closed, series) * (1.0 + 2.0**-40)


# Of +z/b, -(z/b)^2, +(z/b)^3, -(z/b)^4.
_COEFFICIENTS = (_STAKES, _STAKES**2 / 2.0, _STAKES**3 / 3.0, _kappa(_STAKES) * _STAKES**4)


@dataclass(frozen=True)
class Bets:
    """The data that bets see: ``n`` values in [0, 1], the sums of their first four powers."""

    n: float
    moments: tuple[float, ...]
    peaks: Floats

    def wealth(self, m: Floats) -> Floats:
        """Lower bound on the log wealth, of half the weight, of bets that the mean exceeds ``m``.

        ``m``: candidate means in [0, 1], any shape.
        """
        n, (m1, m2, m3, m4) = self.n, self.moments
        with np.errstate(divide="ignore", over="ignore"):
            u = np.minimum(1.0 / m, against(self.peaks, m))
        # Powers of z over its stake: with alternating signs, and for the roundings all positive.
        p1, p2, p3, p4 = m1 * u, m2 * u**2, m3 * u**3, m4 * u**4
        c1, c2, c3, c4 = (against(c, m) for c in _COEFFICIENTS)
        even, odd = c2 * (p2 + n) + c4 * (p4 + 6.0 * p2 + n), c2 * 2.0 * p1 + c4 * 4.0 * (p3 + p1)
        up, down = c1 * p1 + c3 * (p3 + 3.0 * p1), c1 * n + c3 * (3.0 * p2 + n)
        return log_mean(up + odd - even - down - SLACK * (up + odd + even + down), 0.5)


def bets(n: float, moments: Sequence[float]) -> Bets:
    """The bets on data given by ``n`` and the sums of the first four powers."""
    m1, m2, m3, m4 = moments
    m2, m4 = m2 + n * _LOST, m4 + n * _LOST
    return Bets(n, (m1, m2, m3, m4), _peaks(m1, m2, m3, m4))


def _peaks(m1: float, m2: float, m3: float, m4: float) -> Floats:
    """For each stake a u at or before the peak of f_b, near it."""
    b, (d1, d2, d3, d4) = _STAKES, (k * c for k, c in enumerate(_COEFFICIENTS, start=1))
    # f_b'(u) as a cubic in u.
    c0 = m1 * (d1 + d2 + d3 + d4)
    c1 = -m2 * (d2 + 2.0 * d3 + 3.0 * d4)
    c2 = m3 * (d3 + 3.0 * d4)
    c3 = -m4 * d4
    # A peak lies where z is about 1 for the typical or for the largest values.
    low, high = np.zeros(b.size), (1.0 + 4.0 / b) * (m1 / m2)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        rising = c0 + middle * (c1 + middle * (c2 + middle * c3)) > 0.0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    return low
