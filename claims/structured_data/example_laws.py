r"""Section 2.2: the covariance of the label in three laws of the relevant patterns.

Setting. phi_A in {0, 1}^k, s the number of ones, i in A. Given phi_i = 1 and j ones among the other k - 1 fair ones,
s = j + 1, with weight C(k - 1, j)/2^k.

Statements, with gamma = E[y phi_i] - E[y] E[phi_i]. (1) Fair patterns, y = 1 for s > k/2, k = 2r + 1: E y = 0 and
gamma = C(2r, r)/2^k. (2) Fair patterns, y = (-1)^(s + 1) (P the odd counts), k >= 2: E y = 0 = gamma: uniform parity
is not in the structured family. (3) The mixture of (2), weight alpha, with all 0 or all 1, k odd >= 3: E y = 0, gamma
= (1 - alpha)/2.

Reference: Examples 1 and 2, lines 582-606, and the mixture of lines 2837-2841, 3829-3839.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

FAIR = "Sum(binomial(2*r, j), (j, r, 2*r)) - Sum(binomial(2*r, j), (j, 0, r - 1))"
MAJORITY = formula_leg(
    "given the pattern",
    typed(f"({FAIR})/2**(2*r + 1) == binomial(2*r, r)/2**(2*r + 1)", over="r in 0..oo"),
    over="i",
)
MAJORITY_BALANCE = formula_leg(
    "balance",
    typed(
        "Sum(binomial(2*r + 1, s), (s, r + 1, 2*r + 1)) - Sum(binomial(2*r + 1, s), (s, 0, r)) == 0",
        over="r in 0..oo",
    ),
    over="i",
)

majority = claim(
    "structured-majority-gamma",
    states="structured-data-family",
    title="Covariance under the majority rule",
    says=r"With fair patterns and the majority label, $k$ odd, classes are balanced and "
    r"$\gamma=\binom{k-1}{(k-1)/2}/2^k$.",
    covers="majority-gamma",
    reads={"k": "r"},
    legs=[MAJORITY, MAJORITY_BALANCE],
    rivals=[
        *rivals_of(MAJORITY, {"over 2^(k - 1)": f"({FAIR})/2**(2*r + 1) == binomial(2*r, r)/2**(2*r)"}),
        *rivals_of(MAJORITY_BALANCE, {
            "k even": "Sum(binomial(2*r + 2, s), (s, r + 2, 2*r + 2)) - Sum(binomial(2*r + 2, s), (s, 0, r + "
            "1)) == 0",
        }),
    ],
)  # fmt: skip

SEEN = formula_leg(
    "given the pattern",
    typed("Sum(binomial(k - 1, j)*(-1)**j, (j, 0, k - 1))/2**k == 0", over="k in 2..oo"),
    over="i",
)
ALTERNATING = "Sum(binomial(k, s)*(-1)**(s + 1), (s, 0, k))/2**k"
BALANCE = formula_leg("balance", typed(f"{ALTERNATING} == 0", over="k in 1..oo"), over="i")

parity = claim(
    "structured-parity-gamma",
    states="structured-data-family",
    title="Uniform parity has no covariance",
    says=r"Uniform patterns with parity labels have $\gamma=0$ for $k\ge2$.",
    covers="parity-not-member",
    legs=[SEEN, BALANCE],
    rivals=[
        *rivals_of(SEEN, {"k = 1": {"over": "k in 1..oo"}}),
        *rivals_of(BALANCE, {"signs dropped": "Sum(binomial(k, s), (s, 0, k))/2**k == 0"}),
    ],
)

SIZES = ["alpha in [0, 1]", "r in 1..oo"]
UNIFORM = "alpha*Sum(binomial(2*r, j)*(-1)**j, (j, 0, 2*r))/2**(2*r + 1)"
MIXED = formula_leg(
    "given the pattern",
    typed(f"{UNIFORM} + (1 - alpha)/2*1 == (1 - alpha)/2", over=SIZES),
    over="i",
)
EVEN = "alpha*Sum(binomial(2*r + 1, s)*(-1)**(s + 1), (s, 0, 2*r + 1))/2**(2*r + 1)"
MIXED_BALANCE = formula_leg(
    "balance",
    typed(f"{EVEN} + (1 - alpha)*((-1)**(0 + 1)/2 + (-1)**(2*r + 1 + 1)/2) == 0", over=SIZES),
    over="i",
)

mixture = claim(
    "structured-mixture-gamma",
    states=["structured-data-family", "structured-parity-mixture"],
    title="Covariance of the mixture of parity and constant blocks",
    says=r"With weight $\alpha$ on uniform parity and the rest all 0 or all 1, $k$ odd $\ge3$, classes are "
    r"balanced and "
    r"$\gamma=(1-\alpha)/2$.",
    covers="structured-data-family/mixture-gamma structured-parity-mixture/balance-gamma",
    reads={"k": "r", "p_o": "alpha"},
    legs=[MIXED, MIXED_BALANCE],
    rivals=[
        *rivals_of(MIXED, {
            "alpha/2": f"{UNIFORM} + (1 - alpha)/2*1 == alpha/2",
            "k = 1": {"over": ["alpha in [0, 1]", "r in 0..oo"]},
        }),
        *rivals_of(MIXED_BALANCE, {
            "k even": f"{EVEN} + (1 - alpha)*((-1)**(0 + 1)/2 + (-1)**(2*r + 2 + 1)/2) == 0",
        }),
    ],
)  # fmt: skip
