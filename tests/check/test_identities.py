"""What SymPy proposes is used where an identity of polynomials proves it, and not otherwise."""

from __future__ import annotations

import pytest
import sympy as sp

from theorycheck.check import identities
from theorycheck.check.homogeneous import _by_form
from theorycheck.check.identities import equal, is_zero, quotient, simpler

n = sp.Symbol("n", integer=True, positive=True)
x, y = sp.symbols("x y", positive=True)
z = sp.Symbol("z", real=True)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (sp.factorial(n + 1), (n + 1) * sp.factorial(n)),
        (sp.binomial(2 * n, n), sp.factorial(2 * n) / sp.factorial(n) ** 2),
        (sp.catalan(n) * (n + 1), sp.binomial(2 * n, n)),
        (4**n / 2**n, 2**n),
        (sp.sqrt(x * y), sp.sqrt(x) * sp.sqrt(y)),
    ],
)
def test_equal(a: sp.Expr, b: sp.Expr) -> None:
    assert equal(a, b)
    assert not equal(a, b + 1)
    assert not equal(a, b * sp.Rational(10**12 + 1, 10**12))


@pytest.mark.parametrize(
    ("a", "b"), [(sp.sqrt(z**2), z), (sp.log(z**2), 2 * sp.log(z)), (sp.Abs(z), z)]
)
def test_what_holds_for_one_sign_only_is_not_equal(a: sp.Expr, b: sp.Expr) -> None:
    assert not equal(a, b)
    assert not is_zero(a - b)


def test_a_wrong_simplification_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identities.sp, "simplify", lambda e: e + 1)
    assert simpler(x / y) == x / y
    monkeypatch.setattr(identities.sp, "combsimp", lambda e: n)
    monkeypatch.setattr(identities.sp, "gammasimp", lambda e: e)
    assert quotient(sp.factorial(n + 1), sp.factorial(n)) is None


def test_quotients() -> None:
    assert quotient(sp.factorial(n + 1), sp.factorial(n)) == n + 1
    assert quotient(sp.binomial(2 * n + 2, n + 1), sp.binomial(2 * n, n)) is not None


@pytest.mark.parametrize(
    ("e", "degree"),
    [
        (x**2 + x * y, 2),
        (sp.sqrt(x**2 + y**2), 1),
        (sp.Max(x, y) / sp.Abs(x), 0),
        (sp.log(x / y), 0),
        (x * sp.exp(y / x), 1),
        (x + 1, None),
        (sp.exp(x), None),
        (x**y, None),
        (x**2 + y, None),
        (sp.sign(z), None),
    ],
)
def test_degrees(e: sp.Expr, degree: int | None) -> None:
    assert _by_form(e, frozenset(e.free_symbols)) == degree
