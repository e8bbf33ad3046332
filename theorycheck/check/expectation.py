"""Expectations and probabilities over the standard laws, as expressions without random names.

On the pieces of a body (`theorycheck.check.pieces`) every term x**k exp(a x + b x**2) has a closed
form: completing the square leaves moments of the normal density between two ends,

    M_0(A, B) = (erfc(A/sqrt 2) - erfc(B/sqrt 2))/2,
    M_j(A, B) = (j - 1) M_(j-2) + A**(j-1) phi(A) - B**(j-1) phi(B),

from integrating x**(j-1) (x phi(x)) by parts; for the exponential density the antiderivative of
x**k exp(a x) is a polynomial times exp(a x). Laws on points are sums. What has no closed form stays an
`Integral`, which `theorycheck.balls` encloses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from theorycheck.check.formula import Comparison, Connective, Formula, Predicate
from theorycheck.check.law import Distribution
from theorycheck.check.pieces import affine, comparisons, indicator, pieces, sign_of, truth

_HIGHEST = 40  # power of a name: longer recursions are nobody's moment


def expectation(body: Any, laws: Sequence[Distribution]) -> Any:
    """E[body].

    Raises:
        ValueError: where no form of it is known.
    """
    for law in reversed(laws):
        if body.has(law.symbol):
            body = _mean(body, law)
    return body


def covariance(first: Any, second: Any, laws: Sequence[Distribution]) -> Any:
    """E[xy] - E[x] E[y]; the variance where both are the same. Raises ValueError."""
    product = expectation(sp.expand(first * second), laws)
    return product - expectation(first, laws) * expectation(second, laws)


def probability(event: Formula, laws: Sequence[Distribution]) -> Any:
    """P[event], of one random name, or of several of finitely many values.

    Raises:
        ValueError: where no form of it is known.
    """
    used = [law for law in laws if any(e.has(law.symbol) for e in _sides(event))]
    if not used:
        raise ValueError("no random name stands in P[...]")
    if all(law.kind in ("bernoulli", "rademacher") for law in used):
        return _finite(event, used)
    if len(used) > 1:
        raise ValueError("events are of one random name; write the law of the combination")
    law = used[0]
    if law.kind in ("binomial", "poisson", "geometric"):
        return _counted(event, law)
    z, low, high, standard = _standard(law)
    inside = _replaced(event, law.symbol, standard)
    total: Any = sp.Integer(0)
    for a, b in indicator(inside, z, low, high):
        total += _integral(sp.Integer(1), law, z, a, b)
    return total


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


# ---------------------------------------------------------------- laws on points


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


def _finite(event: Formula, laws: Sequence[Distribution]) -> Any:
    cases: list[tuple[dict[Any, Any], Any]] = [({}, sp.Integer(1))]
    for law in laws:
        cases = [
            ({**put, law.symbol: value}, weight * w)
            for put, weight in cases
            for value, w in _points(law)
        ]
    total: Any = sp.Integer(0)
    for put, weight in cases:
        if truth(event, lambda c, put=put: _decided(c, put)):  # type: ignore[misc]
            total += weight
    return total


def _decided(comparison: Comparison, put: dict[Any, Any]) -> bool:
    sign = sign_of(sp.expand((comparison.lhs - comparison.rhs).xreplace(put)))
    if sign is None:
        raise ValueError("whether the event occurs is not known for all values of the names")
    return {"==": sign == 0, "!=": sign != 0, "<": sign < 0, "<=": sign <= 0, ">": sign > 0,
            ">=": sign >= 0}[comparison.op]  # fmt: skip


def _counted(event: Formula, law: Distribution) -> Any:
    """A sum over the integers of a range: the event is one comparison of the name with a bound, or
    several joined by and."""
    mass, first, last = _mass(law, law.symbol)
    low, high = [first], [last]
    parts = event.parts if isinstance(event, Connective) and event.kind == "and" else (event,)
    for part in parts:
        for comparison in comparisons(part):
            if not isinstance(part, Comparison):
                raise ValueError("events of a count are comparisons joined by and")
            _bound(comparison, law.symbol, low, high)
    start = low[0] if len(low) == 1 else sp.Max(*low, evaluate=False)
    end = high[0] if len(high) == 1 else sp.Min(*[h for h in high if h != sp.oo], evaluate=False)
    return sp.Sum(mass, (law.symbol, start, end))


def _bound(comparison: Comparison, name: Any, low: list[Any], high: list[Any]) -> None:
    parts = affine(sp.expand(comparison.lhs - comparison.rhs), name)
    if parts is None or sign_of(parts[0]) in (None, 0):
        raise ValueError(f"the event is no bound on {name}")
    a, b = parts
    place, up = -b / a, (sign_of(a) == 1) == (comparison.op in (">", ">="))
    if comparison.op == "==":
        low.append(sp.ceiling(place))
        high.append(sp.floor(place))
    elif comparison.op == "!=":
        raise ValueError("an event with != is one minus the event with ==")
    elif up:
        low.append(sp.floor(place) + 1 if comparison.op in ("<", ">") else sp.ceiling(place))
    else:
        high.append(sp.ceiling(place) - 1 if comparison.op in ("<", ">") else sp.floor(place))


# ---------------------------------------------------------------- densities


def _standard(law: Distribution) -> tuple[Any, Any, Any, Any]:
    """(z, low, high, x): z has the standard law on (low, high), x is the name in terms of it."""
    z = sp.Dummy("z", real=True)
    if law.kind == "normal":
        mean, variance = law.parameters
        return z, -sp.oo, sp.oo, mean + sp.sqrt(variance) * z
    if law.kind == "uniform":
        low, high = law.parameters
        return z, sp.Integer(0), sp.Integer(1), low + (high - low) * z
    if law.kind == "exponential":
        return z, sp.Integer(0), sp.oo, z / law.parameters[0]
    return z, -sp.oo, sp.oo, law.parameters[0] * z


def _density(law: Distribution, z: Any, positive: bool) -> Any:
    if law.kind == "normal":
        return sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)
    if law.kind == "uniform":
        return sp.Integer(1)
    if law.kind == "exponential":
        return sp.exp(-z)
    return sp.exp(-z if positive else z) / 2


def _mean(body: Any, law: Distribution) -> Any:
    if law.kind in ("bernoulli", "rademacher"):
        return sum(
            (weight * body.xreplace({law.symbol: v}) for v, weight in _points(law)), sp.Integer(0)
        )
    if law.kind in ("binomial", "poisson", "geometric"):
        mass, first, last = _mass(law, law.symbol)
        return sp.Sum(body * mass, (law.symbol, first, last))
    z, low, high, standard = _standard(law)
    inside = body.xreplace({law.symbol: standard})
    border = (sp.Integer(0),) if law.kind == "laplace" else ()
    return sum(
        (_integral(p.body, law, z, p.low, p.high) for p in pieces(inside, z, low, high, border)),
        sp.Integer(0),
    )


def _integral(body: Any, law: Distribution, z: Any, low: Any, high: Any) -> Any:
    """The integral of body times density over (low, high), on which the body has no kinks."""
    if law.kind == "laplace" and low == -sp.oo and high != 0 and high.is_nonpositive is not True:
        return _integral(body, law, z, low, sp.Integer(0)) + _integral(
            body, law, z, sp.Integer(0), high
        )
    if body == 0:
        return sp.Integer(0)
    density = _density(law, z, positive=bool(low.is_nonnegative))
    return integral(body * density, z, low, high)


def integral(body: Any, z: Any, low: Any, high: Any) -> Any:
    """The integral of a body without kinks: in closed form where its terms have one.

    Raises:
        ValueError: where it is infinite.
    """
    terms = _terms(body, z)
    if terms is None:
        return sp.Integral(body, (z, low, high))
    return sum((c * _moment(k, a, b, low, high, z) for c, k, a, b in terms), sp.Integer(0))


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


def _moment(k: int, a: Any, b: Any, low: Any, high: Any, z: Any) -> Any:
    """The integral of z**k exp(a z + b z**2) over (low, high)."""
    if b == 0:
        return _exponential_moment(k, a, low, high)
    if sign_of(b) != -1:
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


def _exponential_moment(k: int, a: Any, low: Any, high: Any) -> Any:
    """The integral of z**k exp(a z): by parts k times."""
    sign = sign_of(a)
    if sign is None:
        raise ValueError(f"the sign of {a} is not known; declare the names so that it is")
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


__all__ = ["covariance", "expectation", "integral", "probability"]
