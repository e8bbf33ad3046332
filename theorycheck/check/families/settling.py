"""The verdict on a statement about families: counterexamples at short lengths and among families of two values,
then proofs for every length."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from theorycheck.check import members as points
from theorycheck.check.domain import Domains
from theorycheck.check.families.blocks import blocks
from theorycheck.check.families.members import Instance, instance, lengths
from theorycheck.check.families.proving import prove
from theorycheck.check.families.recurrence import extends
from theorycheck.check.judge import Judge
from theorycheck.check.limits import GAVE_UP, Clock
from theorycheck.check.problem import Problem
from theorycheck.check.refusal import InputError
from theorycheck.check.verdict import (
    CERTIFIED,
    HOLDS,
    INCONCLUSIVE,
    PROVED,
    REFUTED,
    SEARCHED,
    Verdict,
)

Checker = Callable[[Problem, float], Verdict]
"""The verdict on a problem of names within seconds."""

# Shares of the time left: lengths one by one before the proof, each of them, two values at any length, the proof.
_SHORT, _EACH, _BLOCKS, _PROOF = 0.15, 0.4, 0.15, 0.8
# So many lengths, or combinations of them, are tried before the proof, and in all.
_FIRST, _LENGTHS = 2, 40
# So many of them are told, and the last one.
_SHOWN = 6


@dataclass
class _Run:
    problem: Problem
    clock: Clock
    checker: Checker
    tried: list[str] = field(default_factory=list)
    proved: int = 0
    met: bool = False
    part_of_all: bool | None = None

    def verdict(self) -> Verdict:
        """Short families, families of two values, a proof, longer families, in this order."""
        places = self.places()
        stages: tuple[Callable[[], Verdict | None], ...] = (
            lambda: self.short(itertools.islice(places, _FIRST), self.clock.slice(_SHORT)),
            lambda: self.two_values(self.clock.slice(_BLOCKS)),
            self.proof,
            lambda: self.short(itertools.islice(places, _LENGTHS - _FIRST), self.clock),
            self.all_lengths,
        )
        broken = ""
        for stage in stages:
            try:
                found = stage()
            except InputError:
                raise
            except GAVE_UP as error:  # inside SymPy as a rule: the search then has a hole
                broken = broken or f"a step broke off ({type(error).__name__}: {error})"[:200]
                continue
            if found is not None:
                return found
        if broken or not self.met:
            reason = broken or "vacuous: no family that was tried satisfies --where"
            return self.problem.judged(INCONCLUSIVE, SEARCHED, reason=reason)
        few, last = self.tried[:_SHOWN], self.tried[_SHOWN:][-1:]
        left_out = len(self.tried) - len(few) - len(last)
        between = [f"{left_out} more"] if left_out else []
        return self.problem.judged(HOLDS, SEARCHED, covered="; ".join([*few, *between, *last]))

    def places(self) -> Iterator[dict[str, int]]:
        """Values of the names that give the lengths, short families first."""
        own = lengths(self.problem)
        domains = Domains(own)
        if not own:
            yield {}
            return
        judge = Judge(domains, self.problem.goal)
        everywhere = (
            points.all_points(domains, judge)
            if points.finite(domains)
            else points.growing(domains, judge)
        )
        yield from (dict(p) for p in everywhere)

    def short(self, places: Iterator[dict[str, int]], clock: Clock) -> Verdict | None:
        """One length after the other, each with all its members as names."""
        for at in places:
            if clock.out():
                return None
            here = instance(self.problem, at)
            if here is None:
                return None
            found = self.checker(here.problem, clock.left * _EACH)
            where = ", ".join(f"{n} = {k}" for n, k in at.items()) or "the members as given"
            decides = found.verdict in (REFUTED, HOLDS) and self.extends()
            if found.verdict == REFUTED and decides:
                return self.refuted(found, here)
            self.met |= decides
            self.proved += found.proved
            how = found.rung if found.verdict == HOLDS else "not decided"
            self.tried.append(f"{where}: {how}")
        return None

    def two_values(self, clock: Clock) -> Verdict | None:
        """Families of one value, then of two, of any length."""
        for found in blocks(self.problem):
            checked = self.checker(found.problem, clock.left * _EACH)
            if checked.verdict == REFUTED and (family := found.family(checked)):
                return self.made_like(checked, family)
            self.met |= checked.verdict == HOLDS
            self.tried.append(f"{found.text}: {checked.verdict}")
        return None

    def extends(self) -> bool:
        """Whether what is found at an index is part of a family without end."""
        if self.part_of_all is None:
            seconds = self.clock.left * _EACH * _SHORT
            self.part_of_all = extends(self.problem, self.prover, seconds)
        return self.part_of_all

    def prover(self, asked: Problem, seconds: float) -> tuple[str, ...]:
        """The lines of a proof of a statement of names; none without one."""
        found = self.checker(asked, seconds)
        return (found.why or (found.reason or found.covered,)) if found.proved else ()

    def proof(self) -> Verdict | None:
        if not self.met:
            return None
        found = prove(self.problem, self.clock.slice(_PROOF), self.prover)
        if not found:
            return None
        verdict = self.problem.judged(HOLDS, PROVED, covered="the whole domain", reason=found.how)
        return replace(verdict, why=found.lines)

    def all_lengths(self) -> Verdict | None:
        """Every length proved by itself, where there are few."""
        domains = Domains(lengths(self.problem))
        if not points.finite(domains):
            return None
        judge = Judge(domains, self.problem.goal)
        size = points.count(domains, judge, _LENGTHS) if domains.variables else 1
        if size is None or self.proved < size or not self.met:
            return None
        return self.problem.judged(
            HOLDS, PROVED, covered="the whole domain", reason="every length by itself"
        )

    def refuted(self, found: Verdict, here: Instance) -> Verdict:
        """The counterexample with its members as families."""
        values = dict(found.counterexample or {})
        own = {family: [values.pop(n) for n in names] for family, names in here.members.items()}
        told = {n: str(k) for n, k in here.at.items()} | values
        told |= {f: f"({', '.join(members)})" for f, members in own.items()}
        return self.made_like(found, told)

    def made_like(self, found: Verdict, counterexample: dict[str, str]) -> Verdict:
        return replace(
            found,
            statement=self.problem.statement,
            scope=self.problem.scope(),
            counterexample=counterexample,
            rung=CERTIFIED,
            covered="a simple counterexample, not the smallest for certain",
        )


def settle(problem: Problem, clock: Clock, checker: Checker) -> Verdict:
    """The verdict on a problem with families; inconclusive where a member occurs that there is not."""
    run = _Run(problem, clock, checker)
    try:
        return run.verdict()
    except InputError as error:
        return problem.judged(INCONCLUSIVE, SEARCHED, reason=str(error))
