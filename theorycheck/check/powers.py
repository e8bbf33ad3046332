"""Powers taken apart where that is an identity of functions, with names for the parts.

SymPy joins b**t * b at once; names keep them apart.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

_ONE = sp.Integer(1)


class Powers:
    """Names for powers with exponents that have names in them."""

    def __init__(self) -> None:
        self.names: dict[Any, Any] = {}

    def apart(self, e: Any) -> Any:
        """b**(t + m) as b**t * b**m for integers m, wherever the two have the same values: for b > 0,
        for b != 0 and integers t, or for integers t >= 0 and m > 0 (at b = 0, t = 0 both are 0); exp of
        a sum as a product."""
        if not e.args or isinstance(e, sp.Sum | sp.Product | sp.Integral):
            return e
        if isinstance(e, sp.exp):
            terms = sp.Add.make_args(sp.expand(e.args[0]))
            return sp.Mul(*(self._name(sp.exp(t)) if t.free_symbols else sp.exp(t) for t in terms))
        if e.is_Pow and e.args[1].free_symbols:
            return self._power(e.args[0], sp.expand(e.args[1]))
        return e.func(*(self.apart(a) for a in e.args))

    def together(self, e: Any) -> Any:
        """The expression with the powers for their names."""
        return e.xreplace({name: power for power, name in self.names.items()})

    def _power(self, base: Any, exponent: Any) -> Any:
        whole, rest = exponent.as_coeff_Add()
        allowed = (
            base.is_positive
            or (base.is_nonzero and rest.is_integer)
            or (rest.is_integer and rest.is_nonnegative and whole > 0)
        )
        if not (whole.is_Integer and whole != 0 and allowed):
            return self._name(base**exponent)
        return self._name(base**rest) * base**whole

    def _name(self, power: Any) -> Any:
        if not power.free_symbols:
            return power
        if power not in self.names:
            sign = {"positive": True} if power.is_positive else {"real": True}
            self.names[power] = sp.Dummy(**sign)
        return self.names[power]


def geometric(term: Any, k: Any) -> tuple[Any, Any, Any] | None:
    """(c, P, r) with term = c P(k) r**k, P a polynomial and c free of k, for exponents a k + b with an
    integer a; None for terms of another kind. Where r = 0 the two may differ."""
    constant = polynomial = ratio = sp.Integer(1)
    for factor in sp.Mul.make_args(term):
        if k not in factor.free_symbols:
            constant *= factor
        elif factor.is_polynomial(k):
            polynomial *= factor
        else:
            base, exponent = factor.as_base_exp()
            exponent = sp.expand(exponent)
            slope = sp.diff(exponent, k)
            whole = slope.is_Integer and k not in base.free_symbols
            if not whole and not (isinstance(factor, sp.exp) and k not in slope.free_symbols):
                return None
            constant *= base ** (exponent - slope * k)
            ratio *= base**slope
    return None if ratio == 1 else (constant, polynomial, ratio)


def exponential_terms(term: Any, k: Any) -> tuple[Any, Any, Any] | None:
    """(c, P, r) with term = c P(k) r**k/k!, P a polynomial and c free of k; None for other terms."""
    rest = term * sp.factorial(k)
    if rest.has(sp.factorial, sp.gamma, sp.binomial):
        return None
    if rest.is_polynomial(k):
        return _ONE, sp.expand(rest), _ONE
    parts = geometric(rest, k)
    return None if parts is None or parts[2].has(sp.zoo, sp.nan) else parts


def reciprocal_power(term: Any, k: Any) -> tuple[Any, Any, Any] | None:
    """(c, a, s) with term = c (k + a)**(-s) and c, a, s free of k; None for other terms."""
    constant, power = term.as_independent(k, as_Add=False)
    base, exponent = power.as_base_exp()
    while base.is_Pow and k in base.free_symbols:
        base, exponent = base.base, exponent * base.exp
    a = sp.expand(base - k)
    if k in exponent.free_symbols or k in a.free_symbols:
        return None
    return constant, a, -exponent


__all__ = ["Powers", "exponential_terms", "geometric", "reciprocal_power"]
