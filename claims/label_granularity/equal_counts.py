r"""Theorems 5.1 and 5.2 with equal counts: what trained networks do to easy and to hard samples, exactly (derived).

Setting. Networks of ``_network.py`` trained by (16) and (18), beta in the place of 1/log^5 d, on batches of one
sample of every subclass with s common and s subclass patches, no noise. The coarse one starts with a detector of
every feature of size 10^-30; the fine one with detectors of size 1/100 of the common and of the own subclass word,
and stops at T_0, when some output reaches log(3/2). Test samples are drawn by B.1, all patterns of P patches; ties
are mistakes; weights are rounded to 2^-40.

Statements. (1) After t >= 1 steps the coarse network errs on easy samples with probability (1 - s/P)^(2P), on
samples without a feature alone, and on hard ones with probability P[K (1 - beta) <= k Kd (a_d - beta)_+]. (2) At
T_0 the fine network's 2k-way error on easy samples is P[K2 = 0], its binary one (1 - s/P)^(2P), and its binary
error on hard samples P[K (1 - beta) <= g Kd (a_d - beta)_+], g = A/a at T_0.

Reference: Theorems 5.1, E.1, 5.2 and G.3, lines 209-232, 1126-1142 and 2208-2281.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import sympy as sp
from flint import arb, ctx

from theorycheck import claim, equals, integers, leg, variant

from ._data import axis, easy_patterns, other, sample, subclass_count_law
from ._detectors import equal_batch, grown, planted
from ._network import BITS, Neuron, fine_labels, number, outputs
from .fine_recursion import batch, trained
from .hard_error import coarse_stated, fine_stated, of_equal_sets

t, k, s, P = sp.symbols("t k s P", integer=True, positive=True)
BETA, WEAK, STRENGTH = Fraction(1, 20), Fraction(1), Fraction(11, 20)


def rounded(x):
    """A dyadic fraction within 2^-40 of a number."""
    with ctx.workprec(BITS):
        return Fraction(int(float((number(x) * 2**40).mid())), 2**40)


def settled(net):
    """The network with rounded weights."""
    return {
        c: [Neuron([rounded(e) for e in n.w], rounded(n.b)) for n in neurons]
        for c, neurons in net.items()
    }


@cache
def coarse_network(t, k):
    """After t steps, of weights in units of what the common detector has."""
    d, start = 2 * k + 2, Fraction(1, 10**30)
    with ctx.workprec(BITS):
        net = grown(
            planted(k, d, start, -BETA * start), [equal_batch(2, 5, k, d)] * t, Fraction(1), BETA
        )
        scale = number(net["+"][0].w[0])
        net = {
            c: [Neuron([number(e) / scale for e in n.w], number(n.b) / scale) for n in neurons]
            for c, neurons in net.items()
        }
    return settled(net)


@cache
def fine_network(k):
    """At the first step with an output of log(3/2)."""
    size, t = Fraction(1, 100), 0
    with ctx.workprec(BITS):
        level = arb(3).log() - arb(2).log()
        while True:
            net = trained(k, 2, size, size, BETA, Fraction(1, 2), t)
            largest = [outputs(net, x)[label] for x, label in batch(k, 2)]
            if any(number(f) >= level for f in largest):
                return settled(net)
            t += 1


def wrong(net, P, s, k, errs):
    """Chance of a mistake on an easy sample, over all patterns and subclasses."""
    lost, labels = Fraction(0), fine_labels(k)
    for pattern, p in easy_patterns(P, Fraction(s)):
        for y, c in labels:
            scores = outputs(net, sample(pattern, y, c, k, 2 * k + 2))
            lost += p * errs(scores, y, c) / len(labels)
    return lost


def binary(scores, y, c):
    """The largest output of the class is not above that of the other."""
    best = {z: max(f for label, f in scores.items() if label[0] == z) for z in "+-"}
    return best[y] <= best[other(y)]


def one_of_all(scores, y, c):
    """The own output is not above every other one."""
    return scores[y, c] <= max(f for label, f in scores.items() if label != (y, c))


def coarse_easy(t, k, s, P):
    """Shape ()."""
    return wrong(coarse_network(t, k), P, s, k, binary)


def without_ties(t, k, s, P):
    return wrong(
        coarse_network(t, k), P, s, k, lambda scores, y, c: scores[y] < min(scores.values())
    )


FLOOR = (1 - s / P) ** (2 * P)
SIZES = {
    "domain": {t: integers(1), k: integers(1), s: integers(1), P: integers(2)},
    "where": s < P,
    "mutate": False,
    "relation": equals(),
    "role": "derived",
}
REACH = sp.And(t <= 8, k <= 3, P <= 4)

easy = claim(
    "granularity-equal-counts-easy",
    lhs=r"\Pr[\hat y(X_{easy})\ne y]",
    tex=r"(1-s^*/P)^{2P}",
    states="granularity-coarse-training",
    title="Easy samples after coarse training, equal counts",
    says=r"Trained on equal counts the coarse network errs on easy samples with probability "
    r"$(1-\frac{s^*}P)^{2P}\le e^{-2s^*}$ at every $t\ge1$: on those without a feature alone.",
    covers="easy-error-equal-counts",
    reads={"s_star": "s"},
    grid={
        "smoke": [{t: 1, k: 1, s: 1, P: 3}, {t: 4, k: 2, s: 2, P: 3}],
        "standard": [{t: 8, k: 3, s: 1, P: 4}],
    },
    closed_form=FLOOR,
    legs=[leg("all patterns", coarse_easy, inside="X", where=REACH)],
    rivals=[
        variant("without common patches", closed_form=(1 - s / P) ** P, leg="all patterns"),
        variant("ties are no mistakes", simulation=without_ties, leg="all patterns"),
    ],
    **SIZES,
)


def coarse_hard(t, k, s, P):
    """Shape ()."""
    return of_equal_sets(P, Fraction(s), WEAK, STRENGTH, BETA, k, coarse_network(t, k))


def coarse_law(t, k, s, P, ratio=lambda k: k):
    """Shape ()."""
    return coarse_stated(P, Fraction(s), WEAK, STRENGTH, BETA, ratio(k))


def equal_strengths(t, k, s, P):
    return coarse_law(t, k, s, P, ratio=lambda k: 1)


hard = claim(
    "granularity-equal-counts-hard",
    lhs=r"\Pr[\hat y(X_{hard})\ne y]",
    tex=r"\Pr[K(1-\beta)\le kK_d(\alpha^\dagger-\beta)_+]",
    states="granularity-coarse-training",
    title="Hard samples after coarse training, equal counts",
    says=r"Trained on equal counts the coarse network errs on hard samples with the probability "
    r"$\Pr[K(1-\beta)\le kK_d(\alpha^\dagger-\beta)_+]$ at every $t\ge1$, the same for all of them.",
    covers="hard-error-equal-counts",
    reads={"s_star": "s"},
    grid={
        "smoke": [{t: 1, k: 3, s: 1, P: 3}, {t: 4, k: 2, s: 2, P: 3}],
        "standard": [{t: 8, k: 4, s: 1, P: 4}],
    },
    legs=[
        leg(
            "all patterns",
            coarse_hard,
            reference=coarse_law,
            unit=1,
            inside="X",
            where=sp.And(t <= 8, k <= 4, P <= 4),
        )
    ],
    rivals=[
        variant(
            "equal strengths",
            reference=equal_strengths,
            leg="all patterns",
            at=[{t: 1, k: 3, s: 1, P: 3}],
        ),
    ],
    **SIZES,
)

FINE = {**SIZES, "domain": {k: integers(1), s: integers(1), P: integers(2)}}
NEAR = sp.And(k <= 3, P <= 4)


def fine_easy(k, s, P):
    """Shape ()."""
    return wrong(fine_network(k), P, s, k, binary)


def fine_own(k, s, P):
    """Shape ()."""
    return wrong(fine_network(k), P, s, k, one_of_all)


def no_subclass_patch(k, s, P):
    """Shape ()."""
    return subclass_count_law(P, s)[0]


def one_binomial(k, s, P):
    return (1 - Fraction(s, P)) ** P


fine_binary = claim(
    "granularity-equal-counts-fine-easy",
    lhs=r"\Pr[\hat y(X_{easy})\ne y]",
    tex=r"(1-s^*/P)^{2P}",
    states="granularity-fine-training",
    title="Easy samples after fine training, equal counts",
    says=r"At $T_0$, trained on equal counts, the largest output of the fine network has the wrong class on easy "
    r"samples with probability $(1-\frac{s^*}P)^{2P}$.",
    covers="binary-easy-equal-counts",
    reads={"s_star": "s"},
    grid={"smoke": [{k: 1, s: 1, P: 3}, {k: 2, s: 2, P: 3}], "standard": [{k: 3, s: 1, P: 4}]},
    closed_form=FLOOR,
    legs=[leg("all patterns", fine_easy, inside="X", where=NEAR)],
    rivals=[variant("without subclass patches", closed_form=(1 - s / P) ** P, leg="all patterns")],
    **FINE,
)

fine_all = claim(
    "granularity-equal-counts-fine-own",
    lhs=r"\Pr[\hat c(X_{easy})\ne(y,c)]",
    tex=r"\Pr[K_2=0]",
    states="granularity-fine-training",
    title="Subclasses of easy samples after fine training, equal counts",
    says=r"At $T_0$, trained on equal counts, the $2k$-way error on easy samples is $\Pr[K_2=0]$ for $k\ge2$.",
    covers="kway-easy-equal-counts",
    reads={"s_star": "s"},
    grid={"smoke": [{k: 2, s: 1, P: 3}, {k: 2, s: 2, P: 3}], "standard": [{k: 3, s: 1, P: 4}]},
    legs=[
        leg(
            "all patterns",
            fine_own,
            reference=no_subclass_patch,
            unit=1,
            inside="X",
            where=sp.And(NEAR, k >= 2),
        )
    ],
    rivals=[variant("from one binomial", reference=one_binomial, leg="all patterns")],
    **{**FINE, "domain": {**FINE["domain"], k: integers(2)}},
)


def fine_hard(k, s, P):
    """Shape ()."""
    return of_equal_sets(P, Fraction(s), WEAK, STRENGTH, BETA, k, fine_network(k))


def fine_law(k, s, P, factor=1):
    """With g = A/a at T_0. Shape ()."""
    net = fine_network(k)["+", 0]
    common, sub = net[0].w[axis(("+",), k)], net[-1].w[axis(("+", 0), k)]
    return fine_stated(P, Fraction(s), WEAK, STRENGTH, BETA, [common], sub, factor)


def as_coarse(k, s, P):
    return coarse_stated(P, Fraction(s), WEAK, STRENGTH, BETA, k)


fine_hard_error = claim(
    "granularity-equal-counts-fine-hard",
    lhs=r"\Pr[\hat y(X_{hard})\ne y]",
    tex=r"\Pr[K(1-\beta)\le gK_d(\alpha^\dagger-\beta)_+]",
    states="granularity-fine-training",
    title="Hard samples after fine training, equal counts",
    says=r"At $T_0$, trained on equal counts, the fine network errs on hard samples with probability "
    r"$\Pr[K(1-\beta)\le gK_d(\alpha^\dagger-\beta)_+]$, $g=A/a$ at $T_0$, not with $k$ in the place of $g$.",
    covers="binary-hard-equal-counts",
    reads={"s_star": "s"},
    grid={"smoke": [{k: 2, s: 1, P: 3}, {k: 3, s: 1, P: 3}], "standard": [{k: 3, s: 2, P: 4}]},
    legs=[leg("all patterns", fine_hard, reference=fine_law, unit=1, inside="X", where=NEAR)],
    rivals=[variant("the ratio of coarse training", reference=as_coarse, leg="all patterns")],
    **FINE,
)
