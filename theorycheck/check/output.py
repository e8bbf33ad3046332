"""Verdicts on conjectures, printed for people."""

from __future__ import annotations

import json
from collections.abc import Sequence

from theorycheck.check.verdict import EXIT, HOLDS, INCONCLUSIVE, REFUTED, SEARCHED, Verdict

_WORDS = {"proved": "proved", "exhaustive": "every point checked exactly"}


def render(verdict: Verdict, *, explain: bool = False) -> str:
    """A few lines of plain text: the verdict first, then what it rests on; ``explain``: in steps."""
    lines = [_headline(verdict)]
    lines.append(f"  {verdict.statement}" + (f"   for {verdict.scope}" if verdict.scope else ""))
    lines += [f"  {text}" for text in verdict.reading]
    if verdict.verdict == REFUTED:
        lines += _counterexample(verdict)
    if verdict.reason:
        lines.append(f"  reason: {verdict.reason}")
    if verdict.covered:
        label = "tried" if verdict.rung == SEARCHED else "covered"
        lines.append(f"  {label}: {verdict.covered}")
    lines += [f"  instead: {text}" for text in verdict.instead]
    lines += [f"  note: {text}" for text in verdict.notes]
    if explain and verdict.why:
        lines += ["  why:", *(f"    {text}" for text in verdict.why)]
    return "\n".join(lines)


def _headline(verdict: Verdict) -> str:
    time = f"[{verdict.seconds:.1f} s]"
    if verdict.verdict == HOLDS:
        if verdict.proved:
            return f"HOLDS ({_WORDS[verdict.rung]}) {time}"
        return f"HOLDS as far as searched: no counterexample found, not proved {time}"
    if verdict.verdict == INCONCLUSIVE:
        return f"INCONCLUSIVE {time}"
    return f"REFUTED{' (a side is undefined)' if verdict.kind == 'undefined' else ''} {time}"


def _counterexample(verdict: Verdict) -> list[str]:
    point = verdict.counterexample or {}
    where = ", ".join(f"{name} = {value}" for name, value in point.items())
    lines = [f"  counterexample: {where}" if where else "  it is false as it stands"]
    for label, side in (("left", verdict.lhs), ("right", verdict.rhs)):
        if side is not None:
            lines.append(f"    {label:5} = {side}")
    return lines


def to_json(verdicts: Sequence[Verdict], *, single: bool, explain: bool = False) -> str:
    """One object for one statement, an array of them for a file."""
    objects = [v.as_json(explain=explain) for v in verdicts]
    return json.dumps(objects[0] if single else objects, indent=2)


def exit_code(verdicts: Sequence[Verdict], *, require_proof: bool = False) -> int:
    """1 before 6 before 0: an unexpected verdict, an inconclusive one, all as expected.

    ``require_proof``: what holds by search only counts as inconclusive.
    """
    codes = [0 if v.verdict == v.expected else EXIT[v.verdict] or 1 for v in verdicts]
    if require_proof and any(v.verdict == HOLDS and not v.proved for v in verdicts):
        codes.append(EXIT[INCONCLUSIVE])
    return 1 if 1 in codes else max(codes, default=5)
