"""Rivals of typed steps that fall only where the step is as strong, and its range as long, as the argument needs."""

from __future__ import annotations

from theorycheck import rivals_of


def within(leg, *parts):
    """Each text said of the leg's whole range: false at one far corner of it alone, so that it stands where somebody
    takes a part of the range for the whole."""
    return rivals_of(leg, {f"{leg.name}: {text}": text for text in parts})


def scaled(leg, factor="99/100"):
    """The leg's own text with its last side times ``factor``: for bounds that are reached, or nearly so."""
    return rivals_of(leg, {f"{leg.name}, times {factor}": f"{leg.simulation.says}*({factor})"})
