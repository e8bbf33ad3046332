"""The derivative in a name, logarithms of both sides, parts of a range: and false neighbours of all that they prove."""

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.recheck.prove import proved
from theorycheck.recheck.scope import read_scope
from theorycheck.recheck.signs import Signed
from theorycheck.recheck.slopes import derivative, quotient_tree
from theorycheck.recheck.sweep import sweep
from theorycheck.recheck.tree import read


def rule(statement, scope, seconds=2.0):
    found = read_scope(scope)
    return proved(read(statement, found.declared), found, seconds=seconds)


NEIGHBOURS = [
    ("exp(x) >= 1 + x + x**2/2", "x in [0, oo)", "x in [-1/9, oo)"),
    ("exp(x) > 1 + x + x**2/2", "x in (0, oo)", "x in [0, oo)"),
    ("log(1 - x) <= -x - x**2/2", "x in [0, 1)", "x in (-1, 1)"),
    ("log(3/(2*A**2)) >= -1/2", "A in (1, 3/2]", "A in (1, 8/5]"),
    ("(1 + e)**t >= 1 + t*e", "e in [0, oo), t in 0..oo", "e in [0, oo), t in [0, oo)"),
    ("cosh(x) <= exp(x**2/2)", "x in (-oo, oo)", None),
    ("exp(-u/(2*a)) < exp(-u/(2*(a + h)))", "u in (0, oo), a in (0, oo), h in (0, oo)",
     "u in (0, oo), a in (0, oo), h in [0, oo)"),
    ("d**(1 + 2*g) < d**(1 + c)", "d in 2..oo, c in (0, 1), g in (0, c/2)",
     "d in 1..oo, c in (0, 1), g in (0, c/2)"),
    ("erfc(z/sqrt(2))/2 > z*exp(-z**2/2)/sqrt(2*pi)/(z**2 + 1)", "z in (0, oo)", None),
    ("erfc(z/sqrt(2))/2 < exp(-z**2/2)/(z*sqrt(2*pi))", "z in (0, oo)", None),
    ("1/s >= log(1 + 1/s)", "s in (0, oo)", "s in (-oo, oo) where s != 0"),
    ("x/(1 + x) <= log(1 + x)", "x in [0, oo)", "x in [-1, oo)"),
    ("sqrt(1 + x) <= 1 + x/2", "x in [0, oo)", "x in [-2, oo)"),
    ("(1 - x)**n >= 1 - n*x", "n in 0..oo, x in [0, 1]", "n in 0..oo, x in [0, 4]"),
    ("1 - (1 - q)**n <= n*q", "n in 1..oo, q in [0, 1]", "n in [1/2, oo), q in [0, 1]"),
    ("(1 - q)**d <= exp(-q*d)", "q in [0, 1], d in 1..oo", "q in [0, 3], d in 1..oo"),
    ("exp(R) - 1 <= (E - 1)*R", "R in [0, 1]", "R in [0, 2]"),
    ("exp(R) - 1 < (E - 1)*R", "R in (0, 1)", "R in (0, 1]"),
    ("q**n*(1 - q) <= 1 - q", "n in 0..oo, q in [0, 1]", "n in -1..oo, q in [0, 1]"),
]  # fmt: off


@pytest.mark.parametrize(("statement", "scope", "wider"), NEIGHBOURS)
def test_what_a_slope_proves_is_not_proved_where_it_is_false(statement, scope, wider):
    assert rule(statement, scope)
    assert wider is None or rule(statement, wider) == ""


FALSE = [
    ("exp(x) >= 1 + x + x**2", "x in [0, oo)"),
    ("exp(x) - 1 <= 2*x", "x in [0, 2]"),
    ("log(1 + x) >= x - x**2/3", "x in [0, oo)"),
    ("cosh(x) <= exp(x**2/3)", "x in (-oo, oo)"),
    ("cosh(x) < exp(x**2/2)", "x in (-oo, oo)"),
    ("erfc(z/sqrt(2))/2 > z*exp(-z**2/2)/sqrt(2*pi)/(z**2 + 4/5)", "z in (0, oo)"),
    ("exp(-sqrt(log(x)))*x <= 2", "x in [1, oo)"),
    ("x*exp(-x) > 0", "x in [0, oo)"),
    ("1/x > 1/100", "x in [1, oo)"),
    ("exp(-x) >= 1/10", "x in [0, oo)"),
    ("sqrt(a*x + c) - x >= 0", "a in [0, oo), c in [0, oo), x in [0, oo)"),
    ("abs(x - 1) >= 1 - x/2", "x in [0, 2]"),
    ("y - x >= 0", "x in [0, 1], y in [0, 1] where x <= 1/2"),
    ("2**n >= n**2", "n in 1..oo"),
    ("n**2 >= 3*n - 2 + 1/4", "n in 1..oo"),
    ("x**2 >= 1", "x in [0, 2] where x != 1/2"),
    ("sin(x) >= 0", "x in [0, 4]"),
    ("q**n < 1", "n in 0..oo, q in [0, 1)"),
    ("(1 - q)**n > 0", "n in 1..oo, q in [0, 1]"),
    ("x**y == 0", "x in [0, 0], y in [0, 1]"),
    ("0 <= x*(1 - x) - 1/100", "x in [0, 1]"),
    ("x**3 >= x**2 - 1/5", "x in [-1, 1]"),
]  # fmt: off


@pytest.mark.parametrize(("statement", "scope"), FALSE)
def test_nothing_false_is_proved_by_a_slope(statement, scope):
    assert rule(statement, scope) == ""


def test_a_first_value_that_is_no_integer_is_not_taken_apart():
    """1 is the first integer of 1/2..oo, and 3/2 is not where the next one lies."""
    assert rule("(n - 1)*(n - 2) >= 0", "n in 1..oo")
    assert rule("(n - 1/2)*(n - 3/2) >= 0", "n in 1/2..oo") == ""


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-2, 2), min_size=5, max_size=5),
    st.sampled_from(["<=", "<", ">=", ">"]),
    st.sampled_from(["[0, oo)", "(0, 1]", "(-1/2, oo)", "[-1/2, 1/2]", "(0, oo)"]),
    st.sampled_from(["exp(x)", "log(1 + x)", "sqrt(1 + x)", "erfc(x)", "(1 + x)**a", "sin(x)"]),
)
def test_what_is_proved_of_one_function_is_true_at_every_point(c, sign, of_x, function):
    statement = f"{c[0]}*{function} + {c[1]}*x + {c[2]}*x**2 + {c[3]}*exp(-x) {sign} {c[4]}"
    scope = read_scope(f"a in [0, 2], x in {of_x}")
    goal = read(statement, scope.declared)
    if proved(goal, scope, seconds=0.4):
        swept = sweep(goal, scope, tries=100, seconds=0.5)
        assert swept.false is None, (statement, of_x, swept.false)


@pytest.mark.parametrize(
    "term",
    ["x**3/(1 + x)", "sqrt(x)*log(x)", "exp(-x**2/3)", "x**y", "y**x", "erfc(x/sqrt(2))", "sin(2*x)*cos(x)",
     "log(1 + exp(x))", "(1 + x)**(1/3)/x"],
)  # fmt: off
def test_a_derivative_is_the_slope(term):
    """Against a difference quotient in balls of many bits."""
    from flint import ctx

    from theorycheck.recheck.evaluate import Point
    from theorycheck.recheck.functions import ball

    scope = read_scope("y in (1, 2), x in (1, 2)")
    signs = Signed(scope.ranges, 6)
    q = signs.normal.quotient(read(term))
    up = derivative(signs.normal, q.num, "x")
    down = derivative(signs.normal, q.den, "x")
    slope = up * signs.normal.quotient(read("1")) - down * q * signs.normal.quotient(read("1"))
    tree = quotient_tree(signs.normal, signs.normal.reduced(slope))
    den = quotient_tree(signs.normal, type(q)(q.den, signs.normal.quotient(read("1")).num))
    ctx.prec = 300
    step, x, y = fmpq(1, 2**60), fmpq(13, 10), fmpq(17, 10)
    points = [Point({"x": v, "y": y}) for v in (x - step, x, x + step)]
    low, _, high = (ball(p.term(read(term))) for p in points)
    found = ball(points[1].term(tree)) / ball(points[1].term(den))
    assert abs((high - low) / (2 * step) - found) < fmpq(1, 2**80)


def test_ends_with_fine_exponents_are_left_alone():
    """log(d)**20 at exp(282116/1000) became a polynomial whose degree is in the hundred thousands."""
    assert rule("log(d)**20 < d**(2/5)", "d in [exp(282116/1000), oo)", seconds=0.5) in (
        "",
        "derivative and signs",
    )
