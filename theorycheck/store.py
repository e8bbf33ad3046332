"""Remembered evidence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from theorycheck.execute import Settings
from theorycheck.loading import Loaded
from theorycheck.observation import Observation


class NoStore:
    """Remembers nothing (``--no-cache``)."""

    def known(self, item: Loaded) -> dict[str, Observation]:
        return {}

    def keep(self, item: Loaded, key: str, seen: Observation) -> None:
        return None

    def took(self, item: Loaded, settings: Settings, seconds: float) -> None:
        return None


@contextmanager
def open_store(path: Path | None) -> Iterator[NoStore]:
    yield NoStore()
