"""Terms with factorials and binomial coefficients in several integer names.

For integers a, a + m >= 0, (a + m)! = a! (a + 1) ... (a + m); binomial(a, b) is a!/(b! (a - b)!) for 0 <= b <= a.
Where all terms of a comparison are one positive product of factorials times something without them, that
product is cancelled. Binomial coefficients binomial(a, b + j) of one row are binomial(a, b) times the quotient of
(a - b) ... (a - b - j + 1) and (b + 1) ... (b + j), for b >= 0, whether or not b + j <= a.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_HEADS = (sp.factorial, sp.binomial, sp.catalan)
# Arguments further apart would be written out as longer products.
_MAX_APART = 12
_MAX_TERMS = 12
_MAX_DEPTH = 3
_ZERO = sp.Integer(0)


class _NotCoveredError(Exception):
    """A term of another kind."""


def prove(task: Task) -> Argument | None:
    """The comparison with a common product of factorials cancelled.

    Takes comparisons of at most 12 terms with factorials, binomial coefficients or Catalan numbers of
    integers. Promises, as lemmas, that every argument is at least 0, and what is left. Gives up where the
    terms do not have the same factorials in common.
    """
    c = task.comparison
    terms = [_terms(e) for e in _by_the_lowest(evaluated(c.lhs), evaluated(c.rhs))]
    if not 0 < len(terms[0]) + len(terms[1]) <= _MAX_TERMS:
        return None
    try:
        split = [[_apart(t) for t in side] for side in terms]
        arguments = _arguments(f for side in split for f, _ in side)
        if not arguments:
            return None
        bases = _bases(arguments)
        left = [[_cancelled(f, rest, bases) for f, rest in side] for side in split]
    except _NotCoveredError:
        return None
    common = {key for side in left for key, _ in side}
    if len(common) != 1 or not _all_nonnegative(arguments, task):
        return None
    sides = [sp.Add(*(rest for _, rest in side)) for side in left]
    if not task.lemma(Comparison(c.op, *sides)):
        return None
    taken = ", ".join(f"factorial({b})**({e})" for b, e in sorted(common.pop(), key=str))
    facts = (f"left out: {taken or 1}, positive", f"what remains: {sides[0]} {c.op} {sides[1]}")
    return Argument("common factorials cancelled", facts)


def _by_the_lowest(*sides: Any) -> list[Any]:
    """Binomial coefficients of one row by the one with the lowest lower argument."""
    nodes = sorted({b for e in sides for b in e.atoms(sp.binomial)}, key=sp.default_sort_key)
    found: dict[Any, Any] = {}
    for node in nodes:
        a, b = node.args
        apart = [sp.expand(b - m.args[1]) for m in nodes if sp.expand(a - m.args[0]) == 0]
        j = max((d for d in apart if d.is_Integer), default=_ZERO)
        if 0 < j <= _MAX_APART:
            low = sp.expand(b - j)
            up = sp.Mul(*(low + i for i in range(1, int(j) + 1)))
            found[node] = sp.binomial(a, low) * sp.Mul(*(a - low - i for i in range(int(j)))) / up
    return [e.xreplace(found) for e in sides]


def growth(head: Any, n: Any, task: Task) -> Any | None:
    """head(n + 1)/head(n) for one factorial or binomial coefficient, without factorials; None where an
    argument is not proved to be at least 0, or the quotient is no such product."""
    try:
        before, after = (_apart(e) for e in (head, head.xreplace({n: n + 1})))
        arguments = _arguments((before[0], after[0]))
        bases = _bases(arguments)
        (first, below), (second, above) = (
            _cancelled(f, rest, bases) for f, rest in (before, after)
        )
    except _NotCoveredError:
        return None
    if first != second or not _all_nonnegative(arguments, task):
        return None
    return above / below


def _terms(side: Any) -> list[Any]:
    e = evaluated(side)
    return [t for t in sp.Add.make_args(e) if t != 0]


_Factorials = dict[Any, Any]


def _apart(term: Any) -> tuple[_Factorials, Any]:
    """Arguments of factorials with their exponents, and the factors without any."""
    found: _Factorials = {}
    rest = sp.Integer(1)
    for factor in sp.Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        if not isinstance(base, _HEADS):
            if factor.has(*_HEADS, sp.gamma):
                raise _NotCoveredError
            rest *= factor
            continue
        if not exponent.is_Integer or not all(a.is_integer for a in base.args):
            raise _NotCoveredError
        for argument, power in _as_factorials(base):
            argument = sp.expand(argument)
            found[argument] = found.get(argument, 0) + power * exponent
        if isinstance(base, sp.catalan):
            rest *= (base.args[0] + 1) ** -exponent
    return found, rest


def _as_factorials(head: Any) -> list[tuple[Any, int]]:
    if isinstance(head, sp.binomial):
        a, b = head.args
        return [(a, 1), (b, -1), (a - b, -1)]
    (a,) = head.args
    return [(2 * a, 1), (a, -2)] if isinstance(head, sp.catalan) else [(a, 1)]


def _arguments(found: Iterable[_Factorials]) -> list[Any]:
    return list(dict.fromkeys(a for f in found for a in f))


def _bases(arguments: list[Any]) -> dict[Any, tuple[Any, int]]:
    """For each argument the smallest one that differs from it by an integer, and that integer."""
    lowest: list[Any] = []
    for a in arguments:
        for i, b in enumerate(lowest):
            if sp.expand(a - b).is_Integer:
                lowest[i] = a if a - b < 0 else b
                break
        else:
            lowest.append(a)
    found = {}
    for a in arguments:
        base = next(b for b in lowest if sp.expand(a - b).is_Integer)
        apart = int(sp.expand(a - base))
        if apart > _MAX_APART:
            raise _NotCoveredError
        found[a] = base, apart
    return found


def _cancelled(
    factorials: _Factorials, rest: Any, bases: dict[Any, tuple[Any, int]]
) -> tuple[frozenset[tuple[Any, Any]], Any]:
    """Exponents of the factorials of the bases, and what is left of the term."""
    exponents: dict[Any, Any] = {}
    for a, e in factorials.items():
        base, apart = bases[a]
        if base.free_symbols:
            exponents[base] = exponents.get(base, 0) + e
        else:
            rest *= sp.factorial(base) ** e
        rest *= sp.Mul(*(base + i for i in range(1, apart + 1))) ** e
    return frozenset((b, e) for b, e in exponents.items() if e != 0), rest


def _all_nonnegative(arguments: Iterable[Any], task: Task) -> bool:
    return all(a.is_nonnegative or task.lemma(Comparison(">=", a, _ZERO)) for a in arguments)


def _applies(task: Task) -> bool:
    c = task.comparison
    return task.depth <= _MAX_DEPTH and bool(c.lhs.has(*_HEADS) or c.rhs.has(*_HEADS))


METHOD = Method("common factorials", 0.4, _applies, prove)
