"""Vectors whose length is a name, ``x in R^d``: what is said of them becomes sums over their entries.

A symmetric matrix of such a size, ``A in PSD(d)``, stands for the family of its eigenvalues: trace, determinant and
Frobenius' norm of a polynomial in one matrix are those of the same polynomial in each eigenvalue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from theorycheck.check.reading.tree import (
    Apply,
    Binary,
    Bracket,
    Group,
    Minus,
    Name,
    Node,
    Number,
    children,
    text_of,
)
from theorycheck.check.refusal import InputError


@dataclass(frozen=True)
class Largest:
    """``name`` is an index from 1 to ``length`` at which ``here`` is as large as ``anywhere``, at ``index``."""

    name: str
    length: str
    index: str
    here: str
    anywhere: str


@dataclass
class Peaks:
    """The indices of largest entries that a text spoke of: norm(x, oo) is Abs(x[largest])."""

    found: dict[tuple[str, str], Largest] = field(default_factory=dict)

    def name(self, x: Long) -> str:
        """The index at which the entry is largest by its size, the same for the same vector."""
        index = _free_index([x])
        key = (text_of(x.length), text_of(x.entry(Name(index))))
        if key not in self.found:
            name = f"largest_{len(self.found) + 1}" if self.found else "largest"
            here, anywhere = (text_of(Apply("Abs", (x.entry(Name(i)),))) for i in (name, index))
            self.found[key] = Largest(name, key[0], index, here, anywhere)
        return self.found[key].name


@dataclass(frozen=True)
class Long:
    """``entry`` gives the entry at an index, which runs from 1 to ``length``; of ``matrix``, where that is a name,
    it is an eigenvalue. ``peaks`` is told where an index of a largest entry is asked for."""

    length: Node
    entry: Callable[[Node], Node]
    matrix: str = ""
    peaks: Peaks = field(default_factory=Peaks, compare=False)

    def each(self, change: Callable[[Node], Node]) -> Long:
        """The vector of the changed entries."""
        return replace(self, entry=lambda index: change(self.entry(index)))


def long_vector(name: str, length: str, peaks: Peaks, *, matrix: bool = False) -> Long:
    """The vector of the members of a family, or the matrix that has them for eigenvalues."""
    return Long(Name(length), lambda index: Bracket(name, index), name if matrix else "", peaks)


def combined(op: str, a: Node | Long, b: Node | Long) -> Long | None:
    """Sums entry by entry, and products and powers of one matrix; None for what has numbers in it.

    Raises:
        InputError: where the lengths differ, or two matrices meet.
    """
    if isinstance(a, Long) and isinstance(b, Long):
        _same([a, b], op)
        if op in ("+", "-") or (op == "*" and a.matrix):
            return replace(a, entry=lambda i: Binary(op, a.entry(i), b.entry(i)))
    if isinstance(a, Long) and a.matrix and op == "**" and not isinstance(b, Long):
        exponent = b.part if isinstance(b, Minus) else b
        if isinstance(exponent, Number) and exponent.text.isdigit():
            return a.each(lambda e: Binary("**", e, b))
    return None


def applied(name: str, args: Sequence[Node | Long]) -> Node:
    """A function of vectors as a number. Raises InputError for what is not read."""
    longs = [a for a in args if isinstance(a, Long)]
    if any(a.matrix for a in longs):
        return _of_matrix(name, args)
    if name == "norm" and isinstance(args[0], Long) and len(args) < 3:
        return _norm(args[0], args[1] if len(args) == 2 else Number("2"))
    if name in _TERMS and len(longs) == len(args) == _TERMS[name][0]:
        _same(longs, name)
        return _total(longs, _TERMS[name][1])
    if name == "entropy" and len(longs) == len(args) == 1:
        return Minus(_total(longs, lambda p: _times(p, Apply("log", (p,)))))
    if name == "logsumexp" and len(longs) == len(args) == 1:
        return Apply("log", (_total(longs, lambda x: Apply("exp", (x,))),))
    known = ", ".join(sorted((*_TERMS, "entropy", "logsumexp", "norm")))
    raise InputError(f"{name}(...) is not read of vectors of such a length; read are {known}")


def _of_matrix(name: str, args: Sequence[Node | Long]) -> Node:
    match name, args:
        case "trace", [Long() as a]:
            return _total([a], lambda e: e)
        case "det", [Long() as a]:
            return _total([a], lambda e: e, "Product")
        case "norm", [Long() as a]:
            return _norm(a, Number("2"))
        case "norm", _:
            raise InputError(
                "norm(A) is Frobenius'; other norms of matrices of such a size are not read"
            )
    raise InputError(
        f"{name}(...) is not read of matrices of such a size; read are det, norm, trace"
    )


def _norm(x: Long, order: Node | Long) -> Node:
    if order == Number("1"):
        return _total([x], lambda e: Apply("Abs", (e,)))
    if order == Number("2"):
        return Apply("sqrt", (_total([x], lambda e: Binary("**", e, Number("2"))),))
    if order == Name("oo") and not x.matrix:
        return _largest(x)
    raise InputError("norms of vectors of such a length are read for 1, 2 and oo")


def _largest(x: Long) -> Node:
    """norm(c*x, oo) is Abs(c) norm(x, oo): factors of all entries stand before an entry at its index."""
    index = Name(_free_index([x]))
    match x.entry(index):
        case Minus():
            inner = x.each(lambda e: e.part if isinstance(e, Minus) else e)
            return _largest(inner)
        case Binary(op="*", left=c) if index.text not in _names(c):
            inner = x.each(lambda e: e.right if isinstance(e, Binary) else e)
            return _times(Apply("Abs", (c,)), _largest(inner))
        case Binary(op="*" | "/" as op, right=c) if index.text not in _names(c):
            inner = x.each(lambda e: e.left if isinstance(e, Binary) else e)
            return Binary(op, _largest(inner), Apply("Abs", (c,)))
    return Apply("Abs", (x.entry(Name(x.peaks.name(x))),))


def _times(a: Node, b: Node) -> Node:
    return Binary("*", a, b)


_TERMS: Mapping[str, tuple[int, Callable[..., Node]]] = {
    "sum": (1, lambda x: x),
    "dot": (2, _times),
    "KL": (2, lambda p, q: _times(p, Apply("log", (Binary("/", p, q),)))),
}


def _total(vectors: Sequence[Long], term: Callable[..., Node], head: str = "Sum") -> Node:
    """The sum of the terms, over an index that no name of the entries is called."""
    index = _free_index(vectors)
    entries = (v.entry(Name(index)) for v in vectors)
    return Apply(head, (term(*entries), Group((Name(index), Number("1"), vectors[0].length))))


def _free_index(vectors: Sequence[Long]) -> str:
    used = set().union(*(_names(v.entry(Number("1"))) for v in vectors))
    return next(i for k in count() if (i := f"_{'ijk'[k % 3]}{k // 3 or ''}") not in used)


def _names(node: Node) -> set[str]:
    own = {node.text} if isinstance(node, Name) else set()
    return own.union(*(_names(child) for child in children(node)))


def _same(vectors: Sequence[Long], what: str) -> None:
    if any(v.length != vectors[0].length for v in vectors):
        raise InputError(f"{what}: vectors of different lengths")
    if any(v.matrix != vectors[0].matrix for v in vectors):
        raise InputError(f"{what}: matrices of such a size are read as polynomials of one matrix")


__all__ = ["Largest", "Long", "Peaks", "applied", "combined", "long_vector"]
