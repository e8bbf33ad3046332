"""What a verdict rests on, in steps; proofs that are required; laws proposed after a refutation."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from theorycheck.check.method import Argument, ComparisonProof
from theorycheck.check.problem import read_problem
from theorycheck.check.run import check, check_text
from theorycheck.cli.check import command

WAVES = (
    "sin(x**2)*cos(x**3) + sin(x**5)*cos(x**7) < 2",
    "--for",
    "x in (-oo, oo)",
    "--budget",
    "6",
)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, list(arguments), standalone_mode=False)
    assert result.exception is None
    return result.return_value, result.output


@pytest.mark.parametrize(
    ("statement", "domains", "part"),
    [
        ("x*(1 - x) <= 1/4", ["x in [0, 1]"], "lhs - rhs is negative on (0, 1/2)"),
        ("Sum(k, (k, 1, n)) == n*(n + 1)/2", ["n in 1..oo"], "it changes by N from N - 1 to N"),
        ("Sum(binomial(n, k), (k, 0, n)) == 2**n", ["n in 0..oo"], "by the binomial theorem"),
        ("Sum(binomial(n, k)**2, (k, 0, n)) == binomial(2*n, n)", ["n in 0..oo"], "G(n, k) = f*"),
        ("x**2*sin(y) + 2 > 0", ["x in [0, 1]", "y in [0, 1]"], "lhs - rhs"),
        ("exp(x)*y >= y + x*y", ["x in [0, 2]", "y in (0, 1)"], "-x + exp(x) - 1 >= 0"),
        ("n % 7 < 7", ["n in 0..60"], "every point was judged by itself"),
    ],
)
def test_a_proof_in_steps(statement: str, domains: list[str], part: str) -> None:
    verdict = check_text(statement, domains, budget=20)
    assert verdict.proved
    assert part in "\n".join(verdict.why)


def test_lemmas_stand_below_what_they_are_for() -> None:
    lemma = ComparisonProof("x > 0", "x in (0, 1)", Argument("signs"))
    proof = ComparisonProof(
        "x**2 > 0", "x in (0, 1)", Argument("squares", ("x is real",)), (lemma,)
    )
    assert proof.lines() == [
        "x**2 > 0   for x in (0, 1)",
        "  by squares",
        "  - x is real",
        "    x > 0   for x in (0, 1)",
        "      by signs",
    ]


def test_the_digits_at_a_counterexample() -> None:
    why = check_text("n*(n + 1)/2 == n**2", ["n in 1..oo"]).why
    assert "at n = 2" in why
    assert "left - right = -1" in why
    assert any("division by zero" in line for line in check_text("1/n > 0", ["n in 0..5"]).why)


def test_a_search_says_what_was_tried() -> None:
    why = check(read_problem(WAVES[0], [WAVES[2]]), budget=6, patience=50).why
    assert why[0].startswith("no proof was found by ")
    assert any("sampled points" in line for line in why)


def test_explain_and_require_proof_on_the_command_line() -> None:
    proved = ("x**2 >= 0", "--for", "x in [-1, 1]")
    assert run(*proved, "--require-proof")[0] == 0
    assert run(*WAVES)[0] == 0
    assert run(*WAVES, "--require-proof")[0] == 6
    assert "why:" not in run(*proved)[1]
    assert "why:" in run(*proved, "--explain")[1]
    assert json.loads(run(*proved, "--json", "--explain")[1])["why"]
    assert "why" not in json.loads(run(*proved, "--json")[1])
    refuted = ("x < 0", "--for", "x in [-1, 1]")
    assert run(*refuted, "--require-proof")[0] == 1


@pytest.mark.parametrize(
    ("statement", "domain", "law"),
    [
        ("n*(n + 1)/2 == n**2", "n in 1..oo", "left side = n*(n + 1)/2"),
        ("Sum(k, (k, 1, n)) == n**2", "n in 1..oo", "left side = n*(n + 1)/2"),
    ],
)
def test_the_corrected_law_is_proposed(statement: str, domain: str, law: str) -> None:
    verdict = check_text(statement, [domain])
    assert verdict.verdict == "refuted"
    assert f"{law} (proved)" in verdict.instead
