"""Positive products and powers, by their logarithms.

For u, v > 0, u < v if and only if log(u) < log(v), and the same for the other comparisons. The logarithm of
a product of positive factors is the sum of theirs, that of a power b**e with b > 0 is e log(b).
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 2
_MAX_OPS = 80
_ZERO = sp.Integer(0)


def prove(task: Task) -> Argument | None:
    """The comparison of the logarithms.

    Takes comparisons of two products of powers, at least one of them with names in its exponent.
    Promises that every factor is positive, and the comparison of the logarithms, as lemmas.
    """
    logs = _both(task)
    if logs is None or not task.lemma(Comparison(task.comparison.op, *logs)):
        return None
    return Argument("logarithms of both sides", (f"{logs[0]} {task.comparison.op} {logs[1]}",))


def products(task: Task) -> Argument | None:
    """Products of powers whose logarithms cancel, or have a factor in common that leaves fewer names.

    Takes the same comparisons, where no side is a sum. Promises that every factor is positive, and what is left of
    the difference of the logarithms, as lemmas.
    """
    op, logs = task.comparison.op, _both(task)
    if logs is None:
        return None
    difference = sp.expand(logs[0] - logs[1])
    if difference == 0 and op in ("==", "<=", ">="):
        return Argument("equal products of powers", (f"the logarithm of both is {logs[0]}",))
    factors = sp.Mul.make_args(sp.factor(difference))
    rest = sp.Mul(*(f for f in factors if not f.is_positive))
    fewer = len(rest.free_symbols) < len(task.region.variables)
    if difference == 0 or not fewer or not task.lemma(Comparison(op, rest, _ZERO)):
        return None
    return Argument("logarithms of both sides", (f"{logs[0]} {op} {logs[1]}",))


def _both(task: Task) -> list[Any] | None:
    """The logarithms of both sides, whose factors are proved to be positive."""
    c = task.comparison
    lhs, rhs = (sp.factor_terms(evaluated(side)) for side in (c.lhs, c.rhs))
    if lhs.is_zero or rhs.is_zero or (lhs.is_Add and rhs.is_Add):
        return None
    logs = []
    for side in (lhs, rhs):
        total = _ZERO
        for factor in sp.Mul.make_args(side):
            found = logarithm(factor, task)
            if found is None:
                return None
            total += found
        logs.append(total)
    return logs


def logarithm(factor: Any, task: Task) -> Any | None:
    """The logarithm of a positive factor as a sum over its own factors, each proved to be positive or negative; None
    where one is not."""
    if isinstance(factor, sp.exp):
        return _expanded(factor.args[0], task)
    base, exponent = factor.as_base_exp()
    total, negative = _ZERO, False
    for part in sp.Mul.make_args(sp.factor(base)):
        inner, power = part.as_base_exp()
        if not (inner.is_positive or task.lemma(Comparison(">", inner, _ZERO))):
            # n - k for k - n: two of them, or one beside -1, make a positive product.
            odd = power.is_odd and (inner.is_negative or task.lemma(Comparison("<", inner, _ZERO)))
            if not odd:
                return None
            inner, negative = sp.expand(-inner), not negative
        nested = logarithm(inner, task) if inner.is_Mul else None
        if nested is not None:
            total += power * nested
        elif inner.is_Rational:
            total += power * (sp.log(inner.p) - sp.log(inner.q))
        else:
            total += power * (inner.args[0] if isinstance(inner, sp.exp) else sp.log(inner))
    return None if negative else sp.expand(exponent * total)


def _expanded(e: Any, task: Task) -> Any:
    """An exponent with the logarithms of products in it as sums, where their factors are proved to be positive."""
    for log in e.atoms(sp.log):
        found = logarithm(log.args[0], task)
        if found is not None:
            e = e.xreplace({log: found})
    return sp.expand(e)


def _applies(task: Task) -> bool:
    return not (task.is_line and not task.region.hypotheses) and _has_powers(task)


def _has_powers(task: Task) -> bool:
    c = task.comparison
    if task.depth > _MAX_DEPTH:
        return False
    powers = c.lhs.atoms(sp.Pow, sp.exp) | c.rhs.atoms(sp.Pow, sp.exp)
    return any(p.as_base_exp()[1].free_symbols or p.is_Function for p in powers if p.free_symbols)


def _are_products(task: Task) -> bool:
    """Whether both sides are products of powers and exponentials, not long, and with names in an exponent."""
    c = task.comparison
    heads = (c.lhs.atoms(sp.Function) | c.rhs.atoms(sp.Function)) - (c.lhs - c.rhs).atoms(sp.exp)
    heads -= {log for e in c.lhs.atoms(sp.exp) | c.rhs.atoms(sp.exp) for log in e.atoms(sp.log)}
    if any(e.is_Add or e.has(ExprWithLimits) for e in (c.lhs, c.rhs)) or heads:
        return False
    return c.lhs.count_ops() + c.rhs.count_ops() <= _MAX_OPS and _has_powers(task)


METHOD = Method("logarithms", 0.4, _applies, prove)
PRODUCTS = Method("products of powers", 0.3, _are_products, products)
