r"""Lemmas A.17 and A.18: read-outs, weights and biases after two steps of the schedule, with explicit constants.

Setting. eta_1 = gamma^2 sigma~/(k m^3), eta_2 = 1, decays 1/2 of weights and read-outs in the second step, s =
k^(-3/2), |a| <= sqrt(2 L) sigma~^2/(gamma k^2), L = ln(D m/(delta gamma)) <= h = sqrt(k), p >= k^2/D, m >= max(k^4, D,
2), so sigma~^2 <= m/4. A typical initialisation has probability 1 - delta. a2 = T_a, w2 = a1 sum_j M_j T_j, b2 = b1 +
a1 T_b; T by structured-second-step-relevant and its neighbours, bad inputs by structured-step1-output-cap.

Statements. (1) |a2| <= e^-k + (3/4) eta_1 sigma~/gamma <= (27/20)/(k m^2), as e^(2 h - k) k <= 5. (2) eps_e2/gamma <=
4 m^(-5/2), e^-k/gamma <= 1/m; |T_j| <= 3 gamma/sigma~ on A, the T_j off A have norm at most 2 gamma/sigma~, |a1| <= 2
sqrt(2 L) sigma~^2/(gamma k^2): |w2| <= 11 sigma~/k. (3) |b2 - b0| <= 4/(k^2 m). (4) So all biases are at most C/k^2
with probability at most (1 - 2 Q(C + 4))^m <= exp(-2 M), M = m Q(C + 4), and no constant C serves: it is below 1/50
from M = 2 on, k large enough for the hypotheses. |b2| <= (sqrt(2 ln(2 m/delta)) + 4)/k^2 for all neurons at once. (5)
In the third stage |a^(t)| <= eta t + (27/20)/(k m^2), |w^(t) - w2| <= 22 t eta lambda sigma~/k + eta^2 t^2 + (27/20)
t/(k m^2).

Reference: Lemma A.17, lines 3587-3697; Lemma A.18, lines 3705-3759; Lemma A.43, lines 5210-5218.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import claim, formula_leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from ._first_step import covariance, generic
from ._second_step import first_read_out, lead, second_step, variance
from .second_step_bounds import (
    background_bound,
    bias_bound,
    read_out_bound,
    relevant_bound,
)

GOOD, DRIFT = "structured-good-features-two-steps", "structured-first-layer-drift"
FIELDS = "law own rest b p s eta a"


def after_two(law, own, rest, b, p, s, eta, a, kept=0):
    """|a2|, sigma~ |w2|, |b2 - b1|. Shape (3,)."""
    with ctx.workprec(BITS):
        on, off, T_b, T_a = second_step(law, own, rest, b, p, s, eta, a)
        a1 = number(a) + number(eta) * first_read_out(law, own, rest, b, p, s)
        squares = sum((t * t for t in on), arb(0))
        squares += sum((c * t * t for t, (_, c) in zip(off, rest, strict=True)), arb(0))
        return [abs(kept * a1 + T_a), abs(a1) * squares.sqrt(), abs(a1 * T_b)]


def read_outs_kept(law, own, rest, b, p, s, eta, a):
    """Without the decay of the read-outs."""
    return after_two(law, own, rest, b, p, s, eta, a, kept=1)


def after_two_bound(law, own, rest, b, p, s, eta, a, share=1):
    """The bounds on T put together. Shape (3,)."""
    with ctx.workprec(BITS):
        given = (law, own, rest, b, p, s, eta, a)
        a1 = number(abs(a)) + number(eta) * abs(first_read_out(law, own, rest, b, p, s))
        middle = lead(law, b, s)
        squares = sum(((middle + e) * (middle + e) for e in relevant_bound(*given)), arb(0))
        rows = zip(background_bound(*given), rest, strict=True)
        squares += sum((c * e * e for e, (_, c) in rows), arb(0))
        return [
            share * read_out_bound(*given)[0],
            share * a1 * squares.sqrt(),
            share * a1 * bias_bound(*given)[0],
        ]


def third_of_the_bounds(law, own, rest, b, p, s, eta, a):
    return after_two_bound(law, own, rest, b, p, s, eta, a, share=number(Fraction(1, 3)))


def scheduled(rng):
    """A member with its schedule: m between 4 and 40, a read-out of up to two deviations."""
    found = generic(rng)
    law, k, m = found["law"], len(found["own"]), int(rng.integers(4, 41))
    size, gamma = variance(law, found["rest"], found["p"]), covariance(law)
    root = Fraction(int(10**6 * float(size) ** 0.5), 10**6)
    unit = size / (gamma * k * k)
    return {
        **found,
        "s": Fraction(int(rng.integers(1, 4)), 8),
        "eta": gamma * gamma * root / (k * m**3),
        "a": unit * Fraction(int(rng.signs()) * int(rng.integers(1, 9)), 4),
    }


def in_the_middle(rng):
    """One relevant pattern in the middle of (0, 1), where sigma is linear: T_a is as large as its bound."""
    return {
        "law": [((0,), -1, Fraction(1, 2)), ((1,), 1, Fraction(1, 2))],
        "own": [Fraction(1, 10)],
        "rest": [(Fraction(1, 20), 3)],
        "b": Fraction(1, 2),
        "p": Fraction(1, 2),
        "s": Fraction(1, 16),
        "eta": Fraction(1, 64),
        "a": Fraction(1),
    }


def compared(name, draw, *counts):
    return bounded(FIELDS, name, after_two, after_two_bound, draw, *counts)


RUN = [
    compared("two steps of the schedule", scheduled, 3, 8),
    compared("in the middle", in_the_middle),
]
WRONG = [
    variant("a third", reference=third_of_the_bounds, leg="in the middle"),
    variant("read-outs kept", simulation=read_outs_kept, leg="in the middle"),
]
LAW = "law init"
READS = {"law": "law p s", "init": "own rest b a"}


def step(name, statement, over, wrong, names=LAW, gives=()):
    """A proved inequality and the stronger one that is false."""
    made = formula_leg(name, typed(statement, over=over), over=names, gives=gives)
    return made, rivals_of(made, wrong)


def typical(names):
    statement = "m*2*Q(sqrt(2*log(2*m/delta))) <= {c}*delta"
    over = ["m in 1..oo", "delta in (0, 1)"]
    return step(
        "typical set",
        statement.format(c="1"),
        over,
        {"half of delta/m": statement.format(c="(1/(8*m))")},
        names,
    )


A_TYPICAL, A_TYPICAL_WRONG = typical(LAW)
A_STEP = "(3/4)*g*V2/(k*m**3) <= {c}/(k*m**2)"
A_OVER = ["g in (0, 1/2]", "m in [1, oo)", "V2 in (0, m/4]", "k in 1..oo"]
A_SIZE, A_SIZE_WRONG = step(
    "the step", A_STEP.format(c="(1/10)"), A_OVER, {"1/12": A_STEP.format(c="(1/12)")}, LAW, "C"
)
A_BAD = "h**2*exp(2*h - h**2) <= {c}"
A_RARE, A_RARE_WRONG = step(
    "bad inputs", A_BAD.format(c=5), "h in [1, oo)", {"constant 4": A_BAD.format(c=4)}
)
A_SUM, A_SUM_WRONG = step(
    "both",
    "exp(-h**2)*h**2*m**2 <= (1/4)*h**2*exp(2*h - h**2)",
    ["h in [1, oo)", "m in (0, exp(h)/2]"],
    {"an eighth": "exp(-h**2)*h**2*m**2 <= (1/8)*h**2*exp(2*h - h**2)"},
)
read_outs = claim(
    "structured-two-step-readout-size",
    lhs=r"(|a^{(2)}|,\tilde\sigma|w^{(2)}|,|b^{(2)}-b^{(1)}|)",
    tex=r"\text{bounds of }T_a,\ |a^{(1)}||T|,\ |a^{(1)}T_b|",
    states=GOOD,
    role="reading",
    title="Read-outs after two steps",
    says=r"Where Lemma A.13 holds, $|a^{(2)}|\le\frac{27}{20}/(km^2)$ for all neurons, with probability "
    r"$1-\delta$ over "
    "the initialisation.",
    covers="a2-small",
    reads=READS,
    **ONE_POINT,
    legs=[*RUN, A_TYPICAL, A_SIZE, A_RARE, A_SUM],
    rivals=[*WRONG, *A_TYPICAL_WRONG, *A_SIZE_WRONG, *A_RARE_WRONG, *A_SUM_WRONG],
)

EVERY = "law init i"
W_TYPICAL, W_TYPICAL_WRONG = typical(EVERY)
W_BAD, W_BAD_WRONG = step(
    "bad inputs",
    "exp(h - h**2)/m <= 1/m",
    ["h in [1, oo)", "m in [2, oo)"],
    {"half": "exp(h - h**2)/m <= 1/(2*m)"},
    EVERY,
)
MAIN = "sqrt(2)*x*(1/2 + 4*x)/(2*q**2) <= {c}"
W_MAIN, W_MAIN_WRONG = step(
    "eps_e2/gamma",
    MAIN.format(c=4),
    ["q in [1, oo)", "x in [0, q]"],
    {"constant 3": MAIN.format(c=3)},
    EVERY,
)
SPREAD = "5*g*V2*sqrt(k)/m**3 <= {c}"
W_SPREAD, W_SPREAD_WRONG = step(
    "background's deviation",
    SPREAD.format(c="5/8"),
    ["g in (0, 1/2]", "k in 1..oo", "m in [k**4, oo)", "V2 in (0, m/4]"],
    {"1/2": SPREAD.format(c="1/2")},
    EVERY,
)
BIAS = "(61/100)*4*sqrt(2)*L*V**3/(k**(3/2)*m**3) <= {c}"
W_BIAS, W_BIAS_WRONG = step(
    "the bias's move",
    BIAS.format(c="9/20"),
    ["k in 1..oo", "L in [0, sqrt(k)]", "m in [1, oo)", "V in (0, sqrt(m)/2]"],
    {"2/5": BIAS.format(c="2/5")},
    EVERY,
)
OFF = "sqrt(m)*(1/m + (61/50)*(1/4)*4/m**(5/2)) <= {c}"
W_OFF, W_OFF_WRONG = step(
    "off A", OFF.format(c=2), "m in [2, oo)", {"constant 1": OFF.format(c=1)}, EVERY
)
ON = "1 + 1/m + (31/100)*4/m**(5/2) + 5/8 + 9/20 <= {c}"
W_ON, W_ON_WRONG = step(
    "on A", ON.format(c=3), "m in [2, oo)", {"constant 2": ON.format(c=2)}, EVERY
)
KEPT = "g**3/(m**3*V) <= {c}"
W_KEPT, W_KEPT_WRONG = step(
    "read-outs of the first step",
    KEPT.format(c=1),
    ["g in (0, 1/2]", "m in [1, oo)", "V in [1/2, oo)"],
    {"a fifth": KEPT.format(c="1/5")},
    EVERY,
)
NORM = "2*sqrt(2*L)*sqrt(9*k + 4)/k <= {c}"
W_NORM, W_NORM_WRONG = step(
    "norm",
    NORM.format(c=11),
    ["k in 1..oo", "L in [0, sqrt(k)]"],
    {"constant 10": NORM.format(c=10)},
    EVERY,
    "C",
)
weights = claim(
    "structured-two-step-weight-size",
    lhs=r"(|a^{(2)}|,\tilde\sigma|w^{(2)}|,|b^{(2)}-b^{(1)}|)",
    tex=r"\text{bounds of }T_a,\ |a^{(1)}||T|,\ |a^{(1)}T_b|",
    states=GOOD,
    role="reading",
    title="Weights after two steps",
    says=r"Where Lemma A.13 holds, $|w^{(2)}_i|\le11\,\tilde\sigma/k$ for all neurons at once, with "
    r"probability $1-\delta$ "
    "over the initialisation.",
    covers="w2-size",
    reads={**READS, "i": "own rest b a"},
    **ONE_POINT,
    legs=[*RUN, W_TYPICAL, W_BAD, W_MAIN, W_SPREAD, W_BIAS, W_OFF, W_ON, W_KEPT, W_NORM],
    rivals=[
        *WRONG,
        *W_TYPICAL_WRONG,
        *W_BAD_WRONG,
        *W_MAIN_WRONG,
        *W_SPREAD_WRONG,
        *W_BIAS_WRONG,
        *W_OFF_WRONG,
        *W_ON_WRONG,
        *W_KEPT_WRONG,
        *W_NORM_WRONG,
    ],
)

TOO_LARGE = ["C in (0, oo)", "M in [2, oo)", "delta in (0, 1/2)"]
B_BOTH = [f"{name}/b2-size" for name in (GOOD, "structured-general-good-features")]
printed = claim(
    "structured-two-step-bias-printed",
    states=[GOOD, "structured-general-good-features"],
    title="Biases after two steps, as printed",
    says=r"Some $C$ has $|b^{(2)}_i|\le C/k^2$ for all $2m$ neurons with probability $1-\delta$; from "
    r"$m\ge2/Q(C+4)$ on the "
    r"probability is at most $(1-2Q(C+4))^m$, below one half.",
    expect="fail",
    covers=B_BOTH,
    legs=[
        formula_leg(
            "all of m biases",
            typed("exp(-2*M) >= 1 - delta and C > 0", over=TOO_LARGE),
            over="C law init i",
        )
    ],
)

INDEPENDENT = formula_leg(
    "independent biases", typed("(1 - q)**m <= exp(-q*m)", over=["q in (0, 1)", "m in 1..oo"])
)
NONE = formula_leg("below 1/50", typed("exp(-2*M) <= 1/50", over="M in [2, oo)"))
beyond = claim(
    "structured-two-step-bias-beyond",
    states=GOOD,
    title="No constant bounds all biases after two steps",
    says=r"$m$ independent biases are all within $C+4$ deviations with probability $(1-2Q(C+4))^m\le "
    r"e^{-2M}\le\frac1{50}$, "
    r"$M=mQ(C+4)\ge2$.",
    role="derived",
    corrects="structured-two-step-bias-printed",
    encodes="part",
    legs=[INDEPENDENT, NONE],
    rivals=[
        *rivals_of(INDEPENDENT, {"twice the rate": "(1 - q)**m <= exp(-2*q*m)"}),
        *rivals_of(NONE, {"1/60": "exp(-2*M) <= 1/60"}),
    ],
)

B_TYPICAL, B_TYPICAL_WRONG = typical(EVERY)
# V = v sqrt(m), sqrt(L) = r k^(1/4), q = k^(3/4), u = sqrt(m)
FIRST = "sqrt(2)*g*v**3 <= {c} and r/(q*u) <= 1"
B_FIRST, B_FIRST_WRONG = step(
    "first step",
    FIRST.format(c="1/10"),
    ["g in (0, 1/2]", "v in (0, 1/2]", "r in [0, 1]", "q in [1, oo)", "u in [1, oo)"],
    {"1/20": FIRST.format(c="1/20")},
    EVERY,
)
RARE = "sqrt(h)*exp(2*h - h**2)/sqrt(2) <= {c}"
B_BAD, B_BAD_WRONG = step(
    "bad inputs", RARE.format(c="21/10"), "h in [1, oo)", {"3/2": RARE.format(c="3/2")}, EVERY
)
LATER = "(61/100)*2*sqrt(2)*x/m**(3/2) <= {c}/m"
B_LATER, B_LATER_WRONG = step(
    "eps_e2",
    LATER.format(c="(9/5)"),
    ["m in [1, oo)", "x in [1, sqrt(m)]"],
    {"3/2 for 9/5": LATER.format(c="(3/2)")},
    EVERY,
)
B_SUM = formula_leg(
    "in all",
    typed(
        "1/10 + 21/10 + 9/5 <= 4 and x/k**2 + 4/(k**2*m) <= (x + 4)/k**2",
        over=["x in [0, oo)", "k in 1..oo", "m in [1, oo)"],
    ),
    over=EVERY,
    gives="C",
)
biases = claim(
    "structured-two-step-bias-size",
    lhs=r"(|a^{(2)}|,\tilde\sigma|w^{(2)}|,|b^{(2)}-b^{(1)}|)",
    tex=r"\text{bounds of }T_a,\ |a^{(1)}||T|,\ |a^{(1)}T_b|",
    states=GOOD,
    title="Biases after two steps, with the logarithm",
    says=r"Where Lemma A.13 holds, $|b^{(2)}_i-b^{(0)}_i|\le4/(k^2m)$ and "
    r"$|b^{(2)}_i|\le(\sqrt{2\ln(2m/\delta)}+4)/k^2$ for "
    r"all neurons at once, with probability $1-\delta$ over the initialisation.",
    role="corrected",
    corrects="structured-two-step-bias-printed",
    covers="b2-size",
    reads={**READS, "i": "own rest b a"},
    **ONE_POINT,
    legs=[*RUN, B_TYPICAL, B_FIRST, B_BAD, B_LATER, B_SUM],
    rivals=[
        *WRONG,
        *B_TYPICAL_WRONG,
        *B_FIRST_WRONG,
        *B_BAD_WRONG,
        *B_LATER_WRONG,
        *rivals_of(
            B_SUM, {"x + 3": "1/10 + 21/10 + 9/5 <= 4 and x/k**2 + 4/(k**2*m) <= (x + 3)/k**2"}
        ),
    ],
)

T_NAMES = "initialisation t i"
T_A = "(27/20)/(k*m**2)"
PUT_IN = [
    "E in (0, 1)",
    "lam in (0, 1)",
    "t in 3..oo",
    "k in 1..oo",
    "m in [2, oo)",
    "V > 0",
    f"A in [0, {T_A}]",
    "W in [0, 11*V/k]",
]
MOVED = "2*t*E*lam*W + E**2*t**2 + t*A <= {c}*t*E*lam*V/k + E**2*t**2 + t*(27/20)/(k*m**2)"
T_READ = formula_leg("read-outs", typed(f"E*t + A <= E*t + {T_A}", over=PUT_IN), over=T_NAMES)
T_MOVED = formula_leg("weights", typed(MOVED.format(c=22), over=PUT_IN), over=T_NAMES, gives="C")
T_TYPICAL, T_TYPICAL_WRONG = typical(T_NAMES)
drift = claim(
    "structured-drift-sizes",
    lhs=r"(|a^{(2)}|,\tilde\sigma|w^{(2)}|,|b^{(2)}-b^{(1)}|)",
    tex=r"\text{bounds of }T_a,\ |a^{(1)}||T|,\ |a^{(1)}T_b|",
    states=DRIFT,
    role="reading",
    title="Drift of the third stage with the sizes after two steps",
    says=r"Where Lemma A.13 holds, $|a^{(t)}|\le\eta t+\frac{27}{20}/(km^2)$, $|w^{(t)}-w^{(2)}|\le22\,t\eta\lambda"
    r"\tilde\sigma/k+\eta^2t^2+\frac{27}{20}t/(km^2)$ for all neurons and $t>2$, with probability $1-\delta$.",
    covers="O-form",
    reads={"initialisation": "own rest b a", "i": "own rest b a"},
    **ONE_POINT,
    legs=[*RUN, T_TYPICAL, T_READ, T_MOVED],
    rivals=[
        *WRONG,
        *T_TYPICAL_WRONG,
        *rivals_of(T_READ, {"half": f"E*t + A <= E*t + {T_A}/2"}),
        *rivals_of(T_MOVED, {"once": MOVED.format(c=11)}),
    ],
)
