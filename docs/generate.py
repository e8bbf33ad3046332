#!/usr/bin/env python3
"""Fill in the generated parts of the documentation: `python docs/generate.py`.

- ``<!-- generated: derivation MODULE[:NAME] -->``: the docstring that derives a relation's rule;
- ``<!-- generated: api MODULE:NAME ... -->``: signature and docstring of each of these names, methods of a class
  with theirs;
- ``<!-- generated: functions MODULE:CLASS -->``: the public methods of a class as a table, a line each;
- ``<!-- generated: words MODULE:NAME -->``: the words of a tuple or a mapping, an item each;
- ``<!-- generated: sources -->``: the sources and their coverage by the committed reference run.

A test fails while a page is not what this makes of it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

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
    if kind == "api":
        return "\n\n".join(described(name) for name in of.split())
    if kind == "functions":
        return functions(of)
    if kind == "words":
        return words(_named(of)[1])
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


def _named(of: str) -> tuple[str, Any]:
    """What ``module:name`` or ``module:Class.method`` stands for, with its last name."""
    module, _, path = of.partition(":")
    found: Any = importlib.import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    return path.rpartition(".")[2], found


def _signature(name: str, function: Any) -> str:
    """As it is called: no types, which the prose gives with shapes and ranges, and no ``self``."""
    parameters = [
        p.replace(annotation=inspect.Parameter.empty)
        for p in inspect.signature(function).parameters.values()
        if p.name not in ("self", "cls")
    ]
    return f"{name}{inspect.Signature(parameters)}"


def described(of: str) -> str:
    """A public name as a section: signature, docstring, and for a class its public methods."""
    name, found = _named(of)
    if not callable(found):
        return f"### {name}\n\n{markdown(_documented(of, found))}"
    if not inspect.isclass(found):
        return f"### {name}\n\n`{_signature(name, found)}`\n\n{markdown(_documented(of, found))}"
    parts = [f"### {name}\n\n{markdown(_documented(of, found))}"]
    for method, function in _methods(found).items():
        text = markdown(_documented(f"{of}.{method}", function))
        parts.append(f"#### {method}\n\n`{_signature(method, function)}`\n\n{text}")
    return "\n\n".join(parts)


def _documented(of: str, found: Any) -> str:
    """Its docstring. Raises ValueError where a public name has none."""
    text = inspect.getdoc(found)
    if not text:
        raise ValueError(f"{of} has no docstring: say shapes, ranges and what is raised")
    return text


def _methods(of: type) -> dict[str, Any]:
    """Public methods, in the order of their definition."""
    own = [c for c in reversed(of.__mro__) if c is not object]
    names = dict.fromkeys(n for c in own for n, f in vars(c).items() if inspect.isfunction(f))
    return {n: getattr(of, n) for n in names if not n.startswith("_")}


def words(found: Iterable[str] | Mapping[str, Iterable[str]]) -> str:
    """The words of a tuple, an item each; those of a mapping with what they ask for."""
    if not isinstance(found, Mapping):
        return "\n".join(f"- `{word}`" for word in found)
    return "\n".join(f"- `{w}`: {', '.join(f'`{a}`' for a in asked)}" for w, asked in found.items())


def functions(of: str) -> str:
    """The public methods of a class by name, with what their docstrings say in one line."""
    rows = ["| function | what it is |", "|---|---|"]
    for name, function in sorted(_methods(_named(of)[1]).items()):
        first = _documented(f"{of}.{name}", function).split("\n\n")[0]
        said = markdown(" ".join(first.split()))
        rows.append(f"| `{_signature(name, function)}` | {said.replace('|', chr(92) + '|')} |")
    return "\n".join(rows)


def markdown(text: str) -> str:
    """Plain prose with lists and indented formulas. Powers are no emphasis; items need a blank line; ``::``
    only says that something indented follows."""
    text = re.sub(r"(?m)^::$|(?<=\w):(?=:$)", "", text)
    blocks = re.split(r"\n(?:[^\S\n]*\n)+", text.strip("\n"))
    made = []
    for indented, group in groupby(blocks, lambda block: block.startswith("    ")):
        alike = list(group)
        made += [_indented(alike)] if indented else [_block(block) for block in alike]
    return "\n\n".join(made)


def _indented(blocks: Iterable[str]) -> str:
    """What is indented, blank lines included: TOML or Python as that, anything else as a formula in LaTeX."""
    text = textwrap.dedent("\n\n".join(blocks))
    languages: dict[str, Callable[[str], Any]] = {"toml": tomllib.loads, "python": ast.parse}
    for language, read in languages.items():
        try:
            read(text)
        except (tomllib.TOMLDecodeError, SyntaxError):
            continue
        if not re.search(r"\\|[_^]{", text):
            return f"```{language}\n{text}\n```"
    return f"$${text}$$"


def _block(block: str) -> str:
    if re.match(r"=+ +=+\n", block):
        return _table(block.splitlines())
    # Outside of code spans, ** is a power and a lone * a product; *word* is emphasis.
    pieces = re.split(r"(``?[^`]+``?)", block)
    pieces[::2] = [p.replace("**", r"\*\*").replace(" * ", r" \* ") for p in pieces[::2]]
    prose = "".join(pieces)
    return prose if prose.startswith("- ") else prose.replace("\n- ", "\n\n- ", 1)


def _table(lines: list[str]) -> str:
    """A table between rules of ``=``, its two columns as wide as these; cells go on where the first is empty."""
    width = lines[0].index(" ") + 1
    rows: list[list[str]] = []
    for line in lines[1:-1]:
        first, second = line[:width].strip(), line[width:].strip()
        if first:
            rows.append([first, second])
        else:
            rows[-1][1] += f" {second}"
    cells = (" | ".join(c.replace("|", r"\|") for c in row) for row in rows)
    return "| name | what it is |\n|---|---|\n" + "\n".join(f"| {c} |" for c in cells)


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
