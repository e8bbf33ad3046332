"""What a claim spends of the run's alpha: every confidence set that a verdict may read counts once.

VERDICTS 4: alpha/4096 a claim, whatever else runs; inside, half for the grid in equal parts, a quarter for
points found adaptively (the k-th 1/(k(k+1)) of it), an eighth for confirming, an eighth for diagnosis.
Verdicts are judged from the kept observations under the alpha that is asked for.
"""

import json
import math
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp
from small_library import finished

import theorycheck.judge.counterexamples
import theorycheck.judge.rows
from theorycheck.calibration.families.building import N, about_n
from theorycheck.claims.statistic import mean, probability, quantile
from theorycheck.claims.variants import hypothesis, variant
from theorycheck.cli import call
from theorycheck.engine.execute import execute
from theorycheck.evidence.observation import Observation
from theorycheck.judge import judge
from theorycheck.numbers.domain import integers
from theorycheck.plan.budget import SLOTS
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings
from theorycheck.relations.scaling import scales_as
from theorycheck.stats import bounded

ALPHA = 1e-6
SLOT = ALPHA / SLOTS


def coin(rng, ns, size, n):
    return rng.uniform((size,)) < ns.rational(9, 10)


def bits(rng, ns, size, n):
    return rng.uniform((size,)) * ns.rational(1, 2) + ns.rational(1, 2)


def fading(rng, ns, size, n):
    return rng.uniform((size,)) < ns.asarray(n) ** ns.rational(-1, 4)


def made(simulation=coin, statistic=None, form="9/10", grid=(5, 8), relation=None, **options):
    statistic = statistic or probability()
    options = {"domain": integers(1), "block": 64, **options}
    build = about_n(simulation, grid, relation, statistic=statistic, **options)
    return build("budget", sp.sympify(form) + 0 * N)


@pytest.fixture
def levels(monkeypatch):
    """The levels at which the confidence set of each observation was taken, by what it observes."""
    seen = defaultdict(set)
    right = theorycheck.judge.rows.measured_values

    def recorded(lg, observation, alpha):
        if lg.statistic is not None:
            where = tuple(sorted((k, str(v)) for k, v in observation.point.items()))
            seen[observation.purpose, lg.name, observation.variant, where].add(alpha)
        return right(lg, observation, alpha)

    for module in (theorycheck.judge.rows, theorycheck.judge.counterexamples):
        monkeypatch.setattr(module, "measured_values", recorded)
    return seen


def spent(levels, *purposes):
    """By the union bound: sets of one stream at several levels are nested, the widest miss counts."""
    return math.fsum(max(v) for key, v in levels.items() if not purposes or key[0] in purposes)


@pytest.mark.parametrize(
    ("simulation", "statistic", "form"),
    [
        (coin, probability(), sp.Rational(4, 5)),
        (bits, mean(bounded(0, 1)), sp.Rational(1, 2)),
        (bits, quantile("1/2"), sp.Rational(1, 2)),
    ],
)
def test_a_fail_with_many_simpler_points_stays_in_its_slot(levels, simulation, statistic, form):
    wrong = made(simulation, statistic, form, grid=(13,))
    done = execute(wrong, Settings("smoke", 1, ALPHA))
    assert done.judgement.verdict == "fail"
    assert done.judgement.counterexample.point == {"n": 1}
    purposes = {key[0] for key in levels}
    assert purposes == {"judge", "confirm", "shrink"}
    assert len([key for key in levels if key[0] == "shrink"]) == 12
    assert spent(levels) <= done.judgement.alpha_spent == SLOT
    assert spent(levels, "judge") == pytest.approx(SLOT / 2)
    assert spent(levels, "confirm") == pytest.approx(SLOT / 8)
    assert spent(levels, "shrink") < SLOT / 4


def test_a_law_is_confirmed_over_its_sweep_within_the_eighth(levels):
    sweep = [2**j for j in range(1, 12, 2)]
    law = made(fading, None, N ** sp.Rational(1, 4), sweep, scales_as(N))
    done = execute(law, Settings("smoke", 1, ALPHA))
    assert done.judgement.verdict == "fail"
    assert spent(levels, "confirm") <= SLOT / 8 * (1 + 1e-12)
    assert spent(levels, "judge") == pytest.approx(SLOT / 2)


def test_data_of_rivals_and_of_dropped_hypotheses_share_the_half(levels):
    def other(rng, ns, size, n):
        return rng.uniform((size,)) < ns.rational(1, 10)

    c = replace(
        made(),
        rivals=(variant("another coin", simulation=other, at={"n": [3, 4]}),),
        assumes=(hypothesis("the coin", without={"n": [1, 2, 3]}, simulation=other),),
    )
    done = execute(c, Settings("smoke", 1, ALPHA))
    assert done.judgement.verdict == "pass"
    assert [r.refuted for r in done.judgement.rivals] == [True]
    assert len([key for key in levels if key[0] == "judge"]) == 2 + 2 + 3
    assert spent(levels, "judge") == pytest.approx(SLOT / 2)
    assert spent(levels, "attack") <= SLOT / 16 * (1 + 1e-12)


def test_exact_evidence_spends_nothing_and_a_run_adds_its_claims_up(tmp_path):
    finished(tmp_path, "run")
    report = json.loads((tmp_path / "reports" / "run" / "report.json").read_text())
    by_claim = {c["id"]: c["alpha_spent"] for c in report["claims"]}
    assert by_claim.pop("toy-mean") == SLOT
    assert set(by_claim.values()) == {0.0}
    assert report["run"]["alpha_spent"] == SLOT


# ---- judging again at another alpha


def seen_again(observations):
    """As they come back from the files of a run."""
    return [Observation.from_json(json.loads(json.dumps(o.to_json()))) for o in observations]


@pytest.mark.parametrize(
    ("statistic", "simulation", "form"),
    [
        (probability(), coin, "9/10"),
        (mean(bounded(0, 1)), bits, "3/4"),
        (quantile("1/2"), bits, "3/4"),
    ],
)
def test_kept_observations_are_judged_at_the_alpha_that_is_asked_for(statistic, simulation, form):
    c = made(simulation, statistic, form)
    done = execute(c, Settings("smoke", 1, ALPHA))
    assert done.judgement.verdict == "pass"
    kept = seen_again(done.observations)
    same = judge(make_plan(c, Settings("smoke", alpha=ALPHA)), kept)
    assert same.resolution == done.judgement.resolution
    found = [
        judge(make_plan(c, Settings("smoke", alpha=10.0**-e)), kept) for e in (1, 3, 6, 12, 24, 250)
    ]
    widths = [j.legs[0].resolution.value for j in found]
    assert widths == sorted(widths)
    assert len(set(widths)) == len(widths)
    # What was just sharp enough at 1e-6 is not at 1e-250, and says that samples are missing.
    assert found[-1].verdict == "inconclusive"
    assert found[-1].reason.startswith("value: budget: seen to")
    assert "budget={'smoke':" in found[-1].would_decide
    assert [j.alpha_spent for j in found] == [10.0**-e / SLOTS for e in (1, 3, 6, 12, 24, 250)]


def test_a_run_stopped_by_its_budget_passes_at_a_larger_alpha():
    c = made(grid=(5,), budget={"smoke": 2560})
    done = execute(c, Settings("smoke", 1, 1e-40))
    assert done.judgement.verdict == "inconclusive"
    assert done.judgement.reason.startswith("value: budget: seen to")
    again = judge(make_plan(c, Settings("smoke", alpha=1e-2)), seen_again(done.observations))
    assert again.verdict == "pass"


def test_the_command_judges_at_its_alpha(tmp_path, monkeypatch, capsys):
    finished(tmp_path, "run")
    monkeypatch.chdir(tmp_path)

    def toy_mean(*options):
        call(["judge", "run", "--from", "library", "--json", *options])
        report = json.loads(capsys.readouterr().out)
        return report, next(c for c in report["claims"] if c["id"] == "toy-mean")

    _, first = toy_mean()
    report, strict = toy_mean("--alpha", "1e-200")
    assert (first["verdict"], strict["verdict"]) == ("pass", "inconclusive")
    assert strict["reason"].startswith("sampled: budget")
    assert report["run"]["alpha"] == 1e-200
    assert report["run"]["alpha_spent"] == strict["alpha_spent"] == 1e-200 / SLOTS
    _, lax = toy_mean("--alpha", "0.5")
    assert lax["verdict"] == "pass"
    assert lax["resolution"]["value"] < first["resolution"]["value"]


# ---- assumptions that break


def drifting(early, late, count=300):
    """Coins that turn within a block: no independent draws from one law."""

    def coins(rng, ns, size, n):
        p = ns.where(ns.arange(size) < count, ns.asarray(early), ns.asarray(late))
        return rng.uniform((size,)) < p

    return coins


@pytest.fixture
def untested(monkeypatch):
    """Tests of assumptions find a drift first; here the intersections of the sets have to."""
    monkeypatch.setattr("theorycheck.judge.verdict.undermined", lambda plan, evidence: "")


def test_a_drift_is_an_error_before_it_empties_an_intersection():
    c = made(drifting(Fraction(1, 10), Fraction(4, 10)), form="3/10", grid=(1,), block=1024)
    found = execute(c, Settings("smoke", 3, ALPHA)).judgement
    assert found.verdict == "error"
    assert found.reason.startswith("broken sampling: value: at n=1")


@pytest.mark.usefixtures("untested")
def test_an_empty_running_intersection_is_an_error():
    c = made(drifting(Fraction(1, 10), Fraction(6, 10)), form="3/10", grid=(1,), block=1024)
    done = execute(c, Settings("smoke", 3, ALPHA))
    assert done.judgement.verdict == "error"
    assert done.judgement.reason.startswith("at n=1: no mean is compatible with the evidence")
    # The evidence is kept and judged again, at a level at which it is no contradiction.
    assert judge(
        make_plan(c, Settings("smoke", alpha=1e-200)), seen_again(done.observations)
    ).verdict == ("inconclusive")


@pytest.mark.usefixtures("untested")
def test_an_assumption_that_breaks_at_a_larger_alpha_is_an_error_and_no_crash():
    c = made(drifting(Fraction(1, 10), Fraction(4, 10)), form="3/10", grid=(1,), block=1024)
    done = execute(c, Settings("smoke", 3, ALPHA))
    assert done.judgement.verdict != "error"
    again = judge(make_plan(c, Settings("smoke", alpha=1e-2)), seen_again(done.observations))
    assert again.verdict == "error"
    assert "no mean is compatible" in again.reason
    assert again.legs == () and again.counterexample is None


def test_a_value_outside_of_the_declared_range_is_an_error():
    done = execute(made(bits, mean(bounded(0, Fraction(3, 4))), "3/4"), Settings("smoke", 1, ALPHA))
    assert done.judgement.verdict == "error"
    assert "contradicts" in done.judgement.reason


def test_a_fail_stands_where_only_a_simpler_point_breaks_the_assumption():
    turning = drifting(Fraction(1, 10), Fraction(9, 10))

    def sometimes(rng, ns, size, n):
        return turning(rng, ns, size, n) if n == 1 else coin(rng, ns, size, n)

    c = made(sometimes, form="1/2", grid=(4,), block=1024)
    done = execute(c, Settings("smoke", 3, ALPHA))
    assert done.judgement.verdict == "fail"
    assert done.judgement.counterexample.confirmed is True
    assert done.judgement.counterexample.point == {"n": 2}


def test_a_leg_that_was_not_reached_is_inconclusive_for_time():
    c = made()
    assert (
        judge(make_plan(c, Settings("smoke", alpha=ALPHA)), []).reason
        == "time: leg 'value' was not observed"
    )
    assert judge(make_plan(c, Settings("smoke", alpha=ALPHA)), []).verdict == "inconclusive"
