"""Wider domains of typed statements."""

import pytest

from theorycheck.audit.typed import widened_statements, wider_domains
from theorycheck.claims.formula import typed


@pytest.mark.parametrize(
    ("text", "wider"),
    [
        ("n in 1..oo", ["n in 0..oo"]),
        ("n in -2..7", ["n in -3..7", "n in -2..8"]),
        ("r in 1..m", ["r in 0..m"]),
        ("d in r + 1..oo", []),
        ("x in (0, 1)", ["x in [0, 1)", "x in (0, 1]"]),
        ("x in [0, 1/2]", ["x in [-1/16, 1/2]", "x in [0, 9/16]"]),
        ("x in (3/sqrt(r), 1/2)", ["x in (3/sqrt(r), 1/2]"]),
        ("x in (0, oo)", ["x in [0, oo)"]),
        ("s > 0", ["s >= 0"]),
        ("a in R", []),
        ("k in {100, 1024}", []),
    ],
)
def test_numbers_are_moved_and_names_are_not(text, wider):
    assert list(wider_domains(text)) == wider


def test_one_part_is_changed_at_a_time():
    statement = typed("n < m", over=["n in 1..oo; s > 0", "m in 2..oo"], where=["n < m", "s < 1"])
    found = list(widened_statements(statement))
    assert [(kind, text) for kind, text, _ in found] == [
        ("domain widened", "n in 1..oo -> n in 0..oo"),
        ("domain widened", "s > 0 -> s >= 0"),
        ("domain widened", "m in 2..oo -> m in 1..oo"),
        ("condition dropped", "where n < m"),
        ("condition dropped", "where s < 1"),
    ]
    assert found[0][2].over == ("n in 0..oo; s > 0", "m in 2..oo")
    assert found[3][2].where == ("s < 1",)
    assert all(f.says == "n < m" for _, _, f in found)
