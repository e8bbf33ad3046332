"""Observe: run the simulations of a claim at its points and keep what they saw.

Everything here is blind to the closed form, except that sampling asks its unit's stop rule.
Samples come as blocks of keyed draws, looked at only at fixed sample counts; of the other arithmetics
`theorycheck.evidence.passes` says how each comes to an enclosure.
"""

from __future__ import annotations

import itertools
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import UNSET, UnsetType, structs

from theorycheck import arrays, stats
from theorycheck.arrays.backends import Backend, select
from theorycheck.arrays.streams import Stream
from theorycheck.claims.figures import plain
from theorycheck.claims.instances import Instance
from theorycheck.claims.legs import Leg
from theorycheck.evidence import sampling
from theorycheck.evidence.cached import CacheMiss, Evidence
from theorycheck.evidence.checkpoints import Checkpoints
from theorycheck.evidence.counted import NotReached, counted
from theorycheck.evidence.degenerate import of_instances, watching_zeros
from theorycheck.evidence.detail import Detail, LocalZeros, StreamKept
from theorycheck.evidence.observation import NOT_REACHED, Observation, Value
from theorycheck.evidence.passes import Sighting, inputs, look, with_ns
from theorycheck.evidence.perturbed import moved, shared, with_changed
from theorycheck.evidence.values import ObservationError
from theorycheck.plan import streams
from theorycheck.plan.keys import CLAIM
from theorycheck.plan.plan import Plan
from theorycheck.plan.units import FigureUnit, Unit

MOVING_WORK = 2_000_000
"""Operations that a certificate may take once something of its model is changed: at its first point, which
is among the smallest."""

KEEP_EVERY = 2.0
"""Seconds of sampling after which its state is kept: what a killed run may lose of a long claim."""


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
    if cached is not None and (not sampled or cached.status == NOT_REACHED):
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
            seen = Sighting("error", str(error))
        except Exception as error:  # noqa: BLE001 - the claim's own code may raise anything: its verdict is error
            seen = Sighting("error", _where(error))
        return self._of(seen, self._elapsed() if self.spent is None else self.spent)

    def _far(self) -> Observation:
        """A far point, inside its counted work. What goes wrong there is not reached, and that is kept."""
        try:
            with counted(self.unit.work):
                seen = _sample(self) if self.unit.leg.arithmetic.sampled else _deterministic(self)
        except CacheMiss:
            raise
        except NotReached as error:
            seen = Sighting(NOT_REACHED, str(error))
        except Exception as error:  # noqa: BLE001 - a far point only refutes; the report says what stood in its way
            seen = Sighting(NOT_REACHED, _where(error))
        self.keep(seen)
        return self._of(seen, self._elapsed() if self.spent is None else self.spent)

    def look(self, leg: Leg, drawn: Sequence[Instance]) -> Sighting:
        """What a leg, the unit's own or a changed one, gives for these instances at the unit's point."""
        return look(leg, self.unit.point, drawn, self.checkpoints, self.context.backend)

    def keep(self, seen: Sighting) -> None:
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

    def _of(self, seen: Sighting, seconds: float) -> Observation:
        key, leg = self.unit.key, self.unit.leg
        return Observation(
            leg=key.leg,
            owner=key.owner,
            purpose=key.purpose,
            point=dict(self.unit.point),
            arithmetic=leg.arithmetic.name,
            seconds=seconds,
            **vars(seen),
        )


def _draw_figure(unit: FigureUnit, context: ObservationContext) -> Observation:
    """What a figure shows, as data. Never raises for the claim's own errors: status ``error``."""
    started = time.perf_counter()
    ns = arrays.FloatNamespace(context.backend.xp, "float64")
    purpose, name = streams.sampling(unit.key)
    rng = Stream(context.seed, context.claim_id, purpose, name, dict(unit.point), 0, ns)
    status, message, detail = "ok", "", Detail()
    draw = unit.figure.draw
    try:
        shown = draw(**inputs(draw, unit.point, {"ns": ns, "rng": rng}))
        detail = Detail(panels=plain(shown, context.backend.to_numpy))
    except Exception as error:  # noqa: BLE001 - a figure judges nothing; the report shows the error in its place
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


def draw_instances(unit: Unit, context: ObservationContext) -> list[Instance]:
    """The instances of a unit: exact data, each from a stream of its own; one empty where it has none."""
    spec, point = unit.leg.instances, unit.point
    if spec is None:
        return [{}]
    purpose, name = streams.drawing(unit.key.purpose)
    drawn: list[Instance] = []
    for index in range(unit.instances):
        rng = Stream(context.seed, context.claim_id, purpose, name, dict(point), index)
        drawn.append(spec.drawn(rng, point))
    if unit.special and drawn:
        special = itertools.islice(spec.special(drawn[0], point), unit.special)
        drawn += [dict(one) for _, one in special]
    return drawn


def _held_to_what_is_said(unit: Unit, drawn: Sequence[Instance]) -> None:
    """Raises ObservationError where a draw of the claim's own lies outside of its fields' domains or breaks a
    condition: it is no instance of the statement, whatever it shows. Draws of rivals and of dropped
    hypotheses may lie anywhere."""
    spec = unit.leg.instances
    if spec is None or unit.key.owner != CLAIM:
        return
    for number, one in enumerate(drawn, start=1):
        left = spec.left(one, unit.point)
        if left:
            raise ObservationError(
                f"instance {number} of those drawn breaks what is said of them: {'; '.join(left)}"
            )


def _deterministic(making: _Making) -> Sighting:
    unit = making.unit
    drawn = draw_instances(unit, making.context)
    _held_to_what_is_said(unit, drawn)
    code = getattr(unit.leg.simulation, "__code__", None)
    zeros: LocalZeros | UnsetType = UNSET
    if unit.leg.side == "certificate" and code is not None:
        with watching_zeros(code.co_filename) as found:
            seen = making.look(unit.leg, drawn)
        zeros = found.told()
    else:
        seen = making.look(unit.leg, drawn)
    detail = structs.replace(
        seen.detail,
        zeros=zeros,
        drawn_fields=UNSET if unit.leg.instances is None else of_instances(drawn),
        among=UNSET
        if unit.among is None
        else tuple(unit.among.describes(one, unit.point) for one in drawn),
    )
    if unit.beside:
        by, breakdown = _moved_by(making, drawn, seen.values)
        detail = structs.replace(detail, moved_by=by, breakdown=breakdown or UNSET)
    return replace(seen, detail=detail)


def _moved_by(
    making: _Making, drawn: Sequence[Instance], values: Sequence[Sequence[Value]]
) -> tuple[str | None, str]:
    """What of the model, once changed, moves a certificate: a field of its instances or a function that it
    shares with the other legs and does not only reach through the construction; "" where nothing does, as of a
    program that is another leg's or returns what the construction returns, None where it takes too much work
    to see. Beside it, how the certificate broke down on the first model that it did not take: what breaks down
    was not seen to move."""
    leg, missed, breakdown = making.unit.leg, False, ""
    if leg.simulation in making.unit.beside:
        return "", ""

    def changes() -> Iterator[tuple[str, Leg, Sequence[Instance]]]:
        for name in leg.inputs():
            if leg.instances is not None and name in leg.instances.fields:
                yield name, leg, [{**one, name: moved(one[name])} for one in drawn]
        built = making.unit.built
        for function in shared(leg.simulation, making.unit.beside, built):
            program = with_changed(leg.simulation, function, built)
            yield function.__name__, replace(leg, simulation=program), drawn

    for name, changed, given in changes():
        try:
            with counted(MOVING_WORK):
                again = making.look(changed, given)
        except NotReached:
            missed = True
        except Exception as error:  # noqa: BLE001 - a changed model may be outside of what the program takes
            breakdown = breakdown or f"{name} changed: {type(error).__name__}: {error}"
        else:
            if _apart(values, again.values):
                return name, ""
    return (None, "") if missed else ("", breakdown)


def _apart(some: Sequence[Sequence[Value]], others: Sequence[Sequence[Value]]) -> bool:
    """Whether two observations cannot be of the same numbers."""
    if [len(row) for row in some] != [len(row) for row in others]:
        return True
    pairs = zip(itertools.chain(*some), itertools.chain(*others), strict=True)
    ends = ((a.enclosure, b.enclosure) for a, b in pairs)
    return any(a.hi < b.lo or b.hi < a.lo for a, b in ends)


def _sample(making: _Making) -> Sighting:
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
    given = with_ns(leg.simulation, ns, unit.point, {})
    # What is no number is found below and said; NumPy's warnings would only say it twice.
    with np.errstate(all="ignore"):
        drawn = leg.simulation(**{**given, "rng": rng, "size": leg.block})
    return sampling.checked(context.backend.to_numpy(drawn), leg.block), rng.drawn


def _kept(cached: Observation) -> sampling.Kept | None:
    """Where a stream is to go on, None where an observation does not say."""
    going = cached.detail.going
    if cached.state is None or going is UNSET:
        return None
    return sampling.Kept(cached.state, going.watched, cached.samples, going.drawn)


def _sampled(stream: sampling.Sampling, state: stats.MeanState, done: int) -> Sighting:
    at_end = done == stream.done
    detail = Detail(
        assumptions=stream.watched.evidence_at(done),
        drawn=stream.drawn,
        going=StreamKept(watched=stream.watched.kept(), drawn=stream.drawn) if at_end else UNSET,
    )
    return Sighting(
        values=[[]], observed=[{}], scalars=[{}], state=state, samples=done, detail=detail
    )


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
