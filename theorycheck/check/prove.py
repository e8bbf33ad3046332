"""Proofs for the whole domain: the methods in order, each within its share of the time.

A statement is proved when it is proved that both sides are defined on the whole domain, and that each
part of the conjunction holds there. Finitely many integers beside real names are taken one by one;
longer integer ranges are relaxed to real intervals, or treated by induction.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from typing import Any

import sympy as sp
from flint.utils.flint_exceptions import DomainError

from theorycheck import balls
from theorycheck.check import members
from theorycheck.check.algebra import NotPolynomial, TooLarge
from theorycheck.check.cases import without_equations
from theorycheck.check.domain import Domains, Value, Variable, to_value
from theorycheck.check.forms import NoCondition, conditions, conjuncts, evaluated, written_out
from theorycheck.check.judge import FAILS, UNDEFINED, Judge, Outcome, expressions_of
from theorycheck.check.judge import replace as put
from theorycheck.check.limits import TimeUp, time_limit
from theorycheck.check.line import Line
from theorycheck.check.monotone import Unknown, weak_sign
from theorycheck.check.problem import Clock, Problem
from theorycheck.check.steps import one_period
from theorycheck.check.text import Comparison, Connective, Formula, Predicate
from theorycheck.check.trigonometry import identical

# For one constant; where there is no other point, there is more time for it.
_CONSTANT_SECONDS, ALONE_SECONDS = 1.0, 8.0
# So many combinations of the discrete names are proved one by one.
_MAX_COMBINATIONS = 400


# What SymPy raises where it does not get through; a proof is then simply not found.
_GAVE_UP = (
    *(RecursionError, NotImplementedError, ValueError, TypeError, AttributeError),
    *(ZeroDivisionError, OverflowError, KeyError, IndexError, sp.PolynomialError, DomainError),
)


@dataclass
class ProofOutcome:
    """``candidates`` are points at which a prover believes that the statement fails."""

    proved: bool = False
    method: str = ""
    candidates: list[dict[str, Value]] = field(default_factory=list)
    covered: str = ""


@dataclass(frozen=True)
class Region:
    """Names with their ranges, and hypotheses; a discrete name stands for its integers."""

    variables: tuple[Variable, ...]
    hypotheses: tuple[Formula, ...] = ()

    def relevant(self, c: Comparison) -> Region:
        """Only the names that the comparison or the ends of their ranges mention, and the hypotheses
        in those names: a larger region, so that what holds there holds here."""
        wanted = {s.name for e in (c.lhs, c.rhs) for s in e.free_symbols}
        widened: dict[str, Variable] = {}
        for variable in self.variables:
            widened[variable.name] = _widened(variable, wanted, widened)
        for variable in reversed(self.variables):
            if variable.name in wanted:
                v = widened[variable.name]
                for end in (v.low, v.high):
                    wanted |= {s.name for s in end.free_symbols} if end is not None else set()
        kept = tuple(widened[v.name] for v in self.variables if v.name in wanted)
        hypotheses = tuple(
            h for h in self.hypotheses if {s.name for s in _symbols(h)} <= wanted and _symbols(h)
        )
        return Region(kept, hypotheses)


def _widened(v: Variable, wanted: set[str], earlier: Mapping[str, Variable]) -> Variable:
    """Ends that are names of no further interest give way to the ends of those names."""
    if v.low is not None and v.low.is_Symbol and v.low.name not in wanted:
        other = earlier[v.low.name]
        v = replace(v, low=other.low, low_open=v.low_open or other.low_open)
    if v.high is not None and v.high.is_Symbol and v.high.name not in wanted:
        other = earlier[v.high.name]
        v = replace(v, high=other.high, high_open=v.high_open or other.high_open)
    return v


def _symbols(formula: Formula) -> set[Any]:
    return set().union(*(e.free_symbols for e in expressions_of(formula)))


class Found(Exception):
    """A prover met points at which the statement should fail."""

    def __init__(self, points: list[dict[str, Value]]) -> None:
        super().__init__()
        self.points = points


Method = Callable[[Comparison, Region, Clock], str | None]
"""Returns how the comparison was proved on the region, or None. Raises Found."""


class Prover:
    """Proves one problem. ``judge`` is set by the strategy once it is made."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.judge: Judge | None = None
        self.constant_seconds = _CONSTANT_SECONDS
        self._constants: dict[Any, tuple[bool, float]] = {}
        self._lemmas: dict[tuple[Comparison, Region], bool] = {}

    def constant_zero(self, expression: Any) -> bool:
        """Whether a constant is proved to be zero by a normal form."""
        from theorycheck.check.constants import is_zero

        zero, allowed = self._constants.get(expression, (False, 0.0))
        if not zero and allowed < self.constant_seconds:
            allowed = self.constant_seconds
            try:
                with time_limit(allowed):
                    zero, allowed = is_zero(expression), inf
            except TimeUp:  # more time may be given later
                zero = False
            except _GAVE_UP:
                zero, allowed = False, inf
            self._constants[expression] = zero, allowed
        return zero

    def prove(self, clock: Clock) -> ProofOutcome:
        """Try every method within the time; never raises."""
        try:
            with time_limit(clock.left):
                methods = self._prove(clock)
        except Found as found:
            return ProofOutcome(candidates=found.points)
        except (Unknown, NoCondition, TimeUp, RecursionError, NotImplementedError):
            return ProofOutcome()
        return ProofOutcome(True, "; ".join(dict.fromkeys(methods)))

    def _prove(self, clock: Clock) -> list[str]:
        parts = conjuncts(self.problem.goal)
        comparisons = [p for p in parts if isinstance(p, Comparison)]
        if len(comparisons) != len(parts):
            raise Unknown("not a conjunction of comparisons")
        if any(isinstance(h, Comparison) and h.op == "==" for h in self.problem.hypotheses):
            variables, hypotheses, needed = without_equations(
                self.problem.domains.variables,
                _with_conditions(self.problem.hypotheses),
                _needed(comparisons),
            )
        else:
            variables = self.problem.domains.variables
        if len(variables) < len(self.problem.domains.variables):
            # A counterexample would lack a coordinate: this way only proves.
            region = Region(variables, hypotheses)
            if not all(self.quietly(c, region, clock, 0) for c in dict.fromkeys(needed)):
                raise Unknown("after solving an equation")
            return ["an equation solved for one name"]
        domains = self.problem.domains
        methods: list[str] = []
        for region, constants in self._split(domains):
            fixed = {s.name: to_value(v) for s, v in constants.items()}
            parts_here = [
                Comparison(
                    c.op, written_out(put(c.lhs, constants)), written_out(put(c.rhs, constants))
                )
                for c in comparisons
            ]
            for c in dict.fromkeys(_needed(parts_here)):
                try:
                    methods.append(self.comparison(c, region, clock))
                except Found as found:
                    raise Found([{**fixed, **point} for point in found.points]) from None
        return methods

    def _split(self, domains: Domains) -> Iterator[tuple[Region, dict[Any, Any]]]:
        """Regions without the discrete names that have few values, and those values."""
        judge = self._judge()
        discrete = [v for v in domains.variables if v.discrete]
        reals = [v for v in domains.variables if not v.discrete]
        hypotheses = _with_conditions(self.problem.hypotheses)
        few = None
        if discrete and reals and _independent(discrete, reals):
            few = members.count(Domains(tuple(discrete)), judge, _MAX_COMBINATIONS)
        if few is None:
            if any(v.kind == "set" for v in discrete):
                raise Unknown("a set among other names")
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

    def comparison(self, c: Comparison, region: Region, clock: Clock, depth: int = 0) -> str:
        """How the comparison was proved on the region. Raises Unknown, or Found."""
        from theorycheck.check import (
            cases,
            homogeneous,
            induction,
            periodic,
            plane,
            shifting,
            terms,
        )

        region = region.relevant(c)
        line = len(region.variables) == 1
        methods: tuple[tuple[float, bool, Method], ...] = (
            (0.1, True, _by_signs),
            (0.2, True, _identity),
            (0.3, depth == 0, periodic.prove),
            (0.3, depth == 0, terms.prove),
            (0.6, depth == 0 and line and _has_gammas(c), self._by(shifting.prove, depth)),
            (0.7, depth == 0 and _counts(c), induction.prover_of(self)),
            (0.7, line, self._line),
            (0.3, not line, plane.orthant),
            (0.4, not line, self._by(homogeneous.prove, depth)),
            (0.4, not line, plane.cells),
            (0.8, not line, self._by(cases.by_cases, depth)),
            (0.5, not line, self._by(cases.by_squares, depth)),
            (0.3, not line and depth > 0, self._by(plane.by_factors, depth)),
            (0.7, not line, self._by(plane.by_one_name, depth)),
            (0.9, True, self._boxes),
        )
        for share, applies, method in methods:
            if not applies:
                continue
            found = self._attempt(method, c, region, clock.slice(share), clock)
            if found:
                return found
        raise Unknown(f"{c.lhs} {c.op} {c.rhs}")

    def quietly(self, c: Comparison, region: Region, clock: Clock, depth: int = 1) -> bool:
        """Whether the comparison is proved, as a lemma: what refutes it refutes nothing else."""
        region = region.relevant(c)
        key = (c, region)
        if key not in self._lemmas:
            if not _plausible(c, region):
                self._lemmas[key] = False
                return False
            share = clock.slice(0.8)
            try:
                self.comparison(c, region, share, depth)
            except (Unknown, Found):
                if share.left > 0.5:  # not for want of time
                    self._lemmas[key] = False
                return False
            self._lemmas[key] = True
        return self._lemmas[key]

    def _by(self, method: Callable[..., str | None], depth: int) -> Method:
        return lambda c, region, clock: method(c, region, self, clock, depth)

    def _boxes(self, c: Comparison, region: Region, clock: Clock) -> str | None:
        from theorycheck.check.boxes import prove

        return prove(c, region, clock)

    def _attempt(
        self, method: Method, c: Comparison, region: Region, slice_: Clock, clock: Clock
    ) -> str | None:
        try:
            with time_limit(slice_.left):
                return method(c, region, slice_)
        except (Unknown, NotPolynomial, TooLarge, *_GAVE_UP):
            return None
        except TimeUp:
            if clock.out():
                raise
            return None

    def _line(self, c: Comparison, region: Region, clock: Clock) -> str | None:
        if len(region.variables) != 1:
            return None
        variable = region.variables[0]
        if not region.hypotheses:
            variable = one_period(c, variable)
        judge = Judge(Domains((variable,)), c, region.hypotheses, self.constant_zero)

        def judge_at(comparison: Comparison, value: Value) -> Outcome:
            return judge.at({variable.name: value})

        hypotheses = [h for h in region.hypotheses if isinstance(h, Comparison)]
        result = Line(variable, hypotheses, judge, judge_at, clock).decide(c)
        whole = Judge(Domains(region.variables), c)
        failing = [
            v
            for v in result.candidates
            if _fails(judge_at(c, v)) and whole.contains({variable.name: v})
        ]
        if failing:
            raise Found([{variable.name: v} for v in failing])
        return "signs between turning points" if result.proved else None


def _plausible(c: Comparison, region: Region) -> bool:
    """A few points, so that no time is lost on proving what is false."""
    judge = Judge(Domains(region.variables), c, region.hypotheses, max_bits=256)
    names = [v.name for v in region.variables]
    for values in itertools.islice(itertools.product(*(_few(v) for v in region.variables)), 200):
        point = dict(zip(names, values, strict=True))
        if judge.contains(point) and judge.at(point).status == FAILS:
            return False
    return True


def _few(v: Variable) -> list[Value]:
    low = int(v.low) if v.low is not None and v.low.is_Integer else 0
    if v.symbol.is_integer:
        return [low + k for k in (0, 1, 2, 3, 7, 30, 100, 1000, 10**6)]
    return [
        *(low, 0, 1, -1, 2, -3, 7, 100),
        *(Fraction(1, 2), Fraction(1, 5), Fraction(4, 5), Fraction(-1, 3), Fraction(1, 1000)),
    ]


def _counts(c: Comparison) -> bool:
    """Whether sums, products or factorials occur, which induction takes apart."""
    heads = (sp.Sum, sp.Product, sp.factorial, sp.binomial, sp.harmonic, sp.catalan, sp.gamma)
    return bool(c.lhs.has(*heads) or c.rhs.has(*heads))


def _has_gammas(c: Comparison) -> bool:
    heads = (sp.gamma, sp.loggamma, sp.polygamma, sp.digamma, sp.harmonic, sp.factorial)
    return bool(c.lhs.has(*heads, sp.binomial) or c.rhs.has(*heads, sp.binomial))


def _fails(outcome: Outcome) -> bool:
    return outcome.status in (FAILS, UNDEFINED)


def _with_conditions(hypotheses: Sequence[Formula]) -> tuple[Formula, ...]:
    """A hypothesis without a value excludes a point, so it brings what makes it defined."""
    found: list[Formula] = []
    for h in hypotheses:
        if isinstance(h, Comparison):
            with suppress(
                NoCondition
            ):  # fewer hypotheses: a larger region, on which less is proved
                found += [c for side in (h.lhs, h.rhs) for c in conditions(side)]
        found.append(h)
    return tuple(found)


def put_formula(formula: Formula, constants: Mapping[Any, Any]) -> Formula:
    if isinstance(formula, Comparison):
        return Comparison(formula.op, put(formula.lhs, constants), put(formula.rhs, constants))
    if isinstance(formula, Predicate):
        return Predicate(formula.name, tuple(put(a, constants) for a in formula.args))
    return Connective(formula.kind, tuple(put_formula(p, constants) for p in formula.parts))


def _needed(parts: Sequence[Comparison]) -> list[Comparison]:
    """The comparisons, each after the conditions under which its sides have values."""
    needed: list[Comparison] = []
    for part in parts:
        for side in (part.lhs, part.rhs):
            for condition in (c for f in conditions(side) for c in conjuncts(f)):
                if not isinstance(condition, Comparison):
                    raise NoCondition(f"{side}: {condition}")
                needed.append(condition)
        needed.append(part)
    return needed


def _independent(discrete: Sequence[Variable], reals: Sequence[Variable]) -> bool:
    """Whether no discrete range depends on a real name."""
    names = {v.name for v in reals}
    ends = [e for v in discrete for e in (v.low, v.high) if e is not None]
    return not any(s.name in names for e in ends for s in e.free_symbols)


def _by_signs(c: Comparison, region: Region, clock: Clock) -> str | None:
    """By the signs of the names alone, as SymPy's assumptions propagate them."""
    difference = evaluated(c.lhs) - evaluated(c.rhs)
    if not difference.free_symbols:
        order = balls.compare(evaluated(c.lhs), evaluated(c.rhs), {}).relation
        good = {"<": ("lt",), "<=": ("lt", "eq"), ">": ("gt",), ">=": ("gt", "eq"),
                "==": ("eq",), "!=": ("lt", "gt")}[c.op]  # fmt: skip
        return "constants in ball arithmetic" if order in good else None
    facts = {
        ">": difference.is_positive,
        ">=": difference.is_nonnegative,
        "<": difference.is_negative,
        "<=": difference.is_nonpositive,
        "!=": difference.is_nonzero,
        "==": difference.is_zero,
    }
    weak = {">=": 1, "<=": -1}.get(c.op)
    if weak is not None and difference.count_ops() < 60 and weak_sign(difference) == weak:
        return "squares and bounded waves"
    return "signs of the parts" if facts[c.op] else None


def _identity(c: Comparison, region: Region, clock: Clock) -> str | None:
    """Equality by a normal form: zero after clearing denominators over independent kernels."""
    if c.op not in ("==", "<=", ">="):
        return None
    lhs, rhs = evaluated(c.lhs), evaluated(c.rhs)
    if c.op != "==" and lhs.count_ops() + rhs.count_ops() > 60:
        return None
    if sp.expand(lhs - rhs) == 0:
        return "equal after expansion"
    from theorycheck.formulas.normal_form import same_function

    if same_function(lhs, rhs, {v.name: _as_domain(v) for v in region.variables}):
        return "equal normal forms"
    return "equal Fourier coefficients" if identical(lhs, rhs) else None


def _as_domain(variable: Variable) -> Any:
    """The range in the words of `theorycheck.numbers.domain`, widened where ends are not rational."""
    from theorycheck.numbers import domain as d

    def rational(end: Any) -> Fraction | None:
        return Fraction(int(end.p), int(end.q)) if end is not None and end.is_Rational else None

    low = rational(variable.low)
    if variable.symbol.is_integer:
        return d.integers(None if low is None else int(low), None)
    if variable.symbol.is_positive and low is None:
        return d.reals(0, None, low_open=True)
    return d.reals(low, None, low_open=variable.low_open)
