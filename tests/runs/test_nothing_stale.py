"""Edited evidence through the store: whatever a claim is made from is edited between two runs, and put back
again; each run's verdict is that of what is there then. Every run is a process of its own."""

import json
import multiprocessing
import os
from pathlib import Path

import pytest
from processes import finish

from theorycheck.executors.local import here
from theorycheck.library.selecting import select
from theorycheck.plan.settings import Settings
from theorycheck.runs.run import run

HEAD = """
from fractions import Fraction
import json, os
from pathlib import Path
import sympy as sp
from theorycheck import (claim, data_file, equals, integers, leg, probability, recorded,
                         recorded_samples, variant)
n = sp.symbols("n", integer=True, positive=True)
PARTS = dict(domain={n: integers(1, 3)}, grid={"smoke": {n: [1, 2, 3]}}, closed_form=2 * n,
             relation=equals(), mutate=False, rivals=[variant("3n", closed_form=3 * n)])
"""
EXACT = """
@claim("c", **PARTS)
def value(n):
    return %s
"""
EXTERNAL = """
c = claim("c", **PARTS, legs=[leg("value", %s, arithmetic="external", model="not controlled",
                                  error=Fraction(1, 10**6))])
"""
BY_HAND = "def value(n):\n    return {}\n"
COINS = """
H = sp.Rational(1, 2)
c = claim("c", domain={n: integers(1, 1)}, grid={"smoke": {n: [1]}}, closed_form=H / n, mutate=False,
          relation=equals(), rivals=[variant("all", closed_form=2 * H / n)],
          legs=[recorded_samples("coins.csv", "n", probability(), model="seeds 0..")])
"""


def table(factor):
    return "n,value\n" + "".join(f"{k},{factor * k}\n" for k in (1, 2, 3))


def coins(every):
    return "n,replicate,value\n" + "".join(f"1,{i},{int(i % every == 0)}\n" for i in range(60_000))


def program(factor):
    return f"#!/bin/sh\necho $(( {factor} * $1 ))\n"


RUN = (
    "import subprocess\ndef outside(n):\n"
    "    out = subprocess.run([str(HERE / 'program'), str(n)], capture_output=True, text=True)\n"
    "    return float(out.stdout)\nHERE = Path(__file__).parent\n"
)

# name: the claim's module, the file that is edited, its true and its false text.
EDITS = {
    "recorded": (EXTERNAL % 'recorded("runs.csv", "n")', "runs.csv", table(2), table(3)),
    "recorded samples": (COINS, "coins.csv", coins(2), coins(3)),
    "a module beside": (
        "from ._model import value as f\n" + EXACT % "f(n)",
        "_model.py",
        BY_HAND.format("2 * n"),
        BY_HAND.format("3 * n"),
    ),
    "a sub-package": (
        "from .sub import model\n" + EXACT % "model.value(n)",
        "sub/model.py",
        BY_HAND.format("2 * n"),
        BY_HAND.format("3 * n"),
    ),
    "the folder above": (
        "from .sub.model import value as f\n" + EXACT % "f(n)",
        "above.py",
        BY_HAND.format("2 * n"),
        BY_HAND.format("3 * n"),
    ),
    "a local package on the path": (
        "from localpack.model import value as f\n" + EXACT % "f(n)",
        "path/localpack/model.py",
        BY_HAND.format("2 * n"),
        BY_HAND.format("3 * n"),
    ),
    "a module imported by text": (
        "import importlib\n" + EXACT % "importlib.import_module('._model', __package__).value(n)",
        "_model.py",
        BY_HAND.format("2 * n"),
        BY_HAND.format("3 * n"),
    ),
    "a module run from its path": (
        "import runpy\n"
        + EXACT % "runpy.run_path(str(Path(__file__).parent / '_m.py'))['value'](n)",
        "_m.py",
        BY_HAND.format("2 * n"),
        BY_HAND.format("3 * n"),
    ),
    "a file read while loading": (
        "FACTOR = json.loads(data_file('factor.json').read_text())\n" + EXACT % "FACTOR * n",
        "factor.json",
        "2",
        "3",
    ),
    "a file read by an exact leg": (
        EXACT % "json.loads((Path(__file__).parent / 'factor.json').read_text()) * n",
        "factor.json",
        "2",
        "3",
    ),
    "a file read by another thread": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "FILE = Path(__file__).parent / 'factor.json'\n"
        "def read():\n    with ThreadPoolExecutor() as pool:\n"
        "        return int(pool.submit(FILE.read_text).result())\n" + EXACT % "read() * n",
        "factor.json",
        "2",
        "3",
    ),
    "an array file": (
        "import numpy as np\nFILE = str(Path(__file__).parent / 'factor.txt')\n"
        + EXACT % "int(np.loadtxt(FILE)) * n",
        "factor.txt",
        "2",
        "3",
    ),
    "a file from the working directory": (
        EXACT % "int(open('factor.txt').read()) * n",
        "factor.txt",
        "2",
        "3",
    ),
    "which files there are": (
        EXACT % "len(list((Path(__file__).parent / 'parts').iterdir())) * n",
        "parts/third",
        None,
        "",
    ),
    "a database": (
        "import sqlite3\n"
        "def read():\n    with sqlite3.connect(Path(__file__).parent / 'db') as db:\n"
        "        return db.execute('PRAGMA user_version').fetchone()[0]\n" + EXACT % "read() * n",
        "db",
        2,
        3,
    ),
    "the program behind an external leg": (
        RUN + EXTERNAL % "outside",
        "program",
        *map(program, (2, 3)),
    ),
}


def put(file: Path, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    if text is None:
        file.unlink(missing_ok=True)
    elif isinstance(text, int):
        import sqlite3

        with sqlite3.connect(file) as db:
            db.execute(f"PRAGMA user_version = {text}")
        db.close()
    else:
        file.write_text(text)
        file.chmod(0o755)


def in_another_process(action, *given):
    """The result of a function in a child that has imported nothing of a claim."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=lambda: theirs.send(action(*given)))
    child.start()
    theirs.close()
    try:
        return ours.recv()
    finally:
        child.join()


def judged(folder: Path, path: Path | None = None, store: str = "store.sqlite"):
    """Verdict, observations made now, and what is said of caching, of one run."""

    def once():
        import sys

        os.chdir(folder)
        sys.path.insert(0, str(path or folder / "path"))
        file = str(folder / "src" / "mine.py")
        done = run(
            select([file]), Settings("smoke"), folder / "out", executor=here, store=folder / store
        )
        entry = done.report.claims[0]
        return entry.verdict, done.fresh, entry.cached

    return in_another_process(once)


@pytest.fixture
def source(tmp_path):
    def make(text):
        src = tmp_path / "src"
        put(src / "mine.py", HEAD + text)
        put(src / "sub" / "__init__.py", "")
        put(src / "sub" / "model.py", "from ..above import value\n")
        put(src / "parts" / "one", "")
        put(src / "parts" / "two", "")

    return make


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_gives_its_own_verdict_and_putting_it_back_the_first(tmp_path, source, what):
    text, name, true, false = EDITS[what]
    source(text)
    top = name.startswith("path/") or "working" in what
    file = (tmp_path if top else tmp_path / "src") / name
    put(file, true)
    first = judged(tmp_path)
    assert first[0] == "pass" and first[1] > 0
    never = "program" in what
    assert first[2] == (
        "never, because it starts program, whose reading is not seen" if never else ""
    )
    assert (judged(tmp_path)[1] > 0) is never  # what is unchanged is cached
    put(file, false)
    assert judged(tmp_path)[0] == "fail"
    put(file, true)
    assert judged(tmp_path)[0] == "pass"


def test_a_variable_of_the_environment(tmp_path, source, monkeypatch):
    source(EXACT % "int(os.environ.get('FACTOR', '2')) * n")
    for value, verdict, fresh in (
        ("2", "pass", True),
        ("2", "pass", False),
        ("3", "fail", True),
        ("2", "pass", True),
        (None, "pass", True),
        (None, "pass", False),
    ):
        monkeypatch.delenv("FACTOR", raising=False)
        if value is not None:
            monkeypatch.setenv("FACTOR", value)
        found = judged(tmp_path)
        assert (found[0], found[1] > 0) == (verdict, fresh), value
    monkeypatch.setenv("ANOTHER", "1")
    assert judged(tmp_path)[1] == 0


def test_a_table_that_a_shared_model_reads_once_counts_for_every_claim(tmp_path, source):
    """The second claim of a process finds the table in a cache, and opens nothing."""
    source(
        "from ._table import factor\n"
        + EXACT % "factor() * n"
        + (EXACT % "factor() * n").replace('"c"', '"d"').replace("value", "again")
    )
    put(
        tmp_path / "src" / "_table.py",
        "import functools\nfrom pathlib import Path\n@functools.cache\ndef factor():\n"
        "    return int((Path(__file__).parent / 'factor').read_text())\n",
    )

    def verdicts():
        done = run(
            select([str(tmp_path / "src" / "mine.py")]),
            Settings("smoke"),
            tmp_path / "out",
            executor=here,
            store=tmp_path / "store.sqlite",
        )
        return [e.verdict for e in done.report.claims], done.fresh

    put(tmp_path / "src" / "factor", "2")
    assert in_another_process(verdicts) == (["pass", "pass"], 6)
    assert in_another_process(verdicts) == (["pass", "pass"], 0)
    put(tmp_path / "src" / "factor", "3")
    assert in_another_process(verdicts)[0] == ["fail", "fail"]


def test_an_edit_leaves_other_claims_alone(tmp_path, source):
    source(EXACT % "2 * n")
    judged(tmp_path)
    put(tmp_path / "src" / "other.py", HEAD + (EXACT % "2 * n").replace('"c"', '"d"'))
    assert judged(tmp_path)[1] == 0


def test_a_sampled_stream_that_another_table_made_is_not_continued(tmp_path, source):
    """A longer stream of the old file must not stand for the new one."""
    text = (
        "def coin(rng, n, size):\n"
        "    p = Fraction((Path(__file__).parent / 'p').read_text())\n"
        "    return rng.bernoulli(p, (size,))\n"
        'c = claim("c", domain={n: integers(1, 1)}, grid={"smoke": {n: [1]}}, mutate=False,\n'
        "          closed_form=sp.Rational(1, 2) / n, relation=equals(),\n"
        '          rivals=[variant("all", closed_form=1 / n)],\n'
        '          legs=[leg("coin", coin, statistic=probability())])\n'
    )
    source(text)
    for p, verdict in (("1/2", "pass"), ("9/10", "fail"), ("1/2", "pass"), ("9/10", "fail")):
        put(tmp_path / "src" / "p", p)
        assert judged(tmp_path)[0] == verdict


UNKEYABLE = {
    "a program": (
        "import subprocess\n",
        "int(subprocess.check_output(['echo', str(2 * n)]))",
        "echo",
    ),
    "the shell": ("", "2 * n + os.system('true')", "it starts true"),
    "the network": (
        "import socket\ndef ask():\n    try:\n        socket.getaddrinfo('localhost', 1)\n"
        "    except OSError:\n        pass\n",
        "ask() or 2 * n",
        "network",
    ),
    "the machine": ("", "2 * n + 0 * len(open('/proc/uptime').read())", "/proc/uptime"),
    "a child of its own": (
        "def fork():\n    child = os.fork()\n    if not child:\n        os._exit(0)\n"
        "    os.waitpid(child, 0)\n",
        "fork() or 2 * n",
        "process",
    ),
    "native code": ("import ctypes\n", "2 * n + ctypes.CDLL('libc.so.6').abs(0)", "libc"),
    "the whole environment": ("", "2 * n + 0 * len(dict(os.environ))", "environment"),
    "a computed import": (
        "import importlib\n",
        "2 * n + 0 * len(importlib.import_module('js' + 'on').__name__)",
        "computed name",
    ),
}


@pytest.mark.parametrize("what", UNKEYABLE)
def test_what_cannot_be_keyed_is_made_anew_and_said(tmp_path, source, what):
    head, value, words = UNKEYABLE[what]
    source(head + EXACT % value)
    for _ in range(2):
        verdict, fresh, said = judged(tmp_path)
        assert (verdict, fresh) == ("pass", 3)
        assert said.startswith("never, because") and words in said


def test_what_a_claim_writes_for_itself_is_no_input(tmp_path, source):
    source(
        "import tempfile\ndef through(n):\n    with tempfile.NamedTemporaryFile('w+') as f:\n"
        "        f.write(str(n))\n        f.flush()\n        return int(open(f.name).read())\n"
        + EXACT
        % "2 * through(n)"
    )
    assert judged(tmp_path) == ("pass", 3, "")
    assert judged(tmp_path) == ("pass", 0, "")


def test_data_lie_beside_the_module_and_not_where_one_works(tmp_path, source):
    source(EXTERNAL % 'recorded("runs.csv", "n")')
    put(tmp_path / "runs.csv", table(3))
    put(tmp_path / "src" / "runs.csv", table(2))
    assert judged(tmp_path)[0] == "pass"


def test_a_library_that_is_moved_is_cached(tmp_path, source):
    source(EXACT % "json.loads((Path(__file__).parent / 'factor.json').read_text()) * n")
    put(tmp_path / "src" / "factor.json", "2")
    assert judged(tmp_path)[1] == 3
    moved = tmp_path / "moved"
    moved.mkdir()
    (tmp_path / "src").rename(moved / "src")
    assert judged(moved, store="../store.sqlite")[:2] == ("pass", 0)
    put(moved / "src" / "factor.json", "3")
    assert judged(moved, store="../store.sqlite")[0] == "fail"


def test_the_report_says_nothing_where_evidence_is_cached(tmp_path, source):
    source(EXACT % "2 * n")
    assert judged(tmp_path)[2] == ""


def test_a_broken_file_costs_its_own_claims(tmp_path):
    """Beside it, the others of the folder are judged; named itself, it is bad input."""
    for name, text in {"one": "", "two": "n = (", "three": "raise RuntimeError('no')"}.items():
        put(
            tmp_path / "lib" / f"{name}.py",
            HEAD + (EXACT % "2 * n").replace('"c"', f'"{name}"') + text,
        )

    options = ("--profile", "smoke", "--out", "out")
    codes = [finish(tmp_path, target, *options)[0] for target in ("lib", "lib/two.py")]
    entries = json.loads((tmp_path / "out" / "report.json").read_text())["claims"]
    assert codes == [1, 4]
    assert {e["id"]: e["verdict"] for e in entries} == {
        "one": "pass",
        "broken.lib.two": "error",
        "broken.lib.three": "error",
    }
    reasons = {e["id"]: e["reason"] for e in entries}
    assert "two.py" in reasons["broken.lib.two"] and "SyntaxError" in reasons["broken.lib.two"]
    assert "RuntimeError: no" in reasons["broken.lib.three"]


REGISTER = """
[source]
name = "src"
title = "Doubles"
authors = ["A. Author"]
edition = "first"
text = "typed"

[[source.citation]]
type = "article"
key = "doubles"
author = "Author, A."
title = "Doubles"
year = "2024"

[[statement]]
id = "c"
labels = ["Lemma 1"]
title = "Doubles"
role = "main"
kind = "identity"
one_line = "Twice n."
"""


def test_a_library_whose_claim_reads_while_it_runs(tmp_path, source):
    """What was judged of a claim is had from the cache without loading it, and only on what it has read."""
    source(EXACT % "json.loads((Path(__file__).parent.parent / 'factor.json').read_text()) * n")
    put(tmp_path / "src" / "statements.toml", REGISTER)
    for factor, verdict, fresh in (
        ("2", "pass", 3),
        ("2", "pass", 0),
        ("3", "fail", None),
        ("2", "pass", None),
        ("2", "pass", 0),
    ):
        put(tmp_path / "factor.json", factor)
        found = judged(tmp_path)
        assert found[0] == verdict and fresh in (None, found[1])
