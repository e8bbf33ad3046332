"""Integers at which statements fail for reasons of number theory, far beyond what counting reaches.

Squares among quadratic polynomials (Pell's equation), common divisors of two polynomials (roots modulo
the primes of their resultant), and good rational approximations of irrational slopes, at which floor,
ceiling and trigonometric functions of multiples come closest to a jump.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import fmpz, fmpz_mod_ctx, fmpz_mod_poly_ctx

from theorycheck import balls
from theorycheck.check.algebra import ends, fits
from theorycheck.check.forms import evaluated
from theorycheck.check.judge import expressions_of
from theorycheck.check.text import Connective, Formula, Predicate

_BITS = 700
_MAX_CONVERGENTS = 60
# Resultants of up to so many bits are factored within a fraction of a second.
_FACTOR_BITS = 180
# Highly composite numbers and primorials: extremes of functions of divisors.
_MANY_DIVISORS = (
    *(48, 60, 120, 180, 240, 360, 720, 840, 1260, 1680, 2520, 5040, 7560, 10080, 15120, 20160),
    *(25200, 27720, 45360, 50400, 55440, 83160, 110880, 166320, 221760, 277200, 332640, 498960),
    *(554400, 665280, 720720, 1081080, 1441440, 2162160, 2882880, 3603600, 4324320, 6486480),
    *(7207200, 8648640, 10810800, 14414400, 17297280, 21621600, 32432400, 36756720, 43243200),
    *(61261200, 73513440, 110270160, 122522400, 367567200, 6983776800, 13967553600),
    *(210, 2310, 30030, 510510, 9699690, 223092870, 6469693230, 200560490130, 7420738134810),
)
SPECIAL_INTEGERS = sorted(
    {
        *range(41),
        *(b**e + d for b in (2, 3, 5, 10) for e in range(1, 40) for d in (-1, 0, 1)),
        *(b**e + d for b in (2, 10) for e in (48, 64, 80, 100, 200, 300, 1000) for d in (-1, 0, 1)),
        *(n * n for n in range(1, 60)),
        *(6 * n + d for n in range(7, 30) for d in (-1, 1)),
        *(341, 561, 645, 1105, 1729, 2047, 2465, 2821, 6601, 8911),  # pseudoprimes to base 2
        *(10585, 15841, 29341, 41041, 825265, 321197185),  # more of Carmichael's numbers
        *(1373653, 25326001, 3215031751, 2152302898747, 3474749660383),  # to several bases
        *(323, 377, 705, 2465, 271441, 904631),  # pseudoprimes of Lucas and Perrin
        *(2 ** (p - 1) * (2**p - 1) for p in (2, 3, 5, 7, 13, 17, 19, 31, 61)),  # perfect
        *(220, 284, 945, 30240, 32760, 2178540, 5391411025),  # amicable, abundant, multiperfect
        *(1093, 3511, 563, 5777, 5993, 127, 149, 78557, 271129, 641, 6700417),  # lone exceptions
        *(4104, 13832, 87539319, 635318657, 906150257, 1210, 1184),
        *_MANY_DIVISORS,
        *(n * (n + 1) // 2 for n in range(8, 60)),
        26861,  # first x with more primes 1 than 3 mod 4 below it
        *(p**e for p in (7, 11, 13) for e in range(2, 8)),
    }
)
"""Integers of many statements that hold up to them: powers and their neighbours, pseudoprimes, sums of divisors."""


def integers(formulas: Iterable[Formula], symbol: Any) -> list[int]:
    """Candidates for an integer name, of any sign and size, most telling first."""
    found: list[int] = []
    for formula in formulas:
        for node in _nodes(formula):
            if symbol in node.free_symbols and node.free_symbols == {symbol}:
                found += _from_node(node, symbol)
    for predicate in _predicates(formulas):
        if predicate.name == "is_square" and predicate.args[0].free_symbols == {symbol}:
            found += _squares(evaluated(predicate.args[0]), symbol)
    return list(dict.fromkeys(found))


def _predicates(formulas: Iterable[Formula]) -> Iterator[Predicate]:
    for formula in formulas:
        if isinstance(formula, Predicate):
            yield formula
        elif isinstance(formula, Connective):
            yield from _predicates(formula.parts)


def _nodes(formula: Formula) -> Iterator[Any]:
    for expression in expressions_of(formula):
        yield from sp.preorder_traversal(expression)


def _from_node(node: Any, n: Any) -> list[int]:
    if node.is_Pow and node.args[1] == sp.Rational(1, 2):
        return _squares(evaluated(node.args[0]), n)
    if type(node).__name__ == "gcd" and len(node.args) == 2:
        f, g = (evaluated(a) for a in node.args)
        return _common_divisors(f, g, n)
    if isinstance(node, sp.floor | sp.ceiling | sp.frac):
        return _approximations(_slope(evaluated(node.args[0]), n))
    if isinstance(node, sp.sin | sp.cos | sp.tan | sp.cot | sp.sec | sp.csc):
        slope = _slope(evaluated(node.args[0]), n)
        if slope is None:
            return []
        return [*_approximations(slope / sp.pi), *_approximations(2 * slope / sp.pi)]
    return []


def _slope(u: Any, n: Any) -> Any | None:
    slope = sp.diff(u, n)
    return None if slope.free_symbols or slope == 0 else slope


def convergents(value: Any) -> list[Fraction]:
    """Convergents of the continued fraction of a real constant, as far as 700 bits carry."""
    result = balls.evaluate(value, {}, prec=_BITS, max_prec=_BITS)
    if result.status != "ok" or not fits(result.ball):
        return []
    low, high = ends(result.ball)
    found: list[Fraction] = []
    p, q, p1, q1 = 1, 0, 0, 1
    for _ in range(_MAX_CONVERGENTS):
        whole = low.numerator // low.denominator
        if high.numerator // high.denominator != whole:
            break
        p, q, p1, q1 = whole * p + p1, whole * q + q1, p, q
        found.append(Fraction(p, q))
        if low == whole or high == whole:
            break
        low, high = 1 / (high - whole), 1 / (low - whole)
    return found


def _approximations(slope: Any | None) -> list[int]:
    """Multiples at which slope*n is exceptionally near to an integer, and between convergents."""
    if slope is None:
        return []
    slope = evaluated(slope)
    if slope.is_Rational:
        return [int(slope.q), 2 * int(slope.q)]
    denominators = [c.denominator for c in convergents(slope)]
    between = [a + b for a, b in itertools.pairwise(denominators)]
    return [k * q for q in denominators for k in (1, 2)] + between


def _squares(u: Any, n: Any) -> list[int]:
    """n with u(n) a perfect square, for u = d*n**2 + c with d > 0 not a square."""
    if not u.is_polynomial(n):
        return []
    poly = sp.Poly(u, n)
    if poly.degree() != 2 or not all(k.is_Integer for k in poly.all_coeffs()):
        return []
    d, linear, c = (int(k) for k in poly.all_coeffs())
    if linear != 0 or d <= 0 or fmpz(d).is_square() or c == 0 or abs(c) > 10**6 or d > 10**9:
        return []
    from sympy.solvers.diophantine.diophantine import diop_DN

    units = diop_DN(d, 1)
    found = []
    for m0, n0 in diop_DN(d, c)[:4]:
        m, k = int(m0), int(n0)
        for _ in range(4):
            found.append(abs(k))
            if not units:
                break
            a, b = (int(v) for v in units[0])
            m, k = a * m + d * b * k, a * k + b * m
    return found


def _common_divisors(f: Any, g: Any, n: Any) -> list[int]:
    """Smallest n >= 0 with a prime dividing both f(n) and g(n), for each prime of the resultant."""
    if not (f.is_polynomial(n) and g.is_polynomial(n)):
        return []
    polys = [sp.Poly(e, n) for e in (f, g)]
    if any(not all(k.is_Integer for k in p.all_coeffs()) for p in polys):
        return []
    resultant = fmpz(int(sp.resultant(*polys)))
    if resultant == 0:
        return []
    found = []
    for prime in _primes_of(abs(resultant)):
        ring = fmpz_mod_poly_ctx(fmpz_mod_ctx(prime))
        common = ring([int(k) for k in reversed(polys[0].all_coeffs())]).gcd(
            ring([int(k) for k in reversed(polys[1].all_coeffs())])
        )
        if common.degree() >= 1:
            found += [int(r) for r, _ in common.roots()]
    return sorted(found)


def _primes_of(number: fmpz) -> list[fmpz]:
    if number.bit_length() <= _FACTOR_BITS or number.is_prime():
        return [p for p, _ in number.factor()]
    smooth = [p for p, _ in number.factor_smooth(40)]
    return [p for p in smooth if p.is_prime()]
