"""Relations: how a claim's two sides are compared. One module each; see `base.Relation`."""

from theorycheck.relations.bounds import at_least, at_most, holds_with_probability
from theorycheck.relations.constants import up_to_constant
from theorycheck.relations.convergence import converges_to, decays_as
from theorycheck.relations.equality import counts, equals
from theorycheck.relations.optimum import maximises, minimises
from theorycheck.relations.scaling import scales_as
from theorycheck.relations.separation import separates

__all__ = [
    "at_least",
    "at_most",
    "converges_to",
    "counts",
    "decays_as",
    "equals",
    "holds_with_probability",
    "maximises",
    "minimises",
    "scales_as",
    "separates",
    "up_to_constant",
]
