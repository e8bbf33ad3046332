"""Typed statements of a claim are read when it is loaded, so that a slip is told with its file and place."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.functions import ClaimError
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.claims.reach import Point, around, bases_of, narrow

if TYPE_CHECKING:
    from theorycheck.check.domain import Variable
    from theorycheck.check.formula import Comparison, Formula


def check_statements(claim: Claim) -> None:
    """Raises ClaimError naming the claim and the place in the text."""
    told = [lg.simulation for lg in claim.legs]
    told += [r.changes["simulation"] for r in claim.rivals if "simulation" in r.changes]
    for statement in (s for s in told if isinstance(s, TypedStatement)):
        try:
            _read(statement)
        except ClaimError as error:
            raise ClaimError(f"claim {claim.id}: {error}") from None


def check_hypotheses(claim: Claim) -> None:
    """What a typed statement presumes of parameters alone, its claim presumes as well. Raises ClaimError."""
    typed = [(lg, lg.simulation) for lg in claim.legs if isinstance(lg.simulation, TypedStatement)]
    given = [(lg, h) for lg, s in typed for h in _read(s)]
    bases = bases_of(claim) if given and claim.domain else []
    for lg, hypothesis in given if bases else ():
        for part in _parts(hypothesis):
            _check_part(claim, lg, part, bases)


def _check_part(claim: Claim, lg: Leg, part: Comparison, bases: list[Point]) -> None:
    names = {str(symbol) for side in (part.lhs, part.rhs) for symbol in side.free_symbols}
    if names and names <= set(claim.domain):
        for point in around(claim, lg, sorted(names), bases):
            if _is_false(part, point):
                raise narrow(claim, lg, f"{part.lhs} {part.op} {part.rhs}", point)


def _is_false(part: Comparison, point: Point) -> bool:
    import sympy  # not at the top: what only lists claims does without it

    made = {
        "==": sympy.Eq,
        "!=": sympy.Ne,
        "<": sympy.Lt,
        "<=": sympy.Le,
        ">": sympy.Gt,
        ">=": sympy.Ge,
    }
    values = {n: v for n, v in point.items() if isinstance(v, int | Fraction)}
    sides = [
        side.xreplace(
            {s: sympy.Rational(values[str(s)]) for s in side.free_symbols if str(s) in values}
        )
        for side in (part.lhs, part.rhs)
    ]
    return bool(made[part.op](*sides) == sympy.false)


def _parts(hypothesis: Formula) -> Iterator[Comparison]:
    """The comparisons that an ``and`` joins."""
    from theorycheck.check.formula import Comparison, Connective

    if isinstance(hypothesis, Comparison):
        yield hypothesis
    elif isinstance(hypothesis, Connective) and hypothesis.kind == "and":
        for part in hypothesis.parts:
            yield from _parts(part)


@cache
def _read(statement: TypedStatement) -> tuple[Formula, ...]:
    """Its hypotheses, and the ends of ranges that other names give, as in ``i in 1..n-1``. Read once a process: a
    library is loaded many times in one, by tests and by the audit. Raises ClaimError."""
    from theorycheck.evidence.workbench import (
        problem_of,
    )  # only claims with typed statements need it

    problem = problem_of(statement)
    return (*problem.hypotheses, *(end for v in problem.domains.variables for end in _linked(v)))


def _linked(variable: Variable) -> Iterator[Comparison]:
    from theorycheck.check.formula import Comparison

    if variable.low is not None and variable.low.free_symbols:
        yield Comparison(">" if variable.low_open else ">=", variable.symbol, variable.low)
    if variable.high is not None and variable.high.free_symbols:
        yield Comparison("<" if variable.high_open else "<=", variable.symbol, variable.high)
