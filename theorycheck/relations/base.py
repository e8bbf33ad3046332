"""What every relation shares: rows of evidence in, a decision out.

A relation sees the evidence only as *rows*: at one point (instance, component), one confidence set or
enclosure C_j of what was measured, and the enclosure c_j of the closed form. Verdict, resolution,
rivals and mutants are deterministic functions of the rows (VERDICTS, "One foundation"), so testing a
hundred mutants on the same rows costs no error probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from flint import fmpq

from theorycheck.entries.parts import Cause, Resolution, Tightness
from theorycheck.numbers.domain import Exact, Point
from theorycheck.numbers.enclosure import Enclosure


@dataclass(frozen=True)
class Expected:
    """The closed form at one point. ``status`` as in `theorycheck.balls`."""

    status: str
    enclosure: Enclosure | None = None
    reason: str = ""

    def to_json(self) -> list[Any]:
        return [
            self.status,
            None if self.enclosure is None else self.enclosure.to_json(),
            self.reason,
        ]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Expected:
        status, enclosure, reason = data
        return cls(status, None if enclosure is None else Enclosure.from_json(enclosure), reason)


@dataclass(frozen=True)
class Row:
    """One comparison.

    ``same`` is True where measured and expected were proved to be the same number although neither
    is a rational (an algebraic identity); enclosures alone never show that. ``unit`` is the scale
    of the resolution where the closed form may vanish, None for the closed form's own size.
    ``inputs``: everything that the closed form was evaluated at (parameters, instance scalars,
    observed quantities), so that a mutant of it can be evaluated at the same place.
    """

    point: Point
    measured: Enclosure
    expected: Expected
    rung: str
    instance: int | None = None
    component: int = 0
    unit: Fraction | None = None
    same: bool = False
    samples: int = 0
    inputs: Mapping[str, Exact | Enclosure] = field(default_factory=dict, compare=False)

    @property
    def target(self) -> Enclosure:
        if self.expected.enclosure is None:
            raise ValueError("the closed form has no value here; test `defined` first")
        return self.expected.enclosure

    @property
    def defined(self) -> bool:
        return self.expected.enclosure is not None

    @property
    def equal(self) -> bool:
        """Proved equal: both exact and the same, or shown to be the same algebraic number."""
        m, e = self.measured, self.expected.enclosure
        return self.same or (e is not None and m.exact and e.exact and m.lo == e.lo)

    @property
    def scale(self) -> fmpq:
        """Size against which a deviation is measured; positive."""
        if self.unit is not None:
            return fmpq(self.unit.numerator, self.unit.denominator)
        low, high = abs(self.target.lo), abs(self.target.hi)
        size = high if high > low else low
        return size if size > 0 else fmpq(1)


@dataclass(frozen=True)
class TargetResolutions:
    """Target resolutions: how sharp a look is asked for, by rung. Never make a verdict wrong."""

    exact: float = 1e-9
    sampled: float = 5e-2
    exponent: float = 0.25

    def of(self, rung: str) -> float:
        return self.sampled if rung in ("sampled", "searched", "fitted") else self.exact


@dataclass(frozen=True)
class Decision:
    """What the rows say. ``decisive`` is the index of the row that decided, or the least sharp.

    ``cause``: what kind of reason an inconclusive one has.
    ``uniform_factor``: the largest factor of all points alike that would not have been refuted; ``within``:
    how far a bound that is touched may yet be passed. ``extra``: what the relation says beside, by name,
    as JSON data; it stands in the leg's entry.
    """

    verdict: str
    reason: str = ""
    would_decide: str = ""
    decisive: int | None = None
    kind: str = "value"
    resolution: Resolution | None = None
    tightness: Tightness | None = None
    uniform_factor: Resolution | None = None
    within: Resolution | None = None
    cause: Cause | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


class Fitted:
    """What relations about a law over a whole sweep have in common: no point speaks for itself, no mutant need
    fall, and what they find is fitted."""

    one_sided: ClassVar[bool] = True
    pointwise: ClassVar[bool] = False
    attains: ClassVar[bool] = False
    strict: ClassVar[bool] = False
    sign: ClassVar[int] = 0
    rung: ClassVar[str] = "fitted"

    def on_side(self, side: str) -> Self:
        """The same on every side of an optimum."""
        return self


@runtime_checkable
class Relation(Protocol):
    """How the two sides are compared. A new relation is one new module with such a class."""

    @property
    def name(self) -> str: ...

    @property
    def one_sided(self) -> bool:
        """One-sided relations report tightness instead of resolution and get no nudges."""
        ...

    @property
    def pointwise(self) -> bool:
        """Whether one row alone can refute, whatever the others say."""
        ...

    @property
    def attains(self) -> bool:
        """Whether it says itself that something attains the value, as an optimum does."""
        ...

    @property
    def strict(self) -> bool:
        """Whether the two sides may not be equal."""
        ...

    @property
    def sign(self) -> int:
        """1 where no value of the left side may pass the right one, -1 mirrored, 0 without such a side."""
        ...

    def text(self, left: str, right: str) -> str:
        """The relation in words, for `show` and reports."""
        ...

    def on_side(self, side: str) -> Relation:
        """The relation that a leg on this side of an optimum is judged by."""
        ...

    def decide(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision: ...

    def rival_falls(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        """Decision about a rival program: verdict ``fail`` means that the rival is refuted."""
        ...


def undefined(rows: Sequence[Row]) -> Decision | None:
    """A point where the closed form has no value is a counterexample, unless that is undecided."""
    for index, row in enumerate(rows):
        if row.defined:
            continue
        status = row.expected.status
        if status in ("undefined", "nonreal"):
            return Decision("fail", row.expected.reason, decisive=index, kind="undefined")
        return Decision(
            "inconclusive",
            f"ball: closed form undecided at a tried point ({row.expected.reason})",
            "higher precision or a simpler closed form",
            decisive=index,
        )
    return None


def as_float(value: fmpq) -> float:
    """Nearest float of an exact rational, 0 and infinity where it under- or overflows."""
    fraction = Fraction(int(value.p), int(value.q))
    try:
        return float(fraction)
    except OverflowError:
        return float("inf") if fraction > 0 else float("-inf")


def vanishes(row: Row) -> bool:
    """Whether the closed form may be 0 here and no unit says what that is to be measured by."""
    return row.unit is None and row.defined and row.target.lo <= 0 <= row.target.hi


def kind_of_resolution(rows: Sequence[Row]) -> str:
    """Absolute where a unit is declared, and where the closed form has no size of its own anywhere."""
    absolute = any(row.unit is not None for row in rows) or all(map(vanishes, rows))
    return "absolute" if absolute else "relative"
