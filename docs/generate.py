#!/usr/bin/env python3
"""Fill in the generated parts of the documentation: `python docs/generate.py`.

- ``<!-- generated: derivation MODULE[:NAME] -->``: the docstring that derives a relation's rule;
- ``<!-- generated: sources -->``: the sources and their coverage by the committed reference run.

A test fails while a page is not what this makes of it.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import textwrap
from functools import cache
from pathlib import Path

from theorycheck.record.runs import read_report
from theorycheck.reports.latest_coverage import LatestCoverage, sources_page
from theorycheck.sources.coverage import coverage
from theorycheck.sources.register import load_registers
from theorycheck.sources.standing import statuses

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PART = re.compile(r"(<!-- generated: ([^>]*) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> dict[Path, str]:
    """Every page that has a generated part, as it ought to be."""
    made = {}
    for path in sorted(DOCS.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if PART.search(text):
            made[path] = PART.sub(lambda m: f"{m[1]}\n{part(m[2])}\n\n{m[3]}", text)
    return made


@cache
def part(order: str) -> str:
    """What goes in the place of one marker. Raises ValueError for an unknown one."""
    kind, _, of = order.partition(" ")
    if kind == "derivation":
        return derivation(of)
    if order == "sources":
        return sources()
    raise ValueError(f"no generated part is called {order!r}")


def derivation(of: str) -> str:
    """A docstring without its first line, as Markdown."""
    module, _, name = of.partition(":")
    found = importlib.import_module(module)
    text = inspect.getdoc(getattr(found, name) if name else found) or ""
    head, _, body = text.partition("\n\n")
    return f"*{markdown(head)}*\n\n{markdown(body)}"


def markdown(text: str) -> str:
    """Plain prose with lists and indented formulas. Powers are no emphasis; items need a blank line."""
    blocks = [_block(b) for b in re.split(r"\n\s*\n", text.strip("\n"))]
    return "\n\n".join(blocks)


def _block(block: str) -> str:
    if block.startswith("    "):
        return f"```text\n{textwrap.dedent(block)}\n```"
    # Outside of code spans, ** is a power and a lone * a product; *word* is emphasis.
    pieces = re.split(r"(``?[^`]+``?)", block)
    pieces[::2] = [p.replace("**", r"\*\*").replace(" * ", r" \* ") for p in pieces[::2]]
    prose = "".join(pieces)
    return prose if prose.startswith("- ") else prose.replace("\n- ", "\n\n- ", 1)


def sources() -> str:
    """The list of sources with their coverage, by the reference run; headings one level down."""
    registers = load_registers(p.parent for p in sorted(ROOT.glob("claims/*/statements.toml")))
    report = read_report(ROOT / "reports" / "reference")
    records = {e.id: e for e in report.claims}
    found = LatestCoverage(
        registers, records, coverage(registers, records), statuses(registers, records)
    )
    return sources_page(found).partition("\n\n")[2].strip()


def main() -> int:
    for path, text in pages().items():
        if path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
