r"""Quantiles and distribution functions, for any distribution.

**One quantile.** Q is a q-quantile if P(X < Q) <= q <= P(X <= Q). The indicators of X <= Q are
Bernoulli with mean at least q, so a mixture martingale against "mean >= q" (``mixtures.coin``, side
-1) rejects at Q, at any time, with probability at most alpha/2. The evidence decreases in the
count, and the count of values <= e increases in e: if it rejects at any e >= Q it rejects at Q.
Hence all e at which it rejects lie below Q, without any union over e, and likewise above. In terms
of order statistics [X_(low), X_(high)] covers Q at all times, with ranks that depend on n alone
(Howard and Ramdas, 2022, "Sequential estimation of quantiles with applications to A/B testing and
best-arm identification", Bernoulli 28).

**All quantiles.** At the checkpoint number k the empirical distribution function is within
sqrt(log(2/alpha_k)/(2n)) of the true one, everywhere at once, with probability at least 1 - alpha_k
(Dvoretzky, Kiefer and Wolfowitz; constant by Massart, 1990). With alpha_k = alpha/((k+1)(k+2)),
which sums to alpha, this holds at all checkpoints simultaneously.

Values are counted by bin (`bins`), so that the interval for a quantile is widened outward to bins,
never wrong.
"""

from __future__ import annotations

import math
from itertools import takewhile

import numpy as np

from theorycheck.stats import bins, mixtures
from theorycheck.stats.schedule import checkpoints, last_checkpoint, log_threshold
from theorycheck.stats.state import MeanState


def quantile_ranks(n: int, q: float, alpha: float) -> tuple[int, int]:
    """Ranks (low, high), 1-based, such that [X_(low), X_(high)] covers the q-quantiles.

    Simultaneously for all n with probability at least 1 - alpha. low = 0 means -inf and
    high = n + 1 means inf. Raises ValueError unless 0 < q < 1, n >= 0, 0 < alpha < 1.
    """
    if not 0.0 < q < 1.0:
        raise ValueError(f"q must lie strictly between 0 and 1, got {q!r}")
    if n < 0:
        raise ValueError(f"n must not be negative, got {n!r}")
    level = log_threshold(alpha)
    if n == 0:
        return 0, 1

    def rejected(side: int) -> int:
        # How many counts, from the extreme one inward, reject; their evidence is monotone.
        reject, accept = -1, n + 1
        while accept - reject > 1:
            middle = (reject + accept) // 2
            count = middle if side < 0 else n - middle
            gone = middle <= n and mixtures.coin(side, float(n), float(count), at)[0] >= level
            reject, accept = (middle, accept) if gone else (reject, middle)
        return accept

    at = np.array([q])
    low, high = rejected(-1), n + 1 - rejected(1)
    return low, high


def cdf_radius(n: int, alpha: float) -> float:
    """Half-width of the band for the distribution function at the checkpoint ``n``.

    Valid at all checkpoints simultaneously. Raises ValueError if ``n`` is no checkpoint.
    """
    earlier = sum(1 for _ in takewhile(lambda checkpoint: checkpoint < n, checkpoints()))
    if n < 1 or last_checkpoint(n) != n:
        raise ValueError(f"{n!r} is no checkpoint, and the band holds at checkpoints only")
    level = log_threshold(alpha) + math.log(2.0 * (earlier + 1) * (earlier + 2))
    return math.sqrt(level / (2.0 * n)) * (1.0 + 2.0**-48)


def quantile_interval(state: MeanState, q: float, alpha: float) -> tuple[float, float]:
    """Time-uniform interval for the q-quantiles from a state of :func:`distribution`.

    Uses all values seen. (-inf, inf) while the data cannot say. Raises ValueError for another
    tail, or q or alpha out of range.
    """
    if state.tail.kind != "distribution":
        raise ValueError("a quantile needs the state of distribution(), which keeps counts by bin")
    low, high = quantile_ranks(state.n, q, alpha)
    if state.n == 0:
        return -math.inf, math.inf
    ranks = np.cumsum([count for _, count in state.bins])
    lo, hi = -math.inf, math.inf
    if low >= 1:
        lo = bins.edges(state.bins[int(np.searchsorted(ranks, low))][0], state.tail.params)[0]
    if high <= state.n:
        hi = bins.edges(state.bins[int(np.searchsorted(ranks, high))][0], state.tail.params)[1]
    return lo, hi
