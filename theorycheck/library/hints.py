"""Hints to a reader, never part of a verdict: simulations that cost nothing.

A closed form typed a second time as a "simulation" agrees with the first whatever is true, and no check
can tell it from a computation (`theorycheck.library.independence`). What can be told is that a simulation does no
more than arithmetic on the parameters: no loop, no array, no draw, no helper of its own.
"""

from __future__ import annotations

import ast
import dis
import inspect
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim

TEXT = "plain arithmetic on the parameters: see whether it is the closed form typed again"

ELEMENTARY = frozenset(
    {"abs", "int", "float", "min", "max", "pow", "round", "Fraction", "Surd", "sqrt", "cbrt", "exp"}
    | {"log", "log1p", "expm1", "power", "square", "sin", "cos", "tan", "sinh", "cosh", "tanh"}
    | {
        "asin",
        "acos",
        "atan",
        "erf",
        "gamma",
        "lgamma",
        "factorial",
        "comb",
        "perm",
        "gcd",
        "isqrt",
    }
    | {"rational", "number", "asarray", "floor", "ceil", "cos_2pi", "sin_2pi"}
)
"""Functions of single numbers: calling them is arithmetic."""

_FOR_ITER = dis.opmap["FOR_ITER"]

_PLAIN = (
    ast.Module,
    ast.Return,
    ast.Assign,
    ast.Expr,
    ast.If,
    ast.IfExp,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.Name,
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.expr_context,
    ast.Attribute,
    ast.Call,
    ast.keyword,
)


def hints(claim: Claim) -> dict[str, str]:
    """Leg name -> hint, for the legs whose simulation costs nothing."""
    return {leg.name: TEXT for leg in claim.legs if costs_nothing(leg)}


def costs_nothing(leg: Leg) -> bool:
    """Whether the simulation is plain arithmetic. A leg with drawn data, or with a procedure on the
    other side, has something to compare; so does a source that is not at hand, as far as one sees."""
    if leg.arithmetic.proves or leg.instances or leg.statistic or leg.reference:
        return False
    return _is_arithmetic(leg.simulation, set())


def _is_arithmetic(function: Any, seen: set[str]) -> bool:
    """Whether a function, and every helper that it calls, is plain arithmetic."""
    code = getattr(function, "__code__", None)
    if code is None or _loops(code):  # most simulations end here, before their file is parsed
        return False
    tree = _definition(function)
    if tree is None:
        return False
    for node in ast.walk(tree):
        if not isinstance(node, _PLAIN):
            return False
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in ELEMENTARY or name in seen:
            continue
        helper = getattr(function, "__globals__", {}).get(name)
        if not inspect.isfunction(helper) or not _is_arithmetic(helper, {*seen, name}):
            return False
    return True


def _loops(code: CodeType) -> bool:
    """Whether there is a loop, or a function inside, which a comprehension may be."""
    return _FOR_ITER in code.co_code[::2] or any(isinstance(c, CodeType) for c in code.co_consts)


def _definition(function: Any) -> ast.AST | None:
    """Syntax tree of what a function does; None where its source is not at hand."""
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    for node in ast.walk(_tree(code.co_filename)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if node.name == code.co_name and first == code.co_firstlineno:
                return ast.Module(node.body, [])
    found = [
        node.body
        for node in ast.walk(_tree(code.co_filename))
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno
    ]
    return found[0] if code.co_name == "<lambda>" and len(found) == 1 else None


@cache
def _tree(file: str) -> ast.Module:
    try:
        return ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError):  # typed into a prompt or a notebook
        return ast.Module([], [])
