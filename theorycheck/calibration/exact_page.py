"""Sections of the published page whose numbers are summed exactly, and the samples that a verdict needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import takewhile

from theorycheck.calibration import efficiency, tilted
from theorycheck.calibration.decisions import Evidence, anytime, equality
from theorycheck.calibration.lattice import crossing
from theorycheck.calibration.tables import number, table
from theorycheck.stats import checkpoints

SUM_ROUNDING = 1e-13
"""What 1 - (accepted mass) loses to rounding in a lattice sum."""


# ---------------------------------------------------------------- exact


def _on_either_side(rejects: Evidence, p: float, n: int, s: int) -> bool:
    return rejects(n, s, p, 1) or rejects(n, s, p, -1)


def exact_section(quick: bool) -> str:
    """Error probabilities that are summed, at levels that no run could reach."""
    levels = (0.5, 0.2, 0.05, 1e-3, 1e-6, 1e-6 / 4096 / 2)
    truths = (0.3,) if quick else (0.001, 0.03, 0.3, 0.5, 0.99)

    def looks(last: int) -> list[int]:
        return list(takewhile(lambda n: n <= last, checkpoints()))

    rows = []
    for alpha in levels:
        rejects = anytime(alpha)
        row: list[object] = [number(alpha, 2)]
        for p in truths:
            found = crossing(p, looks(8000), partial(_on_either_side, rejects, p))
            known = found.probability > SUM_ROUNDING
            row.append(number(found.probability, 2) if known else f"< {SUM_ROUNDING:g}")
        rows.append(row)
    decisions = []
    c, rho = 0.3, 0.2
    for alpha in levels:
        for times in (0.0, 1.0, 1.5, 3.0):
            v = equality(c + times * rho * c, c, rho * c, looks(9000), anytime(alpha))
            decisions.append(
                [
                    number(alpha, 2),
                    number(times) if times else "truth",
                    number(v.failed, 2),
                    number(v.passed, 2),
                    number(v.inconclusive, 2),
                    f"{v.mean_n:.0f}",
                ]
            )
    text = f"""## Exact, at levels that no run could reach

Probability that the confidence sequence of a Bernoulli mean ever excludes the true p at the checkpoints up to
8,000, by dynamic programming over the counts (`lattice`). It is to be at most alpha; below {SUM_ROUNDING:g} the sum's
own rounding is all there is.

{table(("alpha", *(f"p = {p:g}" for p in truths)), rows)}
Probabilities of the verdicts on "p = {c:g}, to within {rho:g}" up to 9,000 samples (`decisions`). A truth is to
fail, and a deviation of rho or more is to pass, with probability at most alpha.

{table(("alpha", "deviation / rho", "fails", "passes", "inconclusive", "mean samples"), decisions)}"""
    if quick:
        return text
    return f"{text}\n{_tilted_laws()}"


def _tilted_laws() -> str:
    laws: list[tuple[str, tilted.TiltedLaw, Callable[[tilted.Floats], tilted.At], int, int]] = [
        ("normal, sigma declared", tilted.NORMAL, tilted.normal_rejected(1.0), 1500, 0),
        ("uniform on [0, 1], range declared", tilted.UNIFORM, tilted.uniform_rejected, 150, 0),
        (
            "rare large values (1/2), variance declared",
            tilted.rare(0.5),
            tilted.heavy_rejected(1.0),
            120,
            64,
        ),
        (
            "rare large values (1/50), variance declared",
            tilted.rare(0.02),
            tilted.heavy_rejected(1.0),
            120,
            64,
        ),
    ]
    sums = []
    for name, law, rejected, paths, start in laws:
        estimate, noise = tilted.error(law, rejected, paths, start)
        sums.append(
            [
                name,
                paths,
                number(estimate, 2),
                number(noise, 2),
                number(tilted.ALPHA, 2),
                "yes" if estimate + 4 * noise <= tilted.ALPHA else "**no**",
            ]
        )
    return f"""Probability of ever excluding the true mean at alpha = 1e-6 up to 2,500 samples, by importance sampling
under tilted laws (`tilted`); kept means that the estimate and four times its noise lie below alpha.

{table(("data", "paths", "probability", "noise", "alpha", "kept"), sums)}"""


# ---------------------------------------------------------------- efficiency


def efficiency_section(quick: bool) -> str:
    """How many samples a verdict needs, beside Wald's bound."""
    pairs = [p for p in efficiency.PAIRS if not quick or p[0] == 0.5]
    rows, ratios = [], []
    for p0, p1 in pairs:
        bound = efficiency.bound(p0, p1, efficiency.DECISION)
        mean = efficiency.mean_samples(p0, p1, efficiency.DECISION)
        ratios.append(mean / bound)
        rows.append([f"{p0:g}", f"{p1:g}", f"{bound:.0f}", f"{mean:.0f}", f"{mean / bound:.2f}"])
    seeds = range(5 if quick else 50)
    blocks = []
    for p, q in efficiency.IN_BLOCKS[:: 5 if quick else 1]:
        wald = efficiency.bound(float(p), float(q), efficiency.DECISION)
        decided, confirmed = efficiency.through_the_pipeline(p, q, seeds)
        blocks.append(
            [
                f"{float(p):g}",
                f"{float(q):g}",
                f"{wald:.0f}",
                f"{decided:.0f}",
                f"{decided / wald:.2f}",
                f"{confirmed:.0f}",
            ]
        )
    return f"""## Samples to a verdict against Wald's bound

Mean samples until data of probability p1 refute p0, at the level {efficiency.DECISION:.2g} that a point of the
grid has at the default alpha. Wald's test knows both hypotheses and may stop anywhere; the bound is not
below the first checkpoint, 64. Largest ratio {max(ratios):.2f}, geometric mean
{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}.

{table(("p0", "p1", "Wald", "mean samples", "ratio"), rows)}
The same from claim to verdict, means over {len(seeds)} seeds, with draws in blocks of 1024: until the evidence
of the grid excludes p0, and in all, with the stream on which the fail is confirmed.

{table(("p0", "p1", "Wald", "mean samples", "ratio", "with confirmation"), blocks)}"""


__all__ = ["efficiency_section", "exact_section"]
