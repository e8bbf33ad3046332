r"""Lemma H.2: a Gaussian vector is rarely longer than sqrt(5 d) standard deviations.

Statement. For g ~ N(0, sigma^2 I_d), P[|g|^2 >= 5 sigma^2 d] <= e^(-d) for every d >= 1.

Proof. sigma is a matter of scale. P[|g|^2 >= 5 d] <= (E e^(s x^2))^d e^(-5 s d), and at s = 2/5 the mean over one
coordinate x is sqrt 5.

Reference: Lemma H.2, lines 2292-2300.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

MEAN = formula_leg(
    "one coordinate",
    typed("Integral(exp(2*x**2/5)*exp(-x**2/2)/sqrt(2*pi), (x, -oo, oo)) == sqrt(5)"),
    over="d sigma",
)
BOUND = formula_leg(
    "d coordinates",
    typed("sqrt(5)**d*exp(-(2/5)*5*d) < exp(-d)", over="d in 1..oo"),
    over="sigma",
)

five = claim(
    "granularity-chi-squared-five",
    states="granularity-chi2-5d",
    title="Length of a Gaussian vector",
    says=r"$\Pr[\|g\|^2\ge5\sigma^2d]\le e^{-d}$ for $g\sim N(0,\sigma^2I_d)$ and every $d$.",
    covers="printed",
    legs=[MEAN, BOUND],
    rivals=[
        *rivals_of(MEAN, {
            "sqrt 4": "Integral(exp(2*x**2/5)*exp(-x**2/2)/sqrt(2*pi), (x, -oo, oo)) == 2",
        }),
        *rivals_of(BOUND, {
            "e^(-6d/5)": "sqrt(5)**d*exp(-(2/5)*5*d) < exp(-6*d/5)",
            "multiplier 4": "sqrt(5)**d*exp(-(2/5)*4*d) < exp(-d)",
        }),
    ],
)  # fmt: skip
