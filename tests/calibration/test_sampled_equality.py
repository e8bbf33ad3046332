"""The verdicts on a sampled equality, calibrated exactly at levels that no run could reach.

Three statements: a true equality fails with probability at most alpha; a deviation of at least the
stated resolution passes with probability at most alpha; with enough samples the right verdict comes.
Lies smaller than the resolution are counted apart.
"""

from fractions import Fraction
from itertools import takewhile

import numpy as np
import pytest
from flint import fmpq
from scipy.stats import binom

from theorycheck.calibration.decisions import anytime, at_most, equality
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations import equals
from theorycheck.relations.base import Expected, Row, TargetResolutions
from theorycheck.stats import bernoulli, checkpoints, mean_interval, new_state, update

C, RHO = 0.3, 0.2
DISTANCE = RHO * C
LEVELS = [0.5, 0.2, 0.05, 1e-3, 1e-6, 1e-6 / 4096 / 2]


def looks(last):
    return list(takewhile(lambda n: n <= last, checkpoints()))


@pytest.mark.parametrize("alpha", LEVELS)
def test_a_true_equality_fails_at_most_with_its_level_and_passes_otherwise(alpha):
    found = equality(C, C, DISTANCE, looks(9000), anytime(alpha))
    assert found.failed <= alpha
    assert found.passed >= 1 - alpha - 1e-5


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("times", [1.0, 1.5, 3.0])
def test_a_deviation_of_the_resolution_or_more_passes_at_most_with_the_level(times, sign, alpha):
    found = equality(C + sign * times * DISTANCE, C, DISTANCE, looks(9000), anytime(alpha))
    assert found.passed <= alpha
    if times > 1:
        assert found.failed >= 1 - alpha - 1e-6


@pytest.mark.parametrize("alpha", [0.05, 1e-6])
def test_lies_below_the_resolution_get_any_verdict_and_are_counted_apart(alpha):
    found = equality(C + 0.5 * DISTANCE, C, DISTANCE, looks(20_000), anytime(alpha))
    assert found.passed + found.failed > 0.99
    assert min(found.passed, found.failed) > 0.01


def test_a_small_budget_is_inconclusive_not_wrong():
    found = equality(C + 1.5 * DISTANCE, C, DISTANCE, looks(300), anytime(1e-6))
    assert found.passed <= 1e-6
    assert found.inconclusive > 0.5


# --- The engine takes the same decisions --------------------------------------------------------


def verdict_of(x, alpha, last):
    """Public functions only: state, interval, relation."""
    state, n = new_state(bernoulli()), 0
    for look in looks(last):
        state, n = update(state, x[n:look]), look
        lo, hi = (fmpq(*v.as_integer_ratio()) for v in mean_interval(state, alpha))
        c = fmpq(*C.as_integer_ratio())
        row = Row((), Enclosure(lo, hi), Expected("ok", Enclosure(c, c)), "sampled", samples=n)
        decision = equals().decide([row], TargetResolutions(sampled=float(Fraction(RHO))))
        if decision.verdict != "inconclusive":
            return decision.verdict, n
    return "inconclusive", n


@pytest.mark.parametrize("truth", [C, C + 0.5 * DISTANCE, C + 1.5 * DISTANCE])
def test_frequencies_of_the_engine_are_the_exact_probabilities(truth):
    alpha, last, runs = 0.2, 2500, 150
    exact = equality(truth, C, DISTANCE, looks(last), anytime(alpha))
    rng = np.random.default_rng(9)
    results = [verdict_of(rng.random(last) < truth, alpha, last) for _ in range(runs)]
    for name, probability in (("pass", exact.passed), ("fail", exact.failed)):
        count = sum(verdict == name for verdict, _ in results)
        # Two-sided one in ten thousand: six such comparisons are made, with a fixed seed.
        assert binom.ppf(5e-5, runs, probability) <= count <= binom.ppf(1 - 5e-5, runs, probability)
    mean_n = np.mean([n for _, n in results])
    spread = np.std([n for _, n in results]) / np.sqrt(runs)
    assert abs(mean_n - exact.mean_n) < 4 * spread + 1


# --- What must be noticed -----------------------------------------------------------------------


def test_an_interval_for_one_look_fails_true_equalities_too_often():
    from scipy.stats import norm

    alpha = 0.05
    z = float(norm.isf(alpha / 2))

    def one_look(n, s, m, side):
        return side * (s - n * m) > z * np.sqrt(n * m * (1 - m))

    assert equality(C, C, DISTANCE, looks(9000), one_look).failed > 2 * alpha


def test_a_hand_picked_tolerance_passes_deviations():
    """Pass when the estimate is near, fail when it is not: no level at all."""

    def near(n, s, m, side):
        # c +- distance count as rejected when the estimate is nearer to c.
        return side * (s / n - m) > (DISTANCE if abs(m - C) < 1e-12 else 0.0)

    found = equality(C + 1.5 * DISTANCE, C, DISTANCE, looks(9000), near)
    assert found.passed > 0.1


def test_the_level_is_spent_not_merely_kept():
    """Errors are rarer than alpha by the overshoot at the checkpoints, not by orders of magnitude."""
    for alpha in (0.5, 0.05, 1e-3):
        assert equality(C, C, DISTANCE, looks(9000), anytime(alpha)).failed > alpha / 50


# --- One-sided statements -----------------------------------------------------------------------


@pytest.mark.parametrize("alpha", LEVELS)
@pytest.mark.parametrize("delta", [0.01, 0.2])
def test_one_sided_verdicts_err_at_most_with_half_the_level_at_the_border(delta, alpha):
    # At the border itself both verdicts are errors of the smallest kind.
    found = at_most(delta, delta, looks(9000), anytime(alpha))
    assert found.failed <= alpha / 2 and found.passed <= alpha / 2


@pytest.mark.parametrize("alpha", LEVELS)
def test_one_sided_verdicts_come_on_either_side(alpha):
    holds = at_most(0.1, 0.2, looks(9000), anytime(alpha))
    breaks = at_most(0.3, 0.2, looks(9000), anytime(alpha))
    assert holds.failed <= alpha / 2 and holds.passed > 1 - alpha - 1e-5
    assert breaks.passed <= alpha / 2 and breaks.failed > 1 - alpha - 1e-5


@pytest.mark.parametrize("alpha", [0.05, 1e-6 / 4096 / 2])
def test_never_failing_is_shown_in_about_log_one_over_alpha_by_delta_trials(alpha):
    delta = 0.01
    found = at_most(0.0, delta, looks(20_000), anytime(alpha))
    assert found.passed == 1.0
    assert found.mean_n < 1.7 * np.log(1 / alpha) / delta
