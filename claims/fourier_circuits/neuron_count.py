"""Width of Theorem 4.9: 2^{2k-2} (p-1) neurons, sufficient by the theorem, called necessary in the introduction.

Two readings. Sufficient: at every width from that number on the maximum margin is reached, the theorem's own statement;
right. Necessary, as the introduction and section 4.5 have it: false, (k+1) 2^{k-2} (p-1) neurons reach it, and at prime
p > k, k <= 4, these are least (`min_neurons`).

Reference: Theorems 4.9, C.21, C.22; introduction of the chapter (arXiv 2402.09469).
"""

from __future__ import annotations

from math import gcd

from theorycheck import (
    attained,
    certificate,
    choices,
    claim,
    counts,
    hypothesis,
    integers,
    leg,
    maximises,
    minimises,
    odd_integers,
    primes,
    variant,
)

from ._cyclotomic import normalised_margins
from ._designs import exponents, least_neurons
from ._formula import gamma, k, p
from ._network import distinct, merged_design, small_design, source_design
from .max_margin import exact_network, neuron_bound, opposite_outputs, padding, padding_with_ones

printed = 2 ** (2 * k - 2) * (p - 1)
proved = (k + 1) * 2 ** (k - 2) * (p - 1)


def sufficient_width(k, p):
    """Width of the small network, after checking that it has the margin of the source's, exactly."""
    small = small_design(k, p)
    if normalised_margins(small, k, p, 2 * (k + 1)) != normalised_margins(
        source_design(k, p), k, p
    ):
        raise ArithmeticError("the margins differ")
    return len(small)


def width_of_the_source(k, p):
    return len(source_design(k, p))


def neurons_of_the_source(k, p):
    """Width of its network: how many neurons differ as functions."""
    return distinct(source_design(k, p), k)


def necessary_width(k, p):
    """Lower bound on the width of a maximum-margin network, frequency by frequency.

    Checks that no two exponents of the expansion agree modulo p over what it has in common with a frequency.
    """
    for modulus in {p // gcd(p, frequency) for frequency in range(1, (p - 1) // 2 + 1)}:
        if len({tuple(x % modulus for x in m) for m in exponents(k)}) != len(exponents(k)):
            raise ArithmeticError(f"exponents merge modulo {modulus}")
    return least_neurons(k) * ((p - 1) // 2)


def merged_width(k, p):
    """Width of the nine neurons at k = p = 3, after checking that they have the margin of the source's."""
    if normalised_margins(merged_design(), k, p, 6) != normalised_margins(
        source_design(k, p), k, p
    ):
        raise ArithmeticError("the margins differ")
    return len(merged_design())


sufficient = claim(
    "fourier-neuron-count-sufficient",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    states="fourier-neuron-count",
    title="The printed width is sufficient",
    says="At every width from $2^{2k-2} (p-1)$ on, $p$ odd, some network has the maximum margin "
    r"$\gamma^*$.",
    role="reading",
    covers="sufficient",
    domain={k: integers(1), p: odd_integers(3)},
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 9}, {k: 3, p: 3}],
        "standard": [{k: 2, p: 7}, {k: 3, p: 5}, {k: 4, p: 3}],
    },
    closed_form=gamma,
    relation=maximises(),
    legs=[
        attained(exact_network, gives="theta"),
        leg("further neurons", padding, arithmetic="proof", over="m"),
        leg(
            "least such width",
            neurons_of_the_source,
            relation=counts(),
            closed_form=printed,
            lhs="m",
            tex=r"2^{2k-2}\,(p-1)",
        ),
        certificate(neuron_bound),
    ],
    rivals=[
        variant(
            "the small network's",
            leg="least such width",
            simulation=sufficient_width,
            at=[{k: 2, p: 3}],
        ),
        variant("2^(2k-1) (p-1)", leg="least such width", closed_form=2 * printed),
        variant("further neurons of ones", simulation=padding_with_ones, leg="further neurons"),
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
        variant("base k+1", closed_form=gamma * 2 ** ((k + 1) / 2)),
        variant("outputs turned by half a turn", simulation=opposite_outputs, leg="attained"),
    ],
)

printed_width = claim(
    "fourier-neuron-count",
    title="The printed width, read as necessary",
    lhs=r"m",
    tex=r"2^{2k-2}\,(p-1)",
    says="As the introduction says, no network of fewer than $2^{2k-2} (p-1)$ neurons has the maximum "
    "margin.",
    role="reading",
    expect="fail",
    covers="necessary",
    domain={k: integers(2), p: odd_integers(3)},
    grid={
        "smoke": [{k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}],
        "standard": [{k: 3, p: 5}, {k: 4, p: 3}, {k: 5, p: 3}],
    },
    closed_form=printed,
    relation=minimises(),
    legs=[attained(sufficient_width, gives="theta")],
    rivals=[variant("twice the width", closed_form=2 * printed)],
)

corrected_width = claim(
    "fourier-neuron-count-corrected",
    title="Least width of a maximum-margin network",
    lhs=r"m",
    tex=r"(k+1)\,2^{k-2}\,(p-1)",
    says="At prime $p>k$, $k=1,2,3,4$, the least width of a maximum-margin network is "
    "$(k+1)2^{k-2}(p-1)$.",
    states=["fourier-neuron-count", "fourier-min-neurons"],
    role="corrected",
    corrects="fourier-neuron-count",
    covers="may-not-be-tight least-width",
    domain={k: choices(1, 2, 3, 4), p: primes(3)},
    where=k < p,
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 5}],
        "standard": [*[{k: 2, p: j} for j in (3, 5, 7, 11)], {k: 3, p: 5}, {k: 3, p: 7}],
        "deep": [{k: 2, p: 13}, {k: 3, p: 11}, {k: 4, p: 5}],
    },
    closed_form=proved,
    relation=minimises(),
    plot=p,
    legs=[
        attained(sufficient_width, gives="m"),
        certificate(
            necessary_width,
            covers="least-width",
            grid={
                "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 3, p: 5}, {k: 4, p: 5}],
                "standard": [{k: i, p: j} for i in (2, 3, 4) for j in (3, 5, 7, 11) if j > i],
            },
        ),
    ],
    rivals=[
        variant("printed width", closed_form=printed),
        variant("the source's network", leg="attained", simulation=width_of_the_source),
        variant("2^k a frequency", closed_form=2 ** (k - 1) * (p - 1)),
        variant("one neuron a frequency", closed_form=(p - 1) / 2),
        variant("one neuron less a frequency", closed_form=proved - (p - 1) / 2),
    ],
    assumes=[hypothesis("p > k", without=[{k: 3, p: 3}], leg="attained", simulation=merged_width)],
)

smaller_width = claim(
    "fourier-neuron-count-smaller",
    title="A smaller width that suffices",
    lhs=r"m",
    tex=r"(k+1)\,2^{k-2}\,(p-1)",
    states="fourier-neuron-count",
    says="At $k=2$, $p=3$ six neurons have the margin of the source's eight at every input and wrong label.",
    role="derived",
    covers="may-not-be-tight",
    domain={k: choices(2), p: choices(3)},
    grid={"smoke": [{k: 2, p: 3}]},
    closed_form=proved,
    legs=[leg("cyclotomic", sufficient_width, gives="m")],
    rivals=[
        variant("printed width", closed_form=printed),
        variant("one neuron less a frequency", closed_form=proved - (p - 1) / 2),
        variant("the source's network", leg="cyclotomic", simulation=width_of_the_source),
    ],
)
