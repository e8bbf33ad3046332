"""From the text of a statement to exact objects, without ever evaluating text.

`scan` parses one expression or statement with the standard library's parser behind limits on
length, nesting and the size of numbers, and checks every node against a whitelist; `build_formula`
and `build_expression` then make SymPy objects. Nothing is simplified on the way: ``(n - 7)/(n - 7)``
keeps its hole at 7. The grammar is in ``docs/statement-grammar.md``.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import log, log1p, log2
from typing import TYPE_CHECKING, Any, Protocol

from theorycheck.check.formula import Comparison, Connective, Formula, Predicate
from theorycheck.check.reading.names import VECTOR_FUNCTIONS
from theorycheck.check.refusal import InputError, NotParsed, TooLarge, nearest
from theorycheck.check.refusal import at as _error
from theorycheck.check.vocabulary import (
    BRACKETS,
    COMPARISONS,
    CONSTANTS,
    FUNCTIONS,
    HINTS,
    PREDICATES,
    Arity,
)

if TYPE_CHECKING:
    import sympy as sp

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
    """A checked syntax tree: whitelisted nodes, small numbers, known functions."""

    source: str
    what: str
    tree: ast.expr
    names: frozenset[str]
    places: Mapping[str, int] = field(default_factory=dict)

    def refuse(self, node: ast.AST, message: str) -> InputError:
        return _error(self.source, self.what, getattr(node, "col_offset", 0), message)


class Random(Protocol):
    """The names with a law, and what stands for an expectation over them."""

    @property
    def symbols(self) -> Mapping[str, Any]:
        """Their symbols by name."""

    def bracket(self, head: str, bodies: Sequence[Any]) -> Any:
        """``head[body]`` as an expression; the body of P is a formula. Raises ValueError."""

    def integral(self, body: Any, limit: tuple[Any, Any, Any]) -> Any:
        """The integral over (variable, low, high), in closed form where that is known. Raises
        ValueError."""


def valid_name(name: str) -> bool:
    """Whether ``name`` may be given a domain: also pi or gamma, which it then stands for."""
    return bool(_NAME.match(name)) and name != "oo" and not _is_keyword(name)


def _is_keyword(name: str) -> bool:
    import keyword

    return keyword.iskeyword(name)


def scan(text: str, what: str = "statement") -> Scanned:
    """Check ``text`` and return its syntax tree; ``what`` names the text in errors.

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
    scanner = _Scanner(source, what)
    scanner.visit(tree)
    scanner.sizes(tree)
    return Scanned(source, what, tree, frozenset(scanner.names), scanner.names)


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
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def allowed_functions() -> str:
    """The names of all functions and predicates, for a message."""
    return ", ".join(sorted([*FUNCTIONS, *PREDICATES]))


class _Scanner:
    """One walk over the tree: whitelist, arity, bound names, node count, depth."""

    def __init__(self, source: str, what: str) -> None:
        self.source, self.what = source, what
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
                if any(type(comparison) not in _COMPARE for comparison in ops):
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


def build_formula(
    scanned: Scanned, symbols: Mapping[str, sp.Symbol], random: Random | None = None
) -> Formula:
    """The statement as a formula over SymPy expressions.

    Raises:
        InputError: for a name without a domain, or where a number stands for a truth value.
    """
    _check_names(scanned, {**symbols, **(random.symbols if random else {})})
    return _Builder(scanned, symbols, random).formula(scanned.tree)


def build_expression(
    scanned: Scanned, symbols: Mapping[str, sp.Symbol], random: Random | None = None
) -> sp.Expr:
    """A number as a SymPy expression. Raises InputError as `build_formula` does."""
    _check_names(scanned, symbols)
    return _Builder(scanned, symbols, random).number(scanned.tree, {})


def check_statement(scanned: Scanned, declared: Iterable[str]) -> None:
    """What can be said without building anything: it is a statement, and every name has a domain.

    Raises:
        InputError: one line that points at the place.
    """
    _check_names(scanned, dict.fromkeys(declared))
    _check_formula(scanned, scanned.tree)


def _check_formula(scanned: Scanned, node: ast.expr) -> None:
    match node:
        case ast.Compare():
            return
        case ast.BoolOp(values=parts):
            for part in parts:
                _check_formula(scanned, part)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            _check_formula(scanned, operand)
        case ast.Call(func=ast.Name(id="implies"), args=parts):
            for part in parts:
                _check_formula(scanned, part)
        case ast.Call(func=ast.Name(id=name)) if name in PREDICATES:
            return
        case _:
            raise _no_statement(scanned, node)


def _no_statement(scanned: Scanned, node: ast.AST) -> InputError:
    comparisons = " ".join(COMPARISONS)
    return scanned.refuse(node, f"a number, not a statement; compare it with one of {comparisons}")


_INTRODUCING = (
    "where",
    "when",
    "whenever",
    "given",
    "provided",
    "assuming",
    "such",
    "that",
    "with",
)
"""Words that introduce a hypothesis in prose."""


def _check_names(scanned: Scanned, symbols: Mapping[str, Any]) -> None:
    for name, column in scanned.places.items():
        if name in symbols:
            continue
        if name in FUNCTIONS or name in PREDICATES:
            message = f"{name} is a function; call it, as in {name}(x), or give it a domain"
        elif name in _INTRODUCING:
            message = f"{name} is not read here; give a hypothesis with --where, or as H implies S"
        else:
            like = (
                "0..60" if name[0] in "ijklmnpqKMNT" else "R"
            )  # what the letter is mostly used for
            message = f'{name} has no domain{nearest(name, symbols)}; say --for "{name} in {like}"'
            if symbols:
                message += f" (known: {', '.join(symbols)})"
        raise _error(scanned.source, scanned.what, column, message)


class _Builder:
    """Makes SymPy objects without automatic evaluation, so that holes and orders stay."""

    def __init__(
        self, scanned: Scanned, symbols: Mapping[str, sp.Symbol], random: Random | None = None
    ) -> None:
        import sympy

        self.sp = sympy
        self.scanned, self.symbols, self.random = scanned, symbols, random
        self.inside = False  # of E[...] or P[...]

    def formula(self, node: ast.expr) -> Formula:
        match node:
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [self.number(part, {}) for part in (left, *comparators)]
                parts = tuple(
                    Comparison(_COMPARE[type(op)], sides[i], sides[i + 1])
                    for i, op in enumerate(ops)
                )
                return parts[0] if len(parts) == 1 else Connective("and", parts)
            case ast.BoolOp(op=op, values=values):
                kind = "and" if isinstance(op, ast.And) else "or"
                return Connective(kind, tuple(self.formula(v) for v in values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Connective("not", (self.formula(operand),))
            case ast.Call(func=ast.Name(id="implies"), args=[first, then]):
                premise = Connective("not", (self.formula(first),))
                return Connective("or", (premise, self.formula(then)))
            case ast.Call(func=ast.Name(id=name), args=args) if name in PREDICATES:
                return Predicate(name, tuple(self.number(a, {}) for a in args))
        raise _no_statement(self.scanned, node)

    def number(self, node: ast.expr, bound: Mapping[str, Any]) -> Any:
        sp = self.sp
        match node:
            case ast.Constant():
                text = self.scanned.source[node.col_offset : node.end_col_offset]
                value = Fraction(text.replace("_", ""))
                return sp.Rational(value.numerator, value.denominator)
            case ast.Name(id=name):
                if name in bound:
                    return bound[name]
                if name in self.symbols:
                    return self.symbols[name]  # a declared name wins over a constant
                if name in CONSTANTS:
                    return CONSTANTS[name](sp)
                return self.random_name(node, name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.number(operand, bound)
                return -inner if inner.is_Number else sp.Mul(-1, inner, evaluate=False)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.number(operand, bound)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(type(op), self.number(left, bound), self.number(right, bound))
            case ast.Call(func=ast.Name(id=name), args=args):
                if name in ("Sum", "Product", "Integral"):
                    return self.big_operator(name, args, bound)
                if name == "Piecewise":
                    return self.piecewise(args, bound)
                if name in FUNCTIONS:
                    return FUNCTIONS[name].build(sp, [self.number(a, bound) for a in args])
                if name in PREDICATES:
                    raise self.scanned.refuse(
                        node, f"{name}(...) is true or false, not a number; it stands by itself"
                    )
            case ast.Subscript(value=ast.Name(id=head), slice=inside):
                return self.bracket(node, head, inside)
        raise self.scanned.refuse(node, "a truth value stands where a number is expected")

    def random_name(self, node: ast.AST, name: str) -> Any:
        if self.random is None or not self.inside:
            raise self.scanned.refuse(node, f"{name} is random; it stands inside E[...] or P[...]")
        return self.random.symbols[name]

    def bracket(self, node: ast.AST, head: str, inside: ast.expr) -> Any:
        if self.random is None or not self.random.symbols or self.inside:
            hint = (
                "E[...] in E[...] is not read"
                if self.inside
                else ('what is random has a law, as in --with "g ~ N(0, 1)"')
            )
            raise self.scanned.refuse(node, hint)
        self.inside = True
        parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
        bodies = [self.formula(p) if head == "P" else self.number(p, {}) for p in parts]
        self.inside = False
        try:
            return self.random.bracket(head, bodies)
        except ValueError as problem:
            raise self.scanned.refuse(node, str(problem)) from None

    def piecewise(self, pieces: list[ast.expr], bound: Mapping[str, Any]) -> Any:
        sp = self.sp
        found = []
        for piece in pieces:
            value, condition = piece.elts if isinstance(piece, ast.Tuple) else (piece, piece)
            always = isinstance(condition, ast.Constant)
            truth = sp.true if always else self.condition(self.formula(condition))
            found.append((self.number(value, bound), truth))
        return sp.Piecewise(*found, evaluate=False)

    def condition(self, formula: Formula) -> Any:
        """The formula as SymPy's Boolean, unevaluated."""
        sp = self.sp
        if isinstance(formula, Comparison):
            kinds = {"==": sp.Eq, "!=": sp.Ne, "<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}
            return kinds[formula.op](formula.lhs, formula.rhs, evaluate=False)
        if isinstance(formula, Connective):
            heads = {"and": sp.And, "or": sp.Or, "not": sp.Not}
            parts = [self.condition(p) for p in formula.parts]
            return heads[formula.kind](*parts, evaluate=False)
        raise self.scanned.refuse(self.scanned.tree, "conditions of Piecewise are comparisons")

    def binary(self, op: type[ast.operator], a: Any, b: Any) -> Any:
        sp = self.sp
        if op is ast.Pow:
            return self.power(a, b)
        if a.is_Rational and b.is_Rational and not (op is ast.Div and b == 0):
            folded = {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b}.get(op)
            if op is ast.Div:
                folded = a / b
            if folded is not None:
                return folded
        if op is ast.Add:
            return sp.Add(a, b, evaluate=False)
        if op is ast.Sub:
            return sp.Add(a, -b if b.is_Number else sp.Mul(-1, b, evaluate=False), evaluate=False)
        if op is ast.Mult:
            return sp.Mul(a, b, evaluate=False)
        if op is ast.Div:
            return sp.Mul(a, self.reciprocal(b), evaluate=False)
        if op is ast.FloorDiv:
            quotient = sp.Mul(a, self.reciprocal(b), evaluate=False)
            return FUNCTIONS["floor"].build(sp, [quotient])
        return FUNCTIONS["Mod"].build(sp, [a, b])

    def reciprocal(self, b: Any) -> Any:
        if b.is_Rational and b != 0:
            return 1 / b
        return self.sp.Pow(b, -1, evaluate=False)

    def power(self, a: Any, b: Any) -> Any:
        small = (
            a.is_Rational
            and b.is_Integer
            and not (a == 0 and b <= 0)
            and abs(int(b)) * max(int(a.p).bit_length(), int(a.q).bit_length()) <= 4096
        )
        return a**b if small else self.sp.Pow(a, b, evaluate=False)

    def big_operator(self, name: str, args: list[ast.expr], bound: Mapping[str, Any]) -> Any:
        facts = {"real": True} if name == "Integral" else {"integer": True}
        indices = {
            limit.elts[0].id: self.sp.Symbol(limit.elts[0].id, **facts)
            for limit in args[1:]
            if isinstance(limit, ast.Tuple) and isinstance(limit.elts[0], ast.Name)
        }
        for index, limit in zip(indices, args[1:], strict=True):
            if index in self.symbols:
                raise self.scanned.refuse(
                    limit, f"the index {index!r} also has a domain; rename it"
                )
        inside = {**bound, **indices}
        limits = []
        for index, limit in zip(indices, args[1:], strict=True):
            ends = limit.elts[1:] if isinstance(limit, ast.Tuple) else []
            limits.append((indices[index], *(self.number(e, inside) for e in ends)))
        body = self.number(args[0], inside)
        if name == "Integral" and self.random is not None:
            try:
                for variable, low, high in limits:
                    body = self.random.integral(body, (variable, low, high))
            except ValueError as problem:
                raise self.scanned.refuse(args[0], str(problem)) from None
            return body
        return getattr(self.sp, name)(body, *limits)


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
    "build_expression",
    "build_formula",
    "scan",
    "valid_name",
]
