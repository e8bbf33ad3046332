"""Section 9.3.2, case study: ratios at n = 131072, k = t = 1024, and which phase needs the most memory.

Setting. The rows of the memory table of Theorem 9.3 with its first cell corrected (`complexity` counts them):
prompt mw + 2mhnd, mw + 2hnd + 2mhkd, rw + 2hnd; generation mw + 2mh(n+t)d, and mw + 2mh(k+t)d for both
others. w is the number of parameters of a layer; the source leaves it open.

Statements. Printed prompt memory mw + mhd : mw + hnd : rw + hnd (false by a factor of the order of n);
generation time n : k : k and memory w/(hd) + 2n : w/(hd) + 4k : w/(hd) + 4k at t = k; the peak is in generation for
standard attention, in the prompt for SnapKV exactly when n > mt, and for the two-pass method exactly when
n > n0 = ((m - r) w + 2mh(k + t)d) / (2hd). The print says that it is in the prompt at the case study's size:
n0 is 571392, 780800 and 305152 for the three models used, all above 131072.

Reference: section 9.3.2 (arXiv 2409.17422); sizes of the models from their public configurations.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    counts,
    formula,
    formula_leg,
    integers,
    leg,
    nowhere,
    reaching,
    rivals_of,
    typed,
    variant,
)
from theorycheck.claims.formula import rival_of

from ._machine import Arrays
from ._tables import FILTER_LAYERS, LENGTHS
from .complexity import COUNT, PASSES, STEPS, kept_steps, steps, two_passes
from .complexity import r as r_of_counts
from .complexity import t as steps_made
from .complexity import w as of_a_layer
from .memory import (
    HELD,
    SNAPKV,
    STANDARD,
    TWO_PASS,
    h2o_later,
    snapkv_later,
    standard_later,
    two_pass_later,
)

m, r, h, g, d, D, F = sp.symbols("m r h g d D F", integer=True, positive=True)
n, k = sp.symbols("n k", integer=True, positive=True)
HELD_OF_ALL = HELD.subs(k, n)

SIZES = "m in 1..oo; h in 1..oo; d in 1..oo; w in 1..oo"
PROMPT, KEPT, GENERATED = 131072, 1024, 1024
"""n, k and t of the case study."""
CASE = [SIZES, f"n in {{{PROMPT}}}", f"k in {{{KEPT}}}"]

OFF = 5
# "About" is read as: up to this factor. Products of the two ratios, so that nothing is divided.
PRINTED_RATIO = f"{OFF}*(m*w + m*h*d)*({SNAPKV})"
TRUE_RATIO = f"(m*w + h*n*d)*({STANDARD})"
prompt_ratios = formula(
    "gemfilter-case-study",
    title="Prompt memory as printed, standard attention against SnapKV",
    says=f"{PRINTED_RATIO} >= {TRUE_RATIO}",
    over=[*CASE, "r in 1..m"],
    covers="prompt-ratios",
    expect="fail",
)

# m = 2 + c with c >= 0 stands for every m >= 2.
prompt_order = formula(
    "gemfilter-case-study-prompt-memory",
    states="gemfilter-case-study",
    title="Prompt memory, corrected: standard attention above SnapKV at the case study",
    says=f"(2 + c)*w + 2*(2 + c)*h*{PROMPT}*d > (2 + c)*w + 2*h*{PROMPT}*d + 2*(2 + c)*h*{KEPT}*d",
    over="c in 0..oo; h in 1..oo; d in 1..oo; w in 1..oo",
    role="derived",
    corrects="gemfilter-case-study",
    rivals={
        "one layer": f"(1 + c)*w + 2*(1 + c)*h*{PROMPT}*d > (1 + c)*w + 2*h*{PROMPT}*d + 2*(1 + c)*h*{KEPT}*d",
        "k = n": f"(2 + c)*w + 2*(2 + c)*h*{PROMPT}*d "
        f"> (2 + c)*w + 2*h*{PROMPT}*d + 2*(2 + c)*h*{PROMPT}*d",
        "the printed first cell": "(2 + c)*w + (2 + c)*h*d "
        f"> (2 + c)*w + 2*h*{PROMPT}*d + 2*(2 + c)*h*{KEPT}*d",
    },
)

OF_LAYERS = f"({COUNT.subs(r_of_counts, m)})*r == ({COUNT.subs(r_of_counts, r)})*m"
prompt_time = formula(
    "gemfilter-case-study-prompt-time",
    states="gemfilter-case-study",
    title="Prompt time of all layers and of the first r is as m to r",
    says=OF_LAYERS,
    over="m in 1..oo; r in 1..m; h in 1..oo; d in 1..oo; q in 1..oo; B in 1..oo; s in 0..oo",
    role="derived",
    rivals={
        "m to r - 1": OF_LAYERS.replace(")*r ==", ")*(r - 1) =="),
        "as much": OF_LAYERS.replace(")*r ==", ")*m =="),
    },
)

# The rows of the ledger and of the count at t = k, those of standard attention with n for k; and what is stated of them
# over m h d.
AT_K, OF_ALL = {steps_made: k}, {k: n}
LATER, TIME, TIME_OF_TWO = HELD.subs(AT_K), STEPS.subs(AT_K), PASSES.subs(AT_K)
LATER_OF_ALL, TIME_OF_ALL = HELD.subs(OF_ALL).subs(AT_K), STEPS.subs(OF_ALL).subs(AT_K)
EACH = m * h * d
FEW, MANY = of_a_layer / (h * d) + 4 * k, of_a_layer / (h * d) + 2 * n + 2 * k
STEPS_OF_FEW, STEPS_OF_TWO, STEPS_OF_MANY = 3 * k**2 + k, 4 * k**2 + 2 * k, k * (2 * n + k + 1)


def at_most_n(expression):
    """n = k + b with b >= 0 stands for every n >= k."""
    return expression.subs(n, k + sp.Symbol("b", integer=True, nonnegative=True))


GENERATION_RATIOS = typed(
    f"({at_most_n(LATER_OF_ALL)})/(m*h*d) == {at_most_n(MANY)} and ({LATER})/(m*h*d) == {FEW} "
    f"and ({at_most_n(TIME_OF_ALL)})/(m*h*d) == {at_most_n(STEPS_OF_MANY)} "
    f"and 2*(k + b)*k <= {at_most_n(STEPS_OF_MANY)} <= 4*(k + b)*k "
    f"and ({TIME})/(m*h*d) == {STEPS_OF_FEW} <= 4*k*k and ({TIME_OF_TWO})/(m*h*d) == {STEPS_OF_TWO} <= 6*k*k",
    over=[SIZES, "k in 1..oo; b in 0..oo"],
)
RATIOS = formula_leg("rows", GENERATION_RATIOS)


def standard_at_k(n, m, h, d, F, k):
    """Most numbers held while k tokens are generated; and in one layer."""
    return standard_later(n, m, h, d, F, k)


def snapkv_at_k(n, m, h, d, F, k):
    return snapkv_later(n, m, h, d, F, k, k)


def h2o_at_k(n, m, h, d, F, k):
    return h2o_later(n, m, h, d, F, k, k)


def two_passes_at_k(n, m, h, d, F, k):
    return two_pass_later(n, m, h, d, F, k, 1, k)


def standard_time_at_k(n, m, h, d, k):
    """Attention that the program counts while k tokens are generated."""
    return steps(Arrays(), n, m, h, d, k)


def snapkv_time_at_k(n, m, h, d, k):
    return kept_steps(Arrays(), k, n - k, m, h, d, k)


def two_pass_time_at_k(n, m, h, d, k):
    return two_passes(Arrays(), k, n - k, m, h, d, k)


def held_at_k(name, simulation, row):
    """A leg: the ledger at t = k, against what is stated."""
    return leg(
        name,
        simulation,
        observed=[of_a_layer],
        closed_form=sp.expand(EACH * row),
        required=False,
        lhs=rf"\text{{peak}},\ \text{{{name}}}",
    )


def time_at_k(name, simulation, row):
    return leg(
        name,
        simulation,
        closed_form=sp.expand(EACH * row),
        required=False,
        lhs=rf"\#\text{{multiply-adds}},\ \text{{{name}}}",
    )


generation_ratios = claim(
    "gemfilter-case-study-generation",
    states="gemfilter-case-study",
    title="Generation ratios at $t=k$",
    says="Over $mhd$ the numbers held while $t = k$ tokens are generated are $w/(hd) + 2n + 2k$ for standard attention "
    "and $w/(hd) + 4k$ for the others; the multiply-adds of attention are $k(2n + k + 1)$, between $2nk$ and $4nk$, "
    "$3k^2 + k$ for SnapKV and H2O and $4k^2 + 2k$ for the two-pass method with its second pass.",
    role="reading",
    covers="generation-ratios",
    reads={"n": "k b", "t": "k"},
    domain=dict.fromkeys((n, m, h, d, F, k), integers(1)),
    where=sp.Le(k, n),
    grid={
        "smoke": [
            {n: 1, m: 1, h: 1, d: 1, F: 1, k: 1},
            {n: 5, m: 2, h: 1, d: 3, F: 2, k: 2},
            {n: 4, m: 3, h: 2, d: 2, F: 3, k: 3},
        ]
    },
    relation=counts(),
    legs=[
        RATIOS,
        held_at_k("standard", standard_at_k, MANY),
        held_at_k("SnapKV", snapkv_at_k, FEW),
        held_at_k("H2O", h2o_at_k, FEW),
        held_at_k("two passes", two_passes_at_k, FEW),
        time_at_k("time of standard", standard_time_at_k, STEPS_OF_MANY),
        time_at_k("time of SnapKV", snapkv_time_at_k, STEPS_OF_FEW),
        time_at_k("time of two passes", two_pass_time_at_k, STEPS_OF_TWO),
    ],
    rivals=[
        *rivals_of(RATIOS, nowhere("k == 1", "b > 0")),
        rival_of(
            GENERATION_RATIOS,
            "2n exactly",
            f"({at_most_n(LATER_OF_ALL)})/(m*h*d) == {at_most_n(MANY)} - 2*k",
            "rows",
        ),
        rival_of(
            GENERATION_RATIOS,
            "4k at t = 2k",
            f"({HELD.subs(steps_made, 2 * k)})/(m*h*d) == {FEW}",
            "rows",
        ),
        rival_of(
            GENERATION_RATIOS,
            "time n : k at t = k^2",
            f"{at_most_n(STEPS.subs(OF_ALL).subs(steps_made, k**2))} <= 4*m*h*d*(k + b)*k",
            "rows",
        ),
        variant("keys alone", closed_form=EACH * (FEW - 2 * k), leg="two passes"),
        variant("values alone", closed_form=EACH * (FEW - 2 * k), leg="SnapKV"),
        variant("all positions", closed_form=sp.expand(EACH * MANY), leg="H2O"),
        variant("keys alone of all", closed_form=EACH * (MANY - n - k), leg="standard"),
        variant("2n k", closed_form=2 * EACH * n * k, leg="time of standard"),
        variant("of all positions", closed_form=EACH * STEPS_OF_MANY, leg="time of SnapKV"),
        variant("no second pass", closed_form=EACH * STEPS_OF_FEW, leg="time of two passes"),
    ],
)

# The difference of two peaks has the sign of the bracket, since h d > 0.
AWAY = "2*h*d*(n - m*t)"
PEAKS = "(m*w + 2*h*n*d + 2*m*h*k*d) - (m*w + 2*m*h*(k + t)*d)"
ONE_EACH = "m in 1..oo; n in 1..oo; t in 1..oo; h in {1}; d in {1}; w in {1}; k in {1}"
SNAP = typed(
    f"({SNAPKV}) - ({HELD}) == {AWAY} and 2*h*d > 0",
    over=[SIZES, "n in 1..oo; k in 1..oo; t in 1..oo"],
)
# Which sign the bracket has is left.
SNAP_SIZES = "n in 1..oo; m in 1..oo; t in 1..oo"
SNAP_ABOVE = formula_leg("above", typed("n - m*t > 0", over=SNAP_SIZES, where="n > m*t"))
SNAP_NOT_ABOVE = formula_leg("not above", typed("n - m*t <= 0", over=SNAP_SIZES, where="n <= m*t"))
bottleneck_snap = claim(
    "gemfilter-bottleneck-snapkv",
    states="gemfilter-case-study",
    title="SnapKV's peak is in the prompt phase exactly when $n > mt$",
    says="$(mw + 2hnd + 2mhkd) - (mw + 2mh(k+t)d) = 2hd(n - mt)$: above for every $n > mt$, not above for $n \\le mt$.",
    role="reading",
    covers="bottleneck-snap",
    legs=[
        formula_leg("proof", SNAP),
        SNAP_ABOVE,
        SNAP_NOT_ABOVE,
    ],
    rivals=[
        rival_of(SNAP, "n > t", {"says": f"{PEAKS} == 2*h*d*(n - t)", "over": ONE_EACH}, "proof"),
        rival_of(
            SNAP,
            "n > m (k + t)",
            {"says": f"{PEAKS} == 2*h*d*(n - m*(k + t))", "over": ONE_EACH},
            "proof",
        ),
        *reaching(SNAP_ABOVE, "m == 1 and t == 1"),
        *reaching(SNAP_NOT_ABOVE, "m > 1 and n > 1"),
        *rivals_of(SNAP_ABOVE, {"n >= m t": {"where": "n >= m*t"}}),
        *rivals_of(SNAP_NOT_ABOVE, {"n <= m t + 1": {"where": "n <= m*t + 1"}}),
    ],
)


def layer_parameters(h, g, d, D, F):
    """Parameters of a layer: four projections (h query and g key heads) and a gated MLP, matrix by matrix."""
    shapes = [(D, h * d), (D, g * d), (D, g * d), (h * d, D)]
    shapes += [(D, F), (D, F), (F, D)]
    return sum(rows * columns for rows, columns in shapes)


SHAPES = {
    "llama": (32, 8, 128, 4096, 14336),
    "mistral": (32, 8, 128, 5120, 14336),
    "phi": (32, 32, 96, 3072, 8192),
}
"""Query and key heads, their dimension, width, inner width: LLaMA 3.1 8B, Mistral Nemo 12B, Phi 3.5 Mini."""
LLAMA = layer_parameters(*SHAPES["llama"])
if not 79 <= (32 * LLAMA + 2 * 128256 * 4096) // 10**8 <= 81:  # with the tokens in and out
    raise ValueError("these are not the 8 billion parameters of the model's name")
IN_THE_PROMPT = f"{TWO_PASS} > {HELD}"
CASE_STUDY = {
    **dict(zip("rm", FILTER_LAYERS["llama"], strict=True)),
    "h": SHAPES["llama"][0],
    "d": SHAPES["llama"][2],
    "n": PROMPT,
    "k": KEPT,
    "t": GENERATED,
}


def at_the_case_study(weights, **other):
    """The sentence with so many parameters a layer."""
    sizes = {**CASE_STUDY, **other, "w": weights}
    return typed(IN_THE_PROMPT, over=[f"{name} in {{{value}}}" for name, value in sizes.items()])


# Without weights the sentence is true there, as n > m (k + t) = 65536: what refutes it are the weights.
UNLOADED = {s: {**CASE_STUDY, "w": 0}[str(s)] for s in (TWO_PASS - HELD).free_symbols}
if not (TWO_PASS - HELD).subs(UNLOADED) > 0:
    raise ValueError("this is not the size of the case study")
AT_THE_CASE_STUDY = at_the_case_study(LLAMA)
prompt_ratios_of_a_model = formula(
    "gemfilter-case-study-printed-ratio",
    states="gemfilter-case-study",
    title="Prompt memory as printed is off by a factor of 5.34 for LLaMA 3.1 8B",
    says=f"534*({PRINTED_RATIO}) < {OFF}*100*({TRUE_RATIO})",
    over=AT_THE_CASE_STUDY.over,
    role="derived",
    corrects="gemfilter-case-study",
    rivals={
        "by a factor of 5.35": f"535*({PRINTED_RATIO}) < {OFF}*100*({TRUE_RATIO})",
        "of heavy layers, too": {"over": at_the_case_study(10**14).over},
    },
)
bottleneck_gem_printed = claim(
    "gemfilter-bottleneck-printed",
    states="gemfilter-case-study",
    title="The two-pass method's peak at the case study, LLaMA 3.1 8B",
    says=AT_THE_CASE_STUDY.says,
    legs=[formula_leg("proof", AT_THE_CASE_STUDY, gives="w")],
    covers="bottleneck-gem",
    reads={"model": "m r h d n"},
    expect="fail",
)

BEYOND = "2*h*d*(n - ((m - r)*w + 2*m*h*(k + t)*d)/(2*h*d))"
ABOVE_N0 = typed(
    f"({TWO_PASS}) - ({HELD}) == {BEYOND} and 2*h*d > 0",
    over=[SIZES, "r in 1..m", "n in 1..oo; k in 1..oo; t in 1..oo"],
)


def against_n0(comparison, more="0"):
    """n and n0 + ``more``, times 2 h d."""
    return f"2*h*d*n {comparison} (m - r)*w + 2*m*h*(k + t)*d + 2*h*d*({more})"


GEM_ABOVE = typed(f"{BEYOND} > 0", over=ABOVE_N0.over, where=against_n0(">"))
GEM_NOT_ABOVE = typed(f"{BEYOND} <= 0", over=ABOVE_N0.over, where=against_n0("<="))
bottleneck_gem = claim(
    "gemfilter-bottleneck",
    states="gemfilter-case-study",
    title="The two-pass method's peak is in the prompt phase exactly above n0",
    says="$(rw + 2hnd) - (mw + 2mh(k+t)d) = 2hd(n - n_0)$, $n_0 = ((m - r)w + 2mh(k+t)d)/(2hd)$.",
    role="derived",
    corrects="gemfilter-bottleneck-printed",
    legs=[
        formula_leg("proof", ABOVE_N0),
        formula_leg("above", GEM_ABOVE),
        formula_leg("not above", GEM_NOT_ABOVE),
    ],
    rivals=[
        rival_of(GEM_ABOVE, "at n0, too", {"where": against_n0(">=")}, "above"),
        rival_of(
            GEM_NOT_ABOVE,
            "up to n0 + 1",
            {"where": against_n0("<=", more="1")},
            "not above",
        ),
        rival_of(
            ABOVE_N0,
            "without the k + t term",
            "(r*w + 2*h*n*d) - (m*w + 2*m*h*(k + t)*d) == 2*h*d*(n - (m - r)*w/(2*h*d))",
            "proof",
        ),
        rival_of(
            ABOVE_N0,
            "all layers resident",
            "(m*w + 2*h*n*d) - (m*w + 2*m*h*(k + t)*d) "
            "== 2*h*d*(n - ((m - r)*w + 2*m*h*(k + t)*d)/(2*h*d))",
            "proof",
        ),
    ],
)

bottleneck_without_weights = formula(
    "gemfilter-bottleneck-without-weights",
    states="gemfilter-case-study",
    title="Without weights the two-pass method's peak is in the prompt phase at the case study",
    says=IN_THE_PROMPT,
    over=at_the_case_study(0).over,
    role="derived",
    rivals={
        "a hundred times the generation": {"over": at_the_case_study(0, t=100 * GENERATED).over}
    },
)

bottleneck_standard = formula(
    "gemfilter-bottleneck-standard",
    states="gemfilter-case-study",
    title="Standard attention's peak is in generation",
    says=f"{HELD_OF_ALL} > {STANDARD} and {HELD_OF_ALL} > m*w + 2*m*h*d",
    over=[SIZES, "n in 1..oo; t in 1..oo"],
    role="reading",
    covers="bottleneck-standard",
    rivals={
        "nothing generated": {"over": [SIZES, "n in 1..oo; t in {0}"]},
        "twice the prompt": "m*w + 2*m*h*(n + t)*d > 2*(m*w + 2*m*h*n*d)",
    },
)

# ---- n0 of the three models, from the shapes of their matrices


def resident(layers, cached, h, g, d, D, F):
    """Numbers held: parameters of ``layers`` layers and one key and one value for each cached (layer, position)."""
    total = 0
    for _ in range(layers):
        total += layer_parameters(h, g, d, D, F)
    for positions in cached:
        total += 2 * h * d * positions
    return total


def first_length(m, r, h, g, d, D, F):
    """The least n at which the prompt phase holds more than the generation phase, by bisection. Shape ()."""
    later = resident(m, [KEPT + GENERATED] * m, h, g, d, D, F)
    low, high = 0, 1
    while resident(r, [high], h, g, d, D, F) <= later:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if resident(r, [middle], h, g, d, D, F) > later else (middle, high)
        )
    return high


PUBLISHED = {"llama": (128256, 80), "mistral": (131072, 122), "phi": (32064, 38)}
"""Size of the vocabulary, and the published number of parameters in hundreds of millions, rounded down."""
MODELS = {name: (*FILTER_LAYERS[name][::-1], *SHAPES[name]) for name in SHAPES}
SIZES_OF_MODELS = (m, r, h, g, d, D, F)


def parameters(vocabulary, layers, _, heads, keys, size, width, inner):
    """Of all layers, and of the tokens in and out, in hundreds of millions, rounded down."""
    layer = layer_parameters(heads, keys, size, width, inner)
    return (layers * layer + 2 * vocabulary * width) // 10**8


if any(parameters(PUBLISHED[name][0], *MODELS[name]) != PUBLISHED[name][1] for name in MODELS):
    raise ValueError("these are not the models of the source")
if any(first_length(*MODELS[name]) != LENGTHS[name] + 1 for name in MODELS):
    raise ValueError("these are not the stated lengths")

w = 2 * D * h * d + 2 * D * g * d + 3 * D * F
n0 = ((m - r) * w + 2 * m * h * (KEPT + GENERATED) * d) / (2 * h * d)

AT_MODELS = {name: dict(zip(SIZES_OF_MODELS, sizes, strict=True)) for name, sizes in MODELS.items()}


def lengths_of_models(shift=0):
    """The bisection's lengths, the filter's layers so many more. Shape (3,)."""
    return [
        first_length(layers, layer + shift, *SHAPES[name])
        for name, (layer, layers) in FILTER_LAYERS.items()
    ]


def lengths_of_a_layer_less():
    return lengths_of_models(-1)


lengths = claim(
    "gemfilter-bottleneck-lengths",
    lhs=r"n_{\min}",
    states="gemfilter-case-study",
    title="The length above which the prompt phase is the two-pass method's peak",
    says="With $k=t=1024$ the least $n$ whose prompt phase holds more than the generation phase is "
    r"$\lfloor n_0\rfloor+1$: 571393 (LLaMA 3.1 8B), 780801 (Mistral Nemo 12B), 305153 (Phi 3.5 "
    "Mini), caches of all heads counted.",
    role="derived",
    domain={
        m: integers(1),
        r: integers(1),
        h: integers(1),
        g: integers(1),
        d: integers(1),
        D: integers(1),
        F: integers(1),
    },
    where=(r <= m, g <= h),
    grid={
        "smoke": [
            *AT_MODELS.values(),
            {m: 3, r: 1, h: 2, g: 1, d: 3, D: 7, F: 5},
        ],
    },
    closed_form=sp.floor(n0) + 1,
    # A floor cannot tell a factor 1 + 1e-9 at these lengths: the rivals stand for the mutants.
    mutate=False,
    relation=counts(),
    legs=[
        leg("bisection", first_length),
        leg(
            "as stated",
            lengths_of_models,
            closed_form=sp.Matrix([length + 1 for length in LENGTHS.values()]),
            lhs=r"n_{\min}\text{ of the three models}",
            tex=r"571393,\ 780801,\ 305153",
        ),
    ],
    rivals=[
        variant(
            "without the caches",
            closed_form=sp.floor((m - r) * w / (2 * h * d)) + 1,
            leg="bisection",
        ),
        variant(
            "an MLP of two matrices",
            closed_form=sp.floor(n0 - (m - r) * D * F / (2 * h * d)) + 1,
            leg="bisection",
        ),
        variant("rounded up", closed_form=sp.ceiling(n0) + 1, leg="bisection"),
        variant("n0 itself", closed_form=sp.floor(n0), leg="bisection"),
        variant("a layer less", simulation=lengths_of_a_layer_less, leg="as stated"),
    ],
)
