"""How much of a batch is worked on at a time."""

from __future__ import annotations

from typing import Any

import array_api_compat

IN_CACHE = 2**16
"""Numbers at work at a time on a CPU: with a few companions of that size, 2 MiB of float64, which a core's cache holds.
What is larger goes to memory and back with every operation, and comes as fresh pages from the system each time."""


def in_cache(ns: Any, count: int, entries: int) -> list[slice]:
    """Slices of a leading axis of ``count`` things that are independent and need ``entries`` numbers each.

    Together they cover the axis in order, so that results may be joined by ``ns.concat``. One slice on a GPU, whose
    kernels are the faster the larger they are.
    """
    size = max(1, IN_CACHE // max(entries, 1))
    if size >= count or not array_api_compat.is_numpy_namespace(ns.xp):
        return [slice(0, count)]
    return [slice(at, min(at + size, count)) for at in range(0, count, size)]
