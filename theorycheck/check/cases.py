"""Cases and substitutions that leave simpler regions: Abs, Min and Max; equations among hypotheses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from theorycheck.check.domain import Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.judge import replace as put
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.operators import NEGATED
from theorycheck.check.region import Region, put_formula
from theorycheck.check.text import Comparison, Formula

_SWITCHES = (sp.Abs, sp.Min, sp.Max)
_OPERATORS = {sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">=", sp.Eq: "==", sp.Ne: "!="}
_MAX_DEPTH = 4


def by_cases(task: Task) -> Argument | None:
    """Each way in which an Abs, Min or Max can stand, with the condition for it as a hypothesis.

    Takes comparisons with an Abs, Min or Max of the names. Promises that the cases cover the region.
    Gives up beyond four switches inside one another, or where a case is not proved.
    """
    c, region = task.comparison, task.region
    if task.depth > _MAX_DEPTH:
        return None
    lhs, rhs = evaluated(c.lhs), evaluated(c.rhs)
    switch = _switch(lhs, rhs)
    if switch is None:
        return None
    options = _options(switch)
    if _only_bounded(switch, c.op, lhs, rhs):
        # The larger of the two is bounded where both are, without a condition on either.
        parts = (
            Comparison(c.op, lhs.xreplace({switch: v}), rhs.xreplace({switch: v}))
            for _, v in options
        )
        if all(task.lemma(p) for p in parts):
            return Argument("both values of Abs, Min or Max", (f"{switch} stands linearly",))
        task.forget(0)
    settled = [o for o in options if task.lemma(o[0])]
    for condition, value in settled[:1] or options:
        part = region if settled else restricted(region, condition)
        resolved = Comparison(c.op, lhs.xreplace({switch: value}), rhs.xreplace({switch: value}))
        if not task.lemma(resolved, part):
            return None
    return Argument("cases of Abs, Min and Max", (f"{switch} is one of {_listed(options)}",))


def _listed(options: Sequence[tuple[Comparison, Any]]) -> str:
    return ", ".join(str(value) for _, value in options)


def _only_bounded(switch: Any, op: str, lhs: Any, rhs: Any) -> bool:
    """Whether an Abs or Max stands linearly on the smaller side, or a Min on the larger."""
    if op not in ("<", "<=", ">", ">="):
        return False
    gap = rhs - lhs if op in ("<", "<=") else lhs - rhs
    slot = sp.Dummy(real=True)
    slope = sp.diff(gap.xreplace({switch: slot}), slot)
    if slot in slope.free_symbols:
        return False
    return bool(slope.is_positive if isinstance(switch, sp.Min) else slope.is_negative)


def by_squares(task: Task) -> Argument | None:
    """sqrt(A) <= B from A <= B**2 and B >= 0; B <= sqrt(A) from B**2 <= A.

    Takes order comparisons with a positive multiple of a square root on one side. Gives up where the
    other side is not proved to be nonnegative, or the squares are not proved to be in order.
    """
    c = task.comparison
    if task.depth > _MAX_DEPTH or c.op not in ("<", "<=", ">", ">="):
        return None
    smaller, larger = evaluated(c.lhs), evaluated(c.rhs)
    op = c.op
    if c.op in (">", ">="):
        smaller, larger, op = larger, smaller, {">": "<", ">=": "<="}[c.op]
    root = smaller if _is_root(smaller) else larger if _is_root(larger) else None
    if root is None:
        return None
    zero = sp.Integer(0)
    if root is smaller and not task.lemma(Comparison(">=", larger, zero)):
        return None
    squares = Comparison(op, sp.expand(smaller**2), sp.expand(larger**2))
    return Argument("squares") if task.lemma(squares) else None


def _is_root(side: Any) -> bool:
    """A positive multiple of a square root."""
    factor, rest = side.as_coeff_Mul()
    return bool(factor > 0 and rest.is_Pow and rest.exp == sp.Rational(1, 2))


def _switch(*sides: Any) -> Any | None:
    """The simplest one that has none inside: its cases may settle the others."""
    found = [
        node
        for side in sides
        for node in side.atoms(*_SWITCHES)
        if node.free_symbols and not any(a.has(*_SWITCHES) for a in node.args)
    ]
    return min(found, key=lambda f: (f.count_ops(), str(f)), default=None)


def _options(switch: Any) -> list[tuple[Comparison, Any]]:
    """(condition, value) pairs whose conditions cover everything."""
    zero = sp.Integer(0)
    if isinstance(switch, sp.Abs):
        u = switch.args[0]
        return [(Comparison(">=", u, zero), u), (Comparison("<=", u, zero), -u)]
    first, second = switch.args[:2]
    rest = switch.args[2:]
    difference = first - second
    above, below = (">=", "<=") if isinstance(switch, sp.Max) else ("<=", ">=")
    return [
        (Comparison(above, difference, zero), switch.func(first, *rest)),
        (Comparison(below, difference, zero), switch.func(second, *rest)),
    ]


def restricted(region: Region, condition: Comparison) -> Region:
    """The part of the region where ``u >= 0`` or ``u <= 0``: as a range that depends on an earlier
    name where u = x - y for names of the same range, as a hypothesis otherwise."""
    u = condition.lhs if condition.op == ">=" else -condition.lhs
    for i, b in enumerate(region.variables):
        for a in region.variables[:i]:
            alike = (a.low, a.high, a.low_open, a.high_open, a.kind) == (
                b.low,
                b.high,
                b.low_open,
                b.high_open,
                b.kind,
            )
            if not alike or b.kind != "real":
                continue
            changed = None
            if sp.expand(u - (a.symbol - b.symbol)) == 0:
                changed = replace(b, high=a.symbol, high_open=False)
            elif sp.expand(u - (b.symbol - a.symbol)) == 0:
                changed = replace(b, low=a.symbol, low_open=False)
            if changed is not None:
                variables = tuple(changed if v is b else v for v in region.variables)
                return Region(variables, region.hypotheses)
    return Region(region.variables, (*region.hypotheses, condition))


def without_piecewise(region: Region, c: Comparison) -> Iterator[tuple[Region, Comparison]]:
    """The comparison on the parts of the region where each `Piecewise` in it is one of its branches.

    The parts cover the region. A part on which no condition is true leaves `nan` in the comparison.
    """
    cases = {p for side in (c.lhs, c.rhs) for p in side.atoms(sp.Piecewise) if p.free_symbols}
    relations = {r for p in cases for _, condition in p.args for r in condition.atoms(Relational)}
    if not relations:
        if cases:
            plain = {p: _branch(p) for p in cases}
            c = Comparison(c.op, c.lhs.xreplace(plain), c.rhs.xreplace(plain))
        yield region, c
        return
    first = min(relations, key=sp.default_sort_key)
    op = _OPERATORS[type(first)]
    for value, here in ((sp.true, op), (sp.false, NEGATED[op])):
        sides = (_settled(side, first, value) for side in (c.lhs, c.rhs))
        part = _narrowed(region, Comparison(here, first.lhs, first.rhs))
        yield from without_piecewise(part, Comparison(c.op, *sides))


def _settled(expression: Any, relation: Any, value: Any) -> Any:
    """The truth value for the relation in conditions of a `Piecewise`, nothing else simplified."""
    if not expression.has(sp.Piecewise):
        return expression
    if isinstance(expression, sp.Piecewise):
        branches = (
            (_settled(e, relation, value), c.xreplace({relation: value}))
            for e, c in expression.args
        )
        return sp.Piecewise(*branches, evaluate=False)
    args = [_settled(a, relation, value) for a in expression.args]
    return expression.func(*args, evaluate=False)


def _branch(p: Any) -> Any:
    """The branch of conditions that are settled."""
    return next((value for value, condition in p.args if condition == sp.true), sp.nan)


def _narrowed(region: Region, condition: Comparison) -> Region:
    """The part of a region under a condition: a shorter range where it compares a name without an end on
    that side with a number, a hypothesis otherwise."""
    variables = list(region.variables)
    for i, v in enumerate(variables):
        low_end, high_end = v.low == -sp.oo, v.high == sp.oo
        if condition.lhs != v.symbol or v.kind != "real" or not condition.rhs.is_number:
            continue
        is_open = condition.op in ("<", ">")
        if condition.op in ("<", "<=") and high_end:
            variables[i] = replace(v, high=condition.rhs, high_open=is_open)
            return Region(tuple(variables), region.hypotheses)
        if condition.op in (">", ">=") and low_end:
            variables[i] = replace(v, low=condition.rhs, low_open=is_open)
            return Region(tuple(variables), region.hypotheses)
    return Region(region.variables, (*region.hypotheses, condition))


def without_equations(
    variables: Sequence[Variable], hypotheses: Sequence[Formula], parts: Sequence[Comparison]
) -> tuple[tuple[Variable, ...], tuple[Formula, ...], list[Comparison]]:
    """Names for which an equation among the hypotheses can be solved are put in everywhere.

    The range of such a name becomes a pair of hypotheses about its expression.
    """
    kept, rest, goals = tuple(variables), tuple(hypotheses), list(parts)
    for h in hypotheses:
        if not isinstance(h, Comparison) or h.op != "==" or h not in rest:
            continue
        difference = sp.expand(evaluated(h.lhs) - evaluated(h.rhs))
        for v in reversed(kept):
            if v.kind != "real" or not difference.is_polynomial(v.symbol):
                continue
            poly = sp.Poly(difference, v.symbol)
            if poly.degree() != 1 or not poly.LC().is_number:
                continue
            value = sp.expand(-poly.nth(0) / poly.LC())
            constants = {v.symbol: value}
            walls: list[Formula] = []
            for end, op, strict in ((v.low, ">=", v.low_open), (v.high, "<=", v.high_open)):
                if not end.is_infinite:
                    walls.append(Comparison(op[0] if strict else op, value, end))
            kept = tuple(
                replace(w, low=put(w.low, constants), high=put(w.high, constants))
                for w in kept
                if w.name != v.name
            )
            others = [o for o in rest if o is not h]
            rest = (*(put_formula(o, constants) for o in others), *walls)
            goals = [Comparison(g.op, put(g.lhs, constants), put(g.rhs, constants)) for g in goals]
            break
    return kept, rest, goals


CASES = Method("cases of Abs, Min and Max", 0.8, lambda t: not t.is_line, by_cases)
SQUARES = Method("squares", 0.5, lambda t: not t.is_line, by_squares)
