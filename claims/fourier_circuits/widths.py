"""How many neurons a maximum-margin network needs.

Printed. 2^{2k-2} (p-1) neurons suffice for the maximum margin (all that Theorem 4.9 uses); the
introduction calls this the necessary number.

Refuted and replaced (derived here; see `_designs` for the argument).
- (k+1) 2^{k-1} neurons a frequency suffice at every odd p: rotations by pi j/(k+1) of all sign patterns.
- At prime p > k each frequency needs N_k of them, and N_k = (k+1) 2^{k-1} for k = 1, 2, 3, 4: that is 2, 6,
  16 and 40. The lower bounds are explicit sums of squares, checked in integers. At p <= k exponents merge
  and fewer do: 9 for k = p = 3.
- N_k >= 2^{k-1} for every k, so exponentially many neurons are needed, which the source says without
  proof (sections 4.5, 4.6).

Reference: Theorems 4.9, C.21, C.22 and the introduction of the chapter (arXiv 2402.09469).
"""

from __future__ import annotations

from theorycheck import (
    attained,
    certificate,
    choices,
    claim,
    counts,
    equals,
    hypothesis,
    integers,
    leg,
    maximises,
    minimises,
    odd_integers,
    primes,
    search,
    variant,
)

from ._cyclotomic import normalised_margins
from ._designs import (
    clique_bound,
    distinct_nodes,
    exponents,
    is_design,
    least_neurons,
    rotations_and_signs,
)
from ._enumeration import design_margins
from ._formula import gamma, k, p
from ._network import (
    cosine_network,
    linear_design,
    margin_range,
    merged_design,
    small_design,
    smallest_margin,
    source_design,
)
from ._training import best_margin

printed = 2 ** (2 * k - 2) * (p - 1)
proved = (k + 1) * 2 ** (k - 2) * (p - 1)

# ---------------------------------------------------------------- one frequency


def explicit_nodes(k):
    """Nodes of the explicit design, after checking its conditions exactly."""
    nodes, turn = rotations_and_signs(k)
    if not is_design(nodes, turn):
        raise ArithmeticError("not a design")
    return distinct_nodes(nodes, turn)


def certified_nodes(k):
    """Lower bound on the nodes of any design, from a sum of squares in integers."""
    return least_neurons(k)


def even_vectors(k):
    """Vectors of zeros and ones of even weight, differences checked: a bound for every k."""
    return clique_bound(k)


least_per_frequency = claim(
    "fourier-min-neurons",
    lhs=r"m_\zeta",
    tex=r"(k+1)\,2^{k-1}",
    title="Least number of neurons of one frequency",
    says="At prime p > k a maximum-margin network has at least (k+1) 2^(k-1) neurons of each frequency "
    "and needs no more, for k = 1, 2, 3, 4: that is 2, 6, 16, 40.",
    role="derived",
    domain={k: choices(1, 2, 3, 4)},
    grid={"smoke": {k: [1, 2, 3, 4]}},
    closed_form=(k + 1) * 2 ** (k - 1),
    relation=minimises(),
    legs=[attained(explicit_nodes), certificate(certified_nodes)],
    rivals=[
        variant("2^(2k-1), the printed number", closed_form=2 ** (2 * k - 1)),
        variant("one neuron less", closed_form=(k + 1) * 2 ** (k - 1) - 1),
        variant("2^k", closed_form=2**k),
        variant("k 2^(k-1)", closed_form=k * 2 ** (k - 1)),
        variant("bound of the even-weight vectors", leg="certificate", simulation=even_vectors,
                at={k: [2, 3, 4]}),
    ],
)  # fmt: skip

exponential_width = claim(
    "fourier-exponential-width",
    lhs=r"m_\zeta",
    title="Exponentially many neurons are needed",
    says="At prime p > k a maximum-margin network has at least 2^(k-1) neurons of each frequency: that "
    "many characters have differences which every design annihilates.",
    states="fourier-min-neurons",
    role="derived",
    encodes="part",
    domain={k: integers(1)},
    grid={"smoke": {k: range(1, 6)}, "standard": {k: range(1, 8)}},
    closed_form=2 ** (k - 1),
    relation=counts(),
    legs=[leg("orthonormal characters", even_vectors)],
    rivals=[
        variant("2^k", closed_form=2**k),
        variant("k + 1", closed_form=k + 1),
    ],
)


def margin_of_small(k, p):
    """Least and largest normalised margin of the network with (k+1) 2^{k-1} neurons a frequency."""
    return normalised_margins(small_design(k, p), k, p, 2 * (k + 1))


def small_network(ns, k, p):
    return design_margins(ns, small_design(k, p), k, p, 2 * (k + 1))


LINEAR = {2: ((1, 4), 6, 6), 3: ((1, 3, 12), 18, 18), 4: ((57, 63, 81, 25), 54, 108)}
"""Nodes h * direction / turn for h = 0 .. nodes - 1: (direction, nodes, turn)."""


def linear_network(ns, k, p):
    direction, nodes, turn = LINEAR[k]
    return margin_range(
        ns, cosine_network(ns, linear_design(p, direction, nodes, turn), p, turn), k, p
    )


def k_rotations(ns, k, p):
    return smallest_margin(ns, cosine_network(ns, small_design(k, p, k), p, 2 * k), k, p)


def wrong_direction(ns, k, p):
    return smallest_margin(ns, cosine_network(ns, linear_design(p, (1, 3), 6, 6), p, 6), k, p)


small_networks = claim(
    "fourier-small-network",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    title="A smaller explicit maximum-margin network",
    says="At every odd p, prime or not, (k+1) 2^(k-1) explicit neurons a frequency have the margin "
    "gamma* at every input and wrong label.",
    states="fourier-min-neurons",
    role="derived",
    encodes="part",
    domain={k: integers(1), p: odd_integers(3)},
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 9}, {k: 3, p: 3}, {k: 3, p: 5}],
        "standard": [
            *[{k: 1, p: 5}, {k: 1, p: 15}, *[{k: 2, p: j} for j in (3, 5, 7, 9, 15)]],
            *[{k: 3, p: 3}, {k: 3, p: 5}, {k: 3, p: 7}, {k: 4, p: 3}],
        ],
    },
    closed_form=gamma,
    relation=equals(),
    plot=p,
    legs=[
        leg("cyclotomic", margin_of_small),
        leg(
            "intervals",
            small_network,
            arithmetic="interval",
            required=False,
            grid={
                "smoke": [{k: 4, p: 3}],
                "standard": [{k: 3, p: 15}, {k: 4, p: 7}, {k: 4, p: 9}, {k: 5, p: 5}, {k: 6, p: 3}],
                "paper": [{k: 3, p: 97}, {k: 4, p: 47}, {k: 5, p: 23}],
            },
        ),
        leg(
            "linear phases",
            linear_network,
            where=k >= 2,  # the design is given for two summands or more
            grid={
                "smoke": [{k: 2, p: 5}, {k: 3, p: 5}],
                "standard": [*[{k: 2, p: j} for j in (3, 5, 9, 13)], {k: 3, p: 7}, {k: 4, p: 5}],
            },
        ),
    ],
    rivals=[
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
        variant("k rotations", leg="linear phases", simulation=k_rotations,
                at=[{k: 2, p: 5}, {k: 3, p: 5}]),
        variant("direction (1, 3) for k = 2", leg="linear phases", simulation=wrong_direction,
                at=[{k: 2, p: 5}]),
    ],
)  # fmt: skip

# ---------------------------------------------------------------- the whole network


def sufficient_width(k, p):
    """Width of the small network, after checking that it has the margin of the source's, exactly."""
    small = small_design(k, p)
    if normalised_margins(small, k, p, 2 * (k + 1)) != normalised_margins(
        source_design(k, p), k, p
    ):
        raise ArithmeticError("the margins differ")
    return len(small)


def necessary_width(k, p):
    """Lower bound on the width of a maximum-margin network, frequency by frequency.

    Checks that no two exponents of the expansion agree modulo p.
    """
    if len({tuple(x % p for x in m) for m in exponents(k)}) != len(exponents(k)):
        raise ArithmeticError(f"exponents merge modulo {p}")
    return least_neurons(k) * ((p - 1) // 2)


def merged_width(k, p):
    """Width of the nine neurons at k = p = 3, after checking that they have the margin of the source's."""
    if normalised_margins(merged_design(), k, p, 6) != normalised_margins(
        source_design(k, p), k, p
    ):
        raise ArithmeticError("the margins differ")
    return len(merged_design())


printed_width = claim(
    "fourier-neuron-count",
    lhs=r"m",
    tex=r"2^{2k-2}\,(p-1)",
    title="Is the printed width necessary?",
    says="The least width of a maximum-margin network is 2^(2k-2) (p-1).",
    expect="fail",
    domain={k: integers(2), p: odd_integers(3)},
    grid={
        "smoke": [{k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}],
        "standard": [{k: 3, p: 5}, {k: 4, p: 3}, {k: 5, p: 3}],
    },
    closed_form=printed,
    relation=minimises(),
    legs=[attained(sufficient_width)],
    rivals=[variant("twice the width", closed_form=2 * printed)],
)

corrected_width = claim(
    "fourier-neuron-count-corrected",
    lhs=r"m",
    tex=r"(k+1)\,2^{k-2}\,(p-1)",
    title="Least width of a maximum-margin network",
    says="At prime p > k, k = 2, 3, 4, the least width of a maximum-margin network is (k+1) 2^(k-2) (p-1).",
    states=["fourier-neuron-count", "fourier-min-neurons"],
    role="corrected",
    corrects="fourier-neuron-count",
    domain={k: choices(2, 3, 4), p: primes(3)},
    where=k < p,
    grid={
        "smoke": [{k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 5}],
        "standard": [*[{k: 2, p: j} for j in (3, 5, 7, 11)], {k: 3, p: 5}, {k: 3, p: 7}],
        "deep": [{k: 2, p: 13}, {k: 3, p: 11}, {k: 4, p: 5}],
    },
    closed_form=proved,
    relation=minimises(),
    plot=p,
    legs=[
        attained(sufficient_width),
        certificate(
            necessary_width,
            grid={
                "smoke": [{k: 2, p: 3}, {k: 3, p: 5}, {k: 4, p: 5}],
                "standard": [{k: i, p: j} for i in (2, 3, 4) for j in (3, 5, 7, 11) if j > i],
            },
        ),
    ],
    rivals=[
        variant("printed width", closed_form=printed),
        variant("2^k a frequency", closed_form=2 ** (k - 1) * (p - 1)),
        variant("one neuron a frequency", closed_form=(p - 1) / 2),
        variant("one neuron less a frequency", closed_form=proved - (p - 1) / 2),
    ],
    assumes=[hypothesis("p > k", without=[{k: 3, p: 3}], leg="attained", simulation=merged_width)],
)

small_modulus = claim(
    "fourier-neuron-count-small-modulus",
    lhs=r"m",
    tex=r"(k+1)\,2^{k-2}\,(p-1)",
    title="At p <= k fewer neurons do",
    says="Also at p <= k a maximum-margin network needs (k+1) 2^(k-2) (p-1) neurons.",
    states="fourier-min-neurons",
    role="beyond_scope",
    expect="fail",
    domain={k: choices(3), p: choices(3)},
    grid={"smoke": [{k: 3, p: 3}]},
    closed_form=proved,
    relation=minimises(),
    legs=[attained(merged_width)],
    rivals=[variant("printed width", closed_form=printed)],
)

# ---------------------------------------------------------------- seen in training


def best_of_width_six(k, p):
    """Best margin of 6 neurons a frequency from four Gaussian starts."""
    return best_margin(k, p, 6 * ((p - 1) // 2), starts=4)


def best_of_width_five(k, p):
    return best_margin(k, p, 6 * ((p - 1) // 2) - 1, starts=4)


trained_widths = claim(
    "fourier-trained-widths",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    title="Width threshold seen in training",
    says="At k = 2 trainings with 3 (p-1) neurons reach the maximum margin from Gaussian starts; with one "
    "neuron less none does.",
    states="fourier-neuron-count",
    role="derived",
    encodes="proxy",
    domain={k: choices(2), p: primes(3)},
    grid={"smoke": [{k: 2, p: 5}], "standard": [{k: 2, p: 3}, {k: 2, p: 5}]},
    closed_form=gamma,
    mutate=False,  # a search tells widths apart, not formulas: `max_margin` does that
    relation=maximises(),
    legs=[
        search(
            best_of_width_six,
            name="3 (p-1) neurons",
            arithmetic="external",
            error=0,
            model="float64 trainings; the network found is evaluated in balls",
            required=True,
        )
    ],
    rivals=[
        variant("one neuron less", simulation=best_of_width_five, at=[{k: 2, p: 5}]),
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
    ],
)
