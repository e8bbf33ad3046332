"""Separations: a conjunction, and only about the methods that were measured."""

import pytest
from flint import fmpq

from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations.base import Expected, Row, TargetResolutions
from theorycheck.relations.separation import separates

TARGETS = TargetResolutions()


def row(low, high, level, component=0, n=1):
    return Row(
        {"n": n},
        Enclosure(fmpq(low, 100), fmpq(high, 100)),
        Expected("ok", Enclosure(fmpq(level, 100), fmpq(level, 100))),
        "sampled",
        component=component,
        samples=100,
    )


def decide(*rows, better="smaller", side=None):
    relation = separates(better=better)
    return (relation if side is None else relation.on_side(side)).decide(rows, TARGETS)


def test_both_sides_hold():
    assert decide(row(0, 1, 5), row(45, 48, 40, 1)).verdict == "pass"


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ((6, 9), (45, 48), "the method"),
        ((0, 1), (20, 39), "the others"),
        ((6, 9), (20, 39), ""),
    ],
)
def test_either_side_refutes(first, second, reason):
    d = decide(row(*first, 5), row(*second, 40, 1))
    assert d.verdict == "fail" and d.reason.startswith(reason)


def test_the_decisive_row_is_named():
    d = decide(row(0, 1, 5), row(45, 48, 40, 1), row(0, 1, 5, n=2), row(20, 30, 40, 1, n=2))
    assert d.verdict == "fail" and d.decisive == 3


@pytest.mark.parametrize(("first", "second"), [((0, 9), (45, 48)), ((0, 1), (30, 48))])
def test_an_undecided_side_is_no_pass(first, second):
    assert decide(row(*first, 5), row(*second, 40, 1)).verdict == "inconclusive"


def test_accuracies_turn_the_sides_around():
    assert decide(row(97, 99, 95), row(50, 55, 60, 1), better="larger").verdict == "pass"
    assert decide(row(97, 99, 95), row(50, 55, 60, 1)).verdict != "pass"
    assert decide(row(80, 90, 95), row(50, 55, 60, 1), better="larger").verdict == "fail"


def test_levels_that_are_not_apart_separate_nothing():
    d = decide(row(0, 1, 40), row(45, 48, 40, 1))
    assert d.verdict == "inconclusive" and d.reason.startswith("vacuous")
    d = decide(row(0, 1, 40), row(45, 48, 30, 1))
    assert d.reason.startswith("vacuous")


def test_one_quantity_alone_separates_nothing():
    assert decide(row(0, 1, 5)).reason.startswith("vacuous")
    assert decide(row(45, 48, 40, 1)).reason.startswith("vacuous")


def test_legs_of_their_own():
    assert decide(row(0, 1, 5), side="attained").verdict == "pass"
    assert decide(row(6, 9, 5), side="attained").verdict == "fail"
    assert decide(row(45, 48, 40), side="certificate").verdict == "pass"
    assert decide(row(20, 30, 40), side="certificate").verdict == "fail"


def test_methods_that_were_tried_are_only_those():
    d = decide(row(45, 48, 40), side="search")
    assert d.verdict == "pass"
    assert d.extra["rung"] == "searched" and d.extra["class"] == "the methods tried"
    assert decide(row(20, 30, 40), side="search").verdict == "fail"


def test_undefined_levels_and_senseless_options():
    broken = Row({"n": 1}, row(0, 1, 5).measured, Expected("undefined", None, "pole"), "sampled")
    assert separates().decide([broken], TARGETS).kind == "undefined"
    with pytest.raises(ValueError, match="smaller"):
        separates(better="faster")


def test_text():
    assert separates().on_side("attained").text("error", "1/20") == "error <= 1/20"
    assert separates().on_side("certificate").text("error", "2/5") == "error >= 2/5"
