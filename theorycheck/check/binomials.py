"""Sums over all rows of a binomial coefficient, by the binomial theorem.

With falling powers k_(m) = k (k - 1) ... (k - m + 1), differentiating (x + y)**n m times in x gives

    sum over k = 0..n of binomial(n, k) k_(m) x**k y**(n - k) = n_(m) x**m (x + y)**(n - m),

and every polynomial in k is a combination of falling powers, P = sum of (Delta**m P)(0)/m! k_(m). Even and
odd indices apart: half the sum or difference of the values at x and at -x. For n < m both sides are 0 where
x + y is not.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Task
from theorycheck.check.text import Comparison

# Of the polynomial beside the powers: moments of higher order are rare and long.
_MAX_DEGREE = 4
# So many first and last terms may be missing.
_MAX_MISSING = 3
_ZERO = sp.Integer(0)


@dataclass(frozen=True)
class _Row:
    """``factor * binomial(n, k) * polynomial(k) * x**k * y**(n - k)``."""

    n: Any
    factor: Any
    polynomial: Any
    x: Any
    y: Any


def closed(total: Any, task: Task) -> tuple[Any, str] | None:
    """The closed form of a sum over one index, and the theorem as a line; None where it is not a row.

    Takes terms that are products of one binomial coefficient of the index, powers whose exponents are
    linear in it, and a polynomial of degree up to 4, over 0..n up to three terms at either end, or over
    all 2 j or 2 j + 1 in 0..n. Promises, as lemmas, that the range does not run backwards and that no
    power of 0 with an exponent that may be negative was divided by.
    """
    total = evaluated(total)
    if len(total.limits) != 1:
        return None
    k, low, high = total.limits[0]
    term = total.function
    found = _whole(term, (k, low, high), task) or _every_second(term, (k, low, high), task)
    if found is None:
        return None
    return found, f"{total} = {found} by the binomial theorem"


def _whole(term: Any, limits: tuple[Any, Any, Any], task: Task) -> Any | None:
    k, low, high = limits
    row = _row(term, k, task)
    if row is None:
        return None
    missing = sp.expand(row.n - high)
    if not all(e.is_Integer and 0 <= e <= _MAX_MISSING for e in (low, missing)):
        return None
    if not task.lemma(Comparison(">=", high, low - 1)):
        return None
    value = _value(row, row.x, k, task)
    if value is None:
        return None
    left_out = [sp.Integer(i) for i in range(int(low))]
    left_out += [row.n - i for i in range(int(missing))]
    return value - sp.Add(*(evaluated(term.xreplace({k: i})) for i in left_out))


def _every_second(term: Any, limits: tuple[Any, Any, Any], task: Task) -> Any | None:
    """Over 2 j + s <= n for s = 0 or 1, as half of the sum over all plus or minus that at -x."""
    j, low, high = limits
    if low != 0:
        return None
    k = sp.Dummy("k", integer=True, nonnegative=True)
    for s in (0, 1):
        row = _row(evaluated(term.xreplace({j: (k - s) / 2})), k, task)
        if row is None or high != sp.floor((row.n - s) / 2):
            continue
        if not task.lemma(Comparison(">=", row.n, _ZERO)):
            return None
        both, turned = (_value(row, x, k, task) for x in (row.x, -row.x))
        return None if both is None or turned is None else (both + (-1) ** s * turned) / 2
    return None


def _row(term: Any, k: Any, task: Task) -> _Row | None:
    factors = sp.Mul.make_args(term)
    coefficients = [f for f in factors if isinstance(f, sp.binomial) and k in f.free_symbols]
    if len(coefficients) != 1:
        return None
    n, below = coefficients[0].args
    if k in n.free_symbols or not n.is_integer or sp.expand(below - k) not in (0, n - 2 * k):
        return None
    factor = polynomial = x = y = sp.Integer(1)
    for f in factors:
        if f is coefficients[0]:
            continue
        if k not in f.free_symbols:
            factor *= f
        elif f.is_polynomial(k):
            polynomial *= f
        else:
            power = _power(f, k, n, task)
            if power is None:
                return None
            constant, up, down = power
            factor, x, y = factor * constant, x * up, y * down
    return _Row(n, factor, polynomial, x, y)


def _power(f: Any, k: Any, n: Any, task: Task) -> tuple[Any, Any, Any] | None:
    """(c, x, y) with f = c x**k y**(n - k), one of x and y being 1."""
    base, exponent = f.as_base_exp()
    exponent = sp.expand(exponent)
    slope = sp.diff(exponent, k)
    if k in base.free_symbols or not slope.is_Integer:
        return None
    rest = sp.expand(exponent - slope * (k if slope > 0 else k - n))
    whole = rest.is_Integer and rest >= 0
    if not (whole or base.is_nonzero or task.lemma(Comparison("!=", base, _ZERO))):
        return None
    one = sp.Integer(1)
    return (base**rest, base**slope, one) if slope > 0 else (base**rest, one, base**-slope)


def _value(row: _Row, x: Any, k: Any, task: Task) -> Any | None:
    """The sum over k = 0..n at this x; None where n - m may be negative and x + y zero."""
    coefficients = _in_falling_powers(row.polynomial, k)
    if coefficients is None:
        return None
    degree, base = len(coefficients) - 1, sp.expand(x + row.y)
    if base == 0:
        enough = task.lemma(Comparison(">", row.n, sp.Integer(degree)))
        return _ZERO if enough else None
    nonzero = base.is_nonzero or (degree > 0 and task.lemma(Comparison("!=", base, _ZERO)))
    if not nonzero and not task.lemma(Comparison(">=", row.n, sp.Integer(degree))):
        return None
    total = sp.Add(
        *(a * sp.ff(row.n, m) * x**m * base ** (row.n - m) for m, a in enumerate(coefficients))
    )
    return row.factor * total


def _in_falling_powers(polynomial: Any, k: Any) -> list[Any] | None:
    """a with P(k) = sum of a[m] k_(m): Newton's forward differences at 0."""
    if sp.degree(polynomial, k) > _MAX_DEGREE:
        return None
    values = [polynomial.xreplace({k: sp.Integer(i)}) for i in range(sp.degree(polynomial, k) + 1)]
    coefficients = []
    for m in range(len(values)):
        coefficients.append(sp.expand(values[0] / sp.factorial(m)))
        values = [sp.expand(b - a) for a, b in itertools.pairwise(values)]
    return coefficients


__all__ = ["closed"]
