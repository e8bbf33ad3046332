"""Derived from Theorem 8.14: the exact prediction error of the looped transformer.

Setting. y = X theta*, q0 = 0, constant step eta, X^T X = sum_i lam_i e_i e_i^T, c_i = <theta*, e_i>; any
norm of theta*, any rank of X.

Statement. <TF, theta*> - alpha = alpha (sum_i c_i^2 - 1) - alpha sum_i c_i^2 (1 - eta lam_i)^T. For a
unit theta* the output undershoots whenever eta <= 1/L.

Not in the source; sharpens Theorem 8.16.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, equals, instances, integers, leg, spectra, variant, vectors
from theorycheck.blocks.rational_matrices import apply, realizable, with_spectrum

from ._models import TaskPrompt, looped_transformer

T = sp.symbols("T", integer=True, positive=True)
i, d = sp.symbols("i d", integer=True, positive=True)
lam, c = sp.IndexedBase("lam"), sp.IndexedBase("c")
alpha, eta = sp.symbols("alpha eta", real=True)


def form(exponent=T, power=2, sign=1):
    """alpha (sum c^2 - 1) - alpha sum c^2 (1 - eta lam)^T, with the marked places changeable."""
    left = alpha * (sp.Sum(c[i] ** 2, (i, 1, d)) - 1)
    return sign * (left - alpha * sp.Sum(c[i] ** power * (1 - eta * lam[i]) ** exponent, (i, 1, d)))


def draw(rng, d, lam, c, T):
    """X with spectrum lam, theta* = sum_i c_i e_i, a random alpha != 0 and a random step, the same in every loop."""
    X, V = with_spectrum(rng, lam)
    theta_star = apply(V, [Fraction(x) for x in c])
    return TaskPrompt(
        X=X,
        y=realizable(X, theta_star),
        theta_star=theta_star,
        q0=[0] * d,
        alpha=int(rng.integers(1, 6) * rng.signs()),
        eta=Fraction(int(rng.integers(-8, 17)), 8),
    )


def error(ns, X, y, theta_star, q0, alpha, eta, T):
    """<TF, theta*> - alpha of the looped transformer. Shape (B,)."""
    steps = ns.broadcast_to(ns.expand_dims(eta, axis=-1), (alpha.shape[0], T))
    output = looped_transformer(ns, X, y, q0, alpha, steps, T)
    return ns.sum(output * theta_star, axis=-1) - alpha


UNIT = (Fraction(3, 5), Fraction(4, 5))
error_exact = claim(
    "looped-error-exact",
    lhs=r"\hat\alpha_T-\alpha",
    tex=r"\alpha\,(\|\theta^*\|^2-1)-\alpha\sum_{i=1}^{d}c_i^2\,(1-\eta\lambda_i)^T",
    title="Exact prediction error of the looped transformer",
    says="For every realisable prompt and constant step, the signed error is "
    r"$\alpha(\|\theta^*\|^2-1)-\alpha\sum_ic_i^2(1-\eta\lambda_i)^T$.",
    role="derived",
    covers="exact-error",
    reads={"X": "d lam X", "theta_star": "c theta_star"},
    domain={
        d: integers(1),
        lam: spectra(d),
        c: vectors(d),
        T: integers(0),
    },
    grid={
        "smoke": [
            {d: 2, lam: (4, 1), c: UNIT, T: 1},
            {d: 2, lam: (4, 1), c: UNIT, T: 5},
            {d: 2, lam: (3, 0), c: (2, -1), T: 4},
            {d: 3, lam: (5, 2, 1), c: (Fraction(2, 3), Fraction(1, 3), Fraction(2, 3)), T: 6},
        ],
        "standard": [
            {d: size, lam: tuple(range(size, 0, -1)), c: tuple(range(1, size + 1)), T: t}
            for size in (1, 2, 4)
            for t in (0, 1, 2, 6, 12)
        ],
    },
    closed_form=form(),
    relation=equals(),
    legs=[
        leg(
            "exact",
            error,
            arithmetic="rational",
            instances=instances(draw, TaskPrompt, smoke=2, standard=4),
        ),
    ],
    rivals=[
        variant("exponent 2T", closed_form=form(exponent=2 * T)),
        variant("c_i for c_i squared", closed_form=form(power=1)),
        variant("other sign", closed_form=form(sign=-1)),
    ],
)
