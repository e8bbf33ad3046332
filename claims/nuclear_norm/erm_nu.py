"""Section 6.2: the method, loss plus lambda times the nuclear norm of the batch's features.

Setting. M = Phi(X) has singular value decomposition U diag(s) V^T with positive s.

Statement. The penalty adds lambda U V^T to the gradient in M. Here for 2 x 2 matrices: there |M|_*^2 = |M|_F^2 + 2
|det M|, so that the derivative along E is (<M, E> + sign(det M) <cof M, E>)/|M|_*, without singular vectors.
Neither 2 lambda M, the gradient of the squared Frobenius norm, nor lambda u_1 v_1^T, that of the spectral norm,
will do.

Reference: (6.2), (6.3) and the listing, lines 1640-1680.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, instances, leg, reals, variant

lam = sp.Symbol("lam", positive=True)


def draw(rng, lam):
    """M = U diag(s) V^T with rational orthogonal U, V and distinct positive s; a direction E."""
    U, V = rng.orthogonal_rational(2), rng.orthogonal_rational(2)
    s = (Fraction(int(rng.integers(5, 13)), 4), Fraction(int(rng.integers(1, 5)), 4))
    sign = int(rng.signs())
    U = [[U[i][0], sign * U[i][1]] for i in range(2)]
    M = [[sum(U[i][k] * s[k] * V[j][k] for k in range(2)) for j in range(2)] for i in range(2)]
    return {"M": M, "U": U, "V": V, "E": rng.rational((2, 2), 5)}


def along(ns, A, E):
    """<A, E>. Shape (B,)."""
    return ns.sum(A * E, axis=(1, 2))


def cofactors(ns, M):
    rows = [[M[:, 1, 1], -M[:, 1, 0]], [-M[:, 0, 1], M[:, 0, 0]]]
    return ns.stack([ns.stack(row, axis=1) for row in rows], axis=1)


def by_determinant(ns, M, E, lam):
    """Derivative of lam sqrt(|M|_F^2 + 2 |det M|) along E. Shape (B,)."""
    det = M[:, 0, 0] * M[:, 1, 1] - M[:, 0, 1] * M[:, 1, 0]
    norm = ns.sqrt(along(ns, M, M) + 2 * ns.abs(det))
    return lam * (along(ns, M, E) + ns.sign(det) * along(ns, cofactors(ns, M), E)) / norm


def printed(ns, U, V, E, lam):
    """lam <U V^T, E>. Shape (B,)."""
    return lam * along(ns, ns.matmul(U, ns.matrix_transpose(V)), E)


def frobenius(ns, M, E, lam):
    return 2 * lam * along(ns, M, E)


def spectral(ns, U, V, E, lam):
    outer = ns.expand_dims(U[:, :, 0], axis=2) * ns.expand_dims(V[:, :, 0], axis=1)
    return lam * along(ns, outer, E)


gradient = claim(
    "nuclear-nu-gradient",
    lhs=r"\partial_E\;\lambda\|M\|_*",
    tex=r"\lambda\,\langle UV^\top,E\rangle",
    states="nuclear-erm-nu",
    title="Gradient of the penalty",
    says=r"The derivative of $\lambda\|M\|_*$ along $E$ is $\lambda\langle UV^\top,E\rangle$, for "
    r"$2\times2$ matrices of full rank.",
    encodes="special-case",
    covers="nu-gradient",
    reads={"lambda": "lam"},
    domain={lam: reals(0, low_open=True)},
    grid={"smoke": {lam: [Fraction(1, 100), 2]}, "standard": {lam: [Fraction(1, 100), 1, 7]}},
    legs=[
        leg(
            "determinant",
            by_determinant,
            reference=printed,
            instances=instances(draw, "M U V E", smoke=4, standard=20),
            unit=lam,  # along some directions the derivative is 0
        )
    ],
    rivals=[
        variant("2 lambda M", reference=frobenius),
        variant("lambda u_1 v_1^T", reference=spectral),
    ],
)
