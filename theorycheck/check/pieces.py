"""Functions of one real name on the pieces where their kinks are resolved.

Max, Min, Abs and sign of arguments affine in the name, and comparisons of such, are plain on each
piece between their breakpoints. The breakpoints must have a known order.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theorycheck.check.formula import Comparison, Connective, Formula


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


def sign_of(expression: Any) -> int | None:
    """-1, 0, 1 where the sign is known for all values of the names."""
    expression = sp.simplify(expression) if expression.free_symbols else expression
    if expression.is_zero:
        return 0
    if expression.is_positive:
        return 1
    return -1 if expression.is_negative else None


def pieces(body: Any, name: Any, low: Any, high: Any, known: tuple[Any, ...] = ()) -> list[Piece]:
    """The pieces of a body over (low, high).

    Raises:
        ValueError: where a kink is not affine, or the order of two breakpoints is not known.
    """
    places = ordered([*_kinks(body, name), *known], low, high)
    ends = [low, *places, high]
    return [Piece(a, b, _resolved(body, name, a, b)) for a, b in itertools.pairwise(ends)]


def _kinks(body: Any, name: Any) -> Iterator[Any]:
    for head in body.atoms(sp.Max, sp.Min, sp.Abs, sp.sign, sp.Heaviside):
        if not head.has(name):
            continue
        args = [*head.args] if isinstance(head, sp.Max | sp.Min) else [head.args[0], sp.Integer(0)]
        for i, u in enumerate(args):
            for v in args[i + 1 :]:
                yield from breaks(u - v, name)


def breaks(difference: Any, name: Any) -> list[Any]:
    """Where an affine difference, or the one of a square, changes its sign.

    Raises:
        ValueError: for other differences.
    """
    inner = [a for a in difference.atoms(sp.Abs, sp.Max, sp.Min) if a.has(name)]
    if inner:
        found: list[Any] = []
        for head in inner:
            found += list(_kinks(head, name))
        # With the kinks resolved either way the rest is affine.
        for replaced in _both_ways(difference, name):
            found += breaks(replaced, name)
        return found
    parts = affine(sp.expand(difference), name)
    if parts is not None:
        a, b = parts
        if a == 0:
            return []
        if sign_of(a) in (None, 0):
            raise ValueError(f"the sign of {a} is not known; declare it, as in {a} > 0")
        return [sp.simplify(-b / a)]
    square = affine(sp.expand(difference).subs(name**2, sp.Dummy("square")), sp.Dummy())
    polynomial = sp.Poly(difference, name) if difference.is_polynomial(name) else None
    if square is None or polynomial is None or polynomial.degree() != 2:
        raise ValueError(f"{difference} is neither affine nor a square in {name}")
    a, b, c = polynomial.all_coeffs()
    if b != 0 or (sign_of(-c / a) != 1 and not (-c / a).is_nonnegative):
        raise ValueError(f"where {difference} changes its sign is not known")
    root = sp.sqrt(-c / a)
    return [-root, root]


def _both_ways(difference: Any, name: Any) -> Iterator[Any]:
    head = next(a for a in difference.atoms(sp.Abs, sp.Max, sp.Min) if a.has(name))
    options = [head.args[0], -head.args[0]] if isinstance(head, sp.Abs) else list(head.args)
    for option in options:
        yield difference.xreplace({head: option})


def ordered(places: list[Any], low: Any, high: Any) -> list[Any]:
    """The different places inside (low, high), in their order; those outside are left out.

    Raises:
        ValueError: where an order is not known.
    """
    kept: list[Any] = []
    for place in places:
        if any(sign_of(place - other) == 0 for other in kept):
            continue
        if _before(place, low) or _before(high, place):
            continue
        at = 0
        while at < len(kept) and _before(kept[at], place):
            at += 1
        kept.insert(at, place)
    return kept


def _before(a: Any, b: Any) -> bool:
    """Whether a <= b. Raises ValueError where that is open."""
    if a == -sp.oo or b == sp.oo:
        return True
    if a == sp.oo or b == -sp.oo:
        return False
    difference = sp.simplify(b - a)
    if difference.is_nonnegative:
        return True
    if difference.is_nonpositive:
        return False
    raise ValueError(f"whether {a} <= {b} is not known; declare the names so that it is")


def _middle(low: Any, high: Any) -> Any:
    """A point of the interval."""
    if low == -sp.oo:
        return sp.Integer(0) if high == sp.oo else high - 1
    return low + 1 if high == sp.oo else (low + high) / 2


def _resolved(body: Any, name: Any, low: Any, high: Any) -> Any:
    """The body without kinks on a piece that has none inside: innermost first."""
    while True:
        heads = [
            h
            for h in body.atoms(sp.Max, sp.Min, sp.Abs, sp.sign, sp.Heaviside)
            if h.has(name) and not any(i.has(name) for a in h.args for i in _kinked(a))
        ]
        if not heads:
            return body
        body = body.xreplace({h: _chosen(h, name, low, high) for h in heads})


def _kinked(expression: Any) -> set[Any]:
    found: set[Any] = expression.atoms(sp.Max, sp.Min, sp.Abs, sp.sign, sp.Heaviside)
    return found


def _chosen(head: Any, name: Any, low: Any, high: Any) -> Any:
    """What a kinked function is on the piece."""
    if isinstance(head, sp.Max | sp.Min):
        best = head.args[0]
        for other in head.args[1:]:
            larger = side(other - best, name, low, high) > 0
            best = other if larger == isinstance(head, sp.Max) else best
        return best
    sign = side(head.args[0], name, low, high)
    if isinstance(head, sp.Abs):
        return head.args[0] if sign >= 0 else -head.args[0]
    return sp.Integer(sign) if isinstance(head, sp.sign) else sp.Integer(max(sign, 0))


def side(expression: Any, name: Any, low: Any, high: Any) -> int:
    """The sign of an expression that keeps it on the piece, at a point inside.

    Raises:
        ValueError: where it is not known.
    """
    value = sp.expand(expression.xreplace({name: _middle(low, high)}))
    found = sign_of(value)
    if found is not None:
        return found
    # The piece may be empty, as (-t, 0) at t = 0; where it is not, the sign is strict.
    if value.is_nonnegative or value.is_nonpositive:
        return 1 if value.is_nonnegative else -1
    raise ValueError(f"the sign of {expression} on ({low}, {high}) is not known")


def indicator(formula: Formula, name: Any, low: Any, high: Any) -> list[tuple[Any, Any]]:
    """The intervals of (low, high) on which a statement about the name is true, but for ends.

    Raises:
        ValueError: where its borders are not known.
    """
    compared = list(comparisons(formula))
    places = ordered([p for c in compared for p in breaks(c.lhs - c.rhs, name)], low, high)
    ends = [low, *places, high]
    found = []
    for a, b in itertools.pairwise(ends):
        if truth(formula, lambda c, a=a, b=b: _holds(c, name, a, b)):  # type: ignore[misc]
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


def _holds(comparison: Comparison, name: Any, low: Any, high: Any) -> bool:
    """On the open piece equality of different functions fails."""
    difference = _resolved(comparison.lhs - comparison.rhs, name, low, high)
    if sp.expand(difference) == 0:
        return comparison.op in ("==", "<=", ">=")
    if comparison.op in ("==", "!="):
        return comparison.op == "!="
    found = side(difference, name, low, high)
    return (found > 0) == (comparison.op in (">", ">="))


__all__ = ["Piece", "affine", "comparisons", "indicator", "pieces", "sign_of", "truth"]
