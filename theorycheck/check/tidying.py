"""What a function of one variable is made of: common denominators, kernels, roots, and signs that are plain to see."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.profiles import Unknown, sign_of_constant

MAX_OPS = 250
"""Operations of a function that is still looked at: larger ones take longer than all the rest."""

_MAX_POWER = 120
_MAX_ROOTS = 4
_ZERO = sp.Integer(0)


def square_roots(f: Any, x: Any) -> list[Any]:
    """What stands under the roots in f, at most four of them and all square roots of rational functions or
    of numbers; none for other functions, and where there is no root of x."""
    roots = [p for p in f.atoms(sp.Pow) if not p.exp.is_Integer]
    if not any(x in p.free_symbols for p in roots):
        return []
    plain = all((2 * p.exp).is_Integer and p.base.is_rational_function(x) for p in roots)
    radicands = list(dict.fromkeys(p.base for p in roots))
    return (
        sorted(radicands, key=sp.default_sort_key) if plain and len(radicands) <= _MAX_ROOTS else []
    )


def norm_over_roots(f: Any, x: Any) -> Any | None:
    """The product of f, a polynomial in x and square roots, over all signs of these: a rational function
    without roots; None where f is no such polynomial, or the product is 0 throughout."""
    names = {b: sp.Dummy() for b in square_roots(f, x)}
    powers = {
        p: names[p.base] ** (2 * p.exp)
        for p in f.atoms(sp.Pow)
        if p.base in names and not p.exp.is_Integer
    }
    norm = f.xreplace(powers)
    if not norm.is_polynomial(x, *names.values()):
        return None
    for radicand, root in names.items():
        even, odd = _ZERO, _ZERO
        for (power,), coefficient in sp.Poly(norm, root).terms():
            part = coefficient * radicand ** (power // 2)
            even, odd = (even, odd + part) if power % 2 else (even + part, odd)
        norm = sp.expand(sp.numer(sp.together(even**2 - odd**2 * radicand)))
    return None if norm == 0 else norm


def weak_sign(g: Any) -> int:
    """1 if g >= 0 and -1 if g <= 0 on the whole line for plain reasons (squares, waves in [-1, 1]);
    0 if unknown. An analytic function that is not constant is then strictly monotone with g as
    derivative, whatever the zeros of g."""
    if g.is_Mul:
        sign = 1
        for a in g.args:
            sign *= weak_sign(a)
        return sign
    if g.is_number:
        return sign_of_constant(g) or 0
    if g.is_Pow and g.args[1].is_Integer and int(g.args[1]) % 2 == 0:
        return 1
    if g.is_positive or isinstance(g, sp.exp | sp.cosh):
        return 1
    if g.is_Add:
        constant, waves = g.as_independent(*g.free_symbols)
        size = sp.Integer(0)
        for term in sp.Add.make_args(waves):
            factor, wave = term.as_coeff_Mul()
            if not isinstance(wave, sp.sin | sp.cos):
                return 0
            size += abs(factor)
        for sign in (1, -1):
            if (sign_of_constant(sign * constant - size) or 0) >= 0 and sign_of_constant(
                sign * constant - size
            ) is not None:
                return sign
    return 0


def tidy(f: Any) -> Any:
    """Common denominator, factored over its kernels; holes are dealt with elsewhere."""
    if f.is_Number or f.is_Symbol:
        return f
    if _has_high_power(f):
        return f  # as a dense polynomial it would have too many coefficients to factor
    try:
        together = sp.together(sp.powsimp(sp.expand_power_exp(f)))
        if together.count_ops() > 4 * MAX_OPS:
            raise Unknown("too large")
        return sp.factor(together, deep=False)
    except (sp.PolynomialError, NotImplementedError, ValueError, TypeError):
        return f


def _has_high_power(f: Any) -> bool:
    """Whether f is of high degree as a polynomial in its kernels: exp(-1.702*x) is the 851st power of
    exp(-x/500), and factoring at such degrees is a single step of minutes."""
    steps: dict[tuple[Any, Any], list[Any]] = {}
    for node in f.atoms(sp.Pow, sp.exp):
        base, exponent = (sp.E, node.args[0]) if isinstance(node, sp.exp) else node.args
        for term in sp.Add.make_args(sp.expand(exponent)):
            factor, rest = term.as_coeff_Mul()
            if factor.is_Rational:
                steps.setdefault((base, rest), []).append(factor)
    return any(
        max(abs(q) for q in factors) * sp.ilcm(1, *(q.q for q in factors)) > _MAX_POWER
        for factors in steps.values()
    )


def expanded(f: Any) -> Any:
    """f multiplied out, unless of high degree in its kernels: that would have too many terms."""
    return f if _has_high_power(f) else sp.expand(f)


def kernels_of(f: Any, x: Any) -> set[Any]:
    """Functions of x, and powers of it whose exponents are no integers, anywhere in f."""
    found = set()
    for node in sp.preorder_traversal(f):
        if x not in node.free_symbols or node == x:
            continue
        if node.is_Function or (node.is_Pow and not node.args[1].is_Integer):
            found.add(node)
    return found


def measure(f: Any, x: Any) -> tuple[int, int, int]:
    """How far f is from rational: its worst factor counts."""
    worst = (0, 0, 0)
    for factor in sp.Mul.make_args(f):
        base = factor.as_base_exp()[0]
        if isinstance(base, sp.exp) or x not in base.free_symbols:
            continue
        kernels = kernels_of(base, x) if base.is_Add else set()
        depth = max((_depth(k, x) for k in kernels), default=0)
        worst = max(worst, (depth, len(kernels), int(base.count_ops())))
    return worst


def _depth(node: Any, x: Any) -> int:
    if x not in node.free_symbols or node.is_Symbol:
        return 0
    inner = max((_depth(a, x) for a in node.args), default=0)
    nested = node.is_Function or (node.is_Pow and not node.args[1].is_Integer)
    return inner + (1 if nested else 0)


def plain_logarithm(kernel: Any, f: Any, x: Any) -> bool:
    """Whether it is the logarithm of a linear function, with a polynomial of low degree before it."""
    if not isinstance(kernel, sp.log) or sp.diff(kernel.args[0], x, 2) != 0:
        return False
    coefficient = sp.expand(f).coeff(kernel, 1)
    return bool(coefficient.is_polynomial(x) and sp.degree(coefficient, x) <= 2)


def divisors(f: Any, x: Any) -> list[Any]:
    """Candidates for h: 1, the terms, and the coefficients of logarithm-like kernels."""
    found = [sp.Integer(1)]
    terms = [t for t in sp.Add.make_args(expanded(f)) if x in t.free_symbols]
    found += [t.as_independent(x)[1] for t in terms]
    for kernel in sorted(kernels_of(f, x), key=sp.default_sort_key):
        if isinstance(kernel, sp.log | sp.atan | sp.asin | sp.acos | sp.erf | sp.asinh | sp.atanh):
            coefficient = sp.factor(expanded(f).coeff(kernel, 1))
            if coefficient != 0 and kernel not in coefficient.atoms(sp.Function):
                found.append(coefficient)
        elif isinstance(kernel, sp.exp):
            found.append(kernel)
    unique: list[Any] = []
    for h in found:
        if h != 0 and h not in unique and len(unique) < 9:
            unique.append(h)
    return unique
