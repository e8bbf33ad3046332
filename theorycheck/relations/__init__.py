"""Relations: how a claim's two sides are compared. One module each; see `base.Relation`."""

from theorycheck.relations.bounds import at_least, at_most, holds_with_probability
from theorycheck.relations.equality import counts, equals
from theorycheck.relations.optimum import maximises, minimises

__all__ = [
    "at_least",
    "at_most",
    "counts",
    "equals",
    "holds_with_probability",
    "maximises",
    "minimises",
]
