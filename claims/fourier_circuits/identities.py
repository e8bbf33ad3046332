"""The identities behind the construction: polarisation, cosines of sums, sums of cosines.

- Lemma C.16: 2^k k! a_1 .. a_k = sum over signs c of (-1)^{#{c_i = -1}} (c_1 a_1 + .. + c_k a_k)^k.
- Eq. C.18, C.21: cos(x_1 + .. + x_n) is a signed sum of 2^{n-1} products with an even number of sines,
  the sign negative where that number is 2 mod 4. (Below the display for k angles in the main text 2^k
  terms are announced; only the k + 1 angles of the appendix have 2^k.)
- In the proofs of C.17 and C.18: sum over frequencies 1 .. (p-1)/2 of cos(2 pi zeta d / p), printed as 0
  for d != 0; it is -1/2.
- Display of section 4.1: a_1 + a_2 mod p is the only argmax over c of cos(2 pi zeta (a_1+a_2-c)/p),
  p prime.

Reference: arXiv 2402.09469.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import prod

import numpy as np
import sympy as sp
from flint import Ordering, fmpz_mpoly_ctx

from theorycheck import (
    Proof,
    claim,
    counts,
    hypothesis,
    instances,
    integers,
    leg,
    odd_integers,
    primes,
    variant,
)

from ._cyclotomic import rationals
from ._network import products

k, n, p = sp.symbols("k n p", integer=True, positive=True)
d, zeta = sp.symbols("d zeta", integer=True, nonnegative=True)

# ---------------------------------------------------------------- polarisation


def draw_numbers(rng, k):
    """Non-zero integers between -20 and 20."""
    return {"a": [int(v) or 1 for v in rng.integers(-20, 21, (k,))]}


def signed_powers(a, k, power, sign):
    """Sum over signs of sign(c) (c . a)^power, over the product of a. A Fraction."""
    total = sum(
        sign(c) * sum(ci * ai for ci, ai in zip(c, a, strict=True)) ** power
        for c in itertools.product((1, -1), repeat=k)
    )
    return Fraction(int(total), prod(a))


def parity(c):
    return (-1) ** c.count(-1)


def polarised(a, k):
    return signed_powers(a, k, k, parity)


def other_exponent(a, k):
    """Sign (-1)^{(k + sum c)/2}: right for even k, reversed for odd k."""
    return signed_powers(a, k, k, lambda c: (-1) ** c.count(1))


def smaller_power(a, k):
    return signed_powers(a, k, k - 1, parity)


def larger_power(a, k):
    return signed_powers(a, k, k + 1, parity)


def without_signs(a, k):
    return signed_powers(a, k, k, lambda c: 1)


def expanded(k):
    """The identity as polynomials with integer coefficients: nothing but one monomial is left."""
    ring = fmpz_mpoly_ctx.get([f"a{i}" for i in range(k)], Ordering.lex)
    a = [ring.gen(i) for i in range(k)]
    total = sum(
        parity(c) * sum((ci * ai for ci, ai in zip(c, a, strict=True)), ring.constant(0)) ** k
        for c in itertools.product((1, -1), repeat=k)
    )
    terms = {tuple(map(int, m)): int(v) for m, v in total.to_dict().items()}
    return Proof(
        holds=set(terms) == {(1,) * k},
        method="expansion into monomials over the integers",
        witness={"monomials": len(terms), "coefficient": terms.get((1,) * k, 0)},
    )


sum_to_product = claim(
    "fourier-sum-to-product",
    lhs=r"\frac{1}{x_1\cdots x_k}\sum_{s\in\{\pm1\}^k}\Big(\prod_i s_i\Big)(s\cdot x)^k",
    title="Polarisation identity",
    says="2^k k! times the product of k numbers is the signed sum of the k-th powers of their 2^k "
    "signed sums.",
    domain={k: integers(1)},
    grid={"smoke": {k: range(1, 6)}, "standard": {k: range(1, 9)}},
    closed_form=2**k * sp.factorial(k),
    legs=[
        leg("numbers", polarised, instances=instances(draw_numbers, "a", smoke=5, standard=50)),
        leg("polynomials", expanded, arithmetic="proof"),
    ],
    rivals=[
        variant("without k!", closed_form=2**k),
        variant("sign (k + sum c)/2", simulation=other_exponent, at={k: [3]}),
        variant("power k - 1", simulation=smaller_power, at={k: [3]}),
        variant("power k + 1", simulation=larger_power, at={k: [3]}),
        variant("no signs", simulation=without_signs, at={k: [3]}),
    ],
)

# ---------------------------------------------------------------- cosine of a sum


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


def without_mod_four(ns, x, n):
    return expansion(ns, x, n, lambda m: [(b, 1) for b, _ in products(m)])


def odd_sines(ns, x, n):
    return expansion(
        ns, x, n, lambda m: [(b, 1) for b in itertools.product(range(2), repeat=m) if sum(b) % 2]
    )


def exponentials(n):
    """Coefficient of e^{i m.x}, m a vector of signs, on both sides, in Gaussian rationals.

    cos = (e + 1/e)/2 and sin = (e - 1/e)/(2i); a product has an even number of sines, so that every
    coefficient is real: i^{-#sines} times the product of the signs at the sines, over 2^n.
    """
    worst = []
    for m in itertools.product((1, -1), repeat=n):
        total = sum(
            sign * (-1) ** (sum(b) // 2) * prod(mi for mi, bi in zip(m, b, strict=True) if bi)
            for b, sign in products(n)
        )
        wanted = 2 ** (n - 1) if len(set(m)) == 1 else 0
        if total != wanted:
            worst.append(m)
    return Proof(
        holds=not worst,
        method="coefficients of all 2^n exponentials",
        witness={"exponentials": 2**n, "products": len(products(n))},
        counterexample={"m": list(worst[0])} if worst else None,
    )


cos_expansion = claim(
    "fourier-cos-expansion",
    title="Cosine of a sum as signed products",
    says="The cosine of n angles is the sum of the products of cosines and an even number of sines, "
    "with sign -1 where that number is 2 mod 4.",
    domain={n: integers(1)},
    grid={"smoke": {n: range(1, 6)}, "standard": {n: range(1, 9)}},
    legs=[
        leg("angles", expansion, reference=cosine_of_sum, unit=1,
            instances=instances(draw_angles, "x", smoke=5, standard=20)),
        leg("exponentials", exponentials, arithmetic="proof"),
    ],
    rivals=[
        variant("no sign at 2 mod 4", simulation=without_mod_four, at={n: [2, 3]}),
        variant("odd numbers of sines", simulation=odd_sines, at={n: [2, 3]}),
    ],
)  # fmt: skip


def terms_of(angles):
    """Non-zero products of cos(x_1 + .. + x_n), by repeated addition of an angle."""
    cosine, sine = {(0,): 1}, {(1,): 1}
    for _ in range(angles - 1):
        wider = {(*b, 0): sign for b, sign in cosine.items()}
        wider |= {(*b, 1): -sign for b, sign in sine.items()}
        sine = {(*b, 0): sign for b, sign in sine.items()} | {
            (*b, 1): sign for b, sign in cosine.items()
        }
        cosine = wider
    return len(cosine)


def terms_of_inputs(k):
    """The display of the main text: cos(a_1 + .. + a_k)."""
    return terms_of(k)


def terms_with_output(k):
    """Eq. C.21: cos(a_1 + .. + a_k - c)."""
    return terms_of(k + 1)


TERMS = {
    "states": "fourier-cos-expansion",
    "role": "reading",
    "encodes": "part",
    "domain": {k: integers(1)},
    "grid": {"smoke": {k: range(1, 7)}, "standard": {k: range(1, 13)}},
    "relation": counts(),
    "closed_form": 2**k,
    "rivals": [variant("2^(k-1)", closed_form=2 ** (k - 1)), variant("k + 1", closed_form=k + 1)],
}

terms_main_text = claim(
    "fourier-cos-expansion-terms-of-k-angles",
    lhs=r"\#\text{ products}",
    title="Number of products, read at the display of the main text",
    says="The cosine of the k angles a_1, .., a_k has 2^k non-zero products.",
    expect="fail",
    legs=[leg("counted", terms_of_inputs)],
    **TERMS,
)

terms_appendix = claim(
    "fourier-cos-expansion-terms",
    lhs=r"\#\text{ products}",
    title="Number of products, read with the output as a further angle",
    says="The cosine of the k + 1 angles a_1, .., a_k, -c has 2^k non-zero products.",
    legs=[leg("counted", terms_with_output)],
    **TERMS,
)

# ---------------------------------------------------------------- sum of cosines over frequencies


def frequency_sum(p, d):
    """Sum of cos(2 pi zeta d / p) over zeta = 1 .. (p-1)/2, in Q(e^{2 pi i / p}); a Fraction."""
    doubled = np.zeros(p, dtype=np.int64)
    for frequency in range(1, (p - 1) // 2 + 1):
        doubled[frequency * d % p] += 1
        doubled[-frequency * d % p] += 1
    return Fraction(int(rationals(doubled)), 2)


SUM = {
    "domain": {p: odd_integers(3), d: integers(0)},
    "where": d < p,
    "grid": {
        "smoke": [{p: j, d: t} for j in (3, 5, 9) for t in range(j)],
        "standard": [{p: j, d: t} for j in (3, 5, 7, 9, 15, 21, 47) for t in range(j)],
    },
    "rivals": [variant("p/2 at d = 0", closed_form=p * sp.KroneckerDelta(d, 0) / 2)],
}

frequency_sum_printed = claim(
    "fourier-frequency-sum",
    lhs=r"\sum_{\zeta=1}^{(p-1)/2}\cos\frac{2\pi\zeta d}{p}",
    tex=r"\frac{p-1}{2}\,\delta_{d,0}",
    title="Sum of cosines over the frequencies, as printed",
    says="For odd p the sum over the frequencies of cos(2 pi zeta d/p) is (p-1)/2 at d = 0 and 0 at "
    "every other d mod p.",
    expect="fail",
    closed_form=(p - 1) * sp.KroneckerDelta(d, 0) / 2,
    legs=[leg("cyclotomic", frequency_sum)],
    **SUM,
)

frequency_sum_corrected = claim(
    "fourier-frequency-sum-corrected",
    lhs=r"\sum_{\zeta=1}^{(p-1)/2}\cos\frac{2\pi\zeta d}{p}",
    tex=r"\frac{p\,\delta_{d,0}-1}{2}",
    title="Sum of cosines over the frequencies",
    says="For odd p the sum is (p-1)/2 at d = 0 and -1/2 at every other d mod p.",
    states="fourier-frequency-sum",
    role="corrected",
    corrects="fourier-frequency-sum",
    closed_form=(p * sp.KroneckerDelta(d, 0) - 1) / 2,
    legs=[leg("cyclotomic", frequency_sum)],
    assumes=[hypothesis("p is odd", without=[{p: 4, d: 1}, {p: 6, d: 2}])],
    **SUM,
)

# ---------------------------------------------------------------- the modular sum as an argmax


def distance(turns, p):
    """How far 2 pi turns / p is from a multiple of 2 pi; the cosine decreases with it."""
    return min(turns % p, -turns % p)


def argmaxes(p, zeta):
    """Most labels c, over all a_1 and a_2, that attain the maximum over c or should and do not.

    Where a_1 + a_2 itself is not among them, the count is p + 1.
    """
    worst = 0
    for s in range(p):  # a_1 + a_2 mod p takes every value
        far = [distance(zeta * (s - c), p) for c in range(p)]
        best = [c for c in range(p) if far[c] == min(far)]
        worst = max(worst, len(best) if s in best else p + 1)
    return worst


def argmaxes_of_sine(p, zeta):
    """With the sine: its largest value lies a quarter turn on, distance to p/4 in quarter steps."""
    worst = 0
    for s in range(p):
        far = [distance(4 * zeta * (s - c) - p, 4 * p) for c in range(p)]
        best = [c for c in range(p) if far[c] == min(far)]
        worst = max(worst, len(best) if s in best else p + 1)
    return worst


argmax_cosine = claim(
    "fourier-argmax-cosine",
    lhs=r"\#\operatorname{arg\,max}_c\cos\frac{2\pi\zeta(a_1+a_2-c)}{p}",
    title="Modular sum as an argmax",
    says="For prime p and zeta = 1, .., p-1 the sum a_1 + a_2 mod p is the only argmax over c of "
    "cos(2 pi zeta (a_1 + a_2 - c)/p).",
    domain={p: primes(3), zeta: integers(1)},
    where=zeta < p,
    grid={
        "smoke": [{p: j, zeta: t} for j in (3, 5, 7) for t in range(1, j)],
        "standard": [{p: j, zeta: t} for j in (3, 5, 7, 11, 13, 23) for t in range(1, j)],
    },
    closed_form=sp.Integer(1),
    relation=counts(),
    legs=[leg("counted", argmaxes)],
    rivals=[
        variant("sine for cosine", simulation=argmaxes_of_sine),
        variant("frequency 0", at={p: [5], zeta: [0]}),
        variant("two argmaxes", closed_form=sp.Integer(2)),
    ],
    assumes=[
        hypothesis("p is prime", without=[{p: 9, zeta: 3}, {p: 15, zeta: 5}, {p: 6, zeta: 4}]),
    ],
)


def common_divisor(p, zeta):
    return sp.Integer(sp.igcd(p, zeta))


argmax_any_modulus = claim(
    "fourier-argmax-cosine-any-modulus",
    title="Argmaxes at any modulus",
    says="At every p the number of argmaxes is gcd(zeta, p), so the modular sum is the only one "
    "exactly for zeta prime to p.",
    states="fourier-argmax-cosine",
    role="derived",
    domain={p: integers(2), zeta: integers(1)},
    where=zeta < p,
    grid={
        "smoke": [{p: j, zeta: t} for j in (4, 6, 9) for t in range(1, j)],
        "standard": [{p: j, zeta: t} for j in (4, 6, 9, 12, 15, 21) for t in range(1, j)],
    },
    closed_form=common_divisor,
    relation=counts(),
    legs=[leg("counted", argmaxes)],
    rivals=[
        variant("always one", closed_form=sp.Integer(1)),
        variant("zeta", closed_form=zeta),
    ],
)
