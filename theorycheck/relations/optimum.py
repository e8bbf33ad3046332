"""``maximises`` and ``minimises``: the closed form is the best value that any feasible point has.

An optimum is closed from both sides, each by legs of its own (signs for a maximum):

- an *attained* leg measures feasible points. C_j above c_j is a better feasible point: *fail*. C_j
  meeting c_j within the target: attained. C_j below c_j falls short, which refutes nothing: the
  construction may be a bad one; *inconclusive (no certificate)*;
- a *certificate* leg measures upper bounds that no feasible point can pass (a dual value, Parseval,
  exhaustion). C_j below c_j: the optimum is smaller than claimed, *fail*. C_j meeting c_j: closed.
  C_j above c_j: the certificate is not tight, *inconclusive*;
- a *search* leg measures the best value found from starts that know nothing of the construction,
  rigorously evaluated at the very point found. Above c_j: *fail*. Within the target below c_j, which
  is as near as an iteration that stops comes: the positive control that the search can see. Farther
  below: *search blind*. Its resolution is the target: an optimum that is claimed larger by less than
  that would have passed as well, so the gap that was reached says nothing on that side.

With an attained leg within g1 and a certificate within g2 the optimum is known to g1 + g2. Without a
certificate the strongest rung is ``searched``; with certificates alone there is no pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from theorycheck.entries.parts import Resolution
from theorycheck.relations.base import (
    Decision,
    Relation,
    Row,
    TargetResolutions,
    as_float,
    kind_of_resolution,
    undefined,
)
from theorycheck.relations.equality import Equals, deviation, worst_violation


@dataclass(frozen=True)
class Optimum:
    """One side of an optimum; ``sign`` 1 for a maximum, -1 for a minimum."""

    name: str
    sign: int
    side: str = "value"
    one_sided: bool = False
    pointwise: bool = True
    attains: bool = True
    strict: bool = False

    def text(self, left: str, right: str) -> str:
        word = "max" if self.sign > 0 else "min"
        said = re.match(rf"\\?{word}(?![A-Za-z])", left)  # the author's symbol says over what
        return f"{left} = {right}" if said else f"{word} {left} = {right}"

    def on_side(self, side: str) -> Relation:
        return Optimum(self.name, self.sign, side)

    def decide(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        """``pass``: closed on this side; see the module's docstring for the rest."""
        missing = undefined(rows)
        if missing is not None:
            return missing
        refuting = -self.sign if self.side == "certificate" else self.sign
        short = None
        for i, row in enumerate(rows):
            low, high = deviation(row)
            above, below = low > 0, high < 0
            if (above and refuting > 0) or (below and refuting < 0):
                word = (
                    "a bound below the claimed optimum"
                    if self.side == "certificate"
                    else ("a feasible point better than the claimed optimum")
                )
                return Decision("fail", word, decisive=i)
            reach = as_float(max(abs(low), abs(high)))
            near = self.side == "search" and reach <= targets.of("searched")
            if (above or below) and not near:
                short = i
        if short is not None:
            reason = {
                "certificate": "no certificate: the bound found is not tight",
                "search": "search blind: no start reached the claimed optimum",
            }.get(self.side, "no certificate: the construction falls short of the claimed optimum")
            return Decision(
                "inconclusive", reason, "a better construction or bound", decisive=short
            )
        if self.side == "search":
            gaps = [as_float(max(abs(low), abs(high))) for low, high in map(deviation, rows)]
            widest = max(range(len(rows)), key=gaps.__getitem__)
            sharpness = max(gaps[widest], targets.of("searched"))
            return Decision(
                "pass",
                decisive=widest,
                resolution=Resolution(kind=kind_of_resolution(rows), value=sharpness),
                extra={"gap": gaps[widest]},
            )
        return Equals().decide(rows, targets)

    def rival_falls(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        """A rival construction is refuted when it falls short of the optimum (one that is better refutes the
        claim, if it is feasible), a rival bound when it is another one; a rival search, which never meets
        the optimum exactly, when it stops farther from it than the target."""
        missing = undefined(rows)
        if missing is not None:
            return missing
        if self.side == "search":
            found = self.decide(rows, targets)
            if found.verdict != "inconclusive":
                return found
            return Decision("fail", "does not reach the optimum", decisive=found.decisive)
        if self.side != "certificate":
            better = self._better(rows)
            if better is not None:
                return Decision(
                    "inconclusive",
                    "is better than the claimed optimum, which it refutes if it is feasible",
                    "a rival of feasible points",
                    decisive=better,
                )
        broken = worst_violation(rows)
        if broken is not None:
            return Decision("fail", "does not attain the optimum", decisive=broken)
        return Equals().decide(rows, targets)

    def _better(self, rows: Sequence[Row]) -> int | None:
        """A row of measured values beyond the claimed optimum."""
        for i, row in enumerate(rows):
            low, high = deviation(row)
            if (low > 0 and self.sign > 0) or (high < 0 and self.sign < 0):
                return i
        return None


def maximises() -> Relation:
    """The closed form is the largest value over all feasible points."""
    return Optimum("maximises", 1)


def minimises() -> Relation:
    """The closed form is the smallest value over all feasible points."""
    return Optimum("minimises", -1)
