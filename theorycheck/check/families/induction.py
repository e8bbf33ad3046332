"""Induction on the length: from families of n members to those of n + 1, one more member u.

Sums S of n members become S + t(u), products P become P t(u). The step is proved for all values that S and P
could have, so for more than there are; the statement for n members is its hypothesis. A statement about
families with hypotheses on their sums is not treated: what is left of such a family need not satisfy them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Domains, Variable
from theorycheck.check.families.members import (
    connected,
    has_members,
    instance,
    mapped,
    sums_of,
    swapped,
    symbols_of_range,
)
from theorycheck.check.families.method import Prove
from theorycheck.check.forms import ForAll, conditions, evaluated
from theorycheck.check.formula import Comparison
from theorycheck.check.judge import expressions_of
from theorycheck.check.limits import Clock
from theorycheck.check.problem import Problem
from theorycheck.check.region import formula_text

# A start is a statement of few names; the step one of as many as there are sums and members.
_START_SECONDS, _STEP_SHARE = 2.0, 0.4
NAME = "induction on the length"


def prove(problem: Problem, clock: Clock, prover: Prove) -> tuple[str, ...]:
    """The lines of a proof, none without one: start at the least length, and step."""
    goal = problem.goal
    spans = {(f.low, f.high) for f in problem.domains.families}
    if not isinstance(goal, Comparison) or len(spans) != 1 or problem.hypotheses:
        return ()
    low, high = next(iter(spans))
    n = next((v for v in problem.domains.variables if v.symbol == high), None)
    if n is None or n.kind != "integer" or n.high != sp.oo or low != 1 or not n.low.is_Integer:
        return ()
    if n.low < 0 or any(_speaks_of(problem, v, n) for v in problem.domains.variables):
        return ()
    start = instance(problem, {n.name: int(n.low)})
    if start is None:
        return ()
    asked = connected(start.problem)
    begun = prover(asked, min(_START_SECONDS, _STEP_SHARE * clock.left))
    if not begun:
        return ()
    step = _step(problem, n)
    if step is None:
        return ()
    conditions_shown: list[str] = []
    for condition in step.values:
        found = prover(connected(condition), min(_START_SECONDS, _STEP_SHARE * clock.left))
        if not found:
            return ()
        conditions_shown += [f"every term has a value: {formula_text(condition.goal)}", *found]
    found = prover(connected(step.problem), _STEP_SHARE * clock.left)
    if not found:
        return ()
    return (
        f"for {n.name} = {n.low}: {formula_text(asked.goal)}",
        *(f"  {line}" for line in begun),
        *conditions_shown,
        *step.told,
        f"from {n.name} to {n.name} + 1: {formula_text(step.problem.goal)}",
        f"  where {' and '.join(formula_text(h) for h in step.problem.hypotheses)}",
        *(f"  {line}" for line in found),
    )


def _speaks_of(problem: Problem, v: Variable, n: Variable) -> bool:
    """Whether a range depends on the length: it would change with it."""
    members = [f.member for f in problem.domains.families]
    return any(n.symbol in symbols_of_range(w) for w in (v, *members))


@dataclass(frozen=True)
class _Step:
    """``problem`` is the step; ``values`` say that the terms of the new member have values."""

    problem: Problem
    told: tuple[str, ...]
    values: tuple[Problem, ...]


def _step(problem: Problem, n: Variable) -> _Step | None:
    """The statement for one member more, given that for n members; None where its sums do not grow by single
    terms."""
    goal = problem.goal
    assert isinstance(goal, Comparison)
    members = {f.head: f.member for f in problem.domains.families}
    before: dict[Any, Any] = {}
    after: dict[Any, Any] = {n.symbol: n.symbol + 1}
    names: list[Variable] = []
    bodies: list[Any] = []
    for total in dict.fromkeys(t for e in expressions_of(goal) for t in sums_of(e)):
        body = _last_term(total, n, members)
        if body is None:
            return None
        variable = _name_of(total, members, n, _fresh(total, len(names) + 1, problem))
        names.append(variable)
        bodies.append(body)
        before[total] = variable.symbol
        head = sp.Add if isinstance(total, sp.Sum) else sp.Mul
        after[total] = head(variable.symbol, body, evaluate=False)
    hypothesis = mapped(goal, lambda e: swapped(e, before))
    conclusion = mapped(goal, lambda e: swapped(e, after))
    if any(has_members(e) for f in (hypothesis, conclusion) for e in expressions_of(f)):
        return None
    variables = (*problem.domains.variables, *members.values(), *names)
    plain = replace(problem, domains=Domains(variables), where=(), notes=(), every=())
    needed = [c for body in bodies for c in conditions(body)]
    if any(isinstance(c, ForAll) for c in needed):
        return None
    told = tuple(f"{before[t]} is {t}, and becomes {after[t]}" for t in before)
    values = tuple(replace(plain, goal=c) for c in needed if not isinstance(c, ForAll))
    return _Step(replace(plain, goal=conclusion, hypotheses=(hypothesis,)), told, values)


def _last_term(total: Any, n: Variable, members: Mapping[Any, Variable]) -> Any | None:
    """What comes in with a member more; None where that is not one term."""
    if len(total.limits) != 1:
        return None
    index, low, high = total.limits[0]
    if low != 1 or high != n.symbol or n.symbol in total.function.free_symbols:
        return None
    own = {head(index): v.symbol for head, v in members.items()}
    body = swapped(total.function, {**own, index: n.symbol + 1})
    return None if has_members(body) else body


def _fresh(total: Any, k: int, problem: Problem) -> str:
    """A name for a sum or product that is not declared."""
    domains = problem.domains
    taken = {v.name for v in domains.variables} | {f.name for f in domains.families}
    name = f"{'S' if isinstance(total, sp.Sum) else 'P'}_{k}"
    while name in taken:
        name += "_"
    return name


def _name_of(total: Any, members: Mapping[Any, Variable], n: Variable, name: str) -> Variable:
    """The sum or product of the first n terms; its sign from the sign of a term at any index from 1 on, as far
    as that is plain."""
    index = total.limits[0][0]
    place = sp.Symbol(f"{index.name}_", integer=True, positive=True)
    own = {head(index): v.symbol for head, v in members.items()}
    term = evaluated(swapped(total.function, {**own, index: place}))
    least, is_open = -sp.oo, True
    facts: dict[str, bool] = {"real": True}
    if term.is_nonnegative:
        several = isinstance(total, sp.Product) or n.low >= 1
        least, is_open = sp.Integer(0), bool(term.is_positive and several)
        facts["positive" if is_open else "nonnegative"] = True
    text = f"{'(' if is_open else '['}{least}, oo)"
    return Variable(
        name, sp.Symbol(name, **facts), "real", text, least, sp.oo, low_open=is_open, high_open=True
    )
