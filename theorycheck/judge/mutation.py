"""Which automatic mutants (`theorycheck.formulas.mutants`) of a claim's closed forms its rows refute; one that
survives, differs and is large enough to be seen blocks a pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy
from msgspec import convert, to_builtins

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import MutantsEntry, Survivor
from theorycheck.formulas import memo
from theorycheck.formulas.closed_form import Form, as_expected
from theorycheck.formulas.equivalence import Equivalence, equivalence
from theorycheck.formulas.mutants import FormMutant, mutants
from theorycheck.judge.legs import LegSeen
from theorycheck.judge.rows import text_of_rows
from theorycheck.numbers.domain import point_key
from theorycheck.plan.plan import Plan
from theorycheck.plan.profiles import own_target
from theorycheck.plan.targets import REACHED, distance
from theorycheck.relations.base import Row, TargetResolutions, as_float
from theorycheck.relations.equality import deviation


@dataclass(frozen=True)
class _Target:
    """A closed form, or a component of one, that mutants are made of, and the rows that judge them."""

    label: str
    form: sympy.Expr
    legs: list[tuple[Leg, Sequence[Row]]]


def judge_mutants(plan: Plan, legs: Sequence[LegSeen]) -> MutantsEntry:
    """Automatic mutants of the claim's closed forms, on the rows that are already there: how many were
    made and refuted, and which survive."""
    claim = plan.claim
    targets = _targets(claim, legs) if claim.mutate else []
    if not targets:
        return MutantsEntry(none=_why_none(claim))
    resolutions = {s.leg.name: _asked_for(plan, s) for s in legs}
    tables = [_mutants_of(claim, target, resolutions) for target in targets]
    return MutantsEntry(
        made=sum(t.made for t in tables),
        refuted=sum(t.refuted for t in tables),
        survivors=tuple(s for t in tables for s in t.survivors),
        below_resolution=sum(t.below_resolution for t in tables),
        alike=tuple(name for t in tables for name in t.alike),
    )


def _asked_for(plan: Plan, seen: LegSeen) -> TargetResolutions:
    """Target resolutions of a leg; where whatever is reached is enough, what was reached."""
    targets = plan.target_for(seen.leg)
    if own_target(seen.leg, plan.settings.profile) != REACHED:
        return targets
    ends = [end for row in seen.rows if row.defined for end in deviation(row)]
    return replace(
        targets, sampled=min(targets.sampled, max((as_float(abs(e)) for e in ends), default=1.0))
    )


def _targets(claim: Claim, seen: Sequence[LegSeen]) -> list[_Target]:
    """Every closed form of an equality or optimum, matrices entry by entry, with its legs."""
    legs: dict[tuple[str, int], list[tuple[Leg, Sequence[Row]]]] = {}
    forms: dict[tuple[str, int], tuple[str, sympy.Expr]] = {}
    for lg, rows in ((s.leg, s.rows) for s in seen):
        form = claim.form_of(lg)
        if not rows or lg.reference is not None or claim.relation_of(lg).one_sided:
            continue
        if isinstance(form, sympy.MatrixBase):
            parts = [(f"{lg.name}, component {i}", e) for i, e in enumerate(form)]
        elif isinstance(form, sympy.Expr):
            parts = [(lg.name, form)]
        else:
            continue
        for index, (label, part) in enumerate(parts):
            own = rows if len(parts) == 1 else [r for r in rows if r.component == index]
            if own:
                key = (Form(form).text, index)
                legs.setdefault(key, []).append((lg, own))
                forms.setdefault(key, (label, part))
    several = len(forms) > 1
    return [
        _Target(label if several else "", form, legs[key])
        for key, (label, form) in forms.items()
        if any(lg.required for lg, _ in legs[key])
    ]


def _why_none(claim: Claim) -> str:
    """Why no mutants were made of a claim, for the report."""
    if not claim.mutate:
        return "switched off by the author (mutate=False)"
    used = [lg for lg in claim.legs if not claim.relation_of(lg).one_sided]
    if not used:
        return "one-sided: its tightness says how near a smaller bound comes"
    if all(lg.arithmetic.proves for lg in used):
        return "a proof by program has no closed form"
    if all(lg.reference is not None or lg.arithmetic.proves for lg in used):
        return "the other side is a procedure: its rivals are programs"
    return "the closed form is a function of the data, not an expression"


def _mutants_of(
    claim: Claim, target: _Target, resolutions: Mapping[str, TargetResolutions]
) -> MutantsEntry:
    form, legs = target.form, target.legs
    numeric = [n for n, d in claim.domain.items() if d.numeric]
    whole = [n for n in numeric if claim.domain[n].kind in ("integers", "primes")]
    sharpness = max(resolutions[lg.name].of(rows[0].rung) for lg, rows in legs)

    def table() -> Any:
        made = mutants(
            form,
            parameters=numeric,
            integer=whole,
            nudges=[Fraction(sharpness).limit_denominator(10**12)],
        )
        refuted, below = 0, 0
        alive: list[Survivor] = []
        alike: list[str] = []
        for mutant in made:
            if any(
                _mutant_falls(claim, lg, rows, mutant, resolutions[lg.name]) for lg, rows in legs
            ):
                refuted += 1
                continue
            if all(_below_target(rows, mutant, resolutions[lg.name]) for lg, rows in legs):
                below += 1
                continue
            same = _compare(claim, form, mutant.form, numeric)
            if same.answer == "equal":
                continue
            name = f"{target.label}: {mutant.name}" if target.label else mutant.name
            if same.answer == "alike":
                alike.append(name)
                continue
            alive.append(Survivor(name=name, why=_why_alive(same)))
        made_of = MutantsEntry(
            made=refuted + len(alive),
            refuted=refuted,
            survivors=tuple(alive),
            below_resolution=below,
            alike=tuple(alike),
        )
        return to_builtins(made_of)

    rows_text = (text_of_rows(lg, rows) for lg, rows in legs)
    asked = [repr(resolutions[lg.name]) for lg, _ in legs]
    key = (Form(form).text, target.label, *asked, *rows_text)
    return convert(memo.cached("mutants", key, table), MutantsEntry)


def _below_target(rows: Sequence[Row], mutant: FormMutant, targets: TargetResolutions) -> bool:
    """Whether a mutant moves the closed form, at every tried point, by less than the look was asked to
    see, but does move it: a survivor below the resolution is none (VERDICTS, "Around them")."""
    form, moved = Form(mutant.form), False
    for row in rows:
        evaluated = form.at(row.inputs)
        other = as_expected(evaluated[0]).enclosure if len(evaluated) == 1 else None
        if other is None or row.expected.enclosure is None:
            return False
        shift = abs((other.mid - row.target.mid) / row.scale)
        if as_float(shift) > targets.of(row.rung):
            return False
        moved = moved or not other.intersects(row.target)
    return moved


def _compare(claim: Claim, form: Any, mutant: Any, numeric: Sequence[str]) -> Equivalence:
    """Whether a surviving mutant is another function on the domain. Where a parameter is no number,
    only the claim's own points can tell."""
    grid = list({point_key(p): p for name in claim.grid for p in claim.points(name)}.values())
    if len(numeric) == len(claim.domain):
        return equivalence(form, mutant, dict(claim.domain), claim.where, points=grid)
    for point in grid:
        apart = distance(form, mutant, point)
        if apart:
            return Equivalence("different", point, f"apart by {apart:.2g}")
    return Equivalence("unknown", None, "agree at every point of the grid")


def _why_alive(same: Any) -> str:
    if same.answer == "different":
        return f"differs at {point_key(same.witness)}, which was not tried"
    return "equivalence unknown"


def _mutant_falls(
    claim: Claim, leg: Leg, rows: Sequence[Row], mutant: FormMutant, targets: TargetResolutions
) -> bool:
    """Point by point for relations that fail as soon as one row does, else all rows together."""
    form, relation = Form(mutant.form), claim.relation_of(leg)
    changed = []
    for row in rows:
        evaluated = form.at(row.inputs)
        if len(evaluated) != 1:
            return False
        changed.append(replace(row, expected=as_expected(evaluated[0]), same=False))
        if relation.pointwise and relation.decide(changed[-1:], targets).verdict == "fail":
            return True
    return not relation.pointwise and relation.decide(changed, targets).verdict == "fail"
