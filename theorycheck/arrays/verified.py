"""Verified linear algebra for midpoint-radius matrices: an approximate answer, then a proof of it.

Everything approximate (inverse, eigenvectors) comes from the array library and needs no guarantee; the
bounds hold for whatever it returned, because they only use interval residuals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx

from theorycheck.arrays.backends import to_host
from theorycheck.arrays.error_model import INFLATE, gamma
from theorycheck.arrays.errors import NotFinite
from theorycheck.arrays.interval_array import IntervalArray, IntervalOperations

_DET_BITS = 256


def solve(ns: IntervalOperations, a: IntervalArray, b: IntervalArray) -> Any:
    """Enclosure of A^-1 B, shapes (..., n, n) and (..., n, m).

    With R near A^-1, G = I - R A of row sums <= g < 1, and any X0: X - X0 = (I - G)^-1 D with
    D = R (B - A X0), hence |X - X0 - D| <= (row sums of |G|) max|D| / (1 - g), column by column (Rump,
    Acta Numerica 2010, section 10). Raises ZeroDivisionError where A is not shown to be regular.
    """
    xp = ns.xp
    r = IntervalArray(ns, _approximate_inverse(xp, a.mid))
    g = _row_sums(ns, ns.eye(a.shape[-1]) - r @ a)
    most = xp.max(g, axis=-1)
    if not bool(xp.all(most < 1)):
        raise ZeroDivisionError("solve: a matrix is singular, or too close to it for float64")
    x0 = IntervalArray(ns, xp.matmul(r.mid, b.mid))
    x0 = IntervalArray(ns, x0.mid + xp.matmul(r.mid, (b - a @ x0).mid))
    d = r @ (b - a @ x0)
    largest = xp.max(abs(d).upper(), axis=-2)
    room = 1 - xp.nextafter(most, xp.ones_like(most))
    extra = xp.expand_dims(g, axis=-1) * xp.expand_dims(
        largest / xp.expand_dims(room, axis=-1), axis=-2
    )
    return _widened(x0 + d, extra)


def eigvalsh(ns: IntervalOperations, a: IntervalArray) -> Any:
    """Enclosures of the eigenvalues of symmetric (..., n, n), ascending.

    For any regular Q, lambda_i(Q^T A Q) = theta_i lambda_i(A) with theta_i between the extreme
    eigenvalues of Q^T Q (Ostrowski), which lie within the row sums of |Q^T Q - I| of 1; and
    |lambda_i(Q^T A Q) - d_i| <= the largest row sum of |Q^T A Q - diag(d)| (Weyl). Raises ValueError for
    matrices that are not symmetric, ArithmeticError where the computed Q is too far from orthogonal.
    """
    xp = ns.xp
    apart = (a.upper() < a.mT.lower()) | (a.lower() > a.mT.upper())
    if bool(xp.any(apart)):
        raise ValueError("eigvalsh: the matrix is not symmetric")
    values, vectors = xp.linalg.eigh((a.mid + xp.matrix_transpose(a.mid)) / 2)
    q = IntervalArray(ns, vectors)
    d = IntervalArray(ns, values)
    tilt = xp.max(_row_sums(ns, q.mT @ q - ns.eye(a.shape[-1])), axis=-1, keepdims=True)
    if not bool(xp.all(tilt < 0.5)):
        raise ArithmeticError("eigvalsh: the approximate eigenvectors are not orthogonal")
    rest = q.mT @ a @ q - ns.diag(d)
    shift = xp.max(_row_sums(ns, rest), axis=-1, keepdims=True)
    theta = IntervalArray(ns, xp.ones_like(tilt), tilt)
    return _widened(d, xp.broadcast_to(shift, d.shape)) / theta


def det(ns: IntervalOperations, a: IntervalArray) -> Any:
    """Enclosure of determinants, on the host in balls around the given intervals (small matrices)."""
    n = a.shape[-1]
    mids = to_host(a.mid).reshape(-1, n * n)
    rads = to_host(a.rad).reshape(-1, n * n)
    if not (np.isfinite(mids).all() and np.isfinite(rads).all()):
        raise NotFinite("det: an entry is NaN or infinite")
    with ctx.workprec(_DET_BITS):
        balls = [
            arb_mat(n, n, [arb(float(m), float(r)) for m, r in zip(*row, strict=True)]).det()
            for row in zip(mids, rads, strict=True)
        ]
    return ns.reshape(ns._from_balls(balls), a.shape[:-2])


def _approximate_inverse(xp: Any, a: Any) -> Any:
    try:
        return xp.linalg.inv(a)
    except np.linalg.LinAlgError:
        raise ZeroDivisionError("solve: a matrix is singular to float64") from None


def _row_sums(ns: IntervalOperations, x: Any) -> Any:
    """Doubles above the sums of |x_ij| over j."""
    return ns.xp.sum(abs(x).upper(), axis=-1) * (1 + 2 * gamma(x.shape[-1])) * INFLATE


def _widened(x: Any, extra: Any) -> Any:
    return x.ns._made(x.mid, x.rad + extra * INFLATE)
