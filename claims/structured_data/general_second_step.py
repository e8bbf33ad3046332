r"""Lemma A.40: the class-weighted second step of the general setting, with explicit constants.

Setting. As in `general_first_step`, after one step: q_l = <w^(1), M_l>, a Gaussian part of deviation v = sigma_zeta
|w^(1)|/sigma~ from the input noise, s = sigma_xi^(2), |a| <= sigma_a sqrt(2 L), sigma_a <= sigma~^2/(gamma k^2), L =
ln(D m/delta) <= sqrt(k); D mu/sqrt(d) <= 1/16, sigma_zeta sigma~ <= 1, D >= 2 k^2, p >= k^2/D, so sigma~ >= 12 k/25;
sigma_w so small that sigma~ eps_e <= k sqrt(L) (the source says: small enough). Where y g^(1) > 1 has E alpha_y 1 <=
e^-k: the lemma takes that from A.38. eps_e with the logarithm of the typical set, eps_e2 = eta |a| k (gamma +
eps_e)/(sigma~^2 s) here. The loss is the one with class weights; the header of the print has it without.

Statements. H(z) = P[z + v g + xi in (0, 1)] has |H'| <= 1/(sqrt(2 pi) s). By the first step's bounds |q_l| <= (33/32)
eta |a| (gamma + eps_e)/sigma~ on A, other columns included, so the relevant part of z is at most X = sum_A |q_l|/sigma~
<= (33/32) eta |a| k (gamma + eps_e)/sigma~^2. (1) Without it E[alpha_y y phi_j H] = (gamma/sigma~) E H, and E H is
beta = H(b^(0)) at v = 0 up to (E|background part| + E|v g| + |b^(1) - b^(0)|)/(sqrt(2 pi) s), dependent backgrounds
included: |T_j - beta gamma/sigma~| <= e^-k/sigma~ + (1/4) eps_e2/sigma~ + 6 eta/s + (2/25) eta |a| eps_e/(sigma~ s) on
A. (2) Off A |T_j| <= e^-k/sigma~ + (5/6) sigma_phi_j^2 sigma~ eps_e2. (3) By parts as in the first step, |nu| <= (6/5)
eta sigma_zeta/(gamma s) + (sigma_zeta/sigma~) e^(-k/2): the bad inputs cost E alpha |g| 1 <= sqrt(E alpha g^2 e^-k).

Reference: Lemma A.40, lines 4942-5104.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import partial

from flint import arb, ctx

from theorycheck import claim, formula_leg, rivals_of, typed, variant

from ._balls import ONE_POINT, number
from ._bounded import bounded
from ._first_step import means
from ._general_second import (
    FIELDS,
    PRECISION,
    after_one,
    missing,
    second_step,
    spread,
    start_gate,
)
from .general_first_step import any_member, half_difference

SECOND = "structured-general-second-step"


def slope(s):
    return 1 / (number(s) * (2 * arb.pi()).sqrt())


def reach(law, neuron):
    """Sum of |q_l| over A."""
    return sum((abs(u) for u in neuron.q[: len(law[0][0])]), arb(0))


def rates(back):
    return means([(bits, 1, c) for bits, c in back])


def relevant_error(law, back, gram, start, off, b, s, noise, many, eta, a, s2, **changes):
    """sigma~ |T_j - beta gamma/sigma~| on A. Shape (k,)."""
    with ctx.workprec(PRECISION):
        found = second_step(law, back, gram, start, off, b, s, noise, many, eta, a, s2, **changes)
        lead = number(half_difference(law)) * start_gate(b, s2)
        return [abs(t - lead) for t in found.patterns[: len(law[0][0])]]


def unweighted(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return relevant_error(
        law, back, gram, start, off, b, s, noise, many, eta, a, s2, weighted=False
    )


def relevant_bound(
    law, back, gram, start, off, b, s, noise, many, eta, a, s2, share=Fraction(9, 16), rest=1, bad=1
):
    """(9/16) X H' + gamma H' (E|background| + E|v g| + |b^(1) - b|) + E alpha 1[bad]. Shape (k,)."""
    with ctx.workprec(PRECISION):
        given = (law, back, gram, start, off, b, s, noise, many, eta, a)
        neuron = after_one(*given)[0]
        far = abs(neuron.bias - number(b)) + (2 * neuron.variance / arb.pi()).sqrt()
        for u, p in zip(neuron.q[len(law[0][0]) :], rates(back), strict=True):
            far += abs(u) * number(2 * p * (1 - p))
        size = number(share) * reach(law, neuron) + rest * number(half_difference(law)) * far
        return [slope(s2) * size + bad * missing(*given, s2) for _ in law[0][0]]


def relevant_sixth(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return relevant_bound(
        law, back, gram, start, off, b, s, noise, many, eta, a, s2, share=Fraction(1, 6)
    )


def reach_alone(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return relevant_bound(law, back, gram, start, off, b, s, noise, many, eta, a, s2, rest=0)


def relevant_kept(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return relevant_bound(law, back, gram, start, off, b, s, noise, many, eta, a, s2, bad=0)


def background_size(law, back, gram, start, off, b, s, noise, many, eta, a, s2, **changes):
    """sigma~ |T_j| off A. Shape (D - k,)."""
    with ctx.workprec(PRECISION):
        found = second_step(law, back, gram, start, off, b, s, noise, many, eta, a, s2, **changes)
        return [abs(t) for t in found.patterns[len(law[0][0]) :]]


def background_bound(law, back, gram, start, off, b, s, noise, many, eta, a, s2, share=2, bad=1):
    """2 p_j (1 - p_j) X H' + E alpha 1[bad]. Shape (D - k,)."""
    with ctx.workprec(PRECISION):
        given = (law, back, gram, start, off, b, s, noise, many, eta, a)
        size = slope(s2) * reach(law, after_one(*given)[0])
        lost = bad * missing(*given, s2)
        return [number(share * p * (1 - p)) * size + lost for p in rates(back)]


def background_tenth(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return background_bound(
        law, back, gram, start, off, b, s, noise, many, eta, a, s2, share=Fraction(1, 5)
    )


def background_kept(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return background_bound(law, back, gram, start, off, b, s, noise, many, eta, a, s2, bad=0)


def noise_size(law, back, gram, start, off, b, s, noise, many, eta, a, s2, **changes):
    """sigma~ |nu|/sigma_zeta, which bounds every coordinate. Shape ()."""
    with ctx.workprec(PRECISION):
        given = (law, back, gram, start, off, b, s, noise, many, eta, a, s2)
        return abs(second_step(*given, **changes).noise)


def noise_bound(law, back, gram, start, off, b, s, noise, many, eta, a, s2, share=1):
    """(9/8) e^(-1/2)/sqrt(2 pi) v X/tau^2. Shape ()."""
    with ctx.workprec(PRECISION):
        neuron = after_one(law, back, gram, start, off, b, s, noise, many, eta, a)[0]
        top = number(Fraction(9, 8)) * (-arb(1) / 2).exp() / (2 * arb.pi()).sqrt()
        part = neuron.variance.sqrt() / spread(neuron, s2) ** 2
        return number(share) * top * part * reach(law, neuron)


def noise_eighth(law, back, gram, start, off, b, s, noise, many, eta, a, s2):
    return noise_bound(
        law, back, gram, start, off, b, s, noise, many, eta, a, s2, share=Fraction(1, 8)
    )


# ---------------------------------------------------------------- instances


def incoherent(rng, D):
    """A Gram matrix of unit columns with entries up to 1/(16 D)."""
    gram = [[Fraction(int(i == j)) for j in range(D)] for i in range(D)]
    for i, j in itertools.combinations(range(D), 2):
        gram[i][j] = gram[j][i] = Fraction(int(rng.integers(-4, 5)), 64 * D)
    return gram


def some_step(rng):
    """A member with dependent background and unbalanced classes, input noise, read-outs too small for the margin."""
    found = any_member(rng)
    D = len(found["own"]) + 2
    return {
        "law": found["law"],
        "back": found["back"],
        "gram": incoherent(rng, D),
        "start": [*found["own"], *found["rest"]],
        "off": Fraction(int(rng.integers(1, 9)), 4),
        "b": Fraction(int(rng.integers(-2, 3)), 8),
        "s": Fraction(int(rng.integers(1, 5)), 8),
        "noise": Fraction(int(rng.integers(1, 5)), 16),
        "many": D + int(rng.integers(0, 5)),
        "eta": Fraction(int(rng.integers(1, 3)), 8),
        "a": Fraction(int(rng.signs()) * int(rng.integers(1, 3)), 8),
        "s2": Fraction(1, int(rng.integers(8, 33))),
    }


def one_pattern(rate=Fraction(1, 10), other=Fraction(1, 10), **changes):
    """One relevant pattern of this rate, one background pattern that takes the threshold away, no noise."""
    return {
        "law": [((0,), -1, 1 - rate), ((1,), 1, rate)],
        "back": [((0,), 1 - other), ((1,), other)],
        "gram": [[Fraction(1), Fraction(1, 64)], [Fraction(1, 64), Fraction(1)]],
        "start": [Fraction(1, 10), Fraction(1, 10)],
        "off": Fraction(1),
        "b": Fraction(0),
        "s": Fraction(1, 8),
        "noise": Fraction(0),
        "many": 3,
        "eta": Fraction(1, 8),
        "a": Fraction(1, 8),
        "s2": Fraction(1, 8),
        **changes,
    }


def steep(rng):
    """The lower threshold at the bias, nine labels of ten -1."""
    return one_pattern()


def away(rng):
    """Much noise, so that X is small, and a bias at the threshold that moves."""
    return one_pattern(
        rate=Fraction(1, 2),
        start=[Fraction(1), Fraction(1, 10)],
        off=Fraction(1, 100),
        noise=Fraction(1, 4),
        many=1600,
        eta=Fraction(1, 4),
        a=Fraction(1, 4),
    )


def taken(rng):
    """The background pattern takes the threshold away."""
    return one_pattern(
        rate=Fraction(9, 10),
        other=Fraction(1, 4),
        start=[Fraction(1), Fraction(3)],
        b=Fraction(1),
        s=Fraction(1, 4),
        eta=Fraction(1, 4),
        a=Fraction(1, 4),
        s2=Fraction(1, 128),
    )


def above(rng):
    """A small read-out, a large step: all positive inputs are above the margin."""
    return one_pattern(
        rate=Fraction(1, 2),
        start=[Fraction(1), Fraction(1, 10)],
        b=Fraction(1, 4),
        eta=Fraction(20),
        a=Fraction(1, 1000),
        s2=Fraction(1, 2),
    )


def background_above(rng):
    """Inputs above the margin where the background pattern is off as well."""
    return one_pattern(
        rate=Fraction(9, 10),
        other=Fraction(9, 10),
        start=[Fraction(3, 2), Fraction(-5, 4)],
        b=Fraction(-3, 8),
        eta=Fraction(2),
        a=Fraction(2),
        s2=Fraction(1),
    )


def noisy(rng):
    """Nine labels of ten -1, noise, the steepest place."""
    return one_pattern(
        noise=Fraction(1, 4), off=Fraction(4), s2=Fraction(1, 64), b=Fraction(-1, 64)
    )


compared = partial(bounded, FIELDS)
NAMES = "law init"
READS = {"law": "law back gram noise many", "init": "start off b a"}

# ---------------------------------------------------------------- typed steps


def steps(over):
    """Slope of H, the scale, the size of q on A."""
    density = formula_leg(
        "an interval",
        typed(
            "Phi(x + t/tau) - Phi(x) <= t/(s*sqrt(2*pi))",
            over=["x in R", "t in [0, oo)", "s > 0", "tau in [s, oo)"],
        ),
        over=over,
    )
    size = formula_leg(
        "sigma~",
        typed(
            "(15/16)*(D - k)*p*(1 - p) >= (12*k/25)**2",
            over=["k in 1..oo", "D in [2*k**2, oo)", "p in [k**2/D, 1/2]"],
        ),
        over=over,
    )
    on_a = formula_leg("q on A", typed(ON_A.format(c="33/32"), over=ON_A_OVER), over=over)
    wrong = [
        *rivals_of(density, {"t/(3 s)": "Phi(x + t/tau) - Phi(x) <= t/(3*s)"}),
        *rivals_of(size, {"k/2": "(15/16)*(D - k)*p*(1 - p) >= (k/2)**2"}),
        *rivals_of(on_a, {"constant 1": ON_A.format(c="1")}),
    ]
    return [density, size, on_a], wrong


ON_A = "(g + e/4) + (k*(g + e/4) + D*e/5)/(16*D) + (3/20)*z*e <= ({c})*(g + e)"
ON_A_OVER = ["k in 1..oo", "D in [2*k**2, oo)", "g in (0, 1/2]", "e >= 0", "z in [0, 9/4]"]


def last(over, share, constant, smaller, gives):
    """``share`` (33/32) eps_e2/sqrt(2 pi)."""
    text = f"({share})*(33/32)*x/sqrt(2*pi) <= {{c}}*x"
    found = formula_leg(
        "size", typed(text.format(c=constant), over="x >= 0"), over=over, gives=gives
    )
    return found, rivals_of(found, {f"constant {smaller}": text.format(c=smaller)})


BACK = "sqrt(2)*q/k**2*((88/75)*k*q + (1/32)*(25/24 + (625/576)*q)) <= {c}"
NOISE = "sqrt(2)*q*(25/12)/k**3*((33/32)*((25/12)*(1/2 + (25/48)*q) + (125/144)*q) + (3/20)*q*(25/12)**3/k**2) <= {c}"
PLACE = ["k in 1..oo", "q in [0, sqrt(k)]"]
ON_STEPS, ON_WRONG = steps(NAMES)
ON_LAST, ON_LAST_WRONG = last(NAMES, "9/16", "(1/4)", "(1/5)", "C")
ON_BACK = formula_leg("background's part", typed(BACK.format(c="9/5"), over=PLACE), over=NAMES)
ON_NOISE = formula_leg("the noise's part", typed(NOISE.format(c=14), over=PLACE), over=NAMES)
ON_BIAS = formula_leg(
    "the bias's move",
    typed(
        "g*(2/5)/sqrt(2*pi) <= 2/25 and (9/5 + 14*sqrt(2/pi))/sqrt(2*pi) <= 6 and 2*(4/5)/4 == 2/5",
        over="g in (0, 1/2]",
    ),
    over=NAMES,
)

relevant = claim(
    "structured-general-second-step-relevant",
    lhs=r"\tilde\sigma\,|T_j-\beta\gamma/\tilde\sigma|",
    tex=r"\tfrac{\frac9{16}X+\gamma(\mathbb E|q_{-A}\phi_{-A}|+\mathbb E|vg|+|b^{(1)}-b|)}{\sqrt{2\pi}\,\sigma_\xi}"
    r"+\mathbb E\alpha_y1[yg^{(1)}>1]",
    states=SECOND,
    role="reading",
    title="Class-weighted second step on relevant patterns",
    says=r"Where $\mathbb E\alpha_y1[yg^{(1)}>1]\le e^{-k}$ and $\tilde\sigma\epsilon_e\le k\sqrt L$, for every law of "
    r"the general family and every typical neuron $|T_j-\beta\gamma/\tilde\sigma|\le e^{-k}/\tilde\sigma+\frac14"
    r"\epsilon_{e2}/\tilde\sigma+6\eta/\sigma_\xi+\frac2{25}\eta|a|\epsilon_e/(\tilde\sigma\sigma_\xi)$ on $A$, "
    r"$\beta=\Pr[b^{(0)}+\xi\in(0,1)]$, $\epsilon_e$ with the logarithm of the typical set.",
    covers="relevant",
    reads={**READS, "beta_i": "b s2"},
    **ONE_POINT,
    legs=[
        compared(
            "members and neurons",
            relevant_error,
            relevant_bound,
            some_step,
            2,
            6,
            gives="beta_i",
            chosen_by=start_gate,
            inside="j",
        ),
        compared("nine of ten", relevant_error, relevant_bound, steep),
        compared("a moving bias", relevant_error, relevant_bound, away),
        compared("above the margin", relevant_error, relevant_bound, above),
        *ON_STEPS,
        ON_LAST,
        ON_BACK,
        ON_NOISE,
        ON_BIAS,
    ],
    rivals=[
        variant("without class weights", simulation=unweighted, leg="nine of ten"),
        variant("a sixth of X", reference=relevant_sixth, leg="nine of ten"),
        variant("X alone", reference=reach_alone, leg="a moving bias"),
        variant("bad inputs left in", reference=relevant_kept, leg="above the margin"),
        *ON_WRONG,
        *ON_LAST_WRONG,
        *rivals_of(ON_BACK, {"constant 3/2": BACK.format(c="3/2")}),
        *rivals_of(ON_NOISE, {"constant 10": NOISE.format(c=10)}),
    ],
)

OFF_STEPS, OFF_WRONG = steps("j")
OFF_LAST, OFF_LAST_WRONG = last("j", "2", "(5/6)", "(4/5)", "C c")
background = claim(
    "structured-general-second-step-background",
    lhs=r"\tilde\sigma\,|T_j|",
    tex=r"2p_j(1-p_j)\tfrac X{\sqrt{2\pi}\,\sigma_\xi}+\mathbb E\alpha_y1[yg^{(1)}>1]",
    states=SECOND,
    role="reading",
    title="Class-weighted second step on background patterns",
    says=r"Where $\mathbb E\alpha_y1[yg^{(1)}>1]\le e^{-k}$, for every law of the general family, also with dependent "
    r"backgrounds, and every typical neuron $|T_j|\le e^{-k}/\tilde\sigma+\frac56\sigma_{\phi_j}^2\tilde\sigma"
    r"\epsilon_{e2}$ off $A$, $\epsilon_e$ with the logarithm of the typical set.",
    covers="background",
    **ONE_POINT,
    legs=[
        compared(
            "members and neurons", background_size, background_bound, some_step, 2, 6, inside="j"
        ),
        compared("taken away", background_size, background_bound, taken),
        compared("above the margin", background_size, background_bound, background_above),
        *OFF_STEPS,
        OFF_LAST,
    ],
    rivals=[
        variant("a tenth", reference=background_tenth, leg="taken away"),
        variant("bad inputs left in", reference=background_kept, leg="above the margin"),
        *OFF_WRONG,
        *OFF_LAST_WRONG,
    ],
)

ALONG = "(3/20)*(33/32)*sqrt(2)*q/k*(1/2 + (25/12)*q)*(25/(12*k)) <= {c}"
NU_STEPS, NU_WRONG = steps("j")
NU_LAST = formula_leg(
    "size",
    typed(ALONG.format(c="(6/5)"), over=["k in 1..oo", "q in [0, k**(1/4)]"]),
    over="j",
    gives="C c",
)
NU_PARTS = formula_leg(
    "share of one direction",
    typed(
        "(9/8)*exp(-1/2)/sqrt(2*pi)*v/(s**2 + v**2) <= (3/20)/s and abs(x)*exp(-x**2/2) <= exp(-1/2)",
        over=["v >= 0", "s > 0", "x in R"],
    ),
    over="j",
)
NU_BAD = formula_leg(
    "bad inputs",
    typed("abs(g)*i <= (t*g**2 + i/t)/2", over=["g in R", "i in {0, 1}", "t > 0"]),
    over="j",
)
along = claim(
    "structured-general-second-step-noise",
    lhs=r"\tilde\sigma\,|\nu|/\sigma_\zeta",
    tex=r"\tfrac98\,\tfrac{e^{-1/2}}{\sqrt{2\pi}}\,\tfrac{vX}{\tau^2}",
    states=SECOND,
    role="reading",
    title="Second step along the input noise",
    says=r"Where $\mathbb E\alpha_y1[yg^{(1)}>1]\le e^{-k}$ and $\tilde\sigma\epsilon_e\le k\sqrt L$, for every law of "
    r"the general family and every typical neuron $|\nu_j|\le\frac65\,\eta\sigma_\zeta/(\gamma\sigma_\xi)+"
    r"\frac{\sigma_\zeta}{\tilde\sigma}e^{-k/2}$ for all $j$.",
    covers="noise-part",
    **ONE_POINT,
    legs=[
        compared("members and neurons", noise_size, noise_bound, some_step, 2, 6, inside="j"),
        compared("nine of ten", noise_size, noise_bound, noisy),
        *NU_STEPS,
        NU_PARTS,
        NU_LAST,
        NU_BAD,
    ],
    rivals=[
        variant("an eighth", reference=noise_eighth, leg="nine of ten"),
        *NU_WRONG,
        *rivals_of(NU_LAST, {"constant 11/10": ALONG.format(c="(11/10)")}),
        *rivals_of(NU_PARTS, {"1/(8 s)": "(9/8)*exp(-1/2)/sqrt(2*pi)*v/(s**2 + v**2) <= (1/8)/s"}),
        *rivals_of(NU_BAD, {"half of it": "abs(g)*i <= (t*g**2 + i/t)/4"}),
    ],
)
