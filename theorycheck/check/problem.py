"""A statement with its domain and hypotheses, read from text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from theorycheck.check.domain import Domains, parse_domains
from theorycheck.check.occupied import refuse_empty
from theorycheck.check.text import (
    Connective,
    Formula,
    build_formula,
    scan,
)


@dataclass(frozen=True)
class Problem:
    """``goal`` is claimed for all points of ``domains`` at which every hypothesis is true."""

    statement: str
    domains: Domains
    goal: Formula
    hypotheses: tuple[Formula, ...] = ()
    where: tuple[str, ...] = ()

    def scope(self) -> str:
        """The quantifier as a person reads it."""
        text = self.domains.text()
        if self.where:
            text += " where " + " and ".join(self.where)
        return text


def read_problem(statement: str, domains: Sequence[str] = (), where: Sequence[str] = ()) -> Problem:
    """Parse everything.

    Raises:
        InputError: one line, pointing at the place.
    """
    scanned = scan(statement, "statement")
    hypotheses = [scan(text, "--where") for text in where]
    declared = parse_domains(domains)
    refuse_empty(declared)
    symbols = declared.symbols
    return Problem(
        statement.strip(),
        declared,
        build_formula(scanned, symbols),
        tuple(_flat(build_formula(h, symbols) for h in hypotheses)),
        tuple(text.strip() for text in where),
    )


def _flat(formulas: Any) -> list[Formula]:
    flat: list[Formula] = []
    for formula in formulas:
        if isinstance(formula, Connective) and formula.kind == "and":
            flat.extend(_flat(formula.parts))
        else:
            flat.append(formula)
    return flat
