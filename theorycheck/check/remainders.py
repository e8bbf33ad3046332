"""Factorials and harmonic numbers between elementary bounds.

For all integers n >= 1

    1/(12 n + 1) < log(n!) - (n + 1/2) log(n) + n - log(2 pi)/2 < 1/(12 n)               (H. Robbins, 1955)
    -1/(12 n**2) < harmonic(n) - log(n) - gamma - 1/(2 n) < -1/(12 n**2) + 1/(120 n**4)

The second is the summation formula of Euler and Maclaurin for 1/x, whose remainder lies between zero and the
first term that is left out, the derivatives of 1/x being of alternating signs.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.logarithms import logarithm
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 1
_MAX_OPS = 150
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
# Euler's constant lies between these, 0.577215664... in eight digits: rational, for the provers of polynomials.
_GAMMA = (sp.Rational(57721566, 10**8), sp.Rational(57721567, 10**8))
_FACTORIALS = (sp.factorial, sp.binomial, sp.catalan)


def stirling(task: Task) -> Argument | None:
    """Positive products with factorials, by their logarithms and the bounds of these.

    Takes order comparisons of two products of powers with factorials or binomial coefficients of integers
    >= 1. Promises that, that the other factors are positive, and what is left without factorials, as lemmas.
    """
    c = task.comparison
    small, large = (sp.factor_terms(evaluated(e)) for e in (c.lhs, c.rhs))
    op = c.op
    if op in (">", ">="):
        small, large, op = large, small, {">": "<", ">=": "<="}[op]
    if small.is_Add or large.is_Add or small.is_zero or large.is_zero:
        return None
    slots: dict[Any, Any] = {}
    total = _ZERO
    for side, sign in ((small, 1), (large, -1)):
        for factor in sp.Mul.make_args(side):
            found = _logarithm(factor, slots, task)
            if found is None:
                return None
            total += sign * found
    total = sp.expand(total)
    if not slots or total.count_ops() > _MAX_OPS:
        return None
    bounds: dict[Any, Any] = {}
    strict = op == "<" and not _some_nonzero(total, slots)
    for n, slot in slots.items():
        direction = _sign(sp.diff(total, slot), slot, task)
        if direction is None or not _at_least_one(n, task):
            return None
        remainder = 1 / (12 * n) if direction > 0 else 1 / (12 * n + 1)
        log = logarithm(n, task)
        if log is None:
            return None
        bounds[slot] = (n + sp.Rational(1, 2)) * log - n + sp.log(2 * sp.pi) / 2 + remainder
    # log(2 pi) as a sum cancels against constants of the statement.
    left = sp.expand(sp.expand_log(sp.expand(total.xreplace(bounds)), deep=True))
    if not _below_zero(left, task, "<" if strict else "<="):
        return None
    return Argument(
        "Stirling's formula with Robbins' remainders",
        (f"log of the smaller side over the larger <= {left}", f"factorials of {_listed(slots)}"),
    )


def _some_nonzero(total: Any, slots: dict[Any, Any]) -> bool:
    """Whether one of the bounds is used with a weight that is not 0: the bounds are strict."""
    return any(sp.diff(total, slot).is_nonzero for slot in slots.values())


def _below_zero(left: Any, task: Task, op: str) -> bool:
    """Logarithms and the remainders apart, or both together."""
    logs, rest = left.as_independent(sp.log, as_Add=True)[::-1]
    if rest.free_symbols and logs != 0:
        before = len(task.used)
        if all(task.lemma(Comparison(op, e, _ZERO)) for e in (rest, logs)):
            return True
        task.forget(before)
    return task.lemma(Comparison(op, left, _ZERO))


def _logarithm(factor: Any, slots: dict[Any, Any], task: Task) -> Any | None:
    """log of a positive factor, those of factorials as names in ``slots``."""
    base, exponent = factor.as_base_exp()
    if not isinstance(base, _FACTORIALS):
        return None if factor.has(*_FACTORIALS) else logarithm(factor, task)
    total = _ZERO
    for n, power in _in_factorials(base):
        total += power * slots.setdefault(sp.expand(n), sp.Dummy("log_factorial", real=True))
    if isinstance(base, sp.catalan):
        total -= sp.log(base.args[0] + 1)
    return sp.expand(exponent * total)


def _in_factorials(head: Any) -> list[tuple[Any, int]]:
    if isinstance(head, sp.binomial):
        a, b = head.args
        return [(a, 1), (b, -1), (a - b, -1)]
    (a,) = head.args
    return [(2 * a, 1), (a, -2)] if isinstance(head, sp.catalan) else [(a, 1)]


def _at_least_one(n: Any, task: Task) -> bool:
    return bool(n.is_integer) and (n.is_positive or task.lemma(Comparison(">=", n, _ONE)))


def _sign(weight: Any, slot: Any, task: Task) -> int | None:
    if slot in weight.free_symbols:
        return None
    for op, sign, known in ((">=", 1, weight.is_nonnegative), ("<=", -1, weight.is_nonpositive)):
        if known or task.lemma(Comparison(op, weight, _ZERO)):
            return sign
    return None


def harmonic(task: Task) -> Argument | None:
    """Harmonic numbers by logarithms and the terms after them.

    Takes order comparisons linear in harmonic numbers of integers >= 1. Promises that, the signs of their
    coefficients, and what is left without harmonic numbers, as lemmas.
    """
    c = task.comparison
    small, large = (evaluated(e) for e in (c.lhs, c.rhs))
    op = c.op
    if op in (">", ">="):
        small, large, op = large, small, {">": "<", ">=": "<="}[op]
    difference = sp.expand(small - large)
    nodes = sorted(difference.atoms(sp.harmonic), key=str)
    if not nodes or difference.count_ops() > _MAX_OPS:
        return None
    slots = {h: sp.Dummy("harmonic", real=True) for h in nodes}
    total = difference.xreplace(slots)
    bounds: dict[Any, Any] = {}
    strict = op == "<" and not _some_nonzero(total, slots)
    for h, slot in slots.items():
        n = h.args[0]
        sign = _sign(sp.diff(total, slot), slot, task) if len(h.args) == 1 else None
        if sign is None or not _at_least_one(n, task):
            return None
        log = logarithm(n, task)
        if log is None:
            return None
        further = sp.Rational(1, 120) / n**4 if sign > 0 else _ZERO
        bounds[slot] = log + sp.EulerGamma + 1 / (2 * n) - 1 / (12 * n**2) + further
    left = sp.expand(total.xreplace(bounds))
    weight = left.coeff(sp.EulerGamma)
    rest = sp.expand(left - weight * sp.EulerGamma)
    if not weight.is_Rational or rest.has(sp.EulerGamma):
        return None
    left = rest + weight * _GAMMA[weight.is_nonnegative is True]
    if not task.lemma(Comparison("<" if strict else "<=", left, _ZERO)):
        return None
    return Argument(
        "harmonic numbers by logarithms and remainders",
        (f"the smaller side less the larger <= {left}", f"harmonic numbers of {_listed(slots)}"),
    )


def _listed(slots: dict[Any, Any]) -> str:
    return ", ".join(map(str, slots))


def _orders(task: Task) -> bool:
    return task.depth <= _MAX_DEPTH and task.comparison.op in ("<", "<=", ">", ">=")


def _has(task: Task, *heads: Any) -> bool:
    c = task.comparison
    return _orders(task) and (c.lhs.has(*heads) or c.rhs.has(*heads))


STIRLING = Method(
    "Stirling's formula", 0.6, lambda t: not t.is_line and _has(t, *_FACTORIALS), stirling
)
HARMONIC = Method("harmonic numbers", 0.6, lambda t: _has(t, sp.harmonic), harmonic)
