"""Arrays of python-flint numbers: what balls and rationals have in common."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import array_api_compat.numpy as xp
import numpy as np

from theorycheck.arrays.composite import Array, Axis, Composite
from theorycheck.arrays.errors import FloatLiteral, UndecidedBranch
from theorycheck.arrays.leaves import axes_of
from theorycheck.arrays.work import spend, spend_shapes
from theorycheck.numbers.enclosure import Enclosure


class ObjectArray:
    """An array of flint numbers (``data``: NumPy object array) of one `Namespace`; immutable.

    Operators take arrays of the same namespace, ints, Fractions and integer arrays; a float raises
    FloatLiteral. Comparisons give plain boolean arrays or raise UndecidedBranch.
    """

    __slots__ = ("data", "ns")
    __array_ufunc__ = None  # so that NumPy leaves mixed operators to this class

    def __init__(self, ns: ObjectNamespace, data: Any) -> None:
        self.ns = ns
        self.data = data if isinstance(data, np.ndarray) else _box(data)
        spend(self.data.size)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.data.shape)

    @property
    def ndim(self) -> int:
        return int(self.data.ndim)

    @property
    def size(self) -> int:
        return int(self.data.size)

    @property
    def mT(self) -> ObjectArray:
        return self.map(xp.matrix_transpose)

    T = mT

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[ObjectArray]:
        return (self[i, ...] for i in range(len(self)))

    def __getitem__(self, index: Any) -> ObjectArray:
        return self.map(lambda a: a[index])

    def map(self, move: Callable[[Any], Any]) -> ObjectArray:
        """The same rearrangement of entries, in a new array."""
        return ObjectArray(self.ns, move(self.data))

    def __repr__(self) -> str:
        return f"ObjectArray({self.ns!r}, {self.data!r})"

    def __bool__(self) -> bool:
        raise TypeError("an array of exact numbers is neither true nor false: compare it")

    def __float__(self) -> float:
        raise TypeError("an exact number is no float: keep it in the namespace, or use enclose()")

    def enclosures(self) -> list[Enclosure]:
        """Of all entries, in row-major order. Raises NotFinite where a ball is not finite."""
        return [self.ns._enclosure(v) for v in self.data.reshape(-1)]

    # ---- arithmetic -------------------------------------------------------------------------------

    def _apply(self, other: Any, function: Callable[[Any, Any], Any]) -> Any:
        o = self.ns._operand(other)
        if o is None:
            return NotImplemented
        spend_shapes(self.shape, o.shape)
        with self.ns.working():
            return ObjectArray(self.ns, function(self.data, o.data))

    def __neg__(self) -> ObjectArray:
        with self.ns.working():
            return ObjectArray(self.ns, -self.data)

    def __pos__(self) -> ObjectArray:
        return self

    def __abs__(self) -> Any:
        return self.ns.abs(self)

    def __add__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._apply(other, self.ns._divide)

    def __rtruediv__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: self.ns._divide(b, a))

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, float):
            raise FloatLiteral(exponent)
        return self.ns.pow(self, exponent)

    def __matmul__(self, other: Any) -> Any:
        return self.ns.matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return self.ns.matmul(other, self)

    # ---- decisions --------------------------------------------------------------------------------

    def _decide(
        self, op: str, other: Any, yes: Callable[[Any, Any], bool], no: Callable[[Any, Any], bool]
    ) -> Any:
        o = self.ns._operand(other)
        if o is None:
            return NotImplemented
        left, right = np.broadcast_arrays(self.data, o.data)
        out = np.empty(left.shape, dtype=bool)
        for at in np.ndindex(left.shape):
            a, b = left[at], right[at]
            out[at] = bool(yes(a, b))
            if not out[at] and not no(a, b):
                raise UndecidedBranch(op, at, f"{a} against {b}")
        return out

    def __lt__(self, other: Any) -> Any:
        return self._decide("<", other, lambda a, b: a < b, lambda a, b: a >= b)

    def __le__(self, other: Any) -> Any:
        return self._decide("<=", other, lambda a, b: a <= b, lambda a, b: a > b)

    def __gt__(self, other: Any) -> Any:
        return self._decide(">", other, lambda a, b: a > b, lambda a, b: a <= b)

    def __ge__(self, other: Any) -> Any:
        return self._decide(">=", other, lambda a, b: a >= b, lambda a, b: a < b)

    def __eq__(self, other: Any) -> Any:
        return self._decide("==", other, lambda a, b: a == b, lambda a, b: a < b or a > b)

    def __ne__(self, other: Any) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else ~same


def _box(value: Any) -> np.ndarray[Any, Any]:
    out = np.empty((), dtype=object)
    out[()] = value
    return out


class ObjectNamespace(Composite):
    """Shared by `BallNamespace` and `RationalNamespace`: everything but the numbers themselves."""

    xp = xp

    def _make(self, value: Any) -> Any:
        """A flint number from an int or a Fraction."""
        raise NotImplementedError

    def _enclosure(self, value: Any) -> Enclosure:
        """The exact ends of a flint number."""
        raise NotImplementedError

    def _divide(self, a: Any, b: Any) -> Any:
        return a / b

    def _matrix(self, rows: int, columns: int, entries: list[Any]) -> Any:
        raise NotImplementedError

    def _maximum(self, a: Any, b: Any) -> Any:
        raise NotImplementedError

    def _minimum(self, a: Any, b: Any) -> Any:
        raise NotImplementedError

    # ---- primitives -------------------------------------------------------------------------------

    def _own(self, x: Any) -> bool:
        return isinstance(x, ObjectArray)

    def _map(self, x: Array, move: Callable[[Any], Any]) -> Array:
        return move(x) if self._is_plain(x) else self.asarray(x).map(move)

    def _join(self, parts: list[Array], join: Callable[[list[Any]], Any]) -> Array:
        return ObjectArray(self, join([p.data for p in parts]))

    def _from_host(self, numbers: Any) -> ObjectArray:
        out = np.empty(numbers.shape, dtype=object)
        with self.working():
            for at in np.ndindex(numbers.shape):
                value = numbers[at]
                out[at] = self._make(int(value) if isinstance(value, np.integer) else value)
        return ObjectArray(self, out)

    def _operand(self, other: Any) -> Any:
        """Another operand as an array; None when the type is unknown. Raises FloatLiteral."""
        if isinstance(other, ObjectArray):
            if other.ns.kind != self.kind:
                raise TypeError(f"cannot mix {self.kind} and {other.ns.kind} arrays")
            return other
        return self._other(other)

    def _select(self, mask: Any, a: ObjectArray, b: ObjectArray) -> ObjectArray:
        return ObjectArray(self, np.where(mask, a.data, b.data))

    def _each(self, x: Array, function: Callable[[Any], Any]) -> ObjectArray:
        """``function`` of every entry, at the working precision."""
        data = self.asarray(x).data
        out = np.empty(data.shape, dtype=object)
        with self.working():
            for at in np.ndindex(data.shape):
                out[at] = function(data[at])
        return ObjectArray(self, out)

    def _fold(self, x: Array, axis: Axis, function: Callable[[Any, Any], Any]) -> ObjectArray:
        """Reduction by a binary function, over one axis after another."""
        data = self.asarray(x).data
        step = np.frompyfunc(function, 2, 1)
        with self.working():
            for a in reversed(axes_of(axis, data.ndim)):
                data = np.asarray(step.reduce(data, axis=a), dtype=object)
        return ObjectArray(self, data)

    def from_float64(self, values: Any) -> ObjectArray:
        """Array of the given host doubles, each read as the dyadic number that it is."""
        host = np.asarray(values, dtype=np.float64)
        out = np.empty(host.shape, dtype=object)
        for at in np.ndindex(host.shape):
            out[at] = self._from_double(float(host[at]))
        return ObjectArray(self, out)

    def _from_double(self, value: float) -> Any:
        raise NotImplementedError

    # ---- sums and products ------------------------------------------------------------------------

    def sum(self, x: Array, axis: Axis = None, keepdims: bool = False) -> Array:
        if self._is_plain(x):
            return xp.sum(x, axis=axis, keepdims=keepdims)
        x = self.asarray(x)
        with self.working():
            total = np.sum(x.data, axis=axis, keepdims=keepdims, initial=self._make(0))
            return ObjectArray(self, total)

    def cumulative_sum(self, x: Array, axis: int = -1) -> Array:
        if self._is_plain(x):
            return xp.cumulative_sum(x, axis=axis)
        x = self.asarray(x)
        with self.working():
            return ObjectArray(self, np.cumsum(x.data, axis=axis, dtype=object))

    def prod(self, x: Array, axis: Axis = None) -> Array:
        if self._is_plain(x):
            return xp.prod(x, axis=axis)
        x = self.asarray(x)
        with self.working():
            return ObjectArray(self, np.prod(x.data, axis=axis, initial=self._make(1)))

    def matmul(self, a: Array, b: Array) -> Array:
        """Matrix product by flint's matrices; batched over leading axes."""
        if self._is_plain(a) and self._is_plain(b):
            return xp.matmul(a, b)
        x, y = self.asarray(a).data, self.asarray(b).data
        if not x.ndim or not y.ndim:
            raise ValueError("matmul takes arrays of at least one dimension")
        left = x[None, :] if x.ndim == 1 else x
        right = y[:, None] if y.ndim == 1 else y
        n, k, m = left.shape[-2], left.shape[-1], right.shape[-1]
        if k != right.shape[-2]:
            raise ValueError(f"matmul: shapes {x.shape} and {y.shape} do not fit")
        lead = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
        left = np.broadcast_to(left, (*lead, n, k))
        right = np.broadcast_to(right, (*lead, k, m))
        spend(math.prod(lead) * n * k * m)
        out = np.empty((*lead, n, m), dtype=object)
        with self.working():
            for at in np.ndindex(lead):
                p = self._matrix(n, k, list(left[at].reshape(-1)))
                q = self._matrix(k, m, list(right[at].reshape(-1)))
                out[at] = _table((p * q).entries(), (n, m))
        if x.ndim == 1:
            out = out[..., 0, :]
        if y.ndim == 1:
            out = out[..., 0]
        return ObjectArray(self, out)

    # ---- linear algebra ---------------------------------------------------------------------------

    def solve(self, a: Array, b: Array) -> Array:
        """Solution of A x = b; ``b`` of shape (n,), or (..., n, m) beside A (..., n, n).

        Raises ZeroDivisionError when A is singular or cannot be told from a singular matrix.
        """
        y = self.asarray(b)
        if y.ndim == 1:
            return self.squeeze(self._solve(a, self.expand_dims(y, axis=-1)), axis=-1)
        return self._solve(a, y)

    def _solve(self, a: Array, b: ObjectArray) -> ObjectArray:
        x = self._square(a)
        lead = np.broadcast_shapes(x.shape[:-2], b.shape[:-2])
        n, m = x.shape[-1], b.shape[-1]
        spend(math.prod(lead) * n * n * (n + m))
        left = np.broadcast_to(x.data, (*lead, n, n))
        right = np.broadcast_to(b.data, (*lead, n, m))
        out = np.empty((*lead, n, m), dtype=object)
        with self.working():
            for at in np.ndindex(lead):
                p = self._matrix(n, n, list(left[at].reshape(-1)))
                q = self._matrix(n, m, list(right[at].reshape(-1)))
                out[at] = _table(p.solve(q).entries(), (n, m))
        return ObjectArray(self, out)

    def inv(self, a: Array) -> ObjectArray:
        """Inverse matrices; raises ZeroDivisionError as `solve` does."""
        x = self._square(a)
        return self._solve(x, self.eye(x.shape[-1]))

    def det(self, a: Array) -> ObjectArray:
        return self._per_matrix(a, lambda m: m.det(), ())

    def _per_matrix(
        self, a: Array, function: Callable[[Any], Any], tail: tuple[int, ...]
    ) -> ObjectArray:
        x = self._square(a)
        n = x.shape[-1]
        spend(x.size * n)
        out = np.empty((*x.shape[:-2], *tail), dtype=object)
        with self.working():
            for at in np.ndindex(x.shape[:-2]):
                out[at] = function(self._matrix(n, n, list(x.data[at].reshape(-1))))
        return ObjectArray(self, out)

    def _square(self, a: Array) -> Array:
        x = self.asarray(a)
        if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
            raise ValueError(f"expected square matrices (..., n, n), got shape {x.shape}")
        return x

    # ---- order ------------------------------------------------------------------------------------

    def abs(self, x: Array) -> Array:
        return xp.abs(x) if self._is_plain(x) else self._each(x, abs)

    def sign(self, x: Array) -> ObjectArray:
        """-1, 0 or 1, decided for every entry; raises UndecidedBranch otherwise."""
        x = self.asarray(x)
        out = np.empty(x.shape, dtype=np.int64)
        for at in np.ndindex(x.shape):
            v = x.data[at]
            if not (v > 0 or v < 0 or v == 0):
                raise UndecidedBranch("sign", at, str(v))
            out[at] = 1 if v > 0 else -1 if v < 0 else 0
        return self._from_host(out)

    def maximum(self, a: Any, b: Any) -> ObjectArray:
        return self._pairwise(a, b, self._maximum)

    def minimum(self, a: Any, b: Any) -> ObjectArray:
        return self._pairwise(a, b, self._minimum)

    def _pairwise(self, a: Any, b: Any, function: Callable[[Any, Any], Any]) -> ObjectArray:
        x, y = self.asarray(a), self.asarray(b)
        with self.working():
            return ObjectArray(self, np.frompyfunc(function, 2, 1)(x.data, y.data))

    def max(self, x: Array, axis: Axis = None) -> Array:
        return xp.max(x, axis=axis) if self._is_plain(x) else self._fold(x, axis, self._maximum)

    def min(self, x: Array, axis: Axis = None) -> Array:
        return xp.min(x, axis=axis) if self._is_plain(x) else self._fold(x, axis, self._minimum)

    def argmax(self, x: Array, axis: int | None = None) -> Any:
        """Plain index of the largest entry (the first of exact ties), where that is decided."""
        return self._winner("argmax", x, axis, lambda a, b: a > b)

    def argmin(self, x: Array, axis: int | None = None) -> Any:
        return self._winner("argmin", x, axis, lambda a, b: a < b)

    def _winner(
        self, op: str, x: Array, axis: int | None, beats: Callable[[Any, Any], bool]
    ) -> Any:
        if self._is_plain(x):
            return getattr(xp, op)(x, axis=axis)
        x = self.asarray(x)
        flat = x.data.reshape(-1) if axis is None else np.moveaxis(x.data, axis, -1)
        out = np.empty(flat.shape[:-1], dtype=np.int64)
        for at in np.ndindex(out.shape):
            row, best = flat[at], 0
            for i in range(1, len(row)):
                if beats(row[i], row[best]):
                    best = i
            for i in range(len(row)):  # a provisional winner may owe its place to undecided losers
                tied = i > best and row[i] == row[best]
                if i != best and not beats(row[best], row[i]) and not tied:
                    raise UndecidedBranch(op, (*at, i), f"{row[i]} against {row[best]}")
            out[at] = best
        return out

    def argsort(self, x: Array, axis: int = -1) -> Any:
        """Plain indices that sort ascending; exact ties keep their order; otherwise decided or raise."""
        if self._is_plain(x):
            return xp.argsort(x, axis=axis)
        flat = np.moveaxis(self.asarray(x).data, axis, -1)
        out = np.empty(flat.shape, dtype=np.int64)
        for at in np.ndindex(flat.shape[:-1]):
            row = flat[at]
            order = sorted(range(len(row)), key=lambda i: self._centre(row[i]))
            for i, j in itertools.pairwise(order):
                if not (row[i] < row[j] or (row[i] == row[j] and i < j)):
                    raise UndecidedBranch("argsort", (*at, i), f"{row[i]} against {row[j]}")
            out[at] = order
        return np.moveaxis(out, -1, axis)

    def sort(self, x: Array, axis: int = -1) -> Array:
        """Ascending values, where their order is decided."""
        if self._is_plain(x):
            return xp.sort(x, axis=axis)
        return self.take_along_axis(x, self.argsort(x, axis=axis), axis=axis)

    def _centre(self, value: Any) -> Any:
        return value

    def floor(self, x: Array) -> ObjectArray:
        """Largest integer below, decided for every entry; raises UndecidedBranch otherwise."""
        x = self.asarray(x)
        out = np.empty(x.shape, dtype=object)
        with self.working():
            for at in np.ndindex(x.shape):
                whole = self._floor(x.data[at])
                if whole is None:
                    raise UndecidedBranch("floor", at, str(x.data[at]))
                out[at] = self._make(whole)
        return ObjectArray(self, out)

    def _floor(self, value: Any) -> int | None:
        raise NotImplementedError


def _table(entries: list[Any], shape: tuple[int, int]) -> np.ndarray[Any, Any]:
    out = np.empty(math.prod(shape), dtype=object)
    out[:] = entries
    return out.reshape(shape)
