"""Eq. 4.3: the margin as a game against distributions of inputs.

Setting. g(theta, a) = f(a)[s] - max_{c != s} f(a)[c], s the label of a; D a finite set of inputs.

Statement. min over D of g equals the least mean E_q g over distributions q on D: a mean of numbers is at least
their least, and point masses are distributions. Hence gamma* = max over networks of min over q of E_q g.

Reference: Eq. (4.3) (arXiv 2402.09469).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    attained,
    certificate,
    claim,
    instances,
    integers,
    leg,
    maximises,
    variant,
)

from ._formula import gamma, gamma_any, k, p
from ._network import Network, any_modulus_network, class_weights, margins, norm_power
from ._neuron import upper_bound
from ._random_networks import each, random_law, random_network

least = sp.Symbol("least", real=True)
POINTS = 6
"""Inputs of a drawn data set, repetitions allowed."""


def game(rng, k, p):
    """A network; a data set ``D`` as rows that select one input each; a distribution ``q`` on it."""
    drawn = [int(v) for v in rng.integers(0, p**k, (POINTS,))]
    rows = [[int(a == b) for b in range(p**k)] for a in drawn]
    return {**random_network(rng, k, p), "D": rows, "q": random_law(rng, POINTS)}


def rows_select_inputs(D):
    """One 1 in each row, else 0."""
    return all(sorted(row) == [0] * (len(row) - 1) + [1] for row in D)


def distribution(q):
    """No weight is negative, and they sum to 1."""
    return min(q) >= 0 and sum(q) == 1


def on_data(ns, u, w, D, k, p):
    """g at the points of every instance's data set. Shape (B, POINTS)."""
    return each(
        ns, lambda net, rows: ns.matmul(rows, ns.min(margins(ns, net, k, p), axis=1)), u, w, D
    )


def with_least(ns, u, w, D, k, p, value):
    """The value, and the least margin over the data set beside it."""
    return {"value": value, "least": ns.min(on_data(ns, u, w, D, k, p), axis=1)}


def best_distribution(ns, u, w, D, k, p):
    """Least mean over the laws of two halves: the point masses, and what lies midway between two of them."""
    halves = ns.eye(POINTS) * ns.rational(1, 2)
    laws = ns.expand_dims(halves, axis=2) + ns.expand_dims(halves, axis=1)
    means = ns.matmul(on_data(ns, u, w, D, k, p), ns.reshape(laws, (POINTS, POINTS**2)))
    return with_least(ns, u, w, D, k, p, ns.min(means, axis=1))


def mean_margin(ns, u, w, D, q, k, p):
    """E_q g under the drawn distribution."""
    return with_least(ns, u, w, D, k, p, ns.sum(q * on_data(ns, u, w, D, k, p), axis=1))


def worst_distribution(ns, u, w, D, k, p):
    return with_least(ns, u, w, D, k, p, ns.max(on_data(ns, u, w, D, k, p), axis=1))


def over_all_inputs(ns, u, w, D, k, p):
    """The least over all inputs in place of the data set."""
    every = each(ns, lambda net: ns.min(margins(ns, net, k, p)), u, w)
    return with_least(ns, u, w, D, k, p, every)


GAME = instances(game, "u w D q", where=[rows_select_inputs, distribution], smoke=3, standard=20)
GRID = {
    "smoke": [{k: 2, p: 3}, {k: 1, p: 5}],
    "standard": [{k: 1, p: 3}, {k: 2, p: 2}, {k: 2, p: 4}, {k: 3, p: 3}],
}

minimax_margin = claim(
    "fourier-minimax-margin",
    title="Margin as a game",
    says="For every network and every finite data set the least margin over points equals the least mean margin "
    "over distributions.",
    covers="min-over-laws",
    reads={"theta": "u w"},
    domain={k: integers(1), p: integers(2)},
    grid=GRID,
    closed_form=least,
    legs=[
        leg(
            "vertices",
            best_distribution,
            arithmetic="rational",
            instances=GAME,
            observed=[least],
            lhs=r"\min_q\mathbb{E}_q\,g(\theta)",
            tex=r"\min_{(x,y)\in D}g(\theta,x,y)",
        ),
        leg(
            "distributions",
            mean_margin,
            arithmetic="rational",
            instances=GAME,
            observed=[least],
            relation=at_least(),
            lhs=r"\mathbb{E}_q\,g(\theta)",
            tex=r"\min_{(x,y)\in D}g(\theta,x,y)",
        ),
    ],
    rivals=[
        variant("largest over distributions", simulation=worst_distribution),
        variant("a drawn distribution", simulation=mean_margin),
        variant(
            "all inputs for the data set",
            leg="vertices",
            simulation=over_all_inputs,
            at=[{k: 2, p: 7}],
        ),
        variant("means at most the least", leg="distributions", relation=at_most()),
    ],
)


def game_value(ns, k, p):
    """Least mean margin over point masses of the best network; of norm 1."""
    net = any_modulus_network(ns, k, p)
    return ns.min(margins(ns, net, k, p)) / norm_power(ns, net, k)


def one_neuron_less(ns, k, p):
    net = any_modulus_network(ns, k, p)
    rest = Network(net.u[1:, ...], net.w[1:, ...])
    return ns.min(margins(ns, rest, k, p)) / norm_power(ns, rest, k)


def bound(ns, k, p):
    """What the mean margin under uniform inputs exceeds for no network."""
    return upper_bound(ns, k, p, class_weights(ns, k, p))


value = claim(
    "fourier-minimax-value",
    lhs=r"\min_q\mathbb{E}_q\,g(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,D\,p^{(k-1)/2}},"
    r"\quad D=p-1\ (p\text{ odd}),\ p-2+2^{(1-k)/2}\ (p\text{ even})",
    states="fourier-minimax-margin",
    title="The maximum margin as the value of the game",
    says="The maximum margin is the largest, over networks, of the least mean margin over distributions.",
    covers="value",
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [{k: 1, p: 3}, {k: 2, p: 3}, {k: 2, p: 4}],
        "standard": {k: [1, 2, 3], p: [2, 3, 4, 5]},
    },
    closed_form=gamma_any,
    relation=maximises(),
    legs=[attained(game_value), certificate(bound)],
    rivals=[
        variant("the printed formula at every p", closed_form=gamma),
        variant("half of it", closed_form=gamma_any / 2),
        variant("one neuron less", leg="attained", simulation=one_neuron_less, at=[{k: 2, p: 3}]),
    ],
)
