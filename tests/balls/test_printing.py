"""Digits that are printed are certain."""

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.balls import enclosure_str, to_decimal


def test_rationals() -> None:
    assert to_decimal(fmpq(1, 2)) == "0.5"
    assert to_decimal(7) == "7"
    assert to_decimal(fmpq(-1, 3), 5) == "-0.33333"
    assert to_decimal(fmpq(10) ** 40, 5) == "1.0000e+40"
    assert to_decimal(fmpq(0)) == "0"
    assert enclosure_str(fmpq(22, 7)) == "22/7"


def test_balls_show_only_what_they_hold() -> None:
    assert to_decimal(arb(fmpq(1, 3), fmpq(1, 10**6)), 15).startswith("0.3333")
    assert len(to_decimal(arb(fmpq(1, 3), fmpq(1, 10**6)), 15)) < 10
    assert to_decimal(arb(0, 1)) == "?"
    assert to_decimal(arb("nan")) == "?"
    assert enclosure_str(arb(0, 1)) == "[+/- 1.01]"


def test_at_least_one_digit() -> None:
    with pytest.raises(ValueError, match="digit"):
        to_decimal(fmpq(1, 3), 0)


@given(
    p=st.integers(-(10**9), 10**9),
    q=st.integers(1, 10**9),
    exponent=st.integers(2, 40),
    digits=st.integers(1, 30),
)
def test_the_ball_printed_contains_the_number(p: int, q: int, exponent: int, digits: int) -> None:
    saved = ctx.prec
    ctx.prec = 300
    try:
        number = fmpq(p, q)
        text = enclosure_str(arb(number, fmpq(1, 10**exponent)), digits)
        assert arb(text).contains(number)
        shown = to_decimal(arb(number, fmpq(1, 10**exponent)), digits)
        if shown != "?":
            # off by at most one unit of the last digit shown
            mantissa = shown.split("e")[0].lstrip("-")
            power = int(shown.split("e")[1]) if "e" in shown else 0
            unit = fmpq(10) ** (power - (len(mantissa.split(".")[1]) if "." in mantissa else 0))
            assert abs(arb(shown) - number) < 2 * unit
    finally:
        ctx.prec = saved
