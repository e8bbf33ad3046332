"""Chains of elementwise operations that become one kernel on a GPU.

On a GPU each operation of a chain is a pass through memory of its own; `cupy.fuse` compiles the chain into
one pass. The plain function is what runs everywhere else, and the oracle of the kernel.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import array_api_compat

from theorycheck.arrays.error_model import INFLATE, U

Chain = Callable[..., Any]


def fused(chain: Chain) -> Chain:
    """``chain(xp, *arrays)``, whose operations are elementwise ones of ``xp``, as one kernel on a GPU."""

    @functools.cache
    def kernel(xp: Any) -> Chain:
        def one(*arrays: Any) -> Any:
            return chain(xp, *arrays)

        one.__name__ = chain.__name__  # the kernel's name in a profile
        made: Chain = importlib.import_module("cupy").fuse(one)
        return made

    @functools.wraps(chain)
    def call(xp: Any, *arrays: Any) -> Any:
        if array_api_compat.is_cupy_namespace(xp):
            return kernel(xp)(*arrays)
        return chain(xp, *arrays)

    return call


# Radii of the interval arithmetic, as `theorycheck.arrays.error_model` derives them. A compiler may fuse a
# product with a sum: that leaves one rounding out, and the bounds hold with fewer roundings too.


@fused
def sum_radius(xp: Any, mid: Any, *radii: Any) -> Any:
    """Radius of a sum with midpoint ``mid`` of operands with these radii."""
    rad = xp.abs(mid)
    rad *= U
    for r in radii:
        rad += r
    rad *= INFLATE
    return rad


@fused
def product_radius(xp: Any, mid: Any, exact: Any, other_radius: Any) -> Any:
    """Radius, not yet inflated, of the product of an exact operand and one with a radius."""
    rad = xp.abs(mid)
    rad *= U
    rad += xp.abs(exact) * other_radius
    return rad


@fused
def product_radius_of_two(xp: Any, mid: Any, a: Any, a_radius: Any, b: Any, b_radius: Any) -> Any:
    """The same where both operands have a radius."""
    rad = xp.abs(mid)
    rad *= U
    rad += xp.abs(a) * b_radius
    rad += a_radius * (xp.abs(b) + b_radius)
    return rad
