"""Formulas as MathML and LaTeX, and the statement in full."""

from __future__ import annotations

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
    minimises,
    probability,
    scales_as,
    up_to_constant,
    variant,
)
from theorycheck.claims.functions import ClaimError
from theorycheck.reports import mathematics, statement, typeset

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
    shown = "".join(root.itertext())
    assert "measured" in shown and "thing" not in shown
    assert root.get("alttext")


@pytest.mark.parametrize(
    ("relation", "lhs", "shown", "said"),
    [
        (maximises(), r"\max_w f(w)", r"\max_w f(w) = 7", "max_w f(w) = 7"),
        (maximises(), r"\gamma", r"\max \gamma = 7", "max \u03b3 = 7"),
        (maximises(), r"\min_q g(q)", r"\max \min_q g(q) = 7", "max min_q g(q) = 7"),
        (minimises(), r"\min\{u\}", r"\min\{u\} = 7", "min{u} = 7"),
        (minimises(), r"\max_y e", r"\min \max_y e = 7", "min max_y e = 7"),
    ],
)
def test_an_optimum_that_its_symbol_names_is_named_once(relation, lhs, shown, said):
    c = made(sp.Integer(7), relation, lhs=lhs)
    assert typeset.latex(c, c.legs[0]) == shown
    assert statement.assertion(c) == said


@pytest.mark.parametrize("form", FORMS)
def test_latex_braces_balance(form):
    c = made(form)
    text = typeset.latex(c, c.legs[0])
    assert text.count("{") == text.count("}")
    assert r"\text{measured}" in text and "thing" not in text


@pytest.mark.parametrize(
    ("relation", "sign", "command"),
    [
        (equals(), "=", "="),
        (at_most(), "≤", r"\leq"),
        (at_least(), "≥", r"\geq"),
        (scales_as(n), "∼", r"\sim"),
    ],
)
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
    assert "<mtext>\u00a0as\u00a0</mtext><mi>n</mi>" in page
    assert r"\infty" in typeset.latex(c, c.legs[0])
    bounded = made(n, up_to_constant(at_most(), in_=n))
    assert r"\text{ with } C \text{ free of } n" in typeset.latex(bounded, bounded.legs[0])


def test_what_is_no_expression_has_no_formula():
    def reference(n, k):
        return n

    c = made(None, legs=[leg("value", measured_thing, reference=reference)])
    assert typeset.mathml(c, c.legs[0]) is None
    assert typeset.latex(c, c.legs[0]) is None
    assert statement.assertion(c) == "measured = what the reference computes"


def test_an_expression_that_the_printer_cannot_print_falls_back(monkeypatch):
    def refuse(*args, **kwargs):
        raise NotImplementedError

    monkeypatch.setattr(sp, "latex", refuse)
    c = made(n)
    assert typeset.mathml(c, c.legs[0]) is None
    assert typeset.latex(c, c.legs[0]) is None


def test_the_author_s_symbol_and_form_are_shown_as_they_are_given():
    c = made(sp.exp(-n / (2 * k)), lhs=r"\gamma^*", tex=r"e^{-n/(2k)}")
    assert typeset.latex(c, c.legs[0]) == r"\gamma^* = e^{-n/(2k)}"
    assert "<mi>\u03b3</mi><mo>*</mo>" in typeset.mathml(c, c.legs[0])
    assert statement.measured_text(c, c.legs[0]) == "\u03b3^*"


def test_a_leg_that_measures_another_thing_has_a_symbol_of_its_own():
    legs = [
        leg("one", measured_thing),
        leg("other", other_thing, closed_form=n + k, lhs=r"\beta", tex="k+n"),
    ]
    c = made(n * k, lhs=r"\alpha", legs=legs)
    assert [typeset.latex(c, lg) for lg in c.legs] == [r"\alpha = k n", r"\beta = k+n"]
    plain = made(n * k, lhs=r"\alpha", legs=[legs[0], leg("other", other_thing, closed_form=n)])
    assert typeset.latex(plain, plain.legs[1]) == r"\text{measured} = n"


@pytest.mark.parametrize("which", ["lhs", "tex"])
def test_latex_of_a_leg_is_checked_where_it_is_written(which):
    with pytest.raises(ClaimError, match=f"{which} .* braces that do not match"):
        leg("one", measured_thing, **{which: "{x"})


def test_the_author_gives_a_formula_to_a_procedure():
    c = made(
        None,
        lhs=r"\hat y",
        tex=r"\langle\theta_T, x\rangle",
        legs=[leg("value", measured_thing, reference=other_thing)],
    )
    assert typeset.latex(c, c.legs[0]) == r"\hat y = \langle\theta_T, x\rangle"


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (sp.exp(-n / (2 * k)), "e^{- n/(2 k)}"),
        (n ** ((k - 1) / 2), "n^{k/2 - 1/2}"),
        (sp.Symbol("lam") * sp.Symbol("spread"), r"\lambda \mathrm{spread}"),
        (sp.Symbol("nu2") + sp.Symbol("c_plus"), r"c_{\mathrm{plus}} + \nu_{2}"),
    ],
)
def test_sympy_s_latex_is_made_readable(form, text):
    assert typeset.expression_latex(form) == text


def test_the_statement_holds_quantifiers_condition_rivals_and_expectation():
    c = made(
        n**2,
        says="For all n and k it is n^2.",
        setting="on a Tuesday",
        expect="fail",
        rivals=[variant("cubed", closed_form=n**3)],
    )
    text = statement.full_statement(c, None)
    for part in ("n: integer >= 1", "k: integer in 2..9", "with k <= n", "measured = n**2",
                 "on a Tuesday", "cubed (changes closed_form): must be refuted",
                 "expected  fail"):  # fmt: skip
        assert part in text


def test_neither_a_function_s_name_nor_lambda_stands_on_the_left():
    for simulation in (measured_thing, lambda n, k: n):
        c = made(n, legs=[leg("the_leg", simulation)])
        for text in (typeset.latex(c, c.legs[0]), statement.assertion(c)):
            assert "lambda" not in text and "thing" not in text


def test_a_condition_in_code_is_said_by_its_docstring():
    def coprime(n, k):
        """n and k are coprime"""
        return True

    assert statement.condition_text(coprime) == "n and k are coprime"
    assert statement.condition_text([k <= n, coprime]) == "k <= n and n and k are coprime"
    assert statement.condition_text(None) == ""


def page_of(form):
    return mathematics.mathml(typeset.expression_latex(form))


def text_of(form):
    return "".join(ET.fromstring(page_of(form)).itertext())


def test_numbers_and_functions_do_not_run_into_each_other():
    assert "2\u00b72n" in text_of(sp.Mul(2, sp.Pow(2, n, evaluate=False), evaluate=False))
    assert '<mspace width="0.17em"></mspace><mi>log</mi>' in page_of(n * sp.log(n))
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
    assert statement.assertion(bound) == "measured probability <= 1/10"
