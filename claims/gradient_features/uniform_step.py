r"""Algorithm 6 and Theorem B.56: the first step on the uniform parity.

Setting. As in `uniform_gradient`; step 1/(k |xi_(k-1)|) with weight decay that forgets the start, hinge loss, a =
+-1.

Statements. (1) After the population step |w_j| = 1/(2k) on A and (k - 1)/(2k (d - k)) off A, for every neuron. (2)
|a| = 1/(2k) for every neuron, where the proof of the theorem takes 0. (3) Neither depends on b in (-1, 1). (4) |<w,
x> - b| <= d + 1 where all |w_j| <= 1, which bounds the features.

Reference: lines 7250-7275, 7283-7330 (the line before (B.489) for a = 0).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    even_integers,
    formula_leg,
    instances,
    leg,
    odd_integers,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._cube import gradient, majority_mean, response
from .uniform_gradient import DRAWN, RANGE, SIZES

d, k = sp.symbols("d k", integer=True, positive=True)
ODD = {d: odd_integers(3), k: even_integers(2)}


def stepped(w, b, d, k):
    """Sizes of the new weights: least and largest on A, off A, and of the second layer. Shape (5,)."""
    step = 1 / (k * abs(majority_mean(d, k - 1)))
    new = [abs(step * v) for v in gradient(w, b, k)]
    second = abs(step * response(w, b, k))
    return [min(new[:k]), max(new[:k]), min(new[k:]), max(new[k:]), second]


def double_step(w, b, d, k):
    """With the step that the printed gradient would ask for."""
    return [2 * v for v in stepped(w, b, d, k)]


ON, OFF = 1 / (2 * k), (k - 1) / (2 * k * (d - k))

weights = claim(
    "gradfeat-uniform-first-step",
    lhs=r"\big(\min_A|w_j|,\max_A|w_j|,\min_{A^c}|w_j|,\max_{A^c}|w_j|,|a|\big)",
    tex=r"\big(\tfrac1{2k},\tfrac1{2k},\tfrac{k-1}{2k(d-k)},\tfrac{k-1}{2k(d-k)},\tfrac1{2k}\big)",
    states=["gradfeat-alg-parity", "gradfeat-uniform-parity-good-network"],
    title="Weights after the first step on the uniform parity",
    says=r"$|w_j^{(1)}|=\frac1{2k}$ on $A$, $\frac{k-1}{2k(d-k)}$ off $A$, and $|a^{(1)}|=\frac1{2k}$, for every "
    r"neuron.",
    corrects="gradfeat-uniform-second-layer-printed",
    covers="w1 a1 first-weights",
    reads={"a": "w"},
    domain=ODD,
    where=RANGE,
    grid=SIZES,
    closed_form=sp.Matrix([ON, ON, OFF, OFF, ON]),
    legs=[leg("enumeration", stepped, instances=DRAWN)],
    rivals=[
        variant("1/k, from the printed gradient", simulation=double_step),
        variant("second layer 0", closed_form=sp.Matrix([ON, ON, OFF, OFF, 0])),
        variant(
            "k/(2 k (d - k)) off A",
            closed_form=sp.Matrix([ON, ON, k * OFF / (k - 1), k * OFF / (k - 1), ON]),
        ),
    ],
)


def second_layer(w, b, d, k):
    """|a| after the step. Shape ()."""
    return stepped(w, b, d, k)[4]


vanishes = claim(
    "gradfeat-uniform-second-layer-printed",
    lhs=r"|a_i^{(1)}|",
    tex="0",
    states="gradfeat-uniform-parity-main",
    title="The second layer after the first step, as printed",
    says="$a^{(1)}=0$ after the first step.",
    expect="fail",
    covers="a1-zero",
    reads={"i": "w b"},
    domain=ODD,
    where=RANGE,
    grid=SIZES,
    closed_form=sp.Integer(0),
    legs=[leg("enumeration", second_layer, instances=DRAWN, unit=1)],
)


def two_biases(w, b, d, k):
    """G at this bias less G at b/2 - 1/3. Length d."""
    other = Fraction(b) / 2 - Fraction(1, 3)
    return [u - v for u, v in zip(gradient(w, b, k), gradient(w, other, k), strict=True)]


def far_bias(w, b, d, k):
    """The same with a bias of 3/2 in place of the second."""
    return [u - v for u, v in zip(gradient(w, b, k), gradient(w, Fraction(3, 2), k), strict=True)]


# <w, x> is odd: 2 n + 1 or -(2 n + 1), on the same side of both biases
SAME = formula_leg(
    "same side",
    typed(
        "2*n + 1 > Max(b, c) and -(2*n + 1) <= Min(b, c)",
        over=["n in 0..oo", "b in (-1, 1)", "c in (-1, 1)"],
    ),
    over="w b b_prime",
)

bias_free = claim(
    "gradfeat-uniform-bias-free",
    lhs="G(w,b)-G(w,b')",
    tex="0",
    states="gradfeat-alg-parity",
    title="The first gradient is the same for every bias",
    says=r"$G(w,b)=G(w,b')$ for all $b,b'\in(-1,1)$, $d$ odd.",
    covers="bias-free",
    domain=ODD,
    where=RANGE,
    grid=SIZES,
    closed_form=sp.Integer(0),
    mutate=False,
    legs=[leg("enumeration", two_biases, instances=DRAWN, unit=1, required=False), SAME],
    rivals=[
        variant("a bias beyond 1", simulation=far_bias, leg="enumeration"),
        *rivals_of(SAME, {"b up to 1": {"over": ["n in 0..oo", "b in (-1, 1]", "c in (-1, 1)"]}}),
    ],
)

# s = sum_j |w_j| <= d
FEATURE = formula_leg(
    "size",
    typed(
        "relu(z - b) <= d + 1", over=["d in 1..oo", "s in [0, d]", "z in [-s, s]", "b in [-1, 1]"]
    ),
    over="x draw",
)


def largest_feature(w, b, d, k):
    """max over x of relu(<w^(1), x> - b) after a step that makes the largest weight 1. Shape ()."""
    found = gradient(w, b, k)
    new = [v / max(abs(u) for u in found) for v in found]
    return max(
        max(sum(u * v for u, v in zip(new, x, strict=True)) - Fraction(b), Fraction(0))
        for x in product((1, -1), repeat=d)
    )


def reached(rng, d, k):
    """Equal weights, and a bias near -1."""
    return {"w": [1] * d, "b": Fraction(-9, 10)}


def features(name, given):
    return beside(
        name,
        largest_feature,
        r"\max_x\mathrm{relu}(\langle w^{(1)},x\rangle-b)",
        "d+1",
        instances=given,
    )


bounded = claim(
    "gradfeat-uniform-feature-bound",
    states="gradfeat-uniform-parity-good-network",
    title="Size of the features",
    says=r"$\mathrm{relu}(\langle w_i^{(1)},x\rangle-b_i)\le d+1$ where all $|w_{ij}^{(1)}|\le1$.",
    covers="feature-bound",
    domain=ODD,
    where=RANGE,
    grid=SIZES,
    closed_form=d + 1,
    relation=at_most(),
    legs=[
        FEATURE,
        features("enumeration", DRAWN),
        features("equal weights", instances(reached, "w b", smoke=1, standard=1)),
    ],
    rivals=[
        *rivals_of(FEATURE, {"d": "relu(z - b) <= d"}),
        variant("(d + 1)/2", closed_form=(d + 1) / 2, leg="equal weights", at=[{d: 3, k: 2}]),
    ],
)
