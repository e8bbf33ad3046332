"""What a claim quantifies over and what of it was tried, in words."""

from __future__ import annotations

import sympy

from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.model import Claim
from theorycheck.numbers.domain import to_text


def tested_text(claim: Claim, profile: str) -> str:
    """What of the domain was tried, in one line."""
    points = claim.points(profile)
    if not claim.domain:
        return "the statement as a whole" if scopes(claim) else "the only case"
    parts = []
    for name in claim.domain:
        tried = dict.fromkeys(p[name] for p in points if name in p)
        if not any(isinstance(value, str | tuple) for value in tried):
            tried = dict.fromkeys(sorted(tried))
        values = [to_text(value) for value in tried]
        few = (
            ", ".join(values) if len(values) <= 8 else f"{', '.join(values[:3])}, ..., {values[-1]}"
        )
        parts.append(f"{name} in {{{few}}}")
    return f"{len(points)} point{'' if len(points) == 1 else 's'}: " + "; ".join(parts)


def domain_text(claim: Claim) -> str:
    """The domain as the theorem quantifies it."""
    parts = [f"{name}: {d.text()}" for name, d in claim.domain.items()]
    condition = claim.where
    if isinstance(condition, sympy.Basic):
        parts.append(f"where {condition}")
    return "; ".join([*parts, *scopes(claim)]) or "a single case"


def scopes(claim: Claim) -> list[str]:
    """What the typed statements among the legs quantify over."""
    found = [
        lg.simulation.scope() for lg in claim.legs if isinstance(lg.simulation, TypedStatement)
    ]
    return [text for text in dict.fromkeys(found) if text]
