"""Finding runs: by id, beginning, path, latest; and what is said of those that are not there."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace
from small_entries import entry, report

from theorycheck.entries.report import to_json
from theorycheck.record.files import point_latest, write_json, write_report
from theorycheck.record.runs import ReportError, earlier, find_entry, find_run, read_report, runs


@pytest.fixture
def place(tmp_path):
    for name in ("20240101-000000-smoke-0001", "20240102-000000-smoke-0002", "reference"):
        head = {"id": name}
        if name[0] == "2":
            head["started"] = f"{name[:4]}-{name[4:6]}-{name[6:8]}T00:00:00+00:00"
        write_report(tmp_path / name / "report.json", report(entry("a"), entry("abc"), **head))
    return tmp_path


def test_newest_first_also_where_the_name_has_no_date(place):
    assert [f.name for f in runs(place)] == [
        "20240102-000000-smoke-0002",
        "20240101-000000-smoke-0001",
        "reference",
    ]


@pytest.mark.parametrize("name", ["20240101-000000-smoke-0001", "20240101", "reference", "ref"])
def test_by_id_and_by_its_beginning(place, name):
    assert find_run(name, place).name.startswith(name)


def test_by_path(place, tmp_path):
    folder = place / "reference"
    assert find_run(str(folder), tmp_path / "elsewhere") == folder
    assert find_run(str(folder / "report.json"), tmp_path / "elsewhere") == folder


def test_latest_is_the_link_else_the_newest(place):
    assert find_run(None, place).name == "20240102-000000-smoke-0002"
    point_latest(place, place / "reference")
    assert find_run(None, place).name == "reference"
    assert find_run("latest", place).name == "reference"
    assert "latest" not in [f.name for f in runs(place)]


def test_an_unknown_run_says_what_there_is(place):
    with pytest.raises(ReportError, match=r"no run 'nope'; .*20240102-000000-smoke-0002"):
        find_run("nope", place)


def test_a_beginning_of_several_says_which(place):
    with pytest.raises(ReportError, match=r"fits .*smoke-0002, .*smoke-0001; say which"):
        find_run("2024", place)


def test_no_runs_at_all(tmp_path):
    for name in (None, "x"):
        with pytest.raises(ReportError, match="holds none"):
            find_run(name, tmp_path / "reports")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"schema": 2, "claims": []}', '{"schema": 1}', '"x"', "\xff"]
)
def test_unreadable_reports_are_one_clear_line(tmp_path, text):
    (tmp_path / "report.json").write_text(text, encoding="latin-1")
    with pytest.raises(ReportError) as error:
        read_report(tmp_path)
    assert "\n" not in str(error.value)


def test_a_claim_that_is_not_in_the_run_names_similar_ones(place):
    found = read_report(place / "reference")
    assert find_entry(found, "abc").id == "abc"
    with pytest.raises(ReportError, match="has no claim 'abd'; it holds abc"):
        find_entry(found, "abd")


def test_earlier_is_of_the_same_profile_and_shares_a_claim(place):
    folder = place / "20240102-000000-smoke-0002"
    found = read_report(folder)
    assert earlier(folder, found).run.id == "20240101-000000-smoke-0001"
    other = replace(found, run=replace(found.run, profile="deep"))
    assert earlier(folder, other) is None
    other = replace(found, claims=(entry("elsewhere"),))
    assert earlier(folder, other) is None
    first = place / "reference"
    assert earlier(first, read_report(first)) is None


def test_a_broken_run_beside_does_not_hinder(place):
    (place / "20240101-000000-smoke-0001" / "report.json").write_text("{", encoding="utf-8")
    folder = place / "20240102-000000-smoke-0002"
    assert earlier(folder, read_report(folder)).run.id == "reference"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda r: r.pop("claims"), "field `claims`"),
        (lambda r: r.update(run=[]), r"\$\.run"),
        (lambda r: r["run"].pop("versions"), r"field `versions` - at `\$\.run`"),
        (lambda r: r["run"].update(alpha="small"), r"\$\.run\.alpha"),
        (lambda r: r["claims"].append(3), r"\$\.claims\[2\]"),
        (lambda r: r["claims"][1].update(id=3), r"\$\.claims\[1\]\.id"),
        (lambda r: r["claims"][0].pop("rivals"), r"field `rivals` - at `\$\.claims\[0\]`"),
    ],
)
def test_a_damaged_report_is_said_to_be(place, damage, said):
    folder = place / "reference"
    data = json.loads(json.dumps(to_json(read_report(folder))))
    damage(data)
    write_json(folder / "report.json", data)
    with pytest.raises(ReportError, match=f"is damaged: .*{said}"):
        read_report(folder)
