"""Theorem 4.9 (ii) = C.22 (ii): every neuron of a maximum-margin network is one frequency.

Statement (k >= 2, p odd). At any maximiser every neuron with |theta_h| > 0 is a family of cosines of one
frequency with equal amplitudes and phases theta_1 + .. + theta_k = theta_w.

Evidence. A bound on *every* network from which the statement follows: with t_h(j) the share of neuron h's
power at frequency j and |theta_h|^{k+1} its weight, the chain of `reduction` gives

    normalised margin <= gamma* mean_h max_j t_h(j)^{(k-1)/2},
    normalised margin <= gamma* mean_h (k+1)^{(k+1)/2} |u_{h,1}| .. |u_{h,k}| |w_h| / |theta_h|^{k+1},

so a margin of gamma* forces t = 1 and equal norms. How much a neuron with a wrong phase or with two
frequencies loses is known exactly, too.

At k = 1 (which "some integer k" of the main text includes) the statement is false: two frequencies share
a neuron at no loss.

Reference: Theorems 4.9, C.22 (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import (
    BallNamespace,
    at_most,
    claim,
    instances,
    integers,
    leg,
    odd_integers,
    variant,
)

from ._formula import gamma, k, p
from ._network import Network, cosine_network, neuron_norms, smallest_margin, source_design
from ._neuron import cosine_neurons, frequency_norms, normalised, optimal_phases
from ._training import exactly, train

share, balance = sp.symbols("share balance", positive=True)
delta, t = sp.symbols("delta t", real=True)


def weights(ns, net, k):
    """|theta_h|^{k+1} over their sum. Shape (m,)."""
    power = ns.power(neuron_norms(ns, net), k + 1, 2)
    return power / ns.sum(power)


def measures(ns, net, k, p):
    """Normalised margin (twice), weighted concentration on one frequency, weighted equality of norms."""
    mass = weights(ns, net, k)
    top = ns.max(frequency_norms(ns, net.u, net.w), axis=-1)
    lengths = ns.prod(ns.norm(net.u, axis=-1), axis=-1) * ns.norm(net.w, axis=-1)
    even = lengths / ns.power(neuron_norms(ns, net) / (k + 1), k + 1, 2)
    margin = smallest_margin(ns, net, k, p)
    return {
        "value": ns.stack([margin, margin]),
        "share": ns.sum(mass * top ** (k - 1)),
        "balance": ns.sum(mass * even),
    }


def constructed(ns, k, p):
    """The source's network: both bounds are attained."""
    return measures(ns, cosine_network(ns, source_design(k, p), p), k, p)


def noise(k, p, size):
    """Fixed integers between -3 and 3 for every parameter of the source's network, over 3 size."""
    m = len(source_design(k, p))
    rng = np.random.default_rng([k, p, size])
    drawn = rng.integers(-3, 4, size=(m, k + 1, p))
    return [[[Fraction(int(v), 3 * size) for v in row] for row in rows] for rows in drawn]


def perturbed_by(ns, k, p, size):
    net = cosine_network(ns, source_design(k, p), p)
    extra = ns.asarray(noise(k, p, size))
    return measures(ns, Network(net.u + extra[:, :k, :], net.w + extra[:, k, :]), k, p)


def perturbed(ns, k, p):
    """Noise of a twentieth of the amplitude on every parameter."""
    return perturbed_by(ns, k, p, 20)


def slightly_perturbed(ns, k, p):
    return perturbed_by(ns, k, p, 1000)


def trained(k, p):
    """A network trained with the source's width from a Gaussian start, measured in balls."""
    net = train(k, p, len(source_design(k, p)), [0.1, 0.03], seed=0)
    ns = BallNamespace(128)
    with ns.working():
        seen = measures(ns, exactly(ns, net), k, p)
        return {name: list(value.data.reshape(-1)) for name, value in seen.items()}


neuron_form = claim(
    "fourier-neuron-form",
    title="Every neuron of a maximum-margin network is one frequency",
    says="A network's normalised margin is at most gamma* times the weighted concentration of its "
    "neurons' power on one frequency, and gamma* times the weighted equality of their k + 1 norms; so "
    "at a maximiser every neuron is one frequency with equal amplitudes.",
    domain={k: integers(2), p: odd_integers(3)},
    grid={"smoke": [{k: 2, p: 5}], "standard": [{k: 2, p: 5}, {k: 2, p: 7}, {k: 3, p: 5}]},
    closed_form=sp.Matrix([gamma * share, gamma * balance]),
    relation=at_most(),
    legs=[
        leg("constructed", constructed, observed=[share, balance]),
        leg("perturbed", perturbed, observed=[share, balance]),
        leg("slightly perturbed", slightly_perturbed, observed=[share, balance]),
        leg(
            "trained",
            trained,
            observed=[share, balance],
            arithmetic="external",
            error=0,
            model="float64 training; the network found is measured in balls",
            grid={"smoke": [{k: 2, p: 3}], "standard": [{k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}]},
            required=False,
        ),
    ],
    rivals=[
        variant("1/100 lower", leg="slightly perturbed",
                closed_form=sp.Matrix([99 * gamma * share / 100, 99 * gamma * balance / 100])),
        variant("p for p - 1", closed_form=sp.Matrix([gamma * share, gamma * balance]) * (p - 1) / p),
    ],
)  # fmt: skip

# ---------------------------------------------------------------- near misses, exactly


def defective(rng, k, p):
    """An optimal neuron whose w is turned by delta (radians)."""
    return {**optimal_phases(rng, k, p), "delta": rng.rational((), 7)}


def with_defect(ns, k, p, zeta, turns, out, delta):
    u, w = cosine_neurons(ns, p, zeta, turns, out)
    quarter = ns.rational(1, 4)
    _, turned = cosine_neurons(ns, p, zeta, turns, out + quarter)  # minus the sine
    c, s = (ns.expand_dims(f(delta), axis=-1) for f in (ns.cos, ns.sin))
    return normalised(ns, u, c * w + s * turned, k, p)


def split(rng, k, p):
    """Two optimal neurons of different frequencies and the share t of the first."""
    first, second = rng.permutation((p - 1) // 2)[:2] + 1
    both = [optimal_phases(rng, k, p) for _ in range(2)]
    return {
        "zeta": int(first), "zeta2": int(second), "t": Fraction(int(rng.integers(1, 10)), 10),
        "turns": both[0]["turns"], "out": both[0]["out"],
        "turns2": both[1]["turns"], "out2": both[1]["out"],
    }  # fmt: skip


def two_frequencies(ns, k, p, zeta, turns, out, zeta2, turns2, out2, t):
    u1, w1 = cosine_neurons(ns, p, zeta, turns, out)
    u2, w2 = cosine_neurons(ns, p, zeta2, turns2, out2)
    a, b = (ns.expand_dims(ns.sqrt(x), axis=-1) for x in (t, 1 - t))
    a3, b3 = ns.expand_dims(a, axis=-1), ns.expand_dims(b, axis=-1)
    return normalised(ns, a3 * u1 + b3 * u2, a * w1 + b * w2, k, p)


def halves(ns, k, p):
    """Equal power at frequencies 1 and 2, all phases 0. Shape (1,)."""
    zero = ns.asarray([[0] * k]), ns.asarray([0])
    u1, w1 = cosine_neurons(ns, p, ns.asarray([1]), *zero)
    u2, w2 = cosine_neurons(ns, p, ns.asarray([2]), *zero)
    return normalised(ns, u1 + u2, w1 + w2, k, p)


NEAR = {
    "smoke": [{k: 1, p: 5}, {k: 2, p: 5}, {k: 3, p: 7}],
    "standard": [{k: i, p: j} for i in (1, 2, 3) for j in (5, 7, 9)] + [{k: 4, p: 5}],
}
DEFECT = instances(defective, "zeta turns out delta", smoke=4, standard=10)
SPLIT = instances(split, "zeta turns out zeta2 turns2 out2 t", smoke=4, standard=10)

near_misses = claim(
    "fourier-neuron-near-misses",
    lhs=r"J(\theta)",
    title="What a wrong phase or a second frequency costs",
    says="A unit neuron with phase defect delta has J = gamma* cos(delta); one whose power is shared "
    "t : 1-t by two frequencies has J = gamma* (t^((k+1)/2) + (1-t)^((k+1)/2)).",
    states="fourier-neuron-form",
    role="derived",
    domain={k: integers(1), p: odd_integers(5)},
    grid=NEAR,
    closed_form=gamma * sp.cos(delta),
    legs=[
        leg("phase defect", with_defect, instances=DEFECT, unit=gamma),
        leg("two frequencies", two_frequencies, instances=SPLIT,
            closed_form=gamma * (t ** ((k + 1) / 2) + (1 - t) ** ((k + 1) / 2))),
    ],
    rivals=[
        variant("no loss by the phase", closed_form=gamma),
        variant("1 - delta^2/2", closed_form=gamma * (1 - delta**2 / 2)),
        variant("linear in t", leg="two frequencies", closed_form=gamma),
        variant("exponent k/2", leg="two frequencies",
                closed_form=gamma * (t ** (k / 2) + (1 - t) ** (k / 2))),
    ],
)  # fmt: skip

HALVES = {
    "states": "fourier-neuron-form",
    "role": "reading",
    "encodes": "part",
    "closed_form": gamma / sp.sqrt(2),
    "relation": at_most(),
    "legs": [leg("halves", halves)],
    "rivals": [variant("half of it", closed_form=gamma / 4)],
}

halves_any_k = claim(
    "fourier-neuron-form-every-k",
    lhs=r"J(\theta)",
    tex=r"\gamma^*/\sqrt2",
    title="One frequency a neuron, read for every k >= 1",
    says="For every k >= 1 a neuron that shares its power equally between two frequencies has at most "
    "gamma*/sqrt(2), so no maximiser has one.",
    expect="fail",
    domain={k: integers(1), p: odd_integers(5)},
    grid={"smoke": {k: [1, 2, 3], p: [5, 7]}},
    **HALVES,
)

halves_from_two = claim(
    "fourier-neuron-form-k-from-2",
    lhs=r"J(\theta)",
    tex=r"\gamma^*/\sqrt2",
    title="One frequency a neuron, read for k >= 2",
    says="For every k >= 2 a neuron that shares its power equally between two frequencies has at most "
    "gamma*/sqrt(2).",
    domain={k: integers(2), p: odd_integers(5)},
    grid={"smoke": {k: [2, 3], p: [5, 7]}, "standard": {k: [2, 3, 4], p: [5, 7, 9]}},
    **HALVES,
)
