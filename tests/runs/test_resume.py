"""Interrupted is not lost: signals, kills and full disks at any moment, and going on afterwards."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import begin, environment, finish, lines, report, timeless, wait_until
from scale_claims import BROKEN, EXACT, FALSE, SAMPLED, SLOW, write

from theorycheck.cli import call


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_an_interrupted_run_says_how_to_go_on_and_goes_on(tmp_path, number):
    write(tmp_path, EXACT, SLOW)
    progress = tmp_path / "progress"
    options = ("few.py", "--profile", "smoke", "--out", "out")
    slow = {"THEORYCHECK_BLOCK_SECONDS": "0.4", "THEORYCHECK_PROGRESS": str(progress)}
    process = begin(tmp_path, *options, **slow)
    wait_until(lambda: lines(progress) >= 12)
    process.send_signal(number)
    _, err = process.communicate(timeout=200)
    assert process.returncode == 2
    assert "theorycheck run --resume --out out" in err
    stopped = report(tmp_path / "out")
    assert not stopped["run"]["complete"]
    drawn = lines(progress)
    code, _, err = finish(
        tmp_path, "--resume", "--out", "out", **slow | {"THEORYCHECK_BLOCK_SECONDS": "0"}
    )
    assert code == 0, err
    resumed = report(tmp_path / "out")
    assert resumed["run"]["complete"] and resumed["summary"]["pass"] == 2
    sampled = next(e for e in resumed["claims"] if e["id"] == "slow-coin")
    # What was drawn before is not drawn again, but for the last moments before the signal.
    assert lines(progress) - drawn <= sampled["samples"] // 1024 - drawn + 6


def test_ten_kills_at_random_moments_change_nothing(tmp_path):
    write(tmp_path, EXACT, FALSE, SAMPLED, SLOW)
    clean, killed = tmp_path / "clean", tmp_path / "killed"
    for folder in (clean, killed):
        folder.mkdir()
        write(folder, EXACT, FALSE, SAMPLED, SLOW)
    quick = {"THEORYCHECK_BLOCK_SECONDS": "0.1"}
    options = ("few.py", "--profile", "smoke", "--out", "out", "-n", "2")
    assert finish(clean, *options, **quick)[0] == 0
    dice = random.Random(20240)
    words = options
    for _ in range(10):
        process = begin(killed, *words, **quick)
        time.sleep(dice.uniform(0.2, 4.0))
        process.kill()
        process.communicate()
        if (killed / "out" / "report.json").exists():
            report(killed / "out")  # whole at any moment
            words = ("--resume", "--out", "out", "-n", "2")
    code, _, err = finish(killed, *words, **quick)
    assert code == 0, err
    assert timeless(report(killed / "out")) == timeless(report(clean / "out"))
    for file in (clean / "out" / "observations").glob("*.json"):
        other = killed / "out" / "observations" / file.name
        assert timeless(json.loads(other.read_text())) == timeless(json.loads(file.read_text()))


def test_a_resumed_run_never_holds_less_than_it_went_on_from(tmp_path, monkeypatch):
    """Killed again before it has caught up, it leaves the report that was there."""
    from theorycheck.runs import run as module

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "store"))
    write(tmp_path, EXACT, FALSE)
    words = ["--profile", "smoke", "--out", "out"]
    assert call(["run", "few.py", *words]) == 0
    before = report(tmp_path / "out")

    def killed(*words, **more):
        raise KeyboardInterrupt
        yield

    with monkeypatch.context() as patch:
        patch.setattr("theorycheck.cli.run._executor", lambda *words: killed)
        assert call(["run", "--resume", "--out", "out"]) == 2
        assert report(tmp_path / "out") == before
        assert len(list((tmp_path / "out" / "observations").iterdir())) == 2
        # Another run into the same folder is no continuation.
        assert call(["run", "few.py", *words]) == 2
        assert report(tmp_path / "out")["claims"] == []
    assert call(["run", "--resume", "--out", "out"]) == 0
    assert timeless(report(tmp_path / "out")) == timeless(before)
    assert module._finished_in(tmp_path / "nowhere") == 0


def test_no_cache_resumes_from_the_run_itself_and_leaves_nothing(tmp_path):
    write(tmp_path, SLOW)
    progress = tmp_path / "progress"
    slow = {"THEORYCHECK_BLOCK_SECONDS": "0.4", "THEORYCHECK_PROGRESS": str(progress)}
    process = begin(tmp_path, "few.py", "--profile", "smoke", "--no-cache", **slow)
    wait_until(lambda: lines(progress) >= 12)
    process.kill()
    process.communicate()
    before = lines(progress)
    code, _, err = finish(tmp_path, "--resume", **slow | {"THEORYCHECK_BLOCK_SECONDS": "0"})
    assert code == 0, err
    folder = (tmp_path / "reports" / "latest").resolve()
    done = report(folder)
    assert done["run"]["complete"]
    assert lines(progress) < done["claims"][0]["samples"] // 1024 + before
    assert not list(folder.glob(".evidence*"))
    assert not (tmp_path / "store.sqlite").exists()


def test_workers_end_with_a_killed_run(tmp_path):
    write(tmp_path, BROKEN)
    process = begin(tmp_path, "few.py", "-k", "sleeps", "--profile", "smoke", "--out", "out")
    wait_until(lambda: _children(process.pid))
    time.sleep(3.0)
    children = _children(process.pid)
    process.kill()
    process.communicate()
    wait_until(lambda: not any(_alive(pid) for pid in children))


def _children(pid):
    """Processes below one, at any depth (Linux)."""
    found = []
    try:
        direct = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return found
    for child in map(int, direct):
        found += [child, *_children(child)]
    return found


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_full_disk_stops_the_run_with_what_has_finished(tmp_path):
    """A limit on the size of files stands for the disk."""
    write(tmp_path, EXACT, FALSE, SAMPLED, name="few.py")
    code = (
        "import resource, sys\n"
        "from theorycheck.cli import call\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)\n"
        "sys.exit(call(['run', 'few.py', '--profile', 'smoke', '--out', 'out']))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, "5000"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 2, run.stderr
    assert "cannot be written" in run.stderr and "--resume" in run.stderr
    report(tmp_path / "out")
    assert not list((tmp_path / "out").rglob(".*.[0-9]*"))  # no half-written file is left
    code, _, err = finish(tmp_path, "--resume", "--out", "out")
    assert code == 0, err
    assert report(tmp_path / "out")["run"]["complete"]


def test_an_error_of_the_engine_is_exit_code_3_and_keeps_the_rest(tmp_path, monkeypatch, capsys):
    from theorycheck.executors import worker
    from theorycheck.executors.local import here

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "store"))
    write(tmp_path, EXACT, FALSE)
    execute = worker.execute

    def broken(claim, *words, **more):
        if claim.id == "odd-numbers":
            raise ZeroDivisionError("in the engine")
        return execute(claim, *words, **more)

    monkeypatch.setattr(worker, "execute", broken)
    monkeypatch.setattr("theorycheck.cli.run._executor", lambda *words: here)
    assert call(["run", "few.py", "--profile", "smoke", "--out", "out"]) == 3
    assert "ZeroDivisionError: in the engine" in capsys.readouterr().err
    verdicts = {e["id"]: e["verdict"] for e in report(tmp_path / "out")["claims"]}
    assert verdicts == {"odd-numbers": "error", "odd-numbers-wrong": "fail"}


def test_ctrl_c_while_figures_are_drawn_loses_no_verdict(tmp_path, monkeypatch, capsys):
    from theorycheck.runs import run as module

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "store"))
    write(tmp_path, EXACT)

    def interrupted(*words):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, "write_reports", interrupted)
        assert call(["run", "few.py", "--profile", "smoke", "--out", "out"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert report(tmp_path / "out")["claims"][0]["verdict"] == "pass"
    assert call(["run", "--resume", "--out", "out"]) == 0
    assert (tmp_path / "out" / "report.html").exists()


# ------------------------------------------------------------ what is refused


@pytest.fixture
def done(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "store"))
    write(tmp_path, EXACT)
    assert call(["run", "few.py", "--profile", "smoke", "--seed", "3", "--out", "out"]) == 0
    return tmp_path / "out"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--profile", "deep"], "--profile"),
        (["--seed", "4"], "--seed"),
        (["--alpha", "0.01"], "--alpha"),
        (["--no-cache"], "--no-cache"),
        (["--shard", "1/2"], "--shard"),
        (["other.py"], "targets"),
    ],
)
def test_resuming_as_another_run_is_refused(done, words, told, capsys):
    before = (done / "report.json").read_text()
    assert call(["run", "--resume", "--out", "out", *words]) == 4
    err = capsys.readouterr().err
    assert told in err and err.count("\n") == 1
    assert (done / "report.json").read_text() == before


def test_resuming_a_finished_run_gives_it_again(done):
    before = timeless(report(done))
    assert call(["run", "--resume", "--out", "out", "--profile", "smoke"]) == 0
    assert timeless(report(done)) == before


def test_resuming_nothing_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert call(["run", "--resume"]) == 4
    assert call(["run", "--resume", "--out", "nowhere"]) == 4
    assert capsys.readouterr().err.count("\n") == 2
    assert list(tmp_path.iterdir()) == []


def test_an_edited_claim_is_looked_at_anew(done):
    file = done.parent / "few.py"
    file.write_text(file.read_text().replace("2 * i + 1", "2 * i + 2"))
    code, _, _ = finish(
        done.parent, "--resume", "--out", "out", THEORYCHECK_STORE=str(done.parent / "store")
    )
    assert code == 1
    assert report(done)["claims"][0]["verdict"] == "fail"


@pytest.mark.parametrize(
    "words",
    [
        ["--shard", "0/2"],
        ["--shard", "3/2"],
        ["--shard", "1"],
        ["--shard", "a/b"],
        ["--shard", "-1/2"],
        ["--shard", "1/2/3"],
        ["--memory", "lots"],
        ["--memory", "0G"],
        ["--memory", "-5G"],
        ["-n", "0"],
        ["-n", "many"],
        ["--time-limit", "0"],
        ["--scheduler", "tcp://localhost:1"],
    ],
)
def test_bad_words_are_one_line_and_nothing_written(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, EXACT)
    assert call(["run", "few.py", *words]) == 4
    assert capsys.readouterr().err.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir() if p.name != "__pycache__"] == ["few.py"]
