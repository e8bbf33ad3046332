"""``at_most``, ``at_least`` and ``holds_with_probability``: one-sided relations.

Rule for ``at_most b`` (``at_least`` is its mirror image). With [L_j, U_j] = C_j:

- *fail* if some L_j > b_j;
- *pass* if every U_j <= b_j, or equality is proved there;
- *touching*: L_j <= b_j <= U_j <= b_j + rho* s_j counts as a pass that is reported as "within rho of
  the bound" and never as "holds"; a bound that is attained can never be seen from strictly below by
  an inexact look;
- otherwise *inconclusive*.

``strict=True`` is another relation, measured < b: *fail* if some L_j >= b_j, so a bound that is met
exactly is a counterexample; *pass* only if every U_j < b_j. What touches may be equal or not, which no
inexact look tells: *inconclusive*.

Tightness tau = max L_j / b_j, over the points with a positive bound, says how close the evidence comes
to it: the bound kappa * b is refuted exactly for kappa < tau. Slack is what is left of it: kappa >= max
U_j / b_j is known to hold (the maximum over the same points; null where that has no limit). The same two
numbers are reported for the loosest point, min L_j / b_j and U_j / b_j there: a bound that is tight
somewhere may be far from tight elsewhere, and only there could a smaller value hide. A bound
that is nowhere positive has no such multiples, and its tightness is *absolute*: the largest shift of
the bound towards the evidence, in the declared unit (else that of the quantity), that is not refuted:
min (b_j - L_j), 0 where the bound is attained; a shift up to min (b_j - U_j) is known to hold.

``holds_with_probability``: the closed form is the allowed failure probability delta, the measured
quantity the probability of failure. It is ``at_most`` without touching: U(q) <= delta passes, which
needs about ln(1/alpha_j)/delta samples without a failure; L(q) > delta fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from theorycheck.entries.parts import Cause, Resolution, Tightness
from theorycheck.relations.base import (
    Decision,
    Relation,
    Row,
    TargetResolutions,
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
    attains: bool = False
    strict: bool = False

    def text(self, left: str, right: str) -> str:
        return f"{left} {'<' if self.sign > 0 else '>'}{'' if self.strict else '='} {right}"

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

    def decide(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        ends = [self._ends(row) for row in rows]
        worst = max(range(len(rows)), key=lambda i: ends[i][0])
        if ends[worst][0] > 0:
            return Decision("fail", "the bound is passed", decisive=worst)
        if self.strict and ends[worst][0] == 0:
            return Decision("fail", "the bound is met, and the claim is strict", decisive=worst)
        tightness = self._tightness(rows)
        where = max(range(len(rows)), key=lambda i: ends[i][1])
        possible, row = ends[where][1], rows[where]
        if possible < 0 or (possible == 0 and not self.strict):
            return Decision("pass", decisive=tightness.row, tightness=tightness)
        reach = as_float(possible)
        if self.touching and not self.strict and reach <= targets.of(row.rung):
            within = Resolution(kind=kind_of_resolution(rows), value=reach)
            return Decision("pass", decisive=where, tightness=tightness, within=within)
        doubt = f": the bound may be passed by {reach:.2g} of its size"
        return Decision(
            "inconclusive",
            ("budget" if row.samples else "ball") + (doubt if reach else ": the bound may be met"),
            "more samples" if row.samples else "higher precision",
            decisive=where,
            tightness=tightness,
            cause=Cause.BUDGET if row.samples else None,
        )

    def _tightness(self, rows: Sequence[Row]) -> Tightness:
        """Relative: max measured/bound for at_most, max bound/measured for at_least; 1 is attained.
        Absolute where no bound is positive: the least distance; 0 is attained. ``loosest`` and
        ``loosest_slack``: the same two ends at the point that stays farthest from its bound."""
        positive = [i for i, row in enumerate(rows) if row.target.lo > 0]
        if not positive:
            return self._distance(rows)
        ends = {i: self._share(rows[i]) for i in positive}
        index = max(positive, key=lambda i: ends[i][0])
        tops = [high for _, high in ends.values()]
        known = [top for top in tops if top is not None]
        low, high = ends[min(positive, key=lambda i: ends[i][0])]
        return Tightness(
            kind="relative",
            value=as_float(max(ends[index][0], fmpq(0))),
            slack_from=as_float(max(known)) if len(known) == len(tops) else None,
            row=index,
            loosest=as_float(max(low, fmpq(0))),
            loosest_slack=None if high is None else as_float(max(high, fmpq(0))),
        )

    def _share(self, row: Row) -> tuple[fmpq, fmpq | None]:
        """Ends of measured/bound (at_least: bound/measured) for a positive bound; None: no limit."""
        m, b = row.measured, row.target
        if row.equal:
            return fmpq(1), fmpq(1)
        if self.sign > 0:
            return m.lo / b.hi, m.hi / (b.lo if m.hi > 0 else b.hi)
        low = b.lo / m.hi if m.hi > 0 else fmpq(1)  # m.hi >= b.lo > 0 unless the bound is passed
        return low, b.hi / m.lo if m.lo > 0 else None

    def _distance(self, rows: Sequence[Row]) -> Tightness:
        """Ends of the distance from bound to measured, in units, where it is least."""

        def ends(row: Row) -> tuple[fmpq, fmpq]:
            unit = row.scale if row.unit is not None else fmpq(1)
            m, b = row.measured, row.target
            if row.equal:
                return fmpq(0), fmpq(0)
            near, far = (b.lo - m.hi, b.hi - m.lo) if self.sign > 0 else (m.lo - b.hi, m.hi - b.lo)
            return near / unit, far / unit

        spans = [ends(row) for row in rows]
        index = min(range(len(rows)), key=lambda i: spans[i][1])
        near, far = max(spans, key=lambda span: span[1])
        return Tightness(
            kind="absolute",
            value=as_float(max(spans[index][1], fmpq(0))),
            slack_from=as_float(max(min(near for near, _ in spans), fmpq(0))),
            row=index,
            loosest=as_float(max(far, fmpq(0))),
            loosest_slack=as_float(max(near, fmpq(0))),
        )

    def rival_falls(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        return self.decide(rows, targets)


def at_most(*, strict: bool = False) -> Relation:
    """The measured quantity never passes the closed form; with ``strict`` it stays below it."""
    return Bound("at_most", 1, strict=strict)


def at_least(*, strict: bool = False) -> Relation:
    """The measured quantity never falls below the closed form; with ``strict`` it stays above it."""
    return Bound("at_least", -1, strict=strict)


def holds_with_probability() -> Relation:
    """The measured probability of failure is at most the closed form delta."""
    return Bound("holds_with_probability", 1, touching=False)
