"""Plain floating point: fast, without error bounds; it may suspect and it may sample."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import array_api_compat
import numpy as np
from flint import arb

from theorycheck.arrays.composite import Array, Axis, Composite
from theorycheck.arrays.errors import FloatLiteral, NotSupported

_ELEMENTWISE = (
    "sqrt",
    "exp",
    "expm1",
    "log",
    "log1p",
    "sin",
    "cos",
    "tan",
    "tanh",
    "sinh",
    "cosh",
    "abs",
    "sign",
    "floor",
)
_REDUCTIONS = ("sum", "prod", "max", "min", "argmax", "argmin", "argsort", "sort", "cumulative_sum")


class FloatNamespace(Composite):
    """Floating-point arrays of ``xp`` under the surface that all arithmetics share.

    ``xp``: array-API namespace (of NumPy, CuPy, array_api_strict); ``dtype``: name of a floating
    dtype, into which exact data is rounded; ``device``: passed on to ``xp`` when given. What the
    surface does not name is taken from ``xp``. Operators are those of ``xp``: Fractions enter through
    ``ns.asarray`` or ``ns.rational`` only.
    """

    kind = "float"

    def __init__(self, xp: Any, dtype: str = "float64", device: Any = None) -> None:
        self.xp = xp
        self.dtype = getattr(xp, dtype)
        self._where = {} if device is None else {"device": device}

    def __repr__(self) -> str:
        return f"FloatNamespace({self.xp.__name__}, {self.dtype})"

    # ---- primitives -------------------------------------------------------------------------------

    def _own(self, x: Any) -> bool:
        if not (array_api_compat.is_array_api_obj(x) or isinstance(x, np.generic)):
            return False
        kind = getattr(x.dtype, "kind", None)  # NumPy's and CuPy's dtypes have one
        return kind == "f" if kind else bool(self.xp.isdtype(x.dtype, "real floating"))

    def _map(self, x: Array, move: Callable[[Any], Any]) -> Array:
        return move(x if hasattr(x, "shape") else self.asarray(x))

    def _join(self, parts: list[Array], join: Callable[[list[Any]], Any]) -> Array:
        return join(parts)

    def _from_host(self, numbers: Any) -> Array:
        if numbers.dtype == object:
            rounded = np.array([float(Fraction(x)) for x in numbers.reshape(-1)])
            numbers = rounded.reshape(numbers.shape)
        return self.xp.asarray(numbers.astype(np.float64), dtype=self.dtype, **self._where)

    def number(self, index: Any) -> Array:
        if (
            isinstance(index, np.ndarray) and index.dtype == np.bool_
        ):  # exact without a pass through integers
            return self.xp.asarray(index.astype(np.float64), dtype=self.dtype, **self._where)
        return super().number(index)

    def _from_plain(self, index: Any) -> Array:
        return self.xp.astype(index, self.dtype)

    def _from_balls(self, balls: Sequence[arb]) -> Array:
        values = np.array([float(ball.mid()) for ball in balls])
        return self.xp.asarray(values, dtype=self.dtype, **self._where)

    def _select(self, mask: Any, a: Array, b: Array) -> Array:
        return self.xp.where(mask, a, b)

    def _shift(self, x: Array, axis: Axis) -> Array:
        return self.xp.max(x, axis=axis, keepdims=True)

    # ---- surface ----------------------------------------------------------------------------------

    def asarray(self, value: Any) -> Array:
        """Number array from integers, Fractions, SymPy rationals or nested lists of them; float arrays of
        ``xp`` pass, Python floats are refused."""
        if type(value) is float:
            raise FloatLiteral(value)
        return super().asarray(value)

    def from_float64(self, values: Any) -> Array:
        """Array from a host array of doubles (random draws), rounded to the dtype."""
        return self.xp.asarray(np.asarray(values, np.float64), dtype=self.dtype, **self._where)

    def matmul(self, a: Array, b: Array) -> Array:
        """Products of matrices (..., n, k) and (..., k, m), shape (..., n, m); as ``a @ b``."""
        return self.xp.matmul(self.asarray(a), self.asarray(b))

    def maximum(self, a: Any, b: Any) -> Array:
        """The larger of two numbers, entry by entry."""
        return self.xp.maximum(self.asarray(a), self.asarray(b))

    def minimum(self, a: Any, b: Any) -> Array:
        """The smaller of two numbers, entry by entry."""
        return self.xp.minimum(self.asarray(a), self.asarray(b))

    def erf(self, x: Array) -> Array:
        """The error function of reals, entry by entry."""
        return special(self.xp, "erf")(self.asarray(x))

    def solve(self, a: Array, b: Array) -> Array:
        """Solution of A x = b; ``b`` of shape (..., n) with A (n, n), or (..., n, m)."""
        return self.xp.linalg.solve(a, b)

    def inv(self, a: Array) -> Array:
        """Inverses (..., n, n) of square matrices that are not singular."""
        return self.xp.linalg.inv(a)

    def det(self, a: Array) -> Array:
        """Determinants (...,) of square matrices (..., n, n)."""
        return self.xp.linalg.det(a)

    def eigvalsh(self, a: Array) -> Array:
        """Eigenvalues (..., n) of symmetric matrices (..., n, n), the smallest first."""
        return self.xp.linalg.eigvalsh(a)

    def svdvals(self, a: Array) -> Array:
        return self.xp.linalg.svdvals(a)

    def dft(self, real: Array, imag: Array | None = None, axis: int = -1) -> tuple[Array, Array]:
        """Discrete Fourier transform (real part, imaginary part) by the FFT of ``xp``."""
        whole = real + 0j if imag is None else real + 1j * imag
        out = self.xp.fft.fft(whole, axis=axis)
        return self.xp.real(out), self.xp.imag(out)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self.xp, name)
        if name in _ELEMENTWISE:
            return lambda x: found(self.asarray(x))
        if name in _REDUCTIONS:
            return lambda x, **how: found(x if self._is_plain(x) else self.asarray(x), **how)
        return found


def special(xp: Any, name: str) -> Callable[[Any], Any]:
    """A special function for arrays of ``xp``. Raises NotSupported where the library has none."""
    if array_api_compat.is_numpy_namespace(xp):
        module = "scipy.special"
    elif array_api_compat.is_cupy_namespace(xp):
        module = "cupyx.scipy.special"
    else:
        raise NotSupported(f"{name} is not available for arrays of {xp.__name__}")
    found: Callable[[Any], Any] = getattr(importlib.import_module(module), name)
    return found
