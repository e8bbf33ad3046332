"""Observations: what a leg saw at one point, kept beside the report so that it can be judged again.

An observation knows no closed form and no verdict. It is plain data and survives JSON unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from theorycheck.numbers.domain import Exact, from_text, to_text
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.numbers.surd import Surd, as_surd
from theorycheck.plan.keys import CLAIM, Owner, OwnerKind, Purpose, UnitKey

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
    ``units[i]``: scale of a gap between two procedures, None where the closed form sets the scale.
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
    state: Mapping[str, Any] | None = None
    samples: int = 0
    seconds: float = 0.0
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> UnitKey:
        """The key of the unit that this is an observation of."""
        return UnitKey.of(self.purpose, self.owner, self.leg, self.point)

    def among(self, instance: int | None) -> bool:
        """Whether an instance of a rival or a dropped hypothesis is among those of the claim itself; what
        has no instances of its own is."""
        known = self.detail.get("among")
        return known is None or instance is None or bool(known[instance])

    @property
    def variant(self) -> str:
        """Label of a rival or dropped hypothesis, "" for the claim's own data."""
        return self.owner.label

    def to_json(self) -> dict[str, Any]:
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
            "state": self.state,
            "samples": self.samples,
            "seconds": self.seconds,
            "detail": dict(self.detail),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Observation:
        rest = {k: data[k] for k in ("leg", "arithmetic", "status", "message",
                                     "state", "samples", "seconds", "detail")}  # fmt: skip
        return cls(
            owner=_owner(data),
            purpose=Purpose(data["purpose"]),
            point={k: from_text(v) for k, v in data["point"].items()},
            values=[[Value.from_json(v) for v in row] for row in data["values"]],
            observed=[{k: Value.from_json(v) for k, v in row.items()} for row in data["observed"]],
            scalars=[{k: from_text(v) for k, v in row.items()} for row in data["scalars"]],
            units=[None if u is None else Fraction(u) for u in data["units"]],
            **rest,
        )


def _owner(data: Mapping[str, Any]) -> Owner:
    """Files of earlier versions hold a label alone, of which the plan knows whose it is."""
    if "owner" in data:
        kind, name = data["owner"]
        return Owner(OwnerKind(kind), name)
    return Owner(OwnerKind.LABELLED, data["variant"]) if data["variant"] else CLAIM
