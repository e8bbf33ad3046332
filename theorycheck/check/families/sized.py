"""The verdict on a statement about matrices of any size: counterexamples at small sizes, a proof by their traces."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf

from theorycheck.check import members as points
from theorycheck.check.domain import Domains
from theorycheck.check.families.angles import in_norms
from theorycheck.check.formula import Comparison
from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.refusal import TooLarge
from theorycheck.check.traces import Sized
from theorycheck.check.verdict import (
    CERTIFIED,
    HOLDS,
    INCONCLUSIVE,
    PROVED,
    REFUTED,
    SEARCHED,
    Verdict,
)

# Sizes that are tried, the largest, and the share of the time left for each, and for the two proofs.
_TRIED, _LARGEST, _EACH, _FIRST, _PROOF = 4, 3, 0.25, 0.5, 0.7
_ENTRIES = 40
# Seconds at most for a size before the proof.
_SHORT = 1.5


Checker = Callable[[Problem, float], Verdict]
"""The verdict on a problem of names within seconds."""


def settle(problem: Problem, sized: Sized, clock: Clock, checker: Checker) -> Verdict:
    """Small sizes, entry by entry, then all sizes, then small ones for longer."""
    tried, refuted = _small(problem, sized, clock, checker, _SHORT)
    if refuted is not None:
        return refuted
    made = problem.judged(HOLDS, SEARCHED, covered="; ".join(tried))
    if tried:
        for asked, what, share in _relaxed(problem):
            found = checker(asked, clock.left * share)
            if found.verdict == HOLDS and found.proved:
                how = f"for all numbers that {what} could be: {found.reason}"
                whole = "the whole domain"
                return replace(made, rung=PROVED, covered=whole, reason=how, why=found.why)
    longer, refuted = _small(problem, sized, clock, checker, inf)
    if refuted is not None:
        return refuted
    if not (tried or longer):
        return replace(made, verdict=INCONCLUSIVE, reason="no size that was tried was decided")
    return replace(made, covered="; ".join(longer or tried))


def _relaxed(problem: Problem) -> Iterator[tuple[Problem, str, float]]:
    """Statements of numbers that the one of matrices follows from, with shares of the time left."""
    plain = (replace(problem, sized=None), "the traces", _PROOF)
    inner = in_norms(problem)
    if inner is None:
        yield plain
        return
    # An equation of traces is settled at once, or not at all.
    norms = (inner, "the norms and cosines", _PROOF)
    is_equation = isinstance(problem.goal, Comparison) and problem.goal.op == "=="
    first, second = (plain, norms) if is_equation else (norms, plain)
    yield first[0], first[1], _FIRST
    yield second


def _small(
    problem: Problem, sized: Sized, clock: Clock, checker: Checker, seconds: float
) -> tuple[list[str], Verdict | None]:
    """What holds at small sizes, in words, and a refutation."""
    tried: list[str] = []
    for at in itertools.islice(_places(problem, sized), _TRIED):
        try:
            here = _instance(problem, sized, at)
        except TooLarge:  # written out entry by entry, this size has more parts than are read
            continue
        found = checker(here, min(clock.left * _EACH, seconds))
        if found.verdict == REFUTED:
            told = {n: str(k) for n, k in at.items()} | dict(found.counterexample or {})
            return tried, replace(
                found,
                statement=problem.statement,
                scope=problem.scope(),
                counterexample=told,
                rung=CERTIFIED,
                covered="a simple counterexample, not the smallest for certain",
            )
        if found.verdict == HOLDS:
            where = ", ".join(f"{n} = {k}" for n, k in at.items())
            tried.append(f"{where}: {found.rung}")
    return tried, None


def _places(problem: Problem, sized: Sized) -> Iterator[dict[str, int]]:
    own = tuple(v for v in problem.domains.variables if v.name in sized.names)
    domains = Domains(own)
    judge = Judge(domains, problem.goal)
    finite = points.finite(domains)
    everywhere = (points.all_points if finite else points.growing)(domains, judge)
    for place in itertools.islice(everywhere, 100):
        at = {n: int(k) for n, k in place.items()}
        if all(1 <= k <= _LARGEST for k in at.values()):
            yield at


def _instance(problem: Problem, sized: Sized, at: dict[str, int]) -> Problem:
    """The statement with matrices of given sizes."""
    traces = set(problem.domains.traces.found.values())
    texts = [
        f"{v.name} in {v.text if v.name not in at else f'{at[v.name]}..{at[v.name]}'}"
        for v in problem.domains.variables
        if v.name not in traces
    ]
    for name, sizes in sized.matrices.items():
        rows, columns = (at.get(s, s) for s in sizes)
        texts.append(f"{name} in R^{{{rows}x{columns}}}")
    return read_problem(sized.statement, texts, sized.where, most=_ENTRIES)


__all__ = ["settle"]
