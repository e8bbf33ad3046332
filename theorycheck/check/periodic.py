"""Congruences for all integers: what depends on a name through residues only is periodic in it."""

from __future__ import annotations

import itertools
from math import gcd, lcm
from typing import Any

import sympy as sp

from theorycheck.check.domain import Domains, Value
from theorycheck.check.forms import evaluated
from theorycheck.check.judge import EXCLUDED, FAILS, HOLDS, UNDEFINED, Judge
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Found
from theorycheck.check.text import Comparison

_MAX_PERIOD = 50_000


def prove(task: Task) -> Argument | None:
    """One full period of every name, exactly.

    Takes Mod(f, m) and gcd(f, m) for polynomials f with rational coefficients and constants m, also
    with powers b**n in them, (-1)**f, and nothing else that depends on the names, which are integers.
    Hypotheses of this form leave out the classes at which they are false; others are not used.
    Promises that both sides repeat with the period. Gives up where no period is seen, beyond 50,000
    points, or at the first undecided point. Raises Found with a failing point.
    """
    c, region, clock = task.comparison, task.region, task.clock
    names = [v.name for v in region.variables]
    if not names or not all(v.symbol.is_integer and v.kind == "integer" for v in region.variables):
        return None
    period = _common(c)
    if period is None:
        # What is left of floors after their linear parts cancel.
        period = _period(sp.expand(_without_floors(c.lhs) - _without_floors(c.rhs)))
    if period is None:
        return None
    # A hypothesis that is periodic too leaves whole classes out; any other is not needed.
    classes = [h for h in region.hypotheses if isinstance(h, Comparison) and _common(h)]
    period = lcm(period, *(_common(h) or 1 for h in classes))
    tail = _tail(*(side for f in (c, *classes) for side in (f.lhs, f.rhs)))
    if tail and any(v.low.is_infinite for v in region.variables):
        return None
    if (period + tail) ** len(names) > _MAX_PERIOD or any(
        v.low.free_symbols or v.high.free_symbols for v in region.variables
    ):
        return None
    judge = Judge(Domains(region.variables), c, classes)
    starts = [_start(v) for v in region.variables]
    failing: list[dict[str, Value]] = []
    for offsets in itertools.product(range(period + tail), repeat=len(names)):
        if clock.out():
            return None
        point = {n: s + o for n, s, o in zip(names, starts, offsets, strict=True)}
        if tail and not judge.contains(point):
            continue  # a short range ends before its period does
        status = judge.at(point).status
        if status in (FAILS, UNDEFINED):
            failing.append(point)
            break
        if status not in (HOLDS, EXCLUDED):
            return None
    if failing:
        raise Found([p for p in failing if judge.contains(p)])
    return Argument(
        f"residues: one period of {period}, exactly",
        (f"each of {', '.join(names)} from {starts} on through {period + tail} values",),
    )


METHOD = Method("residues", 0.3, lambda t: t.depth == 0, prove)


def _common(c: Comparison) -> int | None:
    """A period of both sides, None if one of them has none that is known."""
    left, right = _period(c.lhs), _period(c.rhs)
    return None if left is None or right is None else lcm(left, right)


def _without_floors(e: Any) -> Any:
    """floor(p/m) = (p - Mod(p, m))/m for polynomials p with integer coefficients."""
    e = evaluated(e)
    mapping = {}
    for f in e.atoms(sp.floor, sp.ceiling):
        u = sp.expand(f.args[0] if isinstance(f, sp.floor) else -f.args[0])
        m = _denominator(u)
        if m is None:
            continue
        value = (m * u - sp.Mod(m * u, m, evaluate=False)) / m
        mapping[f] = value if isinstance(f, sp.floor) else -value
    return e.xreplace(mapping)


def _start(v: Any) -> int:
    if v.low.is_Integer:
        return int(v.low)
    return 0


def _period(e: Any) -> int | None:
    """A period of the expression in every name, None if it has none that is known."""
    if not e.free_symbols:
        return 1
    name = type(e).__name__
    if name in ("Mod", "gcd"):
        constants = [a for a in e.args if not a.free_symbols]
        others = [a for a in e.args if a.free_symbols]
        if name == "Mod" and (len(others) != 1 or others[0] is not e.args[0]):
            return None
        if name == "gcd" and not constants:
            return _common_period(others)
        if not constants or not all(k.is_Integer and k != 0 for k in constants):
            return None
        modulus = abs(int(constants[0]))
        return _residues(others, modulus)
    if e.is_Pow and e.args[0] == -1:
        d = _denominator(e.args[1])
        return None if d is None else 2 * d
    if e.is_Add or e.is_Mul or e.is_Pow or e.is_Function:
        period = 1
        for a in e.args:
            inner = _period(a)
            if inner is None:
                return None
            period = lcm(period, inner)
        return period if not isinstance(e, sp.Sum | sp.Product) else None
    return None


def _common_period(polynomials: list[Any]) -> int | None:
    """Of the gcd of two polynomials in one name with integer coefficients and resultant r != 0: r is
    u*f + v*g for integer polynomials u and v, so that gcd(f, g) divides r and is gcd(f, g, r)."""
    names = set().union(*(f.free_symbols for f in polynomials))
    if len(polynomials) != 2 or len(names) != 1:
        return None
    f, g = (sp.Poly(e, *names) if e.is_polynomial(*names) else None for e in polynomials)
    if f is None or g is None or not all(k.is_Integer for p in (f, g) for k in p.coeffs()):
        return None
    r = abs(int(sp.resultant(f, g)))
    return _residues(polynomials, r) if 0 < r <= _MAX_PERIOD else None


def _residues(polynomials: list[Any], modulus: int) -> int | None:
    """A period of residues of polynomials in the names and in powers b**(a*n + c)."""
    period = modulus
    for f in polynomials:
        expanded = sp.expand(f)
        mapping = {}
        for power in _powers(expanded):
            steps = _power_period(power, modulus)
            if steps is None:
                return None
            period = lcm(period, steps)
            mapping[power] = sp.Dummy(integer=True)
        rest = expanded.xreplace(mapping)
        d = _denominator(rest)
        if d is None or (mapping and d != 1):
            return None
        period = lcm(period, modulus * d)
    return period


def _powers(e: Any) -> list[Any]:
    return [p for p in e.atoms(sp.Pow) if p.args[1].free_symbols]


def _power_period(power: Any, modulus: int) -> int | None:
    """Of b**(a*n + c) modulo m, from an exponent of at least log2(m) on; a, c >= 0 integers, n >= 0."""
    base, exponent = power.args
    if not base.is_Integer or not exponent.is_nonnegative:
        return None
    symbols = sorted(exponent.free_symbols, key=str)
    if not exponent.is_polynomial(*symbols) or sp.Poly(exponent, *symbols).total_degree() != 1:
        return None
    if not all(k.is_Integer for k in sp.Poly(exponent, *symbols).coeffs()):
        return None
    b, coprime = int(base) % modulus, modulus
    while (common := gcd(b, coprime)) > 1:
        coprime //= common
    return int(sp.n_order(b, coprime)) if coprime > 1 else 1


def _tail(*sides: Any) -> int:
    """How far from the start powers may be before they are periodic: at most log2 of the modulus."""
    longest = 0
    for e in sides:
        for node in sp.preorder_traversal(e):
            if type(node).__name__ in ("Mod", "gcd") and _powers(sp.expand(node.args[0])):
                moduli = [a for a in node.args if a.is_Integer]
                longest = max([longest, *(abs(int(m)).bit_length() for m in moduli)])
    return longest


def _denominator(f: Any) -> int | None:
    """d such that f(n + d*m) = f(n) modulo m for all integers n and m."""
    expanded = sp.expand(f)
    symbols = sorted(expanded.free_symbols, key=str)
    if not expanded.is_polynomial(*symbols):
        return None
    coefficients = sp.Poly(expanded, *symbols).coeffs()
    if not all(k.is_Rational for k in coefficients):
        return None
    return lcm(*(int(k.q) for k in coefficients))
