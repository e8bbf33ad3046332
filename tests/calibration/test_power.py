"""The calibration is clean on the engine as it is, and sees planted faults."""

from dataclasses import replace
from fractions import Fraction

import pytest
from flint import fmpq
from msgspec import structs

import theorycheck.engine.execute
import theorycheck.judge.legs
import theorycheck.judge.verdict
import theorycheck.plan.budget
from theorycheck.calibration.cases import LOG_DEVIATION, lies_of, outcome, run_lie, run_truth
from theorycheck.calibration.families import all_truths
from theorycheck.calibration.page import Accepted, Findings, page
from theorycheck.calibration.parts import run_cases, sharp_cases
from theorycheck.calibration.replication import (
    Rate,
    coin_equality,
    coin_unstopped,
    experiments,
    pooled,
    replicate,
)
from theorycheck.claims.statistic import Statistic
from theorycheck.entries.parts import Resolution
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations import bounds, equality
from theorycheck.relations.base import Decision, as_float
from theorycheck.stats import AssumptionBroken

SEED = 3
SLOW = (
    "textbook",
    "coins",
    "sampled: quantile",
    "sampled power laws",
    "power sums",
    "binary digits",
)
TRUTHS = all_truths()
QUICK = [t for t in TRUTHS if t.family not in SLOW][::11]


def chosen(family, count=1):
    return [t for t in TRUTHS if t.family == family][:count]


def cases(truths):
    return run_cases(truths, SEED)


def tally(results, outcome_name):
    return [r for r in results if r.outcome == outcome_name]


# --- The engine as it is ------------------------------------------------------------------------


def test_every_relation_and_kind_of_evidence_has_truths_and_lies():
    pairs = {(t.relation, t.rung) for t in TRUTHS}
    relations = {relation.split("(")[0] for relation, _ in pairs}
    assert relations == {
        "equals", "counts", "at_most", "at_least", "holds_with_probability", "maximises",
        "minimises", "scales_as", "decays_as", "converges_to", "up_to_constant", "separates",
    }  # fmt: skip
    assert {rung for _, rung in pairs} >= {
        "exact", "exhaustive", "rational", "ball", "interval", "external", "proof", "probability",
        "bounded mean", "sub-Gaussian mean", "mean, bounded variance", "quantile",
    }  # fmt: skip
    assert len(TRUTHS) >= 200
    assert len({(t.family, t.name, t.rung, t.relation) for t in TRUTHS}) == len(TRUTHS)


def test_some_of_all_cases_has_no_false_verdict():
    results, accepted = cases(QUICK)
    assert len([r for r in results if r.lie]) > 60
    assert not tally(results, "false pass")
    assert not tally(results, "false fail")
    assert not tally(results, "error")
    assert not [r for r in results if r.false_number]
    assert accepted.held == accepted.claims > 1
    # Lies beyond the stated resolution that are pointwise and affordable do fall.
    refuted = len(tally([r for r in results if r.lie], "right"))
    assert refuted > 0.6 * len([r for r in results if r.lie])


def test_an_empty_intersection_counts_as_exclusion_without_confirmation(monkeypatch):
    def broken(self, state, alpha):
        raise AssumptionBroken("no mean is compatible")

    monkeypatch.setattr(Statistic, "interval", broken)
    cell = replicate(coin_equality(3.0), 0.5, 5, SEED)
    assert (cell.errors, cell.excluded.count, cell.inconclusive) == (5, 5, 0)
    assert (cell.failed.count, cell.failed.open) == (0, 5)
    assert cell.failed.interval[1] == 1.0


@pytest.mark.parametrize("level", [0.5, 0.05])
def test_replicated_runs_agree_with_exact_sums(level):
    assert replicate(coin_equality(0.0), level, 60, SEED).kept
    assert replicate(coin_equality(3.0), level, 40, SEED).kept


def test_every_experiment_runs():
    for experiment, levels in experiments():
        cell = replicate(experiment, levels[0], 4, SEED)
        assert cell.failed.runs == 4
        passed = cell.passed.count + cell.excluded.count + cell.inconclusive
        assert passed == 4


def test_the_page_is_made_of_what_was_found():
    results, accepted = cases(QUICK[:4])
    cell = replicate(coin_equality(3.0), 0.5, 10, SEED)
    findings = Findings(SEED, results, [cell], accepted, quick=True)
    other = replace(findings, seed=SEED + 1, results=results[1:])
    sharp = sharp_cases(chosen("sampled: probability", 2), SEED)
    text = page([findings, other], sharp)
    assert findings.clean
    assert f"--seed {SEED} --seed {SEED + 1} --quick" in text
    lies = sum(r.lie for r in results)
    assert f"| known lies | {lies} | {lies} |" in text
    assert f"| known truths | {len(results) - lies} | {len(results) - lies - 1} |" in text
    assert (
        "| **false passes** (pass with a stated resolution below the deviation) | 0 | 0 |" in text
    )
    assert [r.outcome for r in sharp] == ["right", "right"]
    assert all(r.stated <= 1e-2 for r in sharp)


def test_seeds_are_pooled_as_one_experiment():
    cell = replicate(coin_equality(3.0), 0.5, 30, SEED)
    other = replicate(coin_equality(3.0), 0.5, 30, SEED + 1)
    both = pooled([cell, other])
    assert (both.failed.count, both.failed.runs) == (cell.failed.count + other.failed.count, 60)
    assert both.samples == pytest.approx((cell.samples + other.samples) / 2)
    assert both.noise < max(cell.noise, other.noise)
    assert pooled([cell]) == cell
    assert not replace(both, failed=Rate(0, 60, exact=both.failed.exact)).kept


@pytest.mark.parametrize("outcome_name", ["false pass", "false fail", "error"])
def test_a_page_with_a_false_verdict_is_not_clean(outcome_name):
    results, accepted = cases(chosen("Fermat"))
    spoilt = [replace(results[0], outcome=outcome_name), *results[1:]]
    assert not Findings(SEED, spoilt, [], accepted, True).clean
    lying = [replace(results[0], false_number="tightness 2 above 1"), *results[1:]]
    assert not Findings(SEED, lying, [], accepted, True).clean
    assert not Findings(SEED, results, [], Accepted(2, 1, 0), True).clean


def test_rates():
    assert Rate(0, 100, bound=0.05).kept
    assert not Rate(20, 100, bound=0.05).kept
    assert Rate(5, 100, exact=0.03).kept
    assert not Rate(0, 1000, exact=0.03).kept
    # Runs of which nothing is known widen the interval, on their side only.
    assert not Rate(90, 100, exact=0.9999).kept
    assert Rate(90, 100, exact=0.9999, open=10).kept
    assert Rate(90, 100, open=10).interval == (Rate(90, 100).interval[0], 1.0)
    low, high = Rate(0, 100).interval
    # Clopper and Pearson by hand: (1 - p)**100 = (1 - 0.999)/2.
    assert low == 0.0
    assert high == pytest.approx(1 - 0.0005 ** (1 / 100))


# --- Planted faults -----------------------------------------------------------------------------


def narrowed(share):
    """Intervals of a statistic cut to a share of their width about the middle."""
    right = Statistic.interval

    def interval(self, state, alpha):
        e = right(self, state, alpha)
        half = (e.hi - e.lo) / 2 * fmpq(*Fraction(share).as_integer_ratio())
        return Enclosure(e.mid - half, e.mid + half)

    return interval


def test_intervals_a_quarter_too_narrow_are_seen_by_the_exact_sums(monkeypatch):
    monkeypatch.setattr(Statistic, "interval", narrowed(Fraction(3, 4)))
    assert not replicate(coin_equality(0.0), 0.5, 100, SEED).kept


def test_intervals_far_too_narrow_break_the_proved_bound(monkeypatch):
    monkeypatch.setattr(Statistic, "interval", narrowed(Fraction(1, 5)))
    cell = replicate(coin_unstopped(), 0.5, 60, SEED)
    assert not Rate(cell.excluded.count, 60, bound=0.5).kept


def test_intervals_far_too_narrow_give_false_verdicts_at_the_default_level(monkeypatch):
    monkeypatch.setattr(Statistic, "interval", narrowed(Fraction(1, 20)))
    results, _ = cases(chosen("sampled: probability", 2))
    assert tally(results, "false fail") or tally(results, "false pass")


def test_a_level_that_is_not_divided_is_seen(monkeypatch):
    """The confidence sets get the whole slot instead of half of it."""
    monkeypatch.setattr(theorycheck.plan.budget, "GRID_SHARE", 1.0)
    assert not replicate(coin_equality(0.0), 0.2, 250, SEED).kept


def test_a_forgotten_confirmation_is_seen(monkeypatch):
    monkeypatch.setattr(theorycheck.judge.verdict, "confirm", lambda *arguments: None)
    cell = replicate(coin_equality(0.0), 0.5, 200, SEED)
    assert cell.excluded.kept
    assert not cell.failed.kept


def test_inconclusive_taken_for_a_pass_is_seen(monkeypatch):
    right = theorycheck.engine.execute.judge

    def lenient(*arguments, **options):
        judgement = right(*arguments, **options)
        if judgement.verdict == "inconclusive":
            return replace(judgement, verdict="pass")
        return judgement

    monkeypatch.setattr(theorycheck.engine.execute, "judge", lenient)
    results, _ = cases([*chosen("limits"), *chosen("identities")])
    assert {r.relation for r in tally(results, "false pass")} == {"converges_to", "equals"}


def test_an_overstated_resolution_is_seen(monkeypatch):
    right = equality.Equals.decide

    def blind(self, rows, targets):
        found = right(self, rows, targets)
        if found.resolution is None:
            return found
        hundredth = structs.replace(found.resolution, value=found.resolution.value / 100)
        return replace(found, resolution=hundredth, uniform_factor=hundredth)

    monkeypatch.setattr(equality.Equals, "decide", blind)
    truths = chosen("array programs", 3)
    results, accepted = cases(truths)
    assert accepted.held < accepted.claims
    assert tally(results, "false pass")


def test_a_hand_picked_tolerance_is_seen(monkeypatch):
    """Equality within one part in a million, whatever the evidence says."""
    right = equality.Equals.decide

    def near(self, rows, targets):
        if all(abs(as_float((r.measured.mid - r.target.mid) / r.scale)) < 1e-6 for r in rows):
            return Decision("pass", resolution=Resolution(kind="relative", value=0.0))
        return right(self, rows, targets)

    monkeypatch.setattr(equality.Equals, "decide", near)
    results, _ = cases([*chosen("surds"), *chosen("array programs")])
    assert len(tally(results, "false pass")) >= 8


def test_a_bound_that_forgets_its_scale_states_false_tightness(monkeypatch):
    right = bounds.Bound._tightness

    def careless(self, rows):
        return structs.replace(right(self, rows), value=1.0)

    monkeypatch.setattr(bounds.Bound, "_tightness", careless)
    results, _ = cases(chosen("n + 1 <= 2^n", 2))
    assert [r for r in results if r.false_number]


def test_a_closed_form_that_is_ignored_is_seen(monkeypatch):
    """Every row compares the simulation with itself."""
    right = theorycheck.judge.legs.rows_of

    def itself(*arguments):
        rows = right(*arguments)
        return [replace(r, expected=replace(r.expected, enclosure=r.measured)) for r in rows]

    monkeypatch.setattr(theorycheck.judge.legs, "rows_of", itself)
    results, _ = cases(chosen("surds", 2))
    assert tally(results, "false pass")


def test_an_outcome_needs_the_stated_resolution():
    """A lie of 1.5 rho that passes while rho is stated is a false pass; with 2 rho it is unresolved."""
    truth = chosen("array programs")[0]
    _, executed = run_truth(truth, SEED)
    judgement = executed.judgement
    stated = judgement.resolution.value
    assert outcome(judgement, 1.5 * stated) == "false pass"
    twice = structs.replace(judgement.resolution, value=2 * stated)
    judgement = replace(judgement, resolution=twice)
    assert outcome(judgement, 1.5 * stated) == "unresolved lie"
    assert outcome(judgement, 0.0) == "right"
    # A factor log n hides behind no resolution, only behind a pass that names it.
    assert outcome(judgement, LOG_DEVIATION) == "false pass"
    first, *rest = judgement.legs
    named = structs.replace(first, further={**first.further, "unresolved": "(log n)**(+1)"})
    judgement = replace(judgement, legs=(named, *rest))
    assert outcome(judgement, LOG_DEVIATION) == "unresolved lie"
    judgement = replace(judgement, verdict="fail")
    assert outcome(judgement, 0.0) == "false fail"
    assert outcome(judgement, 1.5 * stated) == "right"


def test_lies_are_wrong_by_what_they_say():
    truth = chosen("array programs")[0]
    _, executed = run_truth(truth, SEED)
    for label, claim, bent, deviation in lies_of(truth, executed.judgement):
        if bent is not None:
            value = truth.form.subs("n", 5)
            lie = claim.closed_form.subs("n", 5)
            assert abs(float((value - lie) / lie) - float(bent)) <= 1e-12 * abs(float(bent)) + 1e-50
            assert deviation == abs(float(bent))
        assert claim.id != truth.claim().id, label


@pytest.mark.parametrize("family", ["power laws", "limits", "implied constants"])
def test_laws_never_pass_a_lie_beyond_what_they_state(family):
    for truth in chosen(family, 2):
        result, executed = run_truth(truth, SEED)
        assert result.outcome == "right"
        for lie in lies_of(truth, executed.judgement):
            assert run_lie(truth, lie, SEED)[0].outcome in (
                "right",
                "inconclusive",
                "unresolved lie",
            )
