"""Enclosed eigenvalues of symmetric ball matrices whatever their multiplicities.

Jacobi's rotations give a nearly orthogonal Q and a nearly diagonal Q^T A Q; neither is trusted. For any
regular Q, lambda_i(Q^T A Q) = theta_i lambda_i(A) with theta_i between the extreme eigenvalues of Q^T Q
(Ostrowski), which lie within the row sums of |Q^T Q - I| of 1; and |lambda_i(Q^T A Q) - d_i| <= the largest row
sum of |Q^T A Q - diag(d)| (Weyl).

Source: Golub and Van Loan, Matrix Computations, 8.5 for the rotations; Horn and Johnson, Matrix Analysis, 4.3 and
4.5 for both bounds.
"""

from __future__ import annotations

from typing import Any

from flint import arb, arb_mat, ctx

_SWEEPS = 60
"""Convergence is quadratic after a few sweeps; more than some ten mean that it has stalled."""


def eigenvalues(a: arb_mat) -> list[arb]:
    """Enclosures of the eigenvalues of the symmetric ``a``, ascending. Shape (n,).

    Raises ArithmeticError where the rotations found are too far from orthogonal.
    """
    n = a.nrows()
    q = arb_mat(n, n, [x for row in _rotations(a) for x in row])
    tilt = _largest_row_sum(q.transpose() * q - arb_mat(n, n, _identity(n)))
    if not tilt < arb(1) / 2:
        raise ArithmeticError("the approximate eigenvectors are not orthogonal")
    turned = q.transpose() * a * q
    diagonal = sorted((turned[i, i].mid() for i in range(n)), key=lambda x: x.fmpq())
    off = [turned[i, j] - (turned[i, i].mid() if i == j else 0) for i in range(n) for j in range(n)]
    shift = _largest_row_sum(arb_mat(n, n, off))
    theta = arb(1, tilt.upper())
    return [arb(d, shift.upper()) / theta for d in diagonal]


def _identity(n: int) -> list[int]:
    return [int(i == j) for i in range(n) for j in range(n)]


def _rotations(a: arb_mat) -> list[list[arb]]:
    """Approximate eigenvectors of the midpoints, in columns: points, not enclosures."""
    n = a.nrows()
    b = [[a[i, j].mid() for j in range(n)] for i in range(n)]
    q = [[arb(int(i == j)) for j in range(n)] for i in range(n)]
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    size = max((abs(x) for row in b for x in row), key=lambda x: x.fmpq(), default=arb(0))
    small = (size * arb(2) ** (8 - ctx.prec)).mid()
    for _ in range(_SWEEPS):
        left = [(i, j) for i, j in pairs if abs(b[i][j]) > small]
        if not left:
            break
        for i, j in left:
            _rotate(b, q, i, j)
    return q


def _rotate(b: list[list[arb]], q: list[list[arb]], i: int, j: int) -> None:
    """Make b[i][j] vanish by a rotation of rows and columns i and j."""
    if b[i][j].is_zero():
        return
    theta = (b[j][j] - b[i][i]) / (2 * b[i][j])
    t = 1 / (abs(theta) + (theta * theta + 1).sqrt())
    t = (-t if theta < 0 else t).mid()
    c = (1 / (t * t + 1).sqrt()).mid()
    s = (t * c).mid()

    def mixed(x: arb, y: arb) -> tuple[Any, Any]:
        return (c * x - s * y).mid(), (s * x + c * y).mid()

    for row in (*b, *q):
        row[i], row[j] = mixed(row[i], row[j])
    for k in range(len(b)):
        b[i][k], b[j][k] = mixed(b[i][k], b[j][k])


def _largest_row_sum(m: arb_mat) -> arb:
    """Largest sum of |entries| of a row, as a ball whose upper end bounds it."""
    sums = [sum((abs(m[i, j]) for j in range(m.ncols())), arb(0)) for i in range(m.nrows())]
    return max(sums, key=lambda x: x.upper().fmpq())
