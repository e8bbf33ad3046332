"""Short vectors and matrices of fixed size, written out in coordinates; long ones as sums.

A vector is a tuple of nodes, a matrix a tuple of rows. What is left after `expanded` speaks of the
coordinates only, of vectors with a name for their length of their entries under sums.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from theorycheck.check.reading.long import Long, applied, combined
from theorycheck.check.reading.tree import (
    Apply,
    Binary,
    Chain,
    Group,
    Junction,
    Minus,
    Name,
    Node,
    Number,
    children,
    rebuilt,
)
from theorycheck.check.reading.words import Words, as_one_number, number_of, of_words, squared_norm
from theorycheck.check.refusal import InputError

Vector = tuple[Node, ...]
Matrix = tuple[Vector, ...]


class Array:
    """A vector (one column: ``matrix`` False) or a matrix."""

    def __init__(self, rows: Sequence[Sequence[Node]], matrix: bool) -> None:
        self.rows = tuple(tuple(row) for row in rows)
        self.matrix = matrix

    @property
    def entries(self) -> Vector:
        return tuple(e for row in self.rows for e in row)

    @property
    def shape(self) -> tuple[int, int, bool]:
        return (len(self.rows), len(self.rows[0]), self.matrix)

    def each(self, change: Callable[[Node], Node]) -> Array:
        return Array([[change(e) for e in row] for row in self.rows], self.matrix)


def vector(entries: Sequence[Node]) -> Array:
    """A column vector."""
    return Array([[e] for e in entries], False)


Arrays = Mapping[str, Array | Long | Words]
Value = Node | Array | Long | Words


def expanded(node: Node, arrays: Arrays) -> Node:
    """The statement in coordinates.

    Raises:
        InputError: where a vector stands in the place of a number, or sizes differ.
    """
    found = _value(node, arrays)
    if isinstance(found, Array | Long | Words):
        raise InputError("a vector stands where a number is expected; write norm(x) or dot(x, y)")
    return found


def _value(node: Node, arrays: Arrays) -> Value:
    match node:
        case Name(text) if text in arrays:
            return arrays[text]
        case Minus(part):
            inner = _value(part, arrays)
            if isinstance(inner, Words):
                return inner.scaled("*", Minus(Number("1")))
            return inner.each(Minus) if isinstance(inner, Array | Long) else Minus(inner)
        case Binary("**", Apply("norm", (of,)), Number("2")):
            inner = _value(of, arrays)
            if isinstance(inner, Words):
                return squared_norm(inner)
            return _operation("**", _apply("norm", [inner]), Number("2"))
        case Binary(op=op, left=left, right=right):
            return _operation(op, _value(left, arrays), _value(right, arrays))
        case Apply(name=name, args=args):
            return _apply(name, [_value(a, arrays) for a in args])
        case Chain(parts=parts, ops=ops):
            return _chain([_value(p, arrays) for p in parts], ops)
        case Group(parts):
            inner_parts = [_value(p, arrays) for p in parts]
            return Group(tuple(_scalar(p, "a group") for p in inner_parts))
    return rebuilt(node, (expanded(child, arrays) for child in children(node)))


def _scalar(value: Value, where: str) -> Node:
    if isinstance(value, Array | Long | Words):
        raise InputError(f"a vector stands in {where}, where a number is expected; write norm(x)")
    return value


def _operation(op: str, a: Value, b: Value) -> Value:
    if isinstance(a, Words) or isinstance(b, Words):
        if isinstance(a, Array | Long) or isinstance(b, Array | Long):
            raise InputError(f"{op}: matrices n x m are read beside numbers and one another alone")
        return of_words(op, a, b)
    if op == "**" and b == Name("T") and isinstance(a, Array) and a.matrix:
        return Array(list(zip(*a.rows, strict=True)), True)
    if op == "**" and b in _POWERS and isinstance(a, Array) and a.matrix:
        if len(a.rows) != len(a.rows[0]):
            raise InputError(f"**: a matrix {_size(a)} is not square")
        return reduce(_product, [a] * (_POWERS.index(b) + 1))
    if not isinstance(a, Array) and not isinstance(b, Array):
        found = combined(op, a, b)
        if found is not None:
            return found
    if not isinstance(a, Array | Long) and not isinstance(b, Array | Long):
        return Binary(op, a, b)
    if op in ("+", "-") and isinstance(a, Array) and isinstance(b, Array):
        _same(a, b, op)
        rows = zip(a.rows, b.rows, strict=True)
        return Array(
            [[Binary(op, x, y) for x, y in zip(r, s, strict=True)] for r, s in rows], a.matrix
        )
    if op == "*" and isinstance(a, Array) and isinstance(b, Array):
        if a.matrix and len(a.rows[0]) == len(b.rows):
            return _product(a, b)
        raise InputError("x*y of two vectors says nothing; write dot(x, y)")
    if op == "*" and isinstance(b, Array | Long):
        return b.each(lambda e: Binary("*", _scalar(a, "a product"), e))
    if op in ("*", "/") and isinstance(a, Array | Long):
        return a.each(lambda e: Binary(op, e, _scalar(b, "a quotient")))
    raise InputError(f"{op} is not read between a number and a vector")


_POWERS: tuple[Value, ...] = tuple(Number(str(k)) for k in (1, 2, 3, 4))


def _product(a: Array, b: Array) -> Array:
    columns = range(len(b.rows[0]))
    return Array(
        [
            [total([Binary("*", x, b.rows[k][j]) for k, x in enumerate(row)]) for j in columns]
            for row in a.rows
        ],
        b.matrix,
    )


def total(terms: Sequence[Node]) -> Node:
    """The sum of one or more terms."""
    return reduce(lambda x, y: Binary("+", x, y), terms)


def _same(a: Array, b: Array, what: str) -> None:
    if a.shape != b.shape:
        raise InputError(f"{what}: the sizes {_size(a)} and {_size(b)} differ")


def _size(a: Array) -> str:
    return f"{len(a.rows)}x{len(a.rows[0])}" if a.matrix else str(len(a.rows))


def _apply(name: str, args: list[Value]) -> Value:
    if any(isinstance(a, Words) for a in args):
        if any(isinstance(a, Array | Long) for a in args):
            raise InputError(
                f"{name}: matrices n x m are read beside numbers and one another alone"
            )
        return number_of(name, [a for a in args if not isinstance(a, Array | Long)])
    if any(isinstance(a, Long) for a in args):
        if any(isinstance(a, Array) for a in args):
            raise InputError(f"{name}: vectors of different lengths")
        return applied(name, [a for a in args if not isinstance(a, Array | Words)])
    if not any(isinstance(a, Array) for a in args):
        if name in ("norm", "dot", "trace", "det", "quad"):
            if name == "norm" and len(args) == 1:
                return Apply("Abs", (_scalar(args[0], name),))
            raise InputError(f'{name}(...) is of vectors; declare one as in --for "x in R^3"')
        return Apply(name, tuple(_scalar(a, name) for a in args))
    function = _FUNCTIONS.get(name)
    if function is None:
        known = ", ".join(sorted(_FUNCTIONS))
        raise InputError(f"{name}(...) is not read of vectors; read are {known}")
    return function(args)


def _norm(args: list[Value]) -> Node:
    x, *order = args
    if not isinstance(x, Array) or len(order) > 1:
        raise InputError("norm takes a vector, and perhaps 1, 2 or oo: norm(x, 1)")
    p = order[0] if order else Number("2")
    if p == Number("1"):
        return total([Apply("Abs", (e,)) for e in x.entries])
    if p == Name("oo"):
        return _largest([Apply("Abs", (e,)) for e in x.entries], "Max")
    if p != Number("2"):
        raise InputError("norms are read for 1, 2 and oo")
    return Apply("sqrt", (total([_square(e) for e in x.entries]),))


def _square(e: Node) -> Node:
    return Binary("**", e, Number("2"))


def _largest(entries: Sequence[Node], head: str) -> Node:
    return entries[0] if len(entries) == 1 else Apply(head, tuple(entries))


def _dot(args: list[Value]) -> Node:
    match args:
        case [Array() as a, Array() as b]:
            _same(a, b, "dot")
            pairs = zip(a.entries, b.entries, strict=True)
            return total([Binary("*", x, y) for x, y in pairs])
    raise InputError("dot takes two vectors, dot(x, y)")


def _quad(args: list[Value]) -> Node:
    match args:
        case [Array(matrix=True) as a, Array() as x] if len(a.rows[0]) == len(x.rows):
            return _dot([x, _product(a, x)])
    raise InputError("quad takes a matrix and a vector of its size: quad(A, x)")


def _trace(args: list[Value]) -> Node:
    a = _square_matrix(args, "trace")
    return total([row[i] for i, row in enumerate(a.rows)])


def _det(args: list[Value]) -> Node:
    return determinant(_square_matrix(args, "det").rows)


def _square_matrix(args: list[Value], name: str) -> Array:
    match args:
        case [Array(matrix=True) as a] if len(a.rows) == len(a.rows[0]):
            return a
    raise InputError(f"{name} takes one square matrix")


def determinant(rows: Sequence[Sequence[Node]]) -> Node:
    """Laplace's expansion by the first row."""
    if len(rows) == 1:
        return rows[0][0]
    result: Node | None = None
    for j, entry in enumerate(rows[0]):
        minor = determinant([[*row[:j], *row[j + 1 :]] for row in rows[1:]])
        term = Binary("*", entry, minor)
        result = term if result is None else Binary("+" if j % 2 == 0 else "-", result, term)
    assert result is not None
    return result


def _extremum(head: str) -> Callable[[list[Value]], Node]:
    def apply(args: list[Value]) -> Node:
        flat = [
            e for a in args for e in (a.entries if isinstance(a, Array) else (_scalar(a, head),))
        ]
        return _largest(flat, head)

    return apply


def _of_entries(head: str) -> Callable[[list[Value]], Node]:
    """A sum of ``head`` over the entries, of several vectors of one size entry by entry."""

    def apply(args: list[Value]) -> Node:
        arrays = [a for a in args if isinstance(a, Array)]
        if len(arrays) != len(args):
            raise InputError(f"{head}: a vector and a number do not go together")
        for other in arrays[1:]:
            _same(arrays[0], other, head)
        terms = zip(*(a.entries for a in arrays), strict=True)
        found = total([_TERMS[head](*t) for t in terms])
        return Minus(found) if head == "entropy" else found

    return apply


_TERMS: Mapping[str, Callable[..., Node]] = {
    "entropy": lambda p: Binary("*", p, Apply("log", (p,))),
    "KL": lambda p, q: Binary("*", p, Apply("log", (Binary("/", p, q),))),
    "sum": lambda x: x,
}


def _logsumexp(args: list[Value]) -> Node:
    match args:
        case [Array() as x]:
            return Apply("log", (total([Apply("exp", (e,)) for e in x.entries]),))
    raise InputError("logsumexp takes one vector")


_FUNCTIONS: Mapping[str, Callable[[list[Value]], Value]] = {
    "norm": _norm,
    "dot": _dot,
    "quad": _quad,
    "trace": _trace,
    "det": _det,
    "max": _extremum("Max"),
    "Max": _extremum("Max"),
    "min": _extremum("Min"),
    "Min": _extremum("Min"),
    "entropy": _of_entries("entropy"),
    "KL": _of_entries("KL"),
    "sum": _of_entries("sum"),
    "logsumexp": _logsumexp,
}


def _chain(parts: list[Value], ops: tuple[str, ...]) -> Node:
    if ops == ("==",) and isinstance(parts[0], Words) and isinstance(parts[1], Words):
        return as_one_number(parts[0], parts[1])
    if not any(isinstance(p, Array | Long | Words) for p in parts):
        return Chain(tuple(_scalar(p, "a comparison") for p in parts), ops)
    match parts, ops:
        case [Array() as a, Array() as b], ("==",):
            _same(a, b, "==")
            pairs = zip(a.entries, b.entries, strict=True)
            equal = tuple(Chain((x, y), ("==",)) for x, y in pairs)
            return equal[0] if len(equal) == 1 else Junction("and", equal)
    raise InputError("vectors are compared with == only; write norm(x), dot(x, y) or a coordinate")


__all__ = ["Array", "Arrays", "determinant", "expanded", "total", "vector"]
