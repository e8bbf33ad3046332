r"""Theorem B.69: how smooth the empirical square loss is in the second layer.

Setting. N neurons with biases b_i redrawn from N(0, 1), a sample of n with |<w_i, x>| <= 1 for every i, features
h(x)_i = relu(<w_i, x> - b_i), square loss.

Statement. The gradient in a of the mean of (<a, h> - y)^2 is Lipschitz with constant 2 lambda_max(mean h h^T), at
most 2 max_x |h(x)|^2 <= 2 sum_i (1 + |b_i|)^2 <= 4 N + 4 |b|^2. |b|^2 has the chi-squared law with N degrees and is at
most 5 N with probability at least 1 - e^-N: so the constant is at most 24 N, which is 96 m for 4 m neurons, and e^-N
is below every 1/poly(m, d) once m is a large multiple of log d; the theorem asks for more.

Reference: lines 7636-7660.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    integers,
    probability,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside

N, n = sp.symbols("N n", integer=True, positive=True)
FAST = sp.exp(-N)


def rough(ns, rng, size, N, n, constant=24):
    """Whether twice the norm of mean h h^T v, v the all-ones vector's direction, passes ``constant`` N: the inner
    products <w_i, x> of the sample are uniform in [-1, 1]. Shape (size,)."""
    b = rng.normal((size, N))
    inner = 2 * rng.uniform((size, n, N)) - 1
    h = ns.maximum(inner - b[:, None, :], 0 * inner)
    v = ns.sum(h, axis=1) + ns.rational(1, 10**9)
    for _ in range(6):  # power iterations for the largest eigenvalue
        along = ns.sum(h * v[:, None, :], axis=2)
        new = ns.sum(h * along[:, :, None], axis=1) / n
        length = ns.sqrt(ns.sum(new * new, axis=1))
        v = new / (length[:, None] + ns.rational(1, 10**9))
    return ns.where(2 * length > constant * N, 1, 0)


def rough_at_half(ns, rng, size, N, n):
    """The same at N/2."""
    return rough(ns, rng, size, N, n, ns.rational(1, 2))


def twenty_four():
    """The constant."""
    return Fraction(24)


EVERY = "draw i"
TEXTS = {
    # e: a unit vector's product with a feature vector of length s, by Cauchy-Schwarz
    "quadratic form": typed("e**2 <= s**2", over=["s in [0, oo)", "e in [-s, s]"]),
    "one feature": typed("relu(u - b)**2 <= 2 + 2*b**2", over=["u in [-1, 1]", "b in R"]),
    "logarithm of the mean": typed("-s - log(1 - 2*s)/2 <= s**2/(1 - 2*s)", over="s in [0, 1/2)"),
    "exponent": typed(
        "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) - (u/(q + 2*u))*(2*q*u + 2*u**2) == -u**2",
        over=["q in (0, oo)", "u in [0, oo)"],
    ),
    "threshold": typed("N + 2*sqrt(N*N) + 2*N == 5*N", over="N in 1..oo"),
    "constant": typed("2*(2*N + 2*q) <= 24*N", over=["N in 1..oo", "q in [0, 5*N]"]),
}
WRONG = {
    "one feature": "relu(u - b)**2 <= 1 + 2*b**2",
    "logarithm of the mean": "-s - log(1 - 2*s)/2 <= s**2",
    "exponent": "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) - (u/(q + 2*u))*(2*q*u + u**2) == -u**2",
    "threshold": "N + 2*sqrt(N*N) + 2*N == 4*N",
    "constant": "2*(2*N + 2*q) <= 23*N",
}


def step(name):
    """A step of the bound."""
    return formula_leg(name, TEXTS[name], over=EVERY, gives="O", chosen_by=twenty_four)


smooth = claim(
    "gradfeat-multi-index-smoothness",
    states="gradfeat-multi-index-main",
    title="Smoothness of the empirical square loss in the second layer",
    says=r"With $|\langle w_i,x\rangle|\le1$ on the sample and $b_i\sim N(0,1)$ the empirical square loss of $N$ "
    r"neurons is $24N$-smooth in $a$ with probability at least $1-e^{-N}$.",
    covers="gradfeat-multi-index-main/L-bound",
    reads={"draw": "N n", "i": "N"},
    domain={N: integers(1), n: integers(1)},
    grid={"smoke": [{N: 1, n: 1}, {N: 4, n: 3}], "standard": [{N: 2, n: 5}, {N: 8, n: 4}]},
    closed_form=FAST,
    relation=at_most(),
    legs=[
        *(step(name) for name in TEXTS),
        beside(
            "draws",
            rough,
            r"\Pr[L>24N]",
            "e^{-N}",
            statistic=probability(),
            where=sp.And(N <= 8, n <= 8),
        ),
    ],
    rivals=[
        variant("N/2", simulation=rough_at_half, leg="draws"),
        *(
            rival
            for name, text in WRONG.items()
            for rival in rivals_of(step(name), {f"{name}, changed": text})
        ),
    ],
)
