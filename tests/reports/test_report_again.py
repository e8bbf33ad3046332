"""Judging again and replaying: the same from the same, and what differs is found."""

from __future__ import annotations

import json
import shutil

import pytest
from msgspec.structs import replace
from small_entries import edited

from theorycheck.library.selecting import select
from theorycheck.record.runs import ReportError, read_report
from theorycheck.runs.again import judge_again, replay


@pytest.fixture
def items(done):
    return select([str(done.folder.parent.parent / "library")])


@pytest.fixture
def copied(done, tmp_path):
    """A copy of the run whose files may be changed."""
    return shutil.copytree(done.folder, tmp_path / done.folder.name)


def test_judging_again_gives_the_same_report(done, items):
    report = read_report(done.folder)
    judged = judge_again(report, done.folder, items)
    assert judged.notes == []
    assert judged.report.claims == report.claims


def test_another_level_changes_sampled_verdicts_only(done, items):
    report = read_report(done.folder)
    judged = {e.id: e for e in judge_again(report, done.folder, items, 0.3).report.claims}
    for entry in report.claims:
        again = judged[entry.id]
        if entry.id == "toy-mean":
            assert again.resolution.value < entry.resolution.value
        else:
            assert again.resolution == entry.resolution
            assert again.verdict == entry.verdict


def test_a_changed_observation_changes_the_verdict(copied, items):
    """The judge looks at what was kept, so a wrong number in it must show."""
    file = copied / "observations" / "toy-sum.json"
    kept = json.loads(file.read_text(encoding="utf-8"))
    kept[2]["values"][0][0] = "7"
    file.write_text(json.dumps(kept), encoding="utf-8")
    judged = {e.id: e for e in judge_again(read_report(copied), copied, items).report.claims}
    assert judged["toy-sum"].verdict == "fail"
    assert judged["toy-sum"].counterexample.lhs == "7"


def test_missing_observations_and_claims_are_said(copied, items):
    (copied / "observations" / "toy-sum.json").unlink()
    left = [i for i in items if i.claim.id != "toy-mean"]
    report = edited(read_report(copied), lambda e: {"source": "draft"})
    judged = judge_again(report, copied, left)
    said = next(n for n in judged.notes if n.startswith("toy-sum: kept as it was"))
    assert "kept no observations of toy-sum" in said
    assert set(judged.left) == {"toy-sum", "toy-mean"}
    assert any("toy-mean: kept as it was; it is not in the library" in n for n in judged.notes)
    assert len(judged.report.claims) == len(report.claims)


@pytest.mark.parametrize("claim", ["toy-sum", "toy-power-sum", "toy-mean", "toy-descent"])
def test_a_replay_gives_the_same_numbers(done, items, claim):
    found = replay(read_report(done.folder), done.folder, claim, items)
    assert found.same
    assert found.compared > 0
    assert found.environment == []


def test_a_replay_finds_a_number_that_differs(copied, items):
    file = copied / "observations" / "toy-mean.json"
    kept = json.loads(file.read_text(encoding="utf-8"))
    kept[1]["state"]["records"][3][1] += 1.0
    file.write_text(json.dumps(kept), encoding="utf-8")
    found = replay(read_report(copied), copied, "toy-mean", items)
    assert not found.same
    assert "leg sampled, q=1/2: state" in found.differences[0]


def test_a_replay_says_what_surrounds_it_now(copied, items):
    report = edited(read_report(copied), lambda e: {"content": "other"})
    report.run.versions["numpy"] = "1.0"
    report.run.machine["cores"] = -1
    said = replay(report, copied, "toy-sum", items).environment
    assert said[0] == "the claim's content has changed"
    assert any("version numpy: 1.0 then" in line for line in said)
    assert any("machine cores: -1 then" in line for line in said)


def test_a_stream_that_went_on_for_longer_is_the_same_as_far_as_both_go(copied, items):
    """Cached evidence may hold more samples than a fresh run stops at."""
    report = read_report(copied)
    report = replace(report, run=replace(report.run, alpha=0.5))
    found = replay(report, copied, "toy-mean", items)
    assert found.same
    assert len(found.notes) == 4
    assert "the same up to" in found.notes[0]


def test_what_cannot_be_replayed_is_one_clear_line(copied, items):
    report = read_report(copied)
    with pytest.raises(ReportError, match="has no claim 'nope'"):
        replay(report, copied, "nope", items)
    (copied / "observations" / "toy-sum.json").unlink()
    with pytest.raises(ReportError, match="kept no observations"):
        replay(report, copied, "toy-sum", items)


@pytest.mark.parametrize("text", ["", "garbage", "[1]", '[{"leg": "x"}]', '[{"point": 3}]'])
def test_damaged_observations_are_said_in_one_line(copied, items, text):
    file = copied / "observations" / "toy-sum.json"
    file.write_text(text)
    report = read_report(copied)
    judged = judge_again(report, copied, items)
    assert judged.left == ["toy-sum"]
    assert any("toy-sum.json: cannot be read" in n for n in judged.notes)
    with pytest.raises(ReportError, match="cannot be read"):
        replay(report, copied, "toy-sum", items)


def test_a_run_without_observations_cannot_be_judged(copied, items):
    shutil.rmtree(copied / "observations")
    with pytest.raises(ReportError, match=r"nothing of run .* can be judged"):
        judge_again(read_report(copied), copied, items)
