"""``converges_to`` and ``decays_as``: statements about a limit.

``converges_to``: the closed form is the limit L of the measured quantity f as a parameter goes to oo or
0. With no rate stated no finite data refute it (f may turn after the last size), so it never fails. A
rate with its constant is ``at_most`` on |f - L|; a rate without is ``decays_as``.

Under the finite-size model of `theorycheck.relations.sweep`, applied to f itself (df/dlog n falls at
least as fast as n**(-1/4) and the sweep has seen its size), what is still to come beyond the last size
is at most

    R = D n_m^{-1/4} / (n_b^{-1/4} - n_m^{-1/4}),

where D is the largest difference, at its upper limit, between any two sizes of the last half, which
begins at n_b. The limit then lies in f(n_m) +- R. As there, the whole sweep is looked at: where some
stretch of it, in the middle or at the end, moves more than the model admits, nothing is said of a limit
(what exceeds it by less than the target resolution is let pass, and R is at
least that much; the first two stretches show the size of the corrections, where for laws one does); and the model may
hold from a later size on, whichever makes R smallest.

- *pass*, rung ``fitted``: that interval lies inside L +- rho* s, with rho* the target resolution of a
  sampled look and s = |L| or the declared unit; its farther end is the resolution;
- *inconclusive* otherwise: "not steady" where f oscillates or jumps, "tends elsewhere" where the interval
  excludes L, else "still moving".

``decays_as``: the closed form is the rate, up to a constant, at which the measured quantity falls: the
rule of ``scales_as``, on a law that must fall along the sweep (a rate that does not, from each size to
the next over the last half, is vacuous).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from theorycheck.entries.parts import Cause, Resolution
from theorycheck.numbers.domain import point_key
from theorycheck.relations.base import (
    Decision,
    Fitted,
    Relation,
    Row,
    TargetResolutions,
    as_float,
    undefined,
)
from theorycheck.relations.scaling import Scales, scales_as
from theorycheck.relations.sweep import (
    FEWEST,
    MODEL,
    Floats,
    Track,
    excess,
    unsteady,
)


@dataclass(frozen=True)
class Converges(Fitted):
    """See the module's docstring."""

    in_: str
    to: str = "oo"
    name: str = "converges_to"

    def text(self, left: str, right: str) -> str:
        return f"{left} -> {right} as {self.in_} -> {self.to}"

    def decide(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        groups: dict[Any, dict[int, Fraction]] = {}
        for i, row in enumerate(rows):
            value = row.point.get(self.in_)
            if not isinstance(value, int | Fraction) or value == 0:
                reason = f"vacuous: {self.in_} has no size at a tried point"
                return Decision("inconclusive", reason, cause=Cause.VACUOUS)
            others = {k: v for k, v in row.point.items() if k != self.in_}
            of = groups.setdefault((point_key(others), row.instance, row.component), {})
            of[i] = abs(Fraction(value)) if self.to == "oo" else 1 / abs(Fraction(value))
        decisions = [self._judge(rows, sizes, targets, key[0]) for key, sizes in groups.items()]
        order = {"fail": 0, "inconclusive": 1, "pass": 2}
        return min(decisions, key=lambda d: (order[d.verdict], -_value(d)))

    def rival_falls(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        """A rival limit is refuted, under the model, where the interval of the limit excludes it."""
        decision = self.decide(rows, targets)
        if decision.extra.get("elsewhere"):
            return Decision(
                "fail", decision.reason, decisive=decision.decisive, extra=decision.extra
            )
        return decision

    def _judge(
        self, rows: Sequence[Row], size: Mapping[int, Fraction], targets: TargetResolutions, at: str
    ) -> Decision:
        if len(size) < FEWEST:
            return Decision(
                "inconclusive",
                f"sizes: {len(size)} of {self.in_}, at least {FEWEST} are needed",
                "more sizes",
            )
        track = _track(rows, size, self.in_, at, targets.sampled)
        last = rows[track.rows[-1]]
        steady = [k for k in track.starts() if unsteady(track, k) is None]
        ahead = [max(track.remaining(k), float(excess(track, k).max())) for k in steady]
        if not ahead:
            return self._unsteady(track)
        if not math.isfinite(min(ahead)):
            return Decision("inconclusive", "not resolved: still moving", f"larger {self.in_}")
        rest = fmpq(*min(ahead).as_integer_ratio()) * last.scale
        limit_low, limit_high = last.measured.lo - rest, last.measured.hi + rest
        target = last.target
        nearest = (target.lo - limit_high) / last.scale, (limit_low - target.hi) / last.scale
        away = max(as_float(v) for v in nearest)
        reach = max(
            abs(as_float((limit_high - target.lo) / last.scale)),
            abs(as_float((target.hi - limit_low) / last.scale)),
        )
        kind = "absolute" if last.unit is not None else "relative"
        extra: dict[str, object] = {
            "model": MODEL,
            "limit": (as_float(limit_low), as_float(limit_high)),
        }
        resolution = Resolution(kind=kind, value=reach)
        place = track.rows[-1]
        if away > 0:
            extra["elsewhere"] = True
            reason = (
                f"not resolved: tends elsewhere, to [{as_float(limit_low):.6g}, "
                f"{as_float(limit_high):.6g}] under the model ({MODEL})"
            )
            return Decision("inconclusive", reason, f"larger {self.in_}", place, extra=extra)
        if reach <= targets.sampled:
            return Decision("pass", decisive=place, resolution=resolution, extra=extra)
        return Decision(
            "inconclusive",
            f"not resolved: still moving, the limit is known to {reach:.2g}, "
            f"asked for {targets.sampled:.2g}",
            "larger sizes" + (" or more samples" if last.samples else ""),
            place,
            resolution=resolution,
            extra=extra,
        )

    def _unsteady(self, track: Track) -> Decision:
        jump = unsteady(track)
        between = ""
        if jump is not None:
            between = (
                f"; between {track.names[jump[0]]} and {track.names[jump[1]]} it moves more than"
            )
            between += " what settles can"
        return Decision(
            "inconclusive",
            f"not resolved: not steady{between} ({MODEL})",
            f"sizes between these, and larger {self.in_}",
            track.rows[-1],
            extra={"model": MODEL},
        )


@dataclass(frozen=True)
class _Values(Track):
    """The quantity itself, less its limit, in units of its scale. ``below``: what may be ignored."""

    below: float

    @property
    def seen(self) -> int:
        return 2  # partial sums swing: one stretch may begin and end on the same side

    def slack(self, i: Any, j: Any) -> Floats:
        return np.asarray(np.full(np.shape(i), self.below))


def _track(
    rows: Sequence[Row], size: Mapping[int, Fraction], name: str, at: str, below: float
) -> _Values:
    order = sorted(size, key=lambda i: size[i])
    last = rows[order[-1]]
    centre, scale = last.target.mid, last.scale
    ends = [
        ((rows[i].measured.lo - centre) / scale, (rows[i].measured.hi - centre) / scale)
        for i in order
    ]
    return _Values(
        np.array([math.log(size[i]) for i in order]),
        np.array([_outward(low, -math.inf) for low, _ in ends]),
        np.array([_outward(high, math.inf) for _, high in ends]),
        tuple(order),
        tuple(f"{name}={rows[i].point[name]}" for i in order),
        at,
        below,
    )


def _outward(value: fmpq, end: float) -> float:
    return math.nextafter(as_float(value), end) if value else 0.0


def _value(d: Decision) -> float:
    return 0.0 if d.resolution is None else d.resolution.value


@dataclass(frozen=True)
class Decays(Fitted):
    """``scales_as`` for a rate that must fall along the sweep."""

    scales: Scales
    name: str = "decays_as"

    def text(self, left: str, right: str) -> str:
        return f"{left} falls like {right} as {self.scales.in_} -> {self.scales.to}"

    def decide(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        if not all(map(_falls, self._rates(rows))):
            reason = "vacuous: the rate does not fall along the sweep"
            return Decision("inconclusive", reason, cause=Cause.VACUOUS)
        return self.scales.decide(rows, targets)

    def _rates(self, rows: Sequence[Row]) -> list[list[tuple[Fraction, fmpq]]]:
        """(size, rate) along every sweep, the smallest size first."""
        groups: dict[Any, list[tuple[Fraction, fmpq]]] = {}
        for row in rows:
            value = row.point.get(self.scales.in_)
            if isinstance(value, int | Fraction) and value > 0:
                others = {k: v for k, v in row.point.items() if k != self.scales.in_}
                size = Fraction(value) if self.scales.to == "oo" else 1 / Fraction(value)
                place = (point_key(others), row.instance, row.component)
                groups.setdefault(place, []).append((size, abs(row.target.mid)))
        return [sorted(rates, key=lambda pair: pair[0]) for rates in groups.values()]

    def rival_falls(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        return self.decide(rows, targets)


def _falls(rates: Sequence[tuple[Fraction, fmpq]]) -> bool:
    """Whether a rate ends smaller, and falls from each size to the next over the last half."""
    late = rates[(len(rates) - 1) // 2 :]
    return rates[-1][1] < rates[0][1] and all(b < a for (_, a), (_, b) in pairwise(late))


def converges_to(in_: Any = "n", *, to: Any = "oo") -> Relation:
    """The closed form is the limit of the measured quantity as ``in_`` goes to ``to`` (oo or 0)."""
    if str(to) not in ("oo", "0"):
        raise ValueError(f"to: a parameter goes to oo or 0, got {to!r}")
    return Converges(str(in_), str(to))


def decays_as(in_: Any = "n", *, to: Any = "oo", delta: Fraction | float | None = None) -> Relation:
    """The measured quantity falls like the closed form, up to a constant. Options of `scales_as`."""
    scales = scales_as(in_, to=to, delta=delta)
    if not isinstance(scales, Scales):
        raise TypeError("scales_as returned another relation")
    return Decays(scales)


__all__ = ["Converges", "Decays", "converges_to", "decays_as"]
