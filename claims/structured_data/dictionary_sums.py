r"""Claim A.44: the sum over the relevant patterns of |<M_l, x>|.

Setting. x = sum_j phi_j M_j + zeta/sigma~ with |phi_j| <= 1/sigma~; unit columns with inner products of at most
mu/sqrt(d); a good x has |<zeta, M_l>| <= u, u = O(sigma_zeta sqrt(log k)), for all l.

Statement. sigma~ <M_l, x> is at most 1 from phi_l, X = D mu/sqrt(d) from the other patterns through their inner
products, u from the noise; k of them are at most k (1 + X + u)/sigma~.

Reference: Claim A.44, lines 5275-5287.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant


def dot(u, v):
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def unit(rng, size):
    """An inverse stereographic image: a rational vector of length 1."""
    t = rng.rational((size - 1,), 3)
    square = dot(t, t)
    return [(1 - square) / (1 + square), *(2 * v / (1 + square) for v in t)]


def an_input(rng):
    """Four unit columns in R^3, patterns less their means, noise; the first two patterns are relevant."""
    if not rng.integers(0, 3):
        return aligned(rng)
    return {
        "M": [unit(rng, 3) for _ in range(4)],
        "phi": [Fraction(int(v), 8) for v in rng.integers(-8, 9, 4)],
        "zeta": rng.rational((3,), 3),
    }


def aligned(rng):
    """Equal columns and patterns that are all on: every part of the bound is needed."""
    return {
        "M": [[1, 0, 0]] * 4,
        "phi": [Fraction(1)] * 4,
        "zeta": [Fraction(3), Fraction(0), Fraction(0)],
    }


RELEVANT = 2


def relevant_sum(M, phi, zeta):
    """sigma~ sum_A |<M_l, x>|. Shape ()."""
    x = [dot(phi, row) + z for row, z in zip(zip(*M, strict=True), zeta, strict=True)]
    return sum((abs(dot(M[l], x)) for l in range(RELEVANT)), Fraction(0))


def stated_sum(M, phi, zeta, patterns=1, noise=1):
    """k (1 + X + u), X = D times the largest |<M_i, M_j>|, u the largest |<zeta, M_l>|. Shape ()."""
    D = len(M)
    X = D * max(abs(dot(M[i], M[j])) for i in range(D) for j in range(i))
    return RELEVANT * (1 + patterns * X + noise * max(abs(dot(zeta, m)) for m in M))


def without_the_others(M, phi, zeta):
    return stated_sum(M, phi, zeta, patterns=0)


def noise_left_out(M, phi, zeta):
    return stated_sum(M, phi, zeta, noise=0)


def without_noise(M, phi, zeta):
    """Without u, and X with D - 2 for D."""
    return stated_sum(M, phi, zeta, patterns=Fraction(1, 2), noise=0)


INPUTS = instances(an_input, "M phi zeta", smoke=6, standard=20)
EXTREME = instances(aligned, "M phi zeta", smoke=1)

ONE = formula_leg(
    "one pattern",
    typed(
        "abs(f + g + z) <= 1 + X + u",
        over=["X >= 0", "u >= 0", "f in [-1, 1]", "g in [-X, X]", "z in [-u, u]"],
    ),
    over="x",
    gives="C",
)
ALL = formula_leg(
    "k of them",
    typed(
        "k*(v/s) <= k*(1 + X + u)/s",
        over=["k in 1..oo", "s > 0", "X >= 0", "u >= 0", "v in [0, 1 + X + u]"],
    ),
    over="x",
)

total = claim(
    "structured-dictionary-sum",
    states="structured-general-claim-sumA",
    title="Sum of the relevant components of a good input",
    says=r"$\sum_{l\in A}|\langle M_l,x\rangle|\le\frac k{\tilde\sigma}\big(1+\frac{D\mu}{\sqrt d}+u\big)$ for "
    r"every $x$ with $|\langle\zeta,M_l\rangle|\le u$.",
    covers="bound",
    reads={"x": "M phi zeta"},
    relation=at_most(),
    legs=[
        ONE,
        ALL,
        leg(
            "drawn inputs",
            relevant_sum,
            reference=stated_sum,
            instances=INPUTS,
            unit=1,
            required=False,
            lhs=r"\tilde\sigma\sum_{l\in A}|\langle M_l,x\rangle|",
            tex=r"k\big(1+\tfrac{D\mu}{\sqrt d}+u\big)",
        ),
    ],
    rivals=[
        variant(
            "the other patterns left out",
            reference=without_the_others,
            leg="drawn inputs",
            instances=EXTREME,
        ),
        variant("noise left out", reference=noise_left_out, leg="drawn inputs", instances=EXTREME),
        variant(
            "half of them, no noise", reference=without_noise, leg="drawn inputs", instances=EXTREME
        ),
        *rivals_of(
            ONE,
            {
                "orthonormal": "abs(f + g + z) <= 1 + u",
                "without noise": "abs(f + g + z) <= 1 + X",
            },
        ),
        *rivals_of(ALL, {"one of them": "k*(v/s) <= (1 + X + u)/s"}),
    ],
)
