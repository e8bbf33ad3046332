"""z3 as an oracle: on polynomial statements the workbench and z3 never contradict each other."""

from __future__ import annotations

import operator
from typing import Any

import pytest
import z3
from generated_statements import Polynomial, Tree, polynomial

from theorycheck.check.run import check_text

_MILLISECONDS = 3000
_OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_DENIED = {"==": operator.ne, "!=": operator.eq, "<": operator.ge, "<=": operator.gt,
           ">": operator.le, ">=": operator.lt}  # fmt: skip


def as_z3(tree: Tree, names: dict[str, Any]) -> Any:
    if not isinstance(tree, tuple):
        return tree if isinstance(tree, int) else names[tree]
    op, a, b = tree
    left = as_z3(a, names)
    if op == "**":
        power = left
        for _ in range(b - 1):
            power = power * left
        return power
    return _OPERATORS[op](left, as_z3(b, names))


def counterexample_by_z3(p: Polynomial) -> str:
    """``sat`` where z3 has a counterexample, ``unsat`` where it proves that there is none."""
    names = {n: z3.Int(n) if n in p.whole else z3.Real(n) for n in p.ends}
    solver = z3.Solver()
    solver.set("timeout", _MILLISECONDS)
    for n, (low, high) in p.ends.items():
        solver.add(names[n] >= low, names[n] <= high)
    denied = _DENIED[p.op](as_z3(p.left, names), as_z3(p.right, names))
    solver.add(denied if isinstance(denied, z3.BoolRef) else z3.BoolVal(bool(denied)))
    return str(solver.check())


@pytest.mark.parametrize("start", range(0, 80, 20))
def test_no_contradiction(start: int) -> None:
    decided = 0
    for seed in range(start, start + 20):
        p = polynomial(seed)
        made = p.made()
        verdict = check_text(made.statement, made.domains, budget=10, explained=False)
        by_z3 = counterexample_by_z3(p)
        told = (made, verdict.verdict, verdict.reason, by_z3)
        assert not (verdict.verdict == "holds" and by_z3 == "sat"), told
        assert not (verdict.verdict == "refuted" and by_z3 == "unsat"), told
        decided += verdict.proved or verdict.verdict == "refuted"
    assert decided >= 18  # an oracle beside undecided statements would say nothing


def test_the_oracle_sees_both() -> None:
    true = Polynomial(("**", "x", 2), ">=", 0, {"x": (-3, 3)}, frozenset())
    false = Polynomial(("**", "x", 2), ">", 0, {"x": (-3, 3)}, frozenset())
    assert counterexample_by_z3(true) == "unsat"
    assert counterexample_by_z3(false) == "sat"
    only_whole = Polynomial(("*", 2, "x"), "!=", 1, {"x": (-3, 3)}, frozenset({"x"}))
    assert counterexample_by_z3(only_whole) == "unsat"
