"""Sums over pairs i < j as sums over all i and j.

Where t(i, j) = t(j, i), the sum over i < j is half of what the sum over all i and j exceeds that of t(i, i) by. All of
these must have values: more is asked than the statement needs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from theorycheck.check.families.members import has_members, mapped, rebuilt
from theorycheck.check.forms import evaluated
from theorycheck.check.problem import Problem


def over_all(problem: Problem) -> tuple[Problem, tuple[str, ...]]:
    """The problem with its sums over i < j replaced, and what was done, in words."""
    done: list[str] = []

    def change(e: Any) -> Any:
        if not has_members(e) or not e.args:
            return e
        found = _halved(e) if isinstance(e, sp.Sum) else None
        if found is not None:
            done.append(f"over all pairs: {e} is {found}")
            return found
        return e if hasattr(e, "limits") else rebuilt(e, [change(a) for a in e.args])

    changed = replace(
        problem,
        goal=mapped(problem.goal, change),
        hypotheses=tuple(mapped(h, change) for h in problem.hypotheses),
    )
    return (changed, tuple(dict.fromkeys(done))) if done else (problem, ())


def _halved(total: Any) -> Any | None:
    """The same sum over all i and j; None for other sums."""
    term, limits = total.function, list(total.limits)
    while isinstance(term, sp.Sum):
        term, limits = term.function, [*term.limits, *limits]
    if len(limits) != 2:
        return None
    (j, low, high), (i, first, last) = ([s, evaluated(a), evaluated(b)] for s, a, b in limits)
    if sp.expand(low - i) == 1 and sp.expand(high - last) in (0, 1):
        start, end = first, high
    elif sp.expand(high - i) == -1 and sp.expand(first - low) in (0, 1):
        start, end = low, last
    else:
        return None
    if {i, j} & (start.free_symbols | end.free_symbols):
        return None
    if sp.expand(evaluated(term) - evaluated(term.xreplace({i: j, j: i}))) != 0:
        return None
    both = term.xreplace({j: i})
    if both.has(sp.nan, sp.zoo):
        return None
    every = sp.Sum(term, (j, start, end), (i, start, end))
    return (every - sp.Sum(both, (i, start, end))) / 2


__all__ = ["over_all"]
