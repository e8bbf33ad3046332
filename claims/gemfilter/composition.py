"""Definition 9.2: the transformer as a composition, and its first r layers as a prefix of it.

Setting. F_{1:m} = g_m o Attn_m o ... o g_1 o Attn_1 o g_0 o E; g_i holds output projection, residual connections and
the MLP. One program runs all m layers; another runs r of them and goes on with the rest.

Statement. The two give the same final state, so that F_{1:r} is what the first r layers of F_{1:m} compute.

Reference: Definitions 9.2, G.3 (arXiv 2409.17422).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, counts, integers, leg, variant

from ._machine import Arrays
from ._transformer import Sizes, prompt_layer, standard_prompt, tokens_of

n, m, r = sp.symbols("n m r", integer=True, positive=True)


def continued(ops, z, state, layers):
    for layer in layers:
        state = prompt_layer(ops, z, layer, state)[0]
    return state


def differing(n, m, r, order):
    """Entries of the final state that differ between F_{1:m} and F_{1:r} continued by the layers of ``order``."""
    whole = standard_prompt(Arrays(), Sizes(n, 1, 0, m, 2, 3, 4), tokens_of(n))[0]
    z = Sizes(n, 1, 0, r, 2, 3, 4)
    ops = Arrays()
    state = standard_prompt(ops, z, tokens_of(n))[0]
    return int((whole != continued(ops, z, state, order)).sum())


def in_order(n, m, r):
    return differing(n, m, r, range(r, m))


def in_reverse(n, m, r):
    return differing(n, m, r, reversed(range(r, m)))


def a_layer_twice(n, m, r):
    return differing(n, m, r, range(r - 1, m))


composition = claim(
    "gemfilter-composition",
    lhs=r"\#\{\text{entries in which }F_{r+1:m}\circ F_{1:r}\text{ and }F_{1:m}\text{ differ}\}",
    states="gemfilter-attention-def",
    title="The first $r$ layers are a prefix",
    says="$F_{1:r}$ continued by layers $r+1$ to $m$ is $F_{1:m}$, for every $r$.",
    role="reading",
    covers="transformer-composition",
    domain={n: integers(1), m: integers(1), r: integers(1)},
    where=r <= m,
    grid={"smoke": {n: [1, 5], m: [1, 3, 4], r: [1, 2, 3]}},
    closed_form=sp.Integer(0),
    relation=counts(),
    legs=[leg("two programs", in_order)],
    rivals=[
        variant("layers in reverse", simulation=in_reverse),
        variant("the filter layer twice", simulation=a_layer_twice),
    ],
)
