"""Optima closed from both sides, from one side, and searched."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from theorycheck.calibration.cases import Truth, relative
from theorycheck.calibration.families.building import N, claimed, wrong
from theorycheck.claims.legs import Leg, attained, certificate, search
from theorycheck.claims.model import Claim, claim
from theorycheck.numbers.domain import integers
from theorycheck.relations.base import Relation
from theorycheck.relations.optimum import maximises, minimises


def truths() -> Iterator[Truth]:
    """The truths of this family, in a fixed order."""
    yield from products()
    yield from projections()
    yield from searched()


def _build(legs: list[Leg], relation: Relation) -> Any:
    def build(id: str, form: Any) -> Claim:
        return claim(
            id,
            domain={N: integers(1)},
            grid={"smoke": {N: range(2, 8)}},
            closed_form=form,
            relation=relation,
            legs=legs,
            mutate=False,
        )

    return build


def products() -> Iterator[Truth]:
    """Integers x_1 + ... + x_k = k n have the largest product n**k and the least sum of squares k n**2."""
    for k in (2, 3, 4):

        def best(n: int, k: int = k) -> int:
            return int(math.prod([n] * k))

        def poor(n: int, k: int = k) -> int:
            return int((n + 1) * (n - 1) * n ** (k - 2))

        def bound(n: int, k: int = k) -> Any:
            # the geometric mean is at most the arithmetic mean
            return Fraction(k * n, k) ** k

        def loose(n: int, k: int = k) -> int:
            return int((k * n) ** k)

        form = N**k
        both = _build([attained(best), certificate(bound)], maximises())
        worse = _build([attained(poor), certificate(bound)], maximises())
        wide = _build([attained(best), certificate(loose)], maximises())
        alone = _build([attained(best)], maximises())
        lies = wrong(both, constant=2 * form, exponent=N ** (k - 1), sign=-form)
        yield Truth(
            "products",
            "maximises",
            "exact",
            f"k={k}",
            both,
            form,
            relative,
            {
                **lies,
                "poor construction claimed best": claimed(both, (N + 1) * (N - 1) * N ** (k - 2)),
            },
        )
        yield Truth("products", "maximises", "exact", f"k={k}, poor construction", worse, form)
        yield Truth("products", "maximises", "exact", f"k={k}, loose bound", wide, form)
        yield Truth(
            "products",
            "maximises",
            "searched",
            f"k={k}, no bound",
            alone,
            form,
            None,
            wrong(alone, too_small=form / 2),
        )

        yield from _sums_of_squares(k)


def _sums_of_squares(k: int) -> Iterator[Truth]:
    def squares(n: int) -> int:
        return sum([n * n] * k)

    def least(n: int) -> Any:
        return Fraction((k * n) ** 2, k)

    build = _build([attained(squares), certificate(least)], minimises())
    yield Truth(
        "squares",
        "minimises",
        "exact",
        f"k={k}",
        build,
        k * N**2,
        relative,
        wrong(build, factor=N**2, exponent=k * N),
    )


def projections() -> Iterator[Truth]:
    """a cos t + b sin t is at most sqrt(a**2 + b**2), attained at tan t = b/a; and its negative."""
    for arithmetic in ("ball", "interval"):

        def best(ns: Any, n: int) -> Any:
            a = ns.asarray(n)
            cosine = 1 / ns.sqrt(1 + (1 / a) ** 2)
            return a * cosine + cosine / a

        def bound(ns: Any, n: int) -> Any:
            return ns.norm(ns.stack([ns.asarray(n), ns.asarray(1)]))

        def lowest(ns: Any, n: int) -> Any:
            return -best(ns, n)

        def below(ns: Any, n: int) -> Any:
            return -bound(ns, n)

        top = [attained(best, arithmetic=arithmetic), certificate(bound, arithmetic=arithmetic)]
        bottom = [
            attained(lowest, arithmetic=arithmetic),
            certificate(below, arithmetic=arithmetic),
        ]
        form = sympy.sqrt(N**2 + 1)
        build = _build(top, maximises())
        yield Truth(
            "projections",
            "maximises",
            arithmetic,
            "top",
            build,
            form,
            relative,
            wrong(build, triangle=N + 1, larger_part=N + 0 * N, sign=-form),
        )
        build = _build(bottom, minimises())
        yield Truth(
            "projections",
            "minimises",
            arithmetic,
            "bottom",
            build,
            -form,
            relative,
            wrong(build, triangle=-N - 1, larger_part=-N + 0 * N, sign=form),
        )


def searched() -> Iterator[Truth]:
    """A grid search beside both sides: a positive control that may refute and is never needed."""
    for steps in (64, 4096):

        def tries(n: int, steps: int = steps) -> float:
            angles = (2 * math.pi * i / steps for i in range(steps))
            return max(n * math.cos(t) + math.sin(t) for t in angles)

        def best(ns: Any, n: int) -> Any:
            return (n * ns.asarray(n) + 1) / ns.sqrt(ns.asarray(n * n + 1))

        def bound(ns: Any, n: int) -> Any:
            return ns.sqrt(ns.asarray(n * n + 1))

        control = search(
            tries, arithmetic="external", model="plain floats", error=Fraction(1, 10**12)
        )
        form = sympy.sqrt(N**2 + 1)
        build = _build([attained(best), certificate(bound), control], maximises())
        yield Truth(
            "grid search", "maximises", "external", f"{steps} angles", build, form, relative
        )
        alone = _build([attained(best), control], maximises())
        yield Truth(
            "grid search",
            "maximises",
            "external",
            f"{steps} angles, no bound",
            alone,
            form,
            None,
            wrong(alone, too_small=form / 2),
        )


__all__ = ["truths"]
