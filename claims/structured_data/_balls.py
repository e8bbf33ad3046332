"""Numbers as balls, and the setting of a claim whose programs take everything from their instances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

BITS = 200
ONE_POINT: dict[str, Any] = {"domain": {}, "grid": {"smoke": [{}]}}


def number(x):
    x = Fraction(x)
    return arb(x.numerator) / x.denominator
