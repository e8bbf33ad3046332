"""Certificates for sums whose terms depend on the upper limit, in the manner of Wilf and Zeilberger.

To prove sum(F(n, k), k = a..b) = R(n) for all n, put f = F/R. If G(k + 1) - G(k) = f(n + 1, k) - f(n, k)
for a G that Gosper's algorithm finds, the sum of f changes from n to n + 1 by G at the ends of the range
and by the terms that come in; if that is 0, the sum of f is constant, and one start proves the rest.

The certificate is verified, not trusted: G is brought to the form p(n, k)*t(n, k), where p is a
polynomial in k and t has factorials of k below the line only, so that both sides of the relation are
entire functions of k; then the relation, an identity of rational functions after division by t, holds
at every integer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from theorycheck.check import gosper
from theorycheck.check.identities import equal, is_zero

_MAX_OPS = 150


def constant_quotient(
    total: Any, closed: Any, n: Any, nonzero: Callable[[Any], bool] = lambda _: True
) -> str | None:
    """The certificate by which sum/closed form is proved not to change from n to n + 1, for every n of
    the range, in words; None where there is none.

    ``nonzero`` proves that a factor below the line without the index does not vanish.
    """
    if len(total.limits) != 1 or closed.has(sp.Sum):
        return None
    k, low, high = total.limits[0]
    if n in low.free_symbols or high != n or total.function.count_ops() > _MAX_OPS:
        return None
    x, m = sp.Symbol("k", integer=True), n
    f = _factorials((total.function / closed).xreplace({k: x}))
    later = _factorials(f.xreplace({m: m + 1}))
    quotient = sp.cancel(_rational(later / f))
    if quotient.has(sp.gamma, sp.factorial, sp.binomial) or not equal(later, quotient * f):
        return None
    if quotient == 1:
        certificate: Any = sp.Integer(0)
    else:
        change, common = sp.fraction(sp.factor(quotient - 1))
        step = sp.cancel(_rational(f.xreplace({x: x + 1}) / f))
        if not equal(f.xreplace({x: x + 1}), step * f):
            return None
        found = gosper.certificate(step * common / common.xreplace({x: x + 1}), change, x)
        if found is None:
            return None
        certificate = found
        t = change / common
        step *= t.xreplace({x: x + 1}) / t
        relation = certificate.xreplace({x: x + 1}) * step - certificate - 1
        if sp.cancel(sp.together(relation)) != 0:
            return None
    g = sp.cancel(certificate * (quotient - 1))
    entire = _entire(g, f, x, nonzero)
    if entire is None or not _defined_from(entire, x, low):
        return None
    change = entire.xreplace({x: high + 1}) - entire.xreplace({x: low})
    new = (total.function / closed).xreplace({n: n + 1}).xreplace({k: high + 1})
    if not is_zero(change + new):
        return None
    return f"with f the summand over the closed form, G({n}, {x}) = f*({g})"


def _defined_from(e: Any, k: Any, low: Any) -> bool:
    """Whether factorials of k above the line stay away from their poles for k >= low."""
    above = sp.fraction(e)[0]
    for factorial in above.atoms(sp.factorial):
        argument = factorial.args[0]
        slope = sp.diff(argument, k)
        if slope == 0:
            continue
        if slope != 1 or not argument.xreplace({k: low}).is_nonnegative:
            return False
    return True


def _factorials(e: Any) -> Any:
    return sp.powsimp(e.rewrite(sp.factorial))


def _rational(quotient: Any) -> Any:
    return sp.combsimp(sp.gammasimp(quotient))


def _entire(g: Any, f: Any, k: Any, nonzero: Callable[[Any], bool]) -> Any | None:
    """g*f with the linear factors below the line taken into the factorials, None if one is left.

    g is rational in k; a factor (k + c) below the line is absorbed by a factorial below the line:
    1/((c - k)*(c - k - 1)!) = 1/(c - k)!.
    """
    numerator, denominator = sp.fraction(sp.together(g))
    product = f * numerator
    for factor in sp.Mul.make_args(sp.factor(denominator)):
        base, exponent = factor.as_base_exp()
        if k not in base.free_symbols:
            if not (base.is_number or nonzero(base)):
                return None
            product = product / factor
            continue
        if not exponent.is_Integer or sp.degree(base, k) != 1:
            return None
        for _ in range(int(exponent)):
            product = _absorb(product, base, k)
            if product is None:
                return None
    return product


def _absorb(product: Any, linear: Any, k: Any) -> Any | None:
    slope = sp.diff(linear, k)
    for factorial in product.atoms(sp.factorial):
        argument = factorial.args[0]
        if sp.diff(argument, k) == 0:
            continue
        below = sp.fraction(product)[1]
        if not below.has(factorial):
            continue
        for sign in (1, -1):
            if (
                slope == sign * sp.diff(argument, k)
                and sp.expand(argument + 1 - sign * linear) == 0
            ):
                return product * factorial / sp.factorial(argument + 1) * sign
    return None
