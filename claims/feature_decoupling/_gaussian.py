"""Gaussian expectations by quadrature with error balls, and a finite law with a Gaussian's first five moments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from flint import acb, arb, ctx

BITS = 200
REACH = 30
"""Standard deviations that are integrated over: beyond them there is less than 10^-195 of the law."""
BEYOND = arb(0, 1e-90)
"""What functions of moderate size add there."""

Piece = tuple[object, object, Callable[[object], object]]
"""Both ends of an interval, None for an infinite one, and the function on it, entire."""


def number(x):
    if isinstance(x, arb):
        return x
    x = Fraction(x)
    return arb(x.numerator) / x.denominator


def unit(b, weight=lambda u: 1) -> list[Piece]:
    """The symmetrised unit of bias b >= 0, times ``weight``, in pieces."""
    b = number(b)
    return [(None, -b, lambda u: (u + b) * weight(u)), (b, None, lambda u: (u - b) * weight(u))]


def gate(b, weight=lambda u: u**0) -> list[Piece]:
    """1{|u| >= b} times ``weight``, in pieces."""
    b = number(b)
    return [(None, -b, weight), (b, None, weight)]


def mean_of(pieces: Sequence[Piece], mu, s):
    """E f(u) for u ~ N(mu, s^2), f(mu) for s = 0. f is 0 outside of its pieces. A ball."""
    with ctx.workprec(BITS):
        mu, s = number(mu), number(s)
        total = arb(0)
        if s == 0:
            for low, high, f in pieces:
                if (low is None or mu >= low) and (high is None or mu <= high):
                    total += f(mu)
            return total
        for low, high, f in pieces:
            start = arb(-REACH) if low is None else arb(-REACH).max((low - mu) / s)
            end = arb(REACH) if high is None else arb(REACH).min((high - mu) / s)
            if start < end:
                total += _integral(f, mu, s, start, end)
        return total + BEYOND


def _integral(f, mu, s, start, end):
    def integrand(g, _analytic):
        return f(mu + s * g) * (-g * g / 2).exp()

    return acb.integral(integrand, start, end).real / (2 * arb.pi()).sqrt()


def nodes(n, k):
    """Points of R^n with weights: each entry is 0 or +-3 k, with the moments of N(0, 3 k^2) up to the fifth, so that
    means of polynomials of degree five at most in each entry are exactly the Gaussian's."""
    far = 3 * Fraction(k)
    one = [(Fraction(0), Fraction(2, 3)), (far, Fraction(1, 6)), (-far, Fraction(1, 6))]
    for picked in product(one, repeat=n):
        weight = Fraction(1)
        for _, w in picked:
            weight *= w
        yield [x for x, _ in picked], weight
