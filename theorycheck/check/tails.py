"""Tails of binomial and exponential sums: by tilting, or by a binomial coefficient as weight.

Let a_k >= 0 and w_k >= 1 on the range of a sum. Then the sum of a_k over the range is at most that of w_k a_k over
all k >= 0. With w_k = s**(k - m) (s >= 1 where k >= m, 0 < s <= 1 where k <= m), or binomial(k, m) where k >= m:

    a_k = binomial(n, k) x**k y**(n - k):   s**(-m) (x s + y)**n,    binomial(n, m) x**m (x + y)**(n - m)
    a_k = x**k/k!:                          s**(-m) exp(x s),        x**m/m! exp(x)

The first is least at s = m y/((n - m) x) and s = m/x: the bounds of Chernoff; the other is a union bound. Other s
give bounds that are larger and simpler. With z = x + y, where m >= n x/z and s >= 1 (or both are <=), and n > 0:

    s = exp(4 (m/n - x/z)):   z**n exp(-2 (m - n x/z)**2/n),        as y + x exp(u) <= z exp(u x/z + u**2/8) (Hoeffding)
    s = m z/(n x):            z**n exp(m - n x/z) (n x/(m z))**m,   as y + x s <= z exp((s - 1) x/z)
    s = m y/(n x):            y**n exp(m) (n x/(m y))**m,           as y + x s <= y exp(x s/y)

What a sum up to h lacks to the whole one, (x + y)**n or exp(x), is a tail too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theorycheck.check import binomials
from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 1
# The part of the time left for what is left after each bound.
_SHARE = 0.4
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


@dataclass(frozen=True)
class _Family:
    """``factor binomial(n, k) x**k y**(n - k)``, or ``factor x**k/k!`` where ``n`` is None."""

    factor: Any
    x: Any
    y: Any
    n: Any | None

    def whole(self, s: Any = _ONE) -> Any:
        """The sum of s**k a_k over all k."""
        grown = sp.exp(self.x * s) if self.n is None else sp.factor(self.x * s + self.y) ** self.n
        return self.factor * grown

    def best(self, m: Any) -> Any:
        """The s for which the tilted bound at m is least."""
        best = m / self.x if self.n is None else m * self.y / ((self.n - m) * self.x)
        return sp.factor(sp.cancel(sp.together(best)))

    def weighted(self, m: Any) -> Any:
        """The sum of binomial(k, m) a_k over all k."""
        if self.n is None:
            return self.factor * self.x**m / sp.factorial(m) * sp.exp(self.x)
        rest = sp.expand(self.x + self.y) ** (self.n - m)
        return self.factor * sp.binomial(self.n, m) * self.x**m * rest


def prove(task: Task) -> Argument | None:
    """The comparison with a tail replaced by its bound.

    Takes order comparisons with one sum, of one of the two kinds, on the side that is to be small (or what it
    lacks to the whole sum). Promises, as lemmas, the signs of the terms and of the factor before the sum, that the
    range lies in that of the whole sum, that s lies on its side of 1, and what is left.
    """
    c = task.comparison
    small, large = (evaluated(e) for e in (c.lhs, c.rhs))
    op = c.op
    if op in (">", ">="):
        small, large, op = large, small, {">": "<", ">=": "<="}[op]
    sums = (small - large).atoms(sp.Sum)
    if len(sums) != 1:
        return None
    (total,) = sums
    family = _family(total, task)
    if family is None:
        return None
    slot = sp.Dummy("S", real=True)
    slope = sp.diff((small - large).xreplace({total: slot}), slot)
    if slot in slope.free_symbols or not _terms_have_signs(family, task):
        return None
    _, low, high = total.limits[0]
    for sign, tails in ((1, _tails(low, high)), (-1, _missing(family, low, high))):
        if not task.lemma(Comparison(">=", sign * slope, _ZERO)):
            continue
        for upper, m in tails:
            for bound, how in _bounds(family, m, task, upper=upper):
                value = slot if sign > 0 else family.whole() - slot
                put = {slot: bound}
                sides = [
                    sp.expand(e.xreplace({total: value})).xreplace(put) if e.has(total) else e
                    for e in (small, large)
                ]
                if task.lemma_within(_SHARE, Comparison(op, *sides)):
                    text = f"{total} {'<=' if sign > 0 else f'>= {family.whole()} -'} {bound}"
                    return Argument("the bound of a tail", (text, how))
    return None


def _family(total: Any, task: Task) -> _Family | None:
    """The terms, where the range lies in 0..n, or in 0..oo."""
    if len(total.limits) != 1:
        return None
    k, low, high = total.limits[0]
    starts = dict.fromkeys((_without(sp.ceiling, low), low))
    if not any(task.lemma(Comparison(">=", start, _ZERO)) for start in starts):
        return None
    row = binomials.row_of(total.function, k, task)
    if row is not None:
        if not task.lemma(Comparison(">=", row.n, _ZERO)):
            return None
        inside = row.n in _each(sp.Min, high) or any(
            task.lemma(Comparison("<=", end, row.n))
            for end in dict.fromkeys((_without(sp.floor, high), high))
        )
        return _Family(row.factor, row.x, row.y, row.n) if inside and row.polynomial == 1 else None
    factor, x = _ONE, _ONE
    for f in sp.Mul.make_args(total.function * sp.factorial(k)):
        base, exponent = f.as_base_exp()
        slope = sp.diff(exponent, k)
        if k not in f.free_symbols:
            factor *= f
        elif k not in base.free_symbols and slope.is_Integer and slope > 0:
            x *= base**slope
            factor *= base ** sp.expand(exponent - slope * k)
        else:
            return None
    return _Family(factor, x, _ONE, None)


def _terms_have_signs(family: _Family, task: Task) -> bool:
    parts = (family.factor, family.x, family.y)
    return all(e.is_nonnegative or task.lemma(Comparison(">=", e, _ZERO)) for e in parts)


def _tails(low: Any, high: Any) -> Iterator[tuple[bool, Any]]:
    """(whether k >= m, m) for all k of the range: k <= floor(u) if and only if k <= u."""
    if not high.is_infinite:
        yield from ((False, _factored(_without(sp.floor, e))) for e in _each(sp.Min, high))
    ends = [e for e in _each(sp.Max, low) if e != 0]
    yield from dict.fromkeys(
        (True, _factored(m)) for e in ends for m in (_without(sp.ceiling, e), e)
    )


def _factored(m: Any) -> Any:
    """n*p*(1 - d) for n*p - d*n*p, and not -n*p*(d - 1)."""
    sign, rest = sp.factor(m).as_coeff_Mul()
    factors = list(sp.Mul.make_args(rest))
    place = next((i for i, f in enumerate(factors) if f.is_Add), None)
    if not sign.is_negative or place is None:
        return sign * rest
    factors[place] = sp.expand(-factors[place])
    return sp.Mul(-sign, *factors)


def _missing(family: _Family, low: Any, high: Any) -> Iterator[tuple[bool, Any]]:
    """The same for what the range leaves out of 0..n or 0..oo, where that is at one side."""
    # Beside n one end alone: k > Min(a, b) says nothing of a.
    highest = [e for e in _each(sp.Min, high) if e != family.n]
    lowest = [e for e in _each(sp.Max, low) if e != 0]
    if low == 0 and len(highest) == 1 and not high.is_infinite:
        (end,) = highest
        yield True, end.args[0] if isinstance(end, sp.floor) else end + 1
    elif len(lowest) == 1 and (high == family.n or (family.n is None and high == sp.oo)):
        yield False, lowest[0] - 1


def _each(head: Any, end: Any) -> tuple[Any, ...]:
    """The ends of which one is the least, or the largest."""
    return tuple(end.args) if isinstance(end, head) else (end,)


def _without(head: Any, end: Any) -> Any:
    """u where the end is floor(u), or ceiling(u); SymPy takes integers out of these."""
    whole, rounded = end.as_independent(head, as_Add=True)
    return whole + rounded.args[0] if isinstance(rounded, head) else end


def _bounds(family: _Family, m: Any, task: Task, *, upper: bool) -> Iterator[tuple[Any, str]]:
    """Bounds of the tail at m, with how they come about."""
    if family.n is not None:
        yield from _simpler(family, m, task, upper=upper)
    s = family.best(m)
    has_value = not s.has(sp.zoo, sp.nan, sp.oo) and task.defined(s)
    if has_value and _all(task, (">", s)) and _beside_one(family, m, s, task, upper=upper):
        yield family.whole(s) * s ** (-m), f"the weight s**(k - ({m})) >= 1 with s = {s}"
    if upper and m.is_integer and m.is_nonnegative:
        bound = family.weighted(m)
        if task.defined(bound):
            yield bound, f"the weight binomial(k, {m}) >= 1 for k >= {m}"


def _beside_one(family: _Family, m: Any, s: Any, task: Task, *, upper: bool) -> bool:
    """Whether s > 0 lies on its side of 1: m y/((n - m) x) does where m is on its side of the mean."""
    op = ">=" if upper else "<="
    if family.n is not None and _all(task, (">", family.n - m), (">", family.x)):
        mean = Comparison(op, m * sp.expand(family.x + family.y), family.n * family.x)
        if task.lemma(mean):
            return True
    return task.lemma(Comparison(op, s, _ONE))


def _simpler(family: _Family, m: Any, task: Task, *, upper: bool) -> Iterator[tuple[Any, str]]:
    """Bounds of a row of binomials by weights that are not the best ones."""
    n, x, y, op = family.n, family.x, family.y, ">=" if upper else "<="
    z = sp.expand(x + y)
    if not _all(task, (">", n), (">", z)):
        return
    if task.lemma(Comparison(op, m, n * x / z)):
        value = family.factor * z**n * sp.exp(-2 * (m - n * x / z) ** 2 / n)
        yield value, "the weight exp(4*(m/n - p)*(k - m)) >= 1, and Hoeffding's lemma"
        if _all(task, (">", m), (">", x)):
            value = family.factor * z**n * sp.exp(m - n * x / z) * (n * x / (m * z)) ** m
            yield value, "the weight (m/(n*p))**(k - m) >= 1, and 1 + u <= exp(u)"
    if _all(task, (">", m), (">", x), (">", y)) and task.lemma(Comparison(op, m * y, n * x)):
        value = family.factor * y**n * sp.exp(m) * (n * x / (m * y)) ** m
        yield value, "the weight (m*y/(n*x))**(k - m) >= 1, and 1 + u <= exp(u)"


def _all(task: Task, *signs: tuple[str, Any]) -> bool:
    """Whether each is proved to be > 0 (or >= 0)."""
    return all(
        (op == ">" and e.is_positive) or task.lemma(Comparison(op, e, _ZERO)) for op, e in signs
    )


def _applies(task: Task) -> bool:
    c = task.comparison
    return (
        task.depth <= _MAX_DEPTH
        and c.op in ("<", "<=", ">", ">=")
        and bool(c.lhs.has(sp.Sum) or c.rhs.has(sp.Sum))
    )


METHOD = Method("bounds of tails", 0.7, _applies, prove)
