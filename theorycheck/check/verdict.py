"""The verdict on a statement, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import to_builtins

from theorycheck.entries.parts import Resolution

HOLDS, REFUTED, INCONCLUSIVE = "holds", "refuted", "inconclusive"

PROVED, EXHAUSTIVE, CERTIFIED, SEARCHED = "proved", "exhaustive", "certified", "searched"

EXIT = {HOLDS: 0, REFUTED: 1, INCONCLUSIVE: 6}


@dataclass(frozen=True)
class Verdict:
    """One verdict.

    ``rung`` is ``proved``, ``exhaustive``, ``certified`` (a counterexample decided exactly) or
    ``searched``. ``counterexample`` maps names to exact values as text. ``lhs`` and ``rhs`` are the
    two sides there, to the digits that show the difference. ``instead`` says what is true instead;
    in JSON it is part of ``reason``. ``why`` says in steps, one line each, what the verdict rests on: a
    proof, the digits at a counterexample, or what was tried. ``reading`` says how the text was
    understood where that was not literal; JSON has the field only then.
    """

    statement: str
    scope: str
    verdict: str
    rung: str
    counterexample: dict[str, str] | None = None
    kind: str | None = None
    lhs: str | None = None
    rhs: str | None = None
    covered: str = ""
    resolution: Resolution | None = None
    reason: str = ""
    instead: tuple[str, ...] = ()
    seconds: float = 0.0
    expected: str = HOLDS
    notes: tuple[str, ...] = field(default=())
    why: tuple[str, ...] = field(default=())
    reading: tuple[str, ...] = ()

    @property
    def proved(self) -> bool:
        """Whether the whole stated domain is settled: by a proof, or by exhaustion."""
        return self.verdict == HOLDS and self.rung in (PROVED, EXHAUSTIVE)

    def as_json(self, *, explain: bool = False) -> Mapping[str, object]:
        """The fields of the contract, in its order; ``why`` after them where it is asked for."""
        reason = "; ".join(part for part in (self.reason, *self.instead, *self.notes) if part)
        found = {
            "statement": self.statement,
            "verdict": self.verdict,
            "proved": self.proved,
            "rung": self.rung,
            "counterexample": self.counterexample,
            "kind": self.kind,
            "lhs": self.lhs,
            "rhs": self.rhs,
            "covered": self.covered,
            "resolution": to_builtins(self.resolution),
            "reason": reason,
            "seconds": round(self.seconds, 3),
            **({"why": list(self.why)} if explain else {}),
        }
        return {**found, "reading": list(self.reading)} if self.reading else found
