"""Derived: the mirrored test sample is minus a training sample of the other class.

Setting. Training: x = sum_core y z_j m_j + sum_bg z_j m_j; test: background weights z_j' with the law of -z_j.
Finite laws on [0, 1]; both populations are enumerated.

Statements. (1) x_test given y has the law of -x_train given -y, atom by atom. (2) P_test[<w, x> >= 0 | y] = 1 -
P_train[<w, x> > 0 | -y] for every w; with >= on both sides it fails at ties. (3) E h(x_test) given y is E h(-x_train)
given -y for every network.

Reference: derived from Definition 3.1, lines 92-98.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import sympy as sp

from theorycheck import at_least, claim, instances, integers, leg, variant

from ._network import dot, drawn_laws, drawn_network, output, population

d_core, d_bg = sp.symbols("d_core d_bg", integer=True, positive=True)


def test_population(values, weights, d_core, y):
    """(chance, x) of the mirrored test law, by its definition: core y z, background -z."""
    laws = [list(zip(v, w, strict=True)) for v, w in zip(values, weights, strict=True)]
    signs = [y if j < d_core else -1 for j in range(len(laws))]
    for atoms in product(*laws):
        x = [sign * z for sign, (z, _) in zip(signs, atoms, strict=True)]
        yield prod((p for _, p in atoms), start=Fraction(1)), x


def samples(rng, d_core, d_bg):
    """Laws, a test vector and a network of two neurons; one time in three `ties`."""
    if int(rng.integers(0, 3)) == 0:
        return ties(rng, d_core, d_bg)
    values, weights = drawn_laws(rng, d_core + d_bg)
    W, s = drawn_network(rng, 2, d_core + d_bg, 2)
    return {"values": values, "weights": weights, "w": W[0], "W": W, "s": s, "y": int(rng.signs())}


def ties(rng, d_core, d_bg):
    """Fair features in {0, 1} and w = (1, .., 1): <w, x> is 0 with positive probability."""
    size = d_core + d_bg
    row = [Fraction(1)] * size
    return {
        "values": [[Fraction(0), Fraction(1)]] * size,
        "weights": [[Fraction(1, 2)] * 2] * size,
        "w": row,
        "W": [row, row],
        "s": [1, 1],
        "y": 1,
    }


def law_of_test(values, weights, w, W, s, y, d_core, d_bg):
    """The atoms of x_test given y in order, each with its probability. Shape (2^d0, d0 + 1)."""
    return sorted([*x, p] for p, x in test_population(values, weights, d_core, y))


def law_of_minus(values, weights, w, W, s, y, d_core, d_bg):
    """Those of -x_train given -y."""
    atoms = population(values, weights, d_core, (-y,))
    return sorted([*(-v for v in e.x), e.chance] for e in atoms)


def law_of_both_classes(values, weights, w, W, s, y, d_core, d_bg):
    """Each chance twice, as where those of -y and y are added up."""
    return [[*x, 2 * p] for *x, p in law_of_minus(values, weights, w, W, s, y, d_core, d_bg)]


def law_with_the_label(values, weights, w, W, s, y, d_core, d_bg):
    """With the chance 1/2 of the label, instead of given it."""
    return [[*x, p / 2] for *x, p in law_of_minus(values, weights, w, W, s, y, d_core, d_bg)]


def law_of_same_class(values, weights, w, W, s, y, d_core, d_bg):
    atoms = population(values, weights, d_core, (y,))
    return sorted([*(-v for v in e.x), e.chance] for e in atoms)


def law_of_train(values, weights, w, W, s, y, d_core, d_bg):
    atoms = population(values, weights, d_core, (-y,))
    return sorted([*e.x, e.chance] for e in atoms)


def active_in_test(values, weights, w, W, s, y, d_core, d_bg):
    """P_test[<w, x> >= 0 | y]. Shape ()."""
    return sum(
        (p for p, x in test_population(values, weights, d_core, y) if dot(w, x) >= 0), Fraction(0)
    )


def active_in_training(values, weights, w, d_core, y, strict):
    return sum(
        (
            e.chance
            for e in population(values, weights, d_core, (y,))
            if (dot(w, e.x) > 0 if strict else dot(w, e.x) >= 0)
        ),
        Fraction(0),
    )


def swapped(values, weights, w, W, s, y, d_core, d_bg):
    """1 - P_train[<w, x> > 0 | -y]. Shape ()."""
    return 1 - active_in_training(values, weights, w, d_core, -y, strict=True)


def swapped_at_ties(values, weights, w, W, s, y, d_core, d_bg):
    return 1 - active_in_training(values, weights, w, d_core, -y, strict=False)


def without_flip(values, weights, w, W, s, y, d_core, d_bg):
    return active_in_training(values, weights, w, d_core, y, strict=False)


def output_in_test(values, weights, w, W, s, y, d_core, d_bg):
    """E h(x_test) and E h(x_test)^2 given y. Shape (2,)."""
    found = [(p, output(W, s, x)) for p, x in test_population(values, weights, d_core, y)]
    return [sum(p * h for p, h in found), sum(p * h * h for p, h in found)]


def output_of_minus(values, weights, w, W, s, y, d_core, d_bg):
    """The same of h(-x_train) given -y."""
    found = [
        (e.chance, output(W, s, [-v for v in e.x]))
        for e in population(values, weights, d_core, (-y,))
    ]
    return [sum(p * h for p, h in found), sum(p * h * h for p, h in found)]


def minus_output(values, weights, w, W, s, y, d_core, d_bg):
    """As if h were odd, like a linear network."""
    found = [(e.chance, -output(W, s, e.x)) for e in population(values, weights, d_core, (-y,))]
    return [sum(p * h for p, h in found), sum(p * h * h for p, h in found)]


def worst_case(values, weights, d_core, y):
    """The test law with background -1."""
    for e in population(values, weights, d_core, (y,)):
        yield e.chance, [v if j < d_core else Fraction(-1) for j, v in enumerate(e.x)]


def active_in_worst_case(values, weights, w, W, s, y, d_core, d_bg):
    return sum(
        (p for p, x in worst_case(values, weights, d_core, y) if dot(w, x) >= 0), Fraction(0)
    )


def output_in_worst_case(values, weights, w, W, s, y, d_core, d_bg):
    found = [(p, output(W, s, x)) for p, x in worst_case(values, weights, d_core, y)]
    return [sum(p * h for p, h in found), sum(p * h * h for p, h in found)]


FIELDS = "values weights w W s y"
DRAWN = instances(samples, FIELDS, smoke=3, standard=12)
TIES = instances(ties, FIELDS, smoke=1)
ONE = [{d_core: 1, d_bg: 1}]
SMALL = d_core + d_bg <= 6
SIZES = {
    "role": "derived",
    "states": "contamination-mirror-ood",
    "domain": {d_core: integers(1), d_bg: integers(1)},
    "grid": {
        "smoke": [*ONE, {d_core: 2, d_bg: 1}],
        "standard": {d_core: [1, 3], d_bg: [1, 2]},
    },
}


def fixed(rng, d_core, d_bg):
    """Features 1/4 or 1, w = (1, .., 1, -1, ..): no symmetry that would hide a missing flip."""
    size = d_core + d_bg
    row = [Fraction(1)] * d_core + [Fraction(2)] * d_bg
    return {
        "values": [[Fraction(1, 4), Fraction(1)]] * size,
        "weights": [[Fraction(3, 4), Fraction(1, 4)]] * size,
        "w": row,
        "W": [row, row],
        "s": [1, 1],
        "y": 1,
    }


def gentle(rng, d_core, d_bg):
    """The same with w = 1/2 on the background."""
    return fixed(rng, d_core, d_bg) | {"w": [Fraction(1)] * d_core + [Fraction(1, 2)] * d_bg}


FIXED = instances(fixed, FIELDS, smoke=1)


def labels(rng, d_core, d_bg):
    """Those of 128 draws. Two of three are 1, so that all are with probability (2/3)^128 < 10^-22."""
    return {"ys": [samples(rng, d_core, d_bg)["y"] for _ in range(128)]}


def labels_of_one_class(rng, d_core, d_bg):
    return {"ys": [1] * 128}


def classes(ys):
    """How many labels are among them. Shape ()."""
    return len(set(ys))


law = claim(
    "contamination-mirror-ood-law",
    lhs=r"\Pr_{\mathrm{test}}[x=t\mid y]",
    tex=r"\Pr_{\mathrm{train}}[-x=t\mid-y]",
    title="The mirrored test law",
    says=r"For all finite laws $x_{\mathrm{test}}$ given $y$ has the law of $-x_{\mathrm{train}}$ "
    "given $-y$.",
    covers="law-identity",
    reads={"D_j": "values weights"},
    legs=[
        leg("all atoms", law_of_test, reference=law_of_minus, instances=DRAWN, unit=1, where=SMALL),
        leg(
            "of either class",
            classes,
            relation=at_least(),
            closed_form=sp.Integer(2),
            required=False,
            instances=instances(labels, "ys", smoke=1),
            grid={"smoke": ONE},
            lhs=r"|\{y\}|",
            tex="2",
        ),
    ],
    rivals=[
        variant(
            "of one class",
            leg="of either class",
            instances=instances(labels_of_one_class, "ys", smoke=1),
        ),
        variant("of the same class", reference=law_of_same_class, instances=FIXED, at=ONE),
        variant("summed over the classes", reference=law_of_both_classes, leg="all atoms"),
        variant("not given the label", reference=law_with_the_label, leg="all atoms"),
        variant("without the minus", reference=law_of_train, instances=FIXED, at=ONE),
    ],
    **SIZES,
)

activation = claim(
    "contamination-mirror-ood-activation",
    lhs=r"\Pr_{\mathrm{test}}[\langle w,x\rangle\ge0\mid y]",
    tex=r"1-\Pr_{\mathrm{train}}[\langle w,x\rangle>0\mid-y]",
    title="Activation under the mirrored law",
    says=r"For every $w$ and label, $P_{\mathrm{test}}[\langle w, x\rangle \ge 0 \mid y] = 1 - "
    r"P_{\mathrm{train}}[\langle w, x\rangle > 0 \mid -y]$, ties included.",
    covers="activation-swap",
    legs=[
        leg("enumeration", active_in_test, reference=swapped, instances=DRAWN, unit=1, where=SMALL)
    ],
    rivals=[
        variant(">= on both sides", reference=swapped_at_ties, instances=TIES, at=ONE),
        variant("no flip", reference=without_flip, instances=FIXED, at=ONE),
        variant(
            "background -1",
            simulation=active_in_worst_case,
            instances=instances(gentle, FIELDS, smoke=1),
            at=ONE,
        ),
    ],
    **SIZES,
)

outputs = claim(
    "contamination-mirror-ood-output",
    lhs=r"\mathbb E[h(x_{\mathrm{test}})^p\mid y]",
    tex=r"\mathbb E[h(-x_{\mathrm{train}})^p\mid-y]",
    title="Output under the mirrored law",
    says="For every network and label the first two moments of h on mirrored test data are those of h(-x) on "
    "training data of the other class.",
    covers="output-swap",
    reads={"h": "W s"},
    legs=[
        leg(
            "enumeration",
            output_in_test,
            reference=output_of_minus,
            instances=DRAWN,
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant("minus the output", reference=minus_output, instances=FIXED, at=ONE),
        variant("background -1", simulation=output_in_worst_case, instances=FIXED, at=ONE),
    ],
    **SIZES,
)
