"""The six comparisons: what denies each, and which signs of left - right each allows."""

from __future__ import annotations

from collections.abc import Mapping

NEGATED: Mapping[str, str] = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
}

ALLOWED: Mapping[str, frozenset[int]] = {
    "<": frozenset({-1}),
    "<=": frozenset({-1, 0}),
    ">": frozenset({1}),
    ">=": frozenset({1, 0}),
    "!=": frozenset({-1, 1}),
    "==": frozenset({0}),
}
