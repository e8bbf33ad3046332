"""How far the typed statements of a claim reach.

The steps of a proof speak of the whole of what the claim says it speaks of: a claim for all k >= 1 is not proved by a
step for k >= 5. And a typed statement that is expected to be false, at some value of a constant that the clause has
inside, says something of that constant only where it is false at the far end of its range too.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.functions import PROFILES, ClaimError
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.claims.ranges import FEW, beside_ends, typed_domain, typed_range
from theorycheck.numbers.domain import Domain, Exact, to_text

BASES = 4
"""Points of the grid around which one parameter is moved."""

FAR = 10**6
"""How far out a constant is asked for, and one over this how near to 0."""

Point = Mapping[str, Exact]


def check_reach(claim: Claim) -> None:
    """Each typed statement holds wherever the claim speaks, or says by ``where`` of its leg of what part it is; those
    that divide a parameter among them leave nothing out. Looked for beside points of the grid, where one parameter is
    moved to its special members and to the ends of what is typed. Raises ClaimError."""
    legs = [lg for lg in claim.legs if isinstance(lg.simulation, TypedStatement)]
    bases = bases_of(claim) if legs and claim.domain else []
    for name, domain in claim.domain.items() if bases else ():
        if not domain.numeric:
            continue
        typed = [(lg, d) for lg in legs if (d := typed_range(lg, name)) is not None]
        if any(v not in d for v in _members(domain, typed) for _, d in typed):
            _check_range(claim, name, domain, typed, bases)


def _check_range(
    claim: Claim,
    name: str,
    domain: Domain,
    typed: Sequence[tuple[Leg, Domain]],
    bases: Sequence[Point],
) -> None:
    members = _members(domain, typed)
    points = [p for b in bases for v in members if claim.admits(p := {**b, name: v})]
    own = {lg.name: [p for p in points if claim.admits(p, lg)] for lg, _ in typed}
    # One that has nothing of what the claim speaks of types another thing by this name.
    parts = [
        (lg, d)
        for lg, d in typed
        if 0 < sum(p[name] in d for p in own[lg.name]) < len(own[lg.name])
    ]
    for lg, d in parts:
        for point in own[lg.name]:
            told = (point[name] in other and claim.admits(point, one) for one, other in parts)
            if point[name] not in d and not any(told):
                raise narrow(claim, lg, f"{name} in {_typed_text(lg, name)}", point)


def narrow(claim: Claim, lg: Leg, presumed: str, point: Point) -> ClaimError:
    """What is said of a leg that is typed for less than its claim speaks of."""
    where = ", ".join(f"{n} = {to_text(v)}" for n, v in point.items())
    return ClaimError(
        f"claim {claim.id}: leg {lg.name!r} is typed for {presumed}, and the claim speaks of {where} too: "
        "narrow the claim's domain or its where=, type the statement for all of it, or say by where=... on "
        "the leg which part it is a step of"
    )


def bases_of(claim: Claim) -> list[Point]:
    """The first points of the grid that have all parameters, each once."""
    found: list[Point] = []
    every = (p for pr in PROFILES[:2] for lg in claim.legs for p in claim.points(pr, lg))
    for point in every:
        if set(point) == set(claim.domain) and point not in found:
            found.append(point)
        if len(found) == BASES:
            break
    return found


def _members(domain: Domain, typed: Sequence[tuple[Leg, Domain]]) -> list[Exact]:
    members = [m.value for m in itertools.islice(domain.special(), FEW)]
    members += [v for _, d in typed for v in beside_ends(d)]
    return [v for v in dict.fromkeys(members) if v in domain]


def around(claim: Claim, lg: Leg, names: Sequence[str], bases: Sequence[Point]) -> Iterator[Point]:
    """Points of a leg at which one of the names is moved to the special members of its domain."""
    for base in bases:
        for name in names:
            if claim.domain[name].numeric:
                for value in _members(claim.domain[name], ()):
                    if claim.admits(point := {**base, name: value}, lg):
                        yield point


def _typed_text(lg: Leg, name: str) -> str:
    statement = lg.simulation
    assert isinstance(statement, TypedStatement)
    parts = (part.strip() for text in statement.over for part in text.split(";"))
    found = next(p for p in parts if typed_domain(p, name) is not None)
    return found.partition(" in ")[2] or found


def far_ends(statement: TypedStatement, name: str) -> tuple[str, ...]:
    """Conditions that hold only at the far ends of what is typed for a name: where it goes to infinity, and where it
    comes down to 0 without being it. Empty where it is bounded on every side."""
    parts = (part.strip() for text in statement.over for part in text.split(";"))
    found = next((t for p in parts if (t := _range_text(p, name))), "")
    ends = []
    if found == "R" or found.startswith(("(-oo", "[-oo")):
        ends.append(f"{name} <= -{FAR}")
    if found == "R" or found.endswith(("oo)", "..oo", ".. oo")):
        ends.append(f"{name} >= {FAR}")
    if found.startswith("(0,"):
        ends.append(f"{name} <= 1/{FAR}")
    return tuple(ends)


def _range_text(part: str, name: str) -> str:
    """``(0, oo)`` of ``c, C in (0, oo)`` and of ``c > 0``; empty where it speaks of other names."""
    names, among, values = part.partition(" in ")
    if among:
        return values.strip() if name in {n.strip() for n in names.split(",")} else ""
    side = re.fullmatch(rf"{name} ?(?P<sign>>=|>) ?(?P<low>\S+)(?: real| integer)?", part)
    if side is None:
        return ""
    return f"{'(' if side['sign'] == '>' else '['}{side['low']}, oo)"
