"""Where the printed networks are the only optimum, and where they are none (derived, beside `parity_paired_class`).

Setting. As in `parity_paired_class`.

Statements. In the class the minimisers of the large problem are the printed network with its features relabelled
and signs of pairs flipped, and not that network alone: at d = 4 three different ones, one up to relabelling.
Without pairing the norm is beaten at d = 8: five negative heads of entries +-1 whose columns are different pairs of
plus signs, 2 I, and -3 I split in two halves, 8 heads of one modulus each, have margin 1 and norm 108 for 192.

Reference: repairs Theorem 5.5.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import factorial

import sympy as sp

from theorycheck import claim, counts, equals, integers, leg, variant

from ._parity import bit_network, cost, diagonal, paired, smallest_margin
from .parity_paired_class import codes

nu2, size = sp.symbols("nu2 d", integer=True, positive=True)


def up_to_sign(row):
    return row if row[0] == 1 else tuple(-x for x in row)


def relabelled(code):
    """The least of the codes that differ from this one by the order of features and of pairs, and by signs."""
    d = len(code[0])
    return min(
        tuple(sorted(up_to_sign(tuple(row[i] for i in order)) for row in code))
        for order in itertools.permutations(range(d))
    )


def minimisers(nu2, scale=None):
    """Codes of nu2 negative pairs of modulus 1 that solve every task with positive scale nu2: how many, and how
    many up to relabelling. Shape (2,)."""
    d = 2**nu2
    scale = nu2 if scale is None else scale
    plus = diagonal(1, [scale] * d)
    found = [
        code
        for code in codes(d, nu2)
        if smallest_margin(paired([*(diagonal(-1, row) for row in code), plus]), d) >= 1
    ]
    return [len(found), len({relabelled(code) for code in found})]


def of_smaller_scale(nu2):
    return minimisers(nu2, scale=nu2 - 1)


def printed_alone(nu2):
    return [1, 1]


def classes(nu2):
    """(2^nu2)! assignments of codes to features, nu2! orders and 2^nu2 signs of the pairs apart; one class."""
    return [factorial(2**nu2) // (factorial(nu2) * 2**nu2), 1]


unique = claim(
    "icl-parity-paired-class-unique",
    lhs=r"\#\{\text{minimisers}\},\ \#\text{ up to relabelling}",
    tex=r"\frac{(2^{\nu_2})!}{\nu_2!\,2^{\nu_2}},\ 1",
    states="icl-parity-paired-class",
    title="The minimisers of the class",
    says=r"Those that solve every task at the least norm are the printed network up to relabelling of features and "
    r"signs of pairs: "
    "one at $d=2$, three at $d=4$.",
    role="derived",
    covers="large-unique",
    domain={nu2: integers(1, 2)},
    grid={"smoke": {nu2: [1, 2]}},
    relation=counts(),
    legs=[leg("every sign code", minimisers, reference=classes)],
    rivals=[
        variant("the printed network alone", reference=printed_alone),
        variant("a smaller positive scale", simulation=of_smaller_scale),
    ],
)


# ---- without pairing


def unpaired_network(halves=2, different=8):
    """The eight heads of the docstring; -3 I in ``halves`` equal parts, and so many ``different`` columns."""
    columns = list(itertools.combinations(range(5), 2))[:different]
    columns += columns[-1:] * (8 - different)
    negative = [diagonal(-1, [1 if r in plus else -1 for plus in columns]) for r in range(5)]
    return [*negative, diagonal(1, [2] * 8), *[diagonal(1, [-Fraction(3, halves)] * 8)] * halves]


def margin_and_norm(d, heads=None):
    """Number of heads, least margin and norm of the unpaired network at 8 features. Shape (3,)."""
    network = unpaired_network() if heads is None else heads
    return [len(network), smallest_margin(network, d), cost(network)]


def of_printed(d):
    return margin_and_norm(d, bit_network(3, 8))


def in_one_piece(d):
    return margin_and_norm(d, unpaired_network(halves=1))


def two_columns_alike(d):
    return margin_and_norm(d, unpaired_network(different=7))


def stated(d):
    return [8, 1, 108]


unpaired = claim(
    "icl-parity-unpaired",
    lhs=r"\text{heads},\ \min y\,g,\ \|\theta\|",
    tex=r"8,\ 1,\ 108",
    states="icl-parity-paired-class",
    title="Without pairing the least norm is smaller",
    says=r"At $d=8$ eight heads of one modulus each, not in pairs, have margin 1 and norm 108, where the printed "
    r"network has 192.",
    role="derived",
    covers="unpaired-breaks",
    domain={size: integers(8, 8)},
    grid={"smoke": {size: [8]}},
    relation=equals(),
    legs=[leg("every task and pattern", margin_and_norm, reference=stated, gives="network")],
    rivals=[
        variant("the printed network", simulation=of_printed),
        variant("two columns alike", simulation=two_columns_alike),
        variant("-3 I in one piece", simulation=in_one_piece),
    ],
)
