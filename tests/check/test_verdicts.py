"""What a verdict says beside true or false; and that planted faults turn it."""

from __future__ import annotations

import re

import pytest

from theorycheck.check.run import check_text
from theorycheck.check.verdict import Verdict


def check(
    statement: str, *domains: str, where: tuple[str, ...] = (), budget: float = 60
) -> Verdict:
    return check_text(statement, domains, where, budget=budget)


# Each constant is the best there is: as it stands the statement is proved, a hair beyond it is refuted.
SHARP = [
    ("x*(1 - x) <= {}", ["x in [0, 1]"], "1/4", "1/4 - 1e-12"),
    ("x**x >= {}", ["x in (0, oo)"], "exp(-1/E)", "exp(-1/E) + 1e-9"),
    ("cosh(x) <= exp({}*x**2)", ["x in (-oo, oo)"], "1/2", "(1/2 - 1/1000)"),
    ("log(x) <= {}*(x - 1)", ["x in (0, oo)"], "1", "1.001"),
    ("sin(x) >= {}*x", ["x in [0, pi/2]"], "2/pi", "(2/pi + 1e-6)"),
    ("27*x*(1 - x)**2 <= {}", ["x in [0, 1]"], "4", "4 - 1e-9"),
    ("x**4 + y**4 - x*y >= {}", ["x, y in (-oo, oo)"], "-1/8", "-1/8 + 1e-6"),
    ("Sum(k, (k, 1, n)) == n*(n + {})/2", ["n in 0..oo"], "1", "1.0001"),
    ("(1 + 1/n)**n < {}", ["n in 1..oo"], "E", "2.71828182845904"),
]


@pytest.mark.parametrize(("statement", "domains", "good", "planted"), SHARP)
def test_a_planted_constant_turns_the_verdict(
    statement: str, domains: list[str], good: str, planted: str
) -> None:
    right = check(statement.format(good), *domains)
    assert (right.verdict, right.proved) == ("holds", True)
    wrong = check(statement.format(planted), *domains)
    assert wrong.verdict == "refuted"


def test_the_smallest_integer_counterexample() -> None:
    verdict = check("isprime(n**2 + n + 41)", "n in 0..60")
    assert verdict.counterexample == {"n": "40"}
    assert verdict.rung == "exhaustive"
    assert verdict.lhs == "1681"


def test_names_are_compared_in_order_of_declaration() -> None:
    verdict = check("a*b < 12", "a in 1..10", "b in 1..10")
    assert verdict.counterexample == {"a": "2", "b": "6"}


def test_negative_integers_count_by_size() -> None:
    assert check("n**2 < 4", "n in -10..10").counterexample == {"n": "2"}
    assert check("n**3 > -8", "n in -10..10").counterexample == {"n": "-2"}


def test_the_simplest_rational_of_the_failing_region() -> None:
    verdict = check("(x - 1/3)**2 > 1/100", "x in [0, 1]")
    assert verdict.counterexample in ({"x": "1/3"}, {"x": "1/4"}, {"x": "2/5"})
    assert check("x**2 <= 1/10", "x in [0, 10]").counterexample == {"x": "1"}


def test_an_irrational_counterexample_is_exact() -> None:
    assert check("x*sqrt(1 - x**2) < 1/2", "x in [0, 1]").counterexample == {"x": "sqrt(2)/2"}
    assert check("sin(x) < 1", "x in [0, 3]").counterexample == {"x": "pi/2"}


def test_both_sides_to_the_digits_that_differ() -> None:
    verdict = check("exp(pi*sqrt(163)) == 262537412640768744")
    assert verdict.lhs is not None
    assert verdict.lhs.startswith("262537412640768743.99999999999925"[:30])
    assert verdict.rhs == "262537412640768744"


def test_a_value_without_a_digit_is_told_by_its_size() -> None:
    verdict = check("exp(-log(d)**16) >= 1/3", "d in 10**131..10**132")
    assert verdict.lhs is not None
    assert verdict.lhs.startswith("[+/- ")


@pytest.mark.parametrize(
    ("statement", "domain", "point"),
    [
        ("1/(n - 7) < 5", "n in 0..60", "7"),
        ("log(x) < 1", "x in [0, 1]", "0"),
        ("tan(x) >= x", "x in [0, pi/2]", "pi/2"),
        ("sqrt(x) >= 0", "x in [-1, 1]", "-1"),
        ("x/x == 1", "x in [-1, 1]", "0"),
        ("(x - sqrt(2))/(x - sqrt(2)) == 1", "x in [0, 2]", "sqrt(2)"),
    ],
)
def test_undefined_points_are_named(statement: str, domain: str, point: str) -> None:
    verdict = check(statement, domain)
    assert (verdict.verdict, verdict.kind) == ("refuted", "undefined")
    assert list((verdict.counterexample or {}).values()) == [point]


def test_where_is_respected_and_undefined_hypotheses_exclude() -> None:
    assert check("x/x == 1", "x in [-1, 1]", where=("x != 0",)).proved
    assert check("x > 0", "x in [-1, 1]", where=("log(x) <= 0",)).verdict == "holds"
    verdict = check("n < 50", "n in 0..100", where=("isprime(n)",))
    assert verdict.counterexample == {"n": "53"}


def test_a_hypothesis_that_is_not_needed_is_named() -> None:
    verdict = check("x**2/x == x", "x in [-1, 1]", where=("x != 0", "x < 1/2"))
    assert any("x < 1/2 was not seen to be needed" in note for note in verdict.notes)
    assert not any("x != 0" in note for note in verdict.notes)


@pytest.mark.parametrize(
    ("statement", "domains", "where"),
    [
        ("x < 0", ["n in 1..oo", "x in (n, 1)"], ()),
        ("n > 5", ["n in 0..3"], ("n > 7",)),
        ("x > 5", ["x in (1, oo)"], ("x < 1",)),
        ("1 > 0", [], ("0 > 1",)),
    ],
)
def test_nothing_to_check_is_no_pass(
    statement: str, domains: list[str], where: tuple[str, ...]
) -> None:
    verdict = check(statement, *domains, where=where)
    assert verdict.verdict == "inconclusive"
    assert "vacuous" in verdict.reason


@pytest.mark.parametrize(
    ("statement", "domains", "instead"),
    [
        ("factorial(n) >= 2**n", ["n in 0..oo"], "holds for n >= 4"),
        ("x*(1 - x) < 1/4", ["x in [0, 1]"], "holds with <= in place of <"),
        ("1/(n - 7) < 5", ["n in 0..60"], "holds for n != 7"),
        ("Sum(k, (k, 1, n)) == n*(n + 1)", ["n in 1..oo"], "left side = (1/2) * right side"),
        ("Sum(2**k, (k, 0, n)) == 2**(n + 1)", ["n in 0..oo"], "left side = right side + (-1)"),
        ("isprime(n**2 + n + 41)", ["n in 0..60"], "holds for n in 0..39"),
    ],
)
def test_what_is_true_instead(statement: str, domains: list[str], instead: str) -> None:
    verdict = check(statement, *domains)
    assert verdict.verdict == "refuted"
    assert any(text.startswith(instead) for text in verdict.instead)
    assert instead in verdict.as_json()["reason"]


def test_out_of_time_is_inconclusive() -> None:
    verdict = check("sin(x*y) + cos(z*x) < 3", "x, y, z in (-oo, oo)", budget=0.02)
    assert verdict.verdict == "inconclusive"


def test_holds_without_proof_says_what_was_tried() -> None:
    verdict = check("sin(x**2)*cos(x**3) + sin(x**5) < 2", "x in (-oo, oo)", budget=20)
    assert (verdict.verdict, verdict.proved, verdict.rung) == ("holds", False, "searched")
    assert "structured points" in verdict.covered
    assert "sampled points" in verdict.covered


def test_a_search_in_one_name_says_how_far_it_went() -> None:
    """The first failure is at 4700063497: no proof, and no claim beyond what was gone through."""
    verdict = check("2**n % n != 3", "n in 5..oo", budget=5)
    assert (verdict.verdict, verdict.proved) != ("holds", True)
    found = re.search(r"(\d+) points in machine arithmetic \(all of 5\.\.(\d+)\)", verdict.covered)
    assert found is not None and int(found[1]) == int(found[2]) - 4


def test_same_seed_same_verdict() -> None:
    first, second = (check("x*y <= 1", "x in [0, 2]", "y in [0, 2]") for _ in range(2))
    assert first.counterexample == second.counterexample
