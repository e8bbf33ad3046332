"""After Theorem 8.1: condition numbers of Gaussian contexts.

Setting. X in R^{n x d} with independent standard normal entries, n >= d / eps^2, kappa = cond(X^T X).

Statement. 1 <= kappa <= 1 + O(eps) with high probability; the edge formula ((1+eps)/(1-eps))^2 = 1 + 4 eps + .. gives
the constant. Explicitly (derived, Davidson and Szarek): kappa <= ((1 + 2 eps)/(1 - 2 eps))^2 with probability at least
1 - 2 exp(-d/2).

Reference: section 8.1 (arXiv 2410.11268). The experiment's condition numbers: `experiment_table`, `experiment_order`.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, holds_with_probability, integers, leg, probability, variant

d, s, n = sp.symbols("d s n", integer=True, positive=True)


def condition_numbers(ns, rng, count, n, d):
    """kappa of ``count`` independent Gaussian contexts. Shape (count,)."""
    return condition_of(ns, rng.normal((count, n, d)))


def condition_of(ns, X):
    """cond(X^T X). X (B, n, d), shape (B,)."""
    spectrum = ns.eigvalsh(ns.matmul(ns.matrix_transpose(X), X))
    return spectrum[:, -1] / spectrum[:, 0]


def beyond(ns, rng, size, n, d, s):
    """Whether kappa passes ((1 + 2 eps)/(1 - 2 eps))^2, eps = s^(-1/2). Booleans, shape (size,)."""
    reach = 2 * ns.sqrt(ns.rational(1, s))
    return condition_numbers(ns, rng, size, n, d) > ((1 + reach) / (1 - reach)) ** 2


def beyond_the_edge(ns, rng, size, n, d, s):
    reach = ns.sqrt(ns.rational(1, s))
    return condition_numbers(ns, rng, size, n, d) > ((1 + reach) / (1 - reach)) ** 2


def beyond_second_order(ns, rng, size, n, d, s):
    return condition_numbers(ns, rng, size, n, d) > 1 + 16 * ns.rational(1, s)


def with_few_examples(ns, rng, size, d, s):
    """n = d + s instead of n = d s: no longer proportional to d."""
    reach = 2 * ns.sqrt(ns.rational(1, s))
    return condition_numbers(ns, rng, size, d + s, d) > ((1 + reach) / (1 - reach)) ** 2


def explicit_constants():
    """eps_0 = 5^(-1/2), c = 1, and C = 720: ((1 + 2 eps)/(1 - 2 eps))^2 is convex, and at most 1 + 720 eps at eps_0."""


kappa_gaussian = claim(
    "looped-kappa-gaussian",
    lhs=r"\Pr\Big[\kappa>\Big(\frac{1+2\epsilon}{1-2\epsilon}\Big)^2\Big]",
    title="Condition number of Gaussian contexts",
    says=r"With $n\ge d/\epsilon^2$ examples, $\kappa\le((1 + 2 \epsilon)/(1 - 2 \epsilon))^2 = 1 + "
    r"O(\epsilon)$ with probability at least $1 - 2 \exp(-d/2)$: the printed order with an "
    "explicit constant.",
    encodes="special-case",
    covers="order-eps",
    reads={"eps": "s"},
    domain={d: integers(1), s: integers(5), n: integers(1)},
    where=n >= d * s,
    # The edge's share tends to a positive limit, 0.055: at d = 12 it is above 2 exp(-6), at d = 6 below 2 exp(-3).
    grid={
        "smoke": [{d: 4, s: 16, n: 64}, {d: 6, s: 64, n: 500}, {d: 12, s: 16, n: 192}],
        "standard": [
            {d: a, s: b, n: a * b * half // 2}
            for a in (4, 8, 12)
            for b in (16, 64, 256)
            for half in (2, 3)
        ],
    },
    closed_form=2 * sp.exp(-d / sp.Integer(2)),
    relation=holds_with_probability(),
    legs=[
        leg(
            "sampled",
            beyond,
            statistic=probability(),
            block=512,
            draws="X",
            gives="c C eps_0",
            chosen_by=explicit_constants,
        )
    ],
    rivals=[
        variant("1 + 16 eps^2", simulation=beyond_second_order, at=[{d: 4, s: 64, n: 256}]),
        variant("d + 1/eps^2 examples", simulation=with_few_examples, at=[{d: 12, s: 16, n: 192}]),
        variant(
            "the edge formula itself holds up to exp(-3d)",
            closed_form=sp.exp(-3 * d),
            simulation=beyond_the_edge,
            at=[{d: 4, s: 16, n: 64}],
        ),
    ],
)
