"""Single methods of the workbench: what they settle, and near misses that they must not settle."""

from __future__ import annotations

import pytest
import sympy as sp

from theorycheck.check import periodic, shifting
from theorycheck.check.constants import angles_and_logarithms_vanish, is_zero
from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.method import Task
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.region import Found, Region
from theorycheck.check.run import check_text
from theorycheck.check.scan import Scan
from theorycheck.check.trigonometry import identical

x, y = sp.symbols("x y", real=True)
third = sp.pi / 3


@pytest.mark.parametrize(
    ("lhs", "rhs"),
    [
        (sp.sin(x) * sp.sin(third - x) * sp.sin(third + x), sp.sin(3 * x) / 4),
        (sp.sin(x) ** 2 + sp.sin(x + 2 * third) ** 2 + sp.sin(x - 2 * third) ** 2, sp.S(3) / 2),
        (sp.cos(x - y), sp.cos(x) * sp.cos(y) + sp.sin(x) * sp.sin(y)),
        (sp.tan(x / 2), sp.sin(x) / (1 + sp.cos(x))),
        (x * sp.cos(x) ** 2 + x * sp.sin(x) ** 2, x),
    ],
)
def test_trigonometric_identities(lhs: sp.Expr, rhs: sp.Expr) -> None:
    assert identical(lhs, rhs)
    assert not identical(lhs, rhs + sp.Rational(1, 10**40))
    assert not identical(lhs, rhs * (1 + sp.Rational(1, 10**40)))
    assert not identical(lhs, rhs + sp.sin(x) ** 2 / 10**9)


def test_angles_that_are_not_linear_are_names_of_their_own() -> None:
    assert identical(sp.sin(x**2) ** 2 + sp.cos(x**2) ** 2, sp.S(1))
    assert identical(sp.sin(x * y + x) - sp.sin(x * y - x), 2 * sp.cos(x * y) * sp.sin(x))
    assert not identical(sp.sin(x**2) ** 2 + sp.cos(x**3) ** 2, sp.S(1))
    assert not identical(sp.sin(x * y + x) - sp.sin(x * y - x), 2 * sp.cos(x * y) * sp.sin(y))


def test_what_is_no_trigonometric_polynomial_is_left_alone() -> None:
    assert not identical(sp.sin(sp.exp(x)), sp.cos(x))


@pytest.mark.parametrize(
    "value",
    [
        sp.asin(sp.Rational(3, 5)) + sp.asin(sp.Rational(4, 5)) - sp.pi / 2,
        2 * sp.acos(1 / sp.sqrt(3)) + sp.acos(sp.Rational(1, 3)) - sp.pi,
        sp.acosh(2) - sp.log(2 + sp.sqrt(3)),
        sp.atanh(sp.Rational(1, 3)) - sp.log(2) / 2,
    ],
)
def test_angles_and_logarithms(value: sp.Expr) -> None:
    assert angles_and_logarithms_vanish(value)
    assert not angles_and_logarithms_vanish(value + sp.pi)
    assert not angles_and_logarithms_vanish(value + 2 * sp.pi)
    assert not angles_and_logarithms_vanish(value + sp.log(1 + sp.Rational(1, 10**30)))


def test_gamma_by_reflection() -> None:
    q = sp.Rational(1, 3)
    assert is_zero(sp.gamma(q) * sp.gamma(1 - q) - 2 * sp.pi / sp.sqrt(3))
    assert is_zero(sp.gamma(q + 2) - q * (q + 1) * sp.gamma(q))
    assert not is_zero(sp.gamma(q) * sp.gamma(q) - 2 * sp.pi / sp.sqrt(3))


def settled(statement: str, domain: str, method: str) -> bool:
    problem = read_problem(statement, [domain])
    prover = Prover(problem)
    prover.judge = Judge(problem.domains, problem.goal)
    region = Region(problem.domains.variables)
    goal = problem.goal
    try:
        if method == "shifting":
            return shifting.prove(Task(goal, region, Clock(30), prover)) is not None
        return periodic.prove(Task(goal, region, Clock(20), prover)) is not None
    except Found:
        return False


@pytest.mark.parametrize(
    ("statement", "domain", "true"),
    [
        ("digamma(x) < log(x) - 1/(2*x)", "x in (0, oo)", True),
        ("digamma(x) > log(x) - 1/x", "x in (0, oo)", True),
        ("digamma(x) > log(x) - 1/(2*x)", "x in (0, oo)", False),
        ("digamma(x) < log(x) - 51/(100*x)", "x in (0, oo)", False),
        ("harmonic(n) < log(n) + EulerGamma + 1/(2*n)", "n in 1..oo", True),
        ("harmonic(n) < log(n) + EulerGamma + 49/(100*n)", "n in 1..oo", False),
        ("gamma(x + 1)/gamma(x + 1/2) > sqrt(x + 1/4)", "x in (0, oo)", True),
        ("gamma(x + 1)/gamma(x + 1/2) < sqrt(x + 1/4)", "x in (0, oo)", False),
    ],
)
def test_steps_to_infinity(statement: str, domain: str, true: bool) -> None:
    assert settled(statement, domain, "shifting") == true


@pytest.mark.parametrize(
    ("statement", "domain", "true"),
    [
        ("Mod(3**(2*n) - 1, 8) == 0", "n in 0..oo", True),
        ("Mod(11**(n + 1) + 12**(2*n - 1), 133) == 0", "n in 1..oo", True),
        ("Mod(6**n, 1024) == 0", "n in 10..oo", True),
        ("Mod(6**n, 1024) == 0", "n in 9..oo", False),  # not periodic from the start
        ("Mod(6**n, 1024) != 0", "n in 0..oo", False),  # fails first at n = 10
        ("Mod(7**n, 100) != 43", "n in 0..oo", False),
        ("Mod(n**2 + 2**n, 7) != 5", "n in 0..oo", False),
    ],
)
def test_residues_of_powers(statement: str, domain: str, true: bool) -> None:
    assert settled(statement, domain, "residues") == true


@pytest.mark.parametrize(
    ("statement", "where", "verdict", "proved"),
    [
        ("n^2 ≡ 1 (mod 8)", "n odd", "holds", True),
        ("n^4 ≡ 1 (mod 16)", "n odd", "holds", True),
        ("n^2 ≡ 1 (mod 16)", "n odd", "refuted", False),
        ("n^2 ≡ 0 (mod 4)", "n even", "holds", True),
        ("n^2 ≡ 0 (mod 8)", "n even", "refuted", False),
    ],
)
def test_residues_under_a_periodic_hypothesis(
    statement: str, where: str, verdict: str, proved: bool
) -> None:
    found = check_text(statement, [where], budget=30, explained=False)
    assert (found.verdict, found.proved) == (verdict, proved)


@pytest.mark.parametrize(
    ("statement", "domain", "where", "first"),
    [
        ("isprime(n)", "n in 2..2000", "Mod(2**n - 2, n) == 0", 341),
        ("Mod(n**2, 10**6) != 269696", "n in 1..100000", "", 25264),
        ("Sum(1/k, (k, 1, n)) < 12", "n in 1..10**7", "", 91380),
        ("totient(n + 1) != totient(n)", "n in 4..1000", "", 15),
        ("divisor_sigma(n) < 5*n", "n in 122520000..123000000", "", 122522400),
        ("floor(sqrt(n)) != n/1000", "n in 1..10**7", "", 998000),
    ],
)
def test_a_scan_points_at_the_first_failure(
    statement: str, domain: str, where: str, first: int
) -> None:
    problem = read_problem(statement, [domain], [where] if where else [])
    judge = Judge(problem.domains, problem.goal, problem.hypotheses)
    scan = Scan(problem)
    found = next(p for p in scan.candidates(Clock(30)) if judge.at(p).status == "fails")
    assert found == {"n": first}


def test_a_scan_of_exact_integers_is_an_exhaustion_and_one_of_floats_is_not() -> None:
    exact = check_text("Mod(n**5 - n, 30) == 0 or n == 7", ["n in 0..300000"], budget=60)
    assert (exact.verdict, exact.rung) == ("holds", "exhaustive")
    problem = read_problem("sin(n) < 1", ["n in 0..300000"])
    judge = Judge(problem.domains, problem.goal)
    rounded = Scan(problem)
    near = list(rounded.candidates(Clock(20)))  # floats cannot tell there
    assert {judge.at(p).status for p in near} <= {"holds"}
    assert rounded.finished
    assert not rounded.exact


def test_numbers_beyond_63_bits_are_not_scanned_as_integers() -> None:
    """2**63 wraps round to a negative number in int64."""
    scan = Scan(read_problem("n**7 > 0", ["n in 1..10**6"]))
    assert list(scan.candidates(Clock(20))) == []
    assert not scan.exact


def test_scanned_functions_of_divisors_are_right() -> None:
    """Against the judge, which factors each number, where the statement is an equality that holds."""
    for statement in (
        "Sum(totient(k)*floor(n/k), (k, 1, n)) == n*(n + 1)/2",
        "divisor_count(n)*2 <= n + 3 or n <= 12",
        "Abs(mobius(n)) == 1 or primenu(n) < primeomega(n)",
        "divisor_sigma(n, 2) >= n**2 + 1",
    ):
        found = check_text(statement, ["n in 2..400"], budget=60, explained=False)
        assert found.verdict == "holds", statement


@pytest.mark.parametrize(
    ("statement", "domain", "place"),
    [
        ("x**5 - x - 1 != 0", "x in [1, 2]", "CRootOf(x**5 - x - 1, 0)"),
        ("cos(x) != x", "x in [0, 1]", "0.739085133215160641"),
        ("(exp(x) - 3*x)**2*(1 + x**2) > 0", "x in [0, 1]", "0.619061286735945112"),
    ],
)
def test_failures_at_single_places_without_a_closed_form(
    statement: str, domain: str, place: str
) -> None:
    found = check_text(statement, [domain], explained=False)
    assert found.verdict == "refuted"
    assert found.counterexample is not None
    assert place in found.counterexample["x"]


@pytest.mark.parametrize(
    "statement", ["x**5 - x + 1 != 0", "(cos(x) - x - 1)**2 > 0", "exp(x) != x"]
)
def test_no_place_is_invented(statement: str) -> None:
    assert check_text(statement, ["x in [1/10, 1]"], explained=False).verdict == "holds"


@pytest.mark.parametrize(
    ("statement", "domain", "verdict"),
    [
        ("floor(x) + floor(x + 1/3) + floor(x + 2/3) == floor(3*x)", "x in (-oo, oo)", "holds"),
        ("floor(x) + floor(x + 1/3) + floor(x + 3/4) == floor(3*x)", "x in (-oo, oo)", "refuted"),
        ("x - 1 < floor(x) <= x", "x in (-oo, oo)", "holds"),
        ("x - 1 < floor(x) < x", "x in (-oo, oo)", "refuted"),
    ],
)
def test_floors_on_the_whole_line(statement: str, domain: str, verdict: str) -> None:
    found = check_text(statement, [domain], explained=False)
    assert found.verdict == verdict


def test_cumulated_terms_are_the_sums() -> None:
    found = check_text(
        "Sum(1/k, (k, 1, n)) - Sum(1/k, (k, 1, n - 1)) == 1/n", ["n in 1..400"], explained=False
    )
    assert found.proved


BRANCHES = [
    ("Piecewise((x, x > 0), (-x, True)) = |x|", ["x in R"], [], True),
    ("Piecewise((x, x > y), (y, True)) = max(x, y)", ["x in R, y in R"], [], True),
    ("Piecewise((log(x), x > 1), (x - 1, True)) <= x - 1", ["x in R"], [], True),
    ("Piecewise((x^2, x > 1 and x < 2), (4, x == 3), (0, True)) <= 4", ["x in R"], [], True),
    ("Piecewise((x, x > 0), (-x, x < 0)) = |x|", ["x in R"], [], False),
    ("Piecewise((log(x), x > 1), (x - 1, True)) < x - 1", ["x in R"], [], False),
    ("Piecewise((x^2, x > 1 and x < 2), (5, x == 3), (0, True)) <= 4", ["x in R"], [], False),
    ("Piecewise((x, x >= y), (y, True)) = min(x, y)", ["x in R, y in R"], [], False),
]


@pytest.mark.parametrize(("statement", "domains", "where", "true"), BRANCHES)
def test_branches_are_proved_one_by_one(
    statement: str, domains: list[str], where: list[str], true: bool
) -> None:
    found = check_text(statement, domains, where, budget=60, explained=False)
    assert (found.verdict, found.proved) == (("holds", True) if true else ("refuted", False))
