"""Whether what was seen is evidence at all: sampling that is broken is an error, never a verdict.

Broken sampling is found by what generated it (`theorycheck.stats.assumptions`): streams that were asked for
and never drawn from, blocks that came again, draws that the values of a block share, values in order,
tails that the data refute, and two disjoint confidence sets for one quantity. The first is certain; each
set's tests of the others have the share of its level that the error budget gives them, and two sets at
levels a and b are disjoint with probability at most a + b, which both have spent already.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from theorycheck.claims.legs import Leg
from theorycheck.evidence.observation import Observation
from theorycheck.judge.judgement import Seen
from theorycheck.judge.rows import measured_values, place_of
from theorycheck.numbers.domain import point_key
from theorycheck.plan.budget import ErrorBudget
from theorycheck.plan.keys import CLAIM, Purpose
from theorycheck.plan.plan import Plan
from theorycheck.stats import assumptions


def undermined(plan: Plan, evidence: Seen) -> str:
    """What is broken about the sampling of the claim's own legs, "" where nothing is seen to be."""
    for leg in plan.claim.legs:
        if not leg.arithmetic.sampled:
            continue
        judged = evidence.get((Purpose.JUDGE, CLAIM, leg.name), [])
        again = evidence.get((Purpose.CONFIRM, CLAIM, leg.name), [])
        attacked = evidence.get((Purpose.ATTACK, CLAIM, leg.name), [])
        examined = evidence.get((Purpose.EXAMINE, CLAIM, leg.name), [])
        confirming = plan.budget.confirm(max(1, len(again)))
        found = (
            _never_drawn(leg, judged)
            or broken(judged, plan.budget.point)
            or broken(attacked, plan.budget.attack)
            or broken(again, confirming)
            or broken(examined, plan.budget.examining)
            or _not_apart(leg, plan.budget.point, judged, confirming, again)
        )
        if found:
            return f"{leg.name}: {found}"
    return ""


def broken(observations: Sequence[Observation], level: float) -> str:
    """What the samples refute of their own assumptions, at the share that tests of a set at ``level``
    have; "" where they refute nothing."""
    share = ErrorBudget.assumptions(level)
    for o in observations:
        seen = o.detail.assumptions
        found = assumptions.broken(seen, share) if seen else ""
        if found:
            return f"{place_of(o)}: {found}"
    return ""


def _never_drawn(leg: Leg, judged: Sequence[Observation]) -> str:
    drawn = [n for o in judged if (n := o.detail.drawn) is not UNSET]
    if not drawn or any(drawn):
        return ""
    return (
        "no point drew from rng, so that its values come from a generator of their own, if from any: "
        "draw with rng.normal((size, ...)), rng.uniform, rng.integers, ..."
    )


def _not_apart(
    leg: Leg,
    level: float,
    judged: Sequence[Observation],
    confirming: float,
    again: Sequence[Observation],
) -> str:
    """Whether the judging and the confirming stream are the same, or cannot speak of one quantity."""
    first = {point_key(o.point): o for o in judged}
    for o in again:
        before = first.get(point_key(o.point))
        if before is None:
            continue
        mine, other = before.detail.assumptions, o.detail.assumptions
        share = ErrorBudget.assumptions(confirming)
        if mine and other and assumptions.shared(mine, other, share):
            return (
                f"{place_of(o)}: the stream that was to confirm gave the same values as the one that "
                "judged: the generator is frozen"
            )
        a = measured_values(leg, before, level)[0][0].enclosure
        b = measured_values(leg, o, confirming)[0][0].enclosure
        if not a.intersects(b):
            return (
                f"{place_of(o)}: two streams of the same values have disjoint confidence sets: they are "
                "not independent, or not what was declared of them"
            )
    return ""
