"""Lemma 4.11 = C.18: an explicit network with the maximum margin.

Setting. The expansion of cos(a_1 + .. + a_k - c) into 2^k products of sines and cosines, each product of
the k input factors turned into 2^{k-1} powers of signed sums: 2^{2k-1} neurons for each frequency
1 .. (p-1)/2, all cosines with the same amplitude.

Statement. With unit amplitude the block of zeta computes 2^{k-1} k! cos(2 pi zeta (s - c) / p), each neuron's
phases add up, and the normalised margin is gamma* at every input and against every wrong label.

At k summands the block of one frequency is an identity between functions of k + 1 angles, checked exponential by
exponential, hence for every p, frequency, input and label at once. (The proofs' value 0 of the sum at a wrong label
is -1/2: `frequency_sum`.)

Reference: Lemmas 4.11, C.18 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools
from collections import Counter
from math import factorial

import numpy as np
import sympy as sp

from theorycheck import (
    Proof,
    claim,
    counts,
    equals,
    hypothesis,
    integers,
    leg,
    odd_integers,
    variant,
)

from ._cyclotomic import normalised_margins
from ._formula import gamma, k, p
from ._network import (
    Network,
    Neuron,
    cosine_network,
    half_design,
    margin_range,
    scaled,
    source_design,
)


def margin_range_exact(k, p):
    """Least and largest normalised margin, in Q(e^{2 pi i / 4p})."""
    return normalised_margins(source_design(k, p), k, p)


def powers_of_i(k, design):
    """Sum over the neurons of i^(m.b + n c), b input and c output phases in quarter turns, for every exponent (m, n) of
    e^{i m.x} e^{i n y}, n = +-1, times the number of ways to reach m with k steps of +-1. Gaussian integers by
    exponent.
    """
    ways = Counter({(0,) * k: 1})
    for _ in range(k):
        longer = Counter()
        for m, count in ways.items():
            for at, step in itertools.product(range(k), (1, -1)):
                longer[(*m[:at], m[at] + step, *m[at + 1 :])] += count
        ways = longer
    phases = np.array([n.phases for n in design])
    out = np.array([n.out for n in design])
    found = {}
    for m, count in ways.items():
        for n in (1, -1):
            turns = np.bincount((phases @ np.array(m) + n * out) % 4, minlength=4)
            found[*m, n] = count * complex(int(turns[0] - turns[2]), int(turns[1] - turns[3]))
    return found


def block_identity(k, blocks=source_design):
    """The block of one frequency at any angles x_1, .., x_k and y: 2^{k+1} times its sum is 2^{2k} k! cos(x - y), x the
    sum of the x_i."""
    seen = powers_of_i(k, blocks(k, 3))  # p = 3 has one frequency; p enters through the angles only
    half = 2 ** (2 * k - 1) * factorial(k)
    wanted = {(*(1,) * k, -1): half, (*(-1,) * k, 1): half}
    wrong = [m for m, value in seen.items() if value != wanted.get(m, 0)]
    return Proof(
        holds=not wrong and set(wanted) <= set(seen),
        method="coefficients of all exponentials of the k + 1 angles",
        witness={"exponentials": len(seen)},
        counterexample={"exponent": list(wrong[0])} if wrong else None,
    )


def opposite_phases(k):
    """The outputs' phases turned: cos(x + y) up to sign."""
    return block_identity(
        k, lambda k, p: [Neuron(n.frequency, n.phases, -n.out) for n in source_design(k, p)]
    )


def with_design(design):
    def margin(ns, k, p):
        return margin_range(ns, cosine_network(ns, design(k, p), p), k, p)

    return margin


def phases_that_do_not_add_up(k, p):
    return [Neuron(n.frequency, n.phases, n.out + n.phases[0] % 2) for n in source_design(k, p)]


def first_phase_zero(k, p):
    return [n for n in source_design(k, p) if n.phases[0] == 0]


def negative_amplitude(ns, k, p):
    net = cosine_network(ns, source_design(k, p), p)
    return margin_range(ns, Network(-net.u, -net.w), k, p)


def unequal_frequencies(ns, k, p):
    design = source_design(k, p)
    factors = ns.asarray([2 if n.frequency == 1 else 1 for n in design])
    return margin_range(ns, scaled(ns, cosine_network(ns, design, p), factors), k, p)


def with_half_frequency(ns, k, p):
    """Even p: the frequency p/2 added at the same amplitude."""
    design = source_design(k, p) + half_design(k, p)
    return margin_range(ns, cosine_network(ns, design, p), k, p)


SIZES = {
    "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 2, p: 9}, {k: 3, p: 3}],
    "standard": [
        *[{k: i, p: j} for i in (1, 2) for j in (3, 5, 7, 9)],
        *[{k: 3, p: 3}, {k: 3, p: 5}, {k: 4, p: 3}],
    ],
    "deep": [{k: 2, p: 11}, {k: 3, p: 7}, {k: 3, p: 9}, {k: 3, p: 11}, {k: 4, p: 5}, {k: 5, p: 3}],
}

construction = claim(
    "fourier-construction",
    title="Explicit max-margin network",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"$2^{2k-1}$ explicit cosine neurons a frequency compute the sum over frequencies of $\cos(2 "
    r"\pi\zeta(s-c)/p)$ and have margin $\gamma^*$ at every input and wrong label, $p$ odd.",
    covers="margin block-computes-cosine",
    domain={k: integers(1), p: odd_integers(3)},
    grid=SIZES,
    closed_form=gamma,
    relation=equals(),
    plot=p,
    legs=[
        leg("margin", margin_range_exact, covers="margin", inside="a c"),
        leg(
            "in balls",
            with_design(source_design),
            grid={"smoke": [{k: 2, p: 5}]},
            covers="margin",
            inside="a c",
        ),
        leg(
            "one block",
            block_identity,
            arithmetic="proof",
            covers="block-computes-cosine",
            over="p zeta a c",
            grid={"smoke": {k: [1, 2, 3, 4], p: [3]}, "standard": {k: [5], p: [3]}},
        ),
    ],
    rivals=[
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
        variant("cos(x + y)", leg="one block", simulation=opposite_phases),
        variant(
            "phases that do not add up",
            leg="in balls",
            simulation=with_design(phases_that_do_not_add_up),
            at=[{k: 2, p: 5}],
        ),
        variant(
            "first phase 0 only",
            leg="in balls",
            simulation=with_design(first_phase_zero),
            at=[{k: 2, p: 5}, {k: 3, p: 5}],
        ),
        variant(
            "negative amplitude at even k",
            leg="in balls",
            simulation=negative_amplitude,
            at=[{k: 2, p: 5}],
        ),
        variant(
            "one frequency twice as large",
            leg="in balls",
            simulation=unequal_frequencies,
            at=[{k: 2, p: 5}],
        ),
    ],
    assumes=[
        hypothesis(
            "p is odd",
            without=[{k: 2, p: 4}, {k: 3, p: 6}],
            leg="in balls",
            simulation=with_half_frequency,
        ),
    ],
)


def neurons_per_frequency(k, p):
    """Distinct neurons (up to the half turn that leaves them alone) of each frequency."""
    kinds = {
        min(
            (n.frequency, n.phases, n.out),
            (n.frequency, tuple((b + 2) % 4 for b in n.phases), (n.out + 2 * k) % 4),
        )
        for n in source_design(k, p)
    }
    per = Counter(frequency for frequency, *_ in kinds)
    return [*sorted(set(per.values())), sum(per.values())]


def phases_apart(k, p, turned=0):
    """Neurons whose input phases do not add up to the output phase modulo a turn; outputs turned by so many quarters
    before."""
    return sum((sum(n.phases) - n.out - turned) % 4 != 0 for n in source_design(k, p))


count = claim(
    "fourier-construction-count",
    title="Neurons of the explicit network",
    says="The construction has $2^{2k-1}$ distinct neurons for each of the $(p-1)/2$ frequencies, all "
    "of unit amplitude and with phases that add up.",
    states="fourier-construction",
    covers="number members",
    domain={k: integers(1), p: odd_integers(3)},
    grid={"smoke": {k: [1, 2, 3], p: [3, 5]}, "standard": {k: [1, 2, 3, 4, 5], p: [3, 5, 9, 15]}},
    closed_form=sp.Matrix([2 ** (2 * k - 1), 2 ** (2 * k - 1) * (p - 1) / 2]),
    relation=counts(),
    legs=[
        leg(
            "counted",
            neurons_per_frequency,
            covers="number",
            inside="zeta",
            lhs=r"\Big(|B_\zeta|,\ \sum_\zeta|B_\zeta|\Big)",
            tex=r"\Big(2^{2k-1},\ \frac{p-1}2\,2^{2k-1}\Big)",
        ),
        leg(
            "phases that do not add up",
            phases_apart,
            closed_form=sp.Integer(0),
            covers="members",
            inside="h",
            lhs=r"\#\Big\{h:\sum_i\theta_{u_{h,i}}\not\equiv\theta_{w_h}\Big\}",
        ),
    ],
    rivals=[
        variant(
            "outputs turned by half a turn",
            leg="phases that do not add up",
            call=phases_apart,
            turned=2,
        ),
        variant(
            "2^(2k) a frequency", closed_form=sp.Matrix([2 ** (2 * k), 2 ** (2 * k) * (p - 1) / 2])
        ),
        variant(
            "56 a frequency at k = 3", closed_form=sp.Matrix([56, 28 * (p - 1)]), at=[{k: 3, p: 5}]
        ),
    ],
)
