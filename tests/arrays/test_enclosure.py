"""Enclosures: exact ends, exact round trips, nothing that is not finite."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.numbers.enclosure import Enclosure, NotFinite

rationals = st.fractions().map(lambda q: fmpq(q.numerator, q.denominator)) | st.builds(
    lambda m, e: fmpq(m) * fmpq(2) ** e, st.integers(), st.integers(-3000, 3000)
)
floats = st.floats(allow_nan=False, allow_infinity=False)


@given(rationals, rationals)
def test_round_trip(a: fmpq, b: fmpq) -> None:
    e = Enclosure(min(a, b), max(a, b))
    assert Enclosure.from_json(json.loads(json.dumps(e.to_json()))) == e
    assert e.exact == (a == b)
    assert e.contains(e.mid) and e.contains(e.lo) and e.contains(e.hi)
    assert e.mid - e.rad == e.lo and e.mid + e.rad == e.hi


@given(rationals, rationals, rationals, rationals)
def test_intersection_and_containment(a: fmpq, b: fmpq, c: fmpq, d: fmpq) -> None:
    x, y = Enclosure(min(a, b), max(a, b)), Enclosure(min(c, d), max(c, d))
    apart = x.hi < y.lo or y.hi < x.lo
    assert x.intersects(y) == y.intersects(x) == (not apart)
    assert not x.contains(y) or x.intersects(y)
    assert x.contains(y) == (x.contains(y.lo) and x.contains(y.hi))


@given(floats, st.floats(0, 1e300))
def test_from_floats_is_exact(mid: float, rad: float) -> None:
    e = Enclosure.from_float_interval(mid, rad)
    assert Fraction(int(e.lo.p), int(e.lo.q)) == Fraction(mid) - Fraction(rad)
    assert Fraction(int(e.hi.p), int(e.hi.q)) == Fraction(mid) + Fraction(rad)


@given(floats, st.floats(0, 1e300), st.integers(2, 200))
def test_from_balls_holds_the_ball(mid: float, rad: float, bits: int) -> None:
    with ctx.workprec(bits):
        ball = arb(mid, rad) * 3
    e = Enclosure.from_ball(ball)
    with ctx.workprec(4000):
        assert arb(e.lo) <= ball.lower() + 0 or arb(e.lo).overlaps(ball.lower())
        assert ball.contains(arb(e.mid))
    assert e.contains(fmpq(*mid.as_integer_ratio()) * 3)


def test_ends_of_a_ball_are_its_ends() -> None:
    assert Enclosure.from_ball(arb(3)) == Enclosure(fmpq(3), fmpq(3))
    assert Enclosure.from_ball(arb(1, 0.5)).hi >= fmpq(3, 2)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_not_finite(value: float) -> None:
    for make in (
        lambda: Enclosure.from_float_interval(value, 0.0),
        lambda: Enclosure.from_float_interval(0.0, abs(value)),
        lambda: Enclosure.from_ball(arb(value)),
    ):
        with pytest.raises(NotFinite):
            make()


def test_astronomical_numbers_are_refused_quickly() -> None:
    with pytest.raises(NotFinite):
        Enclosure.from_ball(arb(2) ** (10**12))
    tiny = Enclosure.from_ball(arb(0, 1) * arb(2) ** -(10**12))
    assert tiny.contains(0) and 0 < tiny.hi < fmpq(1, 2**1000)
    with pytest.raises(NotFinite):
        Enclosure.from_json("0x1*2^99999999999")


@pytest.mark.parametrize(
    "text",
    ["", "x", "1/0", "1.5", "nan", "1*2^", "__import__('os')", ["1"], ["1", "2", "3"], 5, None],
)
def test_malformed_text_is_refused(text: object) -> None:
    with pytest.raises(ValueError):
        Enclosure.from_json(text)  # type: ignore[arg-type]


def test_empty_and_inexact_are_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        Enclosure(fmpq(2), fmpq(1))
    with pytest.raises(ValueError, match="negative"):
        Enclosure.from_float_interval(0.0, -1.0)
    with pytest.raises(TypeError):
        Enclosure(fmpq(0), fmpq(1)).contains(0.5)
    with pytest.raises(TypeError):
        Enclosure(0.5, 1)  # type: ignore[arg-type]
