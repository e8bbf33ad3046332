"""Cancellation, branch points, poles, discontinuities, and numbers too large to hold."""

import pickle
import time
from fractions import Fraction

import pytest
import sympy as sp
from flint import arb, fmpq
from sympy import E, I, Pow, Rational, S, oo, pi

from theorycheck import balls

n, k, x, y = sp.symbols("n k x y")


def raw(cls: type, *args: object) -> sp.Expr:
    """An application that SymPy must not touch."""
    return cls(*args, evaluate=False)


def relation(lhs: object, rhs: object, **values: object) -> str:
    return balls.compare(lhs, rhs, values).relation


def exact(expr: sp.Basic, **values: object) -> object:
    found = balls.evaluate(expr, values)
    assert found.status == "ok", found
    return found.exact


# ---------------------------------------------------------------- cancellation


def test_difference_of_close_roots() -> None:
    found = balls.evaluate(sp.sqrt(x + 1) - sp.sqrt(x), {"x": 10**30})
    assert found.ball is not None
    # 1/(2 sqrt(x)) - 1/(8 x**1.5)
    assert found.ball.overlaps(arb(fmpq(1, 2 * 10**15) - fmpq(1, 8 * 10**45)))
    assert found.ball.rad() < found.ball.mid() * fmpq(1, 2**64)


def test_exp_minus_its_first_terms() -> None:
    found = balls.evaluate(sp.exp(x) - 1 - x, {"x": Fraction(1, 10**13)})
    assert found.ball is not None
    assert abs(found.ball - fmpq(1, 2 * 10**26)) < fmpq(1, 10**38)


def test_almost_an_integer() -> None:
    assert relation(sp.exp(pi * sp.sqrt(x)), 262537412640768744, x=163) == "lt"
    assert relation(sp.exp(pi * sp.sqrt(x)), 262537412640768743, x=163) == "gt"


@pytest.mark.parametrize("exponent", [18, 100, 300])
def test_compound_interest_stays_below_e(exponent: int) -> None:
    start = time.perf_counter()
    assert relation((1 + 1 / n) ** n, E, n=10**exponent) == "lt"
    assert relation((1 + 1 / n) ** (n + 1), E, n=10**exponent) == "gt"
    assert time.perf_counter() - start < 1


# ---------------------------------------------------------------- discontinuities


def test_floor_of_what_is_an_integer_in_disguise() -> None:
    assert exact(sp.floor(sp.sqrt(x) * sp.sqrt(y)), x=2, y=8) == 4
    assert exact(sp.floor(raw(Pow, sp.sqrt(x), 2)), x=2) == 2
    assert exact(sp.ceiling(sp.sqrt(x) * sp.sqrt(y)), x=2, y=8) == 4
    assert exact(sp.floor(sp.log(n) / sp.log(2)), n=2**80) == 80
    assert exact(sp.floor(sp.log(n) / sp.log(2)), n=2**80 - 1) == 79
    assert exact(sp.ceiling(sp.log(n) / sp.log(2)), n=2**80 + 1) == 81
    assert exact(sp.Mod(sp.sqrt(x) * sp.sqrt(y), 2), x=2, y=8) == 0
    assert exact(sp.frac(sp.sqrt(x) * sp.sqrt(y)), x=2, y=8) == 0
    assert exact(sp.sign(sp.sqrt(x) * sp.sqrt(y) - 4), x=2, y=8) == 0


def test_floor_just_beside_an_integer() -> None:
    nearly = Fraction(8 * 10**60 - 1, 10**60)
    assert exact(sp.floor(sp.sqrt(x) * sp.sqrt(y)), x=2, y=nearly) == 3
    assert exact(sp.ceiling(sp.sqrt(x) * sp.sqrt(y)), x=2, y=16 - nearly) == 5


def test_a_floor_that_no_known_proof_reaches_is_undecided() -> None:
    # besselj has no zero test: 1 + J - J is an integer, but nothing here proves it
    j = sp.besselj(x, 1) - sp.besselj(-x, 1) * (-1) ** x
    found = balls.evaluate(sp.floor(1 + j), {"x": 3})
    assert found.status == "undecided"
    assert "floor" in found.reason


def test_piecewise_at_its_border() -> None:
    f = sp.Piecewise((1, sp.sqrt(x) * sp.sqrt(y) < 4), (2, True))
    assert exact(f, x=2, y=8) == 2
    assert exact(f, x=2, y=Fraction(8 * 10**40 - 1, 10**40)) == 1
    assert balls.evaluate(sp.Piecewise((1, x < 0)), {"x": 1}).status == "undefined"


def test_branches_not_taken_need_no_value() -> None:
    f = sp.Piecewise((sp.sin(x) / x, sp.Ne(x, 0)), (1, True))
    assert exact(f, x=0) == 1


# ---------------------------------------------------------------- exact values


@pytest.mark.parametrize(
    ("expr", "values", "want"),
    [
        (sp.sqrt(x), {"x": Fraction(9, 4)}, fmpq(3, 2)),
        (x ** Rational(2, 3), {"x": Fraction(27, 8)}, fmpq(9, 4)),
        (x**n, {"x": 2, "n": -3}, fmpq(1, 8)),
        (x**n, {"x": 0, "n": 0}, fmpq(1)),
        (sp.gamma(x), {"x": 5}, fmpq(24)),
        (sp.log(x), {"x": 1}, fmpq(0)),
        (sp.cos(x), {"x": 0}, fmpq(1)),
        (sp.exp(x), {"x": 0}, fmpq(1)),
        (sp.Abs(x), {"x": Fraction(-1, 3)}, fmpq(1, 3)),
        (sp.cos(pi * x), {"x": Fraction(2, 3)}, fmpq(-1, 2)),
        (sp.sin(pi * x), {"x": Fraction(-1, 6)}, fmpq(-1, 2)),
        (sp.sin(pi * x), {"x": Fraction(7, 3)}, None),
        (sp.tan(pi * x), {"x": Fraction(-1, 4)}, fmpq(-1)),
        (sp.log(x) / sp.log(y), {"x": 8, "y": Fraction(1, 4)}, fmpq(-3, 2)),
        (sp.log(x) / sp.log(y), {"x": Fraction(9, 4), "y": Fraction(27, 8)}, fmpq(2, 3)),
        (sp.log(x) / sp.log(y), {"x": 10, "y": 2}, None),
        (raw(sp.log, x, y), {"x": 8, "y": 2}, fmpq(3)),
        (0 * sp.sin(x), {"x": 1}, fmpq(0)),
        (x * sp.sin(y), {"x": 0, "y": 1}, fmpq(0)),
        (sp.zeta(x), {"x": -1}, fmpq(-1, 12)),
        (sp.LambertW(x * sp.exp(-1)), {"x": -1}, fmpq(-1)),
    ],
)
def test_exact_values(expr: sp.Basic, values: dict[str, object], want: fmpq | None) -> None:
    assert exact(expr, **values) == want


# ---------------------------------------------------------------- no value, no real value


@pytest.mark.parametrize(
    ("expr", "values"),
    [
        (1 / x, {"x": 0}),
        (x**n, {"x": 0, "n": -1}),
        (x**y, {"x": 0, "y": Fraction(-1, 2)}),
        (sp.log(x), {"x": 0}),
        (sp.log(sp.sqrt(x) * sp.sqrt(y) - 4), {"x": 2, "y": 8}),
        (1 / (sp.sqrt(x) * sp.sqrt(y) - sp.sqrt(6)), {"x": 2, "y": 3}),
        (sp.tan(pi * x), {"x": Fraction(1, 2)}),
        (1 / sp.cos(pi * x), {"x": Fraction(3, 2)}),
        (sp.cot(x), {"x": 0}),
        (sp.gamma(x), {"x": 0}),
        (sp.gamma(x), {"x": -7}),
        (sp.gamma(sp.sqrt(x) * sp.sqrt(y) - 5), {"x": 2, "y": 8}),
        (sp.factorial(n), {"n": -1}),
        (sp.digamma(x), {"x": -2}),
        (sp.loggamma(x), {"x": 0}),
        (sp.zeta(x), {"x": 1}),
        (sp.atanh(x), {"x": -1}),
        (sp.harmonic(n), {"n": -3}),
        (sp.Mod(n, k), {"n": 3, "k": 0}),
        (sp.log(x) / sp.log(y), {"x": 2, "y": 1}),
        (x * oo, {"x": 0}),
        (x - oo + y * oo, {"x": 0, "y": 1}),
        (sp.zoo * x, {"x": 1}),
        (x + sp.nan, {"x": 1}),
        (0 * raw(Pow, x, -1), {"x": 0}),
        (raw(sp.Mul, 0, raw(Pow, x, -1)), {"x": 0}),
        (sp.fibonacci(x), {"x": Fraction(1, 2)}),
        (sp.LambertW(x, -1), {"x": 0}),
    ],
)
def test_undefined(expr: sp.Basic, values: dict[str, object]) -> None:
    if not expr.args:
        return  # SymPy made a number of it already
    found = balls.evaluate(expr, values)
    assert (found.status, found.exact, found.ball) == ("undefined", None, None), found
    assert found.reason
    assert balls.sign(expr, values) is None
    assert relation(expr, 0, **values) == "undefined"


@pytest.mark.parametrize(
    ("expr", "values"),
    [
        (sp.log(x), {"x": -1}),
        (sp.sqrt(x), {"x": -2}),
        (x**y, {"x": -8, "y": Fraction(1, 3)}),
        (x ** sp.sqrt(y), {"x": -8, "y": 2}),
        (sp.asin(x), {"x": 2}),
        (sp.acosh(x), {"x": Fraction(1, 2)}),
        (sp.LambertW(x), {"x": -1}),
        (I * x, {"x": 1}),
    ],
)
def test_not_real(expr: sp.Basic, values: dict[str, object]) -> None:
    found = balls.evaluate(expr, values)
    assert (found.status, found.exact, found.ball) == ("nonreal", None, None), found


@pytest.mark.parametrize(
    ("expr", "values", "want"),
    [
        (sp.sqrt(x) ** 2, {"x": -2}, -2),
        (sp.sqrt(x) * sp.sqrt(y), {"x": -2, "y": -8}, -4),
        (sp.Abs(sp.sqrt(x)), {"x": -4}, 2),
        (sp.exp(I * pi * x), {"x": 1}, -1),
        (sp.re(sp.log(x)), {"x": -1}, 0),
        (sp.im(sp.sqrt(x)), {"x": -9}, 3),
    ],
)
def test_real_through_the_complex(expr: sp.Basic, values: dict[str, object], want: int) -> None:
    assert relation(expr, want, **values) == "eq"


def test_branch_points() -> None:
    half_pi = pi / 2
    assert relation(sp.asin(x), half_pi, x=1) == "eq"
    assert relation(sp.asin(sp.sqrt(x) * sp.sqrt(y) / 4), half_pi, x=2, y=8) == "eq"
    assert relation(sp.acos(x), pi, x=-1) == "eq"
    assert relation(sp.acosh(x), 0, x=1) == "eq"
    assert relation(sp.LambertW(x * sp.exp(-1)), -1, x=-1) == "eq"
    beyond = Fraction(10**40 + 1, 10**40)
    assert balls.evaluate(sp.asin(x), {"x": beyond}).status == "nonreal"
    assert balls.evaluate(sp.LambertW(-x * sp.exp(-1)), {"x": beyond}).status == "nonreal"
    assert balls.evaluate(sp.LambertW(-x * sp.exp(-1)), {"x": 1 / beyond}).status == "ok"


# ---------------------------------------------------------------- numbers too large


def test_a_tower_is_undecided_at_once() -> None:
    tower = raw(Pow, 9, raw(Pow, 9, raw(Pow, 9, S(9))))
    start = time.perf_counter()
    assert balls.evaluate(tower, {}).status == "undecided"
    assert balls.evaluate(sp.sin(tower), {}).ball is not None  # but in [-1, 1]
    assert (
        balls.evaluate(raw(sp.floor, sp.sqrt(2) + raw(Pow, 9, raw(Pow, 9, S(9)))), {}).status
        == "undecided"
    )
    assert balls.evaluate(sp.factorial(n), {"n": 10**40}).status in ("ok", "undecided")
    assert balls.evaluate(sp.fibonacci(n), {"n": 10**30}).ball is not None
    assert balls.evaluate(sp.binomial(n, k), {"n": 10**30, "k": 10**29}).status in (
        "ok",
        "undecided",
    )
    assert balls.evaluate(sp.Sum(1 / k, (k, 1, n)), {"n": 10**15}).status == "undecided"
    assert time.perf_counter() - start < 2


def test_large_powers_have_short_balls() -> None:
    found = balls.evaluate(raw(Pow, 9, raw(Pow, 9, S(9))), {})
    assert found.exact is None and found.ball is not None
    assert relation(x**n, y**n, x=2, y=3, n=10**20) == "lt"
    assert relation(sp.factorial(n), n**n, n=10**9) == "lt"


# ---------------------------------------------------------------- inputs and errors


def test_floats_are_refused() -> None:
    with pytest.raises(TypeError, match="float"):
        balls.evaluate(x, {"x": 0.1})  # type: ignore[dict-item]
    with pytest.raises(balls.UnsupportedExpression, match="Rational"):
        balls.compile_expression(x + sp.Float("0.1"), [x])
    with pytest.raises(TypeError):
        balls.evaluate(x, {"x": True})
    with pytest.raises(ValueError, match="not a number"):
        balls.evaluate(x, {"x": arb("nan")})


def test_what_cannot_be_evaluated_is_said_when_compiling() -> None:
    with pytest.raises(balls.UnsupportedExpression, match="f"):
        balls.compile_expression(sp.Function("f")(x), [x])
    with pytest.raises(balls.UnsupportedExpression, match="y"):
        balls.compile_expression(x + y, [x])
    with pytest.raises(balls.UnsupportedExpression, match="Derivative"):
        balls.compile_expression(sp.Derivative(sp.Function("f")(x), x), [x])
    with pytest.raises(balls.UnsupportedExpression, match="statement"):
        balls.compile_expression(sp.exp(sp.Function("isprime")(x)), [x])
    with pytest.raises(TypeError, match="truth"):
        balls.compile_expression(x < 1, [x]).evaluate({"x": 1})
    with pytest.raises(TypeError, match="number"):
        balls.compile_expression(x, [x]).truth({"x": 1})
    with pytest.raises(KeyError):
        balls.compile_expression(x, [x]).evaluate({})


def test_symbols_are_matched_by_name_whatever_their_assumptions() -> None:
    p = sp.Symbol("p", positive=True)
    assert exact(p + 1, p=2) == 3
    assert balls.evaluate(p + 1, {p: 2}).exact == 3


def test_compiled_expressions_pickle() -> None:
    compiled = pickle.loads(pickle.dumps(balls.compile_expression(sp.sqrt(x) + y, [x, y])))
    assert compiled.evaluate({"x": 4, "y": Fraction(1, 2)}).exact == fmpq(5, 2)
    pair = pickle.loads(pickle.dumps(balls.compile_pair(x**2, y, [x, y])))
    assert pair.compare({"x": 3, "y": 9}).relation == "eq"


def test_the_working_precision_is_left_alone() -> None:
    from flint import ctx

    before = ctx.prec
    balls.evaluate(sp.exp(x) - 1 - x, {"x": Fraction(1, 10**13)})
    balls.evaluate(1 / x, {"x": 0})
    balls.sign(sp.sqrt(x) * sp.sqrt(y) - sp.sqrt(6), {"x": 2, "y": 3})
    assert ctx.prec == before


def test_precision_goal() -> None:
    found = balls.evaluate(sp.exp(x), {"x": 1}, rel_goal=Fraction(1, 2**1000))
    assert found.ball is not None and found.ball.rel_accuracy_bits() >= 1000
    wide = balls.evaluate(sp.exp(x), {"x": 1}, rel_goal=Fraction(1, 2**1000), max_prec=512)
    assert wide.status == "ok" and "wider" in wide.reason
    with pytest.raises(ValueError, match="max_prec"):
        balls.evaluate(x, {"x": 1}, prec=256, max_prec=128)


def test_registers_do_not_leak_between_indices_of_one_name() -> None:
    # the inner k hides the outer one
    f = sp.Sum(k**2 * sp.Sum(k**2, (k, 1, 2)) + k**2, (k, 1, 3))
    assert exact(f) == 14 * 5 + 14
    g = k**2 + sp.Sum(k**2, (k, 1, 3)) + k**2 * sp.Sum(x * k**2, (k, 1, 2))
    assert exact(g, k=10, x=3) == 100 + 14 + 100 * 15


def test_deep_nesting_is_refused_in_words() -> None:
    expr: sp.Expr = x
    for _ in range(300):
        expr = sp.sin(expr, evaluate=False)
    with pytest.raises(balls.UnsupportedExpression, match="deeply"):
        balls.compile_expression(expr, [x])
    root: sp.Expr = x
    for _ in range(60):
        root = raw(Pow, raw(sp.Add, root, 1), S.Half)
    assert relation(root, root + Rational(1, 10**50), x=1) == "lt"
