"""Recorded data as a simulation, and `explore` on it."""

import json
import math

import numpy as np
import pytest
import sympy as sp

from theorycheck import (
    ClaimError,
    at_most,
    bounded,
    claim,
    integers,
    leg,
    mean,
    probability,
    recorded,
    recorded_samples,
)
from theorycheck.claims.tables import read_table
from theorycheck.cli import call
from theorycheck.engine.execute import execute
from theorycheck.plan.budget import GRID_SHARE, SLOTS
from theorycheck.plan.settings import Settings
from theorycheck.stats import probability_interval

n = sp.symbols("n", integer=True, positive=True)


def write(folder, text, name="runs.csv"):
    path = folder / name
    path.write_text(text)
    return path


def judged(path, form):
    c = claim("r", domain={n: integers(1, 4)}, grid={"smoke": {n: [1, 2, 3, 4]}}, closed_form=form,
              legs=[leg("recorded", recorded(path, "n"), arithmetic="external",
                        model="recorded elsewhere", error=0)])  # fmt: skip
    return execute(c, Settings("smoke")).judgement


def test_recorded_values_get_verdicts(tmp_path):
    path = write(tmp_path, "n,value\n1,0.1\n2,0.4\n3,0.9\n4,1.6\n")
    assert judged(path, n**2 / 10).verdict == "pass"  # 0.1 is 1/10 and not a double near it
    assert judged(path, n**2 / 10 + sp.Rational(1, 10**9)).verdict == "fail"
    assert judged(path, n**2 / 10).legs[0].model.startswith("recorded elsewhere")


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


def replicates(folder, rate, count=3000, seed=5):
    """Events of probability 1 - rate^n, numbered."""
    rng = np.random.default_rng(seed)
    rows = [f"{k},{r},{int(rng.random() < 1 - rate**k)}" for k in (1, 2, 3) for r in range(count)]
    return write(folder, "n,replicate,value\n" + "\n".join(rows) + "\n")


def judged_samples(path, form, **more):
    lg = recorded_samples(path, "n", probability(), model="trained elsewhere")
    c = claim("s", domain={n: integers(1, 3)}, grid={"smoke": {n: [1, 2, 3]}}, closed_form=form,
              legs=[lg], **more)  # fmt: skip
    return execute(c, Settings("smoke")).judgement


def test_recorded_replicates_are_a_statistic(tmp_path):
    half, slack = 2400, sp.Rational(1, 10)
    # Three points share the grid's part of a claim's alpha; the interval is widest for fair coins.
    level = 1e-6 / SLOTS * float(GRID_SHARE) / 3
    radius = probability_interval(half // 2, half, level)[1] - 1 / 2
    deviation = 1 / 2 / math.sqrt(half)
    assert radius + 2 * deviation < slack  # which is why there are so many
    path = replicates(tmp_path, 0.5, count=2 * half)
    law = 1 - sp.Rational(1, 2) ** n
    true = judged_samples(path, law)
    assert true.verdict == "inconclusive"  # never failed; so few replicates are not sharp enough
    assert "budget" in true.reason
    assert radius / 2 < true.resolution.value * (1 / 2) < radius + 3 * deviation
    bound = judged_samples(path, law + slack, relation=at_most())
    assert bound.verdict == "pass"
    (entry,) = bound.legs
    assert f"trained elsewhere; {half} recorded replicates a point to judge" in entry.model
    assert entry.samples == 3 * half


def test_a_law_that_the_replicates_refute_is_confirmed_on_others(tmp_path):
    wrong = judged_samples(replicates(tmp_path, 0.5), 1 - sp.Rational(6, 10) ** n)
    assert wrong.verdict == "fail"
    assert wrong.counterexample.confirmed


@pytest.mark.parametrize("order", ["sorted", "reversed", "alternating", "as drawn"])
def test_the_order_of_a_recording_does_not_matter(tmp_path, order):
    """Half of 4,000 events occurred. Read in the order of the file, a sorted one refuted 1/2."""
    events = [i % 2 for i in range(4000)]
    if order == "as drawn":
        events = np.random.default_rng(3).permutation(events).tolist()
    elif order != "alternating":
        events.sort(reverse=order == "reversed")
    rows = "".join(f"1,{r},{v}\n" for r, v in enumerate(events))
    path = write(tmp_path, "n,replicate,value\n" + rows)

    def verdict(form):
        lg = recorded_samples(path, "n", probability(), model="elsewhere")
        c = claim("s", domain={n: integers(1, 1)}, grid={"smoke": {n: [1]}}, closed_form=form,
                  relation=at_most(), legs=[lg])  # fmt: skip
        return execute(c, Settings("smoke")).judgement

    assert verdict(sp.Rational(11, 20)).verdict == "inconclusive"  # so few see to about 0.16
    assert verdict(sp.Rational(7, 10)).verdict == "pass"
    low = verdict(sp.Rational(3, 10))
    assert (low.verdict, low.counterexample.confirmed) == ("fail", True)


def test_rows_written_several_times_are_no_replicates(tmp_path):
    """120 maxima of two uniform numbers, written 100 times under new numbers, refuted their true mean."""
    drawn = np.random.default_rng(8).random((120, 2)).max(axis=1)

    def verdict(values):
        rows = "".join(f"1,{r},{v!r}\n" for r, v in enumerate(values.tolist()))
        path = write(tmp_path, "n,replicate,value\n" + rows)
        lg = recorded_samples(path, "n", mean(bounded(0, 1)), model="elsewhere", target="reached")
        c = claim("s", domain={n: integers(1, 1)}, grid={"smoke": {n: [1]}}, mutate=False,
                  closed_form=sp.Rational(2, 3) + 0 * n, legs=[lg])  # fmt: skip
        return execute(c, Settings("smoke")).judgement

    written = verdict(np.tile(drawn, 100))
    assert written.verdict == "error"
    assert "several times; keep each replicate once" in written.reason
    fresh = np.random.default_rng(8).random((12_000, 2)).max(axis=1)
    assert verdict(fresh).verdict == verdict(np.sort(fresh)).verdict == "pass"
    assert verdict(np.random.default_rng(8).integers(0, 2, 12_000) / 1.5).verdict != "error"


def test_a_recording_is_read_alike_under_every_seed(tmp_path):
    path = replicates(tmp_path, 0.5)
    lg = recorded_samples(path, "n", probability(), model="elsewhere")
    c = claim(
        "s",
        domain={n: integers(1, 1)},
        grid={"smoke": {n: [1]}},
        closed_form=sp.Rational(1, 2),
        legs=[lg],
    )
    first, second = (execute(c, Settings("smoke", seed=seed)).observations for seed in (1, 2))
    assert [o.state for o in first] == [o.state for o in second]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("n,replicate,value\n1,0,1\n1,0,0\n", "replicate 0 recorded twice"),
        ("n,value\n1,0\n", "no column replicate"),
        ("n,replicate,value\n1,0,1\n", "fewer than 128 replicates"),
    ],
)
def test_bad_replicates_are_refused(tmp_path, text, words):
    with pytest.raises(ClaimError, match=words):
        recorded_samples(write(tmp_path, text), "n", probability(), model="elsewhere")


def test_a_point_without_replicates_is_an_error(tmp_path):
    rows = "".join(f"1,{r},{r % 2}\n" for r in range(200))
    j = judged_samples(write(tmp_path, "n,replicate,value\n" + rows), sp.Rational(1, 2))
    assert j.verdict == "error"
    assert "nothing recorded at n=2" in j.reason
