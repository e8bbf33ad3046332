"""Limits by expansions: known ones, and those that must be left open."""

from __future__ import annotations

import pytest
import sympy as sp

from theorycheck.check import expansions
from theorycheck.check.expansions import limit, limit_sign
from theorycheck.check.run import check_text

x = sp.Symbol("x", positive=True)
oo = sp.oo

AT_INFINITY = [
    (x * sp.log(1 + 1 / x), 1),
    (x * (x * sp.log(1 + 1 / x) - 1), -sp.Rational(1, 2)),
    (sp.sqrt(x**2 + x) - x, sp.Rational(1, 2)),
    (x**5 * sp.exp(-x), 0),
    (sp.exp(sp.sqrt(x)) / x**10, oo),
    (sp.log(x) ** 3 / sp.sqrt(x), 0),
    ((1 + 1 / x) ** x, sp.E),
    (x ** (1 / x), 1),
    (x**x / sp.factorial(x), oo),
    (sp.exp(x) * sp.log(1 + sp.exp(-x)), 1),
    (sp.exp(2 * x) * (sp.log(1 + sp.exp(-x)) - sp.exp(-x)), -sp.Rational(1, 2)),
    (sp.log(sp.cosh(x)) - x, -sp.log(2)),
    (sp.erfc(x) * sp.exp(x**2) * x, 1 / sp.sqrt(sp.pi)),
    (sp.erfc(x) / sp.erfc(x + 1), oo),
    (sp.erf(-x), -1),
    (x * (sp.atan(x) - sp.pi / 2), -1),
    (sp.binomial(2 * x, x) * sp.sqrt(x) / 4**x, 1 / sp.sqrt(sp.pi)),
    (sp.harmonic(x) - sp.log(x), sp.EulerGamma),
    (sp.gamma(x + sp.Rational(1, 2)) / sp.gamma(x) / sp.sqrt(x), 1),
    (x * sp.sin(1 / x), 1),
    (-x, -oo),
    (sp.exp(x) * sp.exp(-x) - 1, 0),
]


@pytest.mark.parametrize(("f", "value"), AT_INFINITY, ids=[str(f) for f, _ in AT_INFINITY])
def test_limits_at_infinity(f: sp.Expr, value: sp.Expr) -> None:
    assert limit(f, x, oo) == value


AT_ENDS = [
    (x * sp.log(x), 0, True, 0),
    (sp.log(x), 0, True, -oo),
    ((sp.exp(x) - 1 - x) / x**2, 0, True, sp.Rational(1, 2)),
    (1 / x - 1 / sp.sin(x), 0, True, 0),
    (sp.exp(-1 / x) / x**3, 0, True, 0),
    (x**x, 0, True, 1),
    ((1 - x) * sp.log(1 - x), 1, False, 0),
    (sp.tan(x) * (sp.pi / 2 - x), sp.pi / 2, False, 1),
    (1 / (x - 1), 1, False, -oo),
    (1 / (x - 1), 1, True, oo),
]


@pytest.mark.parametrize(("f", "end", "above", "value"), AT_ENDS, ids=[str(a[0]) for a in AT_ENDS])
def test_limits_at_finite_ends(f: sp.Expr, end: sp.Expr, above: bool, value: sp.Expr) -> None:
    assert limit(f, x, sp.sympify(end), from_above=above) == value


# The terms that are kept cancel (all but the last beyond the order), there is no limit, the function is
# not expanded, or two exponents are equal in forms that differ.
LEFT_OPEN = [
    sp.sin(x),
    sp.log(sp.log(x)),
    x**30 * (sp.exp(1 / x) - sum(x**-k / sp.factorial(k) for k in range(30))),
    sp.exp(x**2) * (sp.erfc(x) - sp.erfc(x) * sp.cos(sp.exp(-x)) ** 2) * sp.exp(9 * x),
    sp.zeta(x),
    (-1) ** x,
    sp.floor(x) - x,
]


@pytest.mark.parametrize("f", LEFT_OPEN, ids=str)
def test_what_is_left_open(f: sp.Expr) -> None:
    assert limit(f, x, oo) is None
    assert limit_sign(f, x, oo) is None


def test_what_is_left_out_is_never_taken_for_zero() -> None:
    """A difference beyond the order that is kept, times a power that brings it back."""
    series = sum(x**-k / sp.factorial(k) for k in range(20))
    for power in range(21, 40):
        assert limit(x**power * (sp.exp(1 / x) - series), x, oo) in (None, oo)
    assert limit(x**2 * (sp.exp(1 / x) - 1 - 1 / x), x, oo) == sp.Rational(1, 2)


def test_exponents_in_two_forms_are_one() -> None:
    f = sp.exp(2 * sp.log(2) * x, evaluate=False) - sp.exp(sp.log(4) * x, evaluate=False)
    assert limit(f, x, oo) in (None, 0)


def test_proofs_rest_on_no_limit_of_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its word would have been taken at the end of a monotone piece, for steps to infinity, and for
    quotients that tend to 1."""

    def forbidden(*args: object, **kwargs: object) -> None:
        raise AssertionError("SymPy was asked for a limit")

    monkeypatch.setattr(sp, "limit", forbidden)
    statements = [
        ("exp(-x) > 0 - x**2*exp(-x)", "x in (0, oo)"),
        ("log(1 + 1/x) > 1/(1 + x)", "x in (0, oo)"),
        ("atan(x) < pi/2", "x in (0, oo)"),
        ("loggamma(x) > (x - 1/2)*log(x) - x + log(2*pi)/2", "x in (0, oo)"),
        ("binomial(2*n, n) <= 4**n/sqrt(pi*n)", "n in 1..oo"),
        ("harmonic(n) > log(n) + EulerGamma", "n in 1..oo"),
    ]
    for statement, domain in statements:
        found = check_text(statement, [domain], budget=40, explained=False)
        assert found.proved, statement


def test_a_limit_that_is_not_expanded_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansions, "limit", lambda *args, **kwargs: None)
    found = check_text("log(1 + 1/x) > 1/(1 + x)", ["x in (0, oo)"], budget=4, explained=False)
    assert not found.proved
