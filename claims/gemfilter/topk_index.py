"""Algorithm 2, line 6: which scores select the tokens, with one head and with several.

Setting. Last-row scores L_j in R^n of head j; the rule of the source is the sum over heads of inner products.

Statements. For one head the largest k of the scores, of the scaled scores and of their softmax are the same set:
each map keeps the order of any two. For several heads summing scores and summing softmax rows select different
sets: for L = [[0, 9, 0, 0], [4, -9, 3, 1]] the first picks index 0, the second index 1. A constant added to one
head changes nothing; a factor does. The factor 1/sqrt(d) of all heads leaves the sum of scores in order, and may
change what the sum of softmax rows selects: for L = [[2, 1, 4], [8, 8, -1]] at d = 4.

Reference: section 9.3.1 and G.4.1 (arXiv 2409.17422).
"""

from __future__ import annotations

import math
from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    counts,
    formula_leg,
    instances,
    integers,
    leg,
    matrices,
    nowhere,
    reals,
    rivals_of,
    typed,
    variant,
)
from theorycheck.claims.formula import rival_of

n, k = sp.symbols("n k", integer=True, positive=True)
a, Z = sp.symbols("a Z", real=True)


def row(rng, n, k):
    """Scores of one head, all different; a is the k-th largest."""
    L = [Fraction(int(v) - n, 3) for v in rng.permutation(2 * n)[:n]]
    return {"L": L, "a": sorted(L, reverse=True)[k - 1]}


def kth_weight(ns, L, a, n, k):
    """The k-th largest entry of the softmax row, and the row's denominator. Shapes (B,)."""
    weights = ns.softmax(L, axis=-1)
    return {"value": ns.sort(weights, axis=-1)[:, n - k], "Z": ns.sum(ns.exp(L), axis=-1)}


def kth_smallest(ns, L, a, n, k):
    """The k-th smallest."""
    return {
        **kth_weight(ns, L, a, n, k),
        "value": ns.sort(ns.softmax(L, axis=-1), axis=-1)[:, k - 1],
    }


WEIGHT = sp.exp(a) / Z

# Whichever k: the sets agree because no pair of scores a < a + s changes its order. Z > 0 is the softmax's
# denominator.
SCORES = "a in R; s > 0; Z > 0; d in 1..oo"


def kept_in_order(factor):
    """That of two scores the larger stays the larger, times a factor and under the softmax."""
    return f"(a + s)*({factor}) > a*({factor}) and exp(a + s)/Z > {WEIGHT}"


ORDER = typed(kept_in_order("1/sqrt(d)"), over=SCORES)


def of_each_map(L, d, k, factor=None):
    """How many indices of the k largest scores are not among those of the scores times 1/sqrt(d) (or ``factor``), and
    of their softmax. Shape (2,)."""
    factor = 1 / math.sqrt(d) if factor is None else factor
    weights = [math.exp(score) for score in L]
    best, *others = (
        {*sorted(range(len(L)), key=lambda i: (-x[i], i))[:k]}
        for x in (L, [float(score) * factor for score in L], [w / sum(weights) for w in weights])
    )
    return [len(best - other) for other in others]


def of_nothing_left(L, d, k):
    """The same times 0."""
    return of_each_map(L, d, k, factor=0)


def row_and_dimension(rng, n, k):
    """Scores of one head with the largest last, and a dimension."""
    L = row(rng, n, k)["L"]
    return {"L": [*sorted(L)], "d": int(rng.integers(1, 65))}


def which_are_kept(L, d, n, k):
    return of_each_map(L, d, k)


def which_are_kept_of_nothing(L, d, n, k):
    return of_nothing_left(L, d, k)


IN_ORDER = formula_leg("proof", ORDER, over="k")
single_head = claim(
    "gemfilter-topk-index",
    title="One head: scores, scaled scores and softmax order tokens alike",
    says=r"Of two scores $a < a + s$ the larger stays the larger when divided by $\sqrt{d}$ and "
    "under the softmax, so that the $k$ largest are the same for every $k$.",
    covers="single-head",
    reads={"L": "a s Z d"},
    lhs=r"\operatorname{softmax}(L)_{(k)}",
    tex=r"e^{L_{(k)}}/Z",
    domain={n: integers(1), k: integers(1)},
    where=sp.Le(k, n),
    grid={
        "smoke": [{n: 5, k: 2}, {n: 3, k: 3}, {n: 1, k: 1}],
        "standard": [{n: 9, k: b} for b in (1, 4, 9)],
    },
    closed_form=WEIGHT,
    legs=[
        leg(
            "the k-th weight",
            kth_weight,
            observed=["Z"],
            required=False,
            instances=instances(row, "L a", smoke=3, standard=6),
        ),
        leg(
            "the sets",
            which_are_kept,
            instances=instances(row_and_dimension, "L d", smoke=3, standard=6),
            closed_form=sp.Matrix([0, 0]),
            relation=counts(),
            lhs=r"\#\big(\operatorname{topk}(L)\setminus\operatorname{topk}(L/\sqrt d)\big),\ "
            r"\#\big(\operatorname{topk}(L)\setminus\operatorname{topk}(\operatorname{softmax}L)\big)",
            required=False,
        ),
        IN_ORDER,
    ],
    rivals=[
        variant("the k-th smallest", simulation=kth_smallest, leg="the k-th weight"),
        variant("all of it", closed_form=sp.Integer(1), leg="the k-th weight"),
        variant("without the denominator", closed_form=sp.exp(a), leg="the k-th weight"),
        variant("half of it", closed_form=WEIGHT / 2, leg="the k-th weight"),
        variant(
            "no score left", simulation=which_are_kept_of_nothing, leg="the sets", at=[{n: 3, k: 1}]
        ),
        *rivals_of(IN_ORDER, nowhere("a < 0 and d == 1 and s < 1", "a > 0 and d > 1 and s > 1")),
        rival_of(ORDER, "times 0", kept_in_order("0"), "proof"),
        rival_of(ORDER, "absolute scores", "Abs(a + s) > Abs(a)", "proof"),
        rival_of(
            ORDER,
            "each score its own denominator",
            "exp(a + s)/(1 + exp(2*(a + s))) > exp(a)/(1 + exp(2*a))",
            "proof",
        ),
    ],
)

EXAMPLE = ((0, 9, 0, 0), (4, -9, 3, 1))


ALIKE = ((0, 9, 0, 0), (1, 9, 0, 0))


def picked(ns, heads=EXAMPLE):
    """First index of the largest sum of scores, of the largest sum of softmax rows. Shape (2,)."""
    heads = ns.asarray(heads)
    by_scores = ns.argmax(ns.sum(heads, axis=0))
    by_softmax = ns.argmax(ns.sum(ns.softmax(heads, axis=-1), axis=0))
    return ns.stack([ns.number(int(by_scores)), ns.number(int(by_softmax))])


def first_head_alone(ns):
    return picked(ns, EXAMPLE[:1])


def apart(ns):
    """For both tables of scores whether the two rules pick different tokens. Shape (2,)."""
    both = (picked(ns, heads) for heads in (EXAMPLE, ALIKE))
    return ns.stack([ns.number(int(bool(found[0] != found[1]))) for found in both])


def for_some(ns):
    """Whether they differ for some of these scores. Shape ()."""
    return ns.max(apart(ns))


def for_all(ns):
    return ns.min(apart(ns))


several_heads = claim(
    "gemfilter-several-heads",
    lhs=r"\Big(\operatorname{arg\,max}\sum_jL_j,\ \operatorname{arg\,max}\sum_j\operatorname{softmax}L_j\Big)",
    tex=r"(0,\ 1)",
    states="gemfilter-topk-index",
    title="Several heads: summed scores and summed softmax rows differ",
    says="There are scores of two heads and four tokens for which the sum of scores picks token 0 and the sum of "
    "softmax rows token 1; for others, of two different heads, both pick the same.",
    role="reading",
    covers="several-heads-differ",
    closed_form=sp.Matrix([0, 1]),
    legs=[
        leg("one instance", picked, gives="L"),
        leg(
            "for some",
            for_some,
            closed_form=sp.Integer(1),
            lhs=r"\mathbf 1[\text{the rules differ for some of two }L]",
            gives="L",
        ),
    ],
    rivals=[
        variant("the two rules agree here", closed_form=sp.Matrix([0, 0]), leg="one instance"),
        variant(
            "softmax rows pick the third token",
            closed_form=sp.Matrix([0, 2]),
            leg="one instance",
        ),
        variant("one head", simulation=first_head_alone, leg="one instance"),
        variant("for all scores", simulation=for_all, leg="for some"),
    ],
)


UNEVEN = ((2, 1, 4), (8, 8, -1))


def picked_at(ns, d, heads=UNEVEN):
    """`picked` of the scores over sqrt(d). Shape (2,)."""
    return picked(ns, ns.asarray(heads) / ns.sqrt(ns.number(d)))


def picked_scaled(ns):
    """At d = 1 and at d = 4. Shape (4,)."""
    return ns.concat([picked_at(ns, d) for d in (1, 4)], axis=0)


def picked_of_one_head(ns):
    return ns.concat([picked_at(ns, d, UNEVEN[:1]) for d in (1, 4)], axis=0)


# So the sums keep their order, as two scores of one head do (`ORDER`).
OF_SUMS = formula_leg(
    "sums of scores",
    typed(
        "Sum(L[j]/sqrt(d), (j, 1, h)) == Sum(L[j], (j, 1, h))/sqrt(d)",
        over=["h in 1..oo", "d in 1..oo", "L[j] in R for j in 1..h"],
    ),
)
common_factor = claim(
    "gemfilter-common-factor",
    lhs=r"\Big(\operatorname{arg\,max}\sum_j\frac{L_j}{\sqrt d},\ "
    r"\operatorname{arg\,max}\sum_j\operatorname{softmax}\frac{L_j}{\sqrt d}\Big),\ d=1,4",
    tex=r"(0,2),\ (0,0)",
    states="gemfilter-topk-index",
    title="One factor for all heads: the sum of scores keeps its order, that of softmax rows may not",
    says=r"A token's scores over $\sqrt d$ sum to their sum over $\sqrt d$, whatever the number of heads, so that the "
    r"largest stay the largest; there are scores of two heads of which the sum of softmax rows picks token 2 at "
    "$d=1$ and token 0 at $d=4$.",
    role="derived",
    closed_form=sp.Matrix([0, 2, 0, 0]),
    legs=[leg("one instance", picked_scaled), OF_SUMS],
    rivals=[
        variant("no factor matters", closed_form=sp.Matrix([0, 2, 0, 2]), leg="one instance"),
        variant("of the sums, too", closed_form=sp.Matrix([0, 2, 2, 0]), leg="one instance"),
        variant("one head", simulation=picked_of_one_head, leg="one instance"),
        *rivals_of(
            OF_SUMS,
            {
                **nowhere("h == 1 and d == 1", "h == 2 and d > 1 and L[1] < 0"),
                "each head's own factor": "Sum(L[j]/sqrt(j), (j, 1, h)) == Sum(L[j], (j, 1, h))/sqrt(h)",
            },
        ),
    ],
)


def left_the_selection(L, c, k, factor=1, only=None):
    """How many of the k largest sums over heads are no more among them when c is added to the first head (or to its
    score of one token ``only``, or times a ``factor``). Shape ()."""
    first, *others = L
    changed = [factor * s + (c if only in (None, i) else 0) for i, s in enumerate(first)]
    sums, moved = (
        [sum(column) for column in zip(head, *others, strict=True)] for head in (first, changed)
    )
    before, after = ({*sorted(range(len(x)), key=lambda i: (-x[i], i))[:k]} for x in (sums, moved))
    return len(before - after)


def left_by_a_constant(L, c, n, k):
    return left_the_selection(L, c, k)


def left_by_a_factor(L, c, n, k):
    return left_the_selection(L, 0, k, factor=-3)


def left_by_one_token(L, c, n, k):
    """With c, which is 1/9 or more where it is not 0, taken a thousand times from the best token alone: scores of three
    heads are less than 111 apart."""
    sums = [sum(column) for column in zip(*L, strict=True)]
    return left_the_selection(L, -1000 * abs(c), k, only=sums.index(max(sums)))


def left_by_a_double(L, c, n, k):
    return left_the_selection(L, 0, k, factor=2)


def several_rows(rng, n, k):
    """Scores of three heads, and a constant, not 0."""
    return {"L": rng.rational((3, n), 9), "c": rng.rational((1,), 9)[0] or Fraction(1)}


HEADS = {"L": matrices(3, n), "c": reals()}


def left_of_the_example():
    """Of the example's best token, when 5 is added to the first head, and when it is doubled. Shape (2,)."""
    return [left_the_selection(EXAMPLE, c, 1, factor) for c, factor in ((5, 1), (0, 2))]


def of_both_heads():
    """The same of scores of one sign, which a factor does not reorder."""
    return [left_the_selection(ALIKE, c, 1, factor) for c, factor in ((5, 1), (0, 2))]


shifted_sets = claim(
    "gemfilter-per-head-shift-sets",
    lhs=r"|J\setminus J'|",
    states="gemfilter-topk-index",
    title="A constant added to one head leaves the set, a factor may not",
    says="The $k$ largest sums over heads are the same when a constant is added to one head; there are scores of which "
    "one head, doubled, selects another token.",
    role="derived",
    domain={n: integers(1), k: integers(1)},
    where=sp.Le(k, n),
    grid={"smoke": [{n: 1, k: 1}, {n: 5, k: 2}, {n: 9, k: 4}]},
    closed_form=sp.Integer(0),
    relation=counts(),
    legs=[
        leg("a constant", left_by_a_constant, instances=instances(several_rows, HEADS, smoke=4)),
        leg(
            "the example",
            left_of_the_example,
            closed_form=sp.Matrix([0, 1]),
            lhs=r"|J\setminus J'|\text{ of a constant, of a factor}",
        ),
    ],
    rivals=[
        variant("a factor", simulation=left_by_a_factor, leg="a constant", at=[{n: 9, k: 4}]),
        variant("one head doubled", simulation=left_by_a_double, leg="a constant"),
        variant(
            "a constant for one token",
            simulation=left_by_one_token,
            leg="a constant",
            at=[{n: 9, k: 4}],
        ),
        variant("for all scores", simulation=of_both_heads, leg="the example"),
    ],
)

SHIFT = typed(
    "((a + c) + u) - ((b + c) + v) == (a + u) - (b + v)",
    over="a in R; b in R; u in R; v in R; c in R",
)
SHIFTED = formula_leg("proof", SHIFT)
per_head_shift = claim(
    "gemfilter-per-head-shift",
    states="gemfilter-topk-index",
    title="A constant added to one head selects the same tokens",
    says="For two tokens with scores a, b in one head and sums u, v over the others, adding c to the head leaves the "
    "difference of the sums, and so the selected set, as it is.",
    role="reading",
    covers="per-head-shift",
    reads={"L": "a b u v"},
    legs=[SHIFTED],
    rivals=[
        *rivals_of(
            SHIFTED,
            nowhere(
                "a < 0 and b > 0 and u < 0 and v > 0 and c < 0",
                "a > 0 and b < 0 and u > 0 and v < 0 and c > 0",
            ),
        ),
        rival_of(
            SHIFT, "a factor on one head", "(c*a + u) - (c*b + v) == (a + u) - (b + v)", "proof"
        ),
        rival_of(
            SHIFT,
            "a constant for one token",
            "((a + c) + u) - (b + v) == (a + u) - (b + v)",
            "proof",
        ),
    ],
)
