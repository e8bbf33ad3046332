"""The command: exit codes, JSON, files."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from theorycheck.cli.asking import Manner, StatementRequest, answer
from theorycheck.cli.check import command
from theorycheck.cli.prompt import Prompt
from theorycheck.numbers.errors import UserError

FIELDS = ["statement", "verdict", "proved", "rung", "counterexample", "kind", "lhs", "rhs", "covered",
          "resolution", "reason", "seconds"]  # fmt: skip


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, list(arguments), standalone_mode=False)
    if isinstance(result.exception, click.ClickException | UserError):
        return 4, str(result.exception)
    assert result.exception is None
    return result.return_value, result.output


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["x**2 >= 0", "--for", "x in [-1, 1]"], 0),
        (["isprime(n**2 + n + 41)", "--for", "n in 0..60"], 1),
        (["n > 1", "--for", "n in 5..3"], 4),
        (["n > 1", "--for", "n in 0..3", "--where", "n > 7"], 6),
        (["n > ", "--for", "n in 0..3"], 4),
        (["n > 1"], 4),
        (["n > 1", "--for", "n in 0..3", "--where", "m > 1"], 4),
        (["n > 1", "--for", "n in 0..3", "--budget", "0"], 4),
        (["no-such-file.toml"], 4),
        (["x.toml", "--for", "n in 0..3"], 4),
    ],
)
def test_exit_codes(arguments: list[str], code: int) -> None:
    assert run(*arguments)[0] == code


def test_json_has_the_fields_of_the_contract() -> None:
    code, output = run("1/(n - 7) < 5", "--for", "n in 0..60", "--json")
    verdict = json.loads(output)
    assert code == 1
    assert list(verdict) == FIELDS
    assert verdict["verdict"] == "refuted"
    assert verdict["kind"] == "undefined"
    assert verdict["counterexample"] == {"n": "7"}
    assert verdict["proved"] is False


def test_json_of_a_proof() -> None:
    verdict = json.loads(run("x*(1 - x) <= 1/4", "--for", "x in [0, 1]", "--json")[1])
    assert (verdict["verdict"], verdict["proved"], verdict["rung"]) == ("holds", True, "proved")
    assert verdict["counterexample"] is None
    assert verdict["kind"] is None


FILE = """
[[statement]]
statement = "n**2 >= n"
for = "n in 0..20"

[[statement]]
statement = "x*(1 - x) < 1/4"
for = ["x in [0, 1]"]
expect = "refuted"
"""


def test_a_file_of_statements(tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    path.write_text(FILE)
    code, output = run(str(path), "--json")
    assert code == 0
    assert [v["verdict"] for v in json.loads(output)] == ["holds", "refuted"]
    path.write_text(FILE.replace('expect = "refuted"', 'expect = "holds"'))
    assert run(str(path))[0] == 1


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("statement = 3", "has no statement"),
        ("[[statement]]\nfor = 'n in 0..3'", 'write statement = "..."'),
        ("[[statement]]\nstatement = 'n > 1'\nfor = 3", "for is a string or a list"),
        ("[[statement]]\nstatement = 'n > '\nfor = 'n in 0..3'", "statement 1: statement, column"),
        ("[[statement]]\nstatement = 'n > 1'\ndomain = 'n in 0..3'", "unknown key 'domain'"),
        ("[[statement]]\nstatement = '1 > 0'\nexpect = 'maybe'", "expect is"),
        ("[[statement]]\nstatement = '1 > 0'\nbudget = -1", "budget is"),
        ("[[statement]]\nstatement = '1 > 0'\nseed = 1.5", "seed is"),
        ("a = [", "is not TOML"),
        ("", "has no statement"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, part: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    code, message = run(str(path))
    assert code == 4
    assert part in message
    assert "\n" not in message


def test_bad_input_is_refused_before_anything_heavy_is_loaded() -> None:
    program = (
        "import sys\n"
        "from theorycheck.numbers.errors import UserError\n"
        "from theorycheck.cli.check import command\n"
        "try:\n"
        "    command.main(['9**9**9**9 > 1'], standalone_mode=False)\n"
        "except UserError:\n"
        "    sys.exit(10 if 'sympy' in sys.modules else 4)\n"
    )
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert done.returncode == 4, done.stderr.decode()
    assert time.monotonic() - start < 10


def test_words_for_people() -> None:
    proved = run("x**2 >= 0", "--for", "x in (-oo, oo)")[1]
    assert proved.startswith("HOLDS (proved)")
    searched = run("sin(x**2)*cos(x**3) + sin(x**5) < 2", "--for", "x in (-oo, oo)")[1]
    assert "no counterexample found, not proved" in searched
    assert "tried:" in searched
    refuted = run("x*(1 - x) < 1/4", "--for", "x in [0, 1]")[1]
    assert "counterexample: x = 1/2" in refuted
    assert "instead: holds with <= in place of < (proved)" in refuted


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["-x^2 <= 0", "--for", "x in R"], 0),
        (["--for", "x in R", "-x^2 <= -1"], 1),
        (["-n < 0", "--for", "n in N", "--json"], 0),
        (["1/2x > 0", "--for", "x > 0"], 4),
        (["E[g^2] = 1", "--with", "g ~ N(0, 1)"], 0),
        (["--fro", "x in R", "x > 0"], 4),
        ([], 4),
    ],
)
def test_as_typed(arguments: list[str], code: int) -> None:
    assert run(*arguments)[0] == code


def test_the_reading_is_echoed_where_it_was_not_literal() -> None:
    assert "read as x**2 >= 0" in run("x^2 ≥ 0", "--for", "x in R")[1]
    verdict = json.loads(run("x^2 ≥ 0", "--for", "x in R", "--json")[1])
    assert verdict["reading"] == ["read as x**2 >= 0"]
    assert list(verdict) == [*FIELDS, "reading"]


def test_both_readings_are_printed() -> None:
    code, message = run("1/2x > 0", "--for", "x > 0")
    assert code == 4
    assert "1/(2*x) > 0 or 1/2*x > 0" in message


def test_a_person_is_asked_which_reading() -> None:
    @click.command()
    def asked() -> int:
        return answer(StatementRequest("1/2x > 1/4 for 0 < x < 1"), Manner(), ask=True)

    result = CliRunner().invoke(asked, input="2\n", standalone_mode=False)
    assert "1  1/(2*x) > 1/4" in result.output
    assert result.return_value == 1  # x/2 > 1/4 fails
    assert CliRunner().invoke(asked, input="1\n", standalone_mode=False).return_value == 0


def test_a_prompt_keeps_its_domains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    lines = iter(
        ["help", "x^2 >= 2x - 1", "for x in R", "x^2 >= 2x - 1", "where x != 1", "x^2 > 2x - 1",
         "with g ~ N(0, 1)", "E[g] = 0", "show", "for x > 2", "show", "clear", "show", "1/2x > ("]
    )  # fmt: skip

    def line(_: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    @click.command()
    def prompt() -> int:
        return Prompt(StatementRequest(""), Manner(), line, ask=False).run()

    output = CliRunner().invoke(prompt, standalone_mode=False).output
    assert "x has no domain" in output
    assert output.count("HOLDS") == 3
    assert "for x in R\nwhere x != 1\nwith g ~ N(0, 1)" in output
    assert "for x > 2\nwhere x != 1" in output
    assert "no domain is set" in output
    assert "never closed" in output
