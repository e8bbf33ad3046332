"""What misleads a look that is not taken everywhere: bends at one point of grids of unequal sharpness, and
sweeps that oscillate, jump, drift in the middle or end inside a crossover, each beside its truths."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from theorycheck.calibration.cases import Bend, Build, Truth
from theorycheck.calibration.families.building import N, about_n, claimed
from theorycheck.claims.statistic import mean, probability
from theorycheck.numbers.domain import integers
from theorycheck.relations.base import Relation
from theorycheck.relations.constants import up_to_constant
from theorycheck.relations.convergence import converges_to, decays_as
from theorycheck.relations.equality import equals
from theorycheck.relations.scaling import scales_as
from theorycheck.stats import sub_gaussian

SIZES = [2**j for j in range(3, 23)]


def truths() -> Iterator[Truth]:
    """The truths of this family, in a fixed order."""
    yield from bends()
    yield from sweeps()
    yield from small_sizes()
    yield from crossovers()
    yield from slow_factors()


def at_one_point(point: int) -> Bend:
    """The closed form from which the truth deviates by r of its own size at ``point`` alone."""
    return lambda form, r: form / (1 + r * sympy.KroneckerDelta(N, point))


def bends() -> Iterator[Truth]:
    """Equalities that are seen much more sharply at some points than at others."""

    def bit(rng: Any, ns: Any, size: int, n: int) -> Any:
        return rng.uniform((size,)) < ns.rational(n, n + 1)

    def shifted(rng: Any, ns: Any, size: int, n: int) -> Any:
        return n + rng.normal((size,)) / 2

    def root(ns: Any, n: int) -> Any:
        return ns.sqrt(ns.asarray(n)) if n % 2 else ns.exp(ns.log(ns.asarray(n)) / 2)

    makers: dict[str, Callable[..., Build]] = {
        "bits": partial(about_n, statistic=probability()),
        "mean n": partial(about_n, statistic=mean(sub_gaussian(0.5))),
        "triangles": about_n,
        "roots": partial(about_n, arithmetic="ball"),
    }
    grids: dict[str, tuple[Any, Sequence[int], Any, str]] = {
        "bits": (bit, (1, 5, 1000), N / (N + 1), "probability"),
        "mean n": (shifted, (1, 10, 1000), N, "sub-Gaussian mean"),
        "triangles": (lambda n: n * (n + 1) // 2, range(1, 9), N * (N + 1) / 2, "exact"),
        "roots": (root, range(1, 9), sympy.sqrt(N), "ball"),
    }
    for name, (simulation, grid, form, rung) in grids.items():
        build = makers[name](simulation, grid)
        for point in (min(grid), sorted(grid)[len(grid) // 2], max(grid)):
            yield Truth(
                "bends at one point",
                "equals",
                rung,
                f"{name}, at {point}",
                build,
                form,
                at_one_point(point),
            )


MISLEADING: dict[str, Callable[[int, int], Fraction]] = {
    "1, 2, 1, 2": lambda i, n: Fraction(1 + i % 2),
    "1, 1, 3": lambda i, n: Fraction(3 if i % 3 == 2 else 1),
    "four of twenty by 100": lambda i, n: Fraction(100 if i in (6, 9, 11, 14) else 1),
    "the first four by 100": lambda i, n: Fraction(100 if i < 4 else 1),
    "one by 2": lambda i, n: Fraction(2 if i == 10 else 1),
    "the last by 2": lambda i, n: Fraction(2 if n == SIZES[-1] else 1),
    "a step": lambda i, n: Fraction(3 if i >= 8 else 1),
    "a drift in the middle": lambda i, n: Fraction(4 + min(4, max(0, i - 7)), 4),
    "a wave": lambda i, n: 2 + Fraction(math.sin(2.3 * math.log(n))),
}
"""Factors of the i-th size of a sweep, n, under which no law settles as its last sizes have it."""


def _misled(name: str, true: Callable[[int], Fraction]) -> Callable[[int], Fraction]:
    factor = MISLEADING[name]
    return lambda n: true(n) * factor(n.bit_length() - 4, n)


def sweeps() -> Iterator[Truth]:
    """The laws n, 1/n and a limit of 1, exactly and with a correction; lies that look so at their ends."""
    constant = up_to_constant(equals(), in_=N)
    laws: dict[str, tuple[Relation, Callable[[int], Fraction], Any]] = {
        "scales_as": (scales_as(N), lambda n: Fraction(n), N),
        "decays_as": (decays_as(N), lambda n: Fraction(1, n), 1 / N),
        "converges_to": (converges_to(N), lambda n: Fraction(1), 1 + 0 * N),
        "up_to_constant(equals)": (constant, lambda n: Fraction(n), N),
    }
    for relation_name, (relation, true, form) in laws.items():
        for name, correction in (("exactly", 0), ("corrected by 3/n", 3)):

            def corrected(
                n: int, true: Callable[[int], Fraction] = true, correction: int = correction
            ) -> Fraction:
                return true(n) * (1 + Fraction(correction, n))

            def build(simulation: Any, relation: Relation = relation) -> Any:
                return about_n(simulation, SIZES, relation, domain=integers(SIZES[0]))

            yield Truth(
                "misleading sweeps",
                relation_name,
                "exact",
                name,
                build(corrected),
                form,
                None,
                {lie: claimed(build(_misled(lie, corrected)), form) for lie in MISLEADING},
            )


def small_sizes() -> Iterator[Truth]:
    """n**-2 with corrections, from 1, 2, 4, ... to 4096: small sizes cost a true law nothing."""
    for first in (0, 1, 3, 5):
        for name, true in (
            ("1/n^2", lambda n: Fraction(1, n * n)),
            ("1/(n^2 + 1)", lambda n: Fraction(1, n * n + 1)),
            ("(n + 10)/n^3", lambda n: Fraction(n + 10, n**3)),
        ):
            sizes = [2**j for j in range(first, 13)]
            build = about_n(true, sizes, decays_as(N), domain=integers(1))
            yield Truth(
                "small sizes",
                "decays_as",
                "exact",
                f"{name} from {sizes[0]}",
                build,
                1 / N**2,
                lambda form, r: form * N**r,
            )


def crossovers() -> Iterator[Truth]:
    """n**2 / (n + 10**4) is a law of n; sweeps that end before, inside and behind the crossover."""
    for last in (11, 12, 13, 14, 16, 18, 22, 28):
        sizes = [2**j for j in range(4, last + 1)]
        build = about_n(
            lambda n: Fraction(n * n, n + 10**4), sizes, scales_as(N), domain=integers(1)
        )
        yield Truth(
            "crossovers",
            "scales_as",
            "exact",
            f"to 2^{last}",
            build,
            N,
            None,
            {
                "the power before it": claimed(build, N**2),
                "a power between": claimed(build, N ** sympy.Rational(3, 2)),
            },
        )


def slow_factors() -> Iterator[Truth]:
    """The law n, and lies by log log n and powers of log n, which a pass must name."""
    for last in (14, 20, 30, 40):
        sizes = [2**j for j in range(4, last)]

        def slow(factor: Callable[[int], float], sizes: list[int] = sizes) -> Any:
            return about_n(
                lambda n: n * Fraction(factor(n)), sizes, scales_as(N), domain=integers(3)
            )

        yield Truth(
            "slow factors",
            "scales_as",
            "exact",
            f"to 2^{last - 1}",
            slow(lambda n: 1),
            N,
            None,
            {
                "log factor": claimed(slow(math.log), N),
                "log factor, its root": claimed(slow(lambda n: math.sqrt(math.log(n))), N),
                "log log factor": claimed(slow(lambda n: math.log(math.log(n))), N),
            },
        )


__all__ = ["MISLEADING", "truths"]
