r"""Theorems B.69 and B.56: how smooth an empirical loss is in the second layer.

Setting. N neurons with biases b_i redrawn from N(0, 1), a sample of n with |<w_i, x>| <= 1 for every i, features
h(x)_i = relu(<w_i, x> - b_i), square loss.

Statement. The gradient in a of the mean of (<a, h> - y)^2 is Lipschitz with constant 2 lambda_max(mean h h^T), at
most 2 max_x |h(x)|^2 <= 2 sum_i (1 + |b_i|)^2 <= 4 N + 4 |b|^2. |b|^2 has the chi-squared law with N degrees and is at
most 5 N with probability at least 1 - e^-N: so the constant is at most 24 N, which is 96 m for 4 m neurons, and e^-N
is below every 1/poly(m, d) once m is a large multiple of log d; the theorem asks for more.

Uniform parity (B.56): features relu(<w_i, x> - b_i) in [0, d + 1] of m neurons, a loss with l'' in [0, 1]. Along a
unit vector v the second derivative on one example is l'' (sum_i v_i h_i)^2, at most sum_i h_i^2 <= m (d + 1)^2, and
so is its mean. The hinge loss of the algorithm has no l'': for it no constant serves (`frozen_layer`).

Reference: lines 7636-7660, 7283-7287, 7289-7304.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    probability,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._network import dot, gradients

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

READ = ["m in 1..oo", "h[i] in [0, d + 1] for i in 1..m"]
FEATURE = formula_leg(
    "largest feature",
    typed("0 <= relu(u - b) <= d + 1", over=["d in 1..oo", "u in [-d, d]", "b in [-1, 1]"]),
)
DIRECTION = formula_leg(
    "one example",
    typed("dot(v, h)**2 <= norm(v)**2*norm(h)**2", over=["m in 1..oo", "v, h in R^m"]),
)
CURVATURE = formula_leg(
    "curvature of the loss",
    typed("c*s <= s", over=["c in [0, 1]", "s in [0, oo)"]),
)
m, d = sp.symbols("m d", integer=True, positive=True)
SMOOTHNESS = m * (d + 1) ** 2
FEATURES = formula_leg(
    "all features",
    typed(f"Sum(h[i]**2, (i, 1, m)) <= {SMOOTHNESS}", over=["d in 1..oo", *READ]),
)
SAMPLE = formula_leg(
    "mean over the sample",
    typed(
        "Sum(L[k], (k, 1, n))/n <= K",
        over=["n in 1..oo", "K in R", "L[k] in (-oo, K] for k in 1..n"],
    ),
)


def parity_network(rng, m, d):
    """Six signed inputs, weights in {-1, 1}^d with biases in [-1, 1], a second layer, and a move of it."""
    return {
        "xs": rng.signs((6, d)),
        "w": rng.signs((m, d)),
        "b": [Fraction(int(v), 4) for v in rng.integers(-4, 5, (m,))],
        "a": rng.rational((m,), 3),
        "move": [v + Fraction(1, 97) for v in rng.rational((m,), 3)],
    }


def all_alike(rng, m, d):
    """Three equal inputs that every neuron repeats, biases -1, equal moves."""
    return {
        "xs": [[1] * d] * 3,
        "w": [[1] * d] * m,
        "b": [Fraction(-1)] * m,
        "a": [Fraction(0)] * m,
        "move": [Fraction(1)] * m,
    }


def along_a_move(xs, w, b, a, move):
    """<grad L(a + move) - grad L(a), move>/|move|^2 for the mean of l(y g) = (1 - y g)^2/2, y the product of the
    first and the last coordinate: at most the constant of smoothness. Shape ()."""
    ys = [int(x[0]) * int(x[-1]) for x in xs]
    after = [v + t for v, t in zip(a, move, strict=True)]
    there, here = (gradients(xs, ys, v, w, b, square_slope)[1] for v in (after, a))
    turned = [p - q for p, q in zip(there, here, strict=True)]
    return dot(turned, move) / dot(move, move)


def square_slope(z):
    """l' of (1 - z)^2/2, whose second derivative is 1."""
    return z - 1


def over_the_sample(xs, w, b, a, move):
    """The same for the sum over the sample."""
    return len(xs) * along_a_move(xs, w, b, a, move)


def networks(name, draw):
    return leg(
        name,
        along_a_move,
        closed_form=SMOOTHNESS,
        lhs=r"\langle\nabla L_n(a+v)-\nabla L_n(a),v\rangle/\|v\|^2",
        unit=1,
        required=False,
        instances=instances(draw, "xs w b a move", smoke=2, standard=6),
    )


parity = claim(
    "gradfeat-uniform-smoothness",
    states="gradfeat-uniform-parity-main",
    title="Smoothness of the empirical loss of the uniform parity",
    says=r"For a loss with $0\le\ell''\le1$ and $m$ neurons the empirical loss is $m(d+1)^2$-smooth in $a$; the hinge "
    r"loss is no such loss.",
    role="reading",
    covers="gradfeat-uniform-parity-main/L-bound",
    reads={"sample": "n L", "loss": "c"},
    domain={m: integers(1), d: integers(1)},
    where=sp.And(m <= 12, d <= 12),
    grid={"smoke": [{m: 1, d: 3}, {m: 4, d: 2}, {m: 3, d: 5}]},
    relation=at_most(),
    legs=[
        FEATURE,
        DIRECTION,
        CURVATURE,
        FEATURES,
        SAMPLE,
        networks("networks", parity_network),
        networks("equal neurons", all_alike),
    ],
    rivals=[
        variant("m d^2, run", closed_form=m * d**2, leg="equal neurons"),
        variant("one neuron, run", closed_form=(d + 1) ** 2, leg="equal neurons"),
        variant("d + 1, run", closed_form=m * (d + 1), leg="equal neurons"),
        variant("the sum over the sample", simulation=over_the_sample, leg="equal neurons"),
        *rivals_of(FEATURE, {"at most d": "0 <= relu(u - b) <= d"}),
        *rivals_of(DIRECTION, {"half of it": "dot(v, h)**2 <= norm(v)**2*norm(h)**2/2"}),
        *rivals_of(CURVATURE, {"curvature up to 2": {"over": ["c in [0, 2]", "s in [0, oo)"]}}),
        *rivals_of(FEATURES, {"m d^2": "Sum(h[i]**2, (i, 1, m)) <= m*d**2"}),
        *rivals_of(SAMPLE, {"strictly": "Sum(L[k], (k, 1, n))/n < K"}),
    ],
)
