"""What spares an author scaffolding: a corrected claim from the printed one, a variant by a changed argument."""

import pytest
import sympy as sp

from theorycheck import ClaimError, claim, integers, leg, variant
from theorycheck.notebook import try_claim

n = sp.symbols("n", integer=True, positive=True)


def total(n, shift=0, half=False):
    return sum(range(1, n + 1 + shift)) // (2 if half else 1)


def printed(**parts):
    options = {"domain": {n: integers(1)}, "grid": {"smoke": {n: [1, 2, 3, 5]}},
               "closed_form": n**2 / 2, "says": "The sum is n^2/2.", "tex": r"\frac{n^2}{2}",
               "expect": "fail", "notes": "of the printed one", "legs": [leg("added", total)]}  # fmt: skip
    return claim("sum", **{**options, **parts})


RIGHT = {"closed_form": n * (n + 1) / 2, "says": "The sum is n(n + 1)/2."}


def test_a_corrected_claim_is_the_printed_one_but_for_what_it_says():
    wrong = printed()
    right = wrong.corrected("sum-corrected", **RIGHT)
    assert (right.role, right.corrects, right.expect) == ("corrected", "sum", "pass")
    assert (right.domain, right.grid, right.legs) == (wrong.domain, wrong.grid, wrong.legs)
    assert (right.tex, right.notes) == ("", "")
    assert [r.name for r in right.rivals] == ["as printed"]
    assert try_claim(wrong).verdict == "fail"
    found = try_claim(right)
    assert found.verdict == "pass" and found.entry.rivals[0].refuted


def test_the_author_s_own_rivals_stand_in_place_of_the_printed_form():
    right = printed().corrected("c", **RIGHT, rivals=[variant("n", closed_form=n)], tex="x")
    assert ([r.name for r in right.rivals], right.tex) == (["n"], "x")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"closed_form": n}, "say what it asserts"),
        ({"expect": "fail"}, "sets expect itself"),
        ({"colour": "red"}, "unknown option colour"),
    ],
)
def test_corrections_that_cannot_be(changes, words):
    with pytest.raises(ClaimError, match=words):
        printed().corrected("c", **changes)


def test_a_variant_by_a_changed_argument():
    rivals = [
        variant("half the samples", call=total, half=True),
        variant("one more", call=total, shift=1),
    ]
    right = printed().corrected("c", **RIGHT, rivals=rivals)
    assert rivals[0].changes["simulation"].__name__ == "total(half=True)"
    found = try_claim(right)
    assert found.verdict == "pass" and all(r.refuted for r in found.entry.rivals)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"call": total}, "with no argument changed"),
        ({"call": total, "third": 1}, "with third changed; it takes half, n, shift"),
        ({"call": 3, "half": True}, "must be a function"),
        ({"half": True}, "unknown: half"),
    ],
)
def test_changed_arguments_that_cannot_be(options, words):
    with pytest.raises(ClaimError, match=words):
        variant("v", **options)
