"""Results of pure functions that are cached between runs: values of closed forms, tables of mutants,
ends of intervals, answers to "has it seen enough?", and a claim's entry as judged of its observations.

A memo belongs to one claim in one context (`theorycheck.evidence.store`), which fixes the claim's content; it is
used only by the engine that wrote it, module for module. Beyond these a function names everything that
its result depends on, and makes the result where none is cached. Results are plain JSON data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class Memo:
    """Results by key. Those not asked for in a run are forgotten with it, so that it stays small."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self._before = dict(values or {})
        self.used: dict[str, object] = {}

    @property
    def changed(self) -> bool:
        return self.used.keys() != self._before.keys()

    def find(self, kind: str, inputs: tuple[str, ...]) -> Any:
        """What was `put` under the same inputs; None where that is nothing."""
        return self._before.get(_key(kind, inputs))

    def put(self, kind: str, inputs: tuple[str, ...], value: Any) -> None:
        """A result that was made elsewhere. ``inputs`` as for `cached`."""
        self.used[_key(kind, inputs)] = value

    def get(self, key: str, make: Callable[[], Any]) -> Any:
        if key not in self.used:
            self.used[key] = self._before[key] if key in self._before else make()
        return self.used[key]


_current: ContextVar[Memo | None] = ContextVar("memo", default=None)


@contextmanager
def using(memo: Memo) -> Iterator[Memo]:
    """Keep in this memo what `cached` is asked for inside the block."""
    token = _current.set(memo)
    try:
        yield memo
    finally:
        _current.reset(token)


def cached(kind: str, inputs: tuple[str, ...], make: Callable[[], Any]) -> Any:
    """The result of ``make()``, from the current memo where it is there.

    ``inputs``: texts of all that the result depends on beside the claim's content.
    """
    memo = _current.get()
    if memo is None:
        return make()
    return memo.get(_key(kind, inputs), make)


def _key(kind: str, inputs: tuple[str, ...]) -> str:
    text = "\0".join((kind, *(f"{len(i)}:{i}" for i in inputs)))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
