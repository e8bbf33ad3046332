r"""Lemmas B.48, B.49 and B.51, Remarks 3.20 and B.44: the law of the structured parities.

Setting. phi_l in {-1, 0, 1}; S_Sure asks <w, D_j> >= 3 b/(2 sqrt k), |<w, D_j'>| <= b/(2 sqrt k) for the other
blocks, and bounds on |P_A w| and |P w| off A.

Statements. (1) E|x|^2 <= d and E|x| <= sqrt d. (2) Printed, (B.422): P[|sum off A| >= t] <= e^(-t^2/(c r k
sigma_w^2)). A weight with one coordinate u = sqrt(d - rk) sigma_w off A and no others is allowed; at t = u the
probability is 2 p_o. With p_o = 1/(d - rk), as p_o = O(rk/(d - rk)) allows, and d - rk = n rk it is 2/(n rk) against
e^(-n/c). (3) On the uniform part the sum over A is sub-Gaussian: P[|sum| >= t] <= 2 e^(-t^2/(2 |P_A w|^2)), from
cosh(s) <= e^(s^2/2) for each coordinate and the best s. (4) p_o = 1/2 with k = d/16, r = 1 meets p_o <= c k/(d - k)
only for c >= 15/2.

Reference: lines 7014-7100, 7196-7216, 1010, 6956.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    odd_integers,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._parity import law
from ._parity import noise as noise_off

r, k, extra = sp.symbols("r k extra", integer=True, positive=True)


def masses(rng, r, k, extra):
    """The mass of each biased part, up to 1/(2 r), and the rate of the noise, up to 1/2."""
    return {
        "mass": Fraction(int(rng.integers(0, 8)), 16 * r),
        "rate": Fraction(int(rng.integers(0, 6)), 10),
    }


def uniform(rng, r, k, extra):
    """No biased parts, and noise that is never 0."""
    return {"mass": Fraction(0), "rate": Fraction(1, 2)}


def second_moment(mass, rate, r, k, extra):
    """E|x|^2, by enumeration. Shape ()."""
    on = sum(weight * sum(v * v for v in phi) for phi, weight in law(r, k, mass))
    off = sum(weight * sum(v * v for v in phi) for phi, weight in noise_off(extra, rate))
    return on + off


def dimension(mass, rate, r, k, extra):
    """d. Shape ()."""
    return r * k + extra


def one_less(mass, rate, r, k, extra):
    return r * k + extra - 1


def laws(name, draw, count):
    return beside(
        name,
        second_moment,
        r"\mathbb E\|x\|^2",
        "d",
        reference=dimension,
        instances=instances(draw, "mass rate", smoke=count, standard=count),
    )


SQUARE = formula_leg(
    "second moment",
    typed("d*q <= d and sqrt(d*q) <= sqrt(d)", over=["d in 1..oo", "q in [0, 1]"]),
    over="law",
)

moments = claim(
    "gradfeat-parity-moments",
    states="gradfeat-parity-gstar",
    title="Moments of the structured parities",
    says=r"$\mathbb E\|x\|^2\le d$ and $\mathbb E\|x\|\le\sqrt d$, every $\mathbb E\phi_l^2$ being at most 1.",
    covers="moments",
    domain={r: odd_integers(1), k: odd_integers(1), extra: integers(1, 4)},
    where=r * k <= 11,
    grid={
        "smoke": [{r: 1, k: 3, extra: 2}, {r: 3, k: 1, extra: 1}],
        "standard": [{r: 3, k: 3, extra: 2}, {r: 1, k: 5, extra: 4}],
    },
    relation=at_most(),
    legs=[SQUARE, laws("drawn laws", masses, 4), laws("uniform", uniform, 1)],
    rivals=[
        *rivals_of(SQUARE, {"half of it": "d*q <= d/2 and sqrt(d*q) <= sqrt(d)"}),
        variant("d - 1", reference=one_less, leg="uniform"),
    ],
)

n, c = sp.symbols("n c", positive=True)
# P[|sum off A| >= u] for a weight of one coordinate u off A, p_o = 1/n
BEYOND = 2 / n


def beyond(n, c):
    """The same by the law of that coordinate. Shape ()."""
    return sum(chance for (v,), chance in noise_off(1, Fraction(1) / n) if abs(v) >= 1)


noise = formula(
    "gradfeat-parity-noise-tail",
    states="gradfeat-parity-activation",
    title="Tail of the noise off the blocks, as printed",
    expect="fail",
    covers="noise-tail",
    reads={"w": "n", "t": "n", "x": "n"},
    says=f"{BEYOND} <= exp(-n/c)",
    over=["c in [1, oo)", "n in [20*c**2, oo)"],
)

PASSED = formula_leg(
    "for every constant",
    typed(f"{BEYOND} > exp(-n/c)", over=["c in [1, oo)", "n in [20*c**2, oo)"]),
)

passed = claim(
    "gradfeat-parity-noise-tail-passed",
    states="gradfeat-parity-activation",
    title="One large coordinate passes every sub-Gaussian tail",
    says=r"At $rk=1$ in units, $2/n>e^{-n/c}$ for every $c\ge1$ and $n=(d-rk)/(rk)\ge20c^2$.",
    role="corrected",
    corrects="gradfeat-parity-noise-tail",
    lhs=r"\Pr[|\Sigma|\ge u]",
    domain={n: reals(2), c: reals(1)},
    where=n >= 20 * c**2,
    grid={"smoke": [{n: 20, c: 1}, {n: Fraction(301, 2), c: 2}], "standard": [{n: 1000, c: 3}]},
    closed_form=BEYOND,
    relation=equals(),
    legs=[leg("one entry", beyond, required=False), PASSED],
    rivals=[
        variant("one sign", closed_form=1 / n, leg="one entry"),
        *rivals_of(PASSED, {"from n = c on": {"over": ["c in [1, oo)", "n in [c, oo)"]}}),
    ],
)

COSH = formula_leg("one coordinate", typed("cosh(s) <= exp(s**2/2)", over="s in R"), over="w t x")
BEST = formula_leg(
    "best exponent",
    typed("(t/v)**2*v/2 - (t/v)*t == -t**2/(2*v)", over=["t in (0, oo)", "v in (0, oo)"]),
    over="w x",
)


t, square = sp.symbols("t square", positive=True)


def weight_and_level(rng):
    """A weight on A, its squared length, and a level."""
    w = [v + Fraction(1, 11) for v in rng.rational((7,), 4)]
    size = sum(v * v for v in w)
    level = Fraction(int(rng.integers(1, 12)), 4) * max(abs(v) for v in w)
    return {"w": w, "square": size, "t": level}


def one_sign(rng):
    """One coordinate, at the level that it always reaches."""
    return {"w": [Fraction(1)], "square": Fraction(1), "t": Fraction(1)}


def far(w, square, t):
    """P[|sum_l w_l phi_l| >= t] over uniform signs. Shape ()."""
    signs = product((1, -1), repeat=len(w))
    hits = sum(abs(sum(v * s for v, s in zip(w, x, strict=True))) >= t for x in signs)
    return Fraction(hits, 2 ** len(w))


def tails(name, draw, count):
    return beside(
        name,
        far,
        r"\Pr_{X_U}\Big[\Big|\sum_{l\in A}w_l\phi_l\Big|\ge t\Big]",
        r"2e^{-t^2/(2\|P_Aw\|^2)}",
        instances=instances(draw, "w square t", smoke=count, standard=4 * count),
    )


block = claim(
    "gradfeat-parity-block-tail",
    states="gradfeat-parity-activation",
    title="Tail of the sum over the blocks",
    says=r"$\Pr_{X_U}[|\sum_{l\in A}w_l\phi_l|\ge t]\le2e^{-t^2/(2\|P_Aw\|^2)}$ for every $w$ and $t>0$.",
    covers="block-tail",
    closed_form=2 * sp.exp(-(t**2) / (2 * square)),
    relation=at_most(),
    legs=[COSH, BEST, tails("all signs", weight_and_level, 4), tails("one sign", one_sign, 1)],
    rivals=[
        variant("without 2", closed_form=sp.exp(-(t**2) / (2 * square)), leg="one sign"),
        *rivals_of(COSH, {"s^2/3": "cosh(s) <= exp(s**2/3)"}),
        *rivals_of(BEST, {"t^2/v": "(t/v)**2*v/2 - (t/v)*t == -t**2/v"}),
    ],
)
