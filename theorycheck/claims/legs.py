"""Legs: lines of evidence of a claim, each a simulation, how it is run and what it is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from theorycheck.arithmetics import ARITHMETICS, Arithmetic
from theorycheck.claims.functions import PROFILES, RESERVED, ClaimError, Simulation, arguments
from theorycheck.claims.grids import Grid, grid_by_name
from theorycheck.claims.instances import Instances
from theorycheck.claims.pays import Pays, paying
from theorycheck.claims.validation import problem_in

if TYPE_CHECKING:
    from theorycheck.claims.statistic import Statistic
    from theorycheck.relations.base import Relation

SIDES = ("value", "attained", "certificate", "search")


@dataclass(frozen=True)
class Leg:
    """A named line of evidence: a simulation, how it is run, and what it is compared with."""

    name: str
    simulation: Simulation
    arithmetic: Arithmetic
    relation: Relation | None = None
    closed_form: Any = None
    reference: Simulation | None = None
    instances: Instances | None = None
    statistic: Statistic | None = None
    observed: tuple[str, ...] = ()
    side: str = "value"
    required: bool = True
    grid: Grid | None = None
    unit: Any = None
    budget: Mapping[str, int] | None = None
    block: int = 1024
    model: str = ""
    error: Fraction | None = None
    target: Mapping[str, Fraction | str] | None = None
    pays: Pays = field(default_factory=Pays)
    where: Any = None
    lhs: str = ""
    tex: str = ""

    @property
    def rung(self) -> str:
        """What its evidence at the points tried reaches at most."""
        return "searched" if self.side == "search" else self.arithmetic.rung

    def inputs(self, of: Simulation | None = None) -> tuple[str, ...]:
        """Names of the arguments of the simulation that are parameters or instance fields."""
        return tuple(n for n in arguments(of or self.simulation) if n not in RESERVED)


# Long by its options and what is said of them: an author finds all of them in one signature.
def leg(
    name: str,
    simulation: Simulation,
    *,
    arithmetic: str | None = None,
    relation: Relation | None = None,
    closed_form: Any = None,
    reference: Simulation | None = None,
    instances: Instances | None = None,
    statistic: Statistic | None = None,
    observed: Iterable[Any] = (),
    side: str = "value",
    required: bool = True,
    grid: Mapping[Any, Any] | None = None,
    unit: Any = None,
    budget: Mapping[str, int] | None = None,
    block: int = 1024,
    model: str = "",
    error: Fraction | int | None = None,
    target: Mapping[str, Any] | Fraction | float | str | None = None,
    where: Any = None,
    lhs: str | None = None,
    tex: str | None = None,
    **pays: Any,
) -> Leg:
    """A line of evidence.

    ``arithmetic``: how the simulation is run; by default read off its signature (``rng``: samples;
    ``ns``: ball; neither: exact).

    - ``exact``: plain Python, returns integers, ``Fraction`` or `Surd` (also nested lists)
    - ``rational`` / ``ball`` / ``interval``: an array program of ``ns``, no float literals
    - ``samples``: returns ``(size,)`` independent values, judged through ``statistic``
    - ``external``: code outside of the array rules; ``model`` says what is not controlled, and
      ``error`` declares a bound on its error, relative to the value (or ``unit``): an assumption that
      is printed with the evidence, since floats alone may suspect but never decide
    - ``proof``: returns a `Proof`

    ``closed_form``, ``relation`` and ``grid`` are those of the claim unless the leg has its own.
    ``statistic``: what a sampled leg estimates, `mean`, `probability` or `quantile`. ``instances``: data
    of a "for all" statement. ``required=False``: the leg can refute and is not needed for a pass.

    ``reference`` replaces the closed form where the other side is itself a procedure;
    ``observed`` names further outputs (the simulation returns a dict with ``value`` and these) that
    the closed form may use. ``unit`` is the scale against which closed forms that may vanish are
    judged. ``side``: which side of an optimum the leg closes (``attained``, ``certificate``,
    ``search``). ``where``: what of the domain the leg speaks of, beside the claim's own condition: the
    engine looks at points of its own choice there (`theorycheck.plan.attack`). ``lhs`` and ``tex``: what
    the leg measures and what it is held to, as LaTeX without dollar signs, where that is not what the
    claim's own ``lhs`` and ``tex`` say. ``covers``, ``over``,
    ``gives``, ``chosen_by``, ``inside``, ``draws``, ``lemma``: what it pays for
    (`theorycheck.claims.pays`).

    A sampled leg is looked at until it is seen to the profile's target resolution or has had the
    profile's samples (`theorycheck.plan.settings.LOOKS`). ``budget={"standard": 20_000_000}`` grants it
    another number of samples at a point, for that profile and the larger ones; ``target=Fraction(1, 20)``,
    or ``target={"standard": ...}``, asks for another resolution, relative to the closed form (or
    ``unit``). ``target="reached"``: the samples are all that there are, and what they reach is enough.
    ``block``: how many values are drawn at a time (``size``), always whole blocks; another one gives other
    draws.

    Raises ClaimError for options that are unknown, malformed, missing for the arithmetic or of another one.
    """
    _check_options(
        {"name": name, "simulation": simulation, "relation": relation, "closed_form": closed_form}
        | {"reference": reference, "statistic": statistic, "grid": grid, "unit": unit}
        | {"budget": budget, "block": block, "model": model, "error": error}
        | {"lhs": lhs, "tex": tex},
        pays,
        side,
    )
    way = _arithmetic(name, simulation, arithmetic)
    _need(name, way.missing(statistic, model, error))
    return Leg(
        name=name,
        simulation=simulation,
        arithmetic=way,
        relation=relation,
        closed_form=closed_form,
        reference=reference,
        instances=instances,
        statistic=statistic,
        observed=tuple(str(s) for s in observed),
        side=side,
        required=required,
        grid=None if grid is None else grid_by_name(grid),
        unit=unit,
        budget=budget,
        block=block,
        model=model,
        error=None if error is None else Fraction(error),
        target=_targets(name, way, target),
        pays=paying(name, **pays),
        where=where,
        lhs=(lhs or "").strip(),
        tex=(tex or "").strip(),
    )


def _check_options(options: Mapping[str, Any], pays: Mapping[str, Any], side: str) -> None:
    """Each option of a leg by itself. Raises ClaimError."""
    unknown = set(pays) - set(Pays.__dataclass_fields__)
    problem = f"unknown option {', '.join(sorted(unknown))}" if unknown else problem_in(options)
    if not problem and side not in SIDES:
        problem = f"side {side!r} is none of {', '.join(SIDES)}"
    if problem:
        raise ClaimError(f"leg {options['name']!r}: {problem}")


def _need(name: str, missing: str) -> None:
    if missing:
        raise ClaimError(f"leg {name!r}: {missing}")


def _arithmetic(name: str, simulation: Simulation, asked: str | None) -> Arithmetic:
    """The one asked for, else that of the simulation's signature. Raises ClaimError."""
    if asked is None:
        inputs = arguments(simulation)
        asked = "samples" if "rng" in inputs else "ball" if "ns" in inputs else "exact"
    if asked not in ARITHMETICS:
        raise ClaimError(f"leg {name!r}: arithmetic {asked!r} is none of {', '.join(ARITHMETICS)}")
    return ARITHMETICS[asked]


def _targets(name: str, arithmetic: Arithmetic, target: Any) -> Mapping[str, Fraction | str] | None:
    """A leg's own target resolutions by profile. Raises ClaimError."""
    if target is None:
        return None
    if not arithmetic.sampled:
        raise ClaimError(
            f"leg {name!r}: target= is for sampled legs; others are as sharp as they are"
        )
    asked = target if isinstance(target, Mapping) else {PROFILES[0]: target}
    unknown = set(asked) - set(PROFILES)
    if unknown:
        raise ClaimError(
            f"leg {name!r}: target names profile {', '.join(sorted(map(str, unknown)))}"
        )
    found: dict[str, Fraction | str] = {}
    for profile, value in asked.items():
        number = isinstance(value, int | float | Fraction) and 0 < value < 1
        if not number and value != "reached":
            raise ClaimError(
                f"leg {name!r}: target {value!r} is no resolution; write a number between 0 and 1 "
                '(Fraction(1, 20)), or "reached" for recorded data that are all there is'
            )
        found[profile] = value if isinstance(value, str) else Fraction(value)
    return found


def attained(simulation: Simulation, **options: Any) -> Leg:
    """Leg of an optimum: the value of a construction."""
    return leg(options.pop("name", "attained"), simulation, side="attained", **options)


def certificate(simulation: Simulation, **options: Any) -> Leg:
    """Leg of an optimum: a bound that no feasible point can pass (dual, Parseval, exhaustion)."""
    return leg(options.pop("name", "certificate"), simulation, side="certificate", **options)


def search(simulation: Simulation, **options: Any) -> Leg:
    """Leg of an optimum: the best value found from starts not built from the construction.

    Never required: reaching the optimum is a positive control, passing it is a refutation.
    """
    options.setdefault("required", False)
    return leg(options.pop("name", "search"), simulation, side="search", **options)
