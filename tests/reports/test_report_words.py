"""Words of reports: never more than what was paid for."""

from __future__ import annotations

import pytest
from small_entries import entry as made

from theorycheck.entries.parts import Counterexample, LegEntry, Resolution
from theorycheck.entries.rungs import RUNGS
from theorycheck.reports import words


@pytest.mark.parametrize("rung", RUNGS)
def test_each_rung_is_called_what_it_is(rung):
    entry = made(verdict="pass", rung=rung, points=14)
    said = {"proved": "proved", "exhaustive": "checked completely", "certified": "checked at 14 points",
            "computed": "supported by computation", "sampled": "supported by sampling",
            "fitted": "supported by a fitted law", "searched": "supported by search"}  # fmt: skip
    assert words.standing(entry) == said[rung]
    whole = rung in {"proved", "exhaustive"}
    assert words.stands(entry) == (
        "proved" if whole else "checked" if rung == "certified" else "supported"
    )
    assert words.standing(made(verdict="pass", rung="certified", points=1)) == "checked at 1 point"


def test_a_refutation_by_samples_says_so():
    assert words.standing(made(verdict="fail", rung="sampled")) == "refuted by sampling"
    assert words.standing(made(verdict="fail", rung="certified")) == "refuted"


@pytest.mark.parametrize("rung", RUNGS)
def test_every_rung_has_words(rung):
    assert words.RUNG_WORDS[rung]


@pytest.mark.parametrize("verdict", ["fail", "inconclusive", "error", "skipped"])
def test_nothing_that_did_not_pass_is_said_to_hold(verdict):
    for rung in (*RUNGS, None):
        text = words.standing(made(verdict=verdict, rung=rung))
        for word in ("verified", "supported", "proved", "checked"):
            assert word not in text


@pytest.mark.parametrize(
    ("verdict", "expected", "surprise"),
    [
        ("pass", "pass", False),
        ("fail", "fail", False),
        ("fail", "pass", True),
        ("pass", "fail", True),
        ("error", "pass", True),
        ("inconclusive", "pass", True),
        ("skipped", "pass", False),
    ],
)
def test_unexpected(verdict, expected, surprise):
    assert words.unexpected(made(verdict=verdict, expected=expected)) is surprise


@pytest.mark.parametrize(
    ("value", "kind", "part"),
    [
        (0, "relative", "Exact"),
        (0.042, "relative", "4.2 %"),
        (2.5e-37, "relative", "a relative 2.5e-37"),
        (0.03, "exponent", "exponent off by 0.03"),
        (0.5, "absolute", "off by 0.5 or more"),
    ],
)
def test_resolution_says_what_would_have_been_refuted(value, kind, part):
    entry = made(resolution={"kind": kind, "value": value})
    assert part in words.resolution_words(entry)


@pytest.mark.parametrize(
    ("further", "said"),
    [
        ({}, "0.01 relative"),
        ({"uniform_factor": {"kind": "relative", "value": 0.0025}}, "0.01 relative, 0.0025 for a uniform factor"),
        ({"uniform_factor": {"kind": "relative", "value": 0}}, "0.01 relative"),
        ({"uniform_factor": {"kind": "absolute", "value": 0.001}}, "0.01 relative"),
        ({"kind": "absolute", "violation_at_most": 1e-30}, "0.01 relative, within 1.0e-30 of the bound"),
    ],
)  # fmt: skip
def test_what_a_relation_says_of_a_leg_is_worded(further, said):
    leg = LegEntry(name="l", resolution=Resolution(kind="relative", value=0.01), further=further)
    assert words.leg_sharpness(leg) == said


def test_tightness_of_an_attained_bound_and_of_a_slack_one():
    attained = words.resolution_words(made(tightness={"value": 1.0}))
    slack = words.resolution_words(made(tightness={"value": 0.25}))
    entry = made(tightness={"kind": "absolute", "value": 0.25})
    assert "comes to 0.25 of the bound (absolute)" in words.resolution_words(entry)
    assert words.sharpness(entry) == "within 0.25 of it"
    entry = made(tightness={"kind": "absolute", "value": 0.0})
    assert "attained" in words.resolution_words(entry)
    assert "attained" in attained
    assert "25 % of the bound" in slack and "a factor of more than 4" in slack
    assert words.resolution_words(made(tightness={"value": None})) == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.031, "0.03 s"), (9.94, "9.9 s"), (12.4, "12 s"), (185, "3 min 5 s"), (7800, "2 h 10 min")],
)
def test_durations(seconds, text):
    assert words.duration(seconds) == text


def test_place_of_a_counterexample():
    found = Counterexample(point={"k": 2, "p": 4}, instance=3, lhs="0.12", rhs="0.13")
    assert words.place(found) == "k=2, p=4, instance 3: measured 0.12, claimed 0.13"
    assert words.place(Counterexample(lhs="no certificate")) == "no certificate"


@pytest.mark.parametrize(
    ("lhs", "text"),
    [
        ("[0.125000000000 +/- 3e-17]", "0.125"),
        ("[-1.54361292483e-7 +/- 1.61e-23]", "-1.5436e-07"),
        ("10000000000000000000000", "1e22"),
        ("12000000", "12e6"),
        ("1000", "1000"),
        ("26333/65536", "26333/65536"),
        ("824633720831/274877906944", "3"),
        ("-1/1099511627776", "-9.09495e-13"),
        ("0.005153775207320", "0.00515378"),
    ],
)
def test_lists_show_rounded_values(lhs, text):
    found = Counterexample(point={"n": 1}, lhs=lhs, rhs="0")
    assert words.brief(found) == f"n=1: measured {text}, claimed 0"


def test_a_bound_that_nothing_came_near_is_not_divided_by():
    said = words.resolution_words(made(tightness={"value": 0.0}))
    assert "a sharper one would have passed" in said


@pytest.mark.parametrize(
    ("text", "at", "measured", "claimed"),
    [
        ("n=3: measured 9, claimed [10 +/- 1e-9]", "n=3", "9", "[10 +/- 1e-9]"),
        ("n=3, instance 2: 9 against 10", "n=3, instance 2", "9", "10"),
        ("measured 1/2, claimed undefined", "", "1/2", "undefined"),
        ("a counterexample, decided exactly", "a counterexample, decided exactly", "", ""),
        ("a vote against it", "a vote against it", "", ""),
    ],
)
def test_both_sides_of_a_rival_are_told_apart(text, at, measured, claimed):
    assert words.told_apart(text) == words.ToldApart(at, measured, claimed)
