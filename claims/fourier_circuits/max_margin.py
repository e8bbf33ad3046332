"""Theorem 4.9 (i) = C.22 (i): the maximum normalised margin of modular addition with k summands.

Setting. f(a)[c] = sum_h (u_{h,1}(a_1) + .. + u_{h,k}(a_k))^k w_h(c) on all p^k inputs, label
s = a_1 + .. + a_k mod p; the margin is the least f(a)[s] - f(a)[c] over inputs and wrong labels,
normalised by the L_{2,k+1} norm of the parameters to the power k+1.

Statement. For odd p the largest normalised margin is 2 k! / ((2k+2)^{(k+1)/2} (p-1) p^{(k-1)/2}).

Evidence. *Attained*: the source's network in the cyclotomic field, and in balls and intervals, over all
inputs and labels (least and largest margin agree), in intervals at one input of each orbit of the design's
symmetries. *Not exceeded*: by convexity the margin is at most
sum_h J(theta_h), J the class-weighted margin of a neuron under uniform weights, and J is at most
B |theta_h|^{k+1} with B computed from the coefficients of J (`_neuron.upper_bound`); so B bounds every
network of every width. *Search*: trainings from Gaussian starts.

Reference: Theorems 4.9, C.21, C.22 (arXiv 2402.09469). "A dataset D_p" is read as the whole table;
primality of p is never used, oddness is.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    Proof,
    RationalNamespace,
    at_least,
    attained,
    certificate,
    claim,
    hypothesis,
    instances,
    integers,
    leg,
    maximises,
    odd_integers,
    search,
    variant,
)

from ._cyclotomic import normalised_margins
from ._enumeration import design_margins
from ._formula import gamma, k, p
from ._network import (
    Network,
    Neuron,
    all_inputs,
    any_modulus_network,
    cosine_network,
    margin_range,
    margins,
    neuron_norms,
    norm_power,
    outputs,
    scaled,
    smallest_margin,
    source_design,
)
from ._neuron import MEANS, upper_bound
from ._training import best_margin


def exact_network(k, p):
    """Least and largest normalised margin of the source's network, in Q(e^{2 pi i / 4p})."""
    return normalised_margins(source_design(k, p), k, p)


def opposite_outputs(k, p):
    """The same where every w is turned by half a turn: a feasible network, of margin -gamma*."""
    turned = [Neuron(n.frequency, n.phases, n.out + 2) for n in source_design(k, p)]
    return normalised_margins(turned, k, p)


def network(ns, k, p):
    """The same by the definition of the network, in balls or intervals."""
    return margin_range(ns, cosine_network(ns, source_design(k, p), p), k, p)


def by_symmetry(ns, k, p):
    """The same at one input of every orbit of the symmetries that the design is found to have."""
    return design_margins(ns, source_design(k, p), k, p)


def padding(k, p, entry=0):
    """A network may have any number of further neurons that are 0: f and the norm's power are sums over neurons, and
    a neuron of zeros adds 0 to both, at every input and label. ``entry``: what its parameters are instead."""
    ns = RationalNamespace()
    zero = Network(ns.zeros((1, k, p)) + entry, ns.zeros((1, p)) + entry)
    with ns.working():
        added = [ns.max(ns.abs(outputs(ns, zero, k, p))), ns.sum(neuron_norms(ns, zero))]
    seen = [str(x.data[()]) for x in added]
    return Proof(
        holds=seen == ["0", "0"],
        method="a further neuron evaluated at all inputs",
        witness={"inputs": p**k},
        counterexample=None
        if seen == ["0", "0"]
        else dict(zip(("output", "norm"), seen, strict=True)),
    )


def padding_with_ones(k, p):
    return padding(k, p, entry=1)


def neuron_bound(ns, k, p):
    """What no neuron, hence no network, exceeds under uniform class weights."""
    return upper_bound(ns, k, p)


def trained(k, p):
    """Best of three trainings with the source's width."""
    return best_margin(k, p, len(source_design(k, p)), starts=3)


def other_norm(ns, k, p, outer):
    built = cosine_network(ns, source_design(k, p), p)
    return ns.min(margins(ns, built, k, p)) / norm_power(ns, built, k, outer)


def norm_2(ns, k, p):
    return other_norm(ns, k, p, 2)


def norm_k(ns, k, p):
    return other_norm(ns, k, p, k)


def one_frequency_dropped(ns, k, p):
    design = [n for n in source_design(k, p) if n.frequency != 1]
    return smallest_margin(ns, cosine_network(ns, design, p), k, p)


def phase_off(ns, k, p):
    """Every w turned by 1/10 of a radian, about 2 pi / 63."""
    built = cosine_network(ns, source_design(k, p), p)
    step = ns.cos(ns.rational(1, 10)), ns.sin(ns.rational(1, 10))
    quarter = [Neuron(n.frequency, n.phases, n.out + 1) for n in source_design(k, p)]
    return smallest_margin(
        ns, Network(built.u, step[0] * built.w + step[1] * cosine_network(ns, quarter, p).w), k, p
    )


def negative_amplitude(ns, k, p):
    built = cosine_network(ns, source_design(k, p), p)
    return smallest_margin(ns, Network(-built.u, -built.w), k, p)


def unequal_frequencies(ns, k, p):
    design = source_design(k, p)
    factors = ns.asarray([2 if n.frequency == 1 else 1 for n in design])
    return smallest_margin(ns, scaled(ns, cosine_network(ns, design, p), factors), k, p)


def half_of_the_neurons(ns, k, p):
    return smallest_margin(ns, cosine_network(ns, source_design(k, p)[::2], p), k, p)


def single_input(ns, k, p):
    """One neuron of one-hot vectors, judged on the data set that holds the input (0, .., 0) only."""
    hot = ns.one_hot(ns.indices([0]), p)
    built = Network(ns.stack([hot] * k, axis=1), hot)
    first = [tuple(a) for a in all_inputs(k, p)].index((0,) * k)
    return ns.min(margins(ns, built, k, p)[first]) / norm_power(ns, built, k)


def even_modulus(ns, k, p):
    """The optimal network at even p, which has the frequency p/2 besides the others."""
    return smallest_margin(ns, any_modulus_network(ns, k, p), k, p)


max_margin = claim(
    "fourier-max-margin",
    title="Closed form of the maximum normalised margin",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says="Over all $p^k$ inputs, $p$ odd, the largest $L_{2,k+1}$-normalised margin of a network of "
    r"any width is $2\,k!/((2k+2)^{(k+1)/2}(p-1)p^{(k-1)/2})$.",
    covers="attained not-exceeded",
    domain={k: integers(1), p: odd_integers(3)},
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 2, p: 9}, {k: 3, p: 3}],
        "standard": [
            *[{k: i, p: j} for i in (1, 2) for j in (3, 5, 7, 9, 11)],
            *[{k: 3, p: 3}, {k: 3, p: 5}, {k: 3, p: 7}, {k: 4, p: 3}],
        ],
        "deep": [{k: 2, p: 15}, {k: 3, p: 9}, {k: 3, p: 11}, {k: 4, p: 5}, {k: 5, p: 3}],
    },
    closed_form=gamma,
    relation=maximises(),
    plot=p,
    legs=[
        attained(exact_network, name="cyclotomic", covers="attained", gives="theta", inside="a c"),
        leg("further neurons", padding, arithmetic="proof", covers="attained", over="m"),
        attained(
            network,
            name="balls",
            covers="attained",
            grid={"smoke": [{k: 2, p: 5}, {k: 3, p: 3}], "standard": {k: [1, 2, 3], p: [3, 5, 7]}},
        ),
        certificate(
            neuron_bound,
            covers="not-exceeded",
            over="m theta",
            lemma=MEANS,
            grid={
                "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}, {k: 3, p: 5}],
                "standard": [
                    *[{k: i, p: j} for i in (1, 2, 3) for j in (3, 5, 7, 9)],
                    *[{k: 2, p: j} for j in (11, 15)],
                    *[{k: 4, p: 3}, {k: 4, p: 5}, {k: 5, p: 3}],
                ],
            },
        ),
        attained(
            by_symmetry,
            name="intervals",
            covers="attained",
            arithmetic="interval",
            required=False,
            grid={
                "smoke": [{k: 3, p: 7}],
                "standard": [{k: 2, p: 23}, {k: 3, p: 15}, {k: 4, p: 7}, {k: 5, p: 5}],
                "deep": [{k: 2, p: 47}, {k: 3, p: 97}, {k: 4, p: 13}, {k: 5, p: 7}],
                "paper": [{k: 3, p: 97}, {k: 4, p: 47}, {k: 5, p: 23}],
            },
        ),
        search(
            trained,
            name="training",
            covers="not-exceeded",
            arithmetic="external",
            error=0,
            model="float64 trainings; the network found is evaluated in balls",
            grid={"smoke": [{k: 2, p: 3}], "standard": [{k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}]},
        ),
    ],
    rivals=[
        variant("further neurons of ones", simulation=padding_with_ones, leg="further neurons"),
        # The bound of the coefficients is another one there, which the formula typed again is not.
        variant("the bound at even p", leg="certificate", at=[{k: 2, p: 4}, {k: 3, p: 4}]),
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
        variant("k! for 2 k!", closed_form=gamma / 2),
        variant("p^(k/2)", closed_form=gamma / sp.sqrt(p)),
        variant("p^((k+1)/2)", closed_form=gamma / p),
        variant("base k+1", closed_form=gamma * 2 ** ((k + 1) / 2)),
        variant("base 2k", closed_form=gamma * ((2 * k + 2) / (2 * k)) ** ((k + 1) / 2)),
        variant("exponent k/2 of the base", closed_form=gamma * sp.sqrt(2 * k + 2)),
        variant("exponent (k-1)/2 of the base", closed_form=gamma * (2 * k + 2)),
        variant("norm L_{2,2}", simulation=norm_2, leg="balls", at={k: [2], p: [5]}),
        variant("norm L_{2,k}", simulation=norm_k, leg="balls", at={k: [3], p: [3]}),
        variant(
            "one frequency dropped",
            simulation=one_frequency_dropped,
            leg="balls",
            at=[{k: 2, p: 5}, {k: 3, p: 5}],
        ),
        variant("w turned by 1/10", simulation=phase_off, leg="balls", at=[{k: 2, p: 5}]),
        variant(
            "negative amplitude at even k",
            simulation=negative_amplitude,
            leg="balls",
            at=[{k: 2, p: 5}],
        ),
        variant(
            "one frequency twice as large",
            simulation=unequal_frequencies,
            leg="balls",
            at=[{k: 2, p: 5}],
        ),
        variant(
            "half of the neurons", simulation=half_of_the_neurons, leg="balls", at=[{k: 2, p: 5}]
        ),
    ],
    assumes=[
        hypothesis(
            "p is odd", without=[{k: 2, p: 4}, {k: 3, p: 4}], leg="balls", simulation=even_modulus
        ),
        hypothesis(
            "the data set is the whole table",
            without=[{k: 2, p: 3}],
            leg="balls",
            simulation=single_input,
        ),
    ],
)

# ---------------------------------------------------------------- smaller data sets


def some_inputs(rng, k, p):
    """A data set that is not empty: rows that select one input each, repetitions allowed."""
    drawn = [int(v) for v in rng.integers(0, p**k, (4,))]
    return {"D": [[int(a == b) for b in range(p**k)] for a in drawn]}


def least_over(ns, D, k, p):
    """Least normalised margin of the source's network over D. Shape (B,)."""
    built = cosine_network(ns, source_design(k, p), p)
    rows = margins(ns, built, k, p) / norm_power(ns, built, k)
    return ns.min(ns.matmul(D, rows), axis=(1, 2))


one_point = k**k / (k + 1) ** ((k + 1) / sp.Integer(2))
data_set = claim(
    "fourier-max-margin-data-set",
    states="fourier-max-margin",
    title="Smaller data sets",
    says=r"On every non-empty set of inputs the best margin is at least $\gamma^*$; on one input it is "
    "at least $k^k/(k+1)^{(k+1)/2}$, which is more.",
    role="corrected",
    covers="data-set",
    domain={k: integers(1), p: odd_integers(3)},
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 3, p: 3}],
        "standard": {k: [1, 2], p: [3, 5, 7, 9]},
    },
    closed_form=gamma,
    relation=at_least(),
    legs=[
        leg(
            "four inputs",
            least_over,
            instances=instances(some_inputs, "D", smoke=3, standard=6),
            lhs=r"\min_{x\in D}\frac{g(\theta,x)}{\|\theta\|^{k+1}}",
            tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
        ),
        leg(
            "one input",
            single_input,
            closed_form=one_point,
            covers="data-set",
            lhs=r"\frac{g(\theta,(0,\dots,0))}{\|\theta\|^{k+1}}",
            tex=r"\frac{k^k}{(k+1)^{(k+1)/2}}",
        ),
    ],
    rivals=[
        variant("twice gamma*", closed_form=2 * gamma),
        variant("one input: k^k", leg="one input", closed_form=k**k),
    ],
)
