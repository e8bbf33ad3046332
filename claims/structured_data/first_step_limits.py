r"""Lemmas 2.6 and A.10 as D grows at fixed k: the direction of the first step, and the leading term of the biases'.

Setting. As in Lemma A.9 with noise s = sigma_xi > 0; H(z) = P[z + xi in (0, 1)], t = <phi_A, q_A> the relevant part of
z; u = q/sigma~, X = sum_A |u_l| >= |t|, X_1 = sum_A 2 mu_l (1 - mu_l) |u_l| >= E|t|. A typical neuron has |q_l| <= w
sqrt(2 L), L = ln(D m/delta), |q_-A|^2 <= (3/2) n w^2, n = D - k; sigma~^2 >= r^2 n, r^2 = p (1 - p).

Statements. |H'| <= 1/(s sqrt(2 pi)), |H''| <= 1/(2 s^2). (1) Off A, E[y phi_j H] is that of H's second difference by t
and by pattern j: sigma~ |T_j| <= p (1 - p) |u_j| X_1/(2 s^2); on A, sigma~ T_j is gamma beta up to e = X/(2 s sqrt(2
pi)). The sine of the angle to sum_A M_j is at most (k e^2 + squares off A)^(1/2)/(sqrt(k) (gamma beta - e)), of order
sqrt(L/n) at fixed k, s, w; beta stays away from 0: |z_-A - b| <= 2 sqrt(3/2) w with probability 3/4 (Chebyshev). (2) E
y = 0 and E[y t] = gamma sum_A u_l: T_b is F_1 gamma sum_A u_l up to X^2/(4 s^2), F_1 = E H'(z_-A): an error of order
L/n where the term is F_1 gamma sum_A q_l/sigma~, of order n^(-1/2).

Reference: Lemma 2.6, lines 692-699; Lemma A.9, lines 3057-3183; Lemma A.10, lines 3188-3222.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import arb, ctx

from theorycheck import claim, formula_leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from ._family import parity, relevant_law
from ._first_step import (
    activity,
    background_part,
    background_sum,
    bias_part,
    covariance,
    means,
    relevant_part,
)

FIELDS = "law own rest b p s"


def sine(law, own, rest, b, p, s):
    """Sine of the angle between sum_j M_j T_j and sum_A M_j. Shape ()."""
    with ctx.workprec(BITS):
        on = relevant_part(law, own, rest, b, p, s)
        off = background_part(law, own, rest, b, p, s)
        middle = sum(on, arb(0)) / len(on)
        aside = sum((t * t * c for t, (_, c) in zip(off, rest, strict=True)), arb(0))
        aside += sum(((t - middle) * (t - middle) for t in on), arb(0))
        return (aside / (aside + len(on) * middle * middle)).sqrt()


def change_on_a(law, own, s):
    """e = X/(2 s sqrt(2 pi))."""
    X = sum((abs(number(u)) for u in own), arb(0))
    return X / (2 * number(s) * (2 * arb.pi()).sqrt())


def change_off_a(law, own, p, s):
    """p (1 - p) X_1/(2 s^2), for a weight of 1."""
    rows = zip(own, means(law), strict=True)
    X_1 = sum((abs(number(u * 2 * m * (1 - m))) for u, m in rows), arb(0))
    return number(p * (1 - p)) * X_1 / (2 * number(s) ** 2)


def parts(law, own, rest, b, p, s):
    """Largest sigma~ |T_j - beta gamma/sigma~| on A, largest sigma~ |T_j| off A. Shape (2,)."""
    with ctx.workprec(BITS):
        lead, most = number(covariance(law)) * activity(rest, b, p, s), [arb(0), arb(0)]
        for t in relevant_part(law, own, rest, b, p, s):
            most[0] = most[0].max(abs(t - lead))
        for t in background_part(law, own, rest, b, p, s):
            most[1] = most[1].max(abs(t))
        return most


def parts_bound(law, own, rest, b, p, s, on=1, off=1):
    with ctx.workprec(BITS):
        heaviest = max(abs(u) for u, _ in rest)
        return [
            on * change_on_a(law, own, s),
            off * change_off_a(law, own, p, s) * number(heaviest),
        ]


def on_twentieth(law, own, rest, b, p, s):
    return parts_bound(law, own, rest, b, p, s, on=number(Fraction(1, 20)))


def off_fifth(law, own, rest, b, p, s):
    return parts_bound(law, own, rest, b, p, s, off=number(Fraction(1, 5)))


def sine_bound(law, own, rest, b, p, s, share=1):
    """(k e^2 + squares off A)^(1/2)/(sqrt(k) (gamma beta - e)). Shape ()."""
    with ctx.workprec(BITS):
        k, e = len(own), change_on_a(law, own, s)
        aside = (
            sum((c * number(u) ** 2 for u, c in rest), arb(0)) * change_off_a(law, own, p, s) ** 2
        )
        lead = number(covariance(law)) * activity(rest, b, p, s) - e
        if not lead > 0:
            return arb(1)
        return share * (k * e * e + aside).sqrt() / (arb(k).sqrt() * lead)


def sine_twentieth(law, own, rest, b, p, s):
    return sine_bound(law, own, rest, b, p, s, share=number(Fraction(1, 20)))


def slope_of_activity(rest, b, p, s):
    """F_1 = E H'(z_-A)."""
    total = arb(0)
    for v, m in background_sum(rest, p).items():
        ends = (number(v + b) / number(s), number(1 - v - b) / number(s))
        low, high = ((-(x * x) / 2).exp() for x in ends)
        total += number(m) * (low - high)
    return total / (number(s) * (2 * arb.pi()).sqrt())


def bias_error(law, own, rest, b, p, s, share=1):
    """|T_b - F_1 gamma sum_A u_l|. Shape ()."""
    with ctx.workprec(BITS):
        lead = slope_of_activity(rest, b, p, s) * number(covariance(law) * sum(own))
        return abs(bias_part(law, own, rest, b, p, s) - number(share) * lead)


def bias_error_of_half(law, own, rest, b, p, s):
    return bias_error(law, own, rest, b, p, s, share=Fraction(1, 2))


def bias_error_bound(law, own, rest, b, p, s, share=1):
    """X^2/(4 s^2). Shape ()."""
    with ctx.workprec(BITS):
        X = sum((abs(number(u)) for u in own), arb(0))
        return share * X * X / (4 * number(s) ** 2)


def bias_error_small(law, own, rest, b, p, s):
    return bias_error_bound(law, own, rest, b, p, s, share=number(Fraction(1, 25)))


def mixture(k, gamma):
    """The parity mixture as a law on the relevant patterns."""
    return [(bits, parity(bits), c) for bits, c in relevant_law(k, gamma).items()]


def at_size(rng, n, k=3, signs=True):
    """The parity mixture and a neuron of weights near 1/k on n background patterns; n sigma~^-2 as in the family."""
    scale = Fraction(int(10**6 * (k / 4 + n / 4) ** 0.5), 10**6)  # about sigma~
    sign = [int(rng.signs()) if signs else 1 for _ in range(k)]
    return {
        "law": mixture(k, Fraction(1, int(rng.integers(3, 9)))),
        "own": [s * Fraction(int(rng.integers(1, 9)), 8 * k) / scale for s in sign],
        "rest": [(Fraction(1, k) / scale, n // 2), (Fraction(-1, k) / scale, n - n // 2)],
        "b": Fraction(int(rng.integers(-4, 5)), 4 * k * k),
        "p": Fraction(1, 2),
        "s": Fraction(int(rng.integers(1, 4)), 4),
    }


def small(rng):
    return at_size(rng, int(rng.integers(4, 30)))


def larger(rng):
    return at_size(rng, 100)


def largest(rng):
    """Small equal weights on A, 400 background patterns."""
    found = at_size(rng, 400)
    unit = abs(found["rest"][0][0]) / 16
    return {**found, "own": [unit] * 3, "s": Fraction(3, 4), "b": Fraction(0)}


def one_heavy(rng):
    """One background pattern at the bend of H."""
    return {
        "law": [((0,), -1, Fraction(1, 2)), ((1,), 1, Fraction(1, 2))],
        "own": [Fraction(1, 16)],
        "rest": [(Fraction(1, 16), 1)],
        "b": Fraction(1, 4),
        "p": Fraction(1, 2),
        "s": Fraction(1, 4),
    }


def unequal(rng):
    """Unequal weights on A, nearly one background pattern."""
    return {
        "law": mixture(3, Fraction(6, 13)),
        "own": [Fraction(1, 64), Fraction(1, 32), Fraction(1, 16)],
        "rest": [(Fraction(1, 4), 1)],
        "b": Fraction(1, 2),
        "p": Fraction(1, 2),
        "s": Fraction(1, 2),
    }


def curved(rng):
    """Two relevant patterns, y = 1 where one is on; the bias at the upper end."""
    chances = {
        (0, 0): Fraction(1, 2),
        (1, 1): Fraction(1, 4),
        (1, 0): Fraction(1, 8),
        (0, 1): Fraction(1, 8),
    }
    return {
        "law": [(bits, 1 if any(bits) else -1, c) for bits, c in chances.items()],
        "own": [Fraction(1, 32), Fraction(1, 32)],
        "rest": [(Fraction(1, 500), 1)],
        "b": Fraction(1),
        "p": Fraction(1, 2),
        "s": Fraction(1, 16),
    }


def one_weight(rng):
    """The same member, one weight of the two, the bias where H bends."""
    return {**curved(rng), "own": [Fraction(3, 64), Fraction(0)], "b": Fraction(59, 64)}


compared = partial(bounded, FIELDS)


FIXED = [
    "k in 1..oo",
    "w > 0",
    "L >= 0",
    "s > 0",
    "r2 in (0, 1/4]",
    "n in 1..oo",
    "V2 in [r2*n, oo)",
]
FIRST = "exp(-x**2/2)/sqrt(2*pi) <= 1/sqrt(2*pi)"
CURVE = "abs(x)*exp(-x**2/2)/sqrt(2*pi) <= {c}"


def smooth(over):
    """H' and H''."""
    slope = formula_leg("slope of H", typed(FIRST, over="x in R"), over=over)
    bend = formula_leg("bend of H", typed(CURVE.format(c="1/4"), over="x in R"), over=over)
    return [slope, bend], [
        *rivals_of(slope, {"1/3": "exp(-x**2/2)/sqrt(2*pi) <= 1/3"}),
        *rivals_of(bend, {"1/5": CURVE.format(c="1/5")}),
    ]


def vanishing(over, name, statement):
    return formula_leg(name, typed(statement, over="n -> oo"), over=over)


NAMES = "law D"
D_SMOOTH, D_WRONG = smooth(NAMES)
ON_SIZE = "k**2*w**2*2*L/(V2*4*s**2*2*pi) <= {c}*k**2*w**2*L/(pi*s**2*r2*n)"
ON = formula_leg("on A", typed(ON_SIZE.format(c="(1/4)"), over=FIXED), over=NAMES)
OFF_SIZE = "(3/2)*n*w**2*r2**2*k**2*w**2*2*L/(16*s**4*V2**2) <= {c}*w**4*k**2*L/(s**4*n)"
OFF = formula_leg("off A", typed(OFF_SIZE.format(c="(3/16)"), over=FIXED), over=NAMES)
OPEN = formula_leg(
    "gates are open", typed("Phi((1 - z)/s) - Phi(-z/s) > 0", over=["s > 0", "z in R"]), over=NAMES
)
SINE = formula_leg("cosine and sine", typed("1 - c <= 1 - c**2", over="c in [0, 1]"), over=NAMES)
VANISHES = vanishing(NAMES, "L/n", "log(n)/n = o(1)")
direction = claim(
    "structured-first-step-direction",
    lhs=r"\sin\angle\Big(\sum_jM_jT_j,\sum_AM_j\Big)",
    tex=r"\frac{\sqrt{ke^2+\sum_{j\notin A}(p(1-p)u_jX_1/(2\sigma_\xi^2))^2}}{\sqrt k(\beta\gamma-e)}",
    states="structured-first-step-emergence",
    title="The first step's direction as D grows",
    says=r"At fixed $k$, $p_o$, $\sigma_w$, $\sigma_\xi>0$ the sine of the angle between a typical neuron's first step "
    r"and $\sum_AM_j$ is at most of order $\sqrt{\ln(Dm/\delta)/D}$, with explicit constants: the cosine tends to 1.",
    covers="direction-limit",
    reads={"law": "law p s"},
    **ONE_POINT,
    legs=[
        compared("up to 30 patterns", sine, sine_bound, small, 3, 8),
        compared("100 patterns", sine, sine_bound, larger, 1, 3),
        compared("parts", parts, parts_bound, small, 2, 6),
        compared("one heavy pattern", parts, parts_bound, one_heavy),
        compared("at the bend", parts, parts_bound, curved),
        compared("unequal weights", sine, sine_bound, unequal),
        *D_SMOOTH,
        ON,
        OFF,
        OPEN,
        SINE,
        VANISHES,
    ],
    rivals=[
        variant("a twentieth", reference=sine_twentieth, leg="unequal weights"),
        variant("a twentieth on A", reference=on_twentieth, leg="at the bend"),
        variant("a fifth off A", reference=off_fifth, leg="one heavy pattern"),
        *D_WRONG,
        *rivals_of(ON, {"an eighth": ON_SIZE.format(c="(1/8)")}),
        *rivals_of(OFF, {"an eighth of it": OFF_SIZE.format(c="(1/8)")}),
        *rivals_of(OPEN, {"above 1/2": "Phi((1 - z)/s) - Phi(-z/s) > 1/2"}),
        *rivals_of(SINE, {"half": "1 - c <= (1 - c**2)/2"}),
        *rivals_of(VANISHES, {"log n": "log(n) = o(1)"}),
    ],
)

B_NAMES = "D w b"
B_SMOOTH, B_WRONG = smooth(B_NAMES)
ERROR = "k**2*w**2*2*L/(V2*4*s**2) <= {c}*k**2*w**2*L/(s**2*r2*n)"
SIZE = formula_leg("its size", typed(ERROR.format(c="(1/2)"), over=FIXED), over=B_NAMES)
SCALE = formula_leg(
    "sigma~ against r sqrt(n)",
    typed("sqrt(1 + x) <= 1 + x/2 and sqrt(1 + x) >= 1", over="x in [0, oo)"),
    over=B_NAMES,
)
FALLS = vanishing(B_NAMES, "L/sqrt(n)", "log(n)/sqrt(n) = o(1)")
leading = claim(
    "structured-first-step-bias-leading",
    lhs=r"\Big|T_b-F_1\frac\gamma{\tilde\sigma}\sum_Aq_l\Big|",
    tex=r"\frac{\big(\sum_A|q_l|\big)^2}{4\tilde\sigma^2\sigma_\xi^2}",
    states="structured-first-step-bias",
    title="Leading term of the biases' first step",
    says=r"$T_b=F_1\frac\gamma{\tilde\sigma}\sum_Aq_l$ up to $(\sum_A|q_l|)^2/(4\tilde\sigma^2\sigma_\xi^2)$, of "
    r"order $\ln(Dm/\delta)/D$ at fixed $k$ where the term has $D^{-1/2}$, $F_1$ the slope of the chance to be active.",
    covers="leading-order",
    reads={"w": "own rest", "b": "b"},
    **ONE_POINT,
    legs=[
        compared("up to 30 patterns", bias_error, bias_error_bound, small, 3, 8),
        compared("400 patterns", bias_error, bias_error_bound, largest, 1, 3),
        compared("one relevant weight", bias_error, bias_error_bound, one_weight),
        *B_SMOOTH,
        SIZE,
        SCALE,
        FALLS,
    ],
    rivals=[
        variant("half of the term", simulation=bias_error_of_half, leg="400 patterns"),
        variant("a twenty-fifth", reference=bias_error_small, leg="one relevant weight"),
        *B_WRONG,
        *rivals_of(SIZE, {"a third": ERROR.format(c="(1/3)")}),
        *rivals_of(SCALE, {"x/3": "sqrt(1 + x) <= 1 + x/3"}),
        *rivals_of(FALLS, {"log n/log n": "log(n)/log(n) = o(1)"}),
    ],
)
