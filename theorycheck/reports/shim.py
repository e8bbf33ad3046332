"""What stands in a script without theorycheck for what a claim is given: ``ns``, ``rng`` and exact numbers.

`theorycheck.reports.export` writes the source of these definitions, as they stand here, into the scripts
that need them. They use NumPy and mpmath alone and nothing of this package.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np


def as_mpf(value: Any) -> Any:
    """An exact number, or a double, as a number of mpmath."""
    if isinstance(value, mpmath.mpf):
        return value
    exact = Fraction(value)
    return mpmath.mpf(exact.numerator) / exact.denominator


def elementwise(function: Any) -> Any:
    """A function of numbers as one of arrays of them."""
    return np.vectorize(function, otypes=[object])


def array(values: Any) -> Any:
    """An array of numbers of mpmath."""
    return elementwise(as_mpf)(np.array(values, dtype=object))


class Namespace:
    """The array functions that a simulation is given as ``ns``; those without a line here are NumPy's."""

    def __getattr__(self, name: str) -> Any:
        for place in (np, np.linalg):
            if hasattr(place, name):
                return getattr(place, name)
        raise AttributeError(f"NumPy has no {name}")

    def square(self, x: Any) -> Any:
        return x * x

    def relu(self, x: Any) -> Any:
        return np.maximum(x, 0)

    def softplus(self, x: Any) -> Any:
        return np.maximum(x, 0) + self.log1p(self.exp(-np.abs(x)))

    def trace(self, x: Any) -> Any:
        return np.trace(x, axis1=-2, axis2=-1)

    def pow(self, x: Any, a: Any) -> Any:
        return x**a

    def vecdot(self, a: Any, b: Any, axis: int = -1) -> Any:
        return np.sum(a * b, axis=axis)

    def norm(self, x: Any, axis: Any = None) -> Any:
        return self.sqrt(np.sum(x * x, axis=axis))

    def indices(self, x: Any) -> Any:
        return np.asarray(x)


class ExactNamespace(Namespace):
    """``ns`` with numbers of mpmath."""

    def __getattr__(self, name: str) -> Any:
        if name == "pi":
            return +mpmath.pi
        if name in [
            "sqrt",
            "exp",
            "log",
            "sin",
            "cos",
            "tan",
            "tanh",
            "sinh",
            "cosh",
            "erf",
            "expm1",
            "log1p",
        ]:
            return elementwise(getattr(mpmath, name))
        return getattr(np, name)  # none of NumPy's linear algebra: it knows doubles alone

    def det(self, x: Any) -> Any:
        with mpmath.workprec(
            4 * mpmath.mp.prec
        ):  # rounded once, so that simple numbers come out as they are
            each = [mpmath.det(mpmath.matrix(m.tolist())) for m in x.reshape(-1, *x.shape[-2:])]
        return np.array([+d for d in each], dtype=object).reshape(x.shape[:-2])

    def asarray(self, x: Any) -> Any:
        return array(x)

    def number(self, x: Any) -> Any:
        return array(x)

    def rational(self, a: Any, b: Any = 1) -> Any:
        return mpmath.mpf(a) / b

    def power(self, x: Any, a: Any, b: Any = 1) -> Any:
        return x ** (mpmath.mpf(a) / b)

    def zeros(self, shape: Any) -> Any:
        return np.full(shape, mpmath.mpf(0))

    def ones(self, shape: Any) -> Any:
        return np.full(shape, mpmath.mpf(1))

    def svdvals(self, a: Any) -> Any:
        flat = [
            mpmath.svd_r(mpmath.matrix(m.tolist()), compute_uv=False)
            for m in a.reshape(-1, *a.shape[-2:])
        ]
        return np.array([list(values) for values in flat]).reshape(*a.shape[:-2], -1)

    def eigvalsh(self, a: Any) -> Any:
        flat = [
            mpmath.eigsy(mpmath.matrix(m.tolist()), eigvals_only=True)
            for m in a.reshape(-1, *a.shape[-2:])
        ]
        return np.array([list(values) for values in flat]).reshape(*a.shape[:-2], -1)

    def cos_2pi(self, j: Any, p: int) -> Any:
        return elementwise(lambda i: mpmath.cospi(mpmath.mpf(2 * int(i)) / p))(j)

    def sin_2pi(self, j: Any, p: int) -> Any:
        return elementwise(lambda i: mpmath.sinpi(mpmath.mpf(2 * int(i)) / p))(j)


class DoubleNamespace(Namespace):
    """``ns`` with doubles."""

    def asarray(self, x: Any) -> Any:
        return np.asarray(x, dtype=float)

    def number(self, x: Any) -> Any:
        return np.asarray(x, dtype=float)

    def rational(self, a: Any, b: Any = 1) -> Any:
        return float(a) / b

    def power(self, x: Any, a: Any, b: Any = 1) -> Any:
        return x ** (a / b)

    def cos_2pi(self, j: Any, p: int) -> Any:
        return np.cos(2 * np.pi * (np.asarray(j) % p) / p)

    def sin_2pi(self, j: Any, p: int) -> Any:
        return np.sin(2 * np.pi * (np.asarray(j) % p) / p)


class RandomNumbers:
    """The random numbers that a simulation is given as ``rng``."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.default_rng(seed)

    def normal(self, shape: Any = ()) -> Any:
        return self.generator.standard_normal(shape)

    def uniform(self, shape: Any = (), low: Any = 0, high: Any = 1) -> Any:
        return self.generator.uniform(float(low), float(high), shape)

    def integers(self, low: int, high: int, shape: Any = ()) -> Any:
        return self.generator.integers(low, high, shape)

    def signs(self, shape: Any = ()) -> Any:
        return self.generator.choice([-1.0, 1.0], shape)

    def bernoulli(self, p: Any, shape: Any = ()) -> Any:
        return (self.generator.random(shape) < float(p)).astype(int)
