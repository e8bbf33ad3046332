"""Derived from the exact error: its mean over task vectors on the sphere.

Setting. As in `error_exact`, theta* uniform on the unit sphere of R^d (printed S^d), H = X^T X.

Statement. The mean of <TF, theta*> - alpha is -alpha tr((I - eta H)^T)/d: the error is a quadratic form in theta*,
and E theta* theta*^T = I/d. A quadratic form has the same mean over the d axes of any orthonormal basis, which one
leg goes through exactly; the other draws from the sphere.

Not in the source; sharpens Theorem 8.16.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    bounded,
    claim,
    equals,
    instances,
    integers,
    leg,
    mean,
    spectra,
    variant,
)
from theorycheck.blocks.rational_matrices import with_spectrum

from ._models import looped_transformer

d, T, i = sp.symbols("d T i", integer=True, positive=True)
lam = sp.IndexedBase("lam")
alpha, eta = sp.symbols("alpha eta", real=True)
trace = sp.Sum((1 - eta * lam[i]) ** T, (i, 1, d))


def any_problem(rng, d, lam, T):
    """X with spectrum lam, a basis V that has nothing to do with it, alpha and a step of any size."""
    X, _ = with_spectrum(rng, lam)
    return {
        "X": X,
        "V": rng.orthogonal_rational(d),
        "alpha": int(rng.integers(1, 6) * rng.signs()),
        "eta": Fraction(int(rng.integers(-4, 9)), 8),
    }


def over_a_basis(ns, X, V, alpha, eta, d, T):
    """Mean of the error over the columns of V as task vectors. Shape (B,)."""
    total = alpha * 0
    for axis in range(d):
        total = total + error(ns, X, V[:, :, axis], alpha, eta, T)
    return total / d


def at_the_first_axis(ns, X, V, alpha, eta, d, T):
    return error(ns, X, V[:, :, 0], alpha, eta, T)


def error(ns, X, theta_star, alpha, eta, T):
    """<TF, theta*> - alpha. X (B, n, d), theta_star (B, d), the others (B,); shape (B,)."""
    y = ns.sum(X * ns.expand_dims(theta_star, axis=1), axis=-1)
    steps = ns.broadcast_to(ns.expand_dims(eta, axis=-1), (y.shape[0], T))
    output = looped_transformer(ns, X, y, theta_star * 0, alpha, steps, T)
    return ns.sum(output * theta_star, axis=-1) - alpha


def on_the_sphere(ns, rng, size, d, lam, T):
    """The error at alpha = 1, eta = 1/(1 + lam_1), X = diag(sqrt(lam)), theta* uniform. Shape (size,)."""
    X = ns.diag(ns.sqrt(ns.asarray(list(lam)))) + ns.zeros((size, d, d))
    one = ns.ones((size,))
    return error(ns, X, rng.sphere((size, d)), one, one / ns.asarray(1 + lam[0]), T)


def at_corners(ns, rng, size, d, lam, T):
    """The same at theta* = (+-1, .., +-1)/sqrt(d): no other mean, and another spread."""
    X = ns.diag(ns.sqrt(ns.asarray(list(lam)))) + ns.zeros((size, d, d))
    one = ns.ones((size,))
    return error(
        ns, X, rng.signs((size, d)) / ns.sqrt(ns.asarray(d)), one, one / ns.asarray(1 + lam[0]), T
    )


def squared_on_the_sphere(ns, rng, size, d, lam, T):
    return on_the_sphere(ns, rng, size, d, lam, T) ** 2


def squared_at_corners(ns, rng, size, d, lam, T):
    return at_corners(ns, rng, size, d, lam, T) ** 2


# E (theta' A theta)^2 = (2 tr A^2 + (tr A)^2)/(d (d + 2))
SQUARES = sp.Sum((1 - eta * lam[i]) ** (2 * T), (i, 1, d))
SPREAD = ((2 * SQUARES + trace**2) / (d * (d + 2))).subs(eta, 1 / (1 + lam[1]))
sphere_average = claim(
    "looped-error-sphere-average",
    lhs=r"\mathbb{E}_{\theta^*}\,[\hat\alpha_T-\alpha]",
    tex=r"-\frac{\alpha}{d}\operatorname{tr}\big((I-\eta H)^T\big)",
    states="looped-error-exact",
    title="Mean error over unit task vectors",
    says=r"For $\theta^*$ uniform on the unit sphere the mean signed error is $-\alpha\operatorname{tr}((I-\eta "
    r"H)^T)/d$.",
    role="derived",
    covers="sphere-average",
    reads={"X": "lam X"},
    domain={d: integers(1), lam: spectra(d), T: integers(0)},
    grid={
        "smoke": [{d: 2, lam: (4, 1), T: 3}, {d: 3, lam: (5, 2, 0), T: 2}, {d: 1, lam: (3,), T: 2}]
    },
    closed_form=-alpha / d * trace,
    relation=equals(),
    legs=[
        leg(
            "orthonormal bases",
            over_a_basis,
            arithmetic="rational",
            instances=instances(any_problem, "X V alpha eta", smoke=3, standard=6),
        ),
        leg(
            "sphere",
            on_the_sphere,
            statistic=mean(bounded(-1, 0)),
            draws="theta_star",
            unit=1,
            closed_form=(-trace / d).subs(eta, 1 / (1 + lam[1])),
            target=Fraction(1, 10),
            lhs=r"\mathbb{E}_{\theta^*}\,[\hat\alpha_T-\alpha]",
            tex=r"-\frac1d\operatorname{tr}\Big(\big(I-\tfrac{1}{1+\lambda_1}H\big)^T\Big)",
            grid={"smoke": [{d: 2, lam: (4, 1), T: 1}, {d: 3, lam: (4, 2, 0), T: 2}]},
        ),
        # A law that is not uniform may have the mean; it has not the spread.
        leg(
            "squares on the sphere",
            squared_on_the_sphere,
            statistic=mean(bounded(0, 1)),
            draws="theta_star",
            unit=1,
            closed_form=SPREAD,
            target=Fraction(1, 25),
            required=False,
            lhs=r"\mathbb{E}_{\theta^*}\,[(\hat\alpha_T-\alpha)^2]",
            tex=r"\frac{2\operatorname{tr}(A^2)+(\operatorname{tr}A)^2}{d(d+2)},\quad "
            r"A=\big(I-\tfrac{1}{1+\lambda_1}H\big)^T",
            grid={"smoke": [{d: 3, lam: (4, 4, 0), T: 2}, {d: 2, lam: (4, 0), T: 2}]},
        ),
    ],
    rivals=[
        variant("not divided by d", closed_form=-alpha * trace, leg="orthonormal bases"),
        variant(
            "power of the mean",
            leg="orthonormal bases",
            closed_form=-alpha * (sp.Sum(1 - eta * lam[i], (i, 1, d)) / d) ** T,
        ),
        variant("one axis alone", simulation=at_the_first_axis, leg="orthonormal bases"),
        variant(
            "power of the mean, on the sphere",
            leg="sphere",
            closed_form=-((trace.subs(T, 1) / d) ** T).subs(eta, 1 / (1 + lam[1])),
        ),
        variant("corners of the cube", simulation=squared_at_corners, leg="squares on the sphere"),
    ],
)
