"""Rivals that hold the ranges of formula legs."""

from __future__ import annotations

from theorycheck import rivals_of


def reaching(leg, *corners):
    """For each of ``corners`` (a predicate on the names of a formula leg) the rival that the leg's range has no such
    point: it falls where the range has one. Where somebody narrows the range, or drops its end, it stands."""
    return rivals_of(leg, {f"{leg.name}: never {at}": f"not ({at})" for at in corners})
