r"""Lemmas B.6 and B.59: the loss of the constructed second layer.

Setting. Population step with l'(0) = -1, so that a neuron with gradient G has new weight eta a G; it fits feature j
of g* = sum_j a_j relu(<D_j, x> - b_j) where G is in the cone of D_j and c a eta |G|/b~ is within eps_a of 1, c =
|b_j|, or B_eps where that is larger; sigma_a = b~/(eta B_G B_eps). Its weight is a_j c/(N b~), N the number that fit.
eps_a = B_x1 B_b/(sqrt(mp) B_G B_eps) <= 1, in the sup norm with B_G1 >= |G| for B_x1.

Statements. With probability at least 1 - 2 r e^(-sqrt(mp)/10) some neuron fits each feature (the proofs leave the
constant of the exponent open: with 1, as printed, these neurons do not show it), and then the loss is at most that of
g* plus (1) r B_a1 (B_x1 eps_a + B_x1 sqrt(2 gamma) + B_eps), (2) in the sup norm r B_a1 (B_x1 eps_a + sqrt(2 d log d)
gamma_oo + B_eps), d >= 2.

Proof. a is independent of the cone's event and t = b~/(c eta |G| sigma_a) is in [1/(sqrt(mp) eps_a), 1]: P[|a/(t
sigma_a) - 1| <= eps_a] is the integral of t phi(t (1 + v)) over |v| <= eps_a, at least t eps_a/10 >= 1/(10 sqrt(mp)).
One neuron fits with probability p times that. c/b~ relu(<w, x> - b~ s) = relu(<c w/b~, x> - c s), and c w/b~ = f u
with u a unit vector in the cone, |f - 1| <= eps_a, |u - D| <= sqrt(2 gamma), or |u - D| <= sqrt(d) gamma_oo; c s is
within B_eps of b_j.

The run: y = 1 at (1, 0) and (0, 1), -1 at (-1, 0), with chances 2/5, 1/5, 2/5; D = e_1, gamma = 1/5, gamma_oo = 1/2,
b~ = 1/4, eta = 1, b* = 1/2 and a* = 1, B_eps = 1/4, B_G = 2/5; G is 2/5 e_1 or 2/5 e_1 + 1/5 e_2 where |w_1| > b~.

Reference: lines 5674-5752, 937-941, 7341-7390.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    integers,
    probability,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._means import MEAN, per_atom

m = sp.symbols("m", integer=True, positive=True)
# p = P[|w_1| > 1/4]
SHARE = sp.erfc(sp.Rational(1, 4) / sp.sqrt(2))
LEVEL = 2 * sp.exp(-sp.sqrt(m * SHARE) / 10)
BIAS, STAR, WIDTH, LEAST = Fraction(1, 4), Fraction(1, 2), Fraction(1, 4), Fraction(2, 5)
POINTS = [((1, 0), 1, Fraction(2, 5)), ((0, 1), 1, Fraction(1, 5)), ((-1, 0), -1, Fraction(2, 5))]
GAMMA, GAMMA_SUP = Fraction(1, 5), Fraction(1, 2)


def neurons(ns, rng, size, m):
    """m neurons at the start: a, and the coordinates of G. Arrays (size, m)."""
    w = rng.normal((size, m, 2))
    a = rng.normal((size, m)) * ns.asarray(BIAS / (LEAST * WIDTH))
    first = ns.where(ns.abs(w[..., 0]) > ns.asarray(BIAS), ns.asarray(LEAST), 0 * a)
    second = ns.where(w[..., 1] > ns.asarray(BIAS), ns.asarray(Fraction(1, 5)), 0 * a)
    return a, first, second


def tolerance(ns, init):
    """eps_a, with p = P[|w_1| > 1/4]."""
    p = 1 - ns.erf(ns.asarray(BIAS) / ns.sqrt(ns.asarray(2)))
    return ns.asarray(STAR / (LEAST * WIDTH)) / ns.sqrt(p * init[0].shape[1])


def second_layer(ns, init):
    """a_j c/(N b~) for the N neurons that fit, 0 for the others. Shape (size, m)."""
    a, first, second = init
    length = ns.sqrt(first * first + second * second)
    near = ns.abs(ns.asarray(STAR / BIAS) * a * length - 1) <= tolerance(ns, init)
    fits = ns.where(near & (first > 0), 1, 0)
    N = ns.sum(fits, axis=1)
    return fits * ns.asarray(STAR / BIAS) / ns.maximum(N, 1 + 0 * N)[:, None]


def excess(ns, init):
    """The hinge loss of the network less that of g*. Shape (size,)."""
    a, first, second = init
    weight = second_layer(ns, init)
    total = 0 * ns.sum(weight, axis=1)
    for (x, z), y, chance in POINTS:
        inner = a * (first * x + second * z) - ns.asarray(BIAS)
        g = ns.sum(weight * ns.maximum(inner, 0 * inner), axis=1)
        own = 1 - y * max(x - STAR, Fraction(0))
        loss = ns.maximum(1 - y * g, 0 * g) - ns.asarray(max(own, Fraction(0)))
        total = total + ns.asarray(chance) * loss
    return total


def passed(ns, rng, size, m, cone=2 * GAMMA, factor=1):
    """Whether no neuron fits or the loss passes that of g* by ``factor`` times the gap. Shape (size,)."""
    init = neurons(ns, rng, size, m)
    gap = tolerance(ns, init) + ns.sqrt(ns.asarray(cone)) + ns.asarray(WIDTH)
    none = ns.sum(second_layer(ns, init), axis=1) <= 0
    return ns.where(none | (excess(ns, init) > ns.asarray(factor) * gap), 1, 0)


def passed_sup(ns, rng, size, m):
    """In the sup norm: sqrt(2 d log d) gamma_oo, d = 2, log 2 > 69/100."""
    return passed(ns, rng, size, m, 4 * Fraction(69, 100) * GAMMA_SUP**2)


def passed_less(ns, rng, size, m):
    """A loss less than that of g* by a twentieth of the gap."""
    return passed(ns, rng, size, m, factor=Fraction(-1, 20))


TEXTS = {
    "density at the window": typed(
        "exp(-(t*(1 + v))**2/2)/sqrt(2*pi) >= 1/20", over=["t in (0, 1]", "v in [-1, 1]"]
    ),
    "window": typed("Integral(t/20, (v, -e, e)) == t*e/10", over=["t in (0, 1]", "e in (0, 1]"]),
    "no neuron": typed("(1 - q)**m <= exp(-m*q)", over=["m in 1..oo", "q in [0, 1]"]),
    "exponent": typed("m*p*(1/(10*sqrt(m*p))) == sqrt(m*p)/10", over=["m in 1..oo", "p in (0, 1]"]),
    "scaling": typed("c*relu(u - b) == relu(c*u - c*b)", over=["c in [0, oo)", "u, b in R"]),
    "Lipschitz": typed(
        "abs(relu(u - s) - relu(v - q)) <= abs(u - v) + abs(s - q)", over="u, v, s, q in R"
    ),
    "length and direction": typed(
        "norm(x + y) <= norm(x) + norm(y)", over=["d in 1..oo", "x, y in R^d"]
    ),
    "all features": typed(
        "Sum(z[j], (j, 1, r)) <= r*M",
        over=["r in 1..oo", "M in R", "z[j] in R for j in 1..r"],
        where="z[j] <= M for j in 1..r",
    ),
}
SUP = typed("sqrt(d)*c <= sqrt(2*d*log(d))*c", over=["d in 2..oo", "c in [0, oo)"])


def steps(over):
    """The steps of the proof, and the mean over the law: l, k the losses of an atom, f = |g - g*| there."""
    law = per_atom(
        "mean over a law",
        f"{MEAN('l[i]')} - {MEAN('k[i]')} <= {MEAN('f[i]')}",
        "l[i], k[i], f[i]",
        "l[i] - k[i] <= f[i]",
    )
    return [*(formula_leg(name, text, over=over) for name, text in TEXTS.items()), law]


def draws(program, tex):
    return beside(
        "draws",
        program,
        r"\Pr\big[L(\tilde a)-L(g^*)>" + tex + r"\big]",
        r"2re^{-\sqrt{mp}/10}",
        statistic=probability(),
        gives="a_tilde",
        chosen_by=second_layer,
        where=m <= 512,
        block=128,
    )


GRID = {"smoke": [{m: 128}], "standard": [{m: 64}, {m: 256}]}
ROLE = {"role": "reading", "domain": {m: integers(64)}, "grid": GRID, "closed_form": LEVEL}
GAP = r"rB_{a1}(B_{x1}\varepsilon_a+B_{x1}\sqrt{2\gamma}+B_\epsilon)"
GAP_SUP = r"rB_{a1}(B_{x1}\varepsilon_a+\sqrt{2d\log d}\,\gamma_\infty+B_\epsilon)"
FIRST, SECOND = steps("law S r B_F B_eps init"), steps("B_eps init")

loss = claim(
    "gradfeat-good-network-loss",
    states="gradfeat-good-network",
    title="Loss of the constructed second layer",
    says=r"With probability at least $1-2re^{-\sqrt{mp}/10}$ some second layer has $L\le L(g^*)+"
    + GAP
    + r"$, where "
    r"$\varepsilon_a\le1$.",
    covers="loss-gap",
    relation=at_most(),
    legs=[*FIRST, draws(passed, GAP)],
    rivals=[
        variant("below the loss of g*", simulation=passed_less, leg="draws"),
        *rivals_of(FIRST[0], {"1/10": "exp(-(t*(1 + v))**2/2)/sqrt(2*pi) >= 1/10"}),
        *rivals_of(FIRST[5], {"without the bias": "abs(relu(u - s) - relu(v - q)) <= abs(u - v)"}),
    ],
    **ROLE,
)

loss_sup = claim(
    "gradfeat-good-network-loss-sup",
    states="gradfeat-good-network-infnorm",
    title="Loss of the constructed second layer, features in the sup norm",
    says=r"With probability at least $1-2re^{-\sqrt{mp}/10}$ some second layer has $L\le L(g^*)+"
    + GAP_SUP
    + r"$, "
    r"where $\varepsilon_a\le1$ and $d\ge2$.",
    covers="loss-gap",
    relation=at_most(),
    legs=[*SECOND, formula_leg("sup norm", SUP, over="B_eps init"), draws(passed_sup, GAP_SUP)],
    rivals=[
        variant("below the loss of g*", simulation=passed_less, leg="draws"),
        *rivals_of(SECOND[0], {"1/10": "exp(-(t*(1 + v))**2/2)/sqrt(2*pi) >= 1/10"}),
        *rivals_of(SECOND[5], {"without the bias": "abs(relu(u - s) - relu(v - q)) <= abs(u - v)"}),
    ],
    **ROLE,
)
