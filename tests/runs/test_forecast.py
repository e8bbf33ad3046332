"""A plan says what a run would take and could tell apart, and runs nothing."""

import json
from dataclasses import replace

import pytest
from scale_claims import BROKEN, EXACT, FALSE, SAMPLED, write

from theorycheck.cli import call
from theorycheck.evidence.store import open_store
from theorycheck.executors import Job
from theorycheck.executors.local import here
from theorycheck.library.loading import load_file
from theorycheck.library.selecting import select
from theorycheck.plan.keys import Purpose
from theorycheck.plan.settings import Settings
from theorycheck.record.observations import observations_from
from theorycheck.runs import forecast

SMOKE = Settings("smoke")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "store"))
    return tmp_path


def plans(file, settings=SMOKE, store=None):
    return {p.id: p for p in forecast.plan(load_file(file), settings, store)}


def execute(file, store, profile="smoke", only=None):
    jobs = [
        Job(file, i.claim.id, "c", Settings(profile), store)
        for i in load_file(file)
        if only is None or i.claim.id in only
    ]
    with open_store(store) as cache:
        for result in here(jobs, 1):
            cache.record_cost(result.claim_id, Settings(profile), result.cost, result.memory)


def test_nothing_runs_and_nothing_is_written(place, capsys):
    write(place, EXACT, BROKEN)  # running any of these would kill, hang or fill this process
    assert call(["run", "few.py", "--plan", "--profile", "smoke"]) == 0
    out = capsys.readouterr().out
    for claim in ("odd-numbers", "dies", "sleeps", "swells"):
        assert claim in out
    assert out.rstrip().endswith("none of them ran here before: time and memory are unknown")
    assert not (place / "reports").exists()


def test_json_is_for_machines(place, capsys):
    write(place, EXACT, SAMPLED)
    assert call(["run", "few.py", "--plan", "--profile", "smoke", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [p["id"] for p in data["plan"]] == ["odd-numbers", "coin"]
    assert data["total"]["claims"] == 2 and data["total"]["unknown"] == 2


def test_nothing_selected(place):
    write(place, EXACT)
    assert call(["run", "few.py", "-k", "nothing-like-it", "--plan"]) == 5
    assert call(["run", "no-such-claim", "--plan"]) == 4


def test_points_and_samples_are_counted_as_a_run_counts_them(place):
    file = write(place, EXACT, FALSE, SAMPLED)
    found = plans(file)
    for result in here([Job(file, i, "c", SMOKE) for i in found], 1):
        seen = observations_from(result.observations)
        judged = [o for o in seen if o.purpose is Purpose.JUDGE]
        assert found[result.claim_id].observations == len(judged)
        most = found[result.claim_id].samples
        assert most >= sum(o.samples for o in judged) - 1024 * len(judged)


def test_cached_claims_cost_nothing(place):
    file = write(place, EXACT, SAMPLED)
    store = place / "store"
    assert {p.basis for p in plans(file, store=store).values()} == {"never run"}
    execute(file, store, only={"odd-numbers"})
    found = plans(file, store=store)
    assert found["odd-numbers"].cached == found["odd-numbers"].observations
    assert found["odd-numbers"].seconds == 0 and found["odd-numbers"].basis == "cached"
    assert found["coin"].cached == 0 and found["coin"].seconds is None


def test_what_a_shorter_profile_drew_is_cached_only_as_far_as_it_reaches(place):
    file = write(place, EXACT, SAMPLED)
    store = place / "store"
    execute(file, store, only={"coin"})
    assert plans(file, store=store)["coin"].basis == "cached"
    longer = plans(file, Settings("standard"), store)["coin"]
    assert longer.cached == 0 and longer.seconds > 0 and longer.samples > 0
    execute(file, store, "standard", only={"coin"})
    again = plans(file, Settings("standard"), store)["coin"]
    assert (again.cached, again.seconds, again.samples) == (again.observations, 0.0, 0)
    assert plans(file, store=store)["coin"].basis == "cached"  # smoke is the beginning of it


def test_what_is_cached_of_a_longer_run_is_taken_off_its_time(place):
    file = write(place, EXACT)
    store = place / "store"
    execute(file, store)
    with open_store(store) as cache:
        cache.record_cost("odd-numbers", Settings("standard"), 100.0, 1 << 20)
    found = plans(file, Settings("standard"), store)["odd-numbers"]
    assert 0 < found.cached < found.observations
    assert 0 < found.seconds < 100.0 and found.basis == "measured, less what is cached"


def test_costs_are_those_of_the_same_profile_else_scaled(place):
    file = write(place, SAMPLED)
    store = place / "store"
    with open_store(store) as cache:
        cache.record_cost("coin", Settings("smoke"), 2.0, 300 << 20)
    other = Settings("smoke", seed=9)  # the same cost, other evidence
    smoke, standard = plans(file, other, store)["coin"], plans(file, Settings("standard"), store)
    assert (smoke.seconds, smoke.memory, smoke.basis) == (2.0, 300 << 20, "measured")
    longer = standard["coin"]
    assert longer.basis == "scaled from smoke"
    assert longer.seconds == pytest.approx(2.0 * longer.samples / smoke.samples)


def test_the_forecast_agrees_with_what_a_run_needs(place):
    file = write(place, SAMPLED)
    (leg,) = plans(file, Settings("standard"))["coin"].legs
    assert leg.hardest == "n=3" and leg.needed is not None
    (result,) = here([Job(file, "coin", "c", Settings("standard"))], 1)
    seen = observations_from(result.observations)
    used = max(o.samples for o in seen if o.purpose is Purpose.JUDGE)
    assert result.entry.verdict == "pass"
    assert used / 2 <= leg.needed <= 2 * used  # typical data; a stop is a quarter apart


def test_a_budget_that_cannot_resolve_says_what_it_can(place):
    scarce = SAMPLED.replace("statistic=", 'budget={"smoke": 3000}, statistic=')
    (leg,) = plans(write(place, scarce))["coin"].legs
    assert leg.samples == 3000 and leg.needed > 3000
    assert leg.tells_apart.startswith("about") and "would need" in leg.tells_apart


def test_an_impossible_closed_form_is_no_error_of_the_plan(place):
    impossible = SAMPLED.replace("closed_form=1 / n", "closed_form=1 + n")
    (leg,) = plans(write(place, impossible))["coin"].legs
    assert leg.needed is None and "impossible" in leg.tells_apart


def test_the_last_line_says_what_the_time_is_known_of(place):
    from theorycheck.runs.forecast import PlanTotals, _duration

    total = PlanTotals(3, 0, 0, 0, 0.0, seconds_with_workers=0.0, unknown=3, memory=0)
    assert _duration(total, 2) == "none of them ran here before: time and memory are unknown"
    some = _duration(replace(total, unknown=1, seconds_with_workers=4.0), 2)
    assert some == (
        "about 4 s with 2 workers for those that ran here before; time and memory of 1 are unknown"
    )
    assert (
        _duration(replace(total, unknown=0, seconds_with_workers=4.0), 1)
        == "about 4 s with 1 worker"
    )


def test_workers_cannot_beat_the_longest_claim(place):
    file = write(place, EXACT, FALSE, SAMPLED)
    store = place / "store"
    with open_store(store) as cache:
        for claim, seconds in {"odd-numbers": 1.0, "odd-numbers-wrong": 2.0, "coin": 9.0}.items():
            cache.record_cost(claim, SMOKE, seconds, None)
    made = list(plans(file, SMOKE, store).values())
    assert forecast.totals(made, 1).seconds_with_workers == pytest.approx(12.0)
    assert forecast.totals(made, 4).seconds_with_workers == pytest.approx(9.0)


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_bundled_claims_have_a_plan(place, step):
    """At ``deep`` the forecast of all of them takes minutes: a twentieth in every run."""
    chosen = select([])[::step]
    made = forecast.plan(chosen, Settings("deep"), None)
    assert len(made) == len(chosen) > 0
    for item, p in zip(chosen, made, strict=True):
        assert p.observations >= len(item.claim.legs)
        assert len(p.legs) == len(item.claim.legs)
        for lg in p.legs:
            assert lg.tells_apart
    text = forecast.render(made, 2)
    assert all(item.claim.id in text for item in chosen)
