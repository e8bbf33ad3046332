"""Fibonacci and Lucas numbers by powers of the golden ratio, even and odd arguments apart.

With phi = (1 + sqrt(5))/2 and all integers n, F(n) = (phi**n - (-1)**n phi**(-n))/sqrt(5) and
L(n) = phi**n + (-1)**n phi**(-n). Where n = 2 m or n = 2 m + 1 the sign is known, and what is left are powers of
numbers. Floors of such powers are settled first, while the integers among the numbers can still be seen:
floor(u) = q for an integer q if and only if q <= u < q + 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated, whole
from theorycheck.check.judge import replace as put
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, put_formula, symbols_of
from theorycheck.check.text import Comparison

_MAX_DEPTH = 1
_MOST_NAMES = 2
_MAX_OFFSET = 200
_PHI = (1 + sp.sqrt(5)) / 2
_NUMBERS = (sp.fibonacci, sp.lucas)
_ROUNDED = (sp.floor, sp.ceiling)
_ONE = sp.Integer(1)


def prove(task: Task) -> Argument | None:
    """The comparison for even and odd values of each name, Fibonacci and Lucas numbers as powers.

    Takes comparisons with Fibonacci or Lucas numbers, or floors of powers of the golden ratio, at linear places in
    one or two integer names. Promises what is left in each case, as lemmas.
    """
    names = _names(task)
    if not 0 < len(names) <= _MOST_NAMES:
        return None
    told = []
    for constants, region in _cases(names, task.region):
        halves = [e.free_symbols.pop() for e in constants.values()]
        c = task.comparison
        sides = [evaluated(_same_base(evaluated(put(e, constants)))) for e in (c.lhs, c.rhs)]
        for part in _without_floor(Comparison(task.comparison.op, *sides)):
            plain = [_in_powers(e, halves) for e in (part.lhs, part.rhs)]
            if any(e is None for e in plain) or not task.lemma(Comparison(part.op, *plain), region):
                return None
        told.append(", ".join(f"{x} = {e}" for x, e in constants.items()))
    return Argument("powers of the golden ratio, by parity", tuple(told))


def _names(task: Task) -> list[Variable]:
    """The names of which the parity matters; none where one of them is no free integer."""
    c = task.comparison
    nodes = {n for e in (c.lhs, c.rhs) for n in e.atoms(*_NUMBERS)}
    if not nodes and not (c.lhs.has(*_ROUNDED) or c.rhs.has(*_ROUNDED)):
        return []
    powers = {p for e in (c.lhs, c.rhs) for p in evaluated(e).atoms(sp.Pow) if _golden(p)}
    places = [n.args[0] for n in nodes] + [p.exp for p in powers]
    symbols = set().union(*(e.free_symbols for e in places))
    names = [v for v in task.region.variables if v.symbol in symbols]
    ends = [e for v in task.region.variables if v.symbol not in symbols for e in (v.low, v.high)]
    hidden = set().union(*(e.free_symbols for e in ends if e is not None))
    lows = all(v.low.is_Integer or v.low == -sp.oo for v in names if v.kind == "integer")
    free = lows and all(v.kind == "integer" and v.high == sp.oo for v in names)
    return names if free and not hidden & symbols else []


def _cases(names: list[Variable], region: Region) -> Iterator[tuple[dict[Any, Any], Region]]:
    """Each name n as 2 m and as 2 m + 1, m being called half_n."""
    if not names:
        yield {}, region
        return
    v, *others = names
    taken = {w.name for w in region.variables}
    name = next(
        f"half_{v.name}{i or ''}" for i in range(100) if f"half_{v.name}{i or ''}" not in taken
    )
    for odd in (0, 1):
        low = sp.ceiling((v.low - odd) / 2)
        facts = {"positive": True} if low > 0 else {"nonnegative": True} if low == 0 else {}
        m = sp.Symbol(name, integer=True, **facts)
        value = {v.symbol: 2 * m + odd}
        half = replace(v, name=name, symbol=m, low=low)
        variables = tuple(half if w.name == v.name else w for w in region.variables)
        hypotheses = tuple(
            put_formula(h, value) if v.symbol in symbols_of(h) else h for h in region.hypotheses
        )
        for constants, part in _cases(others, Region(variables, hypotheses)):
            yield {**value, **constants}, part


def _golden(power: Any) -> bool:
    """Whether it is a power of the golden ratio or of its conjugate, with names in the exponent."""
    base = power.base
    if not power.exp.free_symbols or not base.is_number or not base.has(sp.sqrt(5), sp.GoldenRatio):
        return False
    base = sp.expand(base.xreplace({sp.GoldenRatio: _PHI}))
    return base in (sp.expand(_PHI), sp.expand(1 - _PHI))


def _same_base(e: Any) -> Any:
    """Powers of the golden ratio on one base; of the conjugate too, -1/phi."""

    def rewritten(power: Any) -> Any:
        if sp.expand(power.base.xreplace({sp.GoldenRatio: _PHI})) == sp.expand(_PHI):
            return sp.GoldenRatio**power.exp
        return (-_ONE) ** power.exp * sp.GoldenRatio ** (-power.exp)

    return e.replace(lambda p: p.is_Pow and _golden(p), rewritten)


def _without_floor(c: Comparison) -> list[Comparison]:
    """floor(u) == q and its like for an integer q as two comparisons; other comparisons as they are."""
    for node, q in ((c.lhs, c.rhs), (c.rhs, c.lhs)):
        if c.op == "==" and isinstance(node, _ROUNDED) and whole(q):
            u = node.args[0]
            if isinstance(node, sp.floor):
                return [Comparison("<=", q, u), Comparison("<", u, q + 1)]
            return [Comparison("<", q - 1, u), Comparison("<=", u, q)]
    return [c]


def _in_powers(e: Any, names: list[Any]) -> Any | None:
    """Numbers and powers of the golden ratio by phi**m for each name m, over the field of sqrt(5); None where the
    parity of a place is not known, or it is not linear."""
    slots = {m: sp.Dummy(positive=True) for m in names}
    mapping = {}
    for node in e.atoms(*_NUMBERS):
        at = sp.expand(node.args[0])
        first, second = _power(at, slots), _power(-at, slots)
        if len(node.args) != 1 or at.is_even is None or first is None or second is None:
            return None
        second = second if at.is_even else -second
        lucas = isinstance(node, sp.lucas)
        mapping[node] = first + second if lucas else (first - second) / sp.sqrt(5)
    for node in e.atoms(sp.Pow):
        if node.base == sp.GoldenRatio and node.exp.free_symbols:
            mapping[node] = _power(sp.expand(node.exp), slots)
    if None in mapping.values():
        return None
    return sp.expand_mul(e.xreplace(mapping)).xreplace(
        {slot: sp.GoldenRatio**m for m, slot in slots.items()}
    )


def _power(at: Any, slots: dict[Any, Any]) -> Any | None:
    """phi to a linear form with integer coefficients, phi**b being (L(b) + F(b) sqrt(5))/2."""
    try:
        line = sp.Poly(at, *slots)
    except sp.PolynomialError:
        return None
    b = line.nth(*[0] * len(slots))
    if line.total_degree() > 1 or not all(k.is_Integer for k in line.coeffs()):
        return None
    if abs(b) > _MAX_OFFSET:
        return None
    constant = (sp.lucas(b) + sp.fibonacci(b) * sp.sqrt(5)) / 2
    return constant * sp.Mul(*(slot ** line.coeff_monomial(m) for m, slot in slots.items()))


METHOD = Method(
    "powers of the golden ratio",
    0.4,
    lambda t: t.depth <= _MAX_DEPTH and _concerns(t.comparison),
    prove,
)


def _concerns(c: Comparison) -> bool:
    numbers = c.lhs.has(*_NUMBERS) or c.rhs.has(*_NUMBERS)
    rounded = any(e.has(*_ROUNDED) and e.has(sp.GoldenRatio, sp.Pow) for e in (c.lhs, c.rhs))
    return bool(numbers or rounded)


__all__ = ["METHOD"]
