"""Statements as typed, set as formulas: what is shown means what was typed, and in that form."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest

from theorycheck.claims.formula import TypedStatement, formula, typed
from theorycheck.library.loading import load_all
from theorycheck.reports import mathematics
from theorycheck.reports.present import Presentation, present
from theorycheck.reports.typed import lines_of

latex_format = import_module("theorycheck.reports.formats.latex")


def only(text, *over):
    (line,) = lines_of(typed(text, over=over))
    mathematics.mathml(line, block=True)
    return line


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("a/b*c == 1", r"\frac{a}{b} \, c = 1"),
        ("a/(b*c) == 1", r"\frac{a}{b c} = 1"),
        ("a - (b - c) != 0", r"a - (b - c) \ne 0"),
        ("a - b - c >= 0", r"a - b - c \ge 0"),
        ("a*(b + c) > 0", r"a (b + c) > 0"),
        ("(a + b)**2 <= c", r"(a + b)^{2} \le c"),
        ("(-a)**2 < c", r"(-a)^{2} < c"),
        ("-a**2 < c", r"-a^{2} < c"),
        ("(a/b)**c < 1", r"\left(\frac{a}{b}\right)^{c} < 1"),
        ("a**(b/(c*a)) < 1", r"a^{b/(c a)} < 1"),
        ("a**(b - (a - c)) < 1", r"a^{b - (a - c)} < 1"),
        ("a*3 < 1", r"a \cdot 3 < 1"),  # no a3
        ("2*3*a < 1", r"2 \cdot 3 a < 1"),
        ("exp(-a**2/2) < 1", r"e^{-a^{2}/2} < 1"),
        ("exp(a)**2 < 1", r"(e^{a})^{2} < 1"),
        ("sqrt(a)*b < 1", r"\sqrt{a} \, b < 1"),
        ("log(a)**2 < 1", r"(\log(a))^{2} < 1"),
        ("factorial(n)/binomial(n, k) < 1", r"\frac{n!}{\binom{n}{k}} < 1"),
        ("Abs(a - b) < 1", r"\left| a - b \right| < 1"),
        ("a*Sum(k, (k, 1, n)) < 1", r"a (\sum_{k=1}^{n} k) < 1"),
        ("lam_2*eps < nu1", r"\lambda_{2} \, \varepsilon < \nu_{1}"),
        ("s_star**2 < 1", r"(s^{*})^{2} < 1"),  # no second superscript
        ("a < b < c", "a < b < c"),
        ("a == 1 or b == 1", r"a = 1\text{ or }b = 1"),
        ("implies(a > 0, a*b > 0)", r"a > 0\Rightarrow a b > 0"),
    ],
)
def test_brackets_stand_exactly_where_the_value_asks_for_them(text, latex):
    names = ["a", "b", "c", "n", "k", "lam_2", "eps", "nu1", "s_star"]
    assert only(text, *(f"{name} in (0, 1)" for name in names)) == latex


def test_what_and_joins_are_formulas_of_their_own():
    assert lines_of(typed("a < 1 and a > 0", over="a in (0, 1)")) == ["a < 1", "a > 0"]


def test_members_of_a_family_have_their_index_below():
    over = ["n in 1..oo", "c[i] in (-oo, oo) for i in 1..n"]
    assert only("Sum(c[i]**2, (i, 1, n)) >= 0", *over) == r"\sum_{i=1}^{n} c_{i}^{2} \ge 0"
    assert only("P[c[i] > 0] <= 1", *over).startswith(r"\operatorname{P}[c_{i} > 0]")


def test_several_families_may_have_one_range():
    over = ["n in 1..oo", "a[i], b[i] in R for i in 1..n"]
    assert only("Sum(a[i]*b[i], (i, 1, n)) < 1", *over) == r"\sum_{i=1}^{n} a_{i} \, b_{i} < 1"


def test_what_cannot_be_read_is_left_as_it_was_typed():
    assert lines_of(typed("a <", over="a in (0, 1)")) == []


STATED = formula(
    "tail",
    title="A tail",
    says="exp(-x) < 1/(1 + x)",
    over="x in (0, oo)",
    rivals={"the other way": "exp(-x) > 1/(1 + x)"},
)
ENTRY = SimpleNamespace(
    id="tail", title="A tail", says=STATED.says, domain="x > 0", tested="", rivals=(),
    reproduce="theorycheck run tail", verdict="pass", rung="proved", stands="proved",
)  # fmt: skip


def test_a_claim_that_is_a_formula_is_shown_as_one_and_not_twice():
    shown = present(STATED, [], profile="smoke", alpha=1e-6)
    assert shown.says == "" and len(shown.mathml) == 1 and "<mfrac>" in shown.mathml[0]
    assert shown.latex == [r"e^{-x} < \frac{1}{1 + x}"]


def test_a_paper_gets_the_formula_and_no_typed_text(monkeypatch):
    monkeypatch.setattr(latex_format, "verdict_sentence", lambda entry: "")
    set_ = "\n".join(
        latex_format.paragraph(ENTRY, present(STATED, [], profile="smoke", alpha=1e-6))
    )
    assert r"e^{-x} < \frac{1}{1 + x}" in set_ and "exp(-x)" not in set_
    assert "exp(-x)" in "\n".join(
        latex_format.paragraph(ENTRY, Presentation())
    )  # what has changed since its run


def test_every_typed_claim_of_the_library_is_set():
    unset = []
    for item in load_all():
        for statement in (lg.simulation for lg in item.claim.legs):
            if not isinstance(statement, TypedStatement):
                continue
            formulas = lines_of(statement)
            for latex in formulas:
                mathematics.mathml(latex, block=True)
            if not formulas:
                unset.append((item.id, statement.says))
    assert unset == []
