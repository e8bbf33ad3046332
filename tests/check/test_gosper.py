"""Gosper's algorithm: what it finds telescopes, and it finds nothing where nothing is."""

import pytest
import sympy as sp

from theorycheck.check import gosper

k = sp.Symbol("k", integer=True)
n = sp.Symbol("n", integer=True, positive=True)


@pytest.mark.parametrize(
    ("quotient", "polynomial"),
    [
        (sp.Integer(1), k**2),
        (sp.Integer(2), k),  # k 2^k
        (k + 1, k),  # k k!
        ((n - k) / (k + 1) * -1, sp.Integer(1)),  # (-1)^k C(n, k)
        (k / (k + 2), sp.Integer(1)),  # 1/(k (k + 1))
    ],
)
def test_what_is_found_telescopes(quotient, polynomial):
    found = gosper.certificate(quotient, polynomial, k)
    assert found is not None
    later = found.xreplace({k: k + 1}) * quotient * polynomial.xreplace({k: k + 1}) / polynomial
    assert sp.cancel(sp.together(later - found - 1)) == 0


@pytest.mark.parametrize(
    ("quotient", "polynomial"),
    [
        (k / (k + 1), sp.Integer(1)),  # 1/k
        (k + 1, sp.Integer(1)),  # k!
        ((n - k) / (k + 1), sp.Integer(1)),  # C(n, k)
        ((k**2 + 1) / (k + 3), sp.Integer(1)),  # a factor that is not linear
    ],
)
def test_nothing_is_found_where_nothing_is(quotient, polynomial):
    assert gosper.certificate(quotient, polynomial, k) is None
