"""Array namespaces: one program, five arithmetics.

A simulation is written once, as ``fn(ns, **inputs)``, and runs as

- `FloatNamespace(xp, dtype)`: plain floating point (NumPy, CuPy), to sample and to suspect;
- `IntervalNamespace(xp)`: float64 with a derived bound on its error, at the speed of GEMM;
- `BallNamespace(prec)`: balls at ``prec`` bits;
- `RationalNamespace()`: exact rationals; irrational functions raise `NotRational`;
- `IndeterminateNamespace(shapes)`: rational functions of the entries of named fields; roots and orders raise
  `NotRationalFunction`.

What a simulation may use, with the same meaning in all of them:

making    asarray number rational pi e zeros ones full eye linspace one_hot from_float64
indices   arange indices (plain integer arrays of ``ns.xp``: compute with them as usual, turn them into
          numbers with ``ns.number``)
shapes    reshape broadcast_to expand_dims squeeze permute_dims matrix_transpose moveaxis flip roll
          repeat stack concat take take_along_axis a[...] tril triu diag diagonal
sums      sum mean prod cumulative_sum matmul (@) vecdot tensordot einsum outer norm trace wht dft
functions abs sign square pow power sqrt exp expm1 log log1p sin cos tan tanh sinh cosh erf floor
          cos_2pi sin_2pi relu softmax logsumexp sigmoid softplus
order     maximum minimum max min argmax argmin argsort sort where all any < <= > >= == !=
algebra   solve inv det eigvalsh svdvals

Rules. Python floats are refused (`FloatLiteral`): write ``ns.rational(1, 10)``. Integers and Fractions
may be operands in the exact arithmetics; for plain floats a Fraction must pass through ``ns.asarray``.
Comparisons give plain boolean arrays, and in the exact arithmetics raise `UndecidedBranch` where the
enclosures overlap: they never guess. Undefined or overflowing values end in `NotFinite`. Arrays are
immutable: assemble with ``where``, ``stack`` and ``concat``. Wrap a run in ``with ns.working():``.
"""

from __future__ import annotations

from theorycheck.arrays.backends import Backend, keep_memory, pin_threads, select, to_host
from theorycheck.arrays.balls import BallNamespace
from theorycheck.arrays.enclosing import enclose
from theorycheck.arrays.errors import (
    FloatLiteral,
    NotFinite,
    NotRational,
    NotRationalFunction,
    NotSupported,
    UndecidedBranch,
)
from theorycheck.arrays.floats import FloatNamespace
from theorycheck.arrays.indeterminates import IndeterminateNamespace
from theorycheck.arrays.interval_array import IntervalArray
from theorycheck.arrays.intervals import IntervalNamespace
from theorycheck.arrays.objects import ObjectArray
from theorycheck.arrays.rationals import RationalNamespace

__all__ = [
    "Backend",
    "BallNamespace",
    "FloatLiteral",
    "FloatNamespace",
    "IndeterminateNamespace",
    "IntervalArray",
    "IntervalNamespace",
    "NotFinite",
    "NotRational",
    "NotRationalFunction",
    "NotSupported",
    "ObjectArray",
    "RationalNamespace",
    "UndecidedBranch",
    "enclose",
    "keep_memory",
    "pin_threads",
    "select",
    "to_host",
]
