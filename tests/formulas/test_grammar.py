"""Names are given to what the interval resolves, and withheld where chance would do as well."""

import random
from fractions import Fraction

import pytest
import sympy as sp
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.formulas.grammar import CHANCE, name_constant, name_exponent, simplest_between
from theorycheck.numbers.enclosure import Enclosure


def around(value, relative):
    q = sp.Rational(str(sp.N(value, 60)))
    v, r = fmpq(int(q.p), int(q.q)), fmpq(*relative.as_integer_ratio())
    return Enclosure(v * (1 - r), v * (1 + r))


@pytest.mark.parametrize(
    "value",
    [
        sp.Integer(2),
        sp.Rational(1, 2),
        sp.sqrt(2) / sp.pi,
        sp.E,
        sp.pi**2 / 6,
        sp.log(2),
        sp.EulerGamma,
        sp.sqrt(sp.pi) / 2,
        sp.Rational(355, 113),
        sp.sqrt(sp.Rational(17, 29)),
        sp.Rational(3, 16) * sp.sqrt(5) * sp.E,
    ],
)
@pytest.mark.parametrize("relative", [1e-12, 1e-30])
def test_sharp_intervals_are_named(value, relative):
    assert sp.simplify(name_constant(around(value, relative)).name - value) == 0


@pytest.mark.parametrize("value", [2, sp.Rational(1, 2), 1])
def test_the_simplest_constants_are_named_from_samples_too(value):
    assert name_constant(around(value, 0.01)).name == value


@pytest.mark.parametrize(
    "value", [sp.sqrt(2) / sp.pi, sp.E / sp.pi, sp.Rational(17, 29), sp.EulerGamma * 3]
)
def test_samples_at_one_percent_do_not_resolve_these(value):
    named = name_constant(around(value, 0.01))
    assert named.name is None
    assert named.chance >= CHANCE and named.tried > 10_000
    assert named.text().startswith("[")


@pytest.mark.parametrize("value", [sp.cos(1), sp.sin(1), sp.zeta(3), sp.Catalan, sp.tanh(2)])
@pytest.mark.parametrize("relative", [1e-4, 1e-6, 1e-8])
def test_constants_outside_the_grammar_get_no_wrong_name(value, relative):
    assert name_constant(around(value, relative)).name is None


def test_wrong_names_are_as_rare_as_promised():
    """Random constants, outside the grammar with probability 1: a name is always wrong."""
    random.seed(7)
    wrong = 0
    trials = 120
    for _ in range(trials):
        x = Fraction(random.getrandbits(200), 1 << 200) * 9 + Fraction(1, 3)
        relative = 10 ** -random.uniform(1.5, 8)
        wrong += (
            name_constant(around(sp.Rational(x.numerator, x.denominator), relative)).name
            is not None
        )
    # Three kinds of formulas (grammar, rationals, roots) at CHANCE each: 18 expected at most.
    assert wrong <= 3 * CHANCE * trials + 3 * (3 * CHANCE * trials) ** 0.5


def test_an_exact_rational_is_itself():
    q = fmpq(123457, 98765)
    assert name_constant(Enclosure(q, q)).name == sp.Rational(123457, 98765)


def test_intervals_that_are_not_positive_are_refused():
    with pytest.raises(ValueError, match="positive"):
        name_constant(Enclosure(fmpq(0), fmpq(1)))


@pytest.mark.parametrize(
    ("low", "high", "name"),
    [
        ("0.495", "0.505", sp.Rational(1, 2)),
        ("-1.01", "-0.99", -1),
        ("0.49", "0.51", None),
        ("0.33333", "0.33334", sp.Rational(1, 3)),
        ("-0.001", "0.001", 0),
        ("0.4", "0.6", None),
        ("0.45", "0.46", None),
        ("0.69314", "0.69315", None),
    ],
)
def test_exponents(low, high, name):
    ends = [fmpq(Fraction(v).numerator, Fraction(v).denominator) for v in (low, high)]
    assert name_exponent(Enclosure(*ends)).name == name


@given(
    st.fractions(Fraction(1, 500), 500, max_denominator=500),
    st.fractions(0, 1, max_denominator=500),
)
def test_simplest_rational_lies_inside_and_is_simplest(low, width):
    high = low + width
    found = simplest_between(
        fmpq(low.numerator, low.denominator), fmpq(high.numerator, high.denominator)
    )
    assert low <= found <= high
    for q in range(1, found.denominator):
        assert -(-low * q // 1) > high * q  # no integer p with low <= p/q <= high


@pytest.mark.parametrize("digits", [300, 500, 900])
def test_no_interval_is_too_narrow_to_be_looked_at(digits):
    """Simplest rationals whose height squared is beyond every double, and a value that is 1/3 to 400
    digits only."""
    value = fmpq(10**400 + 7, 3 * 10**400 + 11)
    width = fmpq(1, 10**digits)
    named = name_constant(Enclosure(value - width, value + width)).name
    assert named == (sp.Rational(1, 3) if digits < 400 else None)
