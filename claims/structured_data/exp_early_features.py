r"""Tables A.1, A.3 and A.5: cosines after one step and after two, and read-outs on the features of one step.

Protocol. The printed schedule: starts 1/k, 1/k^2, sigt^2/(gamma k^2); noise 1/k^2; eta = gamma^2 sigt/(k m^3), decay
1/(2 eta), then eta = 1, decays 1/2; gradients over all n examples. D = 100, k = 5, m = 300, n = 50,000 and d = 100,
500, 2000 are the source's. Of the 300 neurons and their copies the first eight are computed (see the shared program):
the printed cosine, a maximum over all, is at least theirs.

Statements. (1) Two-step cosines are 0.995 or more at all three d. (2) The one-step cosine is printed as 0.967, 0.848,
0.560 at d = 100, 500, 2000. Not reproduced under this protocol: it is 0.99 or more at all three, as it has to be
where the decay forgets the start. Without forgetting, and a rate of 10, it falls with d. (3) "The best classifiers"
on one-step features are printed with 52 % of fresh examples. Not reproduced by least squares: the read-out on the
features of eight neurons and their copies, one among the classifiers, has 80 % or more. (4) Cosines after two steps
follow (1 + (D - 1)/(4 n k gamma^2))^(-1/2) within 0.002 at n = 10,000, 25,000 and 50,000 (the largest of the computed
neurons; m = 300 at each n, where the source has 50 at the smallest).

Levels, ours: half of the seeds, nine tenths where a printed number is tried: the source shows means of five, of
deviations below 0.5 %; and 0.05 about a printed number.

Reference: lines 3897-3941, 3976-4005, 4040-4064.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, choices, claim, leg, probability, variant

from ._schedule import after_one, after_two, before, closest, drawn, mixture, unit

d, n = sp.symbols("d n", integer=True, positive=True)
D, k, m = 100, 5, 300
FIRST = 8
"""Neurons that are computed."""
FRESH = 1_000
PRINTED = {100: (967, 1000), 500: (848, 1000), 2000: (56, 100)}


def begun(ns, rng, size, d, n):
    return drawn(ns, rng, size, d, D, k, FIRST), mixture(ns, rng, size, n, D, k)


def one_step(ns, rng, size, d, n, **changes):
    """The largest cosine after the first step. Shape (size,)."""
    net, data = begun(ns, rng, size, d, n)
    return closest(ns, after_one(ns, net, data, k, m, **changes), k)


def two_steps(ns, rng, size, d, n):
    net, data = begun(ns, rng, size, d, n)
    return closest(ns, after_two(ns, after_one(ns, net, data, k, m), data, k), k)


def one_step_as_printed(ns, rng, size, d, n):
    """1 where the largest cosine is at most 0.05 above the printed one."""
    return ns.number(one_step(ns, rng, size, d, n) <= ns.rational(*PRINTED[d]) + ns.rational(1, 20))


def one_step_aligned(ns, rng, size, d, n):
    return ns.number(one_step(ns, rng, size, d, n) >= ns.rational(99, 100))


def one_step_remembers(ns, rng, size, d, n):
    """Rate 10 and no decay."""
    return ns.number(one_step(ns, rng, size, d, n, rate=10, forgets=False) >= ns.rational(99, 100))


def two_steps_aligned(ns, rng, size, d, n):
    return ns.number(two_steps(ns, rng, size, d, n) >= ns.rational(995, 1000))


def start_aligned(ns, rng, size, d, n):
    return ns.number(closest(ns, drawn(ns, rng, size, d, D, k, m), k) >= ns.rational(995, 1000))


def unstructured(ns, rng, size, d, n):
    """Two steps on uniform patterns."""
    net, data = (
        drawn(ns, rng, size, d, D, k, FIRST),
        mixture(ns, rng, size, n, D, k, structure=False),
    )
    two = after_two(ns, after_one(ns, net, data, k, m), data, k)
    return ns.number(closest(ns, two, k) >= ns.rational(995, 1000))


def near_the_law(ns, rng, size, n, power=(1, 2), share=1):
    """1 where the cosine after two steps is within 0.002 of the law, d = D."""
    law = ns.power(1 / (1 + ns.rational(4 * (D - 1), int(5 * n * share))), *power)
    return ns.number(ns.abs(two_steps(ns, rng, size, D, n) - law) <= ns.rational(2, 1000))


def features(ns, net, inputs):
    """Values of the units, and a constant. Shape (S, N, M + 1)."""
    value = unit(ns, before(ns, net, inputs), 0)[0]
    return ns.concat([value, 1 + 0 * value[:, :, :1]], axis=2)


def least_squares(ns, net, data, fresh):
    """Accuracy on fresh examples of the sign of the least-squares read-out, features centred and scaled, with a
    ridge of 1e-6. Shape (S,)."""
    x, z = features(ns, net, data.inputs), features(ns, net, fresh.inputs)
    centre = ns.mean(x[:, :, :-1], axis=1)[:, None, :]
    spread = ns.sqrt(ns.mean((x[:, :, :-1] - centre) ** 2, axis=1))[:, None, :]
    spread = ns.where(spread > 0, spread, 1)
    x, z = (ns.concat([(u[:, :, :-1] - centre) / spread, u[:, :, -1:]], axis=2) for u in (x, z))
    t = ns.matrix_transpose(x)
    gram = ns.matmul(t, x) / x.shape[1] + ns.rational(1, 10**6) * ns.eye(x.shape[2])
    a = ns.solve(gram, ns.matmul(t, data.labels[:, :, None]) / x.shape[1])
    return ns.mean(ns.number(ns.matmul(z, a)[:, :, 0] * fresh.labels > 0), axis=1)


def read_out(ns, rng, size, n, structure=True):
    """Accuracy of a read-out on the features of one step. Shape (size,)."""
    net = drawn(ns, rng, size, D, D, k, FIRST)
    data, fresh = (mixture(ns, rng, size, count, D, k, structure) for count in (n, FRESH))
    return least_squares(ns, after_one(ns, net, data, k, m), data, fresh)


def well_above_chance(ns, rng, size, n, structure=True):
    return ns.number(read_out(ns, rng, size, n, structure) >= ns.rational(4, 5))


def sampled(simulation, budget=24, block=4, draws="seeds"):
    return leg(
        "seeds",
        simulation,
        statistic=probability(),
        block=block,
        budget={"smoke": budget, "standard": budget},
        draws=draws,
    )


DIMENSIONS = {
    "domain": {d: choices(100, 500, 2000), n: choices(10_000, 50_000)},
    "grid": {
        "smoke": [{d: 500, n: 10_000}],
        "standard": [{d: 100, n: 10_000}, {d: 2000, n: 10_000}],
        "deep": [{d: e, n: 50_000} for e in (100, 500, 2000)],
    },
    "closed_form": sp.Rational(1, 2),
    "relation": at_least(),
}
ONCE = {d: 500, n: 10_000}

falls = claim(
    "structured-sim-dims-one-step-printed",
    lhs=r"\Pr[\cos_{\text{one}}\le\text{printed}+\tfrac1{20}]",
    tex=r"\tfrac9{10}",
    states="structured-sim-dims",
    title="One-step cosines against the input dimension, as printed",
    says="In nine of ten seeds the largest cosine after one step is at most 0.05 above the printed 0.967, 0.848 and "
    "0.560 at $d=100,500,2000$. Not reproduced under this protocol.",
    expect="fail",
    covers="one-step-cos-falls",
    domain={d: choices(100, 500, 2000), n: choices(50_000)},
    grid={"smoke": [{d: 500, n: 50_000}]},
    closed_form=sp.Rational(9, 10),
    relation=at_least(),
    legs=[sampled(one_step_as_printed, budget=16, block=2)],
)

stays = claim(
    "structured-sim-dims-one-step",
    lhs=r"\Pr[\cos_{\text{one}}\ge\tfrac{99}{100}]",
    tex=r"\tfrac12",
    states="structured-sim-dims",
    title="One-step cosines do not fall with the input dimension",
    says="In more than half of the seeds the largest cosine after one step is 0.99 or more at $d=100,500,2000$.",
    role="corrected",
    corrects="structured-sim-dims-one-step-printed",
    covers="one-step-cos-falls",
    legs=[sampled(one_step_aligned)],
    rivals=[
        variant("without forgetting", simulation=one_step_remembers, at=[ONCE]),
        variant("the start", simulation=start_aligned, at=[ONCE]),
    ],
    **DIMENSIONS,
)

two = claim(
    "structured-sim-dims-two-step",
    lhs=r"\Pr[\cos_{\text{two}}\ge\tfrac{995}{1000}]",
    tex=r"\tfrac12",
    states="structured-sim-dims",
    title="Two-step cosines at three input dimensions",
    says="In more than half of the seeds the largest cosine after two steps is 0.995 or more at $d=100,500,2000$, at "
    "50,000 examples and at 10,000.",
    covers="two-step-cos",
    legs=[sampled(two_steps_aligned)],
    rivals=[
        variant("without structure", simulation=unstructured, at=[ONCE]),
        variant("the start", simulation=start_aligned, at=[ONCE]),
    ],
    **DIMENSIONS,
)

table = claim(
    "structured-sim-parity-cosines-printed",
    lhs=r"\Pr[\cos_{\text{one}}\le\text{printed}+\tfrac1{20}]",
    tex=r"\tfrac9{10}",
    states="structured-sim-parity",
    title="The one-step cosine of the table, as printed",
    says="In nine of ten seeds the largest cosine after one step is at most 0.05 above the printed 0.848. Not "
    "reproduced "
    "under this protocol.",
    expect="fail",
    covers="cosines",
    domain={d: choices(500), n: choices(50_000)},
    grid={"smoke": [{d: 500, n: 50_000}]},
    closed_form=sp.Rational(9, 10),
    relation=at_least(),
    legs=[sampled(one_step_as_printed, budget=16, block=2)],
)

aligned = claim(
    "structured-sim-parity-cosines",
    lhs=r"\Pr[\cos_{\text{one}}\ge\tfrac{99}{100}]",
    tex=r"\tfrac12",
    states="structured-sim-parity",
    title="The one-step cosine of the printed schedule",
    says="In more than half of the seeds the largest cosine after one step is 0.99 or more.",
    role="corrected",
    corrects="structured-sim-parity-cosines-printed",
    covers="cosines",
    domain={d: choices(500), n: choices(10_000, 50_000)},
    grid={"smoke": [ONCE], "deep": [{d: 500, n: 50_000}]},
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[sampled(one_step_aligned)],
    rivals=[variant("without forgetting", simulation=one_step_remembers, at=[ONCE])],
)

law = claim(
    "structured-sim-samples-two-step",
    lhs=r"\Pr[|\cos_{\text{two}}-(1+\tfrac{D-1}{4nk\gamma^2})^{-1/2}|\le\tfrac2{1000}]",
    tex=r"\tfrac12",
    states="structured-sim-samples",
    title="Two-step cosines against the number of examples",
    says=r"In more than half of the seeds the largest cosine after two steps is within 0.002 of "
    r"$(1+(D-1)/(4nk\gamma^2))^{-1/2}$ at 10,000, 25,000 and 50,000 examples.",
    covers="two-step-cos",
    domain={n: choices(10_000, 25_000, 50_000)},
    grid={"smoke": {n: [10_000]}, "standard": {n: [25_000]}, "deep": {n: [50_000]}},
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[sampled(near_the_law)],
    rivals=[
        variant("power -1", call=near_the_law, power=(1, 1), at=[{n: 10_000}]),
        variant("half of the examples", call=near_the_law, share=Fraction(1, 2), at=[{n: 10_000}]),
    ],
)

above = claim(
    "structured-sim-parity-one-step",
    lhs=r"\Pr[\text{acc}_{\text{one}}\ge\tfrac45]",
    tex=r"\tfrac12",
    states="structured-sim-parity",
    title="The least-squares read-out on one-step features",
    says="In more than half of the seeds the least-squares read-out on the one-step features of eight neurons and "
    "their "
    "copies has 80 % or more of fresh examples.",
    role="derived",
    domain={n: choices(10_000, 50_000)},
    grid={"smoke": {n: [10_000]}, "deep": {n: [50_000]}},
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[sampled(well_above_chance, draws=())],
    rivals=[
        variant("without structure", call=well_above_chance, structure=False, at=[{n: 10_000}])
    ],
)
