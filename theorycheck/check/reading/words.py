"""Matrices whose sizes are names, ``A in R^(n x m)``: sums of words in them and in their transposes.

Of such a matrix traces are numbers, trace(A*B) = trace(B*A) = trace(B^T*A^T): one name for all words that are the same
when turned round, or transposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from theorycheck.check.reading.tree import Apply, Binary, Chain, Minus, Name, Node, Number
from theorycheck.check.refusal import InputError

Word = tuple[tuple[str, bool], ...]
"""Matrices in order, each with whether it is transposed."""

MAX_WORDS = 64


@dataclass
class Traces:
    """The names of the traces that a text spoke of, and the sizes of the matrices."""

    found: dict[Word, str] = field(default_factory=dict)
    sizes: dict[str, tuple[str, str]] = field(default_factory=dict)

    def name(self, word: Word) -> str:
        """The name of the trace of a word."""
        return self.found.setdefault(turned(word), f"trace_{len(self.found) + 1}")

    def size(self, word: Word) -> str:
        """The number of rows of a word."""
        name, transposed = word[0]
        return self.sizes[name][transposed]


def turned(word: Word) -> Word:
    """The first by the alphabet of the words that have the same trace."""
    both = (word, transposed(word))
    return min(w[k:] + w[:k] for w in both for k in range(len(w)))


def transposed(word: Word) -> Word:
    """(A*B)^T = B^T*A^T."""
    return tuple((name, not t) for name, t in reversed(word))


def text_of_word(word: Word) -> str:
    """As it may be typed."""
    return "*".join(f"{name}^T" if t else name for name, t in word)


@dataclass(frozen=True)
class Words:
    """A sum of numbers times words, ``rows`` by ``columns``."""

    rows: str
    columns: str
    terms: tuple[tuple[Node, Word], ...]
    traces: Traces

    @property
    def size(self) -> str:
        return f"{self.rows} x {self.columns}"

    def transpose(self) -> Words:
        terms = tuple((c, transposed(w)) for c, w in self.terms)
        return Words(self.columns, self.rows, terms, self.traces)

    def scaled(self, op: str, factor: Node) -> Words:
        """Each number times, or divided by, another."""
        return replace(self, terms=tuple((Binary(op, c, factor), w) for c, w in self.terms))

    def trace(self) -> Node:
        """A sum of numbers times names of traces. Raises InputError where it is not square."""
        if self.rows != self.columns:
            raise InputError(f"trace takes a square matrix, this one is {self.size}")
        parts = [Binary("*", c, Name(self.traces.name(w))) for c, w in self.terms]
        return reduce(lambda a, b: Binary("+", a, b), parts[1:], parts[0])


def matrix(name: str, rows: str, columns: str, traces: Traces) -> Words:
    """A matrix by its name."""
    traces.sizes[name] = (rows, columns)
    return Words(rows, columns, ((Number("1"), ((name, False),)),), traces)


def of_words(op: str, a: Words | Node, b: Words | Node) -> Words:
    """A sum, product, multiple, power or transpose. Raises InputError where the sizes do not fit."""
    match op, a, b:
        case "+" | "-", Words(), Words():
            if (a.rows, a.columns) != (b.rows, b.columns):
                raise InputError(f"{op}: the sizes {a.size} and {b.size} differ")
            more = b.scaled("*", Minus(Number("1"))) if op == "-" else b
            return replace(a, terms=(*a.terms, *more.terms))
        case "*", Words(), Words():
            return _product(a, b)
        case "**", Words(), Name("T"):
            return a.transpose()
        case "**", Words(), Number(text) if text.isdigit() and 1 <= int(text) <= 4:
            return reduce(_product, [a] * int(text))
        case "*", Words(), _ if not isinstance(b, Words):
            return a.scaled("*", b)
        case "*", _, Words() if not isinstance(a, Words):
            return b.scaled("*", a)
        case "/", Words(), _ if not isinstance(b, Words):
            return a.scaled("/", b)
    raise InputError(f"{op} is not read between these matrices; read are A + B, A*B, c*A, A^2, A^T")


def _product(a: Words, b: Words) -> Words:
    if a.columns != b.rows:
        raise InputError(f"A*B: the sizes {a.size} and {b.size} do not fit")
    terms = tuple((Binary("*", c, d), v + w) for c, v in a.terms for d, w in b.terms)
    if len(terms) > MAX_WORDS:
        raise InputError(f"A*B: more than {MAX_WORDS} products of matrices")
    return Words(a.rows, b.columns, terms, a.traces)


def number_of(name: str, args: Sequence[Words | Node]) -> Node:
    """``trace(A)``, ``norm(A)`` (Frobenius'), ``dot(A, B)``, ``quad(A, x)`` as numbers. Raises InputError."""
    match name, args:
        case "trace", [Words() as a]:
            return a.trace()
        case "norm", [Words() as a]:
            return Apply("sqrt", (squared_norm(a),))
        case "dot", [Words() as a, Words() as b]:
            return _product(a, b.transpose()).trace()
        case "quad", [Words() as a, Words() as x]:
            return _product(_product(a, x), x.transpose()).trace()
    raise InputError(f"{name}(...) is not read of matrices n x m; read are dot, norm, quad, trace")


def squared_norm(a: Words) -> Node:
    """The sum of the squares of the entries: a number wherever its root is one, whatever traces may be thought of."""
    return _product(a, a.transpose()).trace()


def as_one_number(a: Words, b: Words) -> Node:
    """A == B says that the squares of the entries of A - B add up to 0."""
    rest = of_words("-", a, b)
    return Chain((squared_norm(rest), Number("0")), ("==",))


__all__ = [
    "Traces",
    "Word",
    "Words",
    "as_one_number",
    "matrix",
    "number_of",
    "of_words",
    "squared_norm",
    "text_of_word",
    "transposed",
    "turned",
]
