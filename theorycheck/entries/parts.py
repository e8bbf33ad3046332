"""What is said of a claim, part by part. Field names are those of ``report.json``."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from msgspec import Struct, field

Verdict = Literal["pass", "fail", "inconclusive", "error", "skipped", "not run"]
"""``error``: the claim's own code broke; ``skipped``: a needed part (a GPU, an extra) is absent;
``not run`` stands in no report, only in what is known of a library."""


class Cause(StrEnum):
    """What kind of reason an inconclusive verdict has, where something hangs on it: the samples that were
    granted, hypotheses that nothing tried meets, a fail that was not met again."""

    BUDGET = "budget"
    VACUOUS = "vacuous"
    DISCORDANT = "discordant"


JsonPoint = Mapping[str, Any]
"""A point by parameter: integers as they are, every other exact value as text."""


class Resolution(Struct, frozen=True, kw_only=True):
    """The largest change of any one point that would not have been refuted. ``kind``: ``relative``, ``absolute`` or
    ``exponent``; ``value`` is >= 0, 0 where the evidence is exact."""

    kind: str
    value: float


class Tightness(Struct, frozen=True, kw_only=True):
    """How near the evidence comes to a one-sided bound.

    ``kind`` ``relative``: ``value`` is the largest share of the bound that was reached, 1 where it is
    attained; ``absolute``: the least distance, 0 where it is attained. ``slack_from``: the other end of
    what is known of it, None without a limit. ``row``: index of the deciding row. ``loosest`` and
    ``loosest_slack``: the same two ends at the point that stays farthest from its bound.
    """

    kind: str = "relative"
    value: float | None = None
    slack_from: float | None = None
    row: int | None = None
    loosest: float | None = None
    loosest_slack: float | None = None


class ProofEntry(Struct, frozen=True, kw_only=True):
    """What a proof leg found. ``holds``: whether the method settled the statement; ``method`` in words;
    ``witness``: what a reader can check; ``counterexample``: where the statement is false, None otherwise;
    ``rung``: how far the method reaches: proved, exhaustive or searched. ``reached``: of a bound, the share of it
    that is seen to be reached, 0 where none is; None where there is no bound."""

    holds: bool
    method: str
    witness: Mapping[str, Any]
    counterexample: Mapping[str, Any] | None = None
    rung: str = "proved"
    reached: float | None = None


class LegEntry(Struct, frozen=True, kw_only=True):
    """One line of evidence. ``further``: what its relation says beside, by name; it stands among the
    leg's own fields in ``report.json``. ``moved_by``: of a certificate, what of the model moves it once it
    is changed; "" where nothing does, None where that was not seen; ``breakdown``: the first error of one that a
    changed model only breaks. ``different``: how many of the drawn
    instances are, None where none are drawn; ``flat``: their fields that are 0, the same, or of equal entries in
    every one."""

    name: str
    rung: str | None = None
    verdict: str = ""
    reason: str = ""
    resolution: Resolution | None = None
    tightness: Tightness | None = None
    arithmetic: str = ""
    side: str = ""
    required: bool = True
    points: int = 0
    samples: int = 0
    model: str = ""
    statistic: str = ""
    proof: tuple[ProofEntry, ...] = ()
    hint: str = ""
    moved_by: str | None = None
    breakdown: str = ""
    different: int | None = None
    flat: tuple[str, ...] = ()
    further: Mapping[str, Any] = field(default_factory=dict)


class RivalEntry(Struct, frozen=True, kw_only=True):
    """A wrong variant of the claim. ``by``: the deciding point, or why it survives."""

    name: str
    refuted: bool
    by: str = ""


class Survivor(Struct, frozen=True, kw_only=True):
    """A mutant of the closed form that the evidence does not refute."""

    name: str
    why: str = ""


class MutantsEntry(Struct, frozen=True, kw_only=True):
    """Automatic mutants of the closed form. ``none``: why there are none; ``below_resolution``: those
    too near to the form to be asked for; ``alike``: those left out because they agree with the form at
    every one of many fresh points of the domain, though no proof says that they are the same."""

    made: int = 0
    refuted: int = 0
    survivors: tuple[Survivor, ...] = ()
    below_resolution: int = 0
    alike: tuple[str, ...] = ()
    none: str = ""


class HypothesisEntry(Struct, frozen=True, kw_only=True):
    """A hypothesis that was dropped. ``needed``: ``needed``, with a ``witness``, or ``not seen to be
    needed``."""

    name: str
    needed: str
    witness: str | None = None


class Place(Struct, frozen=True, kw_only=True):
    """Both sides at a point, as text."""

    point: JsonPoint
    lhs: str
    rhs: str


class Counterexample(Struct, frozen=True, kw_only=True):
    """Both sides at the simplest failing point that was found, measured (``lhs``) against claimed
    (``rhs``).

    ``kind``: ``value`` or ``undefined``. ``confirmed``: whether a second route found it again, None
    where none was taken. ``worst``: the failing point that was seen first. ``witness``: what a proof by
    program found. ``among``: the rival or dropped hypothesis whose instances hold it, "" for the claim's
    own.
    """

    point: JsonPoint = field(default_factory=dict)
    instance: int | None = None
    component: int | None = None
    leg: str = ""
    kind: str = "value"
    lhs: str = ""
    rhs: str = ""
    confirmed: bool | None = None
    worst: Place | None = None
    witness: Any = None
    among: str = ""


class DiagnosisEntry(Struct, frozen=True, kw_only=True):
    """The law that a fail's deviation follows. ``agrees``: whether the corrected form held on
    ``tested_on`` points that did not suggest it, None where there were none."""

    kind: str = ""
    text: str = ""
    corrected: str | None = None
    agrees: bool | None = None
    tested_on: int = 0
    alternatives: tuple[str, ...] = ()
    hypotheses: int = 0
    candidates: int = 0
    caution: str = ""


class Payment(Struct, frozen=True, kw_only=True):
    """What stands for one quantifier of a clause (``by``): proof, exhaustion, witness (of a "there is"),
    certificate, points, instances, sampling, search, argued or open; with its detail in words.
    ``lemma``: the claim whose proof would make a certificate of what is argued; ``free``: that it is formulas
    which do not have the name."""

    name: str
    by: str
    detail: str = ""
    lemma: str = ""
    free: bool = False


class ClauseEntry(Struct, frozen=True, kw_only=True):
    """A clause of a statement that the claim covers (``id`` is statement/clause), and what was paid for
    it. ``status``: proved, checked, supported, argued, asymptotic, inconclusive, open or refuted;
    ``once_proved``: what it is where the claims are proved that its certificates name as lemmas."""

    id: str
    status: str
    payments: tuple[Payment, ...] = ()
    once_proved: str = ""


class AttackEntry(Struct, frozen=True, kw_only=True):
    """Points beside the author's grid: how many were required and how many lay far out; where the far
    ones ended by parameter (``reached``), and which could not be computed, with the reason."""

    required: int = 0
    far: int = 0
    reached: Mapping[str, Any] = field(default_factory=dict)
    not_reached: tuple[str, ...] = ()
