"""One look at a point: a leg's program is run there, in each namespace until what it returns is sharp.

- ``exact`` and ``rational``: the value itself;
- ``ball``: working precision is doubled until the ball is small against its value, or the ceiling is
  met; a branch that a ball cannot decide also asks for more precision;
- ``interval``: one pass in float64 with a derived error (`theorycheck.arrays`);
- ``external``: whatever the code returns, as exact dyadics: its error is not controlled;
- ``proof``: a `Proof`, checked by its own means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from theorycheck import arrays
from theorycheck.arrays.backends import Backend
from theorycheck.arrays.leaves import exact_number
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.functions import Simulation, arguments
from theorycheck.claims.instances import Instance
from theorycheck.claims.iteration import Iterated
from theorycheck.claims.legs import Leg
from theorycheck.evidence.checkpoints import Checkpoints
from theorycheck.evidence.detail import Detail
from theorycheck.evidence.fixed_width import watching_integers
from theorycheck.evidence.observation import Value
from theorycheck.evidence.proof import Proof
from theorycheck.evidence.values import ObservationError, flat, gaps, rows_of
from theorycheck.evidence.workbench import prove
from theorycheck.numbers.domain import Exact, Point
from theorycheck.stats.state import MeanState

MANY = 64
"""Two procedures with more components than this are kept as the largest gap between them."""

Arguments = Mapping[str, object]
"""What a program is called with, by name."""

Scalars = Sequence[Mapping[str, Exact]]


@dataclass(frozen=True)
class Sighting:
    """What was seen, before it is said of which unit: fields as of `Observation`."""

    status: str = "ok"
    message: str = ""
    values: Sequence[Sequence[Value]] = ()
    observed: Sequence[Mapping[str, Value]] = ()
    scalars: Scalars = ()
    units: Sequence[Fraction | None] = ()
    references: Sequence[Sequence[Value]] = ()
    state: MeanState | None = None
    samples: int = 0
    detail: Detail = Detail()  # noqa: RUF009 - frozen


def look(
    leg: Leg,
    point: Point,
    drawn: Sequence[Instance],
    checkpoints: Checkpoints,
    backend: Backend,
) -> Sighting:
    """What a leg's program gives at a point for these instances, as sharp as its arithmetic makes it. Raises
    ObservationError, `NotFinite`, `UndecidedBranch`, and whatever the claim's own code does."""
    scalars = [_scalars(one) for one in drawn]
    best: Sighting | None = None
    refused: Exception | None = None
    bits, tried = 0, 0
    for ns, bits in leg.arithmetic.namespaces(backend):
        tried += 1
        try:
            best = _array_pass(leg, point, drawn, scalars, ns, bits, checkpoints)
        except (arrays.UndecidedBranch, arrays.NotFinite) as error:
            refused = error  # a value too wide for its branch, its pole or its logarithm
            continue
        if all(leg.arithmetic.sharp(v.enclosure, bits) for row in best.values for v in row):
            return best
    if best is not None:
        return best
    if refused is not None and tried == 1:
        raise refused
    if refused is not None:
        raise ObservationError(f"undecided up to {bits} bits: {refused}") from refused
    return _plain(leg, point, drawn, scalars, checkpoints)


def _scalars(one: Instance) -> dict[str, Exact]:
    """The fields of an instance that are single exact numbers or names."""
    found: dict[str, Exact] = {}
    for name, value in one.items():
        item = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
        if isinstance(item, str):
            found[name] = item
        elif not isinstance(item, list | tuple | np.ndarray):
            number = exact_number(item)
            if number is not None:
                found[name] = number
    return found


def inputs(function: Simulation, point: Point, extra: Arguments) -> dict[str, object]:
    """What a function asks for, of a point and of what there is beside it."""
    pool = {**point, **extra}
    return {n: pool[n] for n in arguments(function) if n in pool}


def _called(
    function: Simulation,
    given: Arguments,
    checkpoints: Checkpoints,
    name: str,
    exact: bool = False,
) -> Any:
    """The result of a simulation. ``name``: which of the observation's it is. Raises FixedWidthError where
    ``exact`` and an integer runs over."""
    if exact:
        with watching_integers(function):
            return _called(function, given, checkpoints, name)
    if isinstance(function, TypedStatement):
        return prove(function)
    if isinstance(function, Iterated):
        return checkpoints.run(name, function, given)
    return function(**given)


def _plain(
    leg: Leg,
    point: Point,
    drawn: Sequence[Instance],
    scalars: Scalars,
    checkpoints: Checkpoints,
) -> Sighting:
    values: list[list[Value]] = []
    observed: list[dict[str, Value]] = []
    references: list[list[Value]] = []
    detail = Detail()
    for index, one in enumerate(drawn):
        given = inputs(leg.simulation, point, one)
        exact = leg.arithmetic.exact
        result = _called(leg.simulation, given, checkpoints, f"simulation {index}", exact)
        if isinstance(result, Proof):
            detail = Detail.of_proof(result)
            values.append([])
            observed.append({})
            continue
        main, further = _split(result, leg)
        values.append(flat(main, not leg.arithmetic.controlled))
        if not values[-1]:
            raise ObservationError("returned nothing")
        observed.append({k: flat(v, not leg.arithmetic.controlled)[0] for k, v in further.items()})
        if leg.reference is not None:
            given = inputs(leg.reference, point, one)
            other = _called(leg.reference, given, checkpoints, f"reference {index}", exact)
            references.append(flat(other, False))
    return _finish(leg, values, observed, references, scalars, detail)


def _split(result: Any, leg: Leg) -> tuple[Any, dict[str, object]]:
    if isinstance(result, Mapping):
        if set(result) != {"value", *leg.observed}:
            wanted = ", ".join(("value", *leg.observed))
            raise ObservationError(f"returned {', '.join(map(str, result))}; declared are {wanted}")
        return result["value"], {k: result[k] for k in leg.observed}
    if leg.observed:
        raise ObservationError(
            f"declares observed {', '.join(leg.observed)}: return a dict with 'value' and these"
        )
    return result, {}


def _stacked(ns: Any, drawn: Sequence[Instance], fields: Sequence[str]) -> dict[str, object]:
    return {name: ns.asarray([one[name] for one in drawn]) for name in fields}


def _array_pass(
    leg: Leg,
    point: Point,
    drawn: Sequence[Instance],
    scalars: Scalars,
    ns: Any,
    bits: int,
    checkpoints: Checkpoints,
) -> Sighting:
    batch = _stacked(ns, drawn, leg.instances.fields) if leg.instances is not None else {}
    with ns.working():
        given = with_ns(leg.simulation, ns, point, batch)
        result = _called(leg.simulation, given, checkpoints, f"simulation {bits}")
        main, further = _split(result, leg)
        rows = rows_of(main, len(drawn), leg)
        extra = {k: rows_of(v, len(drawn), leg) for k, v in further.items()}
        references = []
        largest = None
        if leg.reference is not None:
            given = with_ns(leg.reference, ns, point, batch)
            other = _called(leg.reference, given, checkpoints, f"reference {bits}")
            if tuple(other.shape) != tuple(main.shape):
                raise ObservationError(
                    f"simulation has shape {tuple(main.shape)}, reference {tuple(other.shape)}"
                )
            if len(rows) * len(rows[0]) > MANY * len(drawn):
                largest = gaps(ns, main, other, len(drawn))
            else:
                references = rows_of(other, len(drawn), leg)
    observed = [{k: Value(column[i][0]) for k, column in extra.items()} for i in range(len(drawn))]
    if largest is not None:
        values, units = largest
        components = int(np.prod(main.shape))
        return Sighting(
            values=values,
            observed=observed,
            scalars=scalars,
            units=units,
            detail=Detail(gap=True, components=components, bits=bits),
        )
    wrapped = [[Value(e) for e in row] for row in rows]
    others = [[Value(e) for e in row] for row in references]
    return _finish(leg, wrapped, observed, others, scalars, Detail(bits=bits))


def with_ns(function: Simulation, ns: Any, point: Point, batch: Arguments) -> dict[str, object]:
    """What a function asks for, with its namespace where it does."""
    given = inputs(function, point, batch)
    if "ns" in arguments(function):
        given["ns"] = ns
    return given


def _finish(
    leg: Leg,
    values: Sequence[Sequence[Value]],
    observed: Sequence[Mapping[str, Value]],
    references: Sequence[Sequence[Value]],
    scalars: Scalars,
    detail: Detail,
) -> Sighting:
    if references:
        for mine, other in zip(values, references, strict=True):
            if len(mine) != len(other):
                raise ObservationError(
                    f"simulation has {len(mine)} components, reference {len(other)}"
                )
    return Sighting(
        values=values, observed=observed, scalars=scalars, references=references, detail=detail
    )
