"""Lemma D.2: matrix Bernstein, on signed series of matrices with one entry each.

Setting. X_i = e_i c_i E_(r_i, s_i) with independent fair signs e_i, or e_i = 0 but for one in a hundred times, and
matrix units E of size d1 x d2: independent, of mean 0, |X_i| <= |c_i| <= b. E S S^T and E S^T S are diagonal, so that
v is rational: the larger of the largest row sum and the largest column sum of the E |X_i|^2.

Statements. (1) P[|S| >= delta] <= (d1 + d2) exp(-delta^2/(2 v + 2 b delta/3)), the tail by the exact law of S: |S| >=
delta unless delta^2 I - S S^T is positive definite. (2) v needs both products: for a column of n signs |S| = sqrt(n)
surely, |E S S^T| = 1 and |E S^T S| = n.

Reference: Lemma D.2, lines 1077-1083 (Oliveira 2010; Tropp 2012).
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, instances, integers, leg, reals, variant

n, d1, d2 = sp.symbols("n d1 d2", integer=True, positive=True)
delta, v, b = sp.symbols("delta v b", nonnegative=True)


def law_of_series(rows, columns, c, d1, d2, chance=Fraction(1)):
    """The law of S where each summand is there with a chance: entries, row by row -> probability."""
    found = {(Fraction(0),) * (d1 * d2): Fraction(1)}
    for r, s, size in zip(rows, columns, c, strict=True):
        step: defaultdict[tuple[Fraction, ...], Fraction] = defaultdict(Fraction)
        for entries, p in found.items():
            if chance < 1:
                step[entries] += p * (1 - chance)
            for signed in (size, -size):
                place = int(r) * d2 + int(s)
                new = (*entries[:place], entries[place] + signed, *entries[place + 1 :])
                step[new] += p * chance / 2
        found = step
    return found


def gram(entries, d1, d2):
    """S S^T or S^T S, whichever is smaller."""
    S = [entries[i * d2 : (i + 1) * d2] for i in range(d1)]
    vectors = S if d1 <= d2 else list(zip(*S, strict=True))
    return [[sum(x * y for x, y in zip(u, w, strict=True)) for w in vectors] for u in vectors]


def below(G, square):
    """Whether square I - G is positive definite: all pivots positive."""
    M = [[square * (i == j) - x for j, x in enumerate(row)] for i, row in enumerate(G)]
    for i, row in enumerate(M):
        if row[i] <= 0:
            return False
        for other in M[i + 1 :]:
            ratio = other[i] / row[i]
            for j in range(i, len(M)):
                other[j] -= ratio * row[j]
    return True


def sums_of_squares(places, c):
    """The largest sum of the c_i^2 that share a place: the norm of a diagonal E S S^T or E S^T S."""
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    for place, size in zip(places, c, strict=True):
        found[int(place)] += Fraction(size) ** 2
    return max(found.values())


def tail(rows, columns, c, n, d1, d2, delta, chance=Fraction(1)):
    """P[|S| >= delta] with v and b. Shape ()."""
    square = Fraction(delta) ** 2
    law = law_of_series(rows, columns, c, d1, d2, chance)
    return {
        "value": sum(
            (p for S, p in law.items() if not below(gram(S, d1, d2), square)), Fraction(0)
        ),
        "v": chance * max(sums_of_squares(rows, c), sums_of_squares(columns, c)),
        "b": max(abs(Fraction(x)) for x in c),
    }


def rare_tail(rows, columns, c, n, d1, d2, delta):
    """The same of summands that are 0 but for one in a hundred times. Shape ()."""
    return tail(rows, columns, c, n, d1, d2, delta, Fraction(1, 100))


def tail_of_one_product(rows, columns, c, n, d1, d2, delta):
    """The same with the row sums for v only, |E S S^T|."""
    return tail(rows, columns, c, n, d1, d2, delta) | {"v": sums_of_squares(rows, c)}


def series(rng, n, d1, d2, delta):
    """Random places and sizes."""
    return {
        "rows": [int(rng.integers(0, d1)) for _ in range(n)],
        "columns": [int(rng.integers(0, d2)) for _ in range(n)],
        "c": [Fraction(int(rng.integers(1, 5)), 2) for _ in range(n)],
    }


def column(rng, n, d1, d2, delta):
    """One sign in each of the n = d1 rows."""
    return {"rows": list(range(n)), "columns": [0] * n, "c": [Fraction(1)] * n}


def one_entry(rng, n, d1, d2, delta):
    """n signs in one place."""
    return {"rows": [0] * n, "columns": [0] * n, "c": [Fraction(1)] * n}


FIELDS = "rows columns c"
ONES = instances(one_entry, FIELDS, smoke=1)
DRAWN = instances(series, FIELDS, smoke=3, standard=10)
COLUMN = instances(column, FIELDS, smoke=1)
BOUND = (d1 + d2) * sp.exp(-(delta**2) / (2 * v + 2 * b * delta / 3))
SIZES = [{n: 1, d1: 1, d2: 1}, {n: 6, d1: 2, d2: 2}, {n: 8, d1: 3, d2: 2}, {n: 30, d1: 1, d2: 1}]
RARE = [{n: 1, d1: 1, d2: 1}, {n: 4, d1: 2, d2: 2}, {n: 20, d1: 1, d2: 1}]
LARGER = [{n: 9, d1: 3, d2: 3}, {n: 10, d1: 1, d2: 4}, {n: 60, d1: 1, d2: 1}]

bernstein = claim(
    "contamination-matrix-bernstein",
    lhs=r"\Pr[\|S\|_2\ge\delta]",
    tex=r"(d_1+d_2)\exp\Big(-\frac{\delta^2}{2v(S)+2b\delta/3}\Big)",
    title="Matrix Bernstein for signed matrix units",
    says="For independent signed matrix units of any sizes and places, the norm of the sum "
    r"reaches $\delta$ with probability at most $(d_1 + d_2)\exp(-\delta^2/(2v + 2b\delta/3))$, "
    r"$v$ the larger norm of $\mathbb{E}\,SS^\top$ and $\mathbb{E}\,S^\top S$.",
    covers="tail variance-max",
    reads={"laws": "rows columns c"},
    domain={n: integers(1), d1: integers(1), d2: integers(1), delta: reals(0)},
    grid={
        "smoke": [size | {delta: at} for size in SIZES for at in (Fraction(1, 2), 3, 6)],
        "standard": [size | {delta: at} for size in [*SIZES, *LARGER] for at in (1, 4, 9, 20)],
    },
    closed_form=BOUND,
    relation=at_most(),
    legs=[
        leg(
            "column of signs",
            tail,
            observed=["v", "b"],
            instances=COLUMN,
            covers="variance-max",
            grid={"smoke": [{n: 12, d1: 12, d2: 1, delta: Fraction(17, 5)}]},
            where=sp.And(sp.Eq(n, d1), sp.Eq(d2, 1), sp.Le(n, 12), sp.Le(delta, 100)),
        ),
        # Signed units stay below exp(-delta^2/(2 v)); these do not.
        leg(
            "rare summands",
            rare_tail,
            observed=["v", "b"],
            instances=DRAWN,
            required=False,
            grid={"smoke": [size | {delta: at} for size in RARE for at in (1, 2)]},
            where=lambda n, d1, d2, delta: (
                (n <= 5 or d1 * d2 == 1) and n <= 50 and d1 * d2 <= 64 and delta <= 100
            ),
        ),
        # Of size 1, many of them together: the least that b delta can be multiplied by.
        leg(
            "rare signs",
            rare_tail,
            observed=["v", "b"],
            instances=ONES,
            required=False,
            grid={"smoke": [{n: 50, d1: 1, d2: 1, delta: 10}]},
            where=lambda n, d1, d2, delta: d1 * d2 == 1 and n <= 50 and delta <= 100,
        ),
        leg(
            "exact law",
            tail,
            observed=["v", "b"],
            instances=DRAWN,
            # 2^n sums unless all places are one; pivots grow with the smaller dimension
            where=lambda n, d1, d2, delta: (
                (n <= 10 or d1 * d2 == 1) and n <= 200 and d1 * d2 <= 64 and delta <= 100
            ),
        ),
    ],
    rivals=[
        variant(
            "no factor for the dimensions",
            leg="exact law",
            closed_form=BOUND / (d1 + d2),
            instances=COLUMN,
            at=[{n: 10, d1: 10, d2: 1, delta: Fraction(3)}],
        ),
        variant(
            "larger dimension only",
            leg="exact law",
            closed_form=sp.Max(d1, d2) * BOUND / (d1 + d2),
            at=[{n: 1, d1: 1, d2: 1, delta: Fraction(1, 2)}],
        ),
        variant(
            "v from E S S^T only",
            leg="column of signs",
            simulation=tail_of_one_product,
            instances=COLUMN,
            at=[{n: 12, d1: 12, d2: 1, delta: Fraction(17, 5)}],
        ),
        variant(
            "without 2 b delta/3",
            leg="rare summands",
            closed_form=(d1 + d2) * sp.exp(-(delta**2) / (2 * v)),
        ),
        variant(
            "b delta/5 for 2 b delta/3",
            leg="rare signs",
            closed_form=(d1 + d2) * sp.exp(-(delta**2) / (2 * v + b * delta / 5)),
        ),
        variant(
            "v in place of 2 v",
            leg="exact law",
            closed_form=(d1 + d2) * sp.exp(-(delta**2) / (v + 2 * b * delta / 3)),
            instances=ONES,
            at=[{n: 50, d1: 1, d2: 1, delta: Fraction(18)}],
        ),
    ],
)
