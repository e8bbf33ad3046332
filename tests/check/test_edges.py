"""Edges at which the workbench has been wrong, or has broken off: empty domains, infinite ends, poles that
SymPy simplifies away, numbers too long to print."""

from __future__ import annotations

import pytest
import sympy as sp
from mpmath.libmp import NoConvergence

from theorycheck.check import plane, run
from theorycheck.check.domain import Point
from theorycheck.check.judge import UNDECIDED, Judge, PointOutcome
from theorycheck.check.limits import Clock
from theorycheck.check.method import Task
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.region import Region
from theorycheck.check.run import check_text
from theorycheck.check.scan import Scan
from theorycheck.check.shrink import smallest
from theorycheck.check.text import Comparison, InputError
from theorycheck.check.verdict import Verdict


def check(statement: str, *domains: str, where: tuple[str, ...] = (), budget: float = 8) -> Verdict:
    return check_text(statement, list(domains), where, budget=budget)


@pytest.mark.parametrize(
    ("domain", "why"),
    [
        ("x in [2, 1]", "2 lies above 1"),
        ("x in (1, 1)", "ends are equal"),
        ("x in (pi, pi]", "ends are equal"),
        ("x in [sqrt(8), 2*sqrt(2))", "ends are equal"),
        ("x in oo..oo", "beyond oo"),
        ("x in [oo, oo]", "beyond oo"),
        ("x in (oo, 0)", "beyond oo"),
        ("x in [0, -oo)", "below -oo"),
        ("n in 5..3", "5 lies above 3"),
        ("n in pi..sqrt(15)", "no integer"),
        ("p in primes(24..28)", "no prime"),
        ("x in [0, 1/0]", "no real number"),
        ("x in [sqrt(-1), 2]", "no real number"),
    ],
)
def test_empty_domains_are_refused(domain: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read_problem("1 > 0", [domain])


@pytest.mark.parametrize(
    "domain",
    ["x in [1, 1]", "n in 3..3", "p in primes(23..28)", "x in (-oo, oo)", "n in -oo..oo",
     "x in [sqrt(8), 2*sqrt(2)]", "n in pi..4", "x in (0, 10**-30)"],
)  # fmt: skip
def test_domains_with_a_member_are_not(domain: str) -> None:
    read_problem("1 > 0", [domain])


def test_a_proof_about_nothing_is_no_pass() -> None:
    verdict = check("x < 0", "n in 1..oo", "x in (n, 1)", budget=3)
    assert verdict.verdict == "inconclusive"
    assert "vacuous" in verdict.reason


@pytest.mark.parametrize(
    ("statement", "domain"),
    [("cos(0*x) == 1", "x in (-oo, oo)"), ("tan(x - x) == 0", "x in (-oo, oo)")],
)
def test_no_counterexample_is_infinite(statement: str, domain: str) -> None:
    assert check(statement, domain).verdict == "holds"


@pytest.mark.parametrize("value", [sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I, sp.sqrt(-2), sp.log(0)])
def test_only_finite_real_numbers_lie_in_a_domain(value: sp.Expr) -> None:
    problem = read_problem("x > 0", ["x in (-oo, oo)"])
    assert not Judge(problem.domains, problem.goal).contains({"x": value})


def test_a_member_is_told_only_if_it_is_proved_to_be_one() -> None:
    problem = read_problem("x > 0", ["x in [0, sqrt(2))"])
    judge = Judge(problem.domains, problem.goal)
    assert judge.contains({"x": sp.sqrt(2) - sp.Rational(1, 10**30)})
    assert not judge.contains({"x": sp.sqrt(8) / 2})


def test_functions_at_infinity() -> None:
    assert check("atan(oo) == pi/2").verdict == "holds"
    assert check("Sum(1/n - 1/(n+1), (n, 1, oo)) == 1").verdict == "holds"
    assert check("Sum(1/n + 1/(n+1), (n, 1, oo)) == 1").kind == "undefined"


def test_numbers_too_large_are_not_an_empty_domain() -> None:
    verdict = check("isprime(2**n + 1) or fibonacci(n) > 7", "n in 10**60..10**60 + 4", budget=4)
    assert "empty" not in verdict.reason
    verdict = check("fibonacci(2*n) > fibonacci(n)", "n in 10**60..10**60 + 4", budget=4)
    assert verdict.verdict != "refuted"
    assert "empty" not in verdict.reason


def test_a_suggested_range_ends_where_the_domain_does() -> None:
    verdict = check("n*(n - 56) > 0", "n in 0..60")
    assert verdict.counterexample == {"n": "0"}
    assert any(text.startswith("holds for n in 57..60") for text in verdict.instead)


def test_machine_integers_do_not_wrap_around() -> None:
    """2**63 + 1 is negative in 64 bits."""
    problem = read_problem("n > 0", ["n in 2**63 - 5..2**63 + 10**7"])
    assert list(Scan(problem).candidates(Clock(5))) == []
    assert check("n > 0", "n in 2**63 - 5..2**63 + 10**7").verdict == "holds"


def test_smallest_is_said_of_the_smallest_only() -> None:
    assert "smallest counterexample" in check("n**2 > n", "n in 0..oo").covered
    assert check("n*m != 6", "n in 1..oo", "m in 1..oo").covered.startswith(("first", "a simple"))
    assert "smallest" not in check("1 > 2").covered


def test_an_undecided_point_may_be_a_smaller_one(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = read_problem("n < 5", ["n in 0..oo"])
    judge = Judge(problem.domains, problem.goal)
    at = judge.at
    seven = {"n": 7}, at({"n": 7})
    assert smallest(seven, judge, Clock(5)) == (({"n": 5}, at({"n": 5})), True)
    monkeypatch.setattr(
        judge, "at", lambda p: PointOutcome(UNDECIDED) if p["n"] in (2, 5) else at(p)
    )
    found, proved = smallest(seven, judge, Clock(5))
    assert found[0] == {"n": 6}
    assert not proved


@pytest.mark.parametrize(
    ("statement", "domains"),
    [
        ("n % (n - n) == 0", ("n in 1..5",)),
        ("floor(oo)**y > 0", ("y in [0, 1]",)),
        ("(1//oo)//floor(0.9) == 0", ()),
        ("i >= 0", ("n in 1..oo", "i in 0..2**n - 1")),
        ("i < 2**n", ("n in 1..oo", "i in 0..2**n - 1")),
        ("n < 10**5000", ("n in 0..oo",)),
        ("10**4400 + n > 10**4400", ("n in 0..3",)),
        ("Mod(x, 0*x) == 0", ("x in [0, 1]",)),
        ("0**(n - n - 1) == 1", ("n in 0..3",)),
        ("gamma(oo) > 0", ()),
        ("oo*harmonic(x + -oo) >= n", ("n in -oo..oo", "x in [-1, 1/3]")),
    ],
)
def test_nothing_breaks(statement: str, domains: tuple[str, ...]) -> None:
    verdict = check(statement, *domains, budget=3)
    assert "broke off" not in verdict.reason


def test_long_counterexamples_are_exact() -> None:
    verdict = check("n < 10**5000 + 7", "n in 0..oo")
    assert verdict.verdict == "refuted"
    assert verdict.counterexample is not None
    assert len(verdict.counterexample["n"]) >= 5001


def test_the_factors_of_a_sum_are_not_its_terms() -> None:
    """x - y <= 0 does not follow from x >= 0 and -y <= 0."""
    problem = read_problem("x <= y", ["x in [0, oo)", "y in [0, oo)"])
    prover = Prover(problem)
    prover.judge = Judge(problem.domains, problem.goal)
    task = Task(problem.goal, Region(problem.domains.variables), Clock(20), prover)  # type: ignore[arg-type]
    assert plane.by_factors(task) is None


def test_what_time_cut_is_said() -> None:
    verdict = check("sin(x*y) + cos(z*x) < 3", "x, y, z in (-oo, oo)", budget=0.1)
    assert verdict.verdict == "inconclusive"
    assert "out of time" in verdict.reason


def test_what_cannot_be_sorted_is_printed_all_the_same() -> None:
    """SymPy evaluates numbers to sort the parts of a sum, and divides by zero; the refutation was lost."""
    found = check_text("cos(x - x - cot(0)) != 0", ["x in [0, 1]"], budget=20, explained=False)
    assert (found.verdict, found.kind) == ("refuted", "undefined")


def test_a_point_at_which_the_evaluation_breaks_down_is_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A series that does not converge at one point; the rest of the schedule is gone through."""
    problem = read_problem("x**2 >= 0", ["x in [0, 1]"])
    judge = Judge(problem.domains, problem.goal)

    def breaks(c: Comparison, point: Point) -> PointOutcome:
        raise NoConvergence("Hypergeometric series converges too slowly")

    monkeypatch.setattr(judge, "_comparison", breaks)
    outcome = judge.at({"x": 1})
    assert outcome.status == UNDECIDED
    assert "NoConvergence" in outcome.reason


def test_a_name_counts_though_sympy_holds_the_term_to_be_zero() -> None:
    found = check("Sum(n // (n/k), (k, 0, 3)) != sqrt(n) - n // n", "n in 0..60")
    assert (found.verdict, found.kind) == ("refuted", "undefined")


@pytest.mark.parametrize(
    ("statement", "domains"),
    [
        ("zeta(n) != (n**E)**(7*n)", ("n in 10**60..10**60 + 4", "x in [n, n + 1]")),
        ("EulerGamma < (x + x) % cosh(10**40)", ("n in {1, 2, 5}", "x in [n, n + 1]")),
    ],
)
def test_numbers_beyond_memory_break_no_search(statement: str, domains: tuple[str, ...]) -> None:
    assert "broke off" not in check(statement, *domains, budget=1.5).reason


def test_a_proof_waits_for_a_point_that_it_speaks_of() -> None:
    """The listed points miss the hypothesis; the proof was given up, and the search sold in its place."""
    domains, where = ("r in 1..oo", "d in r+1..oo", "g in (0, 1/2)"), ("d - r > r/g**2",)
    assert check("9*r/(16*g**2) < d - r", *domains, where=where).proved
    assert check("17*r/(16*g**2) < d - r", *domains, where=where).verdict == "refuted"
    nothing = check("9*r/(16*g**2) < d - r", *domains, where=("d - r > r/g**2", "d < r"), budget=3)
    assert nothing.verdict == "inconclusive"


def test_a_kept_proof_is_told_once_a_point_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "occupied", lambda *of: False)
    domains, where = ("r in 1..oo", "d in r+1..oo", "g in (0, 1/2)"), ("d - r > r/g**2",)
    assert check("9*r/(16*g**2) < d - r", *domains, where=where).proved


@pytest.mark.parametrize(
    ("statement", "domain"),
    [
        ("exp(x) - 3*x != 0", "x in (-oo, oo)"),
        ("exp(x) != 2 + x", "x in (0, oo)"),
        ("(exp(x) - 3*x)**2 > 0", "x in (-oo, oo)"),
        ("sinh(x) != 3 - x", "x in (-oo, oo)"),
    ],
)
def test_far_out_exponentials_do_not_hide_a_crossing(statement: str, domain: str) -> None:
    """Where exp is beyond balls there is no enclosure; the boxes there took all the time."""
    found = check(statement, domain, budget=20)
    assert (found.verdict, found.rung) == ("refuted", "certified")


def test_a_gap_is_no_crossing() -> None:
    assert check("exp(x) - 2.7*x != 0", "x in (-oo, oo)", budget=20).proved
