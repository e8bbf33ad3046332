"""Weight decay above and below S/(4m), in trainings (derived).

Setting. As in `_training`, uniform features, m/2 neurons of each sign; lambda = r S/(4m).

Statements. (1) For r = 2 and 3, when eta lambda t = 6: over fresh examples of the training law the mean margin y h is
within a fiftieth of S/(4 m lambda) = 1/r, and the mean hinge loss as near to 1 - 1/r. (2) For r = 1/4, at c = 40: the
mean hinge loss is at most 1/20.

The fiftieth is how sharply the law is seen, not a tolerance of it: e^-6 is left of the start, and the means of 2000
examples scatter by less. Near r = 1 single margins pass 1, and the mean stays below the law (0.875 for 0.931 at r =
1.07).

Reference: derived (bears on the hypothesis lambda = O(d_0/m^1.01), line 120, and on lines 936-1004; ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, choices, claim, leg, probability, variant
from theorycheck.blocks.two_layer_sgd import LINEAR, RELU, outputs, risk

from ._risks import fresh
from ._training import initial, middle, rule, told_apart, trained

core, background, m, d, c = sp.symbols("core background m d c", integer=True, positive=True)
ratio = sp.Symbol("ratio", positive=True)

STEP, SAMPLES = Fraction(1, 4), 64
"""Natural time a step, examples a step."""


def means(ns, rng, size, core, background, m, d, ratio, c, activation=RELU):
    """Mean margin and mean hinge loss over fresh examples after training. Two of shape (size,)."""
    d0 = core + background
    decay = Fraction(ratio) * d0 / (16 * m)
    how = rule(core, background, m, STEP, activation, decay=decay)
    first = initial(ns, rng, size, m, d0, d)
    net = trained(ns, rng, first, core, how, int(c / STEP), SAMPLES)
    near = fresh(ns, rng, size, core, background)
    margins = near.labels * outputs(ns, net, near.inputs, activation)
    return ns.mean(margins, axis=-1), risk(ns, net, near, how)


def balanced(
    ns, rng, size, core, background, m, d, ratio, c, law=(1, 1), activation=RELU, rooms=None
):
    """1 where the margin is within a fiftieth of law[0]/r, and the loss as near to 1 - law[1]/r. Shape (size,).

    ``rooms``: of both distances, in place of that fiftieth."""
    margin, loss = means(ns, rng, size, core, background, m, d, ratio, c, activation)
    limits = [Fraction(factor) / Fraction(ratio) for factor in law]
    off = ns.abs(margin - ns.asarray(limits[0])), ns.abs(loss - ns.asarray(1 - limits[1]))
    room = [ns.asarray(limit / 50) for limit in limits] if rooms is None else rooms(ns, *off)
    return ns.number((off[0] <= room[0]) & (off[1] <= room[1]))


def fitted(ns, rng, size, core, background, m, d, ratio, c, level=None):
    """1 where the mean hinge loss is at most 1/20, or ``level`` of the losses. Shape (size,)."""
    _, loss = means(ns, rng, size, core, background, m, d, ratio, c)
    return ns.number(loss <= (ns.rational(1, 20) if level is None else level(ns, loss)))


def each_margin(ns, margin, loss):
    return middle(ns, margin), ns.max(loss)


def each_loss(ns, margin, loss):
    return ns.max(margin), middle(ns, loss)


def seed_by_seed(ns, rng, size, core, background, m, d, ratio, c, count=None):
    """1 where after two units of time trainings differ in each of what is compared; ``count``: with as many seeds."""
    seeds = size if count is None else count
    sizes = (core, background, m, d, ratio, 2)
    found = [balanced(ns, rng, seeds, *sizes, rooms=each) for each in (each_margin, each_loss)]
    found.append(fitted(ns, rng, seeds, *sizes, level=middle))
    return told_apart(ns, size, *found)


def above(ns, rng, size, core, background, m, d, ratio, c):
    """With r = 2."""
    return fitted(ns, rng, size, core, background, m, d, 2, c)


def cell(core_, background_, m_, d_, ratio_, c_):
    return {core: core_, background: background_, m: m_, d: d_, ratio: ratio_, c: c_}


QUARTER, THREE_QUARTERS = Fraction(1, 4), Fraction(3, 4)
ABOVE = {
    "smoke": [cell(12, 4, 16, 16**3, 3, 32)],
    "standard": [cell(24, 8, 32, 1060, 2, 48), cell(49, 15, 32, 4270, 3, 32)],
}
BELOW = {
    "smoke": [cell(12, 4, 16, 16**3, QUARTER, 40)],
    "standard": [cell(49, 15, 32, 4270, QUARTER, 40)],
}
CELLS = [p for cells in (ABOVE, BELOW) for points in cells.values() for p in points]


def was_trained(core, background, m, d, ratio, c):
    return cell(core, background, m, d, ratio, c) in CELLS


SAMPLED = {
    "statistic": probability(),
    "block": 16,
    "budget": {"smoke": 64, "standard": 64},
    "tex": r"\tfrac12",
}

threshold = claim(
    "contamination-weight-decay-trainings",
    states="contamination-weight-decay-threshold",
    title="Trainings above and below the critical weight decay",
    says=r"In more than half of the trainings with $\lambda=rS/(4m)$: for $r=2,3$ and $\eta\lambda t=6$ the mean "
    r"margin over fresh examples is within a fiftieth of $S/(4m\lambda)=1/r$, and the mean hinge loss as near to "
    r"$1-1/r$; for $r=1/4$ and $c=40$ the mean hinge loss is at most $1/20$.",
    role="derived",
    covers="equilibrium-margin id-risk-plateau below-threshold-fits",
    reads={
        "lambda": "ratio m core background",
        "laws": "core background",
        "t": "c",
        "d0": "core background",
    },
    domain={
        core: choices(12, 24, 49),
        background: choices(4, 8, 15),
        m: choices(16, 32),
        d: choices(1060, 16**3, 4270),
        ratio: choices(QUARTER, 2, 3),
        c: choices(32, 40, 48),
    },
    where=was_trained,
    grid=ABOVE,
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "above",
            balanced,
            covers="equilibrium-margin id-risk-plateau",
            where=ratio > 1,
            lhs=r"\Pr[\mathbb E[yh]\approx\tfrac1r,\ R_{\mathrm{ID}}\approx1-\tfrac1r]",
            **SAMPLED,
        ),
        leg(
            "below",
            fitted,
            covers="below-threshold-fits",
            where=ratio < 1,
            grid=BELOW,
            lhs=r"\Pr[R_{\mathrm{ID}}\le\tfrac1{20}]",
            **SAMPLED,
        ),
        # A mean over the seeds, in place of each, would leave them alike.
        leg(
            "seed by seed",
            seed_by_seed,
            where=ratio > 1,
            grid={"smoke": ABOVE["smoke"]},
            required=False,
            lhs=r"\Pr[\text{margins and losses differ}]",
            **SAMPLED,
        ),
    ],
    rivals=[
        variant("S/(2 m lambda)", call=balanced, law=(2, 2), leg="above"),
        variant(
            "S_c/(4 m lambda)", call=balanced, law=(THREE_QUARTERS, THREE_QUARTERS), leg="above"
        ),
        variant("its margin, another loss", call=balanced, law=(1, THREE_QUARTERS), leg="above"),
        variant("its loss, another margin", call=balanced, law=(THREE_QUARTERS, 1), leg="above"),
        variant("one seed for all", call=seed_by_seed, count=1, leg="seed by seed"),
        variant("the linear network", call=balanced, activation=LINEAR, leg="above"),
        variant("twice the threshold", simulation=above, leg="below"),
    ],
)
