"""The parity networks cannot see a global flip of the labels (derived).

Setting. A network of heads in pairs (a, W), (a, -W): each pair adds a (relu(u) + relu(-u)), u = y^T X W x_q / M
linear in the labels y.

Statement. g(X, -y, x_q) = g(X, y, x_q) for every prompt and query, any W. So the accuracy at a share f of
independently flipped labels is that at 1 - f.

Reference: derived; context of section 5.6 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, equals, formula, instances, integers, leg, variant

from ._parity import bit_network

nu = sp.symbols("nu", integer=True, positive=True)

# u: the argument of a head on the prompt with labels y; -u on that with labels -y.
pairs = formula(
    "icl-parity-even-pairs",
    states="icl-parity-even-symmetry",
    title="A pair of heads is even in the labels",
    says="a*(Max(0, u) + Max(0, -u)) == a*(Max(0, -u) + Max(0, -(-u)))",
    over=["a in [-1, 1]", "u in R"],
    role="derived",
    covers="global-flip",
    reads={"g": "a u", "X": "u", "y": "u", "x_q": "u"},
    rivals={"a head alone": "a*Max(0, u) == a*Max(0, -u)"},
)


def prompts(rng, nu):
    """A prompt mean (y^T Phi)/M as d small rationals, and a query."""
    return {"mean": rng.rational((2**nu,), 9), "query": [int(x) for x in rng.signs((2**nu,))]}


def network_output(mean, query, nu, sign=1, heads=None):
    """Output of the diagonal network on a prompt with mean feature ``mean``: sum a relu(sum_c mean_c v_c phi_c)."""
    network = bit_network(nu, 2**nu) if heads is None else heads
    total = Fraction(0)
    for head in network:
        inner = sum(sign * Fraction(m) * head.v[c][c] * query[c] for c, m in enumerate(mean))
        total += head.a * max(Fraction(0), inner)
    return total


def as_it_is(mean, query, nu):
    return network_output(mean, query, nu)


def flipped(mean, query, nu):
    return network_output(mean, query, nu, sign=-1)


def unpaired(mean, query, nu):
    return network_output(mean, query, nu, sign=-1, heads=bit_network(nu, 2**nu)[::2])


even_symmetry = claim(
    "icl-parity-even-symmetry",
    lhs=r"g(X,y,x_q)",
    tex=r"g(X,-y,x_q)",
    title="The parity networks cannot see a global label flip",
    says="For every prompt and query, $g(X, -y, x_q) = g(X, y, x_q)$.",
    role="derived",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}, "standard": {nu: [1, 2, 3, 4, 5]}},
    relation=equals(),
    legs=[
        leg("random prompts", as_it_is, reference=flipped,
            instances=instances(prompts, "mean query", smoke=20, standard=200)),
    ],
    rivals=[variant("heads without their negatives", reference=unpaired)],
)  # fmt: skip
