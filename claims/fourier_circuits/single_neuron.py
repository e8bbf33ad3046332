"""Lemma 4.10 = C.15 and Lemma C.11: the best single neuron under uniform class weights.

Setting. J(u, w) = E_a[(u_1(a_1) + .. + u_k(a_k))^k (w(s) - mean_{d != 0} w(s + d))], a uniform on
Z_p^k; the unit ball |u_1|^2 + .. + |u_k|^2 + |w|^2 <= 1.

Statement (hypothesis and conclusion, which are printed in one, taken apart). For odd p the maximum of
J is 2 k! / ((2k+2)^{(k+1)/2} (p-1) p^{(k-1)/2}), attained by every neuron
u_i(x) = beta cos(theta_i + 2 pi zeta x / p), w(c) = beta cos(theta_w + 2 pi zeta c / p) with
theta_1 + .. + theta_k = theta_w and beta = sqrt(2 / ((k+1) p)). That nothing else attains it is
`neuron_form`.

Reference: Lemmas 4.10, C.11, C.15 (arXiv 2402.09469).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    hypothesis,
    instances,
    integers,
    maximises,
    odd_integers,
    search,
    variant,
)

from ._formula import gamma, k, p
from ._neuron import (
    MEANS,
    ascend,
    cosine_neurons,
    normalised,
    objective,
    optimal_phases,
    rigorous_value,
    squared_norm,
    upper_bound,
)


def optimal_neurons(ns, k, p, zeta, turns, out):
    """J / |neuron|^{k+1} of cosines with unit amplitude. Shape (B,)."""
    return normalised(ns, *cosine_neurons(ns, p, zeta, turns, out), k, p)


def printed_amplitude(ns, k, p, zeta, turns, out):
    """J itself at amplitude beta = sqrt(2/((k+1) p)): these neurons lie on the unit sphere."""
    return at_amplitude(ns, k, p, zeta, turns, out, ns.asarray(2) / ((k + 1) * p))


def at_amplitude(ns, k, p, zeta, turns, out, squared):
    beta = ns.sqrt(squared)
    u, w = cosine_neurons(ns, p, zeta, turns, out)
    return objective(ns, beta * u, beta * w, k, p)


def amplitude_too_small(ns, k, p, zeta, turns, out):
    return at_amplitude(ns, k, p, zeta, turns, out, ns.asarray(2) / ((k + 2) * p))


def amplitude_half(ns, k, p, zeta, turns, out):
    return at_amplitude(ns, k, p, zeta, turns, out, ns.asarray(1) / ((k + 1) * p))


def opposite_phase(ns, k, p, zeta, turns, out):
    return normalised(ns, *cosine_neurons(ns, p, zeta, turns, -out + ns.rational(1, 7)), k, p)


def negative_amplitude(ns, k, p, zeta, turns, out):
    u, w = cosine_neurons(ns, p, zeta, turns, out)
    return normalised(ns, -u, -w, k, p)


def smaller_degree(ns, k, p, zeta, turns, out):
    """Activation z^{k-1} in place of z^k: the objective vanishes identically."""
    u, w = cosine_neurons(ns, p, zeta, turns, out)
    size = ns.power(squared_norm(ns, u, w), k + 1, 2)
    return objective(ns, u, w, k, p, degree=k - 1) / size


def larger_degree(ns, k, p, zeta, turns, out):
    u, w = cosine_neurons(ns, p, zeta, turns, out)
    size = ns.power(squared_norm(ns, u, w), k + 2, 2)
    return objective(ns, u, w, k, p, degree=k + 1) / size


def half_frequency(ns, k, p):
    """Even p: the neuron that alternates in sign, u_i(x) = (-1)^x."""
    wave = ns.asarray([[(-1) ** x for x in range(p)]])
    return normalised(ns, ns.stack([wave] * k, axis=1), wave, k, p)


def certified_bound(ns, k, p):
    """What J exceeds nowhere on the unit ball, from its coefficients."""
    return upper_bound(ns, k, p)


def ascents(k, p):
    """The best of five ascents from Gaussian starts."""
    found = [rigorous_value(theta, k, p) for theta in ascend(k, p, starts=5, seed=0)]
    return max(found, key=lambda ball: float(ball.mid()))


DRAWN = instances(optimal_phases, "zeta turns out", smoke=3, standard=8)
SMALL = {
    "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 2, p: 9}, {k: 3, p: 5}],
    "standard": [
        *[{k: i, p: j} for i in (1, 2, 3) for j in (3, 5, 7, 9)],
        *[{k: 2, p: 15}, {k: 4, p: 3}, {k: 4, p: 5}, {k: 5, p: 3}],
    ],
}
single_neuron = claim(
    "fourier-single-neuron",
    lhs=r"\mathbb{E}_x\,g'(\theta,x)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    title="Best single neuron under uniform class weights",
    says=r"For odd $p$ no neuron of norm at most 1 has a class-weighted margin above $\gamma^*$, and "
    "every family of cosines of one frequency with adding phases and equal amplitudes has it.",
    covers="upper family-attains",
    reads={"theta": "turns out"},
    domain={k: integers(1), p: odd_integers(3)},
    grid=SMALL,
    closed_form=gamma,
    relation=maximises(),
    plot=p,
    legs=[
        attained(optimal_neurons, name="cosines", instances=DRAWN, covers="family-attains"),
        attained(
            printed_amplitude, name="printed amplitude", instances=DRAWN, covers="family-attains"
        ),
        certificate(certified_bound, covers="upper", over="u w", lemma=MEANS),
        search(
            ascents,
            name="ascents",
            arithmetic="external",
            error=0,
            covers="upper",
            model="float64 ascents; the neuron found is evaluated in balls",
            grid={"smoke": [{k: 3, p: 3}], "standard": [{k: 2, p: 7}, {k: 3, p: 5}, {k: 4, p: 3}]},
        ),
    ],
    rivals=[
        variant("the bound at even p", leg="certificate", at=[{k: 2, p: 4}, {k: 3, p: 4}]),
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
        variant("without k!", closed_form=gamma / sp.factorial(k)),
        variant(
            "amplitude sqrt(2/((k+2) p))", simulation=amplitude_too_small, leg="printed amplitude"
        ),
        variant("amplitude sqrt(1/((k+1) p))", simulation=amplitude_half, leg="printed amplitude"),
        variant("phases that do not add up", simulation=opposite_phase),
        variant("negative amplitude at even k", simulation=negative_amplitude, at=[{k: 2, p: 5}]),
        variant("activation of degree k-1", simulation=smaller_degree, at=[{k: 2, p: 5}]),
        variant("activation of degree k+1", simulation=larger_degree, at=[{k: 2, p: 5}]),
    ],
    assumes=[
        hypothesis(
            "p is odd",
            without=[{k: 2, p: 4}, {k: 3, p: 2}, {k: 3, p: 4}],
            leg="certificate",
            simulation=half_frequency,
        )
    ],
)

single_neuron_k3 = claim(
    "fourier-single-neuron-k3",
    lhs=r"\mathbb{E}_x\,g'(\theta,x)",
    title="Best single neuron at $k = 3$",
    says="For $k = 3$ and odd $p$ the maximum is $3/(16 p (p-1))$, at cosines of amplitude "
    r"$\sqrt{1/(2p)}$.",
    domain={k: integers(3, 3), p: odd_integers(3)},
    grid={"smoke": {k: 3, p: [3, 5]}, "standard": {k: 3, p: [3, 5, 7, 9]}},
    closed_form=sp.Rational(3, 16) / (p * (p - 1)),
    relation=maximises(),
    plot=p,
    covers="value amplitude",
    legs=[
        attained(printed_amplitude, name="printed amplitude", instances=DRAWN),
        certificate(certified_bound),
    ],
    rivals=[
        variant("3/4", closed_form=sp.Rational(3, 4) / (p * (p - 1))),
        variant("3/8", closed_form=sp.Rational(3, 8) / (p * (p - 1))),
        variant("amplitude sqrt(2/(5p))", simulation=amplitude_too_small),
        variant("amplitude sqrt(1/(4p))", simulation=amplitude_half),
    ],
)
