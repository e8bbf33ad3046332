"""The rungs of evidence, by name."""

from __future__ import annotations

from collections.abc import Sequence

RUNGS = ("searched", "fitted", "sampled", "computed", "certified", "exhaustive", "proved")
"""From the weakest to the strongest (DESIGN 3.7)."""

VERIFIED = frozenset({"proved", "exhaustive", "certified"})
"""Those that let a pass be called verified."""


def weakest(rungs: Sequence[str]) -> str:
    """The weakest of one or more rungs. Raises ValueError for none, and for what is no rung."""
    return min(rungs, key=RUNGS.index)
