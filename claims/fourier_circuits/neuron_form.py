"""Theorem 4.9 (ii) = C.22 (ii): the neurons of a maximum-margin network.

Setting. p odd. Of a neuron (u, w) let t(zeta) be the share of its power at the frequency zeta = 0, .., (p-1)/2,
r_i(zeta) the shares of its k + 1 vectors of the power there, and delta(zeta) its phase defect, the sum of the phases of
u_1, .., u_k less that of w.

Statement (k >= 2). Every neuron of every maximiser has one frequency zeta != 0, k + 1 equal amplitudes, and phases that
add up modulo 2 pi. For J, its mean margin under uniform class weights, is exactly

    J = gamma* |theta|^{k+1} sum_{zeta >= 1} t^{(k+1)/2} B cos(delta),    B = (k+1)^{(k+1)/2} sqrt(r_1 .. r_{k+1}),

and the sum is at most 1: t^{(k+1)/2} < t for 0 < t < 1; B rises where two unequal r are averaged, and is 1 at
equal ones; cos < 1 off the multiples of 2 pi. A network's margin is at most the sum of its neurons' J, so that
margin gamma* asks every neuron for the value 1. That bound is attained by the translates and unit multiples of
any one neuron at prime p.

At k = 1 t^{(k+1)/2} = t, and neurons may mix frequencies (`one_summand`).

Reference: Theorems 4.9, C.22, Lemmas 4.10, C.15 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import (
    BallNamespace,
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    odd_integers,
    primes,
    typed,
    variant,
)

from ._formula import gamma, k, p
from ._network import Network, cosine_network, neuron_norms, smallest_margin, source_design
from ._neuron import cosine_neurons, normalised, optimal_phases, squared_norm, transform_product
from ._training import exactly, train
from .dft_reduction import every_coefficient, random_neurons

# ---------------------------------------------------------------- the value of any neuron


def profile(ns, u, w, exponent=None, equal=True, phases=True):
    """sum t^{(k+1)/2} B cos(delta) from the transforms of u (.., k, p) and w (.., p). Shape of the leading axes.

    ``exponent``: twice that of t, k + 1 unless given; ``equal``, ``phases``: whether B and the cosine count.
    """
    k, p = u.shape[-2], w.shape[-1]
    rows = ns.concat([u, ns.expand_dims(w, axis=-2)], axis=-2)
    re, im = ns.dft(rows)
    power = (re**2 + im**2)[..., 1 : (p + 1) // 2]  # by vector and frequency
    at = ns.sum(power, axis=-2)
    t = 2 * at / (p * ns.expand_dims(squared_norm(ns, u, w), axis=-1))
    value = ns.power(t, exponent or k + 1, 2)
    if equal:
        value = value * ns.sqrt(ns.prod(power * (k + 1) / ns.expand_dims(at, axis=-2), axis=-2))
    if phases:
        cosine = transform_product(ns, u, w)[..., 1 : (p + 1) // 2]
        value = value * cosine / ns.sqrt(ns.prod(power, axis=-2))
    return ns.sum(value, axis=-1)


def by_profile(ns, u, w, k, p):
    """gamma* from the largest mean margin of a cosine neuron, times the profile. Shape (B,)."""
    return best_cosine(ns, k, p) * profile(ns, u, w)


def best_cosine(ns, k, p):
    """J / |theta|^{k+1} of u_i(x) = w(x) = cos(2 pi x/p), by enumeration of all inputs."""
    wave = ns.cos_2pi(ns.indices(np.arange(p)), p)
    return normalised(ns, ns.stack([wave] * k), wave, k, p)


def by_enumeration(ns, u, w, k, p):
    return normalised(ns, u, w, k, p)


def exponent_too_small(ns, u, w, k, p):
    return best_cosine(ns, k, p) * profile(ns, u, w, exponent=k)


def without_amplitudes(ns, u, w, k, p):
    return best_cosine(ns, k, p) * profile(ns, u, w, equal=False)


def without_phases(ns, u, w, k, p):
    return best_cosine(ns, k, p) * profile(ns, u, w, phases=False)


def split(rng, k, p):
    """Two optimal neurons of different frequencies and the share t of the first."""
    first, second = rng.permutation((p - 1) // 2)[:2] + 1
    both = [optimal_phases(rng, k, p) for _ in range(2)]
    return {
        "zeta1": int(first),
        "zeta2": int(second),
        "t": Fraction(int(rng.integers(1, 10)), 10),
        "turns": both[0]["turns"],
        "out": both[0]["out"],
        "turns2": both[1]["turns"],
        "out2": both[1]["out"],
    }


def two_frequencies(ns, k, p, zeta1, turns, out, zeta2, turns2, out2, t):
    u1, w1 = cosine_neurons(ns, p, zeta1, turns, out)
    u2, w2 = cosine_neurons(ns, p, zeta2, turns2, out2)
    a, b = (ns.expand_dims(ns.sqrt(x), axis=-1) for x in (t, 1 - t))
    a3, b3 = ns.expand_dims(a, axis=-1), ns.expand_dims(b, axis=-1)
    return normalised(ns, a3 * u1 + b3 * u2, a * w1 + b * w2, k, p)


def by_largest_share(ns, k, p, t):
    """gamma* sqrt(the larger share): t^{(k+1)/2} summed is at most its (k-1)/2-th power, k >= 2. Shape (B,)."""
    return best_cosine(ns, k, p) * ns.sqrt(ns.maximum(t, 1 - t))


def half_of_largest_share(ns, k, p, t):
    return by_largest_share(ns, k, p, t) / 2


def minus_modulus(ns, u, w, k, p):
    return -ns.abs(by_profile(ns, u, w, k, p))


NEURONS = instances(random_neurons, "u w", smoke=3, standard=6)
TWO_FREQUENCIES = instances(split, "zeta1 turns out zeta2 turns2 out2 t", smoke=2, standard=4)
neuron_form = claim(
    "fourier-neuron-form",
    lhs=r"\frac{J(u,w)}{\|\theta\|^{k+1}}",
    tex=r"\gamma^*\sum_jt_j^{(k+1)/2}B_j\cos\delta_j",
    states=["fourier-neuron-form", "fourier-certificate", "fourier-single-neuron"],
    title="Every neuron of a maximum-margin network is one frequency",
    says=r"For $k\ge2$ and odd $p$ every neuron has $J=\gamma^*\|\theta\|^{k+1}\sum "
    r"t^{(k+1)/2}B\cos\delta$, which is at most $\gamma^*\|\theta\|^{k+1}$, with equality only at "
    "one frequency, equal amplitudes and phases that add up.",
    covers="one-frequency equal-amplitudes phase-rule every-maximiser-supported nothing-else",
    reads={"theta": "u w", "theta_hat": "u w", "u": "u", "w": "w"},
    domain={k: integers(2), p: odd_integers(3)},
    grid={
        "smoke": [{k: 2, p: 3}, {k: 2, p: 5}, {k: 2, p: 9}, {k: 3, p: 5}],
        "standard": [{k: 2, p: 7}, {k: 2, p: 15}, {k: 3, p: 7}, {k: 4, p: 5}, {k: 5, p: 3}],
    },
    relation=equals(),
    legs=[
        leg("value", by_enumeration, reference=by_profile, instances=NEURONS, gives="zeta"),
        leg(
            "coefficients", every_coefficient, arithmetic="proof", over="theta theta_hat u w m h i"
        ),
        formula_leg("one frequency", typed("t**((n + 1)/2) < t", over="n in 2..oo; t in (0, 1)")),
        formula_leg(
            "equal amplitudes",
            typed("x*y < ((x + y)/2)**2", over="x, y in [0, oo)", where="x != y"),
        ),
        formula_leg("phases", typed("cos(d) < 1", over="d in (0, 2*pi)")),
        leg(
            "two frequencies",
            two_frequencies,
            reference=by_largest_share,
            relation=at_most(),
            instances=TWO_FREQUENCIES,
            where=p >= 5,
            gives="zeta",
            grid={"smoke": [{k: 2, p: 5}], "standard": [{k: 2, p: 7}, {k: 3, p: 5}, {k: 4, p: 5}]},
        ),
    ],
    rivals=[
        variant("half of it", leg="two frequencies", reference=half_of_largest_share),
        variant("exponent k/2", leg="value", reference=exponent_too_small),
        variant("amplitudes without effect", leg="value", reference=without_amplitudes),
        variant("phases without effect", leg="value", reference=without_phases),
        variant("never positive", leg="value", reference=minus_modulus),
        variant(
            "equal ones too",
            leg="equal amplitudes",
            simulation=typed("x*y < ((x + y)/2)**2", over="x, y in [0, oo)"),
        ),
        variant(
            "no defect too", leg="phases", simulation=typed("cos(d) < 1", over="d in [0, 2*pi)")
        ),
        variant(
            "from k = 1 on",
            leg="one frequency",
            simulation=typed("t**((n + 1)/2) < t", over="n in 1..oo; t in (0, 1)"),
        ),
    ],
)

# ---------------------------------------------------------------- from neurons to networks

quality = sp.Symbol("quality", real=True)


def margin_and_quality(ns, net, k, p, exponent=None):
    """Normalised margin, and the mean of the neurons' profiles weighted by |theta_h|^{k+1}."""
    mass = ns.power(neuron_norms(ns, net), k + 1, 2)
    parts = transform_product(ns, net.u, net.w)[..., 1 : (p + 1) // 2]
    scale = ns.power(ns.rational(2 * (k + 1), p), k + 1, 2)
    mean = ns.sum(parts) * scale / ns.sum(mass)
    return {"value": smallest_margin(ns, net, k, p), "quality": mean}


def translates(ns, k, p, share):
    """All p^k translates and p - 1 unit multiples of one neuron of two frequencies with powers share : 1 - share."""
    a, b = ns.sqrt(ns.asarray(share)), ns.sqrt(ns.asarray(1 - share))
    x = np.arange(p)
    u, w = [], []
    for unit in range(1, p):
        for shift in itertools.product(range(p), repeat=k):
            moved = np.stack([unit * (x + s) for s in (*shift, sum(shift))])
            wave = a * ns.cos_2pi(ns.indices(moved), p) + b * ns.cos_2pi(ns.indices(2 * moved), p)
            u.append(wave[:k, :])
            w.append(wave[k, :])
    return Network(ns.stack(u), ns.stack(w))


def mixed(ns, k, p):
    """Powers 9 : 1; the margin is the neuron's own J."""
    return margin_and_quality(ns, translates(ns, k, p, Fraction(9, 10)), k, p)


def mixed_with_largest_share(ns, k, p):
    """Against the largest share to the power (k-1)/2, the bound of a weaker chain."""
    net = translates(ns, k, p, Fraction(9, 10))
    return {
        "value": smallest_margin(ns, net, k, p),
        "quality": ns.power(ns.rational(9, 10), k - 1, 2),
    }


def mixed_with_all_of_it(ns, k, p):
    return {
        "value": smallest_margin(ns, translates(ns, k, p, Fraction(9, 10)), k, p),
        "quality": ns.asarray(1),
    }


def mixed_with_smaller_exponent(ns, k, p):
    shares = [ns.power(ns.rational(s, 10), k, 2) for s in (9, 1)]
    return {
        "value": smallest_margin(ns, translates(ns, k, p, Fraction(9, 10)), k, p),
        "quality": shares[0] + shares[1],
    }


def turned(ns, k, p):
    """The source's network with every w turned by 1/10 of a radian."""
    net = cosine_network(ns, source_design(k, p), p)
    x = cosine_network(
        ns, [n.__class__(n.frequency, n.phases, n.out + 1) for n in source_design(k, p)], p
    )
    c, s = ns.cos(ns.rational(1, 10)), ns.sin(ns.rational(1, 10))
    return margin_and_quality(ns, Network(net.u, c * net.w + s * x.w), k, p)


def noise(k, p, size):
    """Fixed integers between -3 and 3 for every parameter of the source's network, over 3 size."""
    m = len(source_design(k, p))
    drawn = np.random.default_rng([k, p, size]).integers(-3, 4, size=(m, k + 1, p))
    return [[[Fraction(int(v), 3 * size) for v in row] for row in rows] for rows in drawn]


def perturbed(ns, k, p):
    """The source's network with noise of a twentieth of the amplitude on every parameter."""
    net = cosine_network(ns, source_design(k, p), p)
    extra = ns.asarray(noise(k, p, 20))
    return margin_and_quality(ns, Network(net.u + extra[:, :k, :], net.w + extra[:, k, :]), k, p)


def trained(k, p):
    """A network trained with the source's width from a Gaussian start, measured in balls."""
    net = train(k, p, len(source_design(k, p)), [0.1, 0.03], seed=0)
    ns = BallNamespace(128)
    with ns.working():
        seen = margin_and_quality(ns, exactly(ns, net), k, p)
        return {name: value.data[()] for name, value in seen.items()}


MIXED = {"smoke": [{k: 2, p: 5}], "standard": [{k: 2, p: 5}, {k: 2, p: 7}, {k: 3, p: 5}]}
network_bound = claim(
    "fourier-neuron-form-network",
    lhs=r"\gamma(\theta)",
    tex=r"\gamma^*\;\operatorname{mean}_h\sum_jt_{h,j}^{(k+1)/2}B_{h,j}\cos\delta_{h,j}",
    states="fourier-neuron-form",
    title="A network's margin is at most the mean quality of its neurons",
    says=r"The normalised margin of every network is at most $\gamma^*$ times the mean of $\sum "
    r"t^{(k+1)/2}B\cos\delta$ over its neurons, weighted by $\|\theta_h\|^{k+1}$; all translates "
    "and unit multiples of one neuron attain it.",
    role="derived",
    encodes="part",
    domain={k: integers(2), p: primes(5)},
    grid=MIXED,
    closed_form=gamma * quality,
    relation=at_most(),
    legs=[
        leg("translates of a mixed neuron", mixed, observed=[quality], relation=equals()),
        leg("phases that do not add up", turned, observed=[quality]),
        leg("perturbed", perturbed, observed=[quality]),
        leg(
            "trained",
            trained,
            observed=[quality],
            arithmetic="external",
            error=0,
            required=False,
            model="float64 training; the network found is measured in balls",
            grid={"smoke": [{k: 2, p: 5}], "standard": [{k: 2, p: 5}, {k: 3, p: 5}]},
        ),
    ],
    rivals=[
        variant(
            "largest share to the power (k-1)/2",
            leg="translates of a mixed neuron",
            simulation=mixed_with_largest_share,
        ),
        variant(
            "exponent k/2",
            leg="translates of a mixed neuron",
            simulation=mixed_with_smaller_exponent,
        ),
        variant(
            "two frequencies at no loss",
            leg="translates of a mixed neuron",
            simulation=mixed_with_all_of_it,
        ),
        variant(
            "p for p - 1",
            leg="translates of a mixed neuron",
            closed_form=gamma * quality * (p - 1) / p,
        ),
        variant(
            "nothing where phases do not add up",
            leg="phases that do not add up",
            closed_form=sp.Integer(0),
        ),
        variant("nothing beside the optimum", leg="perturbed", closed_form=sp.Integer(0)),
    ],
)

# ---------------------------------------------------------------- near misses

delta, t = sp.symbols("delta t", real=True)


def defective(rng, k, p):
    """An optimal neuron whose w is turned by delta (radians)."""
    return {**optimal_phases(rng, k, p), "delta": rng.rational((), 7)}


def with_defect(ns, k, p, zeta, turns, out, delta):
    u, w = cosine_neurons(ns, p, zeta, turns, out)
    _, turned = cosine_neurons(ns, p, zeta, turns, out + ns.rational(1, 4))  # minus the sine
    c, s = (ns.expand_dims(f(delta), axis=-1) for f in (ns.cos, ns.sin))
    return normalised(ns, u, c * w + s * turned, k, p)


near_misses = claim(
    "fourier-neuron-near-misses",
    title="What a wrong phase or a second frequency costs",
    lhs=r"J(\theta)",
    tex=r"\cos\delta\;\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"A unit neuron with phase defect $\delta$ has $J=\gamma^*\cos\delta$; one whose power is "
    r"shared $t:1-t$ by two frequencies has $J=\gamma^*(t^{(k+1)/2}+(1-t)^{(k+1)/2})$.",
    states="fourier-neuron-form",
    role="derived",
    covers="near-misses",
    domain={k: integers(1), p: odd_integers(5)},
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 5}, {k: 3, p: 7}],
        "standard": [{k: i, p: j} for i in (1, 2, 3) for j in (5, 7, 9)] + [{k: 4, p: 5}],
    },
    closed_form=gamma * sp.cos(delta),
    legs=[
        leg(
            "phase defect",
            with_defect,
            unit=gamma,
            instances=instances(defective, "zeta turns out delta", smoke=4, standard=10),
        ),
        leg(
            "two frequencies",
            two_frequencies,
            instances=instances(split, "zeta1 turns out zeta2 turns2 out2 t", smoke=4, standard=10),
            closed_form=gamma * (t ** ((k + 1) / 2) + (1 - t) ** ((k + 1) / 2)),
            lhs=r"J(\theta)",
            tex=r"\big(t^{(k+1)/2}+(1-t)^{(k+1)/2}\big)\;"
            r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
        ),
    ],
    rivals=[
        variant("no loss by the phase", closed_form=gamma),
        variant("1 - delta^2/2", closed_form=gamma * (1 - delta**2 / 2)),
        variant("linear in t", leg="two frequencies", closed_form=gamma),
        variant(
            "exponent k/2",
            leg="two frequencies",
            closed_form=gamma * (t ** (k / 2) + (1 - t) ** (k / 2)),
        ),
    ],
)
