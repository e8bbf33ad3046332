r"""Lemma A.34: the part of the first step along the input noise, with an explicit constant.

Setting. As in `general_first_step`: z = <phi, q> + <w, zeta>/sigma~ + b + xi, xi ~ N(0, s^2), zeta ~ N(0, sigma_zeta^2
I_d), nu_j = E[alpha_y y (zeta_j/sigma~) 1[z in (0, 1)]]; v_j = sigma_zeta w_j/sigma~ is the deviation of z along
zeta_j, tau^2 = s^2 + |v|^2, psi the density of N(0, tau^2).

Statements. (1) By parts in zeta_j, nu_j = (sigma_zeta/sigma~) v_j E[alpha_y y (psi(-x) - psi(1 - x))], x = <phi, q> +
b. (2) Given the background E alpha_y y = 0, and the relevant part t moves each density by at most |t| e^(-1/2)/(sqrt(2
pi) tau^2): with E|alpha_y y phi_l| <= 9/(16 sigma~) and |v_j|/tau^2 <= 1/(2 s), |nu_j| <= (9/16) e^(-1/2) (sigma_zeta/
sigma~) k M/(sqrt(2 pi) s sigma~) <= (3/20) (sigma_zeta/sigma~) eps_e for every coordinate, every w with |q_l| <= M and
every law. Neither the root of log k, above 1 from k = 3 on, nor the exponential term of the print is needed, nor its
bound on |zeta_j|.

Reference: Lemma A.34, lines 4510-4525 and 4640-4697.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import acb, arb, ctx

from theorycheck import claim, formula_leg, rivals_of, typed, variant

from ._balls import ONE_POINT, number
from ._bounded import bounded
from ._first_step import shifts
from .general_first_step import (
    EPS,
    SIZES,
    any_member,
    around,
    chain,
    class_weights,
    one_pattern,
)

FIELDS = "law own back rest b s noise"
PRECISION = 80


def moment(z, v, r):
    """E[g 1[z + v g + r h in (0, 1)]] of standard Gaussians, by quadrature; beyond 15 there is less than 10^-48."""
    scale = acb(arb(2).sqrt() * r)

    def integrand(g, _):
        at = acb(z) + acb(v) * g
        return g * (-g * g / 2).exp() * ((at / scale).erf() + ((1 - at) / scale).erf())

    size = 2 * (2 * arb.pi()).sqrt()
    return acb.integral(integrand, -15, 15).real / size + arb(0, 1e-48)


def noise_part(law, own, back, rest, b, s, noise, weighted=True):
    """sigma~ |nu_j|/sigma_zeta of every coordinate. Shape (d,)."""
    with ctx.workprec(PRECISION):
        found, alpha = [], class_weights(law)
        for j, v in enumerate(noise):
            others = sum((u * u for i, u in enumerate(noise) if i != j), s * s)
            r, total = number(others).sqrt(), arb(0)
            for t, _, y, c in shifts(law, own):
                for x, _, m in around(back, rest):
                    weight = (alpha[y] if weighted else 1) * y * c * m
                    total += number(weight) * moment(number(t + x + b), number(v), r)
            found.append(abs(total))
        return found


def unweighted(law, own, back, rest, b, s, noise):
    return noise_part(law, own, back, rest, b, s, noise, weighted=False)


def noise_bound(law, own, back, rest, b, s, noise, share=1, power=1):
    """(9/8) e^(-1/2)/sqrt(2 pi) |v_j| |q_A|_1/(sigma~ tau^2). Shape (d,)."""
    with ctx.workprec(PRECISION):
        size = number(share * sum((abs(u) for u in own), Fraction(0)))
        tau2 = number(sum((u * u for u in noise), s * s))
        top = number(Fraction(9, 8)) * (-arb(1) / 2).exp() / (2 * arb.pi()).sqrt()
        return [top * number(abs(v)) ** power * size / tau2 for v in noise]


def third(law, own, back, rest, b, s, noise):
    return noise_bound(law, own, back, rest, b, s, noise, share=Fraction(1, 3))


def square(law, own, back, rest, b, s, noise):
    return noise_bound(law, own, back, rest, b, s, noise, power=2)


def a_noisy_member(rng):
    """A member with dependent background, a neuron, two coordinates of noise."""
    found = any_member(rng)
    s = Fraction(int(rng.integers(1, 5)), 4)
    return {
        **{name: found[name] for name in ("law", "own", "back", "rest", "b")},
        "s": s,
        "noise": [s * Fraction(int(rng.signs()) * int(rng.integers(1, 9)), 4) for _ in range(2)],
    }


def steepest(rng, rate=Fraction(1, 2)):
    """One relevant pattern, the lower end at the steepest place of the density; s = 3/100, v = 4/100, tau = 1/20."""
    coin = [((0,), Fraction(1, 2)), ((1,), Fraction(1, 2))]
    found = one_pattern(rate, coin, [Fraction(0)])
    return {
        **{name: found[name] for name in ("law", "own", "back", "rest")},
        "b": Fraction(-1, 20),
        "s": Fraction(3, 100),
        "noise": [Fraction(4, 100)],
    }


def rare(rng):
    """The same with nine labels of ten -1."""
    return steepest(rng, rate=Fraction(1, 10))


compared = partial(bounded, FIELDS)
NAMES = "law w b"
PARTS = formula_leg(
    "by parts",
    typed(
        "Integral(x*exp(-x**2/2), (x, lo, hi)) == exp(-lo**2/2) - exp(-hi**2/2)",
        over=["lo in R", "hi in R"],
    ),
    over=NAMES,
)
STEEP = formula_leg(
    "slope of the density", typed("abs(x)*exp(-x**2/2) <= exp(-1/2)", over="x in R"), over=NAMES
)
SHARE = formula_leg(
    "share of one coordinate",
    typed("v/(s**2 + v**2 + r) <= 1/(2*s)", over=["v >= 0", "s > 0", "r >= 0"]),
    over=NAMES,
)


def size(constant):
    return f"(9/16)*exp(-1/2)*(k*M/V)/(s*sqrt(2*pi)) <= {constant}*{EPS}"


LAST = formula_leg(
    "size",
    typed(size("(3/20)"), over=SIZES, where="k*V <= D + Z*V"),
    over=NAMES,
    gives="C c",
)
CHAIN, CHAIN_WRONG = chain(NAMES, "unused", "1", "", "(2/5)", "(1/3)")
NOISY, QUIET = CHAIN[2:4]

noise = claim(
    "structured-general-first-step-noise",
    lhs=r"\tilde\sigma\,|\nu_j|/\sigma_\zeta",
    tex=r"\tfrac98\,\tfrac{e^{-1/2}}{\sqrt{2\pi}}\,\tfrac{|v_j|\,|q_A|_1}{\tilde\sigma\tau^2}",
    states="structured-general-first-step",
    role="reading",
    title="First step along the input noise",
    says=r"For $D\ge2k^2$, every law of the general family and every typical neuron $|\nu_j|\le\frac3{20}\,"
    r"\sigma_\zeta\epsilon_e/\tilde\sigma$ for all $j$, without $\sqrt{\log k}$ and without the exponential term, "
    r"$\epsilon_e$ with the logarithm of the typical set.",
    covers="noise-part",
    reads={"law": "law back", "w": "own rest noise s", "b": "b"},
    **ONE_POINT,
    legs=[
        compared("members and neurons", noise_part, noise_bound, a_noisy_member, 2, 6, inside="j"),
        compared("at the steepest", noise_part, noise_bound, steepest),
        compared("rare labels", noise_part, noise_bound, rare),
        PARTS,
        STEEP,
        SHARE,
        NOISY,
        QUIET,
        LAST,
    ],
    rivals=[
        variant("a third", reference=third, leg="at the steepest"),
        variant("v_j^2", reference=square, leg="at the steepest"),
        variant("without class weights", simulation=unweighted, leg="rare labels"),
        *rivals_of(
            PARTS,
            {
                "the other sign": "Integral(x*exp(-x**2/2), (x, lo, hi)) == exp(-hi**2/2) - exp(-lo**2/2)"
            },
        ),
        *rivals_of(STEEP, {"1/2": "abs(x)*exp(-x**2/2) <= 1/2"}),
        *rivals_of(SHARE, {"1/(3 s)": "v/(s**2 + v**2 + r) <= 1/(3*s)"}),
        *CHAIN_WRONG[2:4],
        *rivals_of(LAST, {"constant 1/8": size("(1/8)")}),
    ],
)
