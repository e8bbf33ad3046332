"""Bundles: whole, the same bytes again, and without a trace of who made them when asked."""

from __future__ import annotations

import json
import zipfile

import pytest
from small_entries import edited

from theorycheck.library.selecting import select
from theorycheck.record.runs import ReportError, read_report
from theorycheck.reports import bundle as b
from theorycheck.runs.again import judge_again


@pytest.fixture(scope="module")
def items(done):
    return select([str(done.folder.parent.parent / "library")])


def unpacked(path):
    with zipfile.ZipFile(path) as archive:
        return {n.split("/", 1)[1]: archive.read(n).decode() for n in archive.namelist()}


@pytest.fixture(scope="module")
def anonymous(done, items, tmp_path_factory):
    out = tmp_path_factory.mktemp("bundle") / "supplement.zip"
    return b.bundle(read_report(done.folder), done.folder, out, items, anonymous=True)


def test_holds_report_observations_claims_versions_and_citations(anonymous, done):
    files = unpacked(anonymous)
    for name in ("report.json", "report.html", "report.md", "report.csv", "README.md",
                 "citations.bib", "claims/toy/sums.py", "claims/toy/statements.toml",
                 "observations/toy-mean.json"):  # fmt: skip
        assert files[name].strip(), name
    assert "@article{source-1," in files["citations.bib"]
    assert "@misc{theorycheck-run," in files["citations.bib"]
    assert "numpy" in files["README.md"]


def test_anonymous_tells_neither_date_nor_machine_nor_run(anonymous, done):
    files = unpacked(anonymous)
    run = json.loads(files["report.json"])["run"]
    assert run["machine"] == {}
    assert run["started"] == ""
    everything = "\n".join(files.values())
    assert done.report.run.id not in everything
    assert done.report.run.started not in everything
    assert str(done.folder.parent.parent) not in everything


@pytest.mark.parametrize("trace", ["jane-doe", "/home/jane/paper"])
def test_a_trace_stops_an_anonymous_bundle(done, items, tmp_path, monkeypatch, trace):
    monkeypatch.setattr(b, "_telling", lambda: [trace])
    report = edited(
        read_report(done.folder), lambda e: {"reason": f"could not open {trace}: denied"}
    )
    with pytest.raises(ReportError, match="tells who made it"):
        b.bundle(report, done.folder, tmp_path / "x.zip", items, anonymous=True)
    assert list(tmp_path.iterdir()) == []
    b.bundle(report, done.folder, tmp_path / "x.zip", items, anonymous=False)


def test_paths_of_modules_become_names(done):
    assert b._scrubbed("in /home/jane/lib/toy/sums.py:12") == "in sums.py:12"


def test_the_same_run_gives_the_same_bytes(anonymous, done, items, tmp_path):
    again = b.bundle(read_report(done.folder), done.folder, tmp_path / "y.zip", items, True)
    assert again.read_bytes() == anonymous.read_bytes()


def test_a_bundle_can_be_judged_again(anonymous, tmp_path):
    with zipfile.ZipFile(anonymous) as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    report = read_report(folder)
    judged = judge_again(report, folder, select([str(folder / "claims")]))
    assert judged.notes == []
    assert [e.verdict for e in judged.report.claims] == [e.verdict for e in report.claims]


def test_anonymous_leaves_out_the_authors_of_the_sources(anonymous, done, items, tmp_path):
    """A source may be the paper under review."""
    everything = "\n".join(unpacked(anonymous).values())
    named = b.bundle(read_report(done.folder), done.folder, tmp_path / "named.zip", items)
    told = "\n".join(unpacked(named).values())
    for name in ("A. Author", "B. Author", "author2024toy"):
        assert name in told
        assert name not in everything
    assert 'authors = ["Anonymous"]' in unpacked(anonymous)["claims/toy/statements.toml"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("By Ann Li, Bo O'Hara.", "By Anonymous."),
        ("author = {Li, Ann and O'Hara, Bo}", "author = {Anonymous}"),
        ("<p>Bo O&#x27;Hara</p>", "<p>Anonymous</p>"),
        ("Ann Lindgren", "Ann Lindgren"),
    ],
)
def test_names_are_replaced_whole(text, left):
    people = ("Ann Li", "Bo O'Hara", "Li, Ann", "O'Hara, Bo")
    assert b._nameless(text, dict.fromkeys(people, b.NOBODY)) == left
