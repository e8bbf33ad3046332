"""Ranges of the register as domains, where their words can be read, to be held against a claim's domain."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

from theorycheck.numbers.domain import (
    Domain,
    DomainError,
    choices,
    even_integers,
    integers,
    odd_integers,
    primes,
    reals,
    to_text,
)

_NUMBER = r"-?\d+(?:/\d+|\.\d+)?"
_WHOLE = re.compile(
    r"(?P<noun>(?:odd |even )?(?:positive )?integers?|odd|even|primes?)"
    r"(?: (?P<sign>>=|>) (?P<low>-?\d+))?(?:\s*\(.*\))?"
)
_REAL = re.compile(rf"reals (?P<sign>>=|>|!=) (?P<low>{_NUMBER})(?:\s*\(.*\))?")
_INTERVAL = re.compile(
    rf"(?P<left>[\[(])(?P<low>{_NUMBER}), ?(?P<high>{_NUMBER})(?P<right>[\])])(?:\s*\(.*\))?"
)

_SET = re.compile(rf"\{{(?P<values>{_NUMBER}(?: ?, ?{_NUMBER})*)\}}")
_SPAN = re.compile(r"(?P<low>-?\d+) ?\.\. ?(?P<high>-?\d+)")

FEW = 12
"""Members of the register's range that are looked for in the claim's domain."""


def range_domain(text: str) -> Domain | None:
    """The domain that a range's words describe; None where they are not of the few kinds read here.

    A remark may follow in brackets. Anything else that follows may narrow the range, and it is not read.
    """
    try:
        return _listed(text) or _whole(text) or _real(text)
    except DomainError:
        return None


def left_out(domain: Domain, text: str) -> str:
    """A member of the range that the domain has not, as text; empty where none is found."""
    wide = range_domain(text)
    if wide is None or not domain.numeric:
        return ""
    if wide.kind == "reals" and domain.kind != "reals":
        return "a half" if Fraction(1, 2) in wide and Fraction(1, 2) not in domain else ""
    members = [m.value for m in itertools.islice(wide.special(), FEW)]
    return next((to_text(v) for v in members if v not in domain), "")


def exhausts(domain: Domain, text: str) -> bool:
    """Whether every member of the domain is every member of the range: a finite one that can be read."""
    wide = range_domain(text)
    return wide is not None and wide.finite and all(v in domain for v in wide.members())


def _whole(text: str) -> Domain | None:
    match = _WHOLE.fullmatch(text)
    if match is None:
        return None
    noun = match["noun"]
    low = 1 if "positive" in noun else None
    if match["low"] is not None:
        low = int(match["low"]) + (match["sign"] == ">")
    if noun.startswith("prime"):
        return primes(2 if low is None else low)
    if low is None:
        return None
    make = odd_integers if "odd" in noun else even_integers if "even" in noun else integers
    return make(low)


def _listed(text: str) -> Domain | None:
    match = _SET.fullmatch(text)
    if match is not None:
        return choices(*(Fraction(v) for v in match["values"].split(",")))
    match = _SPAN.fullmatch(text)
    return None if match is None else integers(int(match["low"]), int(match["high"]))


def _real(text: str) -> Domain | None:
    match = _REAL.fullmatch(text)
    if match is not None:
        end = Fraction(match["low"])
        if match["sign"] == "!=":
            return reals(without=[end])
        return reals(end, low_open=match["sign"] == ">")
    match = _INTERVAL.fullmatch(text)
    if match is None:
        return None
    low, high = Fraction(match["low"]), Fraction(match["high"])
    return reals(low, high, low_open=match["left"] == "(", high_open=match["right"] == ")")
