"""Linear inequalities with rational coefficients that no point satisfies, by Farkas' lemma.

Rows a_i . x + c_i >= 0 (or > 0) have no common solution if and only if some multipliers l_i >= 0 have
sum l_i a_i = 0 and either sum l_i c_i < 0, or sum l_i c_i = 0 with l_i > 0 for a strict row (Motzkin). The
multipliers are the certificate; they are found by the simplex method with Bland's rule, in exact
fractions, and checked by adding up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

# Tableaus are small; beyond so many pivots the search is given up.
_MAX_PIVOTS = 300


@dataclass(frozen=True)
class LinearInequality:
    """``sum of coefficients[x] x + constant >= 0``, or ``> 0`` where ``strict``."""

    coefficients: Mapping[Any, Fraction]
    constant: Fraction
    strict: bool = False

    def text(self) -> str:
        """The row as a person reads it."""
        terms = [f"{a}*{x}" for x, a in self.coefficients.items() if a]
        return " + ".join([*terms, str(self.constant)])

    def whole(self, integers: frozenset[Any]) -> LinearInequality:
        """As strong as it is for integer names alone: > 0 as >= 1, the constant rounded down."""
        names = [x for x, a in self.coefficients.items() if a != 0]
        if not names or not all(x in integers for x in names):
            return self
        scale = lcm(*(self.coefficients[x].denominator for x in names))
        common = gcd(*(int(self.coefficients[x] * scale) for x in names))
        factor = Fraction(scale, common)
        constant = self.constant * factor
        if self.strict:  # the largest integer below it
            constant = Fraction(-((-constant) // 1) - 1)
        else:
            constant = Fraction(constant // 1)
        return LinearInequality({x: self.coefficients[x] * factor for x in names}, constant)


def multipliers(rows: Sequence[LinearInequality]) -> list[Fraction] | None:
    """Multipliers by which the rows contradict each other, one for each row; None where there are
    none (the rows have a solution in real numbers) or the search is given up."""
    names = list(dict.fromkeys(x for row in rows for x in row.coefficients))
    # Columns: one multiplier a row, and s with sum l c + s = 0; s + the multipliers of strict rows = 1.
    equations = [
        [row.coefficients.get(x, Fraction(0)) for row in rows] + [Fraction(0)] for x in names
    ]
    equations.append([row.constant for row in rows] + [Fraction(1)])
    equations.append([Fraction(int(row.strict)) for row in rows] + [Fraction(1)])
    right = [Fraction(0)] * (len(names) + 1) + [Fraction(1)]
    solution = _nonnegative_solution(equations, right)
    if solution is None:
        return None
    found = solution[: len(rows)]
    return found if contradictory(rows, found) else None


def contradictory(rows: Sequence[LinearInequality], found: Sequence[Fraction]) -> bool:
    """Whether the multipliers add the rows up to 0 >= something positive, or to 0 > 0."""
    if any(m < 0 for m in found):
        return False
    total: dict[Any, Fraction] = {}
    for row, m in zip(rows, found, strict=True):
        for x, a in row.coefficients.items():
            total[x] = total.get(x, Fraction(0)) + m * a
    if any(total.values()):
        return False
    constant = sum((m * row.constant for row, m in zip(rows, found, strict=True)), Fraction(0))
    strict = any(m > 0 and row.strict for row, m in zip(rows, found, strict=True))
    return constant < 0 or (constant == 0 and strict)


def _nonnegative_solution(
    equations: list[list[Fraction]], right: list[Fraction]
) -> list[Fraction] | None:
    """x >= 0 with equations x = right (right >= 0), by the first phase of the simplex method."""
    count, width = len(equations), len(equations[0])
    table = [
        [*row, *(Fraction(int(i == j)) for j in range(count)), b]
        for i, (row, b) in enumerate(zip(equations, right, strict=True))
    ]
    basis = [width + i for i in range(count)]
    # The sum of the artificial columns, to be brought to 0.
    cost = [sum((row[j] for row in table), Fraction(0)) for j in range(width)]
    left = sum(right, Fraction(0))
    for _ in range(_MAX_PIVOTS):
        enter = next((j for j in range(width) if cost[j] > 0), None)
        if enter is None:
            break
        rows = [i for i in range(count) if table[i][enter] > 0]
        if not rows:
            return None
        leave = min(rows, key=lambda i: (table[i][-1] / table[i][enter], basis[i]))
        pivot = table[leave][enter]
        table[leave] = [a / pivot for a in table[leave]]
        for i in range(count):
            if i != leave and (factor := table[i][enter]):
                table[i] = [a - factor * b for a, b in zip(table[i], table[leave], strict=True)]
        factor = cost[enter]
        left -= factor * table[leave][-1]
        cost = [a - factor * b for a, b in zip(cost, table[leave][:width], strict=True)]
        basis[leave] = enter
    if left != 0:
        return None
    solution = [Fraction(0)] * width
    for i, j in enumerate(basis):
        if j < width:
            solution[j] = table[i][-1]
    return solution
