"""Euler's totient and the functions of divisors, at powers of primes.

For a prime p and e >= 1, totient(p**e) = p**e - p**(e - 1). For e >= 0, p**e has e + 1 divisors, the powers of p up
to it; the sum of their s-th powers is (p**(s (e + 1)) - 1)/(p**s - 1) for s >= 1. It has e prime factors.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 1
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_HEADS = ("totient", "divisor_count", "divisor_sigma", "primeomega")


def prove(task: Task) -> Argument | None:
    """The comparison with such functions of prime powers written out.

    Takes comparisons with one of them at a power of a prime, a number or a name that ranges over primes. Promises the
    bound of the exponent and what is left, as lemmas.
    """
    c = task.comparison
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    found = {}
    for node in sorted(_nodes(sides), key=sp.default_sort_key):
        value = _value(node, task)
        if value is not None:
            found[node] = value
    if not found:
        return None
    left = Comparison(c.op, *(e.xreplace(found) for e in sides))
    if not task.lemma(left):
        return None
    return Argument("functions of prime powers", tuple(f"{n} = {v}" for n, v in found.items()))


def _nodes(sides: list[Any]) -> set[Any]:
    return {
        n
        for e in sides
        for n in sp.preorder_traversal(e)
        if type(n).__name__ in _HEADS and n.free_symbols
    }


def _value(node: Any, task: Task) -> Any | None:
    p, e = node.args[0].as_base_exp()
    primes = {v.symbol for v in task.region.variables if v.kind == "prime"}
    if not (p in primes or (p.is_Integer and sp.isprime(p))) or not e.is_integer:
        return None
    head = type(node).__name__
    if not task.lemma(Comparison(">=", e, _ONE if head == "totient" else _ZERO)):
        return None
    if head == "totient":
        return p**e - p ** (e - 1)
    if head == "divisor_count":
        return e + 1
    if head == "primeomega":
        return e
    s = node.args[1] if len(node.args) > 1 else _ONE
    return (p ** (s * (e + 1)) - 1) / (p**s - 1) if s.is_Integer and s >= 1 else None


METHOD = Method(
    "functions of prime powers",
    0.3,
    lambda t: t.depth <= _MAX_DEPTH and bool(_nodes([t.comparison.lhs, t.comparison.rhs])),
    prove,
)

__all__ = ["METHOD"]
