r"""Table A.1 and Section 2.5: six methods trained on the parity mixture, at reduced sizes.

Protocol. As in the shared program: the network (two steps of the schedule, then 300 steps of descent), read-outs by
least squares on the linear, random, tangent, one-step and two-step features of the same start. Sizes are reduced, k =
3, D = 30 and n = 500, m = 20 or n = 1000, m = 40 for the source's k = 5, D = 100, n = 50,000, m = 300; 2000 fresh
examples. The input dimension d does not enter (structured-training-d-invariance).

Statements. (1) The network has 10 points more than NTK, random features and a linear rule, each read out at its best
(Section 2.5); these two stay below 90 % (Table A.1). (2) On one-step features the table has 52 %, by
a classifier that it does not give; least squares has more than 60 %. (3) Without structure network, NTK and random
features have 47 to 55 % at k = 5.

Level, ours: half of the seeds.

Reference: lines 557-573, 3897-3941.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import at_least, choices, claim, leg, probability, variant

from ._six_methods import accuracies, parity_mixture

n, m = sp.symbols("n m", positive=True)
D, FRESH = 30, 2000
METHODS = ("linear", "rf", "ntk", "one", "two", "network")


def run(ns, rng, size, n, m, methods, k=3, structure=True):
    """Accuracies of these methods."""
    data, fresh = (parity_mixture(ns, rng, size, count, D, k, structure) for count in (n, FRESH))
    return accuracies(ns, rng, size, data, fresh, k, m, methods)


def least(ns, numbers):
    low = numbers[0]
    for x in numbers[1:]:
        low = ns.minimum(low, x)
    return low


def ahead(ns, rng, size, n, m, by=(1, 10), others=("linear", "rf", "ntk"), **changes):
    """1 where the network has more fresh examples than each of the others by a share."""
    found = run(ns, rng, size, n, m, (*others, "network"), **changes)
    lead = least(ns, [found["network"][1] - found[o][1] for o in others])
    return ns.number(lead > ns.rational(*by))


def fixed_below(ns, rng, size, n, m, methods=("rf", "ntk")):
    """1 where these methods stay at 90 % or below."""
    found = run(ns, rng, size, n, m, methods)
    return ns.number(least(ns, [1 - found[o][1] for o in methods]) >= ns.rational(1, 10))


def inside(ns, x):
    return ns.number((x >= ns.rational(47, 100)) & (x <= ns.rational(55, 100)))


def one_above(ns, rng, size, n, m, structure=True):
    found = run(ns, rng, size, n, m, ("one",), structure=structure)
    return ns.number(found["one"][1] >= ns.rational(3, 5))


def all_at_chance(ns, rng, size, n, m, structure=False):
    """1 where network, NTK and random features have 47 to 55 % of fresh examples, k = 5."""
    found = run(ns, rng, size, n, m, ("rf", "ntk", "network"), k=5, structure=structure)
    return least(ns, [inside(ns, found[o][1]) for o in ("rf", "ntk", "network")])


def sampled(simulation, budget=32, block=4, draws="seeds", **pays):
    return leg(
        "seeds",
        simulation,
        statistic=probability(),
        block=block,
        budget={"smoke": budget, "standard": budget},
        draws=draws,
        **pays,
    )


SIZES = {
    "domain": {n: choices(500, 1000), m: choices(20, 40)},
    "where": sp.Eq(n, 25 * m),
    "grid": {"smoke": [{n: 500, m: 20}]},
    "closed_form": sp.Rational(1, 2),
    "relation": at_least(),
}
ONCE = [{n: 500, m: 20}]
PARITY = "structured-sim-parity"

gap = claim(
    "structured-separation-trained",
    lhs=r"\Pr[\text{acc}_{\text{net}}-\max(\text{acc}_{NTK},\text{acc}_{RF},\text{acc}_{lin})>\tfrac1{10}]",
    tex=r"\tfrac12",
    states="structured-separation",
    title="The trained network against fixed features",
    says="In more than half of the seeds the network has 10 points more of fresh examples than NTK, random "
    "features and a "
    "linear rule with least-squares read-outs, at reduced sizes.",
    covers="experiment",
    legs=[sampled(ahead, budget=96, inside="method")],
    rivals=[variant("40 points", call=ahead, by=(4, 10), at=ONCE)],
    **SIZES,
)

below = claim(
    "structured-sim-parity-fixed",
    lhs=r"\Pr[\max(\text{acc}_{NTK},\text{acc}_{RF})\le\tfrac9{10}]",
    tex=r"\tfrac12",
    states=PARITY,
    title="Fixed features on the parity mixture",
    says="In more than half of the seeds NTK and random features with least-squares read-outs have at most "
    "90 % of fresh "
    "examples, at reduced sizes.",
    covers="fixed-features-worse",
    legs=[sampled(fixed_below, inside="method")],
    rivals=[
        variant("two-step features", call=fixed_below, methods=("two",), at=[{n: 1000, m: 40}])
    ],
    **{**SIZES, "grid": {"smoke": [{n: 500, m: 20}, {n: 1000, m: 40}]}},
)

one_more = claim(
    "structured-sim-parity-one-step-more",
    lhs=r"\Pr[\text{acc}_{\text{one}}\ge\tfrac35]",
    tex=r"\tfrac12",
    states=PARITY,
    title="Least-squares read-outs on one-step features are above chance",
    says="In more than half of the seeds the least-squares read-out on one-step features has 60 % or more of fresh "
    "examples, at reduced sizes.",
    role="derived",
    legs=[sampled(one_above, draws=())],
    rivals=[variant("without structure", call=one_above, structure=False, at=ONCE)],
    **SIZES,
)

chance = claim(
    "structured-sim-parity-no-structure",
    lhs=r"\Pr[\text{acc}\in[\tfrac{47}{100},\tfrac{55}{100}]]",
    tex=r"\tfrac12",
    states=PARITY,
    title="Three methods without structure",
    says="In more than half of the seeds network, NTK and random features have 47 to 55 % of fresh examples where the "
    "structure is removed, at $k=5$ and reduced sizes.",
    covers="no-structure",
    legs=[sampled(all_at_chance, budget=96, inside="method")],
    rivals=[variant("with structure", call=all_at_chance, structure=True, at=ONCE)],
    **SIZES,
)
