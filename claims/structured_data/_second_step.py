"""Shared model of the second gradient step: one exact first step, then its coefficients by counts.

As in the first step, weights are in units of sigma~ and the coefficients are sigma~ T_j. With h = eta a/sigma~^2 the
weights after the first step are h (sigma~ T^(1)), the bias b + h sigma~^2 T_b^(1); the copy has -a.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

from flint import arb, ctx

from ._balls import BITS, number
from ._first_step import background_part, bias_part, covariance, means, relevant_part, shifts
from .network_gradients import activation


def variance(law, rest, p):
    """sigma~^2."""
    own = sum((m * (1 - m) for m in means(law)), Fraction(0))
    return own + p * (1 - p) * sum(c for _, c in rest)


def tilted(z, s):
    """E sigma(z + xi) of a ball z."""
    return activation(z, number(s))


def gate(z, s):
    """P[z + xi in (0, 1)] of a ball z."""
    scale = number(s) * arb(2).sqrt()
    return ((z / scale).erf() + ((1 - z) / scale).erf()) / 2


def first_read_out(law, own, rest, b, p, s):
    """T_a of the first step, s > 0."""
    total = arb(0)
    for t, y, c, v, m in (
        (t, y, c, v, m) for t, _, y, c in shifts(law, own) for v, m in sums(rest, p)
    ):
        total += number(y * c * m) * tilted(number(t + v + b), s)
    return total


def sums(rest, p):
    """Values and chances of the sum of u_l (phi~_l - p), by numbers of active patterns in the groups."""
    for active, chance in counted(rest, p):
        yield (
            sum((u * (n - c * p) for (u, c), n in zip(rest, active, strict=True)), Fraction(0)),
            chance,
        )


def counted(rest, p):
    """Numbers of active patterns in the groups with their chance."""
    for active in itertools.product(*(range(c + 1) for _, c in rest)):
        chance = Fraction(1)
        for (_, c), n in zip(rest, active, strict=True):
            chance *= comb(c, n) * p**n * (1 - p) ** (c - n)
        yield active, chance


def after_one(law, own, rest, b, p, s, eta, a):
    """Weights on A and by groups of the background, and the bias, after one exact step."""
    h = number(eta * a) / number(variance(law, rest, p))
    return (
        [h * t for t in relevant_part(law, own, rest, b, p, s)],
        [h * t for t in background_part(law, own, rest, b, p, s)],
        number(b) + number(eta * a) * bias_part(law, own, rest, b, p, s),
    )


def inputs(law, rest, p):
    """Patterns, label, numbers of active background patterns and chance of every input."""
    for bits, y, c in law:
        for active, m in counted(rest, p):
            yield bits, y, active, c * m


def moved_by(mu, on, off, rest, p, bits, active):
    """<q, phi> and its relevant part."""
    relevant = sum((u * number(f - m) for u, f, m in zip(on, bits, mu, strict=True)), arb(0))
    rows = zip(off, active, rest, strict=True)
    return sum((u * number(n - c * p) for u, n, (_, c) in rows), relevant), relevant


def outputs(law, own, rest, b, p, s, eta, a):
    """Every input with g^(1) there, for one neuron and its copy, and the arguments of both."""
    steps = [after_one(law, own, rest, b, p, s, eta, sign * a) for sign in (1, -1)]
    more, mu = number(eta) * first_read_out(law, own, rest, b, p, s), means(law)
    for bits, y, active, c in inputs(law, rest, p):
        z = [moved_by(mu, on, off, rest, p, bits, active)[0] + b1 for on, off, b1 in steps]
        g = (number(a) + more) * tilted(z[0], s) + (more - number(a)) * tilted(z[1], s)
        yield bits, y, active, c, g, z


def bad_chance(law, own, rest, b, p, s, eta, a):
    """Pr[y g^(1) > 1]. Shape ()."""
    with ctx.workprec(BITS):
        found = Fraction(0)
        for _, y, _, c, g, _ in outputs(law, own, rest, b, p, s, eta, a):
            found += c * bool(y * g > 1)
        return number(found)


def second_step(law, own, rest, b, p, s, eta, a, indicator=True):
    """sigma~ T_j on A, off A by groups, T_b and T_a of the second step: minus the hinge's gradient over a^(1), and
    over 1 for the read-out. Shapes (k,), (groups,), (), ()."""
    mu = means(law)
    on, off = [arb(0)] * len(mu), [arb(0)] * len(rest)
    bias, read_out = arb(0), arb(0)
    for bits, y, active, c, g, z in outputs(law, own, rest, b, p, s, eta, a):
        if indicator and y * g > 1:
            continue
        opened, weight = gate(z[0], s), number(y * c)
        on = [t + weight * opened * number(f - m) for t, f, m in zip(on, bits, mu, strict=True)]
        rows = zip(off, active, rest, strict=True)
        off = [t + weight * opened * number(Fraction(n, count) - p) for t, n, (_, count) in rows]
        bias += weight * opened
        read_out += weight * tilted(z[0], s)
    return on, off, bias, read_out


def start_gate(b, s):
    """beta = P[b + xi in (0, 1)], of the initial bias alone. Shape ()."""
    with ctx.workprec(BITS):
        return gate(number(b), s)


def reach(law, on):
    """Most that the relevant part can be: the sum of |u_l| max(mu_l, 1 - mu_l)."""
    return sum(
        (abs(u) * number(max(m, 1 - m)) for u, m in zip(on, means(law), strict=True)), arb(0)
    )


def spread(off, rest, p):
    """Deviation of the background part. A ball around 0 times itself reaches below 0, where the variance is not."""
    rows = zip(off, rest, strict=True)
    variance_of_it = sum((number(c * p * (1 - p)) * u * u for u, (_, c) in rows), arb(0))
    return variance_of_it.nonnegative_part().sqrt()


def lead(law, b, s):
    return number(covariance(law)) * start_gate(b, s)
