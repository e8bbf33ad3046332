"""Theorem 8.14: the looped linear transformer is multi-step gradient descent.

Setting. Prompt (X, y) with X in R^{n x d}, y in R^n arbitrary; scalar query alpha != 0; hidden query
row q0; steps eta_0, .., eta_{T-1}. Identity query-key matrix, value matrix diag(I_d, 0), mask that
lets only the last token attend to the n context rows.

Statement. The output after T loops is alpha * theta_T, where theta_T is the T-th iterate of gradient
descent on |y - X theta|^2 / 2 from theta_0 = -q0 / alpha with the same steps.

Reference: Theorem 8.14, Definition 8.7 (arXiv 2410.11268). Nothing is assumed of y, of n against d,
of the rank of X or of the sign of the steps.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, equals, instances, integers, leg, variant

from ._models import Prompt, attention, gradient_descent, initial_state, looped_transformer

n, d, T = sp.symbols("n d T", integer=True, positive=True)
SIZES = {
    "smoke": {n: [2, 3], d: [1, 2], T: [1, 2, 3]},
    "standard": {n: [1, 3, 7], d: [1, 2, 4], T: [1, 2, 3, 6]},
}
FLOATS = {
    "smoke": [{n: 16, d: 4, T: 10}],
    "standard": [{n: 16, d: 4, T: 50}, {n: 64, d: 16, T: 50}],
    "deep": [{n: 128, d: 32, T: 200}],
}


def prompts(rng, n, d, T):
    """A random rational prompt with q0 != 0, a query alpha != 0 and steps of both signs."""
    alpha = rng.rational((), 5)
    return Prompt(
        X=rng.rational((n, d), 3),
        y=rng.rational((n,), 3),
        q0=rng.rational((d,), 3),
        alpha=alpha if alpha != 0 else 1,
        eta=rng.rational((T,), 7),
    )


def contracting_prompts(rng, n, d, T):
    """Prompts whose steps are at most 1/trace(X^T X) <= 1/L, so that rounding is not amplified."""
    one = prompts(rng, n, d, T)
    trace = sum(x * x for row in one.X for x in row)
    return one._replace(eta=[1 / (trace + 1)] * T)


def transformer(ns, X, y, q0, alpha, eta, T):
    """Output of the looped transformer, built as the full (n+1) x (d+1) hidden state. Shape (B, d)."""
    return looped_transformer(ns, X, y, q0, alpha, eta, T)


def descent(ns, X, y, q0, alpha, eta, T):
    """alpha * theta_T by gradient descent, which sees neither the mask nor Z. Shape (B, d)."""
    scale = ns.expand_dims(alpha, axis=-1)
    return scale * gradient_descent(ns, X, y, -q0 / scale, eta, T)


def causal_mask(ns, X, y, q0, alpha, eta, T):
    size = X.shape[1] + 1
    lower = ns.asarray([[int(j < i) for j in range(size)] for i in range(size)])
    return looped_transformer(ns, X, y, q0, alpha, eta, T, mask=lower)


def diagonal_mask(ns, X, y, q0, alpha, eta, T):
    size = X.shape[1] + 1
    last = ns.asarray([[int(i == size - 1)] * size for i in range(size)])
    return looped_transformer(ns, X, y, q0, alpha, eta, T, mask=last)


def keeps_labels(ns, X, y, q0, alpha, eta, T):
    size = X.shape[2] + 1
    identity = ns.asarray([[int(i == j) for j in range(size)] for i in range(size)])
    return looped_transformer(ns, X, y, q0, alpha, eta, T, P=identity)


def other_sign(ns, X, y, q0, alpha, eta, T):
    return looped_transformer(ns, X, y, q0, alpha, -eta, T)


def from_plus_q0(ns, X, y, q0, alpha, eta, T):
    scale = ns.expand_dims(alpha, axis=-1)
    return scale * gradient_descent(ns, X, y, q0 / scale, eta, T)


def first_step_throughout(ns, X, y, q0, alpha, eta, T):
    return looped_transformer(ns, X, y, q0, alpha, eta[:, :1] + 0 * eta, T)


def without_alpha(ns, X, y, q0, alpha, eta, T):
    return gradient_descent(ns, X, y, -q0 / ns.expand_dims(alpha, axis=-1), eta, T)


def last_row_only(ns, X, y, q0, alpha, eta, T):
    """The whole hidden state after T loops. Shape (B, n+1, d+1)."""
    Z = initial_state(ns, X, y, q0, alpha)
    for t in range(T):
        Z = Z - ns.reshape(eta[:, t], (-1, 1, 1)) * attention(ns, Z)
    return Z


def frozen_but_for_the_query(ns, X, y, q0, alpha, eta, T):
    """X, y and alpha as they were, the query row minus alpha theta_T. Shape (B, n+1, d+1)."""
    return initial_state(ns, X, y, -descent(ns, X, y, q0, alpha, eta, T), alpha)


gd_equivalence = claim(
    "looped-gd-equivalence",
    title="Looped linear attention is gradient descent",
    says="For every prompt, query and step sequence, $T$ loops of the masked linear attention layer "
    r"output $\alpha$ times the $T$-th gradient-descent iterate.",
    covers="output-is-gd every-loop",
    reads={"t": "T"},
    domain={n: integers(1), d: integers(1), T: integers(0)},
    grid=SIZES,
    relation=equals(),
    legs=[
        leg(
            "exact",
            transformer,
            arithmetic="rational",
            reference=descent,
            instances=instances(prompts, Prompt, smoke=3, standard=5),
            covers="output-is-gd",
            lhs=r"TF(Z^{(0)})",
            tex=r"\alpha\,\theta^{(T)}",
        ),
        leg(
            "whole state",
            last_row_only,
            arithmetic="rational",
            reference=frozen_but_for_the_query,
            instances=instances(prompts, Prompt, smoke=1, standard=2),
            covers="every-loop",
            lhs=r"Z^{(T)}",
            tex=r"\begin{pmatrix}X&y\\-\alpha\,\theta^{(T)\top}&\alpha\end{pmatrix}",
        ),
        leg(
            "floats",
            transformer,
            arithmetic="interval",
            reference=descent,
            instances=instances(contracting_prompts, Prompt, smoke=8, standard=64),
            grid=FLOATS,
            required=False,
            covers="output-is-gd",
            lhs=r"TF(Z^{(0)})",
            tex=r"\alpha\,\theta^{(T)}",
        ),
    ],
    rivals=[
        variant("last diagonal entry of the mask on", simulation=diagonal_mask),
        variant("strictly causal mask", simulation=causal_mask),
        variant("value matrix keeps the labels", simulation=keeps_labels),
        variant("residual with the other sign", simulation=other_sign),
        variant(
            "the first step in every loop",
            simulation=first_step_throughout,
            at=[{n: 2, d: 2, T: 3}],
        ),
        variant("starts from +q0/alpha", reference=from_plus_q0),
        variant("output without alpha", reference=without_alpha),
    ],
)
