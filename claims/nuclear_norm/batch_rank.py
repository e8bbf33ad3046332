"""Remark before (6.5): the rank of a batch of features counts the nonzero weights.

Setting. Z has n >= d rows drawn from a law with a density; Phi(X) = Z diag(w).

Statement. With probability 1 the rank of Z is d, and that of Z diag(w) is the number of nonzero w_j, whatever
their size or sign. Here by Gram and Schmidt's process in exact rationals, on entries drawn from two million
values.

Reference: lines 1793-1795.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, hypothesis, instances, integers, leg, variant

n, d = sp.symbols("n d", integer=True, positive=True)
support = sp.Symbol("support", integer=True)

WEIGHTS = (0, 1, -3, Fraction(1, 10**20), Fraction(5, 7), 0)


def draw(rng, n, d):
    """Z (n, d) of independent entries in [-1, 1], none 0; w with zeros, negative and tiny entries, and its count."""
    w = [WEIGHTS[int(rng.integers(0, len(WEIGHTS)))] for _ in range(d)]
    Z = [
        [Fraction(int(rng.integers(1, 10**6 + 1)) * int(rng.signs()), 10**6) for _ in range(d)]
        for _ in range(n)
    ]
    return {"Z": Z, "w": w, "support": sum(x != 0 for x in w)}


def tiny(rng, n, d):
    """The same with w_j = +-10^-20."""
    w = [Fraction(int(rng.signs()), 10**20) for _ in range(d)]
    return {**draw(rng, n, d), "w": w, "support": d}


def rank(ns, M, least=0):
    """Number of columns that the columns before them do not span: what is left has a square above ``least``. M (B, n,
    d), shape (B,)."""
    found, basis = 0 * M[:, 0, 0], []
    for j in range(M.shape[2]):
        rest = M[:, :, j]
        for column, size in basis:
            share = ns.sum(column * rest, axis=1) / size
            rest = rest - ns.expand_dims(share, axis=1) * column
        size = ns.sum(rest * rest, axis=1)
        new = ns.number(size > least)
        found = found + new
        basis.append((rest, size + 1 - new))
    return found


def rank_of_features(ns, Z, w):
    """Rank of Z diag(w). Shape (B,)."""
    return rank(ns, Z * ns.expand_dims(w, axis=1))


def rank_of_positive(ns, Z, w):
    """With 0 for negative weights."""
    return rank_of_features(ns, Z, (w + ns.abs(w)) / 2)


def rank_by_tolerance(ns, Z, w):
    """With columns below 10^-15 for 0."""
    return rank(ns, Z * ns.expand_dims(w, axis=1), least=ns.rational(1, 10**30))


def rank_of_batch(ns, Z):
    return rank(ns, Z)


def repeated_rows(rng, n, d):
    """A law without a density: every row is the same."""
    drawn = draw(rng, n, d)
    return {**drawn, "Z": [drawn["Z"][0]] * n}


def on_the_diagonal(rng, n, d):
    """Features of which each example has one: no law with a density."""
    drawn = draw(rng, n, d)
    rows = enumerate(drawn["Z"])
    return {**drawn, "Z": [[x * (i == j) for j, x in enumerate(row)] for i, row in rows]}


def entries(ns, Z):
    """How many entries are not 0. Shape (B,)."""
    return ns.sum(ns.abs(ns.sign(Z)), axis=(1, 2))


DRAWN = instances(draw, "Z w support", smoke=8, standard=40)
SIZES = {
    "domain": {d: integers(1), n: integers(1)},
    "where": sp.Ge(n, d),
    "grid": {
        "smoke": [{d: 1, n: 1}, {d: 3, n: 3}, {d: 4, n: 6}],
        "standard": [{d: k, n: m} for k in range(1, 6) for m in range(k, k + 3)],
    },
}

DENSE = leg(
    "entries",
    entries,
    arithmetic="rational",
    closed_form=n * d,
    required=False,
    instances=instances(draw, "Z w support", smoke=2),
    lhs=r"\#\{(i,j):Z_{ij}\ne0\}",
    tex="nd",
)
SPARSE = variant(
    "one entry a row",
    leg=DENSE.name,
    instances=instances(on_the_diagonal, "Z w support", smoke=2),
    at=[{d: 3, n: 3}],
)

full_rank = claim(
    "nuclear-batch-full-rank",
    lhs=r"\operatorname{rank}Z",
    states="nuclear-rank-is-l0",
    title="A batch has full column rank",
    says=r"With $n \ge d$ rows of a law with a density the rank of $Z$ is $d$.",
    covers="full-rank",
    closed_form=d,
    assumes=[hypothesis("n >= d", without=[{d: 3, n: 2}])],
    legs=[leg("elimination", rank_of_batch, arithmetic="rational", instances=DRAWN), DENSE],
    rivals=[
        SPARSE,
        variant("n", closed_form=n, leg="elimination"),
        variant(
            "equal rows",
            instances=instances(repeated_rows, "Z w support", smoke=2),
            leg="elimination",
        ),
    ],
    **SIZES,
)

counts_weights = claim(
    "nuclear-rank-counts-weights",
    lhs=r"\operatorname{rank}\big(Z\operatorname{diag}(w)\big)",
    tex=r"\#\{j:w_j\ne0\}",
    states="nuclear-rank-is-l0",
    title="The rank counts the nonzero weights",
    says=r"The rank of $Z \operatorname{diag}(w)$ is the number of nonzero $w_j$.",
    covers="rank-equals-l0",
    closed_form=support,
    assumes=[hypothesis("n >= d", without=[{d: 4, n: 1}])],
    legs=[
        leg("elimination", rank_of_features, arithmetic="rational", instances=DRAWN),
        leg(
            "tiny weights",
            rank_of_features,
            arithmetic="rational",
            closed_form=d,
            required=False,
            instances=instances(tiny, "Z w support", smoke=2),
            tex="d",
            lhs=r"\operatorname{rank}\big(Z\operatorname{diag}(w)\big)",
        ),
        DENSE,
    ],
    rivals=[
        SPARSE,
        variant("by a tolerance", simulation=rank_by_tolerance, leg="tiny weights"),
        variant("positive weights alone", simulation=rank_of_positive, leg="elimination"),
        variant("min(n, d) whatever w", closed_form=d, leg="elimination"),
        variant(
            "one of them does not count", closed_form=sp.Max(support - 1, 0), leg="elimination"
        ),
    ],
    **SIZES,
)
