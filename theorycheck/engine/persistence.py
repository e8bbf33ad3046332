"""Going on: a one-sided claim that has passed is sampled until its rivals have fallen too.

A bound or a probability is decided by few samples where it has room, and a rival inside that room is
then neither refuted nor allowed (VERDICTS, Relations). More samples are taken in rounds at the points
where the rival is undecided, each round up to four times what they have, until every rival has fallen or
the limits are met: so a rival that falls anywhere costs no point its whole budget.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim, rival_leg
from theorycheck.claims.variants import Variant
from theorycheck.formulas.closed_form import Form
from theorycheck.judge import Judgement
from theorycheck.plan.keys import CLAIM
from theorycheck.plan.owners import own_data
from theorycheck.plan.plan import Plan
from theorycheck.plan.stopping import StopRule
from theorycheck.plan.units import Unit
from theorycheck.stats import MeanState

ROUND = 4
"""By how much a round multiplies the samples: the look gets twice as sharp."""


class BothDecided:
    """Stops where the claim and a rival of it are both decided."""

    def __init__(self, claim: StopRule, rival: StopRule) -> None:
        self.claim, self.rival = claim, rival

    def __call__(self, state: MeanState) -> bool:
        return self.claim(state) and self.rival(state)


def undecided(plan: Plan, verdict: Judgement, seen: dict[str, int]) -> Iterator[Unit]:
    """The units of the next round: where a surviving rival is to be told from the claim, with `ROUND`
    times the samples that ``seen`` holds by evidence key. Nothing where all have had theirs."""
    alive = {r.name for r in verdict.rivals if not r.refuted}
    for rival in plan.claim.rivals:
        leg = _sampled_bound(plan.claim, rival)
        if rival.name not in alive or leg is None:
            continue
        for unit in plan.units:
            had = seen.get(unit.evidence_key, 0)
            mine = unit.key.owner == CLAIM and unit.key.leg == leg.name
            if mine and isinstance(unit.stop, StopRule) and had < unit.limit:
                rule = BothDecided(unit.stop, _about(unit.stop, plan.claim, leg, rival))
                yield replace(unit, limit=min(unit.limit, ROUND * had), stop=rule)


def _sampled_bound(claim: Claim, rival: Variant) -> Leg | None:
    """The sampled leg of a one-sided relation whose own samples judge the rival."""
    if own_data(rival):
        return None
    leg = rival_leg(claim, rival)
    relation = rival.changes.get("relation") or claim.relation_of(leg)
    fits = leg.arithmetic.sampled and relation.one_sided and relation.pointwise
    return leg if fits else None


def _about(rule: StopRule, claim: Claim, leg: Leg, rival: Variant) -> StopRule:
    """The rule of the claim, asked about the rival."""
    form = rival.changes.get("closed_form")
    return replace(
        rule,
        key=f"{rule.key} {rival.name}",
        relation=rival.changes.get("relation") or claim.relation_of(leg),
        form=rule.form if form is None else Form(form),
        unit=rival.changes.get("unit", rule.unit),
    )
