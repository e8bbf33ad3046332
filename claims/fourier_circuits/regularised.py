"""The regularised objective of Definition 4.1: its exact optimum among networks of given norm.

Setting. L_lambda(theta) = mean over all p^k inputs of the cross-entropy of f(theta, a) plus
lambda |theta|_{2,k+1} (Definition 4.1); gamma* the maximum margin of `any_modulus`, q the class weights
of its certificate (uniform at odd p), H their entropy.

Derived. Among networks of norm R, whatever their width, the least value of L_lambda is

    log(1 + exp(H - gamma* R^{k+1})) + lambda R

(at even p for R from a bound on, where no frequency is left out). It is attained where the margin
against shift d is constant plus -log q_d: at odd p by the maximum-margin network.

Reference: Definition 4.1 (arXiv 2402.09469); the formulas are derived here.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    BallNamespace,
    attained,
    certificate,
    claim,
    equals,
    hypothesis,
    integers,
    leg,
    minimises,
    reals,
    search,
    theorem,
    variant,
)

from ._formula import amplitude, gamma, k, odd, p
from ._network import (
    any_modulus_network,
    by_shift,
    class_weights,
    margins,
    neuron_norms,
    norm_power,
    outputs,
    scaled,
    source_design,
    with_masses,
)
from ._neuron import upper_bound
from ._training import exactly, rigorous_loss, train

R, lam, radius = sp.symbols("R lam radius", positive=True)
r = 2 ** (-(k - 1) / 2)
D = p - 2 + r
gamma_even = gamma * (p - 1) / D
entropy_even = sp.log(D) - ((p / 2 - 1) * (2 - r) * sp.log(2 - r) + p / 2 * r * sp.log(r)) / D


def least_loss(norm):
    """The closed form at a given norm, at odd and at even p."""
    return sp.Piecewise(
        (sp.log(1 + (p - 1) * sp.exp(-gamma * norm ** (k + 1))) + lam * norm, odd),
        (sp.log(1 + sp.exp(entropy_even - gamma_even * norm ** (k + 1))) + lam * norm, True),
    )


# ---------------------------------------------------------------- networks of norm R


def of_norm(ns, net, k, R):
    """The network scaled to L_{2,k+1} norm R."""
    factor = ns.asarray(R) / ns.power(norm_power(ns, net, k), 1, k + 1)
    return scaled(ns, net, ns.broadcast_to(factor, neuron_norms(ns, net).shape))


def best_network(ns, k, p, R):
    """Norm R, margins equal to a constant minus log q_d; solved from margins seen at two networks.

    At even p the power is shared so that the margins against odd and even shifts differ by
    log(q_2/q_1); both margins are linear in the shares.
    """
    if p % 2 or p == 2:
        return of_norm(ns, any_modulus_network(ns, k, p), k, R)
    one = ns.asarray(1)
    tiny = ns.rational(1, 2)  # any two sharings tell the two linear functions apart
    count = p // 2 - 1

    def gap(half):
        """Margin against odd shifts minus that against even ones, at unit norm and share ``half``."""
        seen = with_masses(ns, k, p, [(one - half) / count] * count, half)
        row = margins(ns, seen, k, p)[0, :]
        return row[0] - row[1]

    first, second = gap(tiny), gap(tiny / 2)
    slope = (first - second) / (tiny / 2)
    q = class_weights(ns, k, p)
    wanted = ns.log(q[1] / q[0]) / ns.asarray(R) ** (k + 1)
    # Below the bound on R the frequency p/2 would need more power than there is: all of it then.
    half = ns.minimum(tiny + (wanted - first) / slope, one)
    net = with_masses(ns, k, p, [(one - half) / count] * count, half)
    return of_norm(ns, net, k, R)


def loss(ns, net, k, p, lam, norm):
    """L_lambda by definition, with the given value of the penalty's norm."""
    f = outputs(ns, net, k, p)
    return ns.mean(ns.logsumexp(f, axis=1) - by_shift(ns, f, k, p)[:, 0]) + ns.asarray(lam) * norm


def network_norm(ns, net, k):
    return ns.power(norm_power(ns, net, k), 1, k + 1)


def attained_loss(ns, k, p, R, lam):
    net = best_network(ns, k, p, R)
    return loss(ns, net, k, p, lam, network_norm(ns, net, k))


def gibbs_bound(ns, k, p, R, lam):
    """A lower bound at norm R: log(1 + sum_d e^{-M_d}) >= log(1 + e^{H(q) - sum_d q_d M_d}) (Gibbs),
    convexity over the inputs, and mean sum_d q_d M_d <= B R^{k+1}, B the certified bound of a neuron."""
    q = class_weights(ns, k, p)
    entropy = -ns.sum(q * ns.log(q))
    level = upper_bound(ns, k, p, None if p % 2 else q) * ns.asarray(R) ** (k + 1)
    return ns.log1p(ns.exp(entropy - level)) + ns.asarray(lam) * ns.asarray(R)


def max_margin_direction(ns, k, p, R, lam):
    """The maximum-margin network scaled to norm R; not optimal at even p."""
    net = of_norm(ns, any_modulus_network(ns, k, p), k, R)
    return loss(ns, net, k, p, lam, network_norm(ns, net, k))


def weight_decay(ns, k, p, R, lam):
    net = best_network(ns, k, p, R)
    return loss(ns, net, k, p, lam, ns.sum(neuron_norms(ns, net)))


def trained(k, p, R, lam):
    """Loss and norm of a network trained at this penalty from norm R, in balls; best of three starts."""
    found = []
    for seed in range(3):
        net = train(k, p, len(source_design(k, p)) + 4, [float(lam)], seed, float(R))
        found.append((rigorous_loss(net, k, p, lam), net))
    value, net = min(found, key=lambda pair: float(pair[0].mid()))
    ns = BallNamespace(128)
    with ns.working():
        return {"value": value, "radius": network_norm(ns, exactly(ns, net), k).data[()]}


half_alone = amplitude * 2 ** ((k + 1) / 2)
"""Margin against odd shifts of a network of norm 1 that has only the frequency p/2."""

large_enough = sp.Or(odd, sp.Eq(p, 2), R ** (k + 1) * half_alone >= sp.log((2 - r) / r))
"""At even p the margins against odd and even shifts are to differ by log(q_2/q_1), which asks the frequency p/2
for more power the smaller R is; all of it is reached at the bound, which grows as p^(1/2): 4.12 at (k, p) = (2,
20)."""

GIBBS = theorem("Jensen", convex="log(1 + e^x)", weights="class weights and uniform inputs")
TENTH = sp.Rational(1, 10)
regularised_optimum = claim(
    "fourier-regularised-optimum",
    title="Exact optimum of the regularised cross-entropy",
    lhs=r"\mathcal{L}_\lambda(\theta)",
    tex=r"\lambda R+\log\big(1+e^{H(q)-\gamma^*R^{k+1}}\big)",
    says="Among networks of $L_{2,k+1}$ norm $R$ and any width the least regularised cross-entropy is "
    r"$\log(1 + \exp(H(q) - \gamma^* R^{k+1})) + \lambda R$; at odd $p$ the maximum-margin network"
    " has it.",
    role="derived",
    covers="lower-bound-any-width attained-odd attained-even",
    reads={"lambda": "lam"},
    domain={
        k: integers(1),
        p: integers(2),
        R: reals(0, low_open=True),
        lam: reals(0, low_open=True),
    },
    where=large_enough,
    grid={
        "smoke": [
            {k: 2, p: 3, R: 4, lam: TENTH},
            {k: 2, p: 5, R: 2, lam: TENTH},
            {k: 1, p: 3, R: 2, lam: TENTH},
            {k: 2, p: 4, R: 5, lam: TENTH},
            {k: 3, p: 3, R: 4, lam: TENTH / 10},
        ],
        "standard": [
            *[{k: 2, p: j, R: t, lam: TENTH} for j in (2, 3, 5, 7) for t in (1, 4, 8)],
            *[{k: 2, p: j, R: t, lam: TENTH / 10} for j in (4, 6) for t in (5, 9)],
            *[{k: 3, p: j, R: 5, lam: TENTH} for j in (2, 3, 4, 5)],
        ],
    },
    closed_form=least_loss(R),
    relation=minimises(),
    plot=R,
    legs=[
        attained(attained_loss, covers="attained-odd attained-even"),
        # What falls short of an optimum refutes nothing; an equality does, below the bound on R as well.
        leg(
            "even p",
            attained_loss,
            relation=equals(),
            where=sp.Ne(p % 2, 1),
            covers="attained-even",
            grid={"smoke": [{k: 2, p: 4, R: 5, lam: TENTH}]},
        ),
        certificate(
            gibbs_bound,
            over="theta",
            lemma=GIBBS,
            covers="lower-bound-any-width attained-odd attained-even",
        ),
        search(
            trained,
            name="training",
            closed_form=least_loss(radius),
            observed=[radius],
            arithmetic="external",
            error=0,
            model="float64 training; loss and norm of the network found are evaluated in balls",
            grid={
                "smoke": [{k: 2, p: 3, R: 4, lam: TENTH}],
                "standard": [
                    {k: 2, p: 3, R: 4, lam: TENTH / 10},
                    {k: 2, p: 5, R: 5, lam: TENTH},
                    {k: 2, p: 4, R: 5, lam: TENTH},
                    {k: 3, p: 3, R: 4, lam: TENTH},
                ],
            },
            lhs=r"\mathcal{L}_\lambda(\theta)",
            tex=r"\lambda\|\theta\|+\log\big(1+e^{H(q)-\gamma^*\|\theta\|^{k+1}}\big)",
        ),
    ],
    rivals=[
        variant(
            "p for p - 1 in the logarithm",
            closed_form=sp.log(1 + p * sp.exp(-gamma * R ** (k + 1))) + lam * R,
            at=[{k: 2, p: 3, R: 4, lam: TENTH}],
        ),
        variant(
            "R^k for R^(k+1)",
            closed_form=sp.log(1 + (p - 1) * sp.exp(-gamma * R**k)) + lam * R,
            at=[{k: 2, p: 3, R: 4, lam: TENTH}],
        ),
        variant("lambda R^2", closed_form=least_loss(R) - lam * R + lam * R**2),
        variant(
            "weight decay in the objective",
            simulation=weight_decay,
            at=[{k: 2, p: 3, R: 4, lam: TENTH}],
        ),
        variant(
            "uniform weights at even p",
            closed_form=sp.log(1 + (p - 1) * sp.exp(-gamma * R ** (k + 1))) + lam * R,
            at=[{k: 2, p: 4, R: 5, lam: TENTH}],
        ),
        variant(
            "maximum-margin network at even p",
            simulation=max_margin_direction,
            at=[{k: 2, p: 4, R: 5, lam: TENTH}],
        ),
    ],
    assumes=[
        hypothesis(
            "R from the bound on",
            leg="even p",
            without=[{k: 2, p: 4, R: 1, lam: TENTH}, {k: 2, p: 4, R: 2, lam: TENTH}],
        )
    ],
)
