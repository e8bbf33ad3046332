"""Largest entries of vectors of any length: norm(x, oo) is Abs(x[m]) at an index m where this is as large as anywhere.

There is such an index for every vector with an entry, so what holds for all x and all such m holds for the norm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from theorycheck.check.building import build_expression, build_formula
from theorycheck.check.domain import Domains, Variable
from theorycheck.check.forms import conditions
from theorycheck.check.formula import Comparison, Every
from theorycheck.check.reading.names import Names
from theorycheck.check.refusal import InputError
from theorycheck.check.text import scan

if TYPE_CHECKING:
    from theorycheck.check.reading.long import Largest


def with_largest(declared: Domains, names: Names) -> tuple[Domains, tuple[Every, ...]]:
    """The indices of largest entries that were asked for as names, and what is known of each.

    Raises:
        InputError: where there may be no entry, or an entry has no value or is not known outside of a sum.
    """
    hypotheses: list[Every] = []
    for peak in declared.peaks.found.values():
        if peak.name in names.known:
            raise InputError(f"norm(x, oo): the name {peak.name} is in use; take another")
        variable = _index(peak, declared)
        variables = (*declared.variables, variable)
        note = f"{peak.here} is the largest of the {peak.anywhere.replace(peak.index, 'i')}"
        declared = replace(declared, variables=variables, notes=(*declared.notes, note))
        hypotheses.append(_is_largest(peak, declared, variable))
    return declared, tuple(hypotheses)


def _index(peak: Largest, declared: Domains) -> Variable:
    import sympy

    high = build_expression(scan(peak.length, "--for"), declared.symbols)
    if not high.is_positive:
        raise InputError(
            f"norm(x, oo): there may be no entry; give {peak.length} a domain from 1 on"
        )
    symbol = sympy.Symbol(peak.name, integer=True, positive=True)
    one = sympy.Integer(1)
    return Variable(peak.name, symbol, "integer", f"1..{peak.length}", one, high)


def _is_largest(peak: Largest, declared: Domains, variable: Variable) -> Every:
    import sympy

    index = sympy.Symbol(peak.index, integer=True)
    members: Mapping[str, Any] = {f.name: f.head for f in declared.families}
    text = f"{peak.anywhere} <= {peak.here}"
    scanned = scan(text, "norm(x, oo)", frozenset(members))
    formula = build_formula(scanned, {**declared.symbols, peak.index: index}, None, members)
    # Where the entry has no value the hypothesis would leave out what the statement does not.
    if not isinstance(formula, Comparison) or not _has_value(formula.lhs):
        raise InputError(f"norm(x, oo): whether {peak.here} has a value is not plain")
    return Every(index, sympy.Integer(1), variable.high, formula)


def _has_value(entry: Any) -> bool:
    """Whether an expression has a value whatever the members are."""
    return not any(True for _ in conditions(_in_numbers(entry)))


def _in_numbers(e: Any) -> Any:
    """With real numbers in the place of members, nothing simplified."""
    import sympy
    from sympy.core.function import AppliedUndef

    if isinstance(e, AppliedUndef):
        return sympy.Dummy(real=True)
    if not e.args:
        return e
    args = [_in_numbers(a) for a in e.args]
    return e.func(*args, evaluate=False) if e.is_Add or e.is_Mul or e.is_Pow else e.func(*args)


__all__ = ["with_largest"]
