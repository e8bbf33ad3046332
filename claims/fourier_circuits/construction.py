"""Lemmas 4.11 = C.18 and C.17: an explicit network with the maximum margin.

Setting. The expansion of cos(a_1 + .. + a_k - c) into 2^k products of sines and cosines, each product of
the k input factors turned into 2^{k-1} powers of signed sums: 2^{2k-1} neurons for each frequency
1 .. (p-1)/2, all cosines with the same amplitude.

Statement. With unit amplitude the network computes 2^{k-1} k! sum_zeta cos(2 pi zeta (s - c) / p); its
normalised margin is gamma* at every input and against every wrong label.

Printed wrongly. Both proofs give that sum of cosines the value 0 at a wrong label; it is -1/2. The
difference p/2 to the right label is what enters the margin, so the lemma stands.

Reference: Lemmas 4.11, C.17, C.18 (arXiv 2402.09469).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    counts,
    equals,
    hypothesis,
    instances,
    integers,
    leg,
    odd_integers,
    variant,
)

from ._cyclotomic import normalised_margins, output_values
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

d = sp.Symbol("d", integer=True, nonnegative=True)


def margin_range_exact(k, p):
    """Least and largest normalised margin, in Q(e^{2 pi i / 4p})."""
    return normalised_margins(source_design(k, p), k, p)


def outputs_exact(k, p):
    """Least and largest f(a)[s + d] over all inputs, for d = 0 .. p-1; unit amplitudes."""
    values = output_values(source_design(k, p), k, p)
    pairs = zip(values.min(axis=0), values.max(axis=0), strict=True)
    return [[Fraction(int(v), 2 ** (k + 1)) for v in pair] for pair in pairs]


def outputs_at(k, p, d):
    """Least and largest f(a)[s + d] over all inputs a; unit amplitudes."""
    return outputs_exact(k, p)[d]


def cosine_sum(k, p):
    """What the lemma says that the network computes, at d = 0 .. p-1, twice each."""
    z = sp.Symbol("z", integer=True)
    f = [
        2 ** (k - 1)
        * sp.factorial(k)
        * sp.Sum(sp.cos(2 * sp.pi * z * shift / p), (z, 1, (p - 1) / 2))
        for shift in range(p)
    ]
    return sp.Matrix([value.doit() for value in f for _ in range(2)])


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
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    title="Explicit max-margin network",
    says="2^(2k-1) explicit cosine neurons a frequency compute the sum over frequencies of "
    "cos(2 pi zeta (s-c)/p) and have margin gamma* at every input and wrong label, p odd.",
    domain={k: integers(1), p: odd_integers(3)},
    grid=SIZES,
    closed_form=gamma,
    relation=equals(),
    plot=p,
    legs=[
        leg("margin", margin_range_exact),
        leg(
            "outputs",
            outputs_exact,
            closed_form=cosine_sum,
            grid={"smoke": [{k: 2, p: 5}, {k: 3, p: 3}], "standard": SIZES["standard"][:8]},
        ),
        leg("in balls", with_design(source_design), grid={"smoke": [{k: 2, p: 5}]}),
    ],
    rivals=[
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
        variant("phases that do not add up", leg="in balls",
                simulation=with_design(phases_that_do_not_add_up), at=[{k: 2, p: 5}]),
        variant("first phase 0 only", leg="in balls", simulation=with_design(first_phase_zero),
                at=[{k: 2, p: 5}, {k: 3, p: 5}]),
        variant("negative amplitude at even k", leg="in balls", simulation=negative_amplitude,
                at=[{k: 2, p: 5}]),
        variant("one frequency twice as large", leg="in balls", simulation=unequal_frequencies,
                at=[{k: 2, p: 5}]),
    ],
    assumes=[
        hypothesis("p is odd", without=[{k: 2, p: 4}, {k: 3, p: 6}], leg="in balls",
                   simulation=with_half_frequency),
    ],
)  # fmt: skip

LABELS = {
    "domain": {k: integers(1), p: odd_integers(3), d: integers(0)},
    "where": d < p,
    "grid": {
        "smoke": [{k: i, p: j, d: t} for i, j in ((1, 5), (2, 5), (3, 3)) for t in (0, 1, 2)],
        "standard": [
            {k: i, p: j, d: t}
            for i, j in ((1, 7), (2, 3), (2, 5), (2, 9), (3, 3), (3, 5), (4, 3))
            for t in range(j)
        ],
    },
    "legs": [leg("outputs", outputs_at)],
    "rivals": [
        variant("without k!",
                closed_form=2 ** (k - 2) * (p * sp.KroneckerDelta(d, 0) - 1)),
        variant("2^(k-1) for 2^(k-2)",
                closed_form=2 ** (k - 1) * sp.factorial(k) * (p * sp.KroneckerDelta(d, 0) - 1)),
    ],
}  # fmt: skip

printed_outputs = claim(
    "fourier-construction-outputs-printed",
    lhs=r"f_{s+d}(x)",
    tex=r"2^{k-2}\,k!\,(p-1)\,\delta_{d,0}",
    title="Output of the network at a wrong label, as printed",
    says="The network's output at a wrong label is 0 times its scale.",
    states="fourier-frequency-sum",
    encodes="part",
    expect="fail",
    closed_form=2 ** (k - 2) * sp.factorial(k) * (p - 1) * sp.KroneckerDelta(d, 0),
    **LABELS,
)

corrected_outputs = claim(
    "fourier-construction-outputs",
    lhs=r"f_{s+d}(x)",
    tex=r"2^{k-2}\,k!\,(p\,\delta_{d,0}-1)",
    title="Outputs of the network at right and wrong labels",
    says="With unit amplitudes the output is 2^(k-2) k! (p-1) at the right label and -2^(k-2) k! at "
    "every wrong one.",
    states="fourier-frequency-sum",
    role="corrected",
    corrects="fourier-construction-outputs-printed",
    encodes="part",
    closed_form=2 ** (k - 2) * sp.factorial(k) * (p * sp.KroneckerDelta(d, 0) - 1),
    **LABELS,
)


def neurons_per_frequency(k, p):
    """Distinct neurons (up to the half turn that leaves them alone) of each frequency."""
    kinds = {
        min((n.frequency, n.phases, n.out),
            (n.frequency, tuple((b + 2) % 4 for b in n.phases), (n.out + 2 * k) % 4))
        for n in source_design(k, p)
    }  # fmt: skip
    per = Counter(frequency for frequency, *_ in kinds)
    return [*sorted(set(per.values())), sum(per.values())]


count = claim(
    "fourier-construction-count",
    title="Neurons of the explicit network",
    says="The construction has 2^(2k-1) distinct neurons for each of the (p-1)/2 frequencies.",
    states="fourier-construction",
    encodes="part",
    domain={k: integers(1), p: odd_integers(3)},
    grid={"smoke": {k: [1, 2, 3], p: [3, 5]}, "standard": {k: [1, 2, 3, 4, 5], p: [3, 5, 9, 15]}},
    closed_form=sp.Matrix([2 ** (2 * k - 1), 2 ** (2 * k - 1) * (p - 1) / 2]),
    relation=counts(),
    legs=[leg("counted", neurons_per_frequency)],
    rivals=[
        variant("2^(2k) a frequency",
                closed_form=sp.Matrix([2 ** (2 * k), 2 ** (2 * k) * (p - 1) / 2])),
        variant("56 a frequency at k = 3",
                closed_form=sp.Matrix([56, 28 * (p - 1)]), at=[{k: 3, p: 5}]),
    ],
)  # fmt: skip

# ---------------------------------------------------------------- k = 3 with the printed phases

x1, x2, x3, y = sp.symbols("x1 x2 x3 y", real=True)
FIRST = ((0, 0, 0, 0), (0, 0, 2, 2), (0, 2, 0, 2), (2, 0, 0, 2))
SECOND = ((1, 1, 0, 2), (1, 1, -2, 0), (1, -1, 0, 0), (-1, 1, 0, 0))
"""Phases (theta_1, theta_2, theta_3, theta_w) of two blocks in quarter turns, as printed."""


def block(phases):
    def summed(ns, x1, x2, x3, y):
        """Sum of the block's four neurons at real angles."""
        turned = [
            [ns.cos(x + b * ns.pi / 2) for x, b in zip((x1, x2, x3, y), row, strict=True)]
            for row in phases
        ]
        return sum((u1 + u2 + u3) ** 3 * w for u1, u2, u3, w in turned)

    return summed


def angles(rng):
    return {name: rng.rational((), 9) for name in ("x1", "x2", "x3", "y")}


ANGLES = instances(angles, "x1 x2 x3 y", smoke=12, standard=100)

construction_k3 = claim(
    "fourier-construction-k3",
    lhs=r"\gamma(\theta)",
    title="Explicit network at k = 3 with the printed phases",
    says="The four neurons of the first block sum to 24 times the product of four cosines, those of "
    "the second to -24 sin sin cos cos, and 32 neurons a frequency attain 3/(16 p (p-1)).",
    domain={p: odd_integers(3)},
    grid={"smoke": {p: [3, 5]}, "standard": {p: [3, 5, 7]}},
    closed_form=sp.Rational(3, 16) / (p * (p - 1)),
    legs=[
        leg("margin", lambda p: margin_range_exact(3, p)),
        leg("first block", block(FIRST), instances=ANGLES, grid={"smoke": [{}]},
            closed_form=24 * sp.cos(x1) * sp.cos(x2) * sp.cos(x3) * sp.cos(y), unit=24),
        leg("second block", block(SECOND), instances=ANGLES, grid={"smoke": [{}]},
            closed_form=-24 * sp.sin(x1) * sp.sin(x2) * sp.cos(x3) * sp.cos(y), unit=24),
    ],
    rivals=[
        variant("12 for 24", leg="first block",
                closed_form=12 * sp.cos(x1) * sp.cos(x2) * sp.cos(x3) * sp.cos(y)),
        variant("48 for 24", leg="first block",
                closed_form=48 * sp.cos(x1) * sp.cos(x2) * sp.cos(x3) * sp.cos(y)),
        variant("phases (0, 0, pi, 0)", leg="first block",
                simulation=block((FIRST[0], (0, 0, 2, 0), *FIRST[2:]))),
        variant("second block with +24", leg="second block",
                closed_form=24 * sp.sin(x1) * sp.sin(x2) * sp.cos(x3) * sp.cos(y)),
        variant("3/8", closed_form=sp.Rational(3, 8) / (p * (p - 1))),
    ],
)  # fmt: skip
