"""Squares completed and taken, logarithms, waves far out, hypotheses that exclude each other: what they prove, and
the near-lies beside it."""

from __future__ import annotations

import pytest

from theorycheck.check import crosswise, facts, logarithms, quadratics, waves
from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.region import Region
from theorycheck.check.run import check_text
from theorycheck.check.text import Comparison

TRUE = [
    ("dot(x, y) <= norm(x)*norm(y)", ["x, y in R^3"], []),
    ("norm(x + y) <= norm(x) + norm(y)", ["x, y in R^2"], []),
    ("|norm(x) - norm(y)| <= norm(x - y)", ["x, y in R^2"], []),
    ("x^2 + y^2 + z^2 > x y + y z + z x - 1", ["x, y, z in R"], []),
    ("(1 + e)^t >= R", ["R > 1", "e > 0", "t > 0"], ["t*log(1 + e) >= log(R)"]),
    ("L^5*exp(-L/2) <= L^(-5)", ["L > 0"], ["L/2 >= 10*log(L)"]),
    ("(2(k+1))^(-(k+1)/2) = 2^(-(k+1)/2)*(k+1)^(-(k+1)/2)", ["k in N"], []),
    ("|sin x| <= |x|", ["x in R"], []),
    ("exp(x) > sin(x)", ["x >= 0"], []),
    ("x = y + 1", ["x, y in R"], ["x > y", "x < y"]),
    ("8T*d^2/sqrt(n) <= 2^(-2T)", ["T, d, n in (0, oo)"], ["n >= (8T*d^2*4^T)^2"]),
]
FALSE = [
    ("dot(x, y) < norm(x)*norm(y)", ["x, y in R^3"], []),
    ("dot(x, y) <= 99/100*norm(x)*norm(y)", ["x, y in R^2"], []),
    ("norm(x + y) <= norm(x) + 99/100*norm(y)", ["x, y in R^2"], []),
    ("norm(x + y) >= norm(x) + norm(y)", ["x, y in R^2"], []),
    ("x^2 + y^2 + z^2 > x y + y z + z x", ["x, y, z in R"], []),
    ("x^2 + y^2 + z^2 >= 51/50*(x y + y z + z x)", ["x, y, z in R"], []),
    ("(1 + e)^t >= R", ["R > 1", "e > 0", "t > 0"], ["t*e >= log(R)"]),
    ("L^5*exp(-L/2) <= L^(-6)", ["L > 0"], ["L/2 >= 10*log(L)"]),
    ("(2(k+1))^(-(k+1)/2) = 2^(-k/2)*(k+1)^(-(k+1)/2)", ["k in N"], []),
    ("|sin x| < |x|", ["x in R"], []),
    ("|sin x| <= 99/100*|x|", ["x in R"], []),
    ("exp(x) > 2sin(2x)", ["x >= 0"], []),
    ("x = y + 1", ["x, y in R"], ["x > y", "x < y + 2"]),
    ("8T*d^2/sqrt(n) <= 2^(-2T)", ["T, d, n in (0, oo)"], ["n >= (8T*d^2*2^T)^2"]),
    ("(1 - 1/k)^T <= exp(-T/k - T/k^2)", ["k in [1, oo)", "T in [1, oo)"], []),
    ("x^T < 1", ["x in (0, 1]", "T in [1, oo)"], []),
]


@pytest.mark.parametrize(("statement", "domains", "where"), TRUE, ids=[t[0] for t in TRUE])
def test_proved(statement: str, domains: list[str], where: list[str]) -> None:
    found = check_text(statement, domains, where, budget=60, explained=False)
    # Of hypotheses that exclude each other nothing is told but that they do.
    assert found.proved or "vacuous" in found.reason


@pytest.mark.parametrize(("statement", "domains", "where"), FALSE, ids=[f[0] for f in FALSE])
def test_not_proved(statement: str, domains: list[str], where: list[str]) -> None:
    found = check_text(statement, domains, where, budget=30, explained=False)
    assert found.verdict == "refuted"


def alone(
    method: Method, statement: str, domains: list[str], where: list[str] | None = None
) -> Argument | None:
    """What one method makes of a statement, without the search for counterexamples beside it."""
    problem = read_problem(statement, domains, where or [])
    prover = Prover(problem)
    prover.judge = Judge(problem.domains, problem.goal, problem.hypotheses)
    assert isinstance(problem.goal, Comparison)
    region = Region(problem.domains.variables, problem.hypotheses)
    task = Task(problem.goal, region, Clock(20.0), prover)
    return method.prove(task) if method.applies(task) else None


LIES_ALONE = [
    # a >= 0 and the rest >= 0 do not make a strict inequality.
    (quadratics.SQUARE, "x^2 - 2x*y + y^2 > 0", ["x, y in R"], []),
    (quadratics.SQUARE, "x^2*y^2 - 2x*y + 1 > 0", ["x, y in R"], []),
    # The leading coefficient changes its sign.
    (quadratics.SQUARE, "y*x^2 + y >= 0", ["x, y in R"], []),
    # A region that is no box with interior points: completed, it would be proved for all names.
    (quadratics.SQUARE, "x^2 - 3x*y + y^2 >= 0", ["x, y in R"], ["x == y"]),
    # A root with a negative irrational factor is no root that is >= 0.
    (quadratics.ROOTS, "(1 - sqrt(2))*sqrt(x) + y >= 0", ["x, y > 0"], []),
    # R**2 >= T**2 says nothing where R < 0.
    (quadratics.ROOTS, "-2y - sqrt(x^2) >= 0", ["x in (0, 1)", "y in (1, oo)"], []),
    (quadratics.ROOTS, "sqrt(x) + sqrt(y) <= sqrt(x + y)", ["x, y > 0"], []),
    # Logarithms want positive sides.
    (logarithms.METHOD, "(x - 3)*2^y <= (x - 3)*3^y", ["x in R", "y > 0"], []),
    (logarithms.METHOD, "2^(x*y) <= 3^(x*y)", ["x, y in R"], []),
    # The waves are not the same far out.
    (waves.METHOD, "x*sin(x) <= 5", ["x in R"], []),
    (waves.METHOD, "sin(x) + cos(x) <= 7/5", ["x in R"], []),
    # Multiplied by what may be negative.
    (crosswise.CROSSWISE, "1/x <= 1/y", ["x in R", "y > 0"], ["x <= y", "x != 0"]),
    (crosswise.CROSSWISE, "x/y <= y/x", ["x, y > 0"], []),
    # It holds inside, and not at the closed end.
    (crosswise.ENDS, "x^T < 1", ["x in (0, 1]", "T in [1, oo)"], []),
    (crosswise.ENDS, "x^T > 0", ["x in [0, 1)", "T in [1, oo)"], []),
    (facts.CONTRARY, "x = 0", ["x, y in R"], ["x > y", "x < y + 1"]),
    (facts.CONTRARY, "x = 0", ["x, y in R"], ["x >= y", "x <= y"]),
]


@pytest.mark.parametrize(
    ("method", "statement", "domains", "where"), LIES_ALONE, ids=[lie[1] for lie in LIES_ALONE]
)
def test_a_method_by_itself_proves_no_lie(
    method: Method, statement: str, domains: list[str], where: list[str]
) -> None:
    try:
        assert alone(method, statement, domains, where) is None
    except Exception as error:  # noqa: BLE001 - giving up and pointing at a failure are answers too
        assert type(error).__name__ in ("Unknown", "Found", "NotRationalExpression")


def test_the_methods_by_themselves() -> None:
    """Each of them gets through where it is meant to."""
    assert alone(quadratics.SQUARE, "x^2 - x*y + y^2 >= 0", ["x, y in R"])
    assert alone(quadratics.SQUARE, "x^2 + y^2 > x*y - 1", ["x, y in R"])
    assert alone(quadratics.ROOTS, "sqrt(x + y) <= sqrt(x) + sqrt(y)", ["x, y > 0"])
    assert alone(logarithms.METHOD, "2^(x*y) <= 3^(x*y)", ["x, y > 0"])
    assert alone(waves.METHOD, "|sin(x)| <= |x|", ["x in R"])
    assert alone(crosswise.CROSSWISE, "1/x <= 1/y", ["x, y > 0"], ["x >= y"])
    assert alone(crosswise.ENDS, "x^T <= 1", ["x in (0, 1]", "T in [1, oo)"])
    assert alone(facts.CONTRARY, "x = 0", ["x, y in R"], ["x > y", "x < y"])
