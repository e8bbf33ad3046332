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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, overload

from theorycheck.claims.clauses import Clause
from theorycheck.claims.figures import Figure
from theorycheck.claims.functions import (
    PROFILES,
    RESERVED,
    ClaimError,
    Simulation,
    arguments,
    defaulted,
    name_of,
)
from theorycheck.claims.grids import (
    Grid,
    asked_by,
    free_names,
    grid_by_name,
    holds,
    points_of,
    profiles_up_to,
)
from theorycheck.claims.legs import Leg, leg
from theorycheck.claims.pays import Pays, listed
from theorycheck.claims.validation import problem_in
from theorycheck.claims.variants import Hypothesis, Variant, variant
from theorycheck.numbers.domain import Domain, DomainError, Exact, point_key, to_text

if TYPE_CHECKING:
    from theorycheck.relations.base import Relation

ROLES = ("as_printed", "reading", "corrected", "derived", "beyond_scope", "variant")
ENCODES = ("whole", "part", "special-case", "proxy")
VERDICTS = ("pass", "fail", "inconclusive")


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
    needs: tuple[str, ...] = ()
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
            columns = [p for name in profiles_up_to(grid, profile) for p in points_of(grid[name])]
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


_TAKEN_OVER = (
    "title",
    "says",
    "states",
    "encodes",
    "grid",
    "where",
    "closed_form",
    "relation",
    "assumes",
    "setting",
    "plot",
    "mutate",
    "figures",
    "covers",
    "reads",
    "left",
    "needs",
)
"""What a corrected claim has from the printed one unless it says otherwise."""


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
    ``needs``        packages that its functions import and theorycheck does not bring, by the name that
                     is imported (``needs="torch"``): where one is absent the claim is skipped
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
    | {"figures", "covers", "reads", "left", "lhs", "tex", "needs"}
)
_LEG_PARTS = (frozenset(inspect.signature(leg).parameters) | set(Pays.__dataclass_fields__)) - {
    "name",
    "simulation",
    "relation",
    "closed_form",
    "grid",
    "pays",
    "covers",
    "lhs",
    "tex",
}


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
    if not any(lg.required for lg in legs):
        raise bad("every leg has required=False, so that none would decide; leave it out of one")
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
            grid=grid_by_name(parts.get("grid") or {"smoke": [{}]}),
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
            needs=listed(parts.get("needs", ())),
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
        _check_defaults(c, lg, bad)
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
        points = points_of(grid[profile])
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
        for condition in lg.instances.where:
            what = ", ".join(sorted(set(arguments(condition)) - known))
            if what:
                raise bad(
                    f"instances where {name_of(condition)!r} asks for {what}, which is no parameter or field"
                )
    if lg.statistic is not None:
        unknown = lg.statistic.names - set(c.domain)
        if unknown:
            raise bad(
                f"leg {lg.name!r}: its tail asks for {', '.join(sorted(unknown))}, which is no parameter"
            )


def _check_defaults(c: Claim, lg: Leg, bad: Callable[[str], ClaimError]) -> None:
    """No function takes one of the claim's names from its own default instead of from the point."""
    drawn, names = lg.instances, set(c.domain)
    fields = names | (set(drawn.fields) if drawn else set())
    called = [(f, fields) for f in (lg.simulation, lg.reference)]
    called += [(f, names) for where in (c.where, lg.where) for f in _conditions(where)]
    if drawn is not None:  # what draws the fields is given parameters alone
        called += [(drawn.draw, names), *((f, fields) for f in drawn.computed.values())]
        called += [(f, fields) for f in drawn.where]
    for function, known in called:
        if not callable(function):
            continue
        for name in sorted(defaulted(function) & known):
            raise bad(
                f"leg {lg.name!r}: {name_of(function)!r} has a default for {name}, so that the engine never "
                f"passes the claim's own {name}; leave the default out, or name the argument otherwise"
            )


def _conditions(where: Any) -> list[Any]:
    return list(where) if isinstance(where, list | tuple) else [where]


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
    free = free_names(form)
    if free - known:
        raise bad(f"{prefix}closed form has unknown symbol {', '.join(sorted(free - known))}")


def _used_by(c: Claim, lg: Leg) -> set[str]:
    form = c.form_of(lg)
    used = set(lg.inputs()) | free_names(form)
    if lg.statistic is not None:
        used |= lg.statistic.names
    if inspect.isfunction(form):
        used |= set(arguments(form))
    if lg.reference is not None:
        used |= set(lg.inputs(lg.reference))
    if lg.instances is not None:
        used |= set(lg.inputs(lg.instances.draw))
    return used


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
