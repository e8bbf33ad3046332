"""What a clause says there is, a leg gives: by a function that is run, or by what stands in its formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from theorycheck.claims.clauses import Clause
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.functions import Simulation, name_of, named_arguments
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.judge.calls import functions_of
from theorycheck.judge.standing import bounds, is_part, stands_in


def unseen_choice(claim: Claim, legs: Sequence[Leg]) -> str:
    """Why no error could be seen in what the legs give, "" where one could: no program of the claim runs what
    chooses it, and its value stands in no formula."""
    if any(_looked_at(claim, lg) for lg in legs):
        return ""
    chooser = legs[0].pays.chosen_by
    if chooser is None:
        return "typed, and no formula has it"
    _, stopped = _values(chooser)
    why = f" (given names for numbers it stops: {stopped})" if stopped else ""
    return f"chosen by {name_of(chooser)}, which nothing runs, and no formula has it{why}"


def hidden_names(claim: Claim, clause: Clause, legs: Sequence[Leg]) -> list[str]:
    """Names of the clause that stand in the value of what is chosen, and that its chooser does not take: it depends
    on them all the same."""
    parts = {n for q in clause.prefix for n in claim.reads.get(q.name, (q.name,))}
    found: set[str] = set()
    for chooser in (lg.pays.chosen_by for lg in legs):
        if chooser is not None:
            symbols = {x.name for v in _values(chooser)[0] for x in v.free_symbols}
            found |= (symbols & parts) - set(named_arguments(chooser))
    return sorted(found)


def _looked_at(claim: Claim, leg: Leg) -> bool:
    chooser = leg.pays.chosen_by
    if chooser is None:
        return not isinstance(leg.simulation, TypedStatement)
    if any(_reaches(part, chooser) for lg in claim.legs for part in _programs(lg)):
        return True
    values, _ = _values(chooser)
    return bool(values) and all(_stands(claim, leg, value) for value in values)


def _reaches(program: Any, chooser: Simulation) -> bool:
    package = str(getattr(chooser, "__module__", "")).partition(".")[0]
    return program is chooser or chooser in functions_of(program, package)


def _programs(leg: Leg) -> Iterator[Any]:
    """The functions that a leg runs."""
    if not isinstance(leg.simulation, TypedStatement):
        yield leg.simulation
    if leg.reference is not None:
        yield leg.reference
    if leg.instances is not None:
        yield leg.instances.draw
        yield from leg.instances.computed.values()


def _stands(claim: Claim, leg: Leg, value: sympy.Expr) -> bool:
    if isinstance(leg.simulation, TypedStatement):
        return stands_in(value, [leg]) or bounds(value, leg)
    form = claim.form_of(leg)
    return isinstance(form, sympy.Expr | sympy.MatrixBase) and is_part(value, form)


def _values(chooser: Simulation) -> tuple[tuple[sympy.Expr, ...], str]:
    """What it gives, its arguments being names; where it wants more of them than that, nothing, and what it says: it
    computes with numbers then, and what it gives is one."""
    try:
        given = chooser(*(sympy.Symbol(n) for n in named_arguments(chooser)))
        made = [
            sympy.sympify(v, strict=True)  # a text is no value, and is not read as one
            for v in (given if isinstance(given, tuple | list) else [given])
        ]
    except Exception as error:  # noqa: BLE001 - an author's function, given names, may raise anything; it is told
        return (), f"{type(error).__name__}: {error}".split("\n")[0]
    return tuple(v for v in made if isinstance(v, sympy.Expr)), ""
