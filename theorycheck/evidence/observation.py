"""Observations: what a leg saw at one point, kept beside the report so that it can be judged again.

An observation knows no closed form and no verdict. It is plain data and survives JSON unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from msgspec import Struct, convert, to_builtins

from theorycheck.evidence.detail import Detail
from theorycheck.numbers.domain import Exact, from_text, to_text
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.numbers.surd import Surd, as_surd
from theorycheck.plan.keys import CLAIM, Owner, OwnerKind, Purpose, UnitKey
from theorycheck.stats.state import MeanState

NOT_REACHED = "not reached"
"""Status of a far point that took more than its counted work, or could not be computed."""


@dataclass(frozen=True)
class Value:
    """A measured number: its enclosure, and the surd that it is where that is known."""

    enclosure: Enclosure
    surd: Surd | None = None

    @classmethod
    def of(cls, number: Surd | Fraction | int) -> Value:
        s = as_surd(number)
        return cls(s.enclosure(), None if s.rational else s)

    def to_json(self) -> Any:
        if self.surd is not None:
            return {"surd": [str(self.surd.coefficient), self.surd.radicand]}
        return self.enclosure.to_json()

    @classmethod
    def from_json(cls, data: Any) -> Value:
        if isinstance(data, Mapping) and "surd" in data:
            coefficient, radicand = data["surd"]
            return cls.of(Surd(Fraction(coefficient), int(radicand)))
        return cls(Enclosure.from_json(data))


@dataclass(frozen=True)
class Observation:
    """What one leg (or a rival of it) saw at one point.

    ``values[i][j]``: component j of instance i (one instance where none are drawn). ``observed[i]``
    and ``scalars[i]``: further quantities that the closed form may use, measured and given.
    ``units[i]``: scale of a gap between two procedures, None where the closed form sets the scale;
    ``references[i][j]``: what the second of them gave, where they are compared entry by entry.
    ``state``: the confidence sequence of a sampled leg after ``samples`` values. ``status`` is
    ``ok``, or ``error`` or ``not reached`` with the reason in ``message``.
    """

    leg: str
    owner: Owner
    purpose: Purpose
    point: Mapping[str, Exact]
    arithmetic: str
    status: str = "ok"
    message: str = ""
    values: Sequence[Sequence[Value]] = ()
    observed: Sequence[Mapping[str, Value]] = ()
    scalars: Sequence[Mapping[str, Exact]] = ()
    units: Sequence[Fraction | None] = ()
    references: Sequence[Sequence[Value]] = ()
    state: MeanState | None = None
    samples: int = 0
    seconds: float = 0.0
    detail: Detail = Detail()  # noqa: RUF009 - frozen

    @property
    def key(self) -> UnitKey:
        """The key of the unit that this is an observation of."""
        return UnitKey.of(self.purpose, self.owner, self.leg, self.point)

    def among(self, instance: int | None) -> bool:
        """Whether an instance of a rival or a dropped hypothesis is among those of the claim itself; what
        has no instances of its own is."""
        among = self.detail.among
        return not among or instance is None or among[instance]

    @property
    def variant(self) -> str:
        """Label of a rival or dropped hypothesis, "" for the claim's own data."""
        return self.owner.label

    def to_json(self) -> Mapping[str, object]:
        """Plain data, as it stands in files of observations."""
        detail = to_builtins(self.detail)
        if self.references:
            detail["references"] = [[v.to_json() for v in row] for row in self.references]
        return {
            "leg": self.leg,
            "variant": self.variant,
            "owner": [self.owner.kind.value, self.owner.name],
            "purpose": self.purpose.value,
            "point": {k: to_text(v) for k, v in self.point.items()},
            "arithmetic": self.arithmetic,
            "status": self.status,
            "message": self.message,
            "values": [[v.to_json() for v in row] for row in self.values],
            "observed": [{k: v.to_json() for k, v in row.items()} for row in self.observed],
            "scalars": [{k: to_text(v) for k, v in row.items()} for row in self.scalars],
            "units": [None if u is None else str(u) for u in self.units],
            "state": None if self.state is None else self.state.to_json(),
            "samples": self.samples,
            "seconds": self.seconds,
            "detail": detail,
        }

    @classmethod
    def from_json(cls, data: object) -> Observation:
        """Inverse of :meth:`to_json`. Raises ValueError naming what is wrong with other data."""
        read = convert(data, _Written)
        return cls(
            leg=read.leg,
            owner=_owner(read),
            purpose=Purpose(read.purpose),
            point={k: from_text(v) for k, v in read.point.items()},
            arithmetic=read.arithmetic,
            status=read.status,
            message=read.message,
            values=[[Value.from_json(v) for v in row] for row in read.values],
            observed=[{k: Value.from_json(v) for k, v in row.items()} for row in read.observed],
            scalars=[{k: from_text(v) for k, v in row.items()} for row in read.scalars],
            units=[None if u is None else Fraction(u) for u in read.units],
            references=[[Value.from_json(v) for v in row] for row in read.detail.references],
            state=None if read.state is None else MeanState.from_json(read.state),
            samples=read.samples,
            seconds=read.seconds,
            detail=Detail(**{n: getattr(read.detail, n) for n in Detail.__struct_fields__}),
        )


class _WrittenDetail(Detail, frozen=True, kw_only=True):
    """With what a second procedure gave, as it stands in files."""

    references: tuple[tuple[Any, ...], ...] = ()


class _Written(Struct, frozen=True, kw_only=True):
    """An observation as plain data. Files of earlier versions hold no owner."""

    leg: str
    variant: str
    owner: tuple[str, str] | None = None
    purpose: str
    point: Mapping[str, str]
    arithmetic: str
    status: str
    message: str
    values: tuple[tuple[Any, ...], ...]
    observed: tuple[Mapping[str, Any], ...]
    scalars: tuple[Mapping[str, str], ...]
    units: tuple[str | None, ...]
    state: Mapping[str, Any] | None
    samples: int
    seconds: float
    detail: _WrittenDetail


def _owner(read: _Written) -> Owner:
    """Files of earlier versions hold a label alone, of which the plan knows whose it is."""
    if read.owner is not None:
        kind, name = read.owner
        return Owner(OwnerKind(kind), name)
    return Owner(OwnerKind.LABELLED, read.variant) if read.variant else CLAIM
