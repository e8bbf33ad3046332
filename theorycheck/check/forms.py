"""Expressions made ready for proofs: evaluated forms, where they are defined, induction steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from theorycheck.check.operators import NEGATED
from theorycheck.check.text import Comparison, Connective, Formula, Predicate

# SymPy evaluates functions of numbers at once; of longer arguments than this it may take minutes.
_SMALL = 1000
# Sums of so many given terms are written out.
_FEW_TERMS = 40


class NoCondition(Exception):
    """It is not known how to say where this expression is defined."""


def evaluated(expression: Any) -> Any:
    """SymPy's automatically simplified form: equal wherever the expression is defined."""
    if not expression.args:
        return expression
    if isinstance(expression, sp.Sum | sp.Product):
        limits = [
            (limit[0], *(evaluated(e) for e in limit.args[1:])) for limit in expression.args[1:]
        ]
        return expression.func(evaluated(expression.function), *limits)
    args = [evaluated(a) for a in expression.args]
    if all(a.is_number for a in args) and not _cheap(expression, args):
        return expression.func(*args, evaluate=False)
    try:
        return expression.func(*args)
    except (ArithmeticError, ValueError, TypeError):  # Mod(n, 0), floor(oo)**y: left as it stands
        return expression.func(*args, evaluate=False)


def written_out(expression: Any) -> Any:
    """Sums and products over few given integers, term by term; an empty one is 0 or 1."""
    if not expression.has(sp.Sum, sp.Product):
        return expression
    if isinstance(expression, sp.Sum | sp.Product):
        *inner, (index, low, high) = expression.limits
        total = sp.Integer(0 if isinstance(expression, sp.Sum) else 1)
        if not (low.is_Integer and high.is_Integer and high - low < _FEW_TERMS):
            return expression
        body = expression.func(expression.function, *inner) if inner else expression.function
        for k in range(int(low), int(high) + 1):
            term = written_out(evaluated(body.xreplace({index: sp.Integer(k)})))
            total = total + term if isinstance(expression, sp.Sum) else total * term
        return total
    args = [written_out(a) for a in expression.args]
    return expression.func(*args, evaluate=False)


def _cheap(expression: Any, args: list[Any]) -> bool:
    if expression.is_Add or expression.is_Mul:
        return True
    if expression.is_Pow:
        base, exponent = args
        if not (base.is_Rational and exponent.is_Rational):
            return True
        return bool(abs(exponent) <= _SMALL)
    return all(not a.is_Rational or abs(a) <= _SMALL for a in args)


# Functions defined for all real arguments; those of integers are listed apart.
_TOTAL = (
    *(sp.exp, sp.sin, sp.cos, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.asinh, sp.erf, sp.erfc),
    *(sp.erfi, sp.floor, sp.ceiling, sp.frac, sp.Abs, sp.sign, sp.Min, sp.Max),
)


def conditions(expression: Any) -> Iterator[Formula]:
    """Formulas that together say that the expression has a real value, innermost first.

    Raises:
        NoCondition: for what is not covered.
    """
    e = expression
    if e.is_Symbol or e.is_Number or e.is_NumberSymbol:
        return
    if isinstance(e, sp.Sum | sp.Product):
        yield from _of_sum(e)
        return
    for a in e.args:
        yield from conditions(a)
    zero, one = sp.Integer(0), sp.Integer(1)
    if e.is_Add or e.is_Mul or isinstance(e, _TOTAL):
        return
    if e.is_Pow:
        yield from _of_power(*e.args)
    elif isinstance(e, sp.log | sp.loggamma):
        yield Comparison(">", e.args[0], zero)
    elif isinstance(e, sp.asin | sp.acos):
        yield Comparison("<=", sp.Integer(-1), e.args[0])
        yield Comparison("<=", e.args[0], one)
    elif isinstance(e, sp.atanh):
        yield Comparison("<", sp.Integer(-1), e.args[0])
        yield Comparison("<", e.args[0], one)
    elif isinstance(e, sp.acosh):
        yield Comparison(">=", e.args[0], one)
    elif isinstance(e, sp.tan | sp.sec):
        yield Comparison("!=", sp.cos(e.args[0], evaluate=False), zero)
    elif isinstance(e, sp.cot | sp.csc):
        yield Comparison("!=", sp.sin(e.args[0], evaluate=False), zero)
    elif isinstance(e, sp.coth):
        yield Comparison("!=", e.args[0], zero)
    elif isinstance(e, sp.Mod):
        yield Comparison("!=", e.args[1], zero)
    elif isinstance(e, sp.gamma | sp.digamma | sp.beta):
        for a in e.args:
            yield Comparison(">", a, zero)
    elif isinstance(e, sp.factorial | sp.harmonic) and len(e.args) == 1:
        yield Comparison(">", e.args[0], sp.Integer(-1))
    elif isinstance(e, sp.binomial):
        n, k = e.args
        if not (n.is_integer and k.is_integer):
            yield Comparison(">", n, sp.Integer(-1))
            yield Comparison(">", k, sp.Integer(-1))
        elif not n.is_nonnegative:
            yield Comparison(">=", n, zero)
    elif isinstance(e, sp.fibonacci | sp.lucas | sp.catalan) and e.args[0].is_integer:
        yield Comparison(">=", e.args[0], zero)
    elif type(e).__name__ in ("gcd", "lcm") and all(a.is_integer for a in e.args):
        return
    elif type(e).__name__ in ("totient", "divisor_sigma", "divisor_count", "mobius"):
        if not all(a.is_integer for a in e.args):
            raise NoCondition(str(e))
        yield Comparison(">=", e.args[-1], one)
    else:
        raise NoCondition(str(e))


def _of_power(base: Any, exponent: Any) -> Iterator[Formula]:
    zero = sp.Integer(0)
    if exponent.is_Rational:
        if exponent.is_Integer:
            if exponent < 0 and not _never_zero(base):
                yield Comparison("!=", base, zero)
        elif not base.is_positive:
            yield Comparison(">" if exponent < 0 else ">=", base, zero)
        return
    if base.is_positive:
        return
    if exponent.is_integer and base.is_number:
        yield Comparison("!=", base, zero)
        return
    if exponent.is_integer and exponent.is_nonnegative:
        return
    yield Comparison(">", base, zero)


def _never_zero(base: Any) -> bool:
    return bool(base.is_positive or base.is_negative)


def _of_sum(e: Any) -> Iterator[Formula]:
    """Limits are integers by their form; terms are defined as functions of all integers between."""
    for limit in e.limits:
        for end in limit[1:]:
            yield from conditions(end)
            if not (end.is_integer or end.is_infinite):
                raise NoCondition(f"the limit {end} of {e}")
            if end.is_infinite:
                raise NoCondition(f"infinite sum {e}")
    if len(e.limits) > 1:
        raise NoCondition(str(e))
    index, low = e.limits[0][:2]
    if low.is_Integer or low.is_nonnegative:
        # As far as the term itself goes, the index is any integer from the first on.
        dummy = _from(index, low)
        for condition in conditions(e.function.xreplace({index: dummy})):
            if not _obvious(condition):
                raise NoCondition(f"a term of {e}")
        return
    if list(conditions(e.function)):
        raise NoCondition(f"a term of {e}")


def _from(index: Any, low: Any) -> Any:
    facts = {"integer": True}
    if low.is_positive:
        facts["positive"] = True
    elif low.is_nonnegative:
        facts["nonnegative"] = True
    return sp.Symbol(index.name, **facts)


def _obvious(c: Formula) -> bool:
    if not isinstance(c, Comparison):
        return False
    difference = evaluated(c.lhs) - evaluated(c.rhs)
    checks = {
        ">": difference.is_positive,
        ">=": difference.is_nonnegative,
        "<": difference.is_negative,
        "<=": difference.is_nonpositive,
        "!=": difference.is_nonzero,
        "==": difference.is_zero,
    }
    return bool(checks[c.op])


def conjuncts(formula: Formula) -> list[Formula]:
    """The parts of a conjunction, negations pushed inwards."""
    formula = _positive(formula)
    if isinstance(formula, Connective) and formula.kind == "and":
        return [c for part in formula.parts for c in conjuncts(part)]
    return [formula]


def _positive(formula: Formula) -> Formula:
    if not isinstance(formula, Connective) or formula.kind != "not":
        return formula
    inner = formula.parts[0]
    if isinstance(inner, Comparison):
        return Comparison(NEGATED[inner.op], inner.lhs, inner.rhs)
    if isinstance(inner, Predicate):
        return formula
    if inner.kind == "not":
        return _positive(inner.parts[0])
    flipped = "or" if inner.kind == "and" else "and"
    return Connective(flipped, tuple(_positive(Connective("not", (p,))) for p in inner.parts))


def no_gap(total: Any, n: Any, first: int) -> bool:
    """Whether each range of a sum or product has first <= last + 1 from n = ``first`` on: only then
    does it change by single terms (ranges that run backwards are empty)."""
    for _, low, high in total.limits:
        length = sp.expand(high - low + 1)
        start, slope = length.xreplace({n: sp.Integer(first)}), sp.diff(length, n)
        if not (start.is_nonnegative and slope.is_nonnegative):
            return False
    return True


def shifted_difference(expression: Any, n: Any, first: int) -> Any | None:
    """expression(n + 1) - expression(n) for n >= first, sums taken apart; None if one is in the way.

    A sum whose limit is n changes by its last term; sums that depend on n elsewhere do not telescope.
    """
    later = expression.xreplace({n: n + 1})
    mapping = {}
    for total in expression.atoms(sp.Sum):
        if n not in total.free_symbols:
            continue
        step = _sum_step(total, n)
        if step is None or not no_gap(total, n, first):
            return None
        mapping[total.xreplace({n: n + 1})] = total + step
    for h in expression.atoms(sp.harmonic, sp.factorial):
        if n not in h.free_symbols:
            continue
        z = h.args[0]
        rise = sp.expand(z.xreplace({n: n + 1}) - z)
        if len(h.args) != 1 or not rise.is_Integer or not 0 < rise <= 4:
            return None
        new = [z + j for j in range(1, int(rise) + 1)]
        if isinstance(h, sp.harmonic):
            mapping[h.xreplace({n: n + 1})] = h + sum(1 / t for t in new)
        else:
            mapping[sp.log(h.xreplace({n: n + 1}))] = sp.log(h) + sum(sp.log(t) for t in new)
    return sp.expand(later.xreplace(mapping) - expression)


def _sum_step(total: Any, n: Any) -> Any | None:
    if len(total.limits) != 1 or n in total.function.free_symbols:
        return None
    index, low, high = total.limits[0]
    slope, drop = (sp.expand(e.xreplace({n: n + 1}) - e) for e in (high, low))
    if not (slope.is_Integer and drop.is_Integer and 0 <= drop <= slope <= 4):
        return None
    term = total.function
    gained = sum(term.xreplace({index: high + j}) for j in range(1, int(slope) + 1))
    return gained - sum(term.xreplace({index: low + j}) for j in range(int(drop)))
