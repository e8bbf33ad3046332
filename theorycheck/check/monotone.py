"""Signs of elementary functions of one real variable, on intervals of any length.

`profile` finds where f is positive, negative and zero on an interval. If f is rational, its roots are
isolated. If f is a product, or a monotone function of something simpler, the parts are looked at. For
anything else f is divided by a function h without zeros and differentiated: between consecutive zeros
of (f/h)' the quotient is monotone, so its signs at those zeros and at the ends of the interval decide.
This is Rolle's theorem run backwards; it ends because logarithms, powers and exponentials die out under
such steps. Exact zeros (f touches 0 at 1, say) are kept as exact numbers, never as small floats.

All functions here must be real analytic on the open interval: then a function whose derivative has
one sign, zeros allowed, is strictly monotone or constant.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

import sympy as sp
from flint import fmpq

from theorycheck import balls
from theorycheck.check import algebra, expansions
from theorycheck.check.judge import replace
from theorycheck.check.limits import Clock, TimeUp, time_limit
from theorycheck.check.profiles import (
    BITS,
    ExtendedPoint,
    Profile,
    Unknown,
    approach,
    as_rational,
    before,
    between,
    enclosure,
    lies_between,
    product_of,
    root_place,
    sign_of_constant,
)
from theorycheck.check.tidying import (
    MAX_OPS,
    divisors,
    expanded,
    kernels_of,
    measure,
    norm_over_roots,
    plain_logarithm,
    square_roots,
    tidy,
    weak_sign,
)

_WIDTH = Fraction(1, 2**80)
_MAX_WAVES = 200
_STRICT_BOUNDS = ((sp.tanh, sp.Integer(1)), (sp.erf, sp.Integer(1)), (sp.atan, sp.pi / 2))
_ROOTS = "{0} vanishes only where its product over all signs of its square roots does"
_TURNS = "{0} over {1} is monotone between the zeros of the derivative, which has the signs of {2}"
NOT_ANALYTIC = (
    *(sp.nan, sp.zoo, sp.oo, sp.I, sp.Abs, sp.sign, sp.floor, sp.ceiling, sp.frac, sp.Mod),
    *(sp.Min, sp.Max, sp.Sum, sp.Product, sp.Derivative, sp.Piecewise),
)


class Signs:
    """Finds profiles for functions of one symbol within a time limit."""

    def __init__(self, symbol: Any, clock: Clock) -> None:
        self.x, self.clock = symbol, clock
        self._failed: set[Any] = set()

    def profile(self, f: Any, low: ExtendedPoint, high: ExtendedPoint, depth: int = 0) -> Profile:
        """Raises Unknown where the method does not get through."""
        if self.clock.out() or depth > 12:
            raise Unknown("time or depth")
        written = f
        f = tidy(f)
        if f.has(*NOT_ANALYTIC) or f.count_ops() > MAX_OPS:
            raise Unknown("too large, or not analytic")
        if self.x not in f.free_symbols:
            sign = sign_of_constant(f)
            if not sign:
                raise Unknown("a constant of unknown sign")
            return Profile((low, high), (sign,))
        if (f, low, high) in self._failed:
            raise Unknown("tried before")
        for how, method in (
            ("{0} is rational, its roots are isolated", self._rational),
            (_ROOTS, lambda *rest: self._with_roots(written, *rest[1:])),
            (None, lambda *rest: self._rational_slope(written, *rest[1:])),
            ("the signs of {0} are those of its factors", self._product),
            ("{0} has the signs of what its outermost function is monotone in", self._head),
            ("{0} is a constant and functions inside of their bounds", self._bounded),
            ("balls around {0} exclude 0", self._no_zero),
        ):
            found = method(f, low, high, depth)
            if found is not None:
                return found if how is None else found.by(how, f)
        try:
            return self._by_derivative(f, low, high, depth)
        except Unknown:
            self._failed.add((f, low, high))
            raise

    def _rational(
        self, f: Any, low: ExtendedPoint, high: ExtendedPoint, depth: int
    ) -> Profile | None:
        try:
            ratio = algebra.to_ratio(f, [self.x.name])
            both = ratio.numerator * ratio.denominator
            roots = algebra.real_roots([] if both.is_constant() else [algebra.univariate(both)])
        except (algebra.NotRationalExpression, algebra.PolynomialTooLarge):
            return None
        inner = []
        for root in roots:
            place = root_place(root)
            if before(low, place) and before(place, high):
                inner.append(place)
        if any(self._pole_at(ratio, place) for place in inner):
            raise Unknown("a pole inside")
        places = (low, *inner, high)
        signs = []
        for a, b in itertools.pairwise(places):
            value = both.subs({self.x.name: _flint(between(a, b))})
            signs.append(1 if value.leading_coefficient() > 0 else -1)
        return Profile(places, tuple(signs))

    def _with_roots(
        self, f: Any, low: ExtendedPoint, high: ExtendedPoint, depth: int
    ) -> Profile | None:
        """Rational functions of x and of square roots of such: where f vanishes, so does its norm, the
        product of f over all signs of the roots, which is rational."""
        radicands = square_roots(f, self.x)
        if not radicands:
            return None
        for radicand in radicands:
            if (
                self.x in radicand.free_symbols
                and -1 in self.profile(radicand, low, high, depth + 1).signs
            ):
                return None
        top, bottom = sp.fraction(sp.together(f))
        bottom *= sp.Mul(*(sp.fraction(sp.together(r))[1] for r in radicands))
        zeros, poles = (self._zeros_of_norm(part) for part in (top, bottom))
        if zeros is None or poles is None:
            return None
        if any(lies_between(p, low, high) and not self.sign_at(bottom, p) for p in poles):
            return None
        inner = [p for p in zeros if before(low, p) and before(p, high)]
        places = [low, *inner, high]
        signs = [self._sample_sign(f, a, b) for a, b in itertools.pairwise(places)]
        kept, changes = [low], [signs[0]]
        for place, left, right in zip(inner, signs, signs[1:], strict=False):
            at = None if left != right else self.sign_at(f, place)
            if left == right and at is None:
                raise Unknown("whether a root of the norm is one of the function")
            if left != right or at == 0:
                exact = (
                    place
                    if place.exact is not None
                    else ExtendedPoint(None, place.low, place.high, f)
                )
                kept.append(exact)
                changes.append(right)
        return Profile((*kept, high), tuple(changes))

    def _zeros_of_norm(self, part: Any) -> list[ExtendedPoint] | None:
        """Places among which are all zeros of a polynomial in x and square roots; None if not found."""
        norm = norm_over_roots(part, self.x)
        try:
            numerator = None if norm is None else algebra.to_ratio(norm, [self.x.name]).numerator
        except (algebra.NotRationalExpression, algebra.PolynomialTooLarge):
            return None
        if numerator is None:
            return None
        if numerator.is_constant():
            return []
        return [root_place(r) for r in algebra.real_roots([algebra.univariate(numerator)])]

    def _pole_at(self, ratio: algebra.Ratio, place: ExtendedPoint) -> bool:
        denominator = ratio.denominator
        if denominator.is_constant():
            return False
        roots = algebra.real_roots([algebra.univariate(denominator)])
        return any(
            not (before(root_place(r), place) or before(place, root_place(r)))
            if root_place(r).exact is not None or place.exact is not None
            else root_place(r) == place
            for r in roots
        )

    def _rational_slope(
        self, f: Any, low: ExtendedPoint, high: ExtendedPoint, depth: int
    ) -> Profile | None:
        """Sums, such as of logarithms and fractions, whose derivative is rational as they stand, or is
        so after a few steps: over a common denominator it would not be."""
        if not f.is_Add or not (kernels := kernels_of(f, self.x)):
            return None
        derivative = sp.expand(sp.diff(f, self.x))
        if derivative == 0:
            return None
        rational = not kernels_of(derivative, self.x)
        if not rational and (depth > 3 or not all(plain_logarithm(k, f, self.x) for k in kernels)):
            return None
        try:
            turning = self.profile(derivative, low, high, depth + 1)
            return self._from_turning(f, turning).by(_TURNS, f, sp.Integer(1), derivative)
        except Unknown:
            return None

    def _product(
        self, f: Any, low: ExtendedPoint, high: ExtendedPoint, depth: int
    ) -> Profile | None:
        if f.is_Mul:
            parts = [self.profile(a, low, high, depth + 1) for a in f.args]
            return product_of(parts, low, high)
        if f.is_Pow and f.args[1].is_Integer:
            inner = self.profile(f.args[0], low, high, depth + 1)
            if f.args[1] < 0 and inner.zeros:
                raise Unknown("a pole inside")
            odd = int(f.args[1]) % 2
            signs = inner.signs if odd else tuple(1 for _ in inner.signs)
            return dataclasses.replace(inner, signs=signs)
        return None

    def _head(self, f: Any, low: ExtendedPoint, high: ExtendedPoint, depth: int) -> Profile | None:
        if isinstance(f, sp.exp | sp.cosh | sp.erfc | sp.acos):
            return Profile((low, high), (1,))
        if isinstance(f, sp.gamma) or f.is_Pow:
            inner = self.profile(f.args[0], low, high, depth + 1)
            if set(inner.signs) != {1} or (inner.zeros and not f.args[-1].is_positive):
                raise Unknown("a power of something that is not positive")
            return inner
        if isinstance(f, sp.sinh | sp.tanh | sp.atan | sp.erf | sp.asinh | sp.asin | sp.atanh):
            return self.profile(f.args[0], low, high, depth + 1)
        if isinstance(f, sp.log):
            return self.profile(f.args[0] - 1, low, high, depth + 1)
        if isinstance(f, sp.tan | sp.cot):
            sine, cosine = (head(f.args[0]) for head in (sp.sin, sp.cos))
            below = cosine if isinstance(f, sp.tan) else sine
            if self.profile(below, low, high, depth + 1).zeros:
                raise Unknown("a pole inside")
            return self.profile(sine * cosine, low, high, depth + 1)
        if isinstance(f, sp.sin | sp.cos):
            return self._wave(f, low, high)
        return None

    def _wave(self, f: Any, low: ExtendedPoint, high: ExtendedPoint) -> Profile:
        """Zeros of sin(a*x + b), cos(a*x + b) on a bounded interval, as exact multiples of pi."""
        slope = f.args[0].diff(self.x)
        if low.infinite or high.infinite or slope.free_symbols or not slope.is_real:
            raise Unknown("oscillates without end")
        shift = f.args[0].subs(self.x, 0)
        offset = sp.Rational(0) if isinstance(f, sp.sin) else sp.Rational(1, 2)
        turns = [
            enclosure(ExtendedPoint(exact=(slope * as_rational(q) + shift) / sp.pi))
            for e in (low, high)
            for q in enclosure(e)
        ]
        first = floor(min(a for a, _ in turns)) - 1
        last = ceil(max(b for _, b in turns)) + 1
        if last - first > _MAX_WAVES:
            raise Unknown("too many waves")
        zeros = []
        for k in range(first, last + 1):
            place = ExtendedPoint(exact=(sp.pi * (k + offset) - shift) / slope)
            if before(low, place) and before(place, high):
                zeros.append(place)
        zeros.sort(key=lambda p: enclosure(p)[0])
        places = (low, *zeros, high)
        return Profile(
            places, tuple(self._sample_sign(f, a, b) for a, b in itertools.pairwise(places))
        )

    def _sample_sign(self, f: Any, a: ExtendedPoint, b: ExtendedPoint) -> int:
        sign = self.sign_at(f, ExtendedPoint(exact=as_rational(between(a, b))))
        if not sign:
            raise Unknown("sign of a sample")
        return sign

    def _bounded(
        self, f: Any, low: ExtendedPoint, high: ExtendedPoint, depth: int
    ) -> Profile | None:
        """A constant against functions that stay strictly inside of known bounds: 1 - tanh(x)."""
        if not f.is_Add:
            return None
        constant, rest = f.as_independent(self.x)
        size = sp.Integer(0)
        for term in sp.Add.make_args(rest):
            factor, function = term.as_coeff_Mul()
            bound = next((b for head, b in _STRICT_BOUNDS if isinstance(function, head)), None)
            if bound is None:
                return None
            size += abs(factor) * bound
        for sign in (1, -1):
            if sign_of_constant(sign * constant - size) in (0, 1):
                return Profile((low, high), (sign,))
        return None

    def _no_zero(
        self, f: Any, low: ExtendedPoint, high: ExtendedPoint, depth: int
    ) -> Profile | None:
        """Balls over the closed interval, if it is bounded and f keeps away from 0."""
        if low.infinite or high.infinite or depth > 6:
            return None
        compiled = self._compiled(f)
        todo = [(enclosure(low)[0], enclosure(high)[1])]
        seen: set[int] = set()
        for _ in range(60):
            if not todo:
                return Profile((low, high), (seen.pop(),)) if len(seen) == 1 else None
            a, b = todo.pop()
            result = balls.enclose_box(compiled, {self.x.name: (a, b)}, 64)
            if result.ball is not None and (result.ball > 0 or result.ball < 0):
                seen.add(1 if result.ball > 0 else -1)
                if len(seen) > 1:
                    return None
                continue
            if b - a < Fraction(1, 2**12):
                return None
            middle = (a + b) / 2
            todo += [(a, middle), (middle, b)]
        return None

    def _by_derivative(
        self, f: Any, low: ExtendedPoint, high: ExtendedPoint, depth: int
    ) -> Profile:
        for h, divisor, quotient, derivative in self._steps(f, low, high, depth):
            try:
                if derivative == 0:
                    sign = self._sample_sign(quotient, low, high)
                    return product_of([Profile((low, high), (sign,)), divisor], low, high)
                weak = weak_sign(derivative)
                if weak:
                    turning = Profile((low, high), (weak,))
                else:
                    turning = self.profile(derivative, low, high, depth + 1)
                signs = self._from_turning(quotient, turning)
            except Unknown:
                if self.clock.out():
                    raise
                continue
            return product_of([signs, divisor], low, high).by(_TURNS, f, h, derivative)
        raise Unknown("no step simplifies it")

    def _steps(
        self, f: Any, low: ExtendedPoint, high: ExtendedPoint, depth: int
    ) -> Iterator[tuple[Any, Profile, Any, Any]]:
        """(h, its profile, f/h, (f/h)'), the simplest derivative first; h has no zero inside."""
        options = []
        for h in divisors(f, self.x):
            quotient = expanded(f / h) if h != 1 else f
            derivative = tidy(sp.diff(quotient, self.x))
            settled = derivative == 0 or weak_sign(derivative) != 0
            key = (not settled, measure(derivative, self.x), sp.default_sort_key(h))
            options.append((*key, h, quotient, derivative))
        options.sort(key=lambda o: o[:3])
        # Wide at the top, narrow below: three wrong turns in a row are not worth their time.
        for *_, h, quotient, derivative in options[: 3 if depth <= 3 else 2 if depth <= 6 else 1]:
            try:
                divisor = (
                    Profile((low, high), (1,)) if h == 1 else self.profile(h, low, high, depth + 1)
                )
            except Unknown:
                continue
            if not divisor.zeros:
                yield h, divisor, quotient, derivative

    def _from_turning(self, f: Any, turning: Profile) -> Profile:
        """Signs of f, monotone between the turning places."""
        # A zero of the derivative without change of sign does not turn f around.
        places, slopes = [turning.places[0]], list[int]()
        for i, slope in enumerate(turning.signs):
            if slopes and slopes[-1] == slope:
                places[-1] = turning.places[i + 1]
                continue
            slopes.append(slope)
            places.append(turning.places[i + 1])
        known: dict[int, int] = {}

        def value(i: int) -> int:
            if i not in known:
                known[i] = self._value_sign(f, places, slopes, i)
            return known[i]

        out, signs = [places[0]], list[int]()
        for i, slope in enumerate(slopes):
            if i and value(i) == 0:
                out.append(places[i])
            # Limits cost most, so the end of the piece that is no end of the interval goes first.
            order = (i, i + 1) if self._is_cheap(f, places, i) else (i + 1, i)
            zero, sign = None, 0
            for k in order:
                rising = slope if k == i else -slope
                if value(k) in (0, rising):
                    sign = rising
                    break
            if not sign:
                zero, sign = self._crossing(f, places[i], places[i + 1], slope), -slope
            if i == 0 or value(i) == 0:
                signs.append(sign)
            elif signs[-1] != sign:
                raise Unknown("signs do not fit together")
            if zero is not None:
                out.append(zero)
                signs.append(slope)
        return Profile((*out, places[-1]), tuple(signs), turning.steps)

    def _is_cheap(self, f: Any, places: Sequence[ExtendedPoint], i: int) -> bool:
        """Whether the sign at the i-th place needs no limit."""
        if i > 0:
            return True
        return not places[0].infinite and self._defined_at(f, places[0])

    def _value_sign(
        self, f: Any, places: Sequence[ExtendedPoint], slopes: Sequence[int], i: int
    ) -> int:
        """Sign of f at a turning place, or of its limit at an end of the interval."""
        place = places[i]
        at_end = i in (0, len(places) - 1)
        sign = None
        if not place.infinite and (not at_end or self._defined_at(f, place)):
            sign = self.sign_at(f, place)
        if sign is None and at_end:
            is_low = i == 0
            return self._limit_sign(f, place, -slopes[0] if is_low else slopes[-1], is_low)
        if sign is None:
            raise Unknown("the sign at a turning place")
        return sign

    def _defined_at(self, f: Any, place: ExtendedPoint) -> bool:
        if place.exact is None:
            return True
        expression, values = self._at(f, place)
        return bool(balls.evaluate(expression, values, max_prec=256).status == "ok")

    def _limit_sign(self, f: Any, end: ExtendedPoint, towards: int, is_low: bool) -> int:
        """Sign of the limit of a monotone f at an end where it has no value; ``towards`` is +1 if f
        grows on the way there. One probe of that sign settles it; otherwise the limit is computed by
        expansions, and must agree with the probes."""
        if end.exact is None:
            raise Unknown("limit at an unknown place")
        probes = [self.sign_at(f, p) for p in approach(end, is_low)]
        if towards in probes:
            return towards
        sign = expansions.limit_sign(f, self.x, end.exact, from_above=is_low)
        if sign is None or sign == towards:
            raise Unknown("the sign of a limit")
        return sign

    def _crossing(self, f: Any, a: ExtendedPoint, b: ExtendedPoint, slope: int) -> ExtendedPoint:
        """The only zero of a monotone f between two places: exact if simple, else enclosed."""
        low, high = self._bracket(f, a, b, slope)
        guess = algebra.simplest_between(low, high)
        for step in range(600):
            middle = guess if step % 2 == 0 and low < guess < high else (low + high) / 2
            sign = self.sign_at(f, ExtendedPoint(exact=as_rational(middle)))
            if sign == 0:
                return ExtendedPoint(exact=as_rational(middle))
            if sign is None:
                raise Unknown("a sign while bisecting")
            if sign == slope:
                high = middle
            else:
                low = middle
            if high - low < _WIDTH * max(Fraction(1), abs(low)):
                return self._exact_zero(f, low, high) or ExtendedPoint(None, low, high, f)
            if high - low > Fraction(1, 1000):  # a simple zero is found exactly this way
                guess = algebra.simplest_between(low, high)
        raise Unknown("bisection")

    def _exact_zero(self, f: Any, low: Fraction, high: Fraction) -> ExtendedPoint | None:
        """The zero in closed form, where SymPy proposes one and it is proved to be a zero."""
        if f.count_ops() > 12:
            return None
        try:
            with time_limit(1.0):
                proposals = sp.solve(f, self.x)
        except (NotImplementedError, ValueError, TypeError, TimeUp):
            return None
        for value in proposals:
            if not value.is_number or not value.is_real or value.has(sp.LambertW):
                continue
            place = ExtendedPoint(exact=value)
            a, b = enclosure(place)
            if low <= b and a <= high and self.sign_at(f, place) == 0:
                return place
        return None

    def _bracket(
        self, f: Any, a: ExtendedPoint, b: ExtendedPoint, slope: int
    ) -> tuple[Fraction, Fraction]:
        start = between(a, b)
        low = high = start
        for inward, side in ((a, -1), (b, 1)):
            wanted = slope * side
            value = start
            for k in range(1, 2000):
                if self.sign_at(f, ExtendedPoint(exact=as_rational(value))) == wanted:
                    break
                if inward.infinite:
                    value = start + side * Fraction(2) ** k
                else:
                    edge = enclosure(inward)[1 if side < 0 else 0]
                    value = edge + (start - edge) / 2**k
            else:
                raise Unknown("no bracket")
            if side < 0:
                low = value
            else:
                high = value
        return low, high

    def sign_at(self, f: Any, place: ExtendedPoint) -> int | None:
        """Proved sign of f at a place; None if not decided."""
        if place.infinite:
            return None
        if place.exact is None:
            box = {self.x.name: enclosure(place)}
            result = balls.enclose_box(self._compiled(f), box, 256)
            if result.ball is not None and (result.ball > 0 or result.ball < 0):
                return 1 if result.ball > 0 else -1
            return None
        expression, values = self._at(f, place)
        sign: int | None = balls.sign(expression, values, max_prec=BITS)
        if sign is None and (not values or max(abs(place.exact.p), place.exact.q) <= 64):
            # SymPy's own evaluation knows exp(1) = E and the like; the rest is again for balls.
            value = f.subs(self.x, place.exact)
            return sign_of_constant(sp.expand(value) if value.count_ops() < 40 else value)
        return sign

    def _at(self, f: Any, place: ExtendedPoint) -> tuple[Any, dict[str, Fraction]]:
        """f and values for its symbol; SymPy is never asked to evaluate at long numbers."""
        if place.exact.is_Rational:
            return f, {self.x.name: Fraction(int(place.exact.p), int(place.exact.q))}
        return replace(f, {self.x: place.exact}), {}

    def _compiled(self, f: Any) -> Any:
        return balls.compile_expression(f, [self.x])


def _sign(value: Any) -> int:
    return int(value > 0) - int(value < 0)


def _flint(value: Fraction) -> Any:
    return fmpq(value.numerator, value.denominator)
