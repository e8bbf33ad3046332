"""Tables of a register while they are checked: typed access by key, every problem told at once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from theorycheck.numbers.errors import UserError


class RegisterError(UserError):
    """A register that is not well formed: ``problems`` has a line each, the message all lines."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def read_toml(file: Path, where: str) -> Mapping[str, Any]:
    """The table in a file; ``where`` names it in the problem. Raises RegisterError."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as problem:
        raise RegisterError([f"{where}: cannot be read ({problem.strerror})"]) from problem
    except UnicodeDecodeError as problem:
        raise RegisterError([f"{where}: is not UTF-8 text; save it as UTF-8"]) from problem
    except tomllib.TOMLDecodeError as problem:
        raise RegisterError([f"{where}: is not TOML: {problem}"]) from problem


class TableReader:
    """One table while it is checked: typed access by key, each problem added to a common list."""

    def __init__(self, table: Mapping[str, Any], label: str, problems: list[str]) -> None:
        self.values = table
        self.label = label
        self.problems = problems

    def bad(self, text: str) -> None:
        self.problems.append(f"{self.label}: {text}")

    def only(self, *keys: str) -> None:
        for key in self.values:
            if key not in keys:
                self.bad(f"unknown key {key!r}; the keys are {', '.join(keys)}")

    def text(self, key: str, *, required: bool = True) -> str:
        value = self.values.get(key)
        if value is None:
            if required:
                self.bad(f'{key} is missing; write {key} = "..."')
            return ""
        if not isinstance(value, str):
            self.bad(f"{key} is {_kind_of(value)}; write a string in quotes")
            return ""
        if not value.strip():
            self.bad(f"{key} is empty; write something, or leave the key out where it is optional")
        return " ".join(value.split())  # long texts are broken over lines in the file

    def choice(self, key: str, allowed: Sequence[str], *, required: bool = True) -> str | None:
        value = self.text(key, required=required)
        if value.strip() and value not in allowed:
            self.bad(f"{key} is {value!r}; write one of {', '.join(map(repr, allowed))}")
        return value or None

    def texts(self, key: str, *, required: bool = True) -> tuple[str, ...]:
        value = self.values.get(key)
        if value is None:
            if required:
                self.bad(f"{key} is missing; write {key} = [] or a list of strings")
            return ()
        if not isinstance(value, list):
            self.bad(f"{key} is {_kind_of(value)}; write a list of strings, {key} = [...]")
            return ()
        good = tuple(v for v in value if isinstance(v, str) and v.strip())
        if len(good) != len(value):
            self.bad(f"{key} holds something that is not a non-empty string; write strings only")
        for item in sorted({v for v in good if good.count(v) > 1}):
            self.bad(f"{key} names {item!r} twice; keep one")
        return good

    def flag(self, key: str) -> bool:
        value = self.values.get(key)
        if not isinstance(value, bool):
            self.bad(
                f"{key} is {'missing' if value is None else _kind_of(value)}; write true or false"
            )
            return False
        return value

    def table(self, key: str) -> Mapping[str, Any]:
        value = self.values.get(key)
        if isinstance(value, dict):
            return value
        self.bad(f"[{key}] is missing or is not a table; write [{key}] and its keys under it")
        return {}

    def tables(self, key: str) -> list[Mapping[str, Any]]:
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
            self.bad(f"{key} is not a list of tables; write [[{key}]] before each entry")
            return []
        return value


def _kind_of(value: object) -> str:
    names = {
        bool: "a boolean",
        int: "an integer",
        float: "a number",
        list: "a list",
        dict: "a table",
    }
    return names.get(type(value), f"a {type(value).__name__}")
