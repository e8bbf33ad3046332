"""The parts of the calibration that are random; each can be done by a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import click

from theorycheck.calibration.acceptance import acceptance, applies
from theorycheck.calibration.blind import claims as blind
from theorycheck.calibration.cases import CaseResult, Truth, lies_of, run_lie, run_truth
from theorycheck.calibration.edited import edited_cases
from theorycheck.calibration.families import all_truths, attacking_truths
from theorycheck.calibration.page import Accepted
from theorycheck.calibration.replication import Cell, replicate_all

QUICK_EVERY = 5
"""A quick run takes every fifth truth."""

Say = Callable[[str], None]


@dataclass(frozen=True)
class SeedParts:
    """The parts on one seed. ``started``: when the command was, in seconds of the clock."""

    seed: int
    quick: bool
    started: float

    def say(self, text: str) -> None:
        click.echo(f"{time.time() - self.started:5.0f} s  seed {self.seed}  {text}", err=True)

    @property
    def truths(self) -> list[Truth]:
        return all_truths()[:: QUICK_EVERY if self.quick else 1]

    def cases(self) -> tuple[list[CaseResult], Accepted]:
        return run_cases(self.truths, self.seed, self.say)

    def attacked(self) -> list[CaseResult]:
        truths = attacking_truths()[:: QUICK_EVERY if self.quick else 1]
        return run_cases(truths, self.seed, self.say)[0]

    def blind(self) -> list[CaseResult]:
        """The cases by a writer who had not seen the code."""
        results = []
        for case in blind.cases()[:: QUICK_EVERY if self.quick else 1]:
            results.append(blind.run_case(case, self.seed)[0])
            self.say(f"blind case {case.name}: {results[-1].outcome}")
        return results

    def edited(self) -> list[CaseResult]:
        """Evidence that is edited in the store."""
        found = list(edited_cases(self.seed))
        self.say("edited evidence")
        return found

    def cells(self) -> list[Cell]:
        return replicate_all(self.quick, self.seed, self.say)

    def sharp(self) -> list[CaseResult]:
        found = sharp_cases(self.truths, self.seed)
        self.say("sampled equalities at profile standard")
        return found


def run_cases(
    truths: Sequence[Truth], seed: int, say: Say = lambda text: None
) -> tuple[list[CaseResult], Accepted]:
    """Every truth, every lie about it, and what its stated resolution is worth on its own evidence."""
    results: list[CaseResult] = []
    claims = held = one_sided = 0
    for index, truth in enumerate(truths, 1):
        result, outcome = run_truth(truth, seed)
        results.append(result)
        claim = truth.claim()
        if applies(claim, outcome.judgement):
            found = acceptance(
                claim, outcome.observations, outcome.judgement, profile=truth.profile
            )
            claims += 1
            held += found.holds
            one_sided += found.one_sided
        results += [run_lie(truth, lie, seed)[0] for lie in lies_of(truth, outcome.judgement)]
        if index == len(truths) or truths[index].family != truth.family:
            say(f"{index}/{len(truths)} truths and the lies about them: {truth.family}")
    return results, Accepted(claims, held, one_sided)


def sharp_cases(truths: Sequence[Truth], seed: int) -> list[CaseResult]:
    """The sampled equalities among the truths at profile standard, whose target is 1e-2."""
    sampled = [t for t in truths if t.family.startswith("sampled: ") and t.relation == "equals"]
    return [run_truth(replace(t, profile="standard"), seed)[0] for t in sampled]


__all__ = ["SeedParts", "run_cases", "sharp_cases"]
