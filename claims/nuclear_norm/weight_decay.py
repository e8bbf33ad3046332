"""Lemma 6.1: size of the weight-decay optimum, printed without a condition on lambda, and with one.

Setting. w* = (alpha on R, beta on U) minimises L(w) + (lambda/2)|w|^2, 0 < beta < alpha; r >= 37, gamma in
(3/sqrt(r), 1/2).

Printed. alpha < 1/sqrt(r) and alpha/beta < 3/(4 gamma) for every lambda > 0. Both fail for small lambda. For any c
> 0 the vector c 1_R has risk at most ((1 - e^{-c})/c)^r + lambda r c^2/2, by ell(m) <= e^{-m}; with lambda = v
c^{-r-2}/r that is c^{-r} ((1 - e^{-c})^r + v/2). (1) If alpha < 1/sqrt(r), no margin exceeds d/sqrt(r), so that
the optimum has risk at least ell(d/sqrt(r)). (2) If alpha/beta < 3/(4 gamma), the margin is not positive where
every environmental coordinate is at most -3/4 and S <= gamma, so that the optimum has risk at least log(2) ((1/2 -
gamma)/4)^(d-r) gamma^r/r!. Each is compared with c 1_R: as printed it would have to be the smaller for all lambda
and c.

Corrected. For n = d - r > r/gamma^2 and lambda >= sqrt(r) exp(-sqrt(r)/5)/3: (3) (E.31), lambda alpha <= 1/(2(1 +
exp(alpha (r-1)/4))) + exp(-(r-1)/8)/4 + exp(-n gamma^2/2)/2. With g = -ell' and S' the sum without the coordinate,
g(alpha S + beta T) is at most 1/(1 + exp(alpha (r-1)/4)) where S' >= (r-1)/4 and T >= 0, at most 1/2 where only T
>= 0, at most 1 elsewhere; the coordinate has mean 1/2, and Lemma E.4 bounds the probabilities. (4) At alpha >=
1/sqrt(r) the left side is at least exp(-sqrt(r)/5)/3 and the right side, falling in alpha and n, is less (s =
sqrt(r) >= 6). (5) Then the ratio bound follows from the repaired quotient, whose constants are E[(b - a)_+ a] =
1/24, E[(a + b) b] = 7/12, E[(b - a)_+ b] = 1/8.

The claims below hold the inequalities for the whole domain; putting them together is the argument above, which no
program follows, and they say so as proxies.

Reference: Lemma 6.1, E.5 and E.6, lines 1803 and 9116-9228.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, typed, variant

from .lambda_threshold import FIRST, SECOND, TERMS, THIRD
from .ratio_chain import LONG, SHORT, SUM, quotient

EVERY = [
    "r in 37..oo",
    "gamma in (3/sqrt(r), 1/2)",
    "d in r + 1..oo",
    "c in (0, oo)",
    "v in (0, oo)",
]
"""v stands for lambda: lambda = v c^(-r-2)/r."""
BEATEN_BY = "c**(-r)*((1 - exp(-c))**r + v/2)"

small_printed = formula(
    "nuclear-l2-alpha-printed",
    states="nuclear-erm-l2-optimum",
    title=r"$\alpha<1/\sqrt r$ for every $\lambda$",
    says=f"log(1 + exp(-d/sqrt(r))) <= {BEATEN_BY}",
    over=EVERY,
    expect="fail",
    covers="alpha-small",
    reads={"lambda": "v c"},
)

FAR = "(1/2 - gamma)/4"
"""The probability that an environmental coordinate is at most -3/4, see `ratio_corrected`."""

ratio_printed = formula(
    "nuclear-l2-ratio-printed",
    states="nuclear-erm-l2-optimum",
    title=r"$\alpha/\beta < 3/(4\gamma)$ for every $\lambda$",
    says=f"log(2)*({FAR})**(d - r)*(gamma*c)**r/factorial(r) <= (1 - exp(-c))**r + v/2",
    over=EVERY,
    expect="fail",
    covers="ratio",
    reads={"lambda": "v c"},
)

POSITIVE = ["alpha in (0, oo)", "beta in (0, oo)", "S in [0, oo)"]

three_terms = claim(
    "nuclear-e31",
    states="nuclear-lambda-threshold",
    title="The three terms of (E.31)",
    says=r"$1/(1 + e^{\alpha S + \beta T})$ is at most $1/(1 + e^{\alpha h})$ for $S \ge h$, $T "
    r"\ge 0$, at most 1/2 for $S, T \ge 0$, and at most 1 always.",
    encodes="proxy",
    covers="e31",
    legs=[
        formula_leg(
            "both large",
            typed(
                "1/(1 + exp(alpha*(h + S) + beta*T)) <= 1/(1 + exp(alpha*h))",
                over=[*POSITIVE, "h in [0, oo)", "T in [0, oo)"],
            ),
            over="r d gamma lambda",
        ),
        formula_leg(
            "T not negative",
            typed("1/(1 + exp(alpha*S + beta*T)) <= 1/2", over=[*POSITIVE, "T in [0, oo)"]),
        ),
        formula_leg("always", typed("1/(1 + exp(m)) <= 1", over="m in (-oo, oo)")),
    ],
    rivals=[
        variant(
            "1/16 for 1/2",
            leg="both large",
            simulation=typed(
                "1/(1 + exp(alpha*(h + S) + beta*T)) <= 1/(8*(1 + exp(alpha*h)))",
                over=[*POSITIVE, "h in [0, oo)", "T in [0, oo)"],
            ),
        ),
        variant(
            "9/10 always",
            leg="always",
            simulation=typed("1/(1 + exp(m)) <= 9/10", over="m in (-oo, oo)"),
        ),
        variant(
            "1/2 whatever T",
            leg="T not negative",
            simulation=typed(
                "1/(1 + exp(alpha*S + beta*T)) <= 1/2", over=[*POSITIVE, "T in (-oo, oo)"]
            ),
        ),
    ],
)


def one_third():
    """C = 1/3."""


small_corrected = claim(
    "nuclear-l2-alpha-corrected",
    states="nuclear-erm-l2-optimum",
    title=r"$\alpha<1/\sqrt r$ for $\lambda\ge\sqrt r\,e^{-\sqrt r/5}/3$",
    says=r"At $\alpha = 1/s$, $s = \sqrt{r} \ge 6$, the right side of (E.31) is less than "
    r"$e^{-s/5}/3$, and it falls in $\alpha$.",
    role="corrected",
    corrects="nuclear-l2-alpha-printed",
    encodes="proxy",
    covers="alpha-small-repaired",
    reads={"r": "s"},
    legs=[
        formula_leg(
            "s up to 40",
            typed(f"exp(-s/5)/3 > {TERMS}", over="s in [6, 40]", seconds=20),
            gives="C",
            chosen_by=one_third,
            over="gamma d lambda",
        ),
        formula_leg("first term from 40", typed(f"{FIRST} < exp(-s/5)/6", over="s in [40, oo)")),
        formula_leg("second term from 40", typed(f"{SECOND} < exp(-s/5)/12", over="s in [40, oo)")),
        formula_leg("third term from 40", typed(f"{THIRD} < exp(-s/5)/12", over="s in [40, oo)")),
        formula_leg(
            "falling in alpha",
            typed(
                "1/(1 + exp((a + b)*(s**2 - 1)/4)) < 1/(1 + exp(a*(s**2 - 1)/4))",
                over=["s in [6, oo)", "a in (0, oo)", "b in (0, oo)"],
            ),
        ),
    ],
    rivals=[
        variant(
            "C = 0.322",
            leg="s up to 40",
            simulation=typed(f"161*exp(-s/5)/500 > {TERMS}", over="s in [sqrt(37), 40]"),
        ),
        variant(
            "first term, rate 1/3",
            leg="first term from 40",
            simulation=typed("1/(2*(1 + exp((s - 1/s)/4))) < exp(-s/3)/6", over="s in [40, oo)"),
        ),
        variant(
            "second term from 1",
            leg="second term from 40",
            simulation=typed("exp(-(s**2 - 1)/8)/4 < exp(-s/5)/12", over="s in [1, oo)"),
        ),
        variant(
            "third term from 1",
            leg="third term from 40",
            simulation=typed("exp(-s**2/2)/2 < exp(-s/5)/12", over="s in [1, oo)"),
        ),
        variant(
            "falling from s = 1 on",
            leg="falling in alpha",
            simulation=typed(
                "1/(1 + exp((a + b)*(s**2 - 1)/4)) < 1/(1 + exp(a*(s**2 - 1)/4))",
                over=["s in [1, oo)", "a in (0, oo)", "b in (0, oo)"],
            ),
        ),
        variant(
            "rate 1/4",
            leg="s up to 40",
            simulation=typed(f"exp(-s/4)/3 > {TERMS}", over="s in [6, 40]"),
        ),
    ],
)

QUOTIENT = quotient("(t*gamma/3)")

ratio_corrected = claim(
    "nuclear-l2-ratio-corrected",
    states="nuclear-erm-l2-optimum",
    title=r"$\alpha/\beta<3/(4\gamma)$ for $\alpha<1/\sqrt r<\gamma/3$",
    says=r"The quotient of the repaired bounds is below $3/(4\gamma)$ for $\alpha = t\gamma/3$, "
    "$0 < t < 1$.",
    role="corrected",
    corrects="nuclear-l2-ratio-printed",
    encodes="proxy",
    covers="ratio-repaired",
    legs=[
        formula_leg(
            "quotient",
            typed(f"{QUOTIENT} < 3/(4*gamma)", over=["t in (0, 1)", "gamma in (0, 1/2)"]),
            over="r d lambda",
        ),
        formula_leg(
            "E (b - a)_+ a",
            typed(
                f"Integral(Integral((b - a)*a, (a, 0, b)), (b, 0, k)) == {SHORT}*k**4",
                over=["k in (0, 1]", "gamma in (0, 1/2)"],
            ),
        ),
        formula_leg(
            "E (b - a)_+ b",
            typed(
                f"Integral(Integral((b - a)*b, (a, 0, b)), (b, 0, k)) == {LONG}*k**4",
                over=["k in (0, 1]", "gamma in (0, 1/2)"],
            ),
        ),
        formula_leg(
            "E (a + b) b",
            typed(
                f"Integral(Integral((a + b)*b, (a, 0, k)), (b, 0, k)) == {SUM}*k**4",
                over=["k in (0, 1]", "gamma in (0, 1/2)"],
            ),
        ),
        formula_leg(
            "exponential",
            typed("exp(x) - 1 <= x*(1 + x)", over=["x in [0, 1]", "gamma in (0, 1/2)"]),
        ),
        formula_leg(
            "at most -3/4",
            typed(f"Integral(1/2 - gamma, (x, -1, -3/4)) == {FAR}", over="gamma in (0, 1/2)"),
        ),
    ],
    rivals=[
        variant(
            "at most -1/2",
            leg="at most -3/4",
            simulation=typed(
                f"Integral(1/2 - gamma, (x, -1, -1/2)) == {FAR}", over="gamma in (0, 1/2)"
            ),
        ),
        variant(
            "1/(2 gamma)",
            leg="quotient",
            simulation=typed(
                f"{QUOTIENT} < 1/(2*gamma)", over=["t in (0, 1)", "gamma in (0, 1/2)"]
            ),
        ),
        variant(
            "1/6 for 1/8",
            leg="E (b - a)_+ b",
            simulation=typed(
                "Integral(Integral((b - a)*b, (a, 0, b)), (b, 0, k)) == k**4/6",
                over=["k in (0, 1]", "gamma in (0, 1/2)"],
            ),
        ),
        variant(
            "1/12 for 1/24",
            leg="E (b - a)_+ a",
            simulation=typed(
                "Integral(Integral((b - a)*a, (a, 0, b)), (b, 0, k)) == k**4/12",
                over=["k in (0, 1]", "gamma in (0, 1/2)"],
            ),
        ),
        variant(
            "5/12 for 7/12",
            leg="E (a + b) b",
            simulation=typed(
                "Integral(Integral((a + b)*b, (a, 0, k)), (b, 0, k)) == 5*k**4/12",
                over=["k in (0, 1]", "gamma in (0, 1/2)"],
            ),
        ),
        variant(
            "x(1 + x/2)",
            leg="exponential",
            simulation=typed(
                "exp(x) - 1 <= x*(1 + x/2)", over=["x in [0, 1]", "gamma in (0, 1/2)"]
            ),
        ),
        variant(
            "up to alpha = gamma",
            leg="quotient",
            simulation=typed(
                f"{QUOTIENT} < 3/(4*gamma)", over=["t in (0, 3)", "gamma in (0, 1/2)"]
            ),
        ),
    ],
)
