r"""Definition A.25: the statistical-query dimension of any class of concepts.

Setting. Concepts with values -1, 1 on finitely many equally likely points; the dimension is the largest d for which d
of them have pairwise |P(equal) - P(unequal)| <= 1/d^3. The threshold falls with d, so that a set for d serves for
every smaller number: the largest d is well defined, and is found from above or by going on from d to d + 1.

Statement. Taken literally, over all subsets of the class, and by the largest cliques of the graph of each threshold,
it is the same number: on drawn classes, on one with correlations at the threshold (1/8 at d = 2), and on one where a
set grown concept by concept is too small.

Reference: Definition A.25, lines 3872-3875.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from theorycheck import claim, equals, instances, leg, variant

from ._balls import ONE_POINT
from .sq_dimension import nearly_orthogonal

POINTS = 16


def agreement(first, second):
    """|P(equal) - P(unequal)|."""
    equal = sum(1 for a, b in zip(first, second, strict=True) if a == b)
    return abs(Fraction(equal - (len(first) - equal), len(first)))


def largest(concepts, power=3, strict=False):
    """The first largest subset of the definition, by indices."""
    for d in range(len(concepts), 0, -1):
        least = Fraction(1, d**power)
        for chosen in itertools.combinations(range(len(concepts)), d):
            near = (
                agreement(concepts[i], concepts[j]) for i, j in itertools.combinations(chosen, 2)
            )
            if all(x < least if strict else x <= least for x in near):
                return chosen
    return ()


def literally(concepts, power=3, strict=False):
    """The definition over all subsets. Shape ()."""
    return len(largest(concepts, power, strict))


def clique(graph, rest):
    """Size of the largest clique among ``rest``."""
    best = 0
    while rest:
        first, rest = rest[0], rest[1:]
        best = max(best, 1 + clique(graph, [j for j in rest if j in graph[first]]))
    return best


def by_cliques(concepts):
    """From d to d + 1 while the graph of inner products at most n/(d + 1)^3 has a clique of that size. Shape ()."""
    n, d = len(concepts), 0
    total = len(concepts[0])
    inner = [
        [abs(sum(a * b for a, b in zip(x, y, strict=True))) for y in concepts] for x in concepts
    ]
    while d < n:
        graph = [
            {j for j in range(n) if j != i and inner[i][j] * (d + 1) ** 3 <= total}
            for i in range(n)
        ]
        if clique(graph, list(range(n))) <= d:
            break
        d += 1
    return d


def grown(concepts):
    """Concept by concept, those that fit. Shape ()."""
    values = np.array(concepts, dtype=np.int64)
    return nearly_orthogonal(values @ values.T, POINTS)


def characters(*sets):
    points = itertools.product((-1, 1), repeat=4)
    rows = [[1] * POINTS for _ in sets]
    for t, z in enumerate(points):
        for row, chosen in zip(rows, sets, strict=True):
            for i in chosen:
                row[t] *= z[i]
    return rows


def some_class(rng):
    """Three parities, some values of one changed, and three concepts of no structure."""
    rows = characters((0,), (1,), (0, 1))
    for _ in range(int(rng.integers(0, 3))):
        rows[2][int(rng.integers(0, POINTS))] *= -1
    rows += [[int(rng.signs()) for _ in range(POINTS)] for _ in range(3)]
    order = [int(i) for i in rng.permutation(6)]
    return {"concepts": [rows[i] for i in order]}


def at_the_threshold(rng):
    """Two concepts of correlation 1/8."""
    rows = characters((0,), (1,))
    rows[1][0] *= -1
    return {"concepts": rows}


def a_quarter(rng):
    """Two concepts of correlation 1/4."""
    rows = characters((0,), (1,))
    rows[1][0] *= -1
    rows[1][-1] *= -1
    return {"concepts": rows}


def misleading(rng):
    """The first concept fits to none of three orthogonal ones."""
    rows = characters((0,), (1,), (2,))
    mixed = [1 if sum(z) > 0 else -1 for z in zip(*rows, strict=True)]
    return {"concepts": [mixed, *rows]}


def compared(name, draw, count=1, more=1):
    return leg(
        name,
        literally,
        reference=by_cliques,
        inside="i j",
        gives="concepts",
        chosen_by=largest,
        instances=instances(draw, "concepts", smoke=count, standard=more),
    )


defined = claim(
    "structured-sq-dimension-defined",
    lhs=r"\text{SQ-dim}",
    tex=r"\max\{d:\exists\,d\text{-clique at }d^{-3}\}",
    states="structured-sq-dimension",
    title="The SQ dimension of a class",
    says=r"The largest $d$ with $d$ concepts of pairwise correlation at most $1/d^3$ is well defined: the same over "
    r"all subsets of the class and by the cliques of the graphs of the thresholds.",
    covers="definition",
    **ONE_POINT,
    relation=equals(),
    legs=[
        compared("classes of six", some_class, 6, 12),
        compared("at the threshold", at_the_threshold),
        compared("correlation 1/4", a_quarter),
        compared("a misleading first concept", misleading),
    ],
    rivals=[
        variant("threshold 1/d", call=literally, power=1, leg="classes of six"),
        variant("threshold 1/d^2", call=literally, power=2, leg="correlation 1/4"),
        variant("below the threshold", call=literally, strict=True, leg="at the threshold"),
        variant("grown concept by concept", reference=grown, leg="a misleading first concept"),
    ],
)
