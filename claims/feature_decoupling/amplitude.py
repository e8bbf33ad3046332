r"""Lemmas E.5 and E.6 in the mean field: how fast a feature grows, and where it stops.

Setting. Every active neuron is a singleton, N -> infinity, no noise: f(x) = sum_i a_i z_(j_i) e_i. With phi = F/tau,
F the squared amplitude of the feature, a negative z_s has weight proportional to e^(phi z_p z_s); the factors of the
other features cancel, since codes are independent. Psi = q (|alpha| - b) R(phi), R the mean of 1 - z_s over negatives
at z_p = 1.

Statements. (1) R(phi) = (1 - q + q e^-phi)/(1 - q + q cosh phi). (2) 1 - R <= q e^phi and, with y = e^phi, (2/(q y))
(1 - q) (1 - 2/(q y)) <= R <= 2/(q y). At phi = G log d and q = C log log d/d that is R -> 1 for G < 1 and R ~ (2/q)
d^-G for G > 1. At phi = log(2 (1 - q)/q) R is 1/2 up to q^2/(1 - q)^2. (3) Psi <= 2 |alpha| e^-phi, so that phi >= G
log d makes it at most 2 |alpha| d^-G. (4) R falls strictly from 1 to 0: R = lambda/q has exactly one root phi >= 0
for 0 < lambda <= q. (5) With r = lambda/q the root has 0 <= phi - log(2 (1 - q)(1 - r)/(q r)) <= (q/(1 - q) + 4/3
e^-phi) e^-phi for phi >= log 2.

Reference: lines 1224-1226 and 1386-1394; derived, the lemmas have unnamed constants.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from itertools import product

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    theorem,
    typed,
    variant,
)

from ._dictionary import ONE_POINT, codes
from ._gaussian import BITS, number

q, phi, other = sp.symbols("q phi other", positive=True)
d = sp.Symbol("d", integer=True, positive=True)
R = (1 - q + q * sp.exp(-phi)) / (1 - q + q * sp.cosh(phi))


def residual(q, phi, other, d):
    """Mean of 1 - z_1 over negatives at z_p = (1, .., 1), weights e^(phi z_1 + other (z_2 + ..)), all codes.
    Shape ()."""
    with ctx.workprec(BITS):
        top, total = arb(0), arb(0)
        for z in product((0, 1, -1), repeat=d):
            weight = (number(phi) * z[0] + number(other) * sum(z[1:])).exp()
            for entry in z:
                weight *= number(Fraction(q) / 2 if entry else 1 - Fraction(q))
            top, total = top + (1 - z[0]) * weight, total + weight
        return top / total


def without_zeros(q, phi, other, d):
    """As if no entry of a negative were 0."""
    with ctx.workprec(BITS):
        return 1 - number(phi).tanh()


FIELD = formula_leg(
    "weights",
    typed(
        "1 - E[S*B*exp(phi*S*B)]/E[exp(phi*S*B)] == (1 - q + q*exp(-phi))/(1 - q + q*cosh(phi))",
        over=["q in (0, 1)", "phi in [0, oo)", "S ~ Rademacher", "B ~ Bernoulli(q)"],
    ),
    over="F tau others N",
)
CANCEL = formula_leg(
    "other features",
    typed("(a*X)/(c*X) == a/c", over=["a in R", "c > 0", "X > 0"]),
    over="F tau q others N",
)

field = claim(
    "decoupling-mean-field",
    lhs=r"\Psi\big/\big(q(|\alpha|-b)\big)",
    tex=r"\frac{1-q+qe^{-F/\tau}}{1-q+q\cosh(F/\tau)}",
    states="decoupling-psi-lower",
    title="Growth of a feature in the mean field",
    says=r"For singletons and $N\to\infty$, $\Psi=q(|\alpha|-b)R(F/\tau)$ with "
    r"$R(\phi)=\frac{1-q+qe^{-\phi}}{1-q+q\cosh\phi}$, whatever the other features.",
    role="derived",
    covers="mean-field",
    domain={
        q: reals(0, 1, low_open=True, high_open=True),
        phi: reals(0),
        other: reals(0),
        d: integers(1),
    },
    grid={
        "smoke": [
            {q: Fraction(1, 10), phi: p, other: o, d: n}
            for p, o, n in ((0, 1, 2), (1, 2, 2), (3, 0, 3), (5, 4, 1))
        ],
        "standard": {
            q: [Fraction(1, 50), Fraction(1, 2)],
            phi: [Fraction(1, 2), 4],
            other: [0, 3],
            d: [1, 4],
        },
    },
    closed_form=R,
    legs=[
        leg("all codes", residual, required=False, where=(d <= 5) & (phi < 50) & (other < 50)),
        FIELD,
        CANCEL,
    ],
    rivals=[
        variant(
            "without q before cosh",
            closed_form=(1 - q + q * sp.exp(-phi)) / sp.cosh(phi),
            leg="all codes",
        ),
        variant("no empty entries", simulation=without_zeros, leg="all codes"),
        *rivals_of(
            FIELD,
            {
                "sinh below": "1 - E[S*B*exp(phi*S*B)]/E[exp(phi*S*B)]"
                " == (1 - q + q*exp(-phi))/(1 - q + q*sinh(phi))"
            },
        ),
        *rivals_of(CANCEL, {"different factors": "(a*X)/(c*X**2) == a/c"}),
    ],
)


y = sp.Symbol("y", positive=True)
RY = (1 - q + q / y) / (1 - q + q * (y + 1 / y) / 2)


def residual_at(q, y, u, d=2):
    """R at e^phi = y, u = e^other, all codes of d features. Shape ()."""
    top, total = Fraction(0), Fraction(0)
    for z, p in codes(d, q):
        weight = p * Fraction(y) ** z[0] * Fraction(u) ** sum(z[1:])
        top, total = top + (1 - z[0]) * weight, total + weight
    return top / total


def without_empty_codes(q, y, u):
    """As if no entry of a negative were 0."""
    return residual_at(1, y, u)


def a_feature(rng):
    """e^phi >= 1, and the factor of another feature."""
    return {
        "q": Fraction(1, int(rng.integers(2, 30))),
        "y": Fraction(int(rng.integers(2, 99)), 2),
        "u": Fraction(int(rng.integers(1, 9)), 3),
    }


AT = ["q in (0, 1)", "y in [1, oo)"]
BELOW_ONE = formula_leg("near 1", typed(f"1 - {RY} <= q*y", over=AT))
TAIL = formula_leg("upper tail", typed(f"{RY} <= 2/(q*y)", over=AT))
FLOOR = formula_leg("lower tail", typed(f"2/(q*y)*(1 - q)*(1 - 2/(q*y)) <= {RY}", over=AT))
# q y at y = d^G, q = C log L/d, L = log d: with x = (1 - G) L it vanishes for G < 1; for G > 1 it grows beyond bounds
VANISHES = formula_leg(
    "q y for G < 1",
    typed("C*log(L)*exp(-x) <= C*log(L)*2/x**2", over=["C > 0", "x > 0", "L > 1"]),
)
IN_L = formula_leg(
    "the bound at x = (1 - G) L",
    typed(
        "C*log(L)*2/((1 - G)*L)**2 <= 2*C/((1 - G)**2*L)",
        over=["C > 0", "G in (0, 1)", "L in (1, oo)"],
    ),
)
GROWS = formula_leg(
    "q y for G > 1",
    typed(
        "C*log(L)*exp((G - 1)*L) >= C*log(L)*(G - 1)*L",
        over=["C > 0", "G in (1, oo)", "L in (1, oo)"],
    ),
)
HALF = formula_leg(
    "where R is 1/2",
    typed(
        "0 <= (1 - q + q/(2*(1 - q)/q))/(1 - q + q*((2*(1 - q)/q) + 1/(2*(1 - q)/q))/2) - 1/2 <= q**2/(1 - q)**2",
        over="q in (0, 1/2]",
    ),
)

transition = claim(
    "decoupling-mean-field-transition",
    states="decoupling-psi-lower",
    title="The transition of the growth",
    says=r"At $F=G\tau\log d$, $R\to1$ for $G<1$ and $R\sim\frac2qd^{-G}$ for $G>1$; $R\approx\frac12$ at "
    r"$\phi=\log\frac{2(1-q)}q$.",
    role="derived",
    covers="transition",
    reads={"d": "L"},
    **ONE_POINT,
    legs=[
        leg(
            "all codes",
            residual_at,
            closed_form=RY,
            lhs="R",
            tex=r"\frac{1-q+qe^{-\phi}}{1-q+q\cosh\phi}",
            required=False,
            instances=instances(a_feature, "q y u", smoke=4, standard=12),
        ),
        BELOW_ONE,
        TAIL,
        FLOOR,
        VANISHES,
        IN_L,
        GROWS,
        HALF,
    ],
    rivals=[
        variant("no empty codes", simulation=without_empty_codes, leg="all codes"),
        *rivals_of(BELOW_ONE, {"half": f"1 - {RY} <= q*y/9"}),
        *rivals_of(TAIL, {"1/(q y)": f"{RY} <= 1/(q*y)"}),
        *rivals_of(FLOOR, {"3/(q y)": f"3/(q*y)*(1 - q)*(1 - 2/(q*y)) <= {RY}"}),
        *rivals_of(VANISHES, {"1/(9 x^2)": "C*log(L)*exp(-x) <= C*log(L)/(9*x**2)"}),
        *rivals_of(IN_L, {"1/L^2": "C*log(L)*2/((1 - G)*L)**2 <= 2*C/((1 - G)**2*L**2)"}),
        *rivals_of(
            GROWS, {"its fourth power": "C*log(L)*exp((G - 1)*L) >= C*log(L)*((G - 1)*L)**4"}
        ),
        *rivals_of(
            HALF,
            {
                "at log((1 - q)/q)": "0 <= (1 - q + q/((1 - q)/q))/(1 - q + q*(((1 - "
                "q)/q) + 1/((1 - q)/q))/2) - 1/2 <= q**2/(1 - q)**2"
            },
        ),
    ],
)


def growth(alpha, b, q, y, u):
    """Psi of a singleton: E z_1 (h(alpha z_1) - the mean of h(alpha s_1) over negatives) at open gates, all codes of
    two features for the positive z and for a negative s, of weight y^(z_1 s_1) u^(z_2 s_2). Shape ()."""
    total, every = Fraction(0), list(codes(2, q))
    for z, p in every:
        top, weights = Fraction(0), Fraction(0)
        for s, chance in every:
            weight = Fraction(y) ** (z[0] * s[0]) * Fraction(u) ** (z[1] * s[1]) * chance
            top, weights = top + weight * s[0] * (alpha - b), weights + weight
        total += p * z[0] * (z[0] * (alpha - b) - top / weights)
    return total


def of_the_positives(alpha, b, q, y, u):
    """Without the negatives."""
    return sum((p * z[0] * z[0] * (alpha - b) for z, p in codes(1, q)), Fraction(0))


def late(rng):
    alpha = Fraction(int(rng.integers(2, 9)), 2)
    return {"alpha": alpha, "b": alpha / int(rng.integers(5, 20)), **a_feature(rng)}


alpha, bias = sp.symbols("alpha b", positive=True)
PSI = q * (alpha - bias) * RY
STOPS = formula_leg(
    "stops",
    typed(f"{PSI} <= 2*alpha/y", over=["alpha > 0", "b in [0, alpha]", *AT]),
    over="t j i",
)
# F >= G tau log d is y >= d^G
AT_D = formula_leg(
    "powers of d",
    typed(
        "2*alpha/y <= 2*alpha*d**(-G)",
        over=["alpha > 0", "G in (0, oo)", "d in (1, oo)", "y in [d**G, oo)"],
    ),
    over="t j i",
)

stops = claim(
    "decoupling-growth-stops",
    lhs=r"\Psi",
    tex=r"2|\alpha|e^{-\mathfrak F/\tau}",
    states="decoupling-psi-upper",
    title="Growth stops above a multiple of the logarithm",
    says=r"In the mean field $F\ge G\tau\log d$ gives $\Psi\le2|\alpha|d^{-G}$.",
    encodes="special-case",
    covers="stops-above",
    **ONE_POINT,
    legs=[
        leg(
            "all codes",
            growth,
            closed_form=PSI,
            lhs=r"\Psi",
            tex=r"q(|\alpha|-b)R",
            required=False,
            gives="G2",
            instances=instances(late, "alpha b q y u", smoke=3, standard=8),
        ),
        STOPS,
        AT_D,
    ],
    rivals=[
        variant("positives alone", simulation=of_the_positives, leg="all codes"),
        *rivals_of(
            STOPS,
            {
                "|alpha|/y": f"{PSI} <= alpha/y",
                "a rate of y^2": f"{PSI} <= 2*alpha/y**2",
            },
        ),
        *rivals_of(AT_D, {"d^(-2 G)": "2*alpha/y <= 2*alpha*d**(-2*G)"}),
    ],
)


def crossings(q, r):
    """How often R - r changes its sign on phi = 1/100, 41/100, .., by all codes. Shape ()."""
    above = [residual(q, Fraction(1 + 40 * i, 100), 1, 2) > number(r) for i in range(40)]
    return sum(1 for x, y in itertools.pairwise(above) if x != y)


def one(q, r):
    return 1


def none(q, r):
    return 0


def a_decay(rng):
    """r = lambda/q; at phi = 1/100 R is above 99/100."""
    return {"q": Fraction(1, int(rng.integers(2, 20))), "r": Fraction(int(rng.integers(1, 20)), 20)}


def equilibrium_of(q, r):
    """phi with R = r, by bisection over all codes."""
    low, high = Fraction(0), Fraction(64)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if residual(q, middle, 0, 1) > number(r) else (low, middle)
    return (low + high) / 2


def beyond_the_logarithm(q, r):
    """phi - log(2 (1 - q)(1 - r)/(q r)) over (q/(1 - q) + 4/3 e^-phi) e^-phi. Shape ()."""
    with ctx.workprec(BITS):
        phi, q = number(equilibrium_of(q, r)), number(q)
        gap = phi - (2 * (1 - q) * number(1 - r) / (q * number(r))).log()
        return gap / ((q / (1 - q) + 4 * (-phi).exp() / 3) * (-phi).exp())


def of_a_smaller_decay(q, r):
    return beyond_the_logarithm(q, 1 - r / 2)


def slow_decay(rng):
    """phi >= log 2 is met for r and q as small as these."""
    return {"q": Fraction(1, int(rng.integers(4, 20))), "r": Fraction(1, int(rng.integers(3, 30)))}


FALLS = formula_leg(
    "falls",
    typed(f"{RY} > ((1 - q + q/z)/(1 - q + q*(z + 1/z)/2))", over=[*AT, "z in (y, oo)"]),
)
STARTS = formula_leg(
    "starts at 1",
    typed("(1 - q + q/1)/(1 - q + q*(1 + 1/1)/2) == 1", over="q in (0, 1)"),
)
# between them R takes every value of (0, 1] by continuity: at y = 2/(q r) it is at most r
ENDS = formula_leg(
    "below r",
    typed(
        "(1 - q + q/y)/(1 - q + q*(y + 1/y)/2) <= r",
        over=["q in (0, 1)", "r in (0, 1]", "y in [2/(q*r), oo)"],
    ),
    gives="F_eq",
    lemma=theorem(
        "intermediate values",
        continuous="R is a quotient of polynomials in e^phi without a zero below",
        ends="R is 1 at phi = 0 and at most r once e^phi is 2/(q r)",
    ),
)

equilibrium = claim(
    "decoupling-equilibrium",
    lhs=r"\#\{\phi:R(\phi)=\lambda/q\}",
    tex="1",
    states="decoupling-psi-upper",
    title="One equilibrium under weight decay",
    says=r"$R(F/\tau)=\lambda/q$ has exactly one root $F\ge0$ for every $\lambda\in(0,q]$.",
    role="derived",
    covers="equilibrium",
    reads={"lambda": "q r"},
    **ONE_POINT,
    legs=[
        leg(
            "all codes",
            crossings,
            reference=one,
            required=False,
            instances=instances(a_decay, "q r", smoke=4, standard=8),
        ),
        FALLS,
        STARTS,
        ENDS,
    ],
    rivals=[
        variant("none", reference=none, leg="all codes"),
        *rivals_of(FALLS, {"grows": f"{RY} < ((1 - q + q/z)/(1 - q + q*(z + 1/z)/2))"}),
        *rivals_of(STARTS, {"at 1/2": "(1 - q + q/1)/(1 - q + q*(1 + 1/1)/2) == 1/2"}),
        *rivals_of(
            ENDS,
            {"from 1/(q r) on": {"over": ["q in (0, 1)", "r in (0, 1]", "y in [1/(q*r), oo)"]}},
        ),
    ],
)

LOG = formula_leg(
    "logarithm",
    typed(
        f"2*(1 - q)*(1 - {RY})/({RY}*q) == (1 - q)*(y - 1/y)/(1 - q + q/y)",
        over=["q in (0, 1)", "y in (1, oo)"],
    ),
)
# y over it is (1 + u/y)/(1 - 1/y^2), u = q/(1 - q)
REMAINDER = formula_leg(
    "remainder",
    typed("0 <= log((1 + u/y)/(1 - 1/y**2)) <= (u + 4/(3*y))/y", over=["u > 0", "y in [2, oo)"]),
)
SAME = formula_leg(
    "same quotient",
    typed(
        "y/((1 - q)*(y - 1/y)/(1 - q + q/y)) == (1 + q/(1 - q)/y)/(1 - 1/y**2)",
        over=["q in (0, 1)", "y in (1, oo)"],
    ),
)

logarithm = claim(
    "decoupling-equilibrium-log",
    states="decoupling-psi-upper",
    title="The equilibrium's logarithm",
    says=r"$0\le\frac F\tau-\log\frac{2(1-q)(q-\lambda)}{q\lambda}\le\big(\frac "
    r"q{1-q}+\frac43e^{-F/\tau}\big)e^{-F/\tau}$ for "
    r"$F\ge\tau\log2$.",
    role="derived",
    covers="equilibrium-log",
    # lambda is q R, y the e^phi of its equilibrium
    reads={"lambda": "q y"},
    **ONE_POINT,
    legs=[
        leg(
            "bisection, from above",
            beyond_the_logarithm,
            lhs=r"\frac{\mathfrak F/\tau-\log\frac{2(1-q)(q-\lambda)}{q\lambda}}{("
            r"\frac q{1-q}+\frac43e^{-\mathfrak F/\tau})e^{-\mathfrak F/\tau}}",
            tex="1",
            relation=at_most(),
            closed_form=sp.Integer(1),
            required=False,
            instances=instances(slow_decay, "q r", smoke=3, standard=6),
        ),
        leg(
            "bisection, from below",
            beyond_the_logarithm,
            lhs=r"\frac{\mathfrak F/\tau-\log\frac{2(1-q)(q-\lambda)}{q\lambda}}{("
            r"\frac q{1-q}+\frac43e^{-\mathfrak F/\tau})e^{-\mathfrak F/\tau}}",
            tex="0",
            relation=at_least(),
            closed_form=sp.Integer(0),
            required=False,
            instances=instances(slow_decay, "q r", smoke=3, standard=6),
        ),
        LOG,
        SAME,
        REMAINDER,
    ],
    rivals=[
        variant("a third of it", closed_form=sp.Rational(1, 3), leg="bisection, from above"),
        variant(
            "half of it from below", closed_form=sp.Rational(11, 10), leg="bisection, from below"
        ),
        *rivals_of(
            LOG, {"without 1 - q": f"2*(1 - {RY})/({RY}*q) == (1 - q)*(y - 1/y)/(1 - q + q/y)"}
        ),
        *rivals_of(SAME, {"without u": "y/((1 - q)*(y - 1/y)/(1 - q + q/y)) == 1/(1 - 1/y**2)"}),
        *rivals_of(REMAINDER, {"1 for 4/3": "0 <= log((1 + u/y)/(1 - 1/y**2)) <= (u + 1/y)/y"}),
    ],
)
