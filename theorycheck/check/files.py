"""Files of conjectures (TOML).

::

    [[statement]]
    statement = "n**2 + n + 41 > 0"
    for = ["n in 0..60"]          # or one string
    where = []                    # optional, one string or several
    with = "g ~ N(0, 1)"          # optional, laws of random names
    let = "u = sqrt(x)"           # optional, substitutions that a proof may use
    step = "exp(u) >= 1 + u"      # optional, lemmas, proved first
    expect = "holds"              # optional: the verdict that the author expects
    budget = 20                   # optional, seconds; beats --budget
    seed = 0                      # optional; beats --seed

A file with one statement may write these keys at the top.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.text import InputError
from theorycheck.check.verdict import HOLDS, INCONCLUSIVE, REFUTED

_KEYS = ("statement", "for", "where", "with", "let", "step", "expect", "budget", "seed", "note")
MAX_STATEMENTS = 1000
MAX_BYTES = 2_000_000


@dataclass(frozen=True)
class FileStatement:
    """One statement of a file; ``budget`` and ``seed`` are None where the file leaves them open."""

    problem: Problem
    expect: str = HOLDS
    budget: float | None = None
    seed: int | None = None


def read_file(path: Path) -> list[FileStatement]:
    """All statements of a file, in order, checked before any is run.

    Raises:
        InputError: one line naming the file, the statement and the place.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path.name}: larger than {MAX_BYTES:,} bytes")
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise InputError(f"{path}: cannot be read ({problem.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path.name}: is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"{path.name}: is not TOML: {problem}") from None
    except RecursionError:
        raise InputError(f"{path.name}: nested too deeply") from None
    if isinstance(table.get("statement"), str):
        rows: Any = [table]
    else:
        rows = table.get("statement")
        if set(table) - {"statement"}:
            raise InputError(f"{path.name}: only [[statement]] tables stand at the top")
    if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
        raise InputError(
            f'{path.name}: has no statement; write [[statement]], then statement = "..."'
        )
    if len(rows) > MAX_STATEMENTS:
        raise InputError(f"{path.name}: {len(rows)} statements; at most {MAX_STATEMENTS} a file")
    return [_entry(row, f"{path.name}: statement {i}") for i, row in enumerate(rows, start=1)]


def _entry(row: Mapping[str, Any], where: str) -> FileStatement:
    for key in row:
        if key not in _KEYS:
            raise InputError(f"{where}: unknown key {key!r}; the keys are {', '.join(_KEYS)}")
    statement = row.get("statement")
    if not isinstance(statement, str):
        raise InputError(f'{where}: write statement = "..."')
    expect = row.get("expect", HOLDS)
    if expect not in (HOLDS, REFUTED, INCONCLUSIVE):
        raise InputError(f'{where}: expect is "holds", "refuted" or "inconclusive"')
    budget, seed = row.get("budget"), row.get("seed")
    if budget is not None and not _positive(budget):
        raise InputError(f"{where}: budget is a number of seconds > 0")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        raise InputError(f"{where}: seed is an integer")
    try:
        texts = [_texts(row, key, where) for key in ("for", "where", "with", "let", "step")]
        problem = read_problem(statement, *texts)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return FileStatement(problem, expect, None if budget is None else float(budget), seed)


def _positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e6


def _texts(row: Mapping[str, Any], key: str, where: str) -> list[str]:
    value = row.get(key, [])
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
        raise InputError(f"{where}: {key} is a string or a list of strings")
    return texts
