r"""Lemmas A.34, A.35 and A.37: the class-weighted first step of the general setting, with explicit constants.

Setting. z = <phi, q> + <w, zeta>/sigma~ + b + xi, q_l = <w, M_l>, xi ~ N(0, s^2); alpha_y = 1/(2 Pr[y]); background
patterns of any joint law, independent of the relevant ones; Z = sqrt(d) sigma_zeta, sigma~^2 <= 17 D/64 + Z^2
(variances at most 1/4, incoherent dictionary). M = sigma_w sqrt(2 ln(D m/delta)) bounds the |q_l| of a typical neuron,
eps_e = D M/(sigma~^2 s) + Z M/(sigma~ s). The print has ln(D/delta) in eps_e, below what its own typical set allows by
the root of ln(D m/delta)/ln(D/delta); here eps_e is read with the logarithm of the typical set.

Statements. (1) The chance F of (0, 1) has |F'| <= 1/(sqrt(2 pi) s), with or without zeta: moving z by its relevant
part t, |t| <= k M/sigma~, changes it by at most k M/(sqrt(2 pi) s sigma~). (2) D >= 2 k^2 (p_o >= k^2/D, p_o <= 1/2)
gives k sigma~ <= D + Z sigma~. (3) E|alpha_y y phi_j| <= 9/(16 sigma~) on A, E[alpha_y y] = 0 given the background:
|T_j - beta gamma/sigma~| <= eps_e/(4 sigma~) on A, |T_j| <= (4/5) sigma_phi_j^2 sigma~ eps_e off A, |T_b| <= (2/5)
eps_e; beta is the chance of (0, 1) without t. Dependent background patterns need no other argument.

Reference: Lemma A.34, lines 4510-4525; Lemma A.35, lines 4699-4703; Lemma A.37, lines 4787-4800; (A.300).
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import partial

from flint import arb, ctx

from theorycheck import claim, formula_leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from ._first_step import means, shifts
from .network_gradients import opened

FIRST, BIAS = "structured-general-first-step", "structured-general-first-step-bias"
FIELDS = "law own back rest b tau s"


def class_weights(law):
    """alpha of either label."""
    mass = {y: sum((c for _, label, c in law if label == y), Fraction(0)) for y in (1, -1)}
    return {y: 1 / (2 * m) for y, m in mass.items()}


def around(back, rest):
    """The background's part of the argument, pattern by pattern."""
    mu = means([(bits, 1, c) for bits, c in back])
    for bits, c in back:
        yield (
            sum((u * (f - m) for u, f, m in zip(rest, bits, mu, strict=True)), Fraction(0)),
            bits,
            c,
        )


def rows(law, own, back, rest, b, tau, weighted=True):
    """alpha_y y times the chance of the patterns and of (0, 1), with both patterns."""
    alpha = class_weights(law)
    for t, bits, y, c in shifts(law, own):
        for v, others, m in around(back, rest):
            weight = (alpha[y] if weighted else 1) * y * c * m
            yield number(weight) * opened(t + v + b, tau), bits, others


def background_activity(back, rest, b, tau):
    """beta. Shape ()."""
    with ctx.workprec(BITS):
        return sum((number(m) * opened(v + b, tau) for v, _, m in around(back, rest)), arb(0))


def half_difference(law):
    """gamma = E[alpha_y y phi~_j]: half the difference of the conditional means, the same for every j."""
    alpha = class_weights(law)
    return sum((alpha[y] * y * c * bits[0] for bits, y, c in law), Fraction(0))


def relevant_error(law, own, back, rest, b, tau, s, gate=True, weighted=True):
    """sigma~ |T_j - beta gamma/sigma~| of every relevant pattern. Shape (k,)."""
    with ctx.workprec(BITS):
        lead = number(half_difference(law))
        lead = lead * background_activity(back, rest, b, tau) if gate else lead
        found = list(rows(law, own, back, rest, b, tau, weighted))
        return [
            abs(sum((v * number(bits[j] - m) for v, bits, _ in found), arb(0)) - lead)
            for j, m in enumerate(means(law))
        ]


def ungated(law, own, back, rest, b, tau, s):
    return relevant_error(law, own, back, rest, b, tau, s, gate=False)


def unweighted(law, own, back, rest, b, tau, s):
    return relevant_error(law, own, back, rest, b, tau, s, weighted=False)


def slope(own, s):
    """|q_A|_1/(sqrt(2 pi) s)."""
    size = number(sum((abs(u) for u in own), Fraction(0)))
    return size / ((2 * arb.pi()).sqrt() * number(s))


def relevant_bound(law, own, back, rest, b, tau, s, share=Fraction(9, 16)):
    with ctx.workprec(BITS):
        return [number(share) * slope(own, s) for _ in own]


def relevant_half(law, own, back, rest, b, tau, s):
    return relevant_bound(law, own, back, rest, b, tau, s, share=Fraction(9, 32))


def background_size(law, own, back, rest, b, tau, s, weighted=True):
    """sigma~ |T_j| of every background pattern. Shape (D - k,)."""
    with ctx.workprec(BITS):
        found = list(rows(law, own, back, rest, b, tau, weighted))
        mu = means([(bits, 1, c) for bits, c in back])
        return [
            abs(sum((v * number(others[j] - m) for v, _, others in found), arb(0)))
            for j, m in enumerate(mu)
        ]


def background_unweighted(law, own, back, rest, b, tau, s):
    return background_size(law, own, back, rest, b, tau, s, weighted=False)


def background_bound(law, own, back, rest, b, tau, s, share=2, power=1):
    with ctx.workprec(BITS):
        mu = means([(bits, 1, c) for bits, c in back])
        return [number(share * (m * (1 - m)) ** power) * slope(own, s) for m in mu]


def background_small(law, own, back, rest, b, tau, s):
    return background_bound(law, own, back, rest, b, tau, s, share=Fraction(1, 3))


def background_squared(law, own, back, rest, b, tau, s):
    return background_bound(law, own, back, rest, b, tau, s, power=2)


def bias_size(law, own, back, rest, b, tau, s, weighted=True):
    """|T_b|. Shape ()."""
    with ctx.workprec(BITS):
        return abs(sum((v for v, _, _ in rows(law, own, back, rest, b, tau, weighted)), arb(0)))


def bias_unweighted(law, own, back, rest, b, tau, s):
    return bias_size(law, own, back, rest, b, tau, s, weighted=False)


def bias_bound(law, own, back, rest, b, tau, s, share=1):
    with ctx.workprec(BITS):
        return number(share) * slope(own, s)


def bias_third(law, own, back, rest, b, tau, s):
    return bias_bound(law, own, back, rest, b, tau, s, share=Fraction(1, 3))


def any_member(rng):
    """Up to three relevant patterns with unbalanced classes and one gamma, two dependent background patterns of
    unequal rates, smoothing with input noise or without."""
    k = int(rng.integers(1, 4))
    positive = {k} | {c for c in range(1, k) if int(rng.integers(0, 2))}
    patterns = list(itertools.product((0, 1), repeat=k))
    label = {f: 1 if sum(f) in positive else -1 for f in patterns}
    by_count = [Fraction(int(rng.integers(1, 9))) for _ in range(k + 1)]
    by_count[0] += 8 * k
    by_count[k] += 8 * k
    total = sum(by_count[sum(f)] for f in patterns)
    joint = [Fraction(int(rng.integers(1, 9))) for _ in range(4)]
    s = Fraction(int(rng.integers(1, 5)), 8)
    return {
        "law": [(f, label[f], by_count[sum(f)] / total) for f in patterns],
        "own": list(rng.rational((k,), 4)),
        "back": [
            (f, c / sum(joint))
            for f, c in zip(itertools.product((0, 1), repeat=2), joint, strict=True)
        ],
        "rest": list(rng.rational((2,), 4)),
        "b": Fraction(int(rng.integers(-4, 9)), 8),
        "tau": s * (1 + Fraction(int(rng.integers(0, 3)), 4)),
        "s": s,
    }


def one_pattern(rate, back, rest, own=Fraction(1, 1000), s=Fraction(1, 20)):
    """One relevant pattern of this rate, the bias at 0."""
    return {
        "law": [((0,), -1, 1 - rate), ((1,), 1, rate)],
        "own": [own],
        "back": back,
        "rest": rest,
        "b": Fraction(0),
        "tau": s,
        "s": s,
    }


def unbalanced(rng):
    """Nine labels of ten are -1, a background pattern of no weight."""
    return one_pattern(
        Fraction(1, 10), [((0,), Fraction(1, 2)), ((1,), Fraction(1, 2))], [Fraction(0)]
    )


def copied(rng):
    """Two equal background patterns of rate 1/10 that take the threshold away, with unbalanced classes."""
    found = one_pattern(
        Fraction(1, 10),
        [((0, 0), Fraction(9, 10)), ((1, 1), Fraction(1, 10))],
        [Fraction(1, 5), Fraction(1, 5)],
    )
    return {**found, "b": Fraction(1, 25)}


compared = partial(bounded, FIELDS)


SIZES = ["k in 1..oo", "M > 0", "s > 0", "V > 0", "Z >= 0", "D in [0, oo)"]
EPS = "(D*M/(V**2*s) + Z*M/(V*s))"


def chain(over, name, share, unit, constant, smaller):
    """F is Lipschitz, k sigma~ <= D + Z sigma~, and the size of ``share`` times the change."""
    ends = formula_leg(
        "two ends",
        typed("abs(u - v) <= e", over=["e >= 0", "u in [0, e]", "v in [0, e]"]),
        over=over,
    )
    density = formula_leg(
        "an interval",
        typed(
            "Phi(x + t/tau) - Phi(x) <= t/(s*sqrt(2*pi))",
            over=["x in R", "t in [0, oo)", "s > 0", "tau in [s, oo)"],
        ),
        over=over,
    )
    noisy = formula_leg(
        "much noise",
        typed("k*V <= D + Z*V", over=["k in 1..oo", "D >= 0", "Z in [k, oo)", "V >= 0"]),
        over=over,
    )
    quiet = formula_leg(
        "less noise",
        typed("K*(17*D/64 + Z2) <= D**2", over=["K in [1, oo)", "Z2 in [0, K]", "D in [2*K, oo)"]),
        over=over,
    )

    def size(c):
        return f"{share}*(k*M/V)/(s*sqrt(2*pi)) <= {c}*{EPS}{unit}"

    last = formula_leg(
        name, typed(size(constant), over=SIZES, where="k*V <= D + Z*V"), over=over, gives="C"
    )
    wrong = [
        *rivals_of(ends, {"half of it": "abs(u - v) <= e/2"}),
        *rivals_of(
            density,
            {
                "less noise than xi": {
                    "over": ["x in R", "t in [0, oo)", "s > 0", "tau in [s/2, oo)"]
                }
            },
        ),
        *rivals_of(noisy, {"any noise": {"over": ["k in 1..oo", "D >= 0", "Z >= 0", "V >= 0"]}}),
        *rivals_of(
            quiet, {"D >= K/2": {"over": ["K in [1, oo)", "Z2 in [0, K]", "D in [K/2, oo)"]}}
        ),
        *rivals_of(last, {f"constant {smaller}": size(smaller)}),
    ]
    return [ends, density, noisy, quiet, last], wrong


READS = {"law": "law back", "w": "own rest tau s", "b": "b"}
WEIGHTED = (
    "1/2*(a*(1 - (w*a + (1 - w)*c)) + (1 - a)*(w*a + (1 - w)*c))"
    " + 1/2*(c*(1 - (w*a + (1 - w)*c)) + (1 - c)*(w*a + (1 - w)*c))"
)
ON_MEAN = formula_leg(
    "weighted mean of a pattern",
    typed(f"{WEIGHTED} <= 9/16", over=["w in [0, 1]", "a in [0, 1]", "c in [0, 1]"]),
    over="law w b",
)
ON_CHAIN, ON_WRONG = chain("law w b", "on A", "(9/16)/V", "/V", "(1/4)", "(1/5)")
relevant = claim(
    "structured-general-first-step-relevant",
    lhs=r"\tilde\sigma\,|T_j-\beta\gamma/\tilde\sigma|",
    tex=r"\tfrac9{16}\,\tfrac{|q_A|_1}{\sqrt{2\pi}\,\tilde\sigma\sigma_\xi}",
    states=FIRST,
    role="reading",
    title="Class-weighted first step on relevant patterns",
    says=r"For $D\ge2k^2$, every law of the general family and every typical neuron $|T_j-\beta\gamma/\tilde\sigma|"
    r"\le\frac14\epsilon_e/\tilde\sigma$ on $A$, $\epsilon_e$ with the logarithm of the typical set.",
    covers="relevant",
    reads={**READS, "beta_i": "back rest b tau"},
    **ONE_POINT,
    legs=[
        compared(
            "members and neurons",
            relevant_error,
            relevant_bound,
            any_member,
            4,
            12,
            gives="beta_i",
            chosen_by=background_activity,
            inside="j",
        ),
        compared("unbalanced", relevant_error, relevant_bound, unbalanced),
        *ON_CHAIN,
        ON_MEAN,
    ],
    rivals=[
        variant("gamma/sigma~, no gate", simulation=ungated, leg="unbalanced"),
        variant("without class weights", simulation=unweighted, leg="unbalanced"),
        variant("half", reference=relevant_half, leg="unbalanced"),
        *ON_WRONG,
        *rivals_of(ON_MEAN, {"one half": f"{WEIGHTED} <= 1/2"}),
    ],
)

OFF_CHAIN, OFF_WRONG = chain("law w b", "off A", "2", "", "(4/5)", "(3/4)")
background = claim(
    "structured-general-first-step-background",
    lhs=r"\tilde\sigma\,|T_j|",
    tex=r"2p_j(1-p_j)\,\tfrac{|q_A|_1}{\sqrt{2\pi}\,\tilde\sigma\sigma_\xi}",
    states=FIRST,
    role="reading",
    title="Class-weighted first step on background patterns",
    says=r"For $D\ge2k^2$, every law of the general family, dependent backgrounds included, and every typical neuron "
    r"$|T_j|\le\frac45\sigma_{\phi_j}^2\epsilon_e\tilde\sigma$ off $A$, $\epsilon_e$ with the logarithm of the "
    "typical set.",
    covers="background",
    reads=READS,
    **ONE_POINT,
    legs=[
        compared(
            "members and neurons", background_size, background_bound, any_member, 4, 12, inside="j"
        ),
        compared("two equal patterns", background_size, background_bound, copied),
        *OFF_CHAIN,
    ],
    rivals=[
        variant("a sixth", reference=background_small, leg="two equal patterns"),
        variant("p^2 (1 - p)^2", reference=background_squared, leg="two equal patterns"),
        variant(
            "without class weights", simulation=background_unweighted, leg="two equal patterns"
        ),
        *OFF_WRONG,
    ],
)

B_CHAIN, B_WRONG = chain("law w b", "typical", "1", "", "(2/5)", "(1/3)")
bias = claim(
    "structured-general-first-step-bias-size",
    lhs="|T_b|",
    tex=r"\tfrac{|q_A|_1}{\sqrt{2\pi}\,\tilde\sigma\sigma_\xi}",
    states=BIAS,
    role="reading",
    title="Class-weighted first step of the biases",
    says=r"For $D\ge2k^2$, every law of the general family and every typical neuron $|T_b|\le\frac25\epsilon_e$, "
    r"$\epsilon_e$ with the logarithm of the typical set.",
    covers="bound",
    reads=READS,
    **ONE_POINT,
    legs=[
        compared("members and neurons", bias_size, bias_bound, any_member, 4, 12),
        compared("unbalanced", bias_size, bias_bound, unbalanced),
        *B_CHAIN,
    ],
    rivals=[
        variant("without class weights", simulation=bias_unweighted, leg="unbalanced"),
        variant("a third", reference=bias_third, leg="unbalanced"),
        *B_WRONG,
    ],
)
