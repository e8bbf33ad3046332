"""The part of the surface that is written once: shapes, contractions and whatever follows from + - *.

`Composite` is an implementation detail shared by the namespaces; simulations only see its methods.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from theorycheck.arrays.backends import to_host
from theorycheck.arrays.enclosing import enclose
from theorycheck.arrays.errors import FloatLiteral, NotSupported
from theorycheck.arrays.leaves import exact_number, host_numbers, reduced_count
from theorycheck.numbers.enclosure import Enclosure

Array = Any
Axis = int | tuple[int, ...] | None
Shape = int | tuple[int, ...]


class Composite:
    """Methods that need only the primitives below, which each arithmetic supplies."""

    xp: Any
    kind: str
    _where: Mapping[str, object] = {}

    # ---- primitives -------------------------------------------------------------------------------

    def _own(self, x: Any) -> bool:
        """Whether ``x`` is an array of numbers of this namespace."""
        raise NotImplementedError

    def _map(self, x: Array, move: Callable[[Any], Any]) -> Array:
        """Apply a rearrangement of entries (no arithmetic) to an array."""
        raise NotImplementedError

    def _join(self, parts: list[Array], join: Callable[[list[Any]], Any]) -> Array:
        raise NotImplementedError

    def _from_host(self, numbers: Any) -> Array:
        """Number array from a host array of int64 or of exact objects."""
        raise NotImplementedError

    def _from_balls(self, balls: Sequence[arb]) -> Array:
        """Number vector enclosing (or rounding) balls of at least `_table_bits` bits."""
        raise NotImplementedError

    def _select(self, mask: Any, a: Array, b: Array) -> Array:
        raise NotImplementedError

    def _shift(self, x: Array, axis: Axis) -> Array:
        """A constant near the maximum along ``axis`` (kept dims), treated as exact."""
        raise NotImplementedError

    _table_bits: int = 96

    # ---- making arrays ----------------------------------------------------------------------------

    def working(self) -> AbstractContextManager[Any]:
        """Context in which a simulation runs (sets the working precision where there is one)."""
        return nullcontext(self)

    def asarray(self, value: Any) -> Array:
        """Number array from exact data.

        ``value``: int, Fraction, fmpq, SymPy Rational, integer array, nested list of these or of
        number arrays of equal shapes. Raises FloatLiteral (a TypeError) for floats, ValueError for
        ragged lists.
        """
        if self._own(value):
            return value
        if isinstance(value, list | tuple) and self._holds_arrays(value):
            return self.stack([self.asarray(item) for item in value])
        if self._is_plain(value):
            return self.number(value)
        return self._from_host(host_numbers(value))

    def _holds_arrays(self, value: Any) -> bool:
        """Whether a nested list has number arrays of this namespace at its leaves."""
        if isinstance(value, list | tuple):
            return any(self._holds_arrays(item) for item in value)
        return self._own(value)

    def number(self, index: Any) -> Array:
        """Number array from an integer or boolean array of ``xp`` (or from exact numbers)."""
        if not self._is_plain(index):
            return self.asarray(index)
        if isinstance(index, np.ndarray | np.generic):  # on the host, whatever xp is
            return self._from_host(host_numbers(index))
        return self._from_plain(index)

    def _from_plain(self, index: Any) -> Array:
        return self._from_host(host_numbers(to_host(index)))

    def rational(self, numerator: int, denominator: int = 1) -> Array:
        """The number numerator / denominator. Shape ()."""
        return self.asarray(Fraction(numerator, denominator))

    @property
    def pi(self) -> Array:
        return self._constant("pi")

    @property
    def e(self) -> Array:
        return self._constant("e")

    def _constant(self, name: str) -> Array:
        with ctx.workprec(self._table_bits):
            ball = arb.pi() if name == "pi" else arb.const_e()
        return self._from_balls([ball])[0]

    def zeros(self, shape: Shape) -> Array:
        """An array of zeros."""
        return self.full(shape, 0)

    def ones(self, shape: Shape) -> Array:
        """An array of ones."""
        return self.full(shape, 1)

    def full(self, shape: Shape, value: Any) -> Array:
        """An array of a shape with this number in every entry."""
        return self.broadcast_to(self.asarray(value), _shape(shape))

    def eye(self, rows: int, columns: int | None = None) -> Array:
        """The identity matrix (rows, rows), or (rows, columns) with ones on its diagonal."""
        return self.number(self._diagonal_mask(rows, rows if columns is None else columns))

    def linspace(self, start: Any, stop: Any, count: int) -> Array:
        """``count`` equally spaced exact numbers, both ends included. Ends: exact numbers."""
        a, b = self.asarray(start), self.asarray(stop)
        return a + (b - a) * self.number(self.arange(count)) / max(count - 1, 1)

    def arange(self, start: int, stop: int | None = None, step: int = 1) -> Any:
        """Plain integer array of ``xp`` (an index array in every namespace)."""
        if stop is None:
            start, stop = 0, start
        return self.xp.arange(start, stop, step, dtype=self.xp.int64, **self._where)

    def indices(self, values: Any) -> Any:
        """Plain integer array of ``xp`` from a nested list of integers."""
        return self._plain_int(host_numbers(values))

    def one_hot(self, index: Any, size: int) -> Array:
        """Number array with a new last axis of length ``size``, 1 at ``index`` and 0 elsewhere."""
        return self.number(self.xp.expand_dims(index, axis=-1) == self.arange(size))

    # ---- shapes -----------------------------------------------------------------------------------

    def reshape(self, x: Array, shape: Shape) -> Array:
        """The same entries, last axis fastest, in another shape."""
        return self._map(x, lambda a: self.xp.reshape(a, _shape(shape)))

    def broadcast_to(self, x: Array, shape: Shape) -> Array:
        """The array repeated to a shape, by the array API's rules."""
        return self._map(x, lambda a: self.xp.broadcast_to(a, _shape(shape)))

    def expand_dims(self, x: Array, axis: int = 0) -> Array:
        """The array with a new axis of size 1 at this place."""
        return self._map(x, lambda a: self.xp.expand_dims(a, axis=axis))

    def squeeze(self, x: Array, axis: int | tuple[int, ...]) -> Array:
        """The array without an axis, or several, of size 1."""
        return self._map(x, lambda a: self.xp.squeeze(a, axis=axis))

    def permute_dims(self, x: Array, axes: tuple[int, ...]) -> Array:
        """The array with its axes in the order ``axes``."""
        return self._map(x, lambda a: self.xp.permute_dims(a, tuple(axes)))

    def matrix_transpose(self, x: Array) -> Array:
        """Matrices (..., n, m) as (..., m, n)."""
        return self._map(x, lambda a: self.xp.matrix_transpose(a))

    def moveaxis(self, x: Array, source: int, destination: int) -> Array:
        """The array with one axis moved to another place; the others keep their order."""
        order = list(range(x.ndim))
        order.insert(destination % x.ndim, order.pop(source % x.ndim))
        return self.permute_dims(x, tuple(order))

    def flip(self, x: Array, axis: Axis = None) -> Array:
        """The entries in reverse order along an axis; along all axes without one."""
        return self._map(x, lambda a: self.xp.flip(a, axis=axis))

    def roll(self, x: Array, shift: int, axis: Axis = None) -> Array:
        """The entries shifted along an axis, what leaves at the end comes in at the beginning."""
        return self._map(x, lambda a: self.xp.roll(a, shift, axis=axis))

    def repeat(self, x: Array, repeats: int, axis: int) -> Array:
        """Each entry so many times, one beside the other, along an axis."""
        return self.take(x, self.arange(x.shape[axis] * repeats) // repeats, axis=axis)

    def take(self, x: Array, index: Any, axis: int) -> Array:
        """The entries at integers ``index`` along an axis."""
        return self._map(x, lambda a: self.xp.take(a, index, axis=axis))

    def take_along_axis(self, x: Array, index: Any, axis: int) -> Array:
        """The entries at integers ``index``, an array with as many axes, along an axis."""
        return self._map(x, lambda a: self.xp.take_along_axis(a, index, axis=axis))

    def stack(self, arrays: Sequence[Array], axis: int = 0) -> Array:
        """Arrays of one shape along a new axis."""
        return self._joined(list(arrays), lambda parts: self.xp.stack(parts, axis=axis))

    def concat(self, arrays: Sequence[Array], axis: int = 0) -> Array:
        """Arrays one after another along an axis that they have; their other sizes agree."""
        return self._joined(list(arrays), lambda parts: self.xp.concat(parts, axis=axis))

    def _joined(self, parts: list[Array], join: Callable[[list[Any]], Any]) -> Array:
        if not parts:
            raise ValueError("nothing to join: an empty list of arrays")
        if all(self._is_plain(p) for p in parts):
            return join(parts)
        return self._join([self.asarray(p) for p in parts], join)

    def tril(self, x: Array, k: int = 0) -> Array:
        """Entries on and below the k-th diagonal of the last two axes; 0 elsewhere."""
        below = self.arange(x.shape[-1])[None, :] <= self.arange(x.shape[-2])[:, None] + k
        return self.where(below, x, 0)

    def triu(self, x: Array, k: int = 0) -> Array:
        """Matrices (..., n, m) with zeros below the k-th diagonal."""
        above = self.arange(x.shape[-1])[None, :] >= self.arange(x.shape[-2])[:, None] + k
        return self.where(above, x, 0)

    def diag(self, x: Array) -> Array:
        """Diagonal matrix (..., n, n) of vectors (..., n)."""
        n = x.shape[-1]
        return self.where(self._diagonal_mask(n, n), self.expand_dims(x, axis=-1), 0)

    def diagonal(self, x: Array) -> Array:
        """Main diagonals (..., n) of matrices (..., n, m), n <= m or m <= n."""
        rows, columns = x.shape[-2], x.shape[-1]
        flat = self.reshape(x, (*x.shape[:-2], rows * columns))
        return self.take(flat, self.arange(min(rows, columns)) * (columns + 1), axis=-1)

    def trace(self, x: Array) -> Array:
        """Sums (...,) of the diagonals of matrices (..., n, m)."""
        return self.sum(self.diagonal(x), axis=-1)

    def where(self, mask: Any, a: Any, b: Any) -> Array:
        """``a`` where the plain boolean ``mask`` holds, else ``b``; integers and Fractions allowed."""
        if self._is_plain(a) and self._is_plain(b):
            return self.xp.where(mask, a, b)
        return self._select(mask, self.asarray(a), self.asarray(b))

    def _diagonal_mask(self, rows: int, columns: int) -> Any:
        return self.arange(rows)[:, None] == self.arange(columns)[None, :]

    def _plain_int(self, values: Any) -> Any:
        return self.xp.asarray(host_numbers(values), **self._where)

    def _is_plain(self, x: Any) -> bool:
        """Whether ``x`` is a plain integer or boolean array of ``xp``."""
        if self._own(x) or not hasattr(x, "dtype") or not hasattr(x, "shape"):
            return False
        kind = getattr(x.dtype, "kind", None)
        if kind is not None:
            return kind in "iub"
        return bool(self.xp.isdtype(x.dtype, ("bool", "integral")))

    # ---- sums and contractions --------------------------------------------------------------------

    def _other(self, other: Any) -> Any:
        """What is no array of this namespace as one; None when the type is unknown. Raises FloatLiteral."""
        if self._is_plain(other):
            return self.number(other)
        if (
            hasattr(other, "dtype")
            and hasattr(other, "shape")
            and not isinstance(other, np.generic)
        ):
            raise FloatLiteral(other)
        number = exact_number(other)
        return None if number is None else self.asarray(number)

    def mean(self, x: Array, axis: Axis = None) -> Array:
        """The mean along an axis, or several; of all entries without one."""
        return self.sum(self.asarray(x), axis=axis) / reduced_count(x.shape, axis)

    def square(self, x: Array) -> Array:
        """x * x, entry by entry."""
        return x * x

    def relu(self, x: Array) -> Array:
        """max(x, 0), entry by entry."""
        return self.maximum(x, 0)

    def outer(self, a: Array, b: Array) -> Array:
        """Products (..., n, m) of vectors (..., n) and (..., m)."""
        return self.expand_dims(a, axis=-1) * self.expand_dims(b, axis=-2)

    def vecdot(self, a: Array, b: Array, axis: int = -1) -> Array:
        """Sums of the products of two arrays along an axis."""
        return self.sum(self.asarray(a) * b, axis=axis)

    def norm(self, x: Array, axis: Axis = None) -> Array:
        """Euclidean norm over ``axis`` (all entries by default)."""
        return self._sqrt_of_square(self.sum(self.square(x), axis=axis))

    def _sqrt_of_square(self, x: Array) -> Array:
        return self.sqrt(x)

    def svdvals(self, a: Array) -> Array:
        """Singular values, descending: square roots of the eigenvalues of A^T A (or of A A^T)."""
        x = self.asarray(a)
        t = self.matrix_transpose(x)
        gram = self.matmul(t, x) if x.shape[-1] <= x.shape[-2] else self.matmul(x, t)
        return self.flip(self._sqrt_of_square(self.eigvalsh(gram)), axis=-1)

    def tensordot(
        self, a: Array, b: Array, axes: int | tuple[Sequence[int], Sequence[int]]
    ) -> Array:
        """Contraction of the last ``axes`` of ``a`` with the first of ``b``, or of named axes."""
        left, right = (
            (list(range(a.ndim - axes, a.ndim)), list(range(axes)))
            if isinstance(axes, int)
            else ([i % a.ndim for i in axes[0]], [i % b.ndim for i in axes[1]])
        )
        letters = [chr(ord("a") + i) for i in range(a.ndim + b.ndim)]
        first, second = letters[: a.ndim], letters[a.ndim :]
        for i, j in zip(left, right, strict=True):
            second[j] = first[i]
        kept = [s for i, s in enumerate(first) if i not in left]
        kept += [s for j, s in enumerate(second) if j not in right]
        return self.einsum(f"{''.join(first)},{''.join(second)}->{''.join(kept)}", a, b)

    def einsum(self, formula: str, a: Array, b: Array | None = None) -> Array:
        """Explicit contraction of one or two operands, such as ``"bij,bjk->bik"``.

        A letter names an axis; no letter twice in one operand, no ellipsis. Runs as a batched matmul.
        Raises ValueError when the formula does not fit the shapes.
        """
        operands = [self.asarray(a)] if b is None else [self.asarray(a), self.asarray(b)]
        inputs, out = _parse(formula, [x.shape for x in operands])
        reduced = []
        for k, (labels, x) in enumerate(zip(inputs, operands, strict=True)):
            elsewhere = set(out).union(*(inputs[j] for j in range(len(inputs)) if j != k))
            lonely = tuple(i for i, s in enumerate(labels) if s not in elsewhere)
            y = self.sum(x, axis=lonely) if lonely else x
            reduced.append(("".join(s for s in labels if s in elsewhere), y))
        if len(reduced) == 1:
            labels, x = reduced[0]
            return self.permute_dims(x, tuple(labels.index(s) for s in out))
        (la, x), (lb, y) = reduced
        size = {**dict(zip(la, x.shape, strict=True)), **dict(zip(lb, y.shape, strict=True))}
        batch = [s for s in la if s in lb and s in out]
        summed = [s for s in la if s in lb and s not in out]
        rows, columns = [s for s in la if s not in lb], [s for s in lb if s not in la]

        def count(labels: Sequence[str]) -> int:
            return math.prod(size[s] for s in labels)

        def arranged(z: Array, labels: str, order: list[str], shape: tuple[int, ...]) -> Array:
            moved = self.permute_dims(z, tuple(labels.index(s) for s in order))
            return self.reshape(moved, shape)

        n, r, c, k = count(batch), count(rows), count(columns), count(summed)
        left = arranged(x, la, batch + rows + summed, (n, r, k))
        right = arranged(y, lb, batch + summed + columns, (n, k, c))
        if n == 1:  # one plain GEMM
            product = self.matmul(self.reshape(left, (r, k)), self.reshape(right, (k, c)))
        else:
            product = self.matmul(left, right)
        made = batch + rows + columns
        spread = self.reshape(product, tuple(size[s] for s in made))
        return self.permute_dims(spread, tuple(made.index(s) for s in out))

    def wht(self, x: Array, axis: int = -1) -> Array:
        """Walsh-Hadamard transform: sum over t of (-1)**popcount(s & t) x[t]; unnormalised.

        The length of ``axis`` must be a power of two (ValueError otherwise). O(n log n) additions.
        """
        n = x.shape[axis]
        if n < 1 or n & (n - 1):
            raise ValueError(f"wht needs a length that is a power of two, got {n}")
        y = self.moveaxis(x, axis, -1)
        shape, half = y.shape, 1
        while half < n:
            y = self.reshape(y, (*shape[:-1], n // (2 * half), 2, half))
            y = self.stack([y[..., 0, :] + y[..., 1, :], y[..., 0, :] - y[..., 1, :]], axis=-2)
            half *= 2
        return self.moveaxis(self.reshape(y, shape), -1, axis)

    # ---- powers, angles, attention ----------------------------------------------------------------

    def pow(self, x: Array, exponent: Any) -> Array:
        """Integer power by repeated squaring; negative exponents by one division.

        ``exponent``: an int, or a plain array of non-negative integers (ValueError otherwise).
        """
        if self._is_plain(exponent):
            return self._pow_each(self.asarray(x), exponent)
        if isinstance(exponent, bool) or not isinstance(exponent, int):
            raise TypeError(f"pow takes integer exponents, got {exponent!r}; see ns.power(x, a, b)")
        if exponent < 0:
            return 1 / self.pow(x, -exponent)
        if exponent == 0:
            return self.ones(x.shape)
        result, base, left = None, self.asarray(x), exponent
        while left:
            if left & 1:
                result = base if result is None else result * base
            left >>= 1
            if left:
                base = self.square(base)
        return result

    def _pow_each(self, x: Array, exponents: Any) -> Array:
        if not math.prod(exponents.shape):
            return self.ones(exponents.shape)
        if int(self.xp.min(exponents)) < 0:
            raise ValueError("an array of exponents must be non-negative; invert the base instead")
        result, base = self.ones(exponents.shape), x
        for bit in range(int(self.xp.max(exponents)).bit_length()):
            base = self.square(base) if bit else base
            result = self.where((exponents >> bit) & 1 == 1, result * base, result)
        return result

    def power(self, x: Array, numerator: int, denominator: int = 1) -> Array:
        """``x ** (numerator / denominator)`` for x >= 0 (x > 0 when the exponent is negative)."""
        q = Fraction(numerator, denominator)
        if q.denominator == 1:
            return self.pow(x, q.numerator)
        if q.denominator & (q.denominator - 1) == 0:
            for _ in range(q.denominator.bit_length() - 1):
                x = self.sqrt(x)
            return self.pow(x, q.numerator)
        return self.exp(self.log(x) * self.asarray(q))

    def cos_2pi(self, index: Any, period: int) -> Array:
        """cos(2 pi index / period) for a plain integer array: from a table of ``period`` values.

        Sharper than cos(2 * ns.pi * ...), and exact where the value is 0, 1/2 or 1.
        """
        return self._turn(index, period, 0)

    def sin_2pi(self, index: Any, period: int) -> Array:
        """sin(2 pi index / period); see `cos_2pi`."""
        return self._turn(index, period, 1)

    def _turn(self, index: Any, period: int, which: int) -> Array:
        if period < 1:
            raise ValueError(f"period must be a positive integer, got {period}")
        at = self._plain_int(index) if isinstance(index, int | list) else index
        flat = self.xp.reshape(at % period, (-1,))
        table = self._from_balls(circle(period, self._table_bits)[which])
        return self.reshape(self.take(table, flat, axis=0), at.shape)

    def softmax(self, x: Array, axis: int = -1) -> Array:
        """exp(x) / sum(exp(x)) along an axis; large entries do no harm."""
        weights = self.exp(x - self._shift(x, axis))
        return weights / self.expand_dims(self.sum(weights, axis=axis), axis=axis)

    def logsumexp(self, x: Array, axis: int = -1) -> Array:
        """log(sum(exp(x))) along an axis, which is taken away; large entries do no harm."""
        shift = self._shift(x, axis)
        total = self.log(self.sum(self.exp(x - shift), axis=axis))
        return total + self.squeeze(shift, axis=axis)

    def sigmoid(self, x: Array) -> Array:
        """1 / (1 + exp(-x)), written so that neither tail overflows."""
        half = x / 2
        return (self.tanh(half) + 1) / 2

    def softplus(self, x: Array) -> Array:
        """log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|))."""
        return self.relu(x) + self.log1p(self.exp(-self.abs(x)))

    def dft(self, real: Array, imag: Array | None = None, axis: int = -1) -> tuple[Array, Array]:
        """Discrete Fourier transform (real part, imaginary part), by a matrix product: O(n^2)."""
        n = real.shape[axis]
        table = self.arange(n)[:, None] * self.arange(n)[None, :]
        c, s = self.cos_2pi(table, n), self.sin_2pi(table, n)
        x = self.moveaxis(real, axis, -1)
        re, im = self.matmul(x, c), -self.matmul(x, s)
        if imag is not None:
            y = self.moveaxis(imag, axis, -1)
            re, im = re + self.matmul(y, s), im + self.matmul(y, c)
        return self.moveaxis(re, -1, axis), self.moveaxis(im, -1, axis)

    def all(self, mask: Any, axis: Axis = None) -> Any:
        """Whether all entries of a boolean array are true, along an axis; over all entries without one."""
        return self.xp.all(mask, axis=axis)

    def any(self, mask: Any, axis: Axis = None) -> Any:
        """Whether some entry of a boolean array is true, along an axis; over all entries without one."""
        return self.xp.any(mask, axis=axis)

    def enclose(self, x: Any) -> list[Enclosure]:
        """Enclosures of all entries, in row-major order. Raises NotFinite, TypeError for floats."""
        return enclose(x)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise NotSupported(
            f"ns.{name} is not in the surface of the {self.kind} arithmetic; "
            "theorycheck.arrays lists what a simulation may use"
        )


def _shape(shape: Shape) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _parse(formula: str, shapes: list[tuple[int, ...]]) -> tuple[list[str], str]:
    text = formula.replace(" ", "")
    head, arrow, out = text.partition("->")
    inputs = head.split(",")
    if (
        not arrow
        or len(inputs) != len(shapes)
        or not all(s.isalpha() or not s for s in [*inputs, out])
    ):
        raise ValueError(
            f"einsum formula {formula!r}: write it explicitly for {len(shapes)} operand(s), "
            "such as 'ij,jk->ik'"
        )
    size: dict[str, int] = {}
    for labels, shape in zip(inputs, shapes, strict=True):
        if len(set(labels)) != len(labels) or len(labels) != len(shape):
            raise ValueError(f"einsum formula {formula!r}: {labels!r} does not fit shape {shape}")
        for s, n in zip(labels, shape, strict=True):
            if size.setdefault(s, n) != n:
                raise ValueError(f"einsum formula {formula!r}: axis {s} has lengths {size[s]}, {n}")
    if len(set(out)) != len(out) or not set(out) <= set(size):
        raise ValueError(
            f"einsum formula {formula!r}: the output {out!r} is not made of the inputs"
        )
    return inputs, out


@functools.lru_cache(maxsize=64)
def circle(period: int, bits: int) -> tuple[tuple[arb, ...], tuple[arb, ...]]:
    """Balls of cos and sin of 2 pi k / period, k < period, at ``bits`` bits; exact where rational."""
    cosines, sines = [], []
    with ctx.workprec(bits):
        for k in range(period):
            turn = fmpq(2 * k, period)
            cosines.append(arb.cos_pi_fmpq(turn))
            sines.append(arb.sin_pi_fmpq(turn))
    return tuple(cosines), tuple(sines)
