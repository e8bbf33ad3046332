"""Section F.1.1, last paragraph: the simplex of four values is optimal, in whatever dimension from 3 on.

Setting. Four equally likely values of z_R, logistic loss, codes of norm B in R^k, x = B^2. The bound from the dual
matrix of `heavy_atom` holds for codes of every dimension.

Reference: section F.1.1, line 9551.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    attained,
    certificate,
    claim,
    equals,
    instances,
    integers,
    leg,
    minimises,
    reals,
    search,
    variant,
)

from ._views import code_loss, logistic
from .heavy_atom import dual_matrix
from .random_labels import CODES

x = sp.Symbol("x", positive=True)
k = sp.Symbol("k", integer=True, positive=True)


def loss_of(ns, units, x):
    """Logistic loss of codes B times ``units`` (B, 4, k), x = B^2, under the uniform law. Shape (B,)."""
    law = ns.full((units.shape[0], 4), ns.rational(1, 4))
    return code_loss(ns, law, ns.sqrt(ns.asarray(x)) * units, logistic)


def simplex_units(ns, k):
    """The codes of `CODES` over sqrt(3), as far as k coordinates hold them. Shape (1, 4, k)."""
    codes = [[*code, *[0] * k][:k] for code in CODES[3]]
    return ns.asarray([codes]) / ns.sqrt(ns.asarray(3))


def on_simplex(ns, x, k):
    """Shape ()."""
    return loss_of(ns, simplex_units(ns, k), x)[0]


def sizes_of_simplex(ns, x, k):
    """How many coordinates the codes have, the largest and the least of their squared lengths over B^2. Shape (3,)."""
    units = simplex_units(ns, k)[0]
    squares = ns.sum(units * units, axis=1)
    return ns.stack([ns.asarray(units.shape[1]), ns.max(squares), ns.min(squares)], axis=0)


def sizes_in_plane(ns, x, k):
    """Of the first two coordinates."""
    units = simplex_units(ns, k)[0, :, :2]
    squares = ns.sum(units * units, axis=1)
    return ns.stack([ns.asarray(units.shape[1]), ns.max(squares), ns.min(squares)], axis=0)


def bound_from(ns, units, x):
    """loss + 4 x min(0, least eigenvalue of Lambda), a bound for codes of every dimension (see `heavy_atom`). Shape
    (B,)."""
    law, x = ns.full((units.shape[0], 4), ns.rational(1, 4)), ns.asarray(x)
    least = -ns.relu(-ns.eigvalsh(dual_matrix(ns, law, x, units))[:, 0])
    return loss_of(ns, units, x) + 4 * x * least


def from_simplex(ns, x, k):
    """Shape ()."""
    return bound_from(ns, simplex_units(ns, k), x)[0]


def units_in_space(rng, k):
    """Rational unit vectors of R^k."""
    return {"units": [rng.orthogonal_rational(k)[0] for _ in range(4)]}


UNITS = instances(units_in_space, "units", smoke=3, standard=8)
simplex_optimal = claim(
    "contrastive-simplex-optimal",
    lhs=r"\min_{v_1,\dots,v_4}\mathrm{loss}(v)",
    states="contrastive-random-label",
    title="The simplex is optimal",
    says=r"Of four equally likely values the least logistic loss over codes of norm $B$ in $\mathbb{R}^k$, $k \ge 3$, "
    r"is that of the simplex, $\ell(0)/4 + 3\ell(4B^2/3)/4$.",
    role="derived",
    domain={x: reals(0, low_open=True), k: integers(3)},
    grid={
        "smoke": [{x: Fraction(1, 4), k: 4}, {x: 1, k: 3}, {x: 4, k: 6}],
        "standard": {x: [Fraction(n, 4) for n in (1, 2, 6, 20)], k: [3, 5]},
    },
    closed_form=sp.log(2) / 4 + 3 * sp.log(1 + sp.exp(-4 * x / 3)) / 4,
    relation=minimises(),
    legs=[
        attained(on_simplex),
        certificate(from_simplex),
        search(loss_of, name="drawn codes", instances=UNITS),
        leg(
            "codes of norm B in R^k",
            sizes_of_simplex,
            relation=equals(),
            required=False,
            closed_form=sp.Matrix([k, 1, 1]),
            lhs=r"(\dim v_a,\ \max|v_a|^2/B^2,\ \min|v_a|^2/B^2)",
            tex="(k,\\ 1,\\ 1)",
        ),
        leg(
            "bounds from drawn codes",
            bound_from,
            relation=at_most(),
            required=False,
            instances=UNITS,
        ),
    ],
    rivals=[
        variant("two coordinates", simulation=sizes_in_plane, leg="codes of norm B in R^k"),
        variant(
            "the square",
            closed_form=sp.log(2) / 4 + sp.log(1 + sp.exp(-2 * x)) / 4 + sp.log(1 + sp.exp(-x)) / 2,
        ),
        variant(
            "losses of drawn codes as bounds", simulation=loss_of, leg="bounds from drawn codes"
        ),
        variant(
            "all other pairs opposite",
            closed_form=sp.log(2) / 4 + 3 * sp.log(1 + sp.exp(-2 * x)) / 4,
        ),
    ],
)
