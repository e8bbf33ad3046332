"""Equation (61) and the activation rate of appendix F.2: the range of the selectivity, and a rate that is always 1.

Setting. Sel = (mu_max - mean)/(|mu_max| + |mean| + eps) for class means mu_1..mu_C of a neuron. The rate of a
channel is printed as 1 if sigma(x) >= 0, else 0.

Statements. (1) For means >= 0, 0 <= Sel < (C - 1)/(C + 1): the mean is at least mu_max/C, and (M - a)/(M + a + eps)
falls in a. One active class of size M gives ((C - 1)/C M)/((C + 1)/C M + eps), which comes as near as one likes. (2)
For means of either sign 0 <= Sel < 1, and means 1, -1 pass (C - 1)/(C + 1). (3) For ReLU the printed rate is 1 for
every x; with sigma(x) > 0 it is the indicator of x > 0.

Reference: Equation (61) and lines 1232-1248.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    typed,
    variant,
)

C = sp.Symbol("C", integer=True, positive=True)
eps = sp.Symbol("eps", positive=True)
x = sp.Symbol("x", real=True)


def selectivity(mu, eps):
    """(mu_max - mean)/(|mu_max| + |mean| + eps)."""
    largest, mean = max(mu), sum(mu, Fraction(0)) / len(mu)
    return (largest - mean) / (abs(largest) + abs(mean) + Fraction(eps))


def of_means(mu, C, eps):
    """Shape ()."""
    return selectivity(mu, eps)


def non_negative(rng, C, eps):
    return {"mu": [Fraction(int(rng.integers(0, 9)), 4) for _ in range(C)]}


def one_active(rng, C, eps):
    """One class of mean 1000, the others 0."""
    return {"mu": [Fraction(1000), *[Fraction(0)] * (C - 1)]}


def signed(rng, C, eps):
    return {"mu": [Fraction(int(rng.integers(-8, 9)), 4) for _ in range(C)]}


def opposed(rng, C, eps):
    """Means 1 and -1 in turn."""
    return {"mu": [Fraction((-1) ** i) for i in range(C)]}


SIZES = {
    "domain": {C: integers(2), eps: reals(0, low_open=True)},
    "grid": {
        "smoke": {C: [2, 5], eps: [Fraction(1, 10**6)]},
        "standard": {C: [2, 3, 10, 40], eps: [Fraction(1, 10**6), Fraction(1, 3)]},
    },
}
RANGE = (C - 1) / (C + 1)
LARGE = instances(one_active, "mu", smoke=1)

SEL = r"\mathrm{Sel}"

between = claim(
    "contamination-exp-selectivity-range",
    states="contamination-exp-selectivity",
    title="Selectivity of non-negative means",
    says=r"For $C \ge 2$ classes, non-negative means and $\varepsilon > 0$ the selectivity is at "
    "least 0 and less than $(C - 1)/(C + 1)$.",
    role="derived",
    covers="range-nonnegative",
    legs=[
        leg(
            "from above",
            of_means,
            lhs=SEL,
            instances=instances(non_negative, "mu", smoke=4, standard=20),
            relation=at_most(strict=True),
            closed_form=RANGE,
        ),
        leg(
            "from below",
            of_means,
            lhs=SEL,
            instances=instances(non_negative, "mu", smoke=4, standard=20),
            relation=at_least(),
            closed_form=sp.Integer(0),
            unit=1,
        ),
    ],
    rivals=[
        variant(
            "(C - 1)/(C + 2)",
            leg="from above",
            closed_form=(C - 1) / (C + 2),
            instances=LARGE,
            at=[{C: 5, eps: Fraction(1, 10**6)}],
        ),
        variant(
            "for means of either sign",
            leg="from above",
            simulation=of_means,
            instances=instances(opposed, "mu", smoke=1),
            at=[{C: 2, eps: Fraction(1, 10**6)}],
        ),
        variant(
            "at least 1/1000",
            leg="from below",
            closed_form=sp.Rational(1, 1000),
            instances=instances(lambda rng, C, eps: {"mu": [Fraction(1)] * C}, "mu", smoke=1),
        ),
    ],
    mutate=False,
    **SIZES,
)

proof = claim(
    "contamination-exp-selectivity-proof",
    states="contamination-exp-selectivity",
    title="The range for all means",
    says=r"With $M$ the largest and $a$ the mean, $M/C \le a \le M$ or, signed, $a \le M$: $0 \le "
    r"\mathrm{Sel} < (C - 1)/(C + 1)$, and $\mathrm{Sel} < 1$.",
    role="derived",
    covers="range-nonnegative range-signed",
    reads={"mu": "M a", "mu_i": "M a"},
    legs=[
        formula_leg(
            "non-negative",
            typed(
                "(M - a)/(M + a + eps) < (C - 1)/(C + 1)",
                over=["C in 2..oo", "M in [0, oo)", "a in [M/C, M]", "eps in (0, oo)"],
            ),
            covers="range-nonnegative",
        ),
        formula_leg(
            "at least 0",
            typed(
                "0 <= (M - a)/(M + a + eps)",
                over=["C in 2..oo", "M in [0, oo)", "a in [M/C, M]", "eps in (0, oo)"],
            ),
            covers="range-nonnegative",
        ),
        formula_leg(
            "signed",
            typed(
                "(M - a)/(Abs(M) + Abs(a) + eps) < 1",
                over=["C in 2..oo", "M in (-oo, oo)", "a in (-oo, M]", "eps in (0, oo)"],
            ),
            covers="range-signed",
        ),
        formula_leg(
            "signed, at least 0",
            typed(
                "0 <= (M - a)/(Abs(M) + Abs(a) + eps)",
                over=["C in 2..oo", "M in (-oo, oo)", "a in (-oo, M]", "eps in (0, oo)"],
            ),
            covers="range-signed",
        ),
    ],
    rivals=[
        variant(
            "(C - 1)/(C + 2)",
            leg="non-negative",
            simulation=typed(
                "(M - a)/(M + a + eps) < (C - 1)/(C + 2)",
                over=["C in 2..oo", "M in [0, oo)", "a in [M/C, M]", "eps in (0, oo)"],
            ),
        ),
        variant(
            "above 0",
            leg="at least 0",
            simulation=typed(
                "0 < (M - a)/(M + a + eps)",
                over=["C in 2..oo", "M in [0, oo)", "a in [M/C, M]", "eps in (0, oo)"],
            ),
        ),
        variant(
            "signed, above 0",
            leg="signed, at least 0",
            simulation=typed(
                "0 < (M - a)/(Abs(M) + Abs(a) + eps)",
                over=["C in 2..oo", "M in (-oo, oo)", "a in (-oo, M]", "eps in (0, oo)"],
            ),
        ),
        variant(
            "signed means below 1/3",
            leg="signed",
            simulation=typed(
                "(M - a)/(Abs(M) + Abs(a) + eps) < 1/3",
                over=["C in 2..oo", "M in (-oo, oo)", "a in (-oo, M]", "eps in (0, oo)"],
            ),
        ),
    ],
)

reached = claim(
    "contamination-exp-selectivity-supremum",
    lhs=r"\mathrm{Sel}",
    tex=r"\frac{C-1}{C+1+C\epsilon/1000}",
    states="contamination-exp-selectivity",
    title="One active class comes near the supremum",
    says="One class of mean 1000 and $C - 1$ of mean 0 have selectivity $(C - 1)/(C + 1 + "
    r"C\varepsilon/1000)$.",
    role="derived",
    covers="range-nonnegative",
    reads={"mu": "mu"},
    closed_form=(C - 1) / (C + 1 + C * eps / 1000),
    legs=[leg("one class", of_means, instances=LARGE)],
    rivals=[
        variant("(C - 1)/C", closed_form=(C - 1) / C),
        variant("(C - 1)/(C + 2)", closed_form=(C - 1) / (C + 2)),
        variant(
            "two classes active",
            simulation=of_means,
            instances=instances(
                lambda rng, C, eps: {"mu": [Fraction(1000)] * 2 + [Fraction(0)] * (C - 2)},
                "mu",
                smoke=1,
            ),
        ),
    ],
    **SIZES,
)

either_sign = claim(
    "contamination-exp-selectivity-signed",
    states="contamination-exp-selectivity",
    title="Selectivity of means of either sign",
    says=r"For $C \ge 2$ classes and means of either sign the selectivity is at least 0 and less "
    "than 1.",
    role="derived",
    covers="range-signed",
    reads={"mu_i": "mu"},
    legs=[
        leg(
            "from above",
            of_means,
            lhs=SEL,
            instances=instances(signed, "mu", smoke=4, standard=20),
            relation=at_most(strict=True),
            closed_form=sp.Integer(1),
        ),
        leg(
            "from below",
            of_means,
            lhs=SEL,
            instances=instances(signed, "mu", smoke=4, standard=20),
            relation=at_least(),
            closed_form=sp.Integer(0),
            unit=1,
        ),
    ],
    rivals=[
        variant(
            "(C - 1)/(C + 1), the range of ReLU",
            leg="from above",
            closed_form=RANGE,
            instances=instances(opposed, "mu", smoke=1),
            at=[{C: 2, eps: Fraction(1, 10**6)}],
        ),
        variant(
            "at least 1/1000",
            leg="from below",
            closed_form=sp.Rational(1, 1000),
            instances=instances(lambda rng, C, eps: {"mu": [Fraction(1)] * C}, "mu", smoke=1),
        ),
    ],
    mutate=False,
    **SIZES,
)


# ---- the rate


def printed_rate(x):
    """1 if ReLU(x) >= 0, else 0. Shape ()."""
    return int(max(Fraction(x), Fraction(0)) >= 0)


def strict_rate(x):
    """1 if ReLU(x) > 0, else 0. Shape ()."""
    return int(max(Fraction(x), Fraction(0)) > 0)


POINTS = {
    "domain": {x: reals()},
    "grid": {"smoke": {x: [-3, Fraction(-1, 2), Fraction(1, 7), 2]}},
}
ACTIVE = sp.Piecewise((1, x > 0), (0, True))

informative = claim(
    "contamination-exp-activation-rate-printed",
    lhs=r"[\mathrm{ReLU}(x)\ge0]",
    tex=r"[x>0]",
    states="contamination-exp-activation-histograms",
    title="The printed rate as a rate of activation",
    says="For every x the printed rate of a ReLU channel is 1 when the channel is active and 0 when it is not.",
    expect="fail",
    closed_form=ACTIVE,
    legs=[leg("values", printed_rate, unit=1)],
    **POINTS,
)

strict = claim(
    "contamination-exp-activation-rate",
    lhs=r"[\mathrm{ReLU}(x)>0]",
    tex=r"[x>0]",
    states="contamination-exp-activation-histograms",
    title="The rate with a strict sign",
    says=r"With $\sigma(x) > 0$ the rate of a ReLU channel is 1 when the channel is active and 0 "
    "when it is not.",
    role="corrected",
    corrects="contamination-exp-activation-rate-printed",
    closed_form=ACTIVE,
    legs=[leg("values", strict_rate, unit=1)],
    rivals=[
        variant("sigma(x) >= 0", simulation=printed_rate),
        variant("always 1", closed_form=sp.Integer(1) + 0 * x),
    ],
    mutate=False,
    **POINTS,
)

degenerate = claim(
    "contamination-exp-activation-rate-degenerate",
    states="contamination-exp-activation-histograms",
    title="The printed rate is always 1",
    says=r"$\mathrm{ReLU}(x) \ge 0$ for every $x$, so that the printed rate is constant.",
    role="derived",
    covers="printed-rate-degenerate",
    legs=[formula_leg("ReLU", typed("Max(x, 0) >= 0", over="x in (-oo, oo)"))],
    rivals=[
        variant(
            "with a strict sign",
            simulation=typed("Max(x, 0) > 0", over="x in (-oo, oo)"),
            leg="ReLU",
        ),
        variant(
            "of the pre-activation", simulation=typed("x >= 0", over="x in (-oo, oo)"), leg="ReLU"
        ),
    ],
)
