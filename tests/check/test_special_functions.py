"""The gamma family, series to infinity, powers of the golden ratio, functions of divisors: each with near-lies."""

from __future__ import annotations

import pytest
from thinned import one_in

from theorycheck.balls import evaluate
from theorycheck.check.judge import Judge
from theorycheck.check.problem import read_problem
from theorycheck.check.run import check_text

TRUE = [
    # Gamma, its logarithm and the derivatives of that
    ("gamma(x)*gamma(x+1/2) == 2**(1-2*x)*sqrt(pi)*gamma(2*x)", ["x in (0, oo)"]),
    ("digamma(x+3) == digamma(x) + 1/x + 1/(x+1) + 1/(x+2)", ["x in (0, oo)"]),
    ("digamma(1-x) - digamma(x) == pi*cot(pi*x)", ["x in (0, 1)"]),
    ("trigamma(1-x) + trigamma(x) == pi**2/sin(pi*x)**2", ["x in (0, 1)"]),
    ("trigamma(x+1) == trigamma(x) - 1/x**2", ["x in (0, oo)"]),
    ("loggamma(x+2) == loggamma(x) + log(x) + log(x+1)", ["x in (0, oo)"]),
    ("digamma(2*x) == digamma(x)/2 + digamma(x+1/2)/2 + log(2)", ["x in (0, oo)"]),
    ("uppergamma(2, x) == (1+x)*exp(-x)", ["x in [0, oo)"]),
    ("lowergamma(3, x) <= 2", ["x in [0, oo)"]),
    # Series
    ("Sum(1/n - 1/(n+x), (n, 1, oo)) == digamma(x+1) + EulerGamma", ["x in (0, oo)"]),
    ("Sum(1/(n+1) - 1/(n+x), (n, 0, oo)) == digamma(x) + EulerGamma", ["x in (0, oo)"]),
    ("Sum(x/(n*(n+x)), (n, 1, oo)) == digamma(x+1) + EulerGamma", ["x in [0, oo)"]),
    ("Sum(1/((k+x)*(k+x+1)), (k, 0, oo)) == 1/x", ["x in (0, oo)"]),
    ("Sum(1/(k+x)**2, (k, 0, oo)) == trigamma(x)", ["x in (0, oo)"]),
    ("Sum(x**k, (k, 0, oo)) == 1/(1-x)", ["x in (-1, 1)"]),
    ("Sum(k*x**(k-1), (k, 1, oo)) == 1/(1-x)**2", ["x in (-1, 1)"]),
    ("Sum(x**k/factorial(k), (k, 0, oo)) == exp(x)", ["x in (-oo, oo)"]),
    ("Sum(k**2*x**k/factorial(k), (k, 1, oo)) == (x + x**2)*exp(x)", ["x in (-oo, oo)"]),
    ("Sum(1/k**s, (k, 1, oo)) == zeta(s)", ["s in (1, oo)"]),
    ("Sum(1/k**s, (k, 2, oo)) == zeta(s) - 1", ["s in (1, oo)"]),
    # Powers of the golden ratio
    ("fibonacci(-n) == (-1)**(n+1)*fibonacci(n)", ["n in -oo..oo"]),
    ("fibonacci(n+1)*fibonacci(n-1) - fibonacci(n)**2 == (-1)**n", ["n in -oo..oo"]),
    ("lucas(-n) == (-1)**n*lucas(n)", ["n in -oo..oo"]),
    ("fibonacci(n) <= 2**n", ["n in 0..oo"]),
    ("fibonacci(n) > 0", ["n in 10**60..oo"]),
    ("fibonacci(n) >= ((1+sqrt(5))/2)**(n-2)", ["n in 1..oo"]),
    ("fibonacci(m+n) >= fibonacci(m)*fibonacci(n)", ["m, n in 0..oo"]),
    ("floor(GoldenRatio**n/sqrt(5) + 1/2) == fibonacci(n)", ["n in 0..oo"]),
    (
        "floor(((1+sqrt(5))/2)**n) == fibonacci(n+1) + fibonacci(n-1) - (1+(-1)**n)/2",
        ["n in 1..oo"],
    ),
    # Powers of primes
    ("totient(2**n) == 2**(n-1)", ["n in 1..oo"]),
    ("totient(p**n) == p**n - p**(n-1)", ["p in primes(2..oo)", "n in 1..oo"]),
    ("totient(p) == p - 1", ["p in primes(2..oo)"]),
    ("divisor_count(2**n) == n + 1", ["n in 0..oo"]),
    ("divisor_sigma(2**n) == 2**(n+1) - 1", ["n in 0..oo"]),
    # Half rows and differences
    ("Sum(binomial(2*n+1,k), (k,0,n)) == 4**n", ["n in 0..oo"]),
    ("Sum(binomial(2*n,k), (k,n+1,2*n)) == (4**n - binomial(2*n,n))/2", ["n in 0..oo"]),
    ("Sum(binomial(2*n,k), (k,0,n-1)) == (4**n - binomial(2*n,n))/2", ["n in 0..oo"]),
    ("Sum((-1)**j*binomial(k,j)*j**m, (j,0,k)) == 0", ["k in 1..oo", "m in 0..k-1"]),
    # Powers with a name in the exponent
    ("(1-x*y)**n <= exp(-n*x*y)", ["x, y in [0, 1]", "n in 1..oo"]),
    ("(1-a)**n*(1-b)**n <= exp(-n*(a+b))", ["n in 1..oo", "a, b in [0, 1]"]),
    ("((kappa-1)/(kappa+1))**(2*t) <= exp(-4*t/kappa)", ["kappa in (1, oo)", "t in 1..oo"]),
    ("x*(1-x)**T <= 1/(E*T)", ["x in [0, 1]", "T in 1..oo"]),
    ("(1-x)**T <= 1/(1+T*x+T**2*x**2/2)", ["x in [0, 1]", "T in 1..oo"]),
]
FALSE = [
    ("gamma(x)*gamma(x+1/2) == 2**(1-2*x)*sqrt(3)*gamma(2*x)", ["x in (0, oo)"]),
    ("digamma(x+3) == digamma(x) + 1/x + 1/(x+1) + 1/(x+3)", ["x in (0, oo)"]),
    ("digamma(1-x) + digamma(x) == pi*cot(pi*x)", ["x in (0, 1)"]),
    ("digamma(2-x) - digamma(x) == pi*cot(pi*x)", ["x in (0, 1)"]),
    ("trigamma(1-x) - trigamma(x) == pi**2/sin(pi*x)**2", ["x in (0, 1)"]),
    ("trigamma(x+1) == trigamma(x) - 1/x", ["x in (0, oo)"]),
    ("loggamma(x+1) == loggamma(x) + log(x+1)", ["x in (0, oo)"]),
    ("digamma(2*x) == digamma(x)/2 + digamma(x+1/2)/2 + log(2)/2", ["x in (0, oo)"]),
    ("uppergamma(2, x) == (1+x/2)*exp(-x)", ["x in [0, oo)"]),
    ("lowergamma(3, x) < 1.999999", ["x in [0, oo)"]),
    ("Sum(1/n - 1/(n+x), (n, 1, oo)) == digamma(x) + EulerGamma", ["x in (0, oo)"]),
    ("Sum(1/n - 2/(n+x), (n, 1, oo)) == digamma(x+1) + EulerGamma", ["x in (0, oo)"]),
    ("Sum(1/((k+x)*(k+x+1)), (k, 0, oo)) == 1/x", ["x in [0, oo)"]),
    ("Sum(1/(x*k**2+k), (k, 1, oo)) == digamma(1/x+1) + EulerGamma", ["x in [0, oo)"]),
    ("Sum(x**k, (k, 0, oo)) == 1/(1-x)", ["x in (-1, 1]"]),
    ("Sum(x**(k-1), (k, 0, oo)) == 1/(x-x**2)", ["x in (-1, 1)"]),
    ("Sum(x**k/factorial(k), (k, 1, oo)) == exp(x)", ["x in (-oo, oo)"]),
    ("Sum(1/k**s, (k, 1, oo)) == zeta(s)", ["s in (0, oo)"]),
    ("Sum(1/(k+x)**s, (k, 0, oo)) == zeta(s, x+1)", ["s in (1, oo)", "x in (0, oo)"]),
    ("fibonacci(-n) == (-1)**n*fibonacci(n)", ["n in -oo..oo"]),
    ("fibonacci(n) <= 2**(n-2)", ["n in 1..oo"]),
    ("fibonacci(n) >= ((1+sqrt(5))/2)**(n-1)", ["n in 1..oo"]),
    ("fibonacci(m+n) > fibonacci(m)*fibonacci(n)", ["m, n in 0..oo"]),
    ("floor(GoldenRatio**n/sqrt(5)) == fibonacci(n)", ["n in 0..oo"]),
    ("floor(GoldenRatio**n) == lucas(n)", ["n in 1..oo"]),
    ("totient(2**n) == 2**(n-1)", ["n in 0..oo"]),
    ("totient(6**n) == 6**n - 6**(n-1)", ["n in 1..oo"]),
    ("divisor_count(2**n) == n", ["n in 0..oo"]),
    ("divisor_sigma(3**n) == 3**(n+1) - 1", ["n in 0..oo"]),
    ("Sum(binomial(2*n,k), (k,0,n)) == 4**n/2", ["n in 1..oo"]),
    ("Sum((-1)**j*binomial(k,j)*j**m, (j,0,k)) == 0", ["k in 1..oo", "m in 0..k"]),
    ("Sum((-1)**j*binomial(k,j)*j**m, (j,1,k)) == 0", ["k in 1..oo", "m in 0..k-1"]),
    ("(1-x*y)**n <= exp(-n*x*y)", ["x, y in [0, 3]", "n in 1..oo"]),
    ("(1-x)**n <= exp(-n*x)", ["x in [0, 1]", "n in -3..3"]),
    ("(1-x)**n < exp(-n*x)", ["x in (0, 1]", "n in 0..oo"]),
    ("-(1-x)**n <= -exp(-n*x)", ["x in [0, 1]", "n in 1..oo"]),
    ("(1-a)**n*(1-b)**n <= exp(-n*(a+b)*1.01)", ["n in 1..oo", "a, b in [0, 1]"]),
    ("((kappa-1)/(kappa+1))**(2*t) <= exp(-4*t/(kappa-0.01))", ["kappa in (1, oo)", "t in 1..oo"]),
    ("x**t < y**t", ["x in (-oo, 0)", "y in (x, 0)", "t in 1..oo"]),
    ("x*(1-x)**T <= 1/(E*(T+1/2))", ["x in [0, 1]", "T in 1..oo"]),
]


@pytest.mark.parametrize(("statement", "domains"), one_in(2, TRUE))
def test_proved(statement: str, domains: list[str]) -> None:
    assert check_text(statement, domains, budget=60, explained=False).proved


@pytest.mark.parametrize(("statement", "domains"), one_in(2, FALSE))
def test_near_lies_fall(statement: str, domains: list[str]) -> None:
    assert check_text(statement, domains, budget=60, explained=False).verdict == "refuted"


def test_zeta_series_typed_as_a_quotient_have_values() -> None:
    goal = read_problem("Sum(1/k**s, (k, 1, oo)) > 1", ["s in (1, oo)"]).goal
    total = evaluate(goal.lhs, {"s": 2}).ball
    assert total is not None and 1.644934 < total < 1.644935


def test_long_integers_of_small_primes_are_factored() -> None:
    found = read_problem("totient(2**n*3) == 2**n", ["n in 1..5000"])
    judge = Judge(found.domains, found.goal)
    assert judge.at({"n": 5000}).status == "holds"


def test_poles_far_apart_are_summed_in_time() -> None:
    """20,000 reciprocals as one exact fraction, and more than that by balls."""
    found = read_problem("Sum(1/(k+x)-1/(k+y), (k, 1, oo)) > 9", ["x, y in (0, oo)"])
    judge = Judge(found.domains, found.goal)
    assert judge.at({"x": 0, "y": 19_000}).status == "holds"
    assert judge.at({"x": 0, "y": 10**9}).status == "holds"


def test_a_longer_look_stops_before_a_step_that_is_too_long(monkeypatch) -> None:
    """Twice the digits of digamma take five times as long, in one step that hears no signal."""
    found = read_problem("digamma(x) == digamma(x+1) - 1/x", ["x in (0, oo)"])
    judge = Judge(found.domains, found.goal, prove_zero=lambda e: False)
    asked, time = [], [0.0]
    pair = judge._pair(found.goal.lhs, found.goal.rhs)

    class Slow:
        def compare(self, values, *, prec, max_prec):
            asked.append(max_prec)
            if max_prec > judge.max_bits:
                time[0] += 0.1
            return pair.compare(values, prec=64, max_prec=64)

    monkeypatch.setattr(judge, "_pair", lambda lhs, rhs: Slow())
    monkeypatch.setattr("theorycheck.check.judge.now", lambda: time[0])
    assert judge.at({"x": 10_001}).status == "undecided"
    assert asked == [judge.max_bits, 2 * judge.max_bits]
