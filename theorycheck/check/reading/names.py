"""What a name stands for where it is typed: a declared name, a function, a constant, a product."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from theorycheck.check.reading.vectors import Arrays
from theorycheck.check.vocabulary import CONSTANTS, FUNCTIONS, PREDICATES

CONSTANT_WORDS: Mapping[str, str] = {
    "inf": "oo",
    "infinity": "oo",
    "Inf": "oo",
    "infty": "oo",
    "e": "E",
    "Pi": "pi",
    "PI": "pi",
}
"""Other spellings of constants, where no name of that spelling is declared."""

BRACKETS: Mapping[str, str] = {
    "E": "E",
    "P": "P",
    "Pr": "P",
    "Prob": "P",
    "Var": "Var",
    "Cov": "Cov",
    "Expectation": "E",
}
"""Heads that stand before square brackets: expectation, probability, variance, covariance."""

VECTOR_FUNCTIONS = ("norm", "dot", "quad", "trace", "det", "logsumexp", "sum")


@dataclass(frozen=True)
class Names:
    """The names that are in force: ``declared`` have a domain, ``random`` a law, ``vectors`` the
    texts of their coordinates (a matrix: its rows), ``families`` members with an index, ``f[j]``."""

    declared: frozenset[str] = frozenset()
    random: frozenset[str] = frozenset()
    vectors: Arrays = field(default_factory=dict)
    families: frozenset[str] = frozenset()

    @property
    def known(self) -> frozenset[str]:
        return self.declared | self.random | frozenset(self.vectors) | self.families


def is_function(word: str) -> bool:
    """Whether the grammar has a function, a predicate or a shorthand of this name."""
    return word in FUNCTIONS or word in PREDICATES or word in VECTOR_FUNCTIONS


def constant(word: str) -> str | None:
    """The canonical name of a constant."""
    return word if word in CONSTANTS else CONSTANT_WORDS.get(word)


def splits(word: str, known: frozenset[str], latex: bool) -> list[tuple[str, ...]]:
    """The ways to read a run of letters as a product of known names; LaTeX's e is a letter of its own,
    as in xe^{-x}."""
    ways = _into_known(word, known | {"pi"} | ({"e"} if latex else set()))
    # Typed nn is a slip of the finger rather than n*n.
    return [w for w in ways if latex or all(a != b for a, b in pairwise(w))]


def _into_known(word: str, known: frozenset[str]) -> list[tuple[str, ...]]:
    """All ways, the one of the fewest parts first; at most eight names long."""
    ways: dict[int, list[tuple[str, ...]]] = {0: [()]}
    for end in range(1, min(len(word), 40) + 1):
        here = []
        for start, before in ways.items():
            piece = word[start:end]
            if start < end and piece in known:
                here += [(*b, piece) for b in before if len(b) < 8]
        if here:
            ways[end] = here[:16]
    whole = [w for w in ways.get(len(word), []) if len(w) > 1]
    return sorted(whole, key=len)


__all__ = ["BRACKETS", "VECTOR_FUNCTIONS", "Names", "constant", "is_function", "splits"]
