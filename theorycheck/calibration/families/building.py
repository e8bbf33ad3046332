"""What the families share: a claim about one integer n from one simulation, and named wrong forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy

from theorycheck.calibration.cases import Build
from theorycheck.claims.functions import Simulation
from theorycheck.claims.legs import leg
from theorycheck.claims.model import Claim, claim
from theorycheck.numbers.domain import Domain, integers
from theorycheck.relations.base import Relation
from theorycheck.relations.equality import equals

N = sympy.Symbol("n", integer=True, positive=True)


def about_n(
    simulation: Simulation,
    grid: Iterable[int],
    relation: Relation | None = None,
    *,
    domain: Domain | None = None,
    mutate: bool = False,
    **options: Any,
) -> Build:
    """``build(id, form)`` of a claim about n with one leg; ``options`` are those of `leg`.

    The domain begins with the grid unless it is given: the engine tries the smallest members too.
    """
    tried = list(grid)

    def build(id: str, form: Any) -> Claim:
        return claim(
            id,
            domain={N: domain or integers(min(tried))},
            grid={"smoke": {N: tried}},
            closed_form=form,
            relation=relation or equals(),
            legs=[leg("value", simulation, **options)],
            mutate=mutate,
        )

    return build


def claimed(build: Build, form: Any) -> Callable[[str], Claim]:
    """The claim with this closed form, whatever its id."""

    def made(id: str) -> Claim:
        return build(id, form)

    return made


def wrong(build: Build, **forms: Any) -> Mapping[str, Callable[[str], Claim]]:
    """Structural lies by wrong closed forms; underscores of the names stand for spaces."""
    return {name.replace("_", " "): claimed(build, form) for name, form in forms.items()}
