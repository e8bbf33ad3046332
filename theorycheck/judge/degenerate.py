"""What is degenerate about a claim's evidence, in words: it never decides, and a reader should know.

Instances that do not differ, or whose fields are 0, alike or of unit length at every point; terms and
factors of the closed form that change nothing wherever it was compared; quantities of a certificate that
are 0 wherever it was computed; a bound that nothing comes near.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from theorycheck import balls
from theorycheck.claims.model import Claim
from theorycheck.evidence.degenerate import throughout
from theorycheck.evidence.observation import Observation
from theorycheck.formulas.closed_form import Form
from theorycheck.judge.judgement import Seen
from theorycheck.judge.legs import LegSeen
from theorycheck.plan.keys import CLAIM, Purpose
from theorycheck.plan.plan import Plan
from theorycheck.relations.base import Row

LOOKED = (Purpose.JUDGE, Purpose.ATTACK, Purpose.FAR)

NEAR = 0.5
"""A bound binds where half of it is reached: where none is, another of twice the size would pass as well."""

MOST_TERMS = 12
"""Terms and factors of a closed form that are looked at."""

_WORDS = {
    "zero": "0 in every instance",
    "alike": "the same in all instances of a point",
    "constant": "of equal entries in every instance",
    "unit": "of unit length in every instance",
    "single": "of one entry other than 0 in every instance",
}


def degenerate(plan: Plan, evidence: Seen, legs: Sequence[LegSeen]) -> tuple[str, ...]:
    """Everything that is degenerate, one line each, in the order of the legs."""
    found: list[str] = []
    for seen in legs:
        looks = [
            o
            for purpose in LOOKED
            for o in evidence.get((purpose, CLAIM, seen.leg.name), [])
            if o.status == "ok"
        ]
        lines = [
            *_instances(looks),
            *_zeros(looks),
            *_terms(plan.claim, seen),
            *_never_near(plan.claim, seen),
        ]
        found += [f"{seen.leg.name}: {line}" for line in lines]
    return tuple(found)


def _instances(looks: Sequence[Observation]) -> Iterator[str]:
    several = [(d, len(o.scalars)) for o in looks if (d := o.detail.drawn_fields) and d.different]
    told = [d for d, _ in several]
    if any(n > 1 for _, n in several) and all(d.different == 1 for d in told):
        yield "all instances of a point are the same"
        return
    for name in told[0].fields if told else ():
        kind = throughout(told, name)
        if kind:
            yield f"field {name} is {_WORDS[kind]}"


def _zeros(looks: Sequence[Observation]) -> Iterator[str]:
    told = [zeros for o in looks if (zeros := o.detail.zeros)]
    other = set().union(*(d.other for d in told))
    for name in sorted(set().union(*(d.zero for d in told)) - other):
        function, _, local = name.partition(".")
        where = f"at all {len(told)} points" if len(told) > 1 else "at its only point"
        yield f"{local} of {function} is 0 {where}"


def _terms(claim: Claim, seen: LegSeen) -> Iterator[str]:
    """Terms that are 0, and factors that are 1, at every row."""
    form = claim.form_of(seen.leg)
    if (
        not isinstance(form, sympy.Add | sympy.Mul)
        or not seen.rows
        or seen.leg.reference is not None
    ):
        return
    neutral, word = (0, "term") if isinstance(form, sympy.Add) else (1, "factor")
    for part in form.args[:MOST_TERMS]:
        if part.free_symbols and all(_equals(part, row, neutral) for row in seen.rows):
            yield f"{word} {part} of the closed form is {neutral} wherever it was compared"


def _equals(part: Any, row: Row, number: int) -> bool:
    try:
        (value,) = Form(part).expected(row.inputs)
    except (KeyError, ValueError, balls.UnsupportedExpression):
        return False
    e = value.enclosure
    return e is not None and bool(e.exact) and bool(e.lo == number)


def _never_near(claim: Claim, seen: LegSeen) -> Iterator[str]:
    """A bound of which no row reaches half; a proof has no rows, and says itself what it saw reached."""
    if not seen.rows:
        return
    relation = claim.relation_of(seen.leg)
    tightness = seen.decision.tightness
    if not relation.one_sided or tightness is None or tightness.kind != "relative":
        return
    best = tightness.value
    if best is not None and best < NEAR:
        yield f"the bound never binds: the nearest of {len(seen.rows)} rows comes to {best:.2g} of it"
