"""What the second program proves again, and above all what it must not: anything false."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.recheck.prove import proved
from theorycheck.recheck.scope import read_scope
from theorycheck.recheck.sweep import sweep
from theorycheck.recheck.tree import read


def rule(statement, scope):
    found = read_scope(scope)
    return proved(read(statement, found.declared), found)


TRUE = [
    ("(a + b)**2 == a**2 + 2*a*b + b**2", "a in (-oo, oo), b in (-oo, oo)"),
    ("2*a*b <= a**2 + b**2", "a in (-oo, oo), b in (-oo, oo)"),
    ("x/(1 + x) < 1", "x in [0, oo)"),
    ("sqrt(x*y) == sqrt(x)*sqrt(y)", "x in (0, oo), y in (0, oo)"),
    ("sqrt(x)**2 == x", "x in [0, oo)"),
    ("log(x*y) == log(x) + log(y)", "x in (0, oo), y in (0, oo)"),
    ("exp(log(d)*t/2) == d**(t/2)", "d in 1..oo, t in (-oo, oo)"),
    ("v*(c*v**(2/(r - s + 2)))**(-(r - s + 2)/2) == c**(-r/2 + s/2 - 1)",
     "s in 1..oo, r in s + 1..oo, c in (0, oo), v in (0, 1]"),
    ("Max(0, c - t) >= c - t", "c in (-oo, oo), t in (-oo, oo)"),
    ("abs(a + b) <= abs(a) + abs(b)", "a in (-oo, oo), b in (-oo, oo)"),
    ("a*c <= b*c", "c in [0, oo), a in (-oo, oo), b in [a, oo)"),
    ("q <= s", "q in [0, 1], s in [0, 1], m in [0, 1] where q <= m and m <= s"),
    ("cos(a - b) == cos(a)*cos(b) + sin(a)*sin(b)", "a in (-oo, oo), b in (-oo, oo)"),
    ("Phi(x) + Phi(-x) == 1", "x in (-oo, oo)"),
    ("sinh(x)**2 + 1 == cosh(x)**2", "x in (-oo, oo)"),
    ("log(2) > 69/100 and pi < 22/7", ""),
    ("log(1 + a) <= a", "a in [0, oo)"),
    ("1 - exp(-y) <= y", "y in [0, oo)"),
    ("erfc(y)/2 <= exp(-y**2)/2", "y in [0, oo)"),
    ("n**2 >= n", "n in -5..5"),
    ("Piecewise((1, x > 0), (0, True)) <= x + 1", "x in [0, oo)"),
]  # fmt: off

FALSE = [
    ("(a + b)**2 == a**2 + b**2", "a in (-oo, oo), b in (-oo, oo)"),
    ("x**2 > 0", "x in (-oo, oo)"),
    ("x*y > 0", "x in (0, oo), y in [0, oo)"),
    ("x*(1 - x) > 0", "x in (0, 1]"),
    ("x*(1 - x) > 0", "x in [0, 1)"),
    ("x - y > 0", "x in [0, 1], y in [0, x]"),
    ("sqrt(x)**2 == x", "x in (-oo, oo)"),
    ("sqrt(x)**2 == x", "x in [-1, oo)"),
    ("sqrt(x**2) == x", "x in (-oo, oo)"),
    ("sqrt(x*y) == sqrt(x)*sqrt(y)", "x in (-oo, 0], y in (-oo, 0]"),
    ("log(x**2) == 2*log(x)", "x in (-oo, oo) where x != 0"),
    ("x/x == 1", "x in [0, oo)"),
    ("(x - 7)/(x - 7) == 1", "x in 0..oo"),
    ("0*log(x) == 0", "x in [0, 1]"),
    ("0/(x - y) == 0", "x in [0, 1], y in [0, 1]"),
    ("x**(1/2)*x**(-1/2) == 1", "x in [0, oo)"),
    ("x/(x - 1) >= 1", "x in [0, oo) where x != 1"),
    ("1/a <= 1/b", "b in (-oo, oo), a in [b, oo) where a*b != 0"),
    ("a*c <= b*c", "c in [-1, oo), a in (-oo, oo), b in [a, oo)"),
    ("exp(a) >= 1", "a in [-1, oo)"),
    ("a**n >= 1", "a in (0, oo), n in 0..oo"),
    ("log(x) >= 0", "x in (0, oo)"),
    ("abs(x) > 0", "x in (-oo, oo)"),
    ("sign(x)**2 == 1", "x in (-oo, oo)"),
    ("erfc(x) <= 1", "x in (-1, oo)"),
    ("erfc(x) < 1", "x in [0, oo)"),
    ("Max(x, y) > Min(x, y)", "x in (-oo, oo), y in (-oo, oo)"),
    ("Piecewise((1, x > 0)) == 1", "x in [0, oo)"),
    ("pi > 22/7", ""),
    ("n**2 > n", "n in -5..5"),
    ("x >= 1 or x < 1/2", "x in [0, 2]"),
    ("q < s", "q in [0, 1], s in [0, 1], m in [0, 1] where q <= m and m <= s"),
    ("Sum(a, (k, 1, n)) == a", "n in 1..oo, a in (-oo, oo)"),
    ("cos(x) < 1", "x in (-oo, oo)"),
    ("erfc(y)/2 <= exp(-y**2)/2", "y in [-1, oo)"),
    ("exp(y) > 1 + y", "y in [0, oo)"),
    ("log(x) < x - 1", "x in (0, oo)"),
]  # fmt: off


@pytest.mark.parametrize(("statement", "scope"), TRUE)
def test_a_true_statement_is_proved_again(statement, scope):
    assert rule(statement, scope)


@pytest.mark.parametrize(("statement", "scope"), FALSE)
def test_nothing_false_is_proved_again(statement, scope):
    assert rule(statement, scope) == ""


WIDENED = [
    ("x**2 <= x", "x in [0, 1]", "x in [0, 2]"),
    ("n/2 >= 1", "n in 2..oo", "n in 1..oo"),
    ("n - k >= 1", "n in 1..oo, k in 0..n-1", "n in 1..oo, k in 0..n"),
    ("1/(1 - x) >= 1", "x in [0, 1)", "x in [0, 2)"),
    ("s*a <= s*b", "s in [0, 1], a in [0, 1], b in [a, 2]", "s in [-1, 1], a in [0, 1], b in [a, 2]"),
    ("sqrt(s)*sqrt(s) == s", "s in [0, oo)", "s in [-1, oo)"),
]  # fmt: off


@pytest.mark.parametrize(("statement", "scope", "wider"), WIDENED)
def test_a_scope_that_is_widened_by_one_is_noticed(statement, scope, wider):
    assert rule(statement, scope) and rule(statement, wider) == ""


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(-3, 3), min_size=6, max_size=6),
    st.sampled_from(["<=", "<", ">=", ">", "==", "!="]),
    st.sampled_from(["[0, oo)", "(0, 1]", "(-oo, oo)", "[-1, 1]", "(-oo, 0)"]),
    st.sampled_from(["[0, x]", "[x, oo)", "(0, oo)", "{0, 1, -1}", "(-oo, oo)"]),
)
def test_what_is_proved_again_is_true_at_every_point(c, sign, of_x, of_y):
    statement = (
        f"{c[0]}*x**2 + {c[1]}*x*y + {c[2]}*y**2 + {c[3]}*x + {c[4]}*Max(y, x) {sign} {c[5]}"
    )
    scope = read_scope(f"x in {of_x}, y in {of_y}")
    goal = read(statement, scope.declared)
    swept = sweep(goal, scope, tries=60, seconds=0.3)
    assert not (proved(goal, scope, seconds=0.5) and swept.false), (statement, swept.false)


def test_a_range_of_one_value_is_no_stumbling_block():
    """A polynomial that vanishes on it has degrees below 0."""
    assert rule("(a - x)/2 == -x/2", "a in [0, 0], x in (-oo, oo)")
