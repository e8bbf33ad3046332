r"""A lucky coordinate against its bias (proofs of Induction Hypothesis D.1 (a) and of Theorem D.5).

Setting. While the coordinate alpha is above b, logits are uniform and the noise stays below the gate, a step of size
eta is alpha <- alpha + eta (q (alpha - b) - lambda alpha), b <- b (1 + eta k): k is kappa/d, with kappa = 1 in the
source.

Statements. (1) alpha_t = (a - c) (1 + eta (q - lambda))^t + c (1 + eta k)^t with c = q b/(q - lambda - k). (2) For q
> lambda + k the ratio is alpha_t/b_t = rho + (a/b - rho) g^t, rho = q/(q - lambda - k), g = (1 + eta (q - lambda))/(1
+ eta k) > 1: it grows without bound from above rho, stays at rho, and falls from below rho to 1 within (rho -
1)/((rho - a/b) (g - 1)) steps, since g^t >= 1 + t (g - 1). (3) For q <= lambda + k every step takes eta q/(1 + eta k)
off it at least. (4) The proof of Theorem D.5 prints alpha <- (alpha - b) (1 + eta q) up to O(eta alpha/(d polylog
d)): false, it is short of the step above (lambda = 0) by b, which is no multiple of eta. The proof of the induction
hypothesis has the same expression as a lower bound.

Reference: lines 968-991 and 1140-1162.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

q, lam, k, eta, a0, b0 = sp.symbols("q lam k eta a0 b0", positive=True)
t = sp.Symbol("t", integer=True, nonnegative=True)
margin = sp.Symbol("margin", positive=True)

POSITIVE = {x: reals(0, low_open=True) for x in (q, lam, k, eta, a0, b0)}
CENTRE = q * b0 / (q - lam - k)
SOLUTION = (a0 - CENTRE) * (1 + eta * (q - lam)) ** t + CENTRE * (1 + eta * k) ** t


def race(q, lam, k, eta, a0, b0, t):
    """alpha after t steps, b growing beside it. Shape ()."""
    a, b = Fraction(a0), Fraction(b0)
    for _ in range(t):
        a, b = a + eta * (q * (a - b) - lam * a), b * (1 + eta * k)
    return a


def frozen_bias(q, lam, k, eta, a0, b0, t):
    return race(q, lam, 0, eta, a0, b0, t)


C = "(q*b/(q - lam - k))"
RATES = ["eta in (0, oo)", "q in (0, oo)", "lam in [0, oo)", "k in [0, oo)"]
# from t - 1 to t, and at t = 0
STEP = formula_leg(
    "step",
    typed(
        f"{SOLUTION} == ({SOLUTION.subs(t, t - 1)})*(1 + eta*(q - lam)) - eta*q*b0*(1 + eta*k)**(t - 1)",
        over=[*RATES, "b0 in (0, oo)", "a0 in (0, oo)", "t in 1..oo"],
        where="q != lam + k",
    ),
    over="params",
    where=t >= 1,
)
BEGIN = formula_leg(
    "start",
    typed(
        f"(a0 - {CENTRE}) + {CENTRE} == a0",
        over=[*RATES, "b0 in (0, oo)", "a0 in (0, oo)"],
        where="q != lam + k",
    ),
    over="t params",
)

solution = claim(
    "decoupling-race-solution",
    lhs=r"\alpha_t",
    states="decoupling-bias-race",
    title="The race in closed form",
    says=r"$\alpha_t=(a_0-c)(1+\eta(q-\lambda))^t+c(1+\eta k)^t$ with $c=\frac{qb_0}{q-\lambda-k}$.",
    role="derived",
    covers="solution",
    domain={**POSITIVE, t: integers(0)},
    where=sp.Ne(q, lam + k),
    grid={
        "smoke": [
            {
                q: Fraction(1, 10),
                lam: Fraction(1, 200),
                k: Fraction(1, 40),
                eta: Fraction(1, 4),
                a0: m,
                b0: 1,
                t: n,
            }
            for m in (Fraction(3, 2), Fraction(5, 4))
            for n in (0, 1, 2, 7)
        ],
        "standard": [
            {
                q: Fraction(1, 10),
                lam: Fraction(1, 200),
                k: r,
                eta: Fraction(1, 4),
                a0: Fraction(3, 2),
                b0: h,
                t: 20,
            }
            for r in (Fraction(1, 40), Fraction(1, 5))
            for h in (1, Fraction(2, 3))
        ],
    },
    closed_form=SOLUTION,
    legs=[leg("iterated", race, where=t <= 200, required=False), STEP, BEGIN],
    rivals=[
        variant("the bias stays", simulation=frozen_bias, leg="iterated"),
        variant(
            "without lambda in c",
            closed_form=SOLUTION.subs(CENTRE, q * b0 / (q - k)),
            leg="iterated",
        ),
        *rivals_of(
            STEP,
            {
                "growth of alpha, not of alpha - b": f"{SOLUTION} == ({SOLUTION.subs(t, t - 1)})*(1 + eta*(q - lam))",
            },
        ),
        *rivals_of(BEGIN, {"at the centre": f"(a0 - {CENTRE}) + {CENTRE} == b0"}),
    ],
)

RATIO = formula_leg(
    "ratio",
    typed(
        f"((a - {C})*X + {C}*Y)/(b*Y) == q/(q - lam - k) + (a/b - q/(q - lam - k))*(X/Y)",
        over=[*RATES, "b in (0, oo)", "a in R", "X in (0, oo)", "Y in (0, oo)"],
        where="q > lam + k",
    ),
    over="t",
)
GROWS = formula_leg(
    "g > 1", typed("(1 + eta*(q - lam))/(1 + eta*k) > 1", over=RATES, where="q > lam + k"), over="t"
)
POWERS = formula_leg(
    "powers of g", typed("g**t >= 1 + t*(g - 1)", over=["g in [1, oo)", "t in 0..oo"]), over="q"
)
# the times are written out: where there is none, as at m = r, neither statement has a value
CROSSES = formula_leg(
    "crosses",
    typed(
        "r - (r - m)*(1 + ((r - 1)/((r - m)*(g - 1)) + t)*(g - 1)) <= 1",
        over=["r in (1, oo)", "m in (1, r)", "g in (1, oo)", "t in [0, oo)"],
    ),
    over="q",
)
ESCAPES = formula_leg(
    "escapes",
    typed(
        "r + (m - r)*(1 + ((K - r)/((m - r)*(g - 1)) + t)*(g - 1)) >= K",
        over=["r in (1, oo)", "m in (r, oo)", "g in (1, oo)", "K in R", "t in [0, oo)"],
    ),
    over="q",
)


def fate(q, lam, k, eta, margin):
    """1 if the ratio comes to twice its start, -1 if it comes down to 1, 0 if a step leaves it as it is: then every
    step does, since the next ratio is a function of the last. Shape ()."""
    a, b = Fraction(margin), Fraction(1)
    while b < a < 2 * margin * b:
        a, b = a + eta * (q * (a - b) - lam * a), b * (1 + eta * k)
        if a == margin * b:
            return 0
    return 1 if a > b else -1


def fate_without_growth(q, lam, k, eta, margin):
    return fate(q, lam, 0, eta, margin)


RHO = q / (q - lam - k)


RACE = {
    "domain": {
        q: reals(0, low_open=True),
        lam: reals(0, low_open=True),
        k: reals(0, low_open=True),
        eta: reals(0, low_open=True),
        margin: reals(1, low_open=True),
    },
    "grid": {
        "smoke": [
            {
                q: Fraction(1, 10),
                lam: Fraction(1, 200),
                k: Fraction(1, 40),
                eta: 1,
                margin: Fraction(m, 20),
            }
            for m in (21, 28, 29, 36, 50)
        ]
    },
}

threshold = claim(
    "decoupling-race-threshold",
    lhs=r"\mathbf 1\{\alpha_t/b_t\to\infty\}-\mathbf 1\{\exists t:\alpha_t\le b_t\}",
    tex=r"\operatorname{sign}\big(\tfrac{a_0}{b_0}-\tfrac q{q-\lambda-k}\big)",
    states="decoupling-bias-race",
    title="The margin that wins the race",
    says=r"For $q>\lambda+k$, $\alpha_t/b_t\to\infty$ iff $a_0/b_0>\frac q{q-\lambda-k}$; below, $\alpha_t$ comes down "
    r"to $b_t$ in finite time, and at equality the ratio is constant.",
    role="derived",
    covers="threshold",
    reads={"a0_over_b0": "margin"},
    where=q > lam + k,
    closed_form=sp.Piecewise((1, margin > RHO), (-1, margin < RHO), (0, True)),
    legs=[
        leg(
            "raced",
            fate,
            required=False,
            where=(sp.Abs(margin - RHO) > sp.Rational(1, 100))
            & (eta * q > sp.Rational(1, 100))
            & (eta * (q - lam - k) > sp.Rational(1, 100))
            & (eta < 10),
        ),
        leg(
            "on the border",
            fate,
            required=False,
            unit=1,
            where=sp.Eq(margin, RHO),
            grid={
                "smoke": [
                    {
                        q: Fraction(1, 10),
                        lam: Fraction(1, 200),
                        k: Fraction(1, 40),
                        eta: 1,
                        margin: Fraction(10, 7),
                    }
                ]
            },
        ),
        RATIO,
        GROWS,
        POWERS,
        CROSSES,
        ESCAPES,
    ],
    rivals=[
        variant(
            "without the growth of the bias",
            closed_form=sp.Piecewise((1, margin > q / (q - lam)), (-1, True)),
            leg="raced",
        ),
        variant("every margin above 1", closed_form=sp.Integer(1), leg="raced"),
        variant("no growth of the bias in the race", simulation=fate_without_growth, leg="raced"),
        variant(
            "no growth of the bias on the border",
            simulation=fate_without_growth,
            leg="on the border",
        ),
        *rivals_of(GROWS, {"q below lam + k": {"where": "q < lam + k"}}),
        *rivals_of(
            RATIO,
            {
                "rho = q/(q - lam)": f"((a - {C})*X + {C}*Y)/(b*Y) == q/(q - lam) + (a/b - q/(q - lam))*(X/Y)"
            },
        ),
        *rivals_of(
            CROSSES,
            {"half the time": "r - (r - m)*(1 + ((r - 1)/(2*(r - m)*(g - 1)) + t)*(g - 1)) <= 1"},
        ),
        *rivals_of(
            ESCAPES,
            {
                "from below as well": {
                    "over": [
                        "r in (1, oo)",
                        "m in (1, r)",
                        "g in (1, oo)",
                        "K in R",
                        "t in [0, oo)",
                    ]
                }
            },
        ),
        *rivals_of(POWERS, {"2 t (g - 1)": "g**t >= 1 + 2*t*(g - 1)"}),
    ],
    **RACE,
)

FALLS = formula_leg(
    "falls",
    typed(
        "(r*(1 + eta*(q - lam)) - eta*q)/(1 + eta*k) - r <= -eta*q/(1 + eta*k)",
        over=["r in [0, oo)", *RATES],
        where="q <= lam + k",
    ),
    over="t",
)
SUMMED = formula_leg(
    "steps",
    typed("m - t*x <= 1", over=["m in (1, oo)", "x in (0, oo)", "t in R"], where="t >= (m - 1)/x"),
)


def steps_to_the_bias(q, lam, k, eta, margin):
    """Steps until the coordinate is at most its bias. Shape ()."""
    a, b, steps = Fraction(margin), Fraction(1), 0
    while a > b:
        a, b, steps = a + eta * (q * (a - b) - lam * a), b * (1 + eta * k), steps + 1
    return steps


def a_lost_race(rng):
    """q <= lambda + k."""
    q = Fraction(1, int(rng.integers(2, 9)))
    share = Fraction(int(rng.integers(0, 5)), 4)
    return {
        "q": q,
        "lam": share * q,
        "k": (1 - share) * q + Fraction(int(rng.integers(0, 2)), 10),
        "eta": Fraction(1, int(rng.integers(1, 9))),
        "margin": 1 + Fraction(int(rng.integers(1, 40)), 8),
    }


def stated_steps(q, lam, k, eta, margin, part=1):
    """(a0/b0 - 1)(1 + eta k)/(eta q), rounded up. Shape ()."""
    return -(-(margin - 1) * (1 + eta * k) // (part * eta * q))


def a_third_of_the_steps(q, lam, k, eta, margin):
    return stated_steps(q, lam, k, eta, margin, part=3)


nobody = claim(
    "decoupling-race-no-survivor",
    lhs=r"\min\{t:\alpha_t\le b_t\}",
    tex=r"\Big\lceil\frac{(a_0/b_0-1)(1+\eta k)}{\eta q}\Big\rceil",
    states="decoupling-bias-race",
    title="When no margin wins",
    says=r"For $q\le\lambda+k$ the ratio comes down to 1 within $\frac{(a_0/b_0-1)(1+\eta k)}{\eta q}$ "
    r"steps from every "
    "start.",
    role="derived",
    covers="no-survivor",
    reads={"a0_over_b0": "m"},
    domain={},
    grid={"smoke": [{}]},
    legs=[
        leg(
            "raced",
            steps_to_the_bias,
            reference=stated_steps,
            relation=at_most(),
            required=False,
            gives="t",
            instances=instances(a_lost_race, "q lam k eta margin", smoke=6, standard=12),
        ),
        FALLS,
        SUMMED,
    ],
    rivals=[
        variant("a third of the steps", reference=a_third_of_the_steps, leg="raced"),
        *rivals_of(FALLS, {"q above lam + k": {"where": "q > lam + k"}}),
        *rivals_of(SUMMED, {"half the steps": {"where": "t >= (m - 1)/(2*x)"}}),
    ],
)

# the printed error term is a vanishing share of eta a
PRINTED = "abs((a + eta*q*(a - b)) - (a - b)*(1 + eta*q)) <= eta*a"
NEAR = ["q in (0, 1)", "eta in (0, 1/10)", "b in (0, oo)", "a in (b, 2*b]"]

step_printed = formula(
    "decoupling-race-printed",
    states="decoupling-stage2-theorem",
    title="The growth step as printed",
    covers="printed-recursion",
    reads={"t": "a", "alpha0_over_b0": "a b"},
    expect="fail",
    says=PRINTED,
    over=NEAR,
)

step_right = formula(
    "decoupling-race-step",
    states="decoupling-stage2-theorem",
    title="The growth step",
    role="corrected",
    corrects="decoupling-race-printed",
    covers="printed-recursion",
    reads={"t": "a", "alpha0_over_b0": "a b"},
    says="(a + eta*q*(a - b)) - (a - b)*(1 + eta*q) == b",
    over=["q in (0, 1)", "eta > 0", "b > 0", "a > b"],
    rivals={"eta q b": "(a + eta*q*(a - b)) - (a - b)*(1 + eta*q) == eta*q*b"},
)
