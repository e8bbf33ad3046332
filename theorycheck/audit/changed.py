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


class ChangedLibrary:
    """The claims of some items, made from modules that see ``text`` in place of ``file``.

    A module is imported when the first of its claims is asked for: most changes are noticed by the cheapest
    claim of many. Modules that reach the file are forgotten at once and stay so.
    """

    def __init__(self, file: Path, text: str, items: Iterable[Loaded]) -> None:
        self._homes = {item.id: module_of(item) for item in items}
        packages = {name.rpartition(".")[0] for name in self._homes.values()}
        for name, module in list(sys.modules.items()):
            path = getattr(module, "__file__", None)
            if name.rpartition(".")[0] in packages and path and file in modules_of(Path(path)):
                del sys.modules[name]
        sys.meta_path.insert(0, _Finder({f"{p}.{file.stem}" for p in packages}, file, text))

    def claim(self, id: str) -> Claim | None:
        """The claim of that id, None where the change unmade it. Raises ChangedModuleError."""
        try:
            module = importlib.import_module(self._homes[id])
        except Exception as error:  # a changed module may raise anything; raised on as one error
            line = f"{type(error).__name__}: {error}".split("\n")[0]
            raise ChangedModuleError(line) from error
        return next((claim for claim in claims_of(module) if claim.id == id), None)


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
