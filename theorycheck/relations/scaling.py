"""``scales_as``: the measured quantity grows (or falls) like the law that the closed form gives.

The closed form is the law without its constant, ``n**2 * log(n)``, say, so rivals and other laws are
closed forms too. Let y = log(measured / law) along the sweep. The claim is that y settles. Intervals,
slopes and the finite-size model are those of `theorycheck.relations.sweep`.

- *fail*: y is inconsistent with the model: at the end it moves on faster than corrections that fall
  like n**(-1/4) could after what the earlier sizes show. The verdict is conditional on that model,
  which is printed; the rung is ``fitted``;
- *pass*: y is settled, an equivalence test: what is still to come beyond the last size is, at its
  upper limit, at most delta, the slopes over the last half and the last quarter lie inside +- delta,
  and the rivals law * n**(+-delta) and law * n**(+-1/2) are inconsistent with the rows;
- otherwise *inconclusive*. "No significant drift" is no pass: it accepts n log n for n nine times in
  ten, because sampling noise hides a slope of 1 / log n (experiment in the tests).

Logarithms. law * (log n)**(+-1) is tried as a rival too. Where the rows do not refute it, the pass
says so: exponents differ from logarithms by 1 / log n_max only. The joint set of (power, log power)
that the rows leave is reported, relative to the law; so is the implied constant over the sweep. The
exponent's resolution is the largest change of the power, logs held, that the rows do not refute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from theorycheck.relations.base import Decision, Goal, Relation, Row, undefined
from theorycheck.relations.sweep import (
    MODEL,
    Sweep,
    SweepError,
    oscillates,
    powers_left,
    reach,
    refuted_powers,
    sweeps,
)

_LOGS = (-2, -1, 0, 1, 2)


@dataclass(frozen=True)
class Scales:
    """See the module's docstring. ``in_`` is the parameter of the sweep, ``to`` where it goes."""

    in_: str
    to: str = "oo"
    delta: float | None = None
    name: str = "scales_as"
    one_sided: bool = True  # nudges say nothing where the constant is free
    pointwise: bool = False
    sign: int = 0
    rung: str = "fitted"

    def text(self, left: str, right: str) -> str:
        return f"{left} ~ C {right} as {self.in_} -> {self.to}"

    def on_side(self, side: str) -> Relation:
        return self

    def decide(self, rows: Sequence[Row], goal: Goal) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        try:
            found = sweeps(rows, self.in_, self.to)
        except SweepError as error:
            return Decision("inconclusive", str(error), "more sizes, or more samples")
        delta = goal.exponent if self.delta is None else self.delta
        decisions = [self._judge(s, delta, any(rows[i].samples for i in s.rows)) for s in found]
        order = {"fail": 0, "inconclusive": 1, "pass": 2}
        return min(decisions, key=lambda d: (order[d.verdict], -_blunt(d)))

    def rival_falls(self, rows: Sequence[Row], goal: Goal) -> Decision:
        return self.decide(rows, goal)

    def _judge(self, sweep: Sweep, delta: float, sampled: bool) -> Decision:
        left = {q: powers_left(sweep, q) for q in _logs(sweep)}
        last = sweep.rows[-1]
        extra = {
            "model": MODEL,
            "constant": sweep.constants(),
            "left": [
                {"log": q, "power": [float(a[0]), float(a[-1])]} for q, a in left.items() if len(a)
            ],
        }
        resolution = {"kind": "exponent", "value": reach(left[0])}

        def decision(verdict: str, reason: str = "", would_decide: str = "") -> Decision:
            return Decision(verdict, reason, would_decide, last, resolution=resolution, extra=extra)

        place = f" at {sweep.at}" if sweep.at else ""
        start, end = sweep.last_half, len(sweep.size) - 1
        low, high = sweep.slope(start, end)
        if refuted_powers(sweep, np.zeros(1))[0] and not oscillates(sweep):
            return decision(
                "fail",
                f"measured / law does not settle{place}: slope in [{low:.3g}, {high:.3g}] over the "
                f"last half of the sweep ({MODEL})",
            )
        drift = sweep.drift(low, high)
        quarter = sweep.slope(max(start, (start + end) // 2), end)
        if drift > delta or max(abs(quarter[0]), abs(quarter[1])) > delta:
            noisy = high - low > abs(high + low)
            return decision(
                "inconclusive",
                ("budget" if noisy and sampled else "not resolved: drift")
                + f": up to {drift:.2g} still to come{place}, asked for {delta:.2g}",
                "more samples" if noisy and sampled else f"larger {self.in_}",
            )
        alive = [
            a for a in (delta, -delta, 0.5, -0.5) if not refuted_powers(sweep, np.array([a]))[0]
        ]
        if alive:
            names = ", ".join(f"{self.in_}**({a:+.3g})" for a in alive)
            return decision(
                "inconclusive",
                f"survivor: the law times {names} fits the sweep{place} as well",
                "a longer sweep" if not sampled else "a longer sweep or more samples",
            )
        logs = [q for q in (1, -1) if q in left and not refuted_powers(sweep, np.zeros(1), q)[0]]
        if logs:
            names = " and ".join(f"(log {self.in_})**({q:+d})" for q in logs)
            extra["unresolved"] = names
            return decision("pass", f"not resolved: log; the law times {names} fits as well")
        return decision("pass")


def _logs(sweep: Sweep) -> tuple[int, ...]:
    """Log powers that can be tried: log n must be above 0 along the whole sweep."""
    return _LOGS if float(sweep.size[0]) > 0 else (0,)


def _blunt(d: Decision) -> float:
    return 0.0 if d.resolution is None else float(d.resolution["value"])


def _delta(value: Fraction | float | None) -> float | None:
    if value is not None and not 0 < value <= 0.5:
        raise ValueError(
            "delta: a tolerance of the exponent in (0, 1/2], or None for the profile's"
        )
    return None if value is None else float(value)


def scales_as(in_: Any = "n", *, to: Any = "oo", delta: Fraction | float | None = None) -> Relation:
    """The measured quantity is a constant times the closed form, as ``in_`` goes to ``to``.

    ``in_``: the parameter of the sweep (a symbol or its name); the other parameters are held.
    ``to``: oo or 0. ``delta``: tolerance of the exponent, by default the profile's target.
    The grid needs at least five sizes, best in geometric progression.
    """
    return Scales(str(in_), _end(to), _delta(delta))


def _end(to: Any) -> str:
    if str(to) not in ("oo", "0"):
        raise ValueError(f"to: a parameter goes to oo or 0, got {to!r}")
    return str(to)


__all__ = ["Scales", "scales_as"]
