"""Declared tails of a sampled mean, also as expressions of the parameters: ``variance_at_most(c * m**2)``.

One number for a whole grid has to fit its largest point, and then costs the small ones their sharpness.
So each number of a declaration may be a SymPy expression of the claim's parameters, or a function of
them; it is evaluated exactly at each point and rounded outward, so that the float that the evidence is
judged by never declares less than the author did.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from theorycheck import balls
from theorycheck.claims.functions import ClaimError, arguments
from theorycheck.numbers.domain import Exact, point_key
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.stats import Tail

_NAMES = {"bounded": ("lo", "hi"), "sub_gaussian": ("sigma",), "variance_at_most": ("var",)}
_PRECISION = 128
"""Bits at which an expression is enclosed; a float keeps 53."""


@dataclass(frozen=True)
class DeclaredTail:
    """A tail with parameters that depend on the point: expressions, functions and numbers."""

    kind: str
    parameters: tuple[Any, ...]

    @property
    def names(self) -> frozenset[str]:
        """Parameters of the claim that it asks for."""
        return frozenset().union(*(_asked(p) for p in self.parameters))

    def text(self) -> str:
        """The assumption in words, for reports."""
        shown = [_shown(p) for p in self.parameters]
        if self.kind == "bounded":
            return f"values in [{shown[0]}, {shown[1]}] (declared)"
        word = (
            "sub-Gaussian with parameter sigma ="
            if self.kind == "sub_gaussian"
            else "variance at most"
        )
        return f"{word} {shown[0]} (declared)"

    def at(self, point: Mapping[str, Exact]) -> Tail:
        """The tail at a point. Raises ClaimError where a number is undefined there, or impossible."""
        upward = [False, True] if self.kind == "bounded" else [True]
        try:
            values = [
                _float(_enclosed(p, point), up)
                for p, up in zip(self.parameters, upward, strict=True)
            ]
            return Tail(self.kind, tuple(values))
        except ValueError as error:
            call = f"{self.kind}({', '.join(map(_shown, self.parameters))})"
            raise ClaimError(f"{call} at {point_key(point) or 'its only point'}: {error}") from None


def bounded(lo: Any, hi: Any) -> Tail | DeclaredTail:
    """Values in the closed interval [lo, hi]: numbers, or expressions or functions of the parameters."""
    return _declared("bounded", lo, hi)


def sub_gaussian(sigma: Any) -> Tail | DeclaredTail:
    """E exp(t (X - E X)) <= exp(t^2 sigma^2 / 2) for all real t; a Gaussian has its own sigma.

    ``sigma``: a number, or an expression or a function of the parameters.
    """
    return _declared("sub_gaussian", sigma)


def variance_at_most(var: Any) -> Tail | DeclaredTail:
    """E (X - E X)^2 <= var, nothing else: heavy tails are allowed.

    ``var``: a number, or an expression or a function of the parameters (``variance_at_most(2 * m**2)``).
    """
    return _declared("variance_at_most", var)


def _declared(kind: str, *parameters: Any) -> Tail | DeclaredTail:
    for name, p in zip(_NAMES[kind], parameters, strict=True):
        if not (isinstance(p, int | float | Fraction | sympy.Expr) or callable(p)):
            raise ClaimError(
                f"{kind}({name}): {p!r:.60} is no number; write a number, a SymPy expression of the "
                "parameters, or a function of them"
            )
    if all(isinstance(p, int | float) for p in parameters):
        return Tail(kind, tuple(map(float, parameters)))
    declared = DeclaredTail(kind, parameters)
    fixed = not any(map(callable, parameters)) and not declared.names
    return declared.at({}) if fixed else declared


def _asked(parameter: Any) -> frozenset[str]:
    if isinstance(parameter, sympy.Basic):
        return frozenset(str(s) for s in parameter.free_symbols)
    return frozenset(arguments(parameter)) if callable(parameter) else frozenset()


def _shown(parameter: Any) -> str:
    if callable(parameter) and not isinstance(parameter, sympy.Basic):
        name = getattr(parameter, "__name__", "")
        return f"{name if name.isidentifier() else 'f'}({', '.join(arguments(parameter))})"
    return str(parameter)


def _enclosed(parameter: Any, point: Mapping[str, Exact]) -> tuple[Fraction, Fraction]:
    """Ends of the parameter's value at a point. Raises ValueError where it has none."""
    if callable(parameter) and not isinstance(parameter, sympy.Basic):
        parameter = parameter(**{n: point[n] for n in arguments(parameter)})
    if isinstance(parameter, float):
        if not math.isfinite(parameter):
            raise ValueError(f"{parameter} is no finite number")
        return Fraction(parameter), Fraction(parameter)
    if isinstance(parameter, int | Fraction):
        return Fraction(parameter), Fraction(parameter)
    if not isinstance(parameter, sympy.Expr):
        raise ValueError(f"gives {type(parameter).__name__}, which is no number")
    given = {n: point[n] for n in _asked(parameter)}
    found = balls.evaluate(parameter, given, prec=_PRECISION)
    if found.exact is not None:
        value = Fraction(int(found.exact.p), int(found.exact.q))
        return value, value
    if found.ball is None:
        raise ValueError(f"{found.status} at this point ({found.reason})")
    return _fractions(Enclosure.from_ball(found.ball))


def _fractions(e: Enclosure) -> tuple[Fraction, Fraction]:
    return Fraction(int(e.lo.p), int(e.lo.q)), Fraction(int(e.hi.p), int(e.hi.q))


def _float(ends: tuple[Fraction, Fraction], upward: bool) -> float:
    """The float nearest to the outer end, on its outer side."""
    end = ends[1] if upward else ends[0]
    try:
        value = float(end)
    except OverflowError:
        raise ValueError("a number beyond every float") from None
    if upward and Fraction(value) < end:
        return math.nextafter(value, math.inf)
    if not upward and Fraction(value) > end:
        return math.nextafter(value, -math.inf)
    return value


__all__ = ["DeclaredTail", "bounded", "sub_gaussian", "variance_at_most"]
