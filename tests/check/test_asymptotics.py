"""Statements about growth: evidence with the constant seen, a proof only through an inequality."""

from __future__ import annotations

import pytest

from theorycheck.check.problem import read_problem
from theorycheck.check.refusal import InputError
from theorycheck.check.run import check_text


@pytest.mark.parametrize(
    ("statement", "verdict", "proved"),
    [
        ("n^2 + 3n = O(n^2)", "holds", True),
        ("n^2 = O(n)", "refuted", False),
        ("log(n!) ~ n log n", "holds", False),
        ("log n = o(n)", "holds", False),
        ("2n + 1 = Omega(n)", "holds", True),
        ("n = o(n)", "inconclusive", False),
        ("n + sqrt(n) ~ 2n", "inconclusive", False),
        ("n = Theta(n log n)", "inconclusive", False),
    ],
)
def test_growth(statement: str, verdict: str, proved: bool) -> None:
    found = check_text(statement, ["n >= 2"], budget=20)
    assert (found.verdict, found.proved) == (verdict, proved)


def test_the_constant_that_was_seen_is_said() -> None:
    found = check_text("harmonic(n) = O(log n)", ["n >= 2"], budget=10)
    assert found.verdict == "holds"
    if not found.proved:  # the bound is proved where there is time for it
        assert "largest |f/g| 2.16404 at n = 2" in found.covered
        assert "no finite data decide" in found.notes[0]


def test_both_constants_of_theta_are_said() -> None:
    found = check_text("binomial(2n, n) = Theta(4^n/sqrt(n))", ["n >= 2"], budget=10)
    assert found.verdict == "holds"
    if not found.proved:  # the bounds are proved where there is time for it
        assert "largest |f/g| 0.56419" in found.covered
        assert "least |f/g| 0.53033 at n = 2" in found.covered


def test_other_names_stay() -> None:
    found = check_text("n^a = O(n^2)", ["a in {1, 2}", "n in N"], budget=10)
    assert found.verdict == "holds"
    assert check_text("n^a = O(n^2)", ["a in {1, 3}", "n in N"], budget=10).verdict != "holds"


@pytest.mark.parametrize(
    ("domains", "part"), [(["n in 1..9"], "none does"), (["n in N", "m in N"], "here n, m")]
)
def test_one_name_goes_to_infinity(domains: list[str], part: str) -> None:
    with pytest.raises(InputError) as caught:
        check_text("n = O(n)", domains, budget=5)
    assert part in str(caught.value)


def test_growth_stands_by_itself() -> None:
    with pytest.raises(InputError, match="stands by itself"):
        read_problem("n = O(n) and n > 1", ["n in N"])


def test_a_statement_about_growth_wants_one_name_without_end() -> None:
    """Said while the statement is read: it is bad input, and no error of the program."""
    with pytest.raises(InputError, match="none does; as in --for"):
        read_problem("n^2 = O(n^3)", ["n in 1..40"])
    with pytest.raises(InputError, match="here n, m"):
        read_problem("n = O(n*m)", ["n in N", "m in N"])
