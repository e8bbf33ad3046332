r"""Tests of what a confidence sequence takes for granted: independent values, and the declared tail.

An interval for a mean is worth nothing if its stream is frozen, shares a draw between the values of a
block, or breaks the declared bound on its tail. Each test below is anytime-valid: under the
assumption, the probability that its evidence ever reaches log(1/a) is at most a, for every a, so that
a claim's share of alpha for its assumptions bounds how often a sound stream is accused. None of them
accuses what merely looks dull: a constant stream gives evidence 0 to all of them.

Values come in whole blocks x_1, ..., x_B (B is fixed with the leg). d is a difference of two values of
which neither was looked at before; under independence of equally distributed values it is symmetric.

**Order** and **blocks.** For h such differences d_1, ..., d_h put T = sum d_i, V = sum d_i^2. Given the
sizes |d_i|, signs are fair and independent, so E exp(t T) = prod cosh(t |d_i|) <= exp(t^2 V/2); mixed
over t ~ N(0, c/V),

    E (1 + c)^(-1/2) exp(T^2/V * c/(2 (1 + c))) <= 1,

whatever the distribution of the values (V = 0 bets nothing). Products over disjoint sets of differences
are supermartingales, as are their averages over c (Ville, 1939). *Order* takes differences of adjacent
stretches of one block, of 16 values and of half a block: T^2/V is about 1 for independent values, and
of order h where a block is sorted, drifts, or comes from a chain. *Blocks* takes differences of two
consecutive blocks: T^2/V is B where each block repeats one draw, and of order B times the squared share
of the deviation that a block has in common. The second block is read in a fixed permutation, so that
values sorted inside their blocks do not pass for equal blocks.

**Repeats.** Given the values of r blocks together, every arrangement of them is equally likely. Where
value v occurs b_v times in a block, r equal blocks are one of

    p_r = [B!/prod b_v!] / [(r B)!/prod (r b_v)!],

exactly. Whenever block k equals r - 1 earlier ones, p_r is multiplied by the number C(k-1, r-1) of
places where these could have been, and by k(k+1) and r(r-1), whose inverses sum to 1 over all k and r:
so the probability that the product is ever at most a is at most a (union bound). Equal blocks of a
continuous quantity have p_2 = 1/C(2B, B) < 10^-614 at B = 1024; of an event seen once in each block
p_2 = 1/(2B - 1) and p_5 < 10^-12; of a constant every p_r is 1.

**Copies.** Let the distinct values of a block, in order of size, be taken two by two, and let such a pair
occur a and S - a times. Given which values occur and how often each pair does, a has the law of a binomial
with some p on 1, ..., S - 1, independently of the other pairs: the counts are multinomial. Then, whatever p,

    P(a = S/2) <= C(S, S/2)/(2^S - 2),    P(a is even) <= 1/2    for even S >= 4:

the quotient of all terms to the middle one, sum of C(S, a) r^(a - S/2) with r = p/(1-p), is least at r = 1,
term by term with its mirror image; and the even terms less the odd ones are (1-2p)^S - p^S - (1-p)^S <= 0. So
betting half of the wealth on equal counts, or on even ones, gives supermartingales. Where every value was
written twice each pair gains log(5/3) by the first; values of a continuous law, each seen once, bet
nothing. Only the first `KEPT_BLOCKS` blocks are looked at.

**Tail.** Y = d^2/2 has mean at most v where the variance is at most v (also where only the conditional
means are equal): prod(1 + l (Y/v - 1)) with 0 <= l < 1 is a supermartingale. Where the values are
sub-Gaussian, so is d/sqrt 2 with the same sigma, and averaging exp(t d/sqrt 2 - t^2 sigma^2/2) over
Gaussian t gives the supermartingale prod (1 - l)^(1/2) exp(l d^2/(4 sigma^2)), 0 < l < 1. Both are
averaged over a few l. A variance of r sigma^2 in place of sigma^2 is seen at (r - 1 - log r)/2 nats a
pair by the second: 9 for 1 within the first block. Tails that are heavy but rare show in single values:
P(|d| >= sqrt 2 sigma t) <= 2 exp(-t^2/2), so that 4 i(i+1) exp(-d_i^2/(4 sigma^2)) is at most a for some
i with probability at most a/2, and the supermartingale gets the other half. Declared ranges are checked
value by value.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray
from scipy.special import gammaln

from theorycheck.stats.tails import Tail

Floats = NDArray[np.float64]

TESTS = ("order", "blocks", "repeats", "tail", "copies")
"""Names of the tests; each has an equal part of the level."""

_WORDS = {
    "order": "the values of a block depend on their place in it: they are sorted, drift, or come from "
    "a chain",
    "blocks": "the values of one block have something in common: draw whatever is random for each "
    "value, with shape (size, ...)",
    "repeats": "the same block of values came several times: the generator is frozen, or seeded anew",
    "tail": "the differences of values are larger than the declared tail allows",
    "copies": "values come equally often, or an even number of times, more than chance has it: draws are "
    "copied, or a recording was written several times",
}

_STRETCH = 16
"""Values in the short stretches of *order*: dependence of a chain over a few steps shows there."""
_ORDER_WEIGHTS = np.array([1.0, 16.0])
_BLOCK_WEIGHTS = np.array([1.0, 16.0, 256.0])
_STAKES = 2.0 ** np.array([-1.0, -3.0, -5.0, -7.0])
"""l for a variance bound: an excess of r is bet on best at about l = r - 1 for light tails."""
_TILTS = np.array([0.9, 0.5, 0.15, 0.05])
"""l for sub-Gaussian tails: best at 1 - 1/r."""
_COPIED = 2  # bets of *copies*
_WEALTHS = (2 * _ORDER_WEIGHTS.size, _BLOCK_WEIGHTS.size, max(_STAKES.size, _TILTS.size), _COPIED)

KEPT_BLOCKS = 64
"""Distinct blocks that later ones are compared with: a frozen generator repeats at once, one that is
chosen from a few dozen seeds soon. Also those in which *copies* looks for some."""


class SeenBlock(Struct, frozen=True, array_like=True):
    """A block that occurred: a digest of its values, its first place (1 for the first block), how
    often it came, and log p_2 of it."""

    digest: str
    first: int
    times: int
    log_pair: float


class StreamEvidence(Struct, frozen=True, kw_only=True):
    """What a stream is judged by: values in a block; largest evidence by test, in nats; digest and log p_2
    of the distinct blocks that are kept."""

    block: int
    peaks: tuple[float, ...]
    seen: tuple[tuple[str, float], ...]


class KeptAssumptions(Struct, frozen=True, kw_only=True):
    """What `Assumptions` go on from, beside their tail: their fields of these names."""

    block: int
    blocks: int
    wealth: tuple[tuple[float, ...], ...]
    peaks: tuple[float, ...]
    seen: tuple[SeenBlock, ...]
    records: tuple[tuple[int | float, ...], ...]


@dataclass(frozen=True)
class Assumptions:
    """Evidence against independence and the declared tail, so far. Plain numbers.

    Attributes:
        tail: the declared assumption; its own test is for variances and sub-Gaussian values.
        block: values in a block.
        blocks: blocks seen.
        wealth: logarithms of the supermartingales of order, blocks, tail and copies.
        peaks: largest evidence so far by test, in the order of `TESTS`, in nats.
        seen: distinct blocks, the first `KEPT_BLOCKS` of them.
        records: ``(n, *peaks)`` where they were asked for.
        pending: the last block, while it waits for its partner; not kept in JSON.
    """

    tail: Tail
    block: int
    blocks: int = 0
    wealth: tuple[tuple[float, ...], ...] = tuple((0.0,) * size for size in _WEALTHS)
    peaks: tuple[float, ...] = (0.0,) * len(TESTS)
    seen: tuple[SeenBlock, ...] = ()
    records: tuple[tuple[float, ...], ...] = ()
    pending: Floats | None = field(default=None, compare=False, repr=False)

    @property
    def waits(self) -> bool:
        """Whether the last block has to be drawn again before the stream goes on."""
        return self.blocks % 2 == 1 and self.pending is None

    def kept(self) -> KeptAssumptions:
        """What to go on from; what waits for its partner is drawn again."""
        return KeptAssumptions(
            **{name: getattr(self, name) for name in KeptAssumptions.__struct_fields__}
        )

    def evidence_at(self, n: int) -> StreamEvidence:
        """What a stream that ended after ``n`` values would have kept to be judged by. ``n`` is a count
        at which `record` was called."""
        return StreamEvidence(
            block=self.block,
            peaks=next((r[1:] for r in self.records if r[0] == n), self.peaks),
            seen=tuple((s.digest, s.log_pair) for s in self.seen if (s.first - 1) * self.block < n),
        )

    @staticmethod
    def of_kept(tail: Tail, kept: KeptAssumptions) -> Assumptions:
        """Inverse of :meth:`kept`."""
        return Assumptions(tail=tail, **structs.asdict(kept))


def resume(state: Assumptions, last: NDArray[Any]) -> Assumptions:
    """The state with its last block, drawn again, waiting for its partner."""
    return replace(state, pending=np.asarray(last, dtype=np.float64).reshape(-1))


def watch(state: Assumptions, values: NDArray[Any]) -> Assumptions:
    """The state after more whole blocks, ``values`` of shape (blocks, block), all finite."""
    x = np.asarray(values, dtype=np.float64)
    before, order = state.blocks, np.asarray(state.wealth[0])
    if x.shape[1:] != (state.block,):
        raise ValueError(f"blocks of {state.block} values, got shape {x.shape}")
    joined = x if state.pending is None else np.concatenate([state.pending[None], x])
    paired = joined.shape[0] // 2 * 2
    peaks = list(state.peaks)

    steps = _order(x)
    peaks[0], order = _run(peaks[0], order, steps)
    between, peaks[1] = np.asarray(state.wealth[1]), peaks[1]
    if paired:
        peaks[1], between = _run(peaks[1], between, _between(joined[:paired]))
    seen, peaks[2] = _repeats(state.seen, x, before, peaks[2])
    tail = np.asarray(state.wealth[2])
    gains = _tail(state.tail, x)
    if gains is not None:
        run, tail = _run(0.0, tail, gains)
        largest = _largest(state.tail, x, before)
        peaks[3] = max(peaks[3], run if largest is None else max(run - math.log(2.0), largest))
    copies = np.asarray(state.wealth[3])
    looked_at = x[: max(0, KEPT_BLOCKS - before)]
    if looked_at.size and state.tail.kind != "bernoulli":  # one pair of values says nothing
        peaks[4], copies = _run(peaks[4], copies, _copies(looked_at))
    return replace(
        state,
        blocks=before + x.shape[0],
        wealth=tuple(tuple(w.tolist()) for w in (order, between, tail, copies)),
        peaks=tuple(peaks),
        seen=seen,
        pending=joined[-1] if joined.shape[0] > paired else None,
    )


def record(state: Assumptions) -> Assumptions:
    """The state with its peaks kept under the present number of values."""
    n = state.blocks * state.block
    peaks = tuple(
        math.floor(1000 * p) / 1000 for p in state.peaks
    )  # short, and never an accusation
    if state.records and state.records[-1][0] == n:
        return state
    return replace(state, records=(*state.records, (n, *peaks)))


def broken(evidence: StreamEvidence, level: float) -> str:
    """What the data refute at ``level``, in words; empty where nothing is."""
    limit = -math.log(level / len(TESTS))
    peaks = zip(TESTS, evidence.peaks, strict=False)  # files of earlier versions know fewer tests
    return "; ".join(_WORDS[test] for test, peak in peaks if peak >= limit)


def shared(a: StreamEvidence, b: StreamEvidence, level: float) -> bool:
    """Whether two streams that are to be independent have a block in common, at ``level``. Each of the pairs
    of blocks gets an equal part."""
    if a.block != b.block:
        return False
    mine = dict(a.seen)
    pairs = max(1, len(mine)) * max(1, len(b.seen))
    limit = math.log(level / pairs)
    return any(digest in mine and mine[digest] <= limit for digest, _ in b.seen)


def _run(peak: float, wealth: Floats, steps: Floats) -> tuple[float, Floats]:
    """Peak of the averaged wealth and the wealth after ``steps`` (blocks, components)."""
    path = wealth + np.cumsum(steps, axis=0)
    top = path.max(axis=1)
    averaged = top + np.log(np.exp(path - top[:, None]).mean(axis=1))
    return max(peak, float(averaged.max())), path[-1]


def _signs(d: Floats, weights: Floats) -> Floats:
    """Log evidence (..., weights) that the differences d (..., h) have no fair signs."""
    size = np.abs(d).max(axis=-1, keepdims=True)
    d = d / np.where(size > 0.0, size, 1.0)
    v = (d * d).sum(axis=-1)
    ratio = np.where(v > 0.0, d.sum(axis=-1) ** 2 / np.where(v > 0.0, v, 1.0), 0.0)[..., None]
    gain = ratio * (weights / (2.0 * (1.0 + weights))) - np.log1p(weights) / 2.0
    return np.where(v[..., None] > 0.0, gain, 0.0)


def _order(x: Floats) -> Floats:
    """Steps (blocks, components) of the wealth of *order*."""
    count, b = x.shape
    steps = []
    for h in (b // 2, _STRETCH):
        if h < 2 or 2 * h > b or (h == _STRETCH and b < 4 * _STRETCH):
            steps.append(np.zeros((count, _ORDER_WEIGHTS.size)))
            continue
        cut = x[:, : b // (2 * h) * 2 * h].reshape(count, -1, 2, h)
        steps.append(_signs(cut[:, :, 0] - cut[:, :, 1], _ORDER_WEIGHTS).sum(axis=1))
    return np.concatenate(steps, axis=1)


def _between(x: Floats) -> Floats:
    """Steps of the wealth of *blocks*: (pairs, components) of an even number of blocks."""
    return _signs(x[0::2] - x[1::2][:, _mixed(x.shape[1])], _BLOCK_WEIGHTS)


@lru_cache(maxsize=16)
def _mixed(size: int) -> NDArray[np.int64]:
    """A permutation of a block, fixed once for all: any one that does not look at the values."""
    return np.random.Generator(np.random.Philox(key=size)).permutation(size)


def _tail(tail: Tail, x: Floats) -> Floats | None:
    """Steps of the wealth of *tail*; None where the declaration bounds no moment."""
    half = x.shape[1] // 2
    if half == 0 or tail.kind not in ("variance_at_most", "sub_gaussian"):
        return None
    d = x[:, :half] - x[:, half : 2 * half]
    if tail.kind == "variance_at_most":
        excess = (d / math.sqrt(tail.params[0])) ** 2 / 2.0 - 1.0
        return np.stack([np.log1p(stake * excess).sum(axis=1) for stake in _STAKES], axis=1)
    square = ((d / tail.params[0]) ** 2).sum(axis=1)[:, None]
    gains: Floats = square * (_TILTS / 4.0) + half * np.log1p(-_TILTS) / 2.0
    return gains


def _largest(tail: Tail, x: Floats, before: int) -> float | None:
    """Evidence of the most extreme single difference of sub-Gaussian values, None for other tails."""
    half = x.shape[1] // 2
    if tail.kind != "sub_gaussian":
        return None
    d = (x[:, :half] - x[:, half : 2 * half]).reshape(-1) / tail.params[0]
    i = np.arange(before * half + 1.0, before * half + d.size + 1.0)
    return float((d * d / 4.0 - np.log(4.0 * i * (i + 1.0))).max())


def _repeats(
    seen: tuple[SeenBlock, ...], x: Floats, before: int, peak: float
) -> tuple[tuple[SeenBlock, ...], float]:
    known = {s.digest: s for s in seen}
    for k, row in enumerate(x, before + 1):
        digest = hashlib.blake2b((row + 0.0).tobytes(), digest_size=8).hexdigest()  # -0.0 is 0.0
        old = known.get(digest)
        if old is None:
            if len(known) < KEPT_BLOCKS:
                known[digest] = SeenBlock(digest, k, 1, _log_repeats(row, 2))
            continue
        r = old.times + 1
        places = gammaln(k) - gammaln(r) - gammaln(k - r + 1)
        log_p = _log_repeats(row, r) + places + math.log(k * (k + 1) * r * (r - 1))
        peak = max(peak, -float(log_p))
        known[digest] = structs.replace(old, times=r)
    return tuple(known.values()), peak


def copied(values: Sequence[float]) -> float:
    """Evidence of *copies* in nats, of all values (n,) that there are: under independence it is t or more
    with probability at most exp(-t)."""
    (gains,) = _copies(np.asarray(values, dtype=np.float64).reshape(1, -1))
    return float(np.logaddexp.reduce(gains) - math.log(_COPIED))


def _copies(x: Floats) -> Floats:
    """Steps (blocks, bets) of the wealth of *copies*."""
    return np.array([_pairs(np.unique(row, return_counts=True)[1]) for row in x])


def _pairs(counts: NDArray[np.int64]) -> Floats:
    """Log gains (bets,) of betting half on equal and on even counts, pair by pair."""
    if counts.max() == 1:
        return np.zeros(_COPIED)
    a, b = counts[: counts.size // 2 * 2].reshape(-1, 2).T
    bet = ((a + b) % 2 == 0) & (a + b >= 4)
    a, s = a[bet], (a + b)[bet].astype(np.float64)
    chance = np.exp(
        gammaln(s + 1.0) - 2.0 * gammaln(s / 2.0 + 1.0) - s * math.log(2.0)
    ) / -np.expm1((1.0 - s) * math.log(2.0))
    # Upwards, against the wealth: three terms of at most gammaln(s + 1), each right to a few units in the last
    # place, and one more unit for each of exp, expm1 and the quotient.
    chance *= 1.0 + 16.0 * np.finfo(np.float64).eps * gammaln(s + 1.0)
    equal = np.log(0.5 + np.where(2 * a == s, 0.5 / chance, 0.0)).sum()
    even = np.log(np.where(a % 2 == 0, 1.5, 0.5)).sum()
    return np.array([equal, even])


def _log_repeats(row: Floats, r: int) -> float:
    """log p_r of a block with the values of ``row``; rounded up, so that a constant gives 0."""
    _, b = np.unique(row, return_counts=True)
    log_p = (
        gammaln(row.size + 1.0)
        - gammaln(b + 1.0).sum()
        - gammaln(r * row.size + 1.0)
        + gammaln(r * b + 1.0).sum()
    )
    return min(0.0, float(log_p) + 1e-9 * (1.0 + r * row.size))
