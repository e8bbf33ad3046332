"""What a person gives to a proof: substitutions (``u = sqrt(r)``) and steps (``erfc(u) <= exp(-u**2)``).

Both are only read here; `theorycheck.check.guided` proves them before anything rests on them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from theorycheck.check.building import build_expression, build_formula, check_statement
from theorycheck.check.formula import Formula
from theorycheck.check.laws import Laws
from theorycheck.check.reading.names import Names
from theorycheck.check.refusal import InputError
from theorycheck.check.text import Scanned, valid_name
from theorycheck.check.typed import understand

_EQUATION = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=(?!=)(.+)\Z", re.DOTALL | re.ASCII)


@dataclass(frozen=True)
class Substitution:
    """``symbol`` stands for ``expression``, in declared names and those of earlier substitutions."""

    symbol: Any
    expression: Any
    text: str


@dataclass(frozen=True)
class Step:
    """A lemma as it was typed, over the declared names and those of the substitutions."""

    formula: Formula
    text: str


@dataclass(frozen=True)
class Given:
    """The substitutions and steps of a problem, in the order in which they were typed."""

    substitutions: tuple[Substitution, ...] = ()
    steps: tuple[Step, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.substitutions or self.steps)


def scanned_given(
    let: Sequence[str], steps: Sequence[str], names: Names
) -> tuple[list[tuple[str, Scanned]], list[Scanned]]:
    """The texts, checked for their names as far as that goes without SymPy.

    Raises:
        InputError: one line, pointing at the place.
    """
    found: list[tuple[str, Scanned]] = []
    for text in let:
        match = _EQUATION.match(text)
        if match is None:
            raise InputError(f"--let {text[:60]!r}: write NAME = EXPRESSION, as in u = sqrt(r)")
        name, expression = match[1], match[2]
        if not valid_name(name):
            raise InputError(f"--let {text[:60]!r}: {name!r} cannot be a name")
        if name in names.known:
            raise InputError(f"--let {text[:60]!r}: {name!r} already has a domain; take a new name")
        found.append((name, understand(expression, names, f"--let {name}").scanned))
        names = Names(names.declared | {name}, names.random, names.vectors)
    scanned = [understand(text, names, "--step").scanned for text in steps]
    for step in scanned:
        check_statement(step, names.declared | names.random)
    return found, scanned


def read_given(
    let: Sequence[str],
    steps: Sequence[str],
    names: Names,
    symbols: Mapping[str, Any],
    random: Laws,
) -> Given:
    """Substitutions and steps as exact objects.

    Raises:
        InputError: one line, pointing at the place.
    """
    import sympy

    lets, typed = scanned_given(let, steps, names)
    known = dict(symbols)
    substitutions: list[Substitution] = []
    for (name, scanned), text in zip(lets, let, strict=True):
        expression = build_expression(scanned, known, random)
        if not expression.free_symbols:
            raise InputError(f"--let {text[:60]!r}: no declared name occurs in {scanned.source}")
        known[name] = sympy.Symbol(name, real=True)
        substitutions.append(Substitution(known[name], expression, text.strip()))
    built = (Step(build_formula(s, known, random), s.source) for s in typed)
    return Given(tuple(substitutions), tuple(built))


__all__ = ["Given", "Step", "Substitution", "read_given", "scanned_given"]
