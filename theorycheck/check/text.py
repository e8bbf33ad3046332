"""From the text of a statement to a checked syntax tree, without ever evaluating text.

`scan` parses one expression or statement with the standard library's parser behind limits on
length, nesting and the size of numbers, and checks every node against a whitelist;
`theorycheck.check.building` then makes SymPy objects. The grammar is in ``docs/statement-grammar.md``.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import log, log1p, log2

from theorycheck.check.formula import Comparison, Connective, Formula, Predicate
from theorycheck.check.reading.names import VECTOR_FUNCTIONS
from theorycheck.check.refusal import (
    InputError,
    NotParsed,
    TooLarge,
    nearest,
    pairs_without_ends,
)
from theorycheck.check.refusal import at as _error
from theorycheck.check.vocabulary import (
    BRACKETS,
    COMPARED_BY,
    COMPARISONS,
    CONSTANTS,
    FUNCTIONS,
    HINTS,
    PREDICATES,
    Arity,
)

# Longer or deeper input is nobody's conjecture; the limits keep parsing far below a second and
# far away from the interpreter's own recursion limits.
MAX_LENGTH = 4000
MAX_DEPTH = 60
MAX_NODES = 1500
MAX_DIGITS = 2000
# About 300,000 decimal digits: evaluated in well under a second; 9**9**9 has 1.2e9 bits.
MAX_BITS = 1_000_000.0

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)


@dataclass(frozen=True)
class Scanned:
    """A checked syntax tree: whitelisted nodes, small numbers, known functions; the names of ``families``
    may stand before an index: f[j]."""

    source: str
    what: str
    tree: ast.expr
    names: frozenset[str]
    places: Mapping[str, int] = field(default_factory=dict)
    families: frozenset[str] = frozenset()

    def refuse(self, node: ast.AST, message: str) -> InputError:
        return _error(self.source, self.what, getattr(node, "col_offset", 0), message)


def valid_name(name: str) -> bool:
    """Whether ``name`` may be given a domain: also pi or gamma, which it then stands for."""
    return bool(_NAME.match(name)) and name != "oo" and not _is_keyword(name)


def _is_keyword(name: str) -> bool:
    import keyword

    return keyword.iskeyword(name)


def scan(text: str, what: str = "statement", families: frozenset[str] = frozenset()) -> Scanned:
    """Check ``text`` and return its syntax tree; ``what`` names the text in errors, and only the
    names of ``families`` may stand before an index.

    Raises:
        InputError: for anything outside of the grammar and its limits.
    """
    source = re.sub(r"[\t\r\n]", " ", text)
    source = source.strip(" ")
    if not source:
        raise InputError(f"{what}: is empty; write for instance n**2 >= n")
    if len(text) > MAX_LENGTH:
        raise TooLarge(
            f"{what}: {len(text)} characters; at most {MAX_LENGTH} are allowed ({source[:20]!r}...)"
        )
    _check_characters(source, what)
    _check_depth(source, what)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, mode="eval").body
    except SyntaxError as problem:
        column = max((problem.offset or 1) - 1, 0)
        raise _error(
            source, what, min(column, len(source)), _hint(source, column), NotParsed
        ) from None
    except (RecursionError, MemoryError, ValueError):
        raise TooLarge(f"{what}: nested too deeply, or a number too long") from None
    scanner = _Scanner(source, what, families)
    scanner.visit(tree)
    scanner.sizes(tree)
    return Scanned(source, what, tree, frozenset(scanner.names), scanner.names, families)


def _check_characters(source: str, what: str) -> None:
    for column, char in enumerate(source):
        if not (" " <= char <= "~"):
            hint = HINTS.get(char, "write it in ASCII: letters, digits, + - * / ** ( ) and names")
            raise _error(source, what, column, hint, NotParsed)
        if char in HINTS:
            raise _error(source, what, column, HINTS[char], NotParsed)


def _check_depth(source: str, what: str) -> None:
    open_at: list[tuple[str, int]] = []
    pairs = {")": "(", "]": "[", "}": "{"}
    for column, char in enumerate(source):
        if char in "([{":
            open_at.append((char, column))
            if len(open_at) > MAX_DEPTH:
                raise _error(
                    source, what, column, f"nested deeper than {MAX_DEPTH} levels", TooLarge
                )
        elif char in pairs:
            if not open_at or open_at[-1][0] != pairs[char]:
                raise _error(source, what, column, f"{char!r} closes nothing; balance the brackets")
            open_at.pop()
    if open_at:
        char, column = open_at[-1]
        raise _error(source, what, column, f"{char!r} is never closed; balance the brackets")


def _hint(source: str, column: int) -> str:
    before, after = source[:column], source[column:]
    if re.search(r"(?<![=!<>])=(?!=)", source):
        return "a single '=' says nothing here; equality is written =="
    if re.search(r"\d\s*[A-Za-z_(]", source) and not re.search(r"\d[eE][+-]?\d", source):
        return "not understood; a product is written with *, as in 2*n"
    if "lambda" in source:
        return "lambda is a word of Python; use another name, such as lam"
    if "!" in before + after and "!=" not in source:
        return "not understood; n! is written factorial(n)"
    return "not understood here; allowed are + - * / ** ( ), comparisons, and/or/not, f(x)"


_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.Mod: "%",
    ast.FloorDiv: "//",
}


def allowed_functions() -> str:
    """The names of all functions and predicates, for a message."""
    return ", ".join(sorted([*FUNCTIONS, *PREDICATES]))


class _Scanner:
    """One walk over the tree: whitelist, arity, bound names, node count, depth."""

    def __init__(self, source: str, what: str, families: frozenset[str]) -> None:
        self.source, self.what, self.families = source, what, families
        self.names: dict[str, int] = {}
        self.nodes = 0

    def bad(self, node: ast.AST, message: str, kind: type[InputError] = InputError) -> InputError:
        return _error(self.source, self.what, getattr(node, "col_offset", 0), message, kind)

    def visit(self, node: ast.expr, bound: frozenset[str] = frozenset(), depth: int = 0) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.bad(node, f"more than {MAX_NODES} parts; split the statement", TooLarge)
        if depth > 2 * MAX_DEPTH:
            limit = f"more than {2 * MAX_DEPTH} operations in a row, or nested deeper"
            raise self.bad(node, f"{limit} than {MAX_DEPTH} levels", TooLarge)
        below = depth + 1
        match node:
            case ast.Constant():
                self.literal(node)
            case ast.Name(id=name):
                if name not in CONSTANTS and name not in bound:
                    self.names.setdefault(name, node.col_offset)
            case ast.BinOp() | ast.UnaryOp() | ast.BoolOp() | ast.Compare():
                for part in self.operands(node):
                    self.visit(part, bound, below)
            case ast.Call():
                self.call(node, bound, below)
            case ast.Subscript(value=ast.Name(id=head), slice=inside) if head in BRACKETS:
                pair = isinstance(inside, ast.Tuple) and head == "Cov" and len(inside.elts) == 2
                for part in inside.elts if pair and isinstance(inside, ast.Tuple) else [inside]:
                    self.visit(part, bound, below)
            case ast.Subscript(value=ast.Name(id=head), slice=index) if head in self.families:
                self.visit(index, bound, below)
            case _:
                raise self.bad(node, f"{_describe(node)} not allowed; write numbers, names, f(x)")

    def operands(
        self, node: ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.Compare
    ) -> Sequence[ast.expr]:
        """What an operator stands between, where it is one of those allowed."""
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                if isinstance(op, ast.BitXor):
                    raise self.bad(right, "a power is written **, not ^")
                if type(op) not in _BINARY:
                    raise self.bad(node, "this operator is not allowed; use + - * / ** % //")
                return left, right
            case ast.UnaryOp(op=op, operand=operand):
                if isinstance(op, ast.Invert):
                    raise self.bad(node, "~ is not allowed; negation is written not or -")
                return (operand,)
            case ast.BoolOp(values=values):
                return values
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                if any(type(comparison) not in COMPARED_BY for comparison in ops):
                    raise self.bad(node, f"only {' '.join(COMPARISONS)} compare")
                return left, *comparators

    def literal(self, node: ast.Constant) -> None:
        text = self.text_of(node)
        if not isinstance(node.value, int | float) or isinstance(node.value, bool):
            raise self.bad(node, "only integers and decimals are numbers here")
        if len(text) > MAX_DIGITS:
            raise self.bad(node, f"a number of more than {MAX_DIGITS} digits", TooLarge)
        if not re.fullmatch(r"[0-9_]*\.?[0-9_]*([eE][+-]?[0-9_]+)?", text):
            raise self.bad(node, "only decimal numbers are allowed")
        exponent = re.search(r"[eE]([+-]?[0-9_]+)", text)
        if exponent and (len(exponent[1]) > 7 or abs(int(exponent[1])) * log2(10) > MAX_BITS):
            raise self.bad(node, _TOO_BIG, TooLarge)

    def text_of(self, node: ast.expr) -> str:
        return self.source[node.col_offset : node.end_col_offset]

    def call(self, node: ast.Call, bound: frozenset[str], depth: int) -> None:
        if not isinstance(node.func, ast.Name):
            raise self.bad(node, "only functions called by name are allowed, as in sqrt(x)")
        name = node.func.id
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            raise self.bad(node, f"{name}(...) takes plain arguments only")
        if name in ("Sum", "Product", "Integral"):
            self.big_operator(name, node, bound, depth)
            return
        if name == "Piecewise":
            self.piecewise(node, bound, depth)
            return
        if name == "implies":
            if len(node.args) != 2:
                raise self.bad(node, "write a implies b")
            for arg in node.args:
                self.visit(arg, bound, depth)
            return
        if name not in FUNCTIONS and name not in PREDICATES:
            near = nearest(name, [*FUNCTIONS, *PREDICATES, *VECTOR_FUNCTIONS])
            if name in ("limit", "lim"):
                near = '; say a limit as "f ~ c", or "f = o(1)" where it is 0, with a name that goes to oo'
            if name in BRACKETS:
                near = f"; in square brackets, as in {name}[g > t], it is that of a law"
            raise self.bad(
                node, f"unknown function {name!r}{near or f'; allowed: {allowed_functions()}'}"
            )
        arity = (FUNCTIONS.get(name) or PREDICATES[name]).arity
        if not arity.low <= len(node.args) <= arity.high:
            raise self.bad(node, f"{name} takes {arity.text()}, got {len(node.args)}")
        for arg in node.args:
            self.visit(arg, bound, depth)

    def piecewise(self, node: ast.Call, bound: frozenset[str], depth: int) -> None:
        """``Piecewise((value, condition), ..., (value, True))``"""
        for i, piece in enumerate(node.args):
            if not (isinstance(piece, ast.Tuple) and len(piece.elts) == 2):
                raise self.bad(piece, "write Piecewise((value, condition), (value, True))")
            value, condition = piece.elts
            self.visit(value, bound, depth)
            last = i + 1 == len(node.args)
            if not (last and isinstance(condition, ast.Constant) and condition.value is True):
                self.visit(condition, bound, depth)
        if not node.args:
            raise self.bad(node, "write Piecewise((value, condition), (value, True))")

    def big_operator(self, head: str, node: ast.Call, bound: frozenset[str], depth: int) -> None:
        limits_given = node.args[1:]
        shape = f"{head}(term, (k, first, last))"
        if not limits_given:
            raise self.bad(node, f"write {shape}")
        inner: set[str] = set()
        for limit in limits_given:
            match limit:
                case ast.Compare(left=ast.Name(id=i), comparators=[ast.Name(id=j)]):
                    raise self.bad(limit, pairs_without_ends(i, j, head))
                case ast.Compare(comparators=[ast.Name(id=i), ast.Name(id=j), _]):
                    raise self.bad(limit, pairs_without_ends(i, j, head))
            if not (isinstance(limit, ast.Tuple) and len(limit.elts) == 3):
                raise self.bad(limit, f"write {shape}")
            index = limit.elts[0]
            if not isinstance(index, ast.Name) or index.id in CONSTANTS:
                raise self.bad(index, f"the index must be a name; write {shape}")
            if index.id in inner | bound:
                raise self.bad(index, f"the index {index.id!r} is already in use; take another")
            inner.add(index.id)
        self.visit(node.args[0], bound | inner, depth)
        later = set(inner)
        for limit in limits_given:
            if isinstance(limit, ast.Tuple):
                name = limit.elts[0]
                later.discard(name.id if isinstance(name, ast.Name) else "")
                # An inner index may run to an outer one, which is written further right.
                for end in limit.elts[1:]:
                    self.visit(end, bound | frozenset(later), depth)

    def sizes(self, node: ast.expr) -> None:
        _constant(node, self)


_TOO_BIG = (
    "this number would not fit in memory; "
    f"numbers of up to about {int(MAX_BITS / log2(10)):,} digits are allowed"
)


@dataclass(frozen=True)
class _Huge:
    """A constant known by its size only: about 2**bits."""

    bits: float


def _constant(node: ast.expr, scanner: _Scanner) -> Fraction | _Huge | None:
    """The value of a constant made of numbers alone, its size if it is long, None if unknown.

    Raises InputError where a power would not fit in memory. Recursion is bounded by MAX_DEPTH.
    """
    if isinstance(node, ast.Constant) and node.value is True:
        return None  # the last condition of a Piecewise
    if isinstance(node, ast.Constant):
        return Fraction(scanner.text_of(node).replace("_", ""))
    values = [
        _constant(child, scanner)
        for child in ast.iter_child_nodes(node)
        if isinstance(child, ast.expr)
    ]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = values[0]
        return -value if isinstance(value, Fraction) else value
    if not isinstance(node, ast.BinOp):
        return None
    a, b = values
    if isinstance(node.op, ast.Pow):
        return _power(node, a, b, scanner)
    if a is None or b is None:
        return None
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _small(node.op, a, b)
    return _Huge(max(_bits(a), _bits(b)) + min(_bits(a), _bits(b)))


def _small(op: ast.operator, a: Fraction, b: Fraction) -> Fraction | None:
    operations: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
        ast.Add: lambda x, y: x + y,
        ast.Sub: lambda x, y: x - y,
        ast.Mult: lambda x, y: x * y,
        ast.Div: lambda x, y: x / y,
    }
    operation = operations.get(type(op))
    if operation is None or (isinstance(op, ast.Div) and b == 0):
        return None
    return operation(a, b)


def _bits(value: Fraction | _Huge) -> float:
    if isinstance(value, _Huge):
        return value.bits
    return float(max(value.numerator.bit_length(), value.denominator.bit_length()))


def _power(
    node: ast.BinOp,
    base: Fraction | _Huge | None,
    exponent: Fraction | _Huge | None,
    scanner: _Scanner,
) -> Fraction | _Huge | None:
    if base is None or exponent is None or base in (0, 1, -1):
        return None
    if isinstance(exponent, _Huge):
        raise scanner.bad(node, _TOO_BIG, TooLarge)
    bits = abs(_log2(base)) * float(min(abs(exponent), Fraction(2**1000)))
    if bits > MAX_BITS:
        raise scanner.bad(node, _TOO_BIG, TooLarge)
    if isinstance(base, Fraction) and exponent.denominator == 1:
        if _bits(base) * abs(exponent) <= 4096:
            return base ** int(exponent)
        if base.denominator > 1:
            return None  # of moderate size, but not to be written out: (1 - 2**-100)**(2**100)
    return _Huge(bits)


def _log2(value: Fraction | _Huge) -> float:
    if isinstance(value, _Huge):
        return value.bits
    size = abs(value)
    if Fraction(1, 2) < size < 2:
        return log1p(float(size - 1)) / log(2)
    return log2(size.numerator) - log2(size.denominator)


def _describe(node: ast.AST) -> str:
    names = {
        ast.Attribute: "attribute access (a dot between names) is",
        ast.Subscript: "indexing [] is",
        ast.List: "a list is",
        ast.Tuple: "a comma outside of a call is",
        ast.Dict: "a dictionary is",
        ast.Set: "a set is",
        ast.Lambda: "lambda is",
        ast.IfExp: "if/else is",
        ast.JoinedStr: "text in quotes is",
        ast.NamedExpr: ":= is",
        ast.Starred: "* before a name is",
    }
    return names.get(type(node), "this is")


__all__ = [
    "MAX_DEPTH",
    "MAX_LENGTH",
    "Arity",
    "Comparison",
    "Connective",
    "Formula",
    "InputError",
    "Predicate",
    "Scanned",
    "scan",
    "valid_name",
]
