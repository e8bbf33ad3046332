"""Exact decisions about polynomials and rational functions with rational coefficients.

One variable: the real roots of every polynomial involved are isolated and the statement is decided
on each open cell and at each root, strict or not, holes included; this settles the whole domain.
Several variables: an open cylindrical decomposition (projection by leading coefficients,
discriminants and resultants; one rational sample in each full-dimensional cell) settles non-strict
inequalities between continuous sides, because the open cells are dense; and a substitution onto the
positive orthant settles many strict ones by the signs of the coefficients alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq, fmpq_mpoly_ctx, fmpq_poly, fmpz_poly

# Beyond these sizes projection takes minutes; other methods take over.
MAX_TERMS = 2000
MAX_DEGREE = 60
MAX_VARIANTS = 64


class NotRationalExpression(Exception):
    """The expression is no rational function of the names (after eliminating Abs, Min, Max)."""


class PolynomialTooLarge(Exception):
    """An intermediate polynomial outgrew the limits of this module."""


@dataclass(frozen=True)
class Ratio:
    """``numerator / denominator`` as polynomials in one context; ``poles`` are the denominators that
    occur on the way, each of which must not vanish where the expression is defined."""

    numerator: Any
    denominator: Any
    poles: tuple[Any, ...] = ()


def context(names: Sequence[str]) -> Any:
    """The ring of rational polynomials in these names."""
    return fmpq_mpoly_ctx.get(tuple(names), "lex")


def to_ratio(expression: Any, names: Sequence[str]) -> Ratio:
    """Exact conversion, node by node, of a SymPy expression.

    Raises:
        NotPolynomial: for any other function, or a power that is no small integer.
        TooLarge: when the result outgrows the limits.
    """
    ring = context(names)
    generators = dict(zip(names, ring.gens(), strict=True))
    return _ratio(expression, ring, generators)


def _ratio(e: Any, ring: Any, generators: Mapping[str, Any]) -> Ratio:
    one = ring.constant(1)
    if e.is_Rational:
        return Ratio(ring.constant(fmpq(int(e.p), int(e.q))), one)
    if e.is_Symbol:
        if e.name not in generators:
            raise NotRationalExpression(str(e))
        return Ratio(generators[e.name], one)
    if e.is_Add or e.is_Mul:
        parts = [_ratio(a, ring, generators) for a in e.args]
        poles = tuple(unique(p for part in parts for p in part.poles))
        total = parts[0]
        for part in parts[1:]:
            total = _sum(total, part) if e.is_Add else _product(total, part)
        return Ratio(total.numerator, total.denominator, poles)
    if e.is_Pow:
        base, exponent = e.args
        if not exponent.is_Integer:
            raise NotRationalExpression(str(e))
        power = int(exponent)
        inner = _ratio(base, ring, generators)
        degree = sum(inner.numerator.degrees()) + sum(inner.denominator.degrees())
        if abs(power) > 10_000 or degree * abs(power) > 4 * MAX_DEGREE:
            raise PolynomialTooLarge
        top, bottom = inner.numerator, inner.denominator
        poles = inner.poles
        if power < 0:
            if top == 0:
                raise NotRationalExpression("division by zero")
            if not top.is_constant():
                poles = (*poles, top)
            top, bottom = bottom, top
        return _checked(Ratio(top ** abs(power), bottom ** abs(power), poles))
    raise NotRationalExpression(str(e))


def _checked(ratio: Ratio) -> Ratio:
    if len(ratio.numerator) > MAX_TERMS or len(ratio.denominator) > MAX_TERMS:
        raise PolynomialTooLarge
    return ratio


def _sum(a: Ratio, b: Ratio) -> Ratio:
    if a.denominator == b.denominator:
        return _checked(Ratio(a.numerator + b.numerator, a.denominator))
    common = a.denominator.gcd(b.denominator)
    left, right = a.denominator / common, b.denominator / common
    return _checked(Ratio(a.numerator * right + b.numerator * left, a.denominator * right))


def _product(a: Ratio, b: Ratio) -> Ratio:
    return _checked(Ratio(a.numerator * b.numerator, a.denominator * b.denominator))


def unique(polynomials: Iterable[Any]) -> list[Any]:
    """Without repetitions, first occurrences in order (these objects have no hash)."""
    return list({str(p): p for p in polynomials}.values())


def factors(polynomial: Any) -> list[Any]:
    """The distinct irreducible factors that are not constant."""
    if polynomial == 0 or polynomial.is_constant():
        return []
    return [f for f, _ in polynomial.factor()[1]]


# One variable ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Root:
    """A real algebraic number: the root of an irreducible integer polynomial in a ball."""

    polynomial: fmpz_poly
    ball: arb

    @property
    def rational(self) -> Fraction | None:
        if self.polynomial.degree() == 1:
            return Fraction(-int(self.polynomial[0]), int(self.polynomial[1]))
        return None


def univariate(polynomial: Any) -> fmpz_poly:
    """The primitive integer polynomial of a multivariate one in a single variable."""
    degrees = polynomial.degrees()
    position = max(range(len(degrees)), key=lambda i: degrees[i])
    coefficients = [fmpq(0)] * (int(degrees[position]) + 1)
    for monomial, coefficient in polynomial.to_dict().items():
        coefficients[int(monomial[position])] = coefficient
    numerator = fmpq_poly(coefficients).numer()
    content = numerator.content()
    return fmpz_poly([c / content for c in numerator.coeffs()]) if content > 1 else numerator


def real_roots(polynomials: Iterable[fmpz_poly]) -> list[Root]:
    """The distinct real roots of all of them, in increasing order, balls pairwise disjoint."""
    irreducible: dict[tuple[int, ...], fmpz_poly] = {}
    for polynomial in polynomials:
        if polynomial.degree() < 1:
            continue
        if polynomial.degree() > 4 * MAX_DEGREE:
            raise PolynomialTooLarge
        for factor, _ in polynomial.factor()[1]:
            irreducible[tuple(int(c) for c in factor.coeffs())] = factor
    saved = ctx.prec
    try:
        for bits in (64, 256, 1024, 4096):
            ctx.prec = bits
            roots = [
                Root(p, z.real)
                for p in irreducible.values()
                for z, _ in p.complex_roots()
                if z.imag == 0
            ]
            roots.sort(key=lambda r: float(r.ball.mid()))
            roots.sort(key=lambda r: Fraction(*_mid(r.ball)))
            if all(a.ball < b.ball for a, b in itertools.pairwise(roots)):
                return roots
    finally:
        ctx.prec = saved
    raise PolynomialTooLarge


def _mid(ball: arb) -> tuple[int, int]:
    mantissa, exponent = ball.mid().man_exp()
    m, e = int(mantissa), int(exponent)
    return (m << e, 1) if e >= 0 else (m, 1 << -e)


_LONGEST = 1 << 20
"""Binary places of a number that still fits memory as an exact integer (128 KiB)."""


def fits(ball: arb) -> bool:
    """Whether the ends of a finite ball are numbers that fit memory."""
    return all(abs(int(x.man_exp()[1])) <= _LONGEST for x in (ball.mid(), ball.rad()))


def ends(ball: arb) -> tuple[Fraction, Fraction]:
    """Rational numbers just outside of a finite ball that `fits`."""
    middle = Fraction(*_mid(ball))
    radius = Fraction(*_mid(ball.rad()))
    return middle - radius, middle + radius


def simplest_between(low: Fraction | None, high: Fraction | None) -> Fraction:
    """The rational of smallest denominator, then smallest size, strictly between the ends.

    Found by walking the Stern-Brocot tree with whole strides (a continued fraction).
    """
    if low is None and high is None:
        return Fraction(0)
    if low is None:
        return -simplest_between(-high if high is not None else None, None)
    if high is None:
        return Fraction(0) if low < 0 else Fraction(low.numerator // low.denominator + 1)
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        return -simplest_between(-high, -low)
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    # low and high lie in [whole, whole + 1]; the fractional part is 1/y with y beyond 1.
    top = low - whole
    upper = None if top == 0 else 1 / top
    return whole + 1 / simplest_between(1 / (high - whole), upper)


def cell_samples(
    roots: Sequence[Root], low: Fraction | None, high: Fraction | None
) -> list[Fraction]:
    """A simple rational in each open cell that the roots cut out of ``(low, high)``."""
    samples = []
    left = low
    for root in roots:
        below, above = ends(root.ball)
        exact = root.rational
        if exact is not None:
            below = above = exact
        if high is not None and below >= high:
            break
        if low is not None and above <= low:
            continue
        if left is None or left < below:
            samples.append(simplest_between(left, below if high is None else min(below, high)))
        left = above if left is None else max(left, above)
    if high is None or left is None or left < high:
        samples.append(simplest_between(left, high))
    return samples


def sign_at(polynomial: fmpz_poly, root: Root) -> int | None:
    """The sign of a polynomial at an algebraic number; 0 exactly when the number is its root."""
    if polynomial.degree() < 0:
        return 0
    if fmpq_poly(polynomial) % fmpq_poly(root.polynomial) == 0:
        return 0
    saved = ctx.prec
    try:
        for bits in (64, 256, 1024, 4096):
            ctx.prec = bits
            value = _evaluate(polynomial, _refined(root))
            if value > 0:
                return 1
            if value < 0:
                return -1
    finally:
        ctx.prec = saved
    return None


def _evaluate(polynomial: fmpz_poly, ball: arb) -> arb:
    total = arb(0)
    for coefficient in reversed(polynomial.coeffs()):
        total = total * ball + arb(coefficient)
    return total


def _refined(root: Root) -> arb:
    for z, _ in root.polynomial.complex_roots():
        if z.imag == 0 and z.real.overlaps(root.ball):
            return z.real
    return root.ball


# Several variables -------------------------------------------------------------------------------


def open_cells(
    polynomials: Sequence[Any],
    names: Sequence[str],
    out_of_time: Callable[[], bool],
    keep: Callable[[dict[str, Fraction]], bool],
) -> Iterator[dict[str, Fraction]]:
    """One rational sample in every open cell on which all the polynomials keep their signs.

    ``keep`` may drop a partial sample (first names first) that no point of the domain extends.

    Raises:
        TooLarge: when projection or the number of cells outgrows the limits or the time.
    """
    levels = _project(polynomials, names, out_of_time)
    ring = context(names)
    yield from _lift(levels, names, 0, {}, ring, out_of_time, keep)


def _project(
    polynomials: Sequence[Any], names: Sequence[str], out_of_time: Callable[[], bool]
) -> list[list[Any]]:
    levels: list[list[Any]] = [[] for _ in names]
    pending = [f for p in polynomials for f in factors(p)]
    for k in range(len(names) - 1, -1, -1):
        pending = unique(_normal(f) for f in pending)
        here = [f for f in pending if f.degrees()[k] > 0]
        pending = [f for f in pending if f.degrees()[k] == 0]
        levels[k] = here
        if k == 0:
            break
        for i, f in enumerate(here):
            if out_of_time() or len(f) > MAX_TERMS or sum(f.degrees()) > MAX_DEGREE:
                raise PolynomialTooLarge
            pending.extend(factors(_leading(f, k)))
            if f.degrees()[k] > 1:
                pending.extend(factors(f.discriminant(names[k])))
            for g in here[:i]:
                pending.extend(factors(f.resultant(g, names[k])))
                if out_of_time():
                    raise PolynomialTooLarge
    return levels


def _normal(f: Any) -> Any:
    return f / f.leading_coefficient()


def _leading(f: Any, k: int) -> Any:
    degree = f.degrees()[k]
    ring = f.context()
    terms = {}
    for monomial, coefficient in f.to_dict().items():
        if monomial[k] == degree:
            exponents = list(monomial)
            exponents[k] = 0
            terms[tuple(exponents)] = coefficient
    return ring.from_dict(terms)


def _lift(
    levels: list[list[Any]],
    names: Sequence[str],
    k: int,
    sample: dict[str, Fraction],
    ring: Any,
    out_of_time: Callable[[], bool],
    keep: Callable[[dict[str, Fraction]], bool],
) -> Iterator[dict[str, Fraction]]:
    if k == len(names):
        yield dict(sample)
        return
    if out_of_time():
        raise PolynomialTooLarge
    values = {n: fmpq(v.numerator, v.denominator) for n, v in sample.items()}
    restricted = [f.subs(values) if values else f for f in levels[k]]
    roots = real_roots([univariate(f) for f in restricted if f != 0 and not f.is_constant()])
    for value in cell_samples(roots, None, None):
        sample[names[k]] = value
        if keep(sample):
            yield from _lift(levels, names, k + 1, sample, ring, out_of_time, keep)
        del sample[names[k]]


def coefficient_signs(
    polynomial: Any, substitution: Mapping[str, Ratio], strict: frozenset[str]
) -> int | None:
    """Signs on the positive orthant: 2 if positive, 1 if nonnegative, -1, -2 likewise, 0 if zero,
    None if the coefficients have both signs.

    ``substitution`` maps each name to a ratio with positive denominator in new names >= 0, of which
    those in ``strict`` are > 0.
    """
    numerator = substitute(polynomial, substitution)
    if numerator == 0:
        return 0
    names = numerator.context().names()
    signs = {c > 0 for c in numerator.coeffs()}
    if len(signs) == 2:
        return None
    positive = any(
        all(n in strict for n, e in zip(names, monomial, strict=True) if e)
        for monomial in numerator.to_dict()
    )
    return (2 if positive else 1) * (1 if signs == {True} else -1)


def substitute(polynomial: Any, substitution: Mapping[str, Ratio]) -> Any:
    """Numerator of the polynomial after substitution, over the product of the denominators."""
    names = polynomial.context().names()
    degrees = polynomial.degrees()
    total: Any = None
    for monomial, coefficient in polynomial.to_dict().items():
        term: Any = None
        for name, exponent, degree in zip(names, monomial, degrees, strict=True):
            ratio = substitution[name]
            factor = ratio.numerator**exponent * ratio.denominator ** (degree - exponent)
            term = factor if term is None else term * factor
            if len(term) > MAX_TERMS:
                raise PolynomialTooLarge
        term = term * coefficient
        total = term if total is None else total + term
    return total if total is not None else next(iter(substitution.values())).numerator * 0
