"""Integral over a real range, enclosed: analytic integrands by Arb's adaptive Gauss-Legendre rule, the
tails of infinite ranges by a majorant.

The integrand is evaluated at complex balls, where a real function has no meaning of its own, so that
only functions that are analytic away from their cuts are taken, and cuts are watched (``analytic``).

Tails. On x >= X >= 1 the integrand is at most a sum of terms c x**k exp(a x - b x**2) with c, b >= 0,
built along the expression. With h the logarithm of a term, h'' <= 0 for k >= 0, hence
h(x) <= h(X) + (x - X) h'(X), and where h'(X) < 0 the tail is at most exp(h(X))/(-h'(X)). A pure power
with k < -1 has the tail c X**(k+1)/(-k-1). X is doubled until the tails are below the precision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from flint import acb, arb, ctx

from theorycheck.balls.state import Program, State
from theorycheck.balls.values import (
    CallSite,
    Infinite,
    NonReal,
    Scope,
    Undecided,
    UnsupportedExpression,
    Value,
    ball,
)

_EVALUATIONS, _IN_BOX = 200_000, 4_000
"""Of the integrand, about ten seconds; fewer in a box, where no precision helps."""

_MOST_BITS = 600
"""Equal sides are not told apart by more: no precision proves an equality of integrals."""

_LONGEST, _FAR = 64, arb(2) ** 60
"""Doublings of X, and where a tail that still is not below the precision is taken as it is."""

At = Callable[[acb, bool, list[Any]], acb]
"""Value at a complex ball; whether it must be analytic there; the constants of the evaluation."""


def compile_integral(program: Program, expr: Any, scope: Scope) -> Callable[[State], Value]:
    """The evaluator of an Integral over one variable.

    Raises:
        UnsupportedExpression: for several ranges, and for integrands with parts that are not analytic.
    """
    if len(expr.limits) != 1 or len(expr.limits[0]) != 3:
        raise UnsupportedExpression(f"{expr}: one range with two ends is integrated")
    variable, low, high = expr.limits[0]
    site = CallSite(expr, scope)
    builder = _IntegrandBuilder(program, scope, variable)
    inside = builder.build(expr.function)
    first, last = program.value(low, scope), program.value(high, scope)
    constants = builder.constants

    def run(s: State) -> Value:
        if s.prec > _MOST_BITS:
            raise Undecided(f"{{}} is enclosed to {_MOST_BITS} bits", site)
        a, b = (s.real(site, end(s)) for end in (first, last))
        values = [acb(ball(c(s))) for c in constants]
        limit = _IN_BOX if s.box else _EVALUATIONS
        total = arb(0)
        if isinstance(a, Infinite) or isinstance(b, Infinite):
            a, b, total = _cut(a, b, builder, values, site)
        found = _integrated(lambda x, at: inside(x, at, values), a, b, limit)
        if not found.is_finite():
            raise Undecided("{}: the integrand has no finite enclosure", site)
        if not found.imag.contains(0):
            raise NonReal("{} is not real", site)
        return found.real + total

    return run


def _integrated(f: Callable[[acb, bool], acb], a: Value, b: Value, limit: int) -> acb:
    """Arb's integral; what is raised inside (a time limit, say) comes out when Arb has returned."""
    raised: list[BaseException] = []

    def watched(x: acb, analytic: bool) -> acb:
        if raised:
            return acb("nan")
        try:
            return f(x, analytic)
        except BaseException as error:  # noqa: BLE001 - C code must not be left by an exception
            raised.append(error)
            return acb("nan")

    try:
        found = acb.integral(watched, acb(ball(a)), acb(ball(b)), eval_limit=limit)
    except SystemError as error:  # a signal's exception, set before the callback could catch it
        raise _innermost(error) from None
    if raised:
        raise raised[0]
    return found


def _innermost(error: BaseException) -> BaseException:
    """What a chain of SystemErrors was set off by: each call of C code that it passed adds two."""
    while isinstance(error, SystemError):
        below = error.__cause__ or error.__context__
        if below is None:
            return Undecided("the integration was broken off")
        error = below
    return error


def _cut(
    a: Value, b: Value, builder: _IntegrandBuilder, values: list[Any], site: CallSite
) -> tuple[Any, Any, arb]:
    """Finite ends, and a ball for what is left out beyond them."""
    rest = arb(0)
    ends = [a, b]
    for k, side in ((0, -1), (1, 1)):
        end = ends[k]
        if not isinstance(end, Infinite):
            continue
        if end.sign != side:
            raise UnsupportedExpression(f"{site}: the range runs backwards")
        other = ends[1 - k]
        start = arb(1) if isinstance(other, Infinite) else arb(1).max(1 + side * ball(other))
        place, tail = _tail(builder.majorant(side, values), start.upper(), site)
        ends[k] = side * place
        rest += arb(0, tail.upper())
    return ends[0], ends[1], rest


# ---------------------------------------------------------------- majorants


@dataclass(frozen=True)
class Term:
    """c x**k exp(a x - b x**2) for x >= 1."""

    c: arb
    k: Fraction
    a: arb
    b: arb


def _tail(terms: list[Term], start: arb, site: CallSite) -> tuple[arb, arb]:
    """(X, bound of the integral from X on). Raises Undecided where the bound does not become small."""
    place = start
    small = arb(2) ** (-ctx.prec)
    for _ in range(_LONGEST):
        total = arb(0)
        for term in terms:
            bound = _beyond(term, place)
            if bound is None:
                break
            total += bound
        else:
            # Powers fall slowly: their tail is a radius that is left over.
            if total < small or (total.is_finite() and place > _FAR):
                return place, total
        place = 2 * place
    raise Undecided("{}: no bound was found for the tail of the integrand", site)


def _is_power(term: Term) -> bool:
    return bool(term.a.is_zero() and term.b.is_zero())


def _beyond(term: Term, place: arb) -> arb | None:
    k = arb(term.k.numerator) / term.k.denominator
    if _is_power(term):
        return term.c * place ** (k + 1) / (-k - 1) if term.k < -1 else None
    if term.k < 0:  # x**k <= 1
        k = arb(0)
    slope = k / place + term.a - 2 * term.b * place
    # Where b < 0 the slope at one place says nothing of later ones.
    if not (slope < 0 and term.b >= 0):
        return None
    return term.c * (k * place.log() + term.a * place - term.b * place**2).exp() / -slope


def _product(left: list[Term], right: list[Term]) -> list[Term]:
    return [Term(x.c * y.c, x.k + y.k, x.a + y.a, x.b + y.b) for x in left for y in right]


_NOTHING = arb(0)


def _constant(c: arb) -> list[Term]:
    return [Term(abs(c), Fraction(0), _NOTHING, _NOTHING)]


_BOUNDED = {"sin": 1, "cos": 1, "tanh": 1, "erf": 1, "erfc": 2, "sign": 1, "atan": 2}
"""Largest absolute values on the real line."""

_MEROMORPHIC = ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh", "erf", "erfc", "gamma")


class _IntegrandBuilder:
    """The integrand as a function of a complex ball, and its majorants."""

    def __init__(self, program: Program, scope: Scope, variable: Any) -> None:
        self.program, self.scope, self.variable = program, scope, variable
        self.constants: list[Callable[[State], Value]] = []
        self.places: dict[Any, int] = {}
        self.function: Any = None

    def constant(self, expr: Any) -> int:
        """Where the value of a part without the variable is kept."""
        if expr not in self.places:
            self.places[expr] = len(self.constants)
            self.constants.append(self.program.value(expr, self.scope))
        return self.places[expr]

    def build(self, expr: Any) -> At:
        self.function = expr if self.function is None else self.function
        if self.variable not in self.program.free(expr):
            place = self.constant(expr)
            return lambda x, analytic, values: values[place]
        if expr == self.variable:
            return lambda x, analytic, values: x
        if isinstance(expr, sympy.Add | sympy.Mul):
            parts = [self.build(a) for a in expr.args]
            return _summed(parts) if isinstance(expr, sympy.Add) else _multiplied(parts)
        if isinstance(expr, sympy.Pow) and expr.args[0] is not sympy.E:
            return self.power(*expr.args)
        name = "exp" if isinstance(expr, sympy.Pow) else type(expr).__name__
        inner = self.build(expr.args[1 if isinstance(expr, sympy.Pow) else 0])
        if name == "log" and len(expr.args) == 1:
            return lambda x, analytic, values: inner(x, analytic, values).log(analytic=analytic)
        if (name in _MEROMORPHIC and len(expr.args) == 1) or isinstance(expr, sympy.Pow):
            return _applied(name, inner)
        raise UnsupportedExpression(f"{name} in an integrand has no evaluator: {expr}")

    def power(self, base: Any, exponent: Any) -> At:
        inner = self.build(base)
        if isinstance(exponent, sympy.Integer):
            n = int(exponent)
            return lambda x, analytic, values: inner(x, analytic, values) ** n
        above = self.build(exponent)

        def raised(x: acb, analytic: bool, values: list[Any]) -> acb:
            b = inner(x, analytic, values)
            return b.pow(above(x, analytic, values), analytic=analytic)

        return raised

    # ------------------------------------------------------------ bounds for x >= 1

    def majorant(self, side: int, values: list[Any]) -> list[Term]:
        """Terms whose sum bounds the integrand at side*x for all x >= 1."""
        return self.bound(self.function, side, values)

    def bound(self, expr: Any, side: int, values: list[Any]) -> list[Term]:
        if self.variable not in self.program.free(expr):
            return _constant(self.known(expr, values))
        if expr == self.variable:
            return [Term(arb(1), Fraction(1), _NOTHING, _NOTHING)]
        if isinstance(expr, sympy.Add):
            return [t for a in expr.args for t in self.bound(a, side, values)]
        if isinstance(expr, sympy.Mul):
            found = _constant(arb(1))
            for a in expr.args:
                found = _product(found, self.bound(a, side, values))
            return found
        name = type(expr).__name__
        if name == "exp" or (isinstance(expr, sympy.Pow) and expr.args[0] is sympy.E):
            return self.exponential(expr.args[-1], side, values)
        if isinstance(expr, sympy.Pow):
            return self.bound_of_power(expr.args[0], expr.args[1], side, values)
        if name in _BOUNDED:
            return _constant(arb(_BOUNDED[name]))
        if name in ("sinh", "cosh"):
            both = [self.exponential(s * expr.args[0], side, values) for s in (1, -1)]
            return both[0] + both[1]
        if name == "log":
            least = self.least(expr.args[0], side, values)
            if least > 0:  # |log u| <= |log m| + u for u >= m
                return [*_constant(least.log()), *self.bound(expr.args[0], side, values)]
        raise Undecided(f"no bound of {expr} for large arguments")

    def exponential(self, inner: Any, side: int, values: list[Any]) -> list[Term]:
        polynomial = self.polynomial(inner, side, values)
        if len(polynomial) > 3:
            raise Undecided(f"no bound of exp({inner}) for large arguments")
        c, a, b = [*polynomial, _NOTHING, _NOTHING, _NOTHING][:3]
        return [Term(c.exp(), Fraction(0), a, -b)]

    def polynomial(self, expr: Any, side: int, values: list[Any]) -> list[arb]:
        """Coefficients in x of the expression at side*x, constant first."""
        poly = sympy.Poly(expr, self.variable) if expr.is_polynomial(self.variable) else None
        if poly is None:
            raise Undecided(f"{expr} is no polynomial of {self.variable}")
        coefficients = poly.all_coeffs()[::-1]
        return [self.known(c, values) * side**k for k, c in enumerate(coefficients)]

    def known(self, expr: Any, values: list[Any]) -> arb:
        """The value of a part without the variable, also of one that was not met while building."""
        if expr in self.places:
            return values[self.places[expr]].real
        if isinstance(expr, sympy.Rational):
            return arb(int(expr.p)) / int(expr.q)
        if isinstance(expr, sympy.Add | sympy.Mul):
            total = arb(0) if isinstance(expr, sympy.Add) else arb(1)
            for a in expr.args:
                part = self.known(a, values)
                total = total + part if isinstance(expr, sympy.Add) else total * part
            return total
        if isinstance(expr, sympy.Pow) and isinstance(expr.args[1], sympy.Rational):
            return self.known(expr.args[0], values) ** self.known(expr.args[1], values)
        raise Undecided(f"the value of {expr} is not at hand")

    def bound_of_power(self, base: Any, exponent: Any, side: int, values: list[Any]) -> list[Term]:
        if not isinstance(exponent, sympy.Rational):
            raise Undecided(f"no bound of {base}**({exponent}) for large arguments")
        power = Fraction(int(exponent.p), int(exponent.q))
        if base == self.variable:
            return [Term(arb(1), power, _NOTHING, _NOTHING)]
        if power > 0:
            inside = self.bound(base, side, values)
            found = _constant(arb(1))
            for _ in range(int(power)):
                found = _product(found, inside)
            if power.denominator > 1:  # u**r <= 1 + u for 0 < r < 1
                found = _product(found, [*_constant(arb(1)), *inside])
            return found
        least, degree = self.least(base, side, values), 0
        if base.is_polynomial(self.variable):
            coefficients = self.polynomial(base, side, values)
            if all(c >= 0 for c in coefficients) and coefficients[-1] > 0:
                least, degree = coefficients[-1], len(coefficients) - 1
        grows = self.growing(base, side, values)
        if grows is not None:  # u >= exp(c + a x), so u**-r <= exp(-r (c + a x))
            r = arb(power.numerator) / power.denominator
            return [Term((r * grows[0]).exp(), Fraction(0), r * grows[1], _NOTHING)]
        if not least > 0:
            raise Undecided(f"no bound of 1/({base}) for large arguments")
        size = least ** (arb(power.numerator) / power.denominator)
        return [Term(size, power * degree, _NOTHING, _NOTHING)]

    def growing(self, base: Any, side: int, values: list[Any]) -> tuple[arb, arb] | None:
        """(c, a), a > 0, of a summand exp(c + a x) beside which all others are >= 0."""
        summands = base.args if isinstance(base, sympy.Add) else (base,)
        if not all(self.least(u, side, values) >= 0 for u in summands):
            return None
        for u in summands:
            if isinstance(u, sympy.exp) and self.variable in self.program.free(u):
                coefficients = self.polynomial(u.args[0], side, values)
                if len(coefficients) == 2 and coefficients[1] > 0:
                    return coefficients[0], coefficients[1]
        return None

    def least(self, expr: Any, side: int, values: list[Any]) -> arb:
        """A lower bound for x >= 1; of parts that are not seen to be positive, minus infinity."""
        if self.variable not in self.program.free(expr):
            return self.known(expr, values)
        if isinstance(expr, sympy.Add):
            return sum((self.least(a, side, values) for a in expr.args), arb(0))
        positive = type(expr).__name__ in ("exp", "cosh", "erfc") or (
            isinstance(expr, sympy.Pow)
            and (expr.args[0] is sympy.E or expr.args[1] in (2, 4, sympy.Rational(1, 2)))
        )
        return arb(0) if positive else arb("-inf")


def _applied(name: str, inner: At) -> At:
    def apply(x: acb, analytic: bool, values: list[Any]) -> acb:
        return getattr(inner(x, analytic, values), name)()

    return apply


def _summed(parts: list[At]) -> At:
    def add(x: acb, analytic: bool, values: list[Any]) -> acb:
        total = acb(0)
        for part in parts:
            total += part(x, analytic, values)
        return total

    return add


def _multiplied(parts: list[At]) -> At:
    def multiply(x: acb, analytic: bool, values: list[Any]) -> acb:
        total = acb(1)
        for part in parts:
            total *= part(x, analytic, values)
        return total

    return multiply


__all__ = ["compile_integral"]
