r"""Lemmas A.30 and A.31: typical neurons for an incoherent dictionary.

Setting. q = M^T w, w ~ N(0, sigma_w^2 I_d), unit columns with inner products of at most mu/sqrt(d), D mu/sqrt(d) <=
1/16; n = D - k background patterns. The eigenvalues l of the Gram matrix of any set of columns lie in [15/16, 17/16]
(Gershgorin), and |q_S|^2 is sigma_w^2 sum l_j g_j^2 with independent standard g_j, sum l_j = |S|.

Statements. (1) E |q_S|^2 = sigma_w^2 |S|, the trace, for any unit columns; the proof prints the squared Frobenius
norm. (2) By E e^(s l g^2) = (1 - 2 s l)^(-1/2) at s = 1/6 and s = -1/2, |q_S|^2 is off by more than half of |S| with
probability at most 2 e^(-3|S|/100); |w|^2, all l = 1 and d >= D - k, likewise. (3) So the two norm bounds of m
neurons fail with probability at most 4 m x^2, x = e^(-3n/200), which is at most 2 m x where it is below 1: c = 3/200.
(4) The maximum needs no independence.

Reference: Lemma A.30, lines 4402-4430; Lemma A.31, lines 4434-4440.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    leg,
    probability,
    rivals_of,
    typed,
    variant,
)

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from .typical_neuron import joined, maximum

D, k, DELTA, NEURONS = 405, 5, Fraction(1, 4), 4
COMMON = Fraction(1, 82)  # squared 1/6724, so that inner products are below 1/(16 D) = 1/6480


def components(ns, g, pairs):
    """<w, M_l> from d = D + 1 standard Gaussians: columns (e_l + r e_0)/sqrt(1 + r^2) with a common direction, or
    with ``pairs`` e_l + r^2 e_(l+1). Both have inner products below 1/(16 D)."""
    r = ns.rational(COMMON.numerator, COMMON.denominator)
    if pairs:
        return (g[:, :, 1:] + r**2 * ns.roll(g[:, :, 1:], -1, axis=2)) / ns.sqrt(1 + r**4)
    return (g[:, :, 1:] + r * g[:, :, :1]) / ns.sqrt(1 + r**2)


def not_typical(ns, rng, size, m=1, pairs=False, times=2, band=(1, 2), level=None):
    """1 where some of m neurons has a norm, or a background norm, not within ``band`` of its mean, or a component
    above sqrt(``times`` log(D m/delta)), sigma_w = 1. Shape (size,)."""
    g = rng.normal((size, m, D + 1))
    q, share = components(ns, g, pairs), ns.rational(*band)
    bad = ns.zeros((size, m)) > 1
    for part in (g, q[:, :, k:]):
        mean = part.shape[2]
        bad = bad | (ns.abs(ns.sum(part**2, axis=2) - mean) > share * mean)
    count = D * (m if level is None else level) * DELTA.denominator / ns.asarray(DELTA.numerator)
    high = ns.max(q**2, axis=2) > times * ns.log(ns.asarray(count))
    return ns.number(ns.any(bad | high, axis=1))


def drawn(name, simulation, m):
    """A dictionary at d = 406, D = 405, k = 5, delta = 1/4."""
    return leg(
        name,
        simulation,
        statistic=probability(),
        relation=at_most(),
        required=False,
        closed_form=sp.Rational(1, 4) + 2 * m * sp.exp(-sp.Rational(3, 200) * (D - k)),
        lhs=r"\Pr[w\notin\mathcal G_w(\tfrac14)]"
        if m == 1
        else r"\Pr[\text{some }w_i\notin\mathcal G_w(\tfrac14)]",
        tex=r"\tfrac14+2e^{-6}" if m == 1 else r"\tfrac14+8e^{-6}",
        block=256,
        budget={"smoke": 4096, "standard": 16_384},
    )


def one_common(ns, rng, size, times=2, band=(1, 2)):
    return not_typical(ns, rng, size, times=times, band=band)


def one_paired(ns, rng, size):
    return not_typical(ns, rng, size, pairs=True)


def four_common(ns, rng, size, times=2, band=(1, 2), level=None):
    return not_typical(ns, rng, size, m=NEURONS, times=times, band=band, level=level)


def four_paired(ns, rng, size):
    return not_typical(ns, rng, size, m=NEURONS, pairs=True)


def outside(n, c):
    """P[the squares of n/2 pairs of Gaussians with correlation c add up to less than n/2 or more than 3n/2], n a
    multiple of 4: (1 - c) times a Gamma(n/2 + j, 2) variable, j negative binomial, with the tail of j added."""
    with ctx.workprec(8 * BITS):
        a, ratio = n // 4, number((1 - c) / (1 + c))
        ends = [number(share * n / (2 * (1 - c))) for share in (Fraction(1, 2), Fraction(3, 2))]
        weight, left, found = ratio**a, arb(1), arb(0)
        for j in range(20):
            shape = arb(n // 2 + j)
            low, high = (end.gamma_lower(shape, 1) for end in ends)
            found += weight * (1 + low - high)
            left -= weight
            weight *= (1 - ratio) * (a + j) / (j + 1)
        return found + left


def at_least_the_chance(m, n, D, delta, times=2):
    """m times the chances of both norms, and the mean number of components above the level. Shape ()."""
    with ctx.workprec(BITS):
        c = Fraction(1, 16 * D)
        t = (times * number(D * m / Fraction(delta)).log()).sqrt()
        norms = outside(n, c) + outside(n, Fraction(0))
        return m * norms + D * m * (t / arb(2).sqrt()).erfc()


def lower_level(m, n, D, delta):
    return at_least_the_chance(m, n, D, delta, times=1)


def stated(m, n, D, delta):
    """delta + 2 m e^(-3 n/200). Shape ()."""
    with ctx.workprec(BITS):
        return number(delta) + 2 * m * (-number(Fraction(3 * n, 200))).exp()


def several(rng):
    n = 4 * int(rng.integers(100, 150))
    return {
        "m": int(rng.integers(1, 9)),
        "n": n,
        "D": n + int(rng.integers(1, 9)),
        "delta": Fraction(1, int(rng.integers(5, 40))),
    }


def single(rng):
    return {**several(rng), "m": 1}


def run_of(common, paired, m):
    """Dictionaries by draws and by exact laws, and what has to fall."""
    exact = bounded(
        "m n D delta",
        "pairs of columns, exact laws",
        at_least_the_chance,
        stated,
        single if m == 1 else several,
        4,
        8,
    )
    draws = [drawn("a common direction", common, m), drawn("pairs", paired, m)]
    return [exact, *draws], [
        variant("lower", simulation=lower_level, leg="pairs of columns, exact laws"),
        variant("sqrt(log(N/delta))", call=common, times=1, leg="a common direction"),
        variant("norms within 1/20", call=common, band=(1, 20), leg="a common direction"),
    ]


SQUARE = typed("E[exp(s*g**2)] == 1/sqrt(1 - 2*s)", over=["s in (-oo, 1/2)", "g ~ N(0, 1)"])
LARGEST = typed("1/sqrt(1 - 2*(1/6)*l) <= 1/sqrt(1 - (1/3)*(17/16))", over="l in [15/16, 17/16]")
SMALLEST = typed("1/sqrt(1 + 2*(1/2)*l) <= 1/sqrt(1 + 15/16)", over="l in [15/16, 17/16]")
UPPER = typed(
    "(1/sqrt(1 - (1/3)*(17/16)))**n*exp(-(1/6)*(3*n/2)) <= exp(-3*n/100)", over="n in 1..oo"
)
LOWER = typed("(1/sqrt(1 + 15/16))**n*exp((1/2)*(n/2)) <= exp(-3*n/100)", over="n in 1..oo")
ALL = typed("Min(1, 4*m*x**2) <= 2*m*x", over=["m in 1..oo", "x in [0, 1]"])


def norms(over):
    """|w|^2 and the background norm within half of their means, but for 2 m exp(-c (D - k))."""
    square = formula_leg("one square", SQUARE, over=over)
    largest = formula_leg("largest eigenvalue", LARGEST, over=over)
    smallest = formula_leg("smallest eigenvalue", SMALLEST, over=over)
    upper = formula_leg("above 3n/2", UPPER, over=over, gives="c")
    lower = formula_leg("below n/2", LOWER, over=over)
    every = formula_leg("four tails", ALL, over=over)
    rate = "(1/sqrt(1 - (1/3)*(17/16)))**n*exp(-(1/6)*(3*n/2)) <= exp(-n/20)"
    wrong = [
        *rivals_of(square, {"variance 2": "E[exp(s*g**2)] == 1/sqrt(1 - s)"}),
        *rivals_of(largest, {"coherent": {"over": "l in [1/2, 3/2]"}}),
        *rivals_of(smallest, {"coherent, below": {"over": "l in [1/2, 3/2]"}}),
        *rivals_of(upper, {"rate 1/20": rate}),
        *rivals_of(
            lower, {"below 3n/4": "(1/sqrt(1 + 15/16))**n*exp((1/2)*(3*n/4)) <= exp(-3*n/100)"}
        ),
        *rivals_of(every, {"the whole rate": "Min(1, 4*m*x**2) <= 2*m*x**2"}),
    ]
    return [square, largest, smallest, upper, lower, every], wrong


one = claim(
    "structured-general-typical-neuron",
    states="structured-general-init",
    title="One neuron is typical, incoherent dictionary",
    says=r"For $D\mu/\sqrt d\le\frac1{16}$, with probability at least $1-\delta-2e^{-c(D-k)}$, $c=\frac3{200}$, "
    r"$\|w\|^2$ and "
    r"$\sum_{l\notin A}q_l^2$ are within half of their means and $\max_l|q_l|\le\sigma_w\sqrt{2\ln(D/\delta)}$.",
    covers="joint",
    lhs=r"\Pr[w\notin\mathcal G_w(\delta)]",
    tex=r"\delta+2e^{-c(D-k)}",
    **ONE_POINT,
    **joined(run_of(one_common, one_paired, 1), maximum("M delta w"), norms("M delta w")),
)

many = claim(
    "structured-general-typical-neurons",
    states="structured-general-init-all",
    title="All neurons are typical, incoherent dictionary",
    says=r"With probability at least $1-\delta-2me^{-c(D-k)}$, $c=\frac3{200}$, all $m$ neurons have the "
    r"bounds, with "
    r"$\sqrt{2\ln(Dm/\delta)}$ for the maximum.",
    covers="weights",
    lhs=r"\Pr[\text{some }w_i\notin\mathcal G_w(\delta)]",
    tex=r"\delta+2me^{-c(D-k)}",
    **ONE_POINT,
    **joined(
        run_of(four_common, four_paired, NEURONS),
        maximum("M m delta initialisation"),
        norms("M m delta initialisation"),
    ),
)

centre = formula(
    "structured-general-init-centre",
    states="structured-general-init",
    title="Mean of the squared norm of the pattern components",
    # q_l = c w_1 + r w_2 for a unit column with component c along w_1 and r across; S grows by one column
    says="sw**2*S + (c**2*E[(sw*g)**2] + 2*c*r*E[(sw*g)*(sw*h)] + r**2*E[(sw*h)**2]) == sw**2*(S + 1)",
    over=["sw > 0", "S in 0..oo", "c in [-1, 1]", "r in [-1, 1]", "g ~ N(0, 1)", "h ~ N(0, 1)"],
    where="c**2 + r**2 == 1",
    covers="centre",
    reads={"M": "c r"},
    rivals={"columns of any length": {"where": "c**2 + r**2 <= 2"}},
)
