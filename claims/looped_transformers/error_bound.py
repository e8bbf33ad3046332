"""Theorem 8.16 (informally 8.1): the prediction error decays exponentially in the number of loops.

Setting. y = X theta* with |theta*| = 1, q0 = 0, alpha != 0, X of full column rank, L and mu the largest
and smallest eigenvalue of X^T X, kappa = L / mu.

Statement. |<TF, theta*> - alpha| <= |alpha| exp(-T / (2 kappa)).

The statement does not name the step. Two readings: the step 1/L, which the proof takes over from
Theorem 8.25 (true, and loose by a factor 2 in the exponent), and any positive step, which Definition 8.7
allows (false). Since 1/L depends on the prompt, no fixed schedule works for all prompts: scaling X leaves
kappa as it is and moves the error.

Reference: Theorem 8.16 (arXiv 2410.11268).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)
from theorycheck.blocks.rational_matrices import column, realizable, unit_vector, with_spectrum

from ._models import TaskPrompt, looped_transformer

d, T = sp.symbols("d T", integer=True, positive=True)
kappa, alpha = sp.symbols("kappa alpha", real=True)
DECAY = sp.exp(-T / (2 * kappa))
bound = sp.Abs(alpha) * DECAY

GRID = {
    "smoke": [
        {d: 2, kappa: 10, T: 50},
        {d: 3, kappa: Fraction(3, 2), T: 3},
        {d: 2, kappa: 2, T: 20},
        # An exponent just above that of the sharp form is wrong from kappa of several hundred on.
        {d: 2, kappa: 10**4, T: 3},
    ],
    "standard": {
        d: [2, 3, 5],
        kappa: [1, Fraction(21, 20), Fraction(3, 2), 2, 4, 10, 10**4],
        T: [1, 3, 10, 50],
    },
}


def spectrum(d, kappa):
    """1 = mu <= .. <= L = kappa, evenly spaced."""
    return [1 + (kappa - 1) * Fraction(i, max(1, d - 1)) for i in range(d)]


def prompt(theta=None, step=1, norm=1, start=0, scale=1, noise=0, null=False):
    """Instances: X of a random scale, X^T X of the given condition number, theta* along eigenvector ``theta`` (0 the
    lowest, -1 the highest; None random), step ``step``/L, |theta*| = ``norm``, theta_0 = -``start`` times
    the lowest eigenvector, X scaled by ``scale`` after the step was fixed, ``noise`` added to every label;
    ``null``: the lowest eigenvalue replaced by 0, kappa staying that of the others."""

    def draw(rng, d, kappa, T):
        X, V = with_spectrum(rng, [0] * null + spectrum(d, kappa)[null:])
        direction = unit_vector(rng, d) if theta is None else column(V, theta)
        theta_star = [norm * x for x in direction]
        alpha = int(rng.integers(1, 5) * rng.signs())
        unit = Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 5)))
        X = [[scale * unit * x for x in row] for row in X]
        return TaskPrompt(
            X=X,
            y=[label + noise for label in realizable(X, theta_star)],
            theta_star=theta_star,
            q0=[start * alpha * x for x in column(V, 0)],
            alpha=alpha,
            eta=[step / (Fraction(kappa) * unit**2)] * T,
        )

    return draw


def error(ns, X, y, theta_star, q0, alpha, eta, T):
    """|<TF, theta*> - alpha| of the looped transformer. Shape (B,)."""
    output = looped_transformer(ns, X, y, q0, alpha, eta, T)
    return ns.abs(ns.sum(output * theta_star, axis=-1) - alpha)


def with_step_of_kappa(ns, X, y, theta_star, q0, alpha, eta, T, kappa):
    """The same with the step 1/kappa, which is 1/L on prompts with mu = 1 alone."""
    return error(ns, X, y, theta_star, q0, alpha, 0 * eta + ns.asarray(1 / Fraction(kappa)), T)


def changed(name, theta=0, at=None, **how):
    """A rival with other data."""
    return variant(name, instances=instances(prompt(theta, **how), TaskPrompt, smoke=1), at=at)


DOMAIN = {d: integers(1), kappa: reals(1), T: integers(0)}
SCENE = {"X": "d kappa X"}
HARD = [{d: 2, kappa: 2, T: 20}]
# A rate that is too large by little fails from some kappa on that no point is near.
SHARPER = formula_leg(
    "above the sharp form",
    typed(
        f"(1 - 1/kappa)**T <= {DECAY}",
        over=["kappa in [1, oo)", "T in 0..oo"],
        steps=["1 - 1/kappa <= exp(-1/kappa)"],
    ),
    required=False,
    lhs=r"\Big(1-\frac1\kappa\Big)^T",
    tex=r"e^{-T/(2\kappa)}",
)
LONG = [{d: 2, kappa: 2, T: 40}]

error_bound = claim(
    "looped-error-bound",
    lhs=r"|\hat\alpha_T-\alpha|",
    tex=r"|\alpha|\,e^{-T/(2\kappa)}",
    title="The error decays exponentially in the number of loops",
    says=r"With step $1/\lambda_{\max}(X^\top X)$, for every realisable prompt with unit task vector, "
    r"the prediction error after $T$ loops is at most $|\alpha|\exp(-T/(2\kappa))$.",
    role="reading",
    covers="bound-with-inverse-L-step",
    reads=SCENE,
    domain=DOMAIN,
    grid=GRID,
    closed_form=bound,
    relation=at_most(),
    legs=[
        leg(
            "worst task",
            error,
            arithmetic="rational",
            instances=instances(prompt(0), TaskPrompt, smoke=1, standard=2),
        ),
        leg(
            "random task",
            error,
            arithmetic="rational",
            instances=instances(prompt(), TaskPrompt, smoke=2, standard=4),
        ),
        SHARPER,
    ],
    rivals=[
        *rivals_of(
            SHARPER,
            {
                "exp(-1001T/(1000 kappa))": {
                    "says": "(1 - 1/kappa)**T <= exp(-1001*T/(1000*kappa))",
                    "steps": (),
                }
            },
        ),
        variant("exp(-2T/kappa)", closed_form=sp.Abs(alpha) * sp.exp(-2 * T / kappa)),
        variant(
            "exp(-2T/kappa) for a random task",
            leg="random task",
            closed_form=sp.Abs(alpha) * sp.exp(-2 * T / kappa),
        ),
        variant("exp(-3T/(2 kappa))", closed_form=sp.Abs(alpha) * sp.exp(-3 * T / (2 * kappa))),
        variant("exp(-5T/(4 kappa))", closed_form=sp.Abs(alpha) * sp.exp(-5 * T / (4 * kappa))),
        variant(
            "condition number of X", closed_form=sp.Abs(alpha) * sp.exp(-T / (2 * sp.sqrt(kappa)))
        ),
        variant("step 1/kappa", simulation=with_step_of_kappa, leg="random task", at=LONG),
        changed("step 2/L", theta=-1, step=2, at=HARD),
        changed("step 1.9/L", theta=-1, step=Fraction(19, 10), at=HARD),
        changed("step 2.1/L", theta=-1, step=Fraction(21, 10), at=HARD),
        changed("task vector of norm 2", norm=2, at=LONG),
        changed("task vector of norm 1/2", norm=Fraction(1, 2), at=LONG),
        changed("starts away from 0", start=5, at=[{d: 2, kappa: 2, T: 3}]),
        changed("a step fixed for another scale of X", scale=Fraction(1, 10), at=LONG),
        changed("labels off by 1/10", noise=Fraction(1, 10), at=LONG),
        changed("X without full rank", null=True, at=[{d: 3, kappa: 2, T: 40}]),
    ],
    plot=T,
)


def of_the_theorem(draw):
    """Such prompts, of a unit task and its labels: elsewhere a larger error refutes nothing."""

    def drawn(rng, d, kappa, T):
        one = draw(rng, d, kappa, T)
        if sum(x * x for x in one.theta_star) != 1 or one.y != realizable(one.X, one.theta_star):
            raise ValueError("no prompt that the theorem speaks of")
        return one

    return drawn


error_bound_any_step = claim(
    "looped-error-bound-any-step",
    lhs=r"|\hat\alpha_T-\alpha|",
    tex=r"|\alpha|\,e^{-T/(2\kappa)}",
    states="looped-error-bound",
    title="The error bound with an arbitrary positive step",
    says=r"For every positive step, the error after $T$ loops is at most $|\alpha| \exp(-T/(2 "
    r"\kappa))$.",
    role="reading",
    expect="fail",
    covers="bound-with-any-step",
    reads=SCENE,
    domain=DOMAIN,
    grid={"smoke": [*HARD, {d: 2, kappa: 5, T: 6}, {d: 2, kappa: 10, T: 9}]},
    closed_form=bound,
    relation=at_most(),
    legs=[
        leg(
            "step 2/L",
            error,
            arithmetic="rational",
            instances=instances(of_the_theorem(prompt(-1, step=2)), TaskPrompt, smoke=1),
        ),
    ],
    rivals=[variant("no decay", closed_form=sp.Abs(alpha))],
)

error_bound_sharp = claim(
    "looped-error-bound-sharp",
    lhs=r"|\hat\alpha_T-\alpha|",
    tex=r"|\alpha|\Big(1-\frac1\kappa\Big)^T",
    states="looped-error-bound",
    title="The sharp form of the error bound",
    says=r"With step $1/\lambda_{\max}$ the error is at most $|\alpha|(1-1/\kappa)^T$, which the lowest"
    " eigenvector attains.",
    role="derived",
    covers="sharp-form",
    reads=SCENE,
    domain=DOMAIN,
    grid=GRID,
    closed_form=sp.Abs(alpha) * (1 - 1 / kappa) ** T,
    relation=at_most(),
    legs=error_bound.legs[:2],
    rivals=[
        variant(
            "exp(-2T/kappa)", closed_form=sp.Abs(alpha) * sp.exp(-2 * T / kappa), leg="random task"
        ),
        variant("one loop more", closed_form=sp.Abs(alpha) * (1 - 1 / kappa) ** (T + 1)),
        variant(
            "a thousandth less",
            closed_form=sp.Abs(alpha) * (1 - 1 / kappa) ** T * sp.Rational(999, 1000),
        ),
    ],
    plot=T,
)
