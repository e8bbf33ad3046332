"""Signs that the ranges of names tell, and cases where they leave them open."""

from __future__ import annotations

import pytest
import sympy as sp

from theorycheck.check.domain import parse_domains
from theorycheck.check.ranges import OpenSign, Ranges, by_cases

SIGNS = [
    ("1 - t", ["t in (0, 1)"], 1),
    ("1 - t", ["t in (0, 1]"], None),
    ("t - 1", ["t in (0, 1]"], None),
    ("2 - t", ["t in [0, 1]"], 1),
    ("x/2 + 1/2", ["x in (-1, 1)"], 1),
    ("b - a", ["a in (0, 1)", "b in (a, 1)"], 1),
    ("a - b", ["a in (0, 1)", "b in (a, 1)"], -1),
    ("n - 3", ["n in 4..oo"], 1),
    ("n - 3", ["n in 3..oo"], None),
    ("n - 3", ["n in -oo..2"], -1),
    ("t", ["t in R"], None),
    ("x*y", ["x in (-oo, 0)", "y in (0, oo)"], -1),
    ("t - t", ["t in R"], 0),
]


@pytest.mark.parametrize(("text", "domains", "sign"), SIGNS)
def test_signs(text: str, domains: list[str], sign: int | None) -> None:
    declared = parse_domains(domains)
    expression = sp.sympify(text, locals=declared.symbols)
    assert Ranges(declared.variables).sign(expression) == sign


def test_weak_signs_hold_at_closed_ends() -> None:
    declared = parse_domains(["t in [0, 1]"])
    t = declared.symbols["t"]
    ranges = Ranges(declared.variables)
    assert ranges.nonnegative(1 - t)
    assert ranges.nonnegative(t * (1 - t))
    assert ranges.nonpositive(t - 1)
    assert not ranges.nonnegative(sp.Rational(999, 1000) - t)
    assert not ranges.nonnegative(t - sp.Rational(1, 1000))


def test_cases_cover_the_range_once() -> None:
    declared = parse_domains(["t in R"])
    t = declared.symbols["t"]

    def absolute(ranges: Ranges) -> sp.Expr:
        sign = ranges.sign(t - 1)
        if sign is None:
            raise OpenSign(t - 1, "open")
        return sign * (t - 1)

    found = by_cases(absolute, Ranges(declared.variables))
    for value in (-3, 0, sp.Rational(1, 2), 1, 2):
        assert found.subs(t, value) == abs(value - 1)


def test_two_names_that_are_compared_are_no_cases() -> None:
    declared = parse_domains(["x in R", "y in R"])
    x, y = declared.symbols.values()

    def compared(ranges: Ranges) -> sp.Expr:
        raise OpenSign(x - y, "whether x <= y is not known")

    with pytest.raises(ValueError, match="is not known"):
        by_cases(compared, Ranges(declared.variables))
