"""What was judged before is had from the cache without loading the claim, and only what nothing has changed for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scale_claims import BROKEN, EXACT, FALSE, write

from theorycheck.evidence.store import open_store
from theorycheck.executors import Job, cached, worker
from theorycheck.executors.local import cached_result
from theorycheck.library.loading import load_file
from theorycheck.plan.settings import Settings


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "store") as opened:
        yield opened


@pytest.fixture
def fresh(monkeypatch):
    """Forget what this process has loaded; loading again then fails the test."""

    def forget():
        monkeypatch.setattr(cached, "_found", {})
        monkeypatch.setattr(cached, "load_or_error", lambda *a, **k: pytest.fail("loaded again"))

    return forget


def jobs(file, **changes):
    items = load_file(file)
    cached.found(items)
    made = [
        Job(file, i.id, "c", Settings("smoke"), origin=i.origin, registers="as they are")
        for i in items
    ]
    return [replace(job, **changes) for job in made]


def test_a_cached_result_is_whole_and_nothing_is_loaded(tmp_path, store, fresh):
    made = jobs(write(tmp_path, EXACT, FALSE))
    worked = [worker.work(job, store) for job in made]
    fresh()
    for job, before in zip(made, worked, strict=True):
        again = cached_result(job, store)
        assert again.entry == before.entry
        assert again.observations == before.observations
        assert again.fresh == 0


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "another kind"},
        {"registers": "edited registers"},
        {"settings": Settings("smoke", alpha=1e-5)},
        {"settings": Settings("smoke", seed=7)},
        {"settings": Settings("standard")},
    ],
)
def test_what_an_entry_depends_on_is_not_passed_over(tmp_path, store, monkeypatch, change):
    (job,) = jobs(write(tmp_path, EXACT))
    worker.work(job, store)

    class Loads(Exception):
        pass

    def loads(job):
        raise Loads

    monkeypatch.setattr(worker, "find", loads)
    assert cached_result(job, store) is not None
    with pytest.raises(Loads):
        cached_result(replace(job, **change), store)


def test_another_content_is_not_used(tmp_path, store):
    (job,) = jobs(write(tmp_path, EXACT))
    worker.work(job, store)
    edited = replace(job.origin, content="another")
    held = cached._evidence(edited, job.settings, store).memo("smoke")
    assert held.find(cached.RESULT, cached._judged_by(job)) is None


def test_errors_are_not_cached(tmp_path, store):
    made = [job for job in jobs(write(tmp_path, BROKEN)) if job.claim_id == "raises"]
    for job in made:
        assert worker.work(job, store).entry.verdict == "error"
        assert cached_result(job, store) is None
    assert made


def test_what_once_failed_unexpectedly_is_looked_at_again(tmp_path, store):
    (job,) = jobs(write(tmp_path, EXACT))
    worker.work(job, store)
    assert cached_result(job, store) is not None
    store.keep_counterexample(job.claim_id, {"n": 3})
    assert cached_result(job, store) is None
