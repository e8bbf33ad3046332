"""Commands about runs that are over: what they print, their exit codes, one clear line for bad input."""

from __future__ import annotations

import json
import re
import shutil
import webbrowser

import pytest

from theorycheck.cli import COMMANDS, call


@pytest.fixture
def here(done, tmp_path, monkeypatch):
    """A working folder with the run under reports/ and its library beside."""
    shutil.copytree(done.folder, tmp_path / "reports" / done.folder.name)
    shutil.copytree(done.folder.parent.parent / "library", tmp_path / "library")
    monkeypatch.chdir(tmp_path)
    return tmp_path


RUN = "20240101-000000-smoke-0001"


def run(capsys, *arguments):
    code = call(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["report", "nope"],
        ["report", "--format", "pdf"],
        ["judge", "nope"],
        ["judge", RUN, "--alpha", "2"],
        ["judge", RUN, "--alpha", "0"],
        ["judge", RUN, "--out", f"reports/{RUN}"],
        ["compare", RUN, "nope"],
        ["compare", RUN],
        ["replay", RUN, "nope"],
        ["replay", "nope", "toy-sum"],
        ["replay", RUN],
        ["export", RUN, "nope"],
        ["export", RUN, "toy-sum", "--from", "no/such/place"],
        ["bundle", "nope"],
        ["errata", "--source", "nope"],
        ["coverage", "--source", "nope"],
        ["show", "nope"],
        ["nonsense"],
    ],
)
def test_bad_input_is_one_clear_line_and_exit_code_4(here, capsys, arguments):
    before = sorted(here.rglob("*"))
    code, out, err = run(capsys, *arguments)
    assert code == 4
    assert out == ""
    lines = [line for line in err.splitlines() if line.strip()]
    assert len(lines) == 1, err
    assert lines[0].startswith("theorycheck: ")
    assert sorted(here.rglob("*")) == before


def test_an_unknown_run_says_what_exists(here, capsys):
    _, _, err = run(capsys, "judge", "nope")
    assert RUN in err


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(capsys, name):
    code, out, _ = run(capsys, name, "--help")
    assert code == 0
    assert "Usage:" in out


@pytest.mark.parametrize(
    ("form", "file"),
    [
        ("html", "report.html"),
        ("md", "report.md"),
        ("junit", "junit.xml"),
        ("csv", "report.csv"),
        ("latex", "latex/report.tex"),
    ],
)
def test_report_writes_the_file_that_it_names(here, capsys, form, file):
    code, out, _ = run(capsys, "report", RUN, "--format", form, "--from", "library")
    assert code == 0
    assert out == f"report: reports/{RUN}/{file}\n"
    assert (here / "reports" / RUN / file).is_file()


def opened_by(monkeypatch, outcome):
    """Stands in for the browser: the addresses that it was asked for."""
    asked = []

    def open_page(address):
        asked.append(address)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    monkeypatch.setattr(webbrowser, "open", open_page)
    return asked


def opening(here, kind):
    """The two commands that open a report, and where it then lies."""
    if kind == "report":
        return ["report", RUN, "--from", "library", "--open"], here / "reports" / RUN
    words = ["run", "library", "-k", "toy-sum", "--profile", "smoke", "--no-cache"]
    return [*words, "--out", "new", "--open"], here / "new"


@pytest.mark.parametrize("kind", ["report", "run"])
def test_open_shows_the_page_at_the_end(here, capsys, monkeypatch, kind):
    asked = opened_by(monkeypatch, True)
    arguments, folder = opening(here, kind)
    code, out, err = run(capsys, *arguments)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith("report: ")
    assert asked == [(folder / "report.html").as_uri()]
    assert (folder / "report.html").is_file()


@pytest.mark.parametrize("kind", ["report", "run"])
@pytest.mark.parametrize("outcome", [False, webbrowser.Error("no browser"), OSError("gone")])
def test_where_no_browser_can_be_had_one_line_says_so(here, capsys, monkeypatch, kind, outcome):
    opened_by(monkeypatch, outcome)
    code, _, err = run(capsys, *opening(here, kind)[0])
    where = "new" if kind == "run" else f"reports/{RUN}"
    assert code == 0
    said = "theorycheck: no browser could be opened here; the report is"
    assert err == f"{said} {where}/report.html\n"


def test_a_run_opens_nothing_unless_it_is_asked_to(here, capsys, monkeypatch):
    asked = opened_by(monkeypatch, True)
    assert run(capsys, *opening(here, "run")[0][:-1])[0] == 0
    assert asked == []


def test_a_plan_has_no_report_to_open(here, capsys):
    code, out, err = run(capsys, "run", "library", "--plan", "--open")
    assert (code, out) == (4, "")
    assert err == "theorycheck: --plan writes no report: leave out --open\n"


def test_report_of_the_latest_run(here, capsys):
    code, out, _ = run(capsys, "report", "--format", "csv", "--from", "library")
    assert code == 0
    assert RUN in out


def test_compare_of_a_run_with_itself(here, capsys):
    code, out, _ = run(capsys, "compare", RUN, RUN)
    assert code == 0
    assert "7 claims in both, 0 differ, 0 got worse" in out


def test_compare_ends_with_1_when_something_got_worse(here, capsys):
    other = here / "reports" / "20240102-000000-smoke-0002"
    shutil.copytree(here / "reports" / RUN, other)
    text = (other / "report.json").read_text(encoding="utf-8")
    report = json.loads(text)
    for entry in report["claims"]:
        if entry["id"] == "toy-sum":
            entry["verdict"] = "inconclusive"
    (other / "report.json").write_text(json.dumps(report), encoding="utf-8")
    code, out, _ = run(capsys, "compare", RUN, other.name)
    assert code == 1
    assert re.search(r"worse +toy-sum +checked at \d+ points -> inconclusive", out)
    code, out, _ = run(capsys, "compare", other.name, RUN)
    assert code == 0
    code, out, _ = run(capsys, "compare", RUN, other.name, "--json")
    assert json.loads(out)[0]["worse"]


def test_judge_has_the_exit_code_of_the_verdicts(here, capsys):
    code, out, _ = run(capsys, "judge", RUN, "--from", "library")
    assert code == 1  # toy-broken is in error
    assert "7 claims judged at alpha 1e-06: 6 as expected, 0 differ from the run" in out


def test_judge_writes_only_where_it_is_told(here, capsys):
    before = sorted((here / "reports").rglob("*"))
    run(capsys, "judge", RUN, "--from", "library")
    assert sorted((here / "reports").rglob("*")) == before
    _, out, _ = run(capsys, "judge", RUN, "--from", "library", "--alpha", "0.1", "--out", "new")
    assert (here / "new" / "report.html").is_file()
    assert (here / "new" / "observations" / "toy-mean.json").is_file()
    assert json.loads((here / "new" / "report.json").read_text())["run"]["alpha"] == 0.1
    assert out.splitlines()[-1] == "report: new/report.html"


def test_judge_json_is_the_report_and_nothing_else(here, capsys):
    _, out, _ = run(capsys, "judge", RUN, "--from", "library", "--json")
    assert json.loads(out)["summary"]["claims"] == 7


def test_replay_says_that_the_numbers_are_the_same(here, capsys):
    code, out, _ = run(capsys, "replay", RUN, "toy-sum", "--from", "library")
    assert code == 0
    assert out.startswith("toy-sum: the same numbers again (")


def test_replay_ends_with_1_where_they_are_not(here, capsys):
    file = here / "reports" / RUN / "observations" / "toy-sum.json"
    file.write_text(file.read_text().replace('"6"', '"8"'), encoding="utf-8")
    code, out, _ = run(capsys, "replay", RUN, "toy-sum", "--from", "library")
    assert code == 1
    assert "leg added, n=3: values" in out
    assert "nothing else that is recorded differs" in out


def test_export_writes_a_script_and_a_paragraph(here, capsys):
    code, out, _ = run(capsys, "export", RUN, "toy-power-sum", "--from", "library")
    assert code == 0
    place = here / "reports" / RUN / "export"
    assert (place / "toy-power-sum.py").read_text().count("\n") <= 40
    assert "Counterexample" in (place / "toy-power-sum.tex").read_text()
    assert "agree: False" in out


def test_bundle(here, capsys):
    code, out, _ = run(capsys, "bundle", RUN, "--anonymous", "--from", "library")
    assert code == 0
    assert out == "bundle: supplement.zip\n"
    assert (here / "supplement.zip").is_file()


def test_show_prints_the_statement_with_its_quantifiers(here, capsys):
    code, out, _ = run(capsys, "show", "library/toy/sums.py")
    assert code == 0
    assert "For all\n    n: integer >= 1" in out
    assert "measured = n*(n + 1)/2" in out
    assert "false as stated" in out


def test_errata_and_coverage_of_the_bundled_library(here, capsys):
    code, out, _ = run(capsys, "errata", "--source", "fourier_circuits", "--json")
    assert code == 0
    (section,) = json.loads(out)
    assert section["source"] == "fourier_circuits"
    code, out, _ = run(capsys, "coverage", "--source", "fourier_circuits", "--json")
    assert code == 0
    counts = json.loads(out)
    row = counts["sources"]["fourier_circuits"]
    counted = {k: v for k, v in row.items() if k not in ("statements", "clauses")}
    assert sum(counted.values()) == row["statements"]
    assert row == counts["total"]
    code, out, _ = run(capsys, "coverage", "--source", "fourier_circuits", "--markdown")
    assert code == 0
    table = [line for line in out.splitlines() if line.startswith("|")]
    assert len(table) == 2 + 2 + 2 + row["statements"]
    code, out, _ = run(capsys, "coverage", "--source", "fourier_circuits", "--statements")
    heads = [line for line in out.splitlines() if not line.startswith("      ")]
    assert len(heads) == 1 + row["statements"]
    clauses = [line for line in out.splitlines() if line.startswith(" " * 6 + line.strip()[:1])]
    assert len(clauses) == row["clauses"]["total"]
