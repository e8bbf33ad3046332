r"""Lemmas A.12 and A.13: weights, biases and read-outs after the first step, with explicit constants.

Setting. As in Lemma A.9: q^(1) = eta a T, b^(1) = b + eta a T_b, a^(1) = a + eta T_a (the copy with -a), T_a = E[y
sigma(<w, x> + b + xi)], e the change of a chance by the relevant part, n = D - k, r^2 = p (1 - p), L = ln(D m/delta).

Statements. (1) On A |q^(1)_l - eta a beta gamma/sigma~| <= 61/40 eta |a| eps_e/sigma~, with one beta for all l, and
beta >= 1/3 for p >= k^2/D, k >= 100 L^2, sigma_xi <= 1/k. (2) Off A |q^(1)_l| <= 43/5 sigma_phi^2 eta |a| eps_e sigma~.
(3) |T_b| <= 61/20 eps_e. With u = <phi_A, q_A>, v the rest, E y = 0 gives T_a = E[y (sigma(u + v) - sigma(v))], so
|T_a| <= E|u| <= k max|q|/(2 sigma~), and sigma~^2 >= r^2 n >= k^2/4 for p >= k^2/D: |T_a| <= sqrt(2) sigma_w sqrt(L).
(4) The biases of a neuron and its copy differ by 2 eta |a T_b| <= 61/10 eta |a| eps_e.

Reference: Lemma A.12, lines 3274-3288; Lemma A.11, lines 3226-3268; Lemma A.13, (A.133).
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import claim, formula_leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from ._first_step import activity, background_sum, covariance, generic, means, shifts
from .background_activity import beta_legs, scale_legs
from .first_step_bounds import (
    LEFT,
    TYPICAL,
    TYPICAL_OFF_A,
    TYPICAL_ON_A,
    VACUOUS,
    at_an_atom,
    background_bound,
    background_size,
    bias_bound,
    bias_size,
    chain,
    one_large,
    one_large_wide,
    relevant_bound,
    relevant_part,
    size_of_e,
    wide,
)
from .network_gradients import smoothed

SUMMARY, SMALL = "structured-first-step-summary", "structured-step1-output-small"
FIELDS = "law own rest b p s eta a"
NEURON = {"law": "law p s", "i": "own rest b a"}


def with_step(draw):
    """These instances with a step size and a read-out of either sign."""

    def drawn(rng):
        return {
            **draw(rng),
            "eta": Fraction(int(rng.integers(1, 9)), 2),
            "a": Fraction(int(rng.signs()) * int(rng.integers(1, 9)), 4),
        }

    return drawn


def compared(name, program, bound, draw, *counts, **pays):
    return bounded(FIELDS, name, program, bound, with_step(draw), *counts, **pays)


def stepped_error(law, own, rest, b, p, s, eta, a, share=1):
    """sigma~ |q^(1)_l - eta a beta gamma/sigma~| on A, q^(1) = eta a T. Shape (k,)."""
    with ctx.workprec(BITS):
        lead = number(eta * a * covariance(law)) * activity(rest, b, p, s) * share
        return [abs(number(eta * a) * t - lead) for t in relevant_part(law, own, rest, b, p, s)]


def half_the_lead(law, own, rest, b, p, s, eta, a):
    return stepped_error(law, own, rest, b, p, s, eta, a, share=number(Fraction(1, 2)))


def stepped_error_bound(law, own, rest, b, p, s, eta, a):
    with ctx.workprec(BITS):
        return [number(eta * abs(a)) * e for e in relevant_bound(law, own, rest, b, p, s)]


def signed_error_bound(law, own, rest, b, p, s, eta, a):
    with ctx.workprec(BITS):
        return [number(eta * a**2 / 20) * e for e in relevant_bound(law, own, rest, b, p, s)]


def stepped_background(law, own, rest, b, p, s, eta, a):
    """sigma~ |q^(1)_l| off A. Shape (groups,)."""
    with ctx.workprec(BITS):
        return [number(eta * abs(a)) * t for t in background_size(law, own, rest, b, p, s)]


def stepped_background_bound(law, own, rest, b, p, s, eta, a, **parts):
    with ctx.workprec(BITS):
        return [
            number(eta * abs(a)) * e for e in background_bound(law, own, rest, b, p, s, **parts)
        ]


def background_shape(law, own, rest, b, p, s, eta, a):
    return stepped_background_bound(law, own, rest, b, p, s, eta, a, spread=0)


def background_spread(law, own, rest, b, p, s, eta, a):
    return stepped_background_bound(law, own, rest, b, p, s, eta, a, shape=0)


def both_sizes(law, own, rest, b, p, s, eta, a):
    """|T_b| and |T_a|. Shape (2,)."""
    with ctx.workprec(BITS):
        total, read_out = background_sum(rest, p), arb(0)
        for t, _, y, c in shifts(law, own):
            for v, m in total.items():
                z = t + v + b
                unit = smoothed(z, s) if s else number(min(1, max(0, z)))
                read_out += number(y * c * m) * unit
        return [bias_size(law, own, rest, b, p, s), abs(read_out)]


def both_bounds(law, own, rest, b, p, s, eta, a, factor=1, **parts):
    """e, and the sum of |u_l| 2 mu_l (1 - mu_l) over A. Shape (2,)."""
    with ctx.workprec(BITS):
        moved = sum(
            (abs(u) * 2 * m * (1 - m) for u, m in zip(own, means(law), strict=True)), Fraction(0)
        )
        return [bias_bound(law, own, rest, b, p, s, **parts), number(factor * moved)]


def third_of_the_read_out(law, own, rest, b, p, s, eta, a):
    return both_bounds(law, own, rest, b, p, s, eta, a, factor=Fraction(1, 3))


def both_shapes(law, own, rest, b, p, s, eta, a):
    return both_bounds(law, own, rest, b, p, s, eta, a, spread=0)


def gap_of_biases(law, own, rest, b, p, s, eta, a):
    """|b^(1)_i - b^(1)_(m + i)|: each step is eta a T_b with the read-out's sign. Shape ()."""
    with ctx.workprec(BITS):
        return number(2 * eta * abs(a)) * bias_size(law, own, rest, b, p, s)


def gap_bound(law, own, rest, b, p, s, eta, a, factor=2, **parts):
    with ctx.workprec(BITS):
        return number(factor * eta * abs(a)) * bias_bound(law, own, rest, b, p, s, **parts)


def half_the_gap(law, own, rest, b, p, s, eta, a):
    return gap_bound(law, own, rest, b, p, s, eta, a, factor=Fraction(2, 3))


def gap_spread(law, own, rest, b, p, s, eta, a):
    return gap_bound(law, own, rest, b, p, s, eta, a, shape=0)


def linear(rng):
    """A small relevant part in the middle of (0, 1), where sigma is linear: y = 1 with all patterns on, else -1."""
    return {
        "law": [((0, 0), -1, Fraction(1, 2)), ((1, 1), 1, Fraction(1, 2))],
        "own": [Fraction(1, 10)] * 2,
        "rest": [(Fraction(1, 100), 3)],
        "b": Fraction(1, 2),
        "p": Fraction(1, 4),
        "s": Fraction(0),
    }


def scaled(name, factor, over):
    """|factor eta a T| is factor eta |a| |T|."""
    step = formula_leg(
        name,
        typed(
            f"abs({factor}*eta*a*T) <= {factor}*eta*abs(a)*E",
            over=["eta > 0", "a in R", "E >= 0", "T in [-E, E]"],
        ),
        over=over,
    )
    return step, rivals_of(step, {"half": f"abs({factor}*eta*a*T) <= {factor}*eta*abs(a)*E/2"})


ON = "law i"
ON_CHAIN, ON_WRONG = chain(ON)
ON_SIZE = formula_leg("typical", TYPICAL_ON_A, over=ON, gives="C")
ON_STEP, ON_STEP_WRONG = scaled("a step", 1, ON)
ON_SCALE, ON_SCALE_WRONG = scale_legs(ON)
ON_BETA, ON_BETA_WRONG = beta_legs(ON, "c")
weights = claim(
    "structured-first-step-weights",
    lhs=r"\tilde\sigma\,|q^{(1)}_l-\eta a\beta\gamma/\tilde\sigma|",
    tex=r"2\mu_l(1-\mu_l)\,\eta|a|\,e",
    states=SUMMARY,
    title="Weights on relevant patterns after the first step",
    says=r"$|q^{(1)}_l-\eta a\beta\gamma/\tilde\sigma|\le\frac{61}{40}\eta|a|\epsilon_e/\tilde\sigma$ for all $l\in A$ "
    r"with one $\beta$, and $\beta\ge\frac13$ for $p\ge k^2/D$, $k\ge100\ln^2(Dm/\delta)$, $\sigma_\xi\le1/k$.",
    covers="weights-A",
    reads={**NEURON, "beta_i": "own rest b p s"},
    **ONE_POINT,
    legs=[
        compared(
            "members and neurons",
            stepped_error,
            stepped_error_bound,
            generic,
            4,
            12,
            gives="beta_i",
            chosen_by=activity,
            inside="l",
        ),
        compared("at an atom", stepped_error, stepped_error_bound, at_an_atom),
        compared("900 patterns", stepped_error, stepped_error_bound, wide),
        *ON_CHAIN,
        ON_SIZE,
        ON_STEP,
        *ON_SCALE,
        *ON_BETA,
    ],
    rivals=[
        variant("half of beta", simulation=half_the_lead, leg="at an atom"),
        variant("a^2/20 for |a|", reference=signed_error_bound, leg="at an atom"),
        *ON_WRONG,
        *ON_STEP_WRONG,
        *ON_SCALE_WRONG,
        *ON_BETA_WRONG,
        *rivals_of(
            ON_SIZE, {"constant 1/2": f"2*mu*(1 - mu) <= 1/2 and {size_of_e('n/2', '1/2', '1/2')}"}
        ),
    ],
)

OFF_CHAIN, OFF_WRONG = chain(ON)
OFF_LEFT = formula_leg("less one pattern", LEFT, over=ON)
OFF_SIZE = formula_leg("typical, 8 L <= n", TYPICAL_OFF_A, over=ON, gives="C")
OFF_VACUOUS = formula_leg("8 L > n", VACUOUS, over=ON, gives="C")
OFF_STEP, OFF_STEP_WRONG = scaled("a step", 1, ON)
weights_off = claim(
    "structured-first-step-weights-background",
    lhs=r"\tilde\sigma\,|q^{(1)}_l|",
    tex=r"2p(1-p)\,\eta|a|\,e",
    states=SUMMARY,
    title="Weights on background patterns after the first step",
    says=r"$|q^{(1)}_l|\le\frac{43}5\sigma_\phi^2\eta|a|\epsilon_e\tilde\sigma$ for all $l\notin A$, all typical "
    "neurons and all laws of the family.",
    covers="weights-background",
    reads=NEURON,
    **ONE_POINT,
    legs=[
        compared(
            "members and neurons",
            stepped_background,
            stepped_background_bound,
            generic,
            4,
            12,
            inside="l",
        ),
        compared("one large", stepped_background, stepped_background_bound, one_large),
        compared("one large, 900", stepped_background, stepped_background_bound, one_large_wide),
        *OFF_CHAIN,
        OFF_LEFT,
        OFF_SIZE,
        OFF_VACUOUS,
        OFF_STEP,
    ],
    rivals=[
        variant("the shape alone", reference=background_shape, leg="one large, 900"),
        variant("the spread alone", reference=background_spread, leg="one large"),
        *OFF_WRONG,
        *OFF_STEP_WRONG,
        *rivals_of(OFF_SIZE, {"constant 1": size_of_e("n/4", "2", "1")}),
        *rivals_of(OFF_LEFT, {"4 L <= n": {"over": ["L > 0", "n in [4*L, oo)"]}}),
        *rivals_of(OFF_VACUOUS, {"constant 2": "2 <= 2*(k*sqrt(L) + L**(3/2))/(r*sqrt(n))"}),
    ],
)

T_CHAIN, T_WRONG = chain(ON)
T_SIZE = formula_leg("typical", TYPICAL, over=ON, gives="C")
T_SCALE, T_SCALE_WRONG = scale_legs(ON)
T_STEP = formula_leg(
    "activation",
    typed("abs(Min(1, Max(0, u + v)) - Min(1, Max(0, v))) <= abs(u)", over=["u in R", "v in R"]),
    over=ON,
)
T_SUM = formula_leg(
    "k of them",
    typed(
        "k*w*sqrt(2*L)*(1/2)/S <= sqrt(2)*w*sqrt(L) and 2*mu*(1 - mu) <= 1/2",
        over=["k in 1..oo", "w > 0", "L >= 0", "S in [k/2, oo)", "mu in [0, 1]"],
    ),
    over=ON,
    gives="C",
)
sizes = claim(
    "structured-first-step-sizes",
    lhs="(|T_b|,|T_a|)",
    tex=r"\big(e,\ \textstyle\sum_A|u_l|\,2\mu_l(1-\mu_l)\big)",
    states=SUMMARY,
    title="First step of biases and read-outs",
    says=r"$|T_b|\le\frac{61}{20}\epsilon_e$, and $|T_a|\le\sqrt2\,\sigma_w\sqrt{\ln(Dm/\delta)}$ for $p\ge k^2/D$, "
    "for all laws of the family and all typical neurons.",
    covers="T-sizes",
    reads={"law": "law p s", "i": "own rest b"},
    **ONE_POINT,
    legs=[
        compared("members and neurons", both_sizes, both_bounds, generic, 4, 12),
        compared("where sigma is linear", both_sizes, both_bounds, linear),
        compared("900 patterns", both_sizes, both_bounds, wide),
        *T_CHAIN,
        T_SIZE,
        *T_SCALE,
        T_STEP,
        T_SUM,
    ],
    rivals=[
        variant(
            "a third of the read-out", reference=third_of_the_read_out, leg="where sigma is linear"
        ),
        variant("the shape alone", reference=both_shapes, leg="900 patterns"),
        *T_WRONG,
        *T_SCALE_WRONG,
        *rivals_of(T_SIZE, {"constant 1": size_of_e("n/2", "1", "1")}),
        *rivals_of(
            T_STEP, {"half the slope": "abs(Min(1, Max(0, u + v)) - Min(1, Max(0, v))) <= abs(u)/2"}
        ),
        *rivals_of(
            T_SUM,
            {"any sigma": {"over": ["k in 1..oo", "w > 0", "L >= 0", "S > 0", "mu in [0, 1]"]}},
        ),
    ],
)

GAP_CHAIN, GAP_WRONG = chain("i")
GAP_SIZE = formula_leg("typical", TYPICAL, over="i", gives="C")
GAP_SAME = formula_leg(
    "opposite steps",
    typed(
        "abs((b - eta*(-a*B)) - (b - eta*(a*B))) == 2*eta*abs(a*B)",
        over=["eta > 0", "b in R", "a in R", "B in R"],
    ),
    over="i",
)
GAP_STEP, GAP_STEP_WRONG = scaled("a step", 2, "i")
gap = claim(
    "structured-bias-gap-size",
    lhs=r"|b^{(1)}_i-b^{(1)}_{m+i}|",
    tex=r"2\eta|a|\,e",
    states=SMALL,
    title="Biases of a neuron and its copy stay near",
    says=r"$|b^{(1)}_i-b^{(1)}_{m+i}|=2\eta|aT_b|\le\frac{61}{10}\eta|a|\epsilon_e$ for all typical neurons "
    "and all laws of the family.",
    covers="bias-gap",
    reads={"i": "own rest b a"},
    **ONE_POINT,
    legs=[
        compared("members and neurons", gap_of_biases, gap_bound, generic, 4, 12),
        compared("at an atom", gap_of_biases, gap_bound, at_an_atom),
        compared("900 patterns", gap_of_biases, gap_bound, wide),
        *GAP_CHAIN,
        GAP_SIZE,
        GAP_SAME,
        GAP_STEP,
    ],
    rivals=[
        variant("a third", reference=half_the_gap, leg="900 patterns"),
        variant("the spread alone", reference=gap_spread, leg="at an atom"),
        *GAP_WRONG,
        *GAP_STEP_WRONG,
        *rivals_of(GAP_SIZE, {"constant 1": size_of_e("n/2", "1", "1")}),
        *rivals_of(GAP_SAME, {"once": "abs((b - eta*(-a*B)) - (b - eta*(a*B))) == eta*abs(a*B)"}),
    ],
)
