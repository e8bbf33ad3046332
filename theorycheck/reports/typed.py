r"""Typed statements as LaTeX, in the form in which their author typed them: nothing is evaluated or put in order.

The tree is that of `theorycheck.check.reading`: what is typeset is what is judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from theorycheck.check.reading.choices import Choices
from theorycheck.check.reading.names import BRACKETS, Names
from theorycheck.check.reading.parser import parse
from theorycheck.check.reading.reader import bare
from theorycheck.check.reading.tokens import Lexer
from theorycheck.check.reading.tree import (
    Apply,
    Binary,
    Bracket,
    Chain,
    Group,
    Junction,
    Minus,
    Name,
    Node,
    Number,
)
from theorycheck.check.refusal import InputError
from theorycheck.claims.formula import TypedStatement
from theorycheck.reports.typeset import symbol_latex

_NAME = re.compile(r"[A-Za-z_]\w*")
_FAMILY = re.compile(r"([A-Za-z_]\w*)\[\w+\]")
_SIGNS = {"==": "=", "!=": r"\ne", "<=": r"\le", ">=": r"\ge", "<": "<", ">": ">"}
_WORDS = {"and": r"\text{ and }", "or": r"\text{ or }", "implies": r"\Rightarrow "}
_NAMED = frozenset({"log", "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "gcd"})
_FENCES = {
    "Abs": ("|", "|"),
    "abs": ("|", "|"),
    "floor": (r"\lfloor", r"\rfloor"),
    "ceiling": (r"\lceil", r"\rceil"),
    "ceil": (r"\lceil", r"\rceil"),
    "norm": (r"\|", r"\|"),
}
_CONSTANTS = {"oo": r"\infty", "pi": r"\pi", "E": "e"}
_SUM, _PRODUCT, _FACTOR, _POWER, _ATOM = range(5)
"""How tightly an expression binds: a sum less than a product, and so on."""


def lines_of(statement: TypedStatement) -> list[str]:
    """The assertions of a typed statement that `and` joins, a formula each; none where it cannot be read in
    one way."""
    try:
        text = bare(statement.says)
        lexer = Lexer(text, "statement")
        heads = [line.partition(" in ")[0] for line in (*statement.over, *statement.let)]
        families = frozenset(name for head in heads for name in _FAMILY.findall(head))
        declared = frozenset(name for head in heads for name in _NAME.findall(head))
        names = Names(declared - families, families=families)
        node, _ = parse(text, "statement", lexer.cut(), names, lexer.latex, Choices())
    except (InputError, RecursionError):
        return []
    parts = node.parts if isinstance(node, Junction) and node.kind == "and" else (node,)
    return [_written(part)[0] for part in parts]


def _written(node: Node, inline: bool = False) -> tuple[str, int]:
    """LaTeX and how tightly it binds; ``inline``: fractions with a slash, as in an exponent."""
    match node:
        case Number(text):
            return text, _ATOM
        case Name(text):
            return _CONSTANTS.get(text) or symbol_latex(text), _ATOM
        case Minus(part):
            return f"-{_within(part, _PRODUCT, inline)}", _SUM
        case Binary():
            return _operation(node, inline)
        case Chain(parts=parts, ops=ops):
            words = [_written(parts[0], inline)[0]]
            for op, part in zip(ops, parts[1:], strict=True):
                words += [_SIGNS.get(op, rf"\mathrel{{{op}}}"), _written(part, inline)[0]]
            return " ".join(words), _SUM
        case Junction(kind="not", parts=(part,)):
            return rf"\text{{not }}({_written(part, inline)[0]})", _SUM
        case Junction(kind=kind, parts=parts):
            return _WORDS[kind].join(_written(p, inline)[0] for p in parts), _SUM
        case Bracket(head=head, body=body) if head in BRACKETS:
            return rf"\operatorname{{{head}}}[{_written(body, inline)[0]}]", _ATOM
        case Bracket(head=head, body=body):  # a member of a family
            base = symbol_latex(head)
            base = f"{{{base}}}" if "_" in base else base
            return f"{base}_{{{_written(body, True)[0]}}}", _ATOM
        case Group(parts):
            return f"({_listed(parts)})", _ATOM
        case Apply(name=name, args=args):
            return _applied(name, args, inline)
    raise AssertionError(node)


def _within(node: Node, level: int, inline: bool) -> str:
    """In brackets where it binds less tightly than what stands around it."""
    text, own = _written(node, inline)
    return text if own >= level else _bracketed(text)


def _bracketed(text: str) -> str:
    """Brackets, that grow where what they hold is tall."""
    tall = any(command in text for command in (r"\frac", r"\sqrt", r"\binom", r"\begin"))
    return rf"\left({text}\right)" if tall else f"({text})"


def _operation(node: Binary, inline: bool) -> tuple[str, int]:
    op, left, right = node.op, node.left, node.right
    if op in ("+", "-"):
        level = _SUM if op == "+" and not isinstance(right, Minus) else _PRODUCT
        return f"{_written(left, inline)[0]} {op} {_within(right, level, inline)}", _SUM
    if op == "**":
        base = _within(left, _ATOM, inline)
        base = f"({base})" if base.endswith("^{*}") else base  # a starred name has its exponent
        return f"{base}^{{{_written(right, True)[0]}}}", _POWER
    if op == "/" and isinstance(left, Minus):  # the sign before the fraction
        return f"-{_operation(Binary('/', left.part, right), inline)[0]}", _SUM
    if op == "/" and not inline:
        return rf"\frac{{{_written(left)[0]}}}{{{_written(right)[0]}}}", _POWER
    if op == "/":
        return f"{_within(left, _PRODUCT, True)}/{_within(right, _POWER, True)}", _PRODUCT
    if op == "*":
        before, behind = _within(left, _PRODUCT, inline), _within(right, _FACTOR, inline)
        return f"{before}{_times(before, behind)}{behind}", _PRODUCT
    sign = r"\bmod" if op == "%" else r"\mathbin{//}"
    return f"{_within(left, _PRODUCT, inline)} {sign} {_within(right, _FACTOR, inline)}", _PRODUCT


def _applied(name: str, args: Sequence[Node], inline: bool) -> tuple[str, int]:
    first = _written(args[0], inline)[0] if args else ""
    if name == "sqrt":
        return rf"\sqrt{{{first}}}", _ATOM
    if name == "exp":
        return f"e^{{{_written(args[0], True)[0]}}}", _POWER
    if name == "factorial":
        return f"{_within(args[0], _ATOM, inline)}!", _POWER
    if name == "binomial":
        return rf"\binom{{{first}}}{{{_written(args[1], inline)[0]}}}", _ATOM
    if name in _FENCES:
        before, behind = _FENCES[name]
        return rf"\left{before} {first} \right{behind}", _ATOM
    if name in ("Sum", "Product") and len(args) == 2 and isinstance(args[1], Group):
        variable, low, high = (_written(p, True)[0] for p in args[1].parts)
        sign = r"\sum" if name == "Sum" else r"\prod"
        return f"{sign}_{{{variable}={low}}}^{{{high}}} {_within(args[0], _PRODUCT, inline)}", _SUM
    if name == "Piecewise":
        return _pieces(args), _ATOM
    shown = {"Max": r"\max", "Min": r"\min", "ln": r"\ln"}.get(name, "")
    head = shown or (rf"\{name}" if name in _NAMED else rf"\operatorname{{{_plain(name)}}}")
    inside = _listed(args, inline)
    return f"{head}{_bracketed(inside)}", _POWER


def _times(before: str, behind: str) -> str:
    """What stands between two factors: a point before a number, a space beside what has several letters."""
    if behind[0].isdigit() or behind.startswith(r"\frac{"):
        return r" \cdot "
    names = (r"\mathrm", r"\operatorname", r"\sqrt", *(rf"\{name}" for name in _NAMED))
    return r" \, " if behind.startswith(names) or before.endswith(("}", "!")) else " "


def _pieces(args: Sequence[Node]) -> str:
    """A function by cases; the condition that always holds is *otherwise*."""
    rows = []
    for piece in args:
        assert isinstance(piece, Group)
        value, condition = piece.parts
        always = isinstance(condition, Name) and condition.text == "True"
        when = r"\text{otherwise}" if always else _written(condition, True)[0]
        rows.append(f"{_written(value, True)[0]} & {when}")
    joined = r" \\ ".join(rows)
    return rf"\begin{{cases}} {joined} \end{{cases}}"


def _listed(parts: Sequence[Node], inline: bool = True) -> str:
    return ", ".join(_written(p, inline)[0] for p in parts)


def _plain(name: str) -> str:
    return name.replace("_", " ")
