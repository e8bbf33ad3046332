"""Proposition 6.3 at the edge of its hypotheses: how fast the accuracy under the shifted law falls (derived).

Setting. gamma = 3/sqrt(r) from above, d the least that is admissible, lambda = sqrt(r) exp(-sqrt(r)/5); alpha and beta
are the two values of the weight-decay optimum in balls (`_population`), the accuracy is that of `optimum_sizes`.

Statements. -log(accuracy)/r falls along this family at the r that are run, from 37 to 225, and tends to the largest
value I = 0.79454.. of 2 k - 2 k^2/3 - log((e^k - 1)/k), near k = 1.06. For alpha/beta tends to 1/(2 gamma), and with n
= r/gamma^2 the mean of exp(2 gamma k X), X = S/(2 gamma) + T, has logarithm r (log((e^k - 1)/k) - 2 k + 2 k^2/3), but
for what gamma^2 adds: T is spread over so many coordinates that it is as good as Gaussian, but each of the r
coordinates of S is tilted by k. A Gaussian with the moments of X would have 27/34 = 0.79411... By Markov's inequality
the exponent of these weights is at least that of any k, at every r; by Cramer's theorem its limit is no more.

Reference: Proposition 6.3, E.8, lines 1811-1813 and 9238-9272; the exponent is derived.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, comb, exp, isqrt

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    at_most,
    choices,
    claim,
    equals,
    formula_leg,
    leg,
    reaching,
    rivals_of,
    typed,
    variant,
)

from ._population import BITS, mean_exp, number, shifted_accuracy, signed
from .optimum_sizes import accuracy
from .tails import irwin_hall

r, r_prime = sp.symbols("r r_prime", integer=True, positive=True)


def edge(r):
    """d, gamma and lambda: gamma = 3.0003/sqrt(r), the least d, lambda = sqrt(r) exp(-sqrt(r)/5), each rounded up."""
    bias = Fraction(isqrt(30003**2 * 10**12 // r) + 1, 10**10)
    level = Fraction(ceil(10**6 * r**0.5 * exp(-(r**0.5) / 5)), 10**6)
    return int(r / bias**2) + r + 1, bias, level


def exponent(r):
    """-log(accuracy)/r there. Shape ()."""
    with ctx.workprec(BITS):
        return -accuracy(r, *edge(r)).log() / r


def room(r, fewer=0):
    """(d - r) gamma^2/r there with ``fewer`` coordinates. Shape ()."""
    dimension, bias, _ = edge(r)
    return (dimension - fewer - r) * bias**2 / r


def room_of_one_fewer(r):
    return room(r, fewer=1)


def family(r):
    """gamma sqrt(r)/3 and lambda over sqrt(r) exp(-sqrt(r)/5) there. Shapes ()."""
    with ctx.workprec(BITS):
        _, bias, level = edge(r)
        root = arb(r).sqrt()
        return [number(bias) * root / 3, number(level) / (root * (-root / 5).exp())]


def family_by_a_hundredth(r):
    return [x * 101 / 100 for x in family(r)]


def family_less_a_hundredth(r):
    return [x * 99 / 100 for x in family(r)]


NEAR, FAR = (37, 40, 64, 100, 225), (10**4, 10**6)
"""Where the optimum is enclosed, and where the weights have their limit."""
INVERTED = sp.Le(r, NEAR[-1])
DISTANT = {"where": sp.Ge(r, FAR[0]), "grid": {"smoke": {r: list(FAR)}}}
FAMILY = {
    "lhs": r"\tfrac13\gamma\sqrt r,\ \lambda/(\sqrt re^{-\sqrt r/5})",
    "required": False,
    "where": INVERTED,
}


ADMISSIBLE = [
    leg(
        "d is admissible",
        room,
        relation=at_least(strict=True),
        closed_form=sp.Integer(1),
        lhs=r"(d-r)\gamma^2/r",
        tex="1",
        required=False,
        where=INVERTED,
    ),
    leg(
        "and the least",
        room_of_one_fewer,
        relation=at_most(),
        closed_form=sp.Integer(1),
        lhs=r"(d-1-r)\gamma^2/r",
        tex="1",
        required=False,
        where=INVERTED,
    ),
    leg("gamma and lambda", family, relation=at_least(), closed_form=sp.Integer(1), **FAMILY),
    leg(
        "no more than rounded up",
        family,
        relation=at_most(),
        closed_form=sp.Rational(1001, 1000),
        **FAMILY,
    ),
]
NOT_ADMISSIBLE = [
    variant("a hundredth less", simulation=family_less_a_hundredth, leg="gamma and lambda"),
    variant("a hundredth more", simulation=family_by_a_hundredth, leg="no more than rounded up"),
    variant("one fewer is admissible", simulation=room_of_one_fewer, leg="d is admissible"),
    variant("one more is the least", simulation=room, leg="and the least"),
]


def at_equal_weights(r):
    """The accuracy of weights 1 on 20 + 20 coordinates, gamma = 1/r. Shape ()."""
    return shifted_accuracy(arb(1), arb(1), 20, 20, Fraction(1, r))


def by_signs(r, lean=1):
    """The same over the number of negative coordinates, from Irwin and Hall's law. Shape ()."""
    low, high = (Fraction(1, 2) - s * Fraction(lean, r) for s in (1, -1))
    return sum(
        comb(20, k) * high**k * low ** (20 - k) * (1 - irwin_hall(40, Fraction(k)))
        for k in range(21)
    )


def by_signs_in_training(r):
    return by_signs(r, lean=-1)


def falls(r, r_prime):
    """The exponent at r over that at r'. Shape ()."""
    with ctx.workprec(BITS):
        return exponent(r) / exponent(r_prime)


def rises(r, r_prime):
    return falls(r_prime, r)


LISTED = choices(*NEAR)


TILT = Fraction(53, 50)


def markov(r, law=1):
    """-log E[exp(2 gamma k X)]/r at k = 53/50, X = S/(2 gamma) + T, under the shifted law (``law`` 1) or that of
    training (-1). Shape ()."""
    dimension, bias, _ = edge(r)
    with ctx.workprec(BITS):
        inner = mean_exp(-number(TILT)).log()
        outer = signed(mean_exp, law * number(2 * bias * TILT), number(bias)).log()
        return -inner - outer * (dimension - r) / r


def markov_in_training(r):
    return markov(r, law=-1)


EXPONENT = "2*k - 2*k**2/3 - log((exp(k) - 1)/k)"
LIMIT = sp.sympify(EXPONENT).subs("k", sp.Rational(TILT))
"""Its largest value, but for 10^-8."""
LARGEST = formula_leg("the largest", typed(f"{EXPONENT} <= {LIMIT} + 1/10**8", over="k in (0, oo)"))

monotone = claim(
    "nuclear-exponent-falls",
    lhs=r"\frac{\log\mathrm{acc}_r/r}{\log\mathrm{acc}_{r'}/r'}",
    tex=r"1",
    states="nuclear-ood-exponent",
    title="The exponent per r falls",
    says=r"$-\log(\mathrm{accuracy})/r$ is larger at $r$ than at $r' > r$, for $r$, $r'$ among "
    "37, 40, 64, 100, 225.",
    covers="monotone",
    domain={r: LISTED, r_prime: LISTED},
    where=sp.Lt(r, r_prime),
    grid={
        "smoke": [{r: 37, r_prime: 40}, {r: 40, r_prime: 64}],
        "standard": [{r: a, r_prime: b} for a, b in ((37, 40), (40, 64), (64, 100), (100, 225))],
    },
    relation=at_least(strict=True),
    closed_form=sp.Integer(1),
    legs=[leg("inversion", falls), *ADMISSIBLE],
    rivals=[
        variant("it rises", simulation=rises, leg="inversion"),
        variant("by half", closed_form=sp.Integer(2), leg="inversion"),
        *NOT_ADMISSIBLE,
    ],
)

toward = claim(
    "nuclear-exponent-limit",
    lhs=r"-\tfrac1r\log\mathrm{acc}_r",
    tex=r"\max_\kappa\big(2\kappa-\tfrac23\kappa^2-\log\tfrac{e^\kappa-1}\kappa\big)",
    states="nuclear-ood-exponent",
    title="The exponent and its limit",
    says=r"$-\log(\mathrm{accuracy})/r$ exceeds its limit on $\gamma=3/\sqrt r$, $I=\max_\kappa(2\kappa-"
    r"\frac23\kappa^2-\log\frac{e^\kappa-1}\kappa)=0.79454\ldots$, for $r$ up to 225, by at most $27/r$ from 64 on; "
    r"at $\alpha/\beta=1/(2\gamma)$ Markov's bound exceeds it by at most $20/r$ at $r=10^4,10^6$.",
    covers="exponent-limit",
    domain={r: choices(*NEAR, *FAR)},
    grid={"smoke": {r: [40, 64]}, "standard": {r: [40, 64, 100, 225]}},
    relation=at_least(),
    closed_form=LIMIT,
    legs=[
        leg("inversion", exponent, where=INVERTED),
        leg(
            "near its limit",
            exponent,
            relation=at_most(),
            closed_form=LIMIT + 27 / r,
            where=sp.And(sp.Ge(r, 64), INVERTED),
            grid={"smoke": {r: [64]}, "standard": {r: [64, 100, 225]}},
            lhs=r"-\tfrac1r\log\mathrm{acc}_r",
            tex=r"I+\frac{27}r",
        ),
        # The bound itself, with no other: a larger one falls here, where next to nothing is left above the limit.
        leg(
            "far out",
            markov,
            lhs=r"-\tfrac1r\log\mathbb E\,e^{2\gamma\kappa(S/(2\gamma)+T)}",
            **DISTANT,
        ),
        leg(
            "far out and near it",
            markov,
            relation=at_most(),
            closed_form=LIMIT + 20 / r,
            lhs=r"-\tfrac1r\log\mathbb E\,e^{2\gamma\kappa(S/(2\gamma)+T)}",
            tex=r"I+\frac{20}r",
            **DISTANT,
        ),
        leg(
            "equal weights",
            at_equal_weights,
            reference=by_signs,
            relation=equals(),
            where=INVERTED,
            lhs=r"\Pr_{\mathrm{ood}}[S+T\ge0]",
            tex=r"\sum_m\Pr[m]\,\Pr[S_{40}\ge m]",
        ),
        *ADMISSIBLE,
        LARGEST,
    ],
    rivals=[
        variant("it stays above 13/10", closed_form=sp.Rational(13, 10), leg="inversion"),
        variant("within 20/r of it", closed_form=LIMIT + 20 / r, leg="near its limit"),
        variant("a 10,000th more", closed_form=LIMIT + sp.Rational(1, 10**4), leg="far out"),
        variant("far out in training", simulation=markov_in_training, leg="far out"),
        variant(
            "as if S were Gaussian",
            closed_form=sp.Rational(27, 34) + 20 / r,
            leg="far out and near it",
        ),
        variant("under the training law", reference=by_signs_in_training, leg="equal weights"),
        *NOT_ADMISSIBLE,
        *rivals_of(LARGEST, {"27/34": f"{EXPONENT} <= 27/34"}),
        *reaching(LARGEST, "k <= 1/9", "k >= 9"),
    ],
)
