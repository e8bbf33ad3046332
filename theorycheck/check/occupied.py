"""Domains without a member are refused before anything is checked: every statement holds on them."""

from __future__ import annotations

from typing import Any

import sympy as sp
from flint import fmpz

from theorycheck import balls
from theorycheck.check.domain import Domains, Variable
from theorycheck.check.text import InputError

# Shorter ranges are looked through for a prime; gaps between primes below 10**400 are shorter than that.
_LOOK_FOR_PRIMES = 20_000


def refuse_empty(domains: Domains) -> None:
    """Look at every range with constant ends; those that depend on other names may be empty at some of
    their values, and are left to the search for a first point.

    Raises:
        InputError: one line, for a range without members or an end without a value.
    """
    for variable in domains.variables:
        if variable.kind == "set" or variable.low.free_symbols or variable.high.free_symbols:
            continue
        for end in (variable.low, variable.high):
            _refuse_undefined(variable, end)
        why = _why_empty(variable)
        if why:
            raise InputError(f"--for {variable.name}: {variable.text} is empty: {why}")


def _refuse_undefined(v: Variable, end: Any) -> None:
    if end in (sp.oo, -sp.oo):
        return
    result = balls.evaluate(end, {}, max_prec=512)
    if result.status in ("undefined", "nonreal"):
        raise InputError(f"--for {v.name}: the end {end} of {v.text} is no real number")


def _why_empty(v: Variable) -> str:
    """Empty text for a range that has members, or may have."""
    if v.low == sp.oo:
        return "nothing lies beyond oo"
    if v.high == -sp.oo:
        return "nothing lies below -oo"
    if sp.oo in (v.high, -v.low):
        return ""
    order = balls.compare(v.low, v.high, {}).relation
    if order == "gt":
        return f"{v.low} lies above {v.high}; the smaller end comes first"
    if v.kind == "real":
        if order == "eq" and (v.low_open or v.high_open):
            return f"its ends are equal and one is left out; for a point write [{v.low}, {v.low}]"
        return ""
    ends = _integer_ends(v)
    if ends is None:
        return ""
    first, last = ends
    if first > last:
        return f"no integer lies between {v.low} and {v.high}"
    if v.kind != "prime" or last - max(first, 2) >= _LOOK_FOR_PRIMES:
        return ""
    primes = (n for n in range(max(first, 2), last + 1) if fmpz(n).is_prime())
    return "" if next(primes, None) else f"no prime lies between {v.low} and {v.high}"


def _integer_ends(v: Variable) -> tuple[int, int] | None:
    ends = [
        balls.evaluate(head(end, evaluate=False), {}).exact
        for head, end in ((sp.ceiling, v.low), (sp.floor, v.high))
    ]
    known = [int(e.p) for e in ends if e is not None]
    return (known[0], known[1]) if len(known) == 2 else None
