"""Which function of SymPy, or name of our own, is evaluated by what."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flint import acb, arb, fmpq

from theorycheck.balls import integers, special
from theorycheck.balls.elementary import (
    Function,
    bounded_domain,
    entire,
    exp,
    limits,
    log,
    meromorphic,
)
from theorycheck.balls.integers import of_integers
from theorycheck.balls.special import through_arb
from theorycheck.balls.state import State
from theorycheck.balls.values import (
    HALF,
    ONE,
    ZERO,
    CallSite,
    Infinite,
    Undecided,
    Undefined,
    Value,
    ball,
)

_OO = Infinite(1)


def absolute(s: State, site: CallSite, x: Value) -> Value:
    """|x|, of a complex value its modulus."""
    return abs(x)


def sign(s: State, site: CallSite, x: Value) -> Value:
    """The sign of a real value; over a box the ball of the signs that it takes."""
    if type(x) is acb:
        x = s.real(site.arg(0), x)
    if s.box and type(x) is arb:
        return x.sgn()
    return fmpq(s.sign(site.arg(0), x))


def heaviside(s: State, site: CallSite, x: Value, at_zero: Value = HALF) -> Value:
    """0 below 0, 1 above, ``at_zero`` at 0."""
    d = s.sign(site.arg(0), s.real(site.arg(0), x))
    return at_zero if d == 0 else ONE if d > 0 else ZERO


def floor(s: State, site: CallSite, x: Value) -> Value:
    """The largest integer that is not above a real value."""
    return s.floor(site.arg(0), s.real(site.arg(0), x))


def ceiling(s: State, site: CallSite, x: Value) -> Value:
    """The smallest integer that is not below a real value."""
    x = s.real(site.arg(0), x)
    if type(x) is fmpq:
        return fmpq(x.ceil())
    return -s.floor(_negated(site.arg(0)), -x)


def _negated(site: CallSite) -> CallSite:
    import sympy

    return CallSite(sympy.Mul(-1, site.expr, evaluate=False), site.scope)


def frac(s: State, site: CallSite, x: Value) -> Value:
    """x - floor(x). Raises Undefined at infinity."""
    x = s.real(site.arg(0), x)
    if isinstance(x, Infinite):
        raise Undefined("{} has no limit", site)
    return integers.remainder(s, site.arg(0), x)


def maximum(s: State, site: CallSite, *xs: Value) -> Value:
    """The largest of real values."""
    return _extremum(s, site, xs, 1)


def minimum(s: State, site: CallSite, *xs: Value) -> Value:
    """The smallest of real values."""
    return _extremum(s, site, xs, -1)


def _extremum(s: State, site: CallSite, xs: tuple[Value, ...], side: int) -> Value:
    best: Value = None
    for i, x in enumerate(xs):
        y = s.real(site.arg(i), x)
        if best is None:
            best = y
        elif isinstance(best, Infinite) or isinstance(y, Infinite):
            infinite, other = (best, y) if isinstance(best, Infinite) else (y, best)
            best = infinite if infinite.sign == side else other
        elif (y > best) if side > 0 else (y < best):
            best = y
        elif not ((y <= best) if side > 0 else (y >= best)):
            # Overlapping balls: the extremum of the two lies in the extremum of the balls.
            a, b = ball(best), ball(y)
            best = a.max(b) if side > 0 else a.min(b)
    return best


def real_part(s: State, site: CallSite, x: Value) -> Value:
    """The real part."""
    return x.real if type(x) is acb else x


def imaginary_part(s: State, site: CallSite, x: Value) -> Value:
    """The imaginary part."""
    return x.imag if type(x) is acb else ZERO


def conjugate(s: State, site: CallSite, x: Value) -> Value:
    """The complex conjugate."""
    return x.conjugate() if type(x) is acb else x


def argument(s: State, site: CallSite, x: Value) -> Value:
    """The argument in (-pi, pi]. Raises Undefined at 0."""
    if type(x) is acb:
        return x.arg()
    d = s.sign(site.arg(0), x)
    if d == 0:
        raise Undefined("arg(0)")
    return ZERO if d > 0 else arb.pi()


def arctangent2(s: State, site: CallSite, y: Value, x: Value) -> Value:
    """The angle of the point (x, y) in (-pi, pi]. Raises Undefined at (0, 0) and at infinity."""
    y, x = s.real(site.arg(0), y), s.real(site.arg(1), x)
    if isinstance(x, Infinite) or isinstance(y, Infinite):
        raise Undefined("{} at infinity", site)
    if type(x) is fmpq and type(y) is fmpq and y == 0:
        if x == 0:
            raise Undefined("atan2(0, 0)")
        return ZERO if x > 0 else arb.pi()
    a, b = ball(y), ball(x)
    if not b > 0 and a.contains(0) and s.sign(site.arg(0), y) == 0:
        d = s.sign(site.arg(1), x)
        if d == 0:
            raise Undefined("atan2(0, 0)")
        return arb.pi() if d < 0 else ZERO
    return arb.atan2(a, b)


def acot(s: State, site: CallSite, x: Value) -> Value:
    """SymPy's inverse cotangent: atan(1/x), pi/2 at 0."""
    if isinstance(x, Infinite):
        return ZERO
    if type(x) is fmpq:
        return arb.pi() / 2 if x == 0 else (1 / arb(x)).atan()
    if s.sign(site.arg(0), s.real(site.arg(0), x)) == 0:
        return arb.pi() / 2
    return (1 / x).atan()


_asin = bounded_domain(
    "asin",
    {-ONE: lambda: -arb.pi() / 2, ONE: lambda: arb.pi() / 2},
    lambda x: x > -1 and x < 1,
    lambda x: x < -1 or x > 1,
    lambda x: -1 <= x <= 1,
    {ZERO: ZERO},
)
_acos = bounded_domain(
    "acos",
    {-ONE: arb.pi, ONE: lambda: ZERO},
    lambda x: x > -1 and x < 1,
    lambda x: x < -1 or x > 1,
    lambda x: -1 <= x <= 1,
    {},
)
_acosh = bounded_domain(
    "acosh", {ONE: lambda: ZERO}, lambda x: x > 1, lambda x: x < 1, lambda x: x >= 1, {}, _OO
)
_atanh = bounded_domain(
    "atanh",
    {-ONE: None, ONE: None},
    lambda x: x > -1 and x < 1,
    lambda x: x < -1 or x > 1,
    lambda x: -1 < x < 1,
    {ZERO: ZERO},
)


def erfinv(s: State, site: CallSite, x: Value) -> Value:
    """The inverse of erf on (-1, 1)."""
    if isinstance(x, Infinite):
        raise Undefined("{} at infinity", site)
    if type(x) is fmpq and x == 0:
        return ZERO
    y = ball(s.real(site.arg(0), x))
    if y > -1 and y < 1:
        return y.erfinv()
    for end in (-1, 1):
        if (type(x) is fmpq and x == end) or (
            type(x) is arb and s.vanishes(site.arg(0), fmpq(end))
        ):
            return Infinite(end)
    if y < -1 or y > 1:
        raise Undefined("{}: the argument is outside [-1, 1]", site)
    raise Undecided("the argument of {} may leave [-1, 1]", site)


def erfcinv(s: State, site: CallSite, x: Value) -> Value:
    """The inverse of erfc on (0, 2)."""
    if isinstance(x, Infinite):
        raise Undefined("{} at infinity", site)
    if type(x) is fmpq:
        if x == 1:
            return ZERO
        if x in (0, 2):
            return Infinite(1 if x == 0 else -1)
    y = ball(s.real(site.arg(0), x))
    if y > 0 and y < 2:
        return y.erfcinv()
    if y < 0 or y > 2:
        raise Undefined("{}: the argument is outside [0, 2]", site)
    raise Undecided("the argument of {} may leave [0, 2]", site)


def _positive_last(*xs: arb) -> bool:
    return bool(xs[-1] > 0)


FUNCTIONS: Mapping[str, Function] = {
    "exp": exp,
    "log": log,
    "sin": entire("sin", ZERO, None),
    "cos": entire("cos", ONE, None),
    "sinh": entire("sinh", ZERO, limits(-_OO, _OO)),
    "cosh": entire("cosh", ONE, limits(_OO, _OO)),
    "tanh": entire("tanh", ZERO, limits(-ONE, ONE)),
    "asinh": entire("asinh", ZERO, limits(-_OO, _OO)),
    "erf": entire("erf", ZERO, limits(-ONE, ONE)),
    "erfc": entire("erfc", ONE, limits(fmpq(2), ZERO)),
    "erfi": entire("erfi", ZERO, limits(-_OO, _OO)),
    "sinc": entire("sinc", ONE, limits(ZERO, ZERO)),
    "atan": entire("atan", ZERO, (lambda: -arb.pi() / 2, lambda: arb.pi() / 2)),
    "tan": meromorphic("tan", ZERO),
    "cot": meromorphic("cot", None),
    "sec": meromorphic("sec", ONE),
    "csc": meromorphic("csc", None),
    "coth": meromorphic("coth", None, limits(-ONE, ONE)),
    "sech": meromorphic("sech", ONE, limits(ZERO, ZERO)),
    "csch": meromorphic("csch", None, limits(ZERO, ZERO)),
    "asin": _asin,
    "acos": _acos,
    "acosh": _acosh,
    "atanh": _atanh,
    "acot": acot,
    "atan2": arctangent2,
    "erfinv": erfinv,
    "erfcinv": erfcinv,
    "Abs": absolute,
    "sign": sign,
    "Heaviside": heaviside,
    "floor": floor,
    "ceiling": ceiling,
    "frac": frac,
    "Max": maximum,
    "Min": minimum,
    "re": real_part,
    "im": imaginary_part,
    "conjugate": conjugate,
    "arg": argument,
    "gamma": special.gamma,
    "loggamma": special.loggamma,
    "digamma": special.digamma,
    "trigamma": lambda s, site, x: special.polygamma(s, site, ONE, x),
    "polygamma": special.polygamma,
    "beta": special.beta,
    "factorial": special.factorial,
    "factorial2": special.factorial2,
    "subfactorial": special.subfactorial,
    "RisingFactorial": special.rising,
    "rf": special.rising,
    "FallingFactorial": special.falling,
    "ff": special.falling,
    "binomial": special.binomial,
    "catalan": special.catalan,
    "harmonic": special.harmonic,
    "bernoulli": special.bernoulli,
    "zeta": special.zeta,
    "LambertW": special.lambertw,
    "lowergamma": through_arb(lambda a, z: z.gamma_lower(a), _positive_last),
    "uppergamma": through_arb(lambda a, z: z.gamma_upper(a), _positive_last),
    "expint": through_arb(lambda a, z: z.expint(a), _positive_last),
    "Ei": through_arb(lambda z: z.ei()),
    "li": through_arb(lambda z: z.li(), _positive_last),
    "Si": through_arb(lambda z: z.si()),
    "Ci": through_arb(lambda z: z.ci(), _positive_last),
    "Shi": through_arb(lambda z: z.shi()),
    "polylog": through_arb(lambda a, z: z.polylog(a), lambda a, z: bool(z < 1)),
    "besselj": through_arb(lambda a, z: z.bessel_j(a), _positive_last),
    "bessely": through_arb(lambda a, z: z.bessel_y(a), _positive_last),
    "besseli": through_arb(lambda a, z: z.bessel_i(a), _positive_last),
    "besselk": through_arb(lambda a, z: z.bessel_k(a), _positive_last),
    "legendre": through_arb(lambda n, z: z.legendre_p(n), lambda n, z: bool(z > -1)),
    "chebyshevt": through_arb(lambda n, z: z.chebyshev_t(n), lambda n, z: bool(z > -1)),
    "chebyshevu": through_arb(lambda n, z: z.chebyshev_u(n), lambda n, z: bool(z > -1)),
    "hermite": through_arb(lambda n, z: z.hermite_h(n)),
    "laguerre": through_arb(lambda n, z: z.laguerre_l(n)),
    "gegenbauer": through_arb(lambda n, a, z: z.gegenbauer_c(n, a), lambda n, a, z: bool(z > -1)),
    "gcd": of_integers(integers.gcd),
    "lcm": of_integers(integers.lcm),
    "Mod": integers.mod,
    "totient": of_integers(integers.totient),
    "reduced_totient": of_integers(integers.reduced_totient),
    "divisor_sigma": of_integers(integers.divisor_sigma),
    "divisor_count": of_integers(integers.divisor_count),
    "mobius": of_integers(integers.mobius),
    "primenu": of_integers(integers.primenu),
    "primeomega": of_integers(integers.primeomega),
    "primepi": integers.primepi,
    "prime": of_integers(integers.prime),
    "primorial": of_integers(integers.primorial),
    "partition": of_integers(integers.partition),
    "bell": of_integers(integers.bell),
    "euler": of_integers(integers.euler_number),
    "fibonacci": integers.fibonacci,
    "lucas": integers.lucas,
    "KroneckerDelta": integers.kronecker_delta,
}
"""By the name of the SymPy class or of an undefined `sympy.Function` of that name."""

PREDICATES: Mapping[str, Callable[..., bool]] = {
    "isprime": integers.isprime,
    "is_square": integers.is_square,
    "divides": integers.divides,
}
