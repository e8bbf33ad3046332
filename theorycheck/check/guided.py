"""Substitutions and steps that a person gives, each proved before anything rests on it.

A substitution u = f(r) is taken up when three things are proved on the whole domain: f has a value, some g
has g(f(r)) = r (so f is one to one), and f(r) lies in a range U. Every r of the domain is then g(u) for a
u of U, and what is proved for g(u) and all u of U holds for r. A step is a statement on that domain; once
it is proved it is a hypothesis of what follows. What is not proved stops here, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Domains, Variable
from theorycheck.check.forms import evaluated
from theorycheck.check.given import Given, Step, Substitution
from theorycheck.check.judge import replace as put
from theorycheck.check.limits import GAVE_UP, Clock, TimeUp
from theorycheck.check.problem import Problem
from theorycheck.check.region import put_formula, range_text
from theorycheck.check.text import Comparison, Connective, Formula
from theorycheck.check.verdict import REFUTED, Verdict

Checker = Callable[[Problem, float], Verdict]
"""Checks a statement within so many seconds, without explaining."""

_SHARE = 0.5


@dataclass(frozen=True)
class Guided:
    """The statement in the new names, the proved steps among its hypotheses; ``problem`` is None and
    ``reason`` says why where a substitution or a step is not proved. ``why`` tells the proofs."""

    problem: Problem | None
    reason: str = ""
    why: tuple[str, ...] = ()


def follow(problem: Problem, clock: Clock, checker: Checker) -> Guided:
    """Prove what was given, in the order in which it was typed; never raises."""
    given = problem.given
    changed = replace(problem, given=Given())
    steps = given.steps
    why: list[str] = []
    for substitution in given.substitutions:
        try:
            with clock.limit():
                found = _substituted(changed, substitution, steps, clock, checker)
        except (TimeUp, *GAVE_UP):
            found = None
        if found is None:
            return Guided(
                None,
                f"the substitution {substitution.text} is not proved to be one to one "
                "from the range of a declared real name onto a range",
            )
        changed, steps, lines = found
        why += lines
    for i, step in enumerate(steps):
        share = _SHARE if len(steps) == 1 else max(_SHARE / (len(steps) - i), 0.2)
        stated = replace(changed, statement=step.text, goal=step.formula)
        verdict = checker(stated, max(clock.left * share, 0.01))
        if not verdict.proved:
            return Guided(None, f"the step {step.text} {_failure(verdict)}")
        why += [f"step {step.text}", *(f"  {line}" for line in verdict.why)]
        changed = replace(changed, hypotheses=(*changed.hypotheses, *_conjuncts(step.formula)))
    return Guided(changed, why=tuple(why))


def _failure(verdict: Verdict) -> str:
    if verdict.verdict == REFUTED:
        place = verdict.counterexample or {}
        return f"is false at {', '.join(f'{n} = {v}' for n, v in place.items())}"
    how = "it was only searched" if verdict.verdict == "holds" else verdict.reason
    return f"is not proved: {how}"


def _conjuncts(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, Connective) and formula.kind == "and":
        for part in formula.parts:
            yield from _conjuncts(part)
    else:
        yield formula


Changed = tuple[Problem, tuple[Step, ...], list[str]]


def _substituted(
    problem: Problem, s: Substitution, steps: tuple[Step, ...], clock: Clock, checker: Checker
) -> Changed | None:
    """The problem and the steps in the new name; None where the substitution is not proved."""
    occurring = s.expression.free_symbols
    old = next((v for v in reversed(problem.domains.variables) if v.symbol in occurring), None)
    if old is None or old.kind not in ("real", "integer"):
        return None
    f = evaluated(s.expression)
    for inverse in _inverses(f, old, s.symbol):
        for new in _ranges(f, old, s.symbol):
            if clock.out():
                return None
            stated = replace(problem, statement=s.text, goal=_claimed(s, old, inverse, new))
            verdict = checker(stated, max(clock.left * 0.3, 0.01))
            if verdict.proved:
                lines = [f"let {s.text}, {new.name} in {range_text(new)}: {old.name} = {inverse}"]
                return *_rewritten(problem, steps, old, new, inverse), lines
    return None


def _inverses(f: Any, old: Variable, u: Any) -> list[Any]:
    """Candidates for g with g(f(r)) = r; each is proved by the caller."""
    found = sp.solve(sp.Eq(u, f), old.symbol, check=False)
    return [
        g for g in found if isinstance(g, sp.Expr) and old.symbol not in g.free_symbols
    ]  # branches that are not inverse to f are refused by the proof


def _ranges(f: Any, old: Variable, u: Any) -> Iterator[Variable]:
    """Ranges for f(r), by its limits at the ends of r in either order; each is proved by the caller."""
    ends = [
        (sp.limit(f, old.symbol, end, direction), is_open or bool(end.is_infinite))
        for end, direction, is_open in (
            (old.low, "+", old.low_open),
            (old.high, "-", old.high_open),
        )
    ]
    for (low, low_open), (high, high_open) in (ends, ends[::-1]):
        if low == sp.oo or high == -sp.oo or low.has(sp.nan, sp.zoo) or high.has(sp.nan, sp.zoo):
            continue
        opened = low_open or low.is_infinite, high_open or high.is_infinite
        facts = {"real": True}
        if low.is_positive or (low == 0 and opened[0]):
            facts = {"positive": True}
        elif low.is_nonnegative:
            facts = {"nonnegative": True}
        yield Variable(
            u.name,
            sp.Symbol(u.name, **facts),
            "real",
            "",
            low,
            high,
            bool(opened[0]),
            bool(opened[1]),
        )


def _claimed(s: Substitution, old: Variable, inverse: Any, new: Variable) -> Formula:
    """f(r) lies in the range, and g(f(r)) is r."""
    parts: list[Formula] = []
    for end, op, is_open in ((new.low, ">", new.low_open), (new.high, "<", new.high_open)):
        if not end.is_infinite:
            parts.append(Comparison(op if is_open else op + "=", s.expression, end))
    back = inverse.xreplace({s.symbol: s.expression})
    parts.append(Comparison("==", back, old.symbol))
    return Connective("and", tuple(parts))


def _rewritten(
    problem: Problem, steps: tuple[Step, ...], old: Variable, new: Variable, inverse: Any
) -> tuple[Problem, tuple[Step, ...]]:
    typed = sp.Symbol(new.name, real=True)
    inverse = inverse.xreplace({typed: new.symbol})
    constants = {old.symbol: inverse, typed: new.symbol}
    variables = tuple(
        replace(new, text=range_text(new))
        if v.name == old.name
        else v
        if v.kind == "set"
        else replace(v, low=put(v.low, constants), high=put(v.high, constants))
        for v in problem.domains.variables
    )
    return (
        replace(
            problem,
            domains=Domains(variables),
            goal=put_formula(problem.goal, constants),
            hypotheses=tuple(put_formula(h, constants) for h in problem.hypotheses),
        ),
        tuple(Step(put_formula(step.formula, constants), step.text) for step in steps),
    )


__all__ = ["Guided", "follow"]
