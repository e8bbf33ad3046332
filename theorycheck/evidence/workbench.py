"""Typed statements as evidence: what the provers and the search of the workbench made of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from theorycheck.check.formula import bounds, sharper, without_a_part
from theorycheck.check.given import Given
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.region import formula_text
from theorycheck.check.run import check
from theorycheck.check.text import InputError
from theorycheck.check.verdict import EXHAUSTIVE, HOLDS, INCONCLUSIVE, PROVED, REFUTED
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.functions import ClaimError
from theorycheck.evidence.proof import Proof

_PATIENCE = 60.0
"""By the wall clock, in budgets: evidence is the same on a machine that does sixty things at once."""

_SHARE = Fraction(1, 100)
"""A bound that is sharper by this share is to be false: what slips into a constant or an exponent is rarely less."""

_SHARPER_SECONDS = 4.0
"""For a counterexample to it. Most are found in a tenth of that; where there is none, the rest is not worth more."""


def problem_of(statement: TypedStatement) -> Problem:
    """The statement as the workbench reads it. Raises ClaimError pointing at the place."""
    try:
        found = read_problem(
            statement.says,
            statement.over,
            statement.where,
            let=statement.let,
            steps=statement.steps,
        )
    except InputError as error:
        raise ClaimError(f"formula: {error}") from None
    if found.constants:
        raise ClaimError("formula: write the constant that the statement speaks of")
    return found


@lru_cache(maxsize=64)
def prove(statement: TypedStatement) -> Proof:
    """The statement judged for its whole domain, as ``theorycheck check`` does it, seed 0.

    It depends on the statement alone, so that a leg of many points is proved once.

    Of a bound it is seen as well whether one that is sharper by a hundredth of its size is false.

    Settled are a proof, every point of a finite domain, and a counterexample. A statement that the whole
    schedule of the search left standing holds on rung ``searched``; anything else settles nothing. Nor does
    a statement that is proved without a part of what an ``or`` in it joins: that part, false perhaps, is
    asserted nowhere. A statement with ``far`` conditions is false where it is false under each of them too.
    """
    problem = problem_of(statement)
    found = check(problem, budget=statement.seconds, explained=False, patience=_PATIENCE)
    witness: dict[str, object] = {
        "statement": statement.says,
        "scope": found.scope,
        "covered": found.covered,
        "how": found.reason,
    }
    if problem.laws:
        witness["laws"] = list(problem.laws)
    if found.verdict == REFUTED:
        sides = {"lhs": found.lhs, "rhs": found.rhs, "kind": found.kind}
        near = _stands_far_out(statement)
        if near:
            return Proof(False, near, witness)
        if statement.far:
            witness["far"] = list(statement.far)
        point = dict(found.counterexample or {})
        how = found.reason or "a counterexample, decided exactly"
        return Proof(False, how, witness, {"point": point, **sides})
    if found.verdict == INCONCLUSIVE:
        return Proof(False, found.reason, witness)
    idle = _idle_part(problem, statement.seconds)
    if idle:
        how = f"proved without {idle}: each part that an 'or' joins is to be needed; leave it out"
        return Proof(False, how, witness)
    rung = found.rung if found.rung in (PROVED, EXHAUSTIVE) else "searched"
    if rung == "searched":
        return Proof(True, f"no counterexample found: {found.covered}", witness, rung=rung)
    reached, at = _reached(problem, statement.seconds)
    if at:
        witness["a bound sharper by 1/100 is false at"] = at
    return Proof(True, found.reason or found.covered, witness, rung=rung, reached=reached)


def _reached(problem: Problem, seconds: float) -> tuple[float | None, Mapping[str, object]]:
    """The share of a bound that is seen to be reached, and where: all but a hundredth, or none. None where there is
    no bound."""
    if not bounds(problem.goal):
        return None, {}
    goal = sharper(problem.goal, _SHARE)
    if goal is None:
        return 0.0, {}
    more = replace(problem, goal=goal, given=Given())
    found = check(more, budget=min(seconds, _SHARPER_SECONDS), explained=False, patience=_PATIENCE)
    if found.verdict != REFUTED or not found.counterexample:
        return 0.0, {}
    return float(1 - _SHARE), dict(found.counterexample)


def _stands_far_out(statement: TypedStatement) -> str:
    """Why a counterexample refutes one value of an inner name only: the condition at the far end of its range under
    which none was found; "" where it is false under each."""
    for condition in statement.far:
        there = problem_of(replace(statement, where=(*statement.where, condition)))
        found = check(there, budget=statement.seconds, explained=False, patience=_PATIENCE)
        if found.verdict != REFUTED:
            return f"false at one value, and no counterexample where {condition}: another may do"
    return ""


def _idle_part(problem: Problem, seconds: float) -> str:
    """A part of an ``or`` without which the statement is proved, "" where all are needed."""
    for part, goal in without_a_part(problem.goal):
        less = replace(problem, goal=goal)
        found = check(less, budget=seconds, explained=False, patience=_PATIENCE)
        if found.verdict == HOLDS and found.proved:
            return formula_text(part)
    return ""
