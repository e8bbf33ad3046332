"""Limits by expansions: what a function does at an end of its range, with every step an identity of
asymptotic series.

A function of x -> oo is written as a sum of parts exp(E) * S. Each exponent E is a sum of terms c t**p l**j
that tend to infinity, where t = 1/x and l = log(x); each S is a sum of terms c t**p l**j with exact
coefficients and an order N: what is left out of S is o(t**q) for every q < N. N = -oo says of a part no more
than its exponent. The parts are ordered by the difference of their exponents, so that the leading term is
known as soon as the leading part has a term that does not cancel; where it might cancel, or a part of
unknown size is as large, there is no answer.

Sums and products are those of series. Where u tends to 0,

    g(u) = sum of a_k u**k over k < K, and what is left out is O(u**K)

for g analytic at 0 (exp, log(1 + u), (1 + u)**r, Taylor's series at a finite limit). A value that grows is
led back to that: log(c t**p (1 + u)) = log(c) - p l + log(1 + u), and likewise for powers; exp(E + c + u) =
exp(E) exp(c) exp(u). For u -> oo Poincare's expansions

    erfc(u) ~ exp(-u**2)/(u sqrt(pi)) sum (-1)**k (2k - 1)!!/(2 u**2)**k,
    loggamma(u) ~ (u - 1/2) log(u) - u + log(2 pi)/2 + sum B_2k/(2k (2k - 1) u**(2k - 1)),
    digamma(u) ~ log(u) - 1/(2u) - sum B_2k/(2k u**2k)

(DLMF 7.12.1, 5.11.1, 5.11.2) leave out less than a constant times the first term that is left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from theorycheck import balls
from theorycheck.check.constants import is_zero

_EXACT = Fraction(10**9)
"""The order of a series of which nothing is left out."""
_TERMS = 9
"""Terms of a power series: enough for that order where the argument is of order t."""
_SMALL = 2
"""Powers of exponentially small parts that are kept."""
_MOST = 400
"""Terms of a series; longer ones are given up."""

Exponent = frozenset[tuple[tuple[Fraction, int], Any]]
"""((p, j), c) for the terms c t**p l**j."""

_ONE: Exponent = frozenset()


class NoExpansion(Exception):
    """The function is of another kind, or its leading term cancels."""


def limit(f: Any, x: Any, end: Any, *, from_above: bool = False) -> Any | None:
    """The limit of f at ``end`` (a number, oo or -oo), from below or from above.

    A constant, ``oo`` or ``-oo``; None where the expansion does not tell. The answer is a theorem: it
    rests on the expansions of the module only.
    """
    t = sp.Symbol("x", positive=True)
    if end in (sp.oo, -sp.oo):
        put = t if end == sp.oo else -t
    else:
        put = end + 1 / t if from_above else end - 1 / t
    try:
        leading = _leading(_Reader(t).read(f.xreplace({x: put})))
    except (NoExpansion, RecursionError, ValueError, TypeError, ZeroDivisionError, OverflowError):
        return None
    if leading is None:
        return sp.Integer(0)
    exponent, (power, logs), c = leading
    rises = _direction(exponent)
    if rises == 0:
        rises = (power < 0) - (power > 0) or (logs > 0) - (logs < 0)
    if rises == 0:
        return c
    return sp.Integer(0) if rises < 0 else sp.oo * _sign(c)


# ---------------------------------------------------------------- series in t and l


@dataclass(frozen=True)
class Series:
    """``terms`` c t**p l**j by (p, j), and ``order``: what is left out is o(t**q) for q < order; None
    stands for -oo, nothing being known."""

    terms: Mapping[tuple[Fraction, int], Any]
    order: Fraction | None = _EXACT

    @property
    def valuation(self) -> Fraction | None:
        """The least power of t; None if nothing is known."""
        if self.order is None:
            return None
        return min((p for p, _ in self.terms), default=self.order)

    def plus(self, other: Series) -> Series:
        order = _least(self.order, other.order)
        found = dict(self.terms)
        for key, c in other.terms.items():
            found[key] = found.get(key, sp.Integer(0)) + c
        return _series(found, order)

    def times(self, other: Series) -> Series:
        a, b = self.valuation, other.valuation
        if a is None or b is None or self.order is None or other.order is None:
            return Series({}, None)
        found: dict[tuple[Fraction, int], Any] = {}
        order = min(self.order + b, other.order + a)
        for (p, i), c in self.terms.items():
            for (q, j), d in other.terms.items():
                if p + q < order:
                    key = (p + q, i + j)
                    found[key] = found.get(key, sp.Integer(0)) + c * d
        return _series(found, order)


def _least(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    return None if a is None or b is None else min(a, b)


def _series(terms: Mapping[tuple[Fraction, int], Any], order: Fraction | None) -> Series:
    if order is None:
        return Series({}, None)
    if len(terms) > _MOST:
        raise NoExpansion("too many terms")
    kept = {key: c for key, c in terms.items() if key[0] < order and not _vanishes(c)}
    return Series(kept, order)


def _vanishes(c: Any) -> bool:
    """Whether a constant is zero, which must be decided."""
    if c.is_Rational:
        return bool(c == 0)
    return _sign(c) == 0


def _sign(c: Any) -> int:
    if c.is_Rational:
        return int(bool(c > 0)) - int(bool(c < 0))
    found = balls.sign(c, {}, max_prec=1024)
    if found is None:
        if not is_zero(c):
            raise NoExpansion(f"the sign of {c}")
        return 0
    return int(found)


def _monomial(c: Any, power: Fraction = Fraction(0), logs: int = 0) -> Series:
    return Series({(power, logs): c})


# ---------------------------------------------------------------- parts with exponentials

Parts = dict[Exponent, Series]
"""exp(E) * S, summed."""


def _plain(series: Series) -> Parts:
    return {_ONE: series}


def _constant(c: Any) -> Parts:
    return {} if _vanishes(c) else _plain(_monomial(c))


def _add(a: Parts, b: Parts) -> Parts:
    found = dict(a)
    for exponent, series in b.items():
        found[exponent] = found[exponent].plus(series) if exponent in found else series
    return found


def _multiply(a: Parts, b: Parts) -> Parts:
    found: Parts = {}
    for (e, s), (f, t) in itertools.product(a.items(), b.items()):
        found = _add(found, {_joined(e, f): s.times(t)})
    if len(found) > _MOST:
        raise NoExpansion("too many exponentials")
    return found


def _joined(a: Exponent, b: Exponent, sign: int = 1) -> Exponent:
    total: dict[tuple[Fraction, int], Any] = dict(a)
    for key, c in b:
        total[key] = total.get(key, sp.Integer(0)) + sign * c
    return frozenset((key, c) for key, c in total.items() if not _vanishes(c))


def _direction(exponent: Exponent) -> int:
    """1 if the exponent tends to oo, -1 to -oo, 0 if there is none."""
    if not exponent:
        return 0
    _, c = min(exponent, key=lambda item: (item[0][0], -item[0][1]))
    return _sign(c)


def _dominant(parts: Parts) -> Exponent:
    """The largest exponent."""
    best, *others = parts
    for other in others:
        way = _direction(_joined(other, best, -1))
        if way == 0:
            raise NoExpansion("two forms of one exponent")
        best = other if way > 0 else best
    return best


def _leading(parts: Parts) -> tuple[Exponent, tuple[Fraction, int], Any] | None:
    """(E, (p, j), c) of the leading term; None for what tends to 0 with no term known. Raises
    NoExpansion where the leading terms cancel otherwise."""
    parts = {e: s for e, s in parts.items() if s.terms or s.order is None or s.order < _EXACT / 2}
    if not parts:
        return None
    exponent = _dominant(parts)
    series = parts[exponent]
    if not series.terms:
        way = _direction(exponent)
        if way < 0 or (way == 0 and series.order is not None and series.order > 0):
            return None  # o(1), whatever it is
        raise NoExpansion("the leading terms cancel")
    power = min(p for p, _ in series.terms)
    logs = max(j for p, j in series.terms if p == power)
    return exponent, (power, logs), series.terms[power, logs]


def _split(parts: Parts) -> tuple[Exponent, Fraction, int, Any, Parts]:
    """The parts as exp(E) c t**p l**j (1 + u): (E, p, j, c, u), where u tends to 0."""
    leading = _leading(parts)
    if leading is None:
        raise NoExpansion("division by what tends to 0 beyond all orders")
    exponent, (power, logs), c = leading
    inverse = {_negative(exponent): _monomial(1 / c, -power, -logs)}
    rest = _multiply(parts, inverse)
    rest = _add(rest, _constant(sp.Integer(-1)))
    _tends_to_zero(rest)
    return exponent, power, logs, c, rest


def _negative(exponent: Exponent) -> Exponent:
    return frozenset((key, -c) for key, c in exponent)


def _tends_to_zero(parts: Parts) -> None:
    """Raises NoExpansion where some part does not tend to 0 faster than a power of t."""
    for exponent, series in parts.items():
        way = _direction(exponent)
        valuation = series.valuation
        if way > 0 or (way == 0 and (valuation is None or valuation <= 0)):
            raise NoExpansion("what is left is not small")


def _composed(coefficients: list[Any], u: Parts) -> Parts:
    """The sum of a_k u**k for u that tends to 0, with what is left out.

    With u = s + v, v the exponentially small parts, it is the sum over m of v**m times that of
    a_k binomial(k, m) s**(k - m) over k, and what is left out of the latter is O(s**(K - m)).
    """
    _tends_to_zero(u)
    s = u.get(_ONE, Series({}))
    v = {e: part for e, part in u.items() if e != _ONE}
    powers = [_monomial(sp.Integer(1))]
    for _ in range(len(coefficients)):
        powers.append(powers[-1].times(s))
    least = s.valuation
    assert least is not None
    total: Parts = {}
    product: Parts = _plain(_monomial(sp.Integer(1)))
    for m in range(_SMALL + 1):
        order = min(_EXACT, least * (len(coefficients) - m))
        inner = Series({}, order)
        for k in range(m, len(coefficients)):
            weight = coefficients[k] * sp.binomial(k, m)
            if not _vanishes(weight):
                inner = inner.plus(powers[k - m].times(_monomial(weight)))
        total = _add(total, _multiply(product, _plain(inner)))
        if not v:
            return total
        product = _multiply(product, v)
    return _add(total, {e: Series({}, None) for e in product})


# ---------------------------------------------------------------- functions


class _Reader:
    """Expressions of one positive symbol x -> oo as parts."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def read(self, e: Any) -> Parts:
        """Raises NoExpansion."""
        if not e.has(self.x):
            return _constant(e)
        if e == self.x:
            return _plain(_monomial(sp.Integer(1), Fraction(-1)))
        if e.is_Add or e.is_Mul:
            parts = [self.read(a) for a in e.args]
            found = parts[0]
            for other in parts[1:]:
                found = _add(found, other) if e.is_Add else _multiply(found, other)
            return found
        if e.is_Pow and e.base is not sp.E:
            return self.power(e.base, e.exp)
        name = "exp" if e.is_Pow else type(e).__name__
        reader = _FUNCTIONS.get(name)
        if reader is not None:
            return reader(self, e.args[-1])
        rewritten = _rewritten(e)
        if rewritten is None:
            raise NoExpansion(f"{name} is not expanded")
        return self.read(rewritten)

    def power(self, base: Any, exponent: Any) -> Parts:
        if not exponent.is_Rational:
            return self.exponential(exponent * sp.log(base))
        inner = self.read(base)
        if exponent.is_Integer and 0 < exponent <= _TERMS:
            found = inner
            for _ in range(int(exponent) - 1):
                found = _multiply(found, inner)
            return found
        e, p, j, c, u = _split(inner)
        r = Fraction(int(exponent.p), int(exponent.q))
        if _sign(c) < 0 and r.denominator != 1:
            raise NoExpansion("a root of what is negative")
        logs = j * r
        if logs.denominator != 1:
            raise NoExpansion("a root of a logarithm")
        scaled = frozenset((key, d * exponent) for key, d in e)
        lead = {scaled: _monomial(c**exponent, p * r, int(logs))}
        series = [sp.ff(exponent, k) / sp.factorial(k) for k in range(_TERMS)]
        return _multiply(lead, _composed(series, u))

    def logarithm(self, inner: Any) -> Parts:
        e, p, j, c, u = _split(self.read(inner))
        if _sign(c) <= 0 or j:
            raise NoExpansion("a logarithm of a logarithm, or of what is negative")
        terms = dict(e)
        if p:
            key = (Fraction(0), 1)
            terms[key] = terms.get(key, sp.Integer(0)) - sp.Rational(p.numerator, p.denominator)
        found = _plain(_series(terms, _EXACT)) if terms else {}
        found = _add(found, _constant(sp.log(c)))
        series = [sp.Integer(0), *(sp.Rational((-1) ** (k + 1), k) for k in range(1, _TERMS))]
        return _add(found, _composed(series, u))

    def exponential(self, inner: Any) -> Parts:
        return _exponential(self.read(inner))

    def at_limit(self, inner: Any) -> tuple[Any, Parts]:
        """(c, u) with inner = c + u, c its finite limit."""
        parts = self.read(inner)
        return _apart(parts)


def _apart(parts: Parts) -> tuple[Any, Parts]:
    key = (Fraction(0), 0)
    series = parts.get(_ONE)
    c = series.terms.get(key, sp.Integer(0)) if series is not None else sp.Integer(0)
    rest = _add(parts, _constant(-c)) if c != 0 else parts
    _tends_to_zero(rest)
    return c, rest


def _exponential(parts: Parts) -> Parts:
    series = parts.get(_ONE, Series({}))
    if series.order is None or series.order <= 0:
        raise NoExpansion("an exponent of unknown size")
    large: dict[tuple[Fraction, int], Any] = {}
    c, power = sp.Integer(0), Fraction(0)
    small: dict[tuple[Fraction, int], Any] = {}
    for (p, j), a in series.terms.items():
        if p == 0 and j == 0:
            c = a
        elif p == 0 and j == 1 and a.is_Rational:
            power = -Fraction(int(a.p), int(a.q))
        elif p < 0 or (p == 0 and j > 0):
            large[p, j] = a
        elif p > 0:
            small[p, j] = a
        else:
            raise NoExpansion("an exponent that tends to 0 like a logarithm")
    rest: Parts = {e: s for e, s in parts.items() if e != _ONE}
    rest[_ONE] = Series(small, series.order)
    lead = {frozenset(large.items()): _monomial(sp.exp(c), power)}
    series_of_exp = [1 / sp.factorial(k) for k in range(_TERMS)]
    return _multiply(lead, _composed(series_of_exp, rest))


def _taylor(head: Callable[[Any], Any], c: Any) -> list[Any]:
    z = sp.Dummy("z", real=True)
    found, derivative = [], head(z)
    for k in range(_TERMS):
        found.append(derivative.subs(z, c) / sp.factorial(k))
        derivative = sp.diff(derivative, z)
    return found


def _entire(head: Any) -> Callable[[_Reader, Any], Parts]:
    """A function that is analytic on the whole real line, at a finite limit."""

    def read(reader: _Reader, inner: Any) -> Parts:
        c, u = reader.at_limit(inner)
        return _composed(_taylor(head, c), u)

    return read


def _erfc(reader: _Reader, inner: Any) -> Parts:
    parts = reader.read(inner)
    way = _way(parts)
    if way == 0:
        c, u = _apart(parts)
        return _composed(_taylor(sp.erfc, c), u)
    if way < 0:
        return _add(_constant(sp.Integer(2)), _scaled(_erfc(reader, -inner), -1))
    series, tail = [], _power_of(parts, -2)
    for k in range(_TERMS):
        series.append(sp.Integer(-1) ** k * sp.factorial2(2 * k - 1) / sp.Integer(2) ** k)
    square = _multiply(parts, parts)
    lead = _multiply(_exponential(_scaled(square, -1)), _power_of(parts, -1))
    return _scaled(_multiply(lead, _composed(series, tail)), 1 / sp.sqrt(sp.pi))


def _erf(reader: _Reader, inner: Any) -> Parts:
    return _add(_constant(sp.Integer(1)), _scaled(_erfc(reader, inner), -1))


def _atan(reader: _Reader, inner: Any) -> Parts:
    parts = reader.read(inner)
    way = _way(parts)
    if way == 0:
        c, u = _apart(parts)
        return _composed(_taylor(sp.atan, c), u)
    turned = _composed(_taylor(sp.atan, sp.Integer(0)), _power_of(parts, -1))
    return _add(_constant(way * sp.pi / 2), _scaled(turned, -1))


def _loggamma(reader: _Reader, inner: Any) -> Parts:
    parts = reader.read(inner)
    if _way(parts) <= 0:
        raise NoExpansion("gamma at a finite place")
    half = _add(parts, _constant(-sp.Rational(1, 2)))
    found = _multiply(half, reader.logarithm(inner))
    found = _add(found, _scaled(parts, -1))
    found = _add(found, _constant(sp.log(2 * sp.pi) / 2))
    series = [sp.Integer(0)] * _TERMS
    for k in range(1, (_TERMS + 1) // 2):
        series[2 * k - 1] = sp.bernoulli(2 * k) / (2 * k * (2 * k - 1))
    return _add(found, _composed(series, _power_of(parts, -1)))


def _digamma(reader: _Reader, inner: Any) -> Parts:
    parts = reader.read(inner)
    if _way(parts) <= 0:
        raise NoExpansion("digamma at a finite place")
    series = [sp.Integer(0), -sp.Rational(1, 2), *([sp.Integer(0)] * (_TERMS - 2))]
    for k in range(1, (_TERMS + 1) // 2):
        series[2 * k] = -sp.bernoulli(2 * k) / (2 * k)
    return _add(reader.logarithm(inner), _composed(series, _power_of(parts, -1)))


def _way(parts: Parts) -> int:
    """1 where the parts tend to oo, -1 to -oo, 0 to a finite limit."""
    leading = _leading(parts)
    if leading is None:
        return 0
    exponent, (power, logs), c = leading
    rises = _direction(exponent) or (power < 0) - (power > 0) or (logs > 0) - (logs < 0)
    return _sign(c) if rises > 0 else 0


def _power_of(parts: Parts, exponent: int) -> Parts:
    e, p, j, c, u = _split(parts)
    scaled = frozenset((key, d * exponent) for key, d in e)
    lead = {scaled: _monomial(c**exponent, p * exponent, j * exponent)}
    r = sp.Integer(exponent)
    return _multiply(lead, _composed([sp.ff(r, k) / sp.factorial(k) for k in range(_TERMS)], u))


def _scaled(parts: Parts, c: Any) -> Parts:
    return _multiply(parts, _plain(_monomial(sp.sympify(c))))


def _rewritten(e: Any) -> Any | None:
    """Functions by those that are expanded."""
    if isinstance(e, sp.sinh | sp.cosh | sp.tanh | sp.coth | sp.sech | sp.csch):
        return e.rewrite(sp.exp)
    if isinstance(e, sp.asinh | sp.acosh | sp.atanh | sp.acoth):
        return e.rewrite(sp.log)
    if isinstance(e, sp.tan | sp.cot):
        return (
            sp.sin(e.args[0]) / sp.cos(e.args[0])
            if isinstance(e, sp.tan)
            else (sp.cos(e.args[0]) / sp.sin(e.args[0]))
        )
    if isinstance(e, sp.gamma):
        return sp.exp(sp.loggamma(e.args[0]))
    if isinstance(e, sp.factorial | sp.binomial | sp.catalan | sp.beta):
        return e.rewrite(sp.gamma)
    if isinstance(e, sp.polygamma) and e.args[0] == 0:
        return sp.digamma(e.args[1], evaluate=False)
    if isinstance(e, sp.harmonic) and len(e.args) == 1:
        return sp.digamma(e.args[0] + 1, evaluate=False) + sp.EulerGamma
    return None


_FUNCTIONS: Mapping[str, Callable[[_Reader, Any], Parts]] = {
    "exp": _Reader.exponential,
    "log": _Reader.logarithm,
    "sin": _entire(sp.sin),
    "cos": _entire(sp.cos),
    "erf": _erf,
    "erfc": _erfc,
    "atan": _atan,
    "loggamma": _loggamma,
    "digamma": _digamma,
}


def limit_sign(f: Any, x: Any, end: Any, *, from_above: bool = False) -> int | None:
    """The sign of what `limit` finds; None where it finds nothing, or the sign is not decided."""
    found = limit(f, x, end, from_above=from_above)
    if found is None or found in (sp.oo, -sp.oo):
        return None if found is None else 1 if found == sp.oo else -1
    try:
        return _sign(found)
    except NoExpansion:
        return None


__all__ = ["NoExpansion", "Series", "limit", "limit_sign"]
