"""What formula might these numbers have? Measured values in, ranked candidates out, no closed form.

Candidates come from four families and are fitted on two thirds of the points:

- laws through the intervals (`theorycheck.formulas.laws`): constants, powers, exponentials, factorials;
- polynomials of one or several parameters, by exact linear algebra, with more points than
  coefficients (for one parameter this is the method of finite differences);
- rational functions of one parameter, in the same way; where the values are no rationals, also for
  their squares, since norms and margins are square roots of rationals;
- any of these times or over n!, 2**n, both, binomial(2 n, n) or a binomial of two parameters (n over k, n + k over k).

Every candidate is then judged on the points that were held out: ``agrees`` False drops it, and None
means that there were none to test it on. A candidate is a conjecture; `check` and `run` are for
judging it. The table of values, ratios and local exponents is what remains where none is found.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, ctx, fmpq, fmpq_mat
from msgspec import UNSET, Struct, UnsetType, structs, to_builtins

from theorycheck import balls
from theorycheck.entries.parts import JsonPoint
from theorycheck.formulas.grammar import CHANCE, interval_text, simplest_between
from theorycheck.formulas.laws import BITS, Law, features_of, fit, spread
from theorycheck.formulas.scaling import Scaling
from theorycheck.numbers.domain import Exact, as_json
from theorycheck.numbers.enclosure import Enclosure

HIGHEST_DEGREE = 8
"""Of polynomials, and of numerator and denominator together."""


@dataclass(frozen=True)
class Candidate:
    """A conjectured formula. ``expression`` is None where a constant of it has no name.

    ``unknowns``: numbers fitted; ``used``: points that they were fitted on.
    """

    text: str
    family: str
    expression: Any
    law: Law | None
    unknowns: int
    used: int
    held_out: int
    agrees: bool | None

    def to_json(self) -> Mapping[str, object]:
        return {
            "text": self.text,
            "family": self.family,
            "expression": None if self.expression is None else str(self.expression),
            "unknowns": self.unknowns,
            "used": self.used,
            "held_out": self.held_out,
            "agrees": self.agrees,
        }


class TableRow(Struct, frozen=True, kw_only=True):
    """A measured value. Where one parameter moved since the point before: ``ratio`` to the value there and
    ``exponent``, the local slope in logarithms as an interval, None where that has none."""

    point: JsonPoint
    value: str
    ratio: str | UnsetType = UNSET
    exponent: str | UnsetType | None = UNSET


@dataclass(frozen=True)
class Exploration:
    """``table``: a row a point.
    ``hypotheses``: how many shapes were tried; ``scalings``: power laws with intervals, of noisy
    values; ``notes``: what was left out."""

    table: tuple[TableRow, ...]
    candidates: tuple[Candidate, ...]
    hypotheses: int
    scalings: tuple[Scaling, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> Mapping[str, object]:
        return {
            "table": to_builtins(self.table),
            "candidates": [c.to_json() for c in self.candidates],
            "hypotheses": self.hypotheses,
            "scalings": [s.to_json() for s in self.scalings],
            "notes": list(self.notes),
        }


def explore(
    points: Sequence[Mapping[str, Exact]],
    measured: Sequence[Enclosure],
    parameters: Sequence[str],
    *,
    integer: Sequence[str] = (),
    held_out: Sequence[int] | None = None,
    most: int = 8,
) -> Exploration:
    """Ranked candidates for the closed form of ``measured`` as a function of the parameters.

    ``integer``: parameters that take integers only; ``held_out``: points that judge the candidates
    (default: a third, where there are at least six); ``most``: candidates returned. Raises ValueError
    where there is nothing to explore.
    """
    if not points or len(points) != len(measured):
        raise ValueError("explore: one enclosure for every point, and at least one")
    kept = spread(len(points)) if held_out is None else list(held_out)
    used = [i for i in range(len(points)) if i not in set(kept)]
    if not used:
        raise ValueError("explore: no point is left to fit on")
    data = _Data([points[i] for i in used], [measured[i] for i in used], parameters, integer)
    found: dict[str, Candidate] = {}
    tried = 0
    for family, expression, law, unknowns in _shapes(data):
        tried += 1
        if expression is None and law is None:
            continue
        verdicts = [_meets(expression, law, points[i], measured[i]) for i in (*kept, *used)]
        if not all(verdicts):
            continue
        text = law.text() if expression is None and law is not None else str(expression)
        agrees = True if kept else None
        found.setdefault(
            text,
            Candidate(text, family, expression, law, unknowns, len(used), len(kept), agrees),
        )
    ranked = sorted(found.values(), key=_simplicity)[:most]
    return Exploration(tuple(_table(points, measured, parameters)), tuple(ranked), tried)


def _simplicity(c: Candidate) -> tuple[Any, ...]:
    size = 1000 if c.expression is None else int(sympy.count_ops(c.expression))
    return (c.expression is None, c.unknowns, size, c.text)


def _meets(expression: Any, law: Law | None, point: Mapping[str, Exact], value: Enclosure) -> bool:
    if expression is None:
        found = None if law is None else law.at(point)
        return found is not None and found.intersects(value)
    names = {str(s) for s in expression.free_symbols}
    evaluated = balls.evaluate(expression, {n: point[n] for n in names}, prec=BITS)
    if evaluated.exact is not None:
        return value.contains(evaluated.exact)
    return evaluated.ball is not None and Enclosure.from_ball(evaluated.ball).intersects(value)


# ---------------------------------------------------------------- families


class _Data:
    """The points that are fitted, and what the families need of them."""

    def __init__(
        self,
        points: Sequence[Mapping[str, Exact]],
        values: Sequence[Enclosure],
        parameters: Sequence[str],
        integer: Sequence[str],
    ) -> None:
        self.points, self.values = points, values
        self.parameters, self.integer = parameters, integer
        self.moving = [
            n
            for n in parameters
            if len({p.get(n) for p in points}) > 1
            and all(isinstance(p.get(n), int | Fraction) for p in points)
        ]
        self.symbols = {
            n: sympy.Symbol(n, integer=n in integer or None, positive=self._positive(n) or None)
            for n in parameters
        }

    def _positive(self, name: str) -> bool:
        return all(isinstance(v := p.get(name), int | Fraction) and v > 0 for p in self.points)

    def column(self, name: str) -> list[fmpq]:
        return [_fmpq(p[name]) for p in self.points]


Shape = tuple[str, Any, Law | None, int]
"""(family, expression or None, law or None, unknowns)"""


def _shapes(data: _Data) -> Iterator[Shape]:
    yield from _laws(data, data.values, None, features_of(data.points, data.moving, data.integer))
    for base in (None, *_bases(data)):
        values = data.values if base is None else _divided(data, base)
        if values is None:
            continue
        if base is not None:
            simple = [s for s in features_of(data.points, data.moving, ()) if len(s) <= 1]
            yield from _laws(data, values, base, simple)
        for power in (1, 2):
            exact = _rationals(values, power)
            if exact is None:
                continue
            sign = -1 if power == 2 and values[0].hi < 0 else 1
            for family, expression, unknowns in itertools.chain(
                _polynomials(data, exact), _rational_functions(data, exact)
            ):
                if expression is None:
                    yield family, None, None, unknowns
                    continue
                whole = expression if power == 1 else sign * sympy.sqrt(sympy.factor(expression))
                yield family, whole if base is None else whole * base, None, unknowns
            break  # rational values: their squares say nothing more


def _laws(
    data: _Data, values: Sequence[Enclosure], base: Any, sets: Sequence[Any]
) -> Iterator[Shape]:
    if any(v.contains(0) for v in values):
        return
    for features in sets:
        law = fit(data.points, values, features)
        if law is None:
            yield "law", None, None, 1 + len(features)
            continue
        expression = law.expression(data.symbols)
        if base is not None:
            if expression is None:
                continue  # an unnamed law of the quotient is no shorter than one of the values
            expression = expression * base
        # A law with no name and no point to spare is interpolation.
        if expression is not None or len(data.points) > 1 + len(features):
            yield "law", expression, law if base is None else None, 1 + len(features)


def _bases(data: _Data) -> Iterator[Any]:
    whole = [n for n in data.moving if n in data.integer and data._positive(n)]
    for name in whole:
        n = data.symbols[name]
        yield from (sympy.factorial(n), 1 / sympy.factorial(n), 2**n, 2 ** (-n))
        yield from (sympy.factorial(n) ** a * 2 ** (b * n) for a in (1, -1) for b in (1, -1))
        yield from (sympy.binomial(2 * n, n), 1 / sympy.binomial(2 * n, n))
    for a, b in itertools.permutations(whole, 2):
        n, k = data.symbols[a], data.symbols[b]
        if all(_fmpq(p[a]) >= _fmpq(p[b]) for p in data.points):
            yield from (sympy.binomial(n, k), 1 / sympy.binomial(n, k))
        for above in (n + k - 1, n + k):  # words with repetition, lattice paths
            yield from (sympy.binomial(above, k), 1 / sympy.binomial(above, k))


def _divided(data: _Data, base: Any) -> list[Enclosure] | None:
    quotients = []
    for point, value in zip(data.points, data.values, strict=True):
        names = {str(s) for s in base.free_symbols}
        b = balls.evaluate(base, {n: point[n] for n in names}, prec=BITS).exact
        if b is None or b == 0:
            return None
        ends = sorted((value.lo / b, value.hi / b))
        quotients.append(Enclosure(ends[0], ends[1]))
    return quotients


def _rationals(values: Sequence[Enclosure], power: int) -> list[fmpq] | None:
    """The values (power 1) or their squares (power 2) as rationals, None where they are not seen to
    be rational: the simplest one inside must be far simpler than the interval's width asks for."""
    found = []
    for v in values:
        if v.exact:
            found.append(v.lo**power)
            continue
        if v.contains(0):
            return None
        low, high = sorted((abs(v.lo), abs(v.hi)))
        q = simplest_between(low**power, high**power)
        width = float(arb(high / low - 1)) * power
        height = max(q.numerator, q.denominator)
        # Quotients by factorials are too long for doubles, and for a chance.
        if height.bit_length() > 400 or float(height) ** 2 * width > CHANCE / len(values):
            return None
        sign = -1 if power == 1 and v.hi < 0 else 1
        found.append(sign * fmpq(q.numerator, q.denominator))
    return found


def _polynomials(data: _Data, values: Sequence[fmpq]) -> Iterator[tuple[str, Any, int]]:
    names = data.moving[:3]
    if not names:
        return
    columns = [data.column(n) for n in names]
    for degree in range(HIGHEST_DEGREE + 1):
        exponents = [
            e for e in itertools.product(range(degree + 1), repeat=len(names)) if sum(e) <= degree
        ]
        if len(exponents) + 1 > len(values):
            return
        system = [
            [_monomial([c[j] for c in columns], e) for e in exponents] for j in range(len(values))
        ]
        solved = _solve(system, values)
        if solved is None:
            yield "polynomial", None, len(exponents)
            continue
        expression = sum(
            (
                _sympy(c)
                * sympy.Mul(*(data.symbols[n] ** k for n, k in zip(names, e, strict=True)))
                for c, e in zip(solved, exponents, strict=True)
            ),
            sympy.Integer(0),
        )
        yield "polynomial", sympy.factor(expression), len(exponents)
        return


def _rational_functions(data: _Data, values: Sequence[fmpq]) -> Iterator[tuple[str, Any, int]]:
    if len(data.moving) != 1:
        return
    name = data.moving[0]
    x, column = data.symbols[name], data.column(name)
    for total in range(1, HIGHEST_DEGREE + 1):
        for below in range(1, total + 1):
            above = total - below
            unknowns = above + below + 1
            if unknowns + 1 > len(values):
                return
            system = [
                [*(c**i for i in range(above + 1)), *(-v * c**i for i in range(below + 1))]
                for c, v in zip(column, values, strict=True)
            ]
            kernel = _kernel(system)
            if kernel is None:
                yield "rational", None, unknowns
                continue
            top = sum((_sympy(kernel[i]) * x**i for i in range(above + 1)), sympy.Integer(0))
            bottom = sum(
                (_sympy(kernel[above + 1 + i]) * x**i for i in range(below + 1)), sympy.Integer(0)
            )
            if bottom == 0 or top == 0:
                yield "rational", None, unknowns
                continue
            yield "rational", sympy.factor(sympy.cancel(top / bottom)), unknowns
            return


def _monomial(values: Sequence[fmpq], exponents: Sequence[int]) -> fmpq:
    product = fmpq(1)
    for v, e in zip(values, exponents, strict=True):
        product *= v**e
    return product


def _solve(system: Sequence[Sequence[fmpq]], values: Sequence[fmpq]) -> list[fmpq] | None:
    """The only solution of an overdetermined system, None where there is none or more than one."""
    width = len(system[0])
    flat = [entry for row, v in zip(system, values, strict=True) for entry in (*row, v)]
    reduced, rank = fmpq_mat(len(system), width + 1, flat).rref()
    if rank != width or any(reduced[i, i] != 1 for i in range(width)):
        return None
    return [reduced[i, width] for i in range(width)]


def _kernel(system: Sequence[Sequence[fmpq]]) -> list[fmpq] | None:
    """A spanning vector of a kernel of dimension one, None where the dimension is another."""
    width = len(system[0])
    reduced, rank = fmpq_mat(len(system), width, [e for row in system for e in row]).rref()
    if rank != width - 1:
        return None
    leading = [next(j for j in range(width) if reduced[i, j] != 0) for i in range(rank)]
    free = next(j for j in range(width) if j not in leading)
    vector = [fmpq(0)] * width
    vector[free] = fmpq(1)
    for i, j in enumerate(leading):
        vector[j] = -reduced[i, free]
    return vector


def _fmpq(value: Any) -> fmpq:
    q = Fraction(value)
    return fmpq(q.numerator, q.denominator)


def _sympy(value: fmpq) -> Any:
    return sympy.Rational(int(value.p), int(value.q))


# ---------------------------------------------------------------- table


def _table(
    points: Sequence[Mapping[str, Exact]], measured: Sequence[Enclosure], parameters: Sequence[str]
) -> Iterator[TableRow]:
    before: tuple[Mapping[str, Exact], Enclosure] | None = None
    for point, value in zip(points, measured, strict=True):
        row = TableRow(point=as_json(point), value=interval_text(value, 12))
        if before is not None:
            moved = [n for n in parameters if point.get(n) != before[0].get(n)]
            if len(moved) == 1 and not value.contains(0) and not before[1].contains(0):
                ends = [a / b for a in (value.lo, value.hi) for b in (before[1].lo, before[1].hi)]
                ratio = Enclosure(min(ends), max(ends))
                exponent = _exponent(ratio, before[0].get(moved[0]), point.get(moved[0]))
                row = structs.replace(row, ratio=interval_text(ratio, 8), exponent=exponent)
        yield row
        before = (point, value)


def _exponent(ratio: Enclosure, start: Any, end: Any) -> str | None:
    """Local slope log(ratio) / log(end / start), None where a logarithm does not exist."""
    numbers = all(isinstance(v, int | Fraction) and v > 0 for v in (start, end))
    if ratio.lo <= 0 or not numbers:
        return None
    with ctx.workprec(128):
        span = arb(_fmpq(end) / _fmpq(start)).log()
        ends = sorted(float(arb(v).log() / span) for v in (ratio.lo, ratio.hi))
    low, high = (f"{v:.4g}" for v in ends)
    return low if low == high else f"[{low}, {high}]"


__all__ = ["Candidate", "Exploration", "explore"]
