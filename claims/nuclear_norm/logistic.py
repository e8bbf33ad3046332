"""Lemma E.1: facts of the logistic loss, and what Lemma 6.2 makes of them pointwise.

Setting. ell(z) = log(1 + exp(-z)) on the whole real line.

Statement. (1) ell is strictly decreasing, convex and positive. (2) ell'(z) = -1/(1 + e^z), inside (-1, 0): for all
real z and h the remainder ell(z + h) - ell(z) + h/(1 + e^z) lies between 0 and h^2/8. (3) ell' is strictly concave
on [0, oo). (4) ell'(z + c) <= e^{-c} ell'(z) for c > 0 and real z; with k = e^c > 1 and x = e^z > 0 both sides are
rational. Both are negative, so that e^{-2c} would be weaker.

Reference: Lemma E.1, line 9080.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, reaching, rivals_of, sharpened, typed

LINE = "z in (-oo, oo)"

POSITIVE = formula_leg("positive", typed("log(1 + exp(-z)) > 0", over=LINE))
DECREASING = formula_leg(
    "decreasing", typed("log(1 + exp(-(z + c))) < log(1 + exp(-z))", over=[LINE, "c in (0, oo)"])
)
CONVEX = formula_leg(
    "convex",
    typed(
        "log(1 + exp(-(z - c))) + log(1 + exp(-(z + c))) > 2*log(1 + exp(-z))",
        over=[LINE, "c in (0, oo)"],
    ),
)

shape = claim(
    "nuclear-logistic-shape",
    states="nuclear-logistic-facts",
    title="Decreasing, convex, positive",
    says=r"For all real $z$ and $c > 0$: $\ell(z) > 0$, $\ell(z + c) < \ell(z)$, $\ell(z - c) + "
    r"\ell(z + c) > 2\ell(z)$.",
    covers="shape",
    legs=[POSITIVE, DECREASING, CONVEX],
    rivals=[
        *sharpened(POSITIVE),
        *reaching(POSITIVE, "z <= -9", "z >= 9"),
        *reaching(DECREASING, "z <= -9 and c >= 9", "z >= 9 and c <= 1/9"),
        *sharpened(CONVEX, times="101/100"),
        *reaching(CONVEX, "z <= -9 and c >= 9", "z >= 9 and c <= 1/9"),
        *rivals_of(POSITIVE, {"above a half": "log(1 + exp(-z)) > 1/2"}),
        *rivals_of(
            DECREASING, {"falls as fast as c/2": "log(1 + exp(-(z + c))) < log(1 + exp(-z)) - c/2"}
        ),
        *rivals_of(
            CONVEX,
            {
                "convex by c^2/100": "log(1 + exp(-(z - c))) + log(1 + exp(-(z + c))) > 2*log(1 + exp(-z)) + c**2/100"
            },
        ),
    ],
)

RANGE = formula_leg("range", typed("-1 < -1/(1 + exp(z)) < 0", over=LINE))


def left(slope):
    """That what a slope leaves of the loss lies within the remainder's bounds."""
    return f"0 <= log(1 + exp(-(z + h))) - log(1 + exp(-z)) + h*{slope} <= h**2/8"


REMAINDER = formula_leg("remainder", typed(left("1/(1 + exp(z))"), over=[LINE, "h in (-oo, oo)"]))

derivative = claim(
    "nuclear-logistic-derivative",
    states="nuclear-logistic-facts",
    title="The derivative",
    says=r"$-1/(1 + e^z)$ lies in $(-1, 0)$, and differs from $(\ell(z + h) - \ell(z))/h$ by at "
    "most $h/8$.",
    covers="derivative",
    legs=[RANGE, REMAINDER],
    rivals=[
        *sharpened(RANGE),
        *reaching(RANGE, "z <= -9", "z >= 9"),
        *sharpened(REMAINDER, times="99/100"),
        *reaching(REMAINDER, "z <= -9 and h >= 9", "z >= 9 and h <= -9"),
        *rivals_of(RANGE, {"above -1/2": "-1/2 < -1/(1 + exp(z)) < 0"}),
        *rivals_of(
            REMAINDER,
            {
                "1/(2 + e^z)": left("1/(2 + exp(z))"),
                "curvature 2/9": "0 <= log(1 + exp(-(z + h))) - log(1 + exp(-z)) + h/(1 + exp(z)) <= h**2/9",
            },
        ),
    ],
)

concave = formula(
    "nuclear-logistic-concave-derivative",
    states="nuclear-logistic-facts",
    title="The derivative is strictly concave on the positive axis",
    says="-1/(1 + exp(z)) - 1/(1 + exp(z + 2*c)) < -2/(1 + exp(z + c))",
    over=["z in [0, oo)", "c in (0, oo)"],
    covers="concave-derivative",
    rivals={
        "away from 0": "z > 1/9 or c > 1/9",
        "not far out": "z < 9 or c < 9",
        "on the whole line": {"over": [LINE, "c in (0, oo)"]},
        "convex": "-1/(1 + exp(z)) - 1/(1 + exp(z + 2*c)) > -2/(1 + exp(z + c))",
    },
)

shift = formula(
    "nuclear-logistic-shift",
    states="nuclear-logistic-facts",
    title="Shifting the derivative",
    says="-1/(1 + k*x) <= 1/k*(-1/(1 + x)) == -1/(1 + k*x) + (k - 1)/(k*(1 + x)*(1 + k*x))",
    over=["k in (1, oo)", "x in (0, oo)"],
    covers="shift",
    reads={"c": "k", "z": "x"},
    rivals={
        "small c, large z": "k > 10/9 or x < 9",
        "large c, small z": "k < 9 or x > 1/9",
        "e^{-c/2}": "-1/(1 + k*x) <= 1/sqrt(k)*(-1/(1 + x))",
        "every real c": {"over": ["k in (0, oo)", "x in (0, oo)"]},
        "the other way round": "-1/(1 + k*x) >= 1/k*(-1/(1 + x))",
    },
)
