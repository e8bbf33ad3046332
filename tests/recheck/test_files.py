"""Reports as the second program reads them, and its command."""

import json

import pytest

from theorycheck.cli import call
from theorycheck.recheck.files import BadReport, KeptProof, kept_proofs
from theorycheck.recheck.judge import recheck


def proof(statement, scope, holds=True, **more):
    return {
        "holds": holds,
        "method": "some method",
        "witness": {"statement": statement, "scope": scope, "covered": "", "how": ""},
        "counterexample": None,
        "rung": "proved",
        **more,
    }


def report_of(tmp_path, *proofs):
    claims = [{"id": f"claim-{i}", "legs": [{"proof": [p]}]} for i, p in enumerate(proofs)]
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"claims": [*claims, {"id": "none", "legs": [{"proof": None}]}]}))
    return path


def test_a_statement_is_kept_once_with_all_its_claims(tmp_path):
    square = proof("x**2 >= 0", "x in (-oo, oo)")
    found = kept_proofs(report_of(tmp_path, square, square, proof("x <= 1", "x in [0, 1]")))
    assert [k.claims for k in found] == [["claim-0", "claim-1"], ["claim-2"]]


@pytest.mark.parametrize("text", ["no json", "[]", '{"claims": 3}', '{"claims": [3]}', ""])
def test_what_is_no_report_is_refused(tmp_path, text):
    path = tmp_path / "report.json"
    path.write_text(text)
    with pytest.raises(BadReport, match=r"report\.json: "):
        kept_proofs(path)


def test_the_command_counts_and_ends_well(tmp_path, capsys):
    path = report_of(
        tmp_path, proof("x**2 >= 0", "x in (-oo, oo)"), proof("Q(x) < 1", "x in [0, 1]")
    )
    assert call(["recheck", str(path), "--all"]) == 0
    out = capsys.readouterr().out
    assert "rechecked: x**2 >= 0" in out and "2 statements:" in out and "    0  disagree" in out


def test_the_command_ends_with_1_where_one_disagrees(tmp_path, capsys):
    path = report_of(tmp_path, proof("x**2 > 0", "x in (-oo, oo)"))
    assert call(["recheck", str(path)]) == 1
    assert "at x = 0: false" in capsys.readouterr().out
    assert call(["recheck", str(path), "--json"]) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert row["answer"] == "disagrees" and row["false"] == {"x": "0"}


def test_bad_input_is_one_line(tmp_path, capsys):
    path = tmp_path / "x.json"
    path.write_text("{")
    assert call(["recheck", str(path)]) == 4
    assert capsys.readouterr().err.count("\n") == 1
    assert call(["recheck", str(tmp_path / "nowhere")]) == 4
    assert capsys.readouterr().err.count("\n") == 1
    assert call(["recheck", str(report_of(tmp_path))]) == 5


def test_two_workers_answer_as_one_does(tmp_path, capsys):
    report = report_of(
        tmp_path,
        proof("x**2 >= 0", "x in (-oo, oo)"),
        proof("x**2 > 0", "x in (-oo, oo)"),
        proof("sinh(x) <= x*exp(x**2/6)", "x in [0, oo)"),
        proof("f(x) > 0", "x in [0, 1]"),
        proof("Integral(exp(-t**2), (t, 0, x)) <= x", "x in [0, oo)"),
    )
    said = []
    for n in ("1", "2"):
        assert call(["recheck", str(report), "--json", "--seconds", "0.2", "-n", n]) == 1
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and len(json.loads(said[0])) == 5
    assert call(["recheck", str(report), "-n", "0"]) == 4


def test_what_was_answered_before_an_interruption_is_told(tmp_path, capsys, monkeypatch):
    def interrupted(kept, **_):
        yield recheck(kept[0])
        raise KeyboardInterrupt

    monkeypatch.setattr("theorycheck.recheck.many.recheck_all", interrupted)
    report = report_of(
        tmp_path, proof("x**2 >= 0", "x in (-oo, oo)"), proof("x <= 1", "x in [0, 1]")
    )
    assert call(["recheck", str(report), "--all"]) == 2
    told = capsys.readouterr()
    assert "interrupted after 1 of 2" in told.err and "1 statements:" in told.out


def test_the_effort_of_a_statement_is_counted_and_not_timed():
    """The same steps at each call: a busy machine changes no answer."""
    kept = KeptProof("Integral(exp(-t**2), (t, 0, x)) <= x", "x in [0, oo)", (), True, "proved", "")
    first = recheck(kept, seconds=0.1)
    assert first == recheck(kept, seconds=0.1) and first.points < recheck(kept, seconds=0.3).points
