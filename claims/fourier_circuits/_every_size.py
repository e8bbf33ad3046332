"""Sums over k signs, patterns or summands, k and p being names: one more of them is one step of a program.

A sum over all signs, all sine-or-cosine patterns or all inputs of Z_p^k is run through one place after the other. The
state after n places is kept in letters that may be anything, one more place is a step of the program on it, and what
is shown of a state is shown of its successor: with the start that is every number of places.

k-th powers are read off exponentials: y^k is k! times the coefficient of t^k in e^{ty}, so that a power of a sum
becomes a product over the places, and `Series` keeps the first coefficients of such a product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import Ordering, fmpq_mpoly_ctx

from theorycheck import Proof

ONCE = {"smoke": [{}]}
"""The grid of a proof that no parameter of its claim enters: it is made once, whatever else the claim tries."""


def letters(names: str) -> list[Any]:
    """Indeterminates over the rationals, one for each name."""
    ring = fmpq_mpoly_ctx.get(names.split(), Ordering.lex)
    return [ring.gen(i) for i in range(len(names.split()))]


@dataclass(frozen=True)
class Series:
    """t^(a n + b) (x_0 + x_1 t + ..), (a, b) the ``order``, n the number of places; known are the ``terms`` told."""

    order: tuple[int, int]
    terms: tuple[Any, ...]

    def __add__(self, other: Series) -> Series:
        if self.order != other.order:
            raise ValueError(f"a sum of orders {self.order} and {other.order}")
        return Series(
            self.order, tuple(x + y for x, y in zip(self.terms, other.terms, strict=False))
        )

    def __mul__(self, other: Any) -> Series:
        if not isinstance(other, Series):
            return Series(self.order, tuple(x * other for x in self.terms))
        known = range(min(len(self.terms), len(other.terms)))
        terms = [sum(self.terms[i] * other.terms[j - i] for i in range(j + 1)) for j in known]
        a, b = (x + y for x, y in zip(self.order, other.order, strict=True))
        return Series((a, b), tuple(terms))

    def lowered(self) -> Series:
        """The same from the first coefficient on that is not known to be 0."""
        if len(self.terms) > 1 and self.terms[0] == 0:
            return Series((self.order[0], self.order[1] + 1), self.terms[1:]).lowered()
        return self


def exponential(y: Any, known: int) -> Series:
    """e^{ty} up to ``known`` coefficients."""
    terms = [y**0]
    for n in range(1, known):
        terms.append(terms[-1] * y / n)
    return Series((0, 0), tuple(terms))


def total(parts: Sequence[Series]) -> Series:
    """The sum of them."""
    found = parts[0]
    for one in parts[1:]:
        found = found + one
    return found


def agreeing(method: str, **pairs: tuple[Any, Any]) -> Proof:
    """A proof whose parts are equalities of what a program came to and what is stated."""
    apart = {name: [str(a), str(b)] for name, (a, b) in pairs.items() if a != b}
    return Proof(
        holds=not apart,
        method=method,
        witness={"parts": list(pairs)},
        counterexample=apart or None,
    )
