"""The array type of the interval arithmetic; its bounds follow `theorycheck.arrays.error_model`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Protocol

from flint import arb

from theorycheck.arrays.backends import to_host
from theorycheck.arrays.error_model import SMALLEST_DIVISOR, Grid, U, fitting
from theorycheck.arrays.errors import FloatLiteral, UndecidedBranch
from theorycheck.arrays.fused import product_radius, product_radius_of_two, sum_radius
from theorycheck.arrays.work import spend_doubles
from theorycheck.numbers.enclosure import Enclosure


class IntervalOperations(Protocol):
    """What interval arrays, and the proofs in `verified`, ask of their namespace."""

    xp: Any

    def _operand(self, other: Any) -> Any: ...

    def _first(self, mask: Any) -> tuple[int, ...]: ...

    def _made(self, mid: Any, rad: Any) -> IntervalArray: ...

    def _from_balls(self, balls: Sequence[arb]) -> IntervalArray: ...

    def eye(self, rows: int, columns: int | None = None) -> Any: ...

    def diag(self, x: Any) -> Any: ...

    def reshape(self, x: Any, shape: int | tuple[int, ...]) -> Any: ...

    def pow(self, x: Any, exponent: Any) -> Any: ...

    def matmul(self, a: Any, b: Any) -> Any: ...


class IntervalArray:
    """Reals within ``rad`` of ``mid``, entry by entry. Made by an `IntervalNamespace`, immutable."""

    __slots__ = ("_rad", "grid", "mid", "ns")
    __array_ufunc__ = None  # so that NumPy and CuPy leave mixed operators to this class

    def __init__(self, ns: IntervalOperations, mid: Any, rad: Any = None, grid: Grid | None = None):
        self.ns, self.mid, self._rad = ns, mid, rad
        self.grid = fitting(grid) if rad is None else None
        spend_doubles(math.prod(mid.shape))

    # ---- shape ------------------------------------------------------------------------------------

    @property
    def rad(self) -> Any:
        return self.ns.xp.zeros_like(self.mid) if self._rad is None else self._rad

    @property
    def exact(self) -> bool:
        """Whether every entry is known to be exactly its midpoint."""
        return self._rad is None

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.mid.shape)

    @property
    def ndim(self) -> int:
        return len(self.mid.shape)

    @property
    def size(self) -> int:
        return math.prod(self.mid.shape)

    @property
    def mT(self) -> IntervalArray:
        return self.map(self.ns.xp.matrix_transpose)

    T = mT

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of an array of shape ()")
        return self.shape[0]

    def __iter__(self) -> Iterator[IntervalArray]:
        return (self[i, ...] for i in range(len(self)))

    def __getitem__(self, index: Any) -> IntervalArray:
        return self.map(lambda a: a[index])

    def map(self, move: Callable[[Any], Any]) -> IntervalArray:
        """The same rearrangement applied to midpoints and radii."""
        rad = None if self._rad is None else move(self._rad)
        return IntervalArray(self.ns, move(self.mid), rad, self.grid)

    def __repr__(self) -> str:
        return f"IntervalArray(mid={self.mid}, rad={self.rad})"

    def __bool__(self) -> bool:
        raise TypeError("an interval is neither true nor false: compare it with something")

    def __float__(self) -> float:
        raise TypeError("an interval is no float: keep it in the namespace, or use enclose()")

    # ---- ends -------------------------------------------------------------------------------------

    def lower(self) -> Any:
        """Doubles below every number of each interval; midpoints themselves where the radius is 0."""
        return self._end(-1)

    def upper(self) -> Any:
        return self._end(1)

    def _end(self, sign: int) -> Any:
        if self._rad is None:
            return self.mid
        xp = self.ns.xp
        end = self.mid + sign * self._rad
        # One ulp outwards: 2u |end| is at least an ulp. Subnormal ends, and 0, are exact already.
        outward = end + (sign * 2 * U) * xp.abs(end)
        return xp.where(self._rad == 0, end, outward)

    def enclosures(self) -> list[Enclosure]:
        """Of all entries, in row-major order. Raises NotFinite where one is NaN or infinite."""
        mids, rads = to_host(self.mid).reshape(-1), to_host(self.rad).reshape(-1)
        return [
            Enclosure.from_float_interval(float(m), float(r))
            for m, r in zip(mids, rads, strict=True)
        ]

    # ---- arithmetic -------------------------------------------------------------------------------

    def _other(self, other: Any) -> Any:
        return self.ns._operand(other)

    def __neg__(self) -> IntervalArray:
        return IntervalArray(self.ns, -self.mid, self._rad, self.grid)

    def __pos__(self) -> IntervalArray:
        return self

    def __abs__(self) -> IntervalArray:
        return IntervalArray(self.ns, self.ns.xp.abs(self.mid), self._rad, self.grid)

    def __add__(self, other: Any) -> IntervalArray:
        o = self._other(other)
        if o is None:
            return NotImplemented
        grid = None
        if self.grid is not None and o.grid is not None:
            grid = fitting(self.grid.plus(o.grid))
        mid = self.mid + o.mid
        if grid is not None:
            return IntervalArray(self.ns, mid, None, grid)
        radii = (x._rad for x in (self, o) if x._rad is not None)
        return IntervalArray(self.ns, mid, sum_radius(self.ns.xp, mid, *radii))

    __radd__ = __add__

    def __sub__(self, other: Any) -> IntervalArray:
        o = self._other(other)
        return NotImplemented if o is None else self + (-o)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> IntervalArray:
        o = self._other(other)
        if o is None:
            return NotImplemented
        grid = None
        if self.grid is not None and o.grid is not None:
            grid = fitting(self.grid.times(o.grid))
        mid = self.mid * o.mid
        if grid is not None:
            return IntervalArray(self.ns, mid, None, grid)
        xp = self.ns.xp
        if self._rad is not None and o._rad is not None:
            rad = product_radius_of_two(xp, mid, self.mid, self._rad, o.mid, o._rad)
        elif o._rad is not None:
            rad = product_radius(xp, mid, self.mid, o._rad)
        elif self._rad is not None:
            rad = product_radius(xp, mid, o.mid, self._rad)
        else:
            rad = xp.abs(mid) * U
        return self.ns._made(mid, rad)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> IntervalArray:
        o = self._other(other)
        if o is None:
            return NotImplemented
        power = _reciprocal_of_two(other)
        if power is not None:
            return self * power
        xp = self.ns.xp
        size = xp.abs(o.mid)
        room = size if o._rad is None else abs(o).lower()  # negative where 0 is inside
        room = xp.where(room > SMALLEST_DIVISOR, room, xp.full_like(room, math.nan))
        mid = self.mid / o.mid
        # |x/y - q| <= (|x - a| + |a - q b| + |q| |y - b|) / |y|, and |a - q b| <= 2u |q b| + underflow
        rest = 2 * U * size if o._rad is None else 2 * U * size + o._rad
        rad = xp.abs(mid) * (rest / room)
        if self._rad is not None:
            rad += self._rad / room
        return self.ns._made(mid, rad)

    def __rtruediv__(self, other: Any) -> IntervalArray:
        o = self._other(other)
        return NotImplemented if o is None else o / self

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, float):
            raise FloatLiteral(exponent)
        return self.ns.pow(self, exponent)

    def __matmul__(self, other: Any) -> Any:
        return self.ns.matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return self.ns.matmul(other, self)

    # ---- decisions --------------------------------------------------------------------------------

    def _decide(self, op: str, other: Any, yes: Any, no: Any, o: IntervalArray) -> Any:
        xp = self.ns.xp
        if not bool(xp.all(yes | no)):
            at = self.ns._first(~(yes | no))
            a = self.map(lambda z: xp.broadcast_to(z, yes.shape))[at]
            b = o.map(lambda z: xp.broadcast_to(z, yes.shape))[at]
            raise UndecidedBranch(op, at, f"{show(a)} against {show(b)}")
        return yes

    def __lt__(self, other: Any) -> Any:
        o = self._other(other)
        if o is None:
            return NotImplemented
        return self._decide("<", other, self.upper() < o.lower(), self.lower() >= o.upper(), o)

    def __le__(self, other: Any) -> Any:
        o = self._other(other)
        if o is None:
            return NotImplemented
        return self._decide("<=", other, self.upper() <= o.lower(), self.lower() > o.upper(), o)

    def __gt__(self, other: Any) -> Any:
        o = self._other(other)
        return NotImplemented if o is None else o < self

    def __ge__(self, other: Any) -> Any:
        o = self._other(other)
        return NotImplemented if o is None else o <= self

    def __eq__(self, other: Any) -> Any:
        o = self._other(other)
        if o is None:
            return NotImplemented
        apart = (self.upper() < o.lower()) | (self.lower() > o.upper())
        same = (self.mid == o.mid) & (self.rad == 0) & (o.rad == 0)
        return self._decide("==", other, same, apart, o)

    def __ne__(self, other: Any) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else ~same


def show(x: IntervalArray) -> str:
    """``midpoint +/- radius`` of an array of one element."""
    return f"{float(x.mid):.17g} +/- {float(x.rad):.3g}"


def _reciprocal_of_two(divisor: Any) -> Fraction | None:
    """1 / divisor for Python integers +-2^k: multiplying by it is exact."""
    if not isinstance(divisor, int) or isinstance(divisor, bool) or not divisor:
        return None
    size = abs(divisor)
    return Fraction(1, divisor) if size & (size - 1) == 0 else None
