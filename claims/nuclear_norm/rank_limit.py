"""Proposition 6.3, its rank side: minimising sequences of the rank-constrained problem.

Setting. gamma in (0, 1/2), ||w||_0 <= B, no bound on the size of w, so that no minimiser exists (Lemma 6.2).

Statement. Along every sequence with L(w) -> 0 the accuracy under the shifted law tends to 1. On k coordinates of
U, k <= B, with p of them positive, the shifted law has ((1/2 - gamma)/(1/2 + gamma))^(2p - k) times the density of
the training law, at most ((1/2 + gamma)/(1/2 - gamma))^B; and P_ID[margin <= 0] <= L(w)/log 2. So P_OOD[margin <=
0] is at most a constant times L(w).

Both are inequalities between integrands, held at every point; integrated over the event that the margin is not
positive, P_OOD <= x^B P_ID and P_ID log 2 <= L(w), and together they bound P_OOD for every w of the sequence, so that
its limit is 0.

Reference: Proposition 6.3, lines 1811-1813 and 9238-9250.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed, variant

OVER = ["x in (1, oo)", "p in 0..oo", "k in p..oo", "B_rank in k..oo"]
"""x stands for (1/2 + gamma)/(1/2 - gamma), which runs through (1, oo) as gamma does through (0, 1/2)."""

TOGETHER = formula_leg("together", typed(
    "P <= x**B_rank*L/log(2)",
    over=["x in (1, oo)", "B_rank in 1..oo", "L in (0, oo)", "Q in [0, L/log(2)]", "P in [0, x**B_rank*Q]"],
))  # fmt: skip

in_the_limit = claim(
    "nuclear-rank-limit",
    states="nuclear-ood-gap",
    title="Accuracy along minimising sequences",
    says=r"With $x = (1/2 + \gamma)/(1/2 - \gamma)$: $x^{k - 2p} \le x^B$ for $0 \le p \le k \le "
    r"B$, and $\ell(m) \ge \log 2$ for $m \le 0$.",
    covers="rank-accuracy-in-the-limit",
    reads={"gamma": "x"},
    legs=[
        formula_leg("density", typed("x**(k - 2*p) <= x**B_rank", over=OVER, seconds=20), over="r d w i"),
        formula_leg("loss", typed("log(1 + exp(-m)) >= log(2)",
                                  over=["m in (-oo, 0]", "B_rank in 1..oo", "x in (1, oo)"])),
        TOGETHER,
    ],
    rivals=[
        variant("one coordinate less", leg="density",
                simulation=typed("x**(k - 2*p) <= x**(B_rank - 1)", over=OVER)),
        *rivals_of(TOGETHER, {"without x^B": "P <= L/log(2)"}),
        variant("loss above 1", leg="loss", simulation=typed(
            "log(1 + exp(-m)) >= 1", over=["m in (-oo, 0]", "B_rank in 1..oo", "x in (1, oo)"])),
    ],
)  # fmt: skip
