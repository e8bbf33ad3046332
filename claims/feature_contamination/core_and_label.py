"""Definition 3.1: what the features tell of the label.

Setting. Inputs x = sum_core y z_j m_j + sum_bg z_j m_j with independent z_j in [0, 1] of any law and a fair label y;
half of the features core. All laws are finite and rational, so that every mean is a sum.

Statements. (1) E[y <x, m_j>] is mu_j on the core and 0 on the background. (2) The sum of the core coordinates has
the sign of the label unless every core weight is 0.

Reference: lines 74-126 and 354-378.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, instances, integers, leg, variant

from ._network import drawn_laws, means, population

d0 = sp.symbols("d0", integer=True, positive=True)


def data_laws(rng, d0):
    values, weights = drawn_laws(rng, d0)
    return {"values": values, "weights": weights}


def correlations(values, weights, d0):
    """E[y x_j], half of the features core. Shape (d0,)."""
    core = (d0 + 1) // 2
    return [
        sum(e.chance * e.y * e.x[j] for e in population(values, weights, core)) for j in range(d0)
    ]


def core_means(values, weights, d0):
    """mu_j on the core, 0 on the background. Shape (d0,)."""
    return [mu if j < (d0 + 1) // 2 else Fraction(0) for j, mu in enumerate(means(values, weights))]


def all_means(values, weights, d0):
    return means(values, weights)


FEATURES = {"domain": {d0: integers(1)}, "grid": {"smoke": {d0: [1, 4]}, "standard": {d0: [3, 8]}}}

label = claim(
    "contamination-sgd-label-correlations",
    lhs=r"\mathbb E[y\,\langle x,m_j\rangle]",
    tex=r"\mu_j\,\mathbf 1[j\in\mathrm{core}]",
    states="contamination-sgd-algorithm",
    title="Only core features correlate with the label",
    says=r"For all laws $\mathbb{E}[y\langle x, m_j\rangle]$ is $\mu_j$ on the core and 0 on the "
    "background.",
    covers="label-correlations",
    reads={"D_j": "values weights"},
    legs=[
        leg(
            "enumeration",
            correlations,
            reference=core_means,
            inside="j",
            unit=1,
            where=d0 <= 12,
            instances=instances(data_laws, "values weights", smoke=3, standard=8),
        )
    ],
    rivals=[
        variant("mu_j on the background", reference=all_means, at={d0: [4]}),
        variant(
            "half of it",
            reference=lambda values, weights, d0: [c / 2 for c in core_means(values, weights, d0)],
        ),
    ],
    **FEATURES,
)


def with_zeros(rng, d0):
    """Laws with an atom at 0 of the first value's probability."""
    found = data_laws(rng, d0)
    return found | {"values": [[Fraction(0), *row[1:]] for row in found["values"]]}


def decided(values, weights, d0):
    """P[sign(sum_core x_j) = y]. Shape ()."""
    core = (d0 + 1) // 2
    return sum(
        (e.chance for e in population(values, weights, core) if e.y * sum(e.x[:core]) > 0),
        Fraction(0),
    )


def not_all_zero(values, weights, d0):
    """1 - prod_core P[z_j = 0]. Shape ()."""
    none = Fraction(1)
    for row, chances in zip(values[: (d0 + 1) // 2], weights, strict=False):
        none *= sum((p for v, p in zip(row, chances, strict=True) if v == 0), Fraction(0))
    return 1 - none


def always(values, weights, d0):
    return Fraction(1)


def by_all_features(values, weights, d0):
    core = (d0 + 1) // 2
    return sum(
        (e.chance for e in population(values, weights, core) if e.y * sum(e.x) > 0), Fraction(0)
    )


decides = claim(
    "contamination-sgd-core-decides",
    lhs=r"\Pr[\operatorname{sign}(\textstyle\sum_{\mathrm{core}}x_j)=y]",
    tex=r"1-\textstyle\prod_{\mathrm{core}}\Pr[z_j=0]",
    states="contamination-sgd-algorithm",
    title="The core decides the label",
    says="For all laws, also with an atom at 0, the core sum has the sign of the label unless all core weights are 0.",
    covers="core-decides",
    reads={"D": "values weights"},
    legs=[
        leg(
            "enumeration",
            decided,
            reference=not_all_zero,
            where=d0 <= 12,
            instances=instances(with_zeros, "values weights", smoke=3, standard=8),
        )
    ],
    rivals=[
        variant("always", reference=always),
        variant("with the background in the sum", simulation=by_all_features, at={d0: [4]}),
    ],
    **FEATURES,
)
