"""Lemma 6.1 (3) and Proposition 6.3 run: sizes of the optimum where lambda and d are as the corrected forms ask.

Setting. r >= 37, gamma in (3/sqrt(r), 1/2), d > r/gamma^2 + r, lambda >= sqrt(r) exp(-sqrt(r)/5)/3; alpha and beta are
the two values of the weight-decay optimum in balls (`_population`).

Statements. (1) alpha < 1/sqrt(r) and alpha/beta < 3/(4 gamma). (2) The lambda at which alpha = 1/sqrt(r) is smaller
than sqrt(r) exp(-sqrt(r)/5) by six to ten decades. (3) The accuracy under the shifted law, an exact probability, is at
most exp(-r/10), with the constant 1/3 for every r, gamma, d, lambda: by Markov's inequality for exp(theta X), X =
(alpha/beta) S + T <= 3 S/(4 gamma) + T, at theta = gamma/2 it is at most ((e^(3/8) - 1) 8/3)^r c^n, where c <= exp(-3
gamma^2/8) is the mean of exp(theta z_j) for j in U.

Reference: Lemma 6.1, E.6, lines 1803 and 9192-9228; Proposition 6.3, E.8, lines 1811-1813 and 9238-9272.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    at_most,
    choices,
    claim,
    equals,
    exactly,
    formula_leg,
    hypothesis,
    integers,
    leg,
    reaching,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._population import (
    BITS,
    inverted,
    mean_exp,
    means,
    number,
    optimum,
    rest_of,
    shifted_accuracy,
    signed,
)
from .lambda_threshold import at_root, one_third
from .tails import irwin_hall
from .weight_decay import (
    RATIO,
    SMALL,
    SMALL_RATIO,
    SMALL_RATIO_RIVALS,
    SMALL_RIVALS,
    SMALL_SUM,
    beaten_by,
    least_risk,
)

r, d = sp.symbols("r d", integer=True, positive=True)
gamma, lam = sp.symbols("gamma lam", positive=True)

LEAST = sp.sqrt(r) * at_root(r)
NEAR_HALF = Fraction(4937, 10**4)

CELLS = {
    "domain": {
        r: integers(37),
        d: integers(38),
        lam: reals(0, low_open=True),
        gamma: reals(0, Fraction(1, 2), low_open=True, high_open=True),
    },
    "where": sp.And(gamma * sp.sqrt(r) > 3, (d - r) * gamma**2 > r, lam >= LEAST),
    "grid": {
        "smoke": [
            {r: 37, d: 189, gamma: NEAR_HALF, lam: Fraction(601, 1000)},
            {r: 37, d: 260, gamma: Fraction(499, 1000), lam: 50},
        ],
        "standard": [
            {r: 37, d: 189, gamma: NEAR_HALF, lam: Fraction(601, 1000)},
            {r: 64, d: 519, gamma: Fraction(3754, 10**4), lam: Fraction(27, 50)},
            {r: 64, d: 330, gamma: Fraction(499, 1000), lam: 1000},
            {r: 100, d: 1209, gamma: Fraction(3004, 10**4), lam: Fraction(46, 100)},
        ],
    },
}


def scaled_alpha(r, d, gamma, lam):
    """alpha sqrt(r). Shape ()."""
    with ctx.workprec(BITS):
        return optimum(r, d - r, gamma, lam)[0] * arb(r).sqrt()


def ratio_at_optimum(r, d, gamma, lam):
    """alpha/beta. Shape ()."""
    with ctx.workprec(BITS):
        a, b = optimum(r, d - r, gamma, lam)
        return a / b


def ratio_by_equations(r, d, gamma, lam, turned=False):
    """alpha/beta over that of the means E[g(M) z_k] and E[g(M) z_l]. Shape ()."""
    with ctx.workprec(BITS):
        a, b = optimum(r, d - r, gamma, lam)
        inner, outer = means(a, b, r, d - r, number(gamma))
        return inner / outer if turned else a / b * outer / inner


def ratio_of_means(r, d, gamma, lam):
    return ratio_by_equations(r, d, gamma, lam, turned=True)


def risk_of_equal(r, d, gamma, lam):
    """L(w) with every weight 1/sqrt(r). Shape ()."""
    with ctx.workprec(BITS):
        every = 1 / arb(r).sqrt()
        return inverted(rest_of(every, every, r, d - r, number(gamma)), divided=True)


TENTHS = sp.Rational(1, 10)


def risk_on_R(r, d, gamma, lam):
    """The regularised risk of 1/10 on R and 0 on U. Shape ()."""
    with ctx.workprec(BITS):
        every = number(Fraction(1, 10))
        alone = inverted(lambda s: mean_exp(every * s) ** r, divided=True)
        return alone + number(Fraction(lam)) * r * every**2 / 2


def small_sum(r, d, gamma, lam):
    """P[S <= gamma]. Shape ()."""
    return irwin_hall(r, Fraction(gamma))


small = claim(
    "nuclear-optimum-alpha",
    lhs=r"\alpha\sqrt r",
    tex=r"1",
    states="nuclear-erm-l2-optimum",
    title=r"$\alpha<1/\sqrt r$ at the optimum",
    says=r"$\alpha\sqrt{r} < 1$ for $\lambda \ge \sqrt{r}\,e^{-\sqrt{r}/5}/3$ and $d > r/\gamma^2 "
    "+ r$.",
    role="corrected",
    corrects="nuclear-l2-alpha-printed",
    covers="alpha-small-repaired",
    reads={"lambda": "lam", "d": "r n"},
    relation=at_most(strict=True),
    closed_form=sp.Integer(1),
    legs=[
        leg("optimum", scaled_alpha, required=False),
        leg(
            "risk of equal weights",
            risk_of_equal,
            relation=at_least(),
            closed_form=least_risk(r, d),
            required=False,
            grid={"smoke": CELLS["grid"]["smoke"][:1]},
            lhs=r"\mathcal L(\tfrac1{\sqrt r},\dots,\tfrac1{\sqrt r})",
            tex=r"\log(1+e^{-d/\sqrt r})",
        ),
        leg(
            "risk of 1/10 on R",
            risk_on_R,
            closed_form=beaten_by(r, TENTHS, lam * r * TENTHS ** (r + 2)),
            required=False,
            grid={"smoke": CELLS["grid"]["smoke"][:1]},
            lhs=r"\mathcal L^\lambda(\tfrac1{10}1_R)",
            tex=r"c^{-r}((1-e^{-c})^r+\tfrac v2)\ (c=\tfrac1{10},\ v=\lambda rc^{r+2})",
        ),
        *SMALL,
    ],
    assumes=[
        hypothesis(
            "lambda not too small",
            without=[{r: 37, d: 189, gamma: NEAR_HALF, lam: Fraction(7, 10**7)}],
        )
    ],
    rivals=[
        variant("alpha < 1/(10 sqrt(r))", closed_form=sp.Rational(1, 10), leg="optimum"),
        variant(
            "nine tenths of it",
            closed_form=9 * beaten_by(r, TENTHS, lam * r * TENTHS ** (r + 2)) / 10,
            leg="risk of 1/10 on R",
        ),
        variant("margins up to sqrt(r)", closed_form=least_risk(r, r), leg="risk of equal weights"),
        *SMALL_RIVALS,
    ],
    **CELLS,
)

ratio = claim(
    "nuclear-optimum-ratio",
    lhs=r"\frac\alpha\beta",
    tex=r"\frac3{4\gamma}",
    states="nuclear-erm-l2-optimum",
    title=r"$\alpha/\beta < 3/(4\gamma)$ at the optimum",
    says=r"$4\gamma\alpha < 3\beta$ for $\lambda \ge \sqrt{r}\,e^{-\sqrt{r}/5}/3$ and $d > "
    r"r/\gamma^2 + r$.",
    role="corrected",
    corrects="nuclear-l2-ratio-printed",
    covers="ratio-repaired",
    relation=at_most(strict=True),
    closed_form=RATIO,
    legs=[
        leg("optimum", ratio_at_optimum, required=False),
        leg(
            "its equations",
            ratio_by_equations,
            relation=equals(),
            closed_form=sp.Integer(1),
            required=False,
            grid={"smoke": CELLS["grid"]["smoke"][:1]},
            tex="1",
            lhs=r"\frac\alpha\beta\Big/\frac{\mathbb E[g(M)z_k]}{\mathbb E[g(M)z_l]}",
        ),
        leg(
            "small sums",
            small_sum,
            relation=equals(),
            closed_form=SMALL_SUM,
            required=False,
            grid={"smoke": CELLS["grid"]["smoke"][:1]},
            lhs=r"\Pr[S\le\gamma]",
            tex=r"\frac{\gamma^r}{r!}",
        ),
        *SMALL_RATIO,
    ],
    rivals=[
        variant("the quotient of the means", simulation=ratio_of_means, leg="its equations"),
        variant("alpha/beta < 1/(2 gamma)", closed_form=2 * RATIO / 3, leg="optimum"),
        variant("without r!", closed_form=gamma**r, leg="small sums"),
        *SMALL_RATIO_RIVALS,
    ],
    **CELLS,
)

EDGES = {
    37: (NEAR_HALF, 189, Fraction(9280133, 10**13)),
    64: (Fraction(3754, 10**4), 519, Fraction(1834402, 10**14)),
    100: (Fraction(3004, 10**4), 1209, Fraction(2085554, 10**16)),
}
"""r -> gamma, d and the lambda at which alpha is said to be 1/sqrt(r)."""


def at_threshold(r, shift):
    """alpha sqrt(r) at ``shift`` times the lambda of the table. Shape ()."""
    bias, dimension, level = EDGES[r]
    return scaled_alpha(r, dimension, bias, level * shift)


def just_above(r):
    return at_threshold(r, Fraction(1001, 1000))


def just_below(r):
    return at_threshold(r, Fraction(999, 1000))


def far_above(r):
    return at_threshold(r, Fraction(2))


threshold = claim(
    "nuclear-true-threshold",
    lhs=r"\alpha(\lambda)\sqrt r",
    tex=r"1",
    states="nuclear-lambda-threshold",
    title=r"The $\lambda$ at which $\alpha=1/\sqrt r$",
    says=r"It is $9.280 \cdot 10^{-7}$, $1.834 \cdot 10^{-8}$ and $2.086 \cdot 10^{-10}$ at $r = "
    r"37, 64, 100$, within a thousandth: $\alpha\sqrt{r}$ passes 1 there.",
    covers="true-threshold",
    reads={"gamma": "r", "d": "r"},
    domain={r: choices(37, 64, 100)},
    grid={"smoke": {r: [37, 64, 100]}},
    relation=at_most(strict=True),
    closed_form=sp.Integer(1),
    legs=[
        leg("a thousandth above", just_above),
        leg("a thousandth below", just_below, relation=at_least(strict=True)),
    ],
    rivals=[
        variant("already at twice the lambda", simulation=far_above, leg="a thousandth below"),
        variant("not yet at this lambda", simulation=just_below, leg="a thousandth above"),
    ],
)


# ---- the shifted law


def accuracy(r, d, gamma, lam):
    """P_OOD[alpha S + beta T >= 0] at the optimum. Shape ()."""
    with ctx.workprec(BITS):
        return shifted_accuracy(*optimum(r, d - r, gamma, lam), r, d - r, gamma)


LIKE_R, LIKE_U = (sp.exp(sp.Rational(3, 8)) - 1) * 8 / 3, sp.exp(-3 * gamma**2 / 8)
"""What the means of exp(theta 3 z_j/(4 gamma)), j in R, and of exp(theta z_j), j in U, are at most, theta = gamma/2."""
MARKOV = LIKE_R**r * LIKE_U ** (d - r)


def mean_of_power(r, d, gamma, law=1):
    """E exp(theta X), X = 3 S/(4 gamma) + T, under the shifted law (``law`` 1) or that of training (-1), at one theta =
    gamma/2 for all coordinates. Shape ()."""
    with ctx.workprec(BITS):
        bias = number(gamma)
        theta = bias / 2
        on_R = mean_exp(-theta * 3 / (4 * bias))
        return on_R**r * signed(mean_exp, law * theta, bias) ** (d - r)


def mean_of_power_in_training(r, d, gamma):
    return mean_of_power(r, d, gamma, law=-1)


# Markov at theta = gamma/2: a = alpha/beta is at most 3/(4 gamma) (`ratio`), and theta 3/(4 gamma) = 3/8
BEYOND = formula_leg(
    "beyond 0",
    typed(
        "exp(gamma/2*(3/(4*gamma)*S + T)) >= 1",
        over=["gamma in (0, 1/2)", "a in (0, 3/(4*gamma)]", "S in [0, oo)", "T in R"],
        where="a*S + T >= 0",
    ),
)
ON_R = formula_leg(
    "mean on R",
    typed("Integral(exp(k*z), (z, 0, 1)) == (exp(k) - 1)/k", over="k in (0, 1]"),
)
ON_U = formula_leg(
    "mean on U",
    typed(
        "(1/2 - gamma)*Integral(exp(k*z), (z, 0, 1)) + (1/2 + gamma)*Integral(exp(k*z), (z, -1, 0))"
        " == ((1/2 - gamma)*(exp(k) - 1) + (1/2 + gamma)*(1 - exp(-k)))/k",
        over=["gamma in (0, 1/2)", "k in (0, 1]"],
    ),
)
ONE_ON_U = formula_leg(
    "mean on U at gamma/2",
    typed(
        f"(1/2 - gamma)*(exp(gamma/2) - 1) + (1/2 + gamma)*(1 - exp(-gamma/2)) <= gamma/2*{LIKE_U}",
        over="gamma in (0, 1/2)",
    ),
)
TENTH = sp.exp(-r / 10)
# c is the mean on U, n = d - r
TOGETHER = formula_leg(
    "all of them",
    typed(
        f"({LIKE_R})**r*c**n <= {TENTH}",
        over=[
            "r in 37..oo",
            "gamma in (3/sqrt(r), 1/2)",
            "n in (r/gamma**2, oo)",
            f"c in (0, {LIKE_U}]",
        ],
    ),
    over="lambda",
)
CHERNOFF = [BEYOND, ON_R, ON_U, ONE_ON_U, TOGETHER]

fails = claim(
    "nuclear-l2-shifted-accuracy",
    lhs=r"\Pr_{\mathrm{ood}}[\alpha S+\beta T\ge0]",
    tex=r"e^{-r/10}",
    states="nuclear-ood-gap",
    title="Weight decay under the shifted law",
    says="The optimum under weight decay is right with probability at most $e^{-r/10}$ for "
    r"$\lambda \ge \sqrt{r}\,e^{-\sqrt{r}/5}/3$.",
    covers="l2-ood-accuracy",
    reads={"d": "r n"},
    relation=at_most(),
    closed_form=TENTH,
    legs=[
        leg(
            "inversion",
            accuracy,
            gives="C_lambda",
            chosen_by=one_third,
            inside="z",
            required=False,
        ),
        leg(
            "mean of the power",
            mean_of_power,
            closed_form=MARKOV,
            required=False,
            lhs=r"\mathbb E_{\mathrm{ood}}\,e^{\frac\gamma2(\frac3{4\gamma}S+T)}",
            tex=r"\big(\tfrac83(e^{3/8}-1)\big)^r\,e^{-3(d-r)\gamma^2/8}",
        ),
        *CHERNOFF,
    ],
    assumes=[
        hypothesis(
            "d > r/gamma^2 + r",
            without=[{r: 37, d: 60, gamma: NEAR_HALF, lam: Fraction(601, 1000)}],
        )
    ],
    rivals=[
        variant("exp(-5 r/2)", closed_form=sp.exp(-sp.Rational(5, 2) * r), leg="inversion"),
        variant(
            "means of two powers, on U at 3 gamma",
            closed_form=LIKE_R**r * sp.exp(-5 * (d - r) * gamma**2 / 4),
            leg="mean of the power",
        ),
        variant("in training", simulation=mean_of_power_in_training, leg="mean of the power"),
        *reaching(BEYOND, "a >= 2/(3*gamma)", "S >= 9 and T <= -9"),
        *exactly(ON_R, ON_U, by="1/100"),
        *reaching(ON_R, "k >= 3/8"),
        *reaching(ON_U, "k >= 1/4"),
        *rivals_of(
            ONE_ON_U,
            {
                "three hundredths less near 1/2": {
                    "says": f"{ONE_ON_U.simulation.says}*(97/100)",
                    "over": "gamma in (9/20, 1/2)",
                }
            },
        ),
        *rivals_of(
            TOGETHER,
            {
                "a 25th at r = 37": {
                    "says": f"{TOGETHER.simulation.says}*(1/25)",
                    "over": [
                        "r in {37}",
                        "gamma in (249/500, 1/2)",
                        "n in (r/gamma**2, 160)",
                        "c in (0, exp(-3*gamma**2/8)]",
                    ],
                }
            },
        ),
        *reaching(TOGETHER, "n <= 11*r/(10*gamma**2) and c >= 9*exp(-3*gamma**2/8)/10"),
        *rivals_of(BEYOND, {"theta = 2 gamma": "exp(2*gamma*(3/(4*gamma)*S + T)) >= 2"}),
        *rivals_of(ON_R, {"without k": "Integral(exp(k*z), (z, 0, 1)) == exp(k) - 1"}),
        *rivals_of(
            ON_U,
            {
                "of the training law": "(1/2 + gamma)*Integral(exp(k*z), (z, 0, 1))"
                " + (1/2 - gamma)*Integral(exp(k*z), (z, -1, 0))"
                " == ((1/2 - gamma)*(exp(k) - 1) + (1/2 + gamma)*(1 - exp(-k)))/k"
            },
        ),
        *rivals_of(
            ONE_ON_U,
            {
                "exp(-gamma^2/2)": "(1/2 - gamma)*(exp(gamma/2) - 1) + (1/2 + gamma)*(1 - exp(-gamma/2))"
                " <= gamma/2*exp(-gamma**2/2)"
            },
        ),
        *rivals_of(TOGETHER, {"exp(-r/5)": "((exp(3/8) - 1)*8/3)**r*c**n <= exp(-r/5)"}),
    ],
    **CELLS,
)
