"""Proofs of Lemmas C.17 and C.18: the sum of cos(2 pi zeta d / p) over the frequencies 1 .. (p-1)/2.

As printed: (p-1)/2 where p divides d and 0 elsewhere. It is -1/2 elsewhere: the p - 1 exponentials with
zeta != 0 add up to -1, and cosines pair zeta with p - zeta. Only the difference p/2 of right and wrong
labels enters the margin, so that the lemmas stand; taken literally, 0 would give (p-1)/2.

Reference: proofs of Lemmas C.17, C.18 (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import claim, formula, hypothesis, integers, leg, odd_integers, variant

from ._cyclotomic import rationals

p = sp.Symbol("p", integer=True, positive=True)
d = sp.Symbol("d", integer=True)
divides = sp.KroneckerDelta(sp.Mod(d, p), 0)


def frequency_sum(p, d):
    """Sum of cos(2 pi zeta d / p) over zeta = 1 .. (p-1)/2, in Q(e^{2 pi i / p}); a Fraction."""
    doubled = np.zeros(p, dtype=np.int64)
    for frequency in range(1, (p - 1) // 2 + 1):
        doubled[frequency * d % p] += 1
        doubled[-frequency * d % p] += 1
    return Fraction(int(rationals(doubled)), 2)


def half_of_all(p, d):
    """Half of the sum of e^{2 pi i zeta d/p} over zeta = 1 .. p - 1; a Fraction."""
    total = np.zeros(p, dtype=np.int64)
    for frequency in range(1, p):
        total[frequency * d % p] += 1
    return Fraction(int(rationals(total)), 2)


SUM = {
    "domain": {p: odd_integers(3), d: integers()},
    "grid": {
        "smoke": [{p: j, d: t} for j in (3, 5, 9) for t in (-1, *range(j + 1))],
        "standard": [
            {p: j, d: t} for j in (3, 5, 7, 9, 15, 21, 47) for t in (-2, *range(j), 2 * j)
        ],
    },
    "rivals": [variant("p/2 at d = 0", closed_form=p * divides / 2)],
}

frequency_sum_printed = claim(
    "fourier-frequency-sum",
    title="Sum of cosines over the frequencies, as printed",
    lhs=r"\sum_{\zeta=1}^{(p-1)/2}\cos\frac{2\pi\zeta d}{p}",
    tex=r"\frac{p-1}{2}\,\delta_{d,0}",
    says=r"For odd $p$ the sum over the frequencies of $\cos(2 \pi\zeta d/p)$ is $(p-1)/2$ where $p$ "
    "divides $d$ and 0 elsewhere.",
    expect="fail",
    covers="printed",
    closed_form=(p - 1) * divides / 2,
    legs=[leg("cyclotomic", frequency_sum)],
    **SUM,
)

frequency_sum_corrected = claim(
    "fourier-frequency-sum-corrected",
    title="Sum of cosines over the frequencies",
    lhs=r"\sum_{\zeta=1}^{(p-1)/2}\cos\frac{2\pi\zeta d}{p}",
    tex=r"\frac{p\,\delta_{d,0}-1}{2}",
    says="For odd $p$ the sum is $(p-1)/2$ where $p$ divides $d$ and $-1/2$ elsewhere, half of the sum"
    " of all $p - 1$ exponentials.",
    states="fourier-frequency-sum",
    role="corrected",
    corrects="fourier-frequency-sum",
    covers="corrected half-of-full-sum",
    closed_form=(p * divides - 1) / 2,
    legs=[
        leg("cyclotomic", frequency_sum, covers="corrected"),
        leg("all exponentials", half_of_all, covers="half-of-full-sum"),
    ],
    assumes=[hypothesis("p is odd", without=[{p: 4, d: 1}, {p: 6, d: 2}])],
    **SUM,
)

unharmed = formula(
    "fourier-frequency-sum-difference",
    states="fourier-frequency-sum",
    title="The difference that enters the margin",
    says="(p - 1)/2 - (-1/2) == p/2 and ((p - 1)/2 - 0)/(p/2) == (p - 1)/p",
    over="p in 3..oo",
    covers="margin-unharmed",
    rivals={"with 0 at wrong labels": "(p - 1)/2 - 0 == p/2"},
)
