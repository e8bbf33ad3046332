"""The process beside a worker of a cluster: what a claim finds there, and what becomes of one that dies."""

import threading
import time
from contextlib import suppress
from dataclasses import replace

import pytest

from theorycheck.evidence.environment import environment
from theorycheck.executors import Job
from theorycheck.executors.shipment import pack
from theorycheck.executors.shipped import Died, ShippedJob, SideProcess
from theorycheck.library.loading import load_file
from theorycheck.plan.settings import Settings

CLAIM = """
import os, signal, sys, threading
from sympy import symbols
from theorycheck import claim, integers

n = symbols("n")

@claim("sum", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 3]}}, closed_form=n * (n + 1) / 2)
def total(ns, n):
    "Sum of the first integers."
    SAID
    return ns.sum(ns.arange(1, n + 1)) + 0 * ns.asarray(1)
"""


@pytest.fixture
def beside():
    process = SideProcess()
    yield process
    with suppress(BrokenPipeError):  # what a dead process did not read
        process.process.stdin.close()
    process.process.wait(timeout=30)


def shipped(folder, said):
    file = folder / "few.py"
    file.write_text(CLAIM.replace("SAID", said))
    (item,) = load_file(file)
    job = Job(file, "sum", "c", Settings("smoke"))
    return ShippedJob(job, file.name, environment("cpu"), {}, item.made_from), pack(
        file, item.made_from
    )


def test_a_claim_runs_in_the_main_thread_of_a_pinned_process(tmp_path, beside):
    said = (
        "assert threading.current_thread() is threading.main_thread()\n"
        "    assert os.environ['PYTHONHASHSEED'] == '1'\n"
        "    print('nothing of a message')\n"
        "    assert sys.stdin.read() == ''"
    )
    done = beside.run(*shipped(tmp_path, said), tell=lambda m: None, memory=None)
    assert done.result.entry.verdict == "pass", done.result.entry.reason
    again = beside.run(*shipped(tmp_path, said), tell=lambda m: None, memory=None)
    assert again.result.entry.verdict == "pass" and beside.process.poll() is None


def test_an_error_outside_of_the_claim_comes_with_its_trace(tmp_path, beside):
    (task, told) = shipped(tmp_path, "pass")
    lost = replace(task, job=replace(task.job, claim_id="product"))
    broke = beside.run(lost, told, tell=lambda m: None, memory=None)
    assert "product" in broke.text
    assert broke.trace.startswith("Traceback") and "executed" in broke.trace
    assert beside.run(task, told, tell=lambda m: None, memory=None).result.entry.verdict == "pass"


def test_what_is_no_message_is_told_with_its_trace_and_ends_the_process(tmp_path, beside):
    beside.process.stdin.write(b"no pickle\n")
    broke = beside.run(*shipped(tmp_path, "pass"), tell=lambda m: None, memory=None)
    assert broke.text.startswith("UnpicklingError") and broke.trace.startswith("Traceback")
    assert beside.process.wait(timeout=30) == 0


def test_a_process_that_dies_is_told(tmp_path, beside):
    task = shipped(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(Died):
        beside.run(*task, tell=lambda m: None, memory=None)
    with pytest.raises(Died):
        beside.run(*task, tell=lambda m: None, memory=None)


def test_a_process_that_grows_over_the_memory_of_its_worker_is_ended(tmp_path, beside):
    task = shipped(tmp_path, "threading.Event().wait(60)")
    with pytest.raises(Died):
        beside.run(*task, tell=lambda m: None, memory=1)


def test_a_process_that_computes_ends_with_its_worker(tmp_path, beside):
    begun = tmp_path / "begun"
    said = f"open({str(begun)!r}, 'w').close()\n    threading.Event().wait(600)"
    task, told = shipped(tmp_path, said), []

    def run():
        try:
            beside.run(*task, tell=lambda m: None, memory=None)
        except Died as died:
            told.append(died)

    waiting = threading.Thread(target=run)
    waiting.start()
    while not begun.exists():
        time.sleep(0.05)
    beside.process.stdin.close()  # as when the worker is gone
    waiting.join(timeout=60)
    assert told and beside.process.wait(timeout=60) == 1


def test_an_idle_process_ends_with_its_worker(beside):
    beside.process.stdin.close()
    assert beside.process.wait(timeout=60) == 0
