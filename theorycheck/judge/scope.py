"""What a claim quantifies over and what of it was tried, in words."""

from __future__ import annotations

import sympy

from theorycheck.claims.model import Claim
from theorycheck.numbers.domain import to_text


def tested_text(claim: Claim, profile: str) -> str:
    """What of the domain was tried, in one line."""
    points = claim.points(profile)
    if not claim.domain:
        return "the only case"
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
    return "; ".join(parts) or "a single case"
