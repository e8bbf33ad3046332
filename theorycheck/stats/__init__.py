"""Anytime-valid inference: what every Monte Carlo verdict rests on.

Declare a tail, feed replicates, ask for intervals; everything holds at all checkpoints at once:

>>> import numpy as np
>>> state = update(new_state(bernoulli()), np.zeros(1000, dtype=bool))
>>> mean_interval(state, 1e-6)
"""

from theorycheck.stats.errors import AssumptionBroken
from theorycheck.stats.forecast import expected_wald, samples_needed
from theorycheck.stats.intervals import mean_interval, probability_interval
from theorycheck.stats.pairs import difference_interval, ratio_interval
from theorycheck.stats.quantiles import cdf_radius, quantile_interval, quantile_ranks
from theorycheck.stats.schedule import checkpoints, last_checkpoint, next_checkpoint
from theorycheck.stats.state import MeanState, evidence_at, new_state, update
from theorycheck.stats.tails import (
    Tail,
    bernoulli,
    bounded,
    distribution,
    sub_gaussian,
    variance_at_most,
)

__all__ = [
    "AssumptionBroken",
    "MeanState",
    "Tail",
    "bernoulli",
    "bounded",
    "cdf_radius",
    "checkpoints",
    "difference_interval",
    "distribution",
    "evidence_at",
    "expected_wald",
    "last_checkpoint",
    "mean_interval",
    "new_state",
    "next_checkpoint",
    "probability_interval",
    "quantile_interval",
    "quantile_ranks",
    "ratio_interval",
    "samples_needed",
    "sub_gaussian",
    "update",
    "variance_at_most",
]
