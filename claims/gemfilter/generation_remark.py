"""Remark after Theorem 9.3: the same generation time as SnapKV and H2O.

Setting. Per layer and head, to leading order, a step at cache length c costs 2c products of length d; t steps from
a cache of k tokens cost 2kt + t^2, and the second pass over the k tokens, which belongs to the generation phase,
costs k^2 more (the exact counts are in `complexity`).

Statement (printed without a condition). The two-pass method has the same running time as SnapKV/H2O in the
generation phase. By the theorem's own rows the ratio is 1 + k^2/(2kt + t^2), which no constant bounds; for t >= ck it
is at most 1 + 1/(2c + c^2), 4/3 at c = 1.

Reference: section 9.3.2 (arXiv 2409.17422).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import formula, nowhere

from .complexity import PASSES, STEPS, k, t

LEADING = 2 * k * t + t**2
WITH_PASS = k**2 + LEADING
"""Per layer, head and dimension, to leading order: what is left out of the counts is m h d t, and m h d k with it."""

counts = formula(
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
