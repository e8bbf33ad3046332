"""Shared program of pre-activations and outputs after the class-weighted first step of the general setting.

As in `_general_second`: weights in units of sigma~. A neuron is (start, side, b, a): w = sum_l c_l M_l + side e, e a
unit vector outside of the dictionary's span. Noise is zeta = sum_l z_l M_l + rim e, so that <M_l, zeta> = (G z)_l,
<w, zeta> = c'G z + side rim, |zeta|^2 = z'G z + rim^2. With h = eta a/sigma~^2, w^(1)/sigma~ = h (sum_l T_l M_l + K w).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from flint import arb

from ._balls import number
from ._first_step import means
from ._general_second import coefficients, deviations, scale, started
from .general_first_step import half_difference
from .network_gradients import activation

NINE = Fraction(9, 16)


class Step(NamedTuple):
    """h, sigma~ T_l, K, T_b, T_a, |<w, M_l>|_1 over A and deviation of the noise along w."""

    h: Any
    patterns: list[Any]
    K: Any
    bias: Any
    read_out: Any
    reach: Any
    v: Any


def times(gram, vector):
    return [sum((g * c for g, c in zip(row, vector, strict=True)), Fraction(0)) for row in gram]


def dot(u, v):
    return sum((x * y for x, y in zip(u, v, strict=True)), Fraction(0))


def first(law, back, gram, neuron, s, noise, many, eta):
    """One exact step."""
    start, side, b, a = neuron
    before, size = started(gram, start, side * side, b, noise, a)
    found = coefficients(law, back, before, s, noise > 0)
    v = number(noise) * number(size).sqrt()
    K = number(noise) * found.noise / number(size).sqrt() if noise else arb(0)
    h = number(eta * a) / number(scale(law, back, gram, noise, many))
    reach = sum((abs(u) for u in before.q[: len(law[0][0])]), arb(0))
    return Step(h, found.patterns, K, found.bias, found.read_out, reach, v)


def inputs(law, back):
    """Labels and phi~ - E phi~."""
    return [(y, f) for y, _, f in deviations(law, back)]


def moved(gram, neuron, step, f, z, rim):
    """sigma~ <M_l, x> for all l, and <w^(1), x>: of the patterns f and noise."""
    start, side, _, _ = neuron
    seen = times(gram, [x + u for x, u in zip(f, z, strict=True)])
    along = dot(start, seen) + side * rim
    total = sum((t * number(x) for t, x in zip(step.patterns, seen, strict=True)), arb(0))
    return step.h * (total + step.K * number(along))


def slope(s):
    return 1 / (number(s) * (2 * arb.pi()).sqrt())


def bounds(law, back, step, s, noise, on=1, off=1, along=1):
    """Of sigma~ |T_l| for all l, and of sigma~ |nu|."""
    k, X = len(law[0][0]), slope(s) * step.reach
    relevant = on * (number(abs(half_difference(law))) + number(NINE) * X)
    rates = means([(bits, 1, c) for bits, c in back])
    patterns = [relevant] * k + [off * number(2 * p * (1 - p)) * X for p in rates]
    top = number(Fraction(9, 8)) * (-arb(1) / 2).exp() / (2 * arb.pi()).sqrt()
    tau2 = number(s * s) + step.v * step.v
    return patterns, along * number(noise) * top * step.v * step.reach / tau2


def moved_bound(law, back, gram, step, s, noise, f, z, rim, **shares):
    """h (sum_l |T_l| (|f_l| + sum |G_lj f_j| + |<M_l, zeta>|) + |nu| (|M f| + |zeta|))."""
    patterns, along = bounds(law, back, step, s, noise, **shares)
    turned = times(gram, z)
    total = arb(0)
    for row, t, u in zip(gram, patterns, turned, strict=True):
        total += t * number(sum((abs(g * x) for g, x in zip(row, f, strict=True)), abs(u)))
    lengths = number(dot(f, times(gram, f))).sqrt() + number(dot(z, turned) + rim * rim).sqrt()
    return abs(step.h) * (total + along * lengths)


def parts(k, f, z, rim):
    """Patterns with the noise, noise alone, patterns alone, background alone."""
    still, none = [Fraction(0)] * len(f), Fraction(0)
    return [
        (f, z, rim),
        (still, z, rim),
        (f, still, none),
        ([none] * k + list(f[k:]), still, none),
    ]


def output(gram, neuron, step, f, z, rim, eta, s2):
    """a^(1) sigma(<w^(1), x> + b^(1)) of a neuron and its copy."""
    _, _, b, a = neuron
    at, total = moved(gram, neuron, step, f, z, rim), arb(0)
    for sign in (1, -1):
        bias = number(b) + sign * number(eta * a) * step.bias
        read = sign * number(a) + number(eta) * step.read_out
        total += read * activation(sign * at + bias, number(s2))
    return total
