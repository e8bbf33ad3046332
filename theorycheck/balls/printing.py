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
            short = _finite_decimal(x, digits)
            if short is not None:
                return short
            x = arb(x)
        text = x.str(digits, radius=False)
    finally:
        ctx.prec = saved
    return "?" if not x.is_finite() or (x.contains(0) and not x.is_zero()) else str(text)


def _finite_decimal(x: fmpq, digits: int) -> str | None:
    """The rational in full if it has at most ``digits`` digits before and after the point."""
    places = 0
    while x.q != 1 and places < digits:
        x, places = 10 * x, places + 1
    text = str(abs(x.p))
    if x.q != 1 or len(text) > digits:
        return None
    sign = "-" if x < 0 else ""
    if not places:
        return sign + text
    text = text.zfill(places + 1)
    return f"{sign}{text[:-places]}.{text[-places:]}"


def enclosure_str(x: arb | fmpq | int, digits: int = 15) -> str:
    """A rational as p/q, a ball as ``[mid +/- rad]`` that contains it."""
    if isinstance(x, int | fmpz | fmpq):
        text = str(fmpq(x))
        return text if len(text) <= _LONGEST else to_decimal(fmpq(x), digits)
    return str(x.str(digits))
