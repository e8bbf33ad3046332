"""Statements typed by a person: read, doubts asked about, checked, answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from theorycheck.check.problem import Problem


@dataclass(frozen=True)
class StatementRequest:
    """A statement as it was asked for."""

    statement: str
    domains: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    let: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


BUDGET = 20.0
"""Seconds for a statement where none are named."""


@dataclass(frozen=True)
class Manner:
    """How statements are to be checked, and their verdicts to be told."""

    budget: float = BUDGET
    seed: int = 0
    as_json: bool = False
    explain: bool = False
    require_proof: bool = False


def answer(task: StatementRequest, manner: Manner, *, ask: bool) -> int:
    """Print the verdict on a typed statement; the exit code. ``ask`` lets a person choose between
    readings.

    Raises:
        InputError: for bad input; Ambiguous among them where nobody is asked.
    """
    problem = read(task, ask)
    from theorycheck.check.guard import check_within  # SymPy, after bad text was refused
    from theorycheck.check.output import exit_code, render, to_json

    verdict = check_within(problem, budget=manner.budget, seed=manner.seed)
    if manner.as_json:
        click.echo(to_json([verdict], single=True, explain=manner.explain))
    else:
        click.echo(render(verdict, explain=manner.explain))
    return exit_code([verdict], require_proof=manner.require_proof)


def read(task: StatementRequest, ask: bool) -> Problem:
    """The statement as a problem; where it has several readings, the one that was chosen."""
    from theorycheck.check.precheck import precheck
    from theorycheck.check.refusal import Ambiguous

    try:
        # Bad text is refused before SymPy is loaded.
        precheck(task.statement, task.domains, task.where, task.laws, task.let, task.steps)
    except Ambiguous as doubt:
        if not ask or doubt.what != "statement":
            raise
        return read(_chosen(task, doubt.part, doubt.readings), ask)
    from theorycheck.check.problem import read_problem

    return read_problem(task.statement, task.domains, task.where, task.laws, task.let, task.steps)


def _chosen(task: StatementRequest, part: str, readings: Sequence[str]) -> StatementRequest:
    """Ask which reading is meant."""
    from theorycheck.check.reading.constants import as_text, with_constants
    from theorycheck.check.typed import quantified

    click.echo(f"{part!r} can be read as")
    for i, reading in enumerate(readings, start=1):
        click.echo(f"  {i}  {reading}")
    number = click.prompt("which", type=click.IntRange(1, len(readings)), default=1)
    some = with_constants(task.statement)
    phrases, _ = quantified(some.rest)
    if some.phrases:
        names = f"for all {', '.join(phrases)}: " if phrases else ""
        return replace(task, statement=f"{as_text(some.phrases)}{names}{readings[number - 1]}")
    domains = (*task.domains, *phrases)
    return replace(task, statement=readings[number - 1], domains=domains)


__all__ = ["Manner", "StatementRequest", "answer", "read"]
