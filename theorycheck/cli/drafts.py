"""``theorycheck check FILE.py``: the claims of a file as conjectures.

A draft needs neither rivals nor a register. A first look is taken at the smoke points; where that does
not decide and time is left, at the standard ones.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import click
from msgspec import Struct, structs, to_builtins

from theorycheck.audit.pool import TimedTask, run_all
from theorycheck.claims.functions import ClaimError
from theorycheck.claims.model import Claim
from theorycheck.engine.execute import Outcome, Progress, execute
from theorycheck.entries.parts import Resolution
from theorycheck.library.hints import hints
from theorycheck.library.loading import check_ids, load_file
from theorycheck.numbers.errors import Absent, UserError
from theorycheck.plan.keys import UnitKey
from theorycheck.plan.scope import domain_text, tested_text
from theorycheck.plan.settings import Settings
from theorycheck.record.entry import draft_entry
from theorycheck.reports.words import place, standing
from theorycheck.sources.plain import plain

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


def check_file(path: Path, budget: float | None, seed: int, as_json: bool) -> int:
    """Judge every claim of a file and print it; exit code as for ``check``. ``budget``: seconds for each
    claim, None for as long as it takes. Raises ClaimError."""
    loaded = load_file(path)
    check_ids(loaded)
    answers = []
    for item in loaded:
        answers.append(judged(item.claim, budget, seed))
        if not as_json:
            click.echo(text(answers[-1]))
            for name, hint in hints(item.claim).items():
                click.echo(f"  hint, leg {name}: {hint}")
    if as_json:
        click.echo(json.dumps(to_builtins(answers)))
    verdicts = {a.verdict for a in answers}
    if verdicts <= {"skipped"}:
        return 5
    return 1 if verdicts & {"refuted", "error"} else 6 if "inconclusive" in verdicts else 0


_FIRST_LOOK = 10.0
"""Seconds that a first look may have taken for a second one to follow, where there is no budget."""


def judged(claim: Claim, budget: float | None, seed: int) -> DraftAnswer:
    """The answer about one claim, with the fields of ``check --json``."""
    started = time.perf_counter()

    def passed() -> float:
        return time.perf_counter() - started

    try:
        first = _within(claim, Settings("smoke", seed), budget)
        if first is None:
            return _undecided(claim, "inconclusive", _over(budget), passed())
        further = passed() < (_FIRST_LOOK if budget is None else budget / 2)
        if first.verdict != "inconclusive" or not further:
            return first
        left = None if budget is None else budget - passed()
        second = _within(claim, Settings("standard", seed), left)
        return structs.replace(second or first, seconds=round(passed(), 3))
    except Absent as error:
        return _undecided(claim, "skipped", str(error), 0.0)


def _within(claim: Claim, settings: Settings, seconds: float | None) -> DraftAnswer | None:
    """The answer under a profile, None where it takes longer. A limit is kept from outside: the work is
    done by a copy of this process, since compiled code listens to no signal. Raises UserError."""
    with _Progress(claim.id, settings.profile) as progress:
        if seconds is None:
            return _answered(claim, settings, progress)
        look = partial(_answered_or_why, claim, settings, progress)
        (done,) = run_all([TimedTask(0, look, seconds)], workers=1)
    if isinstance(done.result, UserError):
        raise done.result
    if done.error:
        raise RuntimeError(done.error)
    if done.result is None and not done.late:
        raise ClaimError(f"claim {claim.id}: the process that ran its code died")
    return done.result


def _answered(claim: Claim, settings: Settings, progress: Progress) -> DraftAnswer:
    outcome = execute(claim, settings, progress=progress, figures=False)
    return _answer(claim, outcome, settings.profile, outcome.seconds)


def _answered_or_why(
    claim: Claim, settings: Settings, progress: Progress
) -> DraftAnswer | UserError:
    """What is wrong with the input goes back to the process that asked, as its answer does."""
    try:
        return _answered(claim, settings, progress)
    except UserError as error:
        return error


class _Progress:
    """On a terminal, one line on the error stream that says what is being looked at; it vanishes."""

    def __init__(self, name: str, profile: str) -> None:
        self.words = f"{name} ({profile})"
        self.shown = sys.stderr.isatty()
        self.count = 0

    def __enter__(self) -> _Progress:
        return self

    def __call__(self, key: UnitKey) -> None:
        self.count += 1
        if self.shown:
            at = ", ".join(f"{name} = {value}" for name, value in key.point)
            line = f"{self.words}: look {self.count}, {key.leg} at {at or 'its only point'}"
            click.echo(
                f"\r\033[K{line[: shutil.get_terminal_size().columns - 1]}", nl=False, err=True
            )

    def __exit__(self, *_: object) -> None:
        if self.shown:
            click.echo("\r\033[K", nl=False, err=True)


def _over(budget: float | None) -> str:
    return f"--budget {budget:g} was over before a first look was; name more seconds, or none for no limit"


def _answer(claim: Claim, outcome: Outcome, profile: str, seconds: float) -> DraftAnswer:
    j = outcome.judgement
    found = j.counterexample
    at = None if found is None else {name: str(value) for name, value in found.point.items()}
    return DraftAnswer(
        statement=plain(claim.says or claim.title),
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


def _undecided(claim: Claim, verdict: str, reason: str, seconds: float) -> DraftAnswer:
    """The answer where nothing was seen: something that the claim needs is not here, or time was short."""
    return DraftAnswer(
        statement=plain(claim.says or claim.title),
        claim=claim.id,
        verdict=verdict,
        standing=verdict,
        proved=False,
        rung=None,
        counterexample=None,
        kind=None,
        lhs=None,
        rhs=None,
        covered=f"{domain_text(claim)}; tried nothing",
        resolution=None,
        reason=reason,
        seconds=round(seconds, 3),
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
