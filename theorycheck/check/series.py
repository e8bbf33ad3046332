"""Geometric and exponential series with polynomials before them, and zeta series, to infinity.

If Q(k) - r Q(k + 1) = P(k) for all k, the terms P(k) r**k are T(k) - T(k + 1) with T(k) = Q(k) r**k. For
|r| < 1, T(k) tends to 0, and the sum from a on is T(a). Q has the degree of P; its coefficients follow from the
highest down, each with 1 - r below the line. With 0**0 = 1 this holds for r = 0 as well where a >= 0.

For every r, as k (k - 1) ... (k - j + 1)/k! is 1/(k - j)! for k >= j and 0 below,

    sum over k >= 0 of k (k - 1) ... (k - j + 1) r**k/k! = r**j exp(r).

For s > 1 and m + a > 0 the sum over k >= m of (k + a)**(-s) is the zeta function of Hurwitz, zeta(s, m + a).

Alternating reciprocals of a progression, for integers a >= 1 and b with no term without a value: two terms at a time,

    sum over k >= 0 of (-1)**k/(a k + b) = (psi((a + b)/(2 a)) - psi(b/(2 a)))/(2 a),

psi being the logarithmic derivative of gamma, psi(x) - psi(y) = sum over j >= 0 of 1/(j + y) - 1/(j + x). For integers
0 < r < m the theorem of Gauss is psi(r/m) = -gamma - log(2 m) - (pi/2) cot(pi r/m) + 2 sum over 0 < n < m/2 of
cos(2 pi n r/m) log(sin(pi n/m)).
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Task
from theorycheck.check.powers import exponential_terms, geometric, reciprocal_power
from theorycheck.check.text import Comparison

_MAX_DEGREE = 4
# Sines of pi/(2 a) for larger a have no short form.
_MAX_STEP = 6
# Terms before the first one that are taken off.
_MOST_BEFORE = 8
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


def closed(total: Any, task: Task) -> tuple[Any, str] | None:
    """The sum to infinity of c P(k) r**k, and why, as a line; None for other sums.

    Takes sums over one index from a finite one on, P of degree up to 4. Promises -1 < r < 1 as lemmas, and r != 0
    where the first index may be negative.
    """
    total = evaluated(total)
    if len(total.limits) != 1:
        return None
    k, low, high = total.limits[0]
    if low.is_Integer and 0 < low <= _MOST_BEFORE:  # x**(k - 1) from k = 1 on is x**k from 0 on
        shifted = evaluated(total.function.xreplace({k: k + low}))
        total, low = total.func(shifted, (k, _ZERO, high)), _ZERO
    parts = geometric(total.function, k)
    if high != sp.oo or low.is_infinite or parts is None:
        return None
    constant, polynomial, ratio = parts
    if sp.degree(polynomial, k) > _MAX_DEGREE or not _within(ratio, task):
        return None
    if not (low.is_nonnegative and _at_zero(constant, ratio)) and not _nonzero(ratio, task):
        return None
    rest = _telescoping(sp.Poly(polynomial, k), ratio, k)
    value = constant * rest.xreplace({k: low}) * ratio**low
    return (
        value,
        f"{total} = {value}: its terms are T(k) - T(k + 1), T(k) = {rest}*({ratio})**k -> 0",
    )


def exponential(total: Any, task: Task) -> tuple[Any, str] | None:
    """The sum to infinity of c P(k) r**k/k!, and why, as a line; None for other sums.

    Takes sums over one index from an integer 0 to 8 on, P of degree up to 4. Promises r != 0 as a lemma where the term
    is no polynomial in the names of r.
    """
    total = evaluated(total)
    if len(total.limits) != 1:
        return None
    k, low, high = total.limits[0]
    if high != sp.oo or not (low.is_Integer and 0 <= low <= _MOST_BEFORE):
        return None
    parts = exponential_terms(total.function, k)
    if parts is None or sp.degree(parts[1], k) > _MAX_DEGREE:
        return None
    constant, polynomial, ratio = parts
    if not _at_zero(constant, ratio) and not _nonzero(ratio, task):
        return None
    left, whole = sp.Poly(polynomial, k), _ZERO
    while not left.is_zero:
        j, c = left.degree(), left.LC()
        whole += c * ratio**j
        left -= sp.Poly(c * sp.expand(sp.ff(k, j)), k)
    whole = whole * sp.exp(ratio)
    for i in range(int(low)):
        whole -= polynomial.xreplace({k: sp.Integer(i)}) * ratio**i / sp.factorial(i)
    value = constant * whole
    return value, f"{total} = {value}: the series of the exponential"


def hurwitz(total: Any, task: Task) -> tuple[Any, str] | None:
    """The sum to infinity of c (k + a)**(-s), and why, as a line; None for other sums.

    Takes sums over one index from a finite one on. Promises s > 1 and that the first base is positive, as lemmas.
    """
    total = evaluated(total)
    if len(total.limits) != 1:
        return None
    k, low, high = total.limits[0]
    parts = reciprocal_power(total.function, k)
    if high != sp.oo or low.is_infinite or parts is None:
        return None
    constant, a, s = parts
    if not s.free_symbols and s.is_Integer:
        return None  # a rational function
    if not all(task.lemma(c) for c in (Comparison(">", s, _ONE), Comparison(">", low + a, _ZERO))):
        return None
    first = sp.expand(low + a)
    if first.is_Integer and first <= _MOST_BEFORE:
        value = constant * (
            sp.zeta(s) - sp.Add(*(sp.Integer(i) ** -s for i in range(1, int(first))))
        )
    else:
        value = constant * sp.zeta(s, first)
    return value, f"{total} = {value}: the zeta function"


def alternating(total: Any, task: Task) -> tuple[Any, str] | None:
    """The sum to infinity of c (-1)**k/(a k + b) for integers 0 < b < a + b <= 2 a, and why, as a line."""
    total = evaluated(total)
    if len(total.limits) != 1:
        return None
    k, low, high = total.limits[0]
    if high != sp.oo or low != 0:
        return None
    rest = evaluated(total.function * (-1) ** k)
    below = sp.expand(1 / rest)
    a, b = below.coeff(k, 1), below.coeff(k, 0)
    if not (a.is_Rational and b.is_Rational) or sp.expand(below - a * k - b) != 0 or a == 0:
        return None
    constant = sp.Integer(sp.ilcm(a.q, b.q)) * (1 if a > 0 else -1)
    a, b = a * constant, b * constant
    if not 0 < b <= a or a > _MAX_STEP:
        return None
    value = constant * (_gauss(a + b, 2 * a) - _gauss(b, 2 * a)) / (2 * a)
    return (
        value,
        f"{total} = {value}: the digamma function at {(a + b) / (2 * a)} and {b / (2 * a)}",
    )


def _gauss(r: Any, m: Any) -> Any:
    """psi(r/m) + gamma for 0 < r <= m."""
    common = sp.igcd(r, m)
    r, m = sp.Integer(r / common), sp.Integer(m / common)
    if r == m:
        return _ZERO  # psi(1) = -gamma
    waves = (
        sp.cos(2 * sp.pi * n * r / m) * sp.log(sp.sin(sp.pi * n / m))
        for n in range(1, int(m + 1) // 2)
    )
    return -sp.log(2 * m) - sp.pi / 2 * sp.cot(sp.pi * r / m) + 2 * sp.Add(*waves)


def _at_zero(constant: Any, ratio: Any) -> bool:
    """Whether x**(a k + b) is x**b (x**a)**k at x = 0 too, for k >= 0: where b is no negative number."""
    return bool(constant.is_polynomial(*ratio.free_symbols))


def _nonzero(ratio: Any, task: Task) -> bool:
    return task.lemma(Comparison("!=", ratio, _ZERO))


def _within(ratio: Any, task: Task) -> bool:
    needed = [Comparison("<", ratio, _ONE)]
    if not ratio.is_nonnegative:
        needed.append(Comparison(">", ratio, -_ONE))
    return all(task.lemma(c) for c in needed)


def _telescoping(polynomial: Any, ratio: Any, k: Any) -> Any:
    """Q with Q(k) - r Q(k + 1) = P(k), a multiple of 1/(1 - r) taken off the highest power in turn."""
    found, left = _ZERO, polynomial
    while not left.is_zero:
        part = left.LC() / (1 - ratio) * k ** left.degree()
        found += part
        left = sp.Poly(sp.cancel(left.as_expr() - part + ratio * part.xreplace({k: k + 1})), k)
    return found


__all__ = ["alternating", "closed", "exponential", "hurwitz"]
