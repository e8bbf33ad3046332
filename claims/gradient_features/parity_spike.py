r"""Lemmas B.49 and B.50: a nice weight of the structured parities with one large coordinate off the blocks.

Setting. The law and S_Sure of `parity_setting`, bias b = C_b sqrt(tau r k log d) sigma_w. The weight has 3 b/(2 k) on
block 1 (so <w, D_1> = 3 b/(2 sqrt k)), 0 on the other blocks, and h b on one coordinate s off A. It is nice: |P_A w|^2
= (9/4) C_b^2 tau r log d sigma_w^2 is at most r k sigma_w^2 by k >= Omega(tau log d), and h b <= sqrt(d - r k) sigma_w
for all large d where k is of order log d, exp(L) >= a L^2 at L = log d. The rate p_o = p is anywhere from 1/d on.

Statements. (1) At h = 3 the neuron fires on X_U with probability at least p, fails to fire on X_{1,+} with
probability p, and fires with probability p on X_{1,-} and on every biased part of another block. (2) At h = 2, 2 r p_A
= 1, the gradient E[y phi_l 1{<w, x> >= b}] is p_A - p/(2 r) on block 1, p/r on the others and p/(2 r) at s. All
six are printed to be O(d^-tau) away from 0, 1, 0, p_A, 0 and 0 with tau >= 8, for every weight of S_Sure: with p >=
1/d no constant serves for large d.

Reference: lines 7066-7082, 7120-7132; 6947-6955 for the law, 6972-6982 for S_Sure.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    equals,
    formula,
    formula_leg,
    leg,
    odd_integers,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._parity import biased, label, noise, one_block

r, k = sp.symbols("r k", integer=True, positive=True)
p = sp.symbols("p", positive=True)
part = sp.Symbol("part")


def spiked(r, k, height):
    """The weight, b = 1: on A, and its large coordinate."""
    on = tuple(Fraction(3, 2 * k) if i < k else Fraction(0) for i in range(r * k))
    return (*on, Fraction(height))


def firing(inputs, r, k, p, height):
    """P[<w, x> >= b] where the part on A is uniform over ``inputs``."""
    w, total = spiked(r, k, height), Fraction(0)
    for on in inputs:
        for off, chance in noise(1, p):
            x = (*on, *off)
            if sum(a * b for a, b in zip(w, x, strict=True)) >= 1:
                total += chance
    return total / len(inputs)


def fires_on_uniform(r, k, p):
    """P[fires] on X_U, by all signs of A. Shape ()."""
    return firing(list(product((1, -1), repeat=r * k)), r, k, p, 3)


def off_on_own(r, k, p):
    """P[does not fire] on X_{1,+}. Shape ()."""
    return 1 - firing([one_block(r, k, 0, 1)], r, k, p, 3)


def fires_on_rest(r, k, p, part):
    """P[fires] on X_{1,-}, X_{2,+} or X_{2,-}. Shape ()."""
    block, sign = {"own -": (0, -1), "other +": (1, 1), "other -": (1, -1)}[part]
    return firing([one_block(r, k, block, sign)], r, k, p, 3)


def small_spike(r, k, p):
    """Off on X_{1,+} at h = 1/2. Shape ()."""
    return 1 - firing([one_block(r, k, 0, 1)], r, k, p, Fraction(1, 2))


def small_rest(r, k, p, part):
    """On X_{1,-}, X_{2,+}, X_{2,-} at h = 1/2. Shape ()."""
    block, sign = {"own -": (0, -1), "other +": (1, 1), "other -": (1, -1)}[part]
    return firing([one_block(r, k, block, sign)], r, k, p, Fraction(1, 2))


def gradient(r, k, p, height):
    """E[y phi 1{<w, x> >= b}] with mass 1/(2 r) on each biased part. Length r k + 1."""
    w, total = spiked(r, k, height), [Fraction(0)] * (r * k + 1)
    for on in biased(r, k):
        for off, chance in noise(1, p):
            x = (*on, *off)
            if sum(a * b for a, b in zip(w, x, strict=True)) >= 1:
                total = [
                    g + label(on, k) * chance * v / (2 * r) for g, v in zip(total, x, strict=True)
                ]
    return total


def own_block(r, k, p):
    """p_A minus each coordinate of block 1. Shape (k,)."""
    return [Fraction(1, 2 * r) - g for g in gradient(r, k, p, 2)[:k]]


def other_blocks(r, k, p):
    """The coordinates of the other blocks. Shape ((r - 1) k,)."""
    return gradient(r, k, p, 2)[k:-1]


def off_the_blocks(r, k, p):
    """The coordinate s. Shape ()."""
    return gradient(r, k, p, 2)[-1]


def own_small(r, k, p):
    return [Fraction(1, 2 * r) - g for g in gradient(r, k, p, Fraction(1, 2))[:k]]


def other_small(r, k, p):
    return gradient(r, k, p, Fraction(1, 2))[k:-1]


def off_small(r, k, p):
    return gradient(r, k, p, Fraction(1, 2))[-1]


def smaller(program):
    """The rival with half b in the place of the large coordinate."""
    return variant("a smaller coordinate", simulation=program, leg="all inputs")


# the sizes at which the weight is nice: log d = L, d - r k >= h^2 b^2/sigma_w^2 is of order L^2
NICE = formula_leg(
    "the weight is nice",
    typed("exp(L) >= a*L**2", over=["a in [1, oo)", "L in [6*a, oo)"]),
)
RANGE = ["C in [1, oo)", "r in 1..oo", "d in [3*C*r, oo)", "p in [1/d, 1/2]"]
DOMAIN = {r: odd_integers(1), k: odd_integers(3), p: reals(0, Fraction(1, 2), low_open=True)}
SMOKE = [{r: 1, k: 3, p: Fraction(1, 9)}, {r: 3, k: 3, p: Fraction(1, 40)}]
BIG = [
    {r: 1, k: 5, p: Fraction(1, 100)},
    {r: 3, k: 5, p: Fraction(1, 2)},
    {r: 5, k: 3, p: Fraction(1, 9)},
]
WAYS = {"w": "p r d", "x": "p", "l": "p", "j": "p r", "j_prime": "p", "s": "p", "O": "C"}


def pair(clause, statement, names, title, value, says, program, lhs, wrong, **options):
    """The clause as printed, which fails at the weight, and what holds there for every constant."""
    stem = f"gradfeat-parity-spike-{clause}"
    printed = formula(
        stem,
        states=statement,
        title=f"{title}, as printed",
        expect="fail",
        covers=f"{statement}/{clause}",
        reads={name: WAYS[name] for name in names.split()},
        says=f"{value} <= C*d**(-8)",
        over=RANGE,
    )
    passed = formula_leg("for every constant", typed(f"{value} > C*d**(-8)", over=RANGE))
    domain = options.pop("domain", DOMAIN)
    grid = options.pop("grid", {"smoke": SMOKE, "standard": BIG})
    where = sp.And(r * k <= 15, options.pop("where", True))
    holds = claim(
        f"{stem}-passed",
        states=statement,
        title=f"{title}, with one large coordinate",
        says=says,
        role="corrected",
        corrects=stem,
        lhs=lhs,
        domain=domain,
        where=where,
        grid=grid,
        closed_form=value,
        relation=options.pop("relation", equals()),
        legs=[leg("all inputs", program, required=False), NICE, passed],
        rivals=[
            wrong,
            *rivals_of(NICE, {"from L = a on": {"over": ["a in [1, oo)", "L in [a, oo)"]}}),
            *rivals_of(passed, {"d^-1": f"{value} > C*d**(-1)"}),
        ],
    )
    return printed, holds


ACT, GRAD = "gradfeat-parity-activation", "gradfeat-parity-emergence"
MORE = sp.Ge(r, 3)
SEVERAL = {
    "smoke": [{r: 3, k: 3, p: Fraction(1, 40)}],
    "standard": [{r: 3, k: 5, p: Fraction(1, 2)}, {r: 5, k: 3, p: Fraction(1, 9)}],
}

uniform, uniform_passed = pair(
    "uniform-off",
    ACT,
    "w x O",
    "Nice neurons on the uniform part",
    p,
    r"With $3\tilde b$ on one coordinate off $A$ the neuron fires on $X_U$ with probability at least $p_o$, which is "
    r"above $Cd^{-8}$ for $p_o\ge1/d$, $d\ge3C$.",
    fires_on_uniform,
    r"\Pr_{X_U}[\langle w,x\rangle\ge\tilde b]",
    variant("2 p", closed_form=2 * p, leg="all inputs"),
    relation=at_least(),
)

own, own_passed = pair(
    "own-plus-on",
    ACT,
    "w x O",
    "Nice neurons on their own part",
    p,
    r"With $3\tilde b$ on one coordinate off $A$ the neuron stays off on $X_{j,+}$ with probability $p_o$, which is "
    r"above $Cd^{-8}$ for $p_o\ge1/d$, $d\ge3C$.",
    off_on_own,
    r"\Pr_{X_{j,+}}[\langle w,x\rangle<\tilde b]",
    smaller(small_spike),
)

rest, rest_passed = pair(
    "rest-off",
    ACT,
    "w x O j_prime s",
    "Nice neurons on the other biased parts",
    p,
    r"With $3\tilde b$ on one coordinate off $A$ the neuron fires with probability $p_o$ on $X_{j,-}$ and on every "
    r"$X_{j',\pm}$, which is above $Cd^{-8}$ for $p_o\ge1/d$, $d\ge3C$.",
    fires_on_rest,
    r"\Pr_{X_{j,-}},\Pr_{X_{j',\pm}}[\langle w,x\rangle\ge\tilde b]",
    smaller(small_rest),
    domain={**DOMAIN, part: choices("own -", "other +", "other -")},
    where=MORE,
    grid={
        "smoke": [
            {**point, part: name}
            for point in SEVERAL["smoke"]
            for name in ("own -", "other +", "other -")
        ],
        "standard": [{**point, part: "own -"} for point in SEVERAL["standard"]],
    },
)

block, block_passed = pair(
    "own-block",
    GRAD,
    "w l j O",
    "The gradient on its own block",
    p / (2 * r),
    r"With $2\tilde b$ on one coordinate off $A$ and $2rp_A=1$ the gradient's coordinates on block $j$ are "
    r"$p_A-p_o/(2r)$, further from $p_A$ than $Cd^{-8}$ for $p_o\ge1/d$, $d\ge3Cr$.",
    own_block,
    r"p_A-\mathbb E[y\phi_l1\{\langle w,x\rangle\ge\tilde b\}],\ l\in A_j",
    smaller(own_small),
)

others, others_passed = pair(
    "other-blocks",
    GRAD,
    "w l O",
    "The gradient on the other blocks",
    p / r,
    r"With $2\tilde b$ on one coordinate off $A$ and $2rp_A=1$ the gradient's coordinates on the other blocks are "
    r"$p_o/r$, which is above $Cd^{-8}$ for $p_o\ge1/d$, $d\ge3Cr$.",
    other_blocks,
    r"\mathbb E[y\phi_l1\{\langle w,x\rangle\ge\tilde b\}],\ l\in A_{j'}",
    smaller(other_small),
    where=MORE,
    grid=SEVERAL,
)

noisy, noisy_passed = pair(
    "off-A",
    GRAD,
    "w l O",
    "The gradient off the blocks",
    p / (2 * r),
    r"With $2\tilde b$ on one coordinate $s$ off $A$ and $2rp_A=1$ the gradient's coordinate at $s$ is $p_o/(2r)$, "
    r"which is above $Cd^{-8}$ for $p_o\ge1/d$, $d\ge3Cr$.",
    off_the_blocks,
    r"\mathbb E[y\phi_s1\{\langle w,x\rangle\ge\tilde b\}]",
    smaller(off_small),
)
