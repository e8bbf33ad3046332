"""Matrices whose sizes are names: their traces, proved for all sizes, refuted at small ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from theorycheck.check.families.angles import in_norms
from theorycheck.check.formula import Comparison
from theorycheck.check.precheck import precheck
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.reading.words import Traces, transposed, turned
from theorycheck.check.refusal import InputError
from theorycheck.check.run import check, check_text
from theorycheck.check.verdict import REFUTED

OBLONG = ["n, m in N", "A in R^(n x m)", "B in R^(m x n)"]
LINEAR = ["n, m in N", "x in R^m", "y in R^n", "A in R^(n x m)"]
SQUARE = ["n in N", "c in R", "A, B in R^(n x n)"]
THREE = ["d in N", "u in R", "A, G, U in R^(d x d)"]

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
    # written out at size 2 it has more letters than are read
    ("u^2*trace(G*A*U*A*U^T) == trace(G*A*(u*U)*A*(u*U)^T)", THREE, []),
    ("norm(A + B^T) <= norm(A) + norm(B)", OBLONG, []),
    ("norm(A - B^T) >= norm(A) - norm(B)", OBLONG, []),
    ("norm(A*B) <= norm(A)*norm(B)", OBLONG, []),
    ("norm(A*x) <= norm(A)*norm(x)", LINEAR, []),
    ("norm(A*x + y) <= norm(A)*norm(x) + norm(y)", LINEAR, []),
    ("dot(y, A*x) <= norm(A)*norm(x)*norm(y)", LINEAR, []),
    ("quad(A, x) == dot(x, A*x)", [*SQUARE, "x in R^n"], []),
    ("norm(x - x) == 0", LINEAR, []),
    ("norm(A*x)**2 <= 2*norm(x)**2", LINEAR, ["norm(A)**2 <= 2"]),
    ("trace(A) <= sqrt(n)*norm(A)", SQUARE, []),
    # squares of norms are sums of traces: no root of theirs has to be known to be one
    ("norm(A*x + y)^2 - norm(A*x - y)^2 == 4*dot(y, A*x)", LINEAR, []),
    ("c*norm(A)^2 + (1-c)*norm(B)^2 - norm(c*A + (1-c)*B)^2 == c*(1-c)*norm(A - B)^2", SQUARE, []),
    ("dot(x, A^T*y)**2 <= norm(A*x)^2", LINEAR, ["norm(y)^2 == 1"]),
]
FALSE = [
    ("norm(A*x + y)^2 - norm(A*x - y)^2 == 2*dot(y, A*x)", LINEAR, []),
    ("c*norm(A)^2 + (1-c)*norm(B)^2 - norm(c*A + (1-c)*B)^2 == c*norm(A - B)^2", SQUARE, []),
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
    ("norm(A + B^T) >= norm(A) + norm(B)", OBLONG, []),
    ("norm(A + B^T)**2 <= norm(A)**2 + norm(B)**2", OBLONG, []),
    ("norm(A + B^T) <= 99/100*(norm(A) + norm(B))", OBLONG, []),
    ("norm(A*B) >= norm(A)*norm(B)", OBLONG, []),
    ("norm(A*B) < norm(A)*norm(B)", OBLONG, []),
    ("norm(A*x) <= 9/10*norm(A)*norm(x)", LINEAR, []),
    ("norm(A)*norm(x) <= norm(A*x)", LINEAR, []),
    ("dot(y, A*x) >= 0", LINEAR, []),
    ("norm(A*x)**2 <= norm(x)**2", LINEAR, ["norm(A)**2 <= 2"]),
    ("quad(A, x) >= 0", [*SQUARE, "x in R^n"], []),
    ("trace(A) <= norm(A)", SQUARE, []),
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
        ("det(A) == 0", SQUARE, "read are dot, norm, quad, trace"),
        (
            "trace(A*x) == 0",
            [*SQUARE, "x in R^n"],
            "trace takes a square matrix, this one is n x 1",
        ),
        ("trace(A) == x[1]", [*SQUARE, "x in R^n"], "does not belong here"),
        ("trace(A) == x[1]", [*SQUARE, "x in [0, 1]^n"], "are not read together"),
        ("norm(A*x) == 0", [*SQUARE, "x in [0, 1]^n"], "beside numbers and one another alone"),
        ("norm(A*x) == 0", ["n, m in N", "A in R^(n x m)", "x in R^n"], "do not fit"),
        ("norm(x, 1) == 0", [*SQUARE, "x in R^n"], "norm(...) is not read of matrices n x m"),
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


@pytest.mark.parametrize(("statement", "domains", "where"), [*TRUE[::5], *FALSE[::5]])
def test_the_command_reads_them(statement: str, domains: list[str], where: list[str]) -> None:
    """Before anything is built, the names of the traces are known."""
    precheck(statement, domains, where, [])
    precheck("norm(x, oo) <= norm(x)", ["d in N", "x in R^d"], ["norm(x, oo) <= 1"], [])


@pytest.mark.parametrize(("statement", "domains", "where"), [t for t in FALSE if "norm" in t[0]])
def test_norms_and_cosines_alone_prove_no_lie(
    statement: str, domains: list[str], where: list[str]
) -> None:
    asked = in_norms(read_problem(statement, domains, where))
    assert asked is not None
    found = check(asked, budget=3, explained=False, patience=50)
    assert not (found.verdict == "holds" and found.proved)


def test_norms_and_cosines_can_be_those_of_matrices() -> None:
    """At random matrices each name gets its value in its range, and every hypothesis is true of these."""
    text = "norm(A + B + C) + norm(A*D) + norm(A*x) >= dot(y, A*x) + trace(A*D*B^T) + trace(D)"
    sizes = ["n, m in N", "A, B, C in R^(n x m)", "D in R^(m x m)", "x in R^m", "y in R^n"]
    problem = read_problem(text, sizes)
    asked = in_norms(problem)
    assert asked is not None
    assert len(asked.hypotheses) > 0
    rng = np.random.default_rng(5)
    for n, m in ((1, 1), (2, 3), (3, 2)):
        shapes = {"A": (n, m), "B": (n, m), "C": (n, m), "D": (m, m), "x": (m, 1), "y": (n, 1)}
        matrices = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
        known = values_of_names(problem, matrices, {"n": n, "m": m})
        for v in asked.domains.variables:
            assert float(v.low) - 1e-9 <= known[v.name] <= float(v.high) + 1e-9
        for h in asked.hypotheses:
            left, right = (float(put(e, known)) for e in (h.lhs, h.rhs))
            assert left <= right + 1e-9 if h.op == "<=" else left >= right - 1e-9


def put(e: sp.Expr, known: dict[str, float]) -> sp.Expr:
    return e.xreplace({s: sp.Float(known[s.name]) for s in e.free_symbols if s.name in known})


def values_of_names(
    problem: Problem, matrices: dict[str, np.ndarray], sizes: dict[str, int]
) -> dict[str, float]:
    """What the norms and cosines are, one after the other, from what they stand for."""
    known: dict[str, float] = dict(sizes)
    waiting = []
    for word, name in problem.domains.traces.found.items():
        factors = [matrices[f].T if t else matrices[f] for f, t in word]
        trace = np.trace(factors[0] if len(factors) == 1 else np.linalg.multi_dot(factors))
        goal = Comparison("<=", problem.domains.symbols[name], sp.Integer(0))
        asked = in_norms(replace(problem, goal=goal))
        waiting.append((asked.goal.lhs, float(trace)))
    while waiting:
        here = next(w for w in waiting if len(put(w[0], known).free_symbols) <= 1)
        waiting.remove(here)
        value, trace = put(here[0], known), here[1]
        for symbol in value.free_symbols:
            plain = sp.Dummy()
            roots = sp.solve(value.subs(symbol, plain) - trace, plain)
            known[symbol.name] = max(float(sp.re(r)) for r in roots)
    return known


def test_words_with_the_same_trace_have_one_name() -> None:
    a, b = ("A", False), ("B", True)
    assert turned((a, b)) == turned((b, a)) == turned(transposed((a, b)))
    assert turned((a, a, b)) != turned((a, b, b))
    traces = Traces()
    assert traces.name((a, b)) == traces.name((b, a)) != traces.name((a, a))
