r"""(13) with equal counts: what both kinds of patches of a sample give at the end of fine training (derived).

Setting. The fine network of ``equal_counts.py`` at T_0, the first step with an output of B = log(3/2); equal
starts.

Statement. Summed over the s* patches of a sample the response to the common word is at least B/5 and that to the
subclass word at least B/2, and the former is between 1/4 of the latter and all of it. Before T_0 a step adds to the
common one between 1/4 of what it adds to the subclass one and all of it (granularity-fine-speed), and at T_0 both
add up to B at least.

Reference: (13), lines 277-292.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._data import vector
from ._network import response
from .equal_counts import fine_network
from .fine_balance import SPEED
from .fine_steps import SHARES

k = sp.Symbol("k", integer=True, positive=True)
B = sp.log(sp.Rational(3, 2))


def summed(k, word):
    """Response of the net of (+, 0) to two patches of a word."""
    return 2 * response(fine_network(k)["+", 0], vector(word, k, 2 * k + 2))


def common(k):
    """Shape ()."""
    return summed(k, ("+",))


def subclass(k):
    """Shape ()."""
    return summed(k, ("+", 0))


def ratio(k):
    """Common over subclass. Shape ()."""
    return common(k) / subclass(k)


def of_the_other_class(k):
    return summed(k, ("-",))


STEP = formula_leg("a step", typed(f"1/4 <= {SPEED} <= 1", over=SHARES))
ADDED = formula_leg(
    "all steps",
    typed(
        "(a + x)/4 <= A + y <= a + x",
        over=["a in (0, oo)", "A in [a/4, a]", "x in [0, oo)", "y in [x/4, x]"],
    ),
)
FIRST = formula_leg(
    "common at the end",
    typed("A >= B/5", over=["B > 0", "a in [0, oo)", "A in [a/4, oo)"], where="A + a >= B"),
)
SECOND = formula_leg(
    "subclass at the end",
    typed("a >= B/2", over=["B > 0", "a in [0, oo)", "A in [0, a]"], where="A + a >= B"),
)
NEAR = k <= 4

end = claim(
    "granularity-fine-end",
    lhs=r"s^*R^*_{T_0}(v_y)",
    tex=r"\tfrac15\log\tfrac32",
    states="granularity-fine-balance",
    title="Both kinds of patches at the end of fine training",
    says=r"With equal counts $s^*R^*_{T_0}(v_y)\ge\frac15\log\frac32$, $s^*R^*_{T_0}(v_{y,c})\ge\frac12\log\frac32$, "
    r"and $\frac14\le R^*_{T_0}(v_y)/R^*_{T_0}(v_{y,c})\le1$ at $T_0$.",
    role="derived",
    covers="responses-equal-counts",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2]}, "standard": {k: [1, 2, 3]}},
    closed_form=B / 5,
    relation=at_least(),
    legs=[
        leg("common", common, required=False, where=NEAR),
        leg(
            "subclass",
            subclass,
            required=False,
            where=NEAR,
            closed_form=B / 2,
            lhs=r"s^*R^*_{T_0}(v_{y,c})",
            tex=r"\tfrac12\log\tfrac32",
        ),
        leg(
            "ratio",
            ratio,
            required=False,
            where=NEAR,
            closed_form=sp.Rational(1, 4),
            tex=r"\tfrac14",
            lhs=r"R^*_{T_0}(v_y)/R^*_{T_0}(v_{y,c})",
        ),
        leg(
            "ratio, above",
            ratio,
            required=False,
            where=NEAR,
            closed_form=sp.Integer(1),
            relation=at_most(),
            tex="1",
            lhs=r"R^*_{T_0}(v_y)/R^*_{T_0}(v_{y,c})",
        ),
        STEP,
        ADDED,
        FIRST,
        SECOND,
    ],
    rivals=[
        variant("the other class", simulation=of_the_other_class, leg="common"),
        variant("all of B", closed_form=B, leg="subclass"),
        variant("from 3/4 on", closed_form=sp.Rational(3, 4), leg="ratio"),
        variant("up to 1/2", closed_form=sp.Rational(1, 2), leg="ratio, above"),
        *rivals_of(STEP, {"from 1/3 on": f"1/3 <= {SPEED} <= 1"}),
        *rivals_of(ADDED, {"from a third on": "(a + x)/3 <= A + y <= a + x"}),
        *rivals_of(FIRST, {"a quarter": "A >= B/4"}),
        *rivals_of(SECOND, {"two thirds": "a >= 2*B/3"}),
    ],
    mutate=False,
)
