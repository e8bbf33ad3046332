"""Lemma B.1: the probability that a neuron is active, as a Gaussian one.

Setting. Given the label, <w, x> is a sum of independent variables c_j z_j, c_j = y w_j on the core and w_j on the
background; r is its mean over its standard deviation, rho_j = E|z_j - mu_j|^3.

Statements. (1) |P[<w, x> >= 0 | y] - Phi(r)| <= 0.56 sum rho_j |w_j|^3/(sum sigma_j^2 w_j^2)^(3/2), with P by the
exact law. (2) The order is reached: for fair features in {0, 1}, equal blocks, w = 1 and y = -1 the mean is 0, and
the error is half of P[<w, x> = 0], between (1 - 1/(2 d0))/sqrt(2 pi d0) and 1/sqrt(2 pi d0).

Reference: Lemma B.1, lines 525-567. Theta(1) in the text is the standard deviation; the ratio hypothesis fails at
initialisation, where the bound (1) still serves.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, at_most, claim, even_integers, instances, integers, leg, variant

from ._laws import law_of_sum, moment
from ._network import drawn_laws

d_core, d_bg = sp.symbols("d_core d_bg", integer=True, positive=True)
d0 = sp.Symbol("d0", integer=True, positive=True)


def summand_laws(w, values, weights, y, d_core):
    return [
        [((y if j < d_core else 1) * c * v, p) for v, p in zip(row, chances, strict=True)]
        for j, (c, row, chances) in enumerate(zip(w, values, weights, strict=True))
    ]


def measured(w, values, weights, y, d_core):
    """The fields of an instance: weights and laws, the exact probability, mean, variance, third and second moments."""
    laws = summand_laws(w, values, weights, y, d_core)
    means = [moment(law, 1) for law in laws]
    centred = [[(v - mu, p) for v, p in law] for law, mu in zip(laws, means, strict=True)]
    return {
        "w": w, "values": values, "weights": weights, "y": y,
        "active": sum((p for v, p in law_of_sum(laws).items() if v >= 0), Fraction(0)),
        "mean": sum(means),
        "variance": sum(moment(law, 2) for law in centred),
        "third": sum(p * abs(v) ** 3 for law in centred for v, p in law),
        "second": sum(moment(law, 2) for law in laws),
    }  # fmt: skip


def neurons(rng, d_core, d_bg):
    """Weights of both signs in quarters, comparable in size, and unequal laws."""
    w = [Fraction(int(rng.signs()) * int(rng.integers(1, 5)), 4) for _ in range(d_core + d_bg)]
    return measured(w, *drawn_laws(rng, d_core + d_bg), int(rng.signs()), d_core)


def balanced(rng, d_core, d_bg):
    """Fair features in {0, 1}, w = 1 and y = -1."""
    size = d_core + d_bg
    return measured(
        [Fraction(1)] * size,
        [[Fraction(0), Fraction(1)]] * size,
        [[Fraction(1, 2)] * 2] * size,
        -1,
        d_core,
    )


def narrow(rng, d_core, d_bg):
    """Fair features in {1/2, 1}, w = 1 on the core and -1 on the background: a variance far below the second moment."""
    size = d_core + d_bg
    w = [Fraction(1)] * d_core + [Fraction(-1)] * d_bg
    return measured(
        w, [[Fraction(1, 2), Fraction(1)]] * size, [[Fraction(1, 2)] * 2] * size, 1, d_core
    )


def normal_cdf(ns, r):
    return (1 + ns.erf(r / ns.sqrt(ns.asarray(2)))) / 2


def ratio(ns, active, mean, variance, third, d_core, d_bg):
    """|P - Phi(r)| variance^(3/2)/sum rho_j |w_j|^3. Shape (B,)."""
    gap = abs(active - normal_cdf(ns, mean / ns.sqrt(variance)))
    return gap * variance * ns.sqrt(variance) / third


def ratio_by_second_moments(ns, active, mean, variance, third, second, d_core, d_bg):
    gap = abs(active - normal_cdf(ns, mean / ns.sqrt(second)))
    return gap * variance * ns.sqrt(variance) / third


FIELDS = "w values weights y active mean variance third second"
BALANCED = instances(balanced, FIELDS, smoke=1)

explicit = claim(
    "contamination-activation-clt",
    lhs=r"|P-\Phi(r)|\,\frac{(\sum_j\sigma_j^2w_j^2)^{3/2}}{\sum_j\rho_j|w_j|^3}",
    tex="0.56",
    title="Activation probability against the Gaussian one",
    says=r"For weights of both signs and unequal laws $|P - \Phi(r)|$ is at most $0.56 \sum_j "
    r"\rho_j |w_j|^3 / (\sum_j \sigma_j^2 w_j^2)^{3/2}$.",
    covers="explicit-bound",
    reads={"D_j": "values weights"},
    domain={d_core: integers(1), d_bg: integers(1)},
    grid={
        "smoke": [{d_core: 1, d_bg: 1}, {d_core: 4, d_bg: 2}, {d_core: 7, d_bg: 4}],
        "standard": {d_core: [2, 6, 9], d_bg: [1, 3]},
    },
    closed_form=sp.Rational(56, 100) + 0 * d_core,
    relation=at_most(),
    legs=[leg("exact laws", ratio, where=d_core + d_bg <= 12,
              instances=instances(neurons, FIELDS, smoke=3, standard=8))],
    rivals=[
        variant("1/3", closed_form=sp.Rational(1, 3) + 0 * d_core, instances=BALANCED, at=[{d_core: 6, d_bg: 6}]),
        variant("E z^2 for the variance", simulation=ratio_by_second_moments, at=[{d_core: 26, d_bg: 22}],
                instances=instances(narrow, FIELDS, smoke=1)),
    ],
    mutate=False,
)  # fmt: skip


def error(d0):
    """d0 times the square of P[<w, x> >= 0 | y = -1] - 1/2, by the law of the sum: Phi(0) = 1/2. Shape ()."""
    bit = [(Fraction(0), Fraction(1, 2)), (Fraction(1), Fraction(1, 2))]
    minus = [(-v, p) for v, p in bit]
    law = law_of_sum([bit, minus] * (d0 // 2))
    return d0 * (sum(p for v, p in law.items() if v >= 0) - Fraction(1, 2)) ** 2


def error_of_uniform(d0):
    """The same for features uniform on {0, 1, .., 8}/8, a finite stand-in for [0, 1]."""
    grid = [(Fraction(i, 8), Fraction(1, 9)) for i in range(9)]
    minus = [(-v, p) for v, p in grid]
    law = law_of_sum([grid, minus] * (d0 // 2))
    return d0 * (sum(p for v, p in law.items() if v >= 0) - Fraction(1, 2)) ** 2


SQUARED = r"d_0\,(P-\tfrac12)^2"
rate = claim(
    "contamination-activation-clt-rate",
    states="contamination-activation-clt",
    title="The order of the error is reached",
    says=r"For fair features in $\{0, 1\}$, equal blocks, $w = 1$ and $y = -1$, $\sqrt{d_0}$ "
    r"times the error is between $(1 - 1/(2d_0))/\sqrt{2\pi}$ and $1/\sqrt{2\pi}$.",
    role="reading",
    covers="rate-attained",
    domain={d0: even_integers(2)},
    grid={"smoke": {d0: [2, 16, 100]}, "standard": {d0: [4, 64, 256]}},
    legs=[
        leg("from above", error, relation=at_most(), closed_form=1 / (2 * sp.pi) + 0 * d0, where=d0 <= 400, lhs=SQUARED,
            tex=r"\tfrac1{2\pi}"),
        leg("from below", error, relation=at_least(), closed_form=(1 - 1 / (2 * d0)) ** 2 / (2 * sp.pi),
            where=d0 <= 400, lhs=SQUARED, tex=r"\tfrac1{2\pi}\big(1-\tfrac1{2d_0}\big)^2"),
    ],
    rivals=[
        variant("an error of 8/d0", leg="from above", closed_form=64 / (d0 * 2 * sp.pi) + 0 * d0, at=[{d0: 100}]),
        variant("features of nine values", leg="from below", simulation=error_of_uniform, at=[{d0: 16}]),
        variant("5 per cent more", leg="from below", closed_form=sp.Rational(21, 20) / (2 * sp.pi) + 0 * d0),
    ],
    mutate=False,
)  # fmt: skip
