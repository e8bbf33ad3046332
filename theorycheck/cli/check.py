"""``theorycheck check``: a conjecture typed as text, or a file of conjectures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import click

from theorycheck.check.verdict import Verdict


@click.command("check")
@click.argument("statement", metavar="STATEMENT|FILE")
@click.option("--for", "domains", multiple=True, metavar="DOMAIN", help='e.g. "n in 0..60"')
@click.option("--where", multiple=True, metavar="PREDICATE", help="a hypothesis, e.g. n != 7")
@click.option("--budget", type=float, default=20.0, show_default=True, help="seconds")
@click.option("--seed", type=int, default=0, show_default=True, help="of sampled points")
@click.option("--json", "as_json", is_flag=True, help="machine-readable verdict")
@click.option("--explain", is_flag=True, help="say in steps what the verdict rests on")
@click.option("--require-proof", is_flag=True, help="exit code 6 for what holds by search only")
def command(
    statement: str,
    domains: tuple[str, ...],
    where: tuple[str, ...],
    budget: float,
    seed: int,
    as_json: bool,
    explain: bool,
    require_proof: bool,
) -> int:
    """Check a conjecture: "STATEMENT" with --for and --where, or a file (.toml, .py).

    Exit codes: 0 holds, 1 refuted, 4 bad input, 6 inconclusive; with --require-proof 6 also for a
    statement that was searched and not proved.
    """
    if not 0 < budget < 1e6:
        raise click.UsageError("--budget is a number of seconds > 0")
    asked = _Asked(budget, seed, as_json, explain, require_proof)
    if statement.endswith((".toml", ".py")):
        if domains or where:
            raise click.UsageError("--for and --where belong into the file, beside its statement")
        if statement.endswith(".toml"):
            return _file(Path(statement), asked)
        if explain or require_proof:
            raise click.UsageError(
                "--explain and --require-proof are for statements, not for drafts"
            )
        return _python(Path(statement), budget, seed, as_json)
    return _statement(statement, domains, where, asked)


@dataclass(frozen=True)
class _Asked:
    """How statements are to be checked, and their verdicts to be told."""

    budget: float
    seed: int
    as_json: bool
    explain: bool
    require_proof: bool


def _statement(
    statement: str, domains: tuple[str, ...], where: tuple[str, ...], asked: _Asked
) -> int:
    from theorycheck.check.text import check_statement, scan

    # Bad text is refused before SymPy is loaded; the domains are read after that.
    declared = [n.strip() for d in domains for part in d.split(";")
                for n in part.partition(" in ")[0].split(",")]  # fmt: skip
    check_statement(scan(statement), declared)
    for text in where:
        check_statement(scan(text, "--where"), declared)
    from theorycheck.check.guard import check_within
    from theorycheck.check.output import exit_code, render, to_json
    from theorycheck.check.problem import read_problem

    problem = read_problem(statement, domains, where)
    verdict = check_within(problem, budget=asked.budget, seed=asked.seed)
    if asked.as_json:
        click.echo(to_json([verdict], single=True, explain=asked.explain))
    else:
        click.echo(render(verdict, explain=asked.explain))
    return exit_code([verdict], require_proof=asked.require_proof)


def _file(path: Path, asked: _Asked) -> int:
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


def _python(path: Path, budget: float, seed: int, as_json: bool) -> int:
    from theorycheck.cli.drafts import check_file

    return check_file(path, budget, seed, as_json)
