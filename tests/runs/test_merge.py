"""Shards add up to the run, wherever they are executed, and what is no part of one run is refused."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scale_claims import EXACT, FALSE, HEAD, SAMPLED, write

from theorycheck.cli import call
from theorycheck.runs.merge import in_shard

CLOCKS = {"id", "started", "seconds", "machine"}
MANY = HEAD + "".join(
    EXACT.removeprefix(HEAD)
    .replace("odd-numbers", f"odd-numbers-{k}")
    .replace("odd_numbers", f"odd_{k}")
    for k in range(7)
)


def report(folder):
    return json.loads((folder / "report.json").read_text())


def timeless(data):
    if isinstance(data, dict):
        return {k: timeless(v) for k, v in data.items() if k not in CLOCKS}
    return [timeless(v) for v in data] if isinstance(data, list) else data


def run(*words):
    return call(["run", "few.py", "--profile", "smoke", "-n", "2", *words])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """One run of everything, and the same in two shards that share no evidence with it."""
    folder = tmp_path_factory.mktemp("made")
    write(folder, MANY.removeprefix(HEAD), FALSE, SAMPLED)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("THEORYCHECK_STORE", str(folder / "store"))
        assert run("--out", "whole") == 0
        assert run("--shard", "1/2", "--out", "a", "--no-cache") == 0
        assert run("--shard", "2/2", "--out", "b", "--no-cache") == 0
    return folder


@pytest.fixture
def place(made, tmp_path, monkeypatch):
    shutil.copytree(made, tmp_path / "place")
    monkeypatch.chdir(tmp_path / "place")
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "place" / "store"))
    return tmp_path / "place"


class Item:
    """As much of a loaded claim as dealing needs."""

    def __init__(self, name):
        self.id = name


@given(st.sets(st.text(min_size=1), max_size=40), st.integers(1, 9))
def test_shards_are_a_partition_of_nearly_equal_parts(names, parts):
    items = [Item(name) for name in sorted(names)]
    dealt = [in_shard(items, part, parts) for part in range(1, parts + 1)]
    assert sorted(i.id for shard in dealt for i in shard) == sorted(names)
    sizes = [len(shard) for shard in dealt]
    assert max(sizes) - min(sizes) <= 1
    for shard in dealt:  # in the given order
        assert [i for i in items if i in shard] == shard


def test_who_does_what_depends_on_ids_alone():
    items = [Item(f"claim-{k}") for k in range(20)]
    mine = {i.id for i in in_shard(items, 2, 3)}
    assert {i.id for i in in_shard(items[::-1], 2, 3)} == mine


def test_merged_shards_equal_one_run(place):
    assert call(["merge", "a", "b", "--out", "merged"]) == 0
    whole, merged = timeless(report(place / "whole")), timeless(report(place / "merged"))
    whole["run"]["asked"].pop("no_cache"), merged["run"]["asked"].pop("no_cache")
    assert merged == whole
    seen = {
        f.name: timeless(json.loads(f.read_text()))
        for f in (place / "whole" / "observations").iterdir()
    }
    again = {
        f.name: timeless(json.loads(f.read_text()))
        for f in (place / "merged" / "observations").iterdir()
    }
    assert again == seen
    assert {f.name for f in (place / "merged").iterdir()} >= {"report.html", "junit.xml"}


def test_more_shards_than_claims_leave_some_empty_and_still_merge(place):
    parts = 12
    codes = [run("--shard", f"{k}/{parts}", "--out", f"p{k}") for k in range(1, parts + 1)]
    assert set(codes) == {0, 5}
    assert call(["merge", *(f"p{k}" for k in range(1, parts + 1)), "--out", "merged"]) == 0
    assert report(place / "merged")["summary"]["claims"] == 9
    assert report(place / "merged")["run"]["complete"]


def test_a_missing_shard_is_said(place, capsys):
    run("--shard", "1/3", "--out", "p1")
    run("--shard", "3/3", "--out", "p3")
    capsys.readouterr()
    assert call(["merge", "p1", "p3", "--out", "merged"]) == 0
    assert "shard 2/3 is missing" in capsys.readouterr().err
    assert not report(place / "merged")["run"]["complete"]


def test_an_unfinished_run_is_said(place, capsys):
    alter(place / "b", complete=False)
    assert call(["merge", "a", "b", "--out", "merged"]) == 0
    assert "unfinished" in capsys.readouterr().err
    assert not report(place / "merged")["run"]["complete"]


def alter(folder, **head):
    data = report(folder)
    data["run"] |= head
    (folder / "report.json").write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"seed": 1}, "seed"),
        ({"alpha": 0.001}, "alpha"),
        ({"profile": "standard"}, "profile"),
        ({"device": "gpu"}, "device"),
        ({"versions": {"numpy": "1.0"}}, "numpy"),
    ],
)
def test_runs_made_otherwise_are_refused(place, capsys, other, told):
    alter(place / "b", **other)
    assert call(["merge", "a", "b", "--out", "merged"]) == 4
    err = capsys.readouterr().err
    assert "differ in" in err and told in err and err.count("\n") == 1
    assert not (place / "merged").exists()


@pytest.mark.parametrize("runs", [("a", "whole"), ("a", "a"), ("a", "b", "b")])
def test_overlapping_runs_are_refused(place, capsys, runs):
    assert call(["merge", *runs, "--out", "merged"]) == 4
    err = capsys.readouterr().err
    assert "disjoint" in err and err.count("\n") == 1
    assert not (place / "merged").exists()


def test_a_broken_report_is_refused(place, capsys):
    (place / "b" / "report.json").write_text("{")
    assert call(["merge", "a", "b", "--out", "merged"]) == 4
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["a"], ["a", "nowhere"], ["a", "b", "--out", "a"]])
def test_bad_words_are_one_line_and_nothing_written(place, capsys, words):
    before = {f: f.read_bytes() for f in place.rglob("*.json")}
    capsys.readouterr()
    assert call(["merge", *words]) == 4
    assert capsys.readouterr().err.count("\n") == 1
    assert {f: f.read_bytes() for f in place.rglob("*.json")} == before


# ------------------------------------------------------------ a cluster

SLOW_ONES = HEAD + "".join(
    f'''
@claim("coin-{k}", domain={{n: integers(2)}}, grid={{"smoke": {{n: [2]}}}}, closed_form=1 / n,
       statistic=probability(), mutate=False, rivals=[variant("twice", closed_form=2 / n)])
def coin_{k}(rng, n, size):
    """A coin that takes a while."""
    time.sleep(0.1)
    if not os.path.exists(os.environ["STARTED"]):
        open(os.environ["STARTED"], "w").write(str(os.getpid()))
    return rng.bernoulli(Fraction(1, n), (size,))
'''
    for k in range(4)
)


def test_a_dask_worker_killed_in_the_middle_changes_no_verdict(tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    file = tmp_path / "few.py"
    file.write_text(SLOW_ONES)
    started = tmp_path / "started"
    environment = os.environ | {
        "THEORYCHECK_STORE": str(tmp_path / "store"),
        "STARTED": str(started),
    }
    command = [sys.executable, "-c", "from theorycheck.cli import main; main()", "run", "few.py",
               "--profile", "smoke", "-n", "2", "--out"]  # fmt: skip
    process = subprocess.Popen(
        [*command, "dask", "--executor", "dask"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 90
    while not (started.exists() and started.read_text()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(int(started.read_text()), signal.SIGKILL)
    out, err = process.communicate(timeout=180)
    assert process.returncode == 0, out + err
    local = subprocess.run(
        [*command, "local", "--no-cache"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        timeout=180,
    )
    assert local.returncode == 0
    ours, theirs = timeless(report(tmp_path / "local")), timeless(report(tmp_path / "dask"))
    assert theirs["claims"] == ours["claims"]
    # The evidence came back: nothing is made again.
    monkeypatch.setenv("STARTED", str(started))  # the claims read it, so that it is in their key
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    from theorycheck.executors import pool as module

    monkeypatch.setattr(module, "Pool", lambda *a: pytest.fail("evidence was lost"))
    assert call(["run", "few.py", "--profile", "smoke", "--out", "again"]) == 0


def test_no_scheduler_is_one_line(place, capsys, monkeypatch):
    pytest.importorskip("distributed")
    from theorycheck.executors import cluster

    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    assert run("--executor", "dask", "--scheduler", "tcp://127.0.0.1:1", "--out", "out") == 4
    lines = [x for x in capsys.readouterr().err.splitlines() if x.startswith("theorycheck:")]
    assert len(lines) == 1 and "tcp://127.0.0.1:1" in lines[0]
    assert not (place / "out").exists()
