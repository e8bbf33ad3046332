"""Numbers that count, by what they count: binomials between 1 and 2**n, factorials at least 1, values of gamma
and beta above 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.ranges import Ranges

_COUNTS = (sp.binomial, sp.factorial, sp.gamma, sp.beta)


def prove(task: Task) -> Argument | None:
    """The sign of the difference, with every count by its bound and a free name beyond it.

    Takes comparisons other than equality. binomial(n, k) for integers 0 <= k <= n is 1 + s, or 2**n - s,
    with s >= 0 (it counts subsets); factorial(n) is 1 + s for integers n >= 0; gamma and beta at positive
    arguments are s > 0. Promises a sign for all s, so for the counts. Gives up where an argument's range is
    not known, or a sign depends on how the counts are related.
    """
    c, ranges = task.comparison, Ranges(task.region.variables)
    difference = evaluated(c.lhs) - evaluated(c.rhs)
    counts = sorted(difference.atoms(*_COUNTS), key=sp.default_sort_key)
    for bounds in (_least, _most):
        put, facts = {}, []
        for count in counts:
            found = bounds(count, ranges)
            if found is None:
                return None
            put[count], fact = found
            facts.append(fact)
        free = difference.xreplace(put)
        if not free.has(*_COUNTS) and _holds(c.op, free, ranges):
            return Argument("counts, each by its bound", tuple(facts))
    return None


def _least(count: Any, ranges: Ranges) -> tuple[Any, str] | None:
    if isinstance(count, sp.binomial):
        return (1 + _extra(), f"{count} >= 1") if _subsets(count, ranges) else None
    if isinstance(count, sp.factorial) and count.args[0].is_integer:
        return (1 + _extra(), f"{count} >= 1") if ranges.nonnegative(count.args[0]) else None
    if isinstance(count, sp.factorial):
        return None
    positive = all(ranges.sign(a) == 1 for a in count.args)
    return (sp.Dummy(positive=True), f"{count} > 0") if positive else None


def _most(count: Any, ranges: Ranges) -> tuple[Any, str] | None:
    if isinstance(count, sp.binomial) and _subsets(count, ranges):
        return 2 ** count.args[0] - _extra(), f"{count} <= 2**({count.args[0]})"
    return _least(count, ranges)


def _extra() -> Any:
    return sp.Dummy(integer=True, nonnegative=True)


def _subsets(count: Any, ranges: Ranges) -> bool:
    n, k = count.args
    whole = n.is_integer and k.is_integer
    return bool(whole and ranges.nonnegative(k) and ranges.nonnegative(n - k))


def _holds(op: str, difference: Any, ranges: Ranges) -> bool:
    checks: dict[str, Callable[[], bool]] = {
        ">": lambda: ranges.sign(difference) == 1,
        "<": lambda: ranges.sign(difference) == -1,
        "!=": lambda: ranges.sign(difference) in (1, -1),
        ">=": lambda: ranges.nonnegative(difference),
        "<=": lambda: ranges.nonpositive(difference),
    }
    return op in checks and checks[op]()


def _counts(task: Task) -> Iterator[Any]:
    for side in (task.comparison.lhs, task.comparison.rhs):
        yield from side.atoms(*_COUNTS)


METHOD = Method("counts", 0.1, lambda t: any(True for _ in _counts(t)), prove)
