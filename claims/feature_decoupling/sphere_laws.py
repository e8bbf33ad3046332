r"""Shares of a Gaussian vector: winner sets, sparse share at the start, cosines of noises.

Setting. g is standard Gaussian in R^n, A the sum of the squares of its first k entries; |g| and g/|g| are
independent.

Statements. (1) The share A/|g|^2 has the moments prod_(i < r) (k + 2 i)/(n + 2 i) of Beta(k/2, (n - k)/2), and a law
on [0, 1] has no other with its moments: E A^(r + 1) = (k + 2 r) E A^r, E |g|^(2 r + 2) = (n + 2 r) E |g|^(2 r),
independence. At k = 1, n = d: alpha^2/|M M^T w|^2 is Beta(1/2, (d - 1)/2); at k = d, n = d1 the sparse share of w(0)
is Beta(d/2, (d1 - d)/2), mean d/d1. (2) The cosine of two independent Gaussian vectors has square Beta(1/2, (n -
1)/2) and mean square 1/n; its even moments are at most (2 r - 1)!!/n^r, those of N(0, 1/n), so that it passes t in
size with probability at most 2 e^(-n t^2/2): with t = 2 log d/sqrt n at most 2 d^(2 a) e^(-2 log^2 d) for all pairs
of d^a noises.

Reference: Definition B.1, lines 427-437; section 2.1, lines 118-123; Fact F.4, line 1792.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, prod

import sympy as sp
from flint import acb, arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT
from ._gaussian import BITS


def power_moment(k, r):
    """E (g_1^2 + .. + g_k^2)^r, the product expanded and E g^(2 a) = (2 a - 1)!! entry by entry. Shape ()."""
    return sum(
        prod(prod(range(1, 2 * a, 2)) for a in Counter(picked).values())
        for picked in product(range(k), repeat=r)
    )


def share_moments(k, n):
    """E A^r/E |g|^(2 r), A the first k of n squares, for r = 1 to 4. Shape (4,)."""
    return [Fraction(power_moment(k, r), power_moment(n, r)) for r in range(1, 5)]


def without_fourth_moments(k, n):
    """As if E g^4 were 1."""
    return [Fraction(k, n) ** r for r in range(1, 5)]


def beta_moments(k, n, half=2):
    """Moments 1 to 4 of Beta(k/2, (n - k)/2). Shape (4,)."""
    return [
        prod(
            (Fraction(Fraction(k, half) + i, Fraction(n, half) + i) for i in range(r)),
            start=Fraction(1),
        )
        for r in range(1, 5)
    ]


def whole_beta(k, n):
    return beta_moments(k, n, half=1)


def one_column(rng):
    return {"k": 1, "n": int(rng.integers(2, 6))}


def several_columns(rng):
    k = int(rng.integers(1, 4))
    return {"k": k, "n": k + int(rng.integers(1, 3))}


def laws(draw):
    return leg(
        "moments of Gaussian entries",
        share_moments,
        reference=beta_moments,
        required=False,
        instances=instances(draw, "k n", smoke=3, standard=6),
        lhs=r"\frac{\mathbb E A^r}{\mathbb E\|g\|^{2r}}",
        tex=r"\prod_{i<r}\frac{k+2i}{n+2i}",
    )


WRONG_LAWS = [
    variant("Beta(k, n - k) for it", reference=whole_beta, leg="moments of Gaussian entries"),
    variant(
        "without fourth moments",
        simulation=without_fourth_moments,
        leg="moments of Gaussian entries",
    ),
]


def some_pair(d, a, n, times=2):
    """Pairs of d^a times P[|cos| > 2 log d/sqrt n], by integration of sin^(n - 2) over the angle: at least the chance
    that some pair has it. Shape ()."""

    def weight(angle, _analytic):
        return angle.sin() ** (n - 2)

    with ctx.workprec(BITS):
        cosine = times * arb(d).log() / arb(n).sqrt()
        tail = (
            acb.integral(weight, 0, cosine.acos()).real / acb.integral(weight, 0, arb.pi() / 2).real
        )
        return comb(d**a, 2) * tail


def at_half_of_it(d, a, n):
    return some_pair(d, a, n, times=1)


def pair_level(d, a, n):
    """2 e^(-log^2 d). Shape ()."""
    with ctx.workprec(BITS):
        return 2 * (-(arb(d).log() ** 2)).exp()


def noises(rng):
    """log d >= 2 a."""
    return {"d": int(rng.integers(8, 20)), "a": 1, "n": int(rng.integers(60, 200))}


def moments(over):
    """The legs of the first statement, and what is wrong with rivals of them."""
    raised = formula_leg(
        "moments of a sum of squares",
        typed("2*gamma(k/2 + r + 1)/gamma(k/2 + r) == k + 2*r", over=["k in 1..oo", "r in 0..oo"]),
        over=over,
    )
    beta = formula_leg(
        "moments of a Beta law",
        typed(
            "(k + 2*r)/(n + 2*r) == (k/2 + r)/(k/2 + (n - k)/2 + r)",
            over=["k in 1..oo", "n in k + 1..oo", "r in 0..oo"],
        ),
        over=over,
    )
    wrong = [
        *rivals_of(raised, {"k + r": "2*gamma(k/2 + r + 1)/gamma(k/2 + r) == k + r"}),
        *rivals_of(beta, {"Beta(k, n - k)": "(k + 2*r)/(n + 2*r) == (k + r)/(n + r)"}),
    ]
    return [raised, beta], wrong


WINNERS, WRONG = moments("d w")

winners = claim(
    "decoupling-winner-law",
    states="decoupling-winner-sets",
    title="Share of one column at the start",
    says=r"$\langle w,M_j\rangle^2/\|MM^\top w\|^2$ is $\mathrm{Beta}(\frac12,\frac{d-1}2)$, whatever "
    r"$\sigma_0$ and $d_1$.",
    covers="beta-law",
    **ONE_POINT,
    legs=[laws(one_column), *WINNERS],
    rivals=[*WRONG_LAWS, *WRONG],
)


def mean_share(d, D, power=2):
    """E cos^2 of the angle between a uniform direction of R^D and the span of d axes, of density cos^(d - 1) sin^(D - d
    - 1), by integration. Shape ()."""

    def weight(angle, _analytic):
        return angle.cos() ** (d - 1) * angle.sin() ** (D - d - 1)

    def weighted(angle, analytic):
        return angle.cos() ** power * weight(angle, analytic)

    with ctx.workprec(BITS):
        end = arb.pi() / 2
        return acb.integral(weighted, 0, end).real / acb.integral(weight, 0, end).real


def mean_length(d, D):
    """Of |M^T w|/|w|, without the square."""
    return mean_share(d, D, power=1)


def a_dictionary(rng):
    d = int(rng.integers(1, 9))
    return {"d": d, "D": d + int(rng.integers(1, 20))}


START, WRONG_START = moments("d d1 W_0")
d, D = sp.symbols("d D", integer=True, positive=True)
IN_THE_MEAN = d / D
MEAN = formula_leg(
    "mean",
    typed(f"(d + 2*0)/(D + 2*0) == {IN_THE_MEAN}", over=["d in 1..oo", "D in d + 1..oo"]),
    over="d1 W_0",
)

start = claim(
    "decoupling-initial-share",
    states="decoupling-noaug-weights",
    title="Sparse share at the start",
    says=r"$\|M^\top w(0)\|^2/\|w(0)\|^2$ is $\mathrm{Beta}(\frac d2,\frac{d_1-d}2)$, with mean $d/d_1$.",
    covers="initial-share",
    **ONE_POINT,
    legs=[
        laws(several_columns),
        leg(
            "mean, integrated",
            mean_share,
            closed_form=IN_THE_MEAN,
            required=False,
            instances=instances(a_dictionary, "d D", smoke=3, standard=6),
            lhs=r"\mathbb E\frac{\|M^\top w(0)\|^2}{\|w(0)\|^2}",
            tex=r"\frac d{d_1}",
        ),
        *START,
        MEAN,
    ],
    rivals=[
        variant("of the lengths", simulation=mean_length, leg="mean, integrated"),
        variant("their root", closed_form=sp.sqrt(d / D), leg="mean, integrated"),
        *WRONG_LAWS,
        *WRONG_START,
        *rivals_of(MEAN, {"d/(2 d1)": "(d + 2*0)/(D + 2*0) == d/(2*D)"}),
    ],
)

PAIR, WRONG_PAIR = moments("pairs xi")
BELOW = formula_leg(
    "below those of N(0, 1/n)",
    typed("(1 + 2*r)/(n + 2*r) <= (1 + 2*r)/n", over=["n in 1..oo", "r in 0..oo"]),
    over="pairs xi",
)
EXPONENT = formula_leg(
    "exponent",
    typed("-(t*n)*t + (t*n)**2/(2*n) == -n*t**2/2", over=["t > 0", "n > 0 real"]),
    over="pairs xi",
)
UNION = formula_leg(
    "all pairs",
    typed(
        "exp(2*a*L)*2*exp(-n*(2*L/sqrt(n))**2/2) <= 2*exp(-L**2)",
        over=["a > 0", "n > 0 real", "L in [2*a, oo)"],
    ),
    over="pairs xi",
)

individual = claim(
    "decoupling-noise-cosines",
    states="decoupling-signal-vs-noise",
    title="Noises are individual",
    says=r"For $d^a$ independent $\xi_i$ all pairs have $|\cos(\xi_i,\xi_j)|\le\frac{2\log "
    r"d}{\sqrt{d_1}}$ but for $2e^{-\log^2d}$ "
    r"once $\log d\ge2a$; $\cos^2$ is $\mathrm{Beta}(\frac12,\frac{d_1-1}2)$ with mean $\frac1{d_1}$.",
    covers="individual",
    **ONE_POINT,
    legs=[
        laws(one_column),
        leg(
            "all pairs, integrated",
            some_pair,
            lhs=r"\tbinom{d^a}2\Pr\big[|\cos|>\tfrac{2\log d}{\sqrt{d_1}}\big]",
            tex=r"2e^{-\log^2d}",
            reference=pair_level,
            relation=at_most(),
            required=False,
            instances=instances(noises, "d a n", smoke=3, standard=6),
        ),
        *PAIR,
        BELOW,
        EXPONENT,
        UNION,
    ],
    rivals=[
        *WRONG_LAWS,
        variant("at log d/sqrt d1", simulation=at_half_of_it, leg="all pairs, integrated"),
        *WRONG_PAIR,
        *rivals_of(BELOW, {"half": "(1 + 2*r)/(n + 2*r) <= (1 + 2*r)/(2*n)"}),
        *rivals_of(EXPONENT, {"twice": "-(t*n)*t + (t*n)**2/(2*n) == -n*t**2"}),
        *rivals_of(
            UNION, {"log d/sqrt d1": "exp(2*a*L)*2*exp(-n*(L/sqrt(n))**2/2) <= 2*exp(-L**2)"}
        ),
    ],
)
