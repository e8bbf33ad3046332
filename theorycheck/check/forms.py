"""Expressions made ready for proofs: evaluated forms, where they are defined, induction steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theorycheck.check.limits import GAVE_UP
from theorycheck.check.operators import NEGATED
from theorycheck.check.powers import exponential_terms, geometric, reciprocal_power
from theorycheck.check.text import Comparison, Connective, Formula, Predicate

# SymPy evaluates functions of numbers at once; of longer arguments than this it may take minutes.
_SMALL = 1000
# binomial(n, 4) and the like are polynomials in n, on which all methods work.
_SMALL_BELOW = 6
# Incomplete gamma functions of so small integers are polynomials times an exponential.
_SMALL_ORDER = 8
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
    if isinstance(expression, sp.binomial) and args[1].is_Integer and 0 <= args[1] <= _SMALL_BELOW:
        return sp.expand(sp.ff(args[0], args[1]) / sp.factorial(args[1]))
    if isinstance(expression, sp.uppergamma | sp.lowergamma) and args[0].is_Integer:
        return _incomplete_gamma(expression, *args)
    try:
        return expression.func(*args)
    except GAVE_UP:  # Mod(n, 0), floor(oo)**y, Bessel functions: left as it stands
        return expression.func(*args, evaluate=False)


def _incomplete_gamma(expression: Any, a: Any, x: Any) -> Any:
    """uppergamma(a, x) = (a - 1)! exp(-x) (1 + x + ... + x**(a - 1)/(a - 1)!) for few integers a >= 1, by parts."""
    if not 1 <= a <= _SMALL_ORDER or not x.free_symbols:
        return expression.func(a, x, evaluate=False)
    whole = sp.factorial(a - 1)
    upper = whole * sp.exp(-x) * sp.Add(*(x**k / sp.factorial(k) for k in range(int(a))))
    return upper if isinstance(expression, sp.uppergamma) else whole - upper


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


@dataclass(frozen=True)
class ForAll:
    """A condition on the terms of a sum or product, for every integer ``index`` from ``low`` to ``high``; on an
    integrand for every real one (``kind``)."""

    index: Any
    low: Any
    high: Any
    condition: Formula
    kind: str = "integer"


Condition = Formula | ForAll


# Functions defined for all real arguments; those of integers are listed apart.
_TOTAL = (
    *(sp.exp, sp.sin, sp.cos, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.asinh, sp.erf, sp.erfc),
    *(sp.erfi, sp.floor, sp.ceiling, sp.frac, sp.Abs, sp.sign, sp.Min, sp.Max),
)


def conditions(expression: Any) -> Iterator[Condition]:
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
    if isinstance(e, sp.Integral):
        yield from _of_integral(e)
        return
    for a in e.args:
        yield from conditions(a)
    if e.is_Add or e.is_Mul or isinstance(e, _TOTAL):
        return
    rule = _of_power if e.is_Pow else _RULES.get(type(e)) or _RULES_BY_NAME.get(type(e).__name__)
    if rule is None:
        raise NoCondition(str(e))
    yield from rule(e)


_ZERO, _ONE, _MINUS = sp.Integer(0), sp.Integer(1), sp.Integer(-1)
Rule = Callable[[Any], Iterable[Formula]]


def _within(op: str) -> Rule:
    """The argument lies between -1 and 1."""
    return lambda e: (Comparison(op, _MINUS, e.args[0]), Comparison(op, e.args[0], _ONE))


def _compared(op: str, bound: Any, which: int = 0) -> Rule:
    return lambda e: (Comparison(op, e.args[which], bound),)


def _no_pole(head: Any) -> Rule:
    """Where the sine or cosine below the line is not 0."""
    return lambda e: (Comparison("!=", head(e.args[0], evaluate=False), _ZERO),)


def _positive_arguments(e: Any) -> Iterable[Formula]:
    return [Comparison(">", a, _ZERO) for a in e.args]


def _of_one_argument(e: Any) -> Iterable[Formula]:
    if len(e.args) != 1:
        raise NoCondition(str(e))
    return (Comparison(">", e.args[0], _MINUS),)


def _of_divisor_sigma(e: Any) -> Iterable[Formula]:
    if not whole(e.args[0]) or not all(s.is_Integer and s >= 0 for s in e.args[1:]):
        raise NoCondition(str(e))
    return (Comparison(">=", e.args[0], _ONE),)


def _of_incomplete_gamma(e: Any) -> Iterable[Formula]:
    a, x = e.args
    positive, order = Comparison(">", x, _ZERO), Comparison(">", a, _ZERO)
    if isinstance(e, sp.uppergamma) and not a.is_positive:
        from_zero = Connective("and", (order, Comparison(">=", x, _ZERO)))
        return (Connective("or", (positive, from_zero)),)
    return order, Comparison(">=", x, _ZERO)


def _of_zeta(e: Any) -> Iterable[Formula]:
    """Hurwitz's for s > 1, where it is a series; Riemann's for s != 1."""
    if len(e.args) == 1:
        return (Comparison("!=", e.args[0], _ONE),)
    return Comparison(">", e.args[0], _ONE), Comparison(">", e.args[1], _ZERO)


def _of_polygamma(e: Any) -> Iterable[Formula]:
    order, argument = e.args
    if not (order.is_Integer and order >= 0):
        raise NoCondition(str(e))
    return (Comparison(">", argument, _ZERO),)


def _of_binomial(e: Any) -> Iterable[Formula]:
    n, k = e.args
    if not (n.is_integer and k.is_integer):
        return Comparison(">", n, _MINUS), Comparison(">", k, _MINUS)
    return () if n.is_nonnegative else (Comparison(">=", n, _ZERO),)


def whole(e: Any) -> bool:
    """Whether it is an integer by its form, for integer names; gcd and lcm have integer values, Fibonacci and
    Lucas numbers too."""
    if e.is_Add or e.is_Mul or type(e).__name__ in ("gcd", "lcm", "fibonacci", "lucas"):
        return all(whole(a) for a in e.args)
    return bool(e.is_integer)


def _of_integers(low: Any | None) -> Rule:
    """Integer arguments, the last of them from ``low`` on."""

    def rule(e: Any) -> Iterable[Formula]:
        if not all(whole(a) for a in e.args):
            raise NoCondition(str(e))
        return () if low is None else (Comparison(">=", e.args[-1], low),)

    return rule


_RULES: Mapping[Any, Rule] = {
    sp.log: _compared(">", _ZERO),
    sp.loggamma: _compared(">", _ZERO),
    sp.asin: _within("<="),
    sp.acos: _within("<="),
    sp.atanh: _within("<"),
    sp.acosh: _compared(">=", _ONE),
    sp.tan: _no_pole(sp.cos),
    sp.sec: _no_pole(sp.cos),
    sp.cot: _no_pole(sp.sin),
    sp.csc: _no_pole(sp.sin),
    sp.coth: _compared("!=", _ZERO),
    sp.Mod: _compared("!=", _ZERO, 1),
    sp.gamma: _positive_arguments,
    sp.digamma: _positive_arguments,
    sp.polygamma: _of_polygamma,
    sp.zeta: _of_zeta,
    sp.uppergamma: _of_incomplete_gamma,
    sp.lowergamma: _of_incomplete_gamma,
    sp.beta: _positive_arguments,
    sp.factorial: _of_one_argument,
    sp.harmonic: _of_one_argument,
    sp.binomial: _of_binomial,
    sp.fibonacci: _of_integers(None),
    sp.lucas: _of_integers(None),
    sp.catalan: _of_integers(_ZERO),
}
_RULES_BY_NAME: Mapping[str, Rule] = {
    "gcd": _of_integers(None),
    "lcm": _of_integers(None),
    **dict.fromkeys(
        ("totient", "divisor_count", "mobius", "primeomega", "primenu"), _of_integers(_ONE)
    ),
    "divisor_sigma": _of_divisor_sigma,
}


def _of_power(e: Any) -> Iterator[Formula]:
    base, exponent = e.args
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
    if exponent.is_integer:
        whole = Comparison(">=", exponent, zero)
        yield Connective("or", (whole, Comparison("!=", base, zero)))
        return
    # 0 to a positive power is 0; to the power 0 it is 1, and no limit.
    yield Comparison(">=", base, zero)
    if not exponent.is_positive:
        yield Connective("or", (Comparison(">", exponent, zero), Comparison(">", base, zero)))


def _never_zero(base: Any) -> bool:
    return bool(base.is_positive or base.is_negative)


def _of_sum(e: Any) -> Iterator[Condition]:
    """Limits are integers by their form; terms have values at every integer between them."""
    for limit in e.limits:
        for end in limit[1:]:
            yield from conditions(end)
            if not (end.is_integer or end.is_infinite):
                raise NoCondition(f"the limit {end} of {e}")
    if len(e.limits) > 1:
        raise NoCondition(str(e))
    index, low, high = e.limits[0]
    if low.is_infinite or high.is_infinite:
        yield from _converges(e)
    inside = _from(index, low)
    for condition in conditions(e.function.xreplace({index: inside})):
        if isinstance(condition, ForAll):
            raise NoCondition(f"a sum inside of {e}")
        if not _obvious(condition):
            yield ForAll(inside, low, high, condition)


# Of these an integrand is continuous wherever it has a value.
_CONTINUOUS = (
    *(sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.asinh),
    *(sp.erf, sp.erfc, sp.Abs, sp.Min, sp.Max),
)


def _of_integral(e: Any) -> Iterator[Condition]:
    """Finite ends, and a value at every real number between them of an integrand that is continuous where it has
    values."""
    if len(e.limits) != 1 or len(e.limits[0]) != 3 or e.function.has(sp.Integral, sp.Sum):
        raise NoCondition(str(e))
    for end in e.limits[0][1:]:
        yield from conditions(end)
        if end.is_finite is not True:
            raise NoCondition(f"the end {end} of {e}")
    for node in sp.preorder_traversal(e.function):
        plain = node.is_Atom or node.is_Add or node.is_Mul or isinstance(node, _CONTINUOUS)
        if not (plain or (node.is_Pow and (node.exp.is_Rational or node.base.is_positive))):
            raise NoCondition(str(e))
    inside, low, high = interval_of(e.limits[0])
    for condition in conditions(e.function.xreplace({e.limits[0][0]: inside})):
        if isinstance(condition, ForAll):
            raise NoCondition(f"a sum inside of {e}")
        if not _obvious(condition):
            yield ForAll(inside, low, high, condition, "real")


def interval_of(limit: Any) -> tuple[Any, Any, Any]:
    """The name of an integral as a name of the region, and its range from the smaller end to the larger."""
    z, low, high = limit
    if (high - low).is_nonnegative:
        ends = low, high
    elif (high - low).is_nonpositive:
        ends = high, low
    else:
        ends = sp.Min(low, high), sp.Max(low, high)
    facts = {"real": True}
    if ends[0].is_positive:
        facts["positive"] = True
    elif ends[0].is_nonnegative:
        facts["nonnegative"] = True
    return sp.Symbol(f"_{z.name}", **facts), *ends


def _converges(e: Any) -> Iterator[Condition]:
    """Of a series P(k) r**k from a finite index on: |r| < 1. That of (-1)**k R(k) with a rational R that tends
    to 0 converges, as |R| falls from some index on (Leibniz); that of R(k) where it falls as k**-2; that of
    P(k) r**k/k! for all r; that of (k + a)**(-s) for s > 1."""
    index, low, high = e.limits[0]
    if isinstance(e, sp.Sum) and high == sp.oo and low.is_finite:
        if _alternates(e.function, index) or falls_by_two(e.function, index):
            return
        if low.is_nonnegative and exponential_terms(evaluated(e.function), index) is not None:
            return
        if (power := reciprocal_power(evaluated(e.function), index)) is not None:
            yield Comparison(">", power[2], _ONE)
            return
    parts = geometric(evaluated(e.function), index)
    if parts is None or not isinstance(e, sp.Sum) or high != sp.oo or low.is_infinite:
        raise NoCondition(f"infinite sum {e}")
    ratio = parts[2]
    yield from conditions(ratio)
    yield Comparison("<", ratio, _ONE)
    if not ratio.is_nonnegative:
        yield Comparison(">", ratio, _MINUS)


def falls_by_two(term: Any, index: Any) -> bool:
    """Whether a term is a rational function of the index whose denominator, as it is written, is of two degrees
    more than its numerator, whatever the values of the other names are."""
    term = evaluated(term)
    if not term.is_rational_function(index):
        return False
    top, bottom = sp.fraction(sp.together(term))
    if not (top.is_polynomial(index) and bottom.is_polynomial(index)):
        return False
    below = sp.Poly(bottom, index)
    return bool(below.LC().is_Rational and below.degree() >= sp.degree(top, index) + 2)


def _alternates(term: Any, index: Any) -> bool:
    rest = evaluated(evaluated(term) * (-1) ** index)
    if rest.free_symbols != {index} or not rest.is_rational_function(index):
        return False
    top, bottom = sp.fraction(sp.together(rest))
    return bool(sp.degree(top, index) < sp.degree(bottom, index))


def _from(index: Any, low: Any) -> Any:
    facts = {"integer": True}
    if low.is_positive:
        facts["positive"] = True
    elif low.is_nonnegative:
        facts["nonnegative"] = True
    # The underscore sets it apart from a name of the region that is spelt alike.
    return sp.Symbol(f"_{index.name}", **facts)


def _obvious(c: Formula) -> bool:
    if isinstance(c, Connective):
        return c.kind == "or" and any(_obvious(p) for p in c.parts)
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
    formula = positive(formula)
    if isinstance(formula, Connective) and formula.kind == "and":
        return [c for part in formula.parts for c in conjuncts(part)]
    return [formula]


def positive(formula: Formula) -> Formula:
    """The formula with a negation before it pushed inwards."""
    if not isinstance(formula, Connective) or formula.kind != "not":
        return formula
    inner = formula.parts[0]
    if isinstance(inner, Comparison):
        return Comparison(NEGATED[inner.op], inner.lhs, inner.rhs)
    if isinstance(inner, Predicate):
        return formula
    if inner.kind == "not":
        return positive(inner.parts[0])
    flipped = "or" if inner.kind == "and" else "and"
    return Connective(flipped, tuple(positive(Connective("not", (p,))) for p in inner.parts))


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
