"""The passes that a reader should doubt first: the least sharp equalities and the loosest bounds."""

from __future__ import annotations

from collections.abc import Sequence

from theorycheck.entries.report import Entry

LISTED = 8
"""Passes listed as the least sharp: those that a reader should doubt first."""

SHARP = 1e-9
"""Equalities known to this are not worth doubting for want of sharpness: the target of all evidence
that is not sampled or searched."""

LOOSE = 0.5
"""Bounds to which the evidence comes nearer than half are left out of the list of the loosest."""


def least_sharp(entries: Sequence[Entry]) -> list[Entry]:
    """Passes by the size of what they could not have seen, the bluntest first; sharp ones left out."""
    blunt = [
        (e.resolution.value, e)
        for e in entries
        if e.verdict == "pass" and e.resolution and e.resolution.value > SHARP
    ]
    blunt.sort(key=lambda pair: -pair[0])
    return [e for _, e in blunt[:LISTED]]


def loosest(entries: Sequence[Entry]) -> list[Entry]:
    """Bounds that passed with the most room left, the loosest first; what is proved needs none to be believed."""
    far = [
        (tau.value, e)
        for e in entries
        if e.verdict == "pass"
        and e.rung != "proved"
        and not e.resolution
        and (tau := e.tightness)
        and tau.kind != "absolute"
        and tau.value is not None
        and tau.value < LOOSE
    ]
    far.sort(key=lambda pair: pair[0])
    return [e for _, e in far[:LISTED]]
