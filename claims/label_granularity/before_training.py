r"""Lemma E.8 before training: errors and the response to the strong noise.

Setting. The two class nets start with the same law, independently: m neurons N(0, sigma_0^2 I) with the bias -sigma_0
theta; F_y is the sum of their responses to the patches. zeta != 0 is one patch, tau = |zeta|.

Statements. (1) For every input X, P[F_y <= F_y'] = 1/2 + P[F_y = F_y']/2: the two outputs are exchangeable, so that
P[F_y < F_y'] = P[F_y > F_y'], and the three events add up to 1. Easy samples are no exception. (2) The mean response
to zeta is m sigma_0 tau (phi(u) - u Q(u)), u = theta/tau: <w, zeta> is N(0, sigma_0^2 tau^2). (3) Printed in (133),
s* log d/k times what detectors have gained is far below s_dag times that: at every k >= s* log^5 d it is at most
1/log^4 d of it for s_dag >= 1. What the step needs has the factor alpha_dag >= 1/log^4 d on the right, and at k = s*
log^5 d, s_dag = 1, alpha_dag = 1/log^4 d both sides are equal.

Reference: Lemma E.8, lines 1482-1595.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    bounded,
    choices,
    claim,
    formula,
    formula_leg,
    integers,
    leg,
    mean,
    reals,
    rivals_of,
    typed,
    variance_at_most,
    variant,
)

m = sp.Symbol("m", integer=True, positive=True)
theta = sp.Symbol("theta", nonnegative=True)
X = sp.Symbol("X")
length, s0 = sp.symbols("length s0", positive=True)

# patches of an input, each a vector
INPUTS = {
    "one patch": [[1, 0]],
    "two words": [[1, 0, 0], [0, 1, 0]],
    "a word twice and noise": [[1, 0], [1, 0], [Fraction(1, 5), Fraction(-2, 5)]],
}


def output(ns, rng, size, m, theta, patches):
    """F of one class net with fresh neurons, sigma_0 = 1. Shape (size,)."""
    w = rng.normal((size, m, len(patches[0])))
    total = ns.zeros((size,))
    for patch in patches:
        z = sum(ns.rational(Fraction(x)) * w[:, :, i] for i, x in enumerate(patch)) - ns.rational(
            Fraction(theta)
        )
        total = total + ns.sum(ns.maximum(z, 0), axis=1)
    return total


def error_less_half_of_ties(ns, rng, size, m, theta, X):
    """1[F_y <= F_y'] - 1[F_y = F_y']/2. Shape (size,)."""
    right = output(ns, rng, size, m, theta, INPUTS[X])
    wrong = output(ns, rng, size, m, theta, INPUTS[X])
    return ns.where(right < wrong, 1, 0) + ns.where(right == wrong, ns.rational(1, 2), 0)


def all_ties(ns, rng, size, m, theta, X):
    """1[F_y <= F_y']."""
    right = output(ns, rng, size, m, theta, INPUTS[X])
    wrong = output(ns, rng, size, m, theta, INPUTS[X])
    return ns.where(right <= wrong, 1, 0)


def more_neurons(ns, rng, size, m, theta, X):
    """The other class has one neuron more."""
    right = output(ns, rng, size, m, theta, INPUTS[X])
    wrong = output(ns, rng, size, m + 1, theta, INPUTS[X])
    return ns.where(right < wrong, 1, 0) + ns.where(right == wrong, ns.rational(1, 2), 0)


# e, l, g: chances of a tie, of less and of more
THREE = formula_leg(
    "three events",
    typed(
        "l + e == 1/2 + e/2",
        over=["e in [0, 1]", "l in [0, 1]", "g in [0, 1]"],
        where=["l == g", "l + e + g == 1"],
    ),
    over="X m thr",
)

start = claim(
    "granularity-error-at-start",
    lhs=r"\Pr[F_y\le F_{y'}]-\tfrac12\Pr[F_y=F_{y'}]",
    states="granularity-hard-mistake",
    title="Errors before training",
    says=r"At $t=0$, over the start, every input is misclassified with probability $\frac12+\frac12\Pr[F_y=F_{y'}]$.",
    covers="start",
    reads={"thr": "theta"},
    domain={m: integers(1), theta: reals(0), X: choices(*INPUTS)},
    where=(theta <= 3),
    grid={
        "smoke": {m: [1, 3], theta: [0, 1], X: list(INPUTS)[:2]},
        "standard": {m: [1, 4], theta: [0, Fraction(3, 2)], X: list(INPUTS)},
    },
    closed_form=sp.Rational(1, 2) + 0 * m,
    legs=[
        leg(
            "fresh nets",
            error_less_half_of_ties,
            statistic=mean(bounded(0, 1)),
            draws="init",
            where=(m <= 50),
        ),
        THREE,
    ],
    rivals=[
        variant(
            "ties counted whole",
            simulation=all_ties,
            leg="fresh nets",
            at={m: [1], theta: [1], X: ["one patch"]},
        ),
        variant(
            "one neuron more",
            simulation=more_neurons,
            leg="fresh nets",
            at={m: [1], theta: [0], X: ["two words"]},
        ),
        *rivals_of(
            THREE,
            {"no half": "l + e == 1/2 + e", "less and more differ": {"where": ["l + e + g == 1"]}},
        ),
    ],
)

DENSITY = "exp(-(theta/length)**2/2)/sqrt(2*pi)"
RESPONSE = (
    m
    * s0
    * length
    * (
        sp.exp(-((theta / length) ** 2) / 2) / sp.sqrt(2 * sp.pi)
        - theta / length * sp.erfc(theta / length / sp.sqrt(2)) / 2
    )
)


def response(ns, rng, size, m, s0, length, theta):
    """Sum of the responses of m fresh neurons to zeta = length (3, 4)/5. Shape (size,)."""
    w = rng.normal((size, m, 2)) * ns.rational(Fraction(s0))
    z = (ns.rational(3, 5) * w[:, :, 0] + ns.rational(4, 5) * w[:, :, 1]) * ns.rational(
        Fraction(length)
    )
    return ns.sum(ns.maximum(z - ns.rational(Fraction(s0 * theta)), 0), axis=1)


def without_threshold(ns, rng, size, m, s0, length, theta):
    return response(ns, rng, size, m, s0, length, 0)


ONE = formula_leg(
    "one neuron",
    typed(
        f"m*E[Max(s0*length*g - s0*theta, 0)] == {RESPONSE}",
        over=["m in 1..oo", "s0 > 0", "length > 0", "theta >= 0 real", "g ~ N(0, 1)"],
    ),
    over="init",
)

strong = claim(
    "granularity-strong-noise-response",
    lhs=r"\mathbb E\sum_r\mathrm{relu}(\langle w_r,\zeta^*\rangle-\sigma_0\theta)",
    tex=r"m\sigma_0\tau\big(\phi(\tfrac\theta\tau)-\tfrac\theta\tau Q(\tfrac\theta\tau)\big)",
    states="granularity-hard-mistake",
    title="Response to the strong noise patch before training",
    says=r"$\mathbb E\sum_r\mathrm{relu}(\langle w_r^{(0)},\zeta^*\rangle+b)=m\sigma_0\tau(\phi(u)-uQ(u))$ with "
    r"$\tau=\|\zeta^*\|$, $u=\theta/\tau$.",
    role="derived",
    covers="zeta-star-response",
    reads={"zeta_star": "length"},
    domain={
        m: integers(1),
        s0: reals(0, low_open=True),
        length: reals(0, low_open=True),
        theta: reals(0),
    },
    grid={
        "smoke": {m: [1, 4], s0: [Fraction(1, 2)], length: [1, 2], theta: [0, Fraction(3, 2)]},
        "standard": {m: [1, 8], s0: [1], length: [Fraction(3, 2), 5], theta: [0, 1, 2]},
    },
    closed_form=RESPONSE,
    legs=[
        leg(
            "fresh neurons",
            response,
            statistic=mean(variance_at_most(m * s0**2 * length**2)),
            draws="init",
            unit=m * s0 * length,
            where=(m <= 50) & (theta <= 4 * length),
        ),
        ONE,
    ],
    rivals=[
        variant(
            "without threshold",
            simulation=without_threshold,
            leg="fresh neurons",
            at={m: [4], s0: [Fraction(1, 2)], length: [1], theta: [1]},
        ),
        variant("length squared", closed_form=RESPONSE * length, leg="fresh neurons"),
        *rivals_of(
            ONE, {"without Q": f"m*E[Max(s0*length*g - s0*theta, 0)] == m*s0*length*{DENSITY}"}
        ),
    ],
)

# l is log d; the growth s* |S| sum of Delta A_- is cancelled on both sides
as_displayed = formula(
    "granularity-domination-displayed",
    states="granularity-hard-mistake",
    title="(133) as displayed",
    covers="domination-133",
    reads={"d": "l"},
    says="l/k*s <= s_dag/l**4",
    over=["l in [1, oo)", "s in 1..oo", "s_dag in [1, oo)", "k in [s*l**5, oo)"],
    rivals={
        "l^-5": "l/k*s <= s_dag/l**5",
        "k from s l on": {
            "over": ["l in [1, oo)", "s in 1..oo", "s_dag in [1, oo)", "k in [s*l, oo)"]
        },
        "with alpha_dag": {
            "says": "l/k*s < s_dag*a",
            "over": [
                "l in [1, oo)",
                "s in 1..oo",
                "s_dag in [1, oo)",
                "k in [s*l**5, oo)",
                "a in [1/l**4, 1]",
            ],
        },
    },
)
