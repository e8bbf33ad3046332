"""``theorycheck check``: a conjecture typed as text, a file of conjectures, or a prompt."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import click

from theorycheck.check.verdict import Verdict
from theorycheck.cli.asking import BUDGET, Manner, StatementRequest, answer


class Statements(click.Command):
    """A command whose argument may begin with a minus, as in ``-x^2 <= 0``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {name for p in self.params for name in (*p.opts, *p.secondary_opts)}
        flags = {name for p in self.params if getattr(p, "is_flag", False) for name in p.opts}
        for i, arg in enumerate(args):
            if arg == "--":
                break
            takes = i > 0 and args[i - 1] in known - flags
            if not takes and _is_statement(arg, known):
                args = [*args[:i], *args[i + 1 :], "--", arg]
                break
        return super().parse_args(ctx, args)


def _is_statement(arg: str, known: set[str]) -> bool:
    """Whether an argument with a minus in front compares something, and is no option."""
    if not arg.startswith("-") or arg.partition("=")[0] in known or arg in known:
        return False
    return bool(re.search(r"[<>=≤≥≠≡]|\\(le|ge|ne|lt|gt)|\b(and|or|implies|in)\b", arg))


@click.command("check", cls=Statements)
@click.argument("statement", metavar="[STATEMENT|FILE]", required=False)
@click.option("--for", "domains", multiple=True, metavar="DOMAIN", help='e.g. "n in 0..60, x > 0"')
@click.option("--where", multiple=True, metavar="PREDICATE", help="a hypothesis, e.g. n != 7")
@click.option("--with", "laws", multiple=True, metavar="LAW", help='e.g. "g ~ N(0, 1)"')
@click.option("--let", multiple=True, metavar="NAME=EXPR", help='e.g. "u = sqrt(r)"')
@click.option("--step", "steps", multiple=True, metavar="LEMMA", help="proved first, then used")
@click.option(
    "--budget",
    type=float,
    show_default="20 for a statement, none for FILE.py",
    help="seconds for a statement or a claim",
)
@click.option("--seed", type=int, default=0, show_default=True, help="of sampled points")
@click.option("--json", "as_json", is_flag=True, help="machine-readable verdict")
@click.option("--explain", is_flag=True, help="say in steps what the verdict rests on")
@click.option("--require-proof", is_flag=True, help="exit code 6 for what holds by search only")
def command(
    statement: str | None,
    domains: tuple[str, ...],
    where: tuple[str, ...],
    laws: tuple[str, ...],
    let: tuple[str, ...],
    steps: tuple[str, ...],
    budget: float | None,
    seed: int,
    as_json: bool,
    explain: bool,
    require_proof: bool,
) -> int:
    """Check a conjecture: "STATEMENT" with --for and --where, or a file (.toml, .py). Without an
    argument, on a terminal: a prompt.

    Exit codes: 0 holds, 1 refuted, 4 bad input, 6 inconclusive; with --require-proof 6 also for a
    statement that was searched and not proved.
    """
    if budget is not None and not 0 < budget < 1e6:
        raise click.UsageError("--budget is a number of seconds > 0")
    task = StatementRequest(statement or "", domains, where, laws, let, steps)
    manner = Manner(BUDGET if budget is None else budget, seed, as_json, explain, require_proof)
    if statement is None:
        return _prompt(task, manner)
    if statement.endswith((".toml", ".py")):
        if domains or where or laws or let or steps:
            raise click.UsageError("--for, --where, --with, --let and --step belong into the file")
        if statement.endswith(".toml"):
            return _file(Path(statement), manner)
        if explain or require_proof:
            raise click.UsageError(
                "--explain and --require-proof are for statements, not for drafts"
            )
        return _python(Path(statement), budget, seed, as_json)
    return answer(task, manner, ask=not as_json and sys.stdin.isatty())


def _prompt(task: StatementRequest, manner: Manner) -> int:
    if not sys.stdin.isatty():
        raise click.UsageError(
            'no statement; write theorycheck check "n^2 >= n" --for "n in N", or a file'
        )
    from theorycheck.cli.prompt import Prompt

    return Prompt(task, manner).run()


def _file(path: Path, asked: Manner) -> int:
    from theorycheck.check.files import read_file
    from theorycheck.check.guard import check_within
    from theorycheck.check.output import exit_code, render, to_json

    verdicts: list[Verdict] = []
    for entry in read_file(path):
        verdict = check_within(
            entry.problem,
            budget=asked.budget if entry.budget is None else entry.budget,
            seed=asked.seed if entry.seed is None else entry.seed,
        )
        verdict = replace(verdict, expected=entry.expect)
        verdicts.append(verdict)
        if not asked.as_json:
            click.echo(render(verdict, explain=asked.explain) + "\n")
    if asked.as_json:
        click.echo(to_json(verdicts, single=False, explain=asked.explain))
    return exit_code(verdicts, require_proof=asked.require_proof)


def _python(path: Path, budget: float | None, seed: int, as_json: bool) -> int:
    from theorycheck.cli.drafts import check_file

    return check_file(path, budget, seed, as_json)
