"""The law that a fail's deviations follow (`theorycheck.formulas.diagnosis`), or why none is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy
from msgspec import convert, to_builtins

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import DiagnosisEntry
from theorycheck.formulas import diagnosis, memo
from theorycheck.formulas.closed_form import Form
from theorycheck.judge.counterexamples import shrunk
from theorycheck.judge.judgement import Failing, Seen
from theorycheck.judge.rows import rows_of, text_of_rows
from theorycheck.judge.sharpness import subject
from theorycheck.plan.keys import CLAIM, Purpose
from theorycheck.plan.plan import Plan
from theorycheck.relations.base import Relation, Row


@dataclass(frozen=True)
class Diagnosed:
    """The law of a fail's deviations as the report holds it, or why there is none."""

    law: DiagnosisEntry | None = None
    why_not: str = ""


def diagnose(plan: Plan, evidence: Seen, failing: Failing | None) -> Diagnosed:
    """The law of the deviation, where it follows one: fitted on some of the rows, tested on the rest."""
    if failing is None:
        why = "it was found by a proof, which has one counterexample and no deviations"
        return Diagnosed(why_not=why)
    claim, leg = plan.claim, plan.claim.leg(failing.leg)
    form, relation = claim.form_of(leg), claim.relation_of(leg)
    if leg.reference is not None:
        return Diagnosed(why_not="the other side is a procedure, which no law corrects")
    if not isinstance(form, sympy.Expr):
        return Diagnosed(why_not="laws are sought for a closed form that is one expression")
    if not relation.pointwise:
        return Diagnosed(why_not=f"{relation.name} speaks of all points together")
    seen = [(o, plan.budget.point) for o in evidence.get((Purpose.JUDGE, CLAIM, leg.name), [])]
    seen += shrunk(plan, leg, failing.row, evidence)
    compiled = Form(form)
    rows = [r for o, level in seen for r in rows_of(leg, o, compiled, level) if r.defined]
    beside = _rows_beside(plan, leg, evidence)
    key = (
        compiled.text,
        relation.text("l", "r"),
        text_of_rows(leg, rows),
        text_of_rows(leg, beside),
    )
    law = memo.cached("diagnosis", key, lambda: _law(claim, form, relation, rows, beside))
    if law is not None:
        return Diagnosed(convert(law, DiagnosisEntry))
    return Diagnosed(
        why_not=f"no law meets {'all of the ' if len(rows) > 1 else ''}{len(rows)} row"
        f"{'s' if len(rows) > 1 else ''}: constants, powers, exponentials, "
        "factorials, logarithms, pairs of them, and mutants of the closed form were tried"
    )


def _rows_beside(plan: Plan, leg: Leg, evidence: Seen) -> list[Row]:
    """What the other legs of the same closed form measured: data that did not suggest the law."""
    claim = plan.claim
    rows: list[Row] = []
    for lg in claim.legs:
        relation = claim.relation_of(lg)
        if (
            lg.name == leg.name
            or lg.arithmetic.proves
            or lg.side == "search"
            or relation.one_sided
            or not relation.pointwise
            or subject(claim, lg) != subject(claim, leg)
        ):
            continue
        form = Form(claim.form_of(lg))
        for o in evidence.get((Purpose.JUDGE, CLAIM, lg.name), []):
            rows += [r for r in rows_of(lg, o, form, plan.budget.point) if r.defined]
    return rows


def _law(
    claim: Claim, form: Any, relation: Relation, rows: Sequence[Row], beside: Sequence[Row]
) -> Any:
    """The diagnosis of failing rows as JSON data of a `DiagnosisEntry`, or None; tested on those beside them
    where no row could be held out."""
    numeric = [n for n, d in claim.domain.items() if d.numeric]
    whole = [n for n in numeric if claim.domain[n].kind in ("integers", "primes")]
    columns = (
        [r.point for r in rows],
        [r.measured for r in rows],
        [r.target for r in rows],
        numeric,
    )
    if relation.one_sided:
        found = diagnosis.growth(*columns, sign=relation.sign, integer=whole)
    else:
        inputs = [r.inputs for r in rows]
        found = diagnosis.diagnose(*columns, form=form, integer=whole, inputs=inputs)
    if found is None:
        return None
    tested_on = len(found.held_out)
    if found.agrees is None and found.kind != "growth" and beside:
        tested = diagnosis.confirm(
            found,
            [r.point for r in beside],
            [r.measured for r in beside],
            [r.target for r in beside],
            [r.inputs for r in beside],
        )
        if tested.agrees is False and relation.name == "equals":
            return None  # an optimum's other side may fall short, which says nothing of the law
        if tested.agrees:
            found, tested_on = replace(found, agrees=True), tested.points
    return to_builtins(
        DiagnosisEntry(
            kind=found.kind,
            text=found.text,
            corrected=None if found.corrected is None else str(found.corrected),
            agrees=found.agrees,
            tested_on=tested_on,
            alternatives=tuple(found.alternatives),
            hypotheses=found.hypotheses,
            candidates=found.candidates,
            caution=found.caution,
        )
    )
