"""Bad arguments of claims, legs, variants and domains end in one line that says what to write."""

from fractions import Fraction

import pytest
import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    even_integers,
    hypothesis,
    instances,
    integers,
    leg,
    odd_integers,
    primes,
    probability,
    reals,
    sqrt,
    variant,
)
from theorycheck.claims.formula import typed
from theorycheck.claims.functions import ClaimError
from theorycheck.numbers.domain import DomainError

n = sp.Symbol("n", integer=True, positive=True)
PARTS = {"domain": {n: integers(1)}, "grid": {"smoke": {n: [1, 2]}}}


def same(n):
    return n


def coin(rng, size):
    return rng.bernoulli(Fraction(1, 2), (size,))


def made(**parts):
    return claim("c", **{**PARTS, "closed_form": n, **parts})(same)


def sampled(**parts):
    return leg("coin", coin, **{"statistic": probability(), **parts})


CLAIMS = {
    "a float in the form": ({"closed_form": 0.5 * n}, "Rational(1, 2)"),
    "a float in an exponent": ({"closed_form": n**0.5}, "Rational(1, 2)"),
    "a float as the form": ({"closed_form": 0.25}, "Rational(1, 4)"),
    "a float in a matrix": ({"closed_form": sp.Matrix([n, 0.5])}, "Rational(1, 2)"),
    "a form as text": ({"closed_form": "n"}, "SymPy expression"),
    "a form as a list": ({"closed_form": [n]}, "sympy.Matrix"),
    "a relation as text": ({"relation": "at_most"}, "relation=at_most()"),
    "a relation called as text": ({"relation": "at_most()"}, "relation=at_most()"),
    "a relation not called": ({"relation": at_most}, "relation=at_most()"),
    "equality not called": ({"relation": equals}, "relation=equals()"),
    "a number as relation": ({"relation": 3}, "equals(), at_most()"),
    "one rival": ({"rivals": variant("a", closed_form=2 * n)}, "must be a list"),
    "a rival as text": ({"rivals": ["a"]}, "variant(...)"),
    "a hypothesis as text": ({"assumes": ["a"]}, "hypothesis(...)"),
    "one figure": ({"figures": 3}, "must be a list"),
    "a grid as a list": ({"grid": [1, 2]}, "name profiles"),
    "a grid without profiles": ({"grid": {n: [1, 2]}}, "name profiles"),
    "a domain as a list": ({"domain": [n]}, "integers(1)"),
    "states as a number": ({"states": 3}, "ids of statements"),
    "says as a number": ({"says": 3}, "must be text"),
    "a formula that is set already": ({"lhs": r"$\gamma$"}, "leave out the signs"),
    "a formula set by brackets": ({"tex": r"\(\gamma\)"}, "leave out the signs"),
    "a formula that is no raw string": ({"tex": "\frac12"}, "raw string"),
    "a formula that breaks off": ({"tex": r"\frac{1}{2"}, "braces that do not match"),
    "a formula closed before it opens": ({"tex": r"}{"}, "braces that do not match"),
    "a formula as an expression": ({"tex": n**2}, "must be LaTeX"),
    "no left-hand side": ({"lhs": " "}, "must be LaTeX"),
}


@pytest.mark.parametrize("what", CLAIMS)
def test_a_claim_says_what_to_write(what):
    parts, words = CLAIMS[what]
    with pytest.raises(ClaimError) as error:
        made(**parts)
    text = str(error.value)
    assert text.startswith("claim c: ") and words in text and "\n" not in text


@pytest.mark.parametrize("tex", [r"\left\{ x \right.", r"\begin{cases} 1 \\[2pt] 2 \end{cases}"])
def test_braces_and_brackets_that_are_signs_of_the_formula_are_kept(tex):
    assert made(lhs=r"\gamma", tex=tex).tex == tex


OTHERS = {
    "an id as a number": (lambda: claim(3, **PARTS, closed_form=n), "letters"),
    "an empty id": (lambda: claim("", **PARTS, closed_form=n), "letters"),
    "an id that leaves its folder": (lambda: claim("../c", **PARTS, closed_form=n), "letters"),
    "a decorator not called": (lambda: claim(same), "letters"),
    "one leg": (lambda: claim("c", **PARTS, closed_form=n, legs=leg("a", same)), "a list"),
    "a leg's relation": (lambda: leg("a", same, relation="equals"), "relation=equals()"),
    "a leg without a function": (lambda: leg("a", 3), "a function"),
    "a leg's name": (lambda: leg(3, same), "text"),
    "a leg's unit": (lambda: leg("a", same, unit=0.5), "Rational(1, 2)"),
    "a statistic as text": (lambda: sampled(statistic="mean"), "probability()"),
    "a statistic not called": (lambda: sampled(statistic=probability), "probability()"),
    "a budget for all": (lambda: sampled(budget=1000), "by profile"),
    "an empty budget": (lambda: sampled(budget={"smoke": 0}), "positive"),
    "no block": (lambda: sampled(block=0), "positive integer"),
    "a block as a float": (lambda: sampled(block=1e3), "positive integer"),
    "an error below 0": (
        lambda: leg("a", same, arithmetic="external", model="x", error=-1),
        "below 0",
    ),
    "a rival's relation": (lambda: variant("a", relation=at_most), "relation=at_most()"),
    "a rival's form": (lambda: variant("a", closed_form=0.5 * n), "Rational(1, 2)"),
    "a rival's points": (lambda: variant("a", at=3), "list of points"),
    "a rival's simulation": (lambda: variant("a", simulation=3), "a function"),
    "fresh points": (lambda: hypothesis("h", without=3), "list of points"),
    "no instances": (lambda: instances(same, "x", smoke=0), "positive"),
    "half an instance": (lambda: instances(same, "x", smoke=2.5), "positive"),
    "instances of nothing": (lambda: instances(3, "x", smoke=2), "a function"),
}


@pytest.mark.parametrize("what", OTHERS)
def test_its_parts_say_what_to_write(what):
    make, words = OTHERS[what]
    with pytest.raises(ClaimError) as error:
        make()
    assert words in str(error.value) and "\n" not in str(error.value)


def test_what_is_right_is_left_alone():
    half = sp.Rational(1, 2)
    assert made(closed_form=half * n, relation=at_most(), rivals=[variant("a", at=[{n: 3}])])
    assert sampled(budget={"smoke": 2048}, block=512).budget == {"smoke": 2048}


# ------------------------------------------------------------ domains


@pytest.mark.parametrize("end", [sp.pi, sp.sqrt(10), sp.E, sp.pi**2 / 3, sqrt(10)])
def test_ends_are_exact_expressions(end):
    domain = reals(0, end)
    value = sp.sqrt(10) if end == sqrt(10) else end
    below, above = sp.floor(value * 10**30), sp.ceiling(value * 10**30)
    assert Fraction(int(below), 10**30) in domain
    assert Fraction(int(above), 10**30) not in domain
    assert domain.text() == f"real in [0, {value}]"
    upper = reals(end, 100)
    assert Fraction(int(below), 10**30) not in upper and Fraction(int(above), 10**30) in upper


def test_ends_that_are_rational_in_disguise():
    assert reals(sp.Rational(1, 2), sp.Integer(2)) == reals(Fraction(1, 2), 2)
    assert reals(-sp.oo, sp.oo) == reals()
    assert 2 in reals(0, sp.sqrt(4)) and 2 in reals(0, sqrt(4))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: reals(sp.pi, 3), "pi, 3"),
        (lambda: reals(0, sp.Float(0.5)), "Fraction(1/2)"),
        (lambda: reals(0, 0.5), "Fraction(1/2)"),
        (lambda: reals(0, sp.sqrt(2) * 0.5), "exact real"),
        (lambda: reals(0, sp.I), "real number"),
        (lambda: reals(sp.oo, None), "no number"),
        (lambda: reals(0, n), "exact"),
        (lambda: reals("0", 1), "number"),
        (lambda: odd_integers(1.5), "integer"),
        (lambda: even_integers("2"), "integer"),
        (lambda: primes(2.5), "integer"),
        (lambda: integers(True), "integer"),
    ],
)
def test_ends_that_are_none(make, words):
    with pytest.raises(DomainError) as error:
        make()
    assert words in str(error.value)


@pytest.mark.parametrize(
    "says", ["1/3 - g**2 == 1/3 - g**2", "0 <= g and g*g <= g * g", "not (g >= g)"]
)
def test_a_statement_that_compares_a_text_with_itself_is_refused(says):
    with pytest.raises(ClaimError, match="says nothing"):
        typed(says, over="g in [0, 1]")


def test_a_statement_that_compares_a_text_with_itself_strictly_is_only_false():
    assert typed("g < g", over="g in [0, 1]").says == "g < g"
