"""Section 4.3.3: networks and neurons are homogeneous of degree k + 1.

Statement. f(alpha theta, x) = alpha^{k+1} f(theta, x) for every network, every alpha > 0 (here: any alpha) and
every input. With alpha = -1: at even k the opposite neuron has the opposite margin, at odd k the same.

Reference: section 4.3.3 (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import claim, formula, instances, integers, leg, variant

from ._formula import k, p
from ._network import Network, outputs
from ._neuron import objective
from ._random_networks import each, random_network

alpha = sp.Symbol("alpha", real=True)


def with_scale(rng, k, p):
    """A network and a scale. What is 0 at every input has no ratio: it is drawn again."""
    while True:
        net = random_network(rng, k, p)
        if not (vanishes(**net, k=k, p=p) or vanishes(net["u"][:1], net["w"][:1], k, p)):
            return {**net, "alpha": rng.rational((), 9) or Fraction(17, 10)}


def vanishes(u, w, k, p):
    """Whether sum_h w_h (sum_i u_{h,i}(a_i))^k is 0 at every input and label."""
    return not any(
        sum(
            out[c] * sum(neuron[i][digit] for i, digit in enumerate(a)) ** k
            for neuron, out in zip(u, w, strict=True)
        )
        for a in product(range(p), repeat=k)
        for c in range(p)
    )


def growth(ns, u, w, alpha, k, p):
    """Regression of f(alpha theta) on f(theta) over all inputs and labels: their common ratio. Shape (B,)."""

    def ratio(net, a):
        before = outputs(ns, net, k, p)
        after = outputs(ns, Network(a * net.u, a * net.w), k, p)
        return ns.sum(after * before) / ns.sum(before**2)

    return each(ns, ratio, u, w, alpha)


def of_one_neuron(ns, u, w, alpha, k, p):
    """The same of the first neuron alone."""
    return growth(ns, u[:, :1, ...], w[:, :1, ...], alpha, k, p)


def with_bias(ns, u, w, alpha, k, p):
    """Neurons (sum u + 1)^k whose bias is not scaled."""

    def ratio(net, a):
        shift = ns.asarray([[[1]] + [[0]] * (k - 1)])  # bias 1 in the first embedding
        before = outputs(ns, Network(net.u + shift, net.w), k, p)
        after = outputs(ns, Network(a * net.u + shift, a * net.w), k, p)
        return ns.sum(after * before) / ns.sum(before**2)

    return each(ns, ratio, u, w, alpha)


def largest_deviation(ns, u, w, alpha, k, p, fewer=0):
    """Largest |f(alpha theta) - alpha^{k+1} f(theta)| over inputs and labels, by repeated products; ``fewer``
    factors than k + 1."""

    def gap(net, a):
        factor = a
        for _ in range(k - fewer):
            factor = factor * a
        after = outputs(ns, Network(a * net.u, a * net.w), k, p)
        return ns.max(ns.abs(after - factor * outputs(ns, net, k, p)))

    return each(ns, gap, u, w, alpha)


def deviation_from_degree_k(ns, u, w, alpha, k, p):
    return largest_deviation(ns, u, w, alpha, k, p, fewer=1)


SCALED = instances(with_scale, "u w alpha", smoke=3, standard=10)

homogeneity = claim(
    "fourier-homogeneity",
    title="Homogeneity of degree $k+1$",
    lhs=r"\frac{f(\alpha\theta,x)}{f(\theta,x)}",
    says=r"Scaling all parameters by $\alpha$ scales every output of a network, and of each neuron, by "
    r"$\alpha^{k+1}$.",
    covers="network neuron",
    reads={"theta": "u w", "theta_i": "u w"},
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [{k: 1, p: 3}, {k: 2, p: 3}, {k: 3, p: 3}, {k: 2, p: 4}],
        "standard": [{k: i, p: j} for i in (1, 2, 3) for j in (2, 3, 4, 5)] + [{k: 4, p: 3}],
    },
    closed_form=alpha ** (k + 1),
    legs=[
        leg("ratio", growth, arithmetic="rational", instances=SCALED, covers="network", inside="x"),
        leg(
            "every output",
            largest_deviation,
            arithmetic="rational",
            instances=SCALED,
            closed_form=sp.Integer(0),
            unit=1,
            covers="network",
            inside="x",
            lhs=r"\max_x|f(\alpha\theta,x)-\alpha^{k+1}f(\theta,x)|",
        ),
        leg("one neuron", of_one_neuron, arithmetic="rational", instances=SCALED, covers="neuron"),
    ],
    rivals=[
        variant("degree k", closed_form=alpha**k),
        variant("every output of degree k", leg="every output", simulation=deviation_from_degree_k),
        variant("degree k + 2", closed_form=alpha ** (k + 2)),
        variant("neurons with a bias", simulation=with_bias),
    ],
)

# ---------------------------------------------------------------- the sign of a neuron


def opposite(ns, u, w, k, p):
    """J(-u, -w) of each neuron of a random network. Shape (B, 3)."""
    return objective(ns, -u, -w, k, p)


def with_sign(ns, u, w, k, p):
    """(-1)^{k+1} J(u, w)."""
    return (-1) ** (k + 1) * objective(ns, u, w, k, p)


def unchanged(ns, u, w, k, p):
    return objective(ns, u, w, k, p)


def modulus(ns, u, w, k, p):
    return ns.abs(objective(ns, u, w, k, p))


def minus_modulus(ns, u, w, k, p):
    return -modulus(ns, u, w, k, p)


def inputs_only(ns, u, w, k, p):
    return objective(ns, -u, w, k, p)


sign_of_beta = claim(
    "fourier-neuron-sign",
    lhs=r"J(-u,-w)",
    tex=r"(-1)^{k+1}J(u,w)",
    states="fourier-neuron-form",
    title="The sign of the amplitude",
    says="$J(-u, -w) = (-1)^{k+1} J(u, w)$: at odd $k$ a negative amplitude is as good as a positive "
    "one, at even $k$ it turns the sign, so that the amplitude of a best neuron may, and at even "
    "$k$ must, be taken positive.",
    role="derived",
    covers="sign-of-beta",
    reads={"h": "u w"},
    domain={k: integers(2), p: integers(3)},
    grid={"smoke": {k: [2, 3], p: [3, 4]}, "standard": {k: [2, 3, 4], p: [3, 4, 5]}},
    legs=[
        leg(
            "neurons",
            opposite,
            reference=with_sign,
            arithmetic="rational",
            gives="beta",
            instances=instances(random_network, "u w", smoke=3, standard=6),
        ),
    ],
    rivals=[
        variant("always the same", reference=unchanged, at=[{k: 2, p: 3}]),
        variant("never negative", reference=modulus),
        variant("never positive", reference=minus_modulus),
        variant("inputs turned only", simulation=inputs_only, at=[{k: 3, p: 3}, {k: 2, p: 3}]),
    ],
)


# A neuron at one input: u_1 .. u_k are its embeddings' entries, w its output's.
neuron_for_every_k = formula(
    "fourier-homogeneity-neuron",
    states="fourier-homogeneity",
    title="A neuron is homogeneous of degree $k+1$ for every $k$",
    says="Sum(alpha*u[i], (i, 1, k))**k*(alpha*w) == alpha**(k + 1)*Sum(u[i], (i, 1, k))**k*w",
    over=["k in 1..oo", "alpha in (0, oo)", "w in R", "u[i] in R for i in 1..k"],
    covers="neuron",
    reads={"theta_i": "u w"},
    rivals={
        "degree k": "Sum(alpha*u[i], (i, 1, k))**k*(alpha*w) == alpha**k*Sum(u[i], (i, 1, k))**k*w",
    },
)
