"""Keys of what is observed: typed, compared by value, never put together from names.

A key says why something is observed (its purpose), for whom (its owner), by which leg and where. Its
`text` is canonical: equal texts for equal keys only, whatever the names hold. What keys a random
stream is another thing, frozen apart (`theorycheck.plan.streams`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from theorycheck.numbers.domain import Exact

PointValue = tuple[tuple[str, Exact], ...]
"""A point by value: its parameters in order of their names."""


class Purpose(StrEnum):
    """Why something is observed."""

    JUDGE = "judge"
    SUSPECT = "suspect"
    CONFIRM = "confirm"
    SHRINK = "shrink"
    ATTACK = "attack"
    FAR = "far"
    EXAMINE = "examine"
    FIGURE = "figure"


class OwnerKind(StrEnum):
    """Whose data something is. ``labelled``: read from a file of an earlier version, which kept only a
    label; `Plan.owner_of` knows whose it was."""

    CLAIM = "claim"
    RIVAL = "rival"
    HYPOTHESIS = "hypothesis"
    FIGURE = "figure"
    LABELLED = "labelled"


@dataclass(frozen=True)
class Owner:
    """Whose data something is; ``name``: of the rival or the hypothesis."""

    kind: OwnerKind = OwnerKind.CLAIM
    name: str = ""

    @property
    def label(self) -> str:
        """As reports and random streams call it. `theorycheck.claims.model` refuses two of one label."""
        return f"without {self.name}" if self.kind is OwnerKind.HYPOTHESIS else self.name

    def __str__(self) -> str:
        return self.label


CLAIM = Owner()


def rival(name: str) -> Owner:
    """The owner of a rival's own data."""
    return Owner(OwnerKind.RIVAL, name)


def hypothesis(name: str) -> Owner:
    """The owner of data without a hypothesis."""
    return Owner(OwnerKind.HYPOTHESIS, name)


@dataclass(frozen=True)
class UnitKey:
    """What tells one unit of a claim from every other."""

    purpose: Purpose
    owner: Owner
    leg: str
    point: PointValue

    @classmethod
    def of(cls, purpose: Purpose, owner: Owner, leg: str, point: Mapping[str, Exact]) -> UnitKey:
        return cls(purpose, owner, leg, by_value(point))

    def text(self, *further: Any) -> str:
        """Canonical text, with further JSON data that the evidence depends on."""
        parts = [self.purpose, self.owner.kind, self.owner.name, self.leg]
        where = [[name, _plain(value)] for name, value in self.point]
        return json.dumps([*parts, where, *further], separators=(",", ":"), ensure_ascii=False)


def by_value(point: Mapping[str, Exact]) -> PointValue:
    """The point as a value, whatever the order of its parameters."""
    return tuple(sorted(point.items(), key=lambda item: item[0]))


def _plain(value: Exact) -> Any:
    """An exact value as JSON data; a name is not mixed up with a number that it spells."""
    if isinstance(value, tuple):
        return ["tuple", [_plain(v) for v in value]]
    if isinstance(value, Fraction):
        return ["rational", str(value)]
    return value
