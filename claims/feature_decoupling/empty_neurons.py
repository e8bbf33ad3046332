r"""Neurons that win no column: what Theorem 3.4 and Induction Hypothesis E.2 (5), (6) say of them.

Setting. w has coordinates alpha_j along d columns and beta_k along d1 - d directions beside them.

Statements. (1) Theorem 3.4 holds each column by at most e m/d neurons, e = o(1), so that at most d e m/d < m neurons
have a non-empty N_i. For any other the weight clause bounds every coordinate, by e |w|/sqrt d and e |w|/sqrt d1:
|w|^2 <= (d e^2/d + (d1 - d) e^2/d1) |w|^2 <= 2 e^2 |w|^2, which no w != 0 meets for e <= 1/2. Some coordinate of
every w has sqrt d |alpha_j| or sqrt d1 |beta_k| >= |w|/sqrt 2. (2) E.2 (5), (6) with X = Xi_2^5 give |w|^2 <= 2 K^2/X
|w|^2 in the same way for a neuron in no M_j, false for every constant K once X > 2 K^2; such neurons exist, since the
sets M_j have at most d Xi_2 = d^(1 + 2 gamma c0) members together and m = d^(1 + c0).

Reference: Theorem 3.4, lines 232-238; Induction Hypothesis E.2, lines 1180-1190; Lemma B.2 (c), line 451.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT, dot, flat_columns


def largest_component(w, d):
    """The largest of d <w, M_j>^2 and d1 <w, M_k>^2 over |w|^2, along d flat columns and beside them. Shape ()."""
    n = len(w)
    squares = [dot(w, c) ** 2 / n for c in flat_columns(n, n)]
    return max(*(d * x for x in squares[:d]), *(n * x for x in squares[d:])) / dot(w, w)


def a_neuron(rng):
    return {
        "w": [Fraction(int(rng.integers(1, 9))) for _ in range(8)],
        "d": int(rng.integers(1, 8)),
    }


def an_even_one(rng):
    """All of the components alike, in their own scale."""
    d, columns = int(rng.integers(1, 3)), flat_columns(16, 16)
    # about sqrt(16/d), so that d times the square is near 16 times 1
    sizes = [Fraction(5 - d)] * d + [Fraction(1)] * (16 - d)
    return {
        "w": [sum(s * c[k] for s, c in zip(sizes, columns, strict=True)) for k in range(16)],
        "d": d,
    }


SIZES = ["d in 1..oo", "D in d..oo"]
COUNT = formula_leg(
    "neurons with a column",
    typed("d*(e*m/d) < m", over=["d in 1..oo", "m in 1..oo", "e in (0, 1)"]),
    over="t i N_i c",
)
SHORT = formula_leg(
    "the others",
    typed("d*(e**2*w/d) + (D - d)*(e**2*w/D) < w", over=[*SIZES, "w > 0", "e in (0, 1/2]"]),
    over="t i N_i c",
)

# w stands for |w|^2, the left side for the sum of the squares of the coordinates
weights = claim(
    "decoupling-decomposition",
    states="decoupling-aug-sparse",
    title="The weight clause for every neuron",
    says=r"All $m$ neurons are combinations of $\mathcal N_i$ and components $o(1/\sqrt d)\|w\|$, "
    r"$o(1/\sqrt{d_1})\|w\|$, "
    r"while each column is in at most $o(m/d)$ sets $\mathcal N_i$.",
    covers="decomposition",
    expect="fail",
    legs=[
        formula_leg(
            "squares of an empty neuron",
            typed(
                "d*(e**2*w/d) + (D - d)*(e**2*w/D) >= w", over=[*SIZES, "w > 0", "e in (0, 1/2]"]
            ),
            over="t i N_i c",
        )
    ],
)

empty = claim(
    "decoupling-empty-neurons",
    states="decoupling-aug-sparse",
    title="Most neurons have an empty set, and none of them the components",
    says=r"With at most $em/d<m/d$ neurons a column some neuron has $\mathcal N_i=\emptyset$, and no "
    r"$w\ne0$ has all components "
    r"below $\frac{\|w\|}{2\sqrt d}$ and $\frac{\|w\|}{2\sqrt{d_1}}$.",
    role="derived",
    covers="decomposition",
    legs=[COUNT, SHORT],
    rivals=[
        *rivals_of(COUNT, {"2 m/d": {"over": ["d in 1..oo", "m in 1..oo", "e in (0, 2]"]}}),
        *rivals_of(SHORT, {"components of |w|/sqrt d": {"over": [*SIZES, "w > 0", "e in (0, 1]"]}}),
    ],
)

BOUND = "d*(K**2*w/(d*X)) + (D - d)*(K**2*w/(D*X))"
LARGE = formula_leg(
    "squares",
    typed(f"{BOUND} < w", over=[*SIZES, "w > 0", "K > 0 real", "X in (2*K**2, oo)"]),
    over="t i j",
)
# g is gamma, c is c0, L = log d
FREE = formula_leg(
    "neurons outside",
    typed("d**(1 + 2*g*c) < d**(1 + c)", over=["d in 2..oo", "c > 0", "g in (0, 1/100)"]),
    over="t i j",
)

hypothesis_printed = claim(
    "decoupling-small-others",
    states="decoupling-stage3-induction",
    title="Small components of every neuron",
    says=r"With some $K$ every neuron outside of $\mathcal M_j$ has $|\langle w,M_j\rangle|\le\frac "
    r"K{\sqrt{d\Xi_2^5}}\|w\|$, and "
    r"all have $|\langle w,M^\perp_j\rangle|\le\frac K{\sqrt{d_1\Xi_2^5}}\|w\|$.",
    covers="small-others",
    expect="fail",
    legs=[
        formula_leg(
            "squares of a neuron in no set",
            typed(f"{BOUND} >= w", over=[*SIZES, "w > 0", "K > 0 real", "X in (2*K**2, oo)"]),
            over="t i j",
        )
    ],
)

outside = claim(
    "decoupling-neurons-outside",
    lhs=r"\max_{j,k}\frac{\max(d\langle w,M_j\rangle^2"
    r",\,d_1\langle w,M^\perp_k\rangle^2)}{\|w\|^2}",
    tex=r"\tfrac12",
    states="decoupling-stage3-induction",
    title="No neuron outside of all sets has them",
    says=r"For every $K$ and $\Xi_2^5>2K^2$ no $w\ne0$ has them all, and $d^{1+2\gamma c_0}<d^{1+c_0}$ "
    r"leaves such neurons.",
    role="derived",
    covers="small-others",
    **ONE_POINT,
    relation=at_least(),
    closed_form=sp.Rational(1, 2),
    legs=[
        leg(
            "drawn neurons",
            largest_component,
            required=False,
            instances=instances(a_neuron, "w d", smoke=3, standard=6),
        ),
        leg(
            "even neurons",
            largest_component,
            required=False,
            instances=instances(an_even_one, "w d", smoke=2, standard=2),
        ),
        LARGE,
        FREE,
    ],
    rivals=[
        variant("2/3 for a half", closed_form=sp.Rational(2, 3), leg="even neurons"),
        *rivals_of(
            LARGE, {"X = K^2": {"over": [*SIZES, "w > 0", "K > 0 real", "X in [K**2, oo)"]}}
        ),
        *rivals_of(FREE, {"gamma = 3/4": {"over": ["d in 2..oo", "c > 0", "g in (0, 3/4]"]}}),
    ],
)
