"""Integrals in balls: known values lie inside, what is not analytic is not taken."""

from __future__ import annotations

import pytest
import sympy as sp
from flint import arb

from theorycheck import balls

x, s = sp.symbols("x s", real=True)
oo = sp.oo

KNOWN = [
    (sp.exp(x), (0, 1), sp.E - 1),
    (sp.exp(-(x**2)), (-oo, oo), sp.sqrt(sp.pi)),
    (x**4 * sp.exp(-(x**2) / 2), (-oo, oo), 3 * sp.sqrt(2 * sp.pi)),
    (sp.exp(-x) * sp.cos(x), (0, oo), sp.Rational(1, 2)),
    (sp.exp(-x) / (1 + sp.exp(-x)) ** 2, (-oo, oo), sp.Integer(1)),
    (sp.exp(-x) * sp.sqrt(x), (1, oo), sp.uppergamma(sp.Rational(3, 2), 1)),
    (sp.log(x), (1, 2), 2 * sp.log(2) - 1),
    (1 / (1 + x**2), (0, 1), sp.pi / 4),
    (sp.exp(2 * x - x**2), (0, oo), sp.sqrt(sp.pi) * sp.E * (1 + sp.erf(1)) / 2),
    (sp.tanh(x) ** 2 * sp.exp(-(x**2) / 2), (-oo, oo), None),
]


@pytest.mark.parametrize(("f", "ends", "value"), KNOWN, ids=[str(k[0]) for k in KNOWN])
def test_known_values_lie_inside(f: sp.Expr, ends: tuple[sp.Expr, sp.Expr], value: sp.Expr) -> None:
    found = balls.evaluate(sp.Integral(f, (x, *ends)), {}, prec=100)
    assert found.ball is not None
    assert found.ball.rel_accuracy_bits() > 60
    if value is not None:
        assert found.ball.overlaps(
            arb(balls.evaluate(value, {}, prec=200).ball or value.p / value.q)
        )


def test_slow_tails_leave_a_radius() -> None:
    found = balls.evaluate(sp.Integral(1 / (1 + x**2), (x, 0, oo)), {}, prec=64)
    assert found.ball is not None
    assert found.ball.overlaps(arb.pi() / 2)


def test_parameters() -> None:
    found = balls.evaluate(sp.Integral(sp.exp(-s * x), (x, 0, oo)), {"s": 2}, prec=64)
    assert found.ball is not None
    assert found.ball.overlaps(arb(0.5))


@pytest.mark.parametrize("f", [sp.Abs(x), sp.floor(x), sp.Max(x, 1)])
def test_what_is_not_analytic_is_not_taken(f: sp.Expr) -> None:
    with pytest.raises(balls.UnsupportedExpression):
        balls.evaluate(sp.Integral(f, (x, 0, 3)), {}, prec=64)


@pytest.mark.parametrize("f", [1 / x, sp.exp(x), sp.cos(x), sp.exp(x**2 - 100 * x)])
def test_divergent_tails_are_not_decided(f: sp.Expr) -> None:
    found = balls.evaluate(sp.Integral(f, (x, 1, oo)), {}, prec=64, max_prec=128)
    assert found.ball is None or not found.ball.is_finite()


def test_integrals_that_are_not_real_are_said() -> None:
    found = balls.evaluate(sp.Integral(sp.log(x), (x, -2, -1)), {}, prec=64, max_prec=128)
    assert found.status == "nonreal"


def test_a_branch_cut_on_the_path_is_seen() -> None:
    root = sp.Pow(sp.Pow(x, 2, evaluate=False), sp.Rational(1, 2), evaluate=False)
    found = balls.evaluate(sp.Integral(root, (x, -1, 1)), {}, prec=64, max_prec=128)
    assert found.ball is None or found.ball.overlaps(arb(1))


def test_what_broke_an_integration_off_is_found_below_what_c_code_made_of_it():
    """Each call of C code that an exception passes adds SystemErrors; a time limit must still be one."""
    from theorycheck.balls.integrals import _innermost
    from theorycheck.balls.values import Undecided

    def passed(below, times):
        for _ in range(times):
            above = SystemError("returned a result with an exception set")
            above.__cause__ = below
            below = above
        return below

    limit = TimeoutError("the time is up")
    assert _innermost(passed(limit, 4)) is limit
    assert _innermost(limit) is limit
    assert isinstance(_innermost(passed(None, 1)), Undecided)
