r"""Lemma A.1: a tent from three ReLUs.

Statement. a r(z - s + b) - 2 a r(z - s) + a r(z - s - b) = a max(b - |z - s|, 0) for r(z) = max(z, 0), all real z, s,
a and b >= 0: zero outside [s - b, s + b], and a b at s. For b < 0 it is false.

Reference: Lemma A.1, lines 2878-2888.
"""

from __future__ import annotations

from theorycheck import formula

TENT = "a*relu(z - s + b) - 2*a*relu(z - s) + a*relu(z - s - b)"

tent = formula(
    "structured-bump-tent",
    states="structured-bump-function",
    title="Three ReLUs make a tent",
    covers="tent",
    says=f"{TENT} == a*Max(b - abs(z - s), 0)",
    over=["s in R", "a in R", "b >= 0", "z in R"],
    rivals={
        "peak a": f"{TENT} == a*Max(1 - abs(z - s)/b, 0)",
        "the last sign turned": "a*relu(z - s + b) - 2*a*relu(z - s) - a*relu(z - s - b)"
        " == a*Max(b - abs(z - s), 0)",
        "negative half-widths": {"over": ["s in R", "a in R", "b in R", "z in R"]},
    },
)
