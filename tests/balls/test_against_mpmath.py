"""Every enclosure contains the value that mpmath computes at 60 digits, on generated expressions."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest
import sympy as sp
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck import balls
from theorycheck.balls import library
from theorycheck.numbers.enclosure import Enclosure

DIGITS = 60
x, y = sp.symbols("x y")


def real_only(compute: Any) -> Any:
    """The function on reals; complex arguments have no value (as in theorycheck.balls: not real)."""

    def apply_to_reals(*args: Any) -> Any:
        if any(isinstance(a, mp.mpc) for a in args):
            raise ValueError("complex argument")
        return compute(*args)

    return apply_to_reals


def logarithm(a: Any, base: Any) -> Any:
    if base == 0:
        raise ZeroDivisionError("log(0)")
    return mp.log(a, base)


def binomial(n: Any, k: Any) -> Any:
    if mp.isint(n) and n < 0 and mp.isint(k) and k < 0:
        return mp.mpf(0)  # SymPy's convention, not mpmath's
    return mp.binomial(n, k)


UNARY: dict[str, tuple[Any, Any]] = {
    "exp": (sp.exp, mp.exp),
    "log": (sp.log, mp.log),
    "sin": (sp.sin, mp.sin),
    "cos": (sp.cos, mp.cos),
    "tan": (sp.tan, mp.tan),
    "cot": (sp.cot, mp.cot),
    "sec": (sp.sec, mp.sec),
    "csc": (sp.csc, mp.csc),
    "sinh": (sp.sinh, mp.sinh),
    "cosh": (sp.cosh, mp.cosh),
    "tanh": (sp.tanh, mp.tanh),
    "coth": (sp.coth, mp.coth),
    "asin": (sp.asin, mp.asin),
    "acos": (sp.acos, mp.acos),
    "atan": (sp.atan, mp.atan),
    "asinh": (sp.asinh, mp.asinh),
    "acosh": (sp.acosh, mp.acosh),
    "atanh": (sp.atanh, mp.atanh),
    "erf": (sp.erf, mp.erf),
    "erfc": (sp.erfc, mp.erfc),
    "erfi": (sp.erfi, mp.erfi),
    "gamma": (sp.gamma, mp.gamma),
    "loggamma": (sp.loggamma, mp.loggamma),
    "digamma": (sp.digamma, mp.digamma),
    "factorial": (sp.factorial, mp.factorial),
    "harmonic": (sp.harmonic, mp.harmonic),
    "zeta": (sp.zeta, mp.zeta),
    "LambertW": (sp.LambertW, mp.lambertw),
    "Abs": (sp.Abs, abs),
    "floor": (sp.floor, real_only(mp.floor)),
    "ceiling": (sp.ceiling, real_only(mp.ceil)),
    "sqrt": (lambda a: sp.Pow(a, sp.S.Half, evaluate=False), mp.sqrt),
    "catalan": (sp.catalan, lambda a: mp.binomial(2 * a, a) / (a + 1)),
}
BINARY: dict[str, tuple[Any, Any]] = {
    "+": (sp.Add, lambda a, b: a + b),
    "-": (lambda a, b, **k: sp.Add(a, sp.Mul(-1, b, **k), **k), lambda a, b: a - b),
    "*": (sp.Mul, lambda a, b: a * b),
    "/": (lambda a, b, **k: sp.Mul(a, sp.Pow(b, -1, **k), **k), lambda a, b: a / b),
    "**": (sp.Pow, lambda a, b: mp.mpf(1) if b == 0 else a**b),
    "binomial": (sp.binomial, binomial),
    "rf": (sp.RisingFactorial, mp.rf),
    "ff": (sp.FallingFactorial, mp.ff),
    "beta": (sp.beta, mp.beta),
    "log2": (sp.log, logarithm),
    "Max": (sp.Max, real_only(max)),
    "Min": (sp.Min, real_only(min)),
}


SHIFTED = frozenset({"beta", "binomial", "rf", "ff", "gamma", "factorial", "loggamma", "catalan"})


def as_fmpq(value: Any) -> fmpq:
    sign, mantissa, exponent, _ = mp.mpf(value)._mpf_
    p = fmpq(int(mantissa)) * fmpq(2) ** int(exponent)
    return -p if sign else p


def meets(ball: arb, value: Any) -> bool:
    """Whether the ball meets ``value`` widened by 1e-50 of itself, mpmath's own error at 60 digits (a
    zero may hide 1e-100: the second look has 120 digits)."""
    v = as_fmpq(value)
    slack = abs(v) * fmpq(1, 10**50) if v != 0 else fmpq(1, 10**100)
    ends = Enclosure.from_ball(ball)
    return bool(ends.lo <= v + slack and ends.hi >= v - slack)


def apply(name: str, *args: Any) -> tuple[sp.Expr, Any]:
    """An unevaluated SymPy application, and mpmath's value (None where it has none)."""
    build, compute = UNARY.get(name) or BINARY[name]
    exprs = [a[0] for a in args]
    expr = build(*exprs) if name == "sqrt" else build(*exprs, evaluate=False)
    values = [a[1] for a in args]
    if any(v is None for v in values):
        return expr, None
    if name in SHIFTED and any(v != 0 and mp.mag(v) > mp.mp.prec // 2 for v in values):
        return expr, None  # mpmath adds 1 to it, loses that, and is wrong at every precision
    try:
        value = compute(*values)
    except (ValueError, ZeroDivisionError, OverflowError, TypeError, mp.libmp.NoConvergence):
        return expr, None
    if not mp.isfinite(value) or (value != 0 and abs(mp.mag(value)) > 10_000):
        return expr, None
    return expr, value


RATIONALS = st.one_of(
    st.integers(-6, 6).map(Fraction),
    st.fractions(min_value=-4, max_value=4, max_denominator=9),
    # close to integers: poles, branch points, cancellations
    st.builds(
        lambda n, e, s: n + s * Fraction(1, 10**e),
        st.integers(-3, 3),
        st.integers(5, 25),
        st.sampled_from([-1, 1]),
    ),
)


@st.composite
def trees(draw: Any, depth: int = 3) -> Any:
    """A nested tuple: ("x",), ("y",), ("q", Fraction) or (name, child, ...)."""
    kind = draw(st.integers(0, 5)) if depth else 0
    if kind == 0:
        return draw(st.one_of(st.just(("x",)), st.just(("y",)), RATIONALS.map(lambda q: ("q", q))))
    if kind <= 2:
        return (draw(st.sampled_from(sorted(UNARY))), draw(trees(depth - 1)))
    name = draw(st.sampled_from([*sorted(BINARY), "+", "-", "*", "/", "**"]))
    return (name, draw(trees(depth - 1)), draw(trees(depth - 1)))


def both(tree: Any, values: dict[str, Fraction]) -> tuple[sp.Expr, Any]:
    head, *rest = tree
    if head in ("x", "y"):
        q = values[head]
        return {"x": x, "y": y}[head], mp.mpf(q.numerator) / q.denominator
    if head == "q":
        q = rest[0]
        return sp.Rational(q.numerator, q.denominator), mp.mpf(q.numerator) / q.denominator
    return apply(head, *(both(t, values) for t in rest))


@settings(max_examples=250, deadline=None)
@given(tree=trees(), a=RATIONALS, b=RATIONALS)
def test_enclosures_contain_the_value(tree: Any, a: Fraction, b: Fraction) -> None:
    values = {"x": a, "y": b}
    with mp.workdps(DIGITS):
        expr, first = both(tree, values)
    # mpmath's own loss of digits shows as a difference between two precisions
    with mp.workdps(2 * DIGITS):
        _, value = both(tree, values)
    found = balls.compile_expression(expr, [x, y]).evaluate(values, 128)
    if value is None or first is None:
        return
    with mp.workdps(2 * DIGITS):
        if abs(value - first) <= mp.mpf(10) ** (10 - DIGITS) * abs(value):
            judge(found, mp.re(value), mp.im(value), f"{expr} at {values} is {value}")


def judge(found: balls.Evaluated, real: Any, imaginary: Any, what: str) -> None:
    """Fails if what was found contradicts mpmath's value."""
    if found.status == "ok":
        assert found.ball is not None
        assert abs(imaginary) <= mp.mpf(10) ** -50 * (1 + abs(real)), what
        assert meets(found.ball, real), (what, found)
        if found.exact is not None:
            assert meets(arb(found.exact), real), (what, found)
    elif found.status == "nonreal":
        assert imaginary != 0, what
    else:
        assert found.status == "undecided", (what, found.reason)


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("erf", Fraction(1, 3)),
        ("gamma", Fraction(7, 2)),
        ("LambertW", Fraction(2)),
        ("zeta", Fraction(3)),
    ],
)
@pytest.mark.parametrize(
    "change", [lambda b: b + b * fmpq(1, 2**100), lambda b: -b, lambda b: b.mid() * 2]
)
def test_a_wrong_enclosure_would_be_seen(
    name: str, at: Fraction, change: Callable[[arb], arb], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plant an error in one function, as small as 2**-100 of its value."""
    expr = UNARY[name][0](x)
    with mp.workdps(DIGITS):
        value = mp.re(UNARY[name][1](mp.mpf(at.numerator) / at.denominator))
        judge(balls.compile_expression(expr, [x]).evaluate({"x": at}), value, 0, name)
        right = library.FUNCTIONS[name]

        def wrong(*args: Any) -> Any:
            return change(right(*args))

        monkeypatch.setitem(library.FUNCTIONS, name, wrong)  # type: ignore[arg-type]
        with pytest.raises(AssertionError):
            judge(balls.compile_expression(expr, [x]).evaluate({"x": at}), value, 0, name)


@pytest.mark.parametrize(("status", "what"), [("undefined", "a pole"), ("nonreal", "complex")])
def test_a_wrong_status_would_be_seen(status: Any, what: str) -> None:
    with pytest.raises(AssertionError):
        judge(balls.Evaluated(None, None, status, what), mp.mpf(1), mp.mpf(0), what)


WIDTHS = st.fractions(0, 2, max_denominator=16)


@settings(max_examples=120, deadline=None)
@given(
    tree=trees(),
    a=RATIONALS,
    b=RATIONALS,
    widths=st.tuples(WIDTHS, WIDTHS),
    inside=st.tuples(*2 * [st.fractions(0, 1, max_denominator=7)]),
)
def test_boxes_enclose_their_points(
    tree: Any, a: Fraction, b: Fraction, widths: Any, inside: Any
) -> None:
    with mp.workdps(DIGITS):
        expr, _ = both(tree, {"x": a, "y": b})
    box = balls.enclose_box(
        balls.compile_expression(expr, [x, y]), {"x": (a, a + widths[0]), "y": (b, b + widths[1])}
    )
    at = {"x": a + inside[0] * widths[0], "y": b + inside[1] * widths[1]}
    point = balls.evaluate(expr, at, max_prec=256)
    if box.status == "ok":
        assert point.status in ("ok", "undecided"), (expr, at, box, point)
        if point.ball is not None:
            assert box.ball is not None
            assert box.ball.overlaps(point.ball), (expr, at, box, point)
    elif box.status != "undecided":
        assert point.status in (box.status, "undecided"), (expr, at, box, point)
