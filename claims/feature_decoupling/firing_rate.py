r"""Fact E.3: how often a neuron fires, from what its firing implies.

Setting. N_i are the columns of which neuron i is a potential winner, n their number, q = C_z log log d/d the chance of
a column in a code; the neuron fires on a view where |<w, x>| > b. Let e be the chance that it does with no column of
N_i present: the first half of the fact says that e is small.

Statements. On every view a neuron fires with probability at most 1 - (1 - q)^n + e <= n q + e. With e <= exp(-log^2 d)
that is at most (n C_z + 1) log log d/d for d >= 16: of order log log d/d where n is bounded.

Reference: lines 1192-1196. The O of the source takes n in.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import codes, dot, flat_columns

n = sp.Symbol("n", integer=True, nonnegative=True)
q, e = sp.symbols("q e", nonnegative=True)
UNION = n * q + e


def views(x):
    """x itself, as of a negative, and both of its views under a mask, over all masks with their chances."""
    size = len(x)
    masks = list(product((0, 1), repeat=size))
    kept = [[2 * D[k] * x[k] for k in range(size)] for D in masks]
    left = [[2 * (1 - D[k]) * x[k] for k in range(size)] for D in masks]
    return {"negative": [x], "first": kept, "second": left}


def fires(n, q, large, small, bias):
    """Of the view on which it fires most: with what chance, and with what chance without a column of N_i, which are
    the first n of the three columns of R^4. Shape ()."""
    columns = [[c / 2 for c in column] for column in flat_columns(3, 4)]
    w = [sum((large if j < n else small) * columns[j][k] for j in range(3)) for k in range(4)]
    seen = {name: [Fraction(0), Fraction(0)] for name in ("negative", "first", "second")}
    for z, p in codes(3, q):
        x = [sum((z[j] * columns[j][k] for j in range(3)), Fraction(0)) for k in range(4)]
        for name, drawn in views(x).items():
            share = p * sum(abs(dot(w, view)) > bias for view in drawn) / len(drawn)
            seen[name][0] += share
            seen[name][1] += 0 if any(z[:n]) else share
    chance, absent = max(seen.values(), key=lambda pair: pair[0] - pair[1])
    return {"value": chance, "e": absent}


def without_bias(n, q, large, small, bias):
    """What is absent is not counted."""
    return {**fires(n, q, large, small, Fraction(0)), "e": Fraction(0)}


def a_neuron(rng):
    return {
        "q": Fraction(1, int(rng.integers(3, 9))),
        "large": Fraction(int(rng.integers(2, 9))),
        "small": Fraction(int(rng.integers(1, 4)), 2),
        "bias": Fraction(1),
    }


BOUND = formula_leg(
    "union",
    typed(f"1 - (1 - q)**n + e <= {UNION}", over=["n in 0..oo", "q in [0, 1]", "e in [0, 1]"]),
    over="i x",
)
# y is log log d/d, L is log d
ORDER = formula_leg(
    "order",
    typed(
        f"{UNION} <= (n*C + 1)*y",
        over=["n in 0..oo", "C > 0", "y > 0", "q >= 0", "e >= 0"],
        where=["q <= C*y", "e <= y"],
    ),
    over="i x",
)
RARE = formula_leg("absent", typed("exp(-L**2) <= log(L)*exp(-L)", over="L in [E, oo)"), over="i x")

rate = claim(
    "decoupling-firing-rate",
    lhs=r"\max_x\Pr[h_i(x)\ne0]",
    tex=r"nq+e",
    states="decoupling-stage3-gates",
    title="How often a neuron fires",
    says=r"On every view neuron $i$ fires with probability at most $|\mathcal N_i|q+e\le(|\mathcal N_i|C_z+1)"
    r"\frac{\log\log d}d$, $e\le e^{-\log^2d}$ the chance that it does with no column of $\mathcal N_i$ present.",
    covers="firing-rate",
    domain={n: integers(0, 3)},
    grid={"smoke": {n: [0, 1, 2, 3]}},
    closed_form=UNION,
    relation=at_most(),
    legs=[
        leg(
            "all codes and masks",
            fires,
            observed=["e"],
            required=False,
            instances=instances(a_neuron, "q large small bias", smoke=2, standard=5),
        ),
        BOUND,
        ORDER,
        RARE,
    ],
    rivals=[
        variant("one column", closed_form=q + e, leg="all codes and masks"),
        variant("half of the columns", closed_form=n * q / 2 + e, leg="all codes and masks"),
        variant("what is absent left out", simulation=without_bias, leg="all codes and masks"),
        *rivals_of(BOUND, {"half of it": "1 - (1 - q)**n + e <= n*q/2 + e"}),
        *rivals_of(ORDER, {"without the 1": f"{UNION} <= n*C*y"}),
    ],
)
