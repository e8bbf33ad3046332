"""Section 5.7: without which noise two ranks are equally robust.

Setting. As in `behavior_gap`: tasks inside the first r directions, ranks r <= R.

Statements. The gap vanishes where no added direction has variance, and where both the task and the label noise
vanish; M times the gap does not depend on M. The text says that xi is the pretraining noise; xi = 0 does not remove
the gap. (`behavior_gap` has the converse: elsewhere the gap is positive.)

Reference: section 5.7 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, equals, identity_for_all, leg, variant

from ._conditions import admitted, both_entries, inside, noiseless
from .behavior_gap import GAPS, NAMES, TWO_RANKS, difference, gap
from .behavior_regression import ROTATIONS, R, anything, d, point, r

SMALL = [
    point(spectrum, task, 3, 1, 1, noise) | {R: 2}
    for spectrum in ((4, 0), (4, 1))
    for task in ((1, 0), (0, 0))
    for noise in (1, 0)
]
GAPLESS = admitted(SMALL, noiseless)

noise_sources = claim(
    "icl-noise-sources",
    lhs=r"\mathcal{L}(R)-\mathcal{L}(r)",
    title="When the robustness gap vanishes",
    says=r"The loss gap of two ranks is 0 when $\lambda$ vanishes beyond $r$, and when the task and the"
    " label noise vanish.",
    role="reading",
    encodes="part",
    domain=TWO_RANKS,
    # R is the larger rank: at R < r the gap does not vanish.
    where=[both_entries, noiseless, r <= R, d >= R],
    grid={"smoke": GAPLESS, "standard": [*GAPLESS, point((4, 0), (2, 0), 5, 2, 1, 1) | {R: 2}]},
    closed_form=sp.Integer(0),
    relation=equals(),
    legs=[leg("cubature", gap, arithmetic="rational", instances=ROTATIONS, unit=1)],
    rivals=[
        variant(
            "no label noise alone removes it",
            leg="cubature",
            at=[point((4, 1), (1, 0), 3, 1, 1, 0) | {R: 2}],
        ),
    ],
)

without_xi = claim(
    "icl-noise-sources-xi",
    lhs=r"\mathcal{L}(R)-\mathcal{L}(r)",
    states="icl-noise-sources",
    title=r"Without $\xi$ two ranks are equally robust, as it is worded",
    says=r"On tasks with $\xi= 0$ the gap of two ranks is 0.",
    role="reading",
    expect="fail",
    covers="pretraining-noise-is-xi",
    reads=NAMES,
    domain=TWO_RANKS,
    where=[both_entries, inside, r <= R, d >= R],
    grid={"smoke": GAPS["smoke"][:2]},
    closed_form=sp.Integer(0),
    relation=equals(),
    legs=[leg("cubature", gap, arithmetic="rational", instances=ROTATIONS, unit=1)],
)


def times_length(ns, M, K, **given):
    return M * difference(ns, M=M, **given)


def times_other_length(ns, M, K, **given):
    return K * difference(ns, M=K, **given)


def any_length(d, r, R):
    """M gap(M) against K gap(K)."""
    fields = {**anything(d, R), "z": (r,), "K": ()}
    return identity_for_all(times_length, times_other_length, fields, r=r)


def any_task(d, r, R):
    """The same for tasks with xi != 0, whose gap has a part that does not shrink."""
    fields = {**anything(d, R), "z": (d,), "K": ()}
    return identity_for_all(times_length, times_other_length, fields, r=r)


shrinks = claim(
    "icl-noise-sources-length",
    states="icl-noise-sources",
    title="The gap is proportional to $1/M$",
    says="For every spectrum, task inside r and noise, M times the gap of two ranks does not depend on M.",
    role="reading",
    covers="vanishes-with-M",
    domain={s: TWO_RANKS[s] for s in (d, r, R)},
    where=[r <= R, d >= R],
    grid={
        "smoke": [{d: n, r: k, R: top} for n in (1, 2, 3) for k in range(n) for top in {k + 1, n}]
    },
    legs=[
        leg(
            "moments of one example",
            any_length,
            arithmetic="proof",
            over="Lambda N M s sigma",
            where=d <= 3,
        )
    ],
    rivals=[
        variant(
            "tasks beyond r",
            simulation=any_task,
            leg="moments of one example",
            at=[{d: 2, r: 1, R: 2}],
        )
    ],
)
