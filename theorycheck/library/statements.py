"""Typed statements of a claim are read when it is loaded, so that a slip is told with its file and place."""

from __future__ import annotations

from functools import cache

from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.functions import ClaimError
from theorycheck.claims.model import Claim


def check_statements(claim: Claim) -> None:
    """Raises ClaimError naming the claim and the place in the text."""
    told = [lg.simulation for lg in claim.legs]
    told += [r.changes["simulation"] for r in claim.rivals if "simulation" in r.changes]
    typed = [s for s in told if isinstance(s, TypedStatement)]
    for statement in typed:
        try:
            _read(statement)
        except ClaimError as error:
            raise ClaimError(f"claim {claim.id}: {error}") from None


@cache
def _read(statement: TypedStatement) -> None:
    """Reads it, once a process: a library is loaded many times in one, by tests and by the audit. Raises ClaimError."""
    from theorycheck.evidence.workbench import (
        problem_of,
    )  # only claims with typed statements need it

    problem_of(statement)
