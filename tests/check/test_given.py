"""Substitutions and steps that a person gives: proved before they are used, refused where they are wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from theorycheck.check.files import read_file
from theorycheck.check.run import check_text
from theorycheck.check.text import InputError
from theorycheck.check.verdict import Verdict
from theorycheck.cli.check import command

ROOT = ("erfc(sqrt(r)) <= exp(-r)", ["r in (0, oo)"])


def checked(
    statement: str, domains: Sequence[str], let: Sequence[str] = (), steps: Sequence[str] = ()
) -> Verdict:
    return check_text(statement, domains, budget=20, explained=False, let=let, steps=steps)


def test_a_substitution_and_a_step_are_proved_and_told() -> None:
    found = checked(*ROOT, ["u = sqrt(r)"], ["erfc(u) <= exp(-u**2)"])
    assert (found.verdict, found.rung) == ("holds", "proved")
    assert found.why[0] == "let u = sqrt(r), u in (0, oo): r = u**2"
    assert "step erfc(u) <= exp(-u**2)" in found.why


def test_a_false_step_is_named_with_its_point_and_nothing_is_proved() -> None:
    found = checked(*ROOT, ["u = sqrt(r)"], ["erfc(u) <= exp(-u**2)/2"])
    assert found.verdict == "inconclusive" and not found.proved
    assert found.reason.startswith("the step erfc(u) <= exp(-u**2)/2 is false at u = ")


def test_a_step_that_is_only_searched_is_no_lemma() -> None:
    """Goldbach's conjecture as a step proves nothing, whatever is true."""
    twins = "Sum(0**Mod(n, d), (d, 1, n)) < n**2"
    found = checked("n**2 >= n", ["n in 1..oo"], steps=["zeta(3)**n > catalan(n)/6**n", twins])
    assert found.verdict == "inconclusive"
    assert "the step" in found.reason


@pytest.mark.parametrize(
    ("let", "domain"),
    [
        ("u = x**2", "x in (-oo, oo)"),  # two x for each u
        ("u = Abs(x)", "x in [-1, 2]"),
        ("u = sin(x)", "x in [0, 3]"),
        ("u = floor(x)", "x in [0, 3]"),
        ("u = sqrt(x)", "x in [-1, 3]"),  # without a value below 0
        ("u = 1/x", "x in [0, 3]"),
    ],
)
def test_what_is_not_one_to_one_with_a_value_everywhere_is_no_substitution(
    let: str, domain: str
) -> None:
    found = checked("x**2 + 1 > 0", [domain], [let])
    assert found.verdict == "inconclusive"
    assert found.reason.startswith(f"the substitution {let} is not proved to be one to one")


@pytest.mark.parametrize(
    ("let", "domain", "line"),
    [
        ("u = 1/x", "x in (0, 2]", "let u = 1/x, u in [1/2, oo): x = 1/u"),
        ("u = exp(-x)", "x in [0, oo)", "let u = exp(-x), u in (0, 1]: x = log(1/u)"),
        ("u = x/(1 + x)", "x in [0, oo)", "let u = x/(1 + x), u in [0, 1): x = -u/(u - 1)"),
        ("u = x**2", "x in (-3, -1]", "let u = x**2, u in [1, 9): x = -sqrt(u)"),
    ],
)
def test_the_range_and_the_inverse_are_found(let: str, domain: str, line: str) -> None:
    found = checked("x**2 + 1 > 0", [domain], [let])
    assert (found.verdict, found.rung, found.why[0]) == ("holds", "proved", line)


def test_a_false_statement_is_refuted_whatever_is_given() -> None:
    found = checked("erfc(sqrt(r)) <= exp(-r)/2", ROOT[1], ["u = sqrt(r)"], ["u > 0", "u < 0"])
    assert found.verdict == "refuted"
    assert set(found.counterexample or {}) == {"r"}


def test_a_wrong_step_spoils_also_what_is_settled_point_by_point() -> None:
    assert checked("n**2 >= n", ["n in 0..20"]).rung == "exhaustive"
    found = checked("n**2 >= n", ["n in 0..20"], steps=["n > 0"])
    assert (found.verdict, found.reason) == (
        "inconclusive",
        "the step n > 0 is false at n = 0; without it the statement is proved",
    )


@pytest.mark.parametrize(
    ("let", "steps", "part"),
    [
        (["sqrt(r)"], [], "write NAME = EXPRESSION"),
        (["u == sqrt(r)"], [], "write NAME = EXPRESSION"),
        (["r = u**2"], [], "already has a domain"),
        (["u = sqrt(s)"], [], "--let u"),
        (["u = 2"], [], "no declared name occurs"),
        (["u = __import__('os')"], [], "--let u"),
        ([], ["u > 0"], "--step"),
        ([], ["r + 1"], "--step"),
    ],
)
def test_bad_input_is_one_line(let: list[str], steps: list[str], part: str) -> None:
    with pytest.raises(InputError, match=part.replace("(", r"\(")) as refused:
        checked(*ROOT, let, steps)
    assert "\n" not in str(refused.value)


def test_on_the_command_line() -> None:
    options = ["--for", ROOT[1][0], "--let", "u = sqrt(r)", "--step", "erfc(u) <= exp(-u**2)"]
    result = CliRunner().invoke(command, [ROOT[0], *options, "--json"])
    assert result.exit_code == 0
    assert json.loads(result.output)["rung"] == "proved"
    options[-1] = "erfc(u) <= exp(-u**2)/2"
    refused = CliRunner().invoke(command, [ROOT[0], *options], standalone_mode=False)
    assert refused.return_value == 6


def test_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    path.write_text(
        'statement = "erfc(sqrt(r)) <= exp(-r)"\nfor = "r in (0, oo)"\n'
        'let = "u = sqrt(r)"\nstep = ["erfc(u) <= exp(-u**2)"]\n'
    )
    (entry,) = read_file(path)
    assert [s.text for s in entry.problem.given.substitutions] == ["u = sqrt(r)"]
    assert [s.text for s in entry.problem.given.steps] == ["erfc(u) <= exp(-u**2)"]
