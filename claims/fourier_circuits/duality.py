"""From networks to neurons: margins as games, class weights, the max-min certificate.

Setting. g(theta, a) = f[s] - max_{c != s} f[c], h = min_a g, and for weights tau of the wrong labels
g'(theta, a) = f[s] - sum tau[c] f[c]; f(alpha theta) = alpha^nu f(theta) with nu = k + 1.

Statements.
- Section 4.3.3: nu = k + 1.
- Eq. 4.3: the least margin over inputs is the least mean margin over distributions of inputs.
- Definition 4.6: g <= g', and the mean of g' is a sum over neurons.
- Lemma C.5: with the norm L_{2,nu} the best mean of g' of a network is that of a neuron, attained by every
  family alpha_h theta_h* with sum alpha_h^nu = 1. (That the outer exponent b equals nu is not said, and
  nu is printed as gamma. For other b the best value grows or the family is too long.)
- Lemma C.6: h <= E g' <= gamma* |theta|^{k+1}, with equality at a stationary pair that fulfils
  Condition 4.8. (Definition 4.5 prints arg min where theta* maximises.)

Reference: arXiv 2402.09469, section 4.3 and appendix C.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    attained,
    certificate,
    claim,
    equals,
    hypothesis,
    instances,
    integers,
    leg,
    maximises,
    odd_integers,
    variant,
)

from ._formula import gamma, gamma_any, k, p
from ._network import (
    Network,
    any_modulus_network,
    by_shift,
    class_weights,
    cosine_network,
    margins,
    norm_power,
    outputs,
    scaled,
    source_design,
)
from ._neuron import normalised, objective, upper_bound

alpha, least = sp.symbols("alpha least", real=True)
b, m = sp.symbols("b m", integer=True, positive=True)
WIDTH = 3
"""Neurons of the random networks; nothing in these statements depends on it."""


def random_network(rng, k, p):
    """Three neurons with small rational entries."""
    return {"u": rng.rational((WIDTH, k, p), 3), "w": rng.rational((WIDTH, p), 3)}


def each(ns, function, u, w, *more):
    """The function of every instance's network, stacked along a first axis."""
    rows = range(u.shape[0])
    nets = (Network(u[i, ...], w[i, ...]) for i in rows)
    return ns.stack(
        [function(net, *(x[i, ...] for x in more)) for i, net in zip(rows, nets, strict=True)]
    )


# ---------------------------------------------------------------- homogeneity


def with_scale(rng, k, p):
    return {**random_network(rng, k, p), "alpha": rng.rational((), 9) or Fraction(17, 10)}


def growth(ns, u, w, alpha, k, p):
    """Regression of f(alpha theta) on f(theta) over all inputs and labels: their common ratio."""

    def ratio(net, a):
        before = outputs(ns, net, k, p)
        after = outputs(ns, Network(a * net.u, a * net.w), k, p)
        return ns.sum(after * before) / ns.sum(before**2)

    return each(ns, ratio, u, w, alpha)


def biased(ns, u, w, alpha, k, p):
    """Neurons (sum u + 1)^k whose bias is not scaled."""

    def ratio(net, a):
        shift = ns.asarray([[[1]] + [[0]] * (k - 1)])  # bias 1 in the first embedding
        before = outputs(ns, Network(net.u + shift, net.w), k, p)
        after = outputs(ns, Network(a * net.u + shift, a * net.w), k, p)
        return ns.sum(after * before) / ns.sum(before**2)

    return each(ns, ratio, u, w, alpha)


def largest_deviation(ns, u, w, alpha, k, p):
    """Largest |f(alpha theta) - alpha^{k+1} f(theta)| over inputs and labels, by repeated products."""

    def gap(net, a):
        factor = a
        for _ in range(k):
            factor = factor * a
        after = outputs(ns, Network(a * net.u, a * net.w), k, p)
        return ns.max(ns.abs(after - factor * outputs(ns, net, k, p)))

    return each(ns, gap, u, w, alpha)


SCALED = instances(with_scale, "u w alpha", smoke=3, standard=10)
SIZES = {
    "smoke": [{k: 1, p: 3}, {k: 2, p: 3}, {k: 3, p: 3}, {k: 2, p: 4}],
    "standard": [{k: i, p: j} for i in (1, 2, 3) for j in (2, 3, 4, 5)] + [{k: 4, p: 3}],
}

homogeneity = claim(
    "fourier-homogeneity",
    lhs=r"\frac{f(\alpha\theta,x)}{f(\theta,x)}",
    title="Homogeneity of degree k+1",
    says="Scaling all parameters by alpha > 0 (here by any alpha) scales every output by alpha^(k+1).",
    domain={k: integers(1), p: integers(2)},
    grid=SIZES,
    closed_form=alpha ** (k + 1),
    legs=[
        leg("ratio", growth, arithmetic="rational", instances=SCALED),
        leg("every output", largest_deviation, arithmetic="rational", instances=SCALED,
            closed_form=sp.Integer(0), unit=1),
    ],
    rivals=[
        variant("degree k", closed_form=alpha**k),
        variant("degree k + 2", closed_form=alpha ** (k + 2)),
        variant("neurons with a bias", simulation=biased),
    ],
)  # fmt: skip

# ---------------------------------------------------------------- the margin as a game


def with_distribution(rng, k, p):
    counts = [int(v) for v in rng.integers(0, 10, (p**k,))]
    counts[0] += 1
    return {**random_network(rng, k, p), "q": [Fraction(c, sum(counts)) for c in counts]}


def input_margins(ns, net, k, p):
    """g(theta, a) for every input. Shape (p**k,)."""
    return ns.min(margins(ns, net, k, p), axis=1)


def best_distribution(ns, u, w, q, k, p):
    """Least mean margin over the vertices of the simplex, where a linear function has its minimum."""
    vertices = ns.eye(p**k)
    value = each(ns, lambda net: ns.min(ns.matmul(vertices, input_margins(ns, net, k, p))), u, w)
    return {"value": value, "least": least_margin(ns, u, w, k, p)}


def least_margin(ns, u, w, k, p):
    return each(ns, lambda net: ns.min(margins(ns, net, k, p)), u, w)


def mean_margin(ns, u, w, q, k, p):
    """E_q g under the drawn distribution."""
    value = each(ns, lambda net, law: ns.sum(law * input_margins(ns, net, k, p)), u, w, q)
    return {"value": value, "least": least_margin(ns, u, w, k, p)}


def worst_distribution(ns, u, w, q, k, p):
    value = each(ns, lambda net: ns.max(input_margins(ns, net, k, p)), u, w)
    return {"value": value, "least": least_margin(ns, u, w, k, p)}


GAME = instances(with_distribution, "u w q", smoke=3, standard=20)

minimax_margin = claim(
    "fourier-minimax-margin",
    title="Margin as a game",
    says="The least margin over inputs equals the least mean margin over distributions of inputs.",
    domain={k: integers(1), p: integers(2)},
    grid={"smoke": [{k: 2, p: 3}, {k: 1, p: 5}], "standard": SIZES["smoke"]},
    closed_form=least,
    legs=[
        leg("vertices", best_distribution, arithmetic="rational", instances=GAME, observed=[least]),
        leg("distributions", mean_margin, arithmetic="rational", instances=GAME, observed=[least],
            relation=at_least()),
    ],
    rivals=[
        variant("largest over distributions", simulation=worst_distribution),
        variant("a drawn distribution", simulation=mean_margin),
    ],
)  # fmt: skip

# ---------------------------------------------------------------- class weights


def with_weights(rng, k, p):
    """A network and, for every input, random weights of its p - 1 wrong labels that sum to 1."""
    rows = []
    for _ in range(p**k):
        raw = [int(v) for v in rng.integers(0, 6, (p - 1,))]
        raw[0] += 1
        rows.append([Fraction(v, sum(raw)) for v in raw])
    return {**random_network(rng, k, p), "tau": rows}


def weighted_margin(ns, u, w, tau, k, p):
    """g' at every input. Shape (B, p**k)."""
    return each(ns, lambda net, t: ns.sum(t * margins(ns, net, k, p), axis=1), u, w, tau)


def plain_margin(ns, u, w, tau, k, p):
    return each(ns, lambda net: input_margins(ns, net, k, p), u, w)


def right_label_weighted(ns, u, w, tau, k, p):
    """Half of the weight on the right label, whose margin against itself is 0."""
    return weighted_margin(ns, u, w, tau, k, p) / 2


def mean_weighted(ns, u, w, tau, k, p):
    """Mean of g' over all inputs under uniform weights."""
    return each(ns, lambda net: ns.mean(margins(ns, net, k, p)), u, w)


def sum_over_neurons(ns, u, w, tau, k, p):
    return ns.sum(objective(ns, u, w, k, p), axis=1)


WEIGHTED = instances(with_weights, "u w tau", smoke=3, standard=10)

class_weighted_order = claim(
    "fourier-class-weighted-order",
    title="Class-weighted margin dominates the margin",
    says="For any weights on the wrong labels g <= g' at every input, and the mean of g' is the sum over "
    "the neurons of their own.",
    domain={k: integers(1), p: integers(2)},
    grid=SIZES,
    relation=at_least(),
    legs=[
        leg("order", weighted_margin, reference=plain_margin, arithmetic="rational",
            instances=WEIGHTED),
        leg("sum over neurons", mean_weighted, reference=sum_over_neurons, arithmetic="rational",
            relation=equals(), instances=WEIGHTED),
    ],
    rivals=[
        variant("g' <= g", relation=at_most(), at=[{k: 2, p: 3}]),
        variant("weight on the right label", simulation=right_label_weighted, at=[{k: 2, p: 5}]),
        variant("largest input for the mean", leg="sum over neurons",
                simulation=lambda ns, u, w, tau, k, p: each(
                    ns, lambda net: ns.max(margins(ns, net, k, p)), u, w), at=[{k: 2, p: 3}]),
    ],
)  # fmt: skip

# ---------------------------------------------------------------- from one neuron to a network


def family_weights(rng, k, p):
    """Positive weights, one for every neuron of the source's network."""
    return {"a": [Fraction(int(v), 10) for v in rng.integers(1, 11, (len(source_design(k, p)),))]}


def family(ns, a, k, p):
    """E g' of the optimal neurons with weights alpha_h, over their L_{2,k+1} norm to the power k+1."""
    built = cosine_network(ns, source_design(k, p), p)

    def value(alpha):
        net = scaled(ns, built, alpha)
        return ns.mean(margins(ns, net, k, p)) / norm_power(ns, net, k)

    return ns.stack([value(a[i, ...]) for i in range(a.shape[0])])


def neuron_bound(ns, k, p):
    """What no neuron exceeds; by the sum over neurons and the outer exponent k+1, no network does."""
    return upper_bound(ns, k, p)


def equal_family(ns, k, p, m, b):
    """m copies of an optimal neuron in the norm L_{2,b}: mean of g' over the norm to the power k+1."""
    design = source_design(k, p)[:1] * m
    net = cosine_network(ns, design, p)
    return ns.mean(margins(ns, net, k, p)) / norm_power(ns, net, k, b)


neuron_combination = claim(
    "fourier-neuron-combination",
    lhs=r"\mathbb{E}_x\,g'(\theta,x)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    title="From the best neuron to the best network",
    says="In the norm L_{2,nu}, nu = k + 1, the best mean class-weighted margin of a network is that of a "
    "neuron, attained by every positively weighted family of optimal neurons.",
    role="reading",
    domain={k: integers(1), p: odd_integers(3)},
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}],
        "standard": [{k: 1, p: 5}, *[{k: 2, p: j} for j in (3, 5, 7)], {k: 3, p: 3}, {k: 3, p: 5}],
    },
    closed_form=gamma,
    relation=maximises(),
    legs=[
        attained(family, name="families", instances=instances(family_weights, "a", smoke=2, standard=4)),
        certificate(neuron_bound),
    ],
    rivals=[
        variant("sum alpha^k = 1", leg="families", simulation=lambda ns, a, k, p: family(ns, a, k, p)
                * ns.sum(a ** (k + 1), axis=1) / ns.power(ns.sum(a**k, axis=1), k + 1, k),
                at=[{k: 2, p: 3}]),
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
    ],
)  # fmt: skip

NORMS = {
    "states": "fourier-neuron-combination",
    "domain": {k: integers(1), p: odd_integers(3), m: integers(1), b: integers(1)},
    "grid": {
        "smoke": [{k: 2, p: 5, m: i, b: j} for i in (1, 4) for j in (2, 3, 4)],
        "standard": [
            *[{k: 2, p: 5, m: i, b: j} for i in (1, 2, 4, 16) for j in (2, 3, 4)],
            *[{k: 3, p: 3, m: i, b: j} for i in (2, 5) for j in (2, 3, 4, 5)],
        ],
    },
    "legs": [leg("equal weights", equal_family)],
}

any_norm = claim(
    "fourier-neuron-combination-any-norm",
    title="From neuron to network, read for every outer exponent",
    says="In the norm L_{2,b}, whatever b, a network of optimal neurons has the mean class-weighted "
    "margin of one neuron.",
    role="reading",
    encodes="part",
    expect="fail",
    closed_form=gamma,
    rivals=[variant("half of it", closed_form=gamma / 2)],
    **NORMS,
)

norm_growth = claim(
    "fourier-neuron-combination-norms",
    title="What another outer exponent does",
    says="m equal optimal neurons have m^(1 - (k+1)/b) times the value of one in the norm L_{2,b}.",
    role="derived",
    closed_form=gamma * m ** (1 - (k + 1) / b),
    rivals=[
        variant("no dependence on m", closed_form=gamma),
        variant("exponent 1 - k/b", closed_form=gamma * m ** (1 - k / b)),
    ],
    **NORMS,
)

# ---------------------------------------------------------------- the certificate


def chain(ns, net, k, p):
    """h and E g' under the class weights of the certificate, over |theta|^{k+1}. Shape (2,)."""
    gaps = margins(ns, net, k, p)
    mean = ns.mean(ns.matmul(gaps, class_weights(ns, k, p)))
    return ns.stack([ns.min(gaps), mean]) / norm_power(ns, net, k)


def random_chain(ns, u, w, k, p):
    return each(ns, lambda net: chain(ns, net, k, p), u, w)


def least_of_chain(ns, u, w, k, p):
    return random_chain(ns, u, w, k, p)[:, 0]


def mean_of_chain(ns, u, w, k, p):
    return random_chain(ns, u, w, k, p)[:, 1]


def optimal_chain(ns, k, p):
    return chain(ns, any_modulus_network(ns, k, p), k, p)


def ties(ns, k, p):
    """f(a)[c] of the unit-norm optimal network at right and wrong labels: range over all inputs."""
    net = any_modulus_network(ns, k, p)
    f = outputs(ns, net, k, p) / norm_power(ns, net, k)
    shifted = by_shift(ns, f, k, p)
    right, wrong = shifted[:, 0], shifted[:, 1:]
    return ns.stack([ns.min(right), ns.max(right), ns.min(wrong), ns.max(wrong)])


def best_neuron_uniform(ns, k, p):
    """Even p, uniform weights: the neuron of alternating signs, for which Condition 4.8 fails."""
    wave = ns.asarray([(-1) ** x for x in range(p)])
    return ns.broadcast_to(normalised(ns, ns.stack([wave] * k), wave, k, p), (2,))


def certified(ns, k, p):
    return upper_bound(ns, k, p, class_weights(ns, k, p))


def mean_plain(ns, u, w, k, p):
    """E g under the uniform distribution, over |theta|^{k+1}."""
    return each(
        ns, lambda net: ns.mean(input_margins(ns, net, k, p)) / norm_power(ns, net, k), u, w
    )


RANDOM = instances(random_network, "u w", smoke=10, standard=60)
PLACES = {
    "smoke": [{k: 2, p: 3}, {k: 2, p: 4}, {k: 2, p: 5}, {k: 3, p: 3}],
    "standard": [*[{k: 2, p: j} for j in (2, 3, 4, 5, 6, 7)], *[{k: 3, p: j} for j in (3, 4, 5)]],
}

certificate_claim = claim(
    "fourier-certificate",
    lhs=r"\frac{h(\theta),\ \mathbb{E}\,g'(\theta)}{\|\theta\|_{2,k+1}^{k+1}}",
    title="Max-min certificate of a max-margin network",
    says="h(theta) <= E g'(theta) <= gamma* |theta|^(k+1) for every network, with equality throughout "
    "where theta* maximises the mean of g' and its weighted wrong labels tie.",
    role="reading",
    domain={k: integers(1), p: integers(2)},
    grid=PLACES,
    closed_form=gamma_any,
    legs=[
        leg("stationary pair", optimal_chain),
        leg("random networks", random_chain, instances=RANDOM, relation=at_most()),
        leg("order", mean_of_chain, reference=least_of_chain, instances=RANDOM, relation=at_least()),
        leg("bound", certified),
        leg("ties", ties, where=sp.Eq(p % 2, 1), grid={"smoke": [{k: 2, p: 5}, {k: 3, p: 3}]},
            closed_form=sp.Matrix([gamma * (1 - 1 / p), gamma * (1 - 1 / p), -gamma / p, -gamma / p])),
    ],
    rivals=[
        variant("printed formula at even p", closed_form=gamma),
        variant("h >= E g'", leg="order", relation=at_most(), at=[{k: 2, p: 5}]),
        variant("wrong labels at 0", leg="ties",
                closed_form=sp.Matrix([gamma, gamma, 0, 0])),
    ],
    assumes=[
        hypothesis("the weighted wrong labels tie (Condition 4.8)", without=[{k: 2, p: 4}],
                   leg="stationary pair", simulation=best_neuron_uniform),
    ],
)  # fmt: skip

argmin_reading = claim(
    "fourier-certificate-argmin",
    lhs=r"\frac{\mathbb{E}\,g(\theta)}{\|\theta\|_{2,k+1}^{k+1}}",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    title="Stationary pair with the printed arg min",
    says="The max-margin network minimises the mean margin under q* over the unit ball, so that no "
    "network of unit norm has a mean margin below gamma*.",
    states="fourier-certificate",
    role="reading",
    encodes="part",
    expect="fail",
    domain={k: integers(1), p: odd_integers(3)},
    grid={"smoke": [{k: 2, p: 3}, {k: 2, p: 5}]},
    closed_form=gamma,
    relation=at_least(),
    legs=[leg("random networks", mean_plain, instances=RANDOM)],
    rivals=[variant("twice as much", closed_form=2 * gamma)],
)
