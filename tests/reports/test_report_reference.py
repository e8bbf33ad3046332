"""Keeping a reference run and holding the library against it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from small_entries import edited

from theorycheck.record.runs import ReportError, read_report
from theorycheck.reports.reference import disagreements, keep


def test_a_reference_is_the_report_without_observations(done, tmp_path):
    keep(done.folder, tmp_path / "reference")
    names = sorted(p.name for p in (tmp_path / "reference").iterdir())
    assert names == ["report.html", "report.json", "report.md"]
    assert read_report(tmp_path / "reference") == read_report(done.folder)


def test_nothing_is_kept_of_no_run(tmp_path):
    with pytest.raises(ReportError):
        keep(tmp_path, tmp_path / "reference")
    assert not (tmp_path / "reference").exists()


def test_a_run_agrees_with_itself(done):
    assert disagreements(done.report, done.report) == []


@pytest.mark.parametrize("verdict", ["fail", "inconclusive", "error"])
def test_another_verdict_disagrees(done, verdict):
    other = edited(done.report, lambda e: {"verdict": verdict} if e.id == "toy-sum" else {})
    (line,) = disagreements(done.report, other)
    assert line.startswith("toy-sum: checked at")


def test_new_and_gone_claims_disagree_and_skipped_ones_do_not(done):
    *kept, last = done.report.claims
    fewer, gone = replace(done.report, claims=tuple(kept)), last.id
    assert disagreements(done.report, fewer) == [f"{gone}: not in the library any more"]
    assert disagreements(fewer, done.report) == [f"{gone}: not in the reference run"]
    skipped = edited(done.report, lambda e: {"verdict": "skipped"})
    assert disagreements(done.report, skipped) == []
