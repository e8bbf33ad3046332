"""Series whose parts diverge, and functions at infinity."""

from __future__ import annotations

import pytest
import sympy as sp

from theorycheck import balls

n = sp.Symbol("n", integer=True)
k = sp.Symbol("k", integer=True)


def series(term: sp.Expr, first: int = 1) -> sp.Expr:
    return sp.Sum(term, (n, first, sp.oo))


def difference(a: sp.Expr, b: sp.Expr) -> sp.Expr:
    return sp.Add(a, sp.Mul(-1, b, evaluate=False), evaluate=False)


def test_parts_that_diverge_may_have_a_sum() -> None:
    assert balls.compare(series(1 / n - 1 / (n + 1)), 1, {}).relation == "eq"
    assert balls.compare(series(difference(1 / n, 1 / (n + 1))), 1, {}).relation == "eq"
    # psi(1/2) = -gamma - 2 log 2
    got = balls.evaluate(series(difference(1 / (n + 1), 1 / (n + sp.Rational(1, 2))), 0), {})
    assert got.ball is not None
    assert got.ball.overlaps(balls.evaluate(-2 * sp.log(2), {}).ball)


@pytest.mark.parametrize(
    "term",
    [
        1 / n + 1 / (n + 1),
        1 / n - 1 / (2 * n + 1),
        2 / n - 1 / (n + 1),
        1 / n + 1 / n**2,
        n / (n + 1) - n / (n + 2) + 1 / n**2,
    ],
)
def test_what_diverges_is_undefined(term: sp.Expr) -> None:
    assert balls.evaluate(series(term), {}).status == "undefined"


@pytest.mark.parametrize("term", [2**n / n - 2**n / (n + 1), sp.pi / n - sp.pi / (n + 1)])
def test_of_several_divergent_parts_nothing_follows(term: sp.Expr) -> None:
    # The first diverges, the second does not; neither is decided by its parts.
    assert balls.evaluate(series(term), {}, max_prec=256).status != "ok"
    assert balls.evaluate(series(sp.pi / n - sp.pi / (n + 1)), {}).status == "undecided"


def test_a_cancelled_pole_is_a_pole() -> None:
    cancelled = sp.Mul(n - 3, sp.Pow(n - 3, -1), sp.Pow(n, -2), evaluate=False)
    assert balls.evaluate(series(cancelled), {}).status == "undefined"
    assert balls.evaluate(series(cancelled, 4), {}).status == "ok"


@pytest.mark.parametrize(
    ("function", "low", "high"),
    [
        (sp.atan, -sp.pi / 2, sp.pi / 2),
        (sp.coth, -1, 1),
        (sp.sech, 0, 0),
        (sp.csch, 0, 0),
        (sp.tanh, -1, 1),
        (sp.erf, -1, 1),
    ],
)
def test_limits_at_infinity(function, low, high) -> None:
    for end, limit in ((-sp.oo, low), (sp.oo, high)):
        assert balls.compare(function(end, evaluate=False), limit, {}).relation == "eq"


def test_no_limit_is_undefined_and_an_unknown_one_is_not() -> None:
    assert balls.evaluate(sp.sin(sp.oo, evaluate=False), {}).status == "undefined"
    assert balls.evaluate(sp.acosh(-sp.oo, evaluate=False), {}).status == "undefined"
    assert balls.evaluate(sp.Si(sp.oo, evaluate=False), {}).status == "undecided"
