r"""Corollary 3.3: what a linear read-out of linear features can do, and what it cannot.

Setting. x = M z + xi with orthonormal columns M, z_j independent, symmetric in {-1, 0, 1}, non-zero with probability
q, xi Gaussian of variance s2 in every direction. Without biases f(x) = W x at every time t, so that a read-out v
predicts <u, x>, u = W^T v. Labels are y = <w*, z> and its sign.

Statements. (1) E (y - <u, x>)^2 >= q s2/(q + s2) |w*|^2: with a = M^T u it is sum_j (q (w*_j - a_j)^2 + s2 a_j^2)
plus s2 times the squared length of u outside of span(M), and every term has that bound. The excess is (q + s2) |a -
q/(q + s2) w*|^2 plus that rest: equality iff u = q/(q + s2) M w*, which some v gives iff M w* is in the row space of
W. (2) A sign is right with probability Phi(y <u, M z>/(sigma |u|)) given z (y = +-1), for u = M w* Phi(|<w*,
z>|/(sigma |w*|)). As |Phi(r) - 1/2| <= |r|/sqrt(2 pi) and E <u, M z>^2 = q |M^T u|^2 <= q |u|^2, the joint
probability of y != 0 and a right sign is within sqrt(q/(2 pi s2)) of half of P[y != 0], for every v with u != 0; of v
and -v one is right in half of the cases. (3) Printed: the probability of a right sign is o(1). False: P[y != 0] >= (1
- (1 - q)^d)/2, since of two signs of a non-zero z_j one at most gives y = 0, and with q = C_z log log d/d and q/s2 ->
0 the probability is above 1/6 for all large d and every u != 0.

Reference: Corollary 3.3, lines 216-224; Definition 3.1 and the sentence after it, lines 188-204.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import fmpq, fmpq_mat

from theorycheck import (
    at_least,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)
from theorycheck.blocks.stated import orthonormal_rows

from ._dictionary import ONE_POINT, codes, dot, flat_columns
from .masked_gradient import rotation

d, m, e = sp.symbols("d m e", integer=True, positive=True)
q, s2 = sp.symbols("q s2", positive=True)

DOMAIN = {
    "domain": {
        d: integers(1),
        m: integers(1),
        e: integers(0),
        q: reals(0, 1, low_open=True),
        s2: reals(0, low_open=True),
    },
    "where": d <= 2**e,
    "grid": {
        "smoke": [
            {d: 2, m: 2, e: 2, q: Fraction(1, 4), s2: Fraction(1, 2)},
            {d: 1, m: 3, e: 1, q: Fraction(1, 9), s2: 1},
            {d: 3, m: 1, e: 2, q: Fraction(1, 2), s2: Fraction(1, 5)},
        ],
        "standard": [
            {d: n, m: k, e: 3, q: h, s2: Fraction(1, 3)}
            for n in (1, 3, 4)
            for k in (1, 4)
            for h in (Fraction(1, 10), Fraction(2, 3))
        ],
    },
}
SMALL = (d <= 4) & (e <= 3) & (m <= 8)


def readout(W, v):
    """u = W^T v."""
    return [dot(column, v) for column in zip(*W, strict=True)]


def along(u, d):
    """<u, M_j> times the square root of the ambient dimension, for every column."""
    return [dot(u, column) for column in flat_columns(d, len(u))]


def squared_error(W, v, w_star, d, m, e, q, s2):
    """E (y - <u, x>)^2 over all codes, the noise by its variance; the columns are signs over 2^(e/2). Shape ()."""
    u, n = readout(W, v), Fraction(2**e)
    # u is scaled by sqrt n, so that <u, M_j> is rational: a linear read-out like any other
    a = along(u, d)
    total = sum((p * (dot(w_star, z) - dot(a, z)) ** 2 for z, p in codes(d, q)), Fraction(0))
    return total + s2 * n * dot(u, u)


def noiseless(W, v, w_star, d, m, e, q, s2):
    return squared_error(W, v, w_star, d, m, e, q, 0)


def without_the_signal(W, v, w_star, d, m, e, q, s2):
    """Only the noise of the prediction."""
    u = readout(W, v)
    return s2 * 2**e * dot(u, u)


def barrier(w_star, q, s2):
    """q s2/(q + s2) |w*|^2. Shape ()."""
    return Fraction(q) * s2 / (q + s2) * dot(w_star, w_star)


def least_error(w_star, M, q, s2):
    """The smallest E (y - <u, x>)^2 of all u, by the normal equations of q M M^T + s2 I. M lists the columns.
    Shape ()."""
    n = len(M[0])
    cross = [
        q * sum((w * c[i] for w, c in zip(w_star, M, strict=True)), Fraction(0)) for i in range(n)
    ]
    moments = [
        [q * sum((c[i] * c[k] for c in M), Fraction(0)) + s2 * (i == k) for k in range(n)]
        for i in range(n)
    ]
    return Fraction(q) * dot(w_star, w_star) - explained(moments, cross)


def explained(moments, cross):
    """cross^T moments^-1 cross."""
    exact = [[fmpq(x.numerator, x.denominator) for x in map(Fraction, row)] for row in moments]
    right = [[fmpq(x.numerator, x.denominator)] for x in map(Fraction, cross)]
    found = fmpq_mat(exact).solve(fmpq_mat(right)).entries()
    return sum(
        (c * Fraction(int(v.p), int(v.q)) for c, v in zip(cross, found, strict=True)), Fraction(0)
    )


def of_all(w_star, M, d, m, e, q, s2):
    return least_error(w_star, M, q, s2)


def of_twice_the_noise(w_star, M, d, m, e, q, s2):
    return least_error(w_star, M, q, 2 * s2)


n2 = sp.Symbol("n2", nonnegative=True)
BARRIER = q * s2 / (q + s2) * n2


def draw(rng, d, m, e, q, s2):
    w_star = rng.rational((d,), 3)
    return {
        "W": rng.rational((m, 2**e), 3),
        "v": rng.rational((m,), 3),
        "w_star": w_star,
        "n2": dot(w_star, w_star),
    }


def best(rng, d, m, e, q, s2):
    """The first row of W is M w* (times a number), and v reads it with the weight of the optimum."""
    w_star = [Fraction(int(rng.signs()) * int(rng.integers(1, 4)), 2) for _ in range(d)]
    n = 2**e
    columns = flat_columns(d, n)
    row = [sum((w_star[j] * columns[j][k] for j in range(d)), Fraction(0)) / n for k in range(n)]
    W = [row, *rng.rational((m - 1, n), 3)]
    v = [Fraction(q) / (q + s2)] + [Fraction(0)] * (m - 1)
    return {"W": W, "v": v, "w_star": w_star, "n2": dot(w_star, w_star)}


def a_dictionary(rng, d, m, e, q, s2):
    """Orthonormal columns that are neither flat nor axes, and labels."""
    w_star = rng.rational((d,), 3)
    return {"w_star": w_star, "M": rotation(rng, 2**e)[:d], "n2": dot(w_star, w_star)}


# n2 is |w*|^2 with the entry w
ENTRY = formula_leg(
    "a column",
    typed(
        f"q*s2/(q + s2)*(n2 - w**2) + q*(w - a)**2 + s2*a**2 >= {BARRIER}",
        over=["q in (0, 1]", "s2 > 0", "a in R", "w in R", "n2 in [w**2, oo)"],
    ),
    over="t W v w_star u Omega",
)
REST = formula_leg(
    "outside of the span",
    typed("s*r >= 0", over=["s > 0", "r in [0, oo)"]),
    over="t W v w_star u Omega",
)
# E z_j^2 = q and E z_j z_k = 0
SECOND = formula_leg(
    "moments",
    typed(
        "E[(R*B)**2] == q and E[R*B*S*C] == 0",
        over=["q in [0, 1]", "R, S ~ Rademacher", "B, C ~ Bernoulli(q)"],
    ),
    over="t W v w_star u Omega",
)
WRONG = [
    *rivals_of(
        ENTRY,
        {
            "all of the noise": "s2*(n2 - w**2) + q*(w - a)**2 + s2*a**2 >= s2*n2",
            "the variance of y": "q*(n2 - w**2) + q*(w - a)**2 + s2*a**2 >= q*n2",
        },
    ),
    *rivals_of(REST, {"a negative variance": {"over": ["s < 0", "r in [0, oo)"]}}),
    *rivals_of(SECOND, {"mean 1": "E[(R*B)**2] == 1 and E[R*B*S*C] == 0"}),
]

error = claim(
    "decoupling-readout-barrier",
    lhs=r"\mathbb E|y-\langle v,Wx\rangle|^2",
    tex=r"\frac{q\sigma_\xi^2}{q+\sigma_\xi^2}\|w^\star\|^2",
    states=["decoupling-noaug-downstream", "decoupling-linear-barrier"],
    title="Every linear read-out has a constant squared error",
    says=r"$\mathbb E|y-\langle v,Wx\rangle|^2\ge\frac{q\sigma_\xi^2}{q+\sigma_\xi^2}\|w^\star\|^2$ for "
    r"every $W$ and $v$ and every $M$ with orthonormal columns.",
    covers=["decoupling-noaug-downstream/regression-barrier", "decoupling-linear-barrier/barrier"],
    closed_form=BARRIER,
    relation=at_least(),
    legs=[
        leg(
            "drawn read-outs",
            squared_error,
            required=False,
            where=SMALL,
            instances=instances(draw, "W v w_star n2", smoke=4, standard=8),
        ),
        leg(
            "the best read-out",
            squared_error,
            relation=equals(),
            required=False,
            where=SMALL,
            instances=instances(best, "W v w_star n2", smoke=2, standard=4),
        ),
        leg(
            "the least of all",
            of_all,
            relation=equals(),
            required=False,
            where=SMALL,
            instances=instances(
                a_dictionary, "w_star M n2", where=orthonormal_rows("M"), smoke=4, standard=8
            ),
        ),
        ENTRY,
        REST,
        SECOND,
    ],
    rivals=[
        variant("twice the noise", simulation=of_twice_the_noise, leg="the least of all"),
        variant("without noise", simulation=noiseless, leg="the best read-out"),
        variant("the noise alone", simulation=without_the_signal, leg="the best read-out"),
        *WRONG,
    ],
    **DOMAIN,
)


def reaches_the_barrier(W, w_star, q, s2):
    """1 if the least error of all v is the barrier, by the normal equations of independent rows in R^4. Shape ()."""
    columns = [[x / 2 for x in column] for column in flat_columns(len(w_star), 4)]
    target = [
        sum((w_star[j] * columns[j][i] for j in range(len(w_star))), Fraction(0)) for i in range(4)
    ]

    def covariance(a, b):
        return q * sum((dot(a, c) * dot(c, b) for c in columns), Fraction(0)) + s2 * dot(a, b)

    gained = explained(
        [[covariance(a, b) for b in W] for a in W], [Fraction(q) * dot(w, target) for w in W]
    )
    return int(Fraction(q) * dot(w_star, w_star) - gained == barrier(w_star, q, s2))


def in_the_row_space(W, w_star, q, s2):
    """1 if M w* is a combination of the rows. Shape ()."""
    columns = flat_columns(len(w_star), 4)
    target = [
        sum((w_star[j] * columns[j][i] for j in range(len(w_star))), Fraction(0)) for i in range(4)
    ]

    def rank(rows):
        return fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in rows]).rref()[1]

    return int(rank([*W, target]) == rank(W))


def always(W, w_star, q, s2):
    return 1


def two_kinds(rng):
    """Independent rows: any, or such that M w* is one of their combinations."""
    d, inside = int(rng.integers(1, 4)), int(rng.integers(0, 2))
    w_star = [Fraction(int(rng.signs()) * int(rng.integers(1, 4)), 2) for _ in range(d)]
    columns = flat_columns(d, 4)
    row = [sum((w_star[j] * columns[j][i] for j in range(d)), Fraction(0)) for i in range(4)]
    other = [
        Fraction(1),
        Fraction(0),
        Fraction(int(rng.integers(5, 9))),
        Fraction(int(rng.integers(-9, -4))),
    ]
    first = (
        [a + 2 * b for a, b in zip(row, other, strict=True)] if inside else rng.rational((4,), 3)
    )
    if not inside:
        first = [x + (i == 1) * 50 for i, x in enumerate(first)]
    return {
        "W": [first, other],
        "w_star": w_star,
        "q": Fraction(1, int(rng.integers(2, 6))),
        "s2": Fraction(1, int(rng.integers(1, 6))),
    }


EXCESS = formula_leg(
    "excess",
    typed(
        "q*(w - a)**2 + s*a**2 - q*s/(q + s)*w**2 == (q + s)*(a - q/(q + s)*w)**2",
        over=["q in (0, 1]", "s > 0", "a in R", "w in R"],
    ),
)
ZERO = formula_leg(
    "no excess",
    typed(
        "(q + s)*A + s*r > 0",
        over=["q in (0, 1]", "s > 0", "A in [0, oo)", "r in [0, oo)"],
        where="A + r > 0",
    ),
)

tight = claim(
    "decoupling-readout-tight",
    lhs=r"\mathbf 1\{\min_v\mathbb E|y-\langle v,Wx\rangle|^2="
    r"\tfrac{q\sigma_\xi^2}{q+\sigma_\xi^2}\|w^\star\|^2\}",
    tex=r"\mathbf 1\{Mw^\star\in\operatorname{row}W\}",
    states="decoupling-noaug-downstream",
    title="When the barrier is reached",
    says=r"The excess over the bound is $(q+\sigma_\xi^2)\|M^\top u-\frac q{q+\sigma_\xi^2}w^\star\|^2+\sigma_\xi^2"
    r"\|u-MM^\top u\|^2$, $u=W^\top v$: it is 0 for some $v$ iff $Mw^\star$ is in the row space of $W$.",
    role="derived",
    covers="regression-tight",
    # of u = W^T v the squared distances of its two parts, and an entry w of w*
    reads={"W": "A r", "w_star": "w"},
    **ONE_POINT,
    legs=[
        leg(
            "normal equations",
            reaches_the_barrier,
            reference=in_the_row_space,
            required=False,
            instances=instances(two_kinds, "W w_star q s2", smoke=8, standard=16),
        ),
        EXCESS,
        ZERO,
    ],
    rivals=[
        variant("by every network", reference=always, leg="normal equations"),
        *rivals_of(
            EXCESS, {"at a = w*": "q*(w - a)**2 + s*a**2 - q*s/(q + s)*w**2 == (q + s)*(a - w)**2"}
        ),
        *rivals_of(
            ZERO,
            {
                "without noise": {
                    "over": ["q in (0, 1]", "s in [0, oo)", "A in [0, oo)", "r in [0, oo)"]
                }
            },
        ),
    ],
)
