"""Changes of what an author declared: domains widened, conditions dropped, relations weakened, legs dropped,
two quantifiers exchanged.

Each makes the claim as it would have been declared; making it may already be refused. What notices is the
rest of the evidence: the points that the engine chooses itself, rivals, what a clause asks to be paid for.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from theorycheck.audit.typed import widened_statements
from theorycheck.claims.clauses import Clause, Quantifier
from theorycheck.claims.covering import bind
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.numbers.domain import Domain, Exact, exact
from theorycheck.relations import at_least, at_most, maximises, minimises
from theorycheck.relations.equality import Equals
from theorycheck.relations.optimum import Optimum

NEAR = Fraction(1, 2)
"""How far a real border at an integer up to 2 is moved; others by their own size or by 1, whichever is less.
The new border has a small numerator and denominator, so that the engine's own points may reach it."""


@dataclass(frozen=True)
class Declared:
    """A changed declaration. ``kind`` groups the figures, ``text`` says what was changed.

    ``make``: the changed claim; it raises ClaimError where the engine refuses it. ``beyond``: where it
    passes all the same, what more it then says; "" where it says less. ``at``: the parameter whose domain
    was widened and the value that this let in, None where it is not one value. ``wider``: whether it is the
    claim's own domain that holds more. ``dropped``, ``turned``: the leg that is gone, that closes the other side.
    ``anew``: legs whose program is another one, so that what they saw before says nothing.
    """

    kind: str
    text: str
    make: Callable[[], Claim]
    beyond: str = ""
    at: tuple[str, Exact] | None = None
    wider: bool = False
    dropped: str = ""
    turned: str = ""
    anew: frozenset[str] = frozenset()


def declared_changes(claim: Claim) -> Iterator[Declared]:
    """Every change of a claim's declaration, in a fixed order."""
    for name, domain in claim.domain.items():
        for wider, value in widened(domain):
            changed = _as_is(replace(claim, domain={**claim.domain, name: wider}))
            text = f"{name}: {domain.text()} -> {wider.text()}"
            at = None if value is None else (name, value)
            yield Declared("domain widened", text, changed, at=at, wider=True)
    yield from _conditions(claim)
    yield from _typed(claim)
    yield from _relations(claim)
    yield from _legs(claim)
    yield from _quantifiers(claim)


def _as_is(claim: Claim) -> Callable[[], Claim]:
    return lambda: claim


def widened(domain: Domain) -> Iterator[tuple[Domain, Exact | None]]:
    """Domains that hold a little more: a border moved by one member, a class by the next larger one. With the
    value at the new border, None where a class is widened."""
    whole = domain.kind in ("integers", "primes") and domain.low is not None
    if whole and (domain.kind == "primes" or domain.step > 1):
        yield replace(domain, kind="integers", step=1), None
    for end, outward in ((domain.low, -1), (domain.high, 1)):
        if end is None:
            continue
        if domain.kind == "integers":
            border = end + outward * domain.step
            yield _with_end(domain, border, outward), int(border)
        elif domain.kind == "primes" and outward > 0:
            yield _with_end(domain, end + 1, outward), None
        elif domain.kind == "reals":
            border = end + outward * _step(end)
            yield _with_end(domain, border, outward), exact(border)


def _with_end(domain: Domain, border: Fraction, outward: int) -> Domain:
    if outward < 0:
        return replace(domain, low=border, low_open=False, ends=("", domain.ends[1]))
    return replace(domain, high=border, high_open=False, ends=(domain.ends[0], ""))


def _step(border: Fraction) -> Fraction:
    if border.denominator == 1 and abs(border) <= 2:
        return NEAR
    return min(abs(border), Fraction(1))


def _conditions(claim: Claim) -> Iterator[Declared]:
    if claim.where is None:
        return
    parts = list(claim.where) if isinstance(claim.where, list | tuple) else [claim.where]
    for index, part in enumerate(parts):
        rest = [p for i, p in enumerate(parts) if i != index]
        name = getattr(part, "__name__", str(part))
        changed = replace(claim, where=rest or None)
        yield Declared("condition dropped", f"where {name}", _as_is(changed), wider=True)


def _typed(claim: Claim) -> Iterator[Declared]:
    """What a typed statement quantifies over: borders moved, ends closed, conditions dropped."""
    for lg in claim.legs:
        if not isinstance(lg.simulation, TypedStatement):
            continue
        for kind, text, wider in widened_statements(lg.simulation):
            changed = _with_leg(claim, lg, replace(lg, simulation=wider))
            beyond = "proved on the wider domain as well"
            anew = frozenset({lg.name})
            yield Declared(kind, f"{lg.name}: {text}", _as_is(changed), beyond, anew=anew)


def _with_leg(claim: Claim, old: Leg, new: Leg) -> Claim:
    return replace(claim, legs=tuple(new if lg is old else lg for lg in claim.legs))


def _relations(claim: Claim) -> Iterator[Declared]:
    relation = claim.relation
    if all(lg.arithmetic.proves or lg.relation is not None for lg in claim.legs):
        return  # each leg states its relation itself
    if isinstance(relation, Equals):
        for weaker in (at_most(), at_least()):
            text = f"{relation.name} -> {weaker.name}"
            changed = replace(claim, relation=weaker)
            yield Declared("equality weakened", text, partial(_bound_again, changed))
    if isinstance(relation, Optimum):
        other = minimises() if relation.sign > 0 else maximises()
        text = f"{relation.name} -> {other.name}"
        yield Declared("optimum flipped", text, _as_is(replace(claim, relation=other)))


def _legs(claim: Claim) -> Iterator[Declared]:
    required = [lg for lg in claim.legs if lg.required]
    for lg in required:
        if len(required) > 1:
            rest = replace(claim, legs=tuple(x for x in claim.legs if x is not lg))
            yield Declared("leg dropped", lg.name, partial(_bound_again, rest), dropped=lg.name)
        if lg.side in ("attained", "certificate"):
            turned = replace(lg, side="certificate" if lg.side == "attained" else "attained")
            text = f"{lg.name}: {lg.side} -> {turned.side}"
            make = partial(_bound_again, _with_leg(claim, lg, turned))
            yield Declared("side of a leg", text, make, turned=lg.name)


def _bound_again(claim: Claim) -> Claim:
    """The claim against its clauses as when it is loaded: a name may have lost what paid for it, an
    equality the leg that said so. Rivals that speak of a leg which is gone are refused by the plan."""
    return _bound(claim, claim.clauses)


def _bound(claim: Claim, clauses: tuple[Clause, ...]) -> Claim:
    if not claim.covers:
        return claim
    known: dict[str, dict[str, Clause]] = {}
    for clause in clauses:
        known.setdefault(clause.statement, {})[clause.id] = clause
    return replace(bind(claim, known), encodes=claim.encodes)


def _quantifiers(claim: Claim) -> Iterator[Declared]:
    """``for all x there is y`` as ``there is y for all x``, which says more. The other way round says less,
    and is paid for by the same evidence."""
    for clause in claim.clauses:
        for place, (first, second) in enumerate(itertools.pairwise(clause.prefix)):
            chosen = second.kind in ("exists", "const") and first.kind == "forall"
            if not chosen or {first.name, second.name} & set(claim.left):
                continue
            earlier = _independent(second, first.name)
            order = (*clause.prefix[:place], earlier, first, *clause.prefix[place + 2 :])
            changed = tuple(replace(c, prefix=order) if c is clause else c for c in claim.clauses)
            text = f"{clause.key}: {second.name} before {first.name}"
            make = partial(_bound, claim, changed)
            beyond = f"nothing of {first.name} is used where {second.name} is chosen"
            yield Declared("quantifiers exchanged", text, make, beyond)


def _independent(chosen: Quantifier, name: str) -> Quantifier:
    if chosen.depends is None:
        return chosen
    return replace(chosen, depends=tuple(n for n in chosen.depends if n != name))
