"""Integrals with names at their ends, by antiderivatives that are checked, and what must not be proved by them."""

from __future__ import annotations

import pytest
from test_provers_alone import proof_of

from theorycheck.check.run import check_text

TRUE = [
    ("Integral(1/(1+x**2),(x,0,t)) == atan(t)", ["t in [0, oo)"]),
    ("Integral(1/(1+x**2),(x,0,t)) == atan(t)", ["t in R"]),  # the ends in any order
    ("Integral(1/x,(x,1,t)) == log(t)", ["t in (0, oo)"]),
    ("Integral(1/x,(x,1,t)) <= t - 1", ["t in [1, oo)"]),
    ("Integral(2*x*exp(x**2),(x,0,t)) == exp(t**2) - 1", ["t in R"]),
    ("Integral(x*exp(a*x),(x,0,t)) >= t**2/2", ["t in [0, oo)", "a in (0, oo)"]),
]
# A pole between the ends; an antiderivative that jumps; two branches.
FALSE = [
    ("Integral(1/x,(x,-1,t)) == log(t)", ["t in (0, oo)"]),
    ("Integral(1/x**2,(x,-1,t)) == -1/t - 1", ["t in (0, oo)"]),
    ("Integral(1/(1+x**2),(x,0,t)) == atan(t) + t - Abs(t)", ["t in R"]),
    ("Integral(1/cos(x)**2,(x,0,t)) == tan(t)", ["t in (2, 3)"]),
    ("Integral(1/(2+cos(x)),(x,0,t)) == 2/sqrt(3)*atan(tan(t/2)/sqrt(3))", ["t in [0, 6]"]),
    ("atan(tan(t)) == t", ["t in R"]),
]


@pytest.mark.parametrize(("statement", "domains"), TRUE)
def test_antiderivatives_prove(statement: str, domains: list[str]) -> None:
    assert proof_of(statement, domains, [], 20)


@pytest.mark.parametrize(("statement", "domains"), FALSE)
def test_no_antiderivative_proves_what_is_false(statement: str, domains: list[str]) -> None:
    assert not proof_of(statement, domains, [], 4)


def test_a_verdict_on_an_integral() -> None:
    found = check_text("Integral(1/(1+x**2),(x,0,t)) == atan(t)", ["t in [0, oo)"], budget=40)
    assert (found.verdict, found.rung) == ("holds", "proved")
    assert any("the derivative of atan(x) in x is 1/(x**2 + 1)" in line for line in found.why)
    found = check_text("Integral(1/(1+x**2),(x,0,t)) == atan(t)/2", ["t in [0, oo)"], budget=20)
    assert found.verdict == "refuted"
