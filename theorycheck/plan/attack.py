"""Points of the domain that the engine chooses, beside the author's grid (VERDICTS 14).

*Required* points are small and cheap, and depend on nothing but the domain, the leg and the profile: the
smallest members, borders inside, one of each class that theorems confuse, special members of structured
domains; each with the rest as simple as can be, then some with the rest as in the author's first point (what
is true at T = 0 says nothing of kappa), and that point moved to the borders of conditions. They lie
componentwise below a point of the author's grid up to the profile, or on a floor of the engine's own, so that
a minimal grid buys no rest. One that cannot be computed blocks a pass.

*Far* points are the others of these, and points that go out by factors from the smallest member, the smallest
grid point and border values, one parameter at a time. They only refute; what was not reached is printed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from theorycheck.claims.covering import spared
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.numbers.classes import Member
from theorycheck.numbers.domain import HUGE, Domain, Exact, point_key
from theorycheck.plan.corners import NEAR, corners

REQUIRED = {"smoke": 8, "standard": 8, "deep": 16, "paper": 16}
"""Required points of a leg by profile. Eight cost about what the grid itself costs at smoke and found 54 of
55 planted and known falsehoods of today's library; the larger profiles look twice as far."""

GENERIC = {"smoke": 2, "standard": 4, "deep": 8, "paper": 8}
"""Required points of a leg beside those, by profile: special values in the author's first point, and as many of
that point moved to the borders of conditions. A claim may say nothing where everything else is as simple as can
be: no step, rank 0, a task that is 0."""

TIED = {"smoke": 1, "standard": 2, "deep": 4, "paper": 4}
"""Required points of a leg beside those, by profile: the author's first point with two parameters made equal. What
theorems compare (blocks of features, ranks and dimensions) they may exclude where it ties, and everything is equal
in the simplest point, where most is true."""

SIGNED = 2
"""Required points of a leg beside those: the simplest with a negative number, where a real is at none of the others,
nor on the grid. Half of such a domain would be looked at nowhere."""

FAR = {"smoke": 0, "standard": 14, "deep": 18, "paper": 24}
"""Far points of a leg by profile: at standard one or two on each ladder of a leg with two parameters and a border."""

JOINED = {"smoke": 0, "standard": 2, "deep": 4, "paper": 8}
"""Of these, where others leave room: two parameters at special values. Not of sampled legs, whose share of alpha each
point makes smaller."""

FAR_WORK = {"smoke": 0, "standard": 100_000, "deep": 200_000, "paper": 2_000_000}
"""Operations that a far point may take (`theorycheck.evidence.counted`): some tenths of a second at standard."""

FACTORS = (4, 40, 1000)
"""How far out far points lie, as multiples of where they start; those that the grid goes beyond are no more
than its own. Few and large: a leg has one or two points on a ladder, and what fails at 1000 times a start is not
seen at twice it."""

FLOOR = 2
"""A domain's first so many members are required whatever the author's grid is."""

FLOOR_OF_CLASS = 4
"""Of odd or even integers, and of primes, so many: the fourth odd one from 3 on is the first that is no prime."""

FLOOR_TUPLE = 2
"""Length of the longest spectra and vectors on the floor."""

FLOOR_HEIGHT = 4
"""Rationals p/q with |p| and q up to this are on the floor. What lies within a millionth of a border is far:
programs that count or sample take the longer the nearer they are to it."""

MOST_MEMBERS = 12
"""Special members of one domain that are considered: two more than the classes and borders of integers."""

MOST_TRIES = 256
"""Combinations that are tried to complete one value to a point that ``where`` admits."""

INSTANCES = 2
"""Drawn instances at an attack point; special members of the fields' domains come beside them."""

SPECIAL_INSTANCES = {"smoke": 8, "standard": 8, "deep": 24, "paper": 24}
"""Instances with one field at a special member of its domain, at the leg's first point."""


@dataclass(frozen=True)
class Chosen:
    """A point that the engine chose, and in words why."""

    point: Mapping[str, Exact]
    why: str


def attacked(claim: Claim, leg: Leg) -> bool:
    """Whether a failing point of a leg says something of the claim: under outer for-alls, point by point,
    for what the assertion needs. A search may fall short, a law speaks of its sweep, a proof has no
    points, and code that the engine does not control may suspect but never decide; a small size or a
    constant among the parameters is no outer one. A choice that fails where it was not tried does not
    refute, but it is no witness for all; nor does a draw at such a point, but what holds with
    probability 1 at the author's points alone is no law of its domain."""
    if leg.arithmetic.proves or not leg.arithmetic.controlled:
        return False
    if leg.side == "search" or not claim.relation_of(leg).pointwise:
        return False
    saved = spared(claim, leg)
    return saved is None or saved.quantifier.kind == "exists" or not saved.among_parameters


def takes_special_instances(claim: Claim, leg: Leg) -> bool:
    """Whether special members of the fields' domains are looked at: where the fields are drawn by chance they
    are the bad draws."""
    if leg.instances is None or not leg.instances.domains or not attacked(claim, leg):
        return False
    saved = spared(claim, leg)
    return saved is None or saved.quantifier.kind != "prob"


def required(claim: Claim, leg: Leg, profile: str) -> list[Chosen]:
    """The required points of a leg, simplest first; those that the profile's grid tries are left out."""
    if not attacked(claim, leg):
        return []
    names = _names(claim, leg)
    tried = {point_key(p) for p in claim.points(profile, leg)}
    below = claim.points(profile, leg)
    found: dict[str, Chosen] = {}
    for candidates, count in (
        (_candidates(claim, leg, names), REQUIRED[profile]),
        (_generic(claim, leg, names), GENERIC[profile]),
        (_on_borders(claim, leg, names), GENERIC[profile]),
        (_tied(claim, leg, names, below), TIED[profile]),
    ):
        wanted = len(found) + count
        for chosen in candidates:
            if len(found) >= wanted:
                break
            key = point_key(chosen.point)
            near = _small(claim, chosen.point, below) or _beside_first(claim, leg, chosen.point)
            if key not in tried and key not in found and near:
                found[key] = chosen
    seen = [*below, *(chosen.point for chosen in found.values())]
    for chosen in itertools.islice(_negative(claim, leg, names, seen), SIGNED):
        found[point_key(chosen.point)] = chosen
    return list(found.values())


def far(claim: Claim, leg: Leg, profile: str) -> list[list[Chosen]]:
    """The far points of a leg: ladders that lead out, nearest first.

    Up to half of them stand alone: what is special about the domain and too large to be required (the first odd
    composite is 15), the rest as simple as can be and as in the grid, and what lies on the borders of conditions,
    in turn. The other ladders take one parameter beyond the grid, from one start. What is left of the number goes to
    pairs of special values."""
    if not FAR[profile] or not attacked(claim, leg):
        return []
    names = _names(claim, leg)
    tried = {point_key(p) for name in _grids(claim, leg) for p in claim.points(name, leg)}
    tried |= {point_key(c.point) for c in required(claim, leg, profile)}
    special = (
        _too_large(claim, leg, chosen, profile)
        for chosen in (
            _generic(claim, leg, names),
            _candidates(claim, leg, names),
            _on_borders(claim, leg, names),
        )
    )
    outwards = (
        _outwards(claim, leg, start, place, name)
        for start, place in _starts(claim, leg, names)
        for name in names
    )
    alone = _fresh(special, tried, FAR[profile] // 2)
    ladders = _fresh(outwards, tried, FAR[profile] - sum(map(len, alone)))
    left = FAR[profile] - sum(map(len, alone)) - sum(map(len, ladders))
    pairs = () if leg.arithmetic.sampled else (_in_pairs(claim, leg, names),)
    joined = _fresh(pairs, tried, min(left, JOINED[profile]))
    singly = [[one] for rungs in (*alone, *joined) for one in rungs]
    return singly + [rungs for rungs in ladders if rungs]


def _fresh(columns: Iterable[Iterator[Chosen]], tried: set[str], count: int) -> list[list[Chosen]]:
    """At most so many points that were not tried, taken from the columns in turn; they count as tried."""
    ladders = list(columns)
    found: list[list[Chosen]] = [[] for _ in ladders]
    for row in itertools.zip_longest(*(itertools.islice(one, MOST_TRIES) for one in ladders)):
        for rungs, chosen in zip(found, row, strict=True):
            if sum(map(len, found)) >= count:
                return found
            if chosen is not None and point_key(chosen.point) not in tried:
                tried.add(point_key(chosen.point))
                rungs.append(chosen)
    return found


def _in_pairs(claim: Claim, leg: Leg, names: Sequence[str]) -> Iterator[Chosen]:
    """Two parameters at special values, the rest as simple as it can be, earlier values first: what is false at
    even p and R = 4 alone is true at every even p and at R = 4."""
    simplest = _completed(claim, leg, names, {})
    columns = [list(_varied(claim, n, names, (simplest or _first(claim, leg),))) for n in names]
    pairs = [
        (i + j, a, b)
        for left, right in itertools.combinations(columns, 2)
        for i, a in enumerate(left)
        for j, b in enumerate(right)
    ]
    for _, a, b in sorted(pairs, key=lambda pair: pair[0])[:MOST_TRIES]:
        point = _completed(claim, leg, names, {**a.fixed, **b.fixed})
        if point is not None:
            yield Chosen(point, f"{a.why}; {b.why}")


def _too_large(
    claim: Claim, leg: Leg, candidates: Iterator[Chosen], profile: str
) -> Iterator[Chosen]:
    """Special points that are not small enough to be required."""
    grid = claim.points(profile, leg)
    for chosen in candidates:
        if not _small(claim, chosen.point, grid):
            yield chosen


def _outwards(
    claim: Claim, leg: Leg, start: Mapping[str, Exact], place: str, name: str
) -> Iterator[Chosen]:
    """The start with one number larger and larger, beyond what the leg's grids try."""
    tried = [p[name] for g in _grids(claim, leg) for p in claim.points(g, leg)]
    last = max((v for v in tried if isinstance(v, int | Fraction)), default=None)
    beyond = False
    for factor in FACTORS:
        point = _further(claim, leg, start, name, factor)
        if point is not None and (last is None or _number(point[name]) > last):
            beyond = True
            yield Chosen(point, f"{factor} times {place} in {name}")
    if beyond or last is None or last <= 0:
        return
    for factor in FACTORS:  # a grid that goes so far itself buys no rest either
        point = _further(claim, leg, {**start, name: last}, name, factor)
        if point is not None:
            yield Chosen(point, f"{factor} times the largest {name} of the grid, from {place}")


def _number(value: Exact) -> int | Fraction:
    """The value of a parameter that is a number."""
    assert isinstance(value, int | Fraction)
    return value


def simplest_with(claim: Claim, leg: Leg, name: str, value: Exact) -> dict[str, Exact] | None:
    """The simplest admitted point of a leg with one parameter at a value; None where there is none among
    the first, or the leg does not take the parameter."""
    names = _names(claim, leg)
    return _completed(claim, leg, names, {name: value}) if name in names else None


def _names(claim: Claim, leg: Leg) -> tuple[str, ...]:
    """Parameters that the leg's grid gives, in the domain's order."""
    given = _first(claim, leg)
    return tuple(n for n in claim.domain if n in given)


def _grids(claim: Claim, leg: Leg) -> list[str]:
    return list(claim.grid if leg.grid is None else leg.grid)


def _candidates(claim: Claim, leg: Leg, names: Sequence[str]) -> Iterator[Chosen]:
    """The simplest point, then one special value at a time with everything else as simple as it can be:
    the first special value of every parameter, then the second, and so on."""
    simplest = _completed(claim, leg, names, {})
    first = _first(claim, leg)
    if simplest is not None:
        yield Chosen(simplest, "the simplest point")
    for one in _specials(claim, names, (simplest or first, first)):
        point = _completed(claim, leg, names, one.fixed)
        if point is not None:
            yield Chosen(point, one.why)


def _generic(claim: Claim, leg: Leg, names: Sequence[str]) -> Iterator[Chosen]:
    """The first grid point with one special value in it, in the same order, but the borders of each parameter
    before its other values."""
    first = _first(claim, leg)
    for one in _specials(claim, names, (first,), borders_first=True):
        point = {n: one.fixed.get(n, first[n]) for n in names}
        if claim.admits(point, leg):
            yield Chosen(point, f"{one.why}, the rest as in the grid")


def _on_borders(claim: Claim, leg: Leg, names: Sequence[str]) -> Iterator[Chosen]:
    """The first grid point moved to the borders of conditions."""
    for point, why in corners(claim, leg, _first(claim, leg)):
        yield Chosen({n: point[n] for n in names}, why)


def _tied(
    claim: Claim, leg: Leg, names: Sequence[str], grid: Sequence[Mapping[str, Exact]]
) -> Iterator[Chosen]:
    """The first grid point with one number in place of another, neighbours in the domain first; the larger of two
    in place of the smaller, then the other way round: what is compared may need a size. Conditions are asked of
    small points alone: at the number of terms of a sum for a dimension they take for ever."""
    first = _first(claim, leg)
    numbers = [n for n in names if isinstance(first[n], int | Fraction)]
    pairs = sorted(itertools.combinations(range(len(numbers)), 2), key=lambda p: (p[1] - p[0], p))
    for largest in (True, False):
        for pair in pairs:
            few, many = sorted((numbers[i] for i in pair), key=lambda n: _number(first[n]))
            if first[few] == first[many]:
                continue
            of, into = (many, few) if largest else (few, many)
            point = {n: first[of] if n == into else first[n] for n in names}
            if first[of] not in claim.domain[into] or not _small(claim, point, grid):
                continue
            if claim.admits(point, leg):
                yield Chosen(point, f"{into} = {of}, the rest as in the grid")


def _negative(
    claim: Claim, leg: Leg, names: Sequence[str], seen: Sequence[Mapping[str, Exact]]
) -> Iterator[Chosen]:
    """The simplest point with a small negative number, for each real that is negative at none of the points seen."""
    for name in names:
        domain, values = claim.domain[name], (p[name] for p in seen if name in p)
        if domain.kind != "reals" or any(_is_negative(value) for value in values):
            continue
        for one in _varied(claim, name, names, (_first(claim, leg),)):
            value = one.fixed[name]
            if not _is_negative(value) or not _on_floor(domain, value):
                continue
            point = _completed(claim, leg, names, one.fixed)
            if point is not None:
                yield Chosen(point, one.why)
                break


def _is_negative(value: Exact) -> bool:
    return isinstance(value, int | Fraction) and value < 0


def _first(claim: Claim, leg: Leg) -> Mapping[str, Exact]:
    """The first point of the leg's grid."""
    return claim.points(_grids(claim, leg)[0], leg)[0]


class _Special(NamedTuple):
    """A special value of a parameter with what it depends on, and why it is one."""

    fixed: dict[str, Exact]
    why: str
    border: bool


def _specials(
    claim: Claim,
    names: Sequence[str],
    bases: Sequence[Mapping[str, Exact]],
    *,
    borders_first: bool = False,
) -> Iterator[_Special]:
    """The first special value of every parameter, then the second, and so on."""
    columns = [list(_varied(claim, name, names, bases)) for name in names]
    if borders_first:
        columns = [sorted(column, key=lambda one: not one.border) for column in columns]
    for row in itertools.zip_longest(*columns):
        yield from (one for one in row if one is not None)


def _varied(
    claim: Claim, name: str, names: Sequence[str], bases: Sequence[Mapping[str, Exact]]
) -> Iterator[_Special]:
    """Special values of a parameter. Where its domain depends on other parameters these are held: as in the
    simplest point, and as in the grid, whose sizes are the author's."""
    domain = claim.domain[name]
    held = [{n: b[n] for n in names if n in domain.needs} for b in bases] if domain.needs else [{}]
    columns = [[(h, m) for m in _special(domain, h)] for h in held]
    for row in itertools.zip_longest(*columns):
        for fixed, member in (entry for entry in row if entry is not None):
            yield _Special({**fixed, name: member.value}, f"{name}: {member.label}", member.border)


def _special(domain: Domain, point: Mapping[str, Exact]) -> tuple[Member, ...]:
    """Special members, where the parameters that the domain depends on are these."""
    return _members(domain, tuple(sorted((n, point[n]) for n in domain.needs if n in point)))


@lru_cache(maxsize=4096)
def _members(domain: Domain, given: tuple[tuple[str, Exact], ...]) -> tuple[Member, ...]:
    return tuple(itertools.islice(domain.special(dict(given)), MOST_MEMBERS))


def _completed(
    claim: Claim, leg: Leg, names: Sequence[str], fixed: Mapping[str, Exact]
) -> dict[str, Exact] | None:
    """The simplest admitted point with these values, None where none of the first ones is."""
    free = [n for n in names if n not in fixed and not claim.domain[n].needs]
    later = [n for n in names if n not in fixed and claim.domain[n].needs]
    columns = [_floor_first(claim.domain[n], fixed) for n in free]
    ranks = sorted(itertools.product(*(range(len(c)) for c in columns)), key=sum)
    for places in ranks[:MOST_TRIES]:
        point = dict(fixed) | {n: c[i] for n, c, i in zip(free, columns, places, strict=True)}
        for name in later:
            first = next(iter(_special(claim.domain[name], point)), None)
            if first is None:
                break
            point[name] = first.value
        else:
            ordered = {n: point[n] for n in names}
            if claim.admits(ordered, leg):
                return ordered
    return None


def _floor_first(domain: Domain, point: Mapping[str, Exact]) -> list[Exact]:
    """The first special values to complete a point with, those on the floor before those that only a border
    brings: beside the open ends of several domains at once there may be no small point."""
    values = [m.value for m in _special(domain, point)]
    return sorted(values, key=lambda v: not _on_floor(domain, v))[:4]


def _small(claim: Claim, point: Mapping[str, Exact], grid: Sequence[Mapping[str, Exact]]) -> bool:
    """Componentwise below some point of the grid, or on the engine's floor."""
    if all(_on_floor(claim.domain[n], v) for n, v in point.items()):
        return True
    return any(
        all(_below(v, g[n]) or _on_floor(claim.domain[n], v) for n, v in point.items())
        for g in grid
        if set(g) >= set(point)
    )


def _beside_first(claim: Claim, leg: Leg, point: Mapping[str, Exact]) -> bool:
    """The first grid point but for reals of denominators up to NEAR that are no larger than its own and than 1:
    what stands for an irrational border."""
    first = _first(claim, leg)
    for name, value in point.items():
        if value == first[name]:
            continue
        if claim.domain[name].kind != "reals" or not isinstance(value, int | Fraction):
            return False
        size, most = abs(Fraction(value)), abs(Fraction(_number(first[name])))
        if value.denominator > NEAR or (size > 1 and size > most):
            return False
    return True


def _below(value: Exact, other: Exact) -> bool:
    """No larger than a value of the grid; tuples by length and entries, names always."""
    if isinstance(value, str):
        return True
    if isinstance(value, tuple):
        if not isinstance(other, tuple) or len(value) > len(other):
            return False
        return len(value) <= 1 or _height(value) <= max(FLOOR_HEIGHT, _height(other))
    return isinstance(other, int | Fraction) and _height(value) <= _height(other)


def _on_floor(domain: Domain, value: Exact) -> bool:
    if isinstance(value, tuple):
        return len(value) <= FLOOR_TUPLE and _height(value) <= FLOOR_HEIGHT
    if isinstance(value, str):
        return True
    if domain.kind == "reals":
        return _height(value) <= FLOOR_HEIGHT
    if domain.kind == "choices":  # listed values: those that only larger profiles try are theirs
        return value == domain.values[0]
    of_class = domain.step > 1 or domain.kind == "primes"
    first = FLOOR_OF_CLASS if of_class else FLOOR
    return value in set(itertools.islice(domain.members(), first))


def _height(value: object) -> int:
    """The largest numerator or denominator: what exact arithmetic pays for."""
    if isinstance(value, tuple):
        return max(map(_height, value), default=0)
    if isinstance(value, int | Fraction):
        return max(abs(value.numerator), value.denominator)
    return 0


def _starts(claim: Claim, leg: Leg, names: Sequence[str]) -> list[tuple[Mapping[str, Exact], str]]:
    """Where far points start: the simplest point, the smallest of the grid, border values."""
    found: list[tuple[Mapping[str, Exact], str]] = []
    simplest = _completed(claim, leg, names, {})
    if simplest is not None:
        found.append((simplest, "the simplest point"))
    found.append((_first(claim, leg), "the first grid point"))
    for name in names:
        if claim.domain[name].needs:
            continue
        borders = [m.value for m in _special(claim.domain[name], {}) if m.border]
        for value in borders:
            point = _completed(claim, leg, names, {name: value})
            if point is not None:
                found.append((point, f"{name} at its border"))
    return found


def _further(
    claim: Claim, leg: Leg, start: Mapping[str, Exact], name: str, factor: int
) -> dict[str, Exact] | None:
    """The start with one number made larger, moved to the next member of its domain; None outside."""
    domain, value = claim.domain[name], start[name]
    if domain.kind not in ("integers", "primes", "reals") or not isinstance(value, int | Fraction):
        return None
    aim = value * factor if value else factor
    steps = range(HUGE) if domain.kind == "primes" else range(domain.step + 1)
    for step in steps:
        point = {**start, name: aim + step if domain.kind != "reals" else aim}
        if point[name] in domain:
            return point if claim.admits(point, leg) else None
        if domain.high is not None and aim + step > domain.high:
            return None
    return None
