"""What CONTRIBUTING.md says of names and sizes holds of every module of the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "theorycheck"
MOST_LINES = 60
MOST_LINES_OF_A_MODULE = 600
HANDED_OVER = {"calibration/blind/cases.py"}
"""Kept byte for byte as somebody else wrote it: its hash is tested instead (tests/calibration/test_blind.py)."""


def trees():
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).as_posix() in HANDED_OVER:
            continue
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def lines_of_code(function):
    """Lines of a function without those of its docstring."""
    lines = function.end_lineno - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is not None:
        lines -= first.end_lineno - first.lineno + 1
    return lines


def test_functions_stay_under_sixty_lines():
    """Their branches are counted by ruff (C901)."""
    long = [
        f"{name}: {node.name} has {lines_of_code(node)} lines"
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and lines_of_code(node) > MOST_LINES
    ]
    assert long == []


def test_modules_stay_under_six_hundred_lines():
    long = [
        f"{name}: {lines}"
        for name, _ in trees()
        if (lines := len((PACKAGE / name).read_text(encoding="utf-8").splitlines()))
        > MOST_LINES_OF_A_MODULE
    ]
    assert long == []


def test_every_room_has_its_tests():
    """In a folder of its name; at the root of the tests lie only what several of them use."""
    tests = PACKAGE.parent / "tests"
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {room for room in rooms if not any((tests / room).glob("**/test_*.py"))} == set()
    assert list(tests.glob("test_*.py")) == []


def test_no_public_class_name_stands_twice():
    places = defaultdict(list)
    for name, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(f"{name}:{node.lineno}")
    twice = {name: at for name, at in places.items() if len(at) > 1}
    assert twice == {}


def test_public_functions_and_classes_say_what_they_are():
    bare = [
        f"{name}:{node.lineno} {node.name}"
        for name, tree in trees()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
        and not any(isinstance(d, ast.Name) and d.id == "overload" for d in node.decorator_list)
    ]
    assert bare == []


LOOSE = {"claims/model.py"}
"""Where options come as an author writes them, before they are parts of a claim."""


def test_what_crosses_between_rooms_is_typed():
    """`dict[str, Any]` stands nowhere but at the edge: records, or values of a type, or `object`."""
    loose = {
        name
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and ast.unparse(node) == "dict[str, Any]"
    }
    assert loose <= LOOSE


def test_no_two_modules_of_the_tests_have_one_name():
    """pytest imports them by it: the second would not be collected."""
    names = [path.name for path in (PACKAGE.parent / "tests").rglob("test_*.py")]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []
