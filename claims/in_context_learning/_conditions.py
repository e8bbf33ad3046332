"""Conditions on the parameters that claims of the source share."""

from __future__ import annotations

from inspect import signature


def admitted(points, *conditions):
    """Those points at which the conditions of a claim hold: its grid has what they let in, however wide they are."""

    def holds(condition, point):
        named = {str(symbol): value for symbol, value in point.items()}
        return condition(**{name: named[name] for name in signature(condition).parameters})

    return [p for p in points if all(holds(c, p) for c in conditions)]


def entries(lam, d):
    """lam has d entries"""
    return len(lam) == d


def both_entries(lam, z, d):
    """lam and z have d entries"""
    return len(lam) == len(z) == d


def inside(z, r):
    """z vanishes beyond r"""
    return not any(z[r:])


def noiseless(lam, z, r, sigma):
    """lam vanishes beyond r, or z and sigma vanish"""
    return not any(lam[r:]) or not (any(z) or sigma)


def keeps_variance(lam, r):
    """lam_r > 0"""
    return all(lam[:r])


def keeps_all_variance(lam, R):
    """lam_R > 0"""
    return all(lam[:R])


def keeps_the_next(lam, r):
    """lam_{r+1} > 0"""
    return all(lam[: r + 1])
