r"""Theorem C.1: its first three bullets under the printed definitions of T1.

Setting. That of `stage1_margins`: F = 1 - 1/G is the share of the span where |w|^2 has grown by G, bullet 1 is F >=
1/2, bullet 2 c1 F >= 2 (1 + gamma c0)^2, bullet 3 c2 F <= 2 (1 - gamma c0)^2; 0 < c0 <= 1/2, gamma < 1/100. The
theorem stands in section C, which defines its T1 in the lines before it: G = (2 (1 + gamma c0) + c1)/c1.

Statements. Under that T1 bullets 1 and 2 fail and 3 holds. With G = (2 (1 + c0) + c1)/c1 (A.2) bullets 1 and 3 hold
and 2 fails; with G = 1/(gamma c0)^2 (main text) bullets 1 and 2 hold and 3 fails: either repairs a bullet, none all
three (`stage1_margins`).

Reference: lines 182, 340, 559-569 and 642. In C.2 a fourth value of G is below 1, so that T1 would be 0.
"""

from __future__ import annotations

from theorycheck import formula

C1 = "(2 + 2*(1 - g)*c)"
C2 = "(2 + 2*(1 - g)*c - g*c)"
AS_CHOSEN = ["c in (0, 1/2]", "g in (0, 1/100)"]

HALF_A2 = f"1 - {C1}/(2*(1 + c) + {C1})"
HALF_C = f"1 - {C1}/(2*(1 + g*c) + {C1})"
MAIN = "(1 - (g*c)**2)"


def bullet(id, clause, title, says, role, wrong=None, corrects=None):
    """One bullet under one of the definitions of T1; without a rival it is expected to fail."""
    return formula(
        id,
        states="decoupling-stage1-theorem",
        title=title,
        role=role,
        corrects=corrects,
        covers=clause,
        reads={"i": "c g", "d" if clause == "span-share" else "j": "c g"},
        expect="pass" if wrong else "fail",
        says=says,
        over=AS_CHOSEN,
        rivals=wrong,
    )


share_c = bullet(
    "decoupling-span-share-c",
    "span-share",
    "Half of the norm in the span, T1 of section C",
    f"{HALF_C} >= 1/2",
    "as_printed",
)
share_a2 = bullet(
    "decoupling-span-share-a2",
    "span-share",
    "Half of the norm in the span, T1 of A.2",
    f"{HALF_A2} >= 1/2",
    "corrected",
    {"51/100": f"{HALF_A2} >= 51/100"},
    corrects="decoupling-span-share-c",
)
share_main = bullet(
    "decoupling-span-share-main",
    "span-share",
    "Half of the norm in the span, T1 of the main text",
    f"{MAIN} >= 1/2",
    "corrected",
    {"all of it": f"{MAIN} >= 1"},
    corrects="decoupling-span-share-c",
)
lucky_c = bullet(
    "decoupling-lucky-c",
    "lucky-large",
    "Sure winners, T1 of section C",
    f"{C1}*({HALF_C}) >= 2*(1 + g*c)**2",
    "as_printed",
)
lucky_main = bullet(
    "decoupling-lucky-main",
    "lucky-large",
    "Sure winners, T1 of the main text",
    f"{C1}*{MAIN} >= 2*(1 + g*c)**2",
    "corrected",
    {"a margin of c0": f"{C1}*{MAIN} >= 2*(1 + c)**2"},
    corrects="decoupling-lucky-c",
)
lucky_a2 = bullet(
    "decoupling-lucky-a2",
    "lucky-large",
    "Sure winners, T1 of A.2",
    f"{C1}*({HALF_A2}) >= 2*(1 + g*c)**2",
    "variant",
)
others_c = bullet(
    "decoupling-others-c",
    "others-small",
    "The others, T1 of section C",
    f"{C2}*({HALF_C}) <= 2*(1 - g*c)**2",
    "as_printed",
    {"half of it": f"{C2}*({HALF_C}) <= (1 - g*c)**2"},
)
others_a2 = bullet(
    "decoupling-others-a2",
    "others-small",
    "The others, T1 of A.2",
    f"{C2}*({HALF_A2}) <= 2*(1 - g*c)**2",
    "derived",
    {"half of it": f"{C2}*({HALF_A2}) <= (1 - g*c)**2"},
)
others_main = bullet(
    "decoupling-others-main",
    "others-small",
    "The others, T1 of the main text",
    f"{C2}*{MAIN} <= 2*(1 - g*c)**2",
    "variant",
)
