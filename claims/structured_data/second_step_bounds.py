r"""Lemmas A.14 to A.16: the coefficients of the second gradient step, with explicit constants.

Setting. As in Lemma A.13: q = q^(1) = eta a T^(1), s = sigma_xi^(2) = k^(-3/2), |a| <= sigma_a sqrt(2 L), sigma_a <=
sigma~^2/(gamma k^2), L = ln(D m/delta) <= sqrt(k), p >= k^2/D, so R = sigma_phi sigma~ sqrt(D - k) >= k/2 and sigma~
>= R. T_j = E[y 1[y g <= 1] H(z) phi_j], H(z) = P[z + xi in (0, 1)], z = <q, phi> + b^(1), g = g^(1); T_b the same
without phi_j, T_a with E sigma(z + xi) for H. The lemmas take from A.13 that y g^(1) > 1 has a chance e^(-Theta(k)):
here that it is at most e^-k, which structured-step1-output-cap gives. eps_e2 = eta |a| k (gamma + eps_e)/(sigma~^2 s).

Statements. |H'| <= 1/(sqrt(2 pi) s): no tail is needed. The relevant part of z is at most X = sum_A |q_l|/sigma~ <=
(61/40) eta |a| k (gamma + eps_e)/sigma~^2, as |T_l| <= (gamma + (61/40) eps_e)/sigma~ (Lemma A.9). Leaving out bad
inputs costs e^-k/sigma~ in T_j, e^-k in T_b and T_a. (1) Without the relevant part E[y phi_j H] = (gamma/sigma~) E H,
and E H is beta = H(b^(0)) up to (deviation of the background part + |b^(1) - b^(0)|)/(sqrt(2 pi) s): |T_j - beta
gamma/sigma~| <= e^-k/sigma~ + (31/100) eps_e2/sigma~ + 5 eta/s + (61/100) eta |a| eps_e/(sigma~ s) on A. (2) E[y phi_j
H(z_-A)] = 0 off A: |T_j| <= e^-k/sigma~ + (61/50) sigma_phi^2 sigma~ eps_e2. (3) |T_b| <= e^-k + (61/100) eps_e2. (4)
sigma is 1-Lipschitz and bounded, and |T_l| <= 1/(2 sigma~): |T_a| <= e^-k + (3/4) eta sigma~/gamma, no polynomial.

Reference: Lemma A.14, lines 3358-3479; Lemma A.15, lines 3481-3531; Lemma A.16, lines 3533-3583.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import arb, ctx

from theorycheck import claim, formula_leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from ._first_step import covariance, generic, means
from ._second_step import (
    after_one,
    bad_chance,
    lead,
    reach,
    second_step,
    spread,
    start_gate,
)

SECOND = "structured-second-step-improvement"
FIELDS = "law own rest b p s eta a"


def slope(s):
    """Largest slope of H."""
    return 1 / (number(s) * (2 * arb.pi()).sqrt())


def relevant_error(law, own, rest, b, p, s, eta, a, gated=True, indicator=True):
    """sigma~ |T_j - beta gamma/sigma~| on A. Shape (k,)."""
    with ctx.workprec(BITS):
        on = second_step(law, own, rest, b, p, s, eta, a, indicator)[0]
        centre = lead(law, b, s) if gated else number(covariance(law))
        return [abs(t - centre) for t in on]


def ungated(law, own, rest, b, p, s, eta, a):
    return relevant_error(law, own, rest, b, p, s, eta, a, gated=False)


def relevant_bound(law, own, rest, b, p, s, eta, a, share=1, bad=1):
    """((2 mu_j (1 - mu_j) X + gamma (deviation + |b^(1) - b|))/(sqrt(2 pi) s) + Pr[bad]. Shape (k,)."""
    with ctx.workprec(BITS):
        on, off, b1 = after_one(law, own, rest, b, p, s, eta, a)
        rest_of_it = number(covariance(law)) * (spread(off, rest, p) + abs(b1 - number(b)))
        missing = bad * bad_chance(law, own, rest, b, p, s, eta, a)
        return [
            share * slope(s) * (number(2 * m * (1 - m)) * reach(law, on) + rest_of_it) + missing
            for m in means(law)
        ]


def relevant_half(law, own, rest, b, p, s, eta, a):
    return relevant_bound(law, own, rest, b, p, s, eta, a, share=number(Fraction(1, 2)))


def no_bad_on_a(law, own, rest, b, p, s, eta, a):
    return relevant_bound(law, own, rest, b, p, s, eta, a, bad=0)


def background_size(law, own, rest, b, p, s, eta, a):
    """sigma~ |T_j| off A. Shape (groups,)."""
    with ctx.workprec(BITS):
        return [abs(t) for t in second_step(law, own, rest, b, p, s, eta, a)[1]]


def background_bound(law, own, rest, b, p, s, eta, a, share=1, bad=1):
    """2 p (1 - p) X/(sqrt(2 pi) s) + Pr[bad]. Shape (groups,)."""
    with ctx.workprec(BITS):
        on = after_one(law, own, rest, b, p, s, eta, a)[0]
        size = share * number(2 * p * (1 - p)) * reach(law, on) * slope(s)
        return [size + bad * bad_chance(law, own, rest, b, p, s, eta, a)] * len(rest)


def background_third(law, own, rest, b, p, s, eta, a):
    return background_bound(law, own, rest, b, p, s, eta, a, share=number(Fraction(1, 3)))


def no_bad_off_a(law, own, rest, b, p, s, eta, a):
    return background_bound(law, own, rest, b, p, s, eta, a, bad=0)


def both_sizes(law, own, rest, b, p, s, eta, a):
    """|T_b| and |T_a|. Shape (2,)."""
    with ctx.workprec(BITS):
        return [abs(t) for t in second_step(law, own, rest, b, p, s, eta, a)[2:]]


def bias_size(law, own, rest, b, p, s, eta, a):
    return both_sizes(law, own, rest, b, p, s, eta, a)[:1]


def read_out_size(law, own, rest, b, p, s, eta, a):
    return both_sizes(law, own, rest, b, p, s, eta, a)[1:]


def bias_bound(law, own, rest, b, p, s, eta, a, share=1, bad=1):
    """X/(sqrt(2 pi) s) + Pr[bad]. Shape (1,)."""
    with ctx.workprec(BITS):
        on = after_one(law, own, rest, b, p, s, eta, a)[0]
        missing = bad * bad_chance(law, own, rest, b, p, s, eta, a)
        return [share * reach(law, on) * slope(s) + missing]


def bias_half(law, own, rest, b, p, s, eta, a):
    return bias_bound(law, own, rest, b, p, s, eta, a, share=number(Fraction(1, 2)))


def no_bad_bias(law, own, rest, b, p, s, eta, a):
    return bias_bound(law, own, rest, b, p, s, eta, a, bad=0)


def read_out_bound(law, own, rest, b, p, s, eta, a, share=1, bad=1):
    """sum of |u_l| 2 mu_l (1 - mu_l), and Pr[bad]. Shape (1,)."""
    with ctx.workprec(BITS):
        on = after_one(law, own, rest, b, p, s, eta, a)[0]
        rows = zip(on, means(law), strict=True)
        missing = bad * bad_chance(law, own, rest, b, p, s, eta, a)
        return [share * sum((abs(u) * number(2 * m * (1 - m)) for u, m in rows), arb(0)) + missing]


def read_out_third(law, own, rest, b, p, s, eta, a):
    return read_out_bound(law, own, rest, b, p, s, eta, a, share=number(Fraction(1, 3)))


def no_bad_read_out(law, own, rest, b, p, s, eta, a):
    return read_out_bound(law, own, rest, b, p, s, eta, a, bad=0)


def some_step(rng):
    """A member and a neuron, the step and the read-out of any size: some with inputs above the margin."""
    return {
        **generic(rng),
        "s": Fraction(int(rng.integers(1, 4)), 8),
        "eta": Fraction(int(rng.integers(1, 9)), 2),
        "a": Fraction(int(rng.signs()) * int(rng.integers(1, 9)), 4),
    }


def fair(own, rest, b, s, eta, a):
    """One relevant pattern, y = 1 where it is on."""
    return {
        "law": [((0,), -1, Fraction(1, 2)), ((1,), 1, Fraction(1, 2))],
        "own": [own],
        "rest": rest,
        "b": b,
        "p": Fraction(1, 2),
        "s": s,
        "eta": eta,
        "a": a,
    }


def bent(rng):
    """Two relevant patterns, y = 1 where one is on, the threshold of the upper end at the bias."""
    found = fair(
        Fraction(1),
        [(Fraction(1, 20), 2)],
        Fraction(1),
        Fraction(1, 16),
        Fraction(1, 8),
        Fraction(1, 10),
    )
    chances = {
        (0, 0): Fraction(1, 2),
        (1, 1): Fraction(1, 4),
        (1, 0): Fraction(1, 8),
        (0, 1): Fraction(1, 8),
    }
    law = [(bits, 1 if any(bits) else -1, c) for bits, c in chances.items()]
    return {**found, "law": law, "own": [Fraction(1)] * 2}


def steep(rng):
    """A small relevant part at the steepest place of H."""
    return fair(
        Fraction(1, 10), [(Fraction(1, 20), 3)], Fraction(0), Fraction(1, 2), Fraction(1, 8), 1
    )


def above(rng):
    """Half of the inputs lie above the margin."""
    return fair(
        Fraction(1), [(Fraction(1), 2)], Fraction(1, 4), Fraction(1, 8), 20, Fraction(1, 100)
    )


def heavy(rng):
    """One heavy background pattern, a large step."""
    found = fair(Fraction(2, 5), [(Fraction(2), 1)], Fraction(1, 16), Fraction(1, 4), 8, 1)
    return {**found, "p": Fraction(1, 4)}


def above_by_background(rng):
    """One input of four lies above the margin: both patterns are on."""
    return fair(Fraction(1), [(Fraction(2), 1)], Fraction(3, 8), Fraction(1, 2), 10, Fraction(1, 4))


compared = partial(bounded, FIELDS)


# X s = x k h (gamma + (61/40) eps_e), h = eta |a|/sigma~^2
SIZES = ["k in 1..oo", "h >= 0", "g in (0, 1/2]", "e >= 0", "s > 0"]
PLACE = ["k in 1..oo", "L in [0, sqrt(k)]"]


def main_term(share, constant):
    return f"({share})*k*h*(g + (61/40)*e)/(s*sqrt(2*pi)) <= ({constant})*h*k*(g + e)/s"


def chain(over, share, constant, smaller, gives="C"):
    """H is Lipschitz; its argument's relevant part; their size."""
    steep_at = formula_leg(
        "slope of H",
        typed(
            "abs(exp(-x**2/2)/sqrt(2*pi) - exp(-y**2/2)/sqrt(2*pi)) <= 1/sqrt(2*pi)",
            over=["x in R", "y in R"],
        ),
        over=over,
    )
    moves = formula_leg(
        "between two places",
        typed(
            "Phi(x + t/s) - Phi(x) <= t/(s*sqrt(2*pi))", over=["x in R", "t in [0, oo)", "s > 0"]
        ),
        over=over,
    )
    size = formula_leg(
        "size", typed(main_term(share, constant), over=SIZES), over=over, gives=gives
    )
    wrong = [
        *rivals_of(
            steep_at, {"1/3": "abs(exp(-x**2/2)/sqrt(2*pi) - exp(-y**2/2)/sqrt(2*pi)) <= 1/3"}
        ),
        *rivals_of(moves, {"t/(3 s)": "Phi(x + t/s) - Phi(x) <= t/(3*s)"}),
        *rivals_of(size, {f"constant {smaller}": main_term(share, smaller)}),
    ]
    return [steep_at, moves, size], wrong


PLACES = "law initialisation"
ON_CHAIN, ON_WRONG = chain(PLACES, "1/2", "31/100", "3/10")
CANCEL = formula_leg(
    "background's deviation",
    typed(
        "(g/V)*(R/V)*(43/5)*(r2/V)*E*(sqrt(2*L)*V**2/(g*k**2))*(2*k*sqrt(L)/R) == (43/5)*r2*E*2*sqrt(2)*L/(k*V)",
        over=["g > 0", "V > 0", "R > 0", "r2 >= 0", "E >= 0", "L >= 0", "k in 1..oo"],
    ),
    over=PLACES,
)
DEVIATION = "(43/5)*r2*2*sqrt(2)*L/(k*V*sqrt(2*pi)) <= {c}"
SPREAD = formula_leg(
    "its size",
    typed(DEVIATION.format(c=5), over=[*PLACE, "r2 in [0, 1/4]", "V in [k/2, oo)"]),
    over=PLACES,
)
OF_BIAS = formula_leg(
    "the bias's move", typed("g*(61/20)/sqrt(2*pi) <= 61/100", over="g in (0, 1/2]"), over=PLACES
)

relevant = claim(
    "structured-second-step-relevant",
    lhs=r"\tilde\sigma\,|T_j-\beta\gamma/\tilde\sigma|",
    tex=r"\frac{2\mu_j(1-\mu_j)X+\gamma(\sigma_\phi|q_{-A}|+|b^{(1)}-b|)}{\sqrt{2\pi}\,\sigma_\xi}+\Pr[yg^{(1)}>1]",
    states=SECOND,
    role="reading",
    title="Second step on relevant patterns",
    says=r"Where $yg^{(1)}>1$ has chance at most $e^{-k}$, $|T_j-\beta\gamma/\tilde\sigma|\le e^{-k}/\tilde\sigma+"
    r"\frac{31}{100}\epsilon_{e2}/\tilde\sigma+5\eta/\sigma_\xi+\frac{61}{100}\eta|a|\epsilon_e/(\tilde\sigma\sigma_\xi)$"
    r" for all $j\in A$, $\beta=\Pr[b^{(0)}+\xi\in(0,1)]$, all laws of the family and all typical neurons.",
    covers="relevant",
    reads={"law": "law p s", "initialisation": "own rest b a", "beta_i": "b s"},
    **ONE_POINT,
    legs=[
        compared(
            "members and neurons",
            relevant_error,
            relevant_bound,
            some_step,
            4,
            12,
            gives="beta_i",
            chosen_by=start_gate,
            inside="j",
        ),
        compared("at a bend", relevant_error, relevant_bound, bent),
        compared("above the margin", relevant_error, relevant_bound, above),
        *ON_CHAIN,
        CANCEL,
        SPREAD,
        OF_BIAS,
    ],
    rivals=[
        variant("gamma/sigma~, no gate", simulation=ungated, leg="at a bend"),
        variant("half", reference=relevant_half, leg="at a bend"),
        variant("bad inputs left in", reference=no_bad_on_a, leg="above the margin"),
        *ON_WRONG,
        *rivals_of(
            CANCEL,
            {
                "once": "(g/V)*(R/V)*(43/5)*(r2/V)*E*(sqrt(2*L)*V**2/(g*k**2))*(2*k*sqrt(L)/R)"
                " == (43/5)*r2*E*sqrt(2)*L/(k*V)"
            },
        ),
        *rivals_of(SPREAD, {"constant 4": DEVIATION.format(c=4)}),
        *rivals_of(OF_BIAS, {"3/5": "g*(61/20)/sqrt(2*pi) <= 3/5"}),
    ],
)

OFF_CHAIN, OFF_WRONG = chain(PLACES, "2", "61/50", "6/5", "C c")
background = claim(
    "structured-second-step-background",
    lhs=r"\tilde\sigma\,|T_j|",
    tex=r"\frac{2p(1-p)X}{\sqrt{2\pi}\,\sigma_\xi}+\Pr[yg^{(1)}>1]",
    states=SECOND,
    role="reading",
    title="Second step on background patterns",
    says=r"Where $yg^{(1)}>1$ has chance at most $e^{-k}$, $|T_j|\le e^{-k}/\tilde\sigma+\frac{61}{50}\sigma_\phi^2"
    r"\epsilon_{e2}\tilde\sigma$ for all $j\notin A$, all laws of the family and all typical neurons.",
    covers="background",
    reads={"law": "law p s", "initialisation": "own rest b a"},
    **ONE_POINT,
    legs=[
        compared(
            "members and neurons", background_size, background_bound, some_step, 4, 12, inside="j"
        ),
        compared("a heavy pattern", background_size, background_bound, heavy),
        compared("above the margin", background_size, background_bound, above_by_background),
        *OFF_CHAIN,
    ],
    rivals=[
        variant("a third", reference=background_third, leg="a heavy pattern"),
        variant("bad inputs left in", reference=no_bad_off_a, leg="above the margin"),
        *OFF_WRONG,
    ],
)

EVERY = "law initialisation i"
B_CHAIN, B_WRONG = chain(EVERY, "1", "61/100", "3/5", "C c")
bias = claim(
    "structured-second-step-bias-size",
    lhs="|T_b|",
    tex=r"\frac X{\sqrt{2\pi}\,\sigma_\xi}+\Pr[yg^{(1)}>1]",
    states="structured-second-step-bias",
    role="reading",
    title="Second step of the biases",
    says=r"Where $yg^{(1)}>1$ has chance at most $e^{-k}$, $|T_b|\le e^{-k}+\frac{61}{100}\epsilon_{e2}$ for all laws "
    "of the family and all typical neurons.",
    covers="bound",
    reads={"law": "law p s", "initialisation": "own rest b a", "i": "own rest b a"},
    **ONE_POINT,
    legs=[
        compared("members and neurons", bias_size, bias_bound, some_step, 4, 12),
        compared("at the steepest", bias_size, bias_bound, steep),
        compared("above the margin", bias_size, bias_bound, above),
        *B_CHAIN,
    ],
    rivals=[
        variant("half", reference=bias_half, leg="at the steepest"),
        variant("bad inputs left in", reference=no_bad_bias, leg="above the margin"),
        *B_WRONG,
    ],
)

A_NAMES = "law init i"
A_LIPSCHITZ = formula_leg(
    "activation",
    typed(
        "abs(Min(1, Max(0, u + v)) - Min(1, Max(0, v))) <= abs(u) and Min(1, Max(0, v)) <= 1",
        over=["u in R", "v in R"],
    ),
    over=A_NAMES,
)
A_SUM = "k*(1/(2*V))*(1/(2*V))*sqrt(2*L)*V**2/(g*k**2) <= {c}*V/g and 2*mu*(1 - mu) <= 1/2"
A_SIZE = formula_leg(
    "size",
    typed(A_SUM.format(c="(3/4)"), over=[*PLACE, "V in [k/2, oo)", "g > 0", "mu in [0, 1]"]),
    over=A_NAMES,
    gives="C c poly",
)
read_out = claim(
    "structured-second-step-readout-size",
    lhs="|T_a|",
    tex=r"\textstyle\sum_A|u_l|\,2\mu_l(1-\mu_l)+\Pr[yg^{(1)}>1]",
    states="structured-second-step-readout",
    role="reading",
    title="Second step of the read-outs",
    says=r"Where $yg^{(1)}>1$ has chance at most $e^{-k}$, $|T_a|\le e^{-k}+\frac34\eta\tilde\sigma/\gamma$, without a "
    "polynomial, for all laws of the family and all typical neurons.",
    covers="bound",
    reads={"law": "law p s", "init": "own rest b a", "i": "own rest b a"},
    **ONE_POINT,
    legs=[
        compared("members and neurons", read_out_size, read_out_bound, some_step, 4, 12),
        compared("at the steepest", read_out_size, read_out_bound, steep),
        compared("above the margin", read_out_size, read_out_bound, above),
        A_LIPSCHITZ,
        A_SIZE,
    ],
    rivals=[
        variant("a third", reference=read_out_third, leg="at the steepest"),
        variant("bad inputs left in", reference=no_bad_read_out, leg="above the margin"),
        *rivals_of(
            A_LIPSCHITZ,
            {"half the slope": "abs(Min(1, Max(0, u + v)) - Min(1, Max(0, v))) <= abs(u)/2"},
        ),
        *rivals_of(A_SIZE, {"constant 1/2": A_SUM.format(c="(1/2)")}),
    ],
)
