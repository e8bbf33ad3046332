"""Remark after Theorem 9.3: the same generation time as SnapKV and H2O.

Setting. Per layer and head, to leading order, a step at cache length c costs 2c products of length d; t steps from
a cache of k tokens cost 2kt + t^2, and the second pass over the k tokens, which belongs to the generation phase,
costs k^2 more (the exact counts are in `complexity`).

Statement (printed without a condition). The two-pass method has the same running time as SnapKV/H2O in the
generation phase. By the theorem's own rows the ratio is 1 + k^2/(2kt + t^2), which no constant bounds; for t >= ck it
is at most 1 + 1/(2c + c^2), 4/3 at c = 1: attained at t = ck, so of integers k and t for rational c alone.

Reference: section 9.3.2 (arXiv 2409.17422).
"""

from __future__ import annotations

from math import isqrt

import sympy as sp

from theorycheck import (
    claim,
    counts,
    formula,
    formula_leg,
    integers,
    leg,
    nowhere,
    rivals_of,
    typed,
    variant,
)

from .complexity import PASSES, STEPS, k, t

LEADING = 2 * k * t + t**2
WITH_PASS = k**2 + LEADING
"""Per layer, head and dimension, to leading order: what is left out of the counts is m h d t, and m h d k with it."""

left_out = formula(
    "gemfilter-generation-remark-counts",
    states="gemfilter-generation-remark",
    title="What is left out to leading order",
    says=f"{STEPS} - m*h*d*t == m*h*d*({LEADING}) and {PASSES} - m*h*d*(k + t) == m*h*d*({WITH_PASS})",
    over="m in 1..oo; h in 1..oo; d in 1..oo; k in 1..oo; t in 1..oo",
    role="derived",
    rivals={
        "a key is read once a step": f"{STEPS} - m*h*d*t == m*h*d*({LEADING - k * t})",
        **nowhere(
            "m == 1 and h == 1 and d == 1 and k == 1 and t == 1",
            "m > 1 and h > 1 and d > 1 and k > t and t > 1",
            "t > k",
        ),
        "half of a second pass": f"{PASSES} - m*h*d*(k + t) == m*h*d*({WITH_PASS - k**2 / 2})",
    },
)

remark = formula(
    "gemfilter-generation-remark",
    title="One generation time up to a constant, for all k and t",
    says=f"{WITH_PASS} <= C*({LEADING})",
    over="C in 1..oo; k in 1..oo; t in 1..oo",
    covers="same-time",
    expect="fail",
)

C, c, s = sp.symbols("C c s", real=True)

unbounded = formula(
    "gemfilter-generation-ratio-unbounded",
    states="gemfilter-generation-remark",
    title="No constant bounds the ratio",
    says=f"{WITH_PASS.subs(k, 2 * C * t)} > C*({LEADING.subs(k, 2 * C * t)})",
    over="C in 1..oo; t in 1..oo",
    role="derived",
    corrects="gemfilter-generation-remark",
    rivals={
        **nowhere("C == 1 and t == 1", "C > 1 and t > 1"),
        "k = C t is enough": "(C*t)**2 + 2*(C*t)*t + t**2 > C*(2*(C*t)*t + t**2)",
        "the ratio reaches 2C": "(2*C*t)**2 + 2*(2*C*t)*t + t**2 > 2*C*(2*(2*C*t)*t + t**2)",
    },
)

BOUND = "(2*c + c**2 + 1)"
"""Over 2c + c^2."""
LATE = c * k + s
LATE_STEPS, LATE_PASSES = LEADING.subs(t, LATE), WITH_PASS.subs(t, LATE)
AT_ONCE_STEPS, AT_ONCE_PASSES = LEADING.subs(t, c * k), WITH_PASS.subs(t, c * k)

# t = c k + s with s >= 0 stands for every t >= c k; at t = c k the bound is reached.
conditional = formula(
    "gemfilter-generation-remark-conditional",
    states="gemfilter-generation-remark",
    title="One generation time up to a constant, for t of the order of k",
    says=f"({LATE_PASSES})/({LATE_STEPS}) <= {BOUND}/(2*c + c**2) "
    f"and ({AT_ONCE_PASSES})/({AT_ONCE_STEPS}) == {BOUND}/(2*c + c**2)",
    over="c > 0; k in 1..oo; s in [0, oo)",
    role="corrected",
    corrects="gemfilter-generation-remark",
    covers="same-time-conditional",
    reads={"t": "c k s"},
    rivals={
        **nowhere("c < 1 and k == 1 and s == 0", "c > 1 and k > 1 and s > 0"),
        # false for c < 1 alone
        "at most 4/3 for every c": f"3*({LATE_PASSES}) <= 4*({LATE_STEPS})",
        "1 + 1/(1 + 2c + c^2)": "(1 + 2*c + c**2)*(k**2 + 2*k*(c*k + s) + (c*k + s)**2) "
        "<= (2 + 2*c + c**2)*(2*k*(c*k + s) + (c*k + s)**2)",
        "the same time at t = k": {
            "says": "k**2 + 2*k*t + t**2 == 2*k*t + t**2",
            "over": ["k in 1..oo", "t in {1}"],
        },
        "k/t for the ratio": {
            "says": "k*(2*k*t + t**2) == t*(k**2 + 2*k*t + t**2)",
            "over": ["k in 1..oo", "t in 1..oo"],
        },
    },
)

u, v = sp.symbols("u v", integer=True, positive=True)


def reaching(u, v, most=None):
    """Whether for some k = 1, .., v (or up to ``most``) the ratio is the bound at the least t >= ck, c = sqrt(u/v),
    where it is largest: 2kt + t^2 = k^2 (2c + c^2), that is 2kt + t^2 - c^2 k^2 = 2c k^2. Shape ()."""
    found = 0
    for kept in range(1, (most or v) + 1):
        made = isqrt((u * kept**2 - 1) // v) + 1
        found += (v * (2 * kept * made + made**2) - u * kept**2) ** 2 == 4 * u * v * kept**4
    return int(found > 0)


def reaching_at_one(u, v):
    return reaching(u, v, most=1)


BEYOND = formula_leg(
    "beyond",
    typed(
        f"({LATE_PASSES})*(2*c + c**2) < {BOUND}*({LATE_STEPS})",
        over="c > 0; k in 1..oo; s in (0, oo)",
    ),
)
RATIONAL = 1 + sp.floor(sp.sqrt(u * v)) - sp.ceiling(sp.sqrt(u * v))
"""Whether u v is a square: then c = sqrt(u v)/v, and k = v is enough."""

attained = claim(
    "gemfilter-generation-remark-attained",
    lhs=r"\mathbf 1[\exists k,t:\ t\ge ck,\ \text{ratio}=1+1/(2c+c^2)]",
    tex=r"\mathbf 1[c\in\mathbb Q],\ c=\sqrt{u/v}",
    states="gemfilter-generation-remark",
    title="The bound is attained for rational c alone",
    says=r"For every $t>ck$ the ratio is below $1+1/(2c+c^2)$. For $c=\sqrt{u/v}$ it is that for some positive "
    r"integers $t\ge ck$, $k\le v$ exactly when $uv$ is a square, so that $c$ is rational.",
    role="derived",
    domain={u: integers(1), v: integers(1)},
    grid={"smoke": {u: [1, 2, 4, 8], v: [1, 2, 9, 18]}},
    closed_form=RATIONAL,
    # 0 or 1: the rivals stand for the mutants.
    mutate=False,
    relation=counts(),
    legs=[leg("every k", reaching), BEYOND],
    rivals=[
        variant("for every c", closed_form=sp.Integer(1), leg="every k"),
        variant("for no c", closed_form=sp.Integer(0), leg="every k"),
        variant("for integers c alone", simulation=reaching_at_one, leg="every k"),
        variant("where u is a square", closed_form=RATIONAL.subs(v, 1), leg="every k"),
        *rivals_of(
            BEYOND,
            {
                **nowhere("c < 1 and k == 1 and s < 1", "c > 1 and k > 1 and s > 1"),
                "at t = ck, too": {"over": "c > 0; k in 1..oo; s in [0, oo)"},
            },
        ),
    ],
)
