"""Theorem 8.17 (quoted) and its comparison paragraph: the exponential requirement of earlier work.

Setting. The quoted bound on the optimal population loss of a trained looped linear transformer with T
loops, n examples, dimension d is b(n) = 8 T d^2 4^T / sqrt(n), under the hypothesis 8 T d^2 / sqrt(n) <=
4^-T, which says just that b(n) <= 1.

Statements checked. The smallest n that meets the hypothesis is (8 T d^2 4^T)^2, exponential in T. And an
anchor for the comparison: gradient descent with the prompt-independent step 1/n has mean squared error
sum d (d+1) / n after one step on Gaussian prompts.

The quoted theorem itself speaks of trained weights and of another error notion (squared, over random
tasks) than the chapter's bound (absolute, worst task): the comparison is not like for like.

Reference: Theorem 8.17 (arXiv 2410.11268), after Theorem 4.1 of Gatmiry et al. 2024.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import claim, counts, equals, integers, leg, variant

d, T, n = sp.symbols("d T n", integer=True, positive=True)


def meets(n, d, T):
    """Whether 8 T d^2 / sqrt(n) <= 4^-T, in integers."""
    return (8 * T * d**2 * 4**T) ** 2 <= n


def smallest_n(d, T):
    """Smallest n that meets the hypothesis, by bisection on the predicate. Shape ()."""
    high = 1
    while not meets(high, d, T):
        high *= 2
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if meets(middle, d, T) else (middle, high)
    return high


sample_size = claim(
    "looped-gatmiry-comparison",
    lhs=r"n_{\min}",
    tex=r"(8\,T\,d^2\,4^T)^2",
    title="The sample size that earlier work asks for",
    says="The quoted hypothesis is met exactly from $n=(8Td^24^T)^2$ examples on.",
    covers="hypothesis-is-bound-at-most-one",
    domain={d: integers(1), T: integers(1)},
    grid={
        "smoke": {d: [1, 2, 4], T: [1, 2, 3, 5]},
        "standard": {d: [1, 2, 3, 4, 8], T: range(1, 9)},
    },
    closed_form=(8 * T * d**2 * 4**T) ** 2,
    relation=counts(),
    legs=[leg("bisection", smallest_n, inside="n")],
    rivals=[
        variant("hypothesis without the square root", closed_form=8 * T * d**2 * 4**T),
        variant("polynomial in T", closed_form=(8 * T * d**2 * 4) ** 2 * T**4),
    ],
)


def nodes():
    """Three-point Gauss-Hermite rule of the standard normal law: nodes as (sign, 3 node^2)."""
    return [(-1, Fraction(1, 6)), (0, Fraction(2, 3)), (1, Fraction(1, 6))]


def one_step_error(d, n):
    """E tr((I - X^T X / n)^2) over Gaussian X by a product rule, exact since every entry of X enters with
    degree at most 4 (nodes 0, +-sqrt 3; only even powers of sqrt 3 survive). Shape ()."""
    total = Fraction(0)
    for grid in itertools.product(nodes(), repeat=n * d):
        weight = Fraction(1)
        for _, w in grid:
            weight *= w
        X = [[grid[row * d + col][0] for col in range(d)] for row in range(n)]
        trace = Fraction(0)
        for a in range(d):
            for b in range(d):
                gram = Fraction(3 * sum(x[a] * x[b] for x in X), n)
                trace += ((a == b) - gram) ** 2
        total += weight * trace
    return total


one_step = claim(
    "looped-prompt-independent-step",
    lhs=r"\mathbb{E}\operatorname{tr}\Big(\big(I-\tfrac1nX^\top X\big)^2\Big)",
    tex=r"\frac{d(d+1)}{n}",
    states="looped-gatmiry-comparison",
    title="One step with a prompt-independent step size",
    says=r"$\mathbb{E}\operatorname{tr}((I-X^\top X/n)^2)=d(d+1)/n$ for Gaussian "
    r"$X\in\mathbb{R}^{n\times d}$.",
    role="derived",
    encodes="part",
    domain={d: integers(1), n: integers(1)},
    grid={"smoke": [{d: 1, n: 1}, {d: 1, n: 3}, {d: 2, n: 1}, {d: 2, n: 2}, {d: 3, n: 2}],
          "standard": [{d: 1, n: 1}, {d: 1, n: 6}, {d: 2, n: 2}, {d: 2, n: 3}, {d: 3, n: 2}]},
    closed_form=d * (d + 1) / n,
    relation=equals(),
    legs=[leg("cubature", one_step_error)],
    rivals=[
        variant("d^2 / n", closed_form=d**2 / n),
        variant("without the trace", closed_form=(d + 1) / n),
        variant("(d + 1)^2 / n", closed_form=(d + 1) ** 2 / n),
    ],
)  # fmt: skip
