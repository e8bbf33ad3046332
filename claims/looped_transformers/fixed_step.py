"""Beside Theorem 8.17: gradient descent with the step 1/n, fixed before the prompt, on Gaussian prompts.

Setting. X in R^{n x d} with independent standard normal entries, W = X^T X, m_T = E tr((I - W/n)^{2T}): the mean
squared error after T steps, summed over the tasks of an orthonormal basis.

Statements. m_1 = d (d + 1)/n. For every n and d, m_T tends to infinity with T: tr A^{2T} >= sum_i A_ii^{2T}
(Jensen), A_ii is distributed as 1 - chi^2_n/n, and so m_T >= d 4^T P(chi^2_n >= 3n) >= d 4^T P(|g| >= sqrt(3))^n =
d 4^T erfc(sqrt(3/2))^n.

Moments of W are sums over the pairings of the factors of tr W^k (Wick): a pairing makes rows and columns equal, and
counts n^(rows) d^(columns). The cubature of `one_step_error` knows nothing of them.

Reference: the comparison after Theorem 8.17 (arXiv 2410.11268); derived.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

d, n, T = sp.symbols("d n T", integer=True, positive=True)


# ---- E tr((I - W/n)^{2T}) by pairings


def pairings(items: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    """All ways to pair the items."""
    if not items:
        yield ()
        return
    first, *rest = items
    for at, partner in enumerate(rest):
        for others in pairings((*rest[:at], *rest[at + 1 :])):
            yield ((first, partner), *others)


def classes(size: int, equal: list[tuple[int, int]]) -> int:
    """How many classes there are of ``size`` things, these pairs of which are equal."""
    of = list(range(size))
    for a, b in equal:
        old, new = of[a], of[b]
        of = [new if x == old else x for x in of]
    return len(set(of))


@cache
def moment(k: int) -> tuple[tuple[tuple[int, int], int], ...]:
    """E tr W^k as (power of n, power of d) -> coefficient. Factor 2i of the trace is X[r_i, a_i], factor 2i + 1 is
    X[r_i, a_{i+1}]."""
    row = [i // 2 for i in range(2 * k)]
    column = [(i + 1) // 2 % k for i in range(2 * k)] if k else []
    found: Counter[tuple[int, int]] = Counter()
    for pairs in pairings(tuple(range(2 * k))):
        rows = classes(k, [(row[a], row[b]) for a, b in pairs])
        columns = classes(k, [(column[a], column[b]) for a, b in pairs])
        found[rows, columns] += 1
    return tuple(found.items()) if k else (((0, 1), 1),)


def squared_error(d, n, T):
    """E tr((I - W/n)^{2T}). Shape ()."""
    total = Fraction(0)
    for k in range(2 * T + 1):
        mean = sum(times * n**rows * d**columns for (rows, columns), times in moment(k))
        total += (-1) ** k * comb(2 * T, k) * Fraction(mean, n**k)
    return total


# ---- the same at T = 1 by cubature


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


ERROR = r"\mathbb{E}\operatorname{tr}\Big(\big(I-\tfrac1nX^\top X\big)^{2T}\Big)"
ONE = d * (d + 1) / n
FAR = d * 4**T * sp.erfc(sp.sqrt(sp.Rational(3, 2))) ** n
SMALL = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 2)]
beyond = formula_leg(
    "each prompt beyond 3n",
    typed(
        "(1 - x/n)**(2*T) >= 4**T",
        over=["n in 1..oo", "T in 1..oo", "x in [3*n, oo)"],
        steps="x/n - 1 >= 2",
    ),
    required=False,
    lhs=r"(1-x/n)^{2T}",
    tex="4^T",
)
unbounded = formula_leg(
    "from some number of loops on",
    typed(
        "p*4**T >= B",
        over=["p in (0, 1]", "B in (0, oo)", "T in 1..oo"],
        where="T >= log(B/p)/log(4)",
    ),
    lhs=r"4^T\operatorname{erfc}(\sqrt{3/2})^n",
    tex="B",
)
fixed_step = claim(
    "looped-prompt-independent-step",
    lhs=ERROR,
    tex=r"\frac{d(d+1)}{n}\ (T=1),\qquad\ge d\,4^T\operatorname{erfc}(\sqrt{3/2})^n",
    states="looped-gatmiry-comparison",
    title="Gradient descent with a prompt-independent step",
    says=r"For Gaussian $X\in\mathbb{R}^{n\times d}$, $\mathbb{E}\operatorname{tr}((I-X^\top X/n)^{2T})$ is "
    r"$d(d+1)/n$ at $T=1$, and "
    r"at least $d\,4^T\operatorname{erfc}(\sqrt{3/2})^n$, which grows beyond all bounds with $T$.",
    role="derived",
    covers="prompt-independent-anchor",
    reads={"T": "p B T"},
    domain={d: integers(1), n: integers(1), T: integers(1, 3)},
    grid={"smoke": {d: [1, 2, 4], n: [1, 2, 5, 40], T: [1, 2, 3]}},
    relation=equals(),
    legs=[
        leg(
            "cubature",
            one_step_error,
            closed_form=ONE,
            inside="X",
            where=[sp.Eq(T, 1), n * d <= 6],
            lhs=ERROR.replace("{2T}", "2"),
            tex=r"\frac{d(d+1)}{n}",
            grid={"smoke": [{d: a, n: b, T: 1} for a, b in SMALL]},
        ),
        leg(
            "pairings, one step",
            squared_error,
            closed_form=ONE,
            inside="X",
            where=sp.Eq(T, 1),
            lhs=ERROR.replace("{2T}", "2"),
            tex=r"\frac{d(d+1)}{n}",
            grid={"smoke": {d: [1, 2, 4, 50], n: [1, 2, 5, 400], T: [1]}},
        ),
        leg(
            "pairings",
            squared_error,
            closed_form=FAR,
            relation=at_least(),
            inside="X",
            lhs=ERROR,
            tex=r"d\,4^T\operatorname{erfc}(\sqrt{3/2})^n",
        ),
        beyond,
        unbounded,
    ],
    rivals=[
        variant("d^2 / n", closed_form=d**2 / n, leg="cubature"),
        variant("without the trace", closed_form=(d + 1) / n, leg="cubature"),
        variant("(d + 1)^2 / n", closed_form=(d + 1) ** 2 / n, leg="pairings, one step"),
        variant("every prompt beyond 3n", leg="pairings", closed_form=d * 4**T),
        *rivals_of(unbounded, {"from half as many on": {"where": "T >= log(B/p)/(2*log(4))"}}),
        *rivals_of(
            beyond,
            {"from 2n on": {"over": ["n in 1..oo", "T in 1..oo", "x in [2*n, oo)"], "steps": ()}},
        ),
    ],
)
