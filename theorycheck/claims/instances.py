"""Instances: the drawn inputs of a "for all" statement, and the domains of their fields.

Two ways to write them. A draw, whose fields may be given domains::

    instances(prompt, {"X": matrices(n, d), "alpha": reals(without=[0]), "y": None}, smoke=8)

or the domains alone, from which the engine draws; a function computes what follows from earlier fields::

    instances({"X": matrices(n, d), "theta": vectors(d, unit=True), "y": labels}, smoke=8)

The fields may also be those of a record, which says what each of them is; the draw returns one::

    class Prompt(NamedTuple):
        X: Sequence[Sequence[Fraction]]  # inputs, one a row
        y: Sequence[Fraction]

    instances(prompt, Prompt, smoke=8)

Fields with a domain can be attacked: their special members (zero, a tie, a duplicate row) are put into an
instance and what is computed from them is computed again. A field without a domain stays as it was drawn.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from theorycheck.claims.functions import PROFILES, ClaimError, Simulation, arguments, name_of
from theorycheck.claims.validation import problem_in
from theorycheck.numbers.domain import Domain, Draws

Instance = Mapping[str, Any]
Fields = Mapping[str, Domain | Simulation | None]


@dataclass(frozen=True)
class Instances:
    """Drawn inputs of a "for all" statement: exact rational data, the same in every arithmetic.

    ``draw(rng, **parameters)`` returns one instance, a record or a mapping from field name to an exact
    number or a nested list of them; the engine stacks ``count[profile]`` of them along a new first axis.
    Fields that are scalars may also appear as symbols in the closed form. ``domains``: what a field
    ranges over; ``computed``: fields that follow from parameters and earlier fields; ``where``: predicates
    over fields and parameters. Every instance that is drawn for the claim is held against both.
    """

    draw: Simulation
    fields: tuple[str, ...]
    count: Mapping[str, int]
    domains: Mapping[str, Domain] = field(default_factory=dict)
    computed: Mapping[str, Simulation] = field(default_factory=dict)
    where: tuple[Simulation, ...] = ()

    def drawn(self, rng: Draws, point: Mapping[str, Any]) -> Instance:
        """One instance by field. Raises ClaimError where the draw gives other fields."""
        one = self.draw(rng, **{n: point[n] for n in arguments(self.draw) if n in point})
        fields = one._asdict() if _is_record(type(one)) else dict(one)
        if set(fields) != set(self.fields):
            raise ClaimError(
                f"instances gave fields {', '.join(sorted(fields))}; declared are "
                f"{', '.join(self.fields)}"
            )
        return fields

    def admits(self, instance: Instance, point: Mapping[str, Any]) -> bool:
        """Whether every field with a domain lies in it, and ``where`` holds."""
        return not self.left(instance, point)

    def left(self, instance: Instance, point: Mapping[str, Any]) -> tuple[str, ...]:
        """What is said of instances and does not hold of this one, in words."""
        fields = self.outside(instance, point)
        if fields:  # conditions speak of fields in their domains
            return tuple(f"{n} in {self.domains[n].text()}" for n in fields)
        given = {**point, **instance}
        return tuple(name_of(p) for p in self.where if not _holds(p, given))

    def describes(self, instance: Instance, point: Mapping[str, Any]) -> bool:
        """Whether the instance is known to be among those that these describe: `admits`, and every other
        field is what the earlier ones make it. A field that nothing is said of is not known."""
        if set(instance) != set(self.fields) or set(self.fields) > {*self.domains, *self.computed}:
            return False
        again = dict(instance)
        self._compute(again, point)
        import numpy as np

        same = all(bool(np.all(again[n] == instance[n])) for n in self.computed)
        return same and self.admits(instance, point)

    def outside(self, instance: Instance, point: Mapping[str, Any]) -> tuple[str, ...]:
        """Names of the fields that lie outside of their domains."""
        given = {**point, **instance}
        return tuple(n for n, d in self.domains.items() if not d.contains(instance[n], given))

    def special(self, base: Instance, point: Mapping[str, Any]) -> Iterator[tuple[str, Instance]]:
        """Instances like ``base`` but for one field, which takes each special member of its domain in
        turn, simplest first and one field after the other; those not admitted are left out.

        A field with a domain that depends on the changed one keeps its value, or takes the first member
        of its domain where it fell out of it; what is computed is computed again."""
        columns = [list(self._changed(name, base, point)) for name in self.domains]
        for row in zip_longest(*columns):
            yield from (found for found in row if found is not None)

    def _changed(
        self, name: str, base: Instance, point: Mapping[str, Any]
    ) -> Iterator[tuple[str, Instance]]:
        for member in self.domains[name].special({**point, **base}):
            changed = {**base, name: _listed(member.value)}
            for other, domain in self.domains.items():
                given = {**point, **changed}
                if other != name and not domain.contains(changed[other], given):
                    nearest = next(iter(domain.special(given)), None)
                    if nearest is not None:
                        changed[other] = _listed(nearest.value)
            self._compute(changed, point)
            if self.admits(changed, point):
                yield f"{name}: {member.label}", changed

    def _compute(self, instance: dict[str, object], point: Mapping[str, Any]) -> None:
        for name, function in self.computed.items():
            given = {**point, **instance}
            instance[name] = function(**{n: given[n] for n in arguments(function)})


def instances(
    draw: Simulation | Fields,
    fields: str | Sequence[str] | Fields | type[tuple[Any, ...]] | None = None,
    *,
    where: Simulation | Sequence[Simulation] = (),
    **count: int,
) -> Instances:
    """Instances of a "for all" statement: see `Instances` and this module.

    ``draw``: a function, or the fields alone with their domains; ``fields``: names, a ``NamedTuple``
    whose fields they are, or a mapping from names to domains, to functions of parameters and earlier
    fields, or to None; ``where``: a predicate over fields and parameters, or several
    (`theorycheck.blocks.stated` has some); ``count``: how many, by profile. Raises ClaimError.
    """
    unknown = set(count) - set(PROFILES)
    if unknown or not count:
        raise ClaimError(f"instances(): counts are by profile ({', '.join(PROFILES)}), got {count}")
    problem = problem_in({"count": count})
    if problem:
        raise ClaimError(f"instances(): {problem}")
    given: Any = fields if callable(draw) else draw
    if _is_record(given):
        given = given._fields
    if not isinstance(given, str | list | tuple | Mapping | None):
        raise ClaimError(f"instances(): give a function and its fields, got {given!r:.60}")
    if isinstance(given, str):
        given = given.split()
    if not given:
        raise ClaimError("instances(): name the fields that an instance has")
    described: Fields = given if isinstance(given, Mapping) else dict.fromkeys(given)
    domains: dict[str, Domain] = {}
    computed: dict[str, Simulation] = {}
    for name, what in described.items():
        if isinstance(what, Domain):
            domains[name] = what
        elif callable(what):
            computed[name] = what
        elif what is not None:
            raise ClaimError(
                f"instances(): field {name} has a domain, a function or None, got {what!r:.60}"
            )
    names = tuple(described)
    _check_order(names, domains, computed)
    conditions = (where,) if callable(where) else tuple(where)
    for condition in conditions:
        if not callable(condition):
            raise ClaimError(f"instances(): where has predicates, got {condition!r:.60}")
    if callable(draw):
        return Instances(draw, names, dict(count), domains, computed, conditions)
    if set(names) > {*domains, *computed}:
        loose = ", ".join(n for n in names if n not in domains and n not in computed)
        raise ClaimError(f"instances(): nothing says how to draw {loose}; give a domain or a draw")
    drawing = _drawing(names, domains, computed, conditions)
    return Instances(drawing, names, dict(count), domains, computed, conditions)


def _holds(condition: Simulation, given: Mapping[str, Any]) -> bool:
    return bool(condition(**{n: given[n] for n in arguments(condition)}))


def _is_record(kind: Any) -> bool:
    """Whether it is a class of named tuples."""
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def _check_order(
    names: Sequence[str], domains: Mapping[str, Domain], computed: Mapping[str, Simulation]
) -> None:
    """A field may refer to earlier fields only; names that are no fields are parameters."""
    for place, name in enumerate(names):
        asked = set(domains[name].needs) if name in domains else set()
        asked |= set(arguments(computed[name])) if name in computed else set()
        late = sorted(asked & set(names[place:]))
        if late:
            raise ClaimError(
                f"instances(): field {name} asks for {', '.join(late)}, which comes later; "
                "list it before"
            )


DRAWS = 200
"""Draws that may fall outside of ``where`` in a row before it counts as impossible to meet."""


def _drawing(
    names: Sequence[str],
    domains: Mapping[str, Domain],
    computed: Mapping[str, Simulation],
    where: Sequence[Simulation],
) -> Simulation:
    """A draw of all fields from their domains, which asks for the parameters that these need."""
    asked = {n for condition in where for n in arguments(condition)}
    for domain in domains.values():
        asked |= domain.needs
    for function in computed.values():
        asked |= set(arguments(function))
    parameters = sorted(asked - set(names))

    def draw(rng: Draws, **point: Any) -> Instance:
        for _ in range(DRAWS):
            one: dict[str, object] = {}
            for name in names:
                given = {**point, **one}
                if name in domains:
                    one[name] = _listed(domains[name].draw(rng, given))
                else:
                    function = computed[name]
                    one[name] = function(**{n: given[n] for n in arguments(function)})
            given = {**point, **one}
            if all(_holds(condition, given) for condition in where):
                return one
        raise ClaimError(
            f"instances(): {DRAWS} draws in a row were outside of {' and '.join(map(name_of, where))}; "
            "compute a field from the others, or draw by a function"
        )

    _sign(draw, parameters)
    return draw


def _sign(function: Callable[..., Any], names: Sequence[str]) -> None:
    """Make a function of ``**point`` one that asks for these names."""
    kind = inspect.Parameter.KEYWORD_ONLY
    asked = [inspect.Parameter(n, kind) for n in ("rng", *names)]
    function.__signature__ = inspect.Signature(asked)  # type: ignore[attr-defined]  # what inspect reads


def _listed(value: Any) -> Any:
    """Tuples as nested lists, as draws write them."""
    return [_listed(v) for v in value] if isinstance(value, tuple | list) else value
