"""Expectations and probabilities over the standard laws, as expressions without random names.

On the pieces of a body (`theorycheck.check.pieces`) every term x**k exp(a x + b x**2) has a closed
form: completing the square leaves moments of the normal density between two ends,

    M_0(A, B) = (erfc(A/sqrt 2) - erfc(B/sqrt 2))/2,
    M_j(A, B) = (j - 1) M_(j-2) + A**(j-1) phi(A) - B**(j-1) phi(B),

from integrating x**(j-1) (x phi(x)) by parts; for the exponential density the antiderivative of
x**k exp(a x) is a polynomial times exp(a x). Laws on points are sums. What has no closed form stays an
`Integral`, which `theorycheck.balls` encloses. Signs of what the names leave open are those that their
ranges allow (`theorycheck.check.ranges`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from theorycheck.check.antiderivatives import integrated
from theorycheck.check.formula import Comparison, Connective, Formula, Predicate
from theorycheck.check.law import Distribution
from theorycheck.check.operators import NEGATED
from theorycheck.check.pieces import affine, before, indicator, pieces, truth
from theorycheck.check.ranges import OpenSign, Ranges

_HIGHEST = 40  # power of a name: longer recursions are nobody's moment
_KINKS = (sp.Max, sp.Min, sp.Abs, sp.sign, sp.Heaviside, sp.Piecewise)
_COUNTED = ("binomial", "poisson", "geometric")


@dataclass
class Means:
    """Expectations under ``laws``, for names in ``ranges``."""

    laws: Sequence[Distribution]
    ranges: Ranges
    _scales: dict[Any, Any] = field(default_factory=dict)
    """Positive names for scales whose sign the ranges leave open; laws have no others."""

    def bracket(self, head: str, bodies: Sequence[Any]) -> Any:
        """``E[x]``, ``P[x > 0]``, ``Var[x]``, ``Cov[x, y]`` without random names.

        Raises:
            OpenSign: where a sign is not known.
            ValueError: where no form of it is known.
        """
        if head == "P":
            found = self.probability(bodies[0])
        elif head == "E":
            found = self.expectation(bodies[0])
        else:
            found = self.covariance(bodies[0], bodies[-1])
        return found.xreplace({slot: scale for scale, slot in self._scales.items()})

    def expectation(self, body: Any) -> Any:
        """E[body]."""
        for law in reversed(self.laws):
            if body.has(law.symbol):
                body = self._mean(body, law)
        return body

    def covariance(self, first: Any, second: Any) -> Any:
        """E[xy] - E[x] E[y]; the variance where both are the same."""
        product = self.expectation(sp.expand(first * second))
        return product - self.expectation(first) * self.expectation(second)

    def probability(self, event: Formula) -> Any:
        """P[event], of one random name, or of several of finitely many values."""
        used = [law for law in self.laws if any(e.has(law.symbol) for e in _sides(event))]
        if not used:
            raise ValueError("no random name stands in P[...]")
        if all(law.kind in ("bernoulli", "rademacher") for law in used):
            return self._finite(event, used)
        if len(used) > 1:
            raise ValueError("events are of one random name; write the law of the combination")
        law = used[0]
        if law.kind in _COUNTED:
            return self._counted(event, law)
        z, low, high, standard = self._standard(law)
        inside = _replaced(event, law.symbol, standard)
        total: Any = sp.Integer(0)
        for a, b in indicator(inside, z, low, high, self.ranges, _border(law)):
            total += self._integral(sp.Integer(1), law, z, a, b)
        return total

    # ------------------------------------------------------------ laws on points

    def _finite(self, event: Formula, laws: Sequence[Distribution]) -> Any:
        cases: list[tuple[dict[Any, Any], Any]] = [({}, sp.Integer(1))]
        for law in laws:
            cases = [
                ({**put, law.symbol: value}, weight * w)
                for put, weight in cases
                for value, w in _points(law)
            ]
        total: Any = sp.Integer(0)
        for put, weight in cases:
            if truth(event, lambda c, put=put: self._decided(c, put)):  # type: ignore[misc]
                total += weight
        return total

    def _decided(self, comparison: Comparison, put: dict[Any, Any]) -> bool:
        difference = sp.expand((comparison.lhs - comparison.rhs).xreplace(put))
        sign = self.ranges.sign(difference)
        if sign is None:
            raise OpenSign(
                difference, "whether the event occurs is not known for all values of the names"
            )
        return {
            "==": sign == 0,
            "!=": sign != 0,
            "<": sign < 0,
            "<=": sign <= 0,
            ">": sign > 0,
            ">=": sign >= 0,
        }[comparison.op]

    def _counted(self, event: Formula, law: Distribution) -> Any:
        """A sum over the integers of a range, or one minus such a sum: the event, or its contrary, is
        one comparison of the name with a bound, or several joined by and."""
        for formula, contrary in ((event, False), (negated(event), True)):
            parts = _conjunction(formula)
            if parts is not None:
                total = self._summed(parts, law)
                return 1 - total if contrary else total
        raise ValueError("events of a count are comparisons joined by and, or by or")

    def _summed(self, parts: Sequence[Comparison], law: Distribution) -> Any:
        mass, first, last = _mass(law, law.symbol)
        low, high = [first], [last]
        for comparison in parts:
            self._bound(comparison, law.symbol, low, high)
        start = low[0] if len(low) == 1 else sp.Max(*low, evaluate=False)
        end = (
            high[0] if len(high) == 1 else sp.Min(*[h for h in high if h != sp.oo], evaluate=False)
        )
        return sp.Sum(mass, (law.symbol, start, end))

    def _bound(self, comparison: Comparison, name: Any, low: list[Any], high: list[Any]) -> None:
        parts = affine(sp.expand(comparison.lhs - comparison.rhs), name)
        if parts is None:
            raise ValueError(f"the event is no bound on {name}")
        a, b = parts
        sign = self.ranges.sign(a)
        if sign == 0:
            raise ValueError(f"the event is no bound on {name}")
        if sign is None:
            raise OpenSign(a, f"the sign of {a} is not known; declare the names so that it is")
        place, up = -b / a, (sign == 1) == (comparison.op in (">", ">="))
        if comparison.op == "==":
            low.append(sp.ceiling(place))
            high.append(sp.floor(place))
        elif up:
            low.append(sp.floor(place) + 1 if comparison.op in ("<", ">") else sp.ceiling(place))
        else:
            high.append(sp.ceiling(place) - 1 if comparison.op in ("<", ">") else sp.floor(place))

    # ------------------------------------------------------------ densities

    def _standard(self, law: Distribution) -> tuple[Any, Any, Any, Any]:
        """(z, low, high, x): z has the standard law on (low, high), x is the name in terms of it."""
        z = sp.Dummy("z", real=True)
        if law.kind == "normal":
            mean, variance = law.parameters
            return z, -sp.oo, sp.oo, mean + self._scale(sp.sqrt(variance)) * z
        if law.kind == "uniform":
            low, high = law.parameters
            return z, sp.Integer(0), sp.Integer(1), low + self._scale(high - low) * z
        if law.kind == "exponential":
            return z, sp.Integer(0), sp.oo, z / self._scale(law.parameters[0])
        return z, -sp.oo, sp.oo, self._scale(law.parameters[0]) * z

    def _scale(self, scale: Any) -> Any:
        """The scale of a law, which is positive: under a name that says so where the ranges do not."""
        if self.ranges.sign(scale) in (0, 1):
            return scale
        return self._scales.setdefault(scale, sp.Dummy("scale", positive=True))

    def _mean(self, body: Any, law: Distribution) -> Any:
        if law.kind in ("bernoulli", "rademacher"):
            return sum(
                (weight * body.xreplace({law.symbol: v}) for v, weight in _points(law)),
                sp.Integer(0),
            )
        if law.kind in _COUNTED:
            mass, first, last = _mass(law, law.symbol)
            return sp.Sum(body * mass, (law.symbol, first, last))
        z, low, high, standard = self._standard(law)
        inside = body.xreplace({law.symbol: standard})
        return sum(
            (
                self._integral(p.body, law, z, p.low, p.high)
                for p in pieces(inside, z, low, high, self.ranges, _border(law))
            ),
            sp.Integer(0),
        )

    def _integral(self, body: Any, law: Distribution, z: Any, low: Any, high: Any) -> Any:
        """The integral of body times density over (low, high), on which the body has no kinks."""
        if body == 0:
            return sp.Integer(0)
        positive = low != -sp.oo and (
            law.kind != "laplace" or before(sp.Integer(0), low, self.ranges)
        )
        return integral(body * _density(law, z, positive), z, low, high, self.ranges)


def _border(law: Distribution) -> tuple[Any, ...]:
    """Where the standard density has a kink."""
    return (sp.Integer(0),) if law.kind == "laplace" else ()


def _sides(formula: Formula) -> list[Any]:
    if isinstance(formula, Comparison):
        return [formula.lhs, formula.rhs]
    if isinstance(formula, Predicate):
        return list(formula.args)
    return [e for part in formula.parts for e in _sides(part)]


def _replaced(formula: Formula, name: Any, value: Any) -> Formula:
    put = {name: value}
    if isinstance(formula, Comparison):
        return Comparison(formula.op, formula.lhs.xreplace(put), formula.rhs.xreplace(put))
    if isinstance(formula, Predicate):
        return Predicate(formula.name, tuple(a.xreplace(put) for a in formula.args))
    return Connective(formula.kind, tuple(_replaced(p, name, value) for p in formula.parts))


def negated(formula: Formula) -> Formula:
    """The contrary, with ``not`` driven inside as far as it goes."""
    if isinstance(formula, Comparison):
        return Comparison(NEGATED[formula.op], formula.lhs, formula.rhs)
    if isinstance(formula, Connective):
        if formula.kind == "not":
            return formula.parts[0]
        other = {"and": "or", "or": "and"}[formula.kind]
        return Connective(other, tuple(negated(p) for p in formula.parts))
    return Connective("not", (formula,))


def _conjunction(formula: Formula) -> list[Comparison] | None:
    """Comparisons of which all must hold, without absolute values; None for other events. Raises
    ValueError for predicates."""
    if isinstance(formula, Comparison):
        return _without_abs(formula)
    if isinstance(formula, Predicate):
        raise ValueError(f"{formula.name}(...) of a random name is not read")
    if formula.kind == "not":
        inner = formula.parts[0]
        return _conjunction(inner if isinstance(inner, Predicate) else negated(inner))
    found = [_conjunction(p) for p in formula.parts]
    if formula.kind == "or" or any(f is None for f in found):
        return None
    return [c for f in found if f is not None for c in f]


def _without_abs(c: Comparison) -> list[Comparison] | None:
    """``|u| <= b`` as -b <= u and u <= b; None where the event is a union."""
    for low, high, op in ((c.lhs, c.rhs, c.op), (c.rhs, c.lhs, _TURNED[c.op])):
        if isinstance(low, sp.Abs) and op in ("<", "<=") and not high.has(sp.Abs):
            u = low.args[0]
            return [Comparison(op, u, high), Comparison(op, -high, u)]
    if c.op == "!=" or any(isinstance(e, sp.Abs) for e in (c.lhs, c.rhs)):
        return None
    return [c]


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _points(law: Distribution) -> list[tuple[Any, Any]]:
    if law.kind == "rademacher":
        return [(sp.Integer(1), sp.Rational(1, 2)), (sp.Integer(-1), sp.Rational(1, 2))]
    p = law.parameters[0]
    return [(sp.Integer(1), p), (sp.Integer(0), 1 - p)]


def _mass(law: Distribution, k: Any) -> tuple[Any, Any, Any]:
    """(mass at k, first k, last k)."""
    if law.kind == "binomial":
        n, p = law.parameters
        return sp.binomial(n, k, evaluate=False) * p**k * (1 - p) ** (n - k), sp.Integer(0), n
    if law.kind == "poisson":
        m = law.parameters[0]
        return m**k * sp.exp(-m) / sp.factorial(k, evaluate=False), sp.Integer(0), sp.oo
    p = law.parameters[0]
    return (1 - p) ** (k - 1) * p, sp.Integer(1), sp.oo


def _density(law: Distribution, z: Any, positive: bool) -> Any:
    if law.kind == "normal":
        return sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)
    if law.kind == "uniform":
        return sp.Integer(1)
    if law.kind == "exponential":
        return sp.exp(-z)
    return sp.exp(-z if positive else z) / 2


def integral_over(body: Any, z: Any, low: Any, high: Any, ranges: Ranges) -> Any:
    """The integral of a body from low to high, split where it has kinks; low may lie above high.

    Raises:
        OpenSign: where the order of two places is not known.
        ValueError: where it is infinite, or a kink is not affine.
    """
    if low == sp.oo or high == -sp.oo:
        return -integral_over(body, z, high, low, ranges)
    if not any(h.has(z) for h in body.atoms(*_KINKS)):
        return integral(body, z, low, high, ranges)
    if not before(low, high, ranges):
        return -integral_over(body, z, high, low, ranges)
    parts = [integral(p.body, z, p.low, p.high, ranges) for p in pieces(body, z, low, high, ranges)]
    return parts[0] if len(parts) == 1 else sp.Add(*parts, evaluate=False)


def integral(body: Any, z: Any, low: Any, high: Any, ranges: Ranges) -> Any:
    """The integral of a body without kinks: in closed form where its terms have one.

    Raises:
        ValueError: where it is infinite.
    """
    terms = _terms(body, z)
    # Between finite ends every exponential has an integral, if not in closed form.
    finite = bool(low.is_finite and high.is_finite)
    if terms is None or (finite and any(b != 0 and ranges.sign(b) != -1 for *_, b in terms)):
        closed = integrated(body, z, low, high, ranges)
        return sp.Integral(body, (z, low, high)) if closed is None else closed
    return sum((c * _moment(k, a, b, low, high, ranges) for c, k, a, b in terms), sp.Integer(0))


def _terms(body: Any, z: Any) -> list[tuple[Any, int, Any, Any]] | None:
    """(c, k, a, b) of the terms c z**k exp(a z + b z**2), None where there are others."""
    found = []
    for term in sp.Add.make_args(sp.expand(body)):
        coefficient, power, exponent = sp.Integer(1), 0, sp.Integer(0)
        for factor in sp.Mul.make_args(term):
            if not factor.has(z):
                coefficient *= factor
            elif factor == z:
                power += 1
            elif factor.is_Pow and factor.base == z and factor.exp.is_Integer and factor.exp > 0:
                power += int(factor.exp)
            elif isinstance(factor, sp.exp):
                exponent += factor.args[0]
            else:
                return None
        polynomial = sp.Poly(exponent, z) if exponent.is_polynomial(z) else None
        if polynomial is None or polynomial.degree() > 2 or power > _HIGHEST:
            return None
        b, a, c = (polynomial.coeff_monomial(z**k) for k in (2, 1, 0))
        found.append((coefficient * sp.exp(c), power, a, b))
    return found


def _moment(k: int, a: Any, b: Any, low: Any, high: Any, ranges: Ranges) -> Any:
    """The integral of z**k exp(a z + b z**2) over (low, high)."""
    if b == 0:
        return _exponential_moment(k, a, low, high, ranges)
    if ranges.sign(b) != -1:
        raise ValueError("the expectation is not finite, or that is not known")
    c = -2 * b
    root = sp.sqrt(c)
    shift = a / root
    start, end = (x if x in (sp.oo, -sp.oo) else root * x - shift for x in (low, high))
    # z = (w + shift)/root; the normal density carries its sqrt(2 pi) along.
    weights = [sp.binomial(k, j) * shift ** (k - j) for j in range(k + 1)]
    moments = _normal_moments(k, start, end)
    inside = sum((w * m for w, m in zip(weights, moments, strict=True)), sp.Integer(0))
    return sp.sqrt(2 * sp.pi) * sp.exp(a**2 / (2 * c)) / root ** (k + 1) * inside


def _normal_moments(most: int, low: Any, high: Any) -> list[Any]:
    def tail(x: Any) -> Any:
        if x in (sp.oo, -sp.oo):
            return sp.Integer(0 if x == sp.oo else 1)
        return sp.erfc(x / sp.sqrt(2)) / 2

    def edge(x: Any, j: int) -> Any:
        if x in (sp.oo, -sp.oo):
            return sp.Integer(0)
        return x**j * sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)

    found = [tail(low) - tail(high)]
    for j in range(1, most + 1):
        before = (j - 1) * found[j - 2] if j > 1 else sp.Integer(0)
        found.append(before + edge(low, j - 1) - edge(high, j - 1))
    return found


def _exponential_moment(k: int, a: Any, low: Any, high: Any, ranges: Ranges) -> Any:
    """The integral of z**k exp(a z): by parts k times."""
    sign = ranges.sign(a)
    if sign is None:
        raise OpenSign(a, f"the sign of {a} is not known; declare the names so that it is")
    if sign == 0:
        if low == -sp.oo or high == sp.oo:
            raise ValueError("the expectation is not finite")
        return (high ** (k + 1) - low ** (k + 1)) / (k + 1)
    if (high == sp.oo and sign > 0) or (low == -sp.oo and sign < 0):
        raise ValueError("the expectation is not finite")

    def antiderivative(x: Any) -> Any:
        if x in (sp.oo, -sp.oo):
            return sp.Integer(0)
        total = sum(
            ((-1) ** j * sp.ff(k, j) * x ** (k - j) / a ** (j + 1) for j in range(k + 1)),
            sp.Integer(0),
        )
        return sp.exp(a * x) * total

    return antiderivative(high) - antiderivative(low)


__all__ = ["Means", "integral", "integral_over", "negated"]
