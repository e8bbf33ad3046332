"""Algorithm 2 for all sizes: which layers the filter reads, and which positions the second pass uses.

Setting. The instrumented transformer of `_transformer`; n = k + b prompt tokens; r + a layers, the filter
being the r-th. Counted are squares by which the i-th layer that the
first pass runs, and each layer whose weights it reads, miss i; and squares by which the first position of tokens that
are embedded at once misses how many of the pass came before.

Statements. Both are 0, for all sizes, with r layers run and k + t tokens read in the second pass. So the first pass
reads the weights of layers 1 to r alone, whatever those above are, and the positions of the second pass are 0, ..,
k + t - 1; those of standard generation, of SnapKV and of H2O are 0, .., n + t - 1. (Counts are polynomials,
`_machine.identity`; a sum of squares of integers that is 0 has no term that is not. At sizes, with changed weights:
`algorithm`.)

Reference: Algorithm 2, sections 9.3.1 and G.2 (arXiv 2409.17422).
"""

from __future__ import annotations

from theorycheck import claim, leg, variant

from ._h2o import h2o, h2o_prompt
from ._machine import identity, more_at_the_smallest
from ._transformer import (
    Sizes,
    decode,
    gemfilter,
    load,
    load_once,
    prompt_layer,
    snapkv,
    snapkv_prompt,
    standard,
    standard_prompt,
)
from .vs_others import FIRST, WIDTH, filtered, prompt, sizes


def all_of_the_model(ops, r, a, k, b, h, d):
    """Runs of a layer by standard attention in the same model."""
    standard_prompt(ops, sizes(k, b, r + a, h, d), prompt(ops, k + b))
    return ops.meter.runs


def as_many_in_all():
    return identity(all_of_the_model, lambda r, a, k, b, h, d: r, **FIRST)


def in_reverse(ops, r, a, k, b, h, d):
    """The first r layers from the last to the first: as many are missed upwards as downwards."""
    z, tokens = sizes(k, b, r + a, h, d), prompt(ops, k + b)
    load_once(ops, z)
    load(ops, z, r)
    state = ops.embedded(tokens, 0, z.D)
    for layer in ops.loop(r):
        state, *_ = prompt_layer(ops, z, r + -1 + -1 * layer, state)
    return ops.meter.astray


def none_in_reverse():
    return identity(in_reverse, lambda r, a, k, b, h, d: 0, **FIRST)


def layers_missed(ops, r, a, k, b, h, d):
    filtered(ops, r, a, k, b, h, d)
    return ops.meter.astray


def layers_counted(ops, r, a, k, b, h, d):
    filtered(ops, r, a, k, b, h, d)
    return ops.meter.runs


def a_matrix_above(ops, r, a, k, b, h, d):
    """And one matrix of the layer after the r-th, which is loaded for it."""
    filtered(ops, r, a, k, b, h, d)
    load(ops, Sizes(1, 1, 0, 1, 1, 1, 1), 1)
    ops.weights(r, "Wv", 1, 1)
    return ops.meter.astray


def a_layer_from_three(ops, r, a, k, b, h, d):
    """And a matrix of the first layer, for each two of the layers before the r-th: none for r = 1, 2."""
    filtered(ops, r, a, k, b, h, d)
    for first in ops.loop(r + -1):
        for _ in ops.loop(first):
            ops.weights(0, "Wv", 1, 1)
    return ops.meter.astray


def astray_at_first(ops, r, a, k, b, h, d):
    """And a matrix of the first layer beforehand, for each three of the layers before the r-th: none for r < 4."""
    for first in ops.loop(r + -1):
        for second in ops.loop(first):
            for _ in ops.loop(second):
                ops.weights(0, "Wv", 1, 1)
    filtered(ops, r, a, k, b, h, d)
    return ops.meter.astray


def none_at_first():
    return identity(astray_at_first, lambda r, a, k, b, h, d: 0, **FIRST)


def in_order():
    """No layer missed, for all sizes."""
    return identity(layers_missed, lambda r, a, k, b, h, d: 0, **FIRST)


def as_many_as_r():
    return identity(layers_counted, lambda r, a, k, b, h, d: r, **FIRST)


def as_many_as_m():
    return identity(layers_counted, lambda r, a, k, b, h, d: r + a, **FIRST)


def no_matrix_above():
    return identity(a_matrix_above, lambda r, a, k, b, h, d: 0, **FIRST)


def no_layer_from_three():
    return identity(a_layer_from_three, lambda r, a, k, b, h, d: 0, **FIRST)


layers_read = claim(
    "gemfilter-layers-read",
    states="gemfilter-algorithm",
    title="The first pass reads layers 1 to $r$, for all sizes",
    says="Whatever the sizes, the first pass runs $r$ layers, the $i$-th of them is layer $i$, and weights are read of "
    "the layer that is run alone: $J$ is the same for all weights of layers $r+1$ to $m$.",
    role="reading",
    covers="early-layers-only",
    legs=[
        leg("in order", in_order, arithmetic="proof", over="layer r"),
        leg("how many", as_many_as_r, arithmetic="proof", over="layer r"),
    ],
    rivals=[
        variant("a matrix of layer r + 1", simulation=no_matrix_above, leg="in order"),
        variant(
            "the first layer again from r = 3 on", simulation=no_layer_from_three, leg="in order"
        ),
        variant("more from r = 4 on", simulation=none_at_first, leg="in order"),
        variant("from the last to the first", simulation=none_in_reverse, leg="in order"),
        variant("all layers", simulation=as_many_as_m, leg="how many"),
        variant("all layers of the same model", simulation=as_many_in_all, leg="how many"),
    ],
)

SECOND = {"k": 1, "b": 0, "r": 1, "a": 0, "h": 1, "d": 1, "t": 1}
WHOLE = {"n": 1, "m": 1, "h": 1, "d": 1, "t": 1}


def generated(ops, k, b, r, a, h, d, t):
    z = Sizes(k + b, 1, 0, r + a, h, d, WIDTH)
    gemfilter(ops, z, prompt(ops, k + b), r, k, t)


def tokens_read(ops, k, b, r, a, h, d, t):
    generated(ops, k, b, r, a, h, d, t)
    return ops.meter.read


def positions_missed(ops, k, b, r, a, h, d, t):
    generated(ops, k, b, r, a, h, d, t)
    return ops.meter.gaps


def whole(ops, n, m, h, d, t):
    standard(ops, Sizes(n, 1, 0, m, h, d, WIDTH), prompt(ops, n), t)


def whole_read(ops, n, m, h, d, t):
    whole(ops, n, m, h, d, t)
    return ops.meter.read


def whole_missed(ops, n, m, h, d, t):
    whole(ops, n, m, h, d, t)
    return ops.meter.gaps


def a_place_skipped(ops, k, b, r, a, h, d, t):
    """And a token after one that is left out."""
    generated(ops, k, b, r, a, h, d, t)
    ops.embedded(ops.next_token(ops.empty(1, d)), k + t + 1, h * d)
    return ops.meter.gaps


def two_places_exchanged(ops, k, b, r, a, h, d, t):
    """And two tokens, the second one's place before the first one's: one missed upwards, one downwards."""
    generated(ops, k, b, r, a, h, d, t)
    for place in (k + t + 1, k + t):
        ops.embedded(ops.next_token(ops.empty(1, d)), place, h * d)
    return ops.meter.gaps


def with_places_exchanged():
    return identity(two_places_exchanged, lambda k, b, r, a, h, d, t: 0, **SECOND)


def more_before_the_last(ops, k, b, r, a, h, d, t):
    """And a token for each three of all but one of the t: none for t < 4; then one more."""
    generated(ops, k, b, r, a, h, d, t)
    token = ops.next_token(ops.empty(1, d))
    for first in ops.loop(t + -1):
        for second in ops.loop(first):
            for _ in ops.loop(second):
                ops.embedded(token, k + t, h * d)
    ops.embedded(token, k + t, h * d)


def read_before_the_last(ops, k, b, r, a, h, d, t):
    more_before_the_last(ops, k, b, r, a, h, d, t)
    return ops.meter.read


def missed_before_the_last(ops, k, b, r, a, h, d, t):
    more_before_the_last(ops, k, b, r, a, h, d, t)
    return ops.meter.gaps


def far_from_four(ops, k, b, r, a, h, d, t):
    """And a token that is at its place for t = 1, 2, 3 alone."""
    generated(ops, k, b, r, a, h, d, t)
    beyond = (t + -1) * (t + -2) * (t + -3)
    ops.embedded(ops.next_token(ops.empty(1, d)), k + t + beyond, h * d)
    return ops.meter.gaps


def not_far_from_four():
    return identity(far_from_four, lambda k, b, r, a, h, d, t: 0, **SECOND)


def no_more_before_the_last():
    return identity(read_before_the_last, lambda k, b, r, a, h, d, t: k + t + 1, **SECOND)


def none_missed_before_the_last():
    return identity(missed_before_the_last, lambda k, b, r, a, h, d, t: 0, **SECOND)


def reads_k_and_t():
    """Tokens read in the second pass, for all sizes."""
    return identity(tokens_read, lambda k, b, r, a, h, d, t: k + t, **SECOND)


def one_after_the_other():
    return identity(positions_missed, lambda k, b, r, a, h, d, t: 0, **SECOND)


more_for_one_token = more_at_the_smallest(positions_missed, lambda k, b, r, a, h, d, t: 0, **SECOND)


def reads_n_and_t():
    return identity(whole_read, lambda n, m, h, d, t: n + t, **WHOLE)


def one_after_the_other_in_full():
    return identity(whole_missed, lambda n, m, h, d, t: 0, **WHOLE)


def second_pass_reads_all():
    return identity(tokens_read, lambda k, b, r, a, h, d, t: k + b + t, **SECOND)


def with_a_place_skipped():
    return identity(a_place_skipped, lambda k, b, r, a, h, d, t: 0, **SECOND)


def reads_the_prompt_alone():
    return identity(whole_read, lambda n, m, h, d, t: n, **WHOLE)


def two_pass_places_in_full():
    """Whether the two-pass method's first pass, too, begins where its second does: t tokens after n of them."""

    def after_the_prompt(ops, n, m, h, d, t):
        whole(ops, n, m, h, d, t)
        ops.embedded(ops.next_token(ops.empty(1, d)), n, h * d)
        return ops.meter.gaps

    return identity(after_the_prompt, lambda n, m, h, d, t: 0, **WHOLE)


def compressed(method):
    """Runs that keep k of n = k + b positions with the method, and generate t tokens."""

    def run(ops, k, b, m, h, d, t):
        method(ops, Sizes(k + b, 1, 0, m, h, d, WIDTH), prompt(ops, k + b), k, t)

    return run


def place_count(run):
    """Tokens read, and squares by which places are missed."""

    def read(ops, **sizes):
        run(ops, **sizes)
        return ops.meter.read

    def missed(ops, **sizes):
        run(ops, **sizes)
        return ops.meter.gaps

    return read, missed


def snapkv_from_k(ops, z, tokens, k, t):
    """SnapKV if the positions of what is generated went on from k."""
    state, caches = snapkv_prompt(ops, z, tokens, k, t)
    decode(ops, z, caches, state, k, k, t)


def h2o_from_k(ops, z, tokens, k, t):
    """The same of H2O."""
    state, caches, _ = h2o_prompt(ops, z, tokens, k, t)
    decode(ops, z, caches, state, k, k, t)


SNAPKV_READ, SNAPKV_MISSED = place_count(compressed(snapkv))
H2O_READ, H2O_MISSED = place_count(compressed(h2o))
_, FROM_K_MISSED = place_count(compressed(snapkv_from_k))
_, H2O_FROM_K_MISSED = place_count(compressed(h2o_from_k))
KEPT = {"k": 1, "b": 0, "m": 1, "h": 1, "d": 1, "t": 1}


def snapkv_reads_n_and_t():
    return identity(SNAPKV_READ, lambda k, b, m, h, d, t: k + b + t, **KEPT)


def snapkv_one_after_the_other():
    return identity(SNAPKV_MISSED, lambda k, b, m, h, d, t: 0, **KEPT)


def h2o_reads_n_and_t():
    return identity(H2O_READ, lambda k, b, m, h, d, t: k + b + t, **KEPT)


def h2o_one_after_the_other():
    return identity(H2O_MISSED, lambda k, b, m, h, d, t: 0, **KEPT)


def one_after_the_other_from_k():
    return identity(FROM_K_MISSED, lambda k, b, m, h, d, t: 0, **KEPT)


def h2o_one_after_the_other_from_k():
    return identity(H2O_FROM_K_MISSED, lambda k, b, m, h, d, t: 0, **KEPT)


def h2o_reads_k_and_t():
    return identity(H2O_READ, lambda k, b, m, h, d, t: k + t, **KEPT)


def snapkv_reads_k_and_t():
    return identity(SNAPKV_READ, lambda k, b, m, h, d, t: k + t, **KEPT)


places = claim(
    "gemfilter-positions-all-sizes",
    states=["gemfilter-algorithm", "gemfilter-vs-others"],
    title="Positions of the second pass, for all sizes",
    says="Whatever the sizes, the positions of the second pass are 0 to $k + t - 1$, one for each of its $k + t$ "
    "tokens; those of standard generation, SnapKV and H2O are 0 to $n + t - 1$.",
    role="reading",
    covers="positions distance",
    legs=[
        leg("second pass", reads_k_and_t, arithmetic="proof", over="n k t"),
        leg("its places", one_after_the_other, arithmetic="proof", over="n k t"),
        leg("standard", reads_n_and_t, arithmetic="proof", over="n k t"),
        leg("standard's places", one_after_the_other_in_full, arithmetic="proof", over="n k t"),
        leg("SnapKV", snapkv_reads_n_and_t, arithmetic="proof", over="n k t"),
        leg("SnapKV's places", snapkv_one_after_the_other, arithmetic="proof", over="n k t"),
        leg("H2O", h2o_reads_n_and_t, arithmetic="proof", over="n k t"),
        leg("H2O's places", h2o_one_after_the_other, arithmetic="proof", over="n k t"),
    ],
    rivals=[
        variant("all n", simulation=second_pass_reads_all, leg="second pass"),
        variant("more from t = 4 on", simulation=no_more_before_the_last, leg="second pass"),
        variant(
            "misplaced from t = 4 on", simulation=none_missed_before_the_last, leg="its places"
        ),
        variant("far away from t = 4 on", simulation=not_far_from_four, leg="its places"),
        variant("one left out", simulation=with_a_place_skipped, leg="its places"),
        variant("one missed at the smallest", simulation=more_for_one_token, leg="its places"),
        variant("two exchanged", simulation=with_places_exchanged, leg="its places"),
        variant("the prompt alone", simulation=reads_the_prompt_alone, leg="standard"),
        variant("k and t", simulation=snapkv_reads_k_and_t, leg="SnapKV"),
        variant("from k on", simulation=one_after_the_other_from_k, leg="SnapKV's places"),
        variant("k and t in H2O", simulation=h2o_reads_k_and_t, leg="H2O"),
        variant("H2O from k on", simulation=h2o_one_after_the_other_from_k, leg="H2O's places"),
        variant("place n again", simulation=two_pass_places_in_full, leg="standard's places"),
    ],
)
