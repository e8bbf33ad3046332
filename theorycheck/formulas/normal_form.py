"""Proof that two expressions are the same function, by a normal form. ``simplify`` is never asked.

Both sides are written as rational functions, over the rationals, of *kernels*: things that the method
takes as unrelated. Every step on the way is an identity:

- x**(a + b) = x**a * x**b, and x**(c*t) = (x**(t/L))**(c*L) for integers c*L (L is the common
  denominator of all the exponents seen for x and t);
- (x*y)**e = x**e * y**e and log(x*y) = log x + log y only where x > 0 follows from the domain, for
  which a parameter with lower end a and step s is replaced by a + s*m, m >= 0;
- factorial(z + 1) = (z + 1)*factorial(z), gamma, beta and binomials as factorials (binomials only
  for integers n >= 0), trigonometric and hyperbolic functions as exponentials;
- a finite sum is split over its terms and constant factors are taken out of it; dummies are renamed
  and start at 0.

The difference is 0 when its numerator lies in the ideal of the relations x = (x**(1/L))**L and
I**2 = -1. Their leading terms are powers of distinct kernels, so they are a Groebner basis and the
remainder decides membership. Membership proves equality wherever both sides have a value, except
perhaps where a base or a cancelled factor vanishes; the converse fails, since kernels may be related
in ways that the method does not know (pi and asin(1), say): a False is no disproof.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import sympy
from sympy import QQ, Add, Dummy, E, Expr, I, Indexed, Integer, Mul, Pow, Rational, Symbol
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import Function
from sympy.core.numbers import NumberSymbol
from sympy.functions.elementary.hyperbolic import HyperbolicFunction
from sympy.functions.elementary.trigonometric import TrigonometricFunction
from sympy.polys.fields import field
from sympy.polys.orderings import lex
from sympy.polys.polyerrors import PolynomialError

from theorycheck.numbers.domain import Domain

MOST_LEAVES, HIGHEST_POWER, LONGEST_PRODUCT = 150, 40, 40
"""Beyond these sizes the expansion is not tried: a mutant is worth milliseconds, not minutes."""

_FACTORIALS = (sympy.factorial, sympy.gamma, sympy.binomial, sympy.beta)


class _TooLargeError(Exception):
    """The expansion would not be quick."""


def same_function(left: Expr, right: Expr, domains: Mapping[str, Domain]) -> bool:
    """Whether the two are proved equal on the domain; False also where no proof was found."""
    left, right = sympy.sympify(left), sympy.sympify(right)
    if left == right:
        return True
    if not (tractable(left) and tractable(right)):
        return False
    try:
        moved = [_on_domain(e, domains) for e in (left, right)]
        kernels = _Kernels()
        for expr in moved:  # finds the common denominators of exponents
            kernels.rational(expr)
        kernels.settle()
        a, b = (kernels.rational(expr) for expr in moved)
        return kernels.vanishes(a, b)
    except (_TooLargeError, PolynomialError, ZeroDivisionError, ValueError):
        return False


def tractable(expr: Expr) -> bool:
    """Whether expanding is quick: few leaves, and no exponent like 1000000001/2000000000, of which
    both SymPy and the method would make powers of that degree."""
    exponents = {r for power in expr.atoms(Pow) for r in power.exp.atoms(Rational)}
    small = all(r.q <= HIGHEST_POWER and abs(r.p) <= HIGHEST_POWER for r in exponents)
    return small and int(expr.count_ops()) <= MOST_LEAVES


def _on_domain(expr: Expr, domains: Mapping[str, Domain]) -> Expr:
    """Parameters replaced by what their domain says of them, as assumptions that SymPy can use."""
    bound = {s.name for e in expr.atoms(ExprWithLimits) for s in e.bound_symbols}
    if bound & set(domains):
        raise _TooLargeError
    new = {s: _as_assumed(s.name, domains[s.name]) for s in expr.free_symbols if s.name in domains}
    moved = expr.xreplace(new)
    angles = moved.atoms(TrigonometricFunction, HyperbolicFunction)
    return moved.xreplace({f: f.rewrite(sympy.exp) for f in angles}) if angles else moved


def _as_assumed(name: str, domain: Domain) -> Expr:
    if not domain.numeric:
        return Symbol(name)
    whole = domain.kind in ("integers", "primes")
    if domain.kind == "choices":
        values = [v for v in domain.values if not isinstance(v, str | tuple)]
        if values and min(values) > 0:
            return Symbol(name, positive=True, integer=all(isinstance(v, int) for v in values))
        return Symbol(name, real=True)
    if domain.low is None:
        return Symbol(name, integer=True) if whole else Symbol(name, real=True)
    low = Rational(domain.low.numerator, domain.low.denominator)
    if whole:
        return low + domain.step * Symbol(name, integer=True, nonnegative=True)
    if domain.low_open:
        return low + Symbol(name, positive=True)
    return low + Symbol(name, nonnegative=True)


class _Kernels:
    """Kernels met so far, each with a generator; see the module's docstring."""

    def __init__(self) -> None:
        self._generators: dict[Any, Symbol] = {}
        self._denominators: dict[tuple[Expr, Expr], int] = {}
        self._relations: list[Expr] = []

    def settle(self) -> None:
        """Keep the exponents' denominators and forget the generators made without knowing them."""
        self._generators, self._relations = {}, []

    def vanishes(self, left: Expr, right: Expr) -> bool:
        """Whether left - right, rational in the generators, is 0 modulo the relations."""
        # Later generators rank higher: a root is made after the kernels that its base consists of.
        names = list(reversed(self._generators.values())) or [Dummy("one")]
        functions, *_ = field(names, QQ, lex)
        difference = functions.from_expr(left) - functions.from_expr(right)
        if difference == 0:
            return True
        relations = [functions.from_expr(r).numer for r in self._relations]
        if not relations or difference.denom.rem(relations) == 0:
            return False
        return bool(difference.numer.rem(relations) == 0)

    def _kernel(self, key: Any) -> Symbol:
        return self._generators.setdefault(key, Dummy(f"g{len(self._generators)}"))

    def rational(self, e: Expr) -> Expr:
        """The expression with its kernels replaced by generators, integer powers only."""
        if isinstance(e, Rational):
            return e
        if e is I:
            if e not in self._generators:
                self._relations.append(self._kernel(e) ** 2 + 1)
            return self._kernel(e)
        if isinstance(e, Add | Mul):
            return e.func(*(self.rational(a) for a in e.args))
        if isinstance(e, Pow):
            return self._power(*e.args)
        if isinstance(e, sympy.exp):
            return self._power(E, e.args[0])
        if isinstance(e, _FACTORIALS):
            return self._factorial(e)
        if isinstance(e, sympy.log):
            return Add(*(self.rational(c) * self._log(f) for f, c in _factors(e.args[0])))
        if isinstance(e, sympy.Sum):
            return self._sum(e)
        if isinstance(e, Function) and all(isinstance(a, Expr) for a in e.args):
            return self._kernel(e.func(*(sympy.cancel(sympy.expand(a)) for a in e.args)))
        if isinstance(e, NumberSymbol | Expr):
            return self._kernel(e)
        raise _TooLargeError

    def _log(self, f: Expr) -> Expr:
        return Integer(1) if f is E else self._kernel(sympy.log(f, evaluate=False))

    def _power(self, base: Expr, exponent: Expr) -> Expr:
        if isinstance(exponent, Integer):
            return self.rational(base) ** _small(int(exponent))
        result: Expr = Integer(1)
        for factor, multiple in _factors(base):
            for term in Add.make_args(sympy.expand(multiple * exponent)):
                c, t = term.as_coeff_Mul(rational=True)
                result *= self._root(factor, t, c)
        return result

    def _root(self, base: Expr, t: Expr, c: Rational) -> Expr:
        """base**(c*t), with c rational; t is 1 or has no rational factor."""
        lcm = _small(math.lcm(self._denominators.get((base, t), 1), int(c.q)))
        self._denominators[base, t] = lcm
        if t == 1:
            whole = self.rational(base)
            if lcm == 1:
                return whole ** _small(int(c))
            key = (base, t)
            if key not in self._generators:
                self._relations.append(self._kernel(key) ** lcm - whole)
            count, rest = divmod(int(c * lcm), lcm)
            return whole ** _small(count) * self._kernel(key) ** rest
        return self._kernel((base, t)) ** _small(int(c * lcm))

    def _factorial(self, e: Expr) -> Expr:
        if isinstance(e, sympy.gamma):
            return self._shifted(e.args[0] - 1)
        if isinstance(e, sympy.factorial):
            return self._shifted(e.args[0])
        if isinstance(e, sympy.beta):
            a, b = e.args
            return self._shifted(a - 1) * self._shifted(b - 1) / self._shifted(a + b - 1)
        n, k = e.args
        if not (n.is_integer and n.is_nonnegative and k.is_integer):
            return self._kernel(e)
        return self._shifted(n) / (self._shifted(k) * self._shifted(n - k))

    def _shifted(self, argument: Expr) -> Expr:
        """factorial(argument) from factorial of the argument without its integer part."""
        argument = sympy.expand(argument)
        constant, rest = argument.as_coeff_Add(rational=True)
        steps = int(sympy.floor(constant))
        if rest == 0 and steps == constant and steps >= 0:
            return sympy.factorial(steps) if steps <= LONGEST_PRODUCT else self._kernel(argument)
        if abs(steps) > LONGEST_PRODUCT:
            return self._kernel((sympy.factorial, argument))
        start = argument - steps
        product = self._kernel((sympy.factorial, start))
        for i in range(1, steps + 1):
            product *= self.rational(start + i)
        for i in range(-steps):
            product /= self.rational(start - i)
        return product

    def _sum(self, e: Expr) -> Expr:
        if len(e.limits) != 1 or len(e.limits[0]) != 3:
            return self._kernel(e)
        index, low, high = e.limits[0]
        if low.is_infinite:
            return self._kernel(e)
        place = Symbol(f"_i{len(e.function.atoms(sympy.Sum))}", integer=True, nonnegative=True)
        summand = sympy.expand(e.function.subs(index, place + low))  # inner sums may reuse its name
        last = sympy.expand(high - low)
        # An infinite sum of differences may converge where its parts do not.
        terms = [summand] if last.is_infinite else Add.make_args(summand)
        total: Expr = Integer(0)
        for term in terms:
            outside, inside = term.as_independent(place, as_Add=False)
            total += self.rational(outside) * self._kernel((sympy.Sum, inside, last))
        return total


def _small(exponent: int) -> int:
    """The exponent, refused where expanding or dividing such powers would take long."""
    if abs(exponent) > HIGHEST_POWER:
        raise _TooLargeError
    return exponent


def _factors(base: Expr) -> Iterable[tuple[Expr, Expr]]:
    """(factor, exponent) whose product is base; all but the last of them surely positive."""
    positive: dict[Expr, Expr] = {}
    rest: Expr = Integer(1)
    for part in _parts(base):
        inner, exponent = part.as_base_exp()
        if isinstance(part, sympy.exp):
            inner, exponent = E, part.args[0]
        if isinstance(inner, Rational) and inner.p == 1 and inner.q > 1:
            inner, exponent = 1 / inner, -exponent
        if inner.is_positive and exponent.is_real:
            pieces = [(inner, Integer(1))]
            if isinstance(inner, Integer):
                pieces = [(Integer(p), Integer(m)) for p, m in sympy.factorint(inner).items()]
            for piece, multiple in pieces:
                positive[piece] = positive.get(piece, Integer(0)) + multiple * exponent
        else:
            rest *= part
    found = [(f, c) for f, c in positive.items() if c != 0]
    return [*found, (rest, Integer(1))] if rest != 1 else found


def _parts(base: Expr) -> Iterable[Expr]:
    """Factors of the base; sums are factored over the rationals where they are polynomials."""
    if isinstance(base, Rational):
        sign = [Integer(-1)] if base < 0 else []
        return [*sign, Integer(abs(base.p)), Rational(1, base.q)]
    parts: list[Expr] = []
    for part in Mul.make_args(base):
        inner, exponent = part.as_base_exp()
        if isinstance(inner, Rational) and exponent == 1:
            parts += _parts(part)
        elif isinstance(inner, Add) and exponent.is_integer and inner.free_symbols:
            for f in Mul.make_args(sympy.factor(inner)):
                f_inner, f_exponent = f.as_base_exp()
                parts += (
                    _parts(f) if isinstance(f, Rational) else [Pow(f_inner, f_exponent * exponent)]
                )
        else:
            parts.append(part)
    return parts


__all__ = ["same_function", "tractable"]


def scalar_symbols(form: Expr) -> list[Symbol]:
    """Free scalar symbols by name; labels of indexed families are data, not numbers."""
    labels = {item.base.label for item in form.atoms(Indexed)}
    return sorted(
        (s for s in form.free_symbols - labels if isinstance(s, Symbol)), key=lambda s: s.name
    )
