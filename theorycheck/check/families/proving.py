"""Proofs of statements about families: sums become names, then the methods in order."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import sympy as sp

from theorycheck.check.families import bounds, gram, induction, plain, recurrence
from theorycheck.check.families.method import FamilyMethod, FamilyTask, Prove
from theorycheck.check.families.moving import with_one_at_zero
from theorycheck.check.families.naming import Named, NotNamed, named
from theorycheck.check.families.pairs import over_all
from theorycheck.check.forms import ForAll, NoCondition, conditions, conjuncts
from theorycheck.check.formula import Comparison
from theorycheck.check.limits import GAVE_UP, Clock, TimeUp
from theorycheck.check.problem import Problem
from theorycheck.check.refusal import InputError

METHODS: tuple[FamilyMethod, ...] = (plain.METHOD, gram.METHOD, bounds.METHOD)
_NOTHING = Comparison("==", sp.Integer(0), sp.Integer(0))
# The shares of the time left for what speaks of sums, and of that for each method.
_SUMS, _SHARE = 0.75, 0.5


@dataclass(frozen=True)
class FamilyProof:
    """How each part was proved, and the lines of the proof; empty where there is none."""

    how: str = ""
    lines: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.how)


def prove(problem: Problem, clock: Clock, prover: Prove) -> FamilyProof:
    """A proof for families of every length; never raises."""
    if problem.every and (found := _by_induction(problem, clock.slice(_SHARE), prover, recurrence)):
        return found
    return _by_sums(problem, clock.slice(_SUMS), prover) or _by_induction(
        problem, clock, prover, induction
    )


def _by_induction(problem: Problem, clock: Clock, prover: Prove, way: ModuleType) -> FamilyProof:
    try:
        with clock.limit():
            lines = way.prove(problem, clock, prover)
    except (NoCondition, InputError, TimeUp, *GAVE_UP):
        return FamilyProof()
    return FamilyProof(way.NAME, lines) if lines else FamilyProof()


def _by_sums(problem: Problem, clock: Clock, prover: Prove) -> FamilyProof:
    try:
        with clock.limit():
            problem, pairs = over_all(problem)
            moved = with_one_at_zero(problem)
            sums = named(moved[0] if moved else problem)
            parts = conjuncts(sums.problem.goal)
            lines = [f"all sums are of differences: {moved[1].name}[j] = 0"] if moved else []
            lines = [*pairs, *lines]
            lines += [t.text() for t in (*sums.values, *sums.totals)]
            lines += _values_of_terms(sums, clock, prover)
            how: list[str] = []
            for part in parts:
                found = _part(sums, part, clock, prover)
                if found is None:
                    return FamilyProof()
                how.append(found.how)
                lines += found.lines
    except (NotNamed, NoCondition, TimeUp, *GAVE_UP):
        return FamilyProof()
    return FamilyProof("; ".join(dict.fromkeys(how)), tuple(lines))


def _values_of_terms(sums: Named, clock: Clock, prover: Prove) -> list[str]:
    """That every term of a sum has a value. Raises NoCondition."""
    asked = FamilyTask(sums, _NOTHING, clock, prover)
    for body in sums.bodies:
        for condition in conditions(body):
            if isinstance(condition, ForAll) or not asked.shown(
                sums.pointwise(condition), "every term has a value: "
            ):
                raise NoCondition(str(body))
    return asked.lines


def _part(sums: Named, part: object, clock: Clock, prover: Prove) -> FamilyProof | None:
    if not isinstance(part, Comparison):
        return None
    for method in METHODS:
        task = FamilyTask(sums, part, clock.slice(_SHARE), prover)
        try:
            with task.clock.limit():
                proved = method.prove(task)
        except GAVE_UP:
            proved = False
        except TimeUp:
            if clock.out():
                raise
            proved = False
        if proved:
            return FamilyProof(method.name, tuple(task.lines))
    return None
