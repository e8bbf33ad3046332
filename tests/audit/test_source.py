"""Changes of source: each replaces one span, parses, and differs; what must not be touched is not."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.audit.source import changes

SOURCE = '''
"""Module."""

LIMIT = 7


def measured(ns, x: int, k, *, tail=3):
    """A docstring with 1 + 1."""
    if k < 0:
        raise ValueError("k is 2 small")
    total = ns.sum(x**2, axis=-1) + k * x[k - 1]
    best = max(total, -x) if k > 1 else total
    return ns.reshape(best, (1, 2)) / abs(k)


def other(x):
    return x + 1
'''


def lines_of(source, name):
    tree = ast.parse(source)
    return frozenset(n.lineno for n in ast.walk(tree) if getattr(n, "name", "") == name)


def of(source, name="measured"):
    return changes(source, lines_of(source, name))


def test_every_change_parses_and_differs_from_the_original():
    found = of(SOURCE)
    whole = ast.dump(ast.parse(SOURCE))
    dumps = [ast.dump(ast.parse(c.applied(SOURCE))) for c in found]
    assert all(d != whole for d in dumps)
    assert len(found) > 15


def test_the_changes_that_found_most_in_claims_are_made():
    made = {(c.old, c.new) for c in of(SOURCE)}
    assert ("x**2", "(x)") in made  # an exponent
    assert ("sum", "max") in made and ("max", "min") in made
    assert ("k > 1", "(k >= 1)") in made
    assert ("k * x[k - 1]", "(k)") in made and ("k * x[k - 1]", "(x[k - 1])") in made
    assert ("k - 1", "(k - 1) - 1") in made  # an index off by one
    assert ("-x", "x") in made
    assert ("abs(k)", "(k)") in made


def test_guards_docstrings_defaults_axes_and_other_functions_are_left_alone():
    found = of(SOURCE)
    lines = SOURCE.splitlines()
    touched = {lines[c.line - 1].strip() for c in found}
    assert not any(
        word in line for line in touched for word in ("raise", "docstring", "def ", "k < 0")
    )
    assert not any(c.old == "-1" and "axis" in lines[c.line - 1] for c in found)
    assert all(c.line < lines.index("def other(x):") for c in found)


def test_spans_are_right_beside_letters_of_several_bytes():
    source = 'def f(x):\n    y = "λ λ"; return x + 2  # λ\n'
    (dropped,) = [c for c in of(source, "f") if c.kind == "term dropped"]
    assert dropped.applied(source) == 'def f(x):\n    y = "λ λ"; return (x)  # λ\n'


def test_nested_functions_belong_to_the_one_that_holds_them():
    source = "def f(x):\n    def g(y):\n        return y + 1\n    return g(x)\n"
    assert {c.line for c in of(source, "f")} == {3}


@pytest.mark.parametrize("body", ["pass", "x: int = 3", "return 'text'", "assert x == 1"])
def test_bodies_with_nothing_to_measure(body):
    assert [c for c in of(f"def f(x):\n    {body}\n", "f") if c.kind != "constant"] == []


leaves = st.sampled_from(["x", "y", "2", "3", "x[0]", "abs(y)", "-x"])
expressions = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda a, op, b: f"({a} {op} {b})",
        inner,
        st.sampled_from(["+", "-", "*", "/", "**", "@", "%"]),
        inner,
    ),
    max_leaves=8,
)


@given(expressions)
def test_whatever_the_expression_changes_are_programs(text):
    source = f"def f(x, y):\n    return {text}\n"
    for change in of(source, "f"):
        ast.parse(change.applied(source))
        assert change.applied(source) != source
