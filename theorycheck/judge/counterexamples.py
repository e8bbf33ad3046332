"""Counterexamples: both sides where a leg fails, whether the fail is found again on a fresh stream, and
the simplest point where it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theorycheck import balls, stats
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.model import Claim, Leg
from theorycheck.evidence.observation import Observation
from theorycheck.judge.judgement import Evidence, Judgement
from theorycheck.judge.legs import decide_leg
from theorycheck.judge.rows import measured_values
from theorycheck.numbers.domain import as_json, point_key
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.plan.budget import Slots, confirming_points
from theorycheck.relations.base import Decision, Goal, Row, as_float


def counterexample(leg: Leg, row: Row, kind: str) -> dict[str, Any]:
    """Both sides at the failing point, to the digits that show the difference."""
    digits = 12
    lhs = shown(row.measured, digits)
    rhs = "undefined" if row.expected.enclosure is None else shown(row.expected.enclosure, digits)
    if row.expected.enclosure is not None:
        while lhs == rhs and digits < 60:
            digits += 12
            lhs, rhs = shown(row.measured, digits), shown(row.expected.enclosure, digits)
    return {
        "point": as_json(row.point),
        "instance": row.instance,
        "component": row.component,
        "leg": leg.name,
        "kind": kind,
        "lhs": lhs,
        "rhs": rhs,
        "confirmed": None,
    }


def proof_counterexample(decision: Decision, out: Judgement, leg: Leg) -> dict[str, Any]:
    """The witness that a proof by program found."""
    entry = next(e for e in out.legs if e["name"] == leg.name)
    found = [p["counterexample"] for p in entry.get("proof", []) if p["counterexample"] is not None]
    if found and isinstance(leg.simulation, TypedStatement):
        return {**found[0], "leg": leg.name, "confirmed": True, "witness": None}
    return {"point": {}, "leg": leg.name, "kind": "value", "confirmed": True,
            "lhs": decision.reason, "rhs": "", "witness": found[0] if found else None}  # fmt: skip


def shown(e: Enclosure, digits: int) -> str:
    """``3/320``, ``0.0785674201319`` or ``[0.48, 0.52]``: never more digits than are known."""
    if e.exact:
        text = str(e.lo)
        return text if len(text) <= 40 else balls.to_decimal(e.lo, digits)
    size = max(abs(e.lo), abs(e.hi))
    if e.hi - e.lo > size / 1000:  # a confidence interval rather than a number
        return f"[{as_float(e.lo):.4g}, {as_float(e.hi):.4g}]"
    return balls.enclosure_str(e.to_ball(), digits)


def refuted_by(decision: Decision, rows: Sequence[Row]) -> str:
    """The deciding point with both sides there, in one line."""
    if decision.decisive is None or not rows:
        return decision.reason
    row = rows[decision.decisive]
    place = point_key(row.point) or "the only point"
    right = "undefined" if row.expected.enclosure is None else shown(row.expected.enclosure, 6)
    return f"{place}: {shown(row.measured, 6)} against {right}"


def confirm(
    claim: Claim, evidence: Evidence, share: Slots, goal: Goal, profile: str, out: Judgement
) -> None:
    """A fail must be met again, a sampled one on a stream of its own, any other at the same instances, else it
    is discordant."""
    if out.failing is None or out.counterexample is None:
        return
    name, row = out.failing
    leg = claim.leg(name)
    again = evidence.get(("confirm", name, ""), [])
    if not again:
        return
    level = share.confirm(len(confirming_points(claim, leg, row.point, profile)))
    decision, _ = decide_leg(claim, leg, again, level, goal)
    out.counterexample["confirmed"] = decision.verdict == "fail"
    if decision.verdict != "fail":
        out.verdict, out.reason = "inconclusive", "discordant: not rejected again"
        out.would_decide = (
            "a larger budget of samples"
            if leg.arithmetic == "samples"
            else "code that repeats itself"
        )
        return
    smaller = [
        decide_leg(claim, leg, [o], level, goal)
        for o, level in simpler_points(leg, evidence, share)
    ]
    failing = [(d, r) for d, r in smaller if d.verdict == "fail" and d.decisive is not None]
    out.counterexample["worst"] = {k: out.counterexample[k] for k in ("point", "lhs", "rhs")}
    if failing:
        d, r = failing[0]
        simplest = counterexample(leg, r[d.decisive or 0], d.kind)
        for key in ("point", "instance", "component", "lhs", "rhs"):
            out.counterexample[key] = simplest[key]


def simpler_points(leg: Leg, evidence: Evidence, share: Slots) -> list[tuple[Observation, float]]:
    """Simpler points tried after a fail, with their levels. Where the leg's assumption on its tails
    breaks there, the point says nothing; the fail stands by the grid."""
    found = []
    for k, seen in enumerate(evidence.get(("shrink", leg.name, ""), []), 1):
        level = share.adaptive(k)
        try:
            measured_values(leg, seen, level)
        except stats.AssumptionBroken:
            continue
        found.append((seen, level))
    return found
