"""What a run prints: plain lines for pipes, one summary, colours after the verdict, the report last."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import small_entries
from rich.console import Console
from small_entries import report

from theorycheck.cli import live


def entry(id="a", **changes):
    usual = {
        "rung": "sampled",
        "resolution": {"kind": "relative", "value": 0.01},
        "reproduce": f"theorycheck run {id}",
    }
    return small_entries.entry(id, **usual | changes)


FAILING = {
    "verdict": "fail",
    "rung": "certified",
    "reason": "apart",
    "resolution": None,
    "counterexample": {"point": {"n": 1}, "lhs": "1", "rhs": "2"},
}


FOLDER = Path("reports/x")
README = Path(__file__).resolve().parents[2] / "README.md"


def played(view, *entries):
    view.start(len(entries))
    for e in entries:
        view.begin(e.id)
        view.verdict(e)
    view.end(report(*entries))


def test_a_pipe_gets_one_line_a_verdict_and_the_report_last(capsys):
    played(
        live._Lines(FOLDER), entry("a"), entry("b", **FAILING), entry("c", verdict="inconclusive")
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["[1/3]", "supported", "by", "sampling", "a", "0.01", "relative"]
    assert lines[-1] == "report: reports/x/report.html"
    assert lines[-2].startswith("3 claims, 1 as expected: 1 supported, 1 refuted, 1 inconclusive")
    assert "\x1b" not in "".join(lines)


def test_the_last_line_names_the_report_as_the_readme_does(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    FOLDER.mkdir(parents=True)
    (FOLDER.parent / "latest").symlink_to(FOLDER.name)
    played(live._Lines(FOLDER), entry("a"))
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "report: reports/latest/report.html (kept in reports/x)"
    assert "`reports/latest/report.html`" in README.read_text(encoding="utf-8")


def test_nothing_is_printed_twice(capsys):
    played(live._Lines(FOLDER), entry("b", **FAILING))
    text = capsys.readouterr().out
    for said in ("n=1: measured 1, claimed 2", "apart", "theorycheck run b"):
        assert text.count(said) == 1


def test_an_expected_fail_is_told_once_and_not_explained_at_the_end(capsys):
    played(live._Lines(FOLDER), entry("b", expected="fail", **FAILING))
    lines = capsys.readouterr().out.splitlines()
    assert "n=1: measured 1, claimed 2" in lines[0]
    assert len(lines) == 3


def screen(color, *entries):
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100, no_color=not color)
    played(live._Live(console, FOLDER), *entries)
    return out.getvalue()


def test_a_terminal_ends_with_the_summary_and_the_report():
    text = screen(False, entry("a"), entry("b", **FAILING))
    assert text.rstrip().endswith("report: reports/x/report.html")
    assert text.count("expected pass") == 1


def test_a_terminal_shows_counts_and_the_claim_at_work():
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=100)
    view = live._Live(console, FOLDER)
    view.start(2)
    view.begin("the-one-at-work")
    console.print(view.picture())
    assert "at work: the-one-at-work" in out.getvalue()
    view.verdict(entry("the-one-at-work"))
    console.print(view.picture())
    assert "1 supported" in out.getvalue()
    assert "the-one-at-work" not in out.getvalue().rsplit("supported", 1)[1]
    view.live.stop()


def test_no_color_is_respected(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    out = io.StringIO()
    played(
        live._Live(Console(file=out, force_terminal=True, width=100), FOLDER), entry("b", **FAILING)
    )
    assert "\x1b[31m" not in out.getvalue()
    monkeypatch.delenv("NO_COLOR")
    assert "\x1b[31m" in screen(True, entry("b", **FAILING))


@pytest.mark.parametrize("height", [10, 24, 50])
def test_the_summary_fits_a_screen(height):
    many = [entry(f"c{i}", **FAILING) for i in range(60)]
    lines = live.ending(report(*many), FOLDER, height)
    assert len(lines) <= max(height, live.FEWEST * live.LINES_OF_ONE + 4)
    assert any("more that are not as expected" in text for text, _ in lines)


def test_wrong_verdicts_come_before_undecided_ones():
    undecided = entry("a", verdict="inconclusive", reason="budget", would_decide="more samples")
    lines = [text for text, _ in live.ending(report(undecided, entry("b", **FAILING)), FOLDER)]
    assert lines.index("b: refuted, expected pass") < next(
        i for i, text in enumerate(lines) if text.startswith("a: inconclusive")
    )


def test_quiet_prints_nothing(capsys):
    played(live.watcher(FOLDER, quiet=True), entry("b", **FAILING))
    assert capsys.readouterr().out == ""
