"""The decision of one leg on its rows, or on its proof, and what a report says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET, structs, to_builtins

from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import LegEntry, ProofEntry, Resolution, Tightness
from theorycheck.entries.report import leg_fields
from theorycheck.entries.rungs import weakest
from theorycheck.evidence.degenerate import flat
from theorycheck.evidence.observation import Observation
from theorycheck.formulas.closed_form import Form
from theorycheck.judge.rows import rows_of
from theorycheck.numbers.domain import Exact, point_key, product_points
from theorycheck.relations.base import Decision, Relation, Row, TargetResolutions


@dataclass(frozen=True)
class LegSeen:
    """A leg of the claim, what was decided of it on which rows, and its entry in the report."""

    leg: Leg
    decision: Decision
    rows: Sequence[Row]
    entry: LegEntry


def decide_leg(
    claim: Claim,
    leg: Leg,
    observations: Sequence[Observation],
    alpha: float,
    targets: TargetResolutions,
    *,
    form: Any = None,
    rival: bool = False,
    relation: Relation | None = None,
    among: bool = False,
) -> tuple[Decision, list[Row]]:
    """The decision of one leg (of a rival: ``fail`` means refuted) on its observations; with ``among``
    only on those of their instances that are among the claim's own."""
    if leg.arithmetic.proves:
        return _proof_decision(leg, observations), []
    expression = claim.form_of(leg) if form is None else form
    compiled = None if expression is None else Form(expression)
    rows = [
        r
        for o in observations
        for r in rows_of(leg, o, compiled, alpha)
        if not among or o.among(r.instance)
    ]
    used = relation or claim.relation_of(leg)
    decision = used.rival_falls(rows, targets) if rival else used.decide(rows, targets)
    return decision, rows


def _proof_decision(leg: Leg, observations: Sequence[Observation]) -> Decision:
    far = set(leg.simulation.far) if isinstance(leg.simulation, TypedStatement) else set()
    for i, o in enumerate(observations):
        found = o.detail.proof
        if found is None or (found.counterexample is None and not found.holds):
            return Decision("inconclusive", f"no certificate: {found.method if found else ''}")
        if found.counterexample is not None:
            unasked = sorted(far - set(found.witness.get("far", ())))
            if unasked:
                return Decision(
                    "inconclusive", f"false at one value, not looked at where {unasked[0]}"
                )
            return Decision("fail", found.method, decisive=i)
    if any(o.detail.rung == "searched" for o in observations):
        return Decision("pass", observations[0].detail.method or "")
    shares = [p.reached for o in observations if (p := o.detail.proof) and p.reached is not None]
    if shares:  # of every point the bound of its own: what is said is of the one that is farthest
        return Decision("pass", tightness=Tightness(value=min(shares), slack_from=1.0))
    return Decision("pass", resolution=Resolution(kind="relative", value=0.0))


def leg_entry(
    claim: Claim, leg: Leg, decision: Decision, seen: Sequence[Observation], profile: str
) -> LegEntry:
    """A leg as the report holds it. What its relation says of it stands before what is read off the leg."""
    fields = [f for o in seen if (f := o.detail.drawn_fields) and f.different]
    entry = LegEntry(
        name=leg.name,
        rung=_leg_rung(claim, leg, profile, seen),
        verdict=decision.verdict,
        reason=decision.reason,
        resolution=decision.resolution,
        tightness=decision.tightness,
        arithmetic=leg.arithmetic.name,
        side=leg.side,
        required=leg.required,
        points=len(seen),
        samples=sum(o.samples for o in seen),
        model=_model(leg),
        statistic="" if leg.statistic is None else leg.statistic.text(),
        proof=_proofs(seen) if leg.arithmetic.proves else (),
        moved_by=_moved_by(seen),
        breakdown=next((o.detail.breakdown for o in seen if o.detail.breakdown), ""),
        different=sum(f.different for f in fields) if fields else None,
        flat=flat(fields),
    )
    said = leg_fields(_said(decision))
    if entry.model:
        said.pop("model", None)
    return structs.replace(entry, **said)


def _proofs(seen: Sequence[Observation]) -> tuple[ProofEntry, ...]:
    """What proof legs found, once where it is the same at several points."""
    found = [ProofEntry(**vars(p)) for o in seen if (p := o.detail.proof)]
    return tuple(p for i, p in enumerate(found) if p not in found[:i])


def _moved_by(seen: Sequence[Observation]) -> str | None:
    """What moves a certificate at any point where it was looked for; "" where it was seen at some that nothing
    does, None where it was not looked for or took too much work everywhere."""
    found = [by for o in seen if (by := o.detail.moved_by) is not UNSET and by is not None]
    return next((by for by in found if by), "" if found else None)


def _model(leg: Leg) -> str:
    """What is not controlled of a leg, in its author's words."""
    return leg.model if leg.arithmetic.controlled else f"{leg.model}; declared error {leg.error}"


def _said(decision: Decision) -> dict[str, object]:
    """What a relation says of a leg beside its own fields, by the names of ``report.json``."""
    said = dict(decision.extra)
    if decision.uniform_factor is not None:
        said["uniform_factor"] = to_builtins(decision.uniform_factor)
    if decision.within is not None:
        said["violation_at_most"] = decision.within.value
        said["kind"] = decision.within.kind
    return said


def _leg_rung(claim: Claim, leg: Leg, profile: str, seen: Sequence[Observation]) -> str:
    """`exhaustive` where an exact leg saw every point of a finite domain, or the one point of a claim without
    parameters; for a proof that has no free parameter left to try, as a typed statement has none, as far as its
    method reaches; for one at each of some points, no further than these points."""
    base = leg.rung
    points = claim.points(profile, leg)
    if leg.arithmetic.proves:
        reached = [o.detail.rung or "proved" for o in seen]
        whole = points == [{}] or isinstance(leg.simulation, TypedStatement)
        return weakest(reached if whole else [base, *reached])
    own = getattr(claim.relation_of(leg), "rung", None)
    if own is not None:
        return str(own)
    if base != "certified" or leg.instances is not None:
        return base
    if all(d.finite for d in claim.domain.values()):
        every = {point_key(p) for p in _all_points(claim)}
        if every <= {point_key(p) for p in points}:
            return "exhaustive"
    return base


def _all_points(claim: Claim) -> list[dict[str, Exact]]:
    columns = {name: list(d.members()) for name, d in claim.domain.items()}
    return [p for p in product_points(columns) if claim.admits(p)]
