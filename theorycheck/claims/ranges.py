"""Ranges of the register as domains, where their words can be read, to be held against a claim's domain."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil, floor

from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.legs import Leg
from theorycheck.numbers.domain import (
    Domain,
    DomainError,
    Exact,
    choices,
    even_integers,
    exact,
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
_BARE = re.compile(rf"(?P<sign>>=|>) ?(?P<low>{_NUMBER})(?:\s*\(.*\))?")
_INTERVAL = re.compile(
    rf"(?P<left>[\[(])(?P<low>{_NUMBER}|-infinity), ?(?P<high>{_NUMBER}|infinity)(?P<right>[\])])(?:\s*\(.*\))?"
)
_LINE = re.compile(r"(?:all )?reals|R")

_TYPED = re.compile(
    rf"(?P<left>[\[(]) ?(?P<low>{_NUMBER}|-oo), ?(?P<high>{_NUMBER}|oo) ?(?P<right>[\])])"
)
_TYPED_SPAN = re.compile(r"(?P<low>-?\d+) ?\.\. ?(?P<high>-?\d+|oo)")
# The index of a member, ``a[i]``, and where it runs
_INDEX = re.compile(r"(?<=\w)\[[A-Za-z_]\w*\]| for .*$")
_TYPED_SIDE = re.compile(rf"(?P<name>\w+) ?(?P<sign>>=|>) ?(?P<low>{_NUMBER})")

_SET = re.compile(rf"\{{(?P<values>{_NUMBER}(?: ?, ?{_NUMBER})*)\}}")
_NAME = r"\w+(?:\.\w+)*"
_NAMES = re.compile(rf"\{{(?P<values>{_NAME}(?: ?, ?{_NAME})*)\}}")
_SPAN = re.compile(r"(?P<low>-?\d+) ?\.\. ?(?P<high>-?\d+)(?:\s*\(.*\))?")

FEW = 12
"""Members of the register's range that are looked for in the claim's domain."""


def range_domain(text: str) -> Domain | None:
    """The domain that a range's words describe; None where they are not of the few kinds read here.

    A remark may follow in brackets. Anything else that follows may narrow the range, and it is not read. ``>= 1``
    does not say of what: it is read as the integers, which both readings have.
    """
    try:
        return _listed(text) or _named(text) or _whole(text) or _real(text) or _bare(text)
    except DomainError:
        return None


def left_out(domain: Domain, text: str) -> str:
    """A member of the range that the domain has not, as text; empty where none is found."""
    wide = range_domain(text)
    if wide is None or not domain.numeric:
        return ""
    if wide.kind == "reals" and domain.kind != "reals":
        return "a half" if Fraction(1, 2) in wide and Fraction(1, 2) not in domain else ""
    members = [*(m.value for m in itertools.islice(wide.special(), FEW)), *beside_ends(domain)]
    return next((to_text(v) for v in members if v in wide and v not in domain), "")


def beside_ends(domain: Domain) -> Iterator[Exact]:
    """The ends of a domain and what lies one beyond them: where a range that goes on would go on."""
    for end, step in ((domain.low, -1), (domain.high, 1)):
        if end is not None:
            yield from (exact(end), exact(end + step))


def left_out_of_all(domains: Sequence[Domain], text: str) -> str:
    """A member of the range that none of the domains has that divide it among them, as text; empty where none is
    found. A domain that has the whole range, or nothing of it, is another step's and makes up for nothing."""
    wide = range_domain(text)
    if wide is None:
        return ""
    members = [m.value for m in itertools.islice(wide.special(), FEW)]
    members += itertools.chain.from_iterable(map(beside_ends, domains))
    wanted = [v for v in members if v in wide]
    if all(any(v in d for d in domains) for v in wanted):
        domains = [d for d in domains if 0 < sum(v in d for v in wanted) < len(wanted)]
    return next((to_text(v) for v in wanted if domains and all(v not in d for d in domains)), "")


def typed_domains(legs: Iterable[Leg], name: str) -> list[Domain]:
    """What the typed statements of some legs give a name, before any condition; empty where one of them cannot be
    read."""
    each = [typed_range(leg, name) for leg in legs]
    found = [d for d in each if d is not None]
    return found if len(found) == len(each) else []


def readable_domains(legs: Iterable[Leg], name: str) -> list[Domain]:
    """The same of those legs that can be read: what one of them lacks, a range that depends on other names is not
    known to make up for."""
    return [d for leg in legs if (d := typed_range(leg, name)) is not None]


def typed_range(leg: Leg, name: str) -> Domain | None:
    """What a typed statement gives a name, before any condition; None where it cannot be read."""
    statement = leg.simulation
    if not isinstance(statement, TypedStatement):
        return None
    texts = [part for text in statement.over for part in text.split(";")]
    read = [d for part in texts if (d := typed_domain(part.strip(), name)) is not None]
    return read[0] if len(read) == 1 else None


def exhausts(domain: Domain, text: str) -> bool:
    """Whether every member of the domain is every member of the range: a finite one that can be read."""
    wide = range_domain(text)
    return wide is not None and wide.finite and all(v in domain for v in wide.members())


def without_index(text: str) -> str:
    """``a, b in [0, 1]`` of ``a[i], b[i] in [0, 1] for i in 1..n``: each name of a family stands for its members."""
    return _INDEX.sub("", text)


def typed_domain(text: str, name: str) -> Domain | None:
    """The domain that a formula's text gives a name (``r in 37..oo``, ``x, y in [0, oo)``, ``c > 0``), or each
    member of a family of that name (``a[i] in R for i in 1..n``); None where it speaks of other names, or its ends
    are no numbers."""
    text = without_index(text).strip()
    side = _TYPED_SIDE.fullmatch(text)
    if side is not None and side["name"] == name:
        return reals(Fraction(side["low"]), low_open=side["sign"] == ">")
    names, found, values = text.partition(" in ")
    if not found or name not in {n.strip() for n in names.split(",")}:
        return None
    try:
        return _typed_values(values.strip())
    except DomainError:
        return None


def _typed_values(values: str) -> Domain | None:
    if values == "R":
        return reals()
    span = _TYPED_SPAN.fullmatch(values)
    if span is not None:
        return integers(int(span["low"]), None if span["high"] == "oo" else int(span["high"]))
    match = _TYPED.fullmatch(values)
    return _listed(values) if match is None else _interval(match, "oo")


def hole(domains: Iterable[Domain]) -> str:
    """What lies between intervals and integer ranges that were meant to join, ``(30, 40)``; empty where they
    overlap or touch. Integers touch the next integer."""
    pieces = sorted(domains, key=lambda d: (d.low is not None, d.low or 0, d.low_open))
    reach: Domain | None = None
    for one in pieces:
        if reach is not None and reach.high is not None and one.low is not None:
            apart = one.low - reach.high
            whole = "integers" in (one.kind, reach.kind)
            both_open = apart == 0 and reach.high_open and one.low_open
            if apart > whole or (both_open and not whole):
                return f"({to_text(exact(reach.high))}, {to_text(exact(one.low))})"
        if reach is None or one.high is None or (reach.high is not None and one.high >= reach.high):
            reach = one
    return ""


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


def _bare(text: str) -> Domain | None:
    match = _BARE.fullmatch("> 0" if text == "positive" else text)
    if match is None:
        return None
    low = Fraction(match["low"])
    return integers(floor(low) + 1 if match["sign"] == ">" else ceil(low))


def _listed(text: str) -> Domain | None:
    match = _SET.fullmatch(text)
    if match is not None:
        return choices(*(Fraction(v) for v in match["values"].split(",")))
    match = _SPAN.fullmatch(text)
    return None if match is None else integers(int(match["low"]), int(match["high"]))


def _named(text: str) -> Domain | None:
    """Things that have names and no numbers, ``{VLCS, PACS}``; in a typed statement these would be expressions."""
    match = _NAMES.fullmatch(text)
    return None if match is None else choices(*re.split(" ?, ?", match["values"]))


def _real(text: str) -> Domain | None:
    match = _REAL.fullmatch("reals > 0" if text == "positive reals" else text)
    if match is not None:
        end = Fraction(match["low"])
        if match["sign"] == "!=":
            return reals(without=[end])
        return reals(end, low_open=match["sign"] == ">")
    if _LINE.fullmatch(text) is not None:
        return reals()
    return _interval(_INTERVAL.fullmatch(text), "infinity")


def _interval(match: re.Match[str] | None, endless: str) -> Domain | None:
    """The interval between two ends as they were read, either of which may be the word for endless."""
    if match is None:
        return None
    low, high = (
        None if match[end].endswith(endless) else Fraction(match[end]) for end in ("low", "high")
    )
    return reals(
        low,
        high,
        low_open=low is not None and match["left"] == "(",
        high_open=high is not None and match["right"] == ")",
    )
