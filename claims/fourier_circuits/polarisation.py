"""Lemma C.16: a product of k numbers as a signed sum of k-th powers (polarisation).

Statement. For all real a_1, .., a_k, with the sum over all signs c in {-1, 1}^k,

    2^k k! a_1 .. a_k = sum_c (-1)^{#{c_i = -1}} (c_1 a_1 + .. + c_k a_k)^k.

Since c and -c give the same term, the 2^{k-1} signs with c_1 = 1 give half of it: that many neurons make one
product. The proof asserts the constant at a = (1, .., 1), where the sum is one over the number i of minus signs.

Reference: Lemma C.16 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb, prod

import sympy as sp
from flint import Ordering, fmpz_mpoly_ctx

from theorycheck import (
    Proof,
    claim,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    rival_of,
    typed,
    variant,
)

k = sp.Symbol("k", integer=True, positive=True)


def draw_numbers(rng, k):
    """Non-zero integers between -20 and 20."""
    return {"a": [int(v) or 1 for v in rng.integers(-20, 21, (k,))]}


def parity(c):
    return (-1) ** c.count(-1)


def signed_powers(a, k, power, sign=parity, first=(1, -1)):
    """Sum over signs c of sign(c) (c . a)^power, over the product of a; c_1 in ``first``. A Fraction."""
    signs = itertools.product(first, *[(1, -1)] * (k - 1))
    total = sum(sign(c) * sum(ci * ai for ci, ai in zip(c, a, strict=True)) ** power for c in signs)
    return Fraction(int(total), prod(a))


def polarised(a, k):
    return signed_powers(a, k, k)


def half_of_the_signs(a, k):
    return signed_powers(a, k, k, first=(1,))


def plus_signs_counted(a, k):
    """Sign (-1)^{(k + sum c)/2}: right for even k, reversed for odd k."""
    return signed_powers(a, k, k, lambda c: (-1) ** c.count(1))


def smaller_power(a, k):
    return signed_powers(a, k, k - 1)


def larger_power(a, k):
    return signed_powers(a, k, k + 1)


def without_signs(a, k):
    return signed_powers(a, k, k, lambda c: 1)


def expanded(k, sign=parity):
    """The identity as polynomials with integer coefficients: nothing but one monomial is left."""
    ring = fmpz_mpoly_ctx.get([f"a{i}" for i in range(k)], Ordering.lex)
    a = [ring.gen(i) for i in range(k)]
    total = sum(
        sign(c) * sum((ci * ai for ci, ai in zip(c, a, strict=True)), ring.constant(0)) ** k
        for c in itertools.product((1, -1), repeat=k)
    )
    terms = {tuple(map(int, m)): int(v) for m, v in total.to_dict().items()}
    return Proof(
        holds=set(terms) == {(1,) * k},
        method="expansion into monomials over the integers",
        witness={"monomials": len(terms), "coefficient": terms.get((1,) * k, 0)},
        counterexample=None if set(terms) == {(1,) * k} else {"monomials": sorted(terms)},
    )


def expanded_without_signs(k):
    return expanded(k, sign=lambda c: 1)


NUMBERS = instances(draw_numbers, "a", smoke=5, standard=50)

sum_to_product = claim(
    "fourier-sum-to-product",
    title="Polarisation identity",
    lhs=r"\frac{1}{x_1\cdots x_k}\sum_{s\in\{\pm1\}^k}\Big(\prod_i s_i\Big)(s\cdot x)^k",
    says="$2^k k!$ times the product of $k$ numbers is the signed sum of the k-th powers of their "
    "$2^k$ signed sums; half of the signs give half of it.",
    covers="general half-suffices",
    domain={k: integers(1)},
    grid={"smoke": {k: range(1, 6)}, "standard": {k: range(1, 9)}},
    closed_form=2**k * sp.factorial(k),
    legs=[
        leg("numbers", polarised, instances=NUMBERS, covers="general"),
        leg("polynomials", expanded, arithmetic="proof", covers="general", over="a"),
        leg(
            "half of the signs",
            half_of_the_signs,
            instances=NUMBERS,
            covers="half-suffices",
            closed_form=2 ** (k - 1) * sp.factorial(k),
            lhs=r"\frac{1}{x_1\cdots x_k}\sum_{s\in\{\pm1\}^k,\ s_1=1}\Big(\prod_i s_i\Big)(s\cdot x)^k",
        ),
    ],
    rivals=[
        variant("without k!", closed_form=2**k),
        variant("sign (k + sum c)/2", simulation=plus_signs_counted, at={k: [3]}),
        variant("power k - 1", simulation=smaller_power, at={k: [3]}),
        variant("power k + 1", simulation=larger_power, at={k: [3]}),
        variant("no signs", simulation=without_signs, at={k: [3]}),
        variant(
            "monomials without signs",
            leg="polynomials",
            simulation=expanded_without_signs,
            at={k: [3]},
        ),
        variant(
            "half of the signs give all of it",
            leg="half of the signs",
            closed_form=2**k * sp.factorial(k),
        ),
    ],
)


def at_ones(k):
    """Sum over the number i of minus signs of (-1)^i binomial(k, i) (k - 2i)^k, in integers."""
    return sum((-1) ** i * comb(k, i) * (k - 2 * i) ** k for i in range(k + 1))


n = sp.Symbol("k", integer=True, nonnegative=True)

constant = claim(
    "fourier-polarisation-constant",
    lhs=r"\sum_{i=0}^{k}(-1)^i\binom{k}{i}(k-2i)^k",
    tex=r"2^k\,k!",
    states="fourier-sum-to-product",
    title="The constant of the polarisation identity",
    says=r"At $a=(1,\dots,1)$ the signed sum is $2^kk!$.",
    covers="constant",
    domain={n: integers(0)},
    grid={"smoke": {n: range(9)}, "standard": {n: range(40)}},
    closed_form=2**n * sp.factorial(n),
    legs=[leg("counted", at_ones)],
    rivals=[
        variant("k!", closed_form=sp.factorial(n)),
        variant("2^k (k + 1)!/(k + 1)^2", closed_form=2**n * sp.factorial(n) / (n + 1)),
    ],
)

TWO = typed(
    "(a1 + a2)**2 - (a1 - a2)**2 - (-a1 + a2)**2 + (-a1 - a2)**2 == 8*a1*a2",
    over="a1, a2 in (-oo, oo)",
)
THREE = typed(
    "(a1 + a2 + a3)**3 - (a1 + a2 - a3)**3 - (a1 - a2 + a3)**3 - (-a1 + a2 + a3)**3 + (a1 - a2 - a3)**3"
    " + (-a1 + a2 - a3)**3 + (-a1 - a2 + a3)**3 - (-a1 - a2 - a3)**3 == 48*a1*a2*a3",
    over="a1, a2, a3 in (-oo, oo)",
)

two_and_three = claim(
    "fourier-polarisation-2-and-3",
    states="fourier-sum-to-product",
    title="The printed cases $k=2$ and $k=3$",
    says="In the printed order of signs the sums are $8a_1a_2$ and $48a_1a_2a_3$.",
    covers="k-2-and-3",
    reads={"a": "a1 a2"},
    legs=[formula_leg("k = 2", TWO), formula_leg("k = 3", THREE)],
    rivals=[
        rival_of(TWO, "4 a_1 a_2", TWO.says.replace("8*", "4*"), "k = 2"),
        rival_of(
            THREE,
            "the last sign turned",
            THREE.says.replace("- (-a1 - a2 - a3)", "+ (-a1 - a2 - a3)"),
            "k = 3",
        ),
    ],
)


constant_for_every_k = formula(
    "fourier-polarisation-constant-every-k",
    states="fourier-sum-to-product",
    title="The constant of the polarisation identity for every $k$",
    says="Sum((-1)**i*binomial(k, i)*(k - 2*i)**k, (i, 0, k)) == 2**k*factorial(k)",
    over="k in 0..oo",
    covers="constant",
    rivals={
        "k!": "Sum((-1)**i*binomial(k, i)*(k - 2*i)**k, (i, 0, k)) == factorial(k)",
    },
)
