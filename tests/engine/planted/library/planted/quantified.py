"""Assertions with choices, chances and sizes inside: what a failing point may say of them."""

from fractions import Fraction
from itertools import pairwise

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    attained,
    certificate,
    claim,
    instances,
    integers,
    leg,
    maximises,
    minimises,
    variant,
)

k, n = sp.symbols("k n", integer=True, positive=True)


def poor_witness(k):
    """A construction that reaches k only up to k = 4."""
    return k if k < 5 else k - 1


witness_failed = claim(
    "witness-failed",
    states="chosen",
    covers="there-is",
    says="For every k there is theta of value at least k; the one that is built has less from 5 on.",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 5]}},
    closed_form=k,
    relation=at_least(),
    legs=[leg("built", poor_witness, gives="theta")],
    rivals=[variant("2 k", closed_form=2 * k)],
)


def seeds(rng):
    return {"w": int(rng.integers(0, 4))}


def mostly(w, k):
    """0 for one seed of four."""
    return k * min(w, 1)


bad_draw = claim(
    "bad-draw",
    states="chosen",
    covers="with-probability",
    says="With probability over w, the value is at least k; one draw of four has less.",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2]}},
    closed_form=k,
    relation=at_least(),
    legs=[leg("drawn", mostly, instances=instances(seeds, "w", smoke=12))],
    rivals=[variant("2 k", closed_form=2 * k)],
)


def late(n):
    return Fraction(1) if n < 10 else Fraction(1, n)


small_size = claim(
    "small-size",
    states="chosen",
    covers="eventually",
    says="For large n the value is at most 2/n; small n have 1.",
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 5, 20, 40]}},
    closed_form=2 / n,
    relation=at_most(),
    legs=[leg("value", late)],
    rivals=[variant("1/(2 n)", closed_form=1 / (2 * n))],
)


def outer_failure(k):
    return k if k < 5 else k - 1


outer = claim(
    "outer-for-all",
    states="chosen",
    covers="for-all",
    says="For every k the value is at least k; it is less from 5 on.",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 5]}},
    closed_form=k,
    relation=at_least(),
    legs=[leg("value", outer_failure)],
    rivals=[variant("2 k", closed_form=2 * k)],
)


def two_to_the(k):
    return 2**k


def closed_form_again(k):
    return 2**k


no_model = claim(
    "certificate-without-model",
    states="chosen",
    covers="optimum",
    says="The largest theta has value 2^k: the certificate is the closed form, typed again.",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 3]}},
    closed_form=2**k,
    relation=maximises(),
    legs=[
        attained(two_to_the),
        certificate(closed_form_again, over="theta", lemma="pigeonhole"),
    ],
    rivals=[variant("k^2 + 1", closed_form=k**2 + 1)],
)


def powers(k):
    """What the model is made of."""
    return [2**j for j in range(k + 1)]


def largest_power(k):
    return max(powers(k))


def closed_form_once_checked(k):
    """Breaks down on any other model, and computes nothing from this one."""
    if powers(k)[0] != 1:
        raise ValueError("the first power is 1")
    return 2**k


breaks_down = claim(
    "certificate-that-breaks-down",
    states="chosen",
    covers="optimum",
    says="The largest theta has value 2^k: the certificate looks at the model and is the closed form, typed again.",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 3]}},
    closed_form=2**k,
    relation=maximises(),
    legs=[
        attained(largest_power),
        certificate(closed_form_once_checked, over="theta", lemma="pigeonhole"),
    ],
    rivals=[variant("k^2 + 1", closed_form=k**2 + 1)],
)


def edges(k):
    """Weights of the model."""
    return [Fraction(1, j) for j in range(1, k + 1)]


def best_edge(k):
    return max(edges(k))


def bound_by_edges(k):
    return max(edges(k))


def bound_by_the_construction(k):
    return best_edge(k)


follows = claim(
    "certificate-that-runs-the-construction",
    states="chosen",
    covers="optimum",
    says="No theta is larger than the one that is built, for that is what is computed.",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 3]}},
    closed_form=sp.Integer(1),
    relation=maximises(),
    legs=[
        attained(best_edge),
        certificate(bound_by_the_construction, over="theta", lemma="pigeonhole"),
    ],
    rivals=[variant("2", closed_form=sp.Integer(2))],
)


unknown_lemma = claim(
    "lemma-that-nobody-proved",
    states="chosen",
    covers="optimum",
    says="No theta is larger than the largest weight, by a lemma that is but a word.",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 3]}},
    closed_form=sp.Integer(1),
    relation=maximises(),
    legs=[
        attained(best_edge),
        certificate(bound_by_edges, over="theta", lemma="obvious"),
    ],
    rivals=[variant("2", closed_form=sp.Integer(2))],
)


def smallest_pair(k):
    """The least distance of two different points of 0, 1, 3, 6, ..., by neighbours only."""
    points = [j * (j + 1) // 2 for j in range(k + 1)]
    return min(b - a for a, b in pairwise(points[1:]))


minimum_over_too_few = claim(
    "minimum-over-too-few",
    states="chosen",
    covers="least",
    says="The least distance of two of the points is 2: the first pair, of distance 1, is left out.",
    domain={k: integers(2)},
    grid={"smoke": {k: [2, 3, 4]}},
    closed_form=sp.Integer(2),
    relation=minimises(),
    legs=[
        attained(smallest_pair),
        certificate(smallest_pair, over="pair", name="bound", lemma="pigeonhole"),
    ],
    rivals=[variant("3", closed_form=sp.Integer(3))],
)


def rows_drawn(rng, k, rows):
    """A generic table, known by the size that it has."""
    return {"w": int(rng.integers(1, 4))}


def generic_rank(w, k, rows):
    """Rank of a generic table of so many rows and k columns."""
    return min(rows, k) if w else 0


rows = sp.Symbol("rows", integer=True, positive=True)
wider_than_the_chance = claim(
    "chance-in-too-wide-a-domain",
    states="chosen",
    covers="with-probability",
    says="With probability 1 the rank of a table with k columns is k; with fewer rows it never is.",
    domain={k: integers(1), rows: integers(1)},
    grid={"smoke": [{k: 1, rows: 1}, {k: 3, rows: 4}]},
    closed_form=k,
    legs=[leg("drawn", generic_rank, instances=instances(rows_drawn, "w", smoke=3))],
    rivals=[variant("rows", closed_form=rows)],
)


def limit_of_others(k, rows):
    """1 where there are rows beyond the k-th, else 2."""
    return 1 if rows > k else 2


wider_than_the_limit = claim(
    "limit-in-too-wide-a-domain",
    states="chosen",
    covers="large-with-k",
    says="As n grows the value is 1; with no more than k rows it is 2. n is left open.",
    left={"n": "argued, not run"},
    domain={k: integers(1), rows: integers(2)},
    grid={"smoke": [{k: 1, rows: 2}, {k: 3, rows: 5}]},
    closed_form=sp.Integer(1),
    legs=[leg("value", limit_of_others)],
    rivals=[variant("2", closed_form=sp.Integer(2))],
)
