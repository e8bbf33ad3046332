"""Section F.1.1, last paragraph: random labels of z_R.

Setting. N values of z_R, labels y: {1..N} -> {-1, 1}, codes phi_a in R^k, predictors sign(u^T phi).

Statements. (1) For a fixed pair (phi, u) the error is 1/2 on average over all labellings. (2) Printed: hence some
labelling admits no error below 1/2. The quantifiers are exchanged, and it is false where the predictor is fitted
after the labelling: on the simplex of N = 4 in R^3, optimal there for the uniform law, every labelling but the
two constant ones is realised, and those have error 1/4; on the square in the plane two labellings have error 1/2.
(3) At most 2 sum_{i<k} binom(N - 1, i) labellings of N codes in R^k are realised (Cover): so it is right where N is
much larger than k. Adding a code splits the cells that its hyperplane meets, which are the cells of the other
codes, projected along it to R^{k-1}.

Reference: section F.1.1, line 9551.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    choices,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    matrices,
    reaching,
    rivals_of,
    simplex,
    typed,
    variant,
    vectors,
)

N, k = sp.symbols("N k", integer=True, positive=True)
dimension = sp.Symbol("dimension", integer=True, positive=True)


# ---- a fixed predictor


def scores_and_law(rng, N):
    """Scores u^T phi_a without zeros and an uneven law."""
    parts = [int(rng.integers(1, 9)) for _ in range(N)]
    return {
        "score": [int(rng.integers(1, 6) * rng.signs()) for _ in range(N)],
        "p": [Fraction(n, sum(parts)) for n in parts],
    }


def no_zero(score):
    return all(score)


SCORED = {"score": vectors(N, nonzero=True), "p": simplex(N, positive=True)}


def mean_error(ns, score, p, N):
    """Error of sign(score), averaged over all 2^N labellings. Shape (B,)."""
    right = ns.sign(score)
    errors = []
    for labels in itertools.product((1, -1), repeat=N):
        wrong = (1 - right * ns.asarray(list(labels))) / 2
        errors.append(ns.sum(p * wrong, axis=1))
    return ns.mean(ns.stack(errors, axis=0), axis=0)


def better_of_both(ns, score, p, N):
    """The least error of sign(score) and its opposite, chosen after the labels, averaged over all. Shape (B,)."""
    right = ns.sign(score)
    errors = []
    for labels in itertools.product((1, -1), repeat=N):
        wrong = (1 - right * ns.asarray(list(labels))) / 2
        error = ns.sum(p * wrong, axis=1)
        errors.append(ns.minimum(error, 1 - error))
    return ns.mean(ns.stack(errors, axis=0), axis=0)


def balanced_labels(ns, score, p, N):
    """The same over the labellings with y_1 = 1."""
    right = ns.sign(score)
    errors = []
    for labels in itertools.product((1, -1), repeat=N - 1):
        wrong = (1 - right * ns.asarray([1, *labels])) / 2
        errors.append(ns.sum(p * wrong, axis=1))
    return ns.mean(ns.stack(errors, axis=0), axis=0)


def stated_balanced(ns, score, p, N, guessed=None):
    """Half of the mass but for the first value, which is wrong if its score is negative. Shape (B,)."""
    right = ns.sign(score[:, 0]) if guessed is None else guessed
    return (1 - p[:, 0] * right) / 2


def first_right(ns, score, p, N):
    return stated_balanced(ns, score, p, N, guessed=1)


def first_wrong(ns, score, p, N):
    return stated_balanced(ns, score, p, N, guessed=-1)


def with_one_value(rng, N):
    """The same, and the mass of one value, ``own``, with its number."""
    drawn = scores_and_law(rng, N)
    at = int(rng.integers(0, N))
    return {**drawn, "at": at, "own": drawn["p"][at]}


def share_of_value(score, p, at, own, N, weight=2):
    """What one value adds to the error, averaged over all 2^N labellings. Shape ()."""
    labellings = itertools.product((1, -1), repeat=N)
    return (
        sum(p[at] * (labels[at] * score[at] < 0) for labels in labellings) / Fraction(weight) ** N
    )


def share_of_first(score, p, at, own, N):
    """Over the labellings with y_1 = 1, of the first value."""
    labellings = itertools.product((1, -1), repeat=N - 1)
    return sum(p[0] * (score[0] < 0) for _ in labellings) / Fraction(2) ** (N - 1)


own = sp.Symbol("own", positive=True)
HALF = own / 2
ONE_ATOM = formula_leg(
    "one value",
    typed(
        f"own*((1 - sign(t))/2 + (1 + sign(t))/2)/2 == {HALF}",
        over=["own in [0, 1]", "t in R", "N in 1..oo"],
    ),
    over="phi u y",
)

fixed = claim(
    "contrastive-random-fixed",
    lhs=r"\mathbb E_y[\mathrm{err}(u)]",
    states="contrastive-random-label",
    title="A fixed predictor on random labels",
    says=r"Over all labellings the error of $\mathrm{sign}(u^\top \phi)$ is 1/2 on average: each "
    "value contributes half of its mass.",
    covers="fixed-half",
    domain={N: integers(1)},
    grid={"smoke": {N: [1, 3, 5]}, "standard": {N: [1, 2, 4, 6, 8]}},
    closed_form=sp.Rational(1, 2) + 0 * N,
    relation=equals(),
    legs=[
        leg(
            "all labellings",
            mean_error,
            arithmetic="rational",
            instances=instances(scores_and_law, SCORED, where=no_zero, smoke=3, standard=8),
            required=False,
        ),
        leg(
            "one value of them",
            share_of_value,
            closed_form=HALF,
            required=False,
            lhs=r"\mathbb E_y[p_a1_{y_a\ne\operatorname{sign}(u^\top\phi_a)}]",
            tex=r"\frac{p_a}2",
            instances=instances(with_one_value, "score p at own", smoke=3, standard=8),
        ),
        leg(
            "labellings with y_1 = 1",
            balanced_labels,
            arithmetic="rational",
            reference=stated_balanced,
            required=False,
            lhs=r"\mathbb E_{y:\,y_1=1}[\mathrm{err}(u)]",
            tex=r"\tfrac12(1-p_1\operatorname{sign}(u^\top\phi_1))",
            grid={"smoke": {N: [2]}},
            where=sp.Le(N, 8),
            instances=instances(scores_and_law, SCORED, where=no_zero, smoke=40),
        ),
        ONE_ATOM,
    ],
    rivals=[
        variant("1/4", closed_form=sp.Rational(1, 4) + 0 * N, leg="all labellings"),
        variant("wrong on every value", closed_form=1 + 0 * N, leg="all labellings"),
        variant("y_1 = 1", simulation=balanced_labels, leg="all labellings"),
        variant("u or -u, after the labels", simulation=better_of_both, leg="all labellings"),
        variant("right on the first", reference=first_right, leg="labellings with y_1 = 1"),
        variant("wrong on the first", reference=first_wrong, leg="labellings with y_1 = 1"),
        *rivals_of(ONE_ATOM, {"all of it": "own*((1 - sign(t))/2 + (1 + sign(t))/2)/2 == own"}),
        variant("equally likely", closed_form=1 / (2 * N), leg="one value of them"),
        variant("all of the mass, run", closed_form=own, leg="one value of them"),
        variant("y_1 = 1, of the first value", simulation=share_of_first, leg="one value of them"),
    ],
)


# ---- predictors fitted after the labelling

CODES = {
    2: ((-1, 0), (1, 0), (0, -1), (0, 1)),
    3: ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)),
}
"""Four values at the corners of a square in the plane, of a simplex in space."""


def realised(points, bias=False):
    """Sign patterns of u^T phi_a (+ b) over u, b in a box of integers, without zeros."""
    found = set()
    rows = [(*point, 1) for point in points] if bias else points
    for u in itertools.product(range(-4, 5), repeat=len(rows[0])):
        scores = [sum(x * y for x, y in zip(u, row, strict=True)) for row in rows]
        if all(scores):
            found.add(tuple(1 if t > 0 else -1 for t in scores))
    return found


def least_errors(dimension, bias=False):
    """Least error of a fitted predictor on every labelling, uniform law."""
    patterns = realised(CODES[dimension], bias)
    return [
        min(Fraction(sum(a != b for a, b in zip(y, t, strict=True)), len(y)) for t in patterns)
        for y in itertools.product((1, -1), repeat=len(CODES[dimension]))
    ]


def hardest(dimension):
    """The largest over all labellings of the least error. Shape ()."""
    return max(least_errors(dimension))


def hardest_with_bias(dimension):
    return max(least_errors(dimension, bias=True))


def spread_and_sum(dimension):
    """Largest less least squared length of the codes, and the squared length of their sum. Shape (2,)."""
    codes = CODES[dimension]
    lengths = [sum(x * x for x in code) for code in codes]
    return [
        max(lengths) - min(lengths),
        sum(sum(column) ** 2 for column in zip(*codes, strict=True)),
    ]


def without_one_code(dimension):
    """Of three of them, which do not add up to 0."""
    codes = CODES[dimension][1:]
    lengths = [sum(x * x for x in code) for code in codes]
    return [
        max(lengths) - min(lengths),
        sum(sum(column) ** 2 for column in zip(*codes, strict=True)),
    ]


def count_realised(dimension):
    """How many labellings are realised. Shape ()."""
    return len(realised(CODES[dimension]))


def count_with_bias(dimension):
    return len(realised(CODES[dimension], bias=True))


printed = claim(
    "contrastive-hard-labelling",
    lhs=r"\max_y\min_u\mathrm{err}(y,u)",
    states="contrastive-random-label",
    title="A labelling without error below 1/2, whatever the optimal code",
    says="On the optimal simplex code some labelling has least error 1/2.",
    expect="fail",
    covers="hard-labelling",
    reads={"phi_star": "dimension"},
    domain={dimension: choices(3)},
    grid={"smoke": {dimension: [3]}},
    closed_form=sp.Rational(1, 2),
    legs=[leg("all labellings", hardest, inside="y u")],
)

corrected = claim(
    "contrastive-hard-labelling-corrected",
    lhs=r"\max_y\min_u\mathrm{err}(y,u)",
    states="contrastive-random-label",
    title="The hardest labelling depends on the code",
    says="The hardest labelling of four values has least error 1/2 on the square and 1/4 on the simplex.",
    role="corrected",
    corrects="contrastive-hard-labelling",
    domain={dimension: choices(2, 3)},
    grid={"smoke": {dimension: [2, 3]}},
    closed_form=sp.Piecewise((sp.Rational(1, 2), sp.Eq(dimension, 2)), (sp.Rational(1, 4), True)),
    legs=[
        leg("all labellings", hardest),
        leg(
            "codes of one length and of sum 0",
            spread_and_sum,
            closed_form=sp.Matrix([0, 0]),
            lhs=r"(\max|v_a|^2-\min|v_a|^2,\ |\sum_av_a|^2)",
            tex="(0, 0)",
            unit=1,
        ),
    ],
    rivals=[
        variant("1/2 on both", closed_form=sp.Rational(1, 2), leg="all labellings"),
        variant("1/4 on both", closed_form=sp.Rational(1, 4), leg="all labellings"),
        variant("with a bias", simulation=hardest_with_bias, leg="all labellings"),
        variant(
            "three of the codes",
            simulation=without_one_code,
            leg="codes of one length and of sum 0",
        ),
    ],
)


# ---- how many labellings are realised

i = sp.Symbol("i", integer=True)
COVER = 2 * sp.Sum(sp.binomial(N - 1, i), (i, 0, k - 1))


def cells(rows):
    """Cells of the hyperplanes with these normals: those of all but the last, and as many more as the last one has on
    it. Zero rows are no hyperplanes. Exact."""
    rows = [row for row in rows if any(row)]
    if not rows:
        return 1
    *others, last = rows
    pivot = next(i for i, x in enumerate(last) if x)
    on_it = [
        tuple(
            x - row[pivot] * y / last[pivot]
            for i, (x, y) in enumerate(zip(row, last, strict=True))
            if i != pivot
        )
        for row in others
    ]
    if any(not any(row) for row in on_it):  # parallel to an earlier one
        return cells(others)
    return cells(others) + cells(on_it)


def labellings(codes):
    """Realised labellings of codes (N, k) without zeros among them. Shape ()."""
    rows = [tuple(Fraction(x) for x in row) for row in codes]
    return cells(rows) if all(map(any, rows)) else 0


def some_codes(rng, N, k):
    """Every second time two codes are opposite or equal."""
    codes = [[Fraction(int(rng.integers(-4, 5))) for _ in range(k)] for _ in range(N)]
    if N > 1 and int(rng.integers(0, 2)):
        codes[-1] = [-x for x in codes[0]]
    return {"codes": codes}


def on_curve(rng, N, k):
    """(1, x, .., x^(k-1)) at x = 1 .. N: any k of them are independent."""
    return {"codes": [[Fraction(x) ** j for j in range(k)] for x in range(1, N + 1)]}


def distinct_lines(codes, N):
    """2 labellings for each of the lines through 0 that codes of the plane span, 0 if a code is 0. Shape ()."""
    lines: list = []
    for a, b in codes:
        if not any(a * d == b * c for c, d in lines):
            lines.append((a, b))
    return 2 * len(lines) * all(a or b for a, b in codes)


def in_one_plane(rng, N, k):
    """(1, x, 0, .., 0) at x = 1 .. N: no two of them are on one line, and no three are independent."""
    return {"codes": [[1, x, *[0] * (k - 2)] for x in range(1, N + 1)]}


def twice_as_many(codes, N):
    """As if no two codes were on one line. Shape ()."""
    return 2 * N


def as_of_one_line(codes, N):
    """As if all were. Shape ()."""
    return 2


RECURSION = formula_leg(
    "recursion",
    typed(
        f"2*Sum(binomial(N, i), (i, 0, k - 1)) == {COVER}"
        " + 2*Sum(binomial(N - 1, i), (i, 0, k - 2))",
        over=["N in 1..oo", "k in 1..oo"],
    ),
    over="codes",
)
ONE_CODE = formula_leg(
    "one code", typed("2*Sum(binomial(0, i), (i, 0, k - 1)) == 2", over="k in 1..oo")
)

cover = claim(
    "contrastive-cover-count",
    lhs=r"\#\{\text{realised labellings}\}",
    tex=r"2\sum_{i<k}\binom{N-1}{i}",
    states="contrastive-random-label",
    title="How many labellings are realised",
    says=r"At most $2\sum_{i<k} \binom{N - 1}{i}$ labellings of $N$ codes in $\mathbb{R}^k$ are "
    "realised by a homogeneous predictor, as many where any $k$ codes are independent; that no two are on one line is "
    "not enough.",
    covers="cover-count",
    domain={N: integers(1), k: integers(1)},
    grid={"smoke": {N: [1, 4, 6], k: [1, 2, 3]}, "standard": {N: [1, 2, 4, 6, 8], k: [1, 2, 3, 4]}},
    closed_form=COVER,
    relation=at_most(),
    legs=[
        leg(
            "deletion and restriction",
            labellings,
            instances=instances(some_codes, {"codes": matrices(N, k)}, smoke=4, standard=8),
            required=False,
        ),
        leg(
            "in general position",
            labellings,
            relation=equals(),
            required=False,
            instances=instances(on_curve, "codes", smoke=1),
        ),
        leg(
            "codes of the plane",
            labellings,
            relation=equals(),
            reference=distinct_lines,
            required=False,
            unit=1,
            where=sp.Eq(k, 2),
            grid={"smoke": {N: [3, 5], k: [2]}},
            lhs=r"\#\{\text{realised labellings}\}",
            tex=r"2\,\#\{\text{lines}\}",
            instances=instances(some_codes, "codes", smoke=8, standard=8),
        ),
        leg(
            "in one plane",
            labellings,
            relation=equals(),
            closed_form=2 * N,
            required=False,
            unit=1,
            where=sp.Ge(k, 2),
            grid={"smoke": {N: [4, 6], k: [2, 3, 4]}},
            lhs=r"\#\{\text{realised labellings}\}",
            tex="2N",
            instances=instances(in_one_plane, "codes", smoke=1),
        ),
        RECURSION,
        ONE_CODE,
    ],
    rivals=[
        variant("2^N", closed_form=2**N, leg="in general position"),
        variant(
            "every code on a line of its own", reference=twice_as_many, leg="codes of the plane"
        ),
        variant("all codes on one line", reference=as_of_one_line, leg="codes of the plane"),
        variant("general position", closed_form=COVER, leg="in one plane", at={N: [4], k: [3]}),
        variant("without 2", closed_form=COVER / 2, leg="deletion and restriction"),
        variant(
            "one term less",
            closed_form=2 * sp.Sum(sp.binomial(N - 1, i), (i, 0, k - 2)),
            leg="deletion and restriction",
        ),
        *reaching(RECURSION, "N > 100 and k > 100"),
        *reaching(ONE_CODE, "k > 100"),
        *rivals_of(ONE_CODE, {"one labelling": "2*Sum(binomial(0, i), (i, 0, k - 1)) == 1"}),
        *rivals_of(
            RECURSION,
            {
                "binom(N, i) on both sides": "2*Sum(binomial(N, i), (i, 0, k - 1)) == "
                "2*Sum(binomial(N, i), (i, 0, k - 2))"
            },
        ),
    ],
)


counts_of_both = claim(
    "contrastive-realised-counts",
    lhs=r"\#\{\text{realised labellings}\}",
    states="contrastive-random-label",
    title="Realised labellings on the square and on the simplex",
    says="4 of 16 labellings are realised on the square and 14 on the simplex, 14 and 16 with a bias.",
    role="derived",
    domain={dimension: choices(2, 3)},
    grid={"smoke": {dimension: [2, 3]}},
    closed_form=sp.Piecewise((4, sp.Eq(dimension, 2)), (14, True)),
    legs=[
        leg("homogeneous", count_realised),
        leg(
            "with a bias",
            count_with_bias,
            lhs=r"\#\{\text{realised with a bias}\}",
            closed_form=sp.Piecewise((14, sp.Eq(dimension, 2)), (16, True)),
        ),
    ],
    rivals=[
        variant("all", closed_form=sp.Integer(16), leg="homogeneous"),
        variant("14 on both", closed_form=sp.Integer(14), leg="with a bias"),
    ],
)
