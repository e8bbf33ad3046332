"""Powers, exponentials, logarithms, trigonometric functions and their inverses.

Every function takes (state, site, values...) and returns a value. Complex results of real arguments
follow SymPy's principal branches, which are Arb's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import acb, arb, fmpq, fmpz

from theorycheck.balls import ranges
from theorycheck.balls.state import State
from theorycheck.balls.values import (
    EXACT_BITS,
    HALF,
    ONE,
    ZERO,
    CallSite,
    Infinite,
    Undecided,
    Undefined,
    Value,
    ball,
    height,
    tidy,
)

Function = Callable[..., Value]

_ROOT_INDEX = 64
"""Roots of rationals up to this index are tried for exactness."""


# ---------------------------------------------------------------- reciprocals and powers


def reciprocal(s: State, site: CallSite, x: Value) -> Value:
    """1/x; undefined at 0. ``site`` is x."""
    if type(x) is fmpq:
        if x == 0:
            raise Undefined("division by zero: {} = 0", site)
        return 1 / x
    if isinstance(x, Infinite):
        return ZERO
    r = 1 / x
    if r.is_finite():
        return r
    ends = ranges.ends(s, site)
    if ends is not None and (ends[0] > 0 or ends[1] < 0):
        return hull(1 / arb(ends[0]), 1 / arb(ends[1]))
    if _nonzero(s, site, x):
        return r
    raise Undefined("division by zero: {} = 0", site)


def hull(a: Value, b: Value) -> arb:
    """The smallest ball around two real values."""
    return ball(a).union(ball(b))


def _nonzero(s: State, site: CallSite, x: Value) -> bool:
    """Whether a ball is not zero; False only when it is proved to be zero. Raises Undecided."""
    if type(x) is fmpq:
        return bool(x != 0)
    if x.is_zero():
        return False
    if x.is_finite():
        if not x.contains(0):
            return True
        if s.vanishes(site):
            return False
    raise Undecided("cannot tell whether {} is 0", site)


def power(s: State, site: CallSite, b: Value, e: Value) -> Value:
    """b**e as in SymPy: 0**0 = 1, principal branch. ``site`` is the power."""
    if type(e) is fmpq:
        if e == 0:
            return ONE
        if e.q == 1:
            return _integer_power(s, site, b, e.p)
    if isinstance(b, Infinite) or isinstance(e, Infinite):
        return _infinite_power(s, site, b, e)
    if type(b) is fmpq:
        if b == 1:
            return ONE
        if type(e) is fmpq:
            return _rational_power(b, e)
    if type(b) is acb or type(e) is acb:
        if not _nonzero(s, site.arg(0), b):
            return _power_of_zero(s, site, e)
        return tidy(acb(b) ** acb(e))
    if b > 0:
        return _positive_power(b, e)
    if b < 0:
        return _negative_power(s, site, b, e)
    return _power_of_straddling(s, site, b, e)


def _negative_power(s: State, site: CallSite, b: Value, e: Value) -> Value:
    n = None if type(e) is fmpq else s.integer(site.arg(1), e)
    if n is not None:
        return _integer_power(s, site, b, n)
    return tidy(acb(_positive_power(-b, e)) * acb(e).exp_pi_i())


def _power_of_straddling(s: State, site: CallSite, b: Value, e: Value) -> Value:
    """The base is a ball around 0: in a box, or a number that is yet to be told from 0."""
    ends = ranges.ends(s, site.arg(0))
    if ends is not None and ends[0] >= 0:
        if type(e) is fmpq and e > 0:
            return hull(*(power(s, site, end, e) for end in ends))
        if ends[0] > 0:
            return _positive_power(hull(*ends), e)
    if s.sign(site.arg(0), b) == 0:
        return _power_of_zero(s, site, e)
    raise Undecided("the base of {} may be negative", site)


def square_root(s: State, site: CallSite, x: Value) -> Value:
    """sqrt(x), principal branch. ``site`` is the power x**(1/2)."""
    if type(x) is arb and x > 0:
        return x.sqrt()
    return power(s, site, x, HALF)


def _integer_power(s: State, site: CallSite, b: Value, n: fmpz) -> Value:
    if n == 0:
        return ONE
    if type(b) is fmpq:
        if b == 0 and n < 0:
            raise Undefined("zero to a negative power in {}", site)
        if b.q == 1 and -1 <= b <= 1:
            return b if n % 2 else b * b
        if height(b) * abs(n) <= EXACT_BITS:
            return b ** int(n)
        if b < 0:
            r = _huge_power(-b, n)
            return -r if n % 2 else r
        return _huge_power(b, n)
    if isinstance(b, Infinite):
        return ZERO if n < 0 else (b if n % 2 else Infinite(1))
    if type(b) is arb and n > 0 and b.is_finite() and b.contains(0):
        return _power_around_zero(b, n)
    r = b**n
    if n < 0 and not r.is_finite() and not _nonzero(s, site.arg(0), b):
        raise Undefined("zero to a negative power in {}", site)
    return r if type(r) is arb else tidy(r)


def _power_around_zero(b: arb, n: fmpz) -> arb:
    """b**n for n >= 1 and a ball that contains 0; python-flint's own power gives nan if b.mid() is 0."""
    above, below = arb(b.upper()), arb((-b).upper())  # b lies in [-below, above], both ends >= 0
    if n % 2 == 0:
        top = above.max(below)
        return arb(0).union(top**n) if top > 0 else arb(0)
    return (above**n if above > 0 else arb(0)).union(-(below**n) if below > 0 else arb(0))


def _huge_power(b: fmpq, e: Value) -> arb:
    """b**e for rational b > 0 through exp(e*log(b)): close to b = 1 nothing is lost in rounding b."""
    return (arb(e) * log_of_rational(b)).exp()


def log_of_rational(b: fmpq) -> arb:
    """log(b) of a rational b > 0, accurate near b = 1 too."""
    return arb(b - 1).log1p() if HALF < b < 2 else arb(b).log()


def _rational_power(b: fmpq, e: fmpq) -> Value:
    """b**e for rationals, b != 1 and e no integer; exact when the root is."""
    if b == 0:
        if e < 0:
            raise Undefined("zero to a negative power")
        return ZERO
    if b < 0:
        r = _rational_power(-b, e) if b != -1 else ONE
        return tidy(acb(ball(r)) * acb(e).exp_pi_i())
    q = e.q
    if q <= _ROOT_INDEX:
        root = exact_root(b, int(q))
        if root is not None and height(root) * abs(e.p) <= EXACT_BITS:
            return root ** int(e.p)
    return _positive_power(b, e)


def exact_root(b: fmpq, q: int) -> fmpq | None:
    """The q-th root of a rational b > 0 if it is rational."""
    if q == 2 and not (b.p.is_square() and b.q.is_square()):
        return None
    p_root, q_root = b.p.root(q), b.q.root(q)
    if p_root**q != b.p or q_root**q != b.q:
        return None
    return fmpq(p_root, q_root)


def _positive_power(b: Value, e: Value) -> arb:
    """b**e for b > 0 and real e."""
    if type(b) is fmpq:
        if type(e) is fmpq and e.q == 2 and abs(e.p) <= 8:
            root = arb(b).sqrt()
            return root if e.p == 1 else root ** int(e.p)
        return _huge_power(b, e)
    return b**e


def _power_of_zero(s: State, site: CallSite, e: Value) -> Value:
    """0**e for e not an integer known exactly."""
    if type(e) is acb:
        raise Undefined("zero to a complex power in {}", site)
    sign = s.sign(site.arg(1), e)
    if sign < 0:
        raise Undefined("zero to a negative power in {}", site)
    return ZERO if sign > 0 else ONE


def _infinite_power(s: State, site: CallSite, b: Value, e: Value) -> Value:
    if isinstance(e, Infinite):
        if isinstance(b, Infinite):
            if b.sign > 0:
                return b if e.sign > 0 else ZERO
            raise Undefined("{} has no limit", site)
        if type(b) is acb:
            raise Undefined("{} has no limit", site)
        size = abs(b)
        if size < 1 and type(b) is not fmpq and not b > 0:
            raise Undecided("{}: the sign of the base is open", site)
        if size < 1 and b != 0:
            if e.sign > 0:
                return ZERO
            if b > 0:
                return Infinite(1)
        if b == 0 and e.sign > 0:
            return ZERO
        if b > 1:
            return e if e.sign > 0 else ZERO
        if type(b) is fmpq:
            raise Undefined("{} has no limit", site)
        raise Undecided("{}: the base is not separated from 1", site)
    sign = s.sign(site.arg(1), s.real(site.arg(1), e))
    if b.sign < 0 and sign > 0:
        raise Undefined("a fractional power of -oo in {}", site)
    return Infinite(1) if sign > 0 else ZERO if sign < 0 else ONE


# ---------------------------------------------------------------- exp and log


def exp(s: State, site: CallSite, x: Value) -> Value:
    """exp(x), exactly 1 at 0, with the limits at infinity."""
    if type(x) is fmpq:
        return arb(x).exp() if x != 0 else ONE
    if isinstance(x, Infinite):
        return x if x.sign > 0 else ZERO
    return tidy(x.exp()) if type(x) is acb else x.exp()


def exp_pi_i(s: State, site: CallSite, x: Value) -> Value:
    """exp(i*pi*x), with exact values at multiples of 1/2."""
    if isinstance(x, Infinite):
        raise Undefined("{} has no limit", site)
    return tidy(acb(ball(x)).exp_pi_i())


def log(s: State, site: CallSite, x: Value) -> Value:
    """log(x), principal branch; undefined at 0. ``site`` is the logarithm."""
    if type(x) is fmpq:
        if x == 1:
            return ZERO
        if x > 0:
            return log_of_rational(x)
        if x < 0:
            return acb(log_of_rational(-x) if x != -1 else 0, arb.pi())
        raise Undefined("log(0)")
    if isinstance(x, Infinite):
        return Infinite(1) if x.sign > 0 else _undefined("log(-oo)")
    if type(x) is acb:
        if not _nonzero(s, site.arg(0), x):
            raise Undefined("log(0) in {}", site)
        return tidy(x.log())
    if x > 0:
        return x.log()
    if x < 0:
        return acb((-x).log(), arb.pi())
    ends = ranges.ends(s, site.arg(0))
    if ends is not None and ends[0] > 0:
        return hull(*(log_of_rational(end) for end in ends))
    if s.sign(site.arg(0), x) == 0:
        raise Undefined("log(0) in {}", site)
    raise Undecided("the argument of {} may be negative", site)


def log_ratio(s: State, sites: tuple[CallSite, CallSite], x: Value, base: Value) -> Value:
    """log(x)/log(base), a rational where x and base are powers of one rational. ``sites`` are the two
    logarithms."""
    if type(x) is fmpq and type(base) is fmpq and x > 0 and base > 0 and base != 1:
        r = ZERO if x == 1 else _exact_log_ratio(x, base)
        if r is not None:
            return r
    above, below = log(s, sites[0], x), log(s, sites[1], base)
    return above * reciprocal(s, sites[1], below)


def _exact_log_ratio(x: fmpq, base: fmpq) -> fmpq | None:
    """r with x = base**r, None if there is none: Euclid's algorithm on the exponents.

    If a = c**m and b = c**n (a, b, c > 1), then a = b**(m // n) * c**(m % n), and a power of c with a
    smaller exponent has no greater height: the first remainder of greater height refutes the relation.
    """
    sign = 1
    if x < 1:
        x, sign = 1 / x, -sign
    if base < 1:
        base, sign = 1 / base, -sign
    a, b = x, base
    quotients: list[fmpz] = []
    while b != 1:
        n = (arb(a).log() / arb(b).log()).mid().floor().unique_fmpz()
        if n is None or n * height(b) > 4 * height(a) + 64:
            return None  # b**n would be far longer than a
        rest = a / b ** int(n)
        if rest < 1:  # the midpoint may lie on the wrong side of an integer
            n, rest = n - 1, rest * b
        elif rest >= b:
            n, rest = n + 1, rest / b
        if rest >= b or rest < 1 or height(rest) > height(b):
            return None
        quotients.append(n)
        a, b = b, rest
    ratio = fmpq(quotients.pop())
    for n in reversed(quotients):
        ratio = n + 1 / ratio
    return ratio if sign > 0 else -ratio


def _undefined(text: str) -> Value:
    raise Undefined(text)


# ---------------------------------------------------------------- multiples of pi


def cos_pi(s: State, site: CallSite, r: Value) -> Value:
    """cos(pi*r), exact where that is rational (Niven: r a multiple of 1/2 or 1/3)."""
    if type(r) is fmpq:
        if r.q <= 3:
            return _NIVEN[int((r * 6).p % 12)]
        return arb.cos_pi_fmpq(r)
    return _finite_argument(site, r).cos_pi()


def sin_pi(s: State, site: CallSite, r: Value) -> Value:
    """sin(pi*r), exact where that is rational."""
    if type(r) is fmpq:
        return cos_pi(s, site, HALF - r)
    return _finite_argument(site, r).sin_pi()


def tan_pi(s: State, site: CallSite, r: Value) -> Value:
    """tan(pi*r): exact at multiples of 1/4, undefined at 1/2 plus an integer."""
    if type(r) is fmpq and r.q <= 4:
        n = (r * 4).p % 4 if r.q != 3 else None
        if n == 2:
            raise Undefined("a pole of the tangent: {}", site)
        if n is not None:
            return (ZERO, ONE, None, -ONE)[int(n)]
    return ball(sin_pi(s, site, r)) * reciprocal(s, site, cos_pi(s, site, r))


_NIVEN = {0: ONE, 2: HALF, 3: ZERO, 4: -HALF, 6: -ONE, 8: -HALF, 9: ZERO, 10: HALF}
"""cos(pi*k/6) for the k at which it is rational."""


def _finite_argument(site: CallSite, x: Value) -> Any:
    if isinstance(x, Infinite):
        raise Undefined("{} has no limit", site)
    return ball(x)


# ---------------------------------------------------------------- functions finite everywhere


Limits = tuple[Callable[[], Value], Callable[[], Value]]
"""The values at -oo and at oo, made at the current precision."""


def limits(low: Value, high: Value) -> Limits:
    """Limits that do not depend on the precision."""
    return (lambda: low), (lambda: high)


def entire(name: str, at_zero: fmpq | None, limits: Limits | None) -> Function:
    """A function that is analytic on the whole line: Arb's, exact at 0, with its limits at -oo, oo."""
    real, complex_ = getattr(arb, name), getattr(acb, name)

    def apply(s: State, site: CallSite, x: Value) -> Value:
        kind = type(x)
        if kind is arb:
            return real(x)
        if kind is fmpq:
            if at_zero is not None and x == 0:
                return at_zero
            return real(arb(x))
        if kind is acb:
            return tidy(complex_(x))
        if limits is None:
            raise Undefined("{} has no limit", site)
        return limits[x.sign > 0]()

    return apply


def meromorphic(name: str, at_zero: fmpq | None, limits: Limits | None = None) -> Function:
    """A quotient such as tan or coth, with a pole at 0 if ``at_zero`` is None; at other rationals these
    functions are finite, because pi is irrational."""
    real, complex_ = getattr(arb, name), getattr(acb, name)

    def apply(s: State, site: CallSite, x: Value) -> Value:
        if type(x) is fmpq:
            if x == 0:
                return at_zero if at_zero is not None else _undefined(f"a pole: {site}")
            return real(arb(x))
        if isinstance(x, Infinite):
            if limits is None:
                raise Undefined("{} has no limit", site)
            return limits[x.sign > 0]()
        r = tidy(complex_(x)) if type(x) is acb else real(x)
        if not r.is_finite() and x.is_finite():
            if at_zero is None and x.contains(0) and not _nonzero(s, site.arg(0), x):
                raise Undefined("a pole: {}", site)
            raise Undecided("{} may be at a pole", site)
        return r

    return apply


def bounded_domain(
    name: str,
    ends: dict[fmpq, Callable[[], Value] | None],
    inside: Callable[[Any], bool],
    outside: Callable[[Any], bool],
    closed: Callable[[Any], bool],
    special: dict[fmpq, Value],
    at_infinity: Value | None = None,
) -> Function:
    """A monotone function, real on part of the line and complex outside, with its values at the ends.

    ``ends`` maps each end to its value there, None for a pole; ``inside`` and ``outside`` are the open
    sets, ``closed`` is the real domain; ``at_infinity`` is the limit at oo, where the domain reaches so far.
    """
    real, complex_ = getattr(arb, name), getattr(acb, name)

    def apply(s: State, site: CallSite, x: Value) -> Value:
        if type(x) is fmpq:
            if x in special:
                return special[x]
            if x in ends:
                return _at_end(site, ends[x])
            x = arb(x)
        if isinstance(x, Infinite):
            if at_infinity is None or x.sign < 0:
                raise Undefined("{} has no limit", site)
            return at_infinity
        if type(x) is acb:
            return tidy(complex_(x))
        if inside(x):
            return real(x)
        if outside(x):
            return tidy(complex_(acb(x)))
        box = ranges.ends(s, site.arg(0))
        if box is not None and all(closed(end) for end in box):
            return hull(*(apply(s, site, end) for end in box))
        for end, value in ends.items():
            if x.contains(end) and s.vanishes(site.arg(0), end):
                return _at_end(site, value)
        raise Undecided("the argument of {} may leave the real domain", site)

    return apply


def _at_end(site: CallSite, value: Callable[[], Value] | None) -> Value:
    if value is None:
        raise Undefined("a pole: {}", site)
    return value()
