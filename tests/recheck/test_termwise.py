"""Sums compared term by term, and false neighbours."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.recheck.prove import proved
from theorycheck.recheck.scope import read_scope
from theorycheck.recheck.sweep import sweep
from theorycheck.recheck.tree import Unreadable, read


def rule(statement, scope):
    found = read_scope(scope)
    return proved(read(statement, found.declared), found)


WEIGHTS = (
    "n in 1..oo, b in (-oo, oo); p[j] in [0, oo) for j in 1..n; v[j] in (-oo, oo) for j in 1..n"
)

TRUE = [
    ("Sum(p[i]*v[i], (i, 1, n)) <= Sum(p[i]*abs(v[i]), (i, 1, n))", WEIGHTS),
    ("Sum(p[i]*v[i], (i, 1, n)) <= b*Sum(p[i], (i, 1, n))", WEIGHTS + " where v[i] <= b for i in 1..n"),
    ("2*b*Sum(p[i]*v[i], (i, 1, n)) <= Sum(p[i]*v[i]**2, (i, 1, n)) + b**2*Sum(p[i], (i, 1, n))", WEIGHTS),
    ("norm(v)**2 <= n*b**2", WEIGHTS + " where v[i]**2 <= b**2 for i in 1..n"),
    ("norm(p, 1) == Sum(p[k], (k, 1, n))", WEIGHTS),
]  # fmt: off

FALSE = [
    ("Sum(v[i], (i, 1, n)) <= Sum(p[i]*abs(v[i]), (i, 1, n))", WEIGHTS),
    ("Sum(p[i]*v[i], (i, 1, n)) <= b*Sum(p[i], (i, 1, n))", WEIGHTS + " where v[i] <= b for i in 2..n"),
    ("Sum(p[i]*v[i], (i, 0, n)) <= b*Sum(p[i], (i, 0, n))", WEIGHTS + " where v[i] <= b for i in 1..n"),
    ("Sum(p[i]*v[i], (i, 1, n)) <= b", WEIGHTS + " where v[i] <= b for i in 1..n"),
    ("norm(v)**2 <= (n - 1)*b**2", WEIGHTS + " where v[i]**2 <= b**2 for i in 1..n"),
    ("Sum(p[i], (i, 1, n))*Sum(v[i], (i, 1, n)) <= Sum(p[i]*v[i], (i, 1, n))", WEIGHTS),
    ("Sum(p[i], (i, 1, n))/b <= Sum(p[i], (i, 1, n))/b", WEIGHTS),
    ("Sum(p[i]/v[i], (i, 1, n)) == Sum(p[i]/v[i], (i, 1, n))", WEIGHTS),
    ("Sum(p[i], (i, 1, n)) >= 1", WEIGHTS),
    ("norm(v) <= n*b", WEIGHTS + " where v[i] <= b for i in 1..n"),
    ("Sum(b, (i, 1, m)) <= m*b + 1", "m in -2..oo, b in (-oo, oo)"),
]  # fmt: off


@pytest.mark.parametrize(("statement", "scope"), TRUE)
def test_sums_are_compared_term_by_term(statement, scope):
    assert rule(statement, scope)


@pytest.mark.parametrize(("statement", "scope"), FALSE)
def test_no_false_comparison_of_sums_is_proved(statement, scope):
    assert rule(statement, scope) == ""


def test_a_range_of_members_that_depends_on_the_index_is_not_read():
    """A name with the text of the index was taken for it."""
    with pytest.raises(Unreadable, match="depends on their index"):
        read_scope("j in 1..3, n in 1..oo; f[j] in [0, j] for j in 1..n")
    with pytest.raises(Unreadable, match="depends on their index"):
        read_scope("n in 1..oo; f[i] in [0, 1] for j in 1..n")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(-2, 2), min_size=5, max_size=5),
    st.sampled_from(["<=", ">=", "=="]),
    st.sampled_from(["", " where v[i] <= p[i] for i in 1..n", " where v[i]**2 <= b for i in 1..n"]),
)
def test_what_is_proved_of_sums_is_true_at_every_point(c, sign, hypothesis):
    statement = (
        f"{c[0]}*Sum(p[i]*v[i], (i, 1, n)) + {c[1]}*Sum(p[i], (i, 1, n)) + {c[2]}*Sum(v[i]**2, (i, 1, n)) "
        f"{sign} {c[3]}*b*n + {c[4]}*Sum(p[i]**2, (i, 1, n))"
    )
    scope = read_scope(WEIGHTS + hypothesis)
    goal = read(statement, scope.declared)
    if proved(goal, scope, seconds=0.5):
        assert sweep(goal, scope, tries=80, seconds=0.5).false is None, statement
