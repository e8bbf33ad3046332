"""Ranges of the register in words, held against domains."""

from fractions import Fraction

import pytest

from theorycheck.claims.formula import formula_leg, typed
from theorycheck.claims.ranges import (
    exhausts,
    hole,
    left_out,
    left_out_of_all,
    range_domain,
    typed_domain,
    typed_domains,
)
from theorycheck.numbers.domain import choices, integers, odd_integers, primes, reals


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("integers >= 2", [2, 3], [1, Fraction(5, 2)]),
        ("integers > 2 (printed >= 2)", [3], [2]),
        ("odd integers >= 3", [3, 9], [2, 4]),
        ("odd >= 3", [3], [4]),
        ("primes", [2, 3], [4]),
        ("positive integers", [1], [0]),
        ("reals > 0", [Fraction(1, 9)], [0]),
        ("reals != 0", [-1], [0]),
        ("{2, 5}", [2, 5], [3]),
        ("1 .. 3", [1, 3], [0, 4]),
        ("2..6 (columns)", [2, 6], [1, 7]),
        ("(0, 1/2]", [Fraction(1, 2)], [0, 1]),
        (">= 1", [1, 2], [0, Fraction(3, 2)]),
        (">=1", [1], [0]),
        ("> 0 (any)", [1], [0, Fraction(1, 2)]),
        ("> 1/2", [1], [0]),
        ("positive", [1], [0, Fraction(1, 2)]),
        ("positive reals", [Fraction(1, 9)], [0]),
        ("(0, infinity)", [Fraction(1, 9), 10**9], [0]),
        ("[0, infinity)", [0], [-1]),
        ("(-infinity, 1/2]", [-5, Fraction(1, 2)], [1]),
        ("reals", [-5, Fraction(1, 2)], []),
        ("all reals", [0], []),
        ("R", [0], []),
        ("{VLCS, PACS}", ["VLCS", "PACS"], ["DomainNet", 1]),
        ("{6.3, E.6}", ["6.3", "E.6"], ["6.2"]),
    ],
)
def test_ranges_that_are_read(text, inside, outside):
    domain = range_domain(text)
    assert all(v in domain for v in inside)
    assert not any(v in domain for v in outside)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "R^d",
        "integers",
        "integers >= 1, k < p",
        "k-subsets of [D]",
        "reals, c != 0",
        "(0, infinity), t small",
        "(1, 0)",
        "all",
        ">= t",
        "<= 1",
        "{1..9}",
    ],
)
def test_ranges_in_words_are_left_alone(text):
    assert range_domain(text) is None
    assert left_out(integers(3), text) == ""


def test_a_finite_range_is_exhausted_by_a_domain_that_holds_it():
    assert exhausts(choices(2, 3), "{2, 3}")
    assert exhausts(integers(1, 9), "1..3")
    assert not exhausts(choices(2, 3), "{2, 3, 4}")
    assert not exhausts(choices(2, 3), "reals > 1")
    assert not exhausts(choices(16, 32), "{16, 32}, d = 4")
    assert exhausts(choices("VLCS", "PACS"), "{PACS, VLCS}")
    assert not exhausts(choices("VLCS"), "{PACS, VLCS}")
    assert not exhausts(choices("VLCS", "PACS"), "{PACS, VLCS} and others")


def test_names_in_a_typed_set_are_expressions():
    assert typed_domain("x in {n, m}", "x") is None


@pytest.mark.parametrize(
    "text, narrower",
    [
        ("a[i], b[i] in [0, 1] for i in 1..n", "[0, 2]"),
        ("b[j] > 0 for 1 <= j <= n", "reals >= 0"),
        ("b[i] in 1..oo for i in 0..oo", "integers >= 0"),
    ],
)
def test_a_family_has_the_range_of_its_members(text, narrower):
    assert left_out(typed_domain(text, "b"), narrower)
    assert typed_domain(text, "i") is None
    assert typed_domain(text, "n") is None


def test_what_a_domain_leaves_out_is_named():
    assert left_out(choices(2, 3), "integers >= 1") == "1"
    assert left_out(primes(3), "odd integers >= 3") == "9"
    assert left_out(odd_integers(3), "primes >= 3") == ""
    assert left_out(integers(1), "reals > 0") == "a half"
    assert left_out(reals(1), "reals > 0") == "1/1000000"


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("s in [6, 40]", 40, 41),
        ("s in (6, oo)", 10**9, 6),
        ("s in 37..oo", 37, 36),
        ("s in 1..12", 12, 13),
        ("r, s in [0, 1/2)", Fraction(1, 4), Fraction(1, 2)),
        ("s > 0", Fraction(1, 9), 0),
        ("s in R", -3, None),
        ("s in {1, 1024}", 1024, 2),
    ],
)
def test_domains_of_typed_statements_are_read(text, inside, outside):
    domain = typed_domain(text, "s")
    assert inside in domain and (outside is None or outside not in domain)


@pytest.mark.parametrize(
    "text", ["s in [3*b, oo)", "t in [0, 1]", "s in (1/sqrt(r), 2)", "s in 1..r"]
)
def test_domains_with_other_names_in_them_are_left_alone(text):
    assert typed_domain(text, "s") is None


@pytest.mark.parametrize(
    ("pieces", "between"),
    [
        (["s in [6, 40]", "s in [40, oo)"], ""),
        (["s in [40, oo)", "s in [6, 30]"], "(30, 40)"),
        (["s in (0, 1)", "s in (1, 2)"], "(1, 1)"),
        (["s in (0, 1]", "s in (1, 2)"], ""),
        (["s in 37..oo", "s in (0, 36]"], ""),
        (["s in 38..oo", "s in (0, 36]"], "(36, 38)"),
        (["s in R", "s in [6, 7]", "s in [9, 10]"], ""),
        (["s in [0, 9]", "s in [1, 2]", "s in [5, 10]"], ""),
    ],
)
def test_pieces_that_do_not_join_have_a_hole(pieces, between):
    assert hole(typed_domain(piece, "s") for piece in pieces) == between


def test_a_bare_sign_asks_of_either_reading_what_both_have():
    assert left_out(reals(0, low_open=True), "> 0") == left_out(integers(1), "> 0") == ""
    assert left_out(choices(1), ">= 1") == "2"
    assert Fraction(left_out(reals(0, 3, low_open=True), "> 0")) > 3


def test_a_step_for_the_whole_range_makes_up_for_no_other():
    whole, low, high = (typed_domain(f"p in {d}", "p") for d in ("[0, 1]", "[0, 1/5]", "[1/5, 1]"))
    assert Fraction(left_out_of_all([low, whole], "[0,1]")) > Fraction(1, 5)
    assert (
        left_out_of_all([low, high], "[0,1]") == left_out_of_all([low, whole, high], "[0,1]") == ""
    )
    assert left_out_of_all([whole, whole], "[0,1]") == ""
    mirrored = typed_domain("p in (0, 1/2]", "p")
    assert left_out_of_all([mirrored], "(1/2,1)")
    assert left_out_of_all([mirrored, typed_domain("p in (1/2, 1)", "p")], "(1/2,1)") == ""


def test_what_no_piece_has_is_named():
    legs = [
        formula_leg(name, typed("s*s >= 0", over=f"{over}; t in R"))
        for name, over in (("low", "s in 1..40"), ("high", "s in 41..100"))
    ]
    domains = typed_domains(legs, "s")
    assert left_out_of_all(domains, "integers 1 .. 100") == ""
    assert Fraction(left_out_of_all(domains, "integers >= 1")) > 100
    narrowed = formula_leg("half", typed("s >= 0", over="s in 1..oo", where="s <= 9"))
    domains = typed_domains([*legs, narrowed], "s")
    assert 10 in domains[2] and Fraction(left_out_of_all(domains, "integers >= 1")) > 100
    unread = formula_leg("below", typed("s >= 0", over="s in 1..r"))
    assert typed_domains([*legs, unread], "s") == []
