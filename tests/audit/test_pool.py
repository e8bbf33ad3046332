"""Trials in processes of their own: results, limits, deaths."""

import gc
import os
import time
from functools import partial

from theorycheck.audit.pool import TimedTask, run_all


def square(n):
    return n * n


def die():
    os._exit(3)


def frozen():
    return gc.get_freeze_count()


def forever():
    while True:
        pass


def test_every_result_comes_back_with_its_number():
    tasks = [TimedTask(n, partial(square, n), 60.0) for n in range(7)]
    found = {d.number: d.result for d in run_all(tasks, 3)}
    assert found == {n: n * n for n in range(7)}


def test_a_process_that_dies_or_runs_away_costs_its_own_task_only():
    tasks = [
        TimedTask(0, die, 60.0),
        TimedTask(1, forever, 0.5),
        TimedTask(2, partial(square, 5), 60.0),
    ]
    found = {d.number: d for d in run_all(tasks, 2)}
    assert (found[0].result, found[0].late) == (None, False)
    assert (found[1].result, found[1].late) == (None, True)
    assert found[2].result == 25


def test_processor_time_is_what_a_task_that_waits_does_not_use():
    tasks = [
        TimedTask(0, forever, 60.0, processor=0.5),
        TimedTask(1, partial(time.sleep, 1.5), 60.0, processor=0.5),
    ]
    found = {d.number: d for d in run_all(tasks, 2)}
    assert found[0].late and not found[1].late and not found[1].error


def test_what_a_task_raises_is_told():
    (done,) = run_all([TimedTask(0, partial(square, None), 60.0)], 1)
    assert done.result is None and not done.late and done.error.startswith("TypeError: unsupported")


def test_nothing_is_begun_after_the_end():
    assert (
        list(run_all([TimedTask(0, partial(square, 2), 60.0)], 1, until=time.monotonic() - 1)) == []
    )


def test_what_still_runs_at_the_end_is_cut_and_did_not_run_away():
    tasks = [TimedTask(0, forever, 60.0), TimedTask(1, partial(square, 2), 60.0)]
    (found,) = run_all(tasks, 1, until=time.monotonic() + 0.3)
    assert (found.number, found.result, found.late, found.cut) == (0, None, False, True)


def test_what_a_task_changes_is_gone_with_it():
    kept = []
    task = TimedTask(0, partial(kept.append, 1), 60.0)
    assert [d.number for d in run_all([task], 1)] == [0]
    assert kept == []


def test_the_collector_leaves_alone_what_was_there_before_the_fork():
    (done,) = run_all([TimedTask(0, frozen, 60.0)], 1)
    assert done.result > 1000 and gc.get_freeze_count() == 0
