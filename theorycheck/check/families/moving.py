"""Families of real numbers that occur in differences only: one of them may be taken to be 0.

Where every sum stays the same if t[j] is added to the members of all families, for whatever t, -f[j] of the last
family may be added. norm(x - z) <= norm(x - y) + norm(y - z) becomes norm(x) <= norm(x - y) + norm(y).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theorycheck.check.domain import Family
from theorycheck.check.families.members import mapped, sums_of, swapped
from theorycheck.check.forms import evaluated
from theorycheck.check.judge import expressions_of
from theorycheck.check.problem import Problem


def with_one_at_zero(problem: Problem) -> tuple[Problem, Family] | None:
    """The problem without the last family, and that family; None where it is not the same."""
    families = problem.domains.families
    if problem.every or len(families) < 2 or len({(f.low, f.high) for f in families}) > 1:
        return None
    if any(
        f.member.kind != "real" or (f.member.low, f.member.high) != (-sp.oo, sp.oo)
        for f in families
    ):
        return None
    formulas = (problem.goal, *problem.hypotheses)
    totals = {t for f in formulas for e in expressions_of(f) for t in sums_of(e)}
    if not all(_stays(t) for t in totals):
        return None
    last = families[-1]
    zeros = {m: sp.Integer(0) for t in totals for m in t.atoms(AppliedUndef) if m.func == last.head}

    def change(e: Any) -> Any:
        return swapped(e, _in_sums(e, zeros))

    without = replace(
        problem,
        goal=mapped(problem.goal, change),
        hypotheses=tuple(mapped(h, change) for h in problem.hypotheses),
        domains=replace(problem.domains, families=families[:-1]),
    )
    return without, last


def _in_sums(e: Any, zeros: dict[Any, Any]) -> dict[Any, Any]:
    """Each sum with zeros in it: nothing is replaced in a member that stands alone."""
    return {t: t.func(swapped(t.function, zeros), *t.limits) for t in sums_of(e)}


def _stays(total: Any) -> bool:
    """Whether a sum over one index does not change when all members move together."""
    if len(total.limits) != 1:
        return False
    index = total.limits[0][0]
    members = total.function.atoms(AppliedUndef)
    if any(m.args[0] != index for m in members) or not isinstance(total, sp.Sum):
        return False
    t = sp.Dummy(real=True)
    moved = swapped(total.function, {m: m + t for m in members})
    return bool(sp.expand(evaluated(moved) - evaluated(total.function)) == 0)
