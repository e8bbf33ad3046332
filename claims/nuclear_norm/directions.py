"""Limit directions of weight decay and of the nuclear norm (derived from section 6.2).

Setting. Linear features with a frozen head of ones. Under strong weight decay the optimum points along the mean of
z, where beta/alpha = 2 gamma; under lambda sqrt(w^T C w), C = E[z z^T], along C^{-1} mu, where beta/alpha =
gamma/(6(1/3 - gamma^2)).

Statements. (1) The optimum with penalty lambda sqrt(w^T C w) is 0 exactly for lambda >= lambda_max, the dual norm
of the gradient -mu/2 at 0: lambda_max^2 = mu^T C^{-1} mu/4 = q/(4 (1 + q)), q = 3r + n gamma^2/(1/3 - gamma^2), by
Sherman and Morrison's formula. (2) Below it the optimum leaves 0 along C^{-1} mu. (3) For every gamma in (0, 1/2)
its beta/alpha is smaller than 2 gamma; at gamma = 1/2 both are 1. It is not at most half of it for every gamma:
only up to gamma^2 = 1/6.

Reference: derived from lines 1642-1660 and 1783.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    formula,
    instances,
    integers,
    leg,
    maximises,
    reals,
    search,
    theorem,
    variant,
)

below = formula(
    "nuclear-nu-below-l2",
    states="nuclear-small-weights-limit",
    title="The nuclear norm weighs the environment less",
    says="0 < gamma/(6*(1/3 - gamma**2)) < 2*gamma",
    over="gamma in (0, 1/2)",
    covers="nu-below-l2",
    rivals={
        "at most half": "0 < gamma/(6*(1/3 - gamma**2)) <= gamma",
        "up to 1": {"over": "gamma in (0, 1]"},
    },
)

r, d = sp.symbols("r d", integer=True, positive=True)
gamma = sp.Symbol("gamma", positive=True)


def moments(ns, r, d, gamma):
    """E z and E[z z^T] of the training law, entry by entry. Shapes (d, 1) and (d, d)."""
    mean = [Fraction(1, 2)] * r + [gamma] * (d - r)
    square = [[mean[i] * mean[j] if i != j else Fraction(1, 3) for j in range(d)] for i in range(d)]
    return ns.asarray([[m] for m in mean]), ns.asarray(square)


def some_direction(rng, r, d, gamma):
    """A vector without zeros."""
    return {"w": [int(rng.integers(1, 6) * rng.signs()) for _ in range(d)]}


def quotient(ns, w, mu, C):
    """(w^T mu/2)^2/(w^T C w). w (.., d, 1), shape (..)."""
    return ns.sum(mu * w, axis=(-2, -1)) ** 2 / (4 * ns.sum(w * ns.matmul(C, w), axis=(-2, -1)))


def at_drawn(ns, w, r, d, gamma):
    """The quotient at w (B, d). Shape (B,)."""
    mu, C = moments(ns, r, d, gamma)
    return quotient(ns, ns.expand_dims(w, axis=-1), mu, C)


def along_solution(ns, r, d, gamma):
    """The quotient at w = C^{-1} mu, elimination in exact rationals. Shape ()."""
    mu, C = moments(ns, r, d, gamma)
    return quotient(ns, ns.solve(C, mu), mu, C)


def dual_square(ns, r, d, gamma):
    """mu^T C^{-1} mu/4, which (w^T mu/2)^2 <= (w^T C w) mu^T C^{-1} mu/4 makes a bound for every w. Shape ()."""
    mu, C = moments(ns, r, d, gamma)
    return ns.sum(mu * ns.solve(C, mu)) / 4


def direction(ns, r, d, gamma):
    """beta/alpha of C^{-1} mu. Shape ()."""
    mu, C = moments(ns, r, d, gamma)
    w = ns.solve(C, mu)
    return w[d - 1, 0] / w[0, 0]


CELLS = {
    "domain": {
        r: integers(1),
        d: integers(2),
        gamma: reals(0, Fraction(1, 2), low_open=True, high_open=True),
    },
    "where": sp.Lt(r, d),
    "grid": {
        "smoke": [
            {r: 1, d: 2, gamma: Fraction(1, 5)},
            {r: 2, d: 5, gamma: Fraction(1, 20)},
            {r: 3, d: 4, gamma: Fraction(49, 100)},
        ],
        "standard": [
            {r: k, d: k + n, gamma: Fraction(g, 20)}
            for k in (1, 2, 4)
            for n in (1, 3)
            for g in (1, 5, 9)
        ],
    },
}
Q = 3 * r + (d - r) * gamma**2 / (sp.Rational(1, 3) - gamma**2)

threshold = claim(
    "nuclear-nu-threshold",
    lhs=r"\frac{(w^\top\mu/2)^2}{w^\top Cw}",
    tex=r"\frac{q}{4(1+q)},\quad q=3r+\frac{(d-r)\,\gamma^2}{1/3-\gamma^2}",
    states="nuclear-small-weights-limit",
    title="Where the nuclear norm sets the weights to 0",
    says=r"$\lambda_{\max}^2=q/(4(1+q))$, $q=3r+n\gamma^2/(1/3-\gamma^2)$, is the largest $(w^\top"
    r"\mu/2)^2/(w^\top Cw)$.",
    covers="lam-max",
    closed_form=Q / (4 * (1 + Q)),
    relation=maximises(),
    legs=[
        attained(along_solution, arithmetic="rational"),
        certificate(
            dual_square,
            arithmetic="rational",
            over="lambda",
            lemma=theorem(
                "Cauchy-Schwarz", product="C is mu mu^T + diag(1/3 - mu_i^2), mu_i <= 1/2"
            ),
        ),
        search(at_drawn, name="drawn w", arithmetic="rational",
               instances=instances(some_direction, "w", smoke=2, standard=5)),
    ],
    rivals=[
        variant("without the mean in C", closed_form=Q / 4),
        variant("q without the environment", closed_form=3 * r / (4 * (1 + 3 * r))),
    ],
    **CELLS,
)  # fmt: skip

nu_direction = claim(
    "nuclear-nu-direction",
    lhs=r"\frac{\beta}{\alpha}",
    tex=r"\frac{\gamma}{6\,(1/3-\gamma^2)}",
    states="nuclear-small-weights-limit",
    title="Direction of the nuclear norm's optimum",
    says=r"$C^{-1} \mu$ has $\beta/\alpha= \gamma/(6(1/3 - \gamma^2))$.",
    covers="nu-direction",
    left={"lambda": "that the optimum leaves 0 along C^{-1} mu is argued, not run"},
    closed_form=gamma / (6 * (sp.Rational(1, 3) - gamma**2)),
    legs=[leg("elimination", direction, arithmetic="rational")],
    rivals=[
        variant("2 gamma", closed_form=2 * gamma),
        variant("0", closed_form=sp.Integer(0)),
    ],
    **CELLS,
)
