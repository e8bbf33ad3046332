"""Section G.2: index sets and layers run, against SnapKV and H2O.

Setting. The instrumented transformer of `_transformer`. SnapKV (and H2O) select for each layer and head; the
two-pass method selects once, in layer r, and runs no layer above r on the prompt. (Positions are in `algorithm`.)

Statements. m h index sets against one; r layer runs on the whole prompt against m.

Reference: section G.2 (arXiv 2409.17422).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, counts, integers, leg, variant

from ._machine import Arrays
from ._transformer import Sizes, first_pass, snapkv_prompt, standard_prompt, tokens_of

m, h, r = sp.symbols("m h r", integer=True, positive=True)
LENGTH, KEPT = 7, 3


def sizes(m, h):
    return Sizes(LENGTH, 1, 0, m, h, 2, 3)


def snapkv_sets(m, h):
    """Index sets stored by SnapKV. Shape ()."""
    ops = Arrays()
    snapkv_prompt(ops, sizes(m, h), tokens_of(LENGTH), KEPT)
    return ops.meter.index_sets


def two_pass_sets(m, h):
    ops = Arrays()
    first_pass(ops, sizes(m, h), tokens_of(LENGTH), m, KEPT)
    return ops.meter.index_sets


set_count = claim(
    "gemfilter-vs-others",
    title="How many index sets are stored",
    says="SnapKV stores $m h$ index sets and the two-pass method one.",
    covers="set-count",
    domain={m: integers(1), h: integers(1)},
    grid={"smoke": {m: [1, 2, 3], h: [1, 2, 4]}},
    closed_form=m * h,
    relation=counts(),
    legs=[
        leg("SnapKV", snapkv_sets, lhs=r"\#\text{index sets of SnapKV}", tex=r"mh"),
        leg(
            "two-pass",
            two_pass_sets,
            closed_form=sp.Integer(1),
            lhs=r"\#\text{index sets of the two-pass method}",
        ),
    ],
    rivals=[
        variant("one for each layer", closed_form=m, leg="SnapKV"),
        variant("m h for the two-pass method", closed_form=m * h, leg="two-pass"),
    ],
)


def layers_run(m, h, r):
    """Layers run on the whole prompt in the first pass. Shape ()."""
    ops = Arrays()
    first_pass(ops, sizes(m, h), tokens_of(LENGTH), r, KEPT)
    return len(set(ops.meter.layers))


def all_layers_run(m, h, r):
    ops = Arrays()
    standard_prompt(ops, sizes(m, h), tokens_of(LENGTH))
    return len(set(ops.meter.layers))


first_pass_skips = claim(
    "gemfilter-first-pass",
    lhs=r"\#\text{layers run}",
    states="gemfilter-vs-others",
    title="The first pass runs $r$ layers",
    says="On the prompt the two-pass method runs layers 1..r and computes no cache above.",
    role="reading",
    covers="first-pass-skips",
    domain={m: integers(1), h: integers(1), r: integers(1)},
    where=r <= m,
    grid={"smoke": {m: [1, 3, 4], h: [1, 2], r: [1, 2, 3]}},
    closed_form=r,
    relation=counts(),
    legs=[leg("run", layers_run)],
    rivals=[
        variant("all layers", simulation=all_layers_run),
        variant("an index from 0", closed_form=r + 1),
    ],
)
