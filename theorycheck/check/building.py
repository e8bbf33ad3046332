"""Exact objects of a checked syntax tree: formulas over SymPy expressions, without automatic evaluation, so that
holes and orders stay: ``(n - 7)/(n - 7)`` keeps its hole at 7."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from theorycheck.check.formula import Comparison, Connective, Formula, Predicate
from theorycheck.check.refusal import InputError, nearest
from theorycheck.check.refusal import at as _error
from theorycheck.check.text import Scanned
from theorycheck.check.vocabulary import COMPARED_BY, COMPARISONS, CONSTANTS, FUNCTIONS, PREDICATES

if TYPE_CHECKING:
    import sympy as sp


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


def build_formula(
    scanned: Scanned,
    symbols: Mapping[str, sp.Symbol],
    random: Random | None = None,
    members: Mapping[str, Any] | None = None,
) -> Formula:
    """The statement as a formula over SymPy expressions; ``members`` are the functions of an index
    that stand for the families.

    Raises:
        InputError: for a name without a domain, or where a number stands for a truth value.
    """
    _check_names(scanned, {**symbols, **(random.symbols if random else {})})
    return _Builder(scanned, symbols, random, members or {}).formula(scanned.tree)


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
        if name in scanned.families:
            message = f"{name} is a family; write a member of it, as in {name}[1]"
        elif name in FUNCTIONS or name in PREDICATES:
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


_NO_INDEX: Mapping[str, Any] = MappingProxyType({})


class _Builder:
    """Makes SymPy objects without automatic evaluation, so that holes and orders stay."""

    def __init__(
        self,
        scanned: Scanned,
        symbols: Mapping[str, sp.Symbol],
        random: Random | None = None,
        members: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        import sympy

        self.sp = sympy
        self.scanned, self.symbols, self.random = scanned, symbols, random
        self.members = members
        self.inside = False  # of E[...] or P[...]

    def formula(self, node: ast.expr, bound: Mapping[str, Any] = _NO_INDEX) -> Formula:
        """``bound``: the indices of sums that it stands in, as a condition."""
        match node:
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [self.number(part, bound) for part in (left, *comparators)]
                parts = tuple(
                    Comparison(COMPARED_BY[type(op)], sides[i], sides[i + 1])
                    for i, op in enumerate(ops)
                )
                return parts[0] if len(parts) == 1 else Connective("and", parts)
            case ast.BoolOp(op=op, values=values):
                kind = "and" if isinstance(op, ast.And) else "or"
                return Connective(kind, tuple(self.formula(v, bound) for v in values))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Connective("not", (self.formula(operand, bound),))
            case ast.Call(func=ast.Name(id="implies"), args=[first, then]):
                premise = Connective("not", (self.formula(first, bound),))
                return Connective("or", (premise, self.formula(then, bound)))
            case ast.Call(func=ast.Name(id=name), args=args) if name in PREDICATES:
                return Predicate(name, tuple(self.number(a, bound) for a in args))
        raise _no_statement(self.scanned, node)

    def number(self, node: ast.expr, bound: Mapping[str, Any]) -> Any:
        sp = self.sp
        match node:
            case ast.Constant():
                text = self.scanned.source[node.col_offset : node.end_col_offset]
                value = Fraction(text.replace("_", ""))
                return sp.Rational(value.numerator, value.denominator)
            case ast.Name(id=name):
                return self.named(node, name, bound)
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
                if head in self.members:
                    return self.members[head](self.index(inside, bound))
                return self.bracket(node, head, inside)
        raise self.scanned.refuse(node, "a truth value stands where a number is expected")

    def named(self, node: ast.AST, name: str, bound: Mapping[str, Any]) -> Any:
        if name in bound:
            return bound[name]
        if name in self.symbols:
            return self.symbols[name]  # a declared name wins over a constant
        if name in CONSTANTS:
            return CONSTANTS[name](self.sp)
        return self.random_name(node, name)

    def random_name(self, node: ast.AST, name: str) -> Any:
        if self.random is None or not self.inside:
            raise self.scanned.refuse(node, f"{name} is random; it stands inside E[...] or P[...]")
        return self.random.symbols[name]

    def index(self, node: ast.expr, bound: Mapping[str, Any]) -> Any:
        found = self.number(node, bound)
        if not found.is_integer:
            raise self.scanned.refuse(node, "an index is an integer")
        return found

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
            truth = sp.true if always else self.condition(self.formula(condition, bound))
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
