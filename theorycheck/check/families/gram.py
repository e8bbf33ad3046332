"""Sums of products as inner products, sum of a(f[j]) b(f[j]) = <a, b>, of vectors a, b, ... of any length.

The inner products of m real vectors are norms and cosines: <a, a> = r**2, <a, b> = r s t with r, s >= 0 and t in
[-1, 1], where of three vectors the determinant of the cosines is not negative. So a statement of inner products
that holds for all such numbers holds for vectors of every length. The length is <1, 1>, of the vector of ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from theorycheck.check.domain import Domains, Variable
from theorycheck.check.families.members import mapped, swapped
from theorycheck.check.families.method import FamilyMethod, FamilyTask, cosine, nonnegative
from theorycheck.check.families.naming import Named
from theorycheck.check.formula import Comparison, Formula
from theorycheck.check.region import symbols_of

_MOST_VECTORS, _MOST_CANDIDATES = 3, 10
_ONE = sp.Integer(1)
Pair = tuple[Any, Any]


@dataclass
class _Products:
    """The inner products of the vectors, with the names and hypotheses that they bring."""

    values: dict[frozenset[int], Any] = field(default_factory=dict)
    names: list[Variable] = field(default_factory=list)
    hypotheses: list[Formula] = field(default_factory=list)

    def new(self, variable: Variable) -> Any:
        self.names.append(variable)
        return variable.symbol


def prove(task: FamilyTask) -> bool:
    """In coordinates of as few vectors as have all the sums for their inner products."""
    named = task.named
    spans = {t.span for t in (*named.totals, *named.values)}
    if len(spans) != 1 or any(symbols_of(task.goal) & {v.symbol for v in named.members}):
        return False
    (span,) = spans
    known = {t.term: value for t, value in named.values.items()} | {_ONE: span.count}
    wanted = [t.term for t in named.totals]
    used = symbols_of(task.goal).union(*(symbols_of(h) for h in named.given))
    if span.count.free_symbols & used:
        wanted.append(_ONE)
    chosen = next(_vectors(wanted, named), None)
    if chosen is None:
        return False
    vectors, pairs = chosen
    products = _products(vectors, known)
    places = {v: i for i, v in enumerate(vectors)}
    instead = {
        t.symbol: products.values[frozenset(places[v] for v in pairs[t.term])] for t in named.totals
    }

    def change(e: Any) -> Any:
        return swapped(e, instead)

    plain = task.named.problem
    left = tuple(v for v in plain.domains.variables if v.symbol not in instead)
    hypotheses = (*(mapped(h, change) for h in plain.hypotheses), *products.hypotheses)
    task.lines += [
        f"{t.symbol} = <{', '.join(map(str, pairs[t.term]))}> = {instead[t.symbol]}"
        for t in named.totals
    ]
    asked = replace(
        plain,
        domains=Domains((*left, *products.names)),
        goal=mapped(task.goal, change),
        hypotheses=hypotheses,
    )
    return task.shown(asked, "for norms and cosines: ")


def _vectors(wanted: Sequence[Any], named: Named) -> Iterator[tuple[list[Any], Mapping[Any, Pair]]]:
    """The fewest vectors of which every term is a product, and the products."""
    members = {v.symbol for v in named.members}
    candidates: list[Any] = [_ONE]
    for term in wanted:
        own = sorted(term.free_symbols & members, key=str)
        root = [sp.sqrt(term)] if term.is_nonnegative else []
        candidates += [*own, *root, *(sp.Abs(u) for u in own), term]
    # What is not plainly real is no vector: the square of its norm could be negative.
    candidates = [c for c in dict.fromkeys(candidates) if c.is_real][:_MOST_CANDIDATES]
    for size in range(1, _MOST_VECTORS + 1):
        for vectors in itertools.combinations(candidates, size):
            products: dict[Any, Pair] = {}
            for a, b in itertools.combinations_with_replacement(vectors, 2):
                products.setdefault(_product(a, b), (a, b))
            if all(term in products for term in wanted):
                yield list(vectors), products


def _products(vectors: Sequence[Any], known: Mapping[Any, Any]) -> _Products:
    found = _Products()
    norms: list[Any] = []
    cosines: dict[frozenset[int], Any] = {}
    for i, v in enumerate(vectors):
        square = known.get(_product(v, v))
        if square is None:
            norms.append(found.new(nonnegative(f"norm_{i + 1}")))
        else:
            norms.append(sp.sqrt(square))
            if not square.is_nonnegative:
                found.hypotheses.append(Comparison(">=", square, sp.Integer(0)))
        found.values[frozenset((i,))] = norms[i] ** 2
        for k in range(i):
            pair = frozenset((i, k))
            value = known.get(_product(v, vectors[k]))
            if value is None:
                cosines[pair] = found.new(cosine(f"cos_{k + 1}{i + 1}"))
                value = norms[i] * norms[k] * cosines[pair]
            else:
                sizes = Comparison("<=", sp.Abs(value), norms[i] * norms[k])
                found.hypotheses.append(sizes)
            found.values[pair] = value
    if len(cosines) == 3:
        a, b, c = cosines.values()
        determinant = 1 + 2 * a * b * c - a**2 - b**2 - c**2
        found.hypotheses.append(Comparison(">=", determinant, sp.Integer(0)))
    return found


def _product(a: Any, b: Any) -> Any:
    return sp.powsimp(sp.expand(a * b))


METHOD = FamilyMethod("inner products", prove)
