"""The sufficient state of a stream of replicates, recorded at fixed checkpoints.

Decisions are taken only at the counts n_k = ceil(64 * 1.25**k), so the state keeps one short record
a checkpoint (about 10 a decade of samples) and the exact running totals since. A confidence set is
a function of the records alone: it can be taken again under another alpha without the data, and its
running intersection is known. Totals are exact (``exact.py``), so the state does not depend on how
the stream was cut into blocks.

What is recorded, by tail:

* ``bernoulli``: successes;
* ``bounded(lo, hi)``: sums of the first four powers of (x - lo)/(hi - lo), then of (hi - x)/(hi - lo),
  each computed to a few roundings and summed exactly;
* ``sub_gaussian``: the sum of x, rounded once;
* ``variance_at_most``: see ``heavy.py``; sums since the previous checkpoint, about a pivot fixed
  there, by bands of |x - pivot|;
* ``distribution``: see ``bins.py``; only the counts by bin, no records, because a histogram a
  checkpoint would not be small.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from theorycheck.stats import bets, bins, heavy
from theorycheck.stats.exact import exact_sum, from_text, rounded, to_text
from theorycheck.stats.schedule import (
    FIRST_CHECKPOINT,
    checkpoints,
    last_checkpoint,
    next_checkpoint,
)
from theorycheck.stats.tails import REFUSAL, Tail, checked

Record = tuple[Any, ...]


@dataclass(frozen=True)
class MeanState:
    """Evidence about one mean: plain numbers, equal bits for equal streams.

    Attributes:
        tail: the declared assumption.
        n: replicates seen.
        totals: exact totals, in units of 2**-1074 or as counts (meaning depends on the tail).
        pivot: for ``variance_at_most``, where the current epoch's values are measured from.
        pilot: for ``variance_at_most``, the first values, until the pivot is set.
        records: one tuple ``(n, ...)`` a checkpoint reached.
        bins: for ``distribution``, ``(bin, count)`` of all values, in order.
    """

    tail: Tail
    n: int = 0
    totals: tuple[int, ...] = ()
    pivot: float = 0.0
    pilot: tuple[float, ...] = ()
    records: tuple[Record, ...] = ()
    bins: tuple[tuple[int, int], ...] = ()

    def to_json(self) -> Mapping[str, object]:
        """Plain data: numbers, strings, lists; exact totals as text."""
        written = _Written(
            tail=self.tail,
            n=self.n,
            totals=tuple(to_text(t) for t in self.totals),
            pivot=self.pivot,
            pilot=self.pilot,
            records=self.records,
            bins=self.bins,
        )
        return cast(Mapping[str, object], msgspec.to_builtins(written))

    @staticmethod
    def from_json(data: object) -> MeanState:
        """Inverse of :meth:`to_json`; ValueError for other data, and if the records miss the checkpoints."""
        read = msgspec.convert(data, _Written)
        state = MeanState(
            tail=read.tail,
            n=read.n,
            totals=tuple(from_text(t) for t in read.totals),
            pivot=read.pivot,
            pilot=read.pilot,
            records=tuple(_frozen(r) for r in read.records),
            bins=read.bins,
        )
        for record, n in zip(state.records, checkpoints(), strict=False):
            if record[0] != n:
                raise ValueError(f"record at n = {record[0]} where checkpoint {n} was due")
            if not _possible(state.tail.kind, record):
                raise ValueError(f"impossible sums in the record at n = {n}: {record[1:]!r}")
        if state.tail.kind == "distribution":
            if sum(count for _, count in state.bins) != state.n:
                raise ValueError("the counts by bin do not add up to n")
            return state
        if last_checkpoint(state.n) != (state.records[-1][0] if state.records else 0):
            raise ValueError(f"the records do not reach the last checkpoint before n = {state.n}")
        return state


class _Written(msgspec.Struct, frozen=True, kw_only=True):
    """A state as plain data, field by field."""

    tail: Tail
    n: int
    totals: tuple[str, ...]
    pivot: float
    pilot: tuple[float, ...]
    records: tuple[tuple[Any, ...], ...]
    bins: tuple[tuple[int, int], ...]


def _possible(kind: str, record: Record) -> bool:
    n, *sums = record
    if kind == "bernoulli":
        return len(sums) == 1 and isinstance(sums[0], int) and 0 <= sums[0] <= n
    if kind == "bounded":
        # Every power of a value in [0, 1] is in [0, 1]; roundings are smaller than 1e-12.
        return len(sums) == 2 * bets.POWERS and all(0.0 <= s <= n * (1.0 + 1e-12) for s in sums)
    return math.isfinite(sums[0])


def evidence_at(state: MeanState, n: int) -> MeanState:
    """What a stream that went on to ``state`` had recorded after ``n`` replicates.

    It can be judged, not continued: the running totals are left out. So a run that stops earlier
    than one before it sees exactly what it would have seen alone.

    Raises ValueError where that is not known: ``n`` beyond the stream, or counts by bin (which keep
    no records) at any other ``n`` than their own.
    """
    if n == state.n and state.tail.kind == "distribution":
        return state
    if n > state.n or state.tail.kind == "distribution":
        raise ValueError(f"the evidence at n = {n} is not in a state at n = {state.n}")
    records = tuple(r for r in state.records if r[0] <= n)
    return MeanState(state.tail, n, records=records)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value


def new_state(tail: Tail) -> MeanState:
    """The state before any replicate. Raises ValueError when no tail is declared."""
    if not isinstance(tail, Tail):
        raise ValueError(REFUSAL)
    return MeanState(tail)


def update(state: MeanState, values: NDArray[Any]) -> MeanState:
    """The state after more replicates (any shape, read in C order; float, integer or bool).

    Cutting a stream into other blocks gives the same state, bit for bit.

    Raises:
        ValueError: values that are no finite real numbers.
        AssumptionBroken: a value outside the declared range.
    """
    x = checked(state.tail, values)
    if state.tail.kind == "distribution":
        return replace(
            state, n=state.n + x.size, bins=bins.merged(state.bins, x, state.tail.params)
        )
    start = 0
    while start < x.size:
        due = next_checkpoint(state.n)
        part = x[start : start + due - state.n]
        start += part.size
        state = _absorb(state, part)
        if state.n == due:
            state = _record(state)
    return state


def _absorb(state: MeanState, x: NDArray[np.float64]) -> MeanState:
    kind = state.tail.kind
    pilot = state.pilot
    if kind == "bernoulli":
        added: tuple[int, ...] = (int(np.count_nonzero(x)),)
    elif kind == "bounded":
        lo, hi = state.tail.params
        added = (*_power_sums((x - lo) / (hi - lo)), *_power_sums((hi - x) / (hi - lo)))
    elif kind == "sub_gaussian":
        added = (exact_sum(x),)
    elif state.n < FIRST_CHECKPOINT:
        pilot, added = pilot + tuple(x.tolist()), ()
    else:
        added = heavy.band_totals(x, state.pivot, state.tail.params[0])
    totals = state.totals or (0,) * len(added)
    return replace(
        state,
        n=state.n + x.size,
        totals=tuple(t + a for t, a in zip(totals, added, strict=True)),
        pilot=pilot,
    )


def _power_sums(x: NDArray[np.float64]) -> list[int]:
    sums, power = [exact_sum(x)], x
    for _ in range(bets.POWERS - 1):
        power = power * x
        sums.append(exact_sum(power))
    return sums


def _record(state: MeanState) -> MeanState:
    kind = state.tail.kind
    if kind == "variance_at_most":
        var = state.tail.params[0]
        if state.n == FIRST_CHECKPOINT:
            record: Record = (state.n, heavy.first_pivot(state.pilot), ())
        else:
            record = (state.n, state.pivot, heavy.band_record(state.totals))
        records = (*state.records, record)
        pivot = record[1] if len(records) == 1 else heavy.next_pivot(records, var)
        return replace(state, totals=(), pivot=pivot, pilot=(), records=records)
    if kind == "bernoulli":
        return replace(state, records=(*state.records, (state.n, *state.totals)))
    sums = tuple(rounded(t) for t in state.totals)
    return replace(state, records=(*state.records, (state.n, *sums)))
