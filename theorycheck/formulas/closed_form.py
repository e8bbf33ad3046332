"""Closed forms at points: their values, certified or said to be undecided, and their texts, by which
values are cached."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from flint import arb, ctx
from sympy.core.operations import LatticeOp

from theorycheck import balls
from theorycheck.claims.functions import arguments
from theorycheck.formulas import memo
from theorycheck.numbers.domain import Exact, to_text
from theorycheck.numbers.enclosure import Enclosure, NotFinite
from theorycheck.relations.base import Expected

CERTIFIED_BITS = 256

Inputs = Mapping[str, Exact | Enclosure]
"""What a closed form is evaluated at: parameters and given data exactly, measured quantities as enclosures."""


class Form:
    """A closed form evaluated at rows; compiled once, values cached."""

    def __init__(self, expression: Any) -> None:
        self.expression = expression
        self._known: dict[Any, list[Any]] = {}
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The expression with everything that it depends on; "" for a function, which has no text."""
        if self._text is None:
            plain = isinstance(self.expression, sympy.Basic | sympy.MatrixBase | int | Fraction)
            self._text = expression_text(self.expression) if plain else ""
        return self._text

    def expected(self, values: Inputs) -> list[Expected]:
        """The closed form's components, cached between runs."""

        def make() -> list[Any]:
            return [as_expected(e).to_json() for e in self.at(values)]

        if not self.text:
            return [as_expected(e) for e in self.at(values)]
        found = memo.cached("closed form", (self.text, inputs_text(values)), make)
        return [Expected.from_json(e) for e in found]

    def at(self, values: Inputs) -> list[Any]:
        """`theorycheck.balls` evaluations, one a component."""
        key = tuple(
            (k, v if not isinstance(v, Enclosure) else (v.lo, v.hi))
            for k, v in sorted(values.items())
        )
        if key not in self._known:
            self._known[key] = self._evaluate(values)
        return self._known[key]

    def bound(self, values: Inputs) -> Any:
        """The expression with tuple parameters (spectra) and callables filled in."""
        expr = self.expression
        if callable(expr) and not isinstance(expr, sympy.Basic | sympy.MatrixBase):
            asked = arguments(expr)
            return sympy.sympify(
                expr(
                    **{
                        k: as_sympy(v)
                        for k, v in values.items()
                        if k in asked and not isinstance(v, Enclosure)
                    }
                )
            )
        if isinstance(expr, int | Fraction):
            return as_sympy(expr)
        lists = {k: v for k, v in values.items() if isinstance(v, tuple)}
        if lists:
            expr = _fill(expr, lists, {k: v for k, v in values.items() if k not in lists})
        return expr

    def _evaluate(self, values: Inputs) -> list[Any]:
        try:
            expr = self.bound(values)
        except IndexError as error:
            return [balls.Evaluated(None, None, "undefined", str(error))]
        given = ball_inputs(values)
        entries = list(expr) if isinstance(expr, sympy.MatrixBase) else [expr]
        return [
            balls.evaluate(
                e,
                {k: given[k] for k in map(str, e.free_symbols) if k in given},
                prec=CERTIFIED_BITS,
            )
            for e in entries
        ]


def expression_text(expr: Any) -> str:
    """An expression with the assumptions on its symbols; the same text in every process.

    SymPy keeps the arguments of sums, products and the like in an order that hashes decide, and
    hashes of strings differ from process to process.
    """
    if isinstance(expr, sympy.MatrixBase):
        return f"{expr.shape}[{', '.join(map(expression_text, expr))}]"
    return _basic_text(expr) if isinstance(expr, sympy.Basic) else repr(expr)


@lru_cache(maxsize=1 << 14)
def _basic_text(expr: sympy.Basic) -> str:
    if not expr.args:
        return str(sympy.srepr(expr))
    parts = [expression_text(a) for a in expr.args]
    unordered = isinstance(expr, sympy.Add | LatticeOp) or (
        isinstance(expr, sympy.Mul) and expr.is_commutative
    )
    return f"{type(expr).__name__}({', '.join(sorted(parts) if unordered else parts)})"


def inputs_text(values: Inputs) -> str:
    """What a closed form is evaluated at, as text; equal texts for equal inputs only."""
    return json.dumps(
        {
            k: v.to_json() if isinstance(v, Enclosure) else [isinstance(v, str), to_text(v)]
            for k, v in sorted(values.items())
        }
    )


def as_sympy(value: Any) -> Any:
    """A parameter's value as SymPy holds it; tuples item by item, texts as they are."""
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    if isinstance(value, tuple):
        return tuple(as_sympy(v) for v in value)
    return sympy.Integer(value) if isinstance(value, int) else value


def ball_inputs(values: Inputs) -> dict[str, int | Fraction | arb]:
    """Inputs as the evaluator takes them; measured ones as balls wide enough to lose nothing."""
    saved = ctx.prec
    try:
        ctx.prec = CERTIFIED_BITS + 64
        return {
            k: v.to_ball() if isinstance(v, Enclosure) else v
            for k, v in values.items()
            if not isinstance(v, str | tuple)
        }
    finally:
        ctx.prec = saved


def _fill(expr: Any, lists: Mapping[str, Sequence[int | Fraction]], numbers: Inputs) -> Any:
    """Fill indexed symbols such as lam[i], i = 1.., from tuples, and expand the sums over them."""
    scalars = {
        s: as_sympy(numbers[s.name])
        for s in expr.free_symbols
        if isinstance(s, sympy.Symbol) and isinstance(numbers.get(s.name), int | Fraction)
    }
    expanded = _expand_sums(expr.xreplace(scalars))
    entries = {}
    for item in expanded.atoms(sympy.Indexed):
        values, index = lists[str(item.base)], item.indices[0]
        if not (index.is_Integer and 1 <= int(index) <= len(values)):
            raise IndexError(f"{item} lies outside of the {len(values)} given values")
        entries[item] = as_sympy(values[int(index) - 1])
    return expanded.xreplace(entries)


def _put(expr: Any, index: Any, value: Any) -> Any:
    """Replace a free index; where an inner sum binds the same letter it is another one."""
    if expr == index:
        return value
    if index not in expr.free_symbols:
        return expr
    if isinstance(expr, sympy.Sum | sympy.Product) and index in expr.variables:
        limits = [(v, *(_put(end, index, value) for end in ends)) for v, *ends in expr.limits]
        return expr.func(expr.function, *limits)
    return expr.func(*(_put(a, index, value) for a in expr.args))


def _expand_sums(expr: Any) -> Any:
    """Sums and products over indexed symbols, with their bounds filled in, term by term."""
    if not expr.has(sympy.Indexed):
        return expr
    if isinstance(expr, sympy.Sum | sympy.Product):
        index, low, high = expr.limits[0]
        if len(expr.limits) > 1 or not (low.is_Integer and high.is_Integer):
            raise IndexError(f"{expr} has no integer bounds here")
        count = range(int(low), int(high) + 1)
        terms = [_expand_sums(_put(expr.function, index, sympy.Integer(v))) for v in count]
        return sympy.Add(*terms) if isinstance(expr, sympy.Sum) else sympy.Mul(*terms)
    if not expr.args or isinstance(expr, sympy.Indexed):
        return expr
    return expr.func(*(_expand_sums(a) for a in expr.args))


def as_expected(evaluated: Any) -> Expected:
    """An evaluation of `theorycheck.balls` as the expected side of a row."""
    if evaluated.exact is not None:
        return Expected("ok", Enclosure(evaluated.exact, evaluated.exact))
    if evaluated.ball is not None:
        try:
            return Expected("ok", Enclosure.from_ball(evaluated.ball))
        except NotFinite as error:  # far below or above all that is kept as an exact number
            return Expected("undecided", None, f"the closed form: {error}")
    return Expected(evaluated.status, None, evaluated.reason)
