"""Words that every report uses for verdicts, rungs and sharpness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theorycheck.relations.base import VERIFIED


def standing(entry: Mapping[str, Any]) -> str:
    """``verified (exhaustive)``, ``supported (sampled)``, ``refuted``, ...: only proved, exhaustive
    and certified evidence may be called verified."""
    verdict, rung = entry["verdict"], entry.get("rung")
    if verdict == "pass":
        return f"{'verified' if rung in VERIFIED else 'supported'} ({rung})"
    if verdict == "fail":
        return f"refuted ({rung})" if rung else "refuted"
    return str(verdict)


def sharpness(entry: Mapping[str, Any]) -> str:
    """Resolution or tightness in a few characters."""
    resolution, tightness = entry.get("resolution"), entry.get("tightness")
    if resolution is not None:
        value = resolution["value"]
        if value == 0:
            return "exact"
        return f"{value:.2g} {resolution['kind']}"
    if tightness is not None and tightness.get("value") is not None:
        return f"tight to {tightness['value']:.4g}"
    return ""


def unexpected(entry: Mapping[str, Any]) -> bool:
    return entry["verdict"] not in ("skipped", entry["expected"])


def place(counterexample: Mapping[str, Any]) -> str:
    """``k=2, p=4, instance 3: 0.12 against 0.13``."""
    at = ", ".join(f"{k}={v}" for k, v in counterexample.get("point", {}).items())
    if counterexample.get("instance") is not None:
        at += f", instance {counterexample['instance']}"
    where = f"{at}: " if at else ""
    return f"{where}{counterexample['lhs']} against {counterexample['rhs']}"
