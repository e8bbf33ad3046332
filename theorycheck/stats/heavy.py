r"""Means under a declared variance bound: a Catoni-type mixture martingale with a small state.

Let E X = mu and Var X <= v. Write psi for the influence function of Catoni and Giulini (2017,
"Dimension-free PAC-Bayesian bounds for matrices, vectors, and linear least squares regression"),

    psi(y) = y - y^3/6 for |y| <= sqrt 2, and +-2 sqrt(2)/3 beyond,

which is non-decreasing, odd, and satisfies exp(psi(y)) <= 1 + y + y^2/2. For a pivot c fixed before
X is seen, and lambda > 0,

    E exp(psi(lambda (X - c)))
        <= 1 + lambda (mu - c) + lambda^2 (v + (mu - c)^2)/2 =: 1 + g(mu - c),

so that exp(sum_t psi(lambda (X_t - c_t)) - sum_t log(1 + g(mu - c_t))) is a supermartingale with
start 1. Catoni's sequence (Wang and Ramdas, 2023, "Catoni-style confidence sequences for
heavy-tailed mean estimation") is the case c = mu, which would make the data enter through every
candidate mu. A pivot near mu costs only the factor 1 + (mu - c)^2/v on the variance and lets a few
sums stand for the data. Three remarks make it a rule:

* *Pivots.* The first 64 values give the first pivot, their median, which is within about one
  standard deviation of mu; they serve for nothing else. At each checkpoint the pivot moves to a
  Catoni estimate from the past.
* *Sums.* lambda runs over the grid 2^(1-j)/sqrt(v). Whether psi is cut off depends only on the
  power-of-two band of |x - c|, so counts of signs and the sums of d = x - c and d^3 by band give
  sum psi for every lambda of the grid. Bands that hold nothing are not recorded.
* *Monotonicity.* If the mean is mu' < mu then X + (mu - mu') has mean mu and the same variance and
  psi is non-decreasing, so the bound with mu holds for X too: the penalty may be replaced by its
  minimum over larger means, g(max(mu - c, -1/lambda)). The evidence for "larger than mu" then
  decreases in mu, and a confidence set is an interval.

The mixture over lambda has equal weights, half for each side (mirror X).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theorycheck.stats.exact import exact_sum, rounded
from theorycheck.stats.mixtures import SLACK, log_mean

Floats = NDArray[np.float64]

# lambda * sigma from 2 (a few dozen values at alpha = 1e-12) to 2e-6 (about 1e13 values).
_GRID: Floats = 2.0 ** (1.0 - np.arange(21.0, dtype=np.float64))
_BANDS = _GRID.size + 1
_CAP = 2.0 * math.sqrt(2.0) / 3.0
# In standard deviations: beyond it every step of the grid is at its limit -1.
REACH = 2.0 / float(_GRID[-1])
# Pivots come from the lambda suited to evidence of 20 nats; any choice is valid.
_PIVOT_NATS = 20.0


def _edges(var: float) -> Floats:
    """|d| up to edge j is inside the cubic part of psi for the j-th lambda."""
    edges: Floats = math.sqrt(2.0) * math.sqrt(var) / _GRID
    return edges


def band_totals(x: Floats, pivot: float, var: float) -> tuple[int, ...]:
    """Exact totals by band b: signs above, signs below, sum d, sum d^3, with d = fl(x - pivot)."""
    d = x - pivot
    band = np.searchsorted(_edges(var), np.abs(d), side="left")
    totals: list[int] = []
    for b in range(_BANDS):
        inside = d[band == b]
        if inside.size == 0:
            totals += [0, 0, 0, 0]
            continue
        totals += [
            int(np.count_nonzero(inside > 0)),
            int(np.count_nonzero(inside < 0)),
            exact_sum(inside),
            exact_sum(inside * inside * inside),
        ]
    return tuple(totals)


def band_record(totals: tuple[int, ...]) -> tuple[tuple[Any, ...], ...]:
    """One ``(band, above, below, sum d, sum d^3)`` for each band that holds something."""
    record = []
    for b in range(len(totals) // 4):
        above, below, first, third = totals[4 * b : 4 * b + 4]
        if above or below:
            record.append((b, above, below, rounded(first), rounded(third)))
    return tuple(record)


def first_pivot(pilot: tuple[float, ...]) -> float:
    """Median of the pilot values."""
    return float(np.median(np.array(pilot)))


def _influence(bands: Sequence[tuple[Any, ...]], var: float, j: int) -> float:
    """sum psi(lambda_j d) over one epoch."""
    lam = float(_GRID[j]) / math.sqrt(var)
    value = 0.0
    for b, above, below, first, third in bands:
        if b <= j:
            value += lam * first - lam**3 * third / 6.0
        else:
            value += _CAP * (above - below)
    return value


def next_pivot(records: Sequence[tuple[Any, ...]], var: float) -> float:
    """Catoni's estimate of the mean from all epochs, to first order about their pivots."""
    n = records[-1][0] - records[0][0]
    j = int(np.argmin(np.abs(np.log(_GRID * math.sqrt(n / (2.0 * _PIVOT_NATS))))))
    lam = float(_GRID[j]) / math.sqrt(var)
    total: float = 0.0
    for before, record in pairwise(records):
        size = record[0] - before[0]
        total += size * float(record[1]) + _influence(record[2], var, j) / lam
    return total / float(n)


@dataclass(frozen=True)
class Epochs:
    """The epochs up to one record. ``sizes``, ``pivots``: (epochs,); ``influence``: (lambdas,)."""

    var: float
    sizes: Floats
    pivots: Floats
    influence: Floats

    def log_evidence(self, side: int, mean: Floats) -> Floats:
        """Lower bound on the log of the mixture against each ``mean`` (any shape).

        ``side`` is +1 for evidence that the true mean is larger. Includes the weight 1/2 of a side.
        """
        lam = _GRID / math.sqrt(self.var)
        distance = side * (mean[..., None, None] - self.pivots[:, None])
        # The last two axes: epoch, lambda.
        step = np.maximum(distance * lam, -1.0)
        rate = step + (lam * lam * self.var + step * step) / 2.0
        penalty = np.matmul(self.sizes, np.log1p(rate))
        gain = side * self.influence
        # Each value and each penalty is off by a few roundings of numbers of order 1 + log1p(rate).
        size = np.abs(penalty) + np.abs(gain) + 4.0 * self.sizes.sum()
        terms = gain - penalty - SLACK * size
        return log_mean(terms, 0.5, axis=-1)


def epochs(records: Sequence[tuple[Any, ...]], var: float) -> Epochs:
    """The epochs between the checkpoints of ``records`` (at least two)."""
    pairs = list(pairwise(records))
    return Epochs(
        var=var,
        sizes=np.array([float(b[0] - a[0]) for a, b in pairs]),
        pivots=np.array([b[1] for _, b in pairs]),
        influence=np.array(
            [sum(_influence(b[2], var, j) for _, b in pairs) for j in range(_GRID.size)]
        ),
    )
