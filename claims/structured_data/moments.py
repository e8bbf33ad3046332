r"""Lemma A.8: first moments of label and patterns, and what E[y x] is.

Setting. A member of the family, j a pattern with mean mu, phi_j = (pattern - mu)/sigma~. What enters is the joint law
of y and the pattern: balanced classes, a = P[y = 1, pattern on], c = P[y = -1, pattern on], so that mu = a + c and
gamma = Cov(y, pattern) = a - c. Off A the pattern is independent of y: a = c.

Statements. (1) E y = 0, E|y| = 1. (2) Off A E|phi_j| = 2 sigma_phi^2 sigma~, sigma_phi^2 = p (1 - p)/sigma~^2. (3) On
A E[y phi_j] = gamma/sigma~. (A.32) names no range for j: for background patterns it is false, the moment is 0. (4)
E|y phi_j| = 2 mu (1 - mu)/sigma~ <= 1/(2 sigma~). (5) So E[y x] = (gamma/sigma~) sum over A of M_j, x = sum phi_j
M_j; the main text has no factor. (6) 0 < gamma <= 1/2 for every member.

Reference: Lemma A.8, lines 3011-3047; the remark of Section 2.5.2, line 723.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import claim, formula, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import ONE_POINT
from ._family import background as background_patterns
from ._family import exchangeable_law


def absolute_moments(relevant, p, s):
    """E|y phi_j| of each relevant pattern and of one of the background, over all patterns. ``relevant``: patterns
    with their chances. Shape (k + 1,)."""
    law = [
        ((*f, *rest), w * chance) for f, w in relevant for rest, chance in background_patterns(1, p)
    ]
    means = [sum((w * f[j] for f, w in law), Fraction(0)) for j in range(len(law[0][0]))]
    return [
        sum((w * abs(f[j] - mu) for f, w in law), Fraction(0)) / s for j, mu in enumerate(means)
    ]


def stated_moments(relevant, p, s, factor=2):
    """2 mu (1 - mu)/sigma~. Shape (k + 1,)."""
    means = [sum((w * f[j] for f, w in relevant), Fraction(0)) for j in range(len(relevant[0][0]))]
    return [factor * mu * (1 - mu) / s for mu in (*means, p)]


def once(relevant, p, s):
    return stated_moments(relevant, p, s, factor=1)


def a_member(rng):
    gamma = Fraction(int(rng.integers(1, 8)), 16)
    return {
        "relevant": list(exchangeable_law(3, gamma, rng).items()),
        "p": Fraction(1, int(rng.integers(2, 6))),
        "s": Fraction(int(rng.integers(1, 9)), 3),
    }


LAW = ["a in [0, 1/2]", "c in [0, 1/2]"]
SCALED = [*LAW, "s > 0"]
SIGNAL = "(a*(1 - a - c) - (1/2 - a)*(a + c) - c*(1 - a - c) + (1/2 - c)*(a + c))/s"
"""E[y phi_j], by the four values of label and pattern."""

labels = formula(
    "structured-moments-labels",
    states="structured-moment-identities",
    title="Moments of the label",
    says="a + (1/2 - a) - c - (1/2 - c) == 0 and a + (1/2 - a) + c + (1/2 - c) == 1",
    over=LAW,
    covers="y-moments",
    reads={"law": "a c"},
    rivals={"unbalanced": "a + (3/5 - a) - c - (2/5 - c) == 0"},
)

background = formula(
    "structured-moments-background",
    states="structured-moment-identities",
    title="Absolute moment of a background pattern",
    says="p*abs((1 - p)/s) + (1 - p)*abs(-p/s) == 2*(p*(1 - p)/s**2)*s",
    over=["p in (0, 1/2]", "s > 0"],
    covers="abs-background",
    reads={"law": "p s", "j": "p"},
    rivals={
        "without 2": "p*abs((1 - p)/s) + (1 - p)*abs(-p/s) == (p*(1 - p)/s**2)*s",
        "one more sigma": "p*abs((1 - p)/s) + (1 - p)*abs(-p/s) == 2*p*(1 - p)/s**2",
    },
)

printed = formula(
    "structured-moments-signal",
    states="structured-moment-identities",
    title="Covariance of label and pattern, for every pattern",
    # gamma is that of the relevant patterns; a pattern off A has a = c.
    says=f"{SIGNAL} == gamma/s",
    over=["a in (0, 1/2)", "c in (0, 1/2)", "s > 0", "gamma in (0, 1/2]"],
    where="a - c == gamma or a == c",
    expect="fail",
    covers="signal",
    reads={"law": "a c s gamma", "j": "a c"},
)

signal = formula(
    "structured-moments-signal-on-a",
    states=["structured-moment-identities", "structured-effective-direction"],
    title="Covariance of label and relevant pattern",
    says=f"{SIGNAL} == (a - c)/s",
    over=SCALED,
    role="corrected",
    corrects="structured-moments-signal",
    covers="structured-moment-identities/signal structured-effective-direction/with-factor",
    reads={"law": "a c s", "j": "a c"},
    rivals={
        "without sigma": f"{SIGNAL} == a - c",
        "conditional means": f"{SIGNAL} == 2*(a - c)/s",
    },
)

ABSOLUTE = formula_leg(
    "two values",
    typed(
        "mu*abs((1 - mu)/s) + (1 - mu)*abs(-mu/s) == 2*mu*(1 - mu)/s",
        over=["mu in [0, 1]", "s > 0"],
    ),
    over="law j",
)
HALF = formula_leg(
    "bound", typed("2*mu*(1 - mu)/s <= 1/(2*s)", over=["mu in [0, 1]", "s > 0"]), over="law j"
)

absolute = claim(
    "structured-moments-absolute",
    lhs=r"\mathbb E|y\phi_j|",
    tex=r"\frac{2\mu_j(1-\mu_j)}{\tilde\sigma}",
    states="structured-moment-identities",
    title="Bound on the absolute moments",
    says=r"$\mathbb{E}|y\phi_j|=2\mu_j(1-\mu_j)/\tilde\sigma\le\frac1{2\tilde\sigma}\le\frac1{\tilde\sigma}$ "
    r"for every "
    "pattern.",
    covers="abs-bound",
    **ONE_POINT,
    legs=[
        leg(
            "all patterns",
            absolute_moments,
            reference=stated_moments,
            required=False,
            instances=instances(a_member, "relevant p s", smoke=3, standard=6),
        ),
        ABSOLUTE,
        HALF,
    ],
    rivals=[
        variant("once, all patterns", reference=once, leg="all patterns"),
        *rivals_of(ABSOLUTE, {"once": "mu*abs((1 - mu)/s) + (1 - mu)*abs(-mu/s) == mu*(1 - mu)/s"}),
        *rivals_of(HALF, {"a quarter": "2*mu*(1 - mu)/s <= 1/(4*s)"}),
    ],
)

direction = formula(
    "structured-effective-direction-printed",
    states="structured-effective-direction",
    title="The mean of y x without a factor",
    # the component of E[y x] along a relevant pattern is to be 1
    says=f"{SIGNAL} == 1",
    over=SCALED,
    where=["a > c", "s**2 >= (a + c)*(1 - a - c)"],
    expect="fail",
    covers="printed",
    reads={"law": "a c s"},
)

range_of_gamma = formula(
    "structured-gamma-range",
    states="structured-data-family",
    title="Range of the covariance",
    says="0 < (a - c) - 0*(a + c) <= 1/2",
    over=LAW,
    where="a > c",
    covers="gamma-range",
    reads={"law": "a c"},
    rivals={
        "below 1/2": "0 < (a - c) - 0*(a + c) < 1/2",
        "at most 2/5": "0 < (a - c) - 0*(a + c) <= 2/5",
    },
)
