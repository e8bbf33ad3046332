"""Rivals that stand where the range of a typed statement has lost a part."""

from __future__ import annotations


def nowhere(*parts: str) -> dict[str, str]:
    """That the range has no point of each of these parts, given in the statement's names."""
    return {f"nowhere {part}": f"not ({part})" for part in parts}
