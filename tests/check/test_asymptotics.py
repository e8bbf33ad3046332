"""Statements about growth: evidence with the constant seen, a proof through an inequality or the limit of f/g."""

from __future__ import annotations

import pytest

from theorycheck.check.asymptotics import settle
from theorycheck.check.limits import Clock
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.refusal import InputError
from theorycheck.check.run import check_text
from theorycheck.check.verdict import HOLDS, INCONCLUSIVE, PROVED, SEARCHED, Verdict


@pytest.mark.parametrize(
    ("statement", "verdict", "proved"),
    [
        ("n^2 + 3n = O(n^2)", "holds", True),
        ("n^2 = O(n)", "refuted", False),
        ("log(n!) ~ n log n", "holds", True),
        ("log n = o(n)", "holds", True),
        ("2n + 1 = Omega(n)", "holds", True),
        ("n = o(n)", "refuted", False),
        ("n + sqrt(n) ~ 2n", "refuted", False),
        ("n = Theta(n log n)", "refuted", False),
        # quotients that no double holds
        ("n - n^n = Theta(LambertW(n))", "inconclusive", False),
        ("n^(-n) = Theta(n)", "refuted", False),
        ("n^(-n) = O(n)", "holds", True),
        ("n^n = O(log n)", "refuted", False),
        ("2^n = O(n)", "refuted", False),
        ("n^n ~ n", "refuted", False),
        ("0*n = Theta(n)", "refuted", False),
    ],
)
def test_growth(statement: str, verdict: str, proved: bool) -> None:
    found = check_text(statement, ["n >= 2"], budget=20)
    assert (found.verdict, found.proved) == (verdict, proved)


def unproved(statement: str) -> Verdict:
    """The verdict where no inequality is proved, however good provers have become; floors have no expansion."""

    def nothing(problem: Problem, seconds: float) -> Verdict:
        return Verdict(problem.statement, problem.scope(), INCONCLUSIVE, SEARCHED)

    return settle(read_problem(statement, ["n >= 2"]), Clock(20), nothing)


SEEN = {
    "harmonic(floor(n)) = O(log n)": ["largest |f/g| 2.16404 at n = 2"],
    "binomial(2floor(n), n) = Theta(4^n/sqrt(n))": [
        "largest |f/g| 0.56419",
        "least |f/g| 0.53033 at n = 2",
    ],
    "floor(n) + 1 = Omega(n)": ["least |f/g| 1 at n = "],
    "log(floor(n)) = o(n^2)": ["largest |f/g| 0.173287 at n = 2"],
}


@pytest.mark.parametrize("statement", SEEN)
def test_without_a_proof_the_constants_that_were_seen_are_said(statement: str) -> None:
    found = unproved(statement)
    assert (found.verdict, found.proved, found.rung) == ("holds", False, SEARCHED)
    assert found.covered.startswith("n = 2, 4, ..., 1152921504606846976; ")
    for words in SEEN[statement]:
        assert words in found.covered
    assert "no finite data decide" in found.notes[0]


def test_a_proof_says_its_inequality_and_its_constant() -> None:
    """The proof is asked for with the constants that were seen, rounded away from them."""
    asked = []

    def everything(problem: Problem, seconds: float) -> Verdict:
        asked.append(str(problem.goal))
        return Verdict(problem.statement, problem.scope(), HOLDS, PROVED, reason="by decree")

    problem = read_problem("binomial(2n, n) = Theta(4^n/sqrt(n))", ["n >= 2"])
    found = settle(problem, Clock(20), everything)
    assert (found.verdict, found.proved) == ("holds", True)
    assert "|f| <= 1 |g| for n >= 32: by decree" in found.reason
    assert "|f| >= 1/2 |g| for n >= 32: by decree" in found.reason
    assert len(asked) == 2 and not found.notes


def test_what_was_not_proved_is_neither_refuted_nor_proved() -> None:
    """n^2 against n: what was seen speaks against it, and only a proof refutes."""
    found = unproved("floor(n)^2 = O(n)")
    assert (found.verdict, found.proved) == ("inconclusive", False)
    assert "f/g behaves like n**1" in found.reason


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


BY_LIMITS = [
    ("log(n!) ~ n log n", "proved"),
    ("(1+1/n)^n ~ e", "proved"),
    ("n! ~ sqrt(2 pi n)(n/e)^n", "proved"),
    ("log(n)^5 = o(n^(1/10))", "proved"),
    ("n log n = Omega(n)", "proved"),
    ("n^2 = Theta(n^2 + n)", "proved"),
    # Near-lies: a constant beside, an order that is not strict, a quotient that swings
    ("(1+1/n)^n ~ 2.71828", "refuted"),
    ("n! ~ sqrt(2 pi n)(n/e)^n*(1 + 1/10^6)", "refuted"),
    ("n^2 = o(n^2 + n)", "refuted"),
    ("n = Theta(n log n)", "refuted"),
    ("sin(n) = O(1)", "searched"),
    ("(2 + (-1)^n)*n ~ 2n", "open"),
]


@pytest.mark.parametrize(("statement", "verdict"), BY_LIMITS)
def test_limits_decide_growth(statement: str, verdict: str) -> None:
    found = check_text(statement, ["n in N"], budget=10)
    kind = "proved" if found.proved else "searched" if found.verdict == "holds" else found.verdict
    assert kind == verdict or (verdict == "open" and kind == "inconclusive")


def test_a_limit_is_said_as_growth() -> None:
    with pytest.raises(InputError, match='say a limit as "f ~ c"'):
        check_text("limit(n/(n+1), n, oo) == 1", [])
