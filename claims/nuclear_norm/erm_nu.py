"""Section 6.2: the method, loss plus lambda times the nuclear norm of the batch's features.

Setting. M = Phi(X) has singular value decomposition U diag(s) V^T with positive s.

Statement. The penalty adds lambda U V^T to the gradient in M. For m x n matrices of full rank the derivative along E
lies between the slopes (|M|_* - |M - h E|_*)/h and (|M + h E|_* - |M|_*)/h, for |.|_* is convex; here h = 2^-30. The
two meet as h tends to 0 where the rank is full, and nowhere else for every E. For
2 x 2 matrices |M|_*^2 = |M|_F^2 + 2 |det M|, so that it is (<M, E> + sign(det M) <cof M, E>)/|M|_*, without singular
vectors. Neither 2 lambda M, the gradient of the squared Frobenius norm, nor lambda u_1 v_1^T, that of the spectral
norm, will do.

Reference: (6.2), (6.3) and the listing, lines 1640-1680.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, at_most, claim, instances, integers, leg, reals, variant

lam = sp.Symbol("lam", positive=True)
m, n = sp.symbols("m n", integer=True, positive=True)
STEP = Fraction(1, 2**30)


def draw(rng, lam, m, n):
    """M (m, n) = U diag(s) V^T, k = min(m, n), with rational orthonormal columns of U (m, k) and V (n, k) and
    distinct positive s; a direction E."""
    k = min(m, n)
    U, V = ([list(row[:k]) for row in rng.orthogonal_rational(size)] for size in (m, n))
    s = [Fraction(int(rng.integers(1, 5)), 4) + 2 * i for i in reversed(range(k))]
    sign = int(rng.signs())
    U = [[*row[:-1], sign * row[-1]] for row in U]
    M = [[sum(U[i][a] * s[a] * V[j][a] for a in range(k)) for j in range(n)] for i in range(m)]
    return {"M": M, "U": U, "V": V, "E": rng.rational((m, n), 5)}


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


def nuclear_norm(ns, M):
    """Sum of the singular values. Shape (B,)."""
    return ns.sum(ns.svdvals(M), axis=-1)


def slope_ahead(ns, M, E, lam):
    """lam (|M + h E|_* - |M|_*)/h. Shape (B,)."""
    return lam * (nuclear_norm(ns, M + STEP * E) - nuclear_norm(ns, M)) / STEP


def slope_behind(ns, M, E, lam):
    """lam (|M|_* - |M - h E|_*)/h. Shape (B,)."""
    return lam * (nuclear_norm(ns, M) - nuclear_norm(ns, M - STEP * E)) / STEP


def gap_of_slopes(ns, M, E, lam):
    """The slope ahead less the slope behind: no more than h times the curvature where the rank is full. Shape (B,)."""
    return slope_ahead(ns, M, E, lam) - slope_behind(ns, M, E, lam)


def gap_without_the_first(ns, M, U, V, E, lam):
    """Of M without its first singular value."""
    u, v = (ns.expand_dims(A[:, :, 0], axis=2) for A in (U, V))
    vt = ns.matrix_transpose(v)
    return gap_of_slopes(
        ns,
        M - ns.matmul(u, ns.matmul(ns.matrix_transpose(u), ns.matmul(M, ns.matmul(v, vt)))),
        E,
        lam,
    )


def printed(ns, U, V, E, lam):
    """lam <U V^T, E>. Shape (B,)."""
    return lam * along(ns, ns.matmul(U, ns.matrix_transpose(V)), E)


def rising(ns, U, V, E, lam):
    return ns.abs(printed(ns, U, V, E, lam))


def falling(ns, U, V, E, lam):
    return -rising(ns, U, V, E, lam)


def frobenius(ns, M, E, lam):
    return 2 * lam * along(ns, M, E)


def without_two(ns, M, E, lam):
    return lam * along(ns, M, E)


def spectral(ns, U, V, E, lam):
    outer = ns.expand_dims(U[:, :, 0], axis=2) * ns.expand_dims(V[:, :, 0], axis=1)
    return lam * along(ns, outer, E)


def across(ns, U, V, E, lam):
    """With lam |<u_1 v_k^T, E>| on top, which is 0 along all pairs u_i v_i^T where k > 1."""
    u, v = U[:, :, :1], V[:, :, -1:]
    return printed(ns, U, V, E, lam) + lam * ns.abs(along(ns, u * ns.matrix_transpose(v), E))


def across_behind(ns, U, V, E, lam):
    return 2 * printed(ns, U, V, E, lam) - across(ns, U, V, E, lam)


DRAWN = instances(draw, "M U V E", smoke=4, standard=12)

gradient = claim(
    "nuclear-nu-gradient",
    lhs=r"\partial_E\;\lambda\|M\|_*",
    tex=r"\lambda\,\langle UV^\top,E\rangle",
    states="nuclear-erm-nu",
    title="Gradient of the penalty",
    says=r"The derivative of $\lambda\|M\|_*$ along $E$ is $\lambda\langle UV^\top,E\rangle$, for "
    r"$m\times n$ matrices of full rank.",
    covers="nu-gradient",
    reads={"lambda": "lam"},
    domain={lam: reals(0, low_open=True), m: integers(1), n: integers(1)},
    grid={
        "smoke": [{lam: Fraction(1, 100), m: 2, n: 3}, {lam: 2, m: 3, n: 2}],
        "standard": {lam: [Fraction(1, 100), 7], m: [2, 4], n: [3]},
    },
    legs=[
        leg(
            "slope ahead",
            slope_ahead,
            reference=printed,
            relation=at_least(),
            instances=DRAWN,
            unit=lam,
        ),
        leg(
            "slope behind",
            slope_behind,
            reference=printed,
            relation=at_most(),
            instances=DRAWN,
            unit=lam,
        ),
        # s >= 1/4 and entries of E up to 5: the second derivative is at most 2 |E|_F^2/s <= 200 m n, h 200 < 2^-20
        leg(
            "both slopes",
            gap_of_slopes,
            relation=at_most(),
            closed_form=lam * m * n / 2**20,
            instances=DRAWN,
            lhs=r"\lambda\,\frac{\|M+hE\|_*-2\|M\|_*+\|M-hE\|_*}h",
            tex=r"2^{-20}\lambda mn",
        ),
        leg(
            "determinant",
            by_determinant,
            reference=printed,
            where=(sp.Eq(m, 2), sp.Eq(n, 2)),
            grid={"smoke": {lam: [Fraction(1, 100), 2], m: [2], n: [2]}},
            instances=DRAWN,
            unit=lam,  # along some directions the derivative is 0
        ),
    ],
    rivals=[
        variant("2 lambda M", reference=frobenius, leg="slope ahead"),
        variant("lambda M", reference=without_two, leg="slope ahead"),
        variant("of lower rank", simulation=gap_without_the_first, leg="both slopes"),
        variant("2 lambda M behind", reference=frobenius, leg="slope behind"),
        variant("2 lambda M by determinants", reference=frobenius, leg="determinant"),
        variant("lambda u_1 v_1^T", reference=spectral, leg="slope ahead"),
        variant("more across the pairs", reference=across, leg="slope ahead"),
        variant("less across the pairs", reference=across_behind, leg="slope behind"),
        variant("across the pairs by determinants", reference=across, leg="determinant"),
        variant("rises along every direction", reference=rising, leg="determinant"),
        variant("falls along every direction", reference=falling, leg="determinant"),
    ],
)
