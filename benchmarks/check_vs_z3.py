"""The workbench's statements beside z3, which decides polynomial arithmetic with quantifiers left out.

    python benchmarks/check_vs_z3.py [--seconds S] [--out FILE] [FILE ...]

A statement is given to z3 where it can be said in sums, products, quotients, whole powers, square roots,
Abs, Min, Max, floor and Mod of real and whole names; everything else (logarithms, sums, factorials, symbolic
exponents) counts as not expressible. z3 is asked for a point of the domain at which the statement fails or a part
of it has no value. Without files: the battery and both files of blind statements.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import sympy as sp
import z3
from check_vs_sympy import BLIND, ROWS, Row, blind_rows

from theorycheck.check.forms import evaluated
from theorycheck.check.problem import Problem, read_problem
from theorycheck.check.text import Comparison, Connective, Formula, InputError

FILES = (BLIND, BLIND.with_name("blind_statements_2.tsv"))
_MAX_POWER = 24
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class NotExpressible(Exception):
    """A part that z3's arithmetic has no word for."""


class Translation:
    """Expressions as z3 terms; ``given`` are equations of auxiliary names, ``defined`` what has to hold
    for every part to have a value."""

    def __init__(self, problem: Problem) -> None:
        self.names: dict[str, Any] = {}
        self.given: list[Any] = []
        self.defined: list[Any] = []
        for v in problem.domains.variables:
            if v.kind not in ("real", "integer"):
                raise NotExpressible(v.kind)
            self.names[v.name] = z3.Real(v.name) if v.kind == "real" else z3.Int(v.name)
        self.domain = [
            wall
            for v in problem.domains.variables
            for end, is_open, op in ((v.low, v.low_open, ">"), (v.high, v.high_open, "<"))
            if not end.is_infinite
            for wall in [
                _OPERATORS[op if is_open else op + "="](self.names[v.name], self.term(end))
            ]
        ]

    def term(self, e: Any) -> Any:
        if e.is_Rational:
            return z3.Q(int(e.p), int(e.q))
        if e.is_Symbol and e.name in self.names:
            name = self.names[e.name]
            return z3.ToReal(name) if name.is_int() else name
        args = [self.term(a) for a in (e.args[:1] if e.is_Pow else e.args)]
        if e.is_Add or e.is_Mul:
            total = args[0]
            for a in args[1:]:
                total = total + a if e.is_Add else total * a
            return total
        if e.is_Pow:
            return self._power(args[0], evaluated(e.args[1]))
        if isinstance(e, sp.Abs):
            return z3.If(args[0] >= 0, args[0], -args[0])
        if isinstance(e, sp.Min | sp.Max):
            best = args[0]
            for a in args[1:]:
                best = z3.If((a < best) if isinstance(e, sp.Min) else (a > best), a, best)
            return best
        if isinstance(e, sp.floor | sp.ceiling):
            down = z3.ToReal(z3.ToInt(args[0] if isinstance(e, sp.floor) else -args[0]))
            return down if isinstance(e, sp.floor) else -down
        if isinstance(e, sp.Mod):
            self.defined.append(args[1] != 0)
            return args[0] - args[1] * z3.ToReal(z3.ToInt(args[0] / args[1]))
        raise NotExpressible(type(e).__name__)

    def _power(self, base: Any, exponent: Any) -> Any:
        if not exponent.is_Rational or exponent.q not in (1, 2) or abs(exponent.p) > _MAX_POWER:
            raise NotExpressible(f"a power {exponent}")
        if exponent.q == 2:
            root = z3.Real(f"root{len(self.given)}")
            self.given += [root >= 0, z3.Implies(base >= 0, root * root == base)]
            self.defined.append(base >= 0)
            base = root
        value = base
        for _ in range(abs(int(exponent.p)) - 1):
            value = value * base
        if exponent > 0:
            return value
        self.defined.append(base != 0)
        return 1 / value

    def formula(self, f: Formula) -> Any:
        if isinstance(f, Comparison):
            return _OPERATORS[f.op](self.term(f.lhs), self.term(f.rhs))  # as typed, holes and all
        if not isinstance(f, Connective):
            raise NotExpressible("a predicate")
        parts = [self.formula(p) for p in f.parts]
        return {"and": z3.And, "or": z3.Or, "not": z3.Not}[f.kind](*parts)


def by_z3(row: Row, seconds: float) -> str:
    """holds, refuted, unknown, or not expressible."""
    try:
        problem = read_problem(row.statement, row.domains, row.where)
        said = Translation(problem)
        hypotheses = [said.formula(h) for h in problem.hypotheses]
        known = [*said.domain, *hypotheses, *said.defined]
        said.defined.clear()
        goal = said.formula(problem.goal)
    except (InputError, NotExpressible):
        return "not expressible"
    solver = z3.Solver()
    solver.set("timeout", int(1000 * seconds))
    solver.add(*known, *said.given, z3.Not(z3.And(goal, *said.defined)))
    return {"sat": "refuted", "unsat": "holds"}.get(str(solver.check()), "unknown")


def counts(rows: Sequence[Row], seconds: float) -> Counter[str]:
    found: Counter[str] = Counter()
    for row in rows:
        answer = by_z3(row, seconds)
        if answer in ("holds", "refuted"):
            answer = "right" if answer == row.verdict else "wrong"
            if answer == "wrong":
                print(f"wrong: {row.statement} | {'; '.join(row.domains)}", flush=True)
        found[answer] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--out", type=Path, default=None)
    options = parser.parse_args()
    battery = [r for r in ROWS if r.verdict != "inconclusive"]
    groups = {f.name: blind_rows(f) for f in options.files or FILES}
    if not options.files:
        groups = {"battery.txt": battery, **groups}
    kinds = ("right", "wrong", "unknown", "not expressible")
    lines = [
        f"| statements | {' | '.join(kinds)} |",
        f"|{'---|' * (len(kinds) + 1)}",
    ]
    for name, rows in groups.items():
        found = counts(rows, options.seconds)
        lines.append(f"| `{name}` ({len(rows)}) | {' | '.join(str(found[k]) for k in kinds)} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
