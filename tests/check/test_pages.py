"""The page of conjectures and the grammar say what the workbench knows. What each command of a page prints is
compared in `tests/docs/test_blocks.py`."""

from __future__ import annotations

import re
from pathlib import Path

from theorycheck.check.vocabulary import CONSTANTS, FUNCTIONS, PREDICATES

PAGES = Path(__file__).parents[2] / "docs"


def test_the_page_has_ten_conjectures_true_and_false() -> None:
    text = (PAGES / "conjectures.md").read_text()
    assert len(re.findall(r"^## \d+\. ", text, re.MULTILINE)) == 10
    checked = re.findall(r"^\$ theorycheck check .*\n(\w+)", text, re.MULTILINE)
    assert set(checked) == {"HOLDS", "REFUTED"} and len(checked) >= 20


def test_the_grammar_lists_every_function_and_constant() -> None:
    text = (PAGES / "statement-grammar.md").read_text()
    listed = re.search(r"under SymPy's names:\n`(.*?)`", text, re.DOTALL)
    assert listed is not None
    assert set(listed[1].split()) == set(FUNCTIONS)
    for word in (*CONSTANTS, *PREDICATES):
        assert f'"{word}"' in text
