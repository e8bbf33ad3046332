"""Sums over all rows of a binomial coefficient, by the binomial theorem.

With falling powers k_(m) = k (k - 1) ... (k - m + 1), differentiating (x + y)**n m times in x gives

    sum over k = 0..n of binomial(n, k) k_(m) x**k y**(n - k) = n_(m) x**m (x + y)**(n - m),

and every polynomial in k is a combination of falling powers, P = sum of (Delta**m P)(0)/m! k_(m). Even and
odd indices apart: half the sum or difference of the values at x and at -x. For n < m both sides are 0 where
x + y is not. binomial(k, m) is k_(m)/m!, so that the same holds with binomial(n, m) in place of n_(m) for a name m.

The same derivative of (1 + z)**a, times (1 + z)**b, has at z**s the coefficient

    sum over k of k_(m) binomial(a, k) binomial(b, s - k) = a_(m) binomial(a + b - m, s - m),

the identity of Vandermonde for m = 0. As binomial(n, k) = binomial(n, n - k), half a row is half of 2**n, but for a
coefficient in the middle. With (-1)**k a row is an n-th difference, which a polynomial of lower degree does not have,
whatever the exponent of (u k + v)**m is called; of degree n it is n! times the leading coefficient. Where the index is
the upper argument, Pascal's rule telescopes.
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
# Terms of a sum of terms that are summed apart.
_MAX_PARTS = 4
_ZERO = sp.Integer(0)


@dataclass(frozen=True)
class BinomialTerm:
    """A term ``factor * binomial(n, k) * polynomial(k) * x**k * y**(n - k)``."""

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
    limits = (k, low, high)
    for theorem, rule in _RULES:
        found = rule(term, limits, task)
        if found is not None:
            return found, f"{total} = {found} by {theorem}"
    return _in_parts(total, task)


def _in_parts(total: Any, task: Task) -> tuple[Any, str] | None:
    """The sum of a sum of few terms, each of which has a closed form, as with a filter (1 + (-1)**k)/2."""
    parts = sp.Add.make_args(sp.expand_mul(total.function))
    if not 1 < len(parts) <= _MAX_PARTS:
        return None
    found: list[tuple[Any, str]] = []
    for part in parts:
        one = closed(sp.Sum(part, *total.limits), task)
        if one is None:
            return None
        found.append(one)
    return sp.Add(*(value for value, _ in found)), "; ".join(text for _, text in found)


def _whole(term: Any, limits: tuple[Any, Any, Any], task: Task) -> Any | None:
    k, low, high = limits
    row = row_of(term, k, task)
    if row is None:
        return None
    missing = sp.expand(row.n - high)
    if not all(e.is_Integer and 0 <= e <= _MAX_MISSING for e in (low, missing)):
        return None
    # From n = 0 on, and no first term among the last ones that are missing.
    enough = sp.Max(_ZERO, low + missing - 1)
    if not task.lemma(Comparison(">=", row.n, enough)):
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
        row = row_of(evaluated(term.xreplace({j: (k - s) / 2})), k, task)
        if row is None or high != sp.floor((row.n - s) / 2):
            continue
        if not task.lemma(Comparison(">=", row.n, _ZERO)):
            return None
        both, turned = (_value(row, x, k, task) for x in (row.x, -row.x))
        return None if both is None or turned is None else (both + (-1) ** s * turned) / 2
    return None


def _beside_a_binomial(term: Any, limits: tuple[Any, Any, Any], task: Task) -> Any | None:
    """With binomial(k, m) for the index k and another m in place of the polynomial, over m..n or 0..n."""
    k, low, high = limits
    extra = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.binomial) and f.args[0] == k]
    if len(extra) != 1 or k in extra[0].args[1].free_symbols:
        return None
    m = extra[0].args[1]
    row = row_of(term / extra[0], k, task)
    if row is None or row.polynomial != 1 or high != row.n or low not in (_ZERO, m):
        return None
    if not m.is_nonnegative or not task.lemma(Comparison(">=", row.n, m)):
        return None
    base = sp.expand(row.x + row.y)
    if base == 0:
        return _ZERO if task.lemma(Comparison(">", row.n, m)) else None
    return row.factor * sp.binomial(row.n, m) * row.x**m * base ** (row.n - m)


def _vandermonde(term: Any, limits: tuple[Any, Any, Any], task: Task) -> Any | None:
    """Two binomial coefficients whose lower arguments add up to s, and a polynomial, over 0..s or 0..a."""
    k, low, high = limits
    factor = polynomial = sp.Integer(1)
    rows = []
    for f in sp.Mul.make_args(term):
        if k not in f.free_symbols:
            factor *= f
        elif f.is_polynomial(k):
            polynomial *= f
        elif isinstance(f, sp.binomial) and k not in f.args[0].free_symbols:
            rows.append(f)
        else:
            return None
    coefficients = _in_falling_powers(polynomial, k)
    if len(rows) != 2 or low != 0 or coefficients is None:
        return None
    for (a, up), (b, down) in ((rows[0].args, rows[1].args), (rows[1].args, rows[0].args)):
        if sp.expand(up - k) != 0:
            continue
        if sp.diff(down, k) == 1:  # binomial(b, c) = binomial(b, b - c) for b >= 0
            down = b - down
        s, degree = sp.expand(down + k), len(coefficients) - 1
        if k in s.free_symbols or high not in (s, a):
            continue
        needed = [(a, _ZERO), (b, _ZERO), (s, _ZERO), (a + b, sp.Integer(degree))]
        if not all(e.is_integer and task.lemma(Comparison(">=", e, least)) for e, least in needed):
            return None
        terms = (
            c * sp.ff(a, m) * sp.binomial(a + b - m, s - m) for m, c in enumerate(coefficients)
        )
        return factor * sp.Add(*terms)
    return None


def row_of(term: Any, k: Any, task: Task) -> BinomialTerm | None:
    """The factors of a term with one binomial coefficient of the index k; None for others."""
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
    return BinomialTerm(n, factor, polynomial, x, y)


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


def _value(row: BinomialTerm, x: Any, k: Any, task: Task) -> Any | None:
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


def _upper(term: Any, limits: tuple[Any, Any, Any], task: Task) -> Any | None:
    """The index in the upper argument: binomial(i + 1, m + 1) - binomial(i, m + 1) = binomial(i, m)."""
    i, low, high = limits
    factor, rest = term.as_independent(i)
    if not isinstance(rest, sp.binomial):
        return None
    above, m = rest.args
    apart = sp.expand(above - i)
    if i in apart.free_symbols or i in m.free_symbols or not (apart.is_integer and m.is_integer):
        return None
    needed = [(high, low - 1), (low + apart, _ZERO), (m, _ZERO)]
    if not all(task.lemma(Comparison(">=", e, least)) for e, least in needed):
        return None
    start = sp.expand(low + apart)
    missing = sp.expand(m + 1 - start)  # binomial(a, b) = 0 for b > a >= 0
    before = _ZERO if missing.is_positive else sp.binomial(start, m + 1)
    return factor * (sp.binomial(sp.expand(high + apart + 1), m + 1) - before)


def _half(term: Any, limits: tuple[Any, Any, Any], task: Task) -> Any | None:
    """Half a row with nothing beside the coefficients, up to or from the middle, or one or two from there."""
    k, low, high = limits
    row = row_of(term, k, task)
    if row is None or (row.polynomial, row.x, row.y) != (1, 1, 1):
        return None
    if low == 0:
        h = high
    elif sp.expand(high - row.n) == 0:
        h = sp.expand(row.n - low)
    else:
        return None
    n, apart = row.n, sp.expand(row.n - 2 * h)
    if apart not in (-1, 0, 1, 2) or not task.lemma(Comparison(">=", n, _ZERO)):
        return None
    middle = {
        -1: sp.binomial(n, h),  # the first coefficient beyond the middle
        0: sp.binomial(n, h) / 2,
        1: _ZERO,
        2: -sp.binomial(n, h + 1) / 2,
    }
    return row.factor * (sp.Integer(2) ** n / 2 + middle[int(apart)])


def _difference(term: Any, limits: tuple[Any, Any, Any], task: Task) -> Any | None:
    """n-th differences of (u k + v)**m for a name m below n, over the whole row, and for m = n.

    With y**n (-1)**k binomial(n, k) as the row, that of degree n is n! (-u y)**n: only the leading power counts.
    """
    k, low, high = limits
    factors = sp.Mul.make_args(term)
    for power in factors:
        base, m = power.as_base_exp()
        linear = base.is_polynomial(k) and sp.degree(base, k) == 1
        if k in m.free_symbols or m.is_Integer or not m.is_integer or not linear:
            continue
        row = row_of(sp.Mul(*(f for f in factors if f is not power)), k, task)
        if row is None or low != 0 or sp.expand(high - row.n) != 0:
            return None
        if sp.expand(row.x + row.y) != 0:
            return None
        if sp.expand(m - row.n) == 0 and row.polynomial == 1:
            if not task.lemma(Comparison(">=", row.n, _ZERO)):
                return None
            return row.factor * sp.factorial(row.n) * (-row.y * sp.diff(base, k)) ** row.n
        degree = m + sp.degree(row.polynomial, k)
        needed = [Comparison(">=", m, _ZERO), Comparison("<", degree, row.n)]
        return _ZERO if all(task.lemma(c) for c in needed) else None
    return None


_RULES = (
    ("the binomial theorem", _whole),
    ("the binomial theorem at x and -x", _every_second),
    ("the binomial theorem, differentiated", _beside_a_binomial),
    ("Vandermonde's identity", _vandermonde),
    ("Pascal's rule, added up", _upper),
    ("the symmetry of the row", _half),
    ("differences of a polynomial", _difference),
)

__all__ = ["closed"]
