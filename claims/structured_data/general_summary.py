r"""Lemma A.37: weights, biases and read-outs after the class-weighted first step of the general setting.

Setting. As in `general_first_step` and `general_noise`; decay 1/(2 eta) of the weights, none of the read-outs, g^(0) =
0: w^(1) = eta a (sum_l T_l M_l + nu), b^(1) = b + eta a T_b, a^(1) = a + eta T_a, and for the copy -eta a, b - eta a
T_b, -a + eta T_a. The q_l here are the coefficients eta a T_l of the dictionary, not <w, M_l>, which differ where the
columns are not orthogonal.

Statements. (1) eta |a| times the bounds of T_l and nu: |q_l - eta a beta gamma/sigma~| <= (1/4) eta |a| eps_e/sigma~
on A, |q_l| <= (4/5) eta |a| sigma_phi^2 eps_e sigma~ off A, |nu_j| <= (3/20) eta |a| sigma_zeta eps_e/sigma~, eps_e
with the logarithm of the typical set, D >= 2 k^2. (2) The steps of biases and read-outs by the loss with class weights.
(3) |T_b| <= (2/5) eps_e, and |T_a| <= (9/16) k max|q|/sigma~, of order sigma_w sqrt(log(D m/delta)) for sigma~ >= c k.

Reference: Lemma A.37, lines 4787-4802.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import ctx

from theorycheck import claim, formula_leg, instances, leg, rivals_of, typed, variant

from . import general_first_step as first
from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from .general_noise import LAST as NOISE_LAST
from .general_noise import PARTS, SHARE, STEEP, noise_bound, noise_part
from .readout_size import weighted_component, weighted_read_out
from .training_steps import COPY, ITSELF, a_first_step, first_step, stepped

SUMMARY = "structured-general-first-step-summary"
FIELDS = "law own back rest b s noise eta a"


def deviation(s, noise):
    """tau, where s, noise are so that it is rational: noise (2 s, 2 s) or one coordinate 4 s/3."""
    return 3 * s if len(noise) == 2 else 5 * s / 3


def moved_by_step(law, own, back, rest, b, s, noise, eta, a, weighted=True):
    """sigma~ |q_l - eta a beta gamma/sigma~| on A, sigma~ |q_l| off A, sigma~ |nu_j|/sigma_zeta."""
    tau = deviation(s, noise)
    with ctx.workprec(BITS):
        parts = [
            *first.relevant_error(law, own, back, rest, b, tau, s, weighted=weighted),
            *first.background_size(law, own, back, rest, b, tau, s, weighted=weighted),
            *noise_part(law, own, back, rest, b, s, noise, weighted=weighted),
        ]
        return [number(eta * abs(a)) * x for x in parts]


def unweighted(law, own, back, rest, b, s, noise, eta, a):
    return moved_by_step(law, own, back, rest, b, s, noise, eta, a, weighted=False)


def beta_of(back, rest, b, s, noise):
    """The chance of (0, 1) without the relevant part, one for all of A."""
    return first.background_activity(back, rest, b, deviation(s, noise))


def with_one_beta(law, own, back, rest, b, s, noise, eta, a):
    """The first of these by that beta: |eta a| |T_l - beta gamma|, k of them."""
    with ctx.workprec(BITS):
        lead = number(first.half_difference(law)) * beta_of(back, rest, b, s, noise)
        found = list(first.rows(law, own, back, rest, b, deviation(s, noise)))
        return [
            number(eta * abs(a)) * abs(sum(v * number(f[j] - m) for v, f, _ in found) - lead)
            for j, m in enumerate(first.means(law))
        ]


def beta_bound(law, own, back, rest, b, s, noise, eta, a):
    with ctx.workprec(BITS):
        size = first.relevant_bound(law, own, back, rest, b, deviation(s, noise), s)
        return [number(eta * abs(a)) * x for x in size]


def step_bound(law, own, back, rest, b, s, noise, eta, a, share=1):
    tau = deviation(s, noise)
    with ctx.workprec(BITS):
        parts = [
            *first.relevant_bound(law, own, back, rest, b, tau, s),
            *first.background_bound(law, own, back, rest, b, tau, s),
            *noise_bound(law, own, back, rest, b, s, noise),
        ]
        return [number(share * eta * abs(a)) * x for x in parts]


def a_third(law, own, back, rest, b, s, noise, eta, a):
    return step_bound(law, own, back, rest, b, s, noise, eta, a, share=Fraction(1, 3))


def stepping(rng, found, s, noise):
    return {
        **{name: found[name] for name in ("law", "own", "back", "rest", "b")},
        "s": s,
        "noise": noise,
        "eta": Fraction(int(rng.integers(1, 9)), 2),
        "a": Fraction(int(rng.signs()) * int(rng.integers(1, 9)), 4),
    }


def some_step(rng):
    """A member with dependent background, a neuron, two coordinates of noise, a step."""
    s = Fraction(int(rng.integers(1, 5)), 4)
    return stepping(rng, first.any_member(rng), s, [2 * s, -2 * s])


def rare_step(rng):
    """One relevant pattern, nine labels of ten -1, a bias one deviation below 0."""
    s, coin = Fraction(3, 100), [((0,), Fraction(1, 2)), ((1,), Fraction(1, 2))]
    found = first.one_pattern(Fraction(1, 10), coin, [Fraction(0)])
    return stepping(rng, {**found, "b": Fraction(-1, 20)}, s, [Fraction(4, 100)])


compared = partial(bounded, FIELDS)
NAMES = "law init i"


def again(found, over=NAMES, gives=()):
    """A step of a neighbouring page, for the names of this one."""
    return formula_leg(found.name, found.simulation, over=over, gives=gives)


ON_CHAIN, ON_WRONG = first.chain(NAMES, "on A", "(9/16)/V", "/V", "(1/4)", "(1/5)")
OFF_CHAIN, OFF_WRONG = first.chain(NAMES, "off A", "2", "", "(4/5)", "(3/4)")
NOISE = [again(x) for x in (PARTS, STEEP, SHARE)]
NOISE_SIZE = formula_leg("noise", NOISE_LAST.simulation, over=NAMES, gives="C")
SCALED = "abs(eta*a*T) <= eta*abs(a)*E"
SCALE = formula_leg(
    "a step",
    typed(SCALED, over=["eta > 0", "a in R", "E >= 0", "T in [-E, E]"]),
    over=NAMES,
)

weights = claim(
    "structured-general-first-step-weights",
    lhs=r"\tilde\sigma\big(|q_A-\eta a\beta\gamma/\tilde\sigma|,|q_{-A}|,|\nu|/\sigma_\zeta\big)",
    tex=r"\eta|a|\cdot(\text{bounds of }T_A,\ T_{-A},\ \nu)",
    states=SUMMARY,
    role="reading",
    title="Weights after the class-weighted first step",
    says=r"For $D\ge2k^2$, every law of the general family and every typical neuron, $w^{(1)}=\sum_lq_lM_l+\nu$ with "
    r"$|q_l-\eta a\beta\gamma/\tilde\sigma|\le\frac14\eta|a|\epsilon_e/\tilde\sigma$ on $A$, $|q_l|\le\frac45\eta|a|"
    r"\sigma_{\phi_l}^2\epsilon_e\tilde\sigma$ off $A$, $|\nu_j|\le\frac3{20}\eta|a|\sigma_\zeta\epsilon_e/"
    r"\tilde\sigma$, $\epsilon_e$ with the logarithm of the typical set.",
    covers="weights",
    reads={
        "law": "law back",
        "init": "own rest b s noise a",
        "i": "own rest b s noise a",
        "beta_i": "back rest b s noise",
    },
    **ONE_POINT,
    legs=[
        compared("members and neurons", moved_by_step, step_bound, some_step, 2, 6, inside="l j"),
        compared("rare labels", moved_by_step, step_bound, rare_step),
        compared(
            "one beta",
            with_one_beta,
            beta_bound,
            some_step,
            4,
            8,
            gives="beta_i",
            chosen_by=beta_of,
        ),
        *ON_CHAIN,
        OFF_CHAIN[-1],
        *NOISE,
        NOISE_SIZE,
        SCALE,
    ],
    rivals=[
        variant("a third", reference=a_third, leg="rare labels"),
        variant("without class weights", simulation=unweighted, leg="rare labels"),
        *ON_WRONG,
        OFF_WRONG[-1],
        *rivals_of(SCALE, {"half": f"{SCALED}/2"}),
    ],
)


# ---------------------------------------------------------------- biases and read-outs


def alpha_of(law):
    mass = {y: sum((c for _, label, c in law if label == y), Fraction(0)) for y in (1, -1)}
    return {y: 1 / (2 * m) for y, m in mass.items()}


def weighted_step(w, b, a, law, s, eta):
    """By the derivatives of the class-weighted loss of a neuron and its copy."""
    return stepped(w, b, a, law, s, eta, weights=alpha_of(law))


def stated_step(w, b, a, law, s, eta):
    """By T, T_b and T_a with class weights."""
    return first_step(w, b, a, law, s, eta, weights=alpha_of(law))


def plain_step(w, b, a, law, s, eta):
    return first_step(w, b, a, law, s, eta)


def equal_copies(w, b, a, law, s, eta):
    return first_step(w, b, a, law, s, eta, copy=1, weights=alpha_of(law))


def both_labels(rng):
    """A step whose law has both labels, with unequal chances."""
    found = a_first_step(rng)
    rows = [(x, 1 if n else -1, c) for n, (x, _, c) in enumerate(found["law"])]
    return {**found, "law": rows}


def both_sizes(law, own, back, rest, b, tau, s):
    """|T_b| and |T_a|. Shape (2,)."""
    given = (law, own, back, rest, b, tau, s)
    return [first.bias_size(*given), weighted_read_out(*given)]


def both_bounds(law, own, back, rest, b, tau, s):
    given = (law, own, back, rest, b, tau, s)
    return [first.bias_bound(*given), weighted_component(*given)]


def both_unweighted(law, own, back, rest, b, tau, s):
    given = (law, own, back, rest, b, tau, s)
    return [first.bias_unweighted(*given), weighted_read_out(*given, weighted=False)]


B_CHAIN, B_WRONG = first.chain("i", "typical", "1", "", "(2/5)", "(1/3)")
updates = claim(
    "structured-general-first-step-updates",
    lhs="(w,b,a)^{(1)}",
    tex=r"(\eta aT,\,b+\eta aT_b,\,a+\eta T_a)",
    states=SUMMARY,
    title="Biases and read-outs after the class-weighted first step",
    says=r"$b^{(1)}=b+\eta aT_b$, $a^{(1)}=a+\eta T_a$, the copy $b-\eta aT_b$ and $-a+\eta T_a$, with $|T_b|\le\frac25"
    r"\epsilon_e$ ($D\ge2k^2$, $\epsilon_e$ with the logarithm of the typical set) and $|T_a|\le\frac9{16}k\max|q|/"
    r"\tilde\sigma$, for every law of the general family.",
    covers="updates",
    reads={"i": "w b a"},
    **ONE_POINT,
    legs=[
        leg(
            "a step of the network",
            weighted_step,
            reference=stated_step,
            required=False,
            unit=1,
            instances=instances(both_labels, "w b a law s eta", smoke=3, standard=6),
        ),
        bounded(
            first.FIELDS,
            "members and neurons",
            both_sizes,
            both_bounds,
            first.any_member,
            4,
            12,
            lhs="(|T_b|,|T_a|)",
            tex=r"\big(\tfrac{|q_A|_1}{\sqrt{2\pi}\tilde\sigma\sigma_\xi},\tfrac9{16}k\max|q|/\tilde\sigma\big)",
        ),
        bounded(
            first.FIELDS,
            "unbalanced",
            both_sizes,
            both_bounds,
            first.unbalanced,
            lhs="(|T_b|,|T_a|)",
            tex=r"\big(\tfrac{|q_A|_1}{\sqrt{2\pi}\tilde\sigma\sigma_\xi},\tfrac9{16}k\max|q|/\tilde\sigma\big)",
        ),
        again(ITSELF, "i"),
        again(COPY, "i"),
        *[again(x, "i") for x in B_CHAIN],
    ],
    rivals=[
        variant("equal copies", reference=equal_copies, leg="a step of the network"),
        variant("without class weights", reference=plain_step, leg="a step of the network"),
        variant("T without class weights", simulation=both_unweighted, leg="unbalanced"),
        *rivals_of(
            again(ITSELF, "i"),
            {"the read-out decays as well": "a - eta*(-A + 2*(1/(2*eta))*a) == a + eta*A"},
        ),
        *rivals_of(
            again(COPY, "i"), {"opposite read-outs": "-a - eta*(-A + 2*0*(-a)) == -(a + eta*A)"}
        ),
        *B_WRONG,
    ],
)
