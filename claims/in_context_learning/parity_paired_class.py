"""Where the bit networks of Theorem 5.5.1 are optimal: heads in +- pairs (not from the source).

Setting. As in `parity_optimum`; heads come in pairs (a, v), (a, -v), v diagonal with all entries of one modulus,
at most 2 (nu + 1) heads.

Statements. (i) The least norm that solves every task is 2 d nu2 (nu2 + 1): the printed large network. (ii) With
nu1 < nu2 the least loss is p_T/2 times the share of other tasks whose two features have equal codes, and the
least norm that reaches it is 2 d (nu1 + (nu1 + 1)^2): positive scale nu1 + 1, where nu1 is printed and loses twice
as much.

Reference: repairs Theorem 5.5.1 (Shi, Wei, Xu, Liang, ICML 2024); the class and both optima are ours.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    equals,
    integers,
    leg,
    minimises,
    reals,
    theorem,
    variant,
)

from ._parity import (
    admitted,
    all_tasks,
    bit,
    bit_network,
    cost,
    diagonal,
    output,
    paired,
    printed_norm,
    small_loss,
    smallest_margin,
    total_loss,
)

nu1, nu2 = sp.symbols("nu1 nu2", integer=True, nonnegative=True)
gamma, pT = sp.symbols("gamma p_T", positive=True)
d, k = 2**nu2, 2**nu1
TENTH = Fraction(1, 10)
SIZES = {
    nu1: integers(1),
    nu2: integers(1),
    gamma: reals(0, Fraction(1, 4), low_open=True, high_open=True),
    pT: reals(0, 1, low_open=True),
}
SMALL = {
    "smoke": [{nu1: 1, nu2: 2, gamma: TENTH, pT: Fraction(1, 30)}],
    "standard": [
        {nu1: 1, nu2: 2, gamma: TENTH, pT: Fraction(1, 30)},
        {nu1: 2, nu2: 3, gamma: TENTH, pT: Fraction(1, 100)},
    ],
}


def codes(d, count):
    """All choices of ``count`` sign vectors of length d up to sign, first entry 1."""
    vectors = [(1, *rest) for rest in itertools.product((-1, 1), repeat=d - 1)]
    return itertools.combinations_with_replacement(vectors, count)


def paired_minimum(nu2):
    """Least norm over heads in +- pairs, diagonal, one modulus each, that solve every task, by running
    through every sign code; for a feasible code the moduli solve a small linear problem with the least
    element c_b = 1, c_+ = 1 + sum c_b - min c_b. Shape ()."""
    d, best = 2**nu2, None
    for code in codes(d, nu2):
        network = paired([*(diagonal(-1, row) for row in code), diagonal(1, [nu2] * d)])
        if smallest_margin(network, d) < 1:
            continue
        value = cost(network)
        best = value if best is None else min(best, value)
    return best


def strengths(nu2, i, j, signs):
    """What the negative pairs of the bit network and its positive pair, of modulus 1 each, give on a pattern of
    features i, j, with their signs taken off: read off the network. Shapes (nu2,) and ()."""
    d = 2**nu2
    phi = [1] * d
    phi[i], phi[j] = signs
    rows = [diagonal(-1, [bit(b, c) for c in range(d)]) for b in range(nu2)]
    return [-output(paired([row]), i, j, phi) for row in rows], output(
        paired([diagonal(1, [1] * d)]), i, j, phi
    )


def paired_bound(nu2, alike=False):
    """A lower bound on the norm of nu2 negative pairs and a positive one: where one negative pair alone acts its
    modulus must make up for the margin, and on equal signs the positive pair's must exceed the others by it.
    Distinct codes being all the codes there are, the bit network's stand for every choice. ``alike``: features 0
    and 1 only. Shape ()."""
    tasks = all_tasks(2 if alike else 2**nu2)
    found = [
        (s * t, *strengths(nu2, i, j, (s, t)))
        for i, j in tasks
        for s, t in itertools.product((-1, 1), repeat=2)
    ]
    negatives = [Fraction(0)] * nu2
    for label, weak, _ in found:
        acting = [b for b, x in enumerate(weak) if x]
        if label < 0 and len(acting) == 1:
            negatives[acting[0]] = max(negatives[acting[0]], 1 / weak[acting[0]])
    positive = max(
        (1 + sum(c * x for c, x in zip(negatives, weak, strict=True))) / strong
        for label, weak, strong in found
        if label > 0
    )
    return 2 * 2**nu2 * (sum(c * c for c in negatives) + positive**2)


def two_features_alone(nu2):
    return paired_bound(nu2, alike=True)


def least_negatives(bits, occurs=lambda code: True):
    """Least moduli c_b of the negative pairs where all codes of {-1, 1}^bits occur (or those that ``occurs``
    says): some two features differ in one bit b only, so that the negative pair b alone must give c_b >= 1 there.
    Shape (bits,)."""
    needed, found = set(), filter(occurs, itertools.product((-1, 1), repeat=bits))
    for one, other in itertools.combinations(found, 2):
        differing = [b for b in range(bits) if one[b] != other[b]]
        if len(differing) == 1:
            needed.add(differing[0])
    return [1 if b in needed else 0 for b in range(bits)]


SPLITS = theorem(
    "pigeonhole",
    more="2^nu2 features need as many codes: nu2 negative pairs, which leave one positive pair of the nu2 + 1",
)
paired_class = claim(
    "icl-parity-paired-class",
    lhs=r"\|\theta\|",
    tex=r"2\cdot 2^{\nu_2}\,\nu_2(\nu_2+1)",
    title="Where the bit network is optimal",
    says=r"Among networks of $2(\nu_2+1)$ heads in $\pm$ pairs, diagonal, of one modulus each, that "
    r"solve every task, the least norm is $2d\nu_2(\nu_2+1)$.",
    role="derived",
    covers="large-least-norm",
    domain={nu2: integers(1)},
    grid={"smoke": {nu2: [1, 2]}},
    closed_form=2 * d * nu2 * (nu2 + 1),
    relation=minimises(),
    legs=[
        attained(printed_norm, name="the printed network", grid={"smoke": {nu2: [1, 2, 3]}}),
        attained(paired_minimum, name="every sign code"),
        certificate(
            paired_bound,
            grid={"smoke": {nu2: [1, 2, 3, 4]}},
            over="network",
            lemma=SPLITS,
            where=nu2 <= 6,
        ),
    ],
    rivals=[
        variant("d nu2 (nu2 + 1)", closed_form=d * nu2 * (nu2 + 1)),
        variant("2 d nu2^2", closed_form=2 * d * nu2**2),
        variant(
            "a bit less", leg="the printed network", call=printed_norm, fewer=1, at={nu2: [2, 3]}
        ),
        variant(
            "two features alone",
            leg="certificate",
            simulation=two_features_alone,
            at={nu2: [2, 3]},
        ),
    ],
)


def small_scaled_loss(nu1, nu2, gamma, p_T):
    """Loss of the small network with positive scale nu1 + 1. Shape ()."""
    return small_loss(nu1, nu2, gamma, p_T, scale=nu1 + 1)


MODULI = [Fraction(i, 2) for i in range(1, 6)]


def best_of_class(nu1, nu2, gamma, p_T):
    """(least loss, least norm among those that reach it) over heads in +- pairs, every sign code, moduli in halves
    up to 5/2."""
    d = 2**nu2
    return min(
        (total_loss(network, nu1, nu2, gamma, p_T), cost(network))
        for code in codes(d, nu1)
        for c in itertools.product(MODULI, repeat=nu1)
        for plus in MODULI
        for network in [
            paired(
                [
                    *(
                        diagonal(-1, [c_b * x for x in row])
                        for c_b, row in zip(c, code, strict=True)
                    ),
                    diagonal(1, [plus] * d),
                ]
            )
        ]
    )


def least_loss(nu1, nu2, gamma, p_T):
    return best_of_class(nu1, nu2, gamma, p_T)[0]


s2_share = d * (d / k - 1) / (d * (d - 1) - k * (k - 1))
small_in_class = claim(
    "icl-parity-paired-class-small",
    lhs=r"\mathcal{L}(g_{\nu_1+1})",
    tex=r"\frac{p_T}2\cdot\frac{d\,(d/k-1)}{d(d-1)-k(k-1)},\quad d=2^{\nu_2},\ k=2^{\nu_1}",
    states=["icl-parity-paired-class", "icl-parity-optimum"],
    title="The small network at its right scale",
    says=r"With positive scale $\nu_1+1$ the small bit network has total loss $p_T/2$ times the share "
    r"of $S_2$ pairs with equal codes, half of what it has at the printed scale $\nu_1$.",
    role="corrected",
    corrects="icl-parity-optimum",
    covers="icl-parity-paired-class/small-least-loss",
    domain=SIZES,
    where=admitted,
    grid={
        "smoke": [
            *SMALL["smoke"],
            {nu1: 1, nu2: 3, gamma: Fraction(1, 5), pT: Fraction(1, 300)},
            {nu1: 2, nu2: 3, gamma: TENTH, pT: Fraction(1, 100)},
        ],
        "standard": [
            {nu1: a, nu2: b, gamma: g, pT: Fraction(1, 5000)}
            for b in (2, 3, 4)
            for a in range(1, b)
            for g in (TENTH, Fraction(1, 5))
        ],
    },
    closed_form=pT * s2_share / 2,
    relation=equals(),
    legs=[
        leg("scale nu1 + 1", small_scaled_loss),
        leg("least of the class, moduli in halves", least_loss, grid={"smoke": SMALL["smoke"]}),
    ],
    rivals=[
        variant("the printed scale nu1", simulation=small_loss),
        variant("no factor 1/2", closed_form=pT * s2_share),
    ],
)


def norm_at_least_loss(nu1, nu2, gamma, p_T):
    return best_of_class(nu1, nu2, gamma, p_T)[1]


def scaled_norm(nu1, nu2, scale=1):
    """Norm of the small bit network with positive scale nu1 + ``scale``. Shape ()."""
    return cost(bit_network(nu1, 2**nu2, positive=nu1 + scale))


def small_bound(nu1, nu2):
    """The same with fewer codes than features: on equal signs of features with equal codes the positive pair must
    exceed all negative ones by 1. Shape ()."""
    negatives = least_negatives(nu1)
    return 2 * 2**nu2 * (sum(c * c for c in negatives) + (1 + sum(negatives)) ** 2)


small_norm = claim(
    "icl-parity-paired-class-small-norm",
    lhs=r"\|\theta\|",
    tex=r"2\cdot 2^{\nu_2}\,\big(\nu_1+(\nu_1+1)^2\big)",
    states="icl-parity-paired-class",
    title="Least norm of the small network in its class",
    says=r"Among networks of $2(\nu_1+1)$ heads in $\pm$ pairs that reach the least loss, the least "
    r"norm is $2d(\nu_1+(\nu_1+1)^2)$, at positive scale $\nu_1+1$ and not $\nu_1$.",
    role="derived",
    covers="small-least-norm",
    domain=SIZES,
    where=admitted,
    grid=SMALL,
    closed_form=2 * d * (nu1 + (nu1 + 1) ** 2),
    relation=minimises(),
    legs=[
        attained(scaled_norm, name="scale nu1 + 1"),
        attained(
            norm_at_least_loss,
            name="every sign code, moduli in halves",
            grid={"smoke": SMALL["smoke"]},
        ),
        certificate(small_bound),
    ],
    rivals=[
        variant("scale nu1", closed_form=2 * d * (nu1 + nu1**2)),
        variant("one pair of heads more", closed_form=2 * d * (nu1 + 1 + (nu1 + 1) ** 2)),
    ],
)
