"""Lemma D.2: second moments of y x for a noisy linear model.

Setting. x ~ N(0, Lambda), y = <w, x> + eps with independent eps of variance sigma^2.

Statements. E[y^2 x x^T] = (sigma^2 + w^T Lambda w) Lambda + 2 Lambda w w^T Lambda; E[yx] E[yx]^T = Lambda w w^T
Lambda; so Cov(yx) has factor 1 in place of 2. Printed with the number w^T w in place of the matrix w w^T, which
only d = 1 forgives.

Reference: Lemma D.2 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    equals,
    identity_for_all,
    instances,
    integers,
    leg,
    reals,
    spectra,
    variant,
)
from theorycheck.blocks.gaussian_rules import FIFTH, THIRD, product_rule

from ._attention import covariance, gaussian, root_of, turned
from ._conditions import entries

d = sp.symbols("d", integer=True, positive=True)
sigma = sp.symbols("sigma", nonnegative=True)
lam = sp.IndexedBase("lam")


def task(rng, d):
    return {"w": rng.rational((d,), 3)}


def nodes_of_an_example(ns, root, w, sigma):
    """x, y and their weights, exact where x enters with degree 4 and eps with 2."""
    d = root.shape[0]
    nodes, weights = product_rule([FIFTH] * d + [THIRD])
    nodes = ns.asarray(nodes)
    x = gaussian(ns, nodes[:, :d], root)
    return x, ns.matmul(x, w) + sigma * nodes[:, d], ns.asarray(weights)


def moments(ns, root, w, sigma):
    """E[y^2 x x^T] and E[yx] E[yx]^T. Two of shape (d, d)."""
    x, y, weights = nodes_of_an_example(ns, root, w, sigma)
    second = ns.matmul(ns.matrix_transpose(ns.expand_dims(weights * y**2, axis=-1) * x), x)
    mean = ns.matmul(weights * y, x)
    return second, ns.outer(mean, mean)


def form(ns, Lam, w, sigma, factor=2, printed=False):
    """(sigma^2 + w^T Lambda w) Lambda + factor Lambda w w^T Lambda, or as printed with w^T w. Shape (d, d)."""
    Lw = ns.matmul(Lam, w)
    outer = ns.sum(w**2) * ns.matmul(Lam, Lam) if printed else ns.outer(Lw, Lw)
    return (sigma**2 + ns.sum(w * Lw)) * Lam + factor * outer


def each(ns, w, lam, sigma, program):
    root = root_of(ns, lam, ns.eye(len(lam)))
    return ns.stack([program(root, w[t], ns.asarray(sigma)) for t in range(w.shape[0])])


def second_moment(ns, w, lam, sigma):
    """E[y^2 x x^T], one task after the other. Shape (B, d, d)."""
    return each(ns, w, lam, sigma, lambda root, w, noise: moments(ns, root, w, noise)[0])


def covariance_of_yx(ns, w, lam, sigma):
    def second_less_mean(root, w, noise):
        second, mean = moments(ns, root, w, noise)
        return second - mean

    return each(ns, w, lam, sigma, second_less_mean)


def stated_moment(ns, w, lam, sigma, factor=2, printed=False):
    Lam = covariance(ns, lam, ns.eye(len(lam)))
    return ns.stack(
        [form(ns, Lam, w[t], ns.asarray(sigma), factor, printed) for t in range(w.shape[0])]
    )


def printed_moment(ns, w, lam, sigma):
    return stated_moment(ns, w, lam, sigma, printed=True)


def printed_covariance(ns, w, lam, sigma):
    return stated_moment(ns, w, lam, sigma, factor=1, printed=True)


def single(ns, w, lam, sigma):
    return stated_moment(ns, w, lam, sigma, factor=1)


def twice_the_noise(ns, w, lam, sigma):
    return stated_moment(ns, w, lam, 2 * sigma)


def noiseless(ns, w, lam, sigma):
    return stated_moment(ns, w, lam, 0)


# ---- for every spectrum, task and noise: lam = s^2, eigenbasis turned(t)


def all_three(ns, s, t, w, sigma):
    """E[y^2 x x^T], E[yx] E[yx]^T and Cov(yx). Shape (3, d, d)."""
    second, mean = moments(ns, turned(ns, t, s.shape[0]) * s, w, sigma)
    return ns.stack([second, mean, second - mean])


def all_stated(ns, s, t, w, sigma, factors=(2, 1)):
    Lam = covariance(ns, s**2, turned(ns, t, s.shape[0]))
    second, cov = (form(ns, Lam, w, sigma, factor) for factor in factors)
    Lw = ns.matmul(Lam, w)
    return ns.stack([second, ns.outer(Lw, Lw), cov])


def for_all_of_them(d, factors=(2, 1)):
    fields = {"s": (d,), "t": (), "w": (d,), "sigma": ()}
    return identity_for_all(
        all_three, lambda ns, **given: all_stated(ns, **given, factors=factors), fields
    )


def swapped(d):
    return for_all_of_them(d, factors=(1, 2))


SCENE = {
    "reads": {"Lambda": "lam"},
    "domain": {lam: spectra(d, squares=True), d: integers(1), sigma: reals(0)},
    "where": entries,
    "grid": {
        "smoke": [{lam: (4,), d: 1, sigma: 2}, {lam: (4, 1), d: 2, sigma: Fraction(2, 3)}],
        "standard": [{lam: (4, 1), d: 2, sigma: 0}, {lam: (9, 4, 1), d: 3, sigma: 2}],
    },
}
TASKS = instances(task, "w", smoke=3, standard=4)

printed = claim(
    "icl-noisy-moment",
    lhs=r"\mathbb{E}[y^2xx^\top]",
    tex=r"(\sigma^2+w^\top\Lambda w)\,\Lambda+2\,\Lambda\,(w^\top w)\,\Lambda",
    title="Second moments of $y x$, as printed",
    says=r"$\mathbb{E}[y^2 x x^\top] = (\sigma^2 + w^\top\Lambda w) \Lambda+ 2 \Lambda(w^\top w) "
    r"\Lambda$.",
    expect="fail",
    covers="second-moment-as-printed",
    legs=[
        leg(
            "cubature",
            second_moment,
            arithmetic="rational",
            reference=printed_moment,
            instances=TASKS,
        )
    ],
    **SCENE,
)

printed_cov = claim(
    "icl-noisy-moment-covariance",
    lhs=r"\operatorname{Cov}(yx)",
    tex=r"(\sigma^2+w^\top\Lambda w)\,\Lambda+\Lambda\,(w^\top w)\,\Lambda",
    states="icl-noisy-moment",
    title="Covariance of $y x$, as printed",
    says=r"$\operatorname{Cov}(yx) = (\sigma^2 + w^\top\Lambda w) \Lambda+ \Lambda(w^\top w) "
    r"\Lambda$.",
    expect="fail",
    covers="covariance",
    legs=[
        leg(
            "cubature",
            covariance_of_yx,
            arithmetic="rational",
            reference=printed_covariance,
            instances=TASKS,
        )
    ],
    **SCENE,
)

corrected = claim(
    "icl-noisy-moment-corrected",
    lhs=r"\mathbb{E}[y^2xx^\top]",
    tex=r"(\sigma^2+w^\top\Lambda w)\,\Lambda+2\,\Lambda ww^\top\Lambda",
    states="icl-noisy-moment",
    title="Moments of $y x$",
    says=r"$\mathbb{E}[y^2xx^\top]=(\sigma^2+w^\top\Lambda w)\Lambda+2\Lambda ww^\top\Lambda$, "
    r"$\mathbb{E}[yx]\mathbb{E}[yx]^\top=\Lambda ww^\top\Lambda$, and their difference has factor 1.",
    role="corrected",
    corrects="icl-noisy-moment",
    covers="second-moment outer-product-of-mean",
    relation=equals(),
    legs=[
        leg(
            "cubature",
            second_moment,
            arithmetic="rational",
            reference=stated_moment,
            instances=TASKS,
        ),
        leg("for all", for_all_of_them, arithmetic="proof", over="Lambda w sigma", where=d <= 3),
    ],
    rivals=[
        variant("factor 1", reference=single),
        variant("without the noise", reference=noiseless),
        variant("noise 2 sigma", reference=twice_the_noise),
        variant("factors swapped", simulation=swapped, leg="for all"),
    ],
    **SCENE,
)
