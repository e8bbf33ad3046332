"""Declared assumptions on the distribution of one replicate.

No interval for a mean is valid without an assumption on the tails (Bahadur and Savage, 1956, "The
nonexistence of certain statistical procedures in nonparametric problems"): a rare enormous value
can move the mean without ever being seen. So every sampled mean carries a :class:`Tail`, whose
:meth:`Tail.text` is printed beside the evidence. A variance *estimated* from the data is no
assumption.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theorycheck.stats.errors import AssumptionBroken

# Cubes of differences of values of this size still fit into a double.
LARGEST_SCALE = 1e100
SMALLEST_SCALE = 1e-100

_PARAMETERS = {
    "bernoulli": (),
    "bounded": ("lo", "hi"),
    "sub_gaussian": ("sigma",),
    "variance_at_most": ("var",),
    "distribution": ("bits", "origin"),
}

REFUSAL = (
    "an unbounded mean needs a declared assumption on its tails; write one of bernoulli(), "
    "bounded(lo, hi), sub_gaussian(sigma), variance_at_most(var), or test a clipped mean "
    "(bounded), a probability (bernoulli) or a quantile (quantile_interval) instead"
)


@dataclass(frozen=True)
class Tail:
    """A declared assumption: its ``kind`` and the numbers that belong to it (see the makers below).

    Replicates are independent, or more generally each has the same conditional mean given the past
    and satisfies the assumption conditionally.
    """

    kind: str
    params: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in _PARAMETERS:
            raise ValueError(f"unknown tail {self.kind!r}: {REFUSAL}")
        names = _PARAMETERS[self.kind]
        if len(self.params) != len(names):
            raise ValueError(f"{self.kind}({', '.join(names)}) got {len(self.params)} numbers")
        problem = _problem(self.kind, self.params)
        if problem:
            raise ValueError(f"{self.kind}({', '.join(names)}) {problem}, got {self.params!r}")

    def text(self) -> str:
        """The assumption in words, for reports."""
        if self.kind == "bernoulli":
            return "each value is 0 or 1"
        if self.kind == "bounded":
            return f"values in [{self.params[0]!r}, {self.params[1]!r}] (declared)"
        if self.kind == "sub_gaussian":
            return f"sub-Gaussian with parameter sigma = {self.params[0]!r} (declared)"
        if self.kind == "variance_at_most":
            return f"variance at most {self.params[0]!r} (declared)"
        bits, origin = self.params
        return f"any distribution; values kept to a relative 2^-{bits:g} of x - {origin!r}"


def _problem(kind: str, params: tuple[float, ...]) -> str:
    """What is wrong with the numbers of a declaration; empty if nothing."""
    if not all(math.isfinite(p) and abs(p) <= LARGEST_SCALE for p in params):
        return "needs finite numbers of size at most 1e100"
    if kind == "bounded" and not params[1] - params[0] >= SMALLEST_SCALE:
        return "needs lo < hi, apart by at least 1e-100"
    if kind in ("sub_gaussian", "variance_at_most") and not params[0] >= SMALLEST_SCALE:
        return "needs a number of at least 1e-100"
    if kind == "distribution" and not (params[0].is_integer() and 1.0 <= params[0] <= 20.0):
        return "needs a whole number of bits from 1 to 20"
    return ""


def bernoulli() -> Tail:
    """Values are 0 or 1 (or booleans); the mean is a probability."""
    return Tail("bernoulli")


def bounded(lo: float, hi: float) -> Tail:
    """Values in the closed interval [lo, hi]; ValueError unless finite and lo < hi."""
    return Tail("bounded", (float(lo), float(hi)))


def sub_gaussian(sigma: float) -> Tail:
    """E exp(t (X - E X)) <= exp(t^2 sigma^2 / 2) for all real t; a Gaussian has its own sigma."""
    return Tail("sub_gaussian", (float(sigma),))


def variance_at_most(var: float) -> Tail:
    """E (X - E X)^2 <= var, nothing else: heavy tails are allowed."""
    return Tail("variance_at_most", (float(var),))


def distribution(bits: int = 10, origin: float = 0.0) -> Tail:
    """Any distribution: serves quantiles, not means.

    Values are counted in bins that keep ``bits`` (1 to 20) binary digits of x - ``origin``: an
    ``origin`` near the quantiles of interest sharpens them where they are far from 0.
    """
    return Tail("distribution", (float(bits), float(origin)))


def checked(tail: Tail, values: NDArray[Any]) -> NDArray[np.float64]:
    """``values`` as one float64 axis, exactly, after checking them against ``tail``.

    Raises:
        ValueError: not real numbers, NaN or infinite, or an integer too large for float64.
        AssumptionBroken: a value outside the declared range.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"values must be real numbers, got dtype {array.dtype}")
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        raise ValueError(f"values of dtype {array.dtype} do not fit into float64; convert them")
    x = array.reshape(-1).astype(np.float64)
    if array.dtype.kind in "iu" and x.size and np.abs(x).max() >= 2.0**53:
        raise ValueError("integers of size 2**53 or more are not exact in float64; rescale")
    if not np.isfinite(x).all():
        bad = int(np.flatnonzero(~np.isfinite(x))[0])
        raise ValueError(f"value {float(x[bad])!r} at position {bad} is not a finite number")
    if tail.kind == "bernoulli":
        _inside(tail, x, (x == 0.0) | (x == 1.0))
    elif tail.kind == "bounded":
        _inside(tail, x, (x >= tail.params[0]) & (x <= tail.params[1]))
    elif x.size and np.abs(x).max() > LARGEST_SCALE:
        raise ValueError("values beyond 1e100 cannot be summed safely; rescale them")
    return x


def _inside(tail: Tail, x: NDArray[np.float64], ok: NDArray[np.bool_]) -> None:
    if not ok.all():
        bad = int(np.flatnonzero(~ok)[0])
        raise AssumptionBroken(
            f"value {float(x[bad])!r} at position {bad} contradicts: {tail.text()}"
        )
