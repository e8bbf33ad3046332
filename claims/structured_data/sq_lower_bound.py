"""Theorems 2.4 = A.27 and A.26 (quoted): what statistical queries need to learn parities.

Setting. z uniform on {-1, 1}^D; concepts Pi_A, |A| = k, d = C(D, k) of them, pairwise orthogonal. A
statistical query (Q, tau) is answered within tau of E Q(z, y). Error is the probability of a wrong label.

As printed, an algorithm with fewer than d^{1/3}/2 queries of tolerance above 2 d^{-1/3} cannot reach error
below 1/2 - 1/d^3. That threshold is wrong: with no query at all, h = sign(e_k), the sign of the sum of all
parities, has advantage E|e_k| / (2 d) over every concept, which is of order d^{-1/2}.

Repaired. After q queries of tolerance tau answered by their mean over labels, more than d - q/(4 tau^2)
concepts are consistent (Bessel), and no hypothesis beats 1/2 - eps on all of s orthogonal concepts unless
4 eps^2 s < 1. With the printed numbers of queries: error below 1/2 - sqrt(8 / (31 d)) is impossible.

Reference: Theorem 2.4 = A.27, Theorem A.26 after Blum et al. 1994 (dissertation, chapter 2). The cube in the
threshold stands in every quotation that we know; the 1994 text itself was not seen.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import sympy as sp

from theorycheck import at_least, at_most, choices, claim, counts, equals, integers, leg, variant

from ._parities import correlations, cube, elementary, parities, sign, subsets, symmetric_mean

D, k = sp.symbols("D k", integer=True, positive=True)
tau = sp.symbols("tau", positive=True)
d = sp.binomial(D, k)
WHERE = (k <= D, d >= 16)  # the quoted theorem speaks of SQ dimension at least 16


def error_of_sign(D, k):
    """Error of h = sign(e_k) on any one concept (they are alike by symmetry): (1 - E|e_k| / d) / 2, by an
    exact sum over the number of ones; a fair coin where e_k = 0. Shape ()."""
    advantage = symmetric_mean(D, lambda t: abs(elementary(D, k, t))) / len_class(D, k)
    return (1 - advantage) / 2


def error_by_enumeration(D, k):
    """The same on every concept, over the whole cube: the largest. Shape ()."""
    sums = parities(D, k).sum(axis=1)
    return max((1 - c) / 2 for c in correlations([sign(int(s)) for s in sums], D, k))


def len_class(D, k):
    size = Fraction(1)
    for i in range(k):
        size = size * (D - i) / (i + 1)
    return size


GRID = {
    "smoke": [{D: 8, k: 3}, {D: 16, k: 1}, {D: 48, k: 3}],
    "standard": [
        {D: 8, k: 3},
        {D: 16, k: 1},
        {D: 48, k: 3},
        {D: 80, k: 5},
        {D: 112, k: 7},
        {D: 144, k: 9},
    ],
}
SMALL = {
    "smoke": [{D: 8, k: 3}, {D: 7, k: 2}],
    "standard": [{D: 12, k: 3}, {D: 10, k: 3}, {D: 9, k: 2}],
}
ZERO_QUERIES = [
    leg("exact sum", error_of_sign, grid=GRID),
    leg("every concept", error_by_enumeration, grid=SMALL),
]

printed_threshold = claim(
    "structured-sq-lower-bound",
    lhs=r"\max_A\operatorname{err}(h,A)",
    tex=r"\frac12-\binom{D}{k}^{-3}",
    title="No weak SQ learning without input structure, as printed",
    says="Without a query, no hypothesis has error below 1/2 - 1/C(D,k)^3 on every parity of size k.",
    encodes="special-case",
    expect="fail",
    domain={D: integers(1), k: integers(1)},
    where=WHERE,
    grid=GRID,
    closed_form=sp.Rational(1, 2) - d**-3,
    relation=at_least(),
    legs=ZERO_QUERIES,
)

repaired_threshold = claim(
    "structured-sq-lower-bound-corrected",
    lhs=r"\max_A\operatorname{err}(h,A)",
    tex=r"\frac12-\sqrt{\frac{8}{31\binom{D}{k}}}",
    states=["structured-sq-lower-bound", "structured-sq-repaired"],
    title="The threshold that is true",
    says="With the printed numbers of queries, error below 1/2 - sqrt(8/(31 C(D,k))) on every parity is "
    "impossible; the sign of the sum of all parities comes within a factor 2.8 of it.",
    role="corrected",
    corrects="structured-sq-lower-bound",
    encodes="special-case",
    domain={D: integers(1), k: integers(1)},
    where=WHERE,
    grid=GRID,
    closed_form=sp.Rational(1, 2) - sp.sqrt(sp.Rational(8, 31) / d),
    relation=at_least(),
    legs=ZERO_QUERIES,
    rivals=[
        variant("advantage 1/d^3", closed_form=sp.Rational(1, 2) - d**-3),
        variant(
            "advantage 0.2/sqrt(d)", closed_form=sp.Rational(1, 2) - sp.Rational(1, 5) / sp.sqrt(d)
        ),
    ],
)


def all_parities_error(D):
    """Over all 2^D parities (d = 2^D): predict 1 at z = (1, .., 1) and flip a coin elsewhere. Largest error
    over the class, exactly. Shape ()."""
    points = cube(D)
    table = [int(all(z == 1)) for z in points]
    return max((1 - c) / 2 for size in range(D + 1) for c in correlations(table, D, size))


blum_theorem = claim(
    "structured-blum-sq-theorem",
    lhs=r"\max_c\operatorname{err}(h,c)",
    tex=r"\frac12-\frac1{d^3}",
    title="The quoted SQ lower bound, as quoted",
    says="Without a query, no hypothesis has error below 1/2 - 1/d^3 on each of d orthogonal concepts.",
    encodes="special-case",
    expect="fail",
    domain={D: integers(4)},
    grid={"smoke": {D: [4, 6]}, "standard": {D: [4, 6, 8, 10]}},
    closed_form=sp.Rational(1, 2) - 2 ** (-3 * D),
    relation=at_least(),
    legs=[leg("one point of the cube", all_parities_error)],
)

blum_theorem_corrected = claim(
    "structured-blum-sq-theorem-corrected",
    lhs=r"\max_c\operatorname{err}(h,c)",
    tex=r"\frac12-\frac1{2\sqrt d}",
    states=["structured-blum-sq-theorem"],
    title="The SQ lower bound with the threshold that orthogonality gives",
    says="Without a query, no hypothesis has error below 1/2 - 1/(2 sqrt(d)) on each of d orthogonal "
    "concepts.",
    role="corrected",
    corrects="structured-blum-sq-theorem",
    encodes="special-case",
    domain={D: integers(4)},
    grid={"smoke": {D: [4, 6]}, "standard": {D: [4, 6, 8, 10]}},
    closed_form=sp.Rational(1, 2) - 1 / (2 * sp.sqrt(2**D)),
    relation=at_least(),
    legs=[leg("one point of the cube", all_parities_error)],
    rivals=[variant("1/2 - 1/d^3", closed_form=sp.Rational(1, 2) - 2 ** (-3 * D))],
)


# ---- how many concepts a query can rule out

PREDICATES = choices("one parity", "sign of e_k", "majority", "one coordinate", "union of parities")


def query(predicate, D, k):
    """q(z) = Q(z, 1) - Q(z, -1) in {-1, 0, 1} of a predicate Q with values 0 and 1. Shape (2**D,)."""
    points = cube(D)
    if predicate == "majority":
        return [sign(int(s)) for s in points.sum(axis=1)]
    if predicate == "one coordinate":
        return [int(z) for z in points[:, 0]]
    table = parities(D, k)
    if predicate == "one parity":
        return [int(v) for v in table[:, 0]]
    if predicate == "sign of e_k":
        return [sign(int(s)) for s in table.sum(axis=1)]
    return [sign(int(s)) for s in table[:, :3].sum(axis=1)]


def ruled_out(D, k, predicate, tau):
    """Concepts whose answer differs from the mean over labels by more than tau: |E q Pi_A| / 2 > tau."""
    found = correlations(query(predicate, D, k), D, k)
    return sum(abs(c) / 2 > Fraction(tau) for c in found)


p = sp.symbols("predicate")
TAUS = [Fraction(1, 20), Fraction(1, 10), Fraction(1, 5), Fraction(49, 100)]
elimination = claim(
    "structured-sq-repaired",
    lhs=r"\#\{c:|\text{answer}-\text{mean}|>\tau\}",
    title="A query rules out at most 1/(4 tau^2) concepts",
    says="For every predicate, at most 1/(4 tau^2) of the d orthogonal concepts have an answer more than tau "
    "away from the mean over labels.",
    role="derived",
    encodes="part",
    domain={D: integers(1), k: integers(1), p: PREDICATES, tau: choices(*TAUS)},
    where=lambda D, k: k <= D,
    grid={
        "smoke": {D: [7], k: [3], p: list(PREDICATES.values), tau: TAUS},
        "standard": {D: [9, 12], k: [3, 4], p: list(PREDICATES.values), tau: TAUS},
    },
    closed_form=1 / (4 * tau**2),
    relation=at_most(),
    legs=[leg("counted by Walsh-Hadamard", ruled_out)],
    rivals=[variant("1/(16 tau^2)", closed_form=1 / (16 * tau**2))],
)  # fmt: skip


def identified(D, k):
    """Queries [y = Pi_A] of tolerance 2/5, one for each A: how many concepts they tell apart. The answer
    for A is 1 for the right concept and 1/2 for every other, so thresholding at 3/4 finds it."""
    gram = parities(D, k).T @ parities(D, k)
    answers = [[Fraction(1, 2) + Fraction(int(g), 2 ** (D + 1)) for g in row] for row in gram]
    told = {tuple(a - Fraction(2, 5) > Fraction(1, 2) for a in row) for row in answers}
    return len(told)


either = claim(
    "structured-sq-either-suffices",
    states=["structured-sq-lower-bound"],
    title="Many queries of constant tolerance do learn",
    says='The d queries [y = Pi_A] of tolerance 2/5 tell all d concepts apart, so the theorem\'s "or" cannot '
    'be an "and".',
    role="beyond_scope",
    domain={D: integers(1), k: integers(1)},
    where=lambda D, k: k <= D,
    grid={"smoke": {D: [5, 7], k: [2, 3]}, "standard": {D: [6, 9], k: [2, 3, 4]}},
    closed_form=d,
    relation=counts(),
    legs=[leg("told apart", identified)],
    rivals=[
        variant("half of them", closed_form=d / 2),
        variant("sets of any size", closed_form=2**D),
    ],
)


# ---- every labelling by the number of ones


def edges(D, k):
    """E[h f] of h = -sum_j (-1)^j e_j / sum_j C(D, j), a coin of that mean at every z, over every A of size k and
    every P in {1, .., k}, f = 1 where the number of ones in A lies in P and -1 elsewhere: the least and the
    largest. Exact, shape (2,)."""
    ones = cube(D) == 1
    h = [-sum((-1) ** j * elementary(D, j, int(row.sum())) for j in range(k + 1)) for row in ones]
    found = set()
    for a in subsets(D, k):
        by_count = [0] * (k + 1)
        for value, row in zip(h, ones[:, list(a)], strict=True):
            by_count[int(row.sum())] += value
        for labels in itertools.product((-1, 1), repeat=k):
            found.add(sum(s * v for s, v in zip((-1, *labels), by_count, strict=True)))
    total = sum(math.comb(D, j) for j in range(k + 1)) * 2**D
    return Fraction(min(found), total), Fraction(max(found), total)


i = sp.symbols("i", integer=True, nonnegative=True)
whole_class = claim(
    "structured-sq-no-query-any-labels",
    states="structured-sq-lower-bound",
    title="One coin beats the printed threshold on every labelling",
    says="For all A of size k and all P in {1, .., k}, h = -sum_j (-1)^j e_j / sum_j C(D,j) has E[h f_(A,P)] = "
    "1 / sum_j C(D,j), j <= k: no query, error 1/2 - 1/(2 sum_j C(D,j)) on the whole family.",
    role="derived",
    encodes="part",
    domain={D: integers(1), k: integers(1)},
    where=lambda D, k: k <= D,
    grid={"smoke": {D: [4, 5, 6], k: [1, 2, 3]}, "standard": {D: [7, 8], k: [1, 2, 3, 4]}},
    closed_form=1 / (1 + sp.Sum(sp.binomial(D, i), (i, 1, k))),
    relation=equals(),
    legs=[
        leg("least over the class", lambda D, k: edges(D, k)[0]),
        leg("largest over the class", lambda D, k: edges(D, k)[1]),
    ],
    rivals=[
        variant("1/C(D,k)", closed_form=1 / d),
        variant("1/2^D", closed_form=2**-D),
    ],
)
