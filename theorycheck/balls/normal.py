"""A normal form of constants: quotients of polynomials in generators that carry the known identities.

A monomial is a product of generators with rational exponents, times exp(i*pi*r), 0 <= r < 1:

    ("prime", p)      a prime, or an integer that was not factored; exponents in [0, 1)
    ("pi",), ("constant", name)
    ("exp", m)        exp(m) for a monomial m; the exponent c stands for exp(c*m)
    ("log", p)        log of a prime
    ("gamma", q)      gamma(q), 0 < q < 1
    ("root", X)       X**e for a polynomial X that does not split; exponents in [0, 1)
    ("value", f, ...) anything else, known only to be the same when written the same

Every step that builds the form is an identity between complex numbers, so that a form which vanishes
identically proves the number to be zero. The converse is not claimed: generators may be related in ways
that are not known here (and pi and e perhaps in ways not known to anybody).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

from flint import fmpq, fmpq_poly, fmpz, fmpz_poly

Generator: TypeAlias = tuple[Any, ...]
Monomial: TypeAlias = tuple[frozenset[tuple[Generator, Fraction]], Fraction]  # (powers, r)
Poly: TypeAlias = dict[Monomial, fmpq]

_TERMS = 400
"""Polynomials with more terms, and powers of polynomials beyond this, are given up on."""
_ORDER = 4000  # order of roots of unity up to which cyclotomic polynomials are divided by
_FACTOR_BITS = 100  # longer integers are not factored; they then stand for themselves

UNIT: Monomial = (frozenset(), Fraction(0))


class NormalFormTooLarge(Exception):
    """The normal form is not worth its size."""


class RationalForm:
    """num/den; den is not zero wherever the number is defined."""

    __slots__ = ("den", "num")

    def __init__(self, num: Poly, den: Poly | None = None) -> None:
        self.num = num
        self.den: Poly = {UNIT: fmpq(1)} if den is None else den

    # ------------------------------------------------------------ arithmetic

    def __add__(self, other: RationalForm) -> RationalForm:
        if self.den == other.den:
            return RationalForm(_add(self.num, other.num), self.den)
        num = _add(_multiply(self.num, other.den), _multiply(other.num, self.den))
        return RationalForm(num, _multiply(self.den, other.den))._normal()

    def __mul__(self, other: RationalForm) -> RationalForm:
        return RationalForm(
            _multiply(self.num, other.num), _multiply(self.den, other.den)
        )._normal()

    def __neg__(self) -> RationalForm:
        return RationalForm({m: -c for m, c in self.num.items()}, self.den)

    def __sub__(self, other: RationalForm) -> RationalForm:
        return self + -other

    def inverse(self) -> RationalForm:
        """1/self. Raises TooLarge where self vanishes identically."""
        if not self.num:
            raise NormalFormTooLarge
        return RationalForm(self.den, self.num)._normal()

    def _normal(self) -> RationalForm:
        """A denominator of one term goes into the numerator; others get a first coefficient of 1."""
        if len(self.den) == 1:
            ((m, c),) = self.den.items()
            if m == UNIT and c == 1:
                return self
            inverse = _invert_term(m, c)
            return RationalForm(_multiply(self.num, inverse)) if inverse is not None else self
        lead = self.den[min(self.den, key=_order)]
        if lead == 1:
            return self
        return RationalForm(
            {m: c / lead for m, c in self.num.items()}, {m: c / lead for m, c in self.den.items()}
        )

    # ------------------------------------------------------------ looking at it

    def key(self) -> tuple[Any, ...]:
        """Equal for forms written the same."""
        return frozenset(self.num.items()), frozenset(self.den.items())

    def polynomial(self) -> bool:
        return len(self.den) == 1 and next(iter(self.den)) == UNIT

    def rational(self) -> fmpq | None:
        """The value where the form is a rational number."""
        if not self.num:
            return fmpq(0)
        if self.polynomial() and len(self.num) == 1 and UNIT in self.num:
            return self.num[UNIT] / self.den[UNIT]
        return None

    def conjugate(self) -> RationalForm | None:
        """The complex conjugate; None where some generator is not known to be real."""
        num, den = _conjugate(self.num), _conjugate(self.den)
        return None if num is None or den is None else RationalForm(num, den)


# ---------------------------------------------------------------- leaves


def number(x: fmpq) -> RationalForm:
    """A rational number in normal form."""
    return RationalForm({UNIT: x} if x != 0 else {})


def generator(g: Generator, exponent: Fraction = Fraction(1)) -> RationalForm:
    """A generator other than ("prime", p) and ("root", X)."""
    return RationalForm({(frozenset(((g, exponent),)), Fraction(0)): fmpq(1)})


def unity(r: Fraction) -> RationalForm:
    """exp(i*pi*r)."""
    m, c = _monomial({}, r, fmpq(1))
    return RationalForm({m: c})


def value(name: str, *args: RationalForm) -> RationalForm:
    """A function of which nothing else is known."""
    return generator(("value", name, *(a.key() for a in args)))


# ---------------------------------------------------------------- polynomials


def _order(x: Any) -> str:
    """Text of a monomial that does not depend on how its sets were built."""
    if isinstance(x, frozenset):
        return "{" + ",".join(sorted(map(_order, x))) + "}"
    if isinstance(x, tuple):
        return "(" + ",".join(map(_order, x)) + ")"
    return str(x)


def _add(a: Poly, b: Poly) -> Poly:
    total = dict(a)
    for m, c in b.items():
        s = total.get(m, _ZERO) + c
        if s == 0:
            del total[m]
        else:
            total[m] = s
    return total


_ZERO = fmpq(0)


def _multiply(a: Poly, b: Poly) -> Poly:
    if len(a) * len(b) > 16 * _TERMS:
        raise NormalFormTooLarge
    total: Poly = {}
    for m, c in a.items():
        for n, d in b.items():
            total = _accumulate(total, m, n, c * d)
    if len(total) > _TERMS:
        raise NormalFormTooLarge
    return total


def _accumulate(total: Poly, m: Monomial, n: Monomial, c: fmpq) -> Poly:
    """total + c*m*n, in place unless a root multiplies out."""
    if not m[0] or not n[0]:
        powers = dict(m[0] or n[0])
    else:
        powers = dict(m[0])
        for g, e in n[0]:
            powers[g] = powers.get(g, 0) + e
    expand: Poly | None = None
    for g in [g for g in powers if g[0] == "root" and powers[g] >= 1]:
        powers[g] -= 1
        radicand: Poly = dict(g[1])
        expand = radicand if expand is None else _multiply(expand, radicand)
    mono, scale = _monomial(powers, m[1] + n[1], c)
    if expand is None:
        s = total.get(mono, _ZERO) + scale
        if s == 0:
            total.pop(mono, None)
        else:
            total[mono] = s
        return total
    return _add(total, _multiply({mono: scale}, expand))


def _monomial(powers: Mapping[Generator, Fraction], r: Fraction, c: fmpq) -> tuple[Monomial, fmpq]:
    """A monomial with its coefficient: exponents of primes and of exp(i*pi) brought into [0, 1)."""
    kept = []
    for g, e in powers.items():
        if e == 0:
            continue
        if g[0] == "prime":
            whole = math.floor(e)
            if whole:
                if abs(whole) > 4 * _TERMS:
                    raise NormalFormTooLarge
                c = c * fmpq(g[1]) ** whole
                e -= whole
                if e == 0:
                    continue
        kept.append((g, e))
    half_turns = math.floor(r)
    return (frozenset(kept), r - half_turns), (-c if half_turns % 2 else c)


def _invert_term(m: Monomial, c: fmpq) -> Poly | None:
    """1/(c*m); None where a root generator stands in the way."""
    if any(g[0] == "root" for g, _ in m[0]):
        return None
    mono, scale = _monomial({g: -e for g, e in m[0]}, -m[1], 1 / c)
    return {mono: scale}


def _is_real(m: Monomial) -> bool:
    return m[1] == 0 and all(_real_generator(g) for g, _ in m[0])


class Facts:
    """Which of the generators ("value", ...) are known to be positive, during one proof."""

    positive: ClassVar[set[Generator]] = set()

    def __enter__(self) -> None:
        self._outer = Facts.positive
        Facts.positive = set()

    def __exit__(self, *error: object) -> None:
        Facts.positive = self._outer


def learn_positive(x: RationalForm) -> None:
    """Notes that this number is positive, if it is a generator of which nothing else is known."""
    if x.polynomial() and len(x.num) == 1:
        (((powers, r), c),) = x.num.items()
        if len(powers) == 1 and r == 0 and c == 1:
            ((g, e),) = powers
            if g[0] == "value" and e == 1:
                Facts.positive.add(g)


def _real_generator(g: Generator) -> bool:
    """Whether a generator is known to be real; those known to be real are all positive."""
    if g[0] == "exp":
        return _is_real(g[1])
    if g[0] == "value":
        return g in Facts.positive
    return g[0] in ("prime", "pi", "constant", "log", "gamma")


def _conjugate(p: Poly) -> Poly | None:
    total: Poly = {}
    for (powers, r), c in p.items():
        turned: dict[Generator, Fraction] = {}
        for g, e in powers:
            if _real_generator(g):
                turned[g] = e
            elif g[0] == "exp" and _is_real((g[1][0], Fraction(0))) and g[1][1] == Fraction(1, 2):
                turned[g] = -e  # exp(i*x), x real
            else:
                return None
        mono, scale = _monomial(turned, -r, c)
        total = _add(total, {mono: scale})
    return total


# ---------------------------------------------------------------- powers, exp, log


def factored(n: fmpz) -> dict[Generator, Fraction]:
    """A positive integer as a product of ("prime", p)."""
    if n == 1:
        return {}
    if n.bit_length() > _FACTOR_BITS:
        return {("prime", int(n)): Fraction(1)}
    return {("prime", int(p)): Fraction(int(k)) for p, k in n.factor()}


def _factored_rational(q: fmpq) -> dict[Generator, Fraction]:
    powers = factored(q.p)
    for g, e in factored(q.q).items():
        powers[g] = powers.get(g, Fraction(0)) - e
    return powers


def _single_term(x: RationalForm) -> tuple[dict[Generator, Fraction], Fraction] | None:
    """A form with one positive term times a root of unity as (powers with those of the coefficient,
    angle in (-1, 1]); None for other forms."""
    if not x.polynomial() or len(x.num) != 1:
        return None
    (((powers, r), c),) = x.num.items()
    c = c / x.den[UNIT]
    if not _is_real((powers, Fraction(0))):
        return None
    combined = _factored_rational(abs(c))
    for g, e in powers:
        combined[g] = combined.get(g, Fraction(0)) + e
    if c < 0:
        r = r - 1 if r > 0 else Fraction(1)
    return combined, r


def power(x: RationalForm, e: Fraction) -> RationalForm:
    """x**e, principal branch. Raises TooLarge."""
    if e.denominator == 1:
        return _integer_power(x, e.numerator)
    term = _single_term(x)
    if term is not None:
        powers, angle = term
        mono, c = _monomial({g: k * e for g, k in powers.items()}, angle * e, fmpq(1))
        return RationalForm({mono: c})
    if not x.num:
        return number(_ZERO)
    if not x.polynomial():
        if _conjugate(x.den) != x.den:
            return generator(("value", "power", x.key(), e))
        # N/D = N*D/D**2 and D**2 > 0 for real D
        above, square = (
            RationalForm(x.num) * RationalForm(x.den),
            RationalForm(x.den) * RationalForm(x.den),
        )
        return power(above, e) * power(square, -e)
    content, rest = _split(x.num)
    whole = math.floor(e)
    root = generator(("root", frozenset(rest.num.items())), e - whole)
    return power(content, e) * _integer_power(rest, whole) * root


def _split(p: Poly) -> tuple[RationalForm, RationalForm]:
    """A positive factor, the common divisor of the terms, and the rest."""
    top, bottom = fmpz(0), fmpz(1)
    for c in p.values():
        top, bottom = top.gcd(c.p), bottom.lcm(c.q)
    exponents = [dict(powers) for powers, _ in p]
    common = {
        g: min(powers.get(g, Fraction(0)) for powers in exponents)
        for g in {g for powers in exponents for g in powers}
        if _real_generator(g)
    }
    mono, c = _monomial(common, Fraction(0), fmpq(abs(top), bottom))
    content = RationalForm({mono: c})
    return content, RationalForm(p) * content.inverse()


def _integer_power(x: RationalForm, n: int) -> RationalForm:
    if n < 0:
        return _integer_power(x.inverse(), -n)
    if len(x.num) == 1 and x.polynomial() and not _has_root(x.num):
        (((powers, r), c),) = x.num.items()
        if n * max(c.height_bits(), 1) > 64 * _TERMS:
            raise NormalFormTooLarge
        mono, scale = _monomial({g: e * n for g, e in powers}, r * n, (c / x.den[UNIT]) ** n)
        return RationalForm({mono: scale})
    if n > _TERMS:
        raise NormalFormTooLarge
    result, square = number(fmpq(1)), x
    while n:
        if n & 1:
            result = result * square
        n >>= 1
        if n:
            square = square * square
    return result


def _has_root(p: Poly) -> bool:
    return any(g[0] == "root" for powers, _ in p for g, _ in powers)


def exp(x: RationalForm) -> RationalForm:
    """exp of a sum is the product of the exponentials of its terms."""
    if not x.polynomial():
        return value("exp", x)
    total = number(fmpq(1))
    for (powers, r), c in x.num.items():
        total = total * _exp_of_term(powers, r, Fraction(int(c.p), int(c.q)))
    return total


def _exp_of_term(powers: frozenset[Any], r: Fraction, c: Fraction) -> RationalForm:
    if r == 0 and len(powers) == 1:
        ((g, e),) = powers
        if e == 1 and g[0] == "log":
            return power(number(fmpq(g[1])), c)
        if e == 1 and g[:2] == ("value", "log"):
            return power(_unkeyed(g[2]), c)
        if e == 1 and g[:2] == ("value", "LambertW") and c.denominator == 1:
            # W exp(W) = x
            return power(_unkeyed(g[2]) * generator(g, Fraction(-1)), c)
    if r == Fraction(1, 2) and powers == frozenset(((("pi",), Fraction(1)),)):
        return unity(c)
    return generator(("exp", (powers, r)), c)


def _unkeyed(key: tuple[Any, ...]) -> RationalForm:
    return RationalForm(dict(key[0]), dict(key[1]))


def log(x: RationalForm) -> RationalForm:
    """The principal logarithm."""
    term = _single_term(x)
    if term is None:
        if not x.polynomial() or not x.num:
            return value("log", x)
        content, rest = _split(x.num)
        return value("log", x) if content.rational() == 1 else log(content) + log(rest)
    powers, angle = term
    total = unity(Fraction(1, 2)) * generator(("pi",)) * _fraction(angle)
    for g, e in powers.items():
        if g[0] == "prime":
            part = generator(("log", g[1]))
        elif g[0] == "exp":  # exp of something real
            part = RationalForm({g[1]: fmpq(1)})
        else:
            part = value("log", generator(g))
        total = total + part * _fraction(e)
    return total


def _fraction(e: Fraction) -> RationalForm:
    return number(fmpq(e.numerator, e.denominator))


# ---------------------------------------------------------------- the zero test


def vanishes(x: RationalForm, algebraic: Callable[[Poly], bool] = lambda p: False) -> bool:
    """Whether the number is proved to be zero. ``algebraic`` is asked about sums of algebraic numbers
    that do not vanish as they stand."""
    groups: dict[frozenset[Any], Poly] = {}
    for (powers, r), c in x.num.items():
        outer = frozenset((g, e) for g, e in powers if not _is_algebraic(g))
        group = groups.setdefault(outer, {})
        group[(powers - outer, r)] = c
    return all(_cyclotomic_zero(group) or algebraic(group) for group in groups.values())


def _is_algebraic(g: Generator) -> bool:
    if g[0] == "root":
        return all(_is_algebraic(h) for (powers, _), _ in g[1] for h, _ in powers)
    return bool(g[0] == "prime")


def _cyclotomic_zero(p: Poly) -> bool:
    """Whether for every product of roots the sum of its roots of unity vanishes."""
    sums: dict[Any, dict[Fraction, fmpq]] = {}
    for (powers, r), c in p.items():
        sums.setdefault(powers, {})[r] = c
    return all(_sum_of_unity_vanishes(s) for s in sums.values())


def _sum_of_unity_vanishes(terms: Mapping[Fraction, fmpq]) -> bool:
    """Whether sum c_j exp(i*pi*r_j) = 0: divisibility by a cyclotomic polynomial."""
    order = math.lcm(*(r.denominator for r in terms))
    if len(terms) == 1 or 2 * order > _ORDER:
        return False
    coefficients = [_ZERO] * order
    for r, c in terms.items():
        coefficients[int(r * order)] = c
    return bool((fmpq_poly(coefficients) % fmpq_poly(fmpz_poly.cyclotomic(2 * order))).is_zero())
