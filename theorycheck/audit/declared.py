"""Changes of what an author declared: domains widened, conditions dropped, relations weakened, legs dropped.

Each yields the claim as it would have been declared. What notices is the rest of the evidence: the points
that the engine chooses itself, rivals on the other side, another leg.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from theorycheck.claims.model import Claim, Leg
from theorycheck.numbers.domain import Domain
from theorycheck.relations import at_least, at_most, maximises, minimises
from theorycheck.relations.equality import Equals
from theorycheck.relations.optimum import Optimum

BEYOND = Fraction(1, 16)
"""How far a real border is moved, relative to its size (absolute at 0)."""


@dataclass(frozen=True)
class Declared:
    """A changed declaration. ``kind`` groups the figures, ``text`` says what was changed."""

    kind: str
    text: str
    claim: Claim


def declared_changes(claim: Claim) -> Iterator[Declared]:
    """Every change of a claim's declaration, in a fixed order."""
    for name, domain in claim.domain.items():
        for text, wider in widened(domain):
            changed = replace(claim, domain={**claim.domain, name: wider})
            yield Declared("domain widened", f"{name}: {domain.text()} -> {text}", changed)
    yield from _conditions(claim)
    yield from _relations(claim)
    yield from _legs(claim)


def widened(domain: Domain) -> Iterator[tuple[str, Domain]]:
    """Domains that hold a little more: a border moved by one member, a class by the next larger one."""
    if domain.kind in ("integers", "primes") and domain.low is not None:
        if domain.kind == "primes" or domain.step > 1:
            wider = replace(domain, kind="integers", step=1)
            yield wider.text(), wider
        if domain.kind == "integers":
            wider = replace(domain, low=domain.low - domain.step)
            yield wider.text(), wider
        if domain.high is not None:
            wider = replace(domain, high=domain.high + domain.step)
            yield wider.text(), wider
    if domain.kind == "reals":
        if domain.low is not None:
            step = BEYOND * (abs(domain.low) or 1)
            wider = replace(domain, low=domain.low - step, low_open=False)
            yield wider.text(), wider
        if domain.high is not None:
            step = BEYOND * (abs(domain.high) or 1)
            wider = replace(domain, high=domain.high + step, high_open=False)
            yield wider.text(), wider


def _conditions(claim: Claim) -> Iterator[Declared]:
    if claim.where is None:
        return
    parts = list(claim.where) if isinstance(claim.where, list | tuple) else [claim.where]
    for index, part in enumerate(parts):
        rest = [p for i, p in enumerate(parts) if i != index]
        name = getattr(part, "__name__", str(part))
        yield Declared("condition dropped", f"where {name}", replace(claim, where=rest or None))


def _relations(claim: Claim) -> Iterator[Declared]:
    relation = claim.relation
    if all(lg.arithmetic.proves for lg in claim.legs):
        return  # a proof states its relation itself
    if isinstance(relation, Equals):
        for weaker in (at_most(), at_least()):
            text = f"{relation.name} -> {weaker.name}"
            yield Declared("equality weakened", text, replace(claim, relation=weaker))
    if isinstance(relation, Optimum):
        other = minimises() if relation.sign > 0 else maximises()
        text = f"{relation.name} -> {other.name}"
        yield Declared("optimum flipped", text, replace(claim, relation=other))


def _legs(claim: Claim) -> Iterator[Declared]:
    required = [lg for lg in claim.legs if lg.required]
    for lg in required:
        if len(required) > 1:
            rest = tuple(x for x in claim.legs if x is not lg)
            yield Declared("leg dropped", lg.name, _without(claim, rest))
        if lg.side in ("attained", "certificate"):
            turned = replace(lg, side="certificate" if lg.side == "attained" else "attained")
            legs = tuple(turned if x is lg else x for x in claim.legs)
            text = f"{lg.name}: {lg.side} -> {turned.side}"
            yield Declared("side of a leg", text, replace(claim, legs=legs))


def _without(claim: Claim, legs: tuple[Leg, ...]) -> Claim:
    """The claim without a leg: rivals and hypotheses that speak of it go with it."""
    names = {lg.name for lg in legs}
    rivals = tuple(r for r in claim.rivals if r.leg is None or r.leg in names)
    assumes = tuple(h for h in claim.assumes if h.leg is None or h.leg in names)
    return replace(claim, legs=legs, rivals=rivals, assumes=assumes)
