r"""Section 2.2: the label of the data family.

Setting. Patterns phi in {0, 1}^D, A a subset of [D] of size k, P a subset of {1, ..., k}; y = 1 where the number of
relevant patterns that are present belongs to P, and -1 elsewhere.

Statements. (1) Over all phi, A and P there are 2^(D-1) (2^k - 1) binomial(D, k) labels 1: a count s >= 1 is in half of
the sets P, and 0 in none. (2) The label of the parity programs of this source, a product of signs, is that of the
odd counts for odd k; for even k it is not, as 0 would have to belong to P. (3) The label of the sampled members, which
begins with all of A present, is that of a P with k in it.

Reference: lines 582-606.
"""

from __future__ import annotations

import itertools

import sympy as sp

from theorycheck import claim, counts, integers, leg, variant

from ._family import parity

D, k = sp.symbols("D k", integer=True, positive=True)


def label(pattern, relevant, positive):
    """+1 where the count is in P."""
    return 1 if sum(pattern[i] for i in relevant) in positive else -1


def label_sets(k, least=1):
    """Subsets of {least, ..., k}."""
    members = range(least, k + 1)
    for size in range(len(members) + 1):
        yield from itertools.combinations(members, size)


def positive_labels(D, k, least=1):
    """Labels 1 over all patterns, A and P. Shape ()."""
    return sum(
        label(pattern, relevant, positive) == 1
        for pattern in itertools.product((0, 1), repeat=D)
        for relevant in itertools.combinations(range(D), k)
        for positive in label_sets(k, least)
    )


def unlike_the_parity(D, k, odd=1):
    """Patterns where the label of the odd counts is not the product of the signs of A. Shape ()."""
    positive = [s for s in range(k + 1) if s % 2 == odd]
    return sum(
        label(pattern, relevant, positive) != parity([pattern[i] for i in relevant])
        for pattern in itertools.product((0, 1), repeat=D)
        for relevant in itertools.combinations(range(D), k)
    )


rule = claim(
    "structured-label-rule",
    lhs=r"\#\{(\tilde\phi,A,P):y=1\}",
    tex=r"2^{D-1}(2^k-1)\binom{D}{k}",
    states="structured-data-family",
    title="The label counts the present relevant patterns",
    says=r"Over all $\tilde\phi\in\{0,1\}^D$, $A$ of size $k$ and $P\subseteq\{1,\dots,k\}$ the rule gives "
    r"$2^{D-1}(2^k-1)\binom{D}{k}$ labels $1$, none of them without a present relevant pattern; the product of signs "
    r"that the programs of this source run is the rule of the odd counts for odd $k$.",
    covers="label-rule",
    domain={D: integers(1), k: integers(1)},
    where=k <= D,
    grid={
        "smoke": {D: [1, 2, 3, 4], k: [1, 2, 3, 4]},
        "standard": {D: [5, 6], k: [1, 2, 3, 4]},
    },
    closed_form=2 ** (D - 1) * (2**k - 1) * sp.binomial(D, k),
    relation=counts(),
    legs=[
        leg("all of them", positive_labels, inside="phit A P"),
        leg(
            "the parity programs",
            unlike_the_parity,
            closed_form=sp.Integer(0),
            where=sp.Eq(k % 2, 1),
            required=False,
            lhs=r"\#\{y\ne\Pi_A\}",
            tex="0",
        ),
    ],
    rivals=[
        variant("P with 0", call=positive_labels, least=0, leg="all of them"),
        variant("half of all", closed_form=2 ** (D + k - 1) * sp.binomial(D, k), leg="all of them"),
        variant("even counts", call=unlike_the_parity, odd=0, leg="the parity programs"),
    ],
)
