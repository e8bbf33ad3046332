"""What a claim's evidence is filed by, beside seed, device, versions and the unit's own key."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from theorycheck.evidence.content import Content


@dataclass(frozen=True)
class Origin:
    """A claim by id and content. ``content``: digest of ``made_from``, its module and what that reaches,
    seen from ``folder``; ``external``: whether a leg wraps code whose versions count too; ``proof``:
    whether a leg asks the provers."""

    claim_id: str
    content: str
    external: bool = False
    proof: bool = False
    made_from: Content = field(default_factory=Content)
    folder: Path = Path()
