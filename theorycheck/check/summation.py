"""Sums in closed form, by a theorem or by proposal: a step and a start prove what SymPy proposes.

If S(N) - S(N - 1) = f(N) for all integers N >= a, and S(a - 1) = 0, then S(b) is the sum of f(k) from a to
b for every b >= a - 1. The step and the start are identities of polynomials in kernels (powers, factorials);
that S has values there, that no base of a power vanishes, and that the range does not run backwards, are
lemmas. What is left is the statement without the sum.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from theorycheck.check import binomials, floors, gosper, kernels, partial_fractions, series
from theorycheck.check.domain import Variable
from theorycheck.check.forms import NoCondition, conditions, evaluated
from theorycheck.check.identities import equal, is_zero, quotient
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region
from theorycheck.check.text import Comparison

_MOST_SUMS = 6
# Longer terms are summed for seconds, and their closed forms are of no use to the other methods.
_MAX_OPS = 60
_NO_CLOSED_FORM = (sp.Sum, sp.Product, sp.Integral, sp.hyper, sp.meijerg, sp.oo, sp.zoo, sp.nan)


def prove(task: Task) -> Argument | None:
    """The comparison with its sums replaced by closed forms.

    Takes comparisons with sums over one index each, whose terms may depend on other names. Promises that
    each closed form is the sum at every point of the region, by a theorem (`binomials`, `kernels`,
    `partial_fractions`, `series`) or by step and start. Gives up where no closed form is found, or what is left, with
    the sums that have none, is not proved.
    """
    lhs, rhs = evaluated(task.comparison.lhs), evaluated(task.comparison.rhs)
    sums = sorted(lhs.atoms(sp.Sum) | rhs.atoms(sp.Sum), key=sp.default_sort_key)
    if not 0 < len(sums) <= _MOST_SUMS:
        return None
    closed: dict[Any, Any] = {}
    facts: list[str] = []
    for total in sums:
        found = next((f for form in _FORMS if (f := form(total, task)) is not None), None)
        if found is not None:
            closed[total] = found[0]
            facts.append(found[1])
    if not closed:
        return None
    left = Comparison(
        task.comparison.op, lhs.xreplace(closed), rhs.xreplace(closed)
    )  # sums inside of sums are not replaced, and stop the lemma
    if not task.lemma(left):
        return None
    return Argument("sums in closed form", tuple(facts))


def _stepwise(total: Any, task: Task) -> tuple[Any, str] | None:
    """The closed form at the upper end, and how it is proved by its step and start."""
    if len(total.limits) != 1 or total.function.count_ops() > _MAX_OPS:
        return None
    k, low, high = total.limits[0]
    if low.is_infinite or high.is_infinite or not (low.is_integer and high.is_integer):
        return None
    if total.function.has(sp.Sum, sp.Product):
        return None
    if not task.lemma(Comparison(">=", high, low - 1)):
        return None
    last = sp.Symbol("N", integer=True)
    if last.name in {s.name for s in total.free_symbols} | {v.name for v in task.region.variables}:
        return None
    index = sp.Symbol(f"_{k.name}", integer=True)
    term = total.function.xreplace({k: index})
    reached = term.xreplace({index: last})
    for proposal in _proposals(term, index, low, last):
        step = equal(proposal - proposal.xreplace({last: last - 1}), reached)
        start = step and is_zero(proposal.xreplace({last: low - 1}))
        if start and _has_values(proposal, reached, last, low, task):
            how = f"it changes by {reached} from N - 1 to N and is 0 at N = {low - 1}"
            text = f"Sum({total.function}, ({k}, {low}, N)) = {proposal}: {how}"
            return proposal.xreplace({last: high}), text
    return None


def _proposals(term: Any, index: Any, low: Any, last: Any) -> Iterator[Any]:
    """An antidifference by Gosper's algorithm, and what SymPy makes of the sum; of several cases the
    last, generic one."""
    yield from _by_gosper(term, index, low, last)
    found = sp.summation(term, (index, low, last))
    if isinstance(found, sp.Piecewise):
        found = found.args[-1][0]
    while found.has(sp.Piecewise):
        case = next(iter(sorted(found.atoms(sp.Piecewise), key=sp.default_sort_key)))
        found = found.xreplace({case: case.args[-1][0]})
    if not found.has(*_NO_CLOSED_FORM):
        yield found


def _by_gosper(term: Any, index: Any, low: Any, last: Any) -> Iterator[Any]:
    """R(N + 1) t(N + 1) - R(a) t(a) for terms with binomial coefficients, which SymPy seldom sums."""
    if not term.has(sp.binomial, sp.factorial):
        return
    step = quotient(term.xreplace({index: index + 1}), term)
    if step is None or not step.is_rational_function(index):
        return
    ratio = gosper.certificate(step, sp.Integer(1), index)
    if ratio is not None:
        whole = sp.cancel(ratio.xreplace({index: last})) * term.xreplace({index: last})
        start = sp.cancel(ratio.xreplace({index: low})) * term.xreplace({index: low})
        if not start.has(sp.zoo, sp.nan):
            yield whole.xreplace({last: last + 1}) - start


def _has_values(proposal: Any, term: Any, last: Any, low: Any, task: Task) -> bool:
    """Whether the closed form has values from low - 1 on, and no power in it or in the term has a base
    that vanishes: there identities of powers fail."""
    ranging = Variable(last.name, last, "integer", "", low - 1, sp.oo)
    region = Region((*task.region.variables, ranging), task.region.hypotheses)
    try:
        needed = list(conditions(proposal))
    except NoCondition:
        return False
    bases = {p.base for e in (proposal, term) for p in e.atoms(sp.Pow) if p.exp.free_symbols}
    needed += [Comparison("!=", b, sp.Integer(0)) for b in bases if b.is_zero is not False]
    return all(task.shown(c, region) for c in needed)


_FORMS = (
    binomials.closed,
    floors.closed,
    kernels.closed,
    series.closed,
    series.alternating,
    series.exponential,
    series.hurwitz,
    partial_fractions.closed,
    _stepwise,
)

METHOD = Method(
    "sums in closed form",
    0.4,
    lambda t: t.depth == 0 and (t.comparison.lhs.has(sp.Sum) or t.comparison.rhs.has(sp.Sum)),
    prove,
)
