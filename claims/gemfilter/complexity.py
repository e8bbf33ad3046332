"""Theorem 9.3 = G.4: time of three ways to generate, in both phases.

Setting. m layers, h heads of dimension d, w parameters a layer; n prompt tokens, k kept ones, t generated; the
two-pass method runs r layers on the prompt. Time counts the multiply-adds of attention; what is held is in `memory`.
H2O keeps the k positions of each head that received the most attention in the prompt, and appends what is generated,
as the column it shares with SnapKV says (`h2o`: where it goes on dropping).

Statement. Prompt time m h n^2 d for standard attention and SnapKV/H2O, r h n^2 d for the two-pass method;
generation time m h (nt + t^2) d, m h (kt + t^2) d, m h (k^2 + t^2) d, all up to constants. Projections and MLP,
in the theorem's g_i, cost w more for each token and layer and are not in the time rows.

Counted (`_transformer`). With n = qB + s in tiles of B rows a layer's attention costs h d (B^2 q(q+1) + 2sn);
t steps from c positions cost h d (2ct + t^2 + t). These are polynomials; the program, run on degrees alone, bounds
their degrees, so that agreement on a grid with one point more than the degree in each parameter is agreement
for all sizes. Floors appear only in q = floor(n/B).

Reference: Theorem 9.3, Theorem G.4 (arXiv 2409.17422).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    nowhere,
    rivals_of,
    typed,
    variant,
)
from theorycheck.claims.formula import rival_of

from ._h2o import h2o, h2o_prompt
from ._machine import Arrays, identity, more_at_the_smallest
from ._transformer import (
    Sizes,
    first_pass,
    gemfilter,
    load_once,
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


def first_layers(ops, q, B, s, r, a, h, d):
    """Of r + a layers the first r."""
    z = Sizes(q, B, s, r + a, h, d, WIDTH)
    load_once(ops, z)
    first_pass(ops, z, prompt(ops, z.n), r, 1)
    return ops.meter.done["attention"] + ops.meter.done["selection"]


def prompt(ops, n):
    return tokens_of(n) if isinstance(ops, Arrays) else (n,)


PROMPT_FROM = {"q": 1, "B": 1, "s": 0, "m": 1, "h": 1, "d": 1}
FIRST_PASS_FROM = {"q": 1, "B": 1, "s": 0, "r": 1, "a": 0, "h": 1, "d": 1}
COMPRESSED_FROM = {"q": 1, "k": 1, "s": 0, "m": 1, "h": 1, "d": 1}
STEPS_FROM = {"n": 1, "m": 1, "h": 1, "d": 1, "t": 1}
KEPT_STEPS_FROM = {"k": 1, "b": 0, "m": 1, "h": 1, "d": 1, "t": 1}
"""Least sizes, from which on the counts are polynomials."""


def tiled(q, B, s, layers, h, d):
    return layers * h * d * (B * B * q * (q + 1) + 2 * s * (q * B + s))


def whole_prompt():
    """Attention of the prompt phase in all layers, for all sizes."""
    return identity(all_layers, lambda q, B, s, m, h, d: tiled(q, B, s, m, h, d), **PROMPT_FROM)


def first_pass_prompt():
    """Attention and selection of the first pass, for all sizes."""
    return identity(
        first_layers,
        lambda q, B, s, r, a, h, d: tiled(q, B, s, r, h, d) + h * d * (q * B + s),
        **FIRST_PASS_FROM,
    )


def compressing(ops, q, k, s, m, h, d):
    """SnapKV's prompt phase in tiles of k rows, k positions kept; its selections counted."""
    z = Sizes(q, k, s, m, h, d, WIDTH)
    snapkv_prompt(ops, z, prompt(ops, z.n), k)
    return ops.meter.done["attention"] + ops.meter.done["selection"]


def selecting_everywhere(q, k, s, m, h, d):
    return tiled(q, k, s, m, h, d) + m * h * d * (q * k + s)


def compressed_prompt():
    """Attention and selections of SnapKV's prompt phase, for all sizes."""
    return identity(compressing, selecting_everywhere, **COMPRESSED_FROM)


more_in_one_row = more_at_the_smallest(
    all_layers, lambda q, B, s, m, h, d: tiled(q, B, s, m, h, d), **PROMPT_FROM
)


def heard(ops, q, k, s, m, h, d):
    """Twice the attention and the sums of H2O's prompt phase, in tiles of k rows, k positions kept."""
    z = Sizes(q, k, s, m, h, d, WIDTH)
    h2o_prompt(ops, z, prompt(ops, z.n), k)
    return 2 * (ops.meter.done["attention"] + ops.meter.done["accumulation"])


def summed(q, B, s, layers, h):
    """Twice the multiply-adds of what each key receives: one for each query and key that are looked at."""
    return layers * h * (B * B * q * (q + 1) + 2 * s * (q * B + s))


def accumulated_prompt():
    """Twice attention and sums of H2O's prompt phase, for all sizes."""
    return identity(
        heard,
        lambda q, k, s, m, h, d: 2 * tiled(q, k, s, m, h, d) + summed(q, k, s, m, h),
        **COMPRESSED_FROM,
    )


def without_the_sums():
    return identity(heard, lambda q, k, s, m, h, d: 2 * tiled(q, k, s, m, h, d), **COMPRESSED_FROM)


def one_selection():
    return identity(
        compressing,
        lambda q, k, s, m, h, d: tiled(q, k, s, m, h, d) + h * d * (q * k + s),
        **COMPRESSED_FROM,
    )


def a_layer_less():
    """What would hold if the filter layer's attention were skipped."""
    return identity(
        first_layers,
        lambda q, B, s, r, a, h, d: tiled(q, B, s, r + -1, h, d) + h * d * (q * B + s),
        **FIRST_PASS_FROM,
    )


def layers_of_the_model(ops, q, B, s, r, a, h, d):
    """All r + a."""
    z = Sizes(q, B, s, r + a, h, d, WIDTH)
    standard_prompt(ops, z, prompt(ops, z.n))
    return ops.meter.done["attention"]


def as_much_in_all():
    return identity(
        layers_of_the_model, lambda q, B, s, r, a, h, d: tiled(q, B, s, r, h, d), **FIRST_PASS_FROM
    )


def more_from_four(q):
    """0 at q = 1, 2, 3."""
    return (q + -1) * (q + -2) * (q + -3)


def stated_with_more():
    return identity(
        all_layers,
        lambda q, B, s, m, h, d: tiled(q, B, s, m, h, d) + more_from_four(q),
        **PROMPT_FROM,
    )


def counted_with_more():
    return identity(
        lambda ops, q, B, s, m, h, d: all_layers(ops, q, B, s, m, h, d) + more_from_four(q),
        lambda q, B, s, m, h, d: tiled(q, B, s, m, h, d),
        **PROMPT_FROM,
    )


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
    return identity(
        with_inner_loops, lambda q, B, s, m, h, d: tiled(q, B, s, m, h, d), **PROMPT_FROM
    )


def exactly_square():
    return identity(
        all_layers,
        lambda q, B, s, m, h, d: 2 * m * h * d * (q * B + s) * (q * B + s),
        **PROMPT_FROM,
    )


def constants():
    """c = 1 and C = 3, whatever the sizes are."""
    return sp.Integer(1), sp.Integer(3)


def between(row):
    """A row of the theorem with the lower and with the upper constant; the two are one number apart."""
    lower, upper = (constant * row for constant in constants())
    if not sp.cancel(upper / lower).is_number:
        raise ValueError("the constants depend on a size")
    return lower, upper


n, m, h, d, k, t, r, F, w = sp.symbols("n m h d k t r F w", integer=True, positive=True)
q, B, s = sp.symbols("q B s", integer=True)
A = sp.Symbol("A", integer=True, positive=True)


# With the selection's h d n, of SnapKV r h d n, or the sums of H2O; standard attention, SnapKV and H2O are r = m.
COUNT = tiled(q, B, s, r, h, d)
HUNDREDTH, TENTH = sp.Rational(1, 100), sp.Rational(1, 10)
LINEAR = r * (q * B + s) * (4 * (h * d) ** 2 + 2 * h * d * F)
"""Projections and MLP of the same layers, which the time rows leave out."""
LEAST, MOST = between(r * h * d * (q * B + s) ** 2)
GREATER, SMALLER = (1 + TENTH) * LEAST, (1 - HUNDREDTH) * MOST
PROMPT = typed(
    f"{LEAST} <= {COUNT} <= {COUNT} + h*d*(q*B + s) <= {COUNT} + r*h*d*(q*B + s) <= {MOST} "
    f"and {COUNT + summed(q, B, s, r, h) / 2} <= {MOST}",
    over="r in 1..oo; h in 1..oo; d in 1..oo; q in 1..oo; B in 1..oo; s in 0..oo",
)
PROMPT_BETWEEN = formula_leg("constants", PROMPT, gives="c C", chosen_by=constants)
# Whatever the constant A, at n = 1 and d = A all multiply-adds are more than A times the row: it cannot depend on d.
OF_ALL = typed(
    f"{(COUNT + LINEAR).subs({q: 1, B: 1, s: 0, d: A})} > {A * LEAST.subs({q: 1, B: 1, s: 0, d: A})}",
    over="r in 1..oo; h in 1..oo; A in 1..oo; F in 1..oo",
)
WITH_THE_REST = formula_leg("no constant for all", OF_ALL)
ONCE = {"smoke": [{}]}
"""A proof is for all sizes: it takes none."""
COUNTED = r"\#\text{multiply-adds of attention}"


def at_sizes(q, B, s, r, h, d):
    """Attention that the program counts, r layers on the whole prompt."""
    return all_layers(Arrays(), q, B, s, r, h, d)


def all_at_sizes(q, B, s, r, h, d, F):
    """Whatever the program multiplies, attention or not."""
    ops, z = Arrays(), Sizes(q, B, s, r, h, d, F)
    standard_prompt(ops, z, tokens_of(z.n))
    return sum(ops.meter.done.values())


prompt_time = claim(
    "gemfilter-complexity",
    title="Prompt time: attention",
    says=r"For every $n = qB + s$ the attention of $L$ layers on the prompt costs $Lhd\,(B^2q(q + "
    "1) + 2sn)$ multiply-adds, which lies between $Lhdn^2$ and $3Lhdn^2$ also with the "
    "selections, or with the sums of what each key receives (H2O): $L = m$ for standard attention, SnapKV and H2O, "
    "$L = r$ for the two-pass method. Projections and MLP cost $Ln\\,(4(hd)^2 + 2hdF)$ more; with them no constant "
    "is large enough for all $d$.",
    covers="prompt-time",
    reads={"n": "q B s", "m": "r"},
    domain={**dict.fromkeys((q, B, r, h, d, F), integers(1)), s: integers(0)},
    grid={"smoke": {q: [1, 2], B: [1, 3], s: [0, 2], r: [1, 2], h: [1, 2], d: 2, F: 3}},
    relation=equals(),
    legs=[
        leg("whole prompt", whole_prompt, arithmetic="proof", over="m h d r n", grid=ONCE),
        leg("first pass", first_pass_prompt, arithmetic="proof", over="m h d r n", grid=ONCE),
        leg("SnapKV", compressed_prompt, arithmetic="proof", over="m h d r n", grid=ONCE),
        leg("H2O", accumulated_prompt, arithmetic="proof", over="m h d r n", grid=ONCE),
        PROMPT_BETWEEN,
        WITH_THE_REST,
        leg("at sizes", at_sizes, closed_form=COUNT, required=False, lhs=COUNTED),
        leg(
            "all at sizes",
            all_at_sizes,
            closed_form=COUNT + LINEAR,
            required=False,
            lhs=r"\#\text{multiply-adds}",
        ),
    ],
    rivals=[
        variant("a layer less", simulation=a_layer_less, leg="first pass"),
        variant("all layers of the model", simulation=as_much_in_all, leg="first pass"),
        variant("2 n^2", simulation=exactly_square, leg="whole prompt"),
        variant("one more at the smallest", simulation=more_in_one_row, leg="whole prompt"),
        variant("one selection for all layers", simulation=one_selection, leg="SnapKV"),
        variant("without the sums", simulation=without_the_sums, leg="H2O"),
        variant("the same up to q = 3", simulation=stated_with_more, leg="whole prompt"),
        variant(
            "a program that does more from q = 4 on",
            simulation=counted_with_more,
            leg="whole prompt",
        ),
        variant(
            "a program that loops more from q = 4 on",
            simulation=counted_with_loops,
            leg="whole prompt",
        ),
        rival_of(
            PROMPT, "a smaller C", f"{COUNT + r * h * d * (q * B + s)} <= {SMALLER}", "constants"
        ),
        *rivals_of(
            PROMPT_BETWEEN,
            nowhere(
                "q == 1 and s == 0",
                "h > 1 and s > 1",
            ),
        ),
        rival_of(
            PROMPT,
            "projections, too",
            f"{COUNT + LINEAR.subs(F, 0)} <= {MOST}",
            "constants",
        ),
        variant("attention alone", simulation=at_sizes, leg="all at sizes"),
        variant("all that is multiplied", simulation=all_at_sizes, leg="at sizes"),
        rival_of(
            OF_ALL,
            "attention alone, of no constant",
            f"{COUNT.subs({q: 1, B: 1, s: 0, d: A})} > {A * LEAST.subs({q: 1, B: 1, s: 0, d: A})}",
            "no constant for all",
        ),
        rival_of(PROMPT, "a larger c", f"{GREATER} <= {COUNT + h * d * (q * B + s)}", "constants"),
        rival_of(
            PROMPT,
            "a layer less at r = 1",
            "r*h*d*(q*B + s)**2 <= 9*(r - 1)*h*d*(B**2*q*(q + 1) + 2*s*(q*B + s)) + h*d*(q*B + s)",
            "constants",
        ),
    ],
)


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


def h2o_kept_steps(ops, k, b, m, h, d, t):
    z = Sizes(k + b, 1, 0, m, h, d, WIDTH)
    h2o(ops, z, prompt(ops, z.n), k, t)
    return ops.meter.done["attention"]


def stepwise(c, m, h, d, t):
    return m * h * d * t * (2 * c + t + 1)


def second_pass(k, m, h, d):
    return m * h * d * k * (k + 1)


def standard_steps():
    """Attention of the generation phase of standard attention, for all sizes."""
    return identity(steps, lambda n, m, h, d, t: stepwise(n, m, h, d, t), **STEPS_FROM)


def snapkv_steps():
    """The same of SnapKV (n = k + b)."""
    return identity(kept_steps, lambda k, b, m, h, d, t: stepwise(k, m, h, d, t), **KEPT_STEPS_FROM)


def h2o_steps():
    """The same of H2O where nothing is dropped after the prompt (n = k + b)."""
    return identity(
        h2o_kept_steps, lambda k, b, m, h, d, t: stepwise(k, m, h, d, t), **KEPT_STEPS_FROM
    )


def h2o_with_all_keys():
    return identity(
        h2o_kept_steps, lambda k, b, m, h, d, t: stepwise(k + b, m, h, d, t), **KEPT_STEPS_FROM
    )


def two_pass_steps():
    """The same of the two-pass method, its second pass included (n = k + b)."""
    return identity(
        two_passes,
        lambda k, b, m, h, d, t: second_pass(k, m, h, d) + stepwise(k, m, h, d, t),
        **KEPT_STEPS_FROM,
    )


def without_the_second_pass():
    return identity(two_passes, lambda k, b, m, h, d, t: stepwise(k, m, h, d, t), **KEPT_STEPS_FROM)


more_for_one_token = more_at_the_smallest(
    two_passes,
    lambda k, b, m, h, d, t: second_pass(k, m, h, d) + stepwise(k, m, h, d, t),
    **KEPT_STEPS_FROM,
)


def all_keys():
    return identity(
        kept_steps, lambda k, b, m, h, d, t: stepwise(k + b, m, h, d, t), **KEPT_STEPS_FROM
    )


def one_key_less():
    return identity(steps, lambda n, m, h, d, t: m * h * d * t * (2 * n + t + -1), **STEPS_FROM)


# The same rows with n for k are those of standard attention.
STEPS = stepwise(k, m, h, d, t)
PASSES = second_pass(k, m, h, d) + STEPS
LEAST_STEPS, MOST_STEPS = between(m * h * d * (k * t + t**2))
LEAST_PASSES, MOST_PASSES = between(m * h * d * (k**2 + t**2))
GENERATION = typed(
    f"{LEAST_STEPS} <= {STEPS} <= {MOST_STEPS} and {LEAST_PASSES} <= {PASSES} "
    f"and {MOST_PASSES} - ({PASSES}) == m*h*d*((k - t)**2 + k*(k - 1) + t*(t - 1))",
    over="m in 1..oo; h in 1..oo; d in 1..oo; k in 1..oo; t in 1..oo",
)
BETWEEN = formula_leg("constants", GENERATION, gives="c C", chosen_by=constants)
# k = t + j and t = k + j with j >= 0 stand for all k and t.
j = sp.Symbol("j", integer=True, nonnegative=True)
FEWER_STEPS, MORE_STEPS = {k: t + j}, {t: k + j}
UPPER = typed(
    f"{PASSES.subs(FEWER_STEPS)} <= {MOST_PASSES.subs(FEWER_STEPS)} "
    f"and {PASSES.subs(MORE_STEPS)} <= {MOST_PASSES.subs(MORE_STEPS)}",
    over="m in 1..oo; h in 1..oo; d in 1..oo; k in 1..oo; t in 1..oo; j in 0..oo",
)
AT_MOST = formula_leg("at most", UPPER)


def passes_at_sizes(k, t, m, h, d):
    """Attention that the two-pass method's program counts, of a prompt of k + 1 tokens."""
    return two_passes(Arrays(), k, 1, m, h, d, t)


generation_time = claim(
    "gemfilter-generation-time",
    states="gemfilter-complexity",
    title="Generation time: attention",
    says=r"Generating $t$ tokens costs $mhd\,(2ct + t^2 + t)$ multiply-adds of attention, $c = n$ "
    r"for standard attention and $c = k$ for both others, and $mhd\,k(k + 1)$ more for the second "
    "pass of the two-pass method: between once and three times the printed rows for all $k$ and "
    "$t$.",
    covers="generation-time",
    domain=dict.fromkeys((k, t, m, h, d), integers(1)),
    grid={"smoke": {k: [1, 3], t: [1, 2], m: [1, 2], h: [1, 2], d: 2}},
    relation=equals(),
    legs=[
        leg("standard", standard_steps, arithmetic="proof", over="m h d k t", grid=ONCE),
        leg("SnapKV", snapkv_steps, arithmetic="proof", over="m h d k t", grid=ONCE),
        leg("H2O", h2o_steps, arithmetic="proof", over="m h d k t", grid=ONCE),
        leg("two passes", two_pass_steps, arithmetic="proof", over="m h d k t", grid=ONCE),
        BETWEEN,
        AT_MOST,
        leg("at sizes", passes_at_sizes, closed_form=PASSES, required=False, lhs=COUNTED),
    ],
    rivals=[
        variant("without the second pass", simulation=without_the_second_pass, leg="two passes"),
        variant("one more at the smallest", simulation=more_for_one_token, leg="two passes"),
        variant("a key less", simulation=one_key_less, leg="standard"),
        variant("all n keys", simulation=all_keys, leg="SnapKV"),
        variant("all n keys of H2O", simulation=h2o_with_all_keys, leg="H2O"),
        rival_of(GENERATION, "a larger c", f"{(1 + TENTH) * LEAST_STEPS} <= {STEPS}", "constants"),
        rival_of(
            GENERATION,
            "a larger c of two passes",
            f"{(1 + TENTH) * LEAST_PASSES} <= {PASSES}",
            "constants",
        ),
        *rivals_of(
            BETWEEN,
            nowhere(
                "m == 1 and h == 1 and d == 1 and k == 1 and t == 1",
                "m > 1 and h > 1 and d > 1 and k > t and t > 1",
                "t > k",
            ),
        ),
        # at k = t = 1 alone
        rival_of(
            GENERATION,
            "a smaller C of two passes",
            f"{PASSES} <= {(1 - HUNDREDTH) * MOST_PASSES}",
            "constants",
        ),
        *rivals_of(
            AT_MOST,
            nowhere("j == 0 and k == 1 and t == 1", "j > 0 and k > 1 and t > 1"),
        ),
        # at k = t = 1 alone
        rival_of(
            UPPER,
            "a smaller C of as many steps",
            f"{PASSES.subs(FEWER_STEPS)} <= {(1 - HUNDREDTH) * MOST_PASSES.subs(FEWER_STEPS)}",
            "at most",
        ),
        rival_of(
            GENERATION,
            "kt + t^2 for the two-pass method",
            "m*h*d*(k*(k + 1) + 2*k*t + t**2 + t) <= 3*m*h*d*(k*t + t**2)",
            "constants",
        ),
    ],
)
