"""Claims inside ordinary tests: judge one, whole or at one point, and fail with its counterexample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from theorycheck.claims.model import Claim
from theorycheck.engine.execute import execute
from theorycheck.numbers.domain import Exact
from theorycheck.plan.settings import Settings
from theorycheck.reports.words import place

if TYPE_CHECKING:
    from theorycheck.judge import Judgement


class ClaimFailed(AssertionError):
    """A claim's verdict is not the expected one. The message is for the person, not for the engine."""


def judged(
    claim: Claim, *, profile: str = "smoke", seed: int = 0, alpha: float = 1e-6
) -> Judgement:
    """The verdict of a claim, here and now, without store or report."""
    return execute(claim, Settings(profile, seed, alpha), figures=False).judgement


def assert_claim(
    claim: Claim,
    *,
    verdict: str | None = None,
    profile: str = "smoke",
    seed: int = 0,
    again: str = "",
) -> Judgement:
    """Judge a claim and raise `ClaimFailed` unless it has the verdict (by default the expected one).

    ``again``: what ``theorycheck run`` is to be given to see it again; the claim's id by default.
    """
    found = judged(claim, profile=profile, seed=seed)
    wanted = claim.expect if verdict is None else verdict
    if found.verdict != wanted:
        raise ClaimFailed(explanation(claim, found, wanted, profile, seed, again))
    return found


def assert_at(claim: Claim, point: Mapping[str, Exact], *, seed: int = 0) -> None:
    """Judge a claim at one point, such as Hypothesis draws from `theorycheck.strategies.points`.

    A point at which it fails is kept: the engine tries it first on its next run. One point
    settles no more than that, so that an inconclusive verdict is no failure here. Raises `ClaimFailed`.
    """
    from theorycheck.strategies import keep_counterexample

    found = judged(replace(claim, grid={"smoke": (dict(point),)}), seed=seed)
    if found.verdict == "fail":
        keep_counterexample(claim, point)
    if found.verdict in ("fail", "error"):
        raise ClaimFailed(explanation(claim, found, "pass", "smoke", seed))


def explanation(
    claim: Claim, found: Judgement, wanted: str, profile: str, seed: int, again: str = ""
) -> str:
    """What was expected, what was found, the counterexample, and how to see it again."""
    lines = [f"claim {claim.id}: {found.verdict}, expected {wanted}. {found.reason}"]
    shown = found.counterexample
    if shown is not None:
        lines.append(f"  counterexample: {place(shown)}")
        if shown.worst and shown.worst.point != shown.point:
            lines.append(f"  worst seen:     {place(shown.worst)}")
    lines += [f"  rival survives: {r.name} ({r.by})" for r in found.rivals if not r.refuted]
    lines += [f"  mutant survives: {s.name} ({s.why})" for s in found.mutants.survivors[:5]]
    if found.would_decide:
        lines.append(f"  would decide:   {found.would_decide}")
    again = again or claim.id
    lines.append(f"  again:          theorycheck run {again} --profile {profile} --seed {seed}")
    return "\n".join(lines)
