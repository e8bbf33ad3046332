"""Proposition 6.3, its rank side: minimising sequences of the rank-constrained problem.

Setting. gamma in (0, 1/2), ||w||_0 <= B, no bound on the size of w, so that no minimiser exists (Lemma 6.2).

Statement. Along every sequence with L(w) -> 0 the accuracy under the shifted law tends to 1. On k coordinates of
U, k <= B, with p of them positive, the shifted law has ((1/2 - gamma)/(1/2 + gamma))^(2p - k) times the density of
the training law, at most ((1/2 + gamma)/(1/2 - gamma))^B; and P_ID[margin <= 0] <= L(w)/log 2. So P_OOD[margin <=
0] is at most a constant times L(w).

Both are inequalities between integrands, held at every point; integrated over the event that the margin is not
positive, P_OOD <= x^B P_ID and P_ID log 2 <= L(w), and together they bound P_OOD for every w of the sequence, so that
its limit is 0.

Reference: Proposition 6.3, lines 1811-1813 and 9238-9250.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import factorial, prod

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reaching,
    reals,
    rivals_of,
    sharpened,
    typed,
    variant,
)

r, d, B_rank = sp.symbols("r d B_rank", integer=True, positive=True)
x, Q = sp.symbols("x Q", positive=True)
lean = sp.Symbol("lean", integer=True)


def cut_cube(a):
    """Volume of the part of [0, 1]^k where sum a_j u_j <= 0, no a_j being 0: with u for 1 - u where a_j < 0 a sum of
    |a_j| u_j that is at most c, and inclusion and exclusion over the corners. Exact."""
    size = [abs(v) for v in a]
    c = sum(abs(v) for v in a if v < 0)
    total = Fraction(0)
    for corner in itertools.product((0, 1), repeat=len(a)):
        left = c - sum(s for s, e in zip(size, corner, strict=True) if e)
        total += (-1) ** sum(corner) * max(left, 0) ** len(a)
    return total / (factorial(len(a)) * prod(size))


def misled(w, r, up):
    """P[w z <= 0], an environmental coordinate being positive with probability ``up``. Exact."""
    used = [j for j, v in enumerate(w) if v]
    total = Fraction(0)
    for signs in itertools.product((1, -1), repeat=sum(j >= r for j in used)):
        every = [1] * sum(j < r for j in used) + list(signs)
        chance = prod(up if s > 0 else 1 - up for s in signs)
        total += chance * cut_cube([w[j] * s for j, s in zip(used, every, strict=True)])
    return total


def under_shift(w, r, d, B_rank, x):
    """P[w z <= 0] under the shifted law, and Q, that of training. Exact."""
    up = Fraction(x) / (1 + Fraction(x))
    return {"value": misled(w, r, 1 - up), "Q": misled(w, r, up)}


def of_both_signs(w, r, d, B_rank, x):
    """P[w z <= 0] + P[-w z <= 0] under the shifted law. Exact."""
    down = 1 / (1 + Fraction(x))
    return misled(w, r, down) + misled([-v for v in w], r, down)


def in_training(w, r, d, B_rank, x):
    """The other way round."""
    found = under_shift(w, r, d, B_rank, x)
    return {"value": found["Q"], "Q": found["value"]}


def sparse(rng, r, d, B_rank, x):
    """Up to B weights anywhere, not all 0."""
    w = [Fraction(0)] * d
    for j in rng.permutation(d)[:B_rank]:
        w[int(j)] = Fraction(int(rng.integers(1, 6)) * int(rng.signs()))
    return {"w": w}


def on_environment(rng, r, d, B_rank, x):
    """B positive weights on U, as many as there are."""
    w = [Fraction(0)] * d
    for j in range(max(r, d - B_rank), d):
        w[j] = Fraction(int(rng.integers(1, 6)))
    return {"w": w}


def one_on_environment(rng, r, d, B_rank, x):
    """A weight on the last coordinate alone, and its sign."""
    lean = int(rng.signs())
    return {"w": [Fraction(0)] * (d - 1) + [lean * Fraction(int(rng.integers(1, 6)))], "lean": lean}


def with_invariant(rng, r, d, B_rank, x):
    """Up to B weights, that of an invariant coordinate among them: w z is 0 with probability 0."""
    drawn = sparse(rng, r, d, max(B_rank - 1, 0), x)["w"]
    return {"w": [drawn[0] or Fraction(int(rng.integers(1, 6)) * int(rng.signs())), *drawn[1:]]}


SHIFTED = x**B_rank * Q

OVER = ["x in (1, oo)", "p in 0..oo", "k in p..oo", "B_rank in k..oo"]
"""x stands for (1/2 + gamma)/(1/2 - gamma), which runs through (1, oo) as gamma does through (0, 1/2); Q for the
probability in training of the event."""
MEASURE = formula_leg(
    "density",
    typed(f"x**(k - 2*p)*Q <= {SHIFTED}", over=[*OVER, "Q in [0, 1]"], seconds=20),
    over="r d w i",
)

TOGETHER = formula_leg(
    "together",
    typed(
        "P <= x**B_rank*L/log(2)",
        over=[
            "x in (1, oo)",
            "B_rank in 1..oo",
            "L in (0, oo)",
            "Q in [0, L/log(2)]",
            "P in [0, x**B_rank*Q]",
        ],
    ),
)

LOSS = formula_leg(
    "loss",
    typed("log(1 + exp(-m)) >= log(2)", over=["m in (-oo, 0]", "B_rank in 1..oo", "x in (1, oo)"]),
)

in_the_limit = claim(
    "nuclear-rank-limit",
    states="nuclear-ood-gap",
    title="Accuracy along minimising sequences",
    says=r"With $x = (1/2 + \gamma)/(1/2 - \gamma)$: $x^{k - 2p} \le x^B$ for $0 \le p \le k \le "
    r"B$, and $\ell(m) \ge \log 2$ for $m \le 0$.",
    covers="rank-accuracy-in-the-limit",
    reads={"gamma": "x"},
    lhs=r"\Pr_{\mathrm{OOD}}[w^\top z\le0]",
    tex=r"x^B\,\Pr_{\mathrm{ID}}[w^\top z\le0]",
    relation=at_most(),
    domain={r: integers(1), d: integers(2), B_rank: integers(1), x: reals(1, low_open=True)},
    where=sp.And(r < d, B_rank <= r),
    grid={
        "smoke": [{r: 1, d: 2, B_rank: 1, x: 9}, {r: 3, d: 5, B_rank: 2, x: Fraction(7, 3)}],
        "standard": [
            {r: k, d: 2 * k, B_rank: k, x: s} for k in (1, 2, 3) for s in (Fraction(11, 10), 99)
        ],
    },
    closed_form=SHIFTED,
    legs=[
        leg(
            "polytopes",
            under_shift,
            observed=["Q"],
            required=False,
            instances=instances(sparse, "w", smoke=4, standard=8),
        ),
        leg(
            "weights on U",
            under_shift,
            observed=["Q"],
            required=False,
            instances=instances(on_environment, "w", smoke=1, standard=2),
        ),
        leg(
            "one weight on U",
            under_shift,
            observed=["Q"],
            required=False,
            relation=equals(),
            closed_form=x**lean * Q,
            instances=instances(one_on_environment, "w lean", smoke=6),
            lhs=r"\Pr_{\mathrm{OOD}}[w^\top z\le0]",
            tex=r"x^{\operatorname{sign}w}\,\Pr_{\mathrm{ID}}[w^\top z\le0]",
        ),
        leg(
            "both signs",
            of_both_signs,
            required=False,
            relation=equals(),
            closed_form=1 + 0 * r,
            instances=instances(with_invariant, "w", smoke=3, standard=6),
            lhs=r"\Pr_{\mathrm{OOD}}[w^\top z\le0]+\Pr_{\mathrm{OOD}}[w^\top z\ge0]",
            tex="1",
        ),
        MEASURE,
        LOSS,
        TOGETHER,
    ],
    rivals=[
        *sharpened(MEASURE, times="99/100"),
        *reaching(MEASURE, "p >= 3 and k >= 5", "x >= 9 and B_rank >= 9"),
        *sharpened(LOSS),
        *reaching(LOSS, "m <= -9"),
        *sharpened(TOGETHER, times="99/100"),
        *reaching(TOGETHER, "x >= 9 and L >= 9"),
        variant("without the shift", closed_form=Q, leg="weights on U"),
        variant("one coordinate less on U", closed_form=x ** (B_rank - 1) * Q, leg="weights on U"),
        variant("a half", closed_form=sp.Rational(1, 2) + 0 * r, leg="both signs"),
        variant("the square of it", closed_form=x**2 * Q, leg="one weight on U"),
        variant("whatever its sign", closed_form=x * Q, leg="one weight on U"),
        variant("its inverse whatever its sign", closed_form=Q / x, leg="one weight on U"),
        variant("shrinking", closed_form=Q / x**B_rank, leg="polytopes"),
        *rivals_of(
            MEASURE,
            {
                "one coordinate less": "x**(k - 2*p)*Q <= x**(B_rank - 1)*Q",
                "no more than in training": "x**(k - 2*p)*Q <= Q",
            },
        ),
        *rivals_of(TOGETHER, {"without x^B": "P <= L/log(2)"}),
        variant(
            "loss above 1",
            leg="loss",
            simulation=typed(
                "log(1 + exp(-m)) >= 1", over=["m in (-oo, 0]", "B_rank in 1..oo", "x in (1, oo)"]
            ),
        ),
    ],
)
