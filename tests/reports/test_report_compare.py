"""Comparing runs: what counts as worse, and what does not."""

from __future__ import annotations

import pytest
import small_entries
from small_entries import report

from theorycheck.entries.report import from_json, to_json
from theorycheck.reports.compare import compare, lines


def entry(**changes):
    usual = {
        "rung": "sampled",
        "content": "x",
        "resolution": {"kind": "relative", "value": 0.01},
        "seconds": 1.0,
        "rivals": [{"name": "r", "refuted": True}],
    }
    return small_entries.entry(**usual | changes)


def change(before, after):
    found = compare(report(before), report(after))
    return found[0] if found else None


def with_legs(**tightness):
    legs = [
        {"name": n, "verdict": "pass", "tightness": {"kind": "relative", "value": t}}
        for n, t in tightness.items()
    ]
    return entry(legs=legs)


def test_a_leg_that_is_gone_and_a_bound_that_got_loose_are_worse():
    before = with_legs(tail=0.99, sum=0.5)
    assert change(before, with_legs(tail=0.99)).worse == ["leg 'sum' is gone"]
    assert change(before, with_legs(tail=0.0, sum=0.5)).worse == [
        "leg 'tail': tight to 0.99 -> tight to 0"
    ]
    for after in (before, with_legs(tail=0.99, sum=0.46), with_legs(tail=1.0, sum=0.9, more=0.1)):
        found = change(before, after)
        assert found is None or not found.worse


def test_evidence_that_never_differs_any_more_is_worse():
    note = "v: field Q is the same in all instances of a point"
    assert change(entry(), entry(degenerate=[note])).worse == [f"never differs: {note}"]
    assert change(entry(degenerate=[note]), entry(degenerate=[note])) is None
    assert change(entry(degenerate=[note]), entry()) is None


def test_other_figures_of_the_same_remark_are_no_news():
    was = "v: the bound never binds: the nearest of 3 rows comes to 0.12 of it"
    now = "v: the bound never binds: the nearest of 10 rows comes to 1.3e-05 of it"
    assert change(entry(degenerate=[was]), entry(degenerate=[now])) is None
    first, second = (f"v: x_{i} of f is 0 at all 4 points" for i in (1, 2))
    assert change(entry(degenerate=[first]), entry(degenerate=[second])).worse


def test_a_typed_leg_that_speaks_of_another_range_is_told():
    def over(scope):
        found = {"holds": True, "method": "proved", "witness": {"scope": scope}}
        return entry(legs=[{"name": "tail", "verdict": "pass", "proof": [found]}])

    found = change(over("n in 1..oo"), over("n in 2..oo"))
    assert (found.worse, found.other) == ([], ["leg 'tail' speaks of n in 2..oo"])
    assert change(over("n in 1..oo"), over("n in 1..oo")) is None


def test_a_run_does_not_differ_from_itself(done):
    assert compare(done.report, from_json(to_json(done.report))) == []


@pytest.mark.parametrize(
    "after",
    [
        {"verdict": "fail", "counterexample": {"point": {}, "lhs": "1", "rhs": "2"}},
        {"verdict": "error"},
        {"verdict": "inconclusive"},
        {"verdict": "skipped"},
        {"rung": "searched"},
        {"resolution": {"kind": "relative", "value": 0.02}},
        {"resolution": None},
        {"rivals": [{"name": "r", "refuted": False}]},
    ],
)
def test_worse(after):
    assert change(entry(), entry(**after)).worse


@pytest.mark.parametrize(
    "after",
    [
        {"rung": "certified"},
        {"resolution": {"kind": "relative", "value": 0.001}},
        {"resolution": {"kind": "relative", "value": 0.011}},
        {"content": "y"},
        {"seconds": 100.0},
    ],
)
def test_not_worse(after):
    found = change(entry(), entry(**after))
    assert found is None or not found.worse


def test_one_look_of_the_schedule_is_no_change_of_resolution():
    after = entry(resolution={"kind": "relative", "value": 0.01 * 1.25**0.5})
    assert change(entry(), after) is None


def test_a_fail_that_was_expected_and_passes_now_is_worse_and_the_other_way_better():
    failing = entry(
        verdict="fail", expected="fail", counterexample={"point": {}, "lhs": "1", "rhs": "2"}
    )
    passing = entry(expected="fail")
    assert change(failing, passing).worse
    assert not change(passing, failing).worse


def test_an_error_that_stays_is_not_worse():
    assert change(entry(verdict="error"), entry(verdict="error")) is None


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [(1.0, 1.9, False), (1.0, 2.5, True), (0.1, 0.9, False), (30.0, 10.0, True)],
)
def test_timings_are_said_when_they_double_by_a_second(before, after, said):
    found = change(entry(seconds=before), entry(seconds=after))
    assert (found is not None) is said
    if found:
        assert found.timing
        assert not found.worse


def test_claims_of_one_run_only_are_not_worse():
    found = compare(report(entry(id="a")), report(entry(id="b")))
    assert [c.worse for c in found] == [[], []]
    assert "not in the second run" in found[0].text()
    assert "new" in found[1].text()


def test_many_claims_of_one_run_only_are_counted_not_listed():
    many = [entry(id=f"c{i}") for i in range(30)]
    text = lines(report(*many), report(entry(id="c0"), id="two"))
    assert len(text) == 3
    assert "29 claims are only in the first run" in text[1]


def test_worse_comes_first():
    old = report(entry(id="a"), entry(id="b"))
    new = report(entry(id="a", rung="certified"), entry(id="b", verdict="error"))
    assert [c.id for c in compare(old, new)] == ["b", "a"]
