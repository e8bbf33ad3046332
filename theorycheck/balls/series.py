"""Infinite sums, enclosed with proved bounds of their tails.

Three kinds of terms t(k), each sum of such terms being split:

- c*(u*k + v)**(-e) with e > 1 and u*a + v > 0: Hurwitz's zeta, c*u**(-e)*zeta(e, a + v/u);
- terms whose ratio t(k+1)/t(k) = R(k) is a rational function: with k = 1/z, an enclosure of |R| over
  0 <= z <= 1/N by rho < 1 bounds the tail from N on by |t(N)|/(1 - rho), and |R| >= 1 from N on proves
  that the sum diverges;
- rational functions whose denominator has degree two above the numerator's and rational zeros r, by
  partial fractions: c/(k - r) gives -c*digamma(a - r), exact where zeros of one class mod 1 cancel, and
  c/(k - r)**j gives c*zeta(j, a - r).

Everything else is undecided.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import acb, arb, fmpq, fmpq_poly

from theorycheck.balls import polynomials
from theorycheck.balls.state import Program, State
from theorycheck.balls.values import (
    ONE,
    ZERO,
    CallSite,
    Diverges,
    Infinite,
    Scope,
    Undecided,
    Undefined,
    Value,
    ball,
)

Term = Callable[[State, fmpq], Value]
Series = Callable[[State, int, Term], Value]

_MOST_TERMS = 20_000
_MOST_POLES = 20  # the order of a pole of a rational term
_TERMS_BEFORE = 1000  # of a power of u*k + v before that is positive


def compile_series(program: Program, expr: Any, index: Any, scope: Scope) -> Series | None:
    """A function of (state, first index, term) that encloses the sum over all later indices; None where
    the term ``expr`` is of none of the known kinds."""
    for kind in (_powers, _rational, _hypergeometric):
        found = kind(program, expr, index, scope)
        if found is not None:
            return found
    return None


# ---------------------------------------------------------------- powers


def _powers(program: Program, expr: Any, index: Any, scope: Scope) -> Series | None:
    factors = expr.args if isinstance(expr, sympy.Mul) else (expr,)
    bound = [f for f in factors if index in program.free(f)]
    if len(bound) != 1 or not isinstance(bound[0], sympy.Pow):
        return None
    base, exponent = bound[0].args
    if isinstance(base, sympy.Pow) and exponent == -1:  # 1/k**s as it is typed
        base, exponent = base.args[0], sympy.Mul(-1, base.args[1], evaluate=False)
    if index in program.free(exponent) or polynomials.degree(program, base, index) != 1:
        return None
    linear = polynomials.coefficients(program, base, index, scope)
    if linear is None:
        return None
    constants = [program.value(f, scope) for f in factors if f is not bound[0]]
    e = program.value(exponent, scope)
    site = CallSite(expr, scope)

    def run(s: State, start: int, term: Term) -> Value:
        minus = e(s)
        v, u = linear(s)
        if any(isinstance(x, Infinite | acb) for x in (minus, u, v)) or not u > 0:
            raise Undecided("no bound of the series of {}", site)
        before: Value = ZERO
        for _ in range(_TERMS_BEFORE):
            if u * start + v > 0:
                break
            before = before + term(s, fmpq(start))
            start += 1
        else:
            raise Undecided("no bound of the series of {}: a pole may be met", site)
        c: Value = ONE
        for constant in constants:
            c = c * constant(s)
        if minus >= -1:
            if type(c) is fmpq and c == 0:
                return ZERO
            if c > 0 or c < 0:
                raise Diverges("the series of {} diverges", site)
        if not minus < -1:
            raise Undecided("whether the series of {} converges is not decided", site)
        order = -ball(minus)
        tail = order.zeta(ball(start + v / u if type(u) is fmpq else start + v * (1 / u)))
        return before + c * tail * (ball(u) ** -order)

    return run


# ---------------------------------------------------------------- rational functions


Fraction = Callable[[State], tuple[fmpq_poly, list[fmpq_poly]] | None]
"""The polynomial above, and those below as they are written (their zeros are poles, cancelled or not);
None where a coefficient is not rational."""


def _fraction(program: Program, expr: Any, index: Any, scope: Scope) -> Fraction | None:
    """A rational function of the index, sums and products of fractions put together."""
    plain = polynomials.coefficients(program, expr, index, scope)
    if plain is not None:
        return lambda s: _over(_exact(plain(s)), [])
    if isinstance(expr, sympy.Pow) and isinstance(expr.args[1], sympy.Integer):
        base = polynomials.coefficients(program, expr.args[0], index, scope)
        times = -int(expr.args[1].p)
        if base is None or not 0 < times <= _MOST_POLES:
            return None
        return lambda s: _over(fmpq_poly([1]), [_exact(base(s))] * times)
    if not isinstance(expr, sympy.Add | sympy.Mul):
        return None
    parts = [_fraction(program, a, index, scope) for a in expr.args]
    known = [p for p in parts if p is not None]
    if len(known) < len(parts):
        return None
    return _joined(known, isinstance(expr, sympy.Add))


def _joined(parts: list[Fraction], is_sum: bool) -> Fraction:
    """The sum, or product, of fractions over the product of what is below."""

    def run(s: State) -> tuple[fmpq_poly, list[fmpq_poly]] | None:
        above, below = fmpq_poly([0 if is_sum else 1]), list[fmpq_poly]()
        for part in parts:
            found = part(s)
            if found is None:
                return None
            if is_sum:
                above = above * _product(found[1]) + found[0] * _product(below)
            else:
                above = above * found[0]
            below = below + found[1]
        return above, below

    return run


def _over(
    above: fmpq_poly | None, below: list[fmpq_poly | None]
) -> tuple[fmpq_poly, list[fmpq_poly]] | None:
    known = [p for p in below if p is not None]
    return None if above is None or len(known) < len(below) else (above, known)


def _rational(program: Program, expr: Any, index: Any, scope: Scope) -> Series | None:
    fraction = _fraction(program, expr, index, scope)
    if fraction is None or polynomials.degree(program, expr, index) is not None:
        return None
    site = CallSite(expr, scope)

    def run(s: State, start: int, term: Term) -> Value:
        found = fraction(s)
        if found is None:
            raise Undecided("no bound of the series of {}: coefficients are not rational", site)
        above, below = found
        for p in below:
            if p.is_zero() or any(r.q == 1 and r >= start for r, _ in p.roots()):
                raise Undefined("a term of the series of {} is undefined", site)
        return _sum_of_fractions(site, above, _product(below), start)

    return run


def _product(factors: list[fmpq_poly]) -> fmpq_poly:
    total = fmpq_poly([1])
    for p in factors:
        total *= p
    return total


def _exact(coefficients: list[Value]) -> fmpq_poly | None:
    return fmpq_poly(coefficients) if all(type(c) is fmpq for c in coefficients) else None


def _sum_of_fractions(site: CallSite, above: fmpq_poly, below: fmpq_poly, start: int) -> Value:
    common = above.gcd(below)
    above, below = above // common, below // common
    if above.is_zero():
        return ZERO
    roots = below.roots()
    if below.degree() < above.degree() + 2:
        raise Diverges("the series of {} diverges", site)
    if sum(k for _, k in roots) < below.degree():
        return _by_complex_poles(site, above, below, start)
    classes: dict[fmpq, list[tuple[fmpq, fmpq]]] = {}
    total: Value = ZERO
    for root, multiplicity in roots:
        x = start - root
        residue, *higher = _principal_part(above, below, root, multiplicity)
        classes.setdefault(x - x.floor(), []).append((x, residue))
        for j, c in enumerate(higher, start=2):
            if c != 0:
                y = x
                while y <= 0:  # Arb's zeta(j, y) wants y > 0
                    total, y = total + c / y**j, y + 1
                total = total + c * arb(j).zeta(arb(y))
    for members in classes.values():
        lowest = min(x for x, _ in members)
        weight = ZERO
        for x, c in members:
            weight += c
            # digamma(x) = digamma(lowest) + 1/lowest + ... + 1/(x - 1)
            if x - lowest > _MOST_TERMS:
                total = total - c * (arb(x).digamma() - arb(lowest).digamma())
            else:
                total = total - c * _reciprocals(lowest, int(x - lowest))
        if weight != 0:
            total = total - weight * arb(lowest).digamma()
    return total


def _reciprocals(first: fmpq, count: int) -> fmpq:
    """1/first + 1/(first + 1) + ..., so many of them, by halves: of one size, long fractions are added
    far faster than to a growing one."""
    if count <= 1:
        return 1 / first if count else fmpq(0)
    half = count // 2
    return _reciprocals(first, half) + _reciprocals(first + half, count - half)


def _by_complex_poles(site: CallSite, above: fmpq_poly, below: fmpq_poly, start: int) -> Value:
    poles = below.complex_roots()
    if any(k > 1 for _, k in poles):
        raise Undecided("no bound of the series of {}: multiple poles that are not rational", site)
    slope = below.derivative()
    total = acb(0)
    for pole, _ in poles:
        residue = _at_ball(above, pole) / _at_ball(slope, pole)
        total -= residue * (start - pole).digamma()
    return total.real


def _at_ball(p: fmpq_poly, x: acb) -> acb:
    return polynomials.at([acb(c) for c in p.coeffs()], x)


def _principal_part(above: fmpq_poly, below: fmpq_poly, root: fmpq, order: int) -> list[fmpq]:
    """c_1, ..., c_order of sum_j c_j/(k - root)**j, the part of above/below at this zero of below."""
    shift = fmpq_poly([root, 1])
    p = above(shift)
    q = below(shift)  # t**order * (q[order] + q[order + 1] t + ...)
    taylor: list[fmpq] = []
    for i in range(order):
        known = sum((taylor[j] * q[order + i - j] for j in range(i)), ZERO)
        taylor.append((p[i] - known) / q[order])
    return taylor[::-1]


# ---------------------------------------------------------------- hypergeometric terms

Ratio = tuple[list[Any], list[Any]]  # polynomials (as Coefficients) above and below


def _hypergeometric(program: Program, expr: Any, index: Any, scope: Scope) -> Series | None:
    ratio = _ratio(program, expr, index, scope)
    if ratio is None or index not in program.free(expr):
        return None
    site = CallSite(expr, scope)

    def run(s: State, start: int, term: Term) -> Value:
        above = [c(s) for c in ratio[0]]
        below = [c(s) for c in ratio[1]]
        total: Value = ZERO
        k, stop = start, max(start, 1) + 16
        while True:
            while k < stop:
                total = total + term(s, fmpq(k))
                k += 1
            least, rho = _ratio_bounds(above, below, k)
            last = term(s, fmpq(k))
            if least >= 1 and (last > 0 or last < 0):
                raise Diverges("the series of {} diverges: its terms do not tend to 0", site)
            if rho < 1:
                tail = abs(ball(last)) / (1 - rho)
                if type(last) is fmpq and last == 0:
                    return total
                small = abs(ball(total)) * arb(2) ** -s.prec
                if tail < small or k - start > _MOST_TERMS or _negligible(tail, s.prec):
                    return ball(total) + arb(0, tail.abs_upper())
            elif k - start > _MOST_TERMS:
                raise Undecided("no bound of the series of {} was found", site)
            stop = k + max(16, (k - start) // 2)

    return run


def _negligible(tail: arb, prec: int) -> bool:
    return bool(tail < arb(2) ** (-2 * prec))


def _ratio_bounds(above: list[Any], below: list[Any], start: int) -> tuple[arb, arb]:
    """Bounds of |R(k)| for all k >= start > 0; 0 and oo where there are none."""
    z = arb(fmpq(1, 2 * start), fmpq(1, 2 * start))  # contains [0, 1/start]
    total = arb(1)
    for p in above:
        total = total * abs(ball(polynomials.at(list(reversed(p)), z)))
    for p in below:
        total = total / abs(ball(polynomials.at(list(reversed(p)), z)))
    if not total.is_finite():
        return arb(0), arb.pos_inf()
    degrees = sum(len(p) - 1 for p in above) - sum(len(p) - 1 for p in below)
    scale = arb(start) ** degrees  # k**degrees is on the far side of this
    low = total.abs_lower() * scale if degrees >= 0 else arb(0)
    high = total.abs_upper() * scale if degrees <= 0 else arb.pos_inf()
    return low, high


def _ratio(program: Program, expr: Any, index: Any, scope: Scope) -> Ratio | None:
    """t(k+1)/t(k) of the term as polynomials above and below."""
    if index not in program.free(expr):
        return [], []
    if isinstance(expr, sympy.Mul):
        above: list[Any] = []
        below: list[Any] = []
        for a in expr.args:
            part = _ratio(program, a, index, scope)
            if part is None:
                return None
            above += part[0]
            below += part[1]
        return above, below
    if polynomials.degree(program, expr, index) is not None:
        p = polynomials.coefficients(program, expr, index, scope)
        return None if p is None else ([lambda s: polynomials.shifted(p(s), 1)], [p])
    if isinstance(expr, sympy.Pow) and index not in program.free(expr.args[1]):
        if not isinstance(expr.args[1], sympy.Integer):
            return None
        n = int(expr.args[1].p)
        part = _ratio(program, expr.args[0], index, scope)
        if part is None or abs(n) > 20:
            return None
        top, bottom = part if n > 0 else (part[1], part[0])
        return top * abs(n), bottom * abs(n)
    if isinstance(expr, sympy.Pow | sympy.exp):
        exponent = expr.args[-1]
        base = sympy.E if isinstance(expr, sympy.exp) else expr.args[0]
        slope = _slope(program, exponent, index, scope)
        if slope is None or index in program.free(base):
            return None
        step = program.value(sympy.Pow(base, slope, evaluate=False), scope)
        return [lambda s: [step(s)]], []
    if isinstance(expr, sympy.factorial | sympy.gamma):
        return _factorial_ratio(program, expr, index, scope)
    return None


def _slope(program: Program, expr: Any, index: Any, scope: Scope) -> Any:
    """The expression d with expr = d*index + rest, both free of the index; None if it is not linear."""
    if polynomials.degree(program, expr, index) != 1:
        return None
    if expr == index:
        return sympy.S.One
    if isinstance(expr, sympy.Mul):
        bound = [a for a in expr.args if index in program.free(a)]
        inner = _slope(program, bound[0], index, scope) if len(bound) == 1 else None
        if inner is None:
            return None
        rest = [a for a in expr.args if a is not bound[0]]
        return sympy.Mul(inner, *rest, evaluate=False)
    if isinstance(expr, sympy.Add):
        bound = [a for a in expr.args if index in program.free(a)]
        slopes = [_slope(program, a, index, scope) for a in bound]
        if any(d is None for d in slopes):
            return None
        return sympy.Add(*slopes, evaluate=False) if len(slopes) > 1 else slopes[0]
    return None


def _factorial_ratio(program: Program, expr: Any, index: Any, scope: Scope) -> Ratio | None:
    """(m*k + c + m)!/(m*k + c)! = (m*k + c + 1)...(m*k + c + m) for integers m > 0."""
    argument = expr.args[0]
    slope = _slope(program, argument, index, scope)
    if not isinstance(slope, sympy.Integer):
        slope = slope.doit() if slope is not None and slope.is_number else slope
    if not isinstance(slope, sympy.Integer) or not 0 < slope.p <= 8:
        return None
    linear = polynomials.coefficients(program, argument, index, scope)
    if linear is None:
        return None
    first = 1 if isinstance(expr, sympy.factorial) else 0

    def factor(j: int) -> Any:
        def run(s: State) -> list[Value]:
            c, m = linear(s)
            return [c + j, m]

        return run

    return [factor(first + j) for j in range(int(slope.p))], []
