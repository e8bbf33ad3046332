r"""Lemma B.10: the loss under a change of the first layer, and the size of the second layer's gradient.

Setting. l 1-Lipschitz, |y| <= 1, E|x| <= B; delta = max_i |w_i - w_i'|.

Statements. (1) relu is 1-Lipschitz, so the loss at x changes by at most sum_i |a_i| |w_i - w_i'| |x|, in the mean by
B |a|_1 delta <= B |a|_2 sqrt(|a|_0) delta. (2) |relu(u - b)| <= |u| + b~ for |b| = b~, so |dL/da_i| <= B (|w_i -
w_i^1| + |w_i^1|) + b~.

Reference: lines 5854-5880.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

ALL = "law a_tilde W W_prime b"
RELU = formula_leg(
    "one neuron",
    typed("abs(relu(u - b) - relu(v - b)) <= abs(u - v)", over=["u in R", "v in R", "b in R"]),
    over=ALL,
)
MEAN = formula_leg(
    "mean",
    typed(
        "a*delta*m <= a*delta*B",
        over=["a in [0, oo)", "delta in [0, oo)", "B in [0, oo)", "m in [0, B]"],
    ),
    over=ALL,
)
# S = |a|_1, Q = |a|_2^2, j = |a|_0, one entry more
SPARSE = formula_leg(
    "one entry more",
    typed(
        "(S + abs(x))**2 <= (j + 1)*(Q + x**2)",
        over=["S in [0, oo)", "Q in [0, oo)", "x in R", "j in 1..oo"],
        where="S**2 <= j*Q",
    ),
    over=ALL,
)

gap = claim(
    "gradfeat-loss-gap-bound",
    states="gradfeat-loss-gap",
    title="The loss under a change of the first layer",
    says=r"$|L(\tilde a,W)-L(\tilde a,W')|\le B_{x1}\|\tilde a\|_1\delta\le B_{x1}\|\tilde a\|_2\sqrt{\|\tilde "
    r"a\|_0}\,\delta$, "
    r"$\delta=\max_i\|w_i-w_i'\|$.",
    covers="gap",
    legs=[RELU, MEAN, SPARSE],
    rivals=[
        *rivals_of(RELU, {"half of it": "abs(relu(u - b) - relu(v - b)) <= abs(u - v)/2"}),
        *rivals_of(
            MEAN,
            {
                "larger inputs": {
                    "over": ["a in [0, oo)", "delta in [0, oo)", "B in [0, oo)", "m in [0, 2*B]"]
                }
            },
        ),
        *rivals_of(SPARSE, {"j entries": "(S + abs(x))**2 <= j*(Q + x**2)"}),
    ],
)

SIZE = formula_leg(
    "one neuron",
    typed("relu(u - b) <= abs(u) + c", over=["c in (0, oo)", "u in R", "b in [-c, c]"]),
    over="i state",
)
SPLIT = formula_leg(
    "through the first step",
    typed(
        "n*m + c <= B*(p + q) + c",
        over=[
            "B in [0, oo)",
            "m in [0, B]",
            "p in [0, oo)",
            "q in [0, oo)",
            "n in [0, p + q]",
            "c in [0, oo)",
        ],
    ),
    over="i state",
)

gradient = claim(
    "gradfeat-loss-gap-gradient",
    states="gradfeat-loss-gap",
    title="Size of the second layer's gradient",
    says=r"$|\partial L/\partial a_i|\le B_{x1}(\|w_i-w_i^{(1)}\|+\|w_i^{(1)}\|)+\tilde b$ in every state with "
    r"$|b_i|=\tilde b$.",
    covers="gradient",
    legs=[SIZE, SPLIT],
    rivals=[
        *rivals_of(SIZE, {"without the bias": "relu(u - b) <= abs(u)"}),
        *rivals_of(SPLIT, {"the first layer's move alone": "n*m + c <= B*p + c"}),
    ],
)
