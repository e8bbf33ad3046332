"""Attacks on sampling: streams that are frozen, shared, sorted or chained, tails that the data break; beside
each what only looks like it.

An *unsound* case has a true closed form and lies about it, and sampling that is not what it claims to be:
`error` is the right answer to all of them, and any other verdict counts for what it is, so that a false
pass or fail of broken sampling is a false pass or fail of the engine. The *sound* cases are constant, rare,
certain, heavy-tailed as declared, or recorded in order: an `error` there is an error of the engine.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import sympy

from theorycheck.calibration.cases import Truth, relative
from theorycheck.calibration.families.building import N, about_n, wrong
from theorycheck.claims.model import Claim, claim
from theorycheck.claims.statistic import Statistic, mean, probability, quantile
from theorycheck.claims.tables import recorded_samples
from theorycheck.claims.tails import bounded, sub_gaussian, variance_at_most
from theorycheck.numbers.domain import integers
from theorycheck.relations.bounds import at_most, holds_with_probability

HALF = sympy.Rational(1, 2) + 0 * N
UNIT = mean(bounded(0, 1))


def truths() -> Iterator[Truth]:
    """The truths of this family, in a fixed order."""
    yield from broken_tails()
    yield from frozen()
    yield from shared()
    yield from in_order()
    yield from dull()
    yield from recorded()


def _case(
    family: str,
    name: str,
    simulation: Any,
    statistic: Statistic,
    form: Any,
    *,
    sound: bool = False,
    **lies: Any,
) -> Truth:
    build = about_n(simulation, (1, 2), statistic=statistic)
    return Truth(
        f"attacks: {family}",
        "equals",
        statistic.kind,
        name,
        build,
        form,
        relative,
        wrong(build, **lies),
        sound=sound,
        unit=Fraction(1, 20),
    )


def broken_tails() -> Iterator[Truth]:
    """Deviations beyond the declared one, and declared ones that are just met."""
    declared = {"variance": mean(variance_at_most(1)), "sub-Gaussian": mean(sub_gaussian(1))}
    for kind, statistic in declared.items():
        for deviation in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10)):

            def gaussian(rng: Any, ns: Any, size: int, n: int, s: Fraction = deviation) -> Any:
                return 5 * n + float(s) * rng.normal((size,))

            yield _case(
                "tails",
                f"{kind} 1, deviation {deviation}",
                gaussian,
                statistic,
                5 * N,
                sound=deviation == 1,
                double=10 * N,
            )

    def heavy(rng: Any, ns: Any, size: int, n: int) -> Any:
        """Student's t with 3 degrees of freedom: variance 3, no fourth moment."""
        chi = ns.sum(rng.normal((size, 3)) ** 2, axis=1)
        return 5 * n + rng.normal((size,)) / ns.sqrt(chi / 3)

    yield _case(
        "tails",
        "Student t, variance 3",
        heavy,
        mean(variance_at_most(3)),
        5 * N,
        sound=True,
        double=10 * N,
    )
    yield _case(
        "tails", "Student t, declared 1", heavy, mean(variance_at_most(1)), 5 * N, double=10 * N
    )

    def scaled(rng: Any, ns: Any, size: int, n: int) -> Any:
        return n * (5 + rng.normal((size,)))

    yield _case(
        "tails", "by point", scaled, mean(variance_at_most(N**2)), 5 * N, sound=True, double=10 * N
    )
    yield _case(
        "tails", "of one point for all", scaled, mean(variance_at_most(1)), 5 * N, double=10 * N
    )


def frozen() -> Iterator[Truth]:
    """Generators that draw the same numbers again: one draw, or few, in the place of all."""

    def own(rng: Any, ns: Any, size: int, n: int) -> Any:
        return np.random.default_rng(n).random(size)

    yield _case("frozen", "a generator of its own", own, UNIT, HALF, third=HALF * 2 / 3)
    for seeds in (1, 3, 40):

        def few(rng: Any, ns: Any, size: int, n: int, seeds: int = seeds) -> Any:
            return np.random.default_rng(int(rng.integers(0, seeds, (size,))[0])).random(size)

        yield _case("frozen", f"one of {seeds} seeds", few, UNIT, HALF, third=HALF * 2 / 3)

        def few_events(rng: Any, ns: Any, size: int, n: int, seeds: int = seeds) -> Any:
            drawn = np.random.default_rng(int(rng.integers(0, seeds, (size,))[0])).random(size)
            return drawn < 0.02

        yield _case(
            "frozen",
            f"rare events, one of {seeds} seeds",
            few_events,
            probability(),
            sympy.Rational(1, 50) + 0 * N,
            third=sympy.Rational(1, 75) + 0 * N,
        )

    def seeded(rng: Any, ns: Any, size: int, n: int) -> Any:
        return np.random.default_rng(int(rng.integers(0, 1 << 62))).random(size)

    yield _case(
        "frozen", "a seed for each block", seeded, UNIT, HALF, sound=True, third=HALF * 2 / 3
    )


def shared() -> Iterator[Truth]:
    """Replicates of a block that share a draw, so that they are not independent."""

    def one(rng: Any, ns: Any, size: int, n: int) -> Any:
        return rng.uniform(()) + 0 * ns.arange(size)

    yield _case("shared", "one draw for a block", one, UNIT, HALF, third=HALF * 2 / 3)

    def one_event(rng: Any, ns: Any, size: int, n: int) -> Any:
        return np.full(size, ns.sum(rng.normal((2 * size,))) > 0)

    yield _case(
        "shared", "one event for a block", one_event, probability(), HALF, third=HALF * 2 / 3
    )
    for part in (1, 2, 4):

        def common(rng: Any, ns: Any, size: int, n: int, part: int = part) -> Any:
            weights = rng.uniform((size,))
            return (part * weights[0] + 4 * rng.uniform((size,))) / (4 + part)

        yield _case(
            "shared", f"{part}/4 of a draw in common", common, UNIT, HALF, third=HALF * 2 / 3
        )

    def features(rng: Any, ns: Any, size: int, n: int) -> Any:
        """The same random features for all values of a block, a new Gaussian input for each."""
        w = rng.normal((30,))
        x = rng.normal((size, 30))
        return ns.number(ns.matmul(x, ns.expand_dims(w, axis=-1))[:, 0] ** 2 < 30)

    middle = (1 + 0 * N) * sympy.erf(1 / sympy.sqrt(2))
    yield _case(
        "shared", "features for a block", features, mean(bounded(0, 1)), middle, half=middle / 2
    )


def in_order() -> Iterator[Truth]:
    """Blocks whose draws are sorted."""

    def ascending(rng: Any, ns: Any, size: int, n: int) -> Any:
        return np.sort(rng.uniform((size,)))

    yield _case("in order", "sorted blocks", ascending, UNIT, HALF, third=HALF * 2 / 3)

    def events(rng: Any, ns: Any, size: int, n: int) -> Any:
        return np.sort(rng.uniform((size,)) < 0.5)

    yield _case("in order", "sorted events", events, probability(), HALF, third=HALF * 2 / 3)
    for stay in (Fraction(1, 2), Fraction(9, 10)):

        def chain(rng: Any, ns: Any, size: int, n: int, stay: Fraction = stay) -> Any:
            """Each value is the one before with probability ``stay``."""
            fresh, kept = rng.uniform((size,)), rng.uniform((size,)) < float(stay)
            kept[0] = False
            last = np.maximum.accumulate(np.where(kept, 0, np.arange(size)))
            return fresh[last]

        yield _case(
            "in order", f"a chain that stays with {stay}", chain, UNIT, HALF, third=HALF * 2 / 3
        )


def dull() -> Iterator[Truth]:
    """Sound streams that look broken: what comes out is constant, or nearly."""

    def certain(rng: Any, ns: Any, size: int, n: int) -> Any:
        return rng.uniform((size,)) >= 0

    yield _case(
        "dull",
        "accuracy 1",
        certain,
        probability(),
        1 + 0 * N,
        sound=True,
        nine_tenths=sympy.Rational(9, 10) + 0 * N,
    )

    def constant(rng: Any, ns: Any, size: int, n: int) -> Any:
        return n + 0 * rng.normal((size,))

    yield _case(
        "dull", "a constant", constant, mean(variance_at_most(1)), N, sound=True, double=2 * N
    )
    yield _case(
        "dull", "median of a constant", constant, quantile("1/2"), N, sound=True, double=2 * N
    )

    def one_draws_nothing(rng: Any, ns: Any, size: int, n: int) -> Any:
        return 1 - rng.uniform((size,)) if n > 1 else np.full(size, 0.5)

    yield _case(
        "dull",
        "nothing to draw at one point",
        one_draws_nothing,
        UNIT,
        HALF,
        sound=True,
        third=HALF * 2 / 3,
    )
    for rate in (Fraction(1, 1000), Fraction(1, 10**6)):

        def rare(rng: Any, ns: Any, size: int, n: int, rate: Fraction = rate) -> Any:
            return rng.uniform((size,)) < float(rate)

        for relation in (at_most(), holds_with_probability()):
            build = about_n(rare, (1, 2), relation, statistic=probability())
            yield Truth(
                "attacks: dull",
                relation.name,
                "probability",
                f"events of rate {float(rate):g}",
                build,
                sympy.Rational(2, 100) + 0 * N,
                None,
                {},
            )


@cache
def _recording(order: str) -> Path:
    """60,000 replicates at each of two points, numbered in this order; two distributions of mean 1/2."""
    rng = np.random.default_rng(9)
    folder = Path(tempfile.mkdtemp(prefix="theorycheck-calibration-"))
    with (folder / f"{order}.csv").open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(("n", "replicate", "value"))
        for n in (1, 2):
            x = rng.random((60_000, n)).mean(axis=1)
            if order != "as drawn":
                x = np.sort(x)[:: -1 if order == "descending" else 1]
            table.writerows((n, i, repr(float(v))) for i, v in enumerate(x))
    return folder / f"{order}.csv"


def recorded() -> Iterator[Truth]:
    """Recorded replicates in the order drawn and in sorted files: sound, whatever their order."""
    for order in ("as drawn", "ascending", "descending"):

        def build(id: str, form: Any, order: str = order) -> Claim:
            data = recorded_samples(_recording(order), "n", UNIT, model="made for the calibration")
            return claim(
                id,
                domain={N: integers(1)},
                grid={"smoke": {N: [1, 2]}},
                closed_form=form,
                legs=[data],
                mutate=False,
            )

        yield Truth(
            "attacks: recorded",
            "equals",
            "mean",
            order,
            build,
            HALF,
            relative,
            wrong(build, third=HALF * 2 / 3),
        )


__all__ = ["truths"]
