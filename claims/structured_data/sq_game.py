r"""Theorems 2.4 = A.27 and A.26 repaired: a learner by statistical queries against the oracle that answers the mean.

Setting. d concepts with values +-1, pairwise orthogonal, or with correlations of at most 1/d^3 (Definition A.25). A
query Q of values 0 and 1 is answered by its mean over both labels, E (Q(z, 1) + Q(z, -1))/2, which is within tau of
the truth for every concept f with |E q f| <= tau, q = (Q(z, 1) - Q(z, -1))/2: the others are ruled out. These answers
do not depend on the concept, so that a learner, however adaptive, is here a list of queries and a hypothesis h. Of
the concepts that are left the one on which h does worst is chosen.

Statements. With fewer than d^(1/3)/2 queries of 1/tau < d^(1/3)/2, d >= 16 where correlations are not 0, h has error
at least 1/2 - sqrt(8/(31 d)) there. Per query at most 1/(4 tau^2) concepts fall, times 1 + 1/d^2 with correlations
(the Gram matrix is within (d - 1)/d^3 of the identity), and h has 4 eps^2 s <= 1 + 1/d^2 on s concepts. As 8 q^3 <= d
- 1 for a whole number q, that is enough from d = 96 on; up to d = 64 nothing is ruled out (tau > 1/2), and between
them at most two concepts are.

Reference: repairs Theorems 2.4, A.26 and A.27 (dissertation, chapter 2, appendix A).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from ._parities import cube, parities, subsets

D, k = sp.symbols("D k", integer=True, positive=True)
d = sp.binomial(D, k)
FLOOR = sp.Rational(1, 2) - sp.sqrt(sp.Rational(8, 31) / d)


def allowance(count):
    """Most queries with 8 q^3 < d, and the least tolerance in thousandths with 8/tau^3 < d, at most 1."""
    q = 0
    while 8 * (q + 1) ** 3 < count:
        q += 1
    n = next((n for n in range(1, 1000) if count * n**3 > 8 * 1000**3), 1000)
    return q, Fraction(n, 1000)


def left_over(table, queries, tau):
    """Concepts within tau of the mean over labels for every query. ``table``: (points, d), ``queries``: q of -1, 0, 1,
    in halves."""
    kept = np.ones(table.shape[1], dtype=bool)
    for q in queries:
        sums = np.abs(np.asarray(q, dtype=np.int64) @ table)
        kept &= sums <= 2 * tau * len(table)
    return [int(i) for i in np.flatnonzero(kept)]


def worst_left(table, queries, h, tau):
    """Of the concepts that are left the one that h knows least."""
    seen = np.asarray(h, dtype=np.int64) @ table
    return min(left_over(table, queries, tau), key=lambda i: int(seen[i]))


def error_on(table, i, h):
    seen = int(np.asarray(h, dtype=np.int64) @ table[:, i])
    return (1 - Fraction(seen, len(table))) / 2


def odd_counts(D, k):
    """y = 1 where an odd number of the patterns in A is on: (-1)^(k + 1) Pi_A. Shape (2^D, d)."""
    return (-1) ** (k + 1) * parities(D, k)


def resisting(queries, h, tau, D, k):
    """The concept: its number among the sets of size k."""
    return worst_left(odd_counts(D, k), queries, h, tau)


def resisting_member(queries, h, tau, D, k):
    """The same as (A, P), P the odd counts."""
    counted = [s for s in range(k + 1) if s % 2]
    return subsets(D, k)[resisting(queries, h, tau, D, k)], counted


def error_of(queries, h, tau, D, k):
    """Error of h on it. Shape ()."""
    return error_on(odd_counts(D, k), resisting(queries, h, tau, D, k), h)


def error_on_member(queries, h, tau, D, k):
    """The same from (A, P), label by label. Shape ()."""
    found, counted = resisting_member(queries, h, tau, D, k)
    table = (1 + parities(D, 1)) // 2
    on = table[:, list(found)].sum(axis=1)
    y = np.where(np.isin(on, counted), 1, -1)
    return (1 - Fraction(int(y @ np.asarray(h, dtype=np.int64)), len(y))) / 2


def signs_of(sums):
    return [int(s) for s in np.sign(sums)]


def asked(rng, table, q):
    """q queries: a concept, the sign of a sum of three, or nothing in particular."""
    made = []
    for _ in range(q):
        picked = rng.integers(0, table.shape[1], 3)
        kind = int(rng.integers(0, 3))
        if kind == 2:
            made.append([int(v) for v in rng.integers(-1, 2, len(table))])
        else:
            made.append(signs_of(table[:, picked[: 1 + 2 * kind]].sum(axis=1)))
    return made


def learner(rng, D, k, extra=0):
    """Queries and tolerance within the budget; h the sign of the sum of what is left, or of some of it."""
    table = odd_counts(D, k)
    q, tau = allowance(table.shape[1])
    queries = asked(rng, table, q + extra)
    left = left_over(table, queries, tau)
    some = [i for i in left if int(rng.integers(0, 4))] or left
    return {"queries": queries, "h": signs_of(table[:, some].sum(axis=1)), "tau": tau}


def nothing_asked(rng, D, k):
    """No query; h is the sign of the sum of all concepts."""
    table = odd_counts(D, k)
    tau = allowance(table.shape[1])[1]
    return {"queries": [], "h": signs_of(table.sum(axis=1)), "tau": tau}


def by_elimination(rng, D, k):
    """A query for every concept but the last, tau = 49/100; h is the last."""
    table = odd_counts(D, k)
    columns = [[int(v) for v in column] for column in table.T]
    return {"queries": columns[:-1], "h": columns[-1], "tau": Fraction(49, 100)}


COUNTS = "(d - q*v**2/4)*4*(8/(31*d)) >= 1"
BUDGET = ["d in 1..oo", "q in [0, d**(1/3)/2]", "v in [0, d**(1/3)/2]"]
SIZES = {
    "domain": {D: integers(1), k: integers(1)},
    "where": k <= D,
    "grid": {"smoke": [{D: 7, k: 3}, {D: 9, k: 4}], "standard": [{D: 9, k: 3}, {D: 10, k: 5}]},
    "closed_form": FLOOR,
    "relation": at_least(),
}
FIELDS = "queries h tau"


def game(statement, clause, program, gives, chooser, names, reads):
    """The learner against the mean oracle, and the counts."""
    counts = formula_leg(
        "counts", typed(COUNTS, over=BUDGET), over=names, covers=f"{statement}/{clause}"
    )
    run = leg(
        "learners",
        program,
        gives=gives,
        chosen_by=chooser,
        where=D <= 10,
        instances=instances(learner, FIELDS, smoke=4, standard=8),
        covers=f"{statement}/{clause}",
    )
    idle = leg(
        "nothing asked",
        program,
        where=D <= 10,
        instances=instances(nothing_asked, FIELDS, smoke=1),
        covers=f"{statement}/{clause}",
    )
    wrong = [
        variant("1/2 - 1/d^3", closed_form=sp.Rational(1, 2) - d**-3, leg="nothing asked"),
        variant(
            "a query for every concept",
            leg="learners",
            instances=instances(by_elimination, FIELDS, smoke=1),
            at=[{D: 7, k: 3}],
        ),
        *rivals_of(
            counts,
            {"d^(1/3) queries": {"over": [BUDGET[0], "q in [0, d**(1/3)]", BUDGET[2]]}},
        ),
    ]
    return {
        "covers": f"{statement}/{clause}",
        "legs": [run, idle, counts],
        "rivals": wrong,
        "reads": reads,
    }


survivor = claim(
    "structured-sq-survivor",
    states="structured-sq-repaired",
    lhs=r"\operatorname{err}(h,i)",
    tex=r"\frac12-\sqrt{\frac8{31\binom{D}{k}}}",
    title="A concept that no small number of queries finds",
    says=r"For fewer than $d^{1/3}/2$ queries of $1/\tau<d^{1/3}/2$ there is a concept, consistent with the answers, "
    r"on which the hypothesis has error at least $\frac12-\sqrt{8/(31d)}$.",
    role="derived",
    **game(
        "structured-sq-repaired",
        "explicit-threshold",
        error_of,
        "i",
        resisting,
        "algorithm",
        {"algorithm": FIELDS},
    ),
    **SIZES,
)

member = claim(
    "structured-separation-no-structure",
    states="structured-separation",
    lhs=r"\operatorname{err}(h,(A,P))",
    tex=r"\frac12-\sqrt{\frac8{31\binom{D}{k}}}",
    title="Without structure a member that no small number of queries finds",
    says=r"With uniform patterns, for fewer than $\binom{D}{k}^{1/3}/2$ queries of $1/\tau<\binom{D}{k}^{1/3}/2$ "
    r"there are $A$ and $P$, the odd counts, on which the hypothesis has error at least "
    r"$\frac12-\sqrt{8/(31\binom{D}{k})}$.",
    **game(
        "structured-separation",
        "structure-needed",
        error_on_member,
        "A P",
        resisting_member,
        "algorithm",
        {"algorithm": FIELDS},
    ),
    **SIZES,
)


# ---------------------------------------------------------------- any class of dimension d


def concepts(bits, sets, twist, flips):
    """Parities of the named sets times one quadratic sign, some values turned. Shape (2^bits, d)."""
    points = cube(bits)
    on = (1 - points) // 2
    common = (-1) ** sum((on[:, i] * on[:, j] for i, j in twist), np.zeros(len(on), dtype=np.int64))
    table = np.stack([points[:, list(s)].prod(axis=1) * common for s in sets], axis=1)
    for concept, point in flips:
        table[point, concept] *= -1
    return table


def advantage(bits, sets, twist, flips, asks, h, tau):
    """E h f of the concept that resists; queries and h are signs of sums of concepts. Shape ()."""
    table = concepts(bits, sets, twist, flips)
    queries = [signs_of(table[:, picked].sum(axis=1)) for picked in asks]
    guess = signs_of(table[:, h].sum(axis=1))
    return 1 - 2 * error_on(table, worst_left(table, queries, guess, tau), guess)


def largest_advantage(bits, sets, twist, flips, asks, h, tau, of=lambda d: number(8) / (31 * d)):
    """2 sqrt(8/(31 d)). Shape ()."""
    with ctx.workprec(BITS):
        return 2 * of(arb(len(sets))).sqrt()


def as_quoted(bits, sets, twist, flips, asks, h, tau):
    """2/d^3."""
    return largest_advantage(bits, sets, twist, flips, asks, h, tau, of=lambda d: 1 / d**6)


def some_sets(rng, bits, count):
    order = [int(i) for i in rng.permutation(2**bits)][:count]
    return [[j for j in range(bits) if i >> j & 1] for i in order]


def a_class(rng, bits=8, count=None, extra=0):
    """Up to 150 orthogonal concepts and a learner."""
    count = count or int(rng.integers(66, 151))
    q, tau = allowance(count)
    return {
        "bits": bits,
        "sets": some_sets(rng, bits, count),
        "twist": [(i, i + 1) for i in range(bits - 1) if int(rng.integers(0, 2))],
        "flips": [],
        "asks": [
            [int(i) for i in rng.integers(0, count, 1 + 2 * int(rng.integers(0, 2)))]
            for _ in range(q + extra)
        ],
        "h": [i for i in range(count) if int(rng.integers(0, 4))],
        "tau": tau,
    }


def correlated(rng):
    """16 concepts on 8192 points, eight of them turned at one common point, so that pairs correlate by 1/16^3."""
    found = a_class(rng, bits=13, count=16)
    return {**found, "flips": [(i, 5) for i in range(8)]}


def sum_of_all(rng):
    """Nothing asked, h the sign of the sum of 64 orthogonal concepts."""
    return {**a_class(rng, bits=6, count=64), "asks": [], "h": list(range(64))}


def all_but_one(rng):
    """A query for each of 66 concepts but the last, which is h, tau = 49/100."""
    found = a_class(rng, bits=7, count=66)
    return {**found, "asks": [[i] for i in range(65)], "h": [65], "tau": Fraction(49, 100)}


CLASS = "bits sets twist flips asks h tau"
ANY = "concept_class algorithm"
GRAM = formula_leg("Gram matrix", typed("(d - 1)/d**3 <= 1/d**2", over="d in 16..oo"), over=ANY)
WHOLE = formula_leg(
    "a whole number of queries",
    typed("512*u**3 > (d - 1)*d**2", over=["d in [1, oo)", "u in ((d - 1/3)/8, oo)"]),
    over=ANY,
)
MANY = formula_leg(
    "from 96 on",
    typed("(d - (d - 1/3)/32*(1 + 1/d**2))*32/(31*d) >= 1 + 1/d**2", over="d in [96, oo)"),
    over=ANY,
)
BETWEEN = formula_leg(
    "65 to 95",
    typed(
        "(d - 2)*32/(31*d) >= 1 + 1/d**2 and (d**(1/3)/2)**2/4*(1 + 1/d**2) < 2 and 8*3**3 > d",
        over="d in 65..95",
    ),
    over=ANY,
)
FEW = formula_leg("up to 64", typed("32/31 >= 1 + 1/d**2", over="d in 16..64"), over=ANY)

any_class = claim(
    "structured-blum-sq-theorem-repaired",
    states="structured-blum-sq-theorem",
    lhs=r"\mathbb E[hf_i]",
    tex=r"2\sqrt{\tfrac8{31d}}",
    title="The quoted SQ lower bound with a threshold that is true",
    says=r"For $d\ge16$ concepts with correlations of at most $1/d^3$ and fewer than $d^{1/3}/2$ queries of "
    r"$1/\tau<d^{1/3}/2$ a concept that is consistent with the answers has error at least $\frac12-\sqrt{8/(31d)}$.",
    role="corrected",
    corrects="structured-blum-sq-theorem",
    covers="repaired",
    reads={"concept_class": "bits sets twist flips", "algorithm": "asks h tau"},
    **ONE_POINT,
    legs=[
        bounded(CLASS, "orthogonal classes", advantage, largest_advantage, a_class, 4, 12),
        bounded(CLASS, "correlated", advantage, largest_advantage, correlated),
        bounded(CLASS, "nothing asked", advantage, largest_advantage, sum_of_all),
        GRAM,
        WHOLE,
        MANY,
        BETWEEN,
        FEW,
    ],
    rivals=[
        variant("2/d^3", reference=as_quoted, leg="nothing asked"),
        variant(
            "a query for every concept",
            leg="orthogonal classes",
            instances=instances(all_but_one, CLASS, smoke=1),
        ),
        *rivals_of(GRAM, {"1/d^3": "(d - 1)/d**3 <= 1/d**3"}),
        *rivals_of(WHOLE, {"(d - 1)/8": {"over": ["d in [1, oo)", "u in ((d - 1)/8, oo)"]}}),
        *rivals_of(MANY, {"from 30 on": {"over": "d in [30, oo)"}}),
        *rivals_of(BETWEEN, {"from 64 on": {"over": "d in 64..95"}}),
        *rivals_of(FEW, {"from 2 on": {"over": "d in 2..64"}}),
    ],
)
