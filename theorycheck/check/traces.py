"""Traces of matrices of any size as names: what is true of all numbers that they could be is true of the traces.

Known of them are signs, trace(U*U^T) >= 0, and Cauchy-Schwarz, trace(U*V)**2 <= trace(U*U^T) trace(V*V^T), also with
the unit matrix for V.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from theorycheck.check.building import build_expression
from theorycheck.check.domain import Domains, Variable
from theorycheck.check.formula import Comparison
from theorycheck.check.reading.names import Names
from theorycheck.check.reading.words import Traces, Word, text_of_word, transposed, turned
from theorycheck.check.refusal import InputError
from theorycheck.check.text import scan


@dataclass(frozen=True)
class Sized:
    """The texts of a statement with matrices, and ``matrices`` with their sizes, numbers or declared names."""

    statement: str
    where: tuple[str, ...]
    matrices: Mapping[str, tuple[str, str]]

    @property
    def names(self) -> tuple[str, ...]:
        """The names that are sizes."""
        sizes = (s for pair in self.matrices.values() for s in pair if not s.isdigit())
        return tuple(dict.fromkeys(sizes))

    def text(self) -> str:
        """The matrices as they may be declared."""
        return "; ".join(f"{a} in R^({n} x {m})" for a, (n, m) in self.matrices.items())


def with_traces(declared: Domains, names: Names) -> tuple[Domains, tuple[Comparison, ...]]:
    """The traces that were asked for as names, and what is known of them. Raises InputError."""
    import sympy

    found = declared.traces.found
    variables = list(declared.variables)
    for size in Sized("", (), declared.traces.sizes).names:
        v = next((v for v in declared.variables if v.name == size), None)
        fixed = v is not None and v.low is not None and not v.low.free_symbols
        if v is None or v.kind != "integer" or not fixed or not v.low.is_positive:
            raise InputError(f"the size {size} of a matrix is an integer from 1 on; declare it so")
        if v.high.free_symbols:
            raise InputError(f"the size {size} of a matrix ends at a number or at oo")
    for word, name in found.items():
        if name in names.known:
            raise InputError(f"the name {name} is in use; take another")
        low = sympy.Integer(0) if _is_square(word) else -sympy.oo
        text = "[0, oo)" if _is_square(word) else "(-oo, oo)"
        facts = {"nonnegative": True} if _is_square(word) else {"real": True}
        symbol = sympy.Symbol(name, **facts)
        variables.append(
            Variable(name, symbol, "real", text, low, sympy.oo, low.is_infinite, high_open=True)
        )
    notes = tuple(f"{name} is trace({text_of_word(w)})" for w, name in found.items())
    declared = replace(declared, variables=tuple(variables), notes=(*declared.notes, *notes))
    return declared, tuple(dict.fromkeys(known(declared.traces, declared.symbols)))


def roots_of(word: Word) -> Iterator[Word]:
    """Each U for which the trace is that of U*U^T."""
    half = len(word) // 2
    turns = (word[k:] + word[:k] for k in range(len(word)))
    if len(word) % 2 == 0:
        yield from (w[:half] for w in turns if w[half:] == transposed(w[:half]))


def _is_square(word: Word) -> bool:
    return any(True for _ in roots_of(word))


def known(traces: Traces, symbols: Mapping[str, Any]) -> Iterator[Comparison]:
    """Cauchy-Schwarz, where all three traces occur."""

    def square(word: Word) -> Any | None:
        name = traces.found.get(turned(word + transposed(word)))
        return None if name is None else symbols[name]

    for word, name in traces.found.items():
        trace = symbols[name]
        for u, v in splits(word):
            size = build_expression(scan(traces.size(u), "--for"), symbols)
            first = square(u)
            second = square(v) if v else size
            if first is not None and second is not None and trace not in (first, second):
                yield Comparison("<=", trace**2, first * second)


def splits(word: Word) -> Iterator[tuple[Word, Word]]:
    """The word, turned round, in two parts, of which the second may be empty."""
    for k in range(len(word)):
        turn = word[k:] + word[:k]
        yield from ((turn[:i], turn[i:]) for i in range(1, len(turn) + 1))


__all__ = ["Sized", "known", "roots_of", "splits", "with_traces"]
