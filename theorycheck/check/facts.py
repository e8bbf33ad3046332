"""What follows from a hypothesis, multiplied so that something cancels.

Where D > 0 or D >= 0 is wanted and H >= 0 is a hypothesis, and both are linear in something K that occurs
in both (a name, a power, a sum, a value of a function), D - c*H with c = D_K/H_K is free of K. If c >= 0 and
D - c*H >= 0 are proved, D >= 0 holds; an equation H = 0 may have any c. So x*y >= 1 follows from x*y >= 2, and
r/g < n from n*g > r.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.identities import equal
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.operators import NEGATED
from theorycheck.check.powers import Powers
from theorycheck.check.region import Region, formula_text
from theorycheck.check.text import Comparison

_MAX_DEPTH = 4
_MAX_OPS = 200
_ZERO = sp.Integer(0)


def gap(c: Comparison) -> tuple[Any, str]:
    """(f, op) with f op 0 equivalent to the comparison, op one of >, >=, ==, !=."""
    lhs, rhs = evaluated(c.lhs), evaluated(c.rhs)
    op = {"<": ">", "<=": ">="}.get(c.op, c.op)
    return (rhs - lhs if c.op in ("<", "<=") else lhs - rhs), op


def shorter(e: Any) -> Any:
    """The expression with common factors cancelled, where that is proved to be the same."""
    if e.count_ops() > _MAX_OPS:
        return e
    proposed = sp.factor(e)
    return proposed if proposed != e and equal(proposed, e) else e


def by_hypothesis(task: Task) -> Argument | None:
    """The goal as a multiple of a hypothesis plus a rest.

    Takes comparisons other than ``!=``, under comparisons as hypotheses. Promises that the multiplier
    has a value and the right sign, and that the rest has, as lemmas. Gives up where nothing cancels.
    """
    return _multiple(task, list(_hypotheses(task)))


def by_range(task: Task) -> Argument | None:
    """The goal as a multiple of the distance of a name from an end of its range, plus a rest.

    Takes comparisons in several names. Promises as `by_hypothesis` does; the rest has a name less.
    """
    return _multiple(task, list(_walls(task)))


def _multiple(task: Task, hypotheses: list[Comparison]) -> Argument | None:
    wanted, op = gap(task.comparison)
    if wanted.count_ops() > _MAX_OPS:
        return None
    for h in hypotheses:
        if h.op == "!=":
            continue
        known, known_op = gap(h)
        powers = Powers()
        above, below = powers.apart(wanted), powers.apart(known)
        if op == "==" and known_op != "==":
            continue
        for kernel in _shared(above, below):
            if task.clock.out():
                return None
            before = len(task.used)
            found = _cancelled((above, op), (below, known_op), kernel, powers, task)
            if found is not None:
                multiplier, rest = found
                return Argument(
                    "a multiple of what is known",
                    (
                        f"{formula_text(h)}, times {multiplier}",
                        f"what is left: {rest} {op} 0",
                    ),
                )
            task.forget(before)
    return None


def _shared(wanted: Any, known: Any) -> list[Any]:
    """What occurs in both and may cancel: values of functions, powers and sums first, then names."""

    def parts(e: Any) -> set[Any]:
        found = set()
        walk = sp.preorder_traversal(e)
        for node in walk:
            if isinstance(node, sp.Sum | sp.Product | sp.Integral):
                walk.skip()  # what stands inside depends on a bound name
            if node.free_symbols and (node.is_Symbol or not (node.is_Add or node.is_Mul)):
                found.add(node)
        return found

    common = parts(wanted) & parts(known)
    return sorted(common, key=lambda k: (k.is_Symbol, -k.count_ops(), str(k)))


def _linear(e: Any, kernel: Any) -> Any | None:
    """The coefficient of the kernel, which must occur linearly and nowhere else; None otherwise."""
    slot = sp.Dummy(real=True)
    replaced = e.xreplace({kernel: slot})
    slope = sp.diff(replaced, slot)
    if slot in slope.free_symbols:
        slope = sp.cancel(slope)
    if slope == 0 or slot in slope.free_symbols or slope.has(sp.Derivative, sp.Subs):
        return None
    return slope


def _cancelled(
    goal: tuple[Any, str], hypothesis: tuple[Any, str], kernel: Any, powers: Powers, task: Task
) -> tuple[Any, Any] | None:
    """The multiplier and what is left, both proved to be right."""
    (wanted, op), (known, known_op) = goal, hypothesis
    above, below = _linear(wanted, kernel), _linear(known, kernel)
    if above is None or below is None:
        return None
    multiplier = sp.cancel(above / below)
    if not (multiplier.is_number and equal(above, multiplier * below)):
        nonzero = Comparison("!=", powers.together(below), _ZERO)
        if not (below.is_nonzero or task.lemma(nonzero)):
            return None
        multiplier = shorter(above / below)
    rest = powers.together(shorter(sp.expand(wanted - multiplier * known)))
    multiplier = powers.together(multiplier)
    strict = False
    if known_op != "==":
        if known_op == ">" == op:
            strict = _holds(">", multiplier, task)
        if not strict and not _holds(">=", multiplier, task):
            return None
    needed = ">=" if op == ">" and strict else op
    return (multiplier, rest) if _holds(needed, rest, task) else None


def _holds(op: str, e: Any, task: Task) -> bool:
    known = {">": e.is_positive, ">=": e.is_nonnegative, "==": e.is_zero}[op]
    return bool(known) or (known is None and task.lemma(Comparison(op, e, _ZERO)))


def without(task: Task) -> Argument | None:
    """Without the hypotheses, which some methods do not take.

    Promises the comparison on the larger region, as a lemma.
    """
    if task.lemma(task.comparison, Region(task.region.variables)):
        return Argument("the hypotheses are not needed")
    return None


def contrary(task: Task) -> Argument | None:
    """Hypotheses that exclude each other: there is nothing to prove.

    Promises of one of them that its contrary holds wherever the others do, as a lemma.
    """
    hypotheses = task.region.hypotheses
    for h in _hypotheses(task):
        others = tuple(o for o in hypotheses if o is not h)
        denied = Comparison(NEGATED[h.op], h.lhs, h.rhs)
        if task.lemma(denied, Region(task.region.variables, others)):
            return Argument("the hypotheses exclude each other", (formula_text(denied),))
    return None


def _hypotheses(task: Task) -> Iterator[Comparison]:
    return (h for h in task.region.hypotheses if isinstance(h, Comparison))


def _walls(task: Task) -> Iterator[Comparison]:
    """The ends of the ranges as comparisons, those that move with other names first."""
    walls = [
        (end, Comparison(op if is_open else op + "=", v.symbol, end))
        for v in reversed(task.region.variables)
        if v.kind in ("real", "integer")
        for end, op, is_open in ((v.low, ">", v.low_open), (v.high, "<", v.high_open))
        if not end.is_infinite
    ]
    walls.sort(key=lambda wall: not wall[0].free_symbols)
    return (wall for _, wall in walls)


RANGES = Method(
    "ends of ranges multiplied",
    0.4,
    lambda t: t.depth <= _MAX_DEPTH and t.comparison.op in ("<", "<=", ">", ">=") and not t.is_line,
    by_range,
)
MULTIPLES = Method(
    "hypotheses multiplied",
    0.6,
    lambda t: t.depth <= _MAX_DEPTH and t.comparison.op != "!=" and any(_hypotheses(t)),
    by_hypothesis,
)
CONTRARY = Method(
    "hypotheses that exclude each other",
    0.5,
    lambda t: t.depth <= 1 and any(_hypotheses(t)),
    contrary,
)
WITHOUT = Method(
    "without the hypotheses",
    0.5,
    lambda t: t.depth <= _MAX_DEPTH and bool(t.region.hypotheses),
    without,
)
