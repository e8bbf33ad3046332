r"""The manual schedule of the biases, whatever the weights do.

Setting. n and m are the norms of a neuron before and after a step, e = eta/d. From T1 on, where b = sqrt(2 log d/d)
n, b <- b (1 + max(e, m/n - 1)) as long as b is at most the cap.

Statements. (1) b/n never falls. (2) b grows by 1 + e a step at least. (3) n^2 = d b^2/(2 log d) at T1, and n^2 <= d
b^2/(2 log d) ever after until the cap, which is half of what Induction Hypothesis D.1 (e) asks. (4) If the
coefficients of a neuron stay below A and the cap is above A, then b > A within A/(b e) steps or before: since b goes
on growing when the norm has settled, such a neuron stops firing on its columns.

Reference: lines 164-182, 295-304 and 752.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

NORMS = ["n in (0, oo)", "m in (0, oo)", "e in (0, oo)"]

RATIO = formula_leg(
    "a step", typed("b*(1 + Max(e, m/n - 1))/m >= b/n", over=["b in [0, oo)", *NORMS]), over="t"
)

monotone = claim(
    "decoupling-bias-ratio",
    states="decoupling-training-algorithm",
    title="Bias over norm never falls",
    says=r"$b_{t+1}/\|w_{t+1}\|\ge b_t/\|w_t\|$ from $T_1$ until the cap, for every sequence of weights.",
    role="derived",
    covers="ratio-monotone",
    reads={"trajectory": "n m b"},
    legs=[RATIO],
    rivals=rivals_of(RATIO, {
        "the rate e alone": "b*(1 + e)/m >= b/n",
        "it rises by 1 + e": "b*(1 + Max(e, m/n - 1))/m >= b*(1 + e)/n",
    }),
)  # fmt: skip

GROWTH = formula_leg("a step", typed(
    "B*(1 + Max(e, x)) >= b*(1 + e)**(t + 1)", over=["b in (0, oo)", "e in (0, oo)", "t in 0..oo", "B in (0, oo)",
    "x in R"], where="B >= b*(1 + e)**t"))  # fmt: skip

grows = claim(
    "decoupling-bias-growth",
    states="decoupling-training-algorithm",
    title="Geometric growth of the bias",
    says=r"$b_t\ge b_{T_1}(1+\eta/d)^{t-T_1}$ until the cap.",
    role="derived",
    covers="bias-growth",
    legs=[GROWTH],
    rivals=rivals_of(GROWTH, {
        "twice the rate": "B*(1 + Max(e, x)) >= b*(1 + 2*e)**(t + 1)",
        "the growth of the norm alone": "B*(1 + x) >= b*(1 + e)**(t + 1)",
    }),
)  # fmt: skip

SIZES = ["L in (0, oo)", "d in (0, oo)"]
START = formula_leg(
    "at T1", typed("n**2 == d*(sqrt(2*L/d)*n)**2/(2*L)", over=[*SIZES, "n in (0, oo)"]), over="t i"
)
KEPT = formula_leg("a step", typed(
    "m**2 <= d*(b*(1 + Max(e, m/n - 1)))**2/(2*L)", over=[*SIZES, "b in (0, oo)", *NORMS],
    where="n**2 <= d*b**2/(2*L)"), over="t i")  # fmt: skip

capped = claim(
    "decoupling-norm-below-bias",
    states=["decoupling-training-algorithm", "decoupling-stage2-induction"],
    title="Norms against biases",
    says=r"$\|w_i\|^2=\frac d{2\log d}b_i^2$ at $T_1$ and $\|w_i\|^2\le\frac d{2\log d}b_i^2$ until the cap, for every "
    "neuron.",
    covers=["decoupling-training-algorithm/norm-cap-invariant", "decoupling-stage2-induction/norm-vs-bias"],
    legs=[START, KEPT],
    rivals=[
        *rivals_of(START, {"a bias of sqrt(log d/d)": "n**2 == d*(sqrt(L/d)*n)**2/(2*L)"}),
        *rivals_of(KEPT, {
            "a bias that follows e alone": "m**2 <= d*(b*(1 + e))**2/(2*L)",
            "half of it again": "m**2 <= d*(b*(1 + Max(e, m/n - 1)))**2/(4*L)",
        }),
    ],
)  # fmt: skip

BEYOND = formula_leg("time", typed(
    "b*(1 + t*e) > A", over=["b in (0, oo)", "e in (0, oo)", "A in (0, oo)", "t in 0..oo"], where="t >= A/(b*e)"),
    over="cap t")  # fmt: skip
BERNOULLI = formula_leg(
    "growth", typed("(1 + e)**t >= 1 + t*e", over=["e in [0, oo)", "t in 0..oo"]), over="cap t"
)

death = claim(
    "decoupling-bias-death",
    states="decoupling-training-algorithm",
    title="Every neuron dies under a high cap",
    says=r"If $|\alpha|\le A$ stays below the cap, $b_t>A$ for some $t\le T_1+\lceil dA/(\eta b_{T_1})\rceil$.",
    role="derived",
    covers="eventual-death",
    legs=[BEYOND, BERNOULLI],
    rivals=[
        *rivals_of(BEYOND, {"half the time": {"where": "t >= A/(2*b*e)"}}),
        *rivals_of(BERNOULLI, {"2 t e": "(1 + e)**t >= 1 + 2*t*e"}),
    ],
)  # fmt: skip
