r"""Appendix A.7.3: the label of a mixture of Gaussians as a sum of ReLUs over its centres.

Setting. Centres c in {-1, 1}^k (in the basis M), label y_c the product of the entries; x = c + g, g ~ N(0, sigma_r^2
(k/d) I).

Statements. (1) The print has y roughly proportional to sum_c y_c max(<c, x>, 0), no bias. At the centre c its value
is y_c times sum_h (-1)^h C(k, h) max(k - 2h, 0), h the entries in which another centre differs. That is 0 for k = 3,
5, ..: no factor makes it the label, and none that is positive for k = 4, where it is negative. (2) With a bias, (1/2)
sum_c' y_c' max(<c', x> - (k - 2), 0) is y_c at every centre: only h = 0 is left (derived). (3) The sign of each
coordinate errs with probability p = Q(sqrt(d/k)/sigma_r); the number of errors is odd with probability (1 - (1 -
2p)^k)/2, which no rule beats: given x the entries are independent, each more likely to be the sign of its coordinate
(derived).

Reference: lines 4083-4127.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import sympy as sp
from flint import acb, arb, ctx

from theorycheck import (
    claim,
    counts,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._balls import BITS, ONE_POINT, number

k = sp.Symbol("k", integer=True, positive=True)

# times y_c; a positive factor of proportionality needs a positive value
BIAS_FREE = "Sum((-1)**h*binomial(k, h)*Max(k - 2*h, 0), (h, 0, k))"
printed = claim(
    "structured-gmm-bias-free",
    states="structured-sim-gmm",
    title="The label as a sum of ReLUs over the centres, as printed",
    says=r"For every $k$ some positive factor makes $\sum_cy_c\max(\langle c,x\rangle,0)$ the label at the centres.",
    expect="fail",
    covers="relu-representation",
    legs=[
        formula_leg("at a centre", typed(f"{BIAS_FREE} > 0", over="k in 1..oo"), over="factor x")
    ],
)


def network(k, x, bias, odd=True):
    """sum over the centres c of y_c max(<c, x> - bias, 0)."""
    return sum(
        (prod(c) if odd else 1) * max(sum(a * b for a, b in zip(c, x, strict=True)) - bias, 0)
        for c in product((-1, 1), repeat=k)
    )


def matched(k, lower=2, odd=True):
    """At how many centres half the network with bias k - lower is the label. Shape ()."""
    return sum(network(k, c, k - lower, odd) == 2 * prod(c) for c in product((-1, 1), repeat=k))


ALONE = formula_leg(
    "what a centre sees of the others",
    typed(
        "Max((k - 2*h) - (k - 2), 0) == Piecewise((2, h == 0), (0, True))",
        over=["k in 1..oo", "h in 0..k"],
    ),
    over="c",
)

with_bias = claim(
    "structured-gmm-with-bias",
    lhs=r"\#\{c:\text{half the network}=y_c\}",
    states="structured-sim-gmm",
    title="The label as a sum of ReLUs with a bias",
    says=r"$\frac12\sum_{c'}y_{c'}\max(\langle c',c\rangle-(k-2),0)=y_c$ at all $2^k$ centres, for every $k$.",
    role="corrected",
    corrects="structured-gmm-bias-free",
    covers="with-bias",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 3, 5]}, "standard": {k: [4, 6]}},
    closed_form=2**k,
    relation=counts(),
    legs=[leg("every centre", matched, inside="c", where=k <= 6), ALONE],
    rivals=[
        variant("no bias", call=matched, lower=0),
        variant("bias k - 3", call=matched, lower=3),
        variant("without the labels", call=matched, odd=False),
        *rivals_of(
            ALONE,
            {"bias k - 4": "Max((k - 2*h) - (k - 4), 0) == Piecewise((2, h == 0), (0, True))"},
        ),
    ],
)


def mistaken(width, d, sigma):
    """P[the product of the signs of x = c + g is not y_c] at c = (1, .., 1), one coordinate by integration, all signs.
    Shape ()."""
    with ctx.workprec(BITS):
        spread = number(sigma) * number(Fraction(width, d)).sqrt()

        def density(x, _analytic):
            return (-(((x - 1) / spread) ** 2) / 2).exp() / (spread * (2 * arb.pi()).sqrt())

        p = acb.integral(density, (1 - 30 * spread).min(0), arb(0)).real + arb(0, 1e-90)
        total = arb(0)
        for signs in product((-1, 1), repeat=width):
            if prod(signs) < 0:
                total += prod((p if sign < 0 else 1 - p for sign in signs), start=arb(1))
        return total


def stated_mistakes(width, d, sigma, inside=True):
    """(1 - (1 - 2 p)^k)/2, p = Q(sqrt(d/k)/sigma). Shape ()."""
    with ctx.workprec(BITS):
        ratio = Fraction(d, width) if inside else Fraction(width, d)
        p = (number(ratio).sqrt() / number(sigma) / arb(2).sqrt()).erfc() / 2
        return (1 - (1 - 2 * p) ** width) / 2


def exchanged(width, d, sigma):
    return stated_mistakes(width, d, sigma, inside=False)


def a_cluster(rng):
    width = int(rng.integers(1, 6))
    return {
        "width": width,
        "d": width + int(rng.integers(1, 9)),
        "sigma": Fraction(int(rng.integers(2, 20)), 8),
    }


FLIP = formula_leg(
    "one coordinate",
    typed(
        "P[1 + sigma*sqrt(k/d)*g < 0] == Q(sqrt(d/k)/sigma)",
        over=["d in 1..oo", "k in 1..oo", "sigma > 0", "g ~ N(0, 1)"],
    ),
    over="d k sig_r",
)
TOTAL = formula_leg(
    "all numbers of errors",
    typed(
        "Sum(binomial(k, j)*p**j*(1 - p)**(k - j), (j, 0, k)) == 1",
        over=["k in 1..oo", "p in (0, 1/2)"],
    ),
    over="d k sig_r",
)
ODD = formula_leg(
    "even less odd numbers of errors",
    typed(
        "Sum(binomial(k, j)*(-p)**j*(1 - p)**(k - j), (j, 0, k)) == (1 - 2*p)**k",
        over=["k in 1..oo", "p in (0, 1/2)"],
    ),
    over="d k sig_r",
)
LIKELIER = formula_leg(  # E[entry | x] = tanh(x/variance)
    "the likelier sign", typed("tanh(u)*u >= 0", over="u in R"), over="d k sig_r"
)

bayes = claim(
    "structured-gmm-bayes",
    lhs=r"\Pr\big[\prod_i\operatorname{sign}x_i\ne y_c\big]",
    tex=r"\tfrac12(1-(1-2p)^k)",
    states="structured-sim-gmm",
    title="Bayes error of the parity of Gaussian clusters",
    says=r"The least error is $\frac12(1-(1-2p)^k)$ with $p=Q(\sqrt{d/k}/\sigma_r)$, for all $d$, $k$ and "
    r"$\sigma_r$.",
    role="derived",
    covers="bayes",
    **ONE_POINT,
    legs=[
        leg(
            "all signs",
            mistaken,
            reference=stated_mistakes,
            required=False,
            instances=instances(a_cluster, "width d sigma", smoke=3, standard=6),
        ),
        FLIP,
        TOTAL,
        ODD,
        LIKELIER,
    ],
    rivals=[
        variant("k/d", reference=exchanged, leg="all signs"),
        *rivals_of(FLIP, {"sqrt(k/d)": "P[1 + sigma*sqrt(k/d)*g < 0] == Q(sqrt(k/d)/sigma)"}),
        *rivals_of(
            TOTAL,
            {"from one error on": "Sum(binomial(k, j)*p**j*(1 - p)**(k - j), (j, 1, k)) == 1"},
        ),
        *rivals_of(
            ODD, {"1 - p": "Sum(binomial(k, j)*(-p)**j*(1 - p)**(k - j), (j, 0, k)) == (1 - p)**k"}
        ),
        *rivals_of(LIKELIER, {"the other sign": "tanh(u)*u <= 0"}),
    ],
)
