"""Gamma and its relatives, factorials, binomials, zeta, error functions, LambertW.

Integer arguments of moderate size give exact numbers; everything else goes through Arb. The values at
integers follow SymPy (binomial(n, k) = 0 for k < 0, harmonic and zeta with their poles, B_1 = 1/2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import acb, arb, fmpq, fmpq_poly, fmpz

from theorycheck.balls.elementary import Function, power
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

_EXACT_FACTORIAL = 70_000
"""n! has about n*log2(n/e) bits, 1.03 million for this n: the longest kept exactly."""

_EXACT_TERMS = 100_000
"""Products of more factors (rf, ff, binomial of rationals), harmonic sums and Bernoulli indices beyond
this become balls."""


def _no_infinity(site: CallSite, *xs: Value) -> None:
    for x in xs:
        if isinstance(x, Infinite):
            raise Undecided("the limit of {} is not known here", site)


def _settled(site: CallSite, r: Value, *xs: Value) -> Value:
    """The result; Undecided where finite arguments gave none: a value that may not exist must not go on
    as a ball without bounds, which stands for one that is too large."""
    if not r.is_finite() and all(ball(x).is_finite() for x in xs):
        raise Undecided("no finite enclosure of {}: near a pole, or too large", site)
    return r


def _real(x: Value) -> bool:
    return type(x) is not acb


# ---------------------------------------------------------------- gamma


def gamma(s: State, site: CallSite, x: Value) -> Value:
    """The gamma function. Raises Undefined at its poles."""
    return gamma_at(s, site, site.arg(0), x, ZERO)


def factorial(s: State, site: CallSite, x: Value) -> Value:
    """x!, exactly for integers that are not too large; gamma(x + 1) for the rest."""
    if type(x) is fmpq and x.q == 1 and 0 <= x <= _EXACT_FACTORIAL:
        return fmpq(fmpz.fac_ui(int(x.p)))
    return gamma_at(s, site, site.arg(0), x, ONE)


def gamma_at(s: State, site: CallSite, place: CallSite, x: Value, shift: fmpq) -> Value:
    """gamma(x + shift), x being the value at ``place``; undefined at 0, -1, -2, ..."""
    if isinstance(x, Infinite):
        return x if x.sign > 0 else _pole(site)
    y = x + shift
    if type(y) is fmpq:
        if y.q == 1:
            if y <= 0:
                raise Undefined("a pole of the gamma function: {}", site)
            if y <= _EXACT_FACTORIAL:
                return fmpq(fmpz.fac_ui(int(y.p) - 1))
        return arb.gamma_fmpq(y) if height(y) < 64 else arb(y).gamma()
    r = tidy(y.gamma()) if type(y) is acb else y.gamma()
    if not r.is_finite() and y.is_finite():
        _check_pole(s, site, place, y, shift)
    return r


def _check_pole(s: State, site: CallSite, place: CallSite, y: Value, shift: fmpq) -> None:
    """For gamma-like functions without a finite ball at y: undefined if y is proved to be a pole."""
    if _real(y) and abs(y) < EXACT_BITS:
        n = y.unique_fmpz()
        if n is not None and n <= 0 and s.vanishes(place, fmpq(n) - shift):
            raise Undefined("a pole of the gamma function: {}", site)
    if _real(y) and y > 0:
        return  # too large, not a pole: the infinite ball says so
    raise Undecided("{} may be at a pole", site)


def _pole(site: CallSite) -> Value:
    raise Undefined("{} has no limit", site)


def loggamma(s: State, site: CallSite, x: Value) -> Value:
    """The logarithm of the gamma function, on its principal branch."""
    if isinstance(x, Infinite):
        return x if x.sign > 0 else _pole(site)
    if type(x) is fmpq:
        if x.q == 1:
            if x <= 0:
                raise Undefined("a pole of the gamma function: {}", site)
            if x <= 2:
                return ZERO
        x = arb(x)
    r = x.lgamma() if type(x) is arb and x > 0 else tidy(acb(x).lgamma())
    if not r.is_finite() and x.is_finite():
        _check_pole(s, site, site.arg(0), x, ZERO)
    return r


def digamma(s: State, site: CallSite, x: Value) -> Value:
    """The logarithmic derivative of the gamma function."""
    if isinstance(x, Infinite):
        return x if x.sign > 0 else _pole(site)
    if type(x) is fmpq:
        if x.q == 1 and x <= 0:
            raise Undefined("a pole of the digamma function: {}", site)
        x = arb(x)
    place = site.arg(len(site.expr.args) - 1)
    r = tidy(x.digamma()) if type(x) is acb else x.digamma()
    if not r.is_finite() and x.is_finite():
        _check_pole(s, site, place, x, ZERO)
    return r


def polygamma(s: State, site: CallSite, n: Value, x: Value) -> Value:
    """The n-th derivative of digamma. Raises Undecided where n is no integer >= 0."""
    _no_infinity(site, n, x)
    if type(n) is not fmpq or n.q != 1 or n < 0:
        raise Undecided("{} is evaluated for integer orders only", site)
    if n == 0:
        return digamma(s, site, x)
    if type(x) is fmpq and x.q == 1 and x <= 0:
        raise Undefined("a pole of the polygamma function: {}", site)
    r = _settled(site, acb(ball(x)).polygamma(acb(n)), x)  # python-flint: z.polygamma(order)
    return r.real if _real(x) else tidy(r)


def beta(s: State, site: CallSite, a: Value, b: Value | None = None) -> Value:
    """gamma(a) gamma(b)/gamma(a + b); for integer b > 0 as (b - 1)!/rf(a, b), where poles cancel."""
    b = a if b is None else b
    _no_infinity(site, a, b)
    for base, n in ((a, b), (b, a)):
        if type(n) is fmpq and n.q == 1 and 0 < n <= _EXACT_TERMS:
            bottom = rising(s, site, base, n)
            return gamma_at(s, site, site, n, ZERO) * _inverse(site, bottom)
        if type(n) is fmpq and n.q == 1 and type(base) is not fmpq and base.contains_integer():
            raise Undecided("{} may be at a pole", site)
    top = ball(gamma_at(s, site, site.arg(0), a, ZERO)) * gamma_at(s, site, site.arg(-1), b, ZERO)
    return top * _rgamma(a + b)


def _inverse(site: CallSite, x: Value) -> Value:
    """1/x of a part of what stands at ``site``."""
    if type(x) is fmpq and x == 0:
        raise Undefined("{}: division by zero", site)
    r = 1 / x
    if type(r) is not fmpq and not r.is_finite():
        raise Undecided("{} may be at a pole", site)
    return r


def _rgamma(x: Value) -> Value:
    """1/gamma(x), 0 at the poles."""
    if type(x) is fmpq and x.q == 1 and x <= 0:
        return ZERO
    return tidy(x.rgamma()) if type(x) is acb else ball(x).rgamma()


# ---------------------------------------------------------------- factorials and binomials


def factorial2(s: State, site: CallSite, x: Value) -> Value:
    """n!! of integers n >= -1 and negative odd ones, as in SymPy."""
    if isinstance(x, Infinite):
        return x if x.sign > 0 else _pole(site)
    n = s.integer(site.arg(0), s.real(site.arg(0), x))
    if n is None:
        raise Undefined("{}: the double factorial is defined for integers", site)
    if n < 0:
        if n % 2 == 0:
            raise Undefined("{}: no double factorial of negative even integers", site)
        sign = ONE if (1 - n) // 2 % 2 == 0 else -ONE
        return sign * n / _double(site, -n)
    return _double(site, n)


def _double(site: CallSite, n: fmpz) -> Value:
    k, odd = divmod(n, 2)
    if n > _EXACT_FACTORIAL:
        # n!! = 2**k k! for n = 2k, and 2**(k+1) gamma(k + 3/2)/sqrt(pi) for n = 2k + 1
        if odd:
            return arb(2) ** (k + 1) * (arb(k) + fmpq(3, 2)).gamma() / arb.pi().sqrt()
        return arb(2) ** k * arb(k + 1).gamma()
    if odd:
        return fmpq(fmpz.fac_ui(int(n)), fmpz(2) ** int(k) * fmpz.fac_ui(int(k)))
    return fmpq(fmpz(2) ** int(k) * fmpz.fac_ui(int(k)))


def subfactorial(s: State, site: CallSite, x: Value) -> Value:
    """The number of derangements of n >= 0 things: n! * sum((-1)**j/j!), by its recurrence."""
    n = natural(s, site, x)
    if n > 5000:
        raise Undecided("{}: evaluated up to 5000 only", site)
    d = fmpz(1)
    for k in range(1, int(n) + 1):
        d = d * k + (-1) ** k
    return fmpq(d)


def rising(s: State, site: CallSite, x: Value, k: Value) -> Value:
    """rf(x, k) = gamma(x + k)/gamma(x); for integer k the product, also where gamma has poles."""
    _no_infinity(site, x, k)
    n = k.p if type(k) is fmpq and k.q == 1 else None
    if n is None:
        if type(x) is fmpq and x.q == 1 and x < 0 and type(k) is fmpq:
            return ZERO
        top = _gamma_sum(site, x + k)
        return top * _rgamma(x)
    if n < 0:
        return _inverse(site, rising(s, site, x + k, fmpq(-n)))
    if type(x) is fmpq:
        if x.q == 1 and x <= 0 < x + n:
            return ZERO
        if n <= _EXACT_TERMS and n * (height(x) + height(x + n)) <= 2 * EXACT_BITS:
            return _rational_rising(x, int(n))
        x = arb(x)
    return tidy(x.rising(acb(n))) if type(x) is acb else x.rising(arb(n))


def falling(s: State, site: CallSite, x: Value, k: Value) -> Value:
    """ff(x, k) = x (x-1) ... (x-k+1) = rf(x - k + 1, k)."""
    _no_infinity(site, x, k)
    return rising(s, site, x - k + 1, k)


def _rational_rising(x: fmpq, n: int) -> fmpq:
    """x (x+1) ... (x+n-1): for x = p/q the product of p + j*q, over q**n, by halves."""
    p, q = x.p, x.q

    def product(lo: int, hi: int) -> fmpz:
        if hi - lo <= 8:
            r = fmpz(1)
            for j in range(lo, hi):
                r *= p + j * q
            return r
        mid = (lo + hi) // 2
        return product(lo, mid) * product(mid, hi)

    return fmpq(product(0, n), q**n)


def _gamma_sum(site: CallSite, y: Value) -> Value:
    if type(y) is fmpq and y.q == 1 and y <= 0:
        raise Undefined("{}: a pole of the gamma function", site)
    r = tidy(y.gamma()) if type(y) is acb else ball(y).gamma()
    if not r.is_finite():
        raise Undecided("{} may be at a pole", site)
    return r


def binomial(s: State, site: CallSite, n: Value, k: Value) -> Value:
    """binomial(n, k) as SymPy defines it: 0 for integers k < 0 and k > n >= 0, ff(n, k)/k! for other
    integer k, gamma functions otherwise; no value for negative integers n and fractional k."""
    _no_infinity(site, n, k)
    if type(k) is fmpq and k.q == 1:
        if type(n) is fmpq:
            return _binomial_rational(s, site, n, k.p)
        if k < 0:
            return ZERO
        return falling(s, site, n, k) * _rgamma(k + 1)
    if type(n) is fmpq and n.q == 1 and n < 0:
        if type(k) is fmpq:
            raise Undefined("{} has no value at negative integers n and fractional k", site)
        raise Undecided("{}: whether k is an integer is open", site)
    top = gamma_at(s, site, site.arg(0), n, ONE)
    return ball(top) * _rgamma(k + 1) * _rgamma(n - k + 1)


def _binomial_rational(s: State, site: CallSite, n: fmpq, k: fmpz) -> Value:
    if k < 0:
        return ZERO
    if n.q == 1 and n >= 0:
        if k > n:
            return ZERO
        k = min(k, n.p - k)
        # k*log2(e*n/k) bits at most
        size = int(k) * (n.p.bit_length() - int(k).bit_length() + 3)
        if size <= EXACT_BITS:
            if n < 1 << 62:
                return fmpq(fmpz.bin_uiui(int(n.p), int(k)))
            return falling(s, site, n, fmpq(k)) / fmpz.fac_ui(int(k))
    elif k <= _EXACT_TERMS:
        return falling(s, site, n, fmpq(k)) / fmpz.fac_ui(int(k))
    if n.q == 1 and n < 0:  # binomial(n, k) = (-1)**k binomial(k - n - 1, k)
        r = _binomial_rational(s, site, k - n - 1, k)
        return -r if k % 2 else r
    return _log_binomial(n, k)


def _log_binomial(n: fmpq, k: fmpz) -> Value:
    """gamma(n+1)/(gamma(k+1) gamma(n-k+1)) for huge arguments."""
    if n > 0 and n - k + 1 > 0:
        parts = [arb(x).lgamma() for x in (n + 1, fmpq(k) + 1, n - k + 1)]
        return (parts[0] - parts[1] - parts[2]).exp()
    return arb(n + 1).gamma() * arb(k + 1).rgamma() * arb(n - k + 1).rgamma()


def catalan(s: State, site: CallSite, x: Value) -> Value:
    """Catalan numbers; for other arguments 4**x gamma(x + 1/2)/(sqrt(pi) gamma(x + 2))."""
    _no_infinity(site, x)
    if type(x) is fmpq and x.q == 1:
        if x >= 0:
            return _binomial_rational(s, site, 2 * x, x.p) / (x + 1)
        # SymPy: catalan(-1) = -1/2, catalan(n) = 0 below
        return -HALF if x == -1 else ZERO
    top = arb(4) ** ball(x) if _real(x) else acb(4) ** x
    return top * gamma_at(s, site, site.arg(0), x, HALF) * _rgamma(x + 2) / arb.pi().sqrt()


def harmonic(s: State, site: CallSite, x: Value, m: Value = ONE) -> Value:
    """H_n exactly; digamma(x + 1) + EulerGamma elsewhere; order m: zeta(m) - zeta(m, x + 1)."""
    _no_infinity(site, m)
    if isinstance(x, Infinite):
        if x.sign < 0:
            return _pole(site)
        return Infinite(1) if m <= 1 else zeta(s, site, m)
    if type(m) is fmpq and m == 1:
        if type(x) is fmpq and x.q == 1:
            if x < 0:
                raise Undefined("a pole: {}", site)
            if x <= _EXACT_TERMS:
                return fmpq.harmonic(int(x.p))
        r = (ball(x) + 1).digamma() + arb.const_euler()
        if not r.is_finite():
            _check_pole(s, site, site.arg(0), ball(x) + 1, ONE)
        return tidy(r) if type(r) is acb else r
    if type(m) is fmpq and m == 0:
        return x
    if type(x) is fmpq and x.q == 1:
        if x < 0 and not (type(m) is fmpq and m.q == 1 and m < 0):
            raise Undefined("a pole: {}", site)
        if 0 <= x <= 20_000:
            return _generalised_harmonic(s, site, int(x.p), m)
        if type(m) is fmpq and m.q == 1 and m < 0:
            raise Undecided("{}: too many terms", site)
    r = _settled(site, acb(ball(m)).zeta() - acb(ball(m)).zeta(acb(ball(x) + 1)), m, x)
    return r.real if _real(x) and _real(m) and x > -1 else tidy(r)


def _generalised_harmonic(s: State, site: CallSite, n: int, m: Value) -> Value:
    total: Value = ZERO
    for k in range(1, n + 1):
        total = total + power(s, site, fmpq(k), -m)
    return total


def bernoulli(s: State, site: CallSite, x: Value, at: Value | None = None) -> Value:
    """Bernoulli numbers with B_1 = 1/2 (SymPy's), Bernoulli polynomials with a second argument."""
    _no_infinity(site, x)
    n = natural(s, site, x)
    if at is not None:
        if n > 2000:
            raise Undecided("{}: evaluated up to index 2000 only", site)
        polynomial = fmpq_poly.bernoulli_poly(int(n))
        return polynomial(at)
    if n == 1:
        return HALF
    if n > 20_000:
        if n % 2:
            return ZERO
        return arb.bernoulli(n)
    return fmpq.bernoulli(int(n))


def zeta(s: State, site: CallSite, x: Value, a: Value | None = None) -> Value:
    """Riemann's, or Hurwitz's with two arguments; pole at 1, exact at 0, -1, -2, ..."""
    if isinstance(x, Infinite):
        return ONE if x.sign > 0 and a is None else _pole(site)
    if a is not None:
        _no_infinity(site, a)
        if type(x) is fmpq and x == 1:
            raise Undefined("the pole of zeta: {}", site)
        if type(a) is fmpq and a.q == 1 and a <= 0:
            raise Undecided("{}: the second argument is a non-positive integer", site)
        r = _settled(site, acb(ball(x)).zeta(acb(ball(a))), x, a)
        return r.real if _real(x) and _real(a) and a > 0 else tidy(r)
    if type(x) is fmpq:
        if x == 1:
            raise Undefined("the pole of zeta: {}", site)
        if x.q == 1 and -1000 <= x <= 0:
            n = 1 - x.p  # zeta(1 - n) = -B_n/n with B_1 = 1/2
            return -(HALF if n == 1 else fmpq.bernoulli(int(n))) / n
        x = arb(x)
    r = tidy(x.zeta()) if type(x) is acb else x.zeta()
    if not r.is_finite() and x.is_finite() and x.contains(1) and s.vanishes(site.arg(0), ONE):
        raise Undefined("the pole of zeta: {}", site)
    return _settled(site, r, x)


# ---------------------------------------------------------------- LambertW


def lambertw(s: State, site: CallSite, x: Value, branch: Value = ZERO) -> Value:
    """W_0 and W_{-1}, real for x >= -1/e (W_{-1}: -1/e <= x < 0), complex elsewhere."""
    if isinstance(x, Infinite):
        return x if x.sign > 0 and branch == 0 else _pole(site)
    if type(branch) is not fmpq or branch.q != 1:
        raise Undecided("{}: the branch is no integer", site)
    k = int(branch.p)
    if type(x) is fmpq and x == 0:
        if k == 0:
            return ZERO
        raise Undefined("{}: log(0)", site)
    x = ball(x)
    if type(x) is arb and k in (0, -1):
        edge = x + (-arb(1)).exp()
        if edge > 0 and (k == 0 or x < 0):
            return _settled(site, x.lambertw(k), x)
        if not edge > 0 and not edge < 0:
            if x.is_finite() and _is_branch_point(s, site):
                return -ONE
            raise Undecided("{} may be past the branch point -1/e", site)
    return tidy(_settled(site, acb(x).lambertw(k), x))


def _is_branch_point(s: State, site: CallSite) -> bool:
    if not s.deep:
        return False
    import sympy

    expr = sympy.Add(site.expr.args[0], sympy.exp(-1), evaluate=False)
    return s.vanishes(CallSite(expr, site.scope))


# ---------------------------------------------------------------- families evaluated by Arb alone


def through_arb(
    compute: Callable[..., Any], real_where: Callable[..., bool] = lambda *xs: True
) -> Function:
    """A function of reals computed by ``compute`` on complex balls; where ``real_where`` holds for the
    arguments, its value at real arguments is real."""

    def apply(s: State, site: CallSite, *xs: Value) -> Value:
        _no_infinity(site, *xs)
        balls = [ball(x) for x in xs]
        r = compute(*(acb(x) for x in balls))
        if all(type(x) is arb for x in balls) and real_where(*balls):
            r = r.real
        else:
            r = tidy(r)
        if not r.is_finite() and all(x.is_finite() for x in balls):
            raise Undecided("no finite enclosure of {}: too large, or near a pole", site)
        return r

    return apply


def natural(s: State, site: CallSite, x: Value) -> fmpz:
    """The first argument, an integer >= 0. Raises Undefined, Undecided."""
    n = s.integer(site.arg(0), s.real(site.arg(0), x))
    if n is None or n < 0:
        raise Undefined("{} is defined for integers >= 0", site)
    return n
