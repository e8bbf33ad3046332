"""Identities between sums of closed terms, for all integers: Fibonacci numbers, powers, factorials.

*Fibonacci and Lucas numbers, powers*: with u = phi^n and s = (-1)^n, phi the golden ratio, F(n) is
(u - s/u)/sqrt(5) and L(n) is u + s/u, and c^(a n + b) is c^b times powers of p^n for primes p. Written
in these, s^2 = 1, an identity holds for all integers if its two sides are the same polynomial.

*Factorials, binomials, Catalan numbers*: quotients of the terms are rational functions of n; the terms
cancel if those add up to 0. Factorials whose arguments grow with n are finite and not 0 from some n
on, where the identity of analytic functions holds at every integer; before it each integer is tried.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.identities import equal
from theorycheck.check.induction import starts
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region
from theorycheck.check.text import Comparison

_SQRT5 = sp.sqrt(5)
_PHI = (1 + _SQRT5) / 2
_LINEAR_RECURRENCES = (sp.fibonacci, sp.lucas)
_FACTORIALS = (sp.factorial, sp.binomial, sp.gamma, sp.catalan)
_MAX_OPS = 200
_MAX_STARTS = 60


class _NotCoveredError(Exception):
    """A part that is no term of this kind."""


def prove(task: Task) -> Argument | None:
    """Closed terms of one kind that cancel.

    Takes equalities over integer names, without sums, of at most 200 operations; with factorials over one name
    from a constant on. Gives up where a part is of another kind. Raises Found where one of the starts fails.
    """
    c, region = task.comparison, task.region
    if c.op != "==" or not region.variables or task.clock.out():
        return None
    if not all(v.kind == "integer" for v in region.variables):
        return None
    difference = evaluated(c.lhs) - evaluated(c.rhs)
    if difference.has(sp.Sum, sp.Product) or difference.count_ops() > _MAX_OPS:
        return None
    try:
        if difference.has(*_LINEAR_RECURRENCES):
            found = _by_roots(difference, region)
            return Argument(found) if found else None
        one = len(region.variables) == 1 and region.variables[0].low.is_Integer
        if difference.has(*_FACTORIALS) and one:
            found = _by_quotients(difference, c, region)
            return Argument(found) if found else None
    except _NotCoveredError:
        return None
    return None


METHOD = Method("closed terms", 0.3, lambda t: t.depth <= 1, prove)


def _by_roots(difference: Any, region: Region) -> str | None:
    roots = _Roots([v.symbol for v in region.variables])
    numerator, denominator = sp.fraction(sp.together(roots.rewrite(difference)))
    if sp.expand(denominator).is_zero or not roots.vanishes(numerator):
        return None
    return "powers of the golden ratio: the same polynomial"


class _Roots:
    """Expressions in u = phi^n, s = (-1)^n, w = p^n for each name n and prime p, and n itself."""

    def __init__(self, names: list[Any]) -> None:
        self.names = names
        self.u = {x: sp.Dummy(f"u_{x}", positive=True) for x in names}
        self.s = {x: sp.Dummy(f"s_{x}") for x in names}
        self.w: dict[Any, Any] = {}

    def rewrite(self, e: Any) -> Any:
        if isinstance(e, sp.fibonacci | sp.lucas) and len(e.args) == 1:
            slopes, offset = _linear(e.args[0], self.names)
            first = self._golden(slopes, offset)
            second = self._signs(slopes, offset) / first
            if isinstance(e, sp.lucas):
                return first + second
            return (first - second) / _SQRT5
        if e.is_Pow and e.exp.free_symbols and not e.base.free_symbols:
            return self._power(e.base, e.exp)
        if e.is_Symbol or not e.free_symbols:
            return e
        if e.is_Add or e.is_Mul or (e.is_Pow and e.exp.is_Integer):
            return e.func(*(self.rewrite(a) for a in e.args))
        raise _NotCoveredError(str(e))

    def vanishes(self, numerator: Any) -> bool:
        signs = list(self.s.values())
        polynomial = sp.Poly(
            sp.expand(numerator),
            *self.u.values(),
            *self.w.values(),
            *self.names,
            *signs,
            extension=[_SQRT5],
        )
        reduced: dict[tuple[int, ...], Any] = {}
        for powers, coefficient in polynomial.terms():
            key = (*powers[: -len(signs)], *(a % 2 for a in powers[-len(signs) :]))
            reduced[key] = reduced.get(key, 0) + coefficient
        return all(sp.expand(value) == 0 for value in reduced.values())

    def _golden(self, slopes: dict[Any, int], offset: int) -> Any:
        return _PHI**offset * sp.Mul(*(self.u[x] ** a for x, a in slopes.items()))

    def _signs(self, slopes: dict[Any, int], offset: int) -> Any:
        return (-1) ** abs(offset) * sp.Mul(*(self.s[x] for x, a in slopes.items() if a % 2))

    def _power(self, base: Any, exponent: Any) -> Any:
        slopes, offset = _linear(exponent, self.names)
        if not base.is_Rational or base == 0:
            raise _NotCoveredError(str(base))
        value = base**offset * (self._signs(slopes, 0) if base < 0 else 1)
        for p, power in sp.factorrat(abs(base)).items():
            for x, a in slopes.items():
                atom = self.w.setdefault((p, x), sp.Dummy(f"{p}^{x}", positive=True))
                value *= atom ** (power * a)
        return value


def _linear(e: Any, names: list[Any]) -> tuple[dict[Any, int], int]:
    """Integer slopes and offset of a linear form in the names."""
    try:
        polynomial = sp.Poly(e, *names)
    except sp.PolynomialError:
        raise _NotCoveredError(str(e)) from None
    if polynomial.total_degree() > 1 or not all(k.is_Integer for k in polynomial.coeffs()):
        raise _NotCoveredError(str(e))
    slopes = {x: int(polynomial.coeff_monomial(x)) for x in names}
    return {x: a for x, a in slopes.items() if a}, int(polynomial.coeff_monomial(1))


def _by_quotients(difference: Any, c: Comparison, region: Region) -> str | None:
    n, low = region.variables[0].symbol, int(region.variables[0].low)
    terms = sp.Add.make_args(sp.expand(difference.rewrite(sp.factorial)))
    if len(terms) > 12:
        return None
    start = 0
    for term in terms:
        for f in term.atoms(sp.factorial, sp.gamma):
            slopes, offset = _linear(f.args[0], [n])
            slope = slopes.get(n, 0)
            if slope < 0 or (slope == 0 and offset < 1):
                return None
            if slope:
                start = max(start, -((offset - 1) // slope) - low)
    if start > _MAX_STARTS:
        return None
    quotients = [sp.combsimp(sp.powsimp(term / terms[0])) for term in terms]
    if not all(q.is_rational_function(n) for q in quotients):
        return None
    if not all(equal(t, q * terms[0]) for t, q in zip(terms, quotients, strict=True)):
        return None
    if sp.cancel(sp.together(sp.Add(*quotients))) != 0:
        return None
    if start > 0 and not starts(c, region, low, low + start - 1):
        return None
    return "quotients of the terms add up to 0"
