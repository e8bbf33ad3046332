"""Words that every report uses for verdicts, rungs and sharpness."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from theorycheck.arithmetics import ARITHMETICS
from theorycheck.entries.parts import Counterexample, LegEntry, Place, Resolution, Tightness
from theorycheck.entries.report import Entry

STANDINGS = ("proved", "checked", "supported", "refuted", "inconclusive", "error", "skipped")
"""What a verdict amounts to, in the order in which reports count it."""

STANDING_WORDS = {
    "proved": "for the whole domain: by a proof, or every point of a finite domain",
    "checked": "exactly or in ball arithmetic, at the points named and at no others",
    "supported": "by sampling, a fitted law, a search or declared code, within the stated resolution",
    "refuted": "false: a counterexample is shown, and found again by a second route",
    "inconclusive": "this evidence does not decide it; what would is said",
    "error": "the claim's own code broke",
    "skipped": "a part that it needs (a device, a package) is absent",
}
"""The key of a report."""

_SUPPORT = {
    "computed": "computation",
    "sampled": "sampling",
    "fitted": "a fitted law",
    "searched": "search",
    "declared": "declared code",
}
"""By what a pass is supported that is neither proved nor checked."""

RUNG_WORDS = {
    "proved": "proved for the whole domain",
    "exhaustive": "checked exactly at every point of a finite domain",
    "certified": "checked in exact or ball arithmetic at the points tried",
    "computed": "computed in floats with a derived error at the points tried",
    "sampled": "estimated from random samples at the points tried",
    "fitted": "read off a fitted law",
    "searched": "none better found by a search",
    "declared": "computed outside of the engine, to the error that its author declares",
}


_BALL = re.compile(r"\[(-?[0-9.]+(?:e[-+]?[0-9]+)?) \+/- [0-9.e+-]+\]")
_LONG_FRACTION = re.compile(r"(?<![\w./])-?\d+/\d{6,}(?![\w./])")
_LONG_DECIMAL = re.compile(r"(?<![\w./])-?\d+\.\d{7,}(?:e[-+]?\d+)?(?![\w/])")
_SIDES = re.compile(r"(?:(.*): )?measured (.+), claimed (.+)", re.DOTALL)
_AGAINST = re.compile(r"(?:(.*): )?([-[(\d].*?|undefined) against ([-[(\d].*|undefined)", re.DOTALL)
_LONG = re.compile(r"\b([1-9][0-9]??)(0{6,})\b")


class Sharp(Protocol):
    """A claim or a leg by how sharply it was looked at."""

    @property
    def resolution(self) -> Resolution | None: ...

    @property
    def tightness(self) -> Tightness | None: ...


def stands(entry: Entry) -> str:
    """One of STANDINGS: what is proved or exhausted, what is checked at points, what is only supported."""
    verdict = entry.verdict
    if verdict == "pass":
        rung = entry.rung
        whole = rung in ("proved", "exhaustive")
        return "proved" if whole else "checked" if rung == "certified" else "supported"
    return "refuted" if verdict == "fail" else verdict


def standing(entry: Entry) -> str:
    """``proved``, ``checked completely``, ``checked at 14 points``, ``supported by sampling``,
    ``refuted``, ``refuted by sampling``, ...: never more than what was paid for."""
    word = stands(entry)
    if word == "refuted":
        return f"refuted by {_SUPPORT[grounds(entry)]}" if grounds(entry) in _SUPPORT else word
    if entry.verdict != "pass":
        return word
    words = _ground_words(entry)
    return words if entry.within is None else f"{within_words(entry.within)}, {words}"


def _ground_words(entry: Entry) -> str:
    return _passed(grounds(entry), entry.points)


def leg_standing(leg: LegEntry) -> str:
    """What a line of evidence came to, in the words of a claim's `standing`."""
    if leg.verdict == "pass" and leg.rung is not None:
        outside = leg.rung == "searched" and not _controlled(leg) and leg.side != "search"
        return _passed("declared" if outside else leg.rung, leg.points)
    return "refuted" if leg.verdict == "fail" else leg.verdict


def _passed(ground: str, points: int) -> str:
    if ground == "proved":
        return "proved"
    if ground == "exhaustive":
        return "checked completely"
    if ground == "certified":
        return f"checked at {points} point{'' if points == 1 else 's'}" if points else "checked"
    return f"supported by {_SUPPORT[ground]}" if ground in _SUPPORT else "supported"


def grounds(entry: Entry) -> str:
    """The rung, which is ``declared`` where code outside of the engine is what it rests on: nothing was
    searched for there."""
    weakest = [leg for leg in entry.legs if leg.required and leg.rung == entry.rung]
    outside = [leg for leg in weakest if not _controlled(leg) and leg.side != "search"]
    declared = entry.rung == "searched" and weakest and len(outside) == len(weakest)
    return "declared" if declared else entry.rung or ""


def _controlled(leg: LegEntry) -> bool:
    """Whether the engine bounds the errors of a leg; so it does where an early report does not say how it
    was run."""
    arithmetic = ARITHMETICS.get(leg.arithmetic)
    return arithmetic is None or arithmetic.controlled


def within_words(within: Resolution) -> str:
    """What is said of a bound that is touched; not that it holds: it may yet be passed by so much."""
    size = f"a relative {within.value:.1e}" if within.kind == "relative" else f"{within.value:.1e}"
    return f"within {size} of the bound"


def sharpness(entry: Sharp) -> str:
    """Resolution or tightness in a few characters."""
    resolution, tightness = entry.resolution, entry.tightness
    if resolution is not None:
        value = resolution.value
        if value == 0:
            return "exact"
        return f"{value:.2g} {resolution.kind}"
    if tightness is not None and tightness.value is not None:
        if tightness.kind == "absolute":
            return f"within {tightness.value:.4g} of it"
        return f"tight to {tightness.value:.4g}"
    return ""


def leg_sharpness(leg: LegEntry) -> str:
    """`sharpness` of a leg, what a uniform factor would have to be where that is seen more sharply, and how
    near a touched bound is known to be."""
    parts, own = [sharpness(leg)], leg.resolution
    said = leg.further.get("uniform_factor")
    if isinstance(said, Mapping) and own is not None and said.get("kind") == own.kind:
        value = said.get("value")
        if isinstance(value, int | float) and 0 < value < own.value:
            parts.append(f"{value:.2g} for a uniform factor")
    kind, most = leg.further.get("kind"), leg.further.get("violation_at_most")
    if isinstance(kind, str) and isinstance(most, int | float):
        parts.append(within_words(Resolution(kind=kind, value=most)))
    return ", ".join(filter(None, parts))


def resolution_words(entry: Sharp) -> str:
    """How sharp a pass is, as a sentence; empty where nothing is known of it."""
    resolution, tightness = entry.resolution, entry.tightness
    sentences = []
    if resolution is not None:
        value, kind = resolution.value, resolution.kind
        if value == 0:
            sentences.append("Exact: any other value of the closed form would have been refuted.")
        elif kind == "exponent":
            sentences.append(f"An exponent off by {value:.2g} or more would have been refuted.")
        elif kind == "relative":
            sentences.append(
                f"A closed form off by {percent(value)} or more at any one point would have been "
                "refuted."
            )
        else:
            sentences.append(
                f"A closed form off by {value:.2g} or more at any one point would have been refuted."
            )
        uniform = getattr(entry, "uniform_factor", None)
        if uniform is not None and 0 < uniform.value < value and kind == "relative":
            sentences.append(f"A uniform factor: {percent(uniform.value)}.")
    if tightness is not None and tightness.value is not None:
        tau = tightness.value
        if tightness.kind == "absolute":
            sentences.append(
                "The bound is attained: it cannot be moved."
                if tau == 0
                else f"The evidence comes to {tau:.4g} of the bound (absolute); a bound moved by "
                "more would have been refuted."
            )
        elif tau >= 1:
            sentences.append("The bound is attained: any tighter one would have been refuted.")
        elif tau > 0:
            sentences.append(
                f"The evidence comes to {share(tau)} of the bound: one that is tighter by a factor "
                f"of more than {1 / tau:.3g} would have been refuted."
            )
        else:
            sentences.append(
                "How near the bound comes was not seen: a sharper one would have passed too."
            )
    return " ".join(sentences)


def percent(value: float) -> str:
    """``0.8 %``; very small shares in scientific notation."""
    return f"{100 * value:.2g} %" if value >= 1e-4 else f"a relative {value:.1e}"


def share(value: float) -> str:
    """``0.8 %`` of a bound; one that is all but reached is not rounded up to it."""
    return f"{100 * value:.2g} %" if value < 0.99 else f"{100 * value:.6g} %"


def brief(counterexample: Counterexample) -> str:
    """`place` with long numbers rounded, for lists."""
    return rounded(place(counterexample))


def rounded(text: str) -> str:
    """A text with balls, long fractions and long decimals rounded, and long integers in powers of ten."""
    text = _BALL.sub(lambda m: f"{float(m[1]):.5g}", text)
    text = _LONG_FRACTION.sub(_quotient, text)
    text = _LONG_DECIMAL.sub(lambda m: f"{float(m[0]):.6g}", text)
    return _LONG.sub(lambda m: f"{m[1]}e{len(m[2])}", text)


def _quotient(found: re.Match[str]) -> str:
    value = Fraction(found[0])
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        return found[0]


@dataclass(frozen=True)
class ToldApart:
    """A place with what was measured there and what was claimed, as exact text. Both are empty where the
    text says something else, which is then ``at``."""

    at: str
    measured: str = ""
    claimed: str = ""


def told_apart(text: str) -> ToldApart:
    """What a rival's or a counterexample's line says, part by part: also in the words of reports of
    earlier versions (``n=3: 9 against 10``)."""
    found = _SIDES.fullmatch(text) or _AGAINST.fullmatch(text)
    return ToldApart(text) if found is None else ToldApart(found[1] or "", found[2], found[3])


def duration(seconds: float) -> str:
    """``0.03 s``, ``12 s``, ``3 min 5 s``, ``2 h 10 min``."""
    if seconds < 1:
        return f"{seconds:.2f} s"
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def count(number: int) -> str:
    """Thousands set apart by thin spaces: ``1 200 000``."""
    return f"{number:,}".replace(",", "\u2009")


def unexpected(entry: Entry) -> bool:
    """Whether the verdict is not the author's; skipped claims are counted apart."""
    return entry.verdict not in ("skipped", entry.expected)


def place(counterexample: Counterexample | Place) -> str:
    """``k=2, p=4, instance 3: measured 0.12, claimed 0.13``."""
    at = point_words(counterexample)
    where = f"{at}: " if at else ""
    lhs, rhs = counterexample.lhs, counterexample.rhs
    return where + (f"measured {lhs}, claimed {rhs}" if rhs != "" else lhs)


def point_words(counterexample: Counterexample | Place) -> str:
    """Where a counterexample lies: ``k=2, p=4, instance 3``."""
    parts = [f"{k}={v}" for k, v in counterexample.point.items()]
    if isinstance(counterexample, Counterexample) and counterexample.instance is not None:
        of = f" of {counterexample.among!r}" if counterexample.among else ""
        parts.append(f"instance {counterexample.instance}{of}")
    return ", ".join(parts)
