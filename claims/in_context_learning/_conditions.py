"""Conditions on the parameters that claims of the source share."""

from __future__ import annotations


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
