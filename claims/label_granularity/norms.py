r"""The inequalities between norms that the non-activation lemmas use.

Setting. Real vectors of any length; Q is the sum of the squares, S the sum of the sizes, j the number of entries so
far that are not 0.

Statements. (1) sqrt(Q) <= S: true of no entry, and an entry x more keeps it. (2) S <= sqrt(j Q), likewise; sqrt(Q) = S
only if one entry at most is not 0 (S^2 = Q of the first), since another adds 2 S |x| > 0 to S^2 - Q. (3) |u + z| >=
|u| - |z| with |u| = a, |z| = b and the inner product c >= -a b: c^2 <= a^2 b^2 is true of no coordinate, and one more
keeps it.

Reference: (165)-(167) and (188)-(191), lines 1767-1803 and 1955-1995.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

SIZES = ["S in [0, oo)", "Q in [0, oo)", "x in (-oo, oo)"]

L1 = formula_leg(
    "one entry more",
    typed("Q + x**2 <= (S + abs(x))**2", over=SIZES, where="Q <= S**2"),
    over="c",
)
WEAKER = {"three quarters of the sum": "Q + x**2 <= (3*(S + abs(x))/4)**2"}
L2 = formula_leg(
    "Cauchy-Schwarz, one entry more",
    typed(
        "(S + abs(x))**2 <= (j + 1)*(Q + x**2)",
        over=[*SIZES, "j in 1..oo"],
        where="S**2 <= j*Q",
    ),
    over="c",
)
STRICT = formula_leg(
    "a second entry",
    typed(
        "Q + x**2 < (S + abs(x))**2",
        over=["S in (0, oo)", "Q in (0, oo)", "x in (-oo, oo)"],
        where=["Q <= S**2", "x != 0"],
    ),
    over="c",
)
REVERSE = formula_leg(
    "reverse triangle",
    typed(
        "a - b <= sqrt(a**2 + 2*c + b**2)",
        over=["a in [0, oo)", "b in [0, oo)", "c in [-a*b, a*b]"],
    ),
    over="u z",
)
# A and B are a^2 and b^2
INNER = formula_leg(
    "inner product, one coordinate more",
    typed(
        "(c + x*y)**2 <= (A + x**2)*(B + y**2)",
        over=[
            "A in [0, oo)",
            "B in [0, oo)",
            "c in [-sqrt(A*B), sqrt(A*B)]",
            "x in (-oo, oo)",
            "y in (-oo, oo)",
        ],
    ),
    over="u z",
)

l1 = claim(
    "granularity-l2-below-l1",
    states="granularity-norm-inequalities",
    title="The Euclidean norm is below the sum of sizes",
    says=r"$\sqrt{\sum_jc_j^2}\le\sum_j|c_j|$ for every finite sequence.",
    covers="noise-sd",
    legs=[L1],
    rivals=rivals_of(L1, WEAKER),
)

between = claim(
    "granularity-norms-between",
    states="granularity-norm-inequalities",
    title="The norm of a sum of orthogonal features",
    says=r"$\sum|c_v|/\sqrt j\le\sqrt{\sum c_v^2}\le\sum|c_v|$ for $j$ entries that are not 0, with equality on the "
    "right only if there is at most one.",
    covers="true-norm",
    legs=[L1, L2, STRICT],
    rivals=[
        *rivals_of(L1, WEAKER),
        *rivals_of(L2, {"j entries": "(S + abs(x))**2 <= j*(Q + x**2)"}),
        *rivals_of(STRICT, {"a zero": {"where": "Q <= S**2"}}),
    ],
)

reverse = claim(
    "granularity-reverse-triangle",
    states="granularity-norm-inequalities",
    title="The reverse triangle inequality",
    says=r"$-\|u+z\|\le-\|u\|+\|z\|$ for all vectors.",
    covers="reverse-triangle",
    legs=[INNER, REVERSE],
    rivals=[
        *rivals_of(INNER, {"nine tenths": "(c + x*y)**2 <= 9*(A + x**2)*(B + y**2)/10"}),
        *rivals_of(REVERSE, {
            "inner products of any size": {"over": ["a in [0, oo)", "b in [0, oo)", "c in [-2*a*b, a*b]"]},
            "half of |z|": "a - b/2 <= sqrt(a**2 + 2*c + b**2)",
        }),
    ],
)  # fmt: skip
