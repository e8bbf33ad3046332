"""Derived from the exact error: its sign, its fall with the loops, and what varying steps give.

Setting. As in `error_exact`, |theta*| = 1 in the first two.

Statements. With 0 <= eta <= 1/L the output never overshoots, alpha (<TF, theta*> - alpha) <= 0, and the error after
T + 1 loops is at most that after T, each of its terms c_i^2 (1 - eta lam_i)^T lying in [0, c_i^2] and falling.
Beyond 1/L both are false, the first for odd T. With varying steps the power becomes the product over t of 1 - eta_t
lam_i, for theta* of any norm.

Not in the source; sharpens Theorem 8.16.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    spectra,
    typed,
    variant,
    vectors,
)
from theorycheck.blocks.rational_matrices import apply, realizable, with_spectrum

from ._models import TaskPrompt, looped_transformer

d, T = sp.symbols("d T", integer=True, positive=True)
lam, c = sp.IndexedBase("lam"), sp.IndexedBase("c")
alpha = sp.Symbol("alpha", real=True)
UNIT = {2: (Fraction(3, 5), Fraction(4, 5)), 3: (Fraction(2, 3), Fraction(1, 3), Fraction(2, 3))}


TOP = 1  # the largest step, in units of 1/L


def prompts(steps, top=TOP):
    """X with spectrum lam, theta* = sum_i c_i e_i, alpha of both signs, ``steps(rng, largest eigenvalue, T)``, none
    above ``top`` over that eigenvalue."""

    def draw(rng, d, lam, c, T):
        X, V = with_spectrum(rng, lam)
        theta_star = apply(V, [Fraction(x) for x in c])
        L = Fraction(max(lam)) or Fraction(1)
        eta = steps(rng, L, T)
        if top is not None and max(eta) * L > top:
            raise ValueError("a larger step than the claim speaks of")
        return TaskPrompt(
            X=X,
            y=realizable(X, theta_star),
            theta_star=theta_star,
            q0=[0] * d,
            alpha=int(rng.integers(1, 6) * rng.signs()),
            eta=eta,
        )

    return draw


def up_to_one(rng, L, T):
    return [Fraction(int(rng.integers(0, 9)), 8) / L for _ in range(T)]


def beyond_one(rng, L, T):
    return [Fraction(int(rng.integers(14, 16)), 8) / L for _ in range(T)]


def any_steps(rng, L, T):
    return [Fraction(int(rng.integers(-8, 17)), 8) for _ in range(T)]


def error(ns, X, y, theta_star, q0, alpha, eta, T):
    """<TF, theta*> - alpha of the looped transformer. Shape (B,)."""
    return ns.sum(looped_transformer(ns, X, y, q0, alpha, eta, T) * theta_star, axis=-1) - alpha


def overshoot(ns, X, y, theta_star, q0, alpha, eta, T):
    """alpha times the error. Shape (B,)."""
    return alpha * error(ns, X, y, theta_star, q0, alpha, eta, T)


def loops(ns, X, y, theta_star, q0, alpha, eta, T):
    return ns.abs(error(ns, X, y, theta_star, q0, alpha, eta, T))


def one_loop_less(ns, X, y, theta_star, q0, alpha, eta, T):
    return ns.abs(error(ns, X, y, theta_star, q0, alpha, eta, T - 1))


def one_loop_more(ns, X, y, theta_star, q0, alpha, eta, T):
    more = ns.concat([eta, eta[:, :1]], axis=1)
    return ns.abs(error(ns, X, y, theta_star, q0, alpha, more, T + 1))


DOMAIN = {d: integers(1), lam: spectra(d), c: vectors(d, unit=True), T: integers(1)}
GRID = {
    "smoke": [
        {d: 2, lam: (4, 1), c: UNIT[2], T: 1},
        {d: 2, lam: (4, 1), c: (1, 0), T: 3},
        {d: 2, lam: (3, 0), c: UNIT[2], T: 4},
        {d: 3, lam: (5, 2, 1), c: UNIT[3], T: 6},
    ]
}
READS = {"X": "d lam X", "theta_star": "c theta_star"}
SMALL = instances(prompts(up_to_one), TaskPrompt, smoke=3, standard=6)
LARGE = instances(prompts(beyond_one, top=2), TaskPrompt, smoke=2)
EVEN = [{d: 2, lam: (4, 1), c: UNIT[2], T: 2}]
ODD = [{d: 2, lam: (4, 1), c: (1, 0), T: 3}]

undershoot = claim(
    "looped-error-undershoot",
    lhs=r"\alpha\,(\hat\alpha_T-\alpha)",
    tex="0",
    states="looped-error-exact",
    title="The output never overshoots",
    says=r"For unit $\theta^*$ and any steps in $[0,1/L]$, $\alpha(\hat\alpha_T-\alpha)\le0$ for every $T$.",
    role="derived",
    covers="undershoot",
    reads=READS,
    domain=DOMAIN,
    grid=GRID,
    closed_form=sp.Integer(0),
    relation=at_most(),
    legs=[leg("prompts", overshoot, arithmetic="rational", instances=SMALL, unit=1)],
    rivals=[
        variant("by half of alpha^2", closed_form=-(alpha**2) / 2),
        variant("steps in (1/L, 2/L)", instances=LARGE, at=ODD),
    ],
)

term = formula_leg(
    "each term",
    typed("(1 - x)**T <= (1 - x)**(T - 1)", over=[f"x in [0, {TOP}]", "T in 1..oo"]),
    required=False,
    lhs=r"(1-x)^T",
    tex=r"(1-x)^{T-1}",
)
monotone = claim(
    "looped-error-falls",
    lhs=r"|\hat\alpha_T-\alpha|",
    tex=r"|\hat\alpha_{T-1}-\alpha|",
    states="looped-error-bound",
    title="The error never grows with the loops",
    says=r"With step $1/L$, or a smaller one, the prediction error after $T$ loops is at most that after $T-1$.",
    role="derived",
    covers="monotone-in-loops",
    reads=READS,
    domain={**DOMAIN, lam: spectra(d, positive=True)},
    grid={"smoke": [p for p in GRID["smoke"] if 0 not in p[lam]]},
    relation=at_most(),
    legs=[
        leg("prompts", loops, arithmetic="rational", reference=one_loop_less, instances=SMALL),
        term,
    ],
    rivals=[
        variant("one loop more on the right", reference=one_loop_more, leg="prompts"),
        variant("steps in (1/L, 2/L)", instances=LARGE, leg="prompts", at=EVEN),
        *rivals_of(term, {"x up to 2": {"over": ["x in [0, 2]", "T in 1..oo"]}}),
    ],
)


def of_products(ns, lam, c, alpha, eta, T):
    """alpha (|c|^2 - 1) - alpha sum_i c_i^2 prod_t (1 - eta_t lam_i). Shape (B,)."""
    lam, mass = ns.asarray(list(lam)), ns.asarray(list(c)) ** 2
    left = mass + ns.expand_dims(alpha * 0, axis=-1)
    for t in range(T):
        left = left * (1 - eta[:, t : t + 1] * lam)
    return alpha * (ns.sum(mass) - 1) - alpha * ns.sum(left, axis=-1)


def of_the_first_step(ns, lam, c, alpha, eta, T):
    return of_products(ns, lam, c, alpha, eta[:, :1] + 0 * eta, T)


def of_the_mean_step(ns, lam, c, alpha, eta, T):
    return of_products(
        ns, lam, c, alpha, ns.expand_dims(ns.mean(eta, axis=1), axis=-1) + 0 * eta, T
    )


def without_norm(ns, lam, c, alpha, eta, T):
    return of_products(ns, lam, c, alpha, eta, T) - alpha * (ns.sum(ns.asarray(list(c)) ** 2) - 1)


ANY = {
    "smoke": [
        *GRID["smoke"],
        {d: 2, lam: (4, 4), c: (2, -1), T: 3},
        {d: 3, lam: (5, 2, 0), c: (1, Fraction(1, 2), -1), T: 2},
    ]
}
variable_steps = claim(
    "looped-error-variable-steps",
    lhs=r"\hat\alpha_T-\alpha",
    tex=r"\alpha\,(\|\theta^*\|^2-1)-\alpha\sum_{i=1}^{d}c_i^2\prod_{t<T}(1-\eta_t\lambda_i)",
    states="looped-error-exact",
    title="Exact error with varying steps",
    says=r"For every realisable prompt and every sequence of steps the signed error is "
    r"$\alpha(\|\theta^*\|^2-1)-\alpha\sum_ic_i^2\prod_t(1-\eta_t\lambda_i)$.",
    role="derived",
    covers="variable-steps",
    reads=READS,
    domain={**DOMAIN, c: vectors(d)},
    grid=ANY,
    relation=equals(),
    legs=[
        leg(
            "prompts",
            error,
            arithmetic="rational",
            reference=of_products,
            instances=instances(prompts(any_steps, top=None), TaskPrompt, smoke=3, standard=6),
        ),
    ],
    rivals=[
        variant("the first step in every loop", reference=of_the_first_step),
        variant("the mean step in every loop", reference=of_the_mean_step),
        variant("a unit task vector assumed", reference=without_norm),
    ],
)
