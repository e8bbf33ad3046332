"""Unstated constants: reported, settled or moving, never refuted."""

import math

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations.base import Expected, Row, TargetResolutions
from theorycheck.relations.bounds import at_least, at_most, holds_with_probability
from theorycheck.relations.constants import up_to_constant
from theorycheck.relations.equality import equals

SIZES = [2**k for k in range(3, 13)]
TARGETS = TargetResolutions()


def point(x):
    return Enclosure(fmpq(*float(x).as_integer_ratio()), fmpq(*float(x).as_integer_ratio()))


def rows(f, law, sizes=SIZES, relative=1e-9, **others):
    return [
        Row(
            {"d": n, **others},
            Enclosure(
                point(f(n) * (1 - relative)).lo,
                point(f(n) * (1 + relative)).hi,
            ),
            Expected("ok", point(law(n))),
            "certified",
        )
        for n in sizes
    ]


def decide(f, law, inner=None, targets=TARGETS, **options):
    return up_to_constant(inner or at_most(), in_="d").decide(rows(f, law, **options), targets)


def test_a_flat_constant_passes_and_is_reported():
    d = decide(lambda n: 3 * n + 5, lambda n: n)
    assert d.verdict == "pass"
    low, high = d.extra["constant"]
    assert 3 < low < 3.01 and 3.6 < high < 3.63
    assert "C in [3, 3.6" in d.reason and "flat in d" in d.reason


@pytest.mark.parametrize("power", [0.25, 0.5, 1.0, 2.0])
def test_a_growing_constant_is_evidence_and_no_refutation(power):
    d = decide(lambda n: n ** (1 + power), lambda n: n)
    assert d.verdict == "inconclusive"
    assert f"C moves as d**{power:.2g}" in d.reason
    assert d.would_decide == "larger d"


@settings(max_examples=60, deadline=None)
@given(power=st.floats(-3, 3), log=st.integers(-2, 2), relative=st.sampled_from([1e-9, 0.05, 0.5]))
def test_it_never_fails(power, log, relative):
    f = lambda n: n**power * math.log(n) ** log  # noqa: E731
    for inner in (at_most(), at_least(), equals()):
        assert decide(f, lambda n: 1.0, inner, relative=relative).verdict != "fail"


def test_each_direction_counts_only_against_its_own_side():
    falls, grows = (lambda n: n**0.5), (lambda n: n**1.5)
    assert decide(falls, lambda n: n, at_most()).verdict == "pass"
    assert decide(grows, lambda n: n, at_most()).verdict == "inconclusive"
    assert decide(falls, lambda n: n, at_least()).verdict == "inconclusive"
    assert decide(grows, lambda n: n, at_least()).verdict == "pass"
    assert decide(falls, lambda n: n, equals()).verdict == "inconclusive"
    assert decide(grows, lambda n: n, equals()).verdict == "inconclusive"


def test_a_logarithm_does_not_pass_for_a_constant():
    for relative in (1e-9, 1e-3, 0.05):
        d = decide(lambda n: n * math.log(n), lambda n: n, relative=relative)
        assert d.verdict == "inconclusive"


def test_noise_does_not_hide_growth():
    """Wide intervals make it inconclusive, never a pass."""
    d = decide(lambda n: n**1.1, lambda n: n, relative=0.4)
    assert d.verdict == "inconclusive" and "factor" in d.reason


def test_every_parameter_named_is_swept():
    made = [
        r
        for e in (16, 64, 256, 1024, 4096, 16384)
        for r in rows(lambda n, e=e: n * e**0.5, lambda n: n, e=e)
    ]
    assert up_to_constant(at_most(), in_="d").decide(made, TARGETS).verdict == "pass"
    both = up_to_constant(at_most(), in_=["d", "e"]).decide(made, TARGETS)
    assert both.verdict == "inconclusive" and "C moves as e**0.5" in both.reason


def test_rival_with_a_moving_constant_falls_under_the_model():
    relation = up_to_constant(at_most(), in_="d")
    assert relation.rival_falls(rows(lambda n: n**1.5, lambda n: n), TARGETS).verdict == "fail"
    assert relation.rival_falls(rows(lambda n: n**0.5, lambda n: n), TARGETS).verdict == "pass"
    assert relation.rival_falls(rows(lambda n: 2.0 * n, lambda n: n), TARGETS).verdict == "pass"


def test_too_few_sizes_and_values_that_vanish():
    assert decide(lambda n: n, lambda n: n, sizes=SIZES[:4]).verdict == "inconclusive"
    made = rows(lambda n: n, lambda n: n)
    made[2] = Row(made[2].point, point(0.0), made[2].expected, "certified")
    assert up_to_constant(at_most(), in_="d").decide(made, TARGETS).verdict == "inconclusive"
    made[2] = Row(made[2].point, point(1.0), Expected("undefined", None, "pole"), "certified")
    assert up_to_constant(at_most(), in_="d").decide(made, TARGETS).verdict == "fail"


def test_what_it_composes_with():
    with pytest.raises(ValueError, match="only"):
        up_to_constant(holds_with_probability(), in_="d")
    with pytest.raises(ValueError, match="name the parameters"):
        up_to_constant(at_most(), in_=[])
    text = up_to_constant(at_most(), in_="d").text("error", "1/n")
    assert text == "error <= C 1/n with C free of d"


def test_numbers_in_the_report_are_plain():
    d = decide(lambda n: 3 * n, lambda n: n)
    assert all(isinstance(v, float) for v in d.extra["constant"])
    assert not any(isinstance(v, np.generic) for v in d.extra["constant"])


@pytest.mark.parametrize("power", [0.02, 0.05])
@pytest.mark.parametrize(("inner", "sign"), [(at_most(), 1), (at_least(), -1), (equals(), 1)])
def test_a_pass_says_how_fast_the_constant_may_yet_move(inner, sign, power):
    """A slow power passes the test of what is still to come; the stated exponent owns up to it."""
    d = decide(lambda n: n ** (sign * power), lambda n: 1, inner)
    assert d.verdict == "pass"
    assert d.resolution.kind == "exponent"
    assert d.resolution.value >= power


def test_moving_in_the_direction_that_does_not_count_leaves_the_resolution():
    falling = decide(lambda n: n**-0.5, lambda n: 1)
    assert falling.verdict == "pass"
    assert falling.resolution.value < 0.1
