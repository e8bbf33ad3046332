"""Lemma C.5: from the best neuron to the best network.

Setting. Any distribution q of the inputs, any weights tau of the wrong labels, J the mean class-weighted margin of a
neuron, J* its maximum on the unit ball (positive), nu = k + 1; networks of norm L_{2,b}.

Statement, for b = nu. E_q g' of a network is the sum of the J of its neurons, each at most J* |theta_h|^nu, so
that the maxima over networks and over neurons agree; a maximiser has only best neurons, and every family
alpha_h theta_h* of best neurons with sum alpha_h^nu = 1 is one. (The weights' exponent is printed with the margin's
letter.) That b = nu is not printed: for other b, m equal best neurons have m^(1 - nu/b) times the value of one.

Reference: Lemma C.5 (arXiv 2402.09469), after Morwani et al. 2024.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    maximises,
    odd_integers,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._formula import gamma, k, p
from ._network import Network, cosine_network, margins, norm_power, scaled, source_design
from ._neuron import cosine_neurons, optimal_phases, upper_bound
from .class_weighted_order import (
    WEIGHTED,
    mean_of_network,
    mean_under_uniform_inputs,
    mean_under_uniform_weights,
    plain_mean,
    plain_sum,
    sum_over_neurons,
)

b = sp.Symbol("b", positive=True)
m = sp.Symbol("m", integer=True, positive=True)


def family(rng, k, p, m):
    """m best neurons, frequencies and phases drawn, and weights >= 0 of which not all vanish."""
    chosen = [optimal_phases(rng, k, p) for _ in range(m)]
    weights = [Fraction(int(v), 10) for v in rng.integers(0, 11, (m,))]
    weights[0] += Fraction(1, 10)
    return {name: [one[name] for one in chosen] for name in chosen[0]} | {"alpha": weights}


def family_value(ns, zeta, turns, out, alpha, k, p, power=None):
    """E g' under uniform q and tau, over (sum alpha^nu)^(k+1)/nu, nu = ``power`` or k + 1. Shape (B,)."""
    nu = power or k + 1
    values = []
    for i in range(alpha.shape[0]):
        u, w = cosine_neurons(ns, p, zeta[i, ...], turns[i, ...], out[i, ...])
        size = ns.sqrt(ns.rational((k + 1) * p, 2))  # of a neuron of unit amplitude
        net = scaled(ns, Network(u / size, w / size), alpha[i, ...])
        total = ns.sum(alpha[i, ...] ** nu)
        values.append(ns.mean(margins(ns, net, k, p)) / ns.power(total, k + 1, nu))
    return ns.stack(values)


def weights_of_sum_one(ns, zeta, turns, out, alpha, k, p):
    """sum alpha^k = 1 in place of sum alpha^(k+1) = 1."""
    return family_value(ns, zeta, turns, out, alpha, k, p, power=k)


def phases_apart(ns, zeta, turns, out, alpha, k, p):
    return family_value(ns, zeta, turns, out + ns.rational(1, 7), alpha, k, p)


def neuron_bound(ns, k, p):
    """What no neuron exceeds under uniform q and tau; by the sum over neurons no network does."""
    return upper_bound(ns, k, p)


SIZES = {
    "smoke": [{k: 1, p: 5, m: 2}, {k: 2, p: 3, m: 3}, {k: 2, p: 5, m: 1}, {k: 3, p: 3, m: 2}],
    "standard": [{k: i, p: j, m: t} for i, j in ((1, 5), (2, 7), (3, 5)) for t in (1, 2, 5)],
}

neuron_combination = claim(
    "fourier-neuron-combination",
    title="From the best neuron to the best network",
    lhs=r"\mathbb{E}_x\,g'(\theta,x)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"In the norm $L_{2,\nu}$, $\nu= k + 1$, the best mean class-weighted margin of a network is "
    r"that of a neuron, attained by every family of optimal neurons with weights $\alpha\ge0$, "
    r"$\sum\alpha^\nu= 1$.",
    role="reading",
    covers="families-are-optimal",
    reads={"theta_star": "zeta turns out"},
    domain={k: integers(1), p: odd_integers(3), m: integers(1)},
    grid=SIZES,
    closed_form=gamma,
    relation=maximises(),
    legs=[
        attained(
            family_value,
            name="families",
            instances=instances(family, "zeta turns out alpha", smoke=2, standard=4),
        ),
        certificate(neuron_bound),
    ],
    rivals=[
        variant(
            "sum alpha^k = 1",
            leg="families",
            simulation=weights_of_sum_one,
            at=[{k: 2, p: 3, m: 3}],
        ),
        variant(
            "phases that do not add up",
            leg="families",
            simulation=phases_apart,
            at=[{k: 2, p: 3, m: 2}],
        ),
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
    ],
)

# One neuron and the rest of a network in the unit ball: n = |theta_h|^nu, and their means a and c against J = J*.
exchange = formula_leg(
    "one neuron and the rest",
    typed(
        "a + c <= J and J*n - a <= J - (a + c)",
        over=["J in (0, oo)", "n in [0, 1]", "a in (-oo, J*n]", "c in (-oo, J*(1 - n)]"],
    ),
    lhs=r"\mathbb{E}_q\,g'(\theta)",
    tex=r"J^*",
)
every_law = claim(
    "fourier-neuron-combination-sum",
    lhs=r"\mathbb{E}_q\,g'(\theta)",
    tex=r"\sum_h\mathbb{E}_q\,\psi'(\theta_h)",
    states="fourier-neuron-combination",
    title=r"The mean of a network is that of its neurons, for every $q$ and $\tau$",
    says=r"For every distribution $q$, all class weights $\tau$ and every network, $\mathbb{E}_q\,g'$ "
    r"is the sum of the means of its neurons; as each is at most $J^*\|\theta_h\|^\nu$, none is above $J^*$ in the "
    r"unit ball, and "
    r"no neuron falls shorter of that than the network of $J^*$: the maxima agree and a maximiser has best neurons "
    r"only.",
    role="reading",
    covers="maxima-equal support-of-optimal-networks",
    reads={"theta": "u w"},
    domain={k: integers(1), p: integers(2)},
    grid={"smoke": [{k: 1, p: 4}, {k: 2, p: 3}], "standard": {k: [1, 2, 3], p: [2, 3, 4]}},
    relation=equals(),
    legs=[
        leg(
            "sum over neurons",
            mean_of_network,
            reference=sum_over_neurons,
            arithmetic="rational",
            instances=WEIGHTED,
            inside="h m",
        ),
        exchange,
    ],
    rivals=[
        variant(
            "uniform weights",
            simulation=mean_under_uniform_weights,
            leg="sum over neurons",
            at=[{k: 2, p: 3}],
        ),
        variant(
            "uniform inputs",
            simulation=mean_under_uniform_inputs,
            leg="sum over neurons",
            at=[{k: 2, p: 3}],
        ),
        variant(
            "the plain margin splits",
            simulation=plain_mean,
            reference=plain_sum,
            leg="sum over neurons",
            at=[{k: 2, p: 3}],
        ),
        *rivals_of(exchange, {"half of what is missing": "J*n - a <= (J - (a + c))/2"}),
    ],
)

# ---------------------------------------------------------------- other outer exponents


def equal_family(ns, k, p, m, b):
    """m copies of an optimal neuron in the norm L_{2,b}: mean of g' over the norm to the power k+1."""
    net = cosine_network(ns, source_design(k, p)[:1] * m, p)
    return ns.mean(margins(ns, net, k, p)) / norm_power(ns, net, k, b)


NORMS = {
    "states": "fourier-neuron-combination",
    "domain": {k: integers(1), p: odd_integers(3), m: integers(2), b: reals(0, low_open=True)},
    "grid": {
        "smoke": [{k: 2, p: 5, m: i, b: j} for i in (2, 4) for j in (2, 3, Fraction(7, 2))],
        "standard": [
            *[{k: 2, p: 5, m: i, b: j} for i in (2, 4, 16) for j in (1, 2, 3, 4)],
            *[{k: 3, p: 3, m: i, b: j} for i in (2, 5) for j in (Fraction(1, 2), 3, 4, 5)],
        ],
    },
    "legs": [leg("equal weights", equal_family)],
}

any_norm = claim(
    "fourier-neuron-combination-any-norm",
    lhs=r"\frac{\mathbb{E}_q\,g'(\theta)}{\|\theta\|_{2,b}^{k+1}}",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    title="From neuron to network, read for every outer exponent",
    says="In the norm $L_{2,b}$, whatever $b$, a network of optimal neurons has the mean "
    "class-weighted margin of one neuron.",
    role="reading",
    encodes="part",
    expect="fail",
    closed_form=gamma,
    rivals=[variant("half of it", closed_form=gamma / 2)],
    **NORMS,
)

norm_growth = claim(
    "fourier-neuron-combination-norms",
    lhs=r"\frac{\mathbb{E}_q\,g'(\theta)}{\|\theta\|_{2,b}^{k+1}}",
    tex=r"m^{1-(k+1)/b}\;\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    title="What another outer exponent does",
    says="$m$ equal optimal neurons have $m^{1 - (k+1)/b}$ times the value of one in the norm "
    "$L_{2,b}$.",
    role="derived",
    covers="other-exponents",
    closed_form=gamma * m ** (1 - (k + 1) / b),
    rivals=[
        variant("no dependence on m", closed_form=gamma),
        variant("exponent 1 - k/b", closed_form=gamma * m ** (1 - k / b)),
    ],
    **NORMS,
)
