"""Eq. (C.18), (C.21): the cosine of a sum of n angles as a signed sum of products.

Statement. cos(x_1 + .. + x_n) is the sum, over the patterns b in {0, 1}^n with an even number of ones, of the
products of sin(x_i) where b_i = 1 and cos(x_i) elsewhere, with sign -1 where that number is 2 mod 4. (Below n = 6
"exactly two sines" is the same rule; from there on it is not.)

Of the 2^n patterns of the display half have an even number of sines: 2^{n-1} products. The k + 1 angles
a_1, .., a_k, -c of the appendix have 2^k; the display of the main text has k angles and 2^k summands of which
2^{k-1} are products, so that its count of neurons fits the k + 1 angles only.

Reference: Eq. (C.18), (C.21), proof sketch of Lemma 4.11 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools
from math import prod

import sympy as sp

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

from ._network import products

n = sp.Symbol("n", integer=True, positive=True)


def draw_angles(rng, n):
    return {"x": rng.rational((n,), 9)}


def expansion(ns, x, n, terms=products):
    """Sum of the signed products at real angles. Shape (B,)."""
    cosines, sines = ns.cos(x), ns.sin(x)
    factors = [(cosines[:, i], sines[:, i]) for i in range(n)]
    return sum(
        sign * prod(factors[i][b] for i, b in enumerate(pattern)) for pattern, sign in terms(n)
    )


def cosine_of_sum(ns, x):
    return ns.cos(ns.sum(x, axis=-1))


def modulus(ns, x):
    return ns.abs(cosine_of_sum(ns, x))


def minus_modulus(ns, x):
    return -modulus(ns, x)


def without_signs(ns, x, n):
    return expansion(ns, x, n, lambda m: [(b, 1) for b, _ in products(m)])


def exactly_two_sines(ns, x, n):
    return expansion(ns, x, n, lambda m: [(b, -1 if sum(b) == 2 else 1) for b, _ in products(m)])


def odd_sines(ns, x, n):
    return expansion(
        ns, x, n, lambda m: [(b, 1) for b in itertools.product(range(2), repeat=m) if sum(b) % 2]
    )


def exponentials(n, terms=products):
    """Coefficient of e^{i m.x}, m a vector of signs, on both sides, in Gaussian rationals.

    cos = (e + 1/e)/2 and sin = (e - 1/e)/(2i); a product has an even number of sines, so that every
    coefficient is real: i^{-#sines} times the product of the signs at the sines, over 2^n.
    """
    worst = []
    for m in itertools.product((1, -1), repeat=n):
        total = sum(
            sign * (-1) ** (sum(b) // 2) * prod(mi for mi, bi in zip(m, b, strict=True) if bi)
            for b, sign in terms(n)
        )
        wanted = 2 ** (n - 1) if len(set(m)) == 1 else 0
        if total != wanted:
            worst.append(m)
    return Proof(
        holds=not worst,
        method="coefficients of all 2^n exponentials",
        witness={"exponentials": 2**n, "products": len(terms(n))},
        counterexample={"m": list(worst[0])} if worst else None,
    )


def one_product_less(n):
    return exponentials(n, lambda m: products(m)[1:])


def cosines_alone(n):
    """The product of all cosines, 2^{n-1} times: right at the exponential of m = (1, .., 1)."""
    return exponentials(n, lambda m: products(m)[:1] * 2 ** (m - 1))


ANGLES = instances(draw_angles, "x", smoke=5, standard=20)
cos_expansion = claim(
    "fourier-cos-expansion",
    title="Cosine of a sum as signed products",
    says="The cosine of $n$ angles is the sum of the products of cosines and an even number of sines, "
    "with sign -1 where that number is 2 mod 4.",
    covers="identity",
    domain={n: integers(1)},
    grid={"smoke": {n: range(1, 8)}, "standard": {n: range(1, 11)}},
    legs=[
        leg(
            "angles",
            expansion,
            reference=cosine_of_sum,
            unit=1,
            instances=ANGLES,
            lhs=r"\sum_{|b|\text{ even}}(-1)^{|b|/2}\prod_{i=1}^{n}\cos^{1-b_i}x_i\,\sin^{b_i}x_i",
            tex=r"\cos(x_1+\dots+x_n)",
        ),
        leg("exponentials", exponentials, arithmetic="proof", over="x"),
    ],
    rivals=[
        variant("no sign at 2 mod 4", simulation=without_signs, at={n: [2, 3]}),
        variant("sign -1 at exactly two sines", simulation=exactly_two_sines, at={n: [6]}),
        variant("modulus of the cosine", leg="angles", reference=modulus),
        variant("minus that", leg="angles", reference=minus_modulus),
        variant("one product less", leg="exponentials", simulation=one_product_less),
        variant("cosines alone", leg="exponentials", simulation=cosines_alone, at={n: [2, 3]}),
        variant("odd numbers of sines", simulation=odd_sines, at={n: [2, 3]}),
    ],
)

eight_products = formula(
    "fourier-cos-expansion-c18",
    states="fourier-cos-expansion",
    title="The eight products at $k=3$, as printed",
    says="cos(a1 + a2 + a3 - c) == cos(a1)*cos(a2)*cos(a3)*cos(c) - sin(a1)*sin(a2)*cos(a3)*cos(c)"
    " - sin(a1)*cos(a2)*sin(a3)*cos(c) - cos(a1)*sin(a2)*sin(a3)*cos(c)"
    " + sin(a1)*cos(a2)*cos(a3)*sin(c) + cos(a1)*sin(a2)*cos(a3)*sin(c)"
    " + cos(a1)*cos(a2)*sin(a3)*sin(c) - sin(a1)*sin(a2)*sin(a3)*sin(c)",
    over="a1, a2, a3, c in (-oo, oo)",
    covers="c-18",
    rivals={
        "the last sign turned": "cos(a1 + a2 + a3 - c) == cos(a1)*cos(a2)*cos(a3)*cos(c)"
        " - sin(a1)*sin(a2)*cos(a3)*cos(c)"
        " - sin(a1)*cos(a2)*sin(a3)*cos(c) - cos(a1)*sin(a2)*sin(a3)*cos(c)"
        " + sin(a1)*cos(a2)*cos(a3)*sin(c) + cos(a1)*sin(a2)*cos(a3)*sin(c)"
        " + cos(a1)*cos(a2)*sin(a3)*sin(c) + sin(a1)*sin(a2)*sin(a3)*sin(c)",
    },
)


EVERY = typed("Sum(binomial(n, i), (i, 0, n)) == 2*2**(n - 1)", over="n in 1..oo")
SIGNED = typed("Sum((-1)**i*binomial(n, i), (i, 0, n)) == 0", over="n in 1..oo")

terms = claim(
    "fourier-cos-expansion-terms",
    states="fourier-cos-expansion",
    title="Number of products",
    lhs=r"\#\text{ products}",
    says="Of the $2^n$ patterns of $n$ angles as many have an even number of sines as an odd "
    r"one: $2^{n-1}$ products, which is $2^k$ for $a_1, \ldots, a_k, -c$ and $2^{k-1}$ for $a_1, "
    r"\ldots, a_k$.",
    covers="terms-appendix terms-main-text",
    reads={"k": "n"},
    legs=[formula_leg("all patterns", EVERY), formula_leg("even less odd", SIGNED)],
    rivals=[
        rival_of(EVERY, "2^n products", "Sum(binomial(n, i), (i, 0, n)) == 2*2**n", "all patterns"),
        rival_of(
            SIGNED,
            "one more even than odd",
            "Sum((-1)**i*binomial(n, i), (i, 0, n)) == 1",
            "even less odd",
        ),
    ],
)
