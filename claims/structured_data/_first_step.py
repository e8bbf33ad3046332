"""Shared model of the first gradient step: its coefficients by the exact law of the background sum.

Weights are in units of sigma~: u_l = q_l/sigma~, so that <phi, q> is the sum of u_l (phi~_l - E phi~_l), and the
coefficients are sigma~ T_j. A law is a list of (relevant pattern, label, chance), balanced and with one covariance.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

from flint import arb, ctx

from ._balls import BITS, number
from .network_gradients import opened

KAPPA = Fraction(28, 25)  # twice the constant of Berry and Esseen's inequality


def background_sum(rest, p):
    """Law of the sum of u_l (phi~_l - p) over groups (u, count) of independent Bernoulli(p): value -> chance."""
    found = {Fraction(0): Fraction(1)}
    for u, count in rest:
        row = [Fraction(0)] * (count + 1)
        chance = (1 - p) ** count
        for active in range(count + 1):
            row[active] = chance
            chance = chance * p * (count - active) / ((1 - p) * (active + 1))
        after: dict[Fraction, Fraction] = {}
        for value, mass in found.items():
            for active, chance in enumerate(row):
                at = value + u * (active - count * p)
                after[at] = after.get(at, Fraction(0)) + mass * chance
        found = after
    return found


def open_chance(law_of_sum, at, s):
    """P[at + sum + xi in (0, 1)]."""
    if s == 0:
        return number(sum((m for v, m in law_of_sum.items() if 0 < at + v < 1), Fraction(0)))
    return sum((number(m) * opened(at + v, s) for v, m in law_of_sum.items()), arb(0))


def activity(rest, b, p, s):
    """beta: how often a neuron that sees the background alone is active. Shape ()."""
    with ctx.workprec(BITS):
        return open_chance(background_sum(rest, p), b, s)


def means(law):
    """E phi~_j of the relevant patterns."""
    return [sum((c * bits[j] for bits, _, c in law), Fraction(0)) for j in range(len(law[0][0]))]


def covariance(law):
    """gamma = E[y phi~_j], the same for every j."""
    return sum((y * c * bits[0] for bits, y, c in law), Fraction(0))


def shifts(law, own):
    """The relevant part of the argument, pattern by pattern, beside pattern, label and chance."""
    mu = means(law)
    for bits, y, c in law:
        t = sum((u * (bit - m) for u, bit, m in zip(own, bits, mu, strict=True)), Fraction(0))
        yield t, bits, y, c


def relevant_part(law, own, rest, b, p, s):
    """sigma~ T_j of the relevant patterns. Shape (k,)."""
    with ctx.workprec(BITS):
        total, mu = background_sum(rest, p), means(law)
        rows = [
            (number(y * c) * open_chance(total, t + b, s), bits)
            for t, bits, y, c in shifts(law, own)
        ]
        return [
            sum((v * number(bits[j] - m) for v, bits in rows), arb(0)) for j, m in enumerate(mu)
        ]


def without(rest, group):
    """The groups less one pattern of a group."""
    return [(u, count - (g == group)) for g, (u, count) in enumerate(rest) if count > (g == group)]


def background_part(law, own, rest, b, p, s):
    """sigma~ T_j of one background pattern of each group. Shape (groups,)."""
    with ctx.workprec(BITS):
        out = []
        for group, (u, _) in enumerate(rest):
            others, value = background_sum(without(rest, group), p), arb(0)
            for t, _, y, c in shifts(law, own):
                on, off = (open_chance(others, t + b + u * (bit - p), s) for bit in (1, 0))
                value += number(y * c * p * (1 - p)) * (on - off)
            out.append(value)
        return out


def bias_part(law, own, rest, b, p, s):
    """T_b. Shape ()."""
    with ctx.workprec(BITS):
        total = background_sum(rest, p)
        return sum(
            (number(y * c) * open_chance(total, t + b, s) for t, _, y, c in shifts(law, own)),
            arb(0),
        )


def moved(own, rest, p, spread=1, shape=1):
    """How much the relevant part changes the chance of an interval: |u_A|_1/(sqrt(2 pi) S) + 2 C_0 (sum of third
    moments)/S^3, S^2 = p (1 - p) |u_-A|^2."""
    r = number(p * (1 - p)).sqrt()
    squares = number(sum((c * u * u for u, c in rest), Fraction(0)))
    cubes = number(sum((c * abs(u) ** 3 for u, c in rest), Fraction(0)))
    size = number(sum((abs(u) for u in own), Fraction(0)))
    return number(spread) * size / ((2 * arb.pi()).sqrt() * r * squares.sqrt()) + number(
        shape
    ) * number(KAPPA * (p * p + (1 - p) * (1 - p))) * cubes / (r * squares**1.5)


def of_labels(rng, k):
    """Random weights of all patterns for a random set of counts with k in it, each class with weight 1/2, made
    invariant under rotations of the patterns and mixed with the two constant patterns: gamma > 0, not exchangeable."""
    positive = {k} | {c for c in range(1, k) if int(rng.integers(0, 2))}
    patterns = list(itertools.product((0, 1), repeat=k))
    weight = dict.fromkeys(patterns, Fraction(0))
    for bits in patterns:
        w = Fraction(int(rng.integers(1, 9)))
        for turn in range(k):
            weight[bits[turn:] + bits[:turn]] += w
    label = {bits: 1 if sum(bits) in positive else -1 for bits in patterns}
    mass = {y: sum((w for f, w in weight.items() if label[f] == y), Fraction(0)) for y in (1, -1)}
    share = Fraction(int(rng.integers(0, 4)), 8)
    law = {f: share * w / (2 * mass[label[f]]) for f, w in weight.items()}
    for f in ((0,) * k, (1,) * k):
        law[f] += (1 - share) / 2
    return [(f, label[f], c) for f, c in law.items() if c]


def generic(rng):
    """A member with up to four relevant patterns and a neuron without any pattern, smoothed or not."""
    k = int(rng.integers(1, 5))
    u = [v + Fraction(1, 9) * (v == 0) for v in rng.rational((int(rng.integers(2, 6)),), 4)]
    return {
        "law": of_labels(rng, k),
        "own": list(rng.rational((k,), 4)),
        "rest": [(v, 1) for v in u],
        "b": Fraction(int(rng.integers(-4, 9)), 8),
        "p": Fraction(int(rng.integers(1, 9)), 16),
        "s": Fraction(int(rng.integers(0, 3)), 8),
    }


def even(count, p, size, at, u=1, s=0, k=1, law=None):
    """Equal weights outside of A, relevant ones of this size, the bias so that the threshold is at ``at`` patterns."""
    fair = law or [((0,) * k, -1, Fraction(1, 2)), ((1,) * k, 1, Fraction(1, 2))]
    unit = Fraction(1, 4 * count)
    return {
        "law": fair,
        "own": [size * unit] * k,
        "rest": [(u * unit, count)],
        "b": -u * unit * (at - count * p),
        "p": p,
        "s": Fraction(s),
    }


def normal_tail(x):
    """Q(x)."""
    return (x / arb(2).sqrt()).erfc() / 2


def spread_and_shape(rest, p, s=0):
    """Deviation of the background sum with xi, and Berry and Esseen's bound without it: 0.56 R/S^3."""
    own = number(p * (1 - p)) * number(sum((c * u * u for u, c in rest), Fraction(0)))
    return (own + number(s) ** 2).sqrt(), moved([], rest, p) / 2


def edge_neuron(k, count, p, size, side, s=0):
    """Equal weights q = +-size/k in units of sigma~, where the relevant patterns are fair: sigma~^2 = k/4 + count p
    (1 - p); the bias at ``side`` thousandths of 1/k."""
    scale = number(Fraction(k, 4) + count * p * (1 - p)).sqrt()
    u = Fraction(int(float(number(size) / scale) * 10**6), 10**6) / k
    return {
        "rest": [(u, count)],
        "b": Fraction(side, 1000 * k),
        "p": p,
        "s": Fraction(s) / k,
        "theta": u * int(count**0.5) / 2,
    }
