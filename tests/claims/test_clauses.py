"""Prefixes: what a quantifier may say, and the orders that are refused."""

import pytest

from theorycheck.claims.clauses import Clause, PrefixError, Quantifier, parse_prefix


def test_names_of_a_line_share_its_range():
    assert parse_prefix(["forall k, p in integers >= 1, p prime"]) == (
        Quantifier("forall", "k", "integers >= 1, p prime"),
        Quantifier("forall", "p", "integers >= 1, p prime"),
    )


def test_every_kind_is_read():
    prefix = parse_prefix(
        [
            "const C() in reals > 0",
            "eventually d",
            "forall k in 1..d",
            "exists A(k) in subsets(d, k)",
            "prob W ~ Gaussian, level 1 - delta",
        ]
    )
    assert [(q.kind, q.name, q.depends) for q in prefix] == [
        ("const", "C", ()),
        ("eventually", "d", None),
        ("forall", "k", None),
        ("exists", "A", ("k",)),
        ("prob", "W", None),
    ]
    assert prefix[4].range == "Gaussian, level 1 - delta"


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["for all k in integers"], "cannot be read"),
        (["forall k >= 1"], "cannot be read"),
        (["forall k*"], "cannot be read"),
        (["forall all the k in integers"], "cannot be read"),
        (["forall k in N", "forall k in N"], "quantified twice"),
        (["exists A(w) in sets", "forall w in vectors"], "does not stand before"),
        (["forall A(k) in sets"], "depends on nothing"),
    ],
)
def test_what_is_refused(lines, text):
    with pytest.raises(PrefixError, match=text):
        parse_prefix(lines)


def clause(*lines):
    return Clause("s", "c", "says", "tex", parse_prefix(lines), "body", "equality", "holds", True)


def test_outer_for_alls_end_at_the_first_choice():
    c = clause("forall k in N", "exists A in sets", "forall w in vectors")
    assert [q.name for q in c.outer] == ["k"]
    assert [q.name for q in c.inner] == ["A"]
    assert c.before("A") == ("k",)
    assert c.before("w") == ("k", "A")
    assert clause("forall k in N", "forall q in N", "exists A(q) in sets").before("A") == ("q",)
    assert c.text() == "for all k in N; there is A in sets; for all w in vectors; body"
