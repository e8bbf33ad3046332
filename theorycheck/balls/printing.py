"""Balls and rationals as decimals of which every digit shown is certain."""

from __future__ import annotations

from flint import arb, ctx, fmpq, fmpz

_LONGEST = 60  # characters up to which an exact rational is written as p/q


def to_decimal(x: arb | fmpq | int, digits: int = 15) -> str:
    """At most ``digits`` significant digits, off by at most one in the last one; fewer if the ball does
    not hold so many, "?" if it holds none. Exact short decimals are written in full."""
    if digits < 1:
        raise ValueError(f"digits = {digits}: at least one digit is printed")
    if isinstance(x, int | fmpz):
        x = fmpq(x)
    saved = ctx.prec
    try:
        ctx.prec = max(saved, int(digits * 3.4) + 64)
        if isinstance(x, fmpq):
            if x.q == 1 and len(str(x)) <= digits:
                return str(x.p)
            x = arb(x)
        text = x.str(digits, radius=False)
    finally:
        ctx.prec = saved
    return "?" if not x.is_finite() or (x.contains(0) and not x.is_zero()) else str(text)


def enclosure_str(x: arb | fmpq | int, digits: int = 15) -> str:
    """A rational as p/q, a ball as ``[mid +/- rad]`` that contains it."""
    if isinstance(x, int | fmpz | fmpq):
        text = str(fmpq(x))
        return text if len(text) <= _LONGEST else to_decimal(fmpq(x), digits)
    return str(x.str(digits))
