"""Workers: the same verdicts wherever a claim is executed, and limits that cost one claim only."""

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
from msgspec.structs import replace
from scale_claims import BROKEN, EXACT, FALSE, HEAD, SAMPLED, SLOW, write

from theorycheck.evidence.store import open_store
from theorycheck.executors import ExecutorError, Job, in_bytes
from theorycheck.executors import pool as module
from theorycheck.executors.cached import find, found
from theorycheck.executors.local import cached_result, here, local
from theorycheck.executors.pool import resident
from theorycheck.executors.worker import work
from theorycheck.library.content import content_of
from theorycheck.library.loading import load_file
from theorycheck.plan.settings import Settings

SETTINGS = Settings("smoke")


def jobs_of(file, store=None, only=(), **options):
    ids = [i.claim.id for i in load_file(file)]
    return [Job(file, i, "conjecture", SETTINGS, store, **options) for i in only or ids]


def entries(results):
    """Entries by id, without what a clock measures."""
    return {r.claim_id: replace(r.entry, seconds=0.0) for r in results}


def timeless(result):
    """Observations as data, without what a clock measures."""
    return json.loads(json.dumps([{**o, "seconds": None} for o in json.loads(result.observations)]))


def test_the_number_of_workers_and_their_kind_change_nothing(tmp_path):
    file = write(tmp_path, EXACT, FALSE, SAMPLED)
    truth = entries(here(jobs_of(file), 1))
    assert {e.verdict for e in truth.values()} >= {"pass", "fail"}
    for workers in (1, 3):
        assert entries(local(jobs_of(file), workers)) == truth


def test_each_way_of_breaking_costs_its_own_claim_and_says_how(tmp_path):
    file = write(tmp_path, EXACT, BROKEN)
    jobs = jobs_of(file, time_limit=15.0, memory_limit=700 << 20)
    began = time.monotonic()
    found_ = entries(local(jobs, 2))
    assert time.monotonic() - began < 60
    assert found_["odd-numbers"].verdict == "pass"
    for claim, reason in {
        "dies": "its worker process died (SIGKILL)",
        "sleeps": "time: ran over its limit of 15 s",
        "swells": "memory: grew over the limit of 700 MiB",
        "raises": "RuntimeError: broken on purpose",
    }.items():
        assert found_[claim].verdict == "error"
        assert reason in found_[claim].reason


def test_a_worker_killed_from_outside_is_replaced(tmp_path, monkeypatch):
    file = write(tmp_path, EXACT, SLOW, FALSE)
    killed = []

    def kill_soon():
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not killed:
            for process in multiprocessing.active_children():
                if progress.exists() and process.pid is not None:
                    os.kill(process.pid, signal.SIGKILL)
                    killed.append(process.pid)
                    return
            time.sleep(0.02)

    progress = tmp_path / "progress"
    monkeypatch.setenv("THEORYCHECK_PROGRESS", str(progress))
    first = [Job(file, "slow-coin", "conjecture", SETTINGS, expected_seconds=9.0)]
    jobs = first + jobs_of(file, only=["odd-numbers", "odd-numbers-wrong"])
    killer = threading.Thread(target=kill_soon)
    killer.start()
    results = entries(_fresh_server(jobs, 1))
    killer.join()
    assert killed
    assert results["slow-coin"].verdict == "error"
    assert "SIGKILL" in results["slow-coin"].reason
    assert results["odd-numbers"].verdict == "pass"
    assert results["odd-numbers-wrong"].verdict == "fail"


def _fresh_server(jobs, workers, *began):
    """Workers that see this test's environment: the server they start from keeps its own."""
    from multiprocessing import forkserver

    forkserver._forkserver._stop()
    try:
        yield from local(jobs, workers, *began)
    finally:
        forkserver._forkserver._stop()


def test_an_idle_worker_that_dies_is_replaced(tmp_path):
    file = write(tmp_path, EXACT)
    pool = module.Pool(jobs_of(file), 1)
    worker = pool._idle()
    worker.process.kill()
    worker.process.join()
    (result,) = pool.run()
    assert result.entry.verdict == "pass"


def test_a_claim_stopped_for_memory_beside_others_is_tried_alone(tmp_path, monkeypatch):
    """Which claims run beside it must not decide a verdict."""
    file = write(tmp_path, EXACT, SLOW)
    jobs = [
        Job(file, "odd-numbers", "conjecture", SETTINGS, memory_limit=1000, expected_seconds=1),
        Job(file, "slow-coin", "conjecture", SETTINGS, memory_limit=1000, expected_seconds=2),
    ]
    pool = module.Pool(jobs, 2)
    pool._hand_out()
    slow, quick = pool.busy
    sizes = {slow.process.pid: 700, quick.process.pid: 600}
    monkeypatch.setattr(module, "resident", lambda pid: sizes.get(pid, 700))
    assert list(pool._limits()) == []
    assert [j.claim_id for j in pool.alone] == ["slow-coin"]
    assert pool.busy == [quick] and slow not in pool.workers
    found_ = [r.claim_id for r in pool.run()]
    assert found_ == ["odd-numbers", "slow-coin"]


def test_jobs_that_would_not_fit_beside_each_other_wait(tmp_path):
    file = write(tmp_path, EXACT, FALSE, SAMPLED)
    jobs = [
        Job(file, name, "conjecture", SETTINGS, memory_limit=10 << 30, expected_memory=6 << 30,
            expected_seconds=seconds)
        for name, seconds in (("odd-numbers", 1), ("coin", 3), ("odd-numbers-wrong", 2))
    ]  # fmt: skip
    pool = module.Pool(jobs, 3)
    pool._hand_out()
    assert [w.job.claim_id for w in pool.busy] == ["coin"]  # the longest, alone
    assert {r.claim_id for r in pool.run()} == {j.claim_id for j in jobs}


def test_longest_expected_first(tmp_path):
    file = write(tmp_path, EXACT, FALSE, SAMPLED)
    seconds = {"odd-numbers": 1.0, "odd-numbers-wrong": 3.0, "coin": 2.0}
    jobs = [Job(file, i, "c", SETTINGS, expected_seconds=s) for i, s in seconds.items()]
    order = [r.claim_id for r in local(jobs, 1)]
    assert order == ["odd-numbers-wrong", "coin", "odd-numbers"]


def test_cached_claims_start_no_worker(tmp_path, monkeypatch):
    file = write(tmp_path, EXACT, FALSE, SAMPLED)
    jobs = jobs_of(file, tmp_path / "store")
    truth = entries(local(jobs, 1))
    monkeypatch.setattr(module, "Pool", lambda *a: pytest.fail("a worker was started"))
    again = list(local(jobs, 1))
    assert entries(again) == truth
    assert all(r.fresh == 0 for r in again)


def test_what_is_cached_makes_nothing(tmp_path):
    file = write(tmp_path, EXACT, SAMPLED)
    with open_store(tmp_path / "store") as store:
        for job in jobs_of(file, tmp_path / "store"):
            assert cached_result(job, store) is None
            result = work(job, store)
            assert result.fresh > 0
            again = cached_result(job, store)
            assert again is not None and again.fresh == 0
            assert timeless(again) == timeless(result)
            deeper = Job(job.file, job.claim_id, "c", Settings("standard"), job.store)
            assert cached_result(deeper, store) is None


def test_smoke_extends_to_standard_and_comes_back(tmp_path):
    """Samples are continued, and a shorter run after a longer one sees what it saw alone."""
    file = write(tmp_path, SAMPLED)
    (job,) = jobs_of(file)
    longer = Job(file, job.claim_id, "c", Settings("standard"))
    with open_store(None) as nothing, open_store(tmp_path / "store") as store:
        alone = {p: work(j, nothing) for p, j in (("smoke", job), ("standard", longer))}
        work(job, store)
        item = find(job)
        cached = store.evidence(item.origin, SETTINGS)
        before = {k: cached.find(k) for k in cached.cached()}
        extended = work(longer, store)
        after = store.evidence(item.origin, SETTINGS)
        assert timeless(extended) == timeless(alone["standard"])
        grown = [k for k in before if after.find(k).samples > before[k].samples]
        assert grown
        back = cached_result(job, store)
        assert back is not None
        assert entries([back]) == entries([alone["smoke"]])


def test_what_a_claim_prints_does_not_reach_standard_output(tmp_path):
    loud = EXACT.replace("return sum", 'print("LOUD")\n    return sum')
    file = write(tmp_path, loud)
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from theorycheck.plan.settings import Settings\n"
        "from theorycheck.executors import Job\n"
        "from theorycheck.executors.local import local\n"
        "job = Job(Path(sys.argv[1]), 'odd-numbers', 'c', Settings('smoke'))\n"
        "print([r.entry.verdict for r in local([job], 1)])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, timeout=120
    )
    assert run.stdout.strip() == "['pass']" and "LOUD" in run.stderr


def test_workers_have_one_blas_thread(tmp_path):
    counting = HEAD + (
        "import numpy\n"
        '@claim("threads", domain={n: integers(1, 1)}, grid={"smoke": {n: [1]}}, closed_form=n,\n'
        '       mutate=False, rivals=[variant("two", closed_form=n + 1)])\n'
        "def threads(n):\n"
        '    """Threads of the linear algebra of a worker."""\n'
        "    from threadpoolctl import threadpool_info\n"
        "    numpy.ones((300, 300)) @ numpy.ones((300, 300))\n"
        '    return max(p["num_threads"] for p in threadpool_info())\n'
    )
    file = tmp_path / "threads.py"
    file.write_text(counting)
    (result,) = local(jobs_of(file), 1)
    assert result.entry.verdict == "pass", result.entry.reason


def test_workers_of_every_run_go_through_sets_of_names_alike(tmp_path):
    """Two proofs of one statement may be found in either order: which one must not be drawn with the process."""
    hashing = HEAD + (
        '@claim("hashes", domain={n: integers(1, 1)}, grid={"smoke": {n: [1]}}, closed_form=0 * n,\n'
        '       mutate=False, rivals=[variant("one", closed_form=n)])\n'
        "def hashes(n):\n"
        '    """A hash of a name."""\n'
        '    return hash("a name")\n'
    )
    (tmp_path / "hashes.py").write_text(hashing)
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from theorycheck.executors import Job\n"
        "from theorycheck.executors.local import local\n"
        "from theorycheck.plan.settings import Settings\n"
        "job = Job(Path(sys.argv[1]), 'hashes', 'conjecture', Settings('smoke'), None)\n"
        "(result,) = local([job], 1)\n"
        "print(result.entry.counterexample)\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / "hashes.py")],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (2, 3)
    }
    assert len(told) == 1 and "lhs='" in told.pop()


def test_a_claim_that_is_gone_is_an_error_of_its_own(tmp_path):
    file = write(tmp_path, EXACT)
    (job,) = jobs_of(file)
    with open_store(None) as store:
        found([])
        lost = Job(tmp_path / "few.py", "never-was", "c", SETTINGS)
        with pytest.raises(ValueError, match="no claim never-was"):
            work(lost, store)
        assert work(job, store).entry.verdict == "pass"


def test_an_error_of_the_engine_costs_one_claim_and_is_told(tmp_path, monkeypatch):
    from theorycheck.executors import worker

    file = write(tmp_path, EXACT)
    monkeypatch.setattr(worker, "execute", lambda *a, **k: 1 / 0)
    (result,) = here(jobs_of(file), 1)
    assert result.entry.verdict == "error" and "internal error" in result.entry.reason
    assert "ZeroDivisionError" in result.internal


WHERE = (
    HEAD
    + """
from theorycheck import leg

k, g = sp.symbols("k g", integer=True)
{id} = claim("{id}", domain={{k: integers(1), g: integers(0)}}, where={where},
             grid={{"smoke": [{{k: 6, g: 2}}]}}, closed_form=k / g, legs=[leg("m", lambda k, g: Fraction(k, g))])
"""
)


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("lambda k, g: k % g == 0", "ZeroDivisionError (integer modulo by zero) at g=0, k=1"),
        ("sp.Eq(sp.Mod(k, g), 0)", "ZeroDivisionError (Modulo by zero) at g=0, k=1"),
    ],
)
def test_a_condition_that_cannot_be_asked_is_its_authors_error(tmp_path, where, words):
    (result,) = here(jobs_of(write(tmp_path, WHERE.format(id="asked", where=where))), 1)
    assert result.entry.verdict == "error" and words in result.entry.reason
    assert result.entry.reason.startswith("where: ") and not result.internal


def test_sizes():
    assert in_bytes(700 << 20) == "700 MiB" and in_bytes(1536) == "1.5 KiB"
    assert in_bytes(5) == "5 B"
    assert resident(os.getpid()) > 10 << 20
    assert resident(2**22 + 1) == 0


# ------------------------------------------------------------ a cluster


def test_without_dask_one_line_says_so(monkeypatch):
    from theorycheck.executors.cluster import cluster

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorError, match=r"theorycheck\[dask\]"):
        cluster(None)


def test_an_error_of_the_engine_on_a_worker_is_told_with_its_trace(tmp_path):
    Client = pytest.importorskip("distributed").Client

    from theorycheck.executors import shipped
    from theorycheck.executors.cluster import _ClusterRun

    (job, *_) = jobs_of(write(tmp_path, EXACT))
    run = object.__new__(_ClusterRun)  # what is collected needs nothing of the run
    with Client(processes=False, n_workers=1, dashboard_address=None) as client:
        broke = client.submit(_break, shipped.WorkerBroke("KeyError: 'x'", "Traceback ..."))
        lost = client.submit(_break, ValueError("no"))
        for future in (broke, lost):
            future.exception()
        internal, other = run._collect(job, broke), run._collect(job, lost)
    assert internal.entry.reason == "internal error: KeyError: 'x'"
    assert internal.internal == "Traceback ..." and internal.claim_id == job.claim_id
    assert "lost by the cluster (ValueError: no)" in other.entry.reason and not other.internal


def _break(error):
    raise error


def test_a_shipment_is_what_a_claim_needs(tmp_path):
    from theorycheck.executors.shipment import pack

    models = tmp_path / "_models.py"
    models.write_text("def double(n):\n    return 2 * n\n")
    (tmp_path / "diary.txt").write_text("private")
    (tmp_path / "unrelated.py").write_text("x = 1\n")
    text = HEAD + "from ._models import double\n" + EXACT
    file = tmp_path / "few.py"
    file.write_text(text)
    shipment = pack(file, content_of(file))
    assert [name for name, _ in shipment.files] == ["_models.py", "few.py"]
    unpacked = shipment.unpack()
    assert unpacked != tmp_path and (unpacked / "few.py").read_text() == text
    (item,) = load_file(unpacked / "few.py")
    assert item.content == load_file(file)[0].content
    from theorycheck.library import content

    digest = shipment.digest
    models.write_text("def double(n):\n    return n + n\n")
    content._source.cache_clear()
    assert pack(file, content_of(file)).digest != digest


def test_a_shipment_holds_what_is_reached_outside_of_the_folder(tmp_path, monkeypatch):
    from theorycheck.executors.shipment import pack

    for name, text in {
        "path/farpack/__init__.py": "",
        "path/farpack/model.py": "def double(n):\n    return 2 * n\n",
        "lib/src/sub/deep.py": "from farpack.model import double\n",
        "lib/src/factor.txt": "2",
        "lib/src/unread.txt": "private",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path / "path"))
    head = HEAD + "from theorycheck import data_file\nfrom .sub.deep import double\n"
    file = tmp_path / "lib" / "src" / "few.py"
    file.write_text(head + "FACTOR = data_file('factor.txt').read_text()\n" + EXACT)
    (item,) = load_file(file)
    shipment = pack(file, item.made_from)
    assert {name for name, _ in shipment.files} == {
        "few.py",
        "sub/deep.py",
        "factor.txt",
        "../.packages/farpack/__init__.py",
        "../.packages/farpack/model.py",
    }
    there = shipment.unpack()
    assert str(there.parent / ".packages") in sys.path
    assert item.made_from.changed(there) is None
    sys.path.remove(str(there.parent / ".packages"))


def test_a_source_folder_travels_whole_unless_it_is_too_large(tmp_path, monkeypatch):
    from theorycheck.executors import shipment

    source = tmp_path / "source"
    (source / "data").mkdir(parents=True)
    (source / "statements.toml").write_text("")
    (source / "data" / "table.csv").write_text("1,2\n")
    file = write(source, EXACT)
    packed = shipment.pack(file, content_of(file))
    assert {n for n, _ in packed.files} == {"statements.toml", "few.py", "data/table.csv"}
    assert (packed.unpack() / "data" / "table.csv").read_text() == "1,2\n"
    monkeypatch.setattr(shipment, "LARGEST", 3)
    with pytest.raises(ExecutorError, match="at most"):
        shipment.pack(file, content_of(file))


def test_machines_that_differ_are_named():
    from theorycheck.executors.shipped import differing

    assert differing({"numpy": "2.1"}, {"numpy": "2.1"}) == ""
    assert differing({"numpy": "2.1"}, {"numpy": "2.4"}) == "numpy 2.4 there, 2.1 here"
    assert differing({"numpy": "2.1"}, {}) == "numpy None there, 2.1 here"


def test_a_plain_script_needs_no_guard(tmp_path):
    file = write(tmp_path, EXACT)
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "from theorycheck.plan.settings import Settings\n"
        "from theorycheck.executors import Job\n"
        "from theorycheck.executors.local import local\n"
        "print('once')\n"
        f"job = Job(Path({str(file)!r}), 'odd-numbers', 'c', Settings('smoke'))\n"
        "print([r.entry.verdict for r in local([job], 1)])\n"
    )
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert run.stdout.splitlines() == ["once", "['pass']"], run.stderr


def test_cached_results_are_found_by_processes_that_hash_otherwise(tmp_path):
    """SymPy orders arguments by hashes, which differ from process to process."""
    text = (
        "import sympy as sp\n"
        "from theorycheck.formulas.closed_form import expression_text\n"
        "a, b, i = sp.symbols('a b i', positive=True)\n"
        "lam = sp.IndexedBase('lam')\n"
        "form = sp.Max(a, b, a * b / 2) + sp.Sum(a * lam[i] / (b + lam[i]), (i, 1, 3)) ** 2\n"
        "print(expression_text(form), expression_text(sp.Matrix([[a, b], [b, a + b]])))\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", text],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(texts) == 1 and "positive=True" in texts.pop()


def test_pure_results_are_not_made_again(tmp_path, monkeypatch):
    from theorycheck.formulas import closed_form
    from theorycheck.judge import mutation, rows

    file = write(tmp_path, EXACT, FALSE, SAMPLED)
    with open_store(tmp_path / "store") as store:
        jobs = jobs_of(file)
        truth = entries(work(job, store) for job in jobs)
        for module, name in ((mutation, "mutants"), (rows, "_proved_same")):
            monkeypatch.setattr(module, name, lambda *a, **k: pytest.fail("made again"))
        monkeypatch.setattr(
            closed_form.Form, "_evaluate", lambda *a: pytest.fail("evaluated again")
        )
        assert entries(cached_result(job, store) for job in jobs) == truth
        # Another engine believes none of it.
        monkeypatch.setattr("theorycheck.evidence.store.engine_digest", lambda *rooms: "edited")
        evidence = store.evidence(find(jobs[0]).origin, SETTINGS)
        assert not evidence.memo("smoke")._before


def test_workers_draw_what_the_report_shows(tmp_path, monkeypatch):
    """The report's own process finds it drawn; under limits a worker does its claims alone."""
    from theorycheck.reports import present as module
    from theorycheck.runs.run import run

    file = write(tmp_path, EXACT, FALSE)
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "cache" / "store.sqlite"))
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "store.sqlite").touch()  # presentations are kept where there is a store
    drawn = []
    real = module.present
    monkeypatch.setattr(
        module, "present", lambda c, *a, **k: drawn.append(c.id) or real(c, *a, **k)
    )
    items = load_file(file)

    def finished(name, **options):
        drawn.clear()
        pages = run(items, SETTINGS, tmp_path / name, executor=_fresh_server, **options)
        return (pages.folder / "report.html").read_text().count("<svg")

    assert finished("ahead") > 0 and drawn == []
    shutil.rmtree(tmp_path / "cache")
    assert finished("limited", time_limit=500.0) > 0
    assert sorted(drawn) == ["odd-numbers", "odd-numbers-wrong"]
