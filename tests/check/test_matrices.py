"""Matrices whose sizes are names: their traces, proved for all sizes, refuted at small ones."""

from __future__ import annotations

import numpy as np
import pytest

from theorycheck.check.problem import read_problem
from theorycheck.check.reading.words import Traces, transposed, turned
from theorycheck.check.refusal import InputError
from theorycheck.check.run import check, check_text
from theorycheck.check.verdict import REFUTED

OBLONG = ["n, m in N", "A in R^(n x m)", "B in R^(m x n)"]
SQUARE = ["n in N", "c in R", "A, B in R^(n x n)"]

TRUE = [
    ("trace(A*B) == trace(B*A)", OBLONG, []),
    ("trace(A*A^T) == trace(A^T*A)", OBLONG, []),
    ("(A*B)^T == B^T*A^T", OBLONG, []),
    ("trace(A*B)**2 <= trace(A*A^T)*trace(B*B^T)", OBLONG, []),
    ("trace((A - B^T)*(A^T - B)) == norm(A)**2 - 2*trace(A*B) + norm(B)**2", OBLONG, []),
    ("trace(A + B) == trace(A) + trace(B)", SQUARE, []),
    ("trace(c*A) == c*trace(A)", SQUARE, []),
    ("trace(A.T) == trace(A)", SQUARE, []),
    ("trace((A + B)^2) == trace(A^2) + 2*trace(A*B) + trace(B^2)", SQUARE, []),
    ("trace(A)**2 <= n*trace(A*A^T)", SQUARE, []),
    ("trace(A*B - B*A) == 0", SQUARE, []),
    ("trace(A^2) >= 0", SQUARE, ["A == A^T"]),
]
FALSE = [
    ("trace(A*B) == trace(A)*trace(B)", SQUARE, []),
    ("trace(A*B) == trace(A*B^T)", SQUARE, []),
    ("trace(A*B*A*B) == trace(A*A*B*B)", SQUARE, []),
    ("trace(A^2) >= 0", SQUARE, []),
    ("trace(A)**2 <= trace(A*A^T)", SQUARE, []),
    ("trace(c*A) == c**2*trace(A)", SQUARE, []),
    ("trace(c*A/c) == trace(A)", SQUARE, []),
    ("A*B == B*A", SQUARE, []),
    ("(A*B)^T == A^T*B^T", SQUARE, []),
    ("trace(A)**2 <= (n - 1/2)*trace(A*A^T)", SQUARE, []),
    ("trace(A*B)**2 <= 9/10*trace(A*A^T)*trace(B*B^T)", OBLONG, []),
    ("norm(A) > 0", OBLONG, []),
    ("trace(A*B) <= 1", OBLONG, ["norm(A) <= 1"]),
]


@pytest.mark.parametrize(("statement", "domains", "where"), TRUE)
def test_true_of_all_sizes(statement: str, domains: list[str], where: list[str]) -> None:
    found = check(read_problem(statement, domains, where), explained=False, patience=50)
    assert (found.verdict, found.rung) == ("holds", "proved")


@pytest.mark.parametrize(("statement", "domains", "where"), FALSE)
def test_near_lies_fall(statement: str, domains: list[str], where: list[str]) -> None:
    found = check(read_problem(statement, domains, where), explained=False, patience=50)
    assert found.verdict == REFUTED


@pytest.mark.parametrize(
    ("statement", "domains", "word"),
    [
        ("trace(A) == 0", OBLONG, "trace takes a square matrix, this one is n x m"),
        ("trace(A + B) == 0", OBLONG, "the sizes n x m and m x n differ"),
        ("trace(A*A) == 0", OBLONG, "the sizes n x m and n x m do not fit"),
        ("det(A) == 0", SQUARE, "read are dot, norm, trace"),
        ("trace(A*x) == 0", [*SQUARE, "x in R^n"], "beside numbers and one another alone"),
        ("trace(A) == x[1]", [*SQUARE, "x in R^n"], "are not read together"),
        ("trace(A^T) == 0", [*SQUARE, "T in N"], "T is declared"),
        ("trace(A) == 0", ["n in N0", "A in R^(n x n)"], "from 1 on"),
        ("trace(A) == 0", ["A in R^(n x n)"], "from 1 on"),
        ("A == 0", SQUARE, "compared with == only"),
    ],
)
def test_refused_with_one_line(statement: str, domains: list[str], word: str) -> None:
    with pytest.raises(InputError) as refused:
        read_problem(statement, domains)
    assert word in str(refused.value)
    assert "\n" not in str(refused.value)


def test_domains_of_the_sizes_hold_at_small_ones_too() -> None:
    """At n = 1 the traces differ, but n is even."""
    found = check_text(
        "n >= 2", ["n in 1..oo", "n even", "A in R^(n x n)"], ["trace(A) == 0"], budget=10
    )
    assert found.verdict != REFUTED


def test_what_is_known_of_traces_is_true_of_matrices() -> None:
    text = "trace(A*B) + trace(A*A^T) + trace(B*B^T) + trace(A*B*B^T*A^T) + trace(B*A*A^T*B^T) >= 0"
    problem = read_problem(text, OBLONG)
    traces = problem.domains.traces
    rng = np.random.default_rng(3)
    for n, m in ((1, 3), (3, 1), (2, 2), (4, 2)):
        a = {"A": rng.standard_normal((n, m)), "B": rng.standard_normal((m, n))}
        values = {"n": float(n), "m": float(m)}
        for word, name in traces.found.items():
            factors = [a[f].T if t else a[f] for f, t in word]
            product = factors[0] if len(factors) == 1 else np.linalg.multi_dot(factors)
            values[name] = float(np.trace(product))
            assert problem.domains[name].low.is_infinite or values[name] >= 0
        assert len(problem.hypotheses) > 1
        for h in problem.hypotheses:
            sides = [
                float(e.subs({s: values[s.name] for s in e.free_symbols})) for e in (h.lhs, h.rhs)
            ]
            assert sides[0] <= sides[1] + 1e-9


def test_words_with_the_same_trace_have_one_name() -> None:
    a, b = ("A", False), ("B", True)
    assert turned((a, b)) == turned((b, a)) == turned(transposed((a, b)))
    assert turned((a, a, b)) != turned((a, b, b))
    traces = Traces()
    assert traces.name((a, b)) == traces.name((b, a)) != traces.name((a, a))
