"""Floors inside of floors, sums of floors, quotients of integers, and floors of logarithms.

For integers m and b >= 1, floor((floor(u) + m)/b) = floor((u + m)/b): an integer q has q b <= floor(u) + m if and
only if q b <= u + m.

Hermite's identity: for an integer k >= 1, sum over j = 0..k-1 of floor(x + j/k) = floor(k x). The difference of the
sides does not change from x to x + 1/k (the sum loses its first term and gains floor(x + 1)), and is 0 on [0, 1/k).

For integers n and k >= 1 write n = q k + s with 0 <= s < k: then floor(n/k) = q, and ceiling(n/k) = q + 1 where s >= 1
and q where s = 0, which is floor((n + k - 1)/k). That floor is the integer q with k q <= n <= k q + k - 1.

For an integer b >= 2 and u > 0, q = floor(log(u)/log(b)) is the integer with b**q <= u < b**(q + 1), and
q = ceiling(log(u)/log(b)) that with b**(q - 1) < u <= b**q.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, formula_text
from theorycheck.check.text import Comparison

_MAX_DEPTH = 2
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_ROUNDED = (sp.floor, sp.ceiling)


def nested(task: Task) -> Argument | None:
    """The comparison with floors inside of floors taken away.

    Takes comparisons with floor((floor(u) + m)/b) or the same of ceilings. Promises b >= 1 and what is left,
    as lemmas.
    """
    c = task.comparison
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    found = {}
    for node in sorted({n for e in sides for n in e.atoms(*_ROUNDED)}, key=str):
        value = _without_inner(node, task)
        if value is not None:
            found[node] = value
    if not found:
        return None
    left = Comparison(c.op, *(e.xreplace(found) for e in sides))
    if not task.lemma(left):
        return None
    return Argument("floors inside of floors", tuple(f"{n} = {v}" for n, v in found.items()))


def _without_inner(node: Any, task: Task) -> Any | None:
    top, bottom = sp.fraction(sp.together(node.args[0]))
    terms = sp.Add.make_args(sp.expand(top))
    inner = [t for t in terms if isinstance(t, type(node))]
    rest = sp.Add(*(t for t in terms if t not in inner))
    if len(inner) != 1 or not (rest.is_integer and bottom.is_integer):
        return None
    if not (bottom.is_positive or task.lemma(Comparison(">=", bottom, _ONE))):
        return None
    return node.func((inner[0].args[0] + rest) / bottom)


def closed(total: Any, task: Task) -> tuple[Any, str] | None:
    """Hermite's sum in closed form, and the identity as a line; None for other sums."""
    total = evaluated(total)
    term, rounded = total.function, total.function
    if len(total.limits) != 1 or not isinstance(rounded, sp.floor):
        return None
    j, low, high = total.limits[0]
    count = sp.expand(high + 1)
    start = rounded.args[0].xreplace({j: _ZERO})
    if low != 0 or j in count.free_symbols or not count.is_integer:
        return None
    if sp.cancel(sp.together(term.args[0] - start - j / count)) != 0:
        return None
    if not (count.is_positive or task.lemma(Comparison(">=", count, _ONE))):
        return None
    value = sp.floor(sp.cancel(count * start))
    return value, f"{total} = {value} by Hermite's identity"


def ceilings(task: Task) -> Argument | None:
    """The comparison with floors of quotients of integers only, each without the integers in it.

    Takes comparisons with a ceiling of n/k. Promises k >= 1 and what is left, as lemmas.
    """
    c = task.comparison
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    found = {}
    for node in _rounded_of(sides):
        parts = _quotient(node, task)
        if parts is not None:
            top, bottom = parts
            up = isinstance(node, sp.ceiling)
            found[node] = sp.floor(sp.expand((top + bottom - 1 if up else top) / bottom))
    facts = [f"{n} = {v}" for n, v in found.items() if isinstance(n, sp.ceiling)]
    if not facts or not task.lemma(Comparison(c.op, *(e.xreplace(found) for e in sides))):
        return None
    return Argument("division with remainder", tuple(facts))


def quotients(task: Task) -> Argument | None:
    """Floors of quotients of integers as integers of their own, between their bounds.

    Takes comparisons with floor(n/k). Promises k >= 1, and the comparison for all integers with the two bounds
    as hypotheses, as lemmas.
    """
    c = task.comparison
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    taken = {v.name for v in task.region.variables}
    free = (f"q{i}" for i in range(1, 100) if f"q{i}" not in taken)
    names: dict[Any, Any] = {}
    variables, hypotheses = [], []
    for node in _rounded_of(sides):
        parts = _quotient(node, task) if isinstance(node, sp.floor) else None
        if parts is None:
            continue
        (top, bottom), name = parts, next(free)
        least = _ZERO if top.is_nonnegative or task.lemma(Comparison(">=", top, _ZERO)) else -sp.oo
        q = sp.Symbol(name, integer=True, **({"nonnegative": True} if least == 0 else {}))
        names[node] = q
        variables.append(Variable(name, q, "integer", "", least, sp.oo))
        hypotheses.append(Comparison("<=", sp.expand(bottom * q), top))
        hypotheses.append(Comparison("<=", top, sp.expand(bottom * q + bottom - 1)))
    if not names:
        return None
    region = Region((*task.region.variables, *variables), (*task.region.hypotheses, *hypotheses))
    if not task.lemma(Comparison(c.op, *(e.xreplace(names) for e in sides)), region):
        return None
    facts = [f"{q} = {node}" for node, q in names.items()]
    return Argument(
        "quotients of integers with their remainders",
        (*facts, *(formula_text(h) for h in hypotheses)),
    )


def _rounded_of(sides: list[Any]) -> list[Any]:
    return sorted({n for e in sides for n in e.atoms(*_ROUNDED)}, key=sp.default_sort_key)


def _quotient(node: Any, task: Task) -> tuple[Any, Any] | None:
    """(n, k) for a rounded n/k of integers, k >= 1 with names in it."""
    top, bottom = sp.fraction(sp.together(node.args[0]))
    if top.has(*_ROUNDED) or not (top.is_integer and bottom.is_integer and bottom.free_symbols):
        return None
    if not (bottom.is_positive or task.lemma(Comparison(">=", bottom, _ONE))):
        return None
    return sp.expand(top), sp.expand(bottom)


def logarithms(task: Task) -> Argument | None:
    """Floors and ceilings of logarithms as integers of their own, between powers.

    Takes comparisons with floor or ceiling of log(u)/log(b) for integers b >= 2. Promises u > 0 and the
    comparison for all integers with the two bounds as hypotheses, as lemmas; for integers u > 1 and a
    ceiling, b**(q - 1) + 1 <= u.
    """
    c = task.comparison
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    names: dict[Any, Any] = {}
    variables, hypotheses = [], []
    taken = {v.name for v in task.region.variables}
    for node in sorted({n for e in sides for n in e.atoms(*_ROUNDED)}, key=str):
        parts = _logarithm(node.args[0])
        if parts is None or not task.lemma(Comparison(">", parts[0], _ZERO)):
            continue
        u, b = parts
        up = isinstance(node, sp.ceiling)
        large = Comparison(">" if up else ">=", u, _ONE)
        whole = u.is_integer is True and task.lemma(large)
        least = (1 if up else 0) if whole else -sp.oo
        name = next(f"q{i}" for i in range(1, 100) if f"q{i}" not in taken)
        taken.add(name)
        facts = {"positive": True} if whole and up else {"nonnegative": True} if whole else {}
        q = sp.Symbol(name, integer=True, **facts)
        names[node] = q
        variables.append(Variable(name, q, "integer", "", sp.sympify(least), sp.oo))
        hypotheses += _bounds(u, b, q, up=up, whole=whole)
    if not names:
        return None
    goal = Comparison(c.op, *(e.xreplace(names) for e in sides))
    region = Region((*task.region.variables, *variables), (*task.region.hypotheses, *hypotheses))
    if not task.lemma(goal, region):
        return None
    facts_told = [f"{q} = {node}" for node, q in names.items()]
    return Argument(
        "rounded logarithms as integers between powers",
        (*facts_told, *(formula_text(h) for h in hypotheses)),
    )


def _logarithm(e: Any) -> tuple[Any, int] | None:
    """(u, b) where e is log(u)/log(b)."""
    top, bottom = sp.fraction(e)
    if not (isinstance(top, sp.log) and isinstance(bottom, sp.log)):
        return None
    u, b = top.args[0], bottom.args[0]
    return (u, b) if b.is_Integer and b >= 2 and u.free_symbols else None


def _bounds(u: Any, b: Any, q: Any, *, up: bool, whole: bool) -> list[Comparison]:
    if not up:
        above = Comparison("<=", u + 1, b ** (q + 1)) if whole else Comparison("<", u, b ** (q + 1))
        return [Comparison("<=", b**q, u), above]
    below = Comparison("<=", b ** (q - 1) + 1, u) if whole else Comparison("<", b ** (q - 1), u)
    return [below, Comparison("<=", u, b**q)]


def _rounds(task: Task) -> bool:
    c = task.comparison
    return task.depth <= _MAX_DEPTH and (c.lhs.has(*_ROUNDED) or c.rhs.has(*_ROUNDED))


NESTED = Method("floors inside of floors", 0.2, _rounds, nested)
CEILINGS = Method("division with remainder", 0.2, _rounds, ceilings)
QUOTIENTS = Method("quotients of integers", 0.3, _rounds, quotients)
LOGARITHMS = Method("rounded logarithms", 0.3, _rounds, logarithms)
