"""Observe: run the simulations of a claim at its points and keep what they saw.

Everything here is blind to the closed form, except that sampling asks its unit's stop rule. Each
arithmetic has its own way to an enclosure:

- ``exact`` and ``rational``: the value itself;
- ``ball``: working precision is doubled until the ball is small against its value, or the ceiling is
  met; a branch that a ball cannot decide also asks for more precision;
- ``interval``: one pass in float64 with a derived error (`theorycheck.arrays`);
- ``samples``: blocks of keyed draws, looked at only at fixed sample counts;
- ``external``: whatever the code returns, as exact dyadics: its error is not controlled;
- ``proof``: a `Proof`, checked by its own means.
"""

from __future__ import annotations

import itertools
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, fmpq

from theorycheck import arrays, stats
from theorycheck.arrays.backends import Backend, select
from theorycheck.arrays.leaves import exact_number
from theorycheck.arrays.streams import Stream
from theorycheck.claims.figures import plain
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.iteration import Iterated
from theorycheck.claims.model import Leg, Simulation, arguments
from theorycheck.evidence import sampling
from theorycheck.evidence.cached import CacheMiss, Evidence
from theorycheck.evidence.checkpoints import Checkpoints
from theorycheck.evidence.counted import NotReached, counted
from theorycheck.evidence.degenerate import of_instances, watching_zeros
from theorycheck.evidence.fixed_width import WRITE, of_fixed_width, watching_integers
from theorycheck.evidence.observation import NOT_REACHED, Observation, Value
from theorycheck.evidence.perturbed import moved, shared, with_changed
from theorycheck.evidence.proof import Proof
from theorycheck.evidence.workbench import prove
from theorycheck.numbers.domain import Exact, Point
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.numbers.surd import Surd
from theorycheck.plan import streams
from theorycheck.plan.plan import Plan
from theorycheck.plan.units import FigureUnit, Unit

MOVING_WORK = 2_000_000
"""Operations that a certificate may take once something of its model is changed: at its first point, which
is among the smallest."""

MANY = 64
"""Two procedures with more components than this are kept as the largest gap between them."""

KEEP_EVERY = 2.0
"""Seconds of sampling after which its state is kept: what a killed run may lose of a long claim."""


class ObservationError(Exception):
    """The claim's own code broke or returned what cannot be judged."""


@dataclass(frozen=True)
class ObservationContext:
    """What an observation depends on beside its unit: claim id, seed and device."""

    claim_id: str
    seed: int
    backend: Backend

    @classmethod
    def of(cls, plan: Plan) -> ObservationContext:
        """Raises BackendError where the device is absent."""
        return cls(plan.claim.id, plan.settings.seed, select(plan.settings.device))


def observe(
    unit: Unit | FigureUnit, context: ObservationContext, evidence: Evidence
) -> Observation:
    """The observation of a unit. Never raises for the claim's own errors: they become status ``error``.

    What is cached is taken; of samples it is continued, or cut to where this run stops: what comes out
    is what it would be without it. What is new is kept as soon as it is there, during long sampling
    every few seconds. Raises CacheMiss where anything had to be made and may not be.
    """
    key = unit.evidence_key
    cached = evidence.find(key)
    sampled = isinstance(unit, Unit) and unit.leg.arithmetic.sampled
    if cached is not None and not sampled:
        return cached
    if cached is None and not evidence.makes:
        raise CacheMiss(key)
    if isinstance(unit, FigureUnit):
        drawn = _draw_figure(unit, context)
        evidence.keep(key, drawn)
        return drawn
    return _Making(unit, context, evidence, cached).observation()


@dataclass
class _Making:
    """The making of one observation: what it is of, where it is kept, and the time that it takes.

    What is made now took until it was kept; what is cached took what it took then, so that the same
    evidence is the same data each time.
    """

    unit: Unit
    context: ObservationContext
    evidence: Evidence
    cached: Observation | None

    def __post_init__(self) -> None:
        self.started = time.perf_counter()
        self.spent = None if self.cached is None else self.cached.seconds

    def observation(self) -> Observation:
        if self.unit.work:
            return self._far()
        try:
            if self.unit.leg.arithmetic.sampled:
                seen = _sample(self)
            else:
                seen = _deterministic(self)
                self.keep(seen)
        except CacheMiss:
            raise
        except (
            ObservationError,
            sampling.BadDraws,
            arrays.NotFinite,
            stats.AssumptionBroken,
        ) as error:
            seen = {"status": "error", "message": str(error)}
        except Exception as error:  # noqa: BLE001 - the claim's own code may raise anything: its verdict is error
            seen = {"status": "error", "message": _where(error)}
        return self._of(seen, self._elapsed() if self.spent is None else self.spent)

    def _far(self) -> Observation:
        """A far point, inside its counted work. What goes wrong there is not reached, and that is kept."""
        try:
            with counted(self.unit.work):
                seen = _sample(self) if self.unit.leg.arithmetic.sampled else _deterministic(self)
        except CacheMiss:
            raise
        except NotReached as error:
            seen = {"status": NOT_REACHED, "message": str(error)}
        except Exception as error:  # noqa: BLE001 - a far point only refutes; the report says what stood in its way
            seen = {"status": NOT_REACHED, "message": _where(error)}
        self.keep(seen)
        return self._of(seen, self._elapsed() if self.spent is None else self.spent)

    def keep(self, seen: Mapping[str, Any]) -> None:
        self.spent = self._elapsed()
        self.evidence.keep(self.unit.evidence_key, self._of(seen, self.spent))

    @property
    def checkpoints(self) -> Checkpoints:
        key = self.unit.evidence_key
        return Checkpoints(
            lambda: self.evidence.checkpoint(key), lambda data: self.evidence.save(key, data)
        )

    def _elapsed(self) -> float:
        return time.perf_counter() - self.started

    def _of(self, seen: Mapping[str, Any], seconds: float) -> Observation:
        key, leg = self.unit.key, self.unit.leg
        return Observation(
            leg=key.leg,
            owner=key.owner,
            purpose=key.purpose,
            point=dict(self.unit.point),
            arithmetic=leg.arithmetic.name,
            seconds=seconds,
            **seen,
        )


def _draw_figure(unit: FigureUnit, context: ObservationContext) -> Observation:
    """What a figure shows, as data. Never raises for the claim's own errors: status ``error``."""
    started = time.perf_counter()
    ns = arrays.FloatNamespace(context.backend.xp, "float64")
    purpose, name = streams.sampling(unit.key)
    rng = Stream(context.seed, context.claim_id, purpose, name, dict(unit.point), 0, ns)
    status, message, detail = "ok", "", {}
    draw = unit.figure.draw
    try:
        shown = draw(**_inputs(draw, unit.point, {"ns": ns, "rng": rng}))
        detail = {"panels": plain(shown, context.backend.to_numpy)}
    except Exception as error:  # noqa: BLE001 - the claim's own code may raise anything
        status, message = "error", _where(error)
    return Observation(
        leg=unit.key.leg,
        owner=unit.key.owner,
        purpose=unit.key.purpose,
        point=dict(unit.point),
        arithmetic=unit.key.purpose.value,
        status=status,
        message=message,
        detail=detail,
        seconds=time.perf_counter() - started,
    )


def _where(error: Exception) -> str:
    """The error in one line, with the innermost place outside of the engine."""
    engine = str(Path(__file__).parents[1])
    frames = traceback.extract_tb(error.__traceback__)
    own = next((f for f in reversed(frames) if not f.filename.startswith(engine)), None)
    place = "" if own is None else f" ({Path(own.filename).name}:{own.lineno})"
    text = str(error).split("\n")[0]
    return f"{type(error).__name__}: {text}{place}"


def draw_instances(unit: Unit, context: ObservationContext) -> list[dict[str, Any]]:
    """The instances of a unit: exact data, each from a stream of its own; one empty where it has none."""
    spec, point = unit.leg.instances, unit.point
    if spec is None:
        return [{}]
    purpose, name = streams.drawing(unit.key.purpose)
    drawn = []
    for index in range(unit.instances):
        rng = Stream(context.seed, context.claim_id, purpose, name, dict(point), index)
        drawn.append(spec.drawn(rng, point))
    if unit.special and drawn:
        special = itertools.islice(spec.special(drawn[0], point), unit.special)
        drawn += [dict(one) for _, one in special]
    return drawn


def _deterministic(making: _Making) -> dict[str, Any]:
    """What was seen of a unit; ``among`` in its detail: which instances are among the claim's own."""
    unit = making.unit
    drawn = draw_instances(unit, making.context)
    code = getattr(unit.leg.simulation, "__code__", None)
    if unit.leg.side == "certificate" and code is not None:
        with watching_zeros(code.co_filename) as zeros:
            seen = _observed(making, drawn)
        seen["detail"] = {**seen["detail"], "zeros": zeros.plain()}
    else:
        seen = _observed(making, drawn)
    detail = dict(seen["detail"])
    if unit.leg.instances is not None:
        detail["drawn_fields"] = of_instances(drawn)
    if unit.among is not None:
        detail["among"] = [unit.among.describes(one, unit.point) for one in drawn]
    if unit.beside:
        detail["moved_by"] = _moved_by(making, drawn, seen["values"])
    return {**seen, "detail": detail}


def _moved_by(
    making: _Making, drawn: Sequence[Mapping[str, Any]], values: Sequence[Sequence[Value]]
) -> str | None:
    """What of the model, once changed, moves a certificate: a field of its instances or a function that it
    shares with the other legs; "" where nothing does, as of a program that is another leg's, None where that
    takes too much work to see."""
    leg, missed = making.unit.leg, False
    if leg.simulation in making.unit.beside:
        return ""
    bare = replace(making.unit, beside=())

    def changes() -> Iterator[tuple[str, Leg, Sequence[Mapping[str, Any]]]]:
        for name in leg.inputs():
            if leg.instances is not None and name in leg.instances.fields:
                yield name, leg, [{**one, name: moved(one[name])} for one in drawn]
        for function in shared(leg.simulation, making.unit.beside):
            program = with_changed(leg.simulation, function)
            yield function.__name__, replace(leg, simulation=program), drawn

    for name, changed, given in changes():
        try:
            with counted(MOVING_WORK):
                again = _observed(replace(making, unit=replace(bare, leg=changed)), given)
        except NotReached:
            missed = True
        except Exception:  # noqa: BLE001 - what breaks down on a changed model was not seen to move
            continue
        else:
            if _apart(values, again["values"]):
                return name
    return None if missed else ""


def _apart(some: Sequence[Sequence[Value]], others: Sequence[Sequence[Value]]) -> bool:
    """Whether two observations cannot be of the same numbers."""
    if [len(row) for row in some] != [len(row) for row in others]:
        return True
    pairs = zip(itertools.chain(*some), itertools.chain(*others), strict=True)
    ends = ((a.enclosure, b.enclosure) for a, b in pairs)
    return any(a.hi < b.lo or b.hi < a.lo for a, b in ends)


def _observed(making: _Making, drawn: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    leg, point, checkpoints = making.unit.leg, making.unit.point, making.checkpoints
    scalars = [_scalars(one) for one in drawn]
    best: dict[str, Any] | None = None
    refused: Exception | None = None
    bits, tried = 0, 0
    for ns, bits in leg.arithmetic.namespaces(making.context.backend):
        tried += 1
        try:
            best = _array_pass(leg, point, drawn, scalars, ns, bits, checkpoints)
        except (arrays.UndecidedBranch, arrays.NotFinite) as error:
            refused = error  # a value too wide for its branch, its pole or its logarithm
            continue
        if all(leg.arithmetic.sharp(v.enclosure, bits) for row in best["values"] for v in row):
            return best
    if best is not None:
        return best
    if refused is not None and tried == 1:
        raise refused
    if refused is not None:
        raise ObservationError(f"undecided up to {bits} bits: {refused}") from refused
    return _plain(leg, point, drawn, scalars, checkpoints)


def _scalars(one: Mapping[str, Any]) -> dict[str, Exact]:
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


def _inputs(function: Simulation, point: Point, extra: Mapping[str, Any]) -> dict[str, Any]:
    pool = {**point, **extra}
    return {n: pool[n] for n in arguments(function) if n in pool}


def _called(
    function: Simulation,
    given: Mapping[str, Any],
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
    drawn: Sequence[Mapping[str, Any]],
    scalars: list[dict[str, Exact]],
    checkpoints: Checkpoints,
) -> dict[str, Any]:
    values: list[list[Value]] = []
    observed: list[dict[str, Value]] = []
    references: list[list[Value]] = []
    detail: dict[str, Any] = {}
    for index, one in enumerate(drawn):
        given = _inputs(leg.simulation, point, one)
        exact = leg.arithmetic.exact
        result = _called(leg.simulation, given, checkpoints, f"simulation {index}", exact)
        if isinstance(result, Proof):
            detail = {
                "holds": result.holds,
                "method": result.method,
                "witness": dict(result.witness),
                "counterexample": result.counterexample,
                "rung": result.rung,
            }
            values.append([])
            observed.append({})
            continue
        main, further = _split(result, leg)
        values.append(_flat_plain(main, not leg.arithmetic.controlled))
        if not values[-1]:
            raise ObservationError("returned nothing")
        observed.append({k: _flat_plain(v, not leg.arithmetic.controlled)[0]
                         for k, v in further.items()})  # fmt: skip
        if leg.reference is not None:
            given = _inputs(leg.reference, point, one)
            other = _called(leg.reference, given, checkpoints, f"reference {index}", exact)
            references.append(_flat_plain(other, False))
    return _finish(leg, values, observed, references, scalars, detail)


def _split(result: Any, leg: Leg) -> tuple[Any, dict[str, Any]]:
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


def _flat_plain(value: Any, external: bool) -> list[Value]:
    if isinstance(value, list | tuple):
        return [v for item in value for v in _flat_plain(item, external)]
    if isinstance(value, Value):
        return [value]
    if isinstance(value, Enclosure):
        return [Value(value)]
    if isinstance(value, bool | np.bool_):
        return [Value.of(int(value))]
    if isinstance(value, int | Fraction | Surd) and not of_fixed_width(value):
        return [Value.of(value)]
    if isinstance(value, fmpq):
        return [Value(Enclosure(value, value))]
    if isinstance(value, arb):
        return [Value(Enclosure.from_ball(value))]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return _flat_plain(value.tolist(), external)
    if of_fixed_width(value) and not external:
        raise ObservationError(f"returned NumPy's integers, which have a fixed width; {WRITE}")
    if isinstance(value, np.integer):
        return [Value.of(int(value))]
    if external:
        try:
            flat = np.asarray(value, dtype=np.float64).reshape(-1)
        except (TypeError, ValueError):
            raise ObservationError(f"returned {type(value).__name__}, which is no number") from None
        return [Value.of(_dyadic(float(x))) for x in flat]
    numerator, denominator = getattr(value, "numerator", None), getattr(value, "denominator", None)
    if isinstance(numerator, int) and isinstance(denominator, int):
        return [Value.of(Fraction(numerator, denominator))]
    try:
        return (
            [Value.of(Fraction(int(value)))] if type(value).__name__ == "fmpz" else _refuse(value)
        )
    except TypeError:
        return _refuse(value)


def _dyadic(x: float) -> Fraction:
    if x != x or x in (float("inf"), float("-inf")):
        raise ObservationError(f"returned {x}: not a finite number")
    return Fraction(x)


def _refuse(value: Any) -> list[Value]:
    raise ObservationError(
        f"returned {type(value).__name__} {value!r:.60}: an exact leg returns integers, Fractions or "
        "surds (floats belong in an external leg)"
    )


def _stacked(ns: Any, drawn: Sequence[Mapping[str, Any]], fields: Sequence[str]) -> dict[str, Any]:
    return {name: ns.asarray([one[name] for one in drawn]) for name in fields}


def _array_pass(
    leg: Leg,
    point: Point,
    drawn: Sequence[Mapping[str, Any]],
    scalars: list[dict[str, Exact]],
    ns: Any,
    bits: int,
    checkpoints: Checkpoints,
) -> dict[str, Any]:
    batch = _stacked(ns, drawn, leg.instances.fields) if leg.instances is not None else {}
    with ns.working():
        given = _with_ns(leg.simulation, ns, point, batch)
        result = _called(leg.simulation, given, checkpoints, f"simulation {bits}")
        main, further = _split(result, leg)
        rows = _rows_of(ns, main, len(drawn), leg)
        extra = {k: _rows_of(ns, v, len(drawn), leg) for k, v in further.items()}
        references = []
        gaps = None
        if leg.reference is not None:
            given = _with_ns(leg.reference, ns, point, batch)
            other = _called(leg.reference, given, checkpoints, f"reference {bits}")
            if tuple(other.shape) != tuple(main.shape):
                raise ObservationError(
                    f"simulation has shape {tuple(main.shape)}, reference {tuple(other.shape)}"
                )
            if len(rows) * len(rows[0]) > MANY * len(drawn):
                gaps = _gaps(ns, main, other, len(drawn))
            else:
                references = _rows_of(ns, other, len(drawn), leg)
    observed = [{k: Value(column[i][0]) for k, column in extra.items()} for i in range(len(drawn))]
    if gaps is not None:
        values, units = gaps
        return {
            "values": values,
            "observed": observed,
            "scalars": scalars,
            "units": units,
            "detail": {"gap": True, "components": int(np.prod(main.shape)), "bits": bits},
        }
    wrapped = [[Value(e) for e in row] for row in rows]
    others = [[Value(e) for e in row] for row in references]
    return _finish(leg, wrapped, observed, others, scalars, {"bits": bits})


def _with_ns(
    function: Simulation, ns: Any, point: Point, batch: Mapping[str, Any]
) -> dict[str, Any]:
    given = _inputs(function, point, batch)
    if "ns" in arguments(function):
        given["ns"] = ns
    return given


def _rows_of(ns: Any, array: Any, count: int, leg: Leg) -> list[list[Enclosure]]:
    """Enclosures by instance; without instances the whole array is one row."""
    flat = arrays.enclose(array)
    if not flat:
        raise ObservationError("returned an empty array")
    if leg.instances is None:
        return [flat]
    shape = tuple(getattr(array, "shape", ()))
    if not shape or shape[0] != count:
        raise ObservationError(
            f"returned shape {shape} for {count} instances: the first axis is the instance"
        )
    width = len(flat) // count
    return [flat[i * width : (i + 1) * width] for i in range(count)]


def _gaps(
    ns: Any, main: Any, other: Any, count: int
) -> tuple[list[list[Value]], list[Fraction | None]]:
    """Largest |difference| of each instance, and the largest entry as its unit."""
    gap = arrays.enclose(ns.max(ns.abs(ns.reshape(main - other, (count, -1))), axis=1))
    size = arrays.enclose(ns.max(ns.abs(ns.reshape(other, (count, -1))), axis=1))
    units: list[Fraction | None] = []
    for s in size:
        top = Fraction(int(s.hi.p), int(s.hi.q))
        units.append(top if top > 0 else Fraction(1))
    return [[Value(g)] for g in gap], units


def _finish(
    leg: Leg,
    values: list[list[Value]],
    observed: list[dict[str, Value]],
    references: list[list[Value]],
    scalars: list[dict[str, Exact]],
    detail: dict[str, Any],
) -> dict[str, Any]:
    if references:
        for mine, other in zip(values, references, strict=True):
            if len(mine) != len(other):
                raise ObservationError(
                    f"simulation has {len(mine)} components, reference {len(other)}"
                )
        detail = {**detail, "references": [[v.to_json() for v in row] for row in references]}
    return {"values": values, "observed": observed, "scalars": scalars, "detail": detail}


def _sample(making: _Making) -> dict[str, Any]:
    """Blocks of draws until the unit's rule stops, or the budget of samples is spent.

    What a longer stream of another run already holds is looked at stop by stop, as if drawn now.
    """
    unit, context, cached = making.unit, making.context, making.cached
    leg, statistic = unit.leg, unit.leg.statistic
    if statistic is None:
        raise ObservationError("a sampled leg needs a statistic")
    stream = sampling.Sampling.of(
        partial(_block, unit, context),
        leg.block,
        statistic.at(unit.point),
        None if cached is None else _kept(cached),
    )
    before, last_kept = stream.done, time.monotonic()
    seen, stop = stream.state, 0
    for stop in _stops(leg.block, unit.limit):
        if stop < stream.done and stream.state.tail.kind == "distribution":
            continue  # keeps no records; its evidence is kept by profile, which went on here
        if stream.done < stop and not making.evidence.makes:
            raise CacheMiss(unit.evidence_key)
        while stream.done < stop:
            stream.advance(stop)
            if time.monotonic() - last_kept > KEEP_EVERY:
                making.keep(_sampled(stream, stream.state, stream.done))
                last_kept = time.monotonic()
        seen = stats.evidence_at(stream.state, stop)
        if unit.stop is not None and unit.stop(seen):
            break
    if stream.done > before:
        making.keep(_sampled(stream, stream.state, stream.done))
    return _sampled(stream, seen, stop)


def _block(unit: Unit, context: ObservationContext, index: int) -> tuple[Any, int]:
    """A block of independent values, shape (block,), and how many numbers were drawn for it."""
    leg = unit.leg
    ns = arrays.FloatNamespace(context.backend.xp, "float64")
    purpose, name = streams.sampling(unit.key)
    rng = Stream(context.seed, context.claim_id, purpose, name, dict(unit.point), index, ns)
    given = _with_ns(leg.simulation, ns, unit.point, {})
    # What is no number is found below and said; NumPy's warnings would only say it twice.
    with np.errstate(all="ignore"):
        drawn = leg.simulation(**{**given, "rng": rng, "size": leg.block})
    return sampling.checked(context.backend.to_numpy(drawn), leg.block), rng.drawn


def _kept(cached: Observation) -> Mapping[str, Any] | None:
    """Where a stream is to go on, None where an observation does not say."""
    going = cached.detail.get("going")
    if cached.state is None or not isinstance(going, Mapping):
        return None
    return {**going, "state": cached.state, "done": cached.samples}


def _sampled(stream: sampling.Sampling, state: stats.MeanState, done: int) -> dict[str, Any]:
    detail: dict[str, Any] = {
        "assumptions": stream.watched.evidence_at(done),
        "drawn": stream.drawn,
    }
    if done == stream.done:
        detail["going"] = {"watched": stream.watched.to_json(), "drawn": stream.drawn}
    return {
        "values": [[]],
        "observed": [{}],
        "scalars": [{}],
        "state": state.to_json(),
        "samples": done,
        "detail": detail,
    }


def _stops(block: int, limit: int) -> list[int]:
    """Fixed sample counts at which a decision may be taken: whole blocks, growing by a quarter."""
    stops: list[int] = []
    for count in stats.checkpoints():
        whole = -(-count // block) * block
        if stops and whole <= stops[-1]:
            continue
        stops.append(whole)
        if whole >= limit:
            return stops
    return stops
