"""Definition 9.2: the transformer as a composition, and its first r layers as a prefix of it.

Setting. F_{1:m} = g_m o Attn_m o ... o g_1 o Attn_1 o g_0 o E; g_i holds output projection, residual connections and
the MLP. One program runs all m layers; another runs r of them and goes on with the rest.

Statement. The two give the same final state, so that F_{1:r} is what the first r layers of F_{1:m} compute. In tiles of
any size the first is the definition written out: softmax of scores/sqrt(d) over the keys up to a row's own, both
residual connections, a rectifier between the two matrices of the MLP.

Reference: Definitions 9.2, G.3 (arXiv 2409.17422).
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from theorycheck import claim, counts, integers, leg, variant

from ._machine import Arrays
from ._transformer import Sizes, load, prompt_layer, standard_prompt, tokens_of

n, m, r = sp.symbols("n m r", integer=True, positive=True)


def continued(ops, z, state, layers):
    layers = list(layers)
    load(ops, z, len(layers))
    for layer in layers:
        state = prompt_layer(ops, z, layer, state)[0]
    return state


def in_two_parts(n, m, r, order):
    """F_{1:r} continued by the layers of ``order``; how many layers each of both parts runs."""
    z = Sizes(n, 1, 0, r, 2, 3, 4)
    ops = Arrays()
    state = standard_prompt(ops, z, tokens_of(n))[0]
    prefix = len(ops.meter.layers)
    state = continued(ops, z, state, order)
    return state, [prefix, len(ops.meter.layers) - prefix]


def differing(n, m, r, order):
    """Entries of the final state that differ between F_{1:m} and F_{1:r} continued by the layers of ``order``."""
    whole = standard_prompt(Arrays(), Sizes(n, 1, 0, m, 2, 3, 4), tokens_of(n))[0]
    return int((whole != in_two_parts(n, m, r, order)[0]).sum())


def later(m, r):
    return range(r, m)


def in_order(n, m, r):
    return differing(n, m, r, later(m, r))


def layers_run(n, m, r):
    """By F_{1:r}, and by what continues it. Shape (2,)."""
    return in_two_parts(n, m, r, later(m, r))[1]


def layers_of_the_overlap(n, m, r):
    return in_two_parts(n, m, r, range(r - 1, m))[1]


def in_reverse(n, m, r):
    return differing(n, m, r, reversed(range(r, m)))


def a_layer_twice(n, m, r):
    return differing(n, m, r, range(r - 1, m))


ROUNDING = 2**-30
"""Programs that add up the same few dozen products of numbers of order 1 in other orders are off by some units of
2^-53; what is another sum is seen to be off by more (see the rival that is a millionth off)."""


IN_ORDER = ("Wq", "Wk", "Wv")


def projections(ops, layer, x, names=IN_ORDER):
    """Queries, keys and values of rows x. Three of the shape of x."""
    width = x.shape[-1]
    return [x @ ops.weights(layer, name, width, width) for name in names]


def after_attention(ops, layer, x, mixed, F, residual=True, rectified=True):
    """The rest of a layer on rows x, of which ``mixed`` is what the heads give. Of the shape of x."""
    width = x.shape[-1]
    x = x + mixed @ ops.weights(layer, "Wo", width, width)
    inner = x @ ops.weights(layer, "W1", width, F)
    inner = inner * (inner > 0) if rectified else inner
    return (x if residual else 0) + inner @ ops.weights(layer, "W2", F, width)


def written_out(
    n, m, h=2, d=3, F=4, scale=1, mask=True, residual=True, rectified=True, names=IN_ORDER
):
    """F_{1:m} row by row and head by head; ``scale``: of the d under the root. Shape (n, h d)."""
    ops, width = Arrays(), h * d
    x = ops.embedded(tokens_of(n), 0, width)
    for layer in range(m):
        query, key, value = projections(ops, layer, x, names)
        mixed = np.zeros((n, width))
        for i in range(n):
            for head in (slice(j * d, (j + 1) * d) for j in range(h)):
                seen = i + 1 if mask else n
                scores = key[:seen, head] @ query[i, head] / (scale * d) ** 0.5
                weights = np.exp(scores - scores.max())
                mixed[i, head] = weights @ value[:seen, head] / weights.sum()
        x = after_attention(ops, layer, x, mixed, F, residual, rectified)
    return x


def written_out_layer(n, layer, h, d, F):
    """Queries, keys and values of a layer, from 0, on the state written out. Shapes (n, h d)."""
    return projections(Arrays(), layer, written_out(n, layer, h, d, F))


def differing_tiled(n, m, program=Arrays, **changed):
    """Entries, over some sizes of tiles, that are not those of the definition written out (a nan is none)."""
    expected = written_out(n, m, **changed)
    found = [
        standard_prompt(program(), Sizes(n // B, B, n % B, m, 2, 3, 4), tokens_of(n))[0]
        for B in sorted({1, min(2, n), (n + 1) // 2, n})
    ]
    return int(sum((~(abs(state - expected) <= ROUNDING)).sum() for state in found))


class MaskedAlike(Arrays):
    """Each row of a tile sees what its last row sees: right in tiles of one row."""

    def masked_softmax(self, scores, first, width):
        return super().masked_softmax(scores, first + len(scores) - 1, width)


def masked_alike(n, m):
    return differing_tiled(n, m, program=MaskedAlike)


class MaskedFromTheStart(Arrays):
    """Several rows see as much as if they were the first: right in tiles of one row, and in one tile of all."""

    def masked_softmax(self, scores, first, width):
        return super().masked_softmax(scores, first if len(scores) == 1 else 0, width)


def masked_from_the_start(n, m):
    return differing_tiled(n, m, program=MaskedFromTheStart)


def queries_for_keys(n, m):
    return differing_tiled(n, m, names=("Wk", "Wq", "Wv"))


def keys_for_values(n, m):
    return differing_tiled(n, m, names=("Wq", "Wv", "Wk"))


def tiled(n, m):
    return differing_tiled(n, m)


def unmasked(n, m):
    return differing_tiled(n, m, mask=False)


def unscaled(n, m):
    return differing_tiled(n, m, scale=1 / 3)


def hardly_unscaled(n, m):
    """Off by one part in a million."""
    return differing_tiled(n, m, scale=1 + 2**-20)


def without_residual(n, m):
    return differing_tiled(n, m, residual=False)


def linear(n, m):
    return differing_tiled(n, m, rectified=False)


composition = claim(
    "gemfilter-composition",
    lhs=r"\#\{\text{entries in which }F_{r+1:m}\circ F_{1:r}\text{ and }F_{1:m}\text{ differ}\}",
    states="gemfilter-attention-def",
    title="The first $r$ layers are a prefix",
    says="$F_{1:r}$ continued by layers $r+1$ to $m$ is $F_{1:m}$, for every $r$; in tiles of any size it is the "
    "definition written out.",
    role="reading",
    covers="transformer-composition",
    domain={n: integers(1), m: integers(1), r: integers(1)},
    where=r <= m,
    grid={"smoke": {n: [1, 5], m: [1, 3, 4], r: [1, 2, 3]}},
    closed_form=sp.Integer(0),
    relation=counts(),
    legs=[
        leg("two programs", in_order),
        leg(
            "layers run",
            layers_run,
            closed_form=sp.Matrix([r, m - r]),
            lhs=r"\#\text{layers}",
            tex=r"(r,\ m-r)",
        ),
        leg("written out", tiled),
    ],
    rivals=[
        variant("the filter layer in both", simulation=layers_of_the_overlap, leg="layers run"),
        variant("layers in reverse", simulation=in_reverse, leg="two programs"),
        variant("the filter layer twice", simulation=a_layer_twice, leg="two programs"),
        variant("the rows of a tile masked alike", simulation=masked_alike, leg="written out"),
        variant(
            "several rows masked as the first", simulation=masked_from_the_start, leg="written out"
        ),
        variant("queries for keys", simulation=queries_for_keys, leg="written out"),
        variant("keys for values", simulation=keys_for_values, leg="written out"),
        variant("no mask", simulation=unmasked, leg="written out"),
        variant("scores without 1/sqrt(d)", simulation=unscaled, leg="written out"),
        variant("a millionth more under the root", simulation=hardly_unscaled, leg="written out"),
        variant("one residual connection", simulation=without_residual, leg="written out"),
        variant("no rectifier", simulation=linear, leg="written out"),
    ],
)
