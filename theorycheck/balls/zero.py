"""Proofs that a constant is zero, or real: separation bounds first, then the normal form."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy
from flint import acb, arb, ctx, fmpq

from theorycheck.balls import algebraic, normal
from theorycheck.balls.matrices import explicit
from theorycheck.balls.normal import NormalFormTooLarge, RationalForm
from theorycheck.balls.state import State
from theorycheck.balls.values import HALF, ONE, ZERO, CallSite, Infinite, Stop, Value

_CACHE_SIZE = 1000  # outcomes a program; the same question comes at every precision
_SUMMANDS = 2000  # of a Sum or Product that is written out
_ANGLES = 60  # inverse trigonometric functions are compared with multiples of pi/q up to this q
_ORDER = 4  # determinants are expanded up to this order
_SHIFT = 60  # steps by which the argument of gamma is reduced


class ExactZeroTest:
    """The zero test of a program (a `state.ZeroTest`), which keeps what it has answered."""

    def __init__(self) -> None:
        self._cache: dict[Any, bool] = {}

    def zero(self, state: State, site: CallSite, shift: fmpq | None) -> bool:
        """Whether the expression minus ``shift`` is proved to be 0, where it has a value."""
        shift = ZERO if shift is None else shift
        key = site.expr, algebraic.bindings(state, site), shift
        vanishes = self._cache.get(key)
        if vanishes is None:
            vanishes = algebraic.proved_zero(state, site, shift)
            try:
                if not vanishes:
                    with normal.Facts():
                        form = _Writer(state).write(site) - normal.number(shift)
                        vanishes = normal.vanishes(form, _algebraic_zero)
            except (NormalFormTooLarge, RecursionError):
                vanishes = False
            except Stop:
                return False  # not cached: more bits may settle what stopped it
            if len(self._cache) > _CACHE_SIZE:
                self._cache.clear()
            self._cache[key] = vanishes
        return vanishes

    def real(self, state: State, site: CallSite) -> bool:
        """Whether the expression is proved to be real."""
        if algebraic.proved_real(state, site):
            return True
        try:
            with normal.Facts():
                form = _Writer(state).write(site)
                mirrored = form.conjugate()
                return mirrored is not None and normal.vanishes(form - mirrored, _algebraic_zero)
        except (NormalFormTooLarge, Stop, RecursionError):
            return False


# ---------------------------------------------------------------- sums of algebraic numbers


def _algebraic_zero(p: normal.Poly) -> bool:
    """The separation bound of a polynomial in roots."""
    try:
        bits = _bound(p).bits()
    except algebraic.NotAlgebraic:
        return False
    if bits > algebraic.MOST_BITS:
        return False
    saved = ctx.prec
    ctx.prec = bits + 128
    try:
        return algebraic.is_below(_value(p), ZERO, bits)
    finally:
        ctx.prec = saved


def _bound(p: normal.Poly) -> algebraic.SeparationBound:
    total = algebraic.rational(ZERO)
    for (powers, r), c in p.items():
        term = algebraic.multiply(
            algebraic.rational(c), algebraic.unity(fmpq(r.numerator, r.denominator))
        )
        for g, e in powers:
            base = algebraic.rational(fmpq(g[1])) if g[0] == "prime" else _bound(dict(g[1]))
            exponent = fmpq(e.numerator, e.denominator)
            term = algebraic.multiply(term, algebraic.power(base, g, exponent))
        total = algebraic.add(total, term)
    return total


def _value(p: normal.Poly) -> Value:
    """A ball of a polynomial in roots, at the current precision."""
    total: Value = acb(0)
    for (powers, r), c in p.items():
        term = acb(c) * acb(fmpq(r.numerator, r.denominator)).exp_pi_i()
        for g, e in powers:
            base = acb(g[1]) if g[0] == "prime" else _value(dict(g[1]))
            term *= base ** acb(fmpq(e.numerator, e.denominator))
        total += term
    return total


# ---------------------------------------------------------------- writing the normal form


class _Writer:
    """Writes the expression at a site as a form. Raises Stop where a part has no value, TooLarge."""

    def __init__(self, state: State) -> None:
        self.state = state

    def value(self, site: CallSite) -> Value:
        """The value of a part, inner questions settled."""
        return self.state.program.value(site.expr, site.scope)(
            self.state.fresh(site, ctx.prec, deep=True)
        )

    def write(self, site: CallSite) -> RationalForm:
        expr = site.expr
        x = self.value(site)
        if type(x) is fmpq:
            return normal.number(x)
        if isinstance(x, Infinite):
            raise NormalFormTooLarge
        if expr in _CONSTANTS:
            return _CONSTANTS[expr]()
        if isinstance(expr, sympy.Add):
            return self._total(expr.args, site, lambda a, b: a + b)
        if isinstance(expr, sympy.Mul):
            return self._total(expr.args, site, lambda a, b: a * b)
        if isinstance(expr, sympy.Pow):
            return self._power(site)
        if isinstance(expr, sympy.Sum | sympy.Product):
            return self._repeated(site)
        if isinstance(expr, sympy.Piecewise):
            return self._piecewise(site)
        if isinstance(expr, sympy.Trace | sympy.Determinant):
            return self._matrix(site)
        if isinstance(expr, sympy.Function | sympy.Max | sympy.Min):
            form = self._function(site, x)
            if type(x) is arb and x > 0:
                normal.learn_positive(form)
            return form
        raise NormalFormTooLarge

    def arg(self, site: CallSite, index: int = 0) -> RationalForm:
        return self.write(site.arg(index))

    def _total(
        self, parts: Any, site: CallSite, join: Callable[[RationalForm, RationalForm], RationalForm]
    ) -> RationalForm:
        total: RationalForm | None = None
        for a in parts:
            form = self.write(CallSite(a, site.scope))
            total = form if total is None else join(total, form)
        if total is None:
            raise NormalFormTooLarge
        return total

    def _power(self, site: CallSite) -> RationalForm:
        if site.expr.args[0] is sympy.E:
            return normal.exp(self.arg(site, 1))
        exponent = self.value(site.arg(1))
        if type(exponent) is fmpq:
            return self._rational_power(site.arg(0), Fraction(int(exponent.p), int(exponent.q)))
        b = self.value(site.arg(0))
        if type(b) is not fmpq and b.contains(0):
            raise NormalFormTooLarge
        return normal.exp(self.arg(site, 1) * self.logarithm(site.arg(0)))

    def _rational_power(self, base: CallSite, e: Fraction) -> RationalForm:
        """base**e: (a*b)**e = a**e * b**e and (a**c)**e = a**(c*e) for a, b > 0 and real c."""
        expr = base.expr
        if e.denominator > 1 and isinstance(expr, sympy.Mul):
            parts = [CallSite(a, base.scope) for a in expr.args]
            if all(self._is_positive(part) for part in parts):
                total = normal.number(ONE)
                for part in parts:
                    total = total * self._rational_power(part, e)
                return total
        if e.denominator > 1 and isinstance(expr, sympy.Pow) and self._is_positive(base.arg(0)):
            c = self.value(base.arg(1))
            if type(c) is fmpq:
                return self._rational_power(base.arg(0), e * Fraction(int(c.p), int(c.q)))
        return normal.power(self.write(base), e)

    def _is_positive(self, site: CallSite) -> bool:
        x = self.value(site)
        return type(x) is not acb and bool(x > 0)

    def logarithm(self, site: CallSite) -> RationalForm:
        """log of what stands at ``site``: log(a*b) = log(a) + log(b), log(a**c) = c log(a) for a, b > 0
        and real c, log(exp(c)) = c for real c."""
        expr = site.expr
        if isinstance(expr, sympy.Mul):
            parts = [CallSite(a, site.scope) for a in expr.args]
            if all(self._is_positive(part) for part in parts):
                return sum((self.logarithm(part) for part in parts), normal.number(ZERO))
        if isinstance(expr, sympy.exp) or (
            isinstance(expr, sympy.Pow) and self._is_positive(site.arg(0))
        ):
            exponent = site.arg(-1)
            if type(self.value(exponent)) is not acb:
                c = self.write(exponent)
                return c if isinstance(expr, sympy.exp) else c * self.logarithm(site.arg(0))
        return normal.log(self.write(site))

    def _repeated(self, site: CallSite) -> RationalForm:
        """Written out over its last (outermost) range."""
        expr = site.expr
        *inner, (index, low, high) = expr.limits
        a, b = (self.value(CallSite(end, site.scope)) for end in (low, high))
        if type(a) is not fmpq or type(b) is not fmpq or b - a > _SUMMANDS:
            raise NormalFormTooLarge
        body = expr.function if not inner else expr.func(expr.function, *inner)
        is_sum = isinstance(expr, sympy.Sum)
        total = normal.number(ZERO if is_sum else ONE)
        slot = self.state.program.index_register(expr, site.scope)
        scope = {**site.scope, index: slot}
        k = a
        while k <= b:
            state = self.state.fresh(site, ctx.prec, deep=True)
            state.regs[slot] = k
            form = _Writer(state).write(CallSite(body, scope))
            total = total + form if is_sum else total * form
            k += 1
        return total

    def _piecewise(self, site: CallSite) -> RationalForm:
        for e, c in site.expr.args:
            test = self.state.program.truth(c, site.scope)
            if test(self.state.fresh(site, ctx.prec, deep=True)):
                return self.write(CallSite(e, site.scope))
        raise NormalFormTooLarge

    def _matrix(self, site: CallSite) -> RationalForm:
        matrix = explicit(site.expr.args[0])
        size = matrix.rows
        entry = [
            [self.write(CallSite(matrix[i, j], site.scope)) for j in range(size)]
            for i in range(size)
        ]
        if isinstance(site.expr, sympy.Trace):
            return sum((entry[i][i] for i in range(size)), normal.number(ZERO))
        if size > _ORDER:
            raise NormalFormTooLarge
        total = normal.number(ZERO)
        for permutation in itertools.permutations(range(size)):
            sign = sympy.combinatorics.Permutation(permutation).signature()
            term = normal.number(fmpq(sign))
            for i, j in enumerate(permutation):
                term = term * entry[i][j]
            total = total + term
        return total

    def _function(self, site: CallSite, x: Value) -> RationalForm:
        name = site.expr.func.__name__
        rewrite = _REWRITE.get(name)
        if rewrite is not None:
            return rewrite(self, site)
        if name in ("Max", "Min"):
            return self._extremum(site, x)
        if name in ("asin", "acos", "atan"):
            known = self._angle(site, name, x)
            if known is not None:
                return known
        return normal.value(name, *(self.arg(site, i) for i in range(len(site.expr.args))))

    def _extremum(self, site: CallSite, x: Value) -> RationalForm:
        """The argument that keeps clear of all others."""
        values = [self.value(site.arg(i)) for i in range(len(site.expr.args))]
        sign = 1 if site.expr.func is sympy.Max else -1
        for i, v in enumerate(values):
            if all(j == i or (v - w) * sign > 0 for j, w in enumerate(values)):
                return self.arg(site, i)
        raise NormalFormTooLarge

    def _angle(self, site: CallSite, name: str, x: Value) -> RationalForm | None:
        """asin, acos, atan where they are multiples of pi/q, q small: proved by the direct function."""
        end = self.value(site.arg(0))
        if isinstance(end, Infinite):  # atan alone has a limit there
            return normal.generator(("pi",)) * normal.number(end.sign * HALF)
        if type(x) is not arb:
            return None
        direct: Any = {"asin": sympy.sin, "acos": sympy.cos, "atan": sympy.tan}[name]
        low, high = (ZERO, ONE) if name == "acos" else (-HALF, HALF)
        turn = x / arb.pi()
        for q in range(1, _ANGLES + 1):
            n = (turn * q).unique_fmpz()
            if n is None or not low <= fmpq(n, q) <= high:
                continue
            angle = direct(sympy.Rational(int(n), q) * sympy.pi, evaluate=False)
            place = CallSite(_difference(angle, site.expr.args[0]), site.scope)
            if self.state.program.zero_test.zero(self.state, place, None):
                return normal.generator(("pi",)) * normal.number(fmpq(n, q))
        return None


def _difference(a: Any, b: Any) -> Any:
    return sympy.Add(a, sympy.Mul(sympy.S.NegativeOne, b, evaluate=False), evaluate=False)


_CONSTANTS: Mapping[Any, Callable[[], RationalForm]] = {
    sympy.pi: lambda: normal.generator(("pi",)),
    sympy.E: lambda: normal.exp(normal.number(ONE)),
    sympy.I: lambda: normal.unity(Fraction(1, 2)),
    sympy.EulerGamma: lambda: normal.generator(("constant", "EulerGamma")),
    sympy.Catalan: lambda: normal.generator(("constant", "Catalan")),
    sympy.GoldenRatio: lambda: (
        (normal.number(ONE) + normal.power(normal.number(fmpq(5)), Fraction(1, 2)))
        * normal.number(HALF)
    ),
}


# ---------------------------------------------------------------- functions by others


def _circular(
    combine: Callable[[RationalForm, RationalForm], RationalForm],
) -> Callable[[_Writer, CallSite], RationalForm]:
    """A function of exp(i*x) and exp(-i*x)."""

    def rewrite(w: _Writer, site: CallSite) -> RationalForm:
        x = w.arg(site) * normal.unity(Fraction(1, 2))
        return combine(normal.exp(x), normal.exp(-x))

    return rewrite


def _hyperbolic(
    combine: Callable[[RationalForm, RationalForm], RationalForm],
) -> Callable[[_Writer, CallSite], RationalForm]:
    """A function of exp(x) and exp(-x)."""

    def rewrite(w: _Writer, site: CallSite) -> RationalForm:
        x = w.arg(site)
        return combine(normal.exp(x), normal.exp(-x))

    return rewrite


def _half(x: RationalForm) -> RationalForm:
    return x * normal.number(HALF)


def _minus_i(x: RationalForm) -> RationalForm:
    return x * normal.unity(Fraction(3, 2))


def _constant(x: RationalForm) -> fmpq:
    """The rational number that stands as a term of its own."""
    return x.num.get(normal.UNIT, ZERO) if x.polynomial() else ZERO


def _steps(x: RationalForm, at: Value) -> int:
    """By how much the argument of gamma is lowered, so that its rational term lies in [0, 1); 0 where
    poles may be met. ``at`` is the value of x."""
    steps = int(_constant(x).floor())
    if abs(steps) > _SHIFT:
        raise NormalFormTooLarge
    q = x.rational()
    low = at - max(steps, 0)
    safe = (
        q.q != 1 if q is not None else type(low) is arb and (low > 0 or not low.contains_integer())
    )
    return steps if safe else 0


def _gamma(x: RationalForm, at: Value) -> RationalForm:
    """gamma(x), ``at`` being the value of x: gamma(y + n) = y (y+1) ... (y+n-1) gamma(y)."""
    q = x.rational()
    if q is not None and q.q == 1:
        if not 0 < q <= _SHIFT:
            raise NormalFormTooLarge
        return normal.number(fmpq(math.factorial(int(q.p) - 1)))
    steps = _steps(x, at)
    y = x - normal.number(fmpq(steps))
    rest = y.rational()
    if rest == HALF:
        total = normal.generator(("pi",), Fraction(1, 2))
    elif rest is not None and 0 < rest < 1:
        total = normal.generator(("gamma", Fraction(int(rest.p), int(rest.q))))
    else:
        total = normal.value("gamma", y)
    for j in range(steps):
        total = total * (y + normal.number(fmpq(j)))
    for j in range(1, 1 - steps):
        total = total * (y - normal.number(fmpq(j))).inverse()
    return total


def _digamma(x: RationalForm, at: Value) -> RationalForm:
    """digamma(x): digamma(y + n) = digamma(y) + 1/y + ... + 1/(y+n-1), digamma(1) = -EulerGamma."""
    q = x.rational()
    if q is not None and q.q == 1:
        if not 0 < q <= _SHIFT:
            raise NormalFormTooLarge
        harmonic = normal.number(fmpq.harmonic(int(q.p) - 1))
        return harmonic - normal.generator(("constant", "EulerGamma"))
    steps = _steps(x, at)
    y = x - normal.number(fmpq(steps))
    total = normal.value("digamma", y)
    for j in range(steps):
        total = total + (y + normal.number(fmpq(j))).inverse()
    for j in range(1, 1 - steps):
        total = total - (y - normal.number(fmpq(j))).inverse()
    return total


def _one(x: RationalForm) -> RationalForm:
    return x + normal.number(ONE)


def _beta(w: _Writer, site: CallSite) -> RationalForm:
    a, b = w.arg(site), w.arg(site, -1)
    u, v = w.value(site.arg(0)), w.value(site.arg(-1))
    return _gamma(a, u) * _gamma(b, v) * _gamma(a + b, u + v).inverse()


def _binomial(w: _Writer, site: CallSite) -> RationalForm:
    n, k = w.arg(site), w.arg(site, 1)
    count = k.rational()
    if count is not None and count.q == 1 and 0 <= count <= _SHIFT:
        total = normal.number(ONE / math.factorial(int(count.p)))
        for j in range(int(count.p)):
            total = total * (n - normal.number(fmpq(j)))
        return total
    u, v = w.value(site.arg(0)), w.value(site.arg(1))
    below = _gamma(_one(k), v + 1) * _gamma(_one(n - k), u - v + 1)
    return _gamma(_one(n), u + 1) * below.inverse()


def _rising(w: _Writer, site: CallSite) -> RationalForm:
    x, k = w.arg(site), w.arg(site, 1)
    count = k.rational()
    if count is not None and count.q == 1 and 0 <= count <= _SHIFT:
        total = normal.number(ONE)
        for j in range(int(count.p)):
            total = total * (x + normal.number(fmpq(j)))
        return total
    u, v = w.value(site.arg(0)), w.value(site.arg(1))
    return _gamma(x + k, u + v) * _gamma(x, u).inverse()


def _absolute(w: _Writer, site: CallSite) -> RationalForm:
    inner = w.value(site.arg(0))
    if inner.contains(0):
        form = w.arg(site)
        if form.num:
            raise NormalFormTooLarge
        return form
    if type(inner) is acb:
        form = w.arg(site)
        mirrored = form.conjugate()
        if mirrored is None:
            raise NormalFormTooLarge
        return normal.power(form * mirrored, Fraction(1, 2))
    return -w.arg(site) if inner < 0 else w.arg(site)


def _harmonic(w: _Writer, site: CallSite) -> RationalForm:
    if len(site.expr.args) > 1:
        raise NormalFormTooLarge
    return _digamma(_one(w.arg(site)), w.value(site.arg(0)) + 1) + normal.generator(
        ("constant", "EulerGamma")
    )


def _zeta(w: _Writer, site: CallSite) -> RationalForm:
    x = w.arg(site)
    q = x.rational()
    if len(site.expr.args) == 1 and q is not None and q.q == 1 and 0 < q <= _SHIFT and q.p % 2 == 0:
        n = int(q.p)
        # zeta(n) = |B_n| (2 pi)**n/(2 n!) for even n
        factor = abs(fmpq.bernoulli(n)) * fmpq(2) ** (n - 1) / math.factorial(n)
        return normal.power(normal.generator(("pi",)), Fraction(n)) * normal.number(factor)
    return normal.value("zeta", *(w.arg(site, i) for i in range(len(site.expr.args))))


def _logarithm(w: _Writer, site: CallSite) -> RationalForm:
    top = w.logarithm(site.arg(0))
    return top if len(site.expr.args) == 1 else top * w.logarithm(site.arg(1)).inverse()


def _polygamma(w: _Writer, site: CallSite) -> RationalForm:
    order, x = w.arg(site), w.arg(site, 1)
    if order.rational() == 0:
        return _digamma(x, w.value(site.arg(1)))
    return normal.value("polygamma", order, x)


def _fraction(w: _Writer, site: CallSite) -> RationalForm:
    n = w.state.floor(site.arg(0), w.state.real(site.arg(0), w.value(site.arg(0))))
    if type(n) is not fmpq:
        raise NormalFormTooLarge
    return w.arg(site) - normal.number(n)


def _modulo(w: _Writer, site: CallSite) -> RationalForm:
    a, b = site.expr.args
    ratio = sympy.Mul(a, sympy.Pow(b, -1, evaluate=False), evaluate=False)
    part = _fraction(w, CallSite(sympy.frac(ratio, evaluate=False), site.scope))
    return w.arg(site, 1) * part


def _arctangent2(w: _Writer, site: CallSite) -> RationalForm:
    if w.value(site.arg(0)) == 0 and w.value(site.arg(1)) < 0:
        return normal.generator(("pi",))
    return normal.value("atan2", w.arg(site), w.arg(site, 1))


_REWRITE: Mapping[str, Callable[[_Writer, CallSite], RationalForm]] = {
    "exp": lambda w, site: normal.exp(w.arg(site)),
    "log": _logarithm,
    "cos": _circular(lambda p, m: _half(p + m)),
    "sin": _circular(lambda p, m: _minus_i(_half(p - m))),
    "tan": _circular(lambda p, m: _minus_i((p - m) * (p + m).inverse())),
    "cot": _circular(lambda p, m: (p + m) * _minus_i(p - m).inverse()),
    "sec": _circular(lambda p, m: _half(p + m).inverse()),
    "csc": _circular(lambda p, m: _minus_i(_half(p - m)).inverse()),
    "cosh": _hyperbolic(lambda p, m: _half(p + m)),
    "sinh": _hyperbolic(lambda p, m: _half(p - m)),
    "tanh": _hyperbolic(lambda p, m: (p - m) * (p + m).inverse()),
    "coth": _hyperbolic(lambda p, m: (p + m) * (p - m).inverse()),
    "sech": _hyperbolic(lambda p, m: _half(p + m).inverse()),
    "csch": _hyperbolic(lambda p, m: _half(p - m).inverse()),
    "erfc": lambda w, site: normal.number(ONE) - normal.value("erf", w.arg(site)),
    "gamma": lambda w, site: _gamma(w.arg(site), w.value(site.arg(0))),
    "factorial": lambda w, site: _gamma(_one(w.arg(site)), w.value(site.arg(0)) + 1),
    "digamma": lambda w, site: _digamma(w.arg(site), w.value(site.arg(0))),
    "polygamma": _polygamma,
    "harmonic": _harmonic,
    "beta": _beta,
    "binomial": _binomial,
    "RisingFactorial": _rising,
    "zeta": _zeta,
    "frac": _fraction,
    "Mod": _modulo,
    "atan2": _arctangent2,
    "Abs": _absolute,
}
