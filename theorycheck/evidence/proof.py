"""What a leg whose arithmetic is ``proof`` returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Proof:
    """What a ``proof`` leg returns.

    ``holds``: whether the method settled the statement; ``method`` in words; ``witness``: what a
    reader can check (a certificate, counts of boxes, a normal form), JSON-serialisable.
    ``counterexample``: where the statement was found false, None otherwise. ``rung``: how far the method
    reaches: ``proved``, ``exhaustive`` (every point of a finite domain) or ``searched``. ``reached``: of a bound, the
    share of it that is seen to be reached, 0 where that is none; None where there is no bound, or it was not looked at.
    """

    holds: bool
    method: str
    witness: Mapping[str, Any]
    counterexample: Mapping[str, Any] | None = None
    rung: str = "proved"
    reached: float | None = None
