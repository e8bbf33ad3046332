"""The blind cases: kept as they were handed over, turned into claims as they are meant, and judged right."""

import hashlib
from collections import Counter

import pytest

from theorycheck.calibration.blind import claims as blind
from theorycheck.calibration.blind.excluded import EXCLUDED, SIZES, UNSEEN
from theorycheck.calibration.page import Accepted, Findings, blind_section
from theorycheck.entries.parts import Resolution
from theorycheck.judge import Judgement

SEED = 20_261_122
CASES = {case.name: case for case in blind.module().CASES}
QUICK = (
    "uniform-max", "dkw", "khintchine", "x-derangements", "x-regions", "l-harmonic-gamma", "l-inverse-square",
    "accuracy-exactly-1", "zero-variance-signs", "sorted-right-variance", "gamma-rows", "lie-records",
    "lie-hoeffding", "lie-jl", "bend-uniform-max", "dull-variance", "fl-hundred", "fl-one-two", "fl-crossover",
    "fl-fifty", "o-power-is-zero", "o-fibonacci", "o-squaring-vanishes", "spike-over-range", "wide-normal",
    "frozen-uniform-max", "one-draw-hinge", "shared-pool", "short-period", "copied-half", "tiled-recording",
    "sorted-wrong-variance",
)  # fmt: skip
"""Under two seconds each; the calibration runs all of them."""


def test_the_file_is_the_one_that_was_handed_over():
    data = blind.FILE.read_bytes()
    assert hashlib.sha256(data).hexdigest() == blind.SHA256
    assert blind.SHA256 == "2178ea9b99594a347a92a919f35a65c4995d52d68435e4310fc950525462a3be"
    assert Counter(c.truth for c in CASES.values()) == {"true": 88, "false": 83, "broken": 36}
    assert len(CASES) == len(blind.module().CASES)


def test_what_is_counted_otherwise_is_named_with_its_reason():
    assert not EXCLUDED and set(UNSEEN) == {"mixture-variance"}
    assert {*EXCLUDED, *UNSEEN, *SIZES, *blind.LOGS} <= set(CASES)
    assert all(CASES[name].truth == "false" for name in (*SIZES, *blind.LOGS))
    assert all(CASES[name].truth == "broken" for name in UNSEEN)


@pytest.mark.parametrize("name", QUICK)
def test_a_case_is_judged_right(name):
    result, judgement = blind.run_case(CASES[name], SEED)
    laws = CASES[name].size and CASES[name].truth == "false"
    assert result.outcome in (("right", "inconclusive") if laws else ("right",)), judgement.reason


def test_a_case_becomes_the_claim_that_it_means():
    claim = blind.claim_of(CASES["ruin"])  # a product of its columns has more points than it
    assert len(claim.points("standard")) == 3
    assert not claim.admits({"i": 5, "l": 4, "p": claim.points("standard")[0]["p"]})
    dkw = blind.claim_of(CASES["dkw"])
    assert str(dkw.closed_form) == "d"  # what may fail
    variance = blind.claim_of(CASES["uniform-max-variance"]).legs[0].statistic
    assert "[0, 1/2]" in variance.text() or "0.5" in variance.text()


def outcome(name, verdict, value=None):
    resolution = None if value is None else Resolution(kind="relative", value=value)
    return blind.outcome(CASES[name], Judgement(verdict, resolution=resolution))


@pytest.mark.parametrize(
    ("name", "verdict", "value", "counts"),
    [
        ("uniform-max", "pass", 0.01, "right"),
        ("uniform-max", "fail", None, "false fail"),
        ("uniform-max", "error", None, "error"),
        ("lie-records", "pass", 0.01, "false pass"),
        ("lie-records", "fail", None, "right"),
        ("lie-records", "inconclusive", None, "inconclusive"),
        ("lie-exp-median", "pass", 0.0099, "unresolved lie"),
        ("lie-exp-median", "pass", 0.009, "false pass"),
        ("copied-half", "pass", 0.01, "false pass"),
        ("copied-half", "fail", None, "false fail"),
        ("copied-half", "error", None, "right"),
        ("o-power-is-zero", "error", None, "right"),
        ("o-power-is-zero", "pass", 0.0, "false pass"),
        ("o-power-is-zero", "inconclusive", None, "inconclusive"),
        ("mixture-variance", "pass", 0.01, "unseen"),
        ("fl-mloglogm", "pass", 0.1, "false pass"),  # it names no logarithm
    ],
)
def test_what_a_verdict_counts_as(name, verdict, value, counts):
    assert outcome(name, verdict, value) == counts


def test_the_page_counts_them_and_names_the_hash():
    result, _ = blind.run_case(CASES["x-derangements"], SEED)
    text = blind_section([result])
    assert blind.SHA256 in text and "mixture-variance" in text
    assert "| blind: exact | truth | 1 | 1 | 0 |" in text
    assert Findings(SEED, [], [], Accepted(0, 0, 0), True, blind=[result]).clean
