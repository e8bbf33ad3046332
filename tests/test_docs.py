"""Every code block of the README and the docs runs: Python is executed, console lines are called."""

import re
import shlex
from pathlib import Path

import pytest

from theorycheck.cli import call

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(language):
    found = []
    for page in PAGES:
        for number, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")), start=1):
            if match[1] == language:
                found.append(pytest.param(match[2], id=f"{page.name}-{number}"))
    return found


@pytest.mark.parametrize("text", blocks("python"))
def test_python_blocks_run(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "@claim(" in text or "= claim(" in text:
        path = tmp_path / "page.py"
        path.write_text(text)
        assert call(["check", str(path)]) == 0
    else:
        exec(compile(text, "page", "exec"), {"__name__": "page"})


@pytest.mark.parametrize("text", blocks("console"))
def test_console_blocks_run(text, tmp_path, monkeypatch, capsys):
    """Each command ends with a verdict: holds, refuted or inconclusive, never bad usage or a crash."""
    monkeypatch.chdir(tmp_path)
    for line in text.splitlines():
        if line.startswith("$ theorycheck "):
            assert call(shlex.split(line)[2:]) in (0, 1, 6), line
