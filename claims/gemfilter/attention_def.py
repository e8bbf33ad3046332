"""Definitions 9.1, 9.2, G.1-G.3: masked attention, softmax, transformer.

Setting. Scores s_{ij} = <Q_i, K_j> / sqrt(d), mask M_c with ones where i >= j. Printed:
Attn = (M_c o Softmax(Q K^T / sqrt d)) V, the mask after the softmax; meant: the masked scores are -inf before it.

Statements. As printed the rows before the last have sum below 1 and change when a later key changes; the last
row, the only one that the selection uses, is the same in both forms. Softmax is positive, sums to 1, is invariant
to adding a constant and preserves order.

Reference: Definitions 9.1, 9.2, G.1-G.3 (arXiv 2409.17422).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    matrices,
    nowhere,
    rivals_of,
    typed,
    variant,
)

n, d = sp.symbols("n d", integer=True, positive=True)


def draw(rng, n, d):
    return {"Q": rng.rational((n, d), 3), "K": rng.rational((n, d), 3)}


FIELDS = {"Q": matrices(n, d), "K": matrices(n, d)}
DRAWN = instances(draw, FIELDS, smoke=3, standard=8)


def scores(ns, Q, K, d):
    """exp(<Q_i, K_j> / sqrt d). Shape (B, n, n)."""
    return ns.exp(ns.matmul(Q, ns.matrix_transpose(K)) / ns.sqrt(ns.number(d)))


def printed(ns, Q, K, d):
    """Softmax over all keys, then the mask."""
    weights = scores(ns, Q, K, d)
    return ns.tril(weights / ns.sum(weights, axis=-1, keepdims=True))


def causal(ns, Q, K, d):
    """Masked scores of -inf before the softmax."""
    weights = ns.tril(scores(ns, Q, K, d))
    return weights / ns.sum(weights, axis=-1, keepdims=True)


def printed_sums(ns, Q, K, n, d):
    """Row sums of the printed attention weights. Shape (B, n)."""
    return ns.sum(printed(ns, Q, K, d), axis=-1)


def causal_sums(ns, Q, K, n, d):
    return ns.sum(causal(ns, Q, K, d), axis=-1)


def weight_of_later_keys(ns, Q, K, n, d):
    """What each row gives to keys after its own. Shape (B, n)."""
    weights = causal(ns, Q, K, d)
    return ns.sum(weights - ns.tril(weights), axis=-1)


def without_a_mask(ns, Q, K, n, d):
    """The same with no mask."""
    weights = scores(ns, Q, K, d)
    weights = weights / ns.sum(weights, axis=-1, keepdims=True)
    return ns.sum(weights - ns.tril(weights), axis=-1)


def each_weight(ns, Q, K, n, d):
    """The masked softmax as the program has it. Shape (B, n, n)."""
    return causal(ns, Q, K, d)


def each_weight_written_out(ns, Q, K, n, d, power=1):
    """Entry by entry: exp(<Q_i, K_j>/sqrt(d)) over its sum for j' <= i, 0 for j > i."""
    root, rows = ns.sqrt(ns.number(d)) ** power, []
    for i in range(n):
        inner = [sum(Q[:, i, at] * K[:, j, at] for at in range(d)) for j in range(i + 1)]
        terms = [ns.exp(score / root) for score in inner]
        later = [0 * terms[0]] * (n - i - 1)
        rows.append(ns.stack([*(term / sum(terms) for term in terms), *later], axis=1))
    return ns.stack(rows, axis=1)


def each_weight_of_keys(ns, Q, K, n, d):
    """<K_i, Q_j> for <Q_i, K_j>."""
    return each_weight_written_out(ns, K, Q, n, d)


def each_weight_without_scale(ns, Q, K, n, d):
    return each_weight_written_out(ns, Q, K, n, d, power=0)


def last_of_one_key(ns, n, d, power=1):
    """What the last row gives to its own key, of Q all 1 and K 0 but for a last row of 1. Shape ()."""
    Q = ns.ones((1, n, d))
    K = ns.ones((1, n, d)) * (ns.arange(n) == n - 1)[None, :, None]
    return causal(ns, power * Q, K, d)[0, -1, -1]


def last_of_double_score(ns, n, d):
    return last_of_one_key(ns, n, d, 2)


def sums_with_the_diagonal_twice(ns, Q, K, n, d):
    weights = causal(ns, Q, K, d)
    return ns.sum(weights + ns.tril(weights) * ns.eye(n), axis=-1)


def earlier_sums(ns, Q, K, n, d):
    """Row sums of the printed weights, the last row left out. Shape (B, n - 1)."""
    return printed_sums(ns, Q, K, n, d)[:, :-1]


def earlier_twice(ns, Q, K, n, d):
    return sums_with_the_diagonal_twice(ns, Q, K, n, d)[:, :-1]


def lost(ns, Q, K, n, d, i):
    """What row i gives to keys after its own, before the mask takes it away: exactly 0 where there are none. Shape
    (B,)."""
    weights = scores(ns, Q, K, d)[:, i - 1]
    return ns.sum(weights[:, i:], axis=-1) / ns.sum(weights, axis=-1)


def lost_in_the_last_row(ns, Q, K, n, d, i):
    return lost(ns, Q, K, n, d, n)


GRID = {"smoke": {n: [2, 3, 5], d: [1, 2]}, "standard": {n: [2, 3, 6, 9], d: [1, 2, 4]}}

stochastic = claim(
    "gemfilter-attention-def",
    lhs=r"\sum_j A_{ij}",
    title="Rows of the printed attention",
    says="The attention weights of Definition 9.1 as printed sum to 1 in every row.",
    expect="fail",
    encodes="part",
    domain={n: integers(2), d: integers(1)},
    grid=GRID,
    closed_form=sp.Integer(1),
    relation=equals(),
    legs=[leg("printed", printed_sums, instances=DRAWN)],
)

meant = claim(
    "gemfilter-attention-def-corrected",
    lhs=r"\sum_j A_{ij}",
    states="gemfilter-attention-def",
    title="Rows of the attention that is meant",
    says="With the mask inside the softmax every row sums to 1, and later keys have no weight.",
    role="corrected",
    corrects="gemfilter-attention-def",
    encodes="part",
    domain={n: integers(2), d: integers(1)},
    grid=GRID,
    closed_form=sp.Integer(1),
    relation=equals(),
    legs=[
        leg("mask inside", causal_sums, instances=DRAWN),
        leg(
            "later keys",
            weight_of_later_keys,
            instances=DRAWN,
            closed_form=sp.Integer(0),
            unit=1,
            lhs=r"\sum_{j>i}A_{ij}",
        ),
        leg(
            "one key",
            last_of_one_key,
            closed_form=sp.exp(sp.sqrt(d)) / (n - 1 + sp.exp(sp.sqrt(d))),
            lhs=r"A_{nn}",
        ),
        leg(
            "each weight",
            each_weight,
            instances=DRAWN,
            reference=each_weight_written_out,
            unit=1,
            lhs=r"A_{ij}",
            tex=r"e^{\langle Q_i,K_j\rangle/\sqrt d}\Big/\sum_{l\le i}e^{\langle Q_i,K_l\rangle/\sqrt d}",
        ),
    ],
    rivals=[
        variant("scores doubled", simulation=last_of_double_score, leg="one key"),
        variant(
            "scores without 1/sqrt(d)",
            reference=each_weight_without_scale,
            leg="each weight",
            at={n: [3], d: [2]},
        ),
        variant(
            "queries for keys",
            reference=each_weight_of_keys,
            leg="each weight",
            at={n: [5], d: [2]},
        ),
        variant("mask after the softmax", simulation=printed_sums, leg="mask inside"),
        variant(
            "each token's own key twice", simulation=sums_with_the_diagonal_twice, leg="mask inside"
        ),
        variant("no mask", simulation=without_a_mask, leg="later keys"),
    ],
)


def identity_values(ns, n):
    """V = I, for which the output is the weights themselves."""
    return ns.eye(n)


def one_row(ns, Q, K, n, d, i):
    """Sum of row i of the output of the printed weights at V = I, and the sums A and B of exp over the keys up to i
    and after it. Shapes (B,)."""
    weights = scores(ns, Q, K, d)[:, i - 1]
    return {
        "value": ns.sum(ns.matmul(printed(ns, Q, K, d), identity_values(ns, n))[:, i - 1], axis=-1),
        "A": ns.sum(weights[:, :i], axis=-1),
        "B": ns.sum(weights[:, i:], axis=-1),
    }


def one_causal_row(ns, Q, K, n, d, i):
    return {**one_row(ns, Q, K, n, d, i), "value": causal_sums(ns, Q, K, n, d)[:, i - 1]}


def moves_of_the_first_row(ns):
    """By how much the first of two printed rows moves when the second key goes from 0 to 1, d = 1: for queries and
    values 1, for queries 0, for values 0, and for a first query of 0 alone. Shape (4,)."""
    q, v = (
        ns.asarray([[[1]] * 2, [[0]] * 2, [[1]] * 2, [[0], [1]]]),
        ns.asarray([[[1]] * 2, [[1]] * 2, [[0]] * 2, [[1]] * 2]),
    )
    one, two = (
        ns.matmul(printed(ns, q, ns.asarray([[[0], [key]]] * 4), 1), v)[:, 0, 0] for key in (0, 1)
    )
    return two - one


FOR_SOME = sp.Matrix([1 / (1 + sp.E) - sp.Rational(1, 2), 0, 0, 0])


i = sp.Symbol("i", integer=True, positive=True)
A, B = sp.symbols("A B", positive=True)
ROW = A / (A + B)
# the n - i later keys weigh b or more each
LATER = formula_leg(
    "later keys",
    typed(
        f"{ROW} < 1",
        over=["n in 2..oo", "i in 1..n-1", "A in (0, oo)", "B in [0, oo)", "b in (0, oo)"],
        where="B >= (n - i)*b",
    ),
    over="i",
    gives="Q K V",
    chosen_by=identity_values,
)

not_causal = claim(
    "gemfilter-printed-mask",
    lhs=r"\sum_j A_{ij}",
    states="gemfilter-attention-def",
    title="As printed, rows before the last lose mass to later keys",
    says="As printed every row before the last sums to less than 1: the rest is the weight of later keys. Where "
    "$Q = 0$ or $V = 0$ nothing depends on them, and not there alone: of two rows a first query of 0 is enough.",
    role="reading",
    covers="printed-not-causal",
    domain={n: integers(2), d: integers(1), i: integers(1)},
    where=sp.Lt(i, n),
    grid={
        "smoke": [{n: 2, d: 1, i: 1}, {n: 5, d: 2, i: 3}],
        "standard": [{n: 6, d: k, i: j} for k in (1, 4) for j in (1, 5)],
    },
    legs=[
        leg(
            "one row",
            one_row,
            observed=["A", "B"],
            relation=equals(),
            closed_form=ROW,
            lhs=r"\sum_jA_{ij}",
            instances=DRAWN,
            required=False,
        ),
        leg(
            "printed",
            earlier_sums,
            relation=at_most(strict=True),
            closed_form=sp.Integer(1),
            lhs=r"\max_{i<n}\sum_jA_{ij}",
            instances=DRAWN,
            required=False,
        ),
        leg(
            "lost",
            lost,
            relation=at_least(strict=True),
            closed_form=sp.Integer(0),
            unit=1,
            lhs=r"\sum_{j>i}S_{ij}",
            instances=DRAWN,
            required=False,
        ),
        leg(
            "for some queries and values",
            moves_of_the_first_row,
            relation=equals(),
            closed_form=FOR_SOME,
            unit=1,
            lhs=r"\Delta\,\mathrm{Attn}_1",
            tex=r"\big(\tfrac1{1+e}-\tfrac12,\,0,\,0,\,0\big)",
            required=False,
        ),
        LATER,
    ],
    rivals=[
        variant(
            "for all queries and values",
            closed_form=sp.ones(4, 1) * FOR_SOME[0],
            leg="for some queries and values",
        ),
        variant(
            "unless Q = 0 or V = 0",
            closed_form=sp.Matrix([FOR_SOME[0], 0, 0, FOR_SOME[0]]),
            leg="for some queries and values",
        ),
        variant("the row with the mask inside", simulation=one_causal_row, leg="one row"),
        variant("nothing lost", closed_form=sp.Integer(1), leg="one row"),
        variant("later keys alone", closed_form=B / (A + B), leg="one row"),
        variant("each token's own key twice", simulation=earlier_twice, leg="printed"),
        variant("at most half", closed_form=sp.Rational(1, 2), leg="printed"),
        variant("in the last row, too", simulation=lost_in_the_last_row, leg="lost"),
        *rivals_of(
            LATER,
            {
                **nowhere("n == 2 and i == 1", "i > 1 and n > i + 1 and A < 1 and B > 1"),
                "the last row too": {
                    "over": [
                        "n in 2..oo",
                        "i in 1..n",
                        "A in (0, oo)",
                        "B in [0, oo)",
                        "b in (0, oo)",
                    ]
                },
            },
        ),
    ],
)


def last_row(ns, Q, K, n, d):
    """The last row of the printed weights. Shape (B, n)."""
    return printed(ns, Q, K, d)[:, -1]


def last_row_meant(ns, Q, K, n, d, row=-1):
    return causal(ns, Q, K, d)[:, row]


def first_row(ns, Q, K, n, d):
    return printed(ns, Q, K, d)[:, 0]


def first_row_meant(ns, Q, K, n, d):
    return last_row_meant(ns, Q, K, n, d, row=0)


def unscaled_last_row(ns, Q, K, n, d):
    return causal(ns, 2 * Q, K, d)[:, -1]


last_row_agrees = claim(
    "gemfilter-last-row",
    lhs=r"(M_c\odot S)_n",
    tex=r"\operatorname{softmax}(\text{masked})_n",
    states="gemfilter-attention-def",
    title="The last row is the same in both forms",
    says="For all $Q$ and $K$ the last row of the printed weights is that of the masked softmax.",
    role="reading",
    covers="last-row-agrees",
    domain={n: integers(1), d: integers(1)},
    grid=GRID,
    relation=equals(),
    legs=[leg("two programs", last_row, reference=last_row_meant, instances=DRAWN)],
    rivals=[
        variant(
            "the first row too",
            simulation=first_row,
            reference=first_row_meant,
            at={n: [3], d: [2]},
        ),
        variant("scores doubled", reference=unscaled_last_row),
    ],
)

j = sp.Symbol("j", integer=True, positive=True)
weight = sp.Symbol("weight", positive=True)


def last_entry(ns, Q, K, n, d, j):
    """Entry j of the last row of the printed weights, exp of its score, and the sum A of exp over the keys up to n.
    Shapes (B,)."""
    weights = scores(ns, Q, K, d)[:, n - 1]
    return {
        "value": printed(ns, Q, K, d)[:, n - 1, j - 1],
        "weight": weights[:, j - 1],
        "A": ns.sum(weights[:, :n], axis=-1),
    }


def first_entry(ns, Q, K, n, d, j):
    """The same of the first row and the first key."""
    weights = scores(ns, Q, K, d)[:, 0, :1]
    return {
        "value": printed(ns, Q, K, d)[:, 0, 0],
        "weight": weights[:, 0],
        "A": ns.sum(weights, axis=-1),
    }


MASKED = weight / A
# c later keys weigh b or less each, B in all; the last row has none
NONE_LATER = formula_leg(
    "no later keys",
    typed(
        f"weight/(A + B) == {MASKED}",
        over=["c in {0}", "weight in (0, oo)", "A in (0, oo)", "B in [0, oo)", "b in (0, oo)"],
        where="B <= c*b",
    ),
)

last_row_proved = claim(
    "gemfilter-last-row-entries",
    lhs=r"(M_c\odot S)_{nj}",
    states="gemfilter-attention-def",
    title="Entries of the last row, whatever the scores",
    says="An entry of the printed weights is $e^{s_j}$ over the sum $A$ over the keys up to its row and $B$ over later "
    "ones, of the masked softmax $e^{s_j}/A$: in the last row there are no later keys, and the two are equal.",
    role="reading",
    covers="last-row-agrees",
    reads={"Q": "weight A B", "K": "weight A B"},
    domain={n: integers(1), d: integers(1), j: integers(1)},
    where=sp.Le(j, n),
    grid={"smoke": [{n: 1, d: 1, j: 1}, {n: 3, d: 2, j: 1}, {n: 5, d: 2, j: 4}]},
    closed_form=MASKED,
    relation=equals(),
    legs=[
        leg("an entry", last_entry, observed=["weight", "A"], instances=DRAWN, required=False),
        NONE_LATER,
    ],
    rivals=[
        variant("the first row", simulation=first_entry, leg="an entry", at=[{n: 3, d: 2, j: 1}]),
        variant("half of it", closed_form=MASKED / 2, leg="an entry"),
        *rivals_of(
            NONE_LATER,
            {
                "with a later key": {
                    "over": [
                        "c in {0, 1}",
                        "weight in (0, oo)",
                        "A in (0, oo)",
                        "B in [0, oo)",
                        "b in (0, oo)",
                    ]
                }
            },
        ),
    ],
)
