r"""Lemma 3.21 = Lemma B.47: neurons with a negative bias do not find the structured parities' blocks.

Setting. r, k odd, 2 r p_A = 1 (no uniform part), noise off A symmetric, bias -beta < 0. For a weight w with block
sums s_j and N = <w, x> off A, the gradient G = E[y x 1{<w, x> > -beta}] has on A_j the coordinate p_A c_j, c_j = P[N
+ s_j > -beta] + P[N - s_j > -beta], and G's component along D_j is p_A sqrt k c_j.

Statements. (1) 1 <= c_j <= 2 for every w: N and -N have the same law, and N > -beta - s and N < beta - s cannot both
fail. So |cos(G, D_j)| <= 2/sqrt(4 + (r - 1)), whatever the coordinates off A are. (2) The lemma's cone for (D_j, -1)
asks 1 - |cos| < d^-(tau - 2) with positive probability: impossible for r >= 3, d >= 2 and tau >= 8.

Reference: lines 1014-1016, 6984-7004. The proof takes E[yx] = 0, which is false (`parity_symmetry`).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    odd_integers,
    rivals_of,
    typed,
    variant,
)

from ._parity import biased, label, noise

r, k, extra = sp.symbols("r k extra", integer=True, positive=True)


def gradient(w, beta, r, k, law_off_A):
    """E[y x 1{<w, x> > -beta}] with mass 1/(2 r) on each biased part. Length r k + extra."""
    total = [Fraction(0)] * len(w)
    for on in biased(r, k):
        for off, weight in law_off_A:
            x = (*on, *off)
            if sum(a * b for a, b in zip(w, x, strict=True)) > -beta:
                for i, value in enumerate(x):
                    total[i] += label(on, k) * weight * value / (2 * r)
    return total


def largest_cosine(w, beta, rate, r, k, extra):
    """max over j of cos(G, D_j)^2. Shape ()."""
    found = gradient(w, beta, r, k, list(noise(extra, rate)))
    along = [sum(found[j * k : (j + 1) * k]) ** 2 / Fraction(k) for j in range(r)]
    return max(along) / sum(v * v for v in found)


def draw(rng, r, k, extra):
    """Weights, a bias and a rate of noise."""
    return {
        "w": rng.rational((r * k + extra,), 6),
        "beta": abs(rng.rational((), 3)) + Fraction(1, 50),
        "rate": Fraction(int(rng.integers(1, 6)), 10),
    }


def best(rng, r, k, extra):
    """0 on the first block and off A, large on the other blocks: c_1 = 2, c_j = 1 and the noise is in both signs alike,
    so that the bound is met."""
    return {
        "w": [Fraction(0)] * k + [Fraction(50)] * ((r - 1) * k) + [Fraction(0)] * extra,
        "beta": Fraction(1),
        "rate": Fraction(1, 10),
    }


# N and -N are equally likely: of the four events that make up 2 c_j two at least hold
PAIR = formula_leg(
    "one block",
    typed(
        "(N + s > -beta or -N - s > -beta) and (N - s > -beta or -N + s > -beta)",
        over=["beta in (0, oo)", "s in R", "N in R"],
    ),
    over="w beta r k law_off_A",
)
# what the refutation below takes for the square of the cosine
LARGEST = "4/(r + 3)"
CAP = formula_leg(
    "cosine",
    typed(
        f"c**2/(c**2 + R + o) <= {LARGEST}",
        over=["r in 1..oo", "c in [1, 2]", "R in [r - 1, oo)", "o in [0, oo)"],
    ),
    over="w beta r k law_off_A",
)

cap = claim(
    "gradfeat-parity-minus-cap",
    lhs=r"\cos^2(G(w,-\beta),D_j)",
    tex=r"\frac4{r+3}",
    states="gradfeat-parity-features",
    title="Negative biases stay away from every block",
    says=r"$|\cos(G(w,-\beta),D_j)|\le2/\sqrt{r+3}$ for every $w$ and $\beta>0$, without uniform part and with "
    r"symmetric "
    r"noise.",
    role="derived",
    covers="minus-cap",
    domain={r: odd_integers(1), k: odd_integers(1), extra: integers(1, 3)},
    where=r * k <= 15,
    grid={
        "smoke": [{r: 1, k: 3, extra: 1}, {r: 3, k: 1, extra: 2}, {r: 3, k: 3, extra: 1}],
        "standard": {r: [1, 3, 5], k: [1, 3], extra: [1, 3]},
    },
    closed_form=4 / (r + 3),
    relation=at_most(),
    legs=[
        leg(
            "drawn weights",
            largest_cosine,
            required=False,
            instances=instances(draw, "w beta rate", smoke=6, standard=20),
        ),
        leg(
            "one block apart",
            largest_cosine,
            required=False,
            instances=instances(best, "w beta rate", smoke=1, standard=1),
        ),
        PAIR,
        CAP,
    ],
    rivals=[
        variant(
            "r + 31/10",
            closed_form=40 / (10 * r + 31),
            leg="one block apart",
            at=[{r: 3, k: 1, extra: 2}],
        ),
        *rivals_of(PAIR, {"biases of either sign": {"over": ["beta in R", "s in R", "N in R"]}}),
        *rivals_of(CAP, {"r + 4": "c**2/(c**2 + R + o) <= 4/(r + 4)"}),
    ],
)

minus = formula(
    "gradfeat-parity-minus-sign",
    states="gradfeat-parity-features",
    title=r"$(D_j,-1)$ as a gradient feature",
    expect="fail",
    covers="minus-sign",
    reads={"law": "r d tau", "j": "r", "w": "r d"},
    says=f"1 - sqrt({LARGEST}) < d**(-(tau - 2))",
    over=["r in 3..oo", "d in 8..oo", "tau in [8, d]"],
    where="d >= 2*r",
)
