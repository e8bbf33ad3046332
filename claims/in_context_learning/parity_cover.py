"""Proof of Theorem 5.5.1, second part: what one head covers, and how many +- pairs are needed (repaired).

Setting. Patterns (z, {(i, z_2), (j, z_3)}) of the proof: a diagonal head covers one if z is its sign and z_2, z_3
are the signs of its entries i and j. Heads in pairs (a, v), (a, -v), all entries of one modulus.

Statements. One head covers at most d (d - 1)/2 patterns, one for each pair of features, and so many exactly if no
entry is 0. In pairs, features of equal code give 0 on opposite signs whatever the moduli are, so that 2^m >= d for
m negative pairs; the bit network with ceil(log2 d) of them and one positive pair solves every task: 2 (ceil(log2 d)
+ 1) heads are needed and suffice, for every d.

Reference: proof of Theorem 5.5.1, appendix D.3.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools

import sympy as sp

from theorycheck import attained, certificate, claim, counts, integers, leg, minimises, variant

from ._parity import NEVER, bit_network, diagonal, paired, smallest_margin
from .parity_paired_class import codes

d = sp.symbols("d", integer=True, positive=True)


def covered(row, ordered=False):
    """Number of patterns of the head's own sign that a head with these entries covers."""
    pairs = itertools.permutations(row, 2) if ordered else itertools.combinations(row, 2)
    return sum(
        (x > 0) == (z > 0) and (y > 0) == (w > 0)
        for x, y in pairs
        if x and y
        for z, w in itertools.product((-1, 1), repeat=2)
    )


def most_covered(d, **how):
    """The most patterns that a head covers, over all signs of its entries, and how many of them have it. Shape (2,)."""
    found = [covered(row, **how) for row in itertools.product((-1, 0, 1), repeat=d)]
    return [max(found), found.count(max(found))]


def stated(d, zeros=0):
    """d (d - 1)/2, by the 2^d vectors without a zero."""
    return [d * (d - 1) // 2, (2 + zeros) ** d]


def ordered_pairs(d):
    return most_covered(d, ordered=True)


per_head = claim(
    "icl-parity-patterns-per-head",
    lhs=r"\max\#\text{covered},\ \#\text{maximisers}",
    tex=r"\frac{d(d-1)}2,\ 2^d",
    states="icl-parity-neuron-count",
    title="Patterns that one head covers",
    says=r"One head covers at most $d(d-1)/2$ patterns, and so many exactly if all its diagonal entries are nonzero.",
    role="derived",
    covers="patterns-per-head",
    domain={d: integers(2)},
    grid={"smoke": {d: [2, 3, 5]}, "standard": {d: [4, 7]}},
    relation=counts(),
    legs=[
        leg("all signs of the entries", most_covered, reference=stated, inside="head", where=d <= 8)
    ],
    rivals=[
        variant("ordered pairs", simulation=ordered_pairs),
        variant("whatever the entries", reference=stated, call=stated, zeros=1),
    ],
)


def bits(d):
    return (d - 1).bit_length()


def heads_of_bit_network(d, fewer=0):
    """Heads of the bit network on d features, of so many bits ``fewer``; beyond all numbers if it does not solve every
    task. Shape ()."""
    heads = bit_network(bits(d) - fewer, d)
    return len(heads) if smallest_margin(heads, d) >= 1 else NEVER


def pairs_needed(d):
    """Two for each pair of the least m + 1 for which some code of m negative pairs and one positive pair solves every
    task: all codes of fewer are tried. Shape ()."""
    return next(2 * (m + 1) for m in range(d) if any(solves(code, m, d) for code in codes(d, m)))


def solves(code, m, d):
    heads = paired([*(diagonal(-1, row) for row in code), diagonal(1, [m] * d)])
    return smallest_margin(heads, d) > 0


paired_count = claim(
    "icl-parity-paired-count",
    lhs=r"m_{\min}^{\text{paired}}",
    tex=r"2\,(\lceil\log_2d\rceil+1)",
    states="icl-parity-neuron-count",
    title="Heads needed in pairs",
    says=r"Among heads in $\pm$ pairs of one modulus each, $2(\lceil\log_2d\rceil+1)$ are the fewest that solve "
    r"every task.",
    role="corrected",
    corrects="icl-parity-neuron-count",
    covers="paired-count",
    domain={d: integers(2)},
    grid={"smoke": {d: [2, 3, 4, 5]}},
    closed_form=2 * (sp.ceiling(sp.log(d, 2)) + 1),
    mutate=False,  # a small change inside of the ceiling changes no value: the rivals round otherwise
    relation=minimises(),
    legs=[
        attained(heads_of_bit_network, grid={"smoke": {d: [2, 3, 4, 5, 9, 16]}}, where=d <= 64),
        certificate(pairs_needed, where=d <= 5),
    ],
    rivals=[
        variant(
            "a bit less", leg="attained", call=heads_of_bit_network, fewer=1, at={d: [3, 4, 5]}
        ),
        variant("floor for ceiling", closed_form=2 * (sp.floor(sp.log(d, 2)) + 1)),
        variant("four heads", closed_form=4 + 0 * d),
    ],
)
