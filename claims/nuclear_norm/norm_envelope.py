"""Section 6.2.1: the nuclear norm against the rank on the unit spectral ball.

Setting. sigma_1 >= sigma_2 >= ... are the singular values of M, all at most 1; u_i and v_i its singular vectors.

Statements. (1) The nuclear norm sum_i sigma_i is at most the rank: each sigma_i is at most 1 and counts 1 where it
is positive. Equality holds at partial isometries, so that the printed "smaller" is "at most". (2) It is the largest
convex function below the rank: M is the mixture of the partial isometries E_k = sum_{i <= k} u_i v_i^T with weights
sigma_k - sigma_{k+1}, and of 0 with the rest, all in the ball, so that by Jensen's inequality g(M) <= sum_k
(sigma_k - sigma_{k+1}) rank(E_k) for every convex g that is at most the rank there.

Reference: section 6.2.1, lines 1630-1638.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    attained,
    certificate,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    maximises,
    reaching,
    rivals_of,
    search,
    sharpened,
    theorem,
    typed,
    variant,
)

m, n, rank = sp.symbols("m n rank", integer=True, positive=True)
mean = sp.Symbol("mean", positive=True)


def of_mean(rng, m, n):
    """M with ``rank`` singular values in (0, 1], of mean ``mean``; the last rank is full."""
    full = min(m, n)
    rank = full if int(rng.integers(0, 2)) else int(rng.integers(1, full + 1))
    sigma = [Fraction(int(rng.integers(1, 13)), 12) for _ in range(rank)]
    U, V = rng.orthogonal_rational(m), rng.orthogonal_rational(n)
    M = [
        [sum(U[i][k] * sigma[k] * V[j][k] for k in range(rank)) for j in range(n)] for i in range(m)
    ]
    return {"M": M, "rank": rank, "mean": sum(sigma) / rank}


def norm_of_drawn(ns, M, m, n):
    """The nuclear norm of M (B, m, n). Shape (B,)."""
    return ns.sum(ns.svdvals(M), axis=-1)


def trace(ns, M, m, n):
    """The sum of the diagonal, which is the norm where M is symmetric without negative eigenvalues. Shape (B,)."""
    return ns.sum(ns.diagonal(M), axis=-1)


def norm_of_double(ns, M, m, n):
    """Of 2 M, which may leave the ball."""
    return ns.sum(ns.svdvals(2 * M), axis=-1)


NORM = rank * mean
SUMMED = formula_leg(
    "summed", typed(f"{NORM} <= rank", over=["rank in 0..oo", "mean in [0, 1]"]), over="m n"
)

EACH = formula_leg("each singular value", typed("sigma <= sign(sigma)", over="sigma in [0, 1]"))

below_rank = claim(
    "nuclear-below-rank",
    states="nuclear-norm-envelope",
    title="Nuclear norm below the rank",
    says="A singular value in [0, 1] is at most 1 if positive and 0 otherwise; summed, the norm is at most the rank.",
    covers="nuclear-below-rank",
    reads={"M": "sigma"},
    lhs=r"\|M\|_*",
    tex=r"\operatorname{rank}(M)\,\bar\sigma",
    domain={m: integers(1), n: integers(1)},
    grid={"smoke": [{m: 1, n: 2}, {m: 3, n: 3}], "standard": {m: [1, 2, 4], n: [2, 3]}},
    closed_form=NORM,
    legs=[
        leg(
            "singular values",
            norm_of_drawn,
            required=False,
            instances=instances(of_mean, "M rank mean", smoke=16),
        ),
        EACH,
        SUMMED,
    ],
    rivals=[
        variant("the trace", simulation=trace, leg="singular values", at=[{m: 3, n: 3}]),
        *sharpened(EACH, times="99/100"),
        *sharpened(SUMMED, times="99/100"),
        *reaching(SUMMED, "rank >= 9 and mean >= 9/10"),
        variant("2 M", simulation=norm_of_double, leg="singular values"),
        variant("the rank", closed_form=rank, leg="singular values"),
        variant(
            "as if of full rank",
            closed_form=sp.Min(m, n) * mean,
            leg="singular values",
            at=[{m: 3, n: 3}],
        ),
        *rivals_of(SUMMED, {"means up to 2": {"over": ["rank in 0..oo", "mean in [0, 2]"]}}),
        variant(
            "strictly",
            leg="each singular value",
            simulation=typed("sigma < sign(sigma)", over="sigma in (0, 1]"),
        ),
        variant(
            "without the bound on the norm",
            leg="each singular value",
            simulation=typed("sigma <= sign(sigma)", over="sigma in [0, 2]"),
        ),
    ],
)

d = sp.Symbol("d", integer=True, positive=True)
total, greatest = sp.symbols("total greatest")


def decomposed(rng, d):
    """M = U diag(sigma) V^T with rational orthogonal U, V; sigma falling in [0, 1]; its sum and its first."""
    steps = sorted((Fraction(int(rng.integers(0, 13)), 12) for _ in range(d)), reverse=True)
    U, V = rng.orthogonal_rational(d), rng.orthogonal_rational(d)
    return {
        "M": [
            [sum(U[i][k] * steps[k] * V[j][k] for k in range(d)) for j in range(d)]
            for i in range(d)
        ],
        "U": U,
        "V": V,
        "total": sum(steps),
        "greatest": steps[0],
    }


def nuclear_norm(ns, M):
    """Trace of (M^T M)^{1/2}, from the singular values that are computed. M (B, d, d), shape (B,)."""
    return ns.sum(ns.svdvals(M), axis=-1)


def trace_of_square(ns, M):
    """The trace. Shape (B,)."""
    return ns.sum(ns.diagonal(M), axis=-1)


def norm_of_the_ball(ns, M, U, V):
    """The norm whose unit ball is meant: the first of the diagonal of U^T M V. Shape (B,)."""
    return ns.matmul(ns.matrix_transpose(U), ns.matmul(M, V))[:, 0, 0]


def mixture(ns, M, U, V, norm=norm_of_the_ball):
    """sum_k (sigma_k - sigma_{k+1}) rank(E_k), sigma the diagonal of U^T M V; 0, which no nuclear norm is, where the
    mixture is not M or an E_k leaves the ball, beyond which g may exceed the rank. Shape (B,).

    The rank of the partial isometry E_k is its squared Frobenius norm.
    """
    sigma = ns.diagonal(ns.matmul(ns.matrix_transpose(U), ns.matmul(M, V)))
    size = sigma.shape[1]
    bound, rebuilt, longest = 0 * sigma[:, 0], 0 * M, 0 * sigma[:, 0]
    E = 0 * M
    for k in range(size):
        E = E + ns.expand_dims(U[:, :, k], axis=2) * ns.expand_dims(V[:, :, k], axis=1)
        weight = sigma[:, k] - (sigma[:, k + 1] if k + 1 < size else 0)
        bound = bound + weight * ns.sum(E * E, axis=(1, 2))
        rebuilt = rebuilt + ns.reshape(weight, (-1, 1, 1)) * E
        longest = ns.maximum(longest, norm(ns, E, U, V))
    same = ns.number(ns.sum(ns.abs(rebuilt - M), axis=(1, 2)) == 0)
    return bound * same * ns.number(longest <= 1)


def least_weight(ns, M, U, V):
    """The least of the mixture's weights, that of 0 among them. Shape (B,)."""
    sigma = ns.diagonal(ns.matmul(ns.matrix_transpose(U), ns.matmul(M, V)))
    ends = ns.concat([0 * sigma[:, :1] + 1, sigma], axis=1)
    return ns.min(ends - ns.concat([sigma, 0 * sigma[:, :1]], axis=1), axis=1)


def unsorted(rng, d):
    """The same matrix with its first singular vectors in the last place."""
    drawn = decomposed(rng, d)
    turned = {k: [[*row[1:], row[0]] for row in drawn[k]] for k in "UV"}
    return {**drawn, **turned}


def squared_frobenius(ns, M):
    """Convex, and at most the rank: each sigma_i^2 is at most 1. Shape (B,)."""
    return ns.sum(M * M, axis=(1, 2))


DRAWN = instances(decomposed, "M U V total greatest", smoke=3, standard=10)


def twice_as_long(ns, M, U, V):
    return norm_of_the_ball(ns, 2 * M, U, V)


def square_of_frobenius(ns, M, U, V):
    """At most 1 in the unit ball of the Frobenius norm, and nowhere else."""
    return squared_frobenius(ns, M)


def mixture_in_the_frobenius_ball(ns, M, U, V):
    """0 where an E_k leaves that ball, as it does for k > 1."""
    return mixture(ns, M, U, V, norm=square_of_frobenius)


def many(rng, d):
    """The nuclear norms of 24 of the matrices that are drawn."""
    return {"totals": [decomposed(rng, d)["total"] for _ in range(24)]}


def longest(ns, totals, d):
    """The largest of them over d, which is 1 where M is orthogonal. Shape (B,)."""
    return ns.max(totals, axis=1) / d


def hundred(rng, d):
    """The squared Frobenius norms of 96 of the matrices that are drawn."""
    drawn = [decomposed(rng, d)["M"] for _ in range(96)]
    return {"squares": [sum(x * x for row in M for x in row) for M in drawn]}


def largest_square(ns, squares, d):
    """The largest of them: more than 1 outside of the unit ball of that norm. Shape (B,)."""
    return ns.max(squares, axis=1)


def smallest_square(ns, squares, d):
    return ns.min(squares, axis=1)


def shortest(ns, totals, d):
    return ns.min(totals, axis=1) / d


def other_vectors(rng, d):
    """M with entries off the diagonal of U^T M V: U and V are not its singular vectors."""
    drawn = decomposed(rng, d)
    U, V = drawn["U"], drawn["V"]
    M = [[x + U[i][0] * V[j][d - 1] for j, x in enumerate(row)] for i, row in enumerate(drawn["M"])]
    return {**drawn, "M": M}


envelope = claim(
    "nuclear-envelope",
    lhs=r"g(M)",
    tex=r"\|M\|_*",
    states="nuclear-norm-envelope",
    title="The largest convex function below the rank",
    says="At every $M$ of the unit spectral ball no convex function below the rank exceeds the nuclear"
    " norm, which is one of them.",
    covers="tightest-envelope",
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 2, 3]}, "standard": {d: [1, 2, 3, 4]}},
    closed_form=total,
    relation=maximises(),
    legs=[
        attained(nuclear_norm, instances=DRAWN),
        certificate(
            mixture,
            arithmetic="rational",
            instances=DRAWN,
            over="g",
            lemma=theorem(
                "Jensen",
                convex="g, as the clause has it",
                weights="sigma_k - sigma_(k+1), and 1 - sigma_1 for 0: sigma falls in [0, 1]",
            ),
        ),
        search(squared_frobenius, name="the squared Frobenius norm", instances=DRAWN),
        leg(
            "weights of the mixture",
            least_weight,
            arithmetic="rational",
            relation=at_least(),
            closed_form=sp.Integer(0),
            unit=1,
            lhs=r"\min_k(\sigma_k-\sigma_{k+1})",
            tex="0",
            instances=instances(decomposed, "M U V total greatest", smoke=8),
        ),
        leg(
            "inside the ball",
            norm_of_the_ball,
            arithmetic="rational",
            relation=at_most(),
            closed_form=sp.Integer(1),
            lhs=r"\|M\|_2",
            instances=instances(decomposed, "M U V total greatest", smoke=40),
        ),
        leg(
            "up to its end",
            longest,
            arithmetic="rational",
            relation=at_least(),
            closed_form=sp.Rational(1, 2),
            lhs=r"\max\|M\|_*/d",
            instances=instances(many, "totals", smoke=2),
            where=sp.Le(d, 3),
        ),
        # of two uniforms on {0, 1/12, .., 1} the squares exceed 1 with probability 1/5
        leg(
            "beyond the Frobenius ball",
            largest_square,
            arithmetic="rational",
            relation=at_least(strict=True),
            closed_form=sp.Integer(1),
            lhs=r"\max\|M\|_F^2",
            instances=instances(hundred, "squares", smoke=1),
            where=(sp.Ge(d, 2), sp.Le(d, 3)),
            grid={"smoke": {d: [2, 3]}},
        ),
    ],
    rivals=[
        variant("the trace", simulation=trace_of_square, leg="attained", at={d: [3]}),
        variant(
            "the smallest of them", simulation=smallest_square, leg="beyond the Frobenius ball"
        ),
        variant("the shortest of them", simulation=shortest, leg="up to its end"),
        variant(
            "in another order",
            leg="weights of the mixture",
            at={d: [3]},
            instances=instances(unsorted, "M U V total greatest", smoke=8),
        ),
        variant("the spectral norm", closed_form=greatest),
        variant("twice as long", simulation=twice_as_long, leg="inside the ball"),
        variant("d times the spectral norm", closed_form=d * greatest),
        variant(
            "on the Frobenius ball",
            simulation=mixture_in_the_frobenius_ball,
            leg="certificate",
            at={d: [2, 3]},
        ),
        variant(
            "vectors of another matrix",
            leg="certificate",
            at={d: [2]},
            instances=instances(other_vectors, "M U V total greatest", smoke=2),
        ),
    ],
)
