"""The table of looks: samples that fit the target resolutions, and legs that ask for others."""

from fractions import Fraction

import pytest
import sympy as sp

from theorycheck import ClaimError, bounded, claim, integers, leg, mean, probability, stats, variant
from theorycheck.plan.budget import ErrorBudget
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import LOOKS, POINTS, SPREAD, Settings
from theorycheck.stats import bernoulli, samples_needed, variance_at_most

n = sp.symbols("n", integer=True, positive=True)
LEVEL = ErrorBudget(1e-6, POINTS).point


@pytest.mark.parametrize("profile", LOOKS)
def test_the_samples_are_those_that_the_target_needs(profile):
    look = LOOKS[profile]
    assert look.samples == samples_needed(variance_at_most(SPREAD**2), LEVEL, look.target)


@pytest.mark.parametrize("profile", LOOKS)
@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 4), Fraction(1, SPREAD**2 + 1)])
def test_a_probability_is_seen_to_its_target_within_the_samples(profile, p):
    look = LOOKS[profile]
    assert samples_needed(bernoulli(), LEVEL, look.target * float(p), mean=float(p)) <= look.samples


@pytest.mark.parametrize("profile", LOOKS)
def test_so_are_bounded_and_sub_gaussian_means_of_that_spread(profile):
    look = LOOKS[profile]
    tails = (stats.sub_gaussian(3.0), stats.bounded(0.0, 2.0))
    assert all(samples_needed(t, LEVEL, look.target, mean=1.0) <= look.samples for t in tails)


def coins(ns, rng, size, n):
    return rng.uniform((size,)) < ns.rational(1, 2)


def planned(profile="standard", rivals=(), **options):
    made = claim("c", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=sp.Rational(1, 2),
                 legs=[leg("value", coins, statistic=probability(), **options)], rivals=rivals)  # fmt: skip
    plan = make_plan(made, Settings(profile))
    return plan.units[0], plan.target_for(made.legs[0])


def test_a_leg_may_ask_for_another_resolution_and_budget():
    unit, target = planned(target=Fraction(1, 20), budget={"standard": 3_000})
    assert (target.sampled, unit.limit) == (0.05, 3_000)
    assert unit.stop.target.sampled == 0.05


def test_by_profile_and_for_the_larger_ones():
    by = {"standard": Fraction(1, 50), "paper": 0.001}
    asked = {p: planned(p, target=by)[1].sampled for p in LOOKS}
    assert asked == {"smoke": 0.05, "standard": 0.02, "deep": 0.02, "paper": 0.001}


def test_a_rival_nearer_than_twice_the_target_still_sharpens_it():
    near = variant("near", closed_form=sp.Rational(51, 100))
    assert planned(rivals=[near], target=Fraction(1, 10))[1].sampled == pytest.approx(0.01)


def test_what_is_all_there_is_is_read_to_the_end():
    unit, target = planned(target="reached", budget={"smoke": 500})
    assert unit.stop is None and target.sampled == 1.0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": 2}, "write a number between 0 and 1"),
        ({"target": "all"}, "no resolution"),
        ({"target": {"quick": 0.1}}, "names profile quick"),
    ],
)
def test_senseless_targets_are_refused(options, words):
    with pytest.raises(ClaimError, match=words):
        leg("value", coins, statistic=mean(bounded(0, 1)), **options)


def test_only_sampled_legs_have_a_target():
    with pytest.raises(ClaimError, match="for sampled legs"):
        leg("value", lambda n: n, target=0.1)
