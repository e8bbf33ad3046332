"""The sufficient state of a stream of replicates, recorded at fixed checkpoints.

Decisions are taken only at the counts n_k = ceil(64 * 1.25**k), so the state keeps one short record
a checkpoint (about 10 a decade of samples) and the exact running totals since. A confidence set is
a function of the records alone: it can be taken again under another alpha without the data, and its
running intersection is known. Totals are exact (``exact.py``), so the state does not depend on how
the stream was cut into blocks.

What is recorded, by tail:

* ``bernoulli``: successes;
* ``bounded(lo, hi)``: sums of d = fl(x - lo) and of fl(d * d), rounded once;
* ``sub_gaussian``: the sum of x, rounded once;
* ``variance_at_most``: see ``heavy.py``; sums since the previous checkpoint, about a pivot fixed
  there, by bands of |x - pivot|.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theorycheck.stats import heavy
from theorycheck.stats.exact import exact_sum, from_text, rounded, to_text
from theorycheck.stats.tails import REFUSAL, Tail, checked

FIRST_CHECKPOINT = 64
# A stop is at most a quarter later than it could be; the mean loss is about an eighth.
GROWTH = Fraction(5, 4)

Record = tuple[Any, ...]


def checkpoints() -> Iterator[int]:
    """The counts ceil(64 * 1.25**k), k = 0, 1, ..., without end: 64, 80, 100, 125, 157, ..."""
    exact = Fraction(FIRST_CHECKPOINT)
    while True:
        yield math.ceil(exact)
        exact *= GROWTH


def last_checkpoint(budget: int) -> int:
    """The largest checkpoint that is at most ``budget``; 0 if there is none."""
    last = 0
    for n in checkpoints():
        if n > budget:
            return last
        last = n
    raise RuntimeError("unreachable: checkpoints never end")


def next_checkpoint(n: int) -> int:
    """The smallest checkpoint larger than ``n``."""
    return next(c for c in checkpoints() if c > n)


@dataclass(frozen=True)
class State:
    """Evidence about one mean: plain numbers, equal bits for equal streams.

    Attributes:
        tail: the declared assumption.
        n: replicates seen.
        totals: exact totals, in units of 2**-1074 or as counts (meaning depends on the tail).
        pivot: for ``variance_at_most``, where the current epoch's values are measured from.
        pilot: for ``variance_at_most``, the first values, until the pivot is set.
        records: one tuple ``(n, ...)`` a checkpoint reached.
    """

    tail: Tail
    n: int = 0
    totals: tuple[int, ...] = ()
    pivot: float = 0.0
    pilot: tuple[float, ...] = ()
    records: tuple[Record, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data: numbers, strings, lists; exact totals as text."""
        return {
            "tail": self.tail.to_json(),
            "n": self.n,
            "totals": [to_text(t) for t in self.totals],
            "pivot": self.pivot,
            "pilot": list(self.pilot),
            "records": [list(r) for r in self.records],
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> State:
        """Inverse of :meth:`to_json`; ValueError if the records miss the checkpoints."""
        state = State(
            tail=Tail.from_json(data["tail"]),
            n=int(data["n"]),
            totals=tuple(from_text(t) for t in data["totals"]),
            pivot=float(data["pivot"]),
            pilot=tuple(float(v) for v in data["pilot"]),
            records=tuple(_frozen(r) for r in data["records"]),
        )
        for record, n in zip(state.records, checkpoints(), strict=False):
            if record[0] != n:
                raise ValueError(f"record at n = {record[0]} where checkpoint {n} was due")
        if last_checkpoint(state.n) != (state.records[-1][0] if state.records else 0):
            raise ValueError(f"the records do not reach the last checkpoint before n = {state.n}")
        return state


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value


def new_state(tail: Tail) -> State:
    """The state before any replicate. Raises ValueError when no tail is declared."""
    if not isinstance(tail, Tail):
        raise ValueError(REFUSAL)
    return State(tail)


def update(state: State, values: NDArray[Any]) -> State:
    """The state after more replicates (any shape, read in C order; float, integer or bool).

    Cutting a stream into other blocks gives the same state, bit for bit.

    Raises:
        ValueError: values that are no finite real numbers.
        AssumptionBroken: a value outside the declared range.
    """
    x = checked(state.tail, values)
    start = 0
    while start < x.size:
        due = next_checkpoint(state.n)
        part = x[start : start + due - state.n]
        start += part.size
        state = _absorb(state, part)
        if state.n == due:
            state = _record(state)
    return state


def _absorb(state: State, x: NDArray[np.float64]) -> State:
    kind = state.tail.kind
    pilot = state.pilot
    if kind == "bernoulli":
        added: tuple[int, ...] = (int(np.count_nonzero(x)),)
    elif kind == "bounded":
        d = x - state.tail.params[0]
        added = (exact_sum(d), exact_sum(d * d))
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


def _record(state: State) -> State:
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
