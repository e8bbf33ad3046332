"""Definition 4.6: the class-weighted margin.

Setting. tau(a) are weights on the wrong labels of input a, >= 0 and of sum 1;
g'(theta, a) = f(a)[s] - sum_c tau(a)[c] f(a)[c].

Statements. g <= g' at every input; equality exactly where every label with positive weight attains the largest wrong
output. For any distribution q of inputs and any weights, E_q g' is the sum over the neurons of their own means,
which E_q g is not from p = 3 on.

Reference: Definition 4.6, Condition 4.8 (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    counts,
    equals,
    instances,
    integers,
    leg,
    variant,
)

from ._formula import k, p
from ._network import margins
from ._random_networks import WIDTH, each, random_law, random_network, random_tau


def weighted(rng, k, p):
    """A network, weights ``tau`` of the wrong labels for every input, a distribution ``q`` of inputs."""
    return {
        **random_network(rng, k, p),
        "tau": random_tau(rng, k, p),
        "q": random_law(rng, p**k),
    }


def weighted_margins(ns, u, w, tau, k, p):
    """g' at every input. Shape (B, p**k)."""
    return each(ns, lambda net, t: ns.sum(t * margins(ns, net, k, p), axis=1), u, w, tau)


def plain_margins(ns, u, w, tau, k, p):
    return each(ns, lambda net: ns.min(margins(ns, net, k, p), axis=1), u, w)


def half_on_the_right_label(ns, u, w, tau, k, p):
    """Half of the weight on the right label, whose margin against itself is 0."""
    return weighted_margins(ns, u, w, tau, k, p) / 2


def mean_of_network(ns, u, w, tau, q, k, p):
    return ns.sum(q * weighted_margins(ns, u, w, tau, k, p), axis=1)


def sum_over_neurons(ns, u, w, tau, q, k, p):
    """Means of g' of the networks that consist of one neuron, added up."""
    alone = [(u[:, h : h + 1, ...], w[:, h : h + 1, ...]) for h in range(WIDTH)]
    return sum(mean_of_network(ns, *one, tau, q, k, p) for one in alone)


def plain_mean(ns, u, w, tau, q, k, p):
    return ns.sum(q * plain_margins(ns, u, w, tau, k, p), axis=1)


def plain_sum(ns, u, w, tau, q, k, p):
    alone = [(u[:, h : h + 1, ...], w[:, h : h + 1, ...]) for h in range(WIDTH)]
    return sum(plain_mean(ns, *one, tau, q, k, p) for one in alone)


def mean_under_uniform_weights(ns, u, w, tau, q, k, p):
    """E_q g' with 1/(p-1) for every tau."""
    return mean_of_network(ns, u, w, 0 * tau + ns.rational(1, p - 1), q, k, p)


def mean_under_uniform_inputs(ns, u, w, tau, q, k, p):
    return mean_of_network(ns, u, w, tau, 0 * q + ns.rational(1, p**k), k, p)


WEIGHTED = instances(weighted, "u w tau q", smoke=3, standard=10)

class_weighted_order = claim(
    "fourier-class-weighted-order",
    title="Class-weighted margin dominates the margin",
    says=r"For any weights on the wrong labels $g \le g'$ at every input, and for any distribution the "
    "mean of $g'$ is the sum over the neurons of their own.",
    covers="order splits-over-neurons",
    reads={"theta": "u w"},
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [{k: 1, p: 3}, {k: 2, p: 3}, {k: 3, p: 3}, {k: 2, p: 4}],
        "standard": [{k: i, p: j} for i in (1, 2, 3) for j in (2, 3, 4, 5)] + [{k: 4, p: 3}],
    },
    relation=at_least(),
    legs=[
        leg(
            "order",
            weighted_margins,
            reference=plain_margins,
            arithmetic="rational",
            instances=WEIGHTED,
            covers="order",
            inside="x y",
            lhs=r"g'(\theta,x,y)",
            tex=r"g(\theta,x,y)",
        ),
        leg(
            "sum over neurons",
            mean_of_network,
            reference=sum_over_neurons,
            arithmetic="rational",
            relation=equals(),
            instances=WEIGHTED,
            covers="splits-over-neurons",
            lhs=r"\mathbb{E}_q\,g'(\theta)",
            tex=r"\sum_h\mathbb{E}_q\,\psi'(\theta_h)",
        ),
    ],
    rivals=[
        variant("g' <= g", relation=at_most(), at=[{k: 2, p: 3}]),
        variant("weight on the right label", simulation=half_on_the_right_label, at=[{k: 2, p: 5}]),
        variant(
            "uniform weights",
            leg="sum over neurons",
            simulation=mean_under_uniform_weights,
            at=[{k: 2, p: 3}],
        ),
        variant(
            "uniform inputs",
            leg="sum over neurons",
            simulation=mean_under_uniform_inputs,
            at=[{k: 2, p: 3}],
        ),
        variant(
            "the mean of g splits",
            leg="sum over neurons",
            simulation=plain_mean,
            reference=plain_sum,
            at=[{k: 2, p: 3}],
        ),
    ],
)

# ---------------------------------------------------------------- equality


def labelled(rng, p):
    """Outputs ``f`` of the p - 1 wrong labels, small integers so that ties occur, and weights ``tau``."""
    f = [int(v) for v in rng.integers(0, 3, (p - 1,))]
    tau = random_law(rng, p - 1)
    if int(
        rng.integers(0, 2)
    ):  # half of the time the weights are put on labels that attain the maximum
        tau = [t if v == max(f) else Fraction(0) for t, v in zip(tau, f, strict=True)]
        total = sum(tau)
        tau = [
            t / total if total else Fraction(int(v == max(f)), f.count(max(f)))
            for t, v in zip(tau, f, strict=True)
        ]
    return {"f": f, "tau": tau}


def equal_exactly(f, tau, p):
    """Whether g' = g and whether the weighted labels attain the maximum agree, 1 or 0."""
    same = sum(t * v for t, v in zip(tau, f, strict=True)) == max(f)
    attained = all(v == max(f) for t, v in zip(tau, f, strict=True) if t)
    return int(same == attained)


def some_label_attains(f, tau, p):
    same = sum(t * v for t, v in zip(tau, f, strict=True)) == max(f)
    return int(same == any(v == max(f) for t, v in zip(tau, f, strict=True) if t))


equality_case = claim(
    "fourier-class-weighted-equality",
    lhs=r"\mathbf{1}\big[g'=g\iff\operatorname{supp}\tau\subseteq\operatorname{arg\,max}_{y'\ne y}f[y']"
    r"\big]",
    states=["fourier-class-weighted-order", "fourier-certificate"],
    title="When the two margins agree",
    says="$g' = g$ at a point exactly if every wrong label with positive weight attains the largest "
    "wrong output.",
    covers="fourier-class-weighted-order/equality-case fourier-certificate/condition-equivalence",
    domain={p: integers(2)},
    grid={"smoke": {p: [2, 3, 5]}, "standard": {p: [2, 3, 4, 5, 7, 11]}},
    closed_form=sp.Integer(1),
    relation=counts(),
    legs=[
        leg(
            "laws with ties and zeros",
            equal_exactly,
            instances=instances(labelled, "f tau", smoke=40, standard=200),
        )
    ],
    rivals=[variant("some label with positive weight attains it", simulation=some_label_attains)],
)
