r"""Proposition 3.23: no fixed feature map learns all structured parities.

Setting. Psi into [-1, 1]^N, fixed before the block A of size k; h = <Psi, w>, |w| <= B. The law of Proposition 3.23
(r = 1, p_A = 1/4, p_o = 1/2) is uniform on {-1, 1}^d with weight 1/2; y = chi_A.

Statements. (1) The characters chi_A are orthonormal under the uniform law, so by Bessel's inequality the mean of
|E[chi_A Psi]|^2 over the C(d, k) sets is at most N/C(d, k), and some A, chosen from Psi alone, has no more. (2)
hinge(z) >= 1 - z on the uniform half and >= 0 on the other: every h in the ball has loss at least 1/2 - (B/2)
|E[chi_A Psi]|, hence 1/2 - (B/2) sqrt(N/C(d, k)). (3) C(16 k, k) >= 16^k, each factor (16 k - i)/(k - i) being at
least 16, so that the printed 1/2 - sqrt(N) B/(2^k sqrt 2) follows at k = d/16. (4) On uniform inputs the weight is 1:
some A has loss at least 1 - B sqrt(N/C(d, k)).

Reference: lines 988, 1040, 1044. As in the work on structured data, with its half.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import ceil, isqrt, prod

import sympy as sp

from theorycheck import (
    Proof,
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._network import hinge, length, with_length

d, k, N = sp.symbols("d k N", integer=True, positive=True)


def characters(d, k):
    """chi_A on the cube for every A of size k, as rows."""
    cube = list(product((1, -1), repeat=d))
    return [[prod(x[i] for i in a) for x in cube] for a in combinations(range(d), k)]


def seen(table, d, k):
    """|E[chi_A Psi]|^2 for every A; ``table``: N features on the cube."""
    return [
        sum(Fraction(sum(c * v for c, v in zip(row, f, strict=True)), 2**d) ** 2 for f in table)
        for row in characters(d, k)
    ]


def least_seen(table, d, k):
    """min over A of |E[chi_A Psi]|^2. Shape ()."""
    return min(seen(table, d, k))


def mean_seen(table, d, k):
    """mean over A of |E[chi_A Psi]|^2. Shape ()."""
    found = seen(table, d, k)
    return sum(found) / len(found)


def all_characters(d, k):
    """The same for Psi = all chi_A. Shape ()."""
    return mean_seen(characters(d, k), d, k)


def orthonormal(d, k):
    """The characters are orthonormal under the uniform law."""
    return gram_is_identity(characters(d, k), 2**d)


def gram_is_identity(rows, size):
    """Whether rows on ``size`` equally likely points are orthonormal."""
    for m, one in enumerate(rows):
        for n, other in enumerate(rows[m:], start=m):
            if sum(u * v for u, v in zip(one, other, strict=True)) != (size if m == n else 0):
                return Proof(False, "not orthonormal", {}, {"sets": [m, n]})
    return Proof(True, "Bessel's inequality for an orthonormal family", {"functions": len(rows)})


def with_negatives(d, k):
    """The class of all signed characters."""
    rows = characters(d, k)
    return gram_is_identity([*rows, *([-v for v in row] for row in rows)], 2**d)


def features(rng, d, N):
    """Features with values in {-1, 0, 1}."""
    return {"table": [[int(v) for v in rng.integers(-1, 2, 2**d)] for _ in range(N)]}


def larger(rng, d, N):
    """The same, 20 times as large."""
    return {"table": [[20 * v for v in row] for row in features(rng, d, N)["table"]]}


def coordinates(rng, d, N):
    """The first N coordinates, and constants from there: uncorrelated with a parity of more than one coordinate where
    inputs are uniform, correlated with it where A is all 1 or all -1."""
    cube = list(product((1, -1), repeat=d))
    return {"table": [[x[i] if i < d else 1 for x in cube] for i in range(N)]}


DRAWN = instances(features, "table", smoke=3, standard=6)
DOMAIN = {d: integers(1), k: integers(1), N: integers(1)}
RANGE = sp.And(k <= d, d <= 7, N <= 80)
SIZES = {
    "smoke": [{d: 4, k: 2, N: 1}, {d: 5, k: 3, N: 4}],
    "standard": {d: [4, 6], k: [1, 3], N: [2, 6]},
}
ALL = sp.Eq(N, sp.binomial(d, k))
FULL = {"smoke": [{d: 4, k: 2, N: 6}, {d: 5, k: 3, N: 10}]}

# the product of two characters is another one, whose coordinates are independent fair signs
COORDINATE = typed("(1*q + (-1)*q)/2 == 0", over="q in R")
COORDINATE_RIVALS = {"a biased sign": "(2*q + (-1)*q)/3 == 0"}
# 0 <= E (psi - sum c_A chi_A)^2 = p - 2 s + s, p = E psi^2 <= 1, s = sum c_A^2
BESSEL = typed("s <= 1", over=["p in [0, 1]", "s in R"], where="p - 2*s + s >= 0")
BESSEL_RIVALS = {"features up to 2": {"over": ["p in [0, 4]", "s in R"]}}

ANY = "d k N Psi"
FAIR = formula_leg("a character's mean", COORDINATE, over=ANY)
TERMS = formula_leg("Bessel for each feature", BESSEL, over=ANY)

parseval = claim(
    "gradfeat-fixed-feature-parseval",
    lhs=r"\binom{d}{k}^{-1}\sum_A\big\|\mathbb E[\chi_A\Psi]\big\|^2",
    states="gradfeat-fixed-feature-lower-bound",
    title="What fixed features see of the parities on average",
    says=r"$\Psi$ into $[-1,1]^N$ has mean $\|\mathbb E[\chi_A\Psi]\|^2\le N/\binom{d}{k}$ over all $A$ of size $k$.",
    covers="parseval",
    domain=DOMAIN,
    where=RANGE,
    grid=SIZES,
    closed_form=N / sp.binomial(d, k),
    relation=at_most(),
    legs=[
        leg("drawn features", mean_seen, instances=DRAWN, required=False),
        leg(
            "coordinates",
            mean_seen,
            instances=instances(coordinates, "table", smoke=1),
            grid={"smoke": [{d: 4, k: 1, N: 2}, {d: 5, k: 3, N: 4}]},
            required=False,
        ),
        leg("all characters (equality)", all_characters, where=ALL, grid=FULL, required=False),
        leg("orthonormal", orthonormal, arithmetic="proof", required=False),
        FAIR,
        TERMS,
    ],
    rivals=[
        *rivals_of(FAIR, COORDINATE_RIVALS),
        *rivals_of(TERMS, BESSEL_RIVALS),
        variant(
            "N/C(d, k)^2", closed_form=N / sp.binomial(d, k) ** 2, leg="all characters (equality)"
        ),
        variant(
            "features beyond [-1, 1]",
            leg="drawn features",
            instances=instances(larger, "table", smoke=1),
        ),
        variant("signed characters", simulation=with_negatives, leg="orthonormal"),
    ],
)

# z = y h on the half of weight 1/2 where inputs are uniform; E_U[y h] <= B c, c = |E_U[chi_A Psi]| <= sqrt(s)
LINEAR_TEXT = typed("Max(0, 1 - z) >= 1 - z and Max(0, 1 - z) >= 0", over="z in R")
BALL_TEXT = typed(
    "(1 - B*c)/2 >= 1/2 - (B/2)*q", over=["B in (0, oo)", "q in (0, oo)", "c in [0, q]"]
)
LINEAR = formula_leg("linear bound", LINEAR_TEXT, over="B w")
BALL = formula_leg("Cauchy-Schwarz", BALL_TEXT, over="B w")
HINGE_RIVALS = {"twice as steep": "Max(0, 1 - z) >= 1 - 2*z and Max(0, 1 - z) >= 0"}
BALL_RIVALS = {
    "the whole law": "(1 - B*c)/2 >= 1 - (B/2)*q",
    "half the slope": "(1 - B*c)/2 >= 1/2 - (B/4)*q",
}

general = claim(
    "gradfeat-fixed-feature-bound",
    lhs=r"\min_A\big\|\mathbb E[\chi_A\Psi]\big\|^2",
    states="gradfeat-fixed-feature-lower-bound",
    title="One block defeats every linear model on fixed features",
    says=r"For every $\Psi$ some $A$ has $\|\mathbb E[\chi_A\Psi]\|^2\le N/\binom{d}{k}$, so that every $\|w\|\le "
    r"B$ has hinge loss "
    r"at least $\frac12-\frac B2\sqrt{N/\binom{d}{k}}$ on it.",
    covers="general-bound",
    domain=DOMAIN,
    where=RANGE,
    grid=SIZES,
    closed_form=N / sp.binomial(d, k),
    relation=at_most(),
    legs=[
        leg(
            "drawn features",
            least_seen,
            gives="A",
            instances=DRAWN,
            required=False,
        ),
        leg("all characters (equality)", all_characters, where=ALL, grid=FULL, required=False),
        leg("orthonormal", orthonormal, arithmetic="proof", required=False),
        FAIR,
        TERMS,
        LINEAR,
        BALL,
    ],
    rivals=[
        *rivals_of(FAIR, COORDINATE_RIVALS),
        *rivals_of(TERMS, BESSEL_RIVALS),
        variant(
            "N/C(d, k)^2", closed_form=N / sp.binomial(d, k) ** 2, leg="all characters (equality)"
        ),
        variant("signed characters", simulation=with_negatives, leg="orthonormal"),
        *rivals_of(LINEAR, HINGE_RIVALS),
        *rivals_of(BALL, BALL_RIVALS),
    ],
)

EVERY = "d k A Psi B w"
HALF = formula_leg("linear bound", LINEAR_TEXT, over=EVERY)
SCALE = formula_leg("Cauchy-Schwarz", BALL_TEXT, over=EVERY)


def features_and_ball(rng):
    """Two features in [-1, 1] on {-1, 1}^3, a weight of rational length, and a law on the other half."""
    return {
        "table": [[v / 10 for v in rng.rational((8,), 5)] for _ in range(2)],
        "w": with_length(rng, 2),
        "biased": [int(v) for v in rng.integers(1, 6, (8,))],
    }


def the_parity(rng):
    """The feature that is the parity, at margin 1, and an other half without loss."""
    table = [[prod(x[:2]) for x in product((1, -1), repeat=3)], [0] * 8]
    return {"table": table, "w": [Fraction(1), Fraction(0)], "biased": [1] * 8}


def hinge_on_law(table, w, biased):
    """The mean hinge loss for the parity of every A of size 2: half uniform inputs, half of the drawn law. Length 3."""
    outputs = [sum(v * f[i] for v, f in zip(w, table, strict=True)) for i in range(8)]
    found = []
    for row in characters(3, 2):
        losses = [hinge(y * g) for y, g in zip(row, outputs, strict=True)]
        other = sum((Fraction(p) * v for p, v in zip(biased, losses, strict=True)), Fraction(0))
        found.append(sum(losses) / 16 + other / sum(biased) / 2)
    return found


def linear_bound(table, w, biased, half=Fraction(1, 2)):
    """1/2 - (B/2) |E_U[chi_A Psi]|, rounded up by at most 1/1000 in the root, B = |w|. Length 3."""
    return [half - length(w) * root_above(c) / 2 for c in seen(table, 3, 2)]


def root_above(square):
    """The least multiple of 1/1000 whose square is not below this."""
    return Fraction(isqrt(ceil(square * 10**6) - 1) + 1 if square else 0, 1000)


def with_both_halves(table, w, biased):
    return linear_bound(table, w, biased, Fraction(1))


def models(name, draw, count):
    return beside(
        name,
        hinge_on_law,
        r"\mathbb E\,\mathrm{hinge}(\chi_A\langle w,\Psi\rangle)",
        r"\tfrac12-\tfrac B2\|\mathbb E_U[\chi_A\Psi]\|",
        relation=at_least(),
        reference=linear_bound,
        instances=instances(draw, "table w biased", smoke=count, standard=4 * count),
    )


dual = claim(
    "gradfeat-fixed-feature-dual",
    states="gradfeat-fixed-feature-lower-bound",
    title="Loss of every linear model on one block",
    says=r"Every $\|w\|\le B$ has hinge loss at least $\frac12-\frac B2\|\mathbb E_U[\chi_A\Psi]\|$, for all $A$ "
    r"and $\Psi$.",
    covers="dual-certificate",
    relation=at_least(),
    legs=[
        HALF,
        SCALE,
        models("drawn models", features_and_ball, 6),
        models("the parity", the_parity, 1),
    ],
    rivals=[
        *rivals_of(HALF, HINGE_RIVALS),
        *rivals_of(SCALE, BALL_RIVALS),
        variant("both halves", reference=with_both_halves, leg="the parity"),
    ],
)


# ---- the printed bound at d = 16 k, where d = 16 alone can be enumerated

PRINTED_ANY = "d N Psi"
P_FAIR = formula_leg("a character's mean", COORDINATE, over=PRINTED_ANY)
P_TERMS = formula_leg("Bessel for each feature", BESSEL, over=PRINTED_ANY)
FACTORS = formula_leg(
    "C(16 k, k) >= 16^k",
    typed("(16*k - i)/(k - i) >= 16", over=["k in 1..oo", "i in 0..k-1"]),
    over="d",
)
WEAKER = formula_leg(
    "the printed slope", typed("1/(2*4**k) <= 1/(2**k*sqrt(2))", over="k in 1..oo"), over="d N"
)


def least_at_sixteen(table, d):
    """min over single coordinates of |E[chi_A Psi]|^2. Shape ()."""
    return min(single(table, d))


def single(table, d):
    """|E[x_i Psi]|^2 for every coordinate i."""
    found = []
    for i in range(d):
        stride = 2 ** (d - 1 - i)
        signs = [1 if (n // stride) % 2 == 0 else -1 for n in range(2**d)]
        found.append(
            sum(
                Fraction(sum(s * v for s, v in zip(signs, f, strict=True)), 2**d) ** 2
                for f in table
            )
        )
    return found


def first_coordinate(table, d):
    """A = {1} whatever Psi is."""
    return single(table, d)[0]


def sees_the_first(rng, d, N):
    """Features that are the first coordinate."""
    return {"table": [[1 if n < 2 ** (d - 1) else -1 for n in range(2**d)]] * N}


printed = claim(
    "gradfeat-fixed-feature-printed",
    lhs=r"\min_A\big\|\mathbb E[\chi_A\Psi]\big\|^2",
    tex=r"N/16^{d/16}",
    states="gradfeat-fixed-feature-lower-bound",
    title="The printed bound for fixed features",
    says=r"At $d=16k$ every $\Psi$ has some $A$ on which every $\|w\|\le B$ has hinge loss at least $\frac12-\sqrt N"
    r"B/(2^k\sqrt2)$.",
    covers="exists-A",
    domain={d: integers(16, 16), N: integers(1)},
    where=N <= 4,
    grid={"smoke": [{d: 16, N: 1}], "standard": [{d: 16, N: 2}]},
    closed_form=N / 16 ** (d / 16),
    relation=at_most(),
    legs=[
        leg(
            "drawn features",
            least_at_sixteen,
            gives="A",
            required=False,
            instances=instances(features, "table", smoke=1, standard=2),
        ),
        P_FAIR,
        P_TERMS,
        FACTORS,
        WEAKER,
        LINEAR,
        BALL,
    ],
    rivals=[
        variant(
            "A fixed before Psi",
            simulation=first_coordinate,
            leg="drawn features",
            instances=instances(sees_the_first, "table", smoke=1),
        ),
        *rivals_of(P_FAIR, COORDINATE_RIVALS),
        *rivals_of(P_TERMS, BESSEL_RIVALS),
        *rivals_of(FACTORS, {"17": "(16*k - i)/(k - i) >= 17"}),
        *rivals_of(WEAKER, {"1/4^k": "1/(2*4**k) <= 1/(4**k*sqrt(8))"}),
        *rivals_of(LINEAR, HINGE_RIVALS),
        *rivals_of(BALL, BALL_RIVALS),
    ],
)

WHOLE = formula_leg(
    "Cauchy-Schwarz",
    typed("1 - B*c >= 1 - B*q", over=["B in (0, oo)", "q in (0, oo)", "c in [0, q]"]),
    over="B w",
)

uniform = claim(
    "gradfeat-fixed-feature-uniform",
    lhs=r"\min_A\big\|\mathbb E[\chi_A\Psi]\big\|^2",
    states="gradfeat-uniform-parity-separation",
    title="Fixed features on uniform parities",
    says=r"For every $\Psi$ some $A$ forces hinge loss at least $1-B\sqrt{N/\binom{d}{k}}$ on every $\|w\|\le B$.",
    covers="kernel-lower-bound",
    domain=DOMAIN,
    where=RANGE,
    grid=SIZES,
    closed_form=N / sp.binomial(d, k),
    relation=at_most(),
    legs=[
        leg(
            "drawn features",
            least_seen,
            gives="A",
            instances=DRAWN,
            required=False,
        ),
        leg("all characters (equality)", all_characters, where=ALL, grid=FULL, required=False),
        FAIR,
        TERMS,
        LINEAR,
        WHOLE,
    ],
    rivals=[
        variant(
            "N/C(d, k)^2", closed_form=N / sp.binomial(d, k) ** 2, leg="all characters (equality)"
        ),
        *rivals_of(FAIR, COORDINATE_RIVALS),
        *rivals_of(TERMS, BESSEL_RIVALS),
        *rivals_of(LINEAR, HINGE_RIVALS),
        *rivals_of(WHOLE, {"half the slope": "1 - B*c >= 1 - (B/2)*q"}),
    ],
)
