"""Proposition 6.3 at the edge of its hypotheses: how fast the accuracy under the shifted law falls (derived).

Setting. gamma = 3/sqrt(r) from above, d the least that is admissible, lambda = sqrt(r) exp(-sqrt(r)/5); alpha and beta
are the two values of the weight-decay optimum in balls (`_population`), the accuracy is that of `optimum_sizes`.

Statements. -log(accuracy)/r falls along this family, towards 27/34: with n = r/gamma^2 and alpha/beta = 1/(2 gamma) it
is the squared mean over twice the variance of S/(2 gamma) + T, but for the gamma^2 in Var T/n.

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
    exactly,
    formula_leg,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._population import BITS, number, shifted_accuracy
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


FAMILY = {
    "lhs": r"\tfrac13\gamma\sqrt r,\ \lambda/(\sqrt re^{-\sqrt r/5})",
    "required": False,
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
    ),
    leg(
        "and the least",
        room_of_one_fewer,
        relation=at_most(),
        closed_form=sp.Integer(1),
        lhs=r"(d-1-r)\gamma^2/r",
        tex="1",
        required=False,
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


LISTED = choices(37, 40, 64, 100, 225)

LIMIT = sp.Rational(27, 34)
# n = r/gamma^2 and alpha/beta = 1/(2 gamma): mean and variance of S/(2 gamma) + T, but for the gamma^2 in Var T/n
EDGE = formula_leg(
    "squared mean over twice the variance",
    typed(
        f"(size/gamma - size/(4*gamma))**2/(2*size*(size/gamma**2/3 + size/(12*4*gamma**2))) == {LIMIT}",
        over=["size in 1..oo", "gamma in (0, 1/2)"],
    ),
)

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
    tex=r"\frac{27}{34}",
    states="nuclear-ood-exponent",
    title="The exponent stays above 27/34",
    says=r"$-\log(\mathrm{accuracy})/r$ exceeds 27/34, its limit along $\gamma = 3/\sqrt{r}$: "
    r"$\frac{9}{16}/(2(\frac{1}{3} + \frac{1}{48}))$.",
    covers="limit-27-34",
    domain={r: LISTED},
    grid={"smoke": {r: [40, 64]}, "standard": {r: [40, 64, 100, 225]}},
    relation=at_least(),
    closed_form=LIMIT,
    legs=[
        leg("inversion", exponent),
        leg(
            "near its limit",
            exponent,
            relation=at_most(),
            closed_form=LIMIT + 27 / r,
            where=sp.Ge(r, 64),
            grid={"smoke": {r: [64]}, "standard": {r: [64, 100, 225]}},
            lhs=r"-\tfrac1r\log\mathrm{acc}_r",
            tex=r"\frac{27}{34}+\frac{27}r",
        ),
        leg(
            "equal weights",
            at_equal_weights,
            reference=by_signs,
            relation=equals(),
            lhs=r"\Pr_{\mathrm{ood}}[S+T\ge0]",
            tex=r"\sum_m\Pr[m]\,\Pr[S_{40}\ge m]",
        ),
        *ADMISSIBLE,
        EDGE,
    ],
    rivals=[
        *exactly(EDGE),
        variant("it stays above 13/10", closed_form=sp.Rational(13, 10), leg="inversion"),
        variant("within 20/r of it", closed_form=LIMIT + 20 / r, leg="near its limit"),
        variant("under the training law", reference=by_signs_in_training, leg="equal weights"),
        *NOT_ADMISSIBLE,
        *rivals_of(
            EDGE,
            {
                "without the variance of S": f"(size/gamma - size/(4*gamma))**2/(2*size*(size/gamma**2/3)) == {LIMIT}"
            },
        ),
    ],
)
