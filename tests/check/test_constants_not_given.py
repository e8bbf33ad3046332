"""``there is C: for all n >= 1: ...``: a constant that serves, told and proved for; refuted where none does."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from thinned import one_in

from theorycheck.check.problem import read_problem
from theorycheck.check.refusal import InputError
from theorycheck.check.run import check_text
from theorycheck.cli.check import command

PROVED = [
    ("there is C: for all n >= 1: n*log(2) <= C*n", "C = log(2)"),
    ("there is c >= 0: for all n >= 1: 1/n >= c", "c = 0"),
    (r"\exists C>0\ \forall n\ge1:\ n^2+n \le C n^2", "C = 2"),
    (r"\exists C > 0: \forall n \ge 1: n^2+n \le C n^2", "C = 2"),
    ("there exists a constant C such that for all x > 0: x/(1+x) <= C", "C = 1"),
    ("there is a positive constant c such that sin(x) >= c*x for all x in [0, 1]", "c = 1/2"),
    ("there are constants c, C > 0 such that for all n >= 1: c*n <= n + sqrt(n) <= C*n", "c = 1, C = 2"),
    ("there is C in (0,1]: for all n >= 1: n/(n+1) <= C", "C = 1"),
    ("there is C: for all n >= 1, k >= 1: n*k <= C*(n**2+k**2)", "C = 1"),
    ("there is C: for all n >= 1, 1 <= k <= n: binomial(n,k) <= (C*n/k)**k", "C = 10"),
    ("there is N in N: for all n >= N: n**2 >= 100*n", "N = 100"),
    ("there is C: for all n in 1..10: n <= C", "C = 10"),
    ("there is a > 0: for all n >= 1: n + a > n", "a = 1"),
]  # fmt: skip
REFUTED = [
    "there is C: for all n >= 1: n*log(n) <= C*n",
    "there is c > 0: for all n >= 1: 1/n >= c",
    "there exists a constant C such that for all x > 0: 1/x <= C",
    "there is C: for all n >= 1: n**2 == C*n",
    "there is C in (0,1): for all n >= 1: n/(n+1) <= C",
    "there is C: for all n >= 1, k >= 1: n*k**2 <= C*(n**2+k**2)",
    "there is C: for all x in R: exp(x) <= C",
    "there is c: for all x in (0, 1): log(x) >= c",
    "there is C: for all n >= 1: n >= 2",
    "there is C: for all n in 1..3: n**2 == C*n",
    "there is C in [0, 5]: for all n in 1..10: n <= C",
    "there is C > 0: for all n >= 1: harmonic(n) <= C",
]
OPEN = [
    "there is C: for all n >= 1: (2+sin(n))*n <= C*n*(2+sin(n**2))**3*0.0001",  # true, by no constant tried
    "there is C: for all n >= 1: n <= C**2 + 2**C",
    "there is C: for all n >= 1: sin(n) <= C*Abs(sin(n**2))",
]


@pytest.mark.parametrize(("statement", "told"), one_in(2, PROVED))
def test_a_constant_is_told_and_proved_for(statement: str, told: str) -> None:
    found = check_text(statement)
    assert found.proved
    assert f"with {told}" in found.reason
    assert found.why[0] == f"take {told}"
    assert found.scope.startswith("some ")


@pytest.mark.parametrize("statement", REFUTED)
def test_what_no_constant_satisfies_is_refuted(statement: str) -> None:
    assert check_text(statement).verdict == "refuted"


@pytest.mark.parametrize("statement", OPEN)
def test_nothing_else_is_said_to_hold_or_to_fail(statement: str) -> None:
    found = check_text(statement, budget=6)
    assert found.verdict == "inconclusive" or found.proved


def test_the_order_of_the_quantifiers_is_not_guessed() -> None:
    with pytest.raises(InputError, match="might depend on n"):
        read_problem("there is C: n <= C", ["n in 1..oo"])
    for text in (
        "for all n >= 1: there is C: n <= C",
        "there is no C: for all n >= 1: n <= C",
        "there is a unique C: for all n >= 1: n == C*n",
        "there is C for which n <= C*n",
    ):
        with pytest.raises(InputError):
            read_problem(text)
    with pytest.raises(InputError, match="as its range"):
        read_problem("there is C: for all n >= 1: n <= C", where=["C > n"])
    with pytest.raises(InputError, match="not read beside"):
        read_problem("there is C: for all n >= 1: n = O(C*n)")


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("there is C: for all n >= 1: n*log(2) <= C*n", 0),
        ("there is C: for all n >= 1: n*log(n) <= C*n", 1),
        ("there is C: for all n >= 1: n <= C**2 + 2**C", 6),
        ("there is C for which n <= C*n", 4),
    ],
)
def test_exit_codes(statement: str, code: int) -> None:
    asked = [statement, "--require-proof", "--explain", "--budget", "8"]
    found = CliRunner().invoke(command, asked, standalone_mode=False)
    refused = isinstance(found.exception, InputError)
    assert (4 if refused else found.return_value) == code
