"""The provers without the search before them: a prover that is wrong is not saved by a counterexample.

``benchmarks/check_alone.py`` asks them for proofs of every false statement of the battery, of the blind files and
of the clauses; here are near-lies of single methods, several of which were proved once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction

import pytest
from test_pieces_and_primes import FALSE
from test_special_functions import FALSE as SPECIAL
from thinned import one_in

from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.problem import read_problem
from theorycheck.check.prove import Prover

# At places that are far apart F(sinh(x), sinh(y)) jumps by 2 pi, where sinh(x) sinh(y) = -1.
JUMPS = "atan(sinh(x)) - atan(sinh(y)) - atan((sinh(x) - sinh(y))/(1 + sinh(x)*sinh(y)))"
ANGLE = "atan((n-1/2)*(n-7/2)) + atan(1/((n-1/2)*(n-7/2)))"
LIES = [
    ("sin(-x) > 0", ["x in (0, 1)"], []),
    ("cos(pi/2 + x) > 0", ["x in (0, 1)"], []),
    ("factorial(n)**m < (n**n)**m", ["n in 2..oo", "m in 0..oo"], []),
    ("m*harmonic(n) < m*(log(n) + 1)", ["n in 2..oo", "m in 0..oo"], []),
    ("harmonic(n) < log(n) + EulerGamma**2 + 1/5 + 1/(2*n)", ["n in 2..oo"], []),
    (
        f"sinh(x) - sinh(y) > 2*({JUMPS})",
        ["x in (0, oo)", "y in (-oo, 0)"],
        ["sinh(x)*sinh(y) != -1"],
    ),
    ("Max(tanh(x), 0) > Max(tanh(y), 0)", ["y in (-oo, oo)", "x in (y, oo)"], []),
    ("Sum(floor(log(k, 2)), (k, 1, n)) <= n*floor(log(n, 2)) - 1", ["n in 1..oo"], []),
    ("binomial(n, k) == (n-k+1)/k*binomial(n, k-1) + 0**k", ["n in 0..oo", "k in 0..n"], []),
    ("Sum(binomial(i, k), (i, k, n)) == binomial(n+1, k+1)", ["n in 0..oo", "k in 0..n+2"], []),
    # A pole between integers, or beside a hypothesis that no cut is made for
    ("tan(n) < n", ["n in 2..10**6"], []),
    ("tan(x) >= x", ["x in [0, 10**6]"], ["cos(x) != 0"]),
    ("tan(x) >= x", ["x in [0, 10**6]", "y in [-1, 1]"], ["y == cos(x)", "y != 0"]),
    (f"{ANGLE} == pi/2", ["n in -2..40"], []),
    ("1/gamma(x) == sin(pi*x)*gamma(1-x)*100/314", ["x in (0, 1)"], []),
]


def proof_of(statement: str, domains: list[str], where: list[str], seconds: float) -> list[str]:
    """The lines of a proof by the provers alone; none where there is no proof."""
    problem = read_problem(statement, domains, where)
    prover = Prover(problem, trusting=True)
    prover.judge = Judge(problem.domains, problem.goal, problem.hypotheses, prover.constant_zero)
    return [line for p in prover.prove(Clock(seconds)).proofs for line in p.lines()]


@pytest.mark.parametrize(
    ("statement", "domains", "where"),
    one_in(4, [*LIES, *FALSE, *((*lie, []) for lie in SPECIAL)]),
)
def test_nothing_false_is_proved(statement: str, domains: list[str], where: list[str]) -> None:
    assert not proof_of(statement, domains, where, 4)


def test_what_is_true_is_proved_alone_too() -> None:
    assert proof_of("cos(x) > 0", ["x in (0, 1)"], [], 20)
    assert proof_of("tanh(x) > tanh(y)", ["y in (-oo, oo)", "x in (y, oo)"], [], 20)
    assert proof_of("factorial(n)**m <= (n**n)**m", ["n in 2..oo", "m in 0..oo"], [], 20)


def added_up(line: str) -> tuple[dict[str, Fraction], bool, str]:
    """The combination of a told case, by name, whether a "> 0" has a part in it, and what is said of it.

    A reader of its own: no line of the prover or of SymPy has a part in it."""
    told, said = line.rpartition(": ")[2].split(" is ")
    total: defaultdict[str, Fraction] = defaultdict(Fraction)
    for part in re.finditer(r"([\d/]+)\*\(([^()]*)\)", told):
        assert Fraction(part[1]) > 0
        for term in part[2].split(" + "):
            factor, _, name = term.partition("*")
            total[name] += Fraction(part[1]) * Fraction(factor)
    return total, said.endswith("> 0"), said


@pytest.mark.parametrize(
    ("statement", "domains", "where"),
    [
        ("floor(2*x) + floor(2*y) >= floor(x) + floor(y) + floor(x+y)", ["x, y in [0, oo)"], []),
        ("Min(a,b) + Min(a,c) == Min(a,b+c)", ["a, b, c in 0..oo"], ["Min(b,c) == 0"]),
        ("ceiling(x/2) - floor(x/2) <= 1", ["x in (-oo, oo)"], []),
        ("Abs(x) + Abs(y) >= Abs(x + y)", ["x, y in (-oo, oo)"], []),
    ],
)
def test_told_multipliers_add_up_to_a_contradiction(
    statement: str, domains: list[str], where: list[str]
) -> None:
    lines = [line for line in proof_of(statement, domains, where, 30) if " is " in line]
    assert lines
    for line in lines:
        total, strict, said = added_up(line)
        constant = total.pop("")
        assert not any(total.values())
        assert said == f"{constant} {'>' if strict else '>='} 0"
        assert constant < 0 or (constant == 0 and strict)


@pytest.mark.parametrize(
    ("statement", "true"),
    [
        ("fibonacci(n) == (GoldenRatio**n - (1-GoldenRatio)**n)/sqrt(5)", True),
        ("lucas(n) == GoldenRatio**n + (1-GoldenRatio)**n", True),
        ("fibonacci(n) == (GoldenRatio**n - (GoldenRatio-1)**n)/sqrt(5)", False),
        ("lucas(n) == GoldenRatio**n + (-1)**n*GoldenRatio**n", False),
        ("fibonacci(n) >= 0", False),
        ("lucas(n) == fibonacci(n - 1) + fibonacci(n + 1) + (Abs(n) - n)/100", False),
    ],
)
def test_powers_of_the_golden_ratio_over_all_integers(statement: str, true: bool) -> None:
    assert bool(proof_of(statement, ["n in -oo..oo"], [], 4)) == true
