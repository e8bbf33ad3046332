"""Words that every report uses for verdicts, rungs and sharpness."""

from __future__ import annotations

import re
from typing import Protocol

from theorycheck.entries.parts import Counterexample, Place, Resolution, Tightness
from theorycheck.entries.report import Entry
from theorycheck.entries.rungs import VERIFIED

STANDINGS = ("verified", "supported", "refuted", "inconclusive", "error", "skipped")
"""What a verdict amounts to, in the order in which reports count it."""

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
_LONG = re.compile(r"\b([1-9][0-9]??)(0{6,})\b")


class Sharp(Protocol):
    """A claim or a leg by how sharply it was looked at."""

    @property
    def resolution(self) -> Resolution | None: ...

    @property
    def tightness(self) -> Tightness | None: ...


def stands(entry: Entry) -> str:
    """One of STANDINGS. Only proved, exhaustive and certified evidence may be called verified."""
    verdict = entry.verdict
    if verdict == "pass":
        return "verified" if entry.rung in VERIFIED else "supported"
    return "refuted" if verdict == "fail" else verdict


def standing(entry: Entry) -> str:
    """``verified (exhaustive)``, ``supported (sampled)``, ``refuted (certified)``, ..."""
    word, rung = stands(entry), entry.rung
    if entry.verdict == "pass" and entry.within is not None:
        return f"{within_words(entry.within)} ({grounds(entry)})"
    if rung and word in ("verified", "supported", "refuted"):
        return f"{word} ({grounds(entry)})"
    return word


def grounds(entry: Entry) -> str:
    """The rung, which is ``declared`` where code outside of the engine is what it rests on: nothing was
    searched for there."""
    weakest = [leg for leg in entry.legs if leg.required and leg.rung == entry.rung]
    outside = [leg for leg in weakest if leg.arithmetic == "external" and leg.side != "search"]
    declared = entry.rung == "searched" and weakest and len(outside) == len(weakest)
    return "declared" if declared else entry.rung or ""


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
                "How loose the bound is was not seen: any other would have passed too."
            )
    return " ".join(sentences)


def percent(value: float) -> str:
    """``0.8 %``; very small shares in scientific notation."""
    return f"{100 * value:.2g} %" if value >= 1e-4 else f"a relative {value:.1e}"


def share(value: float) -> str:
    """``0.8 %`` of a bound; one that is all but reached is not rounded up to it."""
    return f"{100 * value:.2g} %" if value < 0.99 else f"{100 * value:.6g} %"


def brief(counterexample: Counterexample) -> str:
    """`place` with enclosures rounded and long integers in powers of ten, for lists."""
    text = _BALL.sub(lambda m: f"{float(m[1]):.5g}", place(counterexample))
    return _LONG.sub(lambda m: f"{m[1]}e{len(m[2])}", text)


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
    return entry.verdict not in ("skipped", entry.expected)


def place(counterexample: Counterexample | Place) -> str:
    """``k=2, p=4, instance 3: 0.12 against 0.13``."""
    at = point_words(counterexample)
    where = f"{at}: " if at else ""
    rhs = counterexample.rhs
    return f"{where}{counterexample.lhs}" + (f" against {rhs}" if rhs != "" else "")


def point_words(counterexample: Counterexample | Place) -> str:
    """Where a counterexample lies: ``k=2, p=4, instance 3``."""
    parts = [f"{k}={v}" for k, v in counterexample.point.items()]
    if isinstance(counterexample, Counterexample) and counterexample.instance is not None:
        of = f" of {counterexample.among!r}" if counterexample.among else ""
        parts.append(f"instance {counterexample.instance}{of}")
    return ", ".join(parts)
