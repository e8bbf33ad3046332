"""The strategy: the strongest method first, a verdict at the end, within a budget of seconds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from theorycheck.check import members
from theorycheck.check.crossing import Crossing
from theorycheck.check.domain import Value, value_text
from theorycheck.check.exhaust import Tally, sweep
from theorycheck.check.judge import UNDEFINED, Judge, Outcome, expressions_of
from theorycheck.check.points import Points, describe
from theorycheck.check.problem import Clock, Problem, read_problem
from theorycheck.check.prove import ALONE_SECONDS, Prover
from theorycheck.check.shrink import shrink, smallest
from theorycheck.check.sides import both_sides
from theorycheck.check.text import Comparison, Connective, Formula
from theorycheck.check.verdict import (
    CERTIFIED,
    EXHAUSTIVE,
    HOLDS,
    INCONCLUSIVE,
    PROVED,
    REFUTED,
    SEARCHED,
    Verdict,
)

if TYPE_CHECKING:
    from theorycheck.check.scan import Scan

DEFAULT_BUDGET = 20.0
DEFAULT_SEED = 0
# Shares of the time left, so that every stage of the schedule has its turn.
_QUICK, _EXHAUST, _PROVE, _STRUCTURED, _SEARCH, _SAMPLE = 0.08, 0.35, 0.6, 0.4, 0.5, 0.5
# A first scan of machine integers, and the longer one after the proofs.
_SCAN, _LONG_SCAN = 0.1, 0.55
# Up to this many points exhaustion is tried before proofs: a few seconds.
_FEW = 150_000
_MANY = 3_000_000
# So many points of a stage count as a full look where the stage is cut short.
_ENOUGH = 300
_MANY_STRUCTURED, _MANY_SAMPLED = 1000, 200
# Two sides that are equal at so many points are not equal by accident: an identity that fails shows it
# at the first few, so that long evaluations may use up the time.
_ENOUGH_EQUAL = 80
# The work is planned for less than the budget: starting up and one last long step count too.
_WITHIN = 0.88
# Seconds at most for what is true instead.
_EXPLAIN = 6.0


def check_text(
    statement: str,
    domains: Sequence[str] = (),
    where: Sequence[str] = (),
    *,
    budget: float = DEFAULT_BUDGET,
    seed: int = DEFAULT_SEED,
    explained: bool = True,
) -> Verdict:
    """Check one statement given as text, as the command line does.

    Args:
        statement: e.g. ``"n**2 + n + 41 > 0"``.
        domains: e.g. ``["n in 0..60", "x in [0, n]"]``; ends may use earlier names.
        where: hypotheses, predicates over the names.
        budget: seconds of wall-clock time, > 0.
        seed: of the sampled points.
        explained: also look for what is true instead.

    Raises:
        InputError: one line that points at the place.
    """
    problem = read_problem(statement, domains, where)
    return check(problem, budget=budget, seed=seed, explained=explained)


def check(
    problem: Problem,
    *,
    budget: float = DEFAULT_BUDGET,
    seed: int = DEFAULT_SEED,
    explained: bool = True,
    report: Callable[[Verdict], None] | None = None,
) -> Verdict:
    """Check a statement that has been read; ``explained`` also looks for what is true instead, and
    ``report`` is told of a refutation before that, and before the counterexample is made simpler."""
    clock = Clock(budget * _WITHIN)
    verdict = _Run(problem, clock, seed, explained, report).verdict()
    if explained and verdict.verdict == HOLDS and problem.hypotheses:
        verdict = replace(verdict, notes=tuple(_not_needed(problem, clock, seed)))
    return replace(verdict, seconds=clock.spent)


def _not_needed(problem: Problem, clock: Clock, seed: int) -> Iterator[str]:
    """Hypotheses without which no counterexample was found either."""
    if len(problem.where) != len(problem.hypotheses):
        return
    for i, text in enumerate(problem.where):
        rest = tuple(h for k, h in enumerate(problem.hypotheses) if k != i)
        budget = min(clock.left * 0.4, 3.0)
        if budget < 0.3:
            return
        without = check(
            replace(problem, hypotheses=rest), budget=budget, seed=seed, explained=False
        )
        if without.verdict == HOLDS:
            how = "proved without it" if without.proved else "no counterexample without it"
            yield f"the hypothesis {text} was not seen to be needed ({how})"


@dataclass
class _Covered:
    """What was tried, for the line that says so."""

    structured: int = 0
    sampled: int = 0
    scanned: int = 0
    boxes: str = ""

    def text(self, beyond: int) -> str:
        parts = []
        if self.scanned:
            parts.append(f"{self.scanned} points in machine arithmetic")
        if self.structured:
            parts.append(f"{self.structured} structured points")
        if self.sampled:
            parts.append(f"{self.sampled} sampled points")
        if self.boxes:
            parts.append(self.boxes)
        if beyond:
            parts.append(f"{beyond} more too large to evaluate at")
        return ", ".join(parts)


class _Run:
    def __init__(
        self,
        problem: Problem,
        clock: Clock,
        seed: int,
        explained: bool,
        report: Callable[[Verdict], None] | None,
    ) -> None:
        self.problem, self.clock, self.seed = problem, clock, seed
        self.explained, self.report = explained, report
        self.prover = Prover(problem)
        self.judge = Judge(
            problem.domains, problem.goal, problem.hypotheses, self.prover.constant_zero
        )
        self.prover.judge = self.judge
        self.points = Points(problem, self.judge)
        self.tally = Tally()
        self.all = Tally()
        self.few_points: int | None = None
        self.scan = _scan_of(problem)
        self.covered = _Covered()
        self.open = ""
        # Whether the schedule of points was gone through, not cut short by the clock.
        self.rough = self.fine = self.random = False

    def verdict(self) -> Verdict:
        stages = (
            self.single,
            self.glance,
            self.few,
            self.quick,
            lambda: self.scanned(_SCAN),
            self.proof,
            lambda: self.scanned(_LONG_SCAN),
            self.structured,
            self.many,
            self.search,
            self.sampled,
        )
        for stage in stages:
            found = stage()
            if found is not None:
                return found
        return self.survived()

    # Stages: each returns a verdict, or None to go on

    def single(self) -> Verdict | None:
        if self.problem.domains.variables:
            return None
        self.prover.constant_seconds = min(ALONE_SECONDS, self.clock.left)
        sweep([{}], self.judge, self.clock, self.tally, pass_over=False)
        if self.tally.failure:
            return self.refuted(self.tally.failure, is_smallest=True)
        if self.tally.undecided:
            return self.inconclusive(self.tally.undecided[0][1].reason)
        if self.tally.excluded:
            return self.vacuous("--where is false")
        if not self.tally.finished:
            return self.inconclusive("out of time")
        return self.made(HOLDS, EXHAUSTIVE, covered="the only point there is, exactly")

    def glance(self) -> Verdict | None:
        """A first look at few points: most false statements fall here."""
        return self._rough_look(0)

    def quick(self) -> Verdict | None:
        return self._rough_look(1)

    def _rough_look(self, effort: int) -> Verdict | None:
        points = self.points.structured(effort)
        sweep(points, self.judge, self.clock.slice(_QUICK), self.tally)
        self.covered.structured = self.tally.tried
        self.rough = self.tally.finished
        return self._refuted_or_none()

    def few(self) -> Verdict | None:
        if not members.finite(self.problem.domains):
            return None
        try:
            size = members.count(self.problem.domains, self.judge, _FEW)
        except ValueError:
            return None
        if size is None:
            return None
        self.few_points = size
        share = self.clock.left / (2 * size + 2)
        self.prover.constant_seconds = max(self.prover.constant_seconds, min(ALONE_SECONDS, share))
        return self.exhausted(self.clock.slice(_EXHAUST if size else 1.0), size)

    def many(self) -> Verdict | None:
        if not members.finite(self.problem.domains):
            return None
        try:
            size = members.count(self.problem.domains, self.judge, _MANY)
        except ValueError:
            return None
        return None if size is None else self.exhausted(self.clock.slice(0.7), size)

    def exhausted(self, clock: Clock, size: int) -> Verdict | None:
        """Every point in order; a second call goes on where the time of the first one ended."""
        tally = self.all
        members_left = itertools.islice(
            members.all_points(self.problem.domains, self.judge), tally.done, None
        )
        sweep(members_left, self.judge, clock, tally, pass_over=False)
        if tally.failure:
            return self.refuted(tally.failure, is_smallest=True)
        if not tally.finished:
            self.tally.undecided.extend(tally.undecided)
            return None
        if tally.tried == tally.excluded:
            where = "the domain is empty" if not tally.tried else "no point satisfies --where"
            return self.vacuous(where)
        if tally.undecided:
            point, outcome = tally.undecided[0]
            proved = self.proof()
            if proved is not None:
                return proved
            return self.inconclusive(
                f"not decided at {describe(point)}: {outcome.reason}",
                covered=f"{tally.met} of {size} points exactly",
            )
        text = f"all {tally.tried} points of the domain, exactly"
        if tally.excluded:
            text = f"all {tally.met} points that satisfy --where, of {tally.tried}, exactly"
        return self.made(HOLDS, EXHAUSTIVE, covered=text)

    def scanned(self, share: float) -> Verdict | None:
        """Many integers in machine arithmetic; what it points at is judged exactly."""
        scan = self.scan
        if scan is None:
            return None
        clock = self.clock.slice(share)
        exact = scan.exact and not scan.given_up
        tally = sweep(scan.candidates(clock), self.judge, clock, pass_over=False)
        self.covered.scanned = scan.done
        if tally.failure:
            return self.refuted(tally.failure, is_smallest=exact and scan.exact)
        self.tally.undecided.extend(tally.undecided)
        if not (scan.finished and scan.exact and scan.met):
            return None
        text = f"all {scan.done} points of the domain, exactly"
        if scan.met < scan.done:
            text = f"all {scan.met} points that satisfy --where, of {scan.done}, exactly"
        return self.made(HOLDS, EXHAUSTIVE, covered=text)

    def proof(self) -> Verdict | None:
        outcome = self.prover.prove(self.clock.slice(_PROVE))
        if outcome.candidates:
            candidates = (q for p in outcome.candidates for q in self.points.completed(p))
            sweep(candidates, self.judge, self.clock.slice(0.5), self.tally)
            refuted = self._refuted_or_none()
            if refuted is not None:
                return refuted
        if not outcome.proved:
            return None
        if self.tally.tried and self.tally.met == 0 and not self._met():
            return None
        return self.made(HOLDS, PROVED, covered="the whole domain", reason=outcome.method)

    def _met(self) -> bool:
        """Whether some point satisfies the hypotheses: a proof about nothing is no pass."""
        sweep(self.points.structured(1), self.judge, self.clock.slice(0.5), self.tally)
        return self.tally.met > 0

    def structured(self) -> Verdict | None:
        clock = self.clock.slice(_STRUCTURED)
        if not self.rough:
            sweep(self.points.structured(1), self.judge, clock.slice(0.7), self.tally)
            self.rough = self.tally.finished
        before = self.tally.tried
        sweep(self.points.structured(2), self.judge, clock.slice(0.7), self.tally)
        self.fine = self.tally.finished or self.tally.tried - before >= _ENOUGH
        self.rough |= self.tally.finished
        self.covered.structured = self.tally.tried
        refuted = self._refuted_or_none()
        if refuted is not None:
            return refuted
        if all(v.discrete for v in self.problem.domains.variables):
            sweep(members.growing(self.problem.domains, self.judge), self.judge, clock, self.tally)
            self.covered.structured = self.tally.tried
        return self._refuted_or_none()

    def search(self) -> Verdict | None:
        from theorycheck.check.search import descend, drill

        clock = self.clock.slice(_SEARCH)
        before = self.tally.tried
        drilled = drill(self.problem, self.judge, clock.slice(0.7))
        if drilled.boxes:
            self.covered.boxes = f"{drilled.boxes} boxes in ball arithmetic"
        self.open = drilled.open
        if drilled.crossing is not None and self.tally.failure is None:
            return self.crossed(drilled.crossing)
        sweep(drilled.found, self.judge, clock, self.tally)
        refuted = self._refuted_or_none()
        if refuted is not None:
            return refuted
        walk = descend(self.problem, self.judge, self.points, self.seed, clock)
        sweep(walk, self.judge, clock, self.tally)
        self.covered.sampled += self.tally.tried - before
        return self._refuted_or_none()

    def sampled(self) -> Verdict | None:
        clock = self.clock.slice(_SAMPLE)
        before = self.tally.tried
        draws = (p for p in itertools.islice(self.points.sampled(self.seed), 4000) if p)
        sweep(draws, self.judge, clock, self.tally)
        self.random = self.tally.finished or self.tally.tried - before >= _ENOUGH
        self.covered.sampled += self.tally.tried - before
        return self._refuted_or_none()

    def survived(self) -> Verdict:
        if self.tally.undecided:
            point, outcome = self.tally.undecided[0]
            return self.inconclusive(f"not decided at {describe(point)}: {outcome.reason}")
        if self.tally.met <= 0 and self.rough:
            return self.vacuous("no tried point satisfies --where")
        many = self.covered.structured >= _MANY_STRUCTURED
        looked = ((self.rough and self.fine) or many) and (
            self.random or self.covered.sampled >= _MANY_SAMPLED
        )
        if not looked and not (self._equality() and self.tally.met >= _ENOUGH_EQUAL):
            return self.inconclusive("out of time before the schedule of points was gone through")
        if self.few_points is not None and not self.all.finished:
            done = f"{self.all.done} of {self.few_points} points"
            return self.inconclusive(f"out of time after {done}, all of them true")
        if self.tally.beyond and members.finite(self.problem.domains) and self._adds_up():
            return self.inconclusive(
                "sums too long to evaluate at most points of the range", self.covered.text(0)
            )
        if self.open:
            return self.inconclusive(
                f"the sides come too close to tell whether they are equal near {self.open}"
            )
        return self.made(HOLDS, SEARCHED, covered=self.covered.text(self.tally.beyond))

    def _adds_up(self) -> bool:
        """Whether sums or products occur: what holds for short ones may fail for long ones."""
        import sympy

        return any(e.has(sympy.Sum, sympy.Product) for e in expressions_of(self.problem.goal))

    def _equality(self) -> bool:
        return isinstance(self.problem.goal, Comparison) and self.problem.goal.op == "=="

    # Making verdicts

    def _refuted_or_none(self) -> Verdict | None:
        return self.refuted(self.tally.failure) if self.tally.failure else None

    def refuted(
        self, failure: tuple[dict[str, Value], Outcome], *, is_smallest: bool = False
    ) -> Verdict:
        domains = self.problem.domains
        self._tell(failure, is_smallest)
        if not is_smallest and all(v.discrete for v in domains.variables):
            failure, is_smallest = smallest(failure, self.judge, self.clock.slice(0.4, 4.0))
        if not is_smallest:
            failure = shrink(failure, self.judge, self.points, self.clock.slice(0.6, 5.0))
        self._tell(failure, is_smallest)
        verdict = self._refutation(failure, is_smallest)
        return replace(verdict, instead=self._explained(failure) if self.explained else ())

    def crossed(self, found: Crossing) -> Verdict:
        """The sides are equal at a place that has no closed form."""
        values = {found.name: (found.low + found.high) / 2}
        lhs, rhs = both_sides(found.comparison, values, self.judge)
        return self.made(
            REFUTED,
            CERTIFIED,
            covered="",
            reason=f"the sides are equal where {found.function} changes its sign",
            counterexample={found.name: found.text()},
            kind="value",
            lhs=lhs,
            rhs=rhs,
        )

    def _tell(self, failure: tuple[dict[str, Value], Outcome], is_smallest: bool) -> None:
        if self.report is not None:
            self.report(self._refutation(failure, is_smallest))

    def _refutation(self, failure: tuple[dict[str, Value], Outcome], is_smallest: bool) -> Verdict:
        point, outcome = failure
        kind = "undefined" if outcome.status == UNDEFINED else "value"
        lhs, rhs = both_sides(_innermost(outcome.comparison, self.problem.goal), point, self.judge)
        return self.made(
            REFUTED,
            EXHAUSTIVE if is_smallest and self.problem.domains.variables else CERTIFIED,
            covered="smallest counterexample, all points before it hold" if is_smallest else "",
            reason=outcome.reason if kind == "undefined" else "",
            counterexample={name: value_text(v) for name, v in point.items()},
            kind=kind,
            lhs=lhs,
            rhs=rhs,
        )

    def _explained(self, failure: tuple[dict[str, Value], Outcome]) -> tuple[str, ...]:
        from theorycheck.check.explain import explain

        def checker(suggested: Problem, budget: float) -> Verdict:
            return check(suggested, budget=budget, seed=self.seed, explained=False)

        clock = self.clock.slice(0.7, _EXPLAIN)
        return explain(self.problem, self.judge, failure, clock, checker)

    def vacuous(self, why: str) -> Verdict:
        return self.inconclusive(f"vacuous: {why}, so nothing was checked")

    def inconclusive(self, reason: str, covered: str = "") -> Verdict:
        return self.made(
            INCONCLUSIVE,
            SEARCHED,
            reason=reason,
            covered=covered or self.covered.text(self.tally.beyond),
        )

    def made(
        self,
        verdict: str,
        rung: str,
        *,
        covered: str,
        reason: str = "",
        counterexample: dict[str, str] | None = None,
        kind: str | None = None,
        lhs: str | None = None,
        rhs: str | None = None,
    ) -> Verdict:
        exact = self._equality() and verdict == HOLDS and rung in (PROVED, EXHAUSTIVE)
        return Verdict(
            self.problem.statement,
            self.problem.scope(),
            verdict,
            rung,
            counterexample,
            kind,
            lhs,
            rhs,
            covered,
            {"kind": "absolute", "value": 0} if exact else None,
            reason,
        )


def _scan_of(problem: Problem) -> Scan | None:
    """A scan where there are integers only; NumPy is loaded for nothing else."""
    if not all(v.discrete for v in problem.domains.variables):
        return None
    from theorycheck.check.scan import Scan

    return Scan(problem)


def _innermost(decided: Formula | None, goal: Formula) -> Formula | None:
    """The comparison to print the sides of."""
    formula = decided if decided is not None else goal
    while isinstance(formula, Connective):
        formula = formula.parts[0]
    return formula
