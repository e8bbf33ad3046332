"""Lemma 8.11 read by its words alone: that n > d makes the least-squares solution theta*.

Setting. y = X theta*, n > d. The sentence before the lemma assumes that X^T X is invertible (printed "inevitable");
the lemma does not. Where it is singular the solution of least norm stands for "the" least-squares solution.

Statement. Read without the assumption it is false: two equal columns share their weight.

Reference: Lemma 8.11 (arXiv 2410.11268).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, equals, instances, integers, leg, matrices, variant, vectors
from theorycheck.blocks.rational_matrices import realizable

n, d = sp.symbols("n d", integer=True, positive=True)


def inner(a, b):
    return sum((Fraction(x) * y for x, y in zip(a, b, strict=True)), Fraction(0))


def of_least_norm(X, y):
    """The solution of least norm of X theta = y, which has one: rows made orthogonal with their labels. Shape (d,)."""
    theta, kept = [Fraction(0)] * len(X[0]), []
    for row, label in zip(X, y, strict=True):
        v, left = [Fraction(x) for x in row], Fraction(label)
        for u, value, square in kept:
            share = inner(v, u) / square
            v, left = [a - share * b for a, b in zip(v, u, strict=True)], left - share * value
        square = inner(v, v)
        if square:
            kept.append((v, left, square))
            theta = [a + left / square * b for a, b in zip(theta, v, strict=True)]
    return theta


def repeated_column(rng, n, d):
    """X whose last column is its first, and any task. The lemma speaks of n > d: elsewhere this refutes nothing."""
    if n <= d:
        raise ValueError("no more examples than coordinates")
    rows = [list(row) for row in rng.rational((n, d), 4)]
    X, theta_star = [[*row[:-1], row[0]] for row in rows], list(rng.rational((d,), 5))
    return {"X": X, "theta_star": theta_star, "y": realizable(X, theta_star)}


def task(theta_star):
    return theta_star


def no_task(theta_star):
    return [0 * x for x in theta_star]


FIELDS = {"X": matrices(n, d), "theta_star": vectors(d), "y": realizable}
n_alone = claim(
    "looped-realizable-optimum-n-alone",
    lhs=r"\tilde\theta",
    tex=r"\theta^*",
    states="looped-realizable-optimum",
    title=r"$n>d$ alone",
    says=r"If $y=X\theta^*$ and $n>d$, the least-squares solution is $\theta^*$, whatever the rank of $X$.",
    role="reading",
    expect="fail",
    covers="n-larger-than-d-alone",
    domain={n: integers(1), d: integers(1)},
    where=n > d,
    grid={"smoke": {n: [4, 5], d: [2, 3]}},
    relation=equals(),
    legs=[
        leg(
            "least norm",
            of_least_norm,
            reference=task,
            instances=instances(repeated_column, FIELDS, smoke=3),
        )
    ],
    rivals=[variant("nothing is recovered", reference=no_task)],
)
