"""Classes of numbers that theorems confuse: even and odd, prime, prime power, composite.

A theorem about odd primes is often checked at 3, 5 and 7, where "odd" and "prime" are the same word; 9 is
the first integer that tells them apart. The engine tries one member of each class that a domain has.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

CLASSES = ("even", "odd", "prime", "prime power", "composite")
"""Of positive integers, as `classes_of` names them: a prime power is no prime, a composite is neither."""


class Member(NamedTuple):
    """A value of a domain and what is special about it, in words: ``(9, "odd, prime power")``; whether it is
    an end of the range."""

    value: Any
    label: str
    border: bool = False


def is_prime(n: int) -> bool:
    """Whether an integer is a prime number, proved for every size."""
    from flint import fmpz

    return n > 1 and bool(fmpz(n).is_prime())


def classes_of(n: int) -> tuple[str, ...]:
    """The classes of `CLASSES` that an integer lies in; parity alone below 2."""
    parity = "odd" if n % 2 else "even"
    if n < 2:
        return (parity,)
    if is_prime(n):
        return parity, "prime"
    smallest = next(p for p in _from_two(n) if n % p == 0)
    while n % smallest == 0:
        n //= smallest
    return parity, "prime power" if n == 1 else "composite"


def _from_two(n: int) -> range:
    return range(2, n + 1)


def is_square(x: Fraction | int) -> bool:
    """Whether a rational is the square of one."""
    from flint import fmpz

    q = Fraction(x)
    return q >= 0 and bool(fmpz(q.numerator).is_square() and fmpz(q.denominator).is_square())
