"""Sampling that is broken ends in error, whatever the closed form says; sampling that only looks so does not."""

import re
import warnings
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from theorycheck import (
    at_most,
    bounded,
    claim,
    equals,
    holds_with_probability,
    integers,
    mean,
    probability,
    sub_gaussian,
    variance_at_most,
    variant,
)
from theorycheck.engine.execute import execute
from theorycheck.evidence.cached import InMemory
from theorycheck.plan.settings import Settings

n = sp.symbols("n", integer=True, positive=True)
UNIT = mean(bounded(0, 1))
HALF = sp.Rational(1, 2) + 0 * n
WRONG = [HALF, HALF * sp.Rational(9, 10)]
"""A true and a false closed form of a uniform mean: neither may be judged by broken sampling."""


def about(simulation, form=HALF, statistic=UNIT, relation=None, **parts):
    return claim("sampled", domain={n: integers(1)}, grid={"smoke": {n: [1, 2]}}, closed_form=form,
                 relation=relation or equals(), statistic=statistic, mutate=False, **parts)(simulation)  # fmt: skip


def judged(*args, seed=0, **parts):
    return execute(about(*args, **parts), Settings("smoke", seed)).judgement


# --- generators ----------------------------------------------------------------------------------


def its_own_generator(ns, rng, size, n):
    return np.random.default_rng(0).random(size)


SHARED = np.random.default_rng(1)


def the_module_s_generator(ns, rng, size, n):
    return SHARED.random(size)


def one_draw(ns, rng, size, n):
    return rng.uniform(()) + 0 * np.arange(size)


def drawn_and_ignored(ns, rng, size, n):
    rng.uniform((size,))
    return np.random.default_rng(7).random(size)


def one_of_three_seeds(ns, rng, size, n):
    return np.random.default_rng(int(rng.integers(0, 3, (size,))[0])).random(size)


def common_draw(ns, rng, size, n):
    return (rng.uniform((100,))[0] + rng.uniform((size,))) / 2


def in_order(ns, rng, size, n):
    return np.sort(rng.uniform((size,)))


def a_chain(ns, rng, size, n):
    steps, value, out = rng.uniform((size,)), 0.5, np.empty(size)
    for i in range(size):
        value = 0.9 * value + 0.1 * steps[i]
        out[i] = value
    return out


@pytest.mark.parametrize("form", WRONG)
@pytest.mark.parametrize(
    ("simulation", "words"),
    [
        (its_own_generator, "no point drew from rng"),
        (the_module_s_generator, "no point drew from rng"),
        (one_draw, "drew 1 number for 1024 values"),
        (drawn_and_ignored, "generator is frozen"),
        (one_of_three_seeds, "generator is frozen"),
        (common_draw, "have something in common|disjoint"),
        (in_order, "sorted"),
        (a_chain, "come from a chain"),
    ],
)
def test_broken_sampling_is_an_error(simulation, words, form):
    found = judged(simulation, form)
    assert found.verdict == "error"
    assert re.search(words, found.reason), found.reason


def test_a_seed_drawn_for_a_block_is_sampling():
    def seeded(ns, rng, size, n):
        return np.random.default_rng(int(rng.integers(0, 1 << 62))).random(size)

    assert judged(seeded).verdict == "pass"
    assert judged(seeded, WRONG[1]).verdict == "fail"


def test_a_frozen_stream_does_not_confirm_itself():
    """One frozen block suffices here to refute; the confirming stream gives the same block again."""

    def frozen(ns, rng, size, n):
        rng.uniform((size,))
        return np.random.default_rng(3).random(size)

    found = judged(frozen, HALF / 2)
    assert found.verdict == "error"
    assert "frozen" in found.reason


@pytest.mark.parametrize("rate", [0, Fraction(1, 10**5), Fraction(99_999, 100_000), 1])
def test_rare_events_and_certain_ones_are_not_accused(rate):
    def event(ns, rng, size, n):
        return rng.uniform((size,)) < float(rate)

    bound = rate + Fraction(1, 1000)
    assert judged(event, sp.Rational(bound), probability(), holds_with_probability()).verdict == (
        "pass"
        if bound <= 1
        else judged(event, sp.Rational(bound), probability(), at_most()).verdict
    )
    if rate == 1:
        assert judged(event, 1 + 0 * n, probability()).verdict == "pass"


def test_a_point_that_needs_no_draws_is_not_accused_beside_one_that_does():
    def event(ns, rng, size, n):
        return np.zeros(size) if n == 1 else 1.0 * (rng.uniform((size,)) < 0.5)

    assert judged(event, 1 - 1 / n, probability(), unit=1).verdict == "pass"


# --- tails ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tail", [variance_at_most(1), sub_gaussian(1)])
@pytest.mark.parametrize("deviation", [3, 10])
def test_a_deviation_beyond_the_declared_one_is_an_error_not_a_verdict(tail, deviation):
    """At 10 the truth was refuted, at 3 it passed."""

    def values(ns, rng, size, n):
        return n + deviation * rng.normal((size,))

    found = judged(values, n, mean(tail))
    assert found.verdict == "error"
    assert "larger than the declared tail allows" in found.reason


def test_a_tail_by_point_is_held_against_its_own_point():
    def values(ns, rng, size, n):
        return n * (1 + rng.normal((size,)))

    assert judged(values, n, mean(variance_at_most(n**2))).verdict == "pass"
    assert judged(values, n, mean(variance_at_most(1))).verdict == "error"


# --- what is returned ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("simulation", "words"),
    [
        (lambda ns, rng, size, n: Fraction(1, 2) * rng.uniform(size), "ns.rational"),
        (lambda ns, rng, size, n: rng.uniform((size, 2)), r"shape \(1024, 2\)"),
        (lambda ns, rng, size, n: ns.log(rng.uniform((size,)) - 1), "nan at position 0 is not"),
        (lambda ns, rng, size, n: 0 * rng.uniform((size,)) / (0 * rng.uniform((size,))), "nan"),
    ],
)
def test_bad_blocks_say_what_to_write_and_warn_of_nothing(simulation, words):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = judged(simulation)
    assert found.verdict == "error"
    assert re.search(words, found.reason), found.reason


# --- the same evidence, whichever way it came ----------------------------------------------------


def coins(ns, rng, size, n):
    return rng.uniform((size,)) < ns.rational(n, 7)


def test_a_stream_that_was_cut_goes_on_as_if_it_had_not_been():
    short = about(coins, n / 7, probability(), block=100, budget={"smoke": 3_300})
    long = about(coins, n / 7, probability(), block=100, budget={"smoke": 20_000})
    kept = InMemory()
    execute(short, Settings("smoke"), kept)
    resumed = execute(long, Settings("smoke"), kept).observations
    fresh = execute(long, Settings("smoke")).observations
    assert [o.state for o in resumed] == [o.state for o in fresh]
    assert [o.detail.assumptions for o in resumed] == [o.detail.assumptions for o in fresh]


def test_a_longer_stream_is_cut_to_what_a_shorter_one_would_have_seen():
    short = about(coins, n / 7, probability(), budget={"smoke": 3_300})
    long = about(coins, n / 7, probability(), budget={"smoke": 60_000})
    kept = InMemory()
    execute(long, Settings("smoke"), kept)
    cut = execute(short, Settings("smoke"), kept).observations
    fresh = execute(short, Settings("smoke")).observations
    assert [o.detail.assumptions for o in cut] == [o.detail.assumptions for o in fresh]
    assert [o.samples for o in cut] == [o.samples for o in fresh]


def test_a_rival_program_that_is_broken_is_not_refuted():
    def ahead(ns, rng, size, n):
        return np.sort(rng.uniform((size,))) ** 3

    def uniform(ns, rng, size, n):
        return rng.uniform((size,))

    found = judged(uniform, rivals=[variant("cubes in order", simulation=ahead)])
    assert found.verdict == "inconclusive"
    assert "broken sampling" in found.rivals[0].by
