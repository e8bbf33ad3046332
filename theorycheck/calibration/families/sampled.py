"""Sampled equalities: probabilities, means under declared tails, quantiles."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from theorycheck.calibration.cases import Truth, relative
from theorycheck.calibration.families.building import N, about_n, wrong
from theorycheck.claims.statistic import Statistic, mean, probability, quantile
from theorycheck.stats import bounded, sub_gaussian, variance_at_most

GRID = (1, 2, 3)


def truths() -> Iterator[Truth]:
    """The truths of this family, in a fixed order."""
    yield from probabilities()
    yield from means()
    yield from quantiles()


def _truth(
    rung: str, name: str, simulation: Any, statistic: Statistic, form: Any, **lies: Any
) -> Truth:
    build = about_n(simulation, GRID, statistic=statistic)
    return Truth(
        f"sampled: {rung}", "equals", rung, name, build, form, relative, wrong(build, **lies)
    )


def probabilities() -> Iterator[Truth]:
    """Probabilities of events whose value is known."""
    for t in (Fraction(3, 4), Fraction(4, 5), Fraction(5, 6), Fraction(7, 8), Fraction(9, 10)):

        def largest_below(rng: Any, ns: Any, size: int, n: int, t: Fraction = t) -> Any:
            return ns.max(rng.uniform((size, n)), axis=1) < ns.asarray(t)

        yield _truth(
            "probability",
            f"largest below {t}",
            largest_below,
            probability(),
            sympy.Rational(t) ** N,
            exponent=sympy.Rational(t) ** (N + 1),
            independence=sympy.Rational(t),
        )

        def smallest_below(rng: Any, ns: Any, size: int, n: int, t: Fraction = t) -> Any:
            return ns.min(rng.uniform((size, n)), axis=1) < ns.asarray(t)

        yield _truth(
            "probability",
            f"smallest below {t}",
            smallest_below,
            probability(),
            1 - (1 - sympy.Rational(t)) ** N,
            union_bound=N * sympy.Rational(t),
            complement=(1 - sympy.Rational(t)) ** N,
        )


def means() -> Iterator[Truth]:
    """Means of bounded variables and of those with a declared variance."""
    for k in (1, 2, 3):

        def powers(rng: Any, ns: Any, size: int, n: int, k: int = k) -> Any:
            return 1 - rng.uniform((size,)) ** (k + n)

        yield _truth(
            "bounded mean",
            f"1 - U^(n+{k})",
            powers,
            mean(bounded(0, 1)),
            1 - 1 / (N + k + 1),
            exponent=1 - 1 / (N + k),
            sign=1 + 1 / (N + k + 1),
        )

        def signs(rng: Any, ns: Any, size: int, n: int, k: int = k) -> Any:
            return ns.sum(rng.signs((size, n)), axis=1) ** 2 / (n * n) + k

        yield _truth(
            "bounded mean",
            f"squared walk + {k}",
            signs,
            mean(bounded(k, k + 1)),
            1 / N + k,
            square=1 / N**2 + k + sympy.Rational(1, 2),
            dropped_term=1 / N,
        )
    yield from _sub_gaussian_means()
    for shift in (2, 4):

        def exponential(rng: Any, ns: Any, size: int, n: int, shift: int = shift) -> Any:
            return shift - ns.log(1 - rng.uniform((size,))) / n

        yield _truth(
            "mean, bounded variance",
            f"exponential + {shift}",
            exponential,
            mean(variance_at_most(1.0)),
            shift + 1 / N,
            dropped_shift=1 / N,
            rate=sympy.Integer(shift) + N,
        )


def _sub_gaussian_means() -> Iterator[Truth]:
    for mu in (1, 2, 5):

        def shifted(rng: Any, ns: Any, size: int, n: int, mu: int = mu) -> Any:
            return mu * n + rng.normal((size,)) / 2

        yield _truth(
            "sub-Gaussian mean",
            f"mu={mu}",
            shifted,
            mean(sub_gaussian(0.5)),
            mu * N,
            sign=-mu * N,
            dropped_factor=sympy.Integer(mu) + N,
        )

        def product(rng: Any, ns: Any, size: int, n: int, mu: int = mu) -> Any:
            return ns.cos(ns.pi * rng.uniform((size,))) + mu

        yield _truth(
            "sub-Gaussian mean",
            f"cosine + {mu}",
            product,
            mean(sub_gaussian(1.0)),
            sympy.Integer(mu) + 0 * N,
            half=sympy.Integer(mu) + sympy.Rational(1, 2),
        )


def quantiles() -> Iterator[Truth]:
    """Quantiles of continuous laws."""
    for level in (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10)):

        def exponential(rng: Any, ns: Any, size: int, n: int) -> Any:
            return -ns.log(1 - rng.uniform((size,))) / n

        yield _truth(
            "quantile",
            f"exponential, {level}",
            exponential,
            quantile(level),
            -sympy.log(1 - sympy.Rational(level)) / N,
            other_tail=-sympy.log(sympy.Rational(level) / 2) / N,
        )

        def largest(rng: Any, ns: Any, size: int, n: int) -> Any:
            return ns.max(rng.uniform((size, n)), axis=1)

        yield _truth(
            "quantile",
            f"largest, {level}",
            largest,
            quantile(level),
            sympy.Rational(level) ** (1 / N),
            dropped_root=sympy.Rational(level) / 2,
        )


__all__ = ["truths"]
