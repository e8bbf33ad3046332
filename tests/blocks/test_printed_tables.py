"""Rows of printed tables: exact, in order, and nothing that is no row."""

from fractions import Fraction

import pytest

from theorycheck.blocks.printed_tables import printed_rows


def test_rows_by_their_labels_in_order():
    found = printed_rows("""
        b 1.50 2
        a 0.1 -3

    """)
    assert found == {("b",): (Fraction(3, 2), Fraction(2)), ("a",): (Fraction(1, 10), Fraction(-3))}
    assert list(found) == [("b",), ("a",)]
    assert printed_rows("x 1 2.5", labels=2) == {("x", "1"): (Fraction(5, 2),)}


@pytest.mark.parametrize(
    ("text", "line"),
    [("a 1\na 2", "occurs twice"), ("a", "has no numbers"), ("a b", "Invalid literal")],
)
def test_what_is_no_row_is_refused(text, line):
    with pytest.raises(ValueError, match=line):
        printed_rows(text)
