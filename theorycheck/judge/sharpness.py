"""How sharply a claim is looked at, and was seen: the target resolution before, the resolution of
equalities and the tightness of bounds after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theorycheck.claims.model import Claim, Leg
from theorycheck.formulas.closed_form import Form
from theorycheck.relations.base import Decision


def subject(claim: Claim, leg: Leg) -> str:
    """What a leg speaks of. Legs of one closed form sharpen one another, those of different ones do
    not: a claim is as sharp as the least sharply seen of its closed forms."""
    if leg.reference is not None:
        return f"procedure {leg.reference.__module__}.{leg.reference.__qualname__}"
    return Form(claim.form_of(leg)).text or f"leg {leg.name}"


def resolution_of(claim: Claim, needed: Sequence[tuple[Leg, Decision]]) -> dict[str, Any] | None:
    """Of each closed form the sharpest leg's, for an optimum the sum of its two sides; then the
    least sharp."""
    subjects: dict[str, dict[str, dict[str, Any]]] = {}
    for lg, d in needed:
        if d.resolution is None:
            continue
        sides = subjects.setdefault(subject(claim, lg), {})
        side = lg.side if lg.side in ("attained", "certificate") else "value"
        if side not in sides or d.resolution["value"] < sides[side]["value"]:
            sides[side] = d.resolution
    found = []
    for sides in subjects.values():
        if {"attained", "certificate"} <= set(sides):
            both = [sides["attained"], sides["certificate"]]
            found.append({"kind": both[0]["kind"], "value": both[0]["value"] + both[1]["value"]})
        else:
            found.append(min(sides.values(), key=lambda r: float(r["value"])))
    return max(found, key=lambda r: float(r["value"]), default=None)


def tightness_of(claim: Claim, needed: Sequence[tuple[Leg, Decision]]) -> dict[str, Any] | None:
    """Of each bound the leg's that comes nearest to it, then the farthest; of those with a relative
    tightness where there are any."""
    subjects: dict[str, list[dict[str, Any]]] = {}
    for lg, d in needed:
        if d.tightness is not None:
            subjects.setdefault(subject(claim, lg), []).append(d.tightness)
    relative, absolute = [], []
    for found in subjects.values():
        multiples = [t for t in found if t["kind"] == "relative"]
        if multiples:
            relative.append(max(multiples, key=lambda t: float(t["value"])))
        else:
            absolute.append(min(found, key=lambda t: float(t["value"])))
    if relative:
        return min(relative, key=lambda t: float(t["value"]))
    return max(absolute, key=lambda t: float(t["value"]), default=None)
