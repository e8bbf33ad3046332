"""``theorycheck check``: a conjecture typed as text, or a file of conjectures."""

from __future__ import annotations

from dataclasses import replace
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
def command(
    statement: str,
    domains: tuple[str, ...],
    where: tuple[str, ...],
    budget: float,
    seed: int,
    as_json: bool,
) -> int:
    """Check a conjecture: "STATEMENT" with --for and --where, or a file (.toml, .py).

    Exit codes: 0 holds, 1 refuted, 4 bad input, 6 inconclusive.
    """
    if not 0 < budget < 1e6:
        raise click.UsageError("--budget is a number of seconds > 0")
    if statement.endswith((".toml", ".py")):
        if domains or where:
            raise click.UsageError("--for and --where belong into the file, beside its statement")
        if statement.endswith(".py"):
            return _python(Path(statement), budget, seed, as_json)
        return _file(Path(statement), budget, seed, as_json)
    return _statement(statement, domains, where, budget, seed, as_json)


def _statement(
    statement: str,
    domains: tuple[str, ...],
    where: tuple[str, ...],
    budget: float,
    seed: int,
    as_json: bool,
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
    verdict = check_within(problem, budget=budget, seed=seed)
    click.echo(to_json([verdict], single=True) if as_json else render(verdict))
    return exit_code([verdict])


def _file(path: Path, budget: float, seed: int, as_json: bool) -> int:
    from theorycheck.check.files import read_file
    from theorycheck.check.guard import check_within
    from theorycheck.check.output import exit_code, render, to_json

    verdicts: list[Verdict] = []
    for entry in read_file(path):
        verdict = check_within(
            entry.problem,
            budget=budget if entry.budget is None else entry.budget,
            seed=seed if entry.seed is None else entry.seed,
        )
        verdict = replace(verdict, expected=entry.expect)
        verdicts.append(verdict)
        if not as_json:
            click.echo(render(verdict) + "\n")
    if as_json:
        click.echo(to_json(verdicts, single=False))
    return exit_code(verdicts)


def _python(path: Path, budget: float, seed: int, as_json: bool) -> int:
    from theorycheck.cli.drafts import check_file

    return check_file(path, budget, seed, as_json)
