"""Midpoint-radius intervals in float64: every array carries a bound on its own error.

An `IntervalArray` (mid, rad) stands for the reals within ``rad`` of ``mid``. The enclosures are
rigorous under this error model ("IEEE-754 standard model"; Higham, Accuracy and Stability of Numerical
Algorithms, 2002, sections 2.2 and 3.1), with u = 2^-53:

1. ``+ - * / sqrt`` on doubles are correctly rounded, with gradual underflow: the computed value is
   (x op y)(1 + d) + t with |d| <= u, |t| <= 2^-1075, and t = 0 for + and -. Since rounding to nearest
   errs by at most u times the *computed* value as well, errors are bounded by u |fl(x op y)|.
2. A sum of n terms, and an inner product of length n inside a matrix product, may be evaluated in any
   order, with or without fused multiply-add: the error is at most gamma_n times the sum of absolute
   values, gamma_n = n u / (1 - n u), plus n 2^-1075 for products that underflow. (This excludes
   Strassen-like products and emulated float64, which neither OpenBLAS nor cuBLAS uses by default.)
3. exp, expm1, log, log1p, sin, cos, tan, tanh, sinh, cosh err by at most 4 ulp, erf by at most 8, where
   one ulp is at most 2u relative. This is an assumption about libraries, not a theorem: NumPy's
   validation sets (numpy/_core/tests/data) allow 1 ulp, 2 for tanh, in float64; the GNU C library
   manual ("Known Maximum Errors in Math Functions") and the CUDA C++ Programming Guide ("Mathematical
   Functions", from extensive but not exhaustive tests) list errors of a few ulp; Cephes, behind SciPy's
   erf, gives a peak of 3.7e-16 relative. tests/arrays measures the libraries of the machine it runs on.

Radii are computed in float64 too, and rounded up: a radius is a sum of products of non-negative
numbers, made with at most k operations, so exact <= computed / (1 - u)^k (+ underflow). Multiplying by
1 + 2^-40 covers k <= 2^11 operations with the rounding of that product itself, and adding 2^-1020 covers
up to 2^50 underflows of 2^-1075 each. Sums of n radii are inflated by 1 + 2 gamma_n besides (valid for
gamma_n <= 1/4).

Whole numbers stay exact: an array whose entries are integer multiples of 2^e with
|entry| <= count 2^e, count <= 2^53, has a `Grid`; sums and products whose grid still fits are exact in
floating point in any order, and keep radius 0. An undefined operation (division by an interval that
contains 0, log or sqrt below 0) gives the radius NaN, which no comparison decides and `enclose` refuses.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

U = 2.0**-53
INFLATE = 1 + 2.0**-40
TINY = 2.0**-1020
SMALLEST_DIVISOR = 2.0**-900  # below this, underflow inside a radius could matter: treated as zero
EXACT_INTEGERS = 1 << 53


@dataclass(frozen=True)
class Grid:
    """All entries are integer multiples of 2**exponent, at most count * 2**exponent in size."""

    exponent: int
    count: int

    @property
    def fits(self) -> bool:
        return self.count <= EXACT_INTEGERS and -960 <= self.exponent <= 900

    def plus(self, other: Grid) -> Grid:
        a, b = self._aligned(other)
        return Grid(min(self.exponent, other.exponent), a + b)

    def union(self, other: Grid) -> Grid:
        a, b = self._aligned(other)
        return Grid(min(self.exponent, other.exponent), max(a, b))

    def times(self, other: Grid) -> Grid:
        return Grid(self.exponent + other.exponent, self.count * other.count)

    def repeated(self, n: int) -> Grid:
        return Grid(self.exponent, self.count * max(n, 1))

    def _aligned(self, other: Grid) -> tuple[int, int]:
        low = min(self.exponent, other.exponent)
        return self.count << (self.exponent - low), other.count << (other.exponent - low)


def fitting(grid: Grid | None) -> Grid | None:
    """The grid where the spacing of doubles keeps it, else None."""
    return grid if grid is not None and grid.fits else None


def grid_of(values: list[Fraction]) -> Grid:
    """The finest grid that dyadic numbers lie on."""
    shift = max((x.denominator.bit_length() - 1 for x in values), default=0)
    return Grid(-shift, max((int(abs(x) * (1 << shift)) for x in values), default=0))


def gamma(n: int) -> float:
    """n u / (1 - n u), rounded up. Raises ValueError above 1/4 (n > 1.8e15)."""
    if n * U > 0.2:
        raise ValueError(f"a sum of {n} terms has no useful error bound in float64")
    return n * U / (1 - n * U) * (1 + 4 * U)
