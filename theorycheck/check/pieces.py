"""Functions of one real name on the pieces where their kinks are resolved.

Max, Min, Abs and sign of arguments affine in the name, comparisons of such, and Piecewise with such
conditions are plain on each piece between their breakpoints. The order of the breakpoints must follow
from the ranges of the other names (`theorycheck.check.ranges`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from theorycheck.check.formula import Comparison, Connective, Formula
from theorycheck.check.identities import simpler
from theorycheck.check.ranges import OpenSign, Ranges

_KINKED = (sp.Max, sp.Min, sp.Abs, sp.sign, sp.Heaviside)


@dataclass(frozen=True)
class Piece:
    """The expression on (low, high), without kinks there."""

    low: Any
    high: Any
    body: Any


def affine(expression: Any, name: Any) -> tuple[Any, Any] | None:
    """(a, b) with expression = a*name + b, None for others."""
    if not expression.has(name):
        return sp.Integer(0), expression
    try:
        polynomial = sp.Poly(expression, name)
    except sp.PolynomialError:
        return None
    if polynomial.degree() != 1 or any(c.has(name) for c in polynomial.all_coeffs()):
        return None
    a, b = polynomial.all_coeffs()
    return a, b


def pieces(
    body: Any, name: Any, low: Any, high: Any, ranges: Ranges, known: tuple[Any, ...] = ()
) -> list[Piece]:
    """The pieces of a body over (low, high), low <= high; ``known`` are further places to cut at.

    Raises:
        OpenSign: where the order of two breakpoints is not known.
        ValueError: where a kink is not affine.
    """
    places = ordered([*_kinks(body, name, ranges), *known], low, high, ranges)
    ends = [low, *places, high]
    return [Piece(a, b, _resolved(body, name, a, b, ranges)) for a, b in itertools.pairwise(ends)]


def _kinks(body: Any, name: Any, ranges: Ranges) -> Iterator[Any]:
    for head in body.atoms(*_KINKED):
        if not head.has(name):
            continue
        args = [*head.args] if isinstance(head, sp.Max | sp.Min) else [head.args[0], sp.Integer(0)]
        for i, u in enumerate(args):
            for v in args[i + 1 :]:
                yield from breaks(u - v, name, ranges)
    for relation in _relations(body, name):
        yield from breaks(relation.lhs - relation.rhs, name, ranges)


def _relations(body: Any, name: Any) -> list[Any]:
    """The comparisons of the name in the conditions of a Piecewise."""
    cases = body.atoms(sp.Piecewise)
    found = {r for case in cases for _, c in case.args for r in c.atoms(Relational)}
    return [r for r in found if r.has(name)]


def breaks(difference: Any, name: Any, ranges: Ranges) -> list[Any]:
    """Where an affine difference, or the one of a square, changes its sign.

    Raises:
        ValueError: for other differences.
    """
    inner = [a for a in difference.atoms(sp.Abs, sp.Max, sp.Min) if a.has(name)]
    if inner:
        found: list[Any] = []
        for head in inner:
            found += list(_kinks(head, name, ranges))
        # With the kinks resolved either way the rest is affine.
        for replaced in _both_ways(difference, name):
            found += breaks(replaced, name, ranges)
        return found
    parts = affine(sp.expand(difference), name)
    if parts is not None:
        a, b = parts
        if a == 0 or _known_sign(a, ranges, f"the sign of {a} is not known") == 0:
            return []
        return [simpler(-b / a)]
    polynomial = sp.Poly(difference, name) if difference.is_polynomial(name) else None
    if polynomial is None or polynomial.degree() != 2:
        raise ValueError(f"{difference} is neither affine nor a square in {name}")
    a, b, c = polynomial.all_coeffs()
    if b != 0 or not ranges.nonnegative(-c / a):
        raise ValueError(f"where {difference} changes its sign is not known")
    root = sp.sqrt(-c / a)
    return [-root, root]


def _both_ways(difference: Any, name: Any) -> Iterator[Any]:
    head = next(a for a in difference.atoms(sp.Abs, sp.Max, sp.Min) if a.has(name))
    options = [head.args[0], -head.args[0]] if isinstance(head, sp.Abs) else list(head.args)
    for option in options:
        yield difference.xreplace({head: option})


def ordered(places: list[Any], low: Any, high: Any, ranges: Ranges) -> list[Any]:
    """The different places inside (low, high), in their order; those outside are left out.

    Raises:
        OpenSign: where an order is not known.
    """
    kept: list[Any] = []
    for place in places:
        if any(ranges.sign(place - other) == 0 for other in kept):
            continue
        if before(place, low, ranges) or before(high, place, ranges):
            continue
        at = 0
        while at < len(kept) and before(kept[at], place, ranges):
            at += 1
        kept.insert(at, place)
    return kept


def before(a: Any, b: Any, ranges: Ranges) -> bool:
    """Whether a <= b. Raises OpenSign where that is open."""
    if a == -sp.oo or b == sp.oo:
        return True
    if a == sp.oo or b == -sp.oo:
        return False
    difference = sp.expand(b - a)
    if ranges.nonnegative(difference):
        return True
    if ranges.nonpositive(difference):
        return False
    raise OpenSign(difference, f"whether {a} <= {b} is not known; declare the names so that it is")


def _known_sign(expression: Any, ranges: Ranges, message: str) -> int:
    found = ranges.sign(expression)
    if found is None:
        raise OpenSign(expression, f"{message}; declare the names so that it is")
    return found


def _middle(low: Any, high: Any) -> Any:
    """A point of the interval."""
    if low == -sp.oo:
        return sp.Integer(0) if high == sp.oo else high - 1
    return low + 1 if high == sp.oo else (low + high) / 2


def _resolved(body: Any, name: Any, low: Any, high: Any, ranges: Ranges) -> Any:
    """The body without kinks on a piece that has none inside: innermost first."""
    while True:
        heads = [
            h
            for h in body.atoms(*_KINKED)
            if h.has(name) and not any(i.has(name) for a in h.args for i in a.atoms(*_KINKED))
        ]
        if heads:
            body = body.xreplace({h: _chosen(h, name, low, high, ranges) for h in heads})
            continue
        relations = _relations(body, name)
        if not relations:
            return body
        settled = {r: _settled(r, name, low, high, ranges) for r in relations}
        body = body.replace(
            lambda e: isinstance(e, sp.Piecewise),
            lambda e, put=settled: sp.Piecewise(*((v, c.xreplace(put)) for v, c in e.args)),
        )


def _settled(relation: Any, name: Any, low: Any, high: Any, ranges: Ranges) -> Any:
    """A comparison of the name on a piece as true or false; equality holds at single places only."""
    operators = {sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">=", sp.Eq: "==", sp.Ne: "!="}
    comparison = Comparison(operators[type(relation)], relation.lhs, relation.rhs)
    return sp.true if _holds(comparison, name, low, high, ranges) else sp.false


def _chosen(head: Any, name: Any, low: Any, high: Any, ranges: Ranges) -> Any:
    """What a kinked function is on the piece."""
    if isinstance(head, sp.Max | sp.Min):
        best = head.args[0]
        for other in head.args[1:]:
            larger = side(other - best, name, low, high, ranges) > 0
            best = other if larger == isinstance(head, sp.Max) else best
        return best
    sign = side(head.args[0], name, low, high, ranges)
    if isinstance(head, sp.Abs):
        return head.args[0] if sign >= 0 else -head.args[0]
    return sp.Integer(sign) if isinstance(head, sp.sign) else sp.Integer(max(sign, 0))


def side(expression: Any, name: Any, low: Any, high: Any, ranges: Ranges) -> int:
    """The sign of an expression that keeps it on the piece, at a point inside.

    Raises:
        OpenSign: where it is not known.
    """
    value = sp.expand(expression.xreplace({name: _middle(low, high)}))
    found = ranges.sign(value)
    if found is not None:
        return found
    # The piece may be empty, as (-t, 0) at t = 0; where it is not, the sign is strict.
    if ranges.nonnegative(value):
        return 1
    if ranges.nonpositive(value):
        return -1
    raise OpenSign(value, f"the sign of {expression} on ({low}, {high}) is not known")


def indicator(
    formula: Formula,
    name: Any,
    low: Any,
    high: Any,
    ranges: Ranges,
    known: tuple[Any, ...] = (),
) -> list[tuple[Any, Any]]:
    """The intervals of (low, high) on which a statement about the name is true, but for ends; cut at
    the ``known`` places as well.

    Raises:
        ValueError: where its borders are not known.
    """
    compared = list(comparisons(formula))
    borders = [p for c in compared for p in breaks(c.lhs - c.rhs, name, ranges)]
    places = ordered([*borders, *known], low, high, ranges)
    ends = [low, *places, high]
    found = []
    for a, b in itertools.pairwise(ends):
        if truth(formula, lambda c, a=a, b=b: _holds(c, name, a, b, ranges)):  # type: ignore[misc]
            found.append((a, b))
    return found


def comparisons(formula: Formula) -> Iterator[Comparison]:
    """Raises ValueError for predicates such as isprime."""
    if isinstance(formula, Comparison):
        yield formula
    elif isinstance(formula, Connective):
        for part in formula.parts:
            yield from comparisons(part)
    else:
        raise ValueError(f"{formula.name}(...) of a random name is not read")


def truth(formula: Formula, decide: Callable[[Comparison], bool]) -> bool:
    """The truth value of a formula whose comparisons are decided."""
    if isinstance(formula, Comparison):
        return decide(formula)
    assert isinstance(formula, Connective)
    values = [truth(part, decide) for part in formula.parts]
    return (
        not values[0]
        if formula.kind == "not"
        else (all(values) if formula.kind == "and" else any(values))
    )


def _holds(comparison: Comparison, name: Any, low: Any, high: Any, ranges: Ranges) -> bool:
    """On the open piece equality of different functions fails."""
    difference = _resolved(comparison.lhs - comparison.rhs, name, low, high, ranges)
    if sp.expand(difference) == 0:
        return comparison.op in ("==", "<=", ">=")
    if comparison.op in ("==", "!="):
        return comparison.op == "!="
    found = side(difference, name, low, high, ranges)
    if found == 0:
        return comparison.op in ("<=", ">=")
    return (found > 0) == (comparison.op in (">", ">="))


__all__ = ["Piece", "affine", "before", "comparisons", "indicator", "pieces", "truth"]
