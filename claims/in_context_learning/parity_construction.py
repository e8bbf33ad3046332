"""Proof of Theorem 5.5.1: the bit network, its margin, its scales, and how many heads are needed.

Setting. Population parity network in the unit v = 4 gamma G^T W G (see `_parity`); d = 2^nu features; bit
network: pairs +-diag(signs of bit b), a = -1, b < nu, and one pair +-nu I, a = 1.

Statements. On every task (i, j) and sign pattern y g = Ham(i, j), the Hamming distance of the binary codes of i
and j. With negatives scaled by c_- and positives by c_+ the hinge loss vanishes iff c_- >= 1 and c_+ >= 1 +
(nu - 1) c_-. Printed: fewer than 2 (nu + 1) heads cannot have zero loss on all tasks. False: four heads do, for
every d;
and two of each sign are needed, since a head active at phi is inactive at -phi. In the proof's own sense of covering
sign patterns the least number of negative heads is the least R with binom(R, floor(R/2)) >= d (Sperner), which is
below 2 nu from d = 8 on.

Reference: proof of Theorem 5.5.1, appendix D.3.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import sympy as sp

from theorycheck import (
    attained,
    between,
    certificate,
    choices,
    claim,
    counts,
    equals,
    integers,
    leg,
    minimises,
    reals,
    variant,
)

from ._parity import all_tasks, bit_network, cost, four_heads, margins, smallest_margin

nu = sp.symbols("nu", integer=True, positive=True)
d = 2**nu


# ---- the margin is the Hamming distance


def mismatches(nu, scale=None, drop=0, swap=1):
    """Number of (task, sign pattern) with y g different from the Hamming distance. Shape ()."""
    d = 2**nu
    heads = bit_network(nu, d, positive=scale)[2 * drop :]
    heads = [type(h)(swap * h.a, h.v) for h in heads]
    return sum(m != (i ^ j).bit_count() for (i, j, _, _), m in margins(heads, d, all_tasks(d)))


def smaller_scale(nu):
    return mismatches(nu, scale=nu - 1)


def one_bit_dropped(nu):
    return mismatches(nu, drop=1)


def signs_swapped(nu):
    return mismatches(nu, swap=-1)


margin_hamming = claim(
    "icl-parity-margin-hamming",
    title="The bit network's margin is the Hamming distance",
    says="On every task (i, j) and every sign pattern of its two features, y g = Ham(i, j): no mismatch.",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}, "standard": {nu: [1, 2, 3, 4, 5]}},
    closed_form=0 * nu,
    relation=counts(),
    legs=[leg("every task and pattern", mismatches)],
    rivals=[
        variant("positive scale nu - 1", simulation=smaller_scale),
        variant("one bit pair dropped", simulation=one_bit_dropped),
        variant("signs of the heads swapped", simulation=signs_swapped),
    ],
)


def norm(nu):
    """sum |v_n|_F^2 of the bit network. Shape ()."""
    return cost(bit_network(nu, 2**nu))


bit_norm = claim(
    "icl-parity-margin-hamming-norm",
    states="icl-parity-margin-hamming",
    title="Norm of the bit network",
    says="In v-units the bit network has sum |v|^2 = 2 d nu (nu + 1).",
    encodes="part",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3, 4]}, "standard": {nu: range(1, 7)}},
    closed_form=2 * d * nu * (nu + 1),
    relation=equals(),
    legs=[leg("summed", norm)],
    rivals=[
        variant("2 d nu^2", closed_form=2 * d * nu**2),
        variant("d nu (nu+1)", closed_form=d * nu * (nu + 1)),
    ],
)


# ---- the smallest scales inside the family

cm, cp = sp.symbols("c_minus c_plus", positive=True)


def solves(nu, c_minus, c_plus):
    """Whether the scaled bit network has zero hinge loss on all tasks, 0 or 1. Shape ()."""
    heads = bit_network(nu, 2**nu, positive=Fraction(c_plus), negative=Fraction(c_minus))
    return smallest_margin(heads, 2**nu) >= 1


FRACTIONS = [Fraction(1, 2), Fraction(999, 1000), 1, Fraction(1001, 1000), 2]
scale_tight = claim(
    "icl-parity-scale-tight",
    title="Smallest scales inside the bit family",
    says="The bit network with negatives scaled by c_- and positives by c_+ has zero hinge loss iff c_- >= 1 and "
    "c_+ >= 1 + (nu - 1) c_-.",
    domain={nu: integers(1), cm: reals(0, low_open=True), cp: reals(0, low_open=True)},
    grid={"smoke": {nu: [1, 2, 3], cm: FRACTIONS, cp: [*FRACTIONS, Fraction(2999, 1000), 3, Fraction(3002, 1000), 5]},
          "standard": {nu: [1, 2, 3, 4], cm: [*FRACTIONS, Fraction(3, 2)],
                       cp: [*FRACTIONS, *(n + Fraction(x, 1000) for n in (2, 3, 4) for x in (-1, 0, 3)), 8]}},
    closed_form=sp.Piecewise((1, sp.And(cm >= 1, cp >= 1 + (nu - 1) * cm)), (0, True)),
    relation=counts(),
    mutate=False,  # a condition: its rivals are the other conditions below
    legs=[leg("every task", solves)],
    rivals=[
        variant("c_+ >= nu", closed_form=sp.Piecewise((1, sp.And(cm >= 1, cp >= nu)), (0, True))),
        variant("c_- > 1 strictly", closed_form=sp.Piecewise((1, sp.And(cm > 1, cp >= 1 + (nu - 1) * cm)), (0, True))),
        variant("c_+ >= 1 + nu c_-", closed_form=sp.Piecewise((1, sp.And(cm >= 1, cp >= 1 + nu * cm)), (0, True))),
    ],
)  # fmt: skip


# ---- how many heads


def heads_that_suffice(nu):
    """Heads of an explicit network with margin at least 1 on all tasks. Shape ()."""
    heads = four_heads(2**nu)
    if smallest_margin(heads, 2**nu) < 1:
        raise ValueError("the network does not solve every task")
    return len(heads)


def heads_needed(nu):
    """At phi and at -phi the label is the same, and a head active at one is inactive at the other (its
    argument is odd). Both labels occur, so each sign of a needs a head active at phi and another active at
    -phi: counted over the four (label, phi or -phi) that each head can serve. Shape ()."""
    situations = set(itertools.product((-1, 1), ("phi", "-phi")))
    served = [{(label, side)} for label, side in situations]
    return min(n for n in range(1, 5) for chosen in itertools.combinations(served, n)
               if set().union(*chosen) == situations)  # fmt: skip


neuron_count = claim(
    "icl-parity-neuron-count",
    lhs=r"\text{heads}",
    title="How many heads are needed, as printed",
    says="The least number of heads with zero loss on all tasks of d = 2^nu features is 2 (nu + 1).",
    expect="fail",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}},
    closed_form=2 * (nu + 1),
    relation=minimises(),
    legs=[attained(heads_that_suffice, name="four heads")],
)

neuron_count_corrected = claim(
    "icl-parity-neuron-count-corrected",
    lhs=r"\text{heads}",
    states="icl-parity-neuron-count",
    title="Four heads, for every number of features",
    says="The least number of heads with zero loss on all tasks is 4.",
    role="corrected",
    corrects="icl-parity-neuron-count",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}, "standard": {nu: [1, 2, 3, 4, 5]}},
    closed_form=4 + 0 * nu,
    relation=minimises(),
    legs=[attained(heads_that_suffice), certificate(heads_needed)],
    rivals=[
        variant("3 heads", closed_form=3 + 0 * nu),
        variant("2 (nu + 1)", closed_form=2 * (nu + 1)),
    ],
)

SIZE = sp.symbols("d", integer=True, positive=True)


def least_cover(d):
    """Least number of sign rows that cover, by running through sets of columns. Shape ()."""
    for count in range(1, d + 1):
        columns = list(itertools.product((-1, 1), repeat=count))
        if _antichain(columns, d):
            return count
    raise ValueError("no cover found")


def _antichain(columns, size, chosen=()):
    """Whether ``size`` pairwise incomparable columns exist (branching over columns in order)."""
    if len(chosen) == size:
        return True
    for n, column in enumerate(columns):
        if len(columns) - n < size - len(chosen):
            return False
        apart = [c for c in columns[n + 1 :] if _incomparable(c, column)]
        if _antichain(apart, size, (*chosen, column)):
            return True
    return False


def _incomparable(a, b):
    return any(x > y for x, y in zip(a, b, strict=True)) and any(
        x < y for x, y in zip(a, b, strict=True)
    )


def sperner(d):
    """Least R with binom(R, floor(R/2)) >= d."""
    return next(R for R in range(1, d + 1) if comb(R, R // 2) >= d)


covering = claim(
    "icl-parity-covering-count",
    states="icl-parity-neuron-count",
    title="Negative heads needed in the proof's covering sense",
    says="The least number of negative heads that cover every sign pattern is the least R with "
    "binom(R, floor(R/2)) >= d: 2, 4, 5 for d = 2, 4, 8, where 2 log2(d) = 2, 4, 6 is printed.",
    role="corrected",
    corrects="icl-parity-neuron-count",
    encodes="part",
    domain={SIZE: choices(2, 3, 4, 5, 6, 7, 8)},
    grid={"smoke": {SIZE: [2, 3, 4, 5, 6, 8]}, "standard": {SIZE: [2, 3, 4, 5, 6, 7, 8]}},
    relation=counts(),
    legs=[leg("search over columns", least_cover, reference=sperner)],
    rivals=[variant("2 log2(d)", reference=lambda d: 2 * (d - 1).bit_length())],
)


# ---- the threshold on p_T, and a symmetry

g, p = sp.symbols("g p", positive=True)
D = sp.symbols("D", integer=True, positive=True)


def outweighs(D, g, p):
    """Whether one S1 pattern outweighs all S2 patterns with the proof's weights, 0 or 1. Shape ()."""
    pairs, quarter = Fraction(D * (D - 1), 2), Fraction(1, 4)
    return pairs * p * (quarter + g) < (1 - p) * (quarter - g)


def largest_pt(D, g):
    """Supremum of the p_T that satisfy the ordering, enclosed by exact bisection. Shape ()."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if outweighs(D, g, middle) else (low, middle)
    return between(low, high)


printed = (sp.Rational(1, 4) - g) / (
    D * (D - 1) / 2 * (sp.Rational(1, 4) + g) + sp.Rational(1, 4) - g
)
pt_threshold = claim(
    "icl-parity-pt-threshold",
    title="The threshold on the probability of the other tasks",
    says="One important pattern outweighs all others together exactly for p_T below the printed threshold.",
    domain={D: integers(2), g: reals(0, Fraction(1, 4), low_open=True, high_open=True)},
    grid={"smoke": {D: [2, 4, 8, 16], g: [Fraction(1, 10), Fraction(1, 5), Fraction(1, 40)]},
          "standard": {D: [2, 4, 8, 16, 64], g: [Fraction(x, 40) for x in range(1, 10)]}},
    closed_form=printed,
    relation=equals(),
    legs=[leg("bisection", largest_pt)],
    rivals=[variant("d^2 for d(d-1)/2", closed_form=printed.subs(D * (D - 1) / 2, D**2))],
)  # fmt: skip
