"""The example notebook runs, and its cells show what its text says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "conjecture.ipynb"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What the code cells show: a list, by cell, of (HTML or None, text)."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    folder = tmp_path_factory.mktemp("notebook")
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    assert not list(folder.iterdir()), "a notebook writes nothing"
    cells = [c for c in notebook.cells if c.cell_type == "code"]
    data = [c.outputs[-1]["data"] for c in cells]
    return [(d.get("text/html"), d["text/plain"]) for d in data]


def test_a_claim_shows_its_formula_before_it_runs(shown):
    page, text = shown[0]
    assert "not run yet" in page and "<math " in page
    assert text.startswith("<claim largest-guess: The mean of the largest")


def test_a_wrong_guess_is_refuted_with_figure_and_diagnosis(shown):
    page, text = shown[1]
    assert 'class="theorycheck refuted"' in page and "<svg " in page
    assert "n -&gt; n + 1" in page
    assert "refuted by sampling" in text


def test_the_right_formula_passes_and_the_guess_falls(shown):
    page, _ = shown[2]
    assert 'class="theorycheck supported"' in page
    assert "1 - 1/n: refuted" in page


def test_a_larger_profile_is_sharper(shown):
    smoke, standard = ast.literal_eval(shown[3][1])
    assert 0 < standard < smoke / 2


def test_exact_evidence_verifies(shown):
    assert 'class="theorycheck checked"' in shown[4][0]


def test_the_committed_notebook_shows_what_running_it_shows(shown):
    """Words and numbers, to six digits; the pages follow the looks of reports. Run it and save it to renew."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    code = [c for c in notebook.cells if c.cell_type == "code"]
    stored = [c.outputs[-1]["data"] for c in code]
    assert [_rounded(d["text/plain"]) for d in stored] == [_rounded(text) for _, text in shown]
    assert [bool(d.get("text/html")) for d in stored] == [bool(page) for page, _ in shown]
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))


def _rounded(text):
    return re.sub(r"\d\.\d{7,}", lambda number: f"{float(number[0]):.6f}", text)
