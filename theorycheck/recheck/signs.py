"""Signs of polynomials in the indeterminates of a normal form, proved: every name in its range, everything else in
the range that is known of it, and then no coefficient below 0 on the orthant of what is left to vary."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from flint import arb, ctx, fmpq

from theorycheck.recheck.effort import spend
from theorycheck.recheck.evaluate import Point
from theorycheck.recheck.functions import NotTold, NoValue, OutOfReach, ball
from theorycheck.recheck.normal import (
    CTX,
    GENS,
    ONE,
    SIZE,
    ZERO,
    Atom,
    Finer,
    Normal,
    NotNormal,
    Poly,
    PolyQuotient,
    constant,
)
from theorycheck.recheck.scope import Range
from theorycheck.recheck.tree import Tree, Unreadable

MAX_COEFFICIENTS = 3000


@dataclass(frozen=True)
class Bounds:
    """What is known of an indeterminate; ends are quotients in indeterminates of lower rank, None for none."""

    low: PolyQuotient | None = None
    high: PolyQuotient | None = None
    low_open: bool = False
    high_open: bool = False


FREE = Bounds()
POSITIVE = Bounds(constant(0), low_open=True)


class Signed:
    """Proofs of signs on a region: ranges in order, and comparisons that hold on it besides."""

    def __init__(self, ranges: tuple[Range, ...], parts: int = 1) -> None:
        self.ranges = ranges
        self.normal = Normal(self.positive, self.shown, parts)
        self.rank = {r.name: i for i, r in enumerate(ranges)}
        self.bounds: dict[int, Bounds] = {}
        self.busy: set[int] = set()
        self.known: dict[tuple[str, bool], bool] = {}
        self.facts: list[tuple[Poly, bool]] = []
        self.nonzero: list[Poly] = []
        self.deep = 0

    def positive(self, p: Poly) -> bool:
        """Whether a polynomial is proved to be > 0."""
        return self.above(p, strict=True)

    def shown(self, p: Poly, sign: str) -> bool:
        """Whether a polynomial is proved to be ``!=``, ``>`` or ``>=`` 0."""
        p = self.normal.folded(p)
        if sign != "!=":
            return self.above(p, strict=sign == ">")
        if p == 0:
            return False
        if p.is_constant():
            return True
        return all(
            self.positive(f) or self.positive(-f) or any(f in (n, -n) for n in self.nonzero)
            for f, _ in p.factor()[1]
        )

    def above(self, p: Poly, *, strict: bool) -> bool:
        """Whether a polynomial is proved to be >= 0, or > 0."""
        p = self.normal.folded(p)
        if p.is_constant():
            value = p.leading_coefficient() if p != 0 else fmpq(0)
            return bool(value > 0 or (value == 0 and not strict))
        key = (str(p), strict)
        if key not in self.known:
            self.known[key] = False
            self.known[key] = self._above(p, strict)
        return self.known[key]

    def _above(self, p: Poly, strict: bool) -> bool:
        if self.deep > 6 or len(p) > 400:
            return False
        self.deep += 1
        spend(60 + 20 * len(p))
        try:
            if self.orthant(p, strict) or self.as_fact(p, strict):
                return True
            return self.by_factors(p, strict) or self.as_quadratic(p, strict)
        except (NotNormal, OverflowError):
            return False
        finally:
            self.deep -= 1

    def as_fact(self, p: Poly, strict: bool) -> bool:
        """By a known comparison: p is c times it and what is left, with c >= 0, and a name less."""
        for fact, open_ in self.facts:
            fact = self.normal.folded(fact)
            if fact == 0:
                continue
            ratio = p.leading_coefficient() / fact.leading_coefficient()
            if ratio > 0 and p == fact * ratio:
                if open_ or not strict:
                    return True
                continue
            if self.deep <= 3 and any(
                self._less_a_name(p, fact, i, strict) for i in range(SIZE // 2)
            ):
                return True
        return False

    def _less_a_name(self, p: Poly, fact: Poly, place: int, strict: bool) -> bool:
        if p.degrees()[place] != 1 or fact.degrees()[place] != 1:
            return False
        a, b = coefficients(fact, place)[1], coefficients(p, place)[1]
        for way in (1, -1):
            if self.positive(way * a) and self.above(way * b, strict=False):
                return self.above(way * (a * p - b * fact), strict=strict)
        return False

    def by_factors(self, p: Poly, strict: bool) -> bool:
        """The sign of each factor."""
        lead, parts = p.factor()
        if len(parts) == 1 and parts[0][1] == 1 and abs(lead) == 1:
            return False
        sign = 1 if lead > 0 else -1
        for factor, times in parts:
            if times % 2 == 0:
                if strict and not (self.positive(factor) or self.positive(-factor)):
                    return False
                continue
            if self.above(factor, strict=strict):
                continue
            if self.above(-factor, strict=strict):
                sign = -sign
                continue
            return False
        return sign > 0

    def as_quadratic(self, p: Poly, strict: bool) -> bool:
        """A quadratic polynomial in one indeterminate, by its first coefficient and its discriminant."""
        for place, degree in enumerate(p.degrees()):
            if degree != 2:
                continue
            c = coefficients(p, place)
            a, b, d = c.get(2, ZERO), c.get(1, ZERO), c.get(0, ZERO)
            inner = 4 * a * d - b * b
            if self.above(inner, strict=strict) and self.positive(a):
                return True
        return False

    # ranges of indeterminates

    def bounds_of(self, place: int) -> Bounds:
        """What is known of an indeterminate."""
        if place not in self.bounds:
            if place in self.busy:
                return FREE
            self.busy.add(place)
            try:
                found = self._bounds(self.normal.atoms[place])
            except (NotNormal, Unreadable):
                found = FREE
            finally:
                self.busy.discard(place)
            self.bounds[place] = found
        return self.bounds[place]

    def _bounds(self, atom: Atom) -> Bounds:
        match atom.kind:
            case "name":
                return self._of_name(atom.key)
            case "root" | "power" | "log" | "const" | "erfc" | "sin" | "cos":
                fixed = self._fixed(atom)
                if fixed is not None:
                    return fixed
        match atom.kind:
            case "root":
                return self._of_root(atom)
            case "power":
                return self._of_power(atom)
            case "log" if atom.base is not None:
                return self._of_log(atom.base)
            case "erfc":
                return self._of_erfc(atom.arguments[0])
            case "sin" | "cos":
                return Bounds(constant(-1), constant(1))
        return FREE

    def _of_name(self, name: str) -> Bounds:
        r = next((r for r in self.ranges if r.name == name), None)
        if r is None:
            return FREE
        if r.kind == "set":
            return FREE
        ends = [None if _infinite(x) else self.normal.quotient(x) for x in (r.low, r.high) if x]
        return Bounds(ends[0], ends[1], r.low_open, r.high_open)

    def _of_root(self, atom: Atom) -> Bounds:
        base = atom.base
        assert base is not None
        if not self.normal.is_name(base):
            return POSITIVE if self.positive(base.num) else Bounds(constant(0))
        (place,) = (i for i, d in enumerate(base.num.degrees()) if d)
        of_base = self.bounds_of(place)
        share = constant(fmpq(1, self.normal.parts))
        low, high = of_base.low, of_base.high
        if low is not None and low.num == 0:
            low_root: PolyQuotient | None = constant(0)
        elif low is not None and self.above(low.num * low.den, strict=False):
            low_root = self.normal.raised(low, share)
        else:
            return Bounds(constant(0))
        high_root = self.normal.raised(high, share) if high is not None else None
        return Bounds(low_root, high_root, of_base.low_open, of_base.high_open)

    def _of_power(self, atom: Atom) -> Bounds:
        exponent = atom.exponent
        assert exponent is not None
        way = 0
        if atom.base is None or self.above(atom.base.num - atom.base.den, strict=False):
            way = 1
        elif self.above(atom.base.den - atom.base.num, strict=False):
            way = -1
        sign = exponent.num * exponent.den
        if way and self.above(way * sign, strict=False):
            return Bounds(constant(1), None)
        if way and self.above(-way * sign, strict=False):
            return Bounds(constant(0), constant(1), low_open=True)
        return POSITIVE

    def _of_log(self, base: PolyQuotient) -> Bounds:
        gap = (base.num - base.den) * base.den
        for strict in (True, False):
            if self.above(gap, strict=strict):
                return Bounds(constant(0), None, low_open=strict)
            if self.above(-gap, strict=strict):
                return Bounds(None, constant(0), high_open=strict)
        return FREE

    def _of_erfc(self, argument: PolyQuotient) -> Bounds:
        sign = argument.num * argument.den
        if self.above(sign, strict=False):
            return Bounds(constant(0), constant(1), low_open=True)
        if self.above(-sign, strict=False):
            return Bounds(constant(1), constant(2), high_open=True)
        return Bounds(constant(0), constant(2), True, True)

    def _fixed(self, atom: Atom) -> Bounds | None:
        """The ball of an indeterminate that is a number."""
        found = self.ball_of(atom)
        if found is None:
            return None
        low, high = (_fraction(x) for x in (found.lower(), found.upper()))
        return Bounds(constant(low), constant(high))

    def ball_of(self, atom: Atom) -> arb | None:
        """The value of an indeterminate without names."""
        ctx.prec = 160
        if atom.kind == "const" and atom.node is not None:
            return ball(Point({}).term(atom.node))
        parts = [q for q in (atom.base, atom.exponent, *atom.arguments) if q is not None]
        values = [self.ball_of_quotient(q) for q in parts]
        if any(v is None for v in values):
            return None
        try:
            return self._value(atom, [v for v in values if v is not None])
        except (NotTold, NoValue, OutOfReach):
            return None

    def _value(self, atom: Atom, values: list[arb]) -> arb | None:
        share = arb(1) / self.normal.parts
        match atom.kind:
            case "root" if values[0] > 0:
                return (values[0].log() * share).exp()
            case "power":
                exponent = values[-1] * share
                return (exponent if atom.base is None else values[0].log() * exponent).exp()
            case "log" if values[0] > 0:
                return values[0].log()
            case "erfc" | "sin" | "cos":
                found: arb = getattr(values[0], atom.kind)()
                return found
        return None

    def ball_of_quotient(self, q: PolyQuotient) -> arb | None:
        """The value of a quotient without names."""
        sides = []
        for p in (q.num, q.den):
            total = arb(0)
            for powers, c in p.to_dict().items():
                term = arb(c)
                for i, d in enumerate(powers):
                    if d:
                        atom = self.normal.atoms[i] if i < len(self.normal.atoms) else None
                        value = self.ball_of(atom) if atom and atom.kind != "name" else None
                        if value is None:
                            return None
                        term *= value**d
                total += term
            sides.append(total)
        return sides[0] / sides[1] if not sides[1].contains(0) else None

    # the orthant

    def orthant(self, p: Poly, strict: bool) -> bool:
        """Every indeterminate from its ends: no coefficient is below 0 for what is left, which is >= 0."""
        open_: list[tuple[Poly, _Slack]] = [(p, _Slack())]
        for _ in range(400):
            if not open_:
                return True
            q, slack = open_.pop()
            place = self._next(q, slack)
            if place is None:
                if not slack.settled(q, strict):
                    return False
                continue
            cases = self._opened(q, place, slack)
            if cases is None or len(open_) > 40:
                return False
            open_ += cases
        return False

    def _next(self, p: Poly, slack: _Slack) -> int | None:
        """The indeterminate to open next: of the highest rank, names after what depends on them."""
        present = [i for i, d in enumerate(p.degrees()) if d > 0 and i < SIZE - slack.used]
        return max(present, key=self._order, default=None)

    def _order(self, place: int) -> tuple[int, int]:
        atom = self.normal.atoms[place]
        alone = atom.kind == "name" or (
            atom.kind == "root" and atom.base is not None and self.normal.is_name(atom.base)
        )
        ranks = [self.rank.get(n, -1) for n in self.normal.all_names(atom)]
        return max(ranks, default=-1), 0 if alone else 1

    def _opened(self, p: Poly, place: int, slack: _Slack) -> list[tuple[Poly, _Slack]] | None:
        b = self.bounds_of(place)
        if b.low is not None and b.high is not None:
            slack, x, y = slack.pair(b.low_open, b.high_open)
            # x = 0 at the high end, y = 0 at the low end
            num = b.low.num * b.high.den * x + b.high.num * b.low.den * y
            return self._put(p, place, num, b.low.den * b.high.den, slack, x + y)
        if b.low is not None:
            slack, x = slack.one(b.low_open)
            return self._put(p, place, b.low.num + x * b.low.den, b.low.den, slack)
        if b.high is not None:
            slack, x = slack.one(b.high_open)
            return self._put(p, place, b.high.num - x * b.high.den, b.high.den, slack)
        up, x = slack.one(False)
        cases = []
        for way in (1, -1):
            found = self._put(p, place, way * x, ONE, up)
            if found is None:
                return None
            cases += found
        return cases

    def _put(
        self, p: Poly, place: int, num: Poly, den: Poly, slack: _Slack, weight: Poly = ONE
    ) -> list[tuple[Poly, _Slack]] | None:
        """p with num/(den*weight) in a place, times a power of that, which is positive; the weight is."""
        c = coefficients(p, place)
        degree = max(c)
        if degree > 60 and not (den.is_constant() and weight.is_constant()):
            return None
        if self.positive(-den):
            num, den = -num, -den
        elif not self.positive(den):
            return None
        result, below = ZERO, den * weight
        for k, a in c.items():
            spend(10 + 3 * len(result))
            result += a * num**k * below ** (degree - k)
            if len(result) > MAX_COEFFICIENTS:
                return None
        return [(self.normal.folded(result), slack)]


def know(c: Tree, signs: Signed) -> None:
    """Takes a hypothesis as facts about polynomials; what has no normal form is left out."""
    if c.op == "and":
        for part in c.args:
            know(part, signs)
        return
    if c.op != "cmp":
        return
    try:
        left, right = (signs.normal.quotient(x) for x in c.args)
        gap: PolyQuotient = signs.normal.reduced(left - right)
    except Finer:
        raise
    except NotNormal:
        return
    over = gap.num * gap.den
    match c.text:
        case ">" | ">=":
            signs.facts.append((over, c.text == ">"))
        case "<" | "<=":
            signs.facts.append((-over, c.text == "<"))
        case "==":
            signs.facts += [(over, False), (-over, False)]
        case "!=":
            signs.nonzero += [f for f, _ in over.factor()[1]]
    signs.known.clear()


@dataclass(frozen=True)
class _Slack:
    """What varies over [0, oo): places from the end of the indeterminates; ``closed`` may be 0, of ``pairs``
    not both."""

    used: int = 0
    opened: frozenset[int] = frozenset()
    pairs: tuple[tuple[int, int], ...] = ()

    def one(self, is_open: bool) -> tuple[_Slack, Poly]:
        """One more."""
        place = SIZE - 1 - self.used
        _room(place)
        opened = self.opened | {place} if is_open else self.opened
        return _Slack(self.used + 1, opened, self.pairs), GENS[place]

    def pair(self, low_open: bool, high_open: bool) -> tuple[_Slack, Poly, Poly]:
        """The weights of the low end and of the high end: the first is 0 at the high end."""
        a = SIZE - 1 - self.used
        _room(a - 1)
        opened = set(self.opened)
        if high_open:
            opened.add(a)
        if low_open:
            opened.add(a - 1)
        found = _Slack(self.used + 2, frozenset(opened), (*self.pairs, (a, a - 1)))
        return found, GENS[a], GENS[a - 1]

    def settled(self, p: Poly, strict: bool) -> bool:
        """Whether no coefficient is below 0, and with ``strict`` one is above 0 wherever slack may vanish."""
        if any(c < 0 for c in p.coeffs()):
            return False
        if not strict:
            return True
        paired = {i for pair in self.pairs for i in pair}
        closed = {i for i in range(SIZE - self.used, SIZE) if i not in self.opened}
        single = closed - paired
        loose = [pair for pair in self.pairs if set(pair) & closed]
        if len(loose) > 8:
            return False
        monomials = [{i for i, d in enumerate(m) if d} for m in p.to_dict()]
        for choice in product(*[[i for i in pair if i in closed] for pair in loose]):
            zero = single | set(choice)
            if not any(not (m & zero) for m in monomials):
                return False
        return True


def _room(place: int) -> None:
    if place < SIZE // 2:
        raise NotNormal("too many indeterminates")


def coefficients(p: Poly, place: int) -> dict[int, Poly]:
    """The coefficients of a polynomial in one of its indeterminates."""
    parts: dict[int, dict[tuple[int, ...], fmpq]] = {}
    for powers, c in p.to_dict().items():
        rest = list(powers)
        k = rest[place]
        rest[place] = 0
        parts.setdefault(k, {})[tuple(rest)] = c
    return {k: CTX.from_dict(terms) for k, terms in parts.items()}


def _infinite(e: Tree) -> bool:
    inner = e.args[0] if e.op == "neg" else e
    return inner.op == "const" and inner.text == "oo"


def _fraction(x: Any) -> fmpq:
    mantissa, exponent = x.man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)
