"""Lemma F.3, Claim F.4: pre-training on a mixture as a convex programme in T + 1 weights.

Setting. Weights w_t > 0 of the tasks, standard deviations sigma_{S,t}, sigma_{R,t}, sigma_{U,t}; Z ~ chi2_s, Z_t ~
chi2_{r-s} independent.

Statements. (1) The reduced objective is sum_t w_t E ell(alpha sigma_S^2 Z + alpha_t sigma_R^2 Z_t) over alpha s + (r
- s) sum_t alpha_t <= r, entries in [0, 1]: what is at most r is |W|_F^2, to which every coordinate adds its weight. (2)
For every minimiser and every orthonormal Q the matrix [QA, 0] M^{-1} is optimal among all W: its loss is the
programme's; conversely E ell(z^T H z) only falls when H is averaged over signs and permutations inside S and inside
each P_t, ell being convex, which makes it diagonal with one weight a block and keeps psd, H <= I and the trace. (3) So
the diagonal problem has a minimiser that is constant on the blocks: averaging two entries lowers the loss; it is convex
in the squares a_jj^2. (4) The mean of z_U does better: `spurious_mean`.

Averaging is run on the model's determinants for ell = exp(-rate t), on matrices that are drawn; the formula legs hold
the inequalities for every hinge (c - t)_+, of which every convex decreasing ell that is bounded below is a mixture.

Reference: Lemma F.3, Claim F.4, lines 9589-9680.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reaching,
    reals,
    rivals_of,
    typed,
    variant,
)
from theorycheck.blocks.rational_matrices import rational_rows
from theorycheck.claims.statistic import mean
from theorycheck.claims.tails import bounded

from ._gaussian import gram, inverse_square_losses, task_coordinates

s, r, T, t = sp.symbols("s r T t", integer=True, positive=True)
rate = sp.Symbol("rate", positive=True)
alpha, first = sp.symbols("alpha first", nonnegative=True)


# ---- the reduced objective


def exponential_of(ns, rng, size, s, r, alpha, first):
    """exp(-z^T H z) on one task, H = alpha on S and ``first`` on P_t, from normal draws. Shape (size,)."""
    z = rng.normal((size, r))
    shared, private = (ns.sum(part**2, axis=1) for part in (z[:, :s], z[:, s:]))
    return ns.exp(-ns.asarray(alpha) * shared - ns.asarray(first) * private)


def with_chi2_r(ns, rng, size, s, r, alpha, first):
    """With Z ~ chi2_r."""
    return exponential_of(ns, rng, size, r, 2 * r - s, alpha, first)


def objective(scale=2):
    """E exp(-alpha Z - alpha_t Z_t)."""
    return (1 + scale * alpha) ** (-s / sp.Integer(2)) * (1 + scale * first) ** (
        -(r - s) / sp.Integer(2)
    )


ONE_DEGREE = "(Integral(exp(-(1 + 2*%s)*u**2/2), (u, 0, oo))*sqrt(2/pi))"
BOTH = f"{ONE_DEGREE % 'alpha'}**s*{ONE_DEGREE % 'first'}**(r - s)"
MGF = formula_leg(
    "degrees of freedom",
    typed(
        f"{BOTH} == {objective()}",
        over=["s in 1..oo", "r in s + 1..oo", "alpha in [0, 1]", "first in [0, 1]"],
    ),
    over="T",
)
CELL = {s: 1, r: 3, alpha: 1, first: Fraction(1, 2)}


def three_weights(rng, s, r):
    """a_t in [0, 1] of three tasks with their sum, and orthogonal Q and M."""
    parts = [int(rng.integers(0, 9)) for _ in range(3)]
    spent = {"a": [Fraction(n, 8) for n in parts], "total": Fraction(sum(parts), 8)}
    return {**orthonormal(rng, s, r, 3), **spent}


def squared_norm(ns, Q, M, a, s, r, alpha):
    """|W|_F^2 of W = [QA, 0] M^{-1} for three tasks, A = sqrt(alpha) on S, sqrt(a_t) on P_t. Shape (B,)."""
    own = [ns.repeat(a[:, t : t + 1], r - s, axis=1) for t in range(3)]
    shared = ns.full((a.shape[0], s), ns.asarray(alpha))
    A = ns.sqrt(ns.concat([shared, *own], axis=1))
    QA = ns.concat([Q * A[:, None, :], ns.zeros((*Q.shape[:2], 1))], axis=2)
    W = ns.matmul(QA, ns.matrix_transpose(M))
    return ns.sum(W * W, axis=(1, 2))


def without_roots(ns, Q, M, a, s, r, alpha):
    """With alpha and a_t themselves as entries of A."""
    return squared_norm(ns, Q, M, a * a, s, r, Fraction(alpha) ** 2)


total = sp.Symbol("total", nonnegative=True)
SPENT = alpha * s + (r - s) * total

programme = claim(
    "contrastive-programme",
    lhs=r"\mathbb E\,e^{-\alpha Z-\alpha_tZ_t}",
    tex=r"(1+2\alpha)^{-s/2}(1+2\alpha_t)^{-(r-s)/2}",
    states="contrastive-general-weights",
    title="The reduced objective, for the exponential loss",
    says=r"$\mathbb{E}\, e^{-\alpha Z - \alpha_t Z_t} = (1 + 2\alpha)^{-s/2} (1 + 2\alpha_t)^{-(r "
    "- s)/2}$: a factor a coordinate. The budget counts them too: $|W|_F^2 = "
    r"\alpha s + (r - s)\sum_t \alpha_t$.",
    covers="programme",
    domain={s: integers(1), r: integers(2), alpha: reals(0, 1), first: reals(0, 1)},
    where=sp.Lt(s, r),
    grid={
        "smoke": [
            CELL,
            {s: 2, r: 3, alpha: Fraction(1, 4), first: 1},
            {s: 1, r: 6, alpha: Fraction(1, 10), first: Fraction(1, 10)},
        ],
        "standard": [
            {s: a, r: a + b, alpha: 1, first: Fraction(1, 4)} for a in (1, 3) for b in (1, 2, 5)
        ],
    },
    closed_form=objective(),
    legs=[
        leg("normal draws", exponential_of, statistic=mean(bounded(0, 1)), required=False),
        leg(
            "the budget",
            squared_norm,
            closed_form=SPENT,
            unit=1,
            required=False,
            where=sp.Le(r, 6),
            lhs=r"\|W\|_F^2",
            tex=r"\alpha s+(r-s)\sum_t\alpha_t",
            instances=instances(three_weights, "Q M a total", smoke=2, standard=4),
        ),
        MGF,
    ],
    rivals=[
        variant(
            "chi2_r for Z",
            simulation=with_chi2_r,
            leg="normal draws",
            at={s: [1], r: [3], alpha: [1], first: [Fraction(1, 2)]},
        ),
        variant("alpha for 2 alpha", closed_form=objective(1), leg="normal draws"),
        variant("4 alpha for 2 alpha", closed_form=objective(4), leg="normal draws"),
        variant("one part a task", closed_form=alpha * s + total, leg="the budget"),
        variant("r parts a task", closed_form=alpha * s + r * total, leg="the budget"),
        variant("one part for S", closed_form=alpha + (r - s) * total, leg="the budget"),
        variant("the weights themselves as entries", simulation=without_roots, leg="the budget"),
        *rivals_of(
            MGF,
            {
                "1 + alpha": f"{BOTH} == (1 + alpha)**(-s/2)*(1 + 2*first)**(-(r - s)/2)",
                "r for r - s": f"{BOTH} == (1 + 2*alpha)**(-s/2)*(1 + 2*first)**(-r/2)",
            },
        ),
        *reaching(MGF, "alpha == 1 and first == 1 and s > 100", "alpha == 0 and first == 0"),
    ],
)


# ---- the full problem

x, y = sp.symbols("x y", nonnegative=True)


def orthonormal(rng, s, r, T):
    """Q on the k invariant coordinates and M on these and one of U."""
    k = s + T * (r - s)
    return {
        "Q": rational_rows(rng.orthogonal_rational(k)),
        "M": rational_rows(rng.orthogonal_rational(k + 1)),
    }


def of_printed_form(ns, Q, M, s, r, T, x, y, inverse=True):
    """det(I + 2 H_t) on the last task of W = [QA, 0] M^{-1} for the data M z; A has x on S, y on P_T, 0 on the other
    private coordinates. Shape (B,)."""
    k = Q.shape[1]
    A = ns.diag(ns.asarray([x] * s + [0] * (k - s - (r - s)) + [y] * (r - s)))
    QA = ns.concat([ns.matmul(Q, A), ns.zeros((Q.shape[0], k, 1))], axis=2)
    W = ns.matmul(QA, ns.matrix_transpose(M) if inverse else M)
    return inverse_square_losses(ns, gram(ns, ns.matmul(W, M)), s, r - s, T)[:, T - 1]


def mixed_loss(ns, H, w, v_S, v_R, s, r, T, rate):
    """sum_t w_t E exp(-rate z^T H z) with variances v_S on S and v_R on P_t. H (B, n, n), the others (B, T). Shape
    (B,)."""
    total = 0 * w[:, 0]
    for t in range(T):
        at = ns.indices(task_coordinates(s, r - s, t))
        block = ns.take(ns.take(H, at, axis=1), at, axis=2)
        variances = ns.concat(
            [ns.repeat(v[:, t : t + 1], n, axis=1) for v, n in ((v_S, s), (v_R, r - s))], axis=1
        )
        scaled = ns.eye(r) + 2 * rate * variances[:, :, None] * block
        total = total + w[:, t] / ns.sqrt(ns.det(scaled))
    return total


def averaged(ns, H, s, r, T):
    """The mean of H over signs and over permutations inside S and inside each P_t, 0 on U. Shape (B, n, n)."""
    diagonal = ns.diagonal(H)
    cuts = [0, *(s + t * (r - s) for t in range(T + 1))]
    means = [
        ns.repeat(ns.mean(diagonal[:, a:b], axis=1)[:, None], b - a, axis=1)
        for a, b in itertools.pairwise(cuts)
    ]
    return ns.diag(ns.concat([*means, 0 * diagonal[:, cuts[-1] :]], axis=1))


def average_itself(ns, H, s, r, T):
    return averaged(ns, H, s, r, T)


def average_over_moves(ns, H, s, r, T):
    """The mean of H over all signs and over turns inside S and inside each P_t, move by move, without U. A turn takes
    each coordinate of a block to each other one equally often. Shape (B, n, n)."""
    n = H.shape[1]
    blocks = [[*range(s)], *(task_coordinates(s, r - s, t)[s:] for t in range(T))]
    place = {i: (block, block.index(i)) for block in blocks for i in block}
    turns = s * (r - s)
    eye, rows = ns.eye(n), []
    for i in range(n):
        found = 0 * H[:, 0, 0]
        for turn in range(turns if i in place else 0):
            block, at = place[i]
            j = block[(at + turn) % len(block)]
            found = found + H[:, j, j] / turns
        rows.append(found[:, None] * eye[i])
    return ns.stack(rows, axis=1)


def average_over_u_as_well(ns, H, s, r, T):
    """With U left as it is."""
    spare = ns.one_hot(ns.indices([H.shape[1] - 1]), H.shape[1])[0]
    return average_over_moves(ns, H, s, r, T) + H * ns.diag(spare)


def gain_of_averaging(ns, H, w, v_S, v_R, s, r, T, rate):
    """The loss of H less that of its average. Shape (B,)."""
    mean_H = averaged(ns, H, s, r, T)
    return mixed_loss(ns, H, w, v_S, v_R, s, r, T, rate) - mixed_loss(
        ns, mean_H, w, v_S, v_R, s, r, T, rate
    )


def by_coordinates(ns, H, w, v_S, v_R, s, r, T, rate, turn=0):
    """sum_t w_t of the product of one factor a coordinate, for H diagonal: S first, then the blocks of the tasks one
    after the other (``turn``: each task with another one's). Shape (B,)."""
    weights, private = ns.diagonal(H), r - s
    total = 0 * w[:, 0]
    for t in range(T):
        first = s + (t + turn) % T * private
        product = 1 + 0 * w[:, 0]
        for j in range(s):
            product = product * (1 + 2 * rate * v_S[:, t] * weights[:, j])
        for j in range(first, first + private):
            product = product * (1 + 2 * rate * v_R[:, t] * weights[:, j])
        total = total + w[:, t] / ns.sqrt(product)
    return total


def without_task_weights(ns, H, w, v_S, v_R, s, r, T, rate):
    return by_coordinates(ns, H, 1 + 0 * w, v_S, v_R, s, r, T, rate)


def of_even_tasks(ns, H, w, v_S, v_R, s, r, T, rate):
    return by_coordinates(ns, H, 0 * w + ns.rational(1, T), v_S, v_R, s, r, T, rate)


def of_exchanged_variances(ns, H, w, v_S, v_R, s, r, T, rate):
    return by_coordinates(ns, H, w, v_R, v_S, s, r, T, rate)


def of_next_task(ns, H, w, v_S, v_R, s, r, T, rate):
    return by_coordinates(ns, H, w, v_S, v_R, s, r, T, rate, turn=1)


def gap_to_diagonal(ns, H, w, v_S, v_R, s, r, T, rate):
    """The loss of H less that of its diagonal. Shape (B,)."""
    own = ns.diag(ns.diagonal(H))
    return mixed_loss(ns, H, w, v_S, v_R, s, r, T, rate) - mixed_loss(
        ns, own, w, v_S, v_R, s, r, T, rate
    )


def gap_from_diagonal(ns, H, w, v_S, v_R, s, r, T, rate):
    return -gap_to_diagonal(ns, H, w, v_S, v_R, s, r, T, rate)


def loss_of_averaging(ns, H, w, v_S, v_R, s, r, T, rate):
    return -gain_of_averaging(ns, H, w, v_S, v_R, s, r, T, rate)


def weights_and_matrix(rng, s, r, T):
    """H = Q diag(e) Q^T with 0 <= e <= 1, one coordinate of U last; weights and variances of the tasks."""
    n = s + T * (r - s) + 1
    Q = rational_rows(rng.orthogonal_rational(n))
    e = [Fraction(int(rng.integers(0, 9)), 8) for _ in range(n)]
    w = [int(rng.integers(1, 8)) for _ in range(T)]
    return {
        "H": [
            [sum(Q[a][k] * e[k] * Q[b][k] for k in range(n)) for b in range(n)] for a in range(n)
        ],
        "w": [Fraction(x, sum(w)) for x in w],
        "v_S": [Fraction(int(rng.integers(1, 9)), 4) for _ in range(T)],
        "v_R": [Fraction(int(rng.integers(1, 9)), 4) for _ in range(T)],
    }


def diagonal_matrix(rng, s, r, T):
    """The same with H diagonal: weights of single coordinates."""
    drawn = weights_and_matrix(rng, s, r, T)
    n = len(drawn["H"])
    e = [Fraction(int(rng.integers(0, 9)), 8) for _ in range(n - 1)] + [0]
    return {**drawn, "H": [[e[i] if i == j else 0 for j in range(n)] for i in range(n)]}


FIELDS = "H w v_S v_R"


def turned_features(ns, Q, M, s, r, T, x, y):
    """With [AQ, 0] M^{-1}."""
    k = Q.shape[1]
    A = ns.diag(ns.asarray([x] * s + [0] * (k - s - (r - s)) + [y] * (r - s)))
    AQ = ns.concat([ns.matmul(A, Q), ns.zeros((Q.shape[0], k, 1))], axis=2)
    return inverse_square_losses(ns, gram(ns, AQ), s, r - s, T)[:, T - 1]


def without_inverse(ns, Q, M, s, r, T, x, y):
    """With [QA, 0] M for [QA, 0] M^{-1}."""
    return of_printed_form(ns, Q, M, s, r, T, x, y, inverse=False)


COORDINATES = leg(
    "coordinate by coordinate",
    mixed_loss,
    relation=equals(),
    required=False,
    reference=by_coordinates,
    lhs=r"\mathrm{loss}(\operatorname{diag}h)",
    tex=r"\sum_tw_t\prod_{j\in S}(1+2c\sigma_{S,t}^2h_j)^{-1/2}\prod_{j\in P_t}(1+2c\sigma_{R,t}^2h_j)^{-1/2}",
    instances=instances(diagonal_matrix, FIELDS, smoke=2),
)
COORDINATE_RIVALS = [
    variant(
        name,
        reference=reference,
        leg=COORDINATES.name,
        at={s: [2], r: [4], T: [2], rate: [1]},
    )
    for name, reference in (
        ("every task counts 1", without_task_weights),
        ("every task counts 1/T", of_even_tasks),
        ("variances exchanged", of_exchanged_variances),
        ("features of the next task", of_next_task),
    )
]
AVERAGED = formula_leg(
    "averaging two weights",
    typed(
        "2*Max(0, c - (a + b)/2*(u + v)) <= Max(0, c - a*u - b*v) + Max(0, c - b*u - a*v)",
        over=["c in R", "a in [0, 1]", "b in [0, 1]", "u in [0, oo)", "v in [0, oo)"],
    ),
)
SIGNS = formula_leg(
    "averaging signs",
    typed(
        "2*Max(0, c - a) <= Max(0, c - a - h) + Max(0, c - a + h)",
        over=["c in R", "a in R", "h in R"],
    ),
)

reduction = claim(
    "contrastive-reduction",
    lhs=r"\det(I+2H_{R_t,R_t})",
    tex=r"(1+2\alpha)^s(1+2\alpha_t)^{r-s}",
    states="contrastive-general-weights",
    title="The full problem has the programme's value",
    says=r"$[QA, 0]\, M^{-1}$ has the loss of the programme, whatever $Q$ and $M$; averaging over "
    "signs and permutations inside the blocks lowers every hinge loss.",
    encodes="special-case",
    covers="reduction",
    reads={"alpha": "x", "alpha_t": "y", "sigma": "v_S v_R", "ell": "rate"},
    domain={
        s: integers(1),
        r: integers(2),
        T: integers(1),
        x: reals(0, 1),
        y: reals(0, 1),
        rate: reals(0, low_open=True),
    },
    where=sp.Lt(s, r),
    grid={
        "smoke": [
            {s: 1, r: 2, T: 2, x: 1, y: Fraction(1, 2), rate: 1},
            {s: 2, r: 3, T: 1, x: Fraction(1, 3), y: 1, rate: Fraction(1, 4)},
        ],
        "standard": [
            {s: a, r: a + b, T: t, x: 1, y: Fraction(1, 3), rate: 2}
            for a in (1, 2)
            for b in (1, 2)
            for t in (1, 3)
        ],
    },
    closed_form=(1 + 2 * x**2) ** s * (1 + 2 * y**2) ** (r - s),
    legs=[
        leg(
            "determinants",
            of_printed_form,
            arithmetic="rational",
            instances=instances(orthonormal, "Q M", smoke=2, standard=4),
        ),
        leg(
            "averaging",
            gain_of_averaging,
            relation=at_least(),
            closed_form=0 * s,
            unit=1,
            lhs=r"\mathrm{loss}(H)-\mathrm{loss}(\bar H)",
            tex="0",
            instances=instances(weights_and_matrix, FIELDS, smoke=2, standard=4),
        ),
        leg(
            "the diagonal does better",
            gap_to_diagonal,
            relation=at_least(),
            closed_form=0 * s,
            unit=1,
            required=False,
            lhs=r"\mathrm{loss}(H)-\mathrm{loss}(\operatorname{diag}H)",
            tex="0",
            instances=instances(weights_and_matrix, FIELDS, smoke=8),
        ),
        leg(
            "the average",
            average_itself,
            arithmetic="rational",
            reference=average_over_moves,
            required=False,
            lhs=r"\bar H",
            tex=r"\operatorname{mean}",
            instances=instances(weights_and_matrix, FIELDS, smoke=2),
        ),
        AVERAGED,
        SIGNS,
    ],
    rivals=[
        variant(
            "weights, not their squares", closed_form=(1 + 2 * x) ** s * (1 + 2 * y) ** (r - s)
        ),
        variant("fourth powers", closed_form=(1 + 2 * x**4) ** s * (1 + 2 * y**4) ** (r - s)),
        variant("averaging raises the loss", simulation=loss_of_averaging, leg="averaging"),
        variant(
            "the diagonal does worse", simulation=gap_from_diagonal, leg="the diagonal does better"
        ),
        variant("U is left", reference=average_over_u_as_well, leg="the average"),
        variant("M for its inverse", simulation=without_inverse, leg="determinants"),
        variant("Q on the other side", simulation=turned_features, leg="determinants"),
        *reaching(AVERAGED, "c > 100 and a == 1 and u > 100", "b == 0 and v > 100"),
        *reaching(SIGNS, "c > 100 and a < -100 and h > 100"),
        *rivals_of(
            AVERAGED, {"by half": "2*Max(0, c - (a + b)/2*(u + v)) <= Max(0, c - a*u - b*v)"}
        ),
        *rivals_of(SIGNS, {"one sign is enough": "2*Max(0, c - a) <= Max(0, c - a - h)"}),
    ],
)


EXCHANGE = formula_leg(
    "averaging two squares",
    typed(
        "2*Max(0, c - (a + b)/2*(u + v)) <= Max(0, c - a*u - b*v) + Max(0, c - b*u - a*v)",
        over=["c in R", "a in [0, 1]", "b in [0, 1]", "u in [0, oo)", "v in [0, oo)"],
    ),
)

constant = claim(
    "contrastive-claim-f4",
    states="contrastive-general-weights",
    title="One weight a block",
    says="Of u, v exchangeable the mean of both orders of the weights a, b loses at least as much as their average.",
    covers="claim-f4",
    lhs=r"\mathrm{loss}(H)-\mathrm{loss}(\bar H)",
    relation=at_least(),
    domain={s: integers(1), r: integers(2), T: integers(1), rate: reals(0, low_open=True)},
    where=sp.Lt(s, r),
    grid={
        "smoke": [{s: 2, r: 4, T: 2, rate: 1}, {s: 1, r: 3, T: 3, rate: Fraction(1, 4)}],
        "standard": [
            {s: a, r: a + b, T: t, rate: 2} for a in (1, 3) for b in (1, 2) for t in (1, 3)
        ],
    },
    closed_form=0 * s,
    legs=[
        leg(
            "drawn weights",
            gain_of_averaging,
            unit=1,
            required=False,
            gives="minimiser",
            chosen_by=averaged,
            instances=instances(diagonal_matrix, FIELDS, smoke=3, standard=6),
        ),
        COORDINATES,
        EXCHANGE,
    ],
    rivals=[
        variant("by 1", closed_form=1 + 0 * s, leg="drawn weights"),
        *COORDINATE_RIVALS,
        *reaching(EXCHANGE, "c > 100 and a == 1 and u > 100", "b == 0 and v > 100"),
        variant("averaging raises the loss", simulation=loss_of_averaging, leg="drawn weights"),
        *rivals_of(
            EXCHANGE,
            {
                "strictly": "2*Max(0, c - (a + b)/2*(u + v)) < Max(0, c - a*u - b*v) + Max(0, c - b*u - a*v)",
                "one order is enough": "Max(0, c - (a + b)/2*(u + v)) <= Max(0, c - a*u - b*v)",
            },
        ),
    ],
)
