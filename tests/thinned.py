"""Long tables of cases: a part of them in every run of the tests, the rest with ``-m slow``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(n: int, cases: Iterable[tuple[Any, ...]]) -> list[Any]:
    """The cases; all but the first of every ``n`` are marked slow."""
    return [
        pytest.param(*case, marks=pytest.mark.slow) if place % n else case
        for place, case in enumerate(cases)
    ]
