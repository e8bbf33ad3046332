r"""Tables A.1, A.3 and A.5: the trained network beside the other methods on the parity mixture.

Protocol. As in the shared program: the printed two steps, T = 600 in all, batches of 1000, all methods on the same
examples; 2000 fresh ones. D = 100, k = 5, T and the batches are the source's, and so are n = 10,000 with m = 50 (Table
A.5), n = 25,000 and n = 50,000 with m = 300, and d = 100, 500, 2000: those of ``deep`` and ``paper``. Up to
``standard`` sizes are reduced: D = 30, k = 3, n = 2000, m = 40, T = 300.

Departures. Read-outs have a rate of their own, that the source does not give; with one rate for all parameters none of
ours passed 92 %. Two-step features are read by least squares, and so are random features and the linear rule.

Statements. (1) Network and two-step read-out have 99.5 % or more of fresh examples (Table A.1). (2) The network has 99
% or more, NTK, random features and a linear rule 90 % or less, at every d and n of Tables A.3 and A.5. (3) Trained as
the network's read-outs are, those on one-step features have 47 to 55 % (Table A.1: 52.2); the best by least squares
have 80 % and more (structured-sim-parity-one-step).

Level, ours: half of the seeds. Since what runs up to ``standard`` is smaller than the tables, the claims are proxies.

Reference: lines 3897-3941, 3976-4005, 4040-4064.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import at_least, choices, claim, leg, probability, variant

from ._schedule import mixture
from ._trained import accuracies, begun

d, D, k, n, m, T = sp.symbols("d D k n m T", integer=True, positive=True)
FRESH = 2000
FIXED = ("linear", "rf", "ntk")


def run(ns, rng, size, d, D, k, n, m, structure=True):
    """Two steps, their examples and fresh ones."""
    data, fresh = (mixture(ns, rng, size, count, D, k, structure) for count in (n, FRESH))
    return begun(ns, rng, size, data, d, k, m), data, fresh


def both_right(ns, rng, size, d, D, k, n, m, T, methods=("network", "two"), structure=True):
    """1 where these methods are right on 99.5 % of fresh examples or more. Shape (size,)."""
    made = run(ns, rng, size, d, D, k, n, m, structure)
    found = accuracies(ns, *made, T, methods)
    good = [found[method] >= ns.rational(995, 1000) for method in methods]
    return ns.number(ns.all(ns.stack(good, axis=1), axis=1))


def ahead(ns, rng, size, d, D, k, n, m, T, best="network", others=FIXED):
    """1 where the network has 99 % or more and each of the others 90 % or less. Shape (size,)."""
    found = accuracies(ns, *run(ns, rng, size, d, D, k, n, m), T, (best, *others))
    good = [found[best] >= ns.rational(99, 100)]
    good += [found[other] <= ns.rational(9, 10) for other in others]
    return ns.number(ns.all(ns.stack(good, axis=1), axis=1))


def by_chance(ns, rng, size, d, D, k, n, m, T, method="one"):
    """1 where the method has 47 to 55 % of fresh examples. Shape (size,)."""
    found = accuracies(ns, *run(ns, rng, size, d, D, k, n, m), T, (method,))[method]
    return ns.number((found >= ns.rational(47, 100)) & (found <= ns.rational(55, 100)))


def cell(d_, n_, m_, D_=100, k_=5, T_=600):
    return {d: d_, D: D_, k: k_, n: n_, m: m_, T: T_}


SMALL = cell(60, 2000, 40, 30, 3, 300)
TENTH, HALF, WHOLE = (10_000, 50), (25_000, 300), (50_000, 300)
DIMENSIONS = (100, 500, 2000)
CELLS = {
    "parity": {"smoke": [SMALL], "deep": [cell(500, *TENTH)], "paper": [cell(500, *WHOLE)]},
    "tables": {
        "smoke": [SMALL],
        "standard": [{**SMALL, d: e} for e in DIMENSIONS],
        "deep": [cell(e, *TENTH) for e in DIMENSIONS],
        "paper": [cell(500, *HALF), *[cell(e, *WHOLE) for e in DIMENSIONS]],
    },
}


def sizes(grid):
    cells = [point for points in grid.values() for point in points]
    is_one = sp.Or(*[sp.And(*[sp.Eq(s, v) for s, v in point.items()]) for point in cells])
    return {
        "domain": {
            d: choices(60, 100, 500, 2000),
            D: choices(30, 100),
            k: choices(3, 5),
            n: choices(2000, 10_000, 25_000, 50_000),
            m: choices(40, 50, 300),
            T: choices(300, 600),
        },
        "where": is_one,
        "grid": grid,
        "closed_form": sp.Rational(1, 2),
        "relation": at_least(),
    }


def sampled(simulation, **pays):
    return leg(
        "seeds",
        simulation,
        statistic=probability(),
        block=2,
        budget={"smoke": 24, "standard": 24},
        **pays,
    )


PARITY = "structured-sim-parity"

perfect = claim(
    "structured-sim-parity-trained",
    lhs=r"\Pr[\text{acc}_{\text{net}},\text{acc}_{\text{two}}\ge\tfrac{995}{1000}]",
    tex=r"\tfrac12",
    states=PARITY,
    title="The trained network and the two-step features on the parity mixture",
    says="In more than half of the seeds the trained network and the least-squares read-out on the two-step features "
    "are right on 99.5 % of fresh examples or more, under the stated protocol and at reduced sizes.",
    covers="network-two-step-perfect",
    encodes="proxy",
    legs=[sampled(both_right, draws="seeds")],
    rivals=[
        variant("random features", call=both_right, methods=("rf",), at=[SMALL]),
        variant("without structure", call=both_right, structure=False, at=[SMALL]),
    ],
    **sizes(CELLS["parity"]),
)

better = claim(
    "structured-sim-trained-ahead",
    lhs=r"\Pr[\text{acc}_{\text{net}}\ge\tfrac{99}{100},\ \text{acc}_{NTK},\text{acc}_{RF}\le\tfrac9{10}]",
    tex=r"\tfrac12",
    states=["structured-sim-dims", "structured-sim-samples"],
    title="The trained network against fixed features at three input dimensions and numbers of examples",
    says="In more than half of the seeds the trained network has 99 % of fresh examples or more, and NTK, random "
    "features and a linear rule 90 % or less, under the stated protocol and at reduced sizes.",
    covers="structured-sim-dims/robust structured-sim-samples/robust",
    encodes="proxy",
    legs=[sampled(ahead, draws="seeds")],
    rivals=[
        variant("NTK ahead", call=ahead, best="ntk", others=("rf",), at=[SMALL]),
        variant("two-step features behind", call=ahead, others=("two",), at=[SMALL]),
    ],
    **sizes(CELLS["tables"]),
)

chance = claim(
    "structured-sim-parity-one-step-trained",
    lhs=r"\Pr[\tfrac{47}{100}\le\text{acc}_{\text{one}}\le\tfrac{55}{100}]",
    tex=r"\tfrac12",
    states=PARITY,
    title="Read-outs on one-step features, trained as the network's",
    says="In more than half of the seeds the read-out on the one-step features, trained as the network's is, has 47 to "
    "55 % of fresh examples, under the stated protocol and at reduced sizes.",
    covers="one-step-chance",
    encodes="proxy",
    legs=[sampled(by_chance, draws="seeds", gives="training")],
    rivals=[
        variant("two-step features", call=by_chance, method="two", at=[SMALL]),
        variant("random features", call=by_chance, method="rf", at=[SMALL]),
    ],
    **sizes(CELLS["parity"]),
)
