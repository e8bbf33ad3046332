"""Traces of products of matrices as inner products, trace(U*V^T) = <U, V>: norms and cosines in their place.

With r = norm(U) and s = norm(V), <U, V> = r s t for some t in [-1, 1], norm(U*V) = r s t for some t in [0, 1], and the
trace of a square matrix is <U, 1>, where norm(1)**2 is the number of rows. Of three inner products the determinant of
the cosines is not negative. So what holds for all such numbers holds for matrices.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from theorycheck.check.building import build_expression
from theorycheck.check.domain import Domains, Variable
from theorycheck.check.families.members import mapped, swapped
from theorycheck.check.families.method import cosine, nonnegative
from theorycheck.check.formula import Comparison, Formula
from theorycheck.check.problem import Problem
from theorycheck.check.reading.words import Word, transposed, turned
from theorycheck.check.text import scan
from theorycheck.check.traces import known, roots_of, splits

_MOST_VECTORS = 6


@dataclass
class _Norms:
    """What stands for the traces: ``roots`` of those of U*U^T, ``values`` of all, ``cosines`` of some."""

    problem: Problem
    roots: dict[Word, Any] = field(default_factory=dict)
    values: dict[Word, Any] = field(default_factory=dict)
    cosines: dict[Word, Any] = field(default_factory=dict)
    names: list[Variable] = field(default_factory=list)
    hypotheses: list[Formula] = field(default_factory=list)

    def new(self, variable: Variable) -> Any:
        self.names.append(variable)
        return variable.symbol

    def root(self, word: Word) -> Any | None:
        """The norm of a product of matrices, where its square is one of the traces."""
        return self.roots.get(turned(word + transposed(word)))

    def bound(self, word: Word) -> Any | None:
        """The norm of a product, or that of its parts multiplied, which is no less."""
        found = self.root(word)
        for i in range(1, len(word) if found is None else 0):
            first, second = self.root(word[:i]), self.bound(word[i:])
            if first is not None and second is not None:
                return first * second
        return found

    def rows(self, word: Word) -> Any:
        size = self.problem.domains.traces.size(word)
        return build_expression(scan(size, "--for"), self.problem.domains.symbols)


def in_norms(problem: Problem) -> Problem | None:
    """The statement for norms and cosines in the place of traces; None where no trace is a square."""
    found = problem.domains.traces.found
    norms = _Norms(problem)
    for word in sorted(found, key=len):
        if halves := list(dict.fromkeys(roots_of(word))):
            _square(word, halves, norms)
    if not norms.roots:
        return None
    for word in found:
        if word not in norms.values:
            _product(word, norms)
    _triples(norms)
    symbols = problem.domains.symbols
    instead = {symbols[found[word]]: value for word, value in norms.values.items()}

    def change(e: Any) -> Any:
        return swapped(e, instead)

    without = set(known(problem.domains.traces, symbols))
    left = tuple(v for v in problem.domains.variables if v.symbol not in instead)
    return replace(
        problem,
        domains=Domains((*left, *norms.names)),
        goal=mapped(problem.goal, change),
        hypotheses=(
            *(mapped(h, change) for h in problem.hypotheses if h not in without),
            *norms.hypotheses,
        ),
        notes=(),
        sized=None,
    )


def _square(word: Word, halves: list[Word], norms: _Norms) -> None:
    """norm(U*V) is at most norm(U) norm(V), where these are known; else a name."""
    for half in halves:
        for i in range(1, len(half)):
            first, second = norms.root(half[:i]), norms.root(half[i:])
            if first is not None and second is not None:
                ratio = cosine(f"ratio_{len(norms.names) + 1}")
                symbol = sp.Symbol(ratio.name, nonnegative=True)
                part = replace(ratio, symbol=symbol, text="[0, 1]", low=sp.Integer(0))
                norms.roots[word] = first * second * norms.new(part)
                norms.values[word] = norms.roots[word] ** 2
                return
    norms.roots[word] = norms.new(nonnegative(f"norm_{len(norms.names) + 1}"))
    norms.values[word] = norms.roots[word] ** 2


def _product(word: Word, norms: _Norms) -> None:
    """By Cauchy-Schwarz, in the ways in which the trace is an inner product that say most."""
    sizes = next(filter(None, _sizes(word, norms)), None)
    if sizes is None:
        return
    size, *others = sizes
    norms.cosines[word] = norms.new(cosine(f"cos_{len(norms.names) + 1}"))
    norms.values[word] = size * norms.cosines[word]
    norms.hypotheses += [Comparison("<=", sp.Abs(norms.values[word]), other) for other in others]


def _sizes(word: Word, norms: _Norms) -> Iterator[list[Any]]:
    """Products of norms that the trace is at most; of parts of the parts; and beside the unit matrix."""
    parts = [(u, v) for u, v in splits(word) if v]
    for norm in (norms.root, norms.bound):
        pairs = ((norm(u), norm(v)) for u, v in parts)
        yield list(dict.fromkeys(a * b for a, b in pairs if a is not None and b is not None))
    turns = [u for u, v in splits(word) if not v and norms.root(u) is not None]
    yield list(dict.fromkeys(norms.root(u) * sp.sqrt(norms.rows(u)) for u in turns))


def _triples(norms: _Norms) -> None:
    """1 + 2 a b c >= a**2 + b**2 + c**2 of the cosines between three vectors."""
    vectors = list(_vectors(norms))[:_MOST_VECTORS]
    for three in itertools.combinations(vectors, 3):
        pairs = [turned(u + transposed(v)) for u, v in itertools.combinations(three, 2)]
        cosines = [norms.cosines[word] for word in pairs if word in norms.cosines]
        lengths = [norms.roots[turned(u + transposed(u))] for u in three]
        sizes = [a * b for a, b in itertools.combinations(lengths, 2)]
        if len(set(cosines)) < len(pairs):
            continue
        if all(norms.values[w] == s * c for w, s, c in zip(pairs, sizes, cosines, strict=True)):
            a, b, c = cosines
            determinant = 1 + 2 * a * b * c - a**2 - b**2 - c**2
            norms.hypotheses.append(Comparison(">=", determinant, sp.Integer(0)))


def _vectors(norms: _Norms) -> Iterator[Word]:
    """The U of which trace(U*U^T) is a name, one of U and U^T as they meet others."""
    halves = [half for word in norms.roots for half in roots_of(word)]
    yield from dict.fromkeys([*halves, *(transposed(half) for half in halves)])


__all__ = ["in_norms"]
