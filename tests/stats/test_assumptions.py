"""Tests of assumptions: what they accuse, what they leave alone, and how often they are wrong."""

import itertools
import json
import math
from collections import Counter

import msgspec
import numpy as np
import pytest

from theorycheck.stats import bernoulli, distribution, sub_gaussian, variance_at_most
from theorycheck.stats.assumptions import (
    TESTS,
    Assumptions,
    KeptAssumptions,
    broken,
    record,
    resume,
    shared,
    watch,
)

B = 256
COINS = bernoulli()
LEVEL = 1e-6 / 4096 / 16
GENEROUS = 1e-3


def peaks(x, tail=COINS):
    found = watch(Assumptions(tail, x.shape[1]), x.astype(float)).peaks
    return dict(zip(TESTS, found, strict=True))


def accused(x, tail=COINS, level=LEVEL):
    limit = -math.log(level / len(TESTS))
    return {test for test, peak in peaks(x, tail).items() if peak >= limit}


def normals(blocks, seed=0):
    return np.random.default_rng(seed).normal(size=(blocks, B))


# --- what is broken ------------------------------------------------------------------------------


def test_values_sorted_inside_a_block_are_found_in_one():
    assert "order" in accused(np.sort(normals(1), axis=1))
    coins = np.random.default_rng(1).random((1, B)) < 0.3
    assert accused(np.sort(coins, axis=1)) == {"order"}


def test_a_chain_is_found():
    steps, chain = normals(20), np.zeros((20, B))
    for i in range(1, B):
        chain[:, i] = 0.8 * chain[:, i - 1] + steps[:, i]
    assert "order" in accused(chain)


def test_a_drift_is_found():
    assert "order" in accused(normals(2) + np.linspace(0, 3, B))


def test_one_draw_repeated_over_a_block_is_found_in_two():
    assert accused(np.repeat(normals(2)[:, :1], B, axis=1)) == {"blocks"}
    coins = np.repeat([[0.0], [1.0]], B, axis=1)
    assert accused(coins) == {"blocks"}


def test_a_draw_that_all_values_of_a_block_share_is_found():
    common = 0.5 * np.random.default_rng(3).normal(size=(60, 1))
    assert accused(normals(60) + common) == {"blocks"}


def test_a_frozen_generator_is_found():
    assert accused(np.repeat(normals(1), 2, axis=0)) == {"repeats"}
    assert accused(normals(5)[[0, 1, 2, 3, 4, 0]]) == {"repeats"}


def test_a_frozen_rare_event_is_found_in_time():
    block = np.zeros((1, B))
    block[0, 17] = 1
    assert accused(np.repeat(block, 2, axis=0)) == set()  # as two blocks with one event may be
    assert accused(np.repeat(block, 30, axis=0)) == {"repeats"}


@pytest.mark.parametrize("declare", [sub_gaussian, variance_at_most])
@pytest.mark.parametrize("excess", [10.0, 3.0])
def test_a_deviation_larger_than_declared_is_found_in_the_first_blocks(declare, excess):
    assert accused(excess * normals(2), declare(1.0)) == {"tail"}


def test_tails_heavier_than_declared_are_found():
    rng = np.random.default_rng(5)
    few = rng.standard_t(3, size=(400, B)) / np.sqrt(3)  # variance 1, as declared
    assert "tail" in accused(few, sub_gaussian(1.0))
    assert "tail" in accused(rng.standard_cauchy((40, B)), variance_at_most(1.0))


ANY = distribution()


@pytest.mark.parametrize("times", [2, 3, 4, 60])
def test_values_written_several_times_are_found(times):
    x = normals(16).reshape(-1)
    written = np.tile(x[: x.size // times], times + 1)[: x.size]
    mixed = np.random.default_rng(3).permutation(written)
    assert "copies" in accused(mixed[None], ANY)


def test_a_block_whose_second_half_copies_the_first_is_found_at_once():
    """Such a claim passed with the sharpness of twice as many values as it had."""
    half = normals(1)[:, : B // 2]
    assert accused(np.concatenate([half, half], axis=1), ANY) == {"copies"}


def test_copies_of_a_few_values_are_found_in_time():
    x = normals(60)
    x[:, : B // 4] = x[:, B // 4 : B // 2]
    assert accused(x, ANY) == {"copies"}
    counts = np.random.default_rng(4).poisson(900.0, size=(60, B // 2))
    assert accused(np.concatenate([counts, counts], axis=1), ANY) == {"copies"}


# --- what is not ---------------------------------------------------------------------------------


TIED = {
    "rounded": lambda rng, shape: rng.normal(size=shape).round(1),
    "dice": lambda rng, shape: rng.integers(1, 7, shape),
    "four": lambda rng, shape: rng.integers(0, 4, shape),
    "a wheel of 100": lambda rng, shape: rng.integers(0, 100, shape),
    "a wheel of 500": lambda rng, shape: rng.integers(0, 500, shape),
    "counts": lambda rng, shape: rng.poisson(3.0, shape),
    "waits": lambda rng, shape: rng.geometric(0.05, shape),
    "Zipf": lambda rng, shape: rng.zipf(1.5, shape),
    "walks": lambda rng, shape: np.abs(2 * rng.binomial(30, 0.5, shape) - 30),
    "an atom": lambda rng, shape: np.maximum(rng.normal(size=shape), 0.0),
}


@pytest.mark.parametrize("law", TIED)
@pytest.mark.parametrize("seed", range(5))
def test_values_that_come_often_by_chance_are_left_alone(law, seed):
    x = TIED[law](np.random.default_rng(seed), (64, B))
    assert "copies" not in accused(x, ANY, GENEROUS)


def test_sorted_recordings_are_no_copies():
    x = np.sort(np.random.default_rng(6).integers(0, 50, (1, 20_000)))
    assert accused(x, ANY, GENEROUS) == {"order"}


def test_no_bet_on_copies_gains_on_average():
    """Expected wealth over all outcomes of eight values, for laws that favour few, many or odd ones."""
    laws = [
        (0.25,) * 4,
        (0.5, 0.5),
        (0.7, 0.1, 0.1, 0.1),
        (0.4, 0.4, 0.1, 0.1),
        (0.9, 0.1),
        (0.05, 0.9, 0.05),
    ]
    for law in laws:
        total = np.zeros(2)
        for counts in itertools.product(range(9), repeat=len(law)):
            if sum(counts) != 8:
                continue
            row = np.repeat(np.arange(len(law), dtype=float), counts)
            (wealth,) = (watch(Assumptions(ANY, 8), row[None]).wealth[3],)
            ways = math.factorial(8) / math.prod(math.factorial(c) for c in counts)
            weight = ways * math.prod(p**c for p, c in zip(law, counts, strict=True))
            total += weight * np.exp(wealth)
        assert (total <= 1 + 1e-12).all() and (total > 0.1).all(), (law, total)


@pytest.mark.parametrize("rate", [0.0, 1e-3, 0.5, 0.999, 1.0])
def test_constants_and_rare_events_are_left_alone(rate):
    coins = np.random.default_rng(7).random((300, B)) < rate
    assert accused(coins, level=GENEROUS) == set()
    if rate in (0.0, 1.0):
        assert set(peaks(coins).values()) == {0.0}


@pytest.mark.parametrize("tail", [sub_gaussian(1.0), variance_at_most(1.0), distribution()])
def test_values_as_declared_are_left_alone(tail):
    assert accused(normals(300), tail, GENEROUS) == set()


def test_heavy_tails_are_left_alone_where_they_are_declared():
    x = np.random.default_rng(8).standard_t(3, size=(300, B))
    assert accused(x, variance_at_most(3.0), GENEROUS) == set()
    cauchy = np.random.default_rng(9).standard_cauchy((300, B))
    assert accused(cauchy, distribution(), GENEROUS) == set()


def test_values_sorted_inside_each_block_do_not_pass_for_shared_draws():
    assert accused(np.sort(normals(20), axis=1)) == {"order"}


@pytest.mark.parametrize("block", [1, 2, 3, 17, 64])
def test_any_size_of_a_block(block):
    x = np.random.default_rng(10).normal(size=(200, block))
    assert accused(x, variance_at_most(1.0), GENEROUS) == set()


# --- their error probabilities -------------------------------------------------------------------


def crossing(paths):
    """Smallest a with P(evidence >= log 1/a) > a, None where the bound holds for every a: exactly,
    from all outcomes of a small experiment with their probabilities."""
    worst = sorted(paths, reverse=True)  # by evidence
    total = 0.0
    for evidence, weight in worst:
        total += weight
        if evidence > 1e-6 and total > math.exp(-evidence) * (1 + 1e-9):
            return evidence, total
    return None


@pytest.mark.parametrize("rate", [0.5, 0.1])
@pytest.mark.parametrize("shape", [(4, 3), (2, 6), (3, 4), (6, 2)])
def test_the_bound_on_false_alarms_holds_exactly_on_every_outcome_of_few_coins(rate, shape):
    size = math.prod(shape)
    by_test = {test: [] for test in TESTS}
    for coins in itertools.product((0.0, 1.0), repeat=size):
        ones = sum(coins)
        weight = rate**ones * (1 - rate) ** (size - ones)
        for test, peak in peaks(
            np.array(coins).reshape(shape), variance_at_most(rate * (1 - rate))
        ).items():
            by_test[test].append((peak, weight))
    for test, paths in by_test.items():
        assert math.isclose(sum(w for _, w in paths), 1.0)
        assert crossing(paths) is None, test


def test_no_bet_gains_on_average():
    """Expected wealth after one bet is at most 1, summed over all values of a small law."""
    values, probabilities = (-1.0, 0.0, 3.0), (0.5, 0.3, 0.2)
    mean = sum(v * p for v, p in zip(values, probabilities, strict=True))
    var = sum((v - mean) ** 2 * p for v, p in zip(values, probabilities, strict=True))
    total = Counter()
    for outcome in itertools.product(range(3), repeat=4):
        weight = math.prod(probabilities[i] for i in outcome)
        x = np.array([values[i] for i in outcome]).reshape(2, 2)
        state = watch(Assumptions(variance_at_most(var), 2), x)
        for test, wealth in zip(("order", "blocks", "tail", "copies"), state.wealth, strict=True):
            total[test] += weight * float(np.mean(np.exp(wealth)))
    assert all(expected <= 1 + 1e-12 for expected in total.values()), total


def test_the_gaussian_test_of_a_tail_is_tight():
    """Squares of Gaussian differences: the mean wealth is 1, by 20,000 draws of one bet, to 4 deviations."""
    rng = np.random.default_rng(11)
    wealth = np.array([
        np.mean(np.exp(watch(Assumptions(sub_gaussian(2.0), 2), 2 * rng.normal(size=(1, 2))).wealth[2]))
        for _ in range(20_000)
    ])  # fmt: skip
    assert abs(wealth.mean() - 1) < 4 * wealth.std() / math.sqrt(wealth.size)


# --- the state -----------------------------------------------------------------------------------


def test_cutting_the_stream_elsewhere_changes_nothing():
    x = normals(9)
    whole = watch(Assumptions(variance_at_most(1.0), B), x)
    parts = Assumptions(variance_at_most(1.0), B)
    for cut in (x[:1], x[1:4], x[4:8], x[8:]):
        parts = watch(parts, cut)
    assert parts.peaks == pytest.approx(whole.peaks, abs=1e-9)
    assert [s.digest for s in parts.seen] == [s.digest for s in whole.seen]


def kept(state):
    """The state from what was written of it."""
    written = json.loads(json.dumps(msgspec.to_builtins(state.kept())))
    return Assumptions.of_kept(state.tail, msgspec.convert(written, KeptAssumptions))


def test_a_state_goes_on_from_its_json_where_it_was():
    x = normals(5)
    first = watch(Assumptions(sub_gaussian(1.0), B), x[:3])
    again = kept(first)
    assert again.waits and not first.waits
    on = watch(resume(again, x[2]), x[3:])
    assert on.kept() == watch(first, x[3:]).kept()


def test_peaks_are_read_at_the_count_where_they_were_recorded():
    state = record(watch(Assumptions(bernoulli(), B), normals(1)))
    later = record(watch(state, np.repeat(normals(1), 3, axis=0)))
    later = kept(later)
    assert not broken(later.evidence_at(B), LEVEL)
    assert "frozen" in broken(later.evidence_at(4 * B), LEVEL)
    assert len(later.evidence_at(B).seen) == 1


def test_what_is_judged_is_what_a_shorter_stream_would_have_kept():
    x = normals(6)
    short = record(watch(Assumptions(COINS, B), x[:2]))
    long = record(watch(short, x[2:]))
    assert long.evidence_at(2 * B) == short.evidence_at(2 * B)


def test_streams_that_are_to_be_independent_share_no_block():
    def seen(x):
        return record(watch(Assumptions(COINS, B), x)).evidence_at(x.size)

    assert shared(seen(normals(3)), seen(normals(1)), LEVEL)
    assert not shared(seen(normals(3)), seen(normals(3, seed=1)), LEVEL)
    ones = np.ones((4, B))
    assert not shared(seen(ones), seen(ones), GENEROUS)


def test_blocks_of_another_size_are_refused():
    with pytest.raises(ValueError, match="blocks of 256 values"):
        watch(Assumptions(bernoulli(), B), np.zeros((2, 3)))
