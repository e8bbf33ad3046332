"""``theorycheck recheck``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from theorycheck.recheck.files import KeptProof
    from theorycheck.recheck.judge import Answer


@click.command("recheck")
@click.argument("report", metavar="REPORT")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=2.0,
    show_default=True,
    help="Work on the points of a statement, and as much on a proof: counted steps, of so long at most or about.",
)
@click.option("-n", "workers", default="1", metavar="WORKERS", help="Processes, or 'auto'.")
@click.option("--claim", metavar="TEXT", default="", help="Only claims whose id has this in it.")
@click.option("--all", "everything", is_flag=True, help="A line for every statement.")
@click.option("--json", "as_json", is_flag=True, help="Print the answers as JSON.")
def command(
    report: str, seconds: float, workers: str, claim: str, everything: bool, as_json: bool
) -> int:
    """Recheck the kept proofs of a report by a second program, from their witnesses alone.

    REPORT is a report.json, or a run as the other commands name it. Each statement is rechecked (proved again by
    rules of its own), held at N points, disagrees (false at a point that is told), or cannot be read.

    The answers are the same for any number of workers. Interrupted, it tells of what it has answered.

    Exit codes: 0 nothing disagrees, 1 something does, 2 interrupted, 4 bad input, 5 no kept proof.
    """
    from theorycheck.cli.run import workers_of
    from theorycheck.recheck.files import BadReport, kept_proofs

    try:
        kept = kept_proofs(_file(report))
    except BadReport as problem:
        raise click.UsageError(str(problem)) from None
    kept = [k for k in kept if any(claim in c for c in k.claims)]
    if not kept:
        click.echo("theorycheck: no kept proof there", err=True)
        return 5
    answers: list[Answer] = []
    try:
        for answer in _answered(kept, seconds, workers_of(workers), quiet=as_json):
            answers.append(answer)
    except KeyboardInterrupt:
        click.echo(f"theorycheck: interrupted after {len(answers)} of {len(kept)}", err=True)
        cut, kept = True, kept[: len(answers)]
    else:
        cut = False
    if as_json:
        click.echo(json.dumps([_row(k, a) for k, a in zip(kept, answers, strict=True)], indent=1))
    else:
        click.echo(_told(kept, answers, everything))
    return 2 if cut else 1 if any(a.answer == "disagrees" for a in answers) else 0


def _file(report: str) -> Path:
    from theorycheck.record.runs import find_run

    given = Path(report)
    return given if given.is_file() else find_run(report, Path("reports")) / "report.json"


def _answered(
    kept: Sequence[KeptProof], seconds: float, workers: int, *, quiet: bool
) -> Iterator[Answer]:
    """The answers in order, with a line of progress on a terminal."""
    import sys

    from theorycheck.recheck.many import recheck_all

    shown = not quiet and sys.stderr.isatty()
    for i, answer in enumerate(recheck_all(kept, seconds=seconds, workers=workers)):
        yield answer
        if shown:
            click.echo(f"\r{i + 1} of {len(kept)} statements", nl=False, err=True)
    if shown:
        click.echo(err=True)


def _row(kept: KeptProof, answer: Answer) -> Mapping[str, Any]:
    return {
        "statement": kept.statement,
        "scope": kept.scope,
        "holds": kept.holds,
        "method": kept.method,
        "claims": kept.claims,
        "answer": answer.answer,
        "reason": answer.reason,
        "points": answer.points,
        "agreed": answer.agreed,
        "false": answer.false,
    }


def _told(kept: Sequence[KeptProof], answers: Sequence[Answer], everything: bool) -> str:
    from theorycheck.recheck.judge import DISAGREES, HELD, RECHECKED, UNREAD

    lines = []
    for k, a in zip(kept, answers, strict=True):
        if everything or a.answer == DISAGREES:
            lines += _line(k, a)
    counts = Counter(a.answer for a in answers)
    lines.append(f"{len(kept)} statements:")
    names = {
        RECHECKED: "rechecked: proved again, or refuted again at the point",
        HELD: "held at points, not proved again",
        DISAGREES: "disagree",
        UNREAD: "not read",
    }
    lines += [f"  {counts[answer]:5}  {words}" for answer, words in names.items()]
    reasons = Counter(_short(a.reason) for a in answers if a.answer == UNREAD)
    lines += [f"         {n:5}  {reason}" for reason, n in reasons.most_common(8)]
    return "\n".join(lines)


def _line(kept: KeptProof, answer: Answer) -> list[str]:
    scope = f"   for {kept.scope}" if kept.scope else ""
    said = answer.answer if answer.answer != "held" else f"held at {answer.points} points"
    lines = [f"{said}: {kept.statement or kept.method}{scope}"]
    if answer.false:
        at = ", ".join(f"{name} = {value}" for name, value in answer.false.items())
        lines.append(f"  at {at}: {answer.reason}")
    elif answer.reason:
        lines.append(f"  {answer.reason}")
    return [*lines, f"  in {', '.join(kept.claims[:4])}"]


def _short(reason: str) -> str:
    return reason.split(":")[0] if reason.startswith("not of") else reason
