"""``at_most``, ``at_least`` and ``holds_with_probability``: one-sided relations.

Rule for ``at_most b`` (``at_least`` is its mirror image). With [L_j, U_j] = C_j:

- *fail* if some L_j > b_j;
- *pass* if every U_j <= b_j, or equality is proved there;
- *touching*: L_j <= b_j <= U_j <= b_j + rho* s_j counts as a pass that reports "violation at most
  rho"; a bound that is attained can never be seen from strictly below by an inexact look;
- otherwise *inconclusive*.

Tightness tau = max L_j / b_j says how close the evidence comes to the bound: the bound kappa * b is
refuted exactly for kappa < tau. Slack is what is left of it: kappa >= max U_j / b_j is known to hold.

``holds_with_probability``: the closed form is the allowed failure probability delta, the measured
quantity the probability of failure. It is ``at_most`` without touching: U(q) <= delta passes, which
needs about ln(1/alpha_j)/delta samples without a failure; L(q) > delta fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from theorycheck.relations.base import (
    Decision,
    Goal,
    Relation,
    Row,
    as_float,
    kind_of_resolution,
    undefined,
)


@dataclass(frozen=True)
class Bound:
    """One-sided comparison; ``sign`` is 1 for at_most and -1 for at_least."""

    name: str
    sign: int
    touching: bool = True
    one_sided: bool = True
    pointwise: bool = True

    def text(self, left: str, right: str) -> str:
        if self.name == "holds_with_probability":
            return f"P(not {left}) <= {right}"
        return f"{left} {'<=' if self.sign > 0 else '>='} {right}"

    def on_side(self, side: str) -> Relation:
        return self

    def _ends(self, row: Row) -> tuple[fmpq, fmpq]:
        """(surely, possibly) passed over the bound, in units of the scale; > 0 is a violation."""
        if row.equal:
            return fmpq(0), fmpq(0)
        m, b = row.measured, row.target
        if self.sign > 0:
            return (m.lo - b.hi) / row.scale, (m.hi - b.lo) / row.scale
        return (b.lo - m.hi) / row.scale, (b.hi - m.lo) / row.scale

    def decide(self, rows: Sequence[Row], goal: Goal) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        worst, index = fmpq(0), None
        possible, where = fmpq(0), None
        for i, row in enumerate(rows):
            surely, possibly = self._ends(row)
            if surely > worst:
                worst, index = surely, i
            if possibly > possible:
                possible, where = possibly, i
        if index is not None:
            return Decision("fail", "the bound is passed", decisive=index)
        tightness = self._tightness(rows)
        if where is None:
            return Decision("pass", decisive=tightness["row"], tightness=tightness)
        reach = as_float(possible)
        row = rows[where]
        if self.touching and reach <= goal.of(row.rung):
            extra = {"violation_at_most": reach, "kind": kind_of_resolution(rows)}
            return Decision("pass", decisive=where, tightness=tightness, extra=extra)
        return Decision(
            "inconclusive",
            ("budget" if row.samples else "ball")
            + f": the bound may be passed by {reach:.2g} of its size",
            "more samples" if row.samples else "higher precision",
            decisive=where,
            tightness=tightness,
        )

    def _tightness(self, rows: Sequence[Row]) -> dict[str, Any]:
        """tau = max measured/bound for at_most, max bound/measured for at_least; 1 is attained."""
        best: fmpq | None = None
        upper: fmpq | None = None
        index = 0
        for i, row in enumerate(rows):
            m, b = row.measured, row.target
            if row.equal:
                low = high = fmpq(1)
            elif self.sign > 0:
                if b.lo <= 0:
                    continue
                low, high = m.lo / b.hi, m.hi / b.lo
            else:
                if m.lo <= 0:
                    continue
                low, high = b.lo / m.hi, b.hi / m.lo
            if best is None or low > best:
                best, index = low, i
            upper = high if upper is None or high > upper else upper
        return {
            "value": None if best is None else as_float(best),
            "slack_from": None if upper is None else as_float(upper),
            "row": index,
        }

    def rival_falls(self, rows: Sequence[Row], goal: Goal) -> Decision:
        return self.decide(rows, goal)


def at_most() -> Relation:
    """The measured quantity never passes the closed form."""
    return Bound("at_most", 1)


def at_least() -> Relation:
    """The measured quantity never falls below the closed form."""
    return Bound("at_least", -1)


def holds_with_probability() -> Relation:
    """The measured probability of failure is at most the closed form delta."""
    return Bound("holds_with_probability", 1, touching=False)
