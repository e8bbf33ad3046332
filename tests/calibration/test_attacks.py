"""Attacks on sampling and textbook truths, from claim to verdict: no false verdict, and truths decided."""

from collections import Counter
from dataclasses import replace

import pytest

from theorycheck.calibration.cases import Truth, lies_of, outcome, run_lie, run_truth
from theorycheck.calibration.families import all_truths, attacks, textbook
from theorycheck.calibration.page import Accepted, Findings, attacked_section
from theorycheck.judge import Judgement

SEED = 11
ATTACKS, BOOK = list(attacks.truths()), list(textbook.truths())
QUICK = (
    "orthant of two", "coupon collector", "largest uniform", "median of the largest uniform", "records",
    "characteristic function", "length of a Gaussian vector", "hinge loss of a Gaussian",
    "Gaussian tail", "anti-concentration of a walk",
)  # fmt: skip
"""A second or two of work each, with their lies; the calibration runs all of them."""


def structural(truth: Truth, seed: int) -> list[str]:
    """Outcomes of the truth and of the lies by structure about it."""
    result, done = run_truth(truth, seed)
    bare = replace(truth, bend=None)
    lies = [run_lie(bare, lie, seed)[0].outcome for lie in lies_of(bare, done.judgement)]
    return [result.outcome, *lies]


@pytest.mark.parametrize("truth", ATTACKS, ids=lambda t: f"{t.family}: {t.name}, {t.relation}")
def test_attacked_sampling_gets_an_error_and_what_only_looks_like_it_a_verdict(truth):
    assert set(structural(truth, SEED)) == {"right"}


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_part_of_a_draw_in_common_refutes_no_truth(seed):
    """One block decided, another confirmed: six of 27 such truths were refuted."""
    for truth in ATTACKS:
        if truth.name.endswith("in common"):
            assert run_truth(truth, seed)[0].outcome == "right", truth.name


def test_an_error_is_right_for_unsound_cases_only():
    error = Judgement("error")
    assert outcome(error, 0.0) == outcome(error, 0.1) == "error"
    assert outcome(error, 0.0, sound=False) == outcome(error, 0.1, sound=False) == "right"
    assert outcome(Judgement("fail"), 0.0, sound=False) == "false fail"


def test_there_are_truths_beside_the_attacks():
    kinds = Counter((t.family, t.sound) for t in ATTACKS)
    assert min(sum(n for (_, sound), n in kinds.items() if sound is s) for s in (True, False)) >= 10
    assert {f for f, _ in kinds} == {
        f"attacks: {f}" for f in ("tails", "frozen", "shared", "in order", "dull", "recorded")
    }


@pytest.mark.parametrize("name", QUICK)
def test_textbook_truths_pass_at_standard_and_near_lies_do_not(name):
    (truth,) = (t for t in BOOK if t.name == name)
    assert truth.profile == "standard"
    assert set(structural(truth, SEED)) == {"right"}


def test_the_textbook_has_three_lies_to_a_truth_or_nearly():
    assert len(BOOK) >= 25
    assert sum(len(t.structural) for t in BOOK) >= 2 * len(BOOK)
    assert {t.relation for t in BOOK} == {"equals", "at_most", "at_least", "holds_with_probability"}


def test_the_page_counts_attacks_and_is_not_clean_with_a_false_verdict():
    truth = next(t for t in ATTACKS if not t.sound)
    result, _ = run_truth(truth, SEED)
    good = Findings(SEED, [], [], Accepted(0, 0, 0), True, [result])
    assert good.clean
    assert not replace(good, attacked=[replace(result, outcome="false fail")]).clean
    text = attacked_section([result])
    assert f"| {truth.family} | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 1 |" in text


def test_names_of_cases_make_different_ids():
    """Streams are keyed by it: what shares one shares its draws."""
    truths = [*all_truths(), *ATTACKS, *BOOK]
    assert len({t.claim().id for t in truths}) == len({(t.family, t.name) for t in truths})
