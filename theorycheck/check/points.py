"""Structured points: where statements break that random sampling passes by.

For each name, given the earlier ones: ends and what lies next to them at every scale, simple
rationals, zeros of factors and denominators, points where Abs, floor, Min or a derivative switch,
the other coordinates themselves, huge and tiny magnitudes, squares, primes and prime powers.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

import sympy
from flint import fmpz

from theorycheck.check import algebra
from theorycheck.check.domain import Point, Value, Variable, to_value
from theorycheck.check.judge import Judge, expressions_of, substituted
from theorycheck.check.limits import GAVE_UP, TimeUp, now, time_limit
from theorycheck.check.members import EndNotDecided, integer_bounds
from theorycheck.check.problem import Problem
from theorycheck.check.profiles import Unknown
from theorycheck.check.rare import SPECIAL_INTEGERS, integers
from theorycheck.check.text import Comparison, Connective, Formula
from theorycheck.check.tidying import tidy

# Distances from a special point: float64 loses 1 + x from 1e-16 on, float32 from 1e-8 on.
_NEAR = tuple(Fraction(1, 10**k) for k in (1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 30, 50))
_FAR = tuple(10**k for k in (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 24, 30, 50, 100, 300))


def simple_rationals(height: int) -> list[Fraction]:
    """Rationals of numerator and denominator up to ``height``, simplest first."""
    found = [
        Fraction(p, q)
        for q in range(1, height + 1)
        for p in range(-height, height + 1)
        if Fraction(p, q).denominator == q
    ]
    found.sort(key=lambda v: (v.denominator + abs(v.numerator), v < 0, abs(v)))
    return found


_FACTORING_SECONDS = 1.5
_FLOAT_BITS = 1000
_SIMPLE = simple_rationals(6)
_WAVES = (sympy.sin, sympy.cos, sympy.tan, sympy.cot, sympy.sec, sympy.csc)
_PARTS = ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4))
"""Of a range: binomial coefficients and powers of fractions are largest inside of it."""


class _Switch(NamedTuple):
    """An expression whose sign matters, and what is asked of it at every point: its names, and whether its
    zeros can be had for many values of them."""

    expression: Any
    symbols: frozenset[Any]
    plain: bool

    @classmethod
    def of(cls, expression: Any) -> _Switch:
        return cls(expression, frozenset(expression.free_symbols), _is_plain(expression))


class Points:
    """Candidate values for each name, from the statement and its domain."""

    def __init__(self, problem: Problem, judge: Judge) -> None:
        self.problem, self.judge = problem, judge
        formulas = [problem.goal, *problem.hypotheses]
        self._expressions = [e for f in formulas for e in expressions_of(f)]
        self._switches: list[_Switch] = []
        with suppress(*GAVE_UP):  # what was found before is kept
            self._switches.extend(map(_Switch.of, _switches(formulas)))
        self._equations = [
            h for h in problem.hypotheses if isinstance(h, Comparison) and h.op == "=="
        ]
        self._constants = _constants(self._expressions)
        self._rare_integers: dict[str, list[int]] = {}
        self._candidates: dict[tuple[Any, ...], list[Value]] = {}
        self._seconds = 0.0

    def special(self, variable: Variable, point: Point) -> list[Value]:
        """Zeros in ``variable`` of everything whose sign matters, the earlier coordinates put in."""
        zeros: list[Value] = []
        for expression, symbols, plain in self._switches:
            if variable.symbol not in symbols:
                continue
            others = symbols - {variable.symbol}
            if others and not plain:
                continue
            if all(s.name in point for s in others):
                started = now()
                # Factoring for every value of an earlier name would take all the time there is.
                deep = not others and self._seconds < _FACTORING_SECONDS
                zeros.extend(zeros_of(substituted(expression, point), variable.name, deep=deep))
                self._seconds += now() - started
        return _unique(zeros)

    def forced(self, variable: Variable, point: Point) -> list[Value] | None:
        """The values that an equation among the hypotheses leaves, if one does."""
        for equation in self._equations:
            names = {s.name for s in (equation.lhs - equation.rhs).free_symbols}
            if variable.name in names and names <= {*point, variable.name}:
                difference = substituted(_difference(equation), point)
                zeros = zeros_of(difference, variable.name)
                if zeros:
                    return zeros
        return None

    def candidates(self, variable: Variable, point: Point, effort: int) -> list[Value]:
        """Values of the name in its range at the point, simplest first; more with more effort.

        ``effort`` 0 gives about ten, 1 about fifty, 2 all of them.
        """
        if variable.kind == "set":
            return [to_value(v) for v in variable.values]
        # Every sweep asks the first names again, with the same effort. 1 and Integer(1) are equal, and not alike.
        key = variable.name, effort, tuple((n, v, type(v)) for n, v in point.items())
        if key not in self._candidates:
            self._candidates[key] = self._found(variable, point, effort)
        return self._candidates[key]

    def _found(self, variable: Variable, point: Point, effort: int) -> list[Value]:
        forced = self.forced(variable, point)
        if forced is not None:
            return [v for v in forced if self._inside(variable, v, point)]
        if variable.kind != "real":
            return self._integers(variable, point, effort)
        return self._reals(variable, point, effort)

    def _integers(self, variable: Variable, point: Point, effort: int) -> list[Value]:
        try:
            low, high = integer_bounds(variable, point, self.judge)
        except EndNotDecided:
            return []
        count = (6, 60, 400)[effort]
        start = low if low is not None else (high if high is not None and high < 0 else None)
        if start is None:
            near = [v for k in range(count // 2) for v in ((k, -k) if k else (0,))]
        elif low is not None:
            near = list(range(start, start + count))
        else:
            near = list(range(start, start - count, -1))
        ends = [] if high is None else [high - k for k in range((2, 10, 100)[effort])]
        special = [
            int(v) + d
            for v in self.special(variable, point)
            if isinstance(v, int | Fraction)
            for d in (0, 1, -1)
        ]
        special += [v + d for v in point.values() if isinstance(v, int) for d in (0, 1, -1)]
        if variable.kind == "prime":
            near = list(itertools.islice(_primes_from(max(start or 2, 2)), count // 2))
        middles = []
        if low is not None and high is not None and variable.kind == "integer":
            middles = [low + (high - low) * k // m for k, m in _PARTS]
        chosen = [*near[:3], *middles, *near, *ends, *special]
        if effort:
            special_integers = SPECIAL_INTEGERS if effort == 2 else SPECIAL_INTEGERS[::5]
            chosen += [v for v in special_integers if low is None or v >= low]
            if low is None:
                chosen += [-v for v in special_integers]
            if low is not None and low > 40:
                chosen += [low + v for v in special_integers]
            chosen += [v for c in self._constants for v in (c, c - 1, c + 1, c * c)]
        if effort:
            rare = self._rare(variable)
            chosen += rare if low is None or low >= 0 else [*rare, *(-v for v in rare)]
        return [
            v
            for v in dict.fromkeys(chosen)
            if (low is None or v >= low)
            and (high is None or v <= high)
            and (variable.kind != "prime" or (v > 1 and fmpz(v).is_prime()))
        ]

    def _rare(self, variable: Variable) -> list[int]:
        """Integers that number theory points to, found once for each name."""
        if variable.name not in self._rare_integers:
            formulas = [self.problem.goal, *self.problem.hypotheses]
            try:
                with time_limit(1.5):
                    found = integers(formulas, variable.symbol)
            except (TimeUp, *GAVE_UP):
                found = []
            self._rare_integers[variable.name] = found
        return self._rare_integers[variable.name]

    def _reals(self, variable: Variable, point: Point, effort: int) -> list[Value]:
        low, high = self.judge.bounds(variable, point)
        simple = _SIMPLE[: (9, 30, 60)[effort]]
        special = self.special(variable, point)
        others = [v for v in point.values() if isinstance(v, int | Fraction)]
        turns = self._turns_of_waves(variable, effort) if effort else []
        ends = [e for e in (low, high) if not _is_infinite(e)]
        chosen: list[Value] = [*ends, *special, *simple, *turns]
        rational_ends = [e for e in ends if isinstance(e, int | Fraction)]
        if len(rational_ends) == 2:
            width = Fraction(high) - Fraction(low)
            chosen += [low + width * Fraction(k, 4) for k in (2, 1, 3)]
            if effort:
                chosen += [low + width * f for f in _SIMPLE if 0 < f < 1]
        elif len(ends) == 2:  # an irrational end: rationals just inside of it come below
            chosen += _SIMPLE
        for v in others:
            chosen += [v, 1 - v, -v]
            if v != 0:
                chosen.append(1 / Fraction(v))
        anchors = _unique([*rational_ends, *special, *others, 0, *self._constants[:6]])
        near = (_NEAR[:0], _NEAR[2::3], _NEAR)[effort]
        for anchor in anchors:
            if isinstance(anchor, int | Fraction):
                size: Any = abs(anchor) if anchor else 1
                chosen += [anchor + s * Fraction(size) * d for d in near for s in (1, -1)]
            else:
                chosen += _beside(anchor, near, self.judge)
        far = (_FAR[1:2], _FAR[::3], _FAR)[effort]
        chosen += [s * v for v in far for s in (1, -1)]
        if effort == 2:
            chosen += [Fraction(1, v) for v in _FAR] + [Fraction(k, 10) for k in range(-30, 31)]
            chosen += list(range(6, 30)) + [k + Fraction(1, 2) for k in range(-8, 30)]
        return [v for v in _unique(chosen) if self._inside(variable, v, point)]

    def _turns_of_waves(self, variable: Variable, effort: int) -> list[Value]:
        """Where the argument of a sine is a multiple of pi/12, or of pi/4 and pi/6 with less effort: sums
        of powers of sines and cosines have their extremes there."""
        x = variable.symbol
        found: list[Value] = []
        for e in self._expressions:
            for wave in sorted(e.atoms(*_WAVES), key=str):
                slope = wave.args[0].diff(x)
                if wave.free_symbols != {x} or slope.free_symbols or not slope.is_Rational:
                    continue
                shift = wave.args[0].subs(x, 0)
                for k in range(-12, 25):
                    if effort == 2 or k % 3 == 0 or k % 2 == 0:
                        found.append(to_value((sympy.pi * sympy.Rational(k, 12) - shift) / slope))
        return _unique(found)

    def _inside(self, variable: Variable, value: Value, point: Point) -> bool:
        if variable.kind != "real":
            if not isinstance(value, int):
                return False
            try:
                low, high = integer_bounds(variable, point, self.judge)
            except EndNotDecided:
                return False
            fits = (low is None or value >= low) and (high is None or value <= high)
            return fits and (variable.kind != "prime" or (value > 1 and fmpz(value).is_prime()))
        low, high = self.judge.bounds(variable, point)
        for smaller, larger, is_open in (
            (low, value, variable.low_open),
            (value, high, variable.high_open),
        ):
            if _is_infinite(smaller) or _is_infinite(larger):
                continue
            order = self.judge.compare_values(smaller, larger)
            if order != "lt" and not (order == "eq" and not is_open):
                return False
        return True

    def structured(self, effort: int) -> Iterator[dict[str, Value]]:
        """Points of the product of the candidates; with more effort for one name at a time."""
        variables = self.problem.domains.variables
        if len(variables) == 1 or effort == 0:
            yield from self._product(variables, {}, [effort] * len(variables))
            return
        # Full effort on every pair of one name with rough values of the others.
        for i in range(len(variables)):
            efforts = [effort if k == i else 0 for k in range(len(variables))]
            yield from self._product(variables, {}, efforts)
        if len(variables) == 2:
            yield from self._product(variables, {}, [effort - 1] * 2)

    def _product(
        self, variables: tuple[Variable, ...], point: dict[str, Value], efforts: list[int]
    ) -> Iterator[dict[str, Value]]:
        if not variables:
            yield dict(point)
            return
        first = variables[0]
        for value in self.candidates(first, point, efforts[0]):
            point[first.name] = value
            yield from self._product(variables[1:], point, efforts[1:])
        point.pop(first.name, None)

    def completed(self, point: Point, limit: int = 50) -> Iterator[dict[str, Value]]:
        """Points that agree with a partial one; the other names take some of their values."""
        yield from itertools.islice(self._complete(0, {}, point), limit)

    def _complete(
        self, k: int, sofar: dict[str, Value], point: Point
    ) -> Iterator[dict[str, Value]]:
        variables = self.problem.domains.variables
        if k == len(variables):
            yield dict(sofar)
            return
        v = variables[k]
        known = v.name in point
        for value in [point[v.name]] if known else self.candidates(v, sofar, 0):
            if known and v.kind != "set" and not self._inside(v, value, sofar):
                continue
            yield from self._complete(k + 1, {**sofar, v.name: value}, point)

    def sampled(self, seed: int) -> Iterator[dict[str, Value]]:
        """Random points without end: uniform, and uniform in the logarithm of the size."""
        rng = random.Random(seed)
        while True:
            point: dict[str, Value] = {}
            for variable in self.problem.domains.variables:
                value = self._draw(variable, point, rng)
                if value is None:
                    break
                point[variable.name] = value
            else:
                yield point
                continue
            yield {}

    def _draw(self, variable: Variable, point: Point, rng: random.Random) -> Value | None:
        if variable.kind == "set":
            return to_value(rng.choice(variable.values))
        forced = self.forced(variable, point)
        if forced is not None:
            inside = [v for v in forced if self._inside(variable, v, point)]
            return rng.choice(inside) if inside else None
        if variable.kind == "real":
            value: Value = self._draw_real(variable, point, rng)
        else:
            value = self._draw_integer(variable, point, rng)
        return value if value is not None and self._inside(variable, value, point) else None

    def _draw_integer(self, variable: Variable, point: Point, rng: random.Random) -> int | None:
        try:
            low, high = integer_bounds(variable, point, self.judge)
        except EndNotDecided:
            return None
        if low is not None and high is not None and high < low:
            return None
        if low is not None and high is not None and rng.random() < 0.5:
            value = rng.randint(low, high)
        else:
            span = high - low if low is not None and high is not None else 2**64
            bits = rng.random() * span.bit_length()
            # Beyond the range of floats the fraction of a bit no longer matters.
            size = int(2**bits) - 1 if bits < _FLOAT_BITS else rng.getrandbits(int(bits))
            size = min(size, span)
            if low is not None:
                value = low + size
            elif high is not None:
                value = high - size
            else:
                value = rng.choice((size, -size))
        if variable.kind == "prime":
            return next(_primes_from(max(value, 2)))
        return value

    def _draw_real(self, variable: Variable, point: Point, rng: random.Random) -> Value | None:
        low, high = (_rational_bound(e, self.judge) for e in self.judge.bounds(variable, point))
        grain = 2 ** rng.choice((3, 8, 20, 40))
        fraction = Fraction(rng.randint(0, grain), grain)
        if low is not None and high is not None and rng.random() < 0.6:
            return _plain(low + (high - low) * fraction)
        size = Fraction(2) ** rng.randint(-60, 60) * (1 + fraction)
        if low is not None and high is not None:
            size = (high - low) * Fraction(1, 2 ** rng.randint(1, 60)) * (1 + fraction) / 2
            return _plain(low + size if rng.random() < 0.5 else high - size)
        if low is not None:
            return _plain(low + size)
        if high is not None:
            return _plain(high - size)
        return _plain(rng.choice((1, -1)) * size)


def _plain(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value


def _is_infinite(value: Value) -> bool:
    return bool(getattr(value, "is_infinite", False))


def _rational_bound(end: Value, judge: Judge) -> Fraction | None:
    """The end itself, or a rational within 2**-100 of an irrational one; None if infinite, or beyond memory."""
    if isinstance(end, int | Fraction):
        return Fraction(end)
    if _is_infinite(end):
        return None
    result = judge.compiled(end).evaluate({}, 128)
    if result.status != "ok" or not algebra.fits(result.ball):
        return None
    return sum(algebra.ends(result.ball), Fraction(0)) / 2


def _beside(anchor: Any, distances: Iterable[Fraction], judge: Judge) -> list[Value]:
    """Rationals at about those distances from an irrational number, both sides."""
    result = judge.compiled(anchor).evaluate({}, 256)
    if result.status != "ok" or not algebra.fits(result.ball):
        return []
    low, high = algebra.ends(result.ball)
    found: list[Value] = []
    for d in distances:
        found.append(_plain(algebra.simplest_between(high + d / 2, high + d)))
        found.append(_plain(algebra.simplest_between(low - d, low - d / 2)))
    return found


def _unique(values: Iterable[Value]) -> list[Value]:
    return list(dict.fromkeys(_plain(v) if isinstance(v, Fraction) else v for v in values))


def _primes_from(start: int) -> Iterator[int]:
    for n in itertools.count(start):
        if fmpz(n).is_prime():
            yield n


def _difference(c: Comparison) -> Any:
    return sympy.Add(c.lhs, sympy.Mul(-1, c.rhs, evaluate=False), evaluate=False)


def _switches(formulas: Iterable[Formula]) -> Iterator[Any]:
    """Expressions at whose zeros something changes: differences, denominators, arguments."""
    for formula in formulas:
        if isinstance(formula, Connective):
            yield from _switches(formula.parts)
            continue
        if isinstance(formula, Comparison):
            difference = _difference(formula)
            yield difference
            if not difference.has(sympy.Sum, sympy.Product, sympy.Abs, sympy.floor):
                for symbol in sorted(difference.free_symbols, key=str):
                    if not symbol.is_integer and difference.count_ops() < 60:
                        yield difference.diff(symbol)
        for side in expressions_of(formula):
            yield from _inner_switches(side)


def _inner_switches(expression: Any) -> Iterator[Any]:
    for node in sympy.preorder_traversal(expression):
        if node.is_Pow and (node.args[1].is_negative or not node.args[1].is_Integer):
            yield node.args[0]
        elif isinstance(node, sympy.log | sympy.Abs | sympy.sign | sympy.gamma):
            yield node.args[0]
            if isinstance(node, sympy.log):
                yield node.args[0] - 1
        elif isinstance(node, sympy.floor | sympy.ceiling | sympy.frac):
            yield from (node.args[0] - k for k in (0, 1, 2, 3, -1))
        elif isinstance(node, sympy.asin | sympy.acos | sympy.atanh):
            yield from (node.args[0] - 1, node.args[0] + 1)
        elif isinstance(node, sympy.Min | sympy.Max):
            yield from (a - b for a, b in itertools.combinations(node.args, 2))
        elif isinstance(node, sympy.Mod):
            yield from (node.args[0] - k * node.args[1] for k in (0, 1))
        elif isinstance(node, _WAVES):
            yield from (node.args[0] - sympy.pi * sympy.Rational(k, 2) for k in (0, 1, -1, 2, 3, 4))
        if isinstance(node, sympy.Function) and len(node.args) == 1:
            yield from _turns(node.args[0])


def _turns(argument: Any) -> Iterator[Any]:
    """Derivatives of an argument that is no linear function: where it turns, the whole may turn."""
    if argument.count_ops() > 30:
        return
    for symbol in sorted(argument.free_symbols, key=str):
        if not symbol.is_integer:
            slope = argument.diff(symbol)
            if symbol in slope.free_symbols:
                yield slope


def _constants(expressions: Iterable[Any]) -> list[int]:
    found: set[int] = set()
    for expression in expressions:
        for number in expression.atoms(sympy.Rational):
            found.update((abs(int(number.p)), abs(int(number.q))))
    return sorted(found)


def _is_plain(expression: Any) -> bool:
    """Whether zeros can be had for many values of the other names: a rational function."""
    return not expression.atoms(sympy.Function) and all(
        p.exp.is_Integer for p in expression.atoms(sympy.Pow)
    )


_ZEROS: dict[tuple[Any, str, bool], list[Value]] = {}


def zeros_of(expression: Any, name: str, *, deep: bool = True) -> list[Value]:
    """Exact real zeros where they are easy: rational, or quadratic irrational, or next to an
    algebraic number of higher degree; and of a*x + b with irrational a, b; ``deep`` factors first."""
    key = (expression, name, deep)
    if key not in _ZEROS:
        if len(_ZEROS) > 5000:
            _ZEROS.clear()
        try:
            _ZEROS[key] = _find_zeros(expression, name, deep)
        except GAVE_UP:
            _ZEROS[key] = []
    return _ZEROS[key]


def _find_zeros(expression: Any, name: str, deep: bool) -> list[Value]:
    try:
        numerator = algebra.to_ratio(expression, [name]).numerator
    except algebra.NotRationalExpression:
        return (
            _factored_zeros(expression, name) if deep else _transcendental_zeros(expression, name)
        )
    except algebra.PolynomialTooLarge:
        return []
    if numerator == 0 or numerator.is_constant():
        return []
    zeros: list[Value] = []
    try:
        roots = algebra.real_roots([algebra.univariate(numerator)])
    except algebra.PolynomialTooLarge:
        return []
    for root in roots:
        exact = root.rational
        if exact is not None:
            zeros.append(_plain(exact))
        elif root.polynomial.degree() == 2:
            c, b, a = (int(k) for k in root.polynomial.coeffs())
            sign = 1 if (root.ball * 2 * a + b) * (1 if a > 0 else -1) > 0 else -1
            sign = sign if a > 0 else -sign
            zeros.append((-b + sign * sympy.sqrt(b * b - 4 * a * c)) / (2 * a))
        else:
            low, high = algebra.ends(root.ball)
            zeros.append(_plain(algebra.simplest_between(low - (high - low), low)))
            zeros.append(_plain(algebra.simplest_between(high, high + (high - low))))
    return zeros


def _factored_zeros(expression: Any, name: str) -> list[Value]:
    """Zeros of the factors, where the expression falls into several."""
    if expression.count_ops() > 60:
        return []
    try:
        factors = [f.as_base_exp()[0] for f in sympy.Mul.make_args(tidy(expression))]
    except Unknown:
        return []
    if len(factors) == 1:
        return _transcendental_zeros(expression, name)
    return [z for f in factors if f.free_symbols for z in zeros_of(f, name)]


def _transcendental_zeros(expression: Any, name: str) -> list[Value]:
    """Zeros of a*x + b for constants a, b that are not rational, such as pi*x - 1."""
    symbol = next((s for s in expression.free_symbols if s.name == name), None)
    if symbol is None or expression.count_ops() > 20 or len(expression.free_symbols) != 1:
        return []
    slope = expression.diff(symbol)
    if slope.free_symbols or slope == 0:
        return []
    zero = -expression.subs(symbol, 0) / slope
    exact = to_value(zero)
    usable = not zero.has(sympy.nan, sympy.zoo, sympy.oo) and zero.is_real
    return [exact] if usable else []


def describe(points: Mapping[str, Value]) -> str:
    """``x = 1/2, n = 3``: a point for people."""
    from theorycheck.check.domain import value_text

    return ", ".join(f"{n} = {value_text(v)}" for n, v in points.items())
