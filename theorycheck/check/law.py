"""The law of one random name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Distribution:
    """The law of one name: its kind and its parameters as SymPy expressions."""

    kind: str
    parameters: tuple[Any, ...]
    symbol: Any
