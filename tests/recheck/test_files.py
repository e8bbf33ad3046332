"""Reports as the second program reads them, and its command."""

import json

import pytest

from theorycheck.cli import call
from theorycheck.recheck.files import BadReport, kept_proofs


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
