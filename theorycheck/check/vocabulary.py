"""The words of the grammar: constants, functions, predicates, and hints for near misses.

Importing this module does not import SymPy; builders receive the module as their first argument.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from theorycheck.check.field_words import WORDS as _FIELD_WORDS

COMPARED_BY: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
COMPARISONS = tuple(COMPARED_BY.values())


@dataclass(frozen=True)
class Arity:
    """How many arguments a function takes."""

    low: int
    high: int

    def text(self) -> str:
        if self.low == self.high:
            return f"{self.low} argument{'s' if self.low != 1 else ''}"
        return f"{self.low} to {self.high} arguments"


@dataclass(frozen=True)
class Word:
    """A function of the grammar: its arity, and ``build(sympy, args) -> expression``."""

    arity: Arity
    build: Callable[[Any, list[Any]], Any]


_MANY = 20


def _named(name: str, low: int = 1, high: int | None = None) -> Word:
    """A function of SymPy under its own name, left unevaluated."""

    def build(sp: Any, args: list[Any]) -> Any:
        return getattr(sp, name)(*args, evaluate=False)

    return Word(Arity(low, low if high is None else high), build)


def _opaque(name: str, low: int, high: int | None = None) -> Word:
    """A function that SymPy has as a plain Python function: kept as an uninterpreted head."""

    def build(sp: Any, args: list[Any]) -> Any:
        return sp.Function(name)(*args)

    return Word(Arity(low, low if high is None else high), build)


def _power(exponent: tuple[int, int]) -> Word:
    def build(sp: Any, args: list[Any]) -> Any:
        return sp.Pow(args[0], sp.Rational(*exponent), evaluate=False)

    return Word(Arity(1, 1), build)


def _root(sp: Any, args: list[Any]) -> Any:
    return sp.Pow(args[0], sp.Pow(args[1], -1, evaluate=False), evaluate=False)


def _log(sp: Any, args: list[Any]) -> Any:
    top = sp.log(args[0], evaluate=False)
    if len(args) == 1:
        return top
    return sp.Mul(top, sp.Pow(sp.log(args[1], evaluate=False), -1, evaluate=False), evaluate=False)


def _extremum(name: str) -> Word:
    def build(sp: Any, args: list[Any]) -> Any:
        return getattr(sp, name)(*args, evaluate=False)

    return Word(Arity(1, _MANY), build)


FUNCTIONS: Mapping[str, Word] = {
    "sqrt": _power((1, 2)),
    "cbrt": _power((1, 3)),
    "root": Word(Arity(2, 2), _root),
    "log": Word(Arity(1, 2), _log),
    "ln": Word(Arity(1, 1), _log),
    **{
        name: _named(name)
        for name in [
            "exp",
            "sin",
            "cos",
            "tan",
            "cot",
            "sec",
            "csc",
            "asin",
            "acos",
            "atan",
            "sinh",
            "cosh",
            "tanh",
            "coth",
            "asinh",
            "acosh",
            "atanh",
            "erf",
            "erfc",
            "erfi",
            "erfinv",
            "gamma",
            "loggamma",
            "digamma",
            "factorial",
            "factorial2",
            "subfactorial",
            "fibonacci",
            "lucas",
            "catalan",
            "bernoulli",
            "bell",
            "floor",
            "ceiling",
            "frac",
            "sign",
            "Abs",
            "sech",
            "csch",
            "acot",
            "erfcinv",
            "sinc",
            "Ei",
            "li",
            "Si",
            "Ci",
            "partition",
        ]
    },
    # zeta(s, a) is Hurwitz's.
    "zeta": _named("zeta", 1, 2),
    "LambertW": _named("LambertW", 1, 2),
    **{
        name: _named(name, 2)
        for name in [
            *("polygamma", "lowergamma", "uppergamma", "expint", "polylog", "atan2"),
            *("RisingFactorial", "FallingFactorial", "besselj", "bessely", "besseli", "besselk"),
        ]
    },
    "trigamma": Word(
        Arity(1, 1), lambda sp, args: sp.polygamma(sp.Integer(1), args[0], evaluate=False)
    ),
    **{name: Word(Arity(n, n), build) for name, (n, build) in _FIELD_WORDS.items()},
    "abs": _named("Abs"),
    "ceil": _named("ceiling"),
    "sgn": _named("sign"),
    "arcsin": _named("asin"),
    "arccos": _named("acos"),
    "arctan": _named("atan"),
    "max": _extremum("Max"),
    "min": _extremum("Min"),
    "harmonic": _named("harmonic", 1, 2),
    "binomial": _named("binomial", 2),
    "beta": _named("beta", 2),
    "Mod": _named("Mod", 2),
    "Min": _extremum("Min"),
    "Max": _extremum("Max"),
    "gcd": _opaque("gcd", 2, _MANY),
    "lcm": _opaque("lcm", 2, _MANY),
    "totient": _opaque("totient", 1),
    "divisor_sigma": _opaque("divisor_sigma", 1, 2),
    "divisor_count": _opaque("divisor_count", 1),
    "mobius": _opaque("mobius", 1),
    "primepi": _opaque("primepi", 1),
    "prime": _opaque("prime", 1),
    "primorial": _opaque("primorial", 1),
    "primeomega": _opaque("primeomega", 1),
    "primenu": _opaque("primenu", 1),
}

CONSTANTS: Mapping[str, Callable[[Any], Any]] = {
    "pi": lambda sp: sp.pi,
    "E": lambda sp: sp.E,
    "EulerGamma": lambda sp: sp.EulerGamma,
    "GoldenRatio": lambda sp: sp.GoldenRatio,
    "Catalan": lambda sp: sp.Catalan,
    "oo": lambda sp: sp.oo,
}

ASYMPTOTIC = ("asymptotic", "big_o", "big_omega", "big_theta", "little_o")
"""Statements about growth: f/g tends to 1, is bounded, is bounded from below, both, tends to 0."""

PREDICATES: Mapping[str, Word] = {
    **{
        name: _opaque(name, low) for name, low in (("isprime", 1), ("is_square", 1), ("divides", 2))
    },
    **{name: _opaque(name, 2) for name in ASYMPTOTIC},
}

BRACKETS = ("E", "P", "Var", "Cov")
"""Heads that stand before square brackets: E[x], P[x > 0], Var[x], Cov[x, y]."""

HINTS: Mapping[str, str] = {
    "^": "a power is written **, not ^",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "·": "write *",
    "×": "write *",
    "÷": "write /",
    "−": "write -",
    "π": "write pi",
    "∞": "write oo",
    "√": "write sqrt(...)",
    "∑": "write Sum(term, (k, first, last))",
    "∏": "write Product(term, (k, first, last))",
    "²": "write **2",
    "³": "write **3",
    "&": "conjunction is written and",
    "|": "absolute value is written Abs(x), disjunction or",
    "$": "write plain infix arithmetic, without TeX",
    "\\": "write plain infix arithmetic, without TeX",
    ";": "one statement at a time",
    "@": "not allowed; products are written *",
    "#": "comments are not allowed",
    '"': "text in quotes is not allowed",
    "'": "text in quotes is not allowed",
    "`": "not allowed",
    "?": "not allowed",
}
