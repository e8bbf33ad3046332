r"""Appendix A.7.3: two steps on labels of random hidden vectors.

Protocol. phit_A is uniform on 2 N random binary vectors of length k, N of each label; the other patterns are uniform.
The printed schedule on n examples, as in Table A.1 (rates are not given for this experiment): d = 500, D = 250, k =
50, N = 50 as printed, n = 50,000, m = 300 of Section A.7.1; of the 300 neurons the first sixteen are computed, which
move as they do beside the others. Smaller sizes first.

Statements. (1) Clusters: the mean absolute cosine between two neurons is 0.9 or more after two steps and 0.2 or less
at the start. The source shows a picture and names no measure; the levels are ours. With labels drawn at random it is
as large: all neurons see one sample mean of y x. Clusters alone tell nothing of the label; the direction does. (2)
Every neuron has cosine 0.95 or more (in absolute value) with E[yx], proportional to sum_A gamma_j M_j for the
codebook's gamma_j, and 0.5 or less with sum_A M_j and with the E[yx] of another codebook (derived).

Reference: lines 4070-4082.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import at_least, choices, claim, leg, probability, variant

from ._schedule import Sample, after_one, after_two, drawn

d, D, k, N, n = sp.symbols("d D k N n", integer=True, positive=True)
m, FIRST = 300, 16


def codebook(rng, size, k, N):
    """2 N vectors of signs, the first N of label 1. Shape (size, 2 N, k)."""
    return rng.signs((size, 2 * N, k))


def examples(ns, rng, book, D, n, noise=False):
    """n examples; with ``noise`` labels that are independent of the vectors."""
    size, both, k = book.shape
    chosen = rng.integers(0, both, (size, n))
    relevant = ns.stack([ns.take(book[i, :, :], chosen[i, :], axis=0) for i in range(size)])
    y = 2 * ns.number(chosen < both // 2) - 1
    if noise:
        y = rng.signs((size, n))
    z = ns.concat([relevant, rng.signs((size, n, D - k))], axis=2)
    return Sample(z / ns.sqrt(ns.asarray(D)), y)


def two_steps(ns, rng, size, d, D, k, N, n, noise=False, book=None):
    """The codebook, the neurons at the start, and they and their copies after two steps."""
    book = codebook(rng, size, k, N) if book is None else book
    data = examples(ns, rng, book, D, n, noise)
    net = drawn(ns, rng, size, d, D, k, FIRST)
    return book, net, after_two(ns, after_one(ns, net, data, k, m), data, k)


def unit_weights(ns, net):
    """Directions of the first sixteen neurons in R^d. Shape (S, 16, d)."""
    w = ns.concat([net.weights, net.off], axis=2)[:, :FIRST, :]
    return w / ns.norm(w, axis=2)[:, :, None]


def likeness(ns, net, signed=False):
    """Mean absolute cosine between two of sixteen neurons. Shape (S,)."""
    u = unit_weights(ns, net)
    c = ns.matmul(u, ns.matrix_transpose(u))
    c = c if signed else ns.abs(c)
    return (ns.sum(c, axis=(1, 2)) - FIRST) / (FIRST * (FIRST - 1))


def clustered(ns, rng, size, d, D, k, N, n, trains=True, signed=False):
    _, start, end = two_steps(ns, rng, size, d, D, k, N, n)
    begin, after = likeness(ns, start), likeness(ns, end if trains else start, signed)
    return ns.number((after >= ns.rational(9, 10)) & (begin <= ns.rational(1, 5)))


def label_direction(ns, book, N):
    """That of E[yx] on the relevant patterns. Shape (size, k)."""
    gap = ns.mean(book[:, :N, :], axis=1) - ns.mean(book[:, N:, :], axis=1)
    return gap / ns.norm(gap, axis=1)[:, None]


def pointed(ns, rng, size, d, D, k, N, n, equal=False, noise=False, shared=False):
    """1 where all sixteen point along E[yx], and none along sum_A M_j or along the E[yx] of another codebook;
    ``equal``: the first two exchanged; ``shared``: one codebook for all seeds."""
    books = codebook(rng, 1 if shared else 2 * size, k, N)
    if shared:
        books = ns.broadcast_to(books, (2 * size, *books.shape[1:]))
    book, other = books[:size, :, :], books[size:, :, :]
    _, _, end = two_steps(ns, rng, size, d, D, k, N, n, noise, book)
    mean = label_direction(ns, book, N)
    sides = (mean, (1 + 0 * mean) / ns.sqrt(ns.asarray(k)), label_direction(ns, other, N))
    u = unit_weights(ns, end)[:, :, :k]
    mean, total, foreign = (ns.abs(ns.sum(u * side[:, None, :], axis=2)) for side in sides)
    if equal:
        mean, total = total, mean
    half = ns.rational(1, 2)
    good = (mean >= ns.rational(95, 100)) & (total <= half) & (foreign <= half)
    return ns.number(ns.all(good, axis=1))


def cell(d_, D_, k_, N_, n_):
    return {d: d_, D: D_, k: k_, N: N_, n: n_}


SMALL, MIDDLE = cell(120, 60, 30, 20, 4_000), cell(240, 120, 50, 50, 12_000)
SOURCE = cell(500, 250, 50, 50, 50_000)
SIZES = {
    "domain": {
        d: choices(120, 240, 500),
        D: choices(60, 120, 250),
        k: choices(30, 50),
        N: choices(20, 50),
        n: choices(4_000, 12_000, 50_000),
    },
    "where": sp.Or(
        *[sp.And(*[sp.Eq(s, v) for s, v in p.items()]) for p in (SMALL, MIDDLE, SOURCE)]
    ),
    "grid": {"smoke": [SMALL], "standard": [MIDDLE], "deep": [SOURCE]},
    "closed_form": sp.Rational(1, 2),
    "relation": at_least(),
}


def sampled(simulation):
    return leg(
        "seeds",
        simulation,
        statistic=probability(),
        block=4,
        budget={"smoke": 24, "standard": 24},
        draws=DRAWS[simulation],
    )


DRAWS = {clustered: "seeds", pointed: "codebook"}

clusters = claim(
    "structured-sim-hidden-clusters",
    lhs=r"\Pr[\text{mean }|\cos(w_i,w_{i'})|\ge\tfrac9{10}]",
    tex=r"\tfrac12",
    states="structured-sim-hidden",
    title="Weights form clusters after two steps on hidden vectors",
    says="In more than half of the seeds the mean absolute cosine between two neurons is at most 0.2 at the start and "
    "0.9 "
    "or more after two steps.",
    covers="clusters",
    legs=[sampled(clustered)],
    rivals=[
        variant("no step", call=clustered, trains=False, at=[SMALL]),
        variant("cosines with their signs", call=clustered, signed=True, at=[SMALL]),
    ],
    **SIZES,
)

direction = claim(
    "structured-sim-hidden-direction",
    lhs=r"\Pr[\text{all }w_i\text{ along }\mathbb E[yx]]",
    tex=r"\tfrac12",
    states="structured-sim-hidden",
    title="The common direction of two steps on hidden vectors",
    says=r"For more than half of the codebooks every neuron after two steps has cosine 0.95 or more with "
    r"$\mathbb E[yx]\propto\sum_A\gamma_jM_j$ and 0.5 or less with $\sum_AM_j$ and with the direction of another "
    r"codebook, in absolute value.",
    covers="direction",
    legs=[sampled(pointed)],
    rivals=[
        variant("along the sum of the patterns", call=pointed, equal=True, at=[SMALL]),
        variant("labels at random", call=pointed, noise=True, at=[SMALL]),
        variant("one codebook for all seeds", call=pointed, shared=True, at=[SMALL]),
    ],
    **SIZES,
)
