"""The property that a stated resolution has to have, on the evidence that was recorded.

A resolution speaks of every point alone, a uniform factor of all of them alike. A passing equality that is
not exact, with its closed form multiplied by 1 + 10 times its uniform factor, is refuted by the same
observations; multiplied by 1 + a tenth of it, it is not. (For a declared unit: that much of the unit is
added instead.) With ten times its resolution it is refuted then too; at single points the families of
bends show it (`theorycheck.calibration.families.misleading`).

A uniform factor is the farthest change that the evidence leaves, of either sign. Where the evidence is closed on
one side (a probability near 1, a mean at the end of its declared range, an exact row among balls) a tenth
of it on that side is refuted, rightly; the other sign must survive then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import LegEntry
from theorycheck.evidence.observation import Observation
from theorycheck.judge import Judgement, judge, subject
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings

BEYOND, BELOW = Fraction(10), Fraction(1, 10)


@dataclass(frozen=True)
class Acceptance:
    """Verdicts on the recorded evidence, for both signs of the change: of each closed form alone by ten
    times the uniform factor, and by a tenth of it of the one that is seen least sharply, which is the
    one that a claim's uniform factor speaks of. ``one_sided``: a tenth is refuted with one sign."""

    beyond: tuple[str, ...]
    below: tuple[str, str]

    @property
    def holds(self) -> bool:
        return set(self.beyond) == {"fail"} and set(self.below) != {"fail"}

    @property
    def one_sided(self) -> bool:
        return "fail" in self.below


def applies(claim: Claim, judgement: Judgement) -> bool:
    """Whether the claim is a passing equality with a uniform factor above 0 and a form to change."""
    return (
        judgement.verdict == "pass"
        and judgement.uniform_factor is not None
        and judgement.uniform_factor.kind in ("relative", "absolute")
        and 0 < judgement.uniform_factor.value < 0.1  # 1 - 10 rho is to stay on its side of 0
        and all(claim.relation_of(lg).name == "equals" for lg in claim.legs)
        and all(lg.reference is None for lg in claim.legs)
    )


def _stated(entry: LegEntry) -> float:
    """The uniform factor that a leg states, else its resolution, which every equality has."""
    uniform = entry.further.get("uniform_factor")
    if uniform is not None:
        return float(uniform["value"])
    return math.inf if entry.resolution is None else entry.resolution.value


def acceptance(
    claim: Claim,
    observations: Sequence[Observation],
    judgement: Judgement,
    *,
    alpha: float = 1e-6,
    profile: str = "smoke",
) -> Acceptance:
    """Judge the changed closed forms on the observations of a claim to which this `applies`."""
    if judgement.uniform_factor is None:
        raise ValueError("acceptance: the claim states no resolution; ask `applies` first")
    rho, settings = Fraction(judgement.uniform_factor.value), Settings(profile, alpha=alpha)
    own = [o for o in observations if o.purpose == "judge" and not o.variant]

    sharpest: dict[str, float] = {}
    for lg, entry in zip(claim.legs, judgement.legs, strict=True):
        what, stated = subject(claim, lg), _stated(entry)
        sharpest[what] = min(stated, sharpest.get(what, stated))
    least = max(sharpest, key=lambda what: sharpest[what])

    def verdict(what: str, r: Fraction) -> str:
        return judge(make_plan(changed(claim, r, what), settings), own).verdict

    beyond = tuple(verdict(what, sign * BEYOND * rho) for what in sharpest for sign in (1, -1))
    below = verdict(least, BELOW * rho), verdict(least, -BELOW * rho)
    return Acceptance(beyond, below)


def changed(claim: Claim, r: Fraction, what: str) -> Claim:
    """The claim with one of its closed forms, named by `theorycheck.judge.subject`, off by r (of itself,
    or of the leg's unit), without rivals and mutants."""

    def moved(form: Any, leg: Leg) -> Any:
        if leg.unit is None:
            return form * (1 + r)
        shift = r * leg.unit
        return form.applyfunc(lambda e: e + shift) if hasattr(form, "applyfunc") else form + shift

    legs = tuple(
        replace(lg, closed_form=moved(claim.form_of(lg), lg)) if subject(claim, lg) == what else lg
        for lg in claim.legs
    )
    return replace(claim, legs=legs, rivals=(), assumes=(), mutate=False)


__all__ = ["Acceptance", "acceptance", "applies", "changed"]
