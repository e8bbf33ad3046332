r"""Lemma H.2: a Gaussian vector is rarely longer than sqrt(5 d) standard deviations.

Statement. For g ~ N(0, sigma^2 I_d), P[|g|^2 >= 5 sigma^2 d] <= e^(-d) for every d >= 1.

Proof. P[|g|^2 >= 5 sigma^2 d] <= (E e^(s x^2/sigma^2))^d e^(-5 s d), x one coordinate, at s = 2/5: the event has
e^(s (|g|^2/sigma^2 - 5 d)) >= 1.

Reference: Lemma H.2, lines 2292-2300.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

ONE = "Integral(exp(2*x**2/(5*sigma**2))*exp(-x**2/(2*sigma**2))/(sigma*sqrt(2*pi)), (x, -oo, oo))"
SIZES = ["d in 1..oo", "sigma in (0, oo)"]

BOUND = formula_leg("d coordinates", typed(f"{ONE}**d*exp(-(2/5)*5*d) < exp(-d)", over=SIZES))
QUARTER = ONE.replace("2*x**2/(5*", "x**2/(4*")

five = claim(
    "granularity-chi-squared-five",
    states="granularity-chi2-5d",
    title="Length of a Gaussian vector",
    says=r"$\Pr[\|g\|^2\ge5\sigma^2d]\le e^{-d}$ for $g\sim N(0,\sigma^2I_d)$ and every $d$.",
    covers="printed",
    legs=[BOUND],
    rivals=rivals_of(BOUND, {
        "e^(-6d/5)": f"{ONE}**d*exp(-(2/5)*5*d) < exp(-6*d/5)",
        "multiplier 4": f"{ONE}**d*exp(-(2/5)*4*d) < exp(-d)",
        "s = 1/4": f"{QUARTER}**d*exp(-(1/4)*5*d) < exp(-d)",
    }),
)  # fmt: skip
