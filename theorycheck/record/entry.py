"""The entry of a claim in a run's report, and the report as a whole."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from theorycheck.claims.model import Claim
from theorycheck.engine.execute import Outcome
from theorycheck.entries.parts import ClauseEntry
from theorycheck.judge import Judgement, domain_text, tested_text
from theorycheck.judge.payments import Judged, LegSeen, clause_entries
from theorycheck.library.hints import hints
from theorycheck.library.loading import Loaded
from theorycheck.plan.settings import Settings

SCHEMA = 1


def entry_of(
    loaded: Loaded,
    settings: Settings,
    outcome: Outcome | None,
    kind: str,
    message: str = "",
    verdict: str = "error",
) -> dict[str, Any]:
    """The report's entry of a claim; without an outcome the claim is in error, or skipped, as
    ``verdict`` says, for the reason in ``message``."""
    claim = loaded.claim
    head: dict[str, Any] = {
        "id": claim.id,
        "source": loaded.source,
        "states": list(claim.states),
        "role": claim.role,
        "encodes": claim.encodes,
        "title": claim.title,
        "says": claim.says,
        "kind": kind,
        "expected": claim.expect,
        "corrects": claim.corrects,
        "relation": claim.relation.name,
        "domain": domain_text(claim),
        "tested": tested_text(claim, settings.profile),
        "closed_form": form_text(claim),
        "reproduce": reproduce(loaded, settings),
        "content": loaded.content,
    }
    if outcome is None:
        return head | _nothing() | {"verdict": verdict, "reason": message}
    j, found = outcome.judgement, hints(claim)
    return head | {
        "verdict": j.verdict,
        "reason": j.reason,
        "would_decide": j.would_decide,
        "rung": j.rung if j.verdict in ("pass", "fail", "inconclusive") else None,
        "proved": j.proved and j.verdict == "pass",
        "resolution": _finite(j.resolution) if j.verdict == "pass" else None,
        "tightness": j.tightness,
        "points": j.points,
        "samples": j.samples,
        "seconds": round(outcome.seconds, 3),
        "legs": [leg | _hint(found, leg) for leg in j.legs],
        "rivals": j.rivals,
        "mutants": j.mutants,
        "hypotheses": j.hypotheses,
        "counterexample": j.counterexample,
        "diagnosis": j.diagnosis,
        "undiagnosed": j.undiagnosed,
        "alpha_spent": j.alpha_spent,
        "clauses": [msgspec.to_builtins(c) for c in _clauses(claim, j, settings.profile)],
    }


def _clauses(claim: Claim, j: Judgement, profile: str) -> tuple[ClauseEntry, ...]:
    legs = {str(e["name"]): LegSeen(e["rung"], e["verdict"], e["samples"]) for e in j.legs}
    return clause_entries(claim, Judged(j.verdict, legs), profile)


def _hint(found: Mapping[str, str], leg: Mapping[str, Any]) -> dict[str, str]:
    return {"hint": found[leg["name"]]} if leg["name"] in found else {}


def _finite(resolution: dict[str, Any] | None) -> dict[str, Any] | None:
    """A resolution that is a number; evidence that refutes no change of the form has none."""
    return resolution if resolution and math.isfinite(resolution["value"]) else None


def _nothing() -> dict[str, Any]:
    return {
        "would_decide": "",
        "rung": None,
        "proved": False,
        "resolution": None,
        "tightness": None,
        "points": 0,
        "samples": 0,
        "seconds": 0.0,
        "legs": [],
        "rivals": [],
        "mutants": {"made": 0, "refuted": 0, "survivors": []},
        "hypotheses": [],
        "counterexample": None,
        "diagnosis": None,
        "undiagnosed": "",
        "alpha_spent": 0.0,
        "clauses": [],
    }


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


def as_expected(item: Mapping[str, Any]) -> bool:
    return bool(item["verdict"] == item["expected"])


def summary(entries: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Counts by verdict. Skipped claims are counted apart and are not as expected."""
    counts = {v: sum(e["verdict"] == v for e in entries)
              for v in ("pass", "fail", "inconclusive", "error", "skipped")}  # fmt: skip
    return {
        "claims": len(entries),
        "as_expected": sum(as_expected(e) for e in entries),
        **counts,
    }


def report_of(head: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The whole of ``report.json``; entries in order of source and id."""
    ordered = sorted(entries, key=lambda e: (e["source"], e["id"]))
    return {"schema": SCHEMA, "run": dict(head), "summary": summary(ordered), "claims": ordered}
