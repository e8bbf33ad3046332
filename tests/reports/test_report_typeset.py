"""Formulas as MathML and LaTeX, and the statement in full."""

from __future__ import annotations

import sys
from xml.etree import ElementTree as ET

import pytest
import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    counts,
    equals,
    holds_with_probability,
    integers,
    leg,
    maximises,
    probability,
    scales_as,
    up_to_constant,
    variant,
)
from theorycheck.reports import statement, typeset

n, k = sp.symbols("n k", positive=True)
M = "{http://www.w3.org/1998/Math/MathML}"


def measured_thing(n, k):
    """Shape ()."""
    return n


def made(form, relation=None, **parts):
    legs = parts.pop("legs", None) or [leg("value", measured_thing)]
    grid = {"smoke": [{n: 3, k: 2}]}
    return claim("c", title="T", domain={n: integers(1), k: integers(2, 9)}, where=k <= n, grid=grid,
                 closed_form=form, relation=relation or equals(), legs=legs, **parts)  # fmt: skip


FORMS = [
    n**2 / 3,
    sp.sqrt(n) * sp.exp(-n / k),
    sp.factorial(k) / sp.binomial(n, k),
    sp.Sum(1 / k, (k, 1, n)),
    sp.Piecewise((n, n > 3), (0, True)),
    sp.Matrix([[n, 1], [0, k]]),
    sp.Integer(7),
    sp.Max(n, k) + sp.floor(n / 2) + sp.erf(n),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "relation", [equals(), at_most(), at_least(), counts(), maximises(), scales_as(n)]
)
def test_mathml_is_well_formed(form, relation):
    c = made(form, relation)
    root = ET.fromstring(typeset.mathml(c, c.legs[0]))
    assert root.tag == f"{M}math"
    assert "measured thing" in "".join(root.itertext())
    assert root.get("alttext")


@pytest.mark.parametrize("form", FORMS)
def test_latex_braces_balance(form):
    c = made(form)
    text = typeset.latex(c, c.legs[0])
    assert text.count("{") == text.count("}")
    assert r"\text{measured thing}" in text


@pytest.mark.parametrize(
    ("relation", "sign", "command"),
    [(equals(), "=", "="), (at_most(), "≤", r"\leq"), (at_least(), "≥", r"\geq"),
     (scales_as(n), "∼", r"\sim")],
)  # fmt: skip
def test_signs_of_relations(relation, sign, command):
    c = made(n, relation)
    assert f"<mo>{sign}</mo>" in typeset.mathml(c, c.legs[0])
    assert command in typeset.latex(c, c.legs[0])


def test_infinity_and_words_are_kept_apart():
    c = made(n, scales_as(n))
    page = typeset.mathml(c, c.legs[0])
    assert "<mo>∞</mo>" in page
    counted = made(n, counts())
    assert "(counted)" in typeset.mathml(counted, counted.legs[0])
    assert "\u00a0as\u00a0n" in page
    assert r"\infty" in typeset.latex(c, c.legs[0])
    bounded = made(n, up_to_constant(at_most(), in_=n))
    assert "with\u00a0C\u00a0free\u00a0of" in typeset.mathml(bounded, bounded.legs[0])


def test_what_is_no_expression_has_no_formula():
    def reference(n, k):
        return n

    c = made(None, legs=[leg("value", measured_thing, reference=reference)])
    assert typeset.mathml(c, c.legs[0]) is None
    assert typeset.latex(c, c.legs[0]) is None
    assert statement.assertion(c) == "measured thing = reference(...)"


def test_an_expression_that_the_printer_cannot_print_falls_back(monkeypatch):
    def refuse(*args, **kwargs):
        raise NotImplementedError

    # sympy.printing.mathml is also the name of a function, so the module is taken from the list
    module = sys.modules["sympy.printing.mathml"]
    monkeypatch.setattr(module.MathMLPresentationPrinter, "doprint", refuse)
    c = made(n)
    assert typeset.mathml(c, c.legs[0]) is None
    assert typeset.latex(c, c.legs[0]) is not None


def test_the_statement_holds_quantifiers_condition_rivals_and_expectation():
    c = made(n**2, says="For all n and k it is n^2.", setting="on a Tuesday", expect="fail",
             rivals=[variant("cubed", closed_form=n**3)])  # fmt: skip
    text = statement.full_statement(c, None)
    for part in ("n: integer >= 1", "k: integer in 2..9", "with k <= n", "measured thing = n**2",
                 "on a Tuesday", "cubed (changes closed_form): must be refuted",
                 "expected  fail"):  # fmt: skip
        assert part in text


def test_a_simulation_without_a_name_is_called_after_its_leg():
    c = made(n, legs=[leg("the_leg", lambda n, k: n)])
    assert statement.measured_name(c.legs[0]) == "the leg"


def test_a_condition_in_code_is_said_by_its_docstring():
    def coprime(n, k):
        """n and k are coprime"""
        return True

    assert statement.condition_text(coprime) == "n and k are coprime"
    assert statement.condition_text([k <= n, coprime]) == "k <= n and n and k are coprime"
    assert statement.condition_text(None) == ""


def text_of(form):
    tree = ET.fromstring(typeset.expression_mathml(form))
    return "".join(tree.itertext())


def test_numbers_and_functions_do_not_run_into_each_other():
    assert "2\u22c52n" in text_of(sp.Mul(2, sp.Pow(2, n, evaluate=False), evaluate=False))
    assert 'mspace width="0.17em"/><mrow><mi>log' in typeset.expression_mathml(n * sp.log(n))
    assert "-" not in text_of(n - k) and "\u2212" in text_of(n - k)


def other_thing(n, k):
    """Shape ()."""
    return n


def test_legs_that_share_a_closed_form_share_a_formula():
    two = [leg("one", measured_thing), leg("other", other_thing)]
    assert [lg.name for lg in typeset.shown_legs(made(n * k, legs=two))] == ["one"]
    forms = [leg("one", measured_thing), leg("other", other_thing, closed_form=n + k)]
    assert len(typeset.shown_legs(made(n * k, legs=forms))) == 2


def test_a_leg_with_a_relation_of_its_own_is_shown_with_it():
    legs = [leg("one", measured_thing), leg("other", other_thing, relation=at_least())]
    claim_of_two = made(n * k, at_most(), legs=legs)
    shown = [typeset.mathml(claim_of_two, lg) for lg in typeset.shown_legs(claim_of_two)]
    assert "\u2264" in shown[0] and "\u2265" in shown[1]
    assert r"\geq" in typeset.latex(claim_of_two, legs[1])
    assert statement.assertion(claim_of_two).splitlines()[1].count(">=") == 1


def test_letters_are_those_of_the_formula():
    assert "e" in text_of(sp.exp(n)) and "\u2147" not in text_of(sp.exp(n))
    assert text_of(sp.Symbol("lam")) == "\u03bb"


def test_a_failure_probability_is_no_probability_of_the_opposite():
    failed = leg("value", lambda rng, size, n, k: rng.uniform(size) > 1, statistic=probability())
    bound = made(sp.Rational(1, 10), holds_with_probability(), legs=[failed])
    assert statement.assertion(bound) == "probability of value <= 1/10"
