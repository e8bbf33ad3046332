"""Functions of integers: divisors, primes, sequences. Exact or undecided, never a guess."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import compress

from flint import arb, fmpq, fmpz

from theorycheck.balls.elementary import Function, reciprocal
from theorycheck.balls.state import State
from theorycheck.balls.values import (
    EXACT_BITS,
    ONE,
    ZERO,
    CallSite,
    Infinite,
    Undecided,
    Undefined,
    Value,
)

_FACTOR_BITS = 170
"""Integers up to this length are factored (about a second at worst, by the quadratic sieve)."""

_TRIAL, _TRIAL_BITS = 1000, 100_000
"""Longer ones up to this length, where primes up to this number leave a short one: 2**n, factorials."""

_PROOF_BITS = 700
"""Probable primes up to this length are proved prime (APR-CL, well under a second)."""

_SIEVE = 5_000_000
"""primepi and prime(n) are answered by a sieve up to this number."""

_SMALL_SIEVE = 1 << 16  # most questions need no more, and it takes a millisecond


def whole(s: State, place: CallSite, x: Value) -> fmpz | None:
    """The integer at ``place``, None if the value is no integer. Raises NonReal, Undecided."""
    return s.integer(place, s.real(place, x))


def of_integers(compute: Callable[..., Value]) -> Function:
    """A function of integers only; undefined elsewhere."""

    def apply(s: State, site: CallSite, *xs: Value) -> Value:
        numbers = []
        for i, x in enumerate(xs):
            n = whole(s, site.arg(i), x)
            if n is None:
                raise Undefined("{} is defined for integers only", site)
            numbers.append(n)
        return compute(site, *numbers)

    return apply


def gcd(site: CallSite, *ns: fmpz) -> fmpq:
    """Greatest common divisor, 0 of nothing but zeros."""
    r = fmpz(0)
    for n in ns:
        r = r.gcd(n)
    return fmpq(r)


def lcm(site: CallSite, *ns: fmpz) -> fmpq:
    """Least common multiple, 0 where one of them is 0."""
    r = fmpz(1)
    for n in ns:
        r = r.lcm(n)
    return fmpq(r)


def factored(site: CallSite, n: fmpz) -> list[tuple[fmpz, int]]:
    """Prime powers of an integer >= 1. Raises Undecided where that would take long."""
    if n.bit_length() <= _FACTOR_BITS:
        return list(n.factor())
    small = list(n.factor(trial_limit=_TRIAL)) if n.bit_length() <= _TRIAL_BITS else []
    if not small or small[-1][0].bit_length() > _FACTOR_BITS:
        raise Undecided(f"{{}}: factoring {n.bit_length()} bits is not attempted", site)
    *found, (rest, times) = small
    return [*found, *((p, k * times) for p, k in rest.factor())]


def _positive(site: CallSite, n: fmpz) -> fmpz:
    if n <= 0:
        raise Undefined("{} is defined for integers >= 1", site)
    return n


def totient(site: CallSite, n: fmpz) -> fmpq:
    """Euler's totient of n >= 1."""
    r = fmpz(1)
    for p, k in factored(site, _positive(site, n)):
        r *= p ** (k - 1) * (p - 1)
    return fmpq(r)


def reduced_totient(site: CallSite, n: fmpz) -> fmpq:
    """Carmichael's function of n >= 1: the exponent of the group of units mod n."""
    r = fmpz(1)
    for p, k in factored(site, _positive(site, n)):
        group = p ** (k - 1) * (p - 1)
        r = r.lcm(group // 2 if p == 2 and k > 2 else group)
    return fmpq(r)


def divisor_sigma(site: CallSite, n: fmpz, power: fmpz | None = None) -> fmpq:
    """Sum of the powers of the divisors of n >= 1. Raises Undecided for negative or too large powers."""
    power = fmpz(1) if power is None else power
    if power < 0 or power * n.bit_length() > EXACT_BITS:
        raise Undecided("{}: the power is negative or too large", site)
    e = int(power)
    r = fmpz(1)
    for p, k in factored(site, _positive(site, n)):
        q = p**e
        r *= fmpz(k + 1) if e == 0 else (q ** (k + 1) - 1) // (q - 1)
    return fmpq(r)


def divisor_count(site: CallSite, n: fmpz) -> fmpq:
    """Number of divisors of n >= 1."""
    return divisor_sigma(site, n, fmpz(0))


def mobius(site: CallSite, n: fmpz) -> fmpq:
    """The Moebius function of n >= 1."""
    factors = factored(site, _positive(site, n))
    return ZERO if any(k > 1 for _, k in factors) else fmpq((-1) ** len(factors))


def primenu(site: CallSite, n: fmpz) -> fmpq:
    """Number of distinct primes that divide n >= 1."""
    return fmpq(len(factored(site, _positive(site, n))))


def primeomega(site: CallSite, n: fmpz) -> fmpq:
    """Number of primes that divide n >= 1, with multiplicity."""
    return fmpq(sum(k for _, k in factored(site, _positive(site, n))))


@lru_cache(maxsize=2)
def _primes(limit: int = _SIEVE) -> list[int]:
    sieve = bytearray([1]) * (limit + 1)
    sieve[0:2] = b"\0\0"
    for p in range(2, math.isqrt(limit) + 1):
        if sieve[p]:
            sieve[p * p :: p] = bytes(len(range(p * p, limit + 1, p)))
    return list(compress(range(limit + 1), sieve))


def primepi(s: State, site: CallSite, x: Value) -> Value:
    """The number of primes <= x, for real x."""
    from bisect import bisect_right

    n = s.floor(site.arg(0), s.real(site.arg(0), x))
    if type(n) is not fmpq or n > _SIEVE:
        raise Undecided(f"{{}}: primes are counted up to {_SIEVE}", site)
    return fmpq(bisect_right(_primes(_SMALL_SIEVE if n <= _SMALL_SIEVE else _SIEVE), int(n.p)))


def prime(site: CallSite, n: fmpz) -> fmpq:
    """The n-th prime, n >= 1. Raises Undecided beyond the sieve."""
    primes = _primes()
    if _positive(site, n) > len(primes):
        raise Undecided(f"{{}}: primes are listed up to {_SIEVE}", site)
    return fmpq(primes[int(n) - 1])


def primorial(site: CallSite, n: fmpz) -> fmpq:
    """The product of the first n primes (SymPy's default)."""
    if n < 0 or n > 60_000:
        raise Undecided("{} is evaluated for 0 <= n <= 60000", site)
    return fmpq(math.prod(_primes()[: int(n)]))


def partition(site: CallSite, n: fmpz) -> fmpq:
    """Number of partitions of n, 0 below 0. Raises Undecided for n too large."""
    if n < 0:
        return ZERO
    if n > 10**9:
        raise Undecided("{} is too large", site)
    return fmpq(n.partitions_p())


def bell(site: CallSite, n: fmpz) -> fmpq:
    """The n-th Bell number. Raises Undecided outside of 0 <= n <= 5000."""
    if n < 0 or n > 5000:
        raise Undecided("{} is evaluated for 0 <= n <= 5000", site)
    return fmpq(fmpz.bell_number(int(n)))


def euler_number(site: CallSite, n: fmpz) -> fmpq:
    """The n-th Euler number. Raises Undecided outside of 0 <= n <= 5000."""
    if n < 0 or n > 5000:
        raise Undecided("{} is evaluated for 0 <= n <= 5000", site)
    return fmpq(fmpz.euler_number(int(n)))


def fibonacci(s: State, site: CallSite, x: Value) -> Value:
    """F_n for all integers n."""
    n = _index(s, site, x)
    r = _fibonacci(site, abs(n))
    return -r if n < 0 and n % 2 == 0 else r


def lucas(s: State, site: CallSite, x: Value) -> Value:
    """L_n = F_(n-1) + F_(n+1) for all integers n."""
    n = _index(s, site, x)
    r = 2 * _fibonacci(site, abs(n) + 1) - _fibonacci(site, abs(n))
    return -r if n < 0 and n % 2 == 1 else r


def _index(s: State, site: CallSite, x: Value) -> fmpz:
    if isinstance(x, Infinite):
        raise Undefined("{} has no limit", site)
    n = whole(s, site.arg(0), x)
    if n is None:
        raise Undefined("{} is defined for integers only", site)
    return n


def _fibonacci(site: CallSite, n: fmpz) -> Value:
    # F_n has about 0.6942 n bits
    if n <= EXACT_BITS:
        return fmpq(fmpz.fib_ui(int(n)))
    return arb.fib(n)


def mod(s: State, site: CallSite, a: Value, b: Value) -> Value:
    """a - b*floor(a/b): the sign of b, as in SymPy; undefined for b = 0."""
    if type(a) is fmpq and type(b) is fmpq:
        if b == 0:
            raise Undefined("{}: modulo zero", site)
        return a - b * (a / b).floor()
    if isinstance(a, Infinite) or isinstance(b, Infinite):
        raise Undefined("{} at infinity", site)
    a, b = s.real(site.arg(0), a), s.real(site.arg(1), b)
    ratio = a * reciprocal(s, site.arg(1), b)
    import sympy

    place = sympy.Mul(
        site.expr.args[0], sympy.Pow(site.expr.args[1], -1, evaluate=False), evaluate=False
    )
    return b * remainder(s, CallSite(place, site.scope), ratio)


def remainder(s: State, place: CallSite, x: Value) -> Value:
    """x - floor(x); 0 where x is proved to be an integer."""
    n = s.floor(place, x)
    if type(x) is arb and type(n) is fmpq and x.contains(n) and s.vanishes(place, n):
        return ZERO
    return x - n


# ---------------------------------------------------------------- predicates


def isprime(s: State, site: CallSite, x: Value) -> bool:
    """Whether x is a prime number; what is no integer is none."""
    n = whole(s, site.arg(0), x)
    if n is None or n < 2:
        return False
    if n.bit_length() <= 64:
        return bool(n.is_prime())
    if n.bit_length() > 20_000:
        raise Undecided("{}: too large for a test of primality", site)
    if not n.is_probable_prime():
        return False
    if n.bit_length() <= _PROOF_BITS:
        return bool(n.is_prime())
    raise Undecided("{}: a probable prime, too long to be proved prime", site)


def is_square(s: State, site: CallSite, x: Value) -> bool:
    """Whether the number is the square of an integer."""
    n = whole(s, site.arg(0), x)
    return n is not None and n >= 0 and bool(n.is_square())


def divides(s: State, site: CallSite, d: Value, x: Value) -> bool:
    """Whether the integer d divides the integer x; 0 divides only 0."""
    m, n = whole(s, site.arg(0), d), whole(s, site.arg(1), x)
    if m is None or n is None:
        raise Undefined("{} is defined for integers only", site)
    return bool(n == 0) if m == 0 else bool(n % m == 0)


def kronecker_delta(s: State, site: CallSite, i: Value, j: Value) -> Value:
    """1 where i and j are equal, else 0."""
    import sympy

    d = i - j
    if type(d) is fmpq:
        return ONE if d == 0 else ZERO
    place = sympy.Add(
        site.expr.args[0], sympy.Mul(-1, site.expr.args[1], evaluate=False), evaluate=False
    )
    return ONE if s.sign(CallSite(place, site.scope), d) == 0 else ZERO
