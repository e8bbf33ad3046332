"""Proposition F.8 and section 7.2.2: r = 2s, universal against specific pre-training.

Setting. r = 2s, unit variances, an even mixture of T tasks, v_1 and v_2 the squared lengths of the label vector on S
and on P_t. Z, Z_1 ~ chi2_s independent.

Statements. (1) alpha = 1, beta = 1/T. (2) Z + Z_1/T is stochastically larger than alpha Z + beta Z_1, beta = (2 -
alpha)/T, for every alpha in [0, 1) and T >= 2 (not at T = 1, without the cap beta <= 1). Printed from equality in
law of Z and Z_1 alone; here: along the line P(alpha Z + beta Z_1 > x) has the derivative s times the mean of a
difference of densities at w, e^{-w/(2 alpha)}/(2 alpha) - e^{-w/(2 beta)}/(2 (2 - alpha)), not negative for beta <=
alpha, that is alpha >= 2/(T + 1). For smaller alpha exchange Z and Z_1: beta Z + alpha Z_1 lies below the line at
beta, where 2/(T + 1) <= beta <= 1. (3) The bound has sqrt((v_1 + T v_2) r (T + 1)/(2T)); for v_1 = v_2 that is (T +
1)/(2 sqrt(T)) times the bound sqrt(r (v_1 + v_2)) of specific pre-training. (4) The rate printed in the main text,
O(sqrt(T/m)), lacks a factor sqrt(r): no constant does for all r.

Reference: Proposition F.8 and section 7.2.2, lines 2051-2055 and 9822-9838.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, arb_mat, ctx, fmpq

from theorycheck import (
    at_most,
    attained,
    certificate,
    claim,
    equals,
    even_integers,
    formula_leg,
    instances,
    integers,
    leg,
    minimises,
    reaching,
    reals,
    rivals_of,
    search,
    typed,
    variant,
)

from .mixture_weights import (
    CHAIN,
    CHAIN_RIVALS,
    at_equal_weights,
    at_printed,
    diagonal_weights,
    equal_weights,
    feasible,
    loss,
    tangent_plane,
)

s = sp.Symbol("s", integer=True, positive=True)
T = sp.Symbol("T", integer=True, positive=True)
rate = sp.Symbol("rate", positive=True)

EXPONENTIAL = formula_leg(
    "exponential loss",
    typed(
        "(1 + 2)*(1 + 2/T) >= (1 + 2*alpha)*(1 + 2*beta)",
        over=["s in 1..oo", "T in 1..oo", "alpha in [0, 1]", "beta in [0, Min(1, (2 - alpha)/T)]"],
    ),
)

CELLS = {
    "domain": {s: integers(1), T: integers(1), rate: reals(0, low_open=True)},
    "grid": {
        "smoke": [{s: 1, T: 2, rate: 1}, {s: 2, T: 3, rate: Fraction(1, 4)}, {s: 3, T: 1, rate: 5}],
        "standard": [
            {s: a, T: t, rate: v} for a in (1, 2) for t in (2, 6) for v in (Fraction(1, 2), 3)
        ],
    },
}


def at_stated(ns, s, T, rate):
    """The loss of diag(1, 1/T), r = 2s. Shape ()."""
    return at_printed(ns, s, 2 * s, T, rate)


def bound(ns, s, T, rate, start=None):
    """The bound for all H, r = 2s. Shape ()."""
    return tangent_plane(ns, s, 2 * s, T, rate, start)


def bound_elsewhere(ns, s, T, rate):
    """From equal weights 2/(T + 1) on S and the private coordinates, which are not the optimum. Shape ()."""
    return bound(ns, s, T, rate, equal_weights(s, 2 * s, T))


def at_equal(ns, s, T, rate):
    """The loss there, which is no bound. Shape ()."""
    return at_equal_weights(ns, s, 2 * s, T, rate)


def some_matrix(rng, s, T):
    """H with 0 <= H <= I of trace at most 2s."""
    return {"H": feasible(rng, s, 2 * s, T)["H"]}


def at_drawn(ns, H, s, T, rate):
    """The loss of H, r = 2s. Shape (B,)."""
    return loss(ns, H, s, 2 * s, T, rate)


def value(a, b):
    """The loss at weights a on S, b on the private coordinates."""
    return ((1 + 2 * rate * a) * (1 + 2 * rate * b)) ** (-s / sp.Integer(2))


EQUAL = 2 / (T + sp.Integer(1))
# a unit of trace on S is worth rate/(1 + 2 rate w) of the loss at weights w, on a private coordinate 1/T of that
WORTH = rate / (1 + 2 * rate * EQUAL)


exponential = claim(
    "contrastive-r2s-exponential",
    lhs=r"\min_W\ \mathbb E\,e^{-\lambda\phi(x)^\top\phi(x^+)}",
    tex=r"((1+2\lambda)(1+2\lambda/T))^{-s/2}",
    states="contrastive-example-r2s",
    title=r"$\alpha=1$, $\beta=1/T$ for $r=2s$, for exponential losses",
    says=r"For $\ell(t) = e^{-ct}$, of every rate $c > 0$, the least loss over all $H$ is that of "
    r"$\mathrm{diag}(1, 1/T)$.",
    encodes="special-case",
    covers="weights",
    reads={"ell": "rate"},
    closed_form=value(1, sp.Rational(1) / T),
    relation=minimises(),
    legs=[
        attained(at_stated),
        certificate(bound),
        search(
            at_drawn, name="drawn H", instances=instances(some_matrix, "H", smoke=3, standard=8)
        ),
        leg(
            "bound from equal weights",
            bound_elsewhere,
            relation=equals(),
            required=False,
            unit=1,
            closed_form=value(EQUAL, EQUAL) * (1 - WORTH * s * (1 + sp.Integer(1) / T - 2 * EQUAL)),
            lhs=r"f(w)-\max_H\langle D,H-wI\rangle,\quad w=\tfrac2{T+1}",
            tex=r"(1+2\lambda w)^{-s}(1-\tfrac{\lambda s}{1+2\lambda w}(1+\tfrac1T-2w))",
        ),
    ],
    rivals=[
        variant("equal weights", closed_form=value(EQUAL, EQUAL)),
        variant("the loss as a bound", simulation=at_equal, leg="bound from equal weights"),
        variant("beta = 1/T^2", closed_form=value(1, 1 / T**2)),
    ],
    **CELLS,
)


alpha, beta = sp.symbols("alpha beta", nonnegative=True)


def at_both(ns, s, T, alpha, beta):
    """The loss of diag(alpha, beta) for exp(-t), r = 2s. Shape ()."""
    return loss(ns, ns.asarray([diagonal_weights(s, 2 * s, T, alpha, beta)]), s, 2 * s, T, 1)[0]


def without_private(ns, s, T, alpha, beta):
    return at_both(ns, s, T, alpha, 0)


weights = claim(
    "contrastive-r2s-weights",
    states="contrastive-example-r2s",
    title=r"$\alpha=1$, $\beta=1/T$ for $r=2s$",
    says=r"The chain of the mixture's optimum; for $\ell(t) = e^{-t}$, with loss $((1 + "
    r"2\alpha)(1 + 2\beta))^{-s/2}$, all of it.",
    encodes="proxy",
    covers="weights",
    domain={s: integers(1), T: integers(1), alpha: reals(0, 1), beta: reals(0, 1)},
    where=sp.Le(beta * T, 2 - alpha),
    grid={
        "smoke": [
            {s: 1, T: 2, alpha: 1, beta: Fraction(1, 2)},
            {s: 2, T: 3, alpha: Fraction(1, 4), beta: Fraction(1, 3)},
        ]
    },
    lhs=r"\mathbb E\,e^{-\alpha Z-\beta Z_1}",
    tex=r"((1+2\alpha)(1+2\beta))^{-s/2}",
    closed_form=value(alpha, beta).subs(rate, 1),
    legs=[
        leg("the loss at alpha and beta", at_both, required=False),
        formula_leg(CHAIN[0].name, CHAIN[0].simulation, over="s T ell"),
        *CHAIN[1:],
        EXPONENTIAL,
    ],
    rivals=[
        *CHAIN_RIVALS,
        *reaching(EXPONENTIAL, "T > 100 and s > 100 and alpha == 0"),
        variant("without P_t", simulation=without_private, leg="the loss at alpha and beta"),
        *rivals_of(
            EXPONENTIAL,
            {
                "equal weights": "(1 + 4/(T + 1))**2 >= (1 + 2*alpha)*(1 + 2*beta)",
                "strictly, at (1, 1/T) as well": "(1 + 2)*(1 + 2/T) > (1 + 2*alpha)*(1 + 2*beta)",
            },
        ),
    ],
)


# ---- dominance

x = sp.Symbol("x", nonnegative=True)
j = sp.Symbol("j", integer=True, nonnegative=True)


def tail(s, alpha, beta, x):
    """P(alpha Z + beta Z_1 > x) for even s: s/2 exponential phases of mean 2 alpha, then s/2 of mean 2 beta, not all
    left behind by x. Shape ()."""
    phases = [2 * v for v in (alpha, beta) for _ in range(s // 2) if v]
    n = len(phases)
    leaving = arb_mat(n, n)
    for i, v in enumerate(phases):
        leaving[i, i] = -arb(fmpq(x.numerator, x.denominator)) / fmpq(v.numerator, v.denominator)
        if i + 1 < n:
            leaving[i, i + 1] = -leaving[i, i]
    left = leaving.exp()
    return sum((left[0, j] for j in range(n)), arb(0))


def tail_gap(s, T, alpha, x):
    """The tail at (alpha, (2 - alpha)/T) less that at (1, 1/T). Shape ()."""
    with ctx.workprec(200):
        first = tail(s, Fraction(alpha), (2 - alpha) / Fraction(T), Fraction(x))
        return first - tail(s, Fraction(1), Fraction(1, T), Fraction(x))


def tail_gap_reversed(s, T, alpha, x):
    return -tail_gap(s, T, alpha, x)


def tail_at_equal_weights(s, T, alpha, x):
    """P(alpha Z + alpha Z_1 > x). Shape ()."""
    with ctx.workprec(200):
        return tail(s, Fraction(alpha), Fraction(alpha), Fraction(x))


RISES = formula_leg(
    "difference of densities",
    typed(
        "exp(-w/(2*c))/(2*c) >= exp(-w*T/(2*(2 - c)))/(2*(2 - c))",
        over=["T in 2..oo", "c in [2/(T + 1), 1]", "w in [0, oo)"],
    ),
)
EXCHANGED = formula_leg(
    "exchanged, below the line",
    typed("c <= (2 - (2 - c)/T)/T", over=["T in 2..oo", "c in [0, 2/(T + 1)]"]),
)
IN_RANGE = formula_leg(
    "exchanged, in the range",
    typed("2/(T + 1) <= (2 - c)/T <= 1", over=["T in 2..oo", "c in [0, 2/(T + 1)]"]),
)


def two_phases(a, b):
    """P(a Z + b Z_1 > x) for two degrees of freedom each, a != b."""
    return (a * sp.exp(-x / (2 * a)) - b * sp.exp(-x / (2 * b))) / (a - b)


def four_phases(a, b):
    """P(a Z + b Z_1 > x) for four degrees of freedom each, a != b: partial fractions of the product of both
    transforms, whose poles are double."""
    p, q = 1 / (2 * sp.sympify(a)), 1 / (2 * sp.sympify(b))
    parts = [
        (v * (x + 1 / v) - 2 * v / (w - v)) * (w / (w - v)) ** 2 * sp.exp(-v * x)
        for v, w in ((p, q), (q, p))
    ]
    return sum(parts)


def phases_of_one_mean(count):
    """P of a sum of ``count`` phases of mean 2 alpha above x."""
    return sp.exp(-x / (2 * alpha)) * sp.Sum(
        (x / (2 * alpha)) ** j / sp.factorial(j), (j, 0, count - 1)
    )


dominance = claim(
    "contrastive-dominance",
    lhs=r"\Pr[\alpha Z+\beta Z_1>x]-\Pr[Z+Z_1/T>x]",
    states="contrastive-example-r2s",
    title="Stochastic dominance along the line",
    says=r"$P(\alpha Z + (2 - \alpha) Z_1/T > x)$ is at most $P(Z + Z_1/T > x)$ for $T \ge 2$, "
    "for an even number of degrees of freedom.",
    covers="dominance",
    domain={
        s: even_integers(2),
        T: integers(2),
        alpha: reals(0, 1, high_open=True),
        x: reals(0, low_open=True),
    },
    grid={
        "smoke": {
            s: [2, 6],
            T: [2, 5],
            alpha: [0, Fraction(1, 2), Fraction(99, 100)],
            x: [12, 2, Fraction(1, 100)],
        },
        "standard": {
            s: [2, 4, 10],
            T: [2, 3, 10],
            alpha: [Fraction(i, 8) for i in range(1, 8)],
            x: [Fraction(1, 10), 1, 4, 20],
        },
    },
    closed_form=sp.Integer(0),
    relation=at_most(),
    # The exponential of a matrix of s phases: beyond these sizes the library gives out instead of saying so.
    legs=[
        leg("phases", tail_gap, unit=1, where=sp.And(sp.Le(s, 12), sp.Le(x, 100))),
        leg(
            "two degrees of freedom",
            tail_gap,
            relation=equals(),
            unit=1,
            required=False,
            closed_form=two_phases(alpha, (2 - alpha) / T) - two_phases(1, 1 / T),
            lhs=r"\Pr[\alpha Z+\beta Z_1>x]-\Pr[Z+Z_1/T>x]",
            tex=r"F(\alpha,\beta)-F(1,\tfrac1T),\quad F(a,b)=\frac{a\,e^{-x/2a}-b\,e^{-x/2b}}{a-b}",
            where=(sp.Eq(s, 2), sp.Gt(alpha, 0), sp.Ne(alpha * (T + 1), 2), sp.Le(x, 100)),
            grid={
                "smoke": {s: [2], T: [2, 5], alpha: [Fraction(1, 2)], x: [Fraction(1, 100), 2, 12]}
            },
        ),
        leg(
            "four degrees of freedom",
            tail_gap,
            relation=equals(),
            unit=1,
            required=False,
            closed_form=four_phases(alpha, (2 - alpha) / T) - four_phases(1, 1 / T),
            lhs=r"\Pr[\alpha Z+\beta Z_1>x]-\Pr[Z+Z_1/T>x]",
            tex=r"F_4(\alpha,\beta)-F_4(1,\tfrac1T)",
            where=(sp.Eq(s, 4), sp.Gt(alpha, 0), sp.Ne(alpha * (T + 1), 2), sp.Le(x, 100)),
            grid={"smoke": {s: [4], T: [2, 5], alpha: [Fraction(1, 2)], x: [2, 12]}},
        ),
        leg(
            "s phases of one mean",
            tail_at_equal_weights,
            relation=equals(),
            unit=1,
            required=False,
            closed_form=phases_of_one_mean(s),
            lhs=r"\Pr[\alpha(Z+Z_1)>x]",
            tex=r"e^{-x/2\alpha}\sum_{j<s}\tfrac1{j!}(\tfrac x{2\alpha})^j",
            where=sp.And(sp.Gt(alpha, 0), sp.Le(s, 12), sp.Le(x, 100)),
            grid={"smoke": {s: [2, 6], T: [2], alpha: [Fraction(1, 2)], x: [2, 12]}},
        ),
        RISES,
        EXCHANGED,
        IN_RANGE,
    ],
    rivals=[
        variant(
            "(1 - alpha)/T",
            closed_form=two_phases(alpha, (1 - alpha) / T) - two_phases(1, 1 / T),
            leg="two degrees of freedom",
        ),
        variant(
            "of two degrees of freedom",
            closed_form=two_phases(alpha, (2 - alpha) / T) - two_phases(1, 1 / T),
            leg="four degrees of freedom",
        ),
        variant("the other way round", simulation=tail_gap_reversed, leg="phases"),
        *reaching(RISES, "T > 100 and w > 100", "T == 2 and w == 0"),
        variant(
            "half as many, and one",
            closed_form=phases_of_one_mean(s / 2 + 1),
            leg="s phases of one mean",
        ),
        *rivals_of(
            RISES,
            {
                "from alpha = 0 on": {"over": ["T in 2..oo", "c in (0, 1]", "w in [0, oo)"]},
                "strictly, at alpha = 1 as well": "exp(-w/(2*c))/(2*c) > exp(-w*T/(2*(2 - c)))/(2*(2 - c))",
                "9/10 of T": "exp(-w/(2*c))/(2*c) >= exp(-w*9*T/(20*(2 - c)))/(2*(2 - c))",
            },
        ),
        *rivals_of(
            EXCHANGED,
            {
                "up to 1": {"over": ["T in 2..oo", "c in [0, 1]"]},
                "strictly, at the last one as well": "c < (2 - (2 - c)/T)/T",
            },
        ),
        *rivals_of(
            IN_RANGE,
            {
                "T = 1 as well": {"over": ["T in 1..oo", "c in [0, 2/(T + 1)]"]},
                "strictly, at the last c as well": "2/(T + 1) < (2 - c)/T",
                "strictly, at c = 0 as well": "(2 - c)/T < 1",
            },
        ),
    ],
)
