r"""Mixture martingales: the evidence against each candidate mean, as a function of (n, sums).

Let W_n(m) be a non-negative supermartingale with W_0 = 1 whenever the mean is m. Ville's inequality
(1939) says P(there is an n with W_n(m) >= 1/alpha) <= alpha, so {m : W_n(m) < 1/alpha} is a
confidence set valid at all n simultaneously, and so is the running intersection. Averages of such W
are such W: all rules below are finite mixtures, half of the weight for evidence that the mean is
larger than m (side +1), half for smaller (side -1), over a geometric grid of alternatives. A grid
at ratio 1.5 always has an alternative within a factor 1.23 of the best one, whose growth rate is at
least 1 - 0.23^2 = 95 percent of the best; its price is log(grid size / neighbours), about 3 nats
whatever the distance, where a Beta(1/2, 1/2) mixture pays (1/2) log n. (For mixtures against
stitching see Howard, Ramdas, McAuliffe and Sekhon, 2021, "Time-uniform, nonparametric,
nonasymptotic confidence sequences", Ann. Statist. 49.)

**Coin** (values in [0, 1], state n and s = sum x). For q in (0, 1), the function
x -> (q/m)^x ((1-q)/(1-m))^(1-x) is convex, so below its chord, whose expectation at E x = m is 1.
The product is a supermartingale (a martingale for Bernoulli values: the likelihood ratio). With the
log odds of q those of m plus theta, its log is theta s - n log(1 + m (e^theta - 1)), which decreases
in m for theta > 0. The ends q = 0 and q = 1 have an atom each, so that no failure in n trials
excludes failure probabilities above about log(8/alpha)/n.

**Bets** (values in [0, 1], state n and sums of powers): see ``bets.py``; adapts to the variance.

**Sub-Gaussian** (state n and the mean). exp(theta (s - n m) - n theta^2 sigma^2/2) is a
supermartingale by definition.

**Focus.** If one alternative matters (the target resolution: is the mean m or m + gap?), a
predeclared ``focus`` gives it half of the weight: exclusion of m when the truth is m +- gap then
costs log 4 nats more than Wald's test that knows the direction and the gap. Any m keeps its
martingale, so validity does not depend on the focus; it must only not be chosen from the data.

Every function returns a *lower bound* on log W: ``SLACK`` times the magnitudes that entered is
subtracted, which covers the roundings of sums, products and elementary functions.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# 16 roundings: NumPy's log1p, expm1 and log are within 4 ulp, products and sums within 1 each.
SLACK = 16 * 2.0**-52

RATIO = 1.5
# log-odds from 8 (a failure rate 3,000 times smaller) down to 3e-5 (about 1e11 fair coins).
_TILTS = 8.0 * RATIO ** -np.arange(32.0)
# Of one side's half: the grid of tilts, and the atom at q = 0 or q = 1.
_GRID_WEIGHT, _ATOM_WEIGHT = 3 / 8, 1 / 8
_FOCUS_WEIGHT = 1 / 4


def log_mean(terms: Floats, weight: float, axis: int = 0) -> Floats:
    """log of ``weight`` times the mean of exp(terms) along ``axis``, rounded down."""
    top = terms.max(axis=axis, keepdims=True)
    total = np.exp(terms - top).sum(axis=axis)
    count = terms.shape[axis]
    value: Floats = np.squeeze(top, axis) + np.log(total * (weight / count)) - count * 2.0**-51
    return value


def coin(side: int, n: float, s: float, m: Floats, focus: float | None = None) -> Floats:
    """Log evidence against means m in (0, 1), any shape, from n values in [0, 1] with sum s."""
    with np.errstate(divide="ignore"):
        theta = side * against(_TILTS, m)
        evidence = log_mean(_coin_terms(n, s, m, theta), _GRID_WEIGHT)
        if s == (n if side > 0 else 0.0):
            # The atom's likelihood ratio is m^-n (or (1 - m)^-n) if all values are alike, else 0.
            surprise = -n * (np.log(m) if side > 0 else np.log1p(-m)) * (1.0 - SLACK)
            evidence = np.logaddexp(evidence, surprise + math.log(_ATOM_WEIGHT))
        if focus is not None:
            aimed = _ratio_of_means(n, s, m, np.clip(m + side * focus, 0.0, 1.0))
            evidence = np.logaddexp(evidence + math.log(0.5), aimed + math.log(_FOCUS_WEIGHT))
    return evidence


def _ratio_of_means(n: float, s: float, m: Floats, q: Floats) -> Floats:
    """Log of the likelihood ratio of q in [0, 1] to m. It decreases in m if q = min(m + gap, 1)."""
    gain = s * np.log(q / m) if s > 0.0 else np.zeros(m.shape)
    if n == s:
        return gain - SLACK * np.abs(gain)
    loss = (n - s) * np.log1p((m - q) / (1.0 - m))
    # m - q and 1 - m are rounded, by at most eps / (1 - q) relative to the 1 - q that they make up.
    slack = SLACK * (np.abs(gain) + np.abs(loss) + s + (n - s) / (1.0 - q))
    return np.where((q > 0.0) | (s == 0.0), gain + loss - slack, -np.inf)


def against(grid: Floats, m: Floats) -> Floats:
    """``grid`` on a new first axis before those of ``m``."""
    return grid.reshape(-1, *[1] * m.ndim)


def _coin_terms(n: float, s: float, m: Floats, theta: Floats) -> Floats:
    z = m * np.expm1(theta)
    norm = np.log1p(z)
    # log1p magnifies the roundings of z by |z| / (1 + z).
    slack = np.abs(theta) * s + n * (np.abs(norm) + np.abs(z) / (1.0 + z))
    return theta * s - n * norm - SLACK * slack


def sub_gaussian(n: float, h: Floats, focus: float | None = None) -> Floats:
    """Log evidence against means that are h (in units of sigma) below the empirical one."""
    theta = against(_TILTS, h)
    with np.errstate(over="ignore", invalid="ignore"):
        evidence = log_mean(_gaussian_terms(n, h, theta), 0.5)
        if focus is not None:
            aimed = _gaussian_terms(n, h, np.array(focus))
            evidence = np.logaddexp(evidence + math.log(0.5), aimed + math.log(_FOCUS_WEIGHT))
    return evidence


def _gaussian_terms(n: float, h: Floats, theta: Floats) -> Floats:
    gain, cost = theta * h * n, theta * theta * n / 2.0
    return gain - cost - SLACK * (np.abs(gain) + cost)


def sub_gaussian_reach(n: float, levels: Floats) -> Floats:
    """A distance h > 0 at which :func:`sub_gaussian` exceeds each level, whatever the focus."""
    # One alternative alone suffices; its weight is at least 1/2 * 1/2 * 1/32 > exp(-5). A share of 1e-9 more gain
    # covers what SLACK (4e-15 of gain and cost) takes off.
    need = np.maximum(levels, 0.0)[:, None] + 5.0
    reach: Floats = (need / (_TILTS * n) + _TILTS / 2.0).min(axis=1) * (1.0 + 1e-9)
    return reach
