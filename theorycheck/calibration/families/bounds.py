"""One-sided relations: bounds that are attained, cleared or passed; probabilities of failure; levels that
separate. Tightness and slack are audited where the best constant is known."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from theorycheck.calibration.cases import Audit, Bend, Truth
from theorycheck.calibration.families.building import N, about_n, wrong
from theorycheck.claims.instances import Instance, instances
from theorycheck.claims.legs import attained, certificate, leg
from theorycheck.claims.model import Claim, claim
from theorycheck.claims.statistic import probability
from theorycheck.judge import Judgement
from theorycheck.numbers.domain import integers
from theorycheck.plan.targets import TARGETS
from theorycheck.relations.base import Relation
from theorycheck.relations.bounds import at_least, at_most, holds_with_probability
from theorycheck.relations.separation import separates

TARGET = Fraction(TARGETS["smoke"].sampled).limit_denominator(1000)
"""Unit of deviations where a sampled bound that is cleared states no resolution."""


def truths() -> Iterator[Truth]:
    """The truths of this family, in a fixed order."""
    yield from exact_bounds()
    yield from ball_bounds()
    yield from drawn()
    yield from sampled_bounds()
    yield from failures()
    yield from separations()


def raised(slack: Fraction) -> Bend:
    """For at_least: the bound that the truth falls below by |r| of the bound's size, from one that
    leaves a factor ``slack``."""
    return lambda form, r: form * slack / (1 - abs(r))


def lowered(slack: Fraction) -> Bend:
    """For at_most: the bound that the truth passes by |r| of the bound's size."""
    return lambda form, r: form / slack / (1 + abs(r))


def first_lowered(slack: Fraction) -> Bend:
    """`lowered` for the first of several levels."""

    def bend(form: Any, r: Fraction) -> Any:
        return sympy.Matrix([lowered(slack)(form[0], r), *form[1:]])

    return bend


def tightness(best: Fraction, sign: int) -> Audit:
    """tau <= true <= slack_from: ``best`` for the truth, and what `lowered` or `raised` make of 1."""

    def audit(judgement: Judgement, r: Fraction) -> str:
        if judgement.tightness is None:
            return ""
        true = float(best if not r else 1 + abs(r) if sign > 0 else 1 / (1 - abs(r)))
        low, high = judgement.tightness.value, judgement.tightness.slack_from
        if low is not None and low > math.nextafter(true, math.inf):
            return f"tightness {low!r} above {true!r}"
        if high is not None and high < math.nextafter(true, -math.inf):
            return f"slack from {high!r} below {true!r}"
        return ""

    return audit


def exact_bounds() -> Iterator[Truth]:
    """n + 1 <= 2**n and n! >= 2**(n-1), attained at n = 1, times constants that leave slack."""
    for slack in map(Fraction, ("1", "3/2", "2", "10")):
        build = about_n(lambda n: n + 1, range(1, 9), at_most())
        form = slack * 2**N
        yield Truth(
            "n + 1 <= 2^n",
            "at_most",
            "exact",
            f"slack {slack}",
            build,
            form,
            lowered(slack),
            wrong(build, base=N + 0 * N, sign=-form, dropped_one=sympy.Integer(2)),
            tightness(1 / slack, 1),
        )
        build = about_n(lambda n: math.factorial(n), range(1, 9), at_least())
        form = 2 ** (N - 1) / slack
        yield Truth(
            "n! >= 2^(n-1)",
            "at_least",
            "exact",
            f"slack {slack}",
            build,
            form,
            raised(slack),
            wrong(build, exponent=2**N, base=sympy.Integer(4) ** (N - 1)),
            tightness(1 / slack, -1),
        )


def ball_bounds() -> Iterator[Truth]:
    """Bounds that no exact value attains: only structural lies have a known truth."""

    def harmonic(ns: Any, n: int) -> Any:
        return ns.sum(1 / (ns.arange(n) + ns.rational(1, 1)))

    def cosine(ns: Any, n: int) -> Any:
        return ns.cos(1 / ns.asarray(n))

    for arithmetic in ("ball", "interval"):
        build = about_n(harmonic, (2, 5, 17, 40), at_most(), arithmetic=arithmetic)
        yield Truth(
            "harmonic numbers",
            "at_most",
            arithmetic,
            "1 + log n",
            build,
            1 + sympy.log(N),
            None,
            wrong(build, one_dropped=sympy.log(N), constant=sympy.log(N) + sympy.Rational(1, 2)),
        )
        build = about_n(harmonic, (2, 5, 17, 40), at_least(), arithmetic=arithmetic)
        yield Truth(
            "harmonic numbers",
            "at_least",
            arithmetic,
            "log(n + 1)",
            build,
            sympy.log(N + 1),
            None,
            wrong(build, one_added=1 + sympy.log(N), factor=sympy.log(N + 1) * 2),
        )
        build = about_n(cosine, (1, 3, 10), at_least(), arithmetic=arithmetic)
        yield Truth(
            "cosines",
            "at_least",
            arithmetic,
            "1 - x^2/2",
            build,
            1 - 1 / (2 * N**2),
            None,
            wrong(build, next_term=1 - 1 / (2 * N**2) + 1 / (24 * N**4), half=1 - 1 / (4 * N**2)),
        )


def drawn() -> Iterator[Truth]:
    """Cauchy and Schwarz on drawn vectors, one pair of them parallel."""
    for d in (2, 3, 5):

        def draw(rng: Any, n: int, d: int = d) -> Instance:
            x = rng.rational((d,), 9)
            return {"x": x, "y": 2 * x if rng.integers(0, 2) else rng.rational((d,), 9)}

        def product(ns: Any, x: Any, y: Any) -> Any:
            return ns.sum(x * y, axis=-1) ** 2

        def norms(ns: Any, x: Any, y: Any) -> Any:
            return ns.sum(x * x, axis=-1) * ns.sum(y * y, axis=-1)

        def slightly_less(ns: Any, x: Any, y: Any) -> Any:
            return norms(ns, x, y) * (1 - ns.rational(1, 10**12))

        def build(reference: Any, relation: Relation, draw: Any = draw) -> Any:
            def made(id: str, form: Any = None) -> Claim:
                return claim(
                    id,
                    domain={N: integers(1)},
                    grid={"smoke": {N: [1, 2]}},
                    relation=relation,
                    legs=[
                        leg(
                            "value",
                            product,
                            arithmetic="rational",
                            reference=reference,
                            instances=instances(draw, "x y", smoke=8),
                        )
                    ],
                )

            return made

        yield Truth(
            "Cauchy-Schwarz",
            "at_most",
            "rational",
            f"d={d}",
            build(norms, at_most()),
            None,
            None,
            {
                "smaller by 1e-12": build(slightly_less, at_most()),
                "reversed": build(norms, at_least()),
            },
        )


def _coin(rng: Any, ns: Any, size: int, n: int) -> Any:
    """1 with probability n/20."""
    return rng.uniform((size,)) < ns.rational(n, 20)


def sampled_bounds() -> Iterator[Truth]:
    """Probabilities n/20 against bounds that touch or are cleared."""
    for slack in map(Fraction, ("1", "6/5", "2")):
        build = about_n(_coin, (8, 12, 16), at_most(), statistic=probability())
        yield Truth(
            "coins",
            "at_most",
            "probability",
            f"slack {slack}",
            build,
            slack * N / 20,
            lowered(slack),
            wrong(build, half=N / 40, square=(N / sympy.Integer(20)) ** 2),
            tightness(1 / slack, 1),
            TARGET,
        )
        build = about_n(_coin, (8, 12, 16), at_least(), statistic=probability())
        yield Truth(
            "coins",
            "at_least",
            "probability",
            f"slack {slack}",
            build,
            N / 20 / slack,
            raised(slack),
            wrong(build, twice=N / 10, root=sympy.sqrt(N / sympy.Integer(20))),
            tightness(1 / slack, -1),
            TARGET,
        )


def failures() -> Iterator[Truth]:
    """An event that fails with probability n/20; the closed form is the probability allowed."""
    for slack in map(Fraction, ("5/4", "3/2", "2", "4")):
        build = about_n(_coin, (1, 2), holds_with_probability(), statistic=probability())
        yield Truth(
            "failures",
            "holds_with_probability",
            "probability",
            f"slack {slack}",
            build,
            slack * N / 20,
            lowered(slack),
            wrong(build, half=N / 40, square=(N / sympy.Integer(20)) ** 2),
            tightness(1 / slack, 1),
            TARGET,
        )
    for delta in (Fraction(1, 100), Fraction(1, 1000)):
        never = about_n(
            lambda rng, ns, size, n: rng.uniform((size,)) < 0,
            (1,),
            holds_with_probability(),
            statistic=probability(),
        )
        yield Truth(
            "failures",
            "holds_with_probability",
            "probability",
            f"never, {delta}",
            never,
            sympy.Rational(delta) + 0 * N,
            None,
        )


def separations() -> Iterator[Truth]:
    """A method with error 1/n (or a coin of that bias) against others that stay above 1/2."""

    def errors(n: int) -> list[Fraction]:
        return [Fraction(1, n), 1 - Fraction(1, n), Fraction(3, 4)]

    half = sympy.Rational(1, 2)
    for slack in map(Fraction, ("1", "11/10", "5/4")):
        build = about_n(errors, range(3, 9), separates())
        form = sympy.Matrix([slack / N, half, half])
        yield Truth(
            "errors apart",
            "separates",
            "exact",
            f"slack {slack}",
            build,
            form,
            first_lowered(slack),
            wrong(
                build,
                method_too_good=sympy.Matrix([1 / N**2, half, half]),
                others_too_bad=sympy.Matrix([1 / N, half, half * 7 / 4]),
                levels_swapped=sympy.Matrix([half, 1 / N, 1 / N]),
            ),
        )

    def chance(numerator: int) -> Any:
        return lambda rng, ns, size, n: rng.uniform((size,)) < ns.rational(numerator, 20 * n)

    for level in (Fraction(3, 10), Fraction(2, 5)):

        def sampled(id: str, form: Any) -> Claim:
            return claim(
                id,
                domain={N: integers(1)},
                grid={"smoke": {N: [1, 2]}},
                closed_form=form,
                relation=separates(),
                mutate=False,
                legs=[
                    attained(chance(5), statistic=probability()),
                    certificate(chance(14), statistic=probability(), closed_form=half / N),
                ],
            )

        yield Truth(
            "chances apart",
            "separates",
            "probability",
            f"level {level}",
            sampled,
            level / N,
            lowered(4 * level),
            wrong(sampled, too_low=1 / (10 * N)),
            None,
            TARGET,
        )


__all__ = ["truths"]
