"""Hypotheses multiplied, induction beside names, relaxed integers, cancelled factors: each with near-lies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from theorycheck.check import facts, normalising, plane, relaxing, renaming, stepping, telescoping
from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.method import Method, Task
from theorycheck.check.powers import Powers
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.region import Region
from theorycheck.check.run import check_text
from theorycheck.check.text import Comparison

CLAUSES = Path(__file__).with_name("clauses.txt")
METHODS = {
    "multiples": facts.MULTIPLES,
    "induction": stepping.METHOD,
    "relaxed": relaxing.RELAXED,
    "unequal": relaxing.UNEQUAL,
    "factors": normalising.METHOD,
    "ranges": facts.RANGES,
    "powers": renaming.METHOD,
    "certificates": telescoping.METHOD,
    "one name": plane.ONE_NAME,
}
SECONDS = 20.0


@dataclass(frozen=True)
class Clause:
    """A clause as it was typed, or a near-lie of it."""

    name: str
    true: bool
    problem: Problem


def clauses(name: str) -> Iterator[Clause]:
    for line in CLAUSES.read_text().splitlines():
        if line.startswith(f"{name} ;"):
            _, truth, statement, domains, where = (p.strip() for p in line.split(" ;"))
            parts = [[p.strip() for p in t.split(" | ") if p.strip()] for t in (domains, where)]
            yield Clause(name, truth == "T", read_problem(statement, *parts))


def settled(problem: Problem, method: Method, clock: Clock) -> bool:
    prover = Prover(problem)
    prover.judge = Judge(problem.domains, problem.goal, problem.hypotheses)
    assert isinstance(problem.goal, Comparison)
    region = Region(problem.domains.variables, problem.hypotheses)
    task = Task(problem.goal, region, clock, prover)
    return method.applies(task) and method.prove(task) is not None


def test_the_clauses_are_many_and_each_has_its_near_lie() -> None:
    rows = [r for r in CLAUSES.read_text().splitlines() if not r.startswith("#")]
    assert len(rows) >= 190
    names = [row.split(" ;")[0] for row in rows]
    for name in dict.fromkeys(names):
        assert [c.true for c in clauses(name)] == [True, False]


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("signal-size", "multiples"),
        ("hypothesis-weaker", "multiples"),
        ("cross-multiplied", "multiples"),
        ("dominance", "multiples"),
        ("step-limit", "multiples"),
        ("final-r-over-10", "multiples"),
        ("valid-5", "multiples"),
        ("query-budget", "multiples"),
        ("zero-loss-region", "multiples"),
        ("bernoulli", "induction"),
        ("real-kappa", "induction"),
        ("undershoot", "induction"),
        ("growth-sum", "induction"),
        ("arithmetic-moving", "induction"),
        ("cost-order-integer", "relaxed"),
        ("inner-order", "relaxed"),
        ("kappa-law", "relaxed"),
        ("nonzero-printed", "unequal"),
        ("odd-not-prime", "factors"),
        ("error-factor", "factors"),
        ("even-value", "factors"),
        ("opt-monotone", "ranges"),
        ("rbf-exact", "certificates"),
        ("rbf-values", "certificates"),
    ],
)
def test_a_clause_is_proved_by_its_method_and_its_near_lie_by_none(name: str, method: str) -> None:
    true, lie = clauses(name)
    assert settled(true.problem, METHODS[method], Clock(SECONDS))
    assert not any(settled(lie.problem, m, Clock(3.0)) for m in METHODS.values())


@pytest.mark.parametrize(
    ("statement", "domains", "where"),
    [
        # a multiplier of the wrong sign, or of either
        ("x*y >= 1", ["x in (-oo, oo)", "y in (0, oo)"], "x >= 2/y - 1"),
        ("r/g < n", ["n in (-oo, oo)", "g in (-oo, oo)", "r in (0, oo)"], "n*g > r"),
        # strict from weak
        ("x > y", ["x in (-oo, oo)", "y in (-oo, oo)"], "x >= y"),
        ("x*z > y*z", ["x in (0, oo)", "y in (0, oo)", "z in [0, 1]"], "x > y"),
        # an order does not give an equation, nor an equation at a zero of its factor
        ("x == y", ["x in (-oo, oo)", "y in (-oo, oo)"], "x <= y"),
        ("x == y", ["x in (-oo, oo)", "y in (-oo, oo)", "z in [0, 1]"], "x*z == y*z"),
        # the step holds and the start does not; the start and not the step
        ("(1 + x)**n > 1 + n*x", ["n in 0..oo", "x in (0, 1)"], ""),
        ("2**n + x > n**2", ["n in 0..oo", "x in (1/2, 1)"], ""),
        ("x**n <= x", ["n in 0..oo", "x in (0, 1)"], ""),
        ("(-x)**n <= 1", ["n in 0..oo", "x in [0, 2]"], ""),
        # true of reals above 1, not of all integers; i < j says nothing more of reals
        ("n**2 + x >= 1", ["n in 0..oo", "x in [0, 1]"], ""),
        ("i + 1 <= j", ["i in [0, oo)", "j in [0, oo)"], "i < j"),
        # powers that reach the end of their range, or leave it
        ("2**k > 2", ["k in 1..oo", "x in (0, 1)"], ""),
        ("(1 - x)**n < 1", ["n in 1..oo", "x in [0, 1]"], ""),
        ("(1 - x)**n > 0", ["n in 1..oo", "x in [0, 1]"], ""),
        ("(1 - x)**n <= 1", ["n in 1..oo", "x in [0, 21/10]"], ""),
        # sums that are right at the start, or but for one parameter
        ("Sum(binomial(k, h)*q**h, (h, 0, k)) == 1 + k*q", ["k in 0..oo", "q in (0, 1)"], ""),
        ("Sum(binomial(k, h)*q**h, (h, 0, k)) == (1 + q**2)**k", ["k in 0..oo", "q in (0, 2)"], ""),
        # ends of ranges: closed against strict
        ("y > x", ["x in (0, 1)", "y in [x, 1]"], ""),
        ("x*y < 1", ["x in (0, 1]", "y in (0, 1/x]"], ""),
        # factors of both signs, and one that vanishes
        ("x*y > x*y/2", ["x in (-1, oo)", "y in (0, oo)"], ""),
        ("x**2*y > 0", ["x in (-1, 1)", "y in (0, oo)"], ""),
        ("x*y != x", ["x in [0, 1]", "y in (1, 2)"], ""),
        # the derivative in y is 0 at x = 0, so the open end of y is no help there
        ("x*y > x", ["x in [0, 1]", "y in (1, 2)"], ""),
    ],
)
def test_what_is_nearly_a_proof_is_none(statement: str, domains: list[str], where: str) -> None:
    problem = read_problem(statement, domains, [where] if where else [])
    assert not any(settled(problem, m, Clock(3.0)) for m in METHODS.values())
    found = check_text(statement, domains, [where] if where else [], budget=6, explained=False)
    assert found.verdict == "refuted"


def test_powers_are_taken_apart_only_where_that_is_an_identity() -> None:
    import sympy as sp

    n, k = sp.Symbol("n", integer=True, nonnegative=True), sp.Symbol("k", integer=True)
    x, t = sp.Symbol("x", real=True), sp.Symbol("t", real=True)
    for power, apart in [
        (x ** (n + 1), True),
        (x ** (n - 1), False),  # at x = 0 and n = 1 the one is 1, the other has no value
        (x ** (k + 1), False),
        (x ** (t + 1), False),
        (2 ** (t - 1), True),
        ((x**2 + 1) ** (t + 2), True),
        ((-2) ** (k + 1), True),
        ((-2) ** (t + 1), False),
    ]:
        powers = Powers()
        found = powers.apart(power)
        assert sp.powsimp(powers.together(found)) == power
        assert (power not in powers.names) == apart


def test_a_corner_that_samples_miss_is_found_among_the_cells() -> None:
    """It fails only where g and c*g come close to 1 and 19/10 together."""
    (lie,) = (c for c in clauses("lucky-large") if not c.true)
    found = check_text(
        lie.problem.statement,
        ["c in (0, oo)", "g in (0, 1)"],
        lie.problem.where,
        budget=20,
        explained=False,
    )
    assert found.verdict == "refuted"


@pytest.mark.parametrize(
    ("statement", "domains", "where", "proved"),
    [
        ("x**2 + y**2 >= 2*x*y - 1", ["x in (0, 1)", "y in (0, 1)"], "x*y < 1/2", True),
        # an isolated point of the region, which no cell shows
        ("x >= 1", ["x in [0, oo)", "y in [0, oo)"], "x*(x - 1) >= y**2", False),
    ],
)
def test_cells_prove_on_open_or_linear_regions_only(
    statement: str, domains: list[str], where: str, proved: bool
) -> None:
    problem = read_problem(statement, domains, [where])
    assert settled(problem, plane.CELLS, Clock(SECONDS)) == proved
