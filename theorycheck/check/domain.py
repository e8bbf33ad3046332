"""Domains in text: ``n in 0..60``, ``x in (0, 1]``, ``p in primes(2..100)``, ``t in {1/2, 2}``.

Ends are expressions that may use the names declared before, and ``oo``. A point is an ordered
mapping from names to exact values: integers, fractions, or SymPy constants such as ``pi/2``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from theorycheck.check.building import build_expression
from theorycheck.check.reading.domains import FORMS, ReadFamily, read_domains
from theorycheck.check.reading.long import Peaks
from theorycheck.check.reading.names import Names
from theorycheck.check.reading.vectors import Arrays
from theorycheck.check.reading.words import Traces
from theorycheck.check.text import InputError, valid_name
from theorycheck.check.typed import understand

if TYPE_CHECKING:
    import sympy as sp

Value = Any
"""An exact value: int, Fraction, or a SymPy expression without symbols (``pi/2``)."""

Point = Mapping[str, Value]

MAX_VARIABLES = 8


@dataclass(frozen=True)
class Variable:
    """One name and what it ranges over.

    ``kind`` is ``integer``, ``prime``, ``real`` or ``set``. ``low`` and ``high`` are SymPy
    expressions in the earlier names, possibly infinite; ``values`` lists the members of a set.
    """

    name: str
    symbol: sp.Symbol
    kind: str
    text: str
    low: Any = None
    high: Any = None
    low_open: bool = False
    high_open: bool = False
    values: tuple[sp.Expr, ...] = ()

    @property
    def discrete(self) -> bool:
        return self.kind != "real"


@dataclass(frozen=True)
class Family:
    """``f[j]`` for every integer j from ``low`` to ``high``, expressions in the declared names.

    ``member`` is the range of each, ``head`` the function of the index that stands for it in formulas.
    """

    member: Variable
    head: Any
    low: Any
    high: Any

    @property
    def name(self) -> str:
        return self.member.name

    def text(self) -> str:
        """As it may be typed."""
        return f"{self.name}[j] in {self.member.text} for j in {self.low}..{self.high}"


@dataclass(frozen=True)
class Domains:
    """The declared names in order.

    ``where`` holds hypotheses that the phrases made (``n odd``), ``arrays`` the coordinates of short
    vectors and matrices, ``notes`` what was not literal, ``families`` names with an index, ``f[j]``.
    """

    variables: tuple[Variable, ...]
    where: tuple[str, ...] = ()
    arrays: Arrays = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    families: tuple[Family, ...] = ()
    peaks: Peaks = field(default_factory=Peaks, compare=False)
    traces: Traces = field(default_factory=Traces, compare=False)

    @property
    def symbols(self) -> dict[str, sp.Symbol]:
        return {v.name: v.symbol for v in self.variables}

    def __getitem__(self, name: str) -> Variable:
        return next(v for v in self.variables if v.name == name)

    def text(self) -> str:
        names = ", ".join(f"{v.name} in {v.text}" for v in self.variables)
        return "; ".join([*([names] if names else []), *(f.text() for f in self.families)])

    def unbounded(self) -> Variable:
        """The one name that goes to oo.

        Raises:
            InputError: where no name does, or more than one.
        """
        found = [v for v in self.variables if v.high is not None and v.high.is_infinite]
        if len(found) == 1:
            return found[0]
        names = ", ".join(v.name for v in found) or "none does"
        raise InputError(
            f"exactly one name goes to oo in a statement about growth; here {names}; "
            + (
                'give the others ends, as in --for "d in 1..20"'
                if found
                else 'as in --for "n in N"'
            )
        )


def alphabetical(variables: Sequence[Variable]) -> tuple[Variable, ...]:
    """The names by the alphabet, as far as each may come after those that its range depends on."""
    ordered: list[Variable] = []
    left = sorted(variables, key=lambda v: v.name)
    while left:
        waiting = {v.symbol for v in left}
        free = (v for v in left if not waiting & _symbols_of_range(v))
        chosen = next(free, left[0])
        ordered.append(chosen)
        left.remove(chosen)
    return tuple(ordered)


def _symbols_of_range(v: Variable) -> set[Any]:
    return {s for end in (v.low, v.high) if end is not None for s in end.free_symbols}


def parse_domains(texts: Sequence[str], most: int = MAX_VARIABLES) -> Domains:
    """Read ``--for`` options in order, with at most so many names.

    Raises:
        InputError: for what is not a domain, a name declared twice, or unknown names in ends.
    """
    phrases = read_domains(texts)
    variables: list[Variable] = []
    for text in phrases.declarations:
        variables.extend(_declaration(text, variables))
    for name in phrases.arrays:
        if any(v.name == name for v in variables):
            raise InputError(f"--for {name}: {name!r} already has a domain")
    if len(variables) > most:
        raise InputError(f"--for: at most {most} names, got {len(variables)}")
    families = tuple(_family(read, variables) for read in phrases.families)
    where, arrays = tuple(phrases.where), phrases.arrays
    notes, known = tuple(phrases.notes), (phrases.peaks, phrases.traces)
    return Domains(tuple(variables), where, arrays, notes, families, *known)


def _family(read: ReadFamily, variables: Sequence[Variable]) -> Family:
    import sympy

    known = {v.name: v.symbol for v in variables}
    what = f"--for {read.name}[j]"
    if not valid_name(read.name) or read.name in known:
        raise InputError(f"{what}: take another name for the family")
    low, high = (_end(e, known, what) for e in (read.low, read.high))
    if not (low.is_integer and (high.is_integer or high == sympy.oo)):
        raise InputError(f"{what}: the index runs from {low} to {high}, which are no integers")
    member = _variable(read.name, read.spec, known)
    if member.kind not in ("real", "integer"):
        raise InputError(f"{what}: members are real numbers or integers of a range")
    head = sympy.Function(read.name, **member.symbol.assumptions0)
    return Family(member, head, low, high)


def _declaration(text: str, earlier: Sequence[Variable]) -> Iterator[Variable]:
    names, _, spec = text.partition(" in ")
    known = {v.name: v.symbol for v in earlier}
    for raw in names.split(","):
        name = raw.strip()
        if not valid_name(name):
            raise InputError(
                f"--for {text[:60]!r}: {name!r} cannot be a name; take letters and digits, "
                "but not oo or a word of Python"
            )
        if name in known:
            raise InputError(f"--for {text[:60]!r}: {name!r} already has a domain")
        # Names declared together must not depend on each other.
        variable = _variable(name, spec.strip(), known)
        known = {**known, name: variable.symbol}
        yield variable


def _variable(name: str, spec: str, known: Mapping[str, sp.Symbol]) -> Variable:
    import sympy

    what = f"--for {name}"
    if spec.startswith("{") and spec.endswith("}"):
        items = [_end(part, known, what) for part in _split(spec[1:-1])]
        if not items:
            raise InputError(f"{what}: the set {{}} is empty; write for instance {{1, 2, 5}}")
        if any(item.is_infinite or item.free_symbols for item in items):
            raise InputError(f"{what}: a set holds finite numbers, got {spec[:60]}")
        integers = all(item.is_Integer for item in items)
        symbol = sympy.Symbol(name, integer=True) if integers else sympy.Symbol(name, real=True)
        return Variable(name, symbol, "set", spec, values=tuple(dict.fromkeys(items)))
    prime = re.fullmatch(r"primes\s*\((.*)\)", spec, re.DOTALL)
    inner = prime[1] if prime else spec
    if ".." in inner:
        ends = inner.split("..")
        if len(ends) != 2:
            raise InputError(f"{what}: {inner[:60]!r} needs one '..', as in 0..60")
        low, high = (_end(e, known, what) for e in ends)
        kind = "prime" if prime else "integer"
        _check_integers(low, high, what)
        return Variable(name, _symbol(name, True, low, False), kind, spec, low, high)
    if spec[:1] in "[(" and spec[-1:] in "])":
        parts = _split(spec[1:-1])
        if len(parts) == 2:
            low, high = (_end(p, known, what) for p in parts)
            low_open = spec[0] == "(" or bool(low.is_infinite)
            high_open = spec[-1] == ")" or bool(high.is_infinite)
            symbol = _symbol(name, False, low, low_open)
            return Variable(name, symbol, "real", spec, low, high, low_open, high_open)
    raise InputError(f"{what}: {spec[:60]!r} is not a domain; write {FORMS}")


def _split(text: str) -> list[str]:
    """Split at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [p.strip() for p in parts if p.strip()]


def _end(text: str, known: Mapping[str, sp.Symbol], what: str) -> sp.Expr:
    understood = understand(text, Names(frozenset(known)), what)
    expression = build_expression(understood.scanned, known)
    if not expression.free_symbols and not expression.is_number:
        raise InputError(f"{what}: {text[:60]!r} is not a number")
    return _infinite(expression)


def _infinite(expression: sp.Expr) -> sp.Expr:
    """``-oo`` arrives as an unevaluated product; everything else stays as it is."""
    import sympy

    if expression.has(sympy.oo):
        value = expression.doit()
        return value if value.is_infinite else expression
    return expression


def _check_integers(low: sp.Expr, high: sp.Expr, what: str) -> None:
    for end in (low, high):
        if not end.free_symbols and end.is_Rational and not end.is_Integer:
            raise InputError(f"{what}: {end} is not an integer; for reals write [{low}, {high}]")


def _symbol(name: str, integer: bool, low: sp.Expr, low_open: bool) -> sp.Symbol:
    import sympy

    facts: dict[str, bool] = {"integer": True} if integer else {"real": True}
    if not low.free_symbols and low.is_Rational:
        if low > 0 or (low == 0 and low_open):
            facts["positive"] = True
        elif low == 0:
            facts["nonnegative"] = True
    return sympy.Symbol(name, **facts)


def to_value(expression: sp.Expr) -> Value:
    """int or Fraction where the expression is rational, otherwise SymPy's form of it: pi/2."""
    if not expression.is_Rational and expression.args:
        from theorycheck.check.forms import evaluated

        expression = evaluated(expression)
    if expression.is_Rational:
        return int(expression) if expression.is_Integer else Fraction(expression.p, expression.q)
    return expression


def value_text(value: Value) -> str:
    """``3``, ``1/2``, ``pi/2``; powers of ten beyond 1e15 as ``1e30`` reads better, still exact."""
    if isinstance(value, int) and abs(value) >= 10**15:
        digits = str(value).rstrip("0")
        zeros = len(str(value)) - len(digits)
        if zeros >= 12 and len(digits.lstrip("-")) <= 3:
            return f"{digits}e{zeros}"
    return str(value)
