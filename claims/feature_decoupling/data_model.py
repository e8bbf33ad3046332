r"""Definition 2.1: moments of the sparse coding model, empty codes, exactly flat dictionaries.

Setting. x = M z + xi, z and xi independent, M with orthonormal columns; z_j independent, symmetric in {-1, 0, 1}, q =
P[z_j != 0] = C_z log log d/d; xi Gaussian with variance s2 = C_xi sqrt(log d)/d in every direction.

Statements. (1) Cov x = q M M^T + s2 I, E |M z|^2 = q d, E |xi|^2 = s2 d1. (2) P[z = 0] = (1 - q)^d, which is (log
d)^-C_z up to the factor e^(-q^2 d) (q <= 1/2). (3) The first d columns of Sylvester's Hadamard matrix over sqrt d1
are orthonormal and have all entries +-1/sqrt d1.

Reference: lines 106-116. log log d is positive from d = 3 on.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import codes, flat_columns

d, e, n = sp.symbols("d e n", integer=True, positive=True)
q = sp.Symbol("q", nonnegative=True)


def products(d, e):
    """<M_j, M_k> and the largest entry of M, times n = 2^e resp. sqrt n: rows of a d x (d + 1) table. Shape (d, d
    + 1)."""
    size = 2**e
    columns = flat_columns(d, size)
    return [
        [sum(x * y for x, y in zip(a, b, strict=True)) / size for b in columns]
        + [max(abs(x) for x in a)]
        for a in columns
    ]


def identity_and_one(d, e):
    """The unit matrix beside a column of ones."""
    return [[int(i == j) for j in range(d)] + [1] for i in range(d)]


def half_the_diagonal(d, e):
    return [[Fraction(int(i == j), 2) for j in range(d)] + [1] for i in range(d)]


def twice_as_large(d, e):
    return [[int(i == j) for j in range(d)] + [2] for i in range(d)]


# columns of twice the length are (a, a) and (a, -a)
DOUBLED = formula_leg(
    "twice the size",
    typed("p + p == 2*p and p - p == 0 and abs(-s) == abs(s)", over=["p in R", "s in R"]),
    over="j Otilde",
)

dictionary = claim(
    "decoupling-flat-dictionary",
    lhs=r"(M^\top M,\ \sqrt{d_1}\|M_j\|_\infty)",
    tex=r"(I,\ 1)",
    states="decoupling-data-model",
    title="Exactly flat orthonormal dictionaries",
    says=r"For $d\le d_1=2^e$ the first $d$ columns of Sylvester's matrix over $\sqrt{d_1}$ are orthonormal, with "
    r"$\|M_j\|_\infty=1/\sqrt{d_1}$.",
    covers="dictionary",
    domain={d: integers(1), e: integers(0)},
    where=d <= 2**e,
    grid={
        "smoke": [{d: 1, e: 0}, {d: 2, e: 1}, {d: 3, e: 3}, {d: 8, e: 3}],
        "standard": [{d: k, e: 5} for k in (1, 7, 32)],
    },
    relation=equals(),
    legs=[
        leg("products", products, reference=identity_and_one, where=e <= 5, required=False),
        DOUBLED,
    ],
    rivals=[
        variant("columns of length sqrt(1/2)", reference=half_the_diagonal, leg="products"),
        variant("entries of 2/sqrt n", reference=twice_as_large, leg="products"),
        *rivals_of(
            DOUBLED, {"(a, a) and (a, a)": "p + p == 2*p and p + p == 0 and abs(-s) == abs(s)"}
        ),
    ],
)

CODE = formula_leg(
    "codes",
    typed(
        "E[(R*B)**2] == q and E[R*B*S*C] == 0 and E[R*B*g] == 0",
        over=["q in [0, 1]", "s > 0", "R, S ~ Rademacher", "B, C ~ Bernoulli(q)", "g ~ N(0, s**2)"],
    ),
)
# |M z|^2 = |z|^2 has d entries, |xi|^2 has d1
SIGNAL_SIZE = formula_leg(
    "size of the signal",
    typed(
        f"d*E[(R*B)**2] == {q * d}",
        over=["q in [0, 1]", "d in 1..oo", "R ~ Rademacher", "B ~ Bernoulli(q)"],
    ),
)
NOISE = formula_leg(
    "noise",
    typed("n*E[g**2] == s**2*n", over=["s > 0", "n in 1..oo", "g ~ N(0, s**2)"]),
)
APART = formula_leg(
    "two entries of the noise",
    typed("E[g*h] == 0", over=["s > 0", "g, h ~ N(0, s**2)"]),
)


def second_moment(ns, M, q):
    """E (M z)(M z)^T over all codes. M (B, n, d), shape (B, n, n)."""
    total = 0
    for z in product((0, 1, -1), repeat=M.shape[2]):
        chance = 1
        for entry in z:
            chance = chance * (q * ns.rational(1, 2) if entry else 1 - q)
        x = ns.einsum("zkj,j->zk", M, ns.asarray(list(z)))
        total = total + chance * x[:, :, None] * x[:, None, :]
    return total


def outer(ns, M, q):
    return q * ns.einsum("zkj,zlj->zkl", M, M)


def outer_of_signs(ns, M, q):
    return ns.einsum("zkj,zlj->zkl", M, M)


def draw(rng, d, n, q):
    return {"M": rng.rational((n, d), 4)}


moments = claim(
    "decoupling-model-moments",
    lhs=r"\mathbb E(Mz)(Mz)^\top",
    tex=r"q\,MM^\top",
    states="decoupling-data-model",
    title="Second moments of the model",
    says=r"$\mathbb E(Mz)(Mz)^\top=q\,MM^\top$ for every $M$ and $\operatorname{Cov}x=q\,MM^\top+\sigma_\xi^2I$.",
    covers="moments",
    reads={"d1": "n", "sigma2": "s"},
    domain={d: integers(1), n: integers(1), q: reals(0, 1)},
    grid={
        "smoke": [{d: 2, n: 2, q: Fraction(1, 3)}, {d: 1, n: 3, q: 1}],
        "standard": {d: [1, 3], n: [1, 3], q: [Fraction(1, 7), 0]},
    },
    relation=equals(),
    legs=[
        leg(
            "all codes",
            second_moment,
            arithmetic="rational",
            reference=outer,
            required=False,
            unit=1,
            instances=instances(draw, "M", smoke=2, standard=4),
            where=(d <= 4) & (n <= 6),
        ),
        CODE,
        SIGNAL_SIZE,
        NOISE,
        APART,
    ],
    rivals=[
        variant("as if no entry were 0", reference=outer_of_signs, leg="all codes"),
        *rivals_of(CODE, {"mean square q^2": "E[(R*B)**2] == q**2"}),
        *rivals_of(SIGNAL_SIZE, {"d": "d*E[(R*B)**2] == d"}),
        *rivals_of(NOISE, {"variance s": "n*E[g**2] == s*n"}),
        *rivals_of(APART, {"one entry": "E[g*g] == 0"}),
    ],
)


def empty(d, q):
    """P[z = 0] by adding up the others. Shape ()."""
    return 1 - sum((p for z, p in codes(d, q) if any(z)), Fraction(0))


UPPER = formula_leg(
    "upper", typed("(1 - q)**d <= exp(-q*d)", over=["q in [0, 1]", "d in 1..oo"]), over="C_z"
)
LOWER = formula_leg(
    "lower",
    typed("d*log(1 - q) >= -d*(q + q**2)", over=["q in [0, 1/2]", "d in 1..oo"]),
    over="C_z",
    where=q <= sp.Rational(1, 2),
)
POWER = formula_leg(
    "power", typed("exp(-C*log(L)) == L**(-C)", over=["C > 0", "L in (1, oo)"]), over="d C_z"
)
INDEPENDENT = formula_leg(
    "one entry more",
    typed(
        "E[1 - B]*(1 - q)**d == (1 - q)**(d + 1)",
        over=["q in [0, 1]", "d in 1..oo", "B ~ Bernoulli(q)"],
    ),
    over="C_z",
)

empty_code = claim(
    "decoupling-empty-code",
    lhs=r"\Pr[z=0]",
    tex=r"(1-q)^d",
    states="decoupling-data-model",
    title="Empty codes",
    says=r"$\Pr[z=0]=(1-q)^d$, between $e^{-q^2d}(\log d)^{-C_z}$ and $(\log d)^{-C_z}$ for $q\le\frac12$.",
    covers="empty-code",
    domain={d: integers(1), q: reals(0, 1)},
    grid={
        "smoke": [{d: 1, q: Fraction(1, 3)}, {d: 3, q: Fraction(1, 4)}, {d: 5, q: Fraction(1, 2)}],
        "standard": {d: [2, 4, 6], q: [0, Fraction(1, 5), Fraction(9, 10)]},
    },
    closed_form=(1 - q) ** d,
    legs=[leg("the others", empty, where=d <= 7, required=False), UPPER, LOWER, POWER, INDEPENDENT],
    rivals=[
        variant("1 - q d", closed_form=1 - q * d, leg="the others"),
        variant("e^(-q d)", closed_form=sp.exp(-q * d), leg="the others"),
        *rivals_of(UPPER, {"twice the rate": "(1 - q)**d <= exp(-2*q*d)"}),
        *rivals_of(LOWER, {"without the square": "d*log(1 - q) >= -d*q"}),
        *rivals_of(POWER, {"1/log L": "exp(-C*log(L)) == log(L)**(-C)"}),
        *rivals_of(INDEPENDENT, {"q for 1 - q": "E[B]*(1 - q)**d == (1 - q)**(d + 1)"}),
    ],
)
