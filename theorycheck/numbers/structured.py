"""Domains of vectors, matrices, spectra, laws, tables and subsets: structured, exact, and open to attack.

A false statement about "all matrices" is true of generic ones. Each domain here lists the members where
such statements fall: ties, zeros, rank one, kernels, extreme scales, the one-dimensional case. Members are
exact: vectors are tuples of integers and fractions, matrices tuples of rows. A size is an integer or the
name (or symbol) of another parameter; ``None`` leaves it free, and short members of several lengths are
tried. Membership reads nested lists and arrays as well as tuples.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theorycheck.numbers.classes import Member, is_square
from theorycheck.numbers.domain import HUGE, TINY, Domain, DomainError, Draws, exact
from theorycheck.numbers.matrix_algebra import kernel_vector
from theorycheck.numbers.sizes import (
    Matrix,
    Number,
    Size,
    Sizes,
    Vector,
    as_exact,
    names_in,
    nested,
    of_length,
    shape_of,
    size_at,
)

Members = Callable[[Sizes, Mapping[str, Any]], Iterable[tuple[Any, str]]]
Test = Callable[[Any, Sizes, Mapping[str, Any]], bool]
Drawn = Callable[[Draws, Sizes, Mapping[str, Any]], Any]

_FREE_SIZES = (1, 2, 3, 4)
"""Lengths tried where a domain fixes none."""

_MAIN_SIZE = 3
"""The free length that all special members are tried at first: ties at both ends need three entries."""


@dataclass(frozen=True)
class Structured(Domain):
    """A structured domain: what belongs to it, its special members, how one is drawn.

    ``sizes`` are resolved from the other parameters before each of the three functions is called;
    ``asks`` names further parameters and fields that they read.
    """

    sizes: tuple[Size, ...] = ()
    asks: tuple[str, ...] = ()
    test: Test | None = None
    candidates: Members | None = None
    drawn: Drawn | None = None
    rank: int = 1
    """Number of indices of a member: 1 for vectors, 2 for matrices."""

    @property
    def needs(self) -> frozenset[str]:
        return frozenset().union(self.asks, *map(names_in, self.sizes))

    @property
    def attackable(self) -> bool:
        return True

    def __contains__(self, value: object) -> bool:
        return self.contains(value, {})

    def contains(self, value: object, point: Mapping[str, Any] | None = None) -> bool:
        """Whether the value belongs to the domain. Sizes whose parameters the point lacks, and what
        only other values can tell, are not asked about."""
        found = nested(value, self.rank)
        if found is None:
            return False
        given = point or {}
        shape = shape_of(found, self.rank)
        for size, length in zip(self.sizes, shape, strict=True):
            if size is not None and names_in(size) <= set(given) and length != size_at(size, given):
                return False
        assert self.test is not None  # every builder gives one
        return self.test(found, shape, given)

    def special(self, point: Mapping[str, Any] | None = None) -> Iterator[Member]:
        given = point or {}
        seen: set[Any] = set()
        for shape, number in self._order(given):
            assert self.candidates is not None
            for value, label in itertools.islice(self.candidates(shape, given), number):
                member = as_exact(value)
                if member not in seen and self.contains(member, given):
                    seen.add(member)
                    size = f", {' x '.join(map(str, shape))}" if None in self.sizes else ""
                    yield Member(member, label + size)

    def _order(self, given: Mapping[str, Any]) -> Iterator[tuple[Sizes, int | None]]:
        """Shapes and how many candidates of each: where sizes are free the smallest with its simplest
        one, then one shape whole, then what else there is."""
        shapes = list(self._shapes(given))
        whole = [s for s in shapes if set(s) == {_MAIN_SIZE}]
        if len(shapes) == 1 or not whole:
            yield from ((s, None) for s in shapes)
            return
        yield shapes[0], 1
        yield whole[0], None
        yield from ((s, None) for s in shapes)

    def draw(self, rng: Draws, point: Mapping[str, Any] | None = None) -> Any:
        """A random member of the sizes that the point fixes, free ones drawn. Raises DomainError where
        a hundred draws in a row leave the domain."""
        given = point or {}
        shapes = list(self._shapes(given))
        for _ in range(100):
            shape = shapes[int(rng.integers(0, len(shapes)))]
            assert self.drawn is not None
            value = as_exact(self.drawn(rng, shape, given))
            if self.contains(value, given):
                return value
        raise DomainError(f"{self.text()}: no member was drawn at {dict(given)}")

    def shrink(self, value: Any, point: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """The special members, then the value with an entry made simpler: 0, 1, or its nearest integer."""
        given = point or {}
        known = nested(value, self.rank)
        special = [m.value for m in self.special(given)]
        yield from itertools.takewhile(lambda m: m != known, special)
        if known is None or known in special:
            return
        flat = list(known) if self.rank == 1 else [x for row in known for x in row]
        width = len(flat) if self.rank == 1 else len(known[0])
        for place, entry in enumerate(flat):
            for simple in dict.fromkeys((0, 1, round(entry))):
                if _complexity(simple) < _complexity(entry):
                    changed = (*flat[:place], simple, *flat[place + 1 :])
                    member: Any = changed if self.rank == 1 else _rows(changed, width)
                    if self.contains(member, given):
                        yield member

    def _shapes(self, given: Mapping[str, Any]) -> Iterator[Sizes]:
        choices = [_FREE_SIZES if size is None else (size_at(size, given),) for size in self.sizes]
        yield from itertools.product(*choices)


def spectra(
    d: Size = None,
    low: object = 0,
    *,
    positive: bool = False,
    squares: bool = False,
    nonzero: bool = False,
    most: object = None,
) -> Structured:
    """Descending tuples lam_1 >= .. >= lam_d of eigenvalues, each at least ``low``.

    ``positive``: above ``low`` strictly; ``squares``: each the square of a rational (so that a rational
    root exists); ``nonzero``: not all zero; ``most``: largest lam_1 allowed.
    """
    floor = _number(low, "low")
    ceiling = None if most is None else _number(most, "most")

    def test(lam: Vector, _shape: Sizes, _given: Mapping[str, Any]) -> bool:
        falls = all(a >= b for a, b in itertools.pairwise(lam))
        above = all(x > floor if positive else x >= floor for x in lam)
        roots = not squares or all(is_square(x) for x in lam)
        below = ceiling is None or not lam or lam[0] <= ceiling
        return bool(lam) and falls and above and roots and below and (not nonzero or any(lam))

    def candidates(shape: Sizes, _given: Mapping[str, Any]) -> Iterator[tuple[Vector, str]]:
        (n,) = shape
        for lam, label in _spectra(n):
            shift: Number = floor if floor > 0 and not squares else 0
            yield tuple(x + shift for x in lam), label
        yield (floor,) * n, "all at the lower end"

    def drawn(rng: Draws, shape: Sizes, _given: Mapping[str, Any]) -> Vector:
        top = 6 if squares else 24
        parts = [
            Fraction(int(rng.integers(0, top)), int(rng.integers(1, 5))) for _ in range(*shape)
        ]
        values = [floor + (x * x if squares else x) for x in parts]
        return tuple(sorted(values, reverse=True))

    extra = ", squares of rationals" if squares else ""
    sign = ">" if positive else ">="
    text = f"spectra lam_1 >= .. >= lam_d {sign} {floor}{extra}{', not all zero' * nonzero}"
    return structured_domain(text, (d,), test, candidates, drawn)


def _spectra(n: int) -> Iterator[tuple[Vector, str]]:
    yield (1,) * n, "all equal"
    yield tuple((n - i) ** 2 for i in range(n)), "distinct"
    if n > 1:
        yield (4,) * (n - 1) + (1,), "tie at the top"
        yield (4, *(1,) * (n - 1)), "tie at the bottom"
        yield (4,) * (n - 1) + (0,), "one zero"
        yield (1, *(0,) * (n - 1)), "rank one"
        yield (HUGE, *(1,) * (n - 1)), "ratio 10^6"
    yield tuple(Fraction(1, 4**i) for i in range(n)), "geometric"
    yield (0,) * n, "zero"
    yield tuple(TINY * (n - i) ** 2 for i in range(n)), "tiny"
    yield tuple(HUGE * (n - i) ** 2 for i in range(n)), "huge"


def vectors(
    d: Size = None, *, unit: bool = False, nonzero: bool = False, inside: object = None
) -> Structured:
    """Vectors of R^d. ``unit``: of norm 1 (rational points of the sphere); ``nonzero``: not zero;
    ``inside``: the name of a matrix whose kernel is tried as well."""
    matrix = None if inside is None else str(inside)

    def test(v: Vector, _shape: Sizes, _given: Mapping[str, Any]) -> bool:
        length = sum((x * x for x in v), Fraction(0))
        return bool(v) and (not unit or length == 1) and (not nonzero or length > 0)

    def candidates(shape: Sizes, given: Mapping[str, Any]) -> Iterator[tuple[Vector, str]]:
        (n,) = shape
        if n < 1:  # a vector has entries
            return
        yield from _unit_vectors(n) if unit else _vectors(n)
        if matrix is not None and matrix in given and not unit:
            kernel = kernel_vector(given[matrix], n)
            if kernel is not None:
                yield kernel, f"in the kernel of {matrix}"

    def drawn(rng: Draws, shape: Sizes, _given: Mapping[str, Any]) -> Vector:
        v = _drawn_vector(rng, shape[0])
        if not unit:
            return v
        if shape[0] == 1:
            return (1 if v[0] >= 0 else -1,)
        square = sum((x * x for x in v[1:]), Fraction(0))
        scale = Fraction(2) / (square + 1)
        return (*(x * scale for x in v[1:]), 1 - scale)

    text = "unit vectors" if unit else "non-zero vectors" if nonzero else "vectors"
    asks = () if matrix is None else (matrix,)
    return structured_domain(f"{text}{of_length(d)}", (d,), test, candidates, drawn, asks=asks)


def _vectors(n: int) -> Iterator[tuple[Vector, str]]:
    yield (0,) * n, "zero"
    yield _axis(n, 0), "first axis"
    yield _axis(n, n - 1), "last axis"
    yield (1,) * n, "ones"
    yield tuple((-1) ** i for i in range(n)), "alternating"
    yield (HUGE, *(1,) * (n - 1)), "spike"
    yield (-1,) * n, "negative"
    yield (TINY,) * n, "tiny"
    yield (HUGE,) * n, "huge"


def _unit_vectors(n: int) -> Iterator[tuple[Vector, str]]:
    yield _axis(n, 0), "first axis"
    yield _axis(n, n - 1), "last axis"
    yield tuple(-x for x in _axis(n, 0)), "negative"
    root = math.isqrt(n)
    if root * root == n:
        yield (Fraction(1, root),) * n, "all equal"
        yield tuple(Fraction((-1) ** i, root) for i in range(n)), "alternating"
    if n > 1:
        yield (Fraction(3, 5), Fraction(4, 5), *(0,) * (n - 2)), "two entries"
        yield (*(0,) * (n - 2), Fraction(4, 5), Fraction(-3, 5)), "two entries, signs"
        near = Fraction(2 * HUGE, HUGE**2 + 1)  # the rational circle at slope 10^-6
        yield (Fraction(HUGE**2 - 1, HUGE**2 + 1), *(0,) * (n - 2), near), "near an axis"


def steps(T: Size = None, smoothness: object = None, *, positive: bool = False) -> Structured:
    """Schedules of T step sizes. ``smoothness`` is the constant L that the steps 1/L and 2/L refer to:
    a number or the name of a parameter (1 without one)."""
    name = smoothness if isinstance(smoothness, str) else getattr(smoothness, "name", None)
    fixed = 1 if name is not None or smoothness is None else _number(smoothness, "smoothness")

    def test(eta: Vector, _shape: Sizes, _given: Mapping[str, Any]) -> bool:
        return not positive or all(x > 0 for x in eta)

    def candidates(shape: Sizes, given: Mapping[str, Any]) -> Iterator[tuple[Vector, str]]:
        (n,) = shape
        one = 1 / Fraction(fixed if name is None else given.get(name, 1))
        yield (one,) * n, "1/L"
        yield (0,) * n, "zero"
        yield (2 * one,) * n, "2/L"
        yield tuple(2 * one if i % 2 == 0 else one / 2 for i in range(n)), "alternating"
        yield tuple(one * (-1) ** i for i in range(n)), "alternating signs"
        yield (TINY * one,) * n, "tiny"
        if n:
            yield (*(one,) * (n - 1), 0), "last step zero"
        yield (3 * one,) * n, "3/L"

    def drawn(rng: Draws, shape: Sizes, _given: Mapping[str, Any]) -> Vector:
        v = _drawn_vector(rng, shape[0])
        return tuple(max(x, -x) + Fraction(1, 8) for x in v) if positive else v

    asks = () if name is None else (name,)
    text = f"{'positive ' * positive}steps{of_length(T)}"
    return structured_domain(text, (T,), test, candidates, drawn, asks=asks)


def simplex(n: Size = None, *, positive: bool = False) -> Structured:
    """Probability laws on n points; ``positive``: every point has mass."""

    def test(p: Vector, _shape: Sizes, _given: Mapping[str, Any]) -> bool:
        return (
            bool(p) and sum(p, Fraction(0)) == 1 and all(x > 0 if positive else x >= 0 for x in p)
        )

    def candidates(shape: Sizes, _given: Mapping[str, Any]) -> Iterator[tuple[Vector, str]]:
        (m,) = shape
        yield (Fraction(1, m),) * m, "uniform"
        yield _axis(m, 0), "point mass"
        yield _axis(m, m - 1), "point mass, last"
        if m > 1:
            half = Fraction(1, 2)
            yield (half, *(0,) * (m - 2), half), "two points"
            yield (1 - TINY, *(TINY / (m - 1),) * (m - 1)), "nearly a point mass"
            total = m * (m + 1) // 2
            yield tuple(Fraction(m - i, total) for i in range(m)), "linear"

    def drawn(rng: Draws, shape: Sizes, _given: Mapping[str, Any]) -> Vector:
        weights = [int(rng.integers(1 if positive else 0, 9)) for _ in range(*shape)]
        total = sum(weights) or 1
        return tuple(Fraction(w, total) for w in weights)

    return structured_domain(f"laws{of_length(n, 'on', 'points')}", (n,), test, candidates, drawn)


def tables(size: Size, values: Iterable[object] = (-1, 1)) -> Structured:
    """Functions on a finite set, as the tuple of their values, each one of ``values``.

    Special members are constants, the parity and the sign of the sum of the place's binary digits (what a
    function on a cube is confused with), and a single different value.
    """
    allowed = tuple(exact(v, where="values") for v in values)
    if len(allowed) < 2 or any(isinstance(v, str | tuple) for v in allowed):
        raise DomainError("tables: give at least two numbers as values")
    numbers: list[Number] = [v for v in allowed if not isinstance(v, str | tuple)]
    first, last = numbers[0], numbers[-1]

    def test(f: Vector, _shape: Sizes, _given: Mapping[str, Any]) -> bool:
        return bool(f) and all(x in numbers for x in f)

    def candidates(shape: Sizes, _given: Mapping[str, Any]) -> Iterator[tuple[Vector, str]]:
        (n,) = shape
        digits = max(1, (n - 1).bit_length())
        yield (last,) * n, "constant"
        yield (first,) * n, "constant, the other value"
        yield tuple(last if i.bit_count() % 2 == 0 else first for i in range(n)), "parity"
        yield tuple(last if 2 * i.bit_count() > digits else first for i in range(n)), "majority"
        yield (last, *(first,) * (n - 1)), "one place different"
        yield tuple(last if i % 2 == 0 else first for i in range(n)), "alternating"
        yield tuple(numbers[i % len(numbers)] for i in range(n)), "all values in turn"

    def drawn(rng: Draws, shape: Sizes, _given: Mapping[str, Any]) -> Vector:
        return tuple(numbers[int(rng.integers(0, len(numbers)))] for _ in range(*shape))

    shown = ", ".join(map(str, numbers))
    return structured_domain(
        f"tables{of_length(size)} of {{{shown}}}", (size,), test, candidates, drawn
    )


def subsets(n: Size, k: Size = None) -> Structured:
    """Subsets of {1, .., n}, of k elements where k is given, as ascending tuples."""

    def ends(given: Mapping[str, Any]) -> tuple[int, int | None]:
        known = k is not None and names_in(k) <= set(given)
        return (size_at(n, given), size_at(k, given) if known else None)

    def test(A: Vector, _shape: Sizes, given: Mapping[str, Any]) -> bool:
        whole = all(isinstance(a, int) and a >= 1 for a in A)
        if not whole or any(a >= b for a, b in itertools.pairwise(A)):
            return False
        if not names_in(n) <= set(given):
            return True
        top, count = ends(given)
        return all(a <= top for a in A) and (count is None or len(A) == count)

    def candidates(shape: Sizes, given: Mapping[str, Any]) -> Iterator[tuple[Vector, str]]:
        top, (count,) = size_at(n, given), shape
        if count > top:
            return
        yield tuple(range(1, count + 1)), "first"
        yield tuple(range(top - count + 1, top + 1)), "last"
        if count:
            spread = [1 + i * top // count for i in range(count)]
            yield tuple(dict.fromkeys(spread)), "spread"
            yield (*range(1, count), top), "first and last"

    def drawn(rng: Draws, shape: Sizes, given: Mapping[str, Any]) -> Vector:
        rest, picked = list(range(1, size_at(n, given) + 1)), []
        for _ in range(min(shape[0], len(rest))):
            picked.append(rest.pop(int(rng.integers(0, len(rest)))))
        return tuple(sorted(picked))

    of = "" if k is None else f" of {k} elements"
    asks = tuple(names_in(n))
    return structured_domain(f"subsets of 1..{n}{of}", (k,), test, candidates, drawn, asks=asks)


def angles() -> Domain:
    """Angles in turns: the member t stands for the angle 2 pi t, 0 <= t < 1, so that angles are exact."""
    return _Angles("reals", Fraction(0), Fraction(1), high_open=True)


@dataclass(frozen=True)
class _Angles(Domain):
    def special(self, point: Mapping[str, Any] | None = None) -> Iterator[Member]:
        quarter = Fraction(1, 4)
        for t, label in (
            (0, "0"),
            (Fraction(1, 2), "pi"),
            (quarter, "pi/2"),
            (3 * quarter, "3 pi/2"),
            (quarter / 2, "pi/4"),
            (Fraction(1, 3), "2 pi/3"),
            (TINY, "tiny"),
            (1 - TINY, "just below 2 pi"),
        ):
            yield Member(t, label)

    def text(self) -> str:
        return "angles, in turns from [0, 1)"


def structured_domain(
    described: str,
    sizes: tuple[Size, ...],
    test: Test,
    candidates: Members,
    drawn: Drawn,
    *,
    asks: tuple[str, ...] = (),
    rank: int = 1,
) -> Structured:
    """A domain of arrays by its description, sizes, membership, simplest members and draws. ``asks``: further
    parameters that it depends on. Raises DomainError for a size that is none."""
    for size in sizes:
        if size is not None and not isinstance(size, int) and not names_in(size):
            raise DomainError(
                f"{described}: a size is an integer or names parameters, got {size!r}"
            )
    return Structured(
        "structured",
        described=described,
        sizes=sizes,
        asks=asks,
        test=test,
        candidates=candidates,
        drawn=drawn,
        rank=rank,
    )


def _number(value: object, name: str) -> Number:
    number = exact(value, where=name)
    if isinstance(number, str | tuple):
        raise DomainError(f"{name}: {value!r} is no number")
    return number


def _axis(n: int, i: int) -> Vector:
    return tuple(int(j == i) for j in range(n))


def _drawn_vector(rng: Draws, n: int) -> Vector:
    return tuple(Fraction(int(rng.integers(-6, 7)), int(rng.integers(1, 5))) for _ in range(n))


def _complexity(x: Number) -> int:
    q = Fraction(x)
    return abs(q.numerator) + q.denominator - 1


def _rows(flat: Sequence[Number], width: int) -> Matrix:
    return tuple(tuple(flat[i : i + width]) for i in range(0, len(flat), width))
