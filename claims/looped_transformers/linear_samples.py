"""After Theorem 8.16: O(d) examples make the condition number of Gaussian contexts a constant.

Setting. X in R^{n x d} with independent standard normal entries, kappa = cond(X^T X).

Statement. With n >= 16 d, kappa <= 9 with probability at least 1 - 2 exp(-d/2), for every d: the bound of
`condition_number` (Davidson and Szarek) at eps = 1/4. With n = d + 16 examples it fails.

Reference: section 8.4 (arXiv 2410.11268); the constants are ours.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, holds_with_probability, integers, leg, probability, variant

from .condition_number import condition_numbers

d, n = sp.symbols("d n", integer=True, positive=True)


def above_nine(ns, rng, size, n, d):
    """Whether kappa passes 9. Booleans, shape (size,)."""
    return condition_numbers(ns, rng, size, n, d) > 9


def above_the_edge(ns, rng, size, n, d):
    """Whether kappa passes 5/2; its limit at n = 16 d is 25/9."""
    return 2 * condition_numbers(ns, rng, size, n, d) > 5


def with_three_times_as_many(ns, rng, size, n, d):
    """The same from 3 d examples; the limit of kappa is 13.9."""
    return above_nine(ns, rng, size, 3 * d, d)


def with_few_examples(ns, rng, size, n, d):
    return above_nine(ns, rng, size, d + 16, d)


def absolute_constants():
    """C = 16 and K = 9."""


linear_samples = claim(
    "looped-kappa-linear-samples",
    lhs=r"\Pr[\kappa>9]",
    states="looped-kappa-gaussian",
    title="Linearly many examples make the condition number constant",
    says=r"With $n\ge16d$ examples, $\kappa\le9$ with probability at least $1-2\exp(-d/2)$.",
    role="derived",
    covers="linear-samples-constant-kappa",
    domain={d: integers(1), n: integers(1)},
    where=n >= 16 * d,
    grid={
        "smoke": [{d: 4, n: 64}, {d: 8, n: 140}, {d: 12, n: 192}],
        "standard": [{d: 12, n: 400}, {d: 6, n: 96}],
    },
    closed_form=2 * sp.exp(-d / sp.Integer(2)),
    relation=holds_with_probability(),
    legs=[
        leg(
            "sampled",
            above_nine,
            statistic=probability(),
            block=512,
            draws="X",
            gives="C K",
            chosen_by=absolute_constants,
        )
    ],
    rivals=[
        variant("kappa <= 5/2", simulation=above_the_edge, at=[{d: 12, n: 192}]),
        variant("3 d examples", simulation=with_three_times_as_many, at=[{d: 24, n: 384}]),
        variant("d + 16 examples", simulation=with_few_examples, at=[{d: 12, n: 192}]),
    ],
)
