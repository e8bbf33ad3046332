"""Recorded data as a simulation, and `explore` on it."""

import json

import numpy as np
import pytest
import sympy as sp

from theorycheck import ClaimError, claim, integers, leg, recorded
from theorycheck.cli import call
from theorycheck.execute import Settings, execute
from theorycheck.tables import read_table

n = sp.symbols("n", integer=True, positive=True)


def write(folder, text, name="runs.csv"):
    path = folder / name
    path.write_text(text)
    return path


def judged(path, form):
    c = claim("r", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 3, 4]}}, closed_form=form,
              legs=[leg("recorded", recorded(path, "n"), arithmetic="external",
                        model="recorded elsewhere", error=0)])  # fmt: skip
    return execute(c, Settings("smoke")).judgement


def test_recorded_values_get_verdicts(tmp_path):
    path = write(tmp_path, "n,value\n1,0.1\n2,0.4\n3,0.9\n4,1.6\n")
    assert judged(path, n**2 / 10).verdict == "pass"  # 0.1 is 1/10 and not a double near it
    assert judged(path, n**2 / 10 + sp.Rational(1, 10**9)).verdict == "fail"
    assert judged(path, n**2 / 10).legs[0]["model"].startswith("recorded elsewhere")


def test_a_point_that_was_not_recorded_is_an_error(tmp_path):
    j = judged(write(tmp_path, "n,value\n1,1\n"), n)
    assert j.verdict == "error"
    assert "nothing recorded at n=2" in j.reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no rows"),
        ("n,value\n", "no rows"),
        ("n,value\n1,nan\n", "line 2: 'nan' is no number"),
        ("n,value\n1\n", "another number of columns"),
        ("n,value\n1,2,3\n", "another number of columns"),
        ("m,value\n1,2\n", "no column n"),
    ],
)
def test_bad_tables_are_refused_in_one_line(tmp_path, text, words):
    with pytest.raises(ClaimError, match=words):
        recorded(write(tmp_path, text), "n")


def test_npz(tmp_path):
    np.savez(tmp_path / "a.npz", n=np.arange(1, 4), value=np.array([0.5, 1.0, 1.5]))
    assert [r["value"] * 2 for r in read_table(tmp_path / "a.npz")] == [1, 2, 3]
    np.savez(tmp_path / "b.npz", n=np.arange(1, 4), value=np.array([0.5, np.nan, 1.5]))
    with pytest.raises(ClaimError, match="NaN"):
        read_table(tmp_path / "b.npz")


def test_explore_finds_the_sum_of_squares(tmp_path, capsys):
    rows = "".join(f"{k},{k * (k + 1) * (2 * k + 1) // 6}\n" for k in range(1, 12))
    path = write(tmp_path, "n,value\n" + rows)
    assert call(["explore", str(path), "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    best = sp.sympify(answer["candidates"][0]["expression"], {"n": n})
    assert sp.expand(best - n * (n + 1) * (2 * n + 1) / 6) == 0
    assert call(["explore", str(path)]) == 0
    assert "candidate" in capsys.readouterr().out
