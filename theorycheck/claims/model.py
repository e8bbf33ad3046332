"""Claims: one checkable assertion each, as plain data plus functions.

A claim pairs a *closed form* (a SymPy expression, or an independent ``reference`` procedure) with one
or more *legs*, each a simulation that obtains the same quantity without the closed form. Nothing here
runs anything: this module holds the data, and refuses what cannot be a claim with one clear line.

A simulation names what it needs, and the engine passes it by name:

=========  =====================================================================================
``ns``     the array namespace: rationals, balls, intervals or floats (`theorycheck.arrays`)
``rng``    a keyed random stream (sampled legs)
``size``   the number of independent values to return, shape ``(size,)`` (sampled legs)
others     parameters of the claim, and the fields of an instance
=========  =====================================================================================
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from theorycheck.arithmetics import ARITHMETICS, Arithmetic
from theorycheck.claims.clauses import Clause
from theorycheck.claims.figures import Figure
from theorycheck.claims.functions import PROFILES as PROFILES
from theorycheck.claims.functions import RESERVED as RESERVED
from theorycheck.claims.functions import ClaimError as ClaimError
from theorycheck.claims.functions import Simulation as Simulation
from theorycheck.claims.functions import arguments as arguments
from theorycheck.claims.functions import name_of
from theorycheck.claims.instances import Instances as Instances
from theorycheck.claims.instances import instances as instances
from theorycheck.claims.pays import Pays, listed, paying
from theorycheck.claims.validation import problem_in
from theorycheck.numbers.domain import (
    Domain,
    DomainError,
    Exact,
    exact,
    point_key,
    product_points,
    to_text,
)

if TYPE_CHECKING:
    from theorycheck.claims.statistic import Statistic
    from theorycheck.relations.base import Relation

ROLES = ("as_printed", "reading", "corrected", "derived", "beyond_scope", "variant")
ENCODES = ("whole", "part", "special-case", "proxy")
VERDICTS = ("pass", "fail", "inconclusive")
SIDES = ("value", "attained", "certificate", "search")

Grid = Mapping[str, Any]


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


@dataclass(frozen=True)
class Variant:
    """A rival: the claim with some part replaced. The evidence must refute it."""

    name: str
    changes: Mapping[str, Any]
    leg: str | None = None
    at: tuple[Mapping[str, Exact], ...] | None = None


@dataclass(frozen=True)
class Hypothesis:
    """A declared hypothesis, and fresh points where only it is dropped."""

    name: str
    without: tuple[Mapping[str, Exact], ...]
    leg: str | None = None
    simulation: Simulation | None = None
    instances: Instances | None = None


@dataclass(frozen=True)
class Claim:
    """One checkable assertion. Build it with `claim`; every field is documented there."""

    id: str
    title: str
    says: str
    states: tuple[str, ...]
    role: str
    encodes: str
    domain: Mapping[str, Domain]
    symbols: Mapping[str, Any]
    grid: Grid
    where: Any
    closed_form: Any
    relation: Relation
    legs: tuple[Leg, ...]
    rivals: tuple[Variant, ...]
    assumes: tuple[Hypothesis, ...]
    expect: str
    corrects: str | None
    setting: str
    plot: str | None
    notes: str
    mutate: bool = True
    figures: tuple[Figure, ...] = ()
    covers: tuple[str, ...] = ()
    reads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left: Mapping[str, str] = field(default_factory=dict)
    lhs: str = ""
    tex: str = ""
    clauses: tuple[Clause, ...] = ()
    """Those that it covers, out of the register; filled in when it is loaded."""
    _tried: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<claim {self.id}: {self.says or self.title}>"

    def leg(self, name: str) -> Leg:
        for candidate in self.legs:
            if candidate.name == name:
                return candidate
        raise ClaimError(f"claim {self.id}: no leg named {name!r}")

    def points(self, profile: str, leg: Leg | None = None) -> list[dict[str, Exact]]:
        """The points tried under a profile: its own and those of every smaller profile, each once, in
        grid order; those outside ``where`` are left out."""
        grid = leg.grid if leg is not None and leg.grid is not None else self.grid
        where = None if leg is None else leg.where
        key = id(grid), id(where), profile
        if key not in self._tried:
            columns = [p for name in _up_to(grid, profile) for p in _expand(grid[name])]
            inside = {point_key(p): p for p in columns if self.admits(p, leg)}
            # Grid and condition are held beside their points, so that their ids stay their own.
            self._tried[key] = (grid, where, list(inside.values()))
        return [dict(p) for p in self._tried[key][2]]

    def admits(self, point: Mapping[str, Exact], leg: Leg | None = None) -> bool:
        """Whether the point lies in the domain: each value in its own, and ``where`` holds; with a leg,
        whether it speaks of the point."""
        inside = all(d.contains(point[n], point) for n, d in self.domain.items() if n in point)
        conditions = (self.where,) if leg is None else (self.where, leg.where)
        return inside and all(holds(where, point, self.symbols) for where in conditions)

    def corrected(self, id: str, **changes: Any) -> Claim:
        """The repair of a claim that is false as printed: the same claim with some options replaced, which
        corrects this one and is expected to pass. Options are those of `claim`.

        Where the closed form changes, the printed one is its rival, and ``says`` has to say the new
        assertion. What speaks of the printed one only (``tex``, ``notes``, its rivals) is not taken over.
        Raises ClaimError.
        """
        asked = {"role", "corrects", "expect"} & set(changes)
        if asked:
            raise ClaimError(f"claim {id}: corrected() sets {', '.join(sorted(asked))} itself")
        form = changes.get("closed_form")
        if form is not None and "says" not in changes:
            raise ClaimError(f"claim {id}: its closed form differs; say what it asserts (says=...)")
        parts: dict[str, Any] = {n: getattr(self, n) for n in _TAKEN_OVER}
        parts |= {"domain": {self.symbols[n]: d for n, d in self.domain.items()}, "legs": self.legs}
        if form is not None and self.closed_form is not None:
            parts["rivals"] = [variant("as printed", closed_form=self.closed_form)]
        parts |= changes | {"role": "corrected", "corrects": self.id}
        built: Claim = claim(id, **parts)
        return built

    @property
    def is_open(self) -> bool:
        """Whether a closed form is still to be found: ``closed_form=...``, the three dots."""
        return any(self.form_of(lg) is ... for lg in self.legs)

    def form_of(self, leg: Leg) -> Any:
        return self.closed_form if leg.closed_form is None else leg.closed_form

    def relation_of(self, leg: Leg) -> Relation:
        return self.relation.on_side(leg.side) if leg.relation is None else leg.relation


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
        grid=None if grid is None else _by_name(grid),
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


_TAKEN_OVER = (
    "title", "says", "states", "encodes", "grid", "where", "closed_form", "relation", "assumes",
    "setting", "plot", "mutate", "figures", "covers", "reads", "left",
)  # fmt: skip
"""What a corrected claim has from the printed one unless it says otherwise."""

_VARIANT_PARTS = frozenset(
    {"closed_form", "simulation", "reference", "instances", "relation", "unit"}
)


def variant(
    name: str,
    *,
    leg: str | None = None,
    at: Mapping[Any, Any] | Sequence[Mapping[Any, Any]] | None = None,
    call: Simulation | None = None,
    **changes: Any,
) -> Variant:
    """A wrong variant of the claim, which the evidence must refute.

    Any of ``closed_form``, ``simulation``, ``reference``, ``instances``, ``relation``, ``unit`` may
    be replaced. ``leg`` names the leg that it is a variant of (by default the first that fits);
    ``at`` gives points of its own: a mapping of lists, or a list of points. With ``call`` every other
    name is an argument of that function, which is the simulation with these values:
    ``variant("half the samples", call=trained, half=True)``.
    """
    if call is not None:
        given = {n: changes.pop(n) for n in list(changes) if n not in _VARIANT_PARTS}
        changes["simulation"] = _with_arguments(name, call, given)
    unknown = set(changes) - _VARIANT_PARTS
    if unknown or not (changes or at):
        raise ClaimError(
            f"variant {name!r}: give one or more of {', '.join(sorted(_VARIANT_PARTS))}"
            + (f"; unknown: {', '.join(sorted(unknown))}" if unknown else "")
        )
    problem = problem_in({"name": name, "at": at, **changes})
    if problem:
        raise ClaimError(f"variant {name!r}: {problem}")
    points = None if at is None else tuple(_expand(_by_name_any(at)))
    return Variant(name, changes, leg, points)


def _with_arguments(name: str, function: Simulation, given: Mapping[str, Any]) -> Simulation:
    """The function with some of its arguments fixed. Raises ClaimError where it has no such arguments."""
    problem = problem_in({"simulation": function})
    known = set() if problem else set(inspect.signature(function).parameters)
    if problem or not given or set(given) - known:
        asked = ", ".join(sorted(set(given) - known)) or "no argument"
        raise ClaimError(
            f"variant {name!r}: "
            + (
                problem
                or f"call={name_of(function)} with {asked} changed; it takes {', '.join(sorted(known))}"
            )
        )
    fixed = partial(function, **given)
    words = ", ".join(f"{n}={value!r:.20}" for n, value in given.items())
    fixed.__name__ = f"{name_of(function)}({words})"  # type: ignore[attr-defined]  # what messages show
    return fixed


def hypothesis(
    name: str,
    *,
    without: Mapping[Any, Any] | Sequence[Mapping[Any, Any]],
    leg: str | None = None,
    simulation: Simulation | None = None,
    instances: Instances | None = None,
) -> Hypothesis:
    """A hypothesis of the theorem with fresh points at which it alone is dropped.

    Where dropping it changes the data rather than a parameter, ``simulation`` or ``instances``
    replace those of the leg.
    """
    problem = problem_in({"name": name, "without": without, "simulation": simulation})
    if problem:
        raise ClaimError(f"hypothesis {name!r}: {problem}")
    return Hypothesis(name, tuple(_expand(_by_name_any(without))), leg, simulation, instances)


@overload
def claim(id: str, *, legs: Sequence[Leg], **parts: Any) -> Claim: ...
@overload
def claim(id: str, **parts: Any) -> Callable[[Simulation], Claim]: ...


def claim(id: str, *, legs: Sequence[Leg] | None = None, **parts: Any) -> Any:
    r"""A claim. With ``legs`` it is returned at once; without, decorate its only simulation.

    ===============  ===============================================================================
    ``title``        a few words
    ``says``         the assertion in our own words, with its quantifiers
    ``states``       ids of the statements of the register that it encodes (default: its own id)
    ``role``         as_printed, reading, corrected, derived, beyond_scope or variant
    ``encodes``      whole, part, special-case or proxy
    ``domain``       symbol -> domain: what the theorem quantifies over
    ``grid``         profile -> {symbol: values} or list of points: what is tried
    ``where``        SymPy condition or predicate over the parameters
    ``closed_form``  SymPy expression (also a matrix) over parameters, observed and instance scalars;
                     ``...`` where it is still to be found (`theorycheck explore`)
    ``lhs``          what is measured, as LaTeX without dollar signs: ``r"\gamma(\theta)"``
    ``tex``          the formula that it is held to, as LaTeX in its author's form (default: as SymPy
                     prints the closed form)
    ``relation``     `equals`, `at_most`, `maximises`, ... (default `equals`)
    ``rivals``       list of `variant`
    ``assumes``      list of `hypothesis`
    ``expect``       pass (default), fail (false as printed) or inconclusive
    ``corrects``     id of the claim as printed that this one corrects
    ``setting``      the setting in words
    ``plot``         parameter on the horizontal axis of the figure
    ``mutate``       whether automatic mutants of the closed form are made (default True)
    ``figures``      list of `figure`: what the report shows beside its own figure
    ``covers``       ids of the clauses of its statements that it is a verdict about
    ``reads``        quantified name -> the parameters and fields that make it up, where names differ
    ``left``         quantified name -> why nothing pays for it
    ===============  ===============================================================================

    Further options of the decorated form are those of `leg`. Raises ClaimError.
    """
    claim_options = {k: parts.pop(k) for k in list(parts) if k in _CLAIM_PARTS}
    problem = problem_in({"id": id, "legs": legs, **claim_options})
    if problem:
        raise ClaimError(f"claim {id!s:.60}: {problem}")
    if legs is not None:
        if parts:
            raise ClaimError(f"claim {id}: unknown option {', '.join(sorted(parts))}")
        return _build(id, tuple(legs), claim_options)
    unknown = set(parts) - _LEG_PARTS
    if unknown:
        raise ClaimError(f"claim {id}: unknown option {', '.join(sorted(unknown))}")

    def decorate(simulation: Simulation) -> Claim:
        return _build(id, (leg("value", simulation, **parts),), claim_options)

    return decorate


_CLAIM_PARTS = frozenset(
    {"title", "says", "states", "role", "encodes", "domain", "grid", "where", "closed_form"}
    | {"relation", "rivals", "assumes", "expect", "corrects", "setting", "plot", "mutate", "notes"}
    | {"figures", "covers", "reads", "left", "lhs", "tex"}
)
_LEG_PARTS = (frozenset(inspect.signature(leg).parameters) | set(Pays.__dataclass_fields__)) - {
    "name", "simulation", "relation", "closed_form", "grid", "pays", "covers", "lhs", "tex",
}  # fmt: skip


def _build(id: str, legs: tuple[Leg, ...], parts: dict[str, Any]) -> Claim:
    from theorycheck.relations.equality import equals

    def bad(message: str) -> ClaimError:
        return ClaimError(f"claim {id}: {message}")

    for name, allowed, default in (
        ("role", ROLES, "as_printed"),
        ("encodes", ENCODES, "whole"),
        ("expect", VERDICTS, "pass"),
    ):
        if parts.setdefault(name, default) not in allowed:
            raise bad(f"{name} {parts[name]!r} is none of {', '.join(allowed)}")
    domain = _domains(dict(parts.get("domain") or {}), bad)
    symbols = {str(s): s for s in dict(parts.get("domain") or {})}
    if not legs:
        raise bad("has no leg: give a simulation")
    names = [lg.name for lg in legs]
    if len(set(names)) != len(names):
        raise bad(f"two legs have the same name: {', '.join(names)}")
    doc = inspect.getdoc(legs[0].simulation) or ""
    states = parts.get("states", (id,))
    try:
        built = Claim(
            id=id,
            title=parts.get("title", id),
            says=parts.get("says") or doc.split("\n\n")[0].replace("\n", " "),
            states=(states,) if isinstance(states, str) else tuple(states),
            role=parts["role"],
            encodes=parts["encodes"],
            domain=domain,
            symbols=symbols,
            grid=_by_name(parts.get("grid") or {"smoke": [{}]}),
            where=parts.get("where"),
            closed_form=parts.get("closed_form"),
            relation=parts.get("relation") or equals(),
            legs=legs,
            rivals=tuple(parts.get("rivals", ())),
            assumes=tuple(parts.get("assumes", ())),
            expect=parts["expect"],
            corrects=parts.get("corrects"),
            setting=parts.get("setting", ""),
            plot=None if parts.get("plot") is None else str(parts["plot"]),
            notes=parts.get("notes", ""),
            mutate=bool(parts.get("mutate", True)),
            figures=tuple(parts.get("figures", ())),
            covers=listed(parts.get("covers", ())),
            reads={str(k): listed(v) for k, v in dict(parts.get("reads") or {}).items()},
            left={str(k): str(v) for k, v in dict(parts.get("left") or {}).items()},
            lhs=parts.get("lhs", "").strip(),
            tex=parts.get("tex", "").strip(),
        )
        _check(built)
    except DomainError as error:
        raise bad(str(error)) from None
    return built


def _domains(given: Mapping[Any, Any], bad: Callable[[str], ClaimError]) -> dict[str, Domain]:
    """Domains by the name of the parameter."""
    domain = {}
    for symbol, dom in given.items():
        if not isinstance(dom, Domain):
            raise bad(
                f"the domain of {symbol} must be integers(...), reals(...), choices(...), ..."
            )
        if str(symbol) in RESERVED:
            raise bad(f"parameter {symbol} has a reserved name ({', '.join(sorted(RESERVED))})")
        domain[str(symbol)] = dom
    for name, dom in domain.items():
        if dom.needs - set(domain):
            what = ", ".join(sorted(dom.needs - set(domain)))
            raise bad(f"the domain of {name} asks for {what}, which is no parameter")
    return domain


def _check(c: Claim) -> None:
    """What can be told without running anything. Raises ClaimError."""

    def bad(message: str) -> ClaimError:
        return ClaimError(f"claim {c.id}: {message}")

    for profile in c.grid:
        if profile not in PROFILES:
            raise bad(f"grid names profile {profile!r}; profiles are {', '.join(PROFILES)}")
    unknown = asked_by(c.where) - set(c.domain)
    if unknown:
        raise bad(f"where asks for {', '.join(sorted(unknown))}, which is no parameter")
    for lg in c.legs:
        _check_grid(c, lg, bad)
        _check_inputs(c, lg, bad)
        _check_sides(c, lg, bad)
    used = set().union(*(_used_by(c, lg) for lg in c.legs))
    for name in c.domain:
        if name not in used:
            raise bad(f"parameter {name} is used by no simulation, reference or closed form")
    _check_variants(c, bad)
    _check_labels(c, bad)
    if c.plot is not None and c.plot not in c.domain:
        raise bad(f"plot names {c.plot!r}, which is no parameter")
    _check_figures(c, bad)


def _check_grid(c: Claim, lg: Leg, bad: Callable[[str], ClaimError]) -> None:
    """A leg's points have all the parameters that it needs, and lie inside the domain."""
    grid, needed = c.grid if lg.grid is None else lg.grid, _used_by(c, lg) & set(c.domain)
    for profile in grid:
        points = _expand(grid[profile])
        if not any(c.admits(p) for p in points):
            raise bad(f"leg {lg.name!r}: profile {profile} has no point inside the domain")
        for point in points:
            missing = needed - set(point)
            unknown = set(point) - set(c.domain)
            if missing or unknown:
                word = "misses" if missing else "names unknown"
                what = ", ".join(sorted(missing or unknown))
                raise bad(f"leg {lg.name!r}: grid {word} parameter {what}")
            for name, value in point.items():
                if not c.domain[name].contains(value, point):
                    raise bad(
                        f"grid value {name}={to_text(value)} lies outside its domain "
                        f"({c.domain[name].text()})"
                    )


def _check_variants(c: Claim, bad: Callable[[str], ClaimError]) -> None:
    for h in c.assumes:
        if not isinstance(h, Hypothesis):
            raise bad(f"assumes are made by hypothesis(...), got {h!r:.60}")
    for r in c.rivals:
        if not isinstance(r, Variant):
            raise bad(f"rivals are made by variant(...), got {r!r}")
        of = rival_leg(c, r)
        if "closed_form" in r.changes:
            _check_form(c, of, r.changes["closed_form"], bad, f"rival {r.name!r}: ")


def _check_labels(c: Claim, bad: Callable[[str], ClaimError]) -> None:
    """Reports and random streams call a rival by its name and a hypothesis ``without NAME``: what shares a
    label would be taken for one another, its data and its draws too."""
    labels: dict[str, str] = {"": "the claim itself"}
    named = [(r.name, f"rival {r.name!r}") for r in c.rivals]
    named += [(f"without {h.name}", f"hypothesis {h.name!r}") for h in c.assumes]
    for label, what in named:
        if not label:
            raise bad("a rival has no name")
        if label in labels:
            twice = what.startswith("rival") and labels[label] == what
            raise bad(
                f"two rivals have the same name: {label}"
                if twice
                else f"{what} is reported as {label!r} like {labels[label]}; rename one"
            )
        labels[label] = what
    streams = {lg.name: f"leg {lg.name!r}" for lg in c.legs}
    for lg in c.legs:
        for label in labels:
            if label and f"{lg.name}/{label}" in streams:
                raise bad(
                    f"leg {f'{lg.name}/{label}'!r} is named like {label!r} of leg {lg.name!r}; rename it"
                )


def _check_figures(c: Claim, bad: Callable[[str], ClaimError]) -> None:
    for drawn in c.figures:
        if not isinstance(drawn, Figure):
            raise bad(f"figures are made by figure(...), got {drawn!r}")
        for profile, point in drawn.at.items():
            if profile not in PROFILES:
                raise bad(f"figure {drawn.name!r} names profile {profile!r}")
            missing = set(drawn.inputs()) - {"ns", "rng"} - set(point)
            if missing:
                what = ", ".join(sorted(missing))
                raise bad(f"figure {drawn.name!r}: its point under {profile} misses {what}")
    names = [drawn.name for drawn in c.figures]
    if len(set(names)) != len(names):
        raise bad(f"two figures have the same name: {', '.join(names)}")


def _check_inputs(c: Claim, lg: Leg, bad: Callable[[str], ClaimError]) -> None:
    """What the functions of a leg ask for are parameters of the claim or fields of its instances."""
    known = set(c.domain) | (set(lg.instances.fields) if lg.instances else set())
    for name, dom in lg.instances.domains.items() if lg.instances else ():
        if dom.needs - known:
            what = ", ".join(sorted(dom.needs - known))
            raise bad(f"the domain of field {name} asks for {what}, which is no parameter or field")
    for role, function in (("simulation", lg.simulation), ("reference", lg.reference)):
        if function is None:
            continue
        for name in lg.inputs(function):
            if name not in known:
                raise bad(f"{role} {name_of(function)!r} asks for {name}, which is no parameter")
    if lg.instances is not None:
        for name in lg.inputs(lg.instances.draw):
            if name not in c.domain:
                raise bad(
                    f"instances {name_of(lg.instances.draw)!r} asks for unknown parameter {name}"
                )
    if lg.statistic is not None:
        unknown = lg.statistic.names - set(c.domain)
        if unknown:
            raise bad(
                f"leg {lg.name!r}: its tail asks for {', '.join(sorted(unknown))}, which is no parameter"
            )


def _check_sides(c: Claim, lg: Leg, bad: Callable[[str], ClaimError]) -> None:
    """A leg has something to be compared with, unless it proves."""
    form = c.form_of(lg)
    if lg.arithmetic.proves:
        return
    if form is None and lg.reference is None:
        raise bad(
            f"leg {lg.name!r} has neither a closed form nor a reference "
            "(closed_form=... leaves it open for `theorycheck explore`)"
        )
    if lg.reference is not None and not lg.arithmetic.takes_reference:
        raise bad(
            f"leg {lg.name!r}: a reference needs arithmetic exact, rational, ball or interval"
        )
    if form is not None:
        _check_form(c, lg, form, bad, "")


def _check_form(
    c: Claim, lg: Leg, form: Any, bad: Callable[[str], ClaimError], prefix: str
) -> None:
    known = set(c.domain) | set(lg.observed) | set(lg.instances.fields if lg.instances else ())
    free = _free_names(form)
    if free - known:
        raise bad(f"{prefix}closed form has unknown symbol {', '.join(sorted(free - known))}")


def _used_by(c: Claim, lg: Leg) -> set[str]:
    form = c.form_of(lg)
    used = set(lg.inputs()) | _free_names(form)
    if lg.statistic is not None:
        used |= lg.statistic.names
    if inspect.isfunction(form):
        used |= set(arguments(form))
    if lg.reference is not None:
        used |= set(lg.inputs(lg.reference))
    if lg.instances is not None:
        used |= set(lg.inputs(lg.instances.draw))
    return used


def _free_names(form: Any) -> set[str]:
    """Names of the symbols of a closed form; an indexed symbol lam[i] counts as lam."""
    symbols = getattr(form, "free_symbols", ())
    return {str(s) for s in symbols if not getattr(s, "is_Indexed", False)}


def rival_leg(c: Claim, r: Variant) -> Leg:
    """The leg that a rival is a variant of: the one named, else the first required that fits."""
    if r.leg is not None:
        return c.leg(r.leg)
    wanted = set(r.changes)
    for lg in c.legs:
        fits = (
            ("reference" not in wanted or lg.reference is not None)
            and ("instances" not in wanted or lg.instances is not None)
            and not lg.arithmetic.proves
        )
        if fits:
            return lg
    raise ClaimError(f"claim {c.id}: rival {r.name!r} fits no leg; name one with leg=...")


def apply(c: Claim, r: Variant) -> tuple[Claim, Leg]:
    """The rival as a claim with one leg."""
    lg = rival_leg(c, r)
    changes = dict(r.changes)
    form = changes.pop("closed_form", None)
    changed = replace(lg, **changes)
    if form is not None:
        changed = replace(changed, closed_form=form)
    return replace(c, legs=(changed,), rivals=(), assumes=()), changed


def _by_name(grid: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(profile): _by_name_any(columns) for profile, columns in grid.items()}


def _by_name_any(columns: Any) -> Any:
    if isinstance(columns, Mapping):
        return {str(s): list(v) if _is_list(v) else [v] for s, v in columns.items()}
    return [{str(s): v for s, v in point.items()} for point in columns]


def _is_list(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | tuple | Mapping)


def _expand(columns: Any) -> list[dict[str, Exact]]:
    if isinstance(columns, Mapping):
        return product_points(columns)
    return [{name: exact(v, where=name) for name, v in point.items()} for point in columns]


def _up_to(grid: Grid, profile: str) -> list[str]:
    """The profiles of the grid at or below this one, smallest first; its first one where none is."""
    order = PROFILES[: PROFILES.index(profile) + 1]
    return [name for name in order if name in grid] or [next(iter(grid))]


def asked_by(where: Any) -> set[str]:
    """Names of the parameters that a condition speaks of."""
    if isinstance(where, list | tuple):
        return set().union(*map(asked_by, where))
    return set(arguments(where)) if callable(where) else _free_names(where)


def holds(where: Any, point: Mapping[str, Exact], symbols: Mapping[str, Any]) -> bool:
    """Whether a condition holds at a point: SymPy, a function, or a list of these; None always does. Where it
    speaks of a parameter that the point lacks, it says nothing. Raises DomainError where it stays undecided."""
    if where is None:
        return True
    if isinstance(where, list | tuple):
        return all(holds(w, point, symbols) for w in where)
    if not asked_by(where) <= set(point):
        return True  # a leg without one of these parameters: the condition does not speak of it
    if callable(where):
        return bool(where(**{n: point[n] for n in arguments(where)}))
    import sympy

    if isinstance(where, str):
        raise DomainError(f"where: {where!r} is text; give a SymPy condition or a function")
    # Words among the parameters stay symbols: a condition that speaks of them is a function.
    values = {
        symbols[n]: sympy.Tuple(*map(sympy.Rational, v))
        if isinstance(v, tuple)
        else sympy.Rational(v)
        for n, v in point.items()
        if n in symbols and not isinstance(v, str)
    }
    condition = sympy.sympify(where, strict=True)
    answer = condition.xreplace(values)  # several times faster than subs
    if answer not in (sympy.true, sympy.false):
        answer = condition.subs(values)
    if answer in (sympy.true, sympy.false):
        return bool(answer)
    raise DomainError(f"where: {where} is undecided at {point_key(point)}")
