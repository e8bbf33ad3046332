"""Statements at random, at the edges of everything: refused with a line, or given a verdict."""

from __future__ import annotations

import pytest
from generated_statements import arbitrary

from theorycheck.check.run import check_text
from theorycheck.check.text import InputError


@pytest.mark.parametrize("start", range(0, 200, 25))
def test_nothing_breaks(start: int) -> None:
    """`benchmarks/check_fuzz.py` goes through thousands, with more time for each."""
    judged = 0
    for seed in range(start, start + 25):
        made = arbitrary(seed)
        try:
            verdict = check_text(
                made.statement, made.domains, made.where, budget=0.3, explained=False
            )
        except InputError as error:
            assert "\n" not in str(error), made
            continue
        assert "broke off" not in verdict.reason, (made, verdict.reason)
        judged += 1
    assert judged >= 8
