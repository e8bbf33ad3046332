"""The families that mislead: clean on the engine as it is, and they see the two faults they were made for."""

from dataclasses import replace

import pytest

from theorycheck.calibration.families import misleading
from theorycheck.calibration.parts import run_cases
from theorycheck.relations import convergence, equality, scaling
from theorycheck.relations import sweep as sweeps

TRUTHS = list(misleading.truths())


def of(family, count=None):
    return [t for t in TRUTHS if t.family == family][:count]


def false(truths, seed=5):
    results, _ = run_cases(truths, seed)
    return [r for r in results if r.outcome.startswith("false") or r.false_number]


@pytest.mark.parametrize("family", sorted({t.family for t in TRUTHS}))
def test_no_verdict_is_false(family):
    assert false(of(family)) == []


def test_true_laws_pass_beside_their_lies():
    for family in ("misleading sweeps", "small sizes", "slow factors", "bends at one point"):
        results, _ = run_cases(of(family, 4), 5)
        assert all(r.outcome == "right" for r in results if not r.lie), family


def test_a_resolution_that_speaks_of_all_points_alike_is_seen(monkeypatch):
    """What was stated before: the uniform factor, where one point may be off by far more."""
    decide = equality.Equals.decide

    def overstated(self, rows, targets):
        found = decide(self, rows, targets)
        factor = found.uniform_factor
        return found if factor is None else replace(found, resolution=factor)

    monkeypatch.setattr(equality.Equals, "decide", overstated)
    assert false(of("bends at one point"))


def test_a_look_at_the_ends_alone_is_seen(monkeypatch):
    """Without the look at every stretch, and with the last half judged by its two ends."""
    monkeypatch.setattr(scaling, "unsteady", lambda track, start=0: None)
    monkeypatch.setattr(convergence, "unsteady", lambda track, start=0: None)
    monkeypatch.setattr(
        sweeps.Track,
        "moved",
        lambda self, begin: abs(float(self.high[-1] - self.low[begin])),
    )
    assert len(false(of("misleading sweeps"))) >= 5
