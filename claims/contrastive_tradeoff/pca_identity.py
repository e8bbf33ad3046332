"""Theorem 7.1: with ell(t) = -t the contrastive loss is minus a variance.

Setting. z_U is independent of z_R (printed in the proof only), z_U^+ an independent copy, x^- an independent view;
phi is any map with second moments. c(z_R) = E[phi(x) | z_R].

Statements. (1) E[-phi(x)^T(phi(x^+) - phi(x^-))] = -(E|c|^2 - |E c|^2). (2) For phi = W x this is -tr(W Cov(xbar)
W^T), xbar = E[x | z_R]. (3) Over W with k orthonormal rows the least value is minus the sum of the k largest
eigenvalues of Cov(xbar): for a number mu and Q orthogonal, D = Q^T(Cov - mu I)Q, tr(W Cov W^T) <= k mu + sum_i max(0,
D_ii) + sum of the other |D_ij|, since W Q has orthonormal rows, too.

Reference: Theorem 7.1 = F.1, lines 1958-1974 and 9416-9486.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    attained,
    certificate,
    claim,
    equals,
    formula_leg,
    identity_for_all,
    instances,
    integers,
    leg,
    matrices,
    minimises,
    rivals_of,
    search,
    simplex,
    spectra,
    theorem,
    typed,
    variant,
)
from theorycheck.blocks.rational_matrices import rational_rows
from theorycheck.blocks.stated import orthonormal_rows

from ._views import contrastive_loss, minus

n_R, n_U, k, d, i = sp.symbols("n_R n_U k d i", integer=True, positive=True)


# ---- any representation


def linear_loss(ns, p, q, phi):
    """The loss with ell(t) = -t. Shape (B,)."""
    return contrastive_loss(ns, p, q, phi, minus)


def variance(ns, p, c):
    """E|c|^2 - |E c|^2 for values c (B, n_R, k) of probabilities p. Shape (B,)."""
    mean = ns.einsum("za,zak->zk", p, c)
    return ns.einsum("za,za->z", p, ns.sum(c * c, axis=-1)) - ns.sum(mean * mean, axis=-1)


def minus_variance(ns, p, q, phi):
    return -variance(ns, p, ns.einsum("zu,zauk->zak", q, phi))


def plus_variance(ns, p, q, phi):
    return -minus_variance(ns, p, q, phi)


def all_of_phi(ns, p, q, phi):
    """Minus the variance of phi(x) itself."""
    B, a, u, k = phi.shape
    joint = ns.reshape(p[:, :, None] * q[:, None, :], (B, a * u))
    return -variance(ns, joint, ns.reshape(phi, (B, a * u, k)))


def even(ns, w):
    """The uniform law on as many values. Shape of w."""
    return 0 * w + ns.mean(w, axis=1)[:, None]


def of_even_p(ns, p, q, phi):
    """Minus the variance as if the values of z_R were equally likely."""
    return minus_variance(ns, even(ns, p), q, phi)


def of_even_q(ns, p, q, phi):
    """As if the values of z_U were."""
    return minus_variance(ns, p, even(ns, q), phi)


def second_moment(ns, p, q, phi):
    """-E|c|^2, without the mean of c."""
    c = ns.einsum("zu,zauk->zak", q, phi)
    return -ns.einsum("za,za->z", p, ns.sum(c * c, axis=-1))


def tilted(ns, p, q, phi):
    """The loss where z_U depends on z_R and z_U^+ is drawn from its marginal: q_u is raised by half where u = a."""
    a, u = phi.shape[1:3]
    tilt = ns.asarray([[3 if j == i % u else 2 for j in range(u)] for i in range(a)])
    joint = p[:, :, None] * q[:, None, :] * tilt
    joint = joint / ns.sum(joint, axis=(1, 2))[:, None, None]
    marginal = ns.sum(joint, axis=1)
    same = ns.einsum("zauk,zavk->zauv", phi, phi) * marginal[:, None, None, :]
    mean = ns.einsum("zau,zauk->zk", joint, phi)
    return -ns.sum(joint * ns.sum(same, axis=3), axis=(1, 2)) + ns.sum(mean * mean, axis=1)


def tilted_variance(ns, p, q, phi):
    a, u = phi.shape[1:3]
    tilt = ns.asarray([[3 if j == i % u else 2 for j in range(u)] for i in range(a)])
    joint = p[:, :, None] * q[:, None, :] * tilt
    joint = joint / ns.sum(joint, axis=(1, 2))[:, None, None]
    own = ns.sum(joint, axis=2)
    return -variance(ns, own, ns.einsum("zau,zauk->zak", joint, phi) / own[:, :, None])


def views(rng, n_R, n_U, k):
    """Uneven laws and a table of representations with mean different from 0."""
    p, q = ([int(rng.integers(1, 8)) for _ in range(n)] for n in (n_R, n_U))
    return {
        "p": [Fraction(x, sum(p)) for x in p],
        "q": [Fraction(x, sum(q)) for x in q],
        "phi": 1 + rng.rational((n_R, n_U, k), 4),
    }


def normalised(ns, w):
    return w / ns.sum(w, axis=1)[:, None]


def for_all_views(n_R, n_U, k):
    """Both sides as rational functions of the weights of the laws and of the table phi."""
    return identity_for_all(
        lambda ns, v, w, phi: linear_loss(ns, normalised(ns, v), normalised(ns, w), phi),
        lambda ns, v, w, phi: minus_variance(ns, normalised(ns, v), normalised(ns, w), phi),
        {"v": (1, n_R), "w": (1, n_U), "phi": (1, n_R, n_U, k)},
    )


def for_all_views_of_phi(n_R, n_U, k):
    return identity_for_all(
        lambda ns, v, w, phi: linear_loss(ns, normalised(ns, v), normalised(ns, w), phi),
        lambda ns, v, w, phi: all_of_phi(ns, normalised(ns, v), normalised(ns, w), phi),
        {"v": (1, n_R), "w": (1, n_U), "phi": (1, n_R, n_U, k)},
    )


def for_all_views_twice(n_R, n_U, k):
    return identity_for_all(
        lambda ns, v, w, phi: linear_loss(ns, normalised(ns, v), normalised(ns, w), phi),
        lambda ns, v, w, phi: 2 * minus_variance(ns, normalised(ns, v), normalised(ns, w), phi),
        {"v": (1, n_R), "w": (1, n_U), "phi": (1, n_R, n_U, k)},
    )


DRAWN = instances(
    views,
    {"p": simplex(n_R, positive=True), "q": simplex(n_U, positive=True), "phi": None},
    smoke=3,
    standard=8,
)

identity = claim(
    "contrastive-pca-identity",
    lhs=r"\mathbb E[-\phi(x)^\top(\phi(x^+)-\phi(x^-))]",
    tex=r"-\mathbb E\|\phi_{z_R}-\phi_0\|^2",
    title="The linear contrastive loss is minus a variance",
    says=r"For all finite laws of $z_R$ and $z_U$ and every table $\phi$ the loss is minus the "
    r"variance of $\mathbb{E}[\phi \mid z_R]$.",
    covers="variance-identity",
    reads={"D_R": "p", "D_U": "q", "g": "phi"},
    domain={n_R: integers(1), n_U: integers(1), k: integers(1)},
    grid={
        "smoke": [{n_R: 3, n_U: 2, k: 2}, {n_R: 2, n_U: 3, k: 1}],
        "standard": {n_R: [1, 2, 4], n_U: [1, 3], k: [1, 3]},
    },
    relation=equals(),
    legs=[
        leg(
            "enumeration",
            linear_loss,
            arithmetic="rational",
            reference=minus_variance,
            instances=DRAWN,
        ),
        leg(
            "indeterminates",
            for_all_views,
            arithmetic="proof",
            over="D_R D_U g phi",
            grid={"smoke": [{n_R: 2, n_U: 2, k: 1}, {n_R: 3, n_U: 1, k: 2}]},
        ),
    ],
    rivals=[
        variant("plus the variance", reference=plus_variance),
        variant("the variance of phi(x)", reference=all_of_phi),
        variant("equally likely z_R", reference=of_even_p, leg="enumeration"),
        variant("equally likely z_U", reference=of_even_q, leg="enumeration"),
        variant("the second moment", reference=second_moment, leg="enumeration"),
        variant("that of phi(x), proof", leg="indeterminates", simulation=for_all_views_of_phi),
        variant(
            "z_U depends on z_R", simulation=tilted, reference=tilted_variance, leg="enumeration"
        ),
        variant("twice the variance", leg="indeterminates", simulation=for_all_views_twice),
    ],
)


# ---- linear representations


def of_linear(ns, p, q, x, W):
    """The loss of phi = W x. x (B, n_R, n_U, d), W (B, k, d). Shape (B,)."""
    return linear_loss(ns, p, q, ns.einsum("zaud,zkd->zauk", x, W))


def covariance(ns, p, y):
    """Cov of values y (B, n, d) with probabilities p. Shape (B, d, d)."""
    mean = ns.einsum("zn,znd->zd", p, y)
    second = ns.einsum("znd,zne->zde", p[:, :, None] * y, y)
    return second - mean[:, :, None] * mean[:, None, :]


def of_means(ns, p, q, x):
    """Cov(E[x | z_R])."""
    return covariance(ns, p, ns.einsum("zu,zaud->zad", q, x))


def minus_trace(ns, p, q, x, W):
    """-tr(W Cov(xbar) W^T). Shape (B,)."""
    return -ns.sum(W * ns.matmul(W, of_means(ns, p, q, x)), axis=(1, 2))


def plus_trace(ns, p, q, x, W):
    return -minus_trace(ns, p, q, x, W)


def minus_trace_of_even(ns, p, q, x, W):
    """As if the values of z_U were equally likely."""
    return minus_trace(ns, p, even(ns, q), x, W)


def minus_trace_of_diagonal(ns, p, q, x, W):
    """With the diagonal of Cov(xbar) alone."""
    return -ns.sum(ns.sum(W * W, axis=1) * ns.diagonal(of_means(ns, p, q, x)), axis=1)


def minus_trace_of_x(ns, p, q, x, W):
    """The same with Cov(x)."""
    B, a, u, size = x.shape
    joint = ns.reshape(p[:, :, None] * q[:, None, :], (B, a * u))
    C = covariance(ns, joint, ns.reshape(x, (B, a * u, size)))
    return -ns.sum(W * ns.matmul(W, C), axis=(1, 2))


def linear_views(rng, n_R, n_U, k, d):
    drawn = views(rng, n_R, n_U, d)
    return {"p": drawn["p"], "q": drawn["q"], "x": drawn["phi"], "W": rng.rational((k, d), 4)}


def for_all_linear(n_R, n_U, k, d):
    return identity_for_all(
        lambda ns, v, w, x, W: of_linear(ns, normalised(ns, v), normalised(ns, w), x, W),
        lambda ns, v, w, x, W: minus_trace(ns, normalised(ns, v), normalised(ns, w), x, W),
        {"v": (1, n_R), "w": (1, n_U), "x": (1, n_R, n_U, d), "W": (1, k, d)},
    )


def for_all_linear_in_x(n_R, n_U, k, d):
    return identity_for_all(
        lambda ns, v, w, x, W: of_linear(ns, normalised(ns, v), normalised(ns, w), x, W),
        lambda ns, v, w, x, W: minus_trace_of_x(ns, normalised(ns, v), normalised(ns, w), x, W),
        {"v": (1, n_R), "w": (1, n_U), "x": (1, n_R, n_U, d), "W": (1, k, d)},
    )


linear = claim(
    "contrastive-linear-pca",
    lhs=r"\mathbb E[-\phi(x)^\top(\phi(x^+)-\phi(x^-))]",
    tex=r"-\operatorname{tr}(W\operatorname{Cov}(\bar x)W^\top)",
    states="contrastive-pca-identity",
    title="Linear representations",
    says=r"For $\phi = Wx$ the loss is $-\mathrm{tr}(W\,\mathrm{Cov}(\bar x)\,W^\top)$, whatever "
    "the views $x = g(z)$.",
    covers="linear-pca",
    reads={"g": "x"},
    domain={n_R: integers(1), n_U: integers(1), k: integers(1), d: integers(1)},
    grid={
        "smoke": [{n_R: 3, n_U: 2, k: 2, d: 2}, {n_R: 2, n_U: 2, k: 1, d: 3}],
        "standard": {n_R: [2, 4], n_U: [1, 3], k: [1, 2], d: [2, 3]},
    },
    relation=equals(),
    legs=[
        leg(
            "enumeration",
            of_linear,
            arithmetic="rational",
            reference=minus_trace,
            instances=instances(
                linear_views,
                {
                    "p": simplex(n_R, positive=True),
                    "q": simplex(n_U, positive=True),
                    "x": None,
                    "W": None,
                },
                smoke=3,
                standard=8,
            ),
        ),
        leg(
            "indeterminates",
            for_all_linear,
            arithmetic="proof",
            over="W g",
            grid={"smoke": [{n_R: 2, n_U: 2, k: 1, d: 1}, {n_R: 2, n_U: 1, k: 1, d: 2}]},
        ),
    ],
    rivals=[
        variant("Cov(x)", reference=minus_trace_of_x),
        variant("plus the trace", reference=plus_trace),
        variant("equally likely z_U", reference=minus_trace_of_even, leg="enumeration"),
        variant("the diagonal alone", reference=minus_trace_of_diagonal, leg="enumeration"),
        variant("Cov(x) for indeterminates", leg="indeterminates", simulation=for_all_linear_in_x),
    ],
)


# ---- the best W

lam = sp.IndexedBase("lam")


def with_covariance(rng, lam, k):
    """2 d equally likely values of z_R, two of z_U: xbar = +-s_i Q e_i, so that Cov(xbar) = Q diag(lam) Q^T/d for
    lam_i = s_i^2; z_U adds a vector of mean 0, so that Cov(x) differs. W: k rows of another orthogonal matrix."""
    size = len(lam)
    Q, W = (rational_rows(rng.orthogonal_rational(size)) for _ in range(2))
    noise = [Fraction(int(rng.integers(1, 5)), 3) for _ in range(size)]
    x = [
        [[sign * root * Q[j][i] + (2 - 3 * u) * noise[j] for j in range(size)] for u in range(2)]
        for i, value in enumerate(lam)
        for root in [Fraction(isqrt(Fraction(value).numerator), isqrt(Fraction(value).denominator))]
        for sign in (1, -1)
    ]
    uniform = [Fraction(1, 2 * size)] * (2 * size)
    return {"p": uniform, "q": [Fraction(1, 3), Fraction(2, 3)], "x": x, "Q": Q, "W": W[:k]}


def one_row(rng, lam, k):
    """The same with the first row of W k times."""
    drawn = with_covariance(rng, lam, k)
    return {**drawn, "W": [drawn["W"][0]] * k}


def at_top(ns, p, q, x, Q, k):
    """The loss at the first k columns of Q. Shape (B,)."""
    return of_linear(ns, p, q, x, ns.matrix_transpose(Q)[:, :k, :])


def ky_fan(ns, p, q, x, Q, k):
    """The bound of the docstring at mu = (Q^T Cov Q)_kk. Shape (B,)."""
    D = ns.matmul(ns.matrix_transpose(Q), ns.matmul(of_means(ns, p, q, x), Q))
    mu = D[:, k - 1, k - 1]
    diagonal = ns.diagonal(D)
    off = ns.sum(abs(D), axis=(1, 2)) - ns.sum(abs(diagonal), axis=1)
    return -(k * mu + ns.sum(ns.relu(diagonal - mu[:, None]), axis=1) + off)


def ky_fan_of_x(ns, p, q, x, Q, k):
    """The same with Cov(x)."""
    B, a, u, size = x.shape
    every = ns.reshape(p[:, :, None] * q[:, None, :], (B, a * u))
    alone = ns.ones((B, 1))
    return ky_fan(ns, every, alone, ns.reshape(x, (B, a * u, 1, size)), Q, k)


def above_best(ns, p, q, x, Q, W, k, sign=1):
    """The loss at the drawn W less that at the first k columns of Q. Shape (B,)."""
    return sign * (of_linear(ns, p, q, x, W) - at_top(ns, p, q, x, Q, k))


def below_best(ns, p, q, x, Q, W, k):
    return above_best(ns, p, q, x, Q, W, k, sign=-1)


def apart_from_orthonormal(ns, W, k):
    """Sum of |W W^T - I|. Shape (B,)."""
    return ns.sum(abs(ns.matmul(W, ns.matrix_transpose(W)) - ns.eye(k)), axis=(1, 2))


def apart_when_doubled(ns, W, k):
    return apart_from_orthonormal(ns, 2 * W, k)


def weights_of_directions(ns, Q, W):
    """The largest sum_a (W Q)_ai^2 over the columns i of Q, and their sum. Shape (B, 2)."""
    turned = ns.matmul(W, Q)
    weights = ns.sum(turned * turned, axis=1)
    return ns.stack([ns.max(weights, axis=1), ns.sum(weights, axis=1)], axis=1)


def best_row(rng, lam, k):
    """The same with the first column of Q k times, of the same |W|_F^2."""
    drawn = with_covariance(rng, lam, k)
    return {**drawn, "W": [[row[0] for row in drawn["Q"]]] * k}


BEST = instances(
    with_covariance,
    {"p": None, "q": None, "x": None, "Q": None, "W": matrices(k, d)},
    where=orthonormal_rows("W"),
    smoke=2,
    standard=4,
)
SPECTRA = {
    "smoke": [
        {lam: (9, 4, 1), k: 1, d: 3},
        {lam: (9, 4, 1), k: 2, d: 3},
        {lam: (4, 4, 1), k: 2, d: 3},
        {lam: (1,), k: 1, d: 1},
    ],
    "standard": [
        {lam: s, k: j, d: len(s)}
        for s in ((4, 1), (9, 4, 4), (16, 9, 1, Fraction(1, 4)))
        for j in range(1, len(s) + 1)
    ],
}

# of each direction, with f its entry of D; a weight above 1 could take more than the direction has
WEIGHTS = ["d in 1..oo", "mu in R", "f[i] in R for i in 1..d"]
WEIGHTED = formula_leg(
    "weights up to 1",
    typed(
        "Sum(w[i]*(f[i] - mu), (i, 1, d)) <= Sum(Max(0, f[i] - mu), (i, 1, d))",
        over=[*WEIGHTS, "w[i] in [0, 1] for i in 1..d"],
    ),
)

optimum = claim(
    "contrastive-pca-optimum",
    lhs=r"\min_{WW^\top=I_k}-\operatorname{tr}(W\operatorname{Cov}(\bar x)W^\top)",
    tex=r"-\frac1d\sum_{i\le k}\lambda_i",
    states="contrastive-pca-identity",
    title="The best linear representation is the principal subspace",
    says="Over $k$ orthonormal rows the least loss is minus the sum of the $k$ largest "
    r"eigenvalues $\lambda_i/d$ of $\mathrm{Cov}(\bar x)$.",
    covers="pca-optimum",
    domain={lam: spectra(d, squares=True, nonzero=True), k: integers(1), d: integers(1)},
    where=sp.Le(k, d),
    grid=SPECTRA,
    closed_form=-sp.Sum(lam[i], (i, 1, k)) / d,
    relation=minimises(),
    legs=[
        attained(at_top, arithmetic="rational", instances=BEST),
        certificate(
            ky_fan,
            arithmetic="rational",
            instances=BEST,
            over="W",
            lemma=theorem(
                "convexity",
                convex="sum_i max(0, .) of the diagonal of W Q (Cov - mu I) Q^T W^T",
                hull="D_ii enters with weights sum_a (W Q)_ai^2 in [0, 1], for W Q has orthonormal rows",
            ),
        ),
        search(of_linear, name="drawn W", arithmetic="rational", instances=BEST),
        leg(
            "drawn W are no better",
            above_best,
            arithmetic="rational",
            relation=at_least(),
            closed_form=sp.Integer(0),
            unit=1,
            instances=BEST,
            required=False,
            lhs=r"\mathrm{loss}(W)-\mathrm{loss}(Q_k)",
            tex="0",
        ),
        leg(
            "orthonormal rows",
            apart_from_orthonormal,
            arithmetic="rational",
            relation=equals(),
            closed_form=sp.Integer(0),
            unit=1,
            instances=BEST,
            required=False,
            lhs=r"\sum|WW^\top-I_k|",
            tex="0",
        ),
        leg(
            "weights of the directions",
            weights_of_directions,
            arithmetic="rational",
            relation=at_most(),
            closed_form=sp.Matrix([1, k]),
            instances=BEST,
            required=False,
            lhs=r"(\max_i\sum_a(WQ)_{ai}^2,\ \sum_{a,i}(WQ)_{ai}^2)",
            tex="(1,\\ k)",
        ),
        WEIGHTED,
    ],
    rivals=[
        variant("drawn W are better", simulation=below_best, leg="drawn W are no better"),
        variant("rows of length 2", simulation=apart_when_doubled, leg="orthonormal rows"),
        variant(
            "one row k times",
            leg="orthonormal rows",
            instances=instances(one_row, "p q x Q W", smoke=1),
        ),
        variant(
            "the best row k times",
            leg="weights of the directions",
            instances=instances(best_row, "p q x Q W", smoke=1),
        ),
        *rivals_of(
            WEIGHTED, {"weights up to 2": {"over": [*WEIGHTS, "w[i] in [0, 2] for i in 1..d"]}}
        ),
        variant("Cov(x) in the certificate", simulation=ky_fan_of_x, leg="certificate"),
        variant("the k smallest", closed_form=-sp.Sum(lam[d + 1 - i], (i, 1, k)) / d),
        variant("the trace", closed_form=-sp.Sum(lam[i], (i, 1, d)) / d),
    ],
)
