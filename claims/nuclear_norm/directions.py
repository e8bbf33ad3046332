"""Limit directions of weight decay and of the nuclear norm (derived from section 6.2).

Setting. Linear features with a frozen head of ones. Under strong weight decay the optimum points along the mean of
z, where beta/alpha = 2 gamma; under lambda sqrt(w^T C w), C = E[z z^T], along C^{-1} mu, where beta/alpha =
gamma/(6(1/3 - gamma^2)).

Statements. (1) The optimum with penalty lambda sqrt(w^T C w) is 0 exactly for lambda >= lambda_max, the dual norm
of the gradient -mu/2 at 0: lambda_max^2 = mu^T C^{-1} mu/4 = S/4, S = q/(1 + q), q = 3r + n gamma^2/(1/3 - gamma^2),
n = d - r, by Sherman and Morrison's formula. With x = w^T mu and V = sum_j Var(z_j) w_j^2 the margin has mean x and
second moment w^T C w = V + x^2, and x^2 <= q V. The risk is at least log 2 - x/2 (its tangent), which the penalty
makes up for from lambda_max on, and at most log 2 - x/2 + (V + x^2)/8, which at e C^{-1} mu is less than log 2 with
the penalty for lambda = kappa lambda_max, kappa < 1, and 0 < e < 4 (1 - kappa). (2) So below lambda_max the optimum,
alpha on R and beta on U, has x/2 > lambda sqrt(V + x^2). As q V = x^2 + 3 r n v D^2 with v = 1/3 - gamma^2, D = beta -
rho alpha, rho = gamma/(6 v), this is 3 kappa^2 r n v D^2 < (1 - kappa^2)(1 + q) x^2. With u = beta/alpha - rho, x =
alpha (r/2 + n gamma rho + n gamma u) and h^2 = (1 - kappa^2)(1 + q)/(3 kappa^2 r n v), |u|(1 - h n gamma) <= h (r/2 + n
gamma rho): beta/alpha tends to rho as kappa tends to 1. (3) For every gamma in (0, 1/2)
its beta/alpha is smaller than 2 gamma; at gamma = 1/2 both are 1. It is not at most half of it for every gamma:
only up to gamma^2 = 1/6.

Reference: derived from lines 1642-1660 and 1783.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    attained,
    certificate,
    claim,
    equals,
    exactly,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    maximises,
    reaching,
    reals,
    rivals_of,
    search,
    sharpened,
    theorem,
    typed,
    variant,
)

from ._population import BITS, number, risk

below = formula(
    "nuclear-nu-below-l2",
    states="nuclear-small-weights-limit",
    title="The nuclear norm weighs the environment less",
    says="0 < gamma/(6*(1/3 - gamma**2)) < 2*gamma",
    over="gamma in (0, 1/2)",
    covers="nu-below-l2",
    rivals={
        "at most half": "0 < gamma/(6*(1/3 - gamma**2)) <= gamma",
        "up to 1": {"over": "gamma in (0, 1]"},
        "up to 4/9": "gamma < 4/9",
        "from 1/9 on": "gamma > 1/9",
    },
)

r, d = sp.symbols("r d", integer=True, positive=True)
gamma = sp.Symbol("gamma", positive=True)


def moments(ns, r, d, gamma):
    """E z and E[z z^T] of the training law, entry by entry. Shapes (d, 1) and (d, d)."""
    mean = [Fraction(1, 2)] * r + [gamma] * (d - r)
    square = [[mean[i] * mean[j] if i != j else Fraction(1, 3) for j in range(d)] for i in range(d)]
    return ns.asarray([[m] for m in mean]), ns.asarray(square)


def some_direction(rng, r, d, gamma):
    """A vector without zeros."""
    return {"w": [int(rng.integers(1, 6) * rng.signs()) for _ in range(d)]}


def quotient(ns, w, mu, C):
    """(w^T mu/2)^2/(w^T C w). w (.., d, 1), shape (..)."""
    return ns.sum(mu * w, axis=(-2, -1)) ** 2 / (4 * ns.sum(w * ns.matmul(C, w), axis=(-2, -1)))


def at_drawn(ns, w, r, d, gamma):
    """The quotient at w (B, d). Shape (B,)."""
    mu, C = moments(ns, r, d, gamma)
    return quotient(ns, ns.expand_dims(w, axis=-1), mu, C)


def by_enumeration(ns, w, r, d, gamma):
    """The quotient at w from the law of each coordinate: Simpson's rule on [0, 1], and on [-1, 0] as well, is exact for
    cubics, and different coordinates are independent. Shape (B,)."""
    sixths = (Fraction(1, 6), Fraction(2, 3), Fraction(1, 6))
    rule = [(Fraction(k, 2), p) for k, p in enumerate(sixths)]
    signs = ((1, Fraction(1, 2) + Fraction(gamma)), (-1, Fraction(1, 2) - Fraction(gamma)))
    mirrored = [(s * x, q * p) for s, q in signs for x, p in rule]
    laws = [rule if j < r else mirrored for j in range(d)]
    first = ns.asarray([sum(p * x for x, p in law) for law in laws])
    spread = ns.asarray([sum(p * x * x for x, p in law) for law in laws]) - first**2
    mean = ns.sum(w * first, axis=1)
    return mean**2 / (4 * (mean**2 + ns.sum(w**2 * spread, axis=1)))


def of_the_shifted_law(ns, w, r, d, gamma):
    return by_enumeration(ns, w, r, d, -gamma)


def along_solution(ns, r, d, gamma):
    """The quotient at w = C^{-1} mu, elimination in exact rationals. Shape ()."""
    mu, C = moments(ns, r, d, gamma)
    return quotient(ns, ns.solve(C, mu), mu, C)


def dual_square(ns, r, d, gamma):
    """mu^T C^{-1} mu/4, which (w^T mu/2)^2 <= (w^T C w) mu^T C^{-1} mu/4 makes a bound for every w. Shape ()."""
    mu, C = moments(ns, r, d, gamma)
    return ns.sum(mu * ns.solve(C, mu)) / 4


def fourfold_dual(ns, r, d, gamma):
    """mu^T C^{-1} mu. Shape ()."""
    return 4 * dual_square(ns, r, d, gamma)


def direction(ns, r, d, gamma):
    """beta/alpha of C^{-1} mu. Shape ()."""
    mu, C = moments(ns, r, d, gamma)
    w = ns.solve(C, mu)
    return w[d - 1, 0] / w[0, 0]


CELLS = {
    "domain": {
        r: integers(1),
        d: integers(2),
        gamma: reals(0, Fraction(1, 2), low_open=True, high_open=True),
    },
    "where": sp.Lt(r, d),
    "grid": {
        "smoke": [
            {r: 1, d: 2, gamma: Fraction(1, 5)},
            {r: 2, d: 5, gamma: Fraction(1, 20)},
            {r: 3, d: 4, gamma: Fraction(49, 100)},
        ],
        "standard": [
            {r: k, d: k + n, gamma: Fraction(g, 20)}
            for k in (1, 2, 4)
            for n in (1, 3)
            for g in (1, 5, 9)
        ],
    },
}
# ties mu and C to the law of z
BY_LAW = leg(
    "by the law",
    by_enumeration,
    arithmetic="rational",
    relation=equals(),
    reference=at_drawn,
    required=False,
    instances=instances(some_direction, "w", smoke=2),
    grid={"smoke": CELLS["grid"]["smoke"]},
    lhs=r"\frac{\mathbb E[w^\top z]^2}{4\,\mathbb E[(w^\top z)^2]}",
    tex=r"\frac{(w^\top\mu/2)^2}{w^\top Cw}",
)
SHIFTED = variant("of the shifted law", simulation=of_the_shifted_law, leg=BY_LAW.name)
Q = 3 * r + (d - r) * gamma**2 / (sp.Rational(1, 3) - gamma**2)

threshold = claim(
    "nuclear-nu-threshold",
    lhs=r"\frac{(w^\top\mu/2)^2}{w^\top Cw}",
    tex=r"\frac{q}{4(1+q)},\quad q=3r+\frac{(d-r)\,\gamma^2}{1/3-\gamma^2}",
    states="nuclear-small-weights-limit",
    title="Where the nuclear norm sets the weights to 0",
    says=r"$\lambda_{\max}^2=q/(4(1+q))$, $q=3r+n\gamma^2/(1/3-\gamma^2)$, is the largest $(w^\top"
    r"\mu/2)^2/(w^\top Cw)$.",
    covers="lam-max",
    closed_form=Q / (4 * (1 + Q)),
    relation=maximises(),
    legs=[
        attained(along_solution, arithmetic="rational"),
        certificate(
            dual_square,
            arithmetic="rational",
            over="lambda",
            lemma=theorem(
                "Cauchy-Schwarz", product="C is mu mu^T + diag(1/3 - mu_i^2), mu_i <= 1/2"
            ),
        ),
        search(
            at_drawn,
            name="drawn w",
            arithmetic="rational",
            instances=instances(some_direction, "w", smoke=2, standard=5),
        ),
        BY_LAW,
    ],
    rivals=[
        SHIFTED,
        variant("without the mean in C", closed_form=Q / 4),
        variant("q without the environment", closed_form=3 * r / (4 * (1 + 3 * r))),
    ],
    **CELLS,
)


# ---- for all sizes

SIZES = ["r in 1..oo", "n in 1..oo", "gamma in (0, 1/2)"]
SUM = "(3*r + n*gamma**2/(1/3 - gamma**2))"
"""q."""

TANGENT = formula_leg("tangent", typed("log(1 + exp(-m)) >= log(2) - m/2", over="m in R"))
CURVED = formula_leg(
    "second moment", typed("log(1 + exp(-m)) <= log(2) - m/2 + m**2/8", over="m in R")
)
# V = x^2/q + k with k >= 0, by Cauchy and Schwarz
MADE_UP = formula_leg(
    "penalty from lambda_max on",
    typed(
        "lam**2*(x**2*(1 + q)/q + k) >= x**2/4",
        over=["q in (0, oo)", "lam in [sqrt(q/(1 + q))/2, oo)", "x in R", "k in [0, oo)"],
    ),
)
LESS = formula_leg(
    "along C^{-1} mu below lambda_max",
    typed(
        "-e*S/2 + e**2*S/8 + kappa*sqrt(S)/2*sqrt(e**2*S) < 0",
        over=["S in (0, 1)", "kappa in [0, 1)", "e in (0, 4*(1 - kappa))"],
    ),
)
# (1 + q) C^{-1} mu is 6 on R and gamma/(1/3 - gamma^2) on U: C w = Var(z) w + mu (mu^T w), with mu^T w = q/(1 + q)
ON_R = formula_leg(
    "C^{-1} mu on R", typed(f"1/12*6/(1 + {SUM}) + 1/2*({SUM}/(1 + {SUM})) == 1/2", over=SIZES)
)
ON_U = formula_leg(
    "C^{-1} mu on U",
    typed(
        f"(1/3 - gamma**2)*(gamma/(1/3 - gamma**2))/(1 + {SUM}) + gamma*({SUM}/(1 + {SUM})) == gamma",
        over=SIZES,
    ),
)
VALUE = formula_leg(
    "mu^T C^{-1} mu",
    typed(
        f"r/2*6/(1 + {SUM}) + n*gamma*(gamma/(1/3 - gamma**2))/(1 + {SUM}) == {SUM}/(1 + {SUM})",
        over=SIZES,
    ),
)

SMALL_STEPS = [
    *rivals_of(
        TANGENT,
        {
            "tangent, by 1/500 from 1/10 on": {
                "says": f"{TANGENT.simulation.says} + 1/500",
                "over": "m in [1/10, oo)",
            },
            "tangent, by 1/500 up to -1/10": {
                "says": f"{TANGENT.simulation.says} + 1/500",
                "over": "m in (-oo, -1/10]",
            },
        },
    ),
    *reaching(TANGENT, "m <= -9", "m >= 9"),
    *rivals_of(
        CURVED,
        {
            "second moment, by 1/100 from 1 on": {
                "says": f"{CURVED.simulation.says} - 1/100",
                "over": "m in [1, 2]",
            }
        },
    ),
    *reaching(CURVED, "m <= -9", "m >= 9"),
    *reaching(LESS, "kappa >= 9/10 and S >= 9/10", "kappa <= 1/9 and e >= 3"),
    *rivals_of(TANGENT, {"slope 3/5": "log(1 + exp(-m)) >= log(2) - 3*m/5"}),
    *rivals_of(CURVED, {"m^2/9": "log(1 + exp(-m)) <= log(2) - m/2 + m**2/9"}),
    *rivals_of(
        LESS,
        {
            "e up to 5 (1 - kappa)": {
                "over": ["S in (0, 1)", "kappa in [0, 1)", "e in (0, 5*(1 - kappa))"]
            },
            "at lambda_max as well": {"over": ["S in (0, 1)", "kappa in [0, 1]", "e in (0, 4)"]},
        },
    ),
]

zero = claim(
    "nuclear-nu-zero",
    states="nuclear-small-weights-limit",
    title=r"No weights from $\lambda_{\max}$ on, and some below it",
    says=r"With $x = w^\top\mu$ the objective is at least $\log 2 - x/2 + \lambda\sqrt{V + x^2} "
    r"\ge \log 2$ for $\lambda \ge \lambda_{\max} = \sqrt{q/(1 + q)}/2$, and less than $\log 2$ "
    r"at $e\,C^{-1}\mu$ for $\lambda = \kappa\lambda_{\max}$ and $0 < e < 4(1 - \kappa)$.",
    covers="lam-max",
    reads={"d": "r n", "lambda": "lam"},
    relation=equals(),
    closed_form=Q / (1 + Q),
    lhs=r"\mu^\top C^{-1}\mu",
    tex=r"\frac q{1+q}",
    legs=[
        leg("elimination", fourfold_dual, arithmetic="rational", required=False),
        TANGENT,
        CURVED,
        MADE_UP,
        LESS,
        ON_R,
        ON_U,
        VALUE,
    ],
    rivals=[
        variant("q alone", closed_form=Q, leg="elimination"),
        variant("half of it", closed_form=Q / (2 * (1 + Q)), leg="elimination"),
        *SMALL_STEPS,
        *exactly(ON_R, ON_U, VALUE),
        *sharpened(MADE_UP, times="101/100"),
        *reaching(MADE_UP, "x <= -9 and k >= 9", "q >= 9 and x >= 9", "lam == sqrt(q/(1 + q))/2"),
        *rivals_of(
            MADE_UP,
            {
                "from 99/100 of it on": {
                    "over": [
                        "q in (0, oo)",
                        "lam in [99*sqrt(q/(1 + q))/200, oo)",
                        "x in R",
                        "k in [0, oo)",
                    ]
                }
            },
        ),
        *rivals_of(ON_R, {"5 on R": f"1/12*5/(1 + {SUM}) + 1/2*({SUM}/(1 + {SUM})) == 1/2"}),
        *rivals_of(
            ON_U,
            {
                "2 gamma on U": f"(1/3 - gamma**2)*(2*gamma)/(1 + {SUM}) + gamma*({SUM}/(1 + {SUM})) == gamma"
            },
        ),
        *rivals_of(
            VALUE,
            {"q": f"r/2*6/(1 + {SUM}) + n*gamma*(gamma/(1/3 - gamma**2))/(1 + {SUM}) == {SUM}"},
        ),
    ],
    **CELLS,
)

LAGRANGE = formula_leg(
    "Lagrange's identity",
    typed(
        f"{SUM}*(r*alpha**2/12 + n*(1/3 - gamma**2)*beta**2) == (r*alpha/2 + n*gamma*beta)**2"
        " + 3*r*n*(1/3 - gamma**2)*(beta - gamma*alpha/(6*(1/3 - gamma**2)))**2",
        over=[*SIZES, "alpha in R", "beta in R"],
    ),
)
# V = x^2/q + k
CONE = formula_leg(
    "cone",
    typed(
        "kappa**2*q*k < (1 - kappa**2)*(1 + q)*x**2",
        over=["q in (0, oo)", "kappa in (0, 1)", "x in (0, oo)", "k in [0, oo)"],
        where="x**2/4 > kappa**2*q/(1 + q)/4*(x**2/q + k + x**2)",
    ),
)
# X = r/2 + n gamma rho, c = n gamma and p = |u|
TRIANGLE = formula_leg(
    "triangle",
    typed("abs(X + c*u) <= X + c*abs(u)", over=["c in (0, oo)", "X in (0, oo)", "u in R"]),
)
CLOSE = formula_leg(
    "closeness",
    typed(
        "p*(1 - h*c) <= h*X",
        over=["h in (0, oo)", "c in (0, oo)", "X in (0, oo)", "p in [0, oo)"],
        where="p <= h*(X + c*p)",
    ),
)
TO_ZERO = formula_leg(
    "h tends to 0", typed("(1 - kappa**2)/kappa**2 <= 6*(1 - kappa)", over="kappa in [1/2, 1]")
)


def on_the_cone(r, d, gamma, share=1):
    """The least of L(w) + lambda sqrt(w^T C w) over log 2 at lambda = kappa lambda_max, kappa such that h = 1/(4 + 4 n
    gamma), over vectors with beta/alpha at ``share`` of the way from gamma/(6(1/3 - gamma^2)) to both ends of the
    bound. Shape ()."""
    with ctx.workprec(BITS):
        n, bias = d - r, number(gamma)
        v = arb(1) / 3 - bias**2
        q = 3 * r + n * bias**2 / v
        h = 1 / (4 + 4 * n * bias)
        kappa = ((1 + q) / (1 + q + 3 * h**2 * r * n * v)).sqrt()
        level = kappa * (q / (1 + q)).sqrt() / 2
        rho = bias / (6 * v)
        least = []
        for sign in (1, -1):
            off = (
                sign * number(share) * h * (arb(r) / 2 + n * bias * rho) / (1 - sign * h * n * bias)
            )
            for size in (Fraction(1, 1000), Fraction(1, 3), 4):
                alpha, beta = number(Fraction(size)), number(Fraction(size)) * (rho + off)
                x = r * alpha / 2 + n * bias * beta
                second = r * alpha**2 / 12 + n * v * beta**2 + x**2
                least.append(risk([alpha] * r + [beta] * n, r, bias) + level * second.sqrt())
        return min(least, key=lambda value: value.lower()) / arb(2).log()


def inside_the_cone(r, d, gamma):
    """Half of the way."""
    return on_the_cone(r, d, gamma, share=Fraction(1, 2))


nu_direction = claim(
    "nuclear-nu-direction",
    lhs=r"\frac{\beta}{\alpha}",
    tex=r"\frac{\gamma}{6\,(1/3-\gamma^2)}",
    states="nuclear-small-weights-limit",
    title="Direction of the nuclear norm's optimum",
    says=r"$C^{-1} \mu$ has $\beta/\alpha= \gamma/(6(1/3 - \gamma^2))$, and at $\lambda=\kappa\lambda_{\max}$ "
    r"the optimum is within $h(r/2+n\gamma\rho)/(1-hn\gamma)$ of it where $hn\gamma<1$; $h$ tends to 0 as $\kappa$ "
    "tends to 1.",
    covers="nu-direction",
    reads={"d": "r n", "lambda": "kappa"},
    closed_form=gamma / (6 * (sp.Rational(1, 3) - gamma**2)),
    legs=[
        leg("elimination", direction, arithmetic="rational", required=False),
        BY_LAW,
        leg(
            "no better on the cone",
            on_the_cone,
            relation=at_least(),
            closed_form=sp.Integer(1),
            required=False,
            lhs=r"\frac{\mathcal L(w)+\lambda\sqrt{w^\top Cw}}{\log2}",
            tex="1",
        ),
        TANGENT,
        CURVED,
        LESS,
        LAGRANGE,
        CONE,
        TRIANGLE,
        CLOSE,
        TO_ZERO,
    ],
    rivals=[
        SHIFTED,
        variant("2 gamma", closed_form=2 * gamma, leg="elimination"),
        variant("0", closed_form=sp.Integer(0), leg="elimination"),
        variant(
            "half of the bound would do", simulation=inside_the_cone, leg="no better on the cone"
        ),
        *SMALL_STEPS,
        *exactly(LAGRANGE),
        *sharpened(CONE, times="99/100"),
        *reaching(CONE, "kappa <= 1/9 and q >= 9 and x >= 9", "kappa >= 8/9 and q <= 1/9"),
        *sharpened(TRIANGLE, times="99/100"),
        *reaching(TRIANGLE, "u <= -9 and c >= 9", "X >= 9 and u >= 9"),
        *sharpened(CLOSE, times="99/100"),
        *reaching(CLOSE, "h >= 9 and c >= 9 and X >= 9", "h <= 1/9 and p >= 9"),
        *sharpened(TO_ZERO, times="99/100"),
        *rivals_of(
            LAGRANGE,
            {
                "2 r n": f"{SUM}*(r*alpha**2/12 + n*(1/3 - gamma**2)*beta**2)"
                " == (r*alpha/2 + n*gamma*beta)**2"
                " + 2*r*n*(1/3 - gamma**2)*(beta - gamma*alpha/(6*(1/3 - gamma**2)))**2"
            },
        ),
        *rivals_of(CONE, {"without 1 + q": "kappa**2*q*k < (1 - kappa**2)*x**2"}),
        *rivals_of(TRIANGLE, {"without c": "abs(X + c*u) <= X + abs(u)"}),
        *rivals_of(CLOSE, {"without 1 - h c": "p <= h*X"}),
        *rivals_of(TO_ZERO, {"5 (1 - kappa)": "(1 - kappa**2)/kappa**2 <= 5*(1 - kappa)"}),
    ],
    **CELLS,
)
