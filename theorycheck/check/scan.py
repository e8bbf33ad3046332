"""Many integers at once, as arrays of machine numbers: where the first counterexample is in the millions.

A scan only proposes points, each of which is then judged exactly, unless every number on the way was an
integer that fits in 63 bits: then what the arrays say is exact, and a finished scan is an exhaustion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from flint import fmpz

from theorycheck.check.domain import Value, Variable, to_value
from theorycheck.check.limits import Clock
from theorycheck.check.operators import NEGATED
from theorycheck.check.problem import Problem
from theorycheck.check.text import Comparison, Formula, Predicate

Array = np.ndarray[Any, np.dtype[Any]]

_BLOCK = 1 << 17
_LIMIT = 2.0**62
# Products of residues below this fit in 63 bits.
_MODULUS = 3.0e9
# Relative error of a chain of float64 operations, generously. It says only where to look: points that seem to
# fail, or sides nearer than this, are judged exactly, and a scan in floats is never called exhaustive.
_CLOSE = 1e-11
# More near misses than these in one block say that the sides are equal, or too near for floats.
_MAX_CLOSE = 40
# Of a range without end, so much is scanned if time allows, by the number of names.
_REACH = {1: 10**9, 2: 5000, 3: 300}
_TABLE = 1 << 24


class NotVector(Exception):
    """No array program for this expression, or numbers too large for it."""


@dataclass
class Scan:
    """A scan of all points in order, which can be continued. ``exact``: nothing was rounded so far."""

    problem: Problem
    done: int = 0
    exact: bool = True
    finished: bool = False
    given_up: bool = False
    met: int = 0
    _sums: dict[Any, tuple[int, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.variables = self.problem.domains.variables
        reach = _REACH.get(len(self.variables), 60)
        self.ranges = [_range(v, reach) for v in self.variables]
        self.given_up = not self.variables or any(r is None for r in self.ranges)
        self.whole = all(
            v.kind == "set" or (v.kind != "real" and v.high is not None and v.high.is_Integer)
            for v in self.variables
        )

    @property
    def size(self) -> int:
        product = 1
        for r in self.ranges:
            product *= r[1] if r else 0
        return product

    @property
    def reached(self) -> str:
        """How far a name without others was gone through, each of its integers exactly; empty elsewhere."""
        if len(self.variables) != 1 or self.variables[0].kind != "integer":
            return ""
        first = self.ranges[0]
        if first is None or not self.exact or self.given_up or not self.done:
            return ""
        return f" (all of {first[0]}..{first[0] + self.done - 1})"

    def candidates(self, clock: Clock) -> Iterator[dict[str, Value]]:
        """Points at which the statement fails, or at which float64 cannot tell."""
        while not (self.given_up or self.finished or clock.out()):
            count = min(_BLOCK, self.size - self.done)
            if count <= 0:
                self.finished = self.whole
                return
            try:
                with np.errstate(all="ignore"):
                    yield from self._block(self.done, count)
            except (NotVector, OverflowError, ValueError, TypeError, MemoryError):
                self.given_up = True
                return
            self.done += count

    def _block(self, first: int, count: int) -> Iterator[dict[str, Value]]:
        index = np.arange(first, first + count, dtype=np.int64)
        columns: dict[str, Array] = {}
        for v, r in zip(reversed(self.variables), reversed(self.ranges), strict=True):
            if r is None:
                raise NotVector(v.name)
            low, size = r
            place = index % size
            columns[v.name] = np.asarray(_members(v)[place] if v.kind == "set" else place + low)
            index = np.asarray(index // size)
        program = _Program(columns, self._sums, contiguous=len(self.variables) == 1)
        inside = program.inside(self.variables)
        for h in self.problem.hypotheses:
            inside &= program.truth(h)[0]
        fails, close = program.truth(self.problem.goal, negated=True)
        self.exact &= program.exact
        self.met += int(np.count_nonzero(inside))
        suspects = np.flatnonzero(inside & fails)[:5]
        if len(suspects) == 0:
            suspects = np.flatnonzero(inside & close)
            if len(suspects) > _MAX_CLOSE:
                suspects = suspects[:_MAX_CLOSE]
                self.given_up = True
        for i in suspects:
            yield {v.name: int(columns[v.name][i]) for v in self.variables}


def _range(v: Variable, reach: int) -> tuple[int, int] | None:
    """First integer and how many, over all values of earlier names; None where that is not known."""
    if v.kind == "set":
        return (0, len(v.values)) if all(abs(k) < _LIMIT for k in _whole(v)) else None
    if v.kind not in ("integer", "prime") or v.low is None or not v.low.is_Integer:
        return None
    low = int(v.low)
    if not v.high.is_Integer and v.high != sp.oo:
        return None
    size = reach if v.high == sp.oo else max(int(v.high) - low + 1, 0)
    # Machine integers wrap around without a word.
    return (low, size) if abs(low) + size < _LIMIT else None


def _whole(v: Variable) -> list[float]:
    return [int(k) if k.is_Integer else float("inf") for k in v.values]


def _members(v: Variable) -> Array:
    """Members of a set of integers, in the order in which they are tried."""
    return np.array(sorted((int(k) for k in v.values), key=lambda k: (abs(k), -k)), dtype=np.int64)


class _Program:
    """Evaluates expressions on the columns of one block; int64 where exact, else float64."""

    def __init__(
        self, columns: dict[str, Array], sums: dict[Any, tuple[int, Any]], *, contiguous: bool
    ) -> None:
        self.columns, self.sums, self.contiguous = columns, sums, contiguous
        self.exact = True
        self.known: dict[Any, Array] = {}
        self.count = len(next(iter(columns.values())))

    def inside(self, variables: Sequence[Variable]) -> Array:
        inside = np.ones(self.count, dtype=bool)
        for v in variables:
            if v.kind == "prime":
                inside &= _isprime(self.columns[v.name])
        return inside

    def truth(self, formula: Formula, *, negated: bool = False) -> tuple[Array, Array]:
        """(true for certain as far as floats go, too close to tell) of the formula or its negation."""
        if isinstance(formula, Comparison):
            return self._comparison(formula, negated)
        if isinstance(formula, Predicate):
            value = self._predicate(formula)
            return (~value if negated else value), np.zeros(self.count, dtype=bool)
        if formula.kind == "not":
            return self.truth(formula.parts[0], negated=not negated)
        parts = [self.truth(p, negated=negated) for p in formula.parts]
        every = (formula.kind == "and") != negated
        sure, close = parts[0]
        for more, near in parts[1:]:
            possible = (sure | close) & (more | near) if every else sure | close | more | near
            sure = sure & more if every else sure | more
            close = possible & ~sure
        return sure, close

    def _comparison(self, c: Comparison, negated: bool) -> tuple[Array, Array]:
        a, b = self.value(c.lhs), self.value(c.rhs)
        op = NEGATED[c.op] if negated else c.op
        if a.dtype == b.dtype == np.int64:
            return _COMPARE[op](a, b), np.zeros(self.count, dtype=bool)
        self.exact = False
        a, b = a.astype(float), b.astype(float)
        difference, scale = a - b, np.abs(a) + np.abs(b)
        close = ~(np.abs(difference) > _CLOSE * scale + 1e-290)
        if op == "==":
            return np.zeros(self.count, dtype=bool), close
        return _COMPARE[op](a, b) & ~close, close

    def _predicate(self, p: Predicate) -> Array:
        args = [self._integers(a) for a in p.args]
        if p.name == "isprime":
            return _isprime(args[0])
        if p.name == "is_square":
            inside = args[0] >= 0
            return np.asarray(inside & (_root(np.maximum(args[0], 0)) ** 2 == args[0]))
        if np.any(args[0] == 0):
            raise NotVector("division by zero")
        return np.asarray(np.mod(args[1], args[0]) == 0)

    def _integers(self, e: Any) -> Array:
        value = self.value(e)
        if value.dtype != np.int64:
            raise NotVector(f"{e} is not an exact integer")
        return value

    def value(self, e: Any) -> Array:
        found = self.known.get(e)
        if found is None:
            found = self.known[e] = self._value(e)
        return found

    def _value(self, e: Any) -> Array:
        if e.is_Symbol:
            return self.columns[e.name]
        if not e.free_symbols:
            return self._constant(e)
        if e.is_Add or e.is_Mul:
            return self._many(e)
        if e.is_Pow:
            return self._power(*e.args)
        if isinstance(e, sp.Sum):
            return self._sum(e)
        name = type(e).__name__
        if name == "Mod":
            m = self._integers(e.args[1])
            if np.any(m == 0):
                raise NotVector("modulo zero")
            return self.modulo(e.args[0], m)
        if name in _SIEVED or name in ("gcd", "lcm"):
            args = [self._integers(a) for a in e.args]
            return _SIEVED[name](*args) if name in _SIEVED else _joined(name, args)
        if name in ("floor", "ceiling"):
            whole = self._floor(e.args[0] if name == "floor" else -e.args[0])
            if whole is not None:
                return whole if name == "floor" else -whole
        if name in _FLOATS:
            value = self.value(e.args[0])
            if name == "Abs":
                return np.abs(value)
            if name in ("floor", "ceiling") and value.dtype == np.int64:
                return value
            self.exact = False
            result = np.asarray(_FLOATS[name](value.astype(float)))
            small = name in ("floor", "ceiling", "sign") and np.all(np.abs(result) < 2**52)
            return result.astype(np.int64) if small else result
        if name in ("Min", "Max"):
            columns = [self.value(a) for a in e.args]
            return np.asarray((np.minimum if name == "Min" else np.maximum).reduce(columns))
        raise NotVector(name)

    def _floor(self, e: Any) -> Array | None:
        """The floor of a square root or a quotient of exact integers; None for anything else."""
        try:
            if e.is_Pow and e.args[1] == sp.Rational(1, 2):
                return _root(self._integers(e.args[0]))
            above, below = sp.fraction(sp.together(e))
            if below.is_number and not below.is_Integer:
                return None
            divisor = self._integers(below)
            return None if np.any(divisor == 0) else self._integers(above) // divisor
        except NotVector:
            return None

    def _constant(self, e: Any) -> Array:
        value = to_value(e) if e.is_Rational else None
        if isinstance(value, int) and abs(value) < _LIMIT:
            return np.full(self.count, value, dtype=np.int64)
        self.exact = False
        number = float(Fraction(value)) if isinstance(value, int | Fraction) else float(e.evalf(20))
        return np.full(self.count, number)

    def _many(self, e: Any) -> Array:
        operator = np.add if e.is_Add else np.multiply
        rest = list(e.args)
        total = self.value(rest[0])
        for a in rest[1:]:
            value = self.value(a)
            if total.dtype == value.dtype == np.int64:
                bound = float(operator(_largest(total), _largest(value)))
                if bound < _LIMIT:
                    total = operator(total, value)
                    continue
            self.exact = False
            total = operator(total.astype(float), value.astype(float))
        return np.asarray(total)

    def _power(self, base: Any, exponent: Any) -> Array:
        b = self.value(base)
        small = exponent.is_Integer and 0 <= int(exponent) <= 64 and b.dtype == np.int64
        if small and _largest(b) ** int(exponent) < _LIMIT:
            return np.asarray(b ** int(exponent))
        if base == -1:
            return np.asarray(1 - 2 * np.mod(self._integers(exponent), 2))
        if base == 0:
            return np.asarray((self.value(exponent) == 0).astype(np.int64))
        self.exact = False
        return np.asarray(np.power(b.astype(float), self.value(exponent).astype(float)))

    def modulo(self, e: Any, m: Array) -> Array:
        """e modulo m, with residues on the way, so that powers may be large."""
        if _largest(m) < _MODULUS:
            if e.is_Add or e.is_Mul:
                operator = np.add if e.is_Add else np.multiply
                total = self.modulo(e.args[0], m)
                for a in e.args[1:]:
                    total = np.mod(operator(total, self.modulo(a, m)), m)
                return np.asarray(total)
            if e.is_Pow and e.args[1].is_integer:
                exponent = self._integers(e.args[1])
                if np.any(exponent < 0):
                    raise NotVector("a negative power")
                return _power_modulo(self.modulo(e.args[0], m), exponent, m)
        return np.asarray(np.mod(self._integers(e), m))

    def _sum(self, e: Any) -> Array:
        """A sum over terms that depend on the index alone, up to the only name plus a constant."""
        if len(e.limits) != 1 or not self.contiguous:
            raise NotVector("nested sums")
        k, low, high = e.limits[0]
        if not low.is_Integer or (e.function.free_symbols - {k}):
            raise NotVector("terms of a sum that depend on more than the index")
        top = self._integers(high)
        if np.any(np.diff(top) != 1):
            raise NotVector("a sum whose end does not move by one")
        start, carry = self.sums.get(e, (int(low), 0))
        last = int(top[-1])
        if last - start > 8 * _BLOCK:
            raise NotVector("too many terms before the first")
        if last < start:
            return np.zeros(self.count, dtype=np.int64)
        inner = _Program({k.name: np.arange(start, last + 1)}, {}, contiguous=True)
        terms = inner.value(e.function)
        self.exact &= inner.exact
        whole = terms.dtype == np.int64 and float(np.sum(np.abs(terms.astype(float)))) < _LIMIT / 4
        sums = carry + np.cumsum(terms if whole else terms.astype(float))
        self.sums[e] = (last + 1, sums[-1])
        before = np.where(top < start, carry, 0)
        return np.asarray(np.where(top < start, before, sums[np.maximum(top - start, 0)]))


_COMPARE: dict[str, Callable[[Array, Array], Array]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_FLOATS: dict[str, Callable[[Array], Array]] = {
    **{name: getattr(np, name) for name in ("exp", "log", "sin", "cos", "tan", "floor", "sign")},
    **{name: getattr(np, name) for name in ("sinh", "cosh", "tanh", "arctan")},
    "atan": np.arctan,
    "ceiling": np.ceil,
    "Abs": np.abs,
    "harmonic": lambda n: np.where(
        n < 20,
        np.cumsum(1 / np.arange(1.0, 21.0))[np.clip(n, 1, 20).astype(int) - 1] * (n > 0),
        np.log(np.maximum(n, 1))
        + np.euler_gamma
        + 1 / (2 * n)
        - 1 / (12 * n**2)
        + 1 / (120 * n**4),
    ),
}


def _largest(a: Array) -> float:
    return float(max(abs(int(a.max())), abs(int(a.min()))))


def _root(a: Array) -> Array:
    """The integer part of the square root, exactly."""
    if np.any(a < 0):
        raise NotVector("a square root of a negative number")
    root = np.sqrt(a.astype(float)).astype(np.int64)
    root -= root * root > a
    root += (root + 1) * (root + 1) <= a
    return np.asarray(root)


def _joined(name: str, args: Sequence[Array]) -> Array:
    if name == "gcd":
        return np.asarray(np.gcd.reduce(args))
    bound = 1.0
    for a in args:
        bound *= max(_largest(a), 1.0)
    if bound >= _LIMIT:
        raise NotVector("lcm")
    return np.asarray(np.lcm.reduce(args))


def _power_modulo(base: Array, exponent: Array, m: Array) -> Array:
    result = np.mod(np.ones_like(m), m)
    base, exponent = base.copy(), exponent.copy()
    while np.any(exponent > 0):
        odd = (exponent & 1).astype(bool)
        result = np.where(odd, np.mod(result * base, m), result)
        base = np.mod(base * base, m)
        exponent >>= 1
    return result


# Functions of the prime factors ------------------------------------------------------------------


def _primes_to(limit: int) -> Array:
    sieve = np.ones(limit + 1, dtype=bool)
    sieve[:2] = False
    for p in range(2, int(limit**0.5) + 1):
        if sieve[p]:
            sieve[p * p :: p] = False
    return np.flatnonzero(sieve)


def _isprime(a: Array) -> Array:
    return _sieved(a, lambda p, k: 0 if k > 1 else 1, _PRIME)


_PRIME = "isprime"


def _sieved(a: Array, local: Callable[[Any, int], Any], how: str) -> Array:
    """A function of the prime factorisation: of a stretch of consecutive integers by a sieve, of
    other numbers one by one."""
    if how == _PRIME and len(a) > 1 and not np.all(np.diff(a) == 1):
        return np.array([n > 1 and bool(fmpz(int(n)).is_prime()) for n in a.tolist()])
    if np.any(a < 1):
        if how == _PRIME:
            return np.asarray((a >= 1) & _sieved(np.maximum(a, 1), local, how))
        raise NotVector("a function of divisors below 1")
    low, high = int(a.min()), int(a.max())
    if high - low > 4 * _BLOCK or high > 10**13:
        raise NotVector("arguments far apart")
    n = np.arange(low, high + 1, dtype=np.int64)
    rest = n.copy()
    result = np.zeros(len(n), dtype=np.int64) if how == "add" else np.ones(len(n), dtype=np.int64)
    factors = np.zeros(len(n), dtype=np.int64)
    for p in _primes_to(int(high**0.5) + 1).tolist():
        place = np.arange(-low % p, len(n), p)
        exponents = np.zeros(len(place), dtype=np.int64)
        todo = place
        while len(todo):
            rest[todo] //= p
            exponents[(todo - (-low % p)) // p] += 1
            todo = todo[rest[todo] % p == 0]
        factors[place] += exponents
        if how == _PRIME:
            continue
        for k in np.unique(exponents).tolist():
            chosen = place[exponents == k]
            value = local(p, k)
            result[chosen] = result[chosen] + value if how == "add" else result[chosen] * value
    large = rest > 1
    factors[large] += 1
    if how == _PRIME:
        result = ((factors == 1) & (n > 1)).astype(bool)
    else:
        values = local(rest[large], 1)
        result[large] = result[large] + values if how == "add" else result[large] * values
    return np.asarray(result[a - low])


def _sigma(power: int) -> Callable[[Any, int], Any]:
    def local(p: Any, k: int) -> Any:
        return sum(p ** (power * j) for j in range(k + 1))

    return local


def _divisor_sigma(a: Array, power: Array | None = None) -> Array:
    k = 1 if power is None else int(power[0])
    if power is not None and (np.any(power != k) or k > 2 or k < 0):
        raise NotVector("powers of divisors")
    if _largest(a) ** max(k, 1) > 1e15:
        raise NotVector("sums of divisors too large")
    return _sieved(a, _sigma(k), "multiply")


def _primepi(a: Array) -> Array:
    if _largest(a) > _TABLE:
        raise NotVector("primepi")
    limit = 1 << max(int(_largest(a)).bit_length(), 16)
    return np.asarray(_counts(limit)[np.maximum(a, 0)])


@lru_cache(maxsize=2)
def _counts(limit: int) -> Array:
    sieve = np.zeros(limit + 1, dtype=np.int64)
    sieve[_primes_to(limit)] = 1
    return np.cumsum(sieve)


_SIEVED: dict[str, Callable[..., Array]] = {
    "totient": lambda a: _sieved(a, lambda p, k: (p - 1) * p ** (k - 1), "multiply"),
    "divisor_sigma": _divisor_sigma,
    "divisor_count": lambda a: _sieved(a, lambda p, k: k + 1, "multiply"),
    "mobius": lambda a: _sieved(a, lambda p, k: -1 if k == 1 else 0, "multiply"),
    "primeomega": lambda a: _sieved(a, lambda p, k: k, "add"),
    "primenu": lambda a: _sieved(a, lambda p, k: 1, "add"),
    "primepi": _primepi,
}
