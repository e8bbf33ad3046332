"""Lemma 5.1 with all of theta: the rank constraint must cover w21^KQ (derived).

Setting. As in `loss_quadratic_form`, with the blocks a = w21^PV and b = w21^KQ free.

Statements. The part of yhat that is odd in w is the linear predictor with u U + a b^T; the even part only adds half
its second moment to the loss: L - tr(Lambda)/2 = ltilde(uU + a b^T, 1) + E(even^2)/2. So the optimum of Theorem
5.4.1 stands for the network when the rank constraint is put on the whole block (U; b^T), as rank(uU + a b^T) is at
most its rank. Put on U alone it does not stand: at rank 0 the least loss is the rank-1 value, at rank 1 explicit
networks pass the printed optimum once prompts are long.

Reference: derived from Lemma 5.1, Theorem 5.4.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    choices,
    claim,
    equals,
    identity_for_all,
    instances,
    leg,
    minimises,
    spectra,
    theorem,
    variant,
)
from theorycheck.blocks.gaussian_rules import FIFTH, SEVENTH, product_rule

from ._attention import (
    Blocks,
    covariance,
    gaussian,
    pretraining_loss,
    quadratic_loss,
    reply,
    root_of,
)
from ._conditions import entries
from .loss_quadratic_form import DOMAIN, FREE, GRID, N, cubature, d, lam, parameters, quadratic
from .rank_r_optimum import OPTIMUM, SETTING, construction, eckart_young, r, rotation, truncated

NETWORK = {"Lambda": "lam", "theta": "U u a b"}


def even_part(ns, root, U, u, a, b, N):
    """E even^2 / 2: the terms of yhat that do not change with the sign of w. Shape ()."""
    d = root.shape[0]
    one, one_weights = product_rule([FIFTH] * d)
    rest, rest_weights = product_rule([SEVENTH] * d + [FIFTH] * d)
    x, rest = gaussian(ns, ns.asarray(one), root), ns.asarray(rest)
    query, y = gaussian(ns, rest[:, :d], root), ns.matmul(rest[:, d:], ns.matrix_transpose(x))
    half = ns.rational(1, 2)
    t = (reply(ns, x, y, query, U, u, a, b) + reply(ns, x, -y, query, U, u, a, b)) * half
    mean, square = (ns.sum(m * ns.asarray(one_weights), axis=-1) for m in (t, t**2))
    own = ns.sum(query * a, axis=-1) * ns.sum(
        ns.matmul(query, ns.matrix_transpose(U)) * query, axis=-1
    )
    even = (mean + own / N) ** 2 + (square - mean**2) / N
    return ns.sum(ns.asarray(rest_weights) * even) * half


def shifted(ns, lam, N, U, u, a, b, weight=1):
    """ltilde(u U + a b^T, 1) + tr(Lambda)/2 + ``weight`` E even^2 / 2. Shape (B,)."""
    root = root_of(ns, lam, ns.eye(len(lam)))
    whole = [u[t] * U[t] + ns.outer(a[t], b[t]) for t in range(u.shape[0])]
    odd = quadratic(ns, lam, N, ns.stack(whole), u * 0 + 1, a, b)
    added = [even_part(ns, root, U[t], u[t], a[t], b[t], N) for t in range(u.shape[0])]
    return odd + weight * ns.stack(added)


def long_prompts(ns, lam, N, U, u, a, b):
    """L of the network by the moments of one example. Shape (B,)."""
    root = root_of(ns, lam, ns.eye(len(lam)))
    return ns.stack(
        [pretraining_loss(ns, root, U[t], u[t], a[t], b[t], N) for t in range(u.shape[0])]
    )


def its_whole_second_moment(ns, lam, N, U, u, a, b):
    return shifted(ns, lam, N, U, u, a, b, weight=2)


def without_the_even_part(ns, lam, N, U, u, a, b):
    return shifted(ns, lam, N, U, u * 0, a, b)


def by_moments(ns, s, N, U, u, a, b):
    return pretraining_loss(ns, ns.eye(s.shape[0]) * s, U, u, a, b, N)


def parts(ns, s, N, U, u, a, b, weight=1):
    Lam, root = covariance(ns, s**2, ns.eye(s.shape[0])), ns.eye(s.shape[0]) * s
    odd = quadratic_loss(ns, Lam, N, u * U + ns.outer(a, b), u * 0 + 1)
    return odd + ns.trace(Lam) / 2 + weight * even_part(ns, root, U, u, a, b, N)


def for_all_of_them(d, weight=1):
    fields = {"s": (d,), "N": (), "U": (d, d), "u": (), "a": (d,), "b": (d,)}
    return identity_for_all(
        by_moments, lambda ns, **given: parts(ns, **given, weight=weight), fields
    )


def twice_the_even_part(d):
    return for_all_of_them(d, weight=2)


full_theta = claim(
    "icl-rank-r-full-theta",
    lhs=r"L(\theta)",
    tex=r"\tilde\ell(uU+ab^\top,1)+\frac12\operatorname{tr}\Lambda+\frac12\,\mathbb{E}\,\text{even}^2",
    title="The even part of the prediction only adds to the loss",
    says=r"For all $\theta$, $L-\frac12\operatorname{tr}\Lambda=\tilde\ell(uU+ab^\top"
    r",1)+\frac12\mathbb{E}[\text{even}^2]$, the second at least 0.",
    role="derived",
    covers="odd-part-bound",
    reads=NETWORK,
    domain=DOMAIN,
    where=entries,
    grid={
        "smoke": [*GRID["smoke"], {lam: (4, 1), d: 2, N: 7}],
        "standard": [{lam: (9, 1), d: 2, N: 100}],
    },
    relation=equals(),
    legs=[
        leg(
            "network",
            cubature,
            arithmetic="rational",
            reference=shifted,
            instances=FREE,
            where=d <= 1,
        ),
        leg(
            "long prompts",
            long_prompts,
            arithmetic="rational",
            reference=shifted,
            where=d <= 2,
            instances=instances(parameters(free=True), Blocks, smoke=1),
        ),
        leg(
            "moments of one example",
            for_all_of_them,
            arithmetic="proof",
            over="Lambda N theta",
            where=d <= 1,
        ),
    ],
    rivals=[
        variant("ltilde(U, u) alone", reference=quadratic, leg="network"),
        variant("ltilde(U, u) alone, long prompts", reference=quadratic, leg="long prompts"),
        variant("the whole second moment", reference=its_whole_second_moment, leg="network"),
        variant("no even part of the labels", reference=without_the_even_part, leg="network"),
        variant(
            "twice the even part", simulation=twice_the_even_part, leg="moments of one example"
        ),
    ],
)


# ---- the rank constraint

FROBENIUS = theorem("Eckart-Young", invariant="the Frobenius norm")


def stated_optimum_block(rng, lam, N):
    """U = 0, u = 0, a b^T the rank-1 optimum: a = e_1, b = N / ((N+1) lam_1 + tr D) e_1."""
    d = len(lam)
    first = [1] + [0] * (d - 1)
    scale = Fraction(N) / ((N + 1) * lam[0] + sum(lam))
    return Blocks(U=[[0] * d] * d, u=0, a=first, b=[scale * x for x in first])


def excess(ns, lam, N, U, u, a, b):
    """L - tr(Lambda)/2. Shape (B,)."""
    return long_prompts(ns, lam, N, U, u, a, b) - ns.asarray(Fraction(sum(lam)) / 2)


def rank_one_bound(ns, lam, N):
    """Minus half the largest eigenvalue of Lambda Gamma^{-1} Lambda: a bound on ltilde(a b^T, 1), and so by the odd
    part on L - tr(Lambda)/2. Shape ()."""
    return eckart_young(ns, ns.expand_dims(ns.eye(len(lam)), axis=0), lam, N, 1)[0]


def cut_inverse(ns, lam, N):
    """ltilde(a b^T, 1) at a = e_1, b = Gamma^{-1} e_1. Shape ()."""
    one = ns.asarray([1])
    return truncated(ns, ns.expand_dims(ns.eye(len(lam)), axis=0), one, lam, N, 1)[0]


free_rank_zero = claim(
    "icl-rank-r-full-theta-rank-0",
    lhs=r"L(\theta)-\frac12\operatorname{tr}\Lambda",
    tex=r"-\frac12\,\frac{N\lambda_1^2}{(N+1)\lambda_1+\operatorname{tr}D}",
    states="icl-rank-r-full-theta",
    title="A constraint on $U$ alone does not bind",
    says="With $U=0$ and free $w_{21}$ blocks the least loss is the rank-1 optimum "
    r"$-\frac12N\lambda_1^2/((N+1)\lambda_1+\operatorname{tr}D)$, below the rank-0 optimum 0.",
    role="derived",
    covers="rank-zero-exact",
    reads={"Lambda": "lam"},
    domain=DOMAIN,
    where=entries,
    grid={
        "smoke": [{lam: (4,), d: 1, N: 1}, {lam: (1,), d: 1, N: 3}, {lam: (4, 1), d: 2, N: 5}],
        "standard": [{lam: (9,), d: 1, N: 2}, {lam: (4, 0), d: 2, N: 40}],
    },
    closed_form=OPTIMUM.subs(r, 1),
    relation=minimises(),
    legs=[
        attained(
            excess,
            name="free blocks",
            arithmetic="rational",
            where=d <= 2,
            instances=instances(stated_optimum_block, Blocks, smoke=1),
        ),
        attained(cut_inverse, name="ltilde of a b^T", arithmetic="rational"),
        certificate(rank_one_bound, name="rank of a b^T", over="u a b", lemma=FROBENIUS),
    ],
    rivals=[variant("the rank-0 value", closed_form=sp.Integer(0))],
)

stacked = claim(
    "icl-rank-r-full-theta-stacked",
    lhs=r"L(\theta)-\frac12\operatorname{tr}\Lambda",
    tex=r"-\frac12\sum_{i=1}^{r}\frac{N\lambda_i^2}{(N+1)\lambda_i+\operatorname{tr}D}",
    states="icl-rank-r-full-theta",
    title="The optimum where the rank of the whole key-query block is bounded",
    says=r"If the block $(U; b^\top)$ has rank at most $r$, the least $L - "
    r"\operatorname{tr}(\Lambda)/2$ over all other parameters is the printed rank-r value.",
    role="derived",
    covers="stacked-block-optimum",
    reads={"Lambda": "lam Q"},
    domain=SETTING,
    where=[entries, r <= d],
    grid={
        "smoke": [{lam: (4, 2, Fraction(1, 2)), d: 3, N: 7, r: k} for k in (1, 0, 2)],
        "standard": [{lam: (9, 1, 0), d: 3, N: 20, r: k} for k in (1, 2, 3)],
    },
    closed_form=OPTIMUM,
    relation=minimises(),
    legs=[
        attained(
            construction,
            arithmetic="rational",
            name="the printed network, a = b = 0",
            instances=instances(rotation, "Q c", smoke=1),
        ),
        attained(
            truncated,
            arithmetic="rational",
            name="the optimum of full rank, cut off",
            instances=instances(rotation, "Q c", smoke=1),
        ),
        certificate(
            eckart_young,
            name="rank of uU + a b^T",
            over="theta",
            lemma=FROBENIUS,
            instances=instances(rotation, "Q c", smoke=1),
        ),
    ],
    rivals=[variant("one rank more", closed_form=OPTIMUM.subs(r, r + 1))],
)


# ---- a rank constraint on U alone, long prompts

BETTER = {
    100: (Fraction(21, 50), Fraction(27, 5), Fraction(21, 200)),
    1000: (Fraction(47, 100), Fraction(45, 4), Fraction(77, 1000)),
}
"""Networks for lam = (2, 1): U = V e_1 e_1^T, u = 1, a = s e_2, b = t e_2 by (V, s, t)."""


def explicit_network(ns, lam, N):
    """L - tr(Lambda)/2 of an explicit network with rank(U) = 1. Shape ()."""
    V, s, t = (ns.asarray(x) for x in BETTER[N])
    first, second = ns.asarray([1, 0]), ns.asarray([0, 1])
    loss = pretraining_loss(
        ns,
        root_of(ns, lam, ns.eye(2)),
        V * ns.outer(first, first),
        V * 0 + 1,
        s * second,
        t * second,
        N,
    )
    return loss - ns.asarray(Fraction(sum(lam)) / 2)


constraint_on_u_alone = claim(
    "icl-rank-r-full-theta-rank-1",
    lhs=r"L(\theta)-\frac12\operatorname{tr}\Lambda",
    tex=r"-\frac12\,\frac{N\lambda_1^2}{(N+1)\lambda_1+\operatorname{tr}D}",
    states="icl-rank-r-full-theta",
    title="Rank 1 of $U$ alone does not give the printed optimum",
    says=r"A network with $\operatorname{rank}(U)\le1$, its $w_{21}$ blocks free, has a loss of at "
    "least that of the printed rank-1 optimum.",
    role="beyond_scope",
    encodes="part",
    expect="fail",
    domain={lam: spectra(d, nonzero=True), d: choices(2), N: choices(*BETTER)},
    where=entries,
    grid={"smoke": [{lam: (2, 1), d: 2, N: 100}], "standard": [{lam: (2, 1), d: 2, N: 1000}]},
    closed_form=OPTIMUM.subs(r, 1),
    relation=minimises(),
    legs=[attained(explicit_network)],
    rivals=[variant("the rank-0 optimum", closed_form=sp.Integer(0))],
)
