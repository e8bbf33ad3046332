"""The page of conjectures says what the workbench says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from theorycheck.check.vocabulary import CONSTANTS, FUNCTIONS, PREDICATES
from theorycheck.cli.check import command

PAGES = Path(__file__).parents[2] / "docs"
EXIT = {"HOLDS": 0, "REFUTED": 1, "INCONCLUSIVE": 6}


def runs(page: str) -> list[tuple[str, tuple[str, ...]]]:
    found = []
    for block in re.findall(r"```console\n(.*?)```", (PAGES / page).read_text(), re.DOTALL):
        for part in block.split("$ theorycheck check ")[1:]:
            typed, *shown = part.rstrip().splitlines()
            found.append((typed, tuple(line.strip() for line in shown)))
    return found


CONJECTURES = runs("conjectures.md")


def test_the_page_has_ten_conjectures_true_and_false() -> None:
    text = (PAGES / "conjectures.md").read_text()
    assert len(re.findall(r"^## \d+\. ", text, re.MULTILINE)) == 10
    first = {shown[0].split()[0] for _, shown in CONJECTURES}
    assert first == {"HOLDS", "REFUTED"}


@pytest.mark.parametrize(("typed", "shown"), CONJECTURES, ids=[t for t, _ in CONJECTURES])
def test_a_command_prints_what_the_page_shows(typed: str, shown: tuple[str, ...]) -> None:
    # A slow machine may take longer than the default budget; the answer must be the same.
    arguments = [*shlex.split(typed), "--budget", "120"]
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    assert result.exception is None
    for line in shown:
        assert line in result.output
    assert result.return_value == EXIT[shown[0].split()[0]]


def test_the_grammar_lists_every_function_and_constant() -> None:
    text = (PAGES / "statement-grammar.md").read_text()
    listed = re.search(r"under SymPy's names:\n`(.*?)`", text, re.DOTALL)
    assert listed is not None
    assert set(listed[1].split()) == set(FUNCTIONS)
    for word in (*CONSTANTS, *PREDICATES):
        assert f'"{word}"' in text
