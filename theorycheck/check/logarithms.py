"""Positive products and powers, by their logarithms.

For u, v > 0, u < v if and only if log(u) < log(v), and the same for the other comparisons. The logarithm of
a product of positive factors is the sum of theirs, that of a power b**e with b > 0 is e log(b).
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 2
_ZERO = sp.Integer(0)


def prove(task: Task) -> Argument | None:
    """The comparison of the logarithms.

    Takes comparisons of two products of powers, at least one of them with names in its exponent.
    Promises that every factor is positive, and the comparison of the logarithms, as lemmas.
    """
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
    if not task.lemma(Comparison(c.op, *logs)):
        return None
    return Argument("logarithms of both sides", (f"{logs[0]} {c.op} {logs[1]}",))


def logarithm(factor: Any, task: Task) -> Any | None:
    """The logarithm of a factor as a sum over its own factors, which are proved to be positive; None
    where one is not."""
    if isinstance(factor, sp.exp):
        return factor.args[0]
    base, exponent = factor.as_base_exp()
    total = _ZERO
    for part in _parts(base):
        inner, power = part.as_base_exp()
        if not (inner.is_positive or task.lemma(Comparison(">", inner, _ZERO))):
            return None
        if inner.is_Rational:
            total += power * (sp.log(inner.p) - sp.log(inner.q))
        else:
            total += power * (inner.args[0] if isinstance(inner, sp.exp) else sp.log(inner))
    return sp.expand(exponent * total)


def _parts(base: Any) -> list[Any]:
    """Factors of a base; a minus sign before them is that of a difference, n - k for -(k - n)."""
    sign, product = sp.factor(base).as_coeff_Mul()
    parts = list(sp.Mul.make_args(product))
    turned = next((i for i, p in enumerate(parts) if p.is_Add), None)
    if sign.is_negative and turned is not None:
        parts[turned], sign = sp.expand(-parts[turned]), -sign
    return [sign, *parts] if sign != 1 else parts


def _applies(task: Task) -> bool:
    c = task.comparison
    if task.depth > _MAX_DEPTH or (task.is_line and not task.region.hypotheses):
        return False
    powers = c.lhs.atoms(sp.Pow, sp.exp) | c.rhs.atoms(sp.Pow, sp.exp)
    return any(p.as_base_exp()[1].free_symbols or p.is_Function for p in powers if p.free_symbols)


METHOD = Method("logarithms", 0.4, _applies, prove)
