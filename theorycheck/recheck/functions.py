"""Functions of the printed grammar at exact rationals and at real balls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, fmpq, fmpz

Value = Any
"""`fmpq` where it is exact, `arb` otherwise."""


class NoValue(ArithmeticError):
    """A term has no real value here, proved."""


class NotTold(ArithmeticError):
    """The balls are too wide to tell; more digits may."""


class OutOfReach(ValueError):
    """A function, or a size, that the second program does not evaluate."""


MAX_BITS = 40_000


def ball(x: Value) -> arb:
    """A value as a ball at the working precision."""
    return x if isinstance(x, arb) else arb(x)


def sign(x: Value) -> int:
    """The sign of a value. Raises NotTold."""
    if isinstance(x, fmpq):
        return int(x > 0) - int(x < 0)
    if x > 0:
        return 1
    if x < 0:
        return -1
    if x.is_zero():
        return 0
    raise NotTold


def whole(x: Value) -> int | None:
    """The integer that a value is, None if it is none or this is not known."""
    if isinstance(x, fmpq):
        return int(x.p) if x.q == 1 else None
    found = x.unique_fmpz()
    return int(found) if found is not None and x.is_exact() else None


def divide(a: Value, b: Value) -> Value:
    """a/b. Raises NoValue for b = 0."""
    if sign(b) == 0:
        raise NoValue
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return a / b
    return ball(a) / ball(b)


def root(x: Value, n: int = 2) -> Value:
    """The n-th root of x >= 0, exact where it is rational."""
    if sign_or_touching(x) < 0:
        raise NoValue
    if isinstance(x, fmpq):
        p, q = (fmpz(v).root(n) for v in (x.p, x.q))
        if p**n == x.p and q**n == x.q:
            return fmpq(p, q)
    return ball(x).sqrt() if n == 2 else ball(x).root(n)


def sign_or_touching(x: Value) -> int:
    """-1 where x < 0 is certain, 1 where x >= 0 is; NotTold where a ball holds values of both."""
    if isinstance(x, fmpq):
        return -1 if x < 0 else 1
    if x < 0:
        return -1
    if x >= 0:
        return 1
    raise NotTold


def power(base: Value, exponent: Value) -> Value:
    """base**exponent with the principal branch; 0**0 is 1."""
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return _integer_power(base, int(exponent.p))
    if isinstance(base, fmpq) and base == 1:
        return base
    kind = sign(base)
    if kind < 0:
        raise NoValue
    if kind == 0:
        if sign(exponent) > 0:
            return fmpq(0)
        raise NoValue
    if isinstance(exponent, fmpq):
        n = int(exponent.q)
        if n <= 24:
            return _integer_power(root(base, n), int(exponent.p))
    return (ball(base).log() * ball(exponent)).exp()


def _integer_power(base: Value, n: int) -> Value:
    if n == 0:
        return fmpq(1)
    if isinstance(base, fmpq):
        if base == 0:
            if n < 0:
                raise NoValue
            return base
        bits = max(base.p.bit_length(), base.q.bit_length())
        if bits * abs(n) <= MAX_BITS or abs(base) == 1:
            return base**n
    elif n < 0 and sign(base) == 0:
        raise NoValue
    return ball(base) ** n


def _exp(x: Value) -> Value:
    return fmpq(1) if _is(x, 0) else ball(x).exp()


def _log(x: Value, base: Value = None) -> Value:
    if base is not None:
        return divide(_log(x), _log(base))
    if sign(x) <= 0:
        raise NoValue
    return fmpq(0) if _is(x, 1) else ball(x).log()


def _is(x: Value, n: int) -> bool:
    return isinstance(x, fmpq) and x == n


def _at_zero(value: int, otherwise: Callable[[arb], arb]) -> Callable[[Value], Value]:
    return lambda x: fmpq(value) if _is(x, 0) else otherwise(ball(x))


def _abs(x: Value) -> Value:
    return abs(x)


def _max(*xs: Value) -> Value:
    return _extreme(xs, 1)


def _min(*xs: Value) -> Value:
    return _extreme(xs, -1)


def _extreme(xs: tuple[Value, ...], way: int) -> Value:
    best = xs[0]
    for x in xs[1:]:
        if isinstance(best, fmpq) and isinstance(x, fmpq):
            best = x if (x > best) == (way > 0) else best
        else:
            a, b = ball(best), ball(x)
            best = a.max(b) if way > 0 else a.min(b)
    return best


def _relu(x: Value) -> Value:
    return _max(fmpq(0), x)


def _sign(x: Value) -> Value:
    return fmpq(sign(x))


def _floor(x: Value) -> Value:
    if isinstance(x, fmpq):
        return fmpq(x.floor())
    low, high = x.lower().floor().unique_fmpz(), x.upper().floor().unique_fmpz()
    if low is None or low != high:
        raise NotTold
    return fmpq(low)


def _ceil(x: Value) -> Value:
    return -_floor(-x)


def _mod(x: Value, m: Value) -> Value:
    return x - m * _floor(divide(x, m))


def _factorial(x: Value) -> Value:
    n = whole(x)
    if n is None or n < 0:
        raise OutOfReach("factorial of what is no integer")
    if n > 3000:
        return arb(n + 1).gamma()
    return fmpq(fmpz.fac_ui(n))


def _binomial(n: Value, k: Value) -> Value:
    lower, upper = whole(k), whole(n)
    if lower is None:
        raise OutOfReach("binomial with a lower argument that is no integer")
    if lower < 0:
        if upper is not None and upper < 0:
            raise OutOfReach("binomial of negative integers")
        return fmpq(0)
    if upper is None or upper < 0:
        if lower > 500:
            raise OutOfReach("binomial of a large lower argument")
        result: Value = fmpq(1)
        for i in range(lower):
            result = result * (n - i) / (i + 1)
        return result
    if lower > upper:
        return fmpq(0)
    if upper <= 3000:
        return fmpq(fmpz.bin_uiui(upper, lower))
    top, a, b = arb(upper + 1), arb(lower + 1), arb(upper - lower + 1)
    return (top.lgamma() - a.lgamma() - b.lgamma()).exp()


def _harmonic(x: Value) -> Value:
    n = whole(x)
    if n is None or n < 0:
        raise OutOfReach("harmonic of what is no natural number")
    if n <= 400:
        return sum((fmpq(1, i) for i in range(1, n + 1)), fmpq(0))
    return arb(n + 1).digamma() + arb.const_euler()


def _gamma(x: Value) -> Value:
    n = whole(x)
    if n is not None and n <= 0:
        raise NoValue
    return _factorial(fmpq(n - 1)) if n is not None else ball(x).gamma()


def _phi(x: Value) -> Value:
    return fmpq(1, 2) if _is(x, 0) else (-ball(x) / arb(2).sqrt()).erfc() / 2


def _tail(x: Value) -> Value:
    return fmpq(1, 2) if _is(x, 0) else (ball(x) / arb(2).sqrt()).erfc() / 2


def _cbrt(x: Value) -> Value:
    return root(x, 3)


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "exp": _exp,
    "log": _log,
    "ln": _log,
    "sqrt": root,
    "cbrt": _cbrt,
    "abs": _abs,
    "Abs": _abs,
    "max": _max,
    "Max": _max,
    "min": _min,
    "Min": _min,
    "relu": _relu,
    "ReLU": _relu,
    "sign": _sign,
    "sgn": _sign,
    "floor": _floor,
    "ceil": _ceil,
    "ceiling": _ceil,
    "Mod": _mod,
    "factorial": _factorial,
    "binomial": _binomial,
    "harmonic": _harmonic,
    "gamma": _gamma,
    "Phi": _phi,
    "Q": _tail,
    "erf": _at_zero(0, lambda x: x.erf()),
    "erfc": _at_zero(1, lambda x: x.erfc()),
    "sin": _at_zero(0, lambda x: x.sin()),
    "cos": _at_zero(1, lambda x: x.cos()),
    "tan": _at_zero(0, lambda x: x.tan()),
    "atan": _at_zero(0, lambda x: x.atan()),
    "arctan": _at_zero(0, lambda x: x.atan()),
    "sinh": _at_zero(0, lambda x: x.sinh()),
    "cosh": _at_zero(1, lambda x: x.cosh()),
    "tanh": _at_zero(0, lambda x: x.tanh()),
    "asinh": _at_zero(0, lambda x: x.asinh()),
    "sigmoid": lambda x: fmpq(1, 2) if _is(x, 0) else 1 / (1 + (-ball(x)).exp()),
    "softplus": lambda x: (1 + ball(x).exp()).log(),
}

CONSTANT_BALLS: dict[str, Callable[[], arb]] = {
    "pi": arb.pi,
    "E": arb.const_e,
    "EulerGamma": arb.const_euler,
    "Catalan": arb.const_catalan,
    "GoldenRatio": lambda: (1 + arb(5).sqrt()) / 2,
}
