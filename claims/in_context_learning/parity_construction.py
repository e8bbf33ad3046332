"""Proof of Theorem 5.5.1: the margin and the norm of the bit networks.

Setting. Population parity network in the unit v = 4 gamma G^T W G (see `_parity`); d = 2^nu features; bit network:
pairs +-diag(signs of bit b), a = -1, b < nu, and one pair +-nu I, a = 1. On task (i, j) it sees the two signs s, t
of the query: bits that i and j share give |s + t|/2 each, the H = Ham(i, j) others |s - t|/2.

Statements. y g = nu |s + t|/2 - (nu - H)|s + t|/2 - H |s - t|/2 times y = s t is H, on every task and sign pattern,
for every nu; so for the small network on tasks inside the first k = 2^nu1 of d features, while elsewhere equal
codes occur and the margin there is 0. With the positive scale nu2 in place of nu1 it is H on y = -1 and H + nu2 -
nu1 on y = 1. The norm is 2 d nu (nu + 1).

Reference: proof of Theorem 5.5.1, appendix D.3.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, counts, equals, formula, formula_leg, integers, leg, typed, variant

from ._parity import all_tasks, bit_network, cost, margins, minor_tasks

nu = sp.symbols("nu", integer=True, positive=True)
d = 2**nu


def mismatches(nu, scale=None, drop=0, swap=1):
    """Number of (task, sign pattern) with y g different from the Hamming distance. Shape ()."""
    d = 2**nu
    heads = bit_network(nu, d, positive=scale)[2 * drop :]
    heads = [type(h)(swap * h.a, h.v) for h in heads]
    return sum(m != (i ^ j).bit_count() for (i, j, _, _), m in margins(heads, d, all_tasks(d)))


def smaller_scale(nu):
    return mismatches(nu, scale=nu - 1)


def one_bit_dropped(nu):
    return mismatches(nu, drop=1)


def signs_swapped(nu):
    return mismatches(nu, swap=-1)


margin_hamming = claim(
    "icl-parity-margin-hamming",
    lhs=r"\#\{y\,g\ne\operatorname{Ham}(i-1,j-1)\}",
    title="The bit network's margin is the Hamming distance",
    says="On every task $(i, j)$ and every sign pattern of its two features, $y g = "
    r"\operatorname{Ham}(i, j)$: no mismatch.",
    covers="margin-large",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}, "standard": {nu: [1, 2, 3, 4, 5]}},
    closed_form=0 * nu,
    relation=counts(),
    legs=[leg("every task and pattern", mismatches, inside="i j phi")],
    rivals=[
        variant("positive scale nu - 1", simulation=smaller_scale),
        variant("one bit pair dropped", simulation=one_bit_dropped),
        variant("signs of the heads swapped", simulation=signs_swapped),
    ],
)


# ---- for every number of bits: H of nu bits differ, y = 1 at s = t and y = -1 at s = -t


def bits(positive, nu, y):
    """y g of the network with nu bits and the positive scale ``positive``, as typed."""
    same, other = ("Abs(1 + 1)/2", "Abs(1 - 1)/2") if y > 0 else ("Abs(1 - 1)/2", "Abs(1 + 1)/2")
    return f"({y})*({positive}*{same} - ({nu} - H)*{same} - H*{other})"


BITS = {"i": "H", "j": "H"}
every_size = formula(
    "icl-parity-margin-every-size",
    states="icl-parity-margin-hamming",
    title="The margin for every number of bits",
    says=f"{bits('nu', 'nu', 1)} == H and {bits('nu', 'nu', -1)} == H",
    over=["nu in 1..oo", "H in 0..nu"],
    role="reading",
    covers="margin-large",
    encodes="proxy",  # the margin is typed, as in `every_size_margins`
    reads={**BITS, "phi": "H"},
    rivals={
        "scale nu + 1": f"{bits('(nu + 1)', 'nu', 1)} == H",
        "one bit dropped": f"{bits('nu', '(nu - 1)', 1)} == H",
    },
)

n, m = sp.symbols("n m", integer=True, nonnegative=True)


def margins_of_small(n, m, less=0):
    """With n bits on 2^(n + m) features: tasks and patterns of the first 2^n whose y g is not the Hamming distance, the
    least y g on the other tasks, and patterns of the first ones at the positive scale n + m where y g is not Ham + m [y
    = 1]. ``less``: so much less of that scale. Shape (3,)."""
    d = 2 ** (n + m)
    heads, scaled = bit_network(n, d), bit_network(n, d, positive=n + m - less)
    first = all_tasks(2**n)
    apart = sum(x != (i ^ j).bit_count() for (i, j, _, _), x in margins(heads, d, first))
    least = min(x for _, x in margins(heads, d, minor_tasks(d, 2**n)))
    off = sum(
        x != (i ^ j).bit_count() + m * (s == t) for (i, j, s, t), x in margins(scaled, d, first)
    )
    return [apart, int(least), off]


def a_scale_less(n, m):
    return margins_of_small(n, m, less=1)


# m = nu2 - nu1 > 0; tasks inside the first k features have H >= 1, others may have H = 0.
small = claim(
    "icl-parity-margin-small",
    states="icl-parity-margin-hamming",
    title="The small network on the features of the large one",
    says=r"With $\nu_1$ bits on $2^{\nu_2}$ features $y g = \mathrm{Ham}(i, j) \ge 1$ on tasks "
    r"inside the first $2^{\nu_1}$ and 0 where codes are equal; with positive scale $\nu_2$ it is "
    r"$\mathrm{Ham} + \nu_2 - \nu_1$ on $y = 1$.",
    role="reading",
    covers="margin-small-on-S1 positive-scale-nu2",
    reads={**BITS, "nu1": "n", "nu2": "n m", "phi": "H"},
    domain={n: integers(1), m: integers(1)},
    grid={"smoke": {n: [1, 2], m: [1, 2]}, "standard": {n: [1, 2, 3], m: [1, 2]}},
    relation=counts(),
    legs=[
        leg(
            "both kinds of tasks",
            margins_of_small,
            closed_form=sp.Matrix([0, 0, 0]),
            inside="i j phi",
            where=n + m <= 6,
            lhs=r"\#\{y\,g_1\ne\operatorname{Ham}\text{ on }S_1\},\ \min_{S_2}y\,g_1,\ \#\{\text{scale }\nu_2\}",
            tex=r"0,\ 0,\ 0",
        ),
        formula_leg(
            "small network",
            covers="margin-small-on-S1",
            statement=typed(
                f"{bits('n', 'n', 1)} == H and {bits('n', 'n', -1)} == H and H >= 0",
                over=["n in 1..oo", "H in 0..n"],
            ),
        ),
    ],
    rivals=[
        variant("positive scale nu2 - 1", leg="both kinds of tasks", simulation=a_scale_less),
        variant(
            "a margin everywhere",
            leg="small network",
            simulation=typed(
                f"{bits('n', 'n', 1)} >= 1", over=["n in 1..oo", "m in 1..oo", "H in 0..n"]
            ),
        ),
    ],
)


def norm(nu):
    """sum |v_n|_F^2 of the bit network. Shape ()."""
    return cost(bit_network(nu, 2**nu))


bit_norm = claim(
    "icl-parity-margin-hamming-norm",
    lhs=r"\sum_n\|v_n\|_F^2",
    tex=r"2\cdot2^\nu\,\nu(\nu+1)",
    states="icl-parity-margin-hamming",
    title="Norm of the bit network",
    says=r"In $v$-units the bit network has $\sum\|v\|^2=2d\nu(\nu+1)$.",
    covers="norm",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3, 4]}, "standard": {nu: range(1, 7)}},
    closed_form=2 * d * nu * (nu + 1),
    relation=equals(),
    legs=[leg("summed", norm)],
    rivals=[
        variant("2 d nu^2", closed_form=2 * d * nu**2),
        variant("d nu (nu+1)", closed_form=d * nu * (nu + 1)),
    ],
)
