"""Lemma C.6 and Condition 4.8: a stationary pair certifies the maximum margin.

Setting. q* uniform on all inputs, tau* the class weights of `any_modulus` (uniform at odd p), theta* the network of
`any_modulus`; h the least margin over inputs, E g' the mean class-weighted margin under q*, tau*.

Statement. h(theta) <= E g'(theta) <= gamma* |theta|^{k+1} for every network. theta* maximises E g' and its
weighted wrong labels tie (Condition 4.8), so that both are equalities there, and theta* maximises h. Every
other maximiser of h has them as equalities too: its margin is gamma* at every input, and each neuron is a best
one (`neuron_form`).

Definition 4.5 and Eq. (C.1) print arg min for theta*; networks below gamma* exist (the zero network), so that arg max
is meant, as the sentence after the definition says.

Reference: Lemma C.6, Definition 4.5, Eq. (4.4), (C.1) (arXiv 2402.09469), after Morwani et al. 2024.
"""

from __future__ import annotations

from theorycheck import (
    at_least,
    at_most,
    claim,
    hypothesis,
    instances,
    integers,
    leg,
    odd_integers,
    theorem,
    variant,
)

from ._formula import gamma, gamma_any, k, p
from ._network import Network, any_modulus_network, class_weights, margins, norm_power
from ._neuron import normalised, upper_bound
from ._random_networks import each, random_network


def chain(ns, net, k, p):
    """h and E g' over |theta|^{k+1}. Shape (2,)."""
    gaps = margins(ns, net, k, p)
    mean = ns.mean(ns.matmul(gaps, class_weights(ns, k, p)))
    return ns.stack([ns.min(gaps), mean]) / norm_power(ns, net, k)


def random_chain(ns, u, w, k, p):
    return each(ns, lambda net: chain(ns, net, k, p), u, w)


def least_of_chain(ns, u, w, k, p):
    return random_chain(ns, u, w, k, p)[:, 0]


def mean_of_chain(ns, u, w, k, p):
    return random_chain(ns, u, w, k, p)[:, 1]


def least_of_label_means(ns, u, w, k, p):
    """The least over inputs of the mean over wrong labels, which is more than h where labels differ. Shape (B,)."""
    return each(
        ns,
        lambda net: ns.min(ns.mean(margins(ns, net, k, p), axis=1)) / norm_power(ns, net, k),
        u,
        w,
    )


def optimal_chain(ns, k, p):
    return chain(ns, any_modulus_network(ns, k, p), k, p)


def alternating_neuron(ns, k, p):
    """Even p, uniform weights: the neuron of alternating signs, for which Condition 4.8 fails. Shape (2,)."""
    wave = ns.asarray([(-1) ** x for x in range(p)])
    return ns.broadcast_to(normalised(ns, ns.stack([wave] * k), wave, k, p), (2,))


def certified(ns, k, p):
    return upper_bound(ns, k, p, class_weights(ns, k, p))


DUAL = theorem("weak duality", feasible="the class weights are a law on the wrong labels")
RANDOM = instances(random_network, "u w", smoke=10, standard=60)

certificate_claim = claim(
    "fourier-certificate",
    title="Max-min certificate of a max-margin network",
    lhs=r"\frac{h(\theta),\ \mathbb{E}\,g'(\theta)}{\|\theta\|_{2,k+1}^{k+1}}",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,D\,p^{(k-1)/2}},"
    r"\quad D=p-1\ (p\text{ odd}),\ p-2+2^{(1-k)/2}\ (p\text{ even})",
    says=r"$h(\theta)\le\mathbb{E}\,g'(\theta)\le\gamma^*\|\theta\|^{k+1}$ for every network, with "
    r"equality throughout where $\theta^*$ maximises the mean of $g'$ and its weighted wrong "
    "labels tie.",
    covers="theta-star-optimal",
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [{k: 2, p: 3}, {k: 2, p: 4}, {k: 2, p: 5}, {k: 3, p: 3}],
        "standard": [
            *[{k: 2, p: j} for j in (2, 3, 4, 5, 6, 7)],
            *[{k: 3, p: j} for j in (3, 4, 5)],
        ],
    },
    closed_form=gamma_any,
    legs=[
        leg("stationary pair", optimal_chain, gives="theta_star q_star"),
        leg("random networks", random_chain, instances=RANDOM, relation=at_most()),
        leg(
            "order",
            mean_of_chain,
            reference=least_of_chain,
            instances=RANDOM,
            relation=at_least(),
            lhs=r"\frac{\mathbb{E}\,g'(\theta)}{\|\theta\|^{k+1}}",
            tex=r"\frac{h(\theta)}{\|\theta\|^{k+1}}",
        ),
        leg("bound", certified, side="certificate", over="theta", lemma=DUAL),
    ],
    rivals=[
        variant("printed formula at even p", closed_form=gamma),
        variant("half of it", leg="stationary pair", closed_form=gamma_any / 2),
        variant("-gamma*", leg="random networks", closed_form=-gamma_any),
        variant(
            "h of the mean wrong output",
            leg="order",
            simulation=least_of_label_means,
            relation=at_most(),
            at=[{k: 2, p: 5}],
        ),
        variant("h >= E g'", leg="order", relation=at_most(), at=[{k: 2, p: 5}]),
    ],
    assumes=[
        hypothesis(
            "the weighted wrong labels tie (Condition 4.8)",
            without=[{k: 2, p: 4}],
            leg="stationary pair",
            simulation=alternating_neuron,
        ),
    ],
)

# ---------------------------------------------------------------- the printed arg min


def zero_network(ns, k, p):
    """Mean margin of the network whose parameters are all 0. Shape ()."""
    zero = Network(ns.zeros((1, k, p)), ns.zeros((1, p)))
    return ns.mean(margins(ns, zero, k, p))


argmin_misprint = claim(
    "fourier-certificate-argmin",
    title="The printed arg min is a misprint",
    lhs=r"\frac{\mathbb{E}\,g(\theta)}{\|\theta\|_{2,k+1}^{k+1}}",
    tex=r"\frac{\gamma^*}{100}",
    says=r"Some network of the unit ball has a mean margin below $\gamma^*$, so that the max-margin "
    "network does not minimise it.",
    states="fourier-certificate",
    role="derived",
    covers="argmin-printed",
    domain={k: integers(1), p: odd_integers(3)},
    grid={"smoke": {k: [1, 2, 3], p: [3, 5]}, "standard": {k: [1, 2, 3], p: [3, 5, 7, 9]}},
    closed_form=gamma / 100,
    relation=at_most(),
    legs=[leg("zero network", zero_network)],
    rivals=[variant("below -gamma*", closed_form=-gamma)],
)
