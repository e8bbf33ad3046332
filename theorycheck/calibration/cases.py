"""Cases: one claim whose truth is known, from claim to verdict, and what its verdict amounts to.

A *truth* carries its true closed form. A *lie* is the same claim with a closed form (or a program, a
domain) that is wrong by a known amount, in units of the resolution rho that the truth's own pass
stated: 1, 1.5, 3 and 10 rho, or wrong in its structure. Lies run on streams of their own, so that they
are no replay of the truth's evidence. In the words of the decision rules:

- *false fail*: a truth that fails;
- *false pass*: a lie that passes with a stated resolution below its deviation;
- *unresolved lie*: a lie that passes, and whose deviation the pass says that it could not have seen;
- *false number*: what a verdict says beside pass and fail (tightness, slack, the interval of a limit,
  the powers left over) excludes the known value.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from theorycheck.claims.model import Claim
from theorycheck.engine.execute import Outcome, execute
from theorycheck.judge import Judgement
from theorycheck.plan.settings import Settings

MULTIPLES = (Fraction(1), Fraction(3, 2), Fraction(3), Fraction(10))
"""Deviations of lies in units of the stated resolution."""

EXACT_UNIT = Fraction(1, 10**15)
"""Unit of the deviations where the stated resolution is 0: below what a double can tell."""

Build = Callable[[str, Any], Claim]
Bend = Callable[[Any, Fraction], Any]
Audit = Callable[[Judgement, Fraction], str]


def claim_id(*parts: str) -> str:
    """The id of a case's claim, from the words that name it."""
    return "_".join(re.sub(r"[^\w.]+", "-", part).strip("-") for part in parts)


@dataclass(frozen=True)
class Truth:
    """A family's member. ``build(id, form)`` is the claim with a closed form, ``form`` the true one.

    ``bend(form, r)``: the closed form that is wrong by exactly r in the scale of the resolution
    (r may be negative); None where only structural lies make sense. ``structural``: wrong claims by
    what is wrong with them. ``audit(judgement, r)``: "" or which number is false, for the claim bent
    by r. ``unit``: of the deviations where the truth states no resolution. ``sound``: whether its sampling
    is what it says it is; where not, an error is the right answer to truths and lies alike.
    """

    family: str
    relation: str
    rung: str
    name: str
    build: Build
    form: Any
    bend: Bend | None = None
    structural: Mapping[str, Callable[[str], Claim]] = field(default_factory=dict)
    audit: Audit | None = None
    unit: Fraction = EXACT_UNIT
    profile: str = "smoke"
    sound: bool = True

    def claim(self) -> Claim:
        return self.build(claim_id(self.family, self.name), self.form)


@dataclass(frozen=True)
class CaseResult:
    """What came of one case. ``deviation`` is that of a lie (infinite for structural ones); ``rung``
    the family's evidence, ``reached`` the rung of the verdict ("" where there is none)."""

    family: str
    relation: str
    rung: str
    name: str
    label: str
    deviation: float
    verdict: str
    reason: str
    stated: float | None
    outcome: str
    false_number: str
    samples: int
    seconds: float
    reached: str

    @property
    def lie(self) -> bool:
        return self.label != "truth"


def relative(form: Any, r: Fraction) -> Any:
    """The closed form from which the truth deviates by r of its own size: (t - c)/c = r."""
    return form / (1 + r)


def absolute(form: Any, r: Fraction) -> Any:
    """The closed form from which the truth deviates by r of the declared unit 1."""
    return form - r


def stated_resolution(judgement: Judgement) -> float | None:
    """The deviation that a pass leaves open: its resolution, or the violation that a touched bound may
    hide (none at all for a bound that is cleared). None where nothing is stated."""
    if judgement.resolution is not None:
        return judgement.resolution.value
    bounds = [e for e in judgement.legs if e.required and e.tightness is not None]
    if bounds:
        return max(float(e.further.get("violation_at_most", 0.0)) for e in bounds)
    return 0.0 if judgement.proved else None


def outcome(judgement: Judgement, deviation: float, *, sound: bool = True) -> str:
    """Of a truth (deviation 0) or a lie: see the module's docstring."""
    if judgement.verdict == "error" and not sound:
        return "right"
    if judgement.verdict in ("inconclusive", "error"):
        return judgement.verdict
    if deviation == 0.0:
        return "right" if judgement.verdict == "pass" else "false fail"
    if judgement.verdict == "fail":
        return "right"
    stated = stated_resolution(judgement)
    if deviation == LOG_DEVIATION:  # hidden only where the pass itself names logs as not told apart
        hidden = any("unresolved" in entry.further for entry in judgement.legs)
    else:
        hidden = stated is not None and deviation <= stated
    return "unresolved lie" if hidden else "false pass"


LOG_DEVIATION = -1.0
"""Stands for a lie by a factor log n, which has no size in units of an exponent."""


def run_truth(truth: Truth, seed: int) -> tuple[CaseResult, Outcome]:
    """Execute the claim of a truth; what came of it, beside the outcome itself."""
    return _run(truth, truth.claim(), "truth", Fraction(0), 0.0, seed)


def lies_of(
    truth: Truth, judgement: Judgement
) -> Iterator[tuple[str, Claim, Fraction | None, float]]:
    """(label, claim, bent by, deviation) of every lie about a truth, given what its pass stated."""
    stated = stated_resolution(judgement) if judgement.verdict == "pass" else None
    if truth.bend is not None and (stated is None or math.isfinite(stated)):
        rho = Fraction(stated) if stated else truth.unit
        unit = "rho" if stated else f"{float(rho):.0e}"
        for index, multiple in enumerate(MULTIPLES):
            # Both signs, alternating; not beyond -1/2, where c (1 + r) would leave its scale.
            r = rho * multiple * (-1) ** (index + len(truth.name))
            r = r if r > Fraction(-1, 2) else -r
            identity = claim_id(truth.family, truth.name, f"{float(multiple):g}")
            wrong = truth.build(identity, truth.bend(truth.form, r))
            yield f"{float(multiple):g} {unit}", wrong, r, float(abs(r))
    for label, make in truth.structural.items():
        size = LOG_DEVIATION if label.startswith("log") else math.inf
        yield f"structure: {label}", make(claim_id(truth.family, truth.name, label)), None, size


def run_lie(
    truth: Truth, lie: tuple[str, Claim, Fraction | None, float], seed: int
) -> tuple[CaseResult, Outcome]:
    """Execute a lie made of a truth; what came of it, beside the outcome itself."""
    label, claim, bent, deviation = lie
    return _run(truth, claim, label, bent, deviation, seed)


def _run(
    truth: Truth, claim: Claim, label: str, bent: Fraction | None, deviation: float, seed: int
) -> tuple[CaseResult, Outcome]:
    started = time.process_time()
    executed = execute(claim, Settings(truth.profile, seed))
    judgement = executed.judgement
    false_number = ""
    if truth.audit is not None and bent is not None:
        false_number = truth.audit(judgement, bent)
    result = CaseResult(
        family=truth.family,
        relation=truth.relation,
        rung=truth.rung,
        name=truth.name,
        label=label,
        deviation=deviation,
        verdict=judgement.verdict,
        reason=judgement.reason,
        stated=stated_resolution(judgement) if judgement.verdict == "pass" else None,
        outcome=outcome(judgement, deviation, sound=truth.sound),
        false_number=false_number,
        samples=judgement.samples,
        seconds=time.process_time() - started,
        reached=judgement.rung or "",
    )
    return result, executed
