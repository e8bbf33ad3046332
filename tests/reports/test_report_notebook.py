"""Claims and results in a notebook."""

from __future__ import annotations

import pytest
import sympy as sp

from theorycheck import claim, integers, leg, variant
from theorycheck.entries.parts import Resolution
from theorycheck.notebook import claim_html, try_claim

n = sp.Symbol("n", positive=True)


def total(n):
    """Adds one by one."""
    return sum(range(1, n + 1))


def conjecture(form, **parts):
    return claim(
        "a-conjecture",
        title="A sum <of> integers",
        domain={n: integers(1)},
        grid={"smoke": {n: [1, 2, 5, 9]}},
        closed_form=form,
        legs=[leg("added", total)],
        **parts,
    )


def test_a_claim_shows_itself_before_it_is_run():
    page = claim_html(conjecture(n * (n + 1) / 2))
    assert "<math " in page
    assert "not run yet" in page
    assert "A sum &lt;of&gt; integers" in page
    assert "n: integer &gt;= 1" in page


def test_a_right_conjecture_passes_and_shows_its_figure():
    result = try_claim(conjecture(n * (n + 1) / 2, rivals=[variant("half", closed_form=n**2 / 2)]))
    assert result.verdict == "pass"
    assert result.resolution == Resolution(kind="relative", value=0.0)
    page = result._repr_html_()
    assert 'class="theorycheck checked"' in page
    assert "<svg " in page
    assert "half: refuted" in page
    assert "rivals refuted: 1 of 1" in repr(result)


def test_a_closed_form_beyond_all_numbers_is_undecided_in_one_line():
    result = try_claim(conjecture(sp.Integer(2) ** (-(10**7) * n)))
    assert result.verdict == "inconclusive"
    assert "a number of the order 2^-9999999 is out of range" in repr(result)


@pytest.mark.parametrize(
    "form", [n**2 / 2, n * (n - 1) / 2, n * (n + 1) / 2 + sp.Rational(1, 10**9)]
)
def test_a_wrong_conjecture_fails_with_its_counterexample(form):
    result = try_claim(conjecture(form))
    assert result.verdict == "fail"
    assert result.counterexample.point == {"n": 1}
    page = result._repr_html_()
    assert 'class="theorycheck refuted"' in page
    assert "Counterexample." in page
    assert "n=1: measured 1, claimed" in repr(result)


def test_a_diagnosis_is_said_in_words():
    page = try_claim(conjecture(n * (n + 1) / 2 + n))._repr_html_()
    assert "Diagnosis." in page
    assert "hypotheses:" not in page and "tested on" not in page
