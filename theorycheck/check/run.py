"""The strategy: the strongest method first, a verdict at the end, within a budget of seconds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic

from theorycheck.check import members
from theorycheck.check.asymptotics import is_asymptotic, settle
from theorycheck.check.covered import Covered, SchedulePart
from theorycheck.check.crossing import Crossing
from theorycheck.check.domain import Value, value_text
from theorycheck.check.exhaust import Tally, sweep
from theorycheck.check.existence import settle as settle_constants
from theorycheck.check.families.settling import settle as settle_families
from theorycheck.check.families.sized import settle as settle_sizes
from theorycheck.check.forms import conjuncts
from theorycheck.check.formula import Comparison, innermost
from theorycheck.check.given import Given
from theorycheck.check.guided import Guided, follow
from theorycheck.check.judge import UNDEFINED, Judge, PointOutcome, expressions_of
from theorycheck.check.limits import GAVE_UP, Clock, long_integers
from theorycheck.check.methods import METHODS
from theorycheck.check.points import Points, describe
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.prove import ALONE_SECONDS, Prover
from theorycheck.check.scanning import scan_of
from theorycheck.check.shrink import shrink, smallest
from theorycheck.check.sides import at_counterexample, both_sides
from theorycheck.check.vacuity import occupied
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
from theorycheck.entries.parts import Resolution

DEFAULT_BUDGET = 20.0
DEFAULT_SEED = 0
# Shares of the time left, so that every stage of the schedule has its turn.
# An identity that is not shown in a fiftieth of the time is looked at by points first.
_AT_ONCE, _AT_ONCE_POINTS = 0.02, 32
_QUICK, _EXHAUST, _PROVE, _STRUCTURED, _SEARCH, _SAMPLE = 0.08, 0.35, 0.6, 0.4, 0.5, 0.5
# A first scan of machine integers, and the longer one after the proofs.
_SCAN, _LONG_SCAN = 0.1, 0.55
# Up to this many points exhaustion is tried before proofs: a few seconds.
_FEW = 150_000
_MANY = 3_000_000
# Two sides that are equal at so many points are not equal by accident: an identity that fails shows it
# at the first few, so that long evaluations may use up the time.
_ENOUGH_EQUAL = 80
# The work ends before the budget: starting up and one last long step count too. It is planned for less
# than that, in seconds of computing, so that a machine with half as much else to do changes nothing.
_WITHIN, _PLANNED = 0.9, 0.6
# What is asked about families takes a small part of the budget each: the wall clock of the whole ends it.
_PATIENT = 1.4
_EVERY_POINT = (
    "every point was judged by itself: in exact rationals, or by balls that exclude the contrary",
)
# Seconds at most for what is true instead.
_EXPLAIN = 6.0
# The share of the time in which what a person gave to the proof is proved.
_GUIDED = 0.5


def check_text(
    statement: str,
    domains: Sequence[str] = (),
    where: Sequence[str] = (),
    *,
    budget: float = DEFAULT_BUDGET,
    seed: int = DEFAULT_SEED,
    explained: bool = True,
    laws: Sequence[str] = (),
    let: Sequence[str] = (),
    steps: Sequence[str] = (),
) -> Verdict:
    """Check one statement given as text, as the command line does.

    Args:
        statement: e.g. ``"n**2 + n + 41 > 0"``.
        domains: e.g. ``["n in 0..60", "x in [0, n]"]``; ends may use earlier names.
        where: hypotheses, predicates over the names.
        budget: seconds of wall-clock time, > 0.
        seed: of the sampled points.
        explained: also look for what is true instead.
        laws: of the names inside E[...] and P[...], e.g. ``["g ~ N(0, 1)"]``.
        let: substitutions for a proof, e.g. ``["u = sqrt(r)"]``, proved to be one to one.
        steps: lemmas for a proof, each proved first. Where one of these is not proved, the
            statement is not said to hold, and the reason names it.

    Raises:
        InputError: one line that points at the place.
    """
    problem = read_problem(statement, domains, where, laws, let, steps)
    return check(problem, budget=budget, seed=seed, explained=explained)


def check(
    problem: Problem,
    *,
    budget: float = DEFAULT_BUDGET,
    seed: int = DEFAULT_SEED,
    explained: bool = True,
    report: Callable[[Verdict], None] | None = None,
    patience: float = _WITHIN,
) -> Verdict:
    """Check a statement that has been read; ``explained`` also looks for what is true instead, and
    ``report`` is told of a refutation before that, and before the counterexample is made simpler. The
    effort is counted in the processor's time; the wall clock ends it after ``patience`` times the budget,
    so that where nobody waits a large one keeps the load of the machine out of the verdict."""
    clock = Clock(budget * _PLANNED, monotonic() + budget * patience)
    if problem.constants:
        found = settle_constants(problem, clock, _asked(seed, max(patience, _PATIENT)))
        return replace(found, seconds=clock.spent, reading=problem.notes)
    if is_asymptotic(problem):
        found = settle(problem, clock, lambda p, s: check(p, budget=s, seed=seed, explained=False))
        return replace(found, seconds=clock.spent, reading=problem.notes)
    if problem.sized is not None:
        found = settle_sizes(problem, problem.sized, clock, _asked(seed, max(patience, _PATIENT)))
        return replace(found, seconds=clock.spent, reading=problem.notes)
    if problem.domains.families:
        found = settle_families(problem, clock, _asked(seed, max(patience, _PATIENT)))
        return replace(found, seconds=clock.spent, reading=problem.notes)
    with long_integers():
        run = _Run(problem, clock, seed, explained, report)
        if problem.given:
            run.guided = follow(problem, clock.slice(_GUIDED), _asked(seed, patience))
        verdict = run.verdict()
        if explained and verdict.verdict == HOLDS and problem.hypotheses:
            verdict = replace(verdict, notes=tuple(_not_needed(problem, clock, seed)))
    return replace(verdict, seconds=clock.spent, reading=problem.notes)


def _asked(seed: int, patience: float) -> Callable[[Problem, float], Verdict]:
    """Checks a part of a problem within so many seconds of computing, without explaining."""
    return lambda p, seconds: check(
        p, budget=seconds / _PLANNED, seed=seed, explained=False, patience=patience
    )


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
        self.scan = scan_of(problem)
        self.covered = Covered()
        self.open = ""
        # What went wrong in a stage, inside SymPy as a rule: the schedule then has a hole.
        self.broken: list[str] = []
        self.guided: Guided | None = None
        # A proof that was found before any point that satisfies the hypotheses.
        self.proof_of_what: Verdict | None = None

    def verdict(self) -> Verdict:
        stages = (
            self.single,
            self.at_once,
            self.glance,
            self.few,
            self.quick,
            lambda: self.scanned(_SCAN),
            self.proof,
            lambda: self.scanned(_LONG_SCAN),
            self.structured,
            self.known,
            self.many,
            self.search,
            self.sampled,
            self.known,
        )
        for stage in stages:
            try:
                found = stage()
            except GAVE_UP as error:
                self.broken.append(f"{type(error).__name__}: {error}"[:200])
                continue
            if found is not None:
                return self.unless_unproved(found)
        return self.unless_unproved(self.survived())

    def unless_unproved(self, found: Verdict) -> Verdict:
        """What holds although a step that was given is not proved is not said to hold."""
        if self.guided is None or not self.guided.reason or found.verdict != HOLDS:
            return found
        how = "is proved" if found.proved else "held at every point tried"
        return self.inconclusive(f"{self.guided.reason}; without it the statement {how}")

    # Stages: each returns a verdict, or None to go on

    def single(self) -> Verdict | None:
        if self.problem.domains.variables:
            return None
        self.prover.constant_seconds = min(ALONE_SECONDS, self.clock.left)
        sweep([{}], self.judge, self.clock, self.tally, pass_over=False)
        if self.tally.failure:
            return self.refuted(self.tally.failure, is_smallest=True)
        if self.tally.undecided:
            return self.proof() or self.inconclusive(self.tally.undecided[0][1].reason)
        if self.tally.excluded:
            return self.vacuous("--where is false")
        if not self.tally.finished:
            return self.inconclusive("out of time")
        return self.made(HOLDS, EXHAUSTIVE, covered="the only point there is, exactly")

    def at_once(self) -> Verdict | None:
        """An identity that normal forms show needs no search beside it: a few points, then a short proof."""
        equal = (isinstance(c, Comparison) and c.op == "==" for c in conjuncts(self.problem.goal))
        if members.finite(self.problem.domains) or not all(equal):
            return None
        points = itertools.islice(self.points.structured(0), _AT_ONCE_POINTS)
        sweep(points, self.judge, self.clock.slice(_AT_ONCE), self.tally)
        if self.tally.failure:
            return self._refuted_or_none()
        return self.proof(_AT_ONCE)

    def glance(self) -> Verdict | None:
        """A first look at few points: most false statements fall here."""
        points = itertools.islice(self.points.structured(0), self.covered.structured.planned)
        sweep(points, self.judge, self.clock.slice(_QUICK), self.tally)
        return self._refuted_or_none()

    def quick(self) -> Verdict | None:
        return self._go(
            self.covered.structured, self.points.structured(1), self.clock.slice(_QUICK)
        )

    def _go(
        self, part: SchedulePart, points: Iterator[dict[str, Value]], clock: Clock
    ) -> Verdict | None:
        """A part of the schedule; a second call goes on where the time of the first one ended."""
        if part.finished:
            return None
        before = self.tally.done
        rest = itertools.islice(points, part.done, part.planned)
        sweep((p for p in rest if p), self.judge, clock, self.tally)
        part.done += self.tally.done - before
        part.finished = self.tally.finished
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
            open_before = bool(tally.undecided or tally.beyond)
            return self.refuted(tally.failure, is_smallest=not open_before)
        if not tally.finished:
            self.tally.undecided.extend(tally.undecided)
            return None
        if not tally.done:
            return self.vacuous("the domain is empty")
        if tally.tried == tally.excluded and not tally.beyond:
            return self.vacuous("no point satisfies --where")
        if tally.beyond:
            proved = self.proof()
            if proved is not None:
                return proved
            left = f"{tally.beyond} of {size} points"
            return self.inconclusive(f"the numbers are too large to evaluate at {left}")
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
        return replace(self.made(HOLDS, EXHAUSTIVE, covered=text), why=_EVERY_POINT)

    def scanned(self, share: float) -> Verdict | None:
        """Many integers in machine arithmetic; what it points at is judged exactly."""
        scan = self.scan
        if scan is None:
            return None
        clock = self.clock.slice(share)
        exact = scan.exact and not scan.given_up
        tally = sweep(scan.candidates(clock), self.judge, clock, pass_over=False)
        self.covered.scanned, self.covered.reached = scan.done, scan.reached
        if tally.failure:
            return self.refuted(tally.failure, is_smallest=exact and scan.exact)
        self.tally.undecided.extend(tally.undecided)
        if not (scan.finished and scan.exact and scan.met):
            return None
        text = f"all {scan.done} points of the domain, exactly"
        if scan.met < scan.done:
            text = f"all {scan.met} points that satisfy --where, of {scan.done}, exactly"
        return replace(self.made(HOLDS, EXHAUSTIVE, covered=text), why=_EVERY_POINT)

    def proof(self, share: float = _PROVE) -> Verdict | None:
        if self.guided is not None and self.guided.problem is not None:
            found = self.proof_as_guided(self.guided, share)
            if found is not None:
                return found
        outcome = self.prover.prove(self.clock.slice(share))
        if outcome.candidates:
            candidates = (q for p in outcome.candidates for q in self.points.completed(p))
            sweep(candidates, self.judge, self.clock.slice(0.5), self.tally)
            refuted = self._refuted_or_none()
            if refuted is not None:
                return refuted
        if not outcome.proved:
            return None
        verdict = self.made(HOLDS, PROVED, covered="the whole domain", reason=outcome.method)
        lines = (line for p in outcome.proofs for line in p.lines())
        return self._about_something(replace(verdict, why=tuple(lines)))

    def proof_as_guided(self, guided: Guided, share: float) -> Verdict | None:
        """A proof in the names and by the steps that were given, all of them proved before; it only
        proves, since its points are in other names."""
        changed = guided.problem
        if changed is None:
            return None
        prover = Prover(changed)
        prover.judge = Judge(
            changed.domains, changed.goal, changed.hypotheses, prover.constant_zero
        )
        outcome = prover.prove(self.clock.slice(share))
        if not outcome.proved:
            return None
        reason = f"as given: {outcome.method}"
        verdict = self.made(HOLDS, PROVED, covered="the whole domain", reason=reason)
        lines = (line for p in outcome.proofs for line in p.lines())
        return self._about_something(replace(verdict, why=(*guided.why, *lines)))

    def _about_something(self, proved: Verdict) -> Verdict | None:
        """The proof, once a point is known that it speaks about; else it is kept until one is met."""
        if self.tally.met > 0 or occupied(self.problem, self.judge, self.points, self.seed):
            return proved
        self.proof_of_what = proved
        return None

    def known(self) -> Verdict | None:
        """A proof that was kept, as soon as a point satisfies the hypotheses."""
        return self.proof_of_what if self.tally.met > 0 else None

    def structured(self) -> Verdict | None:
        clock = self.clock.slice(_STRUCTURED)
        covered = self.covered
        found = self._go(covered.structured, self.points.structured(1), clock.slice(0.7))
        found = found or self._go(covered.finer, self.points.structured(2), clock.slice(0.7))
        if found is not None:
            return found
        if not all(v.discrete for v in self.problem.domains.variables):
            covered.growing.finished = True
            return None
        members_first = members.growing(self.problem.domains, self.judge)
        return self._go(covered.growing, members_first, clock)

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
        self.covered.walked += self.tally.tried - before
        return self._refuted_or_none()

    def sampled(self) -> Verdict | None:
        draws = self.points.sampled(self.seed)
        return self._go(self.covered.sampled, draws, self.clock.slice(_SAMPLE))

    def survived(self) -> Verdict:
        if self.tally.undecided:
            point, outcome = self.tally.undecided[0]
            return self.inconclusive(f"not decided at {describe(point)}: {outcome.reason}")
        if self.broken:
            return self.inconclusive(f"a step of the search broke off ({self.broken[0]})")
        if self.tally.met <= 0 and not self.tally.beyond and self.covered.structured.finished:
            if self.problem.hypotheses:
                return self.vacuous("no tried point satisfies --where")
            return self.vacuous("no point of the domain was found")
        told_apart = self._equality() and self.tally.met >= _ENOUGH_EQUAL
        if self.tally.met <= 0 or not (self.covered.enough or told_apart):
            return self.inconclusive(
                f"out of time before the schedule of points was gone through; {self.covered.cut()}"
            )
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
        tried, cut = self.covered.text(self.tally.beyond), self.covered.cut()
        verdict = self.made(HOLDS, SEARCHED, covered=f"{tried}; {cut}" if cut else tried)
        return replace(verdict, why=self._tried())

    def _tried(self) -> tuple[str, ...]:
        methods = f"no proof was found by {', '.join(dict.fromkeys(m.name for m in METHODS))}"
        return methods, *(part.text() for part in self.covered.parts if part.done)

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
        self, failure: tuple[dict[str, Value], PointOutcome], *, is_smallest: bool = False
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
        verdict = self.made(
            REFUTED,
            CERTIFIED,
            covered="",
            reason=f"the sides are equal where {found.function} changes its sign",
            counterexample={found.name: found.text()},
            kind="value",
            lhs=lhs,
            rhs=rhs,
        )
        ends = f"{found.name} = {found.low} and {found.high}"
        why = (f"{found.function} is continuous between {ends} and has opposite signs there",)
        return replace(verdict, why=why)

    def _tell(self, failure: tuple[dict[str, Value], PointOutcome], is_smallest: bool) -> None:
        if self.report is not None:
            self.report(self._refutation(failure, is_smallest))

    def _refutation(
        self, failure: tuple[dict[str, Value], PointOutcome], is_smallest: bool
    ) -> Verdict:
        point, outcome = failure
        kind = "undefined" if outcome.status == UNDEFINED else "value"
        part = innermost(outcome.comparison, self.problem.goal)
        lhs, rhs = both_sides(part, point, self.judge)
        verdict = self.made(
            REFUTED,
            EXHAUSTIVE if is_smallest and self.problem.domains.variables else CERTIFIED,
            covered=self._how_small(is_smallest),
            reason=outcome.reason if kind == "undefined" else "",
            counterexample={name: value_text(v) for name, v in point.items()},
            kind=kind,
            lhs=lhs,
            rhs=rhs,
        )
        return replace(verdict, why=at_counterexample(part, point, outcome, self.judge))

    def _how_small(self, is_smallest: bool) -> str:
        variables = self.problem.domains.variables
        if not variables:
            return ""
        if not is_smallest:
            return "a simple counterexample, not the smallest for certain"
        if len(variables) == 1:
            return "smallest counterexample, all points before it hold"
        order = ", then ".join(v.name for v in variables)
        return f"first counterexample by {order}: all points before it hold"

    def _explained(self, failure: tuple[dict[str, Value], PointOutcome]) -> tuple[str, ...]:
        from theorycheck.check.explain import explain

        def checker(suggested: Problem, budget: float) -> Verdict:
            plain = replace(suggested, given=Given())
            return check(plain, budget=budget, seed=self.seed, explained=False)

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
        return replace(
            self.problem.judged(verdict, rung, covered=covered, reason=reason),
            counterexample=counterexample,
            kind=kind,
            lhs=lhs,
            rhs=rhs,
            resolution=Resolution(kind="absolute", value=0) if exact else None,
        )
