"""What a claim's evidence is filed by, beside seed, device, versions and the unit's own key."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """A claim by id and content. ``content``: hash of its module and of what that reaches;
    ``external``: whether a leg wraps code whose versions count too."""

    claim_id: str
    content: str
    external: bool = False
