"""``separates``: one method stays on one side of a level where others stay on the other.

A conjunction of one-sided verdicts at stated levels (signs for an error, where smaller is better):

- an *attained* leg (or component 0 of a leg) measures the method that succeeds: ``at_most`` its level;
- a *certificate* leg (or component 1) measures a bound that holds for every method of the other class:
  ``at_least`` its level;
- a *search* leg measures methods that were tried, best of them first: ``at_least`` its level. A pass
  is about these methods only, and says so: "every method of the class" needs a certificate.

Each is judged as in `theorycheck.relations.bounds`. The claim fails if one of them does, and passes
only if all of them do. The two levels must themselves be apart at every point that has both, on the
right sides; otherwise the statement separates nothing and is inconclusive (vacuous).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from theorycheck.entries.parts import Cause
from theorycheck.relations.base import Decision, Relation, Row, TargetResolutions, undefined
from theorycheck.relations.bounds import at_least, at_most


@dataclass(frozen=True)
class Separates:
    """See the module's docstring. ``better``: ``smaller`` (errors) or ``larger`` (accuracies)."""

    better: str = "smaller"
    side: str = "value"
    name: str = "separates"
    one_sided: bool = True
    pointwise: bool = False
    attains: bool = False
    strict: bool = False
    sign: int = 0

    def text(self, left: str, right: str) -> str:
        first, second = ("<=", ">=") if self.better == "smaller" else (">=", "<=")
        if self.side == "attained":
            return f"{left} {first} {right}"
        if self.side in ("certificate", "search"):
            return f"{left} {second} {right}"
        return f"{left}: the first {first}, the others {second} {right}"

    def on_side(self, side: str) -> Relation:
        return replace(self, side=side)

    def _parts(self) -> tuple[Relation, Relation]:
        pair = at_most(), at_least()
        return pair if self.better == "smaller" else pair[::-1]

    def decide(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        succeeding, others = self._parts()
        if self.side == "attained":
            return succeeding.decide(rows, targets)
        if self.side == "certificate":
            return others.decide(rows, targets)
        if self.side == "search":
            decision = others.decide(rows, targets)
            extra = {**decision.extra, "rung": "searched", "class": "the methods tried"}
            return replace(decision, extra=extra)
        first = [i for i, row in enumerate(rows) if row.component == 0]
        rest = [i for i, row in enumerate(rows) if row.component > 0]
        if not first or not rest:
            return Decision(
                "inconclusive",
                "vacuous: a separation needs two quantities, the method's and the others'",
                "a simulation that returns both, or legs attained(...) and certificate(...)",
                cause=Cause.VACUOUS,
            )
        touching = self._touching(rows, first, rest)
        if touching is not None:
            return Decision(
                "inconclusive",
                "vacuous: the two levels are not apart",
                decisive=touching,
                cause=Cause.VACUOUS,
            )
        parts = [
            (relation.decide([rows[i] for i in indices], targets), indices)
            for relation, indices in ((succeeding, first), (others, rest))
        ]
        order = {"fail": 0, "inconclusive": 1, "pass": 2}
        decision, indices = min(parts, key=lambda p: order[p[0].verdict])
        which = "the method" if indices is first else "the others"
        place = None if decision.decisive is None else indices[decision.decisive]
        reason = f"{which}: {decision.reason}" if decision.reason else ""
        return replace(decision, reason=reason, decisive=place)

    def rival_falls(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        return self.decide(rows, targets)

    def _touching(
        self, rows: Sequence[Row], first: Sequence[int], rest: Sequence[int]
    ) -> int | None:
        """A row of the others whose level does not lie beyond the method's level at its point."""
        levels = {(_place(rows[i])): rows[i].target for i in first}
        for i in rest:
            own = levels.get(_place(rows[i]))
            if own is None:
                continue
            low, high = (own, rows[i].target) if self.better == "smaller" else (rows[i].target, own)
            if not low.hi < high.lo:
                return i
        return None


def _place(row: Row) -> tuple[object, object]:
    return tuple(sorted(row.point.items())), row.instance


def separates(*, better: str = "smaller") -> Relation:
    """One method stays beyond its level, the others on the far side of theirs.

    Either legs ``attained``, ``certificate`` and ``search`` with closed forms of their own, or one leg
    that returns (method, others...) against a closed form with as many components.
    """
    if better not in ("smaller", "larger"):
        raise ValueError(f"separates: better is 'smaller' or 'larger', got {better!r}")
    return Separates(better)


__all__ = ["Separates", "separates"]
