"""Laws over a sweep: powers and logarithms, rates, limits, implied constants."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from theorycheck.calibration.cases import Audit, Bend, Truth, relative
from theorycheck.calibration.families.building import N, about_n, claimed, wrong
from theorycheck.claims.statistic import probability
from theorycheck.judge import Judgement
from theorycheck.relations.bounds import at_least, at_most
from theorycheck.relations.constants import up_to_constant
from theorycheck.relations.convergence import converges_to, decays_as
from theorycheck.relations.equality import equals
from theorycheck.relations.scaling import scales_as

SIZES = [2**j for j in range(4, 13)]
LONG = [2**j for j in range(4, 21, 2)]
SLOPE = Fraction(1, 20)
"""Unit of deviations of an implied constant, as a power of n. `up_to_constant` states no resolution; a
constant that grows as n**(1/20) does not settle under the finite-size model."""


def truths() -> Iterator[Truth]:
    """The truths of this family, in a fixed order."""
    yield from powers()
    yield from sampled_powers()
    yield from rates()
    yield from limits()
    yield from constants()


def tilted(form: Any, r: Fraction) -> Any:
    """The law whose exponent is wrong by r."""
    return form * N**r


def moving(sign: int) -> Bend:
    """The law whose implied constant falls (sign 1) or grows (-1) as a power |r|."""
    return lambda form, r: form * N ** (sign * abs(r))


def powers_left(judgement: Judgement, r: Fraction) -> str:
    """The true change of the power, -r, must be among those left over at log power 0."""
    step = 1 / 400 + 1e-12  # the scan's resolution
    for entry in judgement.legs:
        for left in entry.further.get("left", ()):
            low, high = left["power"]
            if left["log"] == 0 and abs(r) <= 1 and not low - step <= -r <= high + step:
                return f"powers [{low}, {high}] without {-float(r):g}"
    return ""


def _sum_of_squares(n: int) -> int:
    return sum(i * i for i in range(1, n + 1))


def _central(n: int) -> Fraction:
    return Fraction(math.comb(2 * n, n), 4**n)


def _harmonic(ns: Any, n: int) -> Any:
    return n * ns.sum(1 / (ns.arange(n) + ns.rational(1, 1)))


def _roots(ns: Any, n: int) -> Any:
    return ns.sum(ns.sqrt(ns.arange(n) + ns.rational(1, 1)))


LAWS: dict[str, tuple[Any, Any, str]] = {
    "sums": (lambda n: n * (n + 1) // 2, N**2, "exact"),
    "sums of squares": (_sum_of_squares, N**3, "exact"),
    "central binomials": (_central, 1 / sympy.sqrt(N), "exact"),
    "rounded powers": (lambda n: math.isqrt(n**3), N ** sympy.Rational(3, 2), "exact"),
    "slow correction": (lambda n: n + math.isqrt(n), N, "exact"),
    "harmonic": (_harmonic, N * sympy.log(N), "ball"),
    "sums of roots": (_roots, N ** sympy.Rational(3, 2), "ball"),
}


def powers() -> Iterator[Truth]:
    """Power laws, with lower-order terms."""
    for name, (simulation, law, arithmetic) in LAWS.items():
        build = about_n(simulation, SIZES, scales_as(N), arithmetic=arithmetic)
        half = sympy.sqrt(N)
        yield Truth(
            "power laws",
            "scales_as",
            arithmetic,
            name,
            build,
            law,
            tilted,
            {
                **wrong(
                    build,
                    half_more=law * half,
                    half_less=law / half,
                    one_more=law * N,
                    log_factor=law * sympy.log(N),
                ),
                "sign": claimed(build, -law),
            },
            powers_left,
        )


def sampled_powers() -> Iterator[Truth]:
    """P(U < n**-a) over a sweep."""
    for a in (Fraction(1, 4), Fraction(1, 2)):

        def below(rng: Any, ns: Any, size: int, n: int, a: Fraction = a) -> Any:
            return rng.uniform((size,)) < ns.asarray(n) ** ns.asarray(-a)

        build = about_n(
            below, [2**j for j in range(1, 12, 2)], scales_as(N), statistic=probability()
        )
        law = N ** (-sympy.Rational(a))
        yield Truth(
            "sampled power laws",
            "scales_as",
            "probability",
            f"a={a}",
            build,
            law,
            tilted,
            wrong(build, half_more=law * sympy.sqrt(N), flat=sympy.Integer(1) + 0 * N),
            powers_left,
            Fraction(1, 10),
        )


def rates() -> Iterator[Truth]:
    """Rates of decay."""

    def tail(ns: Any, n: int) -> Any:
        return ns.sum(1 / (n + ns.arange(n) + ns.rational(0, 1)) ** 2)

    def error(n: int) -> Fraction:
        return Fraction(1, n) + Fraction(2, n * n)

    def gap(ns: Any, n: int) -> Any:
        return 1 - ns.cos(1 / ns.asarray(n))

    for name, simulation, law, arithmetic in (
        ("tails of squares", tail, 1 / N, "ball"),
        ("1/n + 2/n^2", error, 1 / N, "exact"),
        ("1 - cos(1/n)", gap, 1 / N**2, "ball"),
        ("central binomials", _central, 1 / sympy.sqrt(N), "exact"),
    ):
        build = about_n(simulation, SIZES, decays_as(N), arithmetic=arithmetic)
        yield Truth(
            "rates",
            "decays_as",
            arithmetic,
            name,
            build,
            law,
            tilted,
            wrong(
                build,
                half_faster=law / sympy.sqrt(N),
                squared=law**2,
                log_factor=law / sympy.log(N),
                no_decay=sympy.Integer(1) + 0 * N,
            ),
            powers_left,
        )


def limit_of(true: Any) -> Audit:
    """The interval of the limit must hold the true limit, whatever was claimed."""
    value = float(true)

    def audit(judgement: Judgement, r: Fraction) -> str:
        for entry in judgement.legs:
            low, high = entry.further.get("limit", (-math.inf, math.inf))
            if not low - 1e-12 * abs(value) <= value <= high + 1e-12 * abs(value):
                return f"limit in [{low!r}, {high!r}], which leaves out {value!r}"
        return ""

    return audit


def limits() -> Iterator[Truth]:
    """Limits, and what tends to them."""

    def compound(a: Fraction) -> Any:
        return lambda ns, n: ns.exp(n * ns.log(1 + ns.asarray(a) / n))

    def euler(ns: Any, n: int) -> Any:
        return ns.sum(1 / (ns.arange(n) + ns.rational(1, 1))) - ns.log(ns.asarray(n))

    def sine(ns: Any, n: int) -> Any:
        return n * ns.sin(1 / ns.asarray(n))

    def root(ns: Any, n: int) -> Any:
        return n * (ns.exp(ns.log(ns.asarray(2)) / n) - 1)

    def basel(ns: Any, n: int) -> Any:
        return ns.sum(1 / (ns.arange(n) + ns.rational(1, 1)) ** 2)

    halves = [
        (f"(1 + {a}/n)^n", compound(a), sympy.exp(sympy.Rational(a)), LONG)
        for a in (Fraction(1), Fraction(2), Fraction(-1, 2))
    ]
    for name, simulation, limit, sizes in (
        *halves,
        ("harmonic - log", euler, sympy.EulerGamma, SIZES),
        ("n sin(1/n)", sine, sympy.Integer(1), LONG),
        ("n (2^(1/n) - 1)", root, sympy.log(2), LONG),
        ("inverse squares", basel, sympy.pi**2 / 6, SIZES),
    ):
        build = about_n(simulation, sizes, converges_to(N), arithmetic="ball")
        yield Truth(
            "limits",
            "converges_to",
            "ball",
            name,
            build,
            limit + 0 * N,
            relative,
            wrong(build, zero=sympy.Integer(0), twice=2 * limit, sign=-limit),
            limit_of(limit),
        )


def constants() -> Iterator[Truth]:
    """Laws up to a constant. A lie's constant moves as a power, for bounds in the direction that counts."""
    for relation, sign in ((equals(), 1), (at_most(), -1), (at_least(), 1)):
        for name in ("sums", "sums of squares", "central binomials", "sums of roots"):
            simulation, law, arithmetic = LAWS[name]
            build = about_n(
                simulation, SIZES, up_to_constant(relation, in_=N), arithmetic=arithmetic
            )
            yield Truth(
                "implied constants",
                f"up_to_constant({relation.name})",
                arithmetic,
                name,
                build,
                law,
                moving(sign),
                wrong(
                    build,
                    log_growth=law * sympy.log(N) ** sign,
                    half=law * N ** sympy.Rational(sign, 2),
                ),
                None,
                SLOPE,
            )


__all__ = ["truths"]
