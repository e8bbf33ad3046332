"""Inequalities and equalities in one name, on the whole of its domain.

The domain is cut where Abs, Min, Max, floor or a hypothesis switch; on each open piece the difference
of the sides is an analytic function whose signs `monotone` finds; cuts and ends are judged one by one.
For an integer name the real line between is more than is asked for, so that only the integers in the
pieces of the wrong sign are looked at.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from theorycheck import balls
from theorycheck.check.domain import Domains, Value, Variable, to_value
from theorycheck.check.forms import Condition, ForAll, NoCondition, conditions, conjuncts, evaluated
from theorycheck.check.judge import EXCLUDED, FAILS, HOLDS, UNDEFINED, Judge, PointOutcome
from theorycheck.check.limits import Clock, TimeUp
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.monotone import Signs
from theorycheck.check.operators import ALLOWED
from theorycheck.check.profiles import (
    ExtendedPoint,
    Profile,
    Unknown,
    before,
    between,
    enclosure,
    signs_text,
)
from theorycheck.check.region import Found
from theorycheck.check.steps import one_period
from theorycheck.check.text import Comparison, Connective
from theorycheck.check.tidying import tidy

_MAX_INTEGERS = 20_000
_MAX_PIECES = 1500
_MAX_STEPS = 400
_SWITCHES = (sp.Abs, sp.sign, sp.Min, sp.Max, sp.floor, sp.ceiling, sp.frac, sp.Mod)


def prove(task: Task) -> Argument | None:
    """Signs between turning points, cuts and ends judged one by one.

    Takes comparisons in one name of any kind but sets among others, with hypotheses in it. Promises
    the signs of a real analytic function on every piece. Gives up where Rolle's argument does not end,
    or a point is not decided. Raises Found with points of the domain that fail.
    """
    c, region = task.comparison, task.region
    variable = region.variables[0]
    if not region.hypotheses:
        variable = one_period(c, variable)
    judge = Judge(Domains((variable,)), c, region.hypotheses, task.lemmas.constant_zero)

    def judge_at(comparison: Comparison, value: Value) -> PointOutcome:
        return judge.at({variable.name: value})

    hypotheses = [h for h in region.hypotheses if isinstance(h, Comparison)]
    known = task.has_values and variable.kind == "real"  # for integers: at these alone
    line = Line(variable, hypotheses, judge, judge_at, task.clock, has_values=known)
    result = line.decide(c)
    whole = Judge(Domains(region.variables), c)
    failing = [
        v
        for v in result.candidates
        if judge_at(c, v).status in (FAILS, UNDEFINED) and whole.contains({variable.name: v})
    ]
    if failing:
        raise Found([{variable.name: v} for v in failing])
    return Argument("signs between turning points", tuple(result.facts)) if result.proved else None


METHOD = Method("signs between turning points", 0.7, lambda t: t.is_line, prove)


@dataclass
class LineResult:
    """``candidates`` are values of the name at which the statement should fail; ``facts`` say which sign
    the difference of the sides has where."""

    proved: bool = False
    candidates: list[Value] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LinePiece:
    """An interval of the line, and the function there."""

    low: ExtendedPoint
    high: ExtendedPoint
    function: Any


class Line:
    """Decides comparisons in one variable; ``judge_at`` decides single points of the domain.

    ``has_values`` says that the sides have values on the whole interval: of a lemma, of an integer name or
    under hypotheses it is known of the points of the domain only, and a pole may lie between these.
    """

    def __init__(
        self,
        variable: Variable,
        hypotheses: Sequence[Comparison],
        judge: Judge,
        judge_at: Callable[[Comparison, Value], PointOutcome],
        clock: Clock,
        *,
        has_values: bool = False,
    ) -> None:
        self.has_values = has_values
        self.variable, self.judge, self.judge_at = variable, judge, judge_at
        self.hypotheses, self.clock = hypotheses, clock
        self.x = _real_symbol(variable)
        self.signs = Signs(self.x, clock)
        self._cuts: list[ExtendedPoint] = []

    def decide(self, c: Comparison) -> LineResult:
        """Raises Unknown where the method does not get through."""
        result = LineResult()
        low, high = ExtendedPoint(exact=self.variable.low), ExtendedPoint(exact=self.variable.high)
        if not (low.infinite or high.infinite) and not before(low, high):
            points = [low] if low == high or self._same(low, high) else []
            return self._points(c, points, result)
        f = self._side(c.lhs) - self._side(c.rhs)
        marked = [low, high]
        for piece in self._pieces(f, low, high):
            self._check_values(piece)
            inner = self._piece(c, piece, result)
            if inner is None:
                return result
            marked += [*inner, piece.low, piece.high]
        return self._points(c, [*marked, *self._cuts], result)

    def _side(self, side: Any) -> Any:
        """Evaluated with what is known of the name, then as a function of a real name."""
        return evaluated(side).xreplace({self.variable.symbol: self.x})

    def _same(self, a: ExtendedPoint, b: ExtendedPoint) -> bool:
        return self.judge.compare_values(to_value(a.exact), to_value(b.exact)) == "eq"

    def _piece(
        self, c: Comparison, piece: LinePiece, result: LineResult
    ) -> list[ExtendedPoint] | None:
        """Places of the piece to be judged one by one; None if a candidate was found."""
        if piece.function == 0:
            if 0 not in ALLOWED[c.op]:
                result.candidates.append(_plain(between(piece.low, piece.high)))
                return None
            return [piece.low, piece.high]
        if c.op == "==":
            if self._constantly_zero(piece):
                return [piece.low, piece.high]
            result.candidates += self._some_inside(piece)
            return None
        profile = self._profile(c, piece)
        result.facts.append(f"lhs - rhs is {signs_text(profile)}")
        result.facts += (step.text(str(step.of[0])) for step in profile.steps)
        allowed = ALLOWED[c.op]
        places = [p for p in profile.places if not p.infinite]
        if 0 in allowed or self.variable.kind != "real":
            judged = [p for p in places if p.exact is not None]
        else:
            judged = places
        for i, sign in enumerate(profile.signs):
            if sign in allowed:
                continue
            a, b = profile.places[i], profile.places[i + 1]
            if self.variable.kind == "real":
                result.candidates.append(_plain(between(a, b)))
                return None
            judged += [ExtendedPoint(exact=sp.Integer(k)) for k in _integers_between(a, b)]
        return judged

    def _check_values(self, piece: LinePiece) -> None:
        """Raises Unknown where it is not seen that the function has values on the whole open piece."""
        if self.has_values:
            return
        try:
            needed = [part for h in conditions(piece.function) for part in _conjuncts(h)]
        except NoCondition as error:
            raise Unknown(f"whether there are values on the whole piece: {error}") from None
        for condition in dict.fromkeys(needed):
            if not self._holds_inside(condition, piece):
                raise Unknown(f"whether there are values on the whole piece: {condition}")

    def _holds_inside(self, condition: Condition, piece: LinePiece) -> bool:
        if isinstance(condition, Connective) and condition.kind == "or":
            return any(self._holds_inside(p, piece) for p in condition.parts)
        if not isinstance(condition, Comparison):
            return False
        allowed = ALLOWED[condition.op]
        g = evaluated(condition.lhs) - evaluated(condition.rhs)
        known = {1: g.is_positive, 0: g.is_zero, -1: g.is_negative}
        weak = g.is_nonzero if condition.op == "!=" else g.is_nonnegative and condition.op == ">="
        if weak or any(known[sign] for sign in allowed):
            return True
        try:
            profile = self.signs.profile(g, piece.low, piece.high)
        except Unknown:
            return False
        inside = all(sign in allowed for sign in profile.signs)
        return inside and (0 in allowed or not profile.zeros)

    def _constantly_zero(self, piece: LinePiece) -> bool:
        """Derivative zero on the open piece, and zero at one point of it."""
        f = piece.function
        if f.has(*_SWITCHES, sp.Sum, sp.Product) or tidy(sp.diff(f, self.x)) != 0:
            return False
        sample = between(piece.low, piece.high)
        place = ExtendedPoint(exact=sp.Rational(sample.numerator, sample.denominator))
        return self.signs.sign_at(f, place) == 0

    def _some_inside(self, piece: LinePiece) -> list[Value]:
        if self.variable.kind == "real":
            return [_plain(between(piece.low, piece.high))]
        return list(itertools.islice(_integers_between(piece.low, piece.high, limit=False), 5))

    def _profile(self, c: Comparison, piece: LinePiece) -> Profile:
        plain = piece.function == self._side(c.lhs) - self._side(c.rhs)
        sides = [self._side(c.lhs), self._side(c.rhs)]
        products = all(
            (s.is_Mul or s.is_Pow or s.is_number) and not s.has(sp.erf, sp.erfc, sp.gamma)
            for s in sides
        )
        routes: list[Callable[[Signs], Profile]] = [
            lambda signs: signs.profile(piece.function, piece.low, piece.high)
        ]
        if piece.function.has(sp.tanh, sp.cosh, sp.sinh):
            # Hyperbolic functions are factors of their own derivatives for ever; exponentials
            # die out.
            in_exponentials = piece.function.rewrite(sp.exp)
            routes.append(lambda signs: signs.profile(in_exponentials, piece.low, piece.high))
        if plain:
            routes.insert(
                0 if products else 1, lambda signs: self._logarithmic(sides, piece, signs)
            )
        for left in range(len(routes), 0, -1):
            share = self.clock.slice(1.3 / (left + 0.3))
            try:
                with share.limit():
                    return routes[-left](Signs(self.x, share))
            except (Unknown, TimeUp):
                if self.clock.out():
                    break
        raise Unknown("no route")

    def _logarithmic(self, sides: Sequence[Any], piece: LinePiece, signs: Signs) -> Profile:
        """Signs of log(lhs) - log(rhs), the same as those of lhs - rhs where both are positive."""
        for side in sides:
            if side.has(*_SWITCHES) or set(signs.profile(side, piece.low, piece.high).signs) != {1}:
                raise Unknown("a side is not positive")
        lhs, rhs = (sp.expand_log(sp.log(side), deep=True) for side in sides)
        found = signs.profile(lhs - rhs, piece.low, piece.high)
        return found.by(
            "{0} has the signs of log({1}) - log({2}), both positive", piece.function, *sides
        )

    def _points(
        self, c: Comparison, places: Sequence[ExtendedPoint], result: LineResult
    ) -> LineResult:
        seen: set[Any] = set()
        for place in places:
            if place.infinite or place in seen:
                continue
            seen.add(place)
            if place.exact is None:
                self._enclosed(c, place)
                continue
            value = to_value(place.exact)
            if self.variable.kind != "real" and not isinstance(value, int):
                continue
            if not self.judge.contains({self.variable.name: value}):
                continue
            status = self.judge_at(c, value).status
            if status in (FAILS, UNDEFINED):
                result.candidates.append(value)
                return result
            if status not in (HOLDS, EXCLUDED):
                raise Unknown(f"{value} is not decided")
        result.proved = True
        return result

    def _enclosed(self, c: Comparison, place: ExtendedPoint) -> None:
        """A cut that is known by an enclosure only: balls must decide it."""
        if self.variable.kind != "real":
            return
        difference = balls.compile_expression(self._side(c.lhs) - self._side(c.rhs), [self.x])
        result = balls.enclose_box(difference, {self.x.name: enclosure(place)}, 256)
        if result.ball is not None:
            if result.ball > 0 and 1 in ALLOWED[c.op]:
                return
            if result.ball < 0 and -1 in ALLOWED[c.op]:
                return
        raise Unknown("a cut at an irrational place")

    # Pieces

    def _pieces(self, f: Any, low: ExtendedPoint, high: ExtendedPoint) -> Iterator[LinePiece]:
        pieces = [LinePiece(low, high, f)]
        for hypothesis in self.hypotheses:
            pieces = [kept for p in pieces for kept in self._restricted(hypothesis, p)]
        count = 0
        while pieces:
            piece = pieces.pop()
            switch = _innermost_switch(piece.function)
            if switch is None:
                yield piece
                continue
            count += 1
            if count > _MAX_PIECES or self.clock.out():
                raise Unknown("too many pieces")
            pieces += self._resolved(piece, switch)

    def _restricted(self, hypothesis: Comparison, piece: LinePiece) -> list[LinePiece]:
        """The open pieces on which the hypothesis holds; its zeros are judged as places anyway."""
        g = self._side(hypothesis.lhs) - self._side(hypothesis.rhs)
        if g.free_symbols != {self.x}:
            return [piece]
        try:
            profile = self.signs.profile(g, piece.low, piece.high)
        except Unknown:
            return [piece]
        cut = []
        for i, sign in enumerate(profile.signs):
            if sign in ALLOWED[hypothesis.op]:
                cut.append(LinePiece(profile.places[i], profile.places[i + 1], piece.function))
        self._cuts += [p for p in profile.places if not p.infinite]
        return cut

    def _resolved(self, piece: LinePiece, switch: Any) -> list[LinePiece]:
        if isinstance(switch, sp.Abs | sp.sign):
            inner = switch.args[0]
            return [
                LinePiece(
                    a,
                    b,
                    piece.function.xreplace(
                        {switch: s * inner if isinstance(switch, sp.Abs) else sp.Integer(s)}
                    ),
                )
                for a, b, s in self._cut(inner, piece)
            ]
        if isinstance(switch, sp.Min | sp.Max):
            first, second = switch.args[:2]
            rest = switch.args[2:]
            larger = isinstance(switch, sp.Max)
            return [
                LinePiece(
                    a,
                    b,
                    piece.function.xreplace(
                        {switch: switch.func(first if (s > 0) == larger else second, *rest)}
                    ),
                )
                for a, b, s in self._cut(first - second, piece)
            ]
        if isinstance(switch, sp.frac):
            u = switch.args[0]
            return [
                LinePiece(piece.low, piece.high, piece.function.xreplace({switch: u - sp.floor(u)}))
            ]
        if isinstance(switch, sp.ceiling):
            u = switch.args[0]
            return [
                LinePiece(piece.low, piece.high, piece.function.xreplace({switch: -sp.floor(-u)}))
            ]
        if isinstance(switch, sp.Mod):
            a, b = switch.args
            return [
                LinePiece(
                    piece.low,
                    piece.high,
                    piece.function.xreplace({switch: a - b * sp.floor(a / b)}),
                )
            ]
        return self._floors(piece, switch)

    def _floors(self, piece: LinePiece, switch: Any) -> list[LinePiece]:
        u = switch.args[0]
        if piece.low.infinite or piece.high.infinite:
            raise Unknown("floor without end")
        slope = sp.diff(u, self.x)
        if slope.is_Rational and slope != 0 and u.xreplace({self.x: sp.Integer(0)}).is_Rational:
            return self._steps(piece, switch, slope)
        box = (enclosure(piece.low)[0], enclosure(piece.high)[1])
        result = balls.enclose_box(balls.compile_expression(u, [self.x]), {self.x.name: box}, 64)
        if result.ball is None:
            raise Unknown("the range of a floor")
        first, last = (
            int(v)
            for v in (
                result.ball.lower().floor().unique_fmpz(),
                result.ball.upper().ceil().unique_fmpz(),
            )
        )
        if last - first > 60:
            raise Unknown("too many steps of a floor")
        pieces = [piece]
        for k in range(first, last + 1):
            pieces = [
                LinePiece(a, b, piece.function) for p in pieces for a, b, _ in self._cut(u - k, p)
            ]
        resolved = []
        for p in pieces:
            sample = between(p.low, p.high)
            at = balls.evaluate(sp.floor(u, evaluate=False), {self.x.name: sample})
            if at.exact is None:
                raise Unknown("a step of a floor")
            resolved.append(
                LinePiece(p.low, p.high, p.function.xreplace({switch: sp.Integer(int(at.exact.p))}))
            )
        return resolved

    def _steps(self, piece: LinePiece, switch: Any, slope: Any) -> list[LinePiece]:
        """A floor of a linear function: its steps are at rational places."""
        u = switch.args[0]
        shift = u.xreplace({self.x: sp.Integer(0)})
        bounds = [enclosure(piece.low)[0], enclosure(piece.high)[1]]
        ends = sorted(slope * _rational(e) + shift for e in bounds)
        first, last = int(sp.floor(ends[0])), int(sp.ceiling(ends[1]))
        if last - first > _MAX_STEPS:
            raise Unknown("too many steps of a floor")
        values = range(first, last) if slope > 0 else range(last - 1, first - 1, -1)
        pieces, low = [], piece.low
        for k in values:
            high = ExtendedPoint(exact=((k + 1 if slope > 0 else k) - shift) / slope)
            inside = before(high, piece.high)
            if before(piece.low, high):
                function = piece.function.xreplace({switch: sp.Integer(k)})
                pieces.append(LinePiece(low, high if inside else piece.high, function))
                low = high
            if not inside:
                break
        return pieces

    def _cut(self, g: Any, piece: LinePiece) -> list[tuple[ExtendedPoint, ExtendedPoint, int]]:
        if g == 0:
            return [(piece.low, piece.high, 1)]
        profile = self.signs.profile(g, piece.low, piece.high)
        return [
            (profile.places[i], profile.places[i + 1], sign) for i, sign in enumerate(profile.signs)
        ]


def _conjuncts(condition: Condition) -> list[Condition]:
    return [condition] if isinstance(condition, ForAll) else [*conjuncts(condition)]


def _real_symbol(variable: Variable) -> Any:
    symbol = variable.symbol
    if not symbol.is_integer:
        return symbol
    low = variable.low
    facts = {"real": True}
    if low is not None and low.is_Rational:
        if low > 0:
            facts = {"positive": True}
        elif low == 0:
            facts = {"nonnegative": True}
    return sp.Symbol(variable.name, **facts)


def _innermost_switch(f: Any) -> Any | None:
    for node in sp.postorder_traversal(f):
        if isinstance(node, _SWITCHES) and node.free_symbols:
            return node
    return None


def _integers_between(a: ExtendedPoint, b: ExtendedPoint, *, limit: bool = True) -> Iterator[int]:
    low = None if a.infinite else enclosure(a)[0]
    high = None if b.infinite else enclosure(b)[1]
    if limit and (low is None or high is None or high - low > _MAX_INTEGERS):
        raise Unknown("too many integers to look at")
    if low is None and high is None:
        yield from (0, 1, -1, 2, -2)
        return
    if low is None:
        start = high.numerator // high.denominator if high is not None else 0
        yield from itertools.count(start, -1)
        return
    for k in itertools.count(-(-low.numerator // low.denominator)):
        if high is not None and k > high:
            return
        yield k


def _rational(value: Fraction) -> Any:
    return sp.Rational(value.numerator, value.denominator)


def _plain(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value
