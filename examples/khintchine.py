"""Khintchine's inequality with Szarek's constant (1976), for equal weights: E |s_1 + ... + s_n| >= sqrt(n/2) for
independent signs; what the Rademacher complexity of a linear class rests on."""

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import at_least, claim, integers

n = sp.symbols("n", integer=True, positive=True)


def mean_length(n):
    """E |s_1 + ... + s_n|, over all 2^n signs."""
    return Fraction(sum(abs(sum(signs)) for signs in product((-1, 1), repeat=n)), 2**n)


gaussian_constant = claim(
    "khintchine-gaussian",
    says="E |s_1 + ... + s_n| >= sqrt(2 n / pi).",
    domain={n: integers(1)},
    grid={"smoke": {n: range(1, 12)}},
    relation=at_least(),
    closed_form=sp.sqrt(2 * n / sp.pi),
    expect="fail",  # the limit's constant: even n stay below it
)(mean_length)

szarek = gaussian_constant.corrected(
    "khintchine",
    says="E |s_1 + ... + s_n| >= sqrt(n/2).",
    closed_form=sp.sqrt(n / 2),
)
