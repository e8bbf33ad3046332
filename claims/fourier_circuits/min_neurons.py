"""Least numbers of neurons of a maximum-margin network (derived; the argument is in `_designs`).

Statements. (k+1) 2^{k-1} neurons a frequency suffice at every odd p: rotations by pi j/(k+1) of all sign
patterns. At prime p > k each frequency needs N_k of them, and N_k = (k+1) 2^{k-1} for k = 1, 2, 3, 4: that is
2, 6, 16, 40, by sums of squares checked in integers; N_k >= 2^{k-1} for every k. At p <= k exponents merge and
fewer do: 9 for k = p = 3.

Reference: none; sections 4.5 and 4.6 say that exponentially many are needed, without proof (arXiv 2402.09469).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    choices,
    claim,
    counts,
    equals,
    integers,
    leg,
    minimises,
    odd_integers,
    primes,
    theorem,
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

# ---------------------------------------------------------------- one frequency


def explicit_nodes(k, longer=0):
    """Nodes of the explicit design, after checking its conditions exactly; ``longer``: the turn has so many units
    more."""
    nodes, turn = rotations_and_signs(k)
    turn += longer
    if not is_design(nodes, turn):
        raise ArithmeticError("not a design")
    return distinct_nodes(nodes, turn)


def on_a_longer_turn(k):
    """As many nodes that are no design: the source's neurons have to do."""
    try:
        return explicit_nodes(k, longer=2)
    except ArithmeticError:
        return len(source_design(k, 3))


def certified_nodes(k):
    """Lower bound on the nodes of any design, from a sum of squares in integers."""
    return least_neurons(k)


def even_vectors(k):
    """Vectors of zeros and ones of even weight, differences checked: a bound for every k."""
    return clique_bound(k)


def even_vectors_at_every_frequency(k, p):
    """The same, (p-1)/2 times; none where exponents of the expansion agree modulo p."""
    apart = len({tuple(x % p for x in m) for m in exponents(k)}) == len(exponents(k))
    return clique_bound(k) * ((p - 1) // 2) if apart else 0


def at_a_quarter(k, p):
    """Characters of one frequency that the even-weight vectors give, for each of the p - 1 halves. Shape ()."""
    return even_vectors(k) * (p - 1) // 2


SQUARES = theorem("weak duality", feasible="an explicit sum of squares")
least_per_frequency = claim(
    "fourier-min-neurons",
    title="Least number of neurons of one frequency",
    lhs=r"m_\zeta",
    tex=r"(k+1)\,2^{k-1}",
    says="At prime $p>k$ a maximum-margin network has at least $(k+1)2^{k-1}$ neurons of each "
    "frequency and needs no more, for $k=1,2,3,4$: that is 2, 6, 16, 40.",
    role="derived",
    covers="exact-small-k",
    domain={k: choices(1, 2, 3, 4)},
    grid={"smoke": {k: [1, 2, 3, 4]}},
    closed_form=(k + 1) * 2 ** (k - 1),
    relation=minimises(),
    legs=[
        attained(explicit_nodes),
        certificate(certified_nodes, over="p theta zeta", lemma=SQUARES),
    ],
    rivals=[
        variant("2^(2k-1), the printed number", closed_form=2 ** (2 * k - 1)),
        variant("one neuron less", closed_form=(k + 1) * 2 ** (k - 1) - 1),
        variant("2^k", closed_form=2**k),
        variant("k 2^(k-1)", closed_form=k * 2 ** (k - 1)),
        variant(
            "as many nodes that are no design",
            leg="attained",
            simulation=on_a_longer_turn,
            at={k: [2, 3]},
        ),
        variant(
            "bound of the even-weight vectors",
            leg="certificate",
            simulation=even_vectors,
            at={k: [2, 3, 4]},
        ),
    ],
)


def a_quarter():
    """c = 1/4, whatever k and p are: 2^(k-2) (p-1)."""


CHARACTERS = theorem("Bessel", orthonormal="characters whose differences every design annihilates")
exponential_width = claim(
    "fourier-exponential-width",
    title="Exponentially many neurons are needed",
    lhs=r"m",
    says="At prime $p > k$ a maximum-margin network has at least $2^{k-1}$ neurons of each frequency, "
    "$2^{k-2} (p-1)$ in all: that many characters have differences which every design "
    "annihilates.",
    states=["fourier-min-neurons", "fourier-neuron-count", "fourier-parity-limit"],
    role="derived",
    covers="lower-every-k exponentially-many exponential-general-p",
    domain={k: integers(1), p: primes(3)},
    where=k < p,
    grid={
        "smoke": [{k: 1, p: 3}, {k: 2, p: 3}, {k: 3, p: 5}, {k: 4, p: 5}],
        "standard": [{k: i, p: j} for i in range(1, 7) for j in (5, 7, 11) if j > i],
    },
    closed_form=2 ** (k - 2) * (p - 1),
    relation=counts(),
    legs=[
        leg(
            "orthonormal characters",
            even_vectors_at_every_frequency,
            side="certificate",
            covers="lower-every-k exponential-general-p",
            over="theta zeta",
            lemma=CHARACTERS,
        ),
        leg(
            "at this constant",
            at_a_quarter,
            covers="exponentially-many",
            gives="c",
            chosen_by=a_quarter,
        ),
    ],
    rivals=[
        variant("2^k a frequency", closed_form=2 ** (k - 1) * (p - 1)),
        variant("k + 1 a frequency", closed_form=(k + 1) * (p - 1) / 2),
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
    title="A smaller explicit maximum-margin network",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says="At every odd $p$, prime or not, $(k+1) 2^{k-1}$ explicit neurons a frequency have the margin"
    r" $\gamma^*$ at every input and wrong label.",
    states=["fourier-min-neurons", "fourier-neuron-count", "fourier-construction"],
    role="derived",
    covers="upper omega-4-to-the-k literal-uniqueness",
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
        leg("cyclotomic", margin_of_small, gives="theta"),
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
        variant(
            "k rotations",
            leg="linear phases",
            simulation=k_rotations,
            at=[{k: 2, p: 5}, {k: 3, p: 5}],
        ),
        variant(
            "direction (1, 3) for k = 2",
            leg="linear phases",
            simulation=wrong_direction,
            at=[{k: 2, p: 5}],
        ),
    ],
)

# ---------------------------------------------------------------- p <= k


def merged_margin(k, p):
    """Least and largest normalised margin of the nine neurons at k = p = 3, exactly."""
    return normalised_margins(merged_design(), k, p, 6)


small_modulus = claim(
    "fourier-neuron-count-small-modulus",
    title=r"At $p \le k$ fewer neurons do",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"At $k = p = 3$, where exponents merge, nine neurons have the margin $\gamma^*$ at every "
    "input and wrong label: seven less than at primes $p > k$.",
    states="fourier-min-neurons",
    role="derived",
    covers="merging",
    domain={k: choices(3), p: choices(3)},
    grid={"smoke": [{k: 3, p: 3}]},
    closed_form=gamma,
    legs=[leg("cyclotomic", merged_margin, gives="theta")],
    rivals=[
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
        variant("base k+1", closed_form=gamma * 2 ** ((k + 1) / 2)),
        variant("nine neurons of the small design", closed_form=gamma * sp.Rational(9, 16)),
    ],
)
