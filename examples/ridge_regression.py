"""Ridge regression. min over w of |X w - y|^2 + lam |w|^2 is y^T (I + X X^T / lam)^(-1) y, closed from both sides: by
the ridge solution, and by a dual value that no w can pass."""

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    instances,
    integers,
    matrices,
    minimises,
    reals,
    variant,
    vectors,
)

n, d = sp.symbols("n d", integer=True, positive=True)
lam = sp.symbols("lam", positive=True)


def times(ns, a, v):
    """Matrix (..., n, d) times vector (..., d)."""
    return ns.matmul(a, v[..., None])[..., 0]


def at_the_solution(ns, X, y, d, lam):
    """Objective at w = (X^T X + lam I)^(-1) X^T y. Shape (B,)."""
    xt = ns.matrix_transpose(X)
    w = ns.solve(xt @ X + lam * ns.eye(d), times(ns, xt, y)[..., None])[..., 0]
    gap = times(ns, X, w) - y
    return ns.sum(gap**2, axis=-1) + lam * ns.sum(w**2, axis=-1)


def dual_value(ns, X, y, lam, n):
    """2 a.y - |a|^2 - |X^T a|^2 / lam, a lower bound for every a. Shape (B,)."""
    xt = ns.matrix_transpose(X)
    a = ns.solve(ns.eye(n) + X @ xt / lam, y[..., None])[..., 0]
    back = times(ns, xt, a)
    return 2 * ns.sum(a * y, axis=-1) - ns.sum(a**2, axis=-1) - ns.sum(back**2, axis=-1) / lam


def least(ns, X, y, lam, n):
    """y^T (I + X X^T / lam)^(-1) y. Shape (B,)."""
    a = ns.solve(ns.eye(n) + X @ ns.matrix_transpose(X) / lam, y[..., None])[..., 0]
    return ns.sum(a * y, axis=-1)


def least_if_scaled(ns, X, y, lam, n):
    """lam y^T (I + X X^T)^(-1) y. Shape (B,)."""
    return lam * least(ns, X, y, 1, n)


DATA = instances({"X": matrices(n, d), "y": vectors(n)}, smoke=4)
EXACT = {"arithmetic": "rational", "instances": DATA}


scaled = claim(
    "ridge-value-scaled",
    says="The least ridge objective is lam y^T (I + X X^T)^(-1) y.",
    domain={n: integers(1), d: integers(1), lam: reals(0, low_open=True)},
    grid={"smoke": {n: [2, 4], d: [1, 3], lam: [1, 3]}},
    relation=minimises(),
    legs=[
        attained(at_the_solution, reference=least_if_scaled, **EXACT),
        certificate(dual_value, reference=least_if_scaled, **EXACT),
    ],
    expect="fail",  # right at lam = 1 only
)

ridge = scaled.corrected(
    "ridge-value",
    says="The least ridge objective is y^T (I + X X^T / lam)^(-1) y.",
    legs=[
        attained(at_the_solution, reference=least, **EXACT),
        certificate(dual_value, reference=least, **EXACT),
    ],
    rivals=[variant("lam taken out of the inverse", reference=least_if_scaled)],
)
