"""Places on the extended line, exact or enclosed, and the signs of a function between them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from theorycheck import balls
from theorycheck.check import algebra

BITS = 2048
"""Precision up to which the sign of a constant is looked for."""


class Unknown(Exception):
    """The method does not settle this function; no statement about its signs is made."""


@dataclass(frozen=True)
class ExtendedPoint:
    """A point of the extended line: exact (a SymPy number, maybe infinite), or known to lie in
    ``[low, high]`` (rationals), where it is the only zero of ``function`` there, of odd order."""

    exact: Any = None
    low: Fraction | None = None
    high: Fraction | None = None
    function: Any = None

    @property
    def infinite(self) -> bool:
        return self.exact is not None and bool(self.exact.is_infinite)


@dataclass(frozen=True)
class SignStep:
    """Why a function has its signs: ``how`` with the expressions ``of`` in it, ``profile`` what follows."""

    how: str
    of: tuple[Any, ...]
    profile: Profile

    def text(self, name: str) -> str:
        """One line; ``name`` is that of the function."""
        return f"{name} is {signs_text(self.profile)}: {self.how.format(*self.of)}"


@dataclass(frozen=True)
class Profile:
    """Signs of a function on an open interval: ``signs[i]`` between ``places[i]`` and
    ``places[i + 1]``; the inner places are its zeros, the outer ones the ends of the interval.
    ``steps`` are the argument, the last one first; they are no part of what profiles are compared by."""

    places: tuple[ExtendedPoint, ...]
    signs: tuple[int, ...]
    steps: tuple[SignStep, ...] = field(default=(), compare=False)

    @property
    def zeros(self) -> tuple[ExtendedPoint, ...]:
        return self.places[1:-1]

    def by(self, how: str, *of: Any) -> Profile:
        """The same, with one more step of the argument."""
        return replace(self, steps=(SignStep(how, of, self), *self.steps))


def signs_text(profile: Profile) -> str:
    """The signs from place to place."""
    places = [place_text(p) for p in profile.places]
    signs = [{1: "positive", -1: "negative", 0: "zero"}[s] for s in profile.signs]
    return ", ".join(
        f"{s} on ({a}, {b})" for s, (a, b) in zip(signs, itertools.pairwise(places), strict=True)
    )


def place_text(place: ExtendedPoint) -> str:
    """A place by its value, or as the zero that it is."""
    if place.exact is not None:
        return str(place.exact)
    return f"a zero of {place.function} near {float(enclosure(place)[0]):.12g}"


def enclosure(place: ExtendedPoint) -> tuple[Fraction, Fraction]:
    """Rationals around a finite place."""
    if place.low is not None and place.high is not None:
        return place.low, place.high
    if place.exact.is_Rational:
        q = Fraction(int(place.exact.p), int(place.exact.q))
        return q, q
    result = balls.compile_expression(place.exact, ()).evaluate({}, 512)
    if result.status != "ok":
        raise Unknown(f"cannot enclose {place.exact}")
    return algebra.ends(result.ball)


def before(a: ExtendedPoint, b: ExtendedPoint) -> bool:
    """Whether a < b for certain; raises Unknown where the enclosures overlap."""
    if a.infinite or b.infinite:
        return bool(a.exact == -sp.oo and b.exact != -sp.oo) or bool(
            b.exact == sp.oo and a.exact != sp.oo
        )
    if a == b:
        return False
    (a_low, a_high), (b_low, b_high) = enclosure(a), enclosure(b)
    if a_high < b_low:
        return True
    if b_high < a_low:
        return False
    if a.exact is not None and b.exact is not None and sign_of_constant(a.exact - b.exact) == 0:
        return False
    raise Unknown(f"{a} and {b} are not told apart")


def between(a: ExtendedPoint, b: ExtendedPoint) -> Fraction:
    """A simple rational strictly between two places."""
    low = None if a.infinite else enclosure(a)[1]
    high = None if b.infinite else enclosure(b)[0]
    if low is not None and high is not None and not low < high:
        raise Unknown("no room between two places")
    return algebra.simplest_between(low, high)


def lies_between(z: ExtendedPoint, a: ExtendedPoint, b: ExtendedPoint) -> bool:
    """Whether z is seen to lie strictly between a and b."""
    try:
        return before(a, z) and before(z, b)
    except Unknown:
        return False


def root_place(root: algebra.Root) -> ExtendedPoint:
    """The place of an isolated root: exact where it is rational or of a quadratic, else its interval."""
    exact = root.rational
    if exact is not None:
        return ExtendedPoint(exact=as_rational(exact))
    if root.polynomial.degree() == 2:
        c, b, a = (int(k) for k in root.polynomial.coeffs())
        larger = (-b + sp.sqrt(b * b - 4 * a * c)) / (2 * a)
        smaller = (-b - sp.sqrt(b * b - 4 * a * c)) / (2 * a)
        middle = sp.Rational(-b, 2 * a)
        upper = root.ball > arb(int(middle.p)) / int(middle.q)
        return ExtendedPoint(
            exact=(larger if a > 0 else smaller) if upper else (smaller if a > 0 else larger)
        )
    return ExtendedPoint(None, *algebra.ends(root.ball), str(root.polynomial))


def product_of(parts: Sequence[Profile], low: ExtendedPoint, high: ExtendedPoint) -> Profile:
    """Signs of a product from the signs of its factors."""
    zeros: list[ExtendedPoint] = []
    for part in parts:
        for zero in part.zeros:
            for i, known in enumerate(zeros):
                if zero == known:
                    break
                if before(zero, known):
                    zeros.insert(i, zero)
                    break
            else:
                if not zeros or before(zeros[-1], zero):
                    zeros.append(zero)
    places = (low, *zeros, high)
    signs = []
    for a, b in itertools.pairwise(places):
        sign = 1
        for part in parts:
            sign *= _sign_between(part, a, b)
        signs.append(sign)
    return Profile(places, tuple(signs), tuple(s for part in parts for s in part.steps))


def _sign_between(part: Profile, a: ExtendedPoint, b: ExtendedPoint) -> int:
    for i, sign in enumerate(part.signs):
        if part.places[i + 1] == b or before(a, part.places[i + 1]):
            return sign
    raise Unknown("places in disorder")


def approach(end: ExtendedPoint, is_low: bool) -> list[ExtendedPoint]:
    """Probes on the way to an end; far enough to see what floats would not."""
    if end.infinite:
        side = -1 if end.exact == -sp.oo else 1
        return [ExtendedPoint(exact=sp.Integer(side * 10**k)) for k in (3, 9, 30, 100, 300)]
    side = 1 if is_low else -1
    edge = enclosure(end)[1 if is_low else 0]
    powers = (3, 9, 30, 100, 300) if end.exact.is_Rational else (3, 9, 30, 100)
    return [ExtendedPoint(exact=as_rational(edge + side * Fraction(1, 10**k))) for k in powers]


def as_rational(value: Fraction) -> Any:
    """The fraction as SymPy holds it."""
    return sp.Rational(value.numerator, value.denominator)


def sign_of_constant(expression: Any) -> int | None:
    """Proved sign of a number, -1, 0 or 1; None where that is not decided."""
    if expression.is_Rational:
        return int(bool(expression > 0)) - int(bool(expression < 0))
    if expression.has(sp.nan, sp.zoo, sp.oo):
        return None
    try:
        sign: int | None = balls.sign(expression, {}, max_prec=BITS)
    except ValueError:
        return None
    return sign
