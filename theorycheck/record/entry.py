"""The entry of a claim in a run's report, from its judgement."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import msgspec
from msgspec.structs import replace

from theorycheck.claims.model import Claim
from theorycheck.engine.execute import Outcome
from theorycheck.entries.parts import (
    MutantsEntry,
    Resolution,
    Verdict,
)
from theorycheck.entries.report import Entry
from theorycheck.judge import Judgement
from theorycheck.library.hints import hints
from theorycheck.library.loading import Loaded
from theorycheck.plan.scope import domain_text, tested_text
from theorycheck.plan.settings import Settings
from theorycheck.record.about import about
from theorycheck.record.bare import bare_record
from theorycheck.sources.clauses import clauses_of


@dataclass(frozen=True)
class Unjudged:
    """Why a claim has no judgement: in ``error``, or ``skipped`` since a needed part is absent."""

    verdict: Literal["error", "skipped"]
    reason: str


def entry_of(loaded: Loaded, settings: Settings, outcome: Outcome | Unjudged, kind: str) -> Entry:
    """The report's entry of a claim; ``kind``: of the statement that it encodes."""
    claim = loaded.claim
    head = replace(
        bare_record(loaded),
        says=claim.says,
        kind=kind,
        corrects=claim.corrects,
        relation=claim.relation.name,
        domain=domain_text(claim),
        tested=tested_text(claim, settings.profile),
        closed_form=form_text(claim),
        lhs=claim.lhs,
        tex=claim.tex,
        reproduce=reproduce(loaded, settings),
    )
    if isinstance(outcome, Unjudged):
        return replace(head, verdict=outcome.verdict, reason=outcome.reason)
    j, found = outcome.judgement, hints(claim)
    return replace(
        head,
        verdict=j.verdict,
        reason=j.reason,
        would_decide=j.would_decide,
        cause=j.cause,
        rung=j.rung if j.verdict in ("pass", "fail", "inconclusive") else None,
        proved=j.proved and j.verdict == "pass",
        resolution=_finite(j.resolution) if j.verdict == "pass" else None,
        uniform_factor=_finite(j.uniform_factor) if j.verdict == "pass" else None,
        within=j.within if j.verdict == "pass" else None,
        tightness=j.tightness,
        points=j.points,
        samples=j.samples,
        seconds=round(outcome.seconds, 3),
        legs=tuple(replace(leg, hint=found.get(leg.name, "")) for leg in j.legs),
        rivals=j.rivals,
        mutants=j.mutants,
        hypotheses=j.hypotheses,
        counterexample=j.counterexample,
        diagnosis=j.diagnosis,
        undiagnosed=j.undiagnosed,
        alpha_spent=j.alpha_spent,
        attack=j.attack,
        degenerate=j.degenerate,
        clauses=j.clauses,
        about=about(claim, j.clauses, clauses_of(loaded.file.parent)),
    )


def draft_entry(claim: Claim, judgement: Judgement) -> Entry:
    """What is said of a judgement of a claim that stands in no library, in the words of reports."""
    return Entry(
        id=claim.id,
        source="",
        states=(),
        role=claim.role,
        title=claim.title,
        verdict=msgspec.convert(judgement.verdict, Verdict),
        expected="",
        rung=judgement.rung,
        within=judgement.within if judgement.verdict == "pass" else None,
        seconds=0.0,
        legs=judgement.legs,
        rivals=(),
        mutants=MutantsEntry(),
    )


def _finite(resolution: Resolution | None) -> Resolution | None:
    """A resolution that is a number; evidence that refutes no change of the form has none."""
    return resolution if resolution and math.isfinite(resolution.value) else None


def form_text(claim: Claim) -> str | None:
    """The closed form as text, or the name of the reference procedure."""
    for leg in claim.legs:
        form = claim.form_of(leg)
        if form is not None:
            if callable(form) and not hasattr(form, "free_symbols"):
                return getattr(form, "__doc__", None) or getattr(form, "__name__", str(form))
            return str(form)
        if leg.reference is not None:
            return f"procedure {getattr(leg.reference, '__name__', '')}"
    return None


def reproduce(loaded: Loaded, settings: Settings) -> str:
    """One command that makes the same observations again."""
    target = str(loaded.file.name) if loaded.draft else loaded.claim.id
    return (
        f"theorycheck run {target} --profile {settings.profile} --seed {settings.seed} "
        f"--device {settings.device} --no-cache"
    )
