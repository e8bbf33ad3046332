"""Beside Theorem 8.16: no steps that are fixed before the prompt satisfy its bound on all prompts.

Setting. As in `error_bound`, with any real steps eta_0, .., eta_{T-1}, m the largest |eta_t|.

Statement. On the prompt X = r I, r = 1/(2 T (1 + m)), each factor |1 - eta_t r^2| is at least 1 - 1/(4 T), and so
the error at least 3/4 |alpha|, by Bernoulli. Its condition number is 1, and the bound at most exp(-1/2) |alpha| =
0.61 |alpha|.

Reference: Theorem 8.16 (arXiv 2410.11268), with its quantifiers in order; derived.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    steps,
    typed,
    variant,
)

from ._models import looped_transformer

d, T = sp.symbols("d T", integer=True, positive=True)


def with_steps(rng, d, T):
    """Steps of both signs, of any size, varying from loop to loop, and a number alpha that is not 0."""
    return {
        "eta": [9 * Fraction(x) for x in rng.rational((T,), 7)],
        "alpha": int(rng.integers(1, 5) * rng.signs()),
    }


def inverse_scale(rng, d, T):
    return {"eta": [1] * T, "alpha": int(rng.integers(1, 5))}


def error(ns, eta, alpha, d, T):
    """|<TF, theta*> - alpha| / |alpha| on the prompt against these steps. Shape (B,)."""
    return on_prompt(ns, eta, alpha, d, T, 1 / (2 * T * (1 + ns.max(ns.abs(eta), axis=-1))))


def with_the_largest(ns, eta, alpha, d, T):
    """The same, with the largest |eta_t| beside it."""
    return {"value": error(ns, eta, alpha, d, T), "m": ns.max(ns.abs(eta), axis=-1)}


def at_the_end(rng, d, T):
    """Small steps and then a large one."""
    return {
        "eta": [Fraction(0)] * (T - 1) + [Fraction(int(rng.integers(8, 25)))],
        "alpha": int(rng.signs()),
    }


def scaled_by_the_first(ns, eta, alpha, d, T):
    return {
        **with_the_largest(ns, eta, alpha, d, T),
        "value": on_prompt(ns, eta, alpha, d, T, 1 / (2 * T * (1 + ns.abs(eta[:, 0])))),
    }


def of_scale_one(ns, eta, alpha, d, T):
    return on_prompt(ns, eta, alpha, d, T, alpha * 0 + 1)


def on_prompt(ns, eta, alpha, d, T, r):
    """The same on the prompt X = r I. Shape (B,)."""
    X = ns.reshape(r, (-1, 1, 1)) * ns.eye(d)
    theta = X[:, 0, :] * 0 + ns.eye(d)[0]
    y = ns.sum(X * ns.expand_dims(theta, axis=1), axis=-1)
    output = looped_transformer(ns, X, y, theta * 0, alpha, eta, T)
    return ns.abs(ns.sum(output * theta, axis=-1) - alpha) / ns.abs(alpha)


def at_every_size(ns, d, T):
    """The least error over steps 1, 4, 16, .., 4^23, the same in every loop: of a prompt that was there before the
    steps, r I with r >= 2^-23, one of them leaves less than half. Shape ()."""
    sizes = ns.asarray([[4**j] * T for j in range(24)])
    return ns.min(error(ns, sizes, 0 * sizes[:, 0] + 1, d, T))


def prompt_before_the_steps(ns, d, T):
    """With r = 1/(200 T), whatever the steps."""
    sizes = ns.asarray([[4**j] * T for j in range(24)])
    one = 0 * sizes[:, 0] + 1
    return ns.min(on_prompt(ns, sizes, one, d, T, one / (200 * T)))


m = sp.symbols("m", nonnegative=True)
bound = sp.exp(-T / sp.Integer(2))
LEFT = (1 - m / (4 * T**2 * (1 + m) ** 2)) ** T
no_fixed_schedule = claim(
    "looped-no-fixed-schedule",
    lhs=r"|\hat\alpha_T-\alpha|/|\alpha|",
    tex=r"e^{-T/(2\kappa)},\quad\kappa=1",
    states="looped-error-bound",
    title="No steps fixed before the prompt satisfy the bound",
    says=r"For every $T$ and every sequence of steps there is a prompt on which the error after $T$ loops is above "
    r"$|\alpha|\exp(-T/(2\kappa))$.",
    role="derived",
    covers="no-prompt-independent-step",
    domain={d: integers(1), T: integers(1)},
    grid={"smoke": {d: [1, 2], T: [1, 2, 5]}, "standard": {d: [1, 3], T: [1, 2, 5, 20]}},
    closed_form=bound,
    relation=at_least(strict=True),
    legs=[
        leg(
            "prompt against the steps",
            error,
            arithmetic="rational",
            gives="X theta_star",
            instances=instances(with_steps, {"eta": steps(T), "alpha": None}, smoke=3, standard=8),
        ),
        leg(
            "steps of every size",
            at_every_size,
            arithmetic="rational",
            lhs=r"\min_j|\hat\alpha_T-\alpha|/|\alpha|,\quad\eta_t=4^j",
            where=T <= 20,
            required=False,
        ),
        leg(
            "what is left of the error",
            with_the_largest,
            arithmetic="rational",
            observed=["m"],
            closed_form=LEFT,
            relation=at_least(),
            lhs=r"|\hat\alpha_T-\alpha|/|\alpha|",
            tex=r"\Big(1-\frac{m}{4T^2(1+m)^2}\Big)^T,\quad m=\max_t|\eta_t|",
            instances=instances(at_the_end, {"eta": steps(T), "alpha": None}, smoke=3, standard=8),
        ),
        formula_leg(
            "every schedule",
            typed(f"{LEFT} > {bound}", over=["T in 1..oo", "m in [0, oo)"]),
            required=False,
            lhs=r"\Big(1-\frac{m}{4T^2(1+m)^2}\Big)^T",
            tex="e^{-T/2}",
        ),
    ],
    rivals=[
        variant(
            "one prompt for all steps",
            simulation=of_scale_one,
            instances=instances(inverse_scale, "eta alpha", smoke=1),
        ),
        variant("no error is left out", closed_form=sp.Integer(1)),
        variant(
            "the prompt before the steps",
            simulation=prompt_before_the_steps,
            leg="steps of every size",
            at=[{d: 1, T: 1}],
        ),
        variant(
            "scaled by the first step",
            simulation=scaled_by_the_first,
            leg="what is left of the error",
            at=[{d: 1, T: 2}],
        ),
    ],
)
