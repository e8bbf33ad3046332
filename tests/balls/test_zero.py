"""Zero is claimed only when proved; identities are proved, near misses are told apart."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import E, I, Rational, pi, sqrt

from theorycheck import balls

n, k, x, y = sp.symbols("n k x y")

IDENTITIES = [
    (sqrt(x) * sqrt(y), sqrt(6), {"x": 2, "y": 3}),
    (sqrt(x + 2 * sqrt(y)), 1 + sqrt(y), {"x": 3, "y": 2}),
    (sp.cbrt(x + sqrt(y)) + sp.cbrt(2 - sqrt(5) + x * 0), 1, None),  # principal branch: complex
    (sp.cos(pi / n) - sp.cos(2 * pi / n) + sp.cos(3 * pi / n), Rational(1, 2), {"n": 7}),
    (sp.Sum(sp.cos(2 * pi * k**2 / n), (k, 0, n - 1)), sqrt(n), {"n": 13}),
    (sp.Sum(sp.cos(2 * pi * k / n), (k, 0, n - 1)), 0, {"n": 30}),
    (sp.Sum(sp.exp(2 * pi * I * k * x / n), (k, 0, n - 1)), 0, {"n": 31, "x": 3}),
    (sp.Abs(sp.Sum(sp.exp(2 * pi * I * k**2 / n), (k, 0, n - 1))), sqrt(n), {"n": 7}),
    (sp.Product(sp.sin(pi * k / n), (k, 1, n - 1)), n / 2 ** (n - 1), {"n": 12}),
    (sp.GoldenRatio**2 + x, sp.GoldenRatio + 1, {"x": 0}),
    (sp.sin(x) ** 2 + sp.cos(x) ** 2, 1, {"x": Fraction(7, 3)}),
    (sp.cosh(x) ** 2 - sp.sinh(x) ** 2, 1, {"x": Fraction(7, 3)}),
    (sp.tan(x) * sp.cos(x), sp.sin(x), {"x": Fraction(7, 3)}),
    (sp.exp(x) * sp.exp(y), sp.exp(x + y), {"x": Fraction(1, 3), "y": 2}),
    (sp.log(x * y), sp.log(x) + sp.log(y), {"x": Fraction(1, 3), "y": 12}),
    (sp.log(x**2), 2 * sp.log(-x), {"x": -7}),
    (x ** sp.log(y), y ** sp.log(x), {"x": 3, "y": 5}),
    (x ** sqrt(y) * x ** (1 - sqrt(y)), x, {"x": 7, "y": 2}),
    (sp.gamma(x + 1), x * sp.gamma(x), {"x": Fraction(1, 3)}),
    (sp.gamma(sqrt(x) + 1), sqrt(x) * sp.gamma(sqrt(x)), {"x": 3}),
    (sp.gamma(n + Rational(1, 2)), sp.factorial(2 * n) * sqrt(pi) / 4**n / sp.factorial(n), {"n": 5}),
    (sp.digamma(x + 1) - sp.digamma(x), 1 / x, {"x": Fraction(1, 3)}),
    (sp.harmonic(x), sp.harmonic(x - 1) + 1 / x, {"x": Fraction(5, 3)}),
    (sp.erf(x) + sp.erfc(x), 1, {"x": Fraction(5, 3)}),
    (sp.LambertW(x) * sp.exp(sp.LambertW(x)), x, {"x": Fraction(5, 3)}),
    (sp.zeta(n), pi**4 / 90, {"n": 4}),
    (4 * sp.atan(1 / x), pi, {"x": 1}),
    (sp.acos(x * sqrt(3) / 2), pi / 6, {"x": 1}),
    (sqrt((pi + 1) ** 2 * x), (pi + 1) * sqrt(x), {"x": 3}),
    (1 / (sp.exp(x) + 1) + 1 / (sp.exp(-x) + 1), 1, {"x": 3}),
    (sp.log(sp.exp(x) + 1) - sp.log(sp.exp(-x) + 1), x, {"x": 3}),
    (sp.tanh(x), 1 - 2 / (sp.exp(2 * x) + 1), {"x": Fraction(1, 3)}),
    (sqrt(2 * pi * n) * (n / E) ** n, sqrt(2 * pi) * n ** (n + Rational(1, 2)) * sp.exp(-n), {"n": 20}),
    (sp.Sum(sqrt(k), (k, 1, n)), sp.Sum(sqrt(n + 1 - k), (k, 1, n)), {"n": 25}),
    (sp.Determinant(sp.Matrix([[sqrt(x), 1], [x, sqrt(x)]])), 0, {"x": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "values"), IDENTITIES)
def test_identities_are_proved(
    left: sp.Expr, right: sp.Expr, values: dict[str, object] | None
) -> None:
    if values is None:
        found = balls.compare(left, right, {"x": 2, "y": 5})
        assert found.relation != "eq"
        return
    assert balls.compare(left, right, values).relation == "eq"
    assert balls.sign(left - right, values) in (0, None)


@pytest.mark.parametrize(("left", "right", "values"), [i for i in IDENTITIES if i[2]])
def test_near_misses_are_told_apart(
    left: sp.Expr, right: sp.Expr, values: dict[str, object]
) -> None:
    """A wrong constant, as little as 1e-70 off, is never proved equal."""
    off = Rational(1, 10**70)
    assert balls.compare(left + off, right, values).relation == "gt"
    assert balls.compare(left, right + off, values).relation == "lt"


# Shanks, Incredible identities (1974)
SHANKS_LEFT = sqrt(5) + sqrt(22 + 2 * sqrt(5))
SHANKS_RIGHT = sqrt(11 + 2 * sqrt(29)) + sqrt(16 - 2 * sqrt(29) + 2 * sqrt(55 - 10 * sqrt(29)))


@pytest.mark.parametrize(
    ("left", "right", "values", "want"),
    [
        # the principal branch, not the identity that fails on it
        (sqrt(x) * sqrt(y), sqrt(x * y), {"x": -2, "y": -3}, "lt"),
        (sp.log(sp.exp(x)), x, {"x": -3}, "eq"),
        (sqrt(x**2), x, {"x": -3}, "gt"),
        ((x**2) ** (y / 2), x**y, {"x": -3, "y": 3}, "gt"),
        (sp.asin(sp.sin(x)), x, {"x": 3}, "lt"),
        (sp.acos(sp.cos(x)), x, {"x": -1}, "gt"),
        (sp.Abs(x - pi), x - pi, {"x": 3}, "gt"),
        # famous near misses
        (sp.exp(pi) - pi, 20, {}, "lt"),
        (pi, Rational(355, 113), {}, "lt"),
        (sp.exp(pi * sqrt(x)), 640320**3 + 744, {"x": 163}, "lt"),
        (
            sp.Sum(sqrt(k), (k, 1, n)),
            sp.Sum(sqrt(k), (k, 1, n)) + sqrt(x) - sqrt(2),
            {"n": 9, "x": 2},
            "eq",
        ),
        (SHANKS_LEFT, SHANKS_RIGHT, {}, "eq"),
    ],
)
def test_branches_and_famous_cases(
    left: sp.Expr, right: sp.Expr, values: dict[str, object], want: str
) -> None:
    assert balls.compare(left, right, values).relation == want


def test_what_is_not_proved_stays_undecided() -> None:
    # J_{-n} = (-1)^n J_n is true and not known here
    left = sp.besselj(-n, 1)
    found = balls.compare(left, -sp.besselj(n, 1), {"n": 3}, max_prec=512)
    assert found.relation == "undecided"
    assert found.lhs.ball is not None and found.rhs.ball is not None
    assert found.lhs.ball.overlaps(found.rhs.ball)


def test_zero_tests_are_not_used_for_balls() -> None:
    from flint import arb

    ball = arb(2, Fraction(1, 2**40).denominator ** -1)
    found = balls.compare(sqrt(x) ** 2, x, {"x": ball})
    assert found.relation == "undecided"


RADICALS = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(1, 30), st.sampled_from([2, 3])), max_size=4
)


@given(terms=RADICALS, others=RADICALS)
def test_sums_of_radicals_agree_with_their_normal_form(
    terms: list[tuple[int, int, int]], others: list[tuple[int, int, int]]
) -> None:
    """SymPy brings sqrt(12) to 2*sqrt(3); Besicovitch: the square-free rest is independent."""
    values = {f"a{i}": r for i, (_, r, _) in enumerate([*terms, *others])}

    def total(some: list[tuple[int, int, int]], start: int) -> sp.Expr:
        symbols = sp.symbols(f"a{start}:{start + len(some)}")
        return sp.Add(
            *(c * s ** Rational(1, q) for (c, _, q), s in zip(some, symbols, strict=True))
        )

    left, right = total(terms, 0), total(others, len(terms))
    exact = sp.Add(*(c * sp.Integer(r) ** Rational(1, q) for c, r, q in terms)) - sp.Add(
        *(c * sp.Integer(r) ** Rational(1, q) for c, r, q in others)
    )
    sign = balls.compare(left, right, values).relation
    assert (sign == "eq") == (sp.expand(exact) == 0)
    assert sign in ("lt", "eq", "gt")


@settings(max_examples=15)
@given(order=st.integers(1, 60), data=st.data())
def test_sums_of_roots_of_unity(order: int, data: st.DataObject) -> None:
    """Whole cosets of subgroups sum to 0, and a change of one term is seen."""
    divisor = data.draw(st.sampled_from([d for d in range(1, order + 1) if order % d == 0]))
    start = data.draw(st.integers(0, order - 1))
    coset = [(start + j * (order // divisor)) % order for j in range(divisor)]
    total = sp.Add(*(sp.cos(2 * pi * (m + x) / order) for m in coset), evaluate=False)
    want = 1 if divisor == 1 and start == 0 else None
    relation = balls.compare(total, 0, {"x": 0}).relation
    if divisor > 1:
        assert relation == "eq"
    elif want:
        assert relation == "gt"
    assert balls.compare(total + Rational(1, 10**50), 0, {"x": 0}).relation == (
        "gt" if divisor > 1 or relation != "lt" else "lt"
    )
