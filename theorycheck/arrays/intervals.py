"""The namespace of midpoint-radius intervals; error model and derivation: `error_model`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from theorycheck.arrays import verified
from theorycheck.arrays.composite import Array, Axis, Composite
from theorycheck.arrays.error_model import (
    EXACT_INTEGERS,
    INFLATE,
    TINY,
    Grid,
    U,
    fitting,
    gamma,
    grid_of,
)
from theorycheck.arrays.errors import NotFinite, UndecidedBranch
from theorycheck.arrays.floats import special
from theorycheck.arrays.interval_array import IntervalArray, show
from theorycheck.arrays.leaves import axes_of, reduced_count

_INNER = 4096  # longer inner products are made in blocks: gamma_4096 is 4.5e-13


class IntervalNamespace(Composite):
    """Rigorous midpoint-radius arithmetic on arrays of ``xp`` (float64); see `error_model`.

    ``xp``: array-API namespace of NumPy, CuPy or array_api_strict; ``device`` is passed on when given.
    """

    kind = "interval"

    def __init__(self, xp: Any, device: Any = None) -> None:
        self.xp = xp
        self._where = {} if device is None else {"device": device}

    def __repr__(self) -> str:
        return f"IntervalNamespace({self.xp.__name__})"

    def working(self) -> AbstractContextManager[Any]:
        """NaN and infinity are results here, so NumPy need not warn of them."""
        return np.errstate(all="ignore")

    # ---- primitives -------------------------------------------------------------------------------

    def _own(self, x: Any) -> bool:
        return isinstance(x, IntervalArray)

    def _map(self, x: Array, move: Callable[[Any], Any]) -> Array:
        if self._is_plain(x):
            return move(x)
        return self.asarray(x).map(move)

    def _join(self, parts: list[Array], join: Callable[[list[Any]], Any]) -> Array:
        rad = None if all(p.exact for p in parts) else join([p.rad for p in parts])
        grid = parts[0].grid
        for p in parts[1:]:
            grid = None if grid is None or p.grid is None else grid.union(p.grid)
        return IntervalArray(self, join([p.mid for p in parts]), rad, grid)

    def _from_host(self, numbers: Any) -> IntervalArray:
        if numbers.dtype != object:
            top = max(int(np.max(numbers)), -int(np.min(numbers))) if numbers.size else 0
            if top <= EXACT_INTEGERS:
                together = int(np.bitwise_or.reduce(np.abs(numbers), axis=None)) if top else 1
                twos = (together & -together).bit_length() - 1
                return IntervalArray(self, self._floats(numbers), None, Grid(twos, top >> twos))
        flat = [Fraction(int(x) if isinstance(x, np.integer) else x) for x in numbers.reshape(-1)]
        try:
            mids = [float(x) for x in flat]
        except OverflowError:
            raise NotFinite("a number beyond the range of float64") from None
        rads = [_up(abs(x - Fraction(m))) for x, m in zip(flat, mids, strict=True)]
        mid = self._floats(np.array(mids).reshape(numbers.shape))
        if any(rads):
            return IntervalArray(self, mid, self._floats(np.array(rads).reshape(numbers.shape)))
        return IntervalArray(self, mid, None, grid_of(flat))

    def _from_balls(self, balls: Sequence[arb]) -> IntervalArray:
        flat, gaps = [], []
        for ball in balls:
            centre = _power_of_two(*ball.mid().man_exp())
            flat.append(Fraction(float(centre)))
            gaps.append(_up(abs(centre - flat[-1]) + _power_of_two(*ball.rad().man_exp())))
        mid = self._floats([float(x) for x in flat])
        if any(gaps):
            return IntervalArray(self, mid, self._floats(gaps))
        return IntervalArray(self, mid, None, grid_of(flat))

    def _floats(self, values: Any) -> Any:
        return self.xp.asarray(np.asarray(values, dtype=np.float64), **self._where)

    def _operand(self, other: Any) -> Any:
        """Another operand as an interval; None when the type is unknown. Raises FloatLiteral."""
        if isinstance(other, IntervalArray):
            return other
        return self._other(other)

    def _from_plain(self, index: Any) -> Array:
        mid = self.xp.astype(index, self.xp.float64)
        top = int(self.xp.max(self.xp.abs(mid))) if math.prod(index.shape) else 0
        if top <= EXACT_INTEGERS // 2:
            return IntervalArray(self, mid, None, Grid(0, top))
        return super()._from_plain(index)

    def _select(self, mask: Any, a: IntervalArray, b: IntervalArray) -> IntervalArray:
        mid = self.xp.where(mask, a.mid, b.mid)
        if a.exact and b.exact:
            grid = None if a.grid is None or b.grid is None else a.grid.union(b.grid)
            return IntervalArray(self, mid, None, grid)
        return IntervalArray(self, mid, self.xp.where(mask, a.rad, b.rad))

    def _shift(self, x: IntervalArray, axis: Axis) -> IntervalArray:
        return IntervalArray(self, self.xp.max(x.mid, axis=axis, keepdims=True))

    def _first(self, mask: Any) -> tuple[int, ...]:
        """Index of the first true entry."""
        flat = int(self.xp.argmax(self.xp.astype(self.xp.reshape(mask, (-1,)), self.xp.int64)))
        return tuple(int(i) for i in np.unravel_index(flat, tuple(mask.shape)))

    def _made(self, mid: Any, rad: Any) -> IntervalArray:
        """An interval from a midpoint and a freshly computed radius, which is rounded up in place."""
        rad *= INFLATE
        rad += TINY
        return IntervalArray(self, mid, rad)

    def _summed(self, mid: Any, rad: Any) -> IntervalArray:
        """As `_made`; a sum that overflowed on the way has no finite radius."""
        return self._made(mid, rad + 0 * mid)

    def from_float64(self, values: Any) -> IntervalArray:
        """Array of the given host doubles, each read as the dyadic number that it is."""
        host = np.asarray(values, dtype=np.float64)
        if not np.isfinite(host).all():
            raise NotFinite("NaN or infinity is not a number of an exact leg")
        return IntervalArray(self, self._floats(host))

    # ---- sums and products ------------------------------------------------------------------------

    def sum(self, x: Array, axis: Axis = None, keepdims: bool = False) -> Array:
        if self._is_plain(x):
            return self.xp.sum(x, axis=axis, keepdims=keepdims)
        x = self.asarray(x)
        n = reduced_count(x.shape, axis)
        grid = None if x.grid is None else fitting(x.grid.repeated(n))
        if grid is not None:
            mid = self.xp.sum(x.mid, axis=axis, keepdims=keepdims)
            return IntervalArray(self, mid, None, grid)
        # In a binary tree every term meets at most 2 ceil(log2 n) roundings, on every device.
        g = gamma(2 * n.bit_length())
        each = g * self.xp.abs(x.mid)
        if x._rad is not None:
            each += x._rad
        mid, rad = self._tree_sum(x.mid, axis), self._tree_sum(each, axis)
        if keepdims:
            kept = tuple(1 if i in axes_of(axis, x.ndim) else m for i, m in enumerate(x.shape))
            mid, rad = self.xp.reshape(mid, kept), self.xp.reshape(rad, kept)
        return self._summed(mid, rad * (1 + 2 * g))

    def _tree_sum(self, values: Any, axis: Axis) -> Any:
        """Sum over ``axis`` by halving: first half plus second half, an odd last term kept aside."""
        xp = self.xp
        axes = axes_of(axis, values.ndim)
        kept = tuple(i for i in range(values.ndim) if i not in axes)
        shape = tuple(values.shape[i] for i in kept)
        n = math.prod(values.shape[i] for i in axes)
        flat = xp.reshape(xp.permute_dims(values, kept + axes), (*shape, n))
        if n == 0:
            return xp.sum(flat, axis=-1)
        aside = None
        while n > 1:
            half = n // 2
            if n % 2:
                last = flat[..., n - 1]
                aside = last if aside is None else aside + last
            flat = flat[..., :half] + flat[..., half : 2 * half]
            n = half
        total = flat[..., 0]
        return total + 0 if aside is None else total + aside

    def cumulative_sum(self, x: Array, axis: int = -1) -> Array:
        if self._is_plain(x):
            return self.xp.cumulative_sum(x, axis=axis)
        x = self.asarray(x)
        n = x.shape[axis]
        mid = self.xp.cumulative_sum(x.mid, axis=axis)
        grid = None if x.grid is None else fitting(x.grid.repeated(n))
        if grid is not None:
            return IntervalArray(self, mid, None, grid)
        g = gamma(n)
        total = self.xp.cumulative_sum(x.rad + g * self.xp.abs(x.mid), axis=axis)
        return self._summed(mid, total * (1 + 2 * g))

    def prod(self, x: Array, axis: Axis = None) -> Array:
        if self._is_plain(x):
            return self.xp.prod(x, axis=axis)
        x = self.asarray(x)
        for a in reversed(axes_of(axis, x.ndim)):
            x = self._prod_axis(self.moveaxis(x, a, 0))
        return x

    def _prod_axis(self, x: IntervalArray) -> IntervalArray:
        while x.shape[0] > 1:
            half = x.shape[0] // 2
            pairs = x[:half, ...] * x[half : 2 * half, ...]
            x = pairs if x.shape[0] % 2 == 0 else self.concat([pairs, x[2 * half :, ...]])
        return x[0, ...] if x.shape[0] else self.ones(x.shape[1:])

    def matmul(self, a: Array, b: Array) -> Array:
        """Matrix product. Two or three matrix products of the size of the plain one.

        |A B - fl(Am Bm)| <= |Am| (gamma_n |Bm| + Br) + Ar (|Bm| + Br) + n 2^-1075.
        """
        if self._is_plain(a) and self._is_plain(b):
            return self.xp.matmul(a, b)
        a, b = self.asarray(a), self.asarray(b)
        xp = self.xp
        n = a.shape[-1]
        mid, depth = self._product(a.mid, b.mid)
        if a.grid is not None and b.grid is not None:
            grid = fitting(a.grid.times(b.grid).repeated(n))
            if grid is not None:
                return IntervalArray(self, mid, None, grid)
        g = gamma(n)
        reach = xp.abs(b.mid)
        spread = gamma(depth) * reach + TINY
        if b._rad is not None:
            spread = spread + b._rad
            reach = reach + b._rad
        rad = xp.matmul(xp.abs(a.mid), spread)
        if a._rad is not None:
            rad = rad + xp.matmul(a._rad, reach)
        return self._summed(mid, rad * (1 + 4 * g))

    def _product(self, a: Any, b: Any) -> tuple[Any, int]:
        """A B in floating point, and how many roundings each term may have met.

        Long inner products are made of blocks of 4096, which keeps that number small.
        """
        xp, n = self.xp, a.shape[-1]
        if n <= 2 * _INNER or a.ndim < 2 or b.ndim < 2:
            return xp.matmul(a, b), n
        total = xp.matmul(a[..., :_INNER], b[..., :_INNER, :])
        for start in range(_INNER, n, _INNER):
            stop = min(start + _INNER, n)
            total = total + xp.matmul(a[..., start:stop], b[..., start:stop, :])
        return total, _INNER + -(-n // _INNER)

    # ---- linear algebra ---------------------------------------------------------------------------

    def solve(self, a: Array, b: Array) -> Array:
        """Solution of A x = b; ``b`` of shape (n,), or (..., n, m). See `verified.solve`."""
        x, y = self._square_matrices(a), self.asarray(b)
        if y.ndim == 1:
            found = verified.solve(self, x, self.expand_dims(y, axis=-1))
            return self.squeeze(found, axis=-1)
        return verified.solve(self, x, y)

    def inv(self, a: Array) -> Array:
        x = self._square_matrices(a)
        return self.solve(x, self.eye(x.shape[-1]))

    def det(self, a: Array) -> Array:
        return verified.det(self, self._square_matrices(a))

    def eigvalsh(self, a: Array) -> Array:
        """Eigenvalues of symmetric matrices, ascending. See `verified.eigvalsh`."""
        return verified.eigvalsh(self, self._square_matrices(a))

    def _square_matrices(self, a: Array) -> IntervalArray:
        x: IntervalArray = self.asarray(a)
        if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
            raise ValueError(f"expected square matrices (..., n, n), got shape {x.shape}")
        return x

    # ---- elementwise ------------------------------------------------------------------------------

    def abs(self, x: Array) -> Array:
        return self.xp.abs(x) if self._is_plain(x) else abs(self.asarray(x))

    def square(self, x: Array) -> Array:
        x = self.asarray(x)
        y = x * x
        if x.exact or y.exact:
            return y
        # Where 0 is inside, the square is in [0, (|m| + r)^2] rather than symmetric about m^2.
        xp = self.xp
        top = xp.square(xp.abs(x.mid) + x._rad) * INFLATE + TINY
        inside = xp.abs(x.mid) <= x._rad
        half = top / 2
        return IntervalArray(self, xp.where(inside, half, y.mid), xp.where(inside, half, y._rad))

    def sqrt(self, x: Array) -> IntervalArray:
        return self._root(self.asarray(x), math.nan)

    def _sqrt_of_square(self, x: IntervalArray) -> IntervalArray:
        """Square root of a number that is known not to be negative."""
        return self._root(x, 0.0)

    def _root(self, x: IntervalArray, below: float) -> IntervalArray:
        xp = self.xp
        low = x.lower()
        low = xp.where(low < 0, xp.full_like(low, below), low)
        mid = xp.sqrt(xp.maximum(x.mid, 0 * low))
        rad = U * mid
        if x._rad is not None:
            # |sqrt(y) - sqrt(m)| = |y - m| / (sqrt(y) + sqrt(m)); m < 0 only where m was clamped to 0
            sharp = xp.sqrt(low) + mid
            gap = x._rad / xp.where(sharp > 0, sharp, xp.ones_like(sharp))
            wide = xp.sqrt(xp.maximum(x.upper(), xp.zeros_like(low)))
            gap = xp.where(sharp > 0, gap, wide)
            rad = rad + xp.where(x._rad == 0, xp.zeros_like(gap), gap)
        elif x.grid is not None and x.grid.exponent >= 0:
            perfect = (xp.floor(mid) == mid) & (mid * mid == x.mid)
            return IntervalArray(
                self, mid, xp.where(perfect, xp.zeros_like(rad), rad * INFLATE + TINY)
            )
        return self._made(mid, rad)

    def exp(self, x: Array) -> IntervalArray:
        x = self.asarray(x)
        mid = self.xp.exp(x.mid)
        return self._made(mid, self._exp_gap(x, mid) + 8 * U * mid)

    def expm1(self, x: Array) -> IntervalArray:
        x = self.asarray(x)
        mid = self.xp.expm1(x.mid)
        gap = self._exp_gap(x, self.xp.exp(x.mid)) if x._rad is not None else 0
        return self._made(mid, gap + 8 * U * self.xp.abs(mid))

    def _exp_gap(self, x: IntervalArray, value: Any) -> Any:
        """Bound on exp(m + r) - exp(m); results that underflow are taken as 2^-999."""
        if x._rad is None:
            return 0
        return self.xp.maximum(value, self.xp.full_like(value, 2.0**-999)) * self.xp.expm1(x._rad)

    def log(self, x: Array) -> IntervalArray:
        x = self.asarray(x)
        return self._log(x, self.xp.log, x.mid, x.lower())

    def log1p(self, x: Array) -> IntervalArray:
        x = self.asarray(x)
        xp = self.xp
        one_plus = 1 + x.mid
        below = xp.nextafter(one_plus, xp.full_like(one_plus, -math.inf))
        low = below if x._rad is None else (below - x._rad) - 4 * U * xp.abs(below - x._rad)
        return self._log(x, xp.log1p, below, low)

    def _log(self, x: IntervalArray, function: Any, centre: Any, low: Any) -> IntervalArray:
        """log at ``centre`` >= ``low`` > 0; the gap is largest downwards: -log(1 - r / centre)."""
        xp = self.xp
        mid = function(x.mid)
        rad = 8 * U * xp.abs(mid) + 0 * xp.log(low)  # NaN where low <= 0
        if x._rad is not None:
            part = x._rad / centre * (1 + 8 * U)
            rad = rad - xp.log1p(-xp.minimum(part, xp.ones_like(part))) * (1 + 16 * U)
        return self._made(mid, rad)

    def sin(self, x: Array) -> IntervalArray:
        return self._wave(x, self.xp.sin)

    def cos(self, x: Array) -> IntervalArray:
        return self._wave(x, self.xp.cos)

    def _wave(self, x: Array, function: Any) -> IntervalArray:
        """sin and cos move by at most min(r, 2)."""
        x = self.asarray(x)
        mid = function(x.mid)
        rad = 8 * U * self.xp.abs(mid)
        if x._rad is not None:
            rad = rad + self.xp.minimum(x._rad, self.xp.full_like(x._rad, 2.0))
        return self._made(mid, rad)

    def tan(self, x: Array) -> IntervalArray:
        """|tan(y) - tan(m)| = |sin(y - m)| / |cos(y) cos(m)|, with |cos(y)| >= |cos(m)| - r."""
        x = self.asarray(x)
        xp = self.xp
        mid = xp.tan(x.mid)
        rad = 8 * U * xp.abs(mid)
        if x._rad is not None:
            near = xp.abs(xp.cos(x.mid)) * (1 - 2.0**-40)
            far = (near - x._rad) * (1 - 2.0**-40)
            far = xp.where(far > 2.0**-40, far, xp.full_like(far, math.nan))
            rad = rad + x._rad / (near * far)
        return self._made(mid, rad)

    def tanh(self, x: Array) -> IntervalArray:
        """Slope 1 / cosh(y)^2 <= min(1, 4 exp(-2 |y|)) at the end nearest to 0; variation at most 2."""
        x = self.asarray(x)
        mid = self.xp.tanh(x.mid)
        rad = 8 * U * self.xp.abs(mid)
        if x._rad is not None:
            slope = 4 * self.xp.exp(-2 * self._nearest(x))
            rad = rad + self._bounded(
                x._rad * self.xp.minimum(slope, self.xp.ones_like(slope)), 2.0
            )
        return self._made(mid, rad)

    def erf(self, x: Array) -> IntervalArray:
        """Slope 2 / sqrt(pi) exp(-y^2), 2 / sqrt(pi) < 1.1284, at the end nearest to 0."""
        x = self.asarray(x)
        mid = special(self.xp, "erf")(x.mid)
        rad = 16 * U * self.xp.abs(mid)
        if x._rad is not None:
            slope = 1.1284 * self.xp.exp(-self.xp.square(self._nearest(x)))
            rad = rad + self._bounded(x._rad * slope, 2.0)
        return self._made(mid, rad)

    def sinh(self, x: Array) -> IntervalArray:
        return self._hyperbolic(x, self.xp.sinh, self.xp.cosh)

    def cosh(self, x: Array) -> IntervalArray:
        return self._hyperbolic(x, self.xp.cosh, self.xp.sinh)

    def _hyperbolic(self, x: Array, function: Any, slope: Any) -> IntervalArray:
        x = self.asarray(x)
        mid = function(x.mid)
        rad = 8 * U * self.xp.abs(mid)
        if x._rad is not None:
            rad = rad + x._rad * slope(abs(x).upper())
        return self._made(mid, rad)

    def _nearest(self, x: IntervalArray) -> Any:
        """A number >= 0 that is at most |y| for every y of the interval."""
        low = abs(x).lower()
        return self.xp.maximum(low, self.xp.zeros_like(low))

    def _bounded(self, gap: Any, most: float) -> Any:
        return self.xp.minimum(gap, self.xp.full_like(gap, most))

    def relu(self, x: Array) -> IntervalArray:
        x = self.asarray(x)
        zero = self.xp.zeros_like(x.mid)
        mid = self.xp.maximum(x.mid, zero)
        if x._rad is None:
            return IntervalArray(self, mid, None, x.grid)
        return IntervalArray(self, mid, self.xp.where(x.upper() <= 0, zero, x._rad))

    def softplus(self, x: Array) -> IntervalArray:
        """The formula at the midpoint; slope at most 1."""
        x = self.asarray(x)
        centre: IntervalArray = super().softplus(IntervalArray(self, x.mid))
        return centre if x._rad is None else self._made(centre.mid, centre.rad + x._rad)

    def floor(self, x: Array) -> IntervalArray:
        """Largest integer below, where the whole interval agrees; raises UndecidedBranch elsewhere."""
        x = self.asarray(x)
        low, high = self.xp.floor(x.lower()), self.xp.floor(x.upper())
        self._agree("floor", low == high, x)
        return IntervalArray(self, low)

    def sign(self, x: Array) -> IntervalArray:
        """-1, 0 or 1, decided for every entry; raises UndecidedBranch otherwise."""
        x = self.asarray(x)
        up, down = x.lower() > 0, x.upper() < 0
        zero = (x.mid == 0) & (x.rad == 0)
        self._agree("sign", up | down | zero, x)
        one = self.xp.ones_like(x.mid)
        mid = self.xp.where(up, one, self.xp.where(down, -one, 0 * one))
        return IntervalArray(self, mid, None, Grid(0, 1))

    def _agree(self, op: str, decided: Any, x: IntervalArray) -> None:
        if not bool(self.xp.all(decided)):
            at = self._first(~decided)
            raise UndecidedBranch(op, at, show(x[at]))

    # ---- order ------------------------------------------------------------------------------------

    def maximum(self, a: Any, b: Any) -> IntervalArray:
        x, y = self.asarray(a), self.asarray(b)
        return self._ordered(self.xp.maximum, x, y)

    def minimum(self, a: Any, b: Any) -> IntervalArray:
        x, y = self.asarray(a), self.asarray(b)
        return self._ordered(self.xp.minimum, x, y)

    def _ordered(self, pick: Any, x: IntervalArray, y: IntervalArray) -> IntervalArray:
        if x.exact and y.exact:
            grid = None if x.grid is None or y.grid is None else x.grid.union(y.grid)
            return IntervalArray(self, pick(x.mid, y.mid), None, grid)
        return self._between(pick(x.lower(), y.lower()), pick(x.upper(), y.upper()))

    def max(self, x: Array, axis: Axis = None) -> Array:
        return self._extreme(x, lambda a: self.xp.max(a, axis=axis))

    def min(self, x: Array, axis: Axis = None) -> Array:
        return self._extreme(x, lambda a: self.xp.min(a, axis=axis))

    def sort(self, x: Array, axis: int = -1) -> Array:
        """Ascending values: the k-th smallest lies between the k-th smallest ends. Never undecided."""

        def ascending(ends: Any) -> Any:
            poison = 0 * self.xp.sum(
                ends, axis=axis, keepdims=True
            )  # sorting puts NaN out of sight
            return self.xp.sort(ends, axis=axis) + poison

        return self._extreme(x, ascending)

    def _extreme(self, x: Array, pick: Callable[[Any], Any]) -> Array:
        if self._is_plain(x):
            return pick(x)
        x = self.asarray(x)
        if x.exact:
            return IntervalArray(self, pick(x.mid), None, x.grid)
        return self._between(pick(x.lower()), pick(x.upper()))

    def _between(self, low: Any, high: Any) -> IntervalArray:
        mid = low + (high - low) / 2
        gap = self.xp.maximum(high - mid, mid - low)
        rad = self.xp.where(low == high, 0 * gap, gap * INFLATE + TINY)
        return IntervalArray(self, self.xp.where(low == high, low, mid), rad)

    def argmax(self, x: Array, axis: int | None = None) -> Any:
        """Plain index of the largest entry (the first of exact ties), where that is decided."""
        return self._winner("argmax", x, axis, 1)

    def argmin(self, x: Array, axis: int | None = None) -> Any:
        return self._winner("argmin", x, axis, -1)

    def _winner(self, op: str, x: Array, axis: int | None, direction: int) -> Any:
        xp = self.xp
        if self._is_plain(x):
            return getattr(xp, op)(x, axis=axis)
        x = self.asarray(x) if direction > 0 else -self.asarray(x)
        flat = self.reshape(x, (-1,)) if axis is None else self.moveaxis(x, axis, -1)
        best = xp.argmax(flat.mid, axis=-1)
        at = xp.expand_dims(best, axis=-1)
        low = xp.take_along_axis(flat.lower(), at, axis=-1)
        place = self.arange(flat.shape[-1])
        # An earlier entry must lose strictly; a later one may tie exactly.
        fine = xp.where(place < at, flat.upper() < low, (flat.upper() <= low) | (place == at))
        self._agree(op, fine & ~xp.isnan(flat.upper()), flat)
        return best

    def argsort(self, x: Array, axis: int = -1) -> Any:
        """Plain indices that sort ascending; exact ties keep their order; otherwise decided or raise."""
        xp = self.xp
        if self._is_plain(x):
            return xp.argsort(x, axis=axis)
        y = self.moveaxis(self.asarray(x), axis, -1)
        order = xp.argsort(y.mid, axis=-1, stable=True)
        low = xp.take_along_axis(y.lower(), order, axis=-1)[..., 1:]
        high = xp.take_along_axis(y.upper(), order, axis=-1)[..., :-1]
        in_place = order[..., 1:] > order[..., :-1]
        self._agree("argsort", (high < low) | ((high == low) & in_place), y[..., 1:])
        return self.moveaxis(order, -1, axis)


def _up(value: Fraction) -> float:
    """A double >= value >= 0; 0 for 0."""
    return 0.0 if value == 0 else math.nextafter(float(value), math.inf)


def _power_of_two(mantissa: Any, exponent: Any) -> Fraction:
    q = fmpq(mantissa)
    return Fraction(int(q.p)) * Fraction(2) ** int(exponent)
