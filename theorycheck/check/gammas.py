"""Shifts, reflections and doublings of the gamma function, its logarithm and the derivatives of that.

With psi(m, .) the m-th derivative of the logarithmic derivative of gamma,

    gamma(u + 1) = u gamma(u),    log gamma(u + 1) = log gamma(u) + log(u) for u > 0,
    psi(m, u + 1) = psi(m, u) + (-1)**m m!/u**(m + 1)

bring arguments that differ by integers to one of them. For u that is no integer

    gamma(u) gamma(1 - u) = pi/sin(pi u),    psi(0, 1 - u) = psi(0, u) + pi cot(pi u)

and the derivatives of the latter bring arguments that add up to an integer to one of the two, and Legendre's

    gamma(2 u) = 2**(2 u - 1)/sqrt(pi) gamma(u) gamma(u + 1/2)

with its logarithm (for u > 0) and their derivatives the double of an argument to it.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 4
_MAX_APART = 8
_MAX_ORDER = 4
_ZERO, _ONE, _HALF = sp.Integer(0), sp.Integer(1), sp.Rational(1, 2)
_HEADS = (sp.gamma, sp.loggamma, sp.polygamma)


def prove(task: Task) -> Argument | None:
    """The comparison with related values of one of the functions written by each other.

    Takes comparisons with two or more values. Promises, as lemmas, that a reflected argument has no sine of zero,
    that the factors of a shift are not 0 (of a logarithm positive), and what is left.
    """
    c = task.comparison
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    nodes = sorted({n for e in sides for n in e.atoms(*_HEADS)}, key=sp.default_sort_key)
    doubled = {n: w for n in nodes if (w := _double(n, nodes, task)) is not None}
    sides = [e.xreplace(doubled) for e in sides]
    nodes = sorted({n for e in sides for n in e.atoms(*_HEADS)}, key=sp.default_sort_key)
    kept: list[Any] = []
    found: dict[Any, Any] = {}
    for node in nodes:
        value = next((w for other in kept if (w := _by(other, node, task)) is not None), None)
        if value is None:
            kept.append(node)
        else:
            found[node] = value
    if not found and not doubled:
        return None
    left = [sp.expand_log(evaluated(e.xreplace(found))) for e in sides]
    if not task.lemma(Comparison(c.op, *left)):
        return None
    facts = [f"{n} = {v}" for n, v in (*doubled.items(), *found.items())]
    return Argument("values of gamma by each other", tuple(facts))


def _by(known: Any, node: Any, task: Task) -> Any | None:
    """A value by another of the same function; None where they are not related, or a factor may vanish."""
    if type(known) is not type(node) or known.args[:-1] != node.args[:-1]:
        return None
    u, w = known.args[-1], node.args[-1]
    apart = sp.expand(w - u)
    if apart.is_Integer and abs(apart) <= _MAX_APART:
        return _shifted(known, known, int(apart), task)
    total = sp.expand(w + u)
    if total.is_Integer and abs(total) <= _MAX_APART:
        wave = sp.sin(sp.pi * u)
        if isinstance(node, sp.gamma):
            reflected = sp.pi / (wave * known)
        elif isinstance(node, sp.polygamma) and node.args[0] <= _MAX_ORDER:
            reflected = _reflected(known)
        else:
            return None
        if not task.lemma(Comparison("!=", wave, _ZERO)):
            return None
        return _shifted(node.func(*node.args[:-1], 1 - u), reflected, int(total) - 1, task)
    return None


def _reflected(known: Any) -> Any:
    """psi(m, 1 - u) by psi(m, u)."""
    m, u = known.args
    x = sp.Dummy("x")
    slope = sp.diff(sp.pi * sp.cos(sp.pi * x) / sp.sin(sp.pi * x), x, int(m))
    return (-1) ** m * (known + slope.xreplace({x: u}))


def _shifted(node: Any, value: Any, steps: int, task: Task) -> Any | None:
    """The function at the argument of ``node`` plus so many steps, where ``value`` is its value there."""
    at = node.args[-1]
    places = [at + i for i in (range(steps) if steps > 0 else range(steps, 0))]
    op = ">" if isinstance(node, sp.loggamma) else "!="
    if not all(u.is_positive or task.lemma(Comparison(op, u, _ZERO)) for u in places):
        return None
    if isinstance(node, sp.gamma):
        return value * sp.Mul(*places) if steps >= 0 else value / sp.Mul(*places)
    if isinstance(node, sp.loggamma):
        change = sp.Add(*(sp.log(u) for u in places))
    else:
        m = node.args[0]
        change = sp.Add(*((-1) ** m * sp.factorial(m) / u ** (m + 1) for u in places))
    return value + change if steps >= 0 else value - change


def _double(node: Any, nodes: list[Any], task: Task) -> Any | None:
    """A value at w by those at w/2 and (w + 1)/2, where there is one of them, up to integers."""
    half = node.args[-1] / 2
    head, order = node.func, node.args[:-1]
    if not half.free_symbols or not any(_near(n, node) for n in nodes):
        return None
    first, second = head(*order, half), head(*order, half + _HALF)
    if isinstance(node, sp.gamma):
        return 2 ** (2 * half - 1) / sp.sqrt(sp.pi) * first * second
    if isinstance(node, sp.loggamma):
        if not (half.is_positive or task.lemma(Comparison(">", half, _ZERO))):
            return None
        return (2 * half - 1) * sp.log(2) - sp.log(sp.pi) / 2 + first + second
    m = order[0]
    return (first + second) / 2 ** (m + 1) + (sp.log(2) if m == 0 else _ZERO)


def _near(other: Any, node: Any) -> bool:
    """Whether twice the argument of the other is that of the node up to an integer."""
    if type(other) is not type(node) or other.args[:-1] != node.args[:-1]:
        return False
    apart = sp.expand(2 * other.args[-1] - node.args[-1])
    return bool(apart.is_Integer and abs(apart) <= _MAX_APART)


def _applies(task: Task) -> bool:
    c = task.comparison
    values = {n for e in (c.lhs, c.rhs) for n in e.atoms(*_HEADS, sp.digamma, sp.trigamma)}
    return task.depth <= _MAX_DEPTH and len(values) > 1


METHOD = Method("values of gamma by each other", 0.3, _applies, prove)
