"""Limits without a rate: never refuted, passed only when what is still to come is small."""

import math

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations.base import Expected, Row, TargetResolutions
from theorycheck.relations.convergence import converges_to, decays_as

SIZES = [2**k for k in range(4, 14)]
TARGETS = TargetResolutions(sampled=1e-2)


def point(x):
    q = fmpq(*float(x).as_integer_ratio())
    return Enclosure(q, q)


def rows(f, limit, sizes=SIZES, width=1e-12, unit=None, **others):
    return [
        Row(
            {"n": n, **others},
            Enclosure(point(f(n) - width).lo, point(f(n) + width).hi),
            Expected("ok", point(limit if not callable(limit) else limit(n))),
            "sampled",
            unit=unit,
        )
        for n in sizes
    ]


def decide(f, limit, targets=TARGETS, **options):
    return converges_to("n").decide(rows(f, limit, **options), targets)


@pytest.mark.parametrize("f", [lambda n: 2 + 1 / n, lambda n: 2 - 3 / n, lambda n: 2.0])
def test_settled_limits_pass(f):
    d = decide(f, 2)
    assert d.verdict == "pass"
    low, high = d.extra["limit"]
    assert low <= 2 <= high
    assert d.resolution.kind == "relative" and d.resolution.value <= 1e-2


@settings(max_examples=80, deadline=None)
@given(
    limit=st.floats(-3, 3),
    size=st.floats(-2, 2),
    omega=st.floats(0.25, 3),
    width=st.sampled_from([1e-12, 1e-4, 1e-2, 0.3]),
)
def test_within_the_model_the_interval_holds_the_limit(limit, size, omega, width):
    d = decide(lambda n: limit + size * n**-omega, limit, width=width)
    assert d.verdict != "fail" and not d.extra.get("elsewhere")


@settings(max_examples=60, deadline=None)
@given(power=st.floats(-2, 2), limit=st.floats(-2, 2), width=st.sampled_from([1e-9, 0.1]))
def test_it_never_fails(power, limit, width):
    assert decide(lambda n: n**power, limit, width=width).verdict != "fail"


@pytest.mark.parametrize(
    ("f", "limit"),
    [
        (lambda n: 2 + 1 / n, 2.05),
        (lambda n: 2 + 1 / n, 0),
        (lambda n: math.log(n), 8),
        (lambda n: 2 + 5 * n**-0.25, 2),
        (lambda n: 1 / math.log(n), 0),
        (lambda n: n * 1.0, 16384),
    ],
)
def test_wrong_or_slow_limits_do_not_pass(f, limit):
    d = decide(f, limit, unit=None if limit else 1)
    assert d.verdict == "inconclusive" and d.reason.startswith("not resolved")


def test_a_limit_elsewhere_is_said_and_a_rival_falls():
    d = decide(lambda n: 2 + 1 / n, 3)
    assert "tends elsewhere" in d.reason
    relation = converges_to("n")
    assert relation.rival_falls(rows(lambda n: 2 + 1 / n, 3), TARGETS).verdict == "fail"
    assert relation.rival_falls(rows(lambda n: 2 + 1 / n, 2), TARGETS).verdict == "pass"
    slow = rows(lambda n: 2 + 5 * n**-0.25, 2)
    assert relation.rival_falls(slow, TARGETS).verdict == "inconclusive"


def test_wide_intervals_do_not_pass():
    assert decide(lambda n: 2.0, 2, width=0.1).verdict == "inconclusive"


def test_limit_zero_needs_a_unit():
    d = decide(lambda n: 1 / n, 0, unit=1)
    assert d.verdict == "pass" and d.resolution.kind == "absolute"


def test_towards_zero_and_several_sweeps():
    from fractions import Fraction

    sizes = [Fraction(1, n) for n in SIZES]
    made = [
        Row({"n": e}, point(2 + float(e)), Expected("ok", point(2)), "certified") for e in sizes
    ]
    assert converges_to("n", to=0).decide(made, TARGETS).verdict == "pass"
    both = [*rows(lambda n: 2 + 1 / n, 2, d=1), *rows(lambda n: 2 + 5 * n**-0.25, 2, d=2)]
    d = converges_to("n").decide(both, TARGETS)
    assert d.verdict == "inconclusive" and both[d.decisive].point["d"] == 2


def test_what_cannot_be_judged():
    assert decide(lambda n: 2.0, 2, sizes=SIZES[:4]).reason.startswith("sizes")
    assert converges_to("m").decide(rows(lambda n: 2, 2), TARGETS).reason.startswith("vacuous")
    with pytest.raises(ValueError, match="oo or 0"):
        converges_to("n", to=1)


# ---------------------------------------------------------------- decays_as


def test_a_rate_is_a_scaling_law():
    good = rows(lambda n: 3 / n * (1 + 1 / n), lambda n: 1 / n, width=0)
    assert decays_as("n").decide(good, TargetResolutions()).verdict == "pass"
    bad = rows(lambda n: 3 / math.sqrt(n), lambda n: 1 / n, width=0)
    assert decays_as("n").decide(bad, TargetResolutions()).verdict == "fail"


def test_a_rate_that_does_not_fall_is_vacuous():
    d = decays_as("n").decide(rows(lambda n: n, lambda n: n, width=0), TargetResolutions())
    assert d.verdict == "inconclusive" and d.reason.startswith("vacuous")
