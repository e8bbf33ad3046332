"""Domains: what a theorem quantifies over, parameter by parameter.

A domain is data. It knows which exact values belong to it, whether it is finite, how to print itself
as a person would write it, and how to list its small members (for shrinking counterexamples). Floats
are never members: the literal 0.1 is not 1/10, so reals are given as ``Fraction(1, 10)``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from theorycheck.numbers.classes import CLASSES, Member, classes_of, is_prime
from theorycheck.numbers.errors import UserError

Exact = int | Fraction | str | tuple[int | Fraction, ...]
"""An exact parameter value: an integer, a rational, a name, or a tuple of numbers (a spectrum)."""

_SIMPLE_HEIGHT = 24
"""Numerators and denominators of the rationals that a counterexample shrinks to."""

TINY, HUGE = Fraction(1, 10**6), 10**6
"""Small and large numbers among the special members: far beyond what grids try, and exact."""

Point = Mapping[str, Exact]


class DomainError(UserError):
    """A domain that cannot be, or a value outside of it. One line, says what to write instead."""


def exact(value: object, *, where: str = "value") -> Exact:
    """The exact form of a parameter value.

    Raises DomainError for floats (they are not the number that they print) and other types.
    """
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | str | Fraction):
        if isinstance(value, Fraction) and value.denominator == 1:
            return int(value)
        return value
    if isinstance(value, float):
        near = Fraction(value).limit_denominator(10**6) if math.isfinite(value) else "p/q"
        raise DomainError(f"{where}: {value!r} is a float; write Fraction({near}) or an integer")
    if isinstance(value, tuple | list):
        items = [exact(v, where=where) for v in value]
        numbers = tuple(v for v in items if not isinstance(v, str | tuple))
        if len(numbers) < len(items):
            raise DomainError(f"{where}: a tuple holds numbers only, got {value!r}")
        return numbers
    numerator, denominator = getattr(value, "p", None), getattr(value, "q", None)
    if isinstance(numerator, int) and isinstance(denominator, int):  # a SymPy Rational
        return exact(Fraction(numerator, denominator))
    raise DomainError(f"{where}: {value!r} of type {type(value).__name__} is not an exact value")


def to_text(value: Exact) -> str:
    """``3``, ``1/2``, ``name`` or ``(1, 1/2)``: canonical, so that it can key random streams."""
    if isinstance(value, tuple):
        return "(" + ", ".join(to_text(v) for v in value) + ")"
    return str(value)


def from_text(text: str) -> Exact:
    """Inverse of `to_text`; anything that is no number or tuple of numbers is a name."""
    try:
        if text.startswith("(") and text.endswith(")"):
            return tuple(_number(t) for t in text[1:-1].split(",") if t.strip())
        return _number(text)
    except ValueError:
        return text


def _number(text: str) -> int | Fraction:
    value = Fraction(text.strip())
    return int(value) if value.denominator == 1 else value


class Draws(Protocol):
    """What a random stream must offer for a domain to draw from it (`theorycheck.arrays.streams`)."""

    def integers(self, low: int, high: int, shape: Any = ()) -> Any: ...
    def rational(self, shape: Any = (), height: int = 10) -> Any: ...
    def orthogonal_rational(self, dimension: int, height: int = 5) -> Any: ...


@dataclass(frozen=True)
class Domain:
    """The set of values of one parameter. Built by the functions of this module and of `structured`.

    ``point`` holds the values of the other parameters, which sizes may refer to (``needs`` names them).
    """

    kind: str
    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False
    step: int = 1
    values: tuple[Exact, ...] = ()
    described: str = ""
    without: tuple[Exact, ...] = ()
    ends: tuple[str, str] = ("", "")
    """Ends of an interval as its author wrote them, where they are irrational: ``low`` and ``high`` are then
    the next multiples of 2**-END_BITS inside."""

    @property
    def needs(self) -> frozenset[str]:
        """Names of other parameters that the domain depends on."""
        return frozenset()

    @property
    def attackable(self) -> bool:
        """Whether the engine can choose members of its own: not where only words describe them."""
        return self.kind != "structured"

    @property
    def finite(self) -> bool:
        if self.kind == "choices":
            return True
        return self.kind in ("integers", "primes") and self.high is not None

    @property
    def numeric(self) -> bool:
        return self.kind != "structured" and not any(
            isinstance(v, str | tuple) for v in self.values
        )

    def __contains__(self, value: object) -> bool:
        try:
            v = exact(value)
        except DomainError:
            return False
        if self.kind == "choices":
            return v in self.values
        if self.kind == "structured":
            return True
        if v in self.without or not isinstance(v, int | Fraction) or not self._within(Fraction(v)):
            return False
        if self.kind == "reals":
            return True
        if not isinstance(v, int):
            return False
        if self.kind == "primes":
            return is_prime(v)
        return self.low is None or (v - int(self.low)) % self.step == 0

    def contains(self, value: object, point: Mapping[str, Any] | None = None) -> bool:
        """Whether the value belongs to the domain where the other parameters have these values."""
        return value in self

    def special(self, point: Mapping[str, Any] | None = None) -> Iterator[Member]:
        """Members that a false statement is likely to fall at, simplest first, each with its label: the
        smallest, one of every class that theorems confuse, borders and both sides of open ends."""
        seen: set[Exact] = set()
        for member in self._candidates():
            if member.value in self and member.value not in seen:
                seen.add(member.value)
                yield member

    def draw(self, rng: Draws, point: Mapping[str, Any] | None = None) -> Exact:
        """A random member, small numbers likelier than large ones. Raises DomainError where the domain
        has no members that can be drawn."""
        if self.kind == "reals":
            return self._drawn_real(rng)
        few = list(itertools.islice(self.members(), 64))
        if not few:
            raise DomainError(f"{self.text()}: only words describe it, nothing can be drawn")
        reach = min(len(few), 1 << int(rng.integers(2, 7)))
        return few[int(rng.integers(0, reach))]

    def shrink(self, value: Exact, point: Mapping[str, Any] | None = None) -> Iterator[Exact]:
        """Simpler members than the given one, simplest first."""
        if self.kind == "reals" and isinstance(value, int | Fraction):
            simpler = self._simple_rationals(up_to=min(_SIMPLE_HEIGHT, _height(value) - 1))
            yield from itertools.islice(simpler, 64)
        elif self.kind in ("integers", "primes"):
            few = itertools.islice(self._integers(), 64)
            yield from itertools.takewhile(lambda n: n != value, few)
        elif value in self.values:
            yield from self.values[: self.values.index(value)]

    def _drawn_real(self, rng: Draws) -> Exact:
        """Between finite ends on a grid of 64 steps, else a small rational away from the finite end."""
        while True:
            if self.low is not None and self.high is not None:
                value = self.low + (self.high - self.low) * Fraction(int(rng.integers(0, 65)), 64)
            else:
                small = Fraction(int(rng.integers(-40, 41)), int(rng.integers(1, 9)))
                value = small
                if self.low is not None:
                    value = self.low + abs(small)
                elif self.high is not None:
                    value = self.high - abs(small)
            if value in self:
                return exact(value)

    def _candidates(self) -> Iterator[Member]:
        if self.kind == "choices":
            for value in self.values:
                yield Member(value, _label(value, "choice"))
        elif self.kind in ("integers", "primes"):
            yield from self._integer_candidates()
        elif self.kind == "reals":
            yield from self._real_candidates()

    def _integer_candidates(self) -> Iterator[Member]:
        few = list(itertools.islice(self._integers(), 96))
        for place, n in enumerate(few[:3]):
            yield Member(n, _label(n, "smallest" if place == 0 else "small"))
        missing = set(CLASSES) - {c for n in few[:3] for c in classes_of(n)}
        for n in few[3:]:
            if missing & set(classes_of(n)):
                missing -= set(classes_of(n))
                yield Member(n, _label(n, "class"))
        for end in (self.high, self.low):
            if end is not None:
                yield Member(int(end), _label(int(end), "border"), border=True)

    def _real_candidates(self) -> Iterator[Member]:
        low, high = self.low, self.high
        span = high - low if low is not None and high is not None else Fraction(1)
        for end, is_open, inward in ((low, self.low_open, 1), (high, self.high_open, -1)):
            if end is not None:
                yield Member(exact(end), "border", border=True)
                near = exact(end + inward * span * TINY)
                yield Member(near, "at the open end" if is_open else "beside")
        yield Member(1, "one")
        yield Member(exact(Fraction(1, 2)), "a half")
        if low is not None and high is not None:
            yield Member(exact((low + high) / 2), "middle")
        yield Member(0, "zero")
        yield Member(-1, "negative")
        yield Member(2, "two")
        for hole in self.without:
            if isinstance(hole, int | Fraction):
                yield Member(exact(hole + TINY), "beside a hole")
                yield Member(exact(hole - TINY), "beside a hole")
        yield Member(HUGE, "huge")
        yield Member(-HUGE, "huge, negative")

    def _within(self, v: Fraction) -> bool:
        if self.low is not None and (v < self.low or (self.low_open and v == self.low)):
            return False
        return not (
            self.high is not None and (v > self.high or (self.high_open and v == self.high))
        )

    def members(self) -> Iterator[Exact]:
        """Members from the simplest on: all of them where the domain is finite, else without end."""
        if self.kind == "choices":
            yield from self.values
        elif self.kind == "structured":
            return
        elif self.kind == "reals":
            yield from self._simple_rationals()
        else:
            yield from self._integers()

    def _integers(self) -> Iterator[int]:
        if self.low is None:
            for n in itertools.count():
                yield from (v for v in dict.fromkeys((n, -n)) if v in self)
            return
        for n in itertools.count(int(self.low), self.step):
            if self.high is not None and n > self.high:
                return
            if n in self:
                yield n

    def _simple_rationals(self, up_to: int | None = None) -> Iterator[Fraction | int]:
        """Members p/q by height max(|p|, q), without end unless ``up_to`` bounds the height."""
        for height in itertools.count(1) if up_to is None else range(1, up_to + 1):
            for q in range(1, height + 1):
                for p in range(-height, height + 1):
                    if max(abs(p), q) == height and math.gcd(p, q) == 1 and Fraction(p, q) in self:
                        yield p if q == 1 else Fraction(p, q)

    def text(self) -> str:
        """As a person writes it: ``integers >= 2``, ``odd integers >= 3``, ``(0, 1/4)``."""
        if self.described:
            return self.described
        if self.kind == "choices":
            return "{" + ", ".join(to_text(v) for v in self.values) + "}"
        if self.kind == "reals":
            left = "(" if self.low_open or self.low is None else "["
            right = ")" if self.high_open or self.high is None else "]"
            low = "-oo" if self.low is None else self.ends[0] or to_text(exact(self.low))
            high = "oo" if self.high is None else self.ends[1] or to_text(exact(self.high))
            holes = f" except {', '.join(map(to_text, self.without))}" if self.without else ""
            return f"real in {left}{low}, {high}{right}{holes}"
        noun = {1: "integer", 2: "odd integer" if self.low and self.low % 2 else "even integer"}
        name = "prime" if self.kind == "primes" else noun.get(self.step, "integer")
        if self.low is not None and self.high is not None:
            return f"{name} in {self.low}..{self.high}"
        if self.low is not None:
            return f"{name} >= {self.low}"
        return name


def _fraction(value: object, name: str) -> Fraction | None:
    if value is None:
        return None
    v = exact(value, where=name)
    if not isinstance(v, int | Fraction):
        raise DomainError(f"{name}: the end of a domain is a number, got {value!r}")
    return Fraction(v)


def _checked(domain: Domain) -> Domain:
    low, high = domain.low, domain.high
    if low is not None and high is not None:
        closed = not (domain.low_open or domain.high_open)
        if low > high or (low == high and not closed):
            raise DomainError(
                f"empty domain: {domain.text()}; the lower end must not pass the upper"
            )
        if domain.finite and next(iter(domain.members()), None) is None:
            raise DomainError(f"empty domain: {domain.text()} has no member")
    return domain


def integers(low: int | None = None, high: int | None = None) -> Domain:
    """Integers from ``low`` to ``high``, both included; without an end where one is left out."""
    _whole("integers", low=low, high=high)
    return _checked(Domain("integers", _fraction(low, "low"), _fraction(high, "high")))


def _whole(name: str, **ends: object) -> None:
    for end, value in ends.items():
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise DomainError(f"{name}: {end} must be an integer, got {value!r}")


def odd_integers(low: int = 1, high: int | None = None) -> Domain:
    """Odd integers from ``low`` on."""
    _whole("odd_integers", low=low, high=high)
    return _checked(
        Domain("integers", Fraction(low + 1 - low % 2), _fraction(high, "high"), step=2)
    )


def even_integers(low: int = 0, high: int | None = None) -> Domain:
    """Even integers from ``low`` on."""
    _whole("even_integers", low=low, high=high)
    return _checked(Domain("integers", Fraction(low + low % 2), _fraction(high, "high"), step=2))


def primes(low: int = 2, high: int | None = None) -> Domain:
    """Primes from ``low`` on."""
    _whole("primes", low=low, high=high)
    return _checked(Domain("primes", Fraction(low), _fraction(high, "high")))


def reals(
    low: object = None,
    high: object = None,
    *,
    low_open: bool = False,
    high_open: bool = False,
    without: Iterable[object] = (),
) -> Domain:
    """Real numbers of an interval, the numbers of ``without`` left out; tried at exact rationals. Ends are
    exact: integers, ``Fraction``, surds and SymPy's real numbers such as ``sympy.pi``; an infinite end is
    left out, or ``sympy.oo``."""
    holes = tuple(exact(v, where="without") for v in without)
    (first, left), (last, right) = _end(low, "low", above=True), _end(high, "high", above=False)
    return _checked(
        Domain("reals", first, last, low_open, high_open, without=holes, ends=(left, right))
    )


END_BITS = 256
"""Points are tried at rationals of far fewer bits: between an irrational end and its stand-in lies none."""


def _end(value: object, name: str, *, above: bool) -> tuple[Fraction | None, str]:
    """An end of an interval as a rational inside of it, with its text where it is irrational itself."""
    radicand = getattr(value, "radicand", None)
    if radicand is None and not getattr(value, "is_number", False):
        return _fraction(value, name), ""
    import sympy  # ends like these come from it

    if radicand is not None:  # a surd
        value = sympy.Rational(getattr(value, "coefficient", 0)) * sympy.sqrt(radicand)
    number = sympy.sympify(value)
    if number in (sympy.oo, -sympy.oo):
        if (number == sympy.oo) is above:
            raise DomainError(f"{name}: {number} leaves no number in the interval")
        return None, ""
    if number.is_Float:
        return _fraction(float(number), name), ""
    if number.is_Rational:
        return _fraction(number, name), ""
    if number.atoms(sympy.Float) or not number.is_extended_real:
        raise DomainError(
            f"{name}: {number} is no exact real number; write sympy.pi, sympy.sqrt(2)"
        )
    return Fraction(int(sympy.floor(number * 2**END_BITS)) + above, 2**END_BITS), str(number)


def choices(*values: object) -> Domain:
    """A finite set of exact values or names."""
    if not values:
        raise DomainError("empty domain: choices() needs at least one value")
    return Domain("choices", values=tuple(exact(v, where="choices") for v in values))


def structured(description: str) -> Domain:
    """A domain that only words describe (spectra, shapes): its points are tuples or names.

    It is never exhausted and never shrunk by the engine.
    """
    if not description.strip():
        raise DomainError("structured(): say in words what the values are")
    return Domain("structured", described=description)


def _label(value: Exact, first: str) -> str:
    """The place of a member and, of an integer, its classes: ``smallest, even, prime``."""
    return ", ".join((first, *classes_of(value))) if isinstance(value, int) else first


def _height(value: int | Fraction) -> int:
    q = Fraction(value)
    return max(abs(q.numerator), q.denominator)


def compositions(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Tuples of indices, the i-th from 0 and below ``sizes[i]``, that add up to ``total``; in order."""
    if len(sizes) == 1:
        if total < sizes[0]:
            yield (total,)
        return
    for first in range(min(total, sizes[0] - 1) + 1):
        for rest in compositions(total - first, sizes[1:]):
            yield (first, *rest)


def product_points(columns: Mapping[str, Iterable[object]]) -> list[dict[str, Exact]]:
    """The cartesian product of the listed values, first parameter slowest."""
    names = list(columns)
    lists = [[exact(v, where=name) for v in columns[name]] for name in names]
    return [dict(zip(names, combo, strict=True)) for combo in itertools.product(*lists)]


def point_key(point: Point) -> str:
    """Canonical text of a point, parameters in alphabetical order: keys streams and evidence."""
    return ", ".join(f"{name}={to_text(point[name])}" for name in sorted(point))


def as_json(point: Point) -> dict[str, int | str]:
    """Point for a report: integers stay integers, everything else is exact text."""
    return {k: v if isinstance(v, int) else to_text(v) for k, v in point.items()}
