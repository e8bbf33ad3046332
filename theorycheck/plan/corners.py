"""Points on the borders that conditions draw: those of ``where`` and those between the pieces of a closed form.

A condition that was widened, or a piece that ends in the wrong place, is wrong next to its border and may be
right on every grid. A border ``lhs = rhs`` is met by moving one parameter of a given point, where it enters
linearly; two borders are met by moving two parameters one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.numbers.domain import Domain, Exact, exact

_INEQUALITIES = (sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge)

NEAR = 1000
"""Denominators up to this stand for an irrational border: within a thousandth of it, on both sides, and cheap."""

BORDERS = 2
"""So many borders are met at once: the corner of two is where a product of parameters first goes wrong."""


def corners(
    claim: Claim, leg: Leg, base: Mapping[str, Exact]
) -> Iterator[tuple[dict[str, Exact], str]]:
    """Admitted points on two borders, then on one, that differ from ``base`` in as many parameters; each with its
    label. Corners come first: they lie on both."""
    borders = list(dict.fromkeys(_borders([claim.where, leg.where, *_pieces(claim.form_of(leg))])))
    waiting: list[tuple[dict[str, Exact], tuple[int, ...], tuple[str, ...]]] = [
        (dict(base), (), ())
    ]
    found: list[list[tuple[dict[str, Exact], str]]] = []
    for _ in range(BORDERS):
        reached, admitted = [], []
        for point, met, moved in waiting:
            for i, border in enumerate(borders):
                for name in sorted(str(s) for s in border.free_symbols):
                    if i in met or name in moved or name not in point:
                        continue
                    for value in _values(claim, border, name, point):
                        reached.append(({**point, name: value}, (*met, i), (*moved, name)))
        for point, met, _ in reached:
            if claim.admits(point, leg):
                at = " and ".join(f"{borders[i]} = 0" for i in met)
                admitted.append((point, f"at the border {at}"))
        found.append(admitted)
        waiting = reached
    for admitted in reversed(found):
        yield from admitted


def _borders(conditions: Any) -> Iterator[sympy.Expr]:
    """lhs - rhs of every inequality in the conditions; predicates that are functions say nothing."""
    if isinstance(conditions, list | tuple):
        for one in conditions:
            yield from _borders(one)
    elif isinstance(conditions, _INEQUALITIES):
        yield conditions.lhs - conditions.rhs
    elif isinstance(conditions, sympy.logic.boolalg.BooleanFunction):
        yield from _borders(list(conditions.args))


def _pieces(form: Any) -> list[Any]:
    """The conditions of the pieces of a closed form."""
    if not isinstance(form, sympy.Basic):
        return []
    return [
        condition for piecewise in form.atoms(sympy.Piecewise) for _, condition in piecewise.args
    ]


def _values(
    claim: Claim, border: sympy.Expr, name: str, point: Mapping[str, Exact]
) -> Iterator[Exact]:
    """The value of a parameter on a border, the others as they are; of an integer one, both sides of it."""
    symbol, domain = claim.symbols[name], claim.domain[name]
    if domain.kind not in ("reals", "integers"):
        return
    numbers = {}
    for other in border.free_symbols - {symbol}:
        given = point.get(str(other))
        if not isinstance(given, int | Fraction):
            return
        numbers[other] = sympy.Rational(given.numerator, given.denominator)
    left = sympy.expand(border.subs(numbers))
    slope = left.coeff(symbol, 1)
    rest = sympy.expand(left - slope * symbol)
    if not slope or rest.has(symbol) or slope.has(symbol):
        return
    zero = -rest / slope
    if not zero.is_Rational:
        yield from _beside_irrational(zero, domain)
        return
    found = Fraction(int(zero.p), int(zero.q))
    if domain.kind == "reals":
        yield exact(found)
    else:
        yield from sorted({found.__floor__(), found.__ceil__()})


def _beside_irrational(zero: sympy.Expr, domain: Domain) -> Iterator[Exact]:
    """Rational values beside a border that no rational meets, the nearest first; of integers both sides."""
    if not zero.is_number or not zero.is_real:
        return
    near = Fraction(str(sympy.N(zero, 30)))
    if domain.kind != "reals":
        yield from sorted({near.__floor__(), near.__ceil__()})
        return
    middle = near.limit_denominator(NEAR)
    sides = [near + step for step in (Fraction(1, NEAR), -Fraction(1, NEAR))]
    yield from map(exact, (middle, *(side.limit_denominator(NEAR) for side in sides)))
