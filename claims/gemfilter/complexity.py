"""Theorem 9.3 = G.4: time and memory of three ways to generate, in both phases.

Setting. m layers, h heads of dimension d, w parameters a layer; n prompt tokens, k kept ones, t generated; the
two-pass method runs r layers on the prompt. Time counts the multiply-adds of attention; memory counts stored
numbers: parameters of the loaded layers and cached keys and values.

Statement. Prompt time m h n^2 d for standard attention and SnapKV/H2O, r h n^2 d for the two-pass method;
generation time m h (nt + t^2) d, m h (kt + t^2) d, m h (k^2 + t^2) d, all up to constants; prompt memory
mw + 2mhnd (printed 2mhd), mw + 2hnd + 2mhkd, rw + 2hnd; generation memory mw + 2mh(n+t)d, and mw + 2mh(k+t)d for
both others. Projections and MLP, in the theorem's g_i, cost w more for each token and layer and are not in the
time rows.

Counted (`_transformer`). With n = qB + s in tiles of B rows a layer's attention costs h d (B^2 q(q+1) + 2sn);
t steps from c positions cost h d (2ct + t^2 + t). These are polynomials; the program, run on degrees alone, bounds
their degrees, so that agreement on a grid with one point more than the degree in each parameter is agreement
for all sizes. Floors appear only in q = floor(n/B).

Reference: Theorem 9.3, Theorem G.4 (arXiv 2409.17422).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, counts, formula, formula_leg, integers, leg, typed, variant
from theorycheck.claims.formula import rival_of

from ._machine import Arrays, identity
from ._transformer import (
    Sizes,
    first_pass,
    gemfilter,
    layer_parameters,
    snapkv,
    snapkv_prompt,
    standard,
    standard_prompt,
    tokens_of,
)

WIDTH = 3
"""Width of the MLP, which no count of attention depends on."""

# ---- counts as polynomials for all sizes


def all_layers(ops, q, B, s, m, h, d):
    z = Sizes(q, B, s, m, h, d, WIDTH)
    standard_prompt(ops, z, prompt(ops, z.n))
    return ops.meter.done["attention"]


def first_layers(ops, q, B, s, r, h, d):
    z = Sizes(q, B, s, r, h, d, WIDTH)
    first_pass(ops, z, prompt(ops, z.n), r, 1)
    return ops.meter.done["attention"] + ops.meter.done["selection"]


def prompt(ops, n):
    return tokens_of(n) if isinstance(ops, Arrays) else (n,)


def tiled(q, B, s, layers, h, d):
    return layers * h * d * (B * B * q * (q + 1) + 2 * s * (q * B + s))


def whole_prompt():
    """Attention of the prompt phase in all layers, for all sizes."""
    return identity(all_layers, lambda q, B, s, m, h, d: tiled(q, B, s, m, h, d),
                    q=1, B=1, s=0, m=1, h=1, d=1)  # fmt: skip


def first_pass_prompt():
    """Attention and selection of the first pass, for all sizes."""
    return identity(
        first_layers, lambda q, B, s, r, h, d: tiled(q, B, s, r, h, d) + h * d * (q * B + s),
        q=1, B=1, s=0, r=1, h=1, d=1,
    )  # fmt: skip


def a_layer_less():
    """What would hold if the filter layer's attention were skipped."""
    return identity(
        first_layers, lambda q, B, s, r, h, d: tiled(q, B, s, r + -1, h, d) + h * d * (q * B + s),
        q=1, B=1, s=0, r=1, h=1, d=1,
    )  # fmt: skip


def more_from_four(q):
    """0 at q = 1, 2, 3."""
    return (q + -1) * (q + -2) * (q + -3)


def stated_with_more():
    return identity(all_layers, lambda q, B, s, m, h, d: tiled(q, B, s, m, h, d) + more_from_four(q),
                    q=1, B=1, s=0, m=1, h=1, d=1)  # fmt: skip


def counted_with_more():
    return identity(
        lambda ops, q, B, s, m, h, d: all_layers(ops, q, B, s, m, h, d) + more_from_four(q),
        lambda q, B, s, m, h, d: tiled(q, B, s, m, h, d), q=1, B=1, s=0, m=1, h=1, d=1,
    )  # fmt: skip


def with_inner_loops(ops, q, B, s, m, h, d):
    """One multiply-add for each four of the q tiles beside it: none for q = 1, 2, 3."""
    all_layers(ops, q, B, s, m, h, d)
    one = ops.empty(1, 1)
    for first in ops.loop(q):
        for second in ops.loop(first):
            for third in ops.loop(second):
                for _ in ops.loop(third):
                    ops.product("attention", one, one)
    return ops.meter.done["attention"]


def counted_with_loops():
    return identity(with_inner_loops, lambda q, B, s, m, h, d: tiled(q, B, s, m, h, d),
                    q=1, B=1, s=0, m=1, h=1, d=1)  # fmt: skip


def exactly_square():
    return identity(all_layers, lambda q, B, s, m, h, d: 2 * m * h * d * (q * B + s) * (q * B + s),
                    q=1, B=1, s=0, m=1, h=1, d=1)  # fmt: skip


def constants():
    """c = 1 and C = 3, whatever the sizes are."""


n, m, h, d, k, t, r, F, w = sp.symbols("n m h d k t r F w", integer=True, positive=True)
q, B, s = sp.symbols("q B s", integer=True)

# With the selection's h d n; standard attention and SnapKV are r = m without it.
COUNT = tiled(q, B, s, r, h, d)
PROMPT = typed(
    f"r*h*d*(q*B + s)**2 <= {COUNT} <= {COUNT} + h*d*(q*B + s) <= 3*r*h*d*(q*B + s)**2",
    over="r in 1..oo; h in 1..oo; d in 1..oo; q in 1..oo; B in 1..oo; s in 0..oo",
)
prompt_time = claim(
    "gemfilter-complexity",
    title="Prompt time: attention",
    says=r"For every $n = qB + s$ the attention of $L$ layers on the prompt costs $Lhd\,(B^2q(q + "
    "1) + 2sn)$ multiply-adds, which lies between $Lhdn^2$ and $3Lhdn^2$ also with the "
    "selection: $L = m$ for standard attention and SnapKV/H2O, $L = r$ for the two-pass method.",
    covers="prompt-time",
    reads={"n": "q B s", "m": "r"},
    legs=[
        leg("whole prompt", whole_prompt, arithmetic="proof", over="m h d r n"),
        leg("first pass", first_pass_prompt, arithmetic="proof", over="m h d r n"),
        formula_leg("constants", PROMPT, gives="c C", chosen_by=constants),
    ],
    rivals=[
        variant("a layer less", simulation=a_layer_less, leg="first pass"),
        variant("2 n^2", simulation=exactly_square, leg="whole prompt"),
        variant("the same up to q = 3", simulation=stated_with_more, leg="whole prompt"),
        variant("a program that does more from q = 4 on", simulation=counted_with_more,
                leg="whole prompt"),
        variant("a program that loops more from q = 4 on", simulation=counted_with_loops,
                leg="whole prompt"),
        rival_of(PROMPT, "C = 1", PROMPT.says.replace("3*r", "r"), "constants"),
        rival_of(PROMPT, "a layer less at r = 1",
                 "r*h*d*(q*B + s)**2 <= 9*(r - 1)*h*d*(B**2*q*(q + 1) + 2*s*(q*B + s)) + h*d*(q*B + s)",
                 "constants"),
    ],
)  # fmt: skip


def steps(ops, n, m, h, d, t):
    standard(ops, Sizes(n, 1, 0, m, h, d, WIDTH), prompt(ops, n), t)
    return ops.meter.done["attention"]


def two_passes(ops, k, b, m, h, d, t):
    z = Sizes(k + b, 1, 0, m, h, d, WIDTH)
    gemfilter(ops, z, prompt(ops, z.n), 1, k, t)
    return ops.meter.done["attention"]


def kept_steps(ops, k, b, m, h, d, t):
    z = Sizes(k + b, 1, 0, m, h, d, WIDTH)
    snapkv(ops, z, prompt(ops, z.n), k, t)
    return ops.meter.done["attention"]


def stepwise(c, m, h, d, t):
    return m * h * d * t * (2 * c + t + 1)


def second_pass(k, m, h, d):
    return m * h * d * k * (k + 1)


def standard_steps():
    """Attention of the generation phase of standard attention, for all sizes."""
    return identity(steps, lambda n, m, h, d, t: stepwise(n, m, h, d, t),
                    n=1, m=1, h=1, d=1, t=1)  # fmt: skip


def snapkv_steps():
    """The same of SnapKV (n = k + b)."""
    return identity(kept_steps, lambda k, b, m, h, d, t: stepwise(k, m, h, d, t),
                    k=1, b=0, m=1, h=1, d=1, t=1)  # fmt: skip


def two_pass_steps():
    """The same of the two-pass method, its second pass included (n = k + b)."""
    return identity(two_passes,
                    lambda k, b, m, h, d, t: second_pass(k, m, h, d) + stepwise(k, m, h, d, t),
                    k=1, b=0, m=1, h=1, d=1, t=1)  # fmt: skip


def without_the_second_pass():
    return identity(two_passes, lambda k, b, m, h, d, t: stepwise(k, m, h, d, t),
                    k=1, b=0, m=1, h=1, d=1, t=1)  # fmt: skip


def all_keys():
    return identity(kept_steps, lambda k, b, m, h, d, t: stepwise(k + b, m, h, d, t),
                    k=1, b=0, m=1, h=1, d=1, t=1)  # fmt: skip


def one_key_less():
    return identity(steps, lambda n, m, h, d, t: m * h * d * t * (2 * n + t + -1),
                    n=1, m=1, h=1, d=1, t=1)  # fmt: skip


# The same rows with n for k are those of standard attention.
STEPS = stepwise(k, m, h, d, t)
PASSES = second_pass(k, m, h, d) + STEPS
GENERATION = typed(
    f"m*h*d*(k*t + t**2) <= {STEPS} <= 3*m*h*d*(k*t + t**2) "
    f"and m*h*d*(k**2 + t**2) <= {PASSES} "
    f"and 3*m*h*d*(k**2 + t**2) - ({PASSES}) "
    "== m*h*d*((k - t)**2 + k*(k - 1) + t*(t - 1))",
    over="m in 1..oo; h in 1..oo; d in 1..oo; k in 1..oo; t in 1..oo",
)
generation_time = claim(
    "gemfilter-generation-time",
    states="gemfilter-complexity",
    title="Generation time: attention",
    says=r"Generating $t$ tokens costs $mhd\,(2ct + t^2 + t)$ multiply-adds of attention, $c = n$ "
    r"for standard attention and $c = k$ for both others, and $mhd\,k(k + 1)$ more for the second "
    "pass of the two-pass method: between once and three times the printed rows for all $k$ and "
    "$t$.",
    covers="generation-time",
    legs=[
        leg("standard", standard_steps, arithmetic="proof", over="m h d k t"),
        leg("SnapKV", snapkv_steps, arithmetic="proof", over="m h d k t"),
        leg("two passes", two_pass_steps, arithmetic="proof", over="m h d k t"),
        formula_leg("constants", GENERATION, gives="c C", chosen_by=constants),
    ],
    rivals=[
        variant("without the second pass", simulation=without_the_second_pass, leg="two passes"),
        variant("a key less", simulation=one_key_less, leg="standard"),
        variant("all n keys", simulation=all_keys, leg="SnapKV"),
        rival_of(GENERATION, "kt + t^2 for the two-pass method",
                 "m*h*d*(k*(k + 1) + 2*k*t + t**2 + t) <= 3*m*h*d*(k*t + t**2)", "constants"),
    ],
)  # fmt: skip

# ---- memory

DOMAIN = {n: integers(1), m: integers(1), h: integers(1), d: integers(1), F: integers(1)}
KEPT = {**DOMAIN, k: integers(1), r: integers(1)}


def shaped(n, m, h, d, F):
    return Sizes(n, 1, 0, m, h, d, F)


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


def two_pass_peak(n, m, h, d, F, k, r):
    return report(gemfilter(Arrays(), shaped(n, m, h, d, F), tokens_of(n), r, k, 1)[0], h, d, F)


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
    closed_form=m * w + 2 * m * h * d,
    relation=counts(),
    legs=[leg("ledger", standard_peak, observed=[w])],
)

GRID = [
    {n: a, m: b, h: c, d: e, F: f, k: g, r: j}
    for a, b, c, e, f, g, j in (
        (1, 1, 1, 1, 1, 1, 1), (7, 3, 2, 2, 3, 4, 2), (5, 2, 1, 3, 2, 1, 2), (12, 4, 2, 1, 4, 5, 1),
        (9, 2, 3, 2, 1, 9, 1), (6, 1, 2, 3, 5, 2, 1), (10, 5, 1, 2, 2, 3, 3),
    )
]  # fmt: skip

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
    "$mw+2hnd+2mhkd$ for SnapKV (a layer's cache is dropped once its selected copy is made) and "
    "$rw+2hnd$ for the two-pass method.",
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
        leg("SnapKV", snapkv_peak, observed=[w], closed_form=SNAPKV,
            lhs=r"\text{peak}_{\text{SnapKV}}",
            tex=r"mw+2hnd+2mhkd"),
        leg("two-pass", two_pass_peak, observed=[w], closed_form=TWO_PASS,
            lhs=r"\text{peak}_{\text{two-pass}}",
            tex=r"rw+2hnd"),
    ],
    rivals=[
        variant("2mhd", closed_form=m * w + 2 * m * h * d, leg="standard"),
        variant("nothing kept", closed_form=m * w + 2 * h * n * d, leg="SnapKV"),
        variant("the cache of r layers", closed_form=r * w + 2 * r * h * n * d, leg="two-pass"),
        variant("all layers loaded", closed_form=m * w + 2 * h * n * d, leg="two-pass"),
    ],
)  # fmt: skip


def standard_later(n, m, h, d, F, t):
    """Most numbers held while t tokens are generated; and in one layer."""
    ops = Arrays()
    standard(ops, shaped(n, m, h, d, F), tokens_of(n), t)
    return report(ops.meter.peak, h, d, F)


def snapkv_later(n, m, h, d, F, k, t):
    ops = Arrays()
    snapkv(ops, shaped(n, m, h, d, F), tokens_of(n), k, t)
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
    "attention and $mw + 2mh(k+t)d$ for both SnapKV and the two-pass method.",
    role="reading",
    covers="generation-memory same-memory",
    reads={"w": "h d F", "all": "n m h d k t F"},
    domain={**KEPT, t: integers(1)},
    where=(k <= n, r <= m),
    grid={"smoke": LATER},
    closed_form=HELD,
    relation=counts(),
    legs=[
        leg("standard", standard_later, observed=[w], closed_form=HELD.subs(k, n),
            lhs=r"\text{peak}_{\text{standard}}",
            tex=r"mw+2mh(n+t)d"),
        leg("SnapKV", snapkv_later, observed=[w]),
        leg("two-pass", two_pass_later, observed=[w]),
    ],
    rivals=[
        variant("all n positions", closed_form=m * w + 2 * m * h * (n + t) * d, leg="two-pass"),
        variant("the filter's layers only", closed_form=r * w + 2 * m * h * (k + t) * d, leg="two-pass"),
        variant("k positions only", closed_form=m * w + 2 * m * h * (k + t) * d, leg="standard"),
        variant("one token less", closed_form=m * w + 2 * m * h * (k + t - 1) * d, leg="SnapKV"),
    ],
)  # fmt: skip


def weights_of(h, d, F):
    return 4 * h * h * d * d + 2 * h * d * F


def standard_held(ops, n, m, h, d, F, t):
    standard(ops, Sizes(n, 1, 0, m, h, d, F), prompt(ops, n), t)
    return ops.meter.most


def snapkv_held(ops, k, b, m, h, d, F, t):
    z = Sizes(k + b, 1, 0, m, h, d, F)
    snapkv(ops, z, prompt(ops, z.n), k, t)
    return ops.meter.most


def two_pass_held(ops, k, b, r, m, h, d, F, t):
    z = Sizes(k + b, 1, 0, m, h, d, F)
    gemfilter(ops, z, prompt(ops, z.n), r, k, t)
    return ops.meter.most


def held_with(c, m, h, d, F, t):
    return m * weights_of(h, d, F) + 2 * m * h * (c + t) * d


def standard_memory():
    """Numbers held at the end of generation by standard attention, for all sizes."""
    return identity(standard_held, lambda n, m, h, d, F, t: held_with(n, m, h, d, F, t),
                    n=1, m=1, h=1, d=1, F=1, t=1)  # fmt: skip


def snapkv_memory():
    """The same of SnapKV (n = k + b)."""
    return identity(snapkv_held, lambda k, b, m, h, d, F, t: held_with(k, m, h, d, F, t),
                    k=1, b=0, m=1, h=1, d=1, F=1, t=1)  # fmt: skip


def two_pass_memory():
    """The same of the two-pass method (n = k + b)."""
    return identity(two_pass_held, lambda k, b, r, m, h, d, F, t: held_with(k, m, h, d, F, t),
                    k=1, b=0, r=1, m=1, h=1, d=1, F=1, t=1)  # fmt: skip


def memory_of_all_keys():
    return identity(snapkv_held, lambda k, b, m, h, d, F, t: held_with(k + b, m, h, d, F, t),
                    k=1, b=0, m=1, h=1, d=1, F=1, t=1)  # fmt: skip


def memory_of_a_token_less():
    return identity(standard_held, lambda n, m, h, d, F, t: held_with(n, m, h, d, F, t + -1),
                    n=1, m=1, h=1, d=1, F=1, t=1)  # fmt: skip


def standard_held_beside(more):
    """Standard attention, after ``more(ops, t)``: what holds nothing for t = 1 and 2, where the degrees of the stated
    polynomial alone would end."""

    def held(ops, n, m, h, d, F, t):
        more(ops, t)
        return standard_held(ops, n, m, h, d, F, t)

    return identity(held, lambda n, m, h, d, F, t: held_with(n, m, h, d, F, t),
                    n=1, m=1, h=1, d=1, F=1, t=1)  # fmt: skip


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
    return identity(two_pass_held, lambda k, b, r, m, h, d, F, t: held_with(k, r, h, d, F, t),
                    k=1, b=0, r=1, m=1, h=1, d=1, F=1, t=1)  # fmt: skip


generation_memory_proved = claim(
    "gemfilter-generation-memory-all-sizes",
    states=["gemfilter-complexity", "gemfilter-generation-remark"],
    title="Generation memory for all sizes",
    says="No number is dropped while $t$ tokens are generated, so that the peak is what is held at the end: "
    "$mw + 2mh(n+t)d$ for standard attention, $mw + 2mh(k+t)d$ for SnapKV and the two-pass method, "
    "$w=4(hd)^2+2hdF$, as polynomials.",
    role="reading",
    covers="generation-memory same-memory",
    legs=[
        leg("standard", standard_memory, arithmetic="proof", over="m h d n k t w all"),
        leg("SnapKV", snapkv_memory, arithmetic="proof", over="m h d n k t w all"),
        leg("two passes", two_pass_memory, arithmetic="proof", over="m h d n k t w all"),
    ],
    rivals=[
        variant("all keys", simulation=memory_of_all_keys, leg="SnapKV"),
        variant("a token less", simulation=memory_of_a_token_less, leg="standard"),
        variant("more in loops from t = 3 on", simulation=memory_with_loops, leg="standard"),
        variant("more rows from t = 3 on", simulation=memory_with_rows, leg="standard"),
        variant("more columns from t = 3 on", simulation=memory_with_columns, leg="standard"),
        variant("the filter's layers only", simulation=memory_of_the_filter, leg="two passes"),
    ],
)  # fmt: skip

a = sp.Symbol("a")
# m = r + a with a >= 0 stands for every m >= r, and a >= 1 for r < m.
dominance = formula(
    "gemfilter-prompt-dominance",
    states="gemfilter-complexity",
    title="Prompt phase: the two-pass method costs no more time and less memory",
    says="r*h*n**2*d <= (r + a)*h*n**2*d "
    f"and {TWO_PASS} < {SNAPKV.subs(m, r + a)} and {TWO_PASS} <= {STANDARD.subs(m, r + a)}",
    over="r in 1..oo; a in 0..oo; h in 1..oo; d in 1..oo; n in 1..oo; k in 1..oo; w in 1..oo",
    role="reading",
    covers="prompt-dominance",
    reads={"m": "r a"},
    rivals={
        "strictly less time at r = m": "r*h*n**2*d < (r + a)*h*n**2*d",
        "strictly less than standard at m = 1": "r*w + 2*h*n*d < (r + a)*w + 2*(r + a)*h*n*d",
    },
)
