"""What authors say of changes that cannot matter: ``audit.toml`` beside a source's register.

    [[change]]
    function = "upper_bound"
    old = "range(1, k)"
    new = "range(1, k - 1)"
    why = "the sums with one summand missing vanish by antisymmetry"

An explanation is found by the function and by both texts, so that it is gone as soon as the line reads
differently.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from theorycheck.claims.functions import ClaimError

NAME = "audit.toml"
_KEYS = ("function", "old", "new", "why")


@dataclass(frozen=True)
class Explained:
    """A change in a function, by its texts."""

    function: str
    old: str
    new: str


def read_explanations(folder: Path) -> Mapping[Explained, str]:
    """The explanations of a source's folder, none where it has no such file. Raises ClaimError."""
    file = folder / NAME
    if not file.exists():
        return {}
    place = f"{folder.name}/{NAME}"
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ClaimError(f"{place}: is not TOML: {error}") from None
    rows = table.get("change", [])
    if set(table) - {"change"} or not isinstance(rows, list):
        raise ClaimError(f"{place}: only [[change]] tables stand at the top")
    found: dict[Explained, str] = {}
    for number, row in enumerate(rows, 1):
        missing = [k for k in _KEYS if not isinstance(row.get(k), str) or not row[k].strip()]
        if missing or set(row) - set(_KEYS):
            raise ClaimError(f"{place}: change {number}: write {', '.join(_KEYS)}, each a text")
        found[Explained(row["function"], row["old"], row["new"])] = row["why"]
    return found
