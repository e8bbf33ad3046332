r"""Lemmas A.11 and A.36: size of the first read-out gradient.

Setting. T_a = E[alpha_y y E sigma(<phi, q> + b + xi)], q_l the components of the neuron's weight. Given the
background patterns and xi the mean of alpha_y y is 0; u = sum over A of phi_l q_l, v the rest of the argument, so
that T_a = E[alpha_y y (sigma(u + v) - sigma(v))] and |T_a| <= E|alpha_y u| <= k max|q| E|alpha_y phi_l|.

Statements. (1) That is at most k max|q|/(2 sigma~) with balanced classes, (9/16) k max|q|/sigma~ in general: for
sigma~ >= c k at most max|q|/(2c), and for typical weights of order sigma_w sqrt(log(D m/delta)), with constant 9
sqrt(2)/(16 c). (2) The print has max|q| without a condition on sigma~. Let the relevant patterns be fair with weight
1/2, else all on or all off, P the odd counts (gamma = 1/4), one background pattern, q_l = q on A and 0 elsewhere, b =
1/2, no smoothing, q small: T_a = E[y u] = k q gamma/sigma~ with sigma~^2 <= (k + 1)/4, and T_a/q exceeds every C, at
k = 16 C^2 + 1 at the latest.

Reference: Lemma A.11, lines 3226-3268; Lemma A.36, lines 4743-4781.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    claim,
    equals,
    formula,
    formula_leg,
    leg,
    odd_integers,
    rivals_of,
    typed,
    variant,
)

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from ._first_step import background_sum, generic, shifts
from .general_first_step import any_member, around, class_weights
from .network_gradients import smoothed

PLAIN, GENERAL = "structured-first-step-readout", "structured-general-first-step-readout"
# T_a/q on the member is k gamma/sigma~, sigma~^2 = (k + 1)/4; below k = 16 C^2 + 1
GAMMA = Fraction(1, 4)
GROWTH = f"(16*C**2 + 1)*({GAMMA})/sqrt((16*C**2 + 2)/4)"

printed = formula(
    "structured-readout-max-q",
    states=[PLAIN, GENERAL],
    title="First read-out gradient below the largest component, as printed",
    says=f"{GROWTH} <= C",
    over="C in 1..oo",
    expect="fail",
    covers=[f"{PLAIN}/max-q", f"{GENERAL}/max-q"],
    reads={"law": "C", "w": "C", "b": "C"},
)

k = sp.Symbol("k", integer=True, positive=True)


def of_the_member(k, labelled=True):
    """sigma~ T_a/q by the law of the number of active patterns, q = sigma~/(4 k). Shape ()."""
    total = Fraction(0)
    for s in range(k + 1):
        weight = Fraction(comb(k, s), 2 ** (k + 1)) + Fraction(s in (0, k), 4)
        label = 1 if s % 2 or not labelled else -1
        argument = Fraction(1, 2) + (s - Fraction(k, 2)) / (4 * k)
        total += weight * label * min(Fraction(1), max(Fraction(0), argument))
    return total * 4 * k


PASSES = formula_leg("passes every constant", typed(f"{GROWTH} > C", over="C in 1..oo"))
unbounded = claim(
    "structured-readout-unbounded",
    lhs=r"\tilde\sigma T_a/q",
    tex=r"\tfrac k4",
    states=[PLAIN, GENERAL],
    title="No constant bounds the first read-out gradient by the largest component",
    says=r"On the member $T_a/q=\frac k{4\tilde\sigma}$, above every $C$ at $k=16C^2+1$.",
    role="derived",
    corrects="structured-readout-max-q",
    encodes="part",
    domain={k: odd_integers(3)},
    where=k <= 401,
    grid={"smoke": {k: [3, 5, 17]}, "standard": {k: [9, 65]}},
    closed_form=k * sp.Rational(GAMMA.numerator, GAMMA.denominator),
    relation=equals(),
    legs=[leg("the member", of_the_member), PASSES],
    rivals=[
        variant("k/2", closed_form=k / 2, leg="the member"),
        variant("without the label", call=of_the_member, labelled=False, leg="the member"),
        *rivals_of(PASSES, {"k = 4 C + 1": "(4*C + 1)*(1/4)/sqrt((4*C + 2)/4) > C"}),
    ],
)

LIPSCHITZ = typed(
    "abs(Min(1, Max(0, u + v)) - Min(1, Max(0, v))) <= abs(u)", over=["u in R", "v in R"]
)
BALANCED = typed("2*mu*(1 - mu) <= 1/2", over="mu in [0, 1]")
TOTAL = typed(
    "k*q*(1/2)/s <= q/(2*c)", over=["k in 1..oo", "q in [0, oo)", "c > 0", "s in [c*k, oo)"]
)
WIDER = {"half the slope": "abs(Min(1, Max(0, u + v)) - Min(1, Max(0, v))) <= abs(u)/2"}


def lipschitz(over):
    found = formula_leg("activation", LIPSCHITZ, over=over)
    return found, rivals_of(found, WIDER)


def unit(z, s):
    """E sigma(z + xi)."""
    return smoothed(z, s) if s else number(min(1, max(0, z)))


def read_out(law, own, rest, b, p, s, share=1):
    """|T_a| of a member and a neuron, weights in units of sigma~. Shape ()."""
    with ctx.workprec(BITS):
        total = arb(0)
        for t, _, y, c in shifts(law, own):
            for v, m in background_sum(rest, p).items():
                total += number(y * c * m) * unit(t + v + b, s)
        return share * abs(total)


def largest_component(law, own, rest, b, p, s, share=Fraction(1, 2)):
    """k max|u|/2. Shape ()."""
    return number(share * len(own) * max(abs(u) for u in own))


def a_quarter(law, own, rest, b, p, s):
    return largest_component(law, own, rest, b, p, s, share=Fraction(1, 4))


def without_k(law, own, rest, b, p, s):
    return largest_component(law, own, rest, b, p, s, share=Fraction(1, 2 * len(own)))


def aligned(rng):
    """All patterns on or all off, equal weights, the argument in the middle of (0, 1)."""
    k = 4
    return {
        "law": [((0,) * k, -1, Fraction(1, 2)), ((1,) * k, 1, Fraction(1, 2))],
        "own": [Fraction(1, 20)] * k,
        "rest": [(Fraction(1, 100), 3)],
        "b": Fraction(1, 2),
        "p": Fraction(1, 4),
        "s": Fraction(0),
    }


STEP, STEP_RIVALS = lipschitz("law w b")
MEAN = formula_leg("mean of a pattern", BALANCED, over="law w b")
SUM = formula_leg("k of them", TOTAL, over="law w b")
PLAIN_FIELDS = "law own rest b p s"

conditional = claim(
    "structured-readout-conditional",
    lhs="|T_a|",
    tex=r"\frac{k}{2\tilde\sigma}\max_{l\in A}|q_l|",
    states=PLAIN,
    title=r"First read-out gradient below the largest component, for large $\tilde\sigma$",
    says=r"$|T_a|\le\frac{k}{2\tilde\sigma}\max_{l\in A}|q_l|$ for all laws and neurons: at most "
    r"$\frac1{2c}\max|q|$ for $\tilde\sigma\ge ck$.",
    role="corrected",
    corrects="structured-readout-max-q",
    covers="max-q-with-sigt",
    reads={"law": "law p s", "w": "own rest", "b": "b"},
    **ONE_POINT,
    legs=[
        bounded(PLAIN_FIELDS, "members and neurons", read_out, largest_component, generic, 4, 12),
        bounded(PLAIN_FIELDS, "all weights alike", read_out, largest_component, aligned),
        STEP,
        MEAN,
        SUM,
    ],
    rivals=[
        variant("a quarter", reference=a_quarter, leg="all weights alike"),
        variant("without k", reference=without_k, leg="all weights alike"),
        *STEP_RIVALS,
        *rivals_of(MEAN, {"2/5": "2*mu*(1 - mu) <= 2/5"}),
        *rivals_of(SUM, {"any sigma": {"over": ["k in 1..oo", "q in [0, oo)", "c > 0", "s > 0"]}}),
    ],
)

MU = "(w*a + (1 - w)*c)"
WEIGHTED = typed(
    f"1/2*(a*(1 - {MU}) + (1 - a)*{MU}) + 1/2*(c*(1 - {MU}) + (1 - c)*{MU}) <= 9/16",
    over=["w in [0, 1]", "a in [0, 1]", "c in [0, 1]"],
)
TYPICAL = typed(
    "k*(9/16)/s*(sw*sqrt(2*L)) <= 9*sqrt(2)/(16*c)*sw*sqrt(L)",
    over=["k in 1..oo", "c > 0", "s in [c*k, oo)", "sw > 0", "L in [0, oo)"],
)


def weighted_read_out(law, own, back, rest, b, tau, s, weighted=True):
    """|T_a| with class weights, dependent background patterns and input noise. Shape ()."""
    with ctx.workprec(BITS):
        total, alpha = arb(0), class_weights(law)
        for t, _, y, c in shifts(law, own):
            for v, _, m in around(back, rest):
                weight = (alpha[y] if weighted else 1) * y * c * m
                total += number(weight) * unit(t + v + b, tau)
        return abs(total)


def unweighted(law, own, back, rest, b, tau, s):
    return weighted_read_out(law, own, back, rest, b, tau, s, weighted=False)


def weighted_component(law, own, back, rest, b, tau, s, share=Fraction(9, 16)):
    """(9/16) k max|u|. Shape ()."""
    return number(share * len(own) * max(abs(u) for u in own))


def half_of_it(law, own, back, rest, b, tau, s):
    return weighted_component(law, own, back, rest, b, tau, s, share=Fraction(9, 32))


def rare_and_aligned(rng):
    """Nine labels of ten are -1; all patterns on or all off, the argument in the middle of (0, 1)."""
    k = 3
    return {
        "law": [((0,) * k, -1, Fraction(9, 10)), ((1,) * k, 1, Fraction(1, 10))],
        "own": [Fraction(1, 20)] * k,
        "back": [((0,), Fraction(1, 2)), ((1,), Fraction(1, 2))],
        "rest": [Fraction(1, 100)],
        "b": Fraction(1, 2),
        "tau": Fraction(1, 20),
        "s": Fraction(1, 20),
    }


ANY_FIELDS = "law own back rest b tau s"
ANY_STEP, ANY_RIVALS = lipschitz("law w")
ANY_MEAN = formula_leg("weighted mean of a pattern", WEIGHTED, over="law w")
SIZE = formula_leg("k of them, typical", TYPICAL, over="law w", gives="C")

typical = claim(
    "structured-readout-typical",
    lhs="|T_a|",
    tex=r"\tfrac9{16}\,\frac{k}{\tilde\sigma}\max_{l\in A}|q_l|",
    states=[PLAIN, GENERAL],
    title="First read-out gradient of a typical neuron",
    says=r"For $\tilde\sigma\ge ck$ and $w\in\mathcal G_w(\delta)$, "
    r"$|T_a|\le\frac{9\sqrt2}{16c}\,\sigma_w\sqrt{\ln(Dm/\delta)}$, with and without class weights.",
    covers=[f"{PLAIN}/typical", f"{GENERAL}/typical"],
    reads={"law": "law back", "w": "own rest tau s"},
    **ONE_POINT,
    legs=[
        bounded(
            ANY_FIELDS,
            "members and neurons",
            weighted_read_out,
            weighted_component,
            any_member,
            4,
            12,
        ),
        bounded(
            ANY_FIELDS,
            "rare and aligned",
            weighted_read_out,
            weighted_component,
            rare_and_aligned,
        ),
        ANY_STEP,
        ANY_MEAN,
        SIZE,
    ],
    rivals=[
        variant("half", reference=half_of_it, leg="rare and aligned"),
        variant("without class weights", simulation=unweighted, leg="rare and aligned"),
        *ANY_RIVALS,
        *rivals_of(
            ANY_MEAN,
            {
                "one half": f"1/2*(a*(1 - {MU}) + (1 - a)*{MU}) + 1/2*(c*(1 - {MU}) + (1 - c)*{MU}) <= 1/2"
            },
        ),
        *rivals_of(
            SIZE,
            {
                "any sigma, typical": {
                    "over": ["k in 1..oo", "c > 0", "s > 0", "sw > 0", "L in [0, oo)"]
                }
            },
        ),
    ],
)
