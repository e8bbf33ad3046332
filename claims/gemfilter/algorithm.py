"""Algorithm 2: two-pass generation with token selection.

Setting. The transformer of `_transformer` with m layers of h heads; r layers run on the prompt of n tokens, J is the
sorted set of the k largest sums over heads of the last query's inner products with all keys of layer r (line 6
prints the last key for all of them), and generation runs on the tokens of J alone.

Statements. J is increasing, has k members, and no index outside scores above one inside; for k = n the tokens are
those of standard generation; J does not depend on layers r+1..m; the second pass uses positions 0..k-1 and then
one for each generated token.

Reference: Algorithm 2, section 9.3.1 (arXiv 2409.17422).
"""

from __future__ import annotations

from itertools import pairwise

import sympy as sp

from theorycheck import claim, counts, integers, leg, variant

from ._machine import Arrays
from ._transformer import (
    Sizes,
    first_pass,
    gemfilter,
    prompt_layer,
    snapkv,
    snapkv_prompt,
    standard,
    standard_prompt,
    tokens_of,
)
from .composition import written_out_layer

n, m, h, r, k, t = sp.symbols("n m h r k t", integer=True, positive=True)
DIMENSION, WIDTH = 4, 5
DOMAIN = {n: integers(1), m: integers(1), h: integers(1), r: integers(1), k: integers(1)}


def sizes(n, m, h):
    return Sizes(n, 1, 0, m, h, DIMENSION, WIDTH)


def points(*rows, names):
    return [dict(zip(names, row, strict=True)) for row in rows]


GRID = {
    "smoke": points(
        (1, 1, 1, 1, 1),
        (6, 2, 1, 1, 3),
        (9, 3, 2, 2, 4),
        (9, 3, 2, 3, 1),
        (12, 4, 3, 2, 11),
        (20, 2, 2, 1, 10),
        names=(n, m, h, r, k),
    ),
}


def scores_of(n, m, h, r, row=-1, heads=None):
    """Sums over heads (or ``heads`` of them) of the inner products of the query in ``row``, the last one, with every
    key of layer r, on the definition written out. A list of n floats."""
    queries, keys, _ = written_out_layer(n, r - 1, h, DIMENSION, WIDTH)
    parts = [slice(j * DIMENSION, (j + 1) * DIMENSION) for j in range(heads or h)]
    return [sum(float(keys[i, at] @ queries[row, at]) for at in parts) for i in range(n)]


def best_of(scores, k):
    """Indices of the k largest in order; of equal ones the first."""
    return sorted(sorted(range(len(scores)), key=lambda i: -scores[i])[:k])


def violations(J, scores, k):
    """Breaches of the definition: not increasing, not k of them, scores outside above one inside. Two orders of
    summing a few products differ by some units of 2^-53 of their size, far below 2^-40 of the largest."""
    inside, slack = set(J), 2**-40 * max(abs(s) for s in scores)
    worst = min(scores[i] for i in inside)
    late = sum(scores[i] > worst + slack for i in range(len(scores)) if i not in inside)
    return late + sum(a >= b for a, b in pairwise(J)) + abs(len(inside) - k)


def breaches(n, m, h, r, k):
    """Breaches of the definition by the J of the program. Shape ()."""
    J = first_pass(Arrays(), sizes(n, m, h), tokens_of(n), r, k)
    return int(violations(J, scores_of(n, m, h, r), k))


def breaches_among_equals(n, m, h, r, k):
    """Breaches by the program's choice of k of n equal scores: which ones is left open. Shape ()."""
    ops = Arrays()
    return int(violations(ops.best(ops.ones(1, n), k), [1.0] * n, k))


def unsorted_among_equals(n, m, h, r, k):
    return int(violations(list(range(k))[::-1], [1.0] * n, k))


def breaches_of_ranked(n, m, h, r, k):
    """J in the order of the scores."""
    scores = scores_of(n, m, h, r)
    return int(violations(sorted(range(n), key=lambda i: -scores[i])[:k], scores, k))


def breaches_of_rounded(n, m, h, r, k):
    """J by scores rounded to a 16th of the largest: off by no more than that."""
    scores = scores_of(n, m, h, r)
    unit = max(abs(s) for s in scores) / 16
    best = sorted(range(n), key=lambda i: (-round(scores[i] / unit), -i))[:k]
    return int(violations(sorted(best), scores, k))


def breaches_by(scores, n, m, h, r, k):
    """J by other scores, or of another number."""
    return int(violations(best_of(scores, k), scores_of(n, m, h, r), k))


def breaches_of_one_head(n, m, h, r, k):
    return breaches_by(scores_of(n, m, h, r, heads=1), n, m, h, r, k)


def breaches_of_the_layer_before(n, m, h, r, k):
    return breaches_by(scores_of(n, m, h, max(r - 1, 1)), n, m, h, r, k)


def breaches_of_a_middle_row(n, m, h, r, k):
    return breaches_by(scores_of(n, m, h, r, row=n // 2), n, m, h, r, k)


def breaches_of_one_more(n, m, h, r, k):
    scores = scores_of(n, m, h, r)
    return int(violations(best_of(scores, k + 1), scores, k))


def breaches_of_one_less(n, m, h, r, k):
    scores = scores_of(n, m, h, r)
    return int(violations(best_of(scores, k - 1), scores, k)) if k > 1 else 0


def breaches_of_first(n, m, h, r, k):
    return int(violations(list(range(k)), scores_of(n, m, h, r), k))


selection = claim(
    "gemfilter-algorithm",
    lhs=r"\#\{\text{breaches of }J=\operatorname{sort}(\operatorname{topk}(s,k))\}",
    title="What is selected",
    says="$J$ is increasing, has $k$ members, and every index outside has a score at most that of each"
    " inside.",
    covers="selection",
    reads={"model": "m h", "T": "n"},
    domain=DOMAIN,
    where=(r <= m, k <= n),
    grid=GRID,
    closed_form=sp.Integer(0),
    relation=counts(),
    legs=[leg("first pass", breaches), leg("equal scores", breaches_among_equals)],
    rivals=[
        variant("unsorted", simulation=breaches_of_ranked, leg="first pass"),
        variant("equal ones unsorted", simulation=unsorted_among_equals, leg="equal scores"),
        variant("the first k", simulation=breaches_of_first, leg="first pass"),
        variant("rounded scores", simulation=breaches_of_rounded, leg="first pass"),
        variant("the first head", simulation=breaches_of_one_head, leg="first pass"),
        variant("the layer before", simulation=breaches_of_the_layer_before, leg="first pass"),
        variant("a middle row", simulation=breaches_of_a_middle_row, leg="first pass"),
        variant("one more", simulation=breaches_of_one_more, leg="first pass"),
        variant("one less", simulation=breaches_of_one_less, leg="first pass"),
    ],
)

STEPS = 6


def changed_tokens(n, m, h, r, k):
    """How many of the generated tokens differ between the two-pass method and standard generation."""
    z, tokens = sizes(n, m, h), tokens_of(n)
    first = standard(Arrays(), z, tokens, STEPS)[1]
    second = gemfilter(Arrays(), z, tokens, r, k, STEPS)[1]
    return sum(a != b for a, b in zip(first, second, strict=True))


def at_full_length(n, m, h, r):
    return changed_tokens(n, m, h, r, n)


def at_half_length(n, m, h, r):
    return changed_tokens(n, m, h, r, (n + 1) // 2)


def changed_on_the_selected(n, m, h, r, first=False):
    """How many tokens of the two-pass method with k = (n + 1)/2 differ from standard generation on the tokens of J, J
    by its definition (or on the ``first`` k)."""
    k, tokens, scores = (n + 1) // 2, tokens_of(n), scores_of(n, m, h, r)
    best = range(k) if first else best_of(scores, k)
    expected = standard(Arrays(), sizes(k, m, h), [tokens[i] for i in best], STEPS)[1]
    found = gemfilter(Arrays(), sizes(n, m, h), tokens, r, k, STEPS)[1]
    return sum(a != b for a, b in zip(found, expected, strict=True))


def changed_on_the_first(n, m, h, r):
    return changed_on_the_selected(n, m, h, r, first=True)


def not_kept_by_snapkv(n, m, h, row=-1):
    """Numbers of SnapKV's caches, k = (n + 1)/2, that are not the keys and values of the k positions with the largest
    products with the query in ``row``, head by head."""
    ops, z, k = Arrays(), sizes(n, m, h), (n + 1) // 2
    state, wrong = ops.embedded(tokens_of(n), 0, z.D), 0
    for layer, kept in enumerate(snapkv_prompt(Arrays(), z, tokens_of(n), k)[1]):
        state, Q, K, V = prompt_layer(ops, z, layer, state)
        for at in (slice(j * DIMENSION, (j + 1) * DIMENSION) for j in range(h)):
            scores = [float(key @ Q[row, at]) for key in K[:, at]]
            best = sorted(sorted(range(n), key=lambda i: -scores[i])[:k])
            wrong += sum(
                int((a[:, at] != b[best, at]).sum()) for a, b in zip(kept, (K, V), strict=True)
            )
    return wrong


def not_kept_by_the_first(n, m, h):
    return not_kept_by_snapkv(n, m, h, row=0)


def kept_by_the_last(n, m, h):
    return not_kept_by_snapkv(n, m, h)


def tokens_without_a_cache(z, tokens):
    """Each token from a run of all layers on everything before it."""
    made = []
    for _ in range(STEPS):
        ops, longer = Arrays(), sizes(z.n + len(made), z.m, z.h)
        made += ops.next_token(standard_prompt(ops, longer, [*tokens, *made])[0])
    return made


def changed_by_the_cache(n, m, h, tokens=0):
    """How many tokens of standard generation, and of SnapKV with k = n, differ from those without a cache; the
    latter from the prompt number ``tokens``. Shape (2,)."""
    z, prompt = sizes(n, m, h), tokens_of(n)
    expected = tokens_without_a_cache(z, tokens_of(n, tokens))
    cached = standard(Arrays(), z, prompt, STEPS)[1], snapkv(Arrays(), z, prompt, n, STEPS)[1]
    return [sum(a != b for a, b in zip(found, expected, strict=True)) for found in cached]


def changed_on_another_prompt(n, m, h):
    return changed_by_the_cache(n, m, h, tokens=1)


identity_at_n = claim(
    "gemfilter-identity",
    lhs=r"\#\{t:\operatorname{GEN}(F,T_J)_t\ne\operatorname{GEN}(F,T)_t\}",
    states="gemfilter-algorithm",
    title="With $k = n$ nothing changes",
    says="With $k = n$ the two-pass method gives the tokens of standard generation, for every $r$; with $k = n/2$ "
    "those of standard generation on the selected tokens. SnapKV keeps what each head's last query selects.",
    role="reading",
    covers="identity-at-n",
    reads={"T": "n"},
    domain={n: integers(1), m: integers(1), h: integers(1), r: integers(1)},
    where=r <= m,
    grid={
        "smoke": points(
            (1, 1, 1, 1),
            (6, 2, 1, 1),
            (6, 2, 1, 2),
            (11, 3, 2, 1),
            (11, 3, 2, 3),
            names=(n, m, h, r),
        )
    },
    closed_form=sp.Integer(0),
    relation=counts(),
    legs=[
        leg("two runs", at_full_length),
        leg("without a cache", changed_by_the_cache),
        leg("on the selected tokens", changed_on_the_selected),
        leg("SnapKV's caches", kept_by_the_last),
    ],
    rivals=[
        variant("with k = n/2 too", simulation=at_half_length, leg="two runs"),
        variant("another prompt", simulation=changed_on_another_prompt, leg="without a cache"),
        variant(
            "on the first tokens", simulation=changed_on_the_first, leg="on the selected tokens"
        ),
        variant("by the first query", simulation=not_kept_by_the_first, leg="SnapKV's caches"),
    ],
)


def changed_from(first, m):
    """Other weights in layers ``first`` to m - 1, from 0."""
    other = Arrays()
    other.changed = dict.fromkeys(range(first, m), 1)
    return other


def moved(n, m, h, r, k, other):
    """How many indices enter J when layers get other weights."""
    plain = Arrays()
    before = first_pass(plain, sizes(n, m, h), tokens_of(n), r, k)
    after = first_pass(other, sizes(n, m, h), tokens_of(n), r, k)
    return len({*after} - {*before})


def later(r, m):
    return changed_from(r, m)


def moved_by_later(n, m, h, r, k):
    return moved(n, m, h, r, k, later(r, m))


def moved_by_filter_layer(n, m, h, r, k):
    return moved(n, m, h, r, k, changed_from(r - 1, m))


def layers_as_they_were(n, m, h, r, k):
    """Layers whose weights are the same after the change of all above r, one by one."""
    plain, other = Arrays(), later(r, m)
    matrices = ((ops.weights(layer, "Wq", 2, 2) for ops in (plain, other)) for layer in range(m))
    return sum(bool((a == b).all()) for a, b in matrices)


def layers_below_r(n, m, h, r, k):
    plain, other = Arrays(), changed_from(r - 1, m)
    return sum(
        bool((plain.weights(j, "Wq", 2, 2) == other.weights(j, "Wq", 2, 2)).all()) for j in range(m)
    )


early_layers = claim(
    "gemfilter-early-layers",
    lhs=r"|J'\setminus J|",
    states="gemfilter-algorithm",
    title="$J$ depends on layers 1 to $r$ alone",
    says="Other weights in layers $r+1$ to $m$ leave $J$ as it is.",
    role="reading",
    covers="early-layers-only",
    reads={"layer": "m"},
    domain=DOMAIN,
    where=(r <= m, k <= n),
    grid=GRID,
    closed_form=sp.Integer(0),
    relation=counts(),
    legs=[
        leg("two runs", moved_by_later),
        leg(
            "layers left",
            layers_as_they_were,
            closed_form=r,
            lhs=r"\#\{\text{layers left as they were}\}",
            tex="r",
        ),
    ],
    rivals=[
        variant("layers r..m", simulation=moved_by_filter_layer, leg="two runs"),
        variant("layers r..m, counted", simulation=layers_below_r, leg="layers left"),
    ],
)


def second_positions(n, k, t):
    """The largest distance of two positions used in the second pass, the first counted. Shape ()."""
    ops, z = Arrays(), sizes(n, 2, 1)
    gemfilter(ops, z, tokens_of(n), 1, k, t)
    used = ops.meter.positions[n:]
    return max(used) - min(used) + 1


def one_pass_positions(n, k, t):
    ops, z = Arrays(), sizes(n, 2, 1)
    standard(ops, z, tokens_of(n), t)
    return max(ops.meter.positions) + 1


def unmoved(n, k, t, own=False):
    """How many of the second pass's k tokens are embedded at their place as at some other one up to n + t (or at
    their ``own`` as they are). Shape ()."""
    ops, z = Arrays(), sizes(n, 2, 1)
    tokens, kept = tokens_of(n), first_pass(Arrays(), sizes(n, 2, 1), tokens_of(n), 1, k)
    chosen = ops.chosen(tokens, kept)
    here = ops.embedded(chosen, 0, z.D)
    alone = [[ops.embedded([one], at, z.D)[0] for at in range(n + t)] for one in chosen]
    return sum(
        any(bool((row == here[i]).all()) for at, row in enumerate(rows) if (at == i) == own)
        for i, rows in enumerate(alone)
    )


def unmoved_at_home(n, k, t):
    return unmoved(n, k, t, own=True)


positions = claim(
    "gemfilter-positions",
    lhs=r"\text{span of positions}",
    states=["gemfilter-algorithm", "gemfilter-vs-others"],
    title="Positions of the second pass",
    says="The positions used in the second pass span $k + t$, those of one pass $n + t$; "
    "places enter the embedding.",
    role="reading",
    covers="positions distance",
    domain={n: integers(1), k: integers(1), t: integers(1)},
    where=k <= n,
    grid={"smoke": points((1, 1, 1), (6, 3, 2), (9, 9, 4), (12, 5, 1), names=(n, k, t))},
    closed_form=k + t,
    relation=counts(),
    legs=[
        leg("recorded", second_positions),
        leg(
            "one pass",
            one_pass_positions,
            closed_form=n + t,
            lhs=r"\text{span of positions in one pass}",
        ),
        leg(
            "used",
            unmoved,
            closed_form=sp.Integer(0),
            lhs=r"\#\{i:\mathcal E(T_J)_i\text{ the same at another place}\}",
        ),
    ],
    rivals=[
        variant("k", closed_form=k, leg="recorded"),
        variant("without a second pass", simulation=one_pass_positions, leg="recorded"),
        variant("at its own place", simulation=unmoved_at_home, leg="used"),
        variant("one pass as the second", closed_form=k + t, leg="one pass"),
    ],
)
