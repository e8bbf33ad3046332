"""``up_to_constant``: a bound or an equality that holds up to a constant which nobody states.

No finite data refute "there is a constant C", so this relation never fails. It reports the implied
constant, measured / closed form, over a sweep of every parameter that the constant must not depend on,
and whether it is flat or moves:

- *pass*, rung ``fitted``: the constant is settled by the equivalence test of
  `theorycheck.relations.sweep`: what is still to come beyond the last size is, at its upper limit, at
  most the target in log C. For ``at_most`` only growth counts against the claim (a bound that gets
  looser is still a bound), for ``at_least`` only decline, for ``equals`` both. The resolution is the
  largest power of the parameter, in the direction that counts, with which the constant may yet move
  under the model: "settled" tests what is still to come against the target, not against zero;
- *inconclusive* otherwise, with the trend: "C grows as d**0.5" is evidence against the claim, where
  the slope is inconsistent with a constant under the finite-size model, and no refutation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from theorycheck.relations.base import Decision, Goal, Relation, Row, undefined
from theorycheck.relations.sweep import (
    MODEL,
    Sweep,
    SweepError,
    powers_left,
    reach,
    refuted_powers,
    sweeps,
)

_SIDES = {"at_most": (1,), "at_least": (-1,), "equals": (1, -1)}
"""Directions of the implied constant that count against the claim."""


@dataclass(frozen=True)
class UpToConstant:
    """See the module's docstring. ``in_``: names of the parameters that are swept."""

    inner: Relation
    in_: tuple[str, ...]
    name: str = "up_to_constant"
    one_sided: bool = True
    pointwise: bool = False
    sign: int = 0
    rung: str = "fitted"

    def text(self, left: str, right: str) -> str:
        return self.inner.text(left, f"C {right}") + f" with C free of {', '.join(self.in_)}"

    def on_side(self, side: str) -> Relation:
        return UpToConstant(self.inner.on_side(side), self.in_)

    def decide(self, rows: Sequence[Row], goal: Goal) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        try:
            found = [(name, s) for name in self.in_ for s in sweeps(rows, name)]
        except SweepError as error:
            return Decision("inconclusive", str(error), "more sizes, or more samples")
        low = min(s.constants()[0] for _, s in found)
        high = max(s.constants()[1] for _, s in found)
        judged = [(*self._trend(name, s, goal), s) for name, s in found]
        extra = {
            "model": MODEL,
            "constant": (low, high),
            "trends": [trend for _, trend, _ in judged],
        }
        spread = f"C in [{low:.3g}, {high:.3g}]"
        worst = max(judged, key=lambda j: j[0])
        if worst[0] <= goal.exponent:
            return Decision(
                "pass",
                f"{spread}, {worst[1]}",
                decisive=worst[2].rows[-1],
                resolution={"kind": "exponent", "value": max(self._reach(s) for _, s in found)},
                extra=extra,
            )
        return Decision(
            "inconclusive",
            f"not resolved: {spread}, {worst[1]}",
            f"larger {', '.join(self.in_)}",
            decisive=worst[2].rows[-1],
            extra=extra,
        )

    def rival_falls(self, rows: Sequence[Row], goal: Goal) -> Decision:
        """A rival whose constant surely moves against the claim is refuted, under the model."""
        decision = self.decide(rows, goal)
        moving = any("moves as" in str(t) for t in decision.extra.get("trends", ()))
        if decision.verdict == "inconclusive" and moving:
            return Decision(
                "fail", decision.reason, decisive=decision.decisive, extra=decision.extra
            )
        return decision

    def _reach(self, sweep: Sweep) -> float:
        """Largest power, in a direction that counts against the claim, that the rows leave."""
        left = powers_left(sweep)
        return max(reach(left[direction * left >= 0]) for direction in _SIDES[self.inner.name])

    def _trend(self, name: str, sweep: Sweep, goal: Goal) -> tuple[float, str]:
        """(log of what may still be to come against the claim, the trend in words)."""
        low, high = sweep.slope(sweep.last_half, len(sweep.size) - 1)
        against = max(
            sweep.drift(max(direction * end, 0.0), 0.0)
            for direction in _SIDES[self.inner.name]
            for end in (low, high)
        )
        place = f" at {sweep.at}" if sweep.at else ""
        if refuted_powers(sweep, np.zeros(1))[0]:
            return against, f"C moves as {name}**{_between(low, high)}{place}"
        if against <= goal.exponent:
            return against, f"flat in {name}{place}"
        return against, f"C may still change by a factor {np.exp(min(against, 50.0)):.3g}{place}"


def _between(low: float, high: float) -> str:
    a, b = f"{low:.2g}", f"{high:.2g}"
    return a if a == b else f"[{a}, {b}]"


def up_to_constant(relation: Relation, *, in_: Any) -> Relation:
    """``at_most()``, ``at_least()`` or ``equals()`` up to a constant that is free of ``in_``.

    ``in_``: a parameter (symbol or name), or several; each is swept with the others held, so the grid
    needs at least five values of each. Raises ValueError for other relations.
    """
    if relation.name not in _SIDES:
        raise ValueError(f"up_to_constant: {', '.join(_SIDES)} only, got {relation.name}")
    several = isinstance(in_, Iterable) and not isinstance(in_, str)
    names = tuple(str(s) for s in in_) if several else (str(in_),)
    if not names:
        raise ValueError("up_to_constant: name the parameters in in_")
    return UpToConstant(relation, names)


__all__ = ["UpToConstant", "up_to_constant"]
