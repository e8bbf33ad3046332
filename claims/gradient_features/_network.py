"""The two-layer network g(x) = sum_i a_i relu(<w_i, x> - b_i) on finite laws, in rationals."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt


def dot(u, x):
    return sum((p * q for p, q in zip(u, x, strict=True)), Fraction(0))


def relu(z):
    return max(z, Fraction(0))


def output(x, a, w, b):
    return sum((v * relu(dot(u, x) - c) for v, u, c in zip(a, w, b, strict=True)), Fraction(0))


def hinge(z):
    return max(1 - z, Fraction(0))


def hinge_slope(z):
    """A subgradient of the hinge loss."""
    return Fraction(-1) if z < 1 else Fraction(0)


def mean_loss(xs, ys, a, w, b, loss=hinge):
    """E l(y g(x)) over equally likely examples. Shape ()."""
    losses = (loss(y * output(x, a, w, b)) for x, y in zip(xs, ys, strict=True))
    return sum(losses, Fraction(0)) / len(xs)


def gradients(xs, ys, a, w, b, slope=hinge_slope):
    """dL/dw_i, a list of vectors, and dL/da_i, of the whole network."""
    data = [(x, y * slope(y * output(x, a, w, b))) for x, y in zip(xs, ys, strict=True)]
    first, second = [], []
    for v, u, c in zip(a, w, b, strict=True):
        active = [(x, s) for x, s in data if dot(u, x) > c]
        first.append(
            [v * sum((s * x[j] for x, s in active), Fraction(0)) / len(xs) for j in range(len(u))]
        )
        second.append(sum((s * (dot(u, x) - c) for x, s in active), Fraction(0)) / len(xs))
    return first, second


def step(xs, ys, a, w, b, eta, decay, slope=hinge_slope):
    """Both layers after one step of gradient descent with weight decay: (a, w)."""
    first, second = gradients(xs, ys, a, w, b, slope)
    new_w = [
        [(1 - eta * decay) * v - eta * g for v, g in zip(u, found, strict=True)]
        for u, found in zip(w, first, strict=True)
    ]
    return [(1 - eta * decay) * v - eta * g for v, g in zip(a, second, strict=True)], new_w


def simplified(xs, ys, w, b):
    """G(w, b) = E[y x 1{<w, x> > b}]."""
    active = [(x, y) for x, y in zip(xs, ys, strict=True) if dot(w, x) > b]
    return [sum((y * x[j] for x, y in active), Fraction(0)) / len(xs) for j in range(len(w))]


def negative(v):
    return [-t for t in v]


def four_groups(a, w, b):
    """(3.9): from m neurons the 4 m of the symmetric start, (a, w, b)."""
    minus_a, minus_w, minus_b = negative(a), [negative(u) for u in w], negative(b)
    return (
        [*a, *minus_a, *minus_a, *a],
        [*w, *minus_w, *w, *minus_w],
        [*b, *minus_b, *b, *minus_b],
    )


def with_length(rng, d):
    """A vector of R^d, d >= 2, whose length is rational: a multiple of an inverse stereographic image."""
    t, scale = rng.rational((d - 1,), 3), rng.rational((), 4)
    square = dot(t, t)
    return [scale * (1 - square), *(2 * scale * v for v in t)]


def unit(rng, d):
    """A vector of R^d of length 1 with rational entries."""
    if d == 1:
        return [Fraction(int(rng.signs((1,))[0]))]
    t = rng.rational((d - 1,), 3)
    square = dot(t, t)
    return [(1 - square) / (1 + square), *(2 * v / (1 + square) for v in t)]


def along(size, v):
    return [Fraction(size) * t for t in v]


def of_mean_length(rng, d, size):
    """Four vectors of R^d of different lengths, whose mean is this size."""
    shares = (Fraction(1, 2), Fraction(1), Fraction(1), Fraction(3, 2))
    return [along(share * Fraction(size), unit(rng, d)) for share in shares]


def length(v):
    """|v|, for a vector of rational length. Raises ValueError for any other."""
    square = Fraction(dot(v, v))
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    if root * root != square:
        raise ValueError(f"{v} has no rational length")
    return root
