"""Beside Lemma 8.15: when the bound of the prediction error by the parameter error is an equality.

Setting. As in `descent`, e = theta_T - theta*, |theta*| = 1, any prompt, start and steps.

Statement. alpha^2 |e|^2 - (<TF, theta*> - alpha)^2 = alpha^2 sum over i < j of (e_i theta*_j - e_j theta*_i)^2
(Lagrange), so that equality holds exactly if every minor vanishes: if e is a multiple of theta*.

Reference: Lemma 8.15 (arXiv 2410.11268); the equality case is ours.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, equals, identity_for_all, instances, integers, leg, variant

from ._models import gradient_descent, looped_transformer
from .descent import ANY_PROMPT

d, T = sp.symbols("d T", integer=True, positive=True)


def gap(ns, X, y, q0, alpha, eta, theta_star, T):
    """alpha^2 |e|^2 |theta*|^2 - (<TF, theta*> - alpha |theta*|^2)^2, e by gradient descent. Shape (B,)."""
    output = looped_transformer(ns, X, y, q0, alpha, eta, T)
    length = ns.sum(theta_star**2, axis=-1)
    prediction = ns.sum(output * theta_star, axis=-1) - alpha * length
    e = distance(ns, X, y, q0, alpha, eta, theta_star, T)
    return alpha**2 * ns.sum(e**2, axis=-1) * length - prediction**2


def distance(ns, X, y, q0, alpha, eta, theta_star, T):
    start = -q0 / ns.expand_dims(alpha, axis=-1)
    return gradient_descent(ns, X, y, start, eta, T) - theta_star


def minors(ns, X, y, q0, alpha, eta, theta_star, T, first=0):
    """alpha^2 times the sum of the squared minors of e and theta*, rows from ``first`` on. Shape (B,)."""
    e = distance(ns, X, y, q0, alpha, eta, theta_star, T)
    total = alpha * 0
    for i in range(first, e.shape[1]):
        for j in range(i):
            total = total + (e[:, i] * theta_star[:, j] - e[:, j] * theta_star[:, i]) ** 2
    return alpha**2 * total


def last_minors_only(ns, X, y, q0, alpha, eta, theta_star, T):
    return minors(ns, X, y, q0, alpha, eta, theta_star, T, first=theta_star.shape[1] - 1)


def ordered_pairs(ns, X, y, q0, alpha, eta, theta_star, T):
    """Each minor twice. Shape (B,)."""
    return 2 * minors(ns, X, y, q0, alpha, eta, theta_star, T)


def no_minors(ns, X, y, q0, alpha, eta, theta_star, T):
    return 0 * alpha


def shapes(d, T):
    return {
        "X": (1, 2, d),
        "y": (1, 2),
        "q0": (1, d),
        "alpha": (1,),
        "eta": (1, T),
        "theta_star": (1, d),
    }


def for_all_prompts(d, T):
    return identity_for_all(gap, minors, shapes(d, T), T=T)


def never_apart(d, T):
    return identity_for_all(gap, no_minors, shapes(d, T), T=T)


equality_case = claim(
    "looped-prediction-error-equality",
    lhs=r"\alpha^2\|e\|^2-\big(\langle TF,\theta^*\rangle-\alpha\big)^2",
    tex=r"\alpha^2\sum_{i<j}\big(e_i\theta^*_j-e_j\theta^*_i\big)^2,\quad e=\theta^{(T)}-\theta^*",
    states="looped-prediction-error",
    title="The equality case of the prediction bound",
    says=r"For unit $\theta^*$, $\alpha^2\|\theta^{(T)}-\theta^*\|^2$ exceeds the squared prediction error by "
    r"$\alpha^2$ times the "
    r"squared minors of $\theta^{(T)}-\theta^*$ and $\theta^*$: equality holds exactly if these are parallel.",
    role="derived",
    covers="equality-case",
    domain={d: integers(1), T: integers(0)},
    grid={"smoke": {d: [1, 2, 3], T: [0, 1, 2]}},
    relation=equals(),
    legs=[
        leg(
            "any prompt",
            gap,
            arithmetic="rational",
            reference=minors,
            instances=instances(ANY_PROMPT, smoke=3, standard=6),
        ),
        leg(
            "indeterminates",
            for_all_prompts,
            arithmetic="proof",
            over="X y theta_star",
            grid={"smoke": [{d: 1, T: 1}, {d: 2, T: 0}, {d: 2, T: 1}, {d: 3, T: 1}]},
            where=d * T <= 3,
        ),
    ],
    rivals=[
        variant("the last minors only", reference=last_minors_only, leg="any prompt"),
        variant("always equal", reference=no_minors, leg="any prompt"),
        variant("each minor twice", reference=ordered_pairs, leg="any prompt"),
        variant(
            "always equal, for all", simulation=never_apart, leg="indeterminates", at=[{d: 2, T: 1}]
        ),
    ],
)
