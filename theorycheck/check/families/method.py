"""What a proof about families may ask: statements of names, proved by the provers of names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Domains, Variable
from theorycheck.check.families.members import connected
from theorycheck.check.families.naming import Named, Total
from theorycheck.check.forms import ForAll, conditions, evaluated
from theorycheck.check.formula import Comparison, Formula
from theorycheck.check.limits import Clock
from theorycheck.check.problem import Problem
from theorycheck.check.region import formula_text

Prove = Callable[[Problem, float], tuple[str, ...]]
"""The lines of a proof of a statement of names within so many seconds; none where there is none."""

# A lemma takes a few tenths of a second where it is proved at all; a wrong one falls as fast.
_LEMMA_SECONDS, _LEMMA_SHARE = 4.0, 0.5


@dataclass
class FamilyTask:
    """One comparison of names and sums to be proved; ``lines`` tell what it rests on."""

    named: Named
    goal: Comparison
    clock: Clock
    prove: Prove
    lines: list[str] = field(default_factory=list)

    @property
    def difference(self) -> Any:
        """What is to be shown to be positive, or not negative."""
        left, right = evaluated(self.goal.lhs), evaluated(self.goal.rhs)
        return left - right if self.goal.op in (">", ">=") else right - left

    @property
    def op(self) -> str:
        """``>`` or ``>=``, of the difference and 0."""
        return ">" if self.goal.op in ("<", ">") else ">="

    def shown(self, problem: Problem, what: str = "") -> bool:
        """Whether a statement of names is proved; ``what`` says before it what it is for."""
        seconds = min(_LEMMA_SECONDS, _LEMMA_SHARE * self.clock.left)
        if seconds <= 0:
            return False
        asked = connected(problem)
        found = self.prove(asked, seconds)
        if not found:
            return False
        over = asked.domains.text()
        where = " and ".join(formula_text(h) for h in asked.hypotheses)
        scope = f"   for {over}{' where ' + where if where else ''}" if over else ""
        self.lines.append(f"{what}{formula_text(problem.goal)}{scope}")
        self.lines += [f"  {line}" for line in found]
        return True

    def sides_have_values(self) -> bool:
        """Whether both sides are proved to have values for all values of their names and sums."""
        found = [c for side in (self.goal.lhs, self.goal.rhs) for c in conditions(side)]
        return all(
            not isinstance(c, ForAll) and self.shown(self.in_names(c), "the sides have values: ")
            for c in found
        )

    def in_names(
        self,
        goal: Formula,
        more: Sequence[Variable] = (),
        hypotheses: Sequence[Formula] = (),
    ) -> Problem:
        """A statement of the declared names, the sums and more names."""
        plain = self.named.problem
        domains = Domains((*plain.domains.variables, *more))
        return replace(
            plain, domains=domains, goal=goal, hypotheses=(*plain.hypotheses, *hypotheses)
        )

    def symbols_with(self, total: Total) -> bool:
        """Whether the sum stands in the goal."""
        return total.symbol in (self.goal.lhs.free_symbols | self.goal.rhs.free_symbols)


@dataclass(frozen=True)
class FamilyMethod:
    """One way to prove a comparison of names and sums of families of any length: ``prove`` says whether it
    did, and leaves the proof in the lines of the task."""

    name: str
    prove: Callable[[FamilyTask], bool]


def nonnegative(name: str) -> Variable:
    """A new real name from 0 on."""
    symbol = sp.Symbol(name, nonnegative=True)
    return Variable(
        name, symbol, "real", "[0, oo)", sp.Integer(0), sp.oo, low_open=False, high_open=True
    )


def cosine(name: str) -> Variable:
    """A new real name from -1 to 1."""
    symbol = sp.Symbol(name, real=True)
    return Variable(name, symbol, "real", "[-1, 1]", sp.Integer(-1), sp.Integer(1))


def linear_part(e: Any, totals: Sequence[Total]) -> tuple[dict[Total, Any], Any]:
    """The sums in which an expression is linear, with their factors, and what is left."""
    e = sp.expand(e)
    symbols = {t.symbol for t in totals}
    found: dict[Total, Any] = {}
    for t in totals:
        factor = sp.diff(e, t.symbol)
        if factor != 0 and not factor.free_symbols & {t.symbol}:
            found[t] = factor
    # A factor that speaks of another linear sum makes a product of both: neither is linear.
    loose = {t for t, f in found.items() if f.free_symbols & {o.symbol for o in found}}
    found = {t: f for t, f in found.items() if t not in loose}
    if any(f.free_symbols & symbols & {t.symbol for t in found} for f in found.values()):
        return {}, e
    rest = sp.expand(e - sp.Add(*(f * t.symbol for t, f in found.items())))
    return found, rest
