"""Section G.2: index sets and layers run, against SnapKV and H2O.

Setting. The instrumented transformer of `_transformer`. SnapKV (and H2O) select for each layer and head; the
two-pass method selects once, in layer r, and runs no layer above r on the prompt. (Positions are in `algorithm`.)

Statements. m h index sets against one; r layer runs on the whole prompt against m. Both are polynomials in the sizes,
n = k + b, and equal what is stated for all of them (`_machine.identity`).

Reference: section G.2 (arXiv 2409.17422).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, counts, formula, integers, leg, nowhere, variant

from ._h2o import h2o_prompt
from ._machine import Arrays, identity
from ._transformer import (
    Sizes,
    first_pass,
    load_once,
    snapkv_prompt,
    standard_prompt,
    tokens_of,
)

LEAST = {"k": 1, "b": 0, "m": 1, "h": 1, "d": 1}
FIRST = {"r": 1, "a": 0, "k": 1, "b": 0, "h": 1, "d": 1}
WIDTH = 3
n, m, h = sp.symbols("n m h", integer=True, positive=True)


def sizes(k, b, m, h, d):
    return Sizes(k + b, 1, 0, m, h, d, WIDTH)


def prompt(ops, n):
    return tokens_of(n) if isinstance(ops, Arrays) else (n,)


def sets_of_snapkv(ops, k, b, m, h, d):
    """Index sets stored by SnapKV."""
    snapkv_prompt(ops, sizes(k, b, m, h, d), prompt(ops, k + b), k)
    return ops.meter.index_sets


def sets_of_two_passes(ops, k, b, m, h, d):
    first_pass(ops, sizes(k, b, m, h, d), prompt(ops, k + b), m, k)
    return ops.meter.index_sets


def snapkv_sets():
    """m h, for all sizes."""
    return identity(sets_of_snapkv, lambda k, b, m, h, d: m * h, **LEAST)


def sets_of_h2o(ops, k, b, m, h, d):
    h2o_prompt(ops, sizes(k, b, m, h, d), prompt(ops, k + b), k)
    return ops.meter.index_sets


def h2o_sets():
    """m h, for all sizes."""
    return identity(sets_of_h2o, lambda k, b, m, h, d: m * h, **LEAST)


def one_for_each_head():
    return identity(sets_of_h2o, lambda k, b, m, h, d: h, **LEAST)


def two_pass_sets():
    """1, for all sizes."""
    return identity(sets_of_two_passes, lambda k, b, m, h, d: 1, **LEAST)


class Kept(Arrays):
    """Writes down what is selected."""

    def __init__(self):
        super().__init__()
        self.kept = []

    def best(self, scores, k):
        found = super().best(scores, k)
        self.kept.append(tuple(found))
        return found


def selected_by_snapkv(n, m, h, k):
    """The index sets that SnapKV stores, layer by layer and head by head."""
    ops = Kept()
    snapkv_prompt(ops, sizes(k, n - k, m, h, 2), tokens_of(n), k)
    return ops.kept


def different_sets(n, m, h):
    """How many different ones there are at k = n. Shape ()."""
    return len(set(selected_by_snapkv(n, m, h, n)))


def stored_sets(n, m, h):
    return len(selected_by_snapkv(n, m, h, n))


def stored_and_different(k=3):
    """How many are stored of two layers of two heads and three tokens, and how many different ones. Shape (2,)."""
    sets = selected_by_snapkv(3, 2, 2, k)
    return [len(sets), len(set(sets))]


def stored_and_different_at_one():
    return stored_and_different(1)


def different_at_one(n, m, h):
    return len(set(selected_by_snapkv(n, m, h, 1)))


def one_for_each_layer():
    return identity(sets_of_snapkv, lambda k, b, m, h, d: m, **LEAST)


def two_passes_select_everywhere():
    return identity(sets_of_two_passes, lambda k, b, m, h, d: m * h, **LEAST)


def sets_and_loops(ops, k, b, m, h, d):
    """And an index set for each three of the m layers."""
    sets_of_two_passes(ops, k, b, m, h, d)
    for first in ops.loop(m):
        for second in ops.loop(first):
            for _ in ops.loop(second):
                ops.selected()
    return ops.meter.index_sets


def more_sets_from_three():
    return identity(sets_and_loops, lambda k, b, m, h, d: 1, **LEAST)


set_count = claim(
    "gemfilter-vs-others",
    title="How many index sets are stored",
    says="SnapKV and H2O store $m h$ index sets, which need not be different, and the two-pass method one, whatever "
    "the sizes.",
    covers="set-count",
    legs=[
        leg("SnapKV", snapkv_sets, arithmetic="proof", over="m h"),
        leg("H2O", h2o_sets, arithmetic="proof", over="m h"),
        leg("two passes", two_pass_sets, arithmetic="proof", over="m h"),
    ],
    rivals=[
        variant("one for each head", simulation=one_for_each_head, leg="H2O"),
        variant("one for each layer", simulation=one_for_each_layer, leg="SnapKV"),
        variant(
            "m h for the two-pass method", simulation=two_passes_select_everywhere, leg="two passes"
        ),
        variant("more sets from m = 3 on", simulation=more_sets_from_three, leg="two passes"),
    ],
)


different = claim(
    "gemfilter-index-sets-different",
    lhs=r"\#\{\text{different index sets}\}",
    states="gemfilter-vs-others",
    title="The stored index sets need not be different",
    says="With $k = n$ the $mh$ index sets that SnapKV stores are one and the same.",
    role="derived",
    domain={n: integers(1), m: integers(1), h: integers(1)},
    grid={"smoke": {n: [3, 5], m: [1, 2], h: [2, 3]}},
    relation=counts(),
    closed_form=sp.Integer(1),
    legs=[leg("at k = n", different_sets)],
    rivals=[
        variant("as many as are stored", simulation=stored_sets),
        variant("at k = 1, too", simulation=different_at_one),
    ],
)


alike = claim(
    "gemfilter-index-sets-alike",
    lhs=r"\#\{\text{stored index sets}\},\ \#\{\text{different ones}\}",
    tex=r"4,\ 1",
    states="gemfilter-vs-others",
    title="Four stored index sets that are one and the same",
    says="There are sizes for which SnapKV's $mh > 1$ index sets are all the same: two layers of two heads that keep "
    "$k = n = 3$ tokens store four, and not two of them differ.",
    role="reading",
    covers="sets-alike",
    relation=counts(),
    closed_form=sp.Matrix([4, 1]),
    legs=[leg("one model", stored_and_different, gives="n m h")],
    rivals=[
        variant("four different ones", closed_form=sp.Matrix([4, 4])),
        variant("at k = 1, too", simulation=stored_and_different_at_one),
    ],
)


def filtered(ops, r, a, k, b, h, d):
    """The first pass in a model of r + a layers."""
    z = sizes(k, b, r + a, h, d)
    load_once(ops, z)
    first_pass(ops, z, prompt(ops, k + b), r, k)


def filter_runs(ops, r, a, k, b, h, d):
    """Runs of a layer on the whole prompt by the first pass."""
    filtered(ops, r, a, k, b, h, d)
    return ops.meter.runs


def runs_and_loops(ops, r, a, k, b, h, d):
    """And a run for each three of the r layers: none for r = 1, 2."""
    filter_runs(ops, r, a, k, b, h, d)
    for first in ops.loop(r):
        for second in ops.loop(first):
            for layer in ops.loop(second):
                ops.entered(layer)
    return ops.meter.runs


def more_runs_from_three():
    return identity(runs_and_loops, lambda r, a, k, b, h, d: r, **FIRST)


def whole_runs(ops, r, a, k, b, h, d):
    """The same of standard attention in the same model."""
    standard_prompt(ops, sizes(k, b, r + a, h, d), prompt(ops, k + b))
    return ops.meter.runs


def run_twice():
    """Whether two first passes, too, are r runs."""

    def twice(ops, **sizes):
        filter_runs(ops, **sizes)
        return filter_runs(ops, **sizes)

    return identity(twice, lambda r, a, k, b, h, d: r, **FIRST)


def layers_run():
    """r, for all sizes."""
    return identity(filter_runs, lambda r, a, k, b, h, d: r, **FIRST)


def half_of_the_layers():
    """Whether twice as many are all of the model: for r = m/2 alone."""

    def twice(ops, **sizes):
        return 2 * filter_runs(ops, **sizes)

    return identity(twice, lambda r, a, k, b, h, d: r + a, **FIRST)


def all_layers_run():
    """Whether standard attention, too, runs r of r + a."""
    return identity(whole_runs, lambda r, a, k, b, h, d: r, **FIRST)


def one_layer_more():
    return identity(filter_runs, lambda r, a, k, b, h, d: r + 1, **FIRST)


first_pass_skips = claim(
    "gemfilter-first-pass",
    states="gemfilter-vs-others",
    title="The first pass runs $r$ layers",
    says="On the prompt the two-pass method runs layers 1 to $r$, each once, and computes no cache above, whatever the "
    "sizes.",
    role="reading",
    covers="first-pass-skips",
    legs=[leg("run", layers_run, arithmetic="proof", over="r m")],
    rivals=[
        variant("all layers", simulation=all_layers_run, leg="run"),
        variant("half of the model's layers", simulation=half_of_the_layers, leg="run"),
        variant("each layer twice", simulation=run_twice, leg="run"),
        variant("an index from 0", simulation=one_layer_more, leg="run"),
        variant("more runs from r = 3 on", simulation=more_runs_from_three, leg="run"),
    ],
)

LESS = "k + t < n + t"
distance_order = formula(
    "gemfilter-distance-order",
    states="gemfilter-vs-others",
    title="The second pass is shorter unless all tokens are kept",
    says=LESS,
    over="n in 1..oo; k in 1..n; t in 1..oo",
    where="k < n",
    role="derived",
    rivals={
        **nowhere("k == 1 and t == 1", "k > 1 and t > 1"),
        "for k = n, too": {"where": "k <= n"},
        "by two": f"{LESS} - 1",
    },
)
