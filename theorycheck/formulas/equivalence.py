"""Whether two closed forms are the same function on a domain; it never guesses.

*Equal* is proved by a normal form (`theorycheck.formulas.normal_form`), *different* is witnessed at a point of
the domain where the balls of the two are disjoint, *alike* means that no proof was found but every one of
many fresh points agrees, and everything else is *unknown*.
"""

from __future__ import annotations

import itertools
import math
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from flint import arb, ctx
from sympy import Basic, Expr, Indexed, Integer, Rational

from theorycheck import balls
from theorycheck.claims.grids import asked_by, holds
from theorycheck.formulas.normal_form import same_function, scalar_symbols, tractable
from theorycheck.numbers.domain import Domain, DomainError, Exact, compositions

TRIED = 40
"""Points tried for a witness. Two different formulas of a few parameters agree on so many points of
their domain only when they agree on all but a thin set, which is then reported as unknown."""

FRESH = 100
"""Points of the domain at which two formulas are compared that no proof tells to be equal: those that
agree at all of them are noted as alike. What can be missed sets in later than the points go: hence a third
of an integer parameter's values grow geometrically."""

FARTHEST = 2000
"""How far they go: sums of so many terms still take milliseconds."""

LOOKED_AT = 1000
"""Points of the product of the domains that are looked at; a joint condition may refuse most."""

PRECISION = 128
"""Bits of the balls that witness a difference: nudges of 1e-30 still show."""


@dataclass(frozen=True)
class Equivalence:
    """``answer`` equal, alike, different or unknown; ``witness`` a point where the two are apart."""

    answer: str
    witness: Mapping[str, Exact] | None
    how: str


def equivalence(
    form: Expr,
    mutant: Expr,
    domains: Mapping[str, Domain],
    where: Any = None,
    *,
    points: Iterable[Mapping[str, Exact]] = (),
) -> Equivalence:
    """Whether two closed forms are the same function on the domain.

    ``points``: points of the domain to try first (a grid); further ones come from the domains
    themselves. ``where`` as in a claim: a SymPy condition, a predicate of the parameters, or a list
    of them. *Equal* means equal wherever both have a value, by a proof or at every point of a small
    finite domain; *alike* the same at `FRESH` points of it without a proof. A mutant without a real value at a point
    where the closed form has one is different there.
    """
    form, mutant = sympy.sympify(form), sympy.sympify(mutant)
    names = _names(form) | _names(mutant)
    given = [dict(point) for point in points]
    first = [*given, *_searched(domains, where)][:TRIED]
    _, apart = _seen_alike(form, mutant, names, first)
    if apart is not None:
        return apart
    if not tractable(mutant):
        return Equivalence("unknown", None, "too large to prove anything")
    if not names <= set(domains) and _apart_on_data(form, mutant, domains):
        return Equivalence("unknown", None, "they differ on some data, which no domain describes")
    if same_function(form, mutant, domains):
        return Equivalence("equal", None, "the difference has normal form 0")
    whole = _whole(domains, where)
    alike, apart = _seen_alike(form, mutant, names, whole or _searched(domains, where, FRESH))
    if apart is not None:
        return apart
    if whole and alike == len(whole):
        return Equivalence("equal", None, f"the same at every point of the domain, {alike} of them")
    if alike >= FRESH:
        return Equivalence("alike", None, f"no proof; the same at {alike} points of the domain")
    return Equivalence("unknown", None, f"no proof; the same at {alike} points of the domain")


def _seen_alike(
    form: Expr, mutant: Expr, names: set[str], points: Iterable[Mapping[str, Exact]]
) -> tuple[int, Equivalence | None]:
    """At how many of the points the two are the same, and where they are seen to differ."""
    alike = 0
    for point in points:
        if not all(isinstance(point.get(name), int | Fraction) for name in names):
            continue  # data, or a name: no number to evaluate at
        apart, known = _compared(form, mutant, point)
        if apart:
            return alike, Equivalence("different", dict(point), apart)
        alike += known
    return alike, None


def _compared(form: Expr, mutant: Expr, point: Mapping[str, Exact]) -> tuple[str, bool]:
    """Why the two differ at the point, empty where they are not seen to; and whether they are known
    to agree there, as sharply as the working precision allows."""
    left, right = _value(form, point), _value(mutant, point)
    if left.status != "ok":
        return "", False
    if right.status in ("undefined", "nonreal"):
        return f"the mutant is {right.status} there", False
    if right.status != "ok":
        return "", False
    if left.exact is not None and right.exact is not None:
        same = left.exact == right.exact
        return ("" if same else "exact values differ"), same
    with ctx.workprec(2 * PRECISION):
        a = left.ball if left.exact is None else arb(left.exact)
        b = right.ball if right.exact is None else arb(right.exact)
        if not a.overlaps(b):
            return "disjoint balls", False
        gap, size = abs(a - b).upper(), max(abs(a).lower(), abs(b).lower())
        return "", bool(gap <= (size if size > 0 else 1) * arb(2) ** -(PRECISION // 2))


def _apart_on_data(form: Expr, mutant: Expr, domains: Mapping[str, Domain]) -> bool:
    """Whether the two differ on made-up data.

    That is no witness, since nobody says which data can occur, but an identity holds for all data: a
    proof need not be tried.
    """
    left, right = (_on_data(e, tuple(domains.items())) for e in (form, mutant))
    return left is not None and right is not None and bool(_compared(left, right, {})[0])


@lru_cache(maxsize=64)
def _on_data(expr: Expr, domains: tuple[tuple[str, Domain], ...]) -> Expr | None:
    """The expression with numbers for everything, made up from names; None where that fails."""
    point = next(iter(_search(domains, None, TRIED)), {})
    values = {}
    for s in scalar_symbols(expr):
        given = point.get(s.name)
        made_up = Integer(3) if s.is_integer else _made_up(s.name)
        values[s] = sympy.sympify(given) if isinstance(given, int | Fraction) else made_up
    try:
        filled = expr.subs(values).doit()
    except (ValueError, TypeError):
        return None
    filled = filled.xreplace({e: _made_up(str(e)) for e in filled.atoms(Indexed)})
    return None if filled.free_symbols else filled


def _made_up(name: str) -> Rational:
    """A rational between 1 and 3 that hardly another name shares."""
    return 1 + 2 * Rational(zlib.crc32(name.encode()), 2**32)


def _names(expr: Expr) -> set[str]:
    return {str(s) for s in expr.free_symbols}


def _value(expr: Expr, point: Mapping[str, Exact]) -> Any:
    return balls.evaluate(expr, {n: point[n] for n in _names(expr)}, prec=PRECISION)


def _searched(
    domains: Mapping[str, Domain], where: Any, count: int = TRIED
) -> tuple[dict[str, Exact], ...]:
    """Points of the domain, generic ones before special ones; the same for every mutant of a claim."""
    return _search(tuple(domains.items()), _condition(where), count)


def _condition(where: Any) -> Any:
    return tuple(where) if isinstance(where, list) else where


def _whole(domains: Mapping[str, Domain], where: Any) -> tuple[dict[str, Exact], ...]:
    """All points of a finite domain of at most `FRESH`; nothing for others."""
    if not domains or not all(d.finite for d in domains.values()):
        return ()
    columns = [list(itertools.islice(d.members(), FRESH + 1)) for d in domains.values()]
    if math.prod(map(len, columns)) > FRESH:
        return ()
    points = (dict(zip(domains, row, strict=True)) for row in itertools.product(*columns))
    return tuple(p for p in points if _admitted(_condition(where), p))


@lru_cache(maxsize=64)
def _search(
    domains: tuple[tuple[str, Domain], ...], where: Any, count: int
) -> tuple[dict[str, Exact], ...]:
    names = [name for name, _ in domains]
    fresh = count > TRIED
    # Of fresh points there are to be a few times as many combinations as are asked for.
    each = math.ceil((4 * count) ** (1 / max(1, len(names)))) if fresh else 8
    few = [
        _spread(domain, min(each, 5 * count // 4)) if fresh else _few(domain)
        for _, domain in domains
    ]
    if not all(few):
        return ()
    if not names:
        return ({},)
    sizes = [len(column) for column in few]
    indices = (
        i for total in _generic_first(sum(sizes) - len(sizes)) for i in compositions(total, sizes)
    )
    points = (
        {n: column[i] for n, column, i in zip(names, few, index, strict=True)}
        for index in itertools.islice(indices, LOOKED_AT)
    )
    admitted = (p for p in points if _admitted(where, p))
    if not fresh:
        return tuple(itertools.islice(admitted, count))
    found = list(admitted)
    if len(found) <= count:
        return tuple(found)
    return tuple(found[k * len(found) // count] for k in range(count))


def _few(domain: Domain) -> list[Exact]:
    """The simplest members and, of integers, some larger ones: conditions may ask for them."""
    members = list(itertools.islice(domain.members(), 8))
    start = members[-1] if members else None
    if domain.kind in ("integers", "primes") and isinstance(start, int):
        larger = (start + step for step in (5, 6, 25, 26, 125, 126))
        members += [n for n in larger if n in domain]
    return members


def _spread(domain: Domain, count: int) -> list[Exact]:
    """The simplest members, and of integers a third in growing steps up to some thousand."""
    far = count // 3 if domain.kind in ("integers", "primes") else 0
    members = list(itertools.islice(domain.members(), count - far))
    start = members[-1] if members else None
    if far and isinstance(start, int):
        ratio = FARTHEST ** (1 / far)
        steps = dict.fromkeys(math.ceil(ratio**k) for k in range(1, far + 1))
        near = (
            next((start + s + j for j in range(64) if start + s + j in domain), None) for s in steps
        )
        members += [n for n in dict.fromkeys(near) if n is not None]
    return members


def _generic_first(reach: int) -> list[int]:
    """Sums of indices from the middle: the smallest members are special (0, 1, equal values)."""
    middle = min(reach, 3)
    return [*range(middle, reach + 1), *range(middle)]


def _admitted(where: Any, point: Mapping[str, Exact]) -> bool:
    conditions = list(where) if isinstance(where, list | tuple) else [where]
    symbols = {s.name: s for w in conditions if isinstance(w, Basic) for s in w.free_symbols}
    if not asked_by(conditions) <= set(point):
        return False  # it asks for what no domain describes
    try:
        return holds(where, point, symbols)
    except DomainError:  # it is undecided, for a parameter that is no number
        return False
