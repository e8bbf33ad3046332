"""Display of section 4.1: a_1 + a_2 mod p as the argmax over c of cos(2 pi zeta (a_1 + a_2 - c)/p).

Statement. For prime p, every zeta != 0 and all a_1, a_2 the modular sum is the only maximiser. At any p there
are gcd(zeta, p) of them (derived), so that uniqueness holds exactly where zeta is prime to p.

Reference: section 4.1 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools

import sympy as sp

from theorycheck import claim, counts, hypothesis, integers, leg, primes, variant

p, zeta = sp.symbols("p zeta", integer=True, positive=True)


def most_argmaxes(p, far):
    """Most labels c, over all a_1 and a_2, at the least distance far(s - c); p + 1 where s is not among them."""
    worst = 0
    for a1, a2 in itertools.product(range(p), repeat=2):
        s = a1 + a2
        away = [far(s - c) for c in range(p)]
        best = [c for c in range(p) if away[c] == min(away)]
        worst = max(worst, len(best) if s % p in best else p + 1)
    return worst


def argmaxes(p, zeta):
    """How far 2 pi zeta (s - c)/p is from a multiple of 2 pi decides: the cosine decreases with it."""
    return most_argmaxes(p, lambda t: min(zeta * t % p, -zeta * t % p))


def argmaxes_of_sine(p, zeta):
    """With the sine, whose largest value lies a quarter turn on: distances in quarters of 2 pi/p."""
    return most_argmaxes(
        p, lambda t: min((4 * zeta * t - p) % (4 * p), (p - 4 * zeta * t) % (4 * p))
    )


argmax_cosine = claim(
    "fourier-argmax-cosine",
    title="Modular sum as an argmax",
    lhs=r"\#\operatorname{arg\,max}_c\cos\frac{2\pi\zeta(a_1+a_2-c)}{p}",
    says=r"For prime $p$ and $\zeta=1,\dots,p-1$ the sum $a_1+a_2$ mod $p$ is the only argmax over $c$ "
    r"of $\cos(2\pi\zeta(a_1+a_2-c)/p)$.",
    covers="argmax",
    domain={p: primes(2), zeta: integers(1)},
    where=zeta < p,
    grid={
        "smoke": [{p: j, zeta: t} for j in (2, 3, 5, 7) for t in range(1, j)],
        "standard": [{p: j, zeta: t} for j in (2, 3, 5, 7, 11, 13, 23) for t in range(1, j)],
    },
    closed_form=sp.Integer(1),
    relation=counts(),
    legs=[leg("counted", argmaxes, inside="a1 a2")],
    rivals=[
        variant("sine for cosine", simulation=argmaxes_of_sine, at=[{p: 5, zeta: 1}]),
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
    lhs=r"\#\operatorname{arg\,max}_c\cos\frac{2\pi\zeta(a_1+a_2-c)}{p}",
    tex=r"\gcd(\zeta,p)",
    title="Argmaxes at any modulus",
    says=r"At every $p$ the number of argmaxes is $\gcd(\zeta, p)$, so the modular sum is the only one "
    r"exactly for $\zeta$ prime to $p$.",
    states="fourier-argmax-cosine",
    role="derived",
    covers="any-modulus",
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
