"""Shared model of two class-weighted gradient steps in the general setting: incoherent dictionary, input noise.

Weights are in units of sigma~ and the coefficients are sigma~ T_l. A start is w = sum_l c_l M_l and a part of squared
length ``off`` outside of the dictionary's span, so that q = G c with the Gram matrix G and |w|^2 = c'Gc + off; noise is
zeta ~ N(0, z^2 I_d). Along a weight w the input noise is one Gaussian of deviation z |w|/sigma~. With h = eta
a/sigma~^2 the neuron after the first step has q = h (G T + K q), K = z^2 E[alpha y (density at the ends)], and its copy
-q; its noise follows from |sum T_l M_l + nu|.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from flint import arb, ctx

from ._balls import number
from ._first_step import means
from .general_first_step import class_weights
from .general_noise import moment
from .network_gradients import activation

PRECISION = 80
FIELDS = "law back gram start off b s noise many eta a s2"


class Neuron(NamedTuple):
    """q by patterns, bias, variance of the input noise's part, read-out."""

    q: list[Any]
    bias: Any
    variance: Any
    read_out: Any


class Means(NamedTuple):
    """sigma~ T by patterns, T_b, T_a, and sigma~ nu/sigma_zeta along the weight."""

    patterns: list[Any]
    bias: Any
    read_out: Any
    noise: Any


def deviations(law, back):
    """Label, alpha times chance, and phi~ - E phi~ of every input, relevant patterns first."""
    alpha = class_weights(law)
    mu, rates = means(law), means([(bits, 1, c) for bits, c in back])
    for bits, y, c in law:
        for others, m in back:
            yield (
                y,
                alpha[y] * c * m,
                [f - e for f, e in zip((*bits, *others), (*mu, *rates), strict=True)],
            )


def scale(law, back, gram, noise, many):
    """sigma~^2 = E|x~ - E x~|^2."""
    alpha, total = class_weights(law), Fraction(many) * noise * noise
    for y, c, f in deviations(law, back):
        total += (
            c / alpha[y] * sum(gram[i][j] * u * v for i, u in enumerate(f) for j, v in enumerate(f))
        )
    return total


def opened(z, tau):
    """P[z + tau g in (0, 1)] of balls."""
    size = tau * arb(2).sqrt()
    return ((z / size).erf() + ((1 - z) / size).erf()) / 2


def argument(neuron, f):
    return sum((u * number(x) for u, x in zip(neuron.q, f, strict=True)), arb(0)) + neuron.bias


def spread(neuron, s):
    return (number(s * s) + neuron.variance).sqrt()


def coefficients(law, back, neuron, s, noisy, kept=None, weighted=True):
    """Of one step; ``kept`` says which inputs pull."""
    alpha, tau = class_weights(law), spread(neuron, s)
    patterns: list[Any] = [arb(0)] * len(neuron.q)
    bias, read_out, along = arb(0), arb(0), arb(0)
    for i, (y, c, f) in enumerate(deviations(law, back)):
        if kept is not None and not kept[i]:
            continue
        z, weight = argument(neuron, f), number(y * c if weighted else y * c / alpha[y])
        gate = weight * opened(z, tau)
        patterns = [t + gate * number(x) for t, x in zip(patterns, f, strict=True)]
        bias += gate
        read_out += weight * activation(z, tau)
        if noisy:
            along += weight * moment(z, neuron.variance.sqrt(), number(s))
    return Means(patterns, bias, read_out, along)


def started(gram, start, off, b, noise, a):
    """The neuron at the start, and |w|^2/sigma~^2."""
    q = [sum((g * c for g, c in zip(row, start, strict=True)), Fraction(0)) for row in gram]
    size = sum((c * u for c, u in zip(start, q, strict=True)), Fraction(off))
    return Neuron([number(u) for u in q], number(b), number(noise * noise * size), number(a)), size


def after_one(law, back, gram, start, off, b, s, noise, many, eta, a):
    """The neuron and its copy after one exact step."""
    first, size = started(gram, start, off, b, noise, a)
    found = coefficients(law, back, first, s, noise > 0)
    t, u = found.patterns, first.q
    K = number(noise) * found.noise / number(size).sqrt() if noise else arb(0)
    turned = [sum((number(g) * x for g, x in zip(row, t, strict=True)), arb(0)) for row in gram]
    squares = sum((x * y + 2 * K * x * v for x, y, v in zip(t, turned, u, strict=True)), arb(0))
    h = number(eta * a) / number(scale(law, back, gram, noise, many))
    variance = (number(noise * noise) * h * h * (squares + K * K * number(size))).nonnegative_part()
    both = []
    for sign in (1, -1):
        both.append(
            Neuron(
                [sign * h * (x + K * v) for x, v in zip(turned, u, strict=True)],
                number(b) + sign * number(eta * a) * found.bias,
                variance,
                sign * number(a) + number(eta) * found.read_out,
            )
        )
    return both


def pulling(law, back, both, s2, noisy):
    """Which inputs have y g^(1) <= 1. With noise the two read-outs must be too small for anything else."""
    if noisy:
        if not sum((abs(x.read_out) for x in both), arb(0)) <= 1:
            raise ValueError("read-outs above 1 in all")
        return None
    kept = []
    for y, _, f in deviations(law, back):
        g = sum((x.read_out * activation(argument(x, f), spread(x, s2)) for x in both), arb(0))
        kept.append(not y * g > 1)
    return kept


def second_step(
    law, back, gram, start, off, b, s, noise, many, eta, a, s2, indicator=True, weighted=True
):
    """The coefficients of the second step."""
    both = after_one(law, back, gram, start, off, b, s, noise, many, eta, a)
    kept = pulling(law, back, both, s2, noise > 0) if indicator else None
    return coefficients(law, back, both[0], s2, noise > 0, kept, weighted)


def missing(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    """E[alpha_y 1[y g^(1) > 1]]."""
    both = after_one(law, back, gram, start, off, b, s, noise, many, eta, a)
    kept = pulling(law, back, both, s2, noise > 0)
    if kept is None:
        return arb(0)
    rows = zip(deviations(law, back), kept, strict=True)
    return number(sum((c for (_, c, _), k in rows if not k), Fraction(0)))


def start_gate(b, s2):
    """beta = P[b + xi in (0, 1)], of the initial bias alone. Shape ()."""
    with ctx.workprec(PRECISION):
        return opened(number(b), number(s2))
