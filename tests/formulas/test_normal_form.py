"""The normal form proves equalities of the kinds that mutants produce, and nothing that is false."""

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.formulas.normal_form import same_function
from theorycheck.numbers.domain import choices, integers, odd_integers, reals

k, p, n, x, y = sp.symbols("k p n x y")
z, w = sp.symbols("z w")
i, d = sp.symbols("i d", integer=True, positive=True)
lam = sp.IndexedBase("lam")
DOMAINS = {
    "k": integers(1),
    "p": odd_integers(3),
    "n": integers(0),
    "x": reals(0, low_open=True),
    "y": reals(0, low_open=True),
    "z": reals(),
    "w": reals(),
    "d": integers(1),
}
HALF = sp.Rational(1, 2)
MARGIN = 2 * sp.factorial(k) / ((2 * k + 2) ** ((k + 1) / 2) * (p - 1) * p ** ((k - 1) / 2))

EQUAL = [
    (
        MARGIN,
        sp.factorial(k)
        * 2 ** ((1 - k) / 2)
        * sp.sqrt(p)
        / ((k + 1) ** ((k + 1) / 2) * (p - 1) * p ** (k / 2)),
    ),
    (sp.factorial(k + 1) / sp.factorial(k - 1), k * (k + 1)),
    (sp.gamma(k + HALF), (k - HALF) * sp.gamma(k - HALF)),
    (sp.binomial(n, k), sp.binomial(n, n - k)),
    (sp.binomial(n + 1, k + 1) * (k + 1), (n + 1) * sp.binomial(n, k)),
    (sp.log(2 * x * y**2), sp.log(2) + sp.log(x) + 2 * sp.log(y)),
    (sp.sqrt(x * y), sp.sqrt(x) * sp.sqrt(y)),
    (sp.sin(z) ** 2 + sp.cos(z) ** 2, sp.Integer(1)),
    (sp.cos(2 * z), 2 * sp.cos(z) ** 2 - 1),
    (sp.tanh(z), (1 - sp.exp(-2 * z)) / (1 + sp.exp(-2 * z))),
    (1 / (sp.sqrt(2) + p), (p - sp.sqrt(2)) / (p**2 - 2)),
    ((sp.sqrt(2) + 1) * (sp.sqrt(2) - 1) * k, k),
    (sp.sqrt(1 + sp.sqrt(2) * x) ** 2 * x, x + sp.sqrt(2) * x**2),
    ((1 - 1 / k) ** n, (k - 1) ** n / k**n),
    (p**k / (p - 1) - p**k / (p + 1), 2 * p**k / (p**2 - 1)),
    (4**k, 2 ** (2 * k)),
    (
        sp.Sum(2 * lam[i] ** 2 + i, (i, 1, d)),
        2 * sp.Sum(lam[i] ** 2, (i, 1, d)) + sp.Sum(i, (i, 1, d)),
    ),
    (sp.Sum(lam[i], (i, 1, d)), sp.Sum(lam[i + 1], (i, 0, d - 1))),
]

NOT_EQUAL = [
    (MARGIN, MARGIN * p),
    (MARGIN, MARGIN.subs(k, k + 1)),
    (sp.sqrt(z**2), z),
    (sp.sqrt(z * w), sp.sqrt(z) * sp.sqrt(w)),
    (sp.log(z * w), sp.log(z) + sp.log(w)),
    (sp.log(z**2), 2 * sp.log(z)),
    (sp.Abs(z), z),
    ((z**2) ** x, z ** (2 * x)),
    (sp.binomial(z, w), sp.binomial(z, z - w)),
    (sp.factorial(k + 1), (k + 2) * sp.factorial(k)),
    (sp.Sum(lam[i], (i, 1, d)), sp.Sum(lam[i], (i, 1, d - 1))),
    (sp.Sum(lam[i], (i, 1, d)), sp.Sum(lam[i] ** 2, (i, 1, d))),
    # Conditionally convergent: the parts diverge although the whole is 1.
    (
        sp.Sum(1 / i - 1 / (i + 1), (i, 1, sp.oo)),
        sp.Sum(1 / i, (i, 1, sp.oo)) - sp.Sum(1 / (i + 1), (i, 1, sp.oo)),
    ),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_proves(left, right):
    assert same_function(left, right, DOMAINS)
    assert same_function(right, left, DOMAINS)


@pytest.mark.parametrize(("left", "right"), NOT_EQUAL)
def test_proves_nothing_false(left, right):
    assert not same_function(left, right, DOMAINS)


@pytest.mark.parametrize("scale", [1 + sp.Rational(1, 10**12), -1, sp.sqrt(2)])
@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_a_slightly_wrong_side_is_not_proved(left, right, scale):
    assert not same_function(left, scale * right, DOMAINS)


def test_domain_decides_what_may_be_split():
    assert same_function(
        sp.sqrt(z * w), sp.sqrt(z) * sp.sqrt(w), {"z": choices(2, 3), "w": reals()}
    )
    assert not same_function(
        sp.sqrt(z * w), sp.sqrt(z) * sp.sqrt(w), {"z": choices(-2, 3), "w": reals()}
    )
    assert same_function(sp.log(z * (z - 2)), sp.log(z) + sp.log(z - 2), {"z": integers(3)})
    assert not same_function(sp.log(z * (z - 2)), sp.log(z) + sp.log(z - 2), {"z": integers(-3)})


def test_a_dummy_named_like_a_parameter_is_left_alone():
    form = sp.Sum(k, (k, 1, n)) + k
    assert not same_function(form, 2 * form, {"k": integers(1), "n": integers(1)})


def test_large_expansions_are_not_tried():
    nudged = MARGIN.subs(p ** (k / 2), p ** (k * sp.Rational(10**9 + 1, 2 * 10**9)))
    assert not same_function(MARGIN, nudged, DOMAINS)  # in no time: degrees would be 1e9
    assert not same_function(x ** (10**9), x ** (10**9) * (x + 1) / (1 + x) * y, DOMAINS)
    big = (x + y + z + w) ** 200
    assert not same_function(big, (x + y) * big, DOMAINS)


_leaves = st.sampled_from([x, y, k, sp.Integer(2), sp.Integer(3), sp.Rational(1, 2), sp.sqrt(2)])


def _grow(inner):
    return st.one_of(
        st.tuples(inner, inner).map(lambda ab: ab[0] + ab[1]),
        st.tuples(inner, inner).map(lambda ab: ab[0] * ab[1]),
        st.tuples(inner, st.sampled_from([-1, HALF, -HALF, 2, k, k / 2])).map(
            lambda be: be[0] ** be[1]
        ),
        inner.map(sp.log),
        inner.map(lambda e: sp.exp(e / 4)),
    )


@settings(max_examples=60, deadline=None)
@given(st.recursive(_leaves, _grow, max_leaves=5), st.recursive(_leaves, _grow, max_leaves=5))
def test_whatever_is_proved_holds_numerically(left, right):
    """Rewritten by SymPy's own tools or drawn at random: a proof must agree with 40 digits."""
    at = {x: sp.Rational(7, 5), y: sp.Rational(3, 11), k: sp.Integer(3)}
    for other in (right, sp.expand(left), sp.together(left), left + right - right):
        if same_function(left, other, DOMAINS):
            gap = sp.N((left - other).subs(at), 40, maxn=400, chop=False)
            assert gap.is_finite is not True or abs(gap) < sp.Float("1e-30")
