"""``up_to_constant``: a bound or an equality that holds up to a constant which nobody states.

No finite data refute "there is a constant C", so this relation never fails. It reports the implied
constant, measured / closed form, over a sweep of every parameter that the constant must not depend on,
and whether it is flat or moves:

- *pass*, rung ``fitted``: the constant is settled by the equivalence test of
  `theorycheck.relations.sweep`: no stretch of the sweep moves more than the model admits, and what is
  still to come beyond the last size is, at its upper limit, at most the target in log C. For
  ``at_most`` only growth counts against the claim (a bound that gets looser is still a bound): what is
  followed is the largest constant so far; for ``at_least`` the smallest so far, for ``equals`` the
  constant itself. The resolution is the largest power of the parameter, in the direction that counts,
  with which the constant may yet move under the model: "settled" tests what is still to come against the
  target, not against zero. Logarithmic factors that are not told from a constant are named;
- *inconclusive* otherwise, with the trend: "C grows as d**0.5" is evidence against the claim, where
  the slope is inconsistent with a constant under the finite-size model, and no refutation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from theorycheck.entries.parts import Resolution
from theorycheck.relations.base import Decision, Relation, Row, TargetResolutions, undefined
from theorycheck.relations.scaling import moves_on, unresolved
from theorycheck.relations.sweep import (
    MODEL,
    Sweep,
    SweepError,
    crossover,
    powers_left,
    reach,
    refuted_powers,
    sweeps,
    unsteady,
)

_SIDES = {"at_most": (1,), "at_least": (-1,), "equals": (1, -1)}
"""Directions of the implied constant that count against the claim."""


class _Look(NamedTuple):
    """One sweep: its trend in words, the log of what may still be to come against the claim, whether the
    constant is settled, whether it surely moves on, the largest power that is left, the logarithmic
    factors that are."""

    trend: str
    ahead: float
    settled: bool
    moving: bool
    reach: float
    logs: list[str]


@dataclass(frozen=True)
class UpToConstant:
    """See the module's docstring. ``in_``: names of the parameters that are swept."""

    inner: Relation
    in_: tuple[str, ...]
    name: str = "up_to_constant"
    one_sided: bool = True
    pointwise: bool = False
    attains: bool = False
    strict: bool = False
    sign: int = 0
    rung: str = "fitted"

    def text(self, left: str, right: str) -> str:
        return self.inner.text(left, f"C {right}") + f" with C free of {', '.join(self.in_)}"

    def on_side(self, side: str) -> Relation:
        return UpToConstant(self.inner.on_side(side), self.in_)

    def decide(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        try:
            found = [(name, s) for name in self.in_ for s in sweeps(rows, name)]
        except SweepError as error:
            return error.decision
        low = min(s.constants()[0] for _, s in found)
        high = max(s.constants()[1] for _, s in found)
        judged = [(self._look(name, s, targets), s) for name, s in found]
        extra = {
            "model": MODEL,
            "constant": (low, high),
            "trends": [look.trend for look, _ in judged],
        }
        spread = f"C in [{low:.3g}, {high:.3g}]"
        worst, sweep = max(judged, key=lambda j: (not j[0].settled, j[0].ahead))
        place = sweep.rows[-1]
        if worst.settled:
            logs = sorted({log for look, _ in judged for log in look.logs})
            reason = f"{spread}, {worst.trend}"
            if logs:
                extra["unresolved"] = " and ".join(logs)
                reason += f"; not resolved: log; {extra['unresolved']} fits as well"
            sharpness = max(look.reach for look, _ in judged)
            resolution = Resolution(kind="exponent", value=sharpness)
            return Decision("pass", reason, decisive=place, resolution=resolution, extra=extra)
        return Decision(
            "inconclusive",
            f"not resolved: {spread}, {worst.trend}",
            f"larger {', '.join(self.in_)}",
            decisive=place,
            extra={**extra, "moving": any(look.moving for look, _ in judged)},
        )

    def rival_falls(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        """A rival whose constant surely moves on against the claim is refuted, under the model."""
        decision = self.decide(rows, targets)
        if decision.verdict == "inconclusive" and decision.extra.get("moving"):
            return Decision(
                "fail", decision.reason, decisive=decision.decisive, extra=decision.extra
            )
        return decision

    def _look(self, name: str, sweep: Sweep, targets: TargetResolutions) -> _Look:
        directions = _SIDES[self.inner.name]
        counted = sweep if len(directions) > 1 else sweep.records(directions[0])
        place = f" at {sweep.at}" if sweep.at else ""
        steady = [k for k in counted.starts() if unsteady(counted, k) is None]
        start = min(steady, key=counted.remaining, default=0)
        ahead = counted.remaining(start)
        settled = bool(steady) and ahead <= targets.exponent
        low, high = sweep.slope(sweep.half(), sweep.last)
        if refuted_powers(sweep, np.zeros(1))[0]:
            trend = f"C moves as {name}**{_between(low, high)}{place}"
        elif settled:
            trend = f"flat in {name}{place}"
        elif not steady:
            i, j = unsteady(counted) or (0, counted.last)
            trend = f"not steady between {counted.names[i]} and {counted.names[j]}{place}"
        else:
            trend = f"C may still change by a factor {np.exp(min(ahead, 50.0)):.3g}{place}"
        left = powers_left(counted, start=start)
        signs = ["+" if d > 0 else "-" for d in directions]
        return _Look(
            trend,
            ahead,
            settled,
            moves_on(counted, targets.exponent) and crossover(counted) is None,
            max(reach(left[d * left >= 0]) for d in directions),
            [
                log
                for log in unresolved(counted, name, start)
                if log.partition("**(")[2][0] in signs
            ],
        )


def _between(low: float, high: float) -> str:
    a, b = f"{low:.2g}", f"{high:.2g}"
    return a if a == b else f"[{a}, {b}]"


def up_to_constant(relation: Relation, *, in_: Any) -> Relation:
    """``at_most()``, ``at_least()`` or ``equals()`` up to a constant that is free of ``in_``.

    ``in_``: a parameter (symbol or name), or several; each is swept with the others held, so the grid
    needs at least five values of each. Raises ValueError for other relations.
    """
    if relation.name not in _SIDES or relation.strict:
        raise ValueError(f"up_to_constant: {', '.join(_SIDES)} only, got {relation.name}")
    several = isinstance(in_, Iterable) and not isinstance(in_, str)
    names = tuple(str(s) for s in in_) if several else (str(in_),)
    if not names:
        raise ValueError("up_to_constant: name the parameters in in_")
    return UpToConstant(relation, names)


__all__ = ["UpToConstant", "up_to_constant"]
