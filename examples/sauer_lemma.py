"""Sauer's lemma (1972). A class of VC dimension v has at most sum_{i <= v} binomial(n, i) behaviours on n points.
Unions of k intervals on the line have dimension 2 k, and meet it."""

from itertools import groupby, product

import sympy as sp

from theorycheck import claim, counts, integers

n, k = sp.symbols("n k", integer=True, positive=True)
i = sp.symbols("i", integer=True)


def behaviours(n, k):
    """Labelings of n points on a line whose ones form at most k runs."""
    return sum(
        sum(label for label, _ in groupby(labels)) <= k for labels in product((0, 1), repeat=n)
    )


one_less = claim(
    "sauer-intervals-one-less",
    says="Unions of k intervals have sum_{i < 2k} binomial(n, i) behaviours on n points.",
    domain={n: integers(1), k: integers(1)},
    grid={"smoke": {n: range(1, 10), k: [1, 2, 3]}},
    relation=counts(),
    closed_form=sp.Sum(sp.binomial(n, i), (i, 0, 2 * k - 1)),
    expect="fail",
)(behaviours)

sauer = one_less.corrected(
    "sauer-intervals",
    says="Unions of k intervals have sum_{i <= 2k} binomial(n, i) behaviours on n points.",
    closed_form=sp.Sum(sp.binomial(n, i), (i, 0, 2 * k)),
)
