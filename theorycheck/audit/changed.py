"""Claims as they would be if one file of their folder read differently.

For a process of its own: the modules that reach the file are imported anew from the changed text and stay
so. Nothing is written.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from theorycheck.claims.model import Claim
from theorycheck.library.content import modules_of
from theorycheck.library.loading import Loaded, claims_of


class ChangedModuleError(Exception):
    """A module cannot be imported with the changed text; the message is the error in one line."""


def claims_with(file: Path, text: str, items: Iterable[Loaded]) -> dict[str, Claim]:
    """The claims of ``items``, by id, made from modules that see ``text`` in place of ``file``.

    Claims that the change unmade are missing. Raises ChangedModuleError.
    """
    homes = {item.id: module_of(item) for item in items}
    packages = {name.rpartition(".")[0] for name in homes.values()}
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if name.rpartition(".")[0] in packages and path and file in modules_of(Path(path)):
            del sys.modules[name]
    finder = _Finder({f"{package}.{file.stem}" for package in packages}, file, text)
    sys.meta_path.insert(0, finder)
    try:
        modules = {name: importlib.import_module(name) for name in homes.values()}
    except Exception as error:  # a changed module may raise anything; raised on as one error
        line = f"{type(error).__name__}: {error}".split("\n")[0]
        raise ChangedModuleError(line) from error
    finally:
        sys.meta_path.remove(finder)
    found = {claim.id: claim for module in modules.values() for claim in claims_of(module)}
    return {id: found[id] for id in homes if id in found}


def module_of(item: Loaded) -> str:
    """Name under which the claim's module was imported."""
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) == str(item.file) and not name.startswith("__"):
            return name
    raise LookupError(f"{item.file.name} is not loaded")


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, names: set[str], file: Path, text: str) -> None:
        self.names, self.file, self.text = names, file, text

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in self.names:
            return None
        spec = importlib.machinery.ModuleSpec(
            name, _Loader(self.file, self.text), origin=str(self.file)
        )
        spec.has_location = True
        return spec


class _Loader(importlib.abc.Loader):
    def __init__(self, file: Path, text: str) -> None:
        self.file, self.text = file, text

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        exec(
            compile(self.text, str(self.file), "exec"), vars(module)
        )  # the author's own file, one span changed
