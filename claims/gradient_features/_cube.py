"""Majority and threshold functions on the cube, by counting."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod


def majority_mean(d, size):
    """E[Maj(x) prod_{l in S} x_l] for |S| = size: by the numbers of -1 inside and outside of S. Shape ()."""
    total = sum(
        (-1) ** a * comb(size, a) * comb(d - size, b) * sign(d - 2 * (a + b))
        for a in range(size + 1)
        for b in range(d - size + 1)
    )
    return Fraction(total, 2**d)


def sign(x):
    return (x > 0) - (x < 0)


def gradient(w, b, k):
    """E[y x 1{<w, x> > b}] for y the parity of the first k coordinates, x uniform. Length d."""
    total = [0] * len(w)
    for x in product((1, -1), repeat=len(w)):
        if sum(u * v for u, v in zip(w, x, strict=True)) > b:
            y = prod(x[:k])
            total = [t + y * v for t, v in zip(total, x, strict=True)]
    return [Fraction(t, 2 ** len(w)) for t in total]


def character_mean(d, size, b):
    """E[prod_S z 1{z_1 + ... + z_d > b}] for uniform signs z and |S| = size, by counting. Shape ()."""
    total = sum(
        (-1) ** inside * comb(size, inside) * comb(d - size, outside)
        for inside in range(size + 1)
        for outside in range(d - size + 1)
        if d - 2 * (inside + outside) > b
    )
    return Fraction(total, 2**d)


def gradient_counted(w, b, k):
    """The same as `gradient`, with z = w x coordinate by coordinate: x_j y is a product of w and one of z."""
    whole = prod(int(v) for v in w[:k])
    on, off = (character_mean(len(w), size, b) for size in (k - 1, k + 1))
    return [(on if j < k else off) * whole * int(v) for j, v in enumerate(w)]


def response(w, b, k):
    """E[y relu(<w, x> - b)]. Shape ()."""
    total = Fraction(0)
    for x in product((1, -1), repeat=len(w)):
        u = sum(p * v for p, v in zip(w, x, strict=True)) - Fraction(b)
        total += prod(x[:k]) * max(u, Fraction(0))
    return total / 2 ** len(w)
