"""Equality of the sides at a place without a closed form: a change of sign proves that there is one.

``cos(x) != x`` and ``(x**5 - x - 1)**2 > 0`` fail at single points that are no rational numbers; such a
point is given as the zero of a function between two rationals.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from theorycheck import balls
from theorycheck.check.algebra import simplest_between
from theorycheck.check.boxes import Box
from theorycheck.check.forms import evaluated
from theorycheck.check.judge import Judge
from theorycheck.check.monotone import NOT_ANALYTIC
from theorycheck.check.problem import Problem
from theorycheck.check.profiles import Unknown
from theorycheck.check.text import Comparison
from theorycheck.check.tidying import tidy

# Widths of a box to step aside: a box that touches the zero with its end still encloses it then.
_ASIDE = (1, 4, 64)
_BITS = 256
# The zero is printed to so many digits, and narrowed down accordingly.
_DIGITS, _HALVINGS = 20, 60


@dataclass(frozen=True)
class Crossing:
    """``function`` is continuous between ``low`` and ``high`` and has opposite signs there; where it is
    zero the sides of ``comparison`` are equal."""

    comparison: Comparison
    name: str
    function: Any
    low: Fraction
    high: Fraction

    def text(self) -> str:
        """The counterexample in words; as a root of SymPy's where it is algebraic."""
        x = next(iter(self.function.free_symbols))
        if self.function.is_polynomial(x):
            poly = sp.Poly(self.function, x)
            if all(k.is_Rational for k in poly.all_coeffs()):
                for root in poly.real_roots(multiple=False):
                    value = root[0].evalf(40)
                    if self.low < Fraction(str(value)) < self.high:
                        return str(root[0])
        middle = (self.low + self.high) / 2
        decimal = sp.Rational(middle.numerator, middle.denominator).evalf(_DIGITS)
        return f"the zero of {self.function} near {decimal}"


def crossing(c: Comparison, problem: Problem, judge: Judge, box: Box) -> Crossing | None:
    """A place in the box of one real name at which the sides of a strict comparison are equal."""
    variables = problem.domains.variables
    if len(variables) != 1 or variables[0].kind != "real" or problem.hypotheses:
        return None
    name = variables[0].name
    for g in _vanishing(evaluated(c.lhs) - evaluated(c.rhs)):
        compiled = balls.compile_expression(g, [variables[0].symbol])
        for steps in _ASIDE:
            ((a, b),) = box
            width = (b - a) * steps
            low, high = simplest_between(a - 2 * width, a - width), b + width
            if not all(judge.contains({name: e}) for e in (low, high)):
                continue
            signs = {balls.sign(g, {name: e}) for e in (low, high)}
            whole = balls.enclose_box(compiled, {name: (low, high)}, _BITS)
            if signs == {1, -1} and whole.status == "ok" and _defined(c, name, low, high):
                return Crossing(c, name, g, *_narrowed(g, name, low, high))
    return None


def _narrowed(g: Any, name: str, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    """A shorter interval with opposite signs at its ends."""
    first = balls.sign(g, {name: low})
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        sign = balls.sign(g, {name: middle})
        if not sign:
            break
        low, high = (middle, high) if sign == first else (low, middle)
    return low, high


def _defined(c: Comparison, name: str, low: Fraction, high: Fraction) -> bool:
    """Whether the sides as written have values on the whole interval."""
    for side in (c.lhs, c.rhs):
        compiled = balls.compile_expression(side, sorted(side.free_symbols, key=str))
        box = {name: (low, high)} if side.free_symbols else {}
        if balls.enclose_box(compiled, box, _BITS).status != "ok":
            return False
    return True


def _vanishing(difference: Any) -> list[Any]:
    """Continuous functions at whose zeros the difference of the sides is zero too."""
    try:
        factors = [f.as_base_exp() for f in sp.Mul.make_args(tidy(difference))]
    except Unknown:
        factors = [(difference, sp.Integer(1))]
    found = [difference]
    for base, exponent in factors:
        if exponent.is_positive and base.free_symbols:
            found.append(base.args[0] if isinstance(base, sp.Abs) else base)
    return [g for g in dict.fromkeys(found) if not g.has(*NOT_ANALYTIC)]
