r"""Lemma E.8 along the winning column: the noise's part of the gradient is negative.

Setting. A singleton w = a M, a > 0, bias b < a/2; r = (1 - l_p) h(x++) - sum_s l_s h(x_s) with the softmax weights l of
h(x+) h(x)/tau over the batch; the noise's part along M is E [r 1{|<w, x+>| >= b} <2 D xi, M>]. The weights see the
noise of x+, the second view does not.

Statements. Given code, mask and the other views, r = h(x++) - the mean of h under the weights l, and that mean
grows with h(x+): e^(t x + v y) - e^(t y + v x) = e^(t y + v x) (e^((t - v)(x - y)) - 1) has the sign of x - y for t >=
v, which is summed over all pairs of the batch. So r falls as the noise along M grows, and r times a symmetric noise
has a negative mean: at every singleton and temperature, not at saturated logits alone, as long as no gate is moved.

Reference: lines 1508-1512; derived, the lemma bounds its size.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from flint import arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT, codes, dot
from ._gaussian import BITS, nodes, number
from .info_nce import unit

M = [Fraction(3, 5), Fraction(4, 5)]


def noise_part(a, b, k, q, tau, side=-1):
    """E r 1{|u'| >= b} <2 D xi, M> over codes of the column, masks of the plane, points of the noise and two plain
    negatives without noise, over a q; ``side``: the sign of the mean of the batch in r. Shape ()."""
    with ctx.workprec(BITS):
        total = arb(0)
        for (z,), p in codes(1, q):
            for D in product((0, 1), repeat=2):
                plain = sum((2 * s * e * e for s, e in zip(D, M, strict=True)), Fraction(0))
                for xi, chance in nodes(2, k):
                    first = sum(
                        (2 * s * e * c for s, e, c in zip(D, M, xi, strict=True)), Fraction(0)
                    )
                    other = 2 * dot(M, xi) - first
                    h, gate, _ = unit(a * (z * plain + first), b)
                    if not gate or not z:
                        continue
                    second = unit(a * (z * (2 - plain) + other), b)[0]
                    for negatives, weight in codes(2, q):
                        values = [second, *(unit(a * s, b)[0] for s in negatives)]
                        shares = [(number(h * f) / number(tau)).exp() for f in values]
                        mean = sum(
                            (x * number(f) for x, f in zip(shares, values, strict=True)), arb(0)
                        )
                        residual = number(second) + side * mean / sum(shares, arb(0))
                        total += number(p * chance * weight / 4 * first) * residual
        return total / number(a * q)


def pulled(a, b, k, q, tau):
    """With a plus before the mean of the batch."""
    return noise_part(a, b, k, q, tau, side=1)


def nothing(a, b, k, q, tau):
    return 0


def a_singleton(rng):
    """Noise of at most a tenth along the column, which moves no gate of a view that shows an entry of the column."""
    a = Fraction(int(rng.integers(2, 9)), 2)
    return {
        "a": a,
        "b": a / int(rng.integers(4, 20)),
        "k": Fraction(1, int(rng.integers(60, 200))),
        "q": Fraction(1, int(rng.integers(2, 9))),
        "tau": Fraction(int(rng.integers(1, 9)), 3),
    }


# c is t - v, how much more noise moves h(x+)/tau; u is x - y, e the common factor
PAIR = formula_leg(
    "two of the batch",
    typed("u*e*(exp(c*u) - 1) >= 0", over=["u in R", "c >= 0 real", "e > 0"]),
)

negative = claim(
    "decoupling-noise-term-negative",
    lhs=r"\operatorname{sign}(\alpha)\,\mathcal E_2/(|\alpha|q)",
    tex="0",
    states="decoupling-e2-bound",
    title="The noise's part along the winning column",
    says=r"For a singleton whose gates the noise does not move $\operatorname{sign}(\alpha_{ij})\,\mathcal "
    r"E_{2,ij}<0$: weights see the noise of $x^+$, the second view does not.",
    role="derived",
    encodes="special-case",
    covers="winner-negative",
    reads={"singleton": "c"},
    **ONE_POINT,
    legs=[
        leg(
            "codes, masks, noise",
            noise_part,
            reference=nothing,
            relation=at_most(strict=True),
            required=False,
            unit=1,
            instances=instances(a_singleton, "a b k q tau", smoke=3, standard=8),
        ),
        PAIR,
    ],
    rivals=[
        variant("a plus before the mean", simulation=pulled, leg="codes, masks, noise"),
        *rivals_of(PAIR, {"less noise": {"over": ["u in R", "c < 0", "e > 0"]}}),
    ],
)
