"""Units: single observations to make, with all that making and judging them depends on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from theorycheck.claims.figures import Figure
from theorycheck.claims.functions import Simulation
from theorycheck.claims.instances import Instances
from theorycheck.claims.legs import Leg
from theorycheck.numbers.domain import Exact
from theorycheck.plan.keys import UnitKey
from theorycheck.stats import MeanState


@dataclass(frozen=True)
class Unit:
    """One observation to make: a leg as it is run, at a point.

    ``level``: error probability of its confidence set; ``instances``: how many are drawn, 0 where the
    leg has none; ``limit``: largest number of samples, 0 where nothing is sampled; ``stop``: when
    sampling ends before that, None for at the limit only; ``qualifiers``: what its evidence depends
    on beside key, seed and device; ``special``: how many instances with one field at a special member of
    its domain come after those drawn; ``work``: operations that it may take, 0 without a limit;
    ``among``: the claim's own instances, of which those of a rival or a dropped hypothesis may be;
    ``beside``: of a certificate the programs of the claim's other legs, with which it is to share the model;
    ``built``: those of them that measure the construction.
    """

    key: UnitKey
    leg: Leg
    point: Mapping[str, Exact]
    level: float
    instances: int = 0
    limit: int = 0
    stop: Callable[[MeanState], bool] | None = None
    qualifiers: tuple[Any, ...] = ()
    special: int = 0
    work: int = 0
    among: Instances | None = None
    beside: tuple[Simulation, ...] = ()
    built: tuple[Simulation, ...] = ()

    @property
    def evidence_key(self) -> str:
        """What its evidence is filed by inside a claim's context: canonical text."""
        return self.key.text(*self.qualifiers)


@dataclass(frozen=True)
class FigureUnit:
    """A figure to draw: shown and never judged."""

    key: UnitKey
    figure: Figure
    point: Mapping[str, Exact]

    @property
    def evidence_key(self) -> str:
        return self.key.text()
