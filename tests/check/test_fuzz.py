"""Statements at random, at the edges of everything: refused with a line, or given a verdict."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from generated_statements import Made, arbitrary
from typed_statements import typed

from theorycheck.check.precheck import precheck
from theorycheck.check.problem import read_problem
from theorycheck.check.run import check
from theorycheck.check.text import InputError


@pytest.mark.parametrize("make", [arbitrary, typed])
@pytest.mark.parametrize("start", range(0, 100, 25))
def test_nothing_breaks(make: Callable[[int], Made], start: int) -> None:
    """`benchmarks/check_fuzz.py` goes through thousands, with more time for each."""
    judged = 0
    for seed in range(start, start + 25):
        made = make(seed)
        given = (made.statement, made.domains, made.where, made.laws, made.let, made.steps)
        try:
            precheck(*given)
            problem = read_problem(*given)
        except InputError as error:
            assert "\n" not in str(error), made
            continue
        verdict = check(problem, budget=0.3, explained=False)
        assert "broke off" not in verdict.reason, (made, verdict.reason)
        judged += 1
    assert judged >= 8
