"""Equalities of array programs in balls and in intervals, and of floats with a declared error."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from theorycheck.calibration.cases import Truth, absolute, relative
from theorycheck.calibration.families.building import N, about_n, wrong


def truths() -> Iterator[Truth]:
    """The truths of this family, in a fixed order."""
    for arithmetic, grid in (("ball", range(5, 10)), ("interval", (5, 17, 64, 301))):
        yield from programs(arithmetic, grid)
    yield from floats()


def programs(arithmetic: str, grid: Any) -> Iterator[Truth]:
    """Trigonometric sums and products, lengths, exponentials, iterations."""
    way = _Arithmetic(arithmetic, grid)
    yield from _trigonometric(way)
    yield from _lengths(way)
    yield from _exponentials(way)
    yield from _vanishing(way)


@dataclass(frozen=True)
class _Arithmetic:
    """How the programs are run, and at which n."""

    name: str
    grid: Any

    def truth(self, name: str, simulation: Any, form: Any, **lies: Any) -> Truth:
        build = about_n(simulation, self.grid, arithmetic=self.name)
        return Truth(
            "array programs", "equals", self.name, name, build, form, relative, wrong(build, **lies)
        )

    def vanishing(self, name: str, simulation: Any, form: Any, **lies: Any) -> Truth:
        """A sum of parts of size 1 that is small: judged absolutely."""
        build = about_n(simulation, self.grid, arithmetic=self.name, unit=1)
        return Truth(
            "vanishing sums", "equals", self.name, name, build, form, absolute, wrong(build, **lies)
        )


def _trigonometric(way: _Arithmetic) -> Iterator[Truth]:
    for k in (1, 2):

        def squared_cosines(ns: Any, n: int, k: int = k) -> Any:
            return ns.sum(ns.cos(2 * k * ns.pi * ns.arange(n) / n) ** 2)

        yield way.truth(
            f"squared cosines {k}",
            squared_cosines,
            N / 2,
            off_by_one=(N + 1) / 2,
            constant=N * sympy.pi / 6,
        )

    def sines(ns: Any, n: int) -> Any:
        return ns.prod(2 * ns.sin(ns.pi * (ns.arange(n - 1) + 1) / n))

    yield way.truth("product of sines", sines, N, exponent=sympy.sqrt(N), sign=-N)


def _lengths(way: _Arithmetic) -> Iterator[Truth]:
    def polygon(ns: Any, n: int) -> Any:
        chord = 2 * ns.sin(ns.pi / n)
        for _ in range(3):
            chord = ns.sqrt(2 - ns.sqrt(4 - chord**2))
        return 8 * n * chord

    yield way.truth(
        "polygon",
        polygon,
        16 * N * sympy.sin(sympy.pi / (8 * N)),
        circle=2 * sympy.pi,
        one_doubling_less=8 * N * sympy.sin(sympy.pi / (4 * N)),
    )

    def length(ns: Any, n: int) -> Any:
        return ns.norm(ns.asarray(ns.arange(n) + 1))

    yield way.truth(
        "length",
        length,
        sympy.sqrt(N * (N + 1) * (2 * N + 1) / 6),
        dropped_root=N * (N + 1) * (2 * N + 1) / 6,
    )


def _exponentials(way: _Arithmetic) -> Iterator[Truth]:
    for x in (Fraction(1, 3), Fraction(-1, 7)):

        def power(ns: Any, n: int, x: Fraction = x) -> Any:
            step, total = ns.exp(ns.asarray(x)), ns.asarray(1)
            for _ in range(n):
                total = total * step
            return total

        yield way.truth(
            f"exponential {x}",
            power,
            sympy.exp(x * N),
            sign=sympy.exp(-x * N),
            term_dropped=1 + x * N,
        )

        def logarithms(ns: Any, n: int, x: Fraction = x) -> Any:
            return ns.sum(ns.log(1 + ns.asarray(x) * 0 + 1 / (ns.arange(n) + 1 + ns.asarray(x))))

        yield way.truth(
            f"logarithms {x}",
            logarithms,
            sympy.log((N + 1 + x) / (1 + x)),
            shift_dropped=sympy.log(N + 1),
        )


def _vanishing(way: _Arithmetic) -> Iterator[Truth]:
    def roots_of_unity(ns: Any, n: int) -> Any:
        return ns.sum(ns.cos(2 * ns.pi * ns.arange(n) / n))

    yield way.vanishing(
        "roots of unity",
        roots_of_unity,
        sympy.Integer(0),
        one=sympy.Integer(1),
        small=sympy.Rational(1, 10**8),
    )

    def middle(ns: Any, n: int) -> Any:
        return ns.sum(ns.cos(ns.pi * (ns.arange(n) + ns.rational(1, 2)) / n)) + ns.rational(1, n)

    yield way.vanishing("midpoints", middle, 1 / N, dropped_term=sympy.Integer(0))


def floats() -> Iterator[Truth]:
    """Plain floats whose error is declared: true for these sums, by the usual bound n * 2**-53."""
    for error in (Fraction(1, 10**12), Fraction(1, 10**6), Fraction(1, 1000)):
        made = partial(about_n, arithmetic="external", model="plain floats", error=error)
        name = f"error {float(error):.0e}"
        harmonic = made(lambda n: math.fsum(1.0 / i for i in range(1, n + 1)), (5, 50, 500))
        yield Truth(
            "external floats",
            "equals",
            "external",
            f"harmonic, {name}",
            harmonic,
            sympy.harmonic(N),
            relative,
            wrong(
                harmonic, asymptote_without_constant=sympy.log(N), one_less=sympy.harmonic(N - 1)
            ),
        )
        gamma = made(lambda n: math.gamma(n + 0.5), (1, 4, 9))
        yield Truth(
            "external floats",
            "equals",
            "external",
            f"gamma, {name}",
            gamma,
            sympy.gamma(N + sympy.Rational(1, 2)),
            relative,
            wrong(gamma, whole=sympy.gamma(N), shift=sympy.gamma(N + 1)),
        )


__all__ = ["truths"]
