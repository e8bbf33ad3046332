"""What can be wrong with one argument of a claim, a leg or a variant: each in a line that says what to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any


def problem_in(arguments: Mapping[str, Any]) -> str:
    """The first thing that is wrong among arguments by name, "" where nothing is; None stands for one that
    was not given. Names without a check of their own are left alone."""
    for name, value in arguments.items():
        check = _CHECKS.get(name)
        problem = "" if check is None or value is None else check(name, value)
        if problem:
            return problem
    return ""


def _form(name: str, form: Any) -> str:
    if isinstance(form, str | bytes):
        return f"{name} {form!r} is text; write a SymPy expression over the parameters' symbols"
    if isinstance(form, float):
        return (
            f"{name} {form!r} is a float, which is not the number that it prints; {_exactly(form)}"
        )
    if isinstance(form, list | tuple | set | dict):
        return f"{name} is a {type(form).__name__}; several components are a sympy.Matrix"
    if hasattr(form, "atoms") and not isinstance(form, type):
        inexact = sorted((a for a in form.atoms() if getattr(a, "is_Float", False)), key=str)
        if inexact:
            number = float(inexact[0])
            return f"{name} {form!s:.60} holds the float {number:g}; {_exactly(number)}"
    return ""


def _exactly(number: float) -> str:
    near = Fraction(number).limit_denominator(10**6) if abs(number) < 1e300 else Fraction(1, 2)
    return f"write sympy.Rational({near.numerator}, {near.denominator})"


def _relation(name: str, relation: Any) -> str:
    if isinstance(relation, str):
        called = relation.strip().removesuffix("()")
        return f"{name} {relation!r} is text; write {name}={called}()"
    if hasattr(relation, "decide") and not isinstance(relation, type):
        return ""
    if callable(relation):
        called = getattr(relation, "__name__", str(relation))
        return f"{name} is the function {called}; call it: {name}={called}()"
    return f"{name} must be equals(), at_most(), scales_as(...), ...; got {relation!r:.60}"


def _callable(name: str, function: Any) -> str:
    if callable(function) and not isinstance(function, type):
        return ""
    return f"{name} must be a function of the parameters, got {function!r:.60}"


def _text(name: str, text: Any) -> str:
    return "" if isinstance(text, str) else f"{name} must be text, got {text!r:.60}"


def _latex(name: str, text: Any) -> str:
    """LaTeX of a formula, to be set in mathematics mode by whoever shows it."""
    if not isinstance(text, str) or not text.strip():
        return f"{name} must be LaTeX such as r'\\frac{{1}}{{p-1}}', got {text!r:.60}"
    if "$" in text or re.search(r"(?<!\\)\\[(\[]", text):
        return f"{name} {text!r:.60} is set as mathematics already; leave out the signs around it"
    if any(ord(c) < 32 for c in text):
        return f"{name} {text!r:.60} holds a control character; write a raw string, r'...'"
    depth = 0
    for sign in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            break
    return f"{name} {text!r:.60} has braces that do not match" if depth else ""


def _id(name: str, text: Any) -> str:
    if isinstance(text, str) and re.fullmatch(r"[^\W_][\w.\-]*", text):
        return ""
    return (
        f"{name} {text!r:.60} must be letters, digits, '-', '_' and '.', such as 'sum-of-squares'"
    )


def _list(name: str, items: Any) -> str:
    if isinstance(items, Iterable) and not isinstance(items, str | bytes | Mapping):
        return ""
    return f"{name} must be a list, got {items!r:.60}"


def _states(name: str, items: Any) -> str:
    listed = [items] if isinstance(items, str) else items
    if isinstance(listed, Iterable) and all(isinstance(i, str) for i in listed):
        return ""
    return f"{name} must be ids of statements, as text or a list of texts, got {items!r:.60}"


def _packages(name: str, packages: Any) -> str:
    listed = packages.split() if isinstance(packages, str) else packages
    if isinstance(listed, Iterable) and all(
        isinstance(p, str) and p.isidentifier() for p in listed
    ):
        return ""
    return f"{name} must be names that are imported, such as 'torch', got {packages!r:.60}"


def _domain(name: str, domain: Any) -> str:
    if isinstance(domain, Mapping):
        return ""
    return f"{name} must be a mapping such as {{n: integers(1)}}, got {domain!r:.60}"


def _grid(name: str, grid: Any) -> str:
    if isinstance(grid, Mapping) and all(
        isinstance(profile, str) and (isinstance(points, Mapping) or not _points(name, points))
        for profile, points in grid.items()
    ):
        return ""
    return f"{name} must name profiles, such as {{'smoke': {{n: [1, 2, 3]}}}}, got {grid!r:.60}"


def _points(name: str, points: Any) -> str:
    if isinstance(points, Mapping):
        return ""
    if isinstance(points, list | tuple) and all(isinstance(p, Mapping) for p in points):
        return ""
    return f"{name} must be a mapping of lists or a list of points, got {points!r:.60}"


def _positive(name: str, number: Any) -> str:
    if isinstance(number, int) and not isinstance(number, bool) and number > 0:
        return ""
    return f"{name} must be a positive integer, got {number!r:.60}"


def _by_profile(name: str, numbers: Any) -> str:
    if isinstance(numbers, Mapping) and not any(_positive(name, n) for n in numbers.values()):
        return ""
    return f"{name} must be positive integers by profile, such as {{'standard': 100_000}}, got {numbers!r:.60}"


def _statistic(name: str, statistic: Any) -> str:
    if hasattr(statistic, "kind") and not isinstance(statistic, type):
        return ""
    return (
        f"{name} must be mean(bounded(0, 1)), probability() or quantile(q), got {statistic!r:.60}"
    )


def _unit(name: str, unit: Any) -> str:
    return "" if callable(unit) else _form(name, unit)


def _error(name: str, error: Any) -> str:
    if isinstance(error, int | Fraction) and error < 0:
        return f"{name} is a bound on an error and cannot be below 0, got {error}"
    return ""


_CHECKS: Mapping[str, Callable[[str, Any], str]] = {
    "id": _id,
    "title": _text,
    "says": _text,
    "setting": _text,
    "notes": _text,
    "name": _text,
    "model": _text,
    "states": _states,
    "needs": _packages,
    "domain": _domain,
    "grid": _grid,
    "closed_form": _form,
    "lhs": _latex,
    "tex": _latex,
    "relation": _relation,
    "simulation": _callable,
    "reference": _callable,
    "draw": _callable,
    "statistic": _statistic,
    "unit": _unit,
    "error": _error,
    "block": _positive,
    "budget": _by_profile,
    "count": _by_profile,
    "at": _points,
    "without": _points,
    "legs": _list,
    "rivals": _list,
    "assumes": _list,
    "figures": _list,
}
