"""Polynomials that are quadratic in a name, by completing the square; roots, by squaring.

Completing: for p = a v**2 + b v + c,

    4 a p = (2 a v + b)**2 + (4 a c - b**2).

If a >= 0 and 4 a c - b**2 >= 0 at every point, p >= 0 wherever a > 0. A polynomial a that is not zero vanishes
on no open set, so that a > 0 on a dense part of a region that is the closure of its interior, and p >= 0 on the
whole of it by continuity. If a > 0 and 4 a c - b**2 > 0 everywhere, p > 0. Both conditions have a name less.

Squaring: T + R >= 0, where T is a positive multiple of a product of square roots, follows from R**2 <= T**2;
R - T >= 0 from R >= 0 and R**2 >= T**2; T_1 + ... + T_k >= S, where S >= 0 is a root or 0, from the squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 8
_MAX_TERMS = 150
_ZERO = sp.Integer(0)


def _difference(c: Comparison) -> tuple[Any, str] | None:
    """(larger - smaller, op) of an order comparison, op one of > and >=."""
    if c.op not in ("<", "<=", ">", ">="):
        return None
    lhs, rhs = evaluated(c.lhs), evaluated(c.rhs)
    return (rhs - lhs if c.op in ("<", "<=") else lhs - rhs), c.op.replace("<", ">")


def by_square(task: Task) -> Argument | None:
    """A polynomial completed to a square in one of its names.

    Takes order comparisons of polynomials with rational coefficients in real names without hypotheses,
    on ranges between numbers with low < high. Promises the two conditions of the module as lemmas. Gives
    up where no name is quadratic.
    """
    found = _difference(task.comparison)
    if found is None or task.depth > _MAX_DEPTH or not _is_open_box(task):
        return None
    names = [v.symbol for v in task.region.variables]
    f, op = sp.expand(found[0]), found[1]
    if not f.is_polynomial(*names):
        return None
    poly = sp.Poly(f, *names)
    if len(poly.terms()) > _MAX_TERMS or not all(k.is_Rational for k in poly.coeffs()):
        return None
    quadratic = [v for v in names if poly.degree(v) == 2]
    options = [(v, *_completed(f, v)) for v in quadratic]
    for v, a, rest in sorted(options, key=lambda o: o[2].count_ops()):
        if task.clock.out():
            return None
        before = len(task.used)
        if all(_holds(op, part, task) for part in (a, rest)):
            return Argument(
                f"the square completed in {v}",
                (f"4*({a}) times the difference is a square plus {rest}",),
            )
        task.forget(before)
    return None


def _completed(f: Any, v: Any) -> tuple[Any, Any]:
    """(a, 4ac - b**2) as products."""
    a, b, c = sp.Poly(f, v).all_coeffs()
    return sp.factor(a), sp.factor(4 * a * c - b**2)


def _holds(op: str, e: Any, task: Task) -> bool:
    """Whether a product is > 0 or >= 0: even powers of real factors are dropped where 0 is allowed."""
    if e.is_number:
        return bool(e > 0 or (e == 0 and op == ">="))
    kept = []
    for factor in sp.Mul.make_args(e):
        base, exponent = factor.as_base_exp()
        even = exponent.is_Integer and int(exponent) % 2 == 0
        if not (even and op == ">="):
            kept.append(base if exponent.is_Integer and int(exponent) % 2 else factor)
    product = sp.Mul(*kept)
    if product.is_number:
        return bool(product > 0)
    if product.is_nonnegative and op == ">=":
        return True
    return task.lemma(Comparison(op, product, _ZERO))


def _is_open_box(task: Task) -> bool:
    """Whether the region is a box with an interior point, without hypotheses."""
    for v in task.region.variables:
        if v.kind != "real" or v.low.free_symbols or v.high.free_symbols:
            return False
        if not bool(v.low < v.high):
            return False
    return not task.region.hypotheses


def by_roots(task: Task) -> Argument | None:
    """Square roots of names, squared.

    Takes order comparisons with square roots, or products of them, as terms. Promises what the module
    says as lemmas; that what stands under a root is >= 0 is proved before. Gives up where roots of both
    signs are more than one on the smaller side, or the squares are not proved.
    """
    found = _difference(task.comparison)
    if found is None or task.depth > _MAX_DEPTH:
        return None
    f, op = sp.expand(found[0]), found[1]
    terms = sp.Add.make_args(f)
    roots = [t for t in terms if _is_root(t)]
    rest = sp.Add(*(t for t in terms if not _is_root(t)))
    if not roots or _has_roots(rest):
        return None
    above = [t for t in roots if t.as_coeff_Mul()[0] > 0]
    below = [-t for t in roots if t.as_coeff_Mul()[0] < 0]
    if len(above) == 1 and not below:
        # T > -R where R > 0, and where R**2 < T**2.
        return _squared(task, op, above, -rest)
    if len(below) == 1 and not above:
        if not task.lemma(Comparison(op, rest, _ZERO)):
            return None
        return _squared(task, op, [rest], below[0])
    if len(below) <= 1 and rest == 0 and len(above) <= 3:
        return _squared(task, op, above, below[0] if below else _ZERO)
    return None


def _squared(task: Task, op: str, larger: Sequence[Any], smaller: Any) -> Argument | None:
    """The sum of ``larger``, all >= 0, against ``smaller``, by their squares."""
    left = _without_squares(sp.expand(sp.Add(*larger) ** 2))
    right = _without_squares(sp.expand(smaller**2))
    if not task.lemma(Comparison(op, left, right)):
        return None
    return Argument("both sides squared", (f"{left} {op} {right}",))


def _without_squares(e: Any) -> Any:
    """sqrt(u) sqrt(u) as u, in every term."""
    return sp.expand(sp.powsimp(e))


def _is_root(term: Any) -> bool:
    """A rational multiple of a product of square roots with names under them."""
    factor, rest = term.as_coeff_Mul()
    if not factor.is_Rational or factor == 0:
        return False
    halves = [p.is_Pow and p.exp == sp.Rational(1, 2) for p in sp.Mul.make_args(rest)]
    return bool(rest.free_symbols) and all(halves)


def _has_roots(e: Any) -> bool:
    return any(
        p.exp.is_Rational and not p.exp.is_Integer and p.base.free_symbols for p in e.atoms(sp.Pow)
    )


def _roots_occur(task: Task) -> bool:
    return any(_has_roots(e) for e in (task.comparison.lhs, task.comparison.rhs))


SQUARE = Method("the square completed", 0.5, lambda t: not t.is_line, by_square)
ROOTS = Method(
    "roots squared", 0.5, lambda t: not t.is_line and t.depth <= 3 and _roots_occur(t), by_roots
)
