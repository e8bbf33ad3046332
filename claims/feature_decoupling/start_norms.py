r"""Lemma B.2 (a), (b), (d): norms and tiny coordinates at the start.

Setting. w(0) has independent entries N(0, sigma_0^2); X = |w|^2/sigma_0^2 is chi-squared with n = d1, |M M^T
w|^2/sigma_0^2 with n = d; m = d^(1 + c0) neurons, L = log d.

Statements. (1) P[X >= n (1 + x)] <= e^(-n (x - log(1 + x))/2) and P[X <= n (1 - x)] <= e^(-n (-x - log(1 - x))/2) by
Markov's inequality for e^(theta X), E e^(theta g^2) = (1 - 2 theta)^(-1/2); for 0 < x <= 1 both exponents are at
least n x^2/8. At x = 8 L/sqrt n all m neurons are inside of n (1 +- x) but for 2 d^(1 + c0) e^(-8 L^2) <= 2 e^(-L^2),
L >= 1, c0 <= 6. (2) P[|<w, M_j>| <= sigma_0/d] <= sqrt(2/pi)/d. k columns of one neuron have it with probability at
most binom(d, k) (sqrt(2/pi)/d)^k <= (2/pi)^(k/2)/k!.

Reference: lines 443-455. (b)'s lower end is printed without the factor d.
"""

from __future__ import annotations

from math import comb, factorial

from flint import arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT
from ._gaussian import BITS, mean_of


def below(pairs, x):
    """P[g_1^2 + .. <= x] for twice ``pairs`` Gaussian entries: two squares are exponential of mean 2, and a sum of
    such is below x iff a Poisson process of rate 1/2 has as many points by then. A ball."""
    half, term, early = x / 2, arb(1), arb(0)
    for i in range(pairs):
        early, term = early + term, term * half / (i + 1)
    return 1 - (-half).exp() * early


def some_norm(d, pairs, times=8):
    """m P[|w|^2/sigma_0^2 is outside of n (1 +- 8 log d/sqrt n)], n = 2 ``pairs``, m = d^2: at least the chance that
    some neuron's is. Shape ()."""
    with ctx.workprec(BITS):
        n = arb(2 * pairs)
        off = times * arb(d).log() * n.sqrt()
        low = below(pairs, n - off) if off < n else arb(0)
        return d**2 * (low + 1 - below(pairs, n + off))


def twice_the_logarithm(d, pairs):
    return some_norm(d, pairs, times=2)


def norm_level(d, pairs):
    """2 e^(-log^2 d). Shape ()."""
    with ctx.workprec(BITS):
        return 2 * (-(arb(d).log() ** 2)).exp()


def start_sizes(rng):
    """8 log d/sqrt n is at most 2."""
    d = int(rng.integers(3, 7))
    return {"d": d, "pairs": 60 + int(rng.integers(0, 90))}


def tiny_ones(d, k):
    """P[at least k of d entries have |g| <= 1/d], one entry by integration. Shape ()."""
    with ctx.workprec(BITS):
        p = mean_of([(-arb(1) / d, arb(1) / d, lambda u: u**0)], 0, 1)
        return sum((comb(d, i) * p**i * (1 - p) ** (d - i) for i in range(k, d + 1)), arb(0))


def tiny_level(d, k, part=1):
    """(2/pi)^(k/2)/k!. Shape ()."""
    with ctx.workprec(BITS):
        return (2 / arb.pi()).sqrt() ** k / (part * factorial(k))


def a_third(d, k):
    return tiny_level(d, k, part=3)


def columns(rng):
    return {"d": int(rng.integers(4, 40)), "k": int(rng.integers(1, 5))}


PAID = "W_0 i Otilde"
UP = formula_leg(
    "Markov above, theta = x/(2 (1 + x))",
    typed(
        "-x/(2*(1 + x))*(1 + x) - log(1 - 2*x/(2*(1 + x)))/2 == -(x - log(1 + x))/2",
        over="x in (0, oo)",
    ),
    over=PAID,
)
DOWN = formula_leg(
    "Markov below, theta = -x/(2 (1 - x))",
    typed(
        "x/(2*(1 - x))*(1 - x) - log(1 + 2*x/(2*(1 - x)))/2 == -(-x - log(1 - x))/2",
        over="x in (0, 1)",
    ),
    over=PAID,
)
ABOVE = formula_leg(
    "exponent above", typed("x - log(1 + x) >= x**2/4", over="x in [0, 1]"), over=PAID
)
BELOW = formula_leg(
    "exponent below", typed("-x - log(1 - x) >= x**2/4", over="x in [0, 1)"), over=PAID
)
UNION = formula_leg(
    "all neurons",
    typed(
        "2*exp((1 + c)*L)*exp(-n*(8*L/sqrt(n))**2/8) <= 2*exp(-L**2)",
        over=["c in [0, 6]", "n > 0 real", "L in [1, oo)"],
    ),
    over=PAID,
)

norms = claim(
    "decoupling-start-norms",
    lhs=r"m\Pr\big[\big|\tfrac{\|w\|^2}{\sigma_0^2n}-1\big|\ge\tfrac{8\log d}{\sqrt n}\big]",
    tex=r"2e^{-\log^2d}",
    states="decoupling-init-properties",
    title="Norms at the start",
    says=r"But for $2e^{-\log^2d}$ all $m\le d^7$ neurons have $\|w\|^2=\sigma_0^2d_1(1\pm8\frac{\log "
    r"d}{\sqrt{d_1}})$ and "
    r"$\|MM^\top w\|^2=\sigma_0^2d(1\pm8\frac{\log d}{\sqrt d})$, where these are in $(0,2]$.",
    covers="norms",
    **ONE_POINT,
    legs=[
        leg(
            "law of the norms",
            some_norm,
            reference=norm_level,
            relation=at_most(),
            required=False,
            instances=instances(start_sizes, "d pairs", smoke=4, standard=8),
        ),
        UP,
        DOWN,
        ABOVE,
        BELOW,
        UNION,
    ],
    rivals=[
        variant("2 log d", simulation=twice_the_logarithm, leg="law of the norms"),
        *rivals_of(
            UP,
            {
                "twice, above": "-x/(2*(1 + x))*(1 + x) - log(1 - 2*x/(2*(1 + x)))/2 == -(x - log(1 + x))"
            },
        ),
        *rivals_of(
            DOWN,
            {
                "twice, below": "x/(2*(1 - x))*(1 - x) - log(1 + 2*x/(2*(1 - x)))/2 == -(-x - log(1 - x))"
            },
        ),
        *rivals_of(ABOVE, {"beyond 1": {"over": "x in [0, 9]"}}),
        *rivals_of(BELOW, {"x^2, below": "-x - log(1 - x) >= x**2"}),
        *rivals_of(
            UNION, {"2 L for 8 L": "2*exp((1 + c)*L)*exp(-n*(2*L/sqrt(n))**2/8) <= 2*exp(-L**2)"}
        ),
    ],
)

DENSITY = formula_leg(
    "one column", typed("erf(1/(d*sqrt(2))) <= sqrt(2/pi)/d", over="d in 1..oo"), over="i W_0"
)
CHOSEN = formula_leg(
    "k columns",
    typed(
        "binomial(d, k + 1)/d**(k + 1) == binomial(d, k)/d**k*((d - k)/d)/(k + 1)",
        over=["k in 0..oo", "d in k + 1..oo"],
    ),
    over="i W_0",
)
SHRINKS = formula_leg(
    "a factor",
    typed("b*((d - k)/d)/(k + 1) <= b/(k + 1)", over=["k in 0..oo", "d in k + 1..oo", "b > 0"]),
    over="i W_0",
)

tiny = claim(
    "decoupling-tiny-coordinates",
    lhs=r"\Pr[|\Lambda_i|\ge k]",
    tex=r"\frac{(2/\pi)^{k/2}}{k!}",
    states="decoupling-init-properties",
    title="Tiny coordinates at the start",
    says=r"$\Pr[|\Lambda_i|\ge k]\le(2/\pi)^{k/2}/k!$: far fewer than $d/\mathrm{polylog}(d)$ columns have $|\langle "
    r"w,M_j\rangle|\le\sigma_0/d$.",
    covers="tiny-coordinates",
    **ONE_POINT,
    legs=[
        leg(
            "law of the count",
            tiny_ones,
            reference=tiny_level,
            relation=at_most(),
            required=False,
            instances=instances(columns, "d k", smoke=4, standard=8),
        ),
        DENSITY,
        CHOSEN,
        SHRINKS,
    ],
    rivals=[
        variant("a third", reference=a_third, leg="law of the count"),
        *rivals_of(DENSITY, {"1/(2 d)": "erf(1/(d*sqrt(2))) <= 1/(2*d)"}),
        *rivals_of(
            CHOSEN,
            {"without k + 1": "binomial(d, k + 1)/d**(k + 1) == binomial(d, k)/d**k*((d - k)/d)"},
        ),
        *rivals_of(SHRINKS, {"half": "b*((d - k)/d)/(k + 1) <= b/(2*(k + 1))"}),
    ],
)
