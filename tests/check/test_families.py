"""Families f[j], j = 1..n, and vectors of any length: read, refuted at short lengths, proved for all."""

from __future__ import annotations

from pathlib import Path

import pytest
from thinned import one_in

from theorycheck.check.families import induction, proving
from theorycheck.check.families.members import instance, lengths
from theorycheck.check.families.naming import NotNamed, named
from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.prove import Prover
from theorycheck.check.refusal import InputError
from theorycheck.check.run import check, check_text
from theorycheck.check.verdict import REFUTED

FAMILIES = Path(__file__).with_name("families.txt")
FEW = ["Sum(f[j],(j,1,C)) == 1"], ["C in 1..oo", "f[j] > 0 for j in 1..C"]


def rows(truth: str) -> list[tuple[str, list[str], list[str]]]:
    """The statements of `families.txt` of one truth: statement, domains, hypotheses."""
    found = []
    for line in FAMILIES.read_text().splitlines():
        if line.startswith("#"):
            continue
        _, kind, statement, domains, where = (p.strip() for p in line.split(" ;"))
        if kind == truth:
            parts = [
                [t.strip() for t in text.split(" | ") if t.strip()] for text in (domains, where)
            ]
            found.append((statement, *parts))
    return found


def names_alone(problem: Problem, seconds: float) -> tuple[str, ...]:
    """The provers of names without any search before them."""
    prover = Prover(problem, trusting=True)
    prover.judge = Judge(problem.domains, problem.goal, problem.hypotheses, prover.constant_zero)
    return tuple(line for p in prover.prove(Clock(seconds)).proofs for line in p.lines())


@pytest.mark.parametrize(("statement", "domains", "where"), one_in(4, rows("F")))
def test_near_lies_fall(statement: str, domains: list[str], where: list[str]) -> None:
    found = check(read_problem(statement, domains, where), explained=False, patience=50)
    assert found.verdict == REFUTED
    assert set(found.counterexample or ()) == {
        *(v.name for v in read_problem(statement, domains, where).domains.variables),
        *(f.name for f in read_problem(statement, domains, where).domains.families),
    }


# All of them are asked by ``benchmarks/check_alone.py``.
@pytest.mark.parametrize(("statement", "domains", "where"), one_in(4, rows("F")[::4]))
def test_near_lies_are_not_proved_without_the_search(
    statement: str, domains: list[str], where: list[str]
) -> None:
    problem = read_problem(statement, domains, where)
    assert not proving.prove(problem, Clock(6), names_alone)


@pytest.mark.parametrize(("statement", "domains", "where"), one_in(4, rows("T")[::6]))
def test_true_ones_are_proved(statement: str, domains: list[str], where: list[str]) -> None:
    problem = read_problem(statement, domains, where)
    # Methods have shares of the seconds: between 24 and 40 of them what is left for the last decides; from 50 on
    # there is enough.
    found = proving.prove(problem, Clock(120), names_alone)
    assert found
    assert len(found.lines) > 1


def test_the_sign_of_a_sum_is_that_of_every_term() -> None:
    """The next term, n*x[n+1], is positive; the first one is 0, and so is the sum of one."""
    domains = ["n in N", "x[i] > 0 for i in 1..n"]
    problem = read_problem("Sum((i-1)*x[i],(i,1,n)) <= 0", domains)
    asked = []

    def everything(part: Problem, seconds: float) -> tuple[str, ...]:
        asked.append(part)
        return ("by decree",)

    assert induction.prove(problem, Clock(5), everything)
    step = asked[-1]
    assert "S_1 in [0, oo)" in step.domains.text()


def test_a_verdict_on_families_is_a_proof_for_all_lengths() -> None:
    where, domains = FEW
    found = check_text("Sum(f[j]*log(f[j]),(j,1,C)) >= -log(C)", domains, where, budget=40)
    assert (found.verdict, found.rung) == ("holds", "proved")
    assert any(line.startswith("of each member: f*log(f) >= ") for line in found.why)


def test_counterexamples_are_families() -> None:
    found = check_text("Sum(x[i],(i,1,d))**2 <= 10*Sum(x[i]**2,(i,1,d))", ["d in N", "x in R^d"])
    assert found.counterexample == {"d": "11", "x": "all 1"}
    assert (found.lhs, found.rhs) == ("121", "110")
    found = check_text("Sum(x[i]**2,(i,1,d)) >= x[2]**2 + 1", ["d in 2..oo", "x in R^d"])
    assert found.counterexample == {"d": "2", "x": "(0, 0)"}


def test_sums_without_terms_ask_for_no_values() -> None:
    true = "Sum(1/x[i],(i,1,n)) + 1/(1+Abs(Sum(x[i],(i,1,n)))) <= 1"
    found = check_text(true, ["n in 0..1", "x[i] in [-1, -1/2] for i in 1..n"], budget=10)
    assert found.verdict == "holds"


def test_a_term_without_a_value_refutes() -> None:
    found = check_text("Sum(x[i]/x[i],(i,1,n)) == n", ["n in N", "x in R^n"])
    assert (found.verdict, found.kind) == (REFUTED, "undefined")


def test_a_proof_about_no_family_is_none() -> None:
    found = check_text(
        "Sum(x[i],(i,1,n)) >= 7",
        ["n in N", "x[i] in [0, 1] for i in 1..n"],
        ["Sum(x[i],(i,1,n)) < 0"],
        budget=8,
    )
    assert found.verdict == "inconclusive"
    assert found.reason.startswith("vacuous")


def test_sums_of_other_ranges_are_not_named() -> None:
    for statement in (
        "Sum(x[i],(i,2,n)) == 0",
        "x[1] >= 0",
        "Sum(x[i]*x[i+1],(i,1,n)) == 0",
        "Sum(x[i],(i,1,n-1)) >= 0",
    ):
        with pytest.raises(NotNamed):
            named(read_problem(statement, ["n in 2..oo", "x in R^n"]))
    assert check_text("Sum(x[i],(i,1,oo)) > 0", ["x[i] > 0 for i in 1..oo"]).reason == (
        "the members from 1 to oo cannot be counted"
    )
    with pytest.raises(NotNamed):  # the sum of 1 over -3..n is not n + 4 for n < -4
        named(
            read_problem("Sum(1 + x[i],(i,-3,n)) >= 0", ["n in -9..9", "x[i] > 0 for i in -3..n"])
        )


def test_a_member_of_a_declared_index_is_at_most_the_sum() -> None:
    domains = ["n in N", "i in 1..n", "x[j] >= 0 for j in 1..n"]
    sums = named(read_problem("x[i] <= sum(x)", domains))
    assert "Comparison(op='<=', lhs=x_i, rhs=S_1)" in [str(h) for h in sums.given]
    signed = named(read_problem("x[i] <= sum(x)", ["n in N", "i in 1..n", "x in R^n"]))
    assert not signed.given
    with pytest.raises(NotNamed):  # not all of the members
        named(read_problem("x[i] <= sum(x)", ["n in N", "i in 0..n", "x in R^n"]))


def test_written_out_at_a_length() -> None:
    problem = read_problem("norm(x) >= Abs(x[d])", ["d in N", "x in R^d"])
    assert [v.name for v in lengths(problem)] == ["d"]
    here = instance(problem, {"d": 3})
    assert here is not None
    assert here.members == {"x": ("x_1", "x_2", "x_3")}
    assert str(here.problem.goal.rhs) == "Abs(x_3)"  # type: ignore[union-attr]  # a comparison


@pytest.mark.parametrize(
    ("statement", "domains", "where", "word"),
    [
        ("f > 1", FEW[1], [], "vectors are compared"),
        ("f > 1", ["f[j] > 0 for j in 0..9"], [], "f is a family; write a member of it, as in f[1]"),
        ("f[1/2] > 1", FEW[1], [], "an index is an integer"),
        ("g[1] > 1", FEW[1], [], "indexing [] is not allowed"),
        ("f[1:2] > 1", FEW[1], [], "not allowed"),
        ("f[1, 2] > 1", FEW[1], [], "a comma outside of a call"),
        ("f[1] > 1", ["f[j] > 0 for j in 1..C"], [], "C has no domain"),
        ("f[1] > 1", ["C in N", "f > 0 for j in 1..C"], [], "write f[j] > 0 for j in 1..n"),
        ("f[1] > 1", ["C in N", "f[j] > 0 for j in [1, 9]"], [], "write the range of the index"),
        ("f[1] > 1", ["C in N", "f[j] != 0 for j in 1..C"], [], "what is no range"),
        ("f[1] > 1", ["C in (0, 2)", "f[j] > 0 for j in 1..C"], [], "which are no integers"),
        ("C[1] > 1", ["C in N", "C[j] > 0 for j in 1..C"], [], "C"),
        ("E[1] > 1", ["C in N", "E[j] > 0 for j in 1..C"], [], "take another name"),
        ("x*y > 1", ["d in N", "x, y in R^d"], [], "vectors are compared"),
        ("dot(x, y) > 1", ["d, e in N", "x in R^d", "y in R^e"], [], "different lengths"),
        ("norm(x, 3) > 1", ["d in N", "x in R^d"], [], "read for 1, 2 and oo"),
        ("norm(x, oo) >= 0", ["d in N0", "x in R^d"], [], "there may be no entry"),
        ("norm(1/x, oo) >= 0", ["d in N", "x in R^d"], [], "not read between"),
        ("norm(x + y/c, oo) >= 0", ["d in N", "c in R", "x, y in R^d"], [], "has a value is not"),
        ("Sum(norm(x + i*y, oo), (i, 1, d)) >= 0", ["d in N", "x, y in R^d"], [], "i has no domain"),
        ("norm(A, oo) >= 0", ["d in N", "A in Sym(d)"], [], "norm(A) is Frobenius'"),
        ("norm(x, oo) >= largest", ["d in N", "largest in R", "x in R^d"], [], "is in use"),
        ("\\sum_{i<j} x_i x_j >= 0", ["d in N", "x in R^d"], [], "\\sum_{1 <= i < j <= n}"),
        ("Sum(x[i]*x[j], i < j) >= 0", ["d in N", "x in R^d"], [], "Sum(term, (j, i+1, n), (i, 1, n))"),
        ("det(x) > 1", ["d in N", "x in R^d"], [], "det(...) is not read"),
        ("sum(A) > 1", ["d in N", "A in Sym(d)"], [], "read are det, norm, trace"),
        ("norm(A, 1) > 1", ["d in N", "A in Sym(d)"], [], "norm(A) is Frobenius'"),
        ("trace(A*B) > 1", ["d in N", "A, B in Sym(d)"], [], "of one matrix"),
        ("trace(A + B) > 1", ["d in N", "A, B in Sym(d)"], [], "of one matrix"),
        ("norm(A*x) > 1", ["d in N", "A in Sym(d)", "x in R^d"], [], "of one matrix"),
    ],
)  # fmt: skip
def test_refused_with_one_line(
    statement: str, domains: list[str], where: list[str], word: str
) -> None:
    with pytest.raises(InputError) as refused:
        read_problem(statement, domains, where)
    assert word in str(refused.value)
    assert "\n" not in str(refused.value)


def test_members_that_there_are_not_are_told() -> None:
    found = check_text("Sum(x[i-1],(i,1,d)) >= 0", ["d in N", "x in R^d"])
    assert (found.verdict, found.reason) == ("inconclusive", "x[0] is no member for all lengths")
    found = check_text("Sum(x[i],(i,1,r)) >= 0", ["d in N", "r in [1, 2]", "x in R^d"])
    assert found.verdict == "inconclusive"
    assert found.reason.startswith("r is no integer")


def test_what_has_no_continuation_refutes_nothing() -> None:
    """No such sequence goes on for ever, though its first members are easily found."""
    found = check_text(
        "y[t] <= 5",
        ["t in 0..oo", "y[i] in [0, oo) for i in 0..oo"],
        ["y[i+1] == y[i] - 1 for i in 0..oo"],
        budget=8,
    )
    assert found.verdict == "inconclusive"
    found = check_text(
        "y[t] <= 5",
        ["t in 0..oo", "y[i] in [0, oo) for i in 0..oo"],
        ["y[i+1] == y[i] + 1 for i in 0..oo"],
        budget=8,
    )
    assert (found.verdict, found.counterexample) == (REFUTED, {"t": "0", "y": "(6)"})


def test_hypotheses_beyond_the_family_are_told() -> None:
    found = check_text(
        "y[n] >= 0",
        ["n in N", "y[i] >= 0 for i in 0..n"],
        ["y[i+1] <= y[i] for i in 0..n"],
        budget=8,
    )
    assert found.verdict == "inconclusive"
    assert found.reason.endswith("is no member for all lengths")


def test_members_declared_one_by_one_are_a_vector() -> None:
    found = read_problem("norm(x) <= dot(x, x)", ["d in N", "x[i] >= 1 for i in 1..d"])
    sums = "sqrt(Sum(x[_i]**2, (_i, 1, d))) <= Sum(x[_i]*x[_i], (_i, 1, d))"
    assert f"read as {sums}" in found.notes


def test_few_lengths_are_proved_one_by_one() -> None:
    found = check_text("x[1]**2 + x[d]**2 >= 0", ["d in {1, 2, 5}", "x in R^d"], budget=40)
    assert (found.verdict, found.rung) == ("holds", "proved")
    found = check_text("x[1]**2 + x[d]**2 >= 0", ["d in 1..oo", "x in R^d"], budget=8)
    assert (found.verdict, found.rung) == ("holds", "searched")


def test_families_stand_with_no_laws_and_no_growth() -> None:
    with pytest.raises(InputError, match="are not read beside them"):
        read_problem("E[g]*x[1] == 0", ["d in N", "x in R^d"], laws=["g ~ N(0, 1)"])


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("\\sum_{i=1}^d x_i^2 >= 0", "Sum(x[i]**2, (i, 1, d)) >= 0"),
        ("x_1 + x_d >= 0", "x[1] + x[d] >= 0"),
        ("||x + 2y||^2 >= 0", "sqrt(Sum((x[_i] + 2*y[_i])**2, (_i, 1, d)))**2 >= 0"),
        ("\\|x\\|_\\infty >= 0", "Abs(x[largest]) >= 0"),
        ("norm(2*x, oo) >= 0", "Abs(2)*Abs(x[largest]) >= 0"),
        ("\\sum_{1 <= i < j <= d} x_i x_j >= 0", "Sum(x[i]*x[j], (j, i + 1, d), (i, 1, d)) >= 0"),
        ("⟨x, y⟩ <= 1", "Sum(x[_i]*y[_i], (_i, 1, d)) <= 1"),
    ],
)
def test_as_it_is_typed(typed: str, canonical: str) -> None:
    found = read_problem(typed, ["d in N", "x, y in R^d"])
    assert f"read as {canonical}" in found.notes


LARGEST = [
    ("norm(x, oo) <= norm(x)", []),
    ("norm(x) <= sqrt(d)*norm(x, oo)", []),
    ("norm(x, 1) <= d*norm(x, oo)", []),
    ("norm(x)**2 <= norm(x, 1)*norm(x, oo)", []),
    ("dot(x, y) <= norm(x, 1)*norm(y, oo)", []),
    ("norm(x - 2*y, oo) <= norm(x, oo) + 2*norm(y, oo)", []),
    ("norm(x, 1) <= d", ["norm(x, oo) <= 1"]),
]
NOT_LARGEST = [
    ("norm(x) <= norm(x, oo)", []),
    ("norm(x, oo) < norm(x)", []),
    ("norm(x, oo) <= 99/100*norm(x)", []),
    ("norm(x) <= 3*norm(x, oo)", []),
    ("norm(x) <= sqrt(d-1/4)*norm(x, oo)", []),
    ("norm(x, 1) <= 7*norm(x, oo)", []),
    ("dot(x, y) <= norm(x, oo)*norm(y, oo)", []),
    ("norm(x + y, oo) >= norm(x, oo)", []),
    ("norm(x) <= 2", ["norm(x, oo) <= 1"]),
]


@pytest.mark.parametrize(("statement", "where"), one_in(3, LARGEST))
def test_norms_by_the_largest_entry(statement: str, where: list[str]) -> None:
    problem = read_problem(statement, ["d in N", "x, y in R^d"], where)
    found = check(problem, budget=40, explained=False, patience=50)
    assert (found.verdict, found.rung) == ("holds", "proved")


@pytest.mark.parametrize(("statement", "where"), one_in(3, NOT_LARGEST))
def test_near_lies_of_the_largest_entry(statement: str, where: list[str]) -> None:
    domains = ["d in N", "x, y in R^d"]
    problem = read_problem(statement, domains, where)
    assert check(problem, explained=False, patience=50).verdict == REFUTED
    assert not proving.prove(problem, Clock(4), names_alone)
