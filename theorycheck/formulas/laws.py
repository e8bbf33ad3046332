"""Laws C * b1**a1 * b2**a2 ... through intervals: which (C, a) are compatible with all of them.

In logarithms a law is linear, and rows of intervals [L_j, U_j] of log values cut the parameters
(log C, a) down to a polytope. Its extent in every coordinate comes from linear programs; the
intervals are simultaneous, so every true law lies inside. No residuals are looked at, no error model
is assumed. Exponents that stand out are named; the constant is then computed again with the named
exponents in ball arithmetic, to the full sharpness of the rows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy
from flint import arb, ctx, fmpq

from theorycheck.formulas.grammar import NamedNumber, interval_text, name_constant, name_exponent
from theorycheck.numbers.domain import Exact
from theorycheck.numbers.enclosure import Enclosure

BITS = 400
"""Working precision: more than any enclosure that a simulation returns."""

HELD_OUT_FROM = 6
"""With fewer rows all are needed to find a law; then only fresh data can confirm it."""

# HiGHS accepts constraints as met that are passed by 1e-7; ten times that makes the sets only larger.
_PROGRAM_SLACK = 1e-6
_FLOAT_SLACK = 1e-12  # of the double-precision linear programs, on logarithms of size about 1


@dataclass(frozen=True)
class Feature:
    """A base of a law: ``power`` p**a, ``exponential`` (e**a)**p, ``factorial`` (p!)**a, ``log``
    (log p)**a, ``cross`` p**(a*k) for two parameters (k, p)."""

    kind: str
    names: tuple[str, ...]

    def log_base(self, point: Mapping[str, Exact]) -> arb | None:
        """log of what is raised to the exponent, None where it has none."""
        values = [point.get(n) for n in self.names]
        if any(not isinstance(v, int | Fraction) for v in values):
            return None
        with ctx.workprec(BITS):
            p = _ball(values[-1])
            if self.kind == "exponential":
                return p
            if not p > 0:
                return None
            if self.kind == "factorial":
                return (p + 1).lgamma()
            log = p.log()
            if self.kind == "log":
                return log.log() if log > 0 else None
            return log * _ball(values[0]) if self.kind == "cross" else log

    def expression(self, symbols: Mapping[str, Any], exponent: Any) -> Any:
        p = symbols[self.names[-1]]
        if self.kind == "factorial":
            return sympy.factorial(p) ** exponent
        if self.kind == "log":
            return sympy.log(p) ** exponent
        if self.kind == "cross":
            return p ** (exponent * symbols[self.names[0]])
        return p**exponent

    def text(self, exponent: str) -> str:
        p = self.names[-1]
        if self.kind == "exponential":
            return f"exp({exponent}*{p})"
        base = {"power": p, "factorial": f"{p}!", "log": f"log({p})", "cross": p}[self.kind]
        if self.kind == "cross":
            return f"{p}**({exponent}*{self.names[0]})"
        return base if exponent == "1" else f"{base}**{_bracket(exponent)}"


@dataclass(frozen=True)
class Law:
    """``sign * constant * product of features ** exponents``.

    The exponent of an ``exponential`` feature is a `NamedNumber` of its base B, in B**p; those of the
    other features are exponents. ``box``: what of the law is known where names are missing.
    """

    sign: int
    constant: NamedNumber
    features: tuple[Feature, ...] = ()
    exponents: tuple[NamedNumber, ...] = ()

    @property
    def named(self) -> bool:
        return all(n.name is not None for n in (self.constant, *self.exponents))

    @property
    def chance(self) -> float:
        return max(n.chance for n in (self.constant, *self.exponents))

    @property
    def trivial(self) -> bool:
        """The constant 1 cannot be excluded and nothing else is there."""
        one = self.constant.interval.contains(1)
        return self.sign == 1 and one and not self.features

    def expression(self, symbols: Mapping[str, Any]) -> Any:
        """SymPy form, None where a part has no name."""
        if not self.named:
            return None
        result = self.sign * self.constant.name
        for feature, exponent in zip(self.features, self.exponents, strict=True):
            if feature.kind == "exponential":
                result *= exponent.name ** symbols[feature.names[0]]
            else:
                result *= feature.expression(symbols, exponent.name)
        return result

    def text(self) -> str:
        """``sqrt(2)/pi * p**(1/2)``; unnamed parts as letters, their intervals behind ``with``."""
        letters = iter("abcdfgh")
        unknown: list[str] = []
        parts: list[str] = []
        if self.constant.name is None:
            parts.append("C")
            unknown.append(f"C in {_span(self.constant)}")
        elif self.constant.name != 1 or not self.features:
            parts.append(str(self.constant.name))
        for feature, exponent in zip(self.features, self.exponents, strict=True):
            if exponent.name is not None:
                shown = str(exponent.name)
            else:
                shown = next(letters)
                unknown.append(f"{shown} in {_span(exponent)}")
            if feature.kind == "exponential":
                base = shown if exponent.name is None else _bracket(shown)
                parts.append(f"{base}**{feature.names[0]}")
            else:
                parts.append(feature.text(shown))
        text = ("-" if self.sign < 0 else "") + " * ".join(parts)
        return text + (" with " + ", ".join(unknown) if unknown else "")

    def at(self, point: Mapping[str, Exact]) -> Enclosure | None:
        """The law's value at a point, with all that is not known of it; None where undefined."""
        with ctx.workprec(BITS):
            total = _interval_ball(self.constant)
            for feature, exponent in zip(self.features, self.exponents, strict=True):
                log = feature.log_base(point)
                if log is None:
                    return None
                e = _interval_ball(exponent)
                total *= ((e.log() if feature.kind == "exponential" else e) * log).exp()
            return Enclosure.from_ball(self.sign * total) if total.is_finite() else None


def _bracket(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def _span(n: NamedNumber) -> str:
    text = interval_text(n.interval)
    return text if text.startswith("[") else f"{text} +- {float(arb(n.interval.rad)):.1g}"


def _ball(value: Any) -> arb:
    q = Fraction(value)
    return arb(fmpq(q.numerator, q.denominator))


def _interval_ball(n: NamedNumber) -> arb:
    """The name's value where there is one: as sharp as the working precision."""
    if n.name is not None:
        from theorycheck import balls

        evaluated = balls.evaluate(n.name, {}, prec=BITS)
        return arb(evaluated.exact) if evaluated.exact is not None else evaluated.ball
    return arb(n.interval.mid, n.interval.rad)


# ---------------------------------------------------------------- fitting


def spread(count: int) -> list[int]:
    """Rows to hold out: a third of them, over the whole grid without following any column of it.

    None where there are fewer than `HELD_OUT_FROM`.
    """
    if count < HELD_OUT_FROM:
        return []
    golden = 0.6180339887498949
    order = sorted(range(count), key=lambda i: (i + 1) * golden % 1.0)
    return sorted(order[: count // 3])


def features_of(
    points: Sequence[Mapping[str, Exact]], parameters: Sequence[str], integer: Sequence[str]
) -> list[list[Feature]]:
    """Sets of features to try, simplest first: none, powers, then other kinds and pairs of them.

    A parameter that takes a single value, or has names for values, is left out.
    """
    varying = [
        n
        for n in parameters
        if len({p[n] for p in points if n in p}) > 1
        and all(isinstance(p.get(n), int | Fraction) for p in points)
    ]
    powers = [Feature("power", (n,)) for n in varying]
    whole = [n for n in varying if n in integer]
    others = [Feature("exponential", (n,)) for n in varying]
    others += [Feature("factorial", (n,)) for n in whole]
    others += [Feature("log", (n,)) for n in varying]
    others += [Feature("cross", (k, p)) for k in whole for p in varying if k != p]
    sets: list[list[Feature]] = [[]]
    for size in range(1, min(len(powers), 4) + 1):
        sets += [list(c) for c in itertools.combinations(powers, size)]
    sets += [[f] for f in others]
    sets += [[a, b] for a in others for b in powers]
    sets += [list(c) for c in itertools.combinations(others, 2)]
    return sets


def fit(
    points: Sequence[Mapping[str, Exact]], values: Sequence[Enclosure], features: Sequence[Feature]
) -> Law | None:
    """The laws with these features that meet every interval; None where there is none.

    ``values`` must keep one sign and exclude 0. Also None where the points cannot tell the
    features apart, or are no more than the unknowns.
    """
    sign = 1 if values[0].lo > 0 else -1
    if any((v.lo if sign > 0 else -v.hi) <= 0 for v in values):
        return None
    sizes = [v if sign > 0 else Enclosure(-v.hi, -v.lo) for v in values]
    if not features:
        common = _common(sizes)
        return None if common is None else Law(sign, name_constant(common))
    if len({tuple(sorted(p.items(), key=str)) for p in points}) < len(features) + 2:
        return None
    columns = [[c for p in points if (c := f.log_base(p)) is not None] for f in features]
    if any(len(column) < len(points) for column in columns):
        return None
    middle, reach = _logs(sizes)
    design = np.array([[1.0, *(float(c[j]) for c in columns)] for j in range(len(points))])
    box = extent(design, middle, reach)
    if box is None:
        return None
    exponents = [
        _named_base(low, high) if f.kind == "exponential" else name_exponent(_enclosure(low, high))
        for f, (low, high) in zip(features, box[1:], strict=True)
    ]
    if any(e is None or _idle(f, e) for f, e in zip(features, exponents, strict=True)):
        return None
    known = [e for e in exponents if e is not None]
    constant = _sharp_constant(points, sizes, features, known)
    if constant is None:  # names that the rows contradict are no names
        known = [NamedNumber(e.interval, None, e.chance, e.tried) for e in known]
        low, high = box[0]
        constant = _enclosure(math.exp(low), math.exp(high)) if high < 600 else None
    if constant is None or constant.lo <= 0:
        return None
    return Law(sign, name_constant(constant), tuple(features), tuple(known))


def extent(
    design: npt.NDArray[np.float64],
    middle: npt.NDArray[np.float64],
    reach: npt.NDArray[np.float64],
) -> list[tuple[float, float]] | None:
    """Range of every coordinate of {t : |design t - middle| <= reach}; None where it is empty.

    ``design`` (rows, unknowns); ``middle``, ``reach`` (rows,), reach > 0. Unbounded sets (columns
    that are not independent) count as empty: they determine nothing.
    """
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return None
    weights = 1 / reach
    start, *_ = np.linalg.lstsq(design * weights[:, None], middle * weights, rcond=None)
    rest = middle - design @ start
    if float(np.sum((rest * weights) ** 2)) > len(reach):
        return None  # a point with all |residuals| <= reach has at most this weighted sum
    from scipy.optimize import linprog  # a third of the start-up of every command

    unit = float(reach.min())
    # In units of the sharpest row, around the least-squares point, the program is well scaled.
    rows = np.vstack([design, -design])
    limits = np.concatenate([reach + rest, reach - rest]) / unit + _PROGRAM_SLACK
    found = []
    for column in range(design.shape[1]):
        ends = []
        for direction in (1.0, -1.0):
            cost = np.zeros(design.shape[1])
            cost[column] = direction
            solved = linprog(cost, A_ub=rows, b_ub=limits, bounds=(None, None), method="highs")
            if solved.status != 0:
                return None
            ends.append(float(start[column] + unit * solved.x[column]))
        found.append((ends[0], ends[1]))
    return found


def _logs(
    sizes: Sequence[Enclosure],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    middle, reach = [], []
    with ctx.workprec(BITS):
        for v in sizes:
            low, high = arb(v.lo).log(), arb(v.hi).log()
            centre = float((low + high) / 2)
            middle.append(centre)
            reach.append(float((high - low) / 2) + _FLOAT_SLACK * (1 + abs(centre)))
    return np.array(middle), np.array(reach)


def _idle(feature: Feature, exponent: NamedNumber) -> bool:
    """A feature that does nothing: the law without it was tried before."""
    return bool(exponent.name == (1 if feature.kind == "exponential" else 0))


def _enclosure(low: float, high: float) -> Enclosure:
    pad = _FLOAT_SLACK * (1 + abs(low) + abs(high))
    return Enclosure(fmpq(*(low - pad).as_integer_ratio()), fmpq(*(high + pad).as_integer_ratio()))


def _named_base(low: float, high: float) -> NamedNumber | None:
    """The base B of B**p from the interval of log B."""
    if high > 600 or low < -600:
        return None
    base = _enclosure(math.exp(low), math.exp(high))
    return name_constant(base) if base.lo > 0 else None


def _common(sizes: Sequence[Enclosure]) -> Enclosure | None:
    low, high = max(v.lo for v in sizes), min(v.hi for v in sizes)
    return Enclosure(low, high) if low <= high else None


def _sharp_constant(
    points: Sequence[Mapping[str, Exact]],
    sizes: Sequence[Enclosure],
    features: Sequence[Feature],
    exponents: Sequence[NamedNumber],
) -> Enclosure | None:
    """The constants that the rows allow when the exponents have their names; None where none."""
    if any(e.name is None for e in exponents):
        return None
    one = Law(
        1,
        NamedNumber(Enclosure(fmpq(1), fmpq(1)), sympy.Integer(1), 0.0, 0),
        tuple(features),
        tuple(exponents),
    )
    quotients = []
    for point, size in zip(points, sizes, strict=True):
        law = one.at(point)
        if law is None or law.lo <= 0:
            return None
        quotients.append(Enclosure(size.lo / law.hi, size.hi / law.lo))
    return _common(quotients)


__all__ = ["Feature", "Law", "extent", "features_of", "fit", "spread"]
