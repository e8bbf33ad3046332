"""Templates of claim modules, one a kind of claim; each runs as it stands."""

from __future__ import annotations

from pathlib import Path

KINDS = {
    "formula": "a formula against a number",
    "distribution": "a formula against the mean of a distribution",
    "procedures": "a procedure against a procedure, on drawn instances",
    "optimum": "the best value, closed from both sides",
    "bound": "a one-sided bound",
}


def render(kind: str, claim_id: str, title: str) -> str:
    """The module's text. ``kind`` is one of KINDS."""
    text = (Path(__file__).parent / f"{kind}.txt").read_text(encoding="utf-8")
    return text.replace('"ID"', f'"{claim_id}"').replace("TITLE", title)
