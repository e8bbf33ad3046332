r"""Table A.4: the methods on unbalanced classes, 80 % and 90 % negatives.

Protocol. As in the shared program (T = 600, batches of 1000), on examples of which a share r is negative: the parity
mixture, turned over on the relevant patterns where its label is not the one that was drawn, which is the mixture given
the label since k is odd. Inputs are centred by their own mean. Whether the source weighs the classes is not said: here
the first two steps do, by 1/(2 Pr[y]) as in its general setting, and the later ones do not. Up to ``standard``
sizes are reduced: D = 30, k = 3, n = 2000, m = 40, T = 300; D = 100, k = 5 and T = 600 of the source are those of
``deep``, with n = 10,000 and m = 50, and of ``paper``, with its n = 50,000 and m = 300.

Statement. The network and the read-out on two-step features have 99 % or more of fresh examples; NTK, random features
and a linear rule have 2 % less or more than that, and a balanced accuracy of 90 % or less. The constant rule has 80 and
90 %, the best threshold of the count 90.6 and 95.3 (structured-imbalance-threshold).

Level, ours: half of the seeds.

Reference: lines 4007-4038.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, choices, claim, leg, probability, variant

from ._schedule import Sample, mixture
from ._trained import begun, outputs_of, right

D, k, n, m, T = sp.symbols("D k n m T", integer=True, positive=True)
r = sp.Symbol("r", positive=True)
FRESH = 2000
FIXED = ("linear", "rf", "ntk")


def unbalanced(ns, rng, size, n, D, k, r, structure=True):
    """n examples, each negative with probability r."""
    drawn = mixture(ns, rng, size, n, D, k, structure)
    y = 1 - 2 * ns.number(rng.bernoulli(r, (size, n)))
    z = drawn.inputs * ns.sqrt(ns.asarray(D))
    mean = (1 - 2 * r) / 2 if structure else Fraction(0)
    relevant = z[:, :, :k] * (y * drawn.labels)[:, :, None] - ns.asarray(mean)
    spread = ns.sqrt(ns.asarray(k * (1 - mean**2) + D - k))
    return Sample(ns.concat([relevant, z[:, :, k:]], axis=2) / spread, y)


def weights(ns, y, r):
    """1/(2 Pr[y])."""
    return ns.where(y > 0, ns.asarray(1 / (2 * (1 - r))), ns.asarray(1 / (2 * r)))


def balanced(ns, out, y):
    """Mean of the shares of right signs of the two classes. Shape (S,)."""
    good, positive = ns.number(out * y > 0), ns.number(y > 0)
    up = ns.sum(good * positive, axis=1) / ns.sum(positive, axis=1)
    return (up + ns.sum(good * (1 - positive), axis=1) / ns.sum(1 - positive, axis=1)) / 2


def ahead(ns, rng, size, D, k, n, m, r, T, best=("network", "two"), others=FIXED, structure=True):
    """1 where the first have 99 % or more and the others are behind by 2 %, and at most 90 % balanced."""
    data, fresh = (unbalanced(ns, rng, size, c, D, k, r, structure) for c in (n, FRESH))
    run = begun(ns, rng, size, data, D, k, m, weights(ns, data.labels, r))
    good = []
    for method in (*best, *others):
        out = outputs_of(ns, method, run, data, fresh, T)
        share = right(ns, out, fresh.labels)
        if method in best:
            good.append(share >= ns.rational(99, 100))
        else:
            good.append(share <= ns.rational(97, 100))
            good.append(balanced(ns, out, fresh.labels) <= ns.rational(9, 10))
    return ns.number(ns.all(ns.stack(good, axis=1), axis=1))


def cell(r_, D_=100, k_=5, n_=10_000, m_=50, T_=600):
    return {D: D_, k: k_, n: n_, m: m_, r: r_, T: T_}


SHARES = (Fraction(4, 5), Fraction(9, 10))
SMALL, SMALLER = (cell(share, 30, 3, 2000, 40, 300) for share in SHARES)
GRID = {
    "smoke": [SMALL],
    "deep": [SMALLER, *[cell(share) for share in SHARES]],
    "paper": [cell(share, n_=50_000, m_=300) for share in SHARES],
}

unequal = claim(
    "structured-sim-imbalance-trained",
    lhs=r"\Pr[\text{acc}_{\text{net}},\text{acc}_{\text{two}}\ge\tfrac{99}{100},\text{ others behind}]",
    tex=r"\tfrac12",
    states="structured-sim-imbalance",
    title="The methods on unbalanced classes",
    says="In more than half of the seeds the trained network and the read-out on two-step features have 99 % of fresh "
    "examples or more, and NTK, random features and a linear rule 97 % or less and 90 % or less of the two classes "
    "alike, at 80 % negatives (90 % was not decided), under the stated protocol and at reduced sizes.",
    role="derived",
    domain={
        D: choices(30, 100),
        k: choices(3, 5),
        n: choices(2000, 10_000, 50_000),
        m: choices(40, 50, 300),
        r: choices(*SHARES),
        T: choices(300, 600),
    },
    where=sp.Or(
        *[
            sp.And(*[sp.Eq(s, sp.sympify(v)) for s, v in point.items()])
            for points in GRID.values()
            for point in points
        ]
    ),
    grid=GRID,
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "seeds",
            ahead,
            statistic=probability(),
            block=2,
            budget={"smoke": 24, "standard": 24},
        )
    ],
    rivals=[
        variant("random features ahead", call=ahead, best=("rf",), others=("linear",), at=[SMALL]),
        variant(
            "two-step features behind", call=ahead, others=("two",), best=("network",), at=[SMALL]
        ),
        variant(
            "without structure", call=ahead, best=("two",), others=(), structure=False, at=[SMALL]
        ),
    ],
)
