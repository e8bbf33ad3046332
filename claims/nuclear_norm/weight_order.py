"""Lemma 6.1 (1), (2) and the order of (3): the two values of the weight-decay optimum.

Setting. w* minimises L(w) + (lambda/2)|w|^2 over R^d for lambda > 0; gamma in (0, 1/2) for the order, in (-1/2, 1/2)
otherwise.

Statements. (1) The minimiser is unique and takes one value on R and one on U: the risk is strictly convex,
coercive by the penalty, and unchanged by permutations inside R and inside U, so that averaging w* over them can
only leave it as it is. (2) 0 < beta: at beta = 0 the derivative in beta is gamma E[ell'(alpha S)] < 0 by convexity
in beta; alpha > 0 likewise. (3) beta < alpha. The printed proof asserts it; here: lambda (alpha - beta) = E[g(Z +
alpha a + beta s b)(a - s b)] with g = -ell', a and b uniform and exchangeable, s the sign. If beta >= alpha, the
terms with s = -1 are positive, and those with s = 1, taken with a and b exchanged, sum to (a - b)(g(u + alpha (a -
b)) - g(u + beta (a - b))) >= 0 for a >= b, where u = Z + (alpha + beta) b. So alpha > beta, a contradiction.

The claims below hold the inequalities for the whole domain; putting them together is the argument above, which no
program follows, and they say so as proxies.

Reference: Lemma 6.1, E.5 and E.6, lines 9116-9206.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, reaching, rivals_of, sharpened, typed

LOSS = formula_leg(
    "loss",
    typed(
        "log(1 + exp(-(m - h))) + log(1 + exp(-(m + h))) >= 2*log(1 + exp(-m))",
        over=["m in (-oo, oo)", "h in (-oo, oo)", "lam in (0, oo)"],
    ),
    over="r d gamma w_star",
)
PENALTY = formula_leg(
    "penalty",
    typed(
        "lam/2*((w - k)**2 + (w + k)**2) - lam*w**2 == lam*k**2 > 0",
        over=["w in (-oo, oo)", "k in (0, oo)", "lam in (0, oo)"],
    ),
)

two_values = claim(
    "nuclear-l2-two-values",
    states="nuclear-erm-l2-optimum",
    title="One minimiser, two values",
    says=r"Along every line the regularised loss is midpoint convex, by at least $\lambda k^2$ "
    "for a step of size $k$.",
    encodes="proxy",
    covers="unique-two-values",
    reads={"lambda": "lam"},
    legs=[LOSS, PENALTY],
    rivals=[
        *rivals_of(
            PENALTY, {"lambda = 0": {"over": ["w in (-oo, oo)", "k in (0, oo)", "lam in [0, oo)"]}}
        ),
        *rivals_of(
            LOSS,
            {
                "the loss alone, by h^2/100": "log(1 + exp(-(m - h))) + log(1 + exp(-(m + h))) "
                ">= 2*log(1 + exp(-m)) + h**2/100"
            },
        ),
        *sharpened(LOSS, times="101/100"),
        *reaching(LOSS, "m <= -9 and h <= -9", "m >= 9 and h >= 9"),
        *reaching(PENALTY, "w <= -9 and k >= 9", "w >= 9 and k <= 1/9"),
    ],
)

BIAS = "gamma in (0, 1/2)"
AGREEING = formula_leg(
    "agreeing sign",
    typed(
        "k*(1/(1 + exp(u + alpha*k)) - 1/(1 + exp(u + (alpha + h)*k))) >= 0",
        over=["u in (-oo, oo)", "alpha in (0, oo)", "h in [0, oo)", "k in [0, 1]"],
    ),
    over="r d lambda",
)
# with its probability, which is 0 at gamma = 1/2: there alpha is beta
MISLEADING = formula_leg(
    "misleading sign",
    typed(
        "(1/2 - gamma)*(a + b)/(1 + exp(m)) > 0",
        over=[BIAS, "m in (-oo, oo)", "a in (0, 1]", "b in (0, 1]"],
    ),
)
AT_ZERO = formula_leg(
    "derivative at 0",
    typed("-gamma/(1 + exp(m)) < 0", over=[BIAS, "m in (-oo, oo)"]),
)

order = claim(
    "nuclear-l2-order",
    states="nuclear-erm-l2-optimum",
    title=r"The order $0 < \beta < \alpha$",
    says=r"For $\beta = \alpha + h \ge \alpha$, $k = a - b \ge 0$: $g(u + \alpha k) \ge g(u + "
    r"\beta k)$, $(\frac12 - \gamma) g(m)(a + b) > 0$.",
    encodes="proxy",
    covers="order-alpha-beta",
    legs=[AGREEING, MISLEADING, AT_ZERO],
    rivals=[
        *rivals_of(
            AGREEING,
            {
                "beta below alpha as well": {
                    "over": ["u in (-oo, oo)", "alpha in (0, oo)", "h in (-oo, oo)", "k in [0, 1]"]
                }
            },
        ),
        *rivals_of(
            MISLEADING,
            {
                "the agreeing sign's a - b": "(1/2 - gamma)*(a - b)/(1 + exp(m)) > 0",
                "gamma = 1/2 as well": {
                    "over": [
                        "gamma in (0, 1/2]",
                        "m in (-oo, oo)",
                        "a in (0, 1]",
                        "b in (0, 1]",
                    ]
                },
            },
        ),
        *rivals_of(
            AT_ZERO, {"gamma = 0 as well": {"over": ["gamma in [0, 1/2)", "m in (-oo, oo)"]}}
        ),
        *sharpened(AGREEING, MISLEADING, AT_ZERO),
        *reaching(
            AGREEING,
            "u <= -9 and alpha >= 9 and h >= 9 and k >= 9/10",
            "u >= 9 and alpha <= 1/9 and k <= 1/9",
        ),
        *reaching(
            MISLEADING, "m <= -9 and a <= 1/9 and b >= 9/10", "m >= 9 and a >= 9/10 and b <= 1/9"
        ),
        *reaching(AT_ZERO, "m <= -9 and gamma >= 4/9", "m >= 9 and gamma <= 1/9"),
    ],
)
