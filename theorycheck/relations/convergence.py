"""``converges_to`` and ``decays_as``: statements about a limit.

``converges_to``: the closed form is the limit L of the measured quantity f as a parameter goes to oo or
0. With no rate stated no finite data refute it (f may turn after the last size), so it never fails. A
rate with its constant is ``at_most`` on |f - L|; a rate without is ``decays_as``.

Under the finite-size model of `theorycheck.relations.sweep`, applied to f itself (df/dlog n falls at
least as fast as n**(-1/4) and the sweep has seen its size), what is still to come beyond the last size
is at most

    R = |f(n_m) - f(n_b)| * n_m**(-1/4) / (n_b**(-1/4) - n_m**(-1/4)),

with b the start of the last half of the sweep. The limit then lies in f(n_m) +- R.

- *pass*, rung ``fitted``: that interval lies inside L +- rho* s, with rho* the target resolution of a
  sampled look and s = |L| or the declared unit; its farther end is the resolution;
- *inconclusive* otherwise: "tends elsewhere" where the interval excludes L, else "still moving".

``decays_as``: the closed form is the rate, up to a constant, at which the measured quantity falls: the
rule of ``scales_as``, on a law that must fall along the sweep (a rate that does not is vacuous).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from theorycheck.numbers.domain import point_key
from theorycheck.relations.base import Decision, Goal, Relation, Row, as_float, undefined
from theorycheck.relations.scaling import Scales, scales_as
from theorycheck.relations.sweep import FEWEST, MODEL, OMEGA, ROUNDING


@dataclass(frozen=True)
class Converges:
    """See the module's docstring."""

    in_: str
    to: str = "oo"
    name: str = "converges_to"
    one_sided: bool = True  # never fails, so no mutant could fall
    pointwise: bool = False
    sign: int = 0
    rung: str = "fitted"

    def text(self, left: str, right: str) -> str:
        return f"{left} -> {right} as {self.in_} -> {self.to}"

    def on_side(self, side: str) -> Relation:
        return self

    def decide(self, rows: Sequence[Row], goal: Goal) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        groups: dict[Any, dict[int, Fraction]] = {}
        for i, row in enumerate(rows):
            value = row.point.get(self.in_)
            if not isinstance(value, int | Fraction) or value == 0:
                return Decision("inconclusive", f"vacuous: {self.in_} has no size at a tried point")
            others = {k: v for k, v in row.point.items() if k != self.in_}
            of = groups.setdefault((point_key(others), row.instance, row.component), {})
            of[i] = abs(Fraction(value)) if self.to == "oo" else 1 / abs(Fraction(value))
        decisions = [self._judge(rows, sizes, goal) for sizes in groups.values()]
        order = {"fail": 0, "inconclusive": 1, "pass": 2}
        return min(decisions, key=lambda d: (order[d.verdict], -_value(d)))

    def rival_falls(self, rows: Sequence[Row], goal: Goal) -> Decision:
        """A rival limit is refuted, under the model, where the interval of the limit excludes it."""
        decision = self.decide(rows, goal)
        if decision.extra.get("elsewhere"):
            return Decision(
                "fail", decision.reason, decisive=decision.decisive, extra=decision.extra
            )
        return decision

    def _judge(self, rows: Sequence[Row], size: Mapping[int, Fraction], goal: Goal) -> Decision:
        order = sorted(size, key=lambda i: size[i])
        if len(order) < FEWEST:
            return Decision(
                "inconclusive",
                f"sizes: {len(order)} of {self.in_}, at least {FEWEST} are needed",
                "more sizes",
            )
        sizes = [math.log(size[i]) for i in order]
        middle = (sizes[0] + sizes[-1]) / 2
        begin = max(j for j, s in enumerate(sizes[:-1]) if s <= middle + ROUNDING)
        first, last = rows[order[begin]], rows[order[-1]]
        low, high = _remaining(first, last, sizes[begin], sizes[-1])
        limit_low, limit_high = last.measured.lo - low, last.measured.hi + high
        target = last.target
        nearest = (target.lo - limit_high) / last.scale, (limit_low - target.hi) / last.scale
        away = max(as_float(v) for v in nearest)
        reach = max(
            abs(as_float((limit_high - target.lo) / last.scale)),
            abs(as_float((target.hi - limit_low) / last.scale)),
        )
        kind = "absolute" if last.unit is not None else "relative"
        extra: dict[str, Any] = {
            "model": MODEL,
            "limit": (as_float(limit_low), as_float(limit_high)),
        }
        resolution = {"kind": kind, "value": reach}
        if away > 0:
            extra["elsewhere"] = True
            reason = (
                f"not resolved: tends elsewhere, to [{as_float(limit_low):.6g}, "
                f"{as_float(limit_high):.6g}] under the model ({MODEL})"
            )
            return Decision("inconclusive", reason, f"larger {self.in_}", order[-1], extra=extra)
        if reach <= goal.sampled:
            return Decision("pass", decisive=order[-1], resolution=resolution, extra=extra)
        return Decision(
            "inconclusive",
            f"not resolved: still moving, the limit is known to {reach:.2g}, "
            f"asked for {goal.sampled:.2g}",
            "larger sizes" + (" or more samples" if last.samples else ""),
            order[-1],
            resolution=resolution,
            extra=extra,
        )


def _remaining(first: Row, last: Row, begin: float, end: float) -> tuple[fmpq, fmpq]:
    """How far f may still (fall, rise) beyond the last size: the model's R, both ways."""
    moved = max(
        abs(last.measured.hi - first.measured.lo), abs(first.measured.hi - last.measured.lo)
    )
    factor = 1 / math.expm1(OMEGA * (end - begin))
    rest = moved * fmpq(*factor.as_integer_ratio())
    return rest, rest


def _value(d: Decision) -> float:
    return 0.0 if d.resolution is None else float(d.resolution["value"])


@dataclass(frozen=True)
class Decays:
    """``scales_as`` for a rate that must fall along the sweep."""

    scales: Scales
    name: str = "decays_as"
    one_sided: bool = True
    pointwise: bool = False
    sign: int = 0
    rung: str = "fitted"

    def text(self, left: str, right: str) -> str:
        return f"{left} falls like {right} as {self.scales.in_} -> {self.scales.to}"

    def on_side(self, side: str) -> Relation:
        return self

    def decide(self, rows: Sequence[Row], goal: Goal) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        values = [(r.point.get(self.scales.in_), abs(r.target.mid)) for r in rows]
        known = [(Fraction(v), t) for v, t in values if isinstance(v, int | Fraction) and v > 0]
        if known:
            ends = min(known, key=lambda v: v[0]), max(known, key=lambda v: v[0])
            first, last = ends if self.scales.to == "oo" else ends[::-1]
            if last[1] >= first[1]:
                return Decision("inconclusive", "vacuous: the rate does not fall along the sweep")
        return self.scales.decide(rows, goal)

    def rival_falls(self, rows: Sequence[Row], goal: Goal) -> Decision:
        return self.decide(rows, goal)


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
