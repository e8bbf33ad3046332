"""Definition 4.6, Condition 4.8, Eq. 4.3: averages against the largest and the least, for every number of them.

Setting. Of n wrong labels with outputs f_c let M be the largest and e_c = M - f_c >= 0 the gaps; F is the
output of the right label, t_c >= 0 are weights of sum 1. Of the margins on a finite data set let m be the least
and e_i >= 0 what the others have above it. Outputs of networks enter as real numbers only, so that what holds
for all of these holds for every network.

Statements. The class-weighted margin F - sum t_c (M - e_c) is at least the margin F - M; it exceeds it by at
least t e of every single label (which may be put apart from the others), so that it is equal only where every
label with positive weight has no gap, and there it is. A mean sum q_i (m + e_i) is at least m, and is m at the
point mass on a point without a gap.

Reference: Definition 4.6, Conditions 4.8, C.7, Eq. 4.3 (arXiv 2402.09469); programs: `class_weighted_order`,
`minimax_margin`.
"""

from __future__ import annotations

from theorycheck import claim, exactly, formula_leg, rivals_of, sharpened, typed

WEIGHTS = ["t[c] in [0, 1] for c in 1..n", "e[c] in [0, oo) for c in 1..n"]
order = formula_leg(
    "order",
    typed(
        "F - Sum(t[c]*(M - e[c]), (c, 1, n)) >= F - M",
        over=["n in 1..oo", "F in R", "M in R", *WEIGHTS],
        where="Sum(t[c], (c, 1, n)) == 1",
    ),
    covers="fourier-class-weighted-order/order",
    lhs=r"g'",
    tex=r"g",
)
one_label = formula_leg(
    "one label apart",
    typed(
        "F - Sum(t[c]*(M - e[c]), (c, 1, n)) - a*(M - b) >= F - M + a*b",
        over=["n in 0..oo", "F in R", "M in R", "a in [0, 1]", "b in [0, oo)", *WEIGHTS],
        where="Sum(t[c], (c, 1, n)) + a == 1",
    ),
    covers="fourier-class-weighted-order/equality-case fourier-certificate/condition-equivalence",
    lhs=r"g'",
    tex=r"g+\tau_c\,(M-f_c)",
)
no_gap = formula_leg(
    "weights where there is no gap",
    typed(
        "F - Sum(t[c]*M, (c, 1, n)) - Sum(0*(M - e[c]), (c, 1, l)) == F - M",
        over=[
            "n in 1..oo",
            "l in 0..oo",
            "F in R",
            "M in R",
            "t[c] in [0, 1] for c in 1..n",
            "e[c] in [0, oo) for c in 1..l",
        ],
        where="Sum(t[c], (c, 1, n)) == 1",
    ),
    covers="fourier-class-weighted-order/equality-case fourier-certificate/condition-equivalence",
    lhs=r"g'",
    tex=r"g",
)
every_label = claim(
    "fourier-class-weighted-every-label",
    states=["fourier-class-weighted-order", "fourier-certificate"],
    title="The class-weighted margin, for every number of labels",
    says="For any outputs, any number of wrong labels and any weights on them $g'$ is at least $g$; it exceeds "
    "$g$ by at least the weight of each label times its gap, and equals it where all weights lie on labels without "
    "a gap.",
    role="derived",
    covers="fourier-class-weighted-order/order fourier-class-weighted-order/equality-case "
    "fourier-certificate/condition-equivalence",
    reads={"theta": "F M e", "x": "F M e", "y": "F M e", "tau": "t", "f": "F M e"},
    legs=[order, one_label, no_gap],
    rivals=[
        *sharpened(order, one_label),
        *exactly(no_gap),
        *rivals_of(order, {"strictly": "F - Sum(t[c]*(M - e[c]), (c, 1, n)) > F - M"}),
        *rivals_of(
            one_label,
            {
                "twice the label's share": "F - Sum(t[c]*(M - e[c]), (c, 1, n)) - a*(M - b) >= F - M + 2*a*b"
            },
        ),
        *rivals_of(
            no_gap,
            {
                "half of the weight off": "F - Sum(t[c]*M, (c, 1, n))/2 - Sum(0*(M - e[c]), (c, 1, l)) == F - M"
            },
        ),
    ],
)

MARGINS = ["m in R", "e[i] in [0, oo) for i in 1..n"]
every_law = formula_leg(
    "every law",
    typed(
        "Sum(q[i]*(m + e[i]), (i, 1, n)) >= m",
        over=["n in 1..oo", *MARGINS, "q[i] in [0, 1] for i in 1..n"],
        where="Sum(q[i], (i, 1, n)) == 1",
    ),
    lhs=r"\mathbb{E}_q\,g(\theta)",
    tex=r"\min_{(x,y)\in D}g(\theta,x,y)",
)
point_mass = formula_leg(
    "a point mass",
    typed("1*m + Sum(0*(m + e[i]), (i, 1, n)) == m", over=["n in 0..oo", *MARGINS]),
    lhs=r"\mathbb{E}_q\,g(\theta)",
    tex=r"\min_{(x,y)\in D}g(\theta,x,y)",
)
minimax = claim(
    "fourier-minimax-every-data-set",
    states="fourier-minimax-margin",
    title="The margin as a game, for every number of points",
    says="On every finite data set, whatever the margins are, no distribution has a mean margin below the least, "
    "and the point mass on a point of least margin has that.",
    role="derived",
    covers="min-over-laws",
    reads={"theta": "m e", "D": "n"},
    legs=[every_law, point_mass],
    rivals=[
        *sharpened(every_law),
        *exactly(point_mass),
        *rivals_of(every_law, {"strictly": "Sum(q[i]*(m + e[i]), (i, 1, n)) > m"}),
        *rivals_of(point_mass, {"half a point mass": "m/2 + Sum(0*(m + e[i]), (i, 1, n)) == m"}),
    ],
)
