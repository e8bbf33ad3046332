"""Gosper's algorithm for hypergeometric terms whose quotient has linear factors in k.

For a term t(k), find the rational R(k) with G = R t and G(k + 1) - G(k) = t(k), if there is one. The
quotient t(k + 1)/t(k) is written as a(k)/b(k) * c(k + 1)/c(k) such that no root of b lies a nonnegative
integer above a root of a; then R = b(k - 1) x(k)/c(k) for the polynomial x that solves
a(k) x(k + 1) - b(k - 1) x(k) = c(k). With factors that are linear in k the first step compares roots,
where resultants in two names take seconds.

Source: Petkovsek, Wilf, Zeilberger, A = B, chapter 5. What comes out is verified by the caller.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

_MAX_DEGREE = 12


def certificate(quotient: Any, polynomial: Any, k: Any) -> Any | None:
    """R for the term t = polynomial(k) * s(k), where quotient = s(k + 1)/s(k), rational in k.

    None where the term has no hypergeometric antidifference, or where the quotient has a factor
    that is not linear in k.
    """
    numerator, denominator = sp.fraction(sp.cancel(quotient))
    above, below = _roots(numerator, k), _roots(denominator, k)
    if above is None or below is None:
        return None
    factor = above[0] / below[0]
    c = sp.sympify(polynomial)
    upper, lower = list(above[1]), list(below[1])
    for alpha in list(upper):
        for beta in lower:
            h = sp.expand(beta - alpha)
            if h.is_Integer and h >= 0:
                c *= sp.Mul(*(k - alpha - i for i in range(1, int(h) + 1)))
                upper.remove(alpha)
                lower.remove(beta)
                break
    a = sp.Poly(factor * sp.Mul(*(k - r for r in upper)), k)
    b = sp.Poly(sp.Mul(*(k - 1 - r for r in lower)), k)  # b(k - 1)
    c = sp.Poly(sp.expand(c), k)
    x = _solution(a, b, c, k)
    if x is None:
        return None
    return sp.cancel(sp.together(b.as_expr() * x / c.as_expr()))


def _roots(polynomial: Any, k: Any) -> tuple[Any, list[Any]] | None:
    """Leading coefficient and roots in k with multiplicity; None unless every factor is linear."""
    constant, factors = sp.factor_list(polynomial)
    roots: list[Any] = []
    for factor, power in factors:
        degree = sp.degree(factor, k) if k in factor.free_symbols else 0
        if degree == 0:
            constant *= factor**power
        elif degree == 1:
            slope = sp.diff(factor, k)
            constant *= slope**power
            roots += [sp.expand((slope * k - factor) / slope)] * power
        else:
            return None
    return constant, [sp.cancel(r) for r in roots]


def _solution(a: Any, b: Any, c: Any, k: Any) -> Any | None:
    """The polynomial x with a(k) x(k + 1) - b(k) x(k) = c(k), None if there is none."""
    degree = _degree(a, b, c)
    if degree is None:
        return None
    unknowns = sp.symbols(f"x:{degree + 1}")
    x = sum(u * k**i for i, u in enumerate(unknowns))
    equation = a.as_expr() * x.xreplace({k: k + 1}) - b.as_expr() * x - c.as_expr()
    system = sp.Poly(sp.expand(equation), k).coeffs()
    found = sp.linsolve(system, *unknowns)
    if not found:
        return None
    values = next(iter(found))
    return x.xreplace(dict(zip(unknowns, values, strict=True))).xreplace(
        dict.fromkeys(unknowns, sp.Integer(0))  # what is left free
    )


def _degree(a: Any, b: Any, c: Any) -> int | None:
    """The largest degree that a solution can have, None if there can be none."""
    n = max(a.degree(), b.degree())
    candidates = []
    if a.degree() != b.degree() or sp.cancel(a.LC() - b.LC()) != 0:
        candidates.append(c.degree() - n)
    else:
        candidates.append(c.degree() - n + 1)
        k = a.gen
        below = [p.coeff_monomial(k ** (n - 1)) if n else sp.Integer(0) for p in (a, b)]
        other = sp.cancel((below[1] - below[0]) / a.LC())
        if other.is_Integer:
            candidates.append(int(other))
    degree = max(candidates)
    return degree if 0 <= degree <= _MAX_DEGREE else None
