"""What is remembered of lemmas: a proof always, a failure only for as little depth and time as it had."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy as sp

from theorycheck.check import prove
from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.problem import read_problem
from theorycheck.check.region import Region
from theorycheck.check.text import Comparison

PROBLEM = read_problem("x >= 0", ["x in (0, 1)"])
REGION = Region(PROBLEM.domains.variables)
GOAL = PROBLEM.goal
assert isinstance(GOAL, Comparison)


def prover_of(
    monkeypatch: pytest.MonkeyPatch, works: Callable[[Task], bool]
) -> tuple[prove.Prover, list[Task]]:
    """A prover whose only method proves whatever ``works`` says, and the tasks that it was given."""
    asked: list[Task] = []

    def attempt(task: Task) -> Argument | None:
        asked.append(task)
        return Argument("as told") if works(task) else None

    method = Method("told", 1.0, lambda _: True, attempt)
    monkeypatch.setattr(prove, "METHODS", (method,))
    prover = prove.Prover(PROBLEM)
    prover.judge = Judge(PROBLEM.domains, PROBLEM.goal)
    return prover, asked


def test_a_failure_far_below_says_nothing_of_a_try_further_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prover, asked = prover_of(monkeypatch, lambda t: t.depth <= 1)
    assert prover.lemma(GOAL, REGION, Clock(20), 3) is None
    assert prover.lemma(GOAL, REGION, Clock(20), 4) is None
    assert len(asked) == 1  # deeper still it is known
    assert prover.lemma(GOAL, REGION, Clock(20), 1) is not None
    assert prover.lemma(GOAL, REGION, Clock(20), 4) is not None
    assert len(asked) == 2


def test_a_failure_in_little_time_says_nothing_of_a_try_in_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prover, asked = prover_of(monkeypatch, lambda t: t.clock.left > 10)
    assert prover.lemma(GOAL, REGION, Clock(1), 0) is None
    assert prover.lemma(GOAL, REGION, Clock(1), 0) is None
    assert len(asked) == 1
    assert prover.lemma(GOAL, REGION, Clock(30), 0) is not None


def test_what_is_seen_to_be_false_is_tried_at_no_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    prover, asked = prover_of(monkeypatch, lambda _: True)
    false = Comparison("<", GOAL.lhs, sp.Rational(1, 2))
    assert prover.lemma(false, REGION, Clock(20), 0) is None
    assert not asked


def test_the_index_of_a_sum_means_nothing_outside_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    prover, asked = prover_of(monkeypatch, lambda _: True)
    index = sp.Symbol("k", integer=True, positive=True)
    assert prover.lemma(Comparison(">", index, sp.Integer(0)), REGION, Clock(20), 0) is None
    assert not asked
