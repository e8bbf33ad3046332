"""Anytime-valid inference: what every Monte Carlo verdict rests on.

Declare a tail, feed replicates, ask for intervals; everything holds at all checkpoints at once:

>>> import numpy as np
>>> state = update(new_state(bernoulli()), np.zeros(1000, dtype=bool))
>>> mean_interval(state, 1e-6)
"""

from theorycheck.stats.errors import AssumptionBroken
from theorycheck.stats.intervals import mean_interval, probability_interval
from theorycheck.stats.state import (
    State,
    checkpoints,
    last_checkpoint,
    new_state,
    next_checkpoint,
    update,
)
from theorycheck.stats.tails import Tail, bernoulli, bounded, sub_gaussian, variance_at_most

__all__ = [
    "AssumptionBroken",
    "State",
    "Tail",
    "bernoulli",
    "bounded",
    "checkpoints",
    "last_checkpoint",
    "mean_interval",
    "new_state",
    "next_checkpoint",
    "probability_interval",
    "sub_gaussian",
    "update",
    "variance_at_most",
]
