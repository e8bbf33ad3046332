"""``theorycheck check FILE.py``: the claims of a file as conjectures.

A draft needs neither rivals nor a register. A first look is taken at the smoke points; where that does
not decide and time is left, at the standard ones.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path

import click
from msgspec import Struct, to_builtins

from theorycheck.claims.model import Claim
from theorycheck.engine.execute import Outcome, execute
from theorycheck.entries.parts import Resolution
from theorycheck.library.hints import hints
from theorycheck.library.loading import check_ids, load_file
from theorycheck.numbers.errors import Absent
from theorycheck.plan.scope import domain_text, tested_text
from theorycheck.plan.settings import Settings
from theorycheck.record.entry import draft_entry
from theorycheck.reports.words import place, standing

WORDS = {"pass": "holds", "fail": "refuted", "inconclusive": "inconclusive"}


class DraftAnswer(Struct, frozen=True, kw_only=True):
    """The answer about one claim: the fields of ``check --json`` with the claim's id and its standing in
    the words of ``run``. ``counterexample``: exact values as text, by parameter."""

    statement: str
    claim: str
    verdict: str
    standing: str
    proved: bool
    rung: str | None
    counterexample: Mapping[str, str] | None
    kind: str | None
    lhs: str | None
    rhs: str | None
    covered: str
    resolution: Resolution | None
    reason: str
    seconds: float


def check_file(path: Path, budget: float, seed: int, as_json: bool) -> int:
    """Judge every claim of a file and print it; exit code as for ``check``. Raises ClaimError."""
    loaded = load_file(path)
    check_ids(loaded)
    answers = [judged(item.claim, budget, seed) for item in loaded]
    if as_json:
        click.echo(json.dumps(to_builtins(answers)))
    else:
        for answer, item in zip(answers, loaded, strict=True):
            click.echo(text(answer))
            for name, hint in hints(item.claim).items():
                click.echo(f"  hint, leg {name}: {hint}")
    verdicts = {a.verdict for a in answers}
    if verdicts <= {"skipped"}:
        return 5
    return 1 if verdicts & {"refuted", "error"} else 6 if "inconclusive" in verdicts else 0


def judged(claim: Claim, budget: float, seed: int) -> DraftAnswer:
    """The answer about one claim, with the fields of ``check --json``."""
    started = time.perf_counter()
    profile = "smoke"
    try:
        outcome = execute(claim, Settings(profile, seed))
    except Absent as error:
        return _skipped(claim, str(error))
    if outcome.judgement.verdict == "inconclusive" and time.perf_counter() - started < budget / 2:
        outcome, profile = execute(claim, Settings("standard", seed)), "standard"
    return _answer(claim, outcome, profile, time.perf_counter() - started)


def _answer(claim: Claim, outcome: Outcome, profile: str, seconds: float) -> DraftAnswer:
    j = outcome.judgement
    found = j.counterexample
    at = None if found is None else {name: str(value) for name, value in found.point.items()}
    return DraftAnswer(
        statement=claim.says or claim.title,
        claim=claim.id,
        verdict=WORDS.get(j.verdict, j.verdict),
        standing=standing(draft_entry(claim, j)),
        proved=j.verdict == "pass" and j.rung in ("proved", "exhaustive"),
        rung=j.rung,
        counterexample=at,
        kind=None if found is None else found.kind,
        lhs=None if found is None else found.lhs,
        rhs=None if found is None else found.rhs,
        covered=f"{domain_text(claim)}; tried {tested_text(claim, profile)}",
        resolution=j.resolution,
        reason=j.reason or ("" if found is None else place(found)),
        seconds=round(seconds, 3),
    )


def _skipped(claim: Claim, reason: str) -> DraftAnswer:
    """The answer where something that the claim needs is not here."""
    return DraftAnswer(
        statement=claim.says or claim.title,
        claim=claim.id,
        verdict="skipped",
        standing="skipped",
        proved=False,
        rung=None,
        counterexample=None,
        kind=None,
        lhs=None,
        rhs=None,
        covered=f"{domain_text(claim)}; tried nothing",
        resolution=None,
        reason=reason,
        seconds=0.0,
    )


def text(answer: DraftAnswer) -> str:
    """For people, in the words of ``run``; a bound that is only touched is said to be that."""
    lines = [f"{answer.claim}: {answer.standing}", f"  {answer.statement}"]
    if answer.counterexample is not None:
        at = ", ".join(f"{k} = {v}" for k, v in answer.counterexample.items())
        sides = f"measured {answer.lhs}, claimed {answer.rhs}"
        lines.append(f"  at {at or 'its only point'}: {sides}")
    if answer.resolution is not None:
        r = answer.resolution
        lines.append(f"  sharp to {r.value:.2g} ({r.kind}), {answer.rung}")
    lines.append(f"  covered: {answer.covered}")
    if answer.reason:
        lines.append(f"  {answer.reason}")
    return "\n".join(lines)
