"""Statements about all integers n >= a: by induction from n to n + 1, step and start both proved.

Sums: the difference of the sides changes by a term that has no sum left. Products, factorials and
binomials: the quotient of the sides changes by a rational factor. Sums whose terms depend on n: a
certificate in the manner of Wilf and Zeilberger, found by Gosper's algorithm and then verified.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck import balls
from theorycheck.check import expansions
from theorycheck.check.certificates import constant_quotient
from theorycheck.check.domain import Domains, Variable
from theorycheck.check.forms import evaluated, no_gap, shifted_difference
from theorycheck.check.identities import equal, quotient, simpler
from theorycheck.check.judge import FAILS, HOLDS, UNDEFINED, Judge
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Found, Region
from theorycheck.check.text import Comparison

_STARTS = 60
_MAX_APART = 8


def prove(task: Task) -> Argument | None:
    """Start and step, for one integer name without an end.

    Takes comparisons in one integer name with a constant lower end and no hypotheses. Promises the
    start by exact evaluation and the step as a lemma for all later integers (or a certificate that is
    verified). Gives up where the step is not of a known kind, or not proved from the first few starts
    on. Raises Found where a start fails.
    """
    region = task.region
    n = region.variables[0]
    if n.kind != "integer" or not n.low.is_Integer or region.hypotheses:
        return None
    lhs, rhs = evaluated(task.comparison.lhs), evaluated(task.comparison.rhs)
    for method in (_difference, _isolated, _certificate, _quotient):
        found = method(lhs, rhs, n, task)
        if found:
            return found
        task.forget(0)
    return None


def _applies(task: Task) -> bool:
    """Sums, products or factorials occur, which induction takes apart."""
    c = task.comparison
    heads = (sp.Sum, sp.Product, sp.factorial, sp.binomial, sp.harmonic, sp.catalan, sp.gamma)
    return task.depth <= 1 and task.is_line and bool(c.lhs.has(*heads) or c.rhs.has(*heads))


METHOD = Method("induction", 0.7, _applies, prove)


def starts(c: Comparison, region: Region, first: int, last: int) -> bool:
    """The statement at the integers from first to last. Raises Found where it fails."""
    judge = Judge(Domains(region.variables), c, ())
    name = region.variables[0].name
    for k in range(first, last + 1):
        if not judge.contains({name: k}):
            continue
        status = judge.at({name: k}).status
        if status in (FAILS, UNDEFINED):
            raise Found([{name: k}])
        if status != HOLDS:
            return False
    return True


def _from(n: Variable, first: int) -> Variable:
    """The same name, from ``first`` on without end."""
    return replace(n, low=sp.Integer(first), high=sp.oo)


def _start_text(n: Variable, first: int, last: int) -> str:
    return f"exact from {n.name} = {first} to {last}"


def _step_text(n: Variable, start: int, change: str) -> str:
    return f"for {n.name} >= {start}: from {n.name} to {n.name} + 1, {change}"


def _difference(lhs: Any, rhs: Any, n: Variable, task: Task) -> Argument | None:
    """lhs - rhs moves in the right direction with n, from a start of the right sign."""
    c = task.comparison
    if not (lhs - rhs).has(sp.Sum, sp.harmonic, sp.log):
        return None
    step = shifted_difference(lhs - rhs, n.symbol, int(n.low))
    if step is None:
        return None
    step = _with_one_harmonic(step, n.symbol)
    if step.has(sp.Sum, sp.harmonic):
        return None
    if step.has(sp.factorial) and c.op != "==":
        return _to_limit(lhs - rhs, step, n, task)
    first = int(n.low)
    op = {"<": "<=", ">": ">=", "!=": "=="}.get(c.op, c.op)
    if c.op == "!=":
        return None
    for start in (first, first + 1, first + 2, first + 5, first + 20):
        if task.clock.out():
            return None
        larger = Region((_from(n, start),))
        if task.lemma(Comparison(op, step, sp.Integer(0)), larger):
            if starts(c, task.region, first, start):
                return Argument(
                    "induction: the difference of the sides moves the right way",
                    (
                        _start_text(n, first, start),
                        _step_text(n, start, f"lhs - rhs changes by {step}"),
                    ),
                )
            return None
        if op == "==":
            return None
    return _to_limit(lhs - rhs, step, n, task)


def _with_one_harmonic(step: Any, n: Any) -> Any:
    """H(n + m) as H(n) + 1/(n + 1) + ... + 1/(n + m)."""
    values = {}
    for h in step.atoms(sp.harmonic):
        apart = sp.expand(h.args[0] - n)
        if len(h.args) == 1 and apart.is_Integer and 0 < apart <= _MAX_APART:
            values[h] = sp.harmonic(n) + sp.Add(*(1 / (n + i) for i in range(1, int(apart) + 1)))
    return sp.expand(step.xreplace(values))


def _isolated(lhs: Any, rhs: Any, n: Variable, task: Task) -> Argument | None:
    """One sum S with a positive factor A that moves with n: A S + B against 0 is S + B/A against 0."""
    sums = [s for s in (lhs - rhs).atoms(sp.Sum, sp.harmonic) if n.symbol in s.free_symbols]
    if len(sums) != 1:
        return None
    slot = sp.Dummy(real=True)
    difference = sp.expand((lhs - rhs).xreplace({sums[0]: slot}))
    factor = sp.factor(sp.diff(difference, slot))
    if slot in factor.free_symbols or n.symbol not in factor.free_symbols:
        return None
    if not task.lemma(Comparison(">", factor, sp.Integer(0))):
        return None
    rest = sp.cancel(difference.xreplace({slot: sp.Integer(0)}) / factor)
    return _difference(sums[0], -rest, n, task)


def _certificate(lhs: Any, rhs: Any, n: Variable, task: Task) -> Argument | None:
    """An equality of a sum, whose terms depend on n, with a closed form."""
    c = task.comparison
    if c.op != "==":
        return None
    total, closed = (lhs, rhs) if lhs.has(sp.Sum) else (rhs, lhs)
    if not isinstance(total, sp.Sum) or not no_gap(total, n.symbol, int(n.low)):
        return None
    zero = sp.Integer(0)
    first = int(n.low)
    for start in (first, first + 1):
        larger = Region((_from(n, start),))
        if _positive(closed, n.symbol, start) or task.lemma(Comparison(">", closed, zero), larger):
            certificate = constant_quotient(total, closed, n.symbol)
            if certificate is not None and starts(c, task.region, first, start):
                return Argument(
                    "a Wilf-Zeilberger certificate",
                    (_start_text(n, first, start), certificate),
                )
            return None
    return None


def _positive(e: Any, n: Any, first: int) -> bool:
    """Whether a product of factorials, binomials, powers and polynomials is plainly > 0 from first on."""

    def grows(argument: Any, least: int) -> bool:
        shifted = sp.expand(argument.xreplace({n: n + first}))
        if not shifted.is_polynomial(n):
            return False
        coefficients = sp.Poly(shifted, n).all_coeffs()
        return all(a.is_nonnegative for a in coefficients) and bool(coefficients[-1] >= least)

    for factor in sp.Mul.make_args(e):
        base, exponent = factor.as_base_exp()
        if not exponent.is_real:
            return False
        if isinstance(base, sp.binomial):
            above, below = base.args
            good = grows(below, 0) and grows(above - below, 0)
        elif isinstance(base, sp.factorial | sp.catalan):
            good = grows(base.args[0], 0)
        else:
            good = bool(base.is_positive) or grows(base, 1)
        if not good:
            return False
    return True


def _to_limit(f: Any, step: Any, n: Variable, task: Task) -> Argument | None:
    """lhs - rhs tends to 0 and moves towards it: it keeps its sign for all n."""
    c = task.comparison
    if c.op not in ("<", "<=", ">", ">="):
        return None
    towards = "<=" if c.op in (">", ">=") else ">="
    strict = {"<=": "<", ">=": ">"}[towards]
    if n.high != sp.oo and not n.high.is_Integer:
        return None
    first = int(n.low)
    for start in (first, first + 5):
        larger = Region((_from(n, start),))
        moves = step if strict == ">" else -step
        if _positive(moves, n.symbol, start) or task.lemma(
            Comparison(strict, step, sp.Integer(0)), larger
        ):
            limit = _limit(f, n.symbol)
            wanted = 1 if c.op in (">", ">=") else -1
            if limit is not None and starts(c, task.region, first, start):
                sign = balls.sign(limit, {})
                if sign in (0, wanted):
                    return Argument(
                        "the difference of the sides moves to a limit of the right sign",
                        (_step_text(n, start, f"lhs - rhs changes by {step}"), f"limit {limit}"),
                    )
            return None
    return None


def _quotient(lhs: Any, rhs: Any, n: Variable, task: Task) -> Argument | None:
    """lhs/rhs is positive and moves in the right direction, from a start on the right side of 1."""
    c = task.comparison
    heads = (sp.factorial, sp.binomial, sp.gamma, sp.catalan, sp.Product)
    if c.op == "!=" or not (lhs.has(*heads) or rhs.has(*heads)):
        return None
    x = n.symbol
    ratios = [r for r in (_ratio(side, x, int(n.low)) for side in (lhs, rhs)) if r is not None]
    if len(ratios) != 2:
        return None
    step = simpler(ratios[0] / ratios[1])
    first = int(n.low)
    positive = Judge(Domains(task.region.variables), Comparison(">", lhs, sp.Integer(0)), ())
    if positive.at({n.name: first}).status != HOLDS:
        return None
    if step.has(*heads):
        return None
    op = {"<": "<=", ">": ">="}.get(c.op, c.op)
    for start in (first, first + 1, first + 2, first + 5, first + 20):
        if task.clock.out():
            return None
        larger = Region((_from(n, start),))
        one = sp.Integer(1)
        if not all(task.lemma(Comparison(">", r, sp.Integer(0)), larger) for r in ratios):
            continue
        if task.lemma(Comparison(op, step, one), larger):
            if starts(c, task.region, first, start):
                return Argument(
                    "induction: the quotient of the sides moves the right way",
                    (
                        _start_text(n, first, start),
                        _step_text(n, start, f"lhs/rhs changes by the factor {step}"),
                    ),
                )
            return None
        if op == "==":
            return None
        if task.lemma(Comparison({"<=": ">", ">=": "<"}[op], step, one), larger):
            if _tends_to_one(lhs, rhs, x) and starts(c, task.region, first, start):
                return Argument(
                    "the quotient of the sides moves to the limit 1",
                    (_step_text(n, start, f"lhs/rhs changes by the factor {step}"),),
                )
            return None
    return None


def _tends_to_one(lhs: Any, rhs: Any, x: Any) -> bool:
    """Whether lhs/rhs tends to 1."""
    return expansions.limit(lhs / rhs, x, sp.oo) == 1


def _limit(f: Any, x: Any) -> Any | None:
    """The limit of f, its sums as harmonic numbers or by the whole series."""
    f = f.xreplace({s: _as_harmonic(s) for s in f.atoms(sp.Sum)})
    f = f.xreplace({s: _whole_series(s, x) for s in _alone(f)})
    found = None if f.has(sp.Sum) else expansions.limit(f, x, sp.oo)
    return found if found is not None and found.is_finite else None


def _as_harmonic(total: Any) -> Any:
    """A sum of reciprocals of consecutive integers, as a difference of harmonic numbers."""
    if len(total.limits) != 1 or total.function != 1 / total.limits[0][0]:
        return total
    _, low, high = total.limits[0]
    return sp.harmonic(high) - sp.harmonic(low - 1)


def _alone(f: Any) -> list[Any]:
    """Sums that stand with constant factors: what is lost in replacing one by its limit tends to 0."""
    slot = sp.Dummy()
    return [s for s in f.atoms(sp.Sum) if not sp.diff(f.xreplace({s: slot}), slot).free_symbols]


def _whole_series(total: Any, x: Any) -> Any:
    """The sum to infinity of c/k^s, c r^k or c/k! from its first term on, where x is the last index."""
    k, low, high = total.limits[0]
    if len(total.limits) != 1 or high != x or not (low.is_Integer and low >= 0):
        return total
    c, term = total.function.as_independent(k)
    base, exponent = term.as_base_exp()
    if c.free_symbols:
        return total
    if base == k and exponent.is_Integer and exponent < -1 and low >= 1:
        return c * (sp.zeta(-exponent) - sum(sp.Integer(i) ** exponent for i in range(1, int(low))))
    if term == 1 / sp.factorial(k):
        return c * (sp.E - sum(1 / sp.factorial(i) for i in range(int(low))))
    ratio = sp.simplify(term.xreplace({k: k + 1}) / term)
    if ratio.is_Rational and abs(ratio) < 1 and equal(term.xreplace({k: k + 1}), ratio * term):
        return c * term.xreplace({k: low}) / (1 - ratio)
    return total


def _ratio(side: Any, x: Any, first: int) -> Any | None:
    """side(n + 1)/side(n) without factorials, None if it is not so simple."""
    ratio = sp.Integer(1)
    for factor in sp.Mul.make_args(sp.powsimp(side)):
        base, exponent = factor.as_base_exp()
        if isinstance(base, sp.Product) and exponent in (1, -1):
            step = _product_step(base, x)
            if step is None or not no_gap(base, x, first):
                return None
            ratio *= step**exponent
            continue
        later = factor.xreplace({x: x + 1})
        if not factor.has(sp.factorial, sp.binomial, sp.gamma, sp.catalan):
            ratio *= later / factor
            continue
        found = None if factor.is_Add else quotient(later, factor)
        if found is None:
            return None
        ratio *= found
    return ratio


def _product_step(product: Any, x: Any) -> Any | None:
    if len(product.limits) != 1 or x in product.function.free_symbols:
        return None
    index, low, high = product.limits[0]
    if x in low.free_symbols or sp.expand(high.xreplace({x: x + 1}) - high) != 1:
        return None
    return product.function.xreplace({index: high + 1})
