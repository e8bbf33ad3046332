"""Words of reports: verified is never said of weaker evidence."""

from __future__ import annotations

import pytest
from small_entries import entry as made

from theorycheck.entries.parts import Counterexample
from theorycheck.entries.rungs import RUNGS, VERIFIED
from theorycheck.reports import words


@pytest.mark.parametrize("rung", RUNGS)
def test_only_proved_exhaustive_and_certified_passes_are_called_verified(rung):
    entry = made(verdict="pass", rung=rung)
    assert words.standing(entry).startswith("verified") == (rung in VERIFIED)
    assert (words.stands(entry) == "verified") == (rung in {"proved", "exhaustive", "certified"})


@pytest.mark.parametrize("rung", RUNGS)
def test_every_rung_has_words(rung):
    assert words.RUNG_WORDS[rung]


@pytest.mark.parametrize("verdict", ["fail", "inconclusive", "error", "skipped"])
def test_nothing_that_did_not_pass_is_verified_or_supported(verdict):
    for rung in (*RUNGS, None):
        text = words.standing(made(verdict=verdict, rung=rung))
        assert "verified" not in text
        assert "supported" not in text


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
    assert words.place(found) == "k=2, p=4, instance 3: 0.12 against 0.13"
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
    ],
)
def test_lists_show_rounded_values(lhs, text):
    found = Counterexample(point={"n": 1}, lhs=lhs, rhs="0")
    assert words.brief(found) == f"n=1: {text} against 0"


def test_a_bound_that_nothing_came_near_is_not_divided_by():
    said = words.resolution_words(made(tightness={"value": 0.0}))
    assert "any other would have passed" in said
