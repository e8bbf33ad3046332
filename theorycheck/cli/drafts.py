"""``theorycheck check FILE.py``: the claims of a file as conjectures.

A draft needs neither rivals nor a register. A first look is taken at the smoke points; where that does
not decide and time is left, at the standard ones.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click

from theorycheck.claims.model import Claim
from theorycheck.engine.execute import Outcome, execute
from theorycheck.judge import domain_text, tested_text
from theorycheck.library.hints import hints
from theorycheck.library.loading import check_ids, load_file
from theorycheck.plan.settings import Settings
from theorycheck.record.entry import counterexample_of, draft_entry
from theorycheck.reports.words import place, standing

WORDS = {"pass": "holds", "fail": "refuted", "inconclusive": "inconclusive"}


def check_file(path: Path, budget: float, seed: int, as_json: bool) -> int:
    """Judge every claim of a file and print it; exit code as for ``check``. Raises ClaimError."""
    loaded = load_file(path)
    check_ids(loaded)
    answers = [judged(item.claim, budget, seed) for item in loaded]
    if as_json:
        click.echo(json.dumps(answers))
    else:
        for answer, item in zip(answers, loaded, strict=True):
            click.echo(text(answer))
            for name, hint in hints(item.claim).items():
                click.echo(f"  hint, leg {name}: {hint}")
    verdicts = {a["verdict"] for a in answers}
    if not answers:
        return 5
    return 1 if verdicts & {"refuted", "error"} else 6 if "inconclusive" in verdicts else 0


def judged(claim: Claim, budget: float, seed: int) -> dict[str, Any]:
    """The answer about one claim, with the fields of ``check --json``."""
    started = time.perf_counter()
    outcome = execute(claim, Settings("smoke", seed))
    profile = "smoke"
    if outcome.judgement.verdict == "inconclusive" and time.perf_counter() - started < budget / 2:
        outcome, profile = execute(claim, Settings("standard", seed)), "standard"
    return _answer(claim, outcome, profile, time.perf_counter() - started)


def _answer(claim: Claim, outcome: Outcome, profile: str, seconds: float) -> dict[str, Any]:
    j = outcome.judgement
    found = counterexample_of(j)
    return {
        "statement": claim.says or claim.title,
        "claim": claim.id,
        "verdict": WORDS.get(j.verdict, j.verdict),
        "standing": standing(draft_entry(claim, j)),
        "proved": j.verdict == "pass" and j.rung in ("proved", "exhaustive"),
        "rung": j.rung,
        "counterexample": None
        if found is None
        else {name: str(value) for name, value in found.point.items()},
        "kind": None if found is None else found.kind,
        "lhs": None if found is None else found.lhs,
        "rhs": None if found is None else found.rhs,
        "covered": f"{domain_text(claim)}; tried {tested_text(claim, profile)}",
        "resolution": j.resolution,
        "reason": j.reason or ("" if found is None else place(found)),
        "seconds": round(seconds, 3),
    }


def text(answer: dict[str, Any]) -> str:
    """For people, in the words of ``run``; a bound that is only touched is said to be that."""
    lines = [f"{answer['claim']}: {answer['standing']}"]
    lines.append(f"  {answer['statement']}")
    if answer["counterexample"] is not None:
        at = ", ".join(f"{k} = {v}" for k, v in answer["counterexample"].items())
        lines.append(
            f"  at {at or 'its only point'}: measured {answer['lhs']}, claimed {answer['rhs']}"
        )
    if answer["resolution"] is not None:
        r = answer["resolution"]
        lines.append(f"  sharp to {r['value']:.2g} ({r['kind']}), {answer['rung']}")
    lines.append(f"  covered: {answer['covered']}")
    if answer["reason"]:
        lines.append(f"  {answer['reason']}")
    return "\n".join(lines)
