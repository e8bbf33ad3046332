r"""Lemmas A.41 and A.42: the class-weighted second step of biases and read-outs, with explicit constants.

Setting. As in `general_second_step`: a neuron after one step, X = sum_A |q_l|/sigma~ <= (33/32) eta |a| k (gamma +
eps_e)/sigma~^2, H(z) = P[z + v g + xi in (0, 1)], |H'| <= 1/(sqrt(2 pi) s), and E alpha_y 1[y g^(1) > 1] <= e^-k, which
the lemmas take from A.38. T_b = E[alpha_y y 1[y g^(1) <= 1] H], T_a the same with the smoothed activation. Both headers
print the loss without class weights, with which neither bound holds once E y is not 0: the loss here has them.

Statements. Given background and noise E alpha_y y = 0, so that only what the relevant part changes is left, and
E alpha_y |relevant part| <= (9/16) X, as E alpha_y |phi~_l - mu_l| <= 9/16. (1) H has slope at most 1/(sqrt(2 pi) s):
|T_b| <= e^-k + (9/16) X/(sqrt(2 pi) s) <= e^-k + (1/4) eps_e2. (2) sigma is 1-Lipschitz and at most 1: |T_a| <= e^-k +
(9/16) X <= e^-k + (9/2) eta sigma~/gamma, without 1/p_min, which is at least 2, and without a polynomial.

Reference: Lemma A.41, lines 5108-5158; Lemma A.42, lines 5160-5206.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import ctx

from theorycheck import claim, formula_leg, rivals_of, typed, variant

from ._balls import ONE_POINT, number
from ._bounded import bounded, step
from ._general_second import FIELDS, PRECISION, after_one, missing, second_step
from .general_first_step import WEIGHTED
from .general_second_step import above, last, one_pattern, reach, slope, some_step, steps

NINE = Fraction(9, 16)


def both(law, back, gram, start, off, b, s, noise, many, eta, a, s2, **changes):
    """|T_b| and |T_a|. Shape (2,)."""
    with ctx.workprec(PRECISION):
        given = (law, back, gram, start, off, b, s, noise, many, eta, a, s2)
        found = second_step(*given, **changes)
        return [abs(found.bias), abs(found.read_out)]


def bias_size(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return both(law, back, gram, start, off, b, s, noise, many, eta, a, s2)[0]


def read_out_size(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return both(law, back, gram, start, off, b, s, noise, many, eta, a, s2)[1]


def bias_unweighted(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return both(law, back, gram, start, off, b, s, noise, many, eta, a, s2, weighted=False)[0]


def read_out_unweighted(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return both(law, back, gram, start, off, b, s, noise, many, eta, a, s2, weighted=False)[1]


def read_out_bound(
    law, back, gram, start, off, b, s, noise, many, eta, a, s2, share=NINE, bad=1, steep=1
):
    """(9/16) X and E alpha 1[bad]. Shape ()."""
    with ctx.workprec(PRECISION):
        given = (law, back, gram, start, off, b, s, noise, many, eta, a)
        size = number(share) * steep * reach(law, after_one(*given)[0])
        return size + bad * missing(*given, s2)


def bias_bound(law, back, gram, start, off, b, s, noise, many, eta, a, s2, share=NINE, bad=1):
    """(9/16) X/(sqrt(2 pi) s) and E alpha 1[bad]. Shape ()."""
    with ctx.workprec(PRECISION):
        given = (law, back, gram, start, off, b, s, noise, many, eta, a, s2)
        return read_out_bound(*given, share=share, bad=bad, steep=slope(s2))


def bias_fifth(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    given = (law, back, gram, start, off, b, s, noise, many, eta, a, s2)
    return bias_bound(*given, share=Fraction(1, 5))


def bias_kept(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return bias_bound(law, back, gram, start, off, b, s, noise, many, eta, a, s2, bad=0)


def read_out_fifth(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    given = (law, back, gram, start, off, b, s, noise, many, eta, a, s2)
    return read_out_bound(*given, share=Fraction(1, 5))


def read_out_kept(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return read_out_bound(law, back, gram, start, off, b, s, noise, many, eta, a, s2, bad=0)


def fair(rng):
    """A pattern of rate one half, the lower threshold at the bias."""
    return one_pattern(rate=Fraction(1, 2))


def rare(rng):
    """Nine labels of ten -1, an open neuron."""
    return one_pattern(b=Fraction(1, 4))


compared = partial(bounded, FIELDS)
NAMES = "law init i"
READS = {"law": "law back gram noise many", "init": "start off b a", "i": "start off b a"}
# E alpha_y |phi~_l - mu_l| over the chance of y = 1 and the rates given the labels
OF_PATTERN = f"{WEIGHTED} <= {{c}}"
SHARES = ["w in [0, 1]", "a in [0, 1]", "c in [0, 1]"]
MEAN = ("weighted mean of a pattern", OF_PATTERN, SHARES, "9/16", "(1/2)", NAMES)

STEPS, WRONG = steps(NAMES)
ON_MEAN, MEAN_WRONG = step(*MEAN)
LAST, LAST_WRONG = last(NAMES, "9/16", "(1/4)", "(1/5)", "C c")

bias = claim(
    "structured-general-second-step-bias-size",
    lhs="|T_b|",
    tex=r"\tfrac9{16}\tfrac X{\sqrt{2\pi}\,\sigma_\xi}+\mathbb E\alpha_y1[yg^{(1)}>1]",
    states="structured-general-second-step-bias",
    role="reading",
    title="Class-weighted second step of the biases",
    says=r"Where $\mathbb E\alpha_y1[yg^{(1)}>1]\le e^{-k}$, for every law of the general family and every typical "
    r"neuron $|T_b|\le e^{-k}+\frac14\epsilon_{e2}$, by the loss with class weights, $\epsilon_e$ with the logarithm "
    "of the typical set.",
    covers="bound",
    reads=READS,
    **ONE_POINT,
    legs=[
        compared("members and neurons", bias_size, bias_bound, some_step, 2, 6),
        compared("at the threshold", bias_size, bias_bound, fair),
        compared("nine of ten", bias_size, bias_bound, rare),
        compared("above the margin", bias_size, bias_bound, above),
        *STEPS,
        *ON_MEAN,
        LAST,
    ],
    rivals=[
        variant("a fifth", reference=bias_fifth, leg="at the threshold"),
        variant("without class weights", simulation=bias_unweighted, leg="nine of ten"),
        variant("bad inputs left in", reference=bias_kept, leg="above the margin"),
        *WRONG,
        *MEAN_WRONG,
        *LAST_WRONG,
    ],
)

SIZE = "(9/16)*(33/32)*sqrt(2)*q/k*(1/2 + (25/12)*q)*(25/(12*k)) <= {c}"
A_LIPSCHITZ = formula_leg(
    "activation",
    typed(
        "abs(Min(1, Max(0, u + v)) - Min(1, Max(0, v))) <= abs(u) and Min(1, Max(0, v)) <= 1",
        over=["u in R", "v in R"],
    ),
    over=NAMES,
)
A_SIZE = formula_leg(
    "size",
    typed(SIZE.format(c="9/2"), over=["k in 1..oo", "q in [0, k**(1/4)]"]),
    over=NAMES,
    gives="C c poly",
)
A_P_MIN = formula_leg(
    "p_min",
    typed("x <= x/(2*p) and x/2 <= x/(4*p)", over=["p in (0, 1/2]", "x >= 0"]),
    over="p_min",
)
A_STEPS, A_WRONG = steps(NAMES)
A_MEAN, A_MEAN_WRONG = step(*MEAN)

read_out = claim(
    "structured-general-second-step-readout-size",
    lhs="|T_a|",
    tex=r"\tfrac9{16}X+\mathbb E\alpha_y1[yg^{(1)}>1]",
    states="structured-general-second-step-readout",
    role="reading",
    title="Class-weighted second step of the read-outs",
    says=r"Where $\mathbb E\alpha_y1[yg^{(1)}>1]\le e^{-k}$ and $\tilde\sigma\epsilon_e\le k\sqrt L$, for every law of "
    r"the general family and every typical neuron $|T_a|\le e^{-k}+\frac92\eta\tilde\sigma/\gamma$, by the loss with "
    r"class weights, without $1/p_{\min}$ and without a polynomial.",
    covers="bound",
    reads=READS,
    **ONE_POINT,
    legs=[
        compared("members and neurons", read_out_size, read_out_bound, some_step, 2, 6),
        compared("at the threshold", read_out_size, read_out_bound, fair),
        compared("nine of ten", read_out_size, read_out_bound, rare),
        compared("above the margin", read_out_size, read_out_bound, above),
        *A_STEPS[1:],
        *A_MEAN,
        A_LIPSCHITZ,
        A_SIZE,
        A_P_MIN,
    ],
    rivals=[
        variant("a fifth", reference=read_out_fifth, leg="nine of ten"),
        variant("without class weights", simulation=read_out_unweighted, leg="nine of ten"),
        variant("bad inputs left in", reference=read_out_kept, leg="above the margin"),
        *A_WRONG[1:],
        *A_MEAN_WRONG,
        *rivals_of(
            A_LIPSCHITZ,
            {"half the slope": "abs(Min(1, Max(0, u + v)) - Min(1, Max(0, v))) <= abs(u)/2"},
        ),
        *rivals_of(A_SIZE, {"constant 4": SIZE.format(c="4")}),
        *rivals_of(A_P_MIN, {"p_min above 1/2": {"over": ["p in (0, 1]", "x >= 0"]}}),
    ],
)
