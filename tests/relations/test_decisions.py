"""The decision rules of equality, bounds and optima on hand-made rows."""

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.entries.parts import Resolution
from theorycheck.entries.rungs import weakest
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations import (
    at_least,
    at_most,
    counts,
    equals,
    holds_with_probability,
    maximises,
)
from theorycheck.relations.base import Expected, Row, TargetResolutions
from theorycheck.relations.equality import uniform_factor

TARGETS = TargetResolutions(exact=1e-9, sampled=0.05)


def q(x):
    f = Fraction(x)
    return fmpq(f.numerator, f.denominator)


def row(lo, hi, value, rung="sampled", **more):
    target = Expected("ok", Enclosure(q(value), q(value)))
    return Row({"n": 1}, Enclosure(q(lo), q(hi)), target, rung, samples=10, **more)


small = st.fractions(Fraction(1, 100), Fraction(100))


def test_equality_passes_only_when_seen_sharply():
    assert equals().decide([row("0.99", "1.01", 1)], TARGETS).verdict == "pass"
    wide = equals().decide([row("0.5", "1.5", 1)], TARGETS)
    assert wide.verdict == "inconclusive"
    assert wide.reason.startswith("budget")


def test_equality_fails_when_disjoint_and_names_the_worst_row():
    rows = [row("0.99", "1.01", 1), row("1.1", "1.2", 1), row("2", "3", 1)]
    decision = equals().decide(rows, TARGETS)
    assert (decision.verdict, decision.decisive) == ("fail", 2)


def test_overlapping_balls_never_give_resolution_zero():
    decision = equals().decide([row(1, Fraction(10**12 + 1, 10**12), 1, "certified")], TARGETS)
    assert decision.verdict == "pass"
    assert 0 < decision.resolution.value < 1e-11


def test_exact_equality_has_resolution_zero():
    decision = equals().decide([row(1, 1, 1, "certified")], TARGETS)
    assert decision.resolution == Resolution(kind="relative", value=0.0)


@given(small, small, small, st.fractions(Fraction(-1, 2), Fraction(1, 2)))
def test_resolution_is_the_edge_of_what_the_rows_refute(value, below, above, r):
    """c (1 + r) is refuted exactly when r lies outside the interval that the rows allow."""
    rows = [row(value - below / 1000, value + above / 1000, value)]
    edge = uniform_factor(rows)
    moved = row(value - below / 1000, value + above / 1000, value * (1 + r))
    refuted = equals().decide([moved], TARGETS).verdict == "fail"
    if abs(r) > Fraction(edge) * (1 + Fraction(1, 10**9)):
        assert refuted
    if r in (0,):
        assert not refuted


def test_more_rows_never_blunt_the_resolution():
    one, two = row("0.9", "1.2", 1), row("0.99", "1.3", 1)
    assert uniform_factor([one, two]) <= min(uniform_factor([one]), uniform_factor([two]))


def test_a_zero_met_exactly_says_nothing_of_the_other_points():
    """0 (1 + r) = 0: the exact row refutes no multiple of the closed form."""
    blunt = row("0.99", "1.02", 1)
    zero = row(0, 0, 0, "certified")
    assert uniform_factor([blunt, zero]) == uniform_factor([blunt]) == pytest.approx(0.02)
    assert equals().decide([zero, blunt], TARGETS).resolution.kind == "relative"
    assert equals().decide([zero], TARGETS).resolution == Resolution(kind="absolute", value=0.0)


def test_a_closed_form_that_is_zero_everywhere_has_an_absolute_resolution():
    decision = equals().decide([row("-0.01", "0.02", 0), row("-0.03", "0.01", 0)], TARGETS)
    assert decision.verdict == "pass"
    assert decision.resolution == Resolution(kind="absolute", value=pytest.approx(0.03))
    assert decision.uniform_factor.value == pytest.approx(0.01)


def test_one_blunt_point_is_not_made_up_for_by_sharp_ones():
    """A truth of 1.01 at the first point alone passed with resolution 2.5e-4."""
    blunt, sharp = row("0.98", "1.02", 1), row("999.8", "1000.2", 1000)
    decision = equals().decide([blunt, sharp], TARGETS)
    assert decision.verdict == "pass" and decision.decisive == 0
    assert decision.resolution.value == pytest.approx(0.02)
    assert decision.uniform_factor.value == pytest.approx(2e-4)


def test_exact_is_said_only_where_every_point_is_equal():
    exact, near = row(3, 3, 3), row("4.999999999999", "5.000000000001", 5)
    assert equals().decide([exact, near], TARGETS).resolution.value > 0
    assert equals().decide([exact, exact], TARGETS).resolution.value == 0


def test_a_strict_bound_is_another_relation():
    met, below, touched = row(2, 2, 2), row("0.5", "0.5", 1), row("0.99", "1.0000000001", 1)
    for strict, loose, rows in (
        (at_most(strict=True), at_most(), [below, met]),
        (at_least(strict=True), at_least(), [met]),
    ):
        assert loose.decide(rows, TARGETS).verdict == "pass"
        decision = strict.decide(rows, TARGETS)
        assert decision.verdict == "fail" and decision.decisive == len(rows) - 1
    assert at_most(strict=True).decide([below], TARGETS).verdict == "pass"
    # Equal or not: no inexact look tells.
    assert at_most(strict=True).decide([touched], TARGETS).verdict == "inconclusive"
    assert at_most(strict=True).decide([row("0.99", "1", 1)], TARGETS).verdict == "inconclusive"
    assert at_most().text("f", "g") == "f <= g" and at_most(strict=True).text("f", "g") == "f < g"


def test_tightness_is_stated_where_the_bound_is_loosest_too():
    found = at_most().decide([row(1, 1, 1), row("0.25", "0.5", 1)], TARGETS).tightness
    assert (found.value, found.slack_from) == (1, 1)
    assert (found.loosest, found.loosest_slack) == (0.25, 0.5)
    found = at_most().decide([row(-1, -1, 0), row(-3, -2, 0)], TARGETS).tightness
    assert (found.kind, found.value) == ("absolute", 1)
    assert (found.loosest, found.loosest_slack) == (3, 2)


def test_vanishing_closed_form_uses_the_unit():
    decision = equals().decide([row("-0.01", "0.01", 0, unit=Fraction(1))], TARGETS)
    assert decision.verdict == "pass"
    assert decision.resolution.kind == "absolute"
    assert equals().decide([row("0.01", "0.02", 0, unit=Fraction(1))], TARGETS).verdict == "fail"


@pytest.mark.parametrize("relation", [equals(), at_most(), at_least(), counts(), maximises()])
@pytest.mark.parametrize("status", ["undefined", "nonreal"])
def test_undefined_closed_form_is_a_counterexample(relation, status):
    bad = Row({"n": 7}, Enclosure(q(1), q(1)), Expected(status, None, "1/0"), "certified")
    decision = relation.decide([row(1, 1, 1, "certified"), bad], TARGETS)
    assert (decision.verdict, decision.kind, decision.decisive) == ("fail", "undefined", 1)


def test_undecided_closed_form_is_never_a_verdict():
    bad = Row({"n": 7}, Enclosure(q(1), q(1)), Expected("undecided", None, "wide"), "certified")
    assert equals().decide([bad], TARGETS).verdict == "inconclusive"


@pytest.mark.parametrize(
    ("lo", "hi", "verdict"),
    [
        ("0.5", "0.9", "pass"),
        ("1.1", "1.2", "fail"),
        ("0.97", "1.02", "pass"),
        ("0.5", "2", "inconclusive"),
    ],
)
def test_at_most(lo, hi, verdict):
    assert at_most().decide([row(lo, hi, 1)], TARGETS).verdict == verdict
    mirrored = at_least().decide([row(2 - Fraction(hi), 2 - Fraction(lo), 1)], TARGETS)
    assert mirrored.verdict == verdict


def test_touching_a_bound_says_how_far_it_may_be_passed():
    decision = at_most().decide([row("0.97", "1.02", 1)], TARGETS)
    assert decision.within.value == pytest.approx(0.02)


def test_probability_does_not_touch():
    decision = holds_with_probability().decide([row("0.0", "0.0102", "0.01")], TARGETS)
    assert decision.verdict == "inconclusive"


real = st.fractions(Fraction(-100), Fraction(100))


@given(st.lists(st.tuples(real, small, real), min_size=1, max_size=5), st.sampled_from([1, -1]))
def test_tightness_means_something_for_bounds_of_any_sign(rows, sign):
    """Relative: multiples of the positive bounds beyond it are refuted. Absolute: shifts beyond it."""
    relation = at_most() if sign > 0 else at_least()
    data = [(m, m + w / 100, b) for m, w, b in rows]
    if any((m - b if sign > 0 else b - top) > 0 for m, top, b in data):
        assert relation.decide([row(*d) for d in data], TARGETS).verdict == "fail"
        return
    found = relation.decide([row(*d) for d in data], TARGETS).tightness
    value, nudge = Fraction(found.value), Fraction(1, 10**6)
    assert value >= 0
    if any(b > 0 for *_, b in data):
        assert found.kind == "relative" and value <= 1
        if value < Fraction(1, 1000):
            return
        kappa = value * (1 - nudge)
        moved = [(m, t, b if b <= 0 else b * kappa if sign > 0 else b / kappa) for m, t, b in data]
    else:
        assert found.kind == "absolute"
        moved = [(m, t, b - sign * (value + nudge)) for m, t, b in data]
    assert relation.decide([row(*d) for d in moved], TARGETS).verdict == "fail"


def test_a_bound_that_may_be_arbitrarily_slack_states_no_slack():
    found = at_least().decide([row("-0.01", 2, "0.001")], TargetResolutions(sampled=100)).tightness
    assert found.kind == "relative" and found.slack_from is None


def test_zero_attained_says_nothing_of_multiples():
    """0 <= 0 is met by every multiple of the bound: it is no attained bound beside a slack one."""
    rows = [row(0, 0, 0, "certified"), row("0.2", "0.2", 1, "certified")]
    assert at_most().decide(rows, TARGETS).tightness.value == pytest.approx(0.2)


def test_a_search_states_the_target_and_not_the_gap_it_reached():
    """An optimum claimed larger by less than the target would have passed as well."""
    search = maximises().on_side("search")
    found = search.decide([row(1, 1, "1.00000001", "searched")], TARGETS)
    assert (found.verdict, found.resolution.value) == ("pass", 0.05)
    assert found.extra["gap"] < 1e-7


@given(small, small)
def test_tightness_is_what_refutes_smaller_bounds(measured, bound):
    if measured > bound:
        return
    decision = at_most().decide([row(measured, measured, bound, "certified")], TARGETS)
    tau = Fraction(decision.tightness.value)
    lower = at_most().decide(
        [row(measured, measured, bound * tau * Fraction(999, 1000), "certified")], TARGETS
    )
    assert lower.verdict == "fail"


def test_counts_refuses_what_is_no_exact_integer():
    assert counts().decide([row(3, 3, 3, "certified")], TARGETS).verdict == "pass"
    assert counts().decide([row(4, 4, 3, "certified")], TARGETS).verdict == "fail"
    assert counts().decide([row("2.99", "3.01", 3)], TARGETS).verdict == "inconclusive"
    assert (
        counts().decide([row("1/2", "1/2", "1/2", "certified")], TARGETS).verdict == "inconclusive"
    )


@pytest.mark.parametrize(
    ("side", "low", "meet", "high"),
    [
        ("attained", "inconclusive", "pass", "fail"),
        ("certificate", "fail", "pass", "inconclusive"),
        ("search", "inconclusive", "pass", "fail"),
    ],
)
def test_sides_of_a_maximum(side, low, meet, high):
    relation = maximises().on_side(side)
    assert relation.decide([row("0.5", "0.6", 1)], TARGETS).verdict == low
    assert relation.decide([row("0.99", "1.01", 1)], TARGETS).verdict == meet
    assert relation.decide([row("1.5", "1.6", 1)], TARGETS).verdict == high


def test_a_search_may_stop_near_the_optimum_but_never_pass_it():
    relation = maximises().on_side("search")
    near, far = row("0.999", "0.999", 1), row("0.9", "0.9", 1)
    assert relation.decide([near], TARGETS).verdict == "pass"
    assert relation.decide([near], TARGETS).resolution.value >= 1e-3
    assert relation.decide([near, far], TARGETS).verdict == "inconclusive"
    assert relation.decide([row("1.000001", "1.000001", 1)], TARGETS).verdict == "fail"
    assert maximises().on_side("attained").decide([near], TARGETS).verdict == "inconclusive"
    assert relation.rival_falls([near], TARGETS).verdict == "pass"
    assert relation.rival_falls([near, far], TARGETS).verdict == "fail"


def test_a_rival_construction_that_falls_short_is_refuted():
    assert (
        maximises().on_side("attained").rival_falls([row("0.5", "0.6", 1)], TARGETS).verdict
        == "fail"
    )


def test_weakest_rung():
    assert weakest(["proved", "sampled", "certified"]) == "sampled"
