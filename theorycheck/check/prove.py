"""Proofs for the whole domain: the methods in order, each within its share of the time.

A statement is proved when it is proved that both sides are defined on the whole domain, and that each
part of the conjunction holds there. Finitely many integers beside real names are taken one by one;
longer integer ranges are relaxed to real intervals, or treated by induction.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from typing import Any

import sympy as sp

from theorycheck.check import members
from theorycheck.check.algebra import NotRationalExpression, PolynomialTooLarge
from theorycheck.check.cases import without_equations, without_piecewise
from theorycheck.check.constants import is_zero
from theorycheck.check.domain import Domains, Value, Variable, alphabetical, to_value
from theorycheck.check.forms import (
    Condition,
    ForAll,
    NoCondition,
    conditions,
    conjuncts,
    positive,
    written_out,
)
from theorycheck.check.judge import FAILS, Judge
from theorycheck.check.judge import replace as put
from theorycheck.check.limits import GAVE_UP, Clock, TimeUp, time_limit
from theorycheck.check.method import Argument, ComparisonProof, Method, Task
from theorycheck.check.methods import METHODS
from theorycheck.check.operators import NEGATED
from theorycheck.check.plane import CELLS
from theorycheck.check.problem import Problem
from theorycheck.check.profiles import Unknown
from theorycheck.check.region import Found, Region, formula_text, put_formula
from theorycheck.check.text import Comparison, Connective, Formula

# For one constant; where there is no other point, there is more time for it.
_CONSTANT_SECONDS, ALONE_SECONDS = 1.0, 8.0
# So many combinations of the discrete names are proved one by one.
_MAX_COMBINATIONS = 400
# How much larger the shares of the methods are in each turn, and what must be left for another.
_TURNS, _LEFT = (1.0, 2.5), 0.3
# The share of the first order of the names, where there are two.
_FIRST = 0.6
# So many points are looked at before a lemma is tried; that sides are equal is costly to see.
_FEW, _FEW_EQUAL = 200, 24
_TRUE = Comparison("==", sp.Integer(0), sp.Integer(0))
# With this many times the seconds, what was not proved is tried again: a few tries double all the time.
_MORE = 2.0
# The share of the time left for samples of cells, where no proof was found.
_CELLS = 0.3


@dataclass(frozen=True)
class _Failure:
    """How a lemma was tried in vain: fewer methods apply at a greater depth, and less is reached in
    less time, so it says nothing of a smaller depth or of much more time."""

    depth: int
    seconds: float

    def tells(self, depth: int, seconds: float) -> bool:
        """Whether another try with so much time would fail as well."""
        return depth >= self.depth and seconds <= _MORE * self.seconds


@dataclass
class ProofOutcome:
    """``proofs`` of all parts of the statement, empty where one was not found; ``candidates`` are points
    at which a prover believes that the statement fails."""

    proofs: tuple[ComparisonProof, ...] = ()
    candidates: list[dict[str, Value]] = field(default_factory=list)

    @property
    def proved(self) -> bool:
        return bool(self.proofs)

    @property
    def method(self) -> str:
        """How it was proved, in a few words."""
        return "; ".join(dict.fromkeys(p.how for p in self.proofs))


class Prover:
    """Proves one problem. ``judge`` is set by the strategy once it is made; where it is ``trusting``, no
    point of a lemma is looked at before it is proved: all rests on the methods, which is how they are tested."""

    def __init__(self, problem: Problem, *, trusting: bool = False) -> None:
        self.problem, self.trusting = problem, trusting
        self.judge: Judge | None = None
        self.variables = problem.domains.variables
        self.constant_seconds = _CONSTANT_SECONDS
        self._constants: dict[Any, tuple[bool, float]] = {}
        self._larger = 1.0
        self._reached: set[Comparison] = set()
        self._lemmas: dict[tuple[Comparison, Region], ComparisonProof | _Failure] = {}

    def constant_zero(self, expression: Any) -> bool:
        """Whether a constant is proved to be zero by a normal form."""
        zero, allowed = self._constants.get(expression, (False, 0.0))
        if not zero and allowed < self.constant_seconds:
            allowed = self.constant_seconds
            try:
                with time_limit(allowed):
                    zero, allowed = is_zero(expression), inf
            except TimeUp:  # more time may be given later
                zero = False
            except GAVE_UP:
                zero, allowed = False, inf
            self._constants[expression] = zero, allowed
        return zero

    def prove(self, clock: Clock) -> ProofOutcome:
        """Try every method within the time; never raises.

        Shares of shares are small: where much of the time is left, there is a second turn with larger
        ones, in which the lemmas of the first are known. In each turn the names are taken as they were
        declared, then by the alphabet: methods that choose a name take the first or the last.
        """
        total = clock.left
        declared = self.problem.domains.variables
        orders = list(dict.fromkeys((declared, alphabetical(declared))))
        for self._larger, self.variables in itertools.product(_TURNS, orders):
            if self._larger > 1 and clock.left < _LEFT * total:
                break
            share = clock.slice(_FIRST if self.variables != orders[-1] else 1.0)
            # What was not proved with smaller shares may be proved with larger ones.
            self._lemmas = {
                key: known
                for key, known in self._lemmas.items()
                if isinstance(known, ComparisonProof)
            }
            try:
                with share.limit():
                    proofs = self._prove(share)
            except Found as found:
                return ProofOutcome(candidates=found.points)
            except (Unknown, NoCondition, TimeUp, *GAVE_UP):
                continue
            return ProofOutcome(tuple(dict.fromkeys(proofs)))
        return ProofOutcome(candidates=self._samples(clock))

    def _samples(self, clock: Clock) -> list[dict[str, Value]]:
        """Points at which a part of the statement seems to fail, one looked at in each cell on which
        its polynomials keep their signs; corners that a search by samples misses."""
        region = Region(self.problem.domains.variables, self.problem.hypotheses)
        for c in conjuncts(self.problem.goal):
            if not isinstance(c, Comparison) or not region.variables or c in self._reached:
                continue
            try:
                _attempt(CELLS, Task(c, region.relevant(c), clock.slice(_CELLS), self), clock)
            except Found as found:
                return found.points
            except TimeUp:
                break
        return []

    def _prove(self, clock: Clock) -> list[ComparisonProof]:
        parts = conjuncts(self.problem.goal)
        comparisons = [p for p in parts if isinstance(p, Comparison)]
        if len(comparisons) != len(parts):
            return self._by_alternatives(parts, clock)
        if any(isinstance(h, Comparison) and h.op == "==" for h in self.problem.hypotheses):
            variables, hypotheses, needed = without_equations(
                self.variables,
                _with_conditions(self.problem.hypotheses),
                _needed(comparisons),
            )
        else:
            variables = self.variables
        if len(variables) < len(self.variables):
            # A counterexample would lack a coordinate: this way only proves.
            region = Region(variables, hypotheses)
            found = [self.lemma(c, region, clock, 0) for c in dict.fromkeys(needed)]
            known = tuple(p for p in found if p is not None)
            if len(known) < len(found):
                raise Unknown("after solving an equation")
            goal, scope = formula_text(self.problem.goal), self.problem.scope()
            return [
                ComparisonProof(goal, scope, Argument("an equation solved for one name"), known)
            ]
        domains = Domains(self.variables)
        proofs: list[ComparisonProof] = []
        for region, constants in self._split(domains):
            fixed = {s.name: to_value(v) for s, v in constants.items()}
            parts_here = [
                Comparison(
                    c.op, written_out(put(c.lhs, constants)), written_out(put(c.rhs, constants))
                )
                for c in comparisons
            ]
            for part, goals in _by_region(region, parts_here):
                try:
                    proofs += self._with_values(goals, part, clock)
                except Found as found:
                    raise Found([{**fixed, **point} for point in found.points]) from None
        return proofs

    def _with_values(
        self, goals: Sequence[Comparison], region: Region, clock: Clock
    ) -> list[ComparisonProof]:
        """The goals in order, each after what says that its sides have values. Raises Unknown, or Found."""
        proofs = []
        for goal in goals:
            for condition in dict.fromkeys(_conditions_of(goal)):
                proofs += self._condition(condition, region, clock)
            proofs.append(self.comparison(goal, region, clock))
        return list(dict.fromkeys(proofs))

    def _condition(
        self, condition: Condition, region: Region, clock: Clock
    ) -> list[ComparisonProof]:
        if isinstance(condition, Comparison):
            return [self.comparison(condition, region, clock)]
        task = Task(_TRUE, region, clock, self)
        if not task.shown(condition, deeper=0):
            raise Unknown(f"whether {condition} holds")
        return task.used

    def _by_alternatives(self, parts: Sequence[Formula], clock: Clock) -> list[ComparisonProof]:
        """Parts that may be alternatives of comparisons: "A or B" is B wherever A fails.

        As `or` is evaluated from left to right, B needs a value only where A is false.
        """
        hypotheses = _with_conditions(self.problem.hypotheses)
        region = Region(self.variables, hypotheses)
        proofs = []
        for part in parts:
            choices = _alternatives(part)
            for i, choice in enumerate(choices):
                before = Region(region.variables, (*hypotheses, *map(_denied, choices[:i])))
                for condition in dict.fromkeys(_conditions_of(choice)):
                    proofs += self._condition(condition, before, clock)
            proofs.append(self._one_of(choices, region, clock))
        return list(dict.fromkeys(proofs))

    def _one_of(
        self, choices: Sequence[Comparison], region: Region, clock: Clock
    ) -> ComparisonProof:
        for i in reversed(range(len(choices))):
            others = tuple(_denied(c) for k, c in enumerate(choices) if k != i)
            part = Region(region.variables, (*region.hypotheses, *others))
            proof = self.lemma(choices[i], part, clock, 0)
            if proof is not None and others:
                goal = " or ".join(f"({formula_text(c)})" for c in choices)
                how = Argument("one alternative where the others fail")
                return ComparisonProof(goal, region.text(), how, (proof,))
            if proof is not None:
                return proof
        raise Unknown("none of the alternatives")

    def _split(self, domains: Domains) -> Iterator[tuple[Region, dict[Any, Any]]]:
        """Regions without the discrete names that have few values, or without the sets, and those values."""
        judge = self._judge()
        discrete = [v for v in domains.variables if v.discrete]
        reals = [v for v in domains.variables if not v.discrete]
        hypotheses = _with_conditions(self.problem.hypotheses)
        few = None
        if discrete and reals and _independent(discrete, reals):
            few = members.count(Domains(tuple(discrete)), judge, _MAX_COMBINATIONS)
        if few is None:  # the sets alone
            discrete = [v for v in discrete if v.kind == "set"]
            reals = [v for v in domains.variables if v.kind != "set"]
            if discrete and not (
                _independent(discrete, reals)
                and members.count(Domains(tuple(discrete)), judge, _MAX_COMBINATIONS)
            ):
                raise Unknown("a long set among other names")
        if not discrete:
            yield Region(domains.variables, hypotheses), {}
            return
        for point in members.all_points(Domains(tuple(discrete)), judge):
            constants = {
                v.symbol: sp.Integer(point[v.name])
                if isinstance(point[v.name], int)
                else sp.sympify(point[v.name])
                for v in discrete
            }
            yield (
                Region(
                    tuple(
                        replace(v, low=put(v.low, constants), high=put(v.high, constants))
                        for v in reals
                    ),
                    tuple(put_formula(h, constants) for h in hypotheses),
                ),
                constants,
            )

    def _judge(self) -> Judge:
        if self.judge is None:
            raise RuntimeError("the prover has no judge")
        return self.judge

    def comparison(
        self, c: Comparison, region: Region, clock: Clock, depth: int = 0
    ) -> ComparisonProof:
        """A proof of the comparison on the region, from its own names and their hypotheses alone if
        that is enough. Raises Unknown, or Found."""
        self._reached.add(c)
        # Of parts of the statement it is proved before, of lemmas and under hypotheses left out it is not.
        has_values = depth == 0 and not region.hypotheses
        if {s.name for e in (c.lhs, c.rhs) for s in e.free_symbols} - {
            v.name for v in region.variables
        }:
            raise Unknown("the index of a sum, outside of it")
        narrow, region = region.relevant(c), region.connected(c)
        if narrow != region and self._plausible(c, narrow):
            share = clock.slice(0.5)
            try:
                return self._by_methods(c, narrow, share, depth, has_values=has_values)
            except (Unknown, Found):
                pass
            except TimeUp:  # of the share only
                if clock.out():
                    raise
        return self._by_methods(c, region, clock, depth, has_values=has_values)

    def _by_methods(
        self, c: Comparison, region: Region, clock: Clock, depth: int, *, has_values: bool
    ) -> ComparisonProof:
        for method in METHODS:
            share = min(method.share * self._larger, 1.0)
            task = Task(c, region, clock.slice(share), self, depth, has_values)
            if method.applies(task) and (found := _attempt(method, task, clock)) is not None:
                return ComparisonProof(formula_text(c), region.text(), found, tuple(task.used))
        raise Unknown(formula_text(c))

    def lemma(
        self, c: Comparison, region: Region, clock: Clock, depth: int
    ) -> ComparisonProof | None:
        """A proof of the comparison, as a lemma: what refutes it refutes nothing else."""
        region = region.connected(c)
        key = (c, region)
        known, share = self._lemmas.get(key), clock.slice(0.8)
        seconds = max(share.left, 0.0)
        if isinstance(known, ComparisonProof):
            return known
        if known is not None and known.tells(depth, seconds):
            return None
        if known is None and not self._plausible(c, region):
            self._lemmas[key] = _Failure(0, inf)
            return None
        try:
            proof = self.comparison(c, region, share, depth)
        except (Unknown, Found):
            self._lemmas[key] = _Failure(depth, seconds)
            return None
        self._lemmas[key] = proof
        return proof

    def _plausible(self, c: Comparison, region: Region) -> bool:
        """A few points, so that no time is lost on proving what is false."""
        if self.trusting:
            return True
        judge = Judge(Domains(region.variables), c, region.hypotheses, max_bits=256)
        names = [v.name for v in region.variables]
        most = _FEW_EQUAL if c.op == "==" else _FEW
        products = itertools.product(*(_few(v) for v in region.variables))
        for values in itertools.islice(products, most):
            point = dict(zip(names, values, strict=True))
            if judge.contains(point) and judge.at(point).status == FAILS:
                return False
        return True


def _attempt(method: Method, task: Task, clock: Clock) -> Argument | None:
    """One method within its slice of the clock. Raises TimeUp where the whole of it is over."""
    try:
        with task.clock.limit():
            return method.prove(task)
    except (Unknown, NoCondition, NotRationalExpression, PolynomialTooLarge, *GAVE_UP):
        return None
    except TimeUp:
        if clock.out():
            raise
        return None


def _few(v: Variable) -> list[Value]:
    low = int(v.low) if v.low is not None and v.low.is_Integer else 0
    if v.symbol.is_integer:
        return [low + k for k in (0, 1, 2, 3, 7, 30, 100, 1000, 10**6)]
    between: list[Value] = []
    if v.low is not None and v.low.is_Rational and v.high is not None and v.high.is_Rational:
        ends = Fraction(int(v.low.p), int(v.low.q)), Fraction(int(v.high.p), int(v.high.q))
        between = [ends[1], (ends[0] + ends[1]) / 2, (9 * ends[0] + ends[1]) / 10]
    return [
        *between,
        *(low, 0, 1, -1, 2, -3, 7, 100),
        *(Fraction(1, 2), Fraction(1, 5), Fraction(4, 5), Fraction(-1, 3), Fraction(1, 1000)),
    ]


def _with_conditions(hypotheses: Sequence[Formula]) -> tuple[Formula, ...]:
    """A hypothesis without a value excludes a point, so it brings what makes it defined."""
    found: list[Formula] = []
    for h in hypotheses:
        if isinstance(h, Comparison):
            with suppress(
                NoCondition
            ):  # fewer hypotheses: a larger region, on which less is proved
                found += [c for c in _conditions_of(h) if not isinstance(c, ForAll)]
        found.append(h)
    return tuple(found)


def _by_region(
    region: Region, parts: Sequence[Comparison]
) -> Iterator[tuple[Region, list[Comparison]]]:
    """The comparisons in the order in which they are needed, on the whole region or, where they have
    branches, on the parts of it on which these are settled."""
    plain: list[Comparison] = []
    for c in parts:
        if not (c.lhs.has(sp.Piecewise) or c.rhs.has(sp.Piecewise)):
            plain.append(c)
            continue
        for part, settled in without_piecewise(region, c):
            if settled.lhs.has(sp.nan) or settled.rhs.has(sp.nan):
                raise Unknown("no branch of a Piecewise applies")
            yield part, [settled]
    if plain:
        yield region, plain


def _conditions_of(c: Comparison) -> Iterator[Condition]:
    """What says that both sides have values."""
    for side in (c.lhs, c.rhs):
        for f in conditions(side):
            yield from (f,) if isinstance(f, ForAll) else conjuncts(f)


def _needed(parts: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons, each after the conditions under which its sides have values."""
    needed: list[Comparison] = []
    for part in parts:
        for condition in _conditions_of(part):
            if not isinstance(condition, Comparison):
                raise NoCondition(formula_text(part))
            needed.append(condition)
        needed.append(part)
    return needed


def _alternatives(part: Formula) -> list[Comparison]:
    """A comparison, or those of an ``or``. Raises Unknown for anything else."""
    if isinstance(part, Connective) and part.kind == "or":
        return [c for p in part.parts for c in _alternatives(positive(p))]
    if not isinstance(part, Comparison) or part.lhs.has(sp.Piecewise) or part.rhs.has(sp.Piecewise):
        raise Unknown("not a conjunction of alternatives of comparisons")
    return [part]


def _denied(c: Comparison) -> Comparison:
    return Comparison(NEGATED[c.op], c.lhs, c.rhs)


def _independent(discrete: Sequence[Variable], reals: Sequence[Variable]) -> bool:
    """Whether no discrete range depends on another name."""
    names = {v.name for v in reals}
    ends = [e for v in discrete for e in (v.low, v.high, *v.values) if e is not None]
    return not any(s.name in names for e in ends for s in e.free_symbols)
