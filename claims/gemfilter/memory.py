"""Theorem 9.3 = G.4: memory of three ways to generate, in both phases.

Setting. As in `complexity`: m layers, h heads of dimension d, w parameters a layer; n prompt tokens, k kept ones, t
generated; the two-pass method runs r layers on the prompt. Memory counts stored numbers: parameters of the loaded
layers and cached keys and values.

Statement. Prompt memory mw + 2mhnd (printed 2mhd), mw + 2hnd + 2mhkd, rw + 2hnd; generation memory mw + 2mh(n+t)d,
and mw + 2mh(k+t)d for the others. In the prompt phase the two-pass method costs no more time, in the theorem's rows,
and less memory. As counted with its selection it costs h d n multiply-adds more than standard attention where r = m.

Counted (`_transformer`): the most numbers that are held at once, as polynomials for all sizes (`complexity`).

Reference: Theorem 9.3, Theorem G.4 (arXiv 2409.17422).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    counts,
    formula_leg,
    integers,
    leg,
    nowhere,
    rivals_of,
    typed,
    variant,
)

from ._h2o import h2o, h2o_prompt
from ._machine import Arrays, identity
from ._transformer import (
    Sizes,
    gemfilter,
    layer_parameters,
    snapkv,
    snapkv_prompt,
    standard,
    standard_prompt,
    tokens_of,
)
from .complexity import (
    COUNT,
    B,
    F,
    all_layers,
    d,
    first_layers,
    h,
    k,
    m,
    n,
    prompt,
    q,
    r,
    s,
    t,
    w,
)

DOMAIN = {n: integers(1), m: integers(1), h: integers(1), d: integers(1), F: integers(1)}
KEPT = {**DOMAIN, k: integers(1), r: integers(1)}


def shaped(n, m, h, d, F):
    return Sizes(n, 1, 0, m, h, d, F)


HELD_FROM = {"n": 1, "m": 1, "h": 1, "d": 1, "F": 1, "t": 1}
KEPT_FROM = {"k": 1, "b": 0, "m": 1, "h": 1, "d": 1, "F": 1, "t": 1}
TWO_PASSES_FROM = {"k": 1, "b": 0, "r": 1, "m": 1, "h": 1, "d": 1, "F": 1, "t": 1}
"""Least sizes, from which on the counts are polynomials."""


def report(numbers, h, d, F):
    return {"value": numbers, "w": layer_parameters(h, d, F)}


def standard_peak(n, m, h, d, F):
    """Most numbers held in the prompt phase; and in one layer."""
    ops = Arrays()
    standard_prompt(ops, shaped(n, m, h, d, F), tokens_of(n))
    return report(ops.meter.peak, h, d, F)


def snapkv_peak(n, m, h, d, F, k):
    ops = Arrays()
    snapkv_prompt(ops, shaped(n, m, h, d, F), tokens_of(n), k)
    return report(ops.meter.peak, h, d, F)


def h2o_peak(n, m, h, d, F, k):
    ops = Arrays()
    h2o_prompt(ops, shaped(n, m, h, d, F), tokens_of(n), k)
    return report(ops.meter.peak, h, d, F)


def h2o_peak_with_sums(n, m, h, d, F, k):
    """With what each key of the layer at work received, head by head."""
    ops = Arrays()
    h2o_prompt(ops, shaped(n, m, h, d, F), tokens_of(n), k, ledger=True)
    return report(ops.meter.peak, h, d, F)


def two_pass_peak(n, m, h, d, F, k, r):
    return report(gemfilter(Arrays(), shaped(n, m, h, d, F), tokens_of(n), r, k, 1)[0], h, d, F)


PRINTED_CELL = m * w + 2 * m * h * d
"""Right for a prompt of one token."""

printed_cell = claim(
    "gemfilter-prompt-memory-printed",
    lhs=r"\text{peak}_{\text{standard}}",
    tex=r"mw+2mhd",
    states="gemfilter-complexity",
    title="Prompt memory of standard attention, as printed",
    says="Standard attention holds $mw + 2mhd$ numbers in the prompt phase.",
    covers="prompt-memory",
    left={"k": "not in this cell", "r": "not in this cell"},
    reads={"w": "h d F"},
    expect="fail",
    domain=DOMAIN,
    grid={"smoke": {n: [1, 2, 7], m: [1, 3], h: [1, 2], d: [2], F: [3]}},
    closed_form=PRINTED_CELL,
    relation=counts(),
    legs=[leg("ledger", standard_peak, observed=[w])],
)

GRID = [
    {n: a, m: b, h: c, d: e, F: f, k: g, r: j}
    for a, b, c, e, f, g, j in (
        (1, 1, 1, 1, 1, 1, 1),
        (7, 3, 2, 2, 3, 4, 2),
        (5, 2, 1, 3, 2, 1, 2),
        (12, 4, 2, 1, 4, 5, 1),
        (9, 2, 3, 2, 1, 9, 1),
        (6, 1, 2, 3, 5, 2, 1),
        (10, 5, 1, 2, 2, 3, 3),
    )
]

STANDARD = m * w + 2 * m * h * n * d
SNAPKV = m * w + 2 * h * n * d + 2 * m * h * k * d
TWO_PASS = r * w + 2 * h * n * d
HELD = m * w + 2 * m * h * (k + t) * d
"""In generation, from k positions."""

prompt_memory = claim(
    "gemfilter-prompt-memory",
    lhs=r"\text{peak}_{\text{standard}}",
    tex=r"mw+2mhnd",
    states=["gemfilter-complexity", "gemfilter-case-study"],
    title="Prompt memory, counted",
    says="The most numbers held in the prompt phase are $mw+2mhnd$ for standard attention, "
    "$mw+2hnd+2mhkd$ for SnapKV and H2O (a layer's cache is dropped once its selected copy is made; $hn$ more for H2O "
    "where the sums it selects by are counted) and $rw+2hnd$ for the two-pass method.",
    role="corrected",
    corrects="gemfilter-prompt-memory-printed",
    covers="prompt-memory prompt-ratios",
    reads={"w": "h d F"},
    domain=KEPT,
    where=(k <= n, r <= m),
    grid={"smoke": GRID},
    closed_form=STANDARD,
    relation=counts(),
    legs=[
        leg("standard", standard_peak, observed=[w]),
        leg(
            "one token",
            standard_peak,
            observed=[w],
            closed_form=PRINTED_CELL,
            where=sp.Eq(n, 1),
            grid={"smoke": [{n: 1, m: 3, h: 2, d: 4, F: 3, k: 1, r: 2}]},
            lhs=r"\text{peak}_{\text{standard}}",
            tex=r"mw+2mhd",
        ),
        leg(
            "SnapKV",
            snapkv_peak,
            observed=[w],
            closed_form=SNAPKV,
            lhs=r"\text{peak}_{\text{SnapKV}}",
            tex=r"mw+2hnd+2mhkd",
        ),
        leg(
            "H2O",
            h2o_peak,
            observed=[w],
            closed_form=SNAPKV,
            lhs=r"\text{peak}_{\text{H2O}}",
            tex=r"mw+2hnd+2mhkd",
        ),
        leg(
            "H2O and its sums",
            h2o_peak_with_sums,
            observed=[w],
            closed_form=SNAPKV + h * n,
            lhs=r"\text{peak}_{\text{H2O, sums counted}}",
            tex=r"mw+2hnd+2mhkd+hn",
        ),
        leg(
            "two-pass",
            two_pass_peak,
            observed=[w],
            closed_form=TWO_PASS,
            lhs=r"\text{peak}_{\text{two-pass}}",
            tex=r"rw+2hnd",
        ),
    ],
    rivals=[
        variant("2mhd", closed_form=PRINTED_CELL, leg="standard"),
        variant("mhd of one token", closed_form=PRINTED_CELL - m * h * d, leg="one token"),
        variant("nothing kept", closed_form=m * w + 2 * h * n * d, leg="SnapKV"),
        variant("nothing kept by H2O", closed_form=m * w + 2 * h * n * d, leg="H2O"),
        variant("sums of all layers", closed_form=SNAPKV + m * h * n, leg="H2O and its sums"),
        variant("the cache of r layers", closed_form=r * w + 2 * r * h * n * d, leg="two-pass"),
        variant("all layers loaded", closed_form=m * w + 2 * h * n * d, leg="two-pass"),
    ],
)


def standard_later(n, m, h, d, F, t):
    """Most numbers held while t tokens are generated; and in one layer."""
    ops = Arrays()
    standard(ops, shaped(n, m, h, d, F), tokens_of(n), t)
    return report(ops.meter.peak, h, d, F)


def snapkv_later(n, m, h, d, F, k, t):
    ops = Arrays()
    snapkv(ops, shaped(n, m, h, d, F), tokens_of(n), k, t)
    return report(ops.meter.peak, h, d, F)


def h2o_later(n, m, h, d, F, k, t):
    ops = Arrays()
    h2o(ops, shaped(n, m, h, d, F), tokens_of(n), k, t)
    return report(ops.meter.peak, h, d, F)


def two_pass_later(n, m, h, d, F, k, r, t):
    ops = Arrays()
    gemfilter(ops, shaped(n, m, h, d, F), tokens_of(n), r, k, t)
    return report(ops.meter.peak, h, d, F)


LATER = [{**point, t: length} for point, length in zip(GRID, (1, 3, 2, 5, 1, 4, 2), strict=True)]

generation_memory = claim(
    "gemfilter-generation-memory",
    lhs=r"\text{peak}_{\text{SnapKV}}",
    tex=r"mw+2mh(k+t)d",
    states=["gemfilter-complexity", "gemfilter-generation-remark"],
    title="Generation memory, counted",
    says="The most numbers held while $t$ tokens are generated are $mw + 2mh(n+t)d$ for standard "
    "attention and $mw + 2mh(k+t)d$ for SnapKV, H2O and the two-pass method.",
    role="reading",
    covers="generation-memory same-memory",
    reads={"w": "h d F", "all": "n m h d k t F"},
    domain={**KEPT, t: integers(1)},
    where=(k <= n, r <= m),
    grid={"smoke": LATER},
    closed_form=HELD,
    relation=counts(),
    legs=[
        leg(
            "standard",
            standard_later,
            observed=[w],
            closed_form=HELD.subs(k, n),
            lhs=r"\text{peak}_{\text{standard}}",
            tex=r"mw+2mh(n+t)d",
        ),
        leg("SnapKV", snapkv_later, observed=[w]),
        leg("H2O", h2o_later, observed=[w]),
        leg("two-pass", two_pass_later, observed=[w]),
    ],
    rivals=[
        variant("all n positions", closed_form=m * w + 2 * m * h * (n + t) * d, leg="two-pass"),
        variant(
            "the filter's layers only", closed_form=r * w + 2 * m * h * (k + t) * d, leg="two-pass"
        ),
        variant("k positions only", closed_form=m * w + 2 * m * h * (k + t) * d, leg="standard"),
        variant("one token less", closed_form=m * w + 2 * m * h * (k + t - 1) * d, leg="SnapKV"),
        variant("nothing appended", closed_form=m * w + 2 * m * h * k * d, leg="H2O"),
    ],
)


def weights_of(h, d, F):
    return 4 * h * h * d * d + 2 * h * d * F


def standard_held(ops, n, m, h, d, F, t):
    standard(ops, Sizes(n, 1, 0, m, h, d, F), prompt(ops, n), t)
    return ops.meter.most


def snapkv_held(ops, k, b, m, h, d, F, t):
    z = Sizes(k + b, 1, 0, m, h, d, F)
    snapkv(ops, z, prompt(ops, z.n), k, t)
    return ops.meter.most


def h2o_held(ops, k, b, m, h, d, F, t):
    z = Sizes(k + b, 1, 0, m, h, d, F)
    h2o(ops, z, prompt(ops, z.n), k, t)
    return ops.meter.most


def two_pass_held(ops, k, b, r, m, h, d, F, t):
    z = Sizes(k + b, 1, 0, m, h, d, F)
    gemfilter(ops, z, prompt(ops, z.n), r, k, t)
    return ops.meter.most


def held_with(c, m, h, d, F, t):
    return m * weights_of(h, d, F) + 2 * m * h * (c + t) * d


def standard_memory():
    """Numbers held at the end of generation by standard attention, for all sizes."""
    return identity(
        standard_held, lambda n, m, h, d, F, t: held_with(n, m, h, d, F, t), **HELD_FROM
    )


def snapkv_memory():
    """The same of SnapKV (n = k + b)."""
    return identity(
        snapkv_held, lambda k, b, m, h, d, F, t: held_with(k, m, h, d, F, t), **KEPT_FROM
    )


def h2o_memory(dropped=0):
    """The same of H2O where nothing is dropped after the prompt."""
    return identity(
        h2o_held,
        lambda k, b, m, h, d, F, t: held_with(k + -1 * dropped, m, h, d, F, t),
        **KEPT_FROM,
    )


def h2o_memory_of_one_less():
    return h2o_memory(dropped=1)


def two_pass_memory():
    """The same of the two-pass method (n = k + b)."""
    return identity(
        two_pass_held, lambda k, b, r, m, h, d, F, t: held_with(k, m, h, d, F, t), **TWO_PASSES_FROM
    )


def memory_of_all_keys():
    return identity(
        snapkv_held, lambda k, b, m, h, d, F, t: held_with(k + b, m, h, d, F, t), **KEPT_FROM
    )


def memory_of_a_token_less():
    return identity(
        standard_held, lambda n, m, h, d, F, t: held_with(n, m, h, d, F, t + -1), **HELD_FROM
    )


def standard_held_beside(more):
    """Standard attention, after ``more(ops, t)``: what holds nothing for t = 1 and 2, where the degrees of the stated
    polynomial alone would end."""

    def held(ops, n, m, h, d, F, t):
        more(ops, t)
        return standard_held(ops, n, m, h, d, F, t)

    return identity(held, lambda n, m, h, d, F, t: held_with(n, m, h, d, F, t), **HELD_FROM)


def memory_with_loops():
    def more(ops, t):
        for first in ops.loop(t):
            for second in ops.loop(first):
                for _ in ops.loop(second):
                    ops.hold(1, 1)

    return standard_held_beside(more)


def memory_with_rows():
    return standard_held_beside(lambda ops, t: ops.hold((t + -1) * (t + -2), 1))


def memory_with_columns():
    return standard_held_beside(lambda ops, t: ops.hold(1, (t + -1) * (t + -2)))


def memory_of_the_filter():
    return identity(
        two_pass_held, lambda k, b, r, m, h, d, F, t: held_with(k, r, h, d, F, t), **TWO_PASSES_FROM
    )


generation_memory_proved = claim(
    "gemfilter-generation-memory-all-sizes",
    states=["gemfilter-complexity", "gemfilter-generation-remark"],
    title="Generation memory for all sizes",
    says="No number is dropped while $t$ tokens are generated, so that the peak is what is held at the end: "
    "$mw + 2mh(n+t)d$ for standard attention, $mw + 2mh(k+t)d$ for SnapKV, H2O and the two-pass method, "
    "$w=4(hd)^2+2hdF$, as polynomials.",
    role="reading",
    covers="generation-memory same-memory",
    legs=[
        leg("standard", standard_memory, arithmetic="proof", over="m h d n k t w all"),
        leg("SnapKV", snapkv_memory, arithmetic="proof", over="m h d n k t w all"),
        leg("H2O", h2o_memory, arithmetic="proof", over="m h d n k t w all"),
        leg("two passes", two_pass_memory, arithmetic="proof", over="m h d n k t w all"),
    ],
    rivals=[
        variant("all keys", simulation=memory_of_all_keys, leg="SnapKV"),
        variant("a token less", simulation=memory_of_a_token_less, leg="standard"),
        variant("a position less", simulation=h2o_memory_of_one_less, leg="H2O"),
        variant("more in loops from t = 3 on", simulation=memory_with_loops, leg="standard"),
        variant("more rows from t = 3 on", simulation=memory_with_rows, leg="standard"),
        variant("more columns from t = 3 on", simulation=memory_with_columns, leg="standard"),
        variant("the filter's layers only", simulation=memory_of_the_filter, leg="two passes"),
    ],
)

a = sp.Symbol("a")
# m = r + a with a >= 0 stands for every m >= r, and a >= 1 for r < m.
ROWS = typed(
    "r*h*n**2*d <= (r + a)*h*n**2*d "
    f"and {TWO_PASS} < {SNAPKV.subs(m, r + a)} and {TWO_PASS} <= {STANDARD.subs(m, r + a)} "
    f"and {STANDARD.subs(m, r + a)} - ({TWO_PASS}) == a*w + 2*(r + a - 1)*h*n*d",
    over="r in 1..oo; a in 0..oo; h in 1..oo; d in 1..oo; n in 1..oo; k in 1..oo; w in 1..oo",
)
IN_ROWS = formula_leg("rows", ROWS)
# As `complexity` counts: attention, the first pass's selection, those of SnapKV in all layers.
SELECTION = h * d * (q * B + s)
FIRST_PASS, OF_ALL_LAYERS = COUNT + SELECTION, COUNT.subs(r, r + a)
COUNTS = typed(
    f"{COUNT} <= {OF_ALL_LAYERS} and {FIRST_PASS} <= {OF_ALL_LAYERS + (r + a) * SELECTION} "
    f"and {FIRST_PASS} <= {COUNT.subs(r, r + a + 1)} and {FIRST_PASS} - ({COUNT}) == {SELECTION}",
    over="r in 1..oo; a in 0..oo; h in 1..oo; d in 1..oo; q in 1..oo; B in 1..oo; s in 0..oo",
)
IN_COUNTS = formula_leg("counts", COUNTS)


def more_than_standard(q, B, s, r, h, d):
    """Multiply-adds of attention and selection by which the first pass exceeds standard attention where r = m."""
    return first_layers(Arrays(), q, B, s, r, 0, h, d) - all_layers(Arrays(), q, B, s, r, h, d)


def less_with_a_layer_more(q, B, s, r, h, d):
    """The same in a model of one layer more."""
    return first_layers(Arrays(), q, B, s, r, 1, h, d) - all_layers(Arrays(), q, B, s, r + 1, h, d)


dominance = claim(
    "gemfilter-prompt-dominance",
    states="gemfilter-complexity",
    title="Prompt phase: the two-pass method costs no more time and less memory, by the theorem's rows",
    says="For $r \\le m$ the two-pass method's row of prompt time is at most that of the others, and its memory is "
    "less than SnapKV's and at most standard attention's. Counted, its attention is no more, and with its selection it "
    "is no more than SnapKV with its own, or than standard attention for $r < m$; at $r = m$ the selection's $hdn$ "
    "multiply-adds are more than standard attention, so that there it is no more up to lower order alone.",
    role="reading",
    covers="prompt-dominance",
    reads={"m": "r a"},
    domain={**dict.fromkeys((q, B, r, h, d), integers(1)), s: integers(0)},
    grid={"smoke": {q: [1, 2], B: [1, 2], s: [0, 1], r: [1, 2], h: 2, d: 2}},
    relation=counts(),
    legs=[
        IN_ROWS,
        IN_COUNTS,
        leg(
            "at r = m",
            more_than_standard,
            closed_form=SELECTION,
            required=False,
            lhs=r"\#\text{multiply-adds more than standard attention},\ r=m",
        ),
    ],
    rivals=[
        *rivals_of(
            IN_ROWS,
            {
                **nowhere("k == 1 and n == 1", "a > 0 and k > 1"),
                "strictly less time at r = m": "r*h*n**2*d < (r + a)*h*n**2*d",
                "strictly less than standard at m = 1": "r*w + 2*h*n*d < (r + a)*w + 2*(r + a)*h*n*d",
            },
        ),
        *rivals_of(
            IN_COUNTS,
            {
                **nowhere("a == 0 and s == 0", "a > 0 and q > 1 and s > 0"),
                "with the selection at r = m, too": f"{FIRST_PASS} <= {OF_ALL_LAYERS}",
            },
        ),
        variant("no more at r = m", closed_form=sp.Integer(0), leg="at r = m"),
        variant("in a model of one layer more", simulation=less_with_a_layer_more, leg="at r = m"),
    ],
)
